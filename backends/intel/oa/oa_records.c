/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks records of an OA stream: samples go into the accumulator, losses become flags of the
 * window. */
#include "config.h"

#include "backends/intel/oa/oa_records.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_accum.h"
#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/minmax.h"

/* enum drm_i915_perf_record_type. The header is u32 type, u16 pad, u16 size of the whole record. */
enum { RECORD_SAMPLE = 1, RECORD_REPORT_LOST = 2, RECORD_BUFFER_LOST = 3 };
#define RECORD_HEADER 8
/* The significant bits of a context's number: on Gen8 and later, and from Gen12.55 on (Linux
 * i915_perf.c, oa_get_render_ctx_id(): XEHP_SW_CTX_ID_SHIFT and _WIDTH). */
#define CONTEXT_MASK 0x1fffff
#define CONTEXT_MASK_XEHP 0x7fff80
/* From Gen12 on, too, this bit says that the context's number is valid (Linux i915_perf.c,
 * gen8_valid_ctx_bit; igt tests/intel/xe_oa.c). */
#define VALID_GEN12 (1u << 16)

struct record {
	uint32_t type;
	uint16_t size;
};

bool oa_stream_init(struct oa_stream *s, const struct device *dev, int graphics_ver,
	enum oa_maker maker, struct err *err)
{
	const struct oa_format *f = oa_format_by_number(dev->oa_format);

	if (!f)
		return err_set(err, ERR_UNSUPPORTED, "OA report format %d is not known",
			dev->oa_format);
	if (dev->timestamp_hz == 0 || dev->timestamp_hz > 10 * (uint64_t)NS_PER_S)
		return err_set(err, ERR_UNSUPPORTED,
			"an OA time stamp of %llu Hz cannot be used",
			(unsigned long long)dev->timestamp_hz);
	memset(s, 0, offsetof(struct oa_stream, contexts));
	oa_accum_init(&s->accum, f);
	s->graphics_ver = graphics_ver;
	s->timestamp_hz = dev->timestamp_hz;
	s->n_counters = oa_format_counters(f, s->counters);
	const struct intel_platform *p = intel_platform_by_name(dev->platform);
	/* From Gen12.55 on the valid bit is set in the report of a switch to a context, and clear
	 * in that of a switch to none; all others have it clear, whatever runs (Linux i915_perf.c,
	 * gen8_append_oa_reports()). */
	s->only_switches = p && p->graphics_verx10 >= 125;
	s->context_mask = s->only_switches ? CONTEXT_MASK_XEHP : CONTEXT_MASK;
	s->needs_valid = maker == OA_BY_XE && graphics_ver >= 12;
	s->now = HW_CONTEXT_ONE;
	s->tells_contexts = graphics_ver >= 8;
	oa_contexts_init(&s->contexts, s->n_counters);
	return true;
}

bool oa_stream_set_context(struct oa_stream *s, uint32_t context, struct err *err)
{
	if (!s->tells_contexts)
		return err_set(err, ERR_USAGE,
			"reports of this generation do not say whether a context runs, so that "
			"--context cannot choose one");
	s->has_context = true;
	s->context = context & s->context_mask;
	oa_contexts_choose(&s->contexts, s->context);
	return true;
}

/* The kernel hands over host-endian headers; they may lie at any address. */
static bool record_at(const uint8_t *p, size_t left, struct record *r, struct err *err)
{
	if (left < RECORD_HEADER)
		return err_set(err, ERR_PARSE,
			"%zu bytes after the last record are too few for a header", left);
	memcpy(&r->type, p, sizeof(r->type));
	memcpy(&r->size, p + 6, sizeof(r->size));
	if (r->size < RECORD_HEADER)
		return err_set(err, ERR_PARSE, "record of type %u has the impossible size %u",
			r->type, r->size);
	if (r->size > left)
		return err_set(err, ERR_PARSE,
			"record of %u bytes runs past the end, %zu bytes are left", r->size,
			left);
	return true;
}

static void note_clock(struct oa_stream *s, uint64_t id)
{
	uint64_t unslice_hz, slice_hz;

	oa_clock_ratios(id, &unslice_hz, &slice_hz);
	if (!unslice_hz)
		return;
	s->last_unslice_hz = unslice_hz;
	if (!s->low_hz || unslice_hz < s->low_hz)
		s->low_hz = unslice_hz;
	s->high_hz = max_u64(s->high_hz, unslice_hz);
}

