/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics as data: files of named equations, grouped into sets for platforms. They are loaded once,
 * bound to a device, and evaluated in each window. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/value/device.h"
#include "core/metric/expr.h"
#include "core/value/sample.h"
#include "core/value/unit.h"

enum metric_flag {
	METRIC_ESTIMATED = 1 << 0,	/* drawn with ~, listed under "estimated" */
	METRIC_HIDDEN = 1 << 1,		/* helper for other equations, not shown or exported */
	METRIC_INTEGER = 1 << 2,	/* XML: uint64 result, printed without a fraction */
	METRIC_ABSENT = 1 << 3,		/* this device lacks it: no number, but others may read it */
	/* it only grows, from the device's opening or the driver's loading on: a counter in exports */
	METRIC_TOTAL = 1 << 4,
	METRIC_ASKED = 1 << 5,		/* of an option: lines of text have it before all others */
	/* the old name of another metric: hidden from people, exported for programs that read it */
	METRIC_OLD_NAME = 1 << 6,
	METRIC_INFERRED = 1 << 7,	/* estimated because its counters are: metric_set_estimate() */
	METRIC_BOUND = 1 << 8,		/* less, where a level of memory is not known: drawn with < then */
};

#define ROOF_NAME_SIZE 16

/* What a metric is to the roofline. Its value is a roof, or a coordinate of the live point. */
enum roof_role {
	ROOF_NONE,
	ROOF_FLOP,		/* horizontal roof, FLOP/s; named by type and operation: "sp.mad" */
	ROOF_BYTES,		/* slanted roof, B/s; named by level: "L3" */
	ROOF_PERFORMANCE,	/* y of the point, FLOP/s; named by type: "sp" */
	/* B/s at a level; y divided by it is the x of the point there; named by level */
	ROOF_TRAFFIC,
};

#define LIMIT_WORD_SIZE 20

/* What a metric says about limits of the device (core/verdict/verdict.h). Shares are value / ceiling. */
enum limit_role {
	LIMIT_NONE,
	LIMIT_BUSY,		/* share of time with work */
	LIMIT_ASLEEP,		/* share of time with the clock switched off */
	/* Shares of the time of execution units, which the word names: at least one pipe works;
	 * threads are loaded and none can go on; no thread is loaded. */
	LIMIT_WORKING,
	LIMIT_WAITING,
	LIMIT_EMPTY,
	LIMIT_OCCUPANCY,	/* share of thread slots that hold a thread */
	LIMIT_GRAPHICS,		/* share of the threads that shade vertices or pixels */
	LIMIT_LIFE,		/* how long a thread lives, at most */
	LIMIT_PIPE,		/* a unit that executes, or of fixed function: busy share */
	LIMIT_FULLEST,		/* the busy share of that pipe in the fullest of the units that have one */
	LIMIT_QUEUE,		/* a queue of work: share of time with work in it */
	LIMIT_CAUSE,		/* why a resource is full, when the value is so large */
	LIMIT_LEVEL,		/* traffic at a level of memory */
	LIMIT_LINK,		/* traffic of a link to the host or another card */
	LIMIT_COPY,		/* busy share of an engine that only copies */
	LIMIT_FULL,		/* share of time in which the queue to a level is full */
	LIMIT_CLOCK,		/* the clock; its ceiling is the highest one */
	LIMIT_REQUESTED,	/* the clock that the driver asks for */
	LIMIT_SETTING,		/* the highest clock that user or driver allow */
	LIMIT_REASON,		/* share of time in which "heat", "power" or "current" held it down */
	LIMIT_POWER,		/* watts; the ceiling is the limit that is enforced */
	LIMIT_TEMPERATURE,
	LIMIT_MEMORY,		/* taken memory of the device's own; the ceiling is all of it */
	LIMIT_FAN,
	LIMIT_DEALT,		/* work that is dealt to the cells of a map: threads, groups */
	LIMIT_PART_BUSY,	/* share of time in which a part of a divided device had work */
	LIMIT_PART,		/* how full a resource of such a part is */
	LIMIT_SAMPLES,		/* how many looks the estimated metrics of its map rest on */
	LIMIT_ROLES
};

