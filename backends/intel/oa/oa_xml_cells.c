/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds counters of an imported set that count the same in different subslices, and makes them the
 * cells of one metric.
 *
 * Such counters differ only in the digits that name their unit: "ThreadHeader01Ready",
 * "..Slice0Subslice1..", ".._XECORE3". Digits also name ports, banks, caches and types, so they
 * count as a unit only where the device can have it, and where the test of the counter, if it has
 * one, is for that unit. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "core/metric/metric_extend.h"

#define MAX_UNITS 64
#define XE_CORES_PER_SLICE 4
#define NAME_SIZE 64
#define CELL_INPUT "cells%d.%d"	/* what the equation of a metric calls the metric of its cell */

/* A counter of a unit: the symbol without the unit's digits is the same for all units. */
struct member {
	char *key;
	int unit;		/* slice * stride + subslice, or the number alone */
	bool alone;		/* the name has no slice */
	bool certain;		/* its test is for this unit */
	int counter, metric;
};

/* What the platform's masks are like. */
struct masks {
	int stride, units;
};

static struct masks masks_of(const struct metric_set *set)
{
	const struct intel_platform *p = intel_platform_by_name(set->platforms[0]);
	struct masks m = { XE_CORES_PER_SLICE, MAX_UNITS };

	if (p && p->subslice_mask_stride) {
		m.stride = p->subslice_mask_stride;
		m.units = m.stride * p->max_slices;
	}
	if (m.units > MAX_UNITS)
		m.units = MAX_UNITS;
	return m;
}

/* Returns the bits of the subslices for which a test is, 0 for none and for other tests. */
static uint64_t tested_bits(const char *test, const struct masks *m)
{
	unsigned slice, core;
	int end = 0;
	long long bits;

	if (!test)
		return 0;
	if ((sscanf(test, "$SubsliceMask %lli AND%n", &bits, &end) == 1 ||
		    sscanf(test, "$DualSubsliceMask %lli AND%n", &bits, &end) == 1) &&
		end && !test[end])
		return (uint64_t)bits;
	if (sscanf(test, "$GtSlice%2uXeCore%2u%n", &slice, &core, &end) == 2 && end && !test[end])
		core += slice * (unsigned)m->stride;
	else if (sscanf(test, "$GtXeCore%2u%n", &core, &end) != 1 || !end || test[end])
		return 0;
	return core < MAX_UNITS ? UINT64_C(1) << core : 0;
}

/* Whether the word stands before that place of the symbol. */
static bool follows(const char *symbol, size_t at, const char *word)
{
	size_t len = strlen(word);

	return at >= len && !strncasecmp(symbol + at - len, word, len);
}

static size_t digits_at(const char *s)
{
	return strspn(s, "0123456789");
}

/* A stretch of a symbol that names a unit. */
struct named_unit {
	size_t from, to;
	int unit;
	bool alone;
};

static bool takes_unit(struct named_unit *u, size_t from, size_t to, int unit, bool alone)
{
	*u = (struct named_unit){ .from = from, .to = to, .unit = unit, .alone = alone };
	return true;
}

/* Reads the digits at a place of the symbol. rank: 0 where a word says what they are, 1 for slice
 * and subslice in a digit each, 2 for a lone digit. */
static bool unit_at(
	const char *symbol, size_t at, int rank, const struct masks *m, struct named_unit *u)
{
	size_t len = digits_at(symbol + at), word;
	int first = symbol[at] - '0', value = first;

	if (len > 2)
		return false;
	if (len == 2)
		value = 10 * first + symbol[at + 1] - '0';
	if (rank == 0 && follows(symbol, at, "XECORE")) {
		word = at - strlen("XECORE");
		if (word > 0 && symbol[word - 1] == '_')
			word--;
		return value < m->units && takes_unit(u, word, at + len, value, false);
	}
	if (rank == 0 && follows(symbol, at, "SUBSLICE")) {
		word = at - strlen("SUBSLICE");
		if (follows(symbol, word, "DUAL"))
			word -= strlen("DUAL");
		if (word < 1 || digits_at(symbol + word - 1) != 1 ||
			!follows(symbol, word - 1, "SLICE"))
			return false;
		first = symbol[word - 1] - '0';
		return value < m->stride && first * m->stride + value < m->units &&
			takes_unit(u, word - 1 - strlen("SLICE"), at + len,
				first * m->stride + value, false);
	}
	if (rank == 1 && len == 2)
		return value % 10 < m->stride && first * m->stride + value % 10 < m->units &&
			takes_unit(u, at, at + len, first * m->stride + value % 10, false);
	return rank == 2 && len == 1 && value < m->stride &&
		takes_unit(u, at, at + len, value, true);
}

