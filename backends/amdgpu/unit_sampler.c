/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the busy bits of GRBM_STATUS a hundred times a second. A bit says what is so in one
 * moment, so that the share of looks that saw it is an estimate. */
#include "config.h"

#include "backends/amdgpu/amdgpu_sources.h"

#include <string.h>

#include "base/mem.h"

enum { LOOKS, GUI, CP, SPI, TA, SX, GE, PA, SC, DB, CB, COUNTERS };

static const struct counter_desc counters[COUNTERS] = {
	[LOOKS] = { "amd_looks", "number", 64, COUNTER_CUMULATIVE },
	[GUI] = { "amd_looks_gui", "number", 64, COUNTER_CUMULATIVE },
	[CP] = { "amd_looks_cp", "number", 64, COUNTER_CUMULATIVE },
	[SPI] = { "amd_looks_spi", "number", 64, COUNTER_CUMULATIVE },
	[TA] = { "amd_looks_ta", "number", 64, COUNTER_CUMULATIVE },
	[SX] = { "amd_looks_sx", "number", 64, COUNTER_CUMULATIVE },
	[GE] = { "amd_looks_ge", "number", 64, COUNTER_CUMULATIVE },
	[PA] = { "amd_looks_pa", "number", 64, COUNTER_CUMULATIVE },
	[SC] = { "amd_looks_sc", "number", 64, COUNTER_CUMULATIVE },
	[DB] = { "amd_looks_db", "number", 64, COUNTER_CUMULATIVE },
	[CB] = { "amd_looks_cb", "number", 64, COUNTER_CUMULATIVE },
};

bool amd_units_wanted(const struct metric_set *set)
{
	return metric_set_reads(set, counters, COUNTERS);
}

#ifdef HAVE_LIBDRM

#include <amdgpu_drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backends/card/drm_card.h"
#include "backends/card/drm_node.h"
#include "backends/common/stand_ins.h"
#include "base/clock.h"

/* Linux asic_reg/gc/gc_9_0_offset.h to gc_12_0_0_offset.h, behind the base of the graphics core
 * (*_ip_offset.h): 0x2000 + 4 on gfx9, 0x1260 + 0xda4 later. */
#define GRBM_STATUS 0x2004
#define EVERY_UNIT 0xffffffff	/* of all shader engines together */

/* Bits of gfx9 to gfx12 (gc_*_sh_mask.h, GRBM_STATUS__*_BUSY__SHIFT). On gfx9 the geometry engine's
 * bit is that of another unit. */
static const uint8_t bits[COUNTERS] = { [GUI] = 31, [CP] = 29, [SPI] = 22, [TA] = 14, [SX] = 20, [GE] = 21,
	[PA] = 25, [SC] = 24, [DB] = 26, [CB] = 30 };

#define DISTANCE_NS (10 * NS_PER_MS)

struct unit_sampler {
	struct source source;
	const struct fsroot *fs;
	struct drm_node node;
	struct counter_desc counters[COUNTERS];
	uint64_t counts[COUNTERS];	/* since the last window */
	bool asleep, failed;
	int64_t window_ns;
	uint32_t random;
};

/* The next look is half to one and a half distances away, so that it keeps no step with what it
 * sees. */
static bool arm(struct unit_sampler *s)
{
	/* xorshift32 (Marsaglia 2003) */
	s->random ^= s->random << 13;
	s->random ^= s->random >> 17;
	s->random ^= s->random << 5;
	return clock_timer_set(s->source.fd,
		DISTANCE_NS / 2 + DISTANCE_NS * (int64_t)(s->random >> 16) / 65536, 0);
}

static bool look(struct unit_sampler *s, struct err *err)
{
	uint32_t now = 0;
	struct drm_amdgpu_info q = { .return_pointer = (uintptr_t)&now,
		.return_size = sizeof(now),
		.query = AMDGPU_INFO_READ_MMR_REG };

	q.read_mmr_reg.dword_offset = GRBM_STATUS;
	q.read_mmr_reg.count = 1;
	q.read_mmr_reg.instance = EVERY_UNIT;
	s->failed = node_ioctl(s->node.fd, DRM_IOCTL_AMDGPU_INFO, &q) != 0;
	if (s->failed)
		return err_sys(err, "%s: the driver does not read GRBM_STATUS", s->node.card);
	s->counts[LOOKS]++;
	for (int i = GUI; i < COUNTERS; i++)
		s->counts[i] += now >> bits[i] & 1;
	return true;
}

