/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programming of the OA unit through i915 perf, and the reading of its stream. */
#include "config.h"

#include "backends/intel/i915_stream.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"

#ifdef HAVE_LIBDRM

#include "backends/intel/i915_uapi.h"
#include "backends/intel/oa_accum.h"
#include "backends/intel/oa_profile.h"
#include "backends/intel/oa_records.h"
#include "backends/intel/oa_timer.h"
#include "backends/intel/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/recfile.h"

#define READ_BYTES 65536
/* One call drains at most what the kernel's buffer holds, so that a device that is faster than we are cannot keep us for ever. */
#define MAX_READS (OA_BUFFER_BYTES / READ_BYTES + 16)
#define POLLS_PER_WINDOW 10
#define POLL_MIN_NS (5 * NS_PER_MS)
#define POLL_MAX_NS (100 * NS_PER_MS)
/* The signal network settles in about half a millisecond (Linux i915_perf.c, NOA wait); reports before that may show the programming
 * of somebody else. */
#define SETTLE_NS NS_PER_MS
#define PARANOID "/proc/sys/dev/i915/perf_stream_paranoid"
#define MAX_RATE "/proc/sys/dev/i915/oa_max_sample_rate"

struct i915_stream {
	struct source source;
	struct i915_node node;
	struct oa_stream oa;
	struct record_tap tap;
	int64_t window_ns;		/* where the window being gathered began, by the app's clock */
	bool collected;			/* one window is complete */
	bool failed;
	bool has_first, settled;
	uint32_t first_timestamp;
	int exponent;
	uint8_t buf[READ_BYTES];
};

struct reg_pair {
	uint32_t address, value;
};

/* The properties of a stream, in the order in which the kernel's documentation lists them. */
struct properties {
	uint64_t pairs[2 * I915_PROP_COUNT];
	uint32_t n;
	struct drm_i915_gem_context_param_sseu sseu;
};

bool i915_is_built_in(void)
{
	return true;
}

/* --- refusals --- */

static const char *own_path(char *buf, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", buf, size - 1);

	snprintf(buf + (len > 0 ? len : 0), size - (len > 0 ? (size_t)len : 0), "%s", len > 0 ? "" : "rooftop");
	return buf;
}

static bool refuse_rights(const struct i915_node *n, struct err *err)
{
	uint64_t paranoid = 1;
	char exe[200];
	bool known = fsroot_read_u64(n->fs, PARANOID, &paranoid, NULL);

	err_set(err, ERR_PERMISSION,
		_("%s: the kernel gives OA counters only to privileged processes (dev.i915.perf_stream_paranoid %s)"), n->card, !known ? _("cannot be read") : paranoid ? _("is 1") : _("is 0, so another rule forbids it"));
	if (known && paranoid == 0)
		return err_hint(err, "sudo setcap cap_perfmon+ep %s", own_path(exe, sizeof(exe)));
	return err_hint(err, _("sudo setcap cap_perfmon+ep %s, or, for everybody: sudo sysctl dev.i915.perf_stream_paranoid=0"),
		own_path(exe, sizeof(exe)));
}

static bool refuse_busy(const struct i915_node *n, struct err *err)
{
	err_set(err, ERR_BUSY, _("%s: another program holds its OA unit, which serves one stream at a time"), n->card);
	return err_hint(err, _("this finds it: sudo find /proc/[0-9]*/fd -lname 'anon_inode:*i915_perf*'"));
}

