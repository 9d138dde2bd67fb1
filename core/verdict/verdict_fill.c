/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills numbers and sentences of a verdict from the evidence: what it is, why, and what helps. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict/verdict_priv.h"

/* --- facts --- */

static bool fact_wait(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	/* Of what is not counted the line says it already. */
	if (isnan(e->waiting) || (f->kind == VERDICT_UNKNOWN && !f->resource))
		return false;
	/* It is a share of the time in which there is work. */
	const char *text = N_("the %s wait %s %% of the time");
	if (e->busy < verdict_threshold(THRESHOLD_BUSY))
		text = N_("the %s wait %s %% of the busy time");
	tell(t, text, e->unit, role_percent(e, LIMIT_WAITING, e->waiting).text, NULL);
	return true;
}

static bool tell_fullest(struct verdict_text *t, const struct evidence *e, const struct finding *f,
	unsigned roles, const char *fmt)
{
	const struct resource *r = evidence_fullest(e, roles);

	if (!r || r == f->resource || r->fill < UNUSED / 10)
		return false;
	tell(t, fmt, r->name, resource_percent(r).text, NULL);
	return true;
}

static bool fact_pipe(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	bool waits = f->kind == VERDICT_HOST || f->kind == VERDICT_PARTLY_IDLE;

	/* Shares of clocks are of those that ran. */
	if (waits && e->busy_while_awake && e->asleep >= 0.01)
		return tell_fullest(
			t, e, f, ROLE_BIT(LIMIT_PIPE), N_("while awake, %s is at %s %%"));
	return tell_fullest(t, e, f, ROLE_BIT(LIMIT_PIPE), N_("busiest unit: %s, %s %%"));
}

static bool fact_level(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	return tell_fullest(t, e, f, MEMORY_ROLES, N_("fullest level of memory: %s, %s %%"));
}

static const char *held_text(const struct evidence *e)
{
	static const char *const texts[] = {
		N_("the clock is at its maximum, although the driver reports heat"),
		N_("the clock is at its maximum, although the driver reports a power limit"),
		N_("the clock is at its maximum, although the driver reports a limit of current"),
	};

	for (int i = 0; i < REASONS; i++)
		if (e->reasons[i] >= verdict_threshold(THRESHOLD_HELD))
			return texts[i];
	return N_("the clock is at its maximum");
}

static bool fact_clock(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	double share = e->clock_hz / e->highest_hz;

	(void)f;
	if (isnan(share))
		return false;
	if (share < UNUSED)
		tell(t, N_("it sleeps: the clock stands still"), NULL);
	else if (share >= verdict_threshold(THRESHOLD_CLOCK))
		tell(t, held_text(e), NULL);
	else
		tell(t, N_("the clock is at %s %% of its maximum"), percent(share).text, NULL);
	return true;
}

static bool fact_queue(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;

	/* Where it is the answer it is no reason. */
	if (!r || isnan(r->queue_full) || r->fill < r->from || isnan(r->fill))
		return false;
	verdict_tell_queue(t, e, r);
	return true;
}

static bool fact_reason(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	static const char *const texts[] = { N_("the hardware reports heat"),
		N_("the hardware reports a power limit"),
		N_("the hardware reports a limit of current") };

	(void)f;
	for (int i = 0; i < REASONS; i++) {
		if (e->reasons[i] > 0) {
			tell(t, texts[i], NULL);
			return true;
		}
	}
	return false;
}

static bool fact_temperature(
	struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)f;
	if (isnan(e->temperature_degc))
		return false;
	tell(t, N_("it is at %s C"), number_of(e->temperature_degc, 0).text, NULL);
	return true;
}

static bool fact_plane(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)f;
	if (e->plane.metric < 0)
		return false;
	tell(t, N_("%s of %s W"), short_number(e->plane.watts, 4).text, short_number(e->plane.most, 4).text,
		NULL);
	return true;
}

