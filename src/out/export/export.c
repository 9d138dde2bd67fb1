/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives the windows of all sessions to the exporters. */
#include "config.h"

#include "out/export/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/program.h"
#include "out/export/http.h"
#include "out/export/trace.h"
#include "session/window/refresh.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/clock.h"
#include "base/parse.h"
#include "out/export/openmetrics.h"
#include "out/lines/writer.h"
#include "base/strbuf.h"
#include "out/export/exposition.h"

#define FORM "prometheus"
/* Bytes of the trace that wait for the end of a window. */
#define UNWRITTEN_MAX (1u << 20)

/* What a device's energies came to, window by window. */
struct energy_sums {
	const struct session *session;
	/* a merged set may be at the place of another one that is gone, and cards of a platform
	 * share theirs */
	char device[112], set[96];
	int n_metrics;
	double *joules;			/* heap, [set->n_metrics], in the metrics' units */
};

/* Zero-initialised it is empty. */
struct export_metrics {
	struct energy_sums *sums;	/* heap */
	int n_sums;
	int64_t start_wall_ns;
	uint64_t scrapes;
};

/* --- energy --- */

static struct energy_sums *sums_of(struct export_metrics *x, const struct session *ses)
{
	for (int i = 0; i < x->n_sums; i++)
		if (x->sums[i].session == ses)
			return &x->sums[i];
	return NULL;
}

static bool are_of(const struct energy_sums *e, const struct session *ses)
{
	return e->n_metrics == ses->now->set->n_metrics &&
		!strncmp(e->set, ses->now->set->name, sizeof(e->set) - 1) &&
		!strcmp(e->device, ses->dev->device.id);
}

/* Another set has other metrics, whose sums begin at 0, as a counter may. */
static struct energy_sums *make_sums(struct export_metrics *x, const struct session *ses)
{
	struct energy_sums *e = sums_of(x, ses);

	if (!e) {
		x->sums = xreallocarray(x->sums, (size_t)x->n_sums + 1, sizeof(*x->sums));
		e = &x->sums[x->n_sums++];
		*e = (struct energy_sums){ .session = ses };
	}
	if (!are_of(e, ses)) {
		free(e->joules);
		e->n_metrics = ses->now->set->n_metrics;
		e->joules = xcalloc((size_t)e->n_metrics + 1, sizeof(*e->joules));
		snprintf(e->set, sizeof(e->set), "%s", ses->now->set->name);
		snprintf(e->device, sizeof(e->device), "%s", ses->dev->device.id);
	}
	return e;
}

/* Has to be called after each complete window of a session. */
static void export_metrics_window(struct export_metrics *x, const struct session *ses)
{
	const struct snapshot *s = refresh_snapshot(ses);
	struct energy_sums *e = make_sums(x, ses);
	struct metric_family family;

	for (int i = 0; s && i < s->set->n_metrics; i++) {
		if (writer_why(s->values[i]) || snapshot_is_kept(s, i))
			continue;
		metric_family_of(&s->set->metrics[i], false, &family);
		if (family.is_summed && s->values[i].v > 0)
			e->joules[i] += s->values[i].v;
	}
}

/* Forgets a session that will be closed. */
static void export_metrics_leave(struct export_metrics *x, const struct session *ses)
{
	struct energy_sums *e = sums_of(x, ses);

	if (!e)
		return;
	free(e->joules);
	*e = x->sums[--x->n_sums];
}

static void export_metrics_release(struct export_metrics *x)
{
	for (int i = 0; i < x->n_sums; i++)
		free(x->sums[i].joules);
	free(x->sums);
	*x = (struct export_metrics){ 0 };
}

/* --- devices --- */

static enum device_state state_of(const struct session *ses, const struct snapshot *s)
{
	if (ses->play.ended)
		return DEVICE_ENDED;
	if (ses->opened.stands_in)
		return DEVICE_LOST;
	if (!s)
		return DEVICE_STARTING;
	switch (s->why) {
	case WHY_GONE: return DEVICE_LOST;
	case WHY_ASLEEP: return DEVICE_ASLEEP;
	case WHY_PERMISSION:
	case WHY_BUSY: return DEVICE_REFUSED;
	case WHY_STALE: return DEVICE_STALE;
	default: break;
	}
	switch (s->verdict.kind) {
	case VERDICT_LOST: return DEVICE_LOST;
	case VERDICT_ASLEEP: return DEVICE_ASLEEP;
	case VERDICT_PERMISSION: return DEVICE_REFUSED;
	default: return DEVICE_OK;
	}
}

