/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes metrics of what is asked of blocks, and words of what blocks compare. */
#include "config.h"

#include "backends/intel/oa/oa_ask.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/platform/platform.h"
#include "base/mem.h"

#define NAME_SIZE 64

/* Makes "b6_any_b0_b1" of "B6 any(B0, B1)". Signs become words. */
static void make_name(const char *words, char *name, size_t size)
{
	static const char *const signs[][2] = { { ">=", "ge" }, { "<=", "le" }, { "!=", "ne" },
		{ "==", "eq" }, { ">", "gt" }, { "<", "lt" }, { "=", "eq" }, { "!", "not" } };
	size_t n = 0;

	for (const char *p = words; *p && n + 6 < size;) {
		size_t i = 0;

		while (i < ARRAY_LEN(signs) && strncmp(p, signs[i][0], strlen(signs[i][0])) != 0)
			i++;
		if (i < ARRAY_LEN(signs)) {
			n += (size_t)snprintf(name + n, size - n, "%s%s_",
				n && name[n - 1] != '_' ? "_" : "", signs[i][1]);
			p += strlen(signs[i][0]);
			continue;
		}
		if (isalnum((unsigned char)*p))
			name[n++] = (char)tolower((unsigned char)*p);
		else if (n > 0 && name[n - 1] != '_')
			name[n++] = '_';
		p++;
	}
	while (n > 0 && name[n - 1] == '_')
		n--;
	name[n] = '\0';
}

/* Copies words without blanks, except those that part letters. */
static void squeeze(const char *words, char *out, size_t size)
{
	size_t n = 0;

	for (const char *p = words; *p && n + 1 < size; p++) {
		/* A line that goes on in a file keeps its newline. */
		bool is_blank = *p == ' ' || *p == '\t' || *p == '\n';

		if (!is_blank)
			out[n++] = *p;
		else if (n > 0 && isalnum((unsigned char)out[n - 1]) &&
			isalnum((unsigned char)p[1]))
			out[n++] = ' ';
	}
	out[n] = '\0';
}

static int find_input(const struct metric_set *set, const char *name)
{
	for (int i = 0; i < set->n_inputs; i++)
		if (!strcmp(set->inputs[i].name, name))
			return i;
	return -1;
}

static void add_metric(
	struct metric_set *set, const struct set_directive *d, const struct oa_profile *p)
{
	static const char text[] = 
		"Share of the GPU's clocks in which this is so, compared in the hardware in every "
		"single clock. Outputs of blocks are those of the clock before.";
	const char counter[] = { 'B', d->args[1], '\0' };
	const char *const counters[][2] = { { counter, "1" }, { "GPU_TICKS", "cycle" },
		{ "GPU_CLOCK", "cycle" }, { NULL, NULL } };
	char name[NAME_SIZE], label[NAME_SIZE], equation[64];
	struct metric_extra x = {
		.name = name,
		.label = label,
		.text = text,
		.origin = "Linux, i915_perf_oa_regs.h (layout of the blocks)",
		.needs = "register list of the metric set",
		.unit = "%",
		.group = "utilization",
		.file = d->file,
		.line = d->line,
		.equation = equation,
		.ceiling = "100[%]",
		.counters = counters,
	};

	make_name(d->args, name, sizeof(name));
	squeeze(d->args + 3, label, sizeof(label));
	snprintf(equation, sizeof(equation), "%s * 1[cycle] / GPU_TICKS", counter);
	if (set->from_xml) {
		snprintf(equation, sizeof(equation), "B %c READ 100 UMUL GPU_CLOCK 0 READ FDIV",
			counter[1]);
		x.ceiling = "100";
	}
	if (p->inferred >> (counter[1] - '0') & 1)
		x.flags |= METRIC_ESTIMATED;
	if (!strcmp(d->file, OA_ASK_OPTION))
		x.flags |= METRIC_ASKED;
	metric_set_extend(set, &x, NULL);
}

/* Adds what is counted, and the cell to which the counter is given. */
static void add_cell_label(const struct metric_set *set, const char *counter, struct strbuf *out)
{
	const struct metric *reader = oa_ask_reader(set, counter, NULL);

	for (int k = 0; k < set->n_cells && reader; k++) {
		const struct set_cells *c = &set->cells[k];

		for (int i = 0; i < c->n_names * c->n_cells; i++) {
			if (strcmp(c->counters[i], counter) != 0)
				continue;
			strbuf_addf(
				out, " (%s, %s)", metric_label(reader), c->cells[i / c->n_names]);
			return;
		}
	}
}

/* Adds who reads the counter and nothing else, as the name of what the lanes carry. */
static void add_label(const struct metric_set *set, const char *counter, struct strbuf *out)
{
	for (int i = 0; i < set->n_metrics; i++) {
		const char *only = oa_ask_counter_of(set, &set->metrics[i]);

		if (!only || strcmp(only, counter) != 0)
			continue;
		strbuf_addf(out, " (%s)", metric_label(&set->metrics[i]));
		return;
	}
	add_cell_label(set, counter, out);
}

