/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the options of a device that not every device can follow. */
#include "config.h"

#include "session/devices/devices.h"

#include <string.h>

/* Checks the options that only devices with OA reports can follow. */
static bool check_reports(
	const struct device_options *want, const struct device *d, struct err *err)
{
	if ((want->has_context || want->lists_contexts) && !d->has_oa_reports)
		return err_set(err, ERR_USAGE,
			"--context goes by the contexts that OA reports name, '%s' has no such "
			"reports",
			d->id);
	if (want->oa_period_ns && !d->has_oa_reports)
		return err_set(err, ERR_USAGE,
			"--oa-period is the time between two OA reports, '%s' has no such reports",
			d->id);
	if (want->oa_period_ns && d->recorded)
		return err_set(err, ERR_USAGE,
			"--oa-period is for what counts now, the reports of '%s' are recorded",
			d->id);
	return true;
}

/* Whether each window is shown by itself; other tasks join theirs. */
static bool shows_windows(enum task task)
{
	return task == TASK_RUN || task == TASK_SCRIPT || task == TASK_EXPLAIN ||
		task == TASK_EXPLAIN_LIMIT || task == TASK_ROOFLINE;
}

/* Values are differences of two reports. A window that has only one, or none, has no values. */
static bool check_period(const struct session *ses, struct err *err)
{
	int64_t period_ns = ses->want->oa_period_ns;

	if (period_ns <= ses->window.length_ns / 2 || !shows_windows(ses->opt->task))
		return true;
	err_set(err, ERR_USAGE,
		"--oa-period %g: a window of %g s needs two reports, and there would be one every "
		"%g s",
		(double)period_ns / NS_PER_S, (double)ses->window.length_ns / NS_PER_S,
		(double)period_ns / NS_PER_S);
	return err_hint(err, "-d %g makes windows that are long enough",
		2 * (double)period_ns / NS_PER_S);
}

/* Checks the options that only devices of this machine, or only other devices, can follow. */
static bool check_kind(const struct device_options *want, const struct device_entry *e,
	bool has_own_time, struct err *err)
{
	const struct device *d = &e->device;
	bool of_machine = !d->simulated && !d->recorded;
	bool has_way = want->access && strcmp(want->access, "auto") != 0;
	bool has_energy = want->power && strcmp(want->power, "auto") != 0;

	if (has_energy && !of_machine)
		return err_set(err, ERR_USAGE,
			"--power %s is for devices of this machine, '%s' is none", want->power,
			d->id);
	if (has_way && !e->backend->has_ways)
		return err_set(err, ERR_USAGE,
			"--access %s is for cards of this machine with OA counters, '%s' is none",
			want->access, d->id);
	if (want->per_report && !d->recorded)
		return err_set(
			err, ERR_USAGE, "--per-report needs a recording, '%s' is none", d->id);
	if (want->speed > 0 && !d->recorded)
		return err_set(err, ERR_USAGE, "--speed %g needs a recording, '%s' is none",
			want->speed, d->id);
	if (want->speed_max && of_machine)
		return err_set(err, ERR_USAGE,
			"--speed max needs a recording or a simulated device, '%s' is neither",
			d->id);
	if (has_own_time && of_machine)
		return err_set(err, ERR_USAGE,
			"a script needs a recording or a simulated device, '%s' is neither",
			d->id);
	return true;
}

bool device_options_check(
	const struct session *ses, const struct device_entry *e, struct err *err)
{
	/* Doctor looks at whatever is there. */
	if (ses->opt->task == TASK_DOCTOR)
		return true;
	if (check_reports(ses->want, &e->device, err) && check_period(ses, err) &&
		check_kind(ses->want, e, ses->clock.is_virtual, err))
		return true;
	if (ses->opt->n_devices > 1)
		err_hint(err, "behind a -D an option is for that device alone");
	return false;
}
