/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rules ask of pipes, levels and links: whether one is full, has room, or is not known; and
 * the numbers that they compare with. */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict/verdict_priv.h"

static const struct {
	double value;
	const char *name, *text;
} thresholds[] = {
#define X(id, name, value, text) { value, name, text },
	VERDICT_THRESHOLD_LIST(X)
#undef X
};

double verdict_threshold(enum verdict_threshold t)
{
	assert(t < VERDICT_THRESHOLDS);
	return thresholds[t].value;
}

const char *verdict_threshold_name(enum verdict_threshold t)
{
	return thresholds[t].name;
}

const char *verdict_threshold_text(enum verdict_threshold t)
{
	return thresholds[t].text;
}

#define T(id) verdict_threshold(THRESHOLD_##id)

bool pipe_is_at(const struct resource *r, double share)
{
	return r->fill >= share || r->fullest >= share;
}

/* A roof that nobody can look up, and traffic that is everybody's, need a second sign. */
bool resource_is_full(const struct evidence *e, const struct resource *r)
{
	bool waits = e->waiting >= T(WAITING) * evidence_loaded(e);
	bool queued = r->queue_full >= r->queue_from;

	if (!pipe_is_at(r, r->from))
		return false;
	return (!r->uncertain && !r->limit->shared) || waits || queued;
}

/* Whether the queue to it says that it is full, while the units that have a thread wait. */
static bool is_queued(const struct evidence *e, const struct resource *r)
{
	return r->queue_full >= r->queue_from &&
		(e->waiting >= T(WAITING) * evidence_loaded(e) || !e->counts_waiting);
}

static bool is_counted(const struct resource *r)
{
	return !isnan(r->value) || !isnan(r->queue_full);
}

/* Whether it surely has room. */
bool resource_has_room(const struct resource *r)
{
	double low = T(QUEUE_LOW) / T(QUEUE) * r->queue_from;

	return r->fill < T(LOW) || (isnan(r->fill) && r->queue_full < low);
}

/* Whether its traffic is counted, or the queue to it. Where waiting is counted, a queue that is
 * neither full nor has room leaves open what is waited for. */
static bool is_told(const struct evidence *e, const struct resource *r)
{
	bool is_open = r->queue_full < r->queue_from && !resource_has_room(r);

	return is_counted(r) && (isnan(e->waiting) || !isnan(r->value) || !is_open);
}

static bool has_role(const struct resource *r, unsigned roles)
{
	return (!roles || (roles & ROLE_BIT(r->limit->role))) &&
		!(r->limit->shared && roles & ROLE_BIT(LIMIT_NONE));
}

const struct resource *evidence_fullest(const struct evidence *e, unsigned roles)
{
	const struct resource *best = NULL;

	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (has_role(r, roles) && !isnan(r->fill) && (!best || r->fill > best->fill))
			best = r;
	}
	return best;
}

bool resource_in_group(const struct resource *r, const char *group)
{
	return r->limit->role == LIMIT_PIPE && *group && !strcmp(r->limit->group, group);
}

bool resource_group_is_even(const struct evidence *e, const struct resource *r)
{
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *other = &e->resources[i];
		bool as_full = resource_is_full(e, r) && resource_is_full(e, other);

		if (resource_in_group(other, r->limit->group) && !as_full &&
			!(other->fill > r->fill - T(LEAD)))
			return false;
	}
	return true;
}

/* A part of a level that makes up nearly all of its traffic is what fills it. */
static const struct resource *part_of(const struct evidence *e, const struct resource *whole)
{
	for (int i = 0; whole && i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (!strcmp(r->limit->group, whole->limit->word) &&
			r->value >= T(PART) * whole->value)
			return r;
	}
	return whole;
}

double nearness(const struct resource *r)
{
	double fill = r->fullest > r->fill ? r->fullest : r->fill;

	return fill / r->reach;
}

const struct resource *evidence_nearest(const struct evidence *e, unsigned roles, bool is_full)
{
	const struct resource *best = NULL;

	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];
		bool counts = is_full ? resource_is_full(e, r) : !isnan(r->fill);

		if (has_role(r, roles) && counts && (!best || nearness(r) > nearness(best)))
			best = r;
	}
	return best;
}

const struct resource *evidence_full(const struct evidence *e, unsigned roles)
{
	return part_of(e, evidence_nearest(e, roles, true));
}

const struct resource *evidence_queued(const struct evidence *e)
{
	const struct resource *best = NULL;

	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (is_queued(e, r) && (!best || !strcmp(best->limit->before, r->limit->word)))
			best = r;
	}
	return best;
}

/* Whether a level is the memory itself, which all execution units share: its roof does not follow
 * the clock, or another level names it as the one behind. Each unit has its part of the caches
 * before. */
static bool is_memory(const struct evidence *e, const struct resource *r)
{
	if (r->limit->fixed || *r->limit->before)
		return r->limit->fixed;
	for (int i = 0; i < e->n_resources; i++) {
		if (!strcmp(e->resources[i].limit->before, r->limit->word))
			return true;
	}
	return false;
}

static bool is_level(const struct resource *r)
{
	return r->limit->role == LIMIT_LEVEL || r->limit->role == LIMIT_FULL;
}

/* A cycle of the pipe for messages names at most eight lines (addresses of four bytes), and no more
 * than 16 units share a cache, so that caches have room then. */
