/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the OA unit's timer, counters, reports and ring. */
#include "config.h"

#include "backends/sim/model/oa_unit.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"

/* Memory of the ring goes back by so much, or by half of a small ring: each call costs. */
#define RING_BLOCK_BYTES (256u << 10)
#define START_TIMESTAMP 0x10000000u
#define CTX_ID 0x1d05		/* of the first context */
#define CTX_ID_STEP 0x80	/* within the bits that count in every generation */
#define NO_CTX_ID UINT32_MAX	/* what the kernel puts where no context is valid */
#define RATIO_HZ_NUM 3		/* clock ratios are in units of 50/3 MHz */
#define RATIO_HZ_DEN 50000000

/* Returns the quantity that a counter of the format shows, or -1. */
static int quantity_of(const char *name)
{
	static const struct {
		char letter;
		int first;
		uint64_t n;
	} kinds[] = {
		{ 'A', Q_A, Q_B - Q_A },
		{ 'B', Q_B, 8 },
		{ 'C', Q_C, 8 },
		{ 'P', Q_P, OA_PES_COUNTERS },
	};
	uint64_t n;

	if (strcmp(name, "GPU_TICKS") == 0)
		return Q_TICKS;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].letter == name[0] && parse_u64(name + 1, &n) && n < kinds[i].n)
			return kinds[i].first + (int)n;
	return -1;
}

/* Says what counts stand for, from a version of the architecture on. GTI traffic follows Intel's
 * equations: oa-acm*.xml, oa-pvc.xml GtiReadThroughput (128 bytes), oa-mtl*.xml (32 bytes),
 * oa-lnl.xml and oa-ptl.xml GPU_MEMORY_BYTE_READ (2 bytes, 1 byte). The occupancy event pulses once
 * for so many threads; the dispatcher of Gen12 counts fused pairs. */
static const struct meaning {
	int verx10, gti_bytes, threads_per_pulse, threads_per_count;
} meanings[] = {
	{ 300, 1, 1, 1 },
	{ 200, 2, 8, 1 },
	{ 127, 32, 8, 2 },
	{ 125, 128, 8, 2 },
	{ 120, GTI_LINE_BYTES, 8, 2 },
	{ 0, GTI_LINE_BYTES, 8, 1 },
};

struct oa_unit_config oa_unit_config_of(const struct device *d, const struct intel_platform *p)
{
	const struct device_const *banks = device_const(d, "l3_bank_count");
	const struct meaning *m = meanings;

	while (m->verx10 > p->graphics_verx10)
		m++;
	return (struct oa_unit_config){ .format = oa_format_by_number(d->oa_format),
		.graphics_ver = p->graphics_ver,
		.timestamp_hz = d->timestamp_hz,
		.threads_per_pulse = m->threads_per_pulse,
		.threads_per_count = m->threads_per_count,
		.context_reports = p->graphics_ver >= 8,
		.switch_tells = p->graphics_verx10 >= 125,
		.keeps_number = p->graphics_verx10 >= 125,
		.has_types = p->graphics_verx10 >= 125,
		.subslice_mask = d->topology.subslice_mask,
		.subslice_mask_stride = d->topology.subslice_mask_stride,
		.l3_banks = banks ? (int)banks->v : 1,
		.gti_bytes = m->gti_bytes };
}

