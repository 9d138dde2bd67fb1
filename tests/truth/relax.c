/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out what limits a simulated device, without its counters: the model runs the load again
 * with one resource at a time a million times faster. What then gets faster was the limit.
 * What kinds are called is said in rooftop(1). */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/sim_vendors.h"
#include "base/mem.h"
#include "tests/truth/relax.h"
#include "tests/truth/trial.h"

#define MANY 64		/* times more groups: enough to fill every EU for long */
#define REACH 0.85	/* of what is printed of a memory */
#define CLOCK_GAIN 1.1	/* from which a higher clock is surely what helps */
#define LEAST_TRAFFIC 2e8	/* bytes in a second: no memory is full with less */

/* The words that exports use. */
static const char *const words[RESOURCES] = { "fpu0", "fpu1", "xmx", "sampler", "rasterizer", "send", "l3", "slm",
	"gti_read", "gti_write", "dram", "latency" };

void answer(struct answer *a, const char *kinds, const char *bounds, double headroom)
{
	snprintf(a->kinds, sizeof(a->kinds), "%s", kinds);
	snprintf(a->bounds, sizeof(a->bounds), "%s", bounds);
	a->least = headroom * 0.92;
	a->most = headroom * 1.09;
}

/* Another answer is as right. */
static void also(struct answer *a, const char *kind)
{
	size_t len = strlen(a->kinds);

	if (!strstr(a->kinds, kind))
		snprintf(a->kinds + len, sizeof(a->kinds) - len, "|%s", kind);
	snprintf(a->bounds, sizeof(a->bounds), "*");
	a->least = a->most = NAN;
}

/* What rooftop can see of a resource: value over the roof that this device tells, both as the
 * model has them; NAN where it tells none. */
static double visible_share(const struct scene *s, const struct outcome *o, enum resource r)
{
	const struct intel_platform *p = s->platform;
	double cycles = o->ns / 1e9 * o->hz, bytes = MEMORY_LINE_BYTES, lines = o->lines;
	double width = s->spec.machine.l3_bytes_per_cycle_subslice;
	int subslices = s->hw.eu.subslices;
	bool xe2 = p->graphics_ver >= 20, dg2 = p->graphics_verx10 >= 125 && !xe2;

	switch (r) {
	case FPU0:
		return o->fpu0 * o->busy;
	case FPU1:
		return o->fpu1 * o->busy;
	case XMX:
		return o->xmx * o->busy;
	case SEND:
		return o->send * o->busy;
	case L3:
		/* not counted, or no published set tells the roof */
		if (xe2 || dg2 || p->graphics_ver == 7)
			return NAN;
		/* Up to Gen10, and on Elkhart Lake, Intel counts local memory with it, by one width. */
		if (p->graphics_ver < 11 || !strcmp(p->name, "ehl"))
			lines += o->slm_lines;
		width *= cycles * subslices;
		return lines * bytes / width;
	case SLM:
		if (xe2 || p->graphics_ver == 7)
			return NAN;
		if (dg2)
			return o->slm_lines / cycles / subslices;
		return o->slm_lines * bytes / cycles / subslices / p->slm_bytes_per_cycle_subslice;
	case GTI_READ:
		if (xe2)
			return NAN;
		return o->reads * bytes / cycles / s->hw.eu.memory.gti_read_bytes_per_cycle;
	case GTI_WRITE:
		if (xe2)
			return NAN;
		return o->writes * bytes / cycles / s->hw.eu.memory.gti_write_bytes_per_cycle;
	case DRAM:
		if (s->spec.machine.hides_roof)
			return NAN;
		/* The controllers count everybody's, behind all caches. */
		if (s->spec.load.others_bytes_per_s > 0)
			return (o->dram_lines * bytes / o->ns * 1e9 +
				       s->spec.load.others_bytes_per_s) /
				s->spec.machine.dram_bytes_per_s;
		return (o->reads + o->writes) * bytes / o->ns * 1e9 /
			s->spec.machine.dram_bytes_per_s;
	default:
		return NAN;
	}
}

