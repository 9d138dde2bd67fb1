/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds one console, or two that share the screen. */
#include "config.h"

#include "screen/split.h"

#include <stdlib.h>

#include "session/devices/devices.h"
#include "session/window/rotate.h"
#include "out/export/export.h"
#include "session/window/record.h"
#include "session/window/refresh.h"
#include "base/i18n.h"
#include "base/mem.h"

struct console *split_focused(const struct split *s)
{
	return &s->half[s->focus]->console;
}

/* Returns the other half, or NULL where there is only one. */
static struct half *other_of(const struct split *s)
{
	return s->n == SPLIT_HALVES ? s->half[1 - s->focus] : NULL;
}

/* Tells each view what it must know about the other one. */
void split_place(struct split *s)
{
	for (int i = 0; i < s->n; i++) {
		struct console *c = &s->half[i]->console;

		c->of_two = 0;
		c->other = NULL;
		c->place = VIEW_ALONE;
		if (s->n == SPLIT_HALVES) {
			c->of_two = i + 1;
			c->other = s->half[1 - i]->session;
		}
		if (s->both)
			c->place = i == s->focus ? VIEW_FOCUSED : VIEW_OTHER;
	}
}

static void free_half(struct half *h)
{
	console_release(&h->console);
	free(h);
}

void split_release(struct split *s)
{
	for (int i = s->n - 1; i >= 0; i--)
		free_half(s->half[i]);
	canvas_release(&s->canvas);
	s->n = 0;
}

static void take_look(struct console *to, const struct console *from)
{
	to->view.scheme = from->view.scheme;
	to->view.ascii = from->view.ascii;
	to->mouse = from->mouse;
}

void split_share_look(struct split *s, const struct console *c)
{
	for (int i = 0; i < s->n; i++)
		take_look(&s->half[i]->console, c);
}

/* A device that is chosen on the screen begins as it would without options. */
static const struct device_options no_wishes;

static struct half *add_half(struct split *s, struct session *ses, bool ascii)
{
	struct half *h = xcalloc(1, sizeof(*h));

	h->session = ses;
	console_init(&h->console, ses, ascii);
	s->half[s->n++] = h;
	return h;
}

void split_init(struct split *s, struct program *p, const struct screen_driver *driver, void *ctx,
	bool ascii)
{
	int n = p->n_sessions;

	*s = (struct split){ .program = p, .driver = driver, .driver_ctx = ctx };
	/* More than two begin with the list of them. */
	if (n > SPLIT_HALVES || options_of_all(p->opt))
		n = 1;
	for (int i = 0; i < n; i++)
		add_half(s, p->sessions[i], ascii);
	if ((n < p->n_sessions || options_of_all(p->opt)) && !p->opt->screen)
		s->half[0]->console.view.screen = VIEW_ALL;
}

/* Shows an open session in a half, whose own session goes on unseen. */
static void give_half(struct split *s, int i, struct session *ses)
{
	struct half *old = s->half[i], *h = xcalloc(1, sizeof(*h));

	map_set_leave(old->session, NULL);
	h->session = ses;
	console_init(&h->console, ses, old->console.view.ascii);
	take_look(&h->console, &old->console);
	h->console.view.screen = VIEW_OVERVIEW;
	s->half[i] = h;
	free_half(old);
}

void split_show(struct split *s, struct session *ses, bool beside)
{
	struct half *other = other_of(s);

	if (other && other->session == ses) {
		split_focus(s, 1 - s->focus);
	} else if (s->half[s->focus]->session != ses && beside) {
		split_focused(s)->view.screen = VIEW_OVERVIEW;
		if (other)
			give_half(s, 1 - s->focus, ses);
		else
			take_look(&add_half(s, ses, split_focused(s)->view.ascii)->console,
				split_focused(s));
		split_focus(s, 1 - s->focus);
	} else if (s->half[s->focus]->session != ses) {
		give_half(s, s->focus, ses);
	}
	split_focused(s)->view.screen = VIEW_OVERVIEW;
	split_place(s);
	console_say_device(split_focused(s));
}

