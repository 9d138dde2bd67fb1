/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the numbers of one NVIDIA GPU: gauges, counters that wrap, and the performance monitor
 * (GPM) of Hopper and later. What the library calls by number stands in tables here; the numbers
 * are those of its public interface, API 12 and 13. */
#include "config.h"

#include "helpers/nvml_read.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define THOUSANDTHS 1000.0	/* of a per cent */
#define CORRECTED 0
#define UNCORRECTED 1
#define SINCE_LOAD 0		/* of the driver */
#define XID_ERRORS 0x8ull
#define GPM_REFRESH_NS 100000000	/* samples that are closer say nothing new */

/* Fields of nvmlDeviceGetFieldValues. The library's own unit is multiplied by factor. What is a sum
 * may wrap in the width of its type. */
static const struct field_row {
	enum nvml_value value;
	uint32_t field, scope;
	double factor;
	bool is_sum;
} fields[] = {
	{ NVML_MEMORY_TEMPERATURE, 82, 0, 1000, false },
	{ NVML_POLICY_POWER, 74, 0, 1, true },
	{ NVML_POLICY_HEAT, 75, 0, 1, true },
	{ NVML_POLICY_BOARD, 77, 0, 1, true },
	{ NVML_NVLINK_SENT, 138, UINT32_MAX, 1024, true },
	{ NVML_NVLINK_RECEIVED, 139, UINT32_MAX, 1024, true },
}, link_fields[] = {	/* bytes of the PCIe link, as a rule in 32 bits */
	{ NVML_PCIE_SENT, 197, 0, 1, true },
	{ NVML_PCIE_RECEIVED, 198, 0, 1, true },
};

/* Metrics of the performance monitor: shares in per cent or MiB a second, what makes the value's unit
 * of one, and the counter of cycles in which the same was so (0: there is none), since API 13. Rows
 * with the same value follow each other and add up: DFMA and DMMA are both double precision. */
static const struct gpm_row {
	enum nvml_value value;
	uint32_t share;
	double factor;
	uint32_t cycles;
} gpm_rows[] = {
	{ NVML_GPM_GRAPHICS, 1, THOUSANDTHS, 0 },
	{ NVML_GPM_SM, 2, THOUSANDTHS, 249 },
	{ NVML_GPM_OCCUPANCY, 3, THOUSANDTHS, 0 },
	{ NVML_GPM_INTEGER, 4, THOUSANDTHS, 257 },
	{ NVML_GPM_TENSOR, 5, THOUSANDTHS, 250 },
	{ NVML_GPM_TENSOR_FP64, 6, THOUSANDTHS, 254 },
	{ NVML_GPM_TENSOR_FP64, 8, THOUSANDTHS, 251 },
	{ NVML_GPM_TENSOR_HALF, 7, THOUSANDTHS, 252 },
	{ NVML_GPM_TENSOR_INTEGER, 9, THOUSANDTHS, 253 },
	{ NVML_GPM_DRAM, 10, THOUSANDTHS, 0 },
	{ NVML_GPM_FP64, 11, THOUSANDTHS, 258 },
	{ NVML_GPM_FP32, 12, THOUSANDTHS, 259 },
	{ NVML_GPM_FP16, 13, THOUSANDTHS, 260 },
	{ NVML_PCIE_SENT_RATE, 20, 1 << 20, 0 },
	{ NVML_PCIE_RECEIVED_RATE, 21, 1 << 20, 0 },
};

#define GPM_CYCLES_ELAPSED 248
#define GPM_ROWS (sizeof(gpm_rows) / sizeof(gpm_rows[0]))
#define FIELDS (sizeof(fields) / sizeof(fields[0]))
#define LINK_FIELDS (sizeof(link_fields) / sizeof(link_fields[0]))
#define WRAP_BYTES 0x1p32
/* What a link does at most where nobody tells its speed: PCIe 5 with 16 lanes. */
#define FASTEST_LINK_BYTES_PER_S 64e9
#define UNKNOWN_TYPE 500	/* a busy share above which some type has to be told */

