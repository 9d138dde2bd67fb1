/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints metrics; nothing is measured. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <stdio.h>
#include <string.h>

#include "session/program.h"
#include "session/devices/devices.h"
#include "session/window/sets.h"
#include "out/export/exposition.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/near.h"
#include "cmd/tell/tell_options.h"

bool metrics_cmd_device(struct session *ses, int *index, struct err *err)
{
	/* A device that was found but cannot be read still has metrics. */
	for (size_t i = 0; i < ses->program->devices.count && !ses->want->name; i++) {
		if (ses->program->devices.entries[i].device.platform[0] &&
			!ses->program->devices.entries[i].backend->never_by_default) {
			*index = (int)i;
			return true;
		}
	}
	return devices_choose(ses, true, index, err);
}

static void metric_text(const struct metric *m, struct strbuf *out)
{
	const char *unit = m->unit_text;

	if (!unit || !*unit)
		unit = "1";
	strbuf_addf(out, "%s  [%s]", m->name, unit);
	if (m->flags & METRIC_ESTIMATED)
		strbuf_add(out, "  estimated");
	if (m->flags & METRIC_HIDDEN)
		strbuf_add(out, "  hidden");
	strbuf_addf(out, "\n    %s = %s\n", metric_label(m), text_or(m->equation, ""));
	if (m->ceiling_text)
		strbuf_addf(out, "    max = %s\n", m->ceiling_text);
	if (m->needs)
		strbuf_addf(out, "    needs %s\n", m->needs);
	if (m->origin)
		strbuf_addf(out, "    from %s\n", m->origin);
}

static void metric_json(const struct metric_set *set, const struct metric *m, struct strbuf *out)
{
	const char *const texts[][2] = {
		{ "name", m->name },
		{ "set", set->name },
		{ "label", m->label },
		{ "unit", text_or(m->unit_text, "") },
		{ "scope", m->scope },
		{ "group", m->group },
		{ "block", m->block },
		{ "equation", m->equation },
		{ "max", m->ceiling_text },
		{ "needs", m->needs },
		{ "origin", m->origin },
		{ "text", m->text },
		{ "helps", m->helps },
	};

	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		json_string(out, texts[i][0], texts[i][1]);
	json_bool(out, "estimated", m->flags & METRIC_ESTIMATED);
	json_bool(out, "hidden", m->flags & METRIC_HIDDEN);
	json_string(out, "file", text_or(m->file, ""));
	json_integer(out, "line", m->line);
	strbuf_add(out, "}\n");
}

/* Whether one of the words names the metric, or there are none. */
static bool is_named(const struct options *o, const struct metric_set *set, int metric)
{
	int other;

	for (int i = 0; i < o->n_names; i++)
		if (metric_set_find(set, NULL, o->names[i], &other) == metric)
			return true;
	return o->n_names == 0;
}

void metrics_cmd_tell_other(const struct metric_set *set, const char *word, int metric, int other)
{
	if (other >= 0)
		fprintf(stderr, "rooftop: '%s' is %s; %s is called so, too\n", word,
			set->metrics[metric].name, set->metrics[other].name);
}

