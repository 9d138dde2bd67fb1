/* SPDX-License-Identifier: GPL-3.0-or-later */
/* i915 of the fake kernel: parameters, queries, the node. Behaviour and order of checks: Linux 6.12
 * drivers/gpu/drm/i915/i915_query.c, i915_getparam.c. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backends/intel/i915/i915_uapi.h"
#include "backends/intel/platform/platform.h"
#include "tests/fakekernel/intel/gem.h"
#include "tests/fakekernel/intel/i915.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/objects.h"

#define MAX_ENGINES 64

/* --- parameters and topology --- */

static int getparam(const struct drm_i915_getparam *p)
{
	const struct fake_machine *m = fake_machine();

	switch (p->param) {
	case I915_CHIPSET_ID:
		*p->value = (int)m->device.pci_device;
		return 0;
	case I915_REVISION:
		*p->value = (int)m->device.pci_revision;
		return 0;
	case I915_PARAM_SUBSLICE_TOTAL:
		*p->value = m->device.topology.subslices;
		return 0;
	case I915_PARAM_EU_TOTAL:
		*p->value = m->device.topology.eus;
		return 0;
	/* Masks of the kernel from before it could tell the whole topology; from 12.55 on it refuses. */
	case I915_PARAM_SLICE_MASK:
	case I915_PARAM_SUBSLICE_MASK:
		if (intel_platform_by_name(m->device.platform)->graphics_verx10 >= 125)
			return fake_fail(EINVAL);
		*p->value = (int)m->device.topology.slice_mask;
		if (p->param == I915_PARAM_SUBSLICE_MASK)
			*p->value = (int)(m->device.topology.subslice_mask &
				((UINT64_C(1) << m->device.topology.max_subslices) - 1));
		return 0;
	/* each context has an address space of its own from Gen8 on */
	case I915_PARAM_HAS_ALIASING_PPGTT:
		*p->value = m->graphics_ver >= 8 ? 3 : 1;
		return 0;
	case I915_PARAM_HAS_EXEC_SOFTPIN:
	case I915_PARAM_HAS_EXEC_NO_RELOC:
	case I915_PARAM_HAS_EXEC_BATCH_FIRST:
		*p->value = 1;
		return 0;
	case I915_CS_TIMESTAMP_HZ:
		*p->value = (int)fake_cs_hz();
		return 0;
	case I915_PERF_REVISION_NUMBER:
		*p->value = m->perf_revision;
		return 0;
	case I915_OA_TIMESTAMP_HZ:
		if (m->perf_revision < 7)
			return fake_fail(EINVAL);
		*p->value = (int)m->device.timestamp_hz;
		return 0;
	default:
		return fake_fail(EINVAL);
	}
}

static int query_topology(const struct drm_i915_query_item *item)
{
	const struct topology *t = &fake_machine()->device.topology;
	int error = fake_fails("topology");

	if (error)
		return -error;
	if (item->flags)
		return -EINVAL;
	if (item->length == 0)
		return (int)t->raw_len;
	if (item->length < (int)t->raw_len)
		return -EINVAL;
	memcpy((void *)(uintptr_t)item->data_ptr, t->raw, t->raw_len);
	return (int)t->raw_len;
}

/* The machine's memory, and the card's where the tree says that it has some. Only the right tells
 * what is taken. */
static int query_memory(const struct drm_i915_query_item *item)
{
	struct drm_i915_query_memory_regions *r = (void *)(uintptr_t)item->data_ptr;
	uint64_t card = (uint64_t)fake_tree_number("/i915/local_memory_bytes", 0);
	uint32_t n = card ? 2 : 1;
	int len = (int)(sizeof(*r) + n * sizeof(r->regions[0])), error = fake_fails("memory");

	if (error || item->flags)
		return error ? -error : -EINVAL;
	if (item->length == 0)
		return len;
	if (item->length < len || r->num_regions || r->rsvd[0] || r->rsvd[1] || r->rsvd[2])
		return -EINVAL;
	memset(r, 0, (size_t)len);
	r->num_regions = n;
	r->regions[0].probed_size = r->regions[0].unallocated_size = UINT64_C(16) << 30;
	if (card) {
		r->regions[1].region.memory_class = I915_MEMORY_CLASS_DEVICE;
		r->regions[1].probed_size = card;
		r->regions[1].unallocated_size = card -
			(fake_is_perfmon() ? (uint64_t)fake_tree_number(
						     "/i915/local_memory_used_bytes", 0)
					   : 0);
	}
	return len;
}

