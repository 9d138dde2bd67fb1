/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks from the machine through the devices to the program's own parts, with one line for each. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <grp.h>
#include <langinfo.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/program.h"
#include "session/devices/devices.h"
#include "session/window/sets.h"
#include "backends/power/energy.h"
#include "backends/common/backend.h"
#include "base/format.h"
#include "base/hint.h"
#include "base/mem.h"
#include "base/rights.h"

/* What a check found: good; good for this user's own processes; not allowed or broken; not there;
 * or nothing was checked. */
enum result { RESULT_OK, RESULT_OWN, RESULT_NO, RESULT_NONE, RESULT_INFO };

static const char *const result_words[] = { "ok", "own", "NO", "--", "" };

#define NAME_COLUMNS 20
#define TEXT_COLUMN (2 + NAME_COLUMNS + 5)

struct report {
	struct strbuf *out;
	bool tap;
	int points;
	int sources, usable;	/* of devices of this machine, its processor too */
	int failed;		/* checks of the program itself, and of counters it can read */
};

/* Adds a line for each way out of a hint. */
static void add_hint(struct strbuf *out, const char *hint)
{
	struct way_out way;
	char whom[100];

	while (hint_next(&hint, &way)) {
		strbuf_addf(out, "%*s", TEXT_COLUMN, "");
		if (way.whom_len) {
			snprintf(whom, sizeof(whom), "%.*s", way.mark_len, way.whom);
			format_padded(out, whom, 19);
			strbuf_addc(out, ' ');
		}
		strbuf_addf(out, "%.*s\n", way.text_len, way.text);
	}
}

/* Adds one line: what was checked, the result, the reason and the ways out. */
static void row(struct report *r, const char *what, enum result result, const char *reason,
	const char *hint)
{
	if (r->tap) {
		/* In TAP, what the machine lacks is skipped, and a failure of the program is not
		 * ok. */
		if (result == RESULT_INFO) {
			strbuf_addf(r->out, "# %s: %s\n", what, reason);
		} else if (result == RESULT_NO) {
			strbuf_addf(r->out, "not ok %d - %s\n# %s\n", ++r->points, what, reason);
		} else {
			strbuf_addf(r->out, "ok %d - %s", ++r->points, what);
			if (result == RESULT_NONE)
				strbuf_addf(r->out, " # SKIP %s", reason);
			strbuf_addc(r->out, '\n');
		}
		return;
	}
	strbuf_add(r->out, "  ");
	format_padded(r->out, what, NAME_COLUMNS);
	strbuf_addf(r->out, " %-3s %s\n", result_words[result], reason);
	if (hint)
		add_hint(r->out, hint);
}

static void title(struct report *r, const char *text)
{
	strbuf_addf(r->out, "%s%s\n", r->tap ? "# " : "", text);
}

__attribute__((format(printf, 3, 4)))
static void info(struct report *r, const char *what, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	row(r, what, RESULT_INFO, buf, NULL);
}

/* What they mean stands in Documentation/admin-guide/sysctl/kernel.rst and at the backends. */
static void add_setting(struct strbuf *out, const struct fsroot *fs, const char *name)
{
	char path[80], value[64];

	snprintf(path, sizeof(path), "/proc/sys/%s", name);
	for (char *dot = path; *dot; dot++)
		if (*dot == '.')
			*dot = '/';
	if (!fsroot_read_line(fs, path, value, sizeof(value), NULL))
		snprintf(value, sizeof(value), "--");
	strbuf_addf(out, "  %s %s", name, value);
}

