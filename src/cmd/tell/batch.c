/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the loop of batch output. A line is written whole or not at all. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "session/devices/devices.h"
#include "out/export/export.h"
#include "out/lines/output.h"
#include "session/window/refresh.h"
#include "session/window/session_ticks.h"
#include "session/window/stream_out.h"
#include "out/lines/writer.h"
#include "base/ending.h"
#include "base/loop.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "session/program.h"
#include "session/session.h"

/* Gives the runs of all devices their metrics. A word that no device has is an error, which names
 * the sets that have it, else the metrics that come nearest. */
static bool columns_show(const struct program *p, struct writer_run *runs, int n, struct err *err)
{
	const char *words = p->opt->columns;
	struct session *first = p->sessions[0];
	char word[64];
	bool good = true;

	for (int i = 0; i < n; i++)
		writer_run_show(
			&runs[i], words ? xcalloc(strlen(words) + 1, sizeof(int)) : NULL, 0);
	while (words && good && parse_until(&words, ',', word, sizeof(word))) {
		bool is_known = false;

		for (int i = 0; i < n; i++) {
			int other, metric = rotation_find(
					   p->sessions[i]->now->rotation, word, &other);

			if (metric < 0)
				continue;
			is_known = true;
			metrics_cmd_tell_other(runs[i].set, word, metric, other);
			if (!writer_has(&runs[i], metric))
				runs[i].shown[runs[i].n_shown++] = metric;
		}
		good = is_known || metrics_cmd_unknown(first, first->now->set,
			first->dev->device.platform, word, err);
	}
	return good;
}

/* Columns of text that goes to no terminal: the first metrics of each group fit. COLUMNS asks for
 * more or fewer. */
#define FILE_COLUMNS 160
#define FILE_ROWS 40
/* How often it is asked whether it is time to look which devices there are. */
#define FOLLOW_NS (500 * NS_PER_MS)

struct batch;

/* A session in the run, and its windows. */
struct lane {
	struct batch *batch;
	struct session *session;
	struct writer_run *run;	/* what the writer knows of it; NULL without a writer */
	struct session_ticks ticks;
	uint64_t windows;
	bool done;
};

struct batch {
	struct program *program;
	const struct writer *writer;
	struct lane **lanes; /* heap, one for each session, each heap: ticks must not move */
	struct writer_run *runs; /* heap, the writer's part of each lane; NULL without a writer */
	int n, left; /* left: lanes that are not done */
	struct strbuf line;
	struct strbuf named; /* text of one of several devices, before its name is added */
	int name_width;
	struct loop *loop;
	struct output output;
	bool done;
	bool lines_failed;		/* the output takes no more */
	bool failed;			/* err says why, unless it was told already */
	struct err err;
	int signo;
	struct device_listener listener;
	unsigned changes;		/* program.device_changes when lanes were added */
};

static void stop(struct batch *b)
{
	b->done = true;
	loop_stop(b->loop);
}

static bool is_recording(const struct batch *b)
{
	for (int i = 0; i < b->n; i++)
		if (record_is_on(b->lanes[i]->session))
			return true;
	return false;
}

/* What can no longer be written ends alone; the run goes on for what is left of lines, recordings
 * and exports. A reader that went away has seen enough of all of it. */
static void lose(struct batch *b, const struct err *err)
{
	bool goes_on = err->code != ERR_END &&
		((b->writer && !b->lines_failed) || is_recording(b) || export_is_on(b->program));

	b->failed |= err->code != ERR_END;
	if (goes_on || b->done)
		session_problem(b->program->sessions[0], err);
	else
		b->err = *err;
	if (!goes_on)
		stop(b);
}

/* Flushes the lines. */
static void flush_lines(struct batch *b)
{
	struct err err = { 0 };

	if (b->done || b->lines_failed)
		strbuf_clear(&b->line);
	else if (!output_write(&b->output, &b->line, &err)) {
		b->lines_failed = true;
		lose(b, &err);
	} else if (output_is_slow(&b->output, &err))
		session_problem(b->program->sessions[0], &err);
}

/* Text and CSV have no member for it: why a chosen column stays empty is said once. */
static void tell_empty(const struct lane *lane)
{
	const struct writer_run *run = lane->run;
	const struct snapshot *s = refresh_snapshot(lane->session);
	struct err empty = { 0 };

	for (int i = 0; run->is_chosen && i < run->n_shown; i++) {
		enum why why = s->values[run->shown[i]].why;

		if (why < WHY_NO_SOURCE || why > WHY_PERMISSION)
			continue;
		err_set(&empty, ERR_UNSUPPORTED, "%s of %s has no number: %s",
			run->set->metrics[run->shown[i]].name, run->name, why_text(why));
		session_print_err(&empty);
	}
}

