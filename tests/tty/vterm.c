/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is really sent, read by a terminal emulator: every cell equals the canvas, over many
 * frames, terminals and sizes. */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vterm.h>

#include "base/err.h"
#include "base/mem.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"
#include "ui/draw/term.h"
#include "ui/draw/text.h"

/* The emulator beside the file that stands for the terminal. */
struct tube {
	FILE *out, *in;
	VTerm *vt;
	VTermScreen *screen;
	long total;
};

static void set_size(int w, int h)
{
	char buf[16];

	snprintf(buf, sizeof(buf), "%d", w);
	setenv("COLUMNS", buf, 1);
	snprintf(buf, sizeof(buf), "%d", h);
	setenv("LINES", buf, 1);
}

static bool tube_open(struct tube *t, int w, int h)
{
	int fd = memfd_create("screen", MFD_CLOEXEC);

	*t = (struct tube){ .out = fd >= 0 ? fdopen(fd, "w+") : NULL, .in = fopen("/dev/null", "r") };
	if (!t->out || !t->in)
		return false;
	set_size(w, h);
	t->vt = vterm_new(h, w);
	vterm_set_utf8(t->vt, 1);
	t->screen = vterm_obtain_screen(t->vt);
	vterm_screen_enable_altscreen(t->screen, 1);
	vterm_screen_reset(t->screen, 1);
	return true;
}

static void tube_close(struct tube *t)
{
	vterm_free(t->vt);
	fclose(t->out);
	fclose(t->in);
}

/* Hands what was written since the last call to the emulator, in one piece: this one forgets half a
 * character between two calls. Returns its length. */
static long tube_pump(struct tube *t)
{
	static char buf[1 << 18];
	ssize_t n = pread(fileno(t->out), buf, sizeof(buf), t->total);

	if (n <= 0)
		return 0;
	vterm_input_write(t->vt, buf, (size_t)n);
	t->total += n;
	return n;
}

/* Counts cells that differ from the canvas; prints the first few. */
static int differences(
	const struct tube *t, const struct canvas *c, enum scheme scheme, bool reverse_is_seen)
{
	int bad = 0;

	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < c->w; x++) {
			const struct cell *want = &c->cells[y * c->w + x];
			const struct style *style = style_of(scheme, (enum role)want->role);
			VTermScreenCell got;
			uint32_t ch;

			if (!want->ch)
				continue;	/* second half of a wide character */
			vterm_screen_get_cell(t->screen, (VTermPos){ .row = y, .col = x }, &got);
			ch = got.chars[0] ? got.chars[0] : ' ';
			if (ch == want->ch &&
				(!reverse_is_seen || got.attrs.reverse == style->reverse) &&
				(want->ch == ' ' || got.attrs.bold == style->bold))
				continue;
			if (bad++ < 3)
				diag("%d,%d: got U+%04X bold %d reverse %d, want U+%04X bold %d "
				     "reverse %d",
					x, y, ch, got.attrs.bold, got.attrs.reverse, want->ch,
					style->bold, style->reverse);
		}
	return bad;
}

/* Frames of a scene on one kind of terminal, with a resize in the middle. */
static void test_frames(const char *name, int frames)
{
	struct scene *s = scene_new(40);
	struct canvas c = { 0 };
	struct tube t;
	struct view v;
	struct err err = { 0 };
	long first = 0, rest = 0, most = 0;
	int bad = 0, w = 120, h = 40;

	if (!tube_open(&t, w, h) ||
		!ok(term_open(name, t.out, t.in, false, &err), "%s: opens", name)) {
		diag("%s", err.msg);
		return;
	}
	view_init(&v, false, SCHEME_DEFAULT);
	for (int i = 0; i < frames; i++) {
		long n;

		if (i == frames / 2) {
			w = 97;
			h = 31;
			set_size(w, h);
			vterm_set_size(t.vt, h, w);
			term_resized();
		}
		if (i % 40 == 39)
			scene_command(&v, &s->model,
				i % 80 == 79 ? CMD_SCREEN_OVERVIEW : CMD_SCREEN_DEVICES, w, h);
		scene_step(s, 40 + i);
		canvas_resize(&c, w, h);
		view_draw(&v, &s->model, &c);
		term_blit(&c, v.scheme);
		n = tube_pump(&t);
		first = i ? first : n;
		if (i > 0 && i < 39) {
			rest += n;
			most = n > most ? n : most;
		}
		bad += differences(&t, &c, v.scheme, true);
	}
	is_int(bad, 0, "%s: %d frames, every cell as on the canvas", name, frames);
	ok(rest / 38 <= 1500, "%s: a second's frame at 120x40 is at most 1500 bytes on average",
		name);
	diag("%s 120x40: first frame %ld bytes, then %ld on average, %ld at most", name,
		first, rest / 38, most);
	term_blit(&c, v.scheme);
	is_int(tube_pump(&t), 0, "%s: a frame without a change sends nothing", name);
	term_redraw();
	term_blit(&c, v.scheme);
	ok(tube_pump(&t) > 1000 && !differences(&t, &c, v.scheme, true),
		"%s: redraw sends all of it", name);
	term_close();
	term_close();
	ok(tube_pump(&t) > 0, "%s: closing restores the terminal", name);
	tube_close(&t);
	canvas_release(&c);
	scene_free(s);
}

