/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The poll loop: what arrives, what is removed while it arrives, signals and ticks. */
#include "config.h"

#include "base/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tests/tap.h"

#define N_PIPES 4

/* Some pipes with one byte in each, and what the loop told about them. */
struct scene {
	struct loop *loop;
	int in[N_PIPES], out[N_PIPES];
	int calls[N_PIPES + 1];	/* the last: file descriptors that are none of ours */
	int remove_all_on;	/* index whose callback removes every fd, or -1 */
	int stop_after;		/* calls until loop_stop(), 0: never */
	short revents;
};

static int index_of(const struct scene *s, int fd)
{
	for (int i = 0; i < N_PIPES; i++) {
		if (s->in[i] == fd)
			return i;
	}
	return N_PIPES;
}

static void on_fd(void *ctx, int fd, short revents)
{
	struct scene *s = ctx;
	int i = index_of(s, fd);
	char c;

	s->calls[i]++;
	s->revents = revents;
	if (revents & POLLIN)
		ok(read(fd, &c, 1) == 1, "pipe %d has its byte", i);
	if (i == s->remove_all_on) {
		for (int j = 0; j < N_PIPES; j++)
			loop_remove_fd(s->loop, s->in[j]);
	}
	if (s->stop_after && !--s->stop_after)
		loop_stop(s->loop);
}

static void open_scene(struct scene *s)
{
	static const int no_signals[] = { 0 };

	*s = (struct scene){ .remove_all_on = -1 };
	s->loop = loop_new(no_signals, NULL);
	for (int i = 0; i < N_PIPES; i++) {
		int fds[2];

		if (!s->loop || pipe(fds) < 0 || write(fds[1], "x", 1) != 1) {
			printf("Bail out! no loop or no pipe\n");
			exit(1);
		}
		s->in[i] = fds[0];
		s->out[i] = fds[1];
		loop_add_fd(s->loop, s->in[i], POLLIN, on_fd, s);
	}
}

static void close_scene(struct scene *s)
{
	loop_free(s->loop);
	for (int i = 0; i < N_PIPES; i++) {
		close(s->in[i]);
		close(s->out[i]);
	}
}

static void test_fds(void)
{
	struct scene s;

	open_scene(&s);
	ok(loop_once(s.loop, -1, NULL), "a round");
	for (int i = 0; i < N_PIPES; i++)
		is_int(s.calls[i], 1, "pipe %d was told once", i);
	ok(loop_once(s.loop, 0, NULL), "a round without news");
	is_int(s.calls[0], 1, "tells nobody");
	close(s.out[0]);
	s.out[0] = -1;
	ok(loop_once(s.loop, -1, NULL), "a round with a closed pipe");
	ok(s.calls[0] == 2 && (s.revents & POLLHUP), "its reader hears of it");
	loop_remove_fd(s.loop, s.in[0]);
	loop_remove_fd(s.loop, s.in[0]);
	loop_remove_fd(s.loop, -1);
	loop_add_fd(s.loop, -1, POLLIN, on_fd, &s);
	ok(loop_once(s.loop, 0, NULL), "a round after its removal");
	is_int(s.calls[0], 2, "tells it nothing");
	close_scene(&s);
}

static void test_remove_inside(void)
{
	struct scene s;

	open_scene(&s);
	s.remove_all_on = 1;
	ok(loop_once(s.loop, -1, NULL), "a round in which the second callback removes all");
	is_int(s.calls[0], 1, "the first had been told");
	is_int(s.calls[1], 1, "the second itself");
	is_int(s.calls[2] + s.calls[3], 0, "the removed ones hear nothing, though they were ready");
	ok(loop_once(s.loop, 0, NULL), "the next round");
	is_int(s.calls[0] + s.calls[1] + s.calls[2] + s.calls[3], 2, "is silent");
	loop_add_fd(s.loop, s.in[2], POLLIN, on_fd, &s);
	ok(loop_once(s.loop, -1, NULL) && s.calls[2] == 1, "one that comes back is heard");
	close_scene(&s);
}

