/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the four panes of the first screen: rows of numbers, the bar of time, and what is not
 * shown. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/screens/overview.h"
#include "base/minmax.h"

#define BAR_LINES_MIN 4		/* lines of a pane from which the bar has its words below it */

const char *overview_pane_title(enum overview_pane pane)
{
	static const char *const titles[OVERVIEW_PANES] = { N_("Utilization"), N_("FLOP/cycle"),
		N_("Bandwidth"), N_("Power") };

	return titles[pane];
}

static int bar_lines(const struct overview_rows *rows, int lines)
{
	if (rows->bar < 0)
		return 0;
	return 1 + (lines >= BAR_LINES_MIN);
}

int overview_lines(const struct overview_rows *r)
{
	if (r->hidden)
		return -1;
	return r->pane.n - r->apart + (r->bar >= 0);
}

int overview_rows_fit(const struct overview_rows *rows, int lines)
{
	int fit = lines;

	if (rows->bar >= 0 && rows->bar < lines)
		fit -= bar_lines(rows, lines) - 1;
	return min_of(fit, rows->pane.n);
}

int overview_cursor_rows(const struct overview_rows *r, int drawn)
{
	return max_of(drawn + (drawn < r->pane.n || r->unavailable || r->denied), 1);
}

/* --- the bar of time --- */

enum { WORKING, WAITING, UNUSED, PARTS };

/* Shares of the whole; what is not known of it was not used. */
static bool time_parts(const struct view_model *m, const struct overview_list *l, double *part)
{
	static const enum limit_role slots[] = { LIMIT_WORKING, LIMIT_WAITING };
	double sum = 0;

	for (int i = WORKING; i <= WAITING; i++) {
		part[i] = meter_value(m, l->slot[slots[i]]).v / 100;
		if (!(part[i] >= 0))
			return false;
		sum += part[i];
	}
	part[UNUSED] = fmax(1 - sum, 0);
	for (int i = 0; i < PARTS; i++)
		part[i] /= fmax(sum, 1);
	return true;
}

static void draw_time_bar(struct screen *s, struct rect r, const double *part)
{
	const uint32_t ch[PARTS] = { s->g->bar_full, s->g->bar_wait, s->g->bar_empty };
	static const enum role roles[PARTS] = { ROLE_GOOD, ROLE_WARN, ROLE_BAR_EMPTY };
	double sum = 0;
	int x = 0;

	for (int i = 0; i < PARTS; i++) {
		sum += part[i];
		int end = i == PARTS - 1 ? r.w : (int)lround(sum * r.w);

		for (; x < end; x++)
			canvas_put(s->c, r.x + x, r.y, ch[i], roles[i]);
	}
}

/* Returns a word such as "EU": the device's own is the first one of the working part. */
static const char *time_word(
	const struct view_model *m, const struct overview_list *l, char *buf, size_t size)
{
	const struct metric *x = &m->set->metrics[l->slot[LIMIT_WORKING]];

	snprintf(buf, size, "%.*s", (int)strcspn(x->label, " "), x->label);
	return buf;
}

/* Shares of time in a fixed width, so that only digits change, where there is room for it. */
static void time_words(const double *part, int room, char *buf, size_t size)
{
	/* TRANSLATORS: shares of time in percent: with work, waiting, without any */
	snprintf(buf, size, _("active %3.0f  stalled %3.0f  idle %3.0f %%"), 100 * part[WORKING],
		100 * part[WAITING], 100 * part[UNUSED]);
	if (format_columns(buf) > room)
		snprintf(buf, size, _("active %.0f stalled %.0f idle %.0f %%"), 100 * part[WORKING],
			100 * part[WAITING], 100 * part[UNUSED]);
}

/* The bar begins where the numbers of other rows do. */
static void draw_bar(
	struct screen *s, const struct overview_list *l, struct rect r, int numbers, bool marked)
{
	char word[24], label[48], words[64];
	enum role role = ROLE_LABEL;
	double part[PARTS];

	if (marked) {
		canvas_put(s->c, r.x, r.y, s->g->marker, ROLE_FOCUS);
		role = ROLE_SELECTED;
	}
	/* TRANSLATORS: the time of all execution units, such as "EU time" */
	snprintf(label, sizeof(label), _("%s time"), time_word(s->m, l, word, sizeof(word)));
	glyphs_field(s->c, s->g, r.x + 1, r.y, numbers - r.x - 2, role, label);
	if (!time_parts(s->m, l, part)) {
		canvas_text(s->c, numbers, r.y, ROLE_NONE_VALUE, "--");
		return;
	}
	draw_time_bar(s, (struct rect){ numbers, r.y, r.x + r.w - 1 - numbers, 1 }, part);
	time_words(part, r.w - 2, words, sizeof(words));
	/* The words may begin below the label, where nothing else stands. */
	numbers = max_of(r.x + 1, min_of(numbers, r.x + r.w - 1 - format_columns(words)));
	if (r.h > 1)
		glyphs_field(s->c, s->g, numbers, r.y + 1, r.x + r.w - 1 - numbers, ROLE_TEXT,
			words);
}

