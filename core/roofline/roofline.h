/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline of a device: bounds by arithmetic and by each level of memory, the point where the
 * GPU is now, its trail, and where a running kernel should be. Metric files say what is a roof and
 * what moves (roof lines), so this code knows no vendor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/value/device.h"
#include "core/work/job.h"
#include "core/metric/metric.h"
#include "core/roofline/roofs.h"
#include "core/value/value.h"

#define ROOFLINE_MAX_ROOFS 24
#define ROOFLINE_MAX_VIEWS 6
/* The name that metric files give to the level of work-groups' own memory. */
#define ROOF_LOCAL_LEVEL "SLM"
/* The number of windows that a trail remembers. */
#define ROOFLINE_TRAIL 600

/* A bound, in FLOP/s when role is ROOF_FLOP and in B/s when it is ROOF_BYTES. */
struct roof {
	enum roof_role role;
	char name[ROOF_NAME_SIZE];	/* "sp.mad", "L3" */
	const char *label;		/* the metric's, or name when there is no metric for it */
	int metric;			/* the metric that gives theory; -1: measured only */
	struct value theory;		/* from the structure, at the clock of the window */
	/* theory is at the highest clock, because no window has reported another one */
	bool nominal;
	/* what calibration found, scaled to the clock of the window if it follows the clock; NAN:
	 * not measured */
	double measured;
	const struct roof_record *record;	/* how it was measured, NULL */
	/* the bound of the device that theory rests on; NULL: theory is computed */
	const struct device_const *bound;
	bool follows_clock;
	int clock_input;		/* of the set, -1 */
};

/* x is +INFINITY when FLOP were done and no byte moved: right of everything. */
struct roof_point {
	double intensity;	/* FLOP/B */
	double flop_per_s;
	int64_t t_ns;
};

/* A level of memory: the roofline over the bytes that pass there. */
struct roof_view {
	char level[ROOF_NAME_SIZE];
	int roof;			/* index in roofs[]; -1: its bandwidth is not known */
	int traffic;			/* metric; -1: no metric counts these bytes */
	struct roof_point live;		/* NAN when unknown; then why has the reason */
	enum why why;
	struct roof_point *trail;	/* [ROOFLINE_TRAIL], a ring, in roofline.trails */
	uint64_t n_trail;		/* points ever added */
	/* the running job's intensity, and what the roofs allow there; NAN: no job */
	struct roof_point predicted;
};

/* Use roofline_init() and roofline_release(). It is read-only outside of core. */
struct roofline {
	struct roof roofs[ROOFLINE_MAX_ROOFS];	/* FLOP first, then bytes, as the set has them */
	int n_roofs;
	struct roof_view views[ROOFLINE_MAX_VIEWS];
	int n_views;
	/* of all views, in one block, of which only what was written takes memory */
	struct roof_point *trails;
	int performance;		/* metric; -1: no metric counts FLOP */
	bool estimated;			/* as that metric is */
	/* the clock of the roofs; NAN when none follows a clock */
	double clock_hz;
	const struct metric_set *set;
	int clock_metric, clock_gauge;	/* the device's clock, and its input of the set; -1 */
	struct expr_input *inputs;	/* scratch, [set->n_inputs] */
	double max_hz;			/* NAN: unknown */
	bool is_divided;		/* the device is, and its parts have roofs */
	/* the roof of the operations that ran in the last window, by the ceiling of their metric;
	 * -1: several kinds, or nobody knows */
	int running;
};

/* Finds roofs and views in the set; theory is nominal until the first update. If b and dev are
 * NULL, there are only the roofs that calibration finds. */
void roofline_init(struct roofline *r, const struct metric_binding *b, const struct device *dev);
void roofline_release(struct roofline *r);
/* Takes what calibration found. file must live as long as r; NULL: nothing was measured. */
void roofline_measured(struct roofline *r, const struct roof_file *file);
/* Call it after metric_eval(): roofs follow the clock, the live points move, and trails grow by one
 * point. values are the set's. job may be idle. */
void roofline_update(struct roofline *r, const struct metric_binding *b, const struct value *values,
	const struct job_state *job, int64_t t_ns);

/* Takes the ceilings of the same window: that of the metric that counts FLOP says which roof holds. */
void roofline_take_ceilings(struct roofline *r, const struct value *ceilings);
/* Returns the roof of the operations that ran in the last window, else the highest one. NULL: there
 * is none. */
const struct roof *roofline_live_top(const struct roofline *r);

/* Returns the bound that counts: the measured one if there is one, else theory. NAN when neither is
 * known. */
double roof_bound(const struct roof *roof);
/* Returns NULL when there is no roof of that name and role. */
const struct roof *roofline_roof(const struct roofline *r, enum roof_role role, const char *name);
/* Returns where the bound that counts comes from. */
enum roof_source roof_bound_source(const struct roof *roof);
/* Returns the measured roof of the level at which a metric counts bytes, or NULL. */
const struct roof *roofline_measured_for(const struct roofline *r, const struct metric *m);
/* Measured roofs come before all others: they become the ceilings of the set's metrics that count
 * bytes at their level. */
void roofline_set_ceilings(
	const struct roofline *r, const struct metric_set *set, struct value *ceilings);
/* Returns the highest FLOP roof, or NULL when none is known. */
const struct roof *roofline_top(const struct roofline *r);
/* Returns the FLOP/s that the view's bandwidth and the FLOP roof (NULL: the highest) allow at an
 * intensity, or NAN when they are not known. */
double roofline_attainable(const struct roofline *r, const struct roof_view *view,
	const struct roof *flop, double intensity);
/* Returns the intensity at which the FLOP roof meets the view's bandwidth. */
double roofline_ridge(
	const struct roofline *r, const struct roof_view *view, const struct roof *flop);
/* roof_trail_len() returns the number of points in the ring; roof_trail() returns one, where age 0
 * is the newest. */
int roof_trail_len(const struct roof_view *view);
const struct roof_point *roof_trail(const struct roof_view *view, int age);