static int query_hwconfig(const struct drm_i915_query_item *item)
{
	uint32_t table[FAKE_HWCONFIG_WORDS];
	int len = (int)fake_hwconfig(table);

	if (!len)
		return -ENODEV;
	if (item->length && item->length < len)
		return -EINVAL;
	if (item->length)
		memcpy((void *)(uintptr_t)item->data_ptr, table, (size_t)len);
	return len;
}

/* The engines that programs may use, "CLASS.INSTANCE ..." in i915_engines of the tree; without that file one of each class that this part
 * has. i915 numbers those of a class without gaps, on all GTs together (Linux intel_engine_user.c). */
static uint32_t list_engines(struct i915_engine_class_instance *list, uint32_t room)
{
	char text[512], *p = text;
	int class, instance, used;
	uint32_t n = 0;

	if (!fake_tree_read("/i915_engines", text, sizeof(text))) {
		for (; n < fake_engine_count(); n++)
			list[n] = (struct i915_engine_class_instance){ .engine_class = (uint16_t)n };
		return n;
	}
	for (; n < room && sscanf(p, " %d.%d%n", &class, &instance, &used) == 2; p += used)
		list[n++] = (struct i915_engine_class_instance){ (uint16_t)class, (uint16_t)instance };
	return n;
}

bool fake_i915_has_engine(int class, int instance)
{
	struct i915_engine_class_instance list[MAX_ENGINES];
	uint32_t n = list_engines(list, MAX_ENGINES);

	for (uint32_t i = 0; i < n; i++)
		if (list[i].engine_class == class && list[i].engine_instance == instance)
			return true;
	return false;
}

/* Linux i915_query.c */
static int query_engines(const struct drm_i915_query_item *item)
{
	struct drm_i915_query_engine_info *r = (void *)(uintptr_t)item->data_ptr;
	struct i915_engine_class_instance list[MAX_ENGINES];
	uint32_t n = list_engines(list, MAX_ENGINES);
	int len = (int)(sizeof(*r) + n * sizeof(r->engines[0]));

	if (item->flags)
		return -EINVAL;
	if (item->length == 0)
		return len;
	if (item->length < len || r->num_engines || r->rsvd[0] || r->rsvd[1] || r->rsvd[2])
		return -EINVAL;
	memset(r, 0, (size_t)len);
	r->num_engines = n;
	for (uint32_t i = 0; i < n; i++)
		r->engines[i].engine = list[i];
	return len;
}

static int query_item(const struct drm_i915_query_item *item)
{
	if (item->length > 0 && !fake_is_memory(item->data_ptr, (size_t)item->length))
		return -EFAULT;
	switch (item->query_id) {
	case DRM_I915_QUERY_TOPOLOGY_INFO:
		return query_topology(item);
	case DRM_I915_QUERY_MEMORY_REGIONS:
		return query_memory(item);
	case DRM_I915_QUERY_HWCONFIG_BLOB:
		return query_hwconfig(item);
	case DRM_I915_QUERY_ENGINE_INFO:
		return query_engines(item);
	default:
		return -EINVAL;
	}
}

static int query(const struct drm_i915_query *q)
{
	struct drm_i915_query_item *items = (void *)(uintptr_t)q->items_ptr;

	if (q->flags)
		return fake_fail(EINVAL);
	if (!fake_is_memory(q->items_ptr, q->num_items * sizeof(*items)))
		return fake_fail(EFAULT);
	for (uint32_t i = 0; i < q->num_items; i++)
		items[i].length = query_item(&items[i]);
	return 0;
}

static int reg_read(struct drm_i915_reg_read *r)
{
	int error = fake_fails("clock");

	if (error || (r->offset & ~UINT64_C(1)) != 0x2358)
		return fake_fail(error ? error : EINVAL);
	r->val = fake_cs_timestamp() & ((UINT64_C(1) << 36) - 1);
	return 0;
}

/* --- the node --- */

static int version(struct drm_version *v)
{
	static const char name[] = "i915", date[] = "20201103", desc[] = "Intel Graphics";

	v->version_major = 1;
	v->version_minor = 6;
	v->version_patchlevel = 0;
	if (v->name && v->name_len >= strlen(name))
		memcpy(v->name, name, strlen(name));
	if (v->date && v->date_len >= strlen(date))
		memcpy(v->date, date, strlen(date));
	if (v->desc && v->desc_len >= strlen(desc))
		memcpy(v->desc, desc, strlen(desc));
	v->name_len = strlen(name);
	v->date_len = strlen(date);
	v->desc_len = strlen(desc);
	return 0;
}

