/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shipped metric and register files: they load without a problem, are complete, legal and give
 * the numbers of the sources. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_stall_records.h"
#include "backends/mali/product.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "data/data.h"
#include "tests/tap.h"
#include "tests/unit/intel/by_name.h"

/* Platforms that have files, a PCI id with the full configuration, and whether their EUs count
 * instruction types. */
static const struct platform_row {
	const char *name;
	uint32_t pci_device;
	bool types;
	bool testoa;
} platforms[] = {
	{ "chv", 0x22b1, true, true }, { "bdw", 0x1616, true, false }, { "bdwgt3", 0x1626, true, false },
	{ "sklgt2", 0x1912, true, false }, { "sklgt3", 0x1926, true, false }, { "sklgt4", 0x193b, true, false },
	{ "kblgt2", 0x5916, true, true }, { "kblgt3", 0x5926, true, false }, { "cflgt2", 0x3e92, true, false },
	{ "cflgt3", 0x3ea5, true, false }, { "bxt", 0x5a84, true, false }, { "glk", 0x3184, true, false },
	{ "icl", 0x8a52, true, false }, { "ehl", 0x4571, true, false }, { "tglgt1", 0x9a60, false, false },
	{ "tglgt2", 0x9a49, false, true }, { "rkl", 0x4c8a, false, false }, { "dg1", 0x4905, false, false },
	{ "adl", 0x46a6, false, false },
};

/* Stage filters with events that look at the whole EU: the manual of Gen8 to Gen11 says no, Intel's
 * RenderBasic does it. Our own sets must not. */
static const struct { const char *set, *event; } known_illegal[] = {
	{ "RenderBasic", "active:vs" }, { "RenderBasic", "stall:vs" }, { "RenderBasic", "active:ps" }, { "RenderBasic", "stall:ps" },
	{ "RenderBasic", "fpu_both:ps" },
	/* The metrics that read them are estimates. */
	{ "flops", "fpu0::hybrid" }, { "flops", "fpu1::hybrid" },
};

static void print_problem(void *ctx, const struct err *err)
{
	int *n = ctx;

	(*n)++;
	diag("%s%s%s", err->msg, *err->hint ? ": " : "", err->hint);
}

static const char *find_include(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static const char *find_config(const char *name)
{
	return packed_find(oa_config_files, name, ".oacfg");
}

static void no_problem(void *ctx, const struct err *err)
{
	(void)ctx;
	(void)err;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_set(const struct metric_set *a, const struct metric_set *b)
{
	bool same = same_text(a->name, b->name) && same_text(a->label, b->label) &&
		same_text(a->text, b->text) && a->line == b->line &&
		a->n_platforms == b->n_platforms && a->n_metrics == b->n_metrics &&
		a->n_inputs == b->n_inputs && a->n_lets == b->n_lets &&
		a->n_groups == b->n_groups && a->n_directives == b->n_directives &&
		a->n_cells == b->n_cells;

	for (int i = 0; same && i < a->n_metrics; i++) {
		const struct metric *x = &a->metrics[i], *y = &b->metrics[i];

		same = same_text(x->name, y->name) && same_text(x->equation, y->equation) &&
			same_text(x->group, y->group) &&
			same_text(x->ceiling_text, y->ceiling_text) && x->line == y->line &&
			a->eval_order[i] == b->eval_order[i];
	}
	for (int i = 0; same && i < a->n_directives; i++)
		same = same_text(a->directives[i].key, b->directives[i].key) &&
			same_text(a->directives[i].args, b->directives[i].args);
	return same;
}

/* What starts with the heads of a platform's sets ends with the same sets as reading everything. */
static void test_heads(const struct metric_lib *all)
{
	struct metric_lib lib = { 0 };
	int n = 0;

	for (const struct packed_file *e = metric_files; e->name; e++)
		if (packed_serves(e, NULL))
			metric_lib_load_heads(&lib, e->name, packed_text(e), NULL, no_problem, NULL);
	is_int(lib.n_sets, all->n_sets, "each set has a head");
	for (int i = 0; i < lib.n_sets && i < all->n_sets; i++) {
		const struct metric_set *set = lib.sets[i];
		bool had_cells = set->n_cells > 0;

		if (!in_share()) {
			n++;
			continue;
		}
		metric_lib_load_body(&lib, set, find_include(NULL, set->file), find_include, NULL,
			no_problem, NULL);
		if (same_set(set, all->sets[i]) && had_cells == (set->n_cells > 0))
			n++;
		else
			diag("%s of %s: head and body are not the whole set, or the head does not "
			     "tell of its cells",
				set->name, set->platforms[0]);
	}
	is_int(n, all->n_sets, "heads and bodies make whole sets");
	metric_lib_release(&lib);
}

/* The table knows which platforms a file has sets for. */
static void test_index(const struct metric_lib *all)
{
	for (const struct packed_file *e = metric_files; e->name; e++) {
		bool serves = false, good = true;

		for (int i = 0; i < all->n_sets; i++)
			for (int k = 0; k < all->sets[i]->n_platforms &&
				!strcmp(all->sets[i]->file, e->name);
				k++) {
				serves = true;
				good = good && packed_serves(e, all->sets[i]->platforms[k]);
			}
		ok(good && packed_serves(e, NULL) == serves, "%s: its platforms are known",
			e->name);
		ok(!packed_serves(e, "no such platform"), "and no others");
	}
}

static bool has_sets(const char *text)
{
	return !strncmp(text, "set ", 4) || strstr(text, "\nset ");
}

/* Every file is reached: those without a set only through others. */
static void load_all(struct metric_lib *lib)
{
	for (const struct packed_file *e = metric_files; e->name; e++) {
		int told = 0, problems;

		if (!has_sets(packed_text(e)))
			continue;
		problems = metric_lib_load(
			lib, e->name, packed_text(e), find_include, NULL, print_problem, &told);
		is_int(problems, 0, "%s loads without a problem", e->name);
		is_int(told, problems, "%s: each problem is told", e->name);
	}
}

/* Reads all texts. */
static unsigned long sum_of_texts(void)
{
	unsigned long sum = 0;

	for (const struct packed_file *e = metric_files; e->name; e++)
		for (const char *s = packed_text(e); *s; s++)
			sum = sum * 31 + (unsigned char)*s;
	return sum;
}

/* Returns the resident pages of files, in kB; 0 where the kernel does not tell. */
static unsigned long resident_of_files_kb(void)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	char line[512];
	unsigned long sum_kb = 0, kb;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Rss: %lu", &kb) == 1)
			sum_kb += kb;
		else if (sscanf(line, "Anonymous: %lu", &kb) == 1)
			sum_kb -= kb;
	}
	if (f)
		fclose(f);
	return sum_kb;
}

