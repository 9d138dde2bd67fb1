/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs the OA unit through i915 perf, and explains the kernel's refusals. */
#include "config.h"

#include "backends/intel/i915/i915_device.h"

#ifdef HAVE_LIBDRM

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/i915/i915_uapi.h"
#include "backends/intel/oa/oa_timer.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/mem.h"

#define MAX_RATE "/proc/sys/dev/i915/oa_max_sample_rate"

#define DG2_FORMAT 12	/* A24u40_A14u32_B8_C8 */

struct reg_pair {
	uint32_t address, value;
};

/* The properties of a stream, in the order in which the kernel's documentation lists them. */
struct properties {
	uint64_t pairs[2 * I915_PROP_COUNT];
	uint32_t n;
	struct drm_i915_gem_context_param_sseu sseu;
};

/* --- refusals --- */

static bool refuse_busy(const struct drm_node *n, struct err *err)
{
	err_set(err, ERR_BUSY,
		"%s: another program holds its OA unit, which serves one stream at a time",
		n->card);
	return err_hint(err,
		"a profiler, i915-perf-recorder or a performance query of Mesa may have it "
		"(intel_gpu_top never does); this finds it: sudo find /proc/[0-9]*/fd -lname "
		"'anon_inode:*i915_perf*'");
}

/* Explains the refusals that adding a programming and opening a stream share. what is the step, for
 * other refusals. */
static bool refuse(const struct drm_node *n, const char *what, struct err *err)
{
	char metrics[128];

	snprintf(metrics, sizeof(metrics), "/sys/class/drm/%s/metrics", n->card);
	switch (errno) {
	case EACCES:
	case EPERM:
		return drm_refuse_stream(n, "dev.i915.perf_stream_paranoid", err);
	case EBUSY:
		return refuse_busy(n, err);
	case ENODEV:
	case I915_ENOTSUPP:
		err_set(err, ERR_UNSUPPORTED, "%s: its driver offers no OA streams for this GPU",
			n->card);
		return err_hint(err, "sudo dmesg | grep i915 tells whether it was initialised");
	case EINVAL:
		if (!fsroot_exists(n->fs, metrics))
			err_set(err, ERR_UNSUPPORTED,
				"%s: this kernel has no OA streams (%s is missing)", n->card,
				metrics);
		else
			err_set(err, ERR_UNSUPPORTED,
				"%s: the kernel takes the request of this version as invalid: %s",
				n->card, what);
		return err_hint(err, "-m overview needs the least of a kernel");
	default:
		return err_sys(err, "%s: %s", n->card, what);
	}
}

/* --- programming --- */

static struct reg_pair *list_regs(const struct oa_profile *p, enum oa_reg_kind kind, uint32_t *n)
{
	struct reg_pair *list = xcalloc(p->n_regs + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < p->n_regs; i++)
		if (p->regs[i].kind == kind)
			list[(*n)++] = (struct reg_pair){ p->regs[i].address, p->regs[i].value };
	return list;
}

static int add_config_ioctl(const struct drm_node *n, const struct oa_profile *p)
{
	struct drm_i915_perf_oa_config c = { 0 };
	struct reg_pair *mux = list_regs(p, OA_REG_NOA, &c.n_mux_regs);
	struct reg_pair *boolean = list_regs(p, OA_REG_OA, &c.n_boolean_regs);
	struct reg_pair *flex = list_regs(p, OA_REG_FLEX, &c.n_flex_regs);

	memcpy(c.uuid, p->uuid, sizeof(c.uuid));
	c.mux_regs_ptr = (uintptr_t)mux;
	c.boolean_regs_ptr = (uintptr_t)boolean;
	c.flex_regs_ptr = (uintptr_t)flex;
	int id = node_ioctl(n->fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &c);
	free(mux);
	free(boolean);
	free(flex);
	return id;
}

/* Registers the programming. When somebody else left an equal one there, it serves as well, and
 * *own is false. */
static bool add_config(const struct drm_node *n, const struct oa_profile *p, uint64_t *id,
	bool *own, struct err *err)
{
	char path[160];
	int r = add_config_ioctl(n, p);

	*own = r > 0;
	*id = r > 0 ? (uint64_t)r : 0;
	if (*own)
		return true;
	if (r == 0 || errno != EADDRINUSE)
		return refuse(n, "the registers of this metric set", err);
	snprintf(path, sizeof(path), "/sys/class/drm/%s/metrics/%s/id", n->card, p->uuid);
	return fsroot_read_u64(n->fs, path, id, err);
}

/* --- streams --- */

static void put(struct properties *p, enum i915_prop id, uint64_t value)
{
	p->pairs[2 * p->n] = id;
	p->pairs[2 * p->n + 1] = value;
	p->n++;
}

const char i915_perf_halved[] =
	"half of the subslices are switched off while this counts: the kernel refuses to leave all on";

/* Gen11 switches half of the subslices off while a stream is open, unless the stream asks to leave
 * them all on (Linux i915_perf.c). It wants to hear the EUs that a subslice has room for, however
 * many are fused off (i915_gem_user_to_context_sseu()). */