/* Writes a window. Lines of text begin with the device's name when there are several devices. */
static void write_window(struct lane *lane)
{
	struct batch *b = lane->batch;
	struct writer_run *run = lane->run;
	struct strbuf *out = b->name_width ? &b->named : &b->line;

	if (!lane->windows && lane->session->opt->form != OUTPUT_JSON)
		tell_empty(lane);
	b->writer->window(run, refresh_snapshot(lane->session), out);
	const char *text = strbuf_str(&b->named);
	while (*text) {
		size_t len = strcspn(text, "\n") + 1;

		strbuf_addf(&b->line, "%-*s ", b->name_width, run->name);
		strbuf_addn(&b->line, text, len);
		text += len;
	}
	strbuf_clear(&b->named);
	flush_lines(b);
}

/* A stream is live: it ends alone. */
static bool is_played(const struct session *ses)
{
	return ses->dev->sources[0]->ops->playback;
}

/* Whether a recording is still being read. */
static bool reads_recording(const struct batch *b)
{
	for (int i = 0; i < b->n; i++)
		if (!b->lanes[i]->done && is_played(b->lanes[i]->session))
			return true;
	return false;
}

/* Devices never end by themselves; beside recordings they are read as long as those last, but where
 * others ask for what they have. */
static bool is_last(const struct batch *b, const struct session *ses)
{
	const struct options *o = ses->opt;

	return b->left == 0 || (is_played(ses) && !o->windows && !o->export && !o->textfile &&
		!reads_recording(b));
}

static void after_tick(struct lane *lane, struct session *ses, bool is_new)
{
	struct batch *b = lane->batch;
	struct err err = { 0 };

	if (lane->done)
		return;
	if (is_new && b->writer)
		write_window(lane);
	lane->windows += is_new;
	if (!record_service(ses, &err)) {
		if (err.code == ERR_END)
			session_print_err(&err);
		lose(b, &err);
	}
	if (!export_service(ses, is_new, &err))
		lose(b, &err);
	if (ses->opt->windows && lane->windows >= ses->opt->windows)
		refresh_end(ses);
	if (ses->play.ended) {
		lane->done = true;
		session_ticks_stop(&lane->ticks);
		b->left--;
		if (is_last(b, ses))
			stop(b);
	}
}

static void on_tick(void *ctx, struct session *ses)
{
	after_tick(ctx, ses, refresh_tick(ses));
}

static struct lane *add_lane(struct batch *b, struct session *ses)
{
	struct lane *lane = xcalloc(1, sizeof(*lane));

	*lane = (struct lane){ .batch = b, .session = ses };
	if (b->runs)
		lane->run = &b->runs[b->n];
	b->lanes = xreallocarray(b->lanes, (size_t)b->n + 1, sizeof(struct lane *));
	b->lanes[b->n++] = lane;
	client_scan_want(ses, b->program->opt->clients || b->writer == &gpu_top_writer);
	if (b->writer == &json_writer || ses->want->per_report)
		refresh_want_contexts(ses);
	return lane;
}

static bool start_lane(struct lane *lane, struct err *err)
{
	return session_ticks_start(
		&lane->ticks, lane->session, lane->batch->loop, on_tick, lane, err);
}

static void on_signal(void *ctx, int signo)
{
	struct batch *b = ctx;

	if (signo != SIGUSR1) {
		b->signo = signo;
		stop(b);
		return;
	}
	for (int i = 0; i < b->n; i++)
		if (!b->lanes[i]->done)
			after_tick(b->lanes[i], b->lanes[i]->session,
				refresh_now(b->lanes[i]->session));
}

/* Returns the lane furthest behind of those that do not wait, or NULL when there is none. */
static struct lane *next_virtual(struct batch *b)
{
	struct lane *found = NULL;

	for (int i = 0; i < b->n; i++) {
		struct lane *lane = b->lanes[i];

		if (lane->done || !lane->session->clock.is_virtual)
			continue;
		if (!found ||
			clock_mono_ns(&lane->session->clock) <
				clock_mono_ns(&found->session->clock))
			found = lane;
	}
	return found;
}

/* --- devices that come and go --- */

/* What was asked for is the whole machine, as it is at any moment. */
static bool follows_machine(const struct options *o)
{
	return o->form == OUTPUT_NONE && (o->export || o->textfile) && options_of_all(o);
}

