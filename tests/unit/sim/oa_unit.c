/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of the OA unit: events, timer, binary reports, ring and status bits, wraps, and the
 * published test signals. */
#include "config.h"

#include <stdlib.h>

#include "backends/sim/model/oa_unit.h"
#include "backends/sim/spec.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/value/accum.h"
#include "data/data.h"
#include "tests/tap.h"

#define PERIOD_EXPONENT 13

/* A unit with its load, as the backend builds them. */
struct bench {
	struct sim_spec spec;
	struct device device;
	struct workload_hardware hw;
	struct course course;
	struct oa_unit unit;
};

static const char *find_config(const char *name)
{
	return packed_find(oa_config_files, name, ".oacfg");
}

static void die(const struct err *err)
{
	printf("Bail out! %s\n", err->msg);
	exit(1);
}

static void program_config(struct oa_unit *u, const char *config)
{
	struct set_directive d = { (char *)"config", (char *)config, (char *)"test", 1 };
	struct metric_set set = { .name = (char *)"test", .directives = &d, .n_directives = 1 };
	struct oa_profile p;
	struct err err;

	if (!oa_profile_build(&p, &set, &(struct device){ .platform = "hsw" }, find_config, &err))
		die(&err);
	oa_unit_program(u, p.regs, p.n_regs);
	oa_profile_release(&p);
}

/* config: a register file, or NULL; flex: values of EU_PERF_CNT_CTL0 to 6, or NULL. */
static void bench_start(struct bench *b, const char *spec, const char *config, const uint32_t *flex,
	int graphics_ver)
{
	struct err err = { 0 };
	struct oa_reg regs[OA_FLEX_REGS];
	struct oa_unit_config c = {
		.graphics_ver = graphics_ver, .threads_per_pulse = 8, .threads_per_count = 1
	};

	memset(b, 0, sizeof(*b));
	if (!sim_spec_parse(spec, &b->spec, &err) || !sim_device(&b->spec.machine, &b->device, &err))
		die(&err);
	b->hw = sim_hardware(&b->spec.machine, &b->device);
	c.format = oa_format_by_number(b->device.oa_format);
	c.timestamp_hz = b->device.timestamp_hz;
	c.clock_reports = b->spec.load.walk;
	if (!oa_unit_init(&b->unit, &c, &err))
		die(&err);
	if (config)
		program_config(&b->unit, config);
	for (int i = 0; flex && i < OA_FLEX_REGS; i++)
		regs[i] = (struct oa_reg){ OA_REG_FLEX, oa_flex_addresses[i], flex[i] };
	if (flex)
		oa_unit_program(&b->unit, regs, OA_FLEX_REGS);
	b->course.jitter_pct = b->spec.flaws.jitter_pct;
	b->course.seed = b->spec.load.seed;
	if (!workload_build(&b->course, &b->hw, &b->spec.load, oa_unit_select, &b->unit, &err))
		die(&err);
	course_seal(&b->course);
	oa_unit_attach(&b->unit, &b->course);
}

static void bench_end(struct bench *b)
{
	oa_unit_release(&b->unit);
	course_release(&b->course);
}

static uint64_t random_u64(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *state ^ *state >> 33;
}

/* encode is the inverse of decode, for every format in the table. */
static void encoder(void)
{
	uint64_t seed = 1, in[OA_MAX_COUNTERS], out[OA_MAX_COUNTERS];
	struct counter_desc desc[OA_MAX_COUNTERS];
	uint8_t report[1024];

	for (size_t i = 0; i < oa_format_count; i++) {
		const struct oa_format *f = &oa_formats[i];
		struct oa_header h = { .id = 0x12345678, .timestamp = 0x9abcdef0, .ctx_id = 77 },
				 got;
		int n = oa_format_counters(f, desc), bad = 0;

		for (int k = 0; k < n; k++)
			in[k] = random_u64(&seed) &
				(desc[k].bits >= 64 ? UINT64_MAX
						    : (UINT64_C(1) << desc[k].bits) - 1);
		in[0] = h.timestamp;
		if (!f->has_ticks)
			in[1] = 0;
		oa_encode(f, &h, in, report);
		oa_decode(f, report, out);
		oa_read_header(f, report, &got);
		for (int k = 0; k < n; k++)
			bad += in[k] != out[k];
		is_int(bad, 0, "%s: decode gives back what encode took", f->name);
		ok(got.id == h.id && got.timestamp == h.timestamp &&
				(f->bytes == 64 || got.ctx_id == 77 || !f->has_ticks),
			"%s: header", f->name);
	}
}

