/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of XML metric sets: what is taken over, what is left out and told, what is refused. */
#include "config.h"

#include "backends/intel/oa/oa_xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/oracle.h"
#include "tests/tap.h"

#define MAX_TOLD 16

struct told {
	int count;
	char msg[MAX_TOLD][320];
};

static void note(void *ctx, const struct err *err)
{
	struct told *t = ctx;

	if (t->count < MAX_TOLD)
		snprintf(t->msg[t->count], sizeof(t->msg[0]), "%s", err->msg);
	t->count++;
}

static bool load(struct metric_lib *lib, const char *text, const struct device *dev,
	struct told *told, struct err *err)
{
	*lib = (struct metric_lib){ 0 };
	*told = (struct told){ 0 };
	*err = (struct err){ 0 };
	bool good = oa_xml_load_text(lib, "oa-test.xml", text, strlen(text), note, told, err);

	for (int i = 0; dev && i < lib->n_sets; i++)
		oa_xml_fit(lib->sets[i], dev, true);
	return good;
}

static void test_snake_case(void)
{
	static const char *const rows[][2] = {
		{ "GtiReadThroughput", "gti_read_throughput" }, { "Fpu0Active", "fpu0_active" }, { "L3Misses", "l3_misses" },
		{ "GpuTime", "gpu_time" }, { "GTRequestQueueFull", "gt_request_queue_full" }, { "EuA64UntypedReads0", "eu_a64_untyped_reads0" },
		{ "XVE_ACTIVE", "xve_active" }, { "SLM_BYTE_READ_BANK1_XECORE0", "slm_byte_read_bank1_xecore0" }, { "HDCAndSF", "hdc_and_sf" },
		{ "EuHdc0Reads128B", "eu_hdc0_reads128_b" }, { "", "" }, { "a b-c", "a_b_c" }, { "2x2", "_2x2" }, { "\xc3\x84x", "__x" },
	};
	char buf[64];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_str(oa_xml_snake_case(rows[i][0], buf, sizeof(buf)), rows[i][1], "'%s'",
			rows[i][0]);
	is_str(oa_xml_snake_case("AbCdEfGh", buf, 6), "ab_c", "a short buffer clips");
	is_str(oa_xml_snake_case("2", buf, 1), "", "a very short one");
}

/* A KBL GT2 with subslices 0 and 1 of 3, revision 4. */
static struct device small_device(void)
{
	struct device d = {
		.pci_vendor = 0x8086, .pci_device = 0x5916, .pci_revision = 4, .max_hz = 1000000000
	};

	intel_device_identify(&d, NULL);
	d.topology.subslices = 2;
	d.topology.eus = 16;
	d.topology.subslice_mask = 3;
	intel_device_set_consts(&d);
	return d;
}

