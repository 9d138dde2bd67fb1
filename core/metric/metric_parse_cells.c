/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements that make cells of counters: "cells EU EU.here" and, for each, "cell R0E0 A7", or
 * "cell S0SS2 B4 if subslice_mask & 4". */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "core/metric/metric_priv.h"

#define MAX_CELLS 512

/* A name gets its unit from the counter of the first cell. */
static bool add_name(struct metric_parser *p, struct set_cells *c)
{
	struct set_draft *s = p->set;
	const char *at = metric_next(&p->line);
	char *name = metric_take_name(p, sizeof(((struct counter_desc *)0)->name));

	if (!name || !metric_name_is_free(p, at, name)) {
		free(name);
		return false;
	}
	s->cell_names = array_grow(
		s->cell_names, s->n_cell_names, &s->cap_cell_names, sizeof(*s->cell_names));
	struct raw_name *r = &s->cell_names[s->n_cell_names];
	*r = (struct raw_name){ .name = name, .kind = INPUT_COUNTER, .unit_text = xstrdup("1"), .unit = unit_one(),
		.place = metric_here(p, at), .input = { -1, -1 } };
	name_add(&s->names, r->name, NAME_CELL, (int)s->n_cell_names++);
	c->names = xreallocarray(c->names, (size_t)c->n_names + 1, sizeof(*c->names));
	c->names[c->n_names++] = xstrdup(name);
	return true;
}

static bool scope_is_free(struct metric_parser *p, const char *scope)
{
	const struct metric_set *set = p->set->set;

	if (!strcmp(scope, "device"))
		return metric_problem(p, p->at, NULL, "the device cannot be a cell of itself");
	return set->n_cells < SET_MAX_CELLS ||
		metric_problem(
			p, p->at, NULL, "more than %d kinds of cells in a set", SET_MAX_CELLS);
}

void metric_read_cells(struct metric_parser *p)
{
	bool good = true;

	if (!metric_in_set(p))
		return;
	p->context = CONTEXT_OTHER;
	struct metric_set *set = p->set->set;
	char *scope = metric_take_scope(p);
	if (!scope || !scope_is_free(p, scope)) {
		free(scope);
		return;
	}
	p->set->cell_places[set->n_cells] = metric_here(p, p->at);
	set->cells = xreallocarray(set->cells, (size_t)set->n_cells + 1, sizeof(*set->cells));
	struct set_cells *c = &set->cells[set->n_cells++];
	*c = (struct set_cells){ .scope = scope };
	p->context = CONTEXT_CELLS;
	while (good && metric_peek(&p->line) && metric_peek(&p->line) != '"')
		good = add_name(p, c);
	if (good && !c->n_names)
		good = metric_problem(p, p->line.p, NULL,
			"the name that equations use for a cell's counter is missing here");
	if (good && metric_peek(&p->line))
		c->text = metric_take_string(p);
	if (!c->text)
		c->text = xstrdup("");
	if (good && metric_at_end(p))
		return;
	/* A line with a mistake keeps no name: the mistake was reported, and the cells below it add
	 * no other one. */
	for (int i = 0; i < c->n_names; i++)
		free(c->names[i]);
	c->n_names = 0;
}

/* All counters of a name count the same thing, so they have one unit. */
static bool takes_counter(struct metric_parser *p, const char *at, const char *name, bool is_first,
	const char *counter)
{
	const struct name_entry *e = name_find(&p->raw_names, counter, strlen(counter));
	struct raw_name *own =
		&p->set->cell_names[name_find(&p->set->names, name, strlen(name))->index];

	if (!e || p->raw[e->index].kind != INPUT_COUNTER)
		return metric_problem(
			p, at, NULL, "no counter '%.60s' was declared before this line", counter);
	const struct raw_name *raw = &p->raw[e->index];
	if (is_first) {
		free(own->unit_text);
		own->unit_text = xstrdup(raw->unit_text);
		own->unit = raw->unit;
		own->gauge = raw->gauge;
		return true;
	}
	if (strcmp(own->unit_text, raw->unit_text) != 0 || own->gauge != raw->gauge)
		return metric_problem(p, at, NULL,
			"'%s' is in %s here and in %s in the cells before", name, raw->unit_text,
			own->unit_text);
	return true;
}