static void note_triggers(struct oa_stream *s, uint64_t id)
{
	unsigned reasons = oa_reasons(s->graphics_ver, id);

	s->triggered[0] += (reasons & OA_REASON_TRIGGER1) != 0;
	s->triggered[1] += (reasons & OA_REASON_TRIGGER2) != 0;
}

static void note_report(struct oa_stream *s, const struct oa_header *h)
{
	s->last_id = h->id;
	s->reports++;
	note_triggers(s, h->id);
	if (s->graphics_ver < 9)
		return;
	note_clock(s, h->id);
	if (oa_reasons(s->graphics_ver, h->id) & OA_REASON_CLK_RATIO)
		s->quality |= SAMPLE_FREQ_CHANGE;
}

/* 64-bit reports other than the timer's are no base for differences (igt tests/intel/xe_oa.c); the
 * next report of the timer contains everything. */
static bool counts(const struct oa_stream *s, const struct oa_header *h)
{
	if (s->accum.format->header_bits == 32)
		return true;
	unsigned reasons = oa_reasons(s->graphics_ver, h->id);
	return reasons == 0 || (reasons & OA_REASON_TIMER);
}

static enum hw_context_kind kind_of(const struct oa_stream *s, const struct oa_header *h)
{
	/* The kernel puts this number where no context is valid. */
	if (h->ctx_id == UINT32_MAX || !oa_ctx_valid(s->graphics_ver, h->id))
		return HW_CONTEXT_IDLE;
	return s->needs_valid && !(h->id & VALID_GEN12) ? HW_CONTEXT_IDLE : HW_CONTEXT_ONE;
}

/* Notes what runs from this report on. A bit that is set names a context in any report: generations
 * may be read as setting it in all of them (igt tests/intel/perf.c). One that is clear tells of a
 * switch to none, or nothing. */
static void note_running(struct oa_stream *s, const struct oa_header *h)
{
	bool is_switch = oa_reasons(s->graphics_ver, h->id) & OA_REASON_CTX_SWITCH;

	if (!s->only_switches) {
		s->now = kind_of(s, h);
		s->now_id = h->ctx_id & s->context_mask;
	} else if (h->id & VALID_GEN12) {
		s->now = HW_CONTEXT_ONE;
		s->now_id = h->ctx_id & s->context_mask;
		s->saw_switch = true;
	} else if (is_switch) {
		s->now = HW_CONTEXT_IDLE;
		s->saw_switch = true;
	} else if (!s->saw_switch) {
		s->now_id = h->ctx_id & s->context_mask;
	}
}

/* Whether another context runs now than when the last difference began. */
static bool changes_context(const struct oa_stream *s)
{
	return s->tells_contexts && !oa_contexts_is_running(&s->contexts, s->now, s->now_id);
}

/* Whether something beside clocks has counted since the mark. */
static bool has_worked(const struct oa_stream *s)
{
	for (int i = OA_GPU_TICKS + 1; i < s->n_counters; i++)
		if (s->counters[i].name[0] == 'A' || s->counters[i].name[0] == 'P')
			if (s->accum.sum[i] != s->mark[i])
				return true;
	return false;
}

/* Gives the table what was summed since the last time. What lies between a report and the next one
 * belongs to the context that the first of them names. */
static void give_to_contexts(struct oa_stream *s)
{
	uint64_t reports = s->accum.reports - s->mark_reports;

	if (!s->tells_contexts || !reports)
		return;
	/* Before the first switch nothing tells whether a context runs: one that counts nothing
	 * does not. */
	if (s->only_switches && !s->saw_switch && !s->mixed) {
		enum hw_context_kind kind = has_worked(s) ? HW_CONTEXT_ONE : HW_CONTEXT_IDLE;

		if (!oa_contexts_is_running(&s->contexts, kind, s->now_id))
			oa_contexts_run(&s->contexts, kind, s->now_id);
	}
	if (s->mixed)
		oa_contexts_add_unknown(&s->contexts, s->mark, s->accum.sum, reports);
	else
		oa_contexts_add(&s->contexts, s->mark, s->accum.sum, reports);
	memcpy(s->mark, s->accum.sum, sizeof(s->mark));
	s->mark_reports = s->accum.reports;
}

static void note_other(struct oa_stream *s, const struct record *r)
{
	switch (r->type) {
	case RECORD_REPORT_LOST:
		/* What is counted until the next report has passed through contexts that no report
		 * names. */
		give_to_contexts(s);
		s->mixed = true;
		s->saw_switch = false;
		s->quality |= SAMPLE_LOST;
		s->lost++;
		break;
	case RECORD_BUFFER_LOST:
		/* The counters start again in a new buffer, so that the next report is a new
		 * base. */
		s->quality |= SAMPLE_LOST | SAMPLE_GAP;
		s->lost++;
		give_to_contexts(s);
		s->saw_switch = false;
		oa_accum_rebase(&s->accum);
		break;
	default:	/* of a later kernel */
		break;
	}
}

