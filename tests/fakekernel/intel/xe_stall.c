/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EU stall sampling of the fake xe driver. Behaviour and order of checks: Linux 6.18
 * drivers/gpu/drm/xe/xe_eu_stall.c. */
#include "config.h"

#include "tests/fakekernel/intel/xe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_stall_records.h"
#include "backends/intel/xe/xe_uapi.h"
#include "backends/sim/model/stall_sampler.h"
#include "base/clock.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/unit/intel/stall_record.h"

#define POLL_NS 5000000
#define MAX_PROPERTIES 5
#define RATE_UNIT 251
#define RATES 7
#define MOST 255		/* a count of a record */
#define CORE_BYTES (512u << 10)
#define MAX_CORES 64

struct stall_stream {
	struct fake_xe_stream stream;
	struct fake_oa *oa;	/* holds timer, lock and the course; its unit rests */
	const struct xe_stall_layout *layout;
	struct stall_sampler sampler;
	struct stall_spot spots[STALL_SPOTS];
	struct core {
		uint64_t waiting[STALL_SPOTS];
		uint32_t blank;		/* records that count nothing, which an overflow leaves */
		uint32_t old;		/* of what the ring held long ago */
		bool dropped;
	} cores[MAX_CORES];
	int n_cores, next;
	bool enabled, told;
	bool is_cleared;	/* a reset of the GT has cleared the registers */
	long resets;		/* of the GT, when sampling was switched on */
	int64_t overflow_ns, next_overflow_ns;	/* one each so often; 0: none */
};

/* The hardware leaves out the lowest three bits of an address. */
#define ADDRESS_SHIFT 3

static const enum xe_stall_counter fields[STALL_FINDINGS] = {
	[FOUND_ACTIVE] = STALL_ACTIVE,
	[FOUND_MESSAGE] = STALL_SBID,
	[FOUND_RESULT] = STALL_DIST_ACC,
};

static const struct xe_stall_layout *layout(void)
{
	return xe_stall_layout(
		intel_platform_by_name(fake_machine()->device.platform)->graphics_verx10);
}

size_t fake_xe_stall_info(uint8_t *buf)
{
	struct xe_eu_stall_info info = { .capabilities = 1,
		.record_bytes = XE_STALL_RECORD_BYTES,
		.xecore_buffer_bytes = CORE_BYTES,
		.n_rates = RATES };

	if (!layout())
		return 0;
	memcpy(buf, &info, sizeof(info));
	for (uint64_t i = 0; i < RATES; i++)
		memcpy(buf + sizeof(info) + 8 * i, &(uint64_t){ (i + 1) * RATE_UNIT }, 8);
	return sizeof(info) + 8 * RATES;
}

/* Looks at the time that has passed. The cores find the same, but for what cannot be split. */
static void gather(struct stall_stream *s)
{
	uint64_t found[STALL_FINDINGS];

	stall_sampler_look(&s->sampler, &s->oa->course, fake_model_ns(), found);
	for (int i = 0; i < STALL_SPOTS; i++) {
		uint64_t n = stall_spot_samples(&s->spots[i], found[s->spots[i].finding]);

		for (int c = 0; c < s->n_cores; c++)
			s->cores[c].waiting[i] += n / (uint64_t)s->n_cores;
		s->cores[s->next++ % s->n_cores].waiting[i] += n % (uint64_t)s->n_cores;
	}
}

/* Every core's ring is full and drops what comes. Records that count nothing fill it, so that the
 * values stay the model's. */
static void overflow(struct stall_stream *s)
{
	for (int c = 0; c < s->n_cores; c++) {
		s->cores[c].dropped = true;
		s->cores[c].blank = CORE_BYTES / XE_STALL_RECORD_BYTES;
	}
}

/* A reset clears the registers, and the write pointers with them. A kernel of 2026 sees that the base
 * is 0 (eu_stall_data_buf_poll(), reset_detected), and says ENODEV from then on. One from before takes
 * the pointers for good ones: the rest of each ring is read again, and then nothing ever comes. */
static void look_for_reset(struct stall_stream *s)
{
	if (s->is_cleared || fake_tree_number("/gt_resets", 0) == s->resets)
		return;
	fake_log("RESET stalls\n");
	s->is_cleared = true;
	for (int c = 0; c < s->n_cores; c++)
		s->cores[c].old = CORE_BYTES / XE_STALL_RECORD_BYTES / 2;
}

static bool is_due(struct stall_stream *s)
{
	if (!s->overflow_ns || fake_model_ns() < s->next_overflow_ns)
		return false;
	s->next_overflow_ns = fake_model_ns() + s->overflow_ns;
	return true;
}

static bool take_counts(const struct stall_spot *spots, struct core *core,
	uint8_t counts[STALL_REASONS], uint32_t *address)
{
	for (int i = 0; i < STALL_SPOTS; i++) {
		uint64_t n = core->waiting[i] < MOST ? core->waiting[i] : MOST;

		if (!n)
			continue;
		*address = spots[i].address >> ADDRESS_SHIFT;
		counts[fields[spots[i].finding]] = (uint8_t)n;
		core->waiting[i] -= n;
		return true;
	}
	if (core->old) {
		core->old--;
		*address = spots[0].address >> ADDRESS_SHIFT;
		counts[fields[FOUND_ACTIVE]] = MOST;
		return true;
	}
	if (!core->blank)
		return false;
	core->blank--;
	return true;
}

static size_t put_records(
	const struct stall_stream *s, struct core *core, uint8_t *buf, size_t size)
{
	uint8_t counts[STALL_REASONS] = { 0 };
	uint32_t address = 0;
	size_t used = 0;

	while (used + XE_STALL_RECORD_BYTES <= size && take_counts(s->spots, core, counts, &address)) {
		make_stall_record(s->layout, address, counts, buf + used);
		memset(counts, 0, sizeof(counts));
		used += XE_STALL_RECORD_BYTES;
	}
	return used;
}

