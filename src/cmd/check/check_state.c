/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Level 1 of check: what can be seen without a load, and what is watched at every level. */
#include "config.h"

#include "cmd/check/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/check/check_options.h"

#define LOOK_NS (3 * NS_PER_S)

/* What metrics with a limit line say; a word chooses among those of one role. Errors limit nothing and
 * have no such line: their metric is known by its name, and only devices that have it get a row. */
static const struct watched {
	const char *id, *word;
	enum limit_role role;
	enum check_sense sense;
	enum check_tolerance tolerance;
	const char *against;
	const char *metric;	/* NULL: found by role and word */
	const char *fact;	/* what is said of a fact above its tolerance; NULL: nothing */
} watched[CHECK_WATCHED] = {
	{ "clock", NULL, LIMIT_CLOCK, CHECK_FACT, CHECK_TOLERANCE_NONE, "", NULL, NULL },
	{ "clock.limit", NULL, LIMIT_SETTING, CHECK_AT_LEAST, CHECK_TOLERANCE_CLOCK, "data_sheet",
		NULL, NULL },
	{ "temperature", NULL, LIMIT_TEMPERATURE, CHECK_AT_MOST, CHECK_TOLERANCE_FULL, "limit",
		NULL, NULL },
	{ "throttle.heat", "heat", LIMIT_REASON, CHECK_AT_MOST, CHECK_TOLERANCE_HELD_PCT, "",
		NULL, NULL },
	{ "throttle.current", "current", LIMIT_REASON, CHECK_AT_MOST, CHECK_TOLERANCE_HELD_PCT, "",
		NULL, NULL },
	{ "throttle.power", "power", LIMIT_REASON, CHECK_FACT, CHECK_TOLERANCE_HELD_PCT, "", NULL,
		"a power limit held the clock, which is no fault" },
	{ "memory.taken", NULL, LIMIT_MEMORY, CHECK_AT_MOST, CHECK_TOLERANCE_TAKEN, "limit", NULL,
		NULL },
	{ "ecc.uncorrected", NULL, LIMIT_NONE, CHECK_AT_MOST, CHECK_TOLERANCE_NONE, "",
		"ecc_uncorrected", NULL },
	{ "ecc.corrected", NULL, LIMIT_NONE, CHECK_FACT, CHECK_TOLERANCE_NONE, "",
		"ecc_corrected", "memory errors were corrected, which is no fault yet" },
	{ "xids", NULL, LIMIT_NONE, CHECK_AT_MOST, CHECK_TOLERANCE_NONE, "", "xids", NULL },
	{ "link.replays", NULL, LIMIT_NONE, CHECK_FACT, CHECK_TOLERANCE_NONE, "", "link_replays",
		"packets were sent again, which is a sign of a bad contact" },
};

static bool is_watched(const struct metric *m, const struct watched *w)
{
	if (w->metric)
		return !strcmp(m->name, w->metric);
	return m->limit.role == w->role && (!w->word || !strcmp(m->limit.word, w->word));
}

static bool is_worse(const struct watched *w, double a, double b)
{
	if (!isfinite(a))
		return false;
	if (!isfinite(b))
		return true;
	return check_is_worse(w->sense, a, b);
}

/* Takes what is worse than what was seen before. Of a window only what has a limit of its own
 * counts: the others are shares of time and counts. */
static void see(struct check_run *c, const struct metric_set *set, const struct value *values,
	const struct value *ceilings, bool is_window)
{
	for (int i = 0; i < CHECK_WATCHED; i++) {
		struct check_worst *worst = &c->worst[i];

		if (is_window && strcmp(watched[i].against, "limit") != 0)
			continue;
		for (int k = 0; k < set->n_metrics; k++) {
			if (!is_watched(&set->metrics[k], &watched[i]))
				continue;
			double v = values[k].v;
			if (!worst->seen)
				*worst = (struct check_worst){ NAN, NAN, true, values[k].why };
			if (!is_worse(&watched[i], v, worst->value))
				continue;
			worst->value = v;
			worst->limit = ceilings[k].v;
			worst->why = WHY_OK;
		}
	}
}

void check_watch_window(struct check_run *c, const struct snapshot *s)
{
	see(c, s->set, s->values, s->ceilings, true);
}

/* The counters of a link have no role in what limits a device, and no set shows them everywhere; so
 * they are read as they come. */