/* Whether more passes GTI than this memory gives while it works, so that a cache serves a part. */
static bool is_cached(const struct scene *s, const struct outcome *o)
{
	double most = memory_reachable_bytes_per_s(&s->hw.eu.memory) * fmin(o->busy, 1);

	return (o->reads + o->writes) * MEMORY_LINE_BYTES / o->ns * 1e9 > most * 1.02;
}

static const char *word_of(const struct scene *s, enum resource r)
{
	if (s->platform->graphics_ver >= 12 && r == FPU0)
		return "alu0";
	if (s->platform->graphics_ver >= 12 && r == FPU1)
		return "alu1";
	return words[r];
}

/* Units of fixed function are counted by other sets, if at all. Haswell counts no pipe: all that can be said is that the EUs compute. The assignment for Gen12
 * has no room for ALU1. */
static bool counts_pipe(const struct scene *s, enum resource r)
{
	if (r == SAMPLER || r == RASTERIZER)
		return false;
	if (s->platform->graphics_verx10 == 120)
		return r != FPU1;
	return s->platform->graphics_ver > 7;
}

/* The smallest 1 / share of everything that rooftop can see of this load alone. */
static double nearest(const struct scene *s, const struct outcome *o)
{
	double share = 0;

	for (int r = 0; r < LATENCY; r++)
		if (r != DRAM || !(s->spec.load.others_bytes_per_s > 0))
			share = fmax(share, visible_share(s, o, (enum resource)r));
	return 1 / fmax(share, 1e-9);
}

static enum resource first_of(unsigned resources)
{
	enum resource r = FPU0;

	while (!(resources & BIT(r)))
		r++;
	return r;
}

/* Whether nothing is known of a memory that may be what the load waits for. */
static bool hides_memory(const struct scene *s, const struct outcome *o)
{
	double bytes = (o->reads + o->writes) * MEMORY_LINE_BYTES;

	return s->spec.machine.hides_roof && bytes / o->ns * 1e9 > LEAST_TRAFFIC;
}

/* The share from which a kind is said of a resource. */
static double threshold(const struct scene *s, const struct outcome *o, enum resource r)
{
	if (r <= SEND)
		return 0.9;
	if (r == DRAM)
		return 0.75;
	/* what lies behind is not known, or may be slower than its data sheet */
	double dram = visible_share(s, o, DRAM);
	bool is_gti = r == GTI_READ || r == GTI_WRITE;
	if (hides_memory(s, o) || (is_gti && dram > 0.3 && dram < 0.75))
		return 0.9;
	return 0.8;
}

/* How near rooftop sees a resource to that. */
static double nearness(
	const struct scene *s, const struct outcome *o, enum resource r)
{
	double share = visible_share(s, o, r);

	return isnan(share) ? 0 : share / threshold(s, o, r);
}

/* Two that are full at the same time hide each other: then neither speeds the load up, and the one
 * that rooftop can see full is the answer. */
static struct trial strongest(const struct scene *s, const struct outcome *o)
{
	struct trial best = { 0 }, fullest = { 0 }, both = { .resources = BIT(FPU0) | BIT(FPU1) };

	for (int r = 0; r < RESOURCES; r++) {
		struct trial t = { .resources = BIT(r) };

		if (!trial_of(s, o, &t))
			continue;
		if (t.speedup > best.speedup)
			best = t;
		if (t.alone > fullest.alone + 0.01 ||
			(t.alone > 0.97 &&
				nearness(s, o, (enum resource)r) >
					nearness(s, o, first_of(fullest.resources))))
			fullest = t;
	}
	if (best.speedup > 1.02)
		return best;
	if (trial_of(s, o, &both) && both.speedup > 1.02)
		return both;
	return fullest;
}

static double nearest_level(const struct scene *s, const struct outcome *o)
{
	double share = 0;

	for (int r = L3; r < LATENCY; r++)
		share = fmax(share, visible_share(s, o, (enum resource)r));
	return share;
}

/* Whether counters tell that the queue to the memory is full: in the usual set of Xe2, and in
 * another set that is glanced at where the memory has no roof, or the L3 is not counted. */
static bool shows_queue(const struct scene *s)
{
	const char *name = s->platform->name;

	return s->platform->graphics_ver >= 20 || !strcmp(name, "mtlgt2") ||
		(s->spec.machine.hides_roof && !strcmp(name, "tglgt2"));
}

