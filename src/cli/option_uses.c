/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses options that a job would ignore. Each option has a row that says which jobs use it. An
 * option without a row is refused everywhere, so that none can be accepted without effect. */
#include "config.h"

#include "cli/option_uses.h"

#include <string.h>

#include "base/strbuf.h"

#define IN(job) (1u << OPTION_JOB_##job)
/* Windows of a device, one after the other. Those in the form of intel_gpu_top have no metrics of
 * a set. */
#define PLAIN (IN(SCREEN) | IN(SCRIPT) | IN(LINES) | IN(EXPORT))
#define WINDOWS (PLAIN | IN(GPU_TOP))
/* Jobs that put kernels on a device. */
#define POINTS (IN(SWEEP) | IN(FIGURES))
#define KERNELS (IN(STRESS) | IN(TWO) | POINTS | IN(CALIBRATE))
#define LOOKED (IN(ROOFLINE) | IN(EXPLAIN_LIMIT))
#define MEASURED (KERNELS | LOOKED | IN(COMMAND))
#define OPENED (WINDOWS | MEASURED | IN(CHECK))
/* Jobs that tell of sets, and those whose rows have a set's metrics. */
#define TOLD (IN(METRICS) | IN(EXPLAIN))
#define COUNTED (PLAIN | IN(STRESS) | IN(SWEEP) | IN(CALIBRATE) | LOOKED | IN(COMMAND) | TOLD)
#define ASKED (TOLD | IN(SETS) | IN(EVENTS) | IN(DEVICES))
#define KERNELS_ASKED (IN(KERNELS) | IN(SOURCE) | IN(WHERE))
#define ON_SCREEN (IN(SCREEN) | IN(SCRIPT))