/* Names the metrics that the first screen shows first, where none comes near. */
static bool name_first(const struct metric_set *set, struct err *err)
{
	struct strbuf names = { 0 };

	for (int rank = 1; rank <= 3; rank++)
		for (int i = 0; i < set->n_metrics; i++)
			if (set->metrics[i].rank == rank)
				strbuf_add_word(&names, ", ", set->metrics[i].name);
	err_hint(err, names.len ? "there are %s, ...; 'rooftop metrics' lists all" :
		"%s'rooftop metrics' lists all", strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

/* Tries a word with the names and labels of metrics, or with those of their groups. */
static void try_word(
	const struct metric_set *set, const char *word, bool groups, struct near *near)
{
	near_begin(near, word);
	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric *m = &set->metrics[i];

		if (m->flags & (METRIC_HIDDEN | METRIC_OLD_NAME))
			continue;
		if (groups && m->group)
			near_try(near, m->group, m->name);
		if (groups)
			continue;
		near_try(near, m->name, m->name);
		near_try(near, m->label, m->name);
	}
}

/* Below that many letters a part of a word is like too much. */
#define PART_MIN 4

void metrics_cmd_near(const struct metric_set *set, const char *name, struct near *near)
{
	char part[64];

	try_word(set, name, false, near);
	for (const char *p = name; !*near->best[0].name && *p; p += *p != '\0') {
		size_t len = strcspn(p, "_-. ");

		snprintf(part, sizeof(part), "%.*s", (int)len, p);
		if (len >= PART_MIN)
			try_word(set, part, false, near);
		if (len >= PART_MIN && !*near->best[0].name)
			try_word(set, part, true, near);
		p += len;
	}
	near->word = name;
}

/* Names the other sets of the platform that have the metric. False: there are none. */
static bool is_in_others(struct session *ses, const struct metric_set *set, const char *platform,
	const char *name, struct err *err)
{
	const struct metric_set *next;
	struct strbuf names = { 0 };
	int at = -1, metric;

	while ((next = sets_next_with(ses, name, platform, false, &at, &metric)))
		if (strcmp(next->name, set->name) != 0)
			strbuf_add_word(&names, ", ", next->name);
	bool any = names.len > 0;
	if (any) {
		err_set(err, ERR_USAGE, "the set %s does not count '%s'", set->name, name);
		err_hint(err, "-m chooses one that does: %s; -m A,B takes turns",
			strbuf_str(&names));
	}
	strbuf_release(&names);
	return any;
}

bool metrics_cmd_unknown(struct session *ses, const struct metric_set *set, const char *platform,
	const char *name, struct err *err)
{
	struct near near;

	if (is_in_others(ses, set, platform, name, err))
		return false;
	metrics_cmd_near(set, name, &near);
	err_set(err, ERR_USAGE, "no metric '%s' in set '%s'", name, set->name);
	if (*near.best[0].name)
		return near_hint(&near, "'rooftop metrics' lists all", err);
	return name_first(set, err);
}

const struct metric_set *metrics_cmd_set(
	struct session *ses, const struct device **d, struct err *err)
{
	int index;

	if (!metrics_cmd_device(ses, &index, err))
		return NULL;
	*d = &ses->program->devices.entries[index].device;
	return sets_choose(ses, *d, NULL, err);
}

static void check_problem(void *ctx, const struct err *err)
{
	struct strbuf *out = ctx;

	strbuf_add(out, err->msg);
	if (err->hint[0])
		strbuf_addf(out, ": %s", err->hint);
	strbuf_addc(out, '\n');
}

/* Exports have one name for metrics that differ in case or in signs only, and the first one has it. */
static int tell_twins(const struct metric_set *set, struct strbuf *out)
{
	struct metric_family a, b;
	int n = 0;

	for (int i = 0; i < set->n_metrics; i++) {
		metric_family_of(&set->metrics[i], false, &a);
		for (int k = 0; k < i; k++) {
			metric_family_of(&set->metrics[k], false, &b);
			if (strcmp(a.name, b.name) != 0)
				continue;
			strbuf_addf(out, "%s:%d: metric '%s' has the name of '%s' in Prometheus: %s\n",
				set->metrics[i].file, set->metrics[i].line, set->metrics[i].name,
				set->metrics[k].name, a.name);
			n++;
		}
	}
	return n;
}

static enum status check_file(struct session *ses, struct strbuf *out)
{
	struct metric_lib lib = { 0 };
	int metrics = 0, n = sets_load_file(&lib, ses->opt->tell->check, check_problem, out);

	for (int i = 0; i < lib.n_sets; i++) {
		metrics += lib.sets[i]->n_metrics;
		n += tell_twins(lib.sets[i], out);
	}
	strbuf_addf(out, "%s: sets %d, metrics %d, problems %d\n", ses->opt->tell->check, lib.n_sets,
		metrics, n);
	metric_lib_release(&lib);
	return n > 0 ? STATUS_CHECK : STATUS_GOOD;
}

enum status metrics_cmd(struct session *ses, struct strbuf *out)
{
	const struct device *d;
	struct err err = { 0 };

	if (ses->opt->tell->check)
		return check_file(ses, out);
	const struct metric_set *set = metrics_cmd_set(ses, &d, &err);
	if (!set)
		return session_fail(&err);
	for (int i = 0; i < ses->opt->n_names; i++) {
		const char *word = ses->opt->names[i];
		int other, metric = metric_set_find(set, NULL, word, &other);

		if (metric < 0) {
			metrics_cmd_unknown(ses, set, d->platform, word, &err);
			return session_fail(&err);
		}
		metrics_cmd_tell_other(set, word, metric, other);
	}
	if (ses->opt->form != OUTPUT_JSON)
		strbuf_addf(out, "%s: %s\n\n", set->name, text_or(set->label, ""));
	for (int i = 0; i < set->n_metrics; i++) {
		if (!is_named(ses->opt, set, i))
			continue;
		if (ses->opt->form == OUTPUT_JSON)
			metric_json(set, &set->metrics[i], out);
		else
			metric_text(&set->metrics[i], out);
	}
	return STATUS_GOOD;
}
