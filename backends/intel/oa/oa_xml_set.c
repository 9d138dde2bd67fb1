/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the XML of one metric set into a metric set: inputs, equations, panes, registers. */
#include "config.h"

#include "backends/intel/oa/oa_xml.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/metric/metric_extend.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "base/strbuf.h"

#define NAME_SIZE 64
#define MAX_NESTING 64		/* counters that name counters and so on; Intel has 3 */
#define BANK_COUNTERS 64

/* What the equations call the banks, and what we call their counters. */
static const struct bank { const char *xml, *ours; } banks[] = {
	{ "A", "A" }, { "B", "B" }, { "C", "C" }, { "PEC", "P" }, { "MPEC", "M" }, { "PERFCNT", "PERFCNT" },
};
static const struct clock_name { const char *xml, *ours, *unit; } clocks[] = {
	{ "GPU_TIME", "TIMESTAMP", "tick" }, { "GPU_CLOCK", "GPU_TICKS", "cycle" },
};

enum counter_state { COUNTER_NEW, COUNTER_BUSY, COUNTER_GOOD, COUNTER_BAD };

struct counter {
	enum counter_state state;
	int input;		/* the input that hands it to others; -1: none */
	int metric;		/* its index in the finished set */
	struct expr *value, *ceiling;
};

struct builder {
	const struct xml_set *x;
	struct xml_problems *problems;
	struct metric_set *set;
	struct counter *counters;
	int *by_symbol;		/* counters in order of their symbols */
	int raw[ARRAY_LEN(banks)][BANK_COUNTERS];	/* inputs; -1: none */
	int clock[ARRAY_LEN(clocks)];
	int constant[XML_VARIABLES];
	int depth;
};

static int add_counter(struct builder *b, const char *name, const char *unit)
{
	int i = metric_set_add_input(b->set, INPUT_COUNTER, name, -1, unit);

	if (strchr("ABC", *name) && isdigit((unsigned char)name[1]))
		b->set->inputs[i].block = xasprintf("%c counters", *name);
	return i;
}

static bool unknown(const char *name, size_t len, struct err *err)
{
	return err_set(err, ERR_PARSE, "unknown name '%.*s'", (int)min_u64(len, 60), name);
}

static bool find_raw(struct builder *b, const char *name, size_t len, int *index)
{
	char text[24];
	uint64_t n;

	if (len >= sizeof(text))
		return false;
	memcpy(text, name, len);
	text[len] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
		if (strcmp(text, clocks[i].xml) != 0)
			continue;
		if (b->clock[i] < 0)
			b->clock[i] = add_counter(b, clocks[i].ours, clocks[i].unit);
		*index = b->clock[i];
		return true;
	}
	size_t letters = strcspn(text, "0123456789");
	for (size_t i = 0; i < ARRAY_LEN(banks); i++) {
		char ours[16];

		if (strlen(banks[i].xml) != letters || memcmp(banks[i].xml, text, letters) != 0 ||
		    !parse_u64_range(text + letters, 0, BANK_COUNTERS - 1, &n))
			continue;
		snprintf(ours, sizeof(ours), "%s%u", banks[i].ours, (unsigned)n);
		if (b->raw[i][n] < 0)
			b->raw[i][n] = add_counter(b, ours, "1");
		*index = b->raw[i][n];
		return true;
	}
	return false;
}

/* The counter whose symbol is the name, or -1. The search ends at the first position in by_symbol
 * whose symbol is not before the name. */
static int find_symbol(const struct builder *b, const char *name, size_t len)
{
	int low = 0, high = (int)b->x->n_counters;

	while (low < high) {
		int mid = low + (high - low) / 2, c = b->by_symbol[mid];
		int order = strncmp(b->x->counters[c].symbol, name, len);

		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < (int)b->x->n_counters &&
		!strncmp(b->x->counters[b->by_symbol[low]].symbol, name, len) &&
		!b->x->counters[b->by_symbol[low]].symbol[len])
		return b->by_symbol[low];
	return -1;
}

static bool compile_counter(struct builder *b, int c, struct err *err);

