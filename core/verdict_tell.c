/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills numbers and sentences of a verdict from the evidence: what it is, why, and what helps. */
#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict_priv.h"

static struct number number(double v, int width)
{
	struct number n;

	format_number(n.text, sizeof(n.text), v, width);
	return n;
}

/* A number that is inferred has ~ before it. */
static struct number marked(struct number n, bool is_inferred)
{
	struct number m;

	if (!is_inferred)
		return n;
	snprintf(m.text, sizeof(m.text), "~%.20s", n.text);
	return m;
}

static struct number inferred(double v, bool is_inferred)
{
	return marked(number(v, 4), is_inferred);
}

static struct number share_of(const struct resource *r)
{
	return marked(percent(r->share), r->estimated || r->uncertain);
}

static const struct metric *metric_of(const struct evidence *e, int metric)
{
	return &e->s->set->metrics[metric];
}

/* --- the first line --- */

static void tell_level(struct verdict *out, const struct evidence *e, const struct resource *r)
{
	const struct metric *m = metric_of(e, r->metric);
	struct number value = inferred(r->value / m->unit.scale, r->estimated);
	struct number roof = inferred(r->roof / m->unit.scale, r->uncertain);
	struct number share = percent(r->share);

	tell(&out->line, N_("%s %s of %s %s, %s %% (%s)"), r->name, value.text, roof.text,
		m->unit_text, share.text, verdict_source_text(r->source), NULL);
	tell(&out->brief, N_("%s %s of %s %s, %s %%"), r->name, value.text, roof.text, m->unit_text,
		share.text, NULL);
}

/* Names the resource, or all pipes of a group: "FPU0 + FPU1". */
static const char *pipe_names(
	const struct evidence *e, const struct finding *f, char *buf, size_t size)
{
	size_t len = 0;

	if (!*f->resource->limit->group || strcmp(f->bound, f->resource->limit->group) != 0)
		return f->resource->name;
	for (int i = 0; i < e->n_resources && len < size; i++) {
		const struct resource *r = &e->resources[i];

		if (!strcmp(r->limit->group, f->bound))
			len += (size_t)snprintf(
				buf + len, size - len, "%s%s", len ? " + " : "", r->name);
	}
	return buf;
}

/* Says how full the queue is, and when that was measured where it was not in this window. */
static void tell_queue(struct verdict_text *t, const struct evidence *e, const struct resource *r)
{
	struct number queue = percent(r->queue_full);
	int64_t age_ns = 0;

	if (e->s->mux && r->queue >= 0)
		age_ns = e->s->mono_ns - e->s->mux[r->queue].t_ns;
	if (age_ns > 0)
		tell(t, N_("the queue to %s was full %s %% of the time, %s s ago"), r->name,
			queue.text, number((double)age_ns / NS_PER_S, 4).text, NULL);
	else
		tell(t, N_("the queue to %s is full %s %% of the time"), r->name, queue.text, NULL);
}

static void tell_resource(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;
	struct number share = percent(r->share), queue = percent(r->queue_full);
	char names[32];
	const char *name = pipe_names(e, f, names, sizeof(names));

	if (r->limit->role == LIMIT_PIPE && !(r->fill >= r->from) && r->fullest >= r->from) {
		tell(&out->line, N_("%s busy %s %% of the time, %s %% in the fullest unit"), name,
			share.text, percent(r->fullest).text, NULL);
		tell(&out->brief, N_("%s %s %%, %s %% in the fullest unit"), name, share.text,
			percent(r->fullest).text, NULL);
	} else if (r->limit->role == LIMIT_PIPE || r->limit->role == LIMIT_COPY) {
		tell(&out->line, N_("%s busy %s %% of the time"), name, share.text, NULL);
		tell(&out->brief, N_("%s busy %s %%"), name, share.text, NULL);
	} else if (r->fill >= r->from || isnan(r->queue_full)) {
		tell_level(out, e, r);
	} else {
		tell_queue(&out->line, e, r);
		tell(&out->brief, N_("the queue to %s: full %s %%"), name, queue.text, NULL);
	}
}

