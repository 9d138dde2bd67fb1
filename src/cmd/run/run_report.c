/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports what was counted around a command. */
#include "config.h"

#include "cmd/run/gathered.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/run/run.h"
#include "cmd/run/run_options.h"
#include "out/lines/rows.h"
#include "out/lines/parts.h"
#include "out/lines/writer.h"
#include "base/json.h"
#include "base/minmax.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

#define KIND(kind) (1u << (kind))

/* Whether the metric reads an input of these kinds, itself or by other metrics. */
static bool reads_kinds(const struct metric_set *set, const struct metric *m, unsigned kinds)
{
	struct expr *const equations[] = { m->value, m->ceiling };
	unsigned found = 0;

	for (size_t k = 0; k < ARRAY_LEN(equations); k++) {
		int n;
		const int *inputs = metric_rests_on(set, equations[k], &n);

		for (int i = 0; i < n; i++)
			found |= kinds & KIND(set->inputs[inputs[i]].kind);
	}
	return found != 0;
}

/* Whether the set counts clocks: these are the total of its clock rate, and there is no second
 * one. */
static bool counts_clocks(const struct metric_set *set)
{
	struct unit cycle;

	for (int i = 0; i < set->n_metrics && unit_parse("cycle", 5, &cycle, NULL); i++)
		if (unit_same_dims(&set->metrics[i].unit, &cycle))
			return true;
	return false;
}

/* Whether the time of a run makes an amount of the metric: not of what could be at most, not of a
 * limit, and not of a clock that was asked for or read at some moment. */
static bool has_total(const struct metric_set *set, const struct metric *m)
{
	struct unit hertz;
	bool is_clock = unit_parse("Hz", 2, &hertz, NULL) && unit_same_dims(&m->unit, &hertz);

	if (m->roof == ROOF_FLOP || m->roof == ROOF_BYTES)
		return false;
	/* A limit in watts, of constants alone, is no energy. */
	if (!set->from_xml &&
		(expr_takes_least(m->value) || !reads_kinds(set, m, ~KIND(INPUT_CONST))))
		return false;
	if (!is_clock)
		return true;
	/* The states of moments are no rates. */
	return !counts_clocks(set) &&
		(set->from_xml || !reads_kinds(set, m, KIND(INPUT_COUNTER)));
}

/* Makes the unit of an amount, which is a rate times the time: "GB/s" gives "GB", W gives J, Hz
 * gives cycles. It is "" for a metric that has none. */
void run_cmd_amount_unit(
	const struct metric_set *set, const struct metric *m, char *buf, size_t size)
{
	static const char *const units[][2] = { { "/s", "" }, { "W", "J" }, { "Hz", "cycle" } };
	const char *rate = writer_unit(m);
	size_t len = strlen(rate);

	buf[0] = '\0';
	if (m->unit.exp[UNIT_SECOND] != -1 || !has_total(set, m))
		return;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		size_t tail = strlen(units[i][0]);

		if (len < tail || strcmp(rate + len - tail, units[i][0]))
			continue;
		snprintf(buf, size, "%.*s%s", (int)(len - tail), rate, units[i][1]);
		return;
	}
}

/* The middle of several numbers and how far they go. */
struct range {
	double median, min, max;	/* NAN when there is no number */
};

/* Sorts the numbers. */
static struct range range_of(double *v, int n)
{
	double median = sort_median(v, n);

	if (n == 0)
		return (struct range){ NAN, NAN, NAN };
	return (struct range){ median, v[0], v[n - 1] };
}

/* Says how a member of struct one_run that is a double goes over the runs. */
static struct range range_at(const struct around *r, size_t member)
{
	double *v = xcalloc((size_t)r->n_runs, sizeof(*v));

	for (int i = 0; i < r->n_runs; i++)
		memcpy(&v[i], (const char *)&r->runs[i] + member, sizeof(*v));
	struct range s = range_of(v, r->n_runs);
	free(v);
	return s;
}

#define RANGE(r, member) range_at(r, offsetof(struct one_run, member))

