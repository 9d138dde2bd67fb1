/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the tolerances, and gives checks their verdicts. */
#include "config.h"

#include "cmd/check/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/mem.h"
#include "base/numeric.h"

static const struct {
	const char *name, *text;
	double value;
} tolerances[] = {
#define X(id, name, value, text) [CHECK_TOLERANCE_##id] = { name, text, value },
	CHECK_TOLERANCE_LIST(X)
#undef X
};

double check_tolerance(enum check_tolerance t)
{
	return tolerances[t].value;
}

const char *check_tolerance_name(enum check_tolerance t)
{
	return tolerances[t].name;
}

const char *check_tolerance_text(enum check_tolerance t)
{
	return tolerances[t].text;
}

const char *check_verdict_name(enum check_verdict v)
{
	static const char *const names[] = { [CHECK_OK] = "ok",
		[CHECK_FAILED] = "failed",
		[CHECK_NOT_MEASURED] = "not_measured",
		[CHECK_INFO] = "info" };

	return names[v];
}

enum check_verdict check_verdict_of(const struct check *c)
{
	if (c->verdict == CHECK_OK && !isfinite(check_expected(c)))
		return CHECK_INFO;
	return c->verdict;
}

struct check *check_add(struct check_report *r, int level, const char *id, const char *unit)
{
	r->rows = array_grow(r->rows, r->n, &r->cap, sizeof(*r->rows));
	struct check *c = &r->rows[r->n++];
	*c = (struct check){ .level = level,
		.unit = unit,
		.value = NAN,
		.reference = NAN,
		.of_reference = 1,
		.against = "" };
	snprintf(c->id, sizeof(c->id), "%s", id);
	return c;
}

double check_expected(const struct check *c)
{
	double t = check_tolerance(c->tolerance);

	if (c->sense == CHECK_FACT)
		return NAN;
	/* These are numbers; the others are factors. */
	if (c->tolerance == CHECK_TOLERANCE_HELD_PCT || c->tolerance == CHECK_TOLERANCE_STAMP_PCT ||
		c->tolerance == CHECK_TOLERANCE_NONE)
		return t;
	return c->reference * c->of_reference * t;
}

bool check_is_worse(enum check_sense sense, double value, double than)
{
	if (sense == CHECK_AT_LEAST)
		return value < than;
	return value > than;
}

struct check *check_compare(struct check_report *r, const struct check *wanted)
{
	struct check *c = check_add(r, wanted->level, wanted->id, wanted->unit);

	*c = *wanted;
	double expected = check_expected(c);
	if (!isfinite(c->value)) {
		c->verdict = CHECK_NOT_MEASURED;
	} else if (!isfinite(expected)) {
		c->verdict = CHECK_NOT_MEASURED;
		if (!*c->reason)
			snprintf(c->reason, sizeof(c->reason), "%s",
				"nothing says what it should be");
	} else {
		r->n_against += !strcmp(c->against, "file");
		if (check_is_worse(c->sense, c->value, expected))
			c->verdict = CHECK_FAILED;
	}
	return c;
}

void check_say(struct check *c, enum check_verdict v, const char *fmt, ...)
{
	va_list ap;

	c->verdict = v;
	va_start(ap, fmt);
	vsnprintf(c->reason, sizeof(c->reason), fmt, ap);
	va_end(ap);
}

int check_count(const struct check_report *r, enum check_verdict v)
{
	int n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += check_verdict_of(&r->rows[i]) == v;
	return n;
}

const char *check_number(char *buf, size_t size, double v)
{
	if (fabs(v) >= 1000)
		numeric_print(buf, size, "%.0f", v);
	else
		numeric_print(buf, size, "%.4g", v);
	return buf;
}

struct unit_form check_unit(const struct check *c)
{
	return unit_for_people(c->unit, fmax(fabs(c->value), fabs(check_expected(c))));
}

