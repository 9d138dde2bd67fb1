/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings as devices: what is read from them, when it is handed over, and that nothing is lost
 * or counted twice. */
#include "config.h"

#include "backends/common/backend.h"

#include <dirent.h>

#include "backends/intel/oa/oa_format.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/recordings/odd.h"
#include "tests/tap.h"

#define OPENED (7000 * NS_PER_S)

static struct temp_file temp;

/* A recording that is being replayed; the source is NULL when that failed. */
struct player {
	struct device_list list;
	struct open_device dev;
	struct source *s;
	struct err err;
	int64_t now_ns;
};

static bool play(struct player *p, const char *path, double speed, bool per_report)
{
	struct open_options o = {
		.now_ns = OPENED, .speed = speed, .per_report = per_report, .delay_ns = NS_PER_S
	};

	*p = (struct player){ .now_ns = OPENED };
	if (!replay_backend.resolve(NULL, path, &p->list, &p->err) ||
		!replay_backend.open(&p->list.entries[0], &o, &p->dev, &p->err))
		return false;
	p->s = p->dev.sources[0];
	return true;
}

static void stop(struct player *p)
{
	open_device_close(&p->dev);
	device_list_release(&p->list);
}

/* As app does: ready, then collect. */
static struct sample step(struct player *p, int64_t delta_ns)
{
	struct sample out = { 0 };

	p->now_ns += delta_ns;
	p->s->ops->ready(p->s, p->now_ns, &p->err);
	p->s->ops->collect(p->s, p->now_ns, &out);
	return out;
}

/* Steps to the end and adds up; returns the number of windows with data, -1 if no end comes. */
static int play_to_end(struct player *p, int64_t delta_ns, struct sample *total)
{
	int windows = 0;

	*total = (struct sample){ 0 };
	for (int i = 0; i < 100000; i++) {
		struct sample s = step(p, delta_ns);

		total->quality |= s.quality;
		total->lost += s.lost;
		total->reports += s.reports;
		if (s.why == WHY_OK) {
			windows++;
			total->window_ns += s.window_ns;
			for (int k = 0; k < p->s->feed.n_counters; k++)
				total->values[k] += s.values[k];
		}
		if (s.quality & SAMPLE_LAST)
			return windows;
	}
	return -1;
}

static int counter(const struct player *p, const char *name)
{
	for (int i = 0; i < p->s->feed.n_counters; i++)
		if (!strcmp(p->s->feed.counters[i].name, name))
			return i;
	return -1;
}

static void write_file(void (*make)(struct bytes *b))
{
	struct bytes b = { 0 };

	make(&b);
	temp_write(&temp, b.p, b.len);
	free(b.p);
}

static void test_odd(const struct odd_file *f)
{
	struct player p;
	struct sample total;
	char status[160] = "";

	write_file(f->make);
	if (f->replay_error) {
		ok(!play(&p, temp.path, 1, true) && strstr(p.err.msg, f->replay_error),
			"%s: refused, '%s'", f->name, p.err.msg);
		stop(&p);
		return;
	}
	if (!ok(play(&p, temp.path, 1, true), "%s: opens %s", f->name, p.err.msg)) {
		stop(&p);
		return;
	}
	is_int(play_to_end(&p, 0, &total), f->windows, "%s: windows", f->name);
	ok(f->damage ? strstr(p.err.msg, f->damage) != NULL : !p.err.msg[0], "%s: told '%s'",
		f->name, p.err.msg);
	p.s->ops->status(p.s, status, sizeof(status));
	ok(!f->damage == !strstr(status, "damaged"), "%s: status '%s'", f->name, status);
	ok(!f->damage == !p.dev.checks[0].reason[0], "%s: devices screen '%s'", f->name,
		p.dev.checks[0].reason);
	stop(&p);
	/* And by the clock: a second is longer than all of them, but for one whose time runs
	 * wild; each report of one whose time always goes back begins anew. */
	if (ok(play(&p, temp.path, 1, false), "%s: opens again", f->name))
		ok(play_to_end(&p, NS_PER_S, &total) >= (f->windows > 0), "%s: plays to its end", f->name);
	stop(&p);
}

