/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes statements of metric files apart, and reports what is missing or wrong in them. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/metric/metric_priv.h"

/* --- problems --- */

void metric_report(struct metric_parser *p, const struct err *err)
{
	struct err last = { 0 };

	p->problems++;
	if (!p->problem || p->problems > METRIC_MAX_REPORTED)
		return;
	p->problem(p->problem_ctx, err);
	if (p->problems == METRIC_MAX_REPORTED) {
		err_set(&last, ERR_PARSE,
			"%s:%d:%d: too many problems: the others are not shown", p->chain[0],
			p->line.number, 1);
		p->problem(p->problem_ctx, &last);
	}
}

__attribute__((format(printf, 4, 0))) static bool report(struct metric_parser *p,
	const struct text_place *place, const char *hint, const char *fmt, va_list ap)
{
	struct err err = { 0 };
	char what[256];

	vsnprintf(what, sizeof(what), fmt, ap);
	err_set(&err, ERR_PARSE, "%s:%d:%d: %s", place->file, place->line, place->column, what);
	if (hint)
		err_hint(&err, "%s", hint);
	metric_report(p, &err);
	return false;
}

bool metric_problem(struct metric_parser *p, const char *at, const char *hint, const char *fmt, ...)
{
	struct text_place place = metric_here(p, at);
	va_list ap;

	va_start(ap, fmt);
	report(p, &place, hint, fmt, ap);
	va_end(ap);
	return false;
}

bool metric_problem_at(struct metric_parser *p, const struct text_place *place, const char *hint,
	const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(p, place, hint, fmt, ap);
	va_end(ap);
	return false;
}

struct text_place metric_here(struct metric_parser *p, const char *at)
{
	struct text_place place = { .file = p->line.file };

	if (!at)
		at = strbuf_str(&p->line.text);
	metric_place(&p->line, at, &place.line, &place.column);
	return place;
}

/* --- pieces of statements --- */

/* Returns the next word as a new string, or NULL, reported as a missing "what", when there is
 * none. */
char *metric_take_word(struct metric_parser *p, const char *what)
{
	const char *word;
	size_t len;

	if (metric_word(&p->line, &word, &len))
		return xstrndup(word, len);
	metric_problem(p, p->line.p, NULL, "%s is missing here", what);
	return NULL;
}

char *metric_take_name(struct metric_parser *p, size_t size)
{
	const char *at = metric_next(&p->line);
	char *name = metric_take_word(p, "a name");

	if (name && (!metric_is_name(name, strlen(name)) || strlen(name) >= size)) {
		metric_problem(p, at, NULL,
			"'%.60s' is not a name: letters, digits, '_' and '.', at most %d", name,
			(int)size - 1);
		free(name);
		name = NULL;
	}
	return name;
}

char *metric_take_string(struct metric_parser *p)
{
	const char *at = metric_next(&p->line);
	char *s = metric_string(&p->line);

	if (!s && *at == '"')
		metric_problem(p, at, NULL, "the closing '\"' is missing");
	else if (!s)
		metric_problem(p, at, NULL, "a text in double quotes is missing here");
	return s;
}

/* Without this check, words after the last argument would be ignored silently. */
bool metric_at_end(struct metric_parser *p)
{
	return !metric_peek(&p->line) ||
		metric_problem(p, p->line.p, NULL, "nothing more is expected on this line");
}

bool metric_in_set(struct metric_parser *p)
{
	return p->set ||
		metric_problem(p, p->at, NULL,
			"this belongs to a set: a line 'set NAME' must come first");
}

bool metric_name_is_free(struct metric_parser *p, const char *at, const char *name)
{
	size_t len = strlen(name);

	if (!name_find(&p->raw_names, name, len) &&
		!(p->set && name_find(&p->set->names, name, len)))
		return true;
	return metric_problem(p, at, NULL, "the name '%s' is taken already", name);
}

bool metric_replaces(const struct text_place *place, const struct text_place *old)
{
	return strcmp(place->file, old->file) != 0 || place->line == old->line;
}

bool metric_take_unit(struct metric_parser *p, char **text, struct unit *unit)
{
	const char *at = metric_next(&p->line);
	struct err err = { 0 };

	*text = metric_take_word(p, "a unit");
	if (!*text)
		return false;
	if (unit_parse(*text, strlen(*text), unit, &err))
		return true;
	metric_problem(p, at, NULL, "%s", err.msg);
	free(*text);
	*text = NULL;
	return false;
}
