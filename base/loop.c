/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one poll loop. */
#include "config.h"

#include "base/loop.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/call_watch.h"
#include "base/clock.h"
#include "base/ending.h"
#include "base/mem.h"
#include "base/outlet.h"

struct slot {
	int fd;			/* -1: it was removed and is dropped after the round */
	short events;
	loop_fd_fn *fn;
	void *ctx;
};

/* A timer and its receiver. fd is -1 until it is first needed, and fn is NULL when the timer is
 * free. */
struct ticker {
	int fd;
	loop_tick_fn *fn;
	void *ctx;
};

/* pollfds[0] is the signalfd; the timers follow it, and the slots follow these. */
struct loop {
	struct slot *slots;
	struct pollfd *pollfds;
	size_t count, cap, poll_cap;
	int signal_fd;
	struct ticker *tickers;
	size_t n_tickers, ticker_cap;
	sigset_t old_mask;
	struct sigaction old_pipe;
	loop_signal_fn *signal;
	void *signal_ctx;
	bool by_kernel;		/* the signal that is being handled */
	bool stop, in_round;
};

static bool ticker_open(struct ticker *t, struct err *err)
{
	if (t->fd < 0)
		t->fd = clock_timer_open();
	if (t->fd >= 0)
		return true;
	err_sys(err, "cannot create a timer");
	return err_hint(err, "'ulimit -n' says how many descriptors this process may have");
}

static struct ticker *add_ticker(struct loop *l)
{
	l->tickers = array_grow(l->tickers, l->n_tickers, &l->ticker_cap, sizeof(*l->tickers));
	l->tickers[l->n_tickers] = (struct ticker){ .fd = -1 };
	return &l->tickers[l->n_tickers++];
}

struct loop *loop_new(const int *signals, struct err *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct loop *l = xcalloc(1, sizeof(*l));
	sigset_t mask;

	sigemptyset(&mask);
	for (; *signals; signals++)
		if (!ending_is_ignored(*signals))
			sigaddset(&mask, *signals);
	l->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (l->signal_fd < 0) {
		err_sys(err, "cannot create the event loop");
		goto fail;
	}
	add_ticker(l);
	if (!ticker_open(&l->tickers[0], err))
		goto fail;
	sigprocmask(SIG_BLOCK, &mask, &l->old_mask);
	sigaction(SIGPIPE, &ignore, &l->old_pipe);
	return l;
fail:
	if (l->signal_fd >= 0)
		close(l->signal_fd);
	free(l->tickers);
	free(l);
	return NULL;
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	sigaction(SIGPIPE, &l->old_pipe, NULL);
	sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
	close(l->signal_fd);
	for (size_t i = 0; i < l->n_tickers; i++)
		if (l->tickers[i].fd >= 0)
			close(l->tickers[i].fd);
	free(l->tickers);
	free(l->slots);
	free(l->pollfds);
	free(l);
}

void loop_add_fd(struct loop *l, int fd, short events, loop_fd_fn *fn, void *ctx)
{
	if (fd < 0)
		return;
	/* It never reuses a slot: what poll has just reported for a closed fd is not meant for a
	 * new one of the same number. */
	loop_remove_fd(l, fd);
	l->slots = array_grow(l->slots, l->count, &l->cap, sizeof(*l->slots));
	l->slots[l->count++] = (struct slot){ .fd = fd, .events = events, .fn = fn, .ctx = ctx };
}

/* Outside a round this is done at once, inside one when it ends, so that indices do not change. */
static void drop_removed(struct loop *l)
{
	size_t kept = 0;

	if (l->in_round)
		return;
	for (size_t i = 0; i < l->count; i++) {
		if (l->slots[i].fd >= 0)
			l->slots[kept++] = l->slots[i];
	}
	l->count = kept;
}

void loop_remove_fd(struct loop *l, int fd)
{
	for (size_t i = 0; fd >= 0 && i < l->count; i++) {
		if (l->slots[i].fd != fd)
			continue;
		l->slots[i].fd = -1;
		drop_removed(l);
		return;
	}
}

static void on_writable(void *ctx, int fd, short revents)
{
	struct outlet *o = ctx;

	(void)fd;
	(void)revents;
	outlet_push(o);
	if (outlet_waiting(o) == 0 && o->emptied)
		o->emptied(o->ctx);
}

