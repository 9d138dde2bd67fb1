/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders go through a socket, one at a time; what was counted comes through shared memory. */
#include "config.h"

#include "backends/mali/dump_sources.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/helper.h"

/* A dump takes well below a millisecond, and the loop may wait for 5. Counting takes longer to
 * start, which is waited for once, when the device is opened. At the end a process that has
 * answered its last order only needs its turn on a busy machine; one that has not hangs. */
#define DUMP_WAIT_MS 5
#define START_WAIT_MS 1000	/* a device that is late now is one of its clock for good */
#define END_WAIT_MS 200

enum { NOTHING, START, DUMP, STOP };

struct order {
	int64_t what;	/* wide, so that no byte is left out */
	int64_t now_ns;
};

/* Written by the process before it answers, read by rooftop after that. */
struct answer {
	bool good, has_cycles, is_owing;
	struct err err;
	struct mali_sums sums;
	int64_t window_ns;
};

struct dump_process {
	struct mali_dumper dumper;
	struct mali_dumper *inner;
	struct answer *answer;
	int socket;		/* -1: no process */
	pid_t pid;
	int asked;		/* the order that is not answered yet */
	bool started_before;
};

/* --- in the process --- */

static void obey(struct mali_dumper *d, const struct order *o, struct answer *a)
{
	if (o->what == START) {
		a->good = d->ops->start(d, o->now_ns, &a->err);
		a->has_cycles = d->has_cycles;
		a->is_owing = d->is_owing;
		return;
	}
	memset(&a->sums, 0, sizeof(a->sums));
	a->window_ns = 0;
	a->good = d->ops->dump(d, o->now_ns, &a->sums, &a->window_ns, &a->err);
}

static _Noreturn void serve(struct mali_dumper *d, struct answer *a, int socket)
{
	struct order o;
	ssize_t n;

	detached_begin("rooftop-counter", socket, -1);
	while ((n = recv(socket, &o, sizeof(o), 0)) == sizeof(o) || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		if (o.what == STOP) {
			mali_dumper_stop(d);
			continue;
		}
		obey(d, &o, a);
		send(socket, "", 1, MSG_NOSIGNAL);
	}
	mali_dumper_close(d);
	_exit(0);
}

/* --- in rooftop --- */