/* Reasons of a low clock (bits of clock event reasons). */
static const struct {
	enum nvml_value value;
	uint64_t bits;
} reasons[] = {
	{ NVML_HELD_SETTING, 0x2 | 0x10 | 0x100 },	/* application clocks, sync boost, display clock */
	{ NVML_HELD_POWER, 0x4 | 0x80 },	/* power cap, external power brake */
	{ NVML_HELD_HEAT, 0x20 | 0x40 },	/* heat, by software and by hardware */
	{ NVML_HELD_HARDWARE, 0x8 },		/* slowdown by hardware, whatever the reason */
};

static void put_in(int *codes, uint64_t *values, enum nvml_value i, int code, double value)
{
	codes[i] = code;
	if (code == NVML_OK && (!isfinite(value) || value < 0 || value >= 0x1p63))
		codes[i] = NVML_NO_DATA;
	if (codes[i] == NVML_OK)
		values[i] = (uint64_t)(value + 0.5);
}

static void put(struct nvml_gpu *g, enum nvml_value i, int code, double value)
{
	put_in(g->codes, g->values, i, code, value);
}

/* Adds what a counter of that many bits has grown since the last reading. */
static void add(struct nvml_gpu *g, enum nvml_value i, uint64_t now, unsigned bits, double factor)
{
	uint64_t all = UINT64_MAX >> (64 - bits), grown = (now - g->last[i]) & all;

	/* One that went back was reset. */
	if (g->seen[i] && (bits == 32 || now >= g->last[i]))
		g->values[i] += (uint64_t)fmin((double)grown * factor, 0x1p63);
	g->last[i] = now;
	g->seen[i] = true;
	g->codes[i] = NVML_OK;
}

/* --- single calls --- */

static void read_load(struct nvml_gpu *g)
{
	struct nvml_utilization u = { 0 };
	unsigned v = 0, period_us;
	int code = NVML_CALL(g, utilization, g->device, &u);

	put(g, NVML_BUSY, code, u.gpu * THOUSANDTHS);
	put(g, NVML_MEMORY_BUSY, code, u.memory * THOUSANDTHS);
	code = NVML_CALL(g, encoder, g->device, &v, &period_us);
	put(g, NVML_ENCODER, code, v * THOUSANDTHS);
	code = NVML_CALL(g, decoder, g->device, &v, &period_us);
	put(g, NVML_DECODER, code, v * THOUSANDTHS);
}

static void read_clocks(struct nvml_gpu *g)
{
	unsigned long long bits = 0;
	unsigned v = 0;
	int state = 0;
	int code = NVML_CALL(g, performance_state, g->device, &state);

	if (code == NVML_FUNCTION_NOT_FOUND)
		code = NVML_CALL(g, power_state, g->device, &state);
	/* 32 is its word for unknown */
	put(g, NVML_PSTATE, code == NVML_OK && state > 15 ? NVML_NO_DATA : code, state);
	code = NVML_CALL(g, clock, g->device, NVML_CLOCK_SM, &v);
	put(g, NVML_SM_CLOCK, code, v);
	code = NVML_CALL(g, clock, g->device, NVML_CLOCK_MEMORY, &v);
	put(g, NVML_MEMORY_CLOCK, code, v);
	code = NVML_CALL(g, event_reasons, g->device, &bits);
	if (code == NVML_FUNCTION_NOT_FOUND)
		code = NVML_CALL(g, throttle_reasons, g->device, &bits);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		put(g, reasons[i].value, code, bits & reasons[i].bits ? 100 * THOUSANDTHS : 0);
}

/* The first function is on its way out; the other came with API 13. */
static int temperature_of(const struct nvml_gpu *g, unsigned *degc)
{
	struct nvml_temperature t = { .version = NVML_STRUCT_VERSION(t, 1) };

	if (g->api.temperature)
		return g->api.temperature(g->device, 0, degc);
	int code = NVML_CALL(g, temperature_v1, g->device, &t);
	*degc = t.degc > 0 ? (unsigned)t.degc : 0;
	return code;
}

