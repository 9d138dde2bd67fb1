/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which option goes with which job. */
#ifndef CLI_OPTION_USES_H
#define CLI_OPTION_USES_H

#include "cli/options.h"

/* What a command line comes to: a command, or a part of one that uses other options. id, how a
 * message names it */
#define JOB_LIST(X) \
	X(SCREEN, N_("the monitor")) \
	X(SCRIPT, "--script") \
	X(LINES, "-b, -J, -c") \
	X(GPU_TOP, "--intel-gpu-top-json") \
	X(EXPORT, N_("exports")) \
	X(STRESS, "stress") \
	X(TWO, N_("stress of two devices")) \
	X(KERNELS, "stress --list") \
	X(SOURCE, "stress --dump-kernel") \
	X(WHERE, "stress --where") \
	X(SWEEP, "sweep") \
	X(FIGURES, "sweep --figures") \
	X(CHECK, "check") \
	X(CALIBRATE, "calibrate") \
	X(ROOFLINE, "roofline") \
	X(EXPLAIN_LIMIT, "explain-limit") \
	X(COMMAND, "run") \
	X(ALONE, "run --task") \
	X(DIFF, "diff") \
	X(METRICS, "metrics") \
	X(MISTAKES, "metrics --check") \
	X(DOCTOR, "doctor") \
	X(BUNDLE, "doctor --bundle") \
	X(DEVICES, "-L") \
	X(SETS, "-m list") \
	X(EVENTS, "--counter help") \
	X(EXPLAIN, "--explain")

enum option_job {
#define X(id, name) OPTION_JOB_##id,
	JOB_LIST(X)
#undef X
	OPTION_JOBS
};

/* Returns false (code ERR_USAGE) when an option was given that the job would ignore; the message
 * names it, and what it belongs to. Help and version ignore everything. */
bool option_uses_check(const struct options *o, struct err *err);

#endif
