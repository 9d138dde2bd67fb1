/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules that find what limits a device, in the order in which they are asked. Metric files say
 * what is a pipe, a level, a link, a reason and evidence, so that no rule knows a vendor. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict/verdict_priv.h"

#define T(id) verdict_threshold(THRESHOLD_##id)

static bool found(struct finding *f, const struct resource *r)
{
	f->resource = r;
	f->bound = r ? r->limit->word : "";
	return true;
}

static bool found_word(struct finding *f, const char *bound)
{
	f->bound = bound;
	return true;
}

/* --- the device and its work --- */

/* Clocks and watts may be open where counters are not. */
static bool is_refused(const struct evidence *e, struct finding *f)
{
	bool refused = e->s->why == WHY_PERMISSION;

	(void)f;
	for (int i = 0; i < e->s->set->n_metrics; i++)
		refused = refused || (e->s->set->metrics[i].limit.role == LIMIT_BUSY &&
			e->s->values[i].why == WHY_PERMISSION);
	return refused && !evidence_counts_work(e);
}

/* A link, or an engine that copies, works while the engines that compute rest. */
static bool only_copies(const struct evidence *e, struct finding *f)
{
	const struct resource *r = evidence_full(e, ROLE_BIT(LIMIT_LINK) | ROLE_BIT(LIMIT_COPY));
	bool rests = e->busy < T(PARTLY) || e->empty > 1 - T(EMPTY);

	return r && rests && found(f, r);
}

static bool is_idle(const struct evidence *e, struct finding *f)
{
	return e->busy < T(IDLE) && found_word(f, "busy");
}

static bool waits_for_work(const struct evidence *e)
{
	return e->busy < T(PARTLY) ||
		(e->busy < T(BUSY) && !evidence_full(e, 0) && !evidence_queued(e));
}

/* Of one context some counters are not sure: what these are of may be full while there is work. */
static bool waits_or_is_full(const struct evidence *e, struct finding *f)
{
	f->missing = VERDICT_MISSING_SET;
	for (int i = 0; i < e->n_resources && waits_for_work(e); i++)
		if (e->values[e->resources[i].metric].why == WHY_NOT_BY_CONTEXT)
			return found_word(f, e->resources[i].limit->word);
	return false;
}

static bool waits_for_host(const struct evidence *e, struct finding *f)
{
	return waits_for_work(e) && e->host_cpu >= T(HOST_CPU) && found_word(f, "busy");
}

static bool is_partly_idle(const struct evidence *e, struct finding *f)
{
	return waits_for_work(e) && found_word(f, "busy");
}

/* --- threads --- */

static bool launches_are_short(const struct evidence *e, struct finding *f)
{
	/* The rasterizer may start them no faster. */
	return e->empty > T(GAPS) && e->life_s < T(LIFE_S) && !evidence_uncounted_unit(e) &&
		found_word(f, "gaps");
}

/* Some cells have more work than others, and the units of these rest for as long as that lets
 * expect: half of it, since those that end first may have a part of the next launch. */
static bool work_is_uneven(const struct evidence *e)
{
	double lost = 1 - 1 / e->balance.imbalance;

	return e->dealt_map && lost > T(UNEVEN) && e->empty > lost / 2;
}

/* Whether units that have a thread work for most of their time, as far as that is counted. */
static bool loaded_units_work(const struct evidence *e)
{
	const struct resource *r = evidence_fullest(e, ROLE_BIT(LIMIT_PIPE));

	if (!isnan(e->working) && !isnan(e->waiting))
		return e->working >= e->waiting;
	return r && r->fill >= evidence_most_waiting(e);
}

/* Whether units that have a thread may wait for a memory of which nothing is known: pipes that take
 * turns make a unit work for longer than any of them, and one may be as full as the memory. */
static bool may_wait_for_memory(const struct evidence *e)
{
	const struct resource *r = evidence_fullest(e, ROLE_BIT(LIMIT_PIPE));

	return !r || r->fill < T(PIPE) * evidence_loaded(e) || !evidence_hardly_sends(e);
}

/* More threads help only where nothing that they share is full. Where that is not known, threads
 * that wait say nothing. */