/* EIO once before each read that has data, while any core's drop bit is set. Reading a core clears
 * its bit, and a read ends when the buffer is full. */
static bool says_dropped(struct stall_stream *s)
{
	bool any = false;

	for (int c = 0; c < s->n_cores; c++)
		any |= s->cores[c].dropped;
	s->told = any && !s->told;
	return s->told;
}

static ssize_t read_cores(struct stall_stream *s, uint8_t *buf, size_t size)
{
	size_t used = 0;

	for (int c = 0; c < s->n_cores && used + XE_STALL_RECORD_BYTES <= size; c++) {
		used += put_records(s, &s->cores[c], buf + used, size - used);
		s->cores[c].dropped = false;
	}
	return used ? (ssize_t)used : fake_fail(EAGAIN);
}

static ssize_t stall_read(struct fake_xe_stream *stream, void *buf, size_t size)
{
	struct stall_stream *s = (struct stall_stream *)stream;
	int error = fake_fails("stall_read");
	uint64_t expirations;

	if (size < XE_STALL_RECORD_BYTES || !s->enabled)
		return fake_fail(EINVAL);
	if (error)
		return fake_fail(error);
	look_for_reset(s);
	if (s->is_cleared && fake_tree_number("/i915/stall_resets_are_told", 0))
		return fake_fail(ENODEV);
	if (real_read(s->oa->fd, &expirations, sizeof(expirations)) > 0 && !s->is_cleared) {
		gather(s);
		if (fake_fails("dropped") || is_due(s))
			overflow(s);
	}
	return says_dropped(s) ? fake_fail(EIO) : read_cores(s, buf, size);
}

static int stall_ioctl(struct fake_xe_stream *stream, unsigned long request, unsigned long arg)
{
	struct stall_stream *s = (struct stall_stream *)stream;

	(void)arg;
	switch (request) {
	case XE_STREAM_ENABLE:
		if (s->enabled)
			return 0;
		s->resets = fake_tree_number("/gt_resets", 0);
		s->is_cleared = false;
		stall_sampler_start(&s->sampler, &s->oa->course, fake_model_ns());
		s->enabled = true;
		return 0;
	case XE_STREAM_DISABLE:
		s->enabled = false;
		return 0;
	default:
		return fake_fail(EINVAL);
	}
}

static void stall_close(struct fake_xe_stream *stream)
{
	fake_log("CLOSE stalls\n");
	fake_oa_close(((struct stall_stream *)stream)->oa);
	free(stream);
}

/* --- opening --- */

struct request {
	bool has_gt;
	uint64_t rate, wait;
};

static int take_property(void *ctx, uint32_t property, uint64_t value)
{
	struct request *q = ctx;

	switch (property) {
	case XE_STALL_GT_ID:
		q->has_gt = true;
		return value == 0 ? 0 : EINVAL;
	case XE_STALL_RATE:
		q->rate = value / RATE_UNIT;
		return q->rate >= 1 && q->rate <= RATES ? 0 : EINVAL;
	default:
		q->wait = value;
		return 0;
	}
}

static uint64_t looks_ns(void)
{
	uint64_t ms = (uint64_t)fake_tree_number("/i915/poll_ms", 0);

	return ms ? ms * NS_PER_MS : POLL_NS;
}

static int make_stream(const struct request *q, int lock)
{
	static const struct fake_regs none;
	struct stall_stream *s = calloc(1, sizeof(*s));
	const struct eu_config *eu = &fake_machine()->hw.eu;

	if (!s)
		return fake_fail(ENOMEM);
	*s = (struct stall_stream){ .stream = { .ioctl = stall_ioctl, .read = stall_read, .close = stall_close },
		.layout = layout(),
		.n_cores = fake_machine()->device.topology.subslices,
		.overflow_ns = fake_tree_number("/i915/stall_overflow_ms", 0) * NS_PER_MS,
		.oa = fake_oa_open(&none, NULL, 0, looks_ns(), false, lock),
		.sampler = {
			.eus_per_subslice = eu->eus_per_subslice, .cycles = q->rate * RATE_UNIT } };
	if (!s->oa) {
		free(s);
		return -1;
	}
	stall_spots(s->spots);
	fcntl(s->oa->fd, F_SETFL, 0);
	*fake_fd(s->oa->fd) = (struct fake_fd){ .driver = &fake_xe, .minor = -1, .priv = s };
	return s->oa->fd;
}

int fake_xe_stall_open(uint64_t chain)
{
	struct request q = { .rate = 4, .wait = 1 };
	int error = fake_fails("stall"), lock, fd;

	fake_log("STALL_OPEN\n");
	if (error)
		return fake_fail(error);
	if (!layout())
		return fake_fail(ENODEV);
	if (!fake_xe_may_observe())
		return fake_fail(EACCES);
	error = fake_xe_properties(chain, MAX_PROPERTIES, XE_STALL_PROPERTIES, take_property, &q);
	if (error || !q.has_gt)
		return fake_fail(error ? error : EINVAL);
	lock = fake_lock("stall.lock");
	if (lock < 0)
		return fake_fail(EBUSY);
	if (!q.wait || q.wait > CORE_BYTES / XE_STALL_RECORD_BYTES * (uint64_t)fake_machine()->device.topology.subslices) {
		real_close(lock);
		return fake_fail(EINVAL);
	}
	fd = make_stream(&q, lock);
	if (fd < 0)
		real_close(lock);
	return fd;
}