static void put_sseu(struct properties *p, const struct topology *t)
{
	p->sseu.slice_mask = t->slice_mask;
	p->sseu.subslice_mask = t->subslice_mask & ((UINT64_C(1) << t->max_subslices) - 1);
	p->sseu.min_eus_per_subslice = (uint16_t)t->max_eus_per_subslice;
	p->sseu.max_eus_per_subslice = (uint16_t)t->max_eus_per_subslice;
	put(p, I915_PROP_GLOBAL_SSEU, (uintptr_t)&p->sseu);
}

static int perf_open_ioctl(
	const struct drm_node *n, const struct i915_perf_request *q, uint64_t config)
{
	struct properties p = { .n = 0 };
	struct drm_i915_perf_open_param param = { .flags = I915_PERF_FLAG_FD_CLOEXEC |
			I915_PERF_FLAG_FD_NONBLOCK };

	if (q->has_context)
		put(&p, I915_PROP_CTX_HANDLE, q->context);
	else
		put(&p, I915_PROP_SAMPLE_OA, 1);
	put(&p, I915_PROP_METRICS_SET, config);
	put(&p, I915_PROP_FORMAT, (uint64_t)q->format);
	if (q->exponent >= 0)
		put(&p, I915_PROP_EXPONENT, (uint64_t)q->exponent);
	if (q->whole)
		put_sseu(&p, q->whole);
	if (q->poll_period_ns)
		put(&p, I915_PROP_POLL_PERIOD, q->poll_period_ns);
	param.num_properties = p.n;
	param.properties_ptr = (uintptr_t)p.pairs;
	return node_ioctl(n->fd, DRM_IOCTL_I915_PERF_OPEN, &param);
}

/* Lowers the rate to the limit for ordinary processes. Returns false when the rate is not above
 * it, and with err when counters would turn unseen between two reports. */
static bool slow_down(const struct drm_node *n, struct i915_perf_request *q, struct err *err)
{
	const struct clock machine = { .is_virtual = false };
	uint64_t limit;
	int before = q->exponent;

	if (before < 0 || !fsroot_read_u64(n->fs, MAX_RATE, &limit, NULL))
		return false;
	while (q->exponent < 31 && oa_timer_rate(q->exponent, q->timestamp_hz) > limit)
		q->exponent++;
	if (oa_timer_period_ns(q->exponent, q->timestamp_hz) > q->longest_ns) {
		q->exponent = before;
		err_set(err, ERR_PERMISSION,
			"dev.i915.oa_max_sample_rate is %llu, and with so few reports a second the counters of "
			"%s would turn over unseen",
			(unsigned long long)limit, n->card);
		return err_hint(err, "sudo sysctl dev.i915.oa_max_sample_rate=%llu",
			(unsigned long long)oa_timer_rate(before, q->timestamp_hz) + 1);
	}
	if (q->exponent > before && q->log)
		log_add(q->log, clock_wall_ns(&machine), LOG_WARN,
			"%s: reports come at %llu Hz instead of %llu Hz: "
			"dev.i915.oa_max_sample_rate is %llu",
			n->card, (unsigned long long)oa_timer_rate(q->exponent, q->timestamp_hz),
			(unsigned long long)oa_timer_rate(before, q->timestamp_hz),
			(unsigned long long)limit);
	return q->exponent > before;
}

/* Only the kernel knows whether its limit on the rate holds for this process, so the wanted rate is
 * tried first. */
static int open_stream(
	const struct drm_node *n, struct i915_perf_request *q, uint64_t config, struct err *err)
{
	struct err slower = { 0 };
	int fd = perf_open_ioctl(n, q, config);

	if (fd < 0 && errno == EACCES) {
		if (slow_down(n, q, &slower))
			fd = perf_open_ioctl(n, q, config);
		else
			errno = EACCES;
	}
	if (fd < 0 && errno == EINVAL && q->whole) {
		q->whole = NULL;
		fd = perf_open_ioctl(n, q, config);
		q->halved = fd >= 0;
	}
	if (fd >= 0)
		return fd;
	if (slower.code) {
		if (err)
			*err = slower;
		return fd;
	}
	bool is_invalid = errno == EINVAL;
	refuse(n, "opening the OA stream", err);
	if (is_invalid && q->format == DG2_FORMAT)
		err_hint(err,
			"Linux 6.2 is the first whose i915 has OA streams for DG2 and Meteor Lake; "
			"uname -r tells yours");
	return fd;
}

bool i915_perf_replace(const struct drm_node *n, int *stream, const struct oa_profile *p,
	struct i915_perf_request *q, struct err *err)
{
	uint64_t id;
	bool own;

	if (!add_config(n, p, &id, &own, err))
		return false;
	driver_close(*stream);
	*stream = open_stream(n, q, id, err);
	if (own)
		node_ioctl(n->fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id);
	return *stream >= 0;
}

int i915_perf_open(const struct drm_node *n, const struct oa_profile *p,
	struct i915_perf_request *q, struct err *err)
{
	int fd = -1;

	i915_perf_replace(n, &fd, p, q, err);
	return fd;
}

#endif
