/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of Intel GPUs agree with themselves, and topologies with what libi915_perf makes of
 * them. */
#include "config.h"

#include "backends/intel/platform/platform.h"

#include "backends/intel/oa/oa_format.h"
#include "base/mem.h"
#include "tests/tap.h"
#include "tests/unit/intel/intel_pci_list.h"
#include "tests/unit/intel/oa_oracle.h"

static void test_platforms(void)
{
	for (int i = 0; i < intel_platform_count; i++) {
		const struct intel_platform *p = &intel_platforms[i];
		bool xe_only = p->graphics_ver >= 20 || !strcmp(p->name, "pvc");

		ok(intel_platform_by_name(p->name) == p, "%s is found by name", p->name);
		ok(p->graphics_verx10 / 10 == p->graphics_ver, "%s: version %d is of generation %d",
			p->name, p->graphics_verx10, p->graphics_ver);
		int stride = p->graphics_ver < 11 ? 3 : 8;
		if (p->graphics_verx10 >= 125 && strcmp(p->name, "pvc") != 0)
			stride = 0;
		is_int(p->subslice_mask_stride, stride, "%s: stride of the subslice mask", p->name);
		ok(oa_format_by_number((int)p->oa_format) != NULL, "%s: report format %u", p->name,
			p->oa_format);
		ok(!xe_only || oa_format_by_number((int)p->oa_format)->xe_format,
			"%s: its format is one of xe", p->name);
		ok(xe_only || p->timestamp_hz >= 12000000, "%s: time stamp %u Hz", p->name,
			p->timestamp_hz);
		ok(p->source && p->source[0], "%s has a source", p->name);
	}
	ok(!intel_platform_by_name("kblgt1") && !intel_platform_by_name(""),
		"unknown names are not found");
}

static void test_pci_ids(void)
{
	int unique = 0, named = 0, placed = 0, sized = 0;

	for (int i = 0; i < intel_pci_id_count; i++) {
		const struct intel_pci_id *id = &intel_pci_ids[i];
		const struct intel_platform *p = *id->platform ? intel_platform_by_name(id->platform)
							      : NULL;

		unique += intel_pci_id(id->id) == id;
		named += id->name[0] != '\0' && strlen(id->name) < 80 && strlen(id->gt) < 8;
		placed += !*id->platform || p;
		sized += !p || !p->max_slices || id->subslices <= p->max_subslices ||
			!strcmp(p->name, "hsw");
	}
	ok(intel_pci_id_count > 250, "%d PCI ids", intel_pci_id_count);
	is_int(unique, intel_pci_id_count, "each id stands once");
	is_int(named, intel_pci_id_count, "each has a name that fits");
	is_int(placed, intel_pci_id_count, "each names a known platform, or none");
	is_int(sized, intel_pci_id_count, "none has more subslices than its platform");
	ok(!intel_pci_id(0) && !intel_pci_id(0x15916), "other ids are unknown");
}

static void test_all_driven_ids(void)
{
	for (size_t i = 0; i < ARRAY_LEN(pci_list); i++) {
		const uint16_t *id = pci_list[i].ids;
		int known = 0;

		while (*id && intel_pci_id(*id)) {
			id++;
			known++;
		}
		ok(known > 0 && !*id, "%s: %d ids are known, first missing %04x",
			pci_list[i].family, known, *id);
	}
}

/* Every id that the tables know and that has a platform identifies without tripping over an
 * assertion. */
static void test_identify_all(void)
{
	int good = 0, want = 0;

	for (int i = 0; i < intel_pci_id_count; i++) {
		const struct intel_pci_id *id = &intel_pci_ids[i];
		struct device d = { .pci_vendor = 0x8086, .pci_device = id->id };

		want += *id->platform != 0;
		good += intel_device_identify(&d, NULL) &&
			d.topology.eus == id->slices * id->subslices * id->eus_per_subslice;
	}
	is_int(good, want, "every id with a platform is identified with its full topology");
}

