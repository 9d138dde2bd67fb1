/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows what each kernel of the programs that are watched takes, and what limits the long ones. */
#include "config.h"

#include "ui/screens/kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "ui/frame/table.h"

/* Columns of numbers go before names are too short to tell kernels apart. */
#define NAME_MIN 22

/* The columns in the order in which they stay on a narrow screen. */
enum {
	COL_NAME,
	COL_SHARE,
	COL_TIME,
	COL_CALLS,
	COL_GRADE,
	COL_BOUND,
	COL_HEADROOM,
	COL_GFLOPS,
	COL_GBYTES,
	COL_INTENSITY,
	COL_OVERLAP,
	COLS
};

static const struct table_column columns[COLS] = {
	[COL_NAME] = { .head = N_("KERNEL"), .w = 64, .least = NAME_MIN },
	[COL_SHARE] = { .head = N_("SHARE%"), .w = 6, .right = true },
	[COL_TIME] = { .head = N_("TIME s"), .w = 7, .right = true },
	[COL_CALLS] = { .head = N_("CALLS"), .w = 6, .right = true },
	/* TRANSLATORS: whether counters were read of a kernel alone, or its time is all that is known */
	[COL_GRADE] = { .head = N_("GRADE"), .w = 7 },
	[COL_BOUND] = { .head = N_("BOUND"), .w = 9 },
	[COL_HEADROOM] = { .head = N_("ROOM x"), .w = 6, .right = true },
	[COL_GFLOPS] = { .head = N_("GFLOP/s"), .w = 7, .right = true },
	[COL_GBYTES] = { .head = N_("GB/s"), .w = 6, .right = true },
	[COL_INTENSITY] = { .head = N_("FLOP/B"), .w = 6, .right = true },
	/* TRANSLATORS: the share of a kernel's time in which other commands ran, too */
	[COL_OVERLAP] = { .head = N_("BESIDE%"), .w = 7, .right = true },
};

static const struct kernel_list no_kernels = { .why_empty = "" };

static const struct kernel_list *list_of(const struct view_model *m)
{
	return m->kernel_list ? m->kernel_list : &no_kernels;
}

/* A kernel is found by its name and size again, because lines change their places. */
static bool is_selected(const struct kernels_view *at, const struct kernel_line *k)
{
	return at->kind == (int)k->kind && at->items == k->items &&
		!strncmp(at->name, k->name, sizeof(at->name) - 1);
}

static int selected_row(const struct view *v, const struct kernel_list *l)
{
	for (int i = 0; i < l->n; i++)
		if (is_selected(&v->kernels, &l->lines[i]))
			return i;
	return 0;
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	const struct kernel_list *l = list_of(m);
	struct kernels_view *at = &v->kernels;

	(void)list;
	if (row < 0 || row >= l->n)
		return;
	at->kind = (int)l->lines[row].kind;
	at->items = l->lines[row].items;
	snprintf(at->name, sizeof(at->name), "%s", l->lines[row].name);
	at->top = layout_scroll(at->top, row, v->page, l->n);
}

/* --- drawing --- */

/* Sizes of one kernel are told apart by their work-items. */
static const char *name_of(
	const struct kernel_list *l, const struct kernel_line *k, char *buf, size_t size)
{
	int sizes = 0;

	if (k->kind != KERNEL_RUNS)
		return _(k->name);
	for (int i = 0; i < l->n; i++)
		sizes += l->lines[i].kind == KERNEL_RUNS && !strcmp(l->lines[i].name, k->name);
	if (sizes < 2)
		return k->name;
	snprintf(buf, size, "%llu %s", (unsigned long long)k->items, k->name);
	return buf;
}

static void count_cell(struct screen *s, const struct table_column *k, int y, uint64_t n)
{
	char buf[32];

	if (n < 1000000)
		snprintf(buf, sizeof(buf), "%d", (int)n);
	else
		format_si(buf, sizeof(buf), (double)n, k->w);
	table_cell(s, k, y, ROLE_TEXT, buf);
}

static void draw_row(
	struct screen *s, const struct table_column *c, const struct kernel_line *k, int y, bool now)
{
	bool is_kernel = k->kind == KERNEL_RUNS;
	enum role role = is_kernel ? ROLE_VALUE : ROLE_DIM;
	enum role name_role = is_kernel ? ROLE_LABEL : ROLE_DIM;
	char name[160];