/* Refusals that adding a programming and opening a stream share; what: the step, for the others. */
static bool refuse(const struct i915_node *n, const char *what, struct err *err)
{
	char metrics[128];

	snprintf(metrics, sizeof(metrics), "/sys/class/drm/%s/metrics", n->card);
	switch (errno) {
	case EACCES:
	case EPERM:
		return refuse_rights(n, err);
	case EBUSY:
		return refuse_busy(n, err);
	case ENODEV:
	case I915_ENOTSUPP:
		err_set(err, ERR_UNSUPPORTED, _("%s: its driver offers no OA streams for this GPU"), n->card);
		return err_hint(err, _("sudo dmesg | grep i915 tells whether it was initialised"));
	case EINVAL:
		if (!fsroot_exists(n->fs, metrics))
			err_set(err, ERR_UNSUPPORTED, _("%s: this kernel has no OA streams (%s is missing)"), n->card, metrics);
		else
			err_set(err, ERR_UNSUPPORTED, _("%s: the kernel takes the request of this version as invalid: %s"), n->card, what);
		return err_hint(err, _("-m overview needs the least of a kernel"));
	default:
		return err_sys(err, _("%s: %s"), n->card, what);
	}
}

static bool fail_read(const struct i915_stream *s, struct err *err)
{
	const char *card = s->node.card;

	switch (errno) {
	case EIO:
		err_set(err, ERR_SYS, _("%s: the kernel has stopped its OA stream (%s)"), card, strerror(EIO));
		return err_hint(err, _("sudo dmesg | grep i915 tells whether the GPU was reset; then start again"));
	case ENODEV:
		err_set(err, ERR_SYS, _("%s: the GPU is gone (%s)"), card, strerror(ENODEV));
		return err_hint(err, _("sudo dmesg | grep i915 tells why; 'rooftop -L' lists what is left"));
	case ENOSPC:
		err_set(err, ERR_SYS, _("%s: a report does not fit into the %d bytes offered (%s)"), card, READ_BYTES, strerror(ENOSPC));
		return err_hint(err, _("'rooftop doctor' shows the kernel; please report it as a bug"));
	default:
		return err_sys(err, _("%s: cannot read its OA stream"), card);
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

static int add_config_ioctl(const struct i915_node *n, const struct oa_profile *p)
{
	struct drm_i915_perf_oa_config c = { 0 };
	struct reg_pair *mux = list_regs(p, OA_REG_NOA, &c.n_mux_regs);
	struct reg_pair *boolean = list_regs(p, OA_REG_OA, &c.n_boolean_regs);
	struct reg_pair *flex = list_regs(p, OA_REG_FLEX, &c.n_flex_regs);
	int id;

	memcpy(c.uuid, p->uuid, sizeof(c.uuid));
	c.mux_regs_ptr = (uintptr_t)mux;
	c.boolean_regs_ptr = (uintptr_t)boolean;
	c.flex_regs_ptr = (uintptr_t)flex;
	id = i915_ioctl(n->fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &c);
	free(mux);
	free(boolean);
	free(flex);
	return id;
}

/* Registers the programming. An equal one that somebody else left there serves as well: *own is false then. */
static bool add_config(const struct i915_node *n, const struct oa_profile *p, uint64_t *id, bool *own, struct err *err)
{
	char path[160];
	int r = add_config_ioctl(n, p);

	*own = r > 0;
	*id = r > 0 ? (uint64_t)r : 0;
	if (*own)
		return true;
	if (r == 0 || errno != EADDRINUSE)
		return refuse(n, _("the registers of this metric set"), err);
	snprintf(path, sizeof(path), "/sys/class/drm/%s/metrics/%s/id", n->card, p->uuid);
	return fsroot_read_u64(n->fs, path, id, err);
}

static void put(struct properties *p, enum i915_prop id, uint64_t value)
{
	p->pairs[2 * p->n] = id;
	p->pairs[2 * p->n + 1] = value;
	p->n++;
}

/* Gen11 switches half of the subslices off while a stream is open, unless it is told to leave them all on (Linux i915_perf.c). */
static void put_sseu(struct properties *p, const struct device *d)
{
	const struct topology *t = &d->topology;

	if (t->subslices == 0)
		return;
	p->sseu.slice_mask = t->slice_mask;
	p->sseu.subslice_mask = t->subslice_mask & ((UINT64_C(1) << t->max_subslices) - 1);
	p->sseu.min_eus_per_subslice = p->sseu.max_eus_per_subslice = (uint16_t)(t->eus / t->subslices);
	put(p, I915_PROP_GLOBAL_SSEU, (uintptr_t)&p->sseu);
}

/* How often the kernel looks for new reports: wake-ups cost, and a window needs some. */
static uint64_t poll_period_ns(int64_t delay_ns)
{
	int64_t ns = delay_ns / POLLS_PER_WINDOW;

	return (uint64_t)(ns < POLL_MIN_NS ? POLL_MIN_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns);
}

static int perf_open_ioctl(const struct i915_stream *s, const struct device *d, const struct open_options *o, uint64_t config)
{
	struct properties p = { .n = 0 };
	struct drm_i915_perf_open_param param = { .flags = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK };

	put(&p, I915_PROP_SAMPLE_OA, 1);
	put(&p, I915_PROP_METRICS_SET, config);
	put(&p, I915_PROP_FORMAT, (uint64_t)d->oa_format);
	put(&p, I915_PROP_EXPONENT, (uint64_t)s->exponent);
	if (s->oa.graphics_ver == 11 && s->node.perf_revision >= 4)
		put_sseu(&p, d);
	if (s->node.perf_revision >= 5)
		put(&p, I915_PROP_POLL_PERIOD, poll_period_ns(o->delay_ns));
	param.num_properties = p.n;
	param.properties_ptr = (uintptr_t)p.pairs;
	return i915_ioctl(s->node.fd, DRM_IOCTL_I915_PERF_OPEN, &param);
}

/* Lowers the rate to the limit for ordinary processes. False: it is not above it. */
static bool slow_down(struct i915_stream *s, const struct open_options *o)
{
	const struct clock machine = { .is_virtual = false };
	uint64_t limit;
	int before = s->exponent;

	if (!fsroot_read_u64(s->node.fs, MAX_RATE, &limit, NULL))
		return false;
	while (s->exponent < 31 && oa_timer_rate(s->exponent, s->oa.timestamp_hz) > limit)
		s->exponent++;
	if (s->exponent > before && o->log)
		log_add(o->log, clock_wall_ns(&machine), LOG_WARN,
			_("%s: reports come at %llu Hz instead of %llu Hz: dev.i915.oa_max_sample_rate is %llu"),
			s->node.card, (unsigned long long)oa_timer_rate(s->exponent, s->oa.timestamp_hz),
			(unsigned long long)oa_timer_rate(before, s->oa.timestamp_hz), (unsigned long long)limit);
	return s->exponent > before;
}

/* Whether the limit on the rate holds for this process cannot be told before: only the kernel knows its rights. */
static bool perf_open(struct i915_stream *s, const struct device *d, const struct open_options *o, uint64_t config,
	struct err *err)
{
	s->source.fd = perf_open_ioctl(s, d, o, config);
	if (s->source.fd < 0 && errno == EACCES && slow_down(s, o))
		s->source.fd = perf_open_ioctl(s, d, o, config);
	return s->source.fd >= 0 || refuse(&s->node, _("opening the OA stream"), err);
}

static bool program(struct i915_stream *s, const struct device *d, const struct open_options *o, struct err *err)
{
	struct oa_profile p;
	uint64_t id;
	bool own = false, good;

	if (!oa_profile_build(&p, o->set, s->oa.graphics_ver, oa_config_embedded, NULL, err))
		return false;
	good = add_config(&s->node, &p, &id, &own, err) && perf_open(s, d, o, id, err);
	if (own)
		i915_ioctl(s->node.fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id);
	oa_profile_release(&p);
	return good;
}

/* --- reading --- */

/* Bytes of records at the start that are older than the settled programming. */
static size_t unsettled(struct i915_stream *s, size_t len)
{
	uint64_t settle_ticks = (s->oa.timestamp_hz * SETTLE_NS + NS_PER_S - 1) / NS_PER_S;
	struct rec_header h;
	struct oa_header report;

	for (size_t at = 0; at + sizeof(h) <= len; at += h.size) {
		memcpy(&h, s->buf + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len - at)
			return at;	/* the decoder tells what is wrong */
		if (h.type != REC_SAMPLE || h.size != sizeof(h) + s->oa.accum.format->bytes)
			continue;
		oa_read_header(s->oa.accum.format, s->buf + at + sizeof(h), &report);
		if (!s->has_first)
			s->first_timestamp = (uint32_t)report.timestamp;
		s->has_first = true;
		s->settled = (uint32_t)report.timestamp - s->first_timestamp >= settle_ticks;
		if (s->settled)
			return at;
	}
	return len;
}

static bool take(struct i915_stream *s, size_t len, struct err *err)
{
	size_t skipped = s->settled ? 0 : unsettled(s, len);

	if (skipped == len)
		return true;
	if (s->tap.records)
		s->tap.records(s->tap.ctx, s->buf + skipped, len - skipped);
	return oa_stream_records(&s->oa, s->buf + skipped, len - skipped, err);
}

static bool stream_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct i915_stream *s = (struct i915_stream *)src;

	(void)now_ns;
	for (unsigned i = 0; i < MAX_READS; i++) {
		ssize_t n = read(src->fd, s->buf, sizeof(s->buf));

		s->failed = n < 0 && errno != EAGAIN && errno != EINTR;
		if (s->failed)
			return fail_read(s, err);
		if (n == 0 || (n < 0 && errno == EAGAIN))
			return true;
		if (n > 0 && !take(s, (size_t)n, err)) {
			s->failed = true;
			return false;
		}
	}
	return true;
}

static void stream_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct i915_stream *s = (struct i915_stream *)src;

	oa_stream_take(&s->oa, out);
	out->t0_ns = s->window_ns;
	out->t1_ns = now_ns;
	s->window_ns = now_ns;
	if (s->failed) {
		out->why = WHY_STALE;
		return;
	}
	if (!s->collected)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = s->collected || out->why == WHY_OK;
}