/* Adds what stands behind the outputs that a block looks at, a line for each. */
static void add_parts(
	const struct metric_set *set, const struct oa_blocks *b, int n, struct strbuf *out)
{
	const struct oa_boolean *block = &b->booleans.block[n];

	for (int i = 0; i < OA_BOOLEANS && block->input == OA_INPUT_OUTPUTS; i++) {
		const char counter[] = { 'B', (char)('0' + i), '\0' };

		if (block->ignored >> i & 1 || !(b->booleans.programmed >> i & 1) || i == n)
			continue;
		strbuf_addf(out, "\n    %s: ", counter);
		oa_boolean_text(&b->booleans.block[i], out);
		add_label(set, counter, out);
	}
}

/* Adds the names of the lanes that a block looks at, as far as counters of the set tell them. */
static void add_lanes(
	const struct metric_set *set, const struct oa_blocks *b, int n, struct strbuf *out)
{
	const struct oa_boolean *block = &b->booleans.block[n];

	for (int lane = 0; lane < 16 && block->input == OA_INPUT_LANES; lane++) {
		const char counter[] = { lane < 8 ? 'B' : 'C', (char)('0' + lane % 8), '\0' };
		struct strbuf label = { 0 };

		if (block->ignored >> lane & 1 || (lane < 8 && b->by_block >> lane & 1))
			continue;
		add_label(set, counter, &label);
		if (label.len)
			strbuf_addf(out, "\n    ~ %s %d%s", "lane", lane, strbuf_str(&label));
		strbuf_release(&label);
	}
}

static void describe(struct metric_set *set, int input, const struct oa_blocks *b)
{
	const char *counter = set->inputs[input].name;
	int n = counter[1] - '0';
	struct strbuf text = { 0 };

	if (counter[0] == 'B' && b->booleans.programmed >> n & 1) {
		strbuf_add(&text, "clocks; ");
		oa_boolean_text(&b->booleans.block[n], &text);
		add_parts(set, b, n, &text);
		add_lanes(set, b, n, &text);
	} else if (b->has_lanes) {
		strbuf_addf(&text,
			"~ lane %d (the signal that the set's register list routes to it)",
			counter[0] == 'C' ? 8 + n : n);
	}
	if (text.len)
		metric_input_describe(set, input, strbuf_str(&text));
	strbuf_release(&text);
}

/* Adds the B and C counters that cells read, which no equation names. */
static void add_cell_counters(struct metric_set *set)
{
	for (int k = 0; k < set->n_cells; k++) {
		const struct set_cells *c = &set->cells[k];

		for (int i = 0; i < c->n_names * c->n_cells; i++)
			if (oa_ask_is_b_or_c(c->counters[i]) && find_input(set, c->counters[i]) < 0)
				metric_set_add_input(
					set, INPUT_COUNTER, c->counters[i], -1, "1");
	}
}

void oa_ask_describe(struct metric_set *set, const struct device *d, oa_config_fn *config)
{
	const struct intel_platform *platform = intel_platform_by_name(d->platform);
	struct oa_profile p;

	if (!platform || platform->graphics_ver >= 20 ||
		!oa_profile_build(&p, set, d, config, NULL))
		return;
	for (int i = 0; i < set->n_directives; i++) {
		const struct set_directive *line = &set->directives[i];
		const char counter[] = { line->args[0], line->args[0] ? line->args[1] : '\0',
			'\0' };

		if (!strcmp(line->key, "program") && oa_ask_is(line) &&
			find_input(set, counter) < 0)
			add_metric(set, line, &p);
	}
	add_cell_counters(set);
	const struct oa_blocks blocks = oa_blocks_of(&p, platform->graphics_ver);
	for (int i = 0; i < set->n_inputs; i++)
		if (oa_ask_is_b_or_c(set->inputs[i].name))
			describe(set, i, &blocks);
	oa_profile_release(&p);
}

/* Takes back directives that were added last. */
static void cut_directives(struct metric_set *set, int n)
{
	while (set->n_directives > n) {
		struct set_directive *d = &set->directives[--set->n_directives];

		free(d->key);
		free(d->args);
		free(d->file);
	}
}

bool oa_ask_add(struct metric_set *set, const struct device *d, const struct metric_wish *wishes, int n,
	oa_config_fn *config, struct err *err)
{
	int before = set->n_directives;
	struct err why = { 0 };
	struct oa_profile p;

	for (int i = 0; i < n; i++) {
		bool is_question = !strcmp(wishes[i].option, OA_ASK_OPTION);

		metric_set_direct(set, is_question ? "program" : OA_TRIGGER_KEY,
			xstrdup(wishes[i].words), wishes[i].option, 0);
	}
	bool good = oa_profile_build(&p, set, d, config, &why);
	oa_profile_release(&p);
	if (good)
		return true;
	cut_directives(set, before);
	/* What is wrong with the set itself is told when it is opened. */
	if (!oa_profile_build(&p, set, d, config, NULL))
		return true;
	oa_profile_release(&p);
	if (err)
		*err = why;
	return false;
}