bool oa_unit_init(struct oa_unit *u, const struct oa_unit_config *c, struct err *err)
{
	struct counter_desc desc[OA_MAX_COUNTERS];

	if (c->graphics_ver < 7 || c->format->bytes % OA_LINE_BYTES ||
		c->format->has_ticks != (c->graphics_ver > 7))
		return err_set(err, ERR_UNSUPPORTED,
			"the OA model does not know the report format %s", c->format->name);
	*u = (struct oa_unit){ .c = *c,
		.noa = { .subslice_mask = c->subslice_mask, .stride = c->subslice_mask_stride } };
	if (!c->buffer_bytes)
		u->c.buffer_bytes = OA_RING_BYTES;
	u->ring_bytes = u->c.buffer_bytes;
	if (c->format->header_bits == 64)
		u->ring_bytes -= u->ring_bytes % c->format->bytes;
	u->n_counters = oa_format_counters(c->format, desc);
	for (int i = 0; i < u->n_counters; i++) {
		u->quantity[i] = (int16_t)quantity_of(desc[i].name);
		u->bits[i] = desc[i].bits;
	}
	u->timestamp_bits = desc[0].bits;
	for (int i = 0; i < OA_FLEX_COUNTERS && c->graphics_ver >= 12; i++)
		u->events[i].increment = OA_EVENT_OFF;
	if (!c->gti_bytes)
		u->c.gti_bytes = GTI_LINE_BYTES;
	u->ring = mmap(NULL, u->c.buffer_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (u->ring == MAP_FAILED) {
		u->ring = NULL;
		return err_sys(err, "cannot get memory for the OA buffer");
	}
	return true;
}

void oa_unit_release(struct oa_unit *u)
{
	if (u->ring)
		munmap(u->ring, u->c.buffer_bytes);
	u->ring = NULL;
}

/* --- programming --- */

/* Lists the NOA lists that are known. The fingerprint is FNV-1a (64 bits) over address and value of
 * every write in order, one word at a time. The bits name the B and C counters that share the
 * traffic evenly, by the equations of GtiReadThroughput and GtiWriteThroughput in Intel's sets. */
#define B(i) (1u << (i))
#define C(i) (0x100u << (i))

static const struct noa_row {
	uint64_t fingerprint;
	uint16_t gti_reads, gti_writes;
	uint8_t read_bytes;	/* of one count */
	uint8_t clock;		/* C counters of the clock, as bits */
	const char *source;
} noa_rows[] = {
	{ 0x4844609caaa80b79, C(4), C(5), 64, 0, "oa-kblgt2.xml 12994724-3a5a-4303-bb3c-ba0175d2c200" },
	{ 0x1e2f9613485ac4ef, C(0), C(1), 64, 0, "oa-chv.xml f522a89c-ecd1-4522-8331-3383c54af5f5" },
	{ 0xe524edf3d054496d, 0xf000, 0x0c00, 64, 0, "oa-tglgt2.xml 397a46d9-03dd-4696-8196-270362e1c575" },
	{ 0x587d6e59b4e5b671, C(6), C(7), 64, 0, "oa-kblgt2.xml RenderBasic" },
	{ 0xf8884a3015aaccf2, C(6), C(7), 64, 0, "oa-chv.xml RenderBasic" },
	{ 0xb257a29cef62ccd8, 0x3c00, 0x0300, 64, 0, "oa-tglgt2.xml RenderBasic" },
	{ 0xdb03b0112d647e5e, C(6), C(7), 128, 1 << 2, "oa-hsw.xml a490e9d2-55b3-4db0-8dab-53011032c5f3 (RenderBasic)" },
	{ 0xc26d7eaec105698a, C(4), C(5), 64, 0, "oa-bdw.xml ComputeBasic" },
	{ 0x078c3fa035c92b90, C(4), C(5), 64, 0, "oa-bdwgt3.xml ComputeBasic" },
	{ 0x798ed5fff66dfd39, C(4), C(5), 64, 0, "oa-sklgt2.xml ComputeBasic" },
	{ 0xdd2794e0441a9ca2, C(4), C(5), 64, 0, "oa-sklgt3.xml ComputeBasic" },
	{ 0x48356f9caa8ea7f6, C(4), C(5), 64, 0, "oa-sklgt4.xml ComputeBasic" },
	{ 0xee729d8fda61d40a, C(4), C(5), 64, 0, "oa-bxt.xml, oa-glk.xml ComputeBasic" },
	{ 0xeaf17aca7cd26869, B(1) | B(3) | B(6) | B(7), B(0) | B(2), 64, 0, "oa-icl.xml ComputeBasic" },
	{ 0x7e3d79c4634b9d51, 0, C(6) | C(7), 64, 0, "oa-acmgt1.xml RenderBasic" },
	{ 0x8f9c04703f3dfb44, B(6) | B(7), B(0) | B(2), 64, 0, "oa-ehl.xml ComputeBasic" },
};

static uint64_t fingerprint(const struct oa_reg *regs, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++) {
		if (regs[i].kind != OA_REG_NOA)
			continue;
		h = (h ^ regs[i].address) * UINT64_C(0x100000001b3);
		h = (h ^ regs[i].value) * UINT64_C(0x100000001b3);
	}
	return h;
}

