/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the answer against its laws, over all simulated devices, sets, masks, windows and changes
 * of load: what knows less may say less, and never something else; headroom is within what the
 * model gains; no number of a window refutes what is said of it; no step needs what is full.
 * laws.t all: everything; laws.t all TEXT: only what has that text in its name. Without an
 * argument: a sample, which is always the same, so that what passed passes again. laws.t SEED draws another
 * one, and laws.t SEED "" N asks N devices that do not exist; laws.t all draws its seed by itself, and prints
 * it; laws.t DEVICE,load=LOAD asks that one alone, with every set. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/platform/platform.h"
#include "backends/sim/model/mali_gpu.h"
#include "backends/sim/model/mali_loads.h"
#include "backends/sim/model/nvidia_gpu.h"
#include "backends/sim/sim_vendors.h"
#include "backends/sim/spec.h"
#include "base/mem.h"
#include "core/roofline/roofline.h"
#include "core/snapshot/rotation.h"
#include "core/verdict/verdict_priv.h"
#include "tests/truth/laws.h"
#include "tests/truth/relax.h"
#include "tests/unit/sim/sim_rig.h"

#define SAMPLE_CASES 60		/* of each law, or a share of them (tests/tap.h) */
#define ALL_INVENTED 5000	/* devices that do not exist */
#define LEAST_OF_GAIN 0.9
#define BORDER 0.02		/* of a number: so near a border either neighbour is right */
#define LEAST_PER_BORDER 100	/* cases: more borders would hide what is wrong */
#define SHORT_NS (200 * NS_PER_MS)
#define FIRST_NS (100 * NS_PER_MS)
#define EACH_NS (2 * NS_PER_S)	/* as changes of load say it: "@2s" */
/* how long a change of load, and the tour, are looked at */
#define CHANGE_NS (10 * NS_PER_S)
#define TOUR_NS (22 * NS_PER_S)

static struct metric_lib lib;
static uint64_t state;
static int n_cases, n_windows, n_wrong, n_gains, n_borders;
static const char *only = "";	/* text that names have */

static const char *find_include(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static void problem(void *ctx, const struct err *err)
{
	(void)ctx;
	printf("# %s\n", err->msg);
}

static uint64_t number(uint64_t below)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (state >> 33) % below;
}

void wrong(const char *law, const char *what, const struct verdict *v, const char *why)
{
	char text[240];

	n_wrong++;
	printf("# %s: %s\n#   %s (%s %s)\n#   %s\n", law, what, verdict_sentence(v, true, text, sizeof(text)),
		verdict_kind_name(v->kind), v->bound, why);
}

/* --- an open device whose windows are evaluated --- */

struct scene_view {
	struct rig rig;
	struct rotation *rotation;
	struct snapshot snap;
	struct roofline roofline;
	struct verdict_memory memory;
	struct sample samples[DEVICE_MAX_SOURCES], halves[DEVICE_MAX_SOURCES];
};

static const struct metric_set *whole(const struct metric_set *set)
{
	if (set && set->is_head)
		metric_lib_load_body(&lib, set, find_include(NULL, set->file), find_include, NULL, problem, NULL);
	return set;
}

/* The set of that name, or the one that the program would take. */
static const struct metric_set *choose(const char *name, const char *platform)
{
	const struct metric_set *set = name ? metric_lib_find(&lib, name, platform) : metric_lib_find(&lib, "memory", platform);

	return whole(set || name ? set : metric_lib_find(&lib, "overview", platform));
}

static bool view_open(struct scene_view *w, const char *spec, const char *set)
{
	const struct feed *feeds[DEVICE_MAX_SOURCES];
	struct open_options o = { .now_ns = RIG_START_NS, .oa_period_ns = NS_PER_MS, .delay_ns = NS_PER_S };
	struct device_list list = { 0 };
	struct err err = { 0 };

	*w = (struct scene_view){ .rig = { .now_ns = RIG_START_NS } };
	bool good = sim_backend.resolve(NULL, spec, &list, &err);
	if (good)
		o.set = choose(set, list.entries[0].device.platform);
	good = good && o.set && sim_backend.open(&list.entries[0], &o, &w->rig.dev, &err);
	free(list.entries);
	if (!good)
		return false;
	struct open_device *dev = &w->rig.dev;
	for (int i = 0; i < dev->n_sources; i++)
		feeds[i] = &dev->sources[i]->feed;
	w->rotation = rotation_new(&o.set, 1, false);
	rotation_bind(w->rotation, &dev->device, feeds, dev->n_sources);
	rotation_init_snapshot(w->rotation, &w->snap, &dev->device);
	roofline_init(&w->roofline, &w->rotation->part[0].binding, &dev->device);
	return true;
}

static void view_close(struct scene_view *w)
{
	roofline_release(&w->roofline);
	snapshot_release(&w->snap);
	rotation_free(w->rotation);
	rig_close(&w->rig);
}

static void fill_half(struct scene_view *w, int k)
{
	const struct sample *all = &w->samples[0];
	struct sample *half = &w->halves[0];

	memcpy(w->halves, w->samples, sizeof(w->samples));
	half->window_ns = k ? all->window_ns - all->half_ns : all->half_ns;
	for (int i = 0; i < w->rig.dev.sources[0]->feed.n_counters; i++)
		half->values[i] = k ? all->values[i] - all->half[i] : all->half[i];
	rotation_eval_half(w->rotation, w->halves, &w->snap, k);
}

/* Measures a window; the verdict is not made yet. */
static void view_window(struct scene_view *w, int64_t ns)
{
	struct snapshot *s = &w->snap;
	const struct job_state no_job = { .phase = JOB_IDLE };

	rig_window(&w->rig, ns, ns < 50 * NS_PER_MS ? ns : 50 * NS_PER_MS, w->samples);
	s->seq++;
	s->mono_ns = w->rig.now_ns;
	s->window_ns = w->samples[0].window_ns;
	s->why = w->samples[0].why;
	s->has_halves = s->why == WHY_OK && w->samples[0].half;
	for (int k = 0; k < 2 && s->has_halves; k++)
		fill_half(w, k);
	rotation_eval(w->rotation, w->samples, s);
	roofline_update(&w->roofline, &w->rotation->part[0].binding, s->values, &no_job, s->mono_ns);
	s->roofline = &w->roofline;
	roofline_set_ceilings(s->roofline, s->set, s->ceilings);
	n_windows++;
}

