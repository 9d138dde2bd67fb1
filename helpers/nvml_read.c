/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the numbers of one NVIDIA GPU: gauges, counters that wrap, and the performance monitor
 * (GPM) of Hopper and later. What the library calls by number stands in tables here; the numbers
 * are those of its public interface, API 12 and 13. */
#include "config.h"

#include "helpers/nvml_read.h"

#include <math.h>
#include <string.h>

#define THOUSANDTHS 1000.0	/* of a per cent */
#define CORRECTED 0
#define UNCORRECTED 1
#define SINCE_LOAD 0		/* of the driver */
#define XID_ERRORS 0x8ull
#define GPM_REFRESH_NS 100000000	/* samples that are closer say nothing new */

/* Fields of nvmlDeviceGetFieldValues. The library's own unit is multiplied by factor. What is a sum may
 * wrap in the width of its type. */
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
	{ NVML_PCIE_SENT, 197, 0, 1, true },
	{ NVML_PCIE_RECEIVED, 198, 0, 1, true },
};

/* Metrics of the performance monitor: shares in per cent, and the counter of cycles in which the same
 * was so (0: there is none), since API 13. */
static const struct gpm_row {
	enum nvml_value value;
	uint32_t share, cycles;
} gpm_rows[] = {
	{ NVML_GPM_GRAPHICS, 1, 0 },
	{ NVML_GPM_SM, 2, 249 },
	{ NVML_GPM_OCCUPANCY, 3, 0 },
	{ NVML_GPM_INTEGER, 4, 257 },
	{ NVML_GPM_TENSOR, 5, 250 },
	{ NVML_GPM_TENSOR_FP64, 6, 254 },
	{ NVML_GPM_TENSOR_HALF, 7, 252 },
	{ NVML_GPM_TENSOR_INTEGER, 9, 253 },
	{ NVML_GPM_DRAM, 10, 0 },
	{ NVML_GPM_FP64, 11, 258 },
	{ NVML_GPM_FP32, 12, 259 },
	{ NVML_GPM_FP16, 13, 260 },
};

#define GPM_CYCLES_ELAPSED 248
#define GPM_ROWS (sizeof(gpm_rows) / sizeof(gpm_rows[0]))
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* Reasons of a low clock (bits of clock event reasons). */
static const struct {
	enum nvml_value value;
	uint64_t bits;
} reasons[] = {
	{ NVML_HELD_SETTING, 0x2 | 0x10 },	/* application clocks, sync boost */
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
		g->values[i] += (uint64_t)((double)grown * factor);
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
	put(g, NVML_LINK_SPEED, code, lanes * mtransfers * 1e6 / 8 * coding_of(mtransfers));
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

static void read_fields(struct nvml_gpu *g)
{
	struct nvml_field got[FIELDS] = { 0 };

	for (size_t i = 0; i < FIELDS; i++) {
		got[i].field = fields[i].field;
		got[i].scope = fields[i].scope;
	}
	int code = NVML_CALL(g, fields, g->device, (int)FIELDS, got);
	read_nvlink_speed(g);
	for (size_t i = 0; i < FIELDS; i++) {
		const struct field_row *row = &fields[i];
		const struct nvml_field *f = &got[i];

		if (code != NVML_OK || f->result != NVML_OK)
			g->codes[row->value] = code != NVML_OK ? code : f->result;
		else if (!row->is_sum)
			put(g, row->value, NVML_OK, number_of(f) * row->factor);
		else if (f->type == NVML_TYPE_UINT)
			add(g, row->value, f->value.u32, 32, row->factor);
		else
			add(g, row->value, (uint64_t)number_of(f), 64, row->factor);
	}
}

/* --- the performance monitor --- */

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

		put_in(codes, values, gpm_rows[i].value, code != NVML_OK ? code : m->result,
			m->value * THOUSANDTHS);
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
	bool is_first = g->elapsed <= 0 || all <= 0;
	g->elapsed = elapsed;
	n = 1;
	for (size_t i = 0; i < GPM_ROWS; i++) {
		const struct nvml_gpm_metric *m = &g->metrics.metrics[n];
		enum nvml_value value = gpm_rows[i].value;

		if (!gpm_rows[i].cycles)
			continue;
		n++;
		if (m->result != NVML_OK)
			continue;
		if (!is_first)
			put(g, value, NVML_OK,
				(m->value - g->cycles[value]) / all * 100 * THOUSANDTHS);
		g->cycles[value] = m->value;
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
	read_fields(g);
	if (g->gpm_code == NVML_OK &&
		nvml_gpm_read(g, &g->gpm, NVML_WHOLE, now_ns, g->codes, g->values))
		read_cycles(g);
}