struct const_row {
	const char *name;
	double want;
};

/* A kernel may name other subslices than its counts say: then nothing tells which of them are there. */
static void test_contradiction(void)
{
	static const struct { int subslices; uint64_t mask; double want; } rows[] = {
		{ 3, 7, 7 }, { 2, 5, 5 }, { 2, 7, NAN }, { 3, 0, NAN }, { 3, 0x1f, NAN }, { 3, 0x1000000000000003, 0x1p60 + 3 },
	};
	struct device d = { .pci_vendor = 0x8086, .pci_device = 0x5916, .max_hz = 1050000000 };
	int n;

	intel_device_identify(&d, NULL);
	n = d.n_consts;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		d.topology.subslices = rows[i].subslices;
		d.topology.eus = 8 * rows[i].subslices;
		d.topology.subslice_mask = rows[i].mask;
		intel_device_set_consts(&d);
		const struct device_const *c = device_const(&d, "subslice_mask");
		is_near(c ? c->v : NAN, rows[i].want, 0, "%d subslices and the mask %llx", rows[i].subslices,
			(unsigned long long)rows[i].mask);
		is_int(d.n_consts, n - !c, "  ... all other constants stay");
		ok(device_const(&d, "gti_read_bytes_per_cycle") && device_const(&d, "slice_mask"), "  ... and keep their names");
	}
}

/* However many EUs the fuses left, the constants are the same whether or not another topology was known before: a
 * replay begins with the full part. */
static void test_fuses(void)
{
	for (int eus = 1; eus <= 24; eus++) {
		struct device after = { .pci_vendor = 0x8086, .pci_device = 0x5916, .max_hz = 1050000000 }, fresh;
		int same = 0;

		intel_device_identify(&after, NULL);
		intel_device_set_consts(&after);
		after.topology.eus = eus;
		fresh = after;
		fresh.n_consts = 0;
		intel_device_set_consts(&after);
		intel_device_set_consts(&fresh);
		for (int i = 0; i < after.n_consts; i++) {
			const struct device_const *c = device_const(&fresh, after.consts[i].name);

			same += c && !(c->v < after.consts[i].v) && !(c->v > after.consts[i].v);
		}
		ok(same == after.n_consts && same == fresh.n_consts, "%d of 24 EUs: %d constants, %d of them were known anew", eus,
			after.n_consts, fresh.n_consts);
	}
}

static void test_hd620(void)
{
	static const struct const_row rows[] = {
		{ "eu_count", 24 }, { "slice_count", 1 }, { "subslice_count", 3 }, { "threads_per_eu", 7 }, { "timestamp_hz", 12000000 },
		{ "max_clock_hz", 1050000000 }, { "sp_flop_per_cycle_eu", 16 }, { "dp_flop_per_cycle_eu", 4 }, { "slice_mask", 1 },
		{ "subslice_mask", 7 }, { "slm_bytes_per_cycle_subslice", 64 }, { "l3_bytes_per_cycle_subslice", 64 },
		{ "gti_read_bytes_per_cycle", 64 }, { "gti_write_bytes_per_cycle", 32 }, { "sku_revision_id", 2 },
	};
	struct device d = {
		.pci_vendor = 0x8086, .pci_device = 0x5916, .pci_revision = 2, .max_hz = 1050000000
	};

	ok(intel_device_identify(&d, NULL), "5916 is known");
	is_str(d.name, "Intel HD Graphics 620", "its name");
	is_str(d.platform, "kblgt2", "its platform");
	is_str(d.generation, "gen9.5", "its generation");
	is_str(d.gt, "GT2", "its GT");
	is_int(d.oa_format, 10, "its report format");
	ok(d.has_oa_reports && !strcmp(d.counters, "OA"), "its counters come as OA reports");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct device_const *c = device_const(&d, rows[i].name);

		is_near(c ? c->v : NAN, rows[i].want, 0, "constant %s", rows[i].name);
	}
	ok(!device_const(&d, "min_clock_hz"), "an unknown clock is no constant");
	ok(!device_const(&d, "dram_bytes_per_s"), "the tables know nothing of memory");
}

