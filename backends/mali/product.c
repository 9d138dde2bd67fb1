/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPUs as a table, and the constants that equations name. */
#include "config.h"

#include "backends/mali/product.h"

#include <stdio.h>
#include <string.h>

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
 * tile storage: libGPUCounters constants MaliGPUWarpSize, MaliGPUMaxPixelStorage. Multiply-adds of
 * a core: AnandTech on G77 ("Arm's New Mali-G77 & Valhall GPU Architecture"), which has 32, as its
 * kin have; on G710, which has 64; on Immortalis-G715, which has twice as many. */
#define LGC "libGPUCounters 2.4"

/* clang-format off */
const struct mali_product mali_products[] = {
	{ "g71", "Mali-G71", 0x6000, MALI_WORDS_G71, 4, 3, NULL, 0, 128, 0, LGC },
	{ "g72", "Mali-G72", 0x6001, MALI_WORDS_G71, 4, 3, NULL, 0, 256, 0, LGC },
	{ "g51", "Mali-G51", 0x7000, MALI_WORDS_G51, 4, 3, NULL, 1, 256, 0, LGC },
	{ "g76", "Mali-G76", 0x7001, MALI_WORDS_G76, 8, 3, NULL, 0, 256, 0, LGC },
	{ "g52", "Mali-G52", 0x7002, MALI_WORDS_G52, 8, 0, NULL, 0, 256, 0, LGC },
	{ "g31", "Mali-G31", 0x7003, MALI_WORDS_G31, 4, 2, NULL, 1, 256, 0, LGC },
	{ "g77", "Mali-G77", 0x9000, MALI_WORDS_G77, 16, 1, NULL, 0, 256, 32, LGC },
	{ "g57", "Mali-G57", 0x9001, MALI_WORDS_G77, 16, 1, NULL, 0, 256, 32, LGC },
	{ "g57", "Mali-G57", 0x9003, MALI_WORDS_G77, 16, 1, NULL, 0, 256, 32, LGC },
	{ "g78", "Mali-G78", 0x9002, MALI_WORDS_G78, 16, 1, NULL, 0, 256, 32, LGC },
	{ "g68", "Mali-G68", 0x9004, MALI_WORDS_G78, 16, 1, NULL, 0, 256, 32, LGC },
	{ "g78ae", "Mali-G78AE", 0x9005, MALI_WORDS_G78, 16, 1, NULL, 0, 256, 32, LGC },
	{ "g710", "Mali-G710", 0xa002, MALI_WORDS_G710, 16, 2, NULL, 0, 256, 64, LGC },
	{ "g510", "Mali-G510", 0xa003, MALI_WORDS_G710, 16, 0, "11222", 0, 256, 0, LGC },
	{ "g310", "Mali-G310", 0xa004, MALI_WORDS_G710, 16, 0, "1122211", 0, 256, 0, LGC },
	{ "g610", "Mali-G610", 0xa007, MALI_WORDS_G710, 16, 2, NULL, 0, 256, 64, LGC },
	{ "g715", "Mali-G715", 0xb002, MALI_WORDS_G715, 16, 0, "11222", 0, 256, 128, LGC },
	{ "g615", "Mali-G615", 0xb003, MALI_WORDS_G715, 16, 0, "11222", 0, 256, 0, LGC },
	{ "g720", "Mali-G720", 0xc000, MALI_WORDS_G720, 16, 0, "-1--2", 0, 256, 0, LGC },
	{ "g620", "Mali-G620", 0xc001, MALI_WORDS_G720, 16, 0, "-1--2", 0, 256, 0, LGC },
	{ "g725", "Mali-G725", 0xd000, MALI_WORDS_G725, 16, 0, "-1--2", 0, 256, 0, LGC },
	{ "g625", "Mali-G625", 0xd001, MALI_WORDS_G725, 16, 0, "-1--2", 0, 256, 0, LGC },
	{ "g1ultra", "Mali G1-Ultra", 0xe000, MALI_WORDS_G1, 16, 0, "11--2", 0, 256, 0, LGC },
	{ "g1premium", "Mali G1-Premium", 0xe001, MALI_WORDS_G1, 16, 0, "11--2", 0, 256, 0, LGC },
	{ "g1pro", "Mali G1-Pro", 0xe003, MALI_WORDS_G1, 16, 0, "11--2", 0, 256, 0, LGC },
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

static int of_variant(const char *variants, uint32_t variant)
{
	if (variant >= strlen(variants) || variants[variant] == '-')
		return 0;
	return variants[variant] - '0';
}

int mali_engines(const struct mali_product *p, const struct mali_identity *id)
{
	if (id->engines > 0)
		return id->engines;
	if (!p->engines && p->variants)
		return of_variant(p->variants, id->core_features & 15);
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
	bool is_bifrost = mali_is_bifrost(p);
	double lanes = is_bifrost ? mali_engines(p, id) * p->warp_threads : p->fma_lanes;
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
		{ "flop_per_cycle_core", is_bifrost ? FLOP_PER_PAIR * lanes : 0 },
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
			"the Mali GPU with the number %08x has no tables here", id->gpu_id);
		err_hint(
			err, "%s", "known are Bifrost, Valhall and fifth generation GPUs up to Mali G1");
		return NULL;
	}
	if (!id->shader_present || id->shader_present >> MALI_MAX_CORES || id->slices < 1 ||
		id->slices > MALI_MAX_SLICES) {
		err_set(err, ERR_UNSUPPORTED,
			"%s: the driver tells of cores %#llx and %d L2 slices, which cannot be",
			p->name, (unsigned long long)id->shader_present, id->slices);
		return NULL;
	}
	return p;
}

bool mali_device_fill(struct device *d, const struct mali_identity *id, struct err *err)
{
	const struct mali_product *p = mali_identity_check(id, err);
	const char *family = "5th gen";

	if (!p)
		return false;
	if (mali_is_bifrost(p))
		family = "Bifrost";
	else if (p->words < MALI_WORDS_G720)
		family = "Valhall";
	snprintf(d->vendor, sizeof(d->vendor), "%s", "Arm");
	snprintf(d->name, sizeof(d->name), "Arm %s MP%d", p->name,
		__builtin_popcountll(id->shader_present));
	snprintf(d->platform, sizeof(d->platform), "%s", p->platform);
	snprintf(d->generation, sizeof(d->generation), "%s", family);
	snprintf(d->counters, sizeof(d->counters), "HWC");
	d->max_hz = id->max_hz;
	set_consts(d, p, id);
	return true;
}
