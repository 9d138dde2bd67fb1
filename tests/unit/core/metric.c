/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metric files: a small set with values worked out by hand, every problem with its position,
 * overriding, binding, evaluation. */
#include "config.h"

#include "core/metric/metric.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/tap.h"

#define HEAD "set s \"S\"\nplatforms p\n"
#define COUNTERS "counter A7 cycle\ncounter CLK cycle\nconst eus 1\n"

static const char *includes(void *ctx, const char *name)
{
	static const struct { const char *name, *text; } files[] = {
		{ "counters", "counter A7 cycle \"active\"\ncounter CLK cycle\ncounter e uJ\ngauge f MHz\nconst eus 1\nconst peak GB/s\n" },
		{ "metrics", "group g \"Old\"\nmetric m\n value 1\nmetric n\n value 2\n" },
		{ "loop", "include loop2\n" }, { "loop2", "include loop\n" },
		{ "d1", "include d2" }, { "d2", "include d3" }, { "d3", "include d4" }, { "d4", "include d5" }, { "d5", "include d6" },
		{ "d6", "include d7" }, { "d7", "include d8" }, { "d8", "include d9" }, { "d9", "" },
		{ "bad", "\n  metrik x\n" },
	};

	(void)ctx;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		if (!strcmp(files[i].name, name))
			return files[i].text;
	}
	return NULL;
}

static void note(void *ctx, const struct err *err)
{
	struct strbuf *b = ctx;

	strbuf_addf(b, "%s%s", b->len ? "\n" : "", err->msg);
	if (err->hint[0])
		strbuf_addf(b, " (%s)", err->hint);
}

static int load(struct metric_lib *lib, const char *text, struct strbuf *problems)
{
	strbuf_clear(problems);
	return metric_lib_load(lib, "f", text, includes, NULL, note, problems);
}

/* One HD 620: 24 EUs, 1 GHz for half a second, a quarter of the EU cycles active. */
static const char tiny[] =
	"# a comment\n"
	"include counters\n"
	"set tiny \"A tiny set\"   # another\n"
	"  text \"What it is\"\n"
	"  text \"for.\"\n"
	"  platforms kblgt2 sklgt2\n"
	"  platforms sklgt2 sklgt3\n"
	"  program A7 fpu0::ternary   # kept\n"
	"  program A8 send\n"
	"  config NOA1\n"
	"  group util \"Utilization\" \"% of cycles\"\n"
	"  group power \"Power\"\n"
	"  let EU.active = A7\n"
	"  metric twice\n"
	"    value 2 * eu_active\n"
	"    unit %\n"
	"  metric eu_active\n"
	"    label \"EU \\\"active\\\"\"\n"
	"    unit %\n"
	"    scope EU\n"
	"    group util\n"
	"    value EU.active / eus \\\n"
	"        / CLK\n"
	"    max 100[%]\n"
	"    limit pipe eus \"the EUs\"\n"
	"    flags estimated hidden\n"
	"    needs \"flexible events\"\n"
	"    origin \"by hand\"\n"
	"    text \"one\"\n"
	"    text \"two\"\n"
	"  metric power\n"
	"    unit W\n"
	"    value rate(e)\n"
	"  metric clock\n"
	"    unit MHz\n"
	"    value f\n"
	"    max 2 * f\n"
	"  metric per_joule\n"
	"    unit cycle/J\n"
	"    value rate(EU.active) / power\n"
	"  metric roof\n"
	"    unit GB/s\n"
	"    value peak / 2\n"
	"  metric count\n"
	"    value 3\n"
	"    unit 1\n"
	"  metric unknown\n"
	"    value first(A9x, 1[cycle])\n"
	"    unit cycle\n";

static const struct counter_desc oa_counters[] = { { "CLK", "cycle", 32, COUNTER_CUMULATIVE },
	{ "A7", "cycle", 40, COUNTER_CUMULATIVE } };
static const struct counter_desc other_counters[] = { { "e", "mJ", 32, COUNTER_CUMULATIVE },
	{ "f", "GHz", 32, COUNTER_GAUGE } };
static const struct feed oa = { .name = "oa", .counters = oa_counters, .n_counters = 2 };
static const struct feed other = { .name = "power", .counters = other_counters, .n_counters = 2 };

static void test_tiny_shape(const struct metric_lib *lib)
{
	const struct metric_set *set = metric_lib_find(lib, "tiny", "sklgt3");
	const struct metric *m;
	int pos = 0;

	ok(set && metric_lib_find(lib, "TINY", "kblgt2") == set &&
			!metric_lib_find(lib, "tiny", "x") && metric_lib_find(lib, "tiny", NULL),
		"the set is found by name and platform");
	if (!set)
		return;
	is_int(set->n_platforms, 3, "platforms, each once");
	is_str(set->label, "A tiny set", "label");
	is_str(set->text, "What it is for.", "text");
	is_str(metric_set_directive(set, "program", &pos)->args, "A7 fpu0::ternary",
		"first program directive, kept verbatim");
	is_str(metric_set_directive(set, "program", &pos)->args, "A8 send", "second");
	ok(!metric_set_directive(set, "program", &pos), "no third");
	is_int(set->n_groups, 2, "groups");
	is_str(set->groups[0].subtitle, "% of cycles", "subtitle");
	is_str(set->groups[1].subtitle, "", "no subtitle");
	is_int(set->n_metrics, 7, "metrics; the one with the unknown name is left out");
	is_int(metric_set_index(set, "unknown"), -1, "it is not found");
	is_int(set->n_lets, 1, "lets");
	m = &set->metrics[metric_set_index(set, "eu_active")];
	is_str(m->label, "EU \"active\"", "label with quotes");
	is_str(m->equation, "EU.active / eus / CLK", "equation on two lines");
	is_str(m->ceiling_text, "100[%]", "ceiling");
	is_str(m->text, "one two", "text joined");
	is_str(m->limit.name, "the EUs", "limit: what people call it");
	is_int(m->limit.role, LIMIT_PIPE, "limit: its role");
	is_str(m->limit.word, "eus", "limit: its word");
	is_str(m->scope, "EU", "scope");
	is_str(m->group, "util", "group");
	is_str(m->needs, "flexible events", "needs");
	is_str(m->origin, "by hand", "origin");
	is_int(m->flags, METRIC_ESTIMATED | METRIC_HIDDEN, "flags");
	is_int(m->line, 17, "line");
	is_str(m->file, "f", "file");
	is_str(set->metrics[metric_set_index(set, "count")].unit_text, "",
		"unit 1 is shown as nothing");
}

