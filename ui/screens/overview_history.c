/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the past of a few numbers, a line each: how busy, what limits, how fast, how much power. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/format.h"
#include "ui/screens/overview.h"
#include "base/minmax.h"

#define NAME_MIN 10
#define TEXT_W 13	/* number and unit */
#define LINES 6

/* A line of the past. share: the number is a share of the roof. */
struct line {
	const char *name;
	int metric;
	bool share;
};

/* The first traffic of a pane that has a roof, -1. What a link could do has a ceiling, too, and
 * moves nothing. */
static int first_with_roof(const struct view_model *m, const struct overview_rows *r)
{
	for (int i = 0; i < r->pane.n; i++) {
		enum limit_role role = m->set->metrics[r->pane.metric[i]].limit.role;

		if ((role == LIMIT_LEVEL || role == LIMIT_LINK) &&
			meter_ceiling(m, r->pane.metric[i]) > 0)
			return r->pane.metric[i];
	}
	return -1;
}

/* What the answer is about, or else the first level of memory. */
static int nearest_metric(const struct view_model *m, const struct overview_list *l)
{
	struct verdict storage;
	int metric = answer_of(m, &storage)->metric;

	if (metric < 0 || metric >= m->set->n_metrics || metric == l->slot[LIMIT_BUSY] ||
		metric == l->slot[LIMIT_CLOCK] || metric == l->slot[LIMIT_POWER] ||
		!(meter_ceiling(m, metric) > 0))
		return first_with_roof(m, &l->rows[OVERVIEW_BANDWIDTH]);
	return metric;
}

/* Makes the lines, the best first; those without a metric are left out. */
static int lines_make(
	const struct view_model *m, const struct overview_list *l, int room, struct line *lines)
{
	int nearest = nearest_metric(m, l), n = 0;
	const struct line all[LINES] = {
		{ _("busy"), l->slot[LIMIT_BUSY], false },
		{ nearest < 0 ? "" : metric_label(&m->set->metrics[nearest]), nearest, true },
		{ _("clock"), l->slot[LIMIT_CLOCK], false },
		{ _("power"), l->slot[LIMIT_POWER], false },
		/* TRANSLATORS: the share of time that execution units wait */
		{ _("wait"), l->slot[LIMIT_WAITING], false },
		{ _("temp"), l->slot[LIMIT_TEMPERATURE], false },
	};

	for (int i = 0; i < LINES; i++)
		/* In three lines power is worth more than the clock. */
		if (all[i].metric >= 0 && n < room &&
			!(room == 3 && i == 2 && l->slot[LIMIT_POWER] >= 0))
			lines[n++] = all[i];
	return n;
}

/* The line of what is nearest to its roof may come and go; its place does not. */
int overview_history_lines(const struct overview_list *l)
{
	static const enum limit_role slots[] = { LIMIT_BUSY, LIMIT_CLOCK, LIMIT_POWER,
		LIMIT_WAITING, LIMIT_TEMPERATURE };
	int n = 0;

	for (size_t i = 0; i < ARRAY_LEN(slots); i++)
		n += l->slot[slots[i]] >= 0;
	/* Before its first window a set has no slots yet. */
	return n ? n + 1 : LINES;
}

/* Columns of the names: whichever resource stands there, its name has them where there is room. */
static int name_columns(const struct view_model *m, int w)
{
	int columns = NAME_MIN;

	for (int i = 0; m->set && i < m->set->n_metrics; i++)
		if (metric_is_resource(&m->set->metrics[i]))
			columns = max_of(columns,
				format_columns(metric_label(&m->set->metrics[i])) + 1);
	return max_of(NAME_MIN, min_of(columns, w * 2 / 7));
}