/* Adds the first two lines of a bug report. */
static void check_machine(struct report *r, const struct session *ses)
{
	struct passwd *pw = getpwuid(geteuid());
	struct strbuf line = { 0 }, groups = { 0 };
	char caps[160], number[16];
	const char *caps_shown = caps;
	gid_t ids[256];
	int n = getgroups((int)ARRAY_LEN(ids), ids);
	struct rights rights;

	rights_read(&rights, &ses->program->fs);
	rights_names(&rights, caps, sizeof(caps));
	if (!rights.caps_known)
		caps_shown = "--";
	else if (!*caps)
		caps_shown = "none";
	for (int i = 0; i < n; i++) {
		struct group *g = getgrgid(ids[i]);

		snprintf(number, sizeof(number), "%u", (unsigned)ids[i]);
		strbuf_add_word(&groups, ",", g ? g->gr_name : number);
	}
	if (groups.len == 0)
		strbuf_add(&groups, "none");
	strbuf_addf(&line, "rooftop %s  %s %s", PACKAGE_VERSION, "Linux",
		text_or(rights.kernel, "--"));
	if (rights.distribution[0])
		strbuf_addf(&line, " (%s)", rights.distribution);
	strbuf_addf(&line, "  %s %s  %s %s", "user", pw ? pw->pw_name : "?", "groups",
		strbuf_str(&groups));
	strbuf_addf(&line, "  %s %s  %s %s", "capabilities", caps_shown, "container",
		text_or(rights.container, "no"));
	title(r, strbuf_str(&line));
	strbuf_clear(&line);
	strbuf_add(&line, "settings");
	for (const struct backend *const *b = backend_registry; *b; b++)
		for (const char *const *name = (*b)->settings; name && *name; name++)
			add_setting(&line, &ses->program->fs, *name);
	add_setting(&line, &ses->program->fs, "kernel.perf_event_paranoid");
	strbuf_addf(&line, "  lockdown %s", text_or(rights.lockdown, "--"));
	title(r, strbuf_str(&line));
	strbuf_release(&groups);
	strbuf_release(&line);
}

/* --- devices --- */

/* "card0  pci:0000:00:02.0  8086:5916  Intel HD Graphics 620  i915  gen9.5 GT2  1 slice(s), ...
 * 300-1050 MHz" */
static void device_line(struct report *r, const struct device *d)
{
	struct strbuf b = { 0 };
	char words[320];

	strbuf_add(&b, d->id);
	if (d->pci_address[0])
		strbuf_addf(&b, "  pci:%s", d->pci_address);
	if (d->pci_vendor)
		strbuf_addf(&b, "  %04x:%04x", d->pci_vendor, d->pci_device);
	strbuf_addf(&b, "  %s  %s", d->name, text_or(d->driver, "--"));
	if (d->generation[0])
		strbuf_addf(&b, "  %s", d->generation);
	if (d->gt[0])
		strbuf_addf(&b, " %s", d->gt);
	if (d->topology.eus)
		strbuf_addf(&b, "  slices %d, subslices %d, EU %d", d->topology.slices,
			d->topology.subslices, d->topology.eus);
	if (d->max_hz)
		strbuf_addf(&b, "  %llu-%llu MHz", (unsigned long long)(d->min_hz / 1000000),
			(unsigned long long)(d->max_hz / 1000000));
	device_tell_words(d, words, sizeof(words));
	if (words[0])
		strbuf_addf(&b, "  %s", words);
	title(r, strbuf_str(&b));
	strbuf_release(&b);
}

/* Makes the name of a row. In TAP each line names its device; in text a line above does. */
static void name_row(const struct report *r, const char *id, const char *name, char *buf, size_t size)
{
	if (r->tap)
		snprintf(buf, size, "%s %s", id, name);
	else
		snprintf(buf, size, "%s", name);
}

/* Adds a row for a source of a device. */
static void source_row(struct report *r, const char *id, const char *name, enum result result,
	const char *reason, const char *hint)
{
	char what[160];

	name_row(r, id, name, what, sizeof(what));
	r->sources++;
	if (result == RESULT_OK || result == RESULT_OWN)
		r->usable++;
	/* It is no failure of the program when the user lacks permission. */
	if (r->tap && result == RESULT_NO)
		result = RESULT_NONE;
	row(r, what, result, reason, hint);
}

static void clients_row(struct report *r, struct session *ses)
{
	struct client_source *clients = ses->dev->clients;
	struct client_table t = { .why = WHY_NOT_YET };

	if (!clients)
		return;
	clients->ops->scan(clients, clock_mono_ns(&ses->clock), &t);
	if (t.why == WHY_OK)
		info(r, "clients", "seen %zu, processes of other users that are hidden %d",
			t.n_rows, t.hidden);
	free(t.rows);
}

/* Adds the row of the counters. When this process can read them, they are compared with what they
 * must count. */
static void oa_row(struct report *r, struct session *ses, int index, const char *id)
{
	static const enum result results[] = {
		[SELFTEST_GOOD] = RESULT_OK,
		[SELFTEST_FAILED] = RESULT_NO,
		[SELFTEST_NOT_TRIED] = RESULT_NONE,
	};
	struct err err = { 0 };
	char what[160], reason[320] = "";
	enum selftest_result result = selftest_device(ses, index, reason, sizeof(reason), &err);

	name_row(r, id, "OA self-test", what, sizeof(what));
	r->failed += result == SELFTEST_FAILED;
	row(r, what, results[result], text_or(reason, err.msg), err.hint);
}

