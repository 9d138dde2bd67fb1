/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of Intel's XML share: how problems are told, and how symbols become names. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "backends/intel/oa/oa_xml.h"

#define MAX_PROBLEMS 100

bool xml_problem_err(struct xml_problems *p, const struct err *err)
{
	if (p->count++ < MAX_PROBLEMS && p->fn)
		p->fn(p->ctx, err);
	return false;
}

bool xml_problem(struct xml_problems *p, const struct xml_place *at, const char *fmt, ...)
{
	char text[200];
	struct err err = { 0 };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(&err, ERR_PARSE, "%s:%d:%d: %s", p->file, at->line, at->column, text);
	return xml_problem_err(p, &err);
}

/* Letters are ASCII, whatever the locale says. */
static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool word_starts(const char *symbol, size_t i)
{
	char before = i ? symbol[i - 1] : '\0';

	if (!is_upper(symbol[i]))
		return false;
	return is_lower(before) || is_digit(before) ||
		(is_upper(before) && is_lower(symbol[i + 1]));
}

const char *oa_xml_snake_case(const char *symbol, char *buf, size_t size)
{
	size_t n = 0;

	if (is_digit(symbol[0]) && size > 1)
		buf[n++] = '_';
	for (size_t i = 0; symbol[i] && n + 2 < size; i++) {
		char c = symbol[i];

		if (word_starts(symbol, i))
			buf[n++] = '_';
		if (is_upper(c))
			c = (char)(c - 'A' + 'a');
		else if (!is_lower(c) && !is_digit(c))
			c = '_';
		buf[n++] = c;
	}
	buf[n] = '\0';
	return buf;
}
