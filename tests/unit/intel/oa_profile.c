/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event names, the manuals' rules, register bits, register files and directives. */
#include "config.h"

#include "backends/intel/oa/oa_profile.h"

#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "tests/tap.h"

/* Halves of Intel's public sets (kblgt2 and tglgt2 ComputeBasic, ComputeL3Cache) and what they are
 * called. */
static const struct half_row {
	const char *text, *canonical;
	unsigned half;
} halves[] = {
	{ "active", "active", 0x004 }, { "stall", "stall", 0x005 }, { "fpu_both", "fpu_both", 0x003 },
	{ "fpu0", "fpu0", 0x000 }, { "fpu1", "fpu1", 0x001 }, { "send", "send", 0x002 }, { "occupancy", "occupancy", 0x008 },
	{ "send::send_start", "send::send_start", 0x502 }, { "fpu0::hybrid", "fpu0::hybrid", 0x100 },
	{ "fpu0::ternary", "fpu0::ternary", 0x200 }, { "fpu1::2", "fpu1::ternary", 0x201 },
	{ "fpu0::binary", "fpu0::binary", 0x300 }, { "fpu1::mov", "fpu1::mov", 0x401 },
	{ "fpu0:vs", "fpu0:vs", 0x010 }, { "fpu_both:ps", "fpu_both:ps", 0x053 }, { "fpu1:cs", "fpu1:cs", 0x061 },
	{ "occupancy:row0:eu0", "occupancy:row0:eu0", 0x778 }, { "8:8", "occupancy:row1", 0x088 },
	{ "occupancy::eu3", "occupancy::eu3", 0xa08 }, { "0x4:7:8", "active:row0:eu1", 0x874 }, { "active::", "active", 0x004 },
	{ "14:9:11", "xmx_bf16:9:11", 0xb9e }, { "2:2:2", "send:hs:ternary", 0x222 },
};

static void test_halves(void)
{
	static const struct oa_event zero = { 0, 0, 0 };

	for (size_t i = 0; i < ARRAY_LEN(halves); i++) {
		const struct half_row *row = &halves[i];
		struct oa_event e = { 99, 99, 99 };
		struct err err = { 0 };
		char buf[64];

		ok(oa_event_parse(row->text, &e, &err), "%s is an event: %s", row->text, err.msg);
		is_int(oa_flex_value(&e, &zero, 12), row->half, "%s as the low half", row->text);
		is_int(oa_flex_value(&zero, &e, 12), row->half << 12, "%s as the high half",
			row->text);
		is_str(oa_event_text(&e, buf, sizeof(buf)), row->canonical, "%s in canonical form",
			row->text);
	}
}

static void test_bad_events(void)
{
	static const char *const bad[] = {
		"",
		":",
		"fpu2",
		"active:xs",
		"active::fast",
		"active:::",
		"active:::x",
		"active:ps:mov:1",
		"32",
		"4:16",
		"4:0:16",
		"-1",
		"4 ",
		"0x",
		"999999999999999999999999",
		"activeactiveactiveactiveactive",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct oa_event e = { 1, 2, 3 };
		struct err err = { 0 };

		ok(!oa_event_parse(bad[i], &e, &err) && err.code == ERR_PARSE && err.msg[0],
			"'%s' is refused: %s", bad[i], err.msg);
		ok(e.increment == 1 && e.coarse == 2 && e.fine == 3, "'%s' leaves the result alone",
			bad[i]);
	}
	ok(!oa_event_parse("nonsense", &(struct oa_event){ 0 }, NULL), "an error may be ignored");
}