static void stream_set_tap(struct source *src, const struct record_tap *tap)
{
	struct i915_stream *s = (struct i915_stream *)src;

	s->tap = tap ? *tap : (struct record_tap){ 0 };
}

static bool stream_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err)
{
	const struct i915_stream *s = (const struct i915_stream *)src;

	(void)now_ns;
	return i915_node_correlate(&s->node, cpu_ns, gpu_timestamp, err);
}

static void stream_close(struct source *src)
{
	struct i915_stream *s = (struct i915_stream *)src;

	if (src->fd >= 0)
		close(src->fd);
	i915_node_close(&s->node);
	free(s);
}

static const struct source_ops stream_ops = {
	.ready = stream_ready,
	.collect = stream_collect,
	.set_tap = stream_set_tap,
	.correlate = stream_correlate,
	.close = stream_close,
};

struct source *i915_stream_open(const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct i915_stream *s = xcalloc(1, sizeof(*s));
	bool identified;

	s->source = (struct source){ .ops = &stream_ops, .fd = -1, .priv = s };
	s->node.fd = -1;
	s->window_ns = o->now_ns;
	if (!i915_node_open(&s->node, o->fs, card, err))
		goto fail;
	identified = i915_node_identify(&s->node, d, err);
	intel_device_set_consts(d);
	if (!identified || !oa_stream_init(&s->oa, d, p->graphics_ver, err))
		goto fail;
	s->exponent = oa_timer_exponent(o->oa_period_ns, o->delay_ns, d->timestamp_hz, d->max_hz, s->oa.accum.format->bytes);
	if (!program(s, d, o, err))
		goto fail;
	snprintf(s->source.feed.name, sizeof(s->source.feed.name), "oa");
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "i915 perf");
	s->source.feed.counters = s->oa.counters;
	s->source.feed.n_counters = s->oa.n_counters;
	return &s->source;
fail:
	stream_close(&s->source);
	return NULL;
}

#else

bool i915_is_built_in(void)
{
	return false;
}

struct source *i915_stream_open(const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	(void)d;
	(void)o;
	err_set(err, ERR_UNSUPPORTED, _("%s: this build leaves i915 streams out, for want of libdrm"), card);
	return NULL;
}

#endif
