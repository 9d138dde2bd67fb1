/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal on a pseudo terminal: given back after every fatal signal, resized, suspended, hung
 * up. */
#include "config.h"

#include "ui/draw/term.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include "tests/tap.h"

/* What the child wrote until it closed its side; the terminal's modes are those of the end. */
struct session {
	char text[65536];
	size_t len;
	int status;
	struct termios before, after;
	int flags;		/* of the terminal's file, at the end */
};

/* Runs fn in a child whose controlling terminal is a new pseudo terminal of 80x24; the slave stays
 * open here for its modes. */
static bool run(struct session *s, int (*fn)(int arg), int arg)
{
	struct winsize ws = { .ws_row = 24, .ws_col = 80 };
	int master, slave;
	pid_t pid;

	memset(s, 0, sizeof(*s));
	if (openpty(&master, &slave, NULL, NULL, &ws))
		return false;
	tcgetattr(slave, &s->before);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(master);
		if (login_tty(dup(slave)))
			_exit(99);
		close(slave);
		_exit(fn(arg));
	}
	for (bool dead = false; !dead;) {
		struct pollfd p = { .fd = master, .events = POLLIN };
		ssize_t n = 0;

		dead = waitpid(pid, &s->status, WNOHANG) == pid;
		while (poll(&p, 1, dead ? 0 : 20) > 0 && s->len < sizeof(s->text) - 1 &&
		       (n = read(master, s->text + s->len, sizeof(s->text) - 1 - s->len)) > 0)
			s->len += (size_t)n;
		dead |= n < 0;
	}
	tcgetattr(slave, &s->after);
	s->flags = fcntl(slave, F_GETFL);
	close(slave);
	close(master);
	return true;
}

static bool same_modes(const struct session *s)
{
	return s->before.c_lflag == s->after.c_lflag && s->before.c_iflag == s->after.c_iflag &&
		s->before.c_oflag == s->after.c_oflag;
}

static int count(const struct session *s, const char *sequence)
{
	int n = 0;

	for (const char *p = s->text; (p = strstr(p, sequence)); p += strlen(sequence))
		n++;
	return n;
}

/* The last of show-cursor and hide-cursor, and of leave and enter alternate screen, must be the
 * friendly one. */
static bool is_last(const struct session *s, const char *good, const char *bad)
{
	const char *p, *last_good = NULL, *last_bad = NULL;

	for (p = s->text; (p = strstr(p, good)); p++)
		last_good = p;
	for (p = s->text; (p = strstr(p, bad)); p++)
		last_bad = p;
	return last_good && (!last_bad || last_good > last_bad);
}

static void draw_something(void)
{
	struct canvas c = { 0 };

	canvas_resize(&c, 80, 24);
	canvas_text(&c, 3, 3, ROLE_SIM, "rooftop");
	term_blit(&c, SCHEME_DEFAULT);
	canvas_release(&c);
}

static int open_and_raise(int signo)
{
	/* A sanitizer's handler would be asked next; the default action is what users have. */
	signal(signo, SIG_DFL);
	if (!term_open("xterm-256color", stdout, stdin, true, NULL))
		return 98;
	draw_something();
	raise(signo);
	return 97;
}

static int open_and_close(int unused)
{
	(void)unused;
	if (!term_open("xterm-256color", stdout, stdin, true, NULL))
		return 98;
	draw_something();
	term_close();
	return 0;
}

static int overflow_stack(int depth)
{
	volatile char waste[4096];

	waste[0] = (char)depth;
	return depth > 1000000 ? waste[0] : overflow_stack(depth + 1) + waste[0];
}

static int open_and_overflow(int unused)
{
	(void)unused;
	signal(SIGSEGV, SIG_DFL);
	if (!term_open("xterm-256color", stdout, stdin, false, NULL))
		return 98;
	draw_something();
	return overflow_stack(0) & 1;
}

