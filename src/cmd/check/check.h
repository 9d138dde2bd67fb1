/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command check asks whether a device is all right, and what its parts share: checks with
 * value, expectation and verdict, and the report that they make. */
#pragma once

#include <stddef.h>

#include "cmd/load/csv_table.h"
#include "cmd/load/jobs.h"
#include "cmd/load/load.h"
#include "session/program.h"
#include "base/strbuf.h"

/* Runs the command. *signo is the signal that ended it, or 0. */
enum status check_cmd(struct session *ses, enum output_form form, int *signo);

/* How far a value may be from what is expected, as a factor of it, or where nothing is expected as
 * a number. id, name in outputs, factor or number, what it is for. */
#define CHECK_TOLERANCE_LIST(X) \
	X(SHEET, "sheet", 0.90, "of a roof of width and clock, or of what such parts reach of a printed one") \
	X(KEPT, "kept", 0.97, "of what calibrate kept, and of what another machine reaches") \
	X(CLOCK, "clock", 0.97, "of the highest clock, and of the clock at the start of a long load") \
	X(FULL, "full", 1.00, "of lanes and speed of a link, and of a temperature limit") \
	X(HELD_PCT, "held", 1.0, "percent of the time in which heat or current hold the clock down") \
	X(POWER, "power", 1.03, "of a power limit") \
	X(TAKEN, "taken", 0.95, "of the device's own memory") \
	X(STAMP_PCT, "stamp", 0.2, "percent by which the time stamp may be wrong") \
	X(STEADY, "steady", 0.50, "of a long load, in which power has to become steady") \
	X(NONE, "none", 0.0, "of what must not be at all: lost reports, wrong results, uncorrected memory errors")

enum check_tolerance {
#define X(id, name, value, text) CHECK_TOLERANCE_##id,
	CHECK_TOLERANCE_LIST(X)
#undef X
};

/* CHECK_INFO is what is told and was compared with nothing: check_verdict_of() says so. */
enum check_verdict { CHECK_OK, CHECK_FAILED, CHECK_NOT_MEASURED, CHECK_INFO };
enum check_sense { CHECK_FACT, CHECK_AT_LEAST, CHECK_AT_MOST };

/* One row of the table. Numbers are in unit; NAN where there is none. */
struct check {
	int level;			/* 1 to 3 */
	char id[28];			/* "roof.DRAM" */
	const char *unit;
	double value, reference;
	enum check_sense sense;
	enum check_tolerance tolerance;	/* not of a fact */
	double of_reference;		/* what such parts are known to reach of it */
	const char *against;		/* "data_sheet"; "" where nothing is compared */
	enum check_verdict verdict;
	char reason[600];
};

enum check_curve_of { CURVE_MHZ, CURVE_W, CURVE_DEGC, CHECK_CURVES };

/* What a long load does over time. */
struct check_curve {
	struct check_moment {
		double seconds, of[CHECK_CURVES];	/* NAN where it is not told */
	} *at;
	size_t n, cap;
	unsigned long long seen, stride;	/* every so many moments is kept */
};

struct check_report {
	char device[112], name[96], driver[16];
	bool simulated;
	struct check *rows;
	size_t n, cap;
	char *roofline_svg;		/* heap, NULL: none */
	struct check_curve curve;
	enum status status;		/* GOOD, or why the device could not be checked */
	bool interrupted;		/* a signal ended the checks */
	int n_against;			/* values of the other file that something was held against */
};

/* The worst that was seen of something while the device was idle and loaded. */
struct check_worst {
	double value, limit;
	bool seen;
	enum why why;
};

#define CHECK_WATCHED 11
#define CHECK_LINKS 2

/* What the levels work with. */
struct check_run {
	struct session *session;
	struct jobs jobs;
	struct progress progress;
	struct check_report *report;
	const struct csv_table *against;	/* NULL: none, or none of this kind of device */
	struct check_worst worst[CHECK_WATCHED];
	double link[CHECK_LINKS];	/* the most lanes and speed that were seen; NAN: none */
	bool loaded;			/* a kernel ran on the device itself */
	uint64_t verified, mismatches, lost;
	char wrong[48];			/* a kernel whose results were wrong; "" */
	double stamp_off_pct;		/* of the best run; NAN: not known */
	struct job_result result;
};

double check_tolerance(enum check_tolerance t);
const char *check_tolerance_name(enum check_tolerance t);
const char *check_tolerance_text(enum check_tolerance t);
#define CHECK_TOLERANCES (CHECK_TOLERANCE_NONE + 1)
/* Returns the word of outputs: "ok", "failed", "not_measured". */
const char *check_verdict_name(enum check_verdict v);
/* Returns what the row says: only what was compared with something has passed. */
enum check_verdict check_verdict_of(const struct check *c);

/* Adds a row that is a fact and is good so far. The pointer is valid until the next one. */
struct check *check_add(struct check_report *r, int level, const char *id, const char *unit);
/* Says whether a value is worse than another one: smaller for CHECK_AT_LEAST, else
 * larger. */
bool check_is_worse(enum check_sense sense, double value, double than);
/* Adds a row, compares its value with the reference, and gives its verdict. */
struct check *check_compare(struct check_report *r, const struct check *wanted);
/* Gives the verdict and says why. */
void check_say(struct check *c, enum check_verdict v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Returns the number that the value must reach or must not exceed; NAN where there is none. */
double check_expected(const struct check *c);
/* Writes a value or an expectation for people: four digits, or as many as a whole number has. What
 * is compared has one form. Returns buf. */
const char *check_number(char *buf, size_t size, double v);
/* Returns the unit in which people read the numbers of the row. */
struct unit_form check_unit(const struct check *c);
/* Adds the sentence of the end: "card0 is all right: ...". */
void check_sentence(const struct check_report *r, struct strbuf *out);
int check_count(const struct check_report *r, enum check_verdict v);
void check_report_release(struct check_report *r);
/* Whether a row of --against is of a device of this kind. */
bool check_is_like(const struct check_report *r, const struct csv_table *t, size_t row);
/* Returns a value of --against by the name of its check; NAN: the file has none. */
double check_other(const struct check_run *c, const char *id);

/* The levels. Return false when a signal came or nothing more can be checked; then err says why. */
bool check_state(struct check_run *c, struct err *err);
bool check_roofs(struct check_run *c, struct err *err);
bool check_load(struct check_run *c, int64_t length_ns, struct err *err);
/* Looks at what a window of a long load says of what has a limit of its own: its mean over the load
 * hides the end, which is the warmest. */
void check_watch_window(struct check_run *c, const struct snapshot *s);
/* Adds the rows of what was seen meanwhile, and of results. */
void check_seen(struct check_run *c);
/* Counts the results of the last job. */
void check_results(struct check_run *c);

/* --- forms --- */

/* Writes ">= 26.1" of that many units; "" for a fact. */
const char *check_expected_text(const struct check *c, double factor, char *buf, size_t size);
/* Adds a table with its sentences, or CSV or JSON lines. */
void check_rows(
	const struct check_report *reports, size_t n, enum output_form form, struct strbuf *out);
void check_tap(const struct check_report *reports, size_t n, struct strbuf *out);
void check_junit(const struct check_report *reports, size_t n, struct strbuf *out);
/* Adds one page that needs nothing else. */
void check_html(const struct check_report *reports, size_t n, int64_t wall_ns, struct strbuf *out);
