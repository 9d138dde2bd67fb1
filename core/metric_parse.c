/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of metric files: what each line adds to the set being read. */
#include "config.h"

#include "core/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "core/metric_priv.h"

/* --- counter, gauge, const --- */

/* A second declaration is the same one read again, replaces the one of another file, or is a
 * mistake. */
static void keep_raw(struct metric_parser *p, const char *at, struct raw_name *r)
{
	const struct name_entry *e = name_find(&p->raw_names, r->name, strlen(r->name));
	struct raw_name *old = e ? &p->raw[e->index] : NULL;

	if (old && metric_same_file(&old->place, &r->place) &&
		!metric_same_line(&old->place, &r->place)) {
		metric_problem(p, at, NULL, _("the name '%s' is taken already"), r->name);
	} else if (old) {
		char *name = old->name;

		free(old->unit_text);
		free(old->text);
		free(r->name);
		*old = *r;
		old->name = name;	/* the table points to it */
		return;
	} else if (metric_name_is_free(p, at, r->name)) {
		p->raw = array_grow(p->raw, p->n_raw, &p->cap_raw, sizeof(*p->raw));
		p->raw[p->n_raw] = *r;
		name_add(&p->raw_names, r->name, NAME_RAW, (int)p->n_raw++);
		return;
	}
	free(r->name);
	free(r->unit_text);
	free(r->text);
}

static void read_raw(struct metric_parser *p, const char *at, const char *keyword)
{
	bool is_const = keyword[0] == 'c' && keyword[2] == 'n';
	struct raw_name r = {
		.kind = is_const ? INPUT_CONST : INPUT_COUNTER,
		.gauge = keyword[0] == 'g',
		.place = metric_here(p, at),
		.input = { -1, -1 },
	};
	bool good;

	r.name = metric_take_name(p,
		is_const ? sizeof(((struct device_const *)0)->name)
			 : sizeof(((struct counter_desc *)0)->name));
	good = r.name && metric_take_unit(p, &r.unit_text, &r.unit);
	if (good && metric_peek(&p->line)) {
		r.text = metric_take_string(p);
		good = r.text && metric_at_end(p);
	}
	if (good) {
		keep_raw(p, at, &r);
		return;
	}
	free(r.name);
	free(r.unit_text);
	free(r.text);
}

/* --- set, its attributes, groups, lets --- */

static void read_set(struct metric_parser *p, const char *at, const char *keyword)
{
	struct set_draft *s = xcalloc(1, sizeof(*s));

	(void)keyword;
	metric_build_set(p);
	s->place = metric_here(p, at);
	s->set = xcalloc(1, sizeof(*s->set));
	s->set->file = xstrdup(p->line.file);
	s->set->line = p->line.number;
	s->set->is_head = p->reading == READ_HEADS;
	s->set->name = metric_take_word(p, _("the name of the set"));
	if (s->set->name && metric_peek(&p->line))
		s->set->label = metric_take_string(p);
	s->dropped = !s->set->name || (!s->set->label && metric_peek(&p->line)) ||
		!metric_at_end(p);
	if (!s->set->label)
		s->set->label = xstrdup(s->set->name ? s->set->name : "");
	p->set = s;
	p->context = CONTEXT_SET;
}

static void read_platforms(struct metric_parser *p, const char *at, const char *keyword)
{
	struct metric_set *set;
	const char *word;
	size_t len;

	(void)keyword;
	if (!metric_in_set(p, at))
		return;
	set = p->set->set;
	if (!metric_peek(&p->line))
		metric_problem(p, p->line.p, NULL, _("the names of platforms are missing here"));
	while (metric_word(&p->line, &word, &len)) {
		char *name = xstrndup(word, len);

		if (metric_set_has_platform(set, name)) {
			free(name);
			continue;
		}
		set->platforms = xreallocarray(
			set->platforms, (size_t)set->n_platforms + 1, sizeof(*set->platforms));
		set->platforms[set->n_platforms++] = name;
	}
	metric_at_end(p);
}

