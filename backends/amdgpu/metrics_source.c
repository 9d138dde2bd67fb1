/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gpu_metrics at each window. */
#include "config.h"

#include "backends/amdgpu/amdgpu_sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backends/amdgpu/gpu_metrics.h"
#include "backends/card/card.h"
#include "backends/card/drm_card.h"
#include "backends/common/stand_ins.h"
#include "backends/memory/machine_memory.h"
#include "base/clock.h"

#define AMD_ENERGY_MJ (1000.0 / 65536)	/* as data/metrics/amdgpu-own.metrics has it */

static const struct counter_desc counters[GPU_METRIC_COUNT] = {
	[GPU_METRIC_TEMP_EDGE_MDEGC] = { "amd_temperature_mdegc", "mdegC", 32, COUNTER_GAUGE },
	[GPU_METRIC_TEMP_HOTSPOT_MDEGC] = { "amd_hotspot_mdegc", "mdegC", 32, COUNTER_GAUGE },
	[GPU_METRIC_TEMP_MEM_MDEGC] = { "amd_memory_mdegc", "mdegC", 32, COUNTER_GAUGE },
	[GPU_METRIC_TEMP_SOC_MDEGC] = { "amd_soc_mdegc", "mdegC", 32, COUNTER_GAUGE },
	[GPU_METRIC_SOCKET_POWER_MW] = { "amd_socket_mw", "mW", 32, COUNTER_GAUGE },
	[GPU_METRIC_GFX_POWER_MW] = { "amd_gfx_mw", "mW", 32, COUNTER_GAUGE },
	[GPU_METRIC_CPU_POWER_MW] = { "amd_cpu_mw", "mW", 32, COUNTER_GAUGE },
	[GPU_METRIC_GFX_CLOCK_MHZ] = { "amd_gfx_mhz", "MHz", 32, COUNTER_GAUGE },
	[GPU_METRIC_MEM_CLOCK_MHZ] = { "amd_memory_mhz", "MHz", 32, COUNTER_GAUGE },
	[GPU_METRIC_SOC_CLOCK_MHZ] = { "amd_soc_mhz", "MHz", 32, COUNTER_GAUGE },
	[GPU_METRIC_GFX_CLOCK_MAX_MHZ] = { "amd_gfx_max_mhz", "MHz", 32, COUNTER_GAUGE },
	[GPU_METRIC_FAN_RPM] = { "amd_fan_rpm", "number", 32, COUNTER_GAUGE },
	[GPU_METRIC_GFX_ACTIVITY] = { "amd_gfx_activity", "number", 32, COUNTER_GAUGE },
	[GPU_METRIC_MEM_ACTIVITY] = { "amd_memory_activity", "number", 32, COUNTER_GAUGE },
	[GPU_METRIC_MEDIA_ACTIVITY] = { "amd_media_activity", "number", 32, COUNTER_GAUGE },
	[GPU_METRIC_ENERGY] = { "amd_energy", "number", 64, COUNTER_CUMULATIVE },
	[GPU_METRIC_ACCUMULATIONS] = { "amd_accumulations", "number", 32, COUNTER_CUMULATIVE },
	[GPU_METRIC_HELD_PROCHOT] = { "amd_held_prochot", "number", 32, COUNTER_CUMULATIVE },
	[GPU_METRIC_HELD_POWER] = { "amd_held_power", "number", 32, COUNTER_CUMULATIVE },
	[GPU_METRIC_HELD_SOCKET_HEAT] = { "amd_held_socket_heat", "number", 32, COUNTER_CUMULATIVE },
	[GPU_METRIC_HELD_REGULATOR_HEAT] = { "amd_held_regulator_heat", "number", 32, COUNTER_CUMULATIVE },
	[GPU_METRIC_HELD_MEMORY_HEAT] = { "amd_held_memory_heat", "number", 32, COUNTER_CUMULATIVE },
	[GPU_METRIC_LOOKS_PROCHOT] = { "amd_looks_prochot", "number", 64, COUNTER_CUMULATIVE },
	[GPU_METRIC_LOOKS_POWER] = { "amd_looks_power", "number", 64, COUNTER_CUMULATIVE },
	[GPU_METRIC_LOOKS_HEAT] = { "amd_looks_heat", "number", 64, COUNTER_CUMULATIVE },
	[GPU_METRIC_PCIE_REPLAYS] = { "amd_pcie_replays", "number", 64, COUNTER_CUMULATIVE },
	[GPU_METRIC_XGMI_READ_KB] = { "amd_xgmi_read_kb", "number", 64, COUNTER_CUMULATIVE },
	[GPU_METRIC_XGMI_WRITE_KB] = { "amd_xgmi_write_kb", "number", 64, COUNTER_CUMULATIVE },
	[GPU_METRIC_MEM_BANDWIDTH_MAX_MB_S] = { "amd_memory_mb_s_max", "number", 64, COUNTER_GAUGE },
	[GPU_METRIC_PCIE_MB_S] = { "amd_pcie_mb_s", "number", 64, COUNTER_GAUGE },
	[GPU_METRIC_DRAM_READ_MB_S] = { "amd_dram_read_mb_s", "number", 32, COUNTER_GAUGE },
	[GPU_METRIC_DRAM_WRITE_MB_S] = { "amd_dram_write_mb_s", "number", 32, COUNTER_GAUGE },
};

