/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds loads by name. */
#include "config.h"

#include "backends/sim/model/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/model/kernel.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "backends/sim/model/turns.h"

#define IDLE_SLICE_NS 1e6
#define FRAME_NS (1e9 / 60)
#define GROUPS_PER_SUBSLICE 21
#define SCREEN_GROUPS (1920 * 1080 * 3 / 256)
/* A tile of 16 x 10 has five threads of 32 items, which eight EUs cannot share evenly. */
#define BLUR_ITEMS 160
/* All parts of the tour are seen within twenty seconds, each long enough for an answer. */
#define TOUR_NS (5 * NS_PER_S)
#define LONG_NS (3600 * NS_PER_S)
#define WALK_NS (500 * NS_PER_MS)
#define WALK_STEPS 20
#define WALK_CLOCKS 8

enum scene_kind { SCENE_IDLE, SCENE_DESKTOP, SCENE_KERNEL };

struct scene {
	enum scene_kind kind;
	const char *kernel;
	bool cores_busy;
	const char *text;	/* of a tour, else NULL */
};

static const struct scene tour[] = {
	{ SCENE_KERNEL, "stream.sp.x4", false, "memory-bound: arrays that fit no cache are copied; the DRAM is the limit" },
	{ SCENE_KERNEL, "private.mad.sp.x4", false, "compute-bound: every FPU is kept busy from registers" },
	{ SCENE_KERNEL, "power.mad.sp.x4", true, "power-limited: every FPU is busy beside busy CPU cores" },
	{ SCENE_IDLE, NULL, false, NULL },
};

/* Holds what every function here needs; cores_w is what the CPU's cores take in the scene. */
struct builder {
	struct course *cs;
	const struct workload_hardware *hw;
	const struct workload_options *o;
	course_select_fn *select;
	void *ctx;
	double cores_w;
	struct phase_list list;
};

int workload_groups(const struct workload_hardware *hw, const struct workload_options *o)
{
	return o->groups ? o->groups : GROUPS_PER_SUBSLICE * hw->eu.subslices;
}

int workload_groups_of_all(const struct workload_hardware *hw, const struct workload_options *o)
{
	static const char *const scenes[] = { "idle", "desktop", "tour" };

	for (size_t i = 0; i < ARRAY_LEN(scenes); i++)
		if (!strcmp(o->load, scenes[i]))
			return 0;
	return strchr(o->load, '>') ? 0 : workload_groups(hw, o);
}

bool workload_launch(const struct workload_hardware *hw, const struct kernel *k, int groups,
	int items, struct workload_launch *out, struct err *err)
{
	struct phase_list *list = xcalloc(1, sizeof(*list));
	double hz = hw->power.max_hz;
	bool good = eu_launch(&hw->eu, hz, k, groups, items, list, err);

	*out = (struct workload_launch){ .ns = phase_list_cycles(list) / hz * 1e9 };
	for (int i = 0; i < list->n; i++)
		out->gti_bytes += MEMORY_LINE_BYTES *
			(list->phases[i].gpu[GPU_GTI_READS] + list->phases[i].gpu[GPU_GTI_WRITES]);
	free(list);
	return good;
}

static bool make_frame(struct builder *b, double hz, struct err *err)
{
	static const struct {
		enum shader_stage stage;
		int groups, items;
	} launches[] = {
		{ STAGE_VS, 300, 64 },
		{ STAGE_PS, SCREEN_GROUPS, 256 },
		{ STAGE_CS, SCREEN_GROUPS * 256 / BLUR_ITEMS / 6, BLUR_ITEMS },
	};
	struct kernel k;

	for (size_t i = 0; i < ARRAY_LEN(launches); i++) {
		kernel_make_desktop(&b->hw->eu, launches[i].stage, &k);
		if (!eu_launch(&b->hw->eu, hz, &k, launches[i].groups, launches[i].items, &b->list,
			    err))
			return false;
	}
	double ns = FRAME_NS - phase_list_cycles(&b->list) / hz * 1e9;
	return eu_pause(hz, fmax(ns, WORKLOAD_GAP_NS), false, b->o->rc6, &b->list, err);
}

static bool make_launch(
	struct builder *b, const char *kernel, uint8_t context, double hz, struct err *err)
{
	int groups = workload_groups(b->hw, b->o) * (b->o->sizes ? context : 1);
	struct kernel k;

	if (!kernel_make(&b->hw->eu, hz, kernel, b->o->n, &k, err))
		return false;
	kernel_fit_groups(&b->hw->eu, hz, groups, &k);
	if (!eu_launch(&b->hw->eu, hz, &k, groups, b->o->items, &b->list, err))
		return false;
	if (k.waits || b->o->waits)
		return eu_pause(hz, WORKLOAD_ROUND_TRIP_NS, false, false, &b->list, err);
	return eu_pause(hz, WORKLOAD_GAP_NS, true, false, &b->list, err);
}

/* Adds the launches of one context. */
static bool make_queue(
	struct builder *b, const char *names, uint8_t context, bool is_last, double hz, struct err *err)
{
	bool is_first_again = is_last && b->o->resumes;
	int first = b->list.n;
	char name[48] = "";