/* Of a rate: its mean over the time in which it was measured. */
static double total_of(const struct one_run *run, int metric)
{
	return run->values[metric].v * run->seconds * run->shares[metric];
}

/* Says how a metric goes over the runs that have it; its amounts are of the same runs. */
static struct range metric_range(const struct around *r, int metric, struct range *amounts)
{
	double *v = xcalloc(2 * (size_t)r->n_runs, sizeof(*v)), *amount = v + r->n_runs;
	int n = 0;

	for (int i = 0; i < r->n_runs; i++) {
		if (r->runs[i].values[metric].why != WHY_OK)
			continue;
		v[n] = r->runs[i].values[metric].v;
		amount[n] = total_of(&r->runs[i], metric);
		n++;
	}
	struct range s = range_of(v, n);
	*amounts = range_of(amount, n);
	free(v);
	return s;
}

const struct one_run *run_middle(const struct around *r)
{
	double median = RANGE(r, seconds).median;
	const struct one_run *best = r->runs;

	for (int i = 1; i < r->n_runs; i++)
		if (fabs(r->runs[i].seconds - median) < fabs(best->seconds - median))
			best = &r->runs[i];
	return best;
}

static bool is_simulated(const struct around *r)
{
	return r->counts && r->session->dev->device.simulated;
}

/* Returns what stands before lines about a simulated device. */
static const char *sim_mark(const struct around *r)
{
	return is_simulated(r) ? "SIM " : "";
}

/* Says what was counted: counters do not know who made the device work. */
static void report_scope(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;

	if (!r->counts)
		return;
	strbuf_addf(out, "%s (%s), metric set %s", ses->dev->device.id, ses->dev->device.name,
		run_set(r)->name);
	if (is_simulated(r))
		strbuf_add(out, ", SIMULATED");
	if (ses->want->has_context)
		strbuf_add(out, "; counted while the hardware context of --context ran\n");
	else if (ses->dev->device.has_oa_reports)
		strbuf_add(out, "; counted on the whole device, whoever used it; --context counts one context alone\n");
	else if (ses->dev->device.is_processor)
		strbuf_add(out, "; counted on the whole machine, whoever ran there\n");
	else
		strbuf_add(out, "; counted on the whole device, whoever used it\n");
	run_clients_report(&r->clients, THE_DEVICE, out);
}

static void report_head(const struct around *r, struct strbuf *out)
{
	const struct range seconds = RANGE(r, seconds);
	struct strbuf words = { 0 };

	for (int i = 0; i < r->n_words; i++)
		strbuf_add_word(&words, " ", r->words[i]);
	strbuf_addf(out, "%srooftop: %s\n", sim_mark(r), strbuf_str(&words));
	report_scope(r, out);
	if (r->n_runs > 1)
		strbuf_addf(out,
			"medians of %d runs, which took %.6f to %.6f s; what limited the device is "
			"that of run %d, whose time is nearest to the median\n",
			r->n_runs, seconds.min, seconds.max, (int)(run_middle(r) - r->runs) + 1);
	strbuf_addf(out, "%.6f s elapsed, %.6f s user, %.6f s system", seconds.median,
		RANGE(r, user_s).median, RANGE(r, system_s).median);
	if (r->counts) {
		strbuf_addf(out, r->windows == 1 ? ", %llu window" : ", %llu windows",
			(unsigned long long)r->windows);
		strbuf_addf(out,
			r->lost == 1 ? ", %llu loss of reports" : ", %llu losses of reports",
			(unsigned long long)r->lost);
	}
	strbuf_add(out, "\n\n");
	strbuf_release(&words);
}

/* Says what limited the device, and why. */
static void report_answer(const struct around *r, struct strbuf *out)
{
	const struct verdict *v = &run_middle(r)->verdict;
	struct strbuf because = { 0 };
	char text[240];

	strbuf_addf(out, "\n%s%s\n", sim_mark(r), verdict_sentence(v, false, text, sizeof(text)));
	for (int i = 0; i < VERDICT_BECAUSE; i++)
		if (*verdict_because(v, i, false, text, sizeof(text)))
			strbuf_add_word(&because, "; ", text);
	if (because.len)
		strbuf_addf(out, "because %s\n", strbuf_str(&because));
	strbuf_addc(out, '\n');
	strbuf_release(&because);
}