/* A7 of a unit whose first register has that value, after a second. */
static double count_event(const char *spec, uint32_t half)
{
	static struct bench b;
	uint32_t flex[OA_FLEX_REGS] = { half };
	double v;

	bench_start(&b, spec, NULL, flex, 9);
	oa_unit_enable(&b.unit, 0, PERIOD_EXPONENT, 0);
	v = (double)oa_unit_counter(&b.unit, Q_A + 7, NS_PER_S);
	bench_end(&b);
	return v;
}

static void filters(void)
{
	static const uint8_t increments[] = { 0, 1, 2, 3, 4, 5, 8 };
	const char *load = "hd620,load=loop.mad.sp.x4,groups=4,items=100";

	for (size_t i = 0; i < ARRAY_LEN(increments); i++) {
		double all = count_event(load, increments[i]), sum = 0;

		for (uint32_t row = 7; row <= 8; row++)
			for (uint32_t eu = 7; eu <= 10; eu++)
				sum += count_event(load, eu << 8 | row << 4 | increments[i]);
		ok(all > 0, "event %d counts", increments[i]);
		is_near(sum, all, 8, "event %d: the eight positions add up", increments[i]);
		is_near(count_event(load, 0x070u | increments[i]) +
				count_event(load, 0x080u | increments[i]),
			all, 2, "event %d: so do the rows", increments[i]);
		is_near(count_event(load, 0x060u | increments[i]), all, 0,
			"event %d: all of it is compute", increments[i]);
		is_near(count_event(load, 0x050u | increments[i]), 0, 0,
			"event %d: none of it are pixels", increments[i]);
	}
	is_near(count_event(load, 0x100) + count_event(load, 0x200) + count_event(load, 0x300) +
			count_event(load, 0x400),
		count_event(load, 0x000), 4, "the instruction types of FPU0 add up");
	ok(count_event("hd620,load=desktop", 0x054) > 0 &&
			count_event("hd620,load=desktop", 0x014) > 0,
		"a desktop has pixels and vertices");
	is_near(count_event(load, 0x222), 0, 0, "Intel's parking value counts nothing");
	is_near(count_event(load, 0x00f), 0, 0, "off counts nothing");
	ok(count_event(load, 0x502) > 0 && count_event(load, 0x502) < count_event(load, 0x002),
		"send starts are fewer than send cycles");
}

/* 0x770: the value that the thesis wrote to EU_PERF_CNT_CTL0. */
static void thesis_register(void)
{
	double all = count_event("hd620,load=private.mad.sp.x4", 0x000),
	       one = count_event("hd620,load=private.mad.sp.x4", 0x770);

	is_near(one, all / 8, 2, "0x770 is one of eight EU positions of FPU0");
}