static void test_tiny_values(const struct metric_lib *lib)
{
	static const struct { const char *name; double want, ceiling; } rows[] = {
		{ "eu_active", 25, 100 }, { "twice", 50, NAN }, { "power", 8, NAN }, { "clock", 900, 1800 }, { "per_joule", 0.75e9, NAN },
		{ "roof", 17, NAN }, { "count", 3, NAN },
	};
	const struct metric_set *set = metric_lib_find(lib, "tiny", "kblgt2");
	const struct feed *feeds[] = { &oa, &other };
	struct sample samples[] = {
		{ .window_ns = 500000000, .values = { 500000000, 3000000000 } },
		{ .window_ns = 250000000, .values = { 2000, 0 } },
	};
	struct device dev = { 0 };
	struct metric_binding b;
	struct value values[8], ceilings[8];

	device_set_const(&dev, "eus", 24);
	device_set_const(&dev, "peak", 30);
	device_set_const(&dev, "peak", 34);
	/* a gauge of 1 GHz; below it becomes 0.9 by another descriptor */
	samples[1].values[1] = 1;
	metric_bind(&b, set, &dev, feeds, 2);
	metric_eval(&b, samples, values, ceilings);
	is_near(values[metric_set_index(set, "clock")].v, 1000, 1e-9,
		"the source's own unit counts: 1 GHz is 1000 MHz");
	samples[1].values[1] = 900;
	metric_unbind(&b);
	{
		static const struct counter_desc mhz[] = { { "e", "mJ", 32, COUNTER_CUMULATIVE },
			{ "f", "MHz", 32, COUNTER_GAUGE } };
		const struct feed feed = { .name = "power", .counters = mhz, .n_counters = 2 };

		feeds[1] = &feed;
		metric_bind(&b, set, &dev, feeds, 2);
		metric_eval(&b, samples, values, ceilings);
		for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
			int m = metric_set_index(set, rows[i].name);

			is_near(values[m].v, rows[i].want, fabs(rows[i].want) * 1e-12,
				"value of %s", rows[i].name);
			is_near(ceilings[m].v, rows[i].ceiling, 1e-9, "ceiling of %s",
				rows[i].name);
		}
		metric_unbind(&b);
	}
	metric_unbind(&b);
}

/* A bound rests on what the device is known to reach, also through other metrics. */
static void test_bounds(void)
{
	static const char text[] = "include counters\nset bounds\n  platforms x\n"
				   "  metric computed\n    unit cycle/s\n    value rate(CLK)\n"
				   "  metric roof\n    unit GB/s\n    value peak / 2 * eus\n"
				   "  metric half\n    unit GB/s\n    value min(roof, 2 * peak)\n";
	struct device dev = { 0 };
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };
	const struct device_const *c;
	const struct metric_set *set;
	const struct metric *m;

	is_int(load(&lib, text, &problems), 0, "bounds: loaded (%s)", strbuf_str(&problems));
	set = metric_lib_find(&lib, "bounds", "x");
	m = set->metrics;
	device_set_const(&dev, "eus", 24);
	ok(!metric_bound_const(set, m[2].value, &dev), "bounds: nothing known, nothing said");
	device_set_roof(&dev, "peak", 30, ROOF_DATA_SHEET, false, "a sheet")->reach = 0.87;
	ok(!metric_bound_const(set, m[0].value, &dev), "bounds: a clock is computed");
	c = metric_bound_const(set, m[2].value, &dev);
	ok(c && c->source == ROOF_DATA_SHEET && !c->uncertain && c->reach > 0.8 &&
			!strcmp(c->origin, "a sheet"),
		"bounds: through another metric");
	device_set_roof(&dev, "eus", 24, ROOF_ASSUMED, true, "a guess");
	c = metric_bound_const(set, m[1].value, &dev);
	ok(c && c->uncertain, "bounds: what is uncertain comes first");
	device_disprove(&dev, "eus");
	c = metric_bound_const(set, m[1].value, &dev);
	ok(c && !strcmp(c->name, "peak"), "bounds: one that was disproved is none");
	metric_lib_release(&lib);
	strbuf_release(&problems);
}

/* Of a chain of metrics, each of which reads the two before it, no question walks every way down. */
static void test_wide_chain(void)
{
	struct strbuf text = { 0 }, problems = { 0 };
	struct metric_lib lib = { 0 };
	struct metric_binding b;
	struct device dev = { 0 };
	const struct feed *feeds[] = { &oa };
	struct value values[64], ceilings[64];
	struct sample sample = { .window_ns = 1, .values = { 1, 1 } };

	strbuf_add(&text, "include counters\nset s\nplatforms p\nmetric m0\nunit cycle\nvalue A7\n"
		"metric m1\nunit cycle\nvalue CLK * eus\n");
	for (int i = 2; i < 60; i++)
		strbuf_addf(&text, "metric m%d\nunit cycle\nvalue m%d + m%d\n", i, i - 1, i - 2);
	strbuf_add(&text, "metric far\nunit ns\nvalue 1e300[s]\n");
	is_int(load(&lib, strbuf_str(&text), &problems), 0, "chain: loaded (%s)",
		strbuf_str(&problems));
	const struct metric_set *set = lib.sets[0];
	device_set_roof(&dev, "eus", 24, ROOF_ASSUMED, true, "a guess");
	metric_bind(&b, set, &dev, feeds, 1);
	ok(metric_bound_const(set, set->metrics[59].value, &dev) == device_const(&dev, "eus"),
		"chain: it rests on the constant at its end");
	is_int(metric_feeds(&b, 59), 1, "chain: and on one source");
	ok(metric_is_amount(&b, 59), "chain: it is an amount, as what it adds up");
	metric_eval(&b, &sample, values, ceilings);
	is_int(values[60].why, WHY_OUT_OF_RANGE, "no number is beyond all numbers in its unit");
	metric_unbind(&b);
	metric_lib_release(&lib);
	strbuf_release(&text);
	strbuf_release(&problems);
}