static void watch_outlet(struct outlet *o, bool wanted)
{
	if (wanted)
		loop_add_fd(o->loop, o->fd, POLLOUT, on_writable, o);
	else
		loop_remove_fd(o->loop, o->fd);
}

void loop_watch_outlet(struct loop *l, struct outlet *o)
{
	outlet_watch(o, l ? watch_outlet : NULL, l);
}

/* Returns the timer that ticks for ctx, else a free one, else a new one. */
static struct ticker *find_ticker(struct loop *l, const void *ctx)
{
	struct ticker *free_one = NULL;

	for (size_t i = l->n_tickers; i-- > 0;) {
		struct ticker *t = &l->tickers[i];

		if (t->fn && t->ctx == ctx)
			return t;
		if (!t->fn)
			free_one = t;
	}
	if (!free_one)
		free_one = add_ticker(l);
	return free_one;
}

bool loop_set_tick(struct loop *l, int64_t period_ns, loop_tick_fn *fn, void *ctx, struct err *err)
{
	struct ticker *t = find_ticker(l, ctx);

	if (period_ns < 0)
		period_ns = 0;
	if (!ticker_open(t, err))
		return false;
	if (!clock_timer_set(t->fd, period_ns, period_ns))
		return err_sys(err, "cannot set the timer");
	t->fn = period_ns ? fn : NULL;
	t->ctx = ctx;
	return true;
}

void loop_on_signal(struct loop *l, loop_signal_fn *fn, void *ctx)
{
	l->signal = fn;
	l->signal_ctx = ctx;
}

bool loop_signal_by_kernel(const struct loop *l)
{
	return l->by_kernel;
}

static void dispatch_fds(struct loop *l, const struct pollfd *pollfds, size_t polled)
{
	for (size_t i = 0; i < polled && !l->stop; i++) {
		struct slot slot = l->slots[i];
		short revents = pollfds[i].revents;

		if (slot.fd < 0 || !revents)
			continue;
		slot.fn(slot.ctx, slot.fd, revents);
		/* Its owner closed it without telling us, and poll would report it for ever. */
		if (revents & POLLNVAL)
			l->slots[i].fd = -1;
	}
}

static void dispatch_tick(struct loop *l, size_t i)
{
	const struct ticker *t = &l->tickers[i];
	uint64_t expired;

	/* A callback may have set the timer again meanwhile; then there is nothing to read. */
	if (l->stop || read(t->fd, &expired, sizeof(expired)) != (ssize_t)sizeof(expired) ||
		!expired)
		return;
	if (t->fn)
		t->fn(t->ctx, expired - 1);
}

bool loop_once(struct loop *l, int timeout_ms, struct err *err)
{
	size_t polled = l->count, ticking = l->n_tickers, all = 1 + ticking + polled;
	struct signalfd_siginfo info;

	assert(!l->in_round);
	while (l->poll_cap < all)
		l->pollfds = array_grow(l->pollfds, l->poll_cap, &l->poll_cap, sizeof(*l->pollfds));
	struct pollfd *fds = l->pollfds;
	fds[0] = (struct pollfd){ .fd = l->signal_fd, .events = POLLIN };
	for (size_t i = 0; i < ticking; i++)
		fds[1 + i] = (struct pollfd){ .fd = l->tickers[i].fd, .events = POLLIN };
	for (size_t i = 0; i < polled; i++)
		fds[1 + ticking + i] = (struct pollfd){ .fd = l->slots[i].fd,
			.events = l->slots[i].events };
	int n = call_poll(fds, 1 + ticking, all, timeout_ms);
	if (n < 0)
		return errno == EINTR || err_sys(err, "cannot wait for events");
	l->in_round = true;
	while (fds[0].revents && !l->stop &&
		read(l->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		l->by_kernel = info.ssi_code == SI_KERNEL;
		ending_take((int)info.ssi_signo);
		if (l->signal)
			l->signal(l->signal_ctx, (int)info.ssi_signo);
	}
	dispatch_fds(l, fds + 1 + ticking, polled);
	/* Ticks come last, so that they see what the file descriptors brought. */
	for (size_t i = 0; i < ticking; i++)
		if (fds[1 + i].revents)
			dispatch_tick(l, i);
	l->in_round = false;
	drop_removed(l);
	return true;
}

bool loop_run(struct loop *l, struct err *err)
{
	bool good = true;

	while (!l->stop && good)
		good = loop_once(l, -1, err);
	l->stop = false;
	return good;
}

void loop_stop(struct loop *l)
{
	l->stop = true;
}