/* Adds the row of a check. PAPI's is asked whether it is true. */
static void check_row(struct report *r, struct session *ses, const char *id,
	const struct device_check *c)
{
	const char *reason = c->reason, *hint = c->hint;
	enum result result = RESULT_OK;
	struct err err = { 0 };

	while (result < RESULT_NONE && strcmp(c->status, result_words[result]))
		result++;
	if (result == RESULT_OK)
		reason = c->gives;
	if (result == RESULT_OK && !strcmp(c->source, energy_papi.how) &&
		!energy_papi_ask(&ses->program->fs, &err)) {
		result = RESULT_NO;
		reason = err.msg;
		hint = err.hint;
	}
	source_row(r, id, c->source, result, reason, hint);
}

/* Opens a device of this machine and reports what each of its sources gave. */
static enum err_code try_device(struct report *r, struct session *ses, int index)
{
	const struct device_entry *e = &ses->program->devices.entries[index];
	enum err_code code = ERR_NONE;
	struct err err = { 0 };

	if (!devices_open(ses, index, NULL, &err)) {
		device_line(r, &e->device);
		source_row(r, e->device.id, "counters",
			err.code == ERR_UNSUPPORTED ? RESULT_NONE : RESULT_NO, err.msg, err.hint);
		return err.code;
	}
	device_line(r, &ses->dev->device);
	for (int i = 0; i < ses->dev->n_checks; i++)
		check_row(r, ses, e->device.id, &ses->dev->checks[i]);
	clients_row(r, ses);
	/* The hardware counters are a device's first check; here they are refused for lack of
	 * permission. */
	if (ses->dev->n_checks > 0 && ses->dev->checks[0].no_permission)
		code = ERR_PERMISSION;
	bool has_reports = ses->dev->sources[0]->ops->correlate;
	devices_close(ses);
	if (has_reports)
		oa_row(r, ses, index, e->device.id);
	return code;
}

static enum err_code check_device(struct report *r, struct session *ses, int index)
{
	const struct device_entry *e = &ses->program->devices.entries[index];

	if (!e->usable) {
		device_line(r, &e->device);
		source_row(r, e->device.id, "counters", RESULT_NONE, e->refusal.msg,
			e->refusal.hint);
		return e->refusal.code;
	}
	ses->program->print_problems = false;
	enum err_code code = try_device(r, ses, index);
	ses->program->print_problems = true;
	return code;
}

/* Checks all devices. Returns the exit status as far as they decide it. */
static enum status check_devices(struct report *r, struct session *ses)
{
	enum status status = STATUS_NO_DEVICE;
	struct err why = { 0 };
	int real = 0;

	for (size_t i = 0; i < ses->program->devices.count; i++) {
		if (ses->program->devices.entries[i].backend->never_by_default)
			continue;
		real++;
		enum err_code code = check_device(r, ses, (int)i);
		if (code == ERR_NONE)
			status = STATUS_GOOD;
		else if (status != STATUS_GOOD && code == ERR_PERMISSION)
			status = STATUS_NO_PERMISSION;
	}
	if (!real) {
		title(r, "devices");
		if (pci_display_find(&ses->program->fs, &why))
			row(r, "GPU", RESULT_NONE, why.msg, why.hint);
		else
			row(r, "GPU", RESULT_NONE, why.msg,
				"-r FILE plays a recording, -D sim:hd620 simulates a device");
	}
	return status;
}

/* --- the program itself --- */

static void check(struct report *r, const char *what, bool good, const char *reason)
{
	row(r, what, good ? RESULT_OK : RESULT_NO, reason, NULL);
	r->failed += !good;
}

/* What is built in is read whole when it is built (tests/unit/data/metric_files.c); the user's own
 * files are read whole here. */
static void check_metrics(struct report *r, struct session *ses)
{
	char reason[400];

	title(r, "program");
	ses->program->print_problems = false;
	sets_load(ses, NULL);
	ses->program->print_problems = true;
	snprintf(reason, sizeof(reason), "sets %d, problems %d", ses->sets.lib.n_sets,
		ses->sets.n_problems);
	check(r, "metric files", ses->sets.n_problems == 0 && ses->sets.lib.n_sets > 0, reason);
	for (int i = 0; i < log_count(&ses->log); i++)
		info(r, "", "%s", log_get(&ses->log, i)->text);
}

