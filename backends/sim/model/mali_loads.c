/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loads of the simulated Bifrost GPU, and how long a frame takes. */
#include "config.h"

#include "backends/sim/model/mali_loads.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

/* clang-format off */
static const struct mali_load described[] = {
	{ .name = "idle", .text = "idle: nothing is submitted, the clock is at its minimum",
		.clock = 0 },
	{ .name = "ui", .text = "user interface: few layers, most tiles do not change",
		.clock = 0.4, .active = 0.35, .fragment = 0.7, .other = 0.3, .tiler = 0.08,
		.exec = 0.45, .arithmetic = 0.3, .load_store = 0.1, .texture = 0.55, .varying = 0.2,
		.diverged = 0.01, .pixels = 1.1, .overdraw = 1.6, .early_killed = 0.05,
		.hidden = 0.2, .transparent = 0.5, .partial = 0.04, .unchanged = 0.7,
		.primitives = 0.002, .facing = 0.05, .frustum = 0.02, .coverage = 0.01,
		.read = 0.18, .write = 0.1, .read_miss = 0.5, .write_miss = 0.6,
		.latency = { 55, 25, 10, 5, 3, 2 }, .reads = { 80, 15, 4, 1 },
		.writes = { 88, 9, 2, 1 }, .imbalance = 0.1 },
	{ .name = "geometry",
		.text = "geometry-bound: the tiler culls small triangles by the million, fragments wait",
		.clock = 1, .active = 0.97, .fragment = 0.35, .other = 0.92, .tiler = 0.9,
		.exec = 0.5, .arithmetic = 0.45, .load_store = 0.35, .texture = 0.1,
		.varying = 0.15, .diverged = 0.03, .pixels = 0.4, .overdraw = 1.5,
		.early_killed = 0.2, .hidden = 0.1, .transparent = 0.1, .partial = 0.45,
		.late_killed = 0.01, .unchanged = 0.05, .primitives = 0.12, .facing = 0.46,
		.frustum = 0.12, .coverage = 0.3, .read = 0.4, .write = 0.3, .read_miss = 0.45,
		.write_miss = 0.7, .latency = { 40, 30, 15, 8, 4, 3 }, .reads = { 55, 30, 10, 5 },
		.writes = { 65, 25, 7, 3 }, .imbalance = 0.15 },
	{ .name = "overdraw",
		.text = "fill-bound: many layers lie over each other, pixels are shaded several times",
		.clock = 1, .active = 0.98, .fragment = 0.95, .other = 0.15, .tiler = 0.06,
		.exec = 0.85, .arithmetic = 0.82, .load_store = 0.15, .texture = 0.5,
		.varying = 0.4, .diverged = 0.05, .pixels = 0.8, .overdraw = 6,
		.early_killed = 0.22, .hidden = 0.18, .transparent = 0.6, .partial = 0.08,
		.late_killed = 0.04, .unchanged = 0.02, .primitives = 0.006, .facing = 0.35,
		.frustum = 0.1, .coverage = 0.05, .read = 0.35, .write = 0.2, .read_miss = 0.3,
		.write_miss = 0.5, .latency = { 50, 28, 12, 6, 3, 1 }, .reads = { 60, 28, 9, 3 },
		.writes = { 75, 18, 5, 2 }, .imbalance = 0.12 },
	{ .name = "memory",
		.text = "memory-bound: textures that fit no cache; the read bus is the limit",
		.clock = 1, .active = 0.99, .fragment = 0.97, .other = 0.1, .tiler = 0.03,
		.exec = 0.7, .arithmetic = 0.2, .load_store = 0.1, .texture = 0.75, .varying = 0.15,
		.diverged = 0.01, .pixels = 1, .overdraw = 1.2, .early_killed = 0.05,
		.hidden = 0.03, .transparent = 0.2, .partial = 0.02, .unchanged = 0.01,
		.primitives = 0.002, .facing = 0.3, .frustum = 0.05, .coverage = 0.02, .read = 0.93,
		.write = 0.35, .read_miss = 0.88, .write_miss = 0.8,
		.latency = { 8, 14, 20, 22, 18, 18 }, .reads = { 10, 15, 25, 50 },
		.writes = { 40, 30, 18, 12 }, .imbalance = 0.08 },
	{ .name = "compute",
		.text = "compute-bound: every engine issues; the work groups do not divide by the cores",
		.clock = 1, .active = 1, .other = 1, .exec = 0.8, .arithmetic = 0.94,
		.load_store = 0.3, .diverged = 0.08, .read = 0.25, .write = 0.15, .read_miss = 0.2,
		.write_miss = 0.4, .latency = { 60, 22, 10, 5, 2, 1 }, .reads = { 70, 20, 7, 3 },
		.writes = { 80, 14, 4, 2 }, .imbalance = 0.38 },
};
/* clang-format on */

