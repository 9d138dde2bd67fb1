/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registered programmings and streams of the fake i915. Behaviour and order of checks: Linux 6.12 drivers/gpu/drm/i915/i915_perf.c. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "backends/intel/i915/i915_uapi.h"
#include "backends/intel/oa/oa_timer.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/gem.h"
#include "tests/fakekernel/intel/i915.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/streamer.h"

#define DEFAULT_POLL_NS 5000000
#define NO_TIMER 31	/* no report within any test */
/* gen12_oa_disable() waits twice in vain for bits to be cleared. */
#define GONE_WAIT_NS 100000000

static bool may_observe(void)
{
	return fake_is_perfmon() ||
		fake_tree_number("/proc/sys/dev/i915/perf_stream_paranoid", 1) == 0;
}

/* --- programmings --- */

/* Registers that a programming may write. */
static bool is_allowed(enum oa_reg_kind kind, uint32_t address)
{
	static const struct fake_range bool8[] = { { 0x2710, 0x272c }, { 0x2740, 0x275c },
		{ 0x2770, 0x27ac } };
	static const struct fake_range bool12[] = { { 0x2b2c, 0x2b2c }, { 0xd900, 0xd91c },
		{ 0xd920, 0xd93c }, { 0xd940, 0xd97c }, { 0xdc00, 0xdc44 } };
	static const struct fake_range bool_hp[] = { { 0xdc48, 0xdc48 }, { 0xdd00, 0xdd48 } };
	static const struct fake_range mux8[] = { { 0x91b8, 0x91cc }, { 0x9800, 0x9888 },
		{ 0xe180, 0xe180 }, { 0x0d00, 0x0d2c }, { 0x20cc, 0x20cc } };
	static const struct fake_range mux7[] = { { 0x91b8, 0x91cc }, { 0x9800, 0x9888 },
		{ 0x9e80, 0x9ea4 }, { 0x9ec0, 0x9ec0 }, { 0xe180, 0xe180 }, { 0x25100, 0x2ff90 } };
	static const struct fake_range mux11[] = { { 0x91c8, 0x91dc } };
	static const struct fake_range mux_chv[] = { { 0x91b8, 0x91cc }, { 0x9800, 0x9888 },
		{ 0xe180, 0xe180 }, { 0x182300, 0x1823a4 } };
	static const struct fake_range mux12[] = { { 0x0d00, 0x0d04 }, { 0x0d0c, 0x0d2c },
		{ 0x9840, 0x9840 }, { 0x9884, 0x9888 }, { 0x20cc, 0x20cc } };
	static const struct fake_range mux_mtl[] = { { 0x0d00, 0x0d04 }, { 0x0d0c, 0x0d2c },
		{ 0x9840, 0x9840 }, { 0x9884, 0x9888 }, { 0x38d100, 0x38d114 } };
	bool new = fake_machine()->graphics_ver >= 12;
	bool is_mtl = intel_platform_by_name(fake_machine()->device.platform)->graphics_verx10 >= 127;

	switch (kind) {
	case OA_REG_OA:
		if (fake_machine()->device.oa_format == 12 &&
			fake_in_ranges(bool_hp, ARRAY_LEN(bool_hp), address))
			return true;
		return new ? fake_in_ranges(bool12, ARRAY_LEN(bool12), address)
			   : fake_in_ranges(bool8, ARRAY_LEN(bool8), address);
	case OA_REG_NOA:
		if (fake_machine()->graphics_ver == 7)
			return fake_in_ranges(mux7, ARRAY_LEN(mux7), address);
		if (!strcmp(fake_machine()->device.platform, "chv"))
			return fake_in_ranges(mux_chv, ARRAY_LEN(mux_chv), address);
		if (fake_machine()->graphics_ver == 11 &&
			fake_in_ranges(mux11, ARRAY_LEN(mux11), address))
			return true;
		if (is_mtl)
			return fake_in_ranges(mux_mtl, ARRAY_LEN(mux_mtl), address);
		return new ? fake_in_ranges(mux12, ARRAY_LEN(mux12), address)
			   : fake_in_ranges(mux8, ARRAY_LEN(mux8), address);
	default:
		for (int i = 0; i < OA_FLEX_REGS && fake_machine()->graphics_ver > 7; i++)
			if (oa_flex_addresses[i] == address)
				return true;
		return false;
	}
}

