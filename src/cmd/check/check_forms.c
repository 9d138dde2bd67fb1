/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the reports of check as a table, CSV, JSON lines, TAP and JUnit XML. */
#include "config.h"

#include "cmd/check/check.h"

#include <math.h>
#include <stdio.h>

#include "out/lines/rows.h"
#include "base/json.h"
#include "base/mem.h"

#define LEVELS 3

static const struct column columns[] = {
	{ "device", NULL, 0, true },
	{ "name", NULL, 0, true },
	{ "level", NULL, 0, false },
	{ "check", "check", 16, true },
	{ "value", "value", 9, false },
	{ "sense", NULL, 0, true },
	{ "expected", NULL, 0, false },
	{ "expected_text", "expected", 12, true },
	{ "unit", "unit", 8, true },
	{ "reference", NULL, 0, false },
	{ "of_reference", NULL, 0, false },
	{ "tolerance", NULL, 0, false },
	{ "against", "against", 10, true },
	{ "verdict", "verdict", 12, true },
	{ "reason", "reason", 0, true },
	{ "sim", NULL, 0, false },
};

const char *check_expected_text(const struct check *c, double factor, char *buf, size_t size)
{
	double v = check_expected(c) * factor;
	char number[24];

	buf[0] = '\0';
	if (isfinite(v))
		snprintf(buf, size, "%s %s", c->sense == CHECK_AT_LEAST ? ">=" : "<=",
			check_number(number, sizeof(number), v));
	return buf;
}

static void add_row(const struct check_report *r, const struct check *c, struct rows *rows)
{
	static const char *const senses[] = { [CHECK_FACT] = "",
		[CHECK_AT_LEAST] = "at_least",
		[CHECK_AT_MOST] = "at_most" };
	double share = c->of_reference, tolerance = check_tolerance(c->tolerance);
	const bool is_text = rows->form == OUTPUT_NONE || rows->form == OUTPUT_TEXT;
	const struct unit_form unit = is_text ? check_unit(c) : (struct unit_form){ 1, c->unit };
	char expected[32], value[24] = "--";

	if (isfinite(c->value))
		check_number(value, sizeof(value), c->value * unit.factor);
	if (c->sense == CHECK_FACT)
		share = tolerance = NAN;
	rows_text(rows, r->device);
	rows_text(rows, r->name);
	rows_count(rows, c->level);
	rows_text(rows, c->id);
	rows_written(rows, c->value, value);
	rows_text(rows, senses[c->sense]);
	rows_number(rows, check_expected(c));
	rows_text(rows, check_expected_text(c, unit.factor, expected, sizeof(expected)));
	rows_text(rows, unit.unit);
	rows_number(rows, c->reference);
	rows_number(rows, share);
	rows_number(rows, tolerance);
	rows_text(rows, c->against);
	rows_text(rows, check_verdict_name(check_verdict_of(c)));
	rows_text(rows, c->reason);
	rows_bool(rows, r->simulated);
	rows_end(rows);
}

static void add_report(const struct check_report *r, struct rows *rows)
{
	for (int level = 1; level <= LEVELS; level++)
		for (size_t i = 0; i < r->n; i++)
			if (r->rows[i].level == level)
				add_row(r, &r->rows[i], rows);
}

static void add_summary(const struct check_report *r, struct strbuf *out)
{
	struct strbuf sentence = { 0 };

	check_sentence(r, &sentence);
	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_string(out, "device", r->device);
	json_string(out, "name", r->name);
	json_integer(out, "ok", check_count(r, CHECK_OK));
	json_integer(out, "info", check_count(r, CHECK_INFO));
	json_integer(out, "failed", check_count(r, CHECK_FAILED));
	json_integer(out, "not_measured", check_count(r, CHECK_NOT_MEASURED));
	json_string(out, "sentence", strbuf_str(&sentence));
	json_bool(out, "sim", r->simulated);
	strbuf_add(out, "}\n");
	strbuf_release(&sentence);
}

void check_rows(
	const struct check_report *reports, size_t n, enum output_form form, struct strbuf *out)
{
	bool text = form == OUTPUT_NONE || form == OUTPUT_TEXT;
	struct rows rows;

	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (size_t i = 0; i < n; i++) {
		if (text && n > 1)
			strbuf_addf(out, "%s\n", reports[i].device);
		add_report(&reports[i], &rows);
		if (form == OUTPUT_JSON)
			add_summary(&reports[i], out);
	}
	/* People find the end of all, whatever the number of devices is. */
	for (size_t i = 0; text && i < n; i++) {
		check_sentence(&reports[i], out);
		strbuf_addc(out, '\n');
	}
}

void check_tap(const struct check_report *reports, size_t n, struct strbuf *out)
{
	int points = 0;

	strbuf_add(out, "TAP version 13\n");
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < reports[i].n; k++) {
			const struct check *c = &reports[i].rows[k];

			strbuf_addf(out, "%sok %d - %s %s", c->verdict == CHECK_FAILED ? "not " : "",
				++points, reports[i].device, c->id);
			if (*c->against)
				strbuf_addf(out, " against %s", c->against);
			if (c->verdict == CHECK_NOT_MEASURED)
				strbuf_addf(out, " # SKIP %s", c->reason);
			strbuf_addc(out, '\n');
		}
		strbuf_add(out, "# ");
		check_sentence(&reports[i], out);
		strbuf_addc(out, '\n');
	}
	strbuf_addf(out, "1..%d\n", points);
}

/* Adds an attribute with its value. */
static void attribute(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, " %s=\"", name);
	strbuf_add_xml(out, value);
	strbuf_addc(out, '"');
}

/* The schema that CI systems read has suites of cases, each of which may have failed or have been
 * skipped (github.com/testmoapp/junitxml). */
static void junit_case(const struct check_report *r, const struct check *c, struct strbuf *out)
{
	char name[64], number[32], expected[32], message[700];

	snprintf(name, sizeof(name), "%s%s%s", c->id, *c->against ? " against " : "", c->against);
	strbuf_add(out, "  <testcase");
	attribute(out, "classname", r->device);
	attribute(out, "name", name);
	if (c->verdict == CHECK_OK) {
		strbuf_add(out, "/>\n");
		return;
	}
	const struct unit_form unit = check_unit(c);
	check_number(number, sizeof(number), c->value * unit.factor);
	check_expected_text(c, unit.factor, expected, sizeof(expected));
	snprintf(message, sizeof(message), "%s", c->reason);
	if (isfinite(c->value))
		snprintf(message, sizeof(message), "%s %s%s%s: %s", number, unit.unit,
			*expected ? ", expected " : "", expected, c->reason);
	strbuf_addf(out, "><%s", c->verdict == CHECK_FAILED ? "failure" : "skipped");
	attribute(out, "message", message);
	strbuf_add(out, "/></testcase>\n");
}

void check_junit(const struct check_report *reports, size_t n, struct strbuf *out)
{
	strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	for (size_t i = 0; i < n; i++) {
		const struct check_report *r = &reports[i];

		strbuf_add(out, " <testsuite");
		attribute(out, "name", "rooftop check");
		attribute(out, "hostname", r->device);
		strbuf_addf(out, " tests=\"%zu\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n", r->n,
			check_count(r, CHECK_FAILED), check_count(r, CHECK_NOT_MEASURED));
		for (size_t k = 0; k < r->n; k++)
			junit_case(r, &r->rows[k], out);
		strbuf_add(out, " </testsuite>\n");
	}
	strbuf_add(out, "</testsuites>\n");
}
