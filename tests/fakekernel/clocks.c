/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks. The tree's file suspended_ns: how long the machine has slept.
 *
 * $FAKEKERNEL_CLOCK=virtual: time passes only while the program waits. poll() and nanosleep() return at once, at the time at which the next timer
 * is due or the wait would end, so that hours pass as fast as the program can work, and a busy machine makes nothing late. A look at a clock
 * takes a microsecond, so that nobody waits in a loop for ever. Timers are those of timerfd with the monotonic clock, in one process.
 *
 * Another program can live by that clock: the tree's file gate is its time and the one that it does not pass while it waits, two int64_t. A
 * negative one counts from the program's start.
 *
 * A process that it forks, such as the one that reads a Mali GPU's counters, reads the same clock, and waits in real time; who waits for its
 * answer does so, too, as long as no driver hangs, and nothing has passed meanwhile. */
#include "config.h"

#include "tests/fakekernel/clocks.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/fakekernel/fake.h"

#define EXPORT __attribute__((visibility("default")))
#define LOOK_NS 1000

/* By descriptor, up to the highest one that was set; due_ns is 0 where it is no timer that is set. One that is still is off in the kernel;
 * one that is up went off while poll() waited for it, which the kernel need not know. */
static struct {
	int64_t due_ns, interval_ns;
	bool is_still, is_up;
} timers[FAKE_MAX_FDS];
static int n_timers;
static int64_t *passed_ns;	/* shared with those that it forks */
static bool is_forked;

static void fork_was_here(void)
{
	is_forked = true;
}