static const char good[] =
	"<?xml version=\"1.0\"?>\n<metrics version='1'>\n"
	" <set name='Test set' chipset='KBLGT2' symbol_name='Basic' hw_config_guid='0123'>\n"
	"  <counter name='Time' symbol_name='GpuTime' description='D.' data_type='uint64' "
	"units='ns' semantic_type='duration'\n"
	"   equation='GPU_TIME 0 READ 1000000000 UMUL $GpuTimestampFrequency UDIV'/>\n"
	"  <counter name='Clocks' symbol_name='Clocks' data_type='uint64' units='cycles' "
	"equation='GPU_CLOCK 0 READ'/>\n"
	"  <counter name='Active' symbol_name='EuActive' data_type='float' units='percent' "
	"max_equation='100'\n"
	"   equation='A 7 READ $EuCoresTotalCount UDIV 100 UMUL $Clocks FDIV' "
	"mdapi_hw_unit_type='subslice'/>\n"
	"  <counter name='Best' symbol_name='Best' data_type='float' units='percent' "
	"equation='$One $Two FMAX'/>\n"
	"  <counter name='One' symbol_name='One' data_type='float' units='percent' equation='B 0 "
	"READ' availability='$SubsliceMask 1 AND'/>\n"
	"  <counter name='Two' symbol_name='Two' data_type='float' units='percent' equation='B 1 "
	"READ' availability='$SubsliceMask 4 AND'/>\n"
	"  <counter name='Three' symbol_name='Three' data_type='uint64' units='events' equation='B "
	"2 READ'\n"
	"   availability='$SubsliceMask 4 AND $SkuRevisionId 0x02 UGTE &amp;&amp;'/>\n"
	"  <counter name='Query' symbol_name='Query' data_type='uint64' units='widgets' "
	"equation='PERFCNT 0 READ'"
	" availability='true $QueryMode &amp;&amp;'/>\n"
	"  <counter name='Read' symbol_name='GtiRead' data_type='uint64' units='bytes' "
	"semantic_type='throughput' equation='C 4 READ 64 UMUL'"
	" max_equation='$Clocks 64 UMUL'/>\n"
	"  <counter name='Odd' symbol_name='Odd' data_type='uint64' units='widgets' equation='C 0 "
	"READ'/>\n"
	"  <register_config type='NOA' availability='$SkuRevisionId 0x02 ULT'><register "
	"address='0x9840' value='0x1'/></register_config>\n"
	"  <register_config type='NOA' availability='$SkuRevisionId 0x02 UGTE'><register "
	"address='0x00009840' value='0x2'/>"
	"<register address='0x9888' value='0xa'/><register address='0x9888' "
	"value='0xb'/></register_config>\n"
	"  <register_config type='NOA' availability='$SkuRevisionId 0x08 UGTE'><register "
	"address='0x9840' value='0x3'/></register_config>\n"
	"  <register_config type='FLEX'><register address='0xe458' "
	"value='0x5004'/></register_config>\n"
	"  <unknown><counter symbol_name='Inside' equation='1'/></unknown>\n"
	" </set>\n"
	" <set name='Other' chipset='BDW' symbol_name='Other'/>\n"
	"</metrics>\n";

static void test_metrics(const struct metric_set *set)
{
	static const struct {
		const char *name, *unit, *group, *scope;
		unsigned flags;
		bool ceiling;
	} want[] = {
		{ "gpu_time", "ns", "clocks", "device", METRIC_INTEGER, false },
		{ "clocks", "cycle", "clocks", "device", METRIC_INTEGER, false },
		{ "eu_active", "%", "utilization", "subslice", 0, true },
		{ "best", "%", "utilization", "device", 0, false },
		{ "one", "%", "utilization", "device", 0, false },
		{ "two", "%", "utilization", "device", METRIC_HIDDEN | METRIC_ABSENT, false },
		{ "three", "events", "counts", "device", METRIC_HIDDEN | METRIC_ABSENT | METRIC_INTEGER, false },
		{ "query", "1", "counts", "device", METRIC_HIDDEN | METRIC_ABSENT | METRIC_INTEGER, false },
		{ "gti_read", "B", "bandwidth", "device", METRIC_INTEGER, true },
		{ "odd", "1", "counts", "device", METRIC_INTEGER, false },
	};

	is_int(set->n_metrics, ARRAY_LEN(want),
		"all counters, and those that the device lacks are hidden");
	for (int i = 0; i < set->n_metrics && i < (int)ARRAY_LEN(want); i++) {
		const struct metric *m = &set->metrics[i];

		is_str(m->name, want[i].name, "metric %d in order of the file", i);
		is_str(m->unit_text, want[i].unit, "unit of %s", m->name);
		is_str(m->group, want[i].group, "pane of %s", m->name);
		is_str(m->scope, want[i].scope, "scope of %s", m->name);
		is_int(m->flags, want[i].flags, "flags of %s", m->name);
		is_int(m->ceiling != NULL, want[i].ceiling, "ceiling of %s", m->name);
	}
	is_str(set->metrics[0].text, "D.", "description");
	is_str(set->metrics[0].origin, "oa-test.xml, Basic.GpuTime", "origin");
	is_int(set->metrics[0].line, 4, "line of the element");
	is_int(set->metrics[2].limit.role, LIMIT_WORKING, "EuActive is working time");
	is_str(set->metrics[9].text, "Counted in widgets.", "a unit without a word of ours");
}

static void test_directives(const struct metric_set *set)
{
	static const char *const want[] = { "block NOA $SkuRevisionId 0x02 ULT",
		"registers NOA 9840 00000001", "block NOA $SkuRevisionId 0x02 UGTE",
		"registers NOA 9840 00000002", "registers NOA 9888 0000000A 0000000B",
		"block NOA $SkuRevisionId 0x08 UGTE", "registers NOA 9840 00000003", "block FLEX",
		"registers FLEX E458 00005004", "guid 0123" };

	is_int(set->n_directives, ARRAY_LEN(want), "directives: all blocks, with their tests");
	for (int i = 0; i < set->n_directives && i < (int)ARRAY_LEN(want); i++) {
		char text[256];

		snprintf(text, sizeof(text), "%s %s", set->directives[i].key,
			set->directives[i].args);
		is_str(text, want[i], "directive %d", i);
	}
}