static void about_session(
	struct export_metrics *x, const struct session *ses, struct openmetrics_about *out)
{
	const struct snapshot *s = refresh_snapshot(ses);
	const struct energy_sums *e = sums_of(x, ses);

	*out = (struct openmetrics_about){ .name = ses->opened.name,
		.device = &ses->dev->device,
		.state = state_of(ses, s),
		.set = ses->now->set,
		.how = ses->dev->sources[0]->feed.how,
		.snap = s,
		.age_s = NAN };
	if (s)
		out->age_s = (double)(clock_mono_ns(&ses->clock) - s->mono_ns) / NS_PER_S;
	if (e && are_of(e, ses))
		out->sums = e->joules;
}

/* A device of this machine that nobody can open is in the text with its reason: a fleet wants to
 * know of it. */
static int about_refused(const struct program *p, struct openmetrics_about *out)
{
	int n = 0;

	for (size_t i = 0; i < p->devices.count; i++) {
		const struct device_entry *e = &p->devices.entries[i];
		const struct session *ses = session_of_entry(p, (int)i);

		if (e->usable || e->device.simulated || e->device.recorded || (ses && ses->dev))
			continue;
		out[n++] = (struct openmetrics_about){ .name = e->device.id,
			.device = &e->device,
			.state = DEVICE_REFUSED,
			.refusal = e->refusal.msg,
			.how = "",
			.age_s = NAN };
	}
	return n;
}

/* --- the program --- */

