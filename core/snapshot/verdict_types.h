/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of the verdict: what limits a device in one window, as a kind, the resource, and the
 * evidence. It is made once for each window, and everything that speaks about limits prints it. */
#pragma once

#include <stdint.h>

#include "core/value/device.h"

/* The kinds in the order in which they are asked: an id, the name that files and exports use, and
 * the headline. Names never change; new kinds may be added. */
#define VERDICT_KIND_LIST(X) \
	X(LOST, "lost", N_("DEVICE LOST")) \
	X(MEASURING, "measuring", N_("MEASURING")) \
	X(ASLEEP, "asleep", N_("ASLEEP")) \
	X(PERMISSION, "permission", N_("NO PERMISSION")) \
	X(IDLE, "idle", N_("IDLE")) \
	X(HOST, "host", N_("HOST-BOUND")) \
	X(PARTLY_IDLE, "partly_idle", N_("PARTLY IDLE")) \
	X(LAUNCH, "launch", N_("LAUNCHES TOO SHORT")) \
	X(PARALLELISM, "parallelism", N_("TOO FEW THREADS")) \
	X(HEAT, "heat", N_("HEAT-LIMITED")) \
	X(POWER, "power", N_("POWER-LIMITED")) \
	X(CURRENT, "current", N_("CURRENT-LIMITED")) \
	X(CLOCK, "clock", N_("CLOCK-LIMITED")) \
	X(PIPE, "pipe", N_("PIPE FULL")) \
	X(BANDWIDTH, "bandwidth", N_("BANDWIDTH-BOUND")) \
	X(MIX, "mix", N_("PIPES BUSY")) \
	X(UNKNOWN, "unknown", N_("ROOF NOT KNOWN")) \
	X(LATENCY, "latency", N_("LATENCY")) \
	X(NONE, "none", N_("NO SINGLE LIMIT")) \
	X(NO_COUNTERS, "no_counters", N_("NO COUNTERS"))

enum verdict_kind {
#define X(id, name, headline) VERDICT_##id,
	VERDICT_KIND_LIST(X)
#undef X
	VERDICT_KINDS
};

enum verdict_flag {
	VERDICT_ESTIMATED = 1 << 0, /* value or roof is an estimate, or rests on a recollection */
	VERDICT_SIMULATED = 1 << 1, /* of a simulated device */
	VERDICT_MIXED = 1 << 2, /* the halves of the window tell different kinds */
	VERDICT_CONTRADICTION = 1 << 3, /* counters contradict each other */
	VERDICT_AT_MOST = 1 << 4, /* what is full first is not counted, so headroom is a bound */
};

/* What the rules would have needed to say more. */
enum verdict_missing {
	VERDICT_MISSING_NOTHING,
	VERDICT_MISSING_ROOF,
	VERDICT_MISSING_SET,
	VERDICT_MISSING_WINDOW	/* it is over, and was too short for a whole window */
};

#define VERDICT_WORD_SIZE 20
#define VERDICT_MAX_ARGS 6

/* A sentence whose numbers and names are filled in when it is shown, so that people get it in their
 * language and files get it in English. fmt is untranslated and has only %s, or %1$s and so on for
 * the args; NULL means no sentence. Args are untranslated, too. */
struct verdict_text {
	const char *fmt;
	char args[VERDICT_MAX_ARGS][32];
};

/* One resource that was compared. */
struct verdict_candidate {
	char resource[VERDICT_WORD_SIZE];	/* as verdict.bound: "dram" */
	int metric;				/* index in the snapshot's set */
	double value, roof;			/* base units; NAN when unknown */
	double share;				/* value / roof; NAN when unknown */
	double from;				/* the share from which it counts as full */
	enum roof_source source;
	bool uncertain;				/* the roof rests on a recollection */
	bool estimated;				/* the value is inferred */
	struct verdict_text why_not;	/* why the verdict is another one; no fmt: it is this */
};

/* The numbers that rules compare with: an id, the name of files, the value (a share, unless
 * the text says another unit), and what it is for. */