bool evidence_hardly_sends(const struct evidence *e)
{
	const struct resource *r = evidence_resource(e, "send");

	return r && !r->estimated && r->fill < UNUSED;
}

/* What lies behind a cache, such as GTI, serves more units than a cache. */
static bool is_for_all(const struct evidence *e, const struct resource *r)
{
	return *r->limit->behind || is_memory(e, r);
}

static bool is_unused_cache(const struct evidence *e, const struct resource *r)
{
	return evidence_hardly_sends(e) && !is_for_all(e, r);
}

/* Returns a level that may be what the device waits for, without anybody knowing: it carries
 * traffic and has neither a roof nor a queue that shows room. NULL: there is none. */
const struct resource *evidence_roofless(const struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (has_role(r, MEMORY_ROLES) && isnan(r->fill) && !isnan(r->value) &&
			!resource_has_room(r) && !is_unused_cache(e, r))
			return r;
	}
	return NULL;
}

/* Returns the word of a level that nothing counts in this window, the memory before all others;
 * NULL: every level that is known of is counted, or not in use. One that is counted says nothing of
 * another. */
const char *evidence_uncounted(const struct evidence *e)
{
	const char *front = evidence_hardly_sends(e) ? NULL : e->uncounted_front;
	const char *other = e->uncounted_behind ? e->uncounted_behind : front;
	bool counts_memory = false;

	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (!is_level(r))
			continue;
		counts_memory = counts_memory || (is_memory(e, r) && is_told(e, r));
		if (!is_told(e, r) && !is_unused_cache(e, r) && (!other || is_memory(e, r)))
			other = r->limit->word;
	}
	return counts_memory || e->uncounted_behind ? other : "dram";
}

/* Returns a pipe of the set that has no value in this window, or NULL. */
const struct resource *evidence_uncounted_pipe(const struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (r->limit->role == LIMIT_PIPE && !is_counted(r))
			return r;
	}
	return NULL;
}

bool resource_is_doubtful(const struct resource *r, double time)
{
	return is_level(r) && r->limit->fixed && isnan(r->queue_full) &&
		r->fill >= T(DOUBT) * time && r->fill < r->from &&
		resource_is_printed(r);
}

const struct resource *evidence_doubtful(const struct evidence *e, double time)
{
	for (int i = 0; i < e->n_resources; i++)
		if (resource_is_doubtful(&e->resources[i], time))
			return &e->resources[i];
	return NULL;
}

bool evidence_memory_is_shared(const struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++)
		if (e->resources[i].limit->shared && is_counted(&e->resources[i]))
			return true;
	return false;
}

bool evidence_knows_memory(const struct evidence *e)
{
	return !evidence_uncounted(e) && !evidence_roofless(e);
}

bool evidence_knows_shared_memory(const struct evidence *e)
{
	bool knows_memory = false;

	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (!is_level(r) || !is_for_all(e, r))
			continue;
		if (isnan(r->fill) && !resource_has_room(r))
			return false;
		knows_memory = knows_memory || is_memory(e, r);
	}
	return knows_memory;
}

bool evidence_memory_has_room(const struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		if (has_role(r, MEMORY_ROLES) && is_counted(r) && !resource_has_room(r))
			return false;
	}
	return evidence_knows_memory(e);
}

double evidence_loaded(const struct evidence *e)
{
	return e->empty > 0 ? 1 - e->empty : 1;
}

/* The longest that units may wait: where nothing counts it, the time in which none of them is
 * known to work or to be empty. */
double evidence_most_waiting(const struct evidence *e)
{
	const struct resource *r = evidence_fullest(e, ROLE_BIT(LIMIT_PIPE));
	double rest = 1;

	if (!isnan(e->waiting))
		return e->waiting;
	if (r && r->fill > 0)
		rest = 1 - r->fill;
	if (1 - e->working < rest)
		rest = 1 - e->working;
	return e->empty > 0 ? rest - e->empty : rest;
}

bool evidence_takes_turns(const struct evidence *e)
{
	double sum = 0;

	for (int i = 0; i < e->n_queues; i++) {
		if (e->queues[i].share >= T(TURN))
			return false;
		sum += e->queues[i].share;
	}
	return e->n_queues > 1 && sum >= T(TURNS);
}

const char *evidence_uncounted_unit(const struct evidence *e)
{
	static const char *const units[] = { "sampler", "rasterizer" };

	for (size_t i = 0; i < ARRAY_LEN(units) && e->graphics >= T(IDLE); i++) {
		const struct resource *r = evidence_resource(e, units[i]);

		if (!r || !is_counted(r))
			return units[i];
	}
	return NULL;
}

/* Whether units, or resources of these roles, are counted. */
static bool counts(const struct evidence *e, unsigned roles)
{
	for (int i = 0; i < e->n_resources; i++)
		if (has_role(&e->resources[i], roles) && is_counted(&e->resources[i]))
			return true;
	return !isnan(e->working) || !isnan(e->waiting);
}

/* What links and copies move says nothing of the work. */
bool evidence_counts_work(const struct evidence *e)
{
	return counts(e, OWN_ROLES & ~(ROLE_BIT(LIMIT_LINK) | ROLE_BIT(LIMIT_COPY)));
}

bool evidence_counts_units(const struct evidence *e)
{
	return counts(e, ROLE_BIT(LIMIT_PIPE));
}
