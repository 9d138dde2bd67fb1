/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xe of the fake kernel: queries and the node. Behaviour and order of checks: Linux 6.18
 * drivers/gpu/drm/xe/xe_query.c, xe_observation.c. */
#include "config.h"

#include "tests/fakekernel/drm_version.h"
#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "backends/intel/xe/xe_uapi.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/objects.h"
#include "tests/fakekernel/syncobj.h"
#include "tests/fakekernel/intel/xe.h"
#include "tests/fakekernel/intel/xe_oa_map.h"
#include "tests/fakekernel/intel/xe_submit.h"


bool fake_xe_may_observe(void)
{
	return fake_is_perfmon() ||
		fake_tree_number("/proc/sys/dev/xe/observation_paranoid", 1) == 0;
}

/* --- queries --- */

static const struct xe_engine_instance engines[] = {
	{ .engine_class = XE_CLASS_RENDER }, { .engine_class = XE_CLASS_COPY }, { .engine_class = XE_CLASS_COMPUTE },
	{ .engine_class = XE_CLASS_VIDEO_DECODE, .gt_id = 1 },
};

const struct xe_engine_instance *fake_xe_engines(size_t *n)
{
	*n = ARRAY_LEN(engines);
	return engines;
}

/* An answer that grows. */
struct answer {
	uint8_t bytes[4096];
	uint32_t len;
};

static void add(struct answer *a, const void *p, size_t len)
{
	memcpy(a->bytes + a->len, p, len);
	a->len += (uint32_t)len;
}

static void add_head(struct answer *a, uint32_t n)
{
	add(a, (const uint32_t[]){ n, 0 }, 8);
}

/* As xe_engines of the tree says; the machine's own without that file. */
static int list_engines(struct xe_engine_instance *list, int room)
{
	char text[512], *p = text;
	int n = 0, gt, class, instance, used;

	if (!fake_tree_read("/xe_engines", text, sizeof(text))) {
		memcpy(list, engines, sizeof(engines));
		return ARRAY_LEN(engines);
	}
	for (; n < room && sscanf(p, " %d.%d.%d%n", &gt, &class, &instance, &used) == 3; p += used)
		list[n++] = (struct xe_engine_instance){ .engine_class = (uint16_t)class,
			.instance = (uint16_t)instance,
			.gt_id = (uint16_t)gt };
	return n;
}

bool fake_xe_has_engine(int gt, int class, int instance)
{
	struct xe_engine_instance list[64];
	int n = list_engines(list, 64);

	for (int i = 0; i < n; i++)
		if (list[i].gt_id == gt && list[i].engine_class == class && list[i].instance == instance)
			return true;
	return false;
}

static void answer_engines(struct answer *a)
{
	struct xe_engine_instance list[64];
	int n = list_engines(list, 64);

	add_head(a, (uint32_t)n);
	for (int i = 0; i < n; i++)
		add(a, &(struct xe_engine){ .instance = list[i] }, sizeof(struct xe_engine));
}

static void answer_mem_regions(struct answer *a)
{
	const struct xe_mem_region machine = { .mem_class = XE_MEM_SYSMEM,
		.min_page_bytes = 4096,
		.total_bytes = UINT64_C(16) << 30,
		.used_bytes = fake_is_perfmon() ? UINT64_C(3) << 30 : 0 };
	struct xe_mem_region card = { .mem_class = XE_MEM_VRAM,
		.instance = 1,
		.min_page_bytes = 65536,
		.total_bytes = (uint64_t)fake_tree_number("/i915/local_memory_bytes", 0) };

	add_head(a, card.total_bytes ? 2 : 1);
	add(a, &machine, sizeof(machine));
	if (fake_is_perfmon())
		card.used_bytes = (uint64_t)fake_tree_number("/i915/local_memory_used_bytes", 0);
	if (card.total_bytes)
		add(a, &card, sizeof(card));
}

/* The firmware's table, where the tree says which memory it names. */
static void answer_hwconfig(struct answer *a)
{
	uint32_t table[FAKE_HWCONFIG_WORDS];

	add(a, table, fake_hwconfig(table));
}

static void answer_config(struct answer *a)
{
	const struct device *d = &fake_machine()->device;
	uint64_t info[] = { d->pci_device | (uint64_t)d->pci_revision << 16, 0, 4096, 48, 2 };

	add_head(a, ARRAY_LEN(info));
	add(a, info, sizeof(info));
}