static void free_running(void)
{
	static struct bench b;

	bench_start(&b, "hd620,load=desktop", NULL, NULL, 9);
	is_int(oa_unit_counter(&b.unit, Q_A + 7, NS_PER_S), 0,
		"A7 stands still before counting is enabled");
	is_int(oa_unit_counter(&b.unit, Q_TICKS, NS_PER_S), 0, "so do the ticks");
	ok(oa_unit_counter(&b.unit, Q_A + 4, NS_PER_S) > 0, "A4 runs");
	ok(oa_unit_counter(&b.unit, Q_A + 6, NS_PER_S) > 0, "A6 runs");
	ok(oa_unit_counter(&b.unit, Q_A + 19, NS_PER_S) > 0,
		"A19 runs, below Gen12 with the reset value of its register");
	oa_unit_enable(&b.unit, NS_PER_S, PERIOD_EXPONENT, 0);
	is_int(oa_unit_counter(&b.unit, Q_A + 7, NS_PER_S), 0, "A7 starts when enabled");
	ok(oa_unit_counter(&b.unit, Q_A + 4, NS_PER_S) > 0, "A4 goes on");
	bench_end(&b);
	bench_start(&b, "tgl,load=desktop", NULL, NULL, 12);
	is_int(oa_unit_counter(&b.unit, Q_A + 19, NS_PER_S), 0,
		"on Gen12 A19 is off until programmed");
	bench_end(&b);
}

static void timer_and_ring(void)
{
	static struct bench b;
	struct oa_header h, prev = { 0 };
	int bad = 0, n;

	bench_start(&b, "hd620,load=copy.sp.x4", NULL, NULL, 9);
	oa_unit_enable(&b.unit, 0, PERIOD_EXPONENT, 0);
	oa_unit_advance(&b.unit, NS_PER_S);
	n = (int)oa_unit_tail(&b.unit) / 256;
	is_int(n, 12000000 >> (PERIOD_EXPONENT + 1), "a second holds f / 2^(exponent + 1) reports");
	for (int i = 0; i < n; i++) {
		oa_read_header(b.unit.c.format, b.unit.ring + i * 256, &h);
		bad += h.timestamp % (1u << (PERIOD_EXPONENT + 1)) != 1u << PERIOD_EXPONENT ||
			oa_reasons(9, h.id) != OA_REASON_TIMER;
		bad += i > 0 && h.timestamp - prev.timestamp != 1u << (PERIOD_EXPONENT + 1);
		prev = h;
	}
	is_int(bad, 0, "they are timer reports, when the bit that the exponent names becomes 1");
	oa_unit_set_head(&b.unit, oa_unit_tail(&b.unit));
	is_int(oa_unit_head(&b.unit), n * 256, "head follows");
	oa_unit_advance(&b.unit,
		((int64_t)(2 * n + 1) * (1 << PERIOD_EXPONENT) * NS_PER_S + 11999999) / 12000000 + 250);
	is_int(oa_unit_tail(&b.unit) - oa_unit_head(&b.unit), 128, "a report lands line by line");
	oa_unit_advance(&b.unit, 2 * NS_PER_S);
	is_int(oa_unit_tail(&b.unit) % 256, 0, "and is whole in the end");
	bench_end(&b);
}

static void overflow(void)
{
	static struct bench b;
	uint32_t head;

	bench_start(&b, "hd620,load=idle", NULL, NULL, 9);
	oa_unit_enable(&b.unit, 0, 5, 0);
	oa_unit_advance(&b.unit, 340 * NS_PER_MS);
	is_int(b.unit.status & OA_STATUS_BUFFER_OVERFLOW, 0,
		"64 K reports do not fill the ring before 0.35 s");
	head = oa_unit_head(&b.unit);
	oa_unit_advance(&b.unit, 360 * NS_PER_MS);
	ok(b.unit.status & OA_STATUS_BUFFER_OVERFLOW, "then the tail passes the head");
	is_int(oa_unit_head(&b.unit), head, "the head is left alone, reports are overrun");
	oa_unit_reset_buffer(&b.unit);
	is_int(b.unit.status, 0, "a reset clears the status");
	is_int(oa_unit_tail(&b.unit), 0, "and the ring");
	oa_unit_advance(&b.unit, 400000 * NS_PER_S);
	ok(b.unit.status & OA_STATUS_BUFFER_OVERFLOW, "days without a reader overflow it at once");
	oa_unit_reset_buffer(&b.unit);
	oa_unit_advance(&b.unit, 400000 * NS_PER_S + 100000);
	is_int(oa_unit_tail(&b.unit) / 256, 19, "reports go on from there");
	bench_end(&b);
}

