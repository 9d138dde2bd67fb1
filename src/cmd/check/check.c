/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command check: goes through devices and levels, and writes the reports. */
#include "config.h"

#include "cmd/check/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/lines/output.h"
#include "out/picture/roofline_plot.h"
#include "session/devices/devices.h"
#include "backends/common/backend.h"
#include "base/mem.h"
#include "cmd/check/check_options.h"
#include "cmd/load/load_options.h"
#include "cmd/load/roof_targets.h"

#define LOAD_NS (600 * NS_PER_S)

struct check_all {
	struct session *first;
	struct device_options *wanted;	/* heap, one for each device; their names are the heap's */
	size_t n_wanted, cap_wanted;
	struct csv_table against;
	struct check_report *reports;
	size_t n, cap;
	int n_against;		/* values of the other file that were compared, of all devices */
	int signo;
	struct err err;
};

static void want(struct check_all *a, const struct device_options *like, const char *name)
{
	a->wanted = array_grow(a->wanted, a->n_wanted, &a->cap_wanted, sizeof(*a->wanted));
	struct device_options *d = &a->wanted[a->n_wanted++];
	*d = *like;
	d->name = xstrdup_or_null(name);
}

/* All GPUs of this machine, usable or not: what cannot be used is a finding. What only shows a
 * picture, such as the chip of a server's console, is one of them when it was asked for. */
static void want_all(struct check_all *a, const struct device_options *like, bool with_displays)
{
	const struct device_list *l = &a->first->program->devices;
	size_t before = a->n_wanted;

	for (size_t i = 0; i < l->count; i++) {
		const struct device_entry *e = &l->entries[i];

		if (!e->backend->never_by_default && e->backend != &cpu_backend &&
			(with_displays || !e->usable || !e->display_only))
			want(a, like, e->device.id);
	}
	if (a->n_wanted > before)
		return;
	if (with_displays)
		want(a, like, NULL);
	else
		want_all(a, like, true);
}

/* Devices are named by -D, by the words behind the command, or by nobody: then all are meant. */
static void list_wanted(struct check_all *a)
{
	const struct options *o = a->first->opt;

	for (int i = 0; i < o->n_devices; i++) {
		const char *name = o->devices[i].name;

		if (o->n_names > 0 && (!name || o->devices[i].by_env))
			continue;
		if (!name || options_mean_all(&o->devices[i]))
			want_all(a, &o->devices[i], name != NULL);
		else
			want(a, &o->devices[i], name);
	}
	for (int i = 0; i < o->n_names; i++) {
		if (!strcmp(o->names[i], DEVICES_ALL))
			want_all(a, &o->common, true);
		else
			want(a, &o->common, o->names[i]);
	}
}

/* A file of other kinds of devices says nothing of this one. Where several devices are checked, it
 * may be about some of them. */
static bool fits(const struct check_all *a, struct check_run *c, struct err *err)
{
	struct check_report *r = c->report;
	int name = csv_table_column(&a->against, "name");

	if (!a->against.text)
		return true;
	if (name < 0 || !a->against.n_rows || csv_table_column(&a->against, "check") < 0 ||
		csv_table_column(&a->against, "value") < 0) {
		err_set(err, ERR_PARSE, "'%s' holds no checks", a->first->opt->check->against);
		return err_hint(err, "'rooftop check --csv -o FILE' writes such a file");
	}
	for (size_t i = 0; i < a->against.n_rows; i++)
		if (check_is_like(r, &a->against, i)) {
			c->against = &a->against;
			return true;
		}
	if (a->n_wanted > 1) {
		check_say(check_add(r, 1, "against", ""), CHECK_NOT_MEASURED,
			"'%s' holds no device of this kind", a->first->opt->check->against);
		return true;
	}
	const char *other = csv_table_text(&a->against, 0, name), *simulated = "";
	if (!strcmp(other, r->name))
		simulated = r->simulated ? ", simulated" : ", and no simulated one";
	err_set(err, ERR_USAGE, "'%s' is of another kind of device: %s, and this is %s%s",
		a->first->opt->check->against, text_or(other, "--"), r->name,
		simulated);
	return err_hint(err, "--against compares with a machine of the same kind");
}

static void keep_roofline(struct check_run *c)
{
	struct strbuf svg = { 0 };

	roofline_svg(&c->session->now->roofline, NULL, c->report->name,
		c->report->simulated ? "SIMULATED; dots are theory, lines are measured"
				     : "dots are theory, lines are measured",
		&svg);
	c->report->roofline_svg = xstrdup(strbuf_str(&svg));
	strbuf_release(&svg);
}