static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	struct builder *b = ctx;
	int variable = xml_variable(name, len), c;
	char snake[NAME_SIZE];

	(void)rate;
	out->unit = unit_one();
	if (variable >= 0) {
		if (b->constant[variable] < 0)
			b->constant[variable] = metric_set_add_input(b->set, INPUT_CONST,
				xml_variable_constant(variable), -1, "1");
		out->index = b->constant[variable];
		return true;
	}
	if (name[0] != '$')
		return find_raw(b, name, len, &out->index) || unknown(name, len, err);
	name++;
	len--;
	c = find_symbol(b, name, len);
	if (c < 0)
		return unknown(name, len, err);
	if (b->counters[c].state == COUNTER_BUSY)
		return err_set(
			err, ERR_PARSE, "'%.*s' needs itself", (int)min_u64(len, 60), name);
	if (!compile_counter(b, c, err))
		return false;
	if (b->counters[c].input < 0)
		b->counters[c].input = metric_set_add_input(b->set, INPUT_METRIC,
			oa_xml_snake_case(b->x->counters[c].symbol, snake, sizeof(snake)), c, "1");
	out->index = b->counters[c].input;
	return true;
}

static struct expr *compile(
	struct builder *b, const char *text, const struct xml_place *at, bool is_float)
{
	struct expr_scope scope = { .lookup = lookup,
		.ctx = b,
		.file = b->problems->file,
		.line = at->line,
		.column = at->column };
	struct err err = { 0 };
	struct expr *e = expr_compile_rpn(text, &scope, is_float, &err);

	if (!e)
		xml_problem_err(b->problems, &err);
	return e;
}

/* Compiles a counter, and before it the counters that its equation names. A bad one is reported
 * once, where it stands. */
static bool compile_counter(struct builder *b, int c, struct err *err)
{
	const struct xml_counter *x = &b->x->counters[c];
	struct counter *own = &b->counters[c];

	if (own->state == COUNTER_NEW) {
		own->state = COUNTER_BUSY;
		if (b->depth < MAX_NESTING) {
			b->depth++;
			own->value = compile(b, x->equation, &x->equation_at, x->is_float);
			if (own->value && x->max)
				own->ceiling = compile(b, x->max, &x->max_at, x->is_float);
			b->depth--;
		} else {
			xml_problem(b->problems, &x->at, "counter '%.60s' is nested too deeply",
				x->symbol);
		}
		own->state = COUNTER_BAD;
		if (own->value && (own->ceiling || !x->max))
			own->state = COUNTER_GOOD;
	}
	return own->state == COUNTER_GOOD ||
		err_set(err, ERR_PARSE, "'%.60s' has an error of its own", x->symbol);
}

/* Returns NULL for a test that makes no sense, which becomes a problem of the import: every device
 * passes it. */
static const char *checked(struct builder *b, const char *test, const struct xml_place *at)
{
	struct err err = { 0 };

	if (!test || xml_test_check(test, b->problems->file, at, &err))
		return test;
	xml_problem_err(b->problems, &err);
	return NULL;
}

struct named {
	const char *name;
	int index;
};

/* Equal names stay in the order of the file. */
static int compare_names(const void *va, const void *vb)
{
	const struct named *a = va, *b = vb;
	int order = strcmp(a->name, b->name);

	return order ? order : a->index - b->index;
}

/* Marks every counter as bad when an earlier one has the same name. The sorted indices go to out,
 * which may be NULL. */
static void sort_names(struct builder *b, char *const *names, int *out)
{
	size_t n = b->x->n_counters;
	struct named *list = xcalloc(n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++) {
		list[i].name = names[i];
		list[i].index = (int)i;
	}
	qsort(list, n, sizeof(*list), compare_names);
	for (size_t i = 0; i < n; i++) {
		struct counter *c = &b->counters[list[i].index];

		if (out)
			out[i] = list[i].index;
		if (i == 0 || strcmp(list[i].name, list[i - 1].name) != 0 ||
			c->state == COUNTER_BAD)
			continue;
		c->state = COUNTER_BAD;
		xml_problem(b->problems, &b->x->counters[list[i].index].at,
			"counter '%.60s' is there twice", b->x->counters[list[i].index].symbol);
	}
	free(list);
}