/* --- law 1: information --- */

/* What may be said instead where less is known. A clock whose reason is masked leaves what holds
 * next. */
static const struct {
	const char *kind, *weaker;
} less[] = {
	/* busy time may be what is masked */
	{ "idle", " no_counters " },
	{ "partly_idle", " no_counters " },
	{ "heat", " clock pipe mix bandwidth unknown no_counters " },
	{ "power", " clock pipe mix bandwidth unknown no_counters " },
	{ "current", " clock pipe mix bandwidth unknown no_counters " },
	{ "clock", " pipe mix bandwidth unknown no_counters " },
	{ "pipe", " mix unknown no_counters " },
	{ "none", " unknown no_counters " },
	{ "bandwidth", " unknown no_counters " },
	{ "latency", " unknown no_counters " },
	{ "parallelism", " unknown no_counters " },
	{ "launch", " parallelism unknown no_counters " },
	{ "unknown", " no_counters " },
};

static bool is_in(const char *words, char separator, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; at; at = strchr(at, separator)) {
		at += *at == separator;
		if (!strncmp(at, word, len) && (at[len] == separator || !at[len]))
			return true;
	}
	return false;
}

/* Whether the model, or who knows less than it, says that kind. */
static bool is_weaker(const struct answer *a, enum verdict_kind k, bool masked)
{
	const char *kind = verdict_kind_name(k);

	if (is_in(a->kinds, '|', kind) || !strcmp(kind, "permission") || !strcmp(kind, "measuring"))
		return true;
	for (size_t i = 0; masked && i < ARRAY_LEN(less); i++)
		if (is_in(a->kinds, '|', less[i].kind) && is_in(less[i].weaker, ' ', kind))
			return true;
	return false;
}

static bool may_say(const struct answer *a, const struct verdict *v, bool masked)
{
	/* Where nothing counts the work, a held clock is all that is known; and what is masked may
	 * stand before it in the order of the kinds. */
	if (masked && v->kind >= VERDICT_HEAT && v->kind <= VERDICT_CLOCK &&
		(isnan(v->headroom) || a->at_highest >= 0.9 * v->headroom ||
			(v->flags & VERDICT_AT_MOST &&
				(a->at_highest > 1.1 || is_in(a->kinds, '|', "unknown") || is_in(a->kinds, '|', "pipe")))))
		return true;
	return is_weaker(a, v->kind, masked);
}

/* Whether the answer is at a border: with one of its numbers by some per cent larger or smaller the program says
 * what the model says. What is claimed has to hold all the same. */
static bool is_border(const struct scene_view *w, const struct answer *a, bool masked)
{
	struct evidence e, moved;
	double *numbers[11 + 3 * VERDICT_MAX_CANDIDATES] = { &moved.busy, &moved.working, &moved.waiting, &moved.empty, &moved.occupancy,
		&moved.life_s, &moved.graphics, &moved.clock_hz, &moved.requested_hz, &moved.setting_hz, &moved.plane.watts };
	int n = 11;

	evidence_gather(&e, &w->snap, w->snap.values, w->snap.ceilings);
	for (int i = 0; i < e.n_resources; i++) {
		numbers[n++] = &moved.resources[i].fill;
		numbers[n++] = &moved.resources[i].fullest;
		numbers[n++] = &moved.resources[i].queue_full;
	}
	for (int i = 0; i < 2 * n; i++) {
		moved = e;
		*numbers[i / 2] *= i % 2 ? 1 + BORDER : 1 - BORDER;
		if (is_weaker(a, verdict_ask(&moved).kind, masked)) {
			n_borders++;
			return true;
		}
	}
	return false;
}

static bool counts_any(const struct verdict *v)
{
	for (int i = 0; i < v->n_candidates; i++)
		if (!isnan(v->candidates[i].share))
			return true;
	return false;
}

static void hold_headroom(const char *what, const struct scene_view *w, const struct answer *a, const struct verdict *v, bool masked)
{
	char why[120];

	bool is_named = !masked && !isnan(a->least) && is_in(a->kinds, '|', verdict_kind_name(v->kind)) &&
		(*a->bounds == '*' || is_in(a->bounds, '|', v->bound));
	/* Where no resource is counted none is told. */
	if (is_named && !(v->headroom >= a->least * 0.98) && !(isnan(v->headroom) && !counts_any(v))) {
		snprintf(why, sizeof(why), "headroom %.2f; the model gains at least %.2f", v->headroom, a->least);
		wrong("headroom", what, v, why);
	}
	if (isnan(v->headroom))
		return;
	if (v->kind >= VERDICT_HEAT && v->kind <= VERDICT_CLOCK && !(v->flags & VERDICT_AT_MOST) && a->at_highest > 1 &&
		v->headroom > a->at_highest * 1.15) {
		snprintf(why, sizeof(why), "headroom %.2f; at the highest clock it gains %.2f", v->headroom, a->at_highest);
		wrong("headroom", what, v, why);
	}
	/* What a memory that is slower than its data sheet takes of that is not known. */
	bool is_bound = v->flags & VERDICT_AT_MOST && ((v->kind >= VERDICT_LAUNCH && v->kind <= VERDICT_CLOCK) || v->kind == VERDICT_LATENCY);
	if (!masked && !is_bound && !isnan(a->most) && is_in(a->kinds, '|', verdict_kind_name(v->kind)) && v->headroom > a->most * 1.02) {
		snprintf(why, sizeof(why), "headroom %.2f; the model gains at most %.2f", v->headroom, a->most);
		wrong("headroom", what, v, why);
	}
	for (int i = 0; i < v->n_candidates; i++) {
		const struct verdict_candidate *c = &v->candidates[i];
		double raised = 1;

		for (int k = 0; k < w->snap.set->n_metrics; k++)
			if (w->snap.set->metrics[k].limit.role == LIMIT_CLOCK && w->snap.values[k].why == WHY_OK &&
				w->snap.values[k].v > 0 && w->snap.ceilings[k].why == WHY_OK)
				raised = fmax(raised, w->snap.ceilings[k].v / w->snap.values[k].v);
		if (w->snap.set->metrics[c->metric].limit.fixed)
			raised = 1;
		/* What others move through it is no share of this work; and what a cache may have served
		 * is no bound of one. */
		if (w->snap.set->metrics[c->metric].limit.shared ||
			(c->estimated && (v->kind <= VERDICT_PARTLY_IDLE || (v->flags & VERDICT_AT_MOST &&
				(v->kind <= VERDICT_CLOCK || v->kind == VERDICT_LATENCY)))))
			continue;
		if (c->share > 0 && c->share <= 1 && v->headroom > 1.03 * raised / c->share) {
			snprintf(why, sizeof(why), "headroom %.2f; %s allows %.2f", v->headroom, c->resource, raised / c->share);
			wrong("headroom", what, v, why);
			return;
		}
	}
}