enum { MEAN_MIN = 8, MEAN_MAX, RUNS, PERCENTILES };

/* A word, or where that says nothing the sentence. */
static const char *why_in_words(enum why why)
{
	const char *brief = why_brief(why);

	if (!strcmp(brief, why_brief(WHY_UNSUPPORTED)))
		return why_text(why);
	return brief;
}

/* Less than that of the time is told. */
#define WHOLE_SHARE 0.99

/* What has no value was not measured at all. */
static double share_of(const struct one_run *run, int metric)
{
	return run->values[metric].why == WHY_OK ? run->shares[metric] : 0;
}

/* Finds the run in which the metric was measured for the smallest share of the time. Returns NULL
 * where it was measured in all of each. */
static const struct one_run *least_measured(const struct around *r, int metric)
{
	const struct one_run *least = NULL;

	for (int i = 0; i < r->n_runs; i++)
		if (share_of(&r->runs[i], metric) < WHOLE_SHARE &&
			(!least || share_of(&r->runs[i], metric) < share_of(least, metric)))
			least = &r->runs[i];
	return least;
}

/* Writes why a metric has no value, or none for a part of the time; "" when it has one. */
static void reason_of(const struct around *r, int metric, bool in_words, char *buf, size_t size)
{
	const struct one_run *part = least_measured(r, metric);
	bool none = run_why_none(r, metric) != WHY_OK;
	enum why why = WHY_OK;

	if (part)
		why = part->values[metric].why;
	if (part && why == WHY_OK)
		why = part->whys[metric];
	if (why == WHY_OK)
		*buf = '\0';
	else if (!in_words)
		snprintf(buf, size, "%s", why_name(why));
	else if (none)
		snprintf(buf, size, "%s", why_in_words(why));
	else
		snprintf(buf, size, "%.3g of %.3g s; else %s", share_of(part, metric) * part->seconds,
			part->seconds, why_in_words(why));
}

/* Writes a mean, a total or a percentile of a metric. */
static void add_value(struct rows *rows, const struct metric *m, double v)
{
	if (m->flags & METRIC_INTEGER)
		rows_count(rows, v);
	else
		rows_scaled(rows, v, m->flags & METRIC_ESTIMATED);
}

/* Adds a figure of windows, which lines of text leave out where the metric has none. */
static void add_of_windows(struct rows *rows, double v)
{
	if (isnan(v) && rows->form != OUTPUT_JSON && rows->form != OUTPUT_CSV)
		rows_text(rows, "");
	else
		rows_scaled(rows, v, false);
}

static void report_row(const struct around *r, struct rows *rows, int metric)
{
	const struct metric *m = &run_set(r)->metrics[metric];
	const bool text_form = rows->form == OUTPUT_NONE || rows->form == OUTPUT_TEXT;
	struct range amounts;
	const struct range v = metric_range(r, metric, &amounts);
	const bool is_sum =
		metric_is_amount(&rotation_active(r->session->now->rotation)->binding, metric) &&
		isfinite(v.median);
	const struct one_run *part = least_measured(r, metric);
	char reason[120], unit[32];

	run_cmd_amount_unit(run_set(r), m, unit, sizeof(unit));
	rows_text(rows, m->name);
	rows_text(rows, writer_label(m));
	/* An amount is no mean of anything; where programs read, it stands there, too. */
	rows_in(rows, is_sum && text_form ? "" : writer_unit(m), v.median);
	if (is_sum && text_form)
		rows_text(rows, "");
	else
		add_value(rows, m, v.median);
	rows_unit(rows);
	if (is_sum)
		rows_in(rows, writer_unit(m), v.median);
	else
		rows_in(rows, unit, amounts.median);
	if (is_sum)
		add_value(rows, m, v.median);
	else if (*unit || !text_form)
		add_value(rows, m, *unit ? amounts.median : NAN);
	else
		rows_text(rows, "");
	rows_unit(rows);
	reason_of(r, metric, text_form, reason, sizeof(reason));
	rows_text(rows, reason);
	rows_bool(rows, is_simulated(r));
	rows_in(rows, writer_unit(m), v.median);
	rows_scaled(rows, v.min, false);
	rows_scaled(rows, v.max, false);
	rows_count(rows, r->n_runs);
	/* Longer windows have more of an amount, so that theirs say nothing of a run. */
	add_of_windows(rows, is_sum ? NAN : run_percentile(r, metric, 0.05));
	add_of_windows(rows, is_sum ? NAN : run_percentile(r, metric, 0.5));
	add_of_windows(rows, is_sum ? NAN : run_percentile(r, metric, 0.95));
	rows_number(rows, is_sum ? NAN : run_spread(r, metric).half);
	rows_bool(rows, m->flags & METRIC_ESTIMATED);
	rows_number(rows, part ? share_of(part, metric) : 1);
	rows_text(rows, r->session->dev->device.name);
	if (text_form && *reason)
		strbuf_addf(rows->out, "  %s", reason);
	rows_end(rows);
}

