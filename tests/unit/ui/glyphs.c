/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Glyphs, colours, bars and graphs. */
#include "config.h"

#include "ui/draw/glyphs.h"

#include <locale.h>

#include "base/mem.h"
#include "tests/tap.h"
#include "ui/draw/plot.h"
#include "ui/draw/style.h"

static void test_tables(void)
{
	const struct glyphs *g = glyphs_for(true);
	const uint32_t all[] = { g->across, g->down, g->top_left, g->top_right, g->bottom_left,
		g->bottom_right, g->bar_full, g->bar_half, g->bar_empty, g->marker, g->more_up,
		g->more_down, g->tick, g->ellipsis };
	bool seven = !g->braille;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		seven &= all[i] <= 0x7e;
	ok(seven, "the ASCII glyphs have seven bits");
	ok(glyphs_for(false)->across == 0x2500 && glyphs_for(false)->braille,
		"the others are box drawing and braille");
}

static const char *row_text(const struct canvas *c, struct strbuf *b, int y);

static void test_cut(void)
{
	static const struct {
		int width;
		const char *text, *unicode, *ascii;
	} rows[] = {
		{ 10, "divided", "divided", "divided" }, { 7, "divided", "divided", "divided" }, { 6, "divided", "divid…", "divid." },
		{ 9, "divided by", "divided …", "divide..." }, { 1, "divided", "…", "." }, { 0, "divided", "", "" },
		{ 4, "計数器", "計 …", "計 ." },
	};
	struct canvas c = { 0 };
	struct strbuf b = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (int ascii = 0; ascii < 2; ascii++) {
			canvas_resize(&c, 12, 1);
			glyphs_field(&c, glyphs_for(ascii), 0, 0, rows[i].width, ROLE_TEXT,
				rows[i].text);
			is_str(row_text(&c, &b, 0), ascii ? rows[i].ascii : rows[i].unicode,
				"'%s' in %d columns", rows[i].text, rows[i].width);
		}
	strbuf_release(&b);
	canvas_release(&c);
}

static void test_styles(void)
{
	for (int scheme = 0; scheme < SCHEME_COUNT; scheme++) {
		bool stand_in = true, mono = true, seen = true;

		is_int(scheme_by_name(scheme_name((enum scheme)scheme)), scheme,
			"scheme %s by its name", scheme_name((enum scheme)scheme));
		for (int role = 0; role < ROLE_COUNT; role++) {
			const struct style *s = style_of((enum scheme)scheme, (enum role)role);

			stand_in &= s->fg8 >= -1 && s->fg8 < 8 && (s->fg >= 8 || s->fg == s->fg8);
			mono &= s->fg == -1;
			seen &= s->rgb != 0;
		}
		ok(stand_in, "%s: eight colours can stand in for every colour",
			scheme_name((enum scheme)scheme));
		ok(seen, "%s: every role has a colour for pictures",
			scheme_name((enum scheme)scheme));
		if (scheme == SCHEME_MONO)
			ok(mono, "mono has no colour at all");
		ok(style_of((enum scheme)scheme, ROLE_HEADER)->reverse &&
				style_of((enum scheme)scheme, ROLE_SELECTED)->reverse,
			"%s: header and selection are reversed", scheme_name((enum scheme)scheme));
	}
	is_int(scheme_by_name("pink"), -1, "an unknown scheme");
	ok(memcmp(style_of(SCHEME_MONO, ROLE_SIM), style_of(SCHEME_MONO, ROLE_HEADER),
		   sizeof(struct style)) != 0,
		"SIM stands out in mono");
}

static const char *row_text(const struct canvas *c, struct strbuf *b, int y)
{
	char *p;

	strbuf_clear(b);
	canvas_dump_text(c, b);
	for (p = b->s; y > 0; y--)
		p = strchr(p, '\n') + 1;
	*strchr(p, '\n') = '\0';
	return p;
}

static void test_bar(void)
{
	static const struct {
		double v;
		const char *ascii, *unicode;
		enum role role;
	} rows[] = {
		{ 0, "..........", "──────────", ROLE_BAR_EMPTY },
		{ 0.05, "#.........", "╾─────────", ROLE_BAR },
		{ 0.5, "#####.....", "━━━━━─────", ROLE_BAR },
		{ 0.59, "######....", "━━━━━━────", ROLE_BAR },
		{ 0.6, "######....", "━━━━━━────", ROLE_BAR },
		{ 0.75, "########..", "━━━━━━━╾──", ROLE_BAR },
		{ 0.9, "#########.", "━━━━━━━━━─", ROLE_BAR },
		{ 1, "##########", "━━━━━━━━━━", ROLE_BAR },
		{ 7, "##########", "━━━━━━━━━━", ROLE_BAR },
		{ INFINITY, "##########", "━━━━━━━━━━", ROLE_BAR },
		{ -1, "..........", "──────────", ROLE_BAR_EMPTY },
		{ NAN, "", "", ROLE_TEXT },
	};
	struct canvas c = { 0 };
	struct strbuf b = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		canvas_resize(&c, 10, 1);
		plot_bar(&c, glyphs_for(true), (struct rect){ 0, 0, 10, 1 }, rows[i].v);
		is_str(row_text(&c, &b, 0), rows[i].ascii, "bar of %g", rows[i].v);
		is_int(c.cells[0].role, rows[i].role, "its role");
		canvas_clear(&c);
		plot_bar(&c, glyphs_for(false), (struct rect){ 0, 0, 10, 1 }, rows[i].v);
		is_str(row_text(&c, &b, 0), rows[i].unicode, "bar of %g in Unicode", rows[i].v);
	}
	strbuf_release(&b);
	canvas_release(&c);
}

