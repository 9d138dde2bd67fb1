/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks from the machine through the devices to the program's own parts, one line each. */
#include "config.h"

#include "app/doctor.h"

#include <errno.h>
#include <grp.h>
#include <langinfo.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "app/devices.h"
#include "app/selftest.h"
#include "app/sets.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

enum result { RESULT_OK, RESULT_NO, RESULT_NONE, RESULT_INFO };

struct report {
	struct strbuf *out;
	bool tap;
	int points;
	int failed;	/* checks of the program itself */
};

/* One line: what, its state, why, and the way out. In TAP what the machine lacks is skipped, and what the program fails at is
 * not ok. */
static void row(struct report *r, const char *what, enum result result, const char *reason, const char *hint)
{
	static const char *const words[] = { "ok", "NO", "--", "" };

	if (!r->tap) {
		strbuf_addf(r->out, "  %-24s %-3s %s\n", what, words[result], reason);
		if (hint && *hint)
			strbuf_addf(r->out, "  %-28s %s\n", "", hint);
		return;
	}
	if (result == RESULT_INFO) {
		strbuf_addf(r->out, "# %s: %s\n", what, reason);
		return;
	}
	strbuf_addf(r->out, "%s %d - %s%s%s\n", result == RESULT_NO ? "not ok" : "ok", ++r->points, what,
		result == RESULT_NONE ? " # SKIP " : "", result == RESULT_NONE ? reason : "");
	if (result == RESULT_NO)
		strbuf_addf(r->out, "# %s\n", reason);
}

static void title(struct report *r, const char *text)
{
	if (!r->tap)
		strbuf_addf(r->out, "%s\n", text);
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

/* The effective capabilities that matter here. Bit numbers: linux/capability.h. */
static void capabilities(char *buf, size_t size)
{
	static const struct { int bit; const char *name; } caps[] = {
		{ 38, "perfmon" }, { 21, "sys_admin" }, { 19, "sys_ptrace" }, { 17, "sys_rawio" }, { 1, "dac_override" },
	};
	struct strbuf b = { 0 };
	char line[256];
	uint64_t mask = 0;
	FILE *f = fopen("/proc/self/status", "re");

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "CapEff:\t", 8) && !parse_hex(line + 8, &mask))
			mask = 0;
	}
	if (f)
		fclose(f);
	for (size_t i = 0; i < ARRAY_LEN(caps); i++) {
		if (mask >> caps[i].bit & 1)
			strbuf_addf(&b, "%s%s", b.len ? " " : "", caps[i].name);
	}
	snprintf(buf, size, "%s", b.len ? strbuf_str(&b) : _("none"));
	strbuf_release(&b);
}

static void groups(char *buf, size_t size)
{
	gid_t ids[256];
	int n = getgroups((int)ARRAY_LEN(ids), ids);
	struct strbuf b = { 0 };

	for (int i = 0; i < n; i++) {
		struct group *g = getgrgid(ids[i]);

		if (g)
			strbuf_addf(&b, "%s%s", b.len ? " " : "", g->gr_name);
		else
			strbuf_addf(&b, "%s%u", b.len ? " " : "", (unsigned)ids[i]);
	}
	snprintf(buf, size, "%s", b.len ? strbuf_str(&b) : _("none"));
	strbuf_release(&b);
}

/* A hint only: what the usual container programs leave behind. */
static const char *container(const struct fsroot *fs)
{
	const char *name = getenv("container");

	if (fsroot_exists(fs, "/.dockerenv"))
		return "docker";
	if (fsroot_exists(fs, "/run/.containerenv"))
		return "podman";
	return name && *name ? name : _("no sign of one");
}

static void check_machine(struct report *r, const struct app *a)
{
	struct passwd *pw = getpwuid(geteuid());
	struct utsname u;
	char buf[512];

	title(r, _("machine"));
	info(r, "rooftop", "%s", PACKAGE_VERSION);
	if (uname(&u) == 0)
		info(r, _("kernel"), "%s %s %s", u.sysname, u.release, u.machine);
	info(r, _("user"), "%s (%u)", pw ? pw->pw_name : "?", (unsigned)geteuid());
	groups(buf, sizeof(buf));
	info(r, _("groups"), "%s", buf);
	capabilities(buf, sizeof(buf));
	info(r, _("capabilities"), "%s", buf);
	info(r, _("container"), "%s", container(&a->fs));
}

/* Kernel settings that decide who may read counters; meaning: Documentation/admin-guide/sysctl/kernel.rst, i915_perf.c. */
static void check_kernel(struct report *r, const struct app *a)
{
	static const struct { const char *name, *path, *hint; } settings[] = {
		{ "i915 perf", "/proc/sys/dev/i915/perf_stream_paranoid",
			N_("dev.i915.perf_stream_paranoid: 0 lets every user read OA counters, 1 only CAP_PERFMON") },
		{ "xe observation", "/proc/sys/dev/xe/observation_paranoid",
			N_("dev.xe.observation_paranoid: 0 lets every user read OA counters, 1 only CAP_PERFMON") },
		{ "perf events", "/proc/sys/kernel/perf_event_paranoid",
			N_("kernel.perf_event_paranoid: above 0 machine-wide events need CAP_PERFMON, above 2 CAP_SYS_ADMIN") },
	};
	char line[64];

	title(r, _("kernel settings"));
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		if (!fsroot_exists(&a->fs, settings[i].path))
			info(r, settings[i].name, _("absent (%s)"), settings[i].path);
		else if (fsroot_read_line(&a->fs, settings[i].path, line, sizeof(line), NULL))
			info(r, settings[i].name, "%s  (%s)", line, _(settings[i].hint));
		else
			info(r, settings[i].name, _("cannot be read (%s)"), settings[i].path);
	}
}