static void tell_clock(struct verdict *out, const struct evidence *e)
{
	struct number hz = number(e->clock_hz / 1e6, 4), most = number(e->highest_hz / 1e6, 4);
	struct number share = percent(e->clock_hz / e->highest_hz);

	tell(&out->line, N_("clock %s of %s MHz, %s %%"), hz.text, most.text, share.text, NULL);
	out->brief = out->line;
}

static void tell_threads(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	struct number empty = percent(e->empty), slots = percent(e->occupancy);
	struct number life = number(e->life_s * 1e6, 4);

	if (f->kind == VERDICT_LAUNCH) {
		tell(&out->line, N_("nothing runs %s %% of the %s' time, a thread lives %s us"),
			empty.text, e->unit, life.text, NULL);
		tell(&out->brief, N_("nothing runs %s %% of the %s' time"), empty.text, e->unit,
			NULL);
	} else if (!strcmp(f->bound, "groups")) {
		tell(&out->line, N_("no thread is loaded %s %% of the %s' time"), empty.text,
			e->unit, NULL);
		tell(&out->brief, N_("no thread %s %% of the %s' time"), empty.text, e->unit, NULL);
	} else {
		tell(&out->line, N_("%s %% of the thread slots are used"), slots.text, NULL);
		out->brief = out->line;
	}
}

/* Names a level that no metric of the set is of, so that only its word is known: "L3", "GTI READ". */
static struct number uncounted_name(const struct finding *f)
{
	struct number n;

	snprintf(n.text, sizeof(n.text), "%.20s", strcmp(f->bound, "dram") ? f->bound : "");
	for (char *p = n.text; *p; p++)
		*p = *p == '_' ? ' ' : (char)toupper((unsigned char)*p);
	if (!*n.text)
		snprintf(n.text, sizeof(n.text), "%s", N_("memory"));
	return n;
}

static void tell_unknown(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;

	if (r) {
		const struct metric *m = metric_of(e, r->metric);
		struct number value = inferred(r->value / m->unit.scale, r->estimated);

		tell(&out->line, N_("%s moves %s %s, its roof is not known"), r->name, value.text,
			m->unit_text, NULL);
		tell(&out->brief, N_("%s %s %s, roof not known"), r->name, value.text, m->unit_text,
			NULL);
	} else {
		struct number name = uncounted_name(f);

		tell(&out->line, N_("the set %s does not count %s"), e->s->set->name, name.text,
			NULL);
		tell(&out->brief, N_("this set does not count %s"), name.text, NULL);
	}
}

/* Says which resources are nearest to their roofs. */
static void tell_nearest(struct verdict *out, const struct evidence *e, const struct resource *r)
{
	const struct resource *second = NULL;

	for (int i = 0; r && i < e->n_resources; i++) {
		const struct resource *other = &e->resources[i];

		if (other != r && other->fill > 0 && (!second || other->fill > second->fill))
			second = other;
	}
	if (!r) {
		tell(&out->line,
			e->n_resources ? N_("nothing that is counted here is in use") :
					 N_("nothing that is counted here has a roof"),
			NULL);
	} else if (!second) {
		tell(&out->line, N_("nearest is %s at %s %%"), r->name, share_of(r).text, NULL);
	} else {
		tell(&out->line, N_("nearest are %s %s %% and %s %s %%"), r->name, share_of(r).text,
			second->name, share_of(second).text, NULL);
	}
	out->brief = out->line;
	if (r && second)
		tell(&out->brief, N_("nearest is %s at %s %%"), r->name, share_of(r).text, NULL);
}

