/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks behind B0 to B7: the words of Intel's sets, and what they do clock by clock. */
#include "config.h"

#include "backends/intel/oa/oa_boolean.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/oracle.h"
#include "tests/tap.h"

#define BASE 0x2770
#define XML_MAX (32 << 20)

/* The words of TestOa (oa-kblgt2.xml) and the shares that the sanity check of igt-gpu-tools expects
 * (tests/intel/perf.c). */
static const uint32_t test_words[OA_BOOLEANS][2] = { { 0x4, 0x0 }, { 0x3, 0xffff }, { 0x3, 0x0 },
	{ 0x100002, 0xfff7 }, { 0x100002, 0xffcf }, { 0x100082, 0xffef }, { 0x1000c2, 0xffe7 },
	{ 0x100001, 0xffe7 } };
static const struct oa_share test_shares[OA_BOOLEANS] = { { 0, 1 }, { 1, 1 }, { 1, 1 }, { 1, 2 },
	{ 1, 3 }, { 1, 3 }, { 1, 6 }, { 2, 3 } };

static struct oa_booleans made_of(const uint32_t (*words)[2], int n)
{
	struct oa_reg regs[2 * OA_BOOLEANS];

	for (int i = 0; i < 2 * n; i++)
		regs[i] = (struct oa_reg){ .kind = OA_REG_OA, .address = BASE + 4 * (uint32_t)i,
			.value = words[i / 2][i % 2] };
	return oa_booleans_of(regs, 2 * (size_t)n, 9);
}

static void test_testoa(void)
{
	struct oa_booleans b = made_of(test_words, OA_BOOLEANS);
	struct oa_share shares[OA_BOOLEANS];

	is_int(oa_booleans_of_clock(&b), 0xff, "all blocks of TestOa follow from the clock");
	oa_booleans_shares(&b, shares);
	for (int i = 0; i < OA_BOOLEANS; i++)
		ok(shares[i].num * test_shares[i].den == test_shares[i].num * shares[i].den,
			"B%d is high in %d of %d clocks (%d/%d)", i, test_shares[i].num,
			test_shares[i].den, shares[i].num, shares[i].den);
}

/* A block that looks at lanes, or at a block that does, is not known from the clock. */
static void test_what_is_known(void)
{
	static const uint32_t words[][2] = {
		{ 0x3, 0x0 },			/* always */
		{ 0x1, 0xfe7f },		/* lanes 7, 8: any is high */
		{ 0x100001, 0xfffe },		/* block 0 is high */
		{ 0x100001, 0xfffc },		/* blocks 0, 1: any is high */
		{ 0x100002, 0xfff7 },		/* its own inverse, of block 3 */
		{ 0x200003, 0x0 },		/* negated */
	};
	struct oa_booleans b = made_of(words, (int)ARRAY_LEN(words));

	is_int(b.programmed, 0x3f, "six blocks are programmed");
	is_int(oa_booleans_of_clock(&b), 1 << 0 | 1 << 2,
		"only what looks at the clock alone is known");
	is_int(oa_booleans_step(&b, 0, 1 << 8), 1 << 0 | 1 << 1 | 1 << 4 | 1 << 5,
		"a lane makes its block high at once, and those behind it a clock later");
	is_int(oa_booleans_step(&b, 0x33, 0) & 0xc, 0xc, "... as here");
}

