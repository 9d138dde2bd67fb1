/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every screen as pictures in tests/golden, without the lines that frame it: those are in frame.txt.
 * UPDATE_GOLDEN=1 writes them anew, to be looked at in the diff. */
#include "config.h"

#include <errno.h>
#include <locale.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "base/strbuf.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"
#include "ui/frame/screen.h"

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

/* The pictures of one subject, in tests/golden/NAME.txt. */
struct gallery {
	const char *name;
	struct strbuf path;
	char *want;
	struct strbuf got;
	int count;
};

static void gallery_open(struct gallery *g, const char *name)
{
	const char *top = getenv("top_srcdir");
	size_t len;

	*g = (struct gallery){ .name = name };
	strbuf_addf(&g->path, "%s/tests/golden/%s.txt", top ? top : ".", name);
	if (!getenv("UPDATE_GOLDEN"))
		g->want = file_read_all(strbuf_str(&g->path), 1 << 20, &len, NULL);
}

/* Nothing is left in the file that is drawn no more. */
static void gallery_close(struct gallery *g)
{
	int kept = 0;
	FILE *f;

	if (getenv("UPDATE_GOLDEN")) {
		f = fopen(strbuf_str(&g->path), "w");
		ok(f && fputs(strbuf_str(&g->got), f) >= 0, "%s: written", g->name);
		if (f)
			fclose(f);
	} else {
		for (const char *p = g->want; p; p = strstr(p + 1, "\n=== "))
			kept++;
		is_int(kept, g->count, "%s: pictures", g->name);
	}
	free(g->want);
	strbuf_release(&g->path);
	strbuf_release(&g->got);
}

static void compare(struct gallery *g, const char *title, const char *got)
{
	char head[128];
	const char *from, *end;
	char *want;

	snprintf(head, sizeof(head), "=== %s\n", title);
	strbuf_addf(&g->got, "%s%s", head, got);
	g->count++;
	if (getenv("UPDATE_GOLDEN"))
		return;
	from = g->want ? strstr(g->want, head) : NULL;
	if (!ok(from, "%s %s is there", g->name, title))
		return;
	from += strlen(head);
	end = strstr(from, "\n=== ");
	want = strndup(from, end ? (size_t)(end + 1 - from) : strlen(from));
	if (!ok(!strcmp(want, got), "%s %s", g->name, title))
		print_diff(want, got);
	free(want);
}

/* What of a screen is in a picture. The lines that frame every screen are header, tabs, messages
 * and keys. A TALK is body, messages and keys, for pictures of what is asked and told there. */
enum part { ALL, BODY, TALK, FRAME };

static bool is_frame(const struct screen_layout *l, int y, enum part part)
{
	return y < l->body.y || (part != TALK && y >= l->body.y + l->body.h);
}

static bool same_cell(const struct canvas *a, const struct canvas *b, int x, int y)
{
	const struct cell *p = &a->cells[y * a->w + x], *q = &b->cells[y * b->w + x];

	return p->ch == q->ch && p->role == q->role;
}

/* The columns of a box: those between the first and the last that differ from the screen without
 * it. Without a box there is none. */
static void box_columns(const struct canvas *c, const struct canvas *plain, int *from, int *to)
{
	*from = c->w;
	*to = 0;
	for (int y = 0; y < c->h; y++) {
		for (int x = 0; x < c->w; x++) {
			if (same_cell(c, plain, x, y))
				continue;
			*from = x < *from ? x : *from;
			*to = x >= *to ? x + 1 : *to;
		}
	}
}

static bool reaches_row(const struct canvas *c, const struct canvas *plain, int y)
{
	for (int x = 0; x < c->w; x++)
		if (!same_cell(c, plain, x, y))
			return true;
	return false;
}

