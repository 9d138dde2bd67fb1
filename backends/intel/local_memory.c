/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the memory regions of a card by the queries of i915 and xe. */
#include "config.h"

#include "backends/common/backend.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backends/common/stand_ins.h"
#include "backends/card/drm_card.h"
#include "backends/card/drm_node.h"
#include "backends/intel/memory_roof.h"
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_uapi.h"
#include "backends/memory/machine_memory.h"
#include "base/rights.h"
#ifdef HAVE_LIBDRM
#include "backends/intel/i915/i915_uapi.h"
#endif

#define ANSWER_BYTES 4096	/* more than any kernel answers: a region takes 88 bytes */

enum { TOTAL, USED, COUNTERS };

static const struct counter_desc counters[COUNTERS] = {
	[TOTAL] = { "local_memory_bytes", "B", 64, COUNTER_GAUGE },
	[USED] = { "local_memory_used_bytes", "B", 64, COUNTER_GAUGE },
};

struct local_memory {
	struct source source;
	const struct memory_driver *driver;
	struct device *device;		/* that of the open device */
	struct drm_node node;		/* open while it answers */
	const struct fsroot *fs;
	char card[32];
	bool accounted;			/* this process may see what is used */
	bool asleep;
	struct err refusal;		/* code ERR_NONE: it answers, or has no local memory */
	bool none;
	uint64_t values[COUNTERS];
	enum why whys[COUNTERS];
	int64_t window_ns;
	uint32_t answer_len;
	union {
		uint64_t aligned;
		uint8_t bytes[ANSWER_BYTES];
	} answer;
};

/* ask() makes the query; with length 0 it asks how long the answer is. It returns false with errno.
 * sum() adds up the regions that lie on the card. */
struct memory_driver {
	bool (*ask)(struct local_memory *s, uint32_t *length);
	void (*sum)(struct local_memory *s);
};

static void add_region(struct local_memory *s, uint64_t total, uint64_t used)
{
	s->values[TOTAL] += total;
	s->values[USED] += used;
}

#ifdef HAVE_LIBDRM

static bool ask_i915(struct local_memory *s, uint32_t *length)
{
	struct drm_i915_query_item item = { .query_id = DRM_I915_QUERY_MEMORY_REGIONS,
		.length = (int32_t)*length,
		.data_ptr = (uintptr_t)s->answer.bytes };
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };

	if (node_ioctl(s->node.fd, DRM_IOCTL_I915_QUERY, &query) < 0)
		return false;
	if (item.length < 0) {	/* the item's own error */
		errno = -item.length;
		return false;
	}
	if (*length && *length >= (uint32_t)item.length)
		node_answered(s->node.fd, DRM_IOCTL_I915_QUERY, s->answer.bytes,
			(size_t)item.length);
	*length = (uint32_t)item.length;
	return true;
}

static void sum_i915(struct local_memory *s)
{
	const struct drm_i915_query_memory_regions *r = (const void *)s->answer.bytes;
	uint32_t n = node_answer_count(
		r->num_regions, s->answer_len, sizeof(*r), sizeof(r->regions[0]));

	for (uint32_t i = 0; i < n; i++)
		if (r->regions[i].region.memory_class == I915_MEMORY_CLASS_DEVICE)
			add_region(s, r->regions[i].probed_size,
				r->regions[i].probed_size - r->regions[i].unallocated_size);
}

#endif

static bool ask_xe(struct local_memory *s, uint32_t *length)
{
	struct xe_device_query q = { .query = XE_QUERY_MEM_REGIONS, .size = *length,
		.data = *length ? (uintptr_t)s->answer.bytes : 0 };

	if (node_ioctl(s->node.fd, XE_IOCTL_QUERY, &q) < 0)
		return false;
	if (*length && *length >= q.size)
		node_answered(s->node.fd, XE_IOCTL_QUERY, s->answer.bytes, q.size);
	*length = q.size;
	return true;
}

static void sum_xe(struct local_memory *s)
{
	const struct xe_mem_regions *r = (const void *)s->answer.bytes;
	uint32_t n = node_answer_count(
		r->n, s->answer_len, sizeof(*r), sizeof(r->regions[0]));

	for (uint32_t i = 0; i < n; i++)
		if (r->regions[i].mem_class == XE_MEM_VRAM)
			add_region(s, r->regions[i].total_bytes, r->regions[i].used_bytes);
}

static const struct memory_driver drivers[] = {
#ifdef HAVE_LIBDRM
	[INTEL_I915] = { ask_i915, sum_i915 },
#endif
	[INTEL_XE] = { ask_xe, sum_xe },
};

static bool lose(struct local_memory *s, struct err *err)
{
	bool gone = errno == ENODEV;

	err_sys(&s->refusal, "%s: the kernel does not tell its memory", s->card);
	if (gone)
		s->refusal.code = ERR_NO_DEVICE;
	else if (s->refusal.code == ERR_SYS)
		s->refusal.code = ERR_UNSUPPORTED;
	drm_node_close(&s->node);
	if (err)
		*err = s->refusal;
	return false;
}