/* Letting go of texts and pages must not lose what stands in them. */
static void test_forget(void)
{
	unsigned long before = sum_of_texts();

	packed_forget();
	ok(sum_of_texts() == before, "texts are as before when they are unpacked again");
	unsigned long held_kb = resident_of_files_kb();

	mem_forget_start();
	unsigned long left_kb = resident_of_files_kb();

	if (held_kb)
		ok(left_kb < held_kb, "pages of files are let go of after the start: %lu kB, then %lu kB",
			held_kb, left_kb);
	else
		skip(1, "the kernel does not tell what is resident");
	ok(sum_of_texts() == before, "  ... and texts are as before");
}

static void test_all_used(void)
{
	for (const struct packed_file *e = metric_files; e->name; e++) {
		char line[160];
		bool used = has_sets(packed_text(e));

		snprintf(line, sizeof(line), "include %s\n", e->name);
		for (const struct packed_file *f = metric_files; f->name && !used; f++)
			used = strstr(packed_text(f), line) != NULL;
		ok(used, "%s is used", e->name);
	}
	for (const struct packed_file *e = oa_config_files; e->name; e++) {
		char line[160];
		bool used = false;

		snprintf(line, sizeof(line), "config %.*s\n",
			(int)(strlen(e->name) - strlen(".oacfg")), e->name);
		for (const struct packed_file *f = metric_files; f->name && !used; f++)
			used = strstr(packed_text(f), line) != NULL;
		ok(used, "%s is used", e->name);
	}
}

static void check_metric(const struct metric_set *set, const struct metric *m, struct strbuf *bad)
{
	if (!m->label || !*m->label || strlen(m->label) > 16)
		strbuf_addf(bad, " %s: label '%s'", m->name, m->label ? m->label : "");
	if (!m->text || strlen(m->text) < 20)
		strbuf_addf(bad, " %s: text", m->name);
	if (!m->origin || !*m->origin)
		strbuf_addf(bad, " %s: origin", m->name);
	if (!m->unit_text)
		strbuf_addf(bad, " %s: unit", m->name);
	if (m->limit.role == LIMIT_PIPE && !m->ceiling)
		strbuf_addf(bad, " %s: a pipe without a ceiling", m->name);
	if (m->limit.tip && strlen(m->limit.tip) > 69)
		strbuf_addf(bad, " %s: what helps does not fit its line", m->name);
	if (!strcmp(set->name, "ComputeBasic") && strstr(m->equation, "EU.ternary"))
		strbuf_addf(bad, " %s: counts types", m->name);
}

static void test_complete(const struct metric_set *set, const char *platform)
{
	/* those of its own follow */
	static const char *const panes[] = { "utilization", "flops", "bandwidth", "power" };
	struct strbuf bad = { 0 };

	for (int i = 0; i < set->n_metrics; i++)
		check_metric(set, &set->metrics[i], &bad);
	is_str(strbuf_str(&bad), "", "%s %s: label, text, origin, unit of all %d metrics", platform,
		set->name, set->n_metrics);
	strbuf_release(&bad);
	if (!ok(set->n_groups >= 4, "%s %s has four groups", platform, set->name))
		return;
	for (int i = 0; i < 4; i++)
		is_str(set->groups[i].name, panes[i], "%s %s: pane %d", platform, set->name, i + 1);
}

static bool is_known_illegal(const struct metric_set *set, const char *event)
{
	for (size_t i = 0; i < ARRAY_LEN(known_illegal); i++)
		if (!strcmp(known_illegal[i].set, set->name) &&
			!strcmp(known_illegal[i].event, event))
			return true;
	return false;
}

/* Address ranges that the kernel accepts in PERF_ADD_CONFIG (Linux 6.12, i915_perf.c). */
static const struct range {
	enum oa_reg_kind kind;
	int min_ver, max_ver;
	uint32_t first, last;
} ranges[] = {
	{ OA_REG_OA, 8, 11, 0x2710, 0x272c }, { OA_REG_OA, 8, 11, 0x2740, 0x275c }, { OA_REG_OA, 8, 11, 0x2770, 0x27ac },
	{ OA_REG_OA, 12, 12, 0x2b2c, 0x2b2c }, { OA_REG_OA, 12, 12, 0xd900, 0xd97c }, { OA_REG_OA, 12, 12, 0xdc00, 0xdc44 },
	{ OA_REG_NOA, 8, 11, 0x91b8, 0x91cc }, { OA_REG_NOA, 8, 11, 0x9800, 0x9888 }, { OA_REG_NOA, 8, 11, 0xe180, 0xe180 },
	{ OA_REG_NOA, 8, 8, 0x182300, 0x1823a4 }, { OA_REG_NOA, 8, 11, 0x0d00, 0x0d2c }, { OA_REG_NOA, 8, 11, 0x20cc, 0x20cc },
	{ OA_REG_NOA, 11, 11, 0x91c8, 0x91dc }, { OA_REG_NOA, 12, 12, 0x0d00, 0x0d04 }, { OA_REG_NOA, 12, 12, 0x0d0c, 0x0d2c },
	/* from Gen12.5 on */
	{ OA_REG_OA, 12, 12, 0xdc48, 0xdc48 }, { OA_REG_OA, 12, 12, 0xdd00, 0xdd48 },
	/* Linux xe_oa.c */
	{ OA_REG_OA, 20, 30, 0x13000, 0x137fc },
	{ OA_REG_NOA, 12, 12, 0x9840, 0x9840 }, { OA_REG_NOA, 12, 12, 0x9884, 0x9888 }, { OA_REG_NOA, 12, 12, 0x20cc, 0x20cc },
};

