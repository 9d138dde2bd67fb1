/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers what the metrics of a window say about limits, by the roles that metric files give
 * them. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict/verdict_priv.h"

static double largest(double a, double b)
{
	return isnan(b) || a > b ? a : b;
}

/* These keep NAN, unlike fmin() and fmax(). */
static double at_most_one(double v)
{
	return v > 1 ? 1 : v;
}

static double at_least_zero(double v)
{
	return v < 0 ? 0 : v;
}

/* The value in base units, NAN when there is none. */
static double base_value(const struct metric *m, struct value v)
{
	return v.why == WHY_OK ? v.v * m->unit.scale : NAN;
}

const struct resource *evidence_resource(const struct evidence *e, const char *word)
{
	for (int i = 0; i < e->n_resources; i++) {
		if (!strcmp(e->resources[i].limit->word, word))
			return &e->resources[i];
	}
	return NULL;
}

static struct resource *find_resource(struct evidence *e, const char *word)
{
	const struct resource *r = evidence_resource(e, word);

	return r ? &e->resources[r - e->resources] : NULL;
}

bool resource_is_printed(const struct resource *r)
{
	return r->source != ROOF_MEASURED && (r->source != ROOF_COMPUTED || r->limit->fixed);
}

/* Finds where a metric's ceiling comes from. Merged sets have no equations: those of the part are
 * looked at. */
static void find_source(struct resource *r, const struct snapshot *s, int metric)
{
	const struct metric_set *set = s->set;

	r->source = isnan(r->roof) ? ROOF_SOURCE_NONE : ROOF_COMPUTED;
	r->reach = 1;
	if (s->roofline && roofline_measured_for(s->roofline, &set->metrics[metric])) {
		r->source = ROOF_MEASURED;
		return;
	}
	if (s->mux) {
		if (!s->mux[metric].part)
			return;
		set = s->mux[metric].part->set;
		metric = s->mux[metric].metric;
	}
	if (isnan(r->roof) || !set->metrics[metric].ceiling || !s->device)
		return;
	const struct device_const *c =
		metric_bound_const(set, set->metrics[metric].ceiling, s->device);
	if (!c)
		return;
	r->source = c->source;
	r->uncertain = c->uncertain;
	if (c->reach > 0)
		r->reach = c->reach;
	else if (r->limit->role != LIMIT_PIPE && resource_is_printed(r))
		r->reach = verdict_threshold(THRESHOLD_REACH);
}

/* The share from which a resource is full. */
static double full_from(const struct resource *r)
{
	double from = verdict_threshold(THRESHOLD_PRINTED);
	double reached = r->reach * verdict_threshold(THRESHOLD_REACHED);

	if (r->limit->from > 0)
		return r->limit->from;
	if (r->limit->role == LIMIT_PIPE)
		return verdict_threshold(THRESHOLD_PIPE);
	if (r->source == ROOF_MEASURED)
		return verdict_threshold(THRESHOLD_MEASURED);
	if (!resource_is_printed(r))
		return verdict_threshold(THRESHOLD_COMPUTED);
	return reached < from ? reached : from;
}

/* Says which of two metrics of the same resource is believed: a number before none, a count before
 * an estimate, own traffic before everybody's, else the fuller one. */
static bool is_better(const struct resource *a, const struct resource *b)
{
	if (isnan(a->value) != isnan(b->value))
		return isnan(b->value);
	if (a->estimated != b->estimated)
		return b->estimated;
	if (a->limit->shared != b->limit->shared)
		return b->limit->shared;
	return a->share > b->share;
}

static void add_resource(struct evidence *e, int metric, struct value value, struct value ceiling)
{
	const struct metric *m = &e->s->set->metrics[metric];
	struct resource *old = find_resource(e, m->limit.word);
	struct resource r = { .limit = &m->limit, .name = metric_limit_name(m), .metric = metric,
		.fullest = NAN, .queue = -1, .queue_full = NAN };

	r.value = base_value(m, value);
	r.roof = base_value(m, ceiling);
	/* A roof of zero is none: nothing can be compared with it. */
	if (!(r.roof > 0))
		r.roof = NAN;
	r.estimated = m->flags & METRIC_ESTIMATED;
	r.share = r.value / r.roof;
	find_source(&r, e->s, metric);
	r.from = full_from(&r);
	r.over = r.share > verdict_threshold(THRESHOLD_OVER);
	if (old && is_better(&r, old))
		*old = r;
	else if (!old && e->n_resources < VERDICT_MAX_CANDIDATES)
		e->resources[e->n_resources++] = r;
}

