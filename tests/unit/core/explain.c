/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a metric says of itself: whole texts, with numbers and without. */
#include "config.h"

#include "core/explain/explain.h"

#include "base/mem.h"
#include "tests/tap.h"

static const char text[] =
	"counter A7 cycle \"EU cycles, summed\"\ncounter CLK cycle\ncounter e uJ \"energy\"\nconst "
	"eus 1 \"EUs present\"\nconst peak GB/s\n"
	"set s \"A set\"\nplatforms p\nprogram A7 fpu0::ternary\ngroup util \"Utilization\" \"%\"\n"
	"let EU.share = EU.active / eus\nlet EU.active = A7\nlet unused = 1\n"
	"metric eu_active\n label \"EU active\"\n unit %\n scope EU\n group util\n value EU.share "
	"\\\n  / CLK\n max 100[%]\n limit pipe eus \"EUs\"\n"
	" text \"Cycles in which an EU worked.\"\n origin \"the manual\"\n needs \"flexible "
	"events\"\n flags estimated\n"
	"metric power\n unit W\n value rate(e)\n"
	"metric double_power\n unit W\n value 2 * power\n"
	"metric bandwidth\n unit GB/s\n value peak / 4\n"
	"metric limit\n unit W\n value 3[W]\n max 2 * power\n";

static const struct counter_desc counters[] = {
	{ "A7", "cycle", 40, COUNTER_CUMULATIVE }, { "CLK", "cycle", 32, COUNTER_CUMULATIVE }, { "e", "uJ", 64, COUNTER_CUMULATIVE },
};
static const struct feed feed = { .name = "oa", .counters = counters, .n_counters = 3 };

struct scene {
	struct metric_lib lib;
	const struct metric_set *set;
	struct device dev;
	struct snapshot snap;
	struct metric_binding binding;
	struct history history;
};

static void note(void *ctx, const struct err *err)
{
	(void)ctx;
	diag("%s", err->msg);
}

static void open_scene(struct scene *s)
{
	const struct feed *feeds[] = { &feed };

	*s = (struct scene){ 0 };
	is_int(metric_lib_load(&s->lib, "my.metrics", text, NULL, NULL, note, NULL), 0,
		"the set loads");
	s->set = metric_lib_find(&s->lib, "s", "p");
	device_set_const(&s->dev, "eus", 24);
	s->dev.simulated = true;
	snapshot_init(&s->snap, &s->dev, s->set);
	history_init(&s->history, s->set->n_metrics, 4);
	metric_bind(&s->binding, s->set, &s->dev, feeds, 1);
}

static void measure(struct scene *s, uint64_t a7, uint64_t clk, uint64_t uj)
{
	struct sample sample = { .window_ns = 500000000, .values = { a7, clk, uj } };

	metric_eval(&s->binding, &sample, s->snap.values, s->snap.ceilings);
	memcpy(s->snap.inputs, s->binding.inputs,
		(size_t)s->set->n_inputs * sizeof(*s->snap.inputs));
	history_push(&s->history, s->snap.values);
}

static void close_scene(struct scene *s)
{
	metric_unbind(&s->binding);
	history_release(&s->history);
	snapshot_release(&s->snap);
	metric_lib_release(&s->lib);
}

static void is_explained(const struct scene *s, const char *name, bool live, const char *want)
{
	struct strbuf b = { 0 };

	explain_metric(&b, s->set, metric_set_index(s->set, name), live ? &s->snap : NULL,
		live ? &s->history : NULL);
	is_str(strbuf_str(&b), want, "%s, %s", name, live ? "with numbers" : "without");
	strbuf_release(&b);
}

/* The counter of watts comes from a source of its own that is closed. */
static void refused_source(void)
{
	static const struct counter_desc watts[] = { { "e", "uJ", 64, COUNTER_CUMULATIVE } };
	static const struct feed oa = { .name = "oa", .counters = counters, .n_counters = 2 },
				 power = { .name = "power", .counters = watts, .n_counters = 1 };
	static const struct feed *const feeds[] = { &oa, &power };
	const struct sample samples[] = { { .window_ns = 500000000,
						  .values = { 1200000000, 500000000 } },
		{ .why = WHY_PERMISSION } };
	struct scene s;
	int eu, watt, bandwidth;

	open_scene(&s);
	metric_unbind(&s.binding);
	metric_bind(&s.binding, s.set, &s.dev, feeds, 2);
	metric_eval(&s.binding, samples, s.snap.values, s.snap.ceilings);
	memcpy(s.snap.inputs, s.binding.inputs, (size_t)s.set->n_inputs * sizeof(*s.snap.inputs));
	s.snap.feeds = feeds;
	s.snap.n_feeds = 2;
	eu = metric_set_index(s.set, "eu_active");
	watt = metric_set_index(s.set, "double_power");
	bandwidth = metric_set_index(s.set, "bandwidth");
	ok(explain_lacks(s.set, watt, &s.snap, "power"),
		"what is made of watts lacks the source of watts");
	ok(!explain_lacks(s.set, watt, &s.snap, "oa"), "and not the other one");
	ok(explain_lacks(s.set, metric_set_index(s.set, "limit"), &s.snap, "power"),
		"and so does what has a roof of watts");
	ok(!explain_lacks(s.set, eu, &s.snap, "oa") && !explain_lacks(s.set, eu, &s.snap, "power"),
		"a metric with a number lacks nothing");
	ok(!explain_lacks(s.set, bandwidth, &s.snap, "power"), "and one of constants no source");
	close_scene(&s);
}