static bool kernel_takes(const struct oa_reg *r, int ver)
{
	for (size_t i = 0; r->kind == OA_REG_FLEX && i < OA_FLEX_REGS; i++)
		if (oa_flex_addresses[i] == r->address)
			return true;
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
		if (ranges[i].kind == r->kind && ver >= ranges[i].min_ver &&
			ver <= ranges[i].max_ver && r->address >= ranges[i].first &&
			r->address <= ranges[i].last)
			return true;
	return false;
}

/* Sets of our own that count only what needs no routing of signals. */
static bool needs_routing(const struct metric_set *set)
{
	static const char *const plain[] = { "overview", "flops", "stages", "eumap" };

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		if (!strncmp(set->name, plain[i], strlen(plain[i])))
			return false;
	return true;
}

static void test_programming(const struct metric_set *set, const char *platform, int verx10)
{
	struct strbuf bad = { 0 };
	struct device dev = { 0 };
	struct oa_profile p;
	struct err err = { 0 };
	int ver = verx10 / 10;

	snprintf(dev.platform, sizeof(dev.platform), "%s", platform);
	if (!ok(oa_profile_build(&p, set, &dev, find_config, &err),
		    "%s %s becomes registers %s", platform, set->name, err.msg))
		return;
	for (size_t i = 0; i < OA_FLEX_COUNTERS; i++) {
		char text[64];
		const char *why = oa_event_warning(&p.events[i], verx10);

		if (why && !is_known_illegal(set, oa_event_text(&p.events[i], text, sizeof(text))))
			strbuf_addf(&bad, " A%zu %s: %s", i + 7,
				oa_event_text(&p.events[i], text, sizeof(text)), why);
	}
	for (size_t i = 0; i < p.n_regs; i++)
		if (!kernel_takes(&p.regs[i], ver))
			strbuf_addf(&bad, " register %x", p.regs[i].address);
	is_str(strbuf_str(&bad), "", "%s %s: events and %zu registers are allowed", platform,
		set->name, p.n_regs);
	if (strcmp(platform, "example") != 0 && verx10 < 125)
		is_int(*p.config != 0, needs_routing(set), "%s %s: register file '%s'", platform,
			set->name, p.config);
	strbuf_release(&bad);
	oa_profile_release(&p);
}

/* A device, an OA feed and one window of it; power, freq and dram feeds too. */
struct bench {
	struct device device;
	struct feed oa, power, freq, stall, dram;
	struct counter_desc counters[OA_MAX_COUNTERS];
	struct sample samples[5];
	const struct oa_format *format;
};

