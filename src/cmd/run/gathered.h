/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command run gathers around a program, and its report. */
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include "out/export/export.h"
#include "session/session.h"
#include "session/window/session_ticks.h"
#include "out/lines/output.h"
#include "base/loop.h"
#include "base/place.h"
#include "core/value/spread.h"

/* What one run of the command gave. */
struct one_run {
	double seconds, user_s, system_s;
	struct verdict verdict;	/* of its whole time */
	struct value *values;	/* [set->n_metrics] */
	/* [set->n_metrics] for which share of the time there was a value, and why not for the rest */
	double *shares;
	enum why *whys;
};

/* Values of windows, thinned out evenly so that hours need no more room than minutes. */
struct run_windows {
	int n_metrics, n, cap;
	uint64_t seen, stride;	/* every so many windows is kept */
	float *v;		/* heap [cap][n_metrics] */
};

/* Nobody reads more; those behind are counted. */
#define RUN_PHASES_MAX 16384

/* The time from one marker of the command to the next one. */
struct run_phase {
	char name[64];
	int run;		/* from 1 on */
	double start_s, seconds;
	struct verdict verdict;
	struct value *values;	/* [set->n_metrics] */
};

/* Time on engines of a client of the command, by the driver's number. */
struct run_client {
	uint64_t id;
	uint64_t time_ns[CLIENT_MAX_ENGINES];
};

/* run_clients.c writes it. */
struct run_clients {
	struct client_table table;	/* of the last scan */
	struct run_client *v;
	size_t n, cap;
	bool tells;		/* the time of one was told: drivers may tell cycles alone */
	bool looked;		/* while the command lived */
	bool is_known;		/* the driver tells, or the recording does */
	struct run_own {
		char engine[16];
		double seconds;	/* of all clients and runs; more than 0 */
	} own[CLIENT_MAX_ENGINES];
	int n_own;
};

struct around {
	struct session *session;
	struct loop *loop;
	struct output out;
	bool counts;		/* a device is open */
	struct err missing;	/* why there is none, which the report says */
	struct session_ticks ticks;
	struct keeper keeper;	/* what -w and --trace ask for */
	/* the command, for the report: the words of the line, or what a recording says of it; the
	 * strings are heap */
	char **words;
	int n_words;
	struct window_sum sum;
	struct one_run *runs;	/* heap, as many as --repeat asks for */
	int n_runs;		/* that have ended */
	pid_t pid;		/* 0: not started, or gone */
	int status;		/* as wait() gives it, of the running command */
	/* the same of the first run that failed, but a signal's comes before all; 0: none has */
	int bad;
	struct rusage used;
	uint64_t windows, lost;	/* of all runs */
	struct run_windows kept;
	struct run_clients clients;
	/* --markers: the FIFO, the line that is being read, the phase that lasts, those before
	 * it */
	int markers;		/* -1: none */
	struct place fifo;
	bool made_fifo;
	bool takes_markers;	/* the command runs, or has just ended */
	bool by_signal;		/* --markers signal: SIGUSR1 and SIGUSR2 are for us */
	unsigned signalled;	/* phases of this run that SIGUSR1 has begun */
	char line[64];
	size_t line_len;
	struct window_sum phase_sum;
	int64_t command_ns, phase_ns;
	struct run_phase *phases;
	size_t n_phases, cap_phases;
	unsigned long long phases_left_out;
	char phase_name[64];
	bool started;
	int signo;		/* the signal that came before the command was started, or 0 */
	bool ending;		/* a signal that ends programs came: no further run */
	struct err err;
};

/* Returns the set that is counted; one without metrics where nothing is. */
const struct metric_set *run_set(const struct around *r);

/* --- run_clients.c: looks for clients of the command and its children, and says what they had --- */
void run_clients_look(struct around *r);
/* Sums up what they had, and writes it for a recording; reads it from there. */
void run_clients_sum(struct around *r, char *buf, size_t size);
void run_clients_recall(struct around *r, const char *text);
/* Takes from the table what clients of the command and its children have had until now. */
void run_clients_take(struct run_clients *clients, pid_t command);
/* Sums up by engines. */
void run_clients_total(struct run_clients *c);
#define THE_DEVICE "the device"
/* id: of the device, or THE_DEVICE where the lines before name it. */
void run_clients_report(const struct run_clients *c, const char *id, struct strbuf *out);
void run_clients_json(const struct run_clients *c, const char *name, struct strbuf *out);
void run_clients_release(struct run_clients *c);

/* --- run_phases.c --- */

/* Keeps a window that is complete. */
void run_window(struct around *r);
#define PERCENTILE_WINDOWS 20
/* Returns the value below which that share of the windows lies; NAN where fewer than
 * PERCENTILE_WINDOWS have one. */
double run_percentile(const struct around *r, int metric, double share);
/* Returns how the metric moved from window to window. */
struct spread run_spread(const struct around *r, int metric);
/* Opens the FIFO of --markers, and tells its name to the command; or tells it to whom signals go. */
bool run_markers_open(struct around *r, struct err *err);
/* Takes markers that have come, as many as the FIFO holds: each one ends a phase. Whoever writes
 * without end gets so much time of ours. */
void run_markers_read(struct around *r, int64_t limit_ns);
/* Forgets what no run has: markers that came late, and a line without its end. Returns how many. */
unsigned run_markers_drop(struct around *r);
/* Takes SIGUSR1, which begins a phase that is named by its number, or SIGUSR2, which ends one. */
void run_markers_signal(struct around *r, int signo);
/* Ends the window and, where one lasts, the phase, because what begins now has that name; "": none
 * begins. */
void run_phase(struct around *r, const char *name);
/* The same without a window, where it ends by itself. */
void run_phase_change(struct around *r, int64_t now_ns, const char *name);
void run_windows_release(struct around *r);

/* --- run_figures.c --- */

/* What each report begins with. */
enum run_figure {
	RUN_FLOP_PER_CYCLE,
	RUN_FLOPS,
	RUN_BYTES,
	RUN_INTENSITY,
	RUN_ENERGY,
	RUN_FIGURES
};

/* Returns the words for a figure that the set does not have. */
const char *run_figure_name(enum run_figure figure);
/* Returns the metric that is this figure, with or without a value; -1: the set has none. */
int run_figure(const struct around *r, enum run_figure figure);
/* Marks the metrics that explain the answer: the resource that it names, how the time was spent,
 * what is fullest, the clock, and what options asked for. */
void run_choose_why(const struct around *r, bool *shown);
/* Returns why no run has the metric, or WHY_OK. */
enum why run_why_none(const struct around *r, int metric);

/* --- run_report.c --- */

/* Returns the run whose time is in the middle; its verdict stands for all. */
const struct one_run *run_middle(const struct around *r);
/* Writes to standard error, so that the command's output stays what it is, or where -o says. */
bool run_report(struct around *r, enum output_form form);
