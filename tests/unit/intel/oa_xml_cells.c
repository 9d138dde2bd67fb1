/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which counters of an imported set become cells of one metric, and which digits are no units. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "core/snapshot/snapshot.h"
#include "tests/tap.h"

#define MASK " availability='$SubsliceMask "
#define AND " AND'"

static void count_problem(void *ctx, const struct err *err)
{
	(void)err;
	++*(int *)ctx;
}

/* Appends a counter: "SYMBOL" and, after a blank, more attributes. */
static void add_counter(struct strbuf *out, const char *text, bool of_subslice, int number)
{
	const char *more = strchr(text, ' ');
	int len = more ? (int)(more - text) : (int)strlen(text);

	strbuf_addf(out, "<counter name='%.*s' symbol_name='%.*s' data_type='float' units='percent' max_equation='100' "
		"equation='B %d READ'%s%s/>\n", len, text, len, text, number % 8,
		of_subslice ? " mdapi_hw_unit_type='subslice'" : "", more ? more : "");
}

static void open_set(struct strbuf *out, const char *chipset)
{
	strbuf_addf(out, "<metrics><set name='S' chipset='%s' symbol_name='S'>\n", chipset);
}

/* Writes "metric=cell:counter,cell:counter metric=..." of the metrics that have cells. */
static void describe(const struct metric_set *set, struct strbuf *out)
{
	for (int m = 0; m < set->n_metrics; m++) {
		char want[16] = "";

		if (sscanf(set->metrics[m].equation, "each of %15s", want) != 1)
			continue;
		strbuf_addf(out, "%s%s=", out->len ? " " : "", set->metrics[m].name);
		for (int k = 0; k < set->n_cells; k++)
			for (int i = 0; i < set->cells[k].n_names; i++)
				for (int j = 0; j < set->cells[k].n_cells && !strcmp(set->cells[k].names[i], want); j++)
					strbuf_addf(out, "%s%s:%s", j ? "," : "", set->cells[k].cells[j],
						set->cells[k].counters[j * set->cells[k].n_names + i]);
	}
}

static void add_things(struct strbuf *out, int n)
{
	char name[64];

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "Thing%cx%c%c%02d", 'a' + i / 26 / 26 / 3 % 26, 'a' + i / 26 / 3 % 26, 'a' + i / 3 % 26, i % 3);
		add_counter(out, name, true, i);
	}
}

static const struct metric_set *load(struct metric_lib *lib, struct strbuf *text, int *problems)
{
	struct err err = { 0 };

	strbuf_add(text, "</set></metrics>\n");
	*problems = 0;
	ok(oa_xml_load_text(lib, "oa-test.xml", strbuf_str(text), text->len, count_problem, problems, &err), "it is XML: %s", err.msg);
	return lib->n_sets ? lib->sets[0] : NULL;
}

struct row {
	const char *chipset;
	bool of_subslice;	/* mdapi_hw_unit_type */
	const char *counters[8];
	const char *want;
};

