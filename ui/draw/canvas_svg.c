/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a canvas as an SVG picture. Few fonts have braille, and block characters leave seams, so
 * those are drawn as shapes. */
#include "config.h"

#include "base/mem.h"
#include "ui/draw/canvas.h"
#include "ui/draw/style.h"
#include "ui/draw/text.h"

/* The picture has two units for each pixel, so that the middle of a cell is a whole number. */
#define CELL_W 18
#define CELL_H 40
#define MID_X (CELL_W / 2)
#define MID_Y (CELL_H / 2)
#define PAD 28

/* A box drawing character has lines from its middle to the sides; each is 0 to 2 strong. */
struct arms {
	uint32_t ch;
	unsigned char left, right, up, down;
};

static const struct arms box_arms[] = {
	{ 0x2500, 1, 1, 0, 0 }, { 0x2501, 2, 2, 0, 0 }, { 0x2502, 0, 0, 1, 1 }, { 0x2503, 0, 0, 2, 2 },
	{ 0x250c, 0, 1, 0, 1 }, { 0x2510, 1, 0, 0, 1 }, { 0x2514, 0, 1, 1, 0 }, { 0x2518, 1, 0, 1, 0 },
	{ 0x251c, 0, 1, 1, 1 }, { 0x2524, 1, 0, 1, 1 }, { 0x252c, 1, 1, 0, 1 }, { 0x2534, 1, 1, 1, 0 }, { 0x253c, 1, 1, 1, 1 },
	{ 0x2574, 1, 0, 0, 0 }, { 0x2575, 0, 0, 1, 0 }, { 0x2576, 0, 1, 0, 0 }, { 0x2577, 0, 0, 0, 1 },
	{ 0x2578, 2, 0, 0, 0 }, { 0x2579, 0, 0, 2, 0 }, { 0x257a, 0, 2, 0, 0 }, { 0x257b, 0, 0, 0, 2 },
	{ 0x257c, 1, 2, 0, 0 }, { 0x257e, 2, 1, 0, 0 },
};

static const struct arms *arms_of(uint32_t ch)
{
	for (size_t i = 0; i < ARRAY_LEN(box_arms); i++)
		if (box_arms[i].ch == ch)
			return &box_arms[i];
	return NULL;
}

static bool is_rounded(uint32_t ch)
{
	return ch >= 0x256d && ch <= 0x2570;
}

static bool is_triangle(uint32_t ch)
{
	return ch == 0x25b4 || ch == 0x25b8 || ch == 0x25be;
}

static const struct cell *cell_at(const struct canvas *c, int x, int y)
{
	return c->cells + (size_t)y * (size_t)c->w + (size_t)x;
}

static void add_line(struct strbuf *out, const struct arms *a, int x, int y, int weight)
{
	int left = MID_X, right = MID_X, up = MID_Y, down = MID_Y;

	if (a->left == weight)
		left = 0;
	if (a->right == weight)
		right = CELL_W;
	if (a->up == weight)
		up = 0;
	if (a->down == weight)
		down = CELL_H;
	if (left < right)
		strbuf_addf(out, "M%d %dH%d", x + left, y + MID_Y, x + right);
	if (up < down)
		strbuf_addf(out, "M%d %dV%d", x + MID_X, y + up, y + down);
}

static void add_rounded(struct strbuf *out, uint32_t ch, int x, int y)
{
	int side = 0, end = 0, bend = MID_Y - MID_X;

	if (ch == 0x256d || ch == 0x2570)
		side = CELL_W;
	if (ch == 0x256d || ch == 0x256e) {
		end = CELL_H;
		bend = MID_Y + MID_X;
	}
	strbuf_addf(out, "M%d %dV%dQ%d %d %d %d", x + MID_X, y + end, y + bend, x + MID_X,
		y + MID_Y, x + side, y + MID_Y);
}

static void add_rect(struct strbuf *out, int x, int y, int w, int h)
{
	strbuf_addf(out, "M%d %dh%dv%dh%dz", x, y, w, h, -w);
}

