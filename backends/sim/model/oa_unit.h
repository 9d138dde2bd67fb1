/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model of the OA unit: event selection from register values, timer, reports in binary form, ring
 * buffer with status bits.
 *
 * Modelled (Intel PRM Observability chapters for Cherry View 2015 and Tiger Lake 2021; Duarte 2018,
 * ch. 2.2 and 3.3; Linux i915_perf.c): EU_PERF_CNT_CTL0 to 6 as increment event, coarse and fine
 * filter of A7 to A20, by EU row, EU number, shader stage and instruction type, summed over all
 * subslices, each of which may hold events of its own; counters of 32 and 40 bits that wrap; A4,
 * A6, A19 and A20 run without the unit being enabled; timer reports each 2^(exponent + 1) time
 * stamp ticks, when bit number exponent of the time stamp becomes 1 (Linux i915_perf.c,
 * OA_EXPONENT_MAX; igt knows Haswell's reports by that); RPT_ID by generation (reason, context
 * valid, clock ratios); reports at each switch of contexts, which i915 asks for from Gen8 on; the
 * fixed A counters of Haswell; a ring of 16 MiB in overrun mode, written in lines of 64 bytes, so
 * that the tail register can stand inside a report; status bits report lost, buffer overflow,
 * counter overflow, latched until written. B counters: the blocks behind them are executed
 * (oa_boolean.h), as far as they follow from the clock alone, as those of the TestOa sets do. The
 * signals behind NOA registers are not published, so they are known by exact register values only:
 * GTI traffic in the C counters of Intel's ComputeBasic sets, and signals of single subslices
 * (noa.h). What other lanes and signals would count nobody knows: oa_unit_counts() says so, and the
 * source does not offer them. Xe2: P0 to P63 by the event codes of their registers, P7 to P20 by
 * shader stage; codes of what the model does not have are not counted, and oa_unit_counts() says so
 * (oa_unit_pes.c).
 *
 * Assumed: a line lands 100 ns after the one before it. Stages: a loaded thread's stage is that of
 * the launch that runs.
 *
 * Triggers (oa_trigger.h): one whose output follows from known lanes is executed, by levels and
 * with a threshold. A report trigger counts the clocks in which its output is high, asks for a
 * report when they have come to its threshold, and begins anew; assumed: what fires while a report
 * lands waits for its end. A start trigger holds B and C counters until its clocks have come to its
 * threshold, and lets all others count, as the Tiger Lake manual says; a start trigger of unknown
 * lanes leaves no B and C counter that is known. Bits 17 and 18 of the id follow that manual from
 * Gen12 on.
 *
 * Not modelled: context filters, triggers without a threshold, edges, the undefined C7 of
 * TestOa. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/intel/oa/oa_boolean.h"
#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_trigger.h"
#include "backends/sim/model/course.h"
#include "backends/sim/model/noa.h"

#define OA_RING_BYTES (16u << 20)
#define OA_LINE_BYTES 64
#define OA_LINE_NS 100
#define GTI_LINE_BYTES 64

enum oa_status {
	OA_STATUS_REPORT_LOST = 1 << 0,
	OA_STATUS_BUFFER_OVERFLOW = 1 << 1,
	OA_STATUS_COUNTER_OVERFLOW = 1 << 2,
};

struct oa_unit_config {
	const struct oa_format *format;
	int graphics_ver;
	uint64_t timestamp_hz;
	/* the accumulator of the occupancy event overflows at 8 threads */
	int threads_per_pulse;
	int threads_per_count;		/* of A1 to A6: 2 where the dispatcher counts fused pairs */
	bool clock_reports;		/* on every clock change (i915 switches them off) */
	bool context_reports;		/* on every switch of contexts */
	bool switch_tells;		/* only the report of a switch has the valid bit: from Gen12.55 on */
	bool keeps_number;		/* that of the last context stays while none runs: nobody replaces it */
	bool has_types;			/* EU events tell types of numbers: from Gen12.5 on */
	/* that a count of GTI or memory traffic stands for; 0: 64 */
	int gti_bytes;
	int l3_banks;			/* each counts for itself */
	uint64_t subslice_mask;		/* as in struct topology; 0: no subslice is told apart */
	int subslice_mask_stride;
	uint32_t buffer_bytes;		/* 0: OA_RING_BYTES */
	bool keeps_overrun;		/* somebody reads the buffer after an overflow, as xe does */
};