	do {
		if (!parse_until(&names, '+', name, sizeof(name)))
			name[0] = '\0';	/* no kernel has this name */
		if (!make_launch(b, name, context, hz, err))
			return false;
	} while (*names);
	for (int i = first; i < b->list.n; i++)
		b->list.phases[i].context = is_first_again ? 1 : context;
	return true;
}

/* Fills b->list with the scene at that clock. */
static bool make_phases(struct builder *b, const struct scene *s, double hz, struct err *err)
{
	const char *queues = s->kernel;
	char queue[sizeof(b->o->load)] = "";

	b->list.n = 0;
	if (s->kind == SCENE_IDLE)
		return eu_pause(hz, IDLE_SLICE_NS, false, b->o->rc6, &b->list, err);
	if (s->kind == SCENE_DESKTOP)
		return make_frame(b, hz, err);
	for (uint8_t context = 1; context == 1 || *queues; context++) {
		if (!parse_until(&queues, '/', queue, sizeof(queue)))
			queue[0] = '\0';
		if (!make_queue(b, queue, context, !*queues, hz, err))
			return false;
	}
	if (b->o->pause_ns > 0 && !eu_pause(hz, b->o->pause_ns, false, b->o->rc6, &b->list, err))
		return false;
	if (phase_list_cycles(&b->list) < (double)COURSE_MAX_PATTERN_CYCLES)
		return true;
	err_set(err, ERR_USAGE, "a launch of '%s' with these sizes takes %.0f s or more",
		s->kernel, fmin(phase_list_cycles(&b->list) / hz, 1e9));
	return err_hint(err,
		"choose fewer groups or a smaller n: launches of up to a second are possible");
}

/* Returns the clock that work of that kind gets while nothing limits it. */
static double free_hz(const struct builder *b, const struct scene *s)
{
	const struct power_config *p = &b->hw->power;

	if (s->kind == SCENE_IDLE)
		return p->min_hz;
	if (s->kind == SCENE_DESKTOP)
		return p->min_hz +
			floor((p->max_hz - p->min_hz) / 4 / POWER_STEP_HZ) * POWER_STEP_HZ;
	return p->max_hz;
}

/* Returns the clock that the driver asks for; a cap by the user's setting is its own. */
static struct course_clock wanted_clock(const struct builder *b, const struct scene *s)
{
	double hz = free_hz(b, s), asked = hz;
	struct course_clock c = { .reason = CLOCK_FREE };

	if (b->o->cap_hz > 0 && b->o->cap_hz < hz) {
		c.reason = b->o->cap_reason;
		hz = fmax(b->o->cap_hz, b->hw->power.min_hz);
		if (c.reason == CLOCK_BY_SETTING)
			asked = hz;
	}
	c.hz = (uint64_t)(hz + 0.5);
	c.requested_hz = (uint64_t)(asked + 0.5);
	return c;
}

/* Lowers hz to the highest step at which the power limit holds. Leaves the phases at that clock in
 * b->list. */
static bool limit_clock(struct builder *b, const struct scene *s, double *hz, struct err *err)
{
	double w[POWER_PLANES];

	for (;; *hz -= POWER_STEP_HZ) {
		if (!make_phases(b, s, *hz, err))
			return false;
		power_mean(&b->hw->power, &b->list, *hz, b->cores_w, w);
		if (w[POWER_PACKAGE] <= b->hw->power.limit_w ||
			*hz - POWER_STEP_HZ < b->hw->power.min_hz)
			return true;
	}
}

static void scene_text(const struct builder *b, const struct scene *s, double hz, bool limited,
	char *buf, size_t size)
{
	int mhz = (int)(hz / 1e6 + 0.5), groups = workload_groups(b->hw, b->o);

	if (s->kind == SCENE_IDLE)
		snprintf(
			buf, size, "idle: nothing is submitted, the clock is at its minimum, %d MHz", mhz);
	else if (s->kind == SCENE_DESKTOP)
		snprintf(buf, size, "desktop: 60 frames a second at %d MHz", mhz);
	else if (s->text)
		snprintf(buf, size, "%s (%s)", s->text, s->kernel);
	else
		snprintf(buf, size,
			groups == 1 ? "%s: launches of %d group of %d items at %d MHz"
			: "%s: launches of %d groups of %d items at %d MHz",
			s->kernel, groups, b->o->items, mhz);
	size_t len = strlen(buf);
	if (limited && len < size)
		snprintf(buf + len, size - len,
			"; the %s limit of %.0f W holds the clock at %d MHz",
			b->hw->power.is_card ? "card's" : "package", b->hw->power.limit_w, mhz);
}

/* A selection appends energy to the caller's own, because it is counted where everything else
 * is. */
struct selection {
	const struct builder *b;
	double launch_cycles;	/* 0: the scene launches no kernel of the catalogue */
};

