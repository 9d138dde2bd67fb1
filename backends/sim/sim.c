/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file is the simulated device: one model, seen through an OA stream, energy registers and
 * clock gauges. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_records.h"
#include "backends/intel/platform/platform.h"
#include "backends/common/stand_ins.h"
#include "backends/intel/i915/eu_sampler.h"
#include "backends/intel/xe/xe_stall_records.h"
#include "backends/sim/sim_model.h"
#include "backends/sim/sim_vendors.h"
#include "backends/sim/model/oa_unit.h"
#include "backends/sim/model/turns.h"
#include "backends/sim/spec.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "core/value/accum.h"
#include "core/record/record_file.h"
#include "base/strbuf.h"
#include "base/err.h"

/* --- a device without some of its sources --- */

#define SIM_WITHOUT_MAX 8

/* Feeds that are left away. Plain data. */
struct sim_without {
	char names[SIM_WITHOUT_MAX][16];
	int n;
};

#define WORD "without="

/* Takes the words "without=SOURCE" out of a spec; rest has room for all of it. False: err. */
static bool sim_without_take(
	const char *spec, char *rest, size_t size, struct sim_without *out, struct err *err)
{
	size_t used = 0;
	bool began = false;

	*out = (struct sim_without){ .n = 0 };
	*rest = '\0';
	for (const char *next = spec; next; spec = next) {
		size_t len = strcspn(spec, ","), name = len - strlen(WORD);
		bool is_ours = !strncmp(spec, WORD, strlen(WORD));

		next = spec[len] ? spec + len + 1 : NULL;
		if (is_ours &&
			(name == 0 || name >= sizeof(out->names[0]) || out->n == SIM_WITHOUT_MAX)) {
			err_set(err, ERR_USAGE, "'%.*s' names no source of the simulated device",
				(int)len, spec);
			return err_hint(err, "'rooftop doctor' lists the sources of a device");
		}
		if (is_ours) {
			snprintf(out->names[out->n++], sizeof(out->names[0]), "%.*s", (int)name,
				spec + strlen(WORD));
			continue;
		}
		/* Words that are empty stay, too: they are a mistake that others tell. */
		used += (size_t)snprintf(
			rest + used, size - used, "%s%.*s", began ? "," : "", (int)len, spec);
		began = true;
	}
	return true;
}

/* A source as somebody without the right to it has it: it runs, and gives nothing. */
struct closed_source {
	struct source source;
	struct source *inner;
};

static bool closed_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct closed_source *s = (struct closed_source *)src;
	bool good = s->inner->ops->ready(s->inner, now_ns, err);

	s->source.rebind = s->source.rebind || s->inner->rebind;
	s->inner->rebind = false;
	return good;
}

static void closed_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct closed_source *s = (struct closed_source *)src;

	s->inner->ops->collect(s->inner, now_ns, out);
	out->why = WHY_PERMISSION;
	out->half = NULL;
}

static void closed_close(struct source *src)
{
	struct closed_source *s = (struct closed_source *)src;

	source_close(s->inner);
}

static const struct source_ops closed_ops = {
	.size = sizeof(struct closed_source),
	.ready = closed_ready, .collect = closed_collect, .close = closed_close,
};

/* Closes the first source, and those that come the same way. */
static void close_first(struct open_device *dev)
{
	const char *how = dev->sources[0]->feed.how;

	for (int i = 0; i < dev->n_sources; i++) {
		if (i > 0 && (!*how || strcmp(dev->sources[i]->feed.how, how) != 0))
			continue;
		struct closed_source *s = source_new(&closed_ops);
		s->inner = dev->sources[i];
		s->source = *s->inner;
		s->source.ops = &closed_ops;
		dev->sources[i] = &s->source;
	}
}

static bool fail_name(const char *name, const struct open_device *dev, struct err *err)
{
	struct strbuf known = { 0 };

	for (int i = 0; i < dev->n_sources; i++)
		strbuf_add_word(&known, ", ", dev->sources[i]->feed.name);
	err_set(err, ERR_USAGE, "the simulated device has no source '%s'", name);
	err_hint(err, "allowed: %s", strbuf_str(&known));
	strbuf_release(&known);
	return false;
}