static void make_hundred(struct bytes *b)
{
	make_good(b, 100);
}

static void test_device(void)
{
	struct player p;
	const struct device *d = &p.dev.device;

	write_file(make_hundred);
	if (!ok(play(&p, temp.path, 1, false), "opens %s", p.err.msg))
		return;
	ok(d->recorded && !d->simulated && strstr(d->id, "file:") == d->id &&
			strstr(d->id, temp.path),
		"id %s", d->id);
	is_str(d->platform, "kblgt2", "platform");
	is_str(d->driver, "recording", "driver");
	is_str(d->recording.set, "RenderBasic", "set");
	is_str(d->recording.guid, "99c1a40e-a090-4354-86e3-4d068bb1917e", "guid");
	is_int(d->topology.eus, 24, "EUs");
	is_int(d->topology.subslices, 3, "subslices");
	is_int(d->timestamp_hz, MAKE_HZ, "time stamp frequency");
	is_int(d->max_hz, 1050000000, "highest frequency");
	is_int(d->oa_format, 10, "format");
	ok(device_const(d, "eu_count") && device_const(d, "eu_count")->v > 23,
		"constants are known");
	is_str(p.s->feed.name, "oa", "source");
	ok(p.s->fd == -1 && !p.s->self_paced && p.dev.n_sources == 1, "one source, by ticks");
	ok(p.s->feed.n_counters <= FEED_MAX_COUNTERS && counter(&p, "A35") > 0 &&
			counter(&p, "C7") > 0,
		"counters");
	is_int(p.list.count, 1, "one entry");
	ok(p.list.entries[0].usable && p.list.entries[0].backend == &replay_backend, "usable");
	stop(&p);
	ok(!replay_backend.probe, "recordings are not looked for: somebody names them");
}

static void make_ours(struct bytes *b)
{
	make_good(b, 5);
	make_record(b, REC_ROOFTOP, "device=sim:hd620\nset=compute\nsimulated=1\n", 41);
}

static void test_simulated(void)
{
	struct player p;

	write_file(make_ours);
	if (ok(play(&p, temp.path, 1, false), "opens %s", p.err.msg)) {
		ok(p.dev.device.simulated && p.list.entries[0].device.simulated,
			"a recording of the simulator says so");
		ok(strstr(p.s->feed.how, "simulated"), "its source too: %s", p.s->feed.how);
		is_str(p.dev.device.recording.set, "compute", "our own name of the set");
	}
	stop(&p);
}

static void test_bad_spec(void)
{
	struct device_list l = { 0 };
	struct err err = { 0 };
	char path[400];

	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	ok(!replay_backend.resolve(NULL, "", &l, &err) && err.code == ERR_USAGE, "no path: %s",
		err.msg);
	ok(!replay_backend.resolve(NULL, path, &l, &err) && err.code == ERR_USAGE,
		"a path of 399 bytes: %s", err.msg);
	ok(!replay_backend.resolve(NULL, "/nonexistent", &l, &err) && err.code == ERR_SYS,
		"no file: %s", err.msg);
	ok(!replay_backend.resolve(NULL, "/", &l, NULL),
		"a folder, without a place for the reason");
	is_int(l.count, 0, "no entry is added");
	device_list_release(&l);
}

/* Where it plays and how long it is are one answer, and the source has no second one of its own. */
static void is_at(const struct player *p, int64_t position_ns, int64_t total_ns)
{
	struct playback at;
	char status[160] = "none";

	p->s->ops->playback(p->s, &at);
	is_int(at.position_ns, position_ns, "where it plays");
	is_int(at.total_ns, total_ns, "of how long");
	ok(!at.damaged, "to its end");
	p->s->ops->status(p->s, status, sizeof(status));
	is_str(status, "", "which the source says once");
}