static void test_words_of_people(void)
{
	static const struct { uint32_t words[2]; const char *want; } rows[] = {
		{ { 0x1, 0xfe7f }, "lanes 7, 8: any is high" },
		{ { 0x8002, 0xefff }, "lane 12 is high" },
		{ { 0x2, 0xefff }, "lane 12 is low" },
		{ { 0x3, 0x0 }, "always" },
		{ { 0x4, 0xffff }, "never" },
		{ { 0x100002, 0xfffd }, "output of block 1 is low" },
		{ { 0x100012, 0xfffd }, "output of block 1 is high" },
		{ { 0x100001, 0xfff1 }, "outputs of blocks 1, 2, 3: any is high" },
		{ { 0x11, 0xfffc }, "lanes 0, 1: > 0x2" },
		{ { 0x80001, 0xfffe }, "signals that are not documented 0: any is high" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct oa_boolean b = oa_boolean_decode(rows[i].words[0], rows[i].words[1]);
		struct strbuf text = { 0 };

		oa_boolean_text(&b, &text);
		is_str(strbuf_str(&text), rows[i].want, "%#x %#x", rows[i].words[0],
			rows[i].words[1]);
		strbuf_release(&text);
	}
}

static uint32_t random_bits(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

/* A block that is high when any of some blocks is: it is high at least as often as the busiest of
 * them, and at most as often as all together. Its output is one clock later. */
static bool joins_well(const struct oa_booleans *b, int joint, uint16_t parts)
{
	uint32_t count[OA_BOOLEANS] = { 0 }, clocks = 20000, state = 1, most = 0, sum = 0;
	uint8_t outputs = 0;

	for (uint32_t t = 0; t < clocks; t++) {
		outputs = oa_booleans_step(b, outputs, (uint16_t)random_bits(&state));
		for (int i = 0; i < OA_BOOLEANS; i++)
			count[i] += outputs >> i & 1;
	}
	for (int i = 0; i < OA_BOOLEANS; i++) {
		if (!(parts >> i & 1))
			continue;
		sum += count[i];
		if (count[i] > most)
			most = count[i];
	}
	return count[joint] + 1 >= most && count[joint] <= sum + 1 && most > 0 && most < clocks;
}

struct tally {
	int pairs, bad, plain, joints, bad_joints;
};

static void judge_set(struct tally *t, uint32_t (*words)[2], const bool *has)
{
	struct oa_booleans b = made_of((const uint32_t (*)[2])words, OA_BOOLEANS);

	for (int i = 0; i < OA_BOOLEANS; i++) {
		const struct oa_boolean *block = &b.block[i];
		uint16_t kept = (uint16_t)~block->ignored;
		uint32_t first, second;

		if (!has[i])
			continue;
		t->pairs++;
		oa_boolean_encode(block, &first, &second);
		t->bad += first != words[i][0] || second != words[i][1];
		t->plain += !block->negated && !block->considered &&
			((block->value & ~kept) == 0 ||
				(block->value & ~kept & UINT16_MAX) == (uint16_t)~kept);
		/* any of some other blocks, each of which looks at lanes */
		if (block->input != OA_INPUT_OUTPUTS || block->compare != OA_ANY_EQUAL ||
			(block->value & kept) != kept || kept >> i & 1)
			continue;
		bool lanes = true;
		for (int k = 0; k < OA_BOOLEANS; k++)
			lanes = lanes &&
				(!(kept >> k & 1) ||
					(has[k] && b.block[k].input == OA_INPUT_LANES &&
						!(oa_booleans_of_clock(&b) >> k & 1)));
		if (!lanes)
			continue;
		t->joints++;
		t->bad_joints += !joins_well(&b, i, kept);
	}
}

/* Reads the registers of all sets; the words of a set stand between its tags. */
static void judge_file(struct tally *t, char *xml, bool is_gen12)
{
	uint32_t base = is_gen12 ? 0xd940 : BASE;

	for (char *set = oracle_find(xml, "<set "); set; set = oracle_find(set + 1, "<set ")) {
		uint32_t words[OA_BOOLEANS][2] = { { 0 } };
		int seen[OA_BOOLEANS] = { 0 };
		bool has[OA_BOOLEANS];
		char *end = oracle_find(set, "</set>");

		for (char *p = oracle_find(set, "<register "); p && (!end || p < end);
			p = oracle_find(p + 1, "<register ")) {
			const char *address = oracle_find(p, "address=\""), *value = oracle_find(p, "value=\"");
			uint32_t word = 2 * OA_BOOLEANS;

			if (address && value)
				word = ((uint32_t)strtoul(address + 9, NULL, 0) - base) / 4;
			if (word >= 2 * OA_BOOLEANS)
				continue;
			words[word / 2][word % 2] = (uint32_t)strtoul(value + 7, NULL, 0);
			seen[word / 2] |= 1 << word % 2;
		}
		for (int i = 0; i < OA_BOOLEANS; i++)
			has[i] = seen[i] == 3;
		judge_set(t, words, has);
	}
}

static void test_intels_sets(void)
{
	struct oracle_files f;
	struct tally t = { 0 };
	char *xml;

	if (!oracle_list(&f, "xml", ".xml.gz"))
		return;
	xml = xmalloc(XML_MAX + 1);
	for (int i = 0; i < f.n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s.xml.gz", f.folder, f.names[i]);
		gzFile in = gzopen(path, "rb");
		int len = in ? gzread(in, xml, XML_MAX) : -1;
		if (in)
			gzclose(in);
		if (len <= 0)
			continue;
		xml[len] = '\0';
		judge_file(&t, xml, false);
		judge_file(&t, xml, true);
	}
	free(xml);
	ok(t.pairs > 0 && t.bad == 0, "%d pairs of words decode and encode to the same bits", t.pairs);
	ok(t.plain > t.pairs * 9 / 10,
		"%d of them have values under the mask that nobody cares for", t.plain);
	ok(t.joints > 0 && t.bad_joints == 0,
		"%d blocks join others: at least as often as the busiest, at most as all together",
		t.joints);
}

int main(void)
{
	test_testoa();
	test_what_is_known();
	test_words_of_people();
	test_intels_sets();
	return done_testing();
}