static double clock_share(const struct snapshot *s)
{
	for (int i = 0; i < s->set->n_metrics; i++)
		if (s->set->metrics[i].limit.role == LIMIT_CLOCK && s->values[i].why == WHY_OK && s->ceilings[i].why == WHY_OK)
			return s->values[i].v / s->ceilings[i].v;
	return NAN;
}

/* What is reachable at this clock is what the headroom of a full level leaves, unless a higher clock
 * would let more through the others. */
static void hold_reachable(const char *what, const struct scene_view *w, const struct verdict *v)
{
	const struct snapshot *s = &w->snap;
	double reachable = NAN, now = NAN;
	char why[120];

	for (int i = 0; i < s->set->n_metrics; i++) {
		if (s->values[i].why == WHY_OK && !strcmp(s->set->metrics[i].name, "roof_reachable"))
			reachable = s->values[i].v;
		if (s->values[i].why == WHY_OK && !strcmp(s->set->metrics[i].name, "gflops_most"))
			now = s->values[i].v;
	}
	/* What is masked here is still in the metric. */
	if (v->kind != VERDICT_BANDWIDTH || v->flags & VERDICT_AT_MOST || v->share > 1 || clock_share(s) < 0.97 || !(now > 0) || !(reachable < now * v->headroom * 0.97))
		return;
	snprintf(why, sizeof(why), "%.4g GFLOP/s are reachable from %.4g", reachable, now);
	wrong("reachable", what, v, why);
}

/* What is counted of a card that is divided is nobody's share of a roof; all share its clock and its links. */
static void hold_divided(const char *what, const struct scene_view *w, const struct answer *a, const struct verdict *v)
{
	bool is_shared = !strcmp(v->bound, "pcie") || (v->kind >= VERDICT_HEAT && v->kind <= VERDICT_CLOCK);

	if (!isnan(v->headroom) && !is_shared)
		wrong("divided", what, v, "a headroom of the whole");
	if (is_in(a->kinds, '|', verdict_kind_name(VERDICT_NO_COUNTERS)) && *v->causes[0] && strstr(a->why, "has room"))
		wrong("divided", what, v, "what is said to limit an instance has room");
	for (int i = 0; i < w->snap.set->n_metrics; i++)
		if (w->snap.set->metrics[i].roof && w->snap.values[i].why == WHY_OK)
			wrong("divided", what, v, w->snap.set->metrics[i].name);
}

double largest_value(const struct snapshot *s, enum limit_role role)
{
	double most = NAN;

	for (int i = 0; i < s->set->n_metrics; i++)
		if (s->set->metrics[i].limit.role == role && s->values[i].why == WHY_OK && !s->set->metrics[i].limit.one_sided &&
			!(s->values[i].v * s->set->metrics[i].unit.scale <= most))
			most = s->values[i].v * s->set->metrics[i].unit.scale;
	return most;
}

static void hold(const char *what, const struct scene_view *w, const struct answer *a, const struct verdict *v, bool masked)
{
	char why[400];

	snprintf(why, sizeof(why), "the model: %s; %s; at the highest clock %.2fx", a->kinds, a->why, a->at_highest);
	if (!may_say(a, v, masked) && !is_border(w, a, masked))
		wrong("information", what, v, why);
	/* What costs the load time is said, in every window alike. */
	else if (!masked && *a->causes && !is_in(a->causes, '|', v->causes[0]) && !is_in(a->causes, '|', v->causes[1]))
		wrong("causes", what, v, a->causes);
	hold_headroom(what, w, a, v, masked);
	hold_advice(what, v);
	hold_reachable(what, w, v);
	hold_explained(what, &w->snap, v);
	/* Where nothing is full and units wait, there is a step that helps them. */
	if (v->kind == VERDICT_NONE && largest_value(&w->snap, LIMIT_WAITING) >= 0.3 && largest_value(&w->snap, LIMIT_OCCUPANCY) >= 0 && !v->try.fmt)
		wrong("advice", what, v, "no step");
	if (strstr(what, ",mig="))
		hold_divided(what, w, a, v);
}

static bool is_resource(const struct metric *m)
{
	return m->limit.role == LIMIT_PIPE || m->limit.role == LIMIT_LEVEL || m->limit.role == LIMIT_FULL ||
		m->limit.role == LIMIT_WAITING || m->limit.role == LIMIT_WORKING || m->limit.role == LIMIT_EMPTY ||
		m->limit.role == LIMIT_OCCUPANCY || m->limit.role == LIMIT_REASON || m->limit.role == LIMIT_CLOCK || m->limit.role == LIMIT_FULLEST;
}

