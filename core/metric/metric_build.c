/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a set from the drafts of a metric file: names become inputs, equations are compiled, wrong
 * ones are left out. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "core/metric/expr_vm.h"
#include "core/metric/metric_priv.h"

static int add_input(struct set_draft *s, const struct metric_input *from)
{
	struct metric_set *set = s->set;

	set->inputs = array_grow(
		set->inputs, (size_t)set->n_inputs, &s->cap_inputs, sizeof(*set->inputs));
	set->inputs[set->n_inputs] = (struct metric_input){
		.name = xstrdup(from->name),
		.kind = from->kind,
		.metric = from->metric,
		.unit_text = xstrdup(from->unit_text),
		.unit = from->unit,
	};
	set->inputs[set->n_inputs].text = xstrdup(text_or(from->text, ""));
	if (from->block)
		set->inputs[set->n_inputs].block = xstrdup(from->block);
	return set->n_inputs++;
}

static struct unit base_unit(struct unit u)
{
	u.scale = 1;
	return u;
}

/* Returns the platform of the set that does not have a counter, or NULL. */
static const char *platform_without(const struct metric_set *set, const struct raw_name *r)
{
	char word[64];

	for (int i = 0; i < set->n_platforms && r->only; i++) {
		snprintf(word, sizeof(word), " %s ", set->platforms[i]);
		if (!strstr(r->only, word))
			return set->platforms[i];
	}
	return NULL;
}

static bool resolve_raw(struct metric_parser *p, struct raw_name *r, bool rate,
	struct expr_symbol *out, struct err *err)
{
	bool is_const = r->kind == INPUT_CONST;
	bool as_rate = rate && !is_const;
	struct metric_input in = { .name = r->name, .kind = r->kind, .metric = -1,
		.unit_text = r->unit_text, .unit = r->unit, .text = r->text, .block = r->block };

	const char *without = platform_without(p->set->set, r);
	if (without)
		return err_set(err, ERR_PARSE, "'%s' is no counter of %s", r->name, without);
	if (as_rate && r->gauge)
		return err_set(err, ERR_PARSE, "'%s' is a gauge and has no rate", r->name);
	if (as_rate)
		in.kind = INPUT_RATE;
	if (r->input[as_rate] < 0)
		r->input[as_rate] = add_input(p->set, &in);
	out->index = r->input[as_rate];
	out->unit = base_unit(r->unit);
	out->constant = is_const;
	return true;
}

static bool resolve_metric(
	struct metric_parser *p, int index, bool rate, struct expr_symbol *out, struct err *err)
{
	struct metric_draft *d = &p->set->metrics[index];

	if (rate)
		return err_set(err, ERR_PARSE,
			"'%s' is a metric; rate() needs cumulative counters", d->m.name);
	if (d->state == DRAFT_BAD)
		return err_set(err, ERR_PARSE, "metric '%s' has an error of its own", d->m.name);
	if (d->input < 0) {
		d->input = add_input(p->set, &(struct metric_input){
			.name = d->m.name,
			.kind = INPUT_METRIC,
			.metric = index,
			.unit_text = d->m.unit_text,
			.unit = d->m.unit,
			.text = d->m.label,
		});
	}
	out->index = d->input;
	out->unit = base_unit(d->m.unit);
	return true;
}

/* "most(core_active)": the largest value among the cells of that metric. */
static bool resolve_most(struct metric_parser *p, const char *name, size_t len,
	struct expr_symbol *out, struct err *err)
{
	const struct name_entry *e = name_find(&p->set->names, name, len);
	struct metric_draft *d = NULL;

	if (e && e->kind == NAME_METRIC)
		d = &p->set->metrics[e->index];
	if (!d || !strcmp(d->m.scope, "device"))
		return err_set(err, ERR_PARSE,
			"most() needs a metric with a scope, which '%.*s' is not",
			(int)min_u64(len, 60), name);
	if (d->state == DRAFT_BAD)
		return err_set(err, ERR_PARSE, "metric '%s' has an error of its own", d->m.name);
	out->index = add_input(p->set, &(struct metric_input){
		.name = d->m.name,
		.kind = INPUT_MOST,
		.metric = e->index,
		.unit_text = d->m.unit_text,
		.unit = d->m.unit,
		.text = d->m.label,
	});
	out->unit = base_unit(d->m.unit);
	return true;
}

#define MOST "most("

static bool check_let(struct metric_parser *p, struct let_draft *l, struct err *err);