static void draw_line(struct screen *s, const struct line *line, int name_w, struct rect r)
{
	const int text_w = name_w + TEXT_W;
	struct series series = { .history = s->m->history,
		.column = line->metric,
		.top = meter_scale(s->m, line->metric),
		.back = s->m->back };
	struct value v = meter_of_all_time(s->m, line->metric);
	int asleep = meter_asleep(s->m, line->metric);
	char number[24], text[64];

	if (asleep >= 0) {
		series.asleep = asleep;
		series.asleep_top = 1 / s->m->set->metrics[asleep].unit.scale;
	}
	if (line->share && series.top > 0) {
		format_number(number, sizeof(number), 100 * v.v / series.top, 3);
		if (v.v < series.top * 10)
			snprintf(number, sizeof(number), "%.0f", 100 * v.v / series.top);
		/* TRANSLATORS: a share of the roof in percent */
		snprintf(text, sizeof(text), _("%5s %% roof"), number);
	} else {
		meter_row_number(s->m, line->metric, v, number, sizeof(number), 5);
		snprintf(text, sizeof(text), "%5s %s", number,
			meter_form(s->m, line->metric).unit);
	}
	glyphs_field(s->c, s->g, r.x, r.y, name_w - 1, ROLE_LABEL, line->name);
	glyphs_field(s->c, s->g, r.x + name_w, r.y, TEXT_W - 1,
		v.why == WHY_OK ? ROLE_VALUE : ROLE_NONE_VALUE, text);
	r = (struct rect){ r.x + text_w, r.y, r.w - text_w, r.h };
	if (r.w > 0 && r.h > 1)
		plot_area(s->c, s->g, r, &series);
	else if (r.w > 0)
		plot_spark(s->c, s->g, r, &series);
}

/* "Last 96 s", "Last 3 min": how much of the past the lines show. */
static void title_text(const struct screen *s, int cells, char *buf, size_t size)
{
	int windows = cells * plot_windows_per_cell(s->g), kept = history_len(s->m->history);
	double seconds = history_ago_ns(s->m->history, min_of(windows, kept), s->m->delay_ns);

	/* What has no row yet will have windows of the length that they have now. */
	if (windows >= kept)
		seconds = history_ago_ns(s->m->history, max_of(kept - 1, 0), s->m->delay_ns) +
			(double)(windows - max_of(kept - 1, 0)) * (double)s->m->delay_ns;
	seconds /= NS_PER_S;

	if (seconds < 120)
		snprintf(buf, size, _("Last %.0f s"), seconds);
	else if (seconds < 7200)
		snprintf(buf, size, _("Last %.0f min"), floor(seconds / 60));
	else
		snprintf(buf, size, _("Last %.0f h"), floor(seconds / 3600));
}

static struct rect draw_title(struct screen *s, const struct overview_layout *o, int text_w)
{
	struct rect r = o->history;
	const char *back = _("Left goes back");
	char title[64];

	if (s->m->back > 0)
		back = "";
	if (o->history_framed) {
		title_text(s, r.w - 4 - text_w, title, sizeof(title));
		struct rect in = box_frame(s, r, false, title, NULL);
		box_note(s, r, box_title_columns(title, NULL), ROLE_DIM, back);
		return (struct rect){ in.x + 1, in.y, in.w - 2, in.h };
	}
	if (o->history_titled) {
		title_text(s, r.w - 2 - text_w, title, sizeof(title));
		canvas_fill(s->c, (struct rect){ r.x, r.y, r.w, 1 }, s->g->across, ROLE_BORDER);
		canvas_textf(s->c, r.x + 2, r.y, ROLE_TITLE, " %s ", title);
		box_note(s, (struct rect){ r.x, r.y, r.w, 2 },
			box_title_columns(title, NULL), ROLE_DIM, back);
		r.y++;
		r.h--;
	}
	return (struct rect){ r.x + 1, r.y, r.w - 2, r.h };
}

/* Many lines that are left over make the graphs higher, a blank line apart. */
void overview_history_draw(struct screen *s, const struct overview_list *l,
	const struct overview_layout *o)
{
	int n, name_w = name_columns(s->m, o->history.w - 2 - 2 * o->history_framed);
	struct rect in = draw_title(s, o, name_w + TEXT_W);
	struct line lines[LINES];

	if (!s->m->set || !s->m->snap || s->m->snap->set != s->m->set)
		return;
	/* Where a recording plays is worth more than the last line of the past. */
	if (s->m->playback && in.h > 1)
		playback_bar_draw(s, (struct rect){ in.x, in.y + --in.h, in.w, 1 });
	n = lines_make(s->m, l, min_of(in.h, LINES), lines);
	int step = n > 0 && in.h >= 3 * n ? in.h / n : 1;
	for (int i = 0; i < n; i++)
		draw_line(s, &lines[i], name_w,
			(struct rect){ in.x, in.y + i * step, in.w, max_of(step - 1, 1) });
}