static const struct counter_desc power_counters[] = {
	{ "energy_package_uj", "uJ", 32, COUNTER_CUMULATIVE }, { "energy_cores_uj", "uJ", 32, COUNTER_CUMULATIVE },
	{ "energy_gpu_uj", "uJ", 32, COUNTER_CUMULATIVE }, { "energy_dram_uj", "uJ", 32, COUNTER_CUMULATIVE },
	{ "energy_psys_uj", "uJ", 32, COUNTER_CUMULATIVE }, { "energy_card_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "energy_package_total_uj", "uJ", 64, COUNTER_GAUGE }, { "energy_cores_total_uj", "uJ", 64, COUNTER_GAUGE },
	{ "energy_gpu_total_uj", "uJ", 64, COUNTER_GAUGE }, { "energy_dram_total_uj", "uJ", 64, COUNTER_GAUGE },
	{ "energy_psys_total_uj", "uJ", 64, COUNTER_GAUGE }, { "energy_update_us", "us", 64, COUNTER_GAUGE },
};
static const struct counter_desc freq_counters[] = {
	{ "freq_actual_mhz", "MHz", 32, COUNTER_GAUGE }, { "freq_requested_mhz", "MHz", 32, COUNTER_GAUGE },
	{ "rc6_us", "us", 64, COUNTER_CUMULATIVE }, { "throttle_samples", "number", 64, COUNTER_CUMULATIVE },
	{ "engine_busy_ns", "ns", 64, COUNTER_CUMULATIVE },
	{ "engine_wait_ns", "ns", 64, COUNTER_CUMULATIVE }, { "engine_sema_ns", "ns", 64, COUNTER_CUMULATIVE },
	{ "interrupts_taken", "events", 64, COUNTER_CUMULATIVE },
	{ "throttled", "number", 8, COUNTER_GAUGE }, { "throttled_pl1", "number", 8, COUNTER_GAUGE },
	{ "throttled_pl2", "number", 8, COUNTER_GAUGE }, { "throttled_pl4", "number", 8, COUNTER_GAUGE },
	{ "throttled_thermal", "number", 8, COUNTER_GAUGE }, { "throttled_prochot", "number", 8, COUNTER_GAUGE },
	{ "throttle_heat_samples", "number", 64, COUNTER_CUMULATIVE }, { "throttle_power_samples", "number", 64, COUNTER_CUMULATIVE },
	{ "throttle_current_samples", "number", 64, COUNTER_CUMULATIVE }, { "throttle_other_samples", "number", 64, COUNTER_CUMULATIVE },
	{ "freq_limit_mhz", "MHz", 32, COUNTER_GAUGE }, { "temperature_vram_mdegc", "mdegC", 32, COUNTER_GAUGE },
	{ "temperature_mdegc", "mdegC", 32, COUNTER_GAUGE }, { "fan_rpm", "number", 32, COUNTER_GAUGE },
	{ "local_memory_bytes", "B", 64, COUNTER_GAUGE }, { "local_memory_used_bytes", "B", 64, COUNTER_GAUGE },
	{ "card_memory_read_bytes", "B", 64, COUNTER_CUMULATIVE }, { "card_memory_written_bytes", "B", 64, COUNTER_CUMULATIVE },
	{ "card_memory_others_bytes", "B", 64, COUNTER_CUMULATIVE }, { "link_received_bytes", "B", 64, COUNTER_CUMULATIVE },
	{ "link_sent_bytes", "B", 64, COUNTER_CUMULATIVE },
};

static const struct counter_desc dram_counters[] = {
	{ "dram_read_bytes", "B", 64, COUNTER_CUMULATIVE }, { "dram_write_bytes", "B", 64, COUNTER_CUMULATIVE },
	{ "dram_total_bytes", "B", 64, COUNTER_CUMULATIVE }, { "dram_gpu_bytes", "B", 64, COUNTER_CUMULATIVE },
};

/* 2 s by the OA clock at max_hz, 4 s of the power source with 60 J of package, 30 J of GPU. */
static bool bench_init(struct bench *b, uint32_t pci_device, uint64_t max_hz)
{
	struct err err = { 0 };

	*b = (struct bench){ .device = { .pci_vendor = 0x8086, .pci_device = pci_device, .max_hz = max_hz, .min_hz = 300000000 } };
	if (!ok(intel_device_identify(&b->device, &err), "%04x is known %s", pci_device, err.msg))
		return false;
	device_set_const(&b->device, "package_power_limit_w", 15);
	device_set_const(&b->device, "package_power_limit_short_w", 25);
	device_set_const(&b->device, "gpu_power_limit_w", 190);
	device_set_const(&b->device, "card_power_limit_w", 225);
	device_set_const(&b->device, "temperature_limit_mdegc", 95000);
	device_set_const(&b->device, "link_bytes_per_s", 15.75e9);
	/* What only the kernel tells of some parts. */
	device_set_const(&b->device, "compute_engine_count", 1);
	device_set_const(&b->device, "l3_bank_count", 4);
	if (b->device.timestamp_hz == 0)
		b->device.timestamp_hz = 19200000;
	if (b->device.topology.eus == 0)
		intel_topology_make(&b->device.topology, 2, 4, 8, 2, 4, 8);
	intel_device_set_consts(&b->device);
	b->format = oa_format_by_number(b->device.oa_format);
	b->oa = (struct feed){ .name = "oa",
		.counters = b->counters,
		.n_counters = oa_format_counters(b->format, b->counters) };
	b->power = (struct feed){
		.name = "power", .counters = power_counters, .n_counters = ARRAY_LEN(power_counters)
	};
	b->freq = (struct feed){
		.name = "freq", .counters = freq_counters, .n_counters = ARRAY_LEN(freq_counters)
	};
	b->stall = (struct feed){
		.name = "stall", .counters = xe_stall_counters, .n_counters = XE_STALL_COUNTERS
	};
	b->samples[3] = (struct sample){ .window_ns = 1000000000,
		.values = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 55 } };
	b->dram = (struct feed){
		.name = "dram", .counters = dram_counters, .n_counters = ARRAY_LEN(dram_counters)
	};
	b->samples[0].window_ns = 2000000000;
	b->samples[0].values[oa_format_index(b->format, "TIMESTAMP")] = 2 * b->device.timestamp_hz;
	b->samples[0].values[oa_format_index(b->format, "GPU_TICKS")] = 2 * max_hz;
	b->samples[1] = (struct sample){ .window_ns = 4000000000,
		.values = { 60000000, 8000000, 30000000, 4000000, 80000000, 100000000, 500000000, 0,
			250000000, 0, 0, 1000 } };
	b->samples[2] = (struct sample){ .window_ns = 1000000000,
		.values = { 1000, 1050, 250000, 8 } };
	b->samples[4] = (struct sample){ .window_ns = 1000000000,
		.values = { 20000000000, 5000000000, 25000000000, 12000000000 } };
	return true;
}

static void bench_set(struct bench *b, const char *counter, double value)
{
	b->samples[0].values[oa_format_index(b->format, counter)] = (uint64_t)value;
}

struct results {
	const struct metric_set *set;
	struct value *values, *ceilings;
};

static struct results bench_eval(struct bench *b, const struct metric_set *set)
{
	const struct feed *const feeds[] = { &b->oa, &b->power, &b->freq, &b->stall, &b->dram };
	struct metric_binding binding;
	struct results r = { .set = set,
		.values = xcalloc((size_t)set->n_metrics, sizeof(struct value)),
		.ceilings = xcalloc((size_t)set->n_metrics, sizeof(struct value)) };

	metric_bind(&binding, set, &b->device, feeds, ARRAY_LEN(feeds));
	/* The counters are made up. */
	binding.keeps_excess = true;
	metric_eval(&binding, b->samples, r.values, r.ceilings);
	metric_unbind(&binding);
	return r;
}