/* Opens what has come. What has left is told of no more, and comes back by itself. */
static void take_changes(struct batch *b)
{
	struct program *p = b->program;

	if (p->device_changes == b->changes)
		return;
	b->changes = p->device_changes;
	open_all_new(p);
	while (b->n < p->n_sessions && !b->done) {
		struct lane *lane = add_lane(b, p->sessions[b->n]);

		b->left++;
		if (!start_lane(lane, &b->err)) {
			b->failed = true;
			stop(b);
		}
	}
}

static void follow_devices(void *ctx, uint64_t missed)
{
	struct batch *b = ctx;
	struct program *p = b->program;

	(void)missed;
	device_changes_follow(p, clock_mono_ns(&p->sessions[0]->clock), false);
	take_changes(b);
}

static void on_told(void *ctx)
{
	struct batch *b = ctx;
	struct program *p = b->program;

	if (!follows_machine(p->opt))
		return;
	device_changes_told(p, clock_mono_ns(&p->sessions[0]->clock));
	take_changes(b);
}

/* Windows may be long, so that this has a tick of its own. */
static bool start_following(struct batch *b, struct err *err)
{
	struct program *p = b->program;
	bool follows = follows_machine(p->opt);

	b->changes = p->device_changes;
	b->listener = (struct device_listener){
		.program = p, .loop = b->loop, .told = on_told, .ctx = b, .fd = -1
	};
	if (follows || device_changes_have_card(p))
		device_changes_listen(&b->listener);
	return !follows || loop_set_tick(b->loop, FOLLOW_NS, follow_devices, b, err);
}

/* Runs all lanes. Devices that wait tick in the loop; meanwhile the others go from window to
 * window. */
static bool run(struct batch *b)
{
	struct lane *lane;

	for (int i = 0; i < b->n; i++)
		if (!b->lanes[i]->session->clock.is_virtual && !start_lane(b->lanes[i], &b->err))
			return false;
	while (!b->done && (lane = next_virtual(b))) {
		/* These have time to wait for who reads what they give. */
		bool waits = outlet_is_full(&b->output.outlet) ||
			export_is_full(b->program) || record_is_full(lane->session);

		if (!waits)
			after_tick(lane, lane->session, refresh_virtual_step(lane->session));
		if (!loop_once(b->loop, waits ? -1 : 0, &b->err))
			return false;
	}
	return b->done || loop_run(b->loop, &b->err);
}

