/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics as text, without measuring anything. */
#include "config.h"

#include "cmd/metrics_cmd.h"

#include <stdio.h>
#include <string.h>

#include "session/devices.h"
#include "session/sets.h"
#include "base/i18n.h"

bool metrics_cmd_device(struct session *ses, int *index, struct err *err)
{
	/* One that was found but cannot be read still has metrics. */
	for (size_t i = 0; i < ses->devices.count && !ses->opt->device && !ses->opt->replay; i++) {
		if (ses->devices.entries[i].device.platform[0] &&
			!ses->devices.entries[i].backend->never_by_default) {
			*index = (int)i;
			return true;
		}
	}
	return devices_choose(ses, true, index, err);
}

static const char *text_or(const char *s, const char *other)
{
	return s && *s ? s : other;
}

static void metric_text(const struct metric *m, struct strbuf *out)
{
	strbuf_addf(out, "%s  [%s]%s%s\n", m->name, text_or(m->unit_text, "1"),
		m->flags & METRIC_ESTIMATED ? "  estimated" : "",
		m->flags & METRIC_HIDDEN ? "  hidden" : "");
	strbuf_addf(out, "    %s = %s\n", metric_label(m), text_or(m->equation, ""));
	if (m->ceiling_text)
		strbuf_addf(out, "    max = %s\n", m->ceiling_text);
	if (m->needs)
		strbuf_addf(out, _("    needs %s\n"), i18n_optional(m->needs));
	if (m->origin)
		strbuf_addf(out, _("    from %s\n"), m->origin);
}

static void json_field(struct strbuf *out, const char *key, const char *value)
{
	strbuf_addf(out, ",\"%s\":", key);
	if (value)
		strbuf_add_json(out, value);
	else
		strbuf_add(out, "null");
}

static void metric_json(const struct metric_set *set, const struct metric *m, struct strbuf *out)
{
	strbuf_add(out, "{\"v\":1,\"name\":");
	strbuf_add_json(out, m->name);
	json_field(out, "set", set->name);
	json_field(out, "label", m->label);
	json_field(out, "unit", m->unit_text ? m->unit_text : "");
	json_field(out, "scope", m->scope);
	json_field(out, "group", m->group);
	json_field(out, "equation", m->equation);
	json_field(out, "max", m->ceiling_text);
	json_field(out, "needs", m->needs);
	json_field(out, "origin", m->origin);
	json_field(out, "text", m->text);
	strbuf_addf(out, ",\"estimated\":%s,\"hidden\":%s,\"file\":",
		m->flags & METRIC_ESTIMATED ? "true" : "false",
		m->flags & METRIC_HIDDEN ? "true" : "false");
	strbuf_add_json(out, m->file ? m->file : "");
	strbuf_addf(out, ",\"line\":%d}\n", m->line);
}

static bool is_named(const struct options *o, const char *name)
{
	for (int i = 0; i < o->n_names; i++) {
		if (!strcmp(o->names[i], name))
			return true;
	}
	return o->n_names == 0;
}

bool metrics_cmd_unknown(const struct metric_set *set, const char *name, struct err *err)
{
	struct strbuf near = { 0 };

	for (int i = 0; i < set->n_metrics && near.len < 200; i++) {
		if (strstr(set->metrics[i].name, name) || !strncmp(set->metrics[i].name, name, 3))
			strbuf_addf(&near, "%s%s", near.len ? ", " : "", set->metrics[i].name);
	}
	err_set(err, ERR_USAGE, _("no metric '%s' in set '%s'"), name, set->name);
	if (near.len)
		err_hint(err, _("similar: %s"), strbuf_str(&near));
	else
		err_hint(err, _("'rooftop metrics' lists them, -m chooses another set"));
	strbuf_release(&near);
	return false;
}

static const struct metric_set *chosen_set(struct session *ses, struct err *err)
{
	int index;

	return metrics_cmd_device(ses, &index, err)
		? sets_choose(ses, &ses->devices.entries[index].device, NULL, err)
		: NULL;
}

static void check_problem(void *ctx, const struct err *err)
{
	struct strbuf *out = ctx;

	strbuf_addf(out, "%s%s%s\n", err->msg, err->hint[0] ? ": " : "", err->hint);
}

static enum status check_file(struct session *ses, struct strbuf *out)
{
	struct metric_lib lib = { 0 };
	int metrics = 0, n = sets_load_file(&lib, ses->opt->check, check_problem, out);

	for (int i = 0; i < lib.n_sets; i++)
		metrics += lib.sets[i]->n_metrics;
	strbuf_addf(out, "%s: sets %d, metrics %d, problems %d\n", ses->opt->check, lib.n_sets,
		metrics, n);
	metric_lib_release(&lib);
	return n > 0 ? STATUS_CHECK : STATUS_GOOD;
}

static bool check_names(const struct session *ses, const struct metric_set *set, struct err *err)
{
	for (int i = 0; i < ses->opt->n_names; i++) {
		if (metric_set_index(set, ses->opt->names[i]) < 0)
			return metrics_cmd_unknown(set, ses->opt->names[i], err);
	}
	return true;
}

enum status metrics_cmd(struct session *ses, struct strbuf *out)
{
	const struct metric_set *set;
	struct err err = { 0 };

	if (ses->opt->check)
		return check_file(ses, out);
	set = chosen_set(ses, &err);
	if (!set || !check_names(ses, set, &err)) {
		session_print_err(&err);
		return session_status(&err);
	}
	if (ses->opt->form != OUTPUT_JSON)
		strbuf_addf(out, "%s: %s\n\n", set->name, i18n_optional(set->label));
	for (int i = 0; i < set->n_metrics; i++) {
		if (!is_named(ses->opt, set->metrics[i].name))
			continue;
		if (ses->opt->form == OUTPUT_JSON)
			metric_json(set, &set->metrics[i], out);
		else
			metric_text(&set->metrics[i], out);
	}
	return STATUS_GOOD;
}
