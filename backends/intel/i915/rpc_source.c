/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gets OA reports by batches of our own. H. Duarte's thesis (2018, ch. 3.1) measures kernels in
 * this way. */
#include "config.h"

#include "backends/intel/i915/i915_device.h"

#ifdef HAVE_LIBDRM

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/platform/platform.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/mem.h"
#include "backends/intel/i915/i915_uapi.h"
#include "backends/card/drm_node.h"

#define MI_BATCH_BUFFER_END 0x05000000u

#define GEM_BYTES 4096

/* A page that CPU and GPU share. The caller owns it. When map is NULL, there is no page. */
struct gem_object {
	uint32_t handle;
	void *map;
};

/* What a batch needs to know. */
struct gem_batch {
	struct gem_object batch;	/* the commands */
	struct gem_object target;	/* what they write into */
	uint32_t context;		/* 0: the node's own */
	/* before Gen8 the kernel puts the target's address at byte relocate_at of the commands */
	bool relocate;
	uint32_t relocate_at;
};

/* Where batch and target lie in the context's address space when the kernel does not relocate. */
#define GEM_TARGET_ADDRESS 0x100000u

#define GEM_BATCH_ADDRESS 0x200000u

/* The old ioctl maps a page; cards with memory of their own have another one instead. */
static void *map(const struct drm_node *n, uint32_t handle)
{
	struct drm_i915_gem_mmap old = { .handle = handle, .size = GEM_BYTES };
	struct drm_i915_gem_mmap_offset fixed = { .handle = handle,
		.flags = I915_MMAP_OFFSET_FIXED };

	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_MMAP, &old) == 0)
		return (void *)(uintptr_t)old.addr_ptr;
	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &fixed) < 0)
		return NULL;
	return driver_map(n->fd, GEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		(int64_t)fixed.offset);
}

static void free_handle(const struct drm_node *n, uint32_t handle)
{
	struct drm_gem_close c = { .handle = handle };

	node_ioctl(n->fd, DRM_IOCTL_GEM_CLOSE, &c);
}

/* Makes the page. Returns false with errno. */
static bool gem_object_open(struct gem_object *b, const struct drm_node *n)
{
	struct drm_i915_gem_create create = { .size = GEM_BYTES };

	*b = (struct gem_object){ .map = NULL };
	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_CREATE, &create) < 0)
		return false;
	b->handle = create.handle;
	b->map = map(n, create.handle);
	if (b->map)
		return true;
	int error = errno;
	free_handle(n, create.handle);
	errno = error;
	return false;
}

static void gem_object_close(struct gem_object *b, const struct drm_node *n)
{
	if (!b->map)
		return;
	driver_unmap(b->map, GEM_BYTES, n->path);
	free_handle(n, b->handle);
	b->map = NULL;
}

/* Makes a context of our own. Returns false with errno. */
static bool gem_context_open(const struct drm_node *n, uint32_t *context)
{
	struct drm_i915_gem_context_create create = { .ctx_id = 0 };

	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create) < 0)
		return false;
	*context = create.ctx_id;
	return true;
}

/* Makes what one side has written visible to the other. Cards with memory of their own have no such
 * call, and need none. */
static bool set_domain(const struct drm_node *n, const struct gem_object *b, bool write)
{
	struct drm_i915_gem_set_domain d = { .handle = b->handle,
		.read_domains = I915_GEM_DOMAIN_CPU,
		.write_domain = write ? I915_GEM_DOMAIN_CPU : 0 };

	return node_ioctl(n->fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d) == 0 || errno == ENODEV;
}

/* Copies the commands into the batch and hands it to the render engine; does not wait. The previous
 * batch must be done. Returns false with errno. */
static bool gem_batch_submit(const struct gem_batch *b, const struct drm_node *n,
	const uint32_t *commands, size_t n_commands)
{
	struct drm_i915_gem_relocation_entry reloc = { .target_handle = b->target.handle,
		.offset = b->relocate_at,
		.read_domains = I915_GEM_DOMAIN_INSTRUCTION,
		.write_domain = I915_GEM_DOMAIN_INSTRUCTION,
		.presumed_offset = UINT64_MAX };
	struct drm_i915_gem_exec_object2 objects[2] = {
		{ .handle = b->target.handle, .flags = EXEC_OBJECT_WRITE, .offset = GEM_TARGET_ADDRESS },
		{ .handle = b->batch.handle, .offset = GEM_BATCH_ADDRESS },
	};
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)objects,
		.buffer_count = 2,
		.batch_len = (uint32_t)(n_commands * sizeof(*commands)),
		.flags = I915_EXEC_RENDER,
		.rsvd1 = b->context };

	if (b->relocate) {
		objects[1].relocs_ptr = (uintptr_t)&reloc;
		objects[1].relocation_count = 1;
	} else {
		objects[0].flags |= EXEC_OBJECT_PINNED;
		objects[1].flags |= EXEC_OBJECT_PINNED;
	}
	if (!set_domain(n, &b->batch, true))
		return false;
	memcpy(b->batch.map, commands, n_commands * sizeof(*commands));
	return node_ioctl(n->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) == 0;
}