/* Work of one queue in one frame, in clocks that the pipes of an average core need for it, and in
 * which its threads wait whatever is done. */
struct stage {
	double arithmetic, load_store, texture, varying, wait;
};

/* A frame takes as long as the unit of which it needs the most clocks; its two queues work at the
 * same time, unless they take turns. What the counters show besides is said by look. */
struct mali_frame {
	double pause;			/* clocks from its end to the next one */
	bool turns;
	double tiler, raster;		/* clocks */
	struct stage other, fragment;
	double lookups, read, write;	/* of a slice */
	double memory;			/* beats of both directions that it serves in a clock */
	double uneven;			/* work of the fullest core over the average; 0: 1 */
	struct mali_load look;
};

/* clang-format off */
static const struct mali_frame frames[] = {
	{ .tiler = 100, .raster = 30, .other = { .arithmetic = 40, .load_store = 25 },
		.fragment = { .arithmetic = 25, .texture = 10, .varying = 8, .wait = 10 },
		.read = 30, .write = 20, .memory = 1.6,
		.look = { .name = "triangles",
			.text = "many small triangles: the tiler looks at half of them in vain",
			.diverged = 0.02, .pixels = 0.4, .overdraw = 1.3, .early_killed = 0.1,
			.hidden = 0.05, .transparent = 0.1, .partial = 0.2, .primitives = 0.15,
			.facing = 0.5, .frustum = 0.1, .coverage = 0.1, .read_miss = 0.4,
			.write_miss = 0.6 } },
	{ .tiler = 40, .raster = 60, .other = { .arithmetic = 10, .load_store = 10 },
		.fragment = { .arithmetic = 100, .texture = 40, .varying = 30 },
		.read = 25, .write = 15, .memory = 1.6,
		.look = { .name = "slivers",
			.text = "triangles of a pixel or two: most quads are shaded for less than four pixels",
			.diverged = 0.02, .pixels = 0.6, .overdraw = 1.2, .early_killed = 0.05,
			.hidden = 0.05, .transparent = 0.1, .partial = 0.7, .primitives = 0.08,
			.facing = 0.1, .frustum = 0.05, .coverage = 0.2, .read_miss = 0.3,
			.write_miss = 0.6 } },
	{ .tiler = 5, .raster = 70, .other = { .arithmetic = 5, .load_store = 4 },
		.fragment = { .arithmetic = 120, .texture = 60, .varying = 45 },
		.read = 30, .write = 20, .memory = 1.6,
		.look = { .name = "layers",
			.text = "layers over layers, drawn from back to front: each pixel is shaded 3.6 times",
			.diverged = 0.02, .pixels = 0.8, .overdraw = 4, .early_killed = 0.05,
			.hidden = 0.05, .transparent = 0.7, .partial = 0.05, .primitives = 0.004,
			.facing = 0.1, .frustum = 0.05, .coverage = 0.02, .read_miss = 0.3,
			.write_miss = 0.5 } },
	{ .tiler = 5, .raster = 40, .other = { .arithmetic = 5, .load_store = 4 },
		.fragment = { .arithmetic = 35, .texture = 110, .varying = 30 },
		.read = 40, .write = 20, .memory = 1.6,
		.look = { .name = "filters",
			.text = "trilinear filters on every surface: the texture units are the limit",
			.pixels = 0.8, .overdraw = 1.4, .early_killed = 0.1, .hidden = 0.1,
			.transparent = 0.1, .partial = 0.04, .primitives = 0.004, .facing = 0.1,
			.frustum = 0.05, .coverage = 0.02, .read_miss = 0.3, .write_miss = 0.5 } },
	{ .tiler = 8, .raster = 40, .other = { .arithmetic = 5, .load_store = 4 },
		.fragment = { .arithmetic = 40, .texture = 35, .varying = 105 },
		.read = 30, .write = 20, .memory = 1.6,
		.look = { .name = "varyings",
			.text = "many interpolated values for each fragment: the varying units are the limit",
			.pixels = 0.8, .overdraw = 1.3, .early_killed = 0.1, .hidden = 0.1,
			.transparent = 0.1, .partial = 0.04, .primitives = 0.006, .facing = 0.1,
			.frustum = 0.05, .coverage = 0.02, .read_miss = 0.3, .write_miss = 0.5 } },
	{ .other = { .arithmetic = 30, .load_store = 100 }, .read = 30, .write = 25, .memory = 1.6,
		.look = { .name = "scatter",
			.text = "compute that stores single words: the load/store units are the limit",
			.read_miss = 0.2, .write_miss = 0.4 } },
	{ .other = { .arithmetic = 100, .load_store = 30 }, .read = 25, .write = 15, .memory = 1.6,
		.uneven = 1.23,
		.look = { .name = "uneven",
			.text = "compute whose work-groups do not divide by the cores: some finish early",
			.diverged = 0.02, .read_miss = 0.2, .write_miss = 0.4 } },
	{ .tiler = 5, .raster = 40, .other = { .arithmetic = 5, .load_store = 4 },
		.fragment = { .arithmetic = 30, .texture = 45, .varying = 20, .wait = 25 },
		.read = 60, .write = 30, .memory = 0.7,
		.look = { .name = "dram",
			.text = "memory that is slower than the bus: it does not take what is asked for",
			.pixels = 0.8, .overdraw = 1.3, .early_killed = 0.1, .hidden = 0.1,
			.transparent = 0.1, .partial = 0.04, .primitives = 0.004, .facing = 0.1,
			.frustum = 0.05, .coverage = 0.02, .read_miss = 0.7, .write_miss = 0.7 } },
	{ .tiler = 5, .raster = 40, .other = { .arithmetic = 5, .load_store = 4 },
		.fragment = { .arithmetic = 30, .texture = 25, .varying = 20, .wait = 10 },
		.read = 30, .write = 105, .memory = 1.9,
		.look = { .name = "blits",
			.text = "whole pictures are written again and again: the write bus is the limit",
			.pixels = 1.5, .overdraw = 1, .primitives = 0.001, .read_miss = 0.5,
			.write_miss = 0.9 } },
	{ .other = { .arithmetic = 12, .load_store = 10, .wait = 100 }, .read = 12, .write = 4,
		.memory = 1.6,
		.look = { .name = "pointers",
			.text = "compute that follows pointers: every load waits for the one before",
			.diverged = 0.1, .read_miss = 0.8, .write_miss = 0.5,
			.latency = { 5, 10, 15, 20, 20, 30 } } },
	{ .turns = true, .tiler = 60, .raster = 50,
		.other = { .arithmetic = 35, .load_store = 25, .wait = 20 },
		.fragment = { .arithmetic = 45, .texture = 35, .varying = 20, .wait = 20 },
		.read = 30, .write = 20, .memory = 1.6,
		.look = { .name = "turns",
			.text = "each pass waits for the one before: vertices and fragments take turns",
			.pixels = 0.5, .overdraw = 1.3, .early_killed = 0.1, .hidden = 0.1,
			.transparent = 0.1, .partial = 0.05, .primitives = 0.02, .facing = 0.1,
			.frustum = 0.05, .coverage = 0.02, .read_miss = 0.3, .write_miss = 0.5 } },
	{ .pause = 110, .tiler = 20, .raster = 40, .other = { .arithmetic = 20, .load_store = 10 },
		.fragment = { .arithmetic = 80, .texture = 50, .varying = 20 },
		.read = 30, .write = 20, .memory = 1.6,
		.look = { .name = "vsync",
			.text = "a frame is done early and the next one begins with the display",
			.pixels = 0.8, .overdraw = 1.4, .early_killed = 0.1, .hidden = 0.1,
			.transparent = 0.1, .partial = 0.05, .primitives = 0.01, .facing = 0.1,
			.frustum = 0.05, .coverage = 0.02, .read_miss = 0.3, .write_miss = 0.5 } },
	{ .tiler = 20, .raster = 100, .other = { .arithmetic = 10, .load_store = 5 },
		.fragment = { .arithmetic = 30, .texture = 25, .varying = 15 },
		.read = 30, .write = 20, .memory = 1.6,
		.look = { .name = "fill",
			.text = "large surfaces of a shader that does next to nothing: the cores wait for fragments",
			.pixels = 3.2, .overdraw = 1.5, .early_killed = 0.3, .hidden = 0.1,
			.transparent = 0.1, .partial = 0.02, .primitives = 0.002, .facing = 0.1,
			.frustum = 0.05, .coverage = 0.02, .read_miss = 0.3, .write_miss = 0.5 } },
	{ .tiler = 5, .raster = 40, .other = { .arithmetic = 5, .load_store = 4 },
		.fragment = { .arithmetic = 40, .texture = 60, .varying = 20, .wait = 20 },
		.lookups = 105, .read = 15, .write = 10, .memory = 1.6,
		.look = { .name = "lookups",
			.text = "textures that fit the L2 and nothing before it: the L2 answers in every clock",
			.pixels = 0.8, .overdraw = 1.3, .early_killed = 0.1, .hidden = 0.1,
			.transparent = 0.1, .partial = 0.04, .primitives = 0.004, .facing = 0.1,
			.frustum = 0.05, .coverage = 0.02, .read_miss = 0.2, .write_miss = 0.3 } },
};
/* clang-format on */

