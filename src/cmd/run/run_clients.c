/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command's own clients had of the engines, where the driver tells whose clients are whose. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/card/process.h"
#include "base/json.h"
#include "base/mem.h"
#include "cmd/run/gathered.h"
#include "session/window/refresh.h"

static bool is_own(pid_t command, int proc, int64_t pid)
{
	struct process_stat st = { .parent = (int)pid };

	while (st.parent > 1 && st.parent != command)
		if (!process_read_stat(proc, st.parent, &st))
			return false;
	return command > 0 && st.parent == command;
}

/* A client that closes takes its time along, so that the last that was seen of it counts. */
static struct run_client *client_of(struct run_clients *c, uint64_t id)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].id == id)
			return &c->v[i];
	c->v = array_grow(c->v, c->n, &c->cap, sizeof(*c->v));
	c->v[c->n] = (struct run_client){ .id = id };
	return &c->v[c->n++];
}

void run_clients_take(struct run_clients *clients, pid_t command)
{
	const struct client_table *t = &clients->table;
	int proc = process_folder(NULL);

	for (size_t i = 0; t->why == WHY_OK && i < t->n_rows; i++) {
		if (!is_own(command, proc, t->rows[i].pid))
			continue;
		struct run_client *c = client_of(clients, t->rows[i].client_id);
		for (int e = 0; e < t->n_engines; e++)
			if (t->rows[i].time_ns[e] != UINT64_MAX) {
				c->time_ns[e] = t->rows[i].time_ns[e];
				clients->tells = true;
			}
	}
	if (proc >= 0)
		close(proc);
}

void run_clients_look(struct around *r)
{
	if (!r->counts || !r->session->dev->clients || r->session->dev->device.simulated)
		return;
	client_scan_now(r->session, clock_mono_ns(&r->session->clock), &r->clients.table);
	run_clients_take(&r->clients, r->pid);
}

static void add_own(struct run_clients *c, const char *engine, double seconds)
{
	struct run_own *own = &c->own[c->n_own];

	if (!(seconds > 0) || !isfinite(seconds) || c->n_own == CLIENT_MAX_ENGINES)
		return;
	c->n_own++;
	snprintf(own->engine, sizeof(own->engine), "%s", engine);
	own->seconds = seconds;
}

#define NONE_SEEN "none"

void run_clients_total(struct run_clients *c)
{
	c->n_own = 0;
	c->is_known = c->table.why == WHY_OK && c->table.n_engines > 0 && (!c->n || c->tells);
	for (int e = 0; c->is_known && e < c->table.n_engines; e++) {
		double ns = 0;

		for (size_t i = 0; i < c->n; i++)
			ns += (double)c->v[i].time_ns[e];
		add_own(c, c->table.engines[e], ns / NS_PER_S);
	}
}

void run_clients_sum(struct around *r, char *buf, size_t size)
{
	struct run_clients *c = &r->clients;
	struct strbuf text = { 0 };

	run_clients_total(c);
	for (int i = 0; i < c->n_own; i++)
		strbuf_addf(&text, "%s%s %.9f", i ? "\t" : "", c->own[i].engine, c->own[i].seconds);
	if (c->is_known && !text.len)
		strbuf_add(&text, NONE_SEEN);
	snprintf(buf, size, "%s", strbuf_str(&text));
	strbuf_release(&text);
}

void run_clients_recall(struct around *r, const char *text)
{
	struct run_clients *c = &r->clients;
	char engine[16];
	double seconds;

	c->is_known = *text;
	c->n_own = 0;
	for (; *text; text += strcspn(text, "\t"), text += *text == '\t')
		if (sscanf(text, "%15s %lf", engine, &seconds) == 2)
			add_own(c, engine, seconds);
}

void run_clients_report(const struct run_clients *c, const char *id, struct strbuf *out)
{
	if (!c->is_known)
		return;
	if (!c->n_own) {
		strbuf_addf(out, "no client of the command was seen to use %s\n", id);
		return;
	}
	strbuf_add(out, "the command's own clients had at least ");
	for (int i = 0; i < c->n_own; i++)
		strbuf_addf(out, "%s%s %.3g s", i ? ", " : "", c->own[i].engine, c->own[i].seconds);
	strbuf_addf(out, " of %s engines\n", strcmp(id, THE_DEVICE) ? id : "its");
}

void run_clients_json(const struct run_clients *c, const char *name, struct strbuf *out)
{
	if (!c->is_known) {
		json_string(out, name, NULL);
		return;
	}
	json_open(out, name, '{');
	for (int i = 0; i < c->n_own; i++)
		json_number(out, c->own[i].engine, c->own[i].seconds);
	strbuf_addc(out, '}');
}

void run_clients_release(struct run_clients *c)
{
	free(c->table.rows);
	free(c->v);
}
