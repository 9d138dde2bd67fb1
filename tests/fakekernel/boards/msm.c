/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake msm with its stream of counters. Order of checks: Linux drivers/gpu/drm/msm/msm_perfcntr.c.
 *
 * Own files of the tree, below msm/: chip (its id), max_hz, groups: "NAME COUNTERS RESERVED" of each group
 * (no file: a kernel that knows no counters of this GPU), rates: "GROUP COUNTABLE PER_SECOND", suspends: "FROM_MS
 * TO_MS" after the opening of the stream in which the GPU sleeps, old (1: a kernel without the ioctl).
 * A stream is a timerfd, so that poll() needs no help, and its ring is as large as it was asked for: what
 * is read ends where the ring ends. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "backends/adreno/msm_uapi.h"
#include "tests/fakekernel/boards/board_files.h"
#include "tests/fakekernel/drm_version.h"
#include "tests/fakekernel/fake.h"

#define COUNTERS_MAX 128
#define GROUPS_MAX 64

struct stream {
	int lock;
	double opened_s, period_s;
	uint64_t next;			/* number of the next sample to be made */
	uint32_t number;		/* that it will carry */
	int n;
	double rates[COUNTERS_MAX];
	uint8_t *ring;
	size_t size, head, tail, sample_bytes;
};

static int get_param(struct msm_param *p)
{
	char text[32];

	if (p->pipe != MSM_PIPE_3D || p->len)
		return board_fail(EINVAL);
	switch (p->param) {
	case MSM_CHIP_ID:
		if (!fake_tree_read("/msm/chip", text, sizeof(text)))
			return board_fail(ENXIO);
		p->value = strtoull(text, NULL, 16);
		return 0;
	case MSM_MAX_FREQ:
		p->value = (uint64_t)fake_tree_number("/msm/max_hz", 0);
		return 0;
	default:
		return board_fail(EINVAL);
	}
}

/* Counters of a group, and how many programs have reserved; false: no such group. */
static bool find_group(const char *name, uint32_t *counters, uint32_t *reserved)
{
	FILE *f = board_file("/msm/groups");
	char line[64], word[17];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%16s %u %u", word, counters, reserved) == 3 && !strcmp(word, name);
	if (f)
		fclose(f);
	return found;
}

static uint32_t n_groups(void)
{
	FILE *f = board_file("/msm/groups");
	char line[64];
	uint32_t n = 0;

	while (f && fgets(line, sizeof(line), f))
		n++;
	if (f)
		fclose(f);
	return n;
}

static double rate_of(const char *group, uint32_t countable)
{
	FILE *f = board_file("/msm/rates");
	char line[96], word[17];
	unsigned number;
	double rate, found = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%16s %u %lf", word, &number, &rate) == 3 && !strcmp(word, group) &&
			number == countable)
			found = rate;
	if (f)
		fclose(f);
	return found;
}

static bool sleeps_at(double since_s)
{
	FILE *f = board_file("/msm/suspends");
	char line[64];
	double from, to;
	bool sleeps = false;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lf %lf", &from, &to) == 2)
			sleeps |= since_s * 1000 >= from && since_s * 1000 < to;
	if (f)
		fclose(f);
	return sleeps;
}

static void put(struct stream *s, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->ring[s->head] = ((const uint8_t *)bytes)[i];
		s->head = (s->head + 1) & (s->size - 1);
	}
}

static size_t room(const struct stream *s)
{
	return (s->tail - s->head - 1) & (s->size - 1);
}

/* A sample for each period that has passed. Without room, or while the GPU sleeps, there is none, and the
 * next one begins a run. */
static void make_samples(struct stream *s)
{
	double t = board_now_s() - s->opened_s;

	for (; (double)s->next * s->period_s <= t; s->next++) {
		double at = (double)s->next * s->period_s;

		if (!s->next)
			continue;
		if (sleeps_at(at) || room(s) < s->sample_bytes) {
			s->number = 0;
			continue;
		}
		struct msm_sample_head h = { .ticks = (uint64_t)((s->opened_s + at) * MSM_TICKS_HZ),
			.number = s->number++ };
		put(s, &h, sizeof(h));
		for (int i = 0; i < s->n; i++) {
			uint64_t v = (uint64_t)(at * s->rates[i]);

			put(s, &v, sizeof(v));
		}
	}
}

static ssize_t stream_read(struct fake_fd *f, int fd, void *buf, size_t size)
{
	struct stream *s = f->priv;
	uint64_t expired;

	if (real_read(fd, &expired, sizeof(expired)) < 0 && errno != EAGAIN)
		return -1;
	make_samples(s);
	size_t n = s->head >= s->tail ? s->head - s->tail : s->size - s->tail;
	if (n > size)
		n = size;
	if (!n)
		return board_fail(EAGAIN);
	memcpy(buf, s->ring + s->tail, n);
	s->tail = (s->tail + n) & (s->size - 1);
	return (ssize_t)n;
}

