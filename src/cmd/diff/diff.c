/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads both sides of a comparison, and says what is different. */
#include "config.h"

#include "cmd/diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "out/lines/output.h"
#include "out/lines/rows.h"
#include "base/format.h"
#include "base/fsroot.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "core/record/record_file.h"
#include "cmd/diff/diff_options.h"
#include "cli/options.h"

#define MAX_BYTES (64 << 20)

static const char *const side_names[] = { "before", "after" };

/* --- reading --- */

/* Recordings are told by their first record; everything else is text. What a pipe has can be read
 * only once. A device of several is named behind the file, FILE/DEVICE. */
static bool is_recording(const char *path)
{
	struct rec_header h = { .size = 0 };
	char *file = xstrdup(path), *slash = strrchr(file, '/');
	struct stat st;

	if (slash && stat(file, &st) < 0)
		*slash = '\0';
	FILE *f = stat(file, &st) == 0 && S_ISREG(st.st_mode) ? fopen(file, "rbe") : NULL;
	bool whole = f && fread(&h, sizeof(h), 1, f) == 1;
	if (f)
		fclose(f);
	free(file);
	return whole && h.size >= sizeof(h) && rec_may_begin(&h);
}

static bool read_file(
	struct diff_side *side, struct session *ses, const char *path, struct err *err)
{
	size_t len;

	if (is_recording(path))
		return diff_read_recording(side, ses, path, err);
	char *text = file_read_all(path, MAX_BYTES, &len, err);
	/* Reading cuts it into lines. */
	bool is_text = text && strlen(text) == len;
	bool good = is_text && diff_read_results(side, text, path, err);
	if (text && !is_text)
		err_set(err, ERR_PARSE, "'%.200s' is no text and no file of a recording", path);
	free(text);
	if (!good && !*err->hint)
		err_hint(err,
			"diff reads recordings (-w FILE), the JSON of windows, and JSON or CSV of "
			"run, stress, sweep and calibrate");
	return good || err_of_file(err);
}

static bool read_sides(struct diff *d, struct session *ses, struct err *err)
{
	const struct options *o = ses->opt;
	int before = o->n_names - o->n_behind;

	if (o->n_behind == 0 || before == 0)
		before = 1;
	for (int i = 0; i < o->n_names; i++)
		if (!read_file(&d->side[i >= before], ses, o->names[i], err))
			return false;
	return true;
}

/* --- what has to be known before figures are believed --- */

