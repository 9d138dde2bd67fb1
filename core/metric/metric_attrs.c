/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of metric files and their attributes. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "core/metric/metric_priv.h"

/* Keeps the draft, in place of one of the same name or after the others. */
static size_t place_metric(struct metric_parser *p, const char *at, const struct metric_draft *d)
{
	struct set_draft *s = p->set;
	const struct name_entry *e = name_find(&s->names, d->m.name, strlen(d->m.name));
	bool good = d->state != DRAFT_BAD;

	if (good && e && e->kind == NAME_METRIC &&
		metric_replaces(&d->place, &s->metrics[e->index].place)) {
		struct metric_draft gone = s->metrics[e->index];

		s->metrics[e->index] = *d;
		s->metrics[e->index].m.name = gone.m.name;	/* the table points to it */
		gone.m.name = d->m.name;
		metric_free_draft(&gone);
		return (size_t)e->index;
	}
	good = good && metric_name_is_free(p, at, d->m.name);
	s->metrics = array_grow(s->metrics, s->n_metrics, &s->cap_metrics, sizeof(*s->metrics));
	s->metrics[s->n_metrics] = *d;
	if (good)
		name_add(&s->names, d->m.name, NAME_METRIC, (int)s->n_metrics);
	else
		s->metrics[s->n_metrics].state = DRAFT_BAD;
	return s->n_metrics++;
}

/* A metric whose first line is wrong is still read to its end, and left out. */
void metric_read_metric(struct metric_parser *p)
{
	const char *name_at = metric_next(&p->line);
	struct metric_draft d = { .place = metric_here(p, p->at), .input = -1 };

	if (!metric_in_set(p))
		return;
	char *name = metric_take_name(p, METRIC_NAME_SIZE);
	if (!name || !metric_at_end(p))
		d.state = DRAFT_BAD;
	if (!name)
		name = xstrdup("");
	d.m = (struct metric){ .name = name,
		.label = xstrdup(name),
		.text = xstrdup(""),
		.origin = xstrdup(""),
		.unit_text = xstrdup(""),
		.equation = xstrdup(""),
		.scope = xstrdup("device"),
		.file = xstrdup(p->line.file),
		.line = p->line.number,
		.unit = unit_one() };
	if (p->set->n_metrics >= METRIC_MAX_PER_SET) {
		metric_problem(
			p, p->at, NULL, "more than %d metrics in a set", METRIC_MAX_PER_SET);
		metric_free_draft(&d);
		p->context = CONTEXT_OTHER;
		return;
	}
	p->current = place_metric(p, name_at, &d);
	p->context = CONTEXT_METRIC;
}

static void read_equation(
	struct metric_parser *p, char **raw, struct text_place *place, char **shown)
{
	const char *at;

	*raw = metric_rest(&p->line, &at);
	*place = metric_here(p, at);
	free(*shown);
	*shown = metric_squeezed(*raw);
}

static void read_value(struct metric_parser *p, struct metric_draft *d)
{
	read_equation(p, &d->value, &d->value_place, &d->m.equation);
}

static void read_max(struct metric_parser *p, struct metric_draft *d)
{
	read_equation(p, &d->ceiling, &d->ceiling_place, &d->m.ceiling_text);
}

static void read_unit(struct metric_parser *p, struct metric_draft *d)
{
	char *text;

	if (!metric_take_unit(p, &text, &d->m.unit) || !metric_at_end(p))
		d->state = DRAFT_BAD;
	if (!text)
		return;
	if (!strcmp(text, "1"))
		*text = '\0';
	free(d->m.unit_text);
	d->m.unit_text = text;
}

char *metric_take_scope(struct metric_parser *p)
{
	static const char *const scopes[] = { "device", "slice", "subslice", "EU",
		"core", "engine", "instance" };
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, "a scope");

	for (size_t i = 0; word && i < ARRAY_LEN(scopes); i++) {
		if (!strcmp(word, scopes[i]))
			return word;
	}
	if (word)
		metric_problem(p, at, "known are device, slice, subslice, EU, core, engine and instance",
			"unknown scope '%.60s'", word);
	free(word);
	return NULL;
}

static void read_scope(struct metric_parser *p, struct metric_draft *d)
{
	char *scope = metric_take_scope(p);

	if (!scope)
		return;
	free(d->m.scope);
	d->m.scope = scope;
	metric_at_end(p);
}

static void read_flags(struct metric_parser *p, struct metric_draft *d)
{
	static const struct { const char *name; unsigned bit; } flags[] = {
		{ "estimated", METRIC_ESTIMATED }, { "hidden", METRIC_HIDDEN }, { "integer", METRIC_INTEGER },
		{ "total", METRIC_TOTAL }, { "bound", METRIC_BOUND },
	};
	const char *word;
	size_t len;

	while (metric_word(&p->line, &word, &len)) {
		size_t i = 0;

		while (i < ARRAY_LEN(flags) &&
			(strlen(flags[i].name) != len || memcmp(flags[i].name, word, len) != 0))
			i++;
		if (i < ARRAY_LEN(flags))
			d->m.flags |= flags[i].bit;
		else
			metric_problem(p, word, "known are estimated, hidden, integer and total",
				"unknown flag '%.*s'", (int)min_u64(len, 60), word);
	}
	metric_at_end(p);
}