static bool threads_are_few(const struct evidence *e, struct finding *f)
{
	bool loaded_work = loaded_units_work(e);

	if (evidence_full(e, 0) || evidence_queued(e) || evidence_uncounted_unit(e))
		return false;
	/* What would be full first may not be counted. */
	f->at_most = !evidence_knows_memory(e) || evidence_doubtful(e, 1);
	/* Of those that have threads most may wait for a level that is full. */
	bool may_be_memory = evidence_knows_shared_memory(e) ? !loaded_work && f->at_most :
		may_wait_for_memory(e);

	if (!may_be_memory && (work_is_uneven(e) || e->empty > T(EMPTY)))
		return found_word(f, "groups");
	return e->occupancy < T(OCCUPANCY) && e->waiting > T(WAITING) && evidence_knows_memory(e) &&
		!evidence_doubtful(e, 1) && found_word(f, "occupancy");
}

/* --- the clock --- */

static enum verdict_kind reason_of(const struct evidence *e, struct finding *f)
{
	bool asks_more = isnan(e->requested_hz) || e->clock_hz < T(CLOCK) * e->requested_hz;

	if (e->reasons[REASON_HEAT] > 0) {
		found_word(f, "temperature");
		return VERDICT_HEAT;
	}
	found_word(f, e->plane.metric >= 0 ? e->plane.limit->word : "package");
	if (e->reasons[REASON_POWER] > 0)
		return VERDICT_POWER;
	if (e->reasons[REASON_CURRENT] > 0)
		return VERDICT_CURRENT;
	if (asks_more && e->plane.metric >= 0 && e->plane.watts >= T(POWER) * e->plane.most)
		return VERDICT_POWER;
	found_word(f, "setting");
	if (e->setting_hz < T(CLOCK) * e->highest_hz)
		return VERDICT_CLOCK;
	/* It is held, and nobody says by what. Less is asked for in the time without work. */
	found_word(f, "clock");
	return e->clock_hz < T(CLOCK) * e->requested_hz * e->busy ? VERDICT_CLOCK : VERDICT_NONE;
}

/* Whether the clock is low, and what would tell the reason has no value in this window. */
static bool clock_is_unexplained(const struct evidence *e)
{
	bool may_be_held = isnan(e->requested_hz) && e->lacks_reason;

	for (int i = 0; i < REASONS; i++)
		if (e->reasons[i] > 0)
			return false;
	return verdict_clock_is_low(e) && (may_be_held || e->lacks_setting);
}

bool resource_follows_clock(const struct resource *r)
{
	return !r->limit->fixed && r->limit->role != LIMIT_LINK && r->limit->role != LIMIT_COPY;
}

/* Whether something is full that does not follow the clock, by its roof, or by the queue to it
 * where its traffic does not show that it has room. */
static bool fixed_is_full(const struct evidence *e)
{
	const struct resource *queued = evidence_queued(e);

	for (int i = 0; i < e->n_resources; i++) {
		if (!resource_follows_clock(&e->resources[i]) &&
			resource_is_full(e, &e->resources[i]))
			return true;
	}
	return queued && !resource_follows_clock(queued) && !(queued->fill < T(LOW));
}

/* Whether the level of which nothing is known follows the clock. The memory does not, and caches
 * do, also where no metric of the set is of them. */
static bool unknown_follows_clock(const struct evidence *e)
{
	const struct resource *r = evidence_roofless(e);

	if (!r && evidence_uncounted(e))
		r = evidence_resource(e, evidence_uncounted(e));
	return !r || resource_follows_clock(r);
}

/* Whether a memory of which nothing is known may be full, although nothing else is: beside pipes
 * that take turns, unless units work always. */
static bool memory_may_be_full(const struct evidence *e)
{
	return !evidence_knows_shared_memory(e) && !(e->working >= 1 - UNUSED);
}

/* Whether the pipes that are counted account for half of the time in which units work, and none is
 * without a value: else the rest is another's. */
static bool pipes_explain_work(const struct evidence *e)
{
	double counted = 0;

	for (int i = 0; i < e->n_resources; i++)
		if (e->resources[i].limit->role == LIMIT_PIPE)
			counted += fmax(e->resources[i].fill, 0);
	return !evidence_uncounted_pipe(e) && counted >= e->working / 2;
}

/* Returns the memory that may be slower than its data sheet while units wait, or NULL. Where pipes
 * are not counted a unit that works may wait as well; and while none has a thread it rests, too. */
static const struct resource *slow_memory(const struct evidence *e)
{
	double from = pipes_explain_work(e) ? T(WAITING) : 1 - T(PIPE);

	if (evidence_most_waiting(e) >= from * evidence_loaded(e))
		return evidence_doubtful(e, fmax(evidence_loaded(e), 1 - T(EMPTY)));
	return NULL;
}

