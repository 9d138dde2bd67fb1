/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The child process that gives registers back. */
#include "config.h"

#include "backends/intel/i915/mmio.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/helper.h"
#include "base/mem.h"

/* A programming has fewer than 100 registers that can be read back (data/oa). */
#define MAX_UNDO 256

struct undo {
	uint32_t address, before;
	/* the last two values written; it is unknown whether a second write was done */
	uint32_t ours, earlier;
	bool always;
	bool idle;	/* given back already; it may be borrowed again */
};

/* The two processes share this list. An entry is complete before it is counted, and counted before
 * the register is written. */
struct undo_list {
	atomic_uint n;
	atomic_bool done;
	struct undo entries[MAX_UNDO];
};

struct mmio_guard {
	struct mmio *mmio;
	struct undo_list *list;
	int pipe;	/* when it ends, the child starts */
	pid_t child;
};

static void undo_all(struct mmio *m, struct undo_list *l)
{
	for (unsigned i = atomic_load(&l->n); i-- > 0;) {
		const struct undo *u = &l->entries[i];

		if (u->idle)
			continue;
		uint32_t now = u->always ? 0 : mmio_read(m, u->address);

		if (u->always || now == u->ours || now == u->earlier)
			mmio_write(m, u->address, u->before);
	}
	atomic_store(&l->done, true);
}

/* awake keeps the GPU awake until its registers are given back. */
static _Noreturn void guard(struct mmio *m, struct undo_list *l, int fd, int awake)
{
	char c;

	detached_begin("rooftop-guard", fd, awake);
	while (read(fd, &c, 1) < 0 && errno == EINTR)
		;
	undo_all(m, l);
	_exit(0);
}

struct mmio_guard *mmio_guard_start(struct mmio *m, int awake, struct err *err)
{
	struct undo_list *l = mmap(
		NULL, sizeof(*l), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fds[2];

	if (l == MAP_FAILED) {
		err_sys(err, "cannot share memory with a child process");
		return NULL;
	}
	if (pipe2(fds, O_CLOEXEC) < 0) {
		err_sys(err, "cannot make a pipe");
		munmap(l, sizeof(*l));
		return NULL;
	}
	if (awake < 0 && mmio_awake(m, NULL))
		awake = mmio_awake(m, NULL)->pipe;
	pid_t pid = fork();
	if (pid == 0) {
		close(fds[1]);
		guard(m, l, fds[0], awake);
	}
	close(fds[0]);
	if (pid < 0) {
		err_sys(err, "cannot start the process that gives registers back");
		close(fds[1]);
		munmap(l, sizeof(*l));
		return NULL;
	}
	struct mmio_guard *g = xcalloc(1, sizeof(*g));
	*g = (struct mmio_guard){ .mmio = m, .list = l, .pipe = fds[1], .child = pid };
	return g;
}

static void append(struct mmio_guard *g, const struct undo *u)
{
	unsigned n = atomic_load(&g->list->n);

	assert(n < MAX_UNDO);
	g->list->entries[n] = *u;
	atomic_store(&g->list->n, n + 1);
}

static struct undo *find(const struct mmio_guard *g, uint32_t address, bool always)
{
	for (unsigned i = 0; i < atomic_load(&g->list->n); i++)
		if (g->list->entries[i].address == address && g->list->entries[i].always == always)
			return &g->list->entries[i];
	return NULL;
}

void mmio_guard_borrow(struct mmio_guard *g, uint32_t address, uint32_t before, uint32_t value)
{
	struct undo *u = find(g, address, false);

	if (!u) {
		append(g, &(struct undo){ .address = address, .idle = true });
		u = find(g, address, false);
	}
	/* The guard looks at an entry that is idle only when the rest of it is there. */
	if (u->idle) {
		u->before = before;
		u->ours = u->earlier = value;
	} else {
		u->earlier = u->ours;
		atomic_thread_fence(memory_order_seq_cst);
		u->ours = value;
	}
	atomic_thread_fence(memory_order_seq_cst);
	u->idle = false;
	atomic_thread_fence(memory_order_seq_cst);
	mmio_write(g->mmio, address, value);
}

void mmio_guard_return(struct mmio_guard *g, uint32_t address)
{
	struct undo *u = find(g, address, false);

	if (!u || u->idle)
		return;
	if (mmio_read(g->mmio, address) == u->ours)
		mmio_write(g->mmio, address, u->before);
	atomic_thread_fence(memory_order_seq_cst);
	u->idle = true;
}

void mmio_guard_write(struct mmio_guard *g, uint32_t address, uint32_t value)
{
	struct undo *known = find(g, address, false);

	if (known) {
		known->earlier = known->ours;
		atomic_thread_fence(memory_order_seq_cst);
		known->ours = value;
		atomic_thread_fence(memory_order_seq_cst);
	} else {
		append(g,
			&(struct undo){ .address = address,
				.before = mmio_read(g->mmio, address),
				.ours = value,
				.earlier = value });
	}
	mmio_write(g->mmio, address, value);
}

void mmio_guard_at_end(struct mmio_guard *g, uint32_t address, uint32_t value)
{
	if (!find(g, address, true))
		append(g, &(struct undo){ .address = address, .before = value, .always = true });
}

void mmio_guard_end(struct mmio_guard *g)
{
	if (!g)
		return;
	close(g->pipe);
	while (waitpid(g->child, NULL, 0) < 0 && errno == EINTR)
		;
	if (!atomic_load(&g->list->done))
		undo_all(g->mmio, g->list);
	munmap(g->list, sizeof(*g->list));
	free(g);
}
