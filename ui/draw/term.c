/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends canvases through ncursesw, reads keys, and gives the terminal back whatever happens. */
#include "config.h"

#include "ui/draw/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "base/call_limit.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/outlet.h"
#include "base/parse.h"
#include "ui/draw/range.h"

#define ESC_DELAY_MS 25
#define REPORT_WAIT_MS 250	/* how long the rest of a mouse report may take, for slow lines */
#define SIGNAL_STACK_SIZE 32768
/* How long a terminal may take to read the last bytes. */
#define LAST_BYTES_NS NS_PER_S

/* These signals of faults and of limits, and those that a careless kill sends, end the program by
 * default. */
static const int fatal_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
	SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR2 };

/* What is sent to the terminal as it is. */
struct sequence {
	char bytes[160];
	size_t len;
};

/* The one terminal of a process; a signal handler has to find it. */
static struct {
	SCREEN *screen;
	WINDOW *keys;		/* a pad: reading from it does not refresh the screen */
	bool mouse;
	struct cell *sent;	/* what the last blit left on the screen, w * h */
	int w, h;
	cchar_t *run;		/* a run of at most w of them */
	bool all;		/* sent may be wrong, so everything is drawn again */
	enum scheme scheme;
	attr_t attrs[ROLE_COUNT];
	short pairs[ROLE_COUNT];
	char *signal_stack;
	stack_t old_stack;
	struct call_limit patience;
	FILE *page;		/* curses writes to it as to a terminal: see page_is() */
	int memory;		/* what it writes there; -1: it writes to the terminal */
	/* the handler touches only what follows */
	int in_fd, out_fd;
	struct outlet outlet;	/* to the terminal */
	struct sigaction old_actions[ARRAY_LEN(fatal_signals)];
	struct sequence restore;
	struct sequence last_line;	/* goes to the begin of the last line and clears it */
	struct termios tty;
	bool has_tty;
} term;

/* Variables by which the terminal's description may come from files of the user: terminfo(5). */
static const char *const description_variables[] = { "TERMINFO", "TERMINFO_DIRS", "TERMCAP",
	"TERMPATH", "HOME" };

/* Where the program has rights that its user lacks, the description is the system's: curses looks at
 * user ids alone, and a file's capabilities change none. saved takes what restore_variables() puts back,
 * for programs that are started. */
static void hide_variables(char *saved[ARRAY_LEN(description_variables)])
{
	for (size_t i = 0; i < ARRAY_LEN(description_variables); i++) {
		const char *value = getenv(description_variables[i]);

		saved[i] = NULL;
		if (!getauxval(AT_SECURE) || !value)
			continue;
		saved[i] = xstrdup(value);
		unsetenv(description_variables[i]);
	}
}

static void restore_variables(char *saved[ARRAY_LEN(description_variables)])
{
	for (size_t i = 0; i < ARRAY_LEN(description_variables); i++) {
		if (saved[i])
			setenv(description_variables[i], saved[i], 1);
		free(saved[i]);
	}
}

static bool check_terminal(const char *name, int fd, struct err *err)
{
	int rc = 0;
	const char *cup;

	if (!name || !*name) {
		err_set(err, ERR_UNSUPPORTED, _("the variable TERM is not set"));
		return err_hint(
			err, _("set TERM to the kind of your terminal, or use -b for plain text"));
	}
	if (setupterm(name, fd, &rc) != OK || !cur_term) {
		if (rc == 1)	/* a hardcopy terminal has an entry all the same */
			err_set(err, ERR_UNSUPPORTED,
				_("TERM is '%s', a terminal that cannot place its cursor"), name);
		else
			err_set(err, ERR_UNSUPPORTED,
				_("TERM is '%s', and there is no terminfo entry of that name"),
				name);
		return err_hint(err,
			_("try TERM=xterm-256color or install ncurses-term, or use -b for plain "
			  "text"));
	}
	cup = tigetstr((char *)"cup");
	del_curterm(cur_term);
	if (cup && cup != (char *)-1)
		return true;
	err_set(err, ERR_UNSUPPORTED, _("TERM is '%s', a terminal that cannot place its cursor"),
		name);
	return err_hint(err, _("use -b for plain text"));
}

