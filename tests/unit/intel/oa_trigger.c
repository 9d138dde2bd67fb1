/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start and report triggers: their words, their outputs, and how the simulated unit executes them. */
#include "config.h"

#include "backends/intel/oa/oa_trigger.h"

#include <math.h>
#include <zlib.h>

#include "base/mem.h"
#include "tests/oracle.h"
#include "tests/unit/sim/sim_rig.h"

#define XML_MAX (16 << 20)

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state ^ *state >> 15;
}

static bool is_itself(const uint32_t words[OA_TRIGGER_WORDS])
{
	/* Bits 24 to 30 of the control word belong to others (oa_ask.h). */
	uint32_t again[OA_TRIGGER_WORDS];
	struct oa_trigger t = oa_trigger_decode(words);

	oa_trigger_encode(&t, again);
	return again[0] == words[0] && again[1] == (words[1] & 0x80ffffff) &&
		again[2] == words[2] && again[3] == words[3];
}

static void test_words(void)
{
	uint32_t state = 1;
	int bad = 0;

	for (int i = 0; i < 10000; i++) {
		uint32_t words[OA_TRIGGER_WORDS];

		for (int k = 0; k < OA_TRIGGER_WORDS; k++)
			words[k] = next_random(&state);
		bad += !is_itself(words);
	}
	is_int(bad, 0, "random words decode and encode to the same bits");
	is_int(oa_trigger_address(false, 1, 9), 0x2720, "start trigger 5 of Gen9");
	is_int(oa_trigger_address(true, 0, 9), 0x2740, "report trigger 1");
	is_int(oa_trigger_address(true, 1, 12), 0xd930, "report trigger 5 of Gen12");
}

/* The codes of the L3's banks in Intel's MemoryReads (Skylake): both halves of both report triggers. */
static void test_codes(void)
{
	static const struct { uint32_t control; int half, code; } rows[] = {
		{ 0x6667, 0, 0x18 }, { 0x6667, 1, 0x19 }, { 0x6465, 0, 0x1a }, { 0x6465, 1, 0x1b },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const uint32_t words[OA_TRIGGER_WORDS] = { 0, rows[i].control, 0x86543210, 0x86543210 };
		struct oa_trigger t = oa_trigger_decode(words);
		int high = 0, found = -1;

		ok(!oa_trigger_is_known(&t) && oa_trigger_is_used(&t), "%#x: its halves differ", rows[i].control);
		for (int k = 0; k < OA_TRIGGER_HALF; k++) {
			int from = rows[i].half * OA_TRIGGER_HALF + k;

			t.lane[k] = t.lane[OA_TRIGGER_HALF + k] = t.lane[from];
		}
		t.inverted_a = (uint16_t)((t.inverted_a >> 8 * rows[i].half & 0xff) * 0x101);
		for (int lanes = 0; lanes < 0x200; lanes++)
			if (!(lanes & 0x80) && oa_trigger_holds(&t, (uint16_t)lanes)) {
				high++;
				found = lanes;
			}
		ok(high == 1 && found == (0x100 | rows[i].code), "%#x, half %d is code %#x (%#x)",
			rows[i].control, rows[i].half, rows[i].code, found);
	}
}

/* All lanes as they should be, or not, for every choice of lanes and values that fits. */
static void test_looks(void)
{
	uint32_t state = 7;
	int bad = 0, n = 0;

	for (int i = 0; i < 20000; i++) {
		uint16_t lanes = (uint16_t)next_random(&state), high = (uint16_t)next_random(&state) & lanes;
		uint16_t now = (uint16_t)next_random(&state);
		struct oa_trigger t = { .threshold = 1 };
		uint32_t words[OA_TRIGGER_WORDS];

		if (!lanes || __builtin_popcount(lanes) > OA_TRIGGER_HALF)
			continue;
		/* Half of the time they are as they should be. */
		if (i & 1)
			now = (uint16_t)((now & ~lanes) | high);
		oa_trigger_look_at(&t, lanes, high, i & 2);
		oa_trigger_encode(&t, words);
		t = oa_trigger_decode(words);
		n++;
		bad += !oa_trigger_is_known(&t) || oa_trigger_lanes(&t) != lanes ||
			oa_trigger_holds(&t, now) != (((now & lanes) == high) != !!(i & 2));
	}
	ok(n > 10000 && bad == 0, "%d triggers look at their lanes", n);
}

