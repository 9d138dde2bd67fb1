/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples which EUs hold threads. Each round steers reads to every subslice that is there, one after
 * the other, and gives the steering back.
 *
 * What makes a read worthless is taken care of: a subslice that is fused off or asleep reads as
 * zeros, which would look like work on every EU, and the kernel may steer elsewhere between two of
 * our accesses. The rounds are at uneven distances, so that they do not beat with launches of equal
 * length. The error of a share p after n rounds is sqrt(p (1 - p) / n). */
#include "config.h"

#include "backends/intel/i915/eu_sampler.h"

#include <stdint.h>
#include <string.h>

#include "backends/intel/i915/i915_device.h"

/* The bits of ROW_INSTDONE (Mesa src/intel/genxml: gen9.xml, gen11.xml and gen12.xml): EUs 0 to 3
 * of row 0, then those of row 1; from Gen12 on the second half of the dual subslice comes after
 * them. */
static const uint8_t eu_bits[ROW_INSTDONE_EUS] = { 16, 17, 18, 19, 21, 22, 23, 24, 7, 8, 9, 10, 27,
	28, 29, 30 };

int row_instdone_bit(const struct intel_platform *p, int eu)
{
	int ver = p->graphics_verx10, eus = ver < 120 ? 8 : ROW_INSTDONE_EUS;
	bool is_known = (ver >= 90 && ver < 100) || (ver >= 110 && ver <= 120);

	if (!is_known || eu < 0 || eu >= eus)
		return -1;
	return eu_bits[eu];
}

const struct counter_desc eu_sampler_counters[EU_SAMPLER_COUNTERS] = {
	[EU_SAMPLES] = { "eu_samples", "1", 64, COUNTER_CUMULATIVE },
	[EU_LOADED_SAMPLES] = { "eu_loaded_samples", "1", 64, COUNTER_CUMULATIVE },
};

bool eu_sampler_wanted(const struct metric_set *set)
{
	return metric_set_reads(set, eu_sampler_counters, EU_SAMPLER_COUNTERS);
}

#ifdef HAVE_LIBDRM

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backends/intel/i915/mmio.h"
#include "backends/intel/i915/oa_regs.h"
#include "backends/intel/platform/platform.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"

/* Rounds in a window: 3.5 points of error at a half. */
#define ROUNDS 200
#define ROUND_MIN_NS NS_PER_MS

/* A subslice that is there, and its EUs in the instances. */
struct place {
	uint32_t slice, subslice;
	int first, n;
	uint8_t bits[ROW_INSTDONE_EUS];	/* [n] */
};

struct eu_sampler {
	struct source source;
	struct mmio *mmio;
	struct mmio_guard *guard;
	int forcewake;			/* the kernel's handle, or -1 */
	const struct forcewake_domain *domains;
	struct oa_steering steering;
	struct place places[64];
	int n_places;
	char (*names)[12];		/* [feed.n_instances] */
	uint64_t (*counts)[EU_SAMPLER_COUNTERS];	/* [feed.n_instances], since the last window */
	uint64_t (*shown)[EU_SAMPLER_COUNTERS];		/* [feed.n_instances], of the last window */
	int64_t window_ns, distance_ns;	/* between rounds, on the average */
	uint64_t rounds;
	uint32_t random;
};

/* --- rounds --- */

/* The numbers of xorshift32 (Marsaglia 2003). */
static uint32_t next_random(struct eu_sampler *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 17;
	s->random ^= s->random << 5;
	return s->random;
}

/* The next round is half to one and a half distances away. */
static bool arm(struct eu_sampler *s)
{
	int64_t ns = s->distance_ns / 2 + s->distance_ns * (int64_t)(next_random(s) >> 16) / 65536;

	return clock_timer_set(s->source.fd, ns, 0);
}

static void count(struct eu_sampler *s, const struct place *p, uint32_t done)
{
	for (int i = 0; i < p->n; i++) {
		uint64_t *c = s->counts[p->first + i];

		c[EU_SAMPLES]++;
		c[EU_LOADED_SAMPLES] += !(done >> p->bits[i] & 1);
	}
}

/* Looks at one subslice. Returns false when the kernel has steered elsewhere meanwhile: then nobody
 * knows whose bits were read. */
static bool look(struct eu_sampler *s, const struct place *p, uint32_t before)
{
	const struct oa_steering *st = &s->steering;
	uint32_t there = oa_steering_to(st, before, p->slice, p->subslice);

	mmio_guard_borrow(s->guard, st->address, before, there);
	uint32_t done = mmio_read(s->mmio, ROW_INSTDONE);
	if (mmio_read(s->mmio, st->address) != there)
		return false;
	/* Something is always done: the units of pixels under compute, at least. Zeros are a
	 * subslice without power, and ones are a GPU that is gone. */
	if (done && done != UINT32_MAX)
		count(s, p, done);
	return true;
}

static void look_at_all(struct eu_sampler *s)
{
	uint32_t before = mmio_read(s->mmio, s->steering.address);
	bool undisturbed = before != UINT32_MAX;

	for (int i = 0; i < s->n_places && undisturbed; i++)
		undisturbed = look(s, &s->places[i], before);
	mmio_guard_return(s->guard, s->steering.address);
	s->rounds++;
}

static bool keep_awake(struct eu_sampler *s, struct err *err)
{
	return s->forcewake >= 0 || forcewake_request(s->mmio, s->domains, err);
}

