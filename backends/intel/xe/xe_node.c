/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks an xe node for facts. */
#include "config.h"

#include "backends/intel/xe/xe_node.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/intel/platform/platform.h"
#include "base/mem.h"

#define ANSWER_BYTES (64u << 10)	/* more than any kernel answers */
#define MASK_BYTES 16			/* 128 units of a kind */

/* The kernel first says how long the answer is, then answers. An answer without its head of so many
 * bytes is none. Returns NULL with errno. */
static void *query(const struct drm_node *n, enum xe_query_id id, size_t head_bytes, size_t *len)
{
	struct xe_device_query q = { .query = id };

	if (node_ioctl(n->fd, XE_IOCTL_QUERY, &q) < 0)
		return NULL;
	if (q.size == 0 || q.size < head_bytes || q.size > ANSWER_BYTES) {
		errno = EPROTO;
		return NULL;
	}
	void *answer = xcalloc(1, q.size);
	q.data = (uintptr_t)answer;
	*len = q.size;
	if (node_ioctl(n->fd, XE_IOCTL_QUERY, &q) == 0) {
		node_answered(n->fd, XE_IOCTL_QUERY, answer, *len);
		return answer;
	}
	free(answer);
	return NULL;
}

static bool read_config(const struct drm_node *n, struct device *d, struct err *err)
{
	size_t len;
	struct xe_config *c = query(n, XE_QUERY_CONFIG, sizeof(struct xe_config), &len);

	if (!c)
		return err_sys(err, "%s: the kernel does not tell which GPU it is", n->card);
	if (node_answer_count(c->n, len, sizeof(*c), sizeof(c->info[0])) == 0) {
		free(c);
		return err_set(err, ERR_UNSUPPORTED,
			"%s: the kernel does not tell which GPU it is", n->card);
	}
	uint64_t id = c->info[XE_CONFIG_REV_AND_DEVICE_ID];
	free(c);
	if ((id & 0xffff) != d->pci_device)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: sysfs names the GPU %04x, its driver %04x", n->card, d->pci_device,
			(unsigned)(id & 0xffff));
	d->pci_revision = id >> 16 & 0xff;
	return true;
}

/* Looks for the first GT that is not for media. */
static bool read_gts(const struct drm_node *n, struct xe_facts *f, struct err *err)
{
	size_t len;
	struct xe_gt_list *l = query(n, XE_QUERY_GT_LIST, sizeof(struct xe_gt_list), &len);
	uint32_t count = l ? node_answer_count(l->n, len, sizeof(*l), sizeof(l->gts[0])) : 0;
	bool found = false;

	for (uint32_t i = 0; i < count; i++) {
		if (l->gts[i].type != XE_GT_MAIN)
			continue;
		f->other_tiles += found;
		if (!found)
			f->gt_id = l->gts[i].gt_id;
		found = true;
	}
	free(l);
	return found ||
		err_set(err, ERR_UNSUPPORTED,
			"%s: the kernel names no GT that renders or computes", n->card);
}

int xe_node_engines(const struct drm_node *n, struct xe_engine_instance *list, int room)
{
	size_t len;
	struct xe_engines *e = query(n, XE_QUERY_ENGINES, sizeof(struct xe_engines), &len);
	uint32_t count = e ? node_answer_count(e->n, len, sizeof(*e), sizeof(e->engines[0])) : 0;
	int used = 0;

	for (uint32_t i = 0; i < count && used < room; i++)
		list[used++] = e->engines[i].instance;
	free(e);
	return used;
}

static void read_engines(const struct drm_node *n, struct xe_facts *f)
{
	struct xe_engine_instance list[XE_MAX_ENGINES];
	int count = xe_node_engines(n, list, XE_MAX_ENGINES);

	for (int i = 0; i < count; i++) {
		const struct xe_engine_instance *in = &list[i];

		if (in->gt_id != f->gt_id)
			continue;
		f->compute_engines += in->engine_class == XE_CLASS_COMPUTE;
		f->copy_engines += in->engine_class == XE_CLASS_COPY;
		if (!f->has_engine &&
			(in->engine_class == XE_CLASS_RENDER ||
				in->engine_class == XE_CLASS_COMPUTE)) {
			f->engine = *in;
			f->has_engine = true;
		}
	}
}