static bool fact_setting(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	if (strcmp(f->bound, "setting") != 0) {
		tell(t, N_("more is asked for, and nothing tells what holds it"), NULL);
		return true;
	}
	/* The answer has the clock itself. */
	if (e->clock_hz > verdict_threshold(THRESHOLD_CLOCK) * e->setting_hz)
		tell(t, N_("a setting keeps the clock below the device's maximum"), NULL);
	else
		tell(t, N_("the clock may not pass %s MHz"),
			short_number(e->setting_hz / 1e6, 4).text, NULL);
	return true;
}

/* What is full below a clock that is held down. */
static bool fact_below(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	char names[32];

	if (!f->resource || !(f->resource->fill >= f->resource->from))
		return false;
	tell(t, N_("full even at this clock: %s"), verdict_pipe_names(e, f, names, sizeof(names)),
		NULL);
	return true;
}

static bool fact_host(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)f;
	tell(t, N_("%s uses a whole CPU core"), e->host, NULL);
	return true;
}

static bool fact_slots(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	if (isnan(e->occupancy) || !strcmp(f->bound, "occupancy"))
		return false;
	tell(t, N_("%s %% of the thread slots are used"),
		role_percent(e, LIMIT_OCCUPANCY, e->occupancy).text, NULL);
	return true;
}

static bool fact_dealt(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	return e->dealt_map && !strcmp(f->bound, "groups") &&
		balance_tell(&e->balance, e->dealt_map, e->dealt, t);
}

static bool fact_other_pipes(
	struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	for (int i = 0; f->resource && i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		/* Pipes that are named together are all full. */
		if (r == f->resource || resource_in_group(r, f->bound) ||
			!resource_in_group(r, f->resource->limit->group) || isnan(r->fill))
			continue;
		tell(t, N_("%s is at %s %%"), r->name, resource_percent(r).text, NULL);
		return true;
	}
	return false;
}

static bool fact_uncertain(
	struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)e;
	if (!f->resource || !f->resource->uncertain)
		return false;
	tell(t, N_("the roof of %s is not confirmed"), f->resource->name, NULL);
	return true;
}

/* Where nothing is near its roof and nothing counts what waits, waiting is what remains, by
 * exclusion. */
static bool only_waiting_remains(const struct evidence *e, const struct finding *f)
{
	return f->kind == VERDICT_NONE && f->resource && !e->counts_waiting && isnan(e->working) &&
		!evidence_takes_turns(e) &&
		f->resource->share < verdict_threshold(THRESHOLD_LOW);
}

/* Whether work ran that passes units of fixed function, which may be what it waits for. */
static bool may_use_fixed_units(const struct evidence *e)
{
	for (int i = 0; i < e->n_queues; i++) {
		const struct work_queue *q = &e->queues[i];

		if (e->s->set->metrics[q->metric].limit.fixed &&
			q->share >= verdict_threshold(THRESHOLD_IDLE))
			return true;
	}
	return false;
}

static bool fact_remains(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	if (!only_waiting_remains(e, f))
		return false;
	if (may_use_fixed_units(e))
		tell(t,
			N_("nothing that is counted is full; waiting and fixed units are not "
			   "counted"),
			NULL);
	else
		tell(t,
			N_("perhaps latency: no unit is busy enough, and waiting is not counted"),
			NULL);
	return true;
}

typedef bool fact_fn(
	struct verdict_text *t, const struct evidence *e, const struct finding *f);

