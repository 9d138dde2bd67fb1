/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -L and -m list. */
#include "config.h"

#include "cmd/list.h"

#include "session/devices.h"
#include "cmd/metrics_cmd.h"
#include "session/pci_display.h"
#include "session/sets.h"
#include "base/format.h"
#include "base/i18n.h"

static void add_padded(struct strbuf *out, const char *s, int width)
{
	int n = format_columns(s);

	strbuf_add(out, s);
	while (n++ < width)
		strbuf_addc(out, ' ');
}

static int longer(int width, const char *s)
{
	int n = format_columns(s);

	return n > width ? n : width;
}

static void device_text(const struct session *ses, struct strbuf *out)
{
	struct device_summary d;
	int id = 0, what = 0;

	for (size_t i = 0; i < ses->devices.count; i++) {
		devices_summary(ses, (int)i, &d);
		id = longer(id, d.id);
		what = longer(what, d.what);
	}
	for (size_t i = 0; i < ses->devices.count; i++) {
		devices_summary(ses, (int)i, &d);
		add_padded(out, d.id, id + 2);
		add_padded(out, d.what, what + 2);
		add_padded(out, *d.driver ? d.driver : "--", 12);
		add_padded(out, d.counters, 12);
		strbuf_addf(out, "%s\n", d.state);
		if (d.reason[0])
			strbuf_addf(out, "    %s\n", d.reason);
		if (d.hint[0])
			strbuf_addf(out, "    %s\n", d.hint);
	}
}

static void json_pair(struct strbuf *out, const char *key, const char *value)
{
	strbuf_addf(out, ",\"%s\":", key);
	strbuf_add_json(out, value);
}

static void device_json(const struct session *ses, struct strbuf *out)
{
	struct device_summary d;

	for (size_t i = 0; i < ses->devices.count; i++) {
		const struct device *dev = &ses->devices.entries[i].device;

		devices_summary(ses, (int)i, &d);
		strbuf_add(out, "{\"v\":1");
		json_pair(out, "device", d.id);
		json_pair(out, "name", dev->name);
		json_pair(out, "driver", d.driver);
		json_pair(out, "pci", dev->pci_address);
		strbuf_addf(out, ",\"usable\":%s,\"sim\":%s", d.usable ? "true" : "false",
			dev->simulated ? "true" : "false");
		json_pair(out, "reason", d.reason);
		json_pair(out, "hint", d.hint);
		strbuf_add(out, "}\n");
	}
}

/* A machine without a graphics card gets a line that says so, before what can be used instead. */
static void none_found(const struct session *ses, struct strbuf *out)
{
	struct err why = { 0 };

	for (size_t i = 0; i < ses->devices.count; i++) {
		if (!ses->devices.entries[i].backend->never_by_default)
			return;
	}
	if (pci_display_find(&ses->fs, &why)) {
		strbuf_addf(out, _("no GPU was found: %s"), why.msg);
		strbuf_addf(out, "\n    %s\n", why.hint);
		return;
	}
	strbuf_addf(out, "%s\n",
		fsroot_exists(&ses->fs, "/sys/class/drm")
			? _("no GPU was found: /sys/class/drm lists no card")
			: _("no GPU was found: there is no /sys/class/drm"));
}

enum status list_devices(struct session *ses, struct strbuf *out)
{
	struct err err = { 0 };
	int index;

	/* A word of the command line is mended before anything is listed; the variable's may be
	 * looked for here. */
	if ((ses->opt->device || ses->opt->replay) && !devices_choose(ses, false, &index, &err) &&
		err.code == ERR_USAGE && !ses->opt->device_by_env) {
		session_print_err(&err);
		return session_status(&err);
	}
	if (ses->opt->form == OUTPUT_JSON) {
		device_json(ses, out);
	} else {
		none_found(ses, out);
		device_text(ses, out);
	}
	return STATUS_GOOD;
}

static void set_row(const struct metric_set *set, bool json, int width, struct strbuf *out)
{
	int shown = 0;

	for (int i = 0; i < set->n_metrics; i++)
		shown += !(set->metrics[i].flags & METRIC_HIDDEN);
	if (json) {
		strbuf_add(out, "{\"v\":1");
		json_pair(out, "set", set->name);
		json_pair(out, "label", set->label ? set->label : "");
		strbuf_addf(out, ",\"metrics\":%d", shown);
		json_pair(out, "file", set->file ? set->file : "");
		strbuf_add(out, "}\n");
		return;
	}
	add_padded(out, set->name, width + 2);
	strbuf_addf(out, "%4d  %s\n", shown, set->label ? set->label : "");
}

enum status list_sets(struct session *ses, struct strbuf *out)
{
	struct err err = { 0 };
	const struct device *d;
	int index, width = 0;

	if (!metrics_cmd_device(ses, &index, &err)) {
		session_print_err(&err);
		return session_status(&err);
	}
	d = &ses->devices.entries[index].device;
	sets_load(ses, d);
	sets_load_bodies(ses);
	for (int i = 0; i < ses->lib.n_sets; i++) {
		if (sets_is_visible(ses, i, d->platform))
			width = longer(width, ses->lib.sets[i]->name);
	}
	if (ses->opt->form != OUTPUT_JSON) {
		strbuf_addf(out, _("metric sets of %s (%s):"), d->id, d->platform);
		strbuf_addc(out, '\n');
	}
	for (int i = 0; i < ses->lib.n_sets; i++) {
		if (sets_is_visible(ses, i, d->platform))
			set_row(ses->lib.sets[i], ses->opt->form == OUTPUT_JSON, width, out);
	}
	return STATUS_GOOD;
}