static bool cell_is_new(struct metric_parser *p, const struct set_cells *c, const char *name)
{
	if (strlen(name) >= CELL_NAME_SIZE)
		return metric_problem(p, p->at, NULL,
			"the name of a cell has at most %d characters", CELL_NAME_SIZE - 1);
	for (int i = 0; i < c->n_cells; i++) {
		if (!strcmp(c->cells[i], name))
			return metric_problem(
				p, p->at, NULL, "the cell '%s' is given twice", name);
	}
	return c->n_cells < MAX_CELLS ||
		metric_problem(p, p->at, NULL, "more than %d cells", MAX_CELLS);
}

static bool takes(struct metric_parser *p, const char *word)
{
	size_t len = strlen(word);
	const char *at = metric_next(&p->line);

	if (strncmp(at, word, len) != 0 || (at[len] && at[len] != ' ' && at[len] != '\t'))
		return false;
	p->line.p = at + len;
	return true;
}

static bool parse_bits(const char *word, uint64_t *bits)
{
	if (!strncmp(word, "0x", 2))
		return parse_hex(word + 2, bits);
	return parse_u64(word, bits);
}

/* Takes "if CONSTANT & BITS" where the line has it. */
static bool take_test(struct metric_parser *p, struct cell_test *t)
{
	char *constant, *bits = NULL;
	const char *at;

	if (!takes(p, "if"))
		return true;
	at = metric_next(&p->line);
	constant = metric_take_word(p, "the constant of the condition");
	if (!constant)
		return false;
	const struct name_entry *e = name_find(&p->raw_names, constant, strlen(constant));
	bool good = e && p->raw[e->index].kind == INPUT_CONST;
	if (!good)
		metric_problem(p, at, NULL, "no constant '%.60s' was declared before this line",
			constant);
	else if (!takes(p, "&"))
		good = metric_problem(p, metric_next(&p->line), NULL,
			"'& BITS' expected after the constant of the condition");
	at = metric_next(&p->line);
	if (good)
		bits = metric_take_word(p, "the bits of the condition");
	if (good && bits && (!parse_bits(bits, &t->bits) || !t->bits))
		good = metric_problem(p, at, NULL,
			"bits are a number above 0, such as 4 or 0x30, not '%.40s'", bits);
	good = good && bits;
	free(bits);
	if (good)
		t->constant = constant;
	else
		free(constant);
	return good;
}

void metric_read_cell(struct metric_parser *p)
{
	char *name;

	if (p->context != CONTEXT_CELLS) {
		metric_problem(p, p->at, NULL,
			"'cell' belongs to a line 'cells SCOPE NAME...', which must come first");
		return;
	}
	struct set_cells *c = &p->set->set->cells[p->set->set->n_cells - 1];
	if (!c->n_names)
		return;
	name = metric_take_word(p, "the name of the cell");
	char **counters = xcalloc((size_t)c->n_names + 1, sizeof(*counters));
	bool good = name && cell_is_new(p, c, name);
	for (int i = 0; good && i < c->n_names; i++) {
		const char *at = metric_next(&p->line);

		counters[i] = metric_take_word(p, "the cell's counter");
		good = counters[i] &&
			takes_counter(p, at, c->names[i], c->n_cells == 0, counters[i]);
	}
	struct cell_test test = { .constant = NULL };
	good = good && take_test(p, &test) && metric_at_end(p);
	if (good) {
		size_t n = (size_t)c->n_cells + 1, per = (size_t)c->n_names;

		c->cells = xreallocarray(c->cells, n, sizeof(*c->cells));
		c->counters = xreallocarray(c->counters, n * per + 1, sizeof(*c->counters));
		c->tests = xreallocarray(c->tests, n, sizeof(*c->tests));
		c->tests[n - 1] = test;
		snprintf(c->cells[c->n_cells], CELL_NAME_SIZE, "%s", name);
		memcpy(c->counters + (n - 1) * per, counters, per * sizeof(*counters));
		c->n_cells++;
	}
	for (int i = 0; i < c->n_names && !good; i++)
		free(counters[i]);
	if (!good)
		free(test.constant);
	free(counters);
	free(name);
}

void metric_check_cells(struct metric_parser *p)
{
	const struct metric_set *set = p->set->set;

	for (int i = 0; i < set->n_cells; i++) {
		if (set->cells[i].n_names && !set->cells[i].n_cells)
			metric_problem_at(p, &p->set->cell_places[i], NULL,
				"there is no 'cell' line for these cells");
	}
}