/* Whether a report may have the metric: not what only helps others, nor what grew since the device
 * was opened. */
static bool is_reported(const struct around *r, int metric, bool text_form)
{
	const struct metric *m = &run_set(r)->metrics[metric];

	return writer_shows(m) && !(text_form && m->flags & METRIC_OLD_NAME) &&
		!metric_is_total(&rotation_active(r->session->now->rotation)->binding, metric);
}

/* Says of each figure that nothing counts it, and why. */
static void report_uncounted(const struct around *r, struct strbuf *out)
{
	for (enum run_figure i = 0; i < RUN_FIGURES; i++)
		strbuf_addf(out, "%-18s not counted\n", run_figure_name(i));
	strbuf_addf(out, "%s\n", r->missing.msg);
	if (*r->missing.hint)
		strbuf_addf(out, "%s\n", r->missing.hint);
	if (r->session->want->record || r->session->opt->trace)
		strbuf_add(out, "nothing was recorded\n");
}

/* Writes the figures that everybody asks for, in their order, and takes them out of the others.
 * Returns how many it took. */
static int report_figures(const struct around *r, struct rows *rows, bool *rest)
{
	int n = 0;

	for (enum run_figure i = 0; i < RUN_FIGURES; i++) {
		int metric = run_figure(r, i);

		if (metric >= 0) {
			report_row(r, rows, metric);
			rest[metric] = false;
			n++;
		} else {
			strbuf_addf(rows->out,
				"%-18s %9s the metric set %s does not count it; -m help lists the "
				"sets\n",
				run_figure_name(i), "--", run_set(r)->name);
		}
	}
	return n;
}

/* Adds a row for each engine that the command's own clients used. */
static void own_rows(const struct around *r, struct rows *rows)
{
	for (int i = 0; i < r->clients.n_own; i++) {
		const struct run_own *own = &r->clients.own[i];
		char name[48], label[48];

		snprintf(name, sizeof(name), "own_clients_%s", own->engine);
		snprintf(label, sizeof(label), "%s, own clients", own->engine);
		rows_text(rows, name);
		rows_text(rows, label);
		rows_in(rows, "s", own->seconds);
		rows_number(rows, NAN);
		rows_text(rows, "");
		rows_number(rows, own->seconds);
		rows_unit(rows);
		rows_text(rows, "");
		rows_bool(rows, is_simulated(r));
		rows_number(rows, NAN);
		rows_number(rows, NAN);
		rows_count(rows, r->n_runs);
		for (int k = 0; k < 4; k++)
			rows_number(rows, NAN);
		rows_bool(rows, false);
		rows_number(rows, NAN);
		rows_text(rows, r->session->dev->device.name);
		rows_end(rows);
	}
}