static void results_release(struct results *r)
{
	free(r->values);
	free(r->ceilings);
}

static double value_of(const struct results *r, const char *name)
{
	int i = metric_set_index(r->set, name);

	return i < 0 ? -12345 : r->values[i].v;
}

static double ceiling_of(const struct results *r, const char *name)
{
	int i = metric_set_index(r->set, name);

	return i < 0 ? -12345 : r->ceilings[i].v;
}

/* With all counters running and all feeds there, nothing may be missing but ceilings of constants
 * that are unknown. */
static void test_evaluates(const struct metric_set *set, const struct platform_row *row)
{
	struct strbuf bad = { 0 };
	struct results r;
	struct bench b;

	if (!bench_init(&b, row->pci_device, 1000000000))
		return;
	for (int i = 2; i < b.oa.n_counters; i++)
		b.samples[0].values[i] = 1000000 + 1000 * (uint64_t)i;
	r = bench_eval(&b, set);
	for (int i = 0; i < set->n_metrics; i++) {
		/* A roof is a ceiling with a name of its own. */
		if (r.values[i].why == WHY_UNKNOWN_CONST && set->metrics[i].roof != ROOF_NONE)
			continue;
		/* Where EUs are fused off, nobody knows how many a position has. */
		if (r.values[i].why == WHY_UNKNOWN_CONST &&
			strstr(set->metrics[i].equation, "eus_per_position") &&
			!device_const(&b.device, "eus_per_position"))
			continue;
		/* The device has nothing of a short name. */
		if (r.values[i].why == WHY_NO_SOURCE && !strncmp(set->metrics[i].equation, "untold_", 7))
			continue;
		/* Not every GPU has double precision. */
		if (r.values[i].why == WHY_UNKNOWN_CONST && strstr(set->metrics[i].name, "_dp") &&
			!device_const(&b.device, "dp_flop_per_cycle_eu"))
			continue;
		if (r.values[i].why != WHY_OK)
			strbuf_addf(
				&bad, " %s: %s", set->metrics[i].name, why_name(r.values[i].why));
		if (set->metrics[i].ceiling && r.ceilings[i].why != WHY_OK &&
			r.ceilings[i].why != WHY_UNKNOWN_CONST)
			strbuf_addf(&bad, " roof of %s: %s", set->metrics[i].name,
				why_name(r.ceilings[i].why));
	}
	is_str(strbuf_str(&bad), "", "%s %s: every metric has a value", row->name, set->name);
	strbuf_release(&bad);
	results_release(&r);
}

static void test_sets(const struct metric_lib *lib)
{
	static const char *const names[] = { "overview", "memory", "flops", "stages", "eumap",
		"eumap-stall", "eumap-fpu0", "eumap-fpu1", "eumap-send", "eumap-threads",
		"ComputeBasic", "RenderBasic", "TestOa" };

	for (size_t i = 0; i < ARRAY_LEN(platforms); i++) {
		const struct platform_row *row = &platforms[i];
		const struct intel_platform *p = intel_platform_by_name(row->name);

		if (!ok(p, "%s is a platform", row->name) || !in_share_of(ARRAY_LEN(platforms)))
			continue;
		for (size_t n = 0; n < ARRAY_LEN(names) - !row->testoa; n++) {
			const struct metric_set *set = metric_lib_find(lib, names[n], row->name);

			if (!ok(set, "%s has set %s", row->name, names[n]))
				continue;
			test_complete(set, row->name);
			test_programming(set, row->name, p->graphics_verx10);
			test_evaluates(set, row);
			if (n < 2)
				is_int(metric_set_index(set, "flop_sp_per_cycle") >= 0, row->types,
					"%s %s: FLOP by type only where types are counted",
					row->name, names[n]);
			if (!strncmp(names[n], "eumap", 5))
				is_int(set->n_cells == 1 ? set->cells[0].n_cells : 0, 8,
					"%s %s: eight positions", row->name, names[n]);
		}
	}
}

/* Sets from Gen12.5 on, where fixed counters see GTI and, on Xe2, every counter has a register of
 * its own. */