/* Whatever the size of a ring, each report is read as it was written, lap after lap: memory that goes back held none
 * that waits. */
static void sizes(void)
{
	static struct bench b;
	uint8_t report[256];

	for (uint32_t bytes = 128u << 10; bytes <= 16u << 20; bytes *= 2) {
		struct oa_unit_config c;
		struct err err = { 0 };
		int read = 0, bad = 0;
		uint32_t last = 0, stamp;

		if (!in_share_of(3))
			continue;
		bench_start(&b, "hd620,load=idle", NULL, NULL, 9);
		c = b.unit.c;
		c.buffer_bytes = bytes;
		oa_unit_release(&b.unit);
		if (!oa_unit_init(&b.unit, &c, &err))
			die(&err);
		oa_unit_attach(&b.unit, &b.course);
		oa_unit_enable(&b.unit, 0, 5, 0);
		/* Three quarters of the ring wait each time. A report comes every 64 ticks. */
		for (int i = 1; i <= 4; i++) {
			oa_unit_advance(&b.unit, (int64_t)bytes * 3 / 4 * i / 256 * 64 * NS_PER_S / 12000000);
			for (; oa_unit_waiting(&b.unit) >= 256; read++) {
				oa_unit_take(&b.unit, report);
				memcpy(&stamp, report + 4, sizeof(stamp));
				bad += read > 0 && stamp - last != 64;
				last = stamp;
			}
		}
		ok(read >= (int)(bytes / 256 * 3 - 2) && !bad, "a ring of %u KiB: %d of %d reports are not the next ones", bytes >> 10, bad, read);
		bench_end(&b);
	}
}

/* Moves everything from the ring into the accumulator. */
static void drain(struct oa_unit *u, struct oa_accum *a)
{
	while (oa_unit_tail(u) != oa_unit_head(u)) {
		oa_accum_add(a, u->ring + oa_unit_head(u), 1, 256);
		oa_unit_set_head(u, (oa_unit_head(u) + 256) % OA_RING_BYTES);
	}
}

static void day(const char *spec, int64_t wrap_ns)
{
	static struct bench b;
	static struct oa_accum a;
	uint32_t flex[OA_FLEX_REGS] = { 0x005004, 0x000003, 0x002001, 0x001008 };
	uint64_t sum[OA_MAX_COUNTERS], first[OA_MAX_COUNTERS], last[OA_MAX_COUNTERS];
	struct counter_desc desc[OA_MAX_COUNTERS];
	int bad = 0, wrapped32 = 0, wrapped40 = 0;
	/* A day takes an emulator seconds. In two hours counters have turned over, too. */
	const int hours = tap_share() > 16 ? 2 : 24;
	int64_t t0, t1;
	uint64_t step;

	if (!in_share_of(2))
		return;
	bench_start(&b, spec, NULL, flex, 9);
	oa_accum_init(&a, b.unit.c.format);
	oa_unit_enable(&b.unit, 0, 23, wrap_ns);
	for (int64_t t = 0; t < hours * 3600; t += 3600) {
		oa_unit_advance(&b.unit, (t + 3600) * NS_PER_S);
		drain(&b.unit, &a);
	}
	oa_accum_take(&a, sum);
	/* The first report is half a period after a multiple of 2^24 ticks. */
	step = UINT64_C(1) << 24;
	t0 = (int64_t)((step - (b.unit.first_timestamp + step / 2) % step) * 1000 / 12) + 1;
	t1 = t0 +
		(int64_t)((sum[0] / 12000000) * NS_PER_S +
			(sum[0] % 12000000 * NS_PER_S) / 12000000);
	for (int i = 1; i < oa_format_counters(b.unit.c.format, desc); i++) {
		if (b.unit.quantity[i] < 0)
			continue;
		first[i] = oa_unit_counter(&b.unit, (enum quantity)b.unit.quantity[i], t0);
		last[i] = oa_unit_counter(&b.unit, (enum quantity)b.unit.quantity[i], t1 + 1);
		wrapped32 += desc[i].bits == 32 && last[i] - first[i] > UINT32_MAX;
		wrapped40 += desc[i].bits == 40 && last[i] - first[i] > UINT64_C(0xffffffffff);
		/* t0 and t1 are exact to some ns; a counter moves by less than 200 a ns. */
		if (fabs((double)(last[i] - first[i]) - (double)sum[i]) > 2000) {
			diag("%s: %.0f counted, %.0f summed", desc[i].name,
				(double)(last[i] - first[i]), (double)sum[i]);
			bad++;
		}
	}
	is_int(bad, 0, "%s: sums over %d hours of reports are what the model counted", spec, hours);
	ok(wrapped32 >= 1 && wrapped40 >= 5, "%s: %d counters of 32 bits and %d of 40 bits wrapped",
		spec, wrapped32, wrapped40);
	ok(b.unit.status & OA_STATUS_COUNTER_OVERFLOW, "%s: and the status says so", spec);
	bench_end(&b);
}

