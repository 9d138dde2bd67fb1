/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends pictures to the terminal, reads keys, and gives the terminal back whatever happens. */
#include "config.h"

#include "ui/draw/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/loop.h"
#include "base/outlet.h"
#include "base/parse.h"
#include "ui/draw/painter.h"
#include "base/minmax.h"

#define INPUT_BYTES 256
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
	bool is_open;
	bool mouse;
	struct painter painter;
	enum scheme scheme;
	struct term_keys keys;
	char input[INPUT_BYTES];	/* read, not decoded */
	size_t n_input;
	char *signal_stack;
	stack_t old_stack;
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

/* Where the program has rights that its user lacks, the description is the system's: ncurses looks
 * at user ids alone, and a file's capabilities change none. saved takes what restore_variables()
 * puts back, for programs that are started. */
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

	if (!name || !*name) {
		err_set(err, ERR_UNSUPPORTED, _("the variable TERM is not set"));
		return err_hint(
			err, _("set TERM to the kind of your terminal, or use -b for plain text"));
	}
	if (setupterm(name, fd, &rc) != 0 || !cur_term) {
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
	if (terminal_string("cup"))
		return true;
	del_curterm(cur_term);
	err_set(err, ERR_UNSUPPORTED, _("TERM is '%s', a terminal that cannot place its cursor"),
		name);
	return err_hint(err, _("use -b for plain text"));
}

/* Keeps what a capability sends, if the terminal has it and there is room. */
static bool sequence_add(struct sequence *q, const char *s)
{
	struct strbuf text = { 0 };
	bool good = terminal_add(&text, s) && q->len + text.len <= sizeof(q->bytes);

	if (good) {
		memcpy(q->bytes + q->len, strbuf_str(&text), text.len);
		q->len += text.len;
	}
	strbuf_release(&text);
	return good;
}

static void sequences_prepare(void)
{
	struct sequence *q = &term.restore;
	const char *last = tiparm(terminal_string("cup"), term.painter.h - 1, 0);

	term.last_line.len = 0;
	sequence_add(&term.last_line, terminal_string("sgr0"));
	sequence_add(&term.last_line, terminal_string("op"));
	sequence_add(&term.last_line, last);
	sequence_add(&term.last_line, terminal_string("el"));
	q->len = 0;
	if (term.mouse)
		sequence_add(q, "\033[?1000l\033[?1006l");
	sequence_add(q, terminal_string("sgr0"));
	sequence_add(q, terminal_string("op"));
	sequence_add(q, terminal_string("cnorm"));
	sequence_add(q, terminal_string("rmkx"));
	if (sequence_add(q, terminal_string("rmcup")))
		return;
	/* The shell goes on in the last line, where the keys were. */
	sequence_add(q, last);
	if (!sequence_add(q, terminal_string("el")))
		sequence_add(q, "\n");
}

/* Writes at once, and makes room for it where the terminal reads nothing: what it has not read is
 * dropped, and what ^S stopped goes on. These are calls that POSIX lists as safe in a handler. */
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
		if (len > 0) {
			tcflush(term.out_fd, TCOFLUSH);
			tcflow(term.out_fd, TCOON);
		}
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
	int w = term.painter.w - 1;

	outlet_add(&term.outlet, term.last_line.bytes, term.last_line.len);
	outlet_add(&term.outlet, line, (size_t)min_of((int)strlen(line), max_of(w, 0)));
	painter_forget(&term.painter);
}

/* The handler makes only calls that POSIX lists as safe. What was there before us (nothing, or a
 * sanitizer) then sees the signal. */
static void on_fatal_signal(int signo, siginfo_t *info, void *context)
{
	(void)context;
	if (signo == SIGBUS && driver_mend_fault(info))
		return;
	restore_now();
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &term.old_actions[i], NULL);
	raise(signo);
}

static void handlers_install(void)
{
	struct sigaction sa = { .sa_sigaction = on_fatal_signal,
		.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO };
	stack_t stack = { .ss_size = SIGNAL_STACK_SIZE };

	/* The handler needs a stack of its own, because it cannot run on one that overflowed. */
	term.signal_stack = xmalloc(SIGNAL_STACK_SIZE);
	stack.ss_sp = term.signal_stack;
	sigaltstack(&stack, &term.old_stack);
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &sa, &term.old_actions[i]);
}

/* Sends what was added to the painter's text. */
static void send_text(void)
{
	struct strbuf *text = &term.painter.text;

	if (text->len)
		outlet_add(&term.outlet, text->s, text->len);
	strbuf_clear(text);
}

/* Keys come one by one and as they are, and nothing that is written is changed. */
static void modes_set(void)
{
	struct termios raw = term.tty;

	raw.c_iflag &= ~(tcflag_t)(IXON | BRKINT | PARMRK | ICRNL | INLCR | IGNCR | ISTRIP);
	raw.c_oflag &= ~(tcflag_t)ONLCR;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ISIG | IEXTEN | ECHO | ECHONL);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (term.has_tty)
		tcsetattr(term.out_fd, TCSANOW, &raw);
}

static void mouse_set(bool on)
{
	/* Only a terminal whose description has a key for it can tell of the mouse. */
	on = on && terminal_string("kmous");
	if (on != term.mouse)
		strbuf_add(&term.painter.text,
			on ? "\033[?1000h\033[?1006h" : "\033[?1000l\033[?1006l");
	term.mouse = on;
}

