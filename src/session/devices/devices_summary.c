/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what the devices screen says of each device. */
#include "config.h"

#include "session/devices/devices.h"

#include <stdio.h>
#include <string.h>

#include "session/program.h"
#include "backends/common/backend.h"
#include "base/i18n.h"
#include "base/strbuf.h"

static const char *state_word(const struct device_entry *e, bool current)
{
	if (current)
		return _("in use");
	/* What it needs on this machine is missing, so that it is tried when it is asked for. */
	if (e->usable && e->refusal.code == ERR_SYS)
		return _("not ready");
	if (e->usable)
		return _("ready");
	switch (e->refusal.code) {
	case ERR_PERMISSION: return _("no permission");
	case ERR_BUSY: return _("busy");
	case ERR_ASLEEP: return _("asleep");
	case ERR_UNSUPPORTED: return _("not supported");
	default: return _("not usable");
	}
}

/* Writes only the name of the counters. Whether this process may read them shows when the device is
 * opened; the device's first check tells of that. */
static void counters_word(const struct session *ses, const struct device_entry *e, bool current,
	char *buf, size_t size)
{
	const char *name = e->device.counters;

	if (!e->usable)
		snprintf(buf, size, "--");
	else if (e->device.recorded)
		/* TRANSLATORS: %s is what the hardware counters of a device are called: "OA". The
		 * column is 16 wide. */
		snprintf(buf, size, _("%s replay"), name);
	else if (e->device.simulated && !*name)
		snprintf(buf, size, "%s", _("model"));
	else if (e->device.simulated)
		snprintf(buf, size, _("%s model"), name);
	else if (!current)
		snprintf(buf, size, "%s", name);
	else if (ses->dev->n_checks > 0 && !strcmp(ses->dev->checks[0].status, "ok"))
		snprintf(buf, size, _("%s ok"), name);
	else
		snprintf(buf, size, _("%s refused"), name);
}

void devices_summary(const struct session *ses, int i, struct device_summary *out)
{
	const struct device_entry *e = &ses->program->devices.entries[i];
	const struct device *d = &e->device;
	struct strbuf b = { 0 };

	if (i == ses->opened.entry)
		d = &ses->dev->device;
	memset(out, 0, sizeof(*out));
	snprintf(out->id, sizeof(out->id), "%s", e->device.id);
	snprintf(out->name, sizeof(out->name), "%s", d->name);
	const size_t len = strlen(d->vendor);
	if (len && !strncmp(d->name, d->vendor, len) && d->name[len] == ' ')
		out->vendor = len + 1;
	snprintf(out->driver, sizeof(out->driver), "%s", d->driver);
	strbuf_add(&b, d->name);
	if (d->pci_vendor)
		strbuf_addf(&b, " [%04x:%04x]", d->pci_vendor, d->pci_device);
	if (*d->generation)
		strbuf_addf(&b, " %s", d->generation);
	if (*d->gt)
		strbuf_addf(&b, " %s", d->gt);
	if (d->topology.eus)
		strbuf_addf(&b, " %d EU", d->topology.eus);
	snprintf(out->what, sizeof(out->what), "%s", strbuf_str(&b));
	strbuf_release(&b);
	out->usable = e->usable;
	out->current = i == ses->opened.entry;
	snprintf(out->state, sizeof(out->state), "%s", state_word(e, out->current));
	counters_word(ses, e, out->current, out->counters, sizeof(out->counters));
	device_tell_words(d, out->words, sizeof(out->words));
	if (!e->usable || !e->device.counters[0]) {
		snprintf(out->reason, sizeof(out->reason), "%s",
			err_without_name(e->refusal.msg, e->device.id));
		snprintf(out->hint, sizeof(out->hint), "%s", e->refusal.hint);
	}
}
