/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of gpu_metrics. Offsets are those that a compiler gives the structs of Linux
 * drivers/gpu/drm/amd/include/kgd_pp_interface.h; tests/unit/gpu_metrics.c holds them to tables of real
 * cards. */
#include "config.h"

#include "backends/amdgpu/gpu_metrics.h"

#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"

/* A field: where it is, how many bytes an element has, and how many elements. Temperatures, powers and
 * clocks of several units are the highest, counters are summed. */
struct field {
	enum gpu_metric metric;
	uint16_t offset;
	uint8_t bytes, n;
	uint16_t factor;	/* from the table's unit to that of the metric */
};

/* Dedicated cards: degrees, percent, watts (roofs by what fills it: swsmu). The units of energy differ
 * by part, which the backend knows. */
static const struct field v1_1[] = {
	{ GPU_METRIC_TEMP_EDGE_MDEGC, 4, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_HOTSPOT_MDEGC, 6, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_MEM_MDEGC, 8, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 12, 2, 1, 1000 },
	{ GPU_METRIC_GFX_ACTIVITY, 16, 2, 1, 100 },
	{ GPU_METRIC_MEM_ACTIVITY, 18, 2, 1, 100 },
	{ GPU_METRIC_MEDIA_ACTIVITY, 20, 2, 1, 100 },
	{ GPU_METRIC_SOCKET_POWER_MW, 22, 2, 1, 1000 },
	{ GPU_METRIC_ENERGY, 24, 8, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 54, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 56, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 58, 2, 1, 1 },
	{ GPU_METRIC_FAN_RPM, 72, 2, 1, 1 },
};

static const struct field v1_4[] = {
	{ GPU_METRIC_TEMP_HOTSPOT_MDEGC, 4, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_MEM_MDEGC, 6, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 8, 2, 1, 1000 },
	{ GPU_METRIC_SOCKET_POWER_MW, 10, 2, 1, 1000 },
	{ GPU_METRIC_GFX_ACTIVITY, 12, 2, 1, 100 },
	{ GPU_METRIC_MEM_ACTIVITY, 14, 2, 1, 100 },
	{ GPU_METRIC_MEDIA_ACTIVITY, 16, 2, 4, 100 },
	{ GPU_METRIC_ENERGY, 24, 8, 1, 1 },
	{ GPU_METRIC_PCIE_REPLAYS, 88, 8, 1, 1 },
	{ GPU_METRIC_XGMI_READ_KB, 104, 8, 8, 1 },
	{ GPU_METRIC_XGMI_WRITE_KB, 168, 8, 8, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 240, 2, 8, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 256, 2, 4, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 280, 2, 1, 1 },
};

static const struct field v1_5[] = {
	{ GPU_METRIC_TEMP_HOTSPOT_MDEGC, 4, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_MEM_MDEGC, 6, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 8, 2, 1, 1000 },
	{ GPU_METRIC_SOCKET_POWER_MW, 10, 2, 1, 1000 },
	{ GPU_METRIC_GFX_ACTIVITY, 12, 2, 1, 100 },
	{ GPU_METRIC_MEM_ACTIVITY, 14, 2, 1, 100 },
	{ GPU_METRIC_MEDIA_ACTIVITY, 16, 2, 4, 100 },
	{ GPU_METRIC_ENERGY, 88, 8, 1, 1 },
	{ GPU_METRIC_PCIE_REPLAYS, 152, 8, 1, 1 },
	{ GPU_METRIC_XGMI_READ_KB, 176, 8, 8, 1 },
	{ GPU_METRIC_XGMI_WRITE_KB, 240, 8, 8, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 312, 2, 8, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 328, 2, 4, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 352, 2, 1, 1 },
};

static const struct field v1_8[] = {
	{ GPU_METRIC_TEMP_HOTSPOT_MDEGC, 4, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_MEM_MDEGC, 6, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 8, 2, 1, 1000 },
	{ GPU_METRIC_SOCKET_POWER_MW, 10, 2, 1, 1000 },
	{ GPU_METRIC_GFX_ACTIVITY, 12, 2, 1, 100 },
	{ GPU_METRIC_MEM_ACTIVITY, 14, 2, 1, 100 },
	{ GPU_METRIC_MEM_BANDWIDTH_MAX_MB_S, 16, 8, 1, 1000 },
	{ GPU_METRIC_ENERGY, 24, 8, 1, 1 },
	{ GPU_METRIC_ACCUMULATIONS, 40, 4, 1, 1 },
	{ GPU_METRIC_HELD_PROCHOT, 44, 4, 1, 1 },
	{ GPU_METRIC_HELD_POWER, 48, 4, 1, 1 },
	{ GPU_METRIC_HELD_SOCKET_HEAT, 52, 4, 1, 1 },
	{ GPU_METRIC_HELD_REGULATOR_HEAT, 56, 4, 1, 1 },
	{ GPU_METRIC_HELD_MEMORY_HEAT, 60, 4, 1, 1 },
	{ GPU_METRIC_PCIE_REPLAYS, 112, 8, 1, 1 },
	{ GPU_METRIC_XGMI_READ_KB, 136, 8, 8, 1 },
	{ GPU_METRIC_XGMI_WRITE_KB, 200, 8, 8, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 296, 2, 8, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 312, 2, 4, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 336, 2, 1, 1 },
};