const int mali_tour_count = (int)ARRAY_LEN(described);
const int mali_load_count = (int)(ARRAY_LEN(described) + ARRAY_LEN(frames));

/* --- time --- */

#define NOTHING 1e-6	/* what is left of a part that is taken away */

static double left(unsigned less, enum mali_part part, double clocks)
{
	return less & 1u << part ? clocks * NOTHING : clocks;
}

/* Returns how often a pixel is shaded. */
static double shaded(const struct mali_load *l)
{
	return l->overdraw * (1 - l->early_killed - l->hidden);
}

/* Fragments are fewer where each pixel is shaded once, and where no quad has threads in vain; of a
 * partial quad they are a half on average. */
static double fragments(const struct mali_frame *f, unsigned less)
{
	double n = 1;

	if (less & 1u << MALI_OVERDRAW && shaded(&f->look) > 1)
		n /= shaded(&f->look);
	if (less & 1u << MALI_PARTIAL)
		n *= 1 - f->look.partial / 2;
	return n;
}

static struct stage stage_of(const struct stage *s, double times, unsigned less)
{
	return (struct stage){
		.arithmetic = left(less, MALI_ARITHMETIC, s->arithmetic * times),
		.load_store = left(less, MALI_LOAD_STORE, s->load_store * times),
		.texture = left(less, MALI_TEXTURE, s->texture * times),
		.varying = left(less, MALI_VARYING, s->varying * times),
		.wait = left(less, MALI_LATENCY, s->wait),
	};
}

