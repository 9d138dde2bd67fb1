/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registered programmings and OA streams of the fake xe. Behaviour and order of checks: Linux 6.18 drivers/gpu/drm/xe/xe_oa.c. The media
 * unit counts nothing, because the model's load decodes and encodes nothing. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_uapi.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/streamer.h"
#include "tests/fakekernel/intel/xe.h"
#include "tests/fakekernel/intel/xe_oa_map.h"
#include "tests/fakekernel/intel/xe_submit.h"

#define POLL_NS 5000000
#define XE_STREAM_INFO _IO('i', 0x4)
#define MAX_PROPERTIES 16
#define DEFAULT_BUFFER_BYTES (16u << 20)
#define MAX_SYNCS 1024
#define OAG_MMIOTRIGGER 0xdb1cu
#define OAG_OASTATUS 0xdafcu
#define NO_TIMER 31	/* no report within any test */
/* The queue of reports that registers ask for is full (xe_drm.h, DRM_XE_OASTATUS_MMIO_TRG_Q_FULL): reports that others want are missing. */
#define OA_STATUS_TRIGGERS_FULL 8

/* --- programmings --- */

/* Registers that a programming may write, by graphics version times ten. */
static bool is_allowed(uint32_t address)
{
	static const struct fake_range oa[] = { { 0x2b2c, 0x2b2c }, { 0xd900, 0xd91c },
		{ 0xd920, 0xd93c }, { 0xd940, 0xd97c }, { 0xdc00, 0xdc48 }, { 0xdd00, 0xdd48 },
		{ 0x393000, 0x39301c }, { 0x393020, 0x39303c }, { 0x393040, 0x39307c },
		{ 0x393200, 0x39323c } };
	static const struct fake_range oa20[] = { { 0x394200, 0x39423c }, { 0x394a00, 0x394a3c } };
	static const struct fake_range mux12[] = { { 0x0d00, 0x0d04 }, { 0x0d0c, 0x0d2c },
		{ 0x9840, 0x9840 }, { 0x9884, 0x9888 }, { 0x20cc, 0x20cc } };
	static const struct fake_range mux_mtl[] = { { 0x0d00, 0x0d04 }, { 0x0d0c, 0x0d2c },
		{ 0x9840, 0x9840 }, { 0x9884, 0x9888 }, { 0x38d100, 0x38d114 } };
	static const struct fake_range mux20[] = { { 0x5194, 0x5194 }, { 0x8704, 0x8704 },
		{ 0xb01c, 0xb01c }, { 0xb1bc, 0xb1bc }, { 0xd0e0, 0xd0f4 }, { 0xe18c, 0xe18c },
		{ 0xe590, 0xe590 }, { 0x13000, 0x137fc }, { 0x145194, 0x145194 },
		{ 0x145340, 0x14537c } };

	for (int i = 0; i < OA_FLEX_REGS; i++)
		if (oa_flex_addresses[i] == address)
			return true;
	if (fake_in_ranges(oa, ARRAY_LEN(oa), address))
		return true;
	if (fake_machine()->graphics_ver < 20)
		return intel_platform_by_name(fake_machine()->device.platform)->graphics_verx10 >= 127
			? fake_in_ranges(mux_mtl, ARRAY_LEN(mux_mtl), address)
			: fake_in_ranges(mux12, ARRAY_LEN(mux12), address);
	return fake_in_ranges(oa20, ARRAY_LEN(oa20), address) ||
		fake_in_ranges(mux20, ARRAY_LEN(mux20), address);
}

/* What a register is for follows from its address. */
static enum oa_reg_kind kind_of(uint32_t address)
{
	for (int i = 0; i < OA_FLEX_REGS; i++)
		if (oa_flex_addresses[i] == address)
			return OA_REG_FLEX;
	return (address >= 0xd900 && address <= 0xdd48) || address == 0x2b2c ||
			(address >= 0x13000 && address <= 0x137fc)
		? OA_REG_OA
		: OA_REG_NOA;
}