static bool take_regs(struct fake_regs *out, enum oa_reg_kind kind, uint64_t pointer, uint32_t n)
{
	const uint32_t *pairs = (const uint32_t *)(uintptr_t)pointer;

	for (uint32_t i = 0; i < n; i++) {
		if (out->n >= FAKE_MAX_REGS || !is_allowed(kind, pairs[2 * i])) {
			fake_log("  register %x of kind %d refused\n", pairs[2 * i], kind);
			return false;
		}
		if (kind == OA_REG_OA)
			fake_log("  %x = %x\n", pairs[2 * i], pairs[2 * i + 1]);
		out->r[out->n++] = (struct oa_reg){
			.kind = kind, .address = pairs[2 * i], .value = pairs[2 * i + 1]
		};
	}
	return true;
}

int fake_i915_add_config(const struct drm_i915_perf_oa_config *c)
{
	static struct fake_regs regs;
	char uuid[37];
	int error = fake_fails("add");

	regs.n = 0;
	fake_log("ADD_CONFIG %.36s mux %u boolean %u flex %u\n", c->uuid, c->n_mux_regs,
		c->n_boolean_regs, c->n_flex_regs);
	if (error)
		return fake_fail(error);
	if (!fake_has_metrics())
		return fake_fail(EINVAL);
	if (!may_observe())
		return fake_fail(EACCES);
	if (!(c->n_mux_regs && c->mux_regs_ptr) && !(c->n_boolean_regs && c->boolean_regs_ptr) &&
	    !(c->n_flex_regs && c->flex_regs_ptr))
		return fake_fail(EINVAL);
	if (!fake_is_uuid(c->uuid))
		return fake_fail(EINVAL);
	if (!fake_is_memory(c->mux_regs_ptr, (size_t)c->n_mux_regs * 8) ||
		!fake_is_memory(c->boolean_regs_ptr, (size_t)c->n_boolean_regs * 8) ||
		!fake_is_memory(c->flex_regs_ptr, (size_t)c->n_flex_regs * 8))
		return fake_fail(EFAULT);
	if (!take_regs(&regs, OA_REG_NOA, c->mux_regs_ptr, c->n_mux_regs) ||
	    !take_regs(&regs, OA_REG_OA, c->boolean_regs_ptr, c->n_boolean_regs) ||
	    !take_regs(&regs, OA_REG_FLEX, c->flex_regs_ptr, c->n_flex_regs))
		return fake_fail(EINVAL);
	snprintf(uuid, sizeof(uuid), "%.36s", c->uuid);
	return fake_config_add(uuid, &regs, 2);
}

int fake_i915_remove_config(uint64_t id)
{
	fake_log("REMOVE_CONFIG %llu\n", (unsigned long long)id);
	if (fake_fails("remove"))
		return fake_fail(EACCES);
	if (!may_observe())
		return fake_fail(EACCES);
	return fake_config_remove(id);
}

/* --- streams --- */

struct request {
	bool has_sample, has_class, has_instance, has_context, has_sseu, holds;
	uint64_t config, format, exponent, poll_ns;
	uint32_t context;
};

/* Whether slices and EUs may be switched on like that (Linux i915_gem_context.c,
 * i915_gem_user_to_context_sseu()): what is there, and on Gen11 all EUs of all subslices or of half
 * of them. Flags are not looked at. */