void oa_unit_program(struct oa_unit *u, const struct oa_reg *regs, size_t n)
{
	uint64_t noa = fingerprint(regs, n);

	u->is_apart = false;
	for (size_t i = 0; i < n; i++)
		for (int k = 0;
			u->c.graphics_ver < 20 && regs[i].kind == OA_REG_FLEX && k < OA_FLEX_REGS;
			k++)
			if (regs[i].address == oa_flex_addresses[k])
				oa_flex_events(regs[i].value, u->c.graphics_ver, &u->events[2 * k],
					&u->events[2 * k + 1]);
	if (u->c.graphics_ver >= 20)
		oa_pes_events(regs, (int)n, u->pes);
	u->gti_reads = u->gti_writes = u->clock = 0;
	for (size_t i = 0; i < ARRAY_LEN(noa_rows); i++)
		if (noa_rows[i].fingerprint == noa) {
			u->gti_reads = noa_rows[i].gti_reads;
			u->gti_writes = noa_rows[i].gti_writes;
			u->gti_read_bytes = noa_rows[i].read_bytes;
			u->clock = noa_rows[i].clock;
		}
	/* What the lanes carry is not modelled: a block that looks at them counts nothing known. */
	const struct oa_booleans booleans = oa_booleans_of(regs, n, u->c.graphics_ver);
	u->booleans = u->c.graphics_ver < 20 ? oa_booleans_of_clock(&booleans) : 0;
	oa_booleans_shares(&booleans, u->shares);
	noa_program(&u->noa, noa, regs, n, u->c.graphics_ver);
	oa_triggers_program(u, regs, n);
	u->booleans &= (uint8_t)~u->noa.counted;
}

void oa_unit_program_subslice(struct oa_unit *u, int subslice, const uint32_t values[OA_FLEX_REGS])
{
	assert(subslice >= 0 && subslice < SS_MAX);
	for (int i = 0; i < SS_MAX && !u->is_apart; i++)
		memcpy(u->apart[i], u->events, sizeof(u->apart[i]));
	u->is_apart = true;
	for (int k = 0; k < OA_FLEX_REGS; k++)
		oa_flex_events(values[k], u->c.graphics_ver, &u->apart[subslice][2 * k],
			&u->apart[subslice][2 * k + 1]);
}

void oa_unit_attach(struct oa_unit *u, const struct course *cs)
{
	u->cs = cs;
	if (u->triggers.is_new && u->enabled)
		oa_triggers_begin(u, u->triggers.since_ns);
}

/* --- counting --- */

static bool runs_free(const struct oa_unit *u, int q)
{
	return u->c.graphics_ver > 7 &&
		(q == Q_A + 4 || q == Q_A + 6 || q == Q_A + 19 || q == Q_A + 20);
}

static void counter_values(const struct oa_unit *u, int64_t t_ns, uint64_t q[Q_COUNT])
{
	course_values(u->cs, t_ns, q);
	for (int i = 0; i < OA_BOOLEANS; i++) {
		const struct oa_share *s = &u->shares[i];

		if (u->booleans >> i & 1)
			q[Q_B + i] = q[Q_TICKS] / s->den * s->num +
				q[Q_TICKS] % s->den * s->num / s->den;
	}
	oa_triggers_hold(u, t_ns, q);
}

uint64_t oa_unit_counter(const struct oa_unit *u, enum quantity q, int64_t t_ns)
{
	uint64_t v[Q_COUNT];

	counter_values(u, t_ns, v);
	if (!u->enabled && !runs_free(u, (int)q))
		return 0;
	return v[q] - u->offset[q];
}

static uint64_t ticks_at(const struct oa_unit *u, int64_t t_ns)
{
	uint64_t s = (uint64_t)(t_ns / NS_PER_S), rest = (uint64_t)(t_ns % NS_PER_S);

	return s * u->c.timestamp_hz + rest * u->c.timestamp_hz / NS_PER_S;
}

uint64_t oa_unit_timestamp(const struct oa_unit *u, int64_t t_ns)
{
	return u->first_timestamp + ticks_at(u, t_ns);
}

static uint64_t timer_step(const struct oa_unit *u)
{
	return UINT64_C(1) << (u->exponent + 1);
}

/* Returns the ticks since model start at which the bit of the time stamp that the exponent names
 * next becomes 1: half a period after the time stamp is a multiple of the period. */
static uint64_t next_strobe(const struct oa_unit *u, uint64_t ticks)
{
	uint64_t step = timer_step(u);

	return ticks + (step - (u->first_timestamp + ticks + step / 2) % step);
}

/* Lets every counter wrap at wrap_ns, each a little later than the one before, so that they do not
 * all wrap in one report. */