static bool is_virtual(void)
{
	static int known = -1;

	if (known < 0) {
		const char *clock = getenv("FAKEKERNEL_CLOCK");

		known = *fake_root() && clock && !strcmp(clock, "virtual");
		if (!known)
			return known;
		passed_ns = mmap(NULL, sizeof(*passed_ns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (passed_ns == MAP_FAILED)
			abort();
		pthread_atfork(NULL, NULL, fork_was_here);
	}
	return known;
}

static bool waits_by_itself(void)
{
	return is_virtual() && !is_forked;
}

static int real_clock(clockid_t id, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	return real(id, t);
}

void fake_tick(struct timespec *t)
{
	real_clock(CLOCK_MONOTONIC_COARSE, t);
}

static int64_t ns_of(const struct timespec *t)
{
	return t->tv_sec * NS_PER_S + t->tv_nsec;
}

static struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

/* Where a clock stood when the program looked at it first, and what has passed since. */
static int64_t virtual_ns(clockid_t id)
{
	static int64_t begin_ns[16];
	struct timespec t;

	if (!begin_ns[id] && real_clock(id, &t) == 0)
		begin_ns[id] = ns_of(&t) - *passed_ns;
	return begin_ns[id] + *passed_ns;
}

/* A time of 0 holds nobody. */
struct gate {
	volatile int64_t now_ns, until_ns;
};

static struct gate *gate(void)
{
	static struct gate none, *known;
	char path[PATH_MAX];

	if (known)
		return known;
	known = &none;
	snprintf(path, sizeof(path), "%s/gate", fake_root());
	int fd = real_open(path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return known;
	void *map = mmap(NULL, sizeof(*known), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	real_close(fd);
	if (map == MAP_FAILED)
		return known;
	known = map;
	if (known->until_ns < 0)
		known->until_ns = virtual_ns(CLOCK_MONOTONIC) - known->until_ns;
	return known;
}

static void pass_until(int64_t ns)
{
	struct gate *g = gate();
	int64_t now_ns = virtual_ns(CLOCK_MONOTONIC), until_ns = g->until_ns;

	if (until_ns && ns > until_ns)
		ns = until_ns;
	if (ns > now_ns)
		*passed_ns += ns - now_ns;
	g->now_ns = virtual_ns(CLOCK_MONOTONIC);
}

static bool is_held(void)
{
	return gate()->until_ns && virtual_ns(CLOCK_MONOTONIC) >= gate()->until_ns;
}

EXPORT int clock_gettime(clockid_t id, struct timespec *t)
{
	bool counts_waiting = id != CLOCK_PROCESS_CPUTIME_ID && id != CLOCK_THREAD_CPUTIME_ID;

	if (is_virtual() && counts_waiting && id >= 0 && id < 16) {
		*passed_ns += is_forked ? 0 : LOOK_NS;
		*t = timespec_of(virtual_ns(id));
	} else if (real_clock(id, t) < 0) {
		return -1;
	}
	if (id == CLOCK_BOOTTIME && *fake_root())
		*t = timespec_of(ns_of(t) + fake_tree_number("/suspended_ns", 0));
	return 0;
}

/* --- timers --- */

void fake_clocks_close(int fd)
{
	if (!fake_fd(fd))
		return;
	timers[fd].due_ns = 0;
	timers[fd].is_still = timers[fd].is_up = false;
}

bool fake_clocks_read(int fd, void *buf, size_t size)
{
	if (!fake_fd(fd) || !timers[fd].is_up || size < sizeof(uint64_t))
		return false;
	timers[fd].is_up = false;
	memcpy(buf, &(uint64_t){ 1 }, sizeof(uint64_t));
	return true;
}

static int set_real_timer(int fd, int flags, const struct itimerspec *t, struct itimerspec *old)
{
	return (int)syscall(SYS_timerfd_settime, fd, flags, t, old);
}

EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *t, struct itimerspec *old)
{
	static const struct itimerspec off;
	int64_t due_ns = ns_of(&t->it_value);

	if (!waits_by_itself() || !fake_fd(fd))
		return set_real_timer(fd, flags, t, old);
	if (due_ns && !(flags & TFD_TIMER_ABSTIME))
		due_ns += virtual_ns(CLOCK_MONOTONIC);
	timers[fd].due_ns = due_ns;
	timers[fd].interval_ns = ns_of(&t->it_interval);
	timers[fd].is_up = false;
	n_timers = fd < n_timers ? n_timers : fd + 1;
	if (timers[fd].is_still && !old)
		return 0;
	int r = set_real_timer(fd, 0, &off, old);
	timers[fd].is_still = r == 0;
	return r;
}

/* Its place among those that poll() waits for; -1: it is none of them. */
static int place_of(int fd, const struct pollfd *fds, nfds_t n)
{
	for (nfds_t i = 0; i < n; i++)
		if (fds[i].fd == fd && fds[i].events & POLLIN)
			return (int)i;
	return -1;
}

/* Lets the timers go off that are due; whether one of these is up. Of one that is watched in another way, the kernel is told. */
static bool let_go_off(const struct pollfd *fds, nfds_t n)
{
	const struct itimerspec at_once = { .it_value = { .tv_nsec = 1 } };
	int64_t now_ns = virtual_ns(CLOCK_MONOTONIC);
	bool any = false;

	for (int fd = 0; fd < n_timers; fd++) {
		bool is_due = timers[fd].due_ns && timers[fd].due_ns <= now_ns;

		if (!is_due && !timers[fd].is_up)
			continue;
		bool is_listed = place_of(fd, fds, n) >= 0;
		any = any || is_listed;
		if (!is_due)
			continue;
		timers[fd].due_ns = timers[fd].interval_ns ? now_ns + timers[fd].interval_ns : 0;
		timers[fd].is_up = is_listed;
		if (is_listed)
			continue;
		set_real_timer(fd, 0, &at_once, NULL);
		timers[fd].is_still = false;
	}
	return any;
}

/* Says so of those that are up; how many they are. */
static int show_timers(struct pollfd *fds, nfds_t n)
{
	int up = 0;

	for (int fd = 0; fd < n_timers; fd++) {
		int i = timers[fd].is_up ? place_of(fd, fds, n) : -1;

		if (i < 0)
			continue;
		up += !fds[i].revents;
		fds[i].revents |= POLLIN;
	}
	return up;
}

/* INT64_MAX: none is set. */
static int64_t next_due_ns(void)
{
	int64_t next_ns = INT64_MAX;

	for (int fd = 0; fd < n_timers; fd++)
		if (timers[fd].due_ns && timers[fd].due_ns < next_ns)
			next_ns = timers[fd].due_ns;
	return next_ns;
}

/* --- waiting --- */

static int real_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	struct timespec wait = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

	/* Arm has no poll. The size is that of the kernel's signal set. */
	return (int)syscall(SYS_ppoll, fds, n, timeout_ms < 0 ? NULL : &wait, NULL, 8);
}

/* The same where others may do something meanwhile. */
static int wait_for_others(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	int ready = real_poll(fds, n, timeout_ms);

	if (timeout_ms)
		fake_look_again();
	return ready;
}

/* Whether that is the one thing waited for; records go to and fro between a program and a process of its own. */
static bool is_answer(const struct pollfd *fds, nfds_t n)
{
	socklen_t size = sizeof(int);
	int type;

	return n == 1 && getsockopt(fds[0].fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	int64_t end_ns = INT64_MAX;

	if (fake_call("poll", 0, -1, ""))
		return -1;
	if (!waits_by_itself())
		return wait_for_others(fds, n, timeout_ms);
	if (is_answer(fds, n))
		while (!wait_for_others(fds, n, 20) && !fake_tree_number("/mali/hung", 0))
			;
	if (timeout_ms >= 0)
		end_ns = virtual_ns(CLOCK_MONOTONIC) + timeout_ms * NS_PER_MS;
	for (bool is_asked = false;; is_asked = true) {
		int64_t now_ns = virtual_ns(CLOCK_MONOTONIC), next_ns;
		bool is_up = let_go_off(fds, n);
		/* Of the others none was ready a moment ago. */
		int ready = is_asked && is_up ? 0 : wait_for_others(fds, n, is_up ? 0 : is_held());

		if (ready >= 0)
			ready += show_timers(fds, n);
		if (ready || now_ns >= end_ns)
			return ready;
		next_ns = next_due_ns();
		if (next_ns == INT64_MAX && end_ns == INT64_MAX)
			return wait_for_others(fds, n, -1);
		pass_until(next_ns < end_ns ? next_ns : end_ns);
	}
}

EXPORT int nanosleep(const struct timespec *t, struct timespec *left)
{
	if (!waits_by_itself()) {
		int r = (int)syscall(SYS_nanosleep, t, left);

		fake_look_again();
		return r;
	}
	*passed_ns += ns_of(t);
	return 0;
}

EXPORT int usleep(useconds_t us)
{
	return nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000L }, NULL);
}