static void units(void)
{
	static const struct row rows[] = {
		{ "KBLGT2", true, { "Ready01", "Ready00" }, "ready=S0SS0:ready00,S0SS1:ready01" },
		{ "KBLGT2", true, { "ReadySlice0Subslice1", "ReadySlice1Subslice0" }, "ready=S0SS1:ready_slice0_subslice1,S1SS0:ready_slice1_subslice0" },
		{ "TGLGT2", true, { "A_SLICE0DUALSUBSLICE5", "A_SLICE0DUALSUBSLICE0" }, "a_=S0SS0:a_slice0_dualsubslice0,S0SS5:a_slice0_dualsubslice5" },
		{ "MTLGT3", true, { "GROUPS_XECORE3", "GROUPS_XECORE4" }, "groups=S0SS3:groups_xecore3,S1SS0:groups_xecore4" },
		{ "MTLGT2", false, { "QUEUE0_XECORE0 availability='$GtSlice0XeCore0'", "QUEUE1_XECORE0 availability='$GtSlice0XeCore0'",
			"QUEUE0_XECORE1 availability='$GtSlice0XeCore1'" }, "queue0=S0SS0:queue0_xecore0,S0SS1:queue0_xecore1 queue1=S0SS0:queue1_xecore0" },
		{ "KBLGT2", false, { "Header00Port0" MASK "0x1" AND, "Header00Port1" MASK "0x1" AND, "Header02Port0" MASK "0x4" AND, "Header02Port1" MASK "0x4" AND },
			"header_port0=S0SS0:header00_port0,S0SS2:header02_port0 header_port1=S0SS0:header00_port1,S0SS2:header02_port1" },
		{ "BDW", false, { "Sampler0Busy" MASK "0x09" AND, "Sampler1Busy" MASK "0x12" AND }, "sampler_busy=SS0:sampler0_busy,SS1:sampler1_busy" },
		{ "EHL", true, { "Stalled00L3" MASK "3" AND, "Stalled01L3" MASK "12" AND }, "stalled_l3=S0SS0:stalled00_l3,S0SS1:stalled01_l3" },
		{ "ICL", true, { "Stalled00", "Stalled07" }, "stalled=S0SS0:stalled00,S0SS7:stalled07" },
		/* One counter is a cell where its test says so. */
		{ "TGLGT2", false, { "Header05 availability='$DualSubsliceMask 32 AND'" }, "header=S0SS5:header05" },
		{ "TGLGT2", true, { "Header05" }, "" },
		/* Digits that are no units. */
		{ "KBLGT2", false, { "Ready00", "Ready01" }, "" },
		{ "KBLGT2", true, { "L3Bank0Reads", "L3Bank1Reads" }, "" },
		{ "KBLGT2", true, { "Ready03", "Ready04" }, "" },
		{ "KBLGT2", true, { "Ready91", "Ready99" }, "" },
		{ "KBLGT2", true, { "EuA32Reads00" MASK "1" AND, "EuA64Reads00" MASK "1" AND }, "eu_a32_reads=S0SS0:eu_a32_reads00 eu_a64_reads=S0SS0:eu_a64_reads00" },
		{ "KBLGT2", true, { "Ready123", "Ready124" }, "" },
		{ "MTLGT2", true, { "GROUPS_XECORE99", "GROUPS_XECORE77" }, "" },
		{ "MTLGT2", true, { "GROUPS_XECORE", "GROUPS_XECORE0000000000000000001" }, "" },
		/* A test that is for another unit than the digits. */
		{ "KBLGT2", true, { "Ready00" MASK "2" AND, "Ready01" MASK "1" AND }, "" },
		{ "KBLGT2", true, { "Ready00" MASK "0" AND, "Ready01" MASK "nonsense" AND }, "ready=S0SS0:ready00,S0SS1:ready01" },
		/* A metric of that name is there already. */
		{ "KBLGT2", true, { "Ready", "Ready00", "Ready01" }, "" },
		{ "NOSUCH", true, { "Ready00", "Ready01" }, "ready=S0SS0:ready00,S0SS1:ready01" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric_lib lib = { 0 };
		struct strbuf text = { 0 }, got = { 0 };
		int problems;

		open_set(&text, rows[i].chipset);
		for (int k = 0; k < 8 && rows[i].counters[k]; k++)
			add_counter(&text, rows[i].counters[k], rows[i].of_subslice, k);
		const struct metric_set *set = load(&lib, &text, &problems);
		if (set)
			describe(set, &got);
		is_str(strbuf_str(&got), rows[i].want, "%s of %s", rows[i].counters[0], rows[i].chipset);
		strbuf_release(&text);
		strbuf_release(&got);
		metric_lib_release(&lib);
	}
}

/* More counters than a set may have, as many as it may have, and more families than there are maps. */
static void many(void)
{
	struct metric_lib lib = { 0 };
	struct strbuf text = { 0 };
	struct err err = { 0 };
	int problems = 0, n = 0, cells = 0;
	char name[64];

	open_set(&text, "KBLGT2");
	add_things(&text, 10000);
	strbuf_add(&text, "</set></metrics>\n");
	ok(!oa_xml_load_text(&lib, "oa-test.xml", strbuf_str(&text), text.len, count_problem, &problems, &err),
		"10,000 counters are refused: %s", err.msg);
	metric_lib_release(&lib);

	strbuf_clear(&text);
	open_set(&text, "KBLGT2");
	add_things(&text, 4000);
	const struct metric_set *set = load(&lib, &text, &problems);
	for (int m = 0; set && m < set->n_metrics; m++)
		n += !strncmp(set->metrics[m].equation, "each of ", 8);
	for (int k = 0; set && k < set->n_cells; k++)
		cells += set->cells[k].n_cells * set->cells[k].n_names;
	ok(set && n > 1000 && set->n_cells <= SET_MAX_CELLS, "%d metrics have cells in %d maps", n, set ? set->n_cells : 0);
	ok(cells >= 3 * n && cells <= 4096, "%d counters are cells", cells);
	metric_lib_release(&lib);

	strbuf_clear(&text);
	open_set(&text, "TGLGT2");
	for (int i = 0; i < 20; i++)
		for (int unit = 0; unit < 6; unit++)
			if ((i + 1) >> unit & 1) {
				snprintf(name, sizeof(name), "Other%c%02d availability='$DualSubsliceMask %d AND'", 'a' + i, unit, 1 << unit);
				add_counter(&text, name, true, i);
			}
	set = load(&lib, &text, &problems);
	is_int(set ? set->n_cells : -1, SET_MAX_CELLS, "20 different sets of units: no more maps than there is room for");
	strbuf_release(&text);
	metric_lib_release(&lib);
}

/* What a device lacks is no cell, whatever its counter says. */
static void absent(void)
{
	static const char *const counters[] = { "Ready00" MASK "1" AND, "Ready01" MASK "2" AND, "Ready02" MASK "4" AND };
	static const struct counter_desc desc[] = { { "B0", "1", 32, COUNTER_CUMULATIVE }, { "B1", "1", 32, COUNTER_CUMULATIVE },
		{ "B2", "1", 32, COUNTER_CUMULATIVE } };
	static const struct feed feed = { .name = "oa", .counters = desc, .n_counters = 3 };
	const struct feed *feeds[] = { &feed };
	struct device d = { .pci_vendor = 0x8086, .pci_device = 0x5916 };
	const struct sample sample = { .window_ns = 1, .t1_ns = 5, .values = { 10, 30, 99 } };
	struct metric_lib lib = { 0 };
	struct strbuf text = { 0 };
	struct metric_binding b;
	struct snapshot s;
	int problems;

	intel_device_identify(&d, NULL);
	d.topology.subslices = 2;
	d.topology.eus = 16;
	d.topology.subslice_mask = 3;
	intel_device_set_consts(&d);
	open_set(&text, "KBLGT2");
	for (int i = 0; i < 3; i++)
		add_counter(&text, counters[i], true, i);
	load(&lib, &text, &problems);
	oa_xml_fit(lib.sets[0], &d, true);
	metric_bind(&b, lib.sets[0], &d, feeds, 1);
	snapshot_init(&s, &d, lib.sets[0]);
	snapshot_init_maps(&s, &b);
	metric_eval(&b, &sample, s.values, s.ceilings);
	metric_maps_fill(&b, s.maps, s.n_maps);
	int metric = metric_set_index(lib.sets[0], "ready");
	if (ok(s.n_maps == 1 && s.maps[0].n == 2, "one map, with two of three cells")) {
		is_near(cell_value(&s.maps[0], 0, metric).v, 10, 0, "the first one's value");
		is_near(cell_value(&s.maps[0], 1, metric).v, 30, 0, "the second one's");
		is_int((long long)s.maps[0].t_ns[1], 5, "and its time");
	}
	is_near(s.values[metric].v, 20, 0, "the mean is of these two");
	is_near(s.ceilings[metric].v, 100, 0, "the ceiling is that of the counters");
	snapshot_release(&s);
	metric_unbind(&b);
	strbuf_release(&text);
	metric_lib_release(&lib);
}

int main(void)
{
	units();
	many();
	absent();
	return done_testing();
}