/* The rows of c that belong to part. Of a row of the frame that a box covers only the box does. */
static void cut(struct canvas *out, const struct canvas *c, const struct canvas *plain,
	const struct screen_layout *l, enum part part)
{
	int from, to, n = 0;

	canvas_resize(out, c->w, c->h);
	box_columns(c, plain, &from, &to);
	for (int y = 0; y < c->h; y++) {
		bool frame = is_frame(l, y, part);

		if (part == FRAME && !frame)
			continue;
		if (part != FRAME && frame && !reaches_row(c, plain, y))
			continue;
		for (int x = 0; x < c->w; x++)
			if (part == FRAME || !frame || (x >= from && x < to))
				out->cells[n * c->w + x] = c->cells[y * c->w + x];
		n++;
	}
	out->h = n;
}

static void draw_part(struct strbuf *b, struct view *v, const struct view_model *m,
	struct rect size, enum part part)
{
	struct canvas c = { 0 }, plain = { 0 }, out = { 0 };
	struct view without = *v;
	struct screen s = { .v = v, .m = m, .w = size.w, .h = size.h };

	canvas_resize(&c, size.w, size.h);
	view_draw(v, m, &c);
	if (part == ALL) {
		canvas_dump_golden(&c, b);
	} else {
		without.explain = without.help = false;
		without.menu = MENU_NONE;
		canvas_resize(&plain, size.w, size.h);
		view_draw(&without, m, &plain);
		chrome_layout(&s);
		cut(&out, &c, &plain, &s.l, part);
		canvas_dump_golden(&out, b);
	}
	canvas_release(&c);
	canvas_release(&plain);
	canvas_release(&out);
}

static void shoot_part(struct gallery *g, struct view *v, const struct view_model *m,
	struct rect size, enum part part)
{
	struct strbuf b = { 0 };
	char title[96];

	snprintf(title, sizeof(title), "%dx%d%s", size.w, size.h, v->ascii ? " ascii" : "");
	draw_part(&b, v, m, size, part);
	compare(g, title, strbuf_str(&b));
	strbuf_release(&b);
}

static void shoot_all(
	struct gallery *g, struct view *v, const struct view_model *m, int w, int h)
{
	shoot_part(g, v, m, (struct rect){ .w = w, .h = h }, ALL);
}

/* In every size that has a layout of its own, in both sets of glyphs. */
static const struct rect sizes[] = {
	{ .w = 120, .h = 40 }, { .w = 80, .h = 24 }, { .w = 40, .h = 10 }, { .w = 200, .h = 60 },
};

static void shoot_sizes(const char *name, struct view *v, const struct view_model *m)
{
	struct view ascii = *v;
	struct gallery g;

	gallery_open(&g, name);
	ascii.ascii = true;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		shoot_part(&g, v, m, sizes[i], BODY);
		shoot_part(&g, &ascii, m, sizes[i], BODY);
	}
	gallery_close(&g);
}

/* One picture of its own. */
static void shoot_one(
	const char *name, struct view *v, const struct view_model *m, enum part part)
{
	struct gallery g;

	gallery_open(&g, name);
	shoot_part(&g, v, m, (struct rect){ .w = 80, .h = 24 }, part);
	gallery_close(&g);
}

/* The lines around every screen, those of all screens in one picture: no other picture has them. */
static void frames(struct scene *s)
{
	struct gallery g;
	struct view v;
	struct strbuf b = { 0 };
	char name[24];

	gallery_open(&g, "frame");
	view_init(&v, false, SCHEME_DEFAULT);
	for (int i = 0; i < 3; i++) {
		v.ascii = i == 1;
		for (int screen = 0; screen < VIEW_SCREENS; screen++) {
			v.screen = screen;
			strbuf_addf(&b, "--- screen %d\n", screen + 1);
			draw_part(&b, &v, &s->model, sizes[i], FRAME);
		}
		snprintf(name, sizeof(name), "%dx%d", sizes[i].w, sizes[i].h);
		compare(&g, name, strbuf_str(&b));
		strbuf_clear(&b);
	}
	strbuf_release(&b);
	gallery_close(&g);
}