/* 100 reports 10 ms apart, windows of 100 ms. */
static void test_pace(void)
{
	struct player p;
	struct sample s;

	write_file(make_hundred);
	if (!ok(play(&p, temp.path, 1, false), "opens %s", p.err.msg))
		return;
	s = step(&p, 0);
	ok(s.why == WHY_NOT_YET && s.reports == 1, "at once only the base of the first window");
	for (int i = 1; i <= 3; i++) {
		s = step(&p, 100 * NS_PER_MS);
		is_int(s.reports, 10, "window %d: reports", i);
		is_int(s.window_ns, 100 * NS_PER_MS, "window %d: length", i);
		is_int(s.values[counter(&p, "A6")], 70000, "window %d: A6", i);
		is_int(s.t0_ns, 1000 * NS_PER_S + (i - 1) * 100 * NS_PER_MS,
			"window %d: begins, by the recorder's clock", i);
		is_int(s.t1_ns, 1000 * NS_PER_S + i * 100 * NS_PER_MS, "window %d: ends", i);
		is_int(s.quality, 0, "window %d: flawless", i);
	}
	s = step(&p, 5 * NS_PER_MS);
	ok(s.why == WHY_NOT_YET && s.reports == 0, "nothing is due in 5 ms");
	s = step(&p, 595 * NS_PER_MS);
	ok(s.reports == 60 && !(s.quality & SAMPLE_LAST), "60 in the next 0.6 s");
	is_at(&p, 900 * NS_PER_MS, 990 * NS_PER_MS);
	s = step(&p, 1000 * NS_PER_S);
	ok(s.reports == 9 && s.why == WHY_OK && (s.quality & SAMPLE_LAST), "the rest, and the end");
	s = step(&p, NS_PER_S);
	ok(s.why == WHY_NOT_YET && (s.quality & SAMPLE_LAST), "then nothing but the end");
	stop(&p);
}

/* However the recording is cut into windows, their sum is the same. */
static void test_sums(void)
{
	static const struct {
		double speed;
		int64_t delta_ns;
		bool per_report;
		int windows;
	} rows[] = {
		{ 1, 10 * NS_PER_MS, false, 99 },
		{ 1, 37 * NS_PER_MS, false, 27 },
		{ 1, 200 * NS_PER_S, false, 1 },
		{ 10, 37 * NS_PER_MS, false, 3 },
		{ 0.1, NS_PER_S, false, 10 },
		{ 1e18, 1, false, 1 },
		{ 1, 0, true, 99 },
		{ 0, 100 * NS_PER_MS, false, 10 },
		{ NAN, 100 * NS_PER_MS, false, 10 },
	};

	write_file(make_hundred);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct player p;
		struct sample sum;
		bool good = true;

		if (!ok(play(&p, temp.path, rows[i].speed, rows[i].per_report), "opens %s",
			    p.err.msg))
			continue;
		is_int(play_to_end(&p, rows[i].delta_ns, &sum), rows[i].windows,
			"speed %g, %lld ns: windows", rows[i].speed, (long long)rows[i].delta_ns);
		is_int(sum.reports, 100, "reports");
		is_int(sum.window_ns, 990 * NS_PER_MS, "time");
		for (int k = 0; k < 32; k++)
			good = good && sum.values[2 + k] == 99000u * (unsigned)(k + 1);
		for (int k = 0; k < 16; k++)
			good = good && sum.values[38 + k] == 99u * (unsigned)(48 + k);
		ok(good, "A counters over their 40-bit wrap, B and C over their 32-bit wrap");
		is_int(sum.values[counter(&p, "GPU_TICKS")], 99 * 9000000, "clocks");
		stop(&p);
	}
}

