/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of energy. Counters change at times of their own (about every millisecond, on some parts
 * every 50): a window that is shorter than a few of these steps keeps what the last one had. */
#include "config.h"

#include "backends/power/energy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu_info.h"
#include "backends/common/stand_ins.h"
#include "base/clock.h"
#include "base/minmax.h"

const char *const power_ways[] = {
	"auto", "hwmon", "perf", "powercap", "sensors", "papi", "none", NULL
};

/* Each plane's energy of the window, each plane's energy since opening, how often the counters
 * change. */
enum { TOTALS = ENERGY_PLANES, UPDATE = 2 * ENERGY_PLANES, COUNTERS };

static const struct counter_desc counters[COUNTERS] = {
	[ENERGY_PACKAGE] = { "energy_package_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[ENERGY_CORES] = { "energy_cores_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[ENERGY_GPU] = { "energy_gpu_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[ENERGY_DRAM] = { "energy_dram_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[ENERGY_PSYS] = { "energy_psys_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[ENERGY_CARD] = { "energy_card_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[TOTALS + ENERGY_PACKAGE] = { "energy_package_total_uj", "uJ", 64, COUNTER_TOTAL },
	[TOTALS + ENERGY_CORES] = { "energy_cores_total_uj", "uJ", 64, COUNTER_TOTAL },
	[TOTALS + ENERGY_GPU] = { "energy_gpu_total_uj", "uJ", 64, COUNTER_TOTAL },
	[TOTALS + ENERGY_DRAM] = { "energy_dram_total_uj", "uJ", 64, COUNTER_TOTAL },
	[TOTALS + ENERGY_PSYS] = { "energy_psys_total_uj", "uJ", 64, COUNTER_TOTAL },
	[TOTALS + ENERGY_CARD] = { "energy_card_total_uj", "uJ", 64, COUNTER_TOTAL },
	[UPDATE] = { "energy_update_us", "us", 64, COUNTER_GAUGE },
};

/* At the start the source looks each millisecond whether counters have changed. */
#define PROBE_NS NS_PER_MS
#define PROBE_LONGEST_NS (250 * NS_PER_MS)
#define PROBE_CHANGES 16
/* Watts are looked at so often in a window, and not more often than this. */
#define WATTS_PER_WINDOW 4
#define WATTS_PERIOD_MIN_NS (20 * NS_PER_MS)
/* With so many, one step more or less is at most a fifth of the power. */
#define STEPS_MIN 5
/* No machine's packages take more than this, so the counter jumped. */
#define WATTS_MAX 10000.
#define SUSPEND_NS (10 * NS_PER_MS)
#define CLOCK_TRIES 10
/* Limits are read again so often. */
#define LIMITS_PERIOD_NS NS_PER_S

struct probe {
	int timer;		/* -1: there is none */
	bool running;
	int64_t start_ns, changed_ns;
	uint64_t last_uj;
	int64_t distances[PROBE_CHANGES];
	int n;
};

struct power_source {
	struct source source;
	struct open_device *dev;
	int check, n_checks;		/* its rows in dev->checks */
	struct fsroot fs;
	char way[16];
	int64_t delay_ns;
	struct energy_choice choice;
	struct err refusal;		/* while nothing is open */
	bool failed;			/* an open reader does not read any more */
	bool jumped;			/* a counter, since the window began */
	bool is_final;			/* trying again would bring the same refusal */
	struct probe probe;
	int64_t update_ns;		/* 0: not known yet */
	int64_t limits_ns;		/* when limits were read */
	int64_t look_ns;		/* between two looks at watts; 0: nothing is told in watts */
	struct energy_reading first;	/* zero of the totals, of the planes in first.planes */
	struct energy_reading begin;	/* of the running window */
	struct energy_reading now;
	/* CLOCK_BOOTTIME ahead of CLOCK_MONOTONIC at the begin of the window */
	int64_t asleep_ns;
	struct sample last;		/* what a window that is too short repeats */
	enum why whys[COUNTERS];
};

/* How long the machine has slept since it was started. A turn that another program got between the
 * two clocks would look like sleep, so they are read again. */
static int64_t asleep_ns(void)
{
	int64_t before_ns, slept_ns;
	int tries = 0;

	do {
		before_ns = clock_machine_ns();
		slept_ns = clock_suspended_ns(&(struct clock){ .is_virtual = false });
	} while (clock_machine_ns() - before_ns > NS_PER_MS && ++tries < CLOCK_TRIES);
	return slept_ns;
}

/* --- how often counters change --- */

static void arm(struct power_source *s, int64_t period_ns)
{
	clock_timer_set(s->probe.timer, period_ns, period_ns);
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void end_probe(struct power_source *s)
{
	struct probe *p = &s->probe;

	p->running = false;
	arm(s, s->look_ns);
	if (!p->n)
		return;
	qsort(p->distances, (size_t)p->n, sizeof(p->distances[0]), by_size);
	s->update_ns = p->distances[p->n / 2];
}

/* Planes change at different times. The first one, mostly the package, stands for all. */
static uint64_t probed(const struct energy_reading *r)
{
	for (int i = 0; i < ENERGY_PLANES; i++) {
		if (r->planes >> i & 1)
			return r->uj[i];
	}
	return 0;
}

static void probe_step(struct power_source *s, int64_t now_ns)
{
	struct probe *p = &s->probe;
	uint64_t uj = probed(&s->now);

	if (!p->running)
		return;
	if (uj != p->last_uj && p->changed_ns && p->n < PROBE_CHANGES)
		p->distances[p->n++] = now_ns - p->changed_ns;
	if (uj != p->last_uj)
		p->changed_ns = now_ns;
	p->last_uj = uj;
	if (p->n == PROBE_CHANGES || now_ns - p->start_ns > PROBE_LONGEST_NS)
		end_probe(s);
}

static void set_look(struct power_source *s)
{
	s->look_ns = 0;
	for (int i = 0; i < s->choice.n_readers; i++)
		if (s->choice.readers[i]->sums_watts)
			s->look_ns = s->delay_ns / WATTS_PER_WINDOW;
	if (s->look_ns && s->look_ns < WATTS_PERIOD_MIN_NS)
		s->look_ns = WATTS_PERIOD_MIN_NS;
}

/* Watts change whenever they are read, so there are no steps to look for. */
static bool has_steps(const struct power_source *s)
{
	return !s->choice.n_readers || !s->choice.readers[0]->sums_watts;
}

static void start_probe(struct power_source *s, int64_t now_ns)
{
	set_look(s);
	arm(s, s->look_ns);
	s->update_ns = 0;
	for (int i = 0; i < s->choice.n_readers; i++)
		if (s->choice.readers[i]->update_ns > s->update_ns)
			s->update_ns = s->choice.readers[i]->update_ns;
	if (s->update_ns || !has_steps(s))
		return;
	s->probe = (struct probe){ .timer = s->probe.timer,
		.running = true,
		.start_ns = now_ns,
		.last_uj = probed(&s->now) };
	arm(s, PROBE_NS);
}

/* --- limits: firmware, drivers and people change them while a machine works --- */

static void follow_limits(struct power_source *s, int64_t now_ns)
{
	struct device *d = &s->dev->device;

	s->limits_ns = now_ns;
	if (energy_is_card(d, &s->choice))
		return;
	const struct powercap_limits now = powercap_limits(&s->fs);
	s->source.rebind |= device_follow_limit(
		d, "package_power_limit_w", now.long_term_w, "powercap long_term");
	s->source.rebind |= device_follow_limit(
		d, "package_power_limit_short_w", now.short_term_w, "powercap short_term");
}

/* --- reading --- */

/* A way that never gave a number counts as refused. One that stops is tried again. */
static void fail(struct power_source *s, const struct err *err)
{
	s->failed = true;
	s->look_ns = 0;
	end_probe(s);
	if (s->first.planes)
		return;
	s->refusal = err ? *err : (struct err){ .code = ERR_UNSUPPORTED };
	s->is_final = true;
	energy_choice_release(&s->choice);
}

/* Whether more was counted between two readings than any machine takes: the counter jumped, which a
 * long window would hide. A step of a slow counter may lie between two readings that are close. */
static bool jumps(const struct energy_reading *before, const struct energy_reading *now)
{
	int64_t ns = now->t_ns - before->t_ns;
	double most_uj = WATTS_MAX * 1e6 * (double)max_i64(ns, PROBE_LONGEST_NS) / NS_PER_S;

	for (int p = 0; p < ENERGY_PLANES; p++)
		if (before->planes & now->planes & 1u << p && (double)(now->uj[p] - before->uj[p]) > most_uj)
			return true;
	return false;
}

static bool power_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct power_source *s = (struct power_source *)src;
	struct energy_reading r = { .t_ns = now_ns };

	clock_timer_clear(s->probe.timer);
	if (now_ns - s->limits_ns >= LIMITS_PERIOD_NS)
		follow_limits(s, now_ns);
	/* The checks report what was refused at the start; only what stops working is a
	 * message. */
	if (!s->choice.n_readers)
		return true;
	for (int i = 0; i < s->choice.n_readers; i++) {
		struct energy_reader *reader = s->choice.readers[i];

		if (!reader->ops->read(reader, now_ns, &r, err)) {
			fail(s, err);
			return false;
		}
	}
	s->jumped |= jumps(&s->now, &r);
	s->now = r;
	if (!s->first.planes)
		s->first = s->begin = r;
	/* Of a plane that missed a reading the window does not have all energy. */
	s->begin.planes &= r.planes;
	probe_step(s, now_ns);
	return true;
}

/* --- windows --- */

/* Some kernels have counters in which nothing is ever counted (a B580's "card" in Linux 6.16). Only
 * processor graphics may really take nothing while they are off. */
static bool draws_always(const struct power_source *s, enum energy_plane plane)
{
	for (int i = 0; i < s->choice.n_readers; i++)
		if (s->choice.readers[i]->is_card && s->choice.readers[i]->planes >> plane & 1)
			return true;
	return plane != ENERGY_GPU;
}

static void fill_values(struct power_source *s, struct sample *out)
{
	enum why missing = WHY_UNSUPPORTED;

	/* A way that has the plane may have been refused. */
	for (int i = 0; i < ENERGY_ROUTES; i++)
		if (s->choice.refusals[i].code == ERR_PERMISSION)
			missing = WHY_PERMISSION;
	for (int p = 0; p < ENERGY_PLANES; p++) {
		enum why why = missing;

		if (s->begin.planes & s->now.planes & 1u << p) {
			out->values[p] = s->now.uj[p] - s->begin.uj[p];
			out->values[TOTALS + p] = s->now.uj[p] - s->first.uj[p];
			why = WHY_OK;
			if (!out->values[TOTALS + p] && draws_always(s, (enum energy_plane)p))
				why = WHY_STANDS_STILL;
		} else if (s->choice.planes & 1u << p) {
			why = s->first.planes & 1u << p ? WHY_STALE : WHY_NOT_YET;
		}
		s->whys[p] = s->whys[TOTALS + p] = why;
	}
	s->whys[UPDATE] = WHY_OK;
	if (!s->update_ns)
		s->whys[UPDATE] = has_steps(s) ? WHY_NOT_YET : WHY_UNSUPPORTED;
	out->values[UPDATE] = (uint64_t)s->update_ns / 1000;
	out->whys = s->whys;
}

/* A machine that slept, or a counter that jumped: the window says nothing about power, and its
 * joules are not real ones, so the totals leave them out. */
static bool is_gap(const struct power_source *s)
{
	int64_t slept = asleep_ns() - s->asleep_ns;

	return s->jumped || slept > SUSPEND_NS || slept < -SUSPEND_NS;
}

/* Planes that came later count from now on. */
static void begin_window(struct power_source *s)
{
	for (int p = 0; p < ENERGY_PLANES; p++)
		if (s->now.planes & ~s->first.planes & 1u << p)
			s->first.uj[p] = s->now.uj[p];
	s->first.planes |= s->now.planes;
	s->begin = s->now;
	s->asleep_ns = asleep_ns();
	s->jumped = false;
}

static void power_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct power_source *s = (struct power_source *)src;
	int64_t least_ns = s->update_ns;

	out->t0_ns = out->t1_ns = now_ns;
	if (!s->choice.n_readers) {
		out->why = refused_why(s->refusal.code);
		return;
	}
	if (s->failed) {
		out->why = WHY_STALE;
		return;
	}
	/* A reader that tells its own times has no steps between them. */
	if (!s->choice.readers[0]->update_ns)
		least_ns *= STEPS_MIN;
	/* Before the steps are known a window could hold less than one of them. */
	if (!s->update_ns && has_steps(s) && s->probe.running)
		least_ns = PROBE_LONGEST_NS;
	if (!s->now.planes || s->now.t_ns <= s->begin.t_ns ||
		s->now.t_ns - s->begin.t_ns < least_ns) {
		/* the last window once more */
		*out = s->last;
		out->quality |= SAMPLE_HELD;
		if (!s->last.t1_ns) {
			out->t0_ns = out->t1_ns = now_ns;
			out->why = WHY_NOT_YET;
		}
		return;
	}
	out->t0_ns = s->begin.t_ns;
	out->t1_ns = s->now.t_ns;
	out->window_ns = out->t1_ns - out->t0_ns;
	out->reports = 1;
	fill_values(s, out);
	if (is_gap(s)) {
		for (int p = 0; p < ENERGY_PLANES; p++)
			if (s->begin.planes & s->now.planes & 1u << p)
				s->first.uj[p] += s->now.uj[p] - s->begin.uj[p];
		out->why = WHY_GAP;
		out->lost = 1;
	}
	begin_window(s);
	s->last = *out;
}

/* --- opening --- */

/* Whether the refusal of a way tells nobody anything, unless it was asked for: processor graphics
 * never have hwmon; x86 has RAPL, and the others have sensors of their board. */
static bool is_idle_refusal(const struct power_source *s, const struct energy_route *route,
	const struct err *e)
{
	if (!strcmp(s->way, route->name))
		return false;
	if (route == &energy_hwmon)
		return true;
	if (e->code != ERR_UNSUPPORTED)
		return false;
	return cpu_is_x86(&s->fs) == (route == &energy_rails);
}

/* Adds a row for each way that delivers, or that was asked and refused. */
static void add_checks(struct power_source *s)
{
	struct device_check c;

	s->check = s->dev->n_checks;
	for (int i = 0; i < s->choice.n_readers; i++) {
		const struct energy_reader *r = s->choice.readers[i];
		struct strbuf gives = { 0 };

		strbuf_add(&gives, "energy:");
		for (int p = 0; p < ENERGY_PLANES; p++) {
			if (!(r->planes >> p & 1))
				continue;
			strbuf_addf(&gives, " %s", energy_plane_names[p]);
			if (*r->rails[p])
				strbuf_addf(&gives, " (%s)", r->rails[p]);
		}
		c = device_check_of("power", r->how, strbuf_str(&gives), NULL);
		open_device_check(s->dev, &c);
		strbuf_release(&gives);
	}
	for (int i = 0; i < ENERGY_ROUTES; i++) {
		const struct err *e = &s->choice.refusals[i];

		if (!e->code || (s->choice.n_readers && e->code == ERR_UNSUPPORTED))
			continue;
		if (is_idle_refusal(s, energy_routes[i], e))
			continue;
		c = device_check_of("power", energy_routes[i]->how, "energy", e);
		open_device_check(s->dev, &c);
	}
	s->n_checks = s->dev->n_checks - s->check;
}

static bool choose(struct power_source *s, int64_t now_ns)
{
	struct energy_target t = {
		.fs = &s->fs, .device = &s->dev->device, .now_ns = now_ns, .delay_ns = s->delay_ns
	};

	const struct energy_route *usual = cpu_is_x86(&s->fs) ? &energy_perf : &energy_rails;
	const struct err *best = NULL;

	s->failed = false;
	s->first.planes = s->begin.planes = s->now.planes = 0;
	s->last = (struct sample){ 0 };
	if (energy_choose(&t, s->way, &s->choice)) {
		energy_choice_how(&s->choice, s->source.feed.how, sizeof(s->source.feed.how));
		begin_window(s);
		return true;
	}
	/* One refusal stands for all of them when nothing opened. A missing permission comes before
	 * missing hardware. */
	for (int i = 0; i < ENERGY_ROUTES; i++) {
		const struct err *e = &s->choice.refusals[i];

		if (e->code &&
			(!best || energy_routes[i] == usual ||
				(e->code == ERR_PERMISSION && best->code != ERR_PERMISSION)))
			best = e;
	}
	if (best)
		s->refusal = *best;
	return false;
}

static bool power_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct power_source *s = (struct power_source *)src;
	struct device_check behind[DEVICE_MAX_CHECKS];
	struct open_device *dev = s->dev;
	int n = dev->n_checks - s->check - s->n_checks;

	if (s->choice.n_readers && !s->failed)
		return true;	/* a gap, which is over */
	if (!s->is_final)
		energy_choice_release(&s->choice);
	if (s->is_final || !choose(s, now_ns)) {
		if (err)
			*err = s->refusal;
		return false;
	}
	/* The rows of the first attempt are no longer true. The rows behind ours stay. */
	memcpy(behind, &dev->checks[s->check + s->n_checks], (size_t)n * sizeof(behind[0]));
	dev->n_checks = s->check;
	add_checks(s);
	for (int i = 0; i < n; i++)
		open_device_check(dev, &behind[i]);
	start_probe(s, now_ns);
	return true;
}

static void power_close(struct source *src)
{
	struct power_source *s = (struct power_source *)src;

	energy_choice_release(&s->choice);
	if (s->probe.timer >= 0)
		close(s->probe.timer);
}

static void retime(struct source *src, int64_t window_ns)
{
	struct power_source *s = (struct power_source *)src;

	s->delay_ns = window_ns;
	for (int i = 0; i < s->choice.n_readers; i++) {
		struct energy_reader *r = s->choice.readers[i];

		if (!r->ops->retime)
			continue;
		if (s->update_ns == r->update_ns)
			s->update_ns = 0;
		r->ops->retime(r, window_ns);
		if (r->update_ns > s->update_ns)
			s->update_ns = r->update_ns;
	}
	if (s->failed || !s->look_ns)
		return;
	set_look(s);
	if (!s->probe.running)
		arm(s, s->look_ns);
}

static const struct source_ops power_ops = {
	.size = sizeof(struct power_source),
	.retime = retime,
	.ready = power_ready,
	.collect = power_collect,
	.retry = power_retry,
	.close = power_close,
};

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	(void)e;
	if (dev->device.simulated || dev->n_sources == DEVICE_MAX_SOURCES ||
		(o->power && !strcmp(o->power, "none")))
		return;
	struct power_source *s = source_new(&power_ops);
	s->source.feed =
		(struct feed){ .name = "power", .counters = counters, .n_counters = COUNTERS };
	s->dev = dev;
	s->fs = *o->fs;
	s->delay_ns = o->delay_ns;
	snprintf(s->way, sizeof(s->way), "%s", o->power ? o->power : "auto");
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", "refused");
	s->probe.timer = clock_timer_open();
	s->source.fd = s->probe.timer;
	if (choose(s, o->now_ns))
		start_probe(s, o->now_ns);
	follow_limits(s, o->now_ns);
	s->source.rebind = false;
	add_checks(s);
	dev->sources[dev->n_sources++] = &s->source;
}

const struct companion power_companion = { .name = "power", .attach = attach };
