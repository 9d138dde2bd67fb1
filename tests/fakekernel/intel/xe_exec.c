/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues, batches and fences of the fake xe. Order of checks: Linux 6.12 drivers/gpu/drm/xe/xe_exec_queue.c, xe_exec.c, xe_sync.c,
 * xe_wait_user_fence.c. A batch runs in the call that submits it; a queue whose batch hangs is banned. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/streamer.h"
#include "tests/fakekernel/syncobj.h"
#include "tests/fakekernel/intel/xe.h"
#include "tests/fakekernel/intel/xe_oa_map.h"
#include "tests/fakekernel/intel/xe_submit.h"

#define MAX_QUEUES 256
#define MAX_SYNCS 1024
#define CLASS_BIND 5	/* a queue of binds, no engine */
#define MAX_PROPERTIES 16
#define LAST_PROPERTY 2

static struct queue {
	int file;
	uint32_t id;		/* 0: free */
	uint32_t vm;
	struct xe_engine_instance engine;
	bool is_banned;
} queues[MAX_QUEUES];

static struct queue *queue_of(int file, uint64_t id)
{
	for (int i = 0; id && i < MAX_QUEUES; i++)
		if (queues[i].id == id && queues[i].file == file)
			return &queues[i];
	return NULL;
}

const struct xe_engine_instance *fake_xe_queue_engine(int file, uint64_t id)
{
	const struct queue *q = queue_of(file, id);

	return q ? &q->engine : NULL;
}

void fake_xe_queues_close(int file)
{
	for (int i = 0; i < MAX_QUEUES; i++)
		if (queues[i].file == file)
			queues[i] = (struct queue){ .id = 0 };
}

/* --- fences --- */

int fake_xe_syncs_check(int file, uint64_t syncs, uint64_t n)
{
	const struct xe_sync *s = (const void *)(uintptr_t)syncs;
	int fences = 0;

	if (n > MAX_SYNCS || (n && !syncs))
		return EINVAL;
	if (n && !fake_is_memory(syncs, n * sizeof(*s)))
		return EFAULT;
	for (uint64_t i = 0; i < n; i++) {
		bool signals = s[i].flags & XE_SYNC_SIGNALS;

		if (s[i].flags & ~XE_SYNC_SIGNALS || s[i].reserved[0] || s[i].reserved[1] ||
			s[i].type > XE_SYNC_USER_FENCE)
			return EINVAL;
		if (s[i].type == XE_SYNC_USER_FENCE) {
			if (!signals)
				return EOPNOTSUPP;
			if (s[i].address & 7 || fences++)
				return EINVAL;
			continue;
		}
		if (!fake_syncobj_exists(file, s[i].handle))
			return ENOENT;
		if (s[i].type == XE_SYNC_TIMELINE && signals && !s[i].point)
			return EINVAL;
		/* what nobody has submitted can be waited for by no batch */
		if (!signals &&
			!fake_syncobj_is_signaled(file, s[i].handle,
				s[i].type == XE_SYNC_TIMELINE ? s[i].point : 0))
			return EINVAL;
	}
	return 0;
}

/* A fence of a batch lies in the VM, any other in the program's memory. */
static void signal_user(int file, uint32_t vm, const struct xe_sync *s)
{
	void *at = (void *)(uintptr_t)s->address;

	if (vm)
		at = fake_xe_vm_memory(file, vm, s->address, sizeof(s->point));
	else if (!fake_is_memory(s->address, sizeof(s->point)))
		at = NULL;
	if (at)
		memcpy(at, &s->point, sizeof(s->point));
}

void fake_xe_syncs_signal(int file, uint32_t vm, uint64_t syncs, uint64_t n)
{
	const struct xe_sync *s = (const void *)(uintptr_t)syncs;

	for (uint64_t i = 0; i < n; i++) {
		if (!(s[i].flags & XE_SYNC_SIGNALS))
			continue;
		if (s[i].type == XE_SYNC_USER_FENCE)
			signal_user(file, vm, &s[i]);
		else
			fake_syncobj_signal(file, s[i].handle,
				s[i].type == XE_SYNC_TIMELINE ? s[i].point : 0);
	}
}

static bool is_met(const struct xe_wait *w)
{
	uint64_t now = *(const volatile uint64_t *)(uintptr_t)w->address & w->mask,
		 want = w->value & w->mask;

	switch (w->op) {
	case 0:
		return now == want;
	case 1:
		return now != want;
	case 2:
		return now > want;
	case 3:
		return now >= want;
	case 4:
		return now < want;
	default:
		return now <= want;
	}
}

static int64_t clock_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* Another process may write there. */
static int wait_user(int file, const struct xe_wait *w)
{
	int64_t deadline_ns = w->timeout_ns;

	if (w->extensions || w->pad || w->pad2 || w->reserved[0] || w->reserved[1] ||
		w->flags & ~1u || w->op > 5 || w->address & 7)
		return fake_fail(EINVAL);
	if (w->queue && !queue_of(file, w->queue))
		return fake_fail(ENOENT);
	if (!fake_is_memory(w->address, sizeof(w->value)))
		return fake_fail(EFAULT);
	if (!(w->flags & 1) && deadline_ns < INT64_MAX / 2)
		deadline_ns += clock_now_ns();
	while (!is_met(w)) {
		if (w->queue && queue_of(file, w->queue)->is_banned)
			return fake_fail(EIO);
		if (clock_now_ns() >= deadline_ns)
			return fake_fail(ETIME);
		nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
	}
	return 0;
}

