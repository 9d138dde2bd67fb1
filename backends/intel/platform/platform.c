/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about the Intel GPUs that have metric sets, and how a device gets its name, topology and
 * constants from them. */
#include "config.h"

#include "backends/intel/platform/platform.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"

/* The sources of each generation's figures. XML: maxima in Intel's public metric sets. Clocks:
 * Linux and Mesa device tables; from Gen10 on the crystal differs between boards, and the kernel
 * must be asked. A double precision rate is left 0 where sources only guess, an L3 rate where it is
 * not proportional to the subslices. */
#define HSW "oa-hsw.xml maxima; Linux i915 (12.5 MHz)"
#define GEN8 "oa-bdw.xml, oa-chv.xml maxima; PRM Observability CHV"
#define GEN9 "oa-skl*.xml maxima; FP rates measured on a HD 620"
#define GEN9LP "oa-bxt.xml, oa-glk.xml maxima; double precision is an eighth of single (tickerdossier.com)"
#define GEN10 "oa-cnl.xml maxima"
#define GEN11 "oa-icl.xml, oa-ehl.xml maxima; 1024 FLOP/cycle for 64 EUs (tomshardware.co.uk)"
#define GEN12 "oa-tgl*.xml, oa-rkl.xml, oa-dg1.xml, oa-adl.xml maxima; 8-wide FPU"
#define DG2 "oa-acm*.xml maxima; vector engines only, without XMX"
#define MTL "oa-mtl*.xml maxima; 8 threads: Linux, Mesa (libi915_perf 1.27.1 has 7)"
#define XE "oa-pvc.xml; xe driver only"
#define XE2 "oa-lnl.xml, oa-bmg.xml; xe driver only; 16-wide engines (techloot.co.uk)"
#define XE3 "oa-ptl.xml; xe driver only; up to six Xe cores a slice, a quarter more threads than Xe2 (hwcooling.net)"
#define NVL "events and threads: intel/metrics-discovery, as Panther Lake; xe driver only"
/* i915 has no number for the format of Xe2; this is the one that xe takes. */
#define PEC64U64 0x10105

/* The columns are name, generation, codename, version, version x 10, i915 format, threads per EU,
 * subslice mask stride, max slices, max subslices, max EUs, time stamp Hz, SP and
 * DP FLOP/cycle/EU, SLM and L3 B/cycle/subslice, GTI read and write B/cycle, source. */
