/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads engine busyness by perf events of i915 (busy, wait, semaphore: ns) and of xe (active ticks,
 * and ticks that passed), and i915's count of the interrupts of the whole device. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/stand_ins.h"
#include "backends/card/drm_card.h"
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_node.h"
#include "backends/perf/perf_event.h"
#include "base/mem.h"
#include "core/value/accum.h"

#define MAX_ENGINES PERF_GROUP_MAX
/* As many as any card has. */
#define XE_INSTANCES 9
#define XE_GTS 4
#define XE_TILES 2
#define EVENTS "/sys/bus/event_source/devices/%.47s/events"

/* The drivers' names of classes (i915: intel_engine_cs.c; xe: xe_hw_engine.c) and, for xe, their
 * numbers in events (xe_drm.h). */
static const struct engine_class {
	const char *driver, *people;
	int number;
} classes[] = {
	{ "rcs", "render", 0 }, { "bcs", "copy", 1 }, { "vcs", "video", 2 }, { "vecs", "enhance", 3 }, { "ccs", "compute", 4 },
};

/* IRQ is counted for the device, the others for each engine. */
enum { BUSY, WAIT, SEMA, IRQ, KINDS };

static const struct counter_desc counters[KINDS] = {
	[BUSY] = { "engine_busy_ns", "ns", 64, COUNTER_CUMULATIVE },
	[WAIT] = { "engine_wait_ns", "ns", 64, COUNTER_CUMULATIVE },
	[SEMA] = { "engine_sema_ns", "ns", 64, COUNTER_CUMULATIVE },
	[IRQ] = { "interrupts_taken", "events", 64, COUNTER_CUMULATIVE },
};

/* The drivers' names of the events. xe's first event counts a part of its second. */
static const char *const i915_suffix[IRQ] = { "busy", "wait", "sema" };
#define I915_INTERRUPTS "interrupts"
static const char *const xe_events[2] = { "engine-active-ticks", "engine-total-ticks" };

struct engine {
	char name[8];			/* "rcs0" */
	const struct engine_class *class;
	int gt, instance;
};

struct engines {
	struct source source;
	struct fsroot fs;
	char card[32];
	bool is_xe, is_asleep;
	struct perf_pmu pmu;
	int cpu;			/* the one on which its events are opened */
	struct engine engines[MAX_ENGINES];
	char names[MAX_ENGINES][12];
	int n, left_out;		/* left_out: engines that a group has no place for */
	struct perf_group groups[KINDS];
	struct perf_counts now[KINDS], before[KINDS];
	struct counter_desc counters[KINDS];
	bool open, failed, collected;
	struct err refusal;
	int64_t window_ns;
	uint64_t instances[MAX_ENGINES][KINDS];
	enum why whys[KINDS];
};

/* --- which engines there are --- */

static const struct engine_class *class_of(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (strlen(classes[i].driver) == len && !strncmp(classes[i].driver, name, len))
			return &classes[i];
	return NULL;
}

static void add_engine(struct engines *s, const struct engine_class *class, int gt, int instance)
{
	struct engine *e = &s->engines[s->n];

	s->left_out += class && s->n == MAX_ENGINES;
	if (!class || s->n == MAX_ENGINES)
		return;
	*e = (struct engine){ .class = class, .gt = gt, .instance = instance };
	snprintf(e->name, sizeof(e->name), "%s%d", class->driver, instance % 100);
	snprintf(s->names[s->n], sizeof(s->names[0]), "%s %d", class->people, instance % 100);
	s->n++;
}

/* Takes a name like "rcs0-busy" from the folder of i915's events. */
static bool note_i915_event(void *ctx, const char *name)
{
	size_t letters = strcspn(name, "0123456789"), digits = strspn(name + letters, "0123456789");

	if (digits && digits < 3 && !strcmp(name + letters + digits, "-busy"))
		add_engine(ctx, class_of(name, letters), 0, atoi(name + letters));
	return true;
}

struct gt_folder {
	struct engines *s;
	int gt;
};

/* The PMU of a discrete card has the card's address in its name. For the GPU in the processor, i915
 * names the PMU plainly "i915". */