int fake_xe_add_config(const struct xe_oa_config *c)
{
	static struct fake_regs regs;
	const uint32_t *pairs;
	char uuid[37];
	int error = fake_fails("add");

	if (!fake_is_memory((uintptr_t)c, sizeof(*c)))
		return fake_fail(fake_xe_may_observe() ? EFAULT : EACCES);
	pairs = (const uint32_t *)(uintptr_t)c->regs;
	fake_log("ADD_CONFIG %.36s registers %u\n", c->uuid, c->n_regs);
	if (error)
		return fake_fail(error);
	if (!fake_xe_may_observe())
		return fake_fail(EACCES);
	if (c->extensions || !pairs || !c->n_regs || c->n_regs > FAKE_MAX_REGS ||
		!fake_is_uuid(c->uuid))
		return fake_fail(EINVAL);
	if (!fake_is_memory(c->regs, (size_t)c->n_regs * 8))
		return fake_fail(EFAULT);
	regs.n = 0;
	for (uint32_t i = 0; i < c->n_regs; i++) {
		if (!is_allowed(pairs[2 * i])) {
			fake_log("  register %x refused\n", pairs[2 * i]);
			return fake_fail(EINVAL);
		}
		regs.r[regs.n++] = (struct oa_reg){ .kind = kind_of(pairs[2 * i]),
			.address = pairs[2 * i],
			.value = pairs[2 * i + 1] };
	}
	snprintf(uuid, sizeof(uuid), "%.36s", c->uuid);
	return fake_config_add(uuid, &regs, 1);
}

int fake_xe_remove_config(uint64_t id)
{
	fake_log("REMOVE_CONFIG %llu\n", (unsigned long long)id);
	if (fake_fails("remove") || !fake_xe_may_observe())
		return fake_fail(EACCES);
	return fake_config_remove(id);
}

/* --- streams --- */

int fake_xe_properties(uint64_t chain, int most, int n_known,
	int (*take)(void *ctx, uint32_t property, uint64_t value), void *ctx)
{
	int error = 0;

	for (int i = 0; chain && !error; i++) {
		const struct xe_property *p = (const struct xe_property *)(uintptr_t)chain;

		if (i >= most)
			return E2BIG;
		if (!fake_is_memory(chain, sizeof(*p)))
			return EFAULT;
		fake_log("  property %u = %llu\n", p->property, (unsigned long long)p->value);
		if (p->name || p->pad || p->pad2 || !p->property || (int)p->property >= n_known)
			return EINVAL;
		error = take(ctx, p->property, p->value);
		chain = p->next;
	}
	return error;
}

struct oa_stream {
	struct fake_xe_stream stream;
	struct fake_oa *oa;
	int file;		/* the node that opened it */
	bool has_sample, is_rendering;
	uint64_t status;	/* what the last read() found */
};

struct request {
	bool has_sample, has_exponent, disabled, holds;
	uint64_t unit, config, format, exponent, wait, queue, instance, syncs, n_syncs;
	uint32_t buffer_bytes;
};

static int take_property(void *ctx, uint32_t property, uint64_t value)
{
	struct request *q = ctx;

	switch (property) {
	case XE_OA_UNIT_ID:
		q->unit = value;
		return value <= 1 ? 0 : EINVAL;
	case XE_OA_SAMPLE:
		q->has_sample = value != 0;
		return 0;
	case XE_OA_METRIC_SET:
		q->config = value;
		return 0;
	case XE_OA_FORMAT:
		q->format = value;
		return oa_format_by_number((int)value) ? 0 : EINVAL;
	case XE_OA_EXPONENT:
		q->has_exponent = true;
		q->exponent = value;
		return value <= 31 ? 0 : EINVAL;
	case XE_OA_DISABLED:
		q->disabled = value != 0;
		return 0;
	case XE_OA_WAIT_REPORTS:
		q->wait = value;
		return value &&
				fake_tree_number("/i915/oa_capabilities", 0) &
					XE_OA_CAP_WAIT_REPORTS
			? 0
			: EINVAL;
	case XE_OA_EXEC_QUEUE:
		q->queue = value;
		return 0;
	case XE_OA_ENGINE_INSTANCE:
		q->instance = value;
		return 0;
	case XE_OA_NUM_SYNCS:
		q->n_syncs = value;
		return value > MAX_SYNCS ? EINVAL : 0;
	case XE_OA_SYNCS:
		q->syncs = value;
		return 0;
	case XE_OA_BUFFER_SIZE:
		q->buffer_bytes = (uint32_t)value;
		return value >= 128u << 10 && value <= 128u << 20 && !(value & (value - 1)) ? 0
											   : EINVAL;
	case XE_OA_NO_PREEMPT:
		q->holds = value != 0;
		return 0;
	default:
		return EINVAL;
	}
}