/* The same window without the values of a source, or of one resource. */
static void mask(struct scene_view *w, const char *spec, const struct answer *a, bool all)
{

	size_t n = (size_t)w->snap.set->n_metrics;
	struct value *values = xcalloc(n, sizeof(*values));
	const struct metric_binding *b = &w->rotation->part[0].binding;

	memcpy(values, w->snap.values, n * sizeof(*values));
	w->snap.has_halves = false;
	for (int k = 0; k < w->rig.dev.n_sources + (int)n; k++) {
		const char *word = k < w->rig.dev.n_sources ? w->rig.dev.sources[k]->feed.name : "";
		int m = k - w->rig.dev.n_sources;
		char what[200];
		struct verdict v;

		if (m >= 0 && (!is_resource(&w->snap.set->metrics[m]) || values[m].why != WHY_OK || (!all && number(3))))
			continue;
		if (m >= 0)
			word = w->snap.set->metrics[m].limit.word;
		for (int i = 0; i < (int)n; i++) {
			const struct metric *other = &w->snap.set->metrics[i];
			bool hidden = m < 0 ? metric_feeds(b, i) & 1u << k
					    : i == m || (*word && is_resource(other) && !strcmp(other->limit.word, word));

			/* Sets of users may lack what says that the device is divided. */
			w->snap.values[i] = hidden || values[i].why == WHY_DIVIDED ? value_none(WHY_NO_SOURCE) : values[i];
		}
		verdict_make(&w->snap, NULL, &v);
		snprintf(what, sizeof(what), "%s, set %s, without %s %s", spec, w->snap.set->name, m < 0 ? "source" : w->snap.set->metrics[m].name,
			word);
		/* Others move what only the masked source counts, which nobody can miss. */
		if (strstr(spec, ",id=") && strstr(spec, ",others=") && !strcmp(word, "dram"))
			hold_advice(what, &v);
		else
			hold(what, w, a, &v, true);
		n_cases++;
	}
	memcpy(w->snap.values, values, n * sizeof(*values));
	free(values);
}

/* Whether a resource of the set has no value: register lists may lack on a device, and old ones count
 * less. */
static bool lacks_resource(const struct snapshot *s, const struct verdict *v)
{
	static const char *const words[] = { "dram", "l3", "gti_read", "gti_write" };
	bool has[ARRAY_LEN(words)] = { false };
	bool empty = false, lacks = false;

	for (int i = 0; i < s->set->n_metrics; i++)
		for (size_t k = 0; k < ARRAY_LEN(words) && s->values[i].why == WHY_OK; k++) {
			const struct metric_limit *l = &s->set->metrics[i].limit;

			empty = empty || l->role == LIMIT_OCCUPANCY;
			has[k] = has[k] || (!strcmp(l->word, words[k]) && !l->shared);
		}
	for (int i = 0; i < s->set->n_metrics; i++)
		for (size_t k = 0; k < ARRAY_LEN(words); k++) {
			const struct metric_limit *l = &s->set->metrics[i].limit;

			lacks = lacks || (!has[k] && (!strcmp(l->word, words[k]) || !strcmp(l->before, words[k]) || !strcmp(l->behind, words[k])));
		}
	for (int i = 0; i < v->n_candidates; i++)
		lacks = lacks || v->candidates[i].uncertain;
	return lacks || !empty;
}

/* Whether the program would glance at the queue, by another set, which is not done here. */
static bool needs_glance(const struct scene_view *w)
{
	struct verdict_pace pace;
	int pos = 0;
	const struct set_directive *d = metric_set_directive(w->snap.set, "glance", &pos);

	return d && !strstr(d->args, "without") && verdict_needs_queue(&w->snap, &pace);
}

/* The headroom of what is named is no less than what the model gains with it. Of a load whose rounds
 * are not short beside the window it is that of the window, which has one pause more or less. */
static void hold_gain(const char *what, const char *spec, const struct scene_view *w, const struct answer *a, const struct verdict *v)
{
	double gain = isnan(v->headroom) ? NAN : answer_gain(spec, verdict_kind_name(v->kind), v->bound);
	char why[120];

	if (a->round_ns > SHORT_NS / 8 && (v->kind == VERDICT_HOST || v->kind == VERDICT_PARTLY_IDLE))
		gain = 1 / largest_value(&w->snap, LIMIT_BUSY);
	n_gains += !isnan(gain);
	if (!(v->headroom < gain * LEAST_OF_GAIN))
		return;
	snprintf(why, sizeof(why), "headroom %.2f; the model gains %.2f", v->headroom, gain);
	wrong("headroom", what, v, why);
}

static void law_information(const char *spec, const char *set, bool is_usual, bool all)
{
	struct answer a = { .least = NAN, .most = NAN, .at_highest = 1 };
	struct scene_view *w = xcalloc(1, sizeof(*w));
	struct err err = { 0 };
	struct verdict v;
	char what[160];

	bool has_answer = strstr(spec, only) && answer_of(&a, spec, &err);

	/* A window has one pause more or less than its share of them. */
	if (has_answer && a.round_ns > SHORT_NS / 8 && is_in(a.kinds, '|', "partly_idle"))
		a.least = a.most = NAN;
	/* Loads in turns are one load where a window has many rounds of them. */
	if (has_answer && !(strchr(spec, '+') && a.round_ns > SHORT_NS / 8) && view_open(w, spec, set)) {
		/* Kernels with phases of their own have no other mean than that of many launches. */
		int64_t ns = strstr(spec, "diverge") ? (int64_t)fmax(SHORT_NS, 8 * a.round_ns) : SHORT_NS;
		for (int i = 0; i < 3; i++)
			view_window(w, ns);
		verdict_make(&w->snap, NULL, &v);
		snprintf(what, sizeof(what), "%s, set %s", spec, w->snap.set->name);
		hold_gain(what, spec, w, &a, &v);
		hold(what, w, &a, &v, !is_usual || strstr(spec, "noroof") || needs_glance(w) || (strstr(spec, ",id=") && lacks_resource(&w->snap, &v)));
		mask(w, spec, &a, all);
		view_close(w);
		n_cases++;
	}
	free(w);
}

/* --- law 3: now --- */

