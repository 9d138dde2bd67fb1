/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes the words of the blocks behind B0 to B7, and works out what they do in a clock. */
#include "config.h"

#include "backends/intel/oa/oa_boolean.h"

#include <stdbool.h>
#include <string.h>

#define SIGNALS 16

struct oa_boolean oa_boolean_decode(uint32_t first, uint32_t second)
{
	return (struct oa_boolean){
		.compare = first & 7,
		.value = (uint16_t)(first >> 3),
		.input = first >> 19 & 3,
		.negated = (uint16_t)(first >> 21),
		.ignored = (uint16_t)second,
		.considered = (uint16_t)(second >> 16),
	};
}

void oa_boolean_encode(const struct oa_boolean *b, uint32_t *first, uint32_t *second)
{
	*first = (uint32_t)b->compare | (uint32_t)b->value << 3 | (uint32_t)b->input << 19 |
		(uint32_t)b->negated << 21;
	*second = (uint32_t)b->ignored | (uint32_t)b->considered << 16;
}

struct oa_booleans oa_booleans_of(const struct oa_reg *regs, size_t n, int graphics_ver)
{
	uint32_t base = graphics_ver >= 12 ? 0xd940 : 0x2770;
	uint32_t words[OA_BOOLEANS][2] = { { 0 } };
	uint32_t seen = 0;
	struct oa_booleans b = { .programmed = 0 };

	for (size_t i = 0; i < n; i++) {
		uint32_t word = (regs[i].address - base) / sizeof(uint32_t);

		if (regs[i].kind != OA_REG_OA || regs[i].address < base || word >= 2 * OA_BOOLEANS)
			continue;
		words[word / 2][word % 2] = regs[i].value;
		seen |= 1u << word;
	}
	for (int i = 0; i < OA_BOOLEANS; i++) {
		b.block[i] = oa_boolean_decode(words[i][0], words[i][1]);
		if ((seen >> 2 * i & 3) == 3)
			b.programmed |= (uint8_t)(1u << i);
	}
	return b;
}

static bool holds(const struct oa_boolean *b, uint16_t signals)
{
	uint16_t kept = (uint16_t)~b->ignored;
	uint16_t got = signals & kept, want = b->value & kept;

	switch (b->compare) {
	case OA_ANY_EQUAL: return (~(got ^ want) & kept) != 0;
	case OA_GREATER: return got > want;
	case OA_EQUAL: return got == want;
	case OA_GREATER_EQUAL: return got >= want;
	case OA_LESS: return got < want;
	case OA_NOT_EQUAL: return got != want;
	case OA_LESS_EQUAL: return got <= want;
	default: return true;
	}
}

uint8_t oa_booleans_step(const struct oa_booleans *b, uint8_t before, uint16_t lanes)
{
	uint8_t after = 0;

	for (int i = 0; i < OA_BOOLEANS; i++) {
		uint16_t signals = lanes;

		if (b->block[i].input == OA_INPUT_OUTPUTS)
			signals = before;
		if (b->programmed >> i & 1 && holds(&b->block[i], signals))
			after |= (uint8_t)(1u << i);
	}
	return after;
}

/* Whether the block gives the same for all signals that it looks at. */
static bool is_constant(const struct oa_boolean *b)
{
	uint16_t kept = (uint16_t)~b->ignored, want = b->value & kept;

	return kept == 0 || b->compare == OA_ALWAYS ||
		(want == 0 && (b->compare == OA_LESS || b->compare == OA_GREATER_EQUAL)) ||
		(want == kept && (b->compare == OA_GREATER || b->compare == OA_LESS_EQUAL));
}

uint8_t oa_booleans_of_clock(const struct oa_booleans *b)
{
	uint8_t known = 0, next = b->programmed;

	for (int i = 0; i < OA_BOOLEANS; i++)
		if (b->block[i].negated || b->block[i].considered ||
			(b->block[i].input != OA_INPUT_OUTPUTS && !is_constant(&b->block[i])))
			next &= (uint8_t)~(1u << i);
	/* Each round takes away blocks that look at one that was taken away. */
	while (known != next) {
		known = next;
		for (int i = 0; i < OA_BOOLEANS; i++) {
			uint8_t looked_at = (uint8_t)~b->block[i].ignored;

			if (!is_constant(&b->block[i]) && looked_at & (uint8_t)~known)
				next &= (uint8_t)~(1u << i);
		}
	}
	return known;
}