/* The media GT comes first, so that nobody may take the first one for the GPU. */
static void answer_gts(struct answer *a)
{
	const struct fake_machine *m = fake_machine();

	/* bits of the answer to XE_QUERY_MEM_REGIONS */
	const uint64_t near = fake_tree_number("/i915/local_memory_bytes", 0) ? 2 : 1;

	bool tiles = fake_tree_number("/i915/tiles", 1) > 1;

	add_head(a, tiles ? 3 : 2);
	add(a,
		&(struct xe_gt){ .type = XE_GT_MEDIA,
			.gt_id = 1,
			.near_mem_regions = near,
			.reference_clock = 19200000 },
		sizeof(struct xe_gt));
	add(a,
		&(struct xe_gt){ .type = XE_GT_MAIN,
			.gt_id = 0,
			.near_mem_regions = near,
			.reference_clock = (uint32_t)fake_cs_hz(),
			.ip_major = (uint16_t)m->graphics_ver },
		sizeof(struct xe_gt));
	if (tiles)
		add(a, &(struct xe_gt){ .type = XE_GT_MAIN, .tile_id = 1, .gt_id = 2 },
			sizeof(struct xe_gt));
}

static void add_mask(struct answer *a, uint16_t gt_id, uint16_t type, uint64_t mask)
{
	struct xe_topology_mask head = { .gt_id = gt_id, .type = type, .n_bytes = sizeof(mask) };

	add(a, &head, sizeof(head));
	for (int i = 0; i < 8; i++)
		add(a, &(uint8_t){ (uint8_t)(mask >> 8 * i) }, 1);
}

static void answer_topology(struct answer *a)
{
	const struct topology *t = &fake_machine()->device.topology;
	bool wide = fake_machine()->graphics_ver >= 20;

	add_mask(a, 1, XE_TOPO_DSS_GEOMETRY, UINT64_MAX);
	add_mask(a, 0, XE_TOPO_DSS_GEOMETRY, (UINT64_C(1) << t->subslices) - 1);
	add_mask(a, 0, XE_TOPO_DSS_COMPUTE, 1);
	add_mask(a, 0, XE_TOPO_L3_BANK, 0xff);
	add_mask(a, 0, wide ? XE_TOPO_SIMD16_EU_PER_DSS : XE_TOPO_EU_PER_DSS,
		(UINT64_C(1) << t->eus / t->subslices) - 1);
}

/* A media unit before the one that counts rendering. */
static void answer_oa_units(struct answer *a)
{
	struct xe_oa_units head = { .n = 2 };
	struct xe_oa_unit media = { .id = 1,
		.type = XE_OA_UNIT_OAM,
		.capabilities = XE_OA_CAP_BASE,
		.timestamp_hz = 19200000,
		.n_engines = 1 };
	struct xe_oa_unit unit = { .id = XE_FAKE_OA_UNIT,
		.type = XE_OA_UNIT_OAG,
		.timestamp_hz = fake_machine()->device.timestamp_hz,
		.capabilities = (uint64_t)fake_tree_number(
			"/i915/oa_capabilities", XE_OA_CAP_BASE | XE_OA_CAP_SYNCS),
		.n_engines = 2 };

	add(a, &head, sizeof(head));
	add(a, &media, sizeof(media));
	add(a, &engines[3], sizeof(engines[0]));
	add(a, &unit, sizeof(unit));
	add(a, &engines[0], sizeof(engines[0]));
	add(a, &engines[2], sizeof(engines[0]));
}

static int engine_cycles(struct xe_engine_cycles *c)
{
	const struct fake_machine *m = fake_machine();
	int error = fake_fails("clock");

	if (error)
		return fake_fail(error);
	if (c->clock_id != CLOCK_MONOTONIC || c->engine.gt_id != 0)
		return fake_fail(EINVAL);
	c->width = 36;
	c->cpu_ns = (uint64_t)(fake_model_ns() + m->epoch_ns);
	c->cpu_delta_ns = 0;
	c->cycles = fake_cs_timestamp() & ((UINT64_C(1) << c->width) - 1);
	return 0;
}

static void answer_eu_stall(struct answer *a)
{
	a->len = (uint32_t)fake_xe_stall_info(a->bytes);
}

static const struct {
	enum xe_query_id id;
	void (*answer)(struct answer *a);
} answers[] = {
	{ XE_QUERY_ENGINES, answer_engines },
	{ XE_QUERY_MEM_REGIONS, answer_mem_regions },
	{ XE_QUERY_CONFIG, answer_config },
	{ XE_QUERY_HWCONFIG, answer_hwconfig },
	{ XE_QUERY_GT_LIST, answer_gts },
	{ XE_QUERY_GT_TOPOLOGY, answer_topology },
	{ XE_QUERY_OA_UNITS, answer_oa_units },
	{ XE_QUERY_EU_STALL, answer_eu_stall },
};

