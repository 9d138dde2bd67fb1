/* SPDX-License-Identifier: GPL-3.0-or-later AND MIT
 * SPDX-FileCopyrightText: 2026 rooftop developers, Intel Corporation (igt-gpu-tools) */
/* Events of the flexible EU counters: their names, what the manuals allow, and their register
 * bits. */
#include "config.h"

#include "backends/intel/oa/oa_events.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"

const uint32_t oa_flex_addresses[OA_FLEX_REGS] = { 0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c,
	0xe65c };

/* text says what a code counts, or whose work it lets through. */
struct code_name {
	const char *name;
	uint8_t code;
	const char *text;
};

/* Gen8 to Gen12.0: CHV PRM vol. Observability, Skylake PRM, TGL PRM vol 13. Only Gen12.5 (DG2) and
 * Gen12.7 (Meteor Lake) have those from fp16 on: they are what oa-mtlgt2.xml calls the counters
 * that it programs so. There the code of "off" counts XMX work on INT8. */
static const struct code_name increments[] = {
	{ "fpu0", 0, "FPU0 (Gen12: ALU0) executed" },
	{ "fpu1", 1, "FPU1 (Gen12: ALU1) executed" },
	{ "send", 2, "the send pipe passed a message" },
	{ "fpu_both", 3, "both FPUs executed" },
	{ "active", 4, "at least one pipe worked" },
	{ "stall", 5, "threads were loaded and no pipe worked" },
	{ "occupancy", 8, "thread slots were in use: one count for eight of them" },
	{ "fp16", 6, "half precision instructions executed (from Gen12.5 on)" },
	{ "fp32", 7, "single precision instructions executed (from Gen12.5 on)" },
	{ "xmx", 9, "the matrix engine executed (from Gen12.5 on)" },
	{ "fpu0_xmx", 10, "FPU0 and the matrix engine executed (from Gen12.5 on)" },
	{ "fp64", 11, "double precision instructions executed (from Gen12.5 on)" },
	{ "int16", 12, "instructions on 16-bit integers executed (from Gen12.5 on)" },
	{ "int32", 13, "instructions on 32-bit integers executed (from Gen12.5 on)" },
	{ "xmx_bf16", 14, "the matrix engine multiplied bfloat16 numbers (from Gen12.5 on)" },
	{ "xmx_fp16", 18, "the matrix engine multiplied half precision numbers (from Gen12.5 on)" },
	{ "math", 16, "mathematical functions executed (from Gen12.5 on)" },
	{ "control", 17, "branches and other control instructions executed (from Gen12.5 on)" },
	{ "off", OA_EVENT_OFF, "nothing" },
	{ NULL, 0, NULL },
};
static const struct code_name coarse_filters[] = {
	{ "", 0, "" },
	{ "vs", 1, "vertex shader threads" },
	{ "hs", 2, "hull shader threads" },
	{ "ds", 3, "domain shader threads" },
	{ "gs", 4, "geometry shader threads" },
	{ "ps", 5, "pixel shader threads" },
	{ "cs", 6, "compute threads" },
	{ "row0", 7, "EUs of row 0" },
	{ "row1", 8, "EUs of row 1" },
	{ NULL, 0, NULL },
};
static const struct code_name fine_filters[] = {
	{ "", 0, "" },
	{ "hybrid", 1, "hybrid instructions" },
	{ "ternary", 2, "three-operand instructions" },
	{ "binary", 3, "two-operand instructions" },
	{ "mov", 4, "moves and conversions" },
	{ "send_start", 5, "first clocks of messages" },
	{ "eu0", 7, "EUs with number 0" },
	{ "eu1", 8, "EUs with number 1" },
	{ "eu2", 9, "EUs with number 2" },
	{ "eu3", 10, "EUs with number 3" },
	{ NULL, 0, NULL },
};

/* The three parts of an event, in the order of its text. */
static const struct event_part {
	const char *what;
	const struct code_name *names;
	uint8_t max;
} event_parts[] = {
	{ "event", increments, 31 }, { "coarse filter", coarse_filters, 15 }, { "fine filter", fine_filters, 15 },
};

static bool part_parse(
	const struct event_part *part, const char *text, size_t len, uint8_t *out, struct err *err)
{
	char word[16];
	uint64_t number;

	for (const struct code_name *n = part->names; n->name; n++) {
		if (strlen(n->name) == len && !memcmp(n->name, text, len)) {
			*out = n->code;
			return true;
		}
	}
	snprintf(word, sizeof(word), "%.*s", (int)min_u64(len, sizeof(word) - 1),
		text);
	if (len == 0 || len >= sizeof(word) || !parse_u64_range(word, 0, part->max, &number))
		return err_set(err, ERR_PARSE, "unknown %s '%s'", part->what, word);
	*out = (uint8_t)number;
	return true;
}