void overview_time_line(struct screen *s, const struct overview_list *l, struct rect r)
{
	char word[24], words[64];
	double part[PARTS];
	int w;

	canvas_text(s->c, r.x, r.y, ROLE_LABEL, time_word(s->m, l, word, sizeof(word)));
	if (!time_parts(s->m, l, part))
		return;
	/* TRANSLATORS: as "active 8  stalled 92  idle 0 %", but shorter */
	snprintf(words, sizeof(words), _("active %.0f stalled %.0f"), 100 * part[WORKING],
		100 * part[WAITING]);
	w = r.w - format_columns(word) - format_columns(words) - 2;
	draw_time_bar(s, (struct rect){ r.x + format_columns(word) + 1, r.y, w, 1 }, part);
	canvas_text(s->c, r.x + r.w - format_columns(words), r.y, ROLE_TEXT, words);
}

/* --- the frame --- */

/* Adds "11 more" behind a comma where something stands before it, as long as it fits. */
static void add_count(char *buf, size_t size, int room, int n, const char *what)
{
	char text[64];
	size_t len = strlen(buf);

	if (n <= 0)
		return;
	if (len)
		len += (size_t)snprintf(buf + len, size - len, ", ");
	snprintf(text, sizeof(text), "%d %s", n, what);
	if (format_columns(buf) + format_columns(text) > room)
		buf[len > 2 ? len - 2 : 0] = '\0';
	else
		snprintf(buf + len, size - len, "%s", text);
}

/* Writes what Enter on the line below the rows leads to: "11 more, 2 without data: Enter". */
static void rest_text(
	const struct overview_rows *rows, int drawn, bool enter, int room, char *buf, size_t size)
{
	int columns;

	buf[0] = '\0';
	/* TRANSLATORS: metrics that a pane does not show; a number stands before each */
	add_count(buf, size, room, rows->pane.n - drawn, _("more"));
	add_count(buf, size, room, rows->unavailable, _("without data"));
	add_count(buf, size, room, rows->denied, _("need permission"));
	columns = format_columns(buf);
	if (enter && columns && columns + 2 + format_columns(_("Enter")) <= room)
		snprintf(buf + strlen(buf), size - strlen(buf), ": %s", _("Enter"));
}

static void draw_rest(
	struct screen *s, const struct overview_rows *rows, int drawn, bool marked, struct rect r)
{
	char text[96];
	int room = r.w - 6, w;

	rest_text(rows, drawn, s->v->screen == VIEW_OVERVIEW, room, text, sizeof(text));
	if (!*text || room < 8)
		return;
	w = min_of(format_columns(text), room);
	canvas_put(s->c, r.x + r.w - 4 - w, r.y + r.h - 1, ' ', ROLE_TEXT);
	glyphs_field(s->c, s->g, r.x + r.w - 3 - w, r.y + r.h - 1, w,
		marked ? ROLE_SELECTED : ROLE_DIM, text);
	canvas_put(s->c, r.x + r.w - 3, r.y + r.h - 1, ' ', ROLE_TEXT);
}

static bool has_cursor(const struct screen *s, enum overview_pane pane)
{
	return s->v->screen == VIEW_OVERVIEW && overview_place_of(s->v) == (int)pane;
}

static struct rect draw_frame(struct screen *s, const struct pane *rows, enum overview_pane pane,
	struct rect r, bool single)
{
	const char *subtitle = text_or(rows->subtitle, ""), *unit = pane_unit(s->m, rows);
	char extra[128], number[24] = "";

	/* TRANSLATORS: a unit and what else the title of a pane says: "GB/s of roof" */
	snprintf(extra, sizeof(extra), *unit && *subtitle ? "%s %s" : "%s%s", unit, subtitle);
	if (single)
		snprintf(number, sizeof(number), "%d/%d", (int)pane + 1, OVERVIEW_PANES);
	struct rect in = box_frame(s, r, has_cursor(s, pane), _(rows->title), extra);
	box_note(s, r, box_title_columns(_(rows->title), extra), ROLE_DIM, number);
	return in;
}

/* Says why a pane has no row, by its first metric without a value. */
static void draw_empty(struct screen *s, const struct overview_rows *rows, enum overview_pane pane,
	struct rect r)
{
	const struct view_model *m = s->m;
	enum why why = WHY_UNSUPPORTED;
	char text[200];