/* Adds "roof.DRAM 17.4 GB/s where at least 26.1 are expected". */
static void add_failure(const struct check *c, struct strbuf *out)
{
	const struct unit_form unit = check_unit(c);
	char number[64];

	strbuf_add(out, c->id);
	if (*c->against)
		strbuf_addf(out, " against %s", c->against);
	if (!isfinite(c->value) || !isfinite(check_expected(c))) {
		strbuf_addf(out, " (%s)", c->reason);
		return;
	}
	strbuf_addf(out, " %s", check_number(number, sizeof(number), c->value * unit.factor));
	check_number(number, sizeof(number), check_expected(c) * unit.factor);
	if (*unit.unit)
		strbuf_addf(out, " %s", unit.unit);
	strbuf_addc(out, ' ');
	if (c->sense == CHECK_AT_LEAST)
		strbuf_addf(out, "(at least %s)", number);
	else
		strbuf_addf(out, "(at most %s)", number);
}

void check_sentence(const struct check_report *r, struct strbuf *out)
{
	int failed = check_count(r, CHECK_FAILED), missing = check_count(r, CHECK_NOT_MEASURED);
	int passed = check_count(r, CHECK_OK);
	const char *before = "";

	strbuf_addf(out, "%s%s ", r->device, r->simulated ? " (SIMULATED)" : "");
	if (r->interrupted)
		strbuf_add(out, "was not checked to the end; so far it ");
	if (r->status != STATUS_GOOD) {
		/* The way out stands in the row. */
		const char *reason = r->rows[r->n - 1].reason, *end = strstr(reason, "; ");

		strbuf_add(out, "could not be checked: ");
		strbuf_addn(out, reason, end ? (size_t)(end - reason) : strlen(reason));
	} else if (failed + passed == 0) {
		/* Nothing was wrong, but nothing was right either. */
		strbuf_addf(out,
			"has no fault to be seen, but nothing could be compared: not measured %d",
			missing);
	} else if (failed == 0) {
		strbuf_addf(out, "is all right as far as this looked: checks passed %d, not measured %d",
			passed, missing);
	} else {
		strbuf_addf(out, "is not all right: checks failed %d, passed %d, not measured %d: ",
			failed, passed, missing);
		for (size_t i = 0; i < r->n; i++) {
			if (r->rows[i].verdict != CHECK_FAILED)
				continue;
			strbuf_add(out, before);
			add_failure(&r->rows[i], out);
			before = "; ";
		}
	}
}

void check_report_release(struct check_report *r)
{
	free(r->rows);
	free(r->roofline_svg);
	free(r->curve.at);
	*r = (struct check_report){ 0 };
}

bool check_is_like(const struct check_report *r, const struct csv_table *t, size_t row)
{
	bool simulated = csv_table_number(t, row, csv_table_column(t, "sim")) > 0;

	return simulated == r->simulated &&
		!strcmp(csv_table_text(t, row, csv_table_column(t, "name")), r->name);
}

/* What has failed there is nothing to expect; of several devices of that name the middle counts. */
double check_other(const struct check_run *c, const char *id)
{
	const struct csv_table *t = c->against;
	int n = 0;

	if (!t)
		return NAN;
	int check = csv_table_column(t, "check"), value = csv_table_column(t, "value"),
	    verdict = csv_table_column(t, "verdict");
	double *v = xcalloc(t->n_rows + 1, sizeof(*v));
	for (size_t i = 0; i < t->n_rows; i++) {
		double x = csv_table_number(t, i, value);

		if (!strcmp(csv_table_text(t, i, check), id) && x > 0 && isfinite(x * 1e9) &&
			check_is_like(c->report, t, i) &&
			strcmp(csv_table_text(t, i, verdict),
				check_verdict_name(CHECK_FAILED)) != 0)
			v[n++] = x;
	}
	double found = sort_median(v, n);
	free(v);
	return found;
}