/* A full queue tells that memory is behind, and nothing that GTI is the reason, or that the
 * queue is empty at the end of a launch. Tiger Lake has a set of its own for it. */
static void also_queue(struct answer *a, const struct scene *s, const struct outcome *o)
{
	if (o->queue_full > 0.5 && (shows_queue(s) || !strcmp(s->platform->name, "tglgt2")))
		also(a, "bandwidth");
}

static const char *clock_kind(enum clock_reason r)
{
	switch (r) {
	case CLOCK_BY_POWER:
		return "power";
	case CLOCK_BY_HEAT:
		return "heat";
	case CLOCK_BY_CURRENT:
		return "current";
	default:
		return "clock";
	}
}

/* Shaders of pixels and vertices may wait for units that the usual set does not count. */
static void also_graphics(struct answer *a, const struct scene *s)
{
	if (!strstr(s->spec.load.load, "samples") && !strstr(s->spec.load.load, "triangles"))
		return;
	also(a, "unknown");
	/* nor is it known whether there are enough threads, before which a held clock is asked for */
	if (a->at_highest > 1.1)
		also(a, clock_kind(s->clock.reason));
}

/* A memory that is slower than its data sheet looks like latency, unless its queue is counted. */
static void also_slow_memory(struct answer *a, const struct scene *s, const struct outcome *o)
{
	double share = visible_share(s, o, DRAM);

	if (share > 0.3 * o->loaded && share < 0.75 && o->loaded - o->active > 0.5 * o->loaded && !shows_queue(s))
		also(a, "unknown");
}

/* What a cache serves looks like traffic of the memory: a full one, where it is as much as that, or one of which
 * nothing is known, where it is more. */
static void also_cached(struct answer *a, const struct scene *s, const struct outcome *o)
{
	if (is_cached(s, o))
		also(a, "unknown");
	if (is_cached(s, o) && nearness(s, o, DRAM) > 1)
		also(a, "bandwidth");
}

/* A thread's own latency limits it; that all wait for most of the time is a part of the word. */
static void answer_latency(
	struct answer *a, const struct scene *s, const struct outcome *o)
{
	double stall = o->loaded - o->active;

	/* The word needs full EUs, and no level near its roof. */
	bool is_word = stall > 0.5 && o->occupancy >= 0.75 && nearest_level(s, o) < 0.6;
	answer(a, is_word ? "latency" : "none|mix", "*", nearest(s, o));
	a->least = 1;
	a->most *= 1.1;
	/* Haswell does not count occupancy. */
	if (s->platform->graphics_ver == 7 || (stall > 0.5 && !is_word))
		also(a, "unknown");
	else if (isnan(visible_share(s, o, L3)) || s->spec.machine.hides_roof)
		also(a, "unknown");
	also_queue(a, s, o);
	/* Where nothing else can be said, threads that wait for each other say so. */
	bool is_sure = !strcmp(a->kinds, "latency");
	if (is_sure && !strcmp(s->spec.load.load, "atomic.same"))
		snprintf(a->causes, sizeof(a->causes), "atomics");
	else if (is_sure && !strcmp(s->spec.load.load, "slm.barrier"))
		snprintf(a->causes, sizeof(a->causes), "barriers");
}

/* From which share a kind is said is a part of its meaning. */
static void answer_share(struct answer *a, const struct scene *s, const struct outcome *o, enum resource r,
	const char *word, double share)
{
	const char *kind = r <= SEND ? "pipe" : "bandwidth";
	double full = threshold(s, o, r), of_busy = share / fmin(o->busy, 1);
	bool is_full = share > full || (o->busy < 0.87 && of_busy > full);

	/* Shares are of the time with work, or of all time where there is hardly any other: near that
	 * border the pauses of a window decide. */
	if (is_full || (o->busy < 0.93 && of_busy > full)) {
		answer(a, kind, word, 1 / share);
		if (!is_full)
			also(a, "none|mix");
	} else if (share > 0.65)
		answer(a, "none|mix", r <= FPU1 ? "*" : word, 1 / share);
	else
		answer(a, "none|mix|latency", "*", NAN);
}

