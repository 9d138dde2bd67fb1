/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the line of a recording: where it plays, its marks, its speed. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/minmax.h"
#include "ui/frame/screen.h"

#define BAR_MIN 8

/* Writes a time as "01:01.0" or "1:01:01". */
static void time_text(char *buf, size_t size, int64_t ns)
{
	long long s = ns / NS_PER_S, tenths = ns / (NS_PER_S / 10) % 10;

	if (s >= 3600)
		snprintf(buf, size, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	else
		snprintf(buf, size, "%02lld:%02lld.%lld", s / 60, s % 60, tenths);
}

const char *playback_place(const struct playback *p, char *buf, size_t size)
{
	char at[24], total[24];

	time_text(at, sizeof(at), p->position_ns);
	time_text(total, sizeof(total), p->total_ns);
	if (p->damaged)
		snprintf(buf, size,
			_("recording %s of %s (the file is damaged: its good part)"), at, total);
	else
		snprintf(buf, size, _("recording %s of %s"), at, total);
	return buf;
}

/* All states are equally wide, so that the bar keeps its place. */
static void state_text(const struct playback *p, struct strbuf *out)
{
	const char *const states[] = { _("playing"), _("paused"), _("at its end") },
			  *state = states[0], *loop = _("loop off");
	int w = 0;

	for (size_t i = 0; i < ARRAY_LEN(states); i++)
		w = max_of(w, format_columns(states[i]));
	if (p->paused)
		state = states[1];
	else if (p->ended)
		state = states[2];
	if (p->loop)
		loop = _("loop on ");
	/* TRANSLATORS: how a recording plays; its state and whether it begins again follow */
	strbuf_addf(out, _("speed %4gx"), p->speed);
	strbuf_add(out, "   ");
	format_padded(out, state, w + 3);
	strbuf_add(out, loop);
}

/* Returns the column of a place in a bar of w columns. */
static int column_of(const struct playback *p, int64_t position_ns, int w)
{
	if (p->total_ns <= 0)
		return 0;
	return (int)fmax(0, fmin((double)position_ns / (double)p->total_ns * w, w - 1));
}

static void draw_bar(struct screen *s, struct rect r, const struct playback *p)
{
	const struct view *v = s->v;
	int now = column_of(p, p->position_ns, r.w);

	for (int i = 0; i < r.w; i++) {
		if (i < now)
			canvas_put(s->c, r.x + i, r.y, s->g->bar_full, ROLE_GRAPH);
		else
			canvas_put(s->c, r.x + i, r.y, s->g->bar_empty, ROLE_BAR_EMPTY);
	}
	for (int i = 0; i < v->n_marks; i++)
		canvas_put(s->c, r.x + column_of(p, (int64_t)v->marks[i], r.w), r.y,
			(uint32_t)('1' + i % 9), ROLE_KEY);
	canvas_put(s->c, r.x + now, r.y, '>', ROLE_FOCUS);
}

void playback_bar_draw(struct screen *s, struct rect r)
{
	const struct playback *p = s->m->playback;
	struct strbuf state = { 0 };
	char at[24], total[24];
	int x = r.x, end = r.x + r.w, room;

	time_text(at, sizeof(at), p->position_ns);
	time_text(total, sizeof(total), p->total_ns);
	state_text(p, &state);
	room = r.w - format_columns(at) - format_columns(total) - 2;
	if (room - format_columns(strbuf_str(&state)) - 3 >= BAR_MIN) {
		end -= format_columns(strbuf_str(&state));
		canvas_text(s->c, end, r.y, ROLE_TEXT, strbuf_str(&state));
		end -= 3;
	}
	x += canvas_text(s->c, x, r.y, ROLE_VALUE, at) + 1;
	end -= format_columns(total);
	if (end - 1 - x >= BAR_MIN)
		draw_bar(s, (struct rect){ x, r.y, end - 1 - x, 1 }, p);
	if (end > x)
		canvas_text(s->c, end, r.y, ROLE_DIM, total);
	strbuf_release(&state);
}