/* Returns how many subslices a slice has. The firmware knows that better than our tables. */
static int read_layout(const struct drm_node *n, struct device *d)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	size_t len;
	uint32_t *table = query(n, XE_QUERY_HWCONFIG, 0, &len);
	size_t words = table ? len / sizeof(*table) : 0;
	uint32_t slices = 0, subslices = 0, threads = 0;

	intel_hwconfig(table, words, HWCONFIG_MAX_SLICES, &slices);
	intel_hwconfig(table, words, HWCONFIG_MAX_SUBSLICES, &subslices);
	intel_hwconfig(table, words, HWCONFIG_THREADS_PER_EU, &threads);
	intel_hwconfig_memory_consts(d, table, words);
	free(table);
	if (threads > 0 && threads <= 64)
		d->topology.threads_per_eu = (int)threads;
	if (slices > 0 && subslices >= slices && subslices <= 8 * MASK_BYTES)
		return (int)((subslices + slices - 1) / slices);
	return p && p->max_subslices ? p->max_subslices : 8;
}

/* --- topology --- */

struct masks {
	uint8_t dss[MASK_BYTES], eus[MASK_BYTES], l3[MASK_BYTES];
};

/* A subslice may be for geometry, for compute or for both. All EUs of a part have the same width,
 * so that one of the EU masks is enough. */
static bool read_masks(struct masks *m, uint16_t gt_id, const uint8_t *p, size_t len)
{
	while (len >= sizeof(struct xe_topology_mask)) {
		struct xe_topology_mask head;
		uint8_t *out = NULL;

		memcpy(&head, p, sizeof(head));
		if (head.n_bytes > len - sizeof(head))
			return false;
		switch (head.type) {
		case XE_TOPO_DSS_GEOMETRY:
		case XE_TOPO_DSS_COMPUTE:
			out = m->dss;
			break;
		case XE_TOPO_L3_BANK:
			out = m->l3;
			break;
		case XE_TOPO_EU_PER_DSS:
		case XE_TOPO_SIMD16_EU_PER_DSS:
			out = m->eus;
			break;
		default:
			break;
		}
		for (uint32_t i = 0; out && head.gt_id == gt_id && i < head.n_bytes; i++)
			if (i < MASK_BYTES)
				out[i] |= p[sizeof(head) + i];
		p += sizeof(head) + head.n_bytes;
		len -= sizeof(head) + head.n_bytes;
	}
	return true;
}

bool xe_topology_parse(struct device *d, uint16_t gt_id, int dss_per_slice, const void *answer,
	size_t len, struct err *err)
{
	struct masks m = { { 0 }, { 0 }, { 0 } };
	uint64_t l3 = 0;

	if (!read_masks(&m, gt_id, answer, len))
		return err_set(err, ERR_PARSE, "a mask of the topology runs past its end");
	if (!intel_topology_from_masks(
		    &d->topology, m.dss, MASK_BYTES, m.eus, MASK_BYTES, dss_per_slice, err))
		return false;
	for (int i = 0; i < 8; i++)
		l3 |= (uint64_t)m.l3[i] << 8 * i;
	if (l3)
		device_set_const(d, "l3_bank_count", __builtin_popcountll(l3));
	intel_device_set_units(d, l3, dss_per_slice);
	return true;
}

static bool read_topology(
	const struct drm_node *n, const struct xe_facts *f, struct device *d, struct err *err)
{
	int per_slice = read_layout(n, d);
	size_t len;
	void *answer = query(n, XE_QUERY_GT_TOPOLOGY, 0, &len);
	struct err why = { .code = ERR_NONE };

	if (!answer)
		return err_sys(err, "%s: the kernel does not tell the topology", n->card);
	bool good = xe_topology_parse(d, f->gt_id, per_slice, answer, len, &why);
	free(answer);
	return good ||
		err_set(err, ERR_UNSUPPORTED, "%s: the kernel does not tell the topology (%s)",
			n->card, why.msg);
}

/* --- OA units and stall sampling --- */

