/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the newest windows of all devices as one text for Prometheus. Values are in base units, as
 * their names say. */
#pragma once

#include <stdbool.h>

#include "core/work/client.h"
#include "core/metric/metric.h"
#include "core/snapshot/snapshot.h"
#include "out/export/exposition.h"

/* What a device does: an id, and the label's value. */
#define DEVICE_STATE_LIST(X) \
	X(OK, "ok") \
	X(STARTING, "starting") \
	X(ASLEEP, "asleep") \
	X(LOST, "lost") \
	X(REFUSED, "refused") \
	X(STALE, "stale") \
	X(ENDED, "ended")

enum device_state {
#define X(id, name) DEVICE_##id,
	DEVICE_STATE_LIST(X)
#undef X
	DEVICE_STATES
};

/* One of the devices in the text. */
struct openmetrics_about {
	const char *name;
	const struct device *device;
	enum device_state state;
	const char *refusal;		/* why it cannot be used, in English; NULL: it is open */
	const struct metric_set *set;	/* NULL when it is not open */
	const char *how;		/* its first source; "" when it is not open */
	const struct snapshot *snap;	/* NULL before the first complete window */
	double age_s;			/* since the end of that window; NAN without one */
	/* [set->n_metrics] what metrics that are summed up came to; NULL before the first window */
	const double *sums;
};

/* What the program costs and how it is used. */
struct openmetrics_self {
	double start_s;			/* Unix time */
	double cpu_s;
	double resident_bytes;		/* NAN: not known */
	double scrapes;
	bool lists_processes;		/* the families of processes were asked for */
};

/* Appends the whole text of n devices. */
void openmetrics_write(const struct openmetrics_about *about, int n,
	const struct openmetrics_self *self, enum exposition_form form, struct strbuf *out);

/* --- for its parts --- */

struct openmetrics {
	const struct openmetrics_about *about;
	int n;
	struct exposition e;
};
/* openmetrics_health.c: the same families for every vendor: how busy, how fast, how warm a device
 * is. */
void openmetrics_health(struct openmetrics *t);
/* openmetrics_users.c: who uses the devices, at most so many groups of processes for each. */
void openmetrics_users(struct openmetrics *t);