static const char *refuted(const struct snapshot *s, const struct verdict *v)
{
	double busy = largest_value(s, LIMIT_BUSY), clock = clock_share(s);
	bool waits = v->kind == VERDICT_HOST || v->kind == VERDICT_PARTLY_IDLE;

	if (v->is_changing && (!isnan(v->headroom) || v->try.fmt || v->because[0].fmt || v->metric >= 0))
		return "what changes has numbers or advice";
	if (v->kind == VERDICT_IDLE && busy >= 0.1)
		return "idle, and busy";
	if (waits && busy >= 0.96)
		return "it waits for work, and is busy";
	if (v->kind > VERDICT_PARTLY_IDLE && busy < 0.6)
		return "it has work, and is not busy";
	if (v->kind >= VERDICT_HEAT && v->kind <= VERDICT_CLOCK && clock >= 0.98)
		return "the clock is held, and is at its highest";
	if (v->metric >= 0 && s->values[v->metric].why == WHY_OK && !isnan(v->value) &&
		fabs(v->value - s->values[v->metric].v * s->set->metrics[v->metric].unit.scale) > 0.02 * fabs(v->value) + 1e-9 &&
		!(s->set->metrics[v->metric].limit.while_busy))
		return "its value is not that of the window";
	if (v->kind == VERDICT_PIPE && v->share < 0.55 * fmin(busy, 1))
		return "a full pipe that is not";
	/* that only a queue tells it is said by at most */
	if (v->kind == VERDICT_BANDWIDTH && v->share < 0.3 && !(v->flags & VERDICT_AT_MOST))
		return "a full level that is not";
	return NULL;
}

/* What a device says of its load is of the window: all windows that are mostly of one load say the same. */
static void hold_caption(const char *what, struct scene_view *w, char texts[2][160], const struct verdict *v)
{
	struct source *source = w->rig.dev.sources[0];
	int64_t end_ns = w->rig.now_ns - RIG_START_NS, span_ns = w->samples[0].window_ns;
	int64_t rest_ns = (end_ns - span_ns / 2) % EACH_NS;
	char *said = texts[(end_ns - span_ns / 2) / EACH_NS % 2], text[160] = "";

	/* from the middle to the borders of the load's time */
	if (!source->ops->status || rest_ns < span_ns * 2 / 5 || EACH_NS - rest_ns < span_ns * 2 / 5)
		return;
	source->ops->status(source, text, sizeof(text));
	if (*said && strcmp(text, said) != 0)
		wrong("caption", what, v, text);
	snprintf(said, sizeof(texts[0]), "%s", text);
}

static void law_now(const char *spec, int64_t window_ns, int windows)
{
	struct scene_view *w = xcalloc(1, sizeof(*w));
	struct answer a = { .round_ns = 0 };
	struct err err = { 0 };
	struct verdict v;
	char what[200], captions[2][160] = { "" };
	const char *why;

	/* A load that has no answer, or several, takes no time of its own. */
	if (strstr(spec, only) && !strchr(spec, '>'))
		answer_of(&a, spec, &err);
	if (strstr(spec, only) && view_open(w, spec, NULL)) {
		view_window(w, FIRST_NS);
		for (int i = 0; i < windows; i++) {
			/* One that is compared with the first is as steady as that one. */
			double steady_ns = i ? (double)window_ns : fmin((double)window_ns, FIRST_NS);

			view_window(w, window_ns);
			verdict_make(&w->snap, &w->memory, &v);
			snprintf(what, sizeof(what), "%s, windows of %.2f s, after %.2f s", spec, (double)window_ns / NS_PER_S,
				(double)(w->rig.now_ns - RIG_START_NS) / NS_PER_S);
			why = refuted(&w->snap, &v);
			if (why)
				wrong("now", what, &v, why);
			if (window_ns >= NS_PER_S && v.is_changing)
				wrong("now", what, &v, "a long window waits for another one");
			if (!strstr(spec, "@") && strstr(spec, ",load=") && v.is_changing &&
				a.round_ns < steady_ns / (strchr(spec, '+') ? 16 : 4))
				wrong("now", what, &v, "a steady load changes");
			if (strstr(spec, "@2s"))
				hold_caption(what, w, captions, &v);
			hold_advice(what, &v);
		}
		view_close(w);
		n_cases++;
	}
	free(w);
}

/* --- law 4: advice --- */

/* Each resource that any metric file names, full as a pipe and as a level: the step that the file or
 * the table has for it is said, and does not need what is full. */
static void law_advice(void)
{
	for (int i = 0; i < lib.n_sets; i++) {
		const struct metric_set *set = whole(lib.sets[i]);

		for (int k = 0; k < set->n_metrics; k++) {
			const struct metric_limit *l = &set->metrics[k].limit;
			bool is_pipe = l->role == LIMIT_PIPE;
			struct resource r = { .limit = l };
			struct finding f = { .kind = is_pipe ? VERDICT_PIPE : VERDICT_BANDWIDTH,
				.bound = l->word, .resource = &r };
			struct evidence e = { .busy = 1 };
			struct verdict v = { .kind = f.kind, .share = NAN, .roof = NAN };

			if (!is_pipe && l->role != LIMIT_LEVEL && l->role != LIMIT_LINK &&
				l->role != LIMIT_COPY && l->role != LIMIT_FULL)
				continue;
			v.try.fmt = l->tip && verdict_advice_may_say(l->word, l->tip) ? l->tip : verdict_advice(&e, &f);
			snprintf(v.bound, sizeof(v.bound), "%s", l->word);
			if (!v.try.fmt || strstr(v.try.fmt, "for this unit") || strstr(v.try.fmt, "to this level"))
				wrong("advice", l->word, &v, "no step of its own");
			hold_advice(l->word, &v);
			n_cases++;
		}
	}
}

/* --- what there is --- */

static const char *const intel_loads[] = { "idle", "stream.sp.x4", "read.sp.x2", "write.sp.x2", "copy.sp.x4", "private.mad.sp.x4",
	"private.mad.sp.x1", "private.div.sp.x2", "private.mad.dp.x4", "power.mad.sp.x8", "slm", "send", "chase", "lat.chase.1m",
	"stride.s16", "flow.diverge.w4", "slm.reduce", "xmx", "loop.mad.sp.x4", "copy.sp.x1", "mix.sp.ai-4", "lat.chase.64m",
	"single.mad.sp.x1", "launch.wait", "samples", "triangles" };
static const char *const options[] = { "", ",groups=3", ",groups=12", ",groups=100,items=64", ",heat=500", ",setting=600", ",noroof", ",cores=11",
	",n=64,pause=4000", ",dram=60", ",others=10", ",flaw=hot" };