static void re_add(void *ctx, int fd, short revents)
{
	struct scene *s = ctx;

	(void)revents;
	s->calls[N_PIPES]++;
	loop_remove_fd(s->loop, fd);
	for (int i = 0; i < N_PIPES; i++)
		loop_add_fd(s->loop, s->in[i], POLLIN, on_fd, s);
}

/* A callback that replaces what was polled must not make the new owners hear the old news, and the
 * table may move meanwhile. */
static void test_add_inside(void)
{
	struct scene s;
	int fds[2];

	open_scene(&s);
	for (int i = 0; i < N_PIPES; i++)
		loop_remove_fd(s.loop, s.in[i]);
	ok(pipe(fds) == 0 && write(fds[1], "x", 1) == 1, "one more pipe");
	loop_add_fd(s.loop, fds[0], POLLIN, re_add, &s);
	loop_add_fd(s.loop, s.in[0], POLLIN, on_fd, &s);
	ok(loop_once(s.loop, -1, NULL), "a round in which a callback adds");
	is_int(s.calls[N_PIPES], 1, "the adding one was called");
	is_int(s.calls[0], 0, "what it added waits for the next round");
	ok(loop_once(s.loop, -1, NULL), "the next round");
	is_int(s.calls[0] + s.calls[1] + s.calls[2] + s.calls[3], 4, "tells all");
	close(fds[0]);
	close(fds[1]);
	close_scene(&s);
}

static void test_closed_behind_our_back(void)
{
	struct scene s;

	open_scene(&s);
	ok(loop_once(s.loop, -1, NULL), "the pipes are emptied");
	close(s.in[3]);
	ok(loop_once(s.loop, -1, NULL), "a round with an fd that its owner closed");
	ok(s.calls[3] == 2 && (s.revents & POLLNVAL), "its owner hears of it");
	ok(loop_once(s.loop, 0, NULL) && s.calls[3] == 2, "once");
	s.in[3] = -1;
	close_scene(&s);
}

static void test_stop(void)
{
	struct scene s;

	open_scene(&s);
	s.stop_after = 2;
	ok(loop_run(s.loop, NULL), "running ends");
	is_int(s.calls[0] + s.calls[1] + s.calls[2] + s.calls[3], 2,
		"at the callback that asked for it");
	s.stop_after = 2;
	ok(loop_run(s.loop, NULL), "it runs again");
	is_int(s.calls[0] + s.calls[1] + s.calls[2] + s.calls[3], 4, "and handles the rest");
	loop_stop(s.loop);
	ok(loop_run(s.loop, NULL), "a stop before the run counts");
	close_scene(&s);
}

struct heard {
	struct loop *loop;
	int count, last;
	uint64_t missed;
};

static void on_signal(void *ctx, int signo)
{
	struct heard *h = ctx;

	h->count++;
	h->last = signo;
}

static void test_signals(void)
{
	static const int signals[] = { SIGTERM, SIGUSR1, 0 };
	struct heard h = { 0 };
	struct sigaction act;
	sigset_t mask;

	signal(SIGPIPE, SIG_DFL);
	h.loop = loop_new(signals, NULL);
	ok(h.loop, "a loop with signals");
	raise(SIGTERM);
	ok(loop_once(h.loop, 0, NULL), "a signal that nobody wants is dropped");
	loop_on_signal(h.loop, on_signal, &h);
	raise(SIGUSR1);
	ok(loop_once(h.loop, -1, NULL), "a round with a signal");
	is_int(h.last, SIGUSR1, "it arrives");
	raise(SIGUSR1);
	raise(SIGTERM);
	ok(loop_once(h.loop, -1, NULL), "a round with two");
	is_int(h.count, 3, "both arrive");
	sigaction(SIGPIPE, NULL, &act);
	ok(act.sa_handler == SIG_IGN, "SIGPIPE is ignored");
	loop_free(h.loop);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	ok(!sigismember(&mask, SIGTERM) && !sigismember(&mask, SIGUSR1), "the mask is as it was");
	sigaction(SIGPIPE, NULL, &act);
	ok(act.sa_handler == SIG_DFL, "SIGPIPE is as it was");
	loop_free(NULL);
}