/* clang-format off */
const struct intel_platform intel_platforms[] = {
	{ "hsw", "gen7.5", "Haswell", 7, 75, 5, 7, 3, 1, 2, 10, 12500000, 16, 0, 0, 0, 64, 32, HSW },
	{ "bdw", "gen8", "Broadwell", 8, 80, 10, 7, 3, 3, 3, 8, 12500000, 16, 0, 64, 64, 64, 32, GEN8 },
	{ "bdwgt3", "gen8", "Broadwell", 8, 80, 10, 7, 3, 3, 3, 8, 12500000, 16, 0, 64, 64, 64, 32, GEN8 },
	{ "chv", "gen8", "Cherry View", 8, 80, 10, 7, 3, 1, 2, 8, 12500000, 16, 0, 64, 0, 64, 32, GEN8 },
	{ "sklgt2", "gen9", "Skylake", 9, 90, 10, 7, 3, 3, 4, 8, 12000000, 16, 4, 64, 64, 64, 32, GEN9 },
	{ "sklgt3", "gen9", "Skylake", 9, 90, 10, 7, 3, 3, 4, 8, 12000000, 16, 4, 64, 64, 64, 32, GEN9 },
	{ "sklgt4", "gen9", "Skylake", 9, 90, 10, 7, 3, 3, 4, 8, 12000000, 16, 4, 64, 64, 64, 32, GEN9 },
	{ "kblgt2", "gen9.5", "Kaby Lake", 9, 95, 10, 7, 3, 3, 4, 8, 12000000, 16, 4, 64, 64, 64, 32, GEN9 },
	{ "kblgt3", "gen9.5", "Kaby Lake", 9, 95, 10, 7, 3, 3, 4, 8, 12000000, 16, 4, 64, 64, 64, 32, GEN9 },
	{ "cflgt2", "gen9.5", "Coffee Lake", 9, 95, 10, 7, 3, 3, 4, 8, 12000000, 16, 4, 64, 64, 64, 32, GEN9 },
	{ "cflgt3", "gen9.5", "Coffee Lake", 9, 95, 10, 7, 3, 3, 4, 8, 12000000, 16, 4, 64, 64, 64, 32, GEN9 },
	{ "bxt", "gen9lp", "Broxton", 9, 90, 10, 6, 3, 1, 3, 6, 19200000, 16, 2, 64, 0, 64, 32, GEN9LP },
	{ "glk", "gen9.5lp", "Gemini Lake", 9, 95, 10, 6, 3, 1, 3, 6, 19200000, 16, 2, 64, 0, 64, 32, GEN9LP },
	{ "cnl", "gen10", "Cannon Lake", 10, 100, 10, 7, 3, 6, 4, 8, 19200000, 16, 0, 64, 64, 64, 64, GEN10 },
	{ "icl", "gen11", "Ice Lake", 11, 110, 10, 7, 8, 1, 8, 8, 12000000, 16, 0, 64, 64, 64, 64, GEN11 },
	{ "ehl", "gen11", "Elkhart Lake", 11, 110, 10, 7, 8, 1, 4, 8, 19200000, 16, 0, 64, 64, 64, 64, GEN11 },
	{ "tglgt1", "gen12", "Tiger Lake", 12, 120, 10, 7, 8, 1, 6, 16, 19200000, 16, 0, 128, 64, 64, 64, GEN12 },
	{ "tglgt2", "gen12", "Tiger Lake", 12, 120, 10, 7, 8, 1, 6, 16, 19200000, 16, 0, 128, 64, 64, 64, GEN12 },
	{ "rkl", "gen12", "Rocket Lake", 12, 120, 10, 7, 8, 1, 6, 16, 19200000, 16, 0, 128, 64, 64, 64, GEN12 },
	{ "adl", "gen12", "Alder Lake", 12, 120, 10, 7, 8, 1, 6, 16, 19200000, 16, 0, 128, 64, 64, 64, GEN12 },
	{ "dg1", "gen12", "DG1", 12, 120, 10, 7, 8, 1, 6, 16, 19200000, 16, 0, 128, 64, 128, 128, GEN12 },
	{ "acmgt1", "gen12.5", "DG2-G11", 12, 125, 12, 8, 0, 1, 32, 16, 38400000, 16, 0, 0, 0, 64, 64, DG2 },
	{ "acmgt2", "gen12.5", "DG2-G12", 12, 125, 12, 8, 0, 1, 32, 16, 38400000, 16, 0, 0, 0, 64, 64, DG2 },
	{ "acmgt3", "gen12.5", "DG2-G10", 12, 125, 12, 8, 0, 1, 32, 16, 38400000, 16, 0, 0, 0, 64, 64, DG2 },
	{ "mtlgt2", "gen12.7", "Meteor Lake", 12, 127, 12, 8, 0, 1, 32, 16, 38400000, 16, 0, 0, 0, 64, 64, MTL },
	{ "mtlgt3", "gen12.7", "Meteor Lake", 12, 127, 12, 8, 0, 1, 32, 16, 38400000, 16, 0, 0, 0, 64, 64, MTL },
	{ "pvc", "gen12.6", "Ponte Vecchio", 12, 126, 12, 8, 8, 8, 8, 8, 0, 0, 0, 0, 0, 0, 0, XE },
	{ "lnl", "xe2", "Lunar Lake", 20, 200, PEC64U64, 8, 0, 2, 4, 8, 0, 32, 0, 0, 0, 0, 0, XE2 },
	{ "bmg", "xe2", "Battlemage", 20, 201, PEC64U64, 8, 0, 5, 4, 8, 0, 32, 0, 0, 0, 0, 0, XE2 },
	{ "ptl", "xe3", "Panther Lake", 30, 300, PEC64U64, 10, 0, 2, 6, 8, 0, 32, 0, 0, 0, 0, 0, XE3 },
	{ "nvl", "xe3", "Nova Lake", 30, 304, PEC64U64, 10, 0, 2, 6, 8, 0, 32, 0, 0, 0, 0, 0, NVL },
};
/* clang-format on */

const int intel_platform_count = (int)ARRAY_LEN(intel_platforms);

const struct intel_platform *intel_platform_by_name(const char *name)
{
	for (int i = 0; i < intel_platform_count; i++)
		if (strcmp(intel_platforms[i].name, name) == 0)
			return &intel_platforms[i];
	return NULL;
}

/* The OA units of these ignore CTC_SHIFT (Wa_18013179988, Wa_14015568240, Wa_14015846243 in Linux
 * xe_oa_timestamp_frequency()): 38.4 MHz against 19.2 MHz. */
int intel_cs_clock_shift(const struct intel_platform *p)
{
	return p->graphics_verx10 >= 125 && p->graphics_verx10 <= 127;
}