/* Opens a device of this machine and tells what each of its sources gave; what it may not read is no failure of the program. */
static enum err_code try_device(struct report *r, struct app *a, int index, const char *what)
{
	const char *id = a->devices.entries[index].device.id;
	struct err err = { 0 };
	char name[140];

	a->print_problems = false;
	if (!devices_open(a, index, NULL, &err)) {
		row(r, id, RESULT_NONE, err.msg, err.hint);
		a->print_problems = true;
		return err.code;
	}
	row(r, id, RESULT_OK, what, NULL);
	for (int i = 0; i < a->dev->n_checks; i++) {
		const struct device_check *c = &a->dev->checks[i];
		bool good = !strcmp(c->status, "ok");

		snprintf(name, sizeof(name), "%s %s", id, c->source);
		row(r, name, good ? RESULT_OK : RESULT_NONE, good ? c->gives : c->reason, c->hint);
	}
	devices_close(a);
	a->print_problems = true;
	return ERR_NONE;
}

/* Returns the exit status as far as devices decide it. */
static enum status check_devices(struct report *r, struct app *a)
{
	enum status status = STATUS_NO_DEVICE;
	struct device_summary d;
	enum err_code code;
	char what[240];
	int real = 0;

	title(r, _("devices"));
	for (size_t i = 0; i < a->devices.count; i++) {
		const struct device_entry *e = &a->devices.entries[i];

		devices_summary(a, (int)i, &d);
		snprintf(what, sizeof(what), "%s", d.id);
		if (!d.usable)
			row(r, what, RESULT_NONE, d.reason, d.hint);
		else if (e->backend->never_by_default)
			row(r, what, RESULT_OK, d.what, NULL);
		if (e->backend->never_by_default)
			continue;
		real++;
		code = d.usable ? try_device(r, a, (int)i, d.what) : e->refusal.code;
		if (code == ERR_NONE)
			status = STATUS_GOOD;
		else if (status != STATUS_GOOD && code == ERR_PERMISSION)
			status = STATUS_NO_RIGHT;
	}
	if (!real)
		row(r, _("GPU"), RESULT_NONE, _("none was found on this machine"),
			_("-r FILE plays a recording, -D sim:hd620 simulates a device"));
	return status;
}

static void check(struct report *r, const char *what, bool good, const char *reason)
{
	row(r, what, good ? RESULT_OK : RESULT_NO, reason, NULL);
	r->failed += !good;
}

static void check_metrics(struct report *r, struct app *a)
{
	char reason[400];
	int metrics = 0;

	title(r, _("program"));
	a->print_problems = false;
	a->n_problems = 0;
	sets_load(a, NULL);
	a->print_problems = true;
	for (int i = 0; i < a->lib.n_sets; i++)
		metrics += a->lib.sets[i]->n_metrics;
	snprintf(reason, sizeof(reason), _("sets %d, metrics %d, problems %d"), a->lib.n_sets, metrics, a->n_problems);
	check(r, _("metric files"), a->n_problems == 0 && metrics > 0, reason);
	for (int i = 0; i < log_count(&a->log); i++)
		info(r, "", "%s", log_get(&a->log, i)->text);
}

static void check_self(struct report *r, const struct app *a)
{
	struct err err = { 0 };
	char reason[400] = "";
	bool good = selftest_model(a->opt, reason, sizeof(reason), &err);

	check(r, _("simulated device"), good, good ? reason : err.msg);
	err_clear(&err);
	good = selftest_oa(a->opt, reason, sizeof(reason), &err);
	check(r, _("OA self-test"), good, good ? reason : err.msg);
	err_clear(&err);
	good = selftest_recording(a->opt, reason, sizeof(reason), &err);
	check(r, _("recordings"), good, good ? reason : err.msg);
}

static void check_terminal(struct report *r)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");

	title(r, _("terminal"));
	info(r, "TERM", "%s", term && *term ? term : _("not set: the screen cannot be used, -b can"));
	info(r, _("character set"), "%s%s", nl_langinfo(CODESET), utf8 ? "" : _(" (only ASCII is drawn)"));
	info(r, _("colours"), "%s", no_color && *no_color ? _("off by NO_COLOR") : _("as the terminal has them"));
	info(r, _("standard output"), "%s",
		isatty(STDOUT_FILENO) ? _("a terminal") : _("no terminal: rooftop without options acts as -b"));
}

enum status doctor(struct app *a, struct strbuf *out)
{
	struct report r = { .out = out, .tap = a->opt->tap };
	enum status status;

	if (r.tap)
		strbuf_add(out, "TAP version 13\n");
	check_machine(&r, a);
	check_kernel(&r, a);
	status = check_devices(&r, a);
	check_metrics(&r, a);
	check_self(&r, a);
	check_terminal(&r);
	if (r.tap)
		strbuf_addf(out, "1..%d\n", r.points);
	else
		strbuf_addf(out, "%s\n", r.failed ? _("result: a check of the program failed") :
			status == STATUS_GOOD ? _("result: a device of this machine can be read") :
			status == STATUS_NO_RIGHT ? _("result: there is a device, but no right to its counters") :
			_("result: no device of this machine can be read; recordings and simulated devices can"));
	return r.failed ? STATUS_CHECK : status;
}