static void report_rows(const struct around *r, enum output_form form, struct strbuf *out)
{
	struct column columns[] = {
		{ "metric", NULL, 0, true },
		{ "label", "metric", 18, true },
		{ "mean", "mean", 9, false },
		{ "unit", "", 12, true },
		{ "total", "total", 9, false },
		{ "total_unit", "", 8, true },
		{ "why", NULL, 0, true }, /* behind the row */
		{ "sim", NULL, 0, false },
		[MEAN_MIN] = { "mean_min", NULL, 9, false },
		[MEAN_MAX] = { "mean_max", NULL, 9, false },
		{ "runs", NULL, 4, false },
		[PERCENTILES] = { "p5", NULL, 9, false },
		{ "p50", NULL, 9, false },
		{ "p95", NULL, 9, false },
		{ "half", NULL, 0, false },
		{ "estimated", NULL, 0, false },
		{ "measured_share", NULL, 0, false },
		{ "device", NULL, 0, true },
	};
	static const char *const percentiles[] = { "5 %", "50 %", "95 %" };
	const struct metric_set *set = run_set(r);
	bool text_form = form == OUTPUT_NONE || form == OUTPUT_TEXT;
	bool *shown = xcalloc((size_t)set->n_metrics + 1, sizeof(*shown));
	struct rows rows;
	int others = 0;

	if (r->n_runs > 1) {
		columns[MEAN_MIN].head = "smallest";
		columns[MEAN_MAX].head = "largest";
	}
	for (int i = 0; i < (int)ARRAY_LEN(percentiles); i++)
		if (r->kept.n >= PERCENTILE_WINDOWS)
			columns[PERCENTILES + i].head = percentiles[i];
	if (text_form && !r->session->opt->all_metrics)
		run_choose_why(r, shown);
	else
		memset(shown, true, (size_t)set->n_metrics);
	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	if (text_form)
		others -= report_figures(r, &rows, shown);
	if (text_form)
		report_answer(r, out);
	for (int i = 0; i < set->n_metrics; i++) {
		if (!is_reported(r, i, text_form))
			continue;
		if (shown[i])
			report_row(r, &rows, i);
		else
			others++;
	}
	if (form == OUTPUT_CSV)
		own_rows(r, &rows);
	if (text_form && others > 0 && !r->session->opt->all_metrics)
		strbuf_addf(out, "%d more with --all\n", others);
	free(shown);
}

/* Adds the phases that the command has marked. */
static void report_phases(const struct around *r, struct strbuf *out)
{
	char sentence[240];

	const struct column columns[] = {
		{ "run", r->n_runs > 1 ? "run" : NULL, 3, false },
		{ "name", "phase", 20, true },
		{ "start_s", "from s", 10, false },
		{ "seconds", "for s", 10, false },
		{ "sentence", "what limited it", 0, true },
	};
	struct rows rows;

	if (r->n_phases == 0)
		return;
	strbuf_addc(out, '\n');
	rows_begin(&rows, OUTPUT_NONE, columns, ARRAY_LEN(columns), out);
	for (size_t i = 0; i < r->n_phases; i++) {
		const struct run_phase *p = &r->phases[i];

		rows_count(&rows, p->run);
		rows_text(&rows, p->name);
		rows_number(&rows, p->start_s);
		rows_number(&rows, p->seconds);
		rows_text(&rows, verdict_sentence(&p->verdict, false, sentence, sizeof(sentence)));
		rows_end(&rows);
	}
	if (r->phases_left_out)
		strbuf_addf(out, "%llu more phases were not kept\n", r->phases_left_out);
}

static void json_phases(const struct around *r, struct strbuf *out)
{
	const struct metric_set *set = run_set(r);

	for (size_t i = 0; i < r->n_phases; i++) {
		const struct run_phase *p = &r->phases[i];

		strbuf_addc(out, '{');
		json_integer(out, "v", 1);
		json_string(out, "phase", p->name);
		json_integer(out, "of_run", p->run);
		json_number(out, "start_s", p->start_s);
		json_number(out, "seconds", p->seconds);
		json_bool(out, "sim", is_simulated(r));
		json_verdict(out, &p->verdict, p->verdict.since_ns);
		json_open(out, "metrics", '{');
		for (int k = 0; k < set->n_metrics; k++)
			if (is_reported(r, k, false))
				json_number(out, set->metrics[k].name, p->values[k].v);
		strbuf_add(out, "}}\n");
	}
}