	if (now)
		name_role = ROLE_SELECTED;
	table_cell(s, &c[COL_NAME], y, name_role, name_of(list_of(s->m), k, name, sizeof(name)));
	table_number(s, &c[COL_SHARE], y, role, 100 * k->share);
	table_number(s, &c[COL_TIME], y, role, k->time_s);
	if (k->calls)
		count_cell(s, &c[COL_CALLS], y, k->calls);
	if (!is_kernel)
		return;
	if (k->counted)
		table_cell(s, &c[COL_GRADE], y, ROLE_TEXT, _("counted"));
	else
		table_cell(s, &c[COL_GRADE], y, ROLE_DIM, _("time"));
	table_cell(s, &c[COL_BOUND], y, ROLE_TEXT, text_or(k->bound, "--"));
	table_number(s, &c[COL_HEADROOM], y, role, k->headroom);
	table_number(s, &c[COL_GFLOPS], y, role, k->gflops);
	table_number(s, &c[COL_GBYTES], y, role, k->gbytes_per_s);
	table_number(s, &c[COL_INTENSITY], y, role, k->flop_per_byte);
	table_number(s, &c[COL_OVERLAP], y, role, 100 * k->overlap);
}

/* Says what limits the selected kernel, or why nobody knows. */
static void draw_note(struct screen *s, const struct kernel_line *k, struct rect in)
{
	char text[400];

	if (k->kind != KERNEL_RUNS)
		return;
	snprintf(text, sizeof(text), "%s", k->sentence);
	if (!k->counted)
		snprintf(text, sizeof(text), _("time only: %s"), k->why);
	glyphs_field(s->c, s->g, in.x + 1, in.y + in.h - 1, in.w - 2,
		k->counted ? ROLE_TITLE : ROLE_DIM, text);
}

static void draw_empty(struct screen *s, const struct kernel_list *l, struct rect in)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, _("No kernel was seen: %s."), *l->why_empty ? _(l->why_empty) : "--");
	if (l->listens) {
		strbuf_addf(&text, "\n%s\n  rooftop run --kernels -- COMMAND\n",
			_("From now on OpenCL programs are seen that another terminal starts by"));
		strbuf_addf(&text, "%s\n", _("and the loads of the screen Stress."));
	}
	box_text(s->c, (struct rect){ in.x + 1, in.y, max_of(in.w - 2, 1), in.h }, 0,
		strbuf_str(&text));
	strbuf_release(&text);
}

static struct rect draw_frame(struct screen *s, const struct kernel_list *l)
{
	char extra[100], note[60] = "";

	snprintf(extra, sizeof(extra), _("%.1f s"), l->seconds);
	if (l->programs > 0)
		snprintf(extra, sizeof(extra),
			ngettext("%.1f s, %d program", "%.1f s, %d programs",
				(unsigned long)l->programs),
			l->seconds, l->programs);
	struct rect in = box_frame(s, s->l.body, true, _("Kernels"), extra);
	if (l->lost)
		snprintf(note, sizeof(note), _("commands not told: %llu"),
			(unsigned long long)l->lost);
	box_note(s, s->l.body, box_title_columns(_("Kernels"), extra), ROLE_WARN, note);
	return in;
}

static void draw(struct screen *s)
{
	const struct kernel_list *l = list_of(s->m);
	struct rect in = draw_frame(s, l);
	struct table_column c[COLS];
	int now = selected_row(s->v, l), rows = max_of(s->l.body.h - 4, 1);
	int top = layout_scroll(s->v->kernels.top, now, rows, l->n);

	canvas_clip(s->c, in);
	if (l->n == 0) {
		draw_empty(s, l, in);
		canvas_unclip(s->c);
		return;
	}
	memcpy(c, columns, sizeof(columns));
	table_heads(c, COLS);
	table_place(c, COLS, COL_NAME, in.x + 2, in.w - 3);
	table_heads_draw(s, c, COLS, in.y);
	for (int i = 0; i < rows && top + i < l->n; i++) {
		draw_row(s, c, &l->lines[top + i], in.y + 1 + i, top + i == now);
		table_row(s, s->l.body, in.x, in.y + 1 + i, top + i, top + i == now);
	}
	s->note->page = rows;
	draw_note(s, &l->lines[now], in);
	canvas_unclip(s->c);
	box_scroll_mark(s, s->l.body, top, rows, l->n);
}

