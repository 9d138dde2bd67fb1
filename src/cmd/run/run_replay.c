/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a recording of a run: its windows and marks take the place of the command. */
#include "config.h"

#include "cmd/run/gathered.h"

#include <stdlib.h>
#include <string.h>

#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"
#include "base/mem.h"
#include "base/parse.h"

static bool open_recording(struct around *r)
{
	struct session *ses = r->session;
	int index;

	session_virtual_clock(ses, 0);
	refresh_as_recorded(ses);
	if (!devices_choose(ses, false, &index, &r->err) ||
		!devices_open(ses, index, NULL, &r->err))
		return false;
	run_gather(r);
	return true;
}

/* Takes the words of the command that began. */
static void begin(struct around *r, const struct rec_mark *m)
{
	const char *word = m->text;

	r->runs = xreallocarray(r->runs, (size_t)r->n_runs + 1, sizeof(*r->runs));
	run_begin(r, m->t_ns, m->started_ns);
	r->started = true;
	if (m->length_ns > 0)
		r->session->window.length_ns = m->length_ns;
	while (r->n_runs == 0) {
		size_t len = strcspn(word, "\t");
		char *copy = xasprintf("%.*s", (int)len, word);

		run_add_word(r, copy);
		free(copy);
		if (!word[len])
			break;
		word += len + 1;
	}
}

static void end(struct around *r, const struct rec_mark *m)
{
	r->started = false;
	r->status = m->wait_status;
	r->used.ru_utime = (struct timeval){ m->user_us / 1000000, m->user_us % 1000000 };
	r->used.ru_stime = (struct timeval){ m->system_us / 1000000, m->system_us % 1000000 };
	run_keep(r, m->length_ns);
}

static void take_marks(struct around *r)
{
	struct source *s = r->session->dev->sources[0];
	struct rec_mark m;

	while (s->ops->mark && s->ops->mark(s, &m)) {
		if (m.kind == REC_MARK_BEGIN && !r->started)
			begin(r, &m);
		else if (m.kind == REC_MARK_PHASE && r->started)
			run_phase_change(r, m.t_ns, m.text);
		else if (m.kind == REC_MARK_END && r->started)
			end(r, &m);
	}
}

bool run_replay(struct around *r)
{
	struct session *ses = r->session;

	if (!open_recording(r))
		return false;
	while (!ses->play.ended) {
		bool is_new = refresh_virtual_step(ses);

		take_marks(r);
		if (!is_new || !r->started)
			continue;
		window_sum_add(&r->sum, ses->got.samples);
		run_window(r);
	}
	take_marks(r);
	/* The recording was cut, or its program killed: what there is counts. */
	if (r->started) {
		err_set(&r->err, ERR_NONE, "the recording ends before the command did");
		session_print_err(&r->err);
		run_keep(r, ses->got.samples[0].t1_ns - r->command_ns);
		r->started = false;
	}
	if (r->n_runs > 0)
		return true;
	err_set(&r->err, ERR_USAGE, "'%s' is no recording of a run", ses->opened.name);
	return err_hint(&r->err, "rooftop run -w FILE -- COMMAND makes one");
}
