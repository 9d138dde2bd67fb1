/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns what a set asks of free blocks into the registers that make the blocks answer it. */
#include "config.h"

#include "backends/intel/oa/oa_ask.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/platform/platform.h"
#include "base/mem.h"

#define RUN_FREELY                                                                                 \
	0x00800000u /* start trigger 2 and 6: threshold 0, so that counting begins at once */
#define BY_BLOCK_SHIFT 28

/* Where the registers are. All published sets that program a block set its bit in start trigger 2 or 6
 * as well, and on Gen12.0 and Ponte Vecchio write a second copy of its words and a bit of SPCTR_CNF
 * (igt-gpu-tools, oa-*.xml). Haswell has the blocks, but its reports do not count clocks. */
static const struct block_registers {
	int first_verx10, last_verx10;
	uint32_t words, start, report, copy, copy_on;
} block_registers[] = {
	{ 80, 119, 0x2770, 0x2710, 0x2740, 0, 0 },
	{ 120, 120, 0xd940, 0xd900, 0xd920, 0xdc00, 0xdc40 },
	{ 125, 125, 0xd940, 0xd900, 0xd920, 0, 0 },
	{ 126, 126, 0xd940, 0xd900, 0xd920, 0xdc00, 0xdc40 },
	{ 127, 127, 0xd940, 0xd900, 0xd920, 0, 0 },
};

struct oa_blocks oa_blocks_of(const struct oa_profile *p, int graphics_ver)
{
	uint32_t start = graphics_ver >= 12 ? 0xd900 : 0x2710;
	struct oa_blocks b = { .booleans = oa_booleans_of(p->regs, p->n_regs, graphics_ver) };

	for (size_t i = 0; i < p->n_regs; i++) {
		const struct oa_reg *r = &p->regs[i];

		b.has_lanes |= r->kind == OA_REG_NOA;
		if (r->kind == OA_REG_OA && r->address == start + 0x4)
			b.by_block = (uint8_t)((b.by_block & 0xf0) | r->value >> BY_BLOCK_SHIFT);
		if (r->kind == OA_REG_OA && r->address == start + 0x14)
			b.by_block = (uint8_t)((b.by_block & 0x0f) |
				r->value >> BY_BLOCK_SHIFT << 4);
	}
	return b;
}

bool oa_ask_is(const struct set_directive *d)
{
	return d->args[0] == 'B' && d->args[1] >= '0' && d->args[1] < '0' + OA_BOOLEANS &&
		(d->args[2] == ' ' || d->args[2] == '\t');
}

static bool is_question(const struct set_directive *d)
{
	return !strcmp(d->key, "program") && oa_ask_is(d);
}

/* --- free blocks --- */

static void hint_free(const struct metric_set *set, const struct oa_blocks *b, struct err *err)
{
	char list[4 * OA_BOOLEANS + 1] = "";

	for (int n = 0; n < OA_BOOLEANS; n++) {
		const char counter[] = { 'B', (char)('0' + n), '\0' };
		size_t len = strlen(list);

		if (!(b->booleans.programmed >> n & 1) && !oa_ask_reader(set, counter, NULL))
			snprintf(list + len, sizeof(list) - len, len ? ", B%d" : "B%d", n);
	}
	if (*list)
		err_hint(err, "free in this set: %s", list);
	else
		err_hint(err, "this set uses all eight; -m chooses another one");
}

/* A counter that the same file reads is the question's own. */
static bool check_free(const struct metric_set *set, const struct oa_blocks *b, int n,
	const char *file, struct err *err)
{
	const char counter[] = { 'B', (char)('0' + n), '\0' };
	const struct metric *reader = oa_ask_reader(set, counter, file);
	bool programmed = b->booleans.programmed >> n & 1;
	struct strbuf what = { 0 };

	if (!programmed && !reader)
		return true;
	if (programmed)
		oa_boolean_text(&b->booleans.block[n], &what);
	else
		strbuf_addf(&what, "lane %d", n);
	if (reader)
		err_set(err, ERR_USAGE, "set %s uses %s: %s reads it (%s)", set->name, counter,
			reader->name, strbuf_str(&what));
	else
		err_set(err, ERR_USAGE, "set %s uses %s: its registers program it (%s)",
			set->name, counter, strbuf_str(&what));
	strbuf_release(&what);
	hint_free(set, b, err);
	return false;
}