static const struct {
	const char *id, *counter, *limit, *unit;
	double scale;
	bool slows;	/* while the device is idle */
} links[CHECK_LINKS] = {
	{ "link.lanes", "link_lanes", "link_lanes_max", "", 1, false },
	{ "link.speed", "link_mtransfers", "link_mtransfers_max", "GT/s", 1e-3, true },
};

/* Looks at what the windows of the last job or of check_state() say of heat, power, limits and the
 * link. */
static void watch(struct check_run *c)
{
	c->lost += c->jobs.sum.lost;
	for (int i = 0; i < CHECK_LINKS; i++)
		c->link[i] = fmax(c->link[i], window_sum_gauge(&c->jobs.sum, links[i].counter));
	see(c, c->session->now->set, c->jobs.sum.values, c->jobs.sum.ceilings, false);
}

static const char *unit_of(const struct metric_set *set, const struct watched *w)
{
	for (int k = 0; k < set->n_metrics; k++)
		if (is_watched(&set->metrics[k], w))
			return set->metrics[k].unit_text;
	return "";
}

static void add_watched(struct check_run *c, int i)
{
	const struct watched *w = &watched[i];
	const struct check_worst *worst = &c->worst[i];
	struct check row = { .level = 1,
		.unit = unit_of(c->session->now->set, w),
		.value = NAN,
		.reference = NAN,
		.of_reference = 1,
		.sense = w->sense,
		.tolerance = w->tolerance,
		.against = w->against };

	if (w->metric && !worst->seen)
		return;
	enum why why = WHY_NOT_IN_SET;
	if (w->sense == CHECK_FACT)
		row.tolerance = CHECK_TOLERANCE_NONE;
	if (worst->seen) {
		row.value = worst->value;
		row.reference = worst->limit;
		why = worst->why;
	}
	snprintf(row.id, sizeof(row.id), "%s", w->id);
	if (!isfinite(row.value))
		snprintf(row.reason, sizeof(row.reason), "%s", why_text(why));
	struct check *added = check_compare(c->report, &row);
	if (w->sense != CHECK_FACT || !isfinite(row.value))
		return;
	if (w->fact && row.value > check_tolerance(w->tolerance))
		check_say(added, CHECK_OK, "%s", w->fact);
	else
		check_say(added, CHECK_OK, "%s", "");
}

/* Adds rows of the link. Idle devices slow it down to save power, which is no fault. */
static void add_link(struct check_run *c)
{
	for (int i = 0; i < CHECK_LINKS; i++) {
		const struct device_const *max =
			device_const(&c->session->dev->device, links[i].limit);
		struct check row = { .level = 1, .unit = links[i].unit, .of_reference = 1,
			.value = c->link[i] * links[i].scale,
			.reference = max ? max->v * links[i].scale : NAN, .sense = CHECK_AT_LEAST,
			.tolerance = CHECK_TOLERANCE_FULL, .against = "limit" };

		snprintf(row.id, sizeof(row.id), "%s", links[i].id);
		if (!isfinite(row.value))
			snprintf(row.reason, sizeof(row.reason), "%s",
				"its driver tells of no link");
		struct check *added = check_compare(c->report, &row);
		if (added->verdict == CHECK_FAILED && links[i].slows && !c->loaded)
			check_say(added, CHECK_NOT_MEASURED, "%s",
				"links are slow while a device is idle: --level 2 looks under load");
	}
}

/* Adds what opening the device has shown. Returns false when its counters were refused. */
static bool add_rights(struct check_run *c)
{
	const struct open_device *dev = c->session->dev;
	struct check *row = check_add(c->report, 1, "device", "");

	check_say(row, CHECK_OK, "%s, %s", dev->device.name, dev->device.driver);
	row = check_add(c->report, 1, "rights", "");
	for (int i = 0; i < dev->n_checks; i++) {
		const struct device_check *d = &dev->checks[i];

		if (!d->no_permission)
			continue;
		/* The counters of a device are its first check. */
		if (i == 0) {
			check_say(row, CHECK_FAILED, "%s: %s", d->source, d->reason);
			c->report->status = STATUS_NO_PERMISSION;
			return false;
		}
		if (row->verdict == CHECK_OK)
			check_say(row, CHECK_NOT_MEASURED, "%s: %s", d->source, d->reason);
	}
	if (row->verdict == CHECK_OK)
		check_say(row, CHECK_OK, "%s", "nothing was refused");
	return true;
}