static void start_near_wrap(struct oa_unit *u, int64_t t_ns, int64_t wrap_ns)
{
	uint64_t q[Q_COUNT];

	for (int i = 0; i < u->n_counters; i++) {
		int k = u->quantity[i];

		if (k < 0)
			continue;
		counter_values(u, t_ns + wrap_ns + i * (wrap_ns / 64), q);
		u->offset[k] = q[k];
		if (u->bits[i] < 64)
			u->offset[k] -= UINT64_C(1) << u->bits[i];
	}
	u->first_timestamp = (UINT64_C(1) << u->timestamp_bits) - ticks_at(u, t_ns + wrap_ns);
}

static void find_change(struct oa_unit *u, int64_t t_ns)
{
	u->next_change_ns = INT64_MAX;
	u->next_context_ns = INT64_MAX;
	if (u->c.clock_reports)
		u->next_change_ns = course_next_clock_change(u->cs, t_ns);
	if (u->c.context_reports)
		u->next_context_ns = course_next_context_change(u->cs, t_ns);
}

void oa_unit_enable(struct oa_unit *u, int64_t t_ns, int exponent, int64_t wrap_ns)
{
	uint64_t q[Q_COUNT];

	u->enabled = true;
	u->exponent = exponent;
	u->first_timestamp = START_TIMESTAMP;
	memset(u->offset, 0, sizeof(u->offset));
	oa_triggers_begin(u, t_ns);
	u->triggers.start_ns = u->triggers.gate == GATE_HELD ? INT64_MAX : t_ns;
	counter_values(u, t_ns, q);
	for (int i = 0; i < Q_COUNT; i++)
		if (!runs_free(u, i))
			u->offset[i] = q[i];
	if (wrap_ns > 0)
		start_near_wrap(u, t_ns, wrap_ns);
	u->next_timer = next_strobe(u, ticks_at(u, t_ns));
	find_change(u, t_ns);
	oa_unit_reset_buffer(u);
}

/* --- reports --- */

/* Haswell has no reasons; 0 is what has not landed. */
#define GEN7_ID 1

/* Writes the head of a report where the generation keeps reason, valid bit and ratios: Linux
 * i915_perf.c, PRM, igt tests/intel/perf.c. From Gen12 on the slice ratio's place belongs to a
 * source id. */
static void make_report(
	struct oa_unit *u, int64_t t_ns, uint64_t timestamp, unsigned reason, uint8_t *report)
{
	uint64_t q[Q_COUNT], values[OA_MAX_COUNTERS] = { 0 };
	struct course_state s;
	struct oa_header h = {
		.timestamp = timestamp, .ctx_id = NO_CTX_ID, .id = reason << 19
	};
	uint32_t ratio = 0;

	course_at(u->cs, t_ns, &s);
	counter_values(u, t_ns, q);
	for (int i = 1; i < u->n_counters; i++) {
		if (u->quantity[i] < 0)
			continue;
		values[i] = q[u->quantity[i]] - u->offset[u->quantity[i]];
		if (u->bits[i] == 64)
			continue;
		if (values[i] >> u->bits[i] != u->high[i])
			u->status |= OA_STATUS_COUNTER_OVERFLOW;
		u->high[i] = values[i] >> u->bits[i];
	}
	if (s.context)
		u->last_context = CTX_ID + (s.context - 1u) * CTX_ID_STEP;
	if (s.context || (u->c.keeps_number && u->last_context))
		h.ctx_id = u->last_context;
	bool valid = s.context > 0 && (!u->c.switch_tells || reason & OA_REASON_CTX_SWITCH);
	if (!s.gated)
		ratio = (uint32_t)(s.hz * RATIO_HZ_NUM / RATIO_HZ_DEN);
	if (u->c.graphics_ver == 7)
		h.id = GEN7_ID;
	else if (u->c.graphics_ver == 8)
		h.id |= (uint32_t)valid << 25;
	else
		h.id |= (ratio & 0x1ff) | (uint32_t)valid << 16;
	if (u->c.graphics_ver > 8 && u->c.graphics_ver < 12)
		h.id |= (ratio >> 7 & 0x3) << 9 | (ratio & 0x7f) << 25;
	if (u->c.graphics_ver == 12)
		h.id |= oa_triggers_id(u, t_ns, reason);
	oa_encode(u->c.format, &h, values, report);
}

