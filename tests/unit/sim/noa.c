/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated devices show which subslice works: counters that Intel's register lists route to B
 * and C follow the way in which work-groups are dealt. */
#include "config.h"

#include <math.h>

#include "tests/unit/sim/sim_rig.h"

#define MAX_CELLS 8

/* The counters of a cell whose sum is its value, between blanks. */
struct cells {
	const char *config;
	int n;
	const char *counters[MAX_CELLS];
};

static const struct cells kbl_header = { "kblgt2-tdl2", 3, { "C5 C6", "C7 C2", "C3 C4" } };
static const struct cells kbl_ready = { "kblgt2-tdl1", 3, { "B2", "B0", "B4" } };
static const struct cells kbl_ready_ps = { "kblgt2-tdl1", 3, { "B1", "B5", "B3" } };
static const struct cells kbl_requests = { "kblgt2-hdcandsf", 3, { "C7", "C5", "C3" } };
static const struct cells kbl_served = { "kblgt2-hdcandsf", 3, { "C6", "C4", "C2" } };
static const struct cells chv_header = { "bdw-tdl1", 3, { "C5 C6", "C7 C2", "C3 C4" } };
static const struct cells chv_ready = { "bdw-tdl2", 3, { "B5", "B4", "B0" } };
static const struct cells chv_ready_1 = { "bdw-tdl1", 3, { "B2", "B0", "B4" } };
static const struct cells tgl_header = { "tglgt2-tdl1", 2, { "C0 C1 C2 C3", "C4 C5 C6 C7" } };
static const struct cells tgl_header_2 = { "tglgt2-tdl3", 3, { "C7 C6 C5 C4", "C3 C2 C1 C0", "B7 B6 B5 B4" } };
static const struct cells tgl_header_5 = { "tglgt2-tdl2", 1, { "C4 C5 C6 C7" } };
static const struct cells tgl_any_port = { "tglgt2-tdl1", 2, { "B6", "B7" } };
static const struct cells tgl_ready = { "tglgt2-tdl1", 6, { "B5", "B4", "B3", "B2", "B1", "B0" } };
static const struct cells tgl_stalled = { "tglgt2-hdcandsf", 6, { "B2", "B3", "B4", "B5", "B1", "B0" } };
static const struct cells mtl_queue = { "mtlgt2-ext604", 4, { "C7", "C6", "C5", "C4" } };
static const struct cells mtl_queue_1 = { "mtlgt2-ext604", 4, { "C3", "C2", "C1", "C0" } };
static const struct cells tgl_queues = { "tglgt2-rasterizerandpixelbackend", 4, { "C4", "C5", "C6", "C7" } };
static const struct cells mtl_queues = { "mtlgt2-hdcandsf", 4, { "C4", "C5", "C6", "C7" } };
static const struct cells mtl_stalled = { "mtlgt2-hdcandsf", 4, { "B0", "B1", "B2", "B3" } };

/* One window of a second. */
struct window {
	double cell[MAX_CELLS], clocks, threads;
	int groups;		/* that the device tells of its load */
};

static double sum_of(const struct rig *r, const struct sample *s, const char *counters)
{
	char name[8];
	double sum = 0;
	int used;

	while (sscanf(counters, "%7s%n", name, &used) == 1) {
		sum += rig_value(r, s, 0, name);
		counters += used;
	}
	return sum;
}

/* extra: one more directive, or NULL. */
static struct window count(const char *spec, const struct cells *c, const char *extra)
{
	char config[64];
	const char *const directives[] = { "program A7 active", config, extra, NULL };
	struct window w = { .clocks = 0 };
	struct sample s[8];
	struct rig r;

	snprintf(config, sizeof(config), "config %s", c->config);
	rig_open(&r, spec, directives, 0);
	rig_window(&r, NS_PER_S, NS_PER_S, s);
	for (int i = 0; i < c->n; i++)
		w.cell[i] = sum_of(&r, s, c->counters[i]);
	w.clocks = rig_value(&r, s, 0, "GPU_TICKS");
	w.threads = rig_value(&r, s, 0, "A4");
	w.groups = (int)s[0].load_groups;
	rig_close(&r);
	return w;
}

static struct window count_groups(const char *machine, const char *load, int groups, const struct cells *c)
{
	char spec[96];

	snprintf(spec, sizeof(spec), "%s,load=%s,groups=%d,items=256", machine, load, groups);
	return count(spec, c, NULL);
}