/* Of each kind all blocks that fit are written, and a device that none fits is refused. */
static void test_blocks(const struct metric_set *set, struct device dev)
{
	static const struct { uint32_t revision, value; size_t n_regs; } rows[] = { { 0, 1, 2 }, { 1, 1, 2 }, { 2, 2, 4 }, { 7, 2, 4 }, { 8, 2, 5 } };
	struct metric_set cut = *set;
	struct oa_profile p;
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		dev.pci_revision = rows[i].revision;
		if (!ok(oa_profile_build(&p, set, &dev, NULL, &err), "revision %u %s",
			    rows[i].revision, err.msg))
			continue;
		is_int(p.regs[0].value, rows[i].value, "  ... has its own block");
		is_int(p.n_regs, rows[i].n_regs, "  ... and no other");
		if (rows[i].n_regs == 5)
			is_int(p.regs[3].value, 3, "  ... then the next one that fits");
		is_int(p.regs[p.n_regs - 1].kind, OA_REG_FLEX, "  ... beside that of all");
		oa_profile_release(&p);
	}
	cut.directives += 2;
	cut.n_directives -= 2;
	dev.pci_revision = 1;
	ok(!oa_profile_build(&p, &cut, &dev, NULL, &err) && err.code == ERR_USAGE,
		"a device that no block fits is refused");
	is_str(err.msg,
		"set Basic has registers of kind NOA for other devices only (slices 0x1, subslices "
		"0x3, revision 1 here)",
		"  ... with the reason");
}

/* A device that is still unknown gets every counter, and loses some when it becomes known, without
 * losing their places. */
static void test_late(const struct device *dev)
{
	const struct device unknown = { .platform = "kblgt2" };
	struct metric_lib lib;
	struct told told;
	struct err err;
	int hidden = 0, absent = 0;

	if (!ok(load(&lib, good, &unknown, &told, &err), "a device that nothing is known of"))
		return;
	struct metric_set *set = lib.sets[0];
	for (int i = 0; i < set->n_metrics; i++)
		hidden += set->metrics[i].flags & METRIC_HIDDEN ? 1 : 0;
	is_int(hidden, 0, "  ... has every counter");
	oa_xml_fit(set, dev, false);
	for (int i = 0; i < set->n_metrics; i++) {
		hidden += set->metrics[i].flags & METRIC_HIDDEN ? 1 : 0;
		absent += set->metrics[i].flags & METRIC_ABSENT ? 1 : 0;
	}
	ok(hidden == 0 && absent == 3, "  ... until it is known: %d hidden, %d absent", hidden, absent);
	metric_lib_release(&lib);
}

static void test_values(const struct metric_set *set, const struct device *dev)
{
	static const struct counter_desc counters[] = {
		{ "TIMESTAMP", "tick", 32, COUNTER_CUMULATIVE }, { "GPU_TICKS", "cycle", 32, COUNTER_CUMULATIVE },
		{ "A7", "cycle", 40, COUNTER_CUMULATIVE }, { "B0", "1", 32, COUNTER_CUMULATIVE }, { "B1", "1", 32, COUNTER_CUMULATIVE },
		{ "C0", "1", 32, COUNTER_CUMULATIVE }, { "C4", "1", 32, COUNTER_CUMULATIVE },
	};
	const struct feed feed = {
		.name = "oa", .counters = counters, .n_counters = ARRAY_LEN(counters)
	};
	const struct feed *const feeds[] = { &feed };
	const struct sample sample = { .window_ns = 1000000000,
		.values = { 12000000, 1000000, 8000007, 30, 40, 5, 1000 } };
	static const double want[] = { 1e9, 1e6, 50, 40, 30, NAN, NAN, NAN, 64000, 5 };
	struct value values[ARRAY_LEN(want)], ceilings[ARRAY_LEN(want)];
	struct metric_binding b;

	if (set->n_metrics != ARRAY_LEN(want))
		return;
	metric_bind(&b, set, dev, feeds, 1);
	metric_eval(&b, &sample, values, ceilings);
	for (int i = 0; i < set->n_metrics; i++) {
		if (isnan(want[i]))
			is_int(values[i].why, WHY_UNSUPPORTED, "%s", set->metrics[i].name);
		else
			is_near(values[i].v, want[i], 1e-9, "%s", set->metrics[i].name);
	}
	is_near(ceilings[2].v, 100, 0, "maximum of eu_active");
	is_near(ceilings[8].v, 64e6, 0, "maximum of gti_read");
	metric_unbind(&b);
}

