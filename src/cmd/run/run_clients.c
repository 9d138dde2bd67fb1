/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command's own clients had of the engines, where the driver tells whose clients are whose. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backends/card/process.h"
#include "base/mem.h"
#include "cmd/run/gathered.h"
#include "session/window/client_scan.h"

static bool is_own(const struct around *r, int proc, int64_t pid)
{
	struct process_stat st = { .parent = (int)pid };

	while (st.parent > 1 && st.parent != r->pid)
		if (!process_read_stat(proc, st.parent, &st))
			return false;
	return r->pid > 0 && st.parent == r->pid;
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

void run_clients_look(struct around *r)
{
	struct client_table *t = &r->clients.table;

	if (!r->counts || !r->session->dev->clients || r->session->dev->device.simulated)
		return;
	client_scan_now(r->session, clock_mono_ns(&r->session->clock), t);
	int proc = process_folder(NULL);
	for (size_t i = 0; t->why == WHY_OK && i < t->n_rows; i++) {
		if (!is_own(r, proc, t->rows[i].pid))
			continue;
		struct run_client *c = client_of(&r->clients, t->rows[i].client_id);
		for (int e = 0; e < t->n_engines; e++)
			if (t->rows[i].time_ns[e] != UINT64_MAX)
				c->time_ns[e] = t->rows[i].time_ns[e];
	}
	if (proc >= 0)
		close(proc);
}

void run_clients_report(const struct around *r, struct strbuf *out)
{
	const struct client_table *t = &r->clients.table;
	struct strbuf list = { 0 };

	if (t->why != WHY_OK || !t->n_engines)
		return;
	for (int e = 0; e < t->n_engines; e++) {
		double ns = 0;
		char text[64];

		for (size_t i = 0; i < r->clients.n; i++)
			ns += (double)r->clients.v[i].time_ns[e];
		if (ns > 0) {
			snprintf(text, sizeof(text), "%.16s %.3g s", t->engines[e], ns / NS_PER_S);
			strbuf_add_word(&list, ", ", text);
		}
	}
	if (list.len)
		strbuf_addf(out, "the command's own clients had at least %s of its engines\n",
			strbuf_str(&list));
	else
		strbuf_add(out, "no client of the command was seen at the device\n");
	strbuf_release(&list);
}

void run_clients_release(struct around *r)
{
	free(r->clients.table.rows);
	free(r->clients.v);
}