/* In Intel's files no word is lost, start triggers fire at once, and report triggers ask for nothing. */
static void test_intels_sets(void)
{
	struct oracle_files f;
	char *xml;
	int n = 0, late = 0, asking = 0;

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
		xml[len > 0 ? len : 0] = '\0';
		for (char *set = oracle_find(xml, "<set "); set; set = oracle_find(set + 1, "<set ")) {
			char *end = oracle_find(set, "</set>");
			struct oa_reg regs[64];
			size_t n_regs = 0;

			for (char *p = oracle_find(set, "<register "); p && (!end || p < end);
				p = oracle_find(p + 1, "<register ")) {
				const char *address = oracle_find(p, "address=\""), *value = oracle_find(p, "value=\"");
				uint32_t at = address ? (uint32_t)strtoul(address + 9, NULL, 0) : 0;

				if (value && n_regs < ARRAY_LEN(regs) &&
					((at >= 0x2710 && at < 0x2760) || (at >= 0xd900 && at < 0xd940)))
					regs[n_regs++] = (struct oa_reg){ OA_REG_OA, at,
						(uint32_t)strtoul(value + 7, NULL, 0) };
			}
			for (int ver = 9; ver <= 12; ver += 3) {
				struct oa_triggers all = oa_triggers_of(regs, n_regs, ver);

				for (int k = 0; k < 2; k++) {
					n += all.has_start >> k & 1;
					late += (all.has_start >> k & 1) && !oa_trigger_is_immediate(&all.start[k]);
					asking += all.report[k].is_enabled;
				}
			}
		}
	}
	free(xml);
	ok(n > 1500, "%d start triggers of Intel's sets", n);
	is_int(late, 0, "... fire at once");
	is_int(asking, 0, "... and no report trigger is enabled");
}

/* --- the simulated unit --- */

static const char load[] = "hd620,load=private.mad.sp.x4,groups=64,items=256";

/* wishes: directives of triggers, NULL at the end. */
static void open_with(struct rig *r, const char *spec, const char *config, const char *const *wishes)
{
	const char *directives[8] = { "program A7 active", config };

	for (int i = 0; wishes && wishes[i]; i++)
		directives[2 + i] = wishes[i];
	rig_open(r, spec, directives, 0);
}

/* Reports of triggers come beside those of the timer, and leave the window's sums as they are. */
static void test_reports(void)
{
	static const char *const wishes[] = { "trigger report 1000:L13", "trigger report 500:any(L15,L10)", NULL };
	static const char *const names[] = { "GPU_TICKS", "A4", "A7", "C5", "C7" };
	struct sample with[8], without[8];
	struct rig a, b;
	double clocks[2] = { 0 }, fired[2] = { 0 };
	uint64_t reports[2] = { 0 };

	open_with(&a, load, "config kblgt2-tdl2", wishes);
	open_with(&b, load, "config kblgt2-tdl2", NULL);
	for (int w = 0; w < 5; w++) {
		rig_window(&a, NS_PER_S, 7 * NS_PER_MS, with);
		rig_window(&b, NS_PER_S, NS_PER_S, without);
		clocks[0] += rig_value(&a, with, 0, "C5");
		clocks[1] += rig_value(&a, with, 0, "C7") + rig_value(&a, with, 0, "C2");
		for (int i = 0; i < 2; i++)
			fired[i] += with[0].triggered[i];
		reports[0] += with[0].reports;
		reports[1] += without[0].reports;
		for (size_t i = 0; i < ARRAY_LEN(names) && w > 0; i++) {
			double rate = rig_value(&a, with, 0, names[i]) / (double)with[0].window_ns;
			double plain = rig_value(&b, without, 0, names[i]) / (double)without[0].window_ns;

			is_near(rate / plain, 1, 0.02, "window %d: %s per second is as without triggers", w, names[i]);
		}
	}
	is_near(fired[0], floor(clocks[0] / 1000), 1, "a report for each 1000 clocks of lane 13");
	/* Two ports of a subslice are hardly ever high at once. */
	is_near(fired[1], clocks[1] / 500, 2, "a report for each 500 clocks in which lane 15 or 10 is high");
	is_near((double)(reports[0] - reports[1]), fired[0] + fired[1], 2, "all others are the timer's");
	ok(fired[0] > 100 && fired[1] > 500, "%.0f and %.0f reports", fired[0], fired[1]);
	is_int(without[0].triggered[0] + without[0].triggered[1], 0, "without triggers none");
	rig_close(&a);
	rig_close(&b);
}