static void check_self(struct report *r, const struct session *ses)
{
	static const struct {
		const char *name;
		bool (*fn)(const struct options *opt, char *what, size_t size, struct err *err);
	} tests[] = {
		{ "simulated device", selftest_model },
		{ "OA self-test", selftest_oa },
		{ "recordings", selftest_recording },
	};

	for (size_t i = 0; i < ARRAY_LEN(tests); i++) {
		struct err err = { 0 };
		char reason[400] = "";
		bool good = tests[i].fn(ses->opt, reason, sizeof(reason), &err);

		/* A file in memory has its name in /proc, which a bare root lacks: no fault. */
		if (!good && err.code == ERR_UNSUPPORTED)
			row(r, tests[i].name, RESULT_NONE, err.msg, NULL);
		else
			check(r, tests[i].name, good, good ? reason : err.msg);
	}
}

/* What a build may go without, by the libraries that it found. */
static const struct {
	const char *library, *gives;
	bool built_in;
} parts[] = {
	{ "libdrm", "counters of i915 and xe",
#ifdef HAVE_LIBDRM
		true
#else
		false
#endif
	},
	{ "libpciaccess", "counters by registers (--access mmio)",
#ifdef HAVE_PCIACCESS
		true
#else
		false
#endif
	},
	{ "PAPI", "energy through PAPI (--power papi)",
#ifdef HAVE_PAPI
		true
#else
		false
#endif
	},
	{ "OpenCL", "stress kernels of real devices, unless rooftop-worker is installed",
#ifdef HAVE_OPENCL
		true
#else
		false
#endif
	},
};

/* Names what is not in this program. Without it nothing is said. */
static void check_parts(struct report *r)
{
	char what[64], reason[200];

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (parts[i].built_in)
			continue;
		snprintf(what, sizeof(what), "without %s", parts[i].library);
		snprintf(reason, sizeof(reason), "not in this program: %s", parts[i].gives);
		row(r, what, RESULT_NONE, reason, NULL);
	}
}

static void check_terminal(struct report *r)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	const char *colours = "as the terminal has them", *out = "a terminal", *drawn = "";

	if (!term || !*term)
		term = "not set: the screen cannot be used, -b can";
	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		drawn = " (only ASCII is drawn)";
	if (no_color && *no_color)
		colours = "off by NO_COLOR";
	if (!isatty(STDOUT_FILENO))
		out = "no terminal: rooftop without options acts as -b";
	title(r, "terminal");
	info(r, "TERM", "%s", term);
	info(r, "character set", "%s%s", nl_langinfo(CODESET), drawn);
	info(r, "colours", "%s", colours);
	info(r, "standard output", "%s", out);
}

enum status doctor(struct session *ses, struct strbuf *out)
{
	struct report r = { .out = out, .tap = ses->opt->tap }, gpus;
	const char *sentence =
		"no GPU of this machine can be read; recordings and simulated devices can";

	if (r.tap)
		strbuf_add(out, "TAP version 13\n");
	check_machine(&r, ses);
	enum status status = check_devices(&r, ses);
	/* The processor has its lines, but it is no GPU, so it is counted by itself and decides
	 * nothing. */
	gpus = r;
	for (size_t i = 0; i < ses->program->devices.count; i++) {
		if (ses->program->devices.entries[i].backend == &cpu_backend)
			check_device(&r, ses, (int)i);
	}
	check_metrics(&r, ses);
	check_self(&r, ses);
	check_parts(&r);
	check_terminal(&r);
	if (r.failed)
		status = STATUS_CHECK;
	if (r.tap) {
		strbuf_addf(out, "1..%d\n", r.points);
		return status;
	}
	if (status == STATUS_CHECK)
		sentence = "a check failed";
	else if (status == STATUS_GOOD)
		sentence = "a device of this machine can be read";
	else if (status == STATUS_NO_PERMISSION)
		sentence = "there is a device, but no permission to read its counters";
	strbuf_addf(out,
		"result: GPUs %d of %d, processor %d of %d sources usable; %s.  exit status %d",
		gpus.usable, gpus.sources, r.usable - gpus.usable, r.sources - gpus.sources,
		sentence, (int)status);
	strbuf_addc(out, '\n');
	return status;
}