enum intel_driver intel_driver_of(const struct device *d)
{
	static const char *const names[] = { [INTEL_I915] = "i915", [INTEL_XE] = "xe" };

	for (enum intel_driver i = INTEL_I915; i <= INTEL_XE; i++)
		if (!strcmp(d->driver, names[i]))
			return i;
	return INTEL_NO_DRIVER;
}

static void full_topology(
	struct topology *t, const struct intel_pci_id *id, const struct intel_platform *p)
{
	if (id->slices == 0)
		return;
	intel_topology_make(t, id->slices, id->subslices, id->eus_per_subslice,
		(int)max_u64(p->max_slices, id->slices),
		(int)max_u64(p->max_subslices, id->subslices),
		(int)max_u64(p->max_eus, id->eus_per_subslice));
}

static void set_platform(
	struct device *d, const struct intel_platform *p, const struct intel_pci_id *id)
{
	snprintf(d->platform, sizeof(d->platform), "%s", p->name);
	snprintf(d->generation, sizeof(d->generation), "%s", p->generation);
	snprintf(d->counters, sizeof(d->counters), "OA");
	d->has_oa_reports = true;
	d->oa_format = p->oa_format;
	if (d->timestamp_hz == 0)
		d->timestamp_hz = p->timestamp_hz;
	d->topology.threads_per_eu = p->threads_per_eu;
	d->topology.subslice_mask_stride = p->subslice_mask_stride;
	if (d->topology.eus == 0)
		full_topology(&d->topology, id, p);
	intel_device_set_consts(d);
}

bool intel_device_identify(struct device *d, struct err *err)
{
	const struct intel_pci_id *id = intel_pci_id(d->pci_device);

	if (!id)
		return err_set(err, ERR_UNSUPPORTED,
			"Intel GPU 8086:%04x is not in the tables of this version",
			d->pci_device);
	snprintf(d->vendor, sizeof(d->vendor), "Intel");
	snprintf(d->name, sizeof(d->name), "%s %s", d->vendor, id->name);
	snprintf(d->gt, sizeof(d->gt), "%s", id->gt);
	const struct intel_platform *p = NULL;
	if (*id->platform)
		p = intel_platform_by_name(id->platform);
	if (!p)
		return err_set(err, ERR_UNSUPPORTED,
			"no metric sets are known for %s (8086:%04x)", d->name, d->pci_device);
	set_platform(d, p, id);
	return true;
}

/* Row and EU number of the EU events tell this many positions apart (PRM Observability, flexible EU
 * counters). */
#define EU_POSITIONS 8

static void set_if_known(struct device *d, const char *name, double v)
{
	if (v > 0)
		device_set_const(d, name, v);
}

/* What another topology of the same device had is forgotten where this one does not say it. */
static void set_or_drop(struct device *d, const char *name, bool is_known, double v)
{
	if (is_known && v > 0)
		device_set_const(d, name, v);
	else
		device_drop_const(d, name);
}

static void set_topology_consts(struct device *d, const struct topology *t)
{
	set_if_known(d, "threads_per_eu", t->threads_per_eu);
	if (t->eus == 0)
		return;
	device_set_const(d, "eu_count", t->eus);
	device_set_const(d, "slice_count", t->slices);
	device_set_const(d, "subslice_count", t->subslices);
	device_set_const(d, "slice_mask", (double)t->slice_mask);
	set_or_drop(d, "eu_per_subslice", t->eus % t->subslices == 0, t->eus / t->subslices);
	/* A mask that names another number of subslices than there are tells nothing: which of them
	 * are there is not known then. */
	set_or_drop(d, "subslice_mask", __builtin_popcountll(t->subslice_mask) == t->subslices,
		(double)t->subslice_mask);
	/* Where EUs are fused off, no source says which positions are left. */
	bool is_whole = t->max_eus_per_subslice % EU_POSITIONS == 0 &&
		t->eus == t->subslices * t->max_eus_per_subslice;
	set_or_drop(d, "eus_per_position", is_whole, t->eus / EU_POSITIONS);
}

/* What is known of a width beside its number: rows of a whole generation. Widths that have no row
 * are as the platform's source says, and certain. */
