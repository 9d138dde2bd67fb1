/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clipping, wide characters and wrong bytes; the canvas' dumps. */
#include "config.h"

#include "ui/draw/canvas.h"

#include <locale.h>

#include "base/mem.h"
#include "tests/tap.h"
#include "ui/draw/style.h"

/* The canvas as one line, rows joined by '|', trailing blanks cut. */
static const char *picture(const struct canvas *c)
{
	static struct strbuf b;
	char *p;

	strbuf_clear(&b);
	if (!c) {
		strbuf_release(&b);
		return "";
	}
	canvas_dump_text(c, &b);
	b.s[--b.len] = '\0';
	for (p = b.s; (p = strchr(p, '\n')); p++)
		*p = '|';
	return b.s;
}

/* A second cell of a wide character never stands alone, and no first cell misses its second. */
static bool whole(const struct canvas *c)
{
	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < c->w; x++) {
			const struct cell *cell = &c->cells[y * c->w + x];
			bool wide = cell->ch >= 0x4e00 && cell->ch <= 0x9fff;

			if (wide && (x + 1 == c->w || cell[1].ch != 0))
				return false;
			if (cell->ch == 0 &&
				(x == 0 || !(cell[-1].ch >= 0x4e00 && cell[-1].ch <= 0x9fff)))
				return false;
		}
	return true;
}

static void test_text(void)
{
	static const struct {
		const char *name;
		int x, y;
		const char *text, *want;
		int columns;
	} rows[] = {
		{ "plain", 0, 0, "abc", "abc||", 3 },
		{ "right edge", 6, 1, "abcd", "|      ab|", 4 },
		{ "left edge", -2, 1, "abcd", "|cd|", 4 },
		{ "above", 0, -1, "abcd", "||", 4 },
		{ "below", 0, 3, "abcd", "||", 4 },
		{ "far away", 2000000000, 0, "abcd", "||", 4 },
		{ "accents", 0, 0, "gr\xc3\xbc\xc3\x9f" "e", "gr\xc3\xbc\xc3\x9f" "e||", 5 },
		{ "wide", 0, 0, "\xe8\xa8\x88\xe6\x95\xb0", "\xe8\xa8\x88\xe6\x95\xb0||", 4 },
		{ "wide at the right edge", 5, 0, "\xe8\xa8\x88\xe6\x95\xb0", "     \xe8\xa8\x88||", 4 },
		{ "wide at the left edge", -1, 0, "\xe8\xa8\x88\xe6\x95\xb0", " \xe6\x95\xb0||", 4 },
		{ "combining mark", 0, 0, "e\xcc\x81x", "ex||", 2 },
		{ "lone continuation byte", 0, 0, "a\x80z", "a\xef\xbf\xbdz||", 3 },
		{ "overlong slash", 0, 0, "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd||", 2 },
		{ "cut sequence", 0, 0, "a\xe8\xa8", "a\xef\xbf\xbd\xef\xbf\xbd||", 3 },
		{ "surrogate", 0, 0, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd||", 3 },
		{ "control characters", 0, 0, "a\x1b[m\n", "a?[m?||", 5 },
		{ "braille", 0, 0, "\xe2\xa3\xbf", "\xe2\xa3\xbf||", 1 },
	};
	struct canvas c = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		canvas_resize(&c, 8, 3);
		is_int(canvas_text(&c, rows[i].x, rows[i].y, ROLE_TEXT, rows[i].text),
			rows[i].columns, "%s: columns", rows[i].name);
		is_str(picture(&c), rows[i].want, "%s: cells", rows[i].name);
		ok(whole(&c), "%s: wide characters are whole", rows[i].name);
	}
	canvas_release(&c);
}

static void test_overwrite(void)
{
	struct canvas c = { 0 };

	canvas_resize(&c, 6, 1);
	canvas_text(&c, 1, 0, ROLE_TEXT, "\xe8\xa8\x88");
	canvas_put(&c, 2, 0, 'x', ROLE_TEXT);
	is_str(picture(&c), "  x", "overwriting the second half blanks the first");
	canvas_text(&c, 1, 0, ROLE_TEXT, "\xe8\xa8\x88");
	canvas_put(&c, 1, 0, 'x', ROLE_TEXT);
	is_str(picture(&c), " x", "overwriting the first half blanks the second");
	canvas_text(&c, 0, 0, ROLE_TEXT, "\xe8\xa8\x88\xe6\x95\xb0");
	canvas_text(&c, 1, 0, ROLE_TEXT, "\xe8\xa8\x88");
	is_str(picture(&c), " \xe8\xa8\x88", "a wide character over two halves blanks both others");
	ok(whole(&c), "all of them whole");
	canvas_release(&c);
}

