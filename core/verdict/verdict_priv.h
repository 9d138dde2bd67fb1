/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a verdict is made: evidence of a window, rules that look at it, and sentences. Private to
 * verdict*.c. */
#pragma once

#include <stdbool.h>

#include "core/snapshot/balance.h"
#include "core/metric/metric.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict.h"

/* Watching a device moves a few bytes; less than this is no traffic that could wait. No memory of
 * the last twenty years moves less than 3 GB/s (DDR at 400 MT/s on 64 bits), so a fifteenth of
 * that does not fill one, whatever its roof is. */
#define TRAFFIC_FROM_BYTES_PER_S 1e6
#define MEMORY_FROM_BYTES_PER_S 2e8

/* Refreshing takes 260 ns of each 7.8 us of DDR4 chips of 4 Gbit, and more of larger ones (JEDEC
 * JESD79-4, tRFC1 and tREFI); memories that refresh bank by bank are taken as these. */
#define MOST_OF_PRINTED (1 - 260.0 / 7800)

/* A smaller share is shown as 0 %. */
#define UNUSED 0.005

/* A pipe, a level of memory or a link, compared with its roof. */
struct resource {
	const struct metric_limit *limit;
	const char *name;	/* for people, untranslated */
	int metric;
	double value, roof;	/* base units; NAN when unknown */
	double share;		/* value / roof, of all time; NAN when unknown */
	double least;		/* of an estimate that is an upper bound: what it is at least */
	double fill;		/* the same while the device is busy: what rules compare */
	double from;		/* the fill from which it counts as full */
	double reach;		/* the fill that is ever reached */
	double fullest;		/* the fill in the fullest of several such pipes; NAN: unknown */
	double queue_full;	/* share of busy time in which the queue to it is full; NAN: unknown */
	double queue_from;	/* the share from which that counts */
	int queue;		/* metric that counts this, -1 */
	enum roof_source source;
	bool uncertain;		/* the roof rests on a recollection */
	bool estimated;		/* the value is an upper bound */
	bool over;		/* more than the roof allows was counted */
};

/* A queue of work: that it is full says that something behind it is, not what. */
struct work_queue {
	const char *name;	/* for people, untranslated */
	int metric;
	double share;		/* of busy time; NAN when unknown */
};

#define MAX_QUEUES 4

/* Watts against the limit that is enforced. */
struct plane {
	const struct metric_limit *limit;
	int metric;
	double watts, most;
};

enum { REASON_HEAT, REASON_POWER, REASON_CURRENT, REASONS };

/* Everything that rules ask. Shares are 0 to 1, NAN when nothing counts them. */
struct evidence {
	const struct snapshot *s;
	double busy;		/* of all time */
	unsigned inferred;	/* ROLE_BIT of what is an estimate */
	bool busy_while_awake;	/* it was counted in clocks that ran */
	struct value busy_gap;	/* why it has no number where it is counted so */
	double asleep;		/* of all time; NAN: nobody tells */
	bool is_divided;	/* into parts, of which the busiest is busy so much */
	const char *busy_unit;	/* "CPUs" of which it is the mean; NULL: the device is one */
	/* of the execution units' time while the device is busy */
	double working, waiting, empty, occupancy;
	double least_slots;	/* of them in use, where occupancy is no bound; 0: unknown */
	int waiting_metric;
	bool lacks_empty;	/* what counts empty units has no value in this window */
	unsigned while_busy;	/* roles whose shares were counted of busy time alone */
	bool counts_waiting;	/* some metric of the set counts what is not working */
	const char *unit;	/* who works and waits: "EU" */
	double graphics;	/* share of the threads that shade vertices or pixels */
	double life_s;		/* how long a thread lives, at most */
	double clock_hz, highest_hz, requested_hz, setting_hz;	/* NAN when unknown */
	int clock_metric;
	double reasons[REASONS];
	bool lacks_reason, lacks_setting; /* a metric of the set that would tell has no value */
	struct plane plane;	/* the one nearest to its limit; metric -1 when there is none */
	double temperature_degc;
	struct resource resources[VERDICT_MAX_CANDIDATES];
	int n_resources;
	struct work_queue queues[MAX_QUEUES];
	int n_queues;
	const struct value *values;	/* what it was gathered from */
	/* levels that nothing counts: one that another names as the one behind it, and one that
	 * another names as the one before it; NULL */
	const char *uncounted_behind, *uncounted_front;
	/* how work was dealt to the cells of a map, where the window has such a map; NULL */
	const struct cell_map *dealt_map;
	const struct metric *dealt;
	struct balance balance;
	char host[40];		/* the process that uses the device most */
	double host_cpu;	/* share of a CPU core that it uses; NAN when unknown */
	struct verdict_text contradiction;	/* no fmt: the counters agree */
};

