/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the task, gives it a device where it needs one, and prints what it returns. */
#include "config.h"

#include "tasks.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/tell/tell.h"
#include "cmd/tell/bundle.h"
#include "cmd/check/check.h"
#include "session/devices/devices.h"
#include "cmd/diff/diff.h"
#include "session/window/record.h"
#include "session/window/stream_out.h"
#include "session/window/own_load.h"
#include "out/export/export.h"
#include "out/lines/output.h"
#include "cmd/run/run.h"
#include "screen/monitor.h"
#include "screen/script.h"
#include "cmd/load/load.h"
#include "cmd/sweep/sweep_options.h"
#include "backends/common/backend.h"
#include "backends/common/counter_family.h"
#include "base/ending.h"
#include "base/i18n.h"
#include "base/outlet.h"
#include "cmd/load/load_options.h"
#include "cmd/run/run_options.h"
#include "cmd/tell/tell_options.h"

/* Scripts start at 2026-11-21 14:03:22 UTC, so that what they print does not depend on when they
 * run. */
#define SCRIPT_START_NS (1795269802LL * NS_PER_S)

/* Letters are those of the user's locale. Everything else stays as it is in C, numbers too: each
 * category of a locale is a file that is opened and read. */
void run_set_locale(void)
{
	setlocale(LC_CTYPE, "");
}

void run_set_language(const struct options *opt)
{
	if (!options_want_screen(opt))
		return;
	/* Also the words of strerror(). The languages of LANGUAGE count in every locale but C
	 * itself. */
	const char *name = setlocale(LC_MESSAGES, ""), *wanted = getenv("LANGUAGE");
	if (!name || strncmp(name, "C.", 2) != 0 || (wanted && *wanted))
		i18n_open(LOCALEDIR);
	else
		setlocale(LC_MESSAGES, "C");
}