static void tell_line(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	struct number busy = percent(e->busy), working = percent(e->working),
		      waiting = percent(e->waiting);
	const char *text = N_("the %s work %s %% of the time, no pipe is counted");

	switch (f->kind) {
	case VERDICT_IDLE:
		tell(&out->line, N_("busy %s %% of the time"), busy.text, NULL);
		break;
	case VERDICT_HOST:
	case VERDICT_PARTLY_IDLE:
		tell(&out->line, N_("there is work %s %% of the time"), busy.text, NULL);
		/* of a device of many that work apart the share is a mean */
		if (e->busy_unit)
			tell(&out->line, N_("%s have work %s %% of the time on average"),
				e->busy_unit, busy.text, NULL);
		break;
	case VERDICT_LAUNCH:
	case VERDICT_PARALLELISM: tell_threads(out, e, f); return;
	case VERDICT_HEAT:
	case VERDICT_POWER:
	case VERDICT_CURRENT:
	case VERDICT_CLOCK: tell_clock(out, e); return;
	case VERDICT_PIPE:
	case VERDICT_BANDWIDTH: tell_resource(out, e, f); return;
	case VERDICT_MIX:
		if (f->resource)
			text = N_("the %s work %s %% of the time, no pipe is full");
		tell(&out->line, text, e->unit, working.text, NULL);
		tell(&out->brief, N_("the %s work %s %% of the time"), e->unit, working.text, NULL);
		return;
	case VERDICT_UNKNOWN: tell_unknown(out, e, f); return;
	case VERDICT_LATENCY:
		tell(&out->line, N_("the %s wait %s %%, nearest is %s at %s %%"), e->unit,
			waiting.text, f->resource->name, share_of(f->resource).text, NULL);
		tell(&out->brief, N_("the %s wait %s %% of the time"), e->unit, waiting.text, NULL);
		return;
	case VERDICT_NONE: tell_nearest(out, e, f->resource); return;
	case VERDICT_NO_COUNTERS:
		tell(&out->line, N_("what limits it is not counted"), NULL);
		out->brief = out->line;
		if (isnan(e->busy))
			return;
		tell(&out->line, N_("busy %s %%, what limits it is not counted"), busy.text, NULL);
		tell(&out->brief, N_("busy %s %%, the limit is not counted"), busy.text, NULL);
		return;
	default: return;
	}
	out->brief = out->line;
}

/* --- facts --- */

static bool fact_wait(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)f;
	if (isnan(e->waiting))
		return false;
	tell(t, N_("the %s wait %s %% of the time"), e->unit, percent(e->waiting).text, NULL);
	return true;
}

static bool tell_fullest(struct verdict_text *t, const struct evidence *e, const struct finding *f,
	unsigned roles, const char *fmt)
{
	const struct resource *r = evidence_fullest(e, roles);

	if (!r || r == f->resource || !(r->fill > 0))
		return false;
	tell(t, fmt, r->name, share_of(r).text, NULL);
	return true;
}

static bool fact_pipe(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	return tell_fullest(t, e, f, ROLE_BIT(LIMIT_PIPE), N_("the fullest pipe, %s, is at %s %%"));
}

static bool fact_level(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	return tell_fullest(
		t, e, f, MEMORY_ROLES, N_("the fullest level of memory, %s, is at %s %%"));
}

static bool fact_clock(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	double share = e->clock_hz / e->highest_hz;

	(void)f;
	if (isnan(share))
		return false;
	if (share >= verdict_threshold(THRESHOLD_CLOCK))
		tell(t, N_("the clock is at its maximum"), NULL);
	else
		tell(t, N_("the clock is at %s %% of its maximum"), percent(share).text, NULL);
	return true;
}

static bool fact_queue(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;

	if (!r || isnan(r->queue_full))
		return false;
	tell_queue(t, e, r);
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
	if (isnan(e->temperature_k))
		return false;
	tell(t, N_("it is %s C hot"), number(e->temperature_k - 273.15, 3).text, NULL);
	return true;
}

static bool fact_plane(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)f;
	if (e->plane.metric < 0)
		return false;
	tell(t, N_("%s of %s W"), number(e->plane.watts, 4).text, number(e->plane.most, 4).text,
		NULL);
	return true;
}

static bool fact_setting(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)f;
	tell(t, N_("the clock may not pass %s MHz"), number(e->setting_hz / 1e6, 4).text, NULL);
	return true;
}

