/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what -L and -m help show. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <string.h>

#include "base/mem.h"
#include "session/program.h"
#include "session/devices/devices.h"
#include "backends/common/counter_family.h"
#include "session/window/sets.h"
#include "out/lines/parts.h"
#include "base/format.h"
#include "base/json.h"

static int longer(int width, const char *s)
{
	int n = format_columns(s);

	if (n > width)
		return n;
	return width;
}

/* only: the index of the device that was named, or -1 for all. A recording of several devices names
 * them all. */
static bool is_listed(const struct session *ses, int only, size_t i)
{
	const struct device_entry *all = ses->program->devices.entries;

	return only < 0 || (int)i == only ||
		(all[only].shared && all[i].shared == all[only].shared &&
			strcmp(all[only].device.id, ses->want->name) != 0);
}

static void device_text(const struct session *ses, int only, struct strbuf *out)
{
	struct device_summary d;
	int id = 0, what = 0;

	for (size_t i = 0; i < ses->program->devices.count; i++) {
		devices_summary(ses, (int)i, &d);
		id = longer(id, d.id);
		what = longer(what, d.what);
	}
	for (size_t i = 0; i < ses->program->devices.count; i++) {
		if (!is_listed(ses, only, i))
			continue;
		devices_summary(ses, (int)i, &d);
		format_padded(out, d.id, id + 2);
		format_padded(out, d.what, what + 2);
		format_padded(out, text_or(d.driver, "--"), 12);
		format_padded(out, d.counters, 12);
		strbuf_addf(out, "%s\n", d.state);
		if (d.words[0])
			strbuf_addf(out, "    %s\n", d.words);
		if (d.reason[0])
			strbuf_addf(out, "    %s\n", d.reason);
		if (d.hint[0])
			strbuf_addf(out, "    %s\n", d.hint);
	}
}

static void device_json(const struct session *ses, int only, struct strbuf *out)
{
	struct device_summary d;

	for (size_t i = 0; i < ses->program->devices.count; i++) {
		const struct device *dev = &ses->program->devices.entries[i].device;

		if (!is_listed(ses, only, i))
			continue;
		devices_summary(ses, (int)i, &d);
		strbuf_addc(out, '{');
		json_integer(out, "v", 1);
		json_string(out, "device", d.id);
		json_string(out, "name", dev->name);
		json_string(out, "driver", d.driver);
		json_string(out, "pci", dev->pci_address);
		json_words(out, dev);
		json_bool(out, "usable", d.usable);
		json_bool(out, "sim", dev->simulated);
		json_string(out, "reason", d.reason);
		json_string(out, "hint", d.hint);
		strbuf_add(out, "}\n");
	}
}

/* Adds a line for a machine without a graphics card, before the devices that can be used
 * instead. */
static void none_found(const struct session *ses, struct strbuf *out)
{
	struct err why = { 0 };

	for (size_t i = 0; i < ses->program->devices.count; i++) {
		if (!ses->program->devices.entries[i].backend->never_by_default)
			return;
	}
	pci_display_find(&ses->program->fs, &why);
	strbuf_addf(out, "no GPU was found: %s", why.msg);
	strbuf_addc(out, '\n');
	if (*why.hint)
		strbuf_addf(out, "    %s\n", why.hint);
}

enum status list_devices(struct session *ses, struct strbuf *out)
{
	struct err err = { 0 };
	bool is_named = ses->want->name && !ses->want->by_env;
	int index, only = -1;

	/* A wrong device name on the command line is reported before anything is listed. A wrong
	 * one in the variable is not, because this list helps to find the right one. */
	if (is_named && devices_choose(ses, false, &index, &err))
		only = index;
	else if (is_named && err.code == ERR_USAGE)
		return session_fail(&err);
	if (ses->opt->form == OUTPUT_JSON) {
		device_json(ses, only, out);
	} else {
		if (only < 0)
			none_found(ses, out);
		device_text(ses, only, out);
	}
	return STATUS_GOOD;
}

enum status list_sets(struct session *ses, struct strbuf *out)
{
	struct err err = { 0 };
	int index, width = 0;

	if (!metrics_cmd_device(ses, &index, &err))
		return session_fail(&err);
	const struct device *d = &ses->program->devices.entries[index].device;
	sets_load(ses, d);
	sets_load_bodies(ses);
	for (int i = 0; i < ses->sets.lib.n_sets; i++) {
		if (sets_is_visible(ses, i, d->platform))
			width = longer(width, ses->sets.lib.sets[i]->name);
	}
	if (ses->opt->form != OUTPUT_JSON) {
		strbuf_addf(out, "metric sets of %s (%s):", d->id, d->name);
		strbuf_addc(out, '\n');
	}
	for (int i = 0; i < ses->sets.lib.n_sets; i++) {
		const struct metric_set *set = ses->sets.lib.sets[i];
		const char *label = text_or(set->label, "");
		int shown = 0;

		if (!sets_is_visible(ses, i, d->platform))
			continue;
		for (int k = 0; k < set->n_metrics; k++)
			shown += !(set->metrics[k].flags & METRIC_HIDDEN);
		if (ses->opt->form != OUTPUT_JSON) {
			format_padded(out, set->name, width + 2);
			strbuf_addf(out, "%4d  %s\n", shown, label);
			continue;
		}
		strbuf_addc(out, '{');
		json_integer(out, "v", 1);
		json_string(out, "set", set->name);
		json_string(out, "label", label);
		json_integer(out, "metrics", shown);
		json_string(out, "file", text_or(set->file, ""));
		strbuf_add(out, "}\n");
	}
	return STATUS_GOOD;
}

enum status list_events(struct session *ses, struct strbuf *out)
{
	struct err err = { 0 };
	int index;

	if (!devices_choose(ses, false, &index, &err))
		return session_fail(&err);
	const struct device *d = &ses->program->devices.entries[index].device;
	const struct counter_family *family = counter_family_of(d);
	if (family && family->list_events(&ses->program->fs, d, out))
		return STATUS_GOOD;
	err_set(&err, ERR_USAGE, "events cannot be chosen on %s", d->id);
	return session_fail(&err);
}