/* This is also called after a stop, where the shell may have changed the modes. */
static void enter(bool mouse)
{
	struct strbuf *text = &term.painter.text;

	modes_set();
	terminal_add(text, terminal_string("smcup"));
	terminal_add(text, terminal_string("smkx"));
	terminal_add(text, terminal_string("civis"));
	mouse_set(mouse);
	painter_forget(&term.painter);
	send_text();
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

/* Asks the terminal for its size; LINES and COLUMNS count only where it does not answer. */
static void size_ask(int *w, int *h)
{
	struct winsize ws;

	if (!ioctl(term.out_fd, TIOCGWINSZ, &ws) && ws.ws_col > 0 && ws.ws_row > 0) {
		*w = ws.ws_col;
		*h = ws.ws_row;
	} else {
		*w = size_from_env("COLUMNS", max_of(tigetnum((char *)"cols"), 1));
		*h = size_from_env("LINES", max_of(tigetnum((char *)"lines"), 1));
	}
	if (*w > COLUMNS_MAX)
		*w = COLUMNS_MAX;
	if (*h > LINES_MAX)
		*h = LINES_MAX;
}

void term_mouse(bool on)
{
	if (!term.is_open)
		return;
	mouse_set(on);
	send_text();
	sequences_prepare();
}

static bool open_screen(const char *name, FILE *out, FILE *in, bool mouse, struct err *err)
{
	int w, h;

	if (term.is_open)
		return err_set(err, ERR_BUSY, _("the terminal is in use already"));
	if (!name)
		name = getenv("TERM");
	if (!check_terminal(name, fileno(out), err))
		return false;
	term.in_fd = fileno(in);
	term.out_fd = fileno(out);
	term.has_tty = !tcgetattr(term.out_fd, &term.tty);
	if (!outlet_open(&term.outlet, term.out_fd)) {
		del_curterm(cur_term);
		return err_sys(err, "%s", _("cannot use standard output as a terminal"));
	}
	term.is_open = true;
	term.n_input = 0;
	painter_open(&term.painter);
	term.painter.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	term.scheme = SCHEME_COUNT;	/* roles have no looks yet */
	term_keys_find(&term.keys, terminal_string);
	size_ask(&w, &h);
	painter_resize(&term.painter, w, h);
	enter(mouse);
	sequences_prepare();
	handlers_install();
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

/* Gives the terminal to the shell. */
static void leave(void)
{
	outlet_add(&term.outlet, term.restore.bytes, term.restore.len);
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

	if (!term.is_open)
		return;
	call_watch_terminal(NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &term.old_actions[i], NULL);
	if (term.old_stack.ss_sp)
		off = term.old_stack;
	sigaltstack(&off, NULL);
	free(term.signal_stack);
	leave();
	outlet_close(&term.outlet);
	painter_release(&term.painter);
	del_curterm(cur_term);
	term.signal_stack = NULL;
	term.mouse = false;
	term.is_open = false;
}

void term_size(int *w, int *h)
{
	*w = *h = 0;
	if (!term.is_open)
		return;
	*w = term.painter.w;
	*h = term.painter.h;
	/* Where the description of a terminal says that a character in the last column moves the
	 * cursor at once, many terminals that go by that name wait for the next character. The
	 * last column stays blank there, so that both draw the same. */
	if (*w > 1 && auto_right_margin && !eat_newline_glitch)
		(*w)--;
}

void term_resized(void)
{
	int w, h;

	if (!term.is_open)
		return;
	size_ask(&w, &h);
	if (w == term.painter.w && h == term.painter.h)
		return;
	painter_resize(&term.painter, w, h);
	sequences_prepare();
}

void term_redraw(void)
{
	if (!term.is_open)
		return;
	modes_set();
	painter_forget(&term.painter);
}

int term_blit(const struct canvas *c, enum scheme scheme)
{
	/* A terminal that has not read the last frame gets the newest one when it has. */
	if (!term.is_open || !outlet_push(&term.outlet) || outlet_waiting(&term.outlet) > 0)
		return term.outlet.error;
	if (scheme != term.scheme)
		painter_scheme(&term.painter, scheme);
	term.scheme = scheme;
	painter_draw(&term.painter, c);
	send_text();
	return term.outlet.error;
}

void term_when_ready(struct loop *loop, void (*fn)(void *ctx), void *ctx)
{
	term.outlet.emptied = fn;
	term.outlet.ctx = ctx;
	loop_watch_outlet(loop, &term.outlet);
}

/* Says whether the input has ended: then the descriptor is readable, but has no byte. */
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

/* Reads what has come, or comes within so many ms, as far as there is room. */
static bool read_input(int wait_ms)
{
	struct pollfd p = { .fd = term.in_fd, .events = POLLIN };
	size_t had = term.n_input;
	ssize_t n;

	if (had >= INPUT_BYTES || poll(&p, 1, wait_ms) <= 0 || !(p.revents & POLLIN))
		return false;
	n = read(term.in_fd, term.input + had, INPUT_BYTES - had);
	if (n > 0)
		term.n_input = had + (size_t)n;
	return n > 0;
}

/* Takes the first key of the input, which must not be empty. */
static void take_key(struct key_event *out)
{
	size_t n;

	do {
		n = term_key_decode(&term.keys, term.input, term.n_input, out);
	} while (!n && read_input(term_key_wait_ms(term.input, term.n_input)));
	if (!n)
		n = term_key_cut(term.input, term.n_input, out);
	term.n_input -= n;
	memmove(term.input, term.input + n, term.n_input);
}

bool term_key(struct key_event *out)
{
	*out = (struct key_event){ .code = KEY_NONE_ };
	if (!term.is_open)
		return false;
	while (term.n_input > 0 || read_input(0)) {
		take_key(out);
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
	bool mouse;

	if (!term.is_open)
		return;
	mouse = term.mouse;
	leave();
	term.mouse = false;
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
	enter(mouse);
	term_resized();
}