static void read_power(struct nvml_gpu *g)
{
	struct nvml_fan_speed fan = { .version = NVML_STRUCT_VERSION(fan, 1) };
	unsigned long long mj = 0;
	unsigned v = 0;
	int code = NVML_CALL(g, power, g->device, &v);

	put(g, NVML_POWER, code, v);
	code = NVML_CALL(g, power_limit, g->device, &v);
	put(g, NVML_POWER_LIMIT, code, v);
	code = NVML_CALL(g, energy, g->device, &mj);
	put(g, NVML_ENERGY, code, (double)mj * 1000);
	code = temperature_of(g, &v);
	put(g, NVML_TEMPERATURE, code, v * 1000.0);
	code = NVML_CALL(g, fan, g->device, 0, &v);
	if (code == NVML_FUNCTION_NOT_FOUND)
		code = NVML_CALL(g, fan_v1, g->device, &v);
	put(g, NVML_FAN, code, v * THOUSANDTHS);
	code = NVML_CALL(g, fan_speed, g->device, &fan);
	put(g, NVML_FAN_SPEED, code, fan.rpm);
}

/* Version 2 does not count what the driver reserves as used. */
void nvml_read_memory(struct nvml_gpu *g, struct nvml_device *device, int *codes, uint64_t *values)
{
	struct nvml_memory_v2 m = { .version = NVML_STRUCT_VERSION(m, 2) };
	struct nvml_memory old = { 0 };
	int code = NVML_CALL(g, memory_v2, device, &m);

	if (code != NVML_OK) {
		code = NVML_CALL(g, memory, device, &old);
		m.total_bytes = old.total_bytes;
		m.used_bytes = old.used_bytes;
	}
	put_in(codes, values, NVML_MEMORY, code, (double)m.total_bytes);
	put_in(codes, values, NVML_MEMORY_USED, code, (double)m.used_bytes);
}

/* Share of the bits of a lane that its coding leaves: 8 of 10 bits up to 5 GT/s, 128 of 130 up to
 * 32, 242 of 256 bytes at 64 (PCI-SIG, PCI Express base specification). */
static double coding_of(unsigned mtransfers)
{
	if (mtransfers <= 5000)
		return 8.0 / 10;
	return mtransfers <= 32000 ? 128.0 / 130 : 242.0 / 256;
}

static double link_bytes_per_s(unsigned mtransfers, unsigned lanes)
{
	return lanes * mtransfers * 1e6 / 8 * coding_of(mtransfers);
}

static void read_link(struct nvml_gpu *g)
{
	unsigned generation = 0, lanes = 0;
	int code = NVML_CALL(g, link_generation, g->device, &generation);
	unsigned mtransfers = nvml_link_mtransfers(generation);

	if (code == NVML_OK && !mtransfers)
		code = NVML_NO_DATA;
	put(g, NVML_LINK_TRANSFERS, code, mtransfers);
	code = NVML_CALL(g, link_lanes, g->device, &lanes);
	put(g, NVML_LINK_LANES, code, lanes);
	if (code == NVML_OK)
		code = g->codes[NVML_LINK_TRANSFERS];
	put(g, NVML_LINK_SPEED, code, link_bytes_per_s(mtransfers, lanes));
}

static void read_errors(struct nvml_gpu *g)
{
	unsigned long long n = 0;
	struct nvml_event event = { 0 };
	int code = NVML_CALL(g, ecc_errors, g->device, CORRECTED, SINCE_LOAD, &n);

	put(g, NVML_ECC_CORRECTED, code, (double)n);
	code = NVML_CALL(g, ecc_errors, g->device, UNCORRECTED, SINCE_LOAD, &n);
	put(g, NVML_ECC_UNCORRECTED, code, (double)n);
	g->codes[NVML_XIDS] = g->events_code;
	/* More than these in one turn are counted in the next. */
	for (int i = 0; i < 16 && g->events_code == NVML_OK; i++) {
		code = NVML_CALL(g, events_wait, g->events, &event, 0);
		if (code == NVML_FUNCTION_NOT_FOUND)
			code = NVML_CALL(g, events_wait_v1, g->events, &event, 0);
		if (code != NVML_OK)
			break;
		if (event.type == XID_ERRORS)
			g->values[NVML_XIDS]++;
	}
}

/* --- fields --- */

static double number_of(const struct nvml_field *f)
{
	switch (f->type) {
	case NVML_TYPE_DOUBLE:
		return f->value.real;
	case NVML_TYPE_UINT:
		return f->value.u32;
	case NVML_TYPE_INT:
		return f->value.i32;
	case NVML_TYPE_LLONG:
		return (double)f->value.i64;
	case NVML_TYPE_USHORT:
		return f->value.u16;
	default:
		return (double)f->value.u64;
	}
}