static void stream_close(struct fake_fd *f)
{
	struct stream *s = f->priv;

	real_close(s->lock);
	free(s->ring);
	free(s);
	f->priv = NULL;
}

static const struct fake_driver stream_driver = {
	.name = "msm stream", .read = stream_read, .close = stream_close
};

/* Goes through the groups as the kernel does: what is too many is told of all of them. */
static int take_groups(const struct msm_perfcntr_config *c, struct stream *s)
{
	char seen[GROUPS_MAX][17];
	int error = 0;

	s->sample_bytes = sizeof(struct msm_sample_head);
	for (uint32_t i = 0; i < c->n_groups && i < GROUPS_MAX; i++) {
		struct msm_perfcntr_group *g =
			(struct msm_perfcntr_group *)(uintptr_t)(c->groups + (uint64_t)i * c->group_stride);
		const uint32_t *countables = (const uint32_t *)(uintptr_t)g->countables;
		uint32_t counters, reserved;
		char name[17] = "";

		memcpy(name, g->name, sizeof(g->name));
		if (g->pad || !find_group(name, &counters, &reserved) || g->n_countables > counters ||
			(g->n_countables && !g->countables))
			return EINVAL;
		strcpy(seen[i], name);
		for (uint32_t k = 0; k < i; k++)
			if (!strcmp(seen[k], name))
				return EINVAL;
		for (uint32_t k = 0; k < g->n_countables && s->n < COUNTERS_MAX; k++)
			s->rates[s->n++] = rate_of(name, countables[k]);
		s->sample_bytes += 8u * g->n_countables;
		if (g->n_countables > counters - reserved) {
			error = E2BIG;
			if (c->flags & MSM_PERFCNTR_UPDATE)
				g->n_countables = counters - reserved;
		}
	}
	return error;
}

static int lock_machine(void)
{
	char path[PATH_MAX];
	int lock;

	snprintf(path, sizeof(path), "%s/msm/stream.lock", fake_root());
	lock = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
		return lock;
	real_close(lock);
	return -1;
}

static int config(const struct msm_perfcntr_config *c)
{
	const char *perfmon = getenv("FAKEKERNEL_PERFMON");
	uint32_t counters, reserved;
	struct stream *s;
	int error, fd;

	if (fake_tree_number("/msm/old", 0))
		return board_fail(EINVAL);	/* the number of the ioctl is beyond the last one */
	if (!find_group("CP", &counters, &reserved))
		return board_fail(ENXIO);
	if (c->flags & ~(MSM_PERFCNTR_STREAM | MSM_PERFCNTR_UPDATE) || !(c->flags & MSM_PERFCNTR_STREAM) ||
		(c->n_groups && (!c->group_stride || !c->groups)) || c->n_groups > n_groups())
		return board_fail(EINVAL);
	if (perfmon && *perfmon == '0')
		return board_fail(EPERM);
	if (!c->n_groups || !c->period_ns || c->buffer_shift > 27)
		return board_fail(EINVAL);
	int lock = lock_machine();
	if (lock < 0)
		return board_fail(EBUSY);
	s = calloc(1, sizeof(*s));
	s->lock = lock;
	error = take_groups(c, s);
	s->size = (size_t)1 << c->buffer_shift;
	if (!error && s->size <= s->sample_bytes)
		error = EINVAL;
	if (error) {
		real_close(lock);
		free(s);
		return board_fail(error);
	}
	/* A test may want a ring that is soon full, or ends within samples. */
	s->size = (size_t)fake_tree_number("/msm/ring_bytes", (long)s->size);
	s->ring = malloc(s->size);
	s->opened_s = board_now_s();
	s->period_s = (double)c->period_ns / 1e9;
	s->next = 1;
	fake_log("msm period %llu\n", (unsigned long long)c->period_ns);
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	struct itimerspec t = { .it_interval = { (time_t)(c->period_ns / 1000000000),
					(long)(c->period_ns % 1000000000) } };
	t.it_value = t.it_interval;
	timerfd_settime(fd, 0, &t, NULL);
	*fake_fd(fd) = (struct fake_fd){ .driver = &stream_driver, .minor = -1, .priv = s };
	return fd;
}

static int node_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	(void)f, (void)fd;
	fake_log("msm %lx\n", request);
	switch (request) {
	case FAKE_DRM_VERSION:
		return fake_drm_answer((struct fake_drm_version *)arg, "msm", "20130625",
			"MSM Snapdragon DRM");
	case MSM_GET_PARAM:
		return get_param((struct msm_param *)arg);
	case MSM_PERFCNTR_CONFIG:
		return config((const struct msm_perfcntr_config *)arg);
	default:
		return board_fail(EINVAL);
	}
}

static const char *const folders[] = { "/sys", "/dev/dri", NULL };
const struct fake_driver fake_msm = {
	.name = "msm", .folders = folders, .is_drm = true, .ioctl = node_ioctl
};