/* What is said of each kind, the strongest first; the first three that are known are shown. */
static fact_fn *const facts[VERDICT_KINDS][6] = {
	[VERDICT_IDLE] = { fact_clock, fact_plane },
	[VERDICT_HOST] = { fact_host, fact_level, fact_pipe },
	[VERDICT_PARTLY_IDLE] = { fact_level, fact_pipe, fact_clock },
	[VERDICT_LAUNCH] = { fact_slots, fact_pipe, fact_level },
	[VERDICT_PARALLELISM] = { fact_dealt, fact_slots, fact_wait, fact_pipe, fact_level },
	[VERDICT_HEAT] = { fact_reason, fact_temperature, fact_below },
	[VERDICT_POWER] = { fact_plane, fact_reason, fact_below },
	[VERDICT_CURRENT] = { fact_reason, fact_plane, fact_below },
	[VERDICT_CLOCK] = { fact_setting, fact_below },
	[VERDICT_PIPE] = { fact_other_pipes, fact_wait, verdict_fact_work_queue, fact_clock },
	[VERDICT_BANDWIDTH] = { fact_wait, fact_queue, fact_uncertain, fact_pipe, fact_clock },
	[VERDICT_MIX] = { fact_pipe, fact_wait, fact_clock },
	[VERDICT_UNKNOWN] = { fact_wait, fact_pipe, fact_slots },
	[VERDICT_LATENCY] = { fact_slots, fact_level, fact_pipe },
	[VERDICT_NONE] = { fact_remains, fact_wait, fact_slots, verdict_fact_work_queue,
		fact_clock },
	[VERDICT_NO_COUNTERS] = { fact_clock, fact_plane },
};

/* What helps: first what the metric files say, where that does not need what is full. */
static void tell_try(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	const struct finding latency = { .kind = VERDICT_LATENCY, .bound = "" };
	uint64_t groups = e->dealt_map ? balance_groups(e->s, e->dealt_map) : 0;

	if (out->try.fmt && !verdict_advice_may_say(f->bound, out->try.fmt))
		out->try.fmt = NULL;
	if (!out->try.fmt)
		out->try.fmt = verdict_advice(e, f);
	/* Where groups of a load of ours are dealt unevenly, their number is what helps. */
	if (f->kind == VERDICT_PARALLELISM && groups && groups % (uint64_t)e->dealt_map->n)
		balance_tell_groups(&e->balance, e->dealt_map, e->dealt, groups, &out->try);
	if (f->kind == VERDICT_UNKNOWN &&
		(verdict_level_has_no_turn(e, f->bound) || !strcmp(f->bound, "clock")))
		out->try.fmt = NULL;
	else if (f->missing == VERDICT_MISSING_SET && f->kind == VERDICT_UNKNOWN)
		tell(&out->try, N_("another set, if one of them counts %s"),
			verdict_uncounted_name(e, f).text, NULL);
	if (only_waiting_remains(e, f) && !may_use_fixed_units(e) && !out->try.fmt)
		out->try.fmt = verdict_advice(e, &latency);
}

static double gain(double share)
{
	if (!(share > 0))
		return NAN;
	return fmax(1 / share, 1);
}

/* Whether its traffic is the most that it can have been: a cache may have served a part of it. */
static bool may_be_cached(const struct resource *r)
{
	return r->estimated && r->limit->role == LIMIT_LEVEL;
}

/* Says which level may be full before a bound is reached, although a cache may serve a part of it;
 * where there is no room the last reason gives way. */
static void tell_before_bound(struct verdict *out, const struct evidence *e, int n)
{
	double most = out->headroom;
	const struct resource *first = NULL;

	for (int i = 0; i < e->n_resources && out->flags & VERDICT_AT_MOST; i++) {
		const struct resource *r = &e->resources[i];
		double gained = gain(r->share / r->reach);

		if (!may_be_cached(r) || r->over || !(gained < most) ||
			(out->kind != VERDICT_LATENCY && !strcmp(r->limit->word, out->bound)))
			continue;
		first = r;
		most = gained;
	}
	if (first)
		tell(&out->because[n < VERDICT_BECAUSE ? n : VERDICT_BECAUSE - 1],
			N_("%s may be full from %sx on, unless a cache serves a part"), first->name,
			inferred(most, true).text, NULL);
}

static void tell_because(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	int n = 0;

	if (e->contradiction.fmt)
		out->because[n++] = e->contradiction;
	else
		n = verdict_tell_causes(out, e, f);
	for (size_t i = 0; i < ARRAY_LEN(facts[0]) && facts[f->kind][i]; i++) {
		/* Where the answer is that work waits it is no reason. */
		if (out->waits && facts[f->kind][i] == fact_remains)
			continue;
		if (n < VERDICT_BECAUSE && facts[f->kind][i](&out->because[n], e, f))
			n++;
	}
	tell_before_bound(out, e, n);
	tell_try(out, e, f);
}