#define LONG_CHAIN 999	/* a set has at most 1000 metrics */

/* Metrics that read each other one after the other, and what is asked of the last one. Sets *good. */
static void *ask_chain(void *good)
{
	struct strbuf text = { 0 }, problems = { 0 };
	struct metric_lib lib = { 0 };
	struct metric_binding b;
	struct device dev = { 0 };
	const struct feed *feeds[] = { &oa };
	struct value values[LONG_CHAIN], ceilings[LONG_CHAIN];
	struct sample sample = { .window_ns = 1, .values = { 1, 1 } };

	strbuf_add(&text, "include counters\nset s\nplatforms p\n");
	for (int i = LONG_CHAIN - 1; i > 0; i--)
		strbuf_addf(&text, "metric m%d\nunit cycle\nvalue m%d + A7\n%s", i, i - 1,
			i == LONG_CHAIN - 1 ? "max 100[cycle]\nlimit empty it\n" : "");
	strbuf_add(&text, "metric m0\nunit cycle\nvalue A7 * eus\n");
	*(bool *)good = load(&lib, strbuf_str(&text), &problems) == 0;
	if (problems.len)
		diag("%s", strbuf_str(&problems));
	device_set_roof(&dev, "eus", 24, ROOF_ASSUMED, true, "a guess");
	int last = 0;
	metric_bind(&b, lib.sets[0], &dev, feeds, 1);
	*(bool *)good &= metric_bound_const(lib.sets[0], lib.sets[0]->metrics[last].value, &dev) == device_const(&dev, "eus") &&
		metric_feeds(&b, last) == 1 && metric_is_amount(&b, last) && !metric_has_no_mean(&b, last);
	metric_eval(&b, &sample, values, ceilings);
	*(bool *)good &= values[last].v > LONG_CHAIN;
	metric_unbind(&b);
	metric_lib_release(&lib);
	strbuf_release(&text);
	strbuf_release(&problems);
	return NULL;
}

/* As long a chain as a set can have takes little of the stack. */
static void test_long_chain(void)
{
	pthread_attr_t a;
	pthread_t t;
	bool good = false;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 512 * 1024);
	if (pthread_create(&t, &a, ask_chain, &good) == 0)
		pthread_join(t, NULL);
	pthread_attr_destroy(&a);
	ok(good, "a chain of %d metrics, the last one first, is asked in 512 KiB", LONG_CHAIN);
}

static void test_reasons(const struct metric_lib *lib)
{
	static const struct counter_desc wrong[] = { { "e", "MHz", 32, COUNTER_CUMULATIVE },
		{ "f", "MHz", 32, COUNTER_CUMULATIVE } };
	static const struct counter_desc gauge[] = { { "e", "uJ", 32, COUNTER_GAUGE },
		{ "f", "MHz", 32, COUNTER_GAUGE } };
	const struct feed wrong_feed = { .name = "x", .counters = wrong, .n_counters = 2 };
	const struct feed gauge_feed = { .name = "x", .counters = gauge, .n_counters = 2 };
	const struct {
		const char *what;
		const struct feed *feed;
		enum why sample_why;
		int64_t window_ns;
		const char *metric;
		enum why want;
	} rows[] = {
		{ "no device constant", &oa, WHY_OK, 1, "eu_active", WHY_UNKNOWN_CONST },
		{ "no such feed", &oa, WHY_OK, 1, "power", WHY_NO_SOURCE },
		{ "the source has no data", &other, WHY_PERMISSION, 1, "power", WHY_PERMISSION },
		{ "what depends on it", &other, WHY_PERMISSION, 1, "per_joule", WHY_NO_SOURCE },
		{ "an empty window", &other, WHY_OK, 0, "power", WHY_DIV_ZERO },
		{ "a counter of another dimension", &wrong_feed, WHY_OK, 1, "power", WHY_UNSUPPORTED },
		{ "a rate of what is a gauge here", &gauge_feed, WHY_OK, 1, "power", WHY_UNSUPPORTED },
		{ "no ceiling", &oa, WHY_OK, 1, "count", WHY_OK },
	};
	const struct metric_set *set = metric_lib_find(lib, "tiny", "kblgt2");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct sample sample = { .why = rows[i].sample_why,
			.window_ns = rows[i].window_ns,
			.values = { 5, 5 } };
		struct device dev = { 0 };
		struct value values[8], ceilings[8];
		struct metric_binding b;
		int m = metric_set_index(set, rows[i].metric);

		metric_bind(&b, set, &dev, &rows[i].feed, 1);
		metric_eval(&b, &sample, values, ceilings);
		is_str(why_name(values[m].why), why_name(rows[i].want), "%s", rows[i].what);
		is_str(why_name(ceilings[metric_set_index(set, "count")].why), "unsupported",
			"a ceiling that is not there has a reason");
		metric_unbind(&b);
	}
}