static void read_directive(struct metric_parser *p, const char *at, const char *keyword)
{
	struct metric_set *set;
	const char *args;

	if (!metric_in_set(p, at))
		return;
	p->context = CONTEXT_OTHER;
	set = p->set->set;
	set->directives = xreallocarray(
		set->directives, (size_t)set->n_directives + 1, sizeof(*set->directives));
	set->directives[set->n_directives++] = (struct set_directive){
		.key = xstrdup(keyword),
		.args = metric_rest(&p->line, &args),
		.file = xstrdup(p->line.file),
		.line = p->line.number,
	};
}

static struct metric_group *find_group(struct set_draft *s, const char *name)
{
	for (int i = 0; i < s->set->n_groups; i++) {
		if (!strcmp(s->set->groups[i].name, name))
			return &s->set->groups[i];
	}
	return NULL;
}

/* A group that another file defined keeps its place among the panes. */
static void define_group(struct metric_parser *p, const char *at, char *name)
{
	struct set_draft *s = p->set;
	struct text_place place = metric_here(p, at);
	struct metric_group *g = find_group(s, name);
	char *title = metric_take_string(p);
	char *subtitle = title && metric_peek(&p->line) == '"' ? metric_take_string(p) : NULL;
	struct text_place *old = g ? &s->group_places[g - s->set->groups] : NULL;

	if (!title || !metric_at_end(p))
		goto drop;
	if (old && metric_same_file(old, &place) && !metric_same_line(old, &place)) {
		metric_problem(p, at, NULL, _("there is a group '%s' in this set already"), name);
		goto drop;
	}
	if (!g) {
		s->set->groups = xreallocarray(
			s->set->groups, (size_t)s->set->n_groups + 1, sizeof(*s->set->groups));
		s->group_places = xreallocarray(
			s->group_places, (size_t)s->set->n_groups + 1, sizeof(*s->group_places));
		g = &s->set->groups[s->set->n_groups++];
		*g = (struct metric_group){ 0 };
	}
	free(g->name);
	free(g->title);
	free(g->subtitle);
	*g = (struct metric_group){ .name = name, .title = title, .subtitle = subtitle ? subtitle : xstrdup("") };
	s->group_places[g - s->set->groups] = place;
	return;
drop:
	free(name);
	free(title);
	free(subtitle);
}

/* With a title it defines a pane, without one it names the pane of the current metric. */
static void read_group(struct metric_parser *p, const char *at, const char *keyword)
{
	struct metric_draft *d = p->context == CONTEXT_METRIC ? &p->set->metrics[p->current] : NULL;
	char *name;

	(void)keyword;
	if (!metric_in_set(p, at))
		return;
	name = metric_take_word(p, _("the name of a group"));
	if (!name)
		return;
	if (metric_peek(&p->line) || !d) {
		p->context = CONTEXT_OTHER;
		define_group(p, at, name);
		return;
	}
	free(d->m.group);
	d->m.group = name;
	d->group_place = metric_here(p, at);
}

static bool take_equals(struct metric_parser *p)
{
	if (metric_peek(&p->line) != '=')
		return metric_problem(p, p->line.p, NULL, _("'=' is missing here"));
	p->line.p++;
	return true;
}

static void read_let(struct metric_parser *p, const char *at, const char *keyword)
{
	const char *name_at, *equation_at;
	const struct name_entry *e;
	struct let_draft l = { .place = metric_here(p, at) };
	struct text_place place;
	struct set_draft *s = p->set;

	(void)keyword;
	if (!metric_in_set(p, at))
		return;
	p->context = CONTEXT_OTHER;
	name_at = (metric_peek(&p->line), p->line.p);
	l.name = metric_take_name(p, METRIC_NAME_SIZE);
	if (!l.name || !take_equals(p))
		goto drop;
	l.part.text = metric_rest(&p->line, &equation_at);
	place = metric_here(p, equation_at);
	l.part.file = place.file;
	l.part.line = place.line;
	l.part.column = place.column;
	e = name_find(&s->names, l.name, strlen(l.name));
	if (e && e->kind == NAME_LET &&
		(!metric_same_file(&s->lets[e->index].place, &l.place) ||
			metric_same_line(&s->lets[e->index].place, &l.place))) {
		struct let_draft *old = &s->lets[e->index];

		free((char *)old->part.text);
		free(l.name);
		l.name = old->name;	/* the table points to it */
		*old = l;
		return;
	}
	if (s->n_lets >= METRIC_MAX_PER_SET)
		metric_problem(p, at, NULL, _("more than %d names in a set"), METRIC_MAX_PER_SET);
	if (s->n_lets >= METRIC_MAX_PER_SET || !metric_name_is_free(p, name_at, l.name))
		goto drop;
	s->lets = array_grow(s->lets, s->n_lets, &s->cap_lets, sizeof(*s->lets));
	s->lets[s->n_lets] = l;
	name_add(&s->names, l.name, NAME_LET, (int)s->n_lets++);
	return;
drop:
	free(l.name);
	free((char *)l.part.text);
}