static bool is_sseu(const struct drm_i915_gem_context_param_sseu *s)
{
	const struct topology *t = &fake_machine()->device.topology;
	uint64_t first_slice = t->subslice_mask & ((UINT64_C(1) << t->max_subslices) - 1);
	int all = __builtin_popcountll(t->subslice_mask), asked = __builtin_popcountll(s->subslice_mask);

	if (s->engine.engine_class || s->engine.engine_instance || !s->slice_mask ||
	    !s->subslice_mask || !s->min_eus_per_subslice || !s->max_eus_per_subslice ||
	    s->min_eus_per_subslice > s->max_eus_per_subslice ||
	    s->max_eus_per_subslice > t->max_eus_per_subslice ||
	    s->slice_mask & ~t->slice_mask || s->subslice_mask & ~first_slice)
		return false;
	return fake_machine()->graphics_ver != 11 ||
		((asked == all || asked == all / 2) &&
			s->min_eus_per_subslice == t->max_eus_per_subslice &&
			s->max_eus_per_subslice == t->max_eus_per_subslice);
}

/* Linux i915_perf.c, oa_init_supported_formats(): formats that the unit of the generation writes. */
static bool is_format(int number)
{
	const struct fake_machine *m = fake_machine();

	if (m->device.oa_format == 12)	/* DG2 and Meteor Lake */
		return number == 11 || number == 12;
	if (m->graphics_ver == 7)
		return number >= 1 && number <= 7;
	return number == 7 || (m->graphics_ver < 12 && (number == 8 || number == 9)) ||
		number == 10 || (m->graphics_ver >= 12 && number == 11);
}

static int read_property(struct request *q, uint64_t id, uint64_t value)
{
	const struct fake_machine *m = fake_machine();

	fake_log("  property %llu = %llu\n", (unsigned long long)id,
		(unsigned long long)(id == I915_PROP_GLOBAL_SSEU ? 1 : value));
	switch (id) {
	case I915_PROP_CTX_HANDLE:
		q->context = (uint32_t)value;
		q->has_context = true;
		return 0;
	case I915_PROP_SAMPLE_OA:
		q->has_sample = value != 0;
		return 0;
	case I915_PROP_METRICS_SET:
		q->config = value;
		return value ? 0 : EINVAL;
	case I915_PROP_FORMAT:
		q->format = value;
		/* Linux 6.1 knows DG2's format only by name */
		if (value == 12 && m->perf_revision < 6)
			return EINVAL;
		return is_format((int)value) ? 0 : EINVAL;
	case I915_PROP_EXPONENT:
		if (value > 31)
			return EINVAL;
		if (!fake_is_perfmon() && oa_timer_rate((int)value, m->device.timestamp_hz) >
			(uint64_t)fake_tree_number("/proc/sys/dev/i915/oa_max_sample_rate", 100000))
			return EACCES;
		q->exponent = value;
		return 0;
	case I915_PROP_GLOBAL_SSEU:
		if (m->perf_revision < 4 || fake_fails("sseu"))
			return EINVAL;
		if (intel_platform_by_name(m->device.platform)->graphics_verx10 >= 125)
			return ENODEV;
		q->has_sseu = true;
		if (!fake_is_memory(value, sizeof(struct drm_i915_gem_context_param_sseu)))
			return EFAULT;
		return is_sseu((const void *)(uintptr_t)value) ? 0 : EINVAL;
	case I915_PROP_POLL_PERIOD:
		q->poll_ns = value;
		return m->perf_revision >= 5 && value >= 100000 ? 0 : EINVAL;
	case I915_PROP_ENGINE_CLASS:
		q->has_class = true;
		return m->perf_revision >= 6 && value == 0 ? 0 : EINVAL;
	case I915_PROP_ENGINE_INSTANCE:
		q->has_instance = true;
		return m->perf_revision >= 6 && value == 0 ? 0 : EINVAL;
	case I915_PROP_HOLD_PREEMPTION:
		q->holds = value != 0;
		return 0;
	default:
		return EINVAL;
	}
}