struct metric_limit {
	enum limit_role role;
	char word[LIMIT_WORD_SIZE];	/* the resource as outputs spell it: "gti_read" */
	char before[LIMIT_WORD_SIZE];	/* the level that serves what this one has not; "" */
	char behind[LIMIT_WORD_SIZE];	/* the level whose misses this one serves; "" */
	/* pipes that are named together when all are full, or the level that this one is a part of;
	 * "" */
	char group[LIMIT_WORD_SIZE];
	/* the share from which it is full; of a cause the value, in the metric's unit; 0: as usual */
	double from;
	char *of;			/* resources that it is a cause of, with blanks around each; NULL: all */
	bool fixed;			/* the roof does not follow the device's clock */
	bool shared;			/* the traffic of everybody, not of the device alone */
	bool one_sided;			/* a queue that is not full says nothing; the least share */
	bool while_busy;		/* a share of busy time instead of all time */
	bool while_awake;		/* of the clocks that ran instead of all time */
	char *name;			/* for people; NULL: the label */
	char *tip;			/* one step that helps, or NULL */
};

enum metric_input_kind { INPUT_COUNTER, INPUT_RATE, INPUT_CONST, INPUT_METRIC, INPUT_MOST };

/* A name that equations of the set read. COUNTER is a delta or gauge. RATE is a cumulative counter
 * per second of its own source's window. CONST is a device constant. METRIC is another metric of
 * the set, in base units. MOST is the largest value among the cells of such a metric. */
struct metric_input {
	char *name;
	enum metric_input_kind kind;
	int metric;		/* INPUT_METRIC, INPUT_MOST: its index in the set */
	char *unit_text;
	struct unit unit;
	char *text;
	char *block;		/* of the hardware, whose counter it is; NULL: not told */
};

#define SET_MAX_CELLS 4

/* All strings are owned by the set. Evaluated values are in unit_text's unit. */
struct metric {
	char *name;		/* eu_active */
	char *label;		/* EU active */
	char *text;		/* what it means and what it cannot know */
	char *helps;		/* what to do about a bad value, or NULL */
	char *origin;		/* where the equation comes from */
	char *unit_text;	/* "%", "GB/s", "" when a plain count */
	char *equation;		/* as written */
	char *ceiling_text;	/* as written, or NULL */
	struct metric_limit limit;
	char *block;		/* blocks of the hardware whose counters it reads, or NULL */
	char *group;		/* name of the group whose pane shows it, or NULL */
	/* whose number it is: "device", or a name as in struct set_cells.scope and struct
	 * feed.scope */
	char *scope;
	char *needs;		/* what it needs, in words, or NULL */
	char *available;	/* XML: the test of a device that has it; NULL: every one has */
	char *file;
	int line;
	unsigned flags;
	enum roof_role roof;
	char *roof_name;	/* NULL without a role */
	/* Its place among the rows that the first screen shows first, from 1 on; 0: behind them. */
	int rank;
	struct unit unit;
	struct expr *value;
	struct expr *ceiling;	/* NULL: none */
};

/* Returns the label in the user's language, or the name when there is no label. Machine output has
 * label or name as they are. */
const char *metric_label(const struct metric *m);
/* Whether it is a resource that can be full, or power that can reach its limit. */
bool metric_is_resource(const struct metric *m);
/* Returns what a metric calls the resource that it limits. */
const char *metric_limit_name(const struct metric *m);
/* Returns the word of metric files: "pipe". */
const char *limit_role_name(enum limit_role role);

/* A pane's worth of metrics; order is the order of appearance in the files. */
struct metric_group {
	char *name;		/* "utilization" */
	char *title;		/* "Utilization" */
	char *subtitle;		/* "% of GPU cycles" */
	char *why_empty;	/* "not counted: amdgpu gives no counters", or NULL */
	/* the group with whose pane on the first screen its metrics stand, or NULL: its own */
	char *pane;
};

/* An opaque line for the backend: "program A7 active" is {"program", "A7 active"}. */
struct set_directive {
	/* "program", "config", "records_as", "guid", "block", "registers"; "turns" is the session's */
	char *key;
	char *args, *file;
	int line;
};

#define CELL_NAME_SIZE 12

/* Which devices have a cell: those whose constant has one of these bits. */
struct cell_test {
	char *constant;		/* "subslice_mask"; NULL: every device has it */
	uint64_t bits;
};