/* A card that was switched off meanwhile is left so. */
static bool units_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct unit_sampler *s = (struct unit_sampler *)src;

	(void)now_ns;
	if (!clock_timer_clear(s->source.fd))
		return true;	/* it is no time to look */
	s->asleep = drm_card_is_asleep(s->fs, s->node.card);
	bool good = s->asleep || look(s, err);
	return arm(s) && good;
}

static void units_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct unit_sampler *s = (struct unit_sampler *)src;

	source_window(out, &s->window_ns, now_ns);
	if (s->failed)
		out->why = WHY_STALE;
	else if (s->asleep && !s->counts[LOOKS])
		out->why = WHY_ASLEEP;
	memcpy(out->values, s->counts, sizeof(s->counts));
	memset(s->counts, 0, sizeof(s->counts));
}

static void units_close(struct source *src)
{
	struct unit_sampler *s = (struct unit_sampler *)src;

	if (s->source.fd >= 0)
		close(s->source.fd);
	drm_node_close(&s->node);
}

static const struct source_ops ops = {
	.size = sizeof(struct unit_sampler),
	.ready = units_ready, .collect = units_collect, .close = units_close,
};

/* What opens it again, once the card is awake. */
struct units_opening {
	const struct fsroot *fs;
	char card[32];
	struct counter_desc counters[COUNTERS];
};

static struct source *open_units(void *ctx, int64_t now_ns, struct err *err)
{
	const struct units_opening *o = ctx;

	if (drm_card_is_asleep(o->fs, o->card)) {
		err_set(err, ERR_ASLEEP, "%s sleeps and is left asleep", o->card);
		return NULL;
	}
	struct unit_sampler *s = source_new(&ops);
	s->source.fd = clock_timer_open();
	s->source.feed = (struct feed){ .name = "units", .how = "samples of GRBM_STATUS",
		.counters = s->counters, .n_counters = COUNTERS };
	memcpy(s->counters, o->counters, sizeof(counters));
	s->fs = o->fs;
	s->window_ns = now_ns;
	s->random = (uint32_t)clock_machine_ns() | 1;
	bool good = drm_node_open(&s->node, o->fs, o->card, err) && look(s, err);
	if (good && (s->source.fd < 0 || !arm(s)))
		good = err_sys(err, "%s: cannot make a timer for looks at its units", o->card);
	if (good)
		return &s->source;
	source_close(&s->source);
	return NULL;
}

struct source *amd_units_open(const struct device *d, const struct amd_core *core,
	const struct open_options *o, struct err *err)
{
	static const struct source_opener opener = { .open = open_units, .release = free };

	if (core->major < 9 || core->major > 12) {
		err_set(err, ERR_UNSUPPORTED,
			"%s: the bits of its status register are not known", d->id);
		return NULL;
	}
	struct units_opening *ctx = xcalloc(1, sizeof(*ctx));
	ctx->fs = o->fs;
	memcpy(ctx->counters, counters, sizeof(counters));
	if (core->major == 9)
		ctx->counters[GE].name[0] = '\0';	/* nobody is offered a nameless counter */
	snprintf(ctx->card, sizeof(ctx->card), "%.31s", d->id);
	struct source *inner = open_units(ctx, o->now_ns, err);
	const struct feed missing = { .name = "units", .how = "samples of GRBM_STATUS",
		.counters = ctx->counters, .n_counters = COUNTERS };
	return reopening_source_open(&opener, ctx, inner, &missing, err);
}

#else

struct source *amd_units_open(const struct device *d, const struct amd_core *core,
	const struct open_options *o, struct err *err)
{
	(void)core, (void)o;
	err_set(err, ERR_UNSUPPORTED, "%s: this build cannot ask amdgpu for its registers, for want of libdrm",
		d->id);
	return NULL;
}

#endif
