/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of metric files: what each line adds to the set being read. */
#include "config.h"

#include "core/metric/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "core/metric/metric_extend.h"
#include "base/near.h"
#include "core/metric/metric_priv.h"

/* --- counter, gauge, const --- */

/* Takes over r when it is good. */
static bool keep_raw(struct metric_parser *p, const struct raw_name *r)
{
	const struct name_entry *e = name_find(&p->raw_names, r->name, strlen(r->name));
	struct raw_name *old = NULL;

	if (e)
		old = &p->raw[e->index];
	if (old && metric_replaces(&r->place, &old->place)) {
		struct raw_name gone = *old;

		*old = *r;
		old->name = gone.name;	/* the table points to it */
		gone.name = r->name;
		metric_free_raw(&gone);
		return true;
	}
	if (!metric_name_is_free(p, p->at, r->name))
		return false;
	p->raw = array_grow(p->raw, p->n_raw, &p->cap_raw, sizeof(*p->raw));
	p->raw[p->n_raw] = *r;
	name_add(&p->raw_names, r->name, NAME_RAW, (int)p->n_raw++);
	return true;
}

/* The block of the hardware that the counters below are of; "" ends it. */
static void read_block(struct metric_parser *p)
{
	char *block = metric_take_string(p);

	if (block && strchr(block, ',')) {
		metric_problem(p, p->at, NULL, "the name of a block has no comma");
		free(block);
		return;
	}
	if (!block || !metric_at_end(p)) {
		free(block);
		return;
	}
	free(p->block);
	p->block = block;
}

/* The platforms that have the counters below; none ends it. */
static void read_for(struct metric_parser *p)
{
	struct strbuf only = { 0 };
	const char *word;
	size_t len;

	while (metric_word(&p->line, &word, &len))
		strbuf_addf(&only, "%s%.*s ", only.len ? "" : " ", (int)len, word);
	free(p->only);
	p->only = only.len ? xstrdup(strbuf_str(&only)) : NULL;
	strbuf_release(&only);
	metric_at_end(p);
}

static void read_raw(struct metric_parser *p)
{
	size_t size = sizeof(((struct counter_desc *)0)->name);
	struct raw_name r = {
		.kind = INPUT_COUNTER,
		.gauge = !strcmp(p->keyword, "gauge"),
		.place = metric_here(p, p->at),
		.input = { -1, -1 },
	};

	if (p->block && *p->block)
		r.block = xstrdup(p->block);
	if (p->only)
		r.only = xstrdup(p->only);
	if (!strcmp(p->keyword, "const")) {
		r.kind = INPUT_CONST;
		size = sizeof(((struct device_const *)0)->name);
	}
	r.name = metric_take_name(p, size);
	bool good = r.name && metric_take_unit(p, &r.unit_text, &r.unit);
	if (good && metric_peek(&p->line)) {
		r.text = metric_take_string(p);
		good = r.text && metric_at_end(p);
	}
	if (!good || !keep_raw(p, &r))
		metric_free_raw(&r);
}

/* --- set, its attributes, groups, lets --- */

static void read_set(struct metric_parser *p)
{
	struct set_draft *s = xcalloc(1, sizeof(*s));

	metric_build_set(p);
	s->place = metric_here(p, p->at);
	s->set = xcalloc(1, sizeof(*s->set));
	s->set->file = xstrdup(p->line.file);
	s->set->line = p->line.number;
	s->set->is_head = p->reading == READ_HEADS;
	char *name = metric_take_word(p, "the name of the set");
	if (name && strlen(name) >= SET_NAME_SIZE) {
		metric_problem(p, p->at, NULL, "the name of a set has at most %d bytes",
			SET_NAME_SIZE - 1);
		free(name);
		name = NULL;
	}
	s->set->name = name;
	if (s->set->name && metric_peek(&p->line))
		s->set->label = metric_take_string(p);
	s->dropped = !s->set->name || (!s->set->label && metric_peek(&p->line)) ||
		!metric_at_end(p);
	if (!s->set->label)
		s->set->label = xstrdup(s->dropped ? "" : s->set->name);
	p->set = s;
	p->context = CONTEXT_SET;
}

