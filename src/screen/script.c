/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads scripts and plays them on the screen. */
#include "config.h"

#include "screen/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "out/export/export.h"
#include "out/lines/output.h"
#include "session/window/refresh.h"
#include "screen/split.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "base/strbuf.h"

/* The line being read. */
struct line {
	const char *name;
	int number;
	const char *rest;
	struct err *err;
};

static bool bad(const struct line *l, const char *what, const char *word)
{
	return err_set(l->err, ERR_USAGE, "%s:%d: %s '%.80s'", l->name, l->number, what, word);
}

static bool next_word(struct line *l, char *buf, size_t size)
{
	const char *word;
	size_t len;

	buf[0] = '\0';
	if (!parse_word(&l->rest, &word, &len))
		return false;
	snprintf(buf, size, "%.*s", (int)len, word);
	return true;
}

static struct script_step *add_step(struct script *s, const struct line *l, enum script_verb verb)
{
	s->steps = array_grow(s->steps, s->count, &s->cap, sizeof(*s->steps));
	struct script_step *step = &s->steps[s->count++];
	*step = (struct script_step){ .verb = verb, .line = l->number };
	return step;
}

static bool parse_size(struct script *s, struct line *l)
{
	char word[64], *x;
	uint64_t w, h;

	next_word(l, word, sizeof(word));
	x = strchr(word, 'x');
	if (x)
		*x = '\0';
	if (!x || !parse_u64_range(word, 1, SCRIPT_MAX_SIDE, &w) ||
		!parse_u64_range(x + 1, 1, SCRIPT_MAX_SIDE, &h)) {
		if (x)
			*x = 'x';
		return bad(l, "size wants COLUMNSxROWS up to 1000x1000, not", word);
	}
	add_step(s, l, SCRIPT_SIZE);
	s->steps[s->count - 1].w = (int)w;
	s->steps[s->count - 1].h = (int)h;
	return true;
}

static bool parse_keys(struct script *s, struct line *l)
{
	struct key_event key;
	char word[64];
	int n = 0;

	while (next_word(l, word, sizeof(word))) {
		if (!key_parse(word, &key))
			return bad(l, "unknown key", word);
		add_step(s, l, SCRIPT_KEY)->key = key;
		n++;
	}
	return n > 0 || bad(l, "key wants at least one name, not", "");
}

/* "mouse COLUMN ROW", from 0 on, with "up" or "down" for the wheel. */
static bool parse_mouse(struct script *s, struct line *l)
{
	char column[64], row[64], word[64];
	uint64_t x, y;

	next_word(l, column, sizeof(column));
	next_word(l, row, sizeof(row));
	next_word(l, word, sizeof(word));
	if (!parse_u64_range(column, 0, SCRIPT_MAX_SIDE, &x) ||
		!parse_u64_range(row, 0, SCRIPT_MAX_SIDE, &y))
		return bad(l, "mouse wants a column and a row, not", column);
	if (*word && strcmp(word, "up") && strcmp(word, "down"))
		return bad(l, "mouse wants up or down behind them, not", word);
	uint32_t button = *word == 'u' ? 4 : 5;
	add_step(s, l, SCRIPT_KEY)->key = (struct key_event){
		.code = KEY_MOUSE_, .ch = *word ? button : 1, .x = (int)x, .y = (int)y };
	return true;
}

static bool parse_wait(struct script *s, struct line *l)
{
	char word[64];
	int64_t ns;

	if (!next_word(l, word, sizeof(word)) || !parse_duration_ns(word, &ns) ||
		ns > 1000000 * NS_PER_S)
		return bad(l, "wait wants seconds up to 1000000, not", word);
	add_step(s, l, SCRIPT_WAIT)->wait_ns = ns;
	return true;
}

static bool parse_save(struct script *s, struct line *l)
{
	char word[sizeof(s->steps->file)];

	if (!next_word(l, word, sizeof(word)))
		return bad(l, "save-screen wants a file name, not", word);
	snprintf(add_step(s, l, SCRIPT_SAVE)->file, sizeof(word), "%s", word);
	return true;
}