static bool ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct eu_sampler *s = (struct eu_sampler *)src;

	(void)now_ns;
	if (!clock_timer_clear(src->fd))
		return true;	/* it is not time */
	if (!keep_awake(s, err))
		return false;
	look_at_all(s);
	return arm(s) || err_sys(err, "cannot make a timer for looks at EUs");
}

static void collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct eu_sampler *s = (struct eu_sampler *)src;
	size_t bytes = (size_t)src->feed.n_instances * sizeof(*s->counts);

	source_window(out, &s->window_ns, now_ns);
	memcpy(s->shown, s->counts, bytes);
	memset(s->counts, 0, bytes);
	for (int i = 0; i < src->feed.n_instances; i++)
		for (int k = 0; k < EU_SAMPLER_COUNTERS; k++)
			out->values[k] += s->shown[i][k];
	out->instances = s->shown[0];
	out->reports = s->rounds;
	s->rounds = 0;
}

static void sampler_close(struct source *src)
{
	struct eu_sampler *s = (struct eu_sampler *)src;

	mmio_guard_end(s->guard);
	mmio_close(s->mmio);
	driver_close(s->forcewake);
	if (src->fd >= 0)
		close(src->fd);
	free(s->names);
	free(s->counts);
	free(s->shown);
}

/* The next round already comes at the new distance. */
static void retime(struct source *src, int64_t window_ns)
{
	struct eu_sampler *s = (struct eu_sampler *)src;

	s->distance_ns = max_i64(window_ns / ROUNDS, ROUND_MIN_NS);
}

static const struct source_ops ops = {
	.size = sizeof(struct eu_sampler),
	.ready = ready, .collect = collect, .retime = retime, .close = sampler_close,
};

/* --- opening --- */

/* Adds the EUs of a subslice that are there. */
static void add_place(struct eu_sampler *s, const struct intel_platform *p,
	const struct topology *t, int slice, int subslice)
{
	struct place *place = &s->places[s->n_places];
	int n = s->source.feed.n_instances;

	*place = (struct place){ (uint32_t)slice, (uint32_t)subslice, n, 0, { 0 } };
	for (int eu = 0; eu < ROW_INSTDONE_EUS; eu++) {
		int at = row_instdone_bit(p, eu);

		if (at < 0 || !intel_topology_has_eu(t, slice, subslice, eu))
			continue;
		s->names = xreallocarray(s->names, (size_t)n + 1, sizeof(*s->names));
		snprintf(s->names[n++], sizeof(*s->names), "S%uSS%uE%u", (unsigned)slice % 100,
			(unsigned)subslice % 100, (unsigned)eu % 100);
		place->bits[place->n++] = (uint8_t)at;
	}
	s->source.feed.n_instances = n;
	s->n_places += place->n > 0;
}

/* Lists the subslices that are there and that steering can name: no other one is ever looked at. */
static bool add_places(struct eu_sampler *s, const struct device *d, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	uint32_t slice, subslice;
	int at = 0;

	while (oa_steering_next(&s->steering, &d->topology, &at, &slice, &subslice))
		add_place(s, p, &d->topology, (int)slice, (int)subslice);
	if (s->n_places)
		return true;
	if (row_instdone_bit(p, 0) < 0)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: the bits of register %#x, which tell of single EUs, are known for "
			"Gen9, Gen11 and Gen12 only",
			d->id, ROW_INSTDONE);
	return err_set(err, ERR_UNSUPPORTED, "%s: the kernel does not tell which EUs are there",
		d->id);
}

static bool map_registers(struct eu_sampler *s, const char *card, const struct device *d,
	const struct open_options *o, struct err *err)
{
	s->forcewake = forcewake_open_handle(o->fs, card);
	s->mmio = mmio_open(d->pci_address, err);
	if (!s->mmio || !keep_awake(s, err))
		return false;
	s->guard = mmio_guard_start(s->mmio, s->forcewake, err);
	return s->guard;
}

static bool start(struct eu_sampler *s, const struct open_options *o, struct err *err)
{
	retime(&s->source, o->delay_ns);
	s->source.fd = clock_timer_open();
	return (s->source.fd >= 0 && arm(s)) ||
		err_sys(err, "cannot make a timer for looks at EUs");
}

struct source *eu_sampler_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	if (!o->access || strcmp(o->access, "mmio") != 0) {
		err_set(err, ERR_UNSUPPORTED, "%s: single EUs are looked at through registers",
			card);
		err_hint(err, "--access mmio reads registers, as root");
		return NULL;
	}
	if (!mmio_source_possible(d, o->fs, err))
		return NULL;
	struct eu_sampler *s = source_new(&ops);
	s->source.feed = (struct feed){ .name = "eus", .how = "samples of ROW_INSTDONE",
		.counters = eu_sampler_counters, .n_counters = EU_SAMPLER_COUNTERS,
		.scope = "EU" };
	s->forcewake = -1;
	s->domains = forcewake_domains(intel_platform_by_name(d->platform));
	s->steering = oa_reg_set_of(intel_platform_by_name(d->platform))->steering;
	s->window_ns = o->now_ns;
	s->random = (uint32_t)clock_machine_ns() | 1;
	if (add_places(s, d, err) && map_registers(s, card, d, o, err) && start(s, o, err)) {
		size_t n = (size_t)s->source.feed.n_instances;

		s->source.feed.instances = (const char (*)[12])s->names;
		s->counts = xcalloc(n, sizeof(*s->counts));
		s->shown = xcalloc(n, sizeof(*s->shown));
		return &s->source;
	}
	source_close(&s->source);
	return NULL;
}

#else

struct source *eu_sampler_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	(void)card;
	mmio_source_possible(d, o->fs, err);
	return NULL;
}

#endif