static void add_block(struct strbuf *out, uint32_t ch, int x, int y)
{
	/* The bits say which quarters U+2596 to U+259F fill: upper left, upper right, lower left,
	 * lower right. */
	static const unsigned char quarters[] = { 4, 8, 1, 13, 9, 7, 11, 2, 6, 14 };

	if (ch == 0x2580)
		add_rect(out, x, y, CELL_W, MID_Y);
	else if (ch <= 0x2588)
		add_rect(out, x, y + CELL_H - CELL_H * (int)(ch - 0x2580) / 8, CELL_W,
			CELL_H * (int)(ch - 0x2580) / 8);
	else if (ch <= 0x258f)
		add_rect(out, x, y, CELL_W * (int)(0x2590 - ch) / 8, CELL_H);
	else if (ch == 0x2590)
		add_rect(out, x + MID_X, y, MID_X, CELL_H);
	else if (ch <= 0x2593)
		for (int i = 0; i < (int)(ch - 0x2590); i++)
			add_rect(out, x, y + i * CELL_H / 4, CELL_W, CELL_H / 8);
	else if (ch == 0x2594)
		add_rect(out, x, y, CELL_W, CELL_H / 8);
	else if (ch == 0x2595)
		add_rect(out, x + CELL_W - CELL_W / 8, y, CELL_W / 8, CELL_H);
	else
		for (int i = 0; i < 4; i++)
			if (quarters[ch - 0x2596] >> i & 1)
				add_rect(out, x + i % 2 * MID_X, y + i / 2 * MID_Y, MID_X, MID_Y);
}

static void add_triangle(struct strbuf *out, uint32_t ch, int x, int y)
{
	if (ch == 0x25b8)
		strbuf_addf(out, "M%d %dl10 7l-10 7z", x + 4, y + MID_Y - 7);
	else if (ch == 0x25b4)
		strbuf_addf(out, "M%d %dh14l-7 -10z", x + 2, y + MID_Y + 5);
	else
		strbuf_addf(out, "M%d %dh14l-7 10z", x + 2, y + MID_Y - 5);
}

/* Draws each dot as a line of no length with round ends. */
static void add_dots(struct strbuf *out, uint32_t ch, int x, int y)
{
	static const unsigned char bits[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 },
		{ 0x40, 0x80 } };

	for (int row = 0; row < 4; row++)
		for (int column = 0; column < 2; column++)
			if (ch & bits[row][column])
				strbuf_addf(out, "M%d %dh0", x + 5 + column * 9, y + 5 + row * 10);
}

enum shape_kind { SHAPE_LIGHT, SHAPE_HEAVY, SHAPE_DOTS, SHAPE_FILL, SHAPE_KINDS };

static void add_shape(struct strbuf *out, enum shape_kind kind, uint32_t ch, int x, int y)
{
	const struct arms *a = arms_of(ch);

	if (kind == SHAPE_DOTS && ch >= 0x2800 && ch <= 0x28ff)
		add_dots(out, ch, x, y);
	else if (kind == SHAPE_FILL && ch >= 0x2580 && ch <= 0x259f)
		add_block(out, ch, x, y);
	else if (kind == SHAPE_FILL && is_triangle(ch))
		add_triangle(out, ch, x, y);
	else if (kind == SHAPE_LIGHT && is_rounded(ch))
		add_rounded(out, ch, x, y);
	else if (a && kind == SHAPE_LIGHT)
		add_line(out, a, x, y, 1);
	else if (a && kind == SHAPE_HEAVY)
		add_line(out, a, x, y, 2);
}

/* Draws one path of all shapes of a kind that have the role. */
static void dump_shapes(
	const struct canvas *c, enum role role, enum shape_kind kind, struct strbuf *out)
{
	static const char *const classes[SHAPE_KINDS] = { "l", "h", "d", "f" };
	struct strbuf path = { 0 };

	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < c->w; x++)
			if (cell_at(c, x, y)->role == role)
				add_shape(
					&path, kind, cell_at(c, x, y)->ch, x * CELL_W, y * CELL_H);
	if (path.len)
		strbuf_addf(out, "<path class=\"%s r%d\" d=\"%s\"/>\n", classes[kind], (int)role,
			strbuf_str(&path));
	strbuf_release(&path);
}