static bool parse_ascii(struct script *s, struct line *l)
{
	char word[64];

	next_word(l, word, sizeof(word));
	if (strcmp(word, "on") && strcmp(word, "off"))
		return bad(l, "ascii wants on or off, not", word);
	add_step(s, l, SCRIPT_ASCII)->on = word[1] == 'n';
	return true;
}

static bool parse_quit(struct script *s, struct line *l)
{
	add_step(s, l, SCRIPT_QUIT);
	return true;
}

static bool parse_line(struct script *s, struct line *l)
{
	static const struct {
		const char *verb;
		bool (*parse)(struct script *s, struct line *l);
	} verbs[] = {
		{ "size", parse_size }, { "key", parse_keys }, { "mouse", parse_mouse },
		{ "wait", parse_wait },
		{ "save-screen", parse_save }, { "ascii", parse_ascii }, { "quit", parse_quit },
	};
	char verb[64], extra[64];

	if (!next_word(l, verb, sizeof(verb)) || verb[0] == '#')
		return true;
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
		if (strcmp(verb, verbs[i].verb))
			continue;
		if (!verbs[i].parse(s, l))
			return false;
		return !next_word(l, extra, sizeof(extra)) || extra[0] == '#' ||
			bad(l, "unexpected", extra);
	}
	return bad(l, "size, key, mouse, wait, save-screen, ascii or quit expected, not", verb);
}

bool script_parse(struct script *s, const char *name, const char *text, struct err *err)
{
	struct line l = { .name = name, .err = err };
	char buf[4096];

	for (const char *p = text; *p; p += *p == '\n') {
		size_t len = strcspn(p, "\n");

		l.number++;
		l.rest = buf;
		snprintf(buf, sizeof(buf), "%.*s", (int)min_u64(len, sizeof(buf)), p);
		if (len >= sizeof(buf))
			return bad(&l, "line too long:", "");
		if (len > 0 && buf[len - 1] == '\r')
			buf[len - 1] = '\0';
		if (!parse_line(s, &l))
			return false;
		p += len;
	}
	return true;
}

void script_release(struct script *s)
{
	free(s->steps);
	*s = (struct script){ 0 };
}

/* What a running script knows. */
struct player {
	struct split split;
	const char *name;
	int w, h;
	/* heap, of each session: when it ticks by its own clock, and for which windows that
	 * holds */
	struct beat {
		struct session *session;
		unsigned timing;
		int64_t next_ns;
	} *beat;
	int n_beats;
	uint64_t ticks;
	bool done;
};

/* A paced source has moved the clock itself. */
static void next_tick(struct beat *b)
{
	b->timing = b->session->window.changes;
	b->next_ns = clock_mono_ns(&b->session->clock) + refresh_period_ns(b->session);
}

/* Gives each session its beat. A session that is new, or whose windows changed their length, ticks
 * from now on. */
static void update_beats(struct player *p)
{
	const struct program *program = p->split.program;
	struct beat *old = p->beat;

	p->beat = xcalloc((size_t)program->n_sessions + 1, sizeof(*p->beat));
	for (int i = 0; i < program->n_sessions; i++) {
		struct beat *b = &p->beat[i];

		b->session = program->sessions[i];
		for (int k = 0; k < p->n_beats; k++)
			if (old[k].session == b->session)
				*b = old[k];
		if (!b->next_ns || b->timing != b->session->window.changes)
			next_tick(b);
	}
	p->n_beats = program->n_sessions;
	free(old);
}

/* Returns the next tick up to a time, or NULL when there is none. */
static struct beat *due(const struct player *p, int64_t until_ns)
{
	struct beat *found = NULL;

	for (struct beat *b = p->beat; b < p->beat + p->n_beats; b++) {
		if (b->session->play.ended || b->next_ns > until_ns)
			continue;
		if (!found || b->next_ns < found->next_ns)
			found = b;
	}
	return found;
}