/* --- queues --- */

static bool is_engine(const struct xe_engine_instance *e)
{
	size_t n;
	const struct xe_engine_instance *all = fake_xe_engines(&n);

	for (size_t i = 0; i < n; i++)
		if (all[i].engine_class == e->engine_class && all[i].instance == e->instance &&
			all[i].gt_id == e->gt_id)
			return true;
	return e->engine_class == CLASS_BIND;
}

/* Priority, time slice and protection, which change nothing here. 0, or an errno. */
static int check_properties(uint64_t chain)
{
	const struct xe_property *p;

	for (int i = 0; chain; i++, chain = p->next) {
		p = (const struct xe_property *)(uintptr_t)chain;
		if (i >= MAX_PROPERTIES)
			return E2BIG;
		if (!fake_is_memory(chain, sizeof(*p)))
			return EFAULT;
		if (p->name || p->pad || p->pad2 || p->property > LAST_PROPERTY)
			return EINVAL;
	}
	return 0;
}

static int create_queue(int file, struct xe_queue_create *c)
{
	const struct xe_engine_instance *e = (const void *)(uintptr_t)c->instances;
	size_t n = (size_t)c->width * c->n_placements;
	uint32_t id = 1;

	if (c->flags & ~1u || c->reserved[0] || c->reserved[1] || !n || n > 9)
		return fake_fail(EINVAL);
	if (!fake_is_memory(c->instances, n * sizeof(*e)))
		return fake_fail(EFAULT);
	if (check_properties(c->extensions))
		return fake_fail(check_properties(c->extensions));
	for (size_t i = 0; i < n; i++)
		if (!is_engine(&e[i]) || (e[i].engine_class == CLASS_BIND && n > 1))
			return fake_fail(EINVAL);
	if (!fake_xe_has_vm(file, c->vm))
		return fake_fail(ENOENT);
	while (queue_of(file, id))
		id++;
	for (int i = 0; i < MAX_QUEUES; i++)
		if (!queues[i].id) {
			queues[i] = (struct queue){
				.file = file, .id = id, .vm = c->vm, .engine = e[0]
			};
			c->id = id;
			return 0;
		}
	return fake_fail(ENOMEM);
}

static int destroy_queue(int file, const struct xe_destroy *d)
{
	struct queue *q = queue_of(file, d->id);

	if (d->pad || d->reserved[0] || d->reserved[1])
		return fake_fail(EINVAL);
	if (!q)
		return fake_fail(ENOENT);
	*q = (struct queue){ .id = 0 };
	return 0;
}

static int get_property(int file, struct xe_queue_property *p)
{
	const struct queue *q = queue_of(file, p->id);

	if (p->reserved[0] || p->reserved[1] || p->property)
		return fake_fail(EINVAL);
	if (!q)
		return fake_fail(ENOENT);
	p->value = q->is_banned;
	return 0;
}

/* --- batches --- */

static uint8_t *memory_of(const void *space, uint64_t address, size_t n)
{
	const struct queue *q = space;

	return fake_xe_vm_memory(q->file, q->vm, address, n);
}

static int submit(int file, const struct xe_exec *e)
{
	struct queue *q = queue_of(file, e->queue);
	int error;

	if (e->extensions || e->pad[0] || e->pad[1] || e->pad[2] || e->reserved[0] || e->reserved[1])
		return fake_fail(EINVAL);
	if (!q)
		return fake_fail(ENOENT);
	/* queues of several batches at once are not played */
	if (q->engine.engine_class == CLASS_BIND || e->n_batches > 1)
		return fake_fail(EINVAL);
	if (q->is_banned)
		return fake_fail(ECANCELED);
	error = fake_xe_syncs_check(file, e->syncs, e->n_syncs);
	if (error)
		return fake_fail(error);
	fake_units_hold();
	if (e->n_batches)
		q->is_banned = !fake_batch_run(
			&(struct fake_batch){ .memory = memory_of, .space = q, .context = q->id },
			e->address);
	fake_units_release();
	fake_xe_syncs_signal(file, q->vm, e->syncs, e->n_syncs);
	return 0;
}

bool fake_xe_exec_ioctl(int file, unsigned long request, void *arg, int *result)
{
	switch (request) {
	case XE_IOCTL_QUEUE_CREATE:
		*result = create_queue(file, arg);
		return true;
	case XE_IOCTL_QUEUE_DESTROY:
		*result = destroy_queue(file, arg);
		return true;
	case XE_IOCTL_QUEUE_PROPERTY:
		*result = get_property(file, arg);
		return true;
	case XE_IOCTL_EXEC:
		*result = submit(file, arg);
		return true;
	case XE_IOCTL_WAIT:
		*result = wait_user(file, arg);
		return true;
	default:
		return false;
	}
}
