/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of free blocks of B0 to B7: the register words, and everything that is refused. */
#include "config.h"

#include "backends/intel/oa/oa_ask.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "tests/oracle.h"
#include "tests/tap.h"

#define MAX_QUESTIONS 8

/* Blocks 0 and 1 look at lanes 7 and 8, and 11 and 12; B4 and C1 count lanes by themselves. */
static const char file_text[] = "counter GPU_TICKS cycle\n"
				"counter B0 1\ncounter B1 1\ncounter B4 1\ncounter C1 1\n"
				"set s \"S\"\nplatforms %s\n"
				"registers NOA 9888 11810000\n"
				"%s"
				"metric first\nunit %%\nvalue B0 * 1[cycle] / GPU_TICKS\n"
				"metric second\nunit %%\nvalue B1 * 1[cycle] / GPU_TICKS\n"
				"metric plain\nunit 1\nvalue B4\n"
				"metric other\nunit 1\nvalue C1\n"
				"metric both\nunit 1\nvalue B0 + B1\n";
static const char regs_gen8[] = "registers OA 2710 0\nregisters OA 2714 30800000\n"
				"registers OA 2724 00800000\n"
				"registers OA 2770 1\nregisters OA 2774 0000FE7F\n"
				"registers OA 2778 1\nregisters OA 277C 0000E7FF\n";
static const char regs_gen12[] = "registers OA D904 30800000\nregisters OA D914 00800000\n"
				 "registers OA DC40 00030000\n"
				 "registers OA D940 1\nregisters OA D944 0000FE7F\n"
				 "registers OA D948 1\nregisters OA D94C 0000E7FF\n";

static void no_problem(void *ctx, const struct err *err)
{
	*(int *)ctx += 1;
	diag("%s", err->msg);
}

struct asked {
	struct metric_lib lib;
	struct metric_set *set;
	struct device d;
	struct oa_profile p;
	struct err err;
	bool good;
};

/* "report 5:L1" and "start 5:L1" are about triggers, all else about blocks. */
static struct metric_wish wish_of(const char *words)
{
	if (!strncmp(words, "report ", 7))
		return (struct metric_wish){ OA_REPORT_OPTION, words };
	if (!strncmp(words, "start ", 6))
		return (struct metric_wish){ OA_START_OPTION, words };
	return (struct metric_wish){ OA_ASK_OPTION, words };
}

/* questions: as words of directives, with semicolons between them. */
static void ask(struct asked *a, const char *platform, const char *regs, const char *questions)
{
	char text[4096], list[512], *at = NULL;
	struct metric_wish wishes[MAX_QUESTIONS];
	int n = 0, problems = 0;

	memset(a, 0, sizeof(*a));
	snprintf(text, sizeof(text), file_text, platform, regs);
	metric_lib_load(&a->lib, "t.metrics", text, NULL, NULL, no_problem, &problems);
	is_int(problems, 0, "the file of the test is good");
	a->set = a->lib.sets[0];
	snprintf(a->d.platform, sizeof(a->d.platform), "%s", platform);
	snprintf(list, sizeof(list), "%s", questions);
	for (char *w = strtok_r(list, ";", &at); w && n < MAX_QUESTIONS;
		w = strtok_r(NULL, ";", &at))
		wishes[n++] = wish_of(w);
	a->good = oa_ask_add(a->set, &a->d, wishes, n, NULL, &a->err);
	if (a->good)
		ok(oa_profile_build(&a->p, a->set, &a->d, NULL, NULL), "%s: a programming",
			questions);
}

static void let_go(struct asked *a)
{
	oa_profile_release(&a->p);
	metric_lib_release(&a->lib);
}

static uint32_t reg(const struct oa_profile *p, uint32_t address)
{
	for (size_t i = p->n_regs; i > 0; i--)
		if (p->regs[i - 1].address == address)
			return p->regs[i - 1].value;
	return 0xdead;
}

/* Words by hand from the layout (i915_perf_oa_regs.h): comparison 2:0, value 18:3, input
 * 20:19; mask of the second word 15:0. */