/* Closes the sources that are named; the first one, whose windows are the device's, stays and says
 * that it is closed to this user. False with err when a name is none of its sources. */
static bool sim_without_apply(const struct sim_without *w, struct open_device *dev, struct err *err)
{
	for (int k = 0; k < w->n; k++) {
		int i = 0;

		while (i < dev->n_sources && strcmp(dev->sources[i]->feed.name, w->names[k]) != 0)
			i++;
		if (i == dev->n_sources)
			return fail_name(w->names[k], dev, err);
		if (i == 0) {
			close_first(dev);
			continue;
		}
		source_close(dev->sources[i]);
		dev->n_sources--;
		memmove(&dev->sources[i], &dev->sources[i + 1],
			(size_t)(dev->n_sources - i) * sizeof(dev->sources[0]));
	}
	return true;
}

#define RAPL_NS NS_PER_MS
#define RAPL_BITS 32
#define READ_BYTES 65536

/* --- OA --- */

struct oa_source {
	struct sim_source sim;
	struct oa_stream stream;
	struct record_tap tap;
	bool collected;			/* one window is complete */
	int cs_clock_shift;
	int64_t middle_ns;		/* of the last window */
	uint32_t reads;			/* that found reports */
	uint8_t buf[READ_BYTES];
};

static size_t put_status(uint8_t *buf, uint32_t type)
{
	struct rec_header h = { .type = type, .size = sizeof(h) };

	memcpy(buf, &h, sizeof(h));
	return sizeof(h);
}

/* Gives what a driver's read() gives: status first, then whole reports from head to tail. 0 means
 * that nothing is left. */
static size_t read_buffer(struct oa_unit *u, uint8_t *buf, size_t size)
{
	uint32_t bytes = u->c.format->bytes;
	struct rec_header h = { .type = REC_SAMPLE, .size = (uint16_t)(sizeof(h) + bytes) };
	size_t used = 0;

	if (u->status & OA_STATUS_BUFFER_OVERFLOW) {
		oa_unit_reset_buffer(u);
		return put_status(buf, REC_BUFFER_LOST);
	}
	if (u->status & OA_STATUS_REPORT_LOST)
		used = put_status(buf, REC_REPORT_LOST);
	u->status = 0;
	while (oa_unit_waiting(u) >= bytes && used + h.size <= size) {
		memcpy(buf + used, &h, sizeof(h));
		oa_unit_take(u, buf + used + sizeof(h));
		used += h.size;
	}
	return used;
}

static bool oa_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct oa_source *s = (struct oa_source *)src;
	struct oa_unit *u = &s->sim.m->unit;
	uint32_t lost_every = s->sim.m->spec.flaws.lost_every;
	int64_t t = sim_model_time(s->sim.m, now_ns) - s->sim.m->spec.flaws.late_ns;
	size_t len;

	if (t < 0)
		return true;
	oa_unit_advance(u, t);
	if (lost_every && oa_unit_waiting(u) >= 2u * u->c.format->bytes &&
		++s->reads % lost_every == 0)
		oa_unit_lose_reports(u);
	while ((len = read_buffer(u, s->buf, sizeof(s->buf))) > 0) {
		if (s->tap.records)
			s->tap.records(s->tap.ctx, s->buf, len);
		if (!oa_stream_records(&s->stream, s->buf, len, err))
			return false;
	}
	return true;
}

static void oa_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct oa_source *s = (struct oa_source *)src;

	oa_stream_take(&s->stream, out);
	if (s->sim.m->now == &s->sim.m->course)
		out->load_groups = (uint64_t)workload_groups_of_all(
			&s->sim.m->hw, &s->sim.m->spec.load);
	out->t0_ns = s->sim.window_ns;
	out->t1_ns = now_ns;
	if (!s->collected)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = s->collected || out->why == WHY_OK || out->why == WHY_OTHER_CONTEXT ||
		out->why == WHY_LOST;
	s->middle_ns = (s->sim.window_ns + now_ns) / 2;
	s->sim.window_ns = now_ns;
}