/* Writes the next line of the report that is being written; the ring is a multiple of its size. */
static void land_line(struct oa_unit *u)
{
	int line = u->c.format->bytes / OA_LINE_BYTES - u->lines_left;

	memcpy(u->ring + u->tail % u->ring_bytes, u->landing + line * OA_LINE_BYTES, OA_LINE_BYTES);
	u->tail += OA_LINE_BYTES;
	u->lines_left--;
	if (u->tail - u->head >= u->ring_bytes)
		u->status |= OA_STATUS_BUFFER_OVERFLOW;
}

static void start_report(struct oa_unit *u, int64_t t_ns, uint64_t timestamp, unsigned reason)
{
	while (u->lines_left > 0)
		land_line(u);
	make_report(u, t_ns, timestamp, reason, u->landing);
	u->lines_left = u->c.format->bytes / OA_LINE_BYTES;
	u->landing_ns = t_ns;
	u->triggers.landed_ns = t_ns + (int64_t)(u->lines_left + 1) * OA_LINE_NS;
}

static void skip(struct oa_unit *u, int64_t t_ns)
{
	u->status |= OA_STATUS_BUFFER_OVERFLOW;
	u->next_timer = next_strobe(u, ticks_at(u, t_ns));
	u->lines_left = 0;
	find_change(u, t_ns);
	oa_triggers_begin(u, t_ns);
}

/* Skips reports when more are due than the ring holds: it has overflowed, and nobody will read what
 * it holds now, because a driver throws an overflown buffer away. So they are not made; a computer
 * that slept for a day must not wait for a day of reports. */
static bool skip_overflow(struct oa_unit *u, int64_t t_ns)
{
	uint64_t now = ticks_at(u, t_ns), due = oa_triggers_due(u, t_ns);

	if (now >= u->next_timer)
		due += (now - u->next_timer) / timer_step(u);
	if (u->c.keeps_overrun || due < u->ring_bytes / u->c.format->bytes)
		return false;
	skip(u, t_ns);
	return true;
}

/* The same for a buffer that is read nevertheless: what would be overwritten is not made. */
static void skip_laps(struct oa_unit *u, int64_t t_ns)
{
	uint64_t now = ticks_at(u, t_ns), due, room = u->ring_bytes / u->c.format->bytes;

	if (!u->c.keeps_overrun)
		return;
	if (oa_triggers_due(u, t_ns) > room) {
		u->status |= OA_STATUS_BUFFER_OVERFLOW;
		oa_triggers_begin(u, t_ns);
	}
	if (now < u->next_timer)
		return;
	due = (now - u->next_timer) / timer_step(u) + 1;
	if (due <= room)
		return;
	while (u->lines_left > 0)
		land_line(u);
	u->tail += (due - room) * u->c.format->bytes;
	u->next_timer += (due - room) * timer_step(u);
	u->status |= OA_STATUS_BUFFER_OVERFLOW;
	find_change(u, t_ns);
}

/* Clock and context may change at the same moment, in one report. */
static unsigned other_reason(const struct oa_unit *u, int64_t t_ns)
{
	unsigned reason = 0;

	if (u->next_change_ns == t_ns)
		reason |= OA_REASON_CLK_RATIO;
	if (u->next_context_ns == t_ns)
		reason |= OA_REASON_CTX_SWITCH;
	return reason;
}

/* Returns the first nanosecond at which ticks_at() gives the timer's next tick. */
static int64_t timer_ns(const struct oa_unit *u)
{
	uint64_t hz = u->c.timestamp_hz;

	return (int64_t)(u->next_timer / hz * NS_PER_S +
		(u->next_timer % hz * NS_PER_S + hz - 1) / hz);
}

int64_t oa_unit_next_report(struct oa_unit *u, int64_t t_ns)
{
	int64_t next_ns = min_i64(u->next_change_ns, u->next_context_ns);

	return min_i64(min_i64(timer_ns(u), next_ns), oa_triggers_next(u, t_ns + NS_PER_S));
}

/* Makes the report that is due at t_ns. What happens at the same moment is in the same report. */
static void report_at(struct oa_unit *u, int64_t t_ns)
{
	bool is_timer = timer_ns(u) == t_ns;
	unsigned reason = other_reason(u, t_ns);
	uint64_t timestamp = oa_unit_timestamp(u, t_ns);

	if (is_timer) {
		reason |= OA_REASON_TIMER;
		timestamp = u->first_timestamp + u->next_timer;
		u->next_timer += timer_step(u);
	}
	start_report(u, t_ns, timestamp, reason | oa_triggers_reason(u, t_ns));
	if (u->next_change_ns == t_ns || u->next_context_ns == t_ns)
		find_change(u, t_ns);
}