static void test_words(void)
{
	static const struct {
		const char *question;
		uint32_t first, second;
	} rows[] = {
		{ "B6 any(B0,B1)", 0x100000 | 3 << 3, 0xfffc },
		{ "B6 any(B0, B1)", 0x100000 | 3 << 3, 0xfffc },
		{ "B6 all(B0,B1)", 0x100002 | 3 << 3, 0xfffc },
		{ "B6 all(B0,!B1)", 0x100002 | 1 << 3, 0xfffc },
		{ "B6 !any(B0,B1)", 0x100002, 0xfffc },
		{ "B6 not any(B0,!B1)", 0x100002 | 2 << 3, 0xfffc },
		{ "B6 !all(B0,B1)", 0x100000, 0xfffc },
		{ "B6 B1", 0x100002 | 2 << 3, 0xfffd },
		{ "B6 !B1", 0x100002, 0xfffd },
		{ "B6 !!B1", 0x100002 | 2 << 3, 0xfffd },
		{ "B6 all(first,!second)", 0x100002 | 1 << 3, 0xfffc },
		{ "B6 at_least(1,B0,B1)", 0x100000 | 3 << 3, 0xfffc },
		{ "B6 at_least(2,B0,B1)", 0x100002 | 3 << 3, 0xfffc },
		{ "B6 any(L0,L15)", 0x8001 << 3, 0x7ffe },
		{ "B6 all(plain,other)", 2 | (1 << 4 | 1 << 9) << 3, 0xfdef },
		{ "B6 number(L2,L5,L9) >= 5", 3 | (1 << 2 | 1 << 9) << 3, 0xfddb },
		{ "B6 number(L2,L5,L9) < 2", 4 | 1 << 5 << 3, 0xfddb },
		{ "B6 number(L2,L5) != 3", 5 | (1 << 2 | 1 << 5) << 3, 0xffdb },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct asked a;

		ask(&a, "kblgt2", regs_gen8, rows[i].question);
		ok(a.good && reg(&a.p, 0x27a0) == rows[i].first &&
				reg(&a.p, 0x27a4) == rows[i].second,
			"%s is %#x %#x (%#x %#x) %s", rows[i].question, rows[i].first,
			rows[i].second, reg(&a.p, 0x27a0), reg(&a.p, 0x27a4), a.err.msg);
		let_go(&a);
	}
}

/* Next to the words the counter has to be told to count its block, as in all of Intel's sets. */
static void test_registers(void)
{
	static const struct {
		const char *platform;
		bool is_gen12, has_copy;
	} rows[] = { { "bdw", false, false }, { "chv", false, false }, { "kblgt2", false, false },
		{ "icl", false, false }, { "tglgt2", true, true }, { "adl", true, true },
		{ "acmgt1", true, false }, { "mtlgt2", true, false } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint32_t words = 0x2770, start = 0x2710;
		struct asked a;

		if (rows[i].is_gen12) {
			words = 0xd940;
			start = 0xd900;
		}
		ask(&a, rows[i].platform, rows[i].is_gen12 ? regs_gen12 : regs_gen8,
			"B2 any(B0,B1);B7 all(B0,B2)");
		ok(a.good, "%s %s", rows[i].platform, a.err.msg);
		is_int(reg(&a.p, words + 0x10), 0x100000 | 3 << 3, "first word of B2");
		is_int(reg(&a.p, words + 0x3c), 0xfffa, "second word of B7");
		is_int(reg(&a.p, start + 4), 0x70800000,
			"B2 counts its block, B0 and B1 as before");
		is_int(reg(&a.p, start + 0x14), 0x80800000, "and B7");
		is_int(reg(&a.p, 0xdc10), rows[i].has_copy ? 0x100000 | 3 << 3 : 0xdead,
			"a copy on Gen12.0 alone");
		is_int(reg(&a.p, 0xdc3c), rows[i].has_copy ? 0xfffa : 0xdead, "... of both words");
		if (rows[i].has_copy)
			is_int(reg(&a.p, 0xdc40), 0x870000, "... and its bits");
		is_int(a.p.asked, 0x84, "both are asked");
		let_go(&a);
	}
}

