/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the client table of the open device. */
#include "config.h"

#include "session/client_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

#define ENGINE_CELL 9
#define BYTES_CELL 9

void clients_want(struct session *ses, bool wanted)
{
	bool starts = wanted && !ses->wants_clients;

	ses->wants_clients = wanted;
	if (starts && ses->dev)
		clients_scan(ses, clock_mono_ns(&ses->clock));
}

const struct client_table *clients_scan(struct session *ses, int64_t now_ns)
{
	if (!ses->wants_clients)
		return NULL;
	if (ses->dev->clients)
		ses->dev->clients->ops->scan(ses->dev->clients, now_ns, &ses->clients);
	else
		client_table_note(&ses->clients, WHY_UNSUPPORTED);
	return &ses->clients;
}

void clients_restart(struct session *ses)
{
	client_table_note(&ses->clients, WHY_NOT_YET);
	if (ses->wants_clients)
		clients_scan(ses, clock_mono_ns(&ses->clock));
}

void clients_release(struct session *ses)
{
	free(ses->clients.rows);
	ses->clients = (struct client_table){ 0 };
}

/* --- JSON --- */

static void add_bytes(struct strbuf *out, const char *key, uint64_t bytes)
{
	strbuf_addf(out, ",\"%s\":", key);
	strbuf_add_double(out, bytes == UINT64_MAX ? NAN : (double)bytes);
}

static void row_json(const struct client_table *t, const struct client_row *r, struct strbuf *out)
{
	strbuf_addf(out, "{\"pid\":%lld,\"uid\":%u,\"user\":", (long long)r->pid, r->uid);
	strbuf_add_json(out, r->user);
	strbuf_add(out, ",\"name\":");
	strbuf_add_json(out, r->name);
	strbuf_add(out, ",\"command\":");
	strbuf_add_json(out, r->command);
	strbuf_addf(out, ",\"client\":%llu,\"busy\":{", (unsigned long long)r->client_id);
	for (int i = 0; i < t->n_engines; i++) {
		strbuf_add(out, i ? "," : "");
		strbuf_add_json(out, t->engines[i]);
		strbuf_addc(out, ':');
		strbuf_add_double(out, (double)r->busy_pct[i]);
	}
	strbuf_addc(out, '}');
	add_bytes(out, "total_bytes", r->total_bytes);
	add_bytes(out, "resident_bytes", r->resident_bytes);
	strbuf_add(out, ",\"cpu\":");
	strbuf_add_double(out, (double)r->cpu_pct);
	strbuf_addc(out, '}');
}

void clients_add_json(const struct client_table *t, struct strbuf *out)
{
	if (!t)
		return;
	if (t->why != WHY_OK) {
		strbuf_add(out, ",\"clients\":null,\"clients_why\":");
		strbuf_add_json(out, why_name(t->why));
		return;
	}
	strbuf_add(out, ",\"clients\":[");
	for (size_t i = 0; i < t->n_rows; i++) {
		strbuf_add(out, i ? "," : "");
		row_json(t, &t->rows[i], out);
	}
	strbuf_addf(out, "],\"clients_hidden\":%d", t->hidden);
}

/* --- text --- */

static void add_value(struct strbuf *out, double v, int width)
{
	char buf[32];

	strbuf_addf(out, " %*s", width - 1, format_number(buf, sizeof(buf), v, width - 1));
}

static double mebibytes(uint64_t bytes)
{
	return bytes == UINT64_MAX ? NAN : (double)bytes / (1 << 20);
}

static void head_text(const struct client_table *t, const char *prefix, struct strbuf *out)
{
	strbuf_addf(out, "%s  client %8s %-10s", prefix, "PID", "USER");
	for (int i = 0; i < t->n_engines; i++)
		strbuf_addf(out, " %*.*s%%", ENGINE_CELL - 2, ENGINE_CELL - 2, t->engines[i]);
	strbuf_addf(out, " %*s %*s  COMMAND\n", BYTES_CELL - 1, "MiB", BYTES_CELL - 1, "resident");
}

static void row_text(const struct client_table *t, const struct client_row *r, const char *prefix,
	struct strbuf *out)
{
	strbuf_addf(out, "%s  client %8lld %-10.10s", prefix, (long long)r->pid, r->user);
	for (int i = 0; i < t->n_engines; i++)
		add_value(out, (double)r->busy_pct[i], ENGINE_CELL);
	add_value(out, mebibytes(r->total_bytes), BYTES_CELL);
	add_value(out, mebibytes(r->resident_bytes), BYTES_CELL);
	strbuf_addf(out, "  %s\n", r->command);
}

void clients_add_text(const struct client_table *t, const char *prefix, struct strbuf *out)
{
	if (!t)
		return;
	if (t->why != WHY_OK) {
		strbuf_addf(out, "%s  client %8s (%s)\n", prefix, "--", why_text(t->why));
		return;
	}
	if (t->n_rows)
		head_text(t, prefix, out);
	for (size_t i = 0; i < t->n_rows; i++)
		row_text(t, &t->rows[i], prefix, out);
	if (t->hidden)
		strbuf_addf(
			out, "%s  client %8s (%d processes are hidden)\n", prefix, "-", t->hidden);
}