static bool use_ascii(const struct options *opt)
{
	return opt->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

static bool is_streamed(const struct session *ses)
{
	return ses->want->record && !strcmp(ses->want->record, "-");
}

/* Puts all devices that go to standard output into one stream. */
static bool start_stream(struct program *p, struct err *err)
{
	int n = 0;

	for (int i = 0; i < p->n_sessions; i++)
		n += is_streamed(p->sessions[i]);
	if (n == 0)
		return true;
	p->stream = stream_out_open("-", false, n, err);
	for (int i = 0; p->stream && i < p->n_sessions; i++)
		if (is_streamed(p->sessions[i]) && !record_into(p->sessions[i], p->stream, err))
			return false;
	return p->stream;
}

/* Starts all recordings. Where devices share the option, those without reports are left out with a
 * message, as long as one has reports. */
static bool start_recordings(struct program *p, struct err *err)
{
	int wanted = 0, started = 0;

	if (!start_stream(p, err))
		return false;
	for (int i = 0; i < p->n_sessions; i++) {
		struct session *ses = p->sessions[i];
		struct err why = { 0 };

		if (!ses->want->record || is_streamed(ses))
			continue;
		wanted++;
		if (record_start_named(ses, &why)) {
			started++;
			continue;
		}
		err_of_file(&why);
		*err = why;
		if (!ses->want->record_each || ses->dev->device.has_oa_reports)
			return false;
		session_problem(ses, &why);
	}
	return wanted == 0 || started > 0;
}

/* Ends what is recorded. A recording that was asked for and is not whole is a failure, whatever
 * else went well. */
static enum status end_recordings(struct program *p, enum status status)
{
	struct err err;

	for (int i = 0; i < p->n_sessions; i++) {
		err = (struct err){ 0 };
		if (!record_stop(p->sessions[i], &err))
			session_print_err(&err);
	}
	return status == STATUS_GOOD && p->recording_failed ? STATUS_FAILURE : status;
}

static enum status run_script(struct program *p, struct err *err)
{
	const struct open_all how = {
		.may_simulate = true, .may_repeat = true, .may_be_real = true
	};
	const char *name = p->opt->script;
	struct script script = { 0 };
	size_t len;
	bool good = false;
	char *text = file_read_all(name, 1 << 20, &len, err);

	session_virtual_clock(p->sessions[0], SCRIPT_START_NS);
	if (!text)
		err_of_file(err);
	good = text && script_parse(&script, name, text, err) && open_all(p, &how, err) &&
		start_recordings(p, err) && export_open(p, err) &&
		script_run(p, &script, name, use_ascii(p->opt), err) && export_close(p, err);
	script_release(&script);
	free(text);
	return end_recordings(p, good ? STATUS_GOOD : session_fail(err));
}

static enum status run_windows(
	struct program *p, enum output_form form, int *signo, struct err *err)
{
	bool screen = options_want_screen(p->opt), ascii = use_ascii(p->opt);
	const char *term = getenv("TERM");
	struct open_all how = { .may_simulate = screen && isatty(STDIN_FILENO),
		.may_repeat = screen,
		.may_hurry = !screen };

	for (int i = 0; i < p->opt->n_devices && screen; i++)
		if (p->opt->devices[i].speed_max) {
			err_set(err, ERR_USAGE,
				"--speed max does not wait and so needs -b, -J, -c or --script");
			return session_fail(err);
		}
	if (!open_all(p, &how, err))
		return session_fail(err);
	ending_hold();
	if (!start_recordings(p, err) || !export_open(p, err))
		return session_fail(err);
	/* The console of Linux has UTF-8, but its fonts lack braille and some blocks. */
	if (term && !strncmp(term, "linux", 5))
		ascii = true;
	if (screen)
		return end_recordings(p, monitor_run(p, ascii, signo));
	if (export_url(p))
		outlet_say("rooftop: %s\n", export_url(p));
	return batch_run(p, form, signo);
}

/* Prints the answer to -D NAME:help, where the backend of that name has help. */
static bool device_help(const struct options *opt, struct strbuf *out)
{
	const char *name = opt->devices[0].name, *colon = name ? strchr(name, ':') : NULL;

	if (!colon || strcmp(colon + 1, "help"))
		return false;
	const struct backend *b = backend_by_name(name, (size_t)(colon - name));
	if (!b || !b->help)
		return false;
	b->help(out);
	return true;
}

static enum status cl_help(struct session *ses)
{
	struct output file = { .fd = -1 };
	struct strbuf out = { 0 };
	struct err err = { 0 };
	bool good = output_open(&file, ses->opt->output, OUTPUT_TRUNCATE, &err) &&
		own_load_list_devices(ses, &out, &err) && output_write(&file, &out, &err);

	good = output_close(&file, good, &err);
	strbuf_release(&out);
	return good || err.code == ERR_END ? STATUS_GOOD : session_fail(&err);
}

/* The report goes into the bundle, and the list of its files to standard output. */
static enum status pack(struct program *p, struct strbuf *out)
{
	struct bundle b = { .n = 0 };
	struct err err = { 0 };
	enum status status;

	bundle_begin(&b);
	if (devices_probe(p, &err)) {
		doctor(p->sessions[0], out);
		status = bundle_cmd(p->sessions[0], &b, out);
	} else {
		status = session_fail(&err);
	}
	bundle_release(&b);
	return status;
}

static int run_task(struct program *p, enum output_form form, struct strbuf *out, int *signo)
{
	struct session *ses = p->sessions[0];
	struct err err = { 0 };

	/* --cl-device help works with every command that puts a load on a device. */
	if (p->opt->load->cl_device && !strcmp(p->opt->load->cl_device, "help"))
		return cl_help(ses);
	/* A bundle begins before anything is read. */
	if (p->opt->tell->bundle)
		return pack(p, out);
	if (!devices_probe(p, &err))
		return session_fail(&err);
	switch (p->opt->task) {
	case TASK_LIST_DEVICES: return list_devices(ses, out);
	case TASK_LIST_SETS: return list_sets(ses, out);
	case TASK_METRICS: return metrics_cmd(ses, out);
	case TASK_EXPLAIN: return explain_cmd(ses, out);
	case TASK_DOCTOR: return doctor(ses, out);
	case TASK_COMMAND:
		if (p->opt->run->task_alone)
			return run_task_cmd(ses, p->opt->form, signo);
		return run_cmd(ses, p->opt->form, NULL, signo);
	case TASK_DIFF: return diff_cmd(ses, form);
	case TASK_LIST_EVENTS: return list_events(ses, out);
	case TASK_ROOFLINE: return roofline_cmd(ses, form);
	case TASK_EXPLAIN_LIMIT: return explain_limit_cmd(ses, form);
	case TASK_SWEEP: return sweep_cmd(ses, form, signo);
	case TASK_CHECK: return check_cmd(ses, form, signo);
	case TASK_CALIBRATE: return calibrate_cmd(ses, form, signo);
	case TASK_STRESS:
		if (p->opt->n_devices > 1)
			return stress_pair_cmd(ses, form, signo);
		return stress_cmd(ses, form, signo);
	case TASK_SCRIPT: return run_script(p, &err);
	default: return run_windows(p, form, signo, &err);
	}
}

static void version(struct strbuf *out)
{
	strbuf_add(out, "rooftop " PACKAGE_VERSION);
	if (*rooftop_commit)
		strbuf_addf(out, " (commit %s)", rooftop_commit);
	strbuf_addf(out, "\n%s\nReports and bundles go to %s.\n",
		"Licence GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>. "
		"There is NO WARRANTY.",
		CONTACT);
}

int run(const struct options *opt, int *signo)
{
	enum output_form form = opt->form;
	struct strbuf out = { 0 };
	struct program program;
	struct err err = { 0 };
	int status = STATUS_GOOD;

	/* An endpoint or a trace is enough output. */
	if (opt->task == TASK_RUN && form == OUTPUT_NONE && !options_on_terminal() &&
		!options_export(opt) && !options_stream(opt))
		form = OUTPUT_TEXT;
	if (opt->task == TASK_HELP) {
		if (!options_help(opt, &out, &err))
			status = session_fail(&err);
	} else if (opt->task == TASK_ANSWER) {
		strbuf_add(&out, strbuf_str(&opt->answer));
	} else if (opt->task == TASK_VERSION) {
		version(&out);
	} else if (opt->task == TASK_LIST_EVENTS && !options_name_device(opt)) {
		for (const struct counter_family *const *f = counter_families; *f; f++)
			(*f)->list_events(NULL, NULL, &out);
	} else if (!device_help(opt, &out)) {
		program_init(&program, opt, opt->task == TASK_RUN && options_want_screen(opt));
		status = run_task(&program, form, &out, signo);
		/* The export's socket and file are removed, however the run ended. */
		export_close(&program, NULL);
		program_release(&program);
	}
	if (out.len &&
		(fwrite(strbuf_str(&out), 1, out.len, stdout) != out.len || fflush(stdout) != 0) &&
		errno != EPIPE) {
		outlet_say("rooftop: cannot write to standard output: %s\n", strerror(errno));
		status = STATUS_FAILURE;
	}
	strbuf_release(&out);
	return status;
}