static void test_problems(void)
{
	static const struct { const char *text; const char *want;
	} rows[] = {
		{ "", "" },
		{ HEAD "metric a\nvalue 1\n", "" },
		{ "metrik a", "f:1:1: unknown statement 'metrik' (did you mean 'metric'?)" },
		{ "  xyzzy a", "f:1:3: unknown statement 'xyzzy' (rooftop-metrics(5) has all statements)" },
		{ "\"text\"", "f:1:1: a statement starts with a word, not with a text" },
		{ "set", "f:1:4: the name of the set is missing here" },
		{ "set a234567890123456789012345678901234567890123456789012345678901234",
			"f:1:1: the name of a set has at most 63 bytes" },
		{ "set x y\nmetric a\nvalue 1 +",
			"f:1:7: a text in double quotes is missing here\n"
			"f:3:10: a number or a name is missing at the end" },
		{ "set x \"X\" y", "f:1:11: nothing more is expected on this line" },
		{ "set x \"X", "f:1:7: the closing '\"' is missing" },
		{ "set x\nmetric a\nvalue 1",
			"f:1:1: set 'x' names no platforms, so no device can use it" },
		{ "platforms p",
			"f:1:1: this belongs to a set: a line 'set NAME' must come first" },
		{ "set x\nplatforms p\nplatforms",
			"f:3:10: the names of platforms are missing here" },
		{ "metric a", "f:1:1: this belongs to a set: a line 'set NAME' must come first" },
		{ "let a = 1",
			"f:1:1: this belongs to a set: a line 'set NAME' must come first" },
		{ "program A7 x",
			"f:1:1: this belongs to a set: a line 'set NAME' must come first" },
		{ "group g \"G\"",
			"f:1:1: this belongs to a set: a line 'set NAME' must come first" },
		{ HEAD "label \"x\"",
			"f:3:1: 'label' belongs to a metric: a line 'metric NAME' must come "
			"first" },
		{ HEAD "group g \"G\"\ntext \"x\"",
			"f:4:1: 'text' belongs to a set or a metric and must follow its lines" },
		{ HEAD "group g", "f:3:8: a text in double quotes is missing here" },
		{ HEAD "group g \"G\"\ngroup g \"H\"",
			"f:4:1: there is a group 'g' in this set already" },
		{ HEAD "metric a\nvalue 1\ngroup g", "f:5:1: there is no group 'g' in this set" },
		{ HEAD "metric", "f:3:7: a name is missing here" },
		{ HEAD "metric 1a\nvalue 1",
			"f:3:8: '1a' is not a name: letters, digits, '_' and '.', at most 63" },
		{ HEAD "metric a b\nvalue 1", "f:3:10: nothing more is expected on this line" },
		{ HEAD "metric a\nlabel \"x\"", "f:3:1: metric 'a' has no value" },
		{ HEAD "metric a\nvalue 1\nformerly", "f:5:9: a name is missing here" },
		{ HEAD "metric a\nvalue 1\nformerly b", "f:5:11: the release that has renamed it is missing here" },
		{ HEAD "metric a\nvalue 1\nformerly b soon", "f:5:12: 'soon' is no release, such as 0.2" },
		{ HEAD "program A7 x\nprogram A77 x\nprogram A7 y",
			"f:5:9: 'A7' is programmed twice" },
		{ HEAD "metric a\nvalue 1\nvalue 2", "f:5:1: 'value' is given twice" },
		{ HEAD "metric a\nvalue 1\nmetric a\nvalue 2",
			"f:5:8: the name 'a' is taken already" },
		{ HEAD "metric a\nvalue 1\nlet a = 2", "f:5:5: the name 'a' is taken already" },
		{ HEAD "let a = 1\nlet a = 2", "f:4:5: the name 'a' is taken already" },
		{ HEAD "let a 1", "f:3:7: '=' is missing here" },
		{ HEAD "let a = ", "f:3:9: a number or a name is missing at the end" },
		{ HEAD "metric a\nvalue 1 + b", "f:4:11: unknown name 'b'" },
		{ HEAD "metric a\n   value 1 \\\n  + b", "f:5:5: unknown name 'b'" },
		{ HEAD "metric eu_active\nvalue 1\nmetric a\nvalue eu_actve",
			"f:6:7: unknown name 'eu_actve' (did you mean 'eu_active'?)" },
		{ COUNTERS HEAD "metric a\nunit cycle\nvalue A8",
			"f:8:7: unknown name 'A8' (did you mean 'A7'?)" },
		{ COUNTERS HEAD "metric a\nunit %\nvalue A7",
			"f:8:7: the equation gives cycle, the unit of the metric is 1" },
		{ COUNTERS HEAD "metric a\nunit %\nvalue A7 / CLK\nmax CLK",
			"f:9:5: the equation gives cycle, the unit of the metric is 1" },
		{ COUNTERS HEAD "metric a\nunit %\nvalue A7 / CLK\nmax 1 +",
			"f:9:8: a number or a name is missing at the end" },
		{ COUNTERS HEAD "metric a\nunit cycle/s\nvalue rate(A7 * CLK)",
			"f:8:15: rate() takes sums of counters and constant multiples of them "
			"only" },
		{ COUNTERS HEAD "metric a\nunit cycle/s\nvalue rate(A7 * eus)", "" },
		{ "gauge g 1\n" HEAD "metric a\nunit 1/s\nvalue rate(g)",
			"f:6:12: 'g' is a gauge and has no rate" },
		{ HEAD "metric b\nvalue 1\nmetric a\nunit 1/s\nvalue rate(b)",
			"f:7:12: 'b' is a metric; rate() needs cumulative counters" },
		{ HEAD "metric a\nvalue 1\nunit bogus", "f:5:6: unknown unit 'bogus'" },
		{ HEAD "metric a\nvalue 1\nunit", "f:5:5: a unit is missing here" },
		{ HEAD "metric a\nvalue 1\nscope gpu",
			"f:5:7: unknown scope 'gpu' (known are device, slice, subslice, EU, core, "
			"engine and instance)" },
		{ HEAD "metric a\nvalue 1\nflags hidden odd",
			"f:5:14: unknown flag 'odd' (known are estimated, hidden, integer and total)" },
		{ HEAD "metric a\nvalue 1\nlimit", "f:5:6: what it is to the limits is missing here" },
		{ HEAD "metric a\nvalue 1\nlimit odd x", "f:5:7: unknown part of the limits 'odd'" },
		{ HEAD "metric a\nvalue 1\nlimit pipe", "f:5:11: a name is missing here" },
		{ HEAD "metric a\nvalue 1\nlimit pipe a_name_that_is_too_long",
			"f:5:12: the name is longer than 19 bytes" },
		{ HEAD "metric a\nvalue 1\nlimit pipe x odd",
			"f:5:14: unknown option 'odd' (known are before, behind, of, from, fixed, one-sided, shared, "
			"while-busy and while-awake)" },
		{ HEAD "metric a\nvalue 1\nlimit level x before", "f:5:21: a level of memory is missing here" },
		{ HEAD "metric a\nvalue 1\nlimit pipe x from 0", "f:5:19: '0' is not a number of percent" },
		{ HEAD "metric a\nvalue 1\nlimit cause x from 2 \"no place\"",
			"f:5:7: a cause needs 'from NUMBER' and a sentence with %s for the value" },
		{ HEAD "metric a\nvalue 1\nlimit cause x from 2 \"%s and %s\"",
			"f:5:7: a cause needs 'from NUMBER' and a sentence with %s for the value" },
		{ HEAD "metric a\nvalue 1\nlimit cause x from 2 \"%d\"",
			"f:5:7: a cause needs 'from NUMBER' and a sentence with %s for the value" },
		{ HEAD "metric a\nvalue 1\nlimit cause x \"%s\"",
			"f:5:7: a cause needs 'from NUMBER' and a sentence with %s for the value" },
		{ HEAD "metric a\nvalue 1\nlimit cause x from -2 \"%s\"",
			"f:5:20: '-2' is not a number above zero" },
		{ HEAD "metric a\nvalue 1\nlimit cause x of", "f:5:17: a resource is missing here" },
		{ HEAD "metric a\nvalue most(b)\n", "f:4:7: most() needs a metric with a scope, which 'b' is not" },
		{ HEAD "metric a\nvalue most( b)\n", "f:4:7: most() takes the name of one metric, without blanks" },
		{ HEAD "metric a\nvalue most(a)\n", "f:4:7: most() needs a metric with a scope, which 'a' is not" },
		{ HEAD "metric a\nvalue 1\nlimit pipe x from 9z", "f:5:19: '9z' is not a number of percent" },
		{ HEAD "metric a\nvalue 1\nlimit busy \"X\" y",
			"f:5:16: nothing more is expected on this line" },
		{ "order a", "f:1:1: this belongs to a set: a line 'set NAME' must come first" },
		{ HEAD "order nobody has these\nmetric a\nvalue 1", "" },
		{ HEAD "metric a\nvalue 1\nlabel x",
			"f:5:7: a text in double quotes is missing here" },
		{ HEAD "metric a\nvalue 1\nlabel \"x\" y",
			"f:5:11: nothing more is expected on this line" },
		{ HEAD "metric a\nvalue 1\nlabel \"\033[2J\"",
			"f:5:8: there is a control character in this line" },
		{ "counter", "f:1:8: a name is missing here" },
		{ "counter A7", "f:1:11: a unit is missing here" },
		{ "counter A7 furlong", "f:1:12: unknown unit 'furlong'" },
		{ "counter A7 cycle x", "f:1:18: a text in double quotes is missing here" },
		{ "counter A7 cycle\ncounter A7 cycle", "f:2:1: the name 'A7' is taken already" },
		{ COUNTERS HEAD "metric A7\nvalue 1", "f:6:8: the name 'A7' is taken already" },
		{ "counter a2345678901234567890123456789012345678901234567890 1",
			"f:1:9: 'a2345678901234567890123456789012345678901234567890' is not a "
			"name: letters, digits, '_' and '.', at most 47" },
		{ "include", "f:1:8: the name of a file is missing here" },
		{ "include nowhere", "f:1:1: there is no file 'nowhere' to include" },
		{ "include f", "f:1:1: 'f' includes itself" },
		{ "include loop", "loop2:1:1: 'loop' includes itself" },
		{ "include d1", "d8:1:1: files include each other more than 8 deep" },
		{ "include d2", "" },
		{ "\n\ninclude \"bad\"",
			"bad:2:3: unknown statement 'metrik' (did you mean 'metric'?)" },
		{ HEAD "metric a\nvalue a",
			"f:3:1: metric 'a' needs itself, by way of what its equation reads" },
		{ HEAD "metric a\nvalue b\nmetric b\nvalue c + 1\nmetric c\nvalue a\nmetric "
		       "d\nvalue 1",
			"f:3:1: metric 'a' needs itself, by way of what its equation reads\n"
			"f:8:7: metric 'a' has an error of its own\n"
			"f:6:7: metric 'c' has an error of its own" },
		{ HEAD "metric a\nvalue b\nmetric b\nvalue +\nmetric d\nvalue 1",
			"f:6:7: a number or a name is expected here, not '+'\nf:4:7: metric 'b' "
			"has an error of its own" },
		{ HEAD "let x = y\nlet y = x\nmetric a\nvalue x",
			"f:4:9: 'x' needs itself\nf:3:9: 'y' has an error of its own\n"
			"f:6:7: 'x' has an error of its own" },
		{ HEAD "let x = 1 + 1[B]", "f:3:11: the operands of '+' differ in unit: 1 and B" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric_lib lib = { 0 };
		struct strbuf problems = { 0 };
		int n = load(&lib, rows[i].text, &problems);
		int lines = 0;

		is_str(strbuf_str(&problems), rows[i].want, "problems of row %zu: %s", i,
			rows[i].text);
		for (const char *s = rows[i].want; *s; s++)
			lines += *s == '\n';
		is_int(n, rows[i].want[0] ? lines + 1 : 0, "their number");
		metric_lib_release(&lib);
		strbuf_release(&problems);
	}
}

/* What is right in a file with a mistake still works. */
/* A counter that a platform of the set does not have is refused where it is read. */
static void test_platforms(void)
{
	static const struct {
		const char *platforms, *problem;
	} rows[] = {
		{ "p", "" }, { "p r", "" }, { "q", "f:8:7: 'X' is no counter of q" },
		{ "p q", "f:8:7: 'X' is no counter of q" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric_lib lib = { 0 };
		struct strbuf text = { 0 }, problems = { 0 };

		strbuf_addf(&text, "for p r\ncounter X 1\nfor\ncounter Y 1\nset s\nplatforms %s\nmetric m\nvalue X\nmetric n\nvalue Y\n",
			rows[i].platforms);
		load(&lib, strbuf_str(&text), &problems);
		is_str(strbuf_str(&problems), rows[i].problem, "a set for %s", rows[i].platforms);
		metric_lib_release(&lib);
		strbuf_release(&text);
		strbuf_release(&problems);
	}
}

static void test_rest_works(void)
{
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };
	const struct metric_set *set;

	is_int(load(&lib,
		       HEAD "metric a\nvalue 1\nmetric b\nvalue 1 +\nmetric c\nvalue a + 1\nmetric "
			    "d\nvalue b\nset t\nplatforms p\n"
			    "metric e\nvalue 5\n",
		       &problems),
		2, "two problems");
	set = metric_lib_find(&lib, "s", "p");
	ok(set && set->n_metrics == 2 && metric_set_index(set, "a") == 0 &&
			metric_set_index(set, "c") == 1,
		"the other metrics are there");
	set = metric_lib_find(&lib, "t", "p");
	ok(set && set->n_metrics == 1, "and the next set");
	is_int(metric_lib_load(&lib, "f", "metrik", NULL, NULL, NULL, NULL), 1,
		"nobody has to listen to problems");
	is_int(metric_lib_load(&lib, "f", "include x", NULL, NULL, NULL, NULL), 1,
		"nor provide files");
	metric_lib_release(&lib);
	metric_lib_release(NULL);
	strbuf_release(&problems);
}

static void test_override(void)
{
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };
	const struct metric_set *set, *xml;
	struct metric_set *added;

	is_int(load(&lib,
		       HEAD "include metrics\ninclude metrics\ngroup g \"New\"\nmetric m\n label "
			    "\"mine\"\n value 7\n",
		       &problems),
		0, "a metric and a group of an included file may be replaced: %s",
		strbuf_str(&problems));
	set = metric_lib_find(&lib, "s", "p");
	ok(set && set->n_metrics == 2 && set->n_groups == 1, "nothing is there twice");
	is_str(set ? set->groups[0].title : NULL, "New", "the later group wins");
	is_str(set ? set->metrics[0].label : NULL, "mine",
		"the later metric wins, in the same place");
	load(&lib, HEAD "metric z\nvalue 1\n", &problems);
	ok(metric_lib_find(&lib, "s", "p") != set, "the newest set wins");
	is_int(load(&lib, "include counters\ncounter A7 B\n" HEAD "metric a\nunit B\nvalue A7\n",
		       &problems),
		0, "a counter may be replaced: %s", strbuf_str(&problems));
	added = xcalloc(1, sizeof(*added));
	added->name = xstrdup("S");
	added->from_xml = true;
	metric_lib_add(&lib, added);
	ok(metric_lib_find(&lib, "S", NULL) == added && metric_lib_find(&lib, "s", NULL) != added,
		"the exact name is tried first");
	xml = metric_lib_find(&lib, "S", "p");
	ok(xml && xml != added, "a set without platforms fits none");
	metric_lib_release(&lib);
	strbuf_release(&problems);
}