/* Whether a higher clock would help: what is full follows it, or nothing is full, and the memory,
 * which does not follow it, has room. */
static bool clock_matters(const struct evidence *e, struct finding *f)
{
	const struct resource *full = evidence_full(e, 0), *nearest = evidence_nearest(e, 0, false);
	const struct resource *fullest = evidence_fullest(e, 0);

	if (fixed_is_full(e))
		return false;
	if (!evidence_counts_work(e)) {
		f->at_most = true;
		return true;
	}
	/* The queue to a memory that gives less than any does is held by what lies before it. */
	if (!full && evidence_queued(e) && evidence_queued(e)->fill < T(DOUBT)) {
		f->at_most = true;
		return true;
	}
	if (full || evidence_queued(e)) {
		f->resource = full ? full : evidence_queued(e);
		/* A full level that follows the clock may wait for a memory that is not counted. */
		if (*f->resource->limit->before && e->uncounted_behind)
			return false;
		return resource_follows_clock(f->resource);
	}
	if (memory_may_be_full(e))
		return false;
	/* What does not follow the clock, and is nearest to what it ever reaches, would be full
	 * first; and a memory that may be slower than its data sheet may be what units wait for. */
	if (nearest && nearness(nearest) >= T(LOW) && !resource_follows_clock(nearest))
		return false;
	/* Few threads may be all that the fixed units in front of them let through, or more of them
	 * may help, which a level that is not counted leaves open. */
	bool leaves_open = evidence_uncounted(e) && !loaded_units_work(e);
	if ((evidence_uncounted_unit(e) || leaves_open) && e->empty > T(EMPTY))
		return false;
	if (slow_memory(e))
		return false;
	/* Whether there are enough threads may not be known. */
	if (e->lacks_empty)
		return false;
	f->at_most = !evidence_knows_memory(e);
	if (f->at_most && e->waiting >= T(WAITING))
		return unknown_follows_clock(e);
	if (e->working >= evidence_most_waiting(e) && !pipes_explain_work(e)) {
		f->at_most = true;
		return true;
	}
	f->resource = fullest;
	/* What does not follow the clock has room, unless it is slower than its data sheet. */
	if (fullest && !resource_follows_clock(fullest) && evidence_doubtful(e, 1))
		return false;
	/* The memory that threads wait for has a clock of its own. */
	f->at_most = !fullest || evidence_doubtful(e, 1) || evidence_uncounted_unit(e) ||
		evidence_most_waiting(e) >= T(WAITING) * evidence_loaded(e);
	return true;
}

bool verdict_clock_is_low(const struct evidence *e)
{
	return e->clock_hz < T(CLOCK) * e->highest_hz;
}

static bool clock_is_held(const struct evidence *e, struct finding *f)
{
	/* While it is busy, as far as that is known. */
	return verdict_clock_is_low(e) && !isnan(e->busy) && !isnan(e->clock_hz) &&
		reason_of(e, f) == f->kind && clock_matters(e, f);
}

/* --- resources --- */

/* When all pipes of a group are as full as the fullest one, the group is named. */
static bool found_pipe(const struct evidence *e, struct finding *f, const struct resource *r)
{
	found(f, r);
	if (!resource_in_group(r, r->limit->group) || !resource_group_is_even(e, r))
		return true;
	return found_word(f, r->limit->group);
}

static bool pipe_is_full(const struct evidence *e, struct finding *f)
{
	const struct resource *r = evidence_full(e, ROLE_BIT(LIMIT_PIPE));

	return r && found_pipe(e, f, r);
}

static bool memory_is_full(const struct evidence *e, struct finding *f)
{
	const struct resource *r = evidence_full(e, MEMORY_ROLES);

	if (!r)
		r = evidence_queued(e);
	return r && found(f, r);
}

/* Several pipes share the work. Where those that are counted do not explain it, working time is all
 * that is known. */
static bool pipes_are_mixed(const struct evidence *e, struct finding *f)
{
	const struct resource *r = evidence_fullest(e, ROLE_BIT(LIMIT_PIPE));
	int used = 0;

	for (int i = 0; i < e->n_resources; i++)
		used += e->resources[i].limit->role == LIMIT_PIPE &&
			e->resources[i].fill >= T(MIX_PIPE);
	if (!pipes_explain_work(e))
		r = NULL;
	if (clock_is_unexplained(e))
		return false;
	if (memory_may_be_full(e))
		return false;
	if (!(e->working >= T(MIX_WORKING)) || (r && used < 2))
		return false;
	if (r)
		return found_pipe(e, f, r);
	f->missing = VERDICT_MISSING_SET;
	return found(f, r);
}