static void dealing(void)
{
	static const struct { int groups; int share[3]; } rows[] = {
		{ 1, { 1, 0, 0 } }, { 2, { 1, 1, 0 } }, { 4, { 2, 1, 1 } }, { 5, { 2, 2, 1 } }, { 7, { 3, 2, 2 } },
		{ 22, { 8, 7, 7 } }, { 63, { 1, 1, 1 } }, { 64, { 22, 21, 21 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct window w = count_groups("hd620", "private.mad.sp.x4", rows[i].groups, &kbl_header);
		double sum = w.cell[0] + w.cell[1] + w.cell[2], k = rows[i].groups;
		double most = fmax(fmax(w.cell[0], w.cell[1]), w.cell[2]);

		for (int j = 0; j < 3; j++)
			is_near(w.cell[j] / w.cell[0], (double)rows[i].share[j] / rows[i].share[0], 5e-4,
				"%d groups: subslice %d", rows[i].groups, j);
		is_near(sum / 3 / most, k / (3 * ceil(k / 3)), 5e-4,
			"%d groups: mean over max is the serrated curve", rows[i].groups);
		/* Four counters are cut to whole numbers at both ends. */
		is_near(sum, w.threads, 4, "%d groups: headers are threads", rows[i].groups);
		is_int(w.groups, rows[i].groups, "%d groups: the device tells so", rows[i].groups);
	}
	is_int(count_groups("hd620", "desktop", 4, &kbl_header).groups, 0, "a desktop has no number of groups");
}

static void waiting(void)
{
	struct window w = count_groups("hd620", "private.mad.sp.x4", 4, &kbl_ready);

	for (int j = 0; j < 3; j++)
		is_near(w.cell[j], 0, 0, "4 groups are all resident in subslice %d", j);
	w = count_groups("hd620", "private.mad.sp.x4", 21, &kbl_ready);
	is_near(w.cell[0] + w.cell[1] + w.cell[2], 0, 0, "21 groups, 7 each, are resident");
	w = count_groups("hd620", "private.mad.sp.x4", 22, &kbl_ready);
	ok(w.cell[0] > 0.75 * w.clocks && w.cell[0] < w.clocks, "the 22nd waits in subslice 0");
	is_near(w.cell[1] + w.cell[2], 0, 0, "and in no other");
	w = count_groups("hd620", "private.mad.sp.x4", 64, &kbl_ready);
	/* The 22nd of the first subslice is alone on its EUs, and takes as long as two. */
	is_near(w.cell[1] / w.clocks, 14.0 / 23, 0.01, "of 21 groups the last 7 wait for 14");
	ok(w.cell[0] > 0.9 * w.clocks, "and the 22nd for all 21");
	w = count_groups("hd620", "private.mad.sp.x4", 631, &kbl_ready);
	for (int j = 0; j < 3; j++)
		ok(w.cell[j] > 0.9 * w.clocks && w.cell[j] <= w.clocks,
			"of many groups some wait nearly always in subslice %d", j);
	w = count_groups("hd620", "private.mad.sp.x4", 631, &kbl_ready_ps);
	is_near(w.cell[0] + w.cell[1] + w.cell[2], 0, 0, "a compute kernel has no pixel shader");
	w = count("hd620,load=desktop", &kbl_ready_ps, NULL);
	ok(w.cell[0] > 0 && w.cell[1] > 0 && w.cell[2] > 0, "the desktop has");
}

static void data_port(void)
{
	struct window busy, taken;

	busy = count_groups("hd620", "copy.sp.x4", 1, &kbl_requests);
	taken = count_groups("hd620", "copy.sp.x4", 1, &kbl_served);
	ok(busy.cell[0] > 0 && busy.cell[1] == 0 && busy.cell[2] == 0, "one group asks from one subslice");
	is_near(busy.cell[0], taken.cell[0], 1, "and waits for nobody");
	busy = count_groups("hd620", "copy.sp.x4", 4, &kbl_requests);
	taken = count_groups("hd620", "copy.sp.x4", 4, &kbl_served);
	ok(busy.cell[0] - taken.cell[0] > 0.1 * busy.clocks, "two groups wait in subslice 0");
	is_near(busy.cell[1] - taken.cell[1] + busy.cell[2] - taken.cell[2], 0, 2, "single ones do not");
	busy = count_groups("hd620", "copy.sp.x4", 63, &kbl_requests);
	taken = count_groups("hd620", "copy.sp.x4", 63, &kbl_served);
	for (int j = 0; j < 3; j++) {
		ok(busy.cell[j] > taken.cell[j] && busy.cell[j] <= busy.clocks, "63 groups: subslice %d", j);
		is_near(busy.cell[j], busy.cell[0], 1, "63 groups: subslice %d is as 0", j);
		is_near(taken.cell[j], taken.cell[0], 1, "63 groups: what is taken of %d is as of 0", j);
	}
	busy = count_groups("tgl", "copy.sp.x4", 7, &tgl_stalled);
	ok(busy.cell[0] > 0.1 * busy.clocks && busy.cell[0] <= busy.clocks, "tgl, 7 groups: the first waits");
	for (int j = 1; j < 6; j++)
		is_near(busy.cell[j], 0, 0, "tgl, 7 groups: dual subslice %d does not", j);
	busy = count_groups("mtl", "copy.sp.x4", 63, &mtl_stalled);
	for (int j = 0; j < 4; j++)
		ok(busy.cell[j] > 0 && busy.cell[j] <= busy.clocks, "mtl: Xe-core %d waits", j);
}

/* The queues to the memory are full while more is asked of it than it delivers, and empty where nothing is
 * asked, or one line at a time. */
static void memory_queues(void)
{
	static const struct { const char *machine; const struct cells *c; } rows[] = { { "tgl", &tgl_queues }, { "mtl", &mtl_queues } };
	double full = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct window stream = count_groups(rows[i].machine, "stream.sp.x4", 630, rows[i].c),
			      few = count_groups(rows[i].machine, "stream.sp.x4", 1, rows[i].c),
			      mad = count_groups(rows[i].machine, "private.mad.sp.x4", 630, rows[i].c);

		for (int j = 0; j < 4; j++) {
			full = stream.cell[j] / stream.clocks;
			ok(full > 0.9 && full <= 1, "%s: a stream fills queue %d", rows[i].machine, j);
			is_near(few.cell[j], 0, 0, "%s: one group does not", rows[i].machine);
			ok(mad.cell[j] < 1e-3 * mad.clocks, "%s: nor do results at the end of arithmetic", rows[i].machine);
		}
	}
	struct window some = count("tgl,load=stream.sp.x4,n=64,pause=4000", &tgl_queues, NULL);
	full = some.cell[0] / some.clocks;
	ok(full > 0.05 && full < 0.95, "a load with pauses fills them for a part of the time: %g", full);
}

static void fused_off(void)
{
	struct window w = count_groups("chv", "private.mad.sp.x4", 5, &chv_header);

	is_near(w.cell[0] / w.cell[1], 1.5, 1e-3, "chv has two subslices: 3 groups and 2");
	is_near(w.cell[0] + w.cell[1], w.threads, 2, "and they start all threads");
	is_near(w.cell[2], 0, 0, "the lanes of the third are low");
	w = count_groups("chv", "private.mad.sp.x4", 15, &chv_ready);
	ok(w.cell[0] > 0.75 * w.clocks && w.cell[1] == 0, "chv: the 15th group waits in subslice 0");
	is_near(w.cell[2], w.clocks, 0, "a signal that is low when it is there seems to be there always");
	w = count_groups("chv", "private.mad.sp.x4", 15, &chv_ready_1);
	is_near(w.cell[0], w.clocks, 0, "so it is in slice 1, which chv does not have");
}

static void dual_subslices(void)
{
	struct window a = count_groups("tgl", "private.mad.sp.x4", 9, &tgl_header),
		      b = count_groups("tgl", "private.mad.sp.x4", 9, &tgl_header_2),
		      c = count_groups("tgl", "private.mad.sp.x4", 9, &tgl_header_5),
		      any = count_groups("tgl", "private.mad.sp.x4", 9, &tgl_any_port),
		      ready = count_groups("tgl", "private.mad.sp.x4", 9, &tgl_ready);
	double sum = a.cell[0] + a.cell[1] + b.cell[0] + b.cell[1] + b.cell[2] + c.cell[0];

	is_near(a.cell[0] / b.cell[1], 2, 1e-3, "tgl, 9 groups: dual subslice 0 has two");
	is_near(b.cell[0] / c.cell[0], 2, 1e-3, "so has 2, and 5 has one");
	is_near(sum, 2 * a.threads, 6, "headers are threads, which A4 counts in pairs");
	ok(any.cell[0] < a.cell[0] && any.cell[0] > 0.95 * a.cell[0], "ports may send at a time, and rarely do");
	for (int j = 0; j < 6; j++)
		is_near(ready.cell[j], 0, 0, "tgl, 9 groups: none waits in %d", j);
}

static void xe_cores(void)
{
	/* Group counts and exits of one set are of different Xe-cores. */
	static const struct { const char *config; int groups, exits; } sets[] = {
		{ "mtlgt2-ext104", 2, 0 }, { "mtlgt2-ext105", 3, 1 }, { "mtlgt2-ext106", 0, 2 }, { "mtlgt2-ext107", 1, 3 },
	};
	static const struct { const char *config, *low, *high; } slm[] = {
		{ "mtlgt2-ext508", "C1", "B2" }, { "mtlgt2-ext509", "C1", "B2" },
		{ "mtlgt2-ext510", "C1", "B2" }, { "mtlgt2-ext511", "C1", "B2" },
	};
	const char *spec = "mtl,load=slm,groups=6,items=256";
	double groups[4], exits = 0, bytes = 0;
	struct window w;

	for (size_t i = 0; i < 4; i++) {
		const struct cells c = { sets[i].config, 4, { "B2", "B0", "B1", "B3" } };

		w = count(spec, &c, NULL);
		groups[sets[i].groups] = w.cell[0];
		exits += w.cell[1];
		is_near(w.cell[2] + w.cell[3], 0, 0, "%s: there are no task shaders", c.config);
	}
	is_near(groups[0] / groups[3], 2, 5e-3, "mtl, 6 groups: Xe-core 0 has two");
	is_near(groups[1] / groups[2], 2, 5e-3, "so has 1, and 2 has one");
	is_near(exits, 2 * w.threads, 40, "all threads end");
	for (size_t i = 0; i < 4; i++) {
		const struct cells c = { slm[i].config, 3, { slm[i].low, slm[i].high, "C7" } };

		w = count(spec, &c, NULL);
		bytes += 64 * (w.cell[0] + w.cell[1]);
		is_near(w.cell[2], 0, 0, "%s: bytes come by lines", c.config);
	}
	const struct cells reads = { "mtlgt2-ext508", 1, { "A30" } };
	w = count(spec, &reads, NULL);
	is_near(bytes / (64 * w.cell[0]), 1, 1e-6, "the banks of all Xe-cores read what the device reads");
	w = count_groups("mtl", "private.mad.sp.x4", 900, &mtl_queue);
	for (int j = 0; j < 4; j++)
		ok(w.cell[j] > 0.5 * w.clocks && w.cell[j] <= w.clocks, "mtl: groups wait in Xe-core %d", j);
	w = count_groups("mtl", "private.mad.sp.x4", 900, &mtl_queue_1);
	is_near(w.cell[0] + w.cell[1] + w.cell[2] + w.cell[3], 0, 0, "the other queue is empty");
}

/* What the programming says counts, not what the set is called. */
static void other_words(void)
{
	const char *spec = "hd620,load=private.mad.sp.x4,groups=22,items=256";
	struct window ready = count(spec, &kbl_ready, NULL), other;
	const struct cells *c = &kbl_ready;

	other = count(spec, c, "registers OA 2780 00000005");
	is_near(other.cell[0], ready.clocks - ready.cell[0], 1, "the opposite comparison counts the other clocks");
	other = count(spec, c, "registers OA 2784 0000ffff");
	is_near(other.cell[0], ready.clocks, 0, "a block that looks at no lane counts all clocks");
	other = count(spec, c, "registers OA 2784 0000feff");
	is_near(other.cell[0], 0, 0, "a lane of pixel shaders: none");
	other = count(spec, c, "registers OA 2784 0000fffe");
	ok(isnan(other.cell[0]), "a lane that nobody knows gives no counter");
	other = count(spec, c, "registers OA 2714 e0800000");
	ok(isnan(other.cell[1]) && !isnan(other.cell[0]), "B0 without its block counts lane 0, which nobody knows");
	other = count(spec, c, "registers OA 2710 00000001");
	is_near(other.cell[0], ready.cell[0], 1, "of two start triggers one fires at once: all is counted");
	other = count(spec, c, "registers NOA 9888 00000000");
	ok(isnan(other.cell[0]), "another NOA list: nothing is known");
	const struct cells plain = { "kblgt2-compute", 3, { "B0", "B2", "C7" } };
	other = count(spec, &plain, NULL);
	ok(isnan(other.cell[0]) && isnan(other.cell[1]) && isnan(other.cell[2]),
		"ComputeBasic brings no signals of subslices");
}

/* A block that joins all that the list brings to blocks is high at least as often as the busiest of
 * them and at most as often as all together; one that wants all is high at most as often as the
 * laziest. */
static void chained(void)
{
	static const struct {
		const char *spec;
		struct cells c;
		const char *signals;
		int n;
	} rows[] = {
		{ "hd620,load=private.mad.sp.x4,groups=64,items=256",
			{ "kblgt2-tdl1", 5, { "B2", "B0", "B4", "B6", "B7" } }, "B2,B0,B4", 3 },
		{ "hd620,load=private.mad.sp.x4,groups=22,items=256",
			{ "kblgt2-tdl1", 5, { "B2", "B0", "B4", "B6", "B7" } }, "B2,B0,B4", 3 },
		{ "hd620,load=desktop", { "kblgt2-tdl1", 5, { "B1", "B5", "B3", "B6", "B7" } }, "B1,B5,B3", 3 },
		{ "chv,load=private.mad.sp.x4,groups=15,items=256",
			{ "bdw-tdl2", 4, { "B5", "B4", "B6", "B7" } }, "B5,B4", 2 },
		{ "tgl,load=copy.sp.x4,groups=20,items=256",
			{ "tglgt2-hdcandsf", 7, { "B2", "B3", "B4", "B5", "B1", "B0", "B7" } }, "B2,B3,B4,B5,B1,B0", 6 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct cells *c = &rows[i].c;
		const char *joint = c->counters[c->n - 1];
		double most = 0, least = HUGE_VAL, sum = 0;
		char any[64], all[64], none[64];
		int n = rows[i].n;

		snprintf(any, sizeof(any), "program %s any(%s)", joint, rows[i].signals);
		snprintf(all, sizeof(all), "program %s all(%s)", joint, rows[i].signals);
		snprintf(none, sizeof(none), "program %s !any(%s)", joint, rows[i].signals);
		struct window some = count(rows[i].spec, c, any), every = count(rows[i].spec, c, all),
			      no = count(rows[i].spec, c, none);
		for (int j = 0; j < n; j++) {
			most = fmax(most, some.cell[j]);
			least = fmin(least, some.cell[j]);
			sum += some.cell[j];
		}
		ok(most > 0 && some.cell[c->n - 1] >= most - 1 && some.cell[c->n - 1] <= fmin(sum, some.clocks) + 1,
			"%s: %s is %.0f, from %.0f to %.0f", rows[i].spec, any, some.cell[c->n - 1],
			most, fmin(sum, some.clocks));
		ok(every.cell[c->n - 1] <= least + 1, "  ... all of them %.0f, at most %.0f",
			every.cell[c->n - 1], least);
		is_near(no.cell[c->n - 1] + some.cell[c->n - 1], some.clocks, 1, "  ... none of them else");
	}
}

/* Lanes that are counted by themselves are compared as well; signals are independent in the model. */
static void asked_lanes(void)
{
	const char *spec = "hd620,load=private.mad.sp.x4,groups=630,items=256";
	const struct cells c = { "kblgt2-tdl2", 3, { "C5", "C6", "B0" } };
	struct window w = count(spec, &c, "program B0 any(L13,L14)");
	double a = w.cell[0] / w.clocks, b = w.cell[1] / w.clocks;

	ok(a > 0 && b > 0, "both ports of subslice 0 are busy");
	is_near(w.cell[2] / w.clocks, a + b - a * b, 1e-6, "any of two lanes");
	w = count(spec, &c, "program B0 all(L13,!L14)");
	is_near(w.cell[2] / w.clocks, a * (1 - b), 1e-6, "the one without the other");
	w = count(spec, &c, "program B0 number(L13,L14) >= 2");
	is_near(w.cell[2] / w.clocks, b, 1e-6, "a number of two lanes: the higher bit");
	w = count(spec, &c, "program B0 any(L0,L13)");
	ok(isnan(w.cell[2]), "a lane that nobody knows gives no counter");
}

int main(void)
{
	chained();
	asked_lanes();
	dealing();
	waiting();
	data_port();
	memory_queues();
	fused_off();
	dual_subslices();
	xe_cores();
	other_words();
	return done_testing();
}