#define VERDICT_THRESHOLD_LIST(X)                                                                  \
	X(IDLE, "idle", 0.05, N_("busy share below which the device is idle"))                     \
	X(PARTLY, "partly", 0.70,                                                                  \
		N_("busy share below which the device waits for work, whatever else is full"))     \
	X(BUSY, "busy", 0.90,                                                                      \
		N_("busy share below which it waits for work when no resource is full"))           \
	X(HOST_CPU, "host_cpu", 0.90,                                                              \
		N_("share of a CPU core from which the first process is what it waits for"))       \
	X(GAPS, "gaps", 0.50, N_("time without a thread from which launches are asked about"))     \
	X(LIFE_S, "life_s", 5e-6,                                                                  \
		N_("life of a thread, in seconds, below which launches are too short"))            \
	X(EMPTY, "empty", 0.25, N_("time without a thread from which there are too few of them"))  \
	X(UNEVEN, "uneven", 0.10,                                                                  \
		N_("share of time that uneven work leaves cells without any, from which groups "   \
		   "are too few"))                                                                 \
	X(OCCUPANCY, "occupancy", 0.50,                                                            \
		N_("share of thread slots in use below which there are too few threads"))          \
	X(WAITING, "waiting", 0.50, N_("waiting time from which a reason is looked for"))          \
	X(CLOCK, "clock", 0.97,                                                                    \
		N_("share of the highest clock below which the clock is held down"))               \
	X(HELD, "held", 0.50,                                                                      \
		N_("time in which the driver held the clock, from which a full clock says so"))    \
	X(POWER, "power", 0.97, N_("share of a power limit from which it is reached"))             \
	X(PIPE, "pipe", 0.90, N_("busy share from which a pipe is full"))                          \
	X(COMPUTED, "computed", 0.80,                                                              \
		N_("share of a computed roof from which a level is full"))             \
	X(PRINTED, "printed", 0.75,                                                                \
		N_("share of a printed, read or assumed roof of memory or a link"))                \
	X(REACHED, "reached", 0.90,                                                                \
		N_("share of what such parts are known to reach, where that is lower"))            \
	X(REACH, "reach", 0.85,                                                                    \
		N_("share of a printed roof of memory that the best programs reach"))              \
	X(PART, "part", 0.90,                                                                      \
		N_("share of a level's traffic from which its part is named instead"))             \
	X(MEASURED, "measured", 0.90, N_("share of a measured roof from which a level is full"))   \
	X(BEHIND, "behind", 0.90, N_("the same where a level behind it has no roof"))              \
	X(QUEUE, "queue", 0.50,                                                                    \
		N_("time with a full queue from which the level behind it is full"))               \
	X(TURN, "turn", 0.80, N_("busy share of every queue of work below which they take turns")) \
	X(TURNS, "turns", 0.90,                                                                    \
		N_("busy shares of all queues of work together from which they do"))               \
	X(QUEUE_LOW, "queue_low", 0.20,                                                            \
		N_("time with a full queue below which the level behind it has room"))             \
	X(MIX_WORKING, "mix_working", 0.85,                                                        \
		N_("working time from which instructions are what limits"))                        \
	X(MIX_PIPE, "mix_pipe", 0.60, N_("busy share of two pipes that makes a mixture"))          \
	X(LOW, "low", 0.60, N_("share of a roof below which a level is surely not full"))          \
	X(DOUBT, "doubt", 0.30,                                                                    \
		N_("share of a printed roof of memory from which waiting may be for a memory "     \
		   "slower than that"))                                                            \
	X(THREADS, "threads", 0.75,                                                                \
		N_("share of thread slots in use from which waiting is latency"))                  \
	X(LEAD, "lead", 0.05,                                                                      \
		N_("lead by which another resource takes the place of the one said"))              \
	X(OVER, "over", 1.05, N_("share of a roof or of time from which counters contradict it"))  \
	X(SUM, "sum", 0.10, N_("how far working, waiting and empty time may differ from 100 %"))

enum verdict_threshold {
#define X(id, name, value, text) THRESHOLD_##id,
	VERDICT_THRESHOLD_LIST(X)
#undef X
	VERDICT_THRESHOLDS
};

#define VERDICT_MAX_CANDIDATES 24
#define VERDICT_BECAUSE 3
#define VERDICT_CAUSES 2

struct verdict {
	enum verdict_kind kind;
	int rule;	/* the rule that held; -1: none was asked */
	/* word of the resource as exports spell it: "dram", "fpu0", "busy"; "" when none applies */
	char bound[VERDICT_WORD_SIZE];
	/* the metric of that resource in the snapshot's set, -1 when there is none */
	int metric;
	/* in base units (B/s, 1, Hz); NAN when it does not apply or is not known */
	double value, roof, share, headroom;
	char unit[VERDICT_WORD_SIZE]; /* of value and roof: "B/s"; "" without a value */
	enum roof_source source;		/* of the roof */
	unsigned flags;				/* enum verdict_flag bits */
	enum verdict_missing missing;
	/* when this kind began to be said, by the clock of snapshot.mono_ns */
	int64_t since_ns;
	/* of a short window that says something else than the one before, and waits for the next:
	 * the kind is VERDICT_MEASURING, and the line says what is true now */
	bool is_changing;
	bool lacks_level; /* of memory: one is not counted, or its roof is not known */
	bool is_divided; /* the device is, into parts that have limits of their own */
	bool waits; /* of none: nothing is full, and a cause says that work waits */
	/* what was said before: VERDICT_MEASURING when nothing was, and the resource's word */
	enum verdict_kind before;
	char before_bound[VERDICT_WORD_SIZE];
	/* behind the headline: "DRAM 476 of 560 GB/s, 85 % (data sheet)", and a form of at most 40
	 * columns */
	struct verdict_text line, brief;
	struct verdict_text because[VERDICT_BECAUSE];	/* the strongest first */
	struct verdict_text try;			/* one step that helps */
	/* words of what makes the resource full, as metric files name them; "" behind the last */
	char causes[VERDICT_CAUSES][VERDICT_WORD_SIZE];
	struct verdict_candidate candidates[VERDICT_MAX_CANDIDATES];
	int n_candidates;
};

#define VERDICT_MAX_ASKED 128

/* A metric that rules ask, over several windows: sums weighted by their time in ns. */
struct verdict_sum {
	double value, weight, roof, roof_weight;
};

/* What was said of earlier windows, so that the answer of short ones does not flicker. A
 * zero-initialised struct is valid and remembers nothing. */
struct verdict_memory {
	struct verdict said;
	enum verdict_kind next;	/* the kind of the last window, where it differs from said */
	int next_windows;		/* how many windows in a row it was that */
	/* when the first of the windows that differ began, and how long they are together */
	int64_t since_ns, changing_ns;
	struct verdict_sum sums[VERDICT_MAX_ASKED]; /* of these windows */
	int64_t lead_ns; /* for how long another resource has led */
	bool has_said;
};

/* What a device does while it waits: the share of time, and what the memory moves, NAN when that is
 * not counted. */
struct verdict_pace {
	double waiting, bytes_per_s;
};