/* Of two sets of one name that a file has for a platform, the last one hides the other. */
static void tell_twin(struct metric_parser *p, const char *word, const char *platform)
{
	const struct metric_set *set = p->set->set;

	for (int i = p->first_set; i < p->lib->n_sets; i++) {
		const struct metric_set *other = p->lib->sets[i];

		if (set->name && !strcmp(other->name, set->name) &&
			metric_set_has_platform(other, platform))
			metric_problem(p, word, "the last one hides it",
				"set '%.60s' of '%.60s' is in line %d, too", set->name, platform,
				other->line);
	}
}

static void read_platforms(struct metric_parser *p)
{
	const char *word;
	size_t len;

	if (!metric_in_set(p))
		return;
	struct metric_set *set = p->set->set;
	if (!metric_peek(&p->line))
		metric_problem(p, p->line.p, NULL, "the names of platforms are missing here");
	while (metric_word(&p->line, &word, &len)) {
		char *name = xstrndup(word, len);

		if (metric_set_has_platform(set, name)) {
			free(name);
			continue;
		}
		tell_twin(p, word, name);
		set->platforms = xreallocarray(
			set->platforms, (size_t)set->n_platforms + 1, sizeof(*set->platforms));
		set->platforms[set->n_platforms++] = name;
	}
	metric_at_end(p);
}

static void read_directive(struct metric_parser *p)
{
	const char *args;

	if (!metric_in_set(p))
		return;
	p->context = CONTEXT_OTHER;
	metric_set_direct(p->set->set, p->keyword, metric_rest(&p->line, &args), p->line.file,
		p->line.number);
}

/* A counter counts one event: of two lines for it, one would be wrong and nobody would notice. */
static bool is_programmed(const struct metric_set *set, const char *word, size_t len)
{
	const struct set_directive *d;
	int pos = 0;

	while ((d = metric_set_directive(set, "program", &pos)))
		if (strcspn(d->args, " \t") == len && !strncmp(d->args, word, len))
			return true;
	return false;
}

static void read_program(struct metric_parser *p)
{
	struct metric_line line = p->line;
	const char *word;
	size_t len;

	if (p->set && metric_word(&line, &word, &len) && is_programmed(p->set->set, word, len)) {
		char *name = xstrndup(word, len);

		metric_problem(p, word, NULL, "'%s' is programmed twice", name);
		free(name);
	}
	read_directive(p);
}

static void free_group(struct metric_group *g)
{
	free(g->name);
	free(g->title);
	free(g->subtitle);
	free(g->why_empty);
	free(g->pane);
}

/* Takes over the group when it is good. One that another file defined keeps its place among the
 * panes. */
static bool keep_group(struct metric_parser *p, const struct metric_group *group)
{
	struct set_draft *s = p->set;
	struct text_place place = metric_here(p, p->at);
	size_t n = (size_t)s->set->n_groups, i = 0;

	while (i < n && strcmp(s->set->groups[i].name, group->name) != 0)
		i++;
	if (i == n) {
		s->set->groups = xreallocarray(s->set->groups, n + 1, sizeof(*s->set->groups));
		s->group_places = xreallocarray(s->group_places, n + 1, sizeof(*s->group_places));
		s->set->n_groups++;
	} else if (metric_replaces(&place, &s->group_places[i])) {
		free_group(&s->set->groups[i]);
	} else {
		return metric_problem(p, p->at, NULL,
			"there is a group '%s' in this set already", group->name);
	}
	s->set->groups[i] = *group;
	s->group_places[i] = place;
	return true;
}