/* xorshift64, Marsaglia 2003: each run draws the same pictures. */
static int any_of(int n)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (int)(x % (uint64_t)n);
}

/* Puts a few characters of one role side by side, narrow, wide and of other scripts, over whatever there is. */
static void scribble(struct canvas *c)
{
	static const uint32_t chars[] = { ' ', ' ', 'a', '~', 0xe9, 0x2500, 0x28ff, 0x8a08, 0x1f600, 0xac00 };
	int x = any_of(c->w), y = any_of(c->h), n = 1 + any_of(8), first = any_of((int)ARRAY_LEN(chars));
	enum role role = (enum role)any_of(ROLE_COUNT);
	bool same = any_of(2);

	for (int i = 0; i < n; i++) {
		uint32_t ch = chars[same ? first : any_of((int)ARRAY_LEN(chars))];

		canvas_put(c, x, y, ch, role);
		x += text_columns(ch);
	}
}

/* Whatever is drawn over whatever, in any size, colours and order: the terminal has what the canvas has. */
static void test_any_pictures(const char *name)
{
	struct canvas c = { 0 };
	struct tube t;
	int bad = 0, w = 40, h = 8;

	if (!tube_open(&t, w, h) || !ok(term_open(name, t.out, t.in, false, NULL), "%s: opens", name))
		return;
	for (int i = 0; i < 2000; i++) {
		if (any_of(40) == 0) {
			set_size(w = 1 + any_of(60), h = 1 + any_of(12));
			vterm_set_size(t.vt, h, w);
			term_resized();
		}
		if (any_of(60) == 0)
			term_redraw();
		term_size(&w, &h);
		if (w != c.w || h != c.h || any_of(30) == 0)
			canvas_resize(&c, w, h);
		for (int n = any_of(6); n >= 0; n--)
			scribble(&c);
		enum scheme scheme = (enum scheme)(i / 20 % SCHEME_COUNT);
		term_blit(&c, scheme);
		tube_pump(&t);
		bad += differences(&t, &c, scheme, true);
	}
	is_int(bad, 0, "%s: any pictures, every cell as on the canvas", name);
	term_close();
	tube_close(&t);
	canvas_release(&c);
}

static void test_schemes(void)
{
	struct scene *s = scene_new(40);
	struct canvas c = { 0 };
	struct tube t;
	struct view v;
	struct err err = { 0 };

	if (!tube_open(&t, 80, 24) ||
		!ok(term_open(NULL, t.out, t.in, true, &err), "opens by $TERM, with the mouse"))
		return;
	view_init(&v, false, SCHEME_DEFAULT);
	for (int scheme = 0; scheme < SCHEME_COUNT; scheme++) {
		v.scheme = (enum scheme)scheme;
		canvas_resize(&c, 80, 24);
		view_draw(&v, &s->model, &c);
		term_blit(&c, v.scheme);
		tube_pump(&t);
		is_int(differences(&t, &c, v.scheme, true), 0, "scheme %s: every cell",
			scheme_name(v.scheme));
	}
	canvas_text(&c, 3, 3, ROLE_TEXT, "a\xe8\xa8\x88\xe6\x95\xb0" "b\xc3\xbc");
	term_blit(&c, v.scheme);
	canvas_text(&c, 4, 3, ROLE_TEXT, "\xe6\x95\xb0");
	term_blit(&c, v.scheme);
	canvas_text(&c, 5, 3, ROLE_TEXT, "x");
	term_blit(&c, v.scheme);
	tube_pump(&t);
	is_int(differences(&t, &c, v.scheme, true), 0, "wide characters, put and torn");
	canvas_resize(&c, 200, 90);
	view_draw(&v, &s->model, &c);
	term_blit(&c, v.scheme);
	tube_pump(&t);
	ok(true, "a canvas larger than the terminal is cut");
	term_close();
	tube_close(&t);
	canvas_release(&c);
	scene_free(s);
}