/* The caller releases it. */
static struct history past(const double *v, int n)
{
	struct history h;

	history_init(&h, 1, 64);
	for (int i = 0; i < n; i++) {
		struct value x = isnan(v[i]) ? value_none(WHY_LOST) : value_ok(v[i]);

		history_push(&h, &x);
	}
	return h;
}

static void test_graphs(void)
{
	static const double steps[] = { 0, 25, 50, 75, 100, NAN, 100, 0 };
	struct canvas c = { 0 };
	struct strbuf b = { 0 };
	struct history h = past(steps, 8);
	struct series s = { .history = &h, .column = 0, .top = 100 };

	canvas_resize(&c, 8, 3);
	plot_spark(&c, glyphs_for(true), (struct rect){ 0, 0, 8, 1 }, &s);
	is_str(row_text(&c, &b, 0), ".-+#@ @.",
		"ASCII: a shade a window, a gap where there was no number");
	canvas_clear(&c);
	plot_spark(&c, glyphs_for(false), (struct rect){ 0, 0, 8, 1 }, &s);
	is_str(row_text(&c, &b, 0), "    ▂▅▇▄",
		"blocks: the mean of two windows a cell, or of the one there is, newest right");
	canvas_clear(&c);
	plot_area(&c, glyphs_for(false), (struct rect){ 0, 0, 8, 3 }, &s);
	is_str(row_text(&c, &b, 0), "     ⢠⡇⡇", "area, upper row");
	is_str(row_text(&c, &b, 1), "     ⣾⡇⡇", "area, middle row");
	is_str(row_text(&c, &b, 2), "    ⣸⣿⡇⣇", "area, lowest row: a zero is a dot, a gap is none");
	canvas_clear(&c);
	s.column = 1;
	plot_area(&c, glyphs_for(false), (struct rect){ 0, 0, 8, 3 }, &s);
	s.column = 0;
	s.history = NULL;
	plot_spark(&c, glyphs_for(true), (struct rect){ 0, 0, 8, 1 }, &s);
	is_str(row_text(&c, &b, 2), "", "no history, no column: nothing is drawn");
	history_release(&h);
	strbuf_release(&b);
	canvas_release(&c);
}

/* What is a share of the time awake is drawn as one of all time, window by window. */
static void test_asleep(void)
{
	static const struct {
		double awake, asleep;	/* what is told; NAN: nothing */
	} rows[] = { { 100, 0 }, { 100, 50 }, { 100, 75 }, { 100, 100 }, { 100, NAN }, { 100, 20 }, { NAN, 100 }, { NAN, 40 } };
	struct canvas c = { 0 };
	struct strbuf b = { 0 };
	struct history h;
	struct series s = { .column = 0, .top = 100, .asleep = 1, .asleep_top = 100 };

	history_init(&h, 2, 64);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct value x[] = { isnan(rows[i].awake) ? value_none(WHY_DIV_ZERO) : value_ok(rows[i].awake),
			isnan(rows[i].asleep) ? value_none(WHY_LOST) : value_ok(rows[i].asleep) };

		history_push(&h, x);
	}
	s.history = &h;
	canvas_resize(&c, 8, 1);
	plot_spark(&c, glyphs_for(true), (struct rect){ 0, 0, 8, 1 }, &s);
	is_str(row_text(&c, &b, 0), "@+-.@%.", "busy for all of the time awake, awake for less and less, and not at all");
	history_release(&h);
	strbuf_release(&b);
	canvas_release(&c);
}

static void spark_text(const struct series *s, struct strbuf *out)
{
	struct canvas c = { 0 };

	canvas_resize(&c, 3, 1);
	plot_spark(&c, glyphs_for(false), (struct rect){ 0, 0, 3, 1 }, s);
	strbuf_clear(out);
	canvas_dump_text(&c, out);
	canvas_release(&c);
}

/* The picture of the past must not change when windows are added, it only moves: pairs of windows
 * keep together. */
static void test_steady(void)
{
	static const double v[] = { 10, 90, 30, 70, 50, 20, 80, 60 };
	struct strbuf before = { 0 }, after = { 0 };
	struct history h = past(v, 8);
	struct series s = { .history = &h, .column = 0, .top = 100 };
	struct value x = value_ok(95);

	spark_text(&s, &before);
	history_push(&h, &x);
	spark_text(&s, &after);
	is_str(strbuf_str(&after), strbuf_str(&before),
		"a window without its pair changes nothing");
	history_push(&h, &x);
	spark_text(&s, &after);
	ok(after.len == 10 && !strncmp(strbuf_str(&before) + 3, strbuf_str(&after), 6),
		"then all moves by one cell");
	ok(strncmp(strbuf_str(&before) + 6, strbuf_str(&after) + 6, 3),
		"and a new one stands at the end");
	history_release(&h);
	strbuf_release(&before);
	strbuf_release(&after);
}

int main(void)
{
	static const double tops[][2] = { { 0.7, 1 }, { 1, 1 }, { 1.2, 2 }, { 3, 5 }, { 5.1, 10 },
		{ 31, 50 }, { 1e6, 1e6 } };

	setlocale(LC_ALL, "");
	test_tables();
	test_cut();
	test_styles();
	test_bar();
	for (size_t i = 0; i < ARRAY_LEN(tops); i++)
		is_near(plot_nice_top(tops[i][0]), tops[i][1], 1e-9 * tops[i][1], "scale for %g",
			tops[i][0]);
	ok(plot_nice_top(NAN) > 0 && plot_nice_top(-1) > 0 && plot_nice_top(INFINITY) > 0,
		"some scale for nothing");
	test_graphs();
	test_asleep();
	test_steady();
	return done_testing();
}