static bool begin(struct dump_process *p, struct err *err)
{
	int sockets[2];

	if (p->socket >= 0)
		return true;
	detached_reap();
	if (p->answer == NULL) {
		void *map = mmap(NULL, sizeof(*p->answer), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (map == MAP_FAILED)
			return err_sys(err, "cannot share memory with a child process");
		p->answer = map;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
		return err_sys(err, "cannot make a socket");
	p->pid = fork();
	if (p->pid == 0) {
		close(sockets[0]);
		serve(p->inner, p->answer, sockets[1]);
	}
	close(sockets[1]);
	if (p->pid < 0) {
		err_sys(err, "%s: cannot start the process that reads its counters",
			p->dumper.name);
		close(sockets[0]);
		return false;
	}
	p->socket = sockets[0];
	return true;
}

/* Returns true when the socket has something to read, or its other end is gone. */
static bool wait_for(const struct dump_process *p, int ms)
{
	struct pollfd fd = { .fd = p->socket, .events = POLLIN };

	return poll(&fd, 1, ms) > 0;
}

/* When a process was killed, what it owes is left to us and to the next process. */
static void reap(struct dump_process *p)
{
	int status = 0;

	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		p->inner->is_owing = false;
}

/* The end of the socket is the order to give everything back. A process that hangs in the driver
 * does it when that lets it go. */
static void end(struct dump_process *p)
{
	int64_t wait_ms = DUMP_WAIT_MS, left_ns;
	bool has_ended = false;
	char answer;

	if (p->socket < 0)
		return;
	if (p->asked == NOTHING)
		wait_ms = END_WAIT_MS;
	int64_t until_ns = clock_machine_ns() + wait_ms * NS_PER_MS;
	shutdown(p->socket, SHUT_WR);
	/* It is looked once at least, however late rooftop itself is: what a process that was killed
	 * owes stays ours. */
	do {
		left_ns = until_ns - clock_machine_ns();
		has_ended = wait_for(p, left_ns > 0 ? (int)(left_ns / NS_PER_MS) + 1 : 0) &&
			recv(p->socket, &answer, 1, MSG_DONTWAIT) <= 0;
	} while (!has_ended && left_ns > 0);
	if (has_ended) {
		reap(p);
	} else {
		/* What it owes is its own to give back. */
		detached_leave(p->pid);
		p->inner->is_owing = false;
	}
	close(p->socket);
	p->socket = -1;
	p->asked = NOTHING;
}

static bool lose(struct dump_process *p, struct err *err)
{
	end(p);
	err_set(err, ERR_SYS, "%s: the process that reads its counters has ended",
		p->dumper.name);
	return err_hint(err, "%s",
		"it is started again by itself; sudo dmesg tells whether the kernel ended it");
}

static bool ask(struct dump_process *p, int what, int64_t now_ns, struct err *err)
{
	struct order o = { .what = what, .now_ns = now_ns };

	if (send(p->socket, &o, sizeof(o), MSG_NOSIGNAL) != sizeof(o))
		return lose(p, err);
	if (what != STOP)	/* which is not answered */
		p->asked = what;
	return true;
}

/* Returns true when the answer is there, or when it is late and comes another time. */
static bool take_answer(struct dump_process *p, int wait_ms, struct err *err)
{
	char c;

	p->dumper.is_late = !wait_for(p, wait_ms);
	if (p->dumper.is_late)
		return true;
	if (recv(p->socket, &c, 1, MSG_DONTWAIT) != 1)
		return lose(p, err);
	p->asked = NOTHING;
	p->inner->is_owing = p->answer->is_owing;
	if (!p->answer->good && err)
		*err = p->answer->err;
	return p->answer->good;
}

static bool process_start(struct mali_dumper *d, int64_t now_ns, struct err *err)
{
	struct dump_process *p = (struct dump_process *)d;
	bool is_first = !p->started_before;
	int wait_ms = 0;

	p->started_before = true;
	if (!begin(p, err))
		return false;
	if (p->asked == NOTHING) {
		if (!ask(p, START, now_ns, err))
			return false;
		wait_ms = is_first ? START_WAIT_MS : DUMP_WAIT_MS;
	}
	if (!take_answer(p, wait_ms, err) || d->is_late)
		return false;
	d->has_cycles = p->answer->has_cycles;
	return true;
}

static bool process_dump(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
	int64_t *window_ns, struct err *err)
{
	struct dump_process *p = (struct dump_process *)d;

	/* One that is late has the same time once more, because it may not have had its turn. */
	if (p->asked == NOTHING && !ask(p, DUMP, now_ns, err))
		return false;
	if (!take_answer(p, DUMP_WAIT_MS, err))
		return false;
	if (d->is_late)
		return true;
	mali_sums_add(sums, &p->answer->sums);
	*window_ns += p->answer->window_ns;
	return true;
}

static void process_stop(struct mali_dumper *d)
{
	struct dump_process *p = (struct dump_process *)d;

	if (p->socket >= 0)
		ask(p, STOP, 0, NULL);
}

static void process_close(struct mali_dumper *d)
{
	struct dump_process *p = (struct dump_process *)d;

	detached_reap();
	end(p);
	if (p->answer)
		munmap(p->answer, sizeof(*p->answer));
	mali_dumper_close(p->inner);
}

static const struct mali_dumper_ops process_ops = {
	.size = sizeof(struct dump_process),
	.start = process_start, .dump = process_dump, .stop = process_stop, .close = process_close,
};

struct mali_dumper *mali_dump_process(struct mali_dumper *inner, const char *name)
{
	struct dump_process *p = mali_dumper_new(&process_ops, inner->how);

	p->dumper = *inner;
	p->dumper.ops = &process_ops;
	snprintf(p->dumper.name, sizeof(p->dumper.name), "%.31s", name);
	p->inner = inner;
	p->socket = -1;
	return &p->dumper;
}
