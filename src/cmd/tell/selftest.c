/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs checks as programs of their own, with virtual clocks. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/program.h"
#include "out/lines/writer.h"
#include "session/devices/devices.h"
#include "session/window/refresh.h"
#include "base/mem.h"

#define OA_SET "TestOa"
#define DEVICE "sim:hd620"
/* A report holds counters of one moment. Registers are read one after the other, some microseconds
 * apart in a window of 0.1 s. */
#define REPORT_TOLERANCE_PCT 1e-4
#define POLLED_TOLERANCE_PCT 0.1
#define MAX_TICKS 20
#define WINDOWS 4
#define SERIES_MAX (WINDOWS + 2)
/* A window is as long as the unseen one at the start, so that windows of a device and of its
 * recording coincide. */
#define WINDOW_NS (100 * NS_PER_MS)

/* Values of consecutive windows. */
struct series {
	int n_metrics, n;
	bool simulated;
	char set[64];
	double *v[SERIES_MAX];
	double oa[8];		/* B0 to B7 per clock, NAN where the set has none */
	double oa_roofs[8];
};

static void series_release(struct series *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->v[i]);
	s->n = 0;
}

static void keep(struct series *s, const struct session *ses)
{
	const struct snapshot *snap = refresh_snapshot(ses);
	double *v = xcalloc((size_t)ses->now->set->n_metrics, sizeof(*v));

	for (int i = 0; i < ses->now->set->n_metrics; i++)
		v[i] = writer_number(snap->values[i]);
	s->n_metrics = ses->now->set->n_metrics;
	s->simulated = ses->dev->device.simulated;
	snprintf(s->set, sizeof(s->set), "%s", ses->now->set->name);
	s->v[s->n++] = v;
	for (int i = 0; i < 8; i++) {
		char name[32];

		snprintf(name, sizeof(name), "b%d_per_clock", i);
		int metric = metric_set_index(ses->now->set, name);
		s->oa[i] = NAN;
		s->oa_roofs[i] = 0;
		if (metric < 0)
			continue;
		s->oa[i] = v[metric];
		if (snap->ceilings[metric].why == WHY_OK)
			s->oa_roofs[i] = snap->ceilings[metric].v;
	}
}

/* Opens a device and keeps up to n windows of it. */
static bool run(const struct options *opt, struct device_options *want, int n, struct series *s,
	struct err *err)
{
	const struct options o = {
		.delay_ns = WINDOW_NS, .fsroot = opt->fsroot, .devices = want, .n_devices = 1
	};
	struct program p;
	bool good = false;
	int index;

	program_init(&p, &o, false);
	p.print_problems = false;
	struct session *ses = p.sessions[0];
	session_virtual_clock(ses, NS_PER_S);
	if (!devices_probe(&p, err) || !devices_choose(ses, false, &index, err) ||
		!devices_open(ses, index, NULL, err))
		goto out;
	if (want->record && !record_start(ses, want->record, true, err))
		goto out;
	for (int tick = 0; tick < 4 * SERIES_MAX && s->n < n && !ses->play.ended; tick++) {
		if (refresh_virtual_step(ses))
			keep(s, ses);
		if (!record_service(ses, err))
			goto out;
	}
	good = record_stop(ses, err);
out:
	program_release(&p);
	return good;
}

static int numbers(const struct series *s)
{
	int n = 0;

	for (int i = 0; s->n > 0 && i < s->n_metrics; i++)
		if (isfinite(s->v[s->n - 1][i]))
			n++;
	return n;
}

bool selftest_model(const struct options *opt, char *what, size_t size, struct err *err)
{
	struct device_options want = { .name = DEVICE, .speed_max = true };
	struct series s = { 0 };
	bool good = run(opt, &want, WINDOWS, &s, err);

	if (good && (s.n < WINDOWS || numbers(&s) == 0 || !s.simulated))
		good = err_set(err, ERR_UNSUPPORTED, "%d windows, %d numbers, %s", s.n, numbers(&s),
			s.simulated ? "labelled simulated" : "NOT labelled simulated");
	snprintf(what, size, "windows %d, metrics %d, numbers %d (set %s)", s.n, s.n_metrics,
		numbers(&s), s.set);
	series_release(&s);
	return good;
}

/* Checks the shares. Intel's self-test set counts fixed shares of the clock without any load, and
 * the roofs of its metrics are these shares. One count in a window may be off (igt-gpu-tools,
 * tests/intel/perf.c). */
