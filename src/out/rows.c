/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes rows in three forms. */
#include "config.h"

#include "out/rows.h"

#include <assert.h>
#include <math.h>

#include "base/format.h"
#include "base/i18n.h"
#include "base/numeric.h"

#define COUNT_MAX 1e7

/* A cell of the text form, aligned. */
static void put(struct rows *r, const struct column *c, const char *text)
{
	int fill = c->width - format_columns(text);

	fill = fill > 0 ? fill : 0;
	if (!*text) {
		r->pad += c->width + 1;
		return;
	}
	strbuf_addf(r->out, "%*s%s", r->pad + (c->is_text ? 0 : fill), "", text);
	r->pad = 1 + (c->is_text ? fill : 0);
}

static void end_line(struct rows *r)
{
	strbuf_addc(r->out, '\n');
	r->pad = 0;
}

static void head(struct rows *r)
{
	for (int i = 0; i < r->n_columns && r->form != OUTPUT_JSON; i++) {
		const struct column *c = &r->columns[i];

		if (r->form == OUTPUT_CSV) {
			strbuf_add(r->out, i ? "," : "");
			strbuf_add_csv(r->out, c->name);
		} else if (c->head) {
			put(r, c, _(c->head));
		}
	}
	if (r->form != OUTPUT_JSON)
		end_line(r);
}

void rows_begin(struct rows *r, enum output_form form, const struct column *columns, int n_columns,
	struct strbuf *out)
{
	*r = (struct rows){ .form = form, .columns = columns, .n_columns = n_columns, .out = out };
	head(r);
}

/* What stands before a cell; the column, or NULL when this form leaves it out. */
static const struct column *next(struct rows *r)
{
	const struct column *c = &r->columns[r->at];
	bool first = r->at++ == 0;

	assert(r->at <= r->n_columns);
	if (r->form == OUTPUT_JSON) {
		strbuf_addc(r->out, first ? '{' : ',');
		strbuf_add_json(r->out, c->name);
		strbuf_addc(r->out, ':');
	} else if (r->form == OUTPUT_CSV) {
		strbuf_add(r->out, first ? "" : ",");
	} else if (!c->head) {
		return NULL;
	}
	return c;
}

void rows_text(struct rows *r, const char *text)
{
	const struct column *c = next(r);

	if (!c)
		return;
	if (r->form == OUTPUT_JSON && text)
		strbuf_add_json(r->out, text);
	else if (r->form == OUTPUT_JSON)
		strbuf_add(r->out, "null");
	else if (r->form == OUTPUT_CSV)
		strbuf_add_csv(r->out, text ? text : "");
	else
		put(r, c, text ? text : "--");
}

/* Counts as counts. */
static const char *cell(char *buf, size_t size, double v, int width)
{
	bool whole = fabs(v) < COUNT_MAX && !(floor(v) < v);

	if (whole)
		numeric_print(buf, size, "%.0f", v);
	return whole ? buf : format_number(buf, size, v, width);
}

void rows_number(struct rows *r, double v)
{
	const struct column *c = next(r);
	char buf[32];

	if (!c)
		return;
	if (r->form == OUTPUT_JSON || (r->form == OUTPUT_CSV && isfinite(v)))
		strbuf_add_double(r->out, v);
	else if (r->form != OUTPUT_CSV)
		put(r, c, cell(buf, sizeof(buf), v, c->width));
}

/* true in JSON, 1 in CSV. */
void rows_bool(struct rows *r, bool v)
{
	if (r->form == OUTPUT_JSON && next(r))
		strbuf_add(r->out, v ? "true" : "false");
	else if (r->form != OUTPUT_JSON)
		rows_number(r, v);
}

void rows_end(struct rows *r)
{
	assert(r->at == r->n_columns);
	if (r->form == OUTPUT_JSON)
		strbuf_addc(r->out, '}');
	end_line(r);
	r->at = 0;
}