static const char *const now_loads[] = { "idle", "stream.sp.x4", "private.mad.sp.x4", "copy.sp.x4", "chase", "launch.wait" };
static const char *const mali_now[] = { "idle", "ui", "geometry", "memory", "compute", "turns" };
static const char *const nvidia_now[] = { "idle", "stream", "fma", "gemm", "chase", "launches" };
static const char *const amd_now[] = { "idle", "compute", "power", "hot", "launches", "memory" };
static const int64_t windows_ns[] = { 50 * NS_PER_MS, 200 * NS_PER_MS, NS_PER_S, 5 * NS_PER_S };
static const int64_t tour_ns[] = { 100 * NS_PER_MS, 500 * NS_PER_MS, NS_PER_S, 1500 * NS_PER_MS, 5 * NS_PER_S, 10 * NS_PER_S };

static const char *device_name(int i)
{
	if (i < sim_machine_count)
		return sim_machines[i].name;
	i -= sim_machine_count;
	if (i < mali_machine_count)
		return mali_machines[i].name;
	i -= mali_machine_count;
	if (i < nvidia_machine_count)
		return nvidia_machines[i].name;
	i -= nvidia_machine_count;
	return i < amd_machine_count ? amd_machines[i].name : "h100,mig=421";
}

static int n_devices(void)
{
	return sim_machine_count + mali_machine_count + nvidia_machine_count + amd_machine_count + 1;
}

/* Every load of a device, with every option where it takes some. */
static void make_load(const char *name, uint64_t at, char *buf, size_t size)
{
	if (sim_mali_knows(name))
		snprintf(buf, size, "%s,load=%s", name, mali_load_nth((int)(at % (uint64_t)mali_load_count)).name);
	else if (sim_nvidia_knows(name))
		snprintf(buf, size, "%s,load=%s", name, nvidia_loads[at % (uint64_t)nvidia_load_count].name);
	else if (sim_amd_knows(name))
		snprintf(buf, size, "%s,load=%s", name, amd_loads[at % (uint64_t)amd_load_count].name);
	else
		snprintf(buf, size, "%s,load=%s%s", name, intel_loads[at % ARRAY_LEN(intel_loads)],
			options[at / ARRAY_LEN(intel_loads) % ARRAY_LEN(options)]);
}

static uint64_t loads_of(const char *name)
{
	if (sim_mali_knows(name))
		return (uint64_t)mali_load_count;
	if (sim_nvidia_knows(name))
		return (uint64_t)nvidia_load_count;
	if (sim_amd_knows(name))
		return (uint64_t)amd_load_count;
	return ARRAY_LEN(intel_loads) * ARRAY_LEN(options);
}

/* --- devices that do not exist --- */

static uint64_t between(uint64_t least, uint64_t most)
{
	return least + number(most - least + 1);
}

/* A machine for the GPUs of its version: the others have another memory beside them. */
static const struct sim_machine *machine_like(const struct intel_platform *p)
{
	for (int i = 0; i < sim_machine_count; i++)
		if (intel_platform_by_name(intel_pci_id(sim_machines[i].pci_device)->platform)->graphics_ver == p->graphics_ver)
			return &sim_machines[i];
	return &sim_machines[0];
}

/* Any Intel GPU whose EUs are known, beside a memory, a power limit and a highest clock by chance. */
static const struct sim_machine *invent_intel(char *buf, size_t size)
{
	for (;;) {
		const struct intel_pci_id *id = &intel_pci_ids[number((uint64_t)intel_pci_id_count)];
		const struct intel_platform *p = *id->platform ? intel_platform_by_name(id->platform) : NULL;

		if (!p || !id->slices || !p->sp_flop_per_cycle_eu)
			continue;
		const struct sim_machine *m = machine_like(p);
		int gbs = (int)(m->dram_bytes_per_s / 1e9);
		/* One after the other: compilers differ in the order of arguments. */
		int delivers = (int)between(40, 95);
		int dram = (int)between((uint64_t)gbs / 2, (uint64_t)gbs * 2);
		int watts = (int)(m->power.limit_w * (double)between(60, 300) / 100);
		int mhz = (int)between(600, 2600);
		snprintf(buf, size, "%s,id=%#x,mhz=%d,watts=%d,dram=%d,delivers=%d", m->name, id->id, mhz, watts, dram, delivers);
		return m;
	}
}

/* NVIDIA's GPUs beside another memory, power limit and clock; AMD's, whose counters are the same; and
 * every Mali whose counters are known. */
static void invent_other(char *buf, size_t size)
{
	static const unsigned amd_ids[] = { 0x731f, 0x73bf, 0x73df, 0x73ff, 0x7408, 0x740f };
	static const unsigned ids[] = { 0x1db1, 0x1eb8, 0x20b0, 0x2204, 0x26b9, 0x2331, 0x2335, 0x2901, 0x2b85 };
	int d = (int)between((uint64_t)sim_machine_count, (uint64_t)n_devices() - 1);
	const char *name = device_name(d);
	int mhz = (int)between(600, 2600), watts = (int)between(150, 900), dram = (int)between(200, 8000);
	unsigned id = ids[number(ARRAY_LEN(ids))], mali = mali_products[number((uint64_t)mali_product_count)].id;
	/* No memory delivers less of its data sheet than the threshold "doubt" says. */
	int delivers = (int)between((uint64_t)(100 * verdict_threshold(THRESHOLD_DOUBT) + 1), 95);

	if (sim_nvidia_knows(name))
		snprintf(buf, size, "%s,id=%#x,mhz=%d,watts=%d,dram=%d,delivers=%d", name, id, mhz, watts, dram, delivers);
	else if (sim_amd_knows(name))
		snprintf(buf, size, "%s,id=%#x,mhz=%d,watts=%d,dram=%d,delivers=%d", name,
			mhz % 2 ? amd_machine_by_name(name)->pci_device : amd_ids[mhz / 2 % (int)ARRAY_LEN(amd_ids)], mhz,
			(int)(amd_machine_by_name(name)->limit_w * watts / 500),
			strcmp(name, "strix") ? dram : dram / 40 + 10, delivers);
	else
		snprintf(buf, size, "%s,id=%#x,mhz=%d", name, mali, mhz / 2 + 100);
}