/* Returns a level that is full but for a second sign, where nothing tells whether the device waits;
 * or NULL. */
static const struct resource *full_without_sign(const struct evidence *e)
{
	for (int i = 0; i < e->n_resources && isnan(e->waiting) && !evidence_counts_units(e); i++)
		if (e->resources[i].limit->role == LIMIT_LEVEL &&
			e->resources[i].fill >= e->resources[i].from)
			return &e->resources[i];
	return NULL;
}

/* Whether what units wait for are messages of which nothing counts what they do: no level moves
 * anything, and no set of message counters has a share of them. Before Gen12 atomics in local
 * memory are such. Where messages are not counted either, no pipe may have worked. */
static bool messages_are_uncounted(const struct evidence *e)
{
	const struct resource *send = evidence_resource(e, "send");
	const struct resource *pipe = evidence_fullest(e, ROLE_BIT(LIMIT_PIPE));
	bool sends = send && send->fill >= UNUSED;
	double from = sends ? send->fill * T(SUM) : UNUSED;

	if (!pipe || e->graphics >= T(IDLE) || !(e->waiting >= T(WAITING)) ||
		(!sends && pipe->fill >= UNUSED))
		return false;
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (r->limit->role == LIMIT_LEVEL && (r->fill >= from || (sends && isnan(r->fill))))
			return false;
	}
	for (int i = 0; i < e->s->set->n_metrics; i++)
		if (e->s->set->metrics[i].limit.role == LIMIT_CAUSE && e->values[i].why == WHY_OK)
			return false;
	return true;
}

/* A level that threads may wait for is not known: it has no roof, or one that may be too high, or
 * this set does not count it. */
static bool level_is_unknown(const struct evidence *e, struct finding *f)
{
	const struct resource *r = evidence_roofless(e);
	const char *uncounted = evidence_uncounted(e);
	/* Units that hardly wait may still wait for what nobody counts, and beside pipes that take
	 * turns for a memory of which nothing is known. */
	double from = uncounted ? (1 - T(PIPE)) * evidence_loaded(e) : T(WAITING);
	bool may_wait = !evidence_knows_shared_memory(e) || evidence_most_waiting(e) >= from;
	const struct resource *pipe = evidence_uncounted_pipe(e), *full = full_without_sign(e);

	if (full) {
		f->missing = VERDICT_MISSING_SET;
		f->resource = full;
		return found_word(f, "waiting");
	}
	/* Queues that take turns are seen to be the reason. */
	if (evidence_takes_turns(e))
		return false;
	if (!evidence_counts_units(e)) {
		f->missing = VERDICT_MISSING_ROOF;
		return r && r->over && found(f, r);
	}
	if (clock_is_unexplained(e)) {
		f->missing = VERDICT_MISSING_SET;
		return found_word(f, "clock");
	}
	if (evidence_uncounted_unit(e)) {
		f->missing = VERDICT_MISSING_SET;
		return found_word(f, evidence_uncounted_unit(e));
	}
	/* Everybody's traffic tells how full the memory is, and not whether this device waits. */
	if (evidence_memory_is_shared(e) && !e->counts_waiting &&
		evidence_most_waiting(e) >= T(WAITING)) {
		f->missing = VERDICT_MISSING_SET;
		return found_word(f, "waiting");
	}
	if (pipe && isnan(e->working)) {
		f->missing = VERDICT_MISSING_SET;
		return found_word(f, pipe->limit->word);
	}
	if (e->lacks_empty && !uncounted) {
		f->missing = VERDICT_MISSING_SET;
		return found_word(f, "occupancy");
	}
	if (!r && !uncounted)
		r = slow_memory(e);
	if (!may_wait && !(r && !uncounted && !isnan(r->fill)))
		return false;
	if (!r && !uncounted && messages_are_uncounted(e)) {
		f->missing = VERDICT_MISSING_SET;
		return found_word(f, "messages");
	}
	if (r) {
		f->missing = VERDICT_MISSING_ROOF;
		return found(f, r);
	}
	f->missing = VERDICT_MISSING_SET;
	if (uncounted)
		return found_word(f, uncounted);
	/* Latency needs what counts waiting, and how many threads there are. */
	found_word(f, isnan(e->waiting) ? "waiting" : "occupancy");
	return e->waiting_metric >= 0 && e->values[e->waiting_metric].why != WHY_NOT_IN_SET &&
		(isnan(e->waiting) || isnan(e->occupancy));
}

