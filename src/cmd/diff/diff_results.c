/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what commands have written: results of run, stress and sweep, and windows. */
#include "config.h"

#include "cmd/diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "cmd/load/csv_table.h"

/* --- rows of stress, sweep and calibrate --- */

/* A result of a kernel: its column, its label, its unit; NULL: the row tells it. */
static const struct {
	const char *name, *label, *unit;
} results[] = {
	{ "gflops", "operations", "GFLOP/s" },
	{ "gbytes_per_s", "bytes", "GB/s" },
	{ "gops", "operations", "Gop/s" },
	{ "measured", "measured", NULL },
	{ "latency_ns", "latency", "ns" },
	{ "clock_mhz", "clock", "MHz" },
	{ "package_w", "package", "W" },
	{ "gpu_w", "GPU", "W" },
	{ "gflops_per_w", "per watt", "GFLOP/s/W" },
	{ "energy_j", "energy", "J" },
	{ "mean_s", "mean", "s" },
	{ "time_s", "time", "s" },
};

/* What tells the points of a sweep apart, and the kernels of a command. */
static const char *const axes[] = { "groups", "group_size", "loop", "size_bytes", "stride",
	"intensity", NULL };
static const char *const sizes[] = { "items", NULL };

/* A row of either form. text() returns "" and number() NAN where there is none. */
struct row {
	const char *(*text)(const struct row *r, const char *name);
	double (*number)(const struct row *r, const char *name);
	bool (*flag)(const struct row *r, const char *name);
	const struct json_tree *json;
	const struct csv_table *csv;
	size_t at;
};

static const char *json_row_text(const struct row *r, const char *name)
{
	return json_get_text(r->json, r->json->nodes, name);
}

static double json_row_number(const struct row *r, const char *name)
{
	return json_get_number(r->json, r->json->nodes, name);
}

static bool json_row_flag(const struct row *r, const char *name)
{
	return json_is_true(r->json, r->json->nodes, name);
}

static const char *csv_row_text(const struct row *r, const char *name)
{
	return csv_table_text(r->csv, r->at, csv_table_column(r->csv, name));
}

static double csv_row_number(const struct row *r, const char *name)
{
	return csv_table_number(r->csv, r->at, csv_table_column(r->csv, name));
}

static bool csv_row_flag(const struct row *r, const char *name)
{
	return csv_row_number(r, name) > 0;
}

/* Returns the run of this file in which the key does not stand yet: results of the same kernel are
 * of several runs. */
static struct diff_run *run_without(struct diff_side *side, size_t first, const char *key)
{
	for (size_t i = first; i < side->n; i++)
		if (!diff_has_limit(side, i, i + 1, key))
			return &side->runs[i];
	return diff_add_run(side);
}

/* Half of what lies between the smallest and the largest of several runs. */
static double half_of_range(const struct row *r, const char *name)
{
	char least[40], most[40];

	if (!(r->number(r, "runs") > 1))
		return NAN;
	snprintf(least, sizeof(least), "%s_min", name);
	snprintf(most, sizeof(most), "%s_max", name);
	return (r->number(r, most) - r->number(r, least)) / 2;
}

/* The points of a sweep are no runs: one that stands there twice is a mistake. */
static bool take_kernel(
	struct diff_side *side, size_t first, const struct row *r, const char *path, struct err *err)
{
	struct strbuf key = { 0 }, label = { 0 };
	bool is_sweep = isfinite(r->number(r, "items")) && isfinite(r->number(r, "groups"));
	const char *plane = r->text(r, "power_plane");
	bool is_wrong = r->number(r, "mismatches") > 0;