static bool check_shares(
	const struct series *s, double tolerance_pct, char *what, size_t size, struct err *err)
{
	for (int i = 0; i < 8; i++)
		if (!(fabs(s->oa[i] - s->oa_roofs[i]) <= tolerance_pct))
			return err_set(err, ERR_UNSUPPORTED, "B%d per clock is %g %%, not %g %%", i,
				s->oa[i], s->oa_roofs[i]);
	snprintf(what, size, "%s", "B0 to B7 count their shares of the clock (set TestOa)");
	return true;
}

bool selftest_oa(const struct options *opt, char *what, size_t size, struct err *err)
{
	struct device_options want = { .name = DEVICE, .speed_max = true, .set = OA_SET };
	struct series s = { 0 };
	bool good = run(opt, &want, 1, &s, err) &&
		check_shares(&s, REPORT_TOLERANCE_PCT, what, size, err);
	series_release(&s);
	return good;
}

/* Waits for a window of a device that runs in real time. */
static bool wait_window(struct session *ses)
{
	for (int i = 0; i < MAX_TICKS; i++)
		if (window_wait_tick(ses))
			return true;
	return false;
}

enum selftest_result selftest_device(
	struct session *ses, int index, char *what, size_t size, struct err *err)
{
	enum selftest_result result = SELFTEST_NOT_TRIED;
	int64_t delay_ns = ses->window.length_ns;
	struct series s = { 0 };
	double tolerance_pct = REPORT_TOLERANCE_PCT;

	refresh_set_length(ses, WINDOW_NS);
	if (!devices_open(ses, index, OA_SET, err))
		goto out;
	if (!wait_window(ses) || ses->got.samples[0].why != WHY_OK) {
		err_set(err, ERR_UNSUPPORTED, "%s", "no window of reports came");
		goto out;
	}
	keep(&s, ses);
	if (isnan(s.oa[0])) {
		err_set(err, ERR_UNSUPPORTED, "%s",
			"nothing was counted: the clock of these counters stood still");
		goto out;
	}
	if (ses->want->access && !strcmp(ses->want->access, "mmio"))
		tolerance_pct = POLLED_TOLERANCE_PCT;
	result = SELFTEST_FAILED;
	if (check_shares(&s, tolerance_pct, what, size, err))
		result = SELFTEST_GOOD;
out:
	series_release(&s);
	devices_close(ses);
	refresh_set_length(ses, delay_ns);
	return result;
}

/* All sources are in the file, so what had a number has the same again. The recording may hold a
 * window before the first one that the live run has shown. */
static bool compare(
	const struct series *live, const struct series *played, int *compared, struct err *err)
{
	int shift = played->n - live->n;

	if (live->n_metrics != played->n_metrics || strcmp(live->set, played->set) || shift < 0 ||
		!played->simulated)
		return err_set(err, ERR_PARSE,
			"recorded set %s with %d windows, played set %s with %d", live->set,
			live->n, played->set, played->n);
	for (int w = 0; w < live->n; w++) {
		for (int i = 0; i < live->n_metrics; i++) {
			double a = live->v[w][i], b = played->v[w + shift][i];

			if (isnan(a) && isnan(b))
				continue;
			if (!(fabs(a - b) <= 1e-9 * fabs(a)))
				return err_set(err, ERR_PARSE,
					"window %d, metric %d: %g was recorded, %g came back",
					w + 1, i + 1, a, b);
			(*compared)++;
		}
	}
	return *compared > 0 || err_set(err, ERR_PARSE, "no number came back from the recording");
}

bool selftest_recording(const struct options *opt, char *what, size_t size, struct err *err)
{
	struct device_options made = { .name = DEVICE, .speed_max = true };
	struct device_options again = { .speed_max = true };
	struct series live = { 0 }, played = { 0 };
	int fd = memfd_create("rooftop-doctor", MFD_CLOEXEC), compared = 0;

	/* In memory it has no name that somebody else could know. */
	if (fd < 0)
		return err_sys(err, "%s", "cannot make a file in memory");
	char *path = xasprintf("/proc/self/fd/%d", fd);
	if (access(path, F_OK) < 0) {
		close(fd);
		free(path);
		return err_set(err, ERR_UNSUPPORTED, "not tried, because there is no /proc here");
	}
	char *file = xasprintf("file:%s", path);
	made.record = path;
	again.name = file;
	bool good = run(opt, &made, WINDOWS, &live, err) &&
		run(opt, &again, WINDOWS + 1, &played, err) &&
		compare(&live, &played, &compared, err);
	snprintf(what, size, "windows %d, equal values %d", live.n, compared);
	close(fd);
	free(file);
	free(path);
	series_release(&live);
	series_release(&played);
	return good;
}