static void test_hostile(void)
{
	struct strbuf text = { 0 }, problems = { 0 };
	struct metric_lib lib = { 0 };
	int part = tap_share() == 1 ? 1 : 8;	/* whatever has no end is seen at this size as well */

	strbuf_add(&text, HEAD "let l0 = 1\n");
	for (int i = 1; i < 40; i++)
		strbuf_addf(&text, "let l%d = l%d + l%d\n", i, i - 1, i - 1);
	for (int i = 0; i < 2000 / part; i++)
		strbuf_addf(&text, "metric m%d\nvalue l%d + m%d\n", i, part > 1 ? 5 : 10, i + 1);
	ok(load(&lib, strbuf_str(&text), &problems) > 200,
		"doubling parts and a long chain of metrics are refused");
	ok(strstr(strbuf_str(&problems), "too many problems") != NULL, "and not told without end");
	metric_lib_release(&lib);
	strbuf_clear(&text);
	strbuf_add(&text, HEAD);
	for (int i = 0; i < 200 / part; i++)
		strbuf_addf(&text, "metric a%d\nvalue b%d\nmetric b%d\nvalue a%d\n", i, i, i, i);
	ok(load(&lib, strbuf_str(&text), &problems) > 16, "many cycles end");
	is_int(lib.sets[0]->n_metrics, 0, "with nothing left");
	metric_lib_release(&lib);
	strbuf_clear(&text);
	for (int i = 0; i < 500; i++)
		strbuf_add(&text, "include metrics\n");
	for (int i = 0; i < 100000 / part; i++)
		strbuf_add(&text, "counter a 1\n");
	ok(load(&lib, strbuf_str(&text), &problems) > 0, "a very long file ends");
	metric_lib_release(&lib);
	strbuf_release(&text);
	strbuf_release(&problems);
}

