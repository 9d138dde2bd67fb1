/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One open device and everything that belongs to it: metrics, windows, load, recording. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "session/record.h"
#include "session/window_sum.h"
#include "backends/backend.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "core/client.h"
#include "core/device.h"
#include "core/history.h"
#include "core/job.h"
#include "core/metric.h"
#include "core/roofline.h"
#include "core/rotation.h"
#include "core/sample.h"
#include "core/snapshot.h"

#define SESSION_DEFAULT_DELAY_NS NS_PER_S
/* Kept windows: a graph of braille cells 240 columns wide shows 480. */
#define SESSION_HISTORY_ROWS 600
/* Of cells; as many as the widest row of small graphs shows. */
#define SESSION_CELL_HISTORY_ROWS 240

struct program;	/* session/program.h */

/* Heap; made and freed by session/program.c. Members are read by everybody in src and changed by
 * the file named. */
struct session {
	struct program *program;
	const struct options *opt;		/* the program's */
	const struct device_options *want;	/* what was asked of this device */
	struct clock clock;
	struct log log;
	int n_problems;
	int64_t delay_ns;

	/* devices.c */
	int current;			/* entry of the open device, -1 */
	/* the open device's name in outputs: its id, with a number where others have the same */
	char name[112];
	/* why the program chose the simulated device by itself, "" when it did not */
	char no_device[400];
	/* NULL when none is open; backends keep its address, so it is not moved */
	struct open_device *dev;

	/* sets.c */
	struct metric_lib lib;
	/* platforms whose embedded sets were read, between blanks; * is all */
	struct strbuf loaded;
	bool user_files_loaded;
	const struct metric_set *set;	/* the one that is shown, of rotation */

	/* rotate.c: the sets that are counted, one or several; NULL when no device is open */
	struct rotation *rotation;
	int64_t rotated_ns;
	bool rotation_stuck;		/* the device refused to change */

	/* refresh.c */
	bool is_bound;
	struct sample samples[DEVICE_MAX_SOURCES];
	/* its problem was reported; the next one is reported after it has worked again */
	bool source_failed[DEVICE_MAX_SOURCES];
	struct snapshot snaps[2];
	/* of snaps; its seq is 0 before the first complete window */
	int front;
	int64_t retried_ns;		/* sources that were refused */
	/* the device could not be opened again and is looked for; dev has a source that says so */
	bool stands_in;
	int64_t suspended_ns;		/* how long the machine had slept when the window began */
	uint64_t seq, lost_total;
	/* a column for each cell and metric of a map */
	struct history cell_history[SNAPSHOT_MAX_MAPS];
	struct history history;		/* of values */
	struct history roofs;		/* of ceilings, window by window as history */
	bool primed;			/* the first, partial window is behind us */
	bool ended;			/* the data are at their end */
	bool paused;			/* windows pass without being shown */
	bool step;			/* while paused: show the next one */
	int ticks_left;			/* until the window is complete */
	/* how often windows began anew or got another length, after which timers are set again */
	unsigned timing;
	int64_t self_cpu_ns, self_mono_ns;
	double self_cpu_pct;		/* NAN before it is known */

	/* client_scan.c */
	bool wants_clients;
	struct client_table clients;

	struct recorder recorder;

	/* own_load.c */
	struct {
		struct runner *launcher;	/* of the worker, NULL until it is wanted */
		char launcher_pci[16];		/* of the device that it looks for */
		struct runner *runner;		/* the one that was started last */
		struct job_state state;
		/* of the package, in the windows that were the job's alone */
		double energy_uj;
		int64_t energy_ns;
		bool began_running;		/* the window that is being gathered is the job's */
		bool agreed;			/* the user was asked */
	} load;
	struct roofline roofline;	/* refresh.c */
	struct roof_file measured;	/* roofs of the open device, by devices.c */
	struct window_sum *sum;		/* gets every window; NULL when nobody asked */
};

/* Notes a problem: in the log, and on standard error while no screen is open. */
void session_problem(struct session *ses, const struct err *err);
/* As metric_problem_fn, ctx is the struct session. */
void session_metric_problem(void *session, const struct err *err);
/* "rooftop: msg" and the hint on standard error. */
void session_print_err(const struct err *err);
/* Prints an error that ends the program, and gives its exit status. */
enum status session_fail(const struct err *err);
/* Makes the clock virtual. start_wall_ns 0: SOURCE_DATE_EPOCH or now. */
void session_virtual_clock(struct session *ses, int64_t start_wall_ns);

#endif