/* Waits at most timeout_ns, after which the target may be read. Returns false with errno, which is
 * ETIME when the batch is not done. */
static bool gem_batch_wait(const struct gem_batch *b, const struct drm_node *n, int64_t timeout_ns)
{
	struct drm_i915_gem_wait wait = { .bo_handle = b->target.handle, .timeout_ns = timeout_ns };

	return node_ioctl(n->fd, DRM_IOCTL_I915_GEM_WAIT, &wait) == 0 &&
		set_domain(n, &b->target, false);
}

/* The wait is as long as a batch on an idle engine takes, and no longer than the loop may stand
 * still. */
#define WAIT_NS NS_PER_MS

/* The command in each generation; a 64-bit address has two words. From Linux intel_gpu_commands.h
 * MI_REPORT_PERF_COUNT; PRM vol. 2a. */
static const struct rpc_command {
	uint16_t first_verx10, last_verx10;
	uint32_t opcode;
	int address_words;
	/* reports count one context (OAR), which the stream has to know */
	bool own_context;
} commands[] = {
	{ 75, 75, 0x28u << 23 | 1, 1, false },
	{ 80, 119, 0x28u << 23 | 2, 2, false },
	{ 120, 120, 0x28u << 23 | 2, 2, true },
};

struct rpc_source {
	struct oa_poll poll;
	const struct rpc_command *command;
	struct oa_profile profile;
	struct i915_perf_request request;
	int stream;		/* -1: none */
	bool has_context;
	struct gem_batch batch;
	uint32_t asked;		/* reports so far */
	bool pending;
};

static const struct rpc_command *command_of(const struct device *d)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);

	for (size_t i = 0; p && i < ARRAY_LEN(commands); i++)
		if (p->graphics_verx10 >= commands[i].first_verx10 &&
			p->graphics_verx10 <= commands[i].last_verx10)
			return &commands[i];
	return NULL;
}

bool rpc_source_possible(const struct device *d, const struct fsroot *fs, struct err *err)
{
	(void)fs;
	if (command_of(d))
		return true;
	err_set(err, ERR_UNSUPPORTED,
		"%s: reports of this GPU's command streamer have other counters than its OA unit",
		d->id);
	return err_hint(err, "use --access perf");
}

/* --- batches --- */

/* Makes the number that the report gets in place of the reason and the clock. It reads as a timer's
 * report, and has a running number where nothing else stands on any generation. */
static uint32_t report_id(const struct rpc_source *s)
{
	return (uint32_t)OA_REASON_TIMER << 19 | (s->asked & 31) << 11;
}

static bool submit(struct rpc_source *s)
{
	uint32_t words[8];
	size_t n = 0;

	words[n++] = s->command->opcode;
	words[n++] = s->batch.relocate ? 0 : GEM_TARGET_ADDRESS;
	if (s->command->address_words == 2)
		words[n++] = 0;
	s->asked++;
	words[n++] = report_id(s);
	words[n++] = MI_BATCH_BUFFER_END;
	if (n % 2)
		words[n++] = 0;	/* a batch is a multiple of 8 bytes */
	s->pending = gem_batch_submit(&s->batch, &s->poll.i915.live.node, words, n);
	return s->pending;
}

static bool fail_batch(const struct rpc_source *s, struct err *err)
{
	const char *card = s->poll.i915.live.node.card;

	switch (errno) {
	case EIO:
		err_set(err, ERR_SYS,
			"%s: the GPU takes no more commands: its driver has given it up (%s)",
			card, strerror(EIO));
		return err_hint(err,
			"sudo dmesg | grep i915 tells why; a restart of the machine helps for "
			"certain");
	case ENODEV:
		err_set(err, ERR_SYS, "%s: the GPU is gone (%s)", card, strerror(ENODEV));
		return err_hint(err,
			"sudo dmesg | grep i915 tells why; 'rooftop -L' lists what is left");
	default:
		return err_sys(err, "%s: cannot ask the command streamer for a report", card);
	}
}

/* Takes the report of the pending batch, if it has run. A report without our number was dropped:
 * the unit is off. */
static enum oa_fetch take(
	struct rpc_source *s, int64_t timeout_ns, uint8_t *report, struct err *err)
{
	struct oa_header h;