static void test_heads(void)
{
	static const char three[] =
		"include counters\nset s \"S\"\ntext \"First.\"\nplatforms p\nguid abc\nplatforms "
		"q\nmetric a\ntext \"not the set\"\nvalue 1\n"
		"set t\nplatforms r\nplatforms s\ninclude nowhere\nmetric a\nvalue 1 +\n"
		"set u\nplatforms q\ncells EU here\ncell one A7\nmetric b\nunit cycle\nvalue A7\n";
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };
	const struct metric_set *set, *second;
	int pos = 0;

	is_int(metric_lib_load_heads(&lib, "f", three, "q", note, &problems), 0,
		"bodies are not looked at: %s", strbuf_str(&problems));
	set = metric_lib_find(&lib, "s", "p");
	second = metric_lib_find(&lib, "u", "q");
	if (!ok(lib.n_sets == 2 && set && second, "the sets of the platform are there"))
		return;
	ok(set->is_head && !set->n_metrics && !set->n_inputs && !strcmp(set->label, "S") &&
			!strcmp(set->text, "First."),
		"their heads are");
	ok(metric_set_directive(set, "guid", &pos) && !set->n_cells && second->n_cells == 1,
		"with what is looked for in them");
	is_int(metric_lib_load_body(&lib, set, three, includes, NULL, note, &problems), 0,
		"a body is read when it is wanted");
	ok(metric_lib_find(&lib, "s", "p") == set && !set->is_head && set->n_metrics == 1 &&
			set->n_platforms == 2,
		"in its place");
	ok(lib.n_sets == 2 && second->is_head && !strcmp(set->text, "First."), "alone");
	is_int(metric_lib_load_body(&lib, second, three, includes, NULL, note, &problems), 0,
		"another one, with counters declared before");
	ok(second->n_metrics == 1 && second->n_inputs == 1 && second->cells[0].n_cells == 1,
		"is whole too: %s", strbuf_str(&problems));
	metric_lib_release(&lib);
	is_int(metric_lib_load_heads(&lib, "f", three, NULL, note, &problems), 0,
		"heads of all platforms");
	set = metric_lib_find(&lib, "t", "s");
	ok(lib.n_sets == 3 && set, "are all of them");
	is_int(set ? metric_lib_load_body(&lib, set, three, includes, NULL, note, &problems) : -1,
		2, "a bad body has its problems");
	ok(strstr(strbuf_str(&problems), "f:13:") != NULL, "at their places: %s",
		strbuf_str(&problems));
	ok(set && !set->is_head && !set->n_metrics, "what is left is a set");
	metric_lib_release(&lib);
	strbuf_release(&problems);
}