static void overviews(struct scene *s)
{
	struct gallery g;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.selected[0] = 1;
	shoot_sizes("overview", &v, &s->model);
	gallery_open(&g, "tiny");
	for (int ascii = 0; ascii < 2; ascii++) {
		v.ascii = ascii;
		shoot_all(&g, &v, &s->model, 20, 4);
		shoot_all(&g, &v, &s->model, 19, 3);
	}
	gallery_close(&g);
}

/* A label of sixteen columns is cut where it would take the bars of its pane away. */
static void long_label(struct scene *s)
{
	char *label = s->metrics[19].label;
	struct gallery g;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	s->metrics[19].label = (char *)"Reads of the GTI";
	gallery_open(&g, "label");
	for (int i = 0; i < 2; i++)
		shoot_part(&g, &v, &s->model, sizes[i], BODY);
	gallery_close(&g);
	s->metrics[19].label = label;
}

/* Everything that can be said in the lines around the panes, at once. */
static void busy(struct scene *s)
{
	static const struct {
		struct rect size;
		const char *words[4];
	} rows[] = {
		{ { .w = 120, .h = 40 }, { "rec on", "RAPL powercap closed", "1.00 s  14:03:22",
			"\n recording to rooftop-2026-11-21.i915perf" } },
		{ { .w = 80, .h = 24 }, { "lost 1234567 !", "PAUSED", "1.00 s  14:03:22",
			"\n recording to rooftop-2026-11-21.i915perf" } },
		{ { .w = 40, .h = 12 }, { " SIM  HD Graphics", "PAUSED rec on", "14:03", "\n recording to rooftop" } },
	};
	struct view_model m = s->model;
	struct gallery g;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.focus = 2;
	m.no_device = "no usable GPU: nothing in /dev/dri";
	m.message = "recording to rooftop-2026-11-21.i915perf";
	m.paused = m.recording = true;
	s->snap.quality = SAMPLE_LOST;
	s->snap.lost = 2;
	s->snap.lost_total = 1234567;
	gallery_open(&g, "busy");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct strbuf b = { 0 };

		shoot_part(&g, &v, &m, rows[i].size, BODY);
		draw_part(&b, &v, &m, rows[i].size, FRAME);
		for (size_t n = 0; n < ARRAY_LEN(rows[i].words); n++)
			ok(strstr(strbuf_str(&b), rows[i].words[n]), "width %d: around it stands '%s'",
				rows[i].size.w, rows[i].words[n]);
		strbuf_release(&b);
	}
	gallery_close(&g);
	s->snap.quality = 0;
	s->snap.lost = s->snap.lost_total = 0;
}

static void others(struct scene *s)
{
	struct gallery g;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_DEVICES;
	shoot_sizes("devices", &v, &s->model);
	v.screen = VIEW_LOG;
	shoot_sizes("log", &v, &s->model);
	view_init(&v, false, SCHEME_DEFAULT);
	v.help = true;
	gallery_open(&g, "help");
	shoot_part(&g, &v, &s->model, sizes[0], BODY);
	gallery_close(&g);
	view_init(&v, false, SCHEME_DEFAULT);
	v.menu = MENU_SETUP;
	shoot_sizes("setup", &v, &s->model);
	view_init(&v, false, SCHEME_DEFAULT);
	v.explain = true;
	shoot_sizes("explain", &v, &s->model);
	v.focus = 2;
	v.selected[2] = 7;
	shoot_one("explain-none", &v, &s->model, BODY);
}

static void processes(void)
{
	struct scene *s = scene_new(3);
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_PROCS;
	shoot_one("processes-unknown", &v, &s->model, BODY);
	scene_clients(s, &v.procs.choice);
	shoot_sizes("processes", &v, &s->model);
	scene_command(&v, &s->model, CMD_SIGNAL, 80, 24);
	shoot_one("processes-signal", &v, &s->model, TALK);
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
	frames(s);
	overviews(s);
	long_label(s);
	busy(s);
	others(s);
	processes();
	first = scene_new(0);
	view_init(&v, false, SCHEME_DEFAULT);
	shoot_one("first", &v, &first->model, BODY);
	scene_free(first);
	scene_free(s);
	return done_testing();
}
