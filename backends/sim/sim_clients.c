/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares the model's busy time among the processes of a table. */
#include "config.h"

#include "backends/sim/sim_model.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "core/work/client.h"

/* Each process has a part of the busy time, in thousandths. When the GPU is idle the load has no
 * process, and the others share what is left. Where launches are told the spec says what others have. */
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
	struct sim_model *m;
	int64_t before_ns;
	bool scanned;
	uint64_t busy_ns;	/* at the last scan */
};

static int per_mille(const struct sim_clients *s, size_t i)
{
	int others = 10 * (int)s->m->spec.spans.others_pct;

	if (!s->m->spec.spans.on)
		return processes[i].per_mille;
	if (processes[i].is_load)
		return 1000 - others;
	return i == 1 ? others : 0;
}

static void add_row(const struct sim_clients *s, size_t i, double busy_pct, struct client_table *out)
{
	struct client_row *row = client_table_add(out, SIM_FIRST_PID + (int)i);

	row->uid = 1000;
	row->client_id = 1 + i;
	row->total_bytes = processes[i].total_bytes;
	row->resident_bytes = processes[i].resident_bytes;
	snprintf(row->user, sizeof(row->user), "sim");
	snprintf(row->name, sizeof(row->name), "%s", processes[i].name);
	if (processes[i].is_load)
		snprintf(row->command, sizeof(row->command), "load %s", s->m->spec.load.load);
	else
		snprintf(row->command, sizeof(row->command), "%s", processes[i].command);
	if (s->scanned)
		row->busy_pct[0] = (float)busy_pct;
	if (s->scanned && s->m->spec.spans.copy_pct)
		row->busy_pct[1] = processes[i].is_load ? (float)s->m->spec.spans.copy_pct : 0;
}

static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct sim_clients *s = (struct sim_clients *)src;
	bool has_load = strcmp(s->m->spec.load.load, "idle") != 0;
	double window_ns = (double)(now_ns - s->before_ns), busy_ns = 0;
	uint64_t now = course_value(&s->m->course, Q_BUSY_NS, sim_model_time(s->m, now_ns));
	int whole = 0;

	if (now > s->busy_ns)
		busy_ns = (double)(now - s->busy_ns);
	s->busy_ns = now;
	for (size_t i = 0; i < ARRAY_LEN(processes); i++)
		if (has_load || !processes[i].is_load)
			whole += per_mille(s, i);
	*out = (struct client_table){ .t_ns = now_ns,
		.engines = { "render", "copy" },
		.n_engines = s->m->spec.spans.copy_pct ? 2 : 1,
		.rows = out->rows,
		.cap_rows = out->cap_rows };
	for (size_t i = 0; i < ARRAY_LEN(processes); i++) {
		double part = (double)per_mille(s, i) / max_of(whole, 1), busy_pct = 0;

		if (processes[i].is_load && !has_load)
			continue;
		if (window_ns > 0)
			busy_pct = 100 * part * busy_ns / window_ns;
		add_row(s, i, busy_pct, out);
		out->rows[out->n_rows - 1].time_ns[0] = (uint64_t)(part * (double)s->busy_ns);
	}
	s->before_ns = now_ns;
	s->scanned = true;
}

static void close_source(struct client_source *src)
{
	sim_model_drop(((struct sim_clients *)src)->m);
}

static const struct client_source_ops ops = {
	.size = sizeof(struct sim_clients),
	.scan = scan, .close = close_source,
};

struct client_source *sim_clients_open(struct sim_model *m)
{
	struct sim_clients *s = client_source_new(&ops, "simulated clients");

	s->m = m;
	s->before_ns = m->opened_ns;
	m->users++;
	return &s->source;
}