/* That a level has no roof, or is not counted, is said while most of the EUs wait; its queue may
 * tell that it is full. */
static void answer_unknown(
	struct answer *a, const struct scene *s, const struct outcome *o, enum resource r)
{
	double stall = o->loaded - o->active;

	if (r == DRAM && shows_queue(s) && o->queue_full > 0.5 && stall > 0.5) {
		answer(a, "bandwidth", "dram", NAN);
		return;
	}
	answer(a, "unknown|bandwidth", r == DRAM ? "dram" : "*", NAN);
	/* It gains no more than the time in which EUs do not work, which is a part of that word. */
	if (o->active > 0.84)
		also(a, "mix");
}

/* Levels that are nearly as full as the one that was found are as good an answer. */
static void also_levels(struct answer *a, const struct scene *s, const struct outcome *o,
	enum resource found)
{
	for (int r = L3; r < LATENCY && found >= L3 && found < LATENCY; r++) {
		struct trial t = { .resources = BIT(r) };
		size_t len = strlen(a->bounds);

		if (r == (int)found || *a->bounds == '*' || !trial_of(s, o, &t) ||
			t.alone < 0.87)
			continue;
		snprintf(a->bounds + len, sizeof(a->bounds) - len, "|%s", words[r]);
		double headroom = 1 / visible_share(s, o, (enum resource)r);
		if (!isnan(a->least)) {
			a->least = fmin(a->least, headroom * 0.92);
			a->most = fmax(a->most, headroom * 1.09);
		}
	}
}

/* A level that is as full as what was found hides behind it, and one that is full by the meaning of
 * the word is as good an answer. More than the memory gives passes GTI where a cache behind it
 * serves a part: then nothing is known of the memory. */
static void also_full_level(struct answer *a, const struct scene *s, const struct outcome *o, enum resource found)
{
	double busy = o->busy < 0.9 ? o->busy : 1;

	for (int r = FPU0; r <= SEND && !strstr(a->kinds, "pipe"); r++)
		if (counts_pipe(s, (enum resource)r) && visible_share(s, o, (enum resource)r) > 0.9 * busy)
			also(a, "pipe");
	for (int r = L3; r < LATENCY; r++) {
		struct trial t = { .resources = BIT(r) };
		double share = visible_share(s, o, (enum resource)r) / busy;

		if (!strstr(a->kinds, "bandwidth") &&
			((found <= SEND && trial_of(s, o, &t) && t.alone > 0.93) ||
				share > threshold(s, o, (enum resource)r)))
			also(a, "bandwidth");
		if (r == DRAM ? is_cached(s, o) : share > 1.04)
			also(a, "unknown");
	}
}

static void answer_resource(
	struct answer *a, const struct scene *s, const struct outcome *o)
{
	struct trial t = strongest(s, o);
	enum resource r = first_of(t.resources);
	double share = visible_share(s, o, r);
	const char *word = word_of(s, r);

	if (t.resources & ~BIT(r))
		word = "fpu";
	snprintf(a->why, sizeof(a->why),
		"%s a million times faster: %.2fx; alone it takes %.0f %% of the time", word,
		t.speedup, 100 * t.alone);
	/* Before Gen12 nothing counts atomics in local memory. */
	if (r == SLM && strstr(s->spec.load.load, "atomic.local"))
		answer(a, s->platform->graphics_verx10 == 120 ? "unknown|latency" : "unknown", "*", NAN);
	else if (r == LATENCY)
		answer_latency(a, s, o);
	else if (r == SAMPLER || r == RASTERIZER)
		answer(a, r == SAMPLER ? "unknown|pipe" : "unknown", "sampler|rasterizer", NAN);
	else if (r <= SEND && !counts_pipe(s, r))
		answer(a, "none|mix|unknown", "*", NAN);
	else if (isnan(share))
		answer_unknown(a, s, o, r);
	else if (r == SLM && s->platform->graphics_ver < 11)
		/* Gen9 reads both through one port, as wide as either. */
		answer_share(a, s, o, L3, "slm|l3", visible_share(s, o, L3));
	else
		answer_share(a, s, o, r, word, share);
	/* GTI's traffic is the most that the memory can have moved: caches behind it do not show. */
	if (r == DRAM && (o->reads + o->writes) * MEMORY_LINE_BYTES / o->ns * 1e9 >
			0.73 * s->spec.machine.dram_bytes_per_s)
		also(a, "bandwidth");
	/* Everybody's traffic needs a second sign. */
	if (r == DRAM && s->spec.load.others_bytes_per_s > 0 && o->loaded - o->active < 0.5 * o->loaded)
		also(a, "none|mix");
	/* the queue tells what bandwidth does not: too many requests are under way */
	if (r == DRAM && share < threshold(s, o, r))
		also_queue(a, s, o);
	/* What hardly gains anything, and takes little of the time, limits nothing by itself. */
	if (t.speedup < 1.1 && t.alone < 0.5)
		also(a, "none|mix");
	/* nor does the usual set of Xe2 count any */
	if (s->platform->graphics_ver >= 20 && strstr(s->spec.load.load, "atomic.same"))
		also(a, "unknown");
	also_slow_memory(a, s, o);
	also_levels(a, s, o, r);
	also_full_level(a, s, o, r);
	if (!strcmp(a->kinds, "pipe") && fmin(o->fpu0, o->fpu1) > 0.93)
		snprintf(a->bounds, sizeof(a->bounds), "fpu");
}