static bool unknown_name(struct metric_parser *p, const char *name, size_t len, struct err *err)
{
	const char *best = NULL;
	int distance = 3;

	if (len < 4)
		/* a short name must be nearer: any single letter is a slip of another one */
		distance = (int)len / 2 + 1;
	err_set(err, ERR_PARSE, "unknown name '%.*s'", (int)min_u64(len, 60), name);
	name_nearest(&p->set->names, name, len, &best, &distance);
	name_nearest(&p->raw_names, name, len, &best, &distance);
	if (best)
		err_hint(err, "did you mean '%s'?", best);
	return false;
}

static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	struct metric_parser *p = ctx;
	const struct name_entry *e = name_find(&p->set->names, name, len);
	struct let_draft *l;

	if (len > strlen(MOST) && !strncmp(name, MOST, strlen(MOST)))
		return resolve_most(p, name + strlen(MOST), len - strlen(MOST) - 1, out, err);
	if (!e)
		e = name_find(&p->raw_names, name, len);
	if (!e)
		return unknown_name(p, name, len, err);
	switch (e->kind) {
	case NAME_CELL:
		return resolve_raw(p, &p->set->cell_names[e->index], rate, out, err);
	case NAME_LET:
		l = &p->set->lets[e->index];
		if (l->state == DRAFT_BUSY)
			return err_set(err, ERR_PARSE, "'%s' needs itself", l->name);
		out->part = &l->part;
		return check_let(p, l, err);
	case NAME_METRIC:
		return resolve_metric(p, e->index, rate, out, err);
	default:
		return resolve_raw(p, &p->raw[e->index], rate, out, err);
	}
}

/* Errors cost as much as the longest equation, and a hostile file must not keep us parsing for
 * hours. */
static struct expr *compile(struct metric_parser *p, const char *text,
	const struct text_place *place, struct unit *unit, struct err *err)
{
	struct expr_scope scope = {
		.lookup = lookup,
		.ctx = p,
		.file = place->file,
		.line = place->line,
		.column = place->column,
	};

	if (p->code > METRIC_MAX_CODE) {
		err_set(err, ERR_PARSE,
			"%s:%d:%d: there are too many equations, this one is left out",
			place->file, place->line, place->column);
		return NULL;
	}
	struct expr *e = expr_compile(text, &scope, unit, err);
	p->code += e ? e->count : EXPR_MAX_CODE;
	return e;
}

/* A part is checked once, on its own, so that its error is reported once and at its own place. */
static bool check_let(struct metric_parser *p, struct let_draft *l, struct err *err)
{
	struct text_place place = { l->part.file, l->part.line, l->part.column };
	struct err own = { 0 };
	struct unit unit;
	struct expr *e;

	if (l->state == DRAFT_NEW) {
		if (p->let_depth >= EXPR_MAX_NESTING)
			return err_set(
				err, ERR_PARSE, "the equation is too long or nested too deeply");
		l->state = DRAFT_BUSY;
		p->let_depth++;
		e = compile(p, l->part.text, &place, &unit, &own);
		p->let_depth--;
		l->state = DRAFT_GOOD;
		if (!e) {
			l->state = DRAFT_BAD;
			metric_report(p, &own);
		}
		expr_free(e);
	}
	return l->state == DRAFT_GOOD ||
		err_set(err, ERR_PARSE, "'%s' has an error of its own", l->name);
}

static struct expr *compile_in_unit(struct metric_parser *p, const char *text,
	const struct text_place *place, const struct unit *want)
{
	struct err err = { 0 };
	char is[64], wanted[64];
	struct unit unit;
	struct expr *e = compile(p, text, place, &unit, &err);

	if (!e) {
		metric_report(p, &err);
	} else if (!unit_same_dims(&unit, want)) {
		metric_problem_at(p, place, NULL,
			"the equation gives %s, the unit of the metric is %s",
			unit_dims_text(&unit, is, sizeof(is)),
			unit_dims_text(want, wanted, sizeof(wanted)));
		expr_free(e);
		e = NULL;
	}
	return e;
}

static void forget_code(struct metric_parser *p, struct expr **e)
{
	if (*e)
		p->code -= (*e)->count;
	expr_free(*e);
	*e = NULL;
}