/* The last column of each row is what the manual of that generation says. */
static void test_rules(void)
{
	static const struct { const char *event; int ver; bool allowed; } rows[] = {
		{ "fpu0:ps:ternary", 8, true }, { "fpu1::ternary", 9, true }, { "fpu1::ternary", 12, false },
		{ "fpu1:cs:eu3", 12, true }, { "fpu_both:ps", 9, false }, { "fpu_both:row1:eu2", 9, true }, { "fpu_both:ps", 12, false },
		{ "active:vs", 9, false }, { "active:vs", 12, true }, { "stall:cs", 11, false }, { "stall:cs", 12, true },
		{ "send::send_start", 11, true }, { "fpu0::send_start", 9, false }, { "stall::send_start", 9, false },
		{ "occupancy:row0:eu0", 9, true }, { "occupancy:cs", 12, false }, { "7", 9, false }, { "active", 20, false },
		{ "off", 9, true }, { "send::6", 8, false }, { "active::6", 9, false }, { "fpu1:cs:hybrid", 8, false }, { "fpu1:cs:hybrid", 9, true },
		{ "active::send_start", 12, true }, { "send::6", 12, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct oa_event e;
		const char *why;

		if (!ok(oa_event_parse(rows[i].event, &e, NULL), "%s is an event", rows[i].event))
			continue;
		why = oa_event_warning(&e, 10 * rows[i].ver);
		ok(!why == rows[i].allowed, "%s on generation %d: %s", rows[i].event, rows[i].ver,
			why ? why : "allowed");
	}
}

static void test_off_and_back(void)
{
	static const struct oa_event off = { OA_EVENT_OFF, 0, 0 };
	struct oa_event low, high;

	is_int(oa_flex_value(&off, &off, 9), 0x222222,
		"off on Gen9 counts a combination that does not occur");
	is_int(oa_flex_value(&off, &off, 11), 0xffffff, "off on Gen11");
	is_int(oa_flex_value(&(struct oa_event){ 18, 0, 0 }, &(struct oa_event){ 17, 0, 0 }, 12),
		0x3001002, "five-bit events");
	oa_flex_events(0x3001002, 12, &low, &high);
	ok(low.increment == 18 && high.increment == 17, "five-bit events are read back");
	for (int ver = 8; ver <= 12; ver++) {
		oa_flex_events(ver < 11 ? 0x222222 : 0xffffffff, ver, &low, &high);
		ok(low.increment == OA_EVENT_OFF && high.increment == OA_EVENT_OFF && !low.fine &&
				!high.coarse,
			"off is read back on generation %d", ver);
		for (unsigned v = 0; v < 0x1000; v += 0x111) {
			oa_flex_events(0xabc000u ^ v, ver, &low, &high);
			is_int(oa_flex_value(&low, &high, ver), 0xabc000u ^ v,
				"%x survives generation %d", v, ver);
		}
	}
}

static struct set_directive directive(const char *key, const char *args)
{
	return (struct set_directive){ .key = (char *)(uintptr_t)key,
		.args = (char *)(uintptr_t)args,
		.file = (char *)(uintptr_t) "test.metrics",
		.line = 7 };
}

/* The text of the file "test". */
static const char *test_config;

static const char *config_text(const char *name)
{
	return !strcmp(name, "test") ? test_config : NULL;
}

#define MAX_DIRECTIVES 16

/* Directives as "key args" strings, NULL at the end. */
static bool build(struct oa_profile *p, const char *const *lines, const char *config, int ver,
	struct err *err)
{
	struct set_directive list[MAX_DIRECTIVES];
	char keys[MAX_DIRECTIVES][16];
	char name[] = "test";
	struct metric_set set = { .name = name, .directives = list };
	struct device dev = { 0 };

	for (; lines[set.n_directives]; set.n_directives++) {
		const char *line = lines[set.n_directives];
		size_t len = strcspn(line, " ");

		snprintf(keys[set.n_directives], sizeof(keys[0]), "%.*s", (int)len, line);
		list[set.n_directives] = directive(
			keys[set.n_directives], line[len] ? line + len + 1 : "");
	}
	test_config = config;
	for (int i = 0; i < intel_platform_count; i++)
		if (intel_platforms[i].graphics_ver == ver)
			snprintf(dev.platform, sizeof(dev.platform), "%s", intel_platforms[i].name);
	return oa_profile_build(p, &set, &dev, config_text, err);
}

static void test_profile(void)
{
	static const char *const lines[] = { "config test", "records_as ComputeBasic",
		"program A7 active", "program A8 stall", "program A10 fpu0::ternary",
		"program  A20   occupancy::eu3 ", NULL };
	static const char text[] = "# comment\n\nNOA 9840 00000080 # why\r\n\tNOA 9888 104F00E0 "
				   "124F1C00\nOA 2710 0\nFLEX E458 1\n";
	static const struct oa_reg want[] = {
		{ OA_REG_NOA, 0x9840, 0x80 }, { OA_REG_NOA, 0x9888, 0x104f00e0 }, { OA_REG_NOA, 0x9888, 0x124f1c00 },
		{ OA_REG_OA, 0x2710, 0 }, { OA_REG_FLEX, 0xe458, 0x5004 }, { OA_REG_FLEX, 0xe558, 0x200222 },
		{ OA_REG_FLEX, 0xe658, 0x222222 }, { OA_REG_FLEX, 0xe758, 0x222222 }, { OA_REG_FLEX, 0xe45c, 0x222222 },
		{ OA_REG_FLEX, 0xe55c, 0x222222 }, { OA_REG_FLEX, 0xe65c, 0xa08222 },
	};
	struct oa_profile p, again;
	struct err err = { 0 };
	char uuid[37];

	if (!ok(build(&p, lines, text, 9, &err), "a profile from directives: %s", err.msg))
		return;
	is_str(p.config, "test", "name of the register file");
	is_int(p.n_regs, ARRAY_LEN(want), "number of registers");
	for (size_t i = 0; i < ARRAY_LEN(want) && i < p.n_regs; i++)
		ok(p.regs[i].kind == want[i].kind && p.regs[i].address == want[i].address &&
				p.regs[i].value == want[i].value,
			"register %zu is %d %x %x", i, p.regs[i].kind, p.regs[i].address,
			p.regs[i].value);
	is_int(p.events[3].fine, 2, "A10 counts ternary instructions");
	is_int(p.events[2].increment, OA_EVENT_OFF, "A9 is off");
	is_int(strlen(p.uuid), 36, "uuid %s has 36 characters", p.uuid);
	is_int(strspn(p.uuid, "0123456789abcdef-"), 36, "uuid is lower case");
	ok(p.uuid[14] == '8' && strchr("89ab", p.uuid[19]),
		"uuid has version 8 and the RFC's variant");
	snprintf(uuid, sizeof(uuid), "%s", p.uuid);
	ok(build(&again, lines, text, 9, NULL) && !strcmp(again.uuid, uuid),
		"equal programming has an equal uuid");
	oa_profile_release(&again);
	ok(build(&again, lines, text, 11, NULL) && strcmp(again.uuid, uuid),
		"other registers have another uuid");
	oa_profile_release(&again);
	oa_profile_release(&p);
	is_int(p.n_regs, 0, "nothing left after release");
}

static void test_imported(void)
{
	static const char *const lines[] = { "registers NOA 9840 00000080",
		"registers FLEX E458 00804704", "registers FLEX E65C FFFFFFFF",
		"guid 397a46d9-03dd-4696-8196-270362e1c575", NULL };
	static const char *const none[] = { "guid x", NULL };
	struct oa_profile p;

	if (!ok(build(&p, lines, NULL, 12, NULL), "a profile from registers"))
		return;
	is_int(p.n_regs, 3, "registers stay as they are");
	is_int(p.regs[2].value, 0xffffffff, "with all their bits");
	ok(p.events[0].increment == 4 && p.events[0].fine == 7 && p.events[1].fine == 8,
		"A7, A8 count EU active of EU number 0, 1");
	is_int(p.events[13].increment, OA_EVENT_OFF, "A20 is off");
	oa_profile_release(&p);
	ok(build(&p, none, NULL, 9, NULL) && p.n_regs == 1 && p.regs[0].kind == OA_REG_FLEX &&
			p.events[0].increment == OA_EVENT_OFF && p.uuid[0],
		"a set that asks for nothing has a register that the kernel takes");
	oa_profile_release(&p);
}

static void test_bad_profiles(void)
{
	static const struct { const char *line, *config, *want; } rows[] = {
		{ "program", "", "test.metrics:7: A7 to A20, B0 to B7 or P0 to P63 expected after program, not ''" },
		{ "program A6 active", "", "test.metrics:7: A7 to A20, B0" }, { "program A21 active", "", "test.metrics:7: A7" },
		{ "program A7", "", "test.metrics:7: event expected after A7" }, { "program A7 fast", "", "test.metrics:7: unknown event 'fast'" },
		{ "program A7 active stall", "", "unexpected text after the event: 'stall'" }, { "program A0x7 active", "", "A7 to A20" },
		{ "program B1 active", "", "test.metrics:7: 'active' is no signal of set test" },
		{ "config other", "", "test.metrics:7: no register file 'other.oacfg'" }, { "config", "", "bad name of a register file" },
		{ "config test", "NOA 9840 80\nMOA 1 2", "test.oacfg:2:1: NOA, OA or FLEX expected, not 'MOA'" },
		{ "config test", "\n\nOA", "test.oacfg:3:3: register address" }, { "config test", "OA zz 1", "test.oacfg:1:4: register address" },
		{ "config test", "OA 2710", "test.oacfg:1:8: register value expected" },
		{ "config test", "OA 2710 1 123456789", "test.oacfg:1:11: 32-bit value" },
		{ "config test", "OA 2710 11111111111111111111 # x", "test.oacfg:1:9: 32-bit value" },
		{ "registers FLEX", "", "test.metrics:7:5: register address" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *const lines[] = { "program A7 active", rows[i].line, NULL };
		struct oa_profile p;
		struct err err = { 0 };

		ok(!build(&p, lines, rows[i].config, 9, &err) && !p.regs,
			"'%s' with '%s' is refused", rows[i].line, rows[i].config);
		ok(strstr(err.msg, rows[i].want), "and says '%s': %s", rows[i].want, err.msg);
	}
}

static void test_long_file(void)
{
	static const char *const lines[] = { "config test", NULL };
	char *text = xmalloc(20 * 5000 + 1), *at = text;
	struct oa_profile p;
	struct err err = { 0 };

	for (int i = 0; i < 5000; i++)
		at += sprintf(at, "NOA 9888 %08x\n", (unsigned)i);
	ok(!build(&p, lines, text, 9, &err) &&
			strstr(err.msg, "test.oacfg:4097:10: too many registers"),
		"endless lists end: %s", err.msg);
	free(text);
}

int main(void)
{
	test_halves();
	test_bad_events();
	test_rules();
	test_off_and_back();
	test_profile();
	test_imported();
	test_bad_profiles();
	test_long_file();
	return done_testing();
}
