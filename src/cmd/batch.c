/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop of batch output: a line is written whole or not at all. */
#include "config.h"

#include "cmd/batch.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "session/client_scan.h"
#include "session/devices.h"
#include "out/export.h"
#include "out/output.h"
#include "session/refresh.h"
#include "session/source_watch.h"
#include "out/writer.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "base/parse.h"
#include "base/strbuf.h"

/* Text that goes to no terminal: the first metrics of each group; COLUMNS asks for more or
 * fewer. */
#define FILE_COLUMNS 160
#define FILE_ROWS 40

struct batch {
	struct session *session;
	const struct writer *writer;
	struct writer_run run;
	struct strbuf line;
	struct loop *loop;
	struct source_watch watch;
	struct output output;
	uint64_t windows;
	int64_t period_ns;
	bool done;
	bool failed;			/* err says why */
	struct err err;
	int signo;
};

static void stop(struct batch *b)
{
	b->done = true;
	loop_stop(b->loop);
}

/* A reader that closed its pipe has seen enough. */
static void flush_lines(struct batch *b)
{
	if (b->done || output_write(&b->output, &b->line, &b->err))
		return;
	b->failed = b->err.code != ERR_END;
	stop(b);
}

static void after_tick(struct batch *b, bool is_new)
{
	struct session *ses = b->session;
	struct err err = { 0 };

	if (is_new && b->writer) {
		b->writer->window(&b->run, refresh_snapshot(ses), &b->line);
		flush_lines(b);
	}
	b->windows += is_new;
	/* A recording or an export is what the run was for: one that cannot go on ends it. */
	if (!record_service(ses, &err) || !export_service(ses, is_new, &err)) {
		b->failed = true;
		b->err = err;
		stop(b);
	}
	if (ses->ended || (ses->opt->windows && b->windows >= ses->opt->windows))
		stop(b);
}

static void on_tick(void *ctx, uint64_t missed)
{
	struct batch *b = ctx;
	int64_t period_ns;

	(void)missed;
	after_tick(b, refresh_tick(b->session));
	source_watch_update(&b->watch, b->session);
	period_ns = refresh_period_ns(b->session);
	if (period_ns != b->period_ns && !b->done &&
		!loop_set_tick(b->loop, period_ns, on_tick, b, &b->err)) {
		b->failed = true;
		stop(b);
	}
	b->period_ns = period_ns;
}

static void on_source(void *ctx, int fd, short revents)
{
	struct batch *b = ctx;

	(void)revents;
	source_watch_ready(&b->watch, b->session, fd);
}

static void on_signal(void *ctx, int signo)
{
	struct batch *b = ctx;

	if (signo == SIGUSR1) {
		after_tick(b, refresh_now(b->session));
		return;
	}
	b->signo = signo;
	stop(b);
}

static bool run_real(struct batch *b)
{
	struct session *ses = b->session;

	source_watch_init(&b->watch, b->loop, on_source, b);
	source_watch_update(&b->watch, ses);
	b->period_ns = refresh_period_ns(ses);
	return loop_set_tick(b->loop, b->period_ns, on_tick, b, &b->err) &&
		(b->done || loop_run(b->loop, &b->err));
}

static bool run_virtual(struct batch *b)
{
	while (!b->done) {
		after_tick(b, refresh_virtual_step(b->session));
		if (!loop_once(b->loop, 0, &b->err))
			return false;
	}
	return true;
}

static void init_run(struct batch *b)
{
	const struct session *ses = b->session;
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	b->run = (struct writer_run){ .device = &ses->dev->device,
		.set = ses->set,
		.how = ses->dev->sources[0]->feed.how,
		.maps = ses->snaps[0].maps,
		.n_maps = ses->snaps[0].n_maps,
		.columns = FILE_COLUMNS,
		.rows = FILE_ROWS };
	if (ioctl(b->output.fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		b->run.columns = size.ws_col;
		b->run.rows = size.ws_row;
	}
	if (columns && parse_u64_range(columns, 1, 10000, &n))
		b->run.columns = (int)n;
}

/* NULL: only an export was asked for. */
static const struct writer *writer_of(enum output_form form)
{
	if (form == OUTPUT_NONE)
		return NULL;
	return form == OUTPUT_JSON ? &json_writer : form == OUTPUT_CSV ? &csv_writer : &text_writer;
}

enum status batch_run(struct session *ses, enum output_form form, int *signo)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, 0 };
	struct batch b = { .session = ses, .writer = writer_of(form), .output = { .fd = -1 } };
	bool good = false;

	b.loop = loop_new(signals, &b.err);
	if (!b.loop || !output_open(&b.output, ses->opt->output, OUTPUT_TRUNCATE, &b.err))
		goto out;
	loop_on_signal(b.loop, on_signal, &b);
	export_start(ses->program, b.loop);
	client_scan_want(ses, ses->opt->clients);
	if (b.writer) {
		init_run(&b);
		b.writer->begin(&b.run, &b.line);
		flush_lines(&b);
	}
	good = ses->clock.is_virtual ? run_virtual(&b) : run_real(&b);
	if (!record_stop(ses, &b.err))
		b.failed = true;
out:
	if (!export_close(ses->program, &b.err))
		b.failed = true;
	if (!output_close(&b.output, good && !b.failed, &b.err) && good)
		b.failed = true;
	if (!good || b.failed)
		session_print_err(&b.err);
	loop_free(b.loop);
	strbuf_release(&b.line);
	*signo = b.signo;
	/* A live device whose primary source has failed for good was not measured; it has said
	 * why. */
	if (good && ses->source_failed[0] && !ses->dev->device.recorded)
		b.failed = true;
	return good && !b.failed ? STATUS_GOOD : STATUS_FAILURE;
}