/* Returns true when a higher clock would help: the driver's limit, not a resource, is the
 * answer. */
static bool answer_clock(struct answer *a, const struct scene *s, const struct outcome *o)
{
	double highest = s->hw.power.max_hz;
	struct outcome free_clock;

	if (s->clock.reason == CLOCK_FREE || !trial_run(s, highest, 0, 1, &free_clock) ||
		o->ns / free_clock.ns < 1.03 || o->hz > 0.97 * highest)
		return false;
	answer(a, clock_kind(s->clock.reason), "*", highest / o->hz * nearest(s, o));
	a->least = 1.02;
	a->most *= 1.06;
	/* what is full may not be counted: any headroom, or none */
	if (!counts_pipe(s, FPU1) || isnan(visible_share(s, o, L3)))
		a->least = a->most = NAN;
	/* A memory that gives less than any does is not behind its queue. */
	if (!(visible_share(s, o, DRAM) < 0.28))
		also_queue(a, s, o);
	also_slow_memory(a, s, o);
	/* The clock is the answer where what is fullest follows it. */
	if (nearest(s, o) * visible_share(s, o, DRAM) > 0.97)
		also(a, "none");
	if (visible_share(s, o, DRAM) > 0.75)
		also(a, "bandwidth");
	also_cached(a, s, o);
	snprintf(a->why, sizeof(a->why), "%.0f instead of %.0f MHz; at the highest clock %.2fx", o->hz / 1e6,
		highest / 1e6, o->ns / free_clock.ns);
	return true;
}

/* At a clock that is held, what follows it may be as full as what was found, so that neither hides
 * the other, or be the fullest of what can be seen: then the clock is as good an answer. */
static void also_clock(struct answer *a, const struct scene *s, const struct outcome *o)
{
	double dram = visible_share(s, o, DRAM);

	for (int r = FPU0; r < DRAM && s->clock.reason != CLOCK_FREE; r++) {
		struct trial t = { .resources = BIT(r) };
		double share = visible_share(s, o, (enum resource)r);

		if ((trial_of(s, o, &t) && t.alone > 0.87) ||
			share > threshold(s, o, (enum resource)r) || (share > dram && dram < 0.75))
			also(a, clock_kind(s->clock.reason));
	}
}

static void answer_rest(struct answer *a, const struct scene *s, const struct outcome *o)
{
	struct answer clock = *a;
	bool helps = answer_clock(&clock, s, o);

	if (helps && a->at_highest > CLOCK_GAIN) {
		*a = clock;
		return;
	}
	answer_resource(a, s, o);
	also_clock(a, s, o);
	/* Where a higher clock gains hardly more than a measurement errs, both are as good an answer. */
	if (helps)
		also(a, clock.kinds);
}

/* How long threads seem to live: Haswell does not count how many there are, Xe2 starts of groups
 * in place of those of threads, and Gen12 the threads of every fourth EU, which may have more of them. */