static bool is_text(const struct cell *cell)
{
	uint32_t ch = cell->ch;
	bool block = ch >= 0x2580 && ch <= 0x259f, dots = ch >= 0x2800 && ch <= 0x28ff;

	return ch && ch != ' ' && !block && !dots && !is_rounded(ch) && !is_triangle(ch) &&
		!arms_of(ch);
}

/* A word reaches to the end of its role's cells, and single blanks inside belong to it. */
static void dump_words(const struct canvas *c, int y, struct strbuf *out)
{
	char buf[8];
	int role;

	for (int x = 0, end; x < c->w; x = end) {
		end = x + 1;
		if (!is_text(cell_at(c, x, y)))
			continue;
		role = cell_at(c, x, y)->role;
		for (int i = x; i < c->w && cell_at(c, i, y)->role == role; i++)
			if (is_text(cell_at(c, i, y)) || !cell_at(c, i, y)->ch)
				end = i + 1;
			else if (cell_at(c, i, y)->ch != ' ' || i > end)
				break;
		strbuf_addf(out, "<text class=\"r%d\" x=\"%d\" y=\"%d\" textLength=\"%d\">",
			role, x * CELL_W, y * CELL_H + 29, (end - x) * CELL_W);
		for (int i = x; i < end; i++) {
			if (!cell_at(c, i, y)->ch)
				continue;
			text_encode(buf, cell_at(c, i, y)->ch);
			strbuf_add_xml(out, buf);
		}
		strbuf_add(out, "</text>\n");
	}
}

static void dump_backgrounds(const struct canvas *c, enum scheme scheme, int y, struct strbuf *out)
{
	for (int x = 0, end; x < c->w; x = end) {
		enum role role = cell_at(c, x, y)->role;

		for (end = x + 1; end < c->w && cell_at(c, end, y)->role == role; end++)
			;
		if (style_of(scheme, role)->reverse)
			strbuf_addf(out,
				"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
				"fill=\"#%06x\"/>\n",
				x * CELL_W, y * CELL_H, (end - x) * CELL_W, CELL_H,
				style_of(scheme, role)->rgb);
	}
}

void canvas_dump_svg(const struct canvas *c, int scheme, struct strbuf *out)
{
	unsigned background = 0x10141b;
	int w = c->w * CELL_W + 2 * PAD, h = c->h * CELL_H + 2 * PAD;

	if (scheme == SCHEME_LIGHT)
		background = 0xfbfbf8;
	strbuf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"%d "
		"%d %d %d\">\n",
		w / 2, h / 2, -PAD, -PAD, w, h);
	strbuf_add(out,
		"<style>text{font:30px \"DejaVu Sans Mono\",Menlo,Consolas,\"Liberation "
		"Mono\",monospace;white-space:pre}"
		".l,.h,.d{fill:none!important}.l{stroke-width:2}.h{stroke-width:8}.d{stroke-width:"
		"7;stroke-linecap:round}"
		".f{stroke:none!important}text{stroke:none!important}");
	for (int role = 0; role < ROLE_COUNT; role++) {
		const struct style *style = style_of((enum scheme)scheme, (enum role)role);
		unsigned rgb = style->reverse ? background : style->rgb;

		strbuf_addf(out, ".r%d{fill:#%06x;stroke:#%06x", role, rgb, rgb);
		if (style->bold)
			strbuf_add(out, ";font-weight:bold");
		if (style->underline)
			strbuf_add(out, ";text-decoration:underline");
		strbuf_addc(out, '}');
	}
	strbuf_add(out, "</style>\n");
	strbuf_addf(out,
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"16\" fill=\"#%06x\"/>\n",
		-PAD, -PAD, w, h, background);
	for (int y = 0; y < c->h; y++)
		dump_backgrounds(c, (enum scheme)scheme, y, out);
	for (int role = 0; role < ROLE_COUNT; role++)
		for (int kind = 0; kind < SHAPE_KINDS; kind++)
			dump_shapes(c, (enum role)role, (enum shape_kind)kind, out);
	for (int y = 0; y < c->h; y++)
		dump_words(c, y, out);
	strbuf_add(out, "</svg>\n");
}