void evidence_gather(struct evidence *e, const struct snapshot *s, const struct value *values,
	const struct value *ceilings);

/* Whether a metric is of a set that takes turns with others, and has not had its first one. */
bool verdict_waits_for_turn(const struct snapshot *s, int metric);
/* The same of a level: some metric of it does. */
bool verdict_level_has_no_turn(const struct evidence *e, const char *word);

/* What a rule has found. */
struct finding {
	enum verdict_kind kind;
	int rule;
	const char *bound;		/* word, "" */
	const struct resource *resource;	/* NULL: the word is none of them */
	bool at_most;
	enum verdict_missing missing;
};

/* One kind and the question whether it holds, in the order in which they are asked. */
struct rule {
	enum verdict_kind kind;
	/* NULL: it holds when the window has no values for that reason, or when no other does */
	bool (*holds)(const struct evidence *e, struct finding *f);
	const char *text;		/* when it holds, in words */
};

extern const struct rule verdict_rules[];
extern const int verdict_n_rules;
/* Asks all rules; the last one holds when no other does. */
struct finding verdict_ask(const struct evidence *e);
/* Whether its roof is of a data sheet, or of a memory's clock and width, which nothing reaches as a
 * whole. */
bool resource_is_printed(const struct resource *r);
/* Whether a resource counts as full, with the second sign that it may need. */
bool resource_is_full(const struct evidence *e, const struct resource *r);
/* Whether it is a pipe of that group. The group of a part of a level is that level, and none of
 * pipes. */
bool resource_in_group(const struct resource *r, const char *group);
/* Whether all pipes of its group are as full as this one. */
bool resource_group_is_even(const struct evidence *e, const struct resource *r);
/* Whether it is a memory whose printed roof may be more than it delivers: no queue says that it is
 * behind, and a part of such a roof may be all of it, where it works for that share of the time. */
bool resource_is_doubtful(const struct resource *r, double time);
/* Whether it surely has room, by its roof or by the queue to it. */
bool resource_has_room(const struct resource *r);
/* Whether its roof is the higher, the higher the device's clock is. */
bool resource_follows_clock(const struct resource *r);
/* Whether the clock is clearly below the highest one. */
bool verdict_clock_is_low(const struct evidence *e);
/* Returns the resource with the largest fill among pipes, or among levels and links, or (roles 0)
 * of all. NULL: none is known. */
const struct resource *evidence_fullest(const struct evidence *e, unsigned roles);
#define ROLE_BIT(role) (1u << (role))
/* All, but for what everybody moves, which is not the device's work. */
#define OWN_ROLES (~0u)
#define MEMORY_ROLES (ROLE_BIT(LIMIT_LEVEL) | ROLE_BIT(LIMIT_LINK) | ROLE_BIT(LIMIT_COPY))
/* Returns the full resource that is nearest to what it ever reaches, or NULL; roles as above. */
const struct resource *evidence_full(const struct evidence *e, unsigned roles);
/* Returns how near it is to what it ever reaches, and the resource that is nearest, or NULL; of
 * all, or of those that are full. */
double nearness(const struct resource *r);
const struct resource *evidence_nearest(const struct evidence *e, unsigned roles, bool is_full);
/* Whether a pipe is full by its mean, or in the fullest of several units. */
bool pipe_is_at(const struct resource *r, double share);
/* Whether work goes through the queues one after the other, so that none hides another. */
bool evidence_takes_turns(const struct evidence *e);
/* Returns the word of a unit of fixed function that nothing counts, where work ran that passes it;
 * or NULL. */
const char *evidence_uncounted_unit(const struct evidence *e);
/* Returns the level whose queue is full while the device waits, the one nearest to memory, or
 * NULL. */
const struct resource *evidence_queued(const struct evidence *e);
/* Returns a level that carries traffic and has neither a roof nor a queue that shows room, or
 * NULL. */