static void test_xe_sets(const struct metric_lib *lib)
{
	static const struct {
		struct platform_row row;
		const char *sets[7];
	} rows[] = {
		{ { "acmgt1", 0x5693, false, true }, { "overview", "matrix", "memory", "RenderBasic", "TestOa", "fixed" } },
		{ { "acmgt2", 0x5696, false, true }, { "overview", "matrix", "memory", "RenderBasic", "TestOa", "fixed" } },
		{ { "acmgt3", 0x56a0, false, true }, { "overview", "matrix", "memory", "RenderBasic", "TestOa", "fixed" } },
		{ { "mtlgt2", 0x7d45, false, true }, { "overview", "memory", "ComputeBasic", "TestOa", "fixed" } },
		{ { "mtlgt3", 0x7d55, false, true }, { "overview", "matrix", "memory", "ComputeBasic", "TestOa", "fixed" } },
		{ { "pvc", 0x0bd5, false, false }, { "overview", "ComputeBasic", "fixed" } },
		{ { "lnl", 0x64a0, false, false }, { "overview", "stalls", "matrix", "fixed" } },
		{ { "bmg", 0xe20b, false, false }, { "overview", "stalls", "matrix", "fixed" } },
		{ { "ptl", 0xb080, false, false }, { "overview", "stalls", "matrix", "fixed" } },
		{ { "nvl", 0xd740, false, false }, { "overview", "stalls", "matrix", "fixed" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (const char *const *name = rows[i].sets; *name; name++) {
			const struct metric_set *set = metric_lib_find(
				lib, *name, rows[i].row.name);

			if (!ok(set, "%s has set %s", rows[i].row.name, *name))
				continue;
			test_complete(set, rows[i].row.name);
			test_programming(set, rows[i].row.name,
				intel_platform_by_name(rows[i].row.name)->graphics_verx10);
			test_evaluates(set, &rows[i].row);
		}
}

static const char *const processors[] = { "cpu", "cpu-arith", "cpu-arith512", "cpu-arith-td", "cpu-arith512-td", "cpu-zen1",
	"cpu-zen2", "cpu-zen4", "cpu-zen5", "cpu-hybrid-td", "cpu-hybrid512-td", "cpu-hybrid-flops-td", "cpu-atom", "cpu-arm",
	"cpu-arm-sve128", "cpu-arm-sve256", "cpu-arm-sve512" };

static bool is_processor(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(processors); i++)
		if (!strcmp(processors[i], name))
			return true;
	return false;
}

static bool is_platform(const char *name)
{
	return is_processor(name) || intel_platform_by_name(name) || !strcmp(name, INTEL_NO_SETS) ||
		!strcmp(name, "card") || !strcmp(name, "amdgpu") || !strcmp(name, "nvidia") ||
		!strcmp(name, "a6xx") || !strcmp(name, "a7xx") || !strcmp(name, "a8xx") ||
		!strcmp(name, "ivpu") || !strcmp(name, "xdna") || !strcmp(name, "v3d42") || !strcmp(name, "v3d71") || mali_product_by_platform(name);
}

static void test_platform_names(const struct metric_lib *lib)
{
	for (int i = 0; i < lib->n_sets; i++)
		for (int k = 0; k < lib->sets[i]->n_platforms; k++)
			ok(is_platform(lib->sets[i]->platforms[k]), "set %s: platform %s exists",
				lib->sets[i]->name, lib->sets[i]->platforms[k]);
}

/* Says whether a set of the platform has a metric that goes by the word. */
static bool has_short(const struct metric_lib *lib, const char *platform, const char *word)
{
	int other;

	for (int i = 0; i < lib->n_sets; i++)
		if (metric_set_has_platform(lib->sets[i], platform) && metric_set_find(lib->sets[i], NULL, word, &other) >= 0)
			return true;
	return false;
}

/* --columns takes the short names on every device: where it tells nothing of one, a hidden metric says why. */
static void test_short_names(const struct metric_lib *lib)
{
	static const char *const words[] = { "dram", "power", "clock", "temperature", "flops" };
	struct strbuf bad = { 0 };

	for (int w = 0; w < 5; w++)
		for (int i = 0; i < lib->n_sets; i++)
			for (int k = in_share() ? 0 : lib->sets[i]->n_platforms; k < lib->sets[i]->n_platforms; k++)
				if (!has_short(lib, lib->sets[i]->platforms[k], words[w]))
					strbuf_addf(&bad, " %s: %s;", lib->sets[i]->platforms[k], words[w]);
	ok(!bad.len, "each platform has a metric for each short name%s", strbuf_str(&bad));
	strbuf_release(&bad);
}

/* What a limit reads is evaluated with it, and before it. */
static void test_limits(const struct metric_lib *lib)
{
	const struct device none = { 0 };
	struct strbuf bad = { 0 };

	for (int i = 0; i < lib->n_sets; i++) {
		const struct metric_set *set = lib->sets[i];
		bool *done = xcalloc((size_t)set->n_metrics + 1, sizeof(*done));
		int *list = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*list));
		struct metric_binding b;

		metric_bind(&b, set, &none, NULL, 0);
		for (int k = 0; k < b.n_limit_metrics; k++) {
			int n = metric_inputs(set, &set->metrics[b.limit_metrics[k]], list);

			for (int j = 0; j < n; j++) {
				const struct metric_input *in = &set->inputs[list[j]];

				if ((in->kind == INPUT_METRIC || in->kind == INPUT_MOST) && !done[in->metric])
					strbuf_addf(&bad, " %s: %s", set->name, set->metrics[in->metric].name);
			}
			done[b.limit_metrics[k]] = true;
		}
		for (int m = 0; m < set->n_metrics; m++)
			if (set->metrics[m].limit.role != LIMIT_NONE && !done[m])
				strbuf_addf(&bad, " %s: %s", set->name, set->metrics[m].name);
		metric_unbind(&b);
		free(done);
		free(list);
	}
	ok(!bad.len, "what limits read is evaluated with them%s", strbuf_str(&bad));
	strbuf_release(&bad);
}

/* Each processor has its panes, and its operations are made of events that the set asks for. */
static void test_processors(const struct metric_lib *lib)
{
	for (size_t i = 0; i < ARRAY_LEN(processors); i++) {
		const struct metric_set *set = metric_lib_find(lib, "overview", processors[i]);
		const struct set_directive *d;
		struct strbuf bad = { 0 };
		int pos = 0;

		if (!ok(set, "%s has set overview", processors[i]))
			continue;
		test_complete(set, processors[i]);
		while ((d = metric_set_directive(set, "program", &pos))) {
			size_t len = strcspn(d->args, " ");
			bool used = false;

			for (int k = 0; k < set->n_inputs; k++)
				used |= strlen(set->inputs[k].name) == len &&
					!strncmp(set->inputs[k].name, d->args, len);
			if (!used)
				strbuf_addf(&bad, " %s", d->args);
		}
		is_str(strbuf_str(&bad), "", "%s: every event is used", processors[i]);
		strbuf_release(&bad);
		is_int(pos > 0, strcmp(processors[i], "cpu") != 0,
			"%s: only what counts operations has events", processors[i]);
	}
}