	/* Whichever kernel reaches a roof, the roof is the same. */
	strbuf_add(&key, text_or(r->text(r, "roof"), r->text(r, "kernel")));
	for (const char *const *by = is_sweep ? axes : sizes; *by; by++)
		if (isfinite(r->number(r, *by))) {
			strbuf_addf(&key, " %s=", *by);
			strbuf_add_double(&key, r->number(r, *by));
		}
	size_t len = key.len;
	size_t n_runs = side->n;
	struct diff_run *run = run_without(side, first, strbuf_str(&key));
	bool good = !is_sweep || n_runs == first || side->n == n_runs ||
		err_set(err, ERR_UNSUPPORTED, "the point '%.100s' stands twice in '%.200s'",
			strbuf_str(&key), path);
	const char *kind = r->text(r, "verdict");
	diff_add_limit(run, strbuf_str(&key), text_or(kind, "--"), r->text(r, "bound"), "",
		r->number(r, "headroom"));
	for (size_t i = 0; i < ARRAY_LEN(results); i++) {
		double v = r->number(r, results[i].name);

		strbuf_cut(&key, len);
		strbuf_addf(&key, " %s", results[i].name);
		/* Others' watts are no other value of these. */
		if (!strcmp(results[i].name, "gflops_per_w") && *text_or(plane, ""))
			strbuf_addf(&key, ".%s", plane);
		if (!isfinite(v) || (is_wrong && strstr(results[i].unit, "/s")))
			continue;
		strbuf_clear(&label);
		strbuf_addn(&label, strbuf_str(&key), len);
		strbuf_addf(&label, " %s", results[i].label);
		diff_add_figure(run, strbuf_str(&key), strbuf_str(&label),
			text_or(results[i].unit, r->text(r, "unit")), v,
			half_of_range(r, results[i].name));
	}
	strbuf_release(&label);
	side->wrong += is_wrong;
	diff_note(side, r->text(r, "device"), NULL, NAN, r->flag(r, "sim"));
	strbuf_release(&key);
	return good;
}

/* --- rows of run --- */

static void take_metric(struct diff_side *side, struct diff_run *run, const struct row *r)
{
	const char *name = r->text(r, "metric"), *label = r->text(r, "label");
	double half = r->number(r, "half");
	char total[128];

	if (r->number(r, "runs") > 1)
		half = (r->number(r, "mean_max") - r->number(r, "mean_min")) / 2;
	struct diff_figure *f = diff_add_figure(
		run, name, label, r->text(r, "unit"), r->number(r, "mean"), half);
	if (f)
		f->estimated = r->flag(r, "estimated");
	if (!strcmp(r->text(r, "total_unit"), "J")) {
		snprintf(total, sizeof(total), "%s.total", name);
		diff_add_figure(run, total, label, "J", r->number(r, "total"), NAN);
	}
	diff_note(side, r->text(r, "device"), NULL, NAN, r->flag(r, "sim"));
}

/* --- lines of JSON --- */

/* A figure of windows. */
struct window_series {
	char *name;		/* heap */
	struct series moves;
	double sum, ms;		/* of value times length; of the lengths */
	double total, least, most;	/* of values */
	bool estimated;
};

/* What the lines of a file have been so far. */
struct lines {
	struct diff_side *side;
	struct json_tree json, head;
	char *head_text;	/* heap; the strings of head point into it */
	size_t first;		/* the first run of this file */
	size_t run;		/* index of that of metric rows and windows, from 1 on; 0: none */
	size_t known;		/* lines that were understood */
	bool each_run;		/* runs have lines of their own, and rows are their medians: */
	struct diff_run medians;
	/* windows: their figures, by the order in the first one; their verdicts, counted */
	struct window_series *series;
	size_t n_series, cap_series;
	double window_ms;
	char *device;		/* heap; of the windows, where lines tell it */
};

static void add_verdict(struct diff_run *run, const struct json_tree *t, const struct json_node *of)
{
	const struct json_node *v = json_get(t, of, "verdict");

	diff_add_limit(run, "", json_get_text(t, v, "kind"), json_get_text(t, v, "bound"),
		json_get_text(t, v, "sentence"), json_get_number(t, v, "headroom"));
}

static void add_times(struct diff_run *run, const struct json_tree *t, const struct json_node *of)
{
	diff_add_figure(run, "seconds", "elapsed", "s", json_get_number(t, of, "seconds"), NAN);
	diff_add_figure(run, "user_s", "user", "s", json_get_number(t, of, "user_s"), NAN);
	diff_add_figure(run, "system_s", "system", "s", json_get_number(t, of, "system_s"), NAN);
}

/* Returns the run that the lines are of, which is added when there is none yet. */
static struct diff_run *begin_run(struct lines *l)
{
	if (!l->run) {
		diff_add_run(l->side);
		l->run = l->side->n;
	}
	return &l->side->runs[l->run - 1];
}

static struct window_series *series_of(struct lines *l, const char *name)
{
	for (size_t i = 0; i < l->n_series; i++)
		if (!strcmp(l->series[i].name, name))
			return &l->series[i];
	l->series = array_grow(l->series, l->n_series, &l->cap_series, sizeof(*l->series));
	l->series[l->n_series] = (struct window_series){
		.name = xstrdup(name), .least = INFINITY, .most = -INFINITY };
	return &l->series[l->n_series++];
}