static bool compile_metric(struct metric_parser *p, struct metric_draft *d)
{
	bool good = false;

	forget_code(p, &d->m.value);
	forget_code(p, &d->m.ceiling);
	if (d->state == DRAFT_BAD)
		return false;
	if (!d->value) {
		metric_problem_at(p, &d->place, NULL, "metric '%s' has no value", d->m.name);
	} else {
		d->m.value = compile_in_unit(p, d->value, &d->value_place, &d->m.unit);
		if (d->m.value && d->ceiling)
			d->m.ceiling = compile_in_unit(
				p, d->ceiling, &d->ceiling_place, &d->m.unit);
		good = d->m.value && (d->m.ceiling || !d->ceiling) && metric_check_roof(p, d);
	}
	d->state = good ? DRAFT_GOOD : DRAFT_BAD;
	return good;
}

/* Compiles everything into fresh inputs; returns false when something had to be left out. A metric
 * that is left out takes with it those that read it and were compiled before it, so the caller
 * runs a second round. */
static bool compile_all(struct metric_parser *p)
{
	struct set_draft *s = p->set;
	bool all_good = true;

	metric_set_free_inputs(s->set);
	s->cap_inputs = 0;
	for (size_t i = 0; i < p->n_raw; i++)
		p->raw[i].input[0] = p->raw[i].input[1] = -1;
	for (size_t i = 0; i < s->n_cell_names; i++)
		s->cell_names[i].input[0] = s->cell_names[i].input[1] = -1;
	for (size_t i = 0; i < s->n_metrics; i++)
		s->metrics[i].input = -1;
	for (size_t i = 0; i < s->n_metrics; i++) {
		if (!compile_metric(p, &s->metrics[i]))
			all_good = false;
	}
	return all_good;
}

/* Removes the bad ones; names and positions are then those of the rest. */
static void remove_bad(struct set_draft *s)
{
	size_t kept = 0;

	name_clear(&s->names);
	for (size_t i = 0; i < s->n_cell_names; i++)
		name_add(&s->names, s->cell_names[i].name, NAME_CELL, (int)i);
	for (size_t i = 0; i < s->n_lets; i++)
		name_add(&s->names, s->lets[i].name, NAME_LET, (int)i);
	for (size_t i = 0; i < s->n_metrics; i++) {
		if (s->metrics[i].state == DRAFT_BAD) {
			metric_free_draft(&s->metrics[i]);
			continue;
		}
		s->metrics[kept] = s->metrics[i];
		name_add(&s->names, s->metrics[kept].m.name, NAME_METRIC, (int)kept);
		kept++;
	}
	s->n_metrics = kept;
}

static bool reads_bad_metric(const struct set_draft *s, const struct expr *e)
{
	for (size_t i = 0; e && i < e->n_inputs; i++) {
		const struct metric_input *in = &s->set->inputs[e->inputs[i]];

		if (in->kind == INPUT_METRIC && s->metrics[in->metric].state == DRAFT_BAD)
			return true;
	}
	return false;
}

/* A metric that reads one that is left out is left out too, and this is reported at the place of
 * reading. */
static void spread_bad(struct metric_parser *p)
{
	struct set_draft *s = p->set;
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < s->n_metrics; i++) {
			struct metric_draft *d = &s->metrics[i];

			if (d->state != DRAFT_BAD &&
				(reads_bad_metric(s, d->m.value) ||
					reads_bad_metric(s, d->m.ceiling))) {
				compile_metric(p, d);
				again = true;
			}
		}
	}
}

/* The set borrows the finished metrics while they are ordered. */
static bool order(struct metric_parser *p)
{
	struct set_draft *s = p->set;
	struct metric *metrics = xcalloc(s->n_metrics + 1, sizeof(*metrics));
	int cycle = -1;

	for (size_t i = 0; i < s->n_metrics; i++)
		metrics[i] = s->metrics[i].m;
	s->set->metrics = metrics;
	s->set->n_metrics = (int)s->n_metrics;
	bool good = metric_set_order(s->set, &cycle);
	if (good)
		metric_set_blocks(s->set);
	if (good)
		return true;
	s->set->metrics = NULL;
	s->set->n_metrics = 0;
	free(metrics);
	s->metrics[cycle].state = DRAFT_BAD;
	return metric_problem_at(p, &s->metrics[cycle].place, NULL,
		"metric '%s' needs itself, by way of what its equation reads",
		s->metrics[cycle].m.name);
}

static void check_groups(struct metric_parser *p)
{
	const struct set_draft *s = p->set;

	for (size_t i = 0; i < s->n_metrics; i++) {
		struct metric *m = &s->metrics[i].m;

		if (!m->group || metric_set_group(s->set, m->group) >= 0)
			continue;
		metric_problem_at(p, &s->metrics[i].group_place, NULL,
			"there is no group '%s' in this set", m->group);
		free(m->group);
		m->group = NULL;
	}
}