/* The second number is in pages, proc(5). */
static double resident_bytes(void)
{
	const struct fsroot machine = { .prefix = "" };
	char line[128];
	uint64_t pages;

	if (!fsroot_read_line(&machine, "/proc/self/statm", line, sizeof(line), NULL))
		return NAN;
	const char *second = strchr(line, ' ');
	if (!second)
		return NAN;
	char *end = line + (second - line) + 1 + strcspn(second + 1, " ");
	*end = '\0';
	if (!parse_u64(second + 1, &pages))
		return NAN;
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Appends the text of all devices: those that are open, and of this machine those that cannot be
 * used. */
static void export_metrics_write(struct export_metrics *x, const struct program *p,
	enum exposition_form form, struct strbuf *out)
{
	size_t most = (size_t)p->n_sessions + p->devices.count;
	struct openmetrics_about *about = xcalloc(most + 1, sizeof(*about));
	int n = 0;

	for (int i = 0; i < p->n_sessions; i++)
		if (p->sessions[i]->dev && !session_has_left(p, p->sessions[i]))
			about_session(x, p->sessions[i], &about[n++]);
	n += about_refused(p, about + n);
	const struct openmetrics_self self = { .start_s = (double)x->start_wall_ns / NS_PER_S,
		.cpu_s = (double)clock_self_cpu_ns() / NS_PER_S,
		.resident_bytes = resident_bytes(),
		.scrapes = (double)++x->scrapes,
		.lists_processes = p->opt->clients };
	openmetrics_write(about, n, &self, form, out);
	free(about);
}

/* A session in the trace. */
struct track {
	const struct session *session;
	struct trace_device device;
};

struct exporter {
	struct track *tracks; /* heap */
	int n_tracks;
	struct export_metrics metrics;
	struct http *http;
	struct trace trace;
	char textfile[512];		/* "" none */
	bool textfile_made;
	int64_t textfile_ns;	/* when it was written last, by the clock of the first session */
};

static const struct http_form forms[] = {
	[EXPOSITION_OPENMETRICS] = { "application/openmetrics-text; version=1.0.0; charset=utf-8" },
	[EXPOSITION_TEXT] = { "text/plain; version=0.0.4; charset=utf-8" },
};

static void write_page(void *ctx, int form, struct strbuf *out)
{
	struct program *p = ctx;

	export_metrics_write(&p->exporter->metrics, p, (enum exposition_form)form, out);
}

static bool open_http(struct program *p, struct err *err)
{
	const char *form = p->opt->export, *where = form + strlen(FORM);
	const struct http_pages pages = {
		.forms = forms, .n_forms = EXPOSITION_FORMS, .write = write_page, .ctx = p
	};

	if (strncmp(form, FORM, strlen(FORM)) || (*where && *where != ':')) {
		err_set(err, ERR_USAGE, "cannot export '%s'", form);
		return err_hint(err,
			"prometheus, prometheus:PORT, prometheus:HOST:PORT or "
			"prometheus:unix:PATH");
	}
	if (*where)
		where++;
	p->exporter->http = http_open(where, &pages, err);
	if (!p->exporter->http)
		err_of_file(err);
	return p->exporter->http;
}

static bool open_textfile(struct exporter *x, const char *folder, struct err *err)
{
	struct stat st;

	if (snprintf(x->textfile, sizeof(x->textfile), "%s/rooftop.prom", folder) >=
		(int)sizeof(x->textfile))
		return err_set(err, ERR_USAGE, "the path '%.200s' is too long", folder);
	if (stat(folder, &st))
		return file_cannot_write(err, x->textfile);
	if (!S_ISDIR(st.st_mode)) {
		err_set(err, ERR_USAGE, "'%s' is no folder", folder);
		return err_hint(err,
			"--textfile wants the folder that node_exporter reads: its "
			"--collector.textfile.directory");
	}
	file_drop_leftovers(x->textfile);
	return !access(folder, W_OK | X_OK) || file_cannot_write(err, x->textfile);
}

static struct trace_device *track_of(struct exporter *x, const struct session *ses)
{
	for (int i = 0; i < x->n_tracks; i++)
		if (x->tracks[i].session == ses)
			return &x->tracks[i].device;
	x->tracks = xreallocarray(x->tracks, (size_t)x->n_tracks + 1, sizeof(*x->tracks));
	x->tracks[x->n_tracks] = (struct track){ .session = ses };
	return &x->tracks[x->n_tracks++].device;
}

static void take_slice(void *ctx, const struct span_slice *s)
{
	struct session *ses = ctx;
	struct exporter *x = ses->program->exporter;
	struct err err = { 0 };

	if (!x || !x->trace.on)
		return;
	trace_span(&x->trace, track_of(x, ses), s);
	/* While the screen pauses no window writes them. */
	if (x->trace.buf.len > UNWRITTEN_MAX && !trace_flush(&x->trace, &err))
		session_problem(ses, &err);
}

static bool open_trace(const struct program *p, struct err *err)
{
	struct exporter *x = p->exporter;

	if (!trace_open(&x->trace, p->opt->trace, err))
		return false;
	for (int i = 0; i < p->n_sessions; i++) {
		const struct span_tap tap = { take_slice, p->sessions[i] };

		trace_begin(&x->trace, track_of(x, p->sessions[i]), &p->sessions[i]->dev->device,
			p->sessions[i]->opened.name);
		kernel_watch_tap(p->sessions[i], &tap);
	}
	return x->trace.output.has_old || trace_flush(&x->trace, err);
}

bool export_open(struct program *p, struct err *err)
{
	const struct options *o = p->opt;

	if (!o->export && !o->textfile && !o->trace)
		return true;
	p->exporter = xcalloc(1, sizeof(*p->exporter));
	p->exporter->metrics.start_wall_ns = clock_wall_ns(&p->sessions[0]->clock);
	if ((!o->export || open_http(p, err)) &&
		(!o->textfile || open_textfile(p->exporter, o->textfile, err)) &&
		(!o->trace || open_trace(p, err)))
		return true;
	export_close(p, NULL);
	return false;
}

const char *export_url(const struct program *p)
{
	return p->exporter && p->exporter->http ? http_url(p->exporter->http) : NULL;
}

void export_start(struct program *p, struct loop *loop)
{
	struct session *first = p->sessions[0];

	if (p->exporter && p->exporter->trace.on)
		output_live(&p->exporter->trace.output, loop);
	if (!export_url(p))
		return;
	http_start(p->exporter->http, loop);
	log_add(&first->log, clock_wall_ns(&first->clock), LOG_INFO, "metrics at %s",
		export_url(p));
}

/* Writes the file so that the collector sees the old one or the new one, never half of one. */
static bool write_textfile(struct program *p, struct err *err)
{
	struct exporter *x = p->exporter;
	struct strbuf text = { 0 };

	export_metrics_write(&x->metrics, p, EXPOSITION_TEXT, &text);
	bool good = file_refresh(x->textfile, strbuf_str(&text), text.len, err);
	strbuf_release(&text);
	x->textfile_made |= good;
	x->textfile_ns = clock_mono_ns(&p->sessions[0]->clock);
	return good;
}

/* Removes the file, because values of a program that is gone or cannot write would look fresh. */
static void drop_textfile(struct exporter *x)
{
	if (x->textfile_made)
		file_remove(x->textfile);
	x->textfile_made = false;
	*x->textfile = '\0';
}

/* Whether the windows of this session write the file, which holds all devices: those of the first
 * session that goes on do, so that no other device's values grow old behind one that stands still. */
static bool writes_textfile(const struct session *ses)
{
	struct session *const *s = ses->program->sessions;

	for (; *s != ses; s++)
		if (!(*s)->play.ended && !(*s)->play.paused)
			return false;
	return true;
}

/* Whether the file is written now. It has a clock of its own beside the windows, so that the ages
 * in it grow where no window comes: a stream stalls, the screen is paused. */
static bool textfile_is_due(const struct session *ses, bool is_new)
{
	const struct program *p = ses->program;
	int64_t shortest_ns = INT64_MAX;

	if (!*p->exporter->textfile)
		return false;
	for (int i = 0; i < p->n_sessions; i++)
		shortest_ns = min_i64(shortest_ns, p->sessions[i]->window.length_ns);
	return (is_new && writes_textfile(ses)) ||
		(p->exporter->textfile_made &&
			clock_mono_ns(&p->sessions[0]->clock) - p->exporter->textfile_ns >
				shortest_ns + shortest_ns / 2);
}

bool export_service(struct session *ses, bool is_new, struct err *err)
{
	struct exporter *x = ses->program->exporter;
	struct err slow = { 0 };
	bool good = true;

	if (!x)
		return true;
	if (x->http)
		http_drop_slow(x->http);
	if (is_new && (x->http || *x->textfile))
		export_metrics_window(&x->metrics, ses);
	if (textfile_is_due(ses, is_new) && !write_textfile(ses->program, err)) {
		drop_textfile(x);
		good = false;
	}
	if (!is_new)
		return good;
	if (x->trace.on &&
		!trace_window(
			&x->trace, track_of(x, ses), refresh_snapshot(ses), ses->opened.name, err))
		good = false;
	if (x->trace.on && output_is_slow(&x->trace.output, &slow))
		session_problem(ses, &slow);
	return good;
}

bool export_is_on(const struct program *p)
{
	const struct exporter *x = p->exporter;

	return x && (x->http || *x->textfile || x->trace.on);
}

bool export_is_full(const struct program *p)
{
	return p->exporter && p->exporter->trace.on &&
		outlet_is_full(&p->exporter->trace.output.outlet);
}

void export_leave(struct session *ses)
{
	struct exporter *x = ses->program->exporter;
	int i = 0;

	if (!x)
		return;
	export_metrics_leave(&x->metrics, ses);
	while (i < x->n_tracks && x->tracks[i].session != ses)
		i++;
	if (i == x->n_tracks)
		return;
	trace_leave(&x->trace, &x->tracks[i].device, clock_mono_ns(&ses->clock));
	x->tracks[i] = x->tracks[--x->n_tracks];
}

bool export_close(struct program *p, struct err *err)
{
	struct exporter *x = p->exporter;

	if (!x)
		return true;
	for (int i = 0; i < x->n_tracks; i++)
		trace_leave(&x->trace, &x->tracks[i].device, x->tracks[i].device.limits_ns);
	bool good = trace_close(&x->trace, err);
	http_close(x->http);
	drop_textfile(x);
	export_metrics_release(&x->metrics);
	free(x->tracks);
	free(x);
	p->exporter = NULL;
	return good;
}
