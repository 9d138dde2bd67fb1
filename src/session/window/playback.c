/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keys ask of a recording, as calls of its source. */
#include "config.h"

#include "session/window/playback.h"

#include "base/mem.h"
#include "session/window/refresh.h"

static struct source *player(const struct session *ses)
{
	struct source *s = ses->dev ? ses->dev->sources[0] : NULL;

	return s && s->ops->play && !s->self_paced ? s : NULL;
}

bool playback_get(const struct session *ses, struct playback *out)
{
	const struct source *s = player(ses);

	if (!s)
		return false;
	s->ops->playback(s, out);
	out->paused = ses->play.paused;
	out->loop = ses->loops;
	out->ended = ses->play.ended;
	return true;
}

static bool play(struct session *ses, const struct playback *p, bool jump, struct err *err)
{
	struct source *s = player(ses);

	return s->ops->play(s, clock_mono_ns(&ses->clock), p, jump, err);
}

bool playback_seek(struct session *ses, int64_t position_ns, struct err *err)
{
	struct playback p;

	if (!playback_get(ses, &p))
		return false;
	p.position_ns = position_ns;
	if (p.position_ns > p.total_ns - ses->window.length_ns)
		p.position_ns = p.total_ns - ses->window.length_ns;
	if (p.position_ns < 0)
		p.position_ns = 0;
	if (!play(ses, &p, true, err))
		return false;
	refresh_go_elsewhere(ses);
	return !ses->play.paused || playback_step(ses, err);
}

bool playback_pause(struct session *ses, bool paused, struct err *err)
{
	struct playback p;

	refresh_pause(ses, paused);
	return !playback_get(ses, &p) || play(ses, &p, false, err);
}

bool playback_step(struct session *ses, struct err *err)
{
	struct playback p;

	if (!playback_get(ses, &p))
		return false;
	p.position_ns += (int64_t)((double)ses->window.length_ns * p.speed);
	if (!play(ses, &p, false, err))
		return false;
	refresh_show_next(ses);
	refresh_now(ses);
	return true;
}

double playback_change_speed(struct session *ses, int step, struct err *err)
{
	static const double speeds[] = { 0.25, 0.5, 1, 2, 4, 8, 16 };
	struct playback p;
	int at = 0;

	if (!playback_get(ses, &p))
		return 0;
	while (at < (int)ARRAY_LEN(speeds) - 1 && speeds[at] < p.speed)
		at++;
	at += step;
	if (at >= 0 && at < (int)ARRAY_LEN(speeds))
		p.speed = speeds[at];
	return play(ses, &p, false, err) ? p.speed : 0;
}

void playback_loop(struct session *ses, bool loops)
{
	ses->loops = loops;
}

void playback_follow(struct session *ses)
{
	struct err err = { 0 };

	if (!ses->play.ended || !ses->loops || ses->play.paused || !player(ses))
		return;
	if (!playback_seek(ses, 0, &err)) {
		ses->loops = false;
		session_problem(ses, &err);
	}
}