/* The queue to a level that no metric counts the traffic of makes that level known, too. */
static void add_queue(struct evidence *e, int metric, struct value value)
{
	const struct metric *m = &e->s->set->metrics[metric];
	struct resource *r = find_resource(e, m->limit.word);
	double full = base_value(m, value), from = verdict_threshold(THRESHOLD_QUEUE);

	if (m->limit.from > 0)
		from = m->limit.from;
	if (isnan(full) || (m->limit.one_sided && full < from))
		return;
	if (!r && e->n_resources < VERDICT_MAX_CANDIDATES) {
		r = &e->resources[e->n_resources++];
		*r = (struct resource){ .limit = &m->limit, .name = metric_limit_name(m),
			.metric = metric, .value = NAN, .roof = NAN, .share = NAN,
			.fullest = NAN, .queue_full = NAN };
	}
	/* Of several signs the one that is nearest to what it means counts. */
	if (!r || r->queue_full / r->queue_from >= full / from)
		return;
	r->queue_full = full;
	r->queue_from = from;
	r->queue = metric;
}

/* The fullest unit of a pipe, whose mean may be far lower; or what the mean is at least. */
static void add_bound(struct evidence *e, int metric, struct value value)
{
	const struct metric *m = &e->s->set->metrics[metric];
	struct resource *r = find_resource(e, m->limit.word);

	if (r && !isnan(r->value))
		*(m->limit.one_sided ? &r->least : &r->fullest) = base_value(m, value);
}

static void add_work_queue(struct evidence *e, int metric, double share)
{
	const struct metric *m = &e->s->set->metrics[metric];

	if (!isnan(share) && e->n_queues < MAX_QUEUES)
		e->queues[e->n_queues++] = (struct work_queue){
			.name = metric_limit_name(m), .metric = metric, .share = share };
}

static void add_plane(struct evidence *e, int metric, struct value value, struct value ceiling)
{
	const struct metric *m = &e->s->set->metrics[metric];
	struct plane p = { .limit = &m->limit, .metric = metric, .watts = base_value(m, value),
		.most = base_value(m, ceiling) };

	if (!(p.most > 0) || isnan(p.watts))
		return;
	if (e->plane.metric < 0 || p.watts / p.most > e->plane.watts / e->plane.most)
		e->plane = p;
}

static void add_reason(struct evidence *e, const char *word, double share)
{
	static const char *const names[] = { "heat", "power", "current" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (!strcmp(names[i], word))
			e->reasons[i] = largest(share, e->reasons[i]);
	}
}

static void add_clock(struct evidence *e, int metric, double hz, double highest_hz)
{
	/* The first clock of the set counts: files name the counted one before sampled ones. */
	if (!isnan(e->clock_hz) || isnan(hz) || !(highest_hz > 0))
		return;
	e->clock_hz = hz;
	e->highest_hz = highest_hz;
	e->clock_metric = metric;
}

bool verdict_waits_for_turn(const struct snapshot *s, int metric)
{
	return s->mux && s->mux[metric].multiplexed && !s->mux[metric].t_ns;
}

/* Whether the set has it, and this window does not. */
static bool is_missing(struct value v)
{
	return v.why != WHY_OK && v.why != WHY_NOT_IN_SET;
}

/* Keeps the larger share, and whether it was counted of busy time alone. */
static void take_larger(struct evidence *e, const struct metric *m, double v, double *share)
{
	if (isnan(v) || v <= *share)
		return;
	*share = v;
	e->while_busy &= ~ROLE_BIT(m->limit.role);
	if (m->limit.while_busy)
		e->while_busy |= ROLE_BIT(m->limit.role);
}

/* Turns shares that were counted of busy time alone into shares of all time. */
static void take_busy_time(struct evidence *e)
{
	if (e->while_busy & ROLE_BIT(LIMIT_WORKING))
		e->working *= e->busy;
	if (e->while_busy & ROLE_BIT(LIMIT_WAITING))
		e->waiting *= e->busy;
	if (e->while_busy & ROLE_BIT(LIMIT_EMPTY))
		e->empty = 1 - e->busy + e->busy * e->empty;
	if (e->while_busy & ROLE_BIT(LIMIT_OCCUPANCY))
		e->occupancy *= e->busy;
}

