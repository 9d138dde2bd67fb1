/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the engine time of a card's clients, for cards whose driver tells no busy time itself. */
#include "config.h"

#include "backends/card/card.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Classes of engines, as people speak of them. BUSY is the busiest single engine. */
enum { BUSY, GRAPHICS, COMPUTE, COPY, VIDEO, OTHER, ASLEEP, COUNTERS };

static const struct counter_desc counters[COUNTERS] = {
	[BUSY] = { "clients_busy_ns", "ns", 64, COUNTER_CUMULATIVE },
	[GRAPHICS] = { "clients_graphics_ns", "ns", 64, COUNTER_CUMULATIVE },
	[COMPUTE] = { "clients_compute_ns", "ns", 64, COUNTER_CUMULATIVE },
	[COPY] = { "clients_copy_ns", "ns", 64, COUNTER_CUMULATIVE },
	[VIDEO] = { "clients_video_ns", "ns", 64, COUNTER_CUMULATIVE },
	[OTHER] = { "clients_other_ns", "ns", 64, COUNTER_CUMULATIVE },
	[ASLEEP] = { "card_asleep_ms", "ms", 64, COUNTER_CUMULATIVE },
};

/* Names of engines in the fdinfo of drivers (Linux drivers/gpu/drm: amdgpu/amdgpu_fdinfo.c,
 * msm/msm_drv.c, panfrost/panfrost_drv.c, panthor/panthor_drv.c, v3d/v3d_drv.h,
 * xe/xe_hw_engine.c, i915/i915_drm_client.c). */
static const struct {
	const char *name;
	int class;
} engine_classes[] = {
	{ "gfx", GRAPHICS }, { "render", GRAPHICS }, { "rcs", GRAPHICS }, { "gpu", GRAPHICS },
	{ "3d", GRAPHICS }, { "bin", GRAPHICS }, { "fragment", GRAPHICS },
	{ "vertex-tiler", GRAPHICS }, { "panthor", GRAPHICS }, { "compute", COMPUTE },
	{ "ccs", COMPUTE }, { "csd", COMPUTE }, { "dma", COPY }, { "copy", COPY }, { "bcs", COPY },
	{ "tfu", COPY }, { "cache_clean", COPY }, { "dec", VIDEO }, { "enc", VIDEO },
	{ "enc_1", VIDEO }, { "jpeg", VIDEO }, { "vpe", VIDEO }, { "video", VIDEO }, { "vcs", VIDEO },
	{ "video-enhance", VIDEO }, { "vecs", VIDEO },
};

#define CLASS(c) (1u << (c))

/* Drivers that tell engine times, and the classes that they have. Some name an engine only once it
 * has worked (amdgpu), so that its absence beside others means 0. */
static const struct {
	const char *driver;
	unsigned classes;
} telling[] = {
	{ "amdgpu", CLASS(GRAPHICS) | CLASS(COMPUTE) | CLASS(COPY) | CLASS(VIDEO) },
	{ "i915", CLASS(GRAPHICS) | CLASS(COMPUTE) | CLASS(COPY) | CLASS(VIDEO) },
	{ "msm", CLASS(GRAPHICS) },
	{ "panfrost", CLASS(GRAPHICS) },
	{ "panthor", CLASS(GRAPHICS) },
	{ "v3d", CLASS(GRAPHICS) | CLASS(COMPUTE) | CLASS(COPY) | CLASS(OTHER) },
	{ "xe", CLASS(GRAPHICS) | CLASS(COMPUTE) | CLASS(COPY) | CLASS(VIDEO) },
};

/* The scans of one fdinfo source, which both the counters and the list of processes read. */
struct shared {
	struct client_source source;
	struct client_source *inner;
	struct client_table last;
	int64_t scanned_ns;
};

struct busy_source {
	struct source source;
	const struct fsroot *fs;
	char asleep_path[128];
	struct shared *shared;		/* the device's; it is closed after the sources */
	bool tells;			/* the driver is known to tell engine times */
	struct counter_desc counters[COUNTERS];
	uint64_t asleep_ms, asleep_before_ms;
	bool knows_asleep, knew_asleep, scanned;
	int64_t window_ns;
	bool works;
	double share;			/* of the last window that its clients used; NAN: unknown */
	enum why whys[COUNTERS];
	bool (*is_around)(const void *ctx);	/* optional */
	const void *around_ctx;
};

static void shared_scan(struct shared *s, int64_t now_ns)
{
	if (s->scanned_ns == now_ns)
		return;
	s->inner->ops->scan(s->inner, now_ns, &s->last);
	s->scanned_ns = now_ns;
}

/* Both ask at the same tick: the second gets a copy. */
static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct shared *s = (struct shared *)src;

	shared_scan(s, now_ns);
	struct client_row *rows = out->rows;
	size_t cap = out->cap_rows;
	if (cap < s->last.n_rows) {
		rows = xreallocarray(rows, s->last.cap_rows, sizeof(*rows));
		cap = s->last.cap_rows;
	}
	if (s->last.n_rows)
		memcpy(rows, s->last.rows, s->last.n_rows * sizeof(*rows));
	*out = s->last;
	out->rows = rows;
	out->cap_rows = cap;
}

static void close_shared(struct client_source *src)
{
	struct shared *s = (struct shared *)src;

	client_source_close(s->inner);
	free(s->last.rows);
}

static const struct client_source_ops shared_ops = {
	.size = sizeof(struct shared),
	.scan = scan, .close = close_shared,
};

static int class_of(const char *engine)
{
	for (size_t i = 0; i < ARRAY_LEN(engine_classes); i++)
		if (!strcmp(engine_classes[i].name, engine))
			return engine_classes[i].class;
	return OTHER;
}