/* Adds reports. Until the middle of the window has passed, it is looked for in small steps. */
static void add_run(struct oa_stream *s, const uint8_t *run, size_t count, size_t stride)
{
	while (count > 0 && s->half_ticks > 0 && !s->has_half) {
		size_t n = count / 8 + 1;

		oa_accum_add(&s->accum, run, n, stride);
		run += n * stride;
		count -= n;
		if (s->accum.sum[OA_TIMESTAMP] < s->half_ticks)
			continue;
		memcpy(s->half, s->accum.sum, sizeof(s->half));
		s->has_half = true;
	}
	oa_accum_add(&s->accum, run, count, stride);
}

/* Samples in a row that are not yet added. */
struct run {
	const uint8_t *first;
	size_t count, stride;
};

static void end_run(struct oa_stream *s, struct run *r)
{
	add_run(s, r->first, r->count, r->stride);
	r->count = 0;
}

/* Of a report that is no base for differences, only the context is of interest: what is counted
 * until the next one belongs to nobody for certain. */
static void note_between(struct oa_stream *s, struct run *r, const struct oa_header *h)
{
	note_triggers(s, h->id);
	end_run(s, r);
	note_running(s, h);
	if (s->mixed || !changes_context(s))
		return;
	give_to_contexts(s);
	s->mixed = true;
}

/* Ends a pair with the report that was added last, and begins the next one. */
static void take_pair(struct oa_stream *s, const struct oa_header *h)
{
	uint64_t values[OA_MAX_COUNTERS];
	struct report_pair *p = &s->pair;

	if (s->has_pair && s->accum.reports > s->pair_reports && !s->pair_gap) {
		for (int i = 0; i < s->n_counters; i++)
			values[i] = s->accum.sum[i] - s->pair_mark[i];
		p->stamp1 = (uint32_t)h->timestamp;
		s->pairs.pair(s->pairs.ctx, p, values);
	}
	*p = (struct report_pair){ .stamp0 = (uint32_t)h->timestamp, .kind = s->now,
		.context = s->now_id, .after_gap = s->pair_gap };
	if (s->mixed)
		p->kind = HW_CONTEXT_OTHERS;
	memcpy(s->pair_mark, s->accum.sum, sizeof(s->pair_mark));
	s->pair_reports = s->accum.reports;
	s->has_pair = true;
	s->pair_gap = false;
}

void oa_stream_set_pairs(struct oa_stream *s, const struct pair_tap *tap)
{
	s->pairs = tap ? *tap : (struct pair_tap){ 0 };
	s->has_pair = false;
	s->pair_gap = true;
}

static void take_report(
	struct oa_stream *s, struct run *r, const uint8_t *report, const struct oa_header *h)
{
	if (r->count++ == 0)
		r->first = report;
	note_report(s, h);
	bool judged = s->only_switches && !s->saw_switch && s->contexts.running >= 0;
	uint32_t before = s->now_id;
	note_running(s, h);
	/* What was judged by its work goes on until a switch, or another number, tells more. */
	if (judged && !s->saw_switch && s->now_id == before && !s->mixed)
		return;
	if (!s->mixed && !changes_context(s))
		return;
	end_run(s, r);
	give_to_contexts(s);
	s->mixed = false;
	if (s->tells_contexts)
		oa_contexts_run(&s->contexts, s->now, s->now_id);
}

bool oa_stream_records(struct oa_stream *s, const void *buf, size_t len, struct err *err)
{
	const uint8_t *p = buf;
	const uint8_t *end = p + len;
	struct run run = { .stride = RECORD_HEADER + (size_t)s->accum.format->bytes };
	struct record r = { 0, 0 };
	struct oa_header h;
	bool good = true;

	while (p < end && (good = record_at(p, (size_t)(end - p), &r, err))) {
		bool is_report = r.type == RECORD_SAMPLE && r.size == run.stride;

		if (is_report)
			oa_read_header(s->accum.format, p + RECORD_HEADER, &h);
		/* A report that cannot be read, or that the hardware had not written yet, so that
		 * id and time stamp are zero, is lost: it may have been a switch of contexts. */
		if (r.type == RECORD_SAMPLE && (!is_report || (h.id == 0 && h.timestamp == 0)))
			r.type = RECORD_REPORT_LOST;
		if (r.type != RECORD_SAMPLE) {
			end_run(s, &run);
			note_other(s, &r);
			s->pair_gap = true;
		} else if (!counts(s, &h)) {
			note_between(s, &run, &h);
		} else {
			take_report(s, &run, p + RECORD_HEADER, &h);
			if (s->pairs.pair) {
				end_run(s, &run);
				take_pair(s, &h);
			}
		}
		p += r.size;
	}
	end_run(s, &run);
	return good;
}