/* After a jump the windows are those that were there before; a recording that stands gives none. */
static void test_play(void)
{
	static const int64_t places[] = { 3, 7, 0, 1, 8, 8, 2 };
	struct sample seen[9], now;
	struct playback at;
	struct player p;

	write_file(make_hundred);
	if (!ok(play(&p, temp.path, 1, false), "opens %s", p.err.msg))
		return;
	for (int i = 0; i < 9; i++)
		seen[i] = step(&p, 100 * NS_PER_MS);
	p.s->ops->playback(p.s, &at);
	ok(at.position_ns == 900 * NS_PER_MS && at.total_ns == 990 * NS_PER_MS && at.speed == 1,
		"it tells where it plays");
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		at.position_ns = places[i] * 100 * NS_PER_MS;
		ok(p.s->ops->play(p.s, p.now_ns, &at, true, &p.err), "it jumps");
		now = step(&p, 100 * NS_PER_MS);
		ok(now.why == WHY_OK && now.window_ns == seen[places[i]].window_ns &&
				!memcmp(now.values, seen[places[i]].values, sizeof(now.values)),
			"window %d is as before", (int)places[i]);
	}
	at.position_ns = 200 * NS_PER_MS;
	at.paused = true;
	p.s->ops->play(p.s, p.now_ns, &at, true, &p.err);
	is_int(step(&p, NS_PER_S).why, WHY_NOT_YET, "it stands still");
	at.position_ns = 300 * NS_PER_MS;
	p.s->ops->play(p.s, p.now_ns, &at, false, &p.err);
	now = step(&p, NS_PER_S);
	ok(!memcmp(now.values, seen[2].values, sizeof(now.values)), "but can be moved by a window");
	at.paused = false;
	at.speed = 4;
	p.s->ops->play(p.s, p.now_ns, &at, false, &p.err);
	is_int(step(&p, 100 * NS_PER_MS).window_ns, 4 * seen[1].window_ns, "four times as fast");
	stop(&p);
}

static void make_long(struct bytes *b)
{
	make_start(b);
	for (unsigned i = 0; i < 62; i++)
		make_sample(b, 0xfff00000u + i * MAKE_HZ, i);
}

/* One report a second over the wrap of the time stamp, without a correlation. */
static void test_wrap(void)
{
	struct player p;
	struct sample s = { 0 };

	write_file(make_long);
	if (!ok(play(&p, temp.path, 1, false), "opens %s", p.err.msg))
		return;
	for (int i = 0; i < 12; i++)
		s = step(&p, NS_PER_S);
	is_int(s.window_ns, NS_PER_S, "a second over the wrap");
	is_int(s.t0_ns, OPENED + 11 * NS_PER_S, "without a correlation in the clock of app");
	is_int(s.t1_ns, OPENED + 12 * NS_PER_S, "to its end");
	is_at(&p, 12 * NS_PER_S, 61 * NS_PER_S);
	s = step(&p, 4000 * NS_PER_S);
	ok(s.reports == 49 && (s.quality & SAMPLE_LAST), "the rest");
	stop(&p);
}

static void make_one_correlation(struct bytes *b)
{
	make_start(b);
	make_samples(b, 1000, 0, 3);
	make_correlation(b, 50 * NS_PER_S, UINT64_C(0x100000000) + 1000 + 2 * MAKE_PERIOD);
	make_samples(b, 1000, 3, 1);
}

/* Two clocks that do not run alike, and correlations that are not in order. */
static void make_drift(struct bytes *b)
{
	make_start(b);
	make_samples(b, 1000, 0, 3);
	make_correlation(b, 50 * NS_PER_S, 1000 + 2 * MAKE_PERIOD);
	make_correlation(b, 49 * NS_PER_S, 1000 + 2 * MAKE_PERIOD + 5);
	make_correlation(b, 50 * NS_PER_S + 11 * NS_PER_MS, 1000 + 3 * MAKE_PERIOD);
	make_samples(b, 1000, 3, 3);
	make_correlation(b, 50 * NS_PER_S + 31 * NS_PER_MS, 1000 + 5 * MAKE_PERIOD);
}