/* Processors with graphics: hundredths of a degree, milliwatts. Whether activity is in percent or in
 * hundredths depends on the part and its firmware, so that the driver's file gpu_busy_percent is read
 * instead. */
static const struct field v2_1[] = {
	{ GPU_METRIC_TEMP_EDGE_MDEGC, 4, 2, 1, 10 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 6, 2, 1, 10 },
	{ GPU_METRIC_SOCKET_POWER_MW, 40, 2, 1, 1 },
	{ GPU_METRIC_CPU_POWER_MW, 42, 2, 1, 1 },
	{ GPU_METRIC_GFX_POWER_MW, 46, 2, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 76, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 78, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 80, 2, 1, 1 },
};

static const struct field v3_0[] = {
	{ GPU_METRIC_TEMP_EDGE_MDEGC, 4, 2, 1, 10 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 6, 2, 1, 10 },
	{ GPU_METRIC_MEDIA_ACTIVITY, 44, 2, 1, 1 },
	{ GPU_METRIC_DRAM_READ_MB_S, 94, 2, 1, 1 },
	{ GPU_METRIC_DRAM_WRITE_MB_S, 96, 2, 1, 1 },
	{ GPU_METRIC_SOCKET_POWER_MW, 112, 4, 1, 1 },
	{ GPU_METRIC_GFX_POWER_MW, 124, 4, 1, 1 },
	{ GPU_METRIC_CPU_POWER_MW, 132, 4, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 174, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 176, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 186, 2, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MAX_MHZ, 224, 2, 1, 1 },
};

#define TABLE(format, content, size, fields) { format, content, size, fields, ARRAY_LEN(fields) }

/* In ascending order. Versions 1.0 and 2.0 are left out, because their fields are not aligned in one way
 * on all kernels; 1.6 and 1.7 are known by their size only; 1.9 is a list of attributes. */
static const struct table {
	uint8_t format, content;
	uint16_t size;
	const struct field *fields;
	size_t n;
} tables[] = {
	TABLE(1, 1, 96, v1_1), TABLE(1, 2, 104, v1_1), TABLE(1, 3, 120, v1_1),
	TABLE(1, 4, 288, v1_4), TABLE(1, 5, 360, v1_5), TABLE(1, 8, 3872, v1_8),
	TABLE(2, 1, 120, v2_1), TABLE(2, 2, 128, v2_1), TABLE(2, 3, 152, v2_1),
	TABLE(2, 4, 168, v2_1), TABLE(3, 0, 264, v3_0),
};

/* Later contents of formats 2 and 3 have only grown at their end; those of format 1 were made anew. */
static const struct table *table_of(uint8_t format, uint8_t content, bool *known)
{
	const struct table *best = NULL;

	*known = false;
	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		if (tables[i].format != format || tables[i].content > content)
			continue;
		best = &tables[i];
		*known = tables[i].content == content;
	}
	return *known || format > 1 ? best : NULL;
}

/* Little-endian, as the driver writes it on every machine that has such a card. */
static uint64_t number(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	for (int i = bytes - 1; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

static void take(const struct field *f, const uint8_t *data, size_t len, struct gpu_metrics *out)
{
	uint64_t none = f->bytes == 8 ? UINT64_MAX : (1ull << 8 * f->bytes) - 1, sum = 0;
	bool is_sum = f->metric >= GPU_METRIC_ENERGY && f->metric <= GPU_METRIC_XGMI_WRITE_KB;
	bool any = false;

	for (int i = 0; i < f->n; i++) {
		size_t at = f->offset + (size_t)i * f->bytes;

		if (at + f->bytes > len)
			break;
		uint64_t v = number(data + at, f->bytes);
		if (v == none)
			continue;
		any = true;
		if (is_sum)
			sum += v;
		else if (v > sum)
			sum = v;
	}
	/* Parts leave sensors that they do not have at 0: a RX 7600S its regulator's. */
	if (!sum && f->metric <= GPU_METRIC_TEMP_SOC_MDEGC)
		any = false;
	if (!any || sum > UINT64_MAX / f->factor)
		return;
	out->has[f->metric] = true;
	out->values[f->metric] = sum * f->factor;
}

bool gpu_metrics_parse(const void *data, size_t len, struct gpu_metrics *out, struct err *err)
{
	const uint8_t *p = data;

	*out = (struct gpu_metrics){ 0 };
	if (len < 4)
		return err_set(err, ERR_PARSE, _("gpu_metrics has %zu bytes and no header"), len);
	size_t size = (size_t)number(p, 2);
	out->format = p[2];
	out->content = p[3];
	if (size < 4 || size > len)
		return err_set(err, ERR_PARSE,
			_("gpu_metrics says that it has %zu bytes, and has %zu"), size, len);
	const struct table *t = table_of(out->format, out->content, &out->known);
	if (!t)
		return err_set(err, ERR_UNSUPPORTED, _("gpu_metrics has the unknown version %d.%d"),
			out->format, out->content);
	if (size < t->size)
		return err_set(err, ERR_PARSE,
			_("gpu_metrics %d.%d has %zu bytes, its format has %d"), out->format,
			out->content, size, t->size);
	for (size_t i = 0; i < t->n; i++)
		take(&t->fields[i], p, size, out);
	return true;
}
