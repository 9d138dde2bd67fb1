/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One open device and everything that belongs to it: metrics, windows, load, recording. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "cli/options.h"
#include "core/metric/metric.h"
#include "core/roofline/roofline.h"
#include "core/snapshot/context_table.h"
#include "core/snapshot/rotation.h"
#include "core/snapshot/snapshot.h"
#include "core/value/device.h"
#include "core/value/history.h"
#include "core/value/sample.h"
#include "core/work/client.h"
#include "core/work/job.h"
#include "session/window/kernel_watch.h"
#include "session/window/record.h"
#include "session/window/window_sum.h"

/* Which hardware contexts have run on the open device, so that a chosen one that never ran is told
 * from one that waits. */

#define CONTEXT_WATCH_IDS 8

/* A struct of zeros has seen nothing. */
struct context_watch {
	bool saw_chosen;
	uint32_t id[CONTEXT_WATCH_IDS]; /* the first ones that ran */
	int n;
	bool saw_more;
};

/* Notes what ran in a window of the first source. It allocates nothing. */
void context_watch_note(struct context_watch *w, const struct sample *s);
/* Writes that the chosen context has not run, and which ones have. */
void context_watch_sentence(const struct context_watch *w, uint32_t chosen, char *buf, size_t size);

#define SESSION_DEFAULT_DELAY_NS NS_PER_S
/* Windows that are kept. A graph of braille cells that is 240 columns wide shows 480. */
#define SESSION_HISTORY_ROWS 600
/* The same where many devices are open, so that each stays small: a row of 240 columns in blocks. */
#define SESSION_MANY 4
#define SESSION_HISTORY_ROWS_OF_MANY 240
/* Windows that are kept of cells: as many as the widest row of small graphs shows. */
#define SESSION_CELL_HISTORY_ROWS 240

struct program;	/* session/program.h */

/* What is opened, and how it is called. devices.c writes it. */
struct opened {
	int entry; /* of the list of devices, -1: none is open */
	/* the open device's name in outputs: its id, with a number where others have the same */
	char name[112];
	/* the name by which a key chose the set, or sets in turns; "" where options say which */
	char set[SET_NAME_SIZE];
	/* why the program chose the simulated device by itself, "" when it did not */
	char no_device[400];
	/* where its sources read files; NULL when no device is open */
	struct fsroot *files;
	/* the device could not be opened again and is looked for; a source of dev says so */
	bool stands_in;
	struct roof_file measured; /* its measured roofs */
};

/* The metric files that were read. sets.c writes it. */
struct set_store {
	struct metric_lib lib;
	/* platforms whose embedded sets were read, separated by blanks; * means all */
	struct strbuf loaded;
	bool user_files_loaded;
	int n_problems;		/* of all files, whenever they were read */
};

/* A set, or several in turns, that is bound to the open device, with what was counted so far.
 * refresh.c makes, fills and frees it. */
struct counting {
	const struct metric_set *set;	/* the set of rotation that is shown */
	struct rotation *rotation; /* NULL when no device is open */
	bool is_bound;
	struct snapshot snaps[2];
	/* of snaps; its seq is 0 before the first complete window */
	int front;
	uint64_t seq;
	struct history history; /* history of values */
	struct history roofs; /* history of ceilings, window by window like history */
	/* for each map: one column for each cell and metric */
	struct history cell_history[SNAPSHOT_MAX_MAPS];
	struct roofline roofline;
	struct verdict_memory verdicts; /* what was said of earlier windows */
};

/* Whose turn it is. rotate.c writes it. */
struct turns {
	unsigned count; /* how often the device was programmed for the next set */
	int64_t since_ns;
	bool stuck; /* the device refused to change */
	unsigned followed; /* of a recording: the part that had its turn last */
	/* of the set that is only glanced at: windows since the last glance, and what the device
	 * did before it */
	unsigned since_glance;
	struct verdict_pace glance_pace;
};

/* The map's set, which counts only while the map is shown. map_set.c writes it. */
struct map_turn {
	bool is_on; /* what counts is the map's set */
	int64_t since_ns;
};