static void test_refusals(void)
{
	static const struct {
		const char *platform, *question, *want;
	} rows[] = {
		{ "kblgt2", "B0 any(B1)",
			"set s uses B0: first reads it (lanes 7, 8: any is high)" },
		{ "kblgt2", "B4 any(B1)", "set s uses B4: plain reads it (lane 4)" },
		{ "kblgt2", "B6 any(L16)", "there is no lane L16" },
		{ "kblgt2", "B6 any(B0,L3)", "a block compares either" },
		{ "kblgt2", "B6 any(B0,first)", "there twice" },
		{ "kblgt2", "B6 any(B5)", "nothing is known of B5 in set s" },
		{ "kblgt2", "B6 any(both)", "'both' is not one signal" },
		{ "kblgt2", "B6 any(nobody)", "'nobody' is no signal of set s" },
		{ "kblgt2", "B6 at_least(2,B0,B1,first)", "there twice" },
		{ "kblgt2", "B6 at_least(2,L0,L1,L2)", "a block cannot count signals" },
		{ "kblgt2", "B6 at_least(0,L0,L1,L2)", "at_least begins with" },
		{ "kblgt2", "B6 number(L1,L0) > 0", "lowest bit first" },
		{ "kblgt2", "B6 number(L0,!L1) > 0", "lowest bit first" },
		{ "kblgt2", "B6 number(L0,L1) > 4", "make numbers from 0 to 3" },
		{ "kblgt2", "B6 number(L0,L1)", "is missing before" },
		{ "kblgt2", "B6 !number(L0,L1) > 1", "opposite in its comparison" },
		{ "kblgt2", "B6 most(B0)", "any, all, at_least or number expected" },
		{ "kblgt2", "B6 any(B0) B1", "unexpected 'B1'" },
		{ "kblgt2", "B6 any()", "a signal is missing" },
		{ "kblgt2", "B6 !B6", "B6 looks at its own output" },
		{ "kblgt2", "B6 any(B6,B0)", "B6 looks at its own output" },
		{ "kblgt2", "B6 all(B6,B0)", "B6 looks at its own output" },
		{ "kblgt2", "B5 any(B6);B6 !any(B5,B0)", "B5 looks at its own output" },
		{ "kblgt2", "B5 any(B6,B0);B6 any(B5,B1)", "B5 looks at its own output" },
		{ "kblgt2", "B2 B3;B3 any(B5,B1);B5 B6;B6 all(B3,B0)", "B3 looks at its own output" },
		{ "kblgt2", "B6 any(B0);B6 all(B0)", "the block is asked twice" },
		{ "lnl", "B6 any(B0)", "Xe2 and later do not have" },
		{ "hsw", "B6 any(B0)", "reports of Haswell" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct asked a;

		ask(&a, rows[i].platform, regs_gen8, rows[i].question);
		ok(!a.good && strstr(a.err.msg, rows[i].want), "%s on %s: %s", rows[i].question,
			rows[i].platform, a.err.msg);
		ok(!metric_set_directive(a.set, "program", &(int){ 0 }), "the set is as it was");
		let_go(&a);
	}
}

/* Chains are no loops. */
static void test_chains(void)
{
	struct asked a;

	ask(&a, "kblgt2", regs_gen8, "B2 B3;B3 any(B5,B1);B5 B6;B6 all(B0,B1);B7 any(B2,B3,B5,B6)");
	ok(a.good, "blocks that look at others in a row: %s", a.err.msg);
	let_go(&a);
}

/* Words of the triggers by hand: threshold 15:0; inputs inverted 15:0, output inverted 22, threshold 23, report 31;
 * lanes four bits each, the second half like the first one. */
static void test_triggers(void)
{
	static const struct {
		const char *platform, *wish;
		uint32_t at, words[4];
	} rows[] = {
		{ "kblgt2", "report 1000:L3", 0x2740, { 1000, 0x80800000, 0x33333333, 0x33333333 } },
		{ "kblgt2", "report 65535:!L3", 0x2740, { 0xffff, 0x8080ffff, 0x33333333, 0x33333333 } },
		{ "kblgt2", "report 1:all(L3,!L10)", 0x2740, { 1, 0x8080aaaa, 0xa3a3a3a3, 0xa3a3a3a3 } },
		{ "kblgt2", "report 1:any(L0,L1)", 0x2740, { 1, 0x80c0ffff, 0x10101010, 0x10101010 } },
		{ "kblgt2", "report 1:!all(L0,L1)", 0x2740, { 1, 0x80c00000, 0x10101010, 0x10101010 } },
		{ "kblgt2", "report 7:other", 0x2740, { 7, 0x80800000, 0x99999999, 0x99999999 } },
		{ "kblgt2", "report 5:L1;report 6:L2", 0x2750, { 6, 0x80800000, 0x22222222, 0x22222222 } },
		{ "kblgt2", "start 9:L4", 0x2710, { 9, 0x30800000, 0x44444444, 0x44444444 } },
		{ "kblgt2", "start 9:L4", 0x2720, { 9, 0x00800000, 0x44444444, 0x44444444 } },
		{ "kblgt2", "B6 any(B0,B1);start 9:L4", 0x2720, { 9, 0x40800000, 0x44444444, 0x44444444 } },
		{ "tglgt2", "report 1000:L3", 0xd920, { 1000, 0x80800000, 0x33333333, 0x33333333 } },
		{ "mtlgt2", "start 9:L4", 0xd900, { 9, 0x30800000, 0x44444444, 0x44444444 } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct asked a;

		ask(&a, rows[i].platform, rows[i].at >= 0xd900 ? regs_gen12 : regs_gen8, rows[i].wish);
		ok(a.good, "%s on %s: %s", rows[i].wish, rows[i].platform, a.err.msg);
		for (uint32_t k = 0; k < 4; k++)
			is_int(reg(&a.p, rows[i].at + 4 * k), rows[i].words[k], "  ... %#x", rows[i].at + 4 * k);
		let_go(&a);
	}
}

static void test_refused_triggers(void)
{
	static const char used[] = "registers OA 2744 6667\nregisters OA 2748 86543210\n"
				   "registers OA 2710 0\nregisters OA 2714 00800000\nregisters OA 271C FFFFFFFF\n";
	static const struct {
		const char *platform, *regs, *wish, *want;
	} rows[] = {
		{ "kblgt2", regs_gen8, "report 5:B0", "looks at lanes, and not at outputs" },
		{ "kblgt2", regs_gen8, "report 5:first", "looks at lanes, and not at outputs" },
		{ "kblgt2", regs_gen8, "report 5:nobody", "'nobody' is no signal of set s" },
		{ "kblgt2", regs_gen8, "report 5:L16", "there is no lane L16" },
		{ "kblgt2", regs_gen8, "report 5:number(L1,L2) > 1", "a trigger has no comparison" },
		{ "kblgt2", regs_gen8, "report 5:any(L0,L1,L2,L3,L4,L5,L6,L7,L8)", "joins at most 8" },
		{ "kblgt2", regs_gen8, "report 0:L1", "a number of clocks from 1" },
		{ "kblgt2", regs_gen8, "report 65536:L1", "a number of clocks from 1" },
		{ "kblgt2", regs_gen8, "report 1:L1;report 1:L1;report 1:L1", "has two report triggers" },
		{ "kblgt2", regs_gen8, "start 1:L1;start 1:L2", "counting begins once" },
		{ "kblgt2", used, "report 1:L1", "set s uses trigger 1" },
		{ "kblgt2", used, "start 1:L1", "set s uses trigger 1" },
		{ "lnl", regs_gen8, "report 1:L1", "nothing is published of those of Xe2" },
		{ "hsw", regs_gen8, "report 1:L1", "reports of Haswell do not say why" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct asked a;

		ask(&a, rows[i].platform, rows[i].regs, rows[i].wish);
		ok(!a.good && strstr(a.err.msg, rows[i].want), "%s on %s: %s", rows[i].wish,
			rows[i].platform, a.err.msg);
		let_go(&a);
	}
}

static void test_metrics(void)
{
	struct asked a;
	int m, input = 0;

	ask(&a, "kblgt2", regs_gen8, "B6 all(first, !B1);B7 number(L2,L3)>=2;B5 any(plain,other)");
	oa_ask_describe(a.set, &a.d, NULL);
	m = metric_set_index(a.set, "b6_all_first_not_b1");
	if (ok(m >= 0, "a metric appears")) {
		is_str(a.set->metrics[m].label, "all(first,!B1)", "with the words as its label");
		ok(!(a.set->metrics[m].flags & METRIC_ESTIMATED),
			"outputs are what the header says");
	}
	ok(metric_set_index(a.set, "b7_number_l2_l3_ge_2") >= 0, "a comparison is in the name");
	m = metric_set_index(a.set, "b5_any_plain_other");
	ok(m >= 0 && a.set->metrics[m].flags & METRIC_ESTIMATED,
		"which lane a counter counts is inferred, and what looks at it as well");
	m = a.set->n_metrics;
	oa_ask_describe(a.set, &a.d, NULL);
	is_int(a.set->n_metrics, m, "asked again, nothing is added");
	while (strcmp(a.set->inputs[input].name, "B6") != 0)
		input++;
	is_str(a.set->inputs[input].text,
		"clocks; outputs of blocks 0, !1: all are so\n    B0: lanes 7, 8: any is high "
		"(first)\n"
		"    B1: lanes 11, 12: any is high (second)",
		"a counter says what its block looks at");
	let_go(&a);
	ask(&a, "kblgt2", regs_gen8, "B6 any(B0,\n\tB1)");
	oa_ask_describe(a.set, &a.d, NULL);
	m = metric_set_index(a.set, "b6_any_b0_b1");
	is_str(m >= 0 ? a.set->metrics[m].label : "", "any(B0,B1)", "a line may go on in a file");
	let_go(&a);
}

/* The option is checked before there is a device. */
static void test_option(void)
{
	static const char *const bad[] = { "", "B6", "B6=", "B8=B0", "b6=B0", "B6=B0\nB1", "B6=B0\n", "A7=B0",
		"B6=any(B0,\tB1)" };
	struct err err = { 0 };
	char words[16];

	ok(oa_ask_option("B6=any(B0, x)", words, sizeof(words), &err), "good: %s", words);
	is_str(words, "B6 any(B0, x)", "it becomes the words of a directive");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ok(!oa_ask_option(bad[i], words, sizeof(words), &err), "bad '%s': %s", bad[i], err.msg);
	ok(!oa_ask_option("B6=any(B0,B1,B2)", words, sizeof(words), &err), "too long: %s", err.msg);
}

struct refusals {
	int sets, asked, bad;
};

/* In each of Intel's sets every free block can be asked for any of two that the set programs. */
static void ask_set(struct refusals *r, struct metric_set *set, const struct device *d)
{
	const struct intel_platform *platform = intel_platform_by_name(d->platform);
	struct oa_profile p;
	struct err err = { 0 };

	if (!platform || platform->graphics_verx10 < 80 || platform->graphics_ver > 12 ||
		!oa_profile_build(&p, set, d, NULL, NULL))
		return;
	const struct oa_blocks b = oa_blocks_of(&p, platform->graphics_ver);
	oa_profile_release(&p);
	if (!b.booleans.programmed)
		return;
	r->sets++;
	for (int n = 0; n < OA_BOOLEANS; n++) {
		char counter[] = { 'B', (char)('0' + n), '\0' }, words[64];
		struct metric_wish wish = { OA_ASK_OPTION, words };
		bool is_read = false;

		for (int i = 0; i < set->n_inputs; i++)
			is_read |= !strcmp(set->inputs[i].name, counter);
		if (is_read || b.booleans.programmed >> n & 1)
			continue;
		snprintf(words, sizeof(words), "%s any(B%d)", counter,
			__builtin_ctz(b.booleans.programmed));
		r->asked++;
		if (!oa_ask_add(set, d, &wish, 1, NULL, &err)) {
			r->bad++;
			diag("%s %s: %s", d->platform, set->name, err.msg);
		}
	}
}

static void test_intels_sets(void)
{
	struct oracle_files f;
	struct refusals r = { 0 };

	if (!oracle_list(&f, "xml", ".xml.gz"))
		return;
	for (int i = 0; i < f.n; i++) {
		struct metric_lib lib = { 0 };
		struct device d = { .pci_revision = 0 };
		char path[4096];
		int problems = 0;

		if (!in_share_of(4))
			continue;
		snprintf(path, sizeof(path), "%s/%s.xml.gz", f.folder, f.names[i]);
		oa_xml_load(&lib, path, no_problem, &problems, NULL);
		snprintf(d.platform, sizeof(d.platform), "%s", f.names[i] + strlen("oa-"));
		d.topology.slice_mask = 1;
		d.topology.subslice_mask = 0xff;
		for (int k = 0; k < lib.n_sets; k++)
			ask_set(&r, lib.sets[k], &d);
		metric_lib_release(&lib);
	}
	ok(r.asked > 100 / tap_share() && r.bad == 0, "%d free blocks of %d sets of Intel can be asked", r.asked,
		r.sets);
}

int main(void)
{
	test_words();
	test_registers();
	test_refusals();
	test_chains();
	test_triggers();
	test_refused_triggers();
	test_metrics();
	test_option();
	test_intels_sets();
	return done_testing();
}