/* Sets what the text form must know about its destination. */
static bool init_runs(struct batch *b)
{
	const char *asked = getenv("COLUMNS");
	int columns = FILE_COLUMNS, rows = FILE_ROWS;
	struct winsize size;
	uint64_t n;

	if (ioctl(b->output.fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		columns = size.ws_col;
		rows = size.ws_row;
	}
	if (asked && parse_u64_range(asked, 1, 10000, &n))
		columns = (int)n;
	for (int i = 0; i < b->n && b->n > 1 && b->writer == &text_writer; i++)
		if ((int)strlen(b->lanes[i]->session->opened.name) > b->name_width)
			b->name_width = (int)strlen(b->lanes[i]->session->opened.name);
	if (b->name_width)
		columns -= b->name_width + 1;
	if (columns < 1)
		columns = 1;
	for (int i = 0; i < b->n; i++) {
		const struct session *ses = b->lanes[i]->session;

		b->runs[i] = (struct writer_run){ .name = ses->opened.name,
			.several = b->n > 1,
			.device = &ses->dev->device,
			.set = ses->now->set,
			.rotation = ses->now->rotation,
			.how = ses->dev->sources[0]->feed.how,
			.per_report = ses->want->per_report,
			.lists_contexts = ses->want->lists_contexts,
			.maps = ses->now->snaps[0].maps,
			.n_maps = ses->now->snaps[0].n_maps,
			.columns = columns,
			.engine_classes = b->program->opt->gpu_top_classes,
			.units = b->program->opt->units,
			.rows = rows };
	}
	return columns_show(b->program, b->runs, b->n, &b->err);
}

/* NULL: only an export was asked for. */
static const struct writer *const writers[] = {
	[OUTPUT_NONE] = NULL,
	[OUTPUT_TEXT] = &text_writer,
	[OUTPUT_JSON] = &json_writer,
	[OUTPUT_CSV] = &csv_writer,
	[OUTPUT_GPU_TOP] = &gpu_top_writer,
};

static void release(struct batch *b)
{
	for (int i = 0; i < b->n; i++) {
		session_ticks_stop(&b->lanes[i]->ticks);
		if (b->lanes[i]->run)
			writer_run_release(b->lanes[i]->run);
		free(b->lanes[i]);
	}
	device_changes_stop_listening(&b->listener);
	free(b->lanes);
	free(b->runs);
	loop_free(b->loop);
	strbuf_release(&b->line);
	strbuf_release(&b->named);
}

/* A chosen context that never ran leaves an output without numbers, which has to be explained. */
static void say_not_run(const struct session *ses)
{
	struct err why = { .code = ERR_NONE };

	if (!ses->want->has_context || ses->contexts.watch.saw_chosen)
		return;
	context_watch_sentence(&ses->contexts.watch, ses->want->context, why.msg, sizeof(why.msg));
	err_hint(&why, "--context help says what each context does");
	session_print_err(&why);
}

/* Returns false when what was left could not be written, though somebody still reads. */
static bool end_stream(struct program *p, struct err *err)
{
	struct stream_out *stream = p->stream;
	struct err last = { 0 };

	p->stream = NULL;
	if (stream_out_close(stream, &last) || last.code == ERR_END)
		return true;
	*err = last;
	return false;
}

/* Returns whether each device was measured that somebody has named, and at least one of those that
 * -D all stands for. */
static bool all_measured(const struct program *p)
{
	int named_failed = 0, measured = 0;

	for (int i = 0; i < p->n_sessions; i++) {
		enum err_code failed = p->sessions[i]->got.failed[0];

		/* A live device has said why its primary source has failed for good. A recording that is
		 * cut has an end like any other; one that the disk does not give has none. */
		if (!failed || (failed != ERR_SYS && p->sessions[i]->dev->device.recorded))
			measured++;
		else if (!options_mean_all(p->sessions[i]->want))
			named_failed++;
	}
	return named_failed == 0 && measured > 0;
}

/* Notes what failed at the end. A reader that went away has seen enough here, too. */
static void note_close(struct batch *b, bool closed, const struct err *err)
{
	if (closed || err->code == ERR_NONE || err->code == ERR_END)
		return;
	b->failed = true;
	b->err = *err;
}

enum status batch_run(struct program *p, enum output_form form, int *signo)
{
	static const int signals[] = { ENDING_SIGNALS, SIGUSR1, 0 };
	struct batch b = { .program = p,
		.writer = writers[form],
		.left = p->n_sessions,
		.listener = { .fd = -1 },
		.output = { .fd = -1 } };
	struct err last = { 0 };
	bool good = false;

	b.loop = loop_new(signals, &b.err);
	if (!b.loop || !output_open(&b.output, p->opt->output, OUTPUT_TRUNCATE, &b.err))
		goto out;
	loop_on_signal(b.loop, on_signal, &b);
	output_live(&b.output, b.loop);
	export_start(p, b.loop);
	if (b.writer)
		b.runs = xcalloc((size_t)p->n_sessions, sizeof(*b.runs));
	for (int i = 0; i < p->n_sessions; i++)
		add_lane(&b, p->sessions[i]);
	if (b.writer) {
		if (!init_runs(&b))
			goto out;
		b.writer->begin(b.runs, b.n, &b.line);
		if (!b.output.has_old)
			flush_lines(&b);
	}
	for (int i = 0; i < p->n_sessions; i++)
		record_watch(p->sessions[i], b.loop);
	good = start_following(&b, &b.err) && run(&b);
	for (int i = 0; i < p->n_sessions; i++)
		record_watch(p->sessions[i], NULL);
	for (int i = 0; i < p->n_sessions; i++)
		if (!record_stop(p->sessions[i], &b.err))
			b.failed = true;
	output_live(&b.output, NULL);
	if (b.writer && b.writer->end && !b.lines_failed) {
		b.writer->end(&b.line);
		b.failed |= !output_write(&b.output, &b.line, &b.err) && b.err.code != ERR_END;
	}
	if (!end_stream(p, &b.err))
		b.failed = true;
out:
	note_close(&b, export_close(p, &last), &last);
	last = (struct err){ 0 };
	note_close(&b, output_close(&b.output, good && !b.failed, &last), &last);
	if ((!good || b.failed) && *b.err.msg)
		session_print_err(&b.err);
	for (int i = 0; i < p->n_sessions; i++)
		say_not_run(p->sessions[i]);
	release(&b);
	*signo = b.signo;
	if (good && !b.failed && all_measured(p))
		return STATUS_GOOD;
	return b.err.code == ERR_USAGE ? STATUS_USAGE : STATUS_FAILURE;
}
