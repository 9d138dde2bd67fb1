/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the cells that changed with what terminfo knows about the terminal. */
#include "config.h"

#include "ui/draw/painter.h"

#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "ui/draw/text.h"

/* Unchanged cells between two changes: so many are sent again rather than passed over by a move of
 * the cursor, which takes about as many bytes. */
#define GAP_MAX 4
/* Blanks at the end of a row: from so many on they are cleared by one sequence. */
#define BLANKS_MIN 5

enum attribute { BOLD = 1, REVERSE = 2, UNDERLINE = 4, DIM = 8 };
#define SEEN_ON_BLANKS (REVERSE | UNDERLINE)

/* The sequence that begins an attribute, and its bit in no_color_video of terminfo(5). */
static const struct {
	unsigned attribute;
	const char *begin;
	int no_color_bit;
} attributes[] = {
	{ BOLD, "bold", 32 },
	{ REVERSE, "rev", 4 },
	{ UNDERLINE, "smul", 2 },
	{ DIM, "dim", 16 },
};

const char *terminal_string(const char *name)
{
	const char *s = tigetstr((char *)name);

	if (!s || s == (char *)-1 || !*s)
		return NULL;
	return s;
}

bool terminal_add(struct strbuf *out, const char *s)
{
	if (!s)
		return false;
	while (*s) {
		size_t run = strcspn(s, "$");

		strbuf_addn(out, s, run);
		s += run;
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else if (*s)
			strbuf_addc(out, *s++);
	}
	return true;
}

/* The short colours are eight everywhere; descriptions with more than 256 take other numbers for
 * the palette. */
static int terminal_colors(void)
{
	int n = tigetnum((char *)"colors");

	if (n < 8 || !terminal_string("setaf"))
		return 0;
	return n == 256 ? 256 : 8;
}

void painter_open(struct painter *p)
{
	struct terminal *t = &p->terminal;

	*p = (struct painter){ .x = -1 };
	t->place = terminal_string("cup");
	t->along = terminal_string("hpa");
	t->clear = terminal_string("clear");
	t->clear_right = terminal_string("el");
	t->plain = terminal_string("sgr0");
	t->color = terminal_string("setaf");
	t->own_color = terminal_string("op");
	for (size_t i = 0; i < ARRAY_LEN(attributes); i++)
		t->attribute[i] = terminal_string(attributes[i].begin);
	/* ECMA-48: reset of everything. */
	t->plain_resets_color = t->plain &&
		(strstr(t->plain, "\033[m") || strstr(t->plain, "\033[0"));
}

void painter_release(struct painter *p)
{
	strbuf_release(&p->text);
	free(p->sent);
	*p = (struct painter){ 0 };
}

void painter_forget(struct painter *p)
{
	p->clear = true;
}

void painter_resize(struct painter *p, int w, int h)
{
	p->sent = xreallocarray(p->sent, (size_t)w * (size_t)h, sizeof(*p->sent));
	p->w = w;
	p->h = h;
	painter_forget(p);
}

static void set_all(struct painter *p, struct cell cell)
{
	for (size_t i = 0; i < (size_t)p->w * (size_t)p->h; i++)
		p->sent[i] = cell;
}

void painter_scheme(struct painter *p, enum scheme scheme)
{
	int colors = terminal_colors(), no_color = tigetnum((char *)"ncv");

	for (int role = 0; role < ROLE_COUNT; role++) {
		const struct style *s = style_of(scheme, (enum role)role);
		struct look *look = &p->looks[role];

		look->color = s->fg >= 8 && colors < 256 ? s->fg8 : s->fg;
		look->attributes = s->bold * BOLD | s->reverse * REVERSE |
			s->underline * UNDERLINE | (s->dim && look->color < 8) * DIM;
		if (!colors)
			look->color = -1;
		for (size_t i = 0; i < ARRAY_LEN(attributes) && no_color > 0; i++)
			if (look->color >= 0 && no_color & attributes[i].no_color_bit)
				look->attributes &= ~attributes[i].attribute;
	}
	/* No cell is like this one, so all are drawn again. */
	set_all(p, (struct cell){ .ch = UINT32_MAX });
}

static void set_look(struct painter *p, struct look want)
{
	const struct terminal *t = &p->terminal;
	unsigned missing = want.attributes & ~p->now.attributes;
	bool color = want.color != p->now.color;

	if (p->is_look_known && !missing && !color && want.attributes == p->now.attributes)
		return;
	if (!p->is_look_known || p->now.attributes & ~want.attributes) {
		terminal_add(&p->text, t->plain);
		missing = want.attributes;
		color = want.color >= 0 ||
			(!t->plain_resets_color && (!p->is_look_known || p->now.color >= 0));
	}
	for (size_t i = 0; i < ARRAY_LEN(attributes); i++)
		if (missing & attributes[i].attribute)
			terminal_add(&p->text, t->attribute[i]);
	if (color && want.color < 0)
		terminal_add(&p->text, t->own_color);
	else if (color)
		terminal_add(&p->text, tiparm(t->color, want.color));
	p->now = want;
	p->is_look_known = true;
}