static int64_t ticks_to_ns(uint64_t ticks, uint64_t hz)
{
	return (int64_t)(ticks / hz * NS_PER_S + ticks % hz * NS_PER_S / hz);
}

/* Hands out the first half, unless the window was of another length than the one before it. */
static void take_half(struct oa_stream *s, uint64_t window_ticks, struct sample *out)
{
	uint64_t ticks = s->half[OA_TIMESTAMP];

	if (s->has_half && ticks > window_ticks / 4 && ticks < window_ticks - window_ticks / 4) {
		memcpy(s->taken_half, s->half, sizeof(s->half));
		out->half = s->taken_half;
		out->half_ns = ticks_to_ns(ticks, s->timestamp_hz);
	}
	s->has_half = false;
	s->half_ticks = window_ticks / 2;
}

/* Hands out the table of contexts. */
static void take_contexts(struct oa_stream *s, struct sample *out)
{
	if (!s->tells_contexts)
		return;
	oa_contexts_take(&s->contexts, out);
	for (int i = 0; i < s->contexts.taken.n; i++) {
		struct hw_context *r = &s->contexts.taken.row[i];

		r->clocks = r->values[OA_GPU_TICKS];
		r->ran_ns = ticks_to_ns(r->values[OA_TIMESTAMP], s->timestamp_hz);
	}
}

/* Of a chosen context only its own row is taken. */
static uint64_t take_values(struct oa_stream *s, uint64_t *values)
{
	const struct hw_context *chosen = oa_contexts_chosen(&s->contexts);
	uint64_t deltas = oa_accum_take(&s->accum, values);

	/* The sums begin at 0 again, and so does the pair, which began with the last report. */
	memset(s->pair_mark, 0, sizeof(s->pair_mark));
	s->pair_reports = 0;
	memset(s->mark, 0, sizeof(s->mark));
	s->mark_reports = 0;
	if (!chosen)
		return deltas;
	memcpy(values, chosen->values, (size_t)s->n_counters * sizeof(values[0]));
	return chosen->reports;
}

/* A0, of Haswell A41, is the time in which the GPU is busy; the others of all banks count what
 * units do. */
void oa_stream_feed(const struct oa_stream *s, const char *how, struct feed *out)
{
	*out = (struct feed){ .name = "oa", .counters = s->counters, .n_counters = s->n_counters,
		.busy = s->tells_contexts ? "A0" : "A41",
		.clock = s->tells_contexts ? "GPU_TICKS" : "C2", .work = "ABC" };
	snprintf(out->how, sizeof(out->how), "%s", how);
}

void oa_stream_take(struct oa_stream *s, struct sample *out)
{
	uint64_t values[OA_MAX_COUNTERS];
	size_t n = min_u64((uint64_t)s->n_counters, FEED_MAX_COUNTERS);

	give_to_contexts(s);
	uint64_t deltas = take_values(s, values);
	take_contexts(s, out);
	memcpy(out->values, values, n * sizeof(values[0]));
	out->window_ns = ticks_to_ns(values[OA_TIMESTAMP], s->timestamp_hz);
	if (!s->has_context)
		take_half(s, values[OA_TIMESTAMP], out);
	out->tells_clock = s->graphics_ver >= 9;
	out->clock_low_hz = s->low_hz;
	out->clock_high_hz = s->high_hz;
	out->reports = s->reports;
	memcpy(out->triggered, s->triggered, sizeof(out->triggered));
	memset(s->triggered, 0, sizeof(s->triggered));
	out->lost = s->lost;
	out->quality |= s->quality;
	if (deltas)
		out->why = WHY_OK;
	else if (s->has_context && s->reports)
		out->why = WHY_OTHER_CONTEXT;
	else if (s->lost)
		out->why = WHY_LOST;
	else
		out->why = WHY_NOT_YET;
	s->reports = 0;
	s->lost = 0;
	s->quality = 0;
	s->low_hz = s->high_hz = 0;
}