	if (!m->snap || m->snap->set != m->set)
		return;
	for (int i = m->set->n_metrics - 1; i >= 0; i--)
		if (overview_pane_of(m->set, &m->set->metrics[i]) == pane &&
			m->snap->values[i].why != WHY_OK)
			why = m->snap->values[i].why;
	if (rows->pane.why_empty)
		snprintf(text, sizeof(text), "%s", i18n_optional(rows->pane.why_empty));
	else if (rows->denied)
		snprintf(text, sizeof(text), "%s", _("needs permission (Enter: why)"));
	else if (!rows->unavailable)
		snprintf(text, sizeof(text), "%s", _("not counted by this set (Enter: why)"));
	else
		snprintf(text, sizeof(text), _("not counted: %s"), _(why_text(why)));
	if (format_columns(text) > r.w * r.h)
		snprintf(text, sizeof(text), "%s", _("not counted (Enter: why)"));
	box_text_role(s->c, r, 0, ROLE_DIM, text);
}

/* Each line of the pane, its frame too, offers the row that it is or that lies next to it. */
static void offer_rows(struct screen *s, enum overview_pane pane, const struct pane_rows *show,
	struct rect r, int last)
{
	for (int y = 0; y < r.h; y++) {
		int row = show->top + y - 1;

		if (show->wide >= 0 && row > show->wide)
			row -= show->wide_lines - 1;
		offer_row(s, (struct rect){ r.x, r.y + y, r.w, 1 }, (int)pane,
			clamp(row, show->top, last));
	}
}

/* Draws the rows of a pane from the first given one on; drawn: how many the pane has in all its
 * parts. */
static void draw_part(struct screen *s, const struct overview_list *l, enum overview_pane pane,
	struct rect r, int first, int drawn, bool single)
{
	const struct overview_rows *rows = &l->rows[pane];
	struct pane shown = rows->pane;	/* columns are as wide as what stands in them */
	struct verdict storage;
	struct pane_rows show = { .top = first,
		.n = first ? drawn - first : overview_rows_fit(rows, max_of(r.h - 2, 0)),
		.marked = -1,
		.wide = first ? -1 : rows->bar,
		.nearest = answer_of(s->m, &storage)->metric };
	bool ends = first + show.n == drawn;
	int numbers;

	shown.n = drawn;
	if (first)
		shown.subtitle = _("continued");
	struct rect in = draw_frame(s, &shown, pane, r, single);
	show.wide_lines = bar_lines(rows, in.h);
	if (has_cursor(s, pane))
		show.marked = clamp(s->v->selected[pane], 0, drawn);
	numbers = pane_rows_draw(s, &shown, in, &show);
	canvas_clip(s->c, in);
	if (show.wide >= 0 && show.wide < show.n)
		draw_bar(s, l, (struct rect){ in.x, in.y + show.wide, in.w, show.wide_lines },
			numbers, show.marked == rows->bar);
	if (!rows->pane.n)
		draw_empty(s, rows, pane, (struct rect){ in.x + 1, in.y, in.w - 1, in.h });
	canvas_unclip(s->c);
	if (ends)
		draw_rest(s, rows, drawn, show.marked == drawn, r);
	if (s->v->screen == VIEW_OVERVIEW)
		offer_rows(s, pane, &show, r,
			ends ? overview_cursor_rows(rows, drawn) - 1 : first + show.n - 1);
}

void overview_pane_draw(
	struct screen *s, const struct overview_list *l, enum overview_pane pane, struct rect r)
{
	draw_part(s, l, pane, r, 0, overview_rows_fit(&l->rows[pane], max_of(r.h - 2, 0)), true);
}

int overview_rows_drawn(
	const struct overview_list *l, const struct overview_layout *at, enum overview_pane pane)
{
	int n = overview_rows_fit(&l->rows[pane], max_of(at->pane[pane].h - 2, 0));

	if (at->rest.h && at->rest_of == pane)
		n = min_of(n + at->rest.h - 2, l->rows[pane].pane.n);
	return n;
}

void overview_grid_draw(
	struct screen *s, const struct overview_list *l, const struct overview_layout *at)
{
	for (int i = 0; i < OVERVIEW_PANES; i++) {
		enum overview_pane pane = (enum overview_pane)i;
		int drawn = overview_rows_drawn(l, at, pane);

		if (at->pane[i].h)
			draw_part(s, l, pane, at->pane[i], 0, drawn, false);
		if (at->rest.h && at->rest_of == pane)
			draw_part(s, l, pane, at->rest,
				overview_rows_fit(&l->rows[i], at->pane[i].h - 2), drawn, false);
	}
}

void overview_panes_draw(struct screen *s, struct rect r)
{
	struct overview_wants w = { 0 };
	struct overview_layout at = { 0 };
	struct overview_list l;

	overview_list_make(&l, s->v, s->m);
	for (int i = 0; i < OVERVIEW_PANES; i++) {
		w.rows[i] = overview_lines(&l.rows[i]);
		w.spare[i] = l.rows[i].apart;
	}
	overview_place_grid(&at, r, &w);
	overview_grid_draw(s, &l, &at);
}