static bool find_pmu(struct engines *s, const struct device *d, struct err *err)
{
	char name[48];

	snprintf(name, sizeof(name), "%.15s_%.20s", d->driver, d->pci_address);
	for (char *p = name; (p = strchr(p, ':'));)
		*p = '_';
	if (s->is_xe)
		return perf_pmu_find(&s->fs, name, &s->pmu, err);
	return perf_pmu_find(&s->fs, name, &s->pmu, NULL) ||
		perf_pmu_find(&s->fs, "i915", &s->pmu, err);
}

/* --- events --- */

static bool find_event(const struct engines *s, const struct engine *e, int kind,
	struct perf_event *out, struct err *err)
{
	char text[64];
	struct perf_event engine;

	if (kind == IRQ)
		return perf_pmu_event(&s->fs, &s->pmu, I915_INTERRUPTS, out, err);
	if (!s->is_xe) {
		snprintf(text, sizeof(text), "%s-%s", e->name, i915_suffix[kind]);
		return perf_pmu_event(&s->fs, &s->pmu, text, out, err);
	}
	snprintf(text, sizeof(text), "engine_class=%d,engine_instance=%d,gt=%d", e->class->number,
		e->instance, e->gt);
	if (!perf_pmu_event(&s->fs, &s->pmu, xe_events[kind], out, err) ||
		!perf_pmu_terms(&s->fs, &s->pmu, text, &engine, err))
		return false;
	out->config |= engine.config;
	return true;
}

/* For a card whose node may not be opened. Adds an engine of xe unless its PMU knows none: it knows
 * those of the driver's own list (Linux xe_pmu.c, event_param_valid()). Without a right to ask it,
 * and while the card sleeps, a class has its first engine. */
static void add_xe_engine(
	struct engines *s, const struct engine_class *class, int gt, int instance)
{
	struct engine e = { .class = class, .gt = gt, .instance = instance };
	struct perf_group g = { .n = 0 };
	struct perf_event event;
	struct err why = { .code = ERR_NONE };

	if (!class)
		return;
	bool good = s->is_asleep || (find_event(s, &e, 0, &event, &why) &&
					    perf_group_add(&s->fs, &g, &event, s->cpu, &why));
	perf_group_close(&g);
	if (good || (why.code != ERR_UNSUPPORTED && instance == 0))
		add_engine(s, class, gt, instance);
}

/* xe's folders name classes, not how many engines each has. */
static bool note_xe_class(void *ctx, const char *name)
{
	const struct gt_folder *g = ctx;
	const struct engine_class *class = class_of(name, strlen(name));
	/* An event would wake a card that sleeps. */
	int instances = g->s->is_asleep ? 1 : XE_INSTANCES;

	for (int i = 0; i < instances; i++)
		add_xe_engine(g->s, class, g->gt, i);
	return true;
}

static const struct engine_class *class_of_number(int number)
{
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (classes[i].number == number)
			return &classes[i];
	return NULL;
}

/* Takes the driver's own list, which has the gaps that fuses make. False: it is not told. */
static bool list_xe_engines(struct engines *s)
{
	struct xe_engine_instance list[XE_MAX_ENGINES];
	struct drm_node n;
	int count = 0;

	/* The answer would wake a card that sleeps. */
	if (s->is_asleep || !drm_node_open(&n, &s->fs, s->card, NULL))
		return false;
	count = xe_node_engines(&n, list, XE_MAX_ENGINES);
	drm_node_close(&n);
	for (int i = 0; i < count; i++)
		add_engine(s, class_of_number(list[i].engine_class), list[i].gt_id,
			list[i].instance);
	return s->n > 0;
}

/* i915 makes events for the engines of its own list, and for no others (Linux i915_pmu.c,
 * for_each_uabi_engine()). */
static void find_engines(struct engines *s)
{
	char path[160];

	s->n = s->left_out = 0;
	if (!s->is_xe) {
		snprintf(path, sizeof(path), EVENTS, s->pmu.name);
		fsroot_each(&s->fs, path, note_i915_event, s, NULL);
		return;
	}
	if (list_xe_engines(s))
		return;
	for (int gt = 0; gt < XE_GTS; gt++) {
		struct gt_folder g = { s, gt };

		/* The media GT of a tile stands beside the one that renders (Linux xe_gt_sysfs.c). */
		for (int tile = 0; tile < XE_TILES; tile++) {
			snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device/tile%d/gt%d/engines",
				s->card, tile, gt);
			if (fsroot_exists(&s->fs, path))
				fsroot_each(&s->fs, path, note_xe_class, &g, NULL);
		}
	}
}