/* Returns why the primary source gives nothing: what opening it has said, or the reason of its
 * values. */
static const char *why_not_counted(const struct open_device *dev, enum why why)
{
	for (int i = 0; i < dev->n_checks; i++)
		if (!strcmp(dev->checks[i].feed, dev->sources[0]->feed.name) && *dev->checks[i].reason)
			return dev->checks[i].reason;
	return why_text(why);
}

/* That a driver hands out no counters is a fact and no fault, but nothing was counted either. */
static void add_counters(struct check_run *c)
{
	const struct session *ses = c->session;
	const struct device_entry *e = &ses->program->devices.entries[ses->opened.entry];
	enum why why = c->jobs.sum.joined[0].why;
	struct check *row = check_add(c->report, 1, "counters", "");

	if (why == WHY_ASLEEP)
		check_say(row, CHECK_NOT_MEASURED, "%s", why_text(why));
	else if (why == WHY_OK && !ses->dev->device.counters[0])
		check_say(row, CHECK_NOT_MEASURED, "%s%s%s", "NO COUNTERS",
			*e->refusal.msg ? ": " : "", e->refusal.msg);
	else if (why != WHY_OK)
		check_say(row, CHECK_FAILED, "%s", why_not_counted(ses->dev, why));
	else
		check_say(row, CHECK_OK, "%s", "they give values");
}

bool check_state(struct check_run *c, struct err *err)
{
	if (!add_rights(c))
		return true;
	if (!jobs_look(&c->jobs, LOOK_NS, err))
		return false;
	add_counters(c);
	watch(c);
	return true;
}

/* Adds what was seen of the results of all kernels. */
static void add_results(struct check_run *c)
{
	struct check row = { .level = 2, .id = "results", .unit = "", .value = NAN, .reference = 0,
		.of_reference = 1, .sense = CHECK_AT_MOST, .tolerance = CHECK_TOLERANCE_NONE,
		.against = "model" };

	if (c->verified || c->mismatches)
		row.value = (double)c->mismatches;
	else if (c->report->simulated)
		snprintf(row.reason, sizeof(row.reason), "%s",
			"the simulated device computes nothing");
	else
		snprintf(row.reason, sizeof(row.reason), "%s", "no kernel ran there");
	if (c->mismatches)
		snprintf(row.reason, sizeof(row.reason), "wrong results, first of %s", c->wrong);
	else if (c->verified)
		snprintf(row.reason, sizeof(row.reason), "results compared bit by bit: %llu",
			(unsigned long long)c->verified);
	check_compare(c->report, &row);
	row = (struct check){ .level = 2, .id = "timestamp", .unit = "%", .value = c->stamp_off_pct,
		.reference = 0, .sense = CHECK_AT_MOST, .tolerance = CHECK_TOLERANCE_STAMP_PCT,
		.against = "clock" };
	if (!isfinite(row.value))
		snprintf(row.reason, sizeof(row.reason), "%s", why_text(WHY_NO_SOURCE));
	check_compare(c->report, &row);
}

void check_seen(struct check_run *c)
{
	if (c->report->status != STATUS_GOOD)
		return;
	add_link(c);
	for (int i = 0; i < CHECK_WATCHED; i++)
		add_watched(c, i);
	struct check row = { .level = 1, .id = "reports.lost", .unit = "", .value = (double)c->lost,
		.sense = CHECK_AT_MOST, .tolerance = CHECK_TOLERANCE_NONE, .against = "" };
	if (c->session->dev->device.has_oa_reports)
		check_compare(c->report, &row);
	if (c->session->opt->check->level >= 2)
		add_results(c);
}

void check_results(struct check_run *c)
{
	const struct job_result *r = &c->result;

	c->loaded |= !(r->state.flags & (JOB_ON_CPU | JOB_OTHER_DEVICE));
	c->verified += r->state.progress.verified;
	if (r->state.progress.mismatches && !*c->wrong)
		snprintf(c->wrong, sizeof(c->wrong), "%s", r->state.job.kernel);
	c->mismatches += r->state.progress.mismatches;
	/* A wrong rate shows in every run, and short runs have ends that do not fit. */
	if (isfinite(r->stamp_rate))
		c->stamp_off_pct = fmin(c->stamp_off_pct,
			100 * fmax(fabs(r->stamp_rate - 1) - r->stamp_doubt, 0));
	watch(c);
}