static const char *capability(const char *name)
{
	const char *s = tigetstr((char *)name);

	if (!s || s == (char *)-1 || !*s)
		return NULL;
	return s;
}

/* Appends what a capability sends, without its padding, if the terminal has it. */
static bool sequence_add(struct sequence *q, const char *s)
{
	size_t n = q->len;

	if (!s)
		return false;
	for (; *s; s++) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>')) {
			s = strchr(s, '>');
			continue;
		}
		if (n >= sizeof(q->bytes))
			return false;
		q->bytes[n++] = *s;
	}
	q->len = n;
	return true;
}

static void sequences_prepare(void)
{
	struct sequence *q = &term.restore;
	const char *last = tparm((char *)capability("cup"), getmaxy(newscr) - 1, 0, 0, 0, 0, 0, 0,
		0, 0);

	term.last_line.len = 0;
	sequence_add(&term.last_line, capability("sgr0"));
	sequence_add(&term.last_line, capability("op"));
	sequence_add(&term.last_line, last);
	sequence_add(&term.last_line, capability("el"));
	q->len = 0;
	if (term.mouse)
		sequence_add(q, "\033[?1000l\033[?1006l");
	sequence_add(q, capability("sgr0"));
	sequence_add(q, capability("op"));
	sequence_add(q, capability("cnorm"));
	sequence_add(q, capability("rmkx"));
	if (sequence_add(q, capability("rmcup")))
		return;
	/* The shell goes on in the last line, where the keys were. */
	sequence_add(q, last);
	if (!sequence_add(q, capability("el")))
		sequence_add(q, "\n");
}

/* Writes at once, and makes room for it where the terminal reads nothing: what it has not read is
 * dropped. These are calls that POSIX lists as safe in a handler. */
static void write_now(const char *p, size_t len)
{
	int flags = fcntl(term.out_fd, F_GETFL);
	ssize_t n = 0;

	fcntl(term.out_fd, F_SETFL, flags | O_NONBLOCK);
	for (int tries = 0; tries < 2 && len > 0; tries++) {
		while (len > 0 && (n = write(term.out_fd, p, len)) > 0) {
			p += n;
			len -= (size_t)n;
		}
		if (len > 0)
			tcflush(term.out_fd, TCOFLUSH);
	}
	fcntl(term.out_fd, F_SETFL, flags);
}

/* Gives the terminal back whatever it has read so far. */
static void restore_now(void)
{
	/* A sequence of which only the beginning went out is cancelled. */
	if (outlet_waiting(&term.outlet) > 0)
		write_now("\030", 1);
	write_now(term.restore.bytes, term.restore.len);
	if (term.has_tty)
		tcsetattr(term.out_fd, TCSANOW, &term.tty);
}

/* Says in the last line what the program waits for while it cannot draw; the next frame is a whole
 * one. */
static void say_now(const char *line)
{
	int w = getmaxx(newscr) - 1;

	outlet_add(&term.outlet, term.last_line.bytes, term.last_line.len);
	outlet_add(&term.outlet, line, (size_t)min_of((int)strlen(line), max_of(w, 0)));
	term.all = true;
	clearok(curscr, TRUE);
}

/* The handler makes only calls that POSIX lists as safe. What was there before us (nothing, or a
 * sanitizer) then sees the signal. */
static void on_fatal_signal(int signo)
{
	restore_now();
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &term.old_actions[i], NULL);
	raise(signo);
}

static void handlers_install(void)
{
	struct sigaction sa = { .sa_handler = on_fatal_signal,
		.sa_flags = SA_ONSTACK | SA_NODEFER };
	stack_t stack = { .ss_size = SIGNAL_STACK_SIZE };

	/* The handler needs a stack of its own, because it cannot run on one that overflowed. */
	term.signal_stack = xmalloc(SIGNAL_STACK_SIZE);
	stack.ss_sp = term.signal_stack;
	sigaltstack(&stack, &term.old_stack);
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &sa, &term.old_actions[i]);
}

