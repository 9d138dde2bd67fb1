/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers what the endpoint and node_exporter's file tell of all devices of the program. */
#ifndef OUT_EXPORT_EXPORT_METRICS_H
#define OUT_EXPORT_EXPORT_METRICS_H

#include "session/program.h"
#include "base/strbuf.h"
#include "out/export/exposition.h"

/* What a device's energies came to, window by window. */
struct energy_sums {
	const struct session *session;
	/* a merged set may be at the place of another one that is gone, and cards of a platform share
	 * theirs */
	char device[112], set[96];
	int n_metrics;
	double *joules;			/* heap, [set->n_metrics], in the metrics' units */
};

/* Zero-initialised it is empty. */
struct export_metrics {
	struct energy_sums *sums;	/* heap */
	int n_sums;
	int64_t start_wall_ns;
	uint64_t scrapes;
};

/* Has to be called after each complete window of a session. */
void export_metrics_window(struct export_metrics *x, const struct session *ses);
/* Forgets a session that will be closed. */
void export_metrics_leave(struct export_metrics *x, const struct session *ses);
/* Appends the text of all devices: those that are open, and of this machine those that cannot be
 * used. */
void export_metrics_write(struct export_metrics *x, const struct program *p,
	enum exposition_form form, struct strbuf *out);
void export_metrics_release(struct export_metrics *x);

#endif