static double pipes(const struct stage *s)
{
	return fmax(fmax(s->arithmetic, s->load_store), fmax(s->texture, s->varying));
}

/* Everything that a frame needs, in clocks. */
struct need {
	struct stage other, fragment, both;
	double uneven, tiler;
	double other_clocks, fragment_clocks;	/* of each queue by itself */
	double stages, buses, memory;		/* of both queues; of the buses and what is behind */
	double clocks;				/* of all of it */
};

static struct need need_of(const struct mali_frame *f, unsigned less)
{
	struct need n = { .uneven = f->uneven > 0 && !(less & 1u << MALI_UNEVEN) ? f->uneven : 1 };

	n.other = stage_of(&f->other, 1, less);
	n.fragment = stage_of(&f->fragment, fragments(f, less), less);
	n.both = (struct stage){ .arithmetic = n.other.arithmetic + n.fragment.arithmetic,
		.load_store = n.other.load_store + n.fragment.load_store,
		.texture = n.other.texture + n.fragment.texture,
		.varying = n.other.varying + n.fragment.varying };
	n.tiler = left(less, MALI_TILER, f->tiler);
	if (less & 1u << MALI_FACING)
		n.tiler *= 1 - f->look.facing;
	n.other_clocks = fmax(n.tiler, pipes(&n.other) * n.uneven + n.other.wait);
	n.fragment_clocks = fmax(left(less, MALI_RASTER, f->raster),
		pipes(&n.fragment) * n.uneven + n.fragment.wait);
	n.stages = fmax(fmax(n.other_clocks, n.fragment_clocks), pipes(&n.both) * n.uneven);
	if (f->turns && !(less & 1u << MALI_TURNS))
		n.stages = n.other_clocks + n.fragment_clocks;
	n.memory = left(less, MALI_MEMORY, (f->read + f->write) / f->memory);
	n.buses = fmax(fmax(left(less, MALI_READ_BUS, f->read), left(less, MALI_WRITE_BUS, f->write)),
		fmax(left(less, MALI_L2_LOOKUPS, f->lookups), n.memory));
	n.clocks = fmax(n.stages, n.buses);
	return n;
}

