/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict fake of msm (tests/fakekernel/strict.h): Linux drivers/gpu/drm/msm/msm_perfcntr.c, msm_drv.c,
 * msm_gpu.c, adreno/adreno_gpu.c.
 *
 * A stream gives nothing until the GPU has programmed its counters, which it also does after each sleep.
 * A timer asks for samples, and a worker takes them late: two ticks may become one sample, which the
 * numbers of samples do not show. What finds no room in the ring is lost, and the next sample has number
 * 0, as after sleep, from which the registers come back with 0. A read gives what lies before the ring's
 * end, whole samples or not.
 *
 * Of the tree: strict/chip (hexadecimal, with the speed bin above bit 32), strict/max_hz, strict/msm_groups
 * (NAME COUNTERS RESERVED), strict/msm_rates (GROUP COUNTABLE PER_SECOND), strict/asleep, strict/full (spans
 * in which the ring has no room), strict/ring_left (the first sample lies so many bytes before its end),
 * strict/stream.lock (another program's stream holds it). */
#include "config.h"

#include "tests/fakekernel/strict.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>

#define PIPE_3D0 0x10
#define STREAM 1u
#define UPDATE 2u
#define LARGEST_SHIFT 27	/* 128 MiB */
#define KMALLOC_SHIFT 22	/* more has no kmalloc() with pages of 4 KiB */
#define MOST_GROUPS 48
#define MOST_COUNTERS 64	/* of a stream */
#define MOST_RATES 128
#define HEADER_BYTES 16
#define ALWAYS_ON_HZ 19200000
#define SELECT_NS 15000000	/* until the GPU has run the programming */
#define MERGED_TICK 7		/* every so many ticks are one sample with the next */

enum param {
	GPU_ID = 1,
	GMEM_SIZE = 2,
	CHIP_ID = 3,
	MAX_FREQ = 4,
	TIMESTAMP = 5,
	PRIORITIES = 7,
	PP_PGTABLE = 8,
	FAULTS = 9,
	SUSPENDS = 10
};

struct param_args {
	uint32_t pipe, param;
	uint64_t value;
	uint32_t len, pad;
};

struct perfcntr_group {
	char group_name[16];
	uint32_t nr_countables, pad;
	uint64_t countables;
};

struct perfcntr_config {
	uint32_t flags, nr_groups;
	uint64_t groups, period;
	uint32_t bufsz_shift, group_stride;
};

#define GET_PARAM _IOWR('d', 0x40, struct param_args)
#define PERFCNTR_CONFIG _IOW('d', 0x4e, struct perfcntr_config)

/* As include/uapi/drm/msm_drm.h of Linux 7.2 compiles. */
_Static_assert(GET_PARAM == 0xc0186440 && PERFCNTR_CONFIG == 0x4020644e, "numbers of the uAPI");
_Static_assert(sizeof(struct perfcntr_group) == 32 && sizeof(struct perfcntr_config) == 32,
	"sizes of the uAPI");
_Static_assert(offsetof(struct perfcntr_group, countables) == 24 &&
		offsetof(struct perfcntr_config, period) == 16 &&
		offsetof(struct perfcntr_config, group_stride) == 28,
	"offsets of the uAPI");

struct group {
	char name[17];
	uint32_t counters, reserved;
};

struct rate {
	char group[17];
	uint32_t countable;
	double per_s;
};

/* What a stream's descriptor is: a timer that is over while there is something to read. */
struct stream {
	int timer, lock;
	uint64_t opened_ns, period_ns;
	uint64_t ticks;			/* of the timer that were dealt with */
	uint32_t seqno;
	unsigned n;
	double per_s[MOST_COUNTERS];
	uint8_t *ring;
	size_t ring_bytes, head, tail, sample_bytes;
};

static struct group groups[MOST_GROUPS];
static struct rate rates[MOST_RATES];
static unsigned n_groups, n_rates;

static void read_machine(void)
{
	FILE *f = strict_file("msm_groups");

	n_groups = n_rates = 0;
	while (f && n_groups < MOST_GROUPS &&
		fscanf(f, "%16s %" SCNu32 " %" SCNu32, groups[n_groups].name, &groups[n_groups].counters,
			&groups[n_groups].reserved) == 3)
		n_groups++;
	if (f)
		fclose(f);
	f = strict_file("msm_rates");
	while (f && n_rates < MOST_RATES &&
		fscanf(f, "%16s %" SCNu32 " %lf", rates[n_rates].group, &rates[n_rates].countable,
			&rates[n_rates].per_s) == 3)
		n_rates++;
	if (f)
		fclose(f);
}

static double rate_of(const char *group, uint32_t countable)
{
	for (unsigned i = 0; i < n_rates; i++)
		if (!strcmp(rates[i].group, group) && rates[i].countable == countable)
			return rates[i].per_s;
	return 0;	/* no number is refused; what counts nothing stays 0 */
}

/* --- the stream --- */

static uint64_t always_on(uint64_t t_ns)
{
	return (uint64_t)((double)t_ns * (ALWAYS_ON_HZ / 1e9));
}

static size_t filled(const struct stream *s)
{
	return (s->head - s->tail) & (s->ring_bytes - 1);
}

static void put(struct stream *s, const void *what, size_t bytes)
{
	memcpy(s->ring + s->head, what, bytes);
	s->head = (s->head + bytes) & (s->ring_bytes - 1);
}

/* When the GPU last woke up before t, and with it the stream's programming began. */
static uint64_t woke_ns(const struct stream *s, const struct strict_spans *sleeps, uint64_t t)
{
	uint64_t woke = s->opened_ns;

	for (int i = 0; i < sleeps->n; i++)
		if (sleeps->to_ns[i] <= t && sleeps->to_ns[i] > woke)
			woke = sleeps->to_ns[i];
	return woke;
}

static void sample(struct stream *s, const struct strict_spans *sleeps, uint64_t t, uint64_t before)
{
	uint64_t woke = woke_ns(s, sleeps, t), stamp = always_on(t);
	struct strict_spans full = strict_spans_of("full");
	uint32_t header[2] = { 0, 0 };

	if (strict_falls(sleeps, before, t))
		s->seqno = 0;
	if (strict_within(sleeps, t, NULL) || t < woke + SELECT_NS)
		return;
	/* A ring holds a byte less than it has. */
	if (s->sample_bytes > s->ring_bytes - 1 - filled(s) || strict_within(&full, t, NULL)) {
		s->seqno = 0;
		return;
	}
	header[0] = s->seqno++;
	put(s, &stamp, sizeof(stamp));
	put(s, header, sizeof(header));
	for (unsigned i = 0; i < s->n; i++) {
		uint64_t value = (uint64_t)(s->per_s[i] * (double)(t - woke) / 1e9);

		put(s, &value, sizeof(value));
	}
}

/* The moment at which the worker takes the sample of a tick. */
static uint64_t taken_ns(const struct stream *s, uint64_t tick)
{
	uint64_t late = s->period_ns / 5 * (tick % 3) / 2;

	return s->opened_ns + tick * s->period_ns + (late < 2000000 ? late : 2000000);
}

/* Takes the samples that are due, and sets the timer for poll(). */
static void produce(struct stream *s)
{
	struct strict_spans sleeps = strict_sleeps();
	struct itimerspec at = { { 0, 0 }, { 0, 1 } };
	uint64_t now = strict_now_ns();

	while (taken_ns(s, s->ticks + 1) <= now) {
		s->ticks++;
		if (s->ticks % MERGED_TICK)
			sample(s, &sleeps, taken_ns(s, s->ticks),
				s->ticks > 1 ? taken_ns(s, s->ticks - 1) : s->opened_ns);
	}
	if (!filled(s)) {
		uint64_t next = taken_ns(s, s->ticks + 1);

		at.it_value.tv_sec = (time_t)(next / 1000000000);
		at.it_value.tv_nsec = (long)(next % 1000000000);
	}
	timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static ssize_t on_read(struct fake_fd *f, int fd, void *buf, size_t size)
{
	struct stream *s = f->priv;
	size_t n;

	if (f->minor >= 0 || !s)
		return real_read(fd, buf, size);
	produce(s);
	while (!filled(s) && !(fcntl(fd, F_GETFL) & O_NONBLOCK)) {
		struct pollfd p = { .fd = s->timer, .events = POLLIN };

		if (poll(&p, 1, -1) < 0)
			return -1;
		produce(s);
	}
	n = filled(s);
	if (n > s->ring_bytes - s->tail)
		n = s->ring_bytes - s->tail;
	if (n > size)
		n = size;
	if (!n) {
		errno = EAGAIN;
		return -1;
	}
	memcpy(buf, s->ring + s->tail, n);
	s->tail = (s->tail + n) & (s->ring_bytes - 1);
	produce(s);
	return (ssize_t)n;
}

static void on_close(struct fake_fd *f)
{
	struct stream *s = f->priv;

	if (f->minor >= 0 || !s)
		return;
	real_close(s->lock);
	free(s->ring);
	free(s);
	f->priv = NULL;
}

/* --- ioctls --- */

static int get_param(struct fake_fd *f, void *data)
{
	struct param_args *p = data;
	struct strict_spans sleeps = strict_sleeps();
	uint64_t now = strict_now_ns();
	char text[32];

	(void)f;
	fake_log("msm param %u\n", p->param);
	if (p->pipe != PIPE_3D0 || p->pad)
		return -EINVAL;
	if (fake_tree_number("/strict/no_gpu", 0))
		return -ENXIO;
	if (p->len)
		return -EINVAL;
	switch (p->param) {
	case GPU_ID:
		p->value = (uint64_t)fake_tree_number("/strict/gpu_id", 0);
		return 0;
	case CHIP_ID:
		p->value = fake_tree_read("/strict/chip", text, sizeof(text)) ? strtoull(text, NULL, 16) : 0;
		return 0;
	case MAX_FREQ:
		p->value = (uint64_t)fake_tree_number("/strict/max_hz", 0);
		return 0;
	case TIMESTAMP:
		if (strict_within(&sleeps, now, NULL))
			fake_log("msm woken\n");
		p->value = always_on(now);
		return 0;
	case SUSPENDS:
		p->value = (uint64_t)strict_falls(&sleeps, 0, now);
		return 0;
	case GMEM_SIZE:
	case PRIORITIES:
	case PP_PGTABLE:
	case FAULTS:
		p->value = 0;
		return 0;
	default:
		return -EINVAL;
	}
}

static bool is_perfmon_capable(void)
{
	const char *perfmon = getenv("FAKEKERNEL_PERFMON");

	return !perfmon || strcmp(perfmon, "0");
}

/* What can be said without looking at groups. */
static int check_config(const struct perfcntr_config *c)
{
	if (c->flags & ~(STREAM | UPDATE))
		return -EINVAL;
	if (c->nr_groups && !c->group_stride)
		return -EINVAL;
	if (c->nr_groups > n_groups || (c->nr_groups && !c->groups))
		return -EINVAL;
	if (!(c->flags & STREAM))
		return c->period || c->bufsz_shift ? -EINVAL : 0;
	if (!is_perfmon_capable())
		return -EPERM;
	return c->nr_groups && c->period && c->bufsz_shift <= LARGEST_SHIFT ? 0 : -EINVAL;
}

static const struct group *group_named(const char *name)
{
	for (unsigned i = 0; i < n_groups; i++)
		if (!strncmp(groups[i].name, name, 16))
			return &groups[i];
	return NULL;
}

/* One group of a request: 0, 1 where too few counters are free, or -errno. */
static int take_group(const struct perfcntr_config *c, unsigned i, uint64_t *seen, struct stream *s)
{
	char *user = (char *)(uintptr_t)(c->groups + (uint64_t)i * c->group_stride);
	size_t bytes = c->group_stride < sizeof(struct perfcntr_group) ? c->group_stride
								      : sizeof(struct perfcntr_group);
	struct perfcntr_group g = { .pad = 0 };
	const struct group *known;
	const uint32_t *countables;
	bool is_stream = c->flags & STREAM;
	int result = 0;

	memcpy(&g, user, bytes);
	known = g.pad ? NULL : group_named(g.group_name);
	if (!known || *seen & UINT64_C(1) << (known - groups) || g.nr_countables > known->counters)
		return -EINVAL;
	if (is_stream && g.nr_countables && !g.countables)
		return -EINVAL;
	if (!is_stream && g.countables)
		return -EINVAL;
	*seen |= UINT64_C(1) << (known - groups);
	if (is_stream && g.nr_countables > known->counters - known->reserved) {
		result = 1;
		if (c->flags & UPDATE) {
			g.nr_countables = known->counters - known->reserved;
			memcpy(user, &g, bytes);
		}
	}
	countables = (const uint32_t *)(uintptr_t)g.countables;
	for (uint32_t k = 0; is_stream && k < g.nr_countables && s->n < MOST_COUNTERS; k++)
		s->per_s[s->n++] = rate_of(known->name, countables[k]);
	return result;
}

static int open_stream(const struct perfcntr_config *c, struct stream *s)
{
	int fd;

	s->sample_bytes = HEADER_BYTES + s->n * sizeof(uint64_t);
	s->ring_bytes = (size_t)1 << c->bufsz_shift;
	if (s->ring_bytes <= s->sample_bytes)
		return -EINVAL;
	if (c->bufsz_shift > KMALLOC_SHIFT)
		return -ENOMEM;
	s->ring = malloc(s->ring_bytes);
	/* A descriptor that blocks, and that programs do not inherit. */
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (!s->ring || !fake_fd(fd)) {
		free(s->ring);
		real_close(fd);
		return s->ring ? -EMFILE : -ENOMEM;
	}
	s->timer = fd;
	s->period_ns = c->period;
	s->head = s->tail = (s->ring_bytes - (size_t)fake_tree_number("/strict/ring_left", 0)) &
		(s->ring_bytes - 1);
	s->opened_ns = strict_now_ns();
	*fake_fd(fd) = (struct fake_fd){ .driver = &fake_msm_strict, .minor = -1, .priv = s };
	produce(s);
	return fd;
}

static int take_lock(void)
{
	char path[PATH_MAX];
	int lock;

	snprintf(path, sizeof(path), "%s/strict/stream.lock", fake_root());
	lock = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
		return lock;
	real_close(lock);
	return -EBUSY;
}

static int config_stream(const struct perfcntr_config *c, struct stream *s)
{
	uint64_t seen = 0;
	int result = 0;

	for (unsigned i = 0; i < c->nr_groups; i++) {
		int r = take_group(c, i, &seen, s);

		if (r < 0)
			return r;
		/* All groups are looked at, so that each one's number is written back. */
		if (r)
			result = -E2BIG;
	}
	if (result || !(c->flags & STREAM))
		return result;
	return open_stream(c, s);
}

static int perfcntr_config(struct fake_fd *f, void *data)
{
	const struct perfcntr_config *c = data;
	struct stream *s;
	int result;

	(void)f;
	if (strict_kernel() < 7002)
		return -EINVAL;
	read_machine();
	fake_log("msm config flags %u groups %u shift %u\n", c->flags, c->nr_groups, c->bufsz_shift);
	if (!n_groups || fake_tree_number("/strict/no_gpu", 0))
		return -ENXIO;
	result = check_config(c);
	if (result)
		return result;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->lock = c->flags & STREAM ? take_lock() : -1;
	result = s->lock == -EBUSY ? -EBUSY : config_stream(c, s);
	if (result <= 0) {
		real_close(s->lock);
		free(s);
	}
	return result;
}

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	static const struct strict_call calls[] = {
		{ GET_PARAM, get_param },
		{ PERFCNTR_CONFIG, perfcntr_config },
	};
	static const struct strict_driver driver = { .name = "msm",
		.date = "0",
		.desc = "MSM Snapdragon DRM",
		.major = 1,
		.minor = 13,
		.calls = calls,
		.n_calls = sizeof(calls) / sizeof(calls[0]) };

	(void)fd;
	if (f->minor >= 0)
		return strict_ioctl(&driver, f, request, arg);
	errno = ENOTTY;
	return -1;
}

static size_t on_fdinfo(uint64_t client, long part_per_mille, char *buf, size_t size)
{
	uint64_t busy_ns = (strict_now_ns() - strict_begin_ns()) * (uint64_t)part_per_mille / 1000;
	uint64_t max_hz = (uint64_t)fake_tree_number("/strict/max_hz", 0);

	int len = snprintf(buf, size,
		"pos:\t0\ndrm-driver:\tmsm\ndrm-client-id:\t%" PRIu64 "\ndrm-engine-gpu:\t%" PRIu64
		" ns\ndrm-cycles-gpu:\t%" PRIu64 "\ndrm-maxfreq-gpu:\t%" PRIu64 " Hz\n",
		client, busy_ns, (uint64_t)((double)busy_ns * (double)max_hz / 1e9), max_hz);

	len += strict_fdinfo_memory(
		buf + len, size - (size_t)len, "total", (uint64_t)part_per_mille * 16384);
	len += strict_fdinfo_memory(buf + len, size - (size_t)len, "shared", 0);
	len += strict_fdinfo_memory(
		buf + len, size - (size_t)len, "resident", (uint64_t)part_per_mille * 8192);
	return (size_t)len;
}

static const char *const folders[] = { "/sys", "/dev/dri", NULL };
const struct fake_driver fake_msm_strict = { .name = "msm",
	.folders = folders,
	.is_drm = true,
	.is_strict = true,
	.ioctl = on_ioctl,
	.read = on_read,
	.close = on_close,
	.fdinfo = on_fdinfo };