static void take_metric(struct evidence *e, int i, struct value value, struct value ceiling)
{
	const struct metric *m = &e->s->set->metrics[i];
	double v = base_value(m, value), roof = base_value(m, ceiling);

	if (m->flags & METRIC_ESTIMATED && value.why == WHY_OK)
		e->inferred |= ROLE_BIT(m->limit.role);
	switch (m->limit.role) {
	case LIMIT_NONE:
	case LIMIT_FULL:
	case LIMIT_FULLEST:
	case LIMIT_CAUSE:
	case LIMIT_MEMORY:
	case LIMIT_FAN:
	case LIMIT_DEALT:
	case LIMIT_PART_BUSY:
	case LIMIT_PART:
	case LIMIT_SAMPLES:
	case LIMIT_ROLES:
		break;
	case LIMIT_BUSY:
		if (m->limit.while_awake && value.why != WHY_OK)
			e->busy_gap = value;
		if (isnan(e->busy) || v > e->busy)
			e->busy_while_awake = m->limit.while_awake;
		e->busy = largest(v, e->busy);
		e->busy_unit = m->limit.name;
		break;
	case LIMIT_ASLEEP: e->asleep = largest(v, e->asleep); break;
	case LIMIT_WORKING:
		if (!e->unit[0])
			e->unit = m->limit.word;
		take_larger(e, m, v, &e->working);
		break;
	case LIMIT_WAITING:
		e->counts_waiting = true;
		e->unit = m->limit.word;
		e->waiting_metric = i;
		take_larger(e, m, v, &e->waiting);
		break;
	case LIMIT_EMPTY:
		if (!e->unit[0])
			e->unit = m->limit.word;
		take_larger(e, m, v, &e->empty);
		e->lacks_empty = isnan(e->empty) && value.why != WHY_NOT_IN_SET;
		break;
	case LIMIT_OCCUPANCY:
		if (m->limit.one_sided)
			e->least_slots = v;
		else
			take_larger(e, m, v, &e->occupancy);
		break;
	case LIMIT_GRAPHICS: e->graphics = largest(v, e->graphics); break;
	case LIMIT_LIFE: e->life_s = largest(v, e->life_s); break;
	case LIMIT_PIPE:
	case LIMIT_LEVEL:
	case LIMIT_LINK:
	case LIMIT_COPY:
		/* What the set or the device does not have at all hides nothing. */
		if ((value.why != WHY_NOT_IN_SET || verdict_waits_for_turn(e->s, i)) &&
			!(m->flags & METRIC_ABSENT))
			add_resource(e, i, value, ceiling);
		break;
	case LIMIT_QUEUE: add_work_queue(e, i, v); break;
	case LIMIT_CLOCK: add_clock(e, i, v, roof); break;
	case LIMIT_REQUESTED: e->requested_hz = largest(v, e->requested_hz); break;
	case LIMIT_SETTING:
		e->setting_hz = largest(v, e->setting_hz);
		e->lacks_setting = e->lacks_setting || is_missing(value);
		break;
	case LIMIT_REASON:
		add_reason(e, m->limit.word, v);
		e->lacks_reason = e->lacks_reason || is_missing(value);
		break;
	case LIMIT_POWER: add_plane(e, i, value, ceiling); break;
	case LIMIT_TEMPERATURE: e->temperature_degc = largest(v, e->temperature_degc); break;
	}
}

static void say_contradiction(struct evidence *e, const char *fmt, const char *a, double b)
{
	if (e->contradiction.fmt)
		return;
	e->contradiction.fmt = fmt;
	snprintf(e->contradiction.args[0], sizeof(e->contradiction.args[0]), "%s", a);
	snprintf(e->contradiction.args[1], sizeof(e->contradiction.args[1]), "%.0f", b * 100);
}

/* A share far beyond the whole has no number: then its counters are what contradicts. */
static void find_no_share(struct evidence *e)
{
	for (int i = 0; i < e->s->set->n_metrics; i++) {
		const struct metric *m = &e->s->set->metrics[i];
		enum limit_role role = m->limit.role;

		if (e->values[i].why == WHY_OUT_OF_RANGE &&
			(role == LIMIT_BUSY || role == LIMIT_WORKING || role == LIMIT_WAITING ||
				role == LIMIT_EMPTY))
			say_contradiction(e, N_("the counters of %s give no share"), m->label, 0);
	}
}