static int read_request(const struct drm_i915_perf_open_param *p, struct request *q)
{
	const uint64_t *pairs = (const uint64_t *)(uintptr_t)p->properties_ptr;
	int error = 0;

	if (p->flags &
		~(uint32_t)(I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK |
			I915_PERF_FLAG_DISABLED))
		return EINVAL;
	if (p->num_properties == 0 || p->num_properties >= I915_PROP_COUNT)
		return EINVAL;
	if (!fake_is_memory(p->properties_ptr, 2 * sizeof(*pairs) * p->num_properties))
		return EFAULT;
	for (uint32_t i = 0; i < p->num_properties && !error; i++)
		error = read_property(q, pairs[2 * i], pairs[2 * i + 1]);
	return error ? error : q->has_class != q->has_instance ? EINVAL : 0;
}

/* Haswell's reports have no GPU ticks; where Gen8's C4_B8 has them, nothing stands. */
static const struct oa_format *format_of(int number)
{
	const struct oa_format *f = oa_format_by_number(number);
	static struct oa_format without_ticks;

	if (!f || fake_machine()->graphics_ver > 7 || !f->has_ticks)
		return f;
	without_ticks = *f;
	without_ticks.has_ticks = false;
	return &without_ticks;
}

static int make_stream(const struct drm_i915_perf_open_param *p, const struct request *q,
	const struct fake_regs *regs, int lock)
{
	struct fake_oa *s = fake_oa_open(regs, format_of((int)q->format), (int)q->exponent,
		q->poll_ns, p->flags & I915_PERF_FLAG_FD_CLOEXEC, lock);

	if (!s)
		return -1;
	s->blocking = !(p->flags & I915_PERF_FLAG_FD_NONBLOCK);
	s->config = q->config;
	s->has_reports = q->has_sample;
	if (!(p->flags & I915_PERF_FLAG_DISABLED))
		fake_oa_enable(s);
	fake_streamer_sees(s, q->context);
	fake_keep_awake(true);
	*fake_fd(s->fd) = (struct fake_fd){ .driver = &fake_i915, .minor = -1, .priv = s };
	return s->fd;
}

int fake_i915_perf_open(const struct drm_i915_perf_open_param *p)
{
	static struct fake_regs regs;
	struct request q = { .poll_ns = DEFAULT_POLL_NS, .exponent = NO_TIMER };
	int error, lock, fd;

	fake_log("PERF_OPEN flags %u\n", p->flags);
	error = fake_fails("open");
	if (error)
		return fake_fail(error);
	error = read_request(p, &q);
	if (!error && q.has_context && !fake_gem_has_context(q.context))
		error = ENOENT;
	if (!error && q.holds && !q.has_context)
		error = EINVAL;
	if (error)
		return fake_fail(error);
	/* What counts for one's own context alone needs no right: the unit of Haswell, and from Gen12
	 * on that of the command streamer, which writes no reports by itself. */
	bool own = q.context && !q.has_sseu && !q.holds &&
		(fake_machine()->graphics_ver == 7 || (fake_machine()->graphics_ver >= 12 && !q.has_sample));
	if (!own && !may_observe())
		return fake_fail(EACCES);
	if (!fake_has_metrics())
		return fake_fail(EINVAL);
	/* Without reports only from Gen12 on, where the command streamer's unit counts for one
	 * context. */
	if (!q.has_sample && (fake_machine()->graphics_ver < 12 || !q.context))
		return fake_fail(EINVAL);
	lock = fake_lock("oa.lock");
	if (lock < 0)
		return fake_fail(EBUSY);
	fd = q.format && fake_config_load(q.config, &regs) ? make_stream(p, &q, &regs, lock)
							   : fake_fail(EINVAL);
	if (fd < 0) {
		error = errno;
		real_close(lock);
		errno = error;
	}
	return fd;
}

void fake_i915_stream_close(struct fake_oa *s)
{
	fake_log("CLOSE stream\n");
	fake_streamer_sees(NULL, 0);
	fake_keep_awake(false);
	fake_oa_close(s);
}