/* Names that the set does not have are passed over: one list serves all sets of a family. */
static void rank_metrics(struct set_draft *s)
{
	for (size_t i = 0; i < s->n_order; i++) {
		const struct name_entry *e = name_find(&s->names, s->order[i], strlen(s->order[i]));

		if (e && e->kind == NAME_METRIC && !s->metrics[e->index].m.rank)
			s->metrics[e->index].m.rank = (int)i + 1;
		free(s->order[i]);
	}
	free(s->order);
}

/* Leaves out metrics until the rest compiles and can be ordered. Each cycle costs a round, so their
 * number is limited. */
static void compile_set(struct metric_parser *p)
{
	struct set_draft *s = p->set;
	int cycles = 0;

	for (;;) {
		if (compile_all(p)) {
			if (order(p))
				return;
			if (++cycles > METRIC_MAX_CYCLES) {
				metric_problem_at(p, &s->place, NULL,
					"too many metrics need each other: all are left out");
				for (size_t i = 0; i < s->n_metrics; i++)
					s->metrics[i].state = DRAFT_BAD;
			}
		}
		spread_bad(p);
		remove_bad(s);
	}
}

/* Makes a metric of the old name whose value is that of the new one, for programs, equations and
 * people who know only the old one. A metric of that name that somebody has defined is the one. */
static void add_old_name(struct set_draft *s, size_t i)
{
	const struct metric_draft *now = &s->metrics[i];
	const struct metric *m = &now->m;
	unsigned kind = m->flags & (METRIC_ESTIMATED | METRIC_INTEGER | METRIC_TOTAL);

	if (!now->old_name || now->state == DRAFT_BAD ||
		name_find(&s->names, now->old_name, strlen(now->old_name)))
		return;
	struct metric_draft d = { .place = now->place, .value_place = now->place, .input = -1,
		.value = xstrdup(m->name),
		.m = { .name = xstrdup(now->old_name), .label = xstrdup(m->label),
			.text = xasprintf("The old name of %s, which goes with the next release.",
				m->name),
			.origin = xstrdup(m->origin), .unit_text = xstrdup(m->unit_text),
			.equation = xstrdup(m->name), .scope = xstrdup(m->scope),
			.file = xstrdup(m->file), .line = m->line, .unit = m->unit,
			.flags = kind | METRIC_HIDDEN | METRIC_OLD_NAME } };

	s->metrics = array_grow(s->metrics, s->n_metrics, &s->cap_metrics, sizeof(*s->metrics));
	s->metrics[s->n_metrics] = d;
	name_add(&s->names, d.m.name, NAME_METRIC, (int)s->n_metrics);
	s->n_metrics++;
}

void metric_build_set(struct metric_parser *p)
{
	struct set_draft *s = p->set;

	if (!s)
		return;
	if (p->platform && !metric_set_has_platform(s->set, p->platform))
		s->dropped = true;
	for (size_t i = 0; i < s->n_lets; i++)
		check_let(p, &s->lets[i], NULL);
	if (!s->set->is_head)
		metric_check_cells(p);
	for (size_t i = 0, n = s->n_metrics; i < n; i++)
		add_old_name(s, i);
	check_groups(p);
	rank_metrics(s);
	if (!s->dropped && !s->set->n_platforms)
		metric_problem_at(p, &s->place, NULL,
			"set '%s' names no platforms, so no device can use it", s->set->name);
	compile_set(p);
	for (size_t i = 0; i < s->n_metrics; i++) {
		free(s->metrics[i].value);
		free(s->metrics[i].ceiling);
		free(s->metrics[i].old_name);
	}
	if (!s->dropped) {
		struct metric_set *set = s->set;

		set->lets = xcalloc(s->n_lets + 1, sizeof(*set->lets));
		for (size_t i = 0; i < s->n_lets; i++)
			set->lets[set->n_lets++] = (struct set_let){ xstrdup(s->lets[i].name),
				metric_squeezed(s->lets[i].part.text) };
		metric_lib_add(p->lib, set);
		s->set = NULL;
	}
	for (size_t i = 0; i < s->n_lets; i++)
		metric_free_let(&s->lets[i]);
	for (size_t i = 0; i < s->n_cell_names; i++)
		metric_free_raw(&s->cell_names[i]);
	free(s->cell_names);
	free(s->lets);
	free(s->metrics);
	free(s->group_places);
	name_clear(&s->names);
	metric_set_free(s->set);
	free(s);
	p->set = NULL;
}