/* Reads the regions; answer_len is known. The header must be zero when it is handed in. */
static bool read_regions(struct local_memory *s, struct err *err)
{
	uint32_t length = s->answer_len;

	memset(s->answer.bytes, 0, s->answer_len);
	if (!s->driver->ask(s, &length))
		return lose(s, err);
	memset(s->values, 0, sizeof(s->values));
	s->driver->sum(s);
	s->whys[TOTAL] = s->whys[USED] = WHY_UNSUPPORTED;
	if (s->values[TOTAL])
		s->whys[TOTAL] = WHY_OK;
	/* Without CAP_PERFMON i915 says that all is free and xe that nothing is used, and so do
	 * kernels of i915 that do not count (Linux i915_query.c, xe_query.c, and the comments of
	 * both headers). A driver takes some memory for itself, so that 0 cannot be true. */
	if (s->values[USED])
		s->whys[USED] = WHY_OK;
	else if (s->values[TOTAL] && !s->accounted)
		s->whys[USED] = WHY_PERMISSION;
	return true;
}

/* A card that has no memory of its own is not asked again. */
static bool open_memory(struct local_memory *s, struct err *err)
{
	struct rights rights;

	if (drm_card_is_asleep(s->fs, s->card))
		return err_set(&s->refusal, ERR_ASLEEP, "%s is asleep and is left so", s->card);
	err_clear(&s->refusal);
	rights_read(&rights, s->fs);
	s->accounted = rights_perfmon(&rights);
	if (!drm_node_open(&s->node, s->fs, s->card, &s->refusal)) {
		if (err)
			*err = s->refusal;
		return false;
	}
	s->answer_len = 0;
	if (!s->driver->ask(s, &s->answer_len))
		return lose(s, err);
	if (s->answer_len == 0 || s->answer_len > ANSWER_BYTES) {
		errno = EPROTO;
		return lose(s, err);
	}
	if (!read_regions(s, err))
		return false;
	s->none = s->values[TOTAL] == 0;
	if (s->none)
		drm_node_close(&s->node);
	return true;
}

/* A card that sleeps is not woken to be asked. When the kernel does not show its memory, two values
 * have a reason, and the device has no problem. */
static bool memory_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct local_memory *s = (struct local_memory *)src;

	(void)now_ns;
	(void)err;
	s->asleep = drm_card_is_asleep(s->fs, s->card);
	if (s->node.fd >= 0 && !s->asleep)
		read_regions(s, NULL);
	return true;
}

static void memory_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct local_memory *s = (struct local_memory *)src;

	source_window(out, &s->window_ns, now_ns);
	out->why = WHY_OK;
	if (s->refusal.code)
		out->why = refused_why(s->refusal.code);
	else if (s->asleep && !s->none)
		out->why = WHY_ASLEEP;
	out->whys = s->whys;
	memcpy(out->values, s->values, sizeof(s->values));
}

static bool memory_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct local_memory *s = (struct local_memory *)src;

	(void)now_ns;
	if (s->refusal.code == ERR_NONE || s->refusal.code == ERR_UNSUPPORTED)
		return false;	/* nothing to mend */
	if (!open_memory(s, err))
		return false;
	/* The size tells boards of one id apart. */
	src->rebind = memory_roof_find(s->device, s->fs, s->values[TOTAL], NULL);
	return true;
}

static void memory_close(struct source *src)
{
	struct local_memory *s = (struct local_memory *)src;

	drm_node_close(&s->node);
}

static const struct source_ops memory_ops = {
	.size = sizeof(struct local_memory),
	.ready = memory_ready, .collect = memory_collect, .retry = memory_retry,
	.close = memory_close,
};

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	const struct memory_driver *driver = &drivers[intel_driver_of(&dev->device)];
	struct err no_roof = { 0 };

	if (!driver->ask || dev->n_sources == DEVICE_MAX_SOURCES)
		return;
	struct local_memory *s = source_new(&memory_ops);
	s->source.feed =
		(struct feed){ .name = "memory", .counters = counters, .n_counters = COUNTERS };
	s->driver = driver;
	s->device = &dev->device;
	s->node.fd = -1;
	s->fs = o->fs;
	s->window_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%.31s", e->device.id);
	open_memory(s, NULL);
	struct err refusal = s->refusal;
	if (s->none)
		err_set(&refusal, ERR_UNSUPPORTED,
			"%s uses the machine's memory and has none of its own", s->card);
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s query",
		dev->device.driver);
	open_device_tried(dev, "memory", "local memory",
		"size and use of a discrete card's memory", &refusal);
	dev->sources[dev->n_sources++] = &s->source;
	memory_roof_find(&dev->device, o->fs, s->values[TOTAL], &no_roof);
	dram_roof_check(dev, &no_roof);
}

const struct companion local_memory_companion = { .name = "memory", .attach = attach };