/* Adds the shares of the window that clients used of each engine. Each engine has one class, and a
 * class has as much as its busiest engine. */
static void add_up(const struct client_table *t, double share[COUNTERS])
{
	for (int e = 0; e < t->n_engines; e++) {
		int class = class_of(t->engines[e]);
		double sum = 0;

		for (size_t i = 0; i < t->n_rows; i++)
			if (!isnan(t->rows[i].busy_pct[e]))
				sum += (double)t->rows[i].busy_pct[e] / 100;
		/* Clients are read one after the other, so the sum may pass the whole. */
		sum = fmin(sum, 1);
		share[class] = fmax(share[class], sum);
		share[BUSY] = fmax(share[BUSY], sum);
	}
}

static bool busy_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct busy_source *s = (struct busy_source *)src;

	(void)now_ns;
	(void)err;
	/* The driver core counts this; reading it wakes nothing. */
	s->knows_asleep = fsroot_read_u64(s->fs, s->asleep_path, &s->asleep_ms, NULL);
	return true;
}

/* Why there is no number although the scan was good. A card that nobody uses is idle, but only
 * where everybody could be seen. */
static enum why why_of(const struct busy_source *s, bool known)
{
	const struct client_table *t = &s->shared->last;

	if (!known)
		return WHY_NOT_YET;
	if (t->n_engines)
		return WHY_OK;
	if (t->n_rows)
		return WHY_UNSUPPORTED;
	if (t->hidden)
		return WHY_PERMISSION;
	return s->tells ? WHY_OK : WHY_NOT_YET;
}

static void busy_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct busy_source *s = (struct busy_source *)src;
	const struct client_table *t = &s->shared->last;
	double share[COUNTERS] = { 0 };
	bool known = s->scanned;

	source_window(out, &s->window_ns, now_ns);
	shared_scan(s->shared, now_ns);
	s->scanned = t->why == WHY_OK;
	add_up(t, share);
	s->works = share[BUSY] > 0;
	for (int i = BUSY; i <= OTHER; i++) {
		out->values[i] = (uint64_t)(share[i] * (double)out->window_ns + 0.5);
		s->whys[i] = t->why;
		if (t->why == WHY_OK)
			s->whys[i] = why_of(s, known);
	}
	s->share = s->whys[BUSY] == WHY_OK ? share[BUSY] : NAN;
	if (s->whys[COMPUTE] == WHY_OK && s->is_around && s->is_around(s->around_ctx))
		s->whys[COMPUTE] = WHY_UNSUPPORTED;
	out->values[ASLEEP] = s->asleep_ms - s->asleep_before_ms;
	s->whys[ASLEEP] = s->knows_asleep ? WHY_OK : WHY_UNSUPPORTED;
	if (s->knows_asleep && !s->knew_asleep)
		s->whys[ASLEEP] = WHY_NOT_YET;
	else if (s->asleep_ms < s->asleep_before_ms)
		s->whys[ASLEEP] = WHY_GAP;	/* a card that was plugged in again */
	s->asleep_before_ms = s->asleep_ms;
	s->knew_asleep = s->knows_asleep;
	out->whys = s->whys;
}

static const struct source_ops busy_ops = {
	.size = sizeof(struct busy_source),
	.ready = busy_ready, .collect = busy_collect,
};

/* Offers the classes that the driver has, or else those of the clients that are there now. */
static void offer(struct busy_source *s, const char *driver)
{
	unsigned classes = CLASS(BUSY) | CLASS(ASLEEP);

	for (size_t i = 0; i < ARRAY_LEN(telling); i++) {
		if (strcmp(telling[i].driver, driver) != 0)
			continue;
		classes |= telling[i].classes;
		s->tells = true;
	}
	for (int e = 0; e < s->shared->last.n_engines; e++)
		classes |= CLASS(class_of(s->shared->last.engines[e]));
	memcpy(s->counters, counters, sizeof(counters));
	for (int i = 0; i < COUNTERS; i++)
		if (!(classes & CLASS(i)))
			s->counters[i].name[0] = '\0';	/* nobody is offered a nameless counter */
}

struct source *card_busy_open(struct open_device *dev, const struct open_options *o)
{
	struct client_source *inner = fdinfo_open(&dev->device, o->fs);
	struct shared *shared = client_source_new(&shared_ops, inner->how);
	struct busy_source *s = source_new(&busy_ops);

	shared->inner = inner;
	shared->scanned_ns = -1;
	dev->clients = &shared->source;
	s->source.feed =
		(struct feed){ .name = "clients", .counters = s->counters, .n_counters = COUNTERS };
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", shared->source.how);
	s->fs = o->fs;
	s->shared = shared;
	s->window_ns = o->now_ns;
	s->share = NAN;
	shared_scan(shared, o->now_ns);
	s->scanned = shared->last.why == WHY_OK;
	offer(s, dev->device.driver);
	snprintf(s->asleep_path, sizeof(s->asleep_path),
		"/sys/class/drm/%.31s/device/power/runtime_suspended_time", dev->device.id);
	s->knew_asleep = fsroot_read_u64(o->fs, s->asleep_path, &s->asleep_before_ms, NULL);
	return &s->source;
}

bool card_busy_works(const struct source *busy)
{
	return ((const struct busy_source *)busy)->works;
}

double card_busy_share(const struct source *busy, int64_t *ended_ns)
{
	const struct busy_source *s = (const struct busy_source *)busy;

	*ended_ns = s->window_ns;
	return s->share;
}

void card_busy_around(struct source *busy, bool (*is_around)(const void *ctx), const void *ctx)
{
	struct busy_source *s = (struct busy_source *)busy;

	s->is_around = is_around;
	s->around_ctx = ctx;
}