/* Where nothing is near its roof but a cause is known, the cause stands first, and what is nearest
 * is said behind it. No resource is what the answer is about then. */
static void lead_with_cause(struct verdict *out, const struct finding *f)
{
	const struct verdict_text nearest = out->line;
	bool turns = !strcmp(out->causes[0], "turns");

	out->waits = out->waits && f->kind == VERDICT_NONE && f->resource &&
		f->resource->share < verdict_threshold(THRESHOLD_LOW);
	/* Queues that take turns are the answer, however full what they use is. */
	if (!out->waits && !turns)
		return;
	out->line = out->brief = out->because[0];
	out->because[0] = nearest;
	out->headroom = NAN;
}

/* --- numbers --- */

static void count_share(
	struct verdict *out, const struct evidence *e, enum limit_role role, double value)
{
	out->value = out->share = value;
	out->roof = 1;
	if (e->inferred & ROLE_BIT(role))
		out->flags |= VERDICT_ESTIMATED;
}

/* The most that is gained before some known resource is full, at the highest clock: that of what
 * follows the clock has a higher roof then. A printed roof is never reached as a whole. An
 * estimate is no bound, unless it says that something is full now; what it is at least, is. */
static double first_full(const struct evidence *e, double raised, bool by_reach, bool is_bound,
	bool *inferred)
{
	double first = INFINITY;

	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];
		bool only_least = is_bound && r->estimated && !resource_is_full(e, r);
		double share = only_least ? r->least : r->share;

		if (by_reach)
			share /= r->reach;
		double most = gain(share);
		if (resource_follows_clock(r))
			most *= raised;
		/* What others move grows with none of this work. */
		if (!(most < first) || r->over || r->limit->shared)
			continue;
		first = most;
		*inferred = r->uncertain || (r->estimated && !only_least);
	}
	return first;
}

/* The gain of what is no resource: up to what is full first. */
static double capped(struct verdict *out, double most, double first, bool is_inferred)
{
	if (!(first < most))
		return most;
	if (is_inferred)
		out->flags |= VERDICT_ESTIMATED;
	return first;
}

static void count_resource(
	struct verdict *out, const struct evidence *e, const struct finding *f, double raised)
{
	const struct resource *r = f->resource;

	if (r->uncertain || r->estimated)
		out->flags |= VERDICT_ESTIMATED;
	/* What is not counted has no number, and that of another one is not its. */
	if (f->missing == VERDICT_MISSING_SET)
		return;
	out->metric = r->metric;
	out->value = r->value;
	out->roof = r->roof;
	out->share = r->share;
	out->source = r->source;
	if (f->kind == VERDICT_UNKNOWN)
		return;
	/* What only waits gains nothing from the roof that is nearest. */
	if (!only_waiting_remains(e, f))
		out->headroom = gain(r->share);
	/* What follows the clock would do more at the highest one, unless a memory is behind it. */
	if (!(f->kind == VERDICT_BANDWIDTH && evidence_queued(e)) && resource_follows_clock(r) &&
		raised > 1) {
		out->headroom *= raised;
		out->flags |= VERDICT_AT_MOST;
	}
	if (f->kind == VERDICT_BANDWIDTH && r->fill < r->from && !isnan(r->queue_full))
		out->flags |= VERDICT_AT_MOST;
}

/* Whether anything at all tells what would be full next, which no link does. */
static bool knows_resources(const struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (!isnan(r->share) && r->limit->role != LIMIT_LINK && r->limit->role != LIMIT_COPY)
			return true;
	}
	return false;
}

static void count(
	struct verdict *out, const struct evidence *e, const struct finding *f, bool is_bound)
{
	bool first_inferred = false, now_inferred = false;
	/* how much faster the highest clock is than the one of the window */
	double raised = verdict_clock_is_low(e) ? e->highest_hz / e->clock_hz : 1;
	double first = first_full(e, raised, true, is_bound, &first_inferred);
	double now = first_full(e, 1, true, is_bound, &now_inferred);
	double slots = isnan(e->least_slots) ? e->occupancy : e->least_slots;