/* Returns a block that looks at itself, be it through others that are asked, or -1. It would go
 * round for ever, or keep for ever what was once so: neither is an answer about a window. */
static int looks_at_itself(const struct oa_booleans *b, uint8_t asked)
{
	for (int n = 0; n < OA_BOOLEANS; n++) {
		uint8_t seen = 0, next = (uint8_t)(asked & 1u << n);

		while (next & (uint8_t)~seen) {
			int i = __builtin_ctz(next & (uint8_t)~seen);

			seen |= (uint8_t)(1u << i);
			if (b->block[i].input != OA_INPUT_OUTPUTS)
				continue;
			uint8_t looked_at = (uint8_t)~b->block[i].ignored;
			if (looked_at >> n & 1)
				return n;
			next |= looked_at & asked;
		}
	}
	return -1;
}

/* --- registers --- */

static const struct block_registers *registers_of(const struct intel_platform *p)
{
	for (size_t i = 0; p && i < ARRAY_LEN(block_registers); i++)
		if (p->graphics_verx10 >= block_registers[i].first_verx10 &&
			p->graphics_verx10 <= block_registers[i].last_verx10)
			return &block_registers[i];
	return NULL;
}

bool oa_ask_knows(const struct intel_platform *p)
{
	return registers_of(p) != NULL;
}

static bool add(struct oa_profile *p, uint32_t address, uint32_t value, struct err *err)
{
	return oa_profile_add(p, OA_REG_OA, address, value) ||
		err_set(err, ERR_PARSE, "the set has too many registers");
}

/* Sets bits of a register that the set writes, else appends one with these bits and others. */
static bool set_bits(
	struct oa_profile *p, uint32_t address, uint32_t bits, uint32_t others, struct err *err)
{
	for (size_t i = p->n_regs; i > 0; i--)
		if (p->regs[i - 1].kind == OA_REG_OA && p->regs[i - 1].address == address) {
			p->regs[i - 1].value |= bits;
			return true;
		}
	return add(p, address, bits | others, err);
}

/* As in Intel's sets: no threshold, and no reports by triggers. */
static bool add_triggers(struct oa_profile *p, const struct block_registers *r, struct err *err)
{
	uint32_t asked = p->asked;

	return set_bits(p, r->report, 0, 0, err) && set_bits(p, r->start, 0, 0, err) &&
		set_bits(p, r->start + 0x4, (asked & 0xfu) << BY_BLOCK_SHIFT, RUN_FREELY, err) &&
		set_bits(p, r->start + 0x10, 0, 0, err) &&
		set_bits(p, r->start + 0x14, asked >> 4 << BY_BLOCK_SHIFT, RUN_FREELY, err) &&
		(!r->copy_on || set_bits(p, r->copy_on, asked << 16, 0, err));
}

static bool add_block(struct oa_profile *p, const struct block_registers *r, int n,
	const struct oa_boolean *block, struct err *err)
{
	uint32_t first, second, at = 8 * (uint32_t)n;

	oa_boolean_encode(block, &first, &second);
	return add(p, r->words + at, first, err) && add(p, r->words + at + 4, second, err) &&
		(!r->copy ||
			(add(p, r->copy + at, first, err) &&
				add(p, r->copy + at + 4, second, err)));
}

bool oa_ask_check_platform(const struct metric_set *set, const struct intel_platform *platform,
	const struct oa_asking *a, struct err *err)
{
	const char *why = a->on_others;

	if (oa_ask_knows(platform))
		return true;
	if (platform && platform->graphics_ver >= 20)
		why = a->on_xe2;
	else if (platform && platform->graphics_ver == 7)
		why = a->on_haswell;
	err_set(err, ERR_USAGE, "set %s asks %s", set->name, why);
	return err_hint(err, "-D chooses another device");
}