/* Returns how the unit of a device of that Intel platform counts. */
struct intel_platform;
struct device;
struct oa_unit_config oa_unit_config_of(const struct device *d, const struct intel_platform *p);

enum oa_gate {
	GATE_NONE,	/* no start trigger is programmed */
	GATE_OPEN,	/* they fire at once */
	GATE_HELD,	/* they fire at their threshold */
	GATE_UNKNOWN	/* the model does not know when */
};

#define TRIGGERS 3	/* report triggers 1 and 2, and the start triggers, which are alike */

struct oa_unit_triggers {
	struct oa_triggers words;
	uint8_t reporting;		/* report triggers that are executed, as bits */
	enum oa_gate gate;
	bool is_new;			/* programmed, and not yet attached to a course */
	int64_t since_ns;		/* when the course or the programming changed last */
	uint64_t base[TRIGGERS];	/* where counting to the threshold began */
	int64_t next_ns[2];		/* of report triggers; INT64_MAX: not looked for */
	int64_t landed_ns;		/* when the last report has landed */
	int64_t start_ns;		/* when B and C counters begin; INT64_MAX: not yet */
	uint64_t held[NOA_COUNTERS];	/* what they stand at until then */
};

/* The caller owns the storage; oa_unit_init() and oa_unit_release() begin and end its use. */
struct oa_unit {
	struct oa_unit_config c;
	const struct course *cs;
	struct oa_event events[OA_FLEX_COUNTERS];
	/* each subslice has events of its own, in the order in which groups are dealt */
	bool is_apart;
	struct oa_event apart[SS_MAX][OA_FLEX_COUNTERS];
	struct oa_pes_event pes[OA_PES_COUNTERS];
	uint16_t gti_reads, gti_writes;	/* B and C counters that share the GTI traffic, as bits */
	uint8_t gti_read_bytes;		/* of a count of reads; writes are of 64 bytes */
	uint8_t clock;			/* C counters that follow the clock, as bits */
	struct oa_unit_triggers triggers;
	struct noa noa;			/* B and C counters of single subslices */
	uint8_t booleans;		/* B counters that follow the clock, as bits */
	struct oa_share shares[OA_BOOLEANS];	/* of the clock, by B counter */
	int16_t quantity[OA_MAX_COUNTERS];
	uint8_t bits[OA_MAX_COUNTERS];
	int n_counters;
	uint8_t timestamp_bits;
	uint64_t offset[Q_COUNT];	/* value when counting started */
	uint64_t first_timestamp;
	uint32_t last_context;		/* its number; 0: none has run */
	bool enabled;
	int exponent;
	uint64_t next_timer;		/* ticks since model start */
	int64_t next_change_ns;		/* of the clock */
	int64_t next_context_ns;
	uint64_t high[OA_MAX_COUNTERS];	/* parts above the counters' width, in the last report */
	uint8_t *ring;
	/* in use: a multiple of 64-bit reports, for Xe2 splits none at the end */
	uint32_t ring_bytes;
	/* bytes since enabling; registers hold them modulo the ring */
	uint64_t head, tail;
	uint32_t status;
	uint8_t landing[1024];		/* the report that is being written */
	int lines_left;
	int64_t landing_ns;
};

bool oa_unit_init(struct oa_unit *u, const struct oa_unit_config *c, struct err *err);
void oa_unit_release(struct oa_unit *u);
/* Writes registers, in order. Flexible EU counters that are not written keep their reset value:
 * everything of FPU0 below Gen12, off from Gen12 on. */
void oa_unit_program(struct oa_unit *u, const struct oa_reg *regs, size_t n);
/* Writes EU_PERF_CNT_CTL0 to 6 of one subslice alone, by its place in the order in which groups are
 * dealt. Those that are not written keep what oa_unit_program() gave them. */
void oa_unit_program_subslice(struct oa_unit *u, int subslice, const uint32_t values[OA_FLEX_REGS]);
/* Tells whether the model executes all triggers that are programmed. */
bool oa_triggers_are_known(const struct oa_unit *u);
/* Tells whether the model knows what this counter ("A7", "B0", "TIMESTAMP") counts with the
 * programming in force. */