/* Looks for numbers that cannot be true together. Shares of time are of all time here. */
static void contradict(struct evidence *e)
{
	double over = verdict_threshold(THRESHOLD_OVER), miss = verdict_threshold(THRESHOLD_SUM);
	double loaded = e->working + e->waiting, sum = loaded + e->empty;
	/* Values of sets that take turns are of different windows. */
	bool same_window = e->waiting_metric < 0 || !snapshot_is_kept(e->s, e->waiting_metric);

	find_no_share(e);
	if (e->busy > over)
		say_contradiction(
			e, N_("%s is busy for %s %% of its clocks"), N_("the device"), e->busy);
	if (loaded > over)
		say_contradiction(
			e, N_("the %s work and wait for %s %% of their time"), e->unit, loaded);
	else if (fabs(sum - 1) > miss)
		say_contradiction(
			e, N_("the %s work, wait and rest for %s %% of their time"), e->unit, sum);
	if (same_window && loaded > e->busy + miss)
		say_contradiction(e,
			N_("the device is busy for less time than its %s work and wait (%s %%)"),
			e->unit, loaded);
	if (e->clock_hz > over * e->highest_hz)
		say_contradiction(e, N_("the %s is at %s %% of its maximum"), N_("clock"),
			e->clock_hz / e->highest_hz);
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];

		/* An upper bound may pass the roof: part of it was served by a cache on the way;
		 * and a roof that nobody can look up may be too low.
		 * Texture units work on while their core has no quad. */
		if (!r->over || r->estimated || r->uncertain)
			continue;
		if (r->limit->role == LIMIT_PIPE)
			say_contradiction(
				e, N_("%s is busy for %s %% of its clocks"), r->name, r->share);
		else
			say_contradiction(
				e, N_("%s moves %s %% of what its roof allows"), r->name, r->share);
	}
}

static double least_traffic(const struct resource *r)
{
	bool is_memory = r->limit->role == LIMIT_LEVEL && r->limit->fixed;

	return is_memory ? MEMORY_FROM_BYTES_PER_S : TRAFFIC_FROM_BYTES_PER_S;
}

/* Turns shares of all time into shares of the time in which the device is busy. */
static void while_busy(struct evidence *e)
{
	if (isnan(e->busy) && slept_through(e->busy_gap, e->asleep)) {
		e->busy = 0;
		e->busy_while_awake = true;
	}
	double busy = e->busy, counted = e->busy;

	/* Where the clock stands still no cycle is counted, so shares of cycles lack that time. */
	if (e->asleep > 0 && e->asleep < 1) {
		if (e->busy_while_awake)
			e->busy = of_all_time(e->busy, e->asleep);
		if (e->clock_metric >= 0 && !e->s->set->metrics[e->clock_metric].limit.while_awake)
			e->clock_hz /= 1 - e->asleep;
	}
	/* A device that is nearly always busy is compared as it is. */
	if (!(busy > 0) || busy >= verdict_threshold(THRESHOLD_BUSY))
		busy = 1;
	e->working = at_most_one(e->working / busy);
	e->waiting = at_most_one(e->waiting / busy);
	e->empty = at_least_zero((e->empty - (1 - busy)) / busy);
	e->occupancy = at_most_one(e->occupancy / busy);
	e->least_slots = at_most_one(e->least_slots / busy);
	for (int i = 0; i < e->n_resources; i++) {
		struct resource *r = &e->resources[i];

		if (r->limit->while_busy && counted < 1) {
			r->share *= counted;
			r->value *= counted;
			r->fullest *= counted;
			r->least *= counted;
		}
		r->fill = r->share / busy;
		/* What is an upper bound of a pipe is at most what all units work. */
		if (r->limit->role == LIMIT_PIPE && r->estimated && r->fill > e->working)
			r->fill = e->working;
		r->fullest /= busy;
		/* It is more than all of it, or than all of it while there is work: only a bound of
		 * the value is known, and not where it is. */
		if (r->limit->role == LIMIT_LEVEL && r->estimated &&
			r->fill > (resource_is_printed(r) ? MOST_OF_PRINTED :
				verdict_threshold(THRESHOLD_OVER)))
			r->over = true;
		if (r->over)
			r->fill = NAN;
		r->queue_full = at_most_one(r->queue_full / busy);
		/* Where next to nothing moves, an unknown roof hides nothing. */
		if (isnan(r->fill) && r->value <= least_traffic(r) && isnan(r->queue_full))
			r->fill = 0;
	}
}

