/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes and encodes the words of start and report triggers, and works out their outputs. */
#include "config.h"

#include "backends/intel/oa/oa_trigger.h"

#include <string.h>

#define INVERT_B_SHIFT 16
#define INVERT_C_SHIFT 20
#define INVERT_D_SHIFT 22
#define THRESHOLD_ENABLE (1u << 23)
#define REPORT_ENABLE (1u << 31)
#define INPUTS_OF_B 4

uint32_t oa_trigger_address(bool is_report, int i, int graphics_ver)
{
	uint32_t start = 0x2710, report = 0x2740;

	if (graphics_ver >= 12) {
		start = 0xd900;
		report = 0xd920;
	}
	return (is_report ? report : start) + (uint32_t)i * 4 * OA_TRIGGER_WORDS;
}

struct oa_trigger oa_trigger_decode(const uint32_t words[OA_TRIGGER_WORDS])
{
	uint32_t control = words[OA_TRIGGER_CONTROL];
	struct oa_trigger t = {
		.inverted_a = (uint16_t)control,
		.inverted_b = control >> INVERT_B_SHIFT & 0xf,
		.inverted_c = control >> INVERT_C_SHIFT & 0x3,
		.inverted_d = control >> INVERT_D_SHIFT & 0x1,
		.has_threshold = control & THRESHOLD_ENABLE,
		.is_enabled = control & REPORT_ENABLE,
		.threshold = (uint16_t)words[OA_TRIGGER_THRESHOLD],
		.edges = (uint16_t)(words[OA_TRIGGER_THRESHOLD] >> 16),
	};

	for (int i = 0; i < OA_TRIGGER_HALF; i++) {
		t.lane[i] = words[OA_TRIGGER_LOW_LANES] >> 4 * i & 0xf;
		t.lane[OA_TRIGGER_HALF + i] = words[OA_TRIGGER_HIGH_LANES] >> 4 * i & 0xf;
	}
	return t;
}

void oa_trigger_encode(const struct oa_trigger *t, uint32_t words[OA_TRIGGER_WORDS])
{
	memset(words, 0, OA_TRIGGER_WORDS * sizeof(words[0]));
	words[OA_TRIGGER_THRESHOLD] = t->threshold | (uint32_t)t->edges << 16;
	words[OA_TRIGGER_CONTROL] = t->inverted_a | (uint32_t)t->inverted_b << INVERT_B_SHIFT |
		(uint32_t)t->inverted_c << INVERT_C_SHIFT |
		(uint32_t)t->inverted_d << INVERT_D_SHIFT;
	if (t->has_threshold)
		words[OA_TRIGGER_CONTROL] |= THRESHOLD_ENABLE;
	if (t->is_enabled)
		words[OA_TRIGGER_CONTROL] |= REPORT_ENABLE;
	for (int i = 0; i < OA_TRIGGER_HALF; i++) {
		words[OA_TRIGGER_LOW_LANES] |= (uint32_t)t->lane[i] << 4 * i;
		words[OA_TRIGGER_HIGH_LANES] |= (uint32_t)t->lane[OA_TRIGGER_HALF + i] << 4 * i;
	}
}

/* Reads two triggers. Returns those whose control word is there, as bits. */
static uint8_t read_pair(const struct oa_reg *regs, size_t n, uint32_t base, struct oa_trigger t[2])
{
	uint32_t words[2][OA_TRIGGER_WORDS] = { { 0 } };
	uint8_t has = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t k = (regs[i].address - base) / sizeof(uint32_t);

		if (regs[i].kind != OA_REG_OA || regs[i].address < base ||
			k >= 2 * OA_TRIGGER_WORDS)
			continue;
		words[k / OA_TRIGGER_WORDS][k % OA_TRIGGER_WORDS] = regs[i].value;
		if (k % OA_TRIGGER_WORDS == OA_TRIGGER_CONTROL)
			has |= (uint8_t)(1u << k / OA_TRIGGER_WORDS);
	}
	t[0] = oa_trigger_decode(words[0]);
	t[1] = oa_trigger_decode(words[1]);
	return has;
}

struct oa_triggers oa_triggers_of(const struct oa_reg *regs, size_t n, int graphics_ver)
{
	struct oa_triggers all;

	all.has_start = read_pair(regs, n, oa_trigger_address(false, 0, graphics_ver), all.start);
	all.has_report = read_pair(regs, n, oa_trigger_address(true, 0, graphics_ver), all.report);
	/* These bits choose counters in start triggers (oa_ask.h). */
	all.start[0].is_enabled = all.start[1].is_enabled = false;
	return all;
}

void oa_trigger_look_at(struct oa_trigger *t, uint16_t lanes, uint16_t high, bool not_all)
{
	uint16_t left = lanes;

	t->inverted_a = 0;
	t->inverted_b = t->inverted_c = 0;
	t->inverted_d = not_all;
	for (int i = 0; i < OA_TRIGGER_HALF; i++) {
		if (!left)
			left = lanes;
		int lane = __builtin_ctz(left);

		left &= (uint16_t)(left - 1);
		t->lane[i] = t->lane[OA_TRIGGER_HALF + i] = (uint8_t)lane;
		if (!(high >> lane & 1))
			t->inverted_a |= (uint16_t)(0x101u << i);
	}
}

bool oa_trigger_is_known(const struct oa_trigger *t)
{
	return t->edges == 0 && !memcmp(t->lane, t->lane + OA_TRIGGER_HALF, OA_TRIGGER_HALF) &&
		(t->inverted_a & 0xff) == t->inverted_a >> 8 &&
		(t->inverted_b & 0x3) == t->inverted_b >> 2 &&
		(t->inverted_c & 0x1) == t->inverted_c >> 1;
}

uint16_t oa_trigger_lanes(const struct oa_trigger *t)
{
	uint16_t lanes = 0;

	for (int i = 0; i < OA_TRIGGER_INPUTS; i++)
		lanes |= (uint16_t)(1u << t->lane[i]);
	return lanes;
}

bool oa_trigger_holds(const struct oa_trigger *t, uint16_t lanes)
{
	bool half = true;

	for (int b = 0; b < OA_TRIGGER_HALF / INPUTS_OF_B; b++) {
		bool gate = true;

		for (int i = b * INPUTS_OF_B; i < (b + 1) * INPUTS_OF_B; i++)
			gate = gate && (lanes >> t->lane[i] & 1) != (t->inverted_a >> i & 1);
		half = half && gate != (t->inverted_b >> b & 1);
	}
	return half != ((t->inverted_c & 1) != (t->inverted_d & 1));
}

bool oa_trigger_is_immediate(const struct oa_trigger *start)
{
	return start->has_threshold && start->threshold == 0;
}

bool oa_trigger_is_used(const struct oa_trigger *t)
{
	bool chooses = false;

	for (int i = 0; i < OA_TRIGGER_INPUTS; i++)
		chooses |= t->lane[i] != 0;
	return chooses || t->inverted_a || t->inverted_b || t->inverted_c || t->inverted_d ||
		t->is_enabled || t->threshold || t->edges;
}