/* xe_oa_set_property_funcs_config */
static int take_change(void *ctx, uint32_t property, uint64_t value)
{
	bool may_change = property == XE_OA_METRIC_SET || property == XE_OA_NUM_SYNCS || property == XE_OA_SYNCS;

	return may_change ? take_property(ctx, property, value) : EINVAL;
}

/* One waiting report more is one tick of the timer more. */
static uint64_t poll_ns(const struct request *q)
{
	uint64_t report_ns = (UINT64_C(2) << q->exponent) * NS_PER_S /
		fake_machine()->device.timestamp_hz;

	uint64_t looks_ns = (uint64_t)fake_tree_number("/i915/poll_ms", 0) * NS_PER_MS;

	if (!looks_ns)
		looks_ns = POLL_NS;
	return q->wait * report_ns > looks_ns ? q->wait * report_ns : looks_ns;
}

/* The registers are written, and the fences are signalled, before this ends. */
static int set_config(struct oa_stream *x, uint64_t chain)
{
	struct fake_oa *s = x->oa;
	static struct fake_regs regs;
	struct request q = { .config = 0 };
	int error = fake_xe_properties(chain, MAX_PROPERTIES, XE_OA_PROPERTIES, take_change, &q);
	uint64_t before = s->config;

	if (!error)
		error = fake_fails("config");
	if (error)
		return fake_fail(error);
	if (!fake_config_load(q.config, &regs))
		return fake_fail(ENODEV);
	error = fake_xe_syncs_check(x->file, q.syncs, q.n_syncs);
	if (error)
		return fake_fail(error);
	fake_oa_program_now(s, &regs);
	fake_xe_syncs_signal(x->file, 0, q.syncs, q.n_syncs);
	s->config = q.config;
	return (int)before;
}

/* struct drm_xe_oa_stream_info (xe_drm.h), which rooftop does not ask for. */
struct xe_oa_info {
	uint64_t extensions, buffer_bytes, reserved[3];
};

static int oa_ioctl(struct fake_xe_stream *stream, unsigned long request, unsigned long arg)
{
	struct oa_stream *x = (struct oa_stream *)stream;

	switch (request) {
	case XE_STREAM_ENABLE:
		if (!x->oa->enabled)
			fake_oa_enable(x->oa);
		return 0;
	case XE_STREAM_DISABLE:
		fake_oa_disable(x->oa);
		return 0;
	case XE_STREAM_CONFIG:
		fake_log("CONFIG\n");
		return set_config(x, arg);
	case XE_STREAM_INFO:
		*(struct xe_oa_info *)arg = (struct xe_oa_info){
			.buffer_bytes = x->oa->unit.c.buffer_bytes
		};
		return 0;
	case XE_STREAM_STATUS:
		fake_log("STATUS %llu\n", (unsigned long long)x->status);
		*(struct xe_oa_status *)arg = (struct xe_oa_status){ .status = x->status };
		return 0;
	default:
		return fake_fail(EINVAL);
	}
}

/* Losses that the scenario wants, and those that the unit had. The unit's bits are those of the
 * interface. The kernel clears them and goes on: what the buffer holds after an overflow, the newest
 * reports, is read next (Linux xe_oa.c, __xe_oa_read()). */
static bool has_loss(struct oa_stream *x)
{
	struct fake_oa *s = x->oa;

	if (fake_fails("lost"))
		fake_oa_lose(s);
	if (fake_fails("wrapped"))
		s->unit.status |= OA_STATUS_COUNTER_OVERFLOW;
	if (fake_fails("triggers"))
		s->unit.status |= OA_STATUS_TRIGGERS_FULL;
	if (fake_oa_overflows(s))
		s->unit.status |= OA_STATUS_BUFFER_OVERFLOW;
	x->status = s->unit.status;
	if (x->status & OA_STATUS_BUFFER_OVERFLOW)
		fake_oa_accept_overrun(s);
	s->unit.status = 0;
	return x->status != 0;
}