struct metrics_source {
	struct source source;
	const struct fsroot *fs;
	struct device *device;
	struct amd_core core;
	const struct source *files;	/* NULL: there are none */
	struct amd_table *table;	/* NULL: the driver's */
	bool told;		/* what the card is, and which numbers its table has */
	char card[32];
	struct counter_desc counters[GPU_METRIC_COUNT];
	struct gpu_metrics now, before;
	uint64_t values[GPU_METRIC_COUNT];
	enum why whys[GPU_METRIC_COUNT];
	bool asleep, good;
	int64_t answer_ns;	/* when the table was read */
	int64_t begun_ns, ended_ns;	/* the window that values belong to */
};

static bool read_table(
	const struct fsroot *fs, const char *card, struct gpu_metrics *out, struct err *err)
{
	uint8_t data[GPU_METRICS_MAX];
	char path[96];
	size_t len;

	snprintf(path, sizeof(path), "/sys/class/drm/%.31s/device/gpu_metrics", card);
	return fsroot_read_bytes(fs, path, data, sizeof(data), &len, err) &&
		gpu_metrics_parse(data, len, out, err);
}

/* A number that is 0 for ever is one that this part does not fill: energy of RDNA4, the fan of a
 * card without one. What the driver's files have too is left to them. */
static void offer(struct metrics_source *s)
{
	memcpy(s->counters, counters, sizeof(counters));
	for (int i = 0; i < GPU_METRIC_COUNT; i++)
		if (!s->now.has[i] && s->told)
			s->counters[i].name[0] = '\0';	/* nobody is offered a nameless counter */
	if ((!s->table && !amd_energy_is_known(&s->core)) || (s->told && !s->now.values[GPU_METRIC_ENERGY]))
		s->counters[GPU_METRIC_ENERGY].name[0] = '\0';
}

/* Takes what the first table says of the card. woke: it slept when it was opened, so that its node
 * was not asked either. */
static void learn(struct metrics_source *s, bool woke)
{
	struct err why = { 0 };

	if (woke)
		amd_set_consts(s->device, &s->core, s->fs, &why);
	s->told = true;
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "gpu_metrics %d.%d", s->now.format,
		s->now.content);
	offer(s);
	/* Formats 2 and 3 are those of processors with graphics. */
	s->device->shares_memory |= s->now.format >= 2;
	/* Firmware that does not tell it leaves 0. */
	if (s->now.values[GPU_METRIC_MEM_BANDWIDTH_MAX_MB_S])
		device_set_roof(s->device, DRAM_ROOF,
			(double)s->now.values[GPU_METRIC_MEM_BANDWIDTH_MAX_MB_S] * 1e6, ROOF_READ,
			false, "gpu_metrics, mem_max_bandwidth");
	s->source.rebind = woke;
}