/* --- evidence --- */

static void explain_grade(struct strbuf *text, const struct kernel_line *k)
{
	strbuf_addf(text, "%s\n", _("Grade"));
	if (!k->counted) {
		strbuf_add(text, "  ");
		strbuf_addf(text, _("time only: %s"), k->why);
		strbuf_addf(text, "\n%s\n", _("  Bound and rates have no number then: none is "
					      "guessed from those of a window."));
		return;
	}
	strbuf_addf(text, _("  counted: %llu pairs of reports lie in its runs as a whole, which "
			    "are %.3g %% of its time and %.3g %% of its calls"),
		(unsigned long long)k->pairs, 100 * k->counted_time, 100 * k->counted_calls);
	if (*k->why)
		strbuf_addf(text, "\n  %s", k->why);
	strbuf_addf(text, "\n%s\n  %s\n", _("What limits it"), k->sentence);
}

static void explain_rest(struct strbuf *text, const struct kernel_line *k)
{
	static const char *const texts[] = {
		[KERNEL_OTHER] = N_("Copies, fills, maps and all else that programs put into queues; "
				    "-J has a line for each kind."),
		[KERNEL_NOT_OURS] = N_("At least so long others used the device: programs that were "
				       "not started so that rooftop sees their commands."),
		[KERNEL_IDLE] = N_("No OpenCL command ran that rooftop can see."),
	};

	strbuf_addf(text, "  %s\n", _(texts[k->kind]));
	if (isnan(k->time_s))
		strbuf_addf(text, "  %s\n", _("Reports of this device do not tell what ran."));
}

void kernels_explain(struct strbuf *text, const struct view *v, const struct view_model *m)
{
	const struct kernel_list *l = list_of(m);

	if (l->n == 0)
		return;
	const struct kernel_line *k = &l->lines[selected_row(v, l)];
	strbuf_addf(text, "%s\n", k->kind == KERNEL_RUNS ? k->name : _(k->name));
	if (k->kind != KERNEL_RUNS) {
		explain_rest(text, k);
		return;
	}
	if (k->items)
		strbuf_addf(text, _("  work-items of a call: %llu\n"),
			(unsigned long long)k->items);
	if (isfinite(k->share))
		strbuf_addf(text, _("  calls: %llu, which took %.4g s, %.3g %% of the time\n"),
			(unsigned long long)k->calls, k->time_s, 100 * k->share);
	strbuf_addf(text, _("  each %.4g ms, from %.4g to %.4g ms\n"), 1e3 * k->mean_s,
		1e3 * k->min_s, 1e3 * k->max_s);
	if (isfinite(k->overlap))
		strbuf_addf(text,
			_("  %.3g %% of that beside other commands, which then share the time\n"),
			100 * k->overlap);
	explain_grade(text, k);
	strbuf_addf(text, "%s\n  %s\n", _("How it is counted"),
		_("Two reports count when nothing but this kernel can have run between them, "
		  "whatever the clocks differ (150 us, or more where they are matched less well; "
		  "10 us where one clock stamps both), while nobody else has the device and its "
		  "engines for copies and video are idle. Nothing is fitted."));
}

/* --- keys --- */

static bool command(struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	const struct kernel_list *l = list_of(s->m);

	(void)out;
	if (!select_is_move(cmd))
		return false;
	choose(v, s->m, 0, select_move(cmd, selected_row(v, l), v->page, l->n));
	return true;
}

static int explained(const struct view *v, const struct view_model *m)
{
	(void)v;
	return list_of(m)->n ? EXPLAIN_KERNEL : EXPLAIN_NOTHING;
}

static bool line_has(const void *rows, int row, const char *text)
{
	return select_contains(((const struct kernel_line *)rows)[row].name, text);
}

static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	const struct kernel_list *l = list_of(s->m);
	const struct select_rows rows = { l->lines, l->n, selected_row(v, l), line_has };

	return view_find_row(v, s, &rows, text, step);
}

static const struct footer_key footer[] = {
	{ CMD_ENTER, CMD_NONE, N_("Evidence") },
	{ CMD_RESET, CMD_NONE, N_("Anew") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
};

const struct screen_ops screen_kernels = {
	SCREEN_FOOTER(footer),
	.metric = explained,
	.draw = draw,
	.command = command,
	.find = find,
	.choose = choose,
};