static void index_counters(struct builder *b)
{
	size_t n = b->x->n_counters;
	char **symbols = xcalloc(n + 1, sizeof(*symbols)),
	     **snakes = xcalloc(n + 1, sizeof(*snakes));

	for (size_t i = 0; i < n; i++) {
		char snake[NAME_SIZE];

		symbols[i] = b->x->counters[i].symbol;
		snakes[i] = xstrdup(oa_xml_snake_case(symbols[i], snake, sizeof(snake)));
	}
	sort_names(b, snakes, NULL);
	sort_names(b, symbols, b->by_symbol);
	for (size_t i = 0; i < n; i++)
		free(snakes[i]);
	free(snakes);
	free(symbols);
}

/* Intel's words for units, our own words, and the pane. */
static const struct unit_row { const char *xml, *ours, *group; } unit_rows[] = {
	{ "percent", "%", "utilization" }, { "utilization", "%", "utilization" },
	{ "bytes", "B", "bandwidth" }, { "gbps", "GB/s", "bandwidth" },
	{ "ns", "ns", "clocks" }, { "us", "us", "clocks" }, { "hz", "Hz", "clocks" }, { "cycles", "cycle", "clocks" },
	{ "threads", "threads", "counts" }, { "pixels", "pixels", "counts" }, { "texels", "texels", "counts" },
	{ "messages", "messages", "counts" }, { "events", "events", "counts" }, { "number", "1", "counts" },
};

static const struct unit_row *unit_row(const char *xml)
{
	for (size_t i = 0; xml && i < ARRAY_LEN(unit_rows); i++)
		if (!strcmp(unit_rows[i].xml, xml))
			return &unit_rows[i];
	return &unit_rows[ARRAY_LEN(unit_rows) - 1];
}

static const char *scope_of(const char *hw_unit)
{
	static const char *const rows[][2] = {
		{ "slice", "slice" }, { "subslice", "subslice" }, { "dualsubslice", "subslice" }, { "subslice_bank", "subslice" },
		{ "eu", "EU" },
	};

	for (size_t i = 0; hw_unit && i < ARRAY_LEN(rows); i++)
		if (!strcmp(rows[i][0], hw_unit))
			return rows[i][1];
	return "device";
}

/* Returns the description of a counter. It names the unit when we have no word for it. */
static char *text_of(const struct xml_counter *x, const struct unit_row *unit)
{
	const char *text = text_or(x->text, "");

	if (!x->unit || !strcmp(unit->xml, x->unit))
		return xstrdup(text);
	return xasprintf("%s%sCounted in %s.", text, *text ? " " : "", x->unit);
}

static char *label_of(const char *label, const char *symbol)
{
	if (!label || !*label)
		label = symbol;
	return xstrdup(label);
}

/* What Intel's counters say about limits, by their symbol names. */
static const struct {
	const char *symbol;
	struct metric_limit limit;
} limits[] = {
	{ "GpuBusy", { .role = LIMIT_BUSY, .while_awake = true } },
	{ "GPU_BUSY", { .role = LIMIT_BUSY, .while_awake = true } },
	{ "AvgGpuCoreFrequency", { .role = LIMIT_CLOCK } },
	{ "EuActive", { .role = LIMIT_WORKING, .word = "EUs" } },
	{ "EuStall", { .role = LIMIT_WAITING, .word = "EUs" } },
	{ "XveActive", { .role = LIMIT_WORKING, .word = "XVEs" } },
	{ "XveStall", { .role = LIMIT_WAITING, .word = "XVEs" } },
	{ "XVE_ACTIVE", { .role = LIMIT_WORKING, .word = "XVEs" } },
	{ "XVE_STALL", { .role = LIMIT_WAITING, .word = "XVEs" } },
	{ "EuThreadOccupancy", { .role = LIMIT_OCCUPANCY } },
	{ "XveThreadOccupancy", { .role = LIMIT_OCCUPANCY } },
	{ "XVE_THREADS_OCCUPANCY_ALL", { .role = LIMIT_OCCUPANCY } },
	{ "Fpu0Active", { .role = LIMIT_PIPE, .word = "fpu0", .group = "fpu" } },
	{ "Fpu1Active", { .role = LIMIT_PIPE, .word = "fpu1", .group = "fpu" } },
	{ "EuSendActive", { .role = LIMIT_PIPE, .word = "send" } },
	{ "SamplerBottleneck", { .role = LIMIT_PIPE, .word = "sampler" } },
	{ "L3ShaderThroughput", { .role = LIMIT_LEVEL, .word = "l3", .before = "dram" } },
	{ "GtiReadThroughput", { .role = LIMIT_LEVEL, .word = "gti_read", .before = "dram", .behind = "l3" } },
	{ "GtiWriteThroughput", { .role = LIMIT_LEVEL, .word = "gti_write", .before = "dram", .behind = "l3" } },
};