static void test_signals(void)
{
	static const struct {
		const char *spec, *config;
		int graphics_ver;
	} rows[] = {
		{ "hd620,load=desktop,freq=walk", "kblgt2-testoa", 9 }, { "chv,load=desktop", "chv-testoa", 8 },
		{ "tgl,load=tour", "tglgt2-testoa", 12 },
	};
	static const int num[8] = { 0, 1, 1, 1, 1, 1, 1, 2 }, den[8] = { 1, 1, 1, 2, 3, 3, 6, 3 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		static struct bench b;
		int bad = 0;

		bench_start(&b, rows[i].spec, rows[i].config, NULL, rows[i].graphics_ver);
		oa_unit_enable(&b.unit, 0, PERIOD_EXPONENT, 0);
		for (int64_t t = 0; t < 100; t++) {
			uint64_t clk = oa_unit_counter(&b.unit, Q_TICKS, (t + 1) * 777777777) -
				       oa_unit_counter(&b.unit, Q_TICKS, t * 777777777);

			for (int k = 0; k < 8; k++) {
				uint64_t delta = oa_unit_counter(
							 &b.unit, Q_B + k, (t + 1) * 777777777) -
					oa_unit_counter(&b.unit, Q_B + k, t * 777777777);

				bad += llabs((long long)(delta - clk * num[k] / den[k])) > 1;
			}
		}
		is_int(bad, 0, "%s: B0 to B7 are the published shares of the clock, to one",
			rows[i].config);
		bench_end(&b);
	}
}

