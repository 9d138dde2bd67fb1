/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors, the log ring, clocks, and what happens when memory ends. */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "tests/tap.h"

static void test_err(void)
{
	struct err e = { 0 };

	ok(!err_set(NULL, ERR_PARSE, "x") && !err_sys(NULL, "x") && !err_hint(NULL, "x"),
		"nobody has to want the error");
	err_clear(NULL);
	ok(!err_set(&e, ERR_PARSE, "line %d", 3), "setting an error fails");
	is_int(e.code, ERR_PARSE, "the code is kept");
	is_str(e.msg, "line 3", "the message is formatted");
	ok(!err_hint(&e, "try '%s'", "x"), "adding a hint fails");
	is_str(e.hint, "try 'x'", "the hint is formatted");
	is_str(e.msg, "line 3", "a hint leaves the message");
	err_set(&e, ERR_USAGE, "file: %s", e.msg);
	is_str(e.msg, "file: line 3", "the old message may be part of the new one");
	is_str(e.hint, "", "a new message drops the old hint");
	err_set(&e, ERR_USAGE, "%500s", "x");
	is_int(strlen(e.msg), sizeof(e.msg) - 1, "a long message is cut");
	errno = ENOENT;
	err_sys(&e, "cannot open '%s'", "y");
	is_str(e.msg, "cannot open 'y': No such file or directory",
		"a system error names its reason");
	is_int(e.code, ERR_SYS, "ENOENT is a system error");
	is_int(e.sys, ENOENT, "errno is kept");
	errno = EACCES;
	err_sys(&e, "x");
	is_int(e.code, ERR_PERMISSION, "EACCES is a refusal");
	errno = EPERM;
	err_sys(&e, "x");
	is_int(e.code, ERR_PERMISSION, "EPERM is a refusal");
	err_clear(&e);
	ok(e.code == ERR_NONE && !e.sys && !e.msg[0] && !e.hint[0], "clear leaves nothing");
}

static void test_log(void)
{
	struct log *l = xcalloc(1, sizeof(*l));
	struct err e = { 0 };

	log_add(NULL, 0, LOG_INFO, "nobody listens");
	is_int(log_count(l), 0, "an empty log");
	log_add(l, 5, LOG_WARN, "first %d", 1);
	is_int(log_count(l), 1, "one line");
	is_str(log_get(l, 0)->text, "first 1", "its text");
	is_int(log_get(l, 0)->level, LOG_WARN, "its level");
	is_int(log_get(l, 0)->wall_ns, 5, "its time");
	for (int i = 0; i < LOG_LINES + 10; i++)
		log_add(l, i, LOG_DEBUG, "line %d", i);
	is_int(log_count(l), LOG_LINES, "a full ring keeps its size");
	is_str(log_get(l, 0)->text, "line 10", "the oldest lines are gone");
	is_int(log_get(l, LOG_LINES - 1)->wall_ns, LOG_LINES + 9, "the newest is last");
	err_set(&e, ERR_SYS, "it broke");
	log_err(l, 7, &e);
	is_str(log_get(l, LOG_LINES - 1)->text, "it broke", "an error without a hint");
	err_hint(&e, "mend it");
	log_err(l, 8, &e);
	is_str(log_get(l, LOG_LINES - 1)->text, "it broke (mend it)", "an error with a hint");
	is_int(log_get(l, LOG_LINES - 1)->level, LOG_ERROR, "an error's level");
	log_release(l);
	is_int(log_count(l), 0, "a released log is empty");
	free(l);
}

static void test_clock(void)
{
	static const struct {
		int64_t ns;
		const char *utc;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00.000Z" },
		{ 1795266202104999999, "2026-11-21T13:03:22.104Z" },
		{ -1, "1969-12-31T23:59:59.999Z" },
		{ -1000000000, "1969-12-31T23:59:59.000Z" },
		{ 951782400000000000, "2000-02-29T00:00:00.000Z" },
		{ INT64_MAX, "2262-04-11T23:47:16.854Z" },
		{ INT64_MIN + NS_PER_S, "1677-09-21T00:12:44.145Z" },
	};
	struct clock c = { 0 };
	int64_t before, cpu;
	char buf[32];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_str(clock_format_utc(rows[i].ns, buf), rows[i].utc, "UTC of %lld",
			(long long)rows[i].ns);
	setenv("TZ", "XYZ-2:30", 1);
	tzset();
	is_str(clock_format_local(1795266202104999999, buf), "15:33:22",
		"local time is two and a half hours later");
	before = clock_mono_ns(&c);
	ok(before > 0 && clock_mono_ns(&c) >= before, "the machine's clock does not go back");
	ok(clock_wall_ns(&c) > 1600000000 * NS_PER_S, "the machine knows the year");
	cpu = clock_self_cpu_ns();
	ok(cpu > 0 && clock_self_cpu_ns() >= cpu, "this process has used some CPU time");
	clock_init_virtual(&c, 100, 2000);
	is_int(clock_mono_ns(&c), 100, "a virtual clock starts where it is told");
	clock_advance(&c, 50);
	is_int(clock_mono_ns(&c), 150, "a virtual clock moves when told");
	is_int(clock_wall_ns(&c), 2050, "and its wall clock with it");
}

static void write_hook(void)
{
	if (write(STDOUT_FILENO, "hook ", 5) != 5)
		_exit(9);
}

static void exhaust(void)
{
	mem_set_oom_hook(write_hook);
	free(xreallocarray(NULL, SIZE_MAX / 2, 4));
	_exit(8);
}

/* In a child, whose output is read to the end. */
static void test_out_of_memory(void)
{
	struct rlimit no_core = { 0, 0 };
	char text[256];
	size_t len = 0;
	ssize_t n;
	int fds[2], status = 0;
	pid_t pid;

	if (pipe(fds) < 0 || (pid = fork()) < 0) {
		ok(false, "a child for the end of memory");
		return;
	}
	if (!pid) {
		setrlimit(RLIMIT_CORE, &no_core);
		dup2(fds[1], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		exhaust();
	}
	close(fds[1]);
	while (len < sizeof(text) - 1 && (n = read(fds[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	close(fds[0]);
	waitpid(pid, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
		"an allocation that overflows aborts");
	/* An emulator of processors adds a line of its own. */
	if (strchr(text, '\n'))
		strchr(text, '\n')[1] = '\0';
	is_str(text, "hook rooftop: out of memory\n", "after the hook, with a sentence");
}

static void test_memory(void)
{
	int *numbers = NULL;
	size_t cap = 0;
	bool same = true;
	char *s;

	for (size_t i = 0; i < 1000; i++) {
		numbers = array_grow(numbers, i, &cap, sizeof(*numbers));
		numbers[i] = (int)i;
	}
	for (int i = 0; i < 1000; i++)
		same = same && numbers[i] == i;
	ok(same && cap >= 1000 && cap < 3000, "an array grows by doubling and keeps what it holds");
	free(numbers);
	s = xstrndup("abcdef", 3);
	is_str(s, "abc", "part of a string");
	free(s);
	s = xstrndup("ab", 10);
	is_str(s, "ab", "not more than the string");
	free(s);
	s = xasprintf("%s-%d", "x", 7);
	is_str(s, "x-7", "a formatted string");
	free(s);
	s = xcalloc(0, 16);
	ok(s, "no elements are still an address");
	free(s);
}

int main(void)
{
	test_err();
	test_log();
	test_clock();
	test_memory();
	test_out_of_memory();
	return done_testing();
}