static void test_good(void)
{
	struct device dev = small_device();
	const struct metric_set *set;
	struct metric_lib lib;
	struct told told;
	struct err err;

	if (!ok(load(&lib, good, &dev, &told, &err), "a good file is read %s", err.msg))
		return;
	is_int(told.count, 0, "without a problem: %s", told.msg[0]);
	is_int(lib.n_sets, 2, "two sets");
	set = metric_lib_find(&lib, "Basic", "kblgt2");
	if (ok(set, "set Basic of kblgt2")) {
		ok(set->from_xml, "it is marked as imported");
		is_str(set->label, "Test set", "label");
		test_metrics(set);
		test_directives(set);
		test_values(set, &dev);
		test_blocks(set, dev);
		test_late(&dev);
	}
	ok(metric_lib_find(&lib, "Other", "bdw") && metric_lib_find(&lib, "Other", "bdwgt3"),
		"one file serves both Broadwells");
	metric_lib_release(&lib);
	ok(load(&lib, good, NULL, &told, &err), "without a device");
	set = metric_lib_find(&lib, "Basic", "kblgt2");
	is_int(set ? set->n_metrics : 0, 10, "every counter is there");
	metric_lib_release(&lib);
}

#define SET "<set chipset='KBLGT2' symbol_name='S' name='S'>"
#define COUNTER(name, equation) "<counter symbol_name='" name "' units='events' data_type='uint64' equation='" equation "'/>"

/* What is wrong inside a set is told with its place and left out; the rest stays. */
static void test_problems(void)
{
	static const struct { const char *inside, *want; int metrics, problems; } rows[] = {
		{ COUNTER("A", "1") "<counter symbol_name='X'/>", "oa-test.xml:1:130: a counter without symbol_name or equation", 1, 1 },
		{ COUNTER("A", "1 2"), "the equation leaves 2 values", 0, 1 }, { COUNTER("A", "D 1 READ"), "unknown name 'D1'", 0, 1 },
		{ COUNTER("A", "A 99 READ"), "unknown name 'A99'", 0, 1 }, { COUNTER("A", "$Nope"), "unknown name 'Nope'", 0, 1 },
		{ COUNTER("A", ""), "the equation leaves 0 values", 0, 1 },
		{ COUNTER("A", "$A"), "'A' needs itself", 0, 1 },
		{ COUNTER("A", "$B 1 UADD") COUNTER("B", "$C") COUNTER("C", "$A") COUNTER("D", "B 0 READ"), "'A' needs itself", 1, 3 },
		{ COUNTER("A", "$B") COUNTER("B", "UADD") COUNTER("C", "3"), "'UADD' needs 2 operands", 1, 2 },
		{ COUNTER("AbC", "1") COUNTER("AbC", "2") COUNTER("ABC", "3"), "counter 'AbC' is there twice", 2, 1 },
		{ "<counter symbol_name='A' equation='1' max_equation='FOO'/>", "oa-test.xml:1:109: 'FOO'", 0, 1 },
		{ "<counter symbol_name='A'\n equation='1'\n  max_equation='$Nope'/>", "oa-test.xml:3:17: unknown name 'Nope'", 0, 1 },
		{ "<counter symbol_name='A' equation='1' availability='$What'/>", "unknown name '$What'", 1, 1 },
		{ "<register_config type='MUX'><register address='1' value='1'/></register_config>", "registers of unknown type 'MUX'", 0, 1 },
		{ "<register_config><register/></register_config>", "registers of unknown type ''", 0, 1 },
		{ "<register_config type='NOA'><register address='1'/></register_config>", "a register without a 32-bit address", 0, 1 },
		{ "<register_config type='NOA'><register address='0x1' value='0x100000000'/></register_config>", "a register without", 0, 1 },
	};
	struct device dev = small_device();

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = xasprintf("<metrics>" SET "%s</set></metrics>", rows[i].inside);
		struct metric_lib lib;
		struct told told;
		struct err err;

		ok(load(&lib, text, &dev, &told, &err) && lib.n_sets == 1,
			"row %zu: the file is read %s", i, err.msg);
		is_int(told.count, rows[i].problems, "row %zu: problems", i);
		ok(strstr(told.msg[0], rows[i].want), "row %zu: '%s' says '%s'", i, told.msg[0],
			rows[i].want);
		is_int(lib.n_sets ? lib.sets[0]->n_metrics : -1, rows[i].metrics,
			"row %zu: metrics that stay", i);
		metric_lib_release(&lib);
		free(text);
	}
}

