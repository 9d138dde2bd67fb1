/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the report of check as one page that can be mailed: it loads nothing and runs nothing. */
#include "config.h"

#include "cmd/check/check.h"

#include <math.h>
#include <time.h>

#include "out/picture/chart.h"
#include "base/mem.h"

/* Points of a curve in the picture; more would not be seen. */
#define POINTS 400

static const char style[] =
	"body{font:15px/1.5 sans-serif;color:#222;background:#fff;max-width:1100px;margin:2em auto;"
	"padding:0 1em}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}"
	"table{border-collapse:collapse;width:100%}th,td{padding:.25em .6em;text-align:left;"
	"border-bottom:1px solid #ddd;vertical-align:top}th{background:#f3f3f3}"
	".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
	".ok{color:#1b6e33}.failed{color:#a4161a;font-weight:bold}.not_measured{color:#666}"
	".answer{padding:.8em 1em;border-left:6px solid #1b6e33;background:#f1f8f3}"
	".answer.bad{border-color:#a4161a;background:#fcf1f1}svg{max-width:100%;height:auto}"
	"footer{margin-top:3em;color:#666;font-size:.85em}";

static void cell(struct strbuf *out, const char *kind, const char *text)
{
	strbuf_addf(out, *kind ? "<td class=\"%s\">" : "<td>", kind);
	strbuf_add_xml(out, text);
	strbuf_add(out, "</td>");
}

static void number_cell(struct strbuf *out, double v)
{
	char buf[32] = "--";

	if (isfinite(v))
		check_number(buf, sizeof(buf), v);
	cell(out, "n", buf);
}

static void add_row(const struct check *c, struct strbuf *out)
{
	const struct unit_form unit = check_unit(c);
	const char *verdict = check_verdict_name(check_verdict_of(c));
	char expected[32];

	strbuf_add(out, "<tr>");
	cell(out, "", c->id);
	number_cell(out, c->value * unit.factor);
	cell(out, "n", check_expected_text(c, unit.factor, expected, sizeof(expected)));
	cell(out, "", unit.unit);
	cell(out, "", c->against);
	number_cell(out, c->reference * unit.factor);
	if (c->sense == CHECK_FACT)
		cell(out, "n", "");
	else
		number_cell(out, c->of_reference * check_tolerance(c->tolerance));
	cell(out, verdict, verdict);
	cell(out, "", c->reason);
	strbuf_add(out, "</tr>\n");
}

static void add_table(const struct check_report *r, struct strbuf *out)
{
	static const char *const heads[] = { "check", "value", "expected", "unit",
		"against", "reference", "tolerance", "verdict", "reason" };

	strbuf_add(out, "<table><thead><tr>");
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		strbuf_add(out, "<th>");
		strbuf_add_xml(out, heads[i]);
		strbuf_add(out, "</th>");
	}
	strbuf_add(out, "</tr></thead><tbody>\n");
	for (int level = 1; level <= 3; level++)
		for (size_t i = 0; i < r->n; i++)
			if (r->rows[i].level == level)
				add_row(&r->rows[i], out);
	strbuf_add(out, "</tbody></table>\n");
}

static void add_curve(const struct check_report *r, const char *title, const char *unit,
	enum check_curve_of which, struct strbuf *out)
{
	double x[POINTS], y[POINTS];
	size_t step = r->curve.n / POINTS + 1;
	int n = 0;

	for (size_t i = 0; i < r->curve.n && n < POINTS; i += step) {
		if (!isfinite(r->curve.at[i].of[which]))
			continue;
		x[n] = r->curve.at[i].seconds;
		y[n++] = r->curve.at[i].of[which];
	}
	if (n == 0)
		return;
	const struct chart_series series = { .style = CHART_LINE, .x = x, .y = y, .n = n };
	const struct chart chart = { .title = title,
		.note = r->simulated ? "SIMULATED" : NULL,
		.x_label = "s",
		.y_label = unit,
		.series = &series,
		.n_series = 1 };
	chart_svg(&chart, out);
}

static void add_report(const struct check_report *r, struct strbuf *out)
{
	struct strbuf sentence = { 0 };
	bool bad = check_count(r, CHECK_FAILED) > 0 || check_count(r, CHECK_OK) == 0;

	check_sentence(r, &sentence);
	strbuf_add(out, "<h1>");
	strbuf_add_xml(out, r->device);
	strbuf_add(out, ": ");
	strbuf_add_xml(out, r->name);
	if (r->simulated)
		strbuf_addf(out, " (%s)", "SIMULATED");
	strbuf_addf(out, "</h1>\n<p class=\"answer%s\">", bad ? " bad" : "");
	strbuf_add_xml(out, strbuf_str(&sentence));
	strbuf_add(out, "</p>\n");
	add_table(r, out);
	if (r->roofline_svg) {
		strbuf_addf(out, "<h2>%s</h2>\n", "Roofline");
		strbuf_add(out, r->roofline_svg);
	}
	if (r->curve.n > 0) {
		strbuf_addf(out, "<h2>%s</h2>\n", "Long load");
		add_curve(r, "Clock", "MHz", CURVE_MHZ, out);
		add_curve(r, "Power", "W", CURVE_W, out);
		add_curve(r, "Temperature", "\xc2\xb0" "C", CURVE_DEGC, out);
	}
	strbuf_release(&sentence);
}

void check_html(const struct check_report *reports, size_t n, int64_t wall_ns, struct strbuf *out)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char when[64];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &tm);
	strbuf_addf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
		"<meta name=\"viewport\" content=\"width=device-width\"><title>%s</title>"
		"<style>%s</style></head><body>\n",
		"rooftop check", style);
	for (size_t i = 0; i < n; i++)
		add_report(&reports[i], out);
	strbuf_addf(out, "<h2>%s</h2>\n<table><tbody>\n", "Tolerances");
	for (int t = 0; t < CHECK_TOLERANCES; t++) {
		strbuf_add(out, "<tr>");
		cell(out, "", check_tolerance_name((enum check_tolerance)t));
		number_cell(out, check_tolerance((enum check_tolerance)t));
		cell(out, "", check_tolerance_text((enum check_tolerance)t));
		strbuf_add(out, "</tr>\n");
	}
	strbuf_addf(out, "</tbody></table>\n<footer>rooftop %s, %s</footer>\n</body></html>\n",
		PACKAGE_VERSION, when);
}