/* Cells that a set makes of plain counters, such as the positions of EUs, each counted by a counter
 * of its own. In metrics with that scope, equations use the names for the counters of their own
 * cell. Elsewhere such a name is the sum over all cells. */
struct set_cells {
	char *scope;		/* "EU" */
	/* what one cell is ("sum over all subslices"); "" when the file does not say */
	char *text;
	char **names;		/* [n_names] */
	int n_names;
	char (*cells)[CELL_NAME_SIZE];	/* [n_cells] "R0E2" */
	char **counters;	/* [n_cells][n_names] */
	/* [n_cells][n_names] NULL: the cells have counters; else they have metrics of the set,
	 * whose inputs these are */
	int *members;
	struct cell_test *tests;	/* [n_cells] */
	int n_cells;
};

/* A named part of equations, as written, for explanations. */
struct set_let {
	char *name;		/* "EU.active" */
	char *equation;		/* "A7" */
};

struct metric_set {
	char *name;		/* "overview" */
	char *label, *text, *file;
	int line;		/* of its statement "set" */
	char **platforms;
	int n_platforms;
	bool is_head;		/* metric_lib_load_heads() left its body in the file */
	bool from_xml;
	struct metric *metrics;
	int n_metrics;
	struct metric_input *inputs;
	int n_inputs;
	struct metric_group *groups;
	int n_groups;
	struct set_directive *directives;
	int n_directives;
	struct set_let *lets;
	int n_lets;
	struct set_cells *cells;
	int n_cells;		/* at most SET_MAX_CELLS */
	int *eval_order;	/* metric indices, dependencies first; NULL: as they stand */
};

/* All sets that were loaded, in order of loading. A zero-initialised struct is empty. */
struct metric_lib {
	struct metric_set **sets;
	int n_sets;
	size_t cap_sets;
};

/* Finds the text of an included file: a NUL-terminated string that stays valid, or NULL. */
typedef const char *metric_include_fn(void *ctx, const char *name);
/* Is called once per problem found; the message starts with "FILE:LINE:COLUMN: ". Loading goes
 * on. */
typedef void metric_problem_fn(void *ctx, const struct err *err);

/* Parses one metric file (format: rooftop-metrics.5) and adds its sets. Bad lines are reported and
 * left out, and so is a metric with a bad equation; all the rest still works. Returns the number
 * of problems. */
int metric_lib_load(struct metric_lib *lib, const char *file, const char *text,
	metric_include_fn *include, void *include_ctx, metric_problem_fn *problem,
	void *problem_ctx);
/* As metric_lib_load(), but adds only the head of each set: names, text, platforms, guid and which
 * cells it has. It includes no file and reads no equation, so that many sets cost little while one
 * of them is used. platform: only its sets are added; NULL: all. */
int metric_lib_load_heads(struct metric_lib *lib, const char *file, const char *text,
	const char *platform, metric_problem_fn *problem, void *problem_ctx);
/* Reads the body of a set from the text that its head came from; the set stays at its place and
 * address. Returns the number of problems; after a bad first line the set stays a head. */
int metric_lib_load_body(struct metric_lib *lib, const struct metric_set *head, const char *text,
	metric_include_fn *include, void *include_ctx, metric_problem_fn *problem,
	void *problem_ctx);
/* Takes over a set made elsewhere (XML import). It replaces a set of the same name and platform
 * that was loaded before. */
void metric_lib_add(struct metric_lib *lib, struct metric_set *set);
void metric_lib_release(struct metric_lib *lib);
void metric_set_free(struct metric_set *set);

/* Fills eval_order from what the equations read. Returns false when metrics need each other: then
 * *cycle is one of those (cycle may be NULL), and eval_order is NULL. */
bool metric_set_order(struct metric_set *set, int *cycle);

/* Marks each metric as estimated whose value reads a counter of a feed that is, also by way of
 * other metrics; the set is ordered. Marks of an earlier call go, those of the file stay. */
void metric_set_estimate(struct metric_set *set, const struct feed *const *feeds, int n_feeds);

/* Finds for each metric the blocks of the counters that it reads, also by way of other metrics; the
 * set is ordered. */
void metric_set_blocks(struct metric_set *set);