/* Widths and other constants that follow from the part, not from its platform alone. */
static void test_parts(void)
{
	static const struct { uint32_t id; const char *name; double want; } rows[] = {
		{ 0x7d45, "gti_read_bytes_per_cycle", 64 }, { 0x7d55, "gti_read_bytes_per_cycle", 128 },
		{ 0x7d51, "gti_write_bytes_per_cycle", 128 }, { 0x5693, "gti_read_bytes_per_cycle", 128 },
		{ 0x56a0, "gti_write_bytes_per_cycle", 512 }, { 0x5696, "gti_write_bytes_per_cycle", 256 },
		{ 0x4680, "l3_counts_slm", 1 }, { 0x4693, "l3_counts_slm", 1 }, { 0x46d1, "l3_counts_slm", 1 }, { 0xa780, "l3_counts_slm", 1 },
		{ 0x46a6, "l3_counts_slm", 0 }, { 0xa7a0, "l3_counts_slm", 0 }, { 0x9a49, "l3_counts_slm", 0 },
		{ 0x56a0, "xmx_flop_per_cycle_eu", 128 }, { 0x7d51, "xmx_flop_per_cycle_eu", 128 }, { 0x64a0, "xmx_flop_per_cycle_eu", 256 },
		{ 0xb080, "xmx_flop_per_cycle_eu", 256 }, { 0x7d55, "xmx_flop_per_cycle_eu", NAN }, { 0x9a49, "xmx_flop_per_cycle_eu", NAN },
		{ 0x9a49, "eu_per_subslice", 16 }, { 0x64a0, "eu_per_subslice", 8 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct device d = { .pci_vendor = 0x8086, .pci_device = rows[i].id };

		intel_device_identify(&d, NULL);
		const struct device_const *c = device_const(&d, rows[i].name);
		ok(isnan(rows[i].want) ? !c : c && !(c->v < rows[i].want || c->v > rows[i].want), "%04x: %s is %g", rows[i].id, rows[i].name, c ? c->v : NAN);
	}
}

/* Units of Xe2 and later, from the mask of L3 banks and the slices. */
static void test_units(void)
{
	static const struct {
		uint32_t id;
		uint64_t banks;
		int slices, per_slice;
		int nodes, sqidi, copy, color, geometry;	/* -1: not known */
	} rows[] = {
		{ 0x64a0, 0xff, 2, 4, 2, 2, 1, 4, 2 }, { 0xe20b, 0xfffff, 5, 4, 5, 5, 3, 10, 5 }, { 0xe20b, 0xf0f0f, 5, 4, 3, 3, 3, 10, 5 },
		{ 0xb080, 0x10ff, 2, 6, 3, 3, 2, 4, 2 }, { 0xb090, 0x0f, 1, 2, 1, 2, 1, 1, 1 }, { 0xfd80, 0x0f, 1, 2, 1, 2, 1, 1, 1 },
		{ 0xd740, 0x0f, 1, 2, 2, 2, 1, 1, 1 }, { 0xd742, 0x0f, 1, 6, 1, 2, 1, 2, 1 },
		{ 0x64a0, 0, 2, 4, -1, -1, -1, 4, 2 }, { 0x9a49, 0xff, 1, 6, -1, -1, -1, -1, -1 },
	};
	static const char *const names[] = { "l3_node_count", "sqidi_count", "copy_engine_count", "color_pipe_count", "geometry_pipe_count" };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const int want[] = { rows[i].nodes, rows[i].sqidi, rows[i].copy, rows[i].color, rows[i].geometry };
		struct device d = { .pci_vendor = 0x8086, .pci_device = rows[i].id };

		intel_device_identify(&d, NULL);
		d.topology.slices = rows[i].slices;
		intel_device_set_units(&d, rows[i].banks, rows[i].per_slice);
		for (size_t k = 0; k < ARRAY_LEN(names); k++) {
			const struct device_const *c = device_const(&d, names[k]);

			is_int(c ? (int)c->v : -1, want[k], "%04x, banks %llx: %s", rows[i].id, (unsigned long long)rows[i].banks, names[k]);
		}
	}
}