static void select_all(void *ctx, const struct phase *p, double hz, double q[Q_COUNT])
{
	const struct selection *s = ctx;

	s->b->select(s->b->ctx, p, hz, q);
	power_phase(&s->b->hw->power, p, hz, s->b->cores_w, &q[Q_ENERGY]);
	q[Q_RC6_NS] = p->gpu[GPU_RC6_NS];
	q[Q_MEMORY_BYTES] = MEMORY_LINE_BYTES * p->gpu[GPU_DRAM_LINES];
	q[Q_BUSY_NS] = p->gpu[GPU_BUSY] / hz * 1e9;
	if (s->launch_cycles > 0)
		q[Q_LAUNCHES] = p->cycles / s->launch_cycles * COURSE_LAUNCH_PARTS;
}

/* Adds b->list as a pattern. */
static int add_pattern(struct builder *b, const struct scene *s, double hz)
{
	struct selection sel = { .b = b };

	if (s->kind == SCENE_KERNEL)
		sel.launch_cycles = phase_list_cycles(&b->list);
	return course_add_pattern(b->cs, &b->list, hz, select_all, &sel);
}

static bool add_steady(
	struct builder *b, const struct scene *s, int64_t duration_ns, struct err *err)
{
	struct course_clock clock = wanted_clock(b, s);
	double wanted = (double)clock.hz, hz = wanted;
	char text[160];

	if (!limit_clock(b, s, &hz, err))
		return false;
	clock.hz = (uint64_t)(hz + 0.5);
	if (hz < wanted)
		clock.reason = CLOCK_BY_POWER;
	scene_text(b, s, hz, hz < wanted, text, sizeof(text));
	course_add_segment(b->cs, duration_ns, &clock, add_pattern(b, s, hz), text);
	return true;
}

/* Adds a walk of the clock up and down between the lowest and the one that the scene would have. */
static bool add_walk(struct builder *b, const struct scene *s, int steps, struct err *err)
{
	double top = (double)wanted_clock(b, s).hz, hz[WALK_CLOCKS];
	double low = b->hw->power.min_hz;
	int pattern[WALK_CLOCKS];
	uint64_t state = b->o->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	int at = WALK_CLOCKS / 2;
	char text[160];

	if (!limit_clock(b, s, &top, err))
		return false;
	if (top <= low)
		top = low + WALK_CLOCKS * POWER_STEP_HZ;
	for (int i = 0; i < WALK_CLOCKS; i++) {
		hz[i] = low +
			floor((top - low) * i / (WALK_CLOCKS - 1) / POWER_STEP_HZ) * POWER_STEP_HZ;
		if (!make_phases(b, s, hz[i], err))
			return false;
		pattern[i] = add_pattern(b, s, hz[i]);
	}
	for (int i = 0; i < steps; i++) {
		state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
		/* The clock goes up or down, and back from either end. */
		if (at == 0 || (at < WALK_CLOCKS - 1 && (state >> 33) % 2))
			at++;
		else
			at--;
		struct course_clock clock = { .hz = (uint64_t)(hz[at] + 0.5) };

		clock.requested_hz = clock.hz;
		scene_text(b, s, hz[at], false, text, sizeof(text));
		course_add_segment(b->cs, WALK_NS, &clock, pattern[at], text);
	}
	return true;
}

static bool add_scene(
	struct builder *b, const struct scene *s, int64_t duration_ns, struct err *err)
{
	b->cores_w = s->cores_busy ? b->hw->cores_busy_w : b->hw->cores_idle_w;
	if (b->o->cores_w > 0)
		b->cores_w = b->o->cores_w;
	if (b->o->walk)
		return add_walk(b, s, WALK_STEPS, err);
	return add_steady(b, s, duration_ns, err);
}

/* One load by its name, for so long. */
static bool add_load(struct builder *b, const char *name, int64_t duration_ns, struct err *err)
{
	struct scene s = { .kind = SCENE_KERNEL, .kernel = name };
	bool good = true;

	for (size_t i = 0; good && i < ARRAY_LEN(tour) && !strcmp(name, "tour"); i++)
		good = add_scene(b, &tour[i], TOUR_NS, err);
	if (!strcmp(name, "tour"))
		return good;
	if (!strcmp(name, "idle"))
		s.kind = SCENE_IDLE;
	else if (!strcmp(name, "desktop"))
		s.kind = SCENE_DESKTOP;
	return add_scene(b, &s, duration_ns, err);
}

bool workload_build(struct course *cs, const struct workload_hardware *hw,
	const struct workload_options *o, course_select_fn *select, void *ctx, struct err *err)
{
	struct builder *b = xcalloc(1, sizeof(*b));
	struct workload_hardware shared = *hw;
	struct load_turns turns;
	bool good = load_turns_parse(o->load, TOUR_NS, &turns, err);

	shared.eu.memory.others_bytes_per_s = o->others_bytes_per_s;
	/* Its list is long: it is not cleared a second time. */
	b->cs = cs;
	b->hw = &shared;
	b->o = o;
	b->select = select;
	b->ctx = ctx;
	for (int i = 0; good && i < turns.n; i++)
		good = add_load(b, turns.names[i], turns.n > 1 ? turns.each_ns : LONG_NS, err);
	free(b);
	return good;
}