/* Does what follows a tick; what is in no half only feeds exports. */
static void after_tick(struct player *p, struct session *ses, bool is_new)
{
	struct err err = { 0 };

	for (int i = 0; i < p->split.n; i++)
		if (p->split.half[i]->session == ses) {
			console_after_tick(&p->split.half[i]->console, is_new);
			return;
		}
	if (!record_service(ses, &err) || !export_service(ses, is_new, &err))
		console_say_err(split_focused(&p->split), &err);
}

/* Moves a virtual clock; a device of this machine has to be waited for. */
static void advance_to(struct session *ses, int64_t mono_ns)
{
	int64_t left_ns;

	while ((left_ns = mono_ns - clock_mono_ns(&ses->clock)) > 0) {
		const struct timespec pause = {
			.tv_sec = left_ns / NS_PER_S, .tv_nsec = left_ns % NS_PER_S
		};

		if (ses->clock.is_virtual)
			clock_advance(&ses->clock, left_ns);
		else
			nanosleep(&pause, NULL);
	}
}

static bool play_wait(struct player *p, const struct script_step *step, struct err *err)
{
	int64_t until_ns = clock_mono_ns(&p->split.half[p->split.focus]->session->clock) +
		step->wait_ns;
	struct beat *b;

	while ((b = due(p, until_ns))) {
		if (++p->ticks > SCRIPT_MAX_TICKS)
			return err_set(err, ERR_USAGE, "%s:%d: more than %d ticks of virtual time",
				p->name, step->line, SCRIPT_MAX_TICKS);
		advance_to(b->session, b->next_ns);
		after_tick(p, b->session, refresh_tick(b->session));
		next_tick(b);
	}
	for (int i = 0; i < p->n_beats; i++)
		advance_to(p->beat[i].session, until_ns);
	return true;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static bool play_save(struct player *p, const struct script_step *step, struct err *err)
{
	const struct canvas *c = split_draw(&p->split, NULL, p->w, p->h);
	struct strbuf out = { 0 };
	struct output file;

	if (ends_with(step->file, ".svg"))
		canvas_dump_svg(c, split_focused(&p->split)->view.scheme, &out);
	else if (ends_with(step->file, ".golden"))
		canvas_dump_golden(c, &out);
	else
		canvas_dump_text(c, &out);
	bool good = output_open(&file, step->file, OUTPUT_TRUNCATE, err);
	good = good && output_write(&file, &out, err);
	good = output_close(&file, good, err);
	strbuf_release(&out);
	return good;
}

static void quit(void *ctx)
{
	struct player *p = ctx;

	p->done = true;
}

static void nothing(void *ctx)
{
	(void)ctx;
}

static void no_mouse(void *ctx, bool on)
{
	(void)ctx;
	(void)on;
}

static const struct screen_driver driver = {
	.quit = quit, .suspend = nothing, .redraw = nothing, .mouse = no_mouse
};

static bool play(struct player *p, const struct script_step *step, struct err *err)
{
	switch (step->verb) {
	case SCRIPT_SIZE:
		p->w = step->w;
		p->h = step->h;
		split_draw(&p->split, NULL, p->w, p->h);
		return true;
	case SCRIPT_KEY:
		dispatch_key(&p->split, &step->key);
		update_beats(p);
		return true;
	case SCRIPT_WAIT: return play_wait(p, step, err);
	case SCRIPT_SAVE: return play_save(p, step, err);
	case SCRIPT_ASCII:
		for (int i = 0; i < p->split.n; i++)
			p->split.half[i]->console.view.ascii = step->on;
		return true;
	case SCRIPT_QUIT: p->done = true; return true;
	}
	return true;
}

bool script_run(struct program *program, const struct script *s, const char *name, bool ascii,
	struct err *err)
{
	struct player p = { .name = name, .w = 80, .h = 24 };
	bool good = true;

	split_init(&p.split, program, &driver, &p, ascii);
	update_beats(&p);
	split_draw(&p.split, NULL, p.w, p.h);
	for (size_t i = 0; i < s->count && good && !p.done; i++)
		good = play(&p, &s->steps[i], err);
	split_release(&p.split);
	free(p.beat);
	return good;
}
