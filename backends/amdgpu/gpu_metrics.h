/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The binary table gpu_metrics of amdgpu: its formats as data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* No table is longer: the driver hands out less than a page. */
#define GPU_METRICS_MAX 4096

/* What tables may hold, each in one unit whatever the table's own is. */
enum gpu_metric {
	GPU_METRIC_TEMP_EDGE_MDEGC,
	GPU_METRIC_TEMP_HOTSPOT_MDEGC,
	GPU_METRIC_TEMP_MEM_MDEGC,
	GPU_METRIC_TEMP_SOC_MDEGC,
	GPU_METRIC_SOCKET_POWER_MW,
	GPU_METRIC_GFX_POWER_MW,
	GPU_METRIC_CPU_POWER_MW,	/* all cores of an APU */
	GPU_METRIC_GFX_CLOCK_MHZ,	/* of the moment */
	GPU_METRIC_MEM_CLOCK_MHZ,
	GPU_METRIC_SOC_CLOCK_MHZ,
	GPU_METRIC_GFX_CLOCK_MAX_MHZ,
	GPU_METRIC_FAN_RPM,
	/* hundredths of a percent; only where the table's unit does not depend on firmware */
	GPU_METRIC_GFX_ACTIVITY,
	GPU_METRIC_MEM_ACTIVITY,
	GPU_METRIC_MEDIA_ACTIVITY,
	/* cumulative from here on; the unit of residencies is accumulations */
	GPU_METRIC_ENERGY,
	GPU_METRIC_ACCUMULATIONS,
	GPU_METRIC_HELD_PROCHOT,
	GPU_METRIC_HELD_POWER,
	GPU_METRIC_HELD_SOCKET_HEAT,
	GPU_METRIC_HELD_REGULATOR_HEAT,
	GPU_METRIC_HELD_MEMORY_HEAT,
	/* an APU's; how often the firmware looks, nobody says */
	GPU_METRIC_LOOKS_PROCHOT,
	GPU_METRIC_LOOKS_POWER,
	GPU_METRIC_LOOKS_HEAT,
	GPU_METRIC_PCIE_REPLAYS,
	GPU_METRIC_XGMI_READ_KB,
	GPU_METRIC_XGMI_WRITE_KB,
	/* gauges again */
	GPU_METRIC_MEM_BANDWIDTH_MAX_MB_S,
	GPU_METRIC_PCIE_MB_S,	/* of the moment */
	GPU_METRIC_DRAM_READ_MB_S,
	GPU_METRIC_DRAM_WRITE_MB_S,
	GPU_METRIC_COUNT
};

/* Plain data. */
struct gpu_metrics {
	uint8_t format, content;	/* the version: 1.3 */
	bool known;			/* the version is one of the tables here */
	bool has[GPU_METRIC_COUNT];
	uint64_t values[GPU_METRIC_COUNT];
};

/* Reads a table of len bytes. Fields that the table does not have, or whose bits are all ones
 * (which is how the driver says "none") are absent. A version that is newer than the tables here,
 * but of a known format, is read as its newest known one, with known false. False with err when the
 * header makes no sense, or the table is too short for what it says it is. */
bool gpu_metrics_parse(const void *data, size_t len, struct gpu_metrics *out, struct err *err);