static bool is_latency(const struct evidence *e, struct finding *f)
{
	return e->waiting >= T(WAITING) && e->occupancy >= T(THREADS) &&
		evidence_memory_has_room(e) &&
		found(f, evidence_fullest(e, OWN_ROLES));
}

static bool is_nothing(const struct evidence *e, struct finding *f)
{
	const struct resource *r = evidence_fullest(e, 0);

	if (!evidence_counts_units(e))
		return false;
	/* What nobody uses limits nothing: it is named by no word. */
	if (!r || r->fill < UNUSED)
		return found(f, NULL);
	return found_pipe(e, f, r);
}

const struct rule verdict_rules[] = {
	{ VERDICT_LOST, NULL, N_("the device went away") },
	{ VERDICT_MEASURING, NULL, N_("no whole window has been measured yet") },
	{ VERDICT_ASLEEP, NULL, N_("the device sleeps and is left asleep") },
	{ VERDICT_PERMISSION, is_refused, N_("opening its counters was refused") },
	{ VERDICT_BANDWIDTH, only_copies,
		N_("a link or a copy engine is full while the rest of the device is not busy") },
	{ VERDICT_IDLE, is_idle, N_("the device is hardly busy") },
	{ VERDICT_UNKNOWN, waits_or_is_full,
		N_("there is work for a part of the time, and something that may be full then is "
		   "not counted of it alone") },
	{ VERDICT_HOST, waits_for_host,
		N_("it waits for work, and the first process uses a whole CPU core") },
	{ VERDICT_PARTLY_IDLE, is_partly_idle, N_("it waits for work") },
	{ VERDICT_LAUNCH, launches_are_short,
		N_("no thread is loaded most of the time, and threads live briefly") },
	{ VERDICT_PARALLELISM, threads_are_few,
		N_("too few threads are loaded, and nothing that they share is full") },
	{ VERDICT_HEAT, clock_is_held,
		N_("heat lowers the clock, and what is full follows it") },
	{ VERDICT_POWER, clock_is_held,
		N_("a power limit lowers the clock, and what is full follows it") },
	{ VERDICT_CURRENT, clock_is_held,
		N_("a limit of current lowers the clock, and what is full follows it") },
	{ VERDICT_CLOCK, clock_is_held,
		N_("a setting lowers the clock, and what is full follows it") },
	{ VERDICT_PIPE, pipe_is_full, N_("the fullest single pipe is full") },
	{ VERDICT_BANDWIDTH, memory_is_full,
		N_("a level of memory or a link is full, by its roof or by the queue to it") },
	{ VERDICT_MIX, pipes_are_mixed,
		N_("instructions fill the time, and no single pipe is full") },
	{ VERDICT_UNKNOWN, level_is_unknown,
		N_("threads wait, and a level that they may wait for has no sure roof or is not "
		   "counted") },
	{ VERDICT_LATENCY, is_latency,
		N_("many threads wait, and every level is counted and has room") },
	{ VERDICT_NONE, is_nothing, N_("no other rule holds") },
	{ VERDICT_NO_COUNTERS, NULL,
		N_("nothing counts pipes or waiting, and what is counted has room; or the device is "
		   "divided") },
};

const int verdict_n_rules = ARRAY_LEN(verdict_rules);

struct finding verdict_ask(const struct evidence *e)
{
	static const enum why whys[VERDICT_KINDS] = { [VERDICT_LOST] = WHY_GONE,
		[VERDICT_MEASURING] = WHY_NOT_YET, [VERDICT_ASLEEP] = WHY_ASLEEP };
	struct finding f = { .bound = "" };

	for (int i = 0; i < verdict_n_rules; i++) {
		const struct rule *r = &verdict_rules[i];

		f = (struct finding){ .kind = r->kind, .rule = i, .bound = "" };
		bool holds = e->s->why == whys[r->kind];
		if (r->holds)
			holds = r->holds(e, &f);
		if (holds)
			break;
	}
	return f;
}

const char *verdict_rule_text(const struct verdict *v)
{
	return v->rule < 0 ? "" : verdict_rules[v->rule].text;
}
