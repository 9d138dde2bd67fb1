/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes lines for screens and files of the spans and counters of kernels. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "core/spans/kernel_judge.h"

const char *kernel_duration(double ns, char *buf, size_t size)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(units) && ns < units[i].ns)
		i++;
	snprintf(buf, size, "%.3g %s", ns / units[i].ns, units[i].unit);
	return buf;
}

/* Says why a row has no numbers, or lacks some of those that were counted. */
static void why_text_of(const struct session *ses, enum span_why why, const struct span_row *r,
	char *out, size_t size)
{
	static const char *const texts[] = {
		[SPAN_COUNTED] = N_("what has no number differs at the ends of its runs, or others "
				    "did it there"),
		[SPAN_NO_KERNEL] = "it is no kernel",
		[SPAN_NO_REPORTS] = N_("no reports come between which counters could be told"),
		[SPAN_OTHER_DEVICE] = N_("it is not known to run on the device that is counted"),
		[SPAN_LOST_SOME] = N_("commands were not told, and may have run beside it"),
		[SPAN_UNSEEN] = N_("the device worked while no command was known of"),
		[SPAN_FOREIGN] = N_("others used the device meanwhile"),
		[SPAN_NO_OTHERS] = N_("what other clients and engines did meanwhile is not known"),
		[SPAN_ENGINES] = N_(
			"copy or video engines worked meanwhile, whose traffic is counted, too"),
		[SPAN_BESIDE] = N_("other commands ran beside it"),
		[SPAN_SIZES] = N_("it runs in more sizes than are told apart"),
		[SPAN_ENDS] = N_("its ends differ from its middle, or too much of them was not "
				 "seen: longer runs help"),
	};
	int64_t every_ns = ses->kernels.count.distance_ns;
	char run[24], every[24];

	if (why == SPAN_SHORT && ses->dev)
		snprintf(out, size, _("runs last %s, reports come every %s%s"),
			kernel_duration((double)r->sum_ns / (double)r->calls, run, sizeof(run)),
			kernel_duration((double)every_ns, every, sizeof(every)),
			every_ns > SPAN_DOUBT_NS ? ": -p 100us" : "");
	else
		snprintf(out, size, "%s", _(texts[ses->dev ? why : SPAN_NO_REPORTS]));
}

static double seconds(int64_t ns)
{
	return (double)ns / NS_PER_S;
}

static struct kernel_line *add_line(
	struct kernel_list *l, enum kernel_kind kind, const char *name, double time_s)
{
	l->lines = array_grow(l->lines, (size_t)l->n, &l->cap, sizeof(*l->lines));
	l->lines[l->n] = (struct kernel_line){ .kind = kind,
		.name = name,
		.time_s = time_s,
		.share = l->seconds > 0 ? time_s / l->seconds : NAN,
		.overlap = NAN,
		.mean_s = NAN,
		.min_s = NAN,
		.max_s = NAN,
		.gflops = NAN,
		.gbytes_per_s = NAN,
		.flop_per_byte = NAN,
		.headroom = NAN,
		.counted_time = NAN,
		.counted_calls = NAN };
	return &l->lines[l->n++];
}

static void add_row(const struct session *ses, struct kernel_list *l, const struct span_row *r)
{
	const struct kernel_watch *w = &ses->kernels;
	enum kernel_kind kind = r->is_kernel ? KERNEL_RUNS : KERNEL_OTHER;
	struct kernel_line *k = add_line(l, kind, r->name, seconds(r->own_ns));
	int row = (int)(r - w->table.rows);
	bool unsure[FEED_MAX_COUNTERS] = { false };
	const uint64_t *values;
	int64_t ns;

	k->items = r->items;
	k->calls = r->calls;
	k->overlap = r->sum_ns > 0 ? (double)r->overlap_ns / (double)r->sum_ns : NAN;
	k->mean_s = seconds(r->sum_ns) / (double)r->calls;
	k->min_s = seconds(r->min_ns);
	k->max_s = seconds(r->max_ns);
	enum span_why why =
		span_count_get(&w->count, &w->table, row, &values, unsure, &ns, &k->pairs);
	k->counted = why == SPAN_COUNTED && ses->dev;
	if (!k->counted || memchr(unsure, true, sizeof(unsure)))
		why_text_of(ses, why, r, k->why, sizeof(k->why));
	if (!k->counted) {
		k->pairs = 0;
		return;
	}
	k->counted_time = (double)ns / (double)r->sum_ns;
	k->counted_calls = (double)w->count.rows[row].calls / (double)r->calls;
	kernel_judge(&(struct kernel_judge){ &rotation_active(ses->now->rotation)->binding,
			     &ses->dev->device, &ses->dev->sources[0]->feed,
			     ses->dev->n_sources, &ses->opened.measured },
		values, unsure, ns, k);
}

static const char *why_empty(const struct session *ses)
{
	const struct kernel_watch *w = &ses->kernels;

	if (w->table.n_rows > 0)
		return "";
	if (ses->dev && (ses->dev->spans || ses->dev->device.recorded))
		return N_("the device, or its recording, tells of no kernel");
	if (w->programs > 0)
		return N_("OpenCL programs were seen, and they told of no kernel");
	if (w->refused > 0)
		return N_("a program of another user or another version of rooftop was refused");
	return N_("no OpenCL program came up: none was started here, its loader takes no layers "
		  "(ocl-icd before 2.3.0, oclgrind), or it uses a driver without the loader");
}

/* The device is idle where nobody's command ran, as far as its counters see others. */
static void add_rest(const struct kernel_watch *w, struct kernel_list *l)
{
	double not_ours_s = NAN, idle_s = seconds(w->table.idle_ns);

	if (w->count.seen_pairs > 0 && w->count.busy >= 0 && w->count.clock >= 0)
		not_ours_s = fmin(w->count.not_ours_ns / NS_PER_S, idle_s);
	add_line(l, KERNEL_NOT_OURS, N_("not ours"), not_ours_s);
	add_line(l, KERNEL_IDLE, N_("idle"), isnan(not_ours_s) ? idle_s : idle_s - not_ours_s);
}

void kernel_watch_list(const struct session *ses, bool each_other, struct kernel_list *out)
{
	const struct span_table *t = &ses->kernels.table;
	const struct span_row **order = xcalloc((size_t)t->n_rows + 1, sizeof(const void *));
	int n = span_table_order(t, order);
	struct kernel_line others = { .kind = KERNEL_OTHER };

	out->n = 0;
	out->seconds = seconds(t->settled_ns - t->begin_ns);
	out->listens = ses->kernels.hub != NULL;
	out->programs = ses->kernels.programs;
	out->lost = min_u64(t->lost + t->nonsense, INT64_MAX);
	out->why_empty = why_empty(ses);
	for (int i = 0; i < n; i++) {
		if (order[i]->is_kernel || each_other) {
			add_row(ses, out, order[i]);
			continue;
		}
		others.time_s += seconds(order[i]->own_ns);
		others.calls += order[i]->calls;
	}
	free(order);
	if (!each_other && n > 0)
		add_line(out, KERNEL_OTHER, N_("other commands"), others.time_s)->calls =
			others.calls;
	if (n > 0 || each_other)
		add_rest(&ses->kernels, out);
}

void kernel_list_release(struct kernel_list *l)
{
	free(l->lines);
	*l = (struct kernel_list){ 0 };
}