static ssize_t oa_read(struct fake_xe_stream *stream, void *buf, size_t size)
{
	struct oa_stream *x = (struct oa_stream *)stream;
	struct fake_oa *s = x->oa;
	size_t bytes = s->unit.c.format->bytes, used = 0;
	int error = fake_fails("read");

	if (!s->enabled || !x->has_sample)
		return fake_fail(EINVAL);
	if (fake_oa_is_gone(s)) {
		x->status = OA_STATUS_REPORT_LOST | OA_STATUS_BUFFER_OVERFLOW | OA_STATUS_COUNTER_OVERFLOW |
			OA_STATUS_TRIGGERS_FULL;
		return fake_fail(EIO);
	}
	fake_oa_tick(s);
	if (error) {
		x->status = 0;
		return fake_fail(error);
	}
	while (!fake_oa_waiting(s)) {
		if (fcntl(s->fd, F_GETFL) & O_NONBLOCK) {
			fake_oa_rest(s);
			return fake_fail(EAGAIN);
		}
		if (s->exponent == NO_TIMER)
			return fake_fail(EINVAL);	/* it would wait for ever */
		fake_oa_rest(s);
		/* what fills mapped buffers goes on meanwhile */
		fake_units_release();
		poll(&(struct pollfd){ .fd = s->fd, .events = POLLIN }, 1, -1);
		fake_units_hold();
		fake_oa_tick(s);
	}
	bool lost = has_loss(x);
	size_t waiting = fake_oa_waiting(s), room = 0;
	if (!lost)
		room = fake_memory_bytes(buf, waiting < size ? waiting : size);
	if (lost || size < bytes || room < bytes)
		error = lost ? EIO : size < bytes ? ENOSPC : EFAULT;
	room = fake_oa_room(room, bytes);
	for (; !error && fake_oa_waiting(s) >= bytes && used + bytes <= room; used += bytes)
		fake_oa_take(s, (uint8_t *)buf + used);
	fake_oa_rest(s);
	return error ? fake_fail(error) : (ssize_t)used;
}

static void *oa_mmap(struct fake_xe_stream *stream, size_t length, int prot, int flags)
{
	return fake_oa_map(((struct oa_stream *)stream)->oa, length, prot, flags);
}

static void oa_close(struct fake_xe_stream *stream)
{
	fake_log("CLOSE stream\n");
	if (((struct oa_stream *)stream)->is_rendering) {
		fake_streamer_sees(NULL, 0);
		fake_keep_awake(false);
	}
	fake_oa_map_close(((struct oa_stream *)stream)->oa);
	fake_oa_close(((struct oa_stream *)stream)->oa);
	free(stream);
}

/* Registers that batches may use while reports are sampled, in the last slots of each engine's list
 * (Linux xe_reg_whitelist.c, xe_reg_whitelist_oa_regs()). */
static void list_registers(void)
{
	static const uint32_t engines[] = { 0x2000, 0x1a000 };	/* render, compute */
	static const struct {
		uint32_t slot, reg;
	} rows[] = { { 0x4f8, OAG_MMIOTRIGGER }, { 0x4fc, OAG_OASTATUS } };
	char path[PATH_MAX];
	int fd;

	fake_tree_path(path, "/sys/class/drm/card0/device/", "resource0");
	fd = real_open(path, O_WRONLY | O_CLOEXEC, 0);
	for (size_t i = 0; fd >= 0 && i < ARRAY_LEN(engines); i++)
		for (size_t k = 0; k < ARRAY_LEN(rows); k++)
			if (pwrite(fd, &rows[k].reg, 4, engines[i] + rows[k].slot) != 4)
				abort();
	if (fd >= 0)
		real_close(fd);
}