/* Broken or hostile XML is refused with its place, and nothing of it stays. */
static void test_refused(void)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "oa-test.xml:1:1: no element found" }, { "hello", "oa-test.xml:1:1: " }, { "<metrics>\n<set", "oa-test.xml:2:1: " },
		{ "<metrics>" SET "</set></metric>", "mismatched tag" }, { "<html/>", "its first element is not <metrics>" },
		{ "<!DOCTYPE metrics [<!ENTITY a 'b'>]><metrics/>", "document type declaration" },
		{ "<metrics a='&lol;'/>", "undefined entity" }, { "<metrics>" SET "</set></metrics>x", "junk after document element" },
		{ "<a><a><a><a>", "its first element is not <metrics>" }, { "<metrics>\xff</metrics>", "not well-formed" },
		{ "<metrics><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>", "nested too deeply" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric_lib lib;
		struct told told;
		struct err err;

		ok(!load(&lib, rows[i].text, NULL, &told, &err), "row %zu is refused", i);
		ok(err.code == ERR_PARSE && strstr(err.msg, rows[i].want),
			"row %zu: '%s' says '%s'", i, err.msg, rows[i].want);
		is_int(lib.n_sets, 0, "row %zu: no set stays", i);
		metric_lib_release(&lib);
	}
}

/* 4000 counters that name each other in a chain, and 5000, which are too many. */
static void test_large(void)
{
	struct strbuf b = { 0 };
	struct metric_lib lib;
	struct told told;
	struct err err;

	strbuf_add(&b, "<metrics>" SET);
	for (int i = 0; i < 4000; i++)
		strbuf_addf(&b, "<counter symbol_name='N%d' equation='$N%d'/>", i, i + 1);
	strbuf_add(&b, "<counter symbol_name='N4000' equation='1'/></set></metrics>");
	ok(load(&lib, strbuf_str(&b), NULL, &told, &err), "a long chain of counters is read %s",
		err.msg);
	ok(told.count > 0 && strstr(told.msg[0], "nested too deeply"), "its depth has a limit: %s",
		told.msg[0]);
	metric_lib_release(&lib);
	strbuf_clear(&b);
	strbuf_add(&b, "<metrics>" SET);
	for (int i = 0; i < 5000; i++)
		strbuf_addf(&b, "<counter symbol_name='N%d' equation='1'/>", i);
	strbuf_add(&b, "</set></metrics>");
	ok(!load(&lib, strbuf_str(&b), NULL, &told, &err) && strstr(err.msg, "too many counters"),
		"too many counters: %s", err.msg);
	metric_lib_release(&lib);
	strbuf_release(&b);
}

static bool write_file(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "wb");
	bool done = f && fwrite(data, 1, len, f) == len;

	return f && fclose(f) == 0 && done;
}

static void test_path(const char *path, const char *want, const char *what)
{
	struct metric_lib lib = { 0 };
	struct told told = { 0 };
	struct err err = { 0 };
	bool read = oa_xml_load(&lib, path, note, &told, &err);

	if (want)
		ok(!read && strstr(err.msg, want), "%s: %s", what, err.msg);
	else
		ok(read && lib.n_sets == 2, "%s is read %s", what, err.msg);
	metric_lib_release(&lib);
}