/* What all NVLinks together move one way: the speed of a link, and how many there are. */
static void read_nvlink_speed(struct nvml_gpu *g)
{
	struct nvml_field got[2] = { { .field = 90 }, { .field = 91 } };
	int code = NVML_CALL(g, fields, g->device, 2, got);

	for (int i = 0; i < 2 && code == NVML_OK; i++)
		code = got[i].result;
	put(g, NVML_NVLINK_SPEED, code, number_of(&got[0]) * 1e6 * number_of(&got[1]));
	if (code == NVML_OK && g->values[NVML_NVLINK_SPEED] == 0)
		g->codes[NVML_NVLINK_SPEED] = NVML_NOT_SUPPORTED;
}

static void read_fields(struct nvml_gpu *g, const struct field_row *rows, size_t n)
{
	struct nvml_field got[FIELDS] = { 0 };

	for (size_t i = 0; i < n; i++) {
		got[i].field = rows[i].field;
		got[i].scope = rows[i].scope;
	}
	int code = NVML_CALL(g, fields, g->device, (int)n, got);
	for (size_t i = 0; i < n; i++) {
		const struct field_row *row = &rows[i];
		const struct nvml_field *f = &got[i];

		if (code != NVML_OK || f->result != NVML_OK)
			g->codes[row->value] = code != NVML_OK ? code : f->result;
		else if (!row->is_sum)
			put(g, row->value, NVML_OK, number_of(f) * row->factor);
		else if (f->type == NVML_TYPE_UINT)
			add(g, row->value, f->value.u32, 32, row->factor);
		else if (number_of(f) >= 0 && number_of(f) < 0x1p63)
			add(g, row->value, (uint64_t)number_of(f), 64, row->factor);
		else	/* all bits set stand for none */
			g->codes[row->value] = NVML_NO_DATA;
		g->link_wraps |= rows == link_fields && f->type == NVML_TYPE_UINT;
	}
}

/* A counter of 32 bits says what has gone by only when it cannot have come around since the last
 * look, at the highest speed of the link. */
void nvml_read_link_bytes(struct nvml_gpu *g, int64_t now_ns)
{
	bool may_have_wrapped = g->link_wraps && g->link_ns &&
		(double)(now_ns - g->link_ns) * 1e-9 * g->link_max_bytes_per_s >= WRAP_BYTES;

	for (size_t i = 0; i < LINK_FIELDS && may_have_wrapped; i++)
		g->seen[link_fields[i].value] = false;
	g->link_lost |= may_have_wrapped;
	g->link_ns = now_ns;
	read_fields(g, link_fields, LINK_FIELDS);
}

int nvml_link_period_ms(const struct nvml_gpu *g)
{
	/* A machine with much to do may be late. */
	return g->link_wraps ? (int)(WRAP_BYTES / g->link_max_bytes_per_s * 1000 / 4) : INT_MAX;
}

/* Sums over looks in the mean time are whole, or there is none. */
static void read_link_bytes(struct nvml_gpu *g, int64_t now_ns)
{
	nvml_read_link_bytes(g, now_ns);
	for (size_t i = 0; i < LINK_FIELDS && g->link_lost; i++)
		if (g->codes[link_fields[i].value] == NVML_OK)
			g->codes[link_fields[i].value] = NVML_NO_DATA;
	g->link_lost = false;
}

/* Where nobody counts the bytes, the library looks at the link for 20 ms. */
static void read_link_rate(struct nvml_gpu *g)
{
	static const enum nvml_value values[] = { NVML_PCIE_SENT_RATE, NVML_PCIE_RECEIVED_RATE };

	for (int which = 0; which < 2; which++) {
		unsigned kb_per_s = 0;

		/* What is there is the performance monitor's, or an old look. */
		if (g->gpm_code != NVML_OK || g->has_looked[which])
			g->codes[values[which]] = NVML_NOT_SUPPORTED;
		g->has_looked[which] = g->codes[link_fields[which].value] != NVML_OK &&
			g->codes[values[which]] != NVML_OK;
		if (!g->has_looked[which])
			continue;
		int code = NVML_CALL(g, link_throughput, g->device, which, &kb_per_s);
		put(g, values[which], code, kb_per_s * 1000.0);
	}
}