void oa_booleans_shares(const struct oa_booleans *b, struct oa_share shares[OA_BOOLEANS])
{
	uint8_t outputs = 0, first;
	int period = 0;

	/* After as many clocks as there are states, the outputs go through a cycle. */
	for (int i = 0; i <= UINT8_MAX; i++)
		outputs = oa_booleans_step(b, outputs, 0);
	memset(shares, 0, OA_BOOLEANS * sizeof(*shares));
	first = outputs;
	do {
		outputs = oa_booleans_step(b, outputs, 0);
		for (int i = 0; i < OA_BOOLEANS; i++)
			shares[i].num += outputs >> i & 1;
		period++;
	} while (outputs != first);
	for (int i = 0; i < OA_BOOLEANS; i++)
		shares[i].den = (uint16_t)period;
}

static const char *condition(const struct oa_boolean *b, uint16_t kept, uint16_t want)
{
	if (is_constant(b))
		return holds(b, 0) ? "always" : "never";
	if (b->compare == OA_EQUAL && want == kept)
		return "all are high";
	if ((b->compare == OA_EQUAL || b->compare == OA_LESS_EQUAL) && want == 0)
		return "all are low";
	if ((b->compare == OA_GREATER || b->compare == OA_NOT_EQUAL) && want == 0)
		return "any is high";
	if ((b->compare == OA_NOT_EQUAL || b->compare == OA_LESS) && want == kept)
		return "any is low";
	if (b->compare == OA_ANY_EQUAL && want == kept)
		return "any is high";
	if (b->compare == OA_ANY_EQUAL && want == 0)
		return "any is low";
	if (b->compare == OA_ANY_EQUAL)
		return "any is so";
	if (b->compare == OA_EQUAL)
		return "all are so";
	return NULL;
}

/* A block that looks at one signal passes it on, or its opposite. */
static void add_single(const struct oa_boolean *b, int signal, struct strbuf *out)
{
	bool is_high = holds(b, UINT16_MAX);

	if (b->input == OA_INPUT_OUTPUTS && is_high)
		strbuf_addf(out, "output of block %d is high", signal);
	else if (b->input == OA_INPUT_OUTPUTS)
		strbuf_addf(out, "output of block %d is low", signal);
	else if (is_high)
		strbuf_addf(out, "lane %d is high", signal);
	else
		strbuf_addf(out, "lane %d is low", signal);
}

void oa_boolean_text(const struct oa_boolean *b, struct strbuf *out)
{
	static const char *const signs[] = { "~", ">", "=", ">=", "<", "!=", "<=", "" };
	uint16_t kept = (uint16_t)~b->ignored, want = b->value & kept;
	const char *text = condition(b, kept, want), *next = " ";

	if (is_constant(b)) {
		strbuf_add(out, text);
		return;
	}
	if (text && !(kept & (kept - 1)) && b->input != OA_INPUT_PREVIOUS) {
		add_single(b, __builtin_ctz(kept), out);
		return;
	}
	if (b->input == OA_INPUT_OUTPUTS)
		strbuf_add(out, "outputs of blocks");
	else if (b->input == OA_INPUT_LANES)
		strbuf_add(out, "lanes");
	else
		strbuf_add(out, "signals that are not documented");
	/* Of signals that are compared one by one, some may be turned around. */
	bool is_mixed = (b->compare == OA_ANY_EQUAL || b->compare == OA_EQUAL) && want != 0 &&
		want != kept;
	for (int i = 0; i < SIGNALS; i++) {
		if (!(kept >> i & 1))
			continue;
		strbuf_add(out, next);
		if (is_mixed && !(want >> i & 1))
			strbuf_addc(out, '!');
		strbuf_addf(out, "%d", i);
		next = ", ";
	}
	if (text)
		strbuf_addf(out, ": %s", text);
	else
		strbuf_addf(out, ": %s %#x", signs[b->compare], want);
}