static const struct oa_asking asks_blocks = {
	"blocks of B0 to B7, which Xe2 and later do not have: their counters select events",
	"blocks of B0 to B7, whose answers are shares of clocks, and the reports of Haswell do not "
	"count clocks",
	"blocks of B0 to B7, which only Intel GPUs from Gen8 to Gen12 have",
};

/* Says where the question stands. why has message and hint. */
static bool fail_at(const struct set_directive *d, const struct err *why, struct err *err)
{
	if (d->line > 0)
		err_set(err, why->code, "%s:%d: %s", d->file, d->line, why->msg);
	else
		err_set(err, why->code, "%s %.2s=%.60s: %s", d->file, d->args, d->args + 3,
			why->msg);
	if (*why->hint)
		err_hint(err, "%s", why->hint);
	return false;
}

/* An answer is inferred as well when it looks at one that is. */
static void infer_further(const struct oa_booleans *b, uint8_t asked, uint8_t *inferred)
{
	uint8_t before;

	do {
		before = *inferred;
		for (int i = 0; i < OA_BOOLEANS; i++)
			if (asked >> i & 1 && b->block[i].input == OA_INPUT_OUTPUTS &&
				(uint8_t)~b->block[i].ignored & before)
				*inferred |= (uint8_t)(1u << i);
	} while (*inferred != before);
}

/* Takes the questions one by one. Outputs of all of them are signals for each. */
static bool take_questions(struct oa_profile *p, const struct metric_set *set,
	const struct oa_blocks *blocks, const struct block_registers *r, struct err *err)
{
	struct oa_asker a = { .set = set, .blocks = blocks, .asked = p->asked };
	struct oa_booleans all = blocks->booleans;
	struct err why = { 0 };

	for (int i = 0; i < set->n_directives; i++) {
		const struct set_directive *d = &set->directives[i];
		struct oa_question q;

		if (!is_question(d))
			continue;
		int n = d->args[1] - '0';
		if (!check_free(set, blocks, n, d->file, &why) ||
			!oa_ask_parse(&a, d->args + 3, &q, &why) ||
			!add_block(p, r, n, &q.words, &why))
			return fail_at(d, &why, err);
		all.block[n] = q.words;
		all.programmed |= (uint8_t)(1u << n);
		if (q.inferred)
			p->inferred |= (uint8_t)(1u << n);
	}
	infer_further(&all, p->asked, &p->inferred);
	int n = looks_at_itself(&all, p->asked);
	if (n < 0)
		return true;
	err_set(err, ERR_USAGE,
		"set %s: B%d looks at its own output, a clock later, so that it never comes to rest "
		"or never forgets",
		set->name, n);
	return err_hint(err, "a question looks at lanes, and at blocks that do not look at it");
}

bool oa_ask_program(struct oa_profile *p, const struct metric_set *set,
	const struct intel_platform *platform, struct err *err)
{
	const struct block_registers *r = registers_of(platform);

	for (int i = 0; i < set->n_directives; i++) {
		const struct set_directive *d = &set->directives[i];
		struct err why = { 0 };

		if (!is_question(d))
			continue;
		uint8_t bit = (uint8_t)(1u << (d->args[1] - '0'));
		err_set(&why, ERR_USAGE, "the block is asked twice");
		if (p->asked & bit)
			return fail_at(d, &why, err);
		p->asked |= bit;
	}
	if (!p->asked)
		return true;
	if (!oa_ask_check_platform(set, platform, &asks_blocks, err))
		return false;
	/* What the set itself has, before anything is added to it. */
	const struct oa_blocks blocks = oa_blocks_of(p, platform->graphics_ver);
	return add_triggers(p, r, err) && take_questions(p, set, &blocks, r, err);
}