static void set_text(struct metric_parser *p, char **field)
{
	char *s = metric_take_string(p);

	if (!s || !metric_at_end(p)) {
		free(s);
		return;
	}
	free(*field);
	*field = s;
}

static void read_label(struct metric_parser *p, struct metric_draft *d)
{
	set_text(p, &d->m.label);
}

static void read_needs(struct metric_parser *p, struct metric_draft *d)
{
	set_text(p, &d->m.needs);
}

static void read_helps(struct metric_parser *p, struct metric_draft *d)
{
	set_text(p, &d->m.helps);
}

static void read_origin(struct metric_parser *p, struct metric_draft *d)
{
	set_text(p, &d->m.origin);
}

/* "formerly gti_reads 0.2": the name until the release before 0.2, which goes after that one. */
static void read_formerly(struct metric_parser *p, struct metric_draft *d)
{
	char *name = metric_take_name(p, METRIC_NAME_SIZE);
	const char *at = metric_next(&p->line);
	char *release = name ? metric_take_word(p, "the release that has renamed it") : NULL;
	bool good = release && !release[strspn(release, "0123456789.")];

	if (release && !good)
		metric_problem(p, at, NULL, "'%.60s' is no release, such as 0.2", release);
	free(release);
	if (good && metric_at_end(p))
		d->old_name = name;
	else
		free(name);
}

/* Indexed by enum roof_role. */
static const struct {
	const char *name, *unit;
} roof_roles[] = {
	[ROOF_NONE] = { "", "" },
	[ROOF_FLOP] = { "flop", "FLOP/s" },
	[ROOF_BYTES] = { "bytes", "B/s" },
	[ROOF_PERFORMANCE] = { "performance", "FLOP/s" },
	[ROOF_TRAFFIC] = { "traffic", "B/s" },
};

/* "roof bytes L3" */
static void read_roof(struct metric_parser *p, struct metric_draft *d)
{
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, "what it is to the roofline");
	size_t role = 1;

	while (word && role < ARRAY_LEN(roof_roles) && strcmp(roof_roles[role].name, word) != 0)
		role++;
	if (word && role == ARRAY_LEN(roof_roles))
		metric_problem(p, at, "known are flop, bytes, performance and traffic",
			"unknown part of the roofline '%.60s'", word);
	free(word);
	if (!word || role == ARRAY_LEN(roof_roles))
		return;
	d->m.roof_name = metric_take_word(
		p, "a name: of type and operation, or of a level of memory");
	d->roof_place = metric_here(p, at);
	if (d->m.roof_name && strlen(d->m.roof_name) >= ROOF_NAME_SIZE)
		metric_problem(
			p, at, NULL, "the name is longer than %d bytes", ROOF_NAME_SIZE - 1);
	else if (d->m.roof_name && metric_at_end(p))
		d->m.roof = (enum roof_role)role;
}

bool metric_check_roof(struct metric_parser *p, const struct metric_draft *d)
{
	const char *want = roof_roles[d->m.roof].unit;
	struct unit unit;

	if (d->m.roof == ROOF_NONE ||
		(unit_parse(want, strlen(want), &unit, NULL) && unit_same_dims(&unit, &d->m.unit)))
		return true;
	metric_problem_at(p, &d->roof_place, NULL, "'roof %s' needs a unit such as %s",
		roof_roles[d->m.roof].name, want);
	return false;
}

static const struct {
	const char *keyword;
	void (*read)(struct metric_parser *p, struct metric_draft *d);
} attributes[] = {
	{ "label", read_label }, { "unit", read_unit }, { "scope", read_scope }, { "value", read_value }, { "max", read_max },
	{ "flags", read_flags }, { "needs", read_needs }, { "origin", read_origin },
	{ "helps", read_helps }, { "roof", read_roof }, { "limit", metric_read_limit },
	{ "formerly", read_formerly },
};

void metric_read_attribute(struct metric_parser *p)
{
	size_t i = 0;

	if (p->context != CONTEXT_METRIC) {
		metric_problem(p, p->at, NULL,
			"'%s' belongs to a metric: a line 'metric NAME' must come first",
			p->keyword);
		return;
	}
	struct metric_draft *d = &p->set->metrics[p->current];
	while (strcmp(attributes[i].keyword, p->keyword) != 0)
		i++;
	if (d->seen & (1u << i))
		metric_problem(p, p->at, NULL, "'%s' is given twice", p->keyword);
	else
		attributes[i].read(p, d);
	d->seen |= 1u << i;
}

/* The text of a metric or of a set; blanks join several lines. */
void metric_read_text(struct metric_parser *p)
{
	char *more = NULL, *first;
	char **field;

	if (p->context == CONTEXT_METRIC) {
		field = &p->set->metrics[p->current].m.text;
	} else if (p->context == CONTEXT_SET) {
		field = &p->set->set->text;
	} else {
		metric_problem(p, p->at, NULL,
			"'text' belongs to a set or a metric and must follow its lines");
		return;
	}
	set_text(p, &more);
	if (!more)
		return;
	first = *field;
	*field = more;
	if (first && *first) {
		*field = xasprintf("%s %s", first, more);
		free(more);
	}
	free(first);
}