/* clang-format off */
static const unsigned uses[OPTION_COUNT] = {
	[OPTION_DELAY] = WINDOWS | MEASURED | IN(DIFF) | IN(BUNDLE),
	[OPTION_DELAY_MS] = WINDOWS | MEASURED | IN(DIFF) | IN(BUNDLE),
	[OPTION_WINDOWS] = IN(SCREEN) | IN(LINES) | IN(GPU_TOP) | IN(EXPORT) | LOOKED | IN(BUNDLE),
	[OPTION_TEXT] = IN(LINES) | IN(DIFF) | MEASURED | IN(CHECK) | IN(ALONE),
	[OPTION_JSON] = IN(LINES) | IN(DIFF) | MEASURED | IN(CHECK) | IN(ALONE) | IN(KERNELS) | IN(WHERE) |
		IN(METRICS) | IN(DEVICES) | IN(SETS),
	[OPTION_CSV] = IN(LINES) | IN(DIFF) | KERNELS | IN(ROOFLINE) | IN(COMMAND) | IN(CHECK) |
		IN(ALONE) | IN(KERNELS) | IN(WHERE),
	[OPTION_GPU_TOP] = IN(GPU_TOP),
	[OPTION_GPU_TOP_CLASSES] = IN(GPU_TOP),
	[OPTION_CLIENTS] = IN(SCREEN) | IN(LINES) | IN(GPU_TOP) | IN(EXPORT),
	[OPTION_OUTPUT] = IN(LINES) | IN(DIFF) | IN(GPU_TOP) | MEASURED | IN(CHECK) | IN(ALONE) |
		KERNELS_ASKED,
	[OPTION_EXPORT] = WINDOWS,
	[OPTION_TEXTFILE] = WINDOWS,
	[OPTION_TRACE] = WINDOWS,
	[OPTION_DEVICE] = OPENED | IN(KERNELS) | IN(WHERE) | ASKED | IN(ALONE),
	[OPTION_LIST] = IN(DEVICES),
	[OPTION_REPLAY] = WINDOWS | LOOKED | ASKED,
	[OPTION_SPEED] = WINDOWS | LOOKED,
	[OPTION_PER_REPORT] = WINDOWS | LOOKED,
	[OPTION_RECORD] = WINDOWS,
	[OPTION_OVERWRITE] = WINDOWS | IN(BUNDLE),
	[OPTION_PERIOD] = WINDOWS | (MEASURED & ~IN(TWO)),
	[OPTION_CONTEXT] = PLAIN | (MEASURED & ~IN(TWO)),
	[OPTION_ACCESS] = OPENED | IN(DOCTOR) | IN(BUNDLE),
	[OPTION_POWER] = OPENED | IN(DOCTOR) | IN(BUNDLE),
	[OPTION_FSROOT] = OPENED | IN(KERNELS) | IN(WHERE) | ASKED | IN(ALONE) | IN(DOCTOR) |
		IN(BUNDLE),
	[OPTION_SET] = COUNTED | IN(DIFF) | IN(DOCTOR) | IN(BUNDLE),
	[OPTION_EXPLAIN] = IN(EXPLAIN),
	[OPTION_ROTATE] = PLAIN,
	[OPTION_ROTATE_EVERY] = PLAIN,
	[OPTION_COUNTER] = (COUNTED & ~LOOKED) | IN(ALONE),
	[OPTION_EVENTS_IN] = PLAIN & ~IN(SCRIPT),
	[OPTION_BOOLEAN] = COUNTED & ~LOOKED,
	[OPTION_REPORT_EVERY] = PLAIN,
	[OPTION_START_WHEN] = PLAIN,
	[OPTION_TASK] = IN(ALONE),
	[OPTION_ALL_METRICS] = IN(COMMAND) | IN(DIFF),
	[OPTION_MARKERS] = IN(COMMAND),
	[OPTION_CC_I] = COUNTED & ~LOOKED,
	[OPTION_CC_C] = COUNTED & ~LOOKED,
	[OPTION_CC_F] = COUNTED & ~LOOKED,
	[OPTION_METRIC_FILE] = COUNTED | IN(DIFF) | IN(SETS),
	[OPTION_METRIC_XML] = COUNTED | IN(DIFF) | IN(SETS),
	[OPTION_CHECK] = IN(MISTAKES),
	[OPTION_TOUR] = ON_SCREEN,
	[OPTION_SCREEN] = ON_SCREEN,
	[OPTION_NO_COLOR] = IN(SCREEN),
	[OPTION_ASCII] = ON_SCREEN,
	[OPTION_NO_MOUSE] = IN(SCREEN),
	[OPTION_SCRIPT] = IN(SCRIPT),
	[OPTION_CONFIG] = WINDOWS | LOOKED | TOLD,
	[OPTION_BLOCKS] = KERNELS | IN(WHERE),
	[OPTION_TPB] = KERNELS | IN(WHERE),
	[OPTION_LOOP] = KERNELS,
	[OPTION_LAUNCHES] = KERNELS,
	[OPTION_TIME] = KERNELS | IN(CHECK),
	[OPTION_REPEAT] = KERNELS | IN(COMMAND),
	[OPTION_SMOOTHING] = KERNELS,
	[OPTION_PLANE] = KERNELS,
	[OPTION_PROFILE] = KERNELS,
	[OPTION_VALIDATE] = KERNELS,
	[OPTION_WHERE] = IN(WHERE),
	[OPTION_TUNE] = KERNELS,
	[OPTION_CL_DEVICE] = KERNELS | IN(KERNELS) | IN(WHERE) | IN(CHECK),
	[OPTION_LIST_KERNELS] = IN(KERNELS),
	[OPTION_DUMP_KERNEL] = IN(SOURCE),
	[OPTION_DUMP_BINARY] = KERNELS,
	[OPTION_DUMP] = IN(STRESS),
	[OPTION_PLOT] = IN(ROOFLINE) | IN(CALIBRATE) | POINTS,
	[OPTION_OVER] = POINTS,
	[OPTION_FIGURES] = IN(FIGURES),
	[OPTION_WITH] = POINTS,
	[OPTION_BESIDE] = IN(STRESS) | IN(TWO) | POINTS,
	[OPTION_RESUME] = POINTS,
	[OPTION_LEVEL] = IN(CHECK),
	[OPTION_AGAINST] = IN(CHECK),
	[OPTION_JUNIT] = IN(CHECK),
	[OPTION_HTML] = IN(CHECK),
	[OPTION_QUIET] = KERNELS | IN(CHECK),
	[OPTION_TAP] = IN(CHECK) | IN(DOCTOR),
	[OPTION_BUNDLE] = IN(BUNDLE),
	[OPTION_HELP] = 0,
	[OPTION_VERSION] = 0,
};
/* clang-format on */