/* curses writes until everything is out, whatever the descriptor says, and asks the same descriptor
 * for the modes of the terminal. So it gets one that stands for the terminal while modes are set,
 * and for memory while it writes. */
static void page_is(int fd)
{
	if (term.memory >= 0)
		dup3(fd, fileno(term.page), O_CLOEXEC);
}

static bool page_open(FILE *out, struct err *err)
{
	term.memory = memfd_create("rooftop screen", MFD_CLOEXEC);
	int fd = fcntl(term.out_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	term.page = fd < 0 ? NULL : fdopen(fd, "w");
	if (term.page && outlet_open(&term.outlet, fileno(out)))
		return true;
	return err_sys(err, "%s", _("cannot use standard output as a terminal"));
}

static void page_close(void)
{
	outlet_close(&term.outlet);
	if (term.page)
		fclose(term.page);
	if (term.memory >= 0)
		close(term.memory);
	term.page = NULL;
	term.memory = -1;
}

/* Sends what curses has written. */
static void page_send(void)
{
	off_t len = term.memory < 0 ? 0 : lseek(term.memory, 0, SEEK_CUR);
	void *text = len <= 0 ? MAP_FAILED
			      : mmap(NULL, (size_t)len, PROT_READ, MAP_SHARED, term.memory, 0);

	if (text == MAP_FAILED)
		return;
	outlet_add(&term.outlet, text, (size_t)len);
	munmap(text, (size_t)len);
	if (ftruncate(term.memory, 0) == 0)
		lseek(term.memory, 0, SEEK_SET);
}

/* This is also called after a stop, where the shell may have changed the modes. */
static void modes_set(void)
{
	page_is(term.out_fd);
	raw();
	page_is(term.memory);
	noecho();
	nonl();
	curs_set(0);
}

static void buffers_fit(void)
{
	int w = getmaxx(newscr), h = getmaxy(newscr);

	term.all = true;
	if (term.sent && w == term.w && h == term.h)
		return;
	term.sent = xreallocarray(term.sent, (size_t)w * (size_t)h, sizeof(*term.sent));
	term.run = xreallocarray(term.run, (size_t)w, sizeof(*term.run));
	term.w = w;
	term.h = h;
}

/* A terminal may claim 65535 times 65535 cells; more than this is left blank. */
#define COLUMNS_MAX 1000
#define LINES_MAX 500

static int size_from_env(const char *name, int fallback)
{
	const char *s = getenv(name);
	uint64_t v;

	if (!s || !parse_u64_range(s, 1, 10000, &v))
		return fallback;
	return (int)v;
}

/* Asks the terminal for its size; LINES and COLUMNS count only where it does not answer (curses
 * would have it the other way round). */
static void size_ask(int *w, int *h)
{
	struct winsize ws;

	if (!ioctl(term.out_fd, TIOCGWINSZ, &ws) && ws.ws_col > 0 && ws.ws_row > 0) {
		*w = ws.ws_col;
		*h = ws.ws_row;
	} else {
		*w = size_from_env("COLUMNS", getmaxx(newscr));
		*h = size_from_env("LINES", getmaxy(newscr));
	}
	if (*w > COLUMNS_MAX)
		*w = COLUMNS_MAX;
	if (*h > LINES_MAX)
		*h = LINES_MAX;
}

static void mouse_set(bool on)
{
	if (on)
		term.mouse = mousemask(
			BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED,
			NULL);
	else if (term.mouse)
		term.mouse = mousemask(0, NULL);
}

void term_mouse(bool on)
{
	if (!term.screen)
		return;
	mouse_set(on);
	page_send();
	sequences_prepare();
}

static void screen_setup(bool mouse)
{
	int w, h;

	size_ask(&w, &h);
	if (w != getmaxx(newscr) || h != getmaxy(newscr))
		resize_term(h, w);
	set_escdelay(ESC_DELAY_MS);
	modes_set();
	/* Cells go straight to what is to be shown. The window that curses made for a program to
	 * draw in would be a third copy of the screen. */
	wresize(stdscr, 1, 1);
	leaveok(newscr, TRUE);
	term.keys = newpad(1, 1);
	keypad(term.keys, TRUE);
	nodelay(term.keys, TRUE);
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	mouse_set(mouse);
	mouseinterval(0);
}

static bool open_screen(const char *name, FILE *out, FILE *in, bool mouse, struct err *err)
{
	struct sigaction on_int, on_term;
	struct winsize ws;

	if (term.screen)
		return err_set(err, ERR_BUSY, _("the terminal is in use already"));
	if (!name)
		name = getenv("TERM");
	if (!check_terminal(name, fileno(out), err))
		return false;
	term.in_fd = fileno(in);
	term.out_fd = fileno(out);
	term.has_tty = !tcgetattr(term.out_fd, &term.tty);
	if (!page_open(out, err)) {
		page_close();
		return false;
	}
	/* newterm() sets handlers that end the program with status 1 and put back nothing but the
	 * terminal. */
	sigaction(SIGINT, NULL, &on_int);
	sigaction(SIGTERM, NULL, &on_term);
	/* newterm() makes room for every cell that the terminal claims to have, so it must not ask
	 * an absurd one. */
	if (!ioctl(term.out_fd, TIOCGWINSZ, &ws) &&
		(ws.ws_col > COLUMNS_MAX || ws.ws_row > LINES_MAX))
		use_env(FALSE);
	term.screen = newterm(name, term.page, in);
	page_is(term.memory);
	sigaction(SIGINT, &on_int, NULL);
	sigaction(SIGTERM, &on_term, NULL);
	if (!term.screen) {
		page_close();
		err_set(err, ERR_UNSUPPORTED, _("cannot use the terminal '%s'"), name);
		return err_hint(err, _("use -b for plain text"));
	}
	screen_setup(mouse);
	page_send();
	term.scheme = SCHEME_COUNT;	/* there are no pairs of colours yet */
	buffers_fit();
	sequences_prepare();
	handlers_install();
	call_limit_init(&term.patience);
	call_watch_terminal(say_now, restore_now);
	return true;
}

bool term_open(const char *name, FILE *out, FILE *in, bool mouse, struct err *err)
{
	char *saved[ARRAY_LEN(description_variables)];

	hide_variables(saved);
	bool good = open_screen(name, out, in, mouse, err);
	restore_variables(saved);
	return good;
}

/* Gives the terminal to the shell. Where the picture stays, because the terminal has no second
 * screen, the last line is the shell's. */
static void leave(void)
{
	if (!capability("rmcup")) {
		wmove(newscr, getmaxy(newscr) - 1, 0);
		wclrtoeol(newscr);
		doupdate();
	}
	endwin();
	page_send();
	if (outlet_drain(&term.outlet, LAST_BYTES_NS)) {
		if (term.has_tty)
			tcsetattr(term.out_fd, TCSANOW, &term.tty);
		return;
	}
	restore_now();
	outlet_forget(&term.outlet);
}

void term_close(void)
{
	stack_t off = { .ss_flags = SS_DISABLE };

	if (!term.screen)
		return;
	call_watch_terminal(NULL, NULL);
	call_limit_release(&term.patience);
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &term.old_actions[i], NULL);
	if (term.old_stack.ss_sp)
		off = term.old_stack;
	sigaltstack(&off, NULL);
	free(term.signal_stack);
	mouse_set(false);
	if (!isendwin())
		leave();
	delwin(term.keys);
	delscreen(term.screen);
	page_close();
	free(term.sent);
	free(term.run);
	term.signal_stack = NULL;
	term.screen = NULL;
	term.keys = NULL;
	term.sent = NULL;
	term.run = NULL;
}