static int node_ioctl(int fd, unsigned long request, void *arg)
{
	int result;

	if (!fake_is_memory((uintptr_t)arg, _IOC_SIZE(request)))
		return fake_fail(EFAULT);
	if (fake_gem_ioctl(fd, request, arg, &result))
		return result;
	switch (request) {
	case DRM_IOCTL_VERSION:
		return version(arg);
	case DRM_IOCTL_I915_GETPARAM:
		return getparam(arg);
	case DRM_IOCTL_I915_QUERY:
		return query(arg);
	case DRM_IOCTL_I915_REG_READ:
		return reg_read(arg);
	case DRM_IOCTL_I915_PERF_ADD_CONFIG:
		return fake_i915_add_config(arg);
	case DRM_IOCTL_I915_PERF_REMOVE_CONFIG:
		return fake_i915_remove_config(*(uint64_t *)arg);
	case DRM_IOCTL_I915_PERF_OPEN:
		return fake_i915_perf_open(arg);
	default:
		return fake_fail(EINVAL);
	}
}

/* --- the driver: a descriptor with private data is a stream, one without is a node --- */

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	return f->priv ? fake_i915_stream_ioctl(f->priv, request, arg) : node_ioctl(fd, request, (void *)arg);
}

static ssize_t on_read(struct fake_fd *f, int fd, void *buf, size_t size)
{
	return f->priv ? fake_i915_stream_read(f->priv, buf, size) : real_read(fd, buf, size);
}

static void *on_mmap(
	struct fake_fd *f, int fd, void *addr, size_t length, int prot, int flags, off_t offset)
{
	(void)f;
	(void)fd;
	(void)addr;
	(void)flags;
	return fake_object_mmap(length, prot, offset);
}

static void on_close(struct fake_fd *f)
{
	if (f->priv)
		fake_i915_stream_close(f->priv);
	else
		fake_objects_close((int)(f - fake_fd(0)));
}

/* What the GPU has worked since this client was looked at first, when its own time begins. */
static uint64_t busy_since_ns(uint64_t client)
{
	static struct {
		uint64_t client, at_ns;
	} known[256];
	uint64_t now_ns = fake_busy_ns();
	size_t i = 0;

	while (i < sizeof(known) / sizeof(*known) - 1 && known[i].client && known[i].client != client)
		i++;
	if (known[i].client != client) {
		known[i].client = client;
		known[i].at_ns = now_ns;
	}
	return now_ns - known[i].at_ns;
}

/* Linux i915_drm_client.c: classes without engines of this part are left out. A part of more than all is told as xe
 * does, by cycles alone. */
static size_t node_fdinfo(uint64_t client, long part_per_mille, char *buf, size_t size)
{
	uint64_t ns = busy_since_ns(client) / 1000 * (uint64_t)part_per_mille;
	const char *kind = part_per_mille > 1000 ? "cycles" : "engine";
	const char *unit = part_per_mille > 1000 ? "" : " ns";

	return (size_t)snprintf(buf, size,
		"pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t1\ndrm-driver:\ti915\n"
		"drm-client-id:\t%llu\ndrm-pdev:\t0000:00:02.0\ndrm-total-system0:\t4096 "
		"KiB\ndrm-resident-system0:\t1024 KiB\n"
		"drm-%s-render:\t%llu%s\ndrm-%s-copy:\t0%s\ndrm-%s-video:\t0%s\n"
		"drm-%s-video-enhance:\t0%s\n",
		(unsigned long long)client, kind, (unsigned long long)ns, unit, kind, unit, kind, unit,
		kind, unit);
}

static const char *const folders[] = { "/sys", "/sys/kernel/debug", "/dev/dri", "/proc/sys/dev/i915",
	"/run/udev/data/+dmi:id", "/run/udev/data/c226:0", "/run/udev/data/c226:128",
	NULL };

const struct fake_driver fake_i915 = {
	.name = "i915",
	.folders = folders,
	.is_drm = true,
	.ioctl = on_ioctl,
	.read = on_read,
	.mmap = on_mmap,
	.close = on_close,
	.fdinfo = node_fdinfo,
};