static int64_t load_ns(const struct options *o)
{
	return o->load->time_ns ? o->load->time_ns : LOAD_NS;
}

static bool go(struct check_all *a, struct check_run *c)
{
	struct session *ses = c->session;
	const struct options *o = ses->opt;

	if (!jobs_open_device(ses, ROOF_RUN_NS, &a->err))
		return false;
	if (!ses->dev)
		return err_set(&a->err, ERR_NO_DEVICE, "%s", ses->opened.no_device);
	const struct device *d = &ses->dev->device;
	snprintf(c->report->device, sizeof(c->report->device), "%s", d->id);
	snprintf(c->report->name, sizeof(c->report->name), "%s", d->name);
	snprintf(c->report->driver, sizeof(c->report->driver), "%s", d->driver);
	c->report->simulated = d->simulated;
	if (!fits(a, c, &a->err) || !jobs_open(&c->jobs, ses, &a->err))
		return false;
	bool good = check_state(c, &a->err);
	bool loads = good && c->report->status == STATUS_GOOD;
	/* The host's processor would answer in its place. */
	if (loads && o->check->level >= 2 && d->simulated && !ses->dev->runner) {
		check_say(check_add(c->report, 2, "roofs", ""), CHECK_NOT_MEASURED, "%s",
			"this simulated device runs no kernels");
		loads = false;
	}
	if (loads && o->check->level >= 2)
		good = check_roofs(c, &a->err);
	if (good && loads && o->check->level >= 3)
		good = check_load(c, load_ns(o), &a->err);
	if (ses->dev)
		check_seen(c);
	if (o->check->html)
		keep_roofline(c);
	return good;
}

/* Checks one device. What ends its checks becomes a row, and its status; returns false when the
 * whole command ends. */
static bool check_device(struct check_all *a, struct session *ses)
{
	a->reports = array_grow(a->reports, a->n, &a->cap, sizeof(*a->reports));
	struct check_report *r = &a->reports[a->n++];
	struct check_run c = { .session = ses, .report = r, .stamp_off_pct = NAN,
		.link = { NAN, NAN } };

	*r = (struct check_report){ 0 };
	snprintf(r->device, sizeof(r->device), "%s", text_or(ses->want->name, "GPU"));
	bool good = go(a, &c);
	a->signo = c.jobs.signo;
	a->n_against += r->n_against;
	if (good && r->status == STATUS_GOOD && c.against && r->n_against == 0 && !a->signo)
		check_say(check_add(r, 1, "against", ""), CHECK_FAILED,
			"nothing was compared with '%.100s': it has no roof that was measured now",
			ses->opt->check->against);
	jobs_close(&c.jobs);
	devices_close(ses);
	if (a->signo) {
		r->interrupted = true;
		check_say(check_add(r, 1, "interrupted", ""), CHECK_NOT_MEASURED, "%s",
			"a signal ended the checks: what is not in this table was not looked at");
	}
	if (good || a->signo)
		return !a->signo;
	/* A slip of the pen ends the command, but takes no other device's report with it. */
	if ((a->err.code == ERR_USAGE || a->err.code == ERR_PARSE) && r->n == 0 && a->n_wanted == 1)
		return false;
	bool none = a->err.code == ERR_NO_DEVICE || a->err.code == ERR_UNSUPPORTED;
	bool opened = r->n > 0;
	enum check_verdict verdict = CHECK_FAILED;
	const char *id = "device";
	if (opened)
		id = "load";
	if (opened && none)
		verdict = CHECK_NOT_MEASURED;
	struct check *row = check_add(r, 1, id, "");
	check_say(row, verdict, "%s%s%s", err_without_name(a->err.msg, r->device),
		*a->err.hint ? "; " : "", a->err.hint);
	if (opened)
		row->level = 2;
	else if (none)
		r->status = STATUS_NO_DEVICE;
	else if (a->err.code == ERR_USAGE)
		r->status = STATUS_USAGE;
	else if (a->err.code == ERR_PERMISSION)
		r->status = STATUS_NO_PERMISSION;
	err_clear(&a->err);
	return true;
}

/* Says which of several devices is checked now: one after the other, because devices that share a
 * processor, a link or a power supply would not reach alone what they are measured for. */