bool oa_unit_counts(const struct oa_unit *u, const char *name);
/* Gives what the programmed unit counts of a phase: a course_select_fn with the unit as ctx. */
void oa_unit_select(void *unit, const struct phase *p, double hz, double q[Q_COUNT]);
/* Attaches the course that was compiled with oa_unit_select; it must outlive the unit. */
void oa_unit_attach(struct oa_unit *u, const struct course *cs);
/* Does the same while it counts: what is due up to t_ns still belongs to the course before. */
void oa_unit_switch(struct oa_unit *u, const struct course *cs, int64_t t_ns);

/* Starts counting at t_ns, and reports at the timer's next tick. Every counter and the time stamp
 * wrap wrap_ns after that; 0 lets them start at zero (the time stamp at some value). */
void oa_unit_enable(struct oa_unit *u, int64_t t_ns, int exponent, int64_t wrap_ns);
/* Returns a counter register as a full value, enabled or not. */
uint64_t oa_unit_counter(const struct oa_unit *u, enum quantity q, int64_t t_ns);
/* Returns the time stamp at t_ns, cut to no width. */
uint64_t oa_unit_timestamp(const struct oa_unit *u, int64_t t_ns);
/* Writes a report at once, as somebody asks for it who writes a value into the unit's trigger
 * register (from Gen12 on); the value stands where the context does. */
void oa_unit_trigger(struct oa_unit *u, int64_t t_ns, uint32_t value);
/* Returns when the next report is due, after t_ns; up to a second later for those of triggers. */
int64_t oa_unit_next_report(struct oa_unit *u, int64_t t_ns);
/* Writes everything that is due into the ring. */
void oa_unit_advance(struct oa_unit *u, int64_t t_ns);

/* Show the buffer as a driver sees it: registers have the granularity of lines. */
uint32_t oa_unit_head(const struct oa_unit *u);
uint32_t oa_unit_tail(const struct oa_unit *u);
void oa_unit_set_head(struct oa_unit *u, uint32_t head);
/* Returns the bytes between head and tail. */
uint32_t oa_unit_waiting(const struct oa_unit *u);
/* Copies one report out of the ring and marks its place as not landed, as drivers do. */
void oa_unit_take(struct oa_unit *u, uint8_t *report);
/* Sets head and tail back to the start, clears the ring where it matters, and the status: what a
 * driver does after an overflow. */
void oa_unit_reset_buffer(struct oa_unit *u);
/* Goes on after an overflow with what the buffer holds between head and tail: the newest reports. */
void oa_unit_accept_overrun(struct oa_unit *u);
/* Takes away the older half of what has not been read, as if the unit could not write it; report
 * lost is latched. */
void oa_unit_lose_reports(struct oa_unit *u);

/* --- private to the model's files of the unit --- */

/* Takes the triggers of a programming. Counters whose start is not known are known no more. */
void oa_triggers_program(struct oa_unit *u, const struct oa_reg *regs, size_t n);
/* Counts to the thresholds from t_ns on. */
void oa_triggers_begin(struct oa_unit *u, int64_t t_ns);
/* Adds the clocks of a phase in which outputs are high. */
void oa_triggers_select(const struct oa_unit *u, const struct phase *p, double q[Q_COUNT]);
/* Opens the gate of B and C counters when that is due up to t_ns. */
void oa_triggers_open(struct oa_unit *u, int64_t t_ns);
/* Holds B and C counters in q, the values at t_ns, until the gate is open. */
void oa_triggers_hold(const struct oa_unit *u, int64_t t_ns, uint64_t q[Q_COUNT]);
/* Returns how many reports triggers ask for up to t_ns. */
uint64_t oa_triggers_due(const struct oa_unit *u, int64_t t_ns);
/* Returns when the next report trigger fires, up to t_ns; INT64_MAX: not until then. */
int64_t oa_triggers_next(struct oa_unit *u, int64_t t_ns);
/* Returns the reasons of triggers for a report at t_ns, and lets those begin anew. */
unsigned oa_triggers_reason(struct oa_unit *u, int64_t t_ns);
/* Returns bits 17 and 18 of a report's id. */
uint32_t oa_triggers_id(const struct oa_unit *u, int64_t t_ns, unsigned reason);

/* Gives what an event of Xe2 counts of a phase. Returns false when the model does not know it. */
bool oa_pes_count(const struct oa_unit_config *c, const struct oa_pes_event *e,
	const struct phase *p, double *out);