/* A kernel of any size, beside what may hold it. */
static void invent_load(char *buf, size_t size)
{
	static const char *const beside[] = { "", "", "", ",heat=500", ",setting=600", ",current=700", ",noroof", ",cores=9",
		",others=8", ",pause=300", ",pause=2000", ",rc6" };
	size_t len = (size_t)snprintf(buf, size, ",load=%s", intel_loads[number(ARRAY_LEN(intel_loads))]);

	/* launched in turns with another one; where one of them is no kernel there is no such load */
	if (!number(4))
		len += (size_t)snprintf(buf + len, size - len, "+%s", intel_loads[number(ARRAY_LEN(intel_loads))]);
	if (!number(4))
		len += (size_t)snprintf(buf + len, size - len, ",l3=%d", 128 << number(9));
	if (!number(2))
		len += (size_t)snprintf(buf + len, size - len, ",groups=%d", (int)between(1, number(2) ? 64 : 4000));
	if (!number(3))
		len += (size_t)snprintf(buf + len, size - len, ",items=%d", 16 << number(5));
	if (!number(3))
		len += (size_t)snprintf(buf + len, size - len, ",n=%d", 16 << number(10));
	snprintf(buf + len, size - len, "%s", beside[number(ARRAY_LEN(beside))]);
}

/* The sets of the device by number, NULL behind the last; profiles are several. */
static const struct metric_set *set_of(const char *device, int k)
{
	struct device_list list = { 0 };
	const struct metric_set *found = NULL;

	if (!sim_backend.resolve(NULL, device, &list, NULL))
		return NULL;
	for (int i = 0; i < lib.n_sets && !found; i++) {
		const struct metric_set *set = lib.sets[i];
		int pos = 0;

		if (metric_set_has_platform(set, list.entries[0].device.platform) && !metric_set_directive(set, "turns", &pos) && !k--)
			found = whole(set);
	}
	free(list.entries);
	return found;
}

static void change_of(const char *name, uint64_t at, char *buf, size_t size)
{
	const char *const *loads = now_loads;
	size_t n = ARRAY_LEN(now_loads);

	if (sim_mali_knows(name))
		loads = mali_now;
	else if (sim_nvidia_knows(name))
		loads = nvidia_now;
	else if (sim_amd_knows(name))
		loads = amd_now;
	snprintf(buf, size, "%s,load=%s>%s@2s", name, loads[at % n], loads[at / n % n]);
}

/* A sample looks at the first of the windows that all laws look at, so that what holds for all
 * holds for each seed. */
static int windows_in(int64_t total_ns, int64_t window_ns)
{
	return (int)(total_ns / window_ns) + 1;
}

static int sampled(int windows)
{
	return windows < 20 ? windows : 20;
}

static void everything(void)
{
	char spec[160];

	for (int d = 0; d < n_devices(); d++) {
		for (uint64_t i = 0; i < loads_of(device_name(d)); i++) {
			const struct metric_set *set;

			make_load(device_name(d), i, spec, sizeof(spec));
			law_information(spec, NULL, true, true);
			for (int k = 0; (set = set_of(device_name(d), k)); k++)
				law_information(spec, set->name, false, false);
		}
		for (uint64_t i = 0; i < 36; i++)
			for (size_t k = 0; k < ARRAY_LEN(windows_ns); k++) {
				change_of(device_name(d), i, spec, sizeof(spec));
				law_now(spec, windows_ns[k], windows_in(CHANGE_NS, windows_ns[k]));
			}
		for (size_t k = 0; k < ARRAY_LEN(tour_ns); k++)
			law_now(device_name(d), tour_ns[k], windows_in(TOUR_NS, tour_ns[k]));
		printf("# %s: %d cases, %d windows, %d wrong\n", device_name(d), n_cases, n_windows, n_wrong);
	}
}

static void sample(void)
{
	char spec[160];

	for (int i = 0; i < SAMPLE_CASES / tap_share(); i++) {
		int d = (int)number((uint64_t)n_devices()), k = 0;
		const struct metric_set *set;

		make_load(device_name(d), number(loads_of(device_name(d))), spec, sizeof(spec));
		law_information(spec, NULL, true, false);
		while ((set = set_of(device_name(d), k)) && number(3))
			k++;
		if (set)
			law_information(spec, set->name, false, false);
		change_of(device_name(d), number(36), spec, sizeof(spec));
		int64_t ns = windows_ns[number(ARRAY_LEN(windows_ns))];
		law_now(spec, ns, sampled(windows_in(CHANGE_NS, ns)));
		ns = tour_ns[number(ARRAY_LEN(tour_ns))];
		if (i % 6 == 0)
			law_now(device_name(d), ns, sampled(windows_in(TOUR_NS, ns)));
	}
}

/* Other vendors' devices, of which one set and one change are asked. */
static void invented_other(void)
{
	char device[120], spec[240];

	invent_other(device, sizeof(device));
	make_load(device, number(loads_of(device)), spec, sizeof(spec));
	law_information(spec, NULL, true, false);
	const struct metric_set *set = set_of(device, (int)number(3));
	if (set)
		law_information(spec, set->name, false, false);
	change_of(device, number(36), spec, sizeof(spec));
	int64_t ns = windows_ns[number(ARRAY_LEN(windows_ns))];
	law_now(spec, ns, sampled(windows_in(CHANGE_NS, ns)));
}

/* Devices, loads, sets and windows by chance. */
static void invented(int cases)
{
	char device[120], spec[240], load[100];

	for (int i = 0; i < cases; i++) {
		const struct metric_set *set;
		int k = 0;

		invented_other();
		invent_intel(device, sizeof(device));
		invent_load(load, sizeof(load));
		snprintf(spec, sizeof(spec), "%s%s", device, load);
		law_information(spec, NULL, true, false);
		while ((set = set_of(device, k)) && number(4))
			k++;
		if (set)
			law_information(spec, set->name, false, false);
		const char *to = intel_loads[number(ARRAY_LEN(intel_loads))], *from = intel_loads[number(ARRAY_LEN(intel_loads))];
		snprintf(spec, sizeof(spec), "%s,load=%s>%s@2s", device, from, to);
		int64_t ns = windows_ns[number(ARRAY_LEN(windows_ns))];
		law_now(spec, ns, sampled(windows_in(CHANGE_NS, ns)));
		snprintf(spec, sizeof(spec), "%s%s", device, load);
		/* What pauses, or has phases of its own that are longer than a window, is not steady. */
		if (!strstr(spec, "pause=") && !strstr(spec, "diverge"))
			law_now(spec, (int64_t)between(50, 900) * NS_PER_MS, 6);
	}
}

