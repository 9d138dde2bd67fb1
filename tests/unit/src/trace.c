/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces against what was measured, over random runs of windows, sets, devices, loads and commands: a value stands where it was measured and
 * nowhere else, slices of a track do not overlap, what begins ends, and a trace without its end still reads. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/json.h"
#include "base/mem.h"
#include "out/export/trace.h"
#include "tests/recordings/make.h"
#include "tests/tap.h"

#define RUNS 200
#define WINDOWS 30
#define METRICS 3

static char names[METRICS][4] = { "a", "b", "c" }, other[] = "d";
static struct metric first[METRICS], second[METRICS];
static const struct metric_set sets[] = { { .metrics = first, .n_metrics = METRICS }, { .metrics = second, .n_metrics = METRICS - 1 } };
static const struct device devices[] = { { .id = "card0", .simulated = true }, { .id = "card1", .pci_address = "0000:03:00.0" } };

/* What was given to the trace: a window, what its metrics were, NAN where they were not measured in it. */
struct given {
	int device, set;
	int64_t from_ns, to_ns;
	double values[METRICS];
};

static struct given given[WINDOWS];
static uint64_t state;

static unsigned dice(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static void give_spans(struct trace *t, struct trace_device *td, int64_t from_ns)
{
	for (int i = (int)dice(4); i > 0; i--) {
		struct span_place place = { .number = (int)dice(2), .out_of_order = false };
		place.out_of_order = place.number;
		struct span span = { .queue = place.number, .name = "k\"1", .is_kernel = dice(2), .index = dice(1000) + 1, .items = 64 };
		struct span_slice s = { &place, &span, from_ns + dice(1000), 0 };

		s.end_ns = s.start_ns + dice(1500);
		trace_span(t, td, &s);
	}
}

static void give_window(struct trace *t, struct trace_device *td, struct given *g, const struct given *before, int k)
{
	struct value values[METRICS], ceilings[METRICS];
	struct mux_value mux[METRICS];
	struct snapshot s = { .values = values, .ceilings = ceilings, .mux = dice(2) ? mux : NULL };
	struct err err = { 0 };

	g->device = before ? before->device : 0;
	g->set = before ? before->set : 0;
	if (dice(8) == 0)
		g->device = 1 - g->device;
	if (dice(6) == 0)
		g->set = 1 - g->set;
	g->from_ns = (before ? before->to_ns : 1000000) + (dice(5) ? 0 : 100000 * (2 + dice(9)));
	g->to_ns = g->from_ns + 100000;
	s.device = &devices[g->device];
	s.set = &sets[g->set];
	s.mono_ns = s.cells_ns = g->to_ns;
	s.window_ns = g->to_ns - g->from_ns;
	s.job.phase = dice(3) ? JOB_RUNNING : JOB_DONE;
	s.job.start_mono_ns = g->from_ns;
	for (int i = 0; i < METRICS; i++) {
		bool missing = dice(4) == 0, kept = s.mux && dice(4) == 0;

		values[i] = missing ? value_none(WHY_NOT_YET) : value_ok(k * METRICS + i + 1);
		mux[i] = (struct mux_value){ .multiplexed = true, .t_ns = kept ? s.cells_ns - 1 : s.cells_ns };
		g->values[i] = missing || kept || i >= s.set->n_metrics ? NAN : values[i].v;
	}
	if (!trace_window(t, td, &s, s.device->id, &err))
		exit(1);
	give_spans(t, td, g->from_ns);
}

/* The value of a counter at a time, 0 where nothing is drawn; the last event of a time counts. */
static double drawn(const struct json_tree *t, int pid, const char *name, double us)
{
	double at = -INFINITY, v = 0;

	for (const struct json_node *e = json_first(t, t->nodes); e; e = json_next(t, e)) {
		double ts = json_get_number(t, e, "ts"), value = json_get_number(t, json_get(t, e, "args"), name);

		if (!strcmp(json_get_text(t, e, "ph"), "C") && (int)json_get_number(t, e, "pid") == pid && !isnan(value) && ts <= us && ts >= at) {
			at = ts;
			v = value;
		}
	}
	return v;
}

/* Slices of a track that overlap, and ends without a beginning. */
static int misplaced(const struct json_tree *t)
{
	int wrong = 0, open = 0;

	for (const struct json_node *e = json_first(t, t->nodes); e; e = json_next(t, e)) {
		double from = json_get_number(t, e, "ts"), to = from + json_get_number(t, e, "dur");
		char ph = *json_get_text(t, e, "ph");

		open += (ph == 'b') - (ph == 'e');
		wrong += open < 0 || open > 1 || from < 0 || (ph == 'X' && !(to >= from));
		for (const struct json_node *o = json_first(t, t->nodes); ph == 'X' && o != e; o = json_next(t, o)) {
			double start = json_get_number(t, o, "ts"), end = start + json_get_number(t, o, "dur");

			if (*json_get_text(t, o, "ph") == 'X' && !(json_get_number(t, o, "pid") != json_get_number(t, e, "pid")) &&
				!(json_get_number(t, o, "tid") != json_get_number(t, e, "tid")))
				wrong += fmin(end, to) - fmax(start, from) > 0.0015;
		}
	}
	return wrong + open;
}

static int misdrawn(const struct json_tree *t, int n)
{
	int wrong = 0, pid = 1;

	for (int k = 0; k < n; k++) {
		const struct given *g = &given[k];

		pid += k && g->device != given[k - 1].device;
		for (int i = 0; i < METRICS; i++) {
			const char *name = g->set && i == 1 ? other : names[i];
			double want = isnan(g->values[i]) ? 0 : g->values[i];
			double middle_us = (double)(g->from_ns + g->to_ns) / 2e3, behind_us = (double)g->to_ns / 1e3 + 49;

			if (fabs(drawn(t, pid, name, middle_us) - want) > 0)
				wrong++;
			/* Where the next window begins later, nothing is drawn until then. */
			if ((k + 1 == n || given[k + 1].from_ns > g->to_ns) && fabs(drawn(t, pid, name, behind_us)) > 0)
				wrong++;
		}
	}
	return wrong;
}

/* The file with so much behind it; free() it. */
static char *text_of(const char *path, const char *tail)
{
	size_t len;
	char *text = file_read_all(path, 1 << 20, &len, NULL), *whole;

	if (!text)
		exit(1);
	whole = xasprintf("%s%s", text, tail);
	free(text);
	return whole;
}

int main(void)
{
	struct temp_file temp;
	int tried = 0, unread = 0, wrong_values = 0, wrong_slices = 0, cut = 0;

	temp_open(&temp);
	for (int i = 0; i < METRICS; i++) {
		first[i] = (struct metric){ .name = names[i], .label = names[i], .unit.scale = 1 };
		second[i] = (struct metric){ .name = i == 1 ? other : names[i], .label = i == 1 ? other : names[i], .unit.scale = 1 };
	}
	for (int run = 0; run < RUNS; run++) {
		struct trace t;
		struct trace_device td = { 0 };
		struct err err = { 0 };

		if (!in_share())
			continue;
		tried++;
		state = (uint64_t)run;
		int n = 1 + (int)dice(WINDOWS);

		if (!trace_open(&t, temp.path, &err))
			return 1;
		for (int k = 0; k < n; k++)
			give_window(&t, &td, &given[k], k ? &given[k - 1] : NULL, k);
		char *text = text_of(temp.path, "]");	/* as viewers read what was killed */
		struct json_tree json = { 0 };
		cut += !json_read(&json, text);
		free(text);
		trace_leave(&t, &td, given[n - 1].to_ns);
		if (!trace_close(&t, &err))
			return 1;
		text = text_of(temp.path, "");
		bool read = json_read(&json, text);
		unread += !read;
		wrong_values += read ? misdrawn(&json, n) : 0;
		wrong_slices += read ? misplaced(&json) : 0;
		json_tree_release(&json);
		free(text);
	}
	is_int(unread, 0, "%d traces are JSON", tried);
	is_int(cut, 0, "  ... and so are those of runs that were killed");
	is_int(wrong_values, 0, "  ... values stand where they were measured, and nowhere else");
	is_int(wrong_slices, 0, "  ... slices of a track do not overlap, and what begins ends");
	temp_close(&temp);
	return done_testing();
}