static void gti(void)
{
	static const struct {
		const char *spec, *config;
		int graphics_ver;
		uint8_t reads, writes;
	} rows[] = {
		{ "hd620,load=stream.sp.x4", "kblgt2-compute", 9, 0x10, 0x20 },
		{ "chv,load=stream.sp.x4", "chv-compute", 8, 0x01, 0x02 },
		{ "tgl,load=stream.sp.x4", "tglgt2-compute", 12, 0xf0, 0x0c },
		{ "hd620,load=stream.sp.x4", "kblgt2-render", 9, 0x40, 0x80 },
		{ "tgl,load=stream.sp.x4", "tglgt2-render", 12, 0x3c, 0x03 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		static struct bench b;
		double reads = 0, writes = 0, other = 0, want;

		bench_start(&b, rows[i].spec, rows[i].config, NULL, rows[i].graphics_ver);
		oa_unit_enable(&b.unit, 0, PERIOD_EXPONENT, 0);
		for (int k = 0; k < 8; k++) {
			double v = 64.0 * (double)oa_unit_counter(&b.unit, Q_C + k, NS_PER_S) / 1e9;

			*(rows[i].reads & 1 << k ? &reads : rows[i].writes & 1 << k ? &writes : &other) += v;
		}
		want = rows[i].reads ? b.spec.machine.dram_bytes_per_s * 0.85 / 2e9 : 0;
		is_near(reads, want, want / 50, "%s: reads %.1f GB/s", rows[i].config, reads);
		is_near(writes, want, want / 50, "%s: writes %.1f GB/s", rows[i].config, writes);
		is_near(other, 0, 0, "%s: the other C counters stand still", rows[i].config);
		bench_end(&b);
	}
}

static void report_ids(void)
{
	static const struct {
		const char *spec;
		int graphics_ver;
		bool busy;
	} rows[] = { { "chv,load=copy.sp.x4", 8, true }, { "hd620,load=copy.sp.x4", 9, true },
		{ "hd620,load=idle", 9, false }, { "chv,load=idle", 8, false },
		{ "tgl,load=copy.sp.x4", 12, true } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		static struct bench b;
		uint64_t unslice, slice;
		struct course_state s;
		struct oa_header h;

		bench_start(&b, rows[i].spec, NULL, NULL, rows[i].graphics_ver);
		oa_unit_enable(&b.unit, 0, PERIOD_EXPONENT, 0);
		oa_unit_advance(&b.unit, 10 * NS_PER_MS);
		oa_read_header(b.unit.c.format, b.unit.ring, &h);
		course_at(&b.course, 10 * NS_PER_MS, &s);
		oa_clock_ratios(h.id, &unslice, &slice);
		is_int(oa_reasons(rows[i].graphics_ver, h.id), OA_REASON_TIMER, "%s: reason",
			rows[i].spec);
		if (rows[i].graphics_ver < 12)
			is_int(oa_ctx_valid(rows[i].graphics_ver, h.id), rows[i].busy,
				"%s: context valid", rows[i].spec);
		is_int(h.ctx_id == UINT32_MAX, !rows[i].busy, "%s: context id", rows[i].spec);
		is_int(unslice, rows[i].graphics_ver == 8 ? 0 : s.hz, "%s: the clock is in the id",
			rows[i].spec);
		if (rows[i].graphics_ver == 9)
			is_int(slice, s.hz, "%s: that of the slices too", rows[i].spec);
		bench_end(&b);
	}
}

static void clock_changes(void)
{
	static struct bench b;
	uint64_t id_hz, slice;
	struct oa_header h;
	int changes = 0, wrong = 0;

	bench_start(&b, "hd620,load=private.mad.sp.x4,freq=walk", NULL, NULL, 9);
	oa_unit_enable(&b.unit, 0, 16, 0);
	oa_unit_advance(&b.unit, 10 * NS_PER_S + NS_PER_MS);
	for (uint32_t at = 0; at + 256 <= oa_unit_tail(&b.unit); at += 256) {
		oa_read_header(b.unit.c.format, b.unit.ring + at, &h);
		oa_clock_ratios(h.id, &id_hz, &slice);
		changes += oa_reasons(9, h.id) == OA_REASON_CLK_RATIO;
		wrong += id_hz % 50000000 != 0 || id_hz < 300000000 || id_hz > 1050000000;
	}
	is_int(changes, 20, "each half second the clock changes and is reported");
	is_int(wrong, 0, "clocks are steps of 50 MHz within the limits");
	bench_end(&b);
}

/* Values depend on the time alone, and never go back, whatever the flaws. */
static void pure_function(const char *spec)
{
	static struct bench b, again;
	uint64_t before[Q_COUNT] = { 0 }, now[Q_COUNT], other[Q_COUNT];
	uint64_t seed = 7;
	int back = 0, different = 0;

	if (!in_share_of(3))
		return;
	bench_start(&b, spec, NULL, NULL, 9);
	bench_start(&again, spec, NULL, NULL, 9);
	for (int64_t t = 0; t < (tap_share() > 16 ? 10 : 100) * NS_PER_S;
		t += 2000 + (int64_t)(random_u64(&seed) % 20000000)) {
		course_values(&b.course, t, now);
		course_values(&again.course, t, other);
		different += memcmp(now, other, sizeof(now)) != 0;
		for (int q = 0; q < Q_COUNT; q++)
			back += now[q] < before[q] ||
				now[q] != course_value(&b.course, (enum quantity)q, t);
		memcpy(before, now, sizeof(before));
	}
	is_int(back, 0, "%s: no quantity goes back", spec);
	is_int(different, 0, "%s: two models agree", spec);
	bench_end(&b);
	bench_end(&again);
}

static void conservation(const char *spec)
{
	static struct bench b;
	/* active, stall; both, FPU0; FPU1, FPU0 */
	uint32_t flex[OA_FLEX_REGS] = { 0x005004, 0x000003, 0x000001 };
	uint64_t a[Q_COUNT], z[Q_COUNT], d[Q_COUNT];
	int bad = 0;

	if (!in_share_of(4))
		return;
	bench_start(&b, spec, NULL, flex, 9);
	course_values(&b.course, 0, a);
	for (int64_t t = 1; t < 45000; t += 3) {
		double eus = b.device.topology.eus;

		course_values(&b.course, t * NS_PER_MS, z);
		for (int q = 0; q < Q_COUNT; q++)
			d[q] = z[q] - a[q];
		bad += (double)d[Q_A + 7] + (double)d[Q_A + 8] > eus * (double)d[Q_TICKS] + 2;
		bad += (double)d[Q_A + 11] + (double)d[Q_A + 10] - (double)d[Q_A + 9] >
			(double)d[Q_A + 7] + 3;
		bad += (double)d[Q_A] > (double)d[Q_TICKS];
		bad += d[Q_A + 9] > d[Q_A + 10] + 1 || d[Q_A + 9] > d[Q_A + 11] + 1;
		memcpy(a, z, sizeof(a));
	}
	is_int(bad, 0,
		"%s: active + stall <= clocks x EUs, FPU0 + FPU1 - both <= active, busy <= clocks",
		spec);
	bench_end(&b);
}

/* Launches that fill every EU from end to end leave idle only what is between them. */
static void idle_is_the_rest(void)
{
	static struct bench b;
	uint32_t flex[OA_FLEX_REGS] = { 0x005004 };
	double launch = 0, gap = 0, idle, clk;
	const struct course_pattern *pat;

	bench_start(&b, "hd620,load=private.mad.sp.x1,groups=21", NULL, flex, 9);
	pat = &b.course.patterns[0];
	for (int i = 0; i < pat->n; i++)
		*(i == pat->n - 1 ? &gap : &launch) += (double)pat->phases[i].cycles;
	clk = (double)course_value(&b.course, Q_TICKS, 10 * NS_PER_S);
	idle = 24 * clk - (double)course_value(&b.course, Q_A + 7, 10 * NS_PER_S) -
	       (double)course_value(&b.course, Q_A + 8, 10 * NS_PER_S);
	is_near(idle / (24 * clk), gap / (launch + gap), 1e-5,
		"active + stall + idle = clocks x EUs: idle is the gap between launches");
	bench_end(&b);
}

int main(void)
{
	encoder();
	filters();
	thesis_register();
	free_running();
	timer_and_ring();
	overflow();
	sizes();
	day("hd620,load=tour", 0);
	day("hd620,load=private.mad.sp.x1", 300 * NS_PER_MS);
	test_signals();
	gti();
	report_ids();
	clock_changes();
	pure_function("hd620,load=tour");
	pure_function("hd620,load=tour,jitter=40,freq=walk,rc6,seed=5");
	pure_function("tgl,load=desktop,rc6,jitter=7");
	conservation("hd620,load=tour");
	conservation("hd620,load=tour,rc6,jitter=30");
	conservation("hd620,load=desktop,freq=walk");
	conservation("chv,load=loop.add.sp.x8,groups=5,items=77");
	idle_is_the_rest();
	return done_testing();
}