/* Whether the name is one of a list of the object. */
static bool is_listed(const struct json_tree *t, const char *list, const char *name)
{
	const struct json_node *of = json_get(t, t->nodes, list);

	for (const struct json_node *n = json_first(t, of); n; n = json_next(t, n))
		if (n->type == JSON_TEXT && !strcmp(n->text, name))
			return true;
	return false;
}

static bool take_window(struct lines *l, const char *path, struct err *err)
{
	const struct json_tree *t = &l->json;
	const struct json_node *values = json_get(t, t->nodes, "metrics");
	const struct json_node *turns = json_get(t, t->nodes, "multiplexed");
	double window_ms = json_get_number(t, t->nodes, "window_ms");
	const char *device = json_get_text(t, t->nodes, "device");
	struct diff_run *run = begin_run(l);

	if (l->device && strcmp(l->device, device) != 0) {
		err_set(err, ERR_UNSUPPORTED, "'%.200s' has windows of several devices", path);
		return err_hint(err, "a file for each device can be compared");
	}
	if (!l->device)
		l->device = xstrdup(device);
	/* The head may have been cut off. */
	l->side->simulated |= json_is_true(t, t->nodes, "sim");
	run->windows++;
	l->window_ms += window_ms;
	for (const struct json_node *n = json_first(t, values); n; n = json_next(t, n)) {
		if (n->type != JSON_NUMBER || !n->key)
			continue;
		/* An earlier window's value is repeated until its set has its turn again. */
		if (json_get_number(t, json_get(t, turns, n->key), "age_ms") > window_ms / 2)
			continue;
		struct window_series *s = series_of(l, n->key);
		series_add(&s->moves, n->number);
		s->sum += n->number * window_ms;
		s->ms += window_ms;
		s->total += n->number;
		s->least = fmin(s->least, n->number);
		s->most = fmax(s->most, n->number);
		s->estimated = s->estimated || is_listed(t, "estimated", n->key);
	}
	add_verdict(run, t, t->nodes);
	return true;
}

/* Whether the unit is a quotient of two amounts, as FLOP/B is, and no rate: means of windows, of
 * which one may be nearly idle, say nothing of it. */
static bool is_quotient(const char *unit)
{
	const char *slash = strchr(unit, '/');

	return slash && strcmp(slash, "/s") != 0;
}

/* A share may be one of clocks or of messages, which windows do not tell: it lies somewhere between
 * its windows. */
static bool is_share(const char *unit)
{
	return !*unit || !strcmp(unit, "%");
}

static void keep_series(struct lines *l, struct diff_run *run, const struct window_series *w)
{
	const char *unit = json_get_text(
		&l->head, json_get(&l->head, l->head.nodes, "units"), w->name);
	bool amount = is_listed(&l->head, "amounts", w->name), exact = amount || !is_share(unit);
	double share = w->ms / l->window_ms;
	double value = amount ? w->total : w->sum / w->ms;
	double half = amount ? NAN : series_spread(&w->moves).half;

	if (!amount && (is_quotient(unit) ||
			       (w->most > w->least && is_listed(&l->head, "no_means", w->name)))) {
		l->side->quotients++;
		return;
	}
	if (amount && (!l->side->counted || share < l->side->counted))
		l->side->counted = share;
	if (!exact && half < (w->most - w->least) / 2)
		half = (w->most - w->least) / 2;
	struct diff_figure *f = diff_add_figure(run, w->name, w->name, unit, value, half);
	if (f)
		f->estimated = w->estimated || (!exact && w->most > w->least);
}

static void keep_windows(struct lines *l)
{
	struct diff_run *run = begin_run(l);

	for (size_t i = 0; i < l->n_series; i++)
		keep_series(l, run, &l->series[i]);
	diff_note(l->side, NULL, NULL, l->window_ms / 1e3 / (double)run->windows, false);
}

static void drop_windows(struct lines *l)
{
	for (size_t i = 0; i < l->n_series; i++)
		free(l->series[i].name);
	l->n_series = 0;
	l->window_ms = 0;
}

static void take_head(struct lines *l, const char *text)
{
	const struct json_node *head = l->json.nodes;
	const char *name = json_get_text(&l->json, head, "name");

	/* What follows is another run than what was before. */
	if (l->n_series)
		keep_windows(l);
	l->run = 0;
	drop_windows(l);
	json_tree_release(&l->head);
	free(l->head_text);
	l->head_text = xstrdup(text);
	l->head = (struct json_tree){ 0 };
	json_read(&l->head, l->head_text);
	if (!*name) {
		name = json_get_text(&l->json, head, "device");
		l->side->by_id = true;
	}
	diff_note(l->side, name, json_get_text(&l->json, head, "set"), NAN,
		json_is_true(&l->json, head, "sim"));
	l->each_run = json_is_true(&l->json, head, "each_run");
	if (!json_get(&l->json, head, "command") || l->each_run)
		return;
	add_times(begin_run(l), &l->json, head);
	add_verdict(begin_run(l), &l->json, head);
}