#define MTL_GTI "metrics-discovery GPU_MEMORY_BYTE_READ: 64 a slice; GtiReadThroughput: 512"
#define DG2_GTI "as Meteor Lake: 64 a slice of four Xe cores; oa-acm*.xml maxima: 512"
static const struct width_note {
	const char *generation, *name;
	bool uncertain;
	const char *origin;
	int xe_cores_per_slice;	/* the width is that of a slice of so many; 0: as its name says */
} width_notes[] = {
	{ "gen8", "l3_bytes_per_cycle_subslice", true, "Intel's OpenCL guide: 64; oa-bdw.xml maxima: 128", 0 },
	{ "gen9", "gti_write_bytes_per_cycle", true, "oa-skl*.xml maxima: 32; Duarte 2018: 64, 32 as an option", 0 },
	{ "gen9.5", "gti_write_bytes_per_cycle", true, "oa-kbl*.xml maxima: 32; Duarte 2018: 64, 32 as an option", 0 },
	{ "gen12", "l3_bytes_per_cycle_subslice", true, "metrics-discovery: 64 a dual subslice; Intel's optimization guide: 128", 0 },
	{ "gen12.5", "gti_read_bytes_per_cycle", true, DG2_GTI, 4 },
	{ "gen12.5", "gti_write_bytes_per_cycle", true, DG2_GTI, 4 },
	{ "gen12.7", "gti_read_bytes_per_cycle", true, MTL_GTI, 4 },
	{ "gen12.7", "gti_write_bytes_per_cycle", true, MTL_GTI, 4 },
};

/* Widths come from tables, so a roof that is made of one and of a clock is computed. */
static void set_width(
	struct device *d, const struct intel_platform *p, const char *name, double bytes_per_cycle)
{
	const char *origin = p->source;
	bool uncertain = false;

	for (size_t i = 0; i < ARRAY_LEN(width_notes); i++) {
		const struct width_note *w = &width_notes[i];

		if (strcmp(w->generation, p->generation) != 0 || strcmp(w->name, name) != 0)
			continue;
		origin = w->origin;
		uncertain = w->uncertain;
		if (w->xe_cores_per_slice)
			bytes_per_cycle *= intel_mask_groups(
				d->topology.subslice_mask, w->xe_cores_per_slice);
	}
	if (bytes_per_cycle > 0)
		device_set_roof(d, name, bytes_per_cycle, ROOF_COMPUTED, uncertain,
			origin);
}

/* Says whether shared local memory passes what Intel counts as traffic with L3: on Alder Lake and
 * Raptor Lake S and Alder Lake N, unlike on P (intel/metrics-discovery md_metric_sets_ADLS.cpp,
 * ADLN, ADLP, L3ShaderThroughput). */
static bool is_small_alder_lake(uint32_t pci_device)
{
	static const struct { uint16_t first, last; } ids[] = { { 0x4680, 0x4693 }, { 0x46d0, 0x46d4 }, { 0xa780, 0xa78b } };

	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		if (pci_device >= ids[i].first && pci_device <= ids[i].last)
			return true;
	return false;
}

/* Half precision operations of a matrix engine in a clock; Meteor Lake has none, unlike Arrow
 * Lake-H. 262 Top/s with 8-bit integers on 512 engines at 2 GHz, 67 Top/s on 64 at 2.05 GHz, are
 * 256 and 512 of each, and halves are half as many. */
static const struct matrix_row {
	const char *generation;
	uint16_t first_id, last_id;
	double flop_per_cycle;
	const char *origin;
} matrix_rows[] = {
	{ "gen12.5", 0, 0xffff, 128, "Intel's figures for the Arc A770: 262 Top/s with INT8" },
	{ "gen12.7", 0x7d51, 0x7d51, 128, "as DG2 (Arrow Lake-H)" },
	{ "gen12.7", 0x7dd1, 0x7dd1, 128, "as DG2 (Arrow Lake-H)" },
	{ "xe2", 0, 0xffff, 256, "Intel's figures for Lunar Lake: 67 Top/s with INT8" },
	{ "xe3", 0, 0xffff, 256, "as Lunar Lake" },
};

static void set_matrix_width(struct device *d, const struct intel_platform *p)
{
	for (size_t i = 0; i < ARRAY_LEN(matrix_rows); i++) {
		const struct matrix_row *m = &matrix_rows[i];

		if (!strcmp(m->generation, p->generation) && d->pci_device >= m->first_id &&
			d->pci_device <= m->last_id)
			device_set_roof(d, "xmx_flop_per_cycle_eu", m->flop_per_cycle,
				ROOF_COMPUTED, true, m->origin);
	}
}