void term_size(int *w, int *h)
{
	*w = *h = 0;
	if (!term.screen)
		return;
	getmaxyx(newscr, *h, *w);
	/* Where the description of a terminal says that a character in the last column moves the
	 * cursor at once, many terminals that go by that name wait for the next character. The
	 * last column stays blank there, so that both draw the same. */
	if (*w > 1 && auto_right_margin && !eat_newline_glitch)
		(*w)--;
}

void term_resized(void)
{
	int w, h;

	if (!term.screen)
		return;
	size_ask(&w, &h);
	if (w == getmaxx(newscr) && h == getmaxy(newscr))
		return;
	resize_term(h, w);
	buffers_fit();
	sequences_prepare();
	/* The terminal has moved its cells about. The screen is cleared only here, and only on
	 * demand. */
	werase(newscr);
	clearok(curscr, TRUE);
}

void term_redraw(void)
{
	if (!term.screen)
		return;
	term.all = true;
	clearok(curscr, TRUE);
}

int term_colors(void)
{
	if (!term.screen || !has_colors() || COLORS < 8)
		return 0;
	return COLORS >= 256 ? 256 : 8;
}

static void scheme_set(enum scheme scheme)
{
	int colors = term_colors();

	for (int role = 0; role < ROLE_COUNT; role++) {
		const struct style *s = style_of(scheme, (enum role)role);
		short fg = s->fg >= 8 && colors < 256 ? s->fg8 : s->fg;
		bool dim = s->dim && fg < 8;

		term.attrs[role] = s->bold * A_BOLD | s->reverse * A_REVERSE |
			s->underline * A_UNDERLINE | dim * A_DIM;
		term.pairs[role] = 0;
		/* The default colour gets a pair too: between two pairs curses sends one colour,
		 * but on the way to no pair at all it resets every mode. */
		if (colors && role != ROLE_TEXT && init_pair((short)(role + 1), fg, -1) == OK)
			term.pairs[role] = (short)(role + 1);
	}
	term.scheme = scheme;
	term.all = true;
}