static const struct look *look_of(const struct painter *p, const struct cell *cell)
{
	return &p->looks[cell->role < ROLE_COUNT ? cell->role : ROLE_TEXT];
}

/* Whether a cell is a blank that looks like nothing. */
static bool is_empty(const struct painter *p, const struct cell *cell)
{
	return cell->ch == ' ' && !(look_of(p, cell)->attributes & SEEN_ON_BLANKS);
}

/* Whether a cell can be sent as things are. What a blank does not show need not be said for it. */
static bool looks_now(const struct painter *p, const struct cell *cell)
{
	const struct look *look = look_of(p, cell);

	if (!p->is_look_known)
		return false;
	if (is_empty(p, cell) && !(p->now.attributes & SEEN_ON_BLANKS))
		return true;
	return look->attributes == p->now.attributes && look->color == p->now.color;
}

static void put_cell(struct painter *p, const struct cell *cell, int width)
{
	char utf8[8];

	if (!looks_now(p, cell))
		set_look(p, *look_of(p, cell));
	if (cell->ch <= '~')
		strbuf_addc(&p->text, (char)cell->ch);
	else if (!p->utf8)
		strbuf_addn(&p->text, "??", (size_t)width);
	else
		strbuf_addn(&p->text, utf8, (size_t)text_encode(utf8, cell->ch));
	p->x += width;
	/* In the last column terminals differ in where the cursor is. */
	if (p->x >= p->w)
		p->x = -1;
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->role == b->role;
}

/* Goes to a cell, over those before it where they are few and of the look that is set. */
static void go_to(struct painter *p, int x, int y)
{
	const struct cell *row = p->sent + (size_t)y * (size_t)p->w;
	const struct terminal *t = &p->terminal;
	bool is_near = p->x >= 0 && p->y == y && p->x <= x && x - p->x <= GAP_MAX;

	for (int i = p->x; is_near && i < x; i++)
		is_near = text_is_plain(row[i].ch) && looks_now(p, &row[i]);
	if (is_near) {
		while (p->x < x)
			put_cell(p, &row[p->x], 1);
	} else if (p->x >= 0 && p->y == y && t->along) {
		terminal_add(&p->text, tiparm(t->along, x));
	} else {
		terminal_add(&p->text, tiparm(t->place, y, x));
	}
	p->x = x;
	p->y = y;
}

/* Where the row ends in blanks, that changed in number, they are cleared at once. Returns the first
 * of them; w when none is left to clear. */
static int blanks_from(
	const struct painter *p, const struct cell *row, const struct cell *sent, int w)
{
	int x = w, changed = 0;

	while (x > 0 && is_empty(p, &row[x - 1])) {
		x--;
		changed += !is_empty(p, &sent[x]);
	}
	return changed >= BLANKS_MIN && p->terminal.clear_right ? x : w;
}

static bool differs(const struct cell *row, const struct cell *sent, int w)
{
	for (int x = 0; x < w; x++)
		if (!same(&row[x], &sent[x]))
			return true;
	return false;
}

/* Both halves of a wide character differ from what takes its place, so neither stays behind. */
static void draw_row(struct painter *p, const struct cell *row, int w, int y)
{
	struct cell *sent = p->sent + (size_t)y * (size_t)p->w;
	int end = blanks_from(p, row, sent, w);

	for (int x = 0; x < end; x++) {
		bool wide = x + 1 < w && !row[x + 1].ch;

		if (!row[x].ch ||
			(same(&row[x], &sent[x]) && (!wide || same(&row[x + 1], &sent[x + 1]))))
			continue;
		if (!(is_empty(p, &row[x]) && is_empty(p, &sent[x]))) {
			go_to(p, x, y);
			put_cell(p, &row[x], wide ? 2 : 1);
		}
		sent[x] = row[x];
		if (wide)
			sent[x + 1] = row[x + 1];
	}
	if (end == w)
		return;
	go_to(p, end, y);
	if (!p->is_look_known || p->now.attributes)
		set_look(p, p->looks[ROLE_TEXT]);
	terminal_add(&p->text, p->terminal.clear_right);
	memcpy(sent + end, row + end, (size_t)(w - end) * sizeof(*sent));
}

void painter_draw(struct painter *p, const struct canvas *c)
{
	int w = min_of(c->w, p->w), h = min_of(c->h, p->h);

	if (p->clear) {
		p->is_look_known = false;
		p->x = -1;
		set_look(p, p->looks[ROLE_TEXT]);
		set_all(p, (struct cell){ .ch = ' ', .role = ROLE_TEXT });
		if (!terminal_add(&p->text, p->terminal.clear))
			set_all(p, (struct cell){ .ch = UINT32_MAX });
		p->clear = false;
	}
	for (int y = 0; y < h; y++) {
		const struct cell *row = c->cells + (size_t)y * (size_t)c->w;

		if (differs(row, p->sent + (size_t)y * (size_t)p->w, w))
			draw_row(p, row, w, y);
	}
}