static int make_stream(int file, const struct request *q, const struct fake_regs *regs, int lock)
{
	bool renders = q->unit == XE_FAKE_OA_UNIT;
	struct fake_oa *s = fake_oa_open(regs,
		renders ? NULL : oa_format_by_number((int)q->format), (int)q->exponent, poll_ns(q),
		false, lock);
	struct oa_stream *x = calloc(1, sizeof(*x));

	if (!s || !x)
		return fake_fail(ENOMEM);
	*x = (struct oa_stream){ .stream = { oa_ioctl, oa_read, oa_close, oa_mmap },
		.oa = s,
		.file = file,
		.has_sample = q->has_sample,
		.is_rendering = renders };
	if (!fake_oa_as_xe(s, regs, q->buffer_bytes))
		return fake_fail(ENOMEM);
	fcntl(s->fd, F_SETFL, 0);	/* blocking, as anon_inode_getfd() makes it */
	s->config = q->config;
	if (!q->disabled)
		fake_oa_enable(s);
	if (renders) {
		fake_streamer_sees(s, (uint32_t)q->queue);
		fake_keep_awake(true);
		list_registers();
	}
	fake_xe_syncs_signal(file, 0, q->syncs, q->n_syncs);
	*fake_fd(s->fd) = (struct fake_fd){ .driver = &fake_xe, .minor = -1, .priv = x };
	return s->fd;
}

/* What the unit can write; all formats of media units begin with that type. */
static bool is_format(const struct request *q)
{
	const uint64_t type = 0xff, mpec = 4;

	if (q->unit != XE_FAKE_OA_UNIT)
		return (q->format & type) == mpec && oa_format_by_number((int)q->format);
	return q->format == oa_format_by_number(fake_machine()->device.oa_format)->xe_format;
}

static bool has_engine(const struct request *q, const struct xe_engine_instance *e)
{
	bool renders = e->engine_class == XE_CLASS_RENDER || e->engine_class == XE_CLASS_COMPUTE;

	return q->instance == e->instance &&
		(q->unit == XE_FAKE_OA_UNIT ? renders : e->engine_class == XE_CLASS_VIDEO_DECODE);
}

/* What the command streamer counts for one queue alone needs no right. */
static int check_request(int file, const struct request *q)
{
	const struct xe_engine_instance *engine = fake_xe_queue_engine(file, q->queue);
	uint64_t buffer_bytes = q->buffer_bytes ? q->buffer_bytes : DEFAULT_BUFFER_BYTES;

	if (q->queue && q->unit != XE_FAKE_OA_UNIT)
		return EINVAL;
	if (q->queue && !engine)
		return ENOENT;
	if (q->holds && !q->queue)
		return EINVAL;
	if ((!q->queue || q->has_sample || q->holds) && !fake_xe_may_observe())
		return EACCES;
	if ((!q->queue && !q->has_sample) || !is_format(q) || (q->queue && !has_engine(q, engine)))
		return EINVAL;
	if (q->wait > buffer_bytes / oa_format_by_number((int)q->format)->bytes)
		return EINVAL;
	return q->has_exponent && !q->has_sample ? EINVAL : 0;
}

int fake_xe_oa_open(int file, uint64_t chain)
{
	static struct fake_regs regs;
	struct request q = { .config = 0 };
	int error, lock, fd;

	fake_log("OA_OPEN\n");
	error = fake_fails("open");
	if (!error)
		error = fake_xe_properties(
			chain, MAX_PROPERTIES, XE_OA_PROPERTIES, take_property, &q);
	if (!error)
		error = check_request(file, &q);
	if (error)
		return fake_fail(error);
	if (!q.has_exponent)
		q.exponent = NO_TIMER;
	lock = fake_lock(q.unit == XE_FAKE_OA_UNIT ? "oa.lock" : "oam.lock");
	if (lock < 0)
		return fake_fail(EBUSY);
	error = fake_xe_syncs_check(file, q.syncs, q.n_syncs);
	if (!error && !fake_config_load(q.config, &regs))
		error = EINVAL;
	fd = error ? fake_fail(error) : make_stream(file, &q, &regs, lock);
	if (fd < 0) {
		error = errno;
		real_close(lock);
		errno = error;
	}
	return fd;
}
