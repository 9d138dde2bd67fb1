/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds metrics and directives to a set that is loaded already. */
#include "config.h"

#include "core/metric/metric_extend.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct extension {
	struct metric_set *set;
	const struct metric_extra *x;
};

static int find_input(const struct metric_set *set, const char *name, size_t len)
{
	for (int i = 0; i < set->n_inputs; i++) {
		const struct metric_input *in = &set->inputs[i];

		if (in->kind == INPUT_COUNTER && strlen(in->name) == len &&
			!memcmp(in->name, name, len))
			return i;
	}
	return -1;
}

int metric_set_add_input(struct metric_set *set, enum metric_input_kind kind, const char *name,
	int metric, const char *unit)
{
	set->inputs = xreallocarray(set->inputs, (size_t)set->n_inputs + 1, sizeof(*set->inputs));
	struct metric_input *in = &set->inputs[set->n_inputs];
	*in = (struct metric_input){
		.name = xstrdup(name),
		.kind = kind,
		.metric = metric,
		.unit_text = xstrdup(unit),
		.text = xstrdup(""),
	};
	if (!unit_parse(unit, strlen(unit), &in->unit, NULL))
		in->unit = unit_one();
	return set->n_inputs++;
}

static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	struct extension *e = ctx;
	const char *const(*c)[2] = e->x->counters;

	while ((*c)[0] && (strlen((*c)[0]) != len || memcmp((*c)[0], name, len) != 0))
		c++;
	if (!(*c)[0] || rate)
		return err_set(err, ERR_PARSE, "unknown name '%.*s'", (int)len, name);
	out->index = find_input(e->set, name, len);
	if (out->index < 0)
		out->index = metric_set_add_input(
			e->set, INPUT_COUNTER, (*c)[0], -1, (*c)[1]);
	out->unit = e->set->inputs[out->index].unit;
	out->unit.scale = 1;
	out->constant = false;
	return true;
}

static struct expr *compile(struct extension *e, const char *text, struct err *err)
{
	struct expr_scope scope = {
		.lookup = lookup, .ctx = e, .file = e->x->file, .line = e->x->line, .column = 1
	};
	struct unit unit;

	if (e->set->from_xml)
		return expr_compile_rpn(text, &scope, true, err);
	return expr_compile(text, &scope, &unit, err);
}

bool metric_set_extend(struct metric_set *set, const struct metric_extra *x, struct err *err)
{
	struct extension e = { .set = set, .x = x };
	struct metric m = { .flags = x->flags, .line = x->line, .rank = 1 };

	if (metric_set_index(set, x->name) >= 0)
		return err_set(err, ERR_PARSE, "the set %s has a metric '%s' already", set->name,
			x->name);
	m.value = compile(&e, x->equation, err);
	if (m.value && x->ceiling)
		m.ceiling = compile(&e, x->ceiling, err);
	if (!m.value || (x->ceiling && !m.ceiling)) {
		expr_free(m.value);
		return false;
	}
	m.name = xstrdup(x->name);
	m.label = xstrdup(x->label);
	m.text = xstrdup(x->text);
	m.origin = xstrdup(x->origin);
	m.unit_text = xstrdup(x->unit);
	m.equation = xstrdup(x->equation);
	m.ceiling_text = xstrdup_or_null(x->ceiling);
	m.scope = xstrdup("device");
	m.needs = xstrdup_or_null(x->needs);
	m.file = xstrdup(x->file);
	if (metric_set_group(set, x->group) >= 0)
		m.group = xstrdup(x->group);
	if (!unit_parse(x->unit, strlen(x->unit), &m.unit, NULL))
		m.unit = unit_one();
	set->metrics = xreallocarray(
		set->metrics, (size_t)set->n_metrics + 1, sizeof(*set->metrics));
	set->metrics[set->n_metrics++] = m;
	metric_set_order(set, NULL);
	return true;
}

void metric_set_direct(
	struct metric_set *set, const char *key, char *args, const char *file, int line)
{
	set->directives = xreallocarray(
		set->directives, (size_t)set->n_directives + 1, sizeof(*set->directives));
	set->directives[set->n_directives++] = (struct set_directive){
		.key = xstrdup(key),
		.args = args,
		.file = xstrdup(file),
		.line = line,
	};
}

void metric_input_describe(struct metric_set *set, int input, const char *text)
{
	free(set->inputs[input].text);
	set->inputs[input].text = xstrdup(text);
}