int fake_i915_stream_ioctl(struct fake_oa *s, unsigned long request, unsigned long arg)
{
	static struct fake_regs regs;
	uint64_t before = s->config;

	switch (request) {
	case I915_PERF_IOCTL_ENABLE:
		if (!s->enabled)
			fake_oa_enable(s);
		return 0;
	case I915_PERF_IOCTL_DISABLE:
		fake_oa_disable(s);
		return 0;
	case I915_PERF_IOCTL_CONFIG:
		if (!fake_config_load(arg, &regs))
			return fake_fail(EINVAL);
		fake_oa_program_later(s, &regs);
		s->config = arg;
		return (int)before;
	default:
		return fake_fail(EINVAL);
	}
}

static size_t put_header(uint8_t *buf, uint32_t type, size_t bytes)
{
	struct drm_i915_perf_record_header h = { .type = type,
		.size = (uint16_t)(sizeof(h) + bytes) };

	memcpy(buf, &h, sizeof(h));
	return sizeof(h);
}

/* Losses that the scenario wants, and those that the unit had. */
static size_t put_status(struct fake_oa *s, uint8_t *buf)
{
	if (fake_fails("lost"))
		fake_oa_lose(s);
	if (fake_oa_overflows(s) || (s->unit.status & OA_STATUS_BUFFER_OVERFLOW)) {
		fake_oa_reset(s);
		return put_header(buf, DRM_I915_PERF_RECORD_OA_BUFFER_LOST, 0);
	}
	if (!(s->unit.status & OA_STATUS_REPORT_LOST))
		return 0;
	s->unit.status = 0;
	return put_header(buf, DRM_I915_PERF_RECORD_OA_REPORT_LOST, 0);
}

static size_t put_samples(struct fake_oa *s, uint8_t *buf, size_t size)
{
	size_t bytes = s->unit.c.format->bytes, used = 0;

	while (fake_oa_waiting(s) >= bytes &&
		used + sizeof(struct drm_i915_perf_record_header) + bytes <= size) {
		used += put_header(buf + used, DRM_I915_PERF_RECORD_SAMPLE, bytes);
		fake_oa_take(s, buf + used);
		used += bytes;
	}
	return used;
}

ssize_t fake_i915_stream_read(struct fake_oa *s, void *buf, size_t size)
{
	size_t record = sizeof(struct drm_i915_perf_record_header) + s->unit.c.format->bytes, used, room;
	int error = fake_fails("read");

	/* No path of i915_perf_read() knows ENODEV: both bits of a register that reads ~0 are set (gen8_oa_read()). */
	if (!error && fake_oa_is_gone(s) && size >= 2 * sizeof(struct drm_i915_perf_record_header)) {
		nanosleep(&(struct timespec){ .tv_nsec = GONE_WAIT_NS }, NULL);
		used = put_header(buf, DRM_I915_PERF_RECORD_OA_BUFFER_LOST, 0);
		return (ssize_t)(used + put_header((uint8_t *)buf + used, DRM_I915_PERF_RECORD_OA_REPORT_LOST, 0));
	}
	fake_oa_tick(s);
	if (error)
		return fake_fail(error);
	if (!s->enabled || !s->has_reports)
		return fake_fail(EIO);
	while (!fake_oa_waiting(s)) {
		if (!s->blocking) {
			fake_oa_rest(s);
			return fake_fail(EAGAIN);
		}
		if (s->exponent == NO_TIMER)
			return fake_fail(EIO);	/* it would wait for ever */
		fake_oa_wait(s);
	}
	room = fake_oa_waiting(s) / s->unit.c.format->bytes * record +
		sizeof(struct drm_i915_perf_record_header);
	room = fake_memory_bytes(buf, room < size ? room : size);
	if (size < record || room < record) {
		fake_oa_rest(s);
		return fake_fail(size < record ? ENOSPC : EFAULT);
	}
	used = put_status(s, buf);
	room = used + fake_oa_room(room - used, record);
	used += put_samples(s, (uint8_t *)buf + used, room - used);
	fake_oa_rest(s);
	return (ssize_t)used;
}