/* --- files --- */

static const char *keep_file_name(struct metric_parser *p, char *name)
{
	p->files = array_grow(p->files, p->n_files, &p->cap_files, sizeof(*p->files));
	return p->files[p->n_files++] = name;
}

static void read_text_file(struct metric_parser *p, const char *file, const char *text);

static void read_include(struct metric_parser *p, const char *at, const char *keyword)
{
	const char *text, *file;
	char *name = metric_peek(&p->line) == '"' ? metric_take_string(p)
						  : metric_take_word(p, _("the name of a file"));

	(void)keyword;
	if (!name)
		return;
	file = keep_file_name(p, name);
	for (int i = 0; i < p->depth; i++) {
		if (!strcmp(p->chain[i], file)) {
			metric_problem(p, at, NULL, _("'%.80s' includes itself"), file);
			return;
		}
	}
	if (!metric_at_end(p))
		return;
	text = p->include ? p->include(p->include_ctx, file) : NULL;
	if (!text)
		metric_problem(p, at, NULL, _("there is no file '%.80s' to include"), file);
	else if (p->depth > METRIC_MAX_DEPTH)
		metric_problem(p, at, NULL, _("files include each other more than %d deep"),
			METRIC_MAX_DEPTH);
	else
		read_text_file(p, file, text);
	p->context = p->set ? CONTEXT_OTHER : CONTEXT_TOP;
}

static const struct {
	const char *keyword;
	void (*read)(struct metric_parser *p, const char *at, const char *keyword);
} statements[] = {
	{ "include", read_include }, { "counter", read_raw }, { "gauge", read_raw }, { "const", read_raw }, { "set", read_set },
	{ "platforms", read_platforms }, { "program", read_directive }, { "config", read_directive },
	{ "records_as", read_directive }, { "guid", read_directive }, { "registers", read_directive }, { "group", read_group },
	{ "let", read_let }, { "cells", metric_read_cells }, { "cell", metric_read_cell }, { "metric", metric_read_metric }, { "text", metric_read_text },
	{ "label", metric_read_attribute }, { "unit", metric_read_attribute },
	{ "scope", metric_read_attribute }, { "value", metric_read_attribute },
	{ "max", metric_read_attribute }, { "bound", metric_read_attribute },
	{ "flags", metric_read_attribute }, { "needs", metric_read_attribute },
	{ "origin", metric_read_attribute }, { "roof", metric_read_attribute },
};

static void unknown_statement(struct metric_parser *p, const char *word, size_t len)
{
	char hint[80] = "";
	int best = 3;

	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		int d = name_distance(
			word, len, statements[i].keyword, strlen(statements[i].keyword));

		if (d < best) {
			best = d;
			snprintf(
				hint, sizeof(hint), _("did you mean '%s'?"), statements[i].keyword);
		}
	}
	metric_problem(p, word, hint[0] ? hint : NULL, _("unknown statement '%.*s'"),
		(int)(len > 60 ? 60 : len), word);
}

/* A statement that is no part of a head ends it: a text that follows is a metric's. */
static bool is_beyond_head(struct metric_parser *p, const char *word, size_t len)
{
	static const char *const head[] = { "set", "text", "platforms", "guid", "cells" };

	for (size_t i = 0; i < ARRAY_LEN(head); i++) {
		if (strlen(head[i]) == len && !memcmp(head[i], word, len))
			return !strcmp(head[i], "text") && p->context != CONTEXT_SET;
	}
	p->context = CONTEXT_OTHER;
	return true;
}

