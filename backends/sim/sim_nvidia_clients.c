/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load of a simulated NVIDIA GPU is a process, which has what the card has. */
#include "config.h"

#include "backends/sim/sim_nvidia_clients.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* Larger than any number that Linux gives (PID_MAX_LIMIT), so that it never names a real process. */
#define LOAD_PID 4194305

struct nvidia_sim_clients {
	struct client_source source;
	struct nvidia_gpu *gpu;
	int64_t opened_ns, before_ns;
	double busy_ns;		/* at the last scan */
};

static void fill_row(const struct nvidia_sim_clients *s, const struct nvidia_state *state,
	double busy_pct, struct client_row *row)
{
	*row = (struct client_row){ .pid = LOAD_PID,
		.uid = 1000,
		.client_id = 1,
		.n_clients = 1,
		.total_bytes = UINT64_MAX,
		.resident_bytes = (uint64_t)state->memory_used_bytes,
		.cpu_pct = NAN };
	snprintf(row->user, sizeof(row->user), "sim");
	snprintf(row->name, sizeof(row->name), "load");
	snprintf(row->command, sizeof(row->command), "load %s", state->load->name);
	for (int k = 0; k < CLIENT_MAX_ENGINES; k++) {
		row->busy_pct[k] = NAN;
		row->time_ns[k] = UINT64_MAX;
	}
	row->busy_pct[0] = (float)busy_pct;
	row->time_ns[0] = (uint64_t)s->busy_ns;
}

static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct nvidia_sim_clients *s = (struct nvidia_sim_clients *)src;
	double window_ns = (double)(now_ns - s->before_ns), busy_pct = NAN;
	struct nvidia_totals totals;
	struct nvidia_state state;

	nvidia_gpu_totals(s->gpu, now_ns - s->opened_ns, &totals);
	nvidia_gpu_state(s->gpu, now_ns - s->opened_ns, &state);
	if (window_ns > 0)
		busy_pct = 100 * (totals.busy_ns - s->busy_ns) / window_ns;
	s->busy_ns = totals.busy_ns;
	s->before_ns = now_ns;
	*out = (struct client_table){ .t_ns = now_ns,
		.engines = { "sm" },
		.n_engines = 1,
		.rows = out->rows,
		.cap_rows = out->cap_rows };
	if (!state.is_busy)
		return;
	out->rows = array_grow(out->rows, out->n_rows, &out->cap_rows, sizeof(*out->rows));
	fill_row(s, &state, busy_pct, &out->rows[out->n_rows++]);
}

static void close_clients(struct client_source *src)
{
	struct nvidia_sim_clients *s = (struct nvidia_sim_clients *)src;

	nvidia_gpu_free(s->gpu);
	free(s);
}

static const struct client_source_ops ops = { .scan = scan, .close = close_clients };

struct client_source *sim_nvidia_clients_open(struct nvidia_gpu *gpu, int64_t now_ns)
{
	struct nvidia_sim_clients *s = xcalloc(1, sizeof(*s));

	*s = (struct nvidia_sim_clients){
		.source = { .ops = &ops, .how = "simulated clients" },
		.gpu = gpu,
		.opened_ns = now_ns,
		.before_ns = now_ns,
	};
	return &s->source;
}
