/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as what the nodes of i915 and xe answer, call by call: lengths, errors, identities,
 * topologies, the firmware's table. What is understood is within its bounds. */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBDRM
#include "backends/intel/i915/i915_device.h"
#include "backends/intel/i915/i915_uapi.h"
#endif
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_node.h"

#define SELECTOR_BYTES 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...);

static struct {
	const uint8_t *data;
	size_t size;
	uint32_t pci_id;
} answers;

static void check(bool good)
{
	if (!good)
		abort();
}

static uint8_t next_byte(void)
{
	if (!answers.size)
		return 0;
	answers.size--;
	return *answers.data++;
}

/* Copies what is next; what is beyond the end is 0. */
static void fill(void *out, size_t len)
{
	size_t n = len < answers.size ? len : answers.size;

	memset(out, 0, len);
	memcpy(out, answers.data, n);
	answers.data += n;
	answers.size -= n;
}

/* A byte is a small number, 255 a negative one, 254 any number that follows. */
static int64_t next_length(void)
{
	uint8_t b = next_byte();
	uint32_t any;

	if (b == 255)
		return -ENODEV;
	if (b != 254)
		return b;
	fill(&any, sizeof(any));
	return (int32_t)any;
}

static int fails(int error)
{
	errno = error;
	return -1;
}

#ifdef HAVE_LIBDRM
static int answer_param(const struct drm_i915_getparam *p)
{
	if (next_byte() == 0)
		return fails(EINVAL);
	if (p->param == I915_CHIPSET_ID)
		*p->value = (int)answers.pci_id;
	else
		fill(p->value, sizeof(*p->value));
	return 0;
}

static int answer_i915(struct drm_i915_query *q)
{
	struct drm_i915_query_item *item = (struct drm_i915_query_item *)(uintptr_t)q->items_ptr;

	check(q->num_items == 1);
	if (item->data_ptr && item->length > 0)
		fill((void *)(uintptr_t)item->data_ptr, (size_t)item->length);
	else
		item->length = (int32_t)next_length();
	return 0;
}
#endif

static int answer_xe(struct xe_device_query *q)
{
	uint8_t *out = (uint8_t *)(uintptr_t)q->data;
	uint64_t id = answers.pci_id;

	if (!out) {
		q->size = (uint32_t)next_length();
		return 0;
	}
	fill(out, q->size);
	if (q->query == XE_QUERY_CONFIG && q->size >= sizeof(struct xe_config) + sizeof(id))
		memcpy(out + sizeof(struct xe_config), &id, sizeof(id));
	return 0;
}

/* Stands in front of the C library's. Bit 7 of a call's first byte is an error. */
int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;

	(void)fd;
	va_start(ap, request);
	void *arg = va_arg(ap, void *);
	va_end(ap);
	if (next_byte() == 128)
		return fails(EIO);
#ifdef HAVE_LIBDRM
	if (request == DRM_IOCTL_I915_GETPARAM)
		return answer_param(arg);
	if (request == DRM_IOCTL_I915_QUERY)
		return answer_i915(arg);
#endif
	if (request == XE_IOCTL_QUERY)
		return answer_xe(arg);
	return fails(ENOTTY);
}

static void check_device(const struct device *d)
{
	const struct topology *t = &d->topology;

	check(t->slices >= 0 && t->subslices >= 0 && (t->raw_len == 0 || t->eus > 0));
	check(t->threads_per_eu > 0 && t->threads_per_eu <= 64 && t->raw_len <= sizeof(t->raw));
	check(__builtin_popcountll(t->subslice_mask) <= t->subslices);
	check(d->n_consts >= 0 && d->n_consts <= DEVICE_MAX_CONSTS);
}

static void begin(struct device *d, const char *platform, uint32_t pci_id)
{
	const struct intel_platform *p = intel_platform_by_name(platform);

	check(p);
	memset(d, 0, sizeof(*d));
	snprintf(d->platform, sizeof(d->platform), "%s", p->name);
	d->pci_device = pci_id;
	d->topology.threads_per_eu = 8;
	answers.pci_id = pci_id;
}

/* First byte: the driver. Second one: the platform. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const platforms[] = { "sklgt2", "icl", "tglgt2", "acmgt1", "pvc", "lnl",
		"bmg" };
	static struct device d;
	struct drm_node n = { .fd = -1, .card = "card0", .path = "/dev/dri/renderD128" };
	struct err err = { 0 };

	if (size < SELECTOR_BYTES)
		return 0;
	begin(&d, platforms[data[1] % 7], 0x1912);
	answers.data = data + SELECTOR_BYTES;
	answers.size = size - SELECTOR_BYTES;
	if (data[0] & 1) {
		struct xe_facts f;

		if (xe_node_identify(&n, &d, &f, &err))
			check(f.has_oa && d.topology.eus > 0);
		else
			check(err.msg[0]);
	}
#ifdef HAVE_LIBDRM
	if (!(data[0] & 1)) {
		int perf_revision = 0;

		check(i915_node_identify(&n, &d, &perf_revision, &err) || err.msg[0]);
	}
#endif
	check_device(&d);
	return 0;
}
