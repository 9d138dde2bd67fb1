/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "out/export.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/session.h"
#include "out/openmetrics.h"
#include "out/output.h"
#include "session/refresh.h"
#include "base/fsroot.h"
#include "base/i18n.h"

#define FORM "prometheus"

static void write_metrics(const struct session *ses, bool legacy, struct strbuf *out)
{
	struct openmetrics_about about = { &ses->dev->device, ses->set,
		ses->dev->sources[0]->feed.how };

	openmetrics_write(&about, refresh_snapshot(ses), legacy, out);
}

static void body(void *ctx, struct strbuf *out)
{
	write_metrics(ctx, false, out);
}

static bool open_http(struct session *ses, struct err *err)
{
	const char *where = ses->opt->export + strlen(FORM);

	if (strncmp(ses->opt->export, FORM, strlen(FORM)) || (*where && *where != ':')) {
		err_set(err, ERR_USAGE, _("cannot export '%s'"), ses->opt->export);
		return err_hint(err,
			_("prometheus, prometheus:PORT, prometheus:HOST:PORT or "
			  "prometheus:unix:PATH"));
	}
	ses->exporter.http = http_open(
		*where ? where + 1 : where, OPENMETRICS_TYPE, body, ses, err);
	if (!ses->exporter.http)
		err_of_file(err);
	return ses->exporter.http;
}

static bool open_textfile(struct session *ses, struct err *err)
{
	struct stat st;

	if (snprintf(ses->exporter.textfile, sizeof(ses->exporter.textfile), "%s/rooftop.prom",
		    ses->opt->textfile) >= (int)sizeof(ses->exporter.textfile))
		return err_set(
			err, ERR_USAGE, _("the path '%.200s' is too long"), ses->opt->textfile);
	if (stat(ses->opt->textfile, &st))
		return file_cannot_write(err, ses->exporter.textfile);
	if (!S_ISDIR(st.st_mode)) {
		err_set(err, ERR_USAGE, _("'%s' is no folder"), ses->opt->textfile);
		return err_hint(err,
			_("--textfile wants the folder that node_exporter reads: its "
			  "--collector.textfile.directory"));
	}
	return !access(ses->opt->textfile, W_OK | X_OK) ||
		file_cannot_write(err, ses->exporter.textfile);
}

bool export_open(struct session *ses, struct err *err)
{
	bool good = (!ses->opt->export || open_http(ses, err)) &&
		(!ses->opt->textfile || open_textfile(ses, err)) &&
		(!ses->opt->trace ||
			trace_open(&ses->exporter.trace, ses->opt->trace, &ses->dev->device, err));
	struct err again = { 0 };

	if (!good)
		export_close(ses, &again);
	return good;
}

void export_start(struct session *ses, struct loop *loop)
{
	if (!ses->exporter.http)
		return;
	http_start(ses->exporter.http, loop);
	log_add(&ses->log, clock_wall_ns(&ses->clock), LOG_INFO, _("metrics at %s"),
		http_url(ses->exporter.http));
}

/* The collector sees the old file or the new one, never half of one. Not by file_replace(), which
 * waits for the disk: what is old in a second need not be there after a crash, and windows do not
 * wait. */
static bool write_textfile(struct session *ses, struct err *err)
{
	struct exporter *x = &ses->exporter;
	struct strbuf text = { 0 };
	struct output output;
	char temp[600];
	bool good;

	snprintf(temp, sizeof(temp), "%s.%ld", x->textfile, (long)getpid());
	if (!output_open(&output, temp, OUTPUT_TRUNCATE, err))
		return false;
	write_metrics(ses, true, &text);
	good = output_write(&output, &text, err);
	strbuf_release(&text);
	good = output_close(&output, good, err);
	if (good && rename(temp, x->textfile))
		good = file_cannot_write(err, x->textfile);
	if (!good)
		unlink(temp);
	x->textfile_made |= good;
	return good;
}

/* Values of a program that is gone, or that cannot write, would look like fresh ones. */
static void drop_textfile(struct exporter *x)
{
	if (x->textfile_made)
		unlink(x->textfile);
	x->textfile_made = false;
	*x->textfile = '\0';
}

bool export_service(struct session *ses, bool is_new, struct err *err)
{
	struct exporter *x = &ses->exporter;
	bool good = true;

	if (x->http)
		http_drop_slow(x->http);
	if (!is_new)
		return true;
	if (*x->textfile && !write_textfile(ses, err)) {
		drop_textfile(x);
		good = false;
	}
	if (x->trace.on && !trace_window(&x->trace, refresh_snapshot(ses), err))
		good = false;
	return good;
}

bool export_close(struct session *ses, struct err *err)
{
	struct exporter *x = &ses->exporter;
	bool good = trace_close(&x->trace, err);

	http_close(x->http);
	x->http = NULL;
	drop_textfile(x);
	return good;
}

void export_hand_over(struct session *from, struct session *to)
{
	trace_leave(&from->exporter.trace, clock_mono_ns(&from->clock));
	to->exporter = from->exporter;
	from->exporter = (struct exporter){ 0 };
	if (to->exporter.http)
		http_set_ctx(to->exporter.http, to);
}