static volatile sig_atomic_t alarms;

static void on_alarm(int signo)
{
	(void)signo;
	alarms = alarms + 1;
}

/* Signals that are not the loop's interrupt poll() again and again; waiting goes on. */
static void test_interruption(void)
{
	static const struct itimerval every_ms = { { 0, 1000 }, { 0, 1000 } }, never;
	struct sigaction act = { .sa_handler = on_alarm };
	struct scene s;

	open_scene(&s);
	for (int i = 0; i < N_PIPES; i++)
		loop_remove_fd(s.loop, s.in[i]);
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &every_ms, NULL);
	while (alarms < 5) {
		if (!loop_once(s.loop, -1, NULL))
			break;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	ok(alarms >= 5, "an interrupted wait is no failure");
	close_scene(&s);
}

static void on_tick(void *ctx, uint64_t missed)
{
	struct heard *h = ctx;

	h->missed += missed;
	if (++h->count == 3)
		loop_stop(h->loop);
}

static void test_ticks(void)
{
	static const int no_signals[] = { 0 };
	struct heard h = { 0 };
	struct clock real = { 0 };
	int64_t start;

	h.loop = loop_new(no_signals, NULL);
	start = clock_mono_ns(&real);
	ok(loop_set_tick(h.loop, NS_PER_MS, on_tick, &h, NULL), "a tick of a millisecond");
	ok(loop_run(h.loop, NULL) && h.count == 3, "three ticks");
	ok(clock_mono_ns(&real) - start >= 2 * NS_PER_MS, "not earlier than asked");
	start = clock_mono_ns(&real);
	while (clock_mono_ns(&real) - start < 5 * NS_PER_MS)
		;
	h.missed = 0;
	ok(loop_once(h.loop, -1, NULL) && h.count == 4, "one call for all that were late");
	ok(h.missed >= 3, "which says how many it missed (%d)", (int)h.missed);
	ok(loop_set_tick(h.loop, 0, on_tick, &h, NULL), "no more ticks");
	ok(loop_once(h.loop, 5, NULL) && h.count == 4, "and none comes");
	ok(loop_set_tick(h.loop, -5, on_tick, &h, NULL) && loop_once(h.loop, 0, NULL) &&
			h.count == 4,
		"a negative period is none");
	loop_free(h.loop);
}

static void on_tick_of_two(void *ctx, uint64_t missed)
{
	(void)missed;
	++((struct heard *)ctx)->count;
}

/* Each has its own period, and one that ends leaves the other alone. */
static void test_two_tickers(void)
{
	static const int no_signals[] = { 0 };
	struct heard fast = { 0 }, slow = { 0 };
	struct loop *l = loop_new(no_signals, NULL);
	int before;

	ok(loop_set_tick(l, NS_PER_MS, on_tick_of_two, &fast, NULL) &&
			loop_set_tick(l, 1000 * NS_PER_S, on_tick_of_two, &slow, NULL),
		"two that tick");
	while (fast.count < 3)
		loop_once(l, -1, NULL);
	is_int(slow.count, 0, "the slow one does not tick with the fast one");
	ok(loop_set_tick(l, NS_PER_MS, on_tick_of_two, &slow, NULL), "it gets another period");
	while (slow.count < 3)
		loop_once(l, -1, NULL);
	ok(loop_set_tick(l, 0, on_tick_of_two, &fast, NULL), "the other one ends");
	before = fast.count;
	slow.count = 0;
	while (slow.count < 3)
		loop_once(l, -1, NULL);
	is_int(fast.count, before, "it ticks no more, the first goes on");
	ok(loop_set_tick(l, 1000 * NS_PER_S, on_tick_of_two, &l, NULL),
		"its place can be had by another one");
	loop_free(l);
}

int main(void)
{
	test_fds();
	test_remove_inside();
	test_add_inside();
	test_closed_behind_our_back();
	test_stop();
	test_signals();
	test_interruption();
	test_ticks();
	test_two_tickers();
	return done_testing();
}
