/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program and its sources said; the newest line is at the bottom. */
#include "config.h"

#include "base/clock.h"
#include "ui/screen.h"

static int log_rows(const struct screen_layout *l)
{
	return l->body.h > 2 ? l->body.h - 2 : 0;
}

static void draw_line(struct screen *s, struct rect in, int y, const struct log_line *line)
{
	static const struct {
		enum role role;
		const char *name;
	} levels[] = {
		[LOG_ERROR] = { ROLE_BAD, N_("error") },
		[LOG_WARN] = { ROLE_WARN, N_("warning") },
		[LOG_INFO] = { ROLE_TEXT, N_("info") },
		[LOG_DEBUG] = { ROLE_DIM, N_("debug") },
	};
	unsigned level = (unsigned)line->level < 4 ? (unsigned)line->level : LOG_INFO;
	char clock[24];

	canvas_text(s->c, in.x + 1, y, ROLE_DIM, clock_format_local(line->wall_ns, clock));
	canvas_field(s->c, in.x + 11, y, 8, false, levels[level].role, _(levels[level].name));
	canvas_text(s->c, in.x + 20, y, levels[level].role, line->text);
}

static void draw(struct screen *s)
{
	struct rect r = s->l.body, in = box_frame(s->c, s->g, r, true, _("Log"), NULL);
	int n = s->m->log ? log_count(s->m->log) : 0, rows = in.h, top;

	canvas_clip(s->c, in);
	if (!n)
		canvas_text(s->c, in.x + 1, in.y, ROLE_DIM, _("nothing was said so far"));
	/* log_top counts from the newest line, so that a view of old lines is only left by going down again. */
	top = n - rows - s->v->log_top;
	top = top < 0 ? 0 : top;
	for (int i = 0; i < rows && top + i < n; i++)
		draw_line(s, in, in.y + i, log_get(s->m->log, top + i));
	canvas_unclip(s->c);
	box_scroll_mark(s->c, s->g, r, top, rows, n);
}

static void log_move(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	struct screen_layout l;
	int n = m->log ? log_count(m->log) : 0, rows, most;

	chrome_layout(&l, m, w, h);
	rows = log_rows(&l);
	most = n > rows ? n - rows : 0;
	/* log_top counts from the bottom. */
	v->log_top = most - view_move(cmd, most - (v->log_top < most ? v->log_top : most), rows, most + 1);
}

static bool command(struct view *v, const struct view_model *m, enum command cmd, int w, int h, enum command *out)
{
	(void)out;
	if (!view_is_move(cmd))
		return false;
	log_move(v, m, cmd, w, h);
	return true;
}

/* Older lines come next; the one found stands at the bottom. */
static bool find(struct view *v, const struct view_model *m, const char *text, int step, int w, int h)
{
	int n = m->log ? log_count(m->log) : 0;

	(void)w;
	(void)h;
	for (int i = 0; i < n; i++) {
		int back = (v->log_top + step + i) % n;

		if (!view_contains(log_get(m->log, n - 1 - back)->text, text))
			continue;
		v->log_top = back;
		return true;
	}
	return false;
}

const struct screen_ops screen_log = {
	.name = "log",
	.title = N_("Log"),
	.brief = N_("Log"),
	.turn = CMD_SCREEN_LOG,
	.draw = draw,
	.command = command,
	.find = find,
};