static void tell_next(const struct check_all *a, size_t i)
{
	const struct options *o = a->first->opt;
	struct err say = { 0 };

	if (a->n_wanted < 2 || o->load->quiet)
		return;
	err_set(&say, ERR_NONE, "check %zu of %zu: %s", i + 1, a->n_wanted,
		text_or(a->wanted[i].name, "GPU"));
	if (i == 0 && o->check->level >= 3)
		err_hint(&say, "the devices have their long loads one after the other: %.0f s for each",
			(double)load_ns(o) / NS_PER_S);
	session_print_err(&say);
}

static bool check_each(struct check_all *a)
{
	struct session *ses = a->first;

	for (size_t i = 0; i < a->n_wanted; i++) {
		tell_next(a, i);
		if (i > 0)
			ses = program_add_session(ses->program, &a->wanted[i]);
		ses->want = &a->wanted[i];
		bool good = check_device(a, ses);
		/* The session stays, because rows have the units of its metrics. */
		ses->want = &ses->opt->devices[0];
		ses = a->first;
		if (!good)
			return a->err.code == ERR_NONE;
	}
	return true;
}

/* A file of which nothing could be compared with any of the devices was the wrong one. */
static void fail_unlike(struct check_all *a)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < a->reports[i].n; k++)
			if (!strcmp(a->reports[i].rows[k].id, "against"))
				a->reports[i].rows[k].verdict = CHECK_FAILED;
}

/* Writes a file of its own, where the option asks for one. */
static bool write_file(const char *path, struct strbuf *text, struct err *err)
{
	return !path || file_replace(path, strbuf_str(text), text->len, err);
}

static bool write_all(struct check_all *a, enum output_form form)
{
	const struct options *o = a->first->opt;
	struct strbuf text = { 0 }, xml = { 0 }, html = { 0 };
	struct output out = { .fd = -1 };

	if (o->tap)
		check_tap(a->reports, a->n, &text);
	else
		check_rows(a->reports, a->n, form, &text);
	if (o->check->junit)
		check_junit(a->reports, a->n, &xml);
	if (o->check->html)
		check_html(a->reports, a->n, clock_wall_ns(&a->first->clock), &html);
	bool good = output_open(&out, o->output, OUTPUT_TRUNCATE, &a->err) &&
		((o->load->quiet && !o->output) || output_write(&out, &text, &a->err));
	good = output_close(&out, good, &a->err);
	good = write_file(o->check->junit, &xml, &a->err) && good;
	good = write_file(o->check->html, &html, &a->err) && good;
	strbuf_release(&text);
	strbuf_release(&xml);
	strbuf_release(&html);
	return good;
}

/* Returns that of the worst device: a check that failed, then missing rights, then a device that
 * cannot be used or of which nothing could be compared, which is also the order of these numbers. */
static enum status status_of(const struct check_all *a)
{
	enum status worst = STATUS_GOOD;

	for (size_t i = 0; i < a->n; i++) {
		enum status status = a->reports[i].status;

		if (status == STATUS_GOOD && check_count(&a->reports[i], CHECK_FAILED))
			status = STATUS_CHECK;
		else if (status == STATUS_GOOD && !check_count(&a->reports[i], CHECK_OK))
			status = STATUS_NO_DEVICE;
		if (status > worst)
			worst = status;
	}
	return worst;
}

enum status check_cmd(struct session *ses, enum output_form form, int *signo)
{
	const struct options *o = ses->opt;
	struct check_all a = { .first = ses };
	bool good = !o->check->against || csv_table_read(&a.against, o->check->against, &a.err);

	list_wanted(&a);
	good = good && check_each(&a);
	*signo = a.signo;
	if (o->check->against && !a.n_against && !a.signo)
		fail_unlike(&a);
	/* What was measured before a signal is written, too. */
	if (a.n > 0 && (good || a.signo))
		good = write_all(&a, form) && good;
	enum status status = status_of(&a);
	if (!good && !a.signo && a.err.code != ERR_END)
		status = session_fail(&a.err);
	for (size_t i = 0; i < a.n; i++)
		check_report_release(&a.reports[i]);
	for (size_t i = 0; i < a.n_wanted; i++)
		free((char *)a.wanted[i].name);
	/* The session outlives these. */
	ses->want = &o->devices[0];
	free(a.wanted);
	free(a.reports);
	csv_table_release(&a.against);
	return status;
}
