/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every screen as a picture in tests/golden; UPDATE_GOLDEN=1 writes them anew, to be looked at in
 * the diff. */
#include "config.h"

#include <errno.h>
#include <locale.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "base/strbuf.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"

static const char *next_line(const char **p, char *buf, size_t size)
{
	size_t len = strcspn(*p, "\n");

	snprintf(buf, size, "%.*s", (int)len, *p);
	*p += len + ((*p)[len] == '\n');
	return buf;
}

static void print_diff(const char *want, const char *got)
{
	char a[2048], b[2048];

	for (int line = 1; *want || *got; line++) {
		bool end_a = !*want, end_b = !*got;

		next_line(&want, a, sizeof(a));
		next_line(&got, b, sizeof(b));
		if (!strcmp(a, b) && end_a == end_b)
			continue;
		if (!end_a)
			diag("%3d -%s", line, a);
		if (!end_b)
			diag("%3d +%s", line, b);
	}
}

static void compare(const char *name, const char *got)
{
	const char *top = getenv("top_srcdir");
	struct err err = { 0 };
	struct strbuf path = { 0 };
	char *want = NULL;
	size_t len;
	FILE *f;

	strbuf_addf(&path, "%s/tests/golden/%s.txt", top ? top : ".", name);
	if (getenv("UPDATE_GOLDEN")) {
		f = fopen(strbuf_str(&path), "w");
		ok(f && fputs(got, f) >= 0, "%s: written", name);
		if (f)
			fclose(f);
	} else {
		want = file_read_all(strbuf_str(&path), 1 << 20, &len, &err);
		if (!ok(want && !strcmp(want, got), "%s", name)) {
			if (want)
				print_diff(want, got);
			else
				diag("%s", err.msg);
		}
	}
	free(want);
	strbuf_release(&path);
}

static void shoot(const char *name, const struct view *v, const struct view_model *m, int w, int h)
{
	struct canvas c = { 0 };
	struct strbuf b = { 0 };
	char file[96];

	snprintf(file, sizeof(file), "%s-%dx%d%s", name, w, h, v->ascii ? "-ascii" : "");
	canvas_resize(&c, w, h);
	view_draw(v, m, &c);
	canvas_dump_golden(&c, &b);
	compare(file, strbuf_str(&b));
	strbuf_release(&b);
	canvas_release(&c);
}

/* In every size that has a layout of its own, in both sets of glyphs. */
static void shoot_sizes(const char *name, const struct view *v, const struct view_model *m)
{
	static const int sizes[][2] = { { 120, 40 }, { 80, 24 }, { 40, 10 }, { 200, 60 } };
	struct view ascii = *v;

	ascii.ascii = true;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		shoot(name, v, m, sizes[i][0], sizes[i][1]);
		shoot(name, &ascii, m, sizes[i][0], sizes[i][1]);
	}
}

static void overviews(struct scene *s)
{
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.selected[0] = 1;
	shoot_sizes("overview", &v, &s->model);
	for (int ascii = 0; ascii < 2; ascii++) {
		v.ascii = ascii;
		shoot("overview", &v, &s->model, 20, 4);
		shoot("overview", &v, &s->model, 19, 3);
	}
}

/* A label of sixteen columns is cut where it would take the bars of its pane away. */
static void long_label(struct scene *s)
{
	char *label = s->metrics[19].label;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	s->metrics[19].label = (char *)"Reads of the GTI";
	shoot("label", &v, &s->model, 80, 24);
	shoot("label", &v, &s->model, 120, 40);
	s->metrics[19].label = label;
}

/* Everything that can be said in the lines around the panes, at once. */
static void busy(struct scene *s)
{
	struct view_model m = s->model;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.focus = 2;
	m.no_device = "no usable GPU: nothing in /dev/dri";
	m.message = "recording to rooftop-2026-11-21.i915perf";
	m.paused = m.recording = true;
	s->snap.quality = SAMPLE_LOST;
	s->snap.lost = 2;
	s->snap.lost_total = 1234567;
	shoot("busy", &v, &m, 120, 40);
	shoot("busy", &v, &m, 80, 24);
	shoot("busy", &v, &m, 40, 12);
	s->snap.quality = 0;
	s->snap.lost = s->snap.lost_total = 0;
}

static void others(struct scene *s)
{
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_DEVICES;
	shoot_sizes("devices", &v, &s->model);
	v.screen = VIEW_LOG;
	shoot_sizes("log", &v, &s->model);
	view_init(&v, false, SCHEME_DEFAULT);
	v.help = true;
	shoot_sizes("help", &v, &s->model);
	view_init(&v, false, SCHEME_DEFAULT);
	v.setup = true;
	shoot_sizes("setup", &v, &s->model);
	view_init(&v, false, SCHEME_DEFAULT);
	v.explain = true;
	shoot_sizes("explain", &v, &s->model);
	v.focus = 2;
	v.selected[2] = 7;
	shoot("explain-none", &v, &s->model, 80, 24);
}

static void processes(void)
{
	struct scene *s = scene_new(3);
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_PROCS;
	shoot("processes-unknown", &v, &s->model, 80, 24);
	scene_clients(s, &v.procs.choice);
	shoot_sizes("processes", &v, &s->model);
	view_command(&v, &s->model, CMD_PROCS_SIGNAL, 80, 24);
	shoot("processes-signal", &v, &s->model, 80, 24);
	scene_clients_free(s);
	scene_free(s);
}

int main(void)
{
	struct scene *s, *first;
	struct view v;

	setlocale(LC_ALL, "");
	if (MB_CUR_MAX == 1)
		skip_all("needs a UTF-8 locale");
	s = scene_new(300);
	snprintf(s->snap.status, sizeof(s->snap.status), "phase 2 of 4: a memory-bound load");
	overviews(s);
	long_label(s);
	busy(s);
	others(s);
	processes();
	first = scene_new(0);
	view_init(&v, false, SCHEME_DEFAULT);
	shoot("first", &v, &first->model, 80, 24);
	scene_free(first);
	scene_free(s);
	return done_testing();
}