/* Returns the newest set of that name (case-sensitive, then case-insensitive) for the platform, or
 * NULL when there is none. */
const struct metric_set *metric_lib_find(
	const struct metric_lib *lib, const char *name, const char *platform);
bool metric_set_has_platform(const struct metric_set *set, const char *platform);
/* Returns the metric that is evaluated as number i. */
static inline int metric_set_nth(const struct metric_set *set, int i)
{
	return set->eval_order ? set->eval_order[i] : i;
}

/* Returns whether the set gives counters to no cells, or to one that the device may have. */
bool metric_set_fits(const struct metric_set *set, const struct device *dev);
/* Whether the name of an input is the counter's, or stands for it in a cell. */
bool metric_input_is(const struct metric_set *set, const char *input, const char *counter);
/* Whether an equation of the set, which may be NULL, reads one of n counters. */
bool metric_set_reads(const struct metric_set *set, const struct counter_desc *counters, int n);
/* Returns the metric's index, or -1. */
int metric_set_index(const struct metric_set *set, const char *name);
/* The same for a group; name may be NULL. */
int metric_set_group(const struct metric_set *set, const char *name);
/* As metric_set_index for what people call a metric: its name, its label, or one of the words dram,
 * power, clock, temperature and flops, which each platform has a metric for, with a value or
 * without. The first by rank is taken, of those that a source of the bound device delivers where b
 * is not NULL; *other is another one that is called so, -1 where there is none. */
struct metric_binding;
int metric_set_find(const struct metric_set *set, const struct metric_binding *b,
	const char *word, int *other);
/* Writes the inputs that the value and the ceiling read; an input of both is written twice. Returns
 * their number. out has room for 2 * n_inputs. */
int metric_inputs(const struct metric_set *set, const struct metric *m, int *out);
/* Writes the first inputs of one equation, as many as there is room for, and returns how many. */
#define EQUATION_INPUTS_MAX 64
int metric_equation_inputs(const struct expr *equation, int list[EQUATION_INPUTS_MAX]);
/* Returns the inputs that are no metrics and that an equation (NULL: none) rests on, also by way of
 * other metrics, each once; *n: how many. The list is kept with the equation. */
const int *metric_rests_on(const struct metric_set *set, struct expr *equation, int *n);
/* Returns the upper bound of the device that an equation rests on, also by way of other metrics:
 * one that is uncertain before one that is certain. NULL: it rests on none, but computes its bound
 * of clocks, counts and the like. */
const struct device_const *metric_bound_const(
	const struct metric_set *set, struct expr *equation, const struct device *dev);
/* Returns the first directive with that key at or after *pos (start with 0) and moves *pos past it.
 * Returns NULL at the end. */
const struct set_directive *metric_set_directive(
	const struct metric_set *set, const char *key, int *pos);

#define BINDING_MAX_FEEDS 12
/* Counters of one report are not read in the same clock, so a share may exceed its ceiling, or be
 * below 0, by a little. What does so by more counts something else than its equation says. */
#define METRIC_SKEW 0.01

struct cell_binding;	/* metric_cells.h */
/* The metrics of one scope, with a value for each instance: shader cores, CPU cores, the positions
 * of EUs. */
struct cell_map {
	char scope[12];		/* the scope, as in metric.scope */
	/* what one cell is ("sum over all subslices"); "" when the source does not
	 * say */
	const char *text;
	int n;			/* instances */
	const char (*names)[CELL_NAME_SIZE];	/* [n], lives as long as the device is open */
	/* [n_metrics] indices in the set of the metrics that have values here */
	const int *metrics;
	int n_metrics;
	int stride;		/* values of one instance: set->n_metrics */
	/* [n][stride]; metrics that are not in this map are WHY_NOT_IN_SET */
	struct value *values;
	int64_t *t_ns;		/* [n] when the cell was last measured; 0: never */
};

/* Returns the value of a metric in one cell. */
static inline struct value cell_value(const struct cell_map *map, int cell, int metric)
{
	return map->values[cell * map->stride + metric];
}

/* The place of a counter among the feeds; feed is -1 when no feed has it. */
struct counter_at {
	short feed, counter;
};

/* A set bound to a device and the feeds of its open sources. The caller owns the struct and calls
 * metric_bind() and metric_unbind(). */