/* With a title the line defines a pane; without one it names the pane of the current metric. */
static void read_group(struct metric_parser *p)
{
	struct metric_group group = { 0 };

	if (!metric_in_set(p))
		return;
	group.name = metric_take_word(p, "the name of a group");
	if (!group.name)
		return;
	if (p->context == CONTEXT_METRIC && !metric_peek(&p->line)) {
		struct metric_draft *d = &p->set->metrics[p->current];

		free(d->m.group);
		d->m.group = group.name;
		d->group_place = metric_here(p, p->at);
		return;
	}
	p->context = CONTEXT_OTHER;
	group.title = metric_take_string(p);
	if (group.title && metric_peek(&p->line) == '"')
		group.subtitle = metric_take_string(p);
	else
		group.subtitle = xstrdup("");
	if (group.subtitle && metric_peek(&p->line) == '"')
		group.why_empty = metric_take_string(p);
	if (group.subtitle && metric_peek(&p->line))
		group.pane = metric_take_word(p, "the name of a group");
	if (!group.title || !group.subtitle || !metric_at_end(p) || !keep_group(p, &group))
		free_group(&group);
}

/* "order NAME...": these metrics come first, wherever the set has them. Lines add up. */
static void read_order(struct metric_parser *p)
{
	const char *word;
	size_t len;

	if (!metric_in_set(p))
		return;
	p->context = CONTEXT_OTHER;
	struct set_draft *s = p->set;
	while (metric_word(&p->line, &word, &len)) {
		s->order = array_grow(s->order, s->n_order, &s->cap_order, sizeof(*s->order));
		s->order[s->n_order++] = xstrndup(word, len);
	}
	metric_at_end(p);
}

/* Takes over l when it is good. */
static bool keep_let(struct metric_parser *p, const char *name_at, const struct let_draft *l)
{
	struct set_draft *s = p->set;
	const struct name_entry *e = name_find(&s->names, l->name, strlen(l->name));

	if (e && e->kind == NAME_LET && metric_replaces(&l->place, &s->lets[e->index].place)) {
		struct let_draft gone = s->lets[e->index];

		s->lets[e->index] = *l;
		s->lets[e->index].name = gone.name;	/* the table points to it */
		gone.name = l->name;
		metric_free_let(&gone);
		return true;
	}
	if (s->n_lets >= METRIC_MAX_PER_SET)
		return metric_problem(
			p, p->at, NULL, "more than %d names in a set", METRIC_MAX_PER_SET);
	if (!metric_name_is_free(p, name_at, l->name))
		return false;
	s->lets = array_grow(s->lets, s->n_lets, &s->cap_lets, sizeof(*s->lets));
	s->lets[s->n_lets] = *l;
	name_add(&s->names, l->name, NAME_LET, (int)s->n_lets++);
	return true;
}

static void read_let(struct metric_parser *p)
{
	const char *name_at = metric_next(&p->line), *equation_at;
	struct let_draft l = { .place = metric_here(p, p->at) };

	if (!metric_in_set(p))
		return;
	p->context = CONTEXT_OTHER;
	l.name = metric_take_name(p, METRIC_NAME_SIZE);
	bool good = l.name && (metric_peek(&p->line) == '=' ||
				 metric_problem(p, p->line.p, NULL, "'=' is missing here"));
	if (good) {
		p->line.p++;
		l.part.text = metric_rest(&p->line, &equation_at);
		struct text_place place = metric_here(p, equation_at);
		l.part.file = place.file;
		l.part.line = place.line;
		l.part.column = place.column;
	}
	if (!good || !keep_let(p, name_at, &l))
		metric_free_let(&l);
}

/* --- files --- */

static void read_text_file(struct metric_parser *p, const char *file, const char *text);

static void read_include(struct metric_parser *p)
{
	const char *text = NULL;
	char *file;

	if (metric_peek(&p->line) == '"')
		file = metric_take_string(p);
	else
		file = metric_take_word(p, "the name of a file");
	if (!file)
		return;
	p->files = array_grow(p->files, p->n_files, &p->cap_files, sizeof(*p->files));
	p->files[p->n_files++] = file;	/* for messages */
	for (int i = 0; i < p->depth; i++) {
		if (!strcmp(p->chain[i], file)) {
			metric_problem(p, p->at, NULL, "'%.80s' includes itself", file);
			return;
		}
	}
	if (!metric_at_end(p))
		return;
	if (p->include)
		text = p->include(p->include_ctx, file);
	if (!text)
		metric_problem(p, p->at, NULL, "there is no file '%.80s' to include", file);
	else if (p->depth > METRIC_MAX_DEPTH)
		metric_problem(p, p->at, NULL, "files include each other more than %d deep",
			METRIC_MAX_DEPTH);
	else
		read_text_file(p, file, text);
	p->context = p->set ? CONTEXT_OTHER : CONTEXT_TOP;
}