/* --- the performance monitor --- */

/* Rows of the same value add up. */
static void put_row(int *codes, uint64_t *values, const struct gpm_row *row, bool has_more, int code, double v)
{
	uint64_t before = values[row->value];
	bool adds = has_more && codes[row->value] == NVML_OK;

	if (adds && code != NVML_OK)
		return;
	put_in(codes, values, row->value, code, v);
	if (adds && codes[row->value] == NVML_OK)
		values[row->value] += before;
	else if (adds)
		codes[row->value] = NVML_OK;
}

static bool is_second(const struct gpm_row *row)
{
	return row > gpm_rows && row[-1].value == row->value;
}

/* Tensor units that work on no type that is told work on one that is not. What is counted under two
 * names is not more than all. */
static void check_types(int *codes, uint64_t *values)
{
	static const enum nvml_value types[] = { NVML_GPM_TENSOR_HALF, NVML_GPM_TENSOR_FP64,
		NVML_GPM_TENSOR_INTEGER };
	bool all_idle = codes[NVML_GPM_TENSOR] == NVML_OK && values[NVML_GPM_TENSOR] > UNKNOWN_TYPE;

	for (int i = 0; i < 3; i++)
		all_idle = all_idle && codes[types[i]] == NVML_OK && values[types[i]] == 0;
	for (int i = 0; i < 3 && all_idle; i++)
		codes[types[i]] = NVML_NOT_SUPPORTED;
	if (codes[NVML_GPM_TENSOR] == NVML_OK && values[NVML_GPM_TENSOR_FP64] > values[NVML_GPM_TENSOR])
		values[NVML_GPM_TENSOR_FP64] = values[NVML_GPM_TENSOR];
}

/* Asks for the metrics with these numbers between the two samples; row i has the answer for it. */
static int ask_metrics(
	struct nvml_gpu *g, const struct nvml_gpm *gpm, const uint32_t *numbers, size_t n)
{
	struct nvml_gpm_metrics *m = &g->metrics;

	m->version = 1;
	m->count = (uint32_t)n;
	m->before = gpm->samples[!gpm->sample];
	m->now = gpm->samples[gpm->sample];
	for (size_t i = 0; i < n; i++)
		m->metrics[i] = (struct nvml_gpm_metric){ .metric = numbers[i],
			.result = NVML_NO_DATA, .value = NAN };
	return NVML_CALL(g, gpm_metrics, m);
}

static int take_sample(
	struct nvml_gpu *g, struct nvml_gpm *gpm, uint32_t instance, int64_t now_ns)
{
	int next = gpm->sample == 0, code;

	if (instance == NVML_WHOLE)
		code = NVML_CALL(g, gpm_get, g->device, gpm->samples[next]);
	else
		code = NVML_CALL(g, gpm_get_instance, g->device, instance, gpm->samples[next]);
	if (code == NVML_OK) {
		gpm->sample = next;
		gpm->sample_ns = now_ns;
	}
	return code;
}

static void fail_gpm(int *codes, int code)
{
	for (size_t i = 0; i < GPM_ROWS; i++)
		codes[gpm_rows[i].value] = code;
}

static void read_shares(
	struct nvml_gpu *g, const struct nvml_gpm *gpm, int *codes, uint64_t *values)
{
	uint32_t numbers[GPM_ROWS];

	for (size_t i = 0; i < GPM_ROWS; i++)
		numbers[i] = gpm_rows[i].share;
	int code = ask_metrics(g, gpm, numbers, GPM_ROWS);
	for (size_t i = 0; i < GPM_ROWS; i++) {
		const struct nvml_gpm_metric *m = &g->metrics.metrics[i];

		put_row(codes, values, &gpm_rows[i], is_second(&gpm_rows[i]),
			code != NVML_OK ? code : m->result, m->value * gpm_rows[i].factor);
	}
}