static struct metric_limit limit_of(const char *symbol)
{
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		if (!strcmp(limits[i].symbol, symbol))
			return limits[i].limit;
	}
	return (struct metric_limit){ .role = LIMIT_NONE };
}

static void fill_metric(
	struct builder *b, const struct xml_counter *x, struct counter *c, struct metric *m)
{
	const struct unit_row *unit = unit_row(x->unit);
	const char *available = checked(b, x->availability, &x->availability_at);
	char snake[NAME_SIZE];

	*m = (struct metric){
		.name = xstrdup(oa_xml_snake_case(x->symbol, snake, sizeof(snake))),
		.label = label_of(x->label, x->symbol),
		.text = text_of(x, unit),
		.origin = xasprintf("%s, %s.%s", b->problems->file, b->x->symbol, x->symbol),
		.unit_text = xstrdup(unit->ours),
		.equation = xstrdup(x->equation),
		.scope = xstrdup(scope_of(x->hw_unit)),
		.file = xstrdup(b->problems->file),
		.line = x->at.line,
		.value = c->value,
		.ceiling = c->ceiling,
	};
	if (x->max)
		m->ceiling_text = xstrdup(x->max);
	m->group = xstrdup(unit->group);
	if (available)
		m->available = xstrdup(available);
	if (!x->is_float)
		m->flags |= METRIC_INTEGER;
	m->limit = limit_of(x->symbol);
	if (!unit_parse(m->unit_text, strlen(m->unit_text), &m->unit, NULL))
		m->unit = unit_one();
	c->value = c->ceiling = NULL;
}

/* Metrics stand in the order of the file. */
static void add_metrics(struct builder *b)
{
	struct metric_set *set = b->set;

	set->metrics = xcalloc(b->x->n_counters + 1, sizeof(*set->metrics));
	for (size_t i = 0; i < b->x->n_counters; i++) {
		b->counters[i].metric = -1;
		if (b->counters[i].state != COUNTER_GOOD)
			continue;
		b->counters[i].metric = set->n_metrics;
		fill_metric(
			b, &b->x->counters[i], &b->counters[i], &set->metrics[set->n_metrics++]);
	}
	for (int i = 0; i < set->n_inputs; i++)
		if (set->inputs[i].kind == INPUT_METRIC)
			set->inputs[i].metric = b->counters[set->inputs[i].metric].metric;
}

static void add_groups(struct metric_set *set)
{
	static const char *const groups[][3] = {
		{ "utilization", "Utilization", "%" }, { "bandwidth", "Throughput", "bytes in the window" },
		{ "counts", "Counts", "in the window" }, { "clocks", "Time and clocks", "in the window" },
	};

	set->groups = xcalloc(ARRAY_LEN(groups), sizeof(*set->groups));
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		set->groups[set->n_groups++] = (struct metric_group){
			.name = xstrdup(groups[i][0]),
			.title = xstrdup(groups[i][1]),
			.subtitle = xstrdup(groups[i][2]),
		};
}

/* The sets of some files serve another platform, too. */
static const struct { const char *chipset, *platform; } shared_files[] = { { "bdw", "bdwgt3" } };