/* H. Duarte's thesis (2018): HD 620 (24 EUs) at 1.05 GHz, peak 403.2 GFLOP/s, a mad kernel reached
 * 399.02, additions 199.96; L3 201.6 GB/s. */
static void test_hd620(const struct metric_lib *lib)
{
	const struct metric_set *set = metric_lib_find(lib, "memory", "kblgt2");
	double eu_clocks = 24 * 2.1e9, busy = eu_clocks * 399.02 / 403.2;
	struct results r;
	struct bench b;

	if (!ok(set, "kblgt2 has set memory") || !bench_init(&b, 0x5916, 1050000000))
		return;
	bench_set(&b, "A0", 2.1e9);
	bench_set(&b, "A7", eu_clocks);
	bench_set(&b, "A9", busy);
	bench_set(&b, "A10", busy);
	bench_set(&b, "A11", busy);
	bench_set(&b, "A13", eu_clocks * 7 / 8);
	bench_set(&b, "A14", busy);
	bench_set(&b, "A15", busy);
	bench_set(&b, "C4", 2 * 1e9);
	bench_set(&b, "C5", 0.5 * 1e9);
	bench_set(&b, "A32", 2 * 191.99e9 / 64);
	r = bench_eval(&b, set);
	is_near(value_of(&r, "gpu_busy"), 100, 1e-9, "busy");
	is_near(value_of(&r, "eu_active"), 100, 1e-9, "EU active");
	is_near(value_of(&r, "eu_idle"), 0, 1e-9, "EU idle is the rest");
	is_near(value_of(&r, "eu_thread_occupancy"), 100, 1e-9,
		"7 threads of an EU, one pulse for 8 thread clocks");
	is_near(value_of(&r, "eu_avg_ipc_rate"), 2, 1e-9, "both FPUs always together");
	is_near(value_of(&r, "gflops_sp"), 399.02, 1e-4, "GFLOP/s");
	is_near(ceiling_of(&r, "gflops_sp"), 403.2, 1e-9, "peak GFLOP/s");
	is_near(value_of(&r, "flop_sp_per_cycle"), 399.02 / 1.05, 1e-4, "FLOP/cycle");
	is_near(ceiling_of(&r, "flop_sp_per_cycle"), 384, 1e-9, "peak FLOP/cycle");
	is_near(ceiling_of(&r, "flop_sp_per_cycle_eu"), 16, 1e-9, "peak of an EU");
	is_near(value_of(&r, "avg_gpu_core_frequency"), 1050, 1e-9, "MHz");
	is_near(value_of(&r, "gti_read_throughput"), 64, 1e-9, "GTI read");
	is_near(ceiling_of(&r, "gti_read_throughput"), 67.2, 1e-9, "GTI read roof");
	is_near(value_of(&r, "gti_write_throughput"), 16, 1e-9, "GTI write");
	is_near(ceiling_of(&r, "gti_write_throughput"), 33.6, 1e-9, "GTI write roof");
	is_near(value_of(&r, "gti_throughput"), 80, 1e-9, "GTI total");
	is_near(value_of(&r, "dram_throughput_most"), 80, 1e-9,
		"no more than that can have reached the DRAM");
	ok(isnan(ceiling_of(&r, "dram_throughput_most")), "nobody told how fast the DRAM is");
	is_near(value_of(&r, "ai_gti"), 399.02 / 80, 1e-6, "arithmetic intensity at GTI");
	is_near(value_of(&r, "roof_gti"), 403.2, 1e-9, "compute bound: the roof is the peak");
	is_near(value_of(&r, "l3_shader_throughput"), 191.99, 1e-6, "L3");
	is_near(ceiling_of(&r, "l3_shader_throughput"), 201.6, 1e-9,
		"L3 roof: 64 B/clock of 3 subslices");
	is_near(value_of(&r, "ai_l3"), 399.02 / 191.99, 1e-6, "arithmetic intensity at L3");
	is_near(value_of(&r, "mix_ternary"), 100, 1e-6, "all mad");
	is_near(value_of(&r, "power_package"), 15, 1e-9, "60 J in 4 s");
	is_near(ceiling_of(&r, "power_package"), 15, 1e-9, "limit of the package");
	is_near(value_of(&r, "power_gpu"), 7.5, 1e-9, "30 J in 4 s");
	is_near(value_of(&r, "gflops_per_watt_gpu"), 399.02 / 7.5, 1e-4, "rates of two windows");
	is_near(value_of(&r, "energy_per_flop_gpu"), 7.5 / 399.02, 1e-6,
		"W per GFLOP/s are nJ per FLOP");
	is_near(value_of(&r, "power_rest"), 15 - 2 - 7.5, 1e-9, "what is neither cores nor GPU");
	is_near(value_of(&r, "power_gpu_upper"), 15 - 2 - 1, 1e-9, "the thesis' equation 4.3");
	is_near(value_of(&r, "energy_package"), 500, 1e-9, "joules since the start");
	is_near(value_of(&r, "rc6"), 25, 1e-9, "RC6");
	is_near(value_of(&r, "clock_actual"), 1000, 1e-9, "clock now");
	results_release(&r);
	bench_set(&b, "A14", 0);
	bench_set(&b, "A15", 0);
	bench_set(&b, "A16", eu_clocks * 199.96 / 201.6);
	bench_set(&b, "A17", eu_clocks * 199.96 / 201.6);
	bench_set(&b, "C4", 2 * 1.05e9);
	device_set_const(&b.device, "dram_bytes_per_s", 34.1e9);
	r = bench_eval(&b, set);
	is_near(ceiling_of(&r, "dram_throughput_most"), 34.1, 1e-9,
		"the device told the DRAM's peak");
	is_near(value_of(&r, "gflops_sp"), 199.96, 1e-4, "additions do half");
	is_near(value_of(&r, "roof_gti"), 199.96, 1e-4, "a full read direction is the roof");
	ok(value_of(&r, "roof_reachable") <= value_of(&r, "roof_gti"), "what is reachable is no more than GTI allows");
	is_near(value_of(&r, "gflops_dp"), 0, 1e-9, "no double precision while FPU1 works, too");
	results_release(&r);
}