static void test_clocks(void)
{
	struct player p;
	uint64_t cpu, gpu;

	write_file(make_one_correlation);
	if (ok(play(&p, temp.path, 1, true), "opens %s", p.err.msg)) {
		struct sample s;

		p.s->ops->correlate(p.s, p.now_ns, &cpu, &gpu, &p.err);
		is_int(gpu, UINT64_C(0x100000000) + 1000,
			"before the first report: correlates with its time stamp");
		is_int(cpu, 50 * NS_PER_S - 20 * NS_PER_MS, "at its CPU time");
		s = step(&p, 0);
		is_int(s.t0_ns, 50 * NS_PER_S - 20 * NS_PER_MS,
			"one correlation: by the nominal frequency");
		is_int(s.t1_ns, 50 * NS_PER_S - 10 * NS_PER_MS, "to the end of the window");
		ok(p.s->ops->correlate(p.s, p.now_ns, &cpu, &gpu, &p.err), "correlates");
		is_int(gpu, UINT64_C(0x100000000) + 1000 + MAKE_PERIOD + 1,
			"a tick behind the last report, in 36 bits");
		is_near((double)cpu, 50e9 - 10e6 + 83, 1, "at its CPU time");
	}
	stop(&p);
	write_file(make_drift);
	if (ok(play(&p, temp.path, 1, true), "opens %s", p.err.msg)) {
		int64_t ends[] = { -11, 0, 11, 21, 31 };

		for (size_t i = 0; i < ARRAY_LEN(ends); i++)
			is_int(step(&p, 0).t1_ns, 50 * NS_PER_S + ends[i] * NS_PER_MS,
				"report %zu between its correlations", i + 1);
	}
	stop(&p);
}

static void make_losses(struct bytes *b)
{
	make_start(b);
	make_samples(b, 100, 0, 3);
	make_record(b, REC_REPORT_LOST, NULL, 0);
	make_samples(b, 100, 3, 2);
	make_record(b, REC_BUFFER_LOST, NULL, 0);
	make_samples(b, 100, 5, 2);
	make_record(b, REC_REPORT_LOST, NULL, 0);
}

static void test_losses(void)
{
	static const unsigned want[] = { 0, 0, SAMPLE_LOST, 0, SAMPLE_LOST | SAMPLE_GAP };
	struct player p;
	struct sample s;

	write_file(make_losses);
	if (!ok(play(&p, temp.path, 1, true), "opens %s", p.err.msg))
		return;
	ok(p.s->self_paced, "paced by itself");
	for (unsigned i = 0; i < ARRAY_LEN(want); i++) {
		s = step(&p, 0);
		if (i < 4)
			is_int(s.quality, want[i], "window %u: quality", i);
		is_int(s.why, WHY_OK, "window %u: has data", i);
	}
	is_int(s.quality, SAMPLE_LOST | SAMPLE_GAP | SAMPLE_LAST, "the last window");
	is_int(s.lost, 2, "with the loss behind the last report");
	stop(&p);
}

static void tap_records(void *ctx, const void *records, size_t len)
{
	make_bytes(ctx, records, len);
}

/* A copy through the tap has the same records. */
static void test_tap(bool per_report)
{
	struct bytes want = { 0 }, got = { 0 };
	struct record_tap copy = { .records = tap_records, .ctx = &got };
	struct player p;
	struct sample s;
	size_t start;

	make_start(&want);
	start = want.len;
	write_file(make_losses);
	if (!ok(play(&p, temp.path, 1, per_report), "opens %s", p.err.msg))
		return;
	p.s->ops->set_tap(p.s, &copy);
	play_to_end(&p, 10 * NS_PER_MS, &s);
	p.s->ops->set_tap(p.s, NULL);
	stop(&p);
	want.len = 0;
	make_losses(&want);
	ok(got.len == want.len - start && !memcmp(got.p, want.p + start, got.len),
		"every report and loss as it was, %zu bytes", got.len);
	free(want.p);
	free(got.p);
}