static void test_start(void)
{
	static const char *const wishes[] = { "trigger start 30000:L13", NULL };
	static const char *const never[] = { "trigger start 1:all(L13,!L13)", NULL };
	struct sample with[8], without[8];
	double held[3] = { 0 }, plain[3] = { 0 };
	struct rig a, b;
	struct err err = { 0 };

	open_with(&a, load, "config kblgt2-tdl2", wishes);
	open_with(&b, load, "config kblgt2-tdl2", NULL);
	for (int w = 0; w < 3; w++) {
		rig_window(&a, NS_PER_S, NS_PER_S, with);
		rig_window(&b, NS_PER_S, NS_PER_S, without);
		held[w] = rig_value(&a, with, 0, "C5");
		plain[w] = rig_value(&b, without, 0, "C5");
		is_near(rig_value(&a, with, 0, "A4"), rig_value(&b, without, 0, "A4"), 0, "window %d: A counters are not held", w);
	}
	/* What was counted before the first report is in no window. */
	is_near(held[0] + held[1] + held[2], plain[0] + plain[1] + plain[2] - 30000, plain[2] / 100,
		"C5 begins once lane 13 was high for 30000 clocks");
	is_near(held[2], plain[2], 0, "and goes on as without");
	rig_close(&a);
	rig_close(&b);
	const char *const directives[] = { "program A7 active", "config kblgt2-tdl2", never[0], NULL };
	ok(!rig_try(&a, load, directives, 0, NS_PER_S, &err), "a signal is there once: %s", err.msg);
}

/* Bits 17 and 18 of ids from Gen12 on. */
struct ids {
	uint32_t first, last;
	int n;
};

static void take_ids(void *ctx, const void *records, size_t len)
{
	struct ids *ids = ctx;
	const uint8_t *p = records;

	for (size_t at = 0; at + 8 + 256 <= len; at += 8 + 256) {
		memcpy(&ids->last, p + at + 8, sizeof(ids->last));
		if (ids->n++ == 0)
			ids->first = ids->last;
	}
}

static void test_ids(void)
{
	static const char *const wishes[] = { "trigger start 20000:any(L8,L9,L10,L11)", "trigger report 9000:L8", NULL };
	struct ids ids = { .n = 0 };
	const struct record_tap listener = { .ctx = &ids, .records = take_ids };
	struct sample s[8];
	struct rig r;

	open_with(&r, "tgl,load=private.mad.sp.x4,groups=64,items=256", "config tglgt2-tdl1", wishes);
	r.dev.sources[0]->ops->set_tap(r.dev.sources[0], &listener);
	rig_window(&r, 3 * NS_PER_S, 10 * NS_PER_MS, s);
	is_int(ids.first >> 17 & 3, 1, "first report: a threshold, not started");
	is_int(ids.last >> 17 & 3, 3, "last one: started");
	ok(s[0].triggered[0] > 0, "%u reports of trigger 1", s[0].triggered[0]);
	rig_close(&r);
}

/* A report for every clock is more than the ring takes: it overflows, as on hardware, and nothing hangs. */
static void test_flood(void)
{
	static const char *const wishes[] = { "trigger report 1:!L13", NULL };
	struct sample s[8];
	struct rig r;

	open_with(&r, load, "config kblgt2-tdl2", wishes);
	rig_window(&r, NS_PER_S, 100 * NS_PER_MS, s);
	ok(s[0].lost > 0, "%llu losses", (unsigned long long)s[0].lost);
	ok(s[0].quality & SAMPLE_LOST, "which the window says");
	rig_close(&r);
}

static void test_unknown(void)
{
	static const char *const rows[][2] = {
		{ "config kblgt2-tdl2", "trigger report 5:L3" },
		{ "config kblgt2-compute", "trigger report 5:L1" },
		{ "config kblgt2-tdl2", "trigger start 5:L3" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *const directives[] = { "program A7 active", rows[i][0], rows[i][1], NULL };
		struct err err = { 0 };
		struct rig r;

		ok(!rig_try(&r, load, directives, 0, NS_PER_S, &err) &&
				strstr(err.msg, "does not know what set rig brings"),
			"%s, %s: %s", rows[i][0], rows[i][1], err.msg);
	}
}

int main(void)
{
	test_words();
	test_codes();
	test_looks();
	test_intels_sets();
	test_reports();
	test_start();
	test_ids();
	test_flood();
	test_unknown();
	return done_testing();
}