static void close_groups(struct engines *s)
{
	for (int i = 0; i < KINDS; i++)
		perf_group_close(&s->groups[i]);
	s->open = false;
}

/* Opens one event of each engine, or the single one of the device. A group is read at one
 * moment. */
static bool open_group(struct engines *s, int kind, struct err *err)
{
	int n = kind == IRQ ? 1 : s->n;
	struct perf_event event;

	for (int i = 0; i < n; i++)
		if (!find_event(s, &s->engines[i], kind, &event, err) ||
			!perf_group_add(&s->fs, &s->groups[kind], &event, s->cpu, err))
			return false;
	return true;
}

/* Not every kernel counts waiting, semaphores and interrupts. Without permission, or without
 * busyness, there is nothing to read. */
static bool open_groups(struct engines *s, struct err *err)
{
	int needed = 1, kinds = KINDS;

	if (s->is_xe)
		needed = kinds = 2;
	/* xe holds the card awake for its events (Linux xe_pmu.c). */
	if (drm_card_is_asleep(&s->fs, s->card))
		return err_set(err, ERR_ASLEEP, "%s is asleep and is left so", s->card);
	for (int kind = 0; kind < kinds; kind++) {
		struct err refusal;

		if (open_group(s, kind, &refusal))
			continue;
		perf_group_close(&s->groups[kind]);
		if (kind < needed) {
			*err = refusal;
			close_groups(s);
			return false;
		}
	}
	s->open = true;
	s->collected = s->failed = false;
	return true;
}

/* --- the source --- */

static bool engines_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct engines *s = (struct engines *)src;

	(void)now_ns;
	if (!s->open) {
		if (err)
			*err = s->refusal;
		return false;
	}
	s->failed = false;
	for (int i = 0; i < KINDS && !s->failed; i++)
		s->failed = s->groups[i].n && !perf_group_read(&s->groups[i], &s->now[i], err);
	return !s->failed;
}

/* Returns the count in a window as long as that of busyness. The groups are read one after the
 * other, and each has a clock of its own. */
static uint64_t delta(const struct engines *s, int kind, int engine, int64_t window_ns)
{
	uint64_t count = s->now[kind].values[engine] - s->before[kind].values[engine];
	uint64_t own_ns = s->now[kind].enabled_ns - s->before[kind].enabled_ns;

	if (kind == BUSY || own_ns == 0)
		return count;
	return (uint64_t)((double)count * (double)window_ns / (double)own_ns);
}

/* Drivers may give times that are a little longer than their window. A time twice as long is wrong,
 * and so are more ticks or interrupts than nanoseconds. */
static bool is_possible(const struct engines *s, int kind)
{
	uint64_t own_ns = s->now[kind].enabled_ns - s->before[kind].enabled_ns, unused;

	for (int i = 0; i < s->groups[kind].n; i++)
		if (!accum_forward(
			    s->before[kind].values[i], s->now[kind].values[i], 2 * own_ns, &unused))
			return false;
	return true;
}

/* xe counts ticks: the busy part of those that passed is the busy part of the window. */
static uint64_t busy_ns(const struct engines *s, int engine, int64_t window_ns)
{
	uint64_t active = delta(s, 0, engine, window_ns), total;

	if (!s->is_xe)
		return active;
	total = delta(s, 1, engine, window_ns);
	if (!total)
		return 0;
	return (uint64_t)((double)active / (double)total * (double)window_ns);
}

static void take_deltas(struct engines *s, struct sample *out)
{
	for (int kind = 0; kind < KINDS; kind++) {
		/* A kernel that is asked again and gives busyness now may still give nothing of the
		 * others. */
		s->whys[kind] = WHY_OK;
		if (kind != BUSY && (s->is_xe || !s->groups[kind].n))
			s->whys[kind] = WHY_UNSUPPORTED;
		else if (!is_possible(s, kind) || (s->is_xe && !is_possible(s, 1)))
			s->whys[kind] = WHY_GAP;
		out->lost += s->whys[kind] == WHY_GAP;
		for (int e = 0; e < MAX_ENGINES; e++) {
			uint64_t *value = &s->instances[e][kind];

			*value = SAMPLE_NONE;
			if (s->whys[kind] != WHY_OK || kind == IRQ || e >= s->n)
				continue;
			if (kind == BUSY)
				*value = busy_ns(s, e, out->window_ns);
			else
				*value = delta(s, kind, e, out->window_ns);
			out->values[kind] += *value;
		}
	}
	if (s->whys[IRQ] == WHY_OK)
		out->values[IRQ] = delta(s, IRQ, 0, out->window_ns);
	out->instances = &s->instances[0][0];
	out->whys = s->whys;
}