/* A width says how sure it is, and where sources disagree it names both. */
static void test_widths(void)
{
	static const struct { uint32_t id; const char *name; bool uncertain; const char *says; } rows[] = {
		{ 0x5916, "l3_bytes_per_cycle_subslice", false, "oa-skl*.xml maxima" },
		{ 0x5916, "gti_read_bytes_per_cycle", false, "oa-skl*.xml maxima" },
		{ 0x5916, "gti_write_bytes_per_cycle", true, "Duarte 2018: 64" },
		{ 0x9a49, "l3_bytes_per_cycle_subslice", true, "metrics-discovery: 64" },
		{ 0x9a49, "l3_bytes_per_cycle_subslice", true, "guide: 128" },
		{ 0x9a49, "slm_bytes_per_cycle_subslice", false, "oa-tgl*.xml" },
		{ 0x1616, "l3_bytes_per_cycle_subslice", true, "oa-bdw.xml maxima: 128" },
		{ 0x7d55, "gti_read_bytes_per_cycle", true, "GtiReadThroughput: 512" },
		{ 0x56a0, "gti_write_bytes_per_cycle", true, "as Meteor Lake" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct device d = { .pci_vendor = 0x8086, .pci_device = rows[i].id };
		const struct device_const *c;

		intel_device_identify(&d, NULL);
		c = device_const(&d, rows[i].name);
		ok(c && c->source == ROOF_COMPUTED && c->uncertain == rows[i].uncertain &&
				strstr(c->origin, rows[i].says),
			"%04x: %s: %s", rows[i].id, rows[i].name, rows[i].says);
	}
}

static void test_identify_keeps(void)
{
	struct device d = { .pci_device = 0x1916, .timestamp_hz = 19200000 };
	struct device icl = { .pci_device = 0x8a52 };

	intel_topology_make(&d.topology, 1, 2, 6, 3, 4, 8);
	ok(intel_device_identify(&d, NULL), "1916 is known");
	is_int(d.topology.eus, 12, "a topology that is known already stays");
	is_near(device_const(&d, "timestamp_hz")->v, 19200000, 0,
		"a time stamp frequency that is known already stays");
	intel_device_identify(&icl, NULL);
	ok(!device_const(&icl, "dp_flop_per_cycle_eu"),
		"no double precision rate where there is no native one");
}

static void test_refusals(void)
{
	struct device d = { .pci_device = 0x5902 };
	struct err err = { .code = ERR_NONE };

	ok(!intel_device_identify(&d, &err) && err.code == ERR_UNSUPPORTED,
		"GT1 without metric sets: %s", err.msg);
	is_str(d.name, "Intel HD Graphics 610", "its name is known all the same");
	d.pci_device = 0x1234;
	ok(!intel_device_identify(&d, &err), "unknown id: %s", err.msg);
}

struct image_row {
	const char *what;
	const char *hex;
	bool good;
};

/* flags, max slices, subslices, EUs, subslice offset and stride, EU offset and stride (u16 each),
 * masks. */
static const struct image_row images[] = {
	{ "one EU", "0000 0100 0100 0100 0100 0100 0200 0100 010101", true },
	{ "padded", "0000 0100 0100 0100 0100 0100 0200 0100 0101010000000000", true },
	{ "empty", "", false },
	{ "header cut", "0000 0100 0100 0100 0100 0100 0200 01", false },
	{ "masks cut", "0000 0100 0100 0100 0100 0100 0200 0100 0101", false },
	{ "no masks", "0000 0100 0100 0100 0100 0100 0200 0100", false },
	{ "no slices", "0000 0000 0100 0100 0100 0100 0200 0100 010101", false },
	{ "no subslices", "0000 0100 0000 0100 0100 0100 0200 0100 010101", false },
	{ "no EUs", "0000 0100 0100 0000 0100 0100 0200 0100 010101", false },
	{ "nothing present", "0000 0100 0100 0100 0100 0100 0200 0100 000101", false },
	{ "slice without EUs", "0000 0100 0100 0100 0100 0100 0200 0100 010100", false },
	{ "EU stride too small", "0000 0100 0100 0900 0100 0100 0200 0100 010101", false },
	{ "subslice stride too small", "0000 0100 0900 0100 0100 0100 0200 0100 010101", false },
	{ "zero strides", "0000 0100 0100 0100 0100 0000 0200 0000 010101", false },
	{ "offsets beyond the end", "0000 0100 0100 0100 ffff 0100 ffff 0100 010101", false },
	{ "everything huge", "ffff ffff ffff ffff ffff ffff ffff ffff ffffff", false },
};

static size_t from_hex(const char *hex, uint8_t *out)
{
	size_t n = 0;
	unsigned byte;

	for (; sscanf(hex, " %2x", &byte) == 1; hex += 2 + (*hex == ' '))
		out[n++] = (uint8_t)byte;
	return n;
}

static void test_images(void)
{
	for (size_t i = 0; i < ARRAY_LEN(images); i++) {
		uint8_t bytes[256];
		size_t len = from_hex(images[i].hex, bytes);
		uint8_t *raw = memcpy(xmalloc(len + 1), bytes, len);
		struct topology t = { .eus = 99, .threads_per_eu = 7, .subslice_mask_stride = 3 };
		struct err err = { .code = ERR_NONE };

		ok(intel_topology_parse(&t, raw, len, &err) == images[i].good, "%s (%zu bytes): %s",
			images[i].what, len, images[i].good ? "read" : err.msg);
		is_int(t.eus, images[i].good ? 1 : 99, "%s: EUs; a failure changes nothing",
			images[i].what);
		is_int(t.threads_per_eu, 7, "%s: threads are kept", images[i].what);
		if (images[i].good)
			is_int(t.raw_len, 19, "%s: image without padding", images[i].what);
		free(raw);
	}
}

/* The kernel's image of a HD 620: 1 of 3 slices, 3 of 4 subslices, 8 EUs each. */
static void test_make(void)
{
	uint8_t want[64];
	size_t len = from_hex(
		"0000 0300 0400 0800 0100 0100 0400 0100 01 070000 ffffff00 00000000 00000000",
		want);
	struct topology t = { .threads_per_eu = 7, .subslice_mask_stride = 3 };

	intel_topology_make(&t, 1, 3, 8, 3, 4, 8);
	ok(t.raw_len == len && !memcmp(t.raw, want, len),
		"image of %zu bytes as the kernel makes it", t.raw_len);
	is_int(t.eus, 24, "EUs");
	intel_topology_make(&t, 3, 3, 8, 3, 4, 8);
	is_int(t.subslice_mask, 0x1ff, "three slices of three subslices, three bits each");
	t.subslice_mask_stride = 8;
	intel_topology_make(&t, 2, 3, 8, 3, 4, 8);
	is_int(t.subslice_mask, 0x707, "two slices, eight bits each");
}

/* A file has the name of its platform, and its device is the full part: nothing is fused off, and
 * the table knows the shape. These are the others. */
static const struct oracle_row {
	const char *file;
	const char *platform;
	bool full;
	int library_threads;	/* where libi915_perf 1.27.1 is known to be wrong, else 0 */
} odd_files[] = {
	{ "sklgt2f", "sklgt2", false, 0 },
	{ "bxt2x6", "bxt", true, 0 },
	{ "cnl", "cnl", false, 0 },
	{ "iclf", "icl", false, 0 },
	{ "ehl", "ehl", false, 0 },
	{ "tglgt2f", "tglgt2", false, 0 },
	{ "adls", "adl", true, 0 },
	{ "mtlgt2", "mtlgt2", true, 7 },
	{ "mtlgt3", "mtlgt3", true, 7 },
};

static struct oracle_row row_of(const char *file)
{
	for (size_t i = 0; i < ARRAY_LEN(odd_files); i++)
		if (!strcmp(odd_files[i].file, file))
			return odd_files[i];
	return (struct oracle_row){ file, file, true, 0 };
}

/* The topology of the oracle's first line as the kernel's image. */
static size_t oracle_image(const char *line, uint8_t *raw)
{
	static const char *const fields[] = {
		"max_slices",
		"max_subslices",
		"max_eus_per_subslice",
		"subslice_offset",
		"subslice_stride",
		"eu_offset",
		"eu_stride",
	};
	uint16_t head[8] = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		head[1 + i] = (uint16_t)json_u64(line, fields[i]);
	memcpy(raw, head, sizeof(head));
	return sizeof(head) + json_hex(line, "data", raw + sizeof(head), 256 - sizeof(head));
}

static void same_topology(const struct topology *t, const char *line, const char *what)
{
	is_int(t->eus, json_u64(line, "n_eus"), "%s: EUs", what);
	is_int(t->slices, json_u64(line, "n_eu_slices"), "%s: slices", what);
	is_int(t->subslices, json_u64(line, "n_eu_sub_slices"), "%s: subslices", what);
	is_int(t->slice_mask, json_u64(line, "slice_mask"), "%s: slice mask", what);
	is_int(t->subslice_mask, json_u64(line, "subslice_mask"), "%s: subslice mask", what);
}

static void test_oracle(const struct oracle_files *files, const char *name)
{
	struct oracle_row row = row_of(name);
	struct device d = { .pci_vendor = 0x8086 }, full = { .pci_vendor = 0x8086 };
	const struct intel_platform *p = intel_platform_by_name(row.platform);
	struct oracle o;
	uint8_t raw[256];
	size_t len;

	if (!oracle_open(&o, files, name))
		return;
	const char *line = oracle_line(&o);
	if (!ok(line && p, "%s: a platform that is known", name)) {
		oracle_close(&o);
		return;
	}
	d.pci_device = full.pci_device = (uint32_t)json_u64(line, "devid");
	d.topology.subslice_mask_stride = p->subslice_mask_stride;
	len = oracle_image(line, raw);
	ok(intel_topology_parse(&d.topology, raw, len, NULL), "%s: topology is read", row.file);
	is_int(d.topology.raw_len, len, "%s: length of the image", row.file);
	ok(intel_device_identify(&d, NULL) && intel_device_identify(&full, NULL),
		"%s: %04x is known", row.file, d.pci_device);
	is_str(d.platform, row.platform, "%s: platform", row.file);
	is_int(p->graphics_ver, json_u64(line, "graphics_ver"), "%s: version", row.file);
	is_int(d.timestamp_hz, json_u64(line, "timestamp_frequency"), "%s: time stamp frequency",
		row.file);
	is_int(row.library_threads ? row.library_threads : d.topology.threads_per_eu,
		json_u64(line, "eu_threads_count"), "%s: threads per EU", row.file);
	same_topology(&d.topology, line, row.file);
	if (row.full)
		same_topology(&full.topology, line, row.file);
	else
		ok(full.topology.eus != (int)json_u64(line, "n_eus"), "%s: is not the full part",
			row.file);
	oracle_close(&o);
}

int main(void)
{
	static struct oracle_files files;

	test_platforms();
	test_pci_ids();
	test_all_driven_ids();
	test_identify_all();
	test_contradiction();
	test_fuses();
	test_hd620();
	test_parts();
	test_units();
	test_widths();
	test_identify_keeps();
	test_refusals();
	test_images();
	test_make();
	if (oracle_list(&files, "oa", ORACLE_LINES))
		for (int i = 0; i < files.n; i++)
			test_oracle(&files, files.names[i]);
	return done_testing();
}
