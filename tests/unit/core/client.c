/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients summed, ordered, filtered and followed; and what keys do to them on their screen. */
#include "config.h"

#include <locale.h>

#include "tests/tap.h"
#include "tests/ui_scene.h"

static void order(void)
{
	static const struct {
		struct client_choice choice;
		long first;
		int rows;
		const char *what;
	} cases[] = {
		{ { .by_process = true }, 3312, 4, "the busiest process first" },
		{ { .by_process = true, .invert = true }, 977, 4, "inverted: the idlest" },
		{ { .sort = CLIENT_BY_BUSY }, 3312, 5, "a row per client" },
		{ { .sort = CLIENT_BY_MEMORY, .by_process = true }, 3312, 4, "most memory first" },
		{ { .sort = CLIENT_BY_MEMORY }, 2201, 5, "most memory of one client first" },
		{ { .sort = CLIENT_BY_TIME, .by_process = true }, 2201, 4, "most time first" },
		{ { .sort = CLIENT_BY_PID, .by_process = true }, 977, 4, "the oldest process first" },
		{ { .sort = CLIENT_BY_USER, .by_process = true }, 977, 4, "by user" },
		{ { .sort = CLIENT_BY_NAME, .by_process = true }, 3312, 4, "by command" },
		{ { .by_process = true, .hide_idle = true }, 3312, 3, "without the idle one" },
		{ { .by_process = true, .filter = "FIRE" }, 2842, 1, "a filter ignores the case" },
		{ { .by_process = true, .filter = "22" }, 2201, 1, "a filter sees process ids" },
		{ { .by_process = true, .filter = "nothing like that" }, -1, 0, "a filter may leave nothing" },
	};
	struct scene *s = scene_new(0);

	scene_clients(s, &cases[0].choice);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct client_list *l = &s->client_list;

		client_select(&s->clients, &cases[i].choice, l);
		is_int((long)l->n_rows, cases[i].rows, "%s: rows", cases[i].what);
		is_int(l->n_rows ? (long)l->rows[0].pid : -1, cases[i].first, "%s", cases[i].what);
		is_int((long)(l->total.busy_pct[0] * 1000), 97250, "%s: the total is that of all",
			cases[i].what);
	}
	scene_clients_free(s);
	scene_free(s);
}

static void sums(void)
{
	static const struct client_choice by_process = { .by_process = true };
	struct scene *s = scene_new(0);
	const struct client_row *r;

	scene_clients(s, &by_process);
	r = &s->client_list.rows[0];
	is_int((long)(r->busy_pct[0] * 1000), 94750, "both clients of a process are busy together");
	is_int(r->n_clients, 2, "they are counted");
	is_int((long)(r->total_bytes >> 20), 64, "their memory is added");
	ok(isnan(r->busy_pct[5]), "an engine that is not there stays unknown");
	ok(s->client_list.rows[3].resident_bytes == UINT64_MAX, "unknown memory stays unknown");
	scene_clients_free(s);
	scene_free(s);
}

static void past(void)
{
	static const struct client_choice by_process = { .by_process = true };
	struct scene *s = scene_new(0);
	struct client_list l = { 0 };
	int column;

	scene_clients(s, &by_process);
	column = client_tracks_column(&s->tracks, 3312, CLIENT_TRACK_BUSY);
	ok(column >= 0, "a process has a past");
	is_int(history_len(&s->tracks.history), 60, "of all scans");
	ok(history_get(&s->tracks.history, column, 59) > 0, "from the first one on");
	s->clients.n_rows = 2;
	client_select(&s->clients, &by_process, &l);
	client_tracks_push(&s->tracks, &l, 3);
	is_int(client_tracks_column(&s->tracks, 2842, CLIENT_TRACK_BUSY), -1,
		"a process that is gone has none");
	s->clients.rows[1].pid = 5000;
	client_select(&s->clients, &by_process, &l);
	client_tracks_push(&s->tracks, &l, 3);
	column = client_tracks_column(&s->tracks, 5000, CLIENT_TRACK_BUSY);
	ok(column >= 0 && isnan(history_get(&s->tracks.history, column, 1)),
		"the next one in its place begins anew");
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++)
		s->clients.rows[0].busy_pct[i] = NAN;
	client_select(&s->clients, &by_process, &l);
	client_tracks_push(&s->tracks, &l, 3);
	column = client_tracks_column(&s->tracks, s->clients.rows[0].pid, CLIENT_TRACK_BUSY);
	ok(column >= 0 && isnan(history_get(&s->tracks.history, column, 0)),
		"a use that is not known yet is no 0");
	client_list_release(&l);
	scene_clients_free(s);
	scene_free(s);
}

static void type(struct view *v, const struct scene *s, const char *keys)
{
	for (; *keys; keys++) {
		struct key_event k = { .code = KEY_CHAR, .ch = (unsigned char)*keys };

		if (*keys == '\n')
			k = (struct key_event){ .code = KEY_ENTER_ };
		if (*keys == '\b')
			k = (struct key_event){ .code = KEY_BACKSPACE_ };
		if (*keys == '\e')
			k = (struct key_event){ .code = KEY_ESC_ };
		scene_draw(v, &s->model, 80, 24);
		view_key(v, &s->model, &k, 80, 24);
	}
}

static void keys(void)
{
	struct scene *s = scene_new(1);
	struct key_event term = { .code = KEY_CHAR, .ch = 't' };
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	scene_clients(s, &v.procs.choice);
	type(&v, s, "5");
	is_int(v.screen, VIEW_PROCS, "5 turns to the processes");
	type(&v, s, "/FIREX\b\n");
	is_int((long)v.procs.pid, 2842, "a row is found by its name");
	type(&v, s, "n");
	is_int((long)v.procs.pid, 2842, "n goes around");
	type(&v, s, ">");
	scene_command(&v, &s->model, CMD_DOWN, 80, 24);
	scene_command(&v, &s->model, CMD_DOWN, 80, 24);
	type(&v, s, "\n");
	is_int(v.procs.choice.sort, CLIENT_BY_TIME, "> lists the orders");
	type(&v, s, "\\gnome");
	is_str(v.procs.choice.filter, "gnome", "a filter works while it is typed");
	type(&v, s, "\n");
	is_str(v.procs.choice.filter, "gnome", "Enter keeps it");
	type(&v, s, "\\\e");
	is_str(v.procs.choice.filter, "", "Esc takes it away");
	type(&v, s, "I");
	ok(v.procs.choice.invert, "I turns it round");
	type(&v, s, "K");
	is_int(v.prompt.kind, PROMPT_QUESTION, "a signal asks first");
	type(&v, s, "x");
	is_int(v.prompt.kind, PROMPT_NONE, "any other key is no");
	type(&v, s, "K");
	is_int(view_key(&v, &s->model, &term, 80, 24), CMD_SIGNAL_TERM,
		"an answer is what app has to do");
	type(&v, s, "1/fpu0\n");
	is_int(v.selected[0], 2, "metrics are found by their name");
	type(&v, s, "1/dram\n");
	is_int(v.focus, 3, "in every pane");
	scene_clients_free(s);
	scene_free(s);
}

int main(void)
{
	setlocale(LC_ALL, "");
	order();
	sums();
	past();
	keys();
	return done_testing();
}
