/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of gpu_metrics. Offsets are those that a compiler gives the structs of Linux
 * drivers/gpu/drm/amd/include/kgd_pp_interface.h. tests/fakekernel/gpu_metrics.py writes tables by
 * what a compiler said of that header, and tests/tty/amd_cards.sh holds them to tables of real
 * cards. */
#include "config.h"

#include "backends/amdgpu/gpu_metrics.h"

#include "base/mem.h"

/* A field: where it is, how many bytes an element has, and how many elements. Temperatures, powers
 * and clocks of several units are the highest, counters are summed. Of several rows for one metric
 * the first that the part fills counts. */
struct field {
	enum gpu_metric metric;
	uint16_t offset;
	uint8_t bytes, n;
	uint16_t factor;	/* from the table's unit to that of the metric */
};

/* Units that attributes may have (enum amdgpu_metrics_attr_unit). */
enum {
	UNIT_NONE = 0,
	UNIT_MHZ = 1,
	UNIT_CELSIUS = 2,
	UNIT_WATT = 3,
	UNIT_GB_S = 8,
	UNIT_KB = 9,
	UNIT_PERCENT = 10,
};

/* Dedicated cards: degrees, percent, watts (roofs by what fills it: swsmu). The units of energy
 * differ by part, which the backend knows. */
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
	{ GPU_METRIC_GFX_CLOCK_MHZ, 40, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 56, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 58, 2, 1, 1 },
	{ GPU_METRIC_FAN_RPM, 72, 2, 1, 1 },
};

/* Older kernels: the clock comes first, which moves the rest. Its energy has 32 bits of an unknown
 * unit. */
static const struct field v1_0[] = {
	{ GPU_METRIC_TEMP_EDGE_MDEGC, 16, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_HOTSPOT_MDEGC, 18, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_MEM_MDEGC, 20, 2, 1, 1000 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 24, 2, 1, 1000 },
	{ GPU_METRIC_GFX_ACTIVITY, 28, 2, 1, 100 },
	{ GPU_METRIC_MEM_ACTIVITY, 30, 2, 1, 100 },
	{ GPU_METRIC_MEDIA_ACTIVITY, 32, 2, 1, 100 },
	{ GPU_METRIC_SOCKET_POWER_MW, 34, 2, 1, 1000 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 54, 2, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 40, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 56, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 58, 2, 1, 1 },
	{ GPU_METRIC_FAN_RPM, 72, 2, 1, 1 },
};

/* What 1.4 and all later layouts of 1 begin with. */
#define HEAD_1_4 \
	{ GPU_METRIC_TEMP_HOTSPOT_MDEGC, 4, 2, 1, 1000 }, \
	{ GPU_METRIC_TEMP_MEM_MDEGC, 6, 2, 1, 1000 }, \
	{ GPU_METRIC_TEMP_SOC_MDEGC, 8, 2, 1, 1000 }, \
	{ GPU_METRIC_SOCKET_POWER_MW, 10, 2, 1, 1000 }, \
	{ GPU_METRIC_GFX_ACTIVITY, 12, 2, 1, 100 }, \
	{ GPU_METRIC_MEM_ACTIVITY, 14, 2, 1, 100 }

static const struct field v1_4[] = {
	HEAD_1_4,
	{ GPU_METRIC_MEDIA_ACTIVITY, 16, 2, 4, 100 },
	{ GPU_METRIC_ENERGY, 24, 8, 1, 1 },
	{ GPU_METRIC_PCIE_MB_S, 72, 8, 1, 1000 },
	{ GPU_METRIC_PCIE_REPLAYS, 88, 8, 1, 1 },
	{ GPU_METRIC_XGMI_READ_KB, 104, 8, 8, 1 },
	{ GPU_METRIC_XGMI_WRITE_KB, 168, 8, 8, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 240, 2, 8, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 256, 2, 4, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 280, 2, 1, 1 },
};

static const struct field v1_5[] = {
	HEAD_1_4,
	{ GPU_METRIC_MEDIA_ACTIVITY, 16, 2, 4, 100 },
	{ GPU_METRIC_ENERGY, 88, 8, 1, 1 },
	{ GPU_METRIC_PCIE_MB_S, 136, 8, 1, 1000 },
	{ GPU_METRIC_PCIE_REPLAYS, 152, 8, 1, 1 },
	{ GPU_METRIC_XGMI_READ_KB, 176, 8, 8, 1 },
	{ GPU_METRIC_XGMI_WRITE_KB, 240, 8, 8, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 312, 2, 8, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 328, 2, 4, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 352, 2, 1, 1 },
};