/* What is full below a clock that is held down. */
static bool fact_below(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	(void)e;
	if (!f->resource || !(f->resource->fill >= f->resource->from))
		return false;
	tell(t, N_("%s is full below it"), f->resource->name, NULL);
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
	(void)f;
	if (isnan(e->occupancy))
		return false;
	tell(t, N_("%s %% of the thread slots are used"), percent(e->occupancy).text, NULL);
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

		if (r == f->resource || !*r->limit->group ||
			strcmp(r->limit->group, f->resource->limit->group) != 0 ||
			isnan(r->fill))
			continue;
		tell(t, N_("%s is at %s %%"), r->name, share_of(r).text, NULL);
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

static bool fact_remains(struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	if (!only_waiting_remains(e, f))
		return false;
	tell(t, N_("~waiting (latency) is what remains: nothing here counts it"), NULL);
	return true;
}

typedef bool fact_fn(
	struct verdict_text *t, const struct evidence *e, const struct finding *f);

/* What is said of each kind, the strongest first; the first three that are known are shown. */
static const struct {
	fact_fn *facts[6];
	const char *try;
} words[VERDICT_KINDS] = {
	[VERDICT_IDLE] = { { fact_clock, fact_plane },
		N_("start a program, or a test load: rooftop stress") },
	[VERDICT_HOST] = { { fact_host, fact_level, fact_pipe },
		N_("larger batches, fewer launches") },
	[VERDICT_PARTLY_IDLE] = { { fact_level, fact_pipe, fact_clock },
		N_("normal for a desktop; otherwise find what the program waits for") },
	[VERDICT_LAUNCH] = { { fact_slots, fact_pipe, fact_level },
		N_("merge launches, or put more work into each") },
	[VERDICT_PARALLELISM] = { { fact_dealt, fact_slots, fact_wait, fact_pipe, fact_level },
		N_("more and smaller work-groups, less local memory for each") },
	[VERDICT_HEAT] = { { fact_reason, fact_temperature, fact_below }, N_("more cooling") },
	[VERDICT_POWER] = { { fact_plane, fact_reason, fact_below },
		N_("a higher power limit, or less work for others who share it") },
	[VERDICT_CURRENT] = { { fact_reason, fact_plane, fact_below },
		N_("less work for others who share the supply") },
	[VERDICT_CLOCK] = { { fact_setting, fact_below },
		N_("raise the highest clock that is allowed") },
	[VERDICT_PIPE] = { { fact_other_pipes, fact_wait, verdict_fact_work_queue, fact_clock },
		N_("fewer, cheaper instructions: multiply-add, half types, no division") },
	[VERDICT_BANDWIDTH] = { { fact_wait, fact_queue, fact_uncertain, fact_pipe, fact_clock },
		N_("move fewer bytes per FLOP: tiles, fused kernels, local memory") },
	[VERDICT_MIX] = { { fact_pipe, fact_wait, fact_clock },
		N_("fewer instructions, wider SIMD") },
	[VERDICT_UNKNOWN] = { { fact_wait, fact_pipe, fact_slots },
		N_("\"rooftop calibrate\" measures the limit") },
	[VERDICT_LATENCY] = { { fact_slots, fact_level, fact_pipe },
		N_("more independent loads in a thread, better locality, fewer barriers") },
	[VERDICT_NONE] = { { fact_remains, fact_wait, fact_slots, verdict_fact_work_queue,
				   fact_clock },
		NULL },
	[VERDICT_NO_COUNTERS] = { { fact_clock, fact_plane },
		N_("compare with a load of known size: rooftop stress") },
};

/* Where groups of a load of ours are dealt unevenly, their number is what helps. */
static void try_groups(struct verdict *out, const struct evidence *e)
{
	uint64_t k = e->dealt_map ? balance_groups(e->s, e->dealt_map) : 0;

	if (k && k % (uint64_t)e->dealt_map->n)
		balance_tell_groups(&e->balance, e->dealt_map, e->dealt, k, &out->try);
}

/* What helps against a link or a copy engine, whoever made the card. */
static const char *try_of(const struct finding *f)
{
	if (f->resource && f->kind == VERDICT_BANDWIDTH &&
		(f->resource->limit->role == LIMIT_LINK || f->resource->limit->role == LIMIT_COPY))
		return N_("keep data on the card, overlap copies with kernels, pinned memory");
	return words[f->kind].try;
}

static void tell_because(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	int n = 0;

	if (e->contradiction.fmt)
		out->because[n++] = e->contradiction;
	else
		n = verdict_tell_causes(out, e, f);
	for (size_t i = 0; i < ARRAY_LEN(words[0].facts) && words[f->kind].facts[i]; i++) {
		if (n < VERDICT_BECAUSE && words[f->kind].facts[i](&out->because[n], e, f))
			n++;
	}
	if (!out->try.fmt)
		out->try.fmt = try_of(f);
	if (f->kind == VERDICT_PARALLELISM)
		try_groups(out, e);
	if (f->missing == VERDICT_MISSING_SET && f->kind == VERDICT_UNKNOWN)
		tell(&out->try, N_("another set, if one of them counts %s"), uncounted_name(f).text,
			NULL);
	if (only_waiting_remains(e, f) && !out->try.fmt)
		out->try = (struct verdict_text){ .fmt = words[VERDICT_LATENCY].try };
}

/* Where nothing is near its roof but a cause is known, the cause stands first, and what is nearest is
 * said behind it. */
static void lead_with_cause(struct verdict *out, const struct finding *f)
{
	const struct verdict_text nearest = out->line;

	if (f->kind != VERDICT_NONE || !*out->causes[0] || !f->resource)
		return;
	/* Queues that take turns are the answer, however full what they use is. */
	if (strcmp(out->causes[0], "turns") &&
		!(f->resource->share < verdict_threshold(THRESHOLD_LOW)))
		return;
	out->line = out->because[0];
	out->because[0] = nearest;
}

/* --- numbers --- */

static double largest(double a, double b)
{
	return isnan(b) || a > b ? a : b;
}

static void count_share(struct verdict *out, double value)
{
	out->value = out->share = value;
	out->roof = 1;
}

/* How full the resource is that is nearest to what it ever reaches. */
static double first_to_fill(const struct evidence *e)
{
	double most = 0;

	for (int i = 0; i < e->n_resources; i++)
		most = largest(most, e->resources[i].fill / e->resources[i].reach);
	return most;
}

static double gain(double share)
{
	if (!(share > 0))
		return NAN;
	return share < 1 ? 1 / share : 1;
}

static void count(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;

	switch (f->kind) {
	case VERDICT_IDLE: count_share(out, e->busy); return;
	case VERDICT_HOST:
	case VERDICT_PARTLY_IDLE:
		count_share(out, e->busy);
		out->headroom = gain(e->busy);
		return;
	case VERDICT_LAUNCH:
		count_share(out, 1 - e->empty);
		out->headroom = gain(1 - e->empty);
		return;
	case VERDICT_PARALLELISM:
		count_share(out, strcmp(f->bound, "groups") ? e->occupancy : 1 - e->empty);
		/* More threads work at most as fast as each of these does, up to what is full
		 * first: which nobody knows where no pipe is counted. */
		if (evidence_fullest(e, ROLE_BIT(LIMIT_PIPE)))
			out->headroom = gain(largest(first_to_fill(e), e->occupancy));
		return;
	case VERDICT_HEAT:
	case VERDICT_POWER:
	case VERDICT_CURRENT:
	case VERDICT_CLOCK:
		out->metric = e->clock_metric;
		out->value = e->clock_hz;
		out->roof = e->highest_hz;
		out->share = out->value / out->roof;
		out->headroom = gain(out->share);
		if (r && r->fill > 0)
			out->headroom *= gain(r->fill);
		return;
	default: break;
	}
	if (f->kind == VERDICT_MIX && !r) {
		count_share(out, e->working);
		out->headroom = gain(e->working);
	}
	if (!r)
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
	if (r->uncertain || r->estimated)
		out->flags |= VERDICT_ESTIMATED;
	if (f->kind == VERDICT_BANDWIDTH && r->fill < r->from && !isnan(r->queue_full))
		out->flags |= VERDICT_AT_MOST;
}

void verdict_tell(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	verdict_state(out, f->kind);
	snprintf(out->bound, sizeof(out->bound), "%s", f->bound);
	out->missing = f->missing;
	out->rule = f->rule;
	count(out, e, f);
	if (f->at_most)
		out->flags |= VERDICT_AT_MOST;
	if (e->s->device && e->s->device->simulated)
		out->flags |= VERDICT_SIMULATED;
	tell_line(out, e, f);
	tell_because(out, e, f);
	lead_with_cause(out, f);
	verdict_list(out, e, f);
}