static void test_input(void)
{
	struct tube t;
	struct err err = { 0 };
	struct key_event k;
	static const struct {
		const char *bytes;
		enum key_code code;
		uint32_t ch;
	} rows[] = {
		{ "q", KEY_CHAR, 'q' }, { "\r", KEY_ENTER_, 0 }, { "\n", KEY_ENTER_, 0 }, { "\t", KEY_TAB_, 0 }, { "\033[Z", KEY_BACK_TAB_, 0 },
		{ "\x03", KEY_CTRL, 'C' }, { "\x0c", KEY_CTRL, 'L' }, { "\x1a", KEY_CTRL, 'Z' }, { "\033OA", KEY_UP_, 0 },
		{ "\033OB", KEY_DOWN_, 0 }, { "\033[5~", KEY_PAGE_UP_, 0 }, { "\033[6~", KEY_PAGE_DOWN_, 0 }, { "\033OH", KEY_HOME_, 0 },
		{ "\033OF", KEY_END_, 0 }, { "\033OP", KEY_FUNCTION, 1 }, { "\033[21~", KEY_FUNCTION, 10 }, { "\033[24~", KEY_FUNCTION, 12 },
		{ "\x7f", KEY_BACKSPACE_, 0 }, { "\xc3\xa4", KEY_CHAR, 0xe4 }, { "\033", KEY_ESC_, 0 },
		{ "\033[A", KEY_UP_, 0 }, { "\033[11~", KEY_FUNCTION, 1 }, { "\033[M +$", KEY_MOUSE_, 1 }, { "\033[Ma!!", KEY_MOUSE_, 5 },
		{ "\033[<0;11;4M", KEY_MOUSE_, 1 }, { "\033[<64;1;1M", KEY_MOUSE_, 4 }, { "\033[<65;1;1M", KEY_MOUSE_, 5 },
	};
	static const char *const dropped[] = { "\033[99~", "\033[1;5q", "\033[<0;11;4m", "\033[<35;1;1M", "\033[<2;1;1M",
		"\033[<;;M", "\033[<0;11", "\033Oz", "\033[?1;2c", "\377" };
	int fds[2];

	if (pipe(fds) || !tube_open(&t, 80, 24))
		return;
	fclose(t.in);
	t.in = fdopen(fds[0], "r");
	if (!ok(term_open("xterm-256color", t.out, t.in, true, &err), "opens on a pipe"))
		return;
	ok(!term_key(&k), "no key, no waiting");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t len = strlen(rows[i].bytes);

		ok(write(fds[1], rows[i].bytes, len) == (ssize_t)len && term_key(&k) &&
				k.code == rows[i].code && k.ch == rows[i].ch,
			"key %d: code %d, char %u", (int)i, (int)rows[i].code,
			(unsigned)rows[i].ch);
		if (rows[i].ch == 1 && k.code == KEY_MOUSE_)
			ok(k.x == 10 && k.y == 3, "at its cell");
		ok(!term_key(&k), "and nothing after it");
	}
	/* None of these may be taken for the letters in it, which are commands. */
	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
		size_t len = strlen(dropped[i]);

		ok(write(fds[1], dropped[i], len) == (ssize_t)len && !term_key(&k),
			"sequence %d is no key", (int)i);
		ok(write(fds[1], "x", 1) == 1 && term_key(&k) && k.code == KEY_CHAR && k.ch == 'x',
			"and the key after it is one");
	}
	ok(term_key_wait_ms("\033", 1) < term_key_wait_ms("\033[", 2) &&
			term_key_wait_ms("\xc3", 1) == term_key_wait_ms("\033[", 2),
		"what can only be a part may take longer than Esc, which is a key");
	ok(write(fds[1], "\033[<0;2", 6) == 6 && write(fds[1], ";3Mq", 4) == 4 && term_key(&k) &&
			k.code == KEY_MOUSE_ && k.x == 1 && k.y == 2,
		"a report in two pieces");
	ok(term_key(&k) && k.ch == 'q', "and the key after it");
	close(fds[1]);
	ok(term_key(&k) && k.code == KEY_EOF_, "the end of the input is a key");
	ok(term_key(&k) && k.code == KEY_EOF_, "that comes again");
	term_close();
	tube_close(&t);
}

static void test_refusals(void)
{
	static const char *const names[] = { "no-such-terminal", "dumb", "unknown", "" };
	struct tube t;
	struct err err;
	struct key_event k;

	if (!tube_open(&t, 80, 24))
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		err = (struct err){ 0 };
		ok(!term_open(names[i], t.out, t.in, false, &err) && err.code == ERR_UNSUPPORTED,
			"TERM '%s' is refused", names[i]);
		ok(strstr(err.msg, names[i]) && strstr(err.msg, "TERM") && strstr(err.hint, "-b"),
			"with its name and the way out");
		diag("%s: %s", err.msg, err.hint);
	}
	ok(!term_key(&k), "and nothing is open");
	is_int(tube_pump(&t), 0, "nothing was sent to it");
	ok(term_open("vt100", t.out, t.in, true, &err), "then another one opens");
	ok(!term_open("vt100", t.out, t.in, true, &err) && err.code == ERR_BUSY, "but not twice");
	ok(term_key(&k) && k.code == KEY_EOF_, "/dev/null as input is its end");
	term_close();
	tube_close(&t);
}

int main(void)
{
	static const char *const names[] = { "xterm-256color", "screen-256color", "tmux-256color",
		"linux", "vt100" };

	setlocale(LC_ALL, "");
	if (MB_CUR_MAX == 1)
		skip_all("needs a UTF-8 locale");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		test_frames(names[i], 200);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		test_any_pictures(names[i]);
	test_any_pictures("ansi");	/* the last column stays blank */
	test_schemes();
	test_input();
	test_refusals();
	return done_testing();
}