/* Sums of 1.6 and later ones, from the energy on. */
#define SUMS_1_6(at) \
	{ GPU_METRIC_ENERGY, at, 8, 1, 1 }, \
	{ GPU_METRIC_ACCUMULATIONS, (at) + 16, 4, 1, 1 }, \
	{ GPU_METRIC_HELD_PROCHOT, (at) + 20, 4, 1, 1 }, \
	{ GPU_METRIC_HELD_POWER, (at) + 24, 4, 1, 1 }, \
	{ GPU_METRIC_HELD_SOCKET_HEAT, (at) + 28, 4, 1, 1 }, \
	{ GPU_METRIC_HELD_REGULATOR_HEAT, (at) + 32, 4, 1, 1 }, \
	{ GPU_METRIC_HELD_MEMORY_HEAT, (at) + 36, 4, 1, 1 }, \
	{ GPU_METRIC_PCIE_MB_S, (at) + 72, 8, 1, 1000 }, \
	{ GPU_METRIC_PCIE_REPLAYS, (at) + 88, 8, 1, 1 }, \
	{ GPU_METRIC_XGMI_READ_KB, (at) + 112, 8, 8, 1 }, \
	{ GPU_METRIC_XGMI_WRITE_KB, (at) + 176, 8, 8, 1 }

static const struct field v1_6[] = {
	HEAD_1_4,
	SUMS_1_6(16),
	{ GPU_METRIC_GFX_CLOCK_MHZ, 264, 2, 8, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 280, 2, 4, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 304, 2, 1, 1 },
};

/* 1.7 and 1.8 differ in what each partition has, which nobody reads here. */
static const struct field v1_7[] = {
	HEAD_1_4,
	{ GPU_METRIC_MEM_BANDWIDTH_MAX_MB_S, 16, 8, 1, 1000 },
	SUMS_1_6(24),
	{ GPU_METRIC_GFX_CLOCK_MHZ, 296, 2, 8, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 312, 2, 4, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 336, 2, 1, 1 },
};

/* Processors with graphics: hundredths of a degree, milliwatts. Whether activity is in percent or
 * in hundredths depends on the part and its firmware, so that the driver's file gpu_busy_percent is
 * read instead. */
static const struct field v2_1[] = {
	{ GPU_METRIC_TEMP_EDGE_MDEGC, 4, 2, 1, 10 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 6, 2, 1, 10 },
	{ GPU_METRIC_SOCKET_POWER_MW, 40, 2, 1, 1 },
	{ GPU_METRIC_CPU_POWER_MW, 42, 2, 1, 1 },
	{ GPU_METRIC_GFX_POWER_MW, 46, 2, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 76, 2, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 64, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 78, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 66, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 80, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 68, 2, 1, 1 },
};

static const struct field v2_0[] = {
	{ GPU_METRIC_TEMP_EDGE_MDEGC, 16, 2, 1, 10 },
	{ GPU_METRIC_TEMP_SOC_MDEGC, 18, 2, 1, 10 },
	{ GPU_METRIC_SOCKET_POWER_MW, 44, 2, 1, 1 },
	{ GPU_METRIC_CPU_POWER_MW, 46, 2, 1, 1 },
	{ GPU_METRIC_GFX_POWER_MW, 50, 2, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 80, 2, 1, 1 },
	{ GPU_METRIC_GFX_CLOCK_MHZ, 68, 2, 1, 1 },
	{ GPU_METRIC_SOC_CLOCK_MHZ, 82, 2, 1, 1 },
	{ GPU_METRIC_MEM_CLOCK_MHZ, 84, 2, 1, 1 },
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
	{ GPU_METRIC_LOOKS_PROCHOT, 228, 4, 1, 1 },
	{ GPU_METRIC_LOOKS_POWER, 232, 4, 3, 1 },
	{ GPU_METRIC_LOOKS_HEAT, 244, 4, 3, 1 },
};

/* Version 1.9 is a list of attributes, each with its number, type and unit, packed without gaps
 * (Linux smu_cmn.h, DECLARE_SMU_METRICS_CLASS). */