/* FPU0 full and FPU1 empty: single precision would use both, so it is double precision, against its
 * own peak. Peaks of H. Duarte's thesis (2018), ch. 5. */
static void test_double_precision(const struct metric_lib *lib)
{
	static const struct {
		double fpu0, fpu1, ternary, binary;	/* of EU clocks; types of FPU0 */
		double sp, dp;				/* GFLOP/s */
		const char *what;
	} rows[] = {
		{ 1, 0, 99.99 / 100.8, 0, 0, 99.99, "multiply-adds" },
		{ 1, 0, 0, 49.98 / 50.4, 0, 49.98, "additions" },
		{ 1, 0.05, 1, 0, 0, 100.8, "a little on FPU1, of no counted type" },
		{ 0.4, 0, 0.4, 0, 80.64, 0, "FPU0 is not full: it may be single precision" },
		{ 1, 0.2, 1, 0, 201.6, 0, "FPU1 works, too: it may be single precision" },
	};
	const struct metric_set *set = metric_lib_find(lib, "memory", "kblgt2");

	for (size_t i = 0; i < ARRAY_LEN(rows) && set; i++) {
		double eu_clocks = 24 * 2.1e9;
		struct results r;
		struct bench b;

		if (!bench_init(&b, 0x5916, 1050000000))
			return;
		bench_set(&b, "A0", 2.1e9);
		bench_set(&b, "A10", rows[i].fpu0 * eu_clocks);
		bench_set(&b, "A11", rows[i].fpu1 * eu_clocks);
		bench_set(&b, "A14", rows[i].ternary * eu_clocks);
		bench_set(&b, "A15", 0);
		bench_set(&b, "A16", rows[i].binary * eu_clocks);
		bench_set(&b, "A17", 0);
		bench_set(&b, "C4", 1e9);
		r = bench_eval(&b, set);
		is_near(value_of(&r, "gflops_sp"), rows[i].sp, 1e-6, "%s: single precision", rows[i].what);
		is_near(value_of(&r, "gflops_dp"), rows[i].dp, 1e-6, "%s: double precision", rows[i].what);
		is_near(ceiling_of(&r, "gflops_dp"), 100.8, 1e-9, "peak of double precision");
		is_near(value_of(&r, "gflops_per_watt_gpu"), (rows[i].sp + rows[i].dp) / 7.5, 1e-6,
			"%s: for a watt", rows[i].what);
		if (rows[i].dp > 0)
			is_near(ceiling_of(&r, "roof_gti"), 100.8, 1e-9,
				"%s: the roofline has that peak", rows[i].what);
		results_release(&r);
	}
}

static void test_self_test_set(const struct metric_lib *lib)
{
	static const double ratio[] = { 0, 1, 1, 0.5, 1 / 3., 1 / 3., 1 / 6., 2 / 3. };
	const struct metric_set *set = metric_lib_find(lib, "TestOa", "tglgt2");
	struct results r;
	struct bench b;

	if (!ok(set, "tglgt2 has set TestOa") || !bench_init(&b, 0x9a49, 600000000))
		return;
	for (int i = 0; i < 8; i++)
		bench_set(&b, (const char[]){ 'B', (char)('0' + i), '\0' }, 1.2e9 * ratio[i]);
	r = bench_eval(&b, set);
	for (int i = 0; i < 8; i++) {
		char name[32];

		snprintf(name, sizeof(name), "b%d_per_clock", i);
		is_near(value_of(&r, name), 100 * ratio[i], 1e-6, "%s", name);
		is_near(ceiling_of(&r, name), i ? 100 * ratio[i] : NAN, 1e-6,
			"%s stands at its roof", name);
	}
	results_release(&r);
}

/* The example of rooftop-metrics.5 is what it says: it loads, it counts. */
static void test_manual(void)
{
	const char *top = getenv("top_srcdir");
	struct metric_lib lib = { 0 };
	struct err err = { 0 };
	char path[4096];
	char *text, *start, *end;
	size_t len;
	int told = 0;

	snprintf(path, sizeof(path), "%s/man/rooftop-metrics.5", top ? top : ".");
	text = file_read_all(path, 1 << 20, &len, &err);
	start = text ? strstr(text, "include counters.metrics\n") : NULL;
	end = start ? strstr(start, "\n.Ed") : NULL;
	if (ok(end, "%s has an example %s", path, err.msg)) {
		end[1] = '\0';
		is_int(metric_lib_load(
			       &lib, "example", start, find_include, NULL, print_problem, &told),
			0, "it loads without a problem");
		ok(metric_lib_find(&lib, "compute-only", "kblgt2"), "its set is there");
		for (int i = 0; i < lib.n_sets; i++)
			test_programming(lib.sets[i], "example", 90);
	}
	metric_lib_release(&lib);
	free(text);
}

int main(void)
{
	struct metric_lib lib = { 0 };

	load_all(&lib);
	test_heads(&lib);
	test_index(&lib);
	test_all_used();
	test_forget();
	test_platform_names(&lib);
	test_short_names(&lib);
	test_limits(&lib);
	test_sets(&lib);
	test_xe_sets(&lib);
	test_processors(&lib);
	test_hd620(&lib);
	test_double_precision(&lib);
	test_self_test_set(&lib);
	test_manual();
	metric_lib_release(&lib);
	return done_testing();
}