/* Media reports of Meteor Lake: 64-bit header, 128 bytes. */
static void make_media(struct bytes *b)
{
	struct rec_device_info info = make_device();
	uint32_t d[32] = { 1u << 19 };

	info.device_id = 0x7d45;
	info.oa_format = 14;
	make_version(b, 1);
	make_record(b, REC_DEVICE_INFO, &info, sizeof(info));
	make_topology(b, true);
	for (unsigned i = 0; i < 5; i++) {
		d[2] = 0xfffffff0u + i * MAKE_PERIOD;
		d[3] = i > 0 ? 6 : 5;
		d[8] = 10 * i;
		make_record(b, REC_SAMPLE, d, sizeof(d));
	}
}

/* What may happen to the GPU's clock in the middle of a recording of five seconds, by the stamps of the reports from
 * there on. */
enum mishap { FINE, RESTART, BACK, FAR, FLIP, GAP, CAT, LATER, MISHAPS };

static void put_mishap(struct bytes *b, enum mishap m, bool lost, bool pairs)
{
	static const char blank;
	const uint64_t base = UINT64_C(0x340000000), cpu = 1000000000000;
	unsigned gap = m == GAP || m == LATER ? 200 : 0;
	uint64_t shift = 0;

	make_start(b);
	for (unsigned i = 0; i < 500; i++) {
		uint64_t stamp = base + (uint64_t)MAKE_PERIOD * (i + (i >= 250 ? gap : 0));

		if (i == 250 && (m == CAT || m == LATER))
			make_start(b);
		if (i == 250 && lost)
			make_record(b, REC_BUFFER_LOST, &blank, 0);
		if (i == 250 && m == RESTART)
			shift = 1000 - stamp;
		if (i == 250 && (m == BACK || m == CAT))
			shift = -(uint64_t)MAKE_PERIOD * 200;
		if (i == 250 && m == LATER)
			shift = -(uint64_t)MAKE_PERIOD * 600;
		if (i == 250 && m == FAR)
			shift = UINT64_C(90) * MAKE_HZ;
		if (pairs && (i % 10 == 5 || (i == 250 && m == LATER)))
			make_correlation(b, cpu + UINT64_C(10000000) * (i + (i >= 250 ? gap : 0)), stamp + shift);
		make_sample(b, (uint32_t)(stamp + shift) ^ (m == FLIP && i == 250 ? 1u << 31 : 0), i);
	}
}

/* Whatever the clock does, a replay takes as long as the recording took, no window is much longer than it was to
 * be, time never goes back, and the sum of all windows' clocks is that of the reports but for the one that is
 * lost at each jump. */
static void test_mishap(enum mishap m, bool lost)
{
	static const char *const names[] = { "nothing", "the clock restarts", "goes back", "jumps ahead", "one bit is wrong",
		"two seconds are missing", "another recording follows",
		"one of two seconds later does" };
	struct bytes b = { 0 };
	struct player p;
	struct sample s;
	int64_t last_ns = 0, longest_ns = 0, total_ns = m == GAP || m == LATER ? 7 * NS_PER_S : 5 * NS_PER_S;
	uint64_t ticks = 0;
	bool rises = true;
	int n = 0;

	put_mishap(&b, m, lost, true);
	temp_write(&temp, b.p, b.len);
	free(b.p);
	ok(play(&p, temp.path, 1, false), "%s%s %s", names[m], lost ? " after a loss" : "", p.err.msg);
	do {
		s = step(&p, NS_PER_S / 2);
		rises &= s.t1_ns >= last_ns;
		last_ns = s.t1_ns;
		if (s.why == WHY_OK && s.window_ns > longest_ns)
			longest_ns = s.window_ns;
		if (s.why == WHY_OK)
			ticks += s.values[1];
		n++;
	} while (!(s.quality & SAMPLE_LAST) && n < 100);
	ok(n >= total_ns / (NS_PER_S / 2) && n <= total_ns / (NS_PER_S / 2) + 2, "  ... %d windows", n);
	ok(rises, "  ... whose times rise");
	ok(longest_ns <= (m == GAP && !lost ? 3 : 1) * NS_PER_S, "  ... the longest has %d ms", (int)(longest_ns / NS_PER_MS));
	ok(ticks <= 9000000ull * 499 && ticks >= 9000000ull * 497, "  ... and all %d steps but one or two are counted",
		(int)(ticks / 9000000));
	stop(&p);
}