static const struct attribute {
	uint16_t number;
	uint8_t unit;
	enum gpu_metric metric;
	uint16_t factor;
} attributes[] = {
	{ 0, UNIT_CELSIUS, GPU_METRIC_TEMP_HOTSPOT_MDEGC, 1000 },
	{ 1, UNIT_CELSIUS, GPU_METRIC_TEMP_MEM_MDEGC, 1000 },
	{ 2, UNIT_CELSIUS, GPU_METRIC_TEMP_SOC_MDEGC, 1000 },
	{ 3, UNIT_WATT, GPU_METRIC_SOCKET_POWER_MW, 1000 },
	{ 4, UNIT_PERCENT, GPU_METRIC_GFX_ACTIVITY, 100 },
	{ 5, UNIT_PERCENT, GPU_METRIC_MEM_ACTIVITY, 100 },
	{ 6, UNIT_GB_S, GPU_METRIC_MEM_BANDWIDTH_MAX_MB_S, 1000 },
	{ 7, UNIT_NONE, GPU_METRIC_ENERGY, 1 },
	{ 9, UNIT_NONE, GPU_METRIC_ACCUMULATIONS, 1 },
	{ 10, UNIT_NONE, GPU_METRIC_HELD_PROCHOT, 1 },
	{ 11, UNIT_NONE, GPU_METRIC_HELD_POWER, 1 },
	{ 12, UNIT_NONE, GPU_METRIC_HELD_SOCKET_HEAT, 1 },
	{ 13, UNIT_NONE, GPU_METRIC_HELD_REGULATOR_HEAT, 1 },
	{ 14, UNIT_NONE, GPU_METRIC_HELD_MEMORY_HEAT, 1 },
	{ 23, UNIT_GB_S, GPU_METRIC_PCIE_MB_S, 1000 },
	{ 25, UNIT_NONE, GPU_METRIC_PCIE_REPLAYS, 1 },
	{ 29, UNIT_KB, GPU_METRIC_XGMI_READ_KB, 1 },
	{ 30, UNIT_KB, GPU_METRIC_XGMI_WRITE_KB, 1 },
	{ 33, UNIT_MHZ, GPU_METRIC_GFX_CLOCK_MHZ, 1 },
	{ 34, UNIT_MHZ, GPU_METRIC_SOC_CLOCK_MHZ, 1 },
	{ 37, UNIT_MHZ, GPU_METRIC_MEM_CLOCK_MHZ, 1 },
};

#define FIRST_LIST 9	/* content of format 1 from which on it is such a list */
#define LIST_HEAD 8	/* header and number of attributes */

#define TABLE(format, content, size, fields) { format, content, size, fields, ARRAY_LEN(fields) }

/* In ascending order. The fields of 1.0 and 2.0 lie where kernels of 64 bits put them; a table of
 * another size is refused. */
static const struct table {
	uint8_t format, content;
	uint16_t size;
	const struct field *fields;
	size_t n;
} tables[] = {
	TABLE(1, 0, 80, v1_0), TABLE(1, 1, 96, v1_1), TABLE(1, 2, 104, v1_1),
	TABLE(1, 3, 120, v1_1), TABLE(1, 4, 288, v1_4), TABLE(1, 5, 360, v1_5),
	TABLE(1, 6, 1664, v1_6), TABLE(1, 7, 2208, v1_7), TABLE(1, 8, 3872, v1_7),
	TABLE(2, 0, 120, v2_0), TABLE(2, 1, 120, v2_1), TABLE(2, 2, 128, v2_1),
	TABLE(2, 3, 152, v2_1), TABLE(2, 4, 168, v2_1), TABLE(3, 0, 264, v3_0),
};

/* Later contents of formats 2 and 3 have only grown at their end; those of format 1 were made anew,
 * and end in lists. */
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

/* How the values of a metric are laid out. */
struct values {
	enum gpu_metric metric;
	const uint8_t *at;
	int bytes;
	size_t n;
	uint16_t factor;
	bool is_signed;
};