static void json_head(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;
	const struct verdict *verdict = &run_middle(r)->verdict;
	const struct range seconds = RANGE(r, seconds);

	measured_json_begin(r->words, r->n_words, out);
	json_string(out, "device", r->counts ? ses->dev->device.id : NULL);
	json_string(out, "name", r->counts ? ses->dev->device.name : NULL);
	json_string(out, "set", run_set(r)->name);
	if (!r->counts)
		json_string(out, "not_counted", r->missing.msg);
	json_bool(out, "sim", is_simulated(r));
	json_integer(out, "runs", r->n_runs);
	json_bool(out, "each_run", r->n_runs > 1);
	json_number(out, "seconds", seconds.median);
	json_number(out, "seconds_min", seconds.min);
	json_number(out, "seconds_max", seconds.max);
	json_number(out, "user_s", RANGE(r, user_s).median);
	json_number(out, "system_s", RANGE(r, system_s).median);
	measured_json_status(r->bad, out);
	json_integer(out, "windows", (long long)r->windows);
	json_integer(out, "lost", (long long)r->lost);
	json_integer(out, "phases_left_out", (long long)r->phases_left_out);
	run_clients_json(&r->clients, "own_clients_s", out);
	json_verdict(out, verdict, verdict->since_ns);
	strbuf_add(out, "}\n");
}

/* The means of a run, and the joules of powers as NAME.total. */
static void json_run_metrics(
	const struct around *r, const struct one_run *run, struct strbuf *out)
{
	const struct metric_set *set = run_set(r);
	char total[128], unit[32];

	json_open(out, "metrics", '{');
	for (int k = 0; k < set->n_metrics; k++) {
		const struct metric *m = &set->metrics[k];

		if (!is_reported(r, k, false))
			continue;
		json_number(out, m->name, run->values[k].v);
		snprintf(total, sizeof(total), "%s.total", m->name);
		run_cmd_amount_unit(set, m, unit, sizeof(unit));
		if (!strcmp(unit, "J"))
			json_number(out, total, total_of(run, k));
	}
	strbuf_addc(out, '}');
}

/* Adds a line for each of several runs, so that they can be compared with those of another day. */
static void json_runs(const struct around *r, struct strbuf *out)
{
	for (int i = 0; i < r->n_runs && r->n_runs > 1; i++) {
		const struct one_run *run = &r->runs[i];

		strbuf_addc(out, '{');
		json_integer(out, "v", 1);
		json_integer(out, "run", i + 1);
		json_number(out, "seconds", run->seconds);
		json_number(out, "user_s", run->user_s);
		json_number(out, "system_s", run->system_s);
		json_bool(out, "sim", is_simulated(r));
		json_verdict(out, &run->verdict, run->verdict.since_ns);
		json_run_metrics(r, run, out);
		strbuf_add(out, "}\n");
	}
}

bool run_report(struct around *r, enum output_form form)
{
	struct strbuf text = { 0 };

	if (form == OUTPUT_JSON)
		json_head(r, &text);
	else if (form != OUTPUT_CSV)
		report_head(r, &text);
	/* Rows have no room for why there are none. */
	if (!r->counts && form == OUTPUT_CSV)
		session_print_err(&r->missing);
	if (!r->counts && form != OUTPUT_JSON && form != OUTPUT_CSV)
		report_uncounted(r, &text);
	else if (form != OUTPUT_CSV || !r->session->opt->run->kernels)
		report_rows(r, form, &text);
	if (form == OUTPUT_JSON) {
		json_runs(r, &text);
		json_phases(r, &text);
	} else if (form != OUTPUT_CSV)
		report_phases(r, &text);
	if (r->session->opt->run->kernels)
		write_kernels(r->session, form, &text);
	bool good = measured_report(&r->out, &text, &r->err);
	strbuf_release(&text);
	return good;
}
