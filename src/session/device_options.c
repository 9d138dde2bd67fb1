/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the options of a device that not every device can follow. */
#include "config.h"

#include "session/device_options.h"

#include <string.h>

#include "session/program.h"
#include "base/i18n.h"

/* Checks the options that only devices with OA reports can follow. */
static bool check_reports(
	const struct device_options *want, const struct device *d, struct err *err)
{
	if ((want->has_context || want->lists_contexts) && !d->has_oa_reports)
		return err_set(err, ERR_USAGE,
			_("--context goes by the contexts that OA reports name, '%s' has no such "
			  "reports"),
			d->id);
	if (want->oa_period_ns && !d->has_oa_reports)
		return err_set(err, ERR_USAGE,
			_("--oa-period is the time between two OA reports, '%s' has no such "
			  "reports"),
			d->id);
	if (want->oa_period_ns && d->recorded)
		return err_set(err, ERR_USAGE,
			_("--oa-period is for what counts now, the reports of '%s' are recorded"),
			d->id);
	return true;
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
			_("--power %s is for devices of this machine, '%s' is none"), want->power,
			d->id);
	if (has_way && !e->backend->has_ways)
		return err_set(err, ERR_USAGE,
			_("--access %s is for Intel cards of this machine, '%s' is none"),
			want->access, d->id);
	if (want->per_report && !d->recorded)
		return err_set(
			err, ERR_USAGE, _("--per-report needs a recording, '%s' is none"), d->id);
	if (want->speed > 0 && !d->recorded)
		return err_set(err, ERR_USAGE, _("--speed %g needs a recording, '%s' is none"),
			want->speed, d->id);
	if (want->speed_max && of_machine)
		return err_set(err, ERR_USAGE,
			_("--speed max needs a recording or a simulated device, '%s' is neither"),
			d->id);
	if (has_own_time && of_machine)
		return err_set(err, ERR_USAGE,
			_("a script needs a recording or a simulated device, '%s' is neither"),
			d->id);
	return true;
}

bool device_options_check(
	const struct session *ses, const struct device_entry *e, struct err *err)
{
	/* Doctor looks at whatever is there. */
	if (ses->opt->task == TASK_DOCTOR)
		return true;
	if (check_reports(ses->want, &e->device, err) &&
		check_kind(ses->want, e, ses->clock.is_virtual, err))
		return true;
	if (ses->opt->n_devices > 1)
		err_hint(err, _("behind a -D an option is for that device alone"));
	return false;
}