const struct resource *evidence_roofless(const struct evidence *e);
/* Returns the word of a level that nothing counts in this window, or NULL. */
const char *evidence_uncounted(const struct evidence *e);
/* Returns a pipe of the set that has no value in this window, or NULL. */
const struct resource *evidence_uncounted_pipe(const struct evidence *e);
/* Returns the memory whose printed roof may be more than it delivers, while nothing else tells
 * whether it is full, by that share of the time; or NULL. */
const struct resource *evidence_doubtful(const struct evidence *e, double time);
/* Whether a level is known by everybody's traffic alone. */
bool evidence_memory_is_shared(const struct evidence *e);
/* Whether every level that may be full is counted and has a roof or a queue; whether that is so of
 * the memory itself, which all execution units share; and whether all of them have room. */
bool evidence_knows_memory(const struct evidence *e);
bool evidence_knows_shared_memory(const struct evidence *e);
bool evidence_memory_has_room(const struct evidence *e);
/* Whether units hardly send a message. */
bool evidence_hardly_sends(const struct evidence *e);
/* Returns the longest share of time for which units may wait, by what is counted. */
double evidence_most_waiting(const struct evidence *e);
/* Returns the share of the time in which units have a thread, as far as it is known, else 1. */
double evidence_loaded(const struct evidence *e);
/* Whether anything tells how the device works: pipes, memory or waiting. */
bool evidence_counts_work(const struct evidence *e);
/* The same of what executes: without pipes, working or waiting a level that has room tells
 * nothing. */
bool evidence_counts_units(const struct evidence *e);
/* Returns the resource of that word, or NULL. */
const struct resource *evidence_resource(const struct evidence *e, const char *word);

/* Returns "data sheet", untranslated; "" for no source. */
const char *verdict_source_text(enum roof_source source);
/* Fills numbers and sentences of what was found. */
void verdict_tell(struct verdict *out, const struct evidence *e, const struct finding *f);
/* The arguments of a text are strings; this holds one number until it is copied. */
struct number {
	char text[24];
};

/* Returns a share as whole percent, or with a decimal where that says more. */
struct number percent(double share);
/* The same of what the device does in that share of time, with ~ when it is inferred. */
struct number role_percent(const struct evidence *e, enum limit_role role, double share);
/* Returns a number with so many decimals, however long it is. */
struct number number_of(double v, int decimals);
/* Returns a number in that many columns, and one of four columns with ~ before it when it is
 * inferred. */
struct number short_number(double v, int width);
struct number inferred(double v, bool is_inferred);
/* Returns the share of a resource as percent() does, with ~ when its value or roof is inferred. */
struct number resource_percent(const struct resource *r);
/* Sets a text; the args are strings that end with NULL, and one that is too long is cut. */
void tell(struct verdict_text *t, const char *fmt, ...);
/* Fills the first reasons and the step that helps with the causes of what was found; returns how
 * many there are. */
int verdict_tell_causes(struct verdict *out, const struct evidence *e, const struct finding *f);
/* Says which queue of work is the fullest. */
bool verdict_fact_work_queue(
	struct verdict_text *t, const struct evidence *e, const struct finding *f);
/* Whether a word is one of those that have blanks around each. */
bool has_word(const char *words, const char *word);
/* Returns the step that helps, untranslated, or NULL. */
const char *verdict_advice(const struct evidence *e, const struct finding *f);
/* Whether a step does not recommend the use of the resource that is full. */
bool verdict_advice_may_say(const char *bound, const char *text);
/* Names the resource, or all pipes of a group: "FPU0 + FPU1". */
const char *verdict_pipe_names(
	const struct evidence *e, const struct finding *f, char *buf, size_t size);
/* Fills the first line and its short form. */
void verdict_tell_line(struct verdict *out, const struct evidence *e, const struct finding *f);
/* Says how full the queue is, and when that was measured where it was not in this window. */
void verdict_tell_queue(
	struct verdict_text *t, const struct evidence *e, const struct resource *r);
/* Names a level that no metric of the set is of, so that only its word is known: "DRAM", "L3",
 * "GTI READ". */
struct number verdict_uncounted_name(const struct evidence *e, const struct finding *f);
/* Lists what was compared, and why it is not the verdict. */
void verdict_list(struct verdict *out, const struct evidence *e, const struct finding *f);