/* Sets made from XML: exact integers above 2^53 through another metric, aliases of the clocks,
 * PERFCNT. */
static struct metric_set *make_xml_set(void)
{
	static const struct { const char *name; enum metric_input_kind kind; } inputs[] = {
		{ "A7", INPUT_COUNTER }, { "GPU_TIME", INPUT_COUNTER }, { "GPU_CLOCK", INPUT_COUNTER }, { "PERFCNT0", INPUT_COUNTER },
		{ "EuCoresTotalCount", INPUT_CONST }, { "A7Twice", INPUT_METRIC },
	};
	struct metric_set *set = xcalloc(1, sizeof(*set));

	set->name = xstrdup("X");
	set->from_xml = true;
	set->n_inputs = (int)ARRAY_LEN(inputs);
	set->inputs = xcalloc(ARRAY_LEN(inputs), sizeof(*set->inputs));
	for (size_t i = 0; i < ARRAY_LEN(inputs); i++) {
		set->inputs[i] = (struct metric_input){
			.name = xstrdup(inputs[i].name),
			.kind = inputs[i].kind,
			.metric = inputs[i].kind == INPUT_METRIC ? 1 : -1,
			.unit_text = xstrdup(""),
			.unit = unit_one(),
			.text = xstrdup(""),
		};
	}
	return set;
}

static bool by_input_name(void *ctx, const char *name, size_t len, bool rate,
	struct expr_symbol *out, struct err *err)
{
	const struct metric_set *set = ctx;

	(void)rate;
	if (*name == '$') {
		name++;
		len--;
	}
	for (out->index = 0; out->index < set->n_inputs; out->index++) {
		const char *known = set->inputs[out->index].name;

		if (strlen(known) == len && !memcmp(known, name, len))
			return true;
	}
	return err_set(err, ERR_PARSE, "unknown");
}

static void test_xml_set(void)
{
	static const struct { const char *name, *equation; bool is_float; double want; } rows[] = {
		{ "Minus", "$A7Twice 18014398509481984 USUB", false, 2 },
		{ "A7Twice", "A 7 READ 2 UMUL", false, 18014398509481986.0 },
		{ "Time", "GPU_TIME 0 READ GPU_CLOCK 0 READ UADD", false, 30 },
		{ "Perf", "PERFCNT 0 READ 1 UADD", false, 1 },
		{ "PerEu", "GPU_CLOCK 0 READ $EuCoresTotalCount UDIV", false, 0 },
	};
	static const struct counter_desc desc[] = {
		{ "TIMESTAMP", "tick", 32, COUNTER_CUMULATIVE }, { "GPU_TICKS", "kcycle", 32, COUNTER_CUMULATIVE },
		{ "A7", "cycle", 40, COUNTER_CUMULATIVE },
	};
	const struct feed feed = { .name = "oa", .counters = desc, .n_counters = 3 };
	const struct feed *feeds[] = { &feed };
	struct sample sample = { .window_ns = 1, .values = { 10, 20, UINT64_C(9007199254740993) } };
	struct metric_set *set = make_xml_set();
	struct expr_scope scope = {
		.lookup = by_input_name, .ctx = set, .file = "x", .line = 1, .column = 1
	};
	struct device dev = { 0 };
	struct metric_binding b;
	struct value values[5], ceilings[5];
	int cycle = -1;

	device_set_const(&dev, "EuCoresTotalCount", 24);
	set->n_metrics = (int)ARRAY_LEN(rows);
	set->metrics = xcalloc(ARRAY_LEN(rows), sizeof(*set->metrics));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		set->metrics[i].name = xstrdup(rows[i].name);
		set->metrics[i].value = expr_compile_rpn(
			rows[i].equation, &scope, rows[i].is_float, NULL);
	}
	ok(metric_set_order(set, &cycle) && set->eval_order[0] == 1, "what is needed comes first");
	metric_bind(&b, set, &dev, feeds, 1);
	metric_eval(&b, &sample, values, ceilings);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_near(values[i].v, rows[i].want, 0, "%s: %s", rows[i].name, rows[i].equation);
	ok(b.inputs[5].is_int && b.inputs[5].u == UINT64_C(18014398509481986),
		"integers go from metric to metric exactly");
	metric_unbind(&b);
	metric_set_free(set);
	metric_set_free(NULL);
}

