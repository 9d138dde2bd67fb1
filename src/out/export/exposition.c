/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes families and samples. */
#include "config.h"

#include "out/export/exposition.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Adds text with backslash, newline and, where asked for, the quote escaped. */
static void add_escaped(struct strbuf *out, const char *text, bool quotes)
{
	uint32_t code;

	while (*text) {
		size_t len = utf8_decode(text, &code);

		if (len == 0) {
			strbuf_add(out, "\xef\xbf\xbd");
			text++;
			continue;
		}
		if (*text == '\n')
			strbuf_add(out, "\\n");
		else if (*text == '\\' || (quotes && *text == '"'))
			strbuf_addf(out, "\\%c", *text);
		else
			strbuf_addn(out, text, len);
		text += len;
	}
}

void exposition_family(struct exposition *e, const char *name, enum exposition_type type,
	const char *unit, const char *help)
{
	static const char *const words[] = {
		[EXPOSITION_GAUGE] = "gauge", [EXPOSITION_COUNTER] = "counter", [EXPOSITION_INFO] = "info"
	};
	static const char *const suffixes[] = {
		[EXPOSITION_GAUGE] = "", [EXPOSITION_COUNTER] = "_total", [EXPOSITION_INFO] = "_info"
	};
	bool is_text = e->form == EXPOSITION_TEXT;
	const char *word = words[type], *family = name;

	snprintf(e->sample, sizeof(e->sample), "%s%s", name, suffixes[type]);
	if (is_text) {
		/* This form calls a family as its samples are called, and knows no info. */
		family = e->sample;
		if (type == EXPOSITION_INFO)
			word = words[EXPOSITION_GAUGE];
	}
	strbuf_addf(e->out, "# TYPE %s %s\n", family, word);
	if (!is_text && *unit)
		strbuf_addf(e->out, "# UNIT %s %s\n", family, unit);
	strbuf_addf(e->out, "# HELP %s ", family);
	add_escaped(e->out, help, !is_text);
	strbuf_addc(e->out, '\n');
}

void exposition_begin(struct exposition *e)
{
	strbuf_add(e->out, e->sample);
	e->has_labels = false;
}

void exposition_label(struct exposition *e, const char *name, const char *value)
{
	strbuf_addc(e->out, e->has_labels ? ',' : '{');
	strbuf_add(e->out, name);
	strbuf_add(e->out, "=\"");
	add_escaped(e->out, value, true);
	strbuf_addc(e->out, '"');
	e->has_labels = true;
}

void exposition_begin_of(struct exposition *e, const char *name, const struct device *d)
{
	exposition_begin(e);
	exposition_label(e, "device", name);
	if (d->simulated)
		exposition_label(e, "sim", "true");
	if (d->recorded)
		exposition_label(e, "recorded", "true");
}

/* Most numbers are 0, 1 or another small integer, which need no search for their shortest text. */
static void add_number(struct strbuf *out, double v)
{
	char digits[24];
	size_t at = sizeof(digits);

	if (!(v >= 0 && v < 1e15 && !(v - floor(v) > 0))) {
		strbuf_add_double(out, v);
		return;
	}
	uint64_t n = (uint64_t)v;
	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	strbuf_addn(out, digits + at, sizeof(digits) - at);
}

void exposition_end(struct exposition *e, double v)
{
	strbuf_add(e->out, e->has_labels ? "} " : " ");
	add_number(e->out, v);
	strbuf_addc(e->out, '\n');
}

void exposition_finish(struct exposition *e)
{
	if (e->form == EXPOSITION_OPENMETRICS)
		strbuf_add(e->out, "# EOF\n");
}