static void test_files(void)
{
	char folder[] = "/tmp/oa_xml.XXXXXX", path[64];
	uint8_t packed[8192];
	size_t len;
	gzFile f;
	FILE *in;

	if (!ok(mkdtemp(folder), "a folder for files"))
		return;
	snprintf(path, sizeof(path), "%s/a", folder);
	ok(write_file(path, good, sizeof(good) - 1), "plain file");
	test_path(path, NULL, "a plain file");
	f = gzopen(path, "wb");
	ok(f && gzwrite(f, good, sizeof(good) - 1) == (int)sizeof(good) - 1 && gzclose(f) == Z_OK,
		"packed file");
	test_path(path, NULL, "a packed file");
	in = fopen(path, "rb");
	len = in ? fread(packed, 1, sizeof(packed), in) : 0;
	if (in)
		fclose(in);
	ok(len > 100 && write_file(path, packed, len - 20), "cut file");
	test_path(path, "compressed data", "a packed file that is cut");
	packed[len / 2] ^= 0xff;
	ok(write_file(path, packed, len), "damaged file");
	test_path(path, "", "a packed file that is damaged");
	ok(write_file(path, "", 0), "empty file");
	test_path(path, "a:1:1: no element found", "an empty file");
	test_path(folder, "cannot read", "a folder");
	unlink(path);
	test_path(path, "cannot open", "a file that is not there");
	rmdir(folder);
}

/* The files at hand are of October 2025 and stem from Intel's update of the second quarter. */
static bool is_before_corrections(const char *file)
{
	return strstr(file, "-lnl") || strstr(file, "-bmg") || strstr(file, "-ptl");
}

static bool only_old(const struct told *told)
{
	for (int i = 0; i < told->count && i < MAX_TOLD; i++)
		if (!strstr(told->msg[i], "from before Intel's correction of 2025-"))
			return false;
	return true;
}

/* A file says once what it lacks, and nothing when it has it or is for another platform. */
static void test_corrections(void)
{
#define ALU2(equation) "<counter symbol_name='XVE_INST_EXECUTED_ALU2_ALL_UTILIZATION' equation='" equation "'/>"
	static const struct { const char *text; int problems; } rows[] = {
		{ "<metrics><set chipset='LNL' symbol_name='S'>" ALU2("A 7 READ 100 UMUL") "</set><set chipset='LNL' symbol_name='T'>"
		  ALU2("A 7 READ") "</set></metrics>", 1 },
		{ "<metrics><set chipset='BMG' symbol_name='S'>" ALU2("A 7 READ 2 UMUL") "</set></metrics>", 0 },
		{ "<metrics><set chipset='MTLGT3' symbol_name='S'>" ALU2("A 7 READ") "</set></metrics>", 0 },
		{ "<metrics><set chipset='L' symbol_name='S'>" ALU2("A 7 READ") "</set></metrics>", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric_lib lib;
		struct told told;
		struct err err;

		ok(load(&lib, rows[i].text, NULL, &told, &err), "row %zu is read %s", i, err.msg);
		is_int(told.count, rows[i].problems, "row %zu: %s", i, told.msg[0]);
		metric_lib_release(&lib);
	}
}

/* Intel's files as they are published: nothing in them may be a problem, and nothing may be
 * lost. */
static void test_intel(void)
{
	static struct oracle_files files;
	int sets = 0, counters = 0;

	if (!oracle_list(&files, "xml", ".xml.gz"))
		return;
	for (int i = 0; i < files.n; i++) {
		struct metric_lib lib = { 0 };
		struct told told = { 0 };
		struct err err = { 0 };
		char path[4096];

		if (!in_share_of(4))
			continue;
		snprintf(path, sizeof(path), "%s/%s.xml.gz", files.folder, files.names[i]);
		ok(oa_xml_load(&lib, path, note, &told, &err) && only_old(&told),
			"%s is read %s%s", files.names[i], err.msg, told.msg[0]);
		is_int(told.count, is_before_corrections(files.names[i]) ? 2 : 0,
			"%s: corrections that it lacks", files.names[i]);
		sets += lib.n_sets;
		for (int s = 0; s < lib.n_sets; s++)
			counters += lib.sets[s]->n_metrics;
		metric_lib_release(&lib);
	}
	diag("%d files: %d sets, %d counters", files.n, sets, counters);
	ok(sets >= files.n && sets > 0 && counters > 10 * sets, "they are full of counters");
}

int main(void)
{
	test_snake_case();
	test_good();
	test_problems();
	test_refused();
	test_large();
	test_files();
	test_corrections();
	test_intel();
	return done_testing();
}