static void one(const char *spec)
{
	const struct metric_set *set;

	law_information(spec, NULL, true, true);
	for (int k = 0; (set = set_of(spec, k)); k++)
		law_information(spec, set->name, false, true);
	for (size_t k = 0; k < ARRAY_LEN(windows_ns); k++)
		law_now(spec, windows_ns[k], sampled(windows_in(CHANGE_NS, windows_ns[k])));
}

/* What once broke a law, and is rare by chance. */
static const char *const kept[] = {
	/* a cache behind GTI serves what is walked through, and the clock is held */
	"hd620,id=0x8a50,mhz=2414,watts=14,dram=60,delivers=59,load=lat.chase.1m,groups=1378,n=512,setting=600",
	/* nothing counts Haswell's pipes, and its memory gives half of its data sheet */
	"hsw,id=0xd0b,mhz=2151,watts=247,dram=19,delivers=52,load=mix.sp.ai-4,heat=500",
	/* a clock that nobody explains raises the write port, and the memory is nearly full */
	"hd620,id=0x3e94,mhz=2208,watts=19,dram=32,delivers=81,load=mix.sp.ai-4,groups=964,n=1024,heat=500",
	/* without what counts a pipe, what units wait for is as open */
	"hd620,id=0x591c,mhz=2582,watts=10,dram=63,delivers=94,load=lat.chase.64m+private.mad.dp.x4,n=1024",
	/* threads of a launch do the same at the same time */
	"hd620,id=0x1916,mhz=1322,watts=14,dram=63,delivers=94,load=single.mad.sp.x1,items=128,heat=500",
	/* a cache serves all that passes GTI, which is just below what is printed of the memory */
	"hd620,id=0x192a,mhz=2065,watts=25,dram=48,delivers=54,load=lat.chase.1m,items=16",
	/* and so where nothing counts the units */
	"hsw,id=0xd0e,mhz=1997,watts=107,dram=18,delivers=56,load=lat.chase.1m",
	/* others move what is nearest its roof */
	"hd620,id=0x1a85,mhz=958,watts=20,dram=44,delivers=58,load=chase,others=8",
	/* between launches a memory that gives 37 % rests */
	"chv,id=0x1606,mhz=1645,watts=9,dram=19,delivers=44,load=single.mad.sp.x1,groups=12,setting=600",
	/* a card has no part in the processor's cache */
	"lnl,id=0xe20b,mhz=1652,watts=54,dram=73,delivers=59,load=private.mad.sp.x1+lat.chase.1m,l3=512,n=2048",
	/* what passed was served by a memory-side cache, before which it is counted */
	"lnl,load=lat.chase.4m,l3=1024",
	/* a port that is as full as the pipes, and that is not counted */
	"hd620,id=0x3e91,mhz=642,watts=10,dram=56,delivers=83,load=mix.sp.ai-4,groups=2,n=4096,rc6",
	/* what a cache serves is as much as a full memory gives */
	"hd620,id=0x1926,mhz=1816,watts=23,dram=47,delivers=46,load=lat.chase.1m,l3=128,items=16,n=64",
	/* waits that are hidden pass what a cache serves */
	"hd620,id=0x3185,mhz=1661,watts=27,dram=54,delivers=70,load=lat.chase.1m,groups=29",
	/* everybody's traffic, and EUs that do not wait */
	"tgl,id=0xa7aa,mhz=1731,watts=24,dram=85,delivers=94,load=power.mad.sp.x8,n=16,others=8",
	"tgl,load=send,groups=2",	/* a quarter of Gen12's Send is sure */
	"hd620,load=private.div.sp.x1,groups=2",	/* RenderBasic counts neither pipes nor slots */
	/* few messages fill a memory that is not counted, when each touches 16 lines */
	"tgl,load=stride.s16,groups=3",
	/* latency takes as long as a memory that gives 71 % */
	"h100,id=0x2331,mhz=2018,watts=589,dram=7590,delivers=71,load=stream",
	/* at the highest clock it gains 4 % */
	"hd620,id=0x4551,mhz=936,watts=28,dram=36,delivers=91,load=mix.sp.ai-4,groups=41,heat=500",
	/* what is not counted gains no more than the 12 % in which EUs do not work */
	"hsw,id=0xa02,mhz=2113,watts=214,dram=50,delivers=70,load=flow.diverge.w4+loop.mad.sp.x4,groups=10,items=128",
	/* Gen9 counts no atomics in local memory */
	"hd620,load=atomic.local",
};

int main(int argc, char **argv)
{
	bool is_one = argc > 1 && strchr(argv[1], ',');
	bool all = argc > 1 && !strcmp(argv[1], "all");
	uint64_t seed = all ? (uint64_t)clock_machine_ns() / NS_PER_MS % 1000000 : 1;

	if (argc > 2)
		only = argv[2];
	if (argc > 1 && !all && !is_one)
		seed = strtoull(argv[1], NULL, 10);

	for (const struct packed_file *e = metric_files; e->name; e++)
		if (packed_serves(e, NULL))
			metric_lib_load_heads(&lib, e->name, packed_text(e), NULL, problem, NULL);
	state = seed;
	law_advice();
	for (size_t i = 0; i < ARRAY_LEN(kept) && !is_one; i++)
		one(kept[i]);
	int cases = all ? ALL_INVENTED : SAMPLE_CASES;
	if (is_one)
		one(argv[1]);
	else if (argc <= 3 && all)
		everything();
	else if (argc <= 3)
		sample();
	if (!is_one)
		invented(argc > 3 ? atoi(argv[3]) : cases);
	printf("# seed %llu: %d cases, %d windows, %d headrooms, %d at a border\n", (unsigned long long)seed, n_cases, n_windows, n_gains,
		n_borders);
	is_int(n_wrong, 0, "every answer is by the laws");
	if (!is_one)
		ok(n_borders * LEAST_PER_BORDER <= n_cases, "few are at a border");
	metric_lib_release(&lib);
	return done_testing();
}