struct metric_binding {
	const struct metric_set *set;
	/* [set->n_inputs], raw values of the last evaluation, for explanations */
	struct expr_input *inputs;
	struct counter_at *at;		/* [set->n_inputs] */
	/* [set->n_inputs], NULL for constants and metrics */
	const struct counter_desc **desc;
	double *scale;			/* [set->n_inputs], from the source's unit to base units */
	/* [set->n_metrics], the first input that hands the metric to others, or -1 */
	int *input_of;
	const struct feed *feeds[BINDING_MAX_FEEDS];
	int n_feeds;
	enum expr_width width;	/* of XML equations' integers; metric_bind() makes it EXPR_WIDE */
	/* Shares above their ceiling stay numbers, as other people's software prints them. */
	bool keeps_excess;
	struct cell_binding *maps;	/* [n_maps] */
	int n_maps;
	/* [set->n_inputs], the map in which each cell has a counter of its own, or -1 */
	int *input_map;
	/* [set->n_metrics], the map in which each cell has a value of its own, or -1 */
	int *map_of;
	/* the metrics with a limit and those that they read, in the order of evaluation */
	int *limit_metrics, n_limit_metrics;
	int *limit_inputs, n_limit_inputs;	/* what these read from feeds */
};

/* Looks up every input. An input that no feed delivers is WHY_NO_SOURCE (WHY_UNKNOWN_CONST for a
 * constant). Inputs are in base units; those of XML sets are raw integers. Intel's names GPU_TIME
 * and GPU_CLOCK find TIMESTAMP and GPU_TICKS, and PERFCNTn is always 0. */
void metric_bind(struct metric_binding *b, const struct metric_set *set, const struct device *dev,
	const struct feed *const *feeds, int n_feeds);
void metric_unbind(struct metric_binding *b);
/* Looks up the constants again, after the device has got or lost some. */
void metric_bind_consts(struct metric_binding *b, const struct device *dev);
/* samples[i] belongs to feeds[i]. Writes set->n_metrics values and ceilings, in each metric's unit;
 * the ceiling of a metric that has none is WHY_UNSUPPORTED. A metric that has a value for each
 * cell of a map gets their mean here. A share below 0 or above its ceiling is
 * WHY_OUT_OF_RANGE; where it is no more than METRIC_SKEW above, it is the ceiling, and so little
 * below 0 it is what it is. It does not allocate. */
void metric_eval(struct metric_binding *b, const struct sample *samples, struct value *values,
	struct value *ceilings);
/* The same, but only for the metrics that a verdict asks: those with a limit, and what they read.
 * The other values and ceilings stay as they are. Evaluate the whole set again after it, since both
 * share the inputs. */
void metric_eval_limits(struct metric_binding *b, const struct sample *samples,
	struct value *values, struct value *ceilings);
/* Returns whether the metric belongs to cells none of which this device has. */
bool metric_has_no_cells(const struct metric_binding *b, int metric);
/* Whether the metric is an amount: a window of twice the length has twice of it, as of bytes,
 * joules and counts, but not of rates, shares and states. */
bool metric_is_amount(const struct metric_binding *b, int metric);
/* Whether the metric counts since the device was opened, and not in a window. */
bool metric_is_total(const struct metric_binding *b, int metric);
/* Whether the metric is such a total or the least of several values, so that a mean of windows says
 * nothing. */
bool metric_has_no_mean(const struct metric_binding *b, int metric);
/* Returns the feeds whose counters the metric's value rests on, also by way of other metrics: bit f
 * for feed f. Sets of XML read the first feed alone. */
unsigned metric_feeds(const struct metric_binding *b, int metric);
/* Makes storage for the binding's maps, at most max of them, and returns their number. Release maps
 * that are no longer needed with metric_maps_release(). */
int metric_maps_init(const struct metric_binding *b, struct cell_map *maps, int max);
/* Allocates the values of a map with n cells and stride metrics, and sets them all to "not in the
 * set". */
void metric_map_clear(struct cell_map *map);
void metric_maps_release(struct cell_map *maps, int n);
/* Writes the cells of the last evaluation into maps from metric_maps_init(). It does not
 * allocate. */
void metric_maps_fill(const struct metric_binding *b, struct cell_map *maps, int n);