static void test_clip(void)
{
	struct canvas c = { 0 };

	canvas_resize(&c, 8, 3);
	canvas_clip(&c, (struct rect){ 2, 1, 3, 1 });
	canvas_fill(&c, (struct rect){ 0, 0, 8, 3 }, '#', ROLE_BAR);
	is_str(picture(&c), "|  ###|", "fill stays inside the clip");
	canvas_clip(&c, (struct rect){ 6, -5, 50, 50 });
	canvas_fill(&c, (struct rect){ -5, -5, 50, 50 }, 'o', ROLE_BAR);
	is_str(picture(&c), "      oo|  ### oo|      oo", "a clip larger than the canvas is cut");
	canvas_clip(&c, (struct rect){ 3, 1, -4, 5 });
	canvas_fill(&c, (struct rect){ 0, 0, 8, 3 }, 'x', ROLE_TEXT);
	is_str(picture(&c), "      oo|  ### oo|      oo", "an empty clip lets nothing through");
	canvas_unclip(&c);
	canvas_field(&c, 0, 1, 8, true, ROLE_VALUE, "71.3");
	is_str(picture(&c), "      oo|    71.3|      oo", "a field to the right fills with blanks");
	canvas_field(&c, 0, 1, 3, false, ROLE_VALUE, "\xe8\xa8\x88\xe6\x95\xb0");
	is_str(picture(&c), "      oo|\xe8\xa8\x88  71.3|      oo",
		"a field does not cut a wide character in two");
	canvas_field(&c, 4, 1, 3, true, ROLE_VALUE, "123456");
	is_str(picture(&c), "      oo|\xe8\xa8\x88  1233|      oo",
		"too long for a field: the head stays");
	canvas_release(&c);
}

static void test_sizes(void)
{
	struct canvas c = { 0 };
	struct strbuf b = { 0 };
	struct cell *cells;

	canvas_resize(&c, 0, -3);
	is_int(c.w * 100 + c.h, 101, "never smaller than 1x1");
	canvas_resize(&c, 40, 10);
	cells = c.cells;
	canvas_text(&c, 0, 0, ROLE_TEXT, "x");
	canvas_resize(&c, 40, 10);
	ok(c.cells == cells, "the same size keeps its memory");
	is_str(picture(&c), "|||||||||", "and is blank");
	canvas_resize(&c, 4, 2);
	canvas_text(&c, 0, 0, ROLE_BAD, "no");
	canvas_text(&c, 2, 1, ROLE_TEXT, "ok");
	canvas_dump_golden(&c, &b);
	is_str(strbuf_str(&b), "no\n  ok\n--- roles\nOO\n\n",
		"golden: text, then a letter for each role");
	strbuf_release(&b);
	canvas_release(&c);
	canvas_release(&c);
	picture(NULL);
}

static void test_svg(void)
{
	struct canvas c = { 0 };
	struct strbuf b = { 0 };
	int depth = 0, quotes = 0;

	canvas_resize(&c, 24, 2);
	canvas_text(&c, 0, 0, ROLE_TEXT, "a<b & \"c\"");
	canvas_text(&c, 0, 1, ROLE_SIM,
		"\xe2\xa3\xbf\xe2\x94\x80\xe2\x95\xad\xe2\x96\x88\xe2\x94\x81 SIM");
	canvas_dump_svg(&c, SCHEME_DEFAULT, &b);
	for (const char *p = strbuf_str(&b); *p; p++) {
		depth += *p == '<';
		depth -= *p == '>';
		quotes += *p == '"';
	}
	is_int(depth, 0, "angle brackets are balanced");
	ok(!strncmp(strbuf_str(&b), "<svg ", 5) && strstr(strbuf_str(&b), "</svg>\n"),
		"one svg element");
	ok(strstr(strbuf_str(&b), "a&lt;b &amp; &quot;c&quot;"), "text is escaped");
	ok(!strstr(strbuf_str(&b), "\xe2\xa3\xbf"), "braille is drawn, not written");
	is_int((int)(strstr(strbuf_str(&b), "class=\"d ") != NULL), 1, "as dots");
	ok(quotes % 2 == 0, "quotes are balanced");
	strbuf_release(&b);
	canvas_release(&c);
}

int main(void)
{
	setlocale(LC_ALL, "");
	if (MB_CUR_MAX == 1)
		skip_all("needs a UTF-8 locale");
	test_text();
	test_overwrite();
	test_clip();
	test_sizes();
	test_svg();
	return done_testing();
}