static double seen_life_ns(const struct scene *s, const struct outcome *o)
{
	if (s->platform->graphics_ver == 7)
		return INFINITY;
	if (s->platform->graphics_ver >= 20)
		return o->thread_life_ns * o->group_threads;
	if (s->platform->graphics_verx10 == 120)
		return o->thread_life_ns * o->seen_occupancy / o->occupancy;
	return o->thread_life_ns;
}

/* Returns true when more groups at once would help. */
static bool answer_work(struct answer *a, const struct scene *s, const struct outcome *o)
{
	struct outcome many, more;
	double gain, idle = 1 - o->loaded, stall = o->loaded - o->active;
	char why[sizeof(a->why)];

	if (!trial_run(s, o->hz, 0, MANY, &many))
		return false;
	gain = (o->ns - o->pause_ns) / (many.ns - many.pause_ns) * MANY;
	snprintf(why, sizeof(why),
		"%d times the groups: %.2fx; %.0f %% of EU time without a thread, occupancy %.0f "
		"%%, threads live %.1f us",
		MANY, gain, 100 * idle, 100 * o->occupancy, o->thread_life_ns / 1000);
	/* The word needs a quarter of the time without a thread, and that those that there are work. */
	bool work = idle > 0.25 && o->active > 0.5 * o->loaded;
	if (gain < 1.15 && (idle > 0.5 || work || (o->occupancy < 0.5 && stall > 0.5)) && nearest_level(s, o) < 0.8) {
		answer_rest(a, s, o);
		also(a, "parallelism");
		return true;
	}
	if (gain < 1.15)
		return false;
	/* That threads are few is said by these signs; without them, or where others are as near,
	 * what follows in the order is as right. */
	if (gain < 1.4 || !(idle > 0.25 || (o->occupancy < 0.5 && stall > 0.5))) {
		answer_rest(a, s, o);
		also(a, "parallelism|none");
		/* The signs of short launches are asked for before. */
		if (idle > 0.5 && o->thread_life_ns < 5000)
			also(a, "launch");
	} else if (idle > 0.5 && o->thread_life_ns < 5000) {
		answer(a, "launch", "*", NAN);
		if (seen_life_ns(s, o) > 5000)
			also(a, "parallelism");
	} else {
		answer(a, "parallelism", "*", gain);
		/* An upper bound, as far as what is full first is counted; so many groups are no
		 * bound of what more would gain. */
		a->most = gain * 1.45;
		/* Of Gen12's threads only those of every fourth EU are counted: an EU that has any has one,
		 * and the others may send nothing. */
		if (s->platform->graphics_verx10 == 120)
			a->most = fmax(a->most, fmin(s->hw.eu.threads_per_eu / o->loaded, 4 / o->send));
		/* Few groups leave a part of the last ones alone, however many times there are. */
		if (trial_run(s, o->hz, 0, 8 * MANY, &more))
			a->most = fmax(a->most, 1.45 * 8 * MANY * (o->ns - o->pause_ns) / (more.ns - more.pause_ns));
		if (gain > MANY * 0.4 || isnan(visible_share(s, o, L3)) ||
			strchr(s->spec.load.load, '+'))
			a->most = INFINITY;
		if (!counts_pipe(s, FPU0))
			a->least = a->most = NAN;
		/* Haswell does not count occupancy; and threads that wait may wait for a level that
		 * is not known. */
		if (isnan(visible_share(s, o, L3)) && (idle < 0.25 || stall > 0.5 * o->loaded))
			also(a, "unknown");
		also_cached(a, s, o);
		also_slow_memory(a, s, o);
	}
	also_queue(a, s, o);
	snprintf(a->why, sizeof(a->why), "%s", why);
	return true;
}

static bool is_known(struct scene *s)
{
	return strcmp(s->spec.load.load, "tour") && strcmp(s->spec.load.load, "desktop");
}