static void test_media(void)
{
	struct player p;
	struct sample s;

	write_file(make_media);
	if (!ok(play(&p, temp.path, 1, false), "opens %s", p.err.msg))
		return;
	step(&p, 0);
	s = step(&p, 20 * NS_PER_MS);
	is_int(s.reports, 2, "64-bit header: reports in 20 ms");
	is_int(s.window_ns, 20 * NS_PER_MS, "their time");
	is_int(s.values[counter(&p, "M0")], 20, "their counter");
	stop(&p);
}

/* The file is cut while it is replayed. */
static void test_cut(bool per_report)
{
	struct player p;
	struct bytes b = { 0 };
	struct sample s = { 0 };
	bool told = false;
	int windows = 0;

	make_good(&b, 3000);
	temp_write(&temp, b.p, b.len);
	free(b.p);
	if (!ok(play(&p, temp.path, 1, per_report), "opens %s", p.err.msg))
		return;
	ok(truncate(temp.path, 500000) == 0, "the file shrinks");
	for (int i = 0; i < 4000 && !(s.quality & SAMPLE_LAST); i++) {
		s = (struct sample){ 0 };
		p.now_ns += 10 * NS_PER_MS;
		told |= !p.s->ops->ready(p.s, p.now_ns, &p.err);
		p.s->ops->collect(p.s, p.now_ns, &s);
		windows += s.why == WHY_OK;
	}
	ok(told && p.err.msg[0], "it is told: %s", p.err.msg);
	ok(s.quality & SAMPLE_LAST, "and ends, after %d windows", windows);
	ok(windows > 1850 && windows < 1900, "with all that could be read");
	stop(&p);
}

static void test_oracle_file(const char *dir, const char *name)
{
	char path[700];
	struct player p;
	struct sample whole, single;
	int windows;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!ok(play(&p, path, 1, true), "%s: opens %s", name, p.err.msg)) {
		stop(&p);
		return;
	}
	windows = play_to_end(&p, 0, &single);
	stop(&p);
	ok(windows > 100 && single.reports == (uint64_t)windows + 1,
		"%s: %d windows report by report", name, windows);
	if (!ok(play(&p, path, 1, false), "%s: opens again", name))
		return;
	ok(play_to_end(&p, NS_PER_MS, &whole) > 0, "%s: plays by the clock", name);
	ok(!memcmp(whole.values, single.values, sizeof(whole.values)) && whole.window_ns > 0 &&
			whole.lost == single.lost,
		"%s: both give the same sums", name);
	stop(&p);
}

static void test_oracle(void)
{
	const char *oracle = getenv("ROOFTOP_ORACLE");
	char dir[512];
	int files = 0;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/recordings", oracle ? oracle : "");
	d = oracle ? opendir(dir) : NULL;
	if (!d) {
		skip(1, "no oracle recordings (ROOFTOP_ORACLE)");
		return;
	}
	for (struct dirent *e; (e = readdir(d));)
		if (strstr(e->d_name, ".i915perf")) {
			test_oracle_file(dir, e->d_name);
			files++;
		}
	closedir(d);
	ok(files > 0, "%d recordings of the oracle", files);
}

int main(void)
{
	temp_open(&temp);
	for (size_t i = 0; i < ARRAY_LEN(odd_files); i++)
		test_odd(&odd_files[i]);
	test_device();
	test_simulated();
	test_bad_spec();
	test_pace();
	test_sums();
	test_play();
	test_wrap();
	test_clocks();
	test_losses();
	test_tap(false);
	test_tap(true);
	test_media();
	test_cut(false);
	test_cut(true);
	test_oracle();
	for (int i = 0; i < 2 * MISHAPS; i++)
		test_mishap((enum mishap)(i / 2), i % 2);
	temp_close(&temp);
	return done_testing();
}