static void add_platforms(struct metric_set *set, const char *chipset)
{
	char *name = xstrdup(chipset);

	for (char *p = name; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	set->platforms = xcalloc(1 + ARRAY_LEN(shared_files), sizeof(*set->platforms));
	set->platforms[set->n_platforms++] = name;
	for (size_t i = 0; i < ARRAY_LEN(shared_files); i++)
		if (!strcmp(shared_files[i].chipset, name))
			set->platforms[set->n_platforms++] = xstrdup(shared_files[i].platform);
}

static void add_directive(struct builder *b, const char *key, char *args, int line)
{
	metric_set_direct(b->set, key, args, b->problems->file, line);
}

/* Consecutive writes to one address share a line. */
static void add_block(struct builder *b, const struct xml_block *block)
{
	const char *test = checked(b, block->availability, &block->availability_at);
	struct strbuf line = { 0 };

	add_directive(b, "block",
		xasprintf("%s%s%s", oa_reg_kind_names[block->kind], test ? " " : "",
			text_or(test, "")),
		block->availability_at.line);

	for (size_t i = block->first; i < block->first + block->count; i++) {
		const struct oa_reg *r = &b->x->regs[i];

		if (line.len && (r[-1].address != r->address || line.len > 200))
			add_directive(
				b, "registers", strbuf_take(&line), block->availability_at.line);
		if (!line.len)
			strbuf_addf(&line, "%s %04X", oa_reg_kind_names[block->kind],
				r->address);
		strbuf_addf(&line, " %08X", r->value);
	}
	if (line.len)
		add_directive(b, "registers", strbuf_take(&line), block->availability_at.line);
	strbuf_release(&line);
}

/* Blocks stand in the order in which their kinds are written. */
static void add_registers(struct builder *b)
{
	for (int kind = OA_REG_NOA; kind <= OA_REG_FLEX; kind++)
		for (size_t i = 0; i < b->x->n_blocks; i++)
			if ((int)b->x->blocks[i].kind == kind)
				add_block(b, &b->x->blocks[i]);
	if (b->x->guid && *b->x->guid)
		add_directive(b, "guid", xstrdup(b->x->guid), b->x->at.line);
}

static void add_cells(struct builder *b)
{
	int *metric_of = xcalloc(b->x->n_counters + 1, sizeof(*metric_of));

	for (size_t i = 0; i < b->x->n_counters; i++)
		metric_of[i] = b->counters[i].metric;
	xml_add_cells(b->set, b->x, metric_of);
	free(metric_of);
}

struct metric_set *xml_set_build(const struct xml_set *x, struct xml_problems *problems)
{
	struct builder b = {
		.x = x,
		.problems = problems,
		.set = xcalloc(1, sizeof(*b.set)),
	};

	b.set->from_xml = true;
	b.set->name = xstrdup(x->symbol);
	b.set->label = label_of(x->label, x->symbol);
	b.set->text = xasprintf("Imported from %s.", problems->file);
	b.set->file = xstrdup(problems->file);
	b.counters = xcalloc(x->n_counters + 1, sizeof(*b.counters));
	b.by_symbol = xcalloc(x->n_counters + 1, sizeof(*b.by_symbol));
	memset(b.raw, -1, sizeof(b.raw));
	memset(b.clock, -1, sizeof(b.clock));
	memset(b.constant, -1, sizeof(b.constant));
	index_counters(&b);
	for (size_t i = 0; i < x->n_counters; i++)
		b.counters[i].input = -1;
	for (size_t i = 0; i < x->n_counters; i++)
		compile_counter(&b, (int)i, NULL);
	add_metrics(&b);
	add_groups(b.set);
	add_platforms(b.set, x->chipset);
	add_cells(&b);
	add_registers(&b);
	bool ordered = metric_set_order(b.set, NULL);
	if (ordered)
		metric_set_blocks(b.set);
	else
		xml_problem(
			problems, &x->at, "counters of set '%.60s' need each other", x->symbol);
	for (size_t i = 0; i < x->n_counters; i++) {
		expr_free(b.counters[i].value);
		expr_free(b.counters[i].ceiling);
	}
	free(b.counters);
	free(b.by_symbol);
	return b.set;
}

void xml_set_release(struct xml_set *x)
{
	for (size_t i = 0; i < x->n_counters; i++) {
		struct xml_counter *c = &x->counters[i];
		char *const strings[] = {
			c->symbol,
			c->label,
			c->text,
			c->unit,
			c->semantic,
			c->hw_unit,
			c->equation,
			c->max,
			c->availability,
		};

		for (size_t s = 0; s < ARRAY_LEN(strings); s++)
			free(strings[s]);
	}
	for (size_t i = 0; i < x->n_blocks; i++)
		free(x->blocks[i].availability);
	free(x->counters);
	free(x->blocks);
	free(x->regs);
	free(x->symbol);
	free(x->label);
	free(x->chipset);
	free(x->guid);
	*x = (struct xml_set){ 0 };
}