static int resize(int unused)
{
	struct winsize ws = { .ws_row = 50, .ws_col = 132 };
	int w, h, w2, h2;

	(void)unused;
	setenv("COLUMNS", "20", 1);
	setenv("LINES", "5", 1);
	if (!term_open("xterm-256color", stdout, stdin, false, NULL))
		return 98;
	term_size(&w, &h);
	ioctl(1, TIOCSWINSZ, &ws);
	term_resized();
	term_size(&w2, &h2);
	term_close();
	return !(w == 80 && h == 24 && w2 == 132 && h2 == 50);
}

/* A session leader has nobody who could continue it: it does not stop, and everything is drawn
 * again. */
static int suspend(int unused)
{
	(void)unused;
	if (!term_open("xterm-256color", stdout, stdin, true, NULL))
		return 98;
	draw_something();
	term_suspend();
	draw_something();
	term_close();
	return 0;
}

static void test_fatal(void)
{
	static const struct {
		int signo;
		const char *name;
	} rows[] = { { SIGSEGV, "SEGV" }, { SIGBUS, "BUS" }, { SIGILL, "ILL" }, { SIGFPE, "FPE" },
		{ SIGABRT, "ABRT" } };
	static struct session s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!ok(run(&s, open_and_raise, rows[i].signo), "%s: runs", rows[i].name))
			continue;
		ok(WIFSIGNALED(s.status) && WTERMSIG(s.status) == rows[i].signo,
			"%s: dies of that signal", rows[i].name);
		ok(same_modes(&s), "%s: modes as before", rows[i].name);
		ok(is_last(&s, "\033[?1049l", "\033[?1049h"), "%s: left the alternate screen",
			rows[i].name);
		ok(is_last(&s, "\033[?25h", "\033[?25l") ||
				is_last(&s, "\033[?12l\033[?25h", "\033[?25l"),
			"%s: cursor shown", rows[i].name);
		ok(is_last(&s, "\033[?1000l", "\033[?1000h"), "%s: mouse off", rows[i].name);
	}
}

static void test_orderly(void)
{
	static struct session s;

	ok(run(&s, open_and_close, 0) && WIFEXITED(s.status) && !WEXITSTATUS(s.status),
		"opens and closes");
	ok(same_modes(&s) && is_last(&s, "\033[?1049l", "\033[?1049h"), "everything given back");
	ok(!(s.flags & O_NONBLOCK), "the shared file is still blocking");
	is_int(count(&s, "\033[2J"), 1, "cleared once, at the start");
	ok(run(&s, resize, 0) && WIFEXITED(s.status) && !WEXITSTATUS(s.status),
		"the terminal's size counts, not LINES and COLUMNS");
	ok(run(&s, suspend, 0) && WIFEXITED(s.status) && !WEXITSTATUS(s.status),
		"suspend without a shell goes on");
	is_int(count(&s, "\033[?1049l"), 2, "leaving the screen before, and at the end");
	ok(count(&s, "rooftop") == 2, "and drawing it again between");
}

static void test_hangup(void)
{
	struct termios before, after;
	struct key_event k;
	int master, slave;
	FILE *f, *out;

	if (openpty(&master, &slave, NULL, NULL, NULL))
		return;
	f = fdopen(slave, "r");
	out = fdopen(dup(slave), "w");
	tcgetattr(slave, &before);
	ok(term_open("xterm-256color", out, f, false, NULL), "opens");
	tcgetattr(slave, &after);
	ok(before.c_lflag & ICANON && !(after.c_lflag & ICANON), "input key by key");
	ok(!term_key(&k), "no key yet");
	ok(write(master, "x", 1) == 1 && term_key(&k) && k.code == KEY_CHAR && k.ch == 'x',
		"a key");
	close(master);
	ok(term_key(&k) && k.code == KEY_EOF_, "the other side is gone: end of file");
	term_close();
	fclose(f);
	fclose(out);
}

int main(void)
{
	static struct session s;

	setlocale(LC_ALL, "");
	test_fatal();
	if (ok(run(&s, open_and_overflow, 0), "stack overflow: runs")) {
		ok(WIFSIGNALED(s.status), "stack overflow: dies of a signal");
		ok(is_last(&s, "\033[?1049l", "\033[?1049h") && same_modes(&s),
			"stack overflow: terminal given back");
	}
	test_orderly();
	test_hangup();
	return done_testing();
}