bool oa_event_parse(const char *text, struct oa_event *out, struct err *err)
{
	uint8_t codes[ARRAY_LEN(event_parts)] = { 0 };
	size_t n = 0;

	for (const char *at = text;; n++) {
		size_t len = strcspn(at, ":");

		if (n == ARRAY_LEN(event_parts))
			return err_set(
				err, ERR_PARSE, "more than three parts in event '%.60s'", text);
		if (!part_parse(&event_parts[n], at, len, &codes[n], err))
			return false;
		if (!at[len])
			break;
		at += len + 1;
	}
	*out = (struct oa_event){ .increment = codes[0], .coarse = codes[1], .fine = codes[2] };
	return true;
}

static const char *meaning(const struct code_name *names, uint8_t code)
{
	for (const struct code_name *n = names; n->name; n++)
		if (n->code == code)
			return n->text;
	return "a code without a name";
}

const char *oa_event_what(const struct oa_event *e)
{
	return meaning(increments, e->increment);
}

const char *oa_event_coarse_what(const struct oa_event *e)
{
	return meaning(coarse_filters, e->coarse);
}

const char *oa_event_fine_what(const struct oa_event *e)
{
	return meaning(fine_filters, e->fine);
}

static void list_part(struct strbuf *out, const char *title, const struct code_name *names)
{
	strbuf_addf(out, "\n%s:\n", title);
	for (const struct code_name *n = names; n->name; n++)
		if (*n->name)
			strbuf_addf(out, "  %-11s %2u  %s\n", n->name, n->code, n->text);
}

void oa_event_list(struct strbuf *out)
{
	strbuf_addf(out, "%s\n",
		"INC[:COARSE[:FINE]], each part a word or a number; an empty part lets "
		"everything through:\n"
		"  active   fpu0::ternary   stall:row0:eu2   send::send_start   4:7:8");
	list_part(out, "INC, clocks of EUs in which", increments);
	list_part(out, "COARSE, only", coarse_filters);
	list_part(out, "FINE, only", fine_filters);
	strbuf_addf(out, "\n%s\n",
		"Not every filter goes with every event, and generations differ: what the manual "
		"does not allow is said and\n"
		"counted all the same. Parts since DG2 (Gen12.5) have more events than are "
		"named; give their numbers.");
}

static const char *part_text(const struct event_part *part, uint8_t code, char *buf, size_t size)
{
	for (const struct code_name *n = part->names; n->name; n++)
		if (n->code == code)
			return n->name;
	snprintf(buf, size, "%u", code);
	return buf;
}

const char *oa_event_text(const struct oa_event *e, char *buf, size_t size)
{
	char inc[8], coarse[8], fine[8];
	const char *i = part_text(&event_parts[0], e->increment, inc, sizeof(inc));
	const char *c = part_text(&event_parts[1], e->coarse, coarse, sizeof(coarse));
	const char *f = part_text(&event_parts[2], e->fine, fine, sizeof(fine));

	if (*f)
		snprintf(buf, size, "%s:%s:%s", i, c, f);
	else if (*c)
		snprintf(buf, size, "%s:%s", i, c);
	else
		snprintf(buf, size, "%s", i);
	return buf;
}

#define BIT(n) (1u << (n))
#define ANY 0xffffu
#define NO_STAGE (BIT(0) | BIT(7) | BIT(8))		/* none, row0, row1 */
#define EU_NUMBER (BIT(0) | BIT(7) | BIT(8) | BIT(9) | BIT(10))
#define SEND_START BIT(5)
#define UNDEFINED_6 BIT(6)				/* manuals allow it, but never explain it */

/* The filters that the manuals allow with an increment event, as bit sets of codes, by ten times
 * the graphics version. The sources are for Gen8-11: CHV PRM; Gen12: TGL PRM vol 13; Gen12.5 on:
 * what oa-mtlgt2.xml uses. */