void intel_device_set_consts(struct device *d)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);

	set_topology_consts(d, &d->topology);
	set_if_known(d, "timestamp_hz", (double)d->timestamp_hz);
	set_if_known(d, "min_clock_hz", (double)d->min_hz);
	set_if_known(d, "max_clock_hz", (double)d->max_hz);
	if (d->pci_device)
		device_set_const(d, "sku_revision_id", d->pci_revision);
	if (!p)
		return;
	device_set_const(d, "l3_counts_slm", is_small_alder_lake(d->pci_device));
	set_matrix_width(d, p);
	set_if_known(d, "sp_flop_per_cycle_eu", p->sp_flop_per_cycle_eu);
	set_if_known(d, "dp_flop_per_cycle_eu", p->dp_flop_per_cycle_eu);
	set_width(d, p, "slm_bytes_per_cycle_subslice", p->slm_bytes_per_cycle_subslice);
	set_width(d, p, "l3_bytes_per_cycle_subslice", p->l3_bytes_per_cycle_subslice);
	set_width(d, p, "gti_read_bytes_per_cycle", p->gti_read_bytes_per_cycle);
	set_width(d, p, "gti_write_bytes_per_cycle", p->gti_write_bytes_per_cycle);
}

/* --- the table of hardware facts that the firmware keeps: attributes of key, length in words,
 * words (Linux i915 intel_hwconfig_types.h) --- */

bool intel_hwconfig(
	const uint32_t *table, size_t words, enum intel_hwconfig_key key, uint32_t *out)
{
	for (size_t i = 0; i + 2 < words && table[i + 1] < words; i += 2 + (size_t)table[i + 1]) {
		if (table[i] != (uint32_t)key || table[i + 1] != 1)
			continue;
		*out = table[i + 2];
		return true;
	}
	return false;
}

void intel_hwconfig_memory_consts(struct device *d, const uint32_t *table, size_t words)
{
	uint32_t v;

	if (intel_hwconfig(table, words, HWCONFIG_MEMORY_CHANNELS, &v))
		device_set_const(d, "memory_channel_count", v);
	if (intel_hwconfig(table, words, HWCONFIG_MEMORY_TYPE, &v))
		device_set_const(d, "hwconfig_memory_type", v);
}

/* --- how many units of a kind Xe2 and later have, by the rules of Intel's own library
 * (intel/metrics-discovery 80cc115, md_driver_ifc_linux_common.cpp and md_driver_ifc_linux_xe.cpp) --- */

/* Parts that differ from the rest of their platform; 0 leaves the rule as it is. */
static const struct odd_part {
	uint16_t first_id, last_id;
	uint8_t banks_per_node, sqidi;
} odd_parts[] = {
	{ 0xb090, 0xb090, 0, 2 }, { 0xb0a0, 0xb0a0, 0, 2 },	/* small Panther Lake */
	{ 0xfd80, 0xfd81, 0, 2 },				/* Wildcat Lake */
	{ 0xd740, 0xd740, 2, 2 }, { 0xd743, 0xd743, 2, 2 },	/* Nova Lake-S and -HX */
	{ 0xd741, 0xd742, 0, 2 }, { 0xd744, 0xd74f, 0, 2 },	/* Nova Lake-U and -H */
};

static struct odd_part oddities(uint32_t pci_device)
{
	for (size_t i = 0; i < ARRAY_LEN(odd_parts); i++)
		if (pci_device >= odd_parts[i].first_id && pci_device <= odd_parts[i].last_id)
			return odd_parts[i];
	return (struct odd_part){ 0 };
}

int intel_mask_groups(uint64_t mask, int bits)
{
	int n = 0;

	for (int at = 0; at < 64; at += bits)
		n += (mask >> at & ((UINT64_C(1) << bits) - 1)) != 0;
	return n;
}

void intel_device_set_units(struct device *d, uint64_t l3_banks, int subslices_per_slice)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct odd_part odd = oddities(d->pci_device);
	int per_node = odd.banks_per_node ? odd.banks_per_node : 4;
	int slices = d->topology.slices, pipes = 2 * slices;

	if (!p || p->graphics_ver < 20)
		return;
	/* Where a slice has so few, the whole part has one of each pipe. */
	if (subslices_per_slice <= 2)
		slices = pipes = 1;
	device_set_const(d, "geometry_pipe_count", slices);
	device_set_const(d, "color_pipe_count", pipes);
	device_set_const(d, "depth_pipe_count", pipes);
	if (!l3_banks)
		return;
	int nodes = intel_mask_groups(l3_banks, per_node);
	device_set_roof(d, "l3_bytes_per_cycle", 64 * __builtin_popcountll(l3_banks), ROOF_COMPUTED, true,
		"64 bytes a bank and clock, the size of the requests that are counted");
	device_set_const(d, "l3_node_count", nodes);
	device_set_const(d, "sqidi_count", odd.sqidi ? odd.sqidi : nodes);
	/* One copy engine belongs to two nodes, however many instances the driver lists. */
	device_set_const(d, "copy_engine_count", intel_mask_groups(l3_banks, 2 * per_node));
}