static bool model_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct metrics_source *s = (struct metrics_source *)src;
	uint8_t data[GPU_METRICS_MAX];

	s->answer_ns = now_ns;
	s->good = gpu_metrics_parse(data, s->table->read(s->table, now_ns, data), &s->now, err);
	return s->good;
}

static bool metrics_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct metrics_source *s = (struct metrics_source *)src;

	s->answer_ns = now_ns;
	s->asleep = drm_card_is_asleep(s->fs, s->card);
	if (s->asleep)
		return true;
	if (s->good && card_files_rest(s->files)) {
		s->answer_ns = s->ended_ns;	/* the last answer holds */
		return true;
	}
	s->good = read_table(s->fs, s->card, &s->now, err);
	s->answer_ns = fsroot_answer_ns(s->fs, now_ns);
	if (s->good && !s->told)
		learn(s, true);
	if (!s->good && !drm_card_is_gone(s->fs, s->card, err))
		err_hint(err, "%s", "its numbers are missing until the driver gives the table again");
	return s->good;
}

/* The card's sensor, in mW, which the kernel has scaled; 0: it has none. */
static double sensor_mw(const struct metrics_source *s)
{
	uint64_t uw;

	if (!s->files || !card_files_value(s->files, "card_power_uw", &uw))
		return 0;
	return (double)uw / 1000;
}

/* Firmware of Renoir and its kin tells watts where others tell milliwatts (Linux renoir_ppt.c), and
 * nothing in the table says which: the card's sensor does. */
static bool power_disagrees(const struct metrics_source *s)
{
	return s->now.has[GPU_METRIC_SOCKET_POWER_MW] &&
		second_differs(sensor_mw(s), (double)s->now.values[GPU_METRIC_SOCKET_POWER_MW]);
}

/* The counter's unit is known of some parts only by what their driver does with it: power over the
 * window is the second source. */
static bool energy_disagrees(const struct metrics_source *s)
{
	double mw = sensor_mw(s), seconds = (double)(s->ended_ns - s->begun_ns) / NS_PER_S;

	if (!(mw > 0) && s->now.has[GPU_METRIC_SOCKET_POWER_MW])
		mw = (double)s->now.values[GPU_METRIC_SOCKET_POWER_MW];
	return seconds > 0 && second_differs(mw, (double)s->values[GPU_METRIC_ENERGY] * AMD_ENERGY_MJ / seconds);
}

/* Headers of the kernel call the unit GB/s and Mbps. More than both directions of the link can
 * carry is another unit than it is read as. */
static bool link_disagrees(const struct metrics_source *s)
{
	uint64_t mtransfers, lanes;

	return s->files && s->now.has[GPU_METRIC_PCIE_MB_S] &&
		card_files_value(s->files, "link_mtransfers", &mtransfers) &&
		card_files_value(s->files, "link_lanes", &lanes) &&
		s->now.values[GPU_METRIC_PCIE_MB_S] > 2 * mtransfers * lanes / 8;
}

static void check_units(struct metrics_source *s)
{
	for (int i = GPU_METRIC_SOCKET_POWER_MW; i <= GPU_METRIC_CPU_POWER_MW && power_disagrees(s); i++)
		if (s->now.has[i])
			s->whys[i] = WHY_DISAGREES;
	if (s->whys[GPU_METRIC_ENERGY] == WHY_OK && energy_disagrees(s))
		s->whys[GPU_METRIC_ENERGY] = WHY_DISAGREES;
	if (link_disagrees(s))
		s->whys[GPU_METRIC_PCIE_MB_S] = WHY_DISAGREES;
}

