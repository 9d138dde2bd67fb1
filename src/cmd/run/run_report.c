/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports what was counted around a command. */
#include "config.h"

#include "cmd/run/gathered.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmd/run/run.h"
#include "cmd/run/measured.h"
#include "out/lines/rows.h"
#include "out/lines/write_verdict.h"
#include "out/lines/writer.h"
#include "base/json.h"
#include "base/mem.h"

/* Whether everything but constants that the metric reads is a rate, and not a state of a moment. */
static bool is_of_rates(const struct metric_set *set, const struct metric *m)
{
	int *inputs = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*inputs));
	int n = metric_inputs(set, m, inputs);
	bool good = true;

	for (int i = 0; i < n && good; i++) {
		const struct metric_input *in = &set->inputs[inputs[i]];

		if (in->kind == INPUT_METRIC || in->kind == INPUT_MOST)
			good = is_of_rates(set, &set->metrics[in->metric]);
		else
			good = in->kind != INPUT_COUNTER;
	}
	free(inputs);
	return good;
}

/* Whether the metric reads anything but constants: a limit in watts is no energy. */
static bool is_measured(const struct metric_set *set, const struct metric *m)
{
	int *inputs = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*inputs));
	int n = metric_inputs(set, m, inputs);
	bool found = false;

	for (int i = 0; i < n && !found; i++) {
		const struct metric_input *in = &set->inputs[inputs[i]];

		if (in->kind == INPUT_METRIC || in->kind == INPUT_MOST)
			found = is_measured(set, &set->metrics[in->metric]);
		else
			found = in->kind != INPUT_CONST;
	}
	free(inputs);
	return found;
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
	if (!set->from_xml && (expr_takes_least(m->value) || !is_measured(set, m)))
		return false;
	return !is_clock || (!counts_clocks(set) && (set->from_xml || is_of_rates(set, m)));
}