/* Each abbreviation of label or text is expanded once, and no part of another word is. */
static void abbreviations(void)
{
	static const struct {
		const char *label, *text, *want;
	} rows[] = {
		{ "EUs", "All EUs: an EU has FPU0 and FPU1.",
			"\n"
			"EU: execution unit, which runs the threads of shaders and kernels\n"
			"FPU: floating-point unit, a pipeline of an execution unit\nAll EUs" },
		{ "L3<->EU", NULL,
			"\n"
			"EU: execution unit, which runs the threads of shaders and kernels\n"
			"L3: third level of cache; in an Intel GPU the last one of its own\n\nEquation" },
		{ "SLM", "0 in RC6.",
			"\n"
			"SLM: shared local memory, which the threads of one work-group have in "
			"common\nRC6: render C-state 6, the GPU's sleep\n0 in RC6.\n" },
		{ "Time", "QUEUE_EUSE of SPEED DPX FLOPsx", "Time (m)\nQUEUE_EUSE of SPEED DPX FLOPsx\n\nEquation" },
		{ "Time", "", "Time (m)\n\nEquation" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric m = { .name = (char *)"m", .label = (char *)rows[i].label, .text = (char *)rows[i].text };
		struct metric_set set = { .name = (char *)"s", .metrics = &m, .n_metrics = 1 };
		struct strbuf b = { 0 };

		explain_metric(&b, &set, 0, NULL, NULL);
		if (!ok(strstr(strbuf_str(&b), rows[i].want) != NULL, "abbreviations of '%s'",
			    rows[i].label))
			diag("%s", strbuf_str(&b));
		strbuf_release(&b);
	}
}

int main(void)
{
	struct scene s;

	refused_source();
	abbreviations();

	open_scene(&s);
	measure(&s, 1200000000, 500000000, 3000000);
	measure(&s, 3000000000, 500000000, 4000000);
	is_explained(&s, "eu_active", true,
		"EU active (eu_active): ~25.00 %\n"
		"EU: execution unit, which runs the threads of shaders and kernels\n"
		"Cycles in which an EU worked.\n"
		"It is an estimate.\n"
		"The device is simulated.\n"
		"\n"
		"For a program\n"
		"  The cores execute instructions in this share of the time: the part that does the work.\n"
		"What helps\n"
		"  If it is near 100 %, only fewer or cheaper instructions make the program faster; if it "
		"is low, see what the rest of the time is.\n"
		"Equation\n"
		"  eu_active = EU.share / CLK\n"
		"  EU.share = EU.active / eus\n"
		"  EU.active = A7\n"
		"Roof\n"
		"  100[%] = 100.0 %\n"
		"It reads, in this window\n"
		"  A7 = 3000000000 cycle  EU cycles, summed (counts fpu0::ternary)\n"
		"  eus = 24  EUs present\n"
		"  CLK = 500000000 cycle\n"
		"Range\n"
		"  min 10.00, max 25.00, now 25.00 %\n"
		"Where the equation comes from\n"
		"  the manual\n"
		"It needs\n"
		"  flexible events\n"
		"Scope\n"
		"  EU\n"
		"Pane\n"
		"  Utilization\n"
		"What it says about limits\n"
		"  pipe eus\n"
		"Set\n"
		"  s (A set)\n"
		"Defined in\n"
		"  my.metrics:13\n");
	is_explained(&s, "double_power", true,
		"double_power (double_power): 16.00 W\nThe device is simulated.\n\nEquation\n  "
		"double_power = 2 * power\nIt reads, in this window\n"
		"  power = 8 W  power\nRange\n  min 12.00, max 16.00, now 16.00 W\nScope\n  "
		"device\nSet\n  s (A set)\nDefined in\n  my.metrics:29\n");
	is_explained(&s, "power", true,
		"power (power): 8.000 W\nThe device is simulated.\n\nEquation\n  power = "
		"rate(e)\nIt reads, in this window\n"
		"  rate(e) = 8000000 uJ/s  energy\nRange\n  min 6.000, max 8.000, now 8.000 "
		"W\nScope\n  device\nSet\n  s (A set)\nDefined in\n  my.metrics:26\n");
	is_explained(&s, "bandwidth", true,
		"bandwidth (bandwidth): --\nno value: a number of this device is not "
		"known\nThe device is simulated.\n\n"
		"Equation\n  bandwidth = peak / 4\nIt reads, in this window\n  peak = -- (a number "
		"of this device is not known)\n"
		"Range\n  min --, max --, now -- GB/s\nScope\n  device\nSet\n  s (A set)\nDefined "
		"in\n  my.metrics:32\n");
	is_explained(&s, "bandwidth", false,
		"bandwidth (bandwidth) GB/s\n\nEquation\n  bandwidth = peak / 4\nIt reads\n  peak "
		"GB/s\nScope\n  device\nSet\n  s (A set)\n"
		"Defined in\n  my.metrics:32\n");
	close_scene(&s);
	return done_testing();
}