double mali_frame_active(const struct mali_frame *f, unsigned less)
{
	return need_of(f, less).clocks;
}

double mali_frame_clocks(const struct mali_frame *f, unsigned less)
{
	return mali_frame_active(f, less) + left(less, MALI_PAUSE, f->pause);
}

/* --- what the counters show of it --- */

/* The fuller the memory, the longer reads take and the more of them are under way. */
static void fill_histograms(struct mali_load *l, double use)
{
	static const struct mali_load seen[] = {
		{ .latency = { 55, 25, 10, 5, 3, 2 }, .reads = { 70, 20, 7, 3 }, .writes = { 80, 14, 4, 2 } },
		{ .latency = { 25, 25, 20, 14, 8, 8 }, .reads = { 35, 30, 20, 15 }, .writes = { 50, 30, 12, 8 } },
		{ .latency = { 3, 7, 12, 16, 20, 42 }, .reads = { 5, 10, 20, 65 }, .writes = { 25, 25, 25, 25 } },
	};
	const struct mali_load *s = &seen[(use > 0.6) + (use > 0.9)];

	if (!l->latency[5])
		memcpy(l->latency, s->latency, sizeof(l->latency));
	memcpy(l->reads, s->reads, sizeof(l->reads));
	memcpy(l->writes, s->writes, sizeof(l->writes));
}

/* Clocks in which an average core holds work. */
static double holds_work(const struct stage *s)
{
	return pipes(s) + s->wait;
}

static struct mali_load load_of(const struct mali_frame *f)
{
	struct need n = need_of(f, 0);
	struct mali_load l = f->look;
	/* a queue is busy while its work waits for buses and memory */
	double longest = f->turns ? n.stages : fmax(n.other_clocks, n.fragment_clocks);
	double exec = (holds_work(&n.other) + holds_work(&n.fragment)) / n.stages;

	l.clock = 1;
	l.active = n.clocks / mali_frame_clocks(f, 0);
	l.fragment = n.fragment_clocks / longest;
	l.other = n.other_clocks / longest;
	l.tiler = n.tiler / n.clocks;
	l.exec = fmin(exec, 1 / n.uneven);
	l.arithmetic = n.both.arithmetic / n.clocks / l.exec;
	l.load_store = n.both.load_store / n.clocks / l.exec;
	l.texture = n.both.texture / n.clocks / l.exec;
	l.varying = n.both.varying / n.clocks / l.exec;
	l.imbalance = 2 * (1 - 1 / n.uneven);
	l.read = f->read / n.clocks;
	l.write = f->write / n.clocks;
	l.memory = n.memory / n.clocks;
	if (f->lookups > 0)
		l.snoops = f->lookups / n.clocks -
			(l.read / l.read_miss + l.write / l.write_miss) * 0.97 / 4;
	fill_histograms(&l, fmax(l.memory, fmax(l.read, l.write)));
	return l;
}

struct mali_load mali_load_nth(int i)
{
	return i < mali_tour_count ? described[i] : load_of(&frames[i - mali_tour_count]);
}

const struct mali_frame *mali_frame_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(frames); i++) {
		if (!strcmp(frames[i].look.name, name))
			return &frames[i];
	}
	return NULL;
}
