/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of Xe2: names, which counter sees what, registers and back, and Intel's own register lists
 * read the same way. */
#include "config.h"

#include "backends/intel/oa/oa_pes.h"

#include <string.h>

#include "backends/intel/oa/oa_profile.h"
#include "base/mem.h"
#include "tests/tap.h"

static const struct row {
	const char *text;
	int counter;
	uint32_t code;
	uint8_t coarse;
	const char *problem;	/* NULL: it is fine */
} rows[] = {
	{ "xve_active", 4, 0x605, 0, NULL },
	{ "alu0:cs", 8, 0x60f, 6, NULL },
	{ "alu0:vs", 20, 0x60f, 1, NULL },
	{ "0x605", 0, 0x605, 0, NULL },
	{ "1541", 31, 0x605, 0, NULL },
	{ "gpu_busy", 32, 0x5a00, 0, NULL },
	{ "0x113e00", 3, 0x113e00, 0, NULL },	/* of one Xe core, as in TestOa */
	{ "alu0:cs", 21, 0, 0, "P21 has no filter" },
	{ "alu0:cs", 6, 0, 0, "P6 has no filter" },
	{ "alu0:nobody", 8, 0, 0, "unknown filter 'nobody'" },
	{ "EU_ACTIVE_CYCLES", 4, 0x605, 0, NULL }, { "l3_read", 40, 0x600f, 0, NULL }, { "Xve_Active", 4, 0x605, 0, NULL },
	{ "xve_active:rt", 8, 0x605, 12, NULL }, { "send:rt_miss", 8, 0x601, 14, NULL }, { "xve_stall:async_cs", 20, 0x606, 9, NULL },
	{ "occupancy:cs", 8, 0x604, 6, NULL }, { "occupancy:9", 8, 0x604, 9, NULL },
	{ "occupancy:hs", 8, 0, 0, "'occupancy:hs' does not know that filter" },
	{ "xve_active:rt_miss", 8, 0, 0, "does not know that filter" }, { "alu0:7", 8, 0, 0, "does not know that filter" },
	{ "fp32:ps", 8, 0, 0, "the event 'fp32:ps' has no filter" }, { "alu2:cs", 8, 0, 0, "has no filter" },
	{ "alu0:", 8, 0, 0, "unknown filter ''" }, { "alu0:0", 8, 0, 0, "unknown filter '0'" }, { "alu0:16", 8, 0, 0, "unknown filter" },
	{ "0x0627:cs", 8, 0x627, 6, NULL },	/* nobody knows what it is */
	{ "gpu_busy", 31, 0, 0, "P31 does not see the event 'gpu_busy'" },
	{ "xve_active", 32, 0, 0, "P32 does not see" },
	{ "", 0, 0, 0, "unknown event ''" },
	{ "0", 0, 0, 0, "unknown event '0'" },
	{ "0x", 0, 0, 0, "unknown event" },
	{ "4294967296", 0, 0, 0, "unknown event" },
	{ "xve", 0, 0, 0, "unknown event 'xve'" },
	{ "xve_active_and_something_that_is_much_too_long_for_a_word", 0, 0, 0, "unknown event" },
};

static void test_parse(void)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		struct oa_pes_event e = { .code = 77 };
		struct err err = { .code = ERR_NONE };
		bool good = oa_pes_parse(r->text, r->counter, &e, &err);

		is_int(good, !r->problem, "'%s' for P%d", r->text, r->counter);
		is_int(e.code, r->problem ? 77 : r->code, "  ... code");
		is_int(e.coarse, r->coarse, "  ... filter");
		if (r->problem)
			ok(strstr(err.msg, r->problem), "  ... says '%s'", err.msg);
	}
}

static void test_names(void)
{
	size_t n = oa_pes_name_count;
	int unique = 0;

	for (size_t i = 0; i < n; i++) {
		const struct oa_pes_name *a = &oa_pes_names[i];
		int same = 0;

		for (size_t k = 0; k < n; k++)
			same += oa_pes_names[k].code == a->code ||
				!strcmp(oa_pes_names[k].name, a->name);
		unique += same == 1;
	}
	is_int((int)n, 225, "events have names");
	is_int(unique, (int)n, "each name and each code stands once");
	for (size_t i = 0; i < n; i++) {
		const struct oa_pes_name *a = &oa_pes_names[i];
		struct oa_pes_event e = { 0 }, again = { 0 };
		char text[64];

		if (i > 0 && a->code <= oa_pes_names[i - 1].code)
			ok(false, "%s stands behind a larger code", a->name);
		if (!oa_pes_parse_any(a->intel, &e, NULL) || e.code != a->code ||
			!oa_pes_parse_any(oa_pes_text(&e, text, sizeof(text)), &again, NULL) ||
			memcmp(&e, &again, sizeof(e)))
			ok(false, "%s is parsed by its own text", a->name);
		if (!*a->what || !(a->stands_for_xe2 > 0) || !(a->stands_for_xe3 > 0))
			ok(false, "%s says what it counts", a->name);
	}
}

static void test_registers(void)
{
	struct oa_pes_event events[OA_PES_COUNTERS] = { [0] = { 0x1801, 0 },
		[8] = { PES_ALU0, 6 },
		[9] = { PES_ALU1, 5 },
		[31] = { PES_XVE_STALL, 0 },
		[32] = { PES_GPU_BUSY, 0 },
		[63] = { PES_MEM_BYTES_READ, 0 } };
	struct oa_pes_event back[OA_PES_COUNTERS] = { { 0 } };
	struct oa_reg regs[64];
	int n = oa_pes_registers(events, regs, (int)ARRAY_LEN(regs));

	is_int(n, 4 * 2 + 2 * 2 * 3 + 2,
		"two registers for each counter in the cores, six for each other one, two filters");
	is_int(regs[0].address, 0x13000, "P0 has the first");
	is_int(regs[0].value, 0x1801, "  ... with its code");
	is_int(regs[1].address, 0x13004, "  ... and an upper half");
	is_int(regs[8].address, 0x13300, "P32 has one in each of three units");
	is_int(regs[10].address, 0x13500, "  ... the second");
	is_int(regs[12].address, 0x13700, "  ... the third");
	is_int(regs[n - 2].address, 0xe458, "P7 and P8 share a filter");
	is_int(regs[n - 2].value, 0x60000, "  ... the upper half is P8's");
	is_int(regs[n - 1].value, 0x50, "P9 has the lower half of the next");
	oa_pes_events(regs, n, back);
	ok(!memcmp(events, back, sizeof(events)), "registers lead back to events");
	is_int(oa_pes_registers(events, regs, n - 1), -1, "no room is told");
}

int main(void)
{
	test_parse();
	test_names();
	test_registers();
	return done_testing();
}