static void take_window(struct metrics_source *s)
{
	for (int i = 0; i < GPU_METRIC_COUNT; i++) {
		bool is_sum = counters[i].kind == COUNTER_CUMULATIVE;
		uint64_t all = UINT64_MAX >> (64 - counters[i].bits);

		s->whys[i] = s->now.has[i] ? WHY_OK : WHY_STALE;
		s->values[i] = s->now.values[i];
		if (!is_sum || !s->now.has[i])
			continue;
		s->values[i] = (s->now.values[i] - s->before.values[i]) & all;
		if (!s->before.has[i])
			s->whys[i] = WHY_NOT_YET;
		/* A card that was reset counts from 0 again; no counter gets so far in a window. */
		else if (s->values[i] > all / 64)
			s->whys[i] = WHY_GAP;
	}
	check_units(s);
	s->before = s->now;
}

/* While a slow driver has no newer answer, the last window holds. */
static void metrics_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct metrics_source *s = (struct metrics_source *)src;

	(void)now_ns;
	if (s->asleep || !s->good) {
		source_window(out, &s->ended_ns, s->answer_ns);
		out->why = s->asleep ? WHY_ASLEEP : WHY_STALE;
		s->before = (struct gpu_metrics){ 0 };
		return;
	}
	if (s->answer_ns > s->ended_ns) {
		s->begun_ns = s->ended_ns;
		s->ended_ns = s->answer_ns;
		take_window(s);
	} else {
		out->quality |= SAMPLE_HELD;
	}
	int64_t begun_ns = s->begun_ns;
	source_window(out, &begun_ns, s->ended_ns);
	memcpy(out->values, s->values, sizeof(s->values));
	out->whys = s->whys;
}

static const struct source_ops ops = {
	.size = sizeof(struct metrics_source),
	.ready = metrics_ready, .collect = metrics_collect,
};

struct source *amd_metrics_open(struct device *d, const struct amd_core *core,
	const struct source *files, const struct open_options *o, struct err *err)
{
	struct metrics_source *s = source_new(&ops);
	struct gpu_metrics first = { 0 };

	s->asleep = drm_card_is_asleep(o->fs, d->id);
	bool read = !s->asleep && read_table(o->fs, d->id, &first, err);
	/* What a card in a reset refuses (EPERM) it gives afterwards; one without a table has none. */
	if (!read && !s->asleep && err->code != ERR_BUSY &&
		(!err->sys || err->sys == ENOENT || err->sys == EOPNOTSUPP)) {
		source_close(&s->source);
		return NULL;
	}
	s->source.look_often = true;
	s->source.feed = (struct feed){ .name = "metrics", .counters = s->counters,
		.n_counters = GPU_METRIC_COUNT };
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "gpu_metrics");
	if (read && !first.known)
		err_set(err, ERR_NONE,
			"version %d.%d is newer than this program, which reads what it knows of it",
			first.format, first.content);
	s->fs = o->fs;
	s->device = d;
	s->core = *core;
	s->files = files;
	s->begun_ns = s->ended_ns = o->now_ns;
	s->now = s->before = first;
	snprintf(s->card, sizeof(s->card), "%.31s", d->id);
	if (read)
		learn(s, false);
	else
		offer(s);
	return &s->source;
}

static void model_close(struct source *src)
{
	struct metrics_source *s = (struct metrics_source *)src;

	s->table->close(s->table);
}

static const struct source_ops model_ops = {
	.size = sizeof(struct metrics_source),
	.ready = model_ready, .collect = metrics_collect, .close = model_close,
};

struct source *amd_metrics_model(
	struct device *d, struct amd_table *table, int64_t now_ns, struct err *err)
{
	struct metrics_source *s = source_new(&model_ops);

	s->source.look_often = true;
	s->source.feed = (struct feed){ .name = "metrics", .counters = s->counters,
		.n_counters = GPU_METRIC_COUNT };
	s->device = d;
	s->table = table;
	s->begun_ns = s->ended_ns = now_ns;
	model_ready(&s->source, now_ns, err);
	s->before = s->now;
	learn(s, false);
	return &s->source;
}