/* Whether the test lets the unit be what the digits say. A test of several subslices is for a pair
 * of them, or for the same one of all slices. */
static bool agrees(const struct named_unit *u, uint64_t bits)
{
	if (!bits || u->unit >= MAX_UNITS)
		return !u->alone;
	if (u->alone)
		return __builtin_ctzll(bits) == u->unit;
	return __builtin_popcountll(bits) > 1 || bits >> u->unit & 1;
}

static bool find_unit(
	const char *symbol, uint64_t bits, const struct masks *m, struct named_unit *u)
{
	for (int rank = 0; rank <= 2; rank++) {
		for (size_t at = strcspn(symbol, "0123456789"); symbol[at];) {
			if (unit_at(symbol, at, rank, m, u) && agrees(u, bits))
				return true;
			at += digits_at(symbol + at);
			at += strcspn(symbol + at, "0123456789");
		}
	}
	return false;
}

static int compare_members(const void *va, const void *vb)
{
	const struct member *a = va, *b = vb;
	int order = strcmp(a->key, b->key);

	if (order)
		return order;
	if (a->unit != b->unit)
		return a->unit - b->unit;
	return a->counter - b->counter;
}

static int find_members(const struct metric_set *set, const struct xml_set *x,
	const int *metric_of, struct member *out)
{
	struct masks m = masks_of(set);
	int n = 0;

	for (size_t i = 0; i < x->n_counters; i++) {
		const char *symbol = x->counters[i].symbol;
		uint64_t bits = tested_bits(x->counters[i].availability, &m);
		struct named_unit u = { 0 };

		if (metric_of[i] < 0 ||
			(!bits && strcmp(set->metrics[metric_of[i]].scope, "subslice") != 0) ||
			!find_unit(symbol, bits, &m, &u))
			continue;
		out[n++] = (struct member){
			.key = xasprintf("%.*s%s", (int)u.from, symbol, symbol + u.to),
			.unit = u.unit,
			.alone = u.alone,
			.certain = bits && !u.alone,
			.counter = (int)i,
			.metric = metric_of[i],
		};
	}
	qsort(out, (size_t)n, sizeof(*out), compare_members);
	return n;
}

/* Returns how many members from the first on are the cells of one metric; 0: they are none. */
static int family_size(const struct metric_set *set, const struct member *f, int left)
{
	const struct metric *first = &set->metrics[f->metric];
	int n = 1;

	while (n < left && !strcmp(f[n].key, f->key))
		n++;
	for (int i = 1; i < n; i++) {
		const struct metric *m = &set->metrics[f[i].metric];

		if (f[i].unit == f[i - 1].unit || f[i].alone != f->alone ||
			strcmp(m->unit_text, first->unit_text) != 0 ||
			(m->flags ^ first->flags) & METRIC_INTEGER)
			return 0;
	}
	return n > 1 || f->certain ? n : 0;
}

static void cell_name(const struct metric_set *set, const struct member *f, char *buf)
{
	struct masks m = masks_of(set);

	uint8_t slice = (uint8_t)(f->unit / m.stride), subslice = (uint8_t)(f->unit % m.stride);

	if (f->alone)
		snprintf(buf, CELL_NAME_SIZE, "SS%d", f->unit);
	else
		snprintf(buf, CELL_NAME_SIZE, "S%dSS%d", slice, subslice);
}

static bool has_cells(
	const struct metric_set *set, const struct set_cells *c, const struct member *f, int n)
{
	char name[CELL_NAME_SIZE];

	if (c->n_cells != n)
		return false;
	for (int i = 0; i < n; i++) {
		cell_name(set, &f[i], name);
		if (strcmp(c->cells[i], name) != 0)
			return false;
	}
	return true;
}

/* Returns the cells of these units, made when there are none yet; NULL: there are too many maps. */
static struct set_cells *cells_of(struct metric_set *set, const struct member *f, int n)
{
	for (int k = 0; k < set->n_cells; k++)
		if (has_cells(set, &set->cells[k], f, n))
			return &set->cells[k];
	if (set->n_cells == SET_MAX_CELLS)
		return NULL;
	set->cells = xreallocarray(set->cells, (size_t)set->n_cells + 1, sizeof(*set->cells));
	struct set_cells *c = &set->cells[set->n_cells++];
	*c = (struct set_cells){ .scope = xstrdup("subslice"),
		.text = xstrdup("counters of single units"),
		.cells = xcalloc((size_t)n, sizeof(*c->cells)),
		.tests = xcalloc((size_t)n, sizeof(*c->tests)),
		.n_cells = n };
	for (int i = 0; i < n; i++)
		cell_name(set, &f[i], c->cells[i]);
	return c;
}