static void take(const struct values *v, struct gpu_metrics *out)
{
	uint64_t none = UINT64_MAX >> (64 - 8 * v->bytes), sum = 0;
	bool any = false;

	for (size_t i = 0; i < v->n; i++) {
		uint64_t one = number(v->at + i * (size_t)v->bytes, v->bytes);

		/* All ones are "none"; what is below zero is no number of these metrics. */
		if (one == none || (v->is_signed && one > none / 2))
			continue;
		any = true;
		if (v->metric >= GPU_METRIC_ENERGY && v->metric <= GPU_METRIC_XGMI_WRITE_KB)
			sum += one;
		else if (one > sum)
			sum = one;
	}
	/* Parts leave sensors that they do not have at 0: a RX 7600S its regulator's. */
	if (!sum && v->metric <= GPU_METRIC_TEMP_SOC_MDEGC)
		any = false;
	if (!any || sum > UINT64_MAX / v->factor || out->has[v->metric])
		return;
	out->has[v->metric] = true;
	out->values[v->metric] = sum * v->factor;
}

static void take_fields(const struct table *t, const uint8_t *data, struct gpu_metrics *out)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct field *f = &t->fields[i];

		take(&(struct values){ .metric = f->metric,
			     .at = data + f->offset,
			     .bytes = f->bytes,
			     .n = f->n,
			     .factor = f->factor },
			out);
	}
}

/* The words of a list: unit, type, number and how many values follow (AMDGPU_METRICS_ATTR_*_SHIFT). */
static void take_attribute(uint64_t code, const uint8_t *at, size_t n, struct gpu_metrics *out)
{
	unsigned type = code >> 20 & 0xf;

	for (size_t i = 0; i < ARRAY_LEN(attributes); i++) {
		const struct attribute *a = &attributes[i];

		if (a->number == (code >> 10 & 0x3ff) && a->unit == (code >> 24 & 0xff))
			take(&(struct values){ .metric = a->metric,
				     .at = at,
				     .bytes = 1 << type / 2,
				     .n = n,
				     .factor = a->factor,
				     .is_signed = type % 2 },
				out);
	}
}

/* Reads a list, or with out NULL only looks whether it fills the table to its end. */
static bool take_list(const uint8_t *data, size_t size, struct gpu_metrics *out)
{
	size_t at = LIST_HEAD;

	if (size < LIST_HEAD)
		return false;
	for (uint64_t left = number(data + 4, 4); left > 0; left--) {
		if (size - at < 8)
			return false;
		uint64_t code = number(data + at, 8);
		size_t n = code & 0x3ff, bytes = (size_t)1 << (code >> 20 & 0xf) / 2;

		at += 8;
		if ((code >> 20 & 0xf) > 7 || size - at < n * bytes)
			return false;
		if (out)
			take_attribute(code, data + at, n, out);
		at += n * bytes;
	}
	return at == size;
}

/* A list that is newer than this program may have attributes that it does not know, but still says
 * where each one ends. */
static bool parse_list(const uint8_t *data, size_t size, struct gpu_metrics *out, struct err *err)
{
	out->known = out->content == FIRST_LIST;
	if (!take_list(data, size, NULL))
		return err_set(err, ERR_PARSE,
			"gpu_metrics %d.%d is no list of attributes that ends where the table does",
			out->format, out->content);
	return take_list(data, size, out);
}

bool gpu_metrics_parse(const void *data, size_t len, struct gpu_metrics *out, struct err *err)
{
	const uint8_t *p = data;

	*out = (struct gpu_metrics){ 0 };
	if (len < 4)
		return err_set(err, ERR_PARSE, "gpu_metrics has %zu bytes and no header", len);
	size_t size = (size_t)number(p, 2);
	out->format = p[2];
	out->content = p[3];
	if (size < 4 || size > len)
		return err_set(err, ERR_PARSE,
			"gpu_metrics says that it has %zu bytes, and has %zu", size, len);
	if (out->format == 1 && out->content >= FIRST_LIST)
		return parse_list(p, size, out, err);
	const struct table *t = table_of(out->format, out->content, &out->known);
	if (!t)
		return err_set(err, ERR_UNSUPPORTED, "gpu_metrics has the unknown version %d.%d",
			out->format, out->content);
	if (size < t->size || (t->content == 0 && t->format < 3 && size != t->size))
		return err_set(err, ERR_PARSE,
			"gpu_metrics %d.%d has %zu bytes, its format has %d", out->format,
			out->content, size, t->size);
	take_fields(t, p, out);
	return true;
}