static void to_cchar(const struct cell *cell, cchar_t *out)
{
	wchar_t text[2] = { (wchar_t)cell->ch, 0 };
	unsigned role = ROLE_TEXT;

	if (cell->role < ROLE_COUNT)
		role = cell->role;
	if (text[0] > 0x7e && MB_CUR_MAX == 1)
		text[0] = '?';
	setcchar(out, text, term.attrs[role], term.pairs[role], NULL);
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->role == b->role;
}

/* Hands the cells that changed to curses, run by run. */
static void blit_row(const struct cell *row, struct cell *sent, int w, int y)
{
	int x = 0, start, n;

	while (x < w) {
		if (!term.all && same(&row[x], &sent[x])) {
			x++;
			continue;
		}
		for (start = x, n = 0; x < w && (term.all || !same(&row[x], &sent[x])); x++) {
			if (row[x].ch)	/* curses knows itself that a wide character has a second cell */
				to_cchar(&row[x], &term.run[n++]);
			sent[x] = row[x];
		}
		if (n)
			mvwadd_wchnstr(newscr, y, start, term.run, n);
	}
}

void term_blit(const struct canvas *c, enum scheme scheme)
{
	int w, h;
	bool changed = false;

	/* A terminal that has not read the last frame gets the newest one when it has. */
	if (!term.screen || !outlet_push(&term.outlet) || outlet_waiting(&term.outlet) > 0)
		return;
	if (scheme != term.scheme)
		scheme_set(scheme);
	w = min_of(c->w, term.w);
	h = min_of(c->h, term.h);
	for (int y = 0; y < h; y++) {
		const struct cell *row = c->cells + (size_t)y * (size_t)c->w;
		struct cell *sent = term.sent + (size_t)y * (size_t)term.w;
		int x = 0;

		while (!term.all && x < w && same(&row[x], &sent[x]))
			x++;
		if (x == w)
			continue;
		blit_row(row, sent, w, y);
		changed = true;
	}
	term.all = false;
	if (!changed)
		return;
	doupdate();
	page_send();
}

void term_when_ready(struct loop *loop, void (*fn)(void *ctx), void *ctx)
{
	term.outlet.emptied = fn;
	term.outlet.ctx = ctx;
	outlet_watch(&term.outlet, loop);
}

static struct key_event key_of_char(wint_t ch)
{
	if (ch == '\r' || ch == '\n')
		return (struct key_event){ .code = KEY_ENTER_ };
	if (ch == '\t')
		return (struct key_event){ .code = KEY_TAB_ };
	if (ch == 0x1b)
		return (struct key_event){ .code = KEY_ESC_ };
	if (ch == 0x7f || ch == '\b')
		return (struct key_event){ .code = KEY_BACKSPACE_ };
	if (ch < ' ')
		return (struct key_event){ .code = KEY_CTRL, .ch = ch + '@' };
	return (struct key_event){ .code = KEY_CHAR, .ch = ch };
}