/* What all parts do together is no share of the roof of any. They share clock, power and links. */
static void forget_whole(struct evidence *e)
{
	int n = 0;

	e->working = e->waiting = e->empty = e->occupancy = e->life_s = e->graphics = NAN;
	e->counts_waiting = e->lacks_empty = false;
	for (int i = 0; i < e->n_resources; i++)
		if (e->resources[i].limit->role == LIMIT_LINK)
			e->resources[n++] = e->resources[i];
	e->n_resources = n;
}

static bool is_counted(const struct evidence *e, const char *word)
{
	const struct resource *r = evidence_resource(e, word);

	return r && (!isnan(r->value) || !isnan(r->queue_full));
}

/* A level is less surely what limits when nothing is known of one behind it. */
static void look_behind(struct evidence *e)
{
	for (int i = 0; i < e->n_resources; i++) {
		struct resource *r = &e->resources[i];
		const struct resource *behind = evidence_resource(e, r->limit->before);

		if (*r->limit->behind && !is_counted(e, r->limit->behind))
			e->uncounted_front = r->limit->behind;
		if ((isnan(r->value) && isnan(r->queue_full)) || !*r->limit->before)
			continue;
		if (!is_counted(e, r->limit->before))
			e->uncounted_behind = r->limit->before;
		/* What serves misses moves what the memory moves, and may be held by it. */
		bool may_be_slow = behind && *r->limit->behind && resource_is_doubtful(behind, 1);
		if (!behind || (isnan(behind->fill) && !resource_has_room(behind)) || may_be_slow)
			r->from = fmax(r->from, verdict_threshold(THRESHOLD_BEHIND));
	}
}

/* Finds the process that uses the device most and what it does with the CPU. A process has a row
 * for each of its clients. */
static void find_host(struct evidence *e, const struct client_table *t)
{
	const struct client_row *best = NULL;
	double most = 0;

	for (size_t i = 0; t && t->why == WHY_OK && i < t->n_rows; i++) {
		double busy = 0;

		for (size_t k = 0; k < t->n_rows; k++) {
			if (t->rows[k].pid == t->rows[i].pid)
				busy += client_busy_pct(&t->rows[k], t->n_engines);
		}
		if (best && !(busy > most))
			continue;
		best = &t->rows[i];
		most = busy;
	}
	if (!best)
		return;
	snprintf(e->host, sizeof(e->host), "%.38s", best->name);
	e->host_cpu = (double)best->cpu_pct / 100;
}

void evidence_gather(struct evidence *e, const struct snapshot *s, const struct value *values,
	const struct value *ceilings)
{
	*e = (struct evidence){ .s = s, .values = values,
		.busy = NAN, .asleep = NAN, .working = NAN, .waiting = NAN, .empty = NAN,
		.occupancy = NAN, .least_slots = NAN, .waiting_metric = -1, .unit = "",
		.graphics = NAN, .life_s = NAN, .clock_hz = NAN,
		.highest_hz = NAN, .requested_hz = NAN, .setting_hz = NAN, .clock_metric = -1,
		.reasons = { NAN, NAN, NAN }, .plane = { .metric = -1 }, .temperature_degc = NAN,
		.host_cpu = NAN,
		.is_divided = s->device && device_const(s->device, "mig_instances") };
	for (int i = 0; i < s->set->n_metrics; i++)
		take_metric(e, i, values[i], ceilings[i]);
	for (int i = 0; i < s->set->n_metrics; i++) {
		if (s->set->metrics[i].limit.role == LIMIT_FULL)
			add_queue(e, i, values[i]);
		else if (s->set->metrics[i].limit.role == LIMIT_FULLEST)
			add_bound(e, i, values[i]);
	}
	if (e->busy < 1)
		take_busy_time(e);
	if (isnan(e->empty)) {
		e->empty = 1 - e->working - e->waiting;
		if (e->inferred & (ROLE_BIT(LIMIT_WORKING) | ROLE_BIT(LIMIT_WAITING)))
			e->inferred |= ROLE_BIT(LIMIT_EMPTY);
	}
	e->lacks_empty = e->lacks_empty && isnan(e->empty);
	/* A unit that is loaded has a thread at least. */
	if (isnan(e->occupancy) && isnan(e->least_slots) && s->device &&
		s->device->topology.threads_per_eu > 0)
		e->least_slots = (1 - e->empty) / s->device->topology.threads_per_eu;
	contradict(e);
	if (e->is_divided)
		forget_whole(e);
	while_busy(e);
	look_behind(e);
	e->dealt_map = balance_of_work(s, &e->balance, &e->dealt);
	find_host(e, s->users);
}
