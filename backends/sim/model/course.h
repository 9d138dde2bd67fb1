/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters as a pure function of model time: segments of constant clock that repeat patterns of
 * phases, integrated exactly.
 *
 * Within a phase every quantity grows linearly with GPU cycles; a pattern of phases repeats for the
 * length of its segment; the segments repeat for ever. Values are sums and products of fixed-point
 * numbers, never of rounded ones, so they do not depend on when or how often they are looked at,
 * and never go back. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/sim/model/eu_array.h"
#include "backends/sim/model/q32.h"

/* Loaded EUs are found working, waiting for a message, or waiting for a result. */
enum stall_finding { FOUND_ACTIVE, FOUND_MESSAGE, FOUND_RESULT, STALL_FINDINGS };

/* Names everything that the model counts. */
enum quantity {
	Q_TICKS,
	Q_A,			/* + 0 to 44 */
	Q_B = Q_A + 45,		/* + 0 to 7 */
	Q_C = Q_B + 8,		/* + 0 to 7 */
	Q_P = Q_C + 8,		/* + 0 to 63 */
	/* EU cycles are told apart by what a sample of the EU would find; + enum stall_finding */
	Q_STALL = Q_P + 64,
	Q_ENERGY = Q_STALL + STALL_FINDINGS,	/* nJ; + enum power_plane */
	Q_RC6_NS = Q_ENERGY + 4,
	Q_MEMORY_BYTES,		/* to and from the memory */
	Q_BUSY_NS,		/* time in which the GPU did something */
	Q_LAUNCHES,		/* of the kernel, in parts of 1/COURSE_LAUNCH_PARTS */
	/* clocks in which the outputs of report trigger 1 and 2 and of the start triggers are high */
	Q_TRIGGERS,
	Q_COUNT = Q_TRIGGERS + 3,
};

/* A launch proceeds evenly with the GPU's cycles: so fine a count shows rates of single windows. */
#define COURSE_LAUNCH_PARTS (1 << 20)

struct course_phase {
	uint64_t start, cycles;
	/* where in the pattern the next phase with another context begins, which may be in the
	 * next round; UINT64_MAX: all phases have the same one */
	uint64_t next_context;
	uint8_t context;	/* as in struct phase */
	bool gated;
	uint32_t loaded_eus[2];	/* as in struct phase */
	int n_first;
	struct q32 rate[Q_COUNT];	/* per cycle */
	struct q32 before[Q_COUNT];	/* in this pattern, up to the start */
};

struct course_pattern {
	struct course_phase *phases;
	int n;
	uint64_t cycles;
	struct q32 total[Q_COUNT];
};

/* Says what keeps the clock below the device's highest. */
enum clock_reason { CLOCK_FREE, CLOCK_BY_POWER, CLOCK_BY_HEAT, CLOCK_BY_CURRENT, CLOCK_BY_SETTING };

struct course_segment {
	int64_t start_ns, duration_ns;
	uint64_t hz, requested_hz;
	enum clock_reason reason;
	int pattern;
	char text[160];
	struct q32 before[Q_COUNT];
};

/* The caller owns a course; one that is zero-initialised is empty. */
struct course {
	struct course_pattern *patterns;
	int n_patterns;
	struct course_segment *segments;
	int n_segments;
	int64_t period_ns;
	struct q32 total[Q_COUNT];	/* of one period */
	int moving[Q_COUNT];		/* quantities that are not 0 all the time */
	int n_moving;
	int64_t origin_ns;		/* model time at which its own time was 0 */
	uint64_t offset[Q_COUNT];	/* added to every quantity: what another course has left */
	/* The activity (not the clock) proceeds at (100 - 2 * pct) % to 100 % of its speed; 0 means
	 * no jitter. */
	int jitter_pct;
	uint64_t seed;
};

/* Fills q with the totals of one phase, by quantity. */
typedef void course_select_fn(void *ctx, const struct phase *p, double hz, double q[Q_COUNT]);

#define COURSE_MAX_PATTERN_CYCLES (UINT64_C(1) << 31)

/* Adds a pattern and returns its index; the list must not be empty or longer than
 * COURSE_MAX_PATTERN_CYCLES. */
int course_add_pattern(struct course *cs, const struct phase_list *l, double hz,
	course_select_fn *select, void *ctx);
/* Describes the clock of a segment; requested_hz is what it would be without limits that the driver
 * does not set. */
struct course_clock {
	uint64_t hz, requested_hz;
	enum clock_reason reason;
};

/* Appends duration_ns of that pattern at that clock. The text is copied. */
void course_add_segment(struct course *cs, int64_t duration_ns, const struct course_clock *clock,
	int pattern, const char *text);
/* Seals the course after its last segment, and after jitter is set: from here on it is constant. */
void course_seal(struct course *cs);
void course_release(struct course *cs);
/* Lets cs stand in for another course from t_ns on: counting goes on where that one is then. Its
 * own time began, or begins, at origin_ns. It must not be looked at before t_ns any more. */
void course_take_over(
	struct course *cs, const struct course *before, int64_t t_ns, int64_t origin_ns);

/* Fills q with all quantities at t_ns >= 0, fractions cut off. */
void course_values(const struct course *cs, int64_t t_ns, uint64_t q[Q_COUNT]);
/* Returns one of them. */
uint64_t course_value(const struct course *cs, enum quantity what, int64_t t_ns);

/* Returns the first moment after from_ns, up to to_ns, at which a quantity has come to a value;
 * INT64_MAX when it has not. */
int64_t course_when(const struct course *cs, enum quantity what, uint64_t value, int64_t from_ns,
	int64_t to_ns);

/* Describes the state of the GPU at a moment. */
struct course_state {
	uint64_t hz;
	uint64_t requested_hz;	/* as in struct course_clock */
	enum clock_reason reason;
	uint8_t context;	/* as in struct phase */
	bool gated;
	uint32_t loaded_eus[2];	/* as in struct phase */
	int n_first;
	const char *text;
};
void course_at(const struct course *cs, int64_t t_ns, struct course_state *out);
/* Returns the next moment after t_ns at which another context is loaded, or none any more;
 * INT64_MAX when that does not happen within the course's period. */
int64_t course_next_context_change(const struct course *cs, int64_t t_ns);
/* Returns the next moment after t_ns at which the clock changes; INT64_MAX when it never does. */
int64_t course_next_clock_change(const struct course *cs, int64_t t_ns);

/* Returns the next number of splitmix64 for x: what is random depends on nothing but the time and a
 * number, so that windows repeat. */
uint64_t course_hash(uint64_t x);