static void oa_set_tap(struct source *src, const struct record_tap *tap)
{
	struct oa_source *s = (struct oa_source *)src;

	s->tap = tap ? *tap : (struct record_tap){ 0 };
}

static bool oa_set_pairs(struct source *src, const struct pair_tap *tap)
{
	oa_stream_set_pairs(&((struct oa_source *)src)->stream, tap);
	return true;
}

static bool oa_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	const struct oa_source *s = (const struct oa_source *)src;

	(void)err;
	*cpu_ns = (uint64_t)now_ns;
	*gpu_timestamp = oa_unit_timestamp(&s->sim.m->unit, sim_model_time(s->sim.m, now_ns)) >>
		s->cs_clock_shift;
	return true;
}

/* The status is that of the last window: its end may be the start of another load. */
static void oa_status(struct source *src, char *buf, size_t size)
{
	const struct oa_source *s = (const struct oa_source *)src;
	struct course_state state;

	course_at(s->sim.m->now, sim_model_time(s->sim.m, s->middle_ns), &state);
	snprintf(buf, size, "%s", state.text);
}

static const struct source_ops oa_ops = {
	.size = sizeof(struct oa_source),
	.ready = oa_ready,
	.collect = oa_collect,
	.set_tap = oa_set_tap,
	.set_pairs = oa_set_pairs,
	.correlate = oa_correlate,
	.status = oa_status,
	.close = sim_source_close,
};

/* --- power and clocks: registers read when asked --- */