/* Gives the cells one more name: that of these counters. Returns the input that stands for it. */
static int add_name(struct metric_set *set, struct set_cells *c, const struct member *f)
{
	size_t n = (size_t)c->n_cells, per = (size_t)c->n_names + 1;
	char **counters = xcalloc(n * per, sizeof(*counters));
	int *members = xcalloc(n * per, sizeof(*members));
	char *name = xasprintf(CELL_INPUT, (int)(c - set->cells), c->n_names);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k + 1 < per; k++) {
			counters[i * per + k] = c->counters[i * (per - 1) + k];
			members[i * per + k] = c->members[i * (per - 1) + k];
		}
		const char *metric = set->metrics[f[i].metric].name;
		counters[i * per + per - 1] = xstrdup(metric);
		members[i * per + per - 1] =
			metric_set_add_input(set, INPUT_METRIC, metric, f[i].metric, "1");
	}
	free(c->counters);
	free(c->members);
	c->counters = counters;
	c->members = members;
	c->names = xreallocarray(c->names, per, sizeof(*c->names));
	c->names[c->n_names++] = name;
	return metric_set_add_input(set, INPUT_COUNTER, name, -1, "1");
}

static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	(void)rate;
	if (!ctx)
		return err_set(err, ERR_PARSE, "unknown name '%.*s'", (int)len, name);
	out->unit = unit_one();
	out->index = *(int *)ctx;
	return true;
}

/* Compiles a text whose only name is the input, or that has no name at all. */
static struct expr *compile(const char *text, int *input, bool is_float)
{
	struct expr_scope scope = { .lookup = lookup, .ctx = input, .file = "", .line = 1 };

	return expr_compile_rpn(text, &scope, is_float, NULL);
}

/* The ceiling is that of the counters, where it is a number and the same for all of them. */
static const char *ceiling_text(const struct metric_set *set, const struct member *f, int n)
{
	const char *text = set->metrics[f->metric].ceiling_text;

	for (int i = 0; i < n; i++) {
		const char *other = set->metrics[f[i].metric].ceiling_text;

		if (!text || !other || strcmp(text, other) != 0)
			return NULL;
	}
	return text;
}

static void add_metric(struct metric_set *set, const struct xml_set *x, const struct member *f, int n)
{
	char name[NAME_SIZE];
	struct set_cells *c;

	oa_xml_snake_case(f->key, name, sizeof(name));
	if (!*name || metric_set_index(set, name) >= 0 || !(c = cells_of(set, f, n)))
		return;
	int input = add_name(set, c, f);
	set->metrics = xreallocarray(
		set->metrics, (size_t)set->n_metrics + 1, sizeof(*set->metrics));
	const struct metric *first = &set->metrics[f->metric];
	bool is_float = !(first->flags & METRIC_INTEGER);
	const char *most = ceiling_text(set, f, n);
	struct metric *m = &set->metrics[set->n_metrics++];
	*m = (struct metric){ .name = xstrdup(name),
		.label = xstrdup(f->key),
		.text = xstrdup(first->text),
		.origin = xasprintf("%s, %s", first->file, x->symbol),
		.unit_text = xstrdup(first->unit_text),
		.unit = first->unit,
		.equation = xasprintf(XML_CELLS_EQUATION "%s", c->names[c->n_names - 1]),
		.scope = xstrdup("subslice"),
		.group = xstrdup(first->group),
		.file = xstrdup(first->file),
		.line = x->at.line,
		.flags = first->flags & METRIC_INTEGER,
		.value = compile("$cell", &input, is_float) };
	if (most)
		m->ceiling = compile(most, NULL, is_float);
	if (m->ceiling)
		m->ceiling_text = xstrdup(most);
}

void xml_add_cells(struct metric_set *set, const struct xml_set *x, const int *metric_of)
{
	struct member *members = xcalloc(x->n_counters + 1, sizeof(*members));
	int n = find_members(set, x, metric_of, members), size;

	for (int i = 0; i < n; i += size) {
		size = family_size(set, &members[i], n - i);
		if (size > 0 && size <= MAX_UNITS)
			add_metric(set, x, &members[i], size);
		for (size = 1; i + size < n && !strcmp(members[i + size].key, members[i].key);)
			size++;
	}
	for (int i = 0; i < n; i++)
		free(members[i].key);
	free(members);
}
