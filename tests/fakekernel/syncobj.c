/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order of checks: Linux 6.12 drivers/gpu/drm/drm_syncobj.c. An object that has no fence, or a timeline that is not at the point, will
 * never be signalled while the only program that could do it waits, so waiting ends at its deadline. */
#include "config.h"

#include "tests/fakekernel/syncobj.h"

#include <drm.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"

#define PLACES 256

/* Handles are places in a table that grows, because programs make one for each batch; 0 is none. */
static struct syncobj {
	bool exists, has_fence;
	int file;		/* descriptor of the node whose object it is */
	uint64_t point;
} *syncobjs;
static uint32_t n_places;

static struct syncobj *find(int file, uint32_t handle)
{
	return handle && handle < n_places && syncobjs[handle].exists && syncobjs[handle].file == file
		? &syncobjs[handle]
		: NULL;
}

bool fake_syncobj_exists(int file, uint32_t handle)
{
	return find(file, handle) != NULL;
}

bool fake_syncobj_is_signaled(int file, uint32_t handle, uint64_t point)
{
	const struct syncobj *s = find(file, handle);

	return s && s->has_fence && s->point >= point;
}

void fake_syncobj_signal(int file, uint32_t handle, uint64_t point)
{
	struct syncobj *s = find(file, handle);

	if (!s)
		return;
	s->has_fence = true;
	if (point > s->point)
		s->point = point;
}

void fake_syncobjs_close(int file)
{
	for (uint32_t i = 1; i < n_places; i++)
		if (syncobjs[i].file == file)
			syncobjs[i].exists = false;
}

static int create(int file, struct drm_syncobj_create *c)
{
	uint32_t handle = 1;

	if (c->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
		return fake_fail(EINVAL);
	while (handle < n_places && syncobjs[handle].exists)
		handle++;
	if (handle >= n_places) {
		syncobjs = xreallocarray(syncobjs, n_places + PLACES, sizeof(*syncobjs));
		memset(syncobjs + n_places, 0, PLACES * sizeof(*syncobjs));
		n_places += PLACES;
	}
	syncobjs[handle] =
		(struct syncobj){ .exists = true, .file = file, .has_fence = c->flags != 0 };
	c->handle = handle;
	return 0;
}

static int destroy(int file, const struct drm_syncobj_destroy *d)
{
	struct syncobj *s = find(file, d->handle);

	if (d->pad || !s)
		return fake_fail(EINVAL);
	s->exists = false;
	return 0;
}

/* Handles and points of an array of the program's. False with errno. */
static bool are_there(int file, uint64_t handles, uint64_t points, uint32_t n)
{
	const uint32_t *h = (const void *)(uintptr_t)handles;

	errno = EINVAL;
	if (!n)
		return false;
	errno = EFAULT;
	if (!fake_is_memory(handles, n * sizeof(*h)) ||
		(points && !fake_is_memory(points, n * sizeof(uint64_t))))
		return false;
	errno = ENOENT;
	for (uint32_t i = 0; i < n; i++)
		if (!find(file, h[i]))
			return false;
	return true;
}

static int set_all(int file, const struct drm_syncobj_array *a, bool signals)
{
	const uint32_t *h = (const void *)(uintptr_t)a->handles;

	if (a->pad)
		return fake_fail(EINVAL);
	if (!are_there(file, a->handles, 0, a->count_handles))
		return -1;
	for (uint32_t i = 0; i < a->count_handles; i++) {
		struct syncobj *s = find(file, h[i]);

		s->has_fence = signals;
		s->point = 0;
	}
	return 0;
}

static int signal_points(int file, const struct drm_syncobj_timeline_array *a)
{
	const uint32_t *h = (const void *)(uintptr_t)a->handles;
	const uint64_t *points = (const void *)(uintptr_t)a->points;

	if (a->flags)
		return fake_fail(EINVAL);
	if (!are_there(file, a->handles, a->points, a->count_handles))
		return -1;
	for (uint32_t i = 0; i < a->count_handles; i++)
		fake_syncobj_signal(file, h[i], points ? points[i] : 0);
	return 0;
}

static int query_points(int file, const struct drm_syncobj_timeline_array *a)
{
	const uint32_t *h = (const void *)(uintptr_t)a->handles;
	uint64_t *points = (void *)(uintptr_t)a->points;

	if (!are_there(file, a->handles, a->points, a->count_handles))
		return -1;
	for (uint32_t i = 0; points && i < a->count_handles; i++)
		points[i] = find(file, h[i])->point;
	return 0;
}

static void sleep_until(int64_t deadline_ns)
{
	struct timespec t = { (time_t)(deadline_ns / NS_PER_S), (long)(deadline_ns % NS_PER_S) };

	if (deadline_ns > 0)
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
			continue;
}

/* Both waits begin with the same members, but for the points. */
struct wait {
	uint64_t handles, points;
	int64_t deadline_ns;
	uint32_t n, flags;
	uint32_t *first;
};

static int wait_for(int file, const struct wait *w)
{
	const uint32_t *h = (const void *)(uintptr_t)w->handles;
	const uint64_t *points = (const void *)(uintptr_t)w->points;
	uint32_t done = 0;

	if (!are_there(file, w->handles, w->points, w->n))
		return -1;
	for (uint32_t i = 0; i < w->n; i++) {
		if (fake_syncobj_is_signaled(file, h[i], points ? points[i] : 0)) {
			if (done++ == 0)
				*w->first = i;
		} else if (!find(file, h[i])->has_fence &&
			!(w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)) {
			return fake_fail(EINVAL);
		}
	}
	if (done == w->n || (done && !(w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)))
		return 0;
	sleep_until(w->deadline_ns);
	return fake_fail(ETIME);
}

bool fake_syncobj_ioctl(int file, unsigned long request, void *arg, int *result)
{
	struct drm_syncobj_wait *w = arg;
	struct drm_syncobj_timeline_wait *t = arg;

	/* by number, because newer kernels added members at the end of the waits */
	switch (_IOC_TYPE(request) == 'd' ? _IOC_NR(request) : 0) {
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
		*result = create(file, arg);
		return true;
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
		*result = destroy(file, arg);
		return true;
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
		*result = set_all(file, arg, false);
		return true;
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
		*result = set_all(file, arg, true);
		return true;
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
		*result = signal_points(file, arg);
		return true;
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
		*result = query_points(file, arg);
		return true;
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
		*result = wait_for(file, &(struct wait){ w->handles, 0, w->timeout_nsec,
			w->count_handles, w->flags, &w->first_signaled });
		return true;
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
		*result = wait_for(file, &(struct wait){ t->handles, t->points, t->timeout_nsec,
			t->count_handles, t->flags, &t->first_signaled });
		return true;
	default:
		return false;
	}
}