bool run_cmd_is_since_opening(const struct metric_binding *b, const struct metric *m)
{
	int *inputs = xcalloc(2 * (size_t)b->set->n_inputs + 1, sizeof(*inputs));
	int n = metric_inputs(b->set, m, inputs);
	bool found = false;

	for (int i = 0; i < n && !found; i++) {
		const struct counter_desc *counter = b->desc[inputs[i]];

		found = counter && counter->kind == COUNTER_TOTAL;
	}
	free(inputs);
	return found;
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

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The middle of several numbers and how far they go. */
struct range {
	double median, min, max;	/* NAN when there is no number */
};

/* Sorts the numbers. */
static struct range range_of(double *v, int n)
{
	struct range s = { NAN, NAN, NAN };

	qsort(v, (size_t)n, sizeof(*v), compare);
	if (n > 0)
		s = (struct range){ (v[(n - 1) / 2] + v[n / 2]) / 2, v[0], v[n - 1] };
	return s;
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

/* Returns the run whose time is in the middle; its verdict stands for all. */
static const struct one_run *middle_run(const struct around *r)
{
	double median = RANGE(r, seconds).median;
	const struct one_run *best = r->runs;

	for (int i = 1; i < r->n_runs; i++)
		if (fabs(r->runs[i].seconds - median) < fabs(best->seconds - median))
			best = &r->runs[i];
	return best;
}

static void report_head(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;
	const char *mark = "", *note = "";
	const struct range seconds = RANGE(r, seconds);
	struct strbuf words = { 0 };
	char sentence[240];

	if (ses->dev->device.simulated) {
		mark = "SIM ";
		note = ", SIMULATED";
	}
	for (int i = 0; i < ses->opt->n_names; i++)
		strbuf_add_word(&words, " ", ses->opt->names[i]);
	strbuf_addf(out, "%s%s\n", mark,
		verdict_sentence(&middle_run(r)->verdict, false, sentence, sizeof(sentence)));
	strbuf_addf(out, "%srooftop: %s\n", mark, strbuf_str(&words));
	strbuf_addf(out, "%s (%s), %s%s%s\n", ses->dev->device.id, ses->dev->device.name,
		"metric set ", ses->now->set->name, note);
	if (r->n_runs > 1)
		strbuf_addf(out,
			"medians of %d runs, which took %.6f to %.6f s; the first line is of run "
			"%d, whose time is nearest to the median\n",
			r->n_runs, seconds.min, seconds.max, (int)(middle_run(r) - r->runs) + 1);
	strbuf_addf(out, "%.6f s elapsed, %.6f s user, %.6f s system", seconds.median,
		RANGE(r, user_s).median, RANGE(r, system_s).median);
	strbuf_addf(out, r->windows == 1 ? ", %llu window"
			: ", %llu windows",
		(unsigned long long)r->windows);
	strbuf_addf(out,
		r->lost == 1 ? ", %llu loss of reports"
			: ", %llu losses of reports",
		(unsigned long long)r->lost);
	strbuf_add(out, "\n\n");
	strbuf_release(&words);
}

/* Returns why no run has the metric, or WHY_OK. */
static enum why why_none(const struct around *r, int metric)
{
	enum why why = WHY_OK;

	for (int i = 0; i < r->n_runs; i++) {
		why = r->runs[i].values[metric].why;
		if (why == WHY_OK)
			break;
	}
	return why;
}

enum { MEAN_MIN = 8, MEAN_MAX };

/* The answer is explained by so many figures, unless --all asks for all of them. */
#define FIGURES 8

/* Marks a metric that has a value, unless there are enough. Returns how many there are. */
static int mark(const struct around *r, bool *shown, int n, int metric)
{
	if (metric < 0 || n >= FIGURES || shown[metric] || why_none(r, metric) != WHY_OK ||
		!writer_shows(&r->session->now->set->metrics[metric]))
		return n;
	shown[metric] = true;
	return n + 1;
}

static int mark_role(const struct around *r, bool *shown, int n, enum limit_role role)
{
	const struct metric_set *set = r->session->now->set;

	for (int i = 0; i < set->n_metrics; i++)
		if (set->metrics[i].limit.role == role && why_none(r, i) == WHY_OK)
			return mark(r, shown, n, i);
	return n;
}

/* The resources in the order of how full they are. */
static int mark_fullest(const struct around *r, bool *shown, int n)
{
	const struct metric_set *set = r->session->now->set;
	double best_share = 0;
	int best = -1;

	for (int i = 0; i < set->n_metrics; i++) {
		enum limit_role role = set->metrics[i].limit.role;
		double share = r->runs[0].values[i].v / r->sum.ceilings[i].v;

		if ((role != LIMIT_PIPE && role != LIMIT_LEVEL && role != LIMIT_LINK) || shown[i] ||
			!(share > best_share))
			continue;
		best_share = share;
		best = i;
	}
	return mark(r, shown, n, best);
}

/* Chooses the metrics that explain the answer: the resource that it names, how the time was spent,
 * what is fullest, clock and power; and what options asked for. Returns how many others have a
 * value. */
static int choose(const struct around *r, bool *shown)
{
	static const enum limit_role roles[] = { LIMIT_BUSY, LIMIT_WORKING, LIMIT_WAITING, LIMIT_CLOCK,
		LIMIT_POWER, LIMIT_OCCUPANCY };
	const struct metric_set *set = r->session->now->set;
	int n = mark(r, shown, 0, middle_run(r)->verdict.metric), others = 0;

	for (size_t i = 0; i < ARRAY_LEN(roles); i++)
		n = mark_role(r, shown, n, roles[i]);
	for (int before = -1; before != n;) {
		before = n;
		n = mark_fullest(r, shown, n);
	}
	for (int i = 0; i < set->n_metrics; i++)
		if (i < r->session->want->n_counters || set->metrics[i].flags & METRIC_ASKED)
			shown[i] = writer_shows(&set->metrics[i]);
	for (int i = 0; i < set->n_metrics; i++)
		others += writer_shows(&set->metrics[i]) && !shown[i] &&
			!(set->metrics[i].flags & METRIC_OLD_NAME) &&
			!run_cmd_is_since_opening(
				&rotation_active(r->session->now->rotation)->binding,
				&set->metrics[i]);
	return others;
}

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

/* Finds the run in which the metric was measured for the smallest share of the time. Returns NULL where
 * it was measured in all of each. */
static const struct one_run *least_measured(const struct around *r, int metric)
{
	const struct one_run *least = NULL;

	for (int i = 0; i < r->n_runs; i++)
		if (r->runs[i].values[metric].why == WHY_OK && r->runs[i].shares[metric] < WHOLE_SHARE &&
			(!least || r->runs[i].shares[metric] < least->shares[metric]))
			least = &r->runs[i];
	return least;
}

/* Returns why a metric has no value, or none for a part of the time, "" when it has one. */
static const char *reason_of(
	const struct around *r, int metric, bool in_words, char *buf, size_t size)
{
	const struct one_run *part = least_measured(r, metric);
	enum why why = why_none(r, metric);

	if (part)
		why = part->whys[metric];
	if (why == WHY_OK)
		return "";
	if (!in_words)
		return why_name(why);
	if (!part)
		return why_in_words(why);
	snprintf(buf, size, "%.3g of %.3g s; else %s", part->shares[metric] * part->seconds,
		part->seconds, why_in_words(why));
	return buf;
}

/* Writes a mean, a total, an extreme or a percentile of a metric. */
static void add_value(struct rows *rows, const struct metric *m, double v)
{
	if (m->flags & METRIC_INTEGER)
		rows_count(rows, v);
	else
		rows_guess(rows, v, m->flags & METRIC_ESTIMATED);
}

static void report_rows(const struct around *r, enum output_form form, struct strbuf *out)
{
	struct column columns[] = {
		{ "metric", NULL, 0, true },
		{ "label", "metric", 18, true },
		{ "mean", "mean", 9, false },
		{ "unit", "unit", 12, true },
		{ "total", "total", 9, false },
		{ "total_unit", "unit", 8, true },
		{ "why", "why not", 12, true },
		{ "sim", NULL, 0, false },
		[MEAN_MIN] = { "mean_min", NULL, 9, false },
		[MEAN_MAX] = { "mean_max", NULL, 9, false },
		{ "runs", NULL, 4, false },
		{ "p5", "5 %", 9, false },
		{ "p50", "50 %", 9, false },
		{ "p95", "95 %", 9, false },
		{ "half", NULL, 0, false },
		{ "estimated", NULL, 0, false },
		{ "measured_share", NULL, 0, false },
	};
	bool text_form = form == OUTPUT_NONE || form == OUTPUT_TEXT;
	bool *shown = xcalloc((size_t)r->session->now->set->n_metrics + 1, sizeof(*shown));
	int others = 0;
	const struct metric_binding *binding = &rotation_active(r->session->now->rotation)->binding;
	struct rows rows;
	char unit[32];

	if (r->n_runs > 1) {
		columns[MEAN_MIN].head = "smallest";
		columns[MEAN_MAX].head = "largest";
	}
	if (text_form && !r->session->opt->all_metrics)
		others = choose(r, shown);
	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (int i = 0; i < r->session->now->set->n_metrics; i++) {
		const struct metric *m = &r->session->now->set->metrics[i];
		const struct one_run *part;
		struct range amounts;
		char reason[120];

		if (!writer_shows(m) || run_cmd_is_since_opening(binding, m) || (others && !shown[i]) ||
			(text_form && m->flags & METRIC_OLD_NAME))
			continue;
		const struct range v = metric_range(r, i, &amounts);
		run_cmd_amount_unit(r->session->now->set, m, unit, sizeof(unit));
		rows_text(&rows, m->name);
		rows_text(&rows, writer_label(m));
		const bool is_sum = metric_is_amount(binding, i) && isfinite(v.median);
		/* An amount is no mean of anything; where programs read, it stands there, too. */
		if (is_sum && text_form)
			rows_text(&rows, "");
		else
			add_value(&rows, m, v.median);
		rows_text(&rows, is_sum && text_form ? "" : writer_unit(m));
		if (is_sum)
			snprintf(unit, sizeof(unit), "%s", writer_unit(m));
		if (is_sum)
			add_value(&rows, m, v.median);
		else
			add_value(&rows, m, *unit ? amounts.median : NAN);
		rows_text(&rows, unit);
		rows_text(&rows, reason_of(r, i, text_form, reason, sizeof(reason)));
		rows_bool(&rows, r->session->dev->device.simulated);
		rows_number(&rows, v.min);
		rows_number(&rows, v.max);
		rows_count(&rows, r->n_runs);
		/* Longer windows have more of an amount, so that theirs say nothing of a run. */
		rows_number(&rows, is_sum ? NAN : run_percentile(r, i, 0.05));
		rows_number(&rows, is_sum ? NAN : run_percentile(r, i, 0.5));
		rows_number(&rows, is_sum ? NAN : run_percentile(r, i, 0.95));
		rows_number(&rows, is_sum ? NAN : run_spread(r, i).half);
		rows_bool(&rows, m->flags & METRIC_ESTIMATED);
		part = least_measured(r, i);
		rows_number(&rows, part ? part->shares[i] : 1);
		rows_end(&rows);
	}
	if (others)
		strbuf_addf(out, "%d more with --all\n", others);
	free(shown);
}

/* Adds the phases that the command has marked. */
static void report_phases(const struct around *r, struct strbuf *out)
{
	char sentence[240];

	static const struct column columns[] = {
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
	const struct metric_set *set = r->session->now->set;

	for (size_t i = 0; i < r->n_phases; i++) {
		const struct run_phase *p = &r->phases[i];

		strbuf_addc(out, '{');
		json_integer(out, "v", 1);
		json_string(out, "phase", p->name);
		json_number(out, "start_s", p->start_s);
		json_number(out, "seconds", p->seconds);
		json_bool(out, "sim", r->session->dev->device.simulated);
		json_verdict(out, &p->verdict, p->verdict.since_ns);
		json_open(out, "metrics", '{');
		for (int k = 0; k < set->n_metrics; k++)
			if (writer_shows(&set->metrics[k]))
				json_number(out, set->metrics[k].name, p->values[k].v);
		strbuf_add(out, "}}\n");
	}
}

static void json_head(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;
	const struct verdict *verdict = &middle_run(r)->verdict;
	const struct range seconds = RANGE(r, seconds);

	run_command_json_begin(ses->opt, out);
	json_string(out, "device", ses->dev->device.id);
	json_string(out, "name", ses->dev->device.name);
	json_string(out, "set", ses->now->set->name);
	json_bool(out, "sim", ses->dev->device.simulated);
	json_integer(out, "runs", r->n_runs);
	json_bool(out, "each_run", r->n_runs > 1);
	json_number(out, "seconds", seconds.median);
	json_number(out, "seconds_min", seconds.min);
	json_number(out, "seconds_max", seconds.max);
	json_number(out, "user_s", RANGE(r, user_s).median);
	json_number(out, "system_s", RANGE(r, system_s).median);
	run_command_json_status(r->bad, out);
	json_integer(out, "windows", (long long)r->windows);
	json_integer(out, "lost", (long long)r->lost);
	json_integer(out, "phases_left_out", (long long)r->phases_left_out);
	json_verdict(out, verdict, verdict->since_ns);
	strbuf_add(out, "}\n");
}

/* The means of a run, and the joules of powers as NAME.total. */
static void json_run_metrics(
	const struct around *r, const struct one_run *run, struct strbuf *out)
{
	const struct metric_set *set = r->session->now->set;
	char total[128], unit[32];

	json_open(out, "metrics", '{');
	for (int k = 0; k < set->n_metrics; k++) {
		const struct metric *m = &set->metrics[k];

		if (!writer_shows(m) ||
			run_cmd_is_since_opening(
				&rotation_active(r->session->now->rotation)->binding, m))
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
		json_bool(out, "sim", r->session->dev->device.simulated);
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
	report_rows(r, form, &text);
	if (form == OUTPUT_JSON) {
		json_runs(r, &text);
		json_phases(r, &text);
	} else if (form != OUTPUT_CSV)
		report_phases(r, &text);
	bool good = run_command_report(r->session->opt, &text, &r->err);
	strbuf_release(&text);
	return good;
}