static bool is_other_set(struct metric_parser *p, const char *word, size_t len)
{
	if (p->depth == 1 && len == 3 && !memcmp(word, "set", len))
		p->passing = p->line.number != p->body_line;
	return p->passing;
}

static bool is_skipped(struct metric_parser *p, const char *word, size_t len)
{
	switch (p->reading) {
	case READ_HEADS: return is_beyond_head(p, word, len);
	case READ_BODY: return is_other_set(p, word, len);
	default: return false;
	}
}

static void read_statement(struct metric_parser *p)
{
	const char *word;
	size_t len;

	if (!metric_word(&p->line, &word, &len)) {
		metric_problem(
			p, p->line.p, NULL, _("a statement starts with a word, not with a text"));
		return;
	}
	if (is_skipped(p, word, len))
		return;
	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		if (strlen(statements[i].keyword) == len &&
			!memcmp(statements[i].keyword, word, len)) {
			statements[i].read(p, word, statements[i].keyword);
			return;
		}
	}
	unknown_statement(p, word, len);
}

static void read_text_file(struct metric_parser *p, const char *file, const char *text)
{
	struct metric_line outer = p->line;
	const char *bad;
	int number = 1;

	p->chain[p->depth++] = file;
	p->line = (struct metric_line){ .file = file };
	while (p->lines <= METRIC_MAX_LINES && !(p->passing && p->set) &&
		metric_next_line(&text, &number, &p->line, &bad)) {
		if (++p->lines > METRIC_MAX_LINES)
			metric_problem(p, NULL, NULL, _("more than %d lines: the rest is not read"),
				METRIC_MAX_LINES);
		else if (bad)
			metric_problem(
				p, bad, NULL, _("there is a control character in this line"));
		else
			read_statement(p);
	}
	strbuf_release(&p->line.text);
	p->line = outer;
	p->depth--;
}

static int load(struct metric_parser *p, const char *file, const char *text)
{
	p->chain[0] = file;
	read_text_file(p, file, text);
	metric_build_set(p);
	for (size_t i = 0; i < p->n_raw; i++) {
		free(p->raw[i].name);
		free(p->raw[i].unit_text);
		free(p->raw[i].text);
	}
	for (size_t i = 0; i < p->n_files; i++)
		free(p->files[i]);
	free(p->raw);
	free(p->files);
	name_clear(&p->raw_names);
	return p->problems;
}

int metric_lib_load(struct metric_lib *lib, const char *file, const char *text,
	metric_include_fn *include, void *include_ctx, metric_problem_fn *problem,
	void *problem_ctx)
{
	struct metric_parser p = {
		.lib = lib,
		.include = include,
		.include_ctx = include_ctx,
		.problem = problem,
		.problem_ctx = problem_ctx,
	};

	return load(&p, file, text);
}

int metric_lib_load_heads(struct metric_lib *lib, const char *file, const char *text,
	const char *platform, metric_problem_fn *problem, void *problem_ctx)
{
	struct metric_parser p = {
		.lib = lib,
		.reading = READ_HEADS,
		.platform = platform,
		.problem = problem,
		.problem_ctx = problem_ctx,
	};

	return load(&p, file, text);
}

int metric_lib_load_body(struct metric_lib *lib, const struct metric_set *head, const char *text,
	metric_include_fn *include, void *include_ctx, metric_problem_fn *problem,
	void *problem_ctx)
{
	struct metric_lib own = { 0 };
	struct metric_parser p = {
		.lib = &own,
		.reading = READ_BODY,
		.body_line = head->line,
		.include = include,
		.include_ctx = include_ctx,
		.problem = problem,
		.problem_ctx = problem_ctx,
	};
	int problems = load(&p, head->file, text);

	for (int i = 0; i < lib->n_sets && own.n_sets; i++) {
		if (lib->sets[i] == head) {
			struct metric_set old = *head;

			*lib->sets[i] = *own.sets[0];
			*own.sets[0] = old;
			break;
		}
	}
	metric_lib_release(&own);
	return problems;
}