/* A counter without a name is not offered: a card knows its own planes alone. */
static const struct counter_desc card_counters[] = {
	{ "energy_card_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ .name = "" },
	{ "energy_gpu_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ .name = "" }, { .name = "" }, { .name = "" },
	{ "energy_gpu_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ .name = "" },
	{ "energy_update_us", "us", 64, COUNTER_GAUGE },
};

static const struct counter_desc power_counters[] = {
	{ "energy_package_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "energy_cores_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "energy_gpu_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "energy_dram_uj", "uJ", 64, COUNTER_CUMULATIVE },
	/* These are the same since opening, in the same order. */
	{ "energy_package_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_cores_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_gpu_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_dram_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_update_us", "us", 64, COUNTER_GAUGE },
};

enum {
	FREQ_ACTUAL,
	FREQ_REQUESTED,
	FREQ_RC6,
	FREQ_HELD,
	FREQ_HELD_PL1,
	FREQ_HELD_PL2,
	FREQ_HELD_PL4,
	FREQ_HELD_THERMAL,
	FREQ_HELD_PROCHOT,
	FREQ_LIMIT,
	FREQ_SAMPLES,
	FREQ_SAMPLES_HEAT,
	FREQ_SAMPLES_POWER,
	FREQ_SAMPLES_CURRENT,
	FREQ_SAMPLES_OTHER,
	FREQ_COUNTERS
};

#define FREQ_SAMPLE_KINDS (FREQ_COUNTERS - FREQ_SAMPLES)

static const struct counter_desc freq_counters[FREQ_COUNTERS] = {
	[FREQ_ACTUAL] = { "freq_actual_mhz", "MHz", 32, COUNTER_GAUGE },
	[FREQ_REQUESTED] = { "freq_requested_mhz", "MHz", 32, COUNTER_GAUGE },
	[FREQ_RC6] = { "rc6_us", "us", 64, COUNTER_CUMULATIVE },
	[FREQ_HELD] = { "throttled", "%", 8, COUNTER_GAUGE },
	[FREQ_HELD_PL1] = { "throttled_pl1", "%", 8, COUNTER_GAUGE },
	[FREQ_HELD_PL2] = { "throttled_pl2", "%", 8, COUNTER_GAUGE },
	[FREQ_HELD_PL4] = { "throttled_pl4", "%", 8, COUNTER_GAUGE },
	[FREQ_HELD_THERMAL] = { "throttled_thermal", "%", 8, COUNTER_GAUGE },
	[FREQ_HELD_PROCHOT] = { "throttled_prochot", "%", 8, COUNTER_GAUGE },
	[FREQ_LIMIT] = { "freq_limit_mhz", "MHz", 32, COUNTER_GAUGE },
	[FREQ_SAMPLES] = { "throttle_samples", "number", 64, COUNTER_CUMULATIVE },
	[FREQ_SAMPLES_HEAT] = { "throttle_heat_samples", "number", 64, COUNTER_CUMULATIVE },
	[FREQ_SAMPLES_POWER] = { "throttle_power_samples", "number", 64, COUNTER_CUMULATIVE },
	[FREQ_SAMPLES_CURRENT] = { "throttle_current_samples", "number", 64, COUNTER_CUMULATIVE },
	[FREQ_SAMPLES_OTHER] = { "throttle_other_samples", "number", 64, COUNTER_CUMULATIVE },
};

struct reg_source {
	struct sim_source sim;
	bool collected;
	uint32_t rapl[POWER_PLANES];	/* registers at the last reading */
	uint64_t counts[POWER_PLANES];	/* their sum since opening */
	uint64_t collected_uj[POWER_PLANES];
	uint64_t collected_rc6_us;
	uint64_t held[FREQ_SAMPLE_KINDS];	/* samples of this window, by reason */
	const struct course *course;	/* of the last look at clocks */
};

/* An energy register has 32 bits, is refreshed once a millisecond, and stands somewhere in its
 * range when the model starts. */
static uint32_t rapl_register(const struct sim_model *m, int plane, int64_t t_ns)
{
	uint64_t nj = course_value(
		m->now, (enum quantity)(Q_ENERGY + plane), t_ns / RAPL_NS * RAPL_NS);
	uint64_t den = m->spec.machine.energy_unit_den;
	uint64_t start = m->spec.flaws.wrap ? 0xffffe000u : 0x1000000u;

	return (uint32_t)(start + nj / NS_PER_S * den + nj % NS_PER_S * den / NS_PER_S);
}

static void read_rapl(struct reg_source *s, int64_t now_ns)
{
	for (int i = 0; i < POWER_PLANES; i++) {
		uint32_t now = rapl_register(s->sim.m, i, sim_model_time(s->sim.m, now_ns));

		s->counts[i] += accum_delta(s->rapl[i], now, RAPL_BITS);
		s->rapl[i] = now;
	}
}

static bool power_ready(struct source *src, int64_t now_ns, struct err *err)
{
	(void)err;
	read_rapl((struct reg_source *)src, now_ns);
	return true;
}

static void end_window(struct reg_source *s, int64_t now_ns, struct sample *out)
{
	source_window(out, &s->sim.window_ns, now_ns);
	if (!s->collected)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = true;
}

static void power_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct reg_source *s = (struct reg_source *)src;
	uint64_t den = s->sim.m->spec.machine.energy_unit_den;

	read_rapl(s, now_ns);
	for (int i = 0; i < POWER_PLANES; i++) {
		uint64_t uj = s->counts[i] / den * 1000000 + s->counts[i] % den * 1000000 / den;

		out->values[i] = uj - s->collected_uj[i];
		out->values[POWER_PLANES + i] = uj;
		s->collected_uj[i] = uj;
	}
	out->values[2 * POWER_PLANES] = RAPL_NS / 1000;
	end_window(s, now_ns, out);
}

/* Returns true at every tick: each one is a sample, as a driver's files are looked at. */
static bool freq_ready(struct source *src, int64_t now_ns, struct err *err)
{
	static const int kinds[] = { [CLOCK_BY_HEAT] = FREQ_SAMPLES_HEAT,
		[CLOCK_BY_POWER] = FREQ_SAMPLES_POWER,
		[CLOCK_BY_CURRENT] = FREQ_SAMPLES_CURRENT,
		[CLOCK_BY_SETTING] = 0 };
	struct reg_source *s = (struct reg_source *)src;
	struct course_state state;

	(void)err;
	course_at(s->sim.m->now, sim_model_time(s->sim.m, now_ns), &state);
	if (state.gated)
		return true;
	s->held[0]++;
	if (kinds[state.reason])
		s->held[kinds[state.reason] - FREQ_SAMPLES]++;
	return true;
}

/* Fills in the means of looks, one each second and at least one. Another load has no past in this
 * window. */
static void look_at_clocks(struct reg_source *s, int64_t now_ns, struct sample *out)
{
	const struct course *course = s->sim.m->now;
	int64_t window_ns = now_ns - s->sim.window_ns;
	int64_t n = course == s->course ? (window_ns + NS_PER_S - 1) / NS_PER_S : 1;
	struct course_state state;

	n = max_i64(1, min_i64(n, LOOKS_BACK_MAX));
	for (int64_t i = 1; i <= n; i++) {
		int64_t t_ns = look_time_ns(now_ns, window_ns, i, n);

		course_at(course, sim_model_time(s->sim.m, t_ns), &state);
		if (!state.gated)
			out->values[FREQ_ACTUAL] += state.hz / 1000000;
		out->values[FREQ_REQUESTED] += state.requested_hz / 1000000;
	}
	out->values[FREQ_ACTUAL] /= (uint64_t)n;
	out->values[FREQ_REQUESTED] /= (uint64_t)n;
	s->course = course;
}

static void freq_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct reg_source *s = (struct reg_source *)src;
	struct course_state state;
	uint64_t rc6_us = course_value(s->sim.m->now, Q_RC6_NS, sim_model_time(s->sim.m, now_ns)) /
		1000;

	look_at_clocks(s, now_ns, out);
	course_at(s->sim.m->now, sim_model_time(s->sim.m, now_ns), &state);
	out->values[FREQ_RC6] = rc6_us - s->collected_rc6_us;
	out->values[FREQ_HELD_PL1] = state.reason == CLOCK_BY_POWER ? 100 : 0;
	out->values[FREQ_HELD_PL4] = state.reason == CLOCK_BY_CURRENT ? 100 : 0;
	out->values[FREQ_HELD_THERMAL] = state.reason == CLOCK_BY_HEAT ? 100 : 0;
	out->values[FREQ_HELD] = out->values[FREQ_HELD_PL1] + out->values[FREQ_HELD_PL4] +
		out->values[FREQ_HELD_THERMAL];
	out->values[FREQ_LIMIT] = s->sim.m->spec.machine.max_mhz;
	if (state.reason == CLOCK_BY_SETTING)
		out->values[FREQ_LIMIT] = state.hz / 1000000;
	memcpy(out->values + FREQ_SAMPLES, s->held, sizeof(s->held));
	memset(s->held, 0, sizeof(s->held));
	s->collected_rc6_us = rc6_us;
	end_window(s, now_ns, out);
}

static const struct source_ops power_ops = {
	.size = sizeof(struct reg_source),
	.ready = power_ready, .collect = power_collect, .close = sim_source_close,
};
static const struct source_ops freq_ops = {
	.size = sizeof(struct reg_source),
	.ready = freq_ready, .collect = freq_collect, .close = sim_source_close,
};

/* --- the device --- */

static void add_reg_sources(struct open_device *dev, struct sim_model *m)
{
	static const struct {
		const struct source_ops *ops;
		struct feed feed;
	} kinds[] = {
		{ &power_ops, { .name = "power", .how = "simulated RAPL", .counters = power_counters,
				      .n_counters = (int)ARRAY_LEN(power_counters) } },
		{ &power_ops, { .name = "power", .how = "simulated hwmon", .counters = card_counters,
				      .n_counters = (int)ARRAY_LEN(card_counters) } },
		{ &freq_ops, { .name = "freq", .how = "simulated clock registers",
				     .counters = freq_counters, .n_counters = FREQ_COUNTERS } },
	};

	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		/* Either the processor's planes or the card's. */
		if (k == !device_is_card(&dev->device))
			continue;
		struct reg_source *s = sim_source_new(kinds[k].ops, m);

		s->sim.source.feed = kinds[k].feed;
		for (int i = 0; i < POWER_PLANES; i++)
			s->rapl[i] = rapl_register(m, i, 0);
		dev->sources[dev->n_sources++] = &s->sim.source;
	}
}

/* A counter without a name is not offered. */
static void name_counters(struct oa_source *s)
{
	const struct oa_unit *u = &s->sim.m->unit;

	oa_format_counters(u->c.format, s->stream.counters);
	for (int i = 0; i < s->stream.n_counters; i++)
		if (!oa_unit_counts(u, s->stream.counters[i].name))
			s->stream.counters[i].name[0] = '\0';
}

static bool add_oa_source(
	struct open_device *dev, struct sim_model *m, const struct open_options *o, struct err *err)
{
	struct oa_source *s = sim_source_new(&oa_ops, m);

	if (!oa_stream_init(&s->stream, &dev->device, m->unit.c.graphics_ver, OA_BY_I915, err) ||
		(o->has_context && !oa_stream_set_context(&s->stream, o->context, err))) {
		source_close(&s->sim.source);
		return false;
	}
	dev->stamp_shift = s->cs_clock_shift = intel_cs_clock_shift(
		intel_platform_by_name(dev->device.platform));
	name_counters(s);
	oa_stream_feed(&s->stream, "simulated OA unit", &s->sim.source.feed);
	dev->sources[dev->n_sources++] = &s->sim.source;
	return true;
}

static bool sim_reprogram(
	struct open_device *dev, const struct metric_set *set, int64_t now_ns, struct err *err)
{
	struct oa_source *s = (struct oa_source *)dev->sources[0];
	struct oa_profile p;
	struct sample rest;

	/* All counters of a Mali or of NVIDIA's library run all the time: a set of theirs programs
	 * nothing. */
	if (s->sim.source.ops != &oa_ops)
		return true;
	struct oa_unit *u = &s->sim.m->unit;
	if (!oa_profile_build(&p, set, &dev->device, oa_config_embedded, err))
		return false;
	if (!oa_ready(&s->sim.source, now_ns, err)) {
		oa_profile_release(&p);
		return false;
	}
	oa_unit_switch(u, s->sim.m->now, sim_model_time(s->sim.m, now_ns));
	oa_unit_program(u, p.regs, p.n_regs);
	oa_profile_release(&p);
	name_counters(s);
	oa_stream_take(&s->stream, &rest);
	s->sim.window_ns = now_ns;
	s->collected = false;
	return sim_model_recount(s->sim.m, now_ns, err);
}

static bool wants_looks(const struct open_options *o)
{
	bool wants = eu_sampler_wanted(o->set);

	for (int i = 0; i < o->n_turns; i++)
		wants |= eu_sampler_wanted(o->turns[i]);
	return wants;
}

static bool open_intel(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err)
{
	struct sim_model *m = xcalloc(1, sizeof(*m));
	const struct intel_platform *platform;

	*dev = (struct open_device){ 0 };
	m->users = 1;
	bool good = sim_spec_parse(spec, &m->spec, err) &&
		sim_device(&m->spec.machine, &dev->device, err) &&
		sim_model_start(m, &dev->device, o, err) && add_oa_source(dev, m, o, err);
	if (good) {
		add_reg_sources(dev, m);
		platform = intel_platform_by_name(dev->device.platform);
		if (xe_stall_layout(platform->graphics_verx10)) {
			dev->sources[dev->n_sources++] = sim_stall_open(m);
			open_device_tried(dev, "", "simulated stalls",
				"what EU threads wait for", NULL);
		}
		if (sim_has_flaw(&m->spec, SIM_FLAW_HOT) || sim_has_flaw(&m->spec, SIM_FLAW_HALF_LINK)) {
			dev->sources[dev->n_sources++] = sim_card_open(m, &dev->device);
			open_device_tried(dev, "", "simulated card",
				"temperature and PCIe link", NULL);
		}
		if (m->spec.load.others_bytes_per_s > 0) {
			dev->sources[dev->n_sources++] = sim_traffic_open(m);
			open_device_tried(dev, "", "simulated controllers",
				"bytes to and from memory, by everybody", NULL);
		}
		if (wants_looks(o) && row_instdone_bit(platform, 0) >= 0) {
			dev->sources[dev->n_sources++] = sim_eus_open(m, &dev->device);
			open_device_tried(dev, "", "simulated looks",
				"which EUs hold threads, by samples", NULL);
		}
		dev->runner = sim_runner_new(m, &dev->device);
		dev->clients = sim_clients_open(m);
		if (m->spec.spans.on)
			dev->spans = sim_spans_open(m);
		open_device_tried(dev, "", "simulated OA unit",
			"OA reports: A counters, and the B and C counters whose meaning is known",
			NULL);
		open_device_tried(dev, "", device_is_card(&dev->device) ? "simulated hwmon" : "simulated RAPL",
			device_is_card(&dev->device) ? "energy of card and GPU"
				: "energy of package, cores, GPU and DRAM", NULL);
		open_device_tried(dev, "", "simulated clock",
			"actual and requested clock, RC6 residency", NULL);
	}
	sim_model_drop(m);
	return good;
}

/* Refuses a name that is none, with those of all simulated devices. Returns false. */
static bool load_spec_unknown(const char *spec, struct err *err)
{
	struct strbuf names = { 0 };

	for (int i = 0; i < sim_machine_count; i++)
		strbuf_add_word(&names, ", ", sim_machines[i].name);
	for (int i = 0; i < mali_machine_count; i++)
		strbuf_add_word(&names, ", ", mali_machines[i].name);
	for (int i = 0; i < nvidia_machine_count; i++)
		strbuf_add_word(&names, ", ", nvidia_machines[i].name);
	for (int i = 0; i < amd_machine_count; i++)
		strbuf_add_word(&names, ", ", amd_machines[i].name);
	err_set(err, ERR_USAGE, "no simulated device is called '%.*s'", (int)strcspn(spec, ","), spec);
	err_hint(err, "allowed: %s; 'rooftop -D sim:help' lists their options and loads",
		strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

void sim_card_device(const struct sim_card *c, struct device *d)
{
	*d = (struct device){ .simulated = true,
		.pci_vendor = c->vendor,
		.pci_device = c->pci_device,
		.min_hz = c->min_mhz * UINT64_C(1000000),
		.max_hz = c->max_mhz * UINT64_C(1000000) };
	snprintf(d->id, sizeof(d->id), "sim:%s", c->name);
	snprintf(d->name, sizeof(d->name), "%s", c->model);
	snprintf(d->vendor, sizeof(d->vendor), "%.*s", (int)strcspn(c->model, " "), c->model);
	snprintf(d->driver, sizeof(d->driver), "sim");
	snprintf(d->platform, sizeof(d->platform), "%s", c->platform);
}

static bool resolve_intel(const char *spec, struct device *d, struct err *err)
{
	struct sim_spec s;

	if (!sim_spec_knows(spec))
		return load_spec_unknown(spec, err);
	return sim_spec_parse(spec, &s, err) && sim_device(&s.machine, d, err);
}

/* The last one takes what no other knows. */
static const struct vendor {
	bool (*knows)(const char *spec);
	bool (*resolve)(const char *spec, struct device *d, struct err *err);
	bool (*open)(const char *spec, const struct open_options *o, struct open_device *dev,
		struct err *err);
} vendors[] = {
	{ sim_mali_knows, sim_mali_resolve, sim_mali_open },
	{ sim_nvidia_knows, sim_nvidia_resolve, sim_nvidia_open },
	{ sim_amd_knows, sim_amd_resolve, sim_amd_open },
	{ NULL, resolve_intel, open_intel },
};

static const struct vendor *vendor_of(const char *spec)
{
	const struct vendor *v = vendors;

	while (v->knows && !v->knows(spec))
		v++;
	return v;
}

static bool sim_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	const char *spec = e->spec;
	char rest[sizeof(e->spec)];
	struct sim_without without;

	/* Probed entries carry no spec: their id says which machine they are. */
	if (!*spec)
		spec = e->device.id + strlen("sim:");
	if (!sim_without_take(spec, rest, sizeof(rest), &without, err) ||
		!vendor_of(rest)->open(rest, o, dev, err))
		return false;
	if (!sim_without_apply(&without, dev, err)) {
		open_device_close(dev);
		return false;
	}
	for (int i = 0; i < dev->n_checks; i++)
		snprintf(dev->checks[i].reason, sizeof(dev->checks[i].reason), "%s",
			"simulated: a model answers, not hardware");
	return true;
}

static void add_entry(const struct device *d, const char *spec, struct device_list *out)
{
	struct device_entry *e = device_list_add(out, &sim_backend);

	e->device = *d;
	e->usable = true;
	snprintf(e->spec, sizeof(e->spec), "%s", spec);
}

static bool is_wanted(const struct device_list *l, const char *name)
{
	return !l->simulated || spec_is_of(l->simulated + strlen("sim:"), name);
}

static bool sim_probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	struct device d;

	(void)fs;
	for (int i = 0; i < sim_machine_count; i++) {
		if (!is_wanted(out, sim_machines[i].name))
			continue;
		if (!sim_device(&sim_machines[i], &d, err))
			return false;
		add_entry(&d, "", out);
	}
	for (int i = 0; i < mali_machine_count; i++) {
		if (!is_wanted(out, mali_machines[i].name))
			continue;
		if (!sim_mali_device(&mali_machines[i], &d, err))
			return false;
		add_entry(&d, "", out);
	}
	for (int i = 0; i < nvidia_machine_count; i++) {
		if (!is_wanted(out, nvidia_machines[i].name))
			continue;
		sim_nvidia_device(&nvidia_machines[i], &d);
		add_entry(&d, "", out);
	}
	for (int i = 0; i < amd_machine_count; i++) {
		if (!is_wanted(out, amd_machines[i].name))
			continue;
		sim_amd_device(&amd_machines[i], &d);
		add_entry(&d, "", out);
	}
	return true;
}

static bool sim_resolve(
	const struct fsroot *fs, const char *spec, struct device_list *out, struct err *err)
{
	char rest[sizeof(out->entries->spec)];
	struct sim_without without;
	struct device d;

	(void)fs;
	if (strlen(spec) >= sizeof(rest))
		return err_set(
			err, ERR_USAGE, "the description of the simulated device is too long");
	if (!sim_without_take(spec, rest, sizeof(rest), &without, err) ||
		!vendor_of(rest)->resolve(rest, &d, err))
		return false;
	add_entry(&d, spec, out);
	return true;
}

static void sim_help(struct strbuf *out)
{
	sim_spec_help(out);
	sim_mali_help(out);
	sim_nvidia_help(out);
	sim_amd_help(out);
	strbuf_addf(out, "\n%s\n", "All of them:");
	strbuf_addf(out, "  %-18s  %s\n", "load=A>B@2s",
		"loads one after the other, each for so long, round and round");
	strbuf_addf(out, "  %-18s  %s\n", "without=SOURCE",
		"as on a machine without that source, or without the right to the first one");
}

const struct backend sim_backend = {
	.name = "sim",
	.description = "simulated Intel, Arm Mali, NVIDIA and AMD GPUs",
	.never_by_default = true,
	.probe = sim_probe,
	.resolve = sim_resolve,
	.help = sim_help,
	.open = sim_open,
	.reprogram = sim_reprogram,
};