static void note(struct strbuf *out, const char *text)
{
	if (out->len)
		strbuf_addc(out, '\n');
	strbuf_add(out, text);
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

/* Adds sentences, a line each. */
static void add_notes(const struct diff *d, struct strbuf *out)
{
	const struct diff_side *a = &d->side[0], *b = &d->side[1];
	char text[400];

	if (a->by_id == b->by_id && differ(a->device, b->device)) {
		snprintf(text, sizeof(text),
			"the devices differ: %.120s before, %.120s after; what moved may be theirs",
			a->device, b->device);
		note(out, text);
	}
	if (differ(a->set, b->set)) {
		snprintf(text, sizeof(text),
			"the metric sets differ: %.60s before, %.60s after; only what both have is "
			"compared",
			a->set, b->set);
		note(out, text);
	}
	if (a->mixed_devices || b->mixed_devices)
		note(out, "the files of one side are of several devices");
	if (a->mixed_sets || b->mixed_sets)
		note(out, "the files of one side are of several metric sets");
	if (a->quotients + b->quotients)
		note(out, "windows do not tell what quotients such as FLOP/B were over all of their "
			    "time, so these are left out; recordings (-w FILE) tell it");
	if (a->wrong + b->wrong)
		note(out, "results of kernels were wrong, so their rates say nothing");
	const double counted[] = { a->counted ? a->counted : 1, b->counted ? b->counted : 1 };
	if (fmin(counted[0], counted[1]) < 1) {
		snprintf(text, sizeof(text),
			"amounts are of the windows of their sets: at least %.0f %% of the time "
			"before, %.0f %% after",
			100 * counted[0], 100 * counted[1]);
		note(out, text);
	}
	if (a->simulated != b->simulated)
		note(out, "one side is of a simulated device");
	if (a->mixed_windows || b->mixed_windows || (fmin(a->window_s, b->window_s) > 0 &&
		fabs(a->window_s - b->window_s) > 0.1 * fmax(a->window_s, b->window_s))) {
		snprintf(text, sizeof(text),
			"the windows differ: %.3g s before, %.3g s after; longer ones vary less, and "
			"what is counted per window grows with them",
			a->window_s, b->window_s);
		note(out, text);
	}
}

/* Says what "moved" means here. */
static const char *method(const struct diff *d)
{
	if (d->tested)
		return "moved: Welch's t test over runs, p below 0.05 after Benjamini and Hochberg's "
			 "correction for so many metrics; spread is the standard deviation of runs";
	return "moved: by more than both spreads; one run on a side allows no test of significance, "
		"several on each side do";
}

/* --- the report --- */

static void text_side(const struct diff *d, int k, struct strbuf *out)
{
	const struct diff_side *s = &d->side[k];
	int n, of;
	const struct diff_limit *l = diff_usual_limit(s, "", &n, &of);

	format_padded(out, side_names[k], 7);
	strbuf_addf(out, " %s%s", s->simulated ? "SIM " : "",
		text_or(s->device, "device not told"));
	if (s->set)
		strbuf_addf(out, ", set %s", s->set);
	strbuf_addf(out, ", runs: %zu", s->n);
	if (s->n == 1 && s->runs[0].windows)
		strbuf_addf(out,
			s->runs[0].windows == 1 ? ", %llu window of %.3g s"
			: ", %llu windows of %.3g s",
			s->runs[0].windows, s->window_s);
	strbuf_addc(out, '\n');
	if (!l)
		return;
	strbuf_addf(out, "        %s", text_or(l->sentence, l->kind));
	if (n < of)
		strbuf_addf(out, " (in %d of %d)", n, of);
	strbuf_addc(out, '\n');
}

/* Kernels have limits of their own; that of one which changed gets a line. */
static void text_kernel(const struct diff *d, const char *key, struct strbuf *out)
{
	int n, of;
	const struct diff_limit *a = diff_usual_limit(&d->side[0], key, &n, &of);
	const struct diff_limit *b = diff_usual_limit(&d->side[1], key, &n, &of);

	if (*key && b && (strcmp(a->kind, b->kind) || strcmp(a->bound, b->bound)))
		strbuf_addf(out, "%s: limited by %s %s before, %s %s after\n", key, a->kind,
			a->bound, b->kind, b->bound);
}

static void text_kernels(const struct diff *d, struct strbuf *out)
{
	const struct diff_side *side = &d->side[0];

	for (size_t i = 0; i < side->n; i++)
		for (size_t k = 0; k < side->runs[i].n_limits; k++)
			if (!diff_has_limit(side, 0, i, side->runs[i].limits[k].key))
				text_kernel(d, side->runs[i].limits[k].key, out);
}

static double change_pct(const struct diff_row *r)
{
	return 100 * (r->value[1] - r->value[0]) / fabs(r->value[0]);
}

/* Writes "+12.3 %", "x 17" where percents say nothing any more, or "from 0" where nothing was
 * before. */
static const char *change_word(const struct diff_row *r, char *buf, size_t size)
{
	double times = r->value[1] / r->value[0];

	if (!isfinite(times))
		return r->value[1] != 0 && r->value[0] == 0 ? "from 0" : "";
	if (times >= 10)
		numeric_print(buf, size, times < 999.5 ? "x %.3g" : "x %.0f", times);
	else
		numeric_print(buf, size, "%+.1f %%", change_pct(r));
	return buf;
}

static const char *moved_word(const struct diff_row *r)
{
	if (r->moved == DIFF_UNKNOWN)
		return "unknown";
	return r->moved == DIFF_MOVED ? "moved" : "";
}

static int label_width(const struct diff *d)
{
	int width = 18;

	for (size_t i = 0; i < d->n; i++)
		if (format_columns(d->rows[i].label) > width)
			width = format_columns(d->rows[i].label);
	return width;
}

static bool has_spread(const struct diff *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (!isnan(d->rows[i].spread[0]) || !isnan(d->rows[i].spread[1]))
			return true;
	return false;
}

static void add_rows(const struct diff *d, enum output_form form, bool all, struct strbuf *out)
{
	const char *spread = has_spread(d) ? "spread" : NULL;
	const struct column columns[] = {
		{ "metric", NULL, 0, true },
		{ "label", "metric", label_width(d), true },
		{ "before", "before", 9, false },
		{ "before_spread", spread, 9, false },
		{ "after", "after", 9, false },
		{ "after_spread", spread, 9, false },
		{ "unit", "unit", 12, true },
		{ "change_pct", "change", 10, false },
		{ "moved", "moved", 8, true },
		{ "p", NULL, 0, false },
		{ "p_adjusted", d->tested ? "p" : NULL, 9, false },
		{ "runs_before", NULL, 0, false },
		{ "runs_after", NULL, 0, false },
		{ "estimated", NULL, 0, false },
	};
	static const char *const words[] = { "no", "yes", "unknown" };
	bool is_text = form == OUTPUT_NONE || form == OUTPUT_TEXT;
	struct rows rows;
	char change[32];

	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (size_t i = 0; i < d->n; i++) {
		const struct diff_row *r = &d->rows[i];

		if (is_text && !all && r->moved == DIFF_STAYED)
			continue;
		rows_text(&rows, r->key);
		rows_text(&rows, r->label);
		rows_in(&rows, r->unit, fmax(r->value[0], r->value[1]));
		rows_scaled(&rows, r->value[0], r->estimated);
		rows_scaled(&rows, r->spread[0], false);
		rows_scaled(&rows, r->value[1], r->estimated);
		rows_scaled(&rows, r->spread[1], false);
		rows_unit(&rows);
		if (is_text)
			rows_text(&rows, change_word(r, change, sizeof(change)));
		else
			rows_number(&rows, change_pct(r));
		rows_text(&rows, is_text ? moved_word(r) : words[r->moved]);
		rows_number(&rows, r->p);
		if (is_text && r->p_adjusted < 0.0001)
			rows_text(&rows, "<0.0001");
		else
			rows_number(&rows, r->p_adjusted);
		rows_count(&rows, r->runs[0]);
		rows_count(&rows, r->runs[1]);
		rows_bool(&rows, r->estimated);
		rows_end(&rows);
	}
}

static void count(const struct diff *d, size_t *counts)
{
	for (size_t i = 0; i < d->n; i++)
		counts[d->rows[i].moved]++;
}

static void text_report(const struct diff *d, bool all, struct strbuf *out)
{
	struct strbuf notes = { 0 };
	size_t counts[3] = { 0 };

	text_side(d, 0, out);
	text_side(d, 1, out);
	add_notes(d, &notes);
	if (notes.len)
		strbuf_addf(out, "%s\n", strbuf_str(&notes));
	strbuf_release(&notes);
	text_kernels(d, out);
	count(d, counts);
	strbuf_addc(out, '\n');
	if (all || counts[DIFF_MOVED] + counts[DIFF_UNKNOWN])
		add_rows(d, OUTPUT_TEXT, all, out);
	strbuf_addf(out, "%zu moved, %zu did not", counts[DIFF_MOVED], counts[DIFF_STAYED]);
	if (counts[DIFF_UNKNOWN])
		strbuf_addf(out, "; %zu are unknown: too few windows or runs for a spread",
			counts[DIFF_UNKNOWN]);
	if (d->only[0] + d->only[1])
		strbuf_addf(out, "; %zu are only before, %zu only after", d->only[0], d->only[1]);
	strbuf_addf(out, "\n%s\n", method(d));
}

static void json_side(const struct diff *d, int k, struct strbuf *out)
{
	const struct diff_side *s = &d->side[k];
	unsigned long long windows = 0;
	int n, of;
	const struct diff_limit none = { .headroom = NAN }, *l = diff_usual_limit(s, "", &n, &of);

	if (!l)
		l = &none;
	for (size_t i = 0; i < s->n; i++)
		windows += s->runs[i].windows;
	json_open(out, side_names[k], '{');
	json_string(out, "device", s->device);
	json_string(out, "set", s->set);
	json_bool(out, "sim", s->simulated);
	json_integer(out, "runs", (long long)s->n);
	json_integer(out, "windows", (long long)windows);
	json_number(out, "window_s", s->window_s > 0 ? s->window_s : NAN);
	json_string(out, "kind", l->kind);
	json_string(out, "bound", text_or(l->bound, NULL));
	json_string(out, "sentence", text_or(l->sentence, NULL));
	json_number(out, "headroom", l->headroom);
	strbuf_addc(out, '}');
}

static void json_head(const struct diff *d, struct strbuf *out)
{
	struct strbuf notes = { 0 };
	size_t counts[3] = { 0 };

	count(d, counts);
	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_bool(out, "header", true);
	json_bool(out, "diff", true);
	json_side(d, 0, out);
	json_side(d, 1, out);
	json_open(out, "notes", '[');
	add_notes(d, &notes);
	for (char *line = notes.len ? notes.s : NULL, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		json_string(out, NULL, line);
	}
	strbuf_addc(out, ']');
	strbuf_release(&notes);
	json_integer(out, "moved", (long long)counts[DIFF_MOVED]);
	json_integer(out, "stayed", (long long)counts[DIFF_STAYED]);
	json_integer(out, "unknown", (long long)counts[DIFF_UNKNOWN]);
	json_integer(out, "only_before", (long long)d->only[0]);
	json_integer(out, "only_after", (long long)d->only[1]);
	json_string(out, "test", d->tested ? "Welch's t test" : NULL);
	json_string(out, "correction", d->tested ? "Benjamini-Hochberg" : NULL);
	json_number(out, "alpha", d->tested ? DIFF_ALPHA : NAN);
	strbuf_add(out, "}\n");
}

static bool report(
	const struct diff *d, const struct options *o, enum output_form form, struct err *err)
{
	struct output file = { .fd = -1 };
	struct strbuf text = { 0 };

	if (form == OUTPUT_JSON)
		json_head(d, &text);
	if (form == OUTPUT_JSON || form == OUTPUT_CSV)
		add_rows(d, form, true, &text);
	else
		text_report(d, o->all_metrics, &text);
	bool good = output_open(&file, o->output, OUTPUT_TRUNCATE, err) &&
		output_write(&file, &text, err);
	good = output_close(&file, good, err) && good;
	strbuf_release(&text);
	return good || err->code == ERR_END;
}

/* Both sides need files. */
static bool check_names(const struct options *o, struct err *err)
{
	if (o->n_names == 2 || (o->n_behind > 0 && o->n_behind < o->n_names))
		return true;
	err_set(err, ERR_USAGE, "diff compares two files, or several before '--' with several behind it");
	return err_hint(err, "rooftop diff BEFORE AFTER, rooftop diff B1 B2 B3 -- A1 A2 A3");
}

int diff_cmd(struct session *ses, enum output_form form)
{
	struct diff d = { .n = 0 };
	struct err err = { 0 };

	bool good = check_names(ses->opt, &err) && read_sides(&d, ses, &err);
	if (good) {
		diff_compare(&d);
		good = d.n > 0 ||
			err_set(&err, ERR_UNSUPPORTED,
				"nothing was compared: no figure is on both sides");
		good = good && report(&d, ses->opt, form, &err);
	}
	diff_side_release(&d.side[0]);
	diff_side_release(&d.side[1]);
	free(d.rows);
	return good ? STATUS_GOOD : (int)session_fail(&err);
}

const struct subcommand diff_command = OPTION_COMMAND(DIFF, NULL);
