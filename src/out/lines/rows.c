/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes rows in three forms. */
#include "config.h"

#include "out/lines/rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/numeric.h"

#define COUNT_MAX 1e7

/* Writes a cell of the text form, aligned. */
static void put(struct rows *r, const struct column *c, const char *text)
{
	int fill = c->width - format_columns(text);

	if (!*text) {
		r->pad += c->width + 1;
		return;
	}
	if (fill < 0)
		fill = 0;
	if (!c->is_text) {
		r->pad += fill;
		fill = 0;
	}
	strbuf_addf(r->out, "%*s%s", r->pad, "", text);
	r->pad = 1 + fill;
}

static void end_line(struct rows *r)
{
	strbuf_addc(r->out, '\n');
	r->pad = 0;
}

void rows_begin(struct rows *r, enum output_form form, const struct column *columns, int n_columns,
	struct strbuf *out)
{
	*r = (struct rows){ .form = form, .columns = columns, .n_columns = n_columns, .out = out };
	if (form == OUTPUT_JSON)
		return;
	for (int i = 0; i < n_columns; i++) {
		const struct column *c = &columns[i];

		if (form == OUTPUT_CSV) {
			if (i > 0)
				strbuf_addc(out, ',');
			strbuf_add_csv(out, c->name);
		} else if (c->head) {
			put(r, c, c->head);
		}
	}
	end_line(r);
}

/* Writes what stands before a cell. Returns the cell's column, or NULL when this form leaves it
 * out. */
static const struct column *next(struct rows *r)
{
	const struct column *c = &r->columns[r->at];
	bool first = r->at++ == 0;

	assert(r->at <= r->n_columns);
	if (r->form == OUTPUT_JSON) {
		if (first) {
			strbuf_addc(r->out, '{');
			json_integer(r->out, "v", 1);
		}
		json_key(r->out, c->name);
	} else if (r->form == OUTPUT_CSV) {
		if (!first)
			strbuf_addc(r->out, ',');
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
		strbuf_add_csv(r->out, text_or(text, ""));
	else
		put(r, c, text ? text : "--");
}

static void add_number(struct rows *r, double v, bool estimated, bool is_count)
{
	const struct column *c = next(r);
	char buf[33] = "", *number = buf;

	if (!c)
		return;
	if (r->form == OUTPUT_JSON || (r->form == OUTPUT_CSV && isfinite(v))) {
		strbuf_add_double(r->out, v);
	} else if (r->form != OUTPUT_CSV) {
		if (estimated && isfinite(v))
			*number++ = '~';
		if (is_count && fabs(v) < COUNT_MAX)
			numeric_print(number, sizeof(buf) - 1, "%.0f", v);
		else
			format_people(number, sizeof(buf) - 1, v, c->width - (int)(number - buf));
		put(r, c, buf);
	}
}

void rows_count(struct rows *r, double v)
{
	add_number(r, v, false, true);
}

void rows_written(struct rows *r, double v, const char *text)
{
	if (r->form == OUTPUT_JSON || r->form == OUTPUT_CSV)
		rows_number(r, v);
	else
		rows_text(r, text);
}

void rows_number(struct rows *r, double v)
{
	add_number(r, v, false, false);
}

static bool is_for_people(const struct rows *r)
{
	return r->form != OUTPUT_JSON && r->form != OUTPUT_CSV;
}

void rows_giga(struct rows *r, double v)
{
	rows_number(r, is_for_people(r) ? v * 1e9 : v);
}

void rows_in(struct rows *r, const char *unit, double largest)
{
	r->unit = (struct unit_form){ 1, unit };
	if (is_for_people(r))
		r->unit = unit_for_people(unit, largest);
}

void rows_unit(struct rows *r)
{
	rows_text(r, r->unit.unit);
}

void rows_scaled(struct rows *r, double v, bool estimated)
{
	/* As on the screen: nobody reads parts of a MHz. */
	bool is_whole = !strcmp(r->unit.unit, "MHz") || !strcmp(r->unit.unit, "rpm");

	add_number(r, v * r->unit.factor, estimated, is_whole);
}

/* Writes true in JSON and 1 in CSV. */
void rows_bool(struct rows *r, bool v)
{
	if (r->form != OUTPUT_JSON)
		rows_count(r, v);
	else if (next(r))
		strbuf_add(r->out, v ? "true" : "false");
}

void rows_end(struct rows *r)
{
	assert(r->at == r->n_columns);
	if (r->form == OUTPUT_JSON)
		strbuf_addc(r->out, '}');
	end_line(r);
	r->at = 0;
}