bool xe_oa_units_parse(struct xe_facts *f, struct device *d, const void *answer, size_t len)
{
	const uint8_t *p = (const uint8_t *)answer + sizeof(struct xe_oa_units);
	size_t left = len < sizeof(struct xe_oa_units) ? 0 : len - sizeof(struct xe_oa_units);
	struct xe_oa_units head = { .n = 0 };
	struct xe_oa_unit u;

	if (left)
		memcpy(&head, answer, sizeof(head));
	for (uint32_t i = 0; i < head.n && left >= sizeof(u); i++) {
		memcpy(&u, p, sizeof(u));
		if (u.n_engines > (left - sizeof(u)) / sizeof(u.engines[0]))
			return f->has_oa;
		f->media_units += u.type == XE_OA_UNIT_OAM || u.type == XE_OA_UNIT_OAM_SAG;
		if (u.type == XE_OA_UNIT_OAG && !f->has_oa) {
			f->has_oa = true;
			f->oa_unit = u.id;
			d->timestamp_hz = u.timestamp_hz;
		}
		p += sizeof(u) + u.n_engines * sizeof(u.engines[0]);
		left -= sizeof(u) + u.n_engines * sizeof(u.engines[0]);
	}
	return f->has_oa;
}

static bool read_oa_units(
	const struct drm_node *n, struct xe_facts *f, struct device *d, struct err *err)
{
	size_t len;
	void *answer = query(n, XE_QUERY_OA_UNITS, 0, &len);

	if (!answer) {
		err_sys(err, "%s: this kernel's xe driver tells of no OA unit", n->card);
		if (err)
			err->code = ERR_UNSUPPORTED;
		return err_hint(err,
			"Linux 6.11 is the first with OA streams of xe; uname -r tells yours");
	}
	bool found = xe_oa_units_parse(f, d, answer, len);
	free(answer);
	if (found)
		return true;
	err_set(err, ERR_UNSUPPORTED,
		"%s: its driver offers no OA unit for rendering and compute", n->card);
	return err_hint(err,
		"virtual functions have none, and neither has a driver without GuC submission");
}

static void read_stall(const struct drm_node *n, struct xe_facts *f)
{
	size_t len;
	struct xe_eu_stall_info *s = query(
		n, XE_QUERY_EU_STALL, sizeof(struct xe_eu_stall_info), &len);

	if (s) {
		uint32_t rates = node_answer_count(
			s->n_rates, len, sizeof(*s), sizeof(s->rates[0]));

		for (uint32_t i = 0; i < rates; i++)
			if (s->rates[i] > f->stall_cycles)
				f->stall_cycles = s->rates[i];
		if (rates)
			f->stall_record_bytes = s->record_bytes;
		f->stall_core_bytes = s->xecore_buffer_bytes;
	}
	free(s);
}

bool xe_node_identify(
	const struct drm_node *n, struct device *d, struct xe_facts *f, struct err *err)
{
	*f = (struct xe_facts){ 0 };
	if (!read_config(n, d, err) || !read_gts(n, f, err))
		return false;
	read_engines(n, f);
	read_stall(n, f);
	if (f->compute_engines)
		device_set_const(d, "compute_engine_count", f->compute_engines);
	if (f->copy_engines)
		device_set_const(d, "copy_engine_count", f->copy_engines);
	if (!read_topology(n, f, d, err) || !read_oa_units(n, f, d, err))
		return false;
	if (f->other_tiles)
		device_set_const(d, "other_tile_count", f->other_tiles);
	if (f->media_units)
		device_set_const(d, "media_oa_unit_count", f->media_units);
	return true;
}

bool xe_node_correlate(const struct drm_node *n, const struct xe_facts *f, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	struct xe_engine_cycles c = { .engine = f->engine, .clock_id = CLOCK_MONOTONIC };
	struct xe_device_query q = {
		.query = XE_QUERY_ENGINE_CYCLES, .size = sizeof(c), .data = (uintptr_t)&c
	};

	if (!f->has_engine)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: the driver has no engine whose time stamp can be read", n->card);
	if (node_ioctl(n->fd, XE_IOCTL_QUERY, &q) < 0)
		return err_sys(err, "%s: cannot read the GPU's time stamp", n->card);
	*cpu_ns = c.cpu_ns + c.cpu_delta_ns / 2;
	*gpu_timestamp = c.cycles;
	return true;
}