static enum option_job windows_of(const struct options *o)
{
	if (o->form == OUTPUT_GPU_TOP)
		return OPTION_JOB_GPU_TOP;
	if (options_want_screen(o))
		return OPTION_JOB_SCREEN;
	if (o->form == OUTPUT_NONE && (options_export(o) || options_stream(o)))
		return OPTION_JOB_EXPORT;
	return OPTION_JOB_LINES;
}

static enum option_job stress_of(const struct options *o)
{
	if (o->list_kernels)
		return OPTION_JOB_KERNELS;
	if (o->dump_kernel)
		return OPTION_JOB_SOURCE;
	if (o->where)
		return OPTION_JOB_WHERE;
	return o->n_devices > 1 ? OPTION_JOB_TWO : OPTION_JOB_STRESS;
}

static enum option_job job_of(const struct options *o)
{
	switch (o->task) {
	case TASK_RUN: return windows_of(o);
	case TASK_SCRIPT: return OPTION_JOB_SCRIPT;
	case TASK_STRESS: return stress_of(o);
	case TASK_SWEEP: return o->figures ? OPTION_JOB_FIGURES : OPTION_JOB_SWEEP;
	case TASK_CHECK: return OPTION_JOB_CHECK;
	case TASK_CALIBRATE: return OPTION_JOB_CALIBRATE;
	case TASK_DIFF: return OPTION_JOB_DIFF;
	case TASK_ROOFLINE: return OPTION_JOB_ROOFLINE;
	case TASK_EXPLAIN_LIMIT: return OPTION_JOB_EXPLAIN_LIMIT;
	case TASK_COMMAND: return o->task_alone ? OPTION_JOB_ALONE : OPTION_JOB_COMMAND;
	case TASK_METRICS: return o->check ? OPTION_JOB_MISTAKES : OPTION_JOB_METRICS;
	case TASK_DOCTOR: return o->bundle ? OPTION_JOB_BUNDLE : OPTION_JOB_DOCTOR;
	case TASK_LIST_DEVICES: return OPTION_JOB_DEVICES;
	case TASK_LIST_SETS: return OPTION_JOB_SETS;
	case TASK_LIST_EVENTS: return OPTION_JOB_EVENTS;
	case TASK_EXPLAIN: return OPTION_JOB_EXPLAIN;
	case TASK_HELP:
	case TASK_VERSION: break;
	}
	return OPTION_JOBS;
}

static bool refuse(const struct option_info *i, enum option_job job, struct err *err)
{
	static const char *const names[] = {
#define X(id, name) [OPTION_JOB_##id] = name,
		JOB_LIST(X)
#undef X
	};
	struct strbuf list = { 0 };

	for (int k = 0; k < OPTION_JOBS; k++)
		if (uses[i->id] & 1u << k)
			strbuf_add_word(&list, ", ", _(names[k]));
	err_set(err, ERR_USAGE, _("--%s has no effect with %s"), i->name, _(names[job]));
	err_hint(err, _("--%s belongs to %s"), i->name, strbuf_str(&list));
	strbuf_release(&list);
	return false;
}

/* A list of sets or events is asked for by the option that otherwise chooses one of them. */
static bool is_question(const struct options *o, int id)
{
	const struct device_options *d = &o->devices[0];

	return (id == OPTION_SET && o->task == TASK_LIST_SETS && !d->set &&
			!d->rotate) ||
		(id == OPTION_COUNTER && o->task == TASK_LIST_EVENTS && d->n_counters == 0);
}

bool option_uses_check(const struct options *o, struct err *err)
{
	enum option_job job = job_of(o);

	if (job == OPTION_JOBS)
		return true;
	for (const struct option_info *i = option_table; i->name; i++) {
		if (!o->given[i->id] || is_question(o, i->id))
			continue;
		if (!(uses[i->id] & 1u << job))
			return refuse(i, job, err);
	}
	return true;
}