static struct key_event key_of_mouse(void)
{
	MEVENT e;

	/* When a key follows at once, curses tells of a press and its release together, and of the
	 * release first. */
	while (getmouse(&e) == OK) {
		struct key_event k = { .code = KEY_MOUSE_, .x = e.x, .y = e.y };

		if (e.bstate & BUTTON4_PRESSED)
			k.ch = 4;
		else if (e.bstate & BUTTON5_PRESSED)
			k.ch = 5;
		else if (e.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
			k.ch = 1;
		if (k.ch)
			return k;
	}
	return (struct key_event){ .code = KEY_NONE_ };
}

static struct key_event key_of_code(wint_t code)
{
	static const struct {
		wint_t curses;
		enum key_code key;
	} codes[] = {
		{ KEY_UP, KEY_UP_ },
		{ KEY_DOWN, KEY_DOWN_ },
		{ KEY_LEFT, KEY_LEFT_ },
		{ KEY_RIGHT, KEY_RIGHT_ },
		{ KEY_PPAGE, KEY_PAGE_UP_ },
		{ KEY_NPAGE, KEY_PAGE_DOWN_ },
		{ KEY_HOME, KEY_HOME_ },
		{ KEY_FIND, KEY_HOME_ },
		{ KEY_END, KEY_END_ },
		{ KEY_SELECT, KEY_END_ },
		{ KEY_BTAB, KEY_BACK_TAB_ },
		{ KEY_ENTER, KEY_ENTER_ },
		{ KEY_BACKSPACE, KEY_BACKSPACE_ },
		{ KEY_RESIZE, KEY_RESIZE_ },
	};

	if (code == KEY_MOUSE)
		return key_of_mouse();
	if (code > KEY_F0 && code <= KEY_F(12))
		return (struct key_event){ .code = KEY_FUNCTION, .ch = code - KEY_F0 };
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (codes[i].curses == code)
			return (struct key_event){ .code = codes[i].key };
	return (struct key_event){ .code = KEY_NONE_ };
}

/* Says whether the input has ended when curses had nothing to give: then the descriptor is
 * readable, but has no byte. */
static bool input_ended(void)
{
	struct pollfd p = { .fd = term.in_fd, .events = POLLIN };
	int n = 0;

	if (poll(&p, 1, 0) <= 0)
		return false;
	if (p.revents & (POLLERR | POLLNVAL))
		return true;
	if (p.revents & POLLIN)
		return ioctl(term.in_fd, FIONREAD, &n) || n <= 0;
	return p.revents & POLLHUP;
}

bool term_key(struct key_event *out)
{
	wint_t ch;
	int rc;

	*out = (struct key_event){ .code = KEY_NONE_ };
	if (!term.screen)
		return false;
	for (;;) {
		/* After the beginning of a mouse report curses waits for its end, for ever and
		 * whatever else comes. */
		call_limit_limit(&term.patience, REPORT_WAIT_MS);
		rc = wget_wch(term.keys, &ch);
		call_limit_limit(&term.patience, 0);
		if (rc == ERR)
			break;
		if (rc == KEY_CODE_YES)
			*out = key_of_code(ch);
		else
			*out = key_of_char(ch);
		if (out->code != KEY_NONE_)
			return true;
	}
	if (!input_ended())
		return false;
	out->code = KEY_EOF_;
	return true;
}

void term_suspend(void)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL }, old;
	sigset_t stop, mask;

	if (!term.screen)
		return;
	leave();
	/* The whole group stops, as the terminal would have it for its own ^Z. An orphaned group
	 * does not stop, and then this goes on at once. */
	sigemptyset(&dfl.sa_mask);
	sigaction(SIGTSTP, &dfl, &old);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, &mask);
	kill(0, SIGTSTP);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGTSTP, &old, NULL);
	modes_set();
	term_resized();
	term_redraw();
}