/* What reads an estimated counter is an estimate, and what reads that; on another device it is none. */
static void test_estimates(void)
{
	static const char text[] = HEAD COUNTERS
		"metric ceiling\nvalue 1[cycle]\nunit cycle\nmax A7\nmetric of_metric\nvalue 2 * most_of\nunit cycle\nmetric most_of\nvalue first(A7, CLK)\nunit cycle\n"
		"metric per_s\nvalue rate(A7)\nunit cycle/s\nmetric other\nvalue CLK\nunit cycle\nmetric written\nvalue CLK\nunit cycle\nflags estimated\n"
		"metric of_written\nvalue written\nunit cycle\n";
	static const bool want[][7] = { { false, true, true, true, false, true, false }, { false, false, false, false, false, true, false } };
	static const struct counter_desc exact[] = { { "CLK", "cycle", 64, COUNTER_CUMULATIVE } },
					 bound[] = { { "A7", "cycle", 64, COUNTER_CUMULATIVE } };
	struct feed clock = { .name = "a", .counters = exact, .n_counters = 1 },
		    bounds = { .name = "b", .counters = bound, .n_counters = 1, .estimated = true };
	const struct feed *feeds[] = { &clock, &bounds };
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };

	is_int(load(&lib, text, &problems), 0, "a set whose counters may be estimates is read: %s", strbuf_str(&problems));
	struct metric_set *set = lib.sets[0];
	for (int round = 0; round < 2; round++) {
		bounds.estimated = round == 0;
		metric_set_estimate(set, feeds, 2);
		for (int i = 0; i < set->n_metrics; i++)
			ok(!(set->metrics[i].flags & METRIC_ESTIMATED) == !want[round][i], "device %d: %s", round, set->metrics[i].name);
	}
	metric_lib_release(&lib);
	strbuf_release(&problems);
}

/* Ranks follow the lines "order", and a group may name the pane of another one. */
static void test_first_screen(void)
{
	static const char text[] = HEAD "group g \"G\" \"s\" flops\norder c none a\norder b\n"
					"metric a\nvalue 1\ngroup g\n"
					"metric b\nvalue 1\nmetric c\nvalue 1\n"
					"metric d\nvalue 1\n";
	static const int ranks[] = { 3, 4, 1, 0 };
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };

	is_int(load(&lib, text, &problems), 0, "order is read");
	const struct metric_set *set = lib.sets[0];
	for (int i = 0; i < 4; i++)
		is_int(set->metrics[i].rank, ranks[i], "rank of %s", set->metrics[i].name);
	is_str(set->groups[0].pane, "flops", "the pane of a group");
	metric_lib_release(&lib);
	strbuf_release(&problems);
}

/* A metric that was renamed: who knows the old name reads the same number. */
static void test_old_names(void)
{
	static const char text[] = HEAD "metric now\nvalue 3\nunit 1\nflags integer\nformerly before 0.2\n"
					"metric reads\nvalue before * 2\nunit 1\n"
					"metric taken\nvalue 5\nunit 1\nmetric other\nvalue 7\nunit 1\nformerly taken 0.2\n";
	static const struct { const char *name; double want; unsigned flags; } rows[] = {
		{ "now", 3, METRIC_INTEGER },
		{ "before", 3, METRIC_INTEGER | METRIC_HIDDEN | METRIC_OLD_NAME },
		{ "reads", 6, 0 },
		{ "taken", 5, 0 },
		{ "other", 7, 0 },
	};
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };
	struct device dev = { 0 };
	struct metric_binding b;
	struct value values[8], ceilings[8];

	is_int(load(&lib, text, &problems), 0, "old names: loaded (%s)", strbuf_str(&problems));
	const struct metric_set *set = metric_lib_find(&lib, "s", "p");
	is_int(set->n_metrics, ARRAY_LEN(rows), "one metric more for each old name that is free");
	metric_bind(&b, set, &dev, NULL, 0);
	metric_eval(&b, NULL, values, ceilings);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int m = metric_set_index(set, rows[i].name);

		if (!ok(m >= 0, "there is a metric %s", rows[i].name))
			continue;
		is_near(values[m].v, rows[i].want, 0, "its value");
		is_int(set->metrics[m].flags, rows[i].flags, "its flags");
	}
	metric_unbind(&b);
	metric_lib_release(&lib);
	strbuf_release(&problems);
}

int main(void)
{
	test_old_names();
	test_first_screen();
	test_estimates();
	struct metric_lib lib = { 0 };
	struct strbuf problems = { 0 };

	is_int(load(&lib, tiny, &problems), 1, "the tiny set has one problem");
	is_str(strbuf_str(&problems), "f:48:17: unknown name 'A9x'", "the unknown name");
	test_tiny_shape(&lib);
	test_tiny_values(&lib);
	test_bounds();
	test_wide_chain();
	test_long_chain();
	test_reasons(&lib);
	test_problems();
	test_platforms();
	test_rest_works();
	test_override();
	test_heads();
	test_hostile();
	test_xml_set();
	metric_lib_release(&lib);
	strbuf_release(&problems);
	return done_testing();
}