/* One of several runs of a command. The rows before it have labels and units of its metrics. */
static void take_run(struct lines *l)
{
	const struct json_tree *t = &l->json;
	const struct json_node *values = json_get(t, t->nodes, "metrics");
	struct diff_run *run = diff_add_run(l->side);

	add_times(run, t, t->nodes);
	add_verdict(run, t, t->nodes);
	for (const struct json_node *n = json_first(t, values); n; n = json_next(t, n)) {
		const struct diff_figure *like = diff_find(&l->medians, text_or(n->key, ""));

		if (!like || n->type != JSON_NUMBER)
			continue;
		struct diff_figure *f =
			diff_add_figure(run, n->key, like->label, like->unit, n->number, NAN);
		if (f)
			f->estimated = like->estimated;
	}
}

static bool take_line(struct lines *l, const char *text, const char *path, struct err *err)
{
	struct json_tree *t = &l->json;
	struct row row = { json_row_text, json_row_number, json_row_flag, t, NULL, 0 };
	const struct json_node *line = t->nodes;
	bool good = true;

	l->known++;
	if (json_is_true(t, line, "header")) {
		take_head(l, text);
	} else if (json_get(t, line, "metric")) {
		take_metric(l->side, l->each_run ? &l->medians : begin_run(l), &row);
	} else if (json_get(t, line, "kernel")) {
		good = take_kernel(l->side, l->first, &row, path, err);
	} else if (json_get(t, line, "run") && json_get(t, line, "metrics")) {
		take_run(l);
	} else if (json_get(t, line, "t") && json_get(t, line, "metrics")) {
		good = take_window(l, path, err);
	} else {
		/* Phases, and what later versions add. */
		l->known--;
	}
	return good;
}

static bool read_json(struct diff_side *side, char *text, const char *path, struct err *err)
{
	struct lines l = { .side = side, .first = side->n };
	bool good = true;
	int number = 0;

	for (char *line = text, *end; good && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		number++;
		if (!*line)
			continue;
		char *copy = xstrdup(line);
		good = json_read(&l.json, line) ||
			err_set(err, ERR_PARSE, "line %d of '%.200s' is no JSON", number, path);
		if (good)
			good = take_line(&l, copy, path, err);
		free(copy);
	}
	if (good && l.n_series)
		keep_windows(&l);
	if (good && !l.known)
		good = err_set(err, ERR_UNSUPPORTED, "'%.200s' has no results", path);
	diff_run_release(&l.medians);
	json_tree_release(&l.json);
	json_tree_release(&l.head);
	free(l.head_text);
	drop_windows(&l);
	free(l.series);
	free(l.device);
	return good;
}

/* --- CSV --- */

static bool read_csv(struct diff_side *side, char *text, const char *path, struct err *err)
{
	struct csv_table t;
	struct row row = { csv_row_text, csv_row_number, csv_row_flag, NULL, &t, 0 };
	size_t first = side->n;

	if (!csv_table_take(&t, xstrdup(text), path, err))
		return false;
	bool is_run = csv_table_column(&t, "metric") >= 0;
	bool good = t.n_rows > 0 && (is_run || csv_table_column(&t, "kernel") >= 0);
	struct diff_run *run = NULL;
	bool has_results = good;
	for (; good && row.at < t.n_rows; row.at++) {
		const char *metric = csv_row_text(&row, "metric");

		/* Results that were appended to those before begin with their head, and with the
		 * same metric, again. */
		if (!strcmp(metric, "metric") || !strcmp(csv_row_text(&row, "kernel"), "kernel"))
			continue;
		if (is_run && (!run || !strcmp(metric, csv_table_text(&t, 0, csv_table_column(&t, "metric")))))
			run = diff_add_run(side);
		if (is_run)
			take_metric(side, run, &row);
		else
			good = take_kernel(side, first, &row, path, err);
	}
	csv_table_release(&t);
	if (has_results)
		return good;
	return err_set(err, ERR_PARSE, "'%.200s' is no recording and has no results", path);
}

bool diff_read_results(struct diff_side *side, char *text, const char *path, struct err *err)
{
	if (text[strspn(text, " \t\r\n")] == '{')
		return read_json(side, text, path, err);
	return read_csv(side, text, path, err);
}