/* Where the library counts cycles, their quotients take the place of rounded shares. */
static void read_cycles(struct nvml_gpu *g)
{
	uint32_t numbers[GPM_ROWS + 1] = { GPM_CYCLES_ELAPSED };
	size_t n = 1;

	for (size_t i = 0; i < GPM_ROWS; i++)
		if (gpm_rows[i].cycles)
			numbers[n++] = gpm_rows[i].cycles;
	if (ask_metrics(g, &g->gpm, numbers, n) != NVML_OK || g->metrics.metrics[0].result != NVML_OK)
		return;
	double elapsed = g->metrics.metrics[0].value, all = elapsed - g->elapsed;
	bool is_first = g->elapsed <= 0 || all <= 0, has_first = false;
	g->elapsed = elapsed;
	n = 1;
	for (size_t i = 0; i < GPM_ROWS; i++) {
		const struct nvml_gpm_metric *m = &g->metrics.metrics[n];

		if (!gpm_rows[i].cycles)
			continue;
		n++;
		bool adds = is_second(&gpm_rows[i]) && has_first;
		has_first = m->result == NVML_OK;
		if (m->result != NVML_OK)
			continue;
		if (!is_first)
			put_row(g->codes, g->values, &gpm_rows[i], adds, NVML_OK,
				(m->value - g->cycles[i]) / all * 100 * THOUSANDTHS);
		g->cycles[i] = m->value;
	}
}

bool nvml_gpm_read(struct nvml_gpu *g, struct nvml_gpm *gpm, uint32_t instance, int64_t now_ns,
	int *codes, uint64_t *values)
{
	if (gpm->sample >= 0 && now_ns - gpm->sample_ns < GPM_REFRESH_NS)
		return false;
	bool is_first = gpm->sample < 0;
	int code = take_sample(g, gpm, instance, now_ns);
	if (code != NVML_OK || is_first) {
		fail_gpm(codes, code != NVML_OK ? code : NVML_NOT_READY);
		return false;
	}
	read_shares(g, gpm, codes, values);
	return true;
}

int nvml_gpm_begin(struct nvml_gpu *g, struct nvml_gpm *gpm)
{
	int code = NVML_OK;

	gpm->sample = -1;
	for (int i = 0; i < 2 && code == NVML_OK; i++) {
		code = NVML_CALL(g, gpm_alloc, &gpm->samples[i]);
		if (code == NVML_OK && !gpm->samples[i])
			code = NVML_NOT_SUPPORTED;
	}
	return code;
}

void nvml_read_begin(struct nvml_gpu *g)
{
	struct nvml_gpm_support support = { .version = 1 };
	unsigned generation = 0, lanes = 0;

	if (NVML_CALL(g, link_generation_max, g->device, &generation) == NVML_OK &&
		NVML_CALL(g, link_lanes_max, g->device, &lanes) == NVML_OK)
		g->link_max_bytes_per_s = link_bytes_per_s(nvml_link_mtransfers(generation), lanes);
	if (!(g->link_max_bytes_per_s > 0))
		g->link_max_bytes_per_s = FASTEST_LINK_BYTES_PER_S;
	g->events_code = NVML_CALL(g, events_new, &g->events);
	if (g->events_code == NVML_OK)
		g->events_code = NVML_CALL(g, events_register, g->device, XID_ERRORS, g->events);
	g->gpm_code = NVML_CALL(g, gpm_support, g->device, &support);
	if (g->gpm_code == NVML_OK && !support.is_supported)
		g->gpm_code = NVML_NOT_SUPPORTED;
	if (g->gpm_code == NVML_OK)
		g->gpm_code = nvml_gpm_begin(g, &g->gpm);
	fail_gpm(g->codes, g->gpm_code == NVML_OK ? NVML_NOT_READY : g->gpm_code);
}

void nvml_read(struct nvml_gpu *g, int64_t now_ns)
{
	read_load(g);
	read_clocks(g);
	read_power(g);
	nvml_read_memory(g, g->device, g->codes, g->values);
	read_link(g);
	read_errors(g);
	read_fields(g, fields, FIELDS);
	read_nvlink_speed(g);
	read_link_bytes(g, now_ns);
	if (g->gpm_code == NVML_OK &&
		nvml_gpm_read(g, &g->gpm, NVML_WHOLE, now_ns, g->codes, g->values)) {
		read_cycles(g);
		check_types(g->codes, g->values);
	}
	read_link_rate(g);
}