	switch (f->kind) {
	case VERDICT_IDLE: count_share(out, e, LIMIT_BUSY, e->busy); return;
	case VERDICT_HOST:
	case VERDICT_PARTLY_IDLE:
		count_share(out, e, LIMIT_BUSY, e->busy);
		/* Shares of clocks that ran are none of all time. */
		now = e->asleep > 0 ? INFINITY : first_full(e, 1, false, is_bound, &now_inferred);
		/* That of the busiest part is not that of all. */
		if (!e->is_divided)
			out->headroom = capped(out, gain(e->busy), now, now_inferred);
		return;
	case VERDICT_LAUNCH:
		count_share(out, e, LIMIT_EMPTY, 1 - e->empty);
		out->headroom = capped(out, gain(1 - e->empty), now, now_inferred);
		return;
	case VERDICT_PARALLELISM:
		if (strcmp(f->bound, "groups") != 0)
			count_share(out, e, LIMIT_OCCUPANCY, e->occupancy);
		else
			count_share(out, e, LIMIT_EMPTY, 1 - e->empty);
		/* More threads work at most as fast as each of these does while it is held up by no
		 * other, which is at most while what is fullest works; up to what is full first:
		 * which nobody knows where no pipe is counted. */
		if (!evidence_fullest(e, ROLE_BIT(LIMIT_PIPE)))
			return;
		slots *= 1 - evidence_fullest(e, 0)->fill;
		out->headroom = capped(out, slots > 0 ? gain(slots) : INFINITY, now, now_inferred);
		if (isinf(out->headroom))
			out->headroom = NAN;
		return;
	case VERDICT_HEAT:
	case VERDICT_POWER:
	case VERDICT_CURRENT:
	case VERDICT_CLOCK:
		out->metric = e->clock_metric;
		out->value = e->clock_hz;
		out->roof = e->highest_hz;
		out->share = out->value / out->roof;
		if (knows_resources(e))
			out->headroom = capped(out, gain(out->share), first, first_inferred);
		return;
	default: break;
	}
	if (f->kind == VERDICT_MIX && !f->resource) {
		count_share(out, e, LIMIT_WORKING, e->working);
		out->headroom = gain(e->working) * raised;
	}
	if (f->resource)
		count_resource(out, e, f, raised);
	first = first_full(e, raised, false, is_bound, &first_inferred);
	/* Waits that are hidden gain up to what is full first. */
	if (f->kind == VERDICT_LATENCY && isfinite(first))
		out->headroom = INFINITY;
	if (!isnan(out->headroom))
		out->headroom = capped(out, out->headroom, first, first_inferred);
}

/* Whether all that is known of a level is how full the queue to it is: not how much room it has. */
static bool knows_only_queue(const struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++)
		if (isnan(e->resources[i].share) && !isnan(e->resources[i].queue_full))
			return true;
	return false;
}

/* How much longer the work would take at the highest clock than in proportion, if the time in which nothing is
 * used stayed as long: the more the clock can rise, the more of it such time would be. */
static double kept_back(const struct verdict *out, const struct evidence *e, const struct resource *full)
{
	double unused = e->empty + e->waiting;

	if (full)
		unused = fmin(unused, 1 - full->fill);
	return unused * (out->headroom - 1);
}

/* Whether the memory would give so much that it may be slower than its data sheet, or served by a
 * cache in part, while no queue tells. */
static bool memory_may_stop(const struct verdict *out, const struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (!resource_follows_clock(r) && r->limit->role == LIMIT_LEVEL &&
			!(r->queue_full < r->queue_from) &&
			(r->source != ROOF_MEASURED || may_be_cached(r)) &&
			r->fill * out->headroom >= verdict_threshold(THRESHOLD_DOUBT))
			return true;
	}
	return false;
}

