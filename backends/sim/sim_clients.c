/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of processes, and their parts of the model's busy time. */
#include "config.h"

#include "backends/sim/sim_clients.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Above the largest number that Linux gives (PID_MAX_LIMIT): nobody's process is meant. */
#define FIRST_PID 4194305

/* Parts of the busy time, in thousandths; of an idle GPU only those that are there without a
 * load. */
static const struct {
	const char *name, *command;
	int per_mille;
	bool is_load;
	uint64_t total_bytes, resident_bytes;
} processes[] = {
	{ "load", "", 950, true, 64 << 20, 60 << 20 },
	{ "compositor", "compositor --simulated", 40, false, 55 << 20, 48 << 20 },
	{ "browser", "browser --simulated", 10, false, 46 << 20, 31 << 20 },
};

struct sim_clients {
	struct client_source source;
	const struct course *course;
	int64_t opened_ns, before_ns;
	char load[48];
	void (*drop)(void *ctx);
	void *ctx;
	bool scanned;
	uint64_t busy_ns;	/* at the last scan */
};

static uint64_t forward(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

/* Busy time since the scan before. */
static uint64_t busy_since(struct sim_clients *s, int64_t now_ns)
{
	uint64_t before = s->busy_ns;

	s->busy_ns = course_value(
		s->course, Q_BUSY_NS, now_ns > s->opened_ns ? now_ns - s->opened_ns : 0);
	return forward(before, s->busy_ns);
}

static void fill_row(const struct sim_clients *s, size_t i, double busy_pct, struct client_row *row)
{
	*row = (struct client_row){ .pid = FIRST_PID + (int)i,
		.uid = 1000,
		.client_id = 1 + i,
		.n_clients = 1,
		.total_bytes = processes[i].total_bytes,
		.resident_bytes = processes[i].resident_bytes,
		.cpu_pct = NAN };
	snprintf(row->user, sizeof(row->user), "sim");
	snprintf(row->name, sizeof(row->name), "%s", processes[i].name);
	if (processes[i].is_load)
		snprintf(row->command, sizeof(row->command), "load %s", s->load);
	else
		snprintf(row->command, sizeof(row->command), "%s", processes[i].command);
	for (int k = 0; k < CLIENT_MAX_ENGINES; k++) {
		row->busy_pct[k] = NAN;
		row->time_ns[k] = UINT64_MAX;
	}
	row->busy_pct[0] = s->scanned ? (float)busy_pct : NAN;
}

static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct sim_clients *s = (struct sim_clients *)src;
	double busy_ns = (double)busy_since(s, now_ns), window_ns = (double)(now_ns - s->before_ns);
	bool has_load = strcmp(s->load, "idle") != 0;
	int whole = 0;

	for (size_t i = 0; i < ARRAY_LEN(processes); i++)
		whole += has_load || !processes[i].is_load ? processes[i].per_mille : 0;
	*out = (struct client_table){ .t_ns = now_ns, .engines = { "render" }, .n_engines = 1, .rows = out->rows,
		.cap_rows = out->cap_rows };
	for (size_t i = 0; i < ARRAY_LEN(processes); i++) {
		double part = (double)processes[i].per_mille / whole;

		if (processes[i].is_load && !has_load)
			continue;
		out->rows = array_grow(out->rows, out->n_rows, &out->cap_rows, sizeof(*out->rows));
		fill_row(s, i, window_ns > 0 ? 100 * part * busy_ns / window_ns : 0,
			&out->rows[out->n_rows]);
		out->rows[out->n_rows++].time_ns[0] = (uint64_t)(part * (double)s->busy_ns);
	}
	s->before_ns = now_ns;
	s->scanned = true;
}

static void close_source(struct client_source *src)
{
	struct sim_clients *s = (struct sim_clients *)src;

	s->drop(s->ctx);
	free(s);
}

static const struct client_source_ops ops = { .scan = scan, .close = close_source };

struct client_source *sim_clients_open(const struct course *course, int64_t opened_ns,
	const char *load, void (*drop)(void *ctx), void *ctx)
{
	struct sim_clients *s = xcalloc(1, sizeof(*s));

	s->source =
		(struct client_source){ .ops = &ops, .how = N_("simulated clients"), .priv = s };
	s->course = course;
	s->opened_ns = s->before_ns = opened_ns;
	snprintf(s->load, sizeof(s->load), "%s", load);
	s->drop = drop;
	s->ctx = ctx;
	return &s->source;
}