/* What the sources gave in the newest window. refresh.c writes it. */
struct gathered {
	struct sample samples[DEVICE_MAX_SOURCES];
	struct sample half_samples[DEVICE_MAX_SOURCES]; /* of one half of the window */
	/* the source's problem was reported; the next one is reported only after it has worked
	 * again */
	enum err_code failed[DEVICE_MAX_SOURCES]; /* ERR_NONE: it works */
	/* when refused sources were last tried again, or a missing device looked for */
	int64_t retried_ns;
	int64_t suspended_ns;		/* how long the machine had slept when the window began */
	uint64_t lost_total;
	bool unbound;			/* what was learned is not in what is shown yet */
	struct window_sum *sum; /* gets every window; NULL when nobody asked */
};

/* How long windows are, and how far this one is. refresh.c writes it. */
struct window_pace {
	int64_t length_ns; /* refresh_set_length() changes it */
	/* the first, partial window is behind us; it was so when turns.count was turn, and a window
	 * in which the programming changed is partial again */
	bool primed;
	unsigned turn;
	int ticks_left; /* until the window is complete */
	/* counts how often windows began anew or changed their length; timers are then set again */
	unsigned changes;
};

/* Whether windows come and are shown. refresh.c writes it. */
struct play {
	bool ended;			/* no window follows: the data or -n are at their end */
	bool paused; /* windows pass without being shown */
	bool step;			/* while paused: show the next one */
	/* a recording's windows are those of the program that made it, and whoever asked for that
	 * takes its marks; else they go into the log */
	bool as_recorded;
};

/* What the program itself costs. refresh.c writes it. */
struct own_cost {
	int64_t cpu_ns, mono_ns;
	double cpu_pct; /* NAN before it is known */
};

/* What each hardware context does. refresh.c writes it. */
struct context_scan {
	bool wanted; /* somebody shows it */
	struct context_table table;
	struct context_watch watch;
};

/* Who uses the device. client_scan.c writes it. */
struct client_scan {
	bool wanted;
	struct client_table table;	/* what is shown */
	struct client_table unseen;	/* of windows that are recorded while that stands still */
};

/* The load of this program. own_load.c writes it. */
struct own_load {
	struct runner *launcher; /* of the worker, NULL until it is wanted */
	char launcher_pci[16]; /* the PCI address that it looks for */
	struct runner *runner; /* the runner that was started last */
	struct job_state state;
	/* energy of the package in the windows that belong to the job alone */
	double energy_uj;
	int64_t energy_ns;
	bool began_running; /* the window being gathered is the job's */
	bool agreed; /* the user was asked and has agreed */
};

/* A session is on the heap; session/program.c makes and frees it. Everybody in src may read the
 * members. Each struct is written by the file that it names; who else wants a change calls a
 * function of that file. */
struct session {
	struct program *program;
	const struct options *opt; /* the program's */
	const struct device_options *want; /* what was asked of this device */
	struct clock clock;
	struct log log;
	int n_problems; /* of the log, which session.c counts */
	/* NULL when no device is open; it is not moved, because backends keep its address.
	 * devices.c writes it */
	struct open_device *dev;
	struct opened opened;
	struct set_store sets;
	/* what is counted, never NULL, and what is not counted now: the map's set while another one
	 * is, or the other way round; NULL before the first map */
	struct counting *now, *aside;
	struct turns turns;
	struct map_turn map;
	struct gathered got;
	struct window_pace window;
	struct play play;
	bool loops; /* an ended recording begins again; playback.c writes it */
	struct own_cost self;
	struct context_scan contexts;
	struct client_scan clients;
	struct recorder recorder;
	struct kernel_watch kernels;
	struct own_load load;
};

/* Returns the session whose open device is that entry of the list, or NULL. */
struct session *session_of_entry(const struct program *p, int entry);
/* Tells whether the session's device was pulled out: it is none of the machine, and the session waits for it. */
bool session_has_left(const struct program *p, const struct session *ses);
/* Notes a problem in the log, and on standard error while no screen is open. */
void session_problem(struct session *ses, const struct err *err);
/* Reports a problem as a metric_problem_fn; the context is the struct session. */
void session_metric_problem(void *session, const struct err *err);
/* Prints "rooftop: msg" and the hint on standard error. */
void session_print_err(const struct err *err);
/* Prints an error that ends the program and returns its exit status. */
enum status session_fail(const struct err *err);
/* Makes the clock virtual. With start_wall_ns 0 it starts at SOURCE_DATE_EPOCH or now. */
void session_virtual_clock(struct session *ses, int64_t start_wall_ns);