static int query(struct xe_device_query *q)
{
	struct answer a = { .len = 0 };
	int error = q->query == XE_QUERY_GT_TOPOLOGY ? fake_fails("topology")
		: q->query == XE_QUERY_OA_UNITS	     ? fake_fails("units")
		: q->query == XE_QUERY_MEM_REGIONS   ? fake_fails("memory")
						     : 0;

	if (error)
		return fake_fail(error);
	if (q->query == XE_QUERY_ENGINE_CYCLES && q->size && !fake_is_memory(q->data, q->size))
		return fake_fail(EFAULT);
	if (q->query == XE_QUERY_ENGINE_CYCLES && q->size == sizeof(struct xe_engine_cycles))
		return engine_cycles((void *)(uintptr_t)q->data);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		if (answers[i].id == q->query)
			answers[i].answer(&a);
	/* Parts without the firmware's table have one of no length. */
	bool known = a.len > 0 || q->query == XE_QUERY_HWCONFIG;
	if (!known || (q->size && q->size != a.len))
		return fake_fail(EINVAL);
	if (q->size && !fake_is_memory(q->data, a.len))
		return fake_fail(EFAULT);
	if (q->size)
		memcpy((void *)(uintptr_t)q->data, a.bytes, a.len);
	q->size = a.len;
	return 0;
}

/* --- the node and its streams --- */

static int observe(int fd, const struct xe_observation *o)
{
	if (o->extensions)
		return fake_fail(EINVAL);
	if (o->type == XE_OBSERVE_EU_STALL)
		return o->op == XE_OBSERVE_OPEN ? fake_xe_stall_open(o->param) : fake_fail(EINVAL);
	if (o->type != XE_OBSERVE_OA)
		return fake_fail(EINVAL);
	switch (o->op) {
	case XE_OBSERVE_OPEN:
		return fake_xe_oa_open(fd, o->param);
	case XE_OBSERVE_ADD_CONFIG:
		return fake_xe_add_config((const struct xe_oa_config *)(uintptr_t)o->param);
	case XE_OBSERVE_REMOVE_CONFIG:
		if (!fake_is_memory(o->param, sizeof(uint64_t)))
			return fake_fail(fake_xe_may_observe() ? EFAULT : EACCES);
		return fake_xe_remove_config(*(const uint64_t *)(uintptr_t)o->param);
	default:
		return fake_fail(EINVAL);
	}
}

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	struct fake_xe_stream *s = f->priv;
	int result;

	if (s) {
		fake_units_hold();
		result = s->ioctl(s, request, arg);
		fake_units_release();
		return result;
	}
	if (!fake_is_memory(arg, _IOC_SIZE(request)))
		return fake_fail(EFAULT);
	if (fake_xe_vm_ioctl(fd, request, (void *)arg, &result) ||
		fake_xe_exec_ioctl(fd, request, (void *)arg, &result) ||
		fake_syncobj_ioctl(fd, request, (void *)arg, &result)) {
		if (result < 0)
			fake_log("ioctl %lx: errno %d\n", request, errno);
		return result;
	}
	switch (request) {
	case FAKE_DRM_VERSION:
		return fake_drm_answer(
			(struct fake_drm_version *)arg, "xe", "20201103", "Intel Xe Graphics");
	case XE_IOCTL_QUERY:
		return query((struct xe_device_query *)arg);
	case XE_IOCTL_OBSERVATION:
		return observe(fd, (const struct xe_observation *)arg);
	default:
		fake_log("ioctl %lx is not known\n", request);
		return fake_fail(EINVAL);
	}
}

static void *on_mmap(
	struct fake_fd *f, int fd, void *addr, size_t length, int prot, int flags, off_t offset)
{
	struct fake_xe_stream *s = f->priv;

	(void)fd;
	(void)addr;
	if (!s)
		return fake_object_mmap(length, prot, offset);
	if (!s->mmap) {
		errno = ENODEV;
		return MAP_FAILED;
	}
	fake_units_hold();
	void *p = s->mmap(s, length, prot, flags);
	fake_units_release();
	return p;
}

static ssize_t on_read(struct fake_fd *f, int fd, void *buf, size_t size)
{
	struct fake_xe_stream *s = f->priv;

	if (!s)
		return real_read(fd, buf, size);
	fake_units_hold();
	ssize_t n = s->read(s, buf, size);
	fake_units_release();
	return n;
}

static void on_close(struct fake_fd *f)
{
	struct fake_xe_stream *s = f->priv;

	int fd = (int)(f - fake_fd(0));

	if (s) {
		fake_units_hold();
		s->close(s);
		fake_units_release();
		return;
	}
	fake_xe_queues_close(fd);
	fake_xe_vms_close(fd);
	fake_syncobjs_close(fd);
}

static const char *const folders[] = { "/sys", "/dev/dri", "/proc/sys/dev/xe", NULL };

const struct fake_driver fake_xe = {
	.name = "xe",
	.folders = folders,
	.is_drm = true,
	.ioctl = on_ioctl,
	.read = on_read,
	.mmap = on_mmap,
	.close = on_close,
};