static const struct {
	const char *keyword;
	void (*read)(struct metric_parser *p);
} statements[] = {
	/* Most lines are those of metrics, so these come first. */
	{ "metric", metric_read_metric },
	{ "text", metric_read_text },
	{ "label", metric_read_attribute },
	{ "unit", metric_read_attribute },
	{ "scope", metric_read_attribute },
	{ "value", metric_read_attribute },
	{ "max", metric_read_attribute },
	{ "flags", metric_read_attribute },
	{ "needs", metric_read_attribute },
	{ "origin", metric_read_attribute },
	{ "helps", metric_read_attribute },
	{ "roof", metric_read_attribute },
	{ "limit", metric_read_attribute },
	{ "formerly", metric_read_attribute },
	{ "include", read_include },
	{ "block", read_block },
	{ "for", read_for },
	{ "counter", read_raw },
	{ "gauge", read_raw },
	{ "const", read_raw },
	{ "set", read_set },
	{ "platforms", read_platforms },
	{ "program", read_program },
	{ "config", read_directive },
	{ "records_as", read_directive },
	{ "guid", read_directive },
	{ "registers", read_directive },
	{ "turns", read_directive },
	{ "glance", read_directive },
	{ "group", read_group },
	{ "order", read_order },
	{ "let", read_let },
	{ "cells", metric_read_cells },
	{ "cell", metric_read_cell },
};

static void unknown_statement(struct metric_parser *p, const char *word, size_t len)
{
	const char *hint = "rooftop-metrics(5) has all statements";
	char buf[80];
	int best = 3;

	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		const char *known = statements[i].keyword;
		int d = near_distance(word, len, known, strlen(known));

		if (d < best) {
			best = d;
			snprintf(buf, sizeof(buf), "did you mean '%s'?", known);
			hint = buf;
		}
	}
	metric_problem(p, word, hint, "unknown statement '%.*s'", (int)min_u64(len, 60), word);
}

static bool is_word(const char *word, size_t len, const char *known)
{
	return *word == *known && strlen(known) == len && !memcmp(known, word, len);
}

/* Whether the statement is one that is not read now. One that does not belong to a head ends it: a
 * text that follows is a metric's. */
static bool is_skipped(struct metric_parser *p, const char *word, size_t len)
{
	static const char *const head[] = { "set", "text", "platforms", "guid", "turns", "cells" };

	if (p->reading == READ_BODY && p->depth == 1 && is_word(word, len, "set"))
		p->passing = p->line.number != p->body_line;
	if (p->reading != READ_HEADS)
		return p->passing;
	for (size_t i = 0; i < ARRAY_LEN(head); i++) {
		if (is_word(word, len, head[i]))
			return !strcmp(head[i], "text") && p->context != CONTEXT_SET;
	}
	p->context = CONTEXT_OTHER;
	return true;
}

static void read_statement(struct metric_parser *p)
{
	const char *word;
	size_t len;

	if (!metric_word(&p->line, &word, &len)) {
		metric_problem(
			p, p->line.p, NULL, "a statement starts with a word, not with a text");
		return;
	}
	if (is_skipped(p, word, len))
		return;
	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		if (is_word(word, len, statements[i].keyword)) {
			p->keyword = statements[i].keyword;
			p->at = word;
			statements[i].read(p);
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
			metric_problem(p, NULL, NULL, "more than %d lines: the rest is not read",
				METRIC_MAX_LINES);
		else if (bad)
			metric_problem(
				p, bad, NULL, "there is a control character in this line");
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
	p->first_set = p->lib->n_sets;
	read_text_file(p, file, text);
	metric_build_set(p);
	for (size_t i = 0; i < p->n_raw; i++)
		metric_free_raw(&p->raw[i]);
	for (size_t i = 0; i < p->n_files; i++)
		free(p->files[i]);
	free(p->raw);
	free(p->files);
	name_clear(&p->raw_names);
	free(p->block);
	free(p->only);
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