static const struct rule {
	uint8_t min_ver, max_ver, increment;
	uint16_t coarse, fine;
} rules[] = {
	{ 80, 110, 0, ANY, ANY },
	{ 80, 110, 1, ANY, ANY },
	{ 80, 110, 2, ANY, EU_NUMBER | SEND_START | UNDEFINED_6 },
	{ 80, 110, 3, NO_STAGE, EU_NUMBER },
	{ 80, 110, 4, NO_STAGE, EU_NUMBER | SEND_START | UNDEFINED_6 },
	{ 80, 110, 5, NO_STAGE, EU_NUMBER },
	{ 80, 110, 8, NO_STAGE, EU_NUMBER },
	{ 120, 127, 0, ANY, ANY },
	{ 120, 127, 1, ANY, EU_NUMBER },
	{ 120, 127, 2, ANY, EU_NUMBER | SEND_START },
	{ 120, 127, 3, NO_STAGE, EU_NUMBER },
	{ 120, 127, 4, ANY, EU_NUMBER | SEND_START },
	{ 120, 127, 5, ANY, EU_NUMBER },
	{ 120, 127, 8, NO_STAGE, EU_NUMBER },
	{ 125, 127, 6, NO_STAGE, BIT(0) },
	{ 125, 127, 7, NO_STAGE, BIT(0) },
	{ 125, 127, 9, NO_STAGE, BIT(0) },
	{ 125, 127, 10, NO_STAGE, BIT(0) },
	{ 125, 127, 11, NO_STAGE, BIT(0) },
	{ 125, 127, 12, NO_STAGE, BIT(0) },
	{ 125, 127, 13, NO_STAGE, BIT(0) },
	{ 125, 127, 14, NO_STAGE, BIT(0) },
	{ 125, 127, 18, NO_STAGE, BIT(0) },
	{ 125, 127, 16, NO_STAGE, BIT(0) },
	{ 125, 127, 17, NO_STAGE, BIT(0) },
};

/* Fine filters that manuals list for an event, with what they say of them (CHV PRM and TGL PRM vol
 * 13, Fine Event Filters). */
static const struct doubt {
	uint8_t min_ver, max_ver;
	uint16_t increments;
	uint8_t fine;
	const char *text;
} doubts[] = {
	{ 80, 127, BIT(0) | BIT(1), 5,
		"with this event the hardware counts send starts in a manner of its own" },
	{ 80, 110, ANY, 6, "the manual lists this fine filter and does not say what it does" },
	{ 80, 80, ANY, 1,
		"the filter is unreliable when a shader uses values of 64 bits" },
};

static const char *doubt_of(const struct oa_event *e, int graphics_verx10)
{
	for (size_t i = 0; i < ARRAY_LEN(doubts); i++) {
		const struct doubt *d = &doubts[i];

		if (e->fine == d->fine && d->increments & BIT(e->increment & 15) &&
			graphics_verx10 >= d->min_ver && graphics_verx10 <= d->max_ver)
			return d->text;
	}
	return NULL;
}

const char *oa_event_warning(const struct oa_event *e, int graphics_verx10)
{
	if (e->increment == OA_EVENT_OFF)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		const struct rule *r = &rules[i];

		if (r->increment != e->increment || graphics_verx10 < r->min_ver ||
			graphics_verx10 > r->max_ver)
			continue;
		if (!(r->coarse & BIT(e->coarse & 15)))
			return 
				"the manual does not allow a shader stage filter with this event";
		if (!(r->fine & BIT(e->fine & 15)))
			return "the manual does not allow this fine filter with this event";
		return doubt_of(e, graphics_verx10);
	}
	return "the manual of this generation does not list this event";
}

/* What Intel's own sets write for a counter that nobody reads. */
static uint32_t off_half(int graphics_ver)
{
	return graphics_ver >= 11 ? 0xfff : 0x222;
}

static uint32_t event_half(const struct oa_event *e, int graphics_ver)
{
	if (e->increment == OA_EVENT_OFF && !e->coarse && !e->fine)
		return off_half(graphics_ver);
	return (e->increment & 15u) | (e->coarse & 15u) << 4 | (e->fine & 15u) << 8;
}

/* On parts that have more than 16 increment events, bits 24 and 25 are the fifth bit of the two. */
uint32_t oa_flex_value(const struct oa_event *low, const struct oa_event *high, int graphics_ver)
{
	return event_half(low, graphics_ver) | event_half(high, graphics_ver) << 12 |
		(low->increment & 16u) << 20 | (high->increment & 16u) << 21;
}

static struct oa_event half_event(uint32_t half, uint32_t fifth_bit, int graphics_ver)
{
	if (half == off_half(graphics_ver))
		return (struct oa_event){ .increment = OA_EVENT_OFF };
	return (struct oa_event){
		.increment = (uint8_t)((half & 15) | fifth_bit << 4),
		.coarse = half >> 4 & 15,
		.fine = half >> 8 & 15,
	};
}

void oa_flex_events(uint32_t value, int graphics_ver, struct oa_event *low, struct oa_event *high)
{
	*low = half_event(value & 0xfff, value >> 24 & 1, graphics_ver);
	*high = half_event(value >> 12 & 0xfff, value >> 25 & 1, graphics_ver);
}