/* Whether a higher clock may gain less: time without threads, and waits where nothing is surely
 * full, may pass by another clock. */
static bool clock_may_gain_less(const struct verdict *out, const struct evidence *e)
{
	const struct resource *full = evidence_full(e, 0);
	bool is_sure = full && pipe_is_at(full, verdict_threshold(THRESHOLD_BEHIND));

	if (e->empty >= verdict_threshold(THRESHOLD_LEAD) ||
		kept_back(out, e, full) >= verdict_threshold(THRESHOLD_SUM) ||
		e->busy < verdict_threshold(THRESHOLD_BUSY) ||
		(e->counts_waiting && !is_sure &&
			!(e->waiting < verdict_threshold(THRESHOLD_EMPTY))))
		return true;
	return memory_may_stop(out, e);
}

/* Whether more may stop the gain than what is known: a level that is not counted, or a low clock
 * that nobody explains. Waiting for work, and what a link moves, passes no level of the device. */
static bool may_be_less(const struct verdict *out, const struct evidence *e)
{
	bool waits = out->kind == VERDICT_HOST || out->kind == VERDICT_PARTLY_IDLE;
	const struct resource *r = evidence_resource(e, out->bound);
	bool follows = !r || resource_follows_clock(r);
	bool fills_slots = out->kind == VERDICT_PARALLELISM || out->kind == VERDICT_LATENCY;
	bool is_link = r && !follows && r->limit->role != LIMIT_LEVEL;

	if (waits || is_link || !(out->headroom >= 1.005))
		return false;
	if (out->kind >= VERDICT_HEAT && out->kind <= VERDICT_CLOCK && clock_may_gain_less(out, e))
		return true;
	/* Of what all move, this work may move the most. */
	for (int i = 0; i < e->n_resources; i++)
		if (e->resources[i].limit->shared && &e->resources[i] != r &&
			out->headroom * nearness(&e->resources[i]) > 1)
			return true;
	if (out->kind == VERDICT_PARALLELISM && !isnan(e->least_slots))
		return true;
	if ((fills_slots || out->kind == VERDICT_LAUNCH) && memory_may_stop(out, e))
		return true;
	return !evidence_knows_memory(e) || (fills_slots && knows_only_queue(e)) ||
		(out->kind >= VERDICT_PIPE && follows && verdict_clock_is_low(e));
}

/* Names the unit of value and roof; what people write shorter is. */
static void tell_unit(struct verdict *out, const struct evidence *e)
{
	const struct unit one = unit_one(), *u = &one;

	if (isnan(out->value))
		return;
	if (out->metric >= 0)
		u = &e->s->set->metrics[out->metric].unit;
	unit_dims_text(u, out->unit, sizeof(out->unit));
	if (!strcmp(out->unit, "cycle/s"))
		snprintf(out->unit, sizeof(out->unit), "Hz");
}

void verdict_tell(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	verdict_state(out, f->kind);
	snprintf(out->bound, sizeof(out->bound), "%s", f->bound);
	out->missing = f->missing;
	out->rule = f->rule;
	out->is_divided = e->is_divided;
	out->lacks_level = !evidence_knows_memory(e);
	count(out, e, f, false);
	if (f->at_most || may_be_less(out, e)) {
		out->flags |= VERDICT_AT_MOST;
		/* That of a named resource is its own, as far as it is known. */
		if (f->kind <= VERDICT_CLOCK || f->kind == VERDICT_LATENCY) {
			out->flags = VERDICT_AT_MOST;
			count(out, e, f, true);
		}
	}
	tell_unit(out, e);
	if (e->s->device && e->s->device->simulated)
		out->flags |= VERDICT_SIMULATED;
	verdict_tell_line(out, e, f);
	tell_because(out, e, f);
	/* Threads that wait for each other do so, too, when nothing else is waited for. */
	if (f->kind == VERDICT_LATENCY && *out->causes[0])
		out->flags |= VERDICT_AT_MOST;
	lead_with_cause(out, f);
	verdict_list(out, e, f);
}