void oa_unit_advance(struct oa_unit *u, int64_t t_ns)
{
	if (!u->enabled || skip_overflow(u, t_ns))
		return;
	skip_laps(u, t_ns);
	oa_triggers_open(u, t_ns);
	for (;;) {
		int64_t next_ns = min_i64(u->next_change_ns, u->next_context_ns);

		next_ns = min_i64(min_i64(next_ns, timer_ns(u)), oa_triggers_next(u, t_ns));
		if (next_ns > t_ns)
			break;
		report_at(u, next_ns);
	}
	while (u->lines_left > 0 && u->landing_ns + OA_LINE_NS <= t_ns) {
		u->landing_ns += OA_LINE_NS;
		land_line(u);
	}
}

void oa_unit_trigger(struct oa_unit *u, int64_t t_ns, uint32_t value)
{
	const uint64_t wide = value;

	oa_unit_advance(u, t_ns);
	start_report(u, t_ns, oa_unit_timestamp(u, t_ns), OA_REASON_MMIO);
	if (u->c.format->header_bits == 64)
		memcpy(u->landing + 16, &wide, sizeof(wide));
	else
		memcpy(u->landing + 8, &value, sizeof(value));
}

void oa_unit_switch(struct oa_unit *u, const struct course *cs, int64_t t_ns)
{
	oa_unit_advance(u, t_ns);
	u->cs = cs;
	u->triggers.since_ns = t_ns;
	u->triggers.next_ns[0] = u->triggers.next_ns[1] = INT64_MAX;
	find_change(u, t_ns);
}

/* --- the buffer --- */

uint32_t oa_unit_head(const struct oa_unit *u)
{
	return (uint32_t)(u->head % u->ring_bytes);
}

uint32_t oa_unit_tail(const struct oa_unit *u)
{
	return (uint32_t)(u->tail % u->ring_bytes);
}

/* Gives memory of the ring back. What was read is not needed again: without this the ring would
 * grow to its full size in the monitor's own memory, where a real one lies in the kernel's. A block
 * whose end was not passed stays, and so does everything while the writer is close behind. */
static void give_back(struct oa_unit *u, uint64_t from, uint64_t to)
{
	const uint32_t block_bytes = (uint32_t)min_u64(RING_BLOCK_BYTES, u->c.buffer_bytes / 2);

	while (u->tail - from < u->ring_bytes - block_bytes) {
		uint32_t at = (uint32_t)(from % u->ring_bytes), block = at / block_bytes * block_bytes;
		uint32_t end = block + block_bytes;

		if (end > u->ring_bytes)
			end = u->ring_bytes;
		if (from + (end - at) > to)
			return;
		madvise(u->ring + block, block_bytes, MADV_DONTNEED);
		from += end - at;
	}
}

void oa_unit_set_head(struct oa_unit *u, uint32_t head)
{
	uint64_t from = u->head;

	u->head += (head + u->ring_bytes - oa_unit_head(u)) % u->ring_bytes &
		~(uint32_t)(OA_LINE_BYTES - 1);
	give_back(u, from, u->head);
}

uint32_t oa_unit_waiting(const struct oa_unit *u)
{
	return (oa_unit_tail(u) + u->ring_bytes - oa_unit_head(u)) % u->ring_bytes;
}

void oa_unit_take(struct oa_unit *u, uint8_t *report)
{
	uint16_t bytes = u->c.format->bytes;
	uint32_t head = oa_unit_head(u);

	memcpy(report, u->ring + head, bytes);
	/* This clears the id and the time stamp. */
	memset(u->ring + head, 0, u->c.format->header_bits / 4);
	oa_unit_set_head(u, (head + bytes) % u->ring_bytes);
}

void oa_unit_reset_buffer(struct oa_unit *u)
{
	u->head = u->tail = 0;
	u->status = 0;
	u->lines_left = 0;
}

void oa_unit_accept_overrun(struct oa_unit *u)
{
	u->head = u->tail - oa_unit_waiting(u);
}

void oa_unit_lose_reports(struct oa_unit *u)
{
	uint64_t reports = (u->tail - u->head) / u->c.format->bytes;

	if (reports < 2)
		return;
	u->head += reports / 2 * u->c.format->bytes;
	u->status |= OA_STATUS_REPORT_LOST;
}