	if (!gem_batch_wait(&s->batch, &s->poll.i915.live.node, timeout_ns)) {
		if (errno == ETIME)
			return OA_FETCH_NONE;
		fail_batch(s, err);
		return OA_FETCH_FAILED;
	}
	s->pending = false;
	memcpy(report, s->batch.target.map, s->poll.i915.live.oa.accum.format->bytes);
	oa_read_header(s->poll.i915.live.oa.accum.format, report, &h);
	if (h.id == report_id(s))
		return OA_FETCH_REPORT;
	err_set(err, ERR_SYS, "%s: the command streamer wrote no report: the OA unit is off",
		s->poll.i915.live.node.card);
	err_hint(err,
		"sudo dmesg | grep i915 tells whether the GPU was reset; --access perf asks the "
		"kernel instead");
	return OA_FETCH_FAILED;
}

/* A batch may wait behind a long kernel. Then this window ends at the report before, and the next
 * one begins there. */
static enum oa_fetch fetch(struct oa_poll *p, uint8_t *report, struct err *err)
{
	struct rpc_source *s = (struct rpc_source *)p;
	bool was_pending = s->pending;

	if (!was_pending && !submit(s)) {
		fail_batch(s, err);
		return OA_FETCH_FAILED;
	}
	return take(s, was_pending ? 0 : WAIT_NS, report, err);
}

/* --- opening --- */

static bool begin(struct rpc_source *s, struct err *err)
{
	const struct drm_node *n = &s->poll.i915.live.node;

	if (!gem_object_open(&s->batch.batch, n) || !gem_object_open(&s->batch.target, n))
		return err_sys(err, "%s: cannot get memory that the GPU can write", n->card);
	if (s->command->own_context) {
		s->has_context = gem_context_open(n, &s->batch.context);
		if (!s->has_context)
			return err_sys(err, "%s: cannot make a context", n->card);
		s->request.has_context = true;
		s->request.context = s->batch.context;
	}
	s->stream = i915_perf_open(n, &s->profile, &s->request, err);
	if (s->request.halved)
		snprintf(s->poll.note, sizeof(s->poll.note), "%s", i915_perf_halved);
	return s->stream >= 0;
}

static void stop(struct oa_poll *p)
{
	struct rpc_source *s = (struct rpc_source *)p;

	driver_close(s->stream);
	gem_object_close(&s->batch.batch, &p->i915.live.node);
	gem_object_close(&s->batch.target, &p->i915.live.node);
	if (s->has_context) {
		struct drm_i915_gem_context_destroy destroy = { .ctx_id = s->batch.context };

		node_ioctl(p->i915.live.node.fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy);
	}
	oa_profile_release(&s->profile);
}

static const struct oa_poll_ops ops = {
	.size = sizeof(struct rpc_source), .fetch = fetch, .stop = stop
};

static void prepare(struct rpc_source *s, const struct device *d, const struct open_options *o)
{
	s->request = (struct i915_perf_request){
		.format = d->oa_format,
		.exponent = -1,
		.timestamp_hz = d->timestamp_hz,
		.log = o->log,
	};
	if (s->poll.i915.live.oa.graphics_ver == 11 && s->poll.i915.perf_revision >= 4)
		s->request.whole = &d->topology;
	s->batch.relocate = s->command->address_words == 1;
	s->batch.relocate_at = sizeof(uint32_t);
	s->poll.of_context = s->command->own_context;
	if (s->poll.of_context)
		snprintf(s->poll.note, sizeof(s->poll.note), "%s",
			"the command streamer counts this program's own context, not what others "
			"do on the GPU");
}

struct source *rpc_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	if (!rpc_source_possible(d, o->fs, err))
		return NULL;
	struct rpc_source *s = oa_poll_new(&ops, o->now_ns);
	s->command = command_of(d);
	s->stream = -1;
	if (oa_poll_init(&s->poll, card, d, o, "MI_REPORT_PERF_COUNT", err)) {
		prepare(s, d, o);
		if (oa_profile_build(&s->profile, o->set, d, oa_config_embedded, err) &&
			begin(s, err) && oa_poll_start(&s->poll, d, o, err))
			return &s->poll.i915.live.source;
	}
	source_close(&s->poll.i915.live.source);
	return NULL;
}

#else

bool rpc_source_possible(const struct device *d, const struct fsroot *fs, struct err *err)
{
	(void)fs;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: this build asks no command streamer for reports, for want of libdrm",
		d->id);
}

struct source *rpc_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	(void)card;
	rpc_source_possible(d, o->fs, err);
	return NULL;
}

#endif