static bool answer_intel(struct answer *a, const char *text, struct err *err)
{
	struct scene *s = xcalloc(1, sizeof(*s));
	struct outcome o;
	bool good = scene_open(s, text, err) && is_known(s);

	if (good && !strcmp(s->spec.load.load, "idle")) {
		answer(a, "idle", "busy", NAN);
		snprintf(a->why, sizeof(a->why), "nothing is submitted");
	} else if (good) {
		double hz = (double)s->clock.hz;

		good = trial_run(s, hz, 0, 1, &o);
		a->round_ns = o.ns;
		if (o.busy < 0.053) {
			answer(a, "idle", "busy", NAN);
			/* windows begin and end within a pause */
			if (o.busy > 0.047)
				also(a, "host|partly_idle");
		} else if (o.busy < 0.7) {
			answer(a, "host|partly_idle", "busy", 1 / o.busy);
			/* windows begin and end within a pause */
			a->least *= 0.9;
			a->most *= 1.1;
			snprintf(a->why, sizeof(a->why), "busy for %.0f %% of the time", 100 * o.busy);
		} else {
			struct outcome highest;

			if (s->clock.reason != CLOCK_FREE && trial_run(s, s->hw.power.max_hz, 0, 1, &highest))
				a->at_highest = o.ns / highest.ns;
			if (!answer_work(a, s, &o))
				answer_rest(a, s, &o);
			also_graphics(a, s);
			if (o.busy < 0.92)
				also(a, "host|partly_idle");
		}
	}
	free(s);
	return good;
}

/* --- what the named resource gains --- */

/* The resource of a word of exports; RESOURCES: it is none. */
static enum resource resource_of(const char *word)
{
	enum resource r = FPU0;

	if (!strncmp(word, "alu", 3))
		return !strcmp(word, "alu1") ? FPU1 : FPU0;
	if (!strcmp(word, "fpu"))
		return FPU0;
	while (r < RESOURCES && strcmp(words[r], word) != 0)
		r++;
	return r;
}

/* Nothing gains less than what is left of the fullest resource that can be seen. */
static double gain_at_roof(const struct scene *s, const struct outcome *o, const char *bound)
{
	enum resource r = resource_of(bound);
	struct outcome roof;

	if (r == RESOURCES || isnan(visible_share(s, o, r)) || !trial_at_roof(s, o->hz, r, &roof))
		return NAN;
	return fmin(fmax(nearest(s, o), o->ns / roof.ns), 1 / visible_share(s, o, r));
}

static double gain_of(const struct scene *s, const struct outcome *o, const char *kind, const char *bound)
{
	struct outcome other;

	if (!strcmp(kind, "host") || !strcmp(kind, "partly_idle"))
		return 1 / o->busy;
	/* up to what the memory gives */
	if (!strcmp(kind, "launch"))
		return fmin(fmin(1 / o->loaded, nearest(s, o)), REACH / visible_share(s, o, DRAM));
	if (!strcmp(kind, "latency"))
		return trial_run(s, o->hz, BIT(LATENCY), 1, &other) ? o->ns / other.ns : NAN;
	if (!strcmp(kind, "parallelism") && trial_run(s, o->hz, 0, MANY, &other))
		return (o->ns - o->pause_ns) / (other.ns - other.pause_ns) * MANY;
	if (strstr(" heat power current clock ", kind))
		return trial_run(s, s->hw.power.max_hz, 0, 1, &other) ? o->ns / other.ns : NAN;
	return gain_at_roof(s, o, bound);
}

double answer_gain(const char *spec, const char *kind, const char *bound)
{
	struct scene *s = xcalloc(1, sizeof(*s));
	double gain = NAN;
	struct outcome o;

	if (sim_spec_knows(spec) && scene_open(s, spec, NULL) && is_known(s) && strcmp(s->spec.load.load, "idle") &&
		trial_run(s, (double)s->clock.hz, 0, 1, &o))
		gain = gain_of(s, &o, kind, bound);
	free(s);
	return gain;
}

/* Each vendor's model has its own way to be relaxed. */
bool answer_of(struct answer *a, const char *spec, struct err *err)
{
	struct sim_spec s;

	if (sim_mali_knows(spec))
		return sim_spec_other(spec, " id mhz ", &s, err) && answer_mali(a, s.load.load);
	if (sim_amd_knows(spec))
		return answer_amd(a, spec, err);
	if (sim_nvidia_knows(spec))
		return answer_nvidia(a, spec, err);
	return answer_intel(a, spec, err);
}
