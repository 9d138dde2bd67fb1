/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program and its sources said; the newest line is at the bottom. */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "ui/frame/screen.h"

#define TEXT_X 20	/* behind clock and level */

static int entries(const struct log *log)
{
	if (!log)
		return 0;
	return log_count(log);
}

/* Lines that an entry takes in a box whose inside has w columns; a long text goes on below. */
static int entry_lines(const struct log *log, int i, int w)
{
	struct rect r = { .w = w - TEXT_X - 1 };

	return max_of(1, box_text(NULL, r, 0, log_get(log, i)->text));
}

/* top: lines of the entry that stand above the box. */
static void draw_entry(
	struct screen *s, struct rect in, int y, int top, const struct log_line *line)
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
	unsigned level = (unsigned)line->level;
	char clock[24];

	if (level >= ARRAY_LEN(levels))
		level = LOG_INFO;
	if (!top) {
		canvas_text(s->c, in.x + 1, y, ROLE_DIM, clock_format_local(line->wall_ns, clock));
		canvas_field(s->c, in.x + 11, y, TEXT_X - 12, false, levels[level].role,
			_(levels[level].name));
	}
	box_text_role(s->c, (struct rect){ in.x + TEXT_X, y, in.w - TEXT_X - 1, in.y + in.h - y },
		top, levels[level].role, line->text);
}

static void draw(struct screen *s)
{
	struct rect r = s->l.body, in = box_frame(s, r, true, _("Log"), NULL);
	const struct log *log = s->m->log;
	int n = entries(log), last, first, lines = 0;

	canvas_clip(s->c, in);
	if (!n)
		canvas_text(s->c, in.x + 1, in.y, ROLE_DIM, _("nothing was said so far"));
	/* log_top counts back from the newest entry: a view of old ones is left by going down. */
	last = min_of(max_of(n - 1 - s->v->log_top, 0), n - 1);
	for (first = last + 1; first > 0 && lines < in.h; first--)
		lines += entry_lines(log, first - 1, in.w);
	lines = min_of(in.h - lines, 0);
	for (int i = first; i <= last && lines < in.h; i++) {
		int above = max_of(-lines, 0);

		draw_entry(s, in, in.y + lines + above, above, log_get(log, i));
		lines += entry_lines(log, i, in.w);
	}
	canvas_unclip(s->c);
	box_scroll_mark(s, r, first, last + 1 - first, n);
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	const struct log *log = s->m->log;
	int n = entries(log), fit = 0, lines = 0, most;
	struct rect body = s->l.body;

	(void)out;
	if (!select_is_move(cmd))
		return false;
	/* How many of the oldest entries can be seen whole; log_top counts from the bottom. */
	while (fit < n) {
		lines += entry_lines(log, fit, body.w - 2);
		if (lines > body.h - 2)
			break;
		fit++;
	}
	most = max_of(n - max_of(fit, 1), 0);
	v->log_top = most - select_move(cmd, most - min_of(v->log_top, most), body.h - 2, most + 1);
	return true;
}

/* Older lines come next; the one found stands at the bottom. */
static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	const struct log *log = s->m->log;
	int n = entries(log);

	for (int i = 0; i < n; i++) {
		int back = (v->log_top + step + i) % n;

		if (!select_contains(log_get(log, n - 1 - back)->text, text))
			continue;
		v->log_top = back;
		return true;
	}
	return false;
}

static const struct footer_key footer[] = {
	{ CMD_UP, CMD_DOWN, N_("Scroll") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
};

const struct screen_ops screen_log = {
	SCREEN_FOOTER(footer),
	.draw = draw,
	.command = command,
	.find = find,
};