static void engines_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct engines *s = (struct engines *)src;

	out->t0_ns = s->window_ns;
	out->t1_ns = now_ns;
	s->window_ns = now_ns;
	if (!s->open || s->failed) {
		out->why = s->open ? WHY_STALE : refused_why(s->refusal.code);
		return;
	}
	/* The window is by the kernel's own clock of the events, which is read with them. */
	out->window_ns = (int64_t)(s->now[BUSY].enabled_ns - s->before[BUSY].enabled_ns);
	out->why = s->collected && out->window_ns > 0 ? WHY_OK : WHY_NOT_YET;
	if (out->why == WHY_OK)
		take_deltas(s, out);
	else
		out->quality |= SAMPLE_PARTIAL;
	memcpy(s->before, s->now, sizeof(s->before));
	s->collected = true;
}

/* Which engines a card has is known only when it is awake, and the feed has as many as were taken
 * for granted before. What it has no place for counts in the sums alone until the device is opened
 * anew. */
static void list_awake(struct engines *s)
{
	if (!s->is_asleep || drm_card_is_asleep(&s->fs, s->card))
		return;
	s->is_asleep = false;
	memset(s->names, 0, sizeof(s->names));
	find_engines(s);
	s->source.rebind = true;
	s->source.reopen = s->n != s->source.feed.n_instances;
}

static bool engines_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct engines *s = (struct engines *)src;

	(void)now_ns;
	close_groups(s);
	list_awake(s);
	if (open_groups(s, &s->refusal))
		return true;
	if (err)
		*err = s->refusal;
	return false;
}

static void engines_close(struct source *src)
{
	close_groups((struct engines *)src);
}

static const struct source_ops engines_ops = {
	.size = sizeof(struct engines),
	.ready = engines_ready, .collect = engines_collect, .retry = engines_retry,
	.close = engines_close,
};

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	char gives[96] = "how long each engine was busy";
	enum intel_driver driver = intel_driver_of(&dev->device);

	if (driver == INTEL_NO_DRIVER || dev->n_sources == DEVICE_MAX_SOURCES)
		return;
	struct engines *s = source_new(&engines_ops);
	s->source.feed = (struct feed){ .name = "engines", .counters = s->counters,
		.n_counters = KINDS, .scope = "engine", .instances = s->names };
	s->fs = *o->fs;
	snprintf(s->card, sizeof(s->card), "%.31s", e->device.id);
	s->is_xe = driver == INTEL_XE;
	s->window_ns = o->now_ns;
	s->is_asleep = drm_card_is_asleep(&s->fs, s->card);
	bool has_pmu = find_pmu(s, &dev->device, &s->refusal);
	if (s->pmu.n_cpus)
		s->cpu = s->pmu.cpus[0];
	if (has_pmu)
		find_engines(s);
	if (s->left_out)
		snprintf(gives, sizeof(gives), "how long each of %d engines was busy, and %d more are not read",
			s->n, s->left_out);
	if (s->n == 0) {
		if (!s->refusal.code)
			err_set(&s->refusal, ERR_UNSUPPORTED, "the PMU '%s' names no engine",
				s->pmu.name);
		open_device_tried(dev, "engines", "engine PMU", gives, &s->refusal);
		source_close(&s->source);
		return;
	}
	open_groups(s, &s->refusal);
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s PMU", dev->device.driver);
	memcpy(s->counters, counters, sizeof(s->counters));
	for (int kind = WAIT; kind < KINDS; kind++)	/* nobody is offered a nameless counter */
		if (s->is_xe || (s->open && !s->groups[kind].n))
			s->counters[kind].name[0] = '\0';
	s->source.feed.n_instances = s->n;
	open_device_tried(dev, "engines", "engine PMU", gives, s->open ? NULL : &s->refusal);
	dev->sources[dev->n_sources++] = &s->source;
}

const struct companion engines_companion = { .name = "engines", .attach = attach };
