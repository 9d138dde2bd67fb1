/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Bifrost GPUs as a table, and the constants that equations name. */
#include "config.h"

#include "backends/mali/product.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/mem.h"

/* Architecture major and product major: the minor numbers and revisions of one product differ
 * between chips. */
#define PRODUCT_MASK 0xf00f
#define LONE_CORE_REGISTERS 0x2000
#define FLOP_PER_FMA 2
#define FLOP_PER_PAIR 3		/* an instruction pair: a fused multiply-add, and an addition in the other slot */
#define SC_BEAT_BYTES 16	/* between shader cores and L2; Streamline, Mali Bifrost counters */

/* Identifiers: libGPUCounters specification/database/Mali-ProductInfo.xml and backend/device
 * product_id.cpp; Mesa src/panfrost/model. Engines: libGPUCounters num_exec_engines.cpp. Warps and
 * tile storage: libGPUCounters constants MaliGPUWarpSize, MaliGPUMaxPixelStorage. */
#define LGC "libGPUCounters 2.4"

/* clang-format off */
const struct mali_product mali_products[] = {
	{ "g71", "Mali-G71", 0x6000, MALI_OLD_TEXTURE, 4, 3, 0, 128, LGC },
	{ "g72", "Mali-G72", 0x6001, MALI_OLD_TEXTURE, 4, 3, 0, 256, LGC },
	{ "g51", "Mali-G51", 0x7000, MALI_NEW_TEXTURE | MALI_OTHER_FIRST, 4, 3, 1, 256, LGC },
	{ "g76", "Mali-G76", 0x7001, MALI_NEW_TEXTURE | MALI_OTHER_FIRST | MALI_WIDE, 8, 3, 0, 256, LGC },
	{ "g52", "Mali-G52", 0x7002, MALI_NEW_TEXTURE | MALI_WIDE, 8, 0, 0, 256, LGC },
	{ "g31", "Mali-G31", 0x7003, MALI_NEW_TEXTURE, 4, 2, 1, 256, LGC },
};
/* clang-format on */

const int mali_product_count = (int)ARRAY_LEN(mali_products);

const struct mali_product *mali_product_by_id(uint32_t gpu_id)
{
	for (int i = 0; i < mali_product_count; i++)
		if (mali_products[i].id == ((gpu_id >> 16) & PRODUCT_MASK))
			return &mali_products[i];
	return NULL;
}

int mali_engines(const struct mali_product *p, const struct mali_identity *id)
{
	if (id->engines > 0)
		return id->engines;
	if (!p->engines)
		return (int)(id->core_features & 15);
	if (p->lone_engines && __builtin_popcountll(id->shader_present) == 1 &&
		(id->thread_features & 0xffff) == LONE_CORE_REGISTERS)
		return p->lone_engines;
	return p->engines;
}

static double power_of_two(uint32_t log2, uint32_t least, uint32_t most)
{
	if (log2 < least || log2 > most)
		return 0;
	return (double)(UINT64_C(1) << log2);
}

static void set_consts(
	struct device *d, const struct mali_product *p, const struct mali_identity *id)
{
	double lanes = mali_engines(p, id) * p->warp_threads;
	const struct {
		const char *name;
		double v;
	} consts[] = {
		{ "core_count", __builtin_popcountll(id->shader_present) },
		{ "l2_slice_count", id->slices },
		{ "warp_threads", p->warp_threads },
		{ "tile_bits_per_pixel", p->tile_bits },
		{ "sc_beat_bytes", SC_BEAT_BYTES },
		{ "engines_per_core", mali_engines(p, id) },
		{ "fma_flop_per_cycle_core", FLOP_PER_FMA * lanes },
		{ "flop_per_cycle_core", FLOP_PER_PAIR * lanes },
		{ "l2_slice_bytes", power_of_two((id->l2_features >> 16) & 0xff, 10, 30) },
		{ "axi_width_bytes", power_of_two(id->l2_features >> 24, 5, 12) / 8 },
		{ "max_clock_hz", (double)id->max_hz },
		{ "min_clock_hz", (double)d->min_hz },
	};

	/* A constant whose register says nothing stays unknown. */
	for (size_t i = 0; i < ARRAY_LEN(consts); i++)
		if (consts[i].v > 0)
			device_set_const(d, consts[i].name, consts[i].v);
}

const struct mali_product *mali_identity_check(const struct mali_identity *id, struct err *err)
{
	const struct mali_product *p = mali_product_by_id(id->gpu_id);

	if (!p) {
		err_set(err, ERR_UNSUPPORTED,
			_("the Mali GPU with the number %08x has no tables here"), id->gpu_id);
		err_hint(
			err, "%s", _("known are the Bifrost GPUs G31, G51, G52, G71, G72 and G76"));
		return NULL;
	}
	if (!id->shader_present || id->shader_present >> MALI_MAX_CORES || id->slices < 1 ||
		id->slices > MALI_MAX_SLICES) {
		err_set(err, ERR_UNSUPPORTED,
			_("%s: the driver tells of cores %#llx and %d L2 slices, which cannot be"),
			p->name, (unsigned long long)id->shader_present, id->slices);
		return NULL;
	}
	return p;
}

bool mali_device_fill(struct device *d, const struct mali_identity *id, struct err *err)
{
	const struct mali_product *p = mali_identity_check(id, err);

	if (!p)
		return false;
	snprintf(d->name, sizeof(d->name), "Arm %s MP%d", p->name,
		__builtin_popcountll(id->shader_present));
	snprintf(d->platform, sizeof(d->platform), "%s", p->platform);
	snprintf(d->generation, sizeof(d->generation), "Bifrost");
	snprintf(d->counters, sizeof(d->counters), "HWC");
	d->max_hz = id->max_hz;
	set_consts(d, p, id);
	return true;
}