static bool open_half(struct split *s, int index, struct err *err)
{
	const struct console *from = &s->half[0]->console;
	struct session *ses = program_add_session(s->program, &no_wishes);

	ses->clock = from->session->clock;
	refresh_set_length(ses, from->session->window.length_ns);
	if (!devices_open(ses, index, NULL, err)) {
		program_close_session(s->program, ses);
		return false;
	}
	take_look(&add_half(s, ses, from->view.ascii)->console, from);
	return true;
}

/* A line that is being typed in the other half is left. */
void split_focus(struct split *s, int i)
{
	if (i == s->focus)
		return;
	split_focused(s)->view.prompt.kind = PROMPT_NONE;
	s->focus = i;
	split_place(s);
}

static bool use_device(struct half *h, int index, struct err *err)
{
	const struct device_options *before = h->session->want;

	if (index != h->session->opened.entry)
		h->session->want = &no_wishes;
	if (console_use_device(&h->console, index, err))
		return true;
	h->session->want = before;
	return false;
}

bool split_open(struct split *s, int index, struct err *err)
{
	struct half *h = other_of(s);
	struct halves l;

	if (h && !use_device(h, index, err))
		return false;
	if (!h && !open_half(s, index, err))
		return false;
	split_focused(s)->view.screen = VIEW_OVERVIEW;
	split_focus(s, 1 - s->focus);
	struct console *c = split_focused(s);
	if (s->w > 0 && !halves_layout(&l, s->w, s->h))
		console_say(
			c, false, _("the screen has no room for two: o turns to the other device"));
	else
		console_say_device(c);
	return true;
}

/* A closed half ends its recording, and the half that stays says what came of it. */
static void say_closed(struct console *c, struct session *closing)
{
	bool recorded = record_is_on(closing);
	struct err err = { 0 };

	if (!record_stop(closing, &err))
		console_say_err(c, &err);
	else if (recorded)
		console_say(c, false, _("recorded to '%.300s'"), closing->recorder.path);
	else
		console_say(c, false, _("%.90s is closed"), closing->dev->device.id);
}

static struct half *find_other(struct split *s)
{
	struct half *h = other_of(s);

	if (!h)
		console_say(split_focused(s), false,
			_("there is no other device on the screen: b on the devices screen opens "
			  "one"));
	return h;
}

void split_close_other(struct split *s)
{
	struct half *h = find_other(s), *stays = s->half[s->focus];

	if (!h)
		return;
	say_closed(&stays->console, h->session);
	export_leave(h->session);
	program_close_session(s->program, h->session);
	free_half(h);
	s->half[0] = stays;
	s->half[1] = NULL;
	s->n = 1;
	s->focus = 0;
	s->both = false;
	split_place(s);
}

void split_turn(struct split *s)
{
	if (find_other(s))
		split_focus(s, 1 - s->focus);
}

static void draw_half(const struct split *s, int i, const struct half *only, int w, int h)
{
	struct console *c = &s->half[i]->console;

	if (!only || only == s->half[i] || c->canvas.w != w || c->canvas.h != h)
		console_draw(c, w, h);
}

const struct canvas *split_draw(struct split *s, const struct half *only, int w, int h)
{
	const struct console *c = split_focused(s);
	const struct canvas *part[SPLIT_HALVES];

	s->w = w;
	s->h = h;
	s->both = s->n == SPLIT_HALVES && halves_layout(&s->layout, w, h);
	split_place(s);
	if (!s->both) {
		draw_half(s, s->focus, only, w, h);
		return &c->canvas;
	}
	for (int i = 0; i < SPLIT_HALVES; i++) {
		draw_half(s, i, only, s->layout.half[i].w, s->layout.half[i].h);
		part[i] = &s->half[i]->console.canvas;
	}
	canvas_resize(&s->canvas, w, h);
	halves_draw(&s->layout, part, &c->view, &c->model, &s->canvas);
	return &s->canvas;
}
