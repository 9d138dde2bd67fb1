/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated device: one model, seen through an OA stream, energy registers and clock gauges. */
#include "config.h"

#include "backends/sim/sim.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_records.h"
#include "backends/intel/oa/oa_timer.h"
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_stall_records.h"
#include "backends/sim/sim_clients.h"
#include "backends/sim/sim_model.h"
#include "backends/sim/sim_mali.h"
#include "backends/sim/model/oa_unit.h"
#include "backends/sim/spec.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "core/accum.h"
#include "core/recfile.h"

#define WRAP_NS (300 * NS_PER_MS)
#define RAPL_NS NS_PER_MS
#define RAPL_BITS 32
#define READ_BYTES 65536

void model_drop(struct model *m)
{
	if (--m->users > 0)
		return;
	oa_unit_release(&m->unit);
	course_release(&m->course);
	course_release(&m->job);
	free(m);
}

static bool build_course(
	struct model *m, struct course *cs, const struct workload_options *load, struct err *err)
{
	cs->jitter_pct = m->spec.flaws.jitter_pct;
	cs->seed = load->seed;
	if (!workload_build(cs, &m->hw, load, oa_unit_select, &m->unit, err)) {
		course_release(cs);
		return false;
	}
	course_seal(cs);
	return true;
}

bool model_switch(
	struct model *m, const struct workload_options *load, int64_t now_ns, struct err *err)
{
	int64_t t_ns = model_time(m, now_ns);
	struct course job = { 0 };

	assert(!load || m->now == &m->course);
	if (load && !build_course(m, &job, load, err))
		return false;
	course_take_over(load ? &job : &m->course, m->now, t_ns, load != NULL);
	if (load) {
		m->job = job;
		m->job_load = *load;
	}
	m->now = load ? &m->job : &m->course;
	oa_unit_switch(&m->unit, m->now, t_ns);
	if (!load)
		course_release(&m->job);
	return true;
}

/* --- OA --- */

struct oa_source {
	struct source source;
	struct model *m;
	struct oa_stream stream;
	struct record_tap tap;
	/* where the window being gathered began, by the app's clock */
	int64_t window_ns;
	bool collected;			/* one window is complete */
	uint32_t reads;			/* that found reports */
	uint8_t buf[READ_BYTES];
};

static size_t put_status(uint8_t *buf, uint32_t type)
{
	struct rec_header h = { .type = type, .size = sizeof(h) };

	memcpy(buf, &h, sizeof(h));
	return sizeof(h);
}

static size_t put_sample(struct oa_unit *u, uint8_t *buf)
{
	struct rec_header h = { .type = REC_SAMPLE,
		.size = (uint16_t)(sizeof(h) + u->c.format->bytes) };

	memcpy(buf, &h, sizeof(h));
	oa_unit_take(u, buf + sizeof(h));
	return h.size;
}

/* What a driver's read() gives: status first, then whole reports from head to tail. 0: nothing is
 * left. */
static size_t read_buffer(struct oa_unit *u, uint8_t *buf, size_t size)
{
	uint32_t bytes = u->c.format->bytes;
	size_t used = 0;

	if (u->status & OA_STATUS_BUFFER_OVERFLOW) {
		oa_unit_reset_buffer(u);
		return put_status(buf, REC_BUFFER_LOST);
	}
	if (u->status & OA_STATUS_REPORT_LOST)
		used = put_status(buf, REC_REPORT_LOST);
	u->status = 0;
	while (oa_unit_waiting(u) >= bytes && used + sizeof(struct rec_header) + bytes <= size)
		used += put_sample(u, buf + used);
	return used;
}

static bool loses_now(struct oa_source *s)
{
	const struct oa_unit *u = &s->m->unit;
	uint32_t every = s->m->spec.flaws.lost_every;

	if (!every || oa_unit_waiting(u) < 2u * u->c.format->bytes)
		return false;
	return ++s->reads % every == 0;
}

static bool oa_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct oa_source *s = (struct oa_source *)src;
	int64_t t = model_time(s->m, now_ns) - s->m->spec.flaws.late_ns;
	size_t len;

	if (t < 0)
		return true;
	oa_unit_advance(&s->m->unit, t);
	if (loses_now(s))
		oa_unit_lose_reports(&s->m->unit);
	while ((len = read_buffer(&s->m->unit, s->buf, sizeof(s->buf))) > 0) {
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
	out->t0_ns = s->window_ns;
	out->t1_ns = now_ns;
	if (!s->collected)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = s->collected || out->why == WHY_OK || out->why == WHY_OTHER_CONTEXT;
	s->window_ns = now_ns;
}

static void oa_set_tap(struct source *src, const struct record_tap *tap)
{
	struct oa_source *s = (struct oa_source *)src;

	s->tap = tap ? *tap : (struct record_tap){ 0 };
}

static bool oa_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	const struct oa_source *s = (const struct oa_source *)src;

	(void)err;
	*cpu_ns = (uint64_t)now_ns;
	*gpu_timestamp = oa_unit_timestamp(&s->m->unit, model_time(s->m, now_ns));
	return true;
}

/* By the time of the last window: status has no clock of its own. */
static void oa_status(struct source *src, char *buf, size_t size)
{
	const struct oa_source *s = (const struct oa_source *)src;
	struct course_state state;

	course_at(s->m->now, model_time(s->m, s->window_ns), &state);
	snprintf(buf, size, "%s", state.text);
}

static void oa_close(struct source *src)
{
	struct oa_source *s = (struct oa_source *)src;

	model_drop(s->m);
	free(s);
}

static const struct source_ops oa_ops = {
	.ready = oa_ready,
	.collect = oa_collect,
	.set_tap = oa_set_tap,
	.correlate = oa_correlate,
	.status = oa_status,
	.close = oa_close,
};

/* --- power and clocks: registers read when asked --- */

static const struct counter_desc power_counters[] = {
	{ "energy_package_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "energy_cores_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "energy_gpu_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "energy_dram_uj", "uJ", 64, COUNTER_CUMULATIVE },
	/* the same since opening, in the same order */
	{ "energy_package_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_cores_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_gpu_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_dram_total_uj", "uJ", 64, COUNTER_TOTAL },
	{ "energy_update_us", "us", 64, COUNTER_GAUGE },
};

enum { FREQ_ACTUAL, FREQ_REQUESTED, FREQ_RC6, FREQ_COUNTERS };

static const struct counter_desc freq_counters[FREQ_COUNTERS] = {
	[FREQ_ACTUAL] = { "freq_actual_mhz", "MHz", 32, COUNTER_GAUGE },
	[FREQ_REQUESTED] = { "freq_requested_mhz", "MHz", 32, COUNTER_GAUGE },
	[FREQ_RC6] = { "rc6_us", "us", 64, COUNTER_CUMULATIVE },
};

struct reg_source {
	struct source source;
	struct model *m;
	int64_t window_ns;
	bool collected;
	uint32_t rapl[POWER_PLANES];	/* registers at the last reading */
	uint64_t counts[POWER_PLANES];	/* their sum since opening */
	uint64_t collected_uj[POWER_PLANES];
	uint64_t collected_rc6_us;
};

/* An energy register: 32 bits, refreshed once a millisecond, somewhere in its range when the model
 * starts. */
static uint32_t rapl_register(const struct model *m, int plane, int64_t t_ns)
{
	uint64_t nj = course_value(
		m->now, (enum quantity)(Q_ENERGY + plane), t_ns / RAPL_NS * RAPL_NS);
	uint64_t den = m->spec.machine->energy_unit_den;
	uint64_t start = m->spec.flaws.wrap ? 0xffffe000u : 0x1000000u;

	return (uint32_t)(start + nj / NS_PER_S * den + nj % NS_PER_S * den / NS_PER_S);
}

static void read_rapl(struct reg_source *s, int64_t now_ns)
{
	for (int i = 0; i < POWER_PLANES; i++) {
		uint32_t now = rapl_register(s->m, i, model_time(s->m, now_ns));

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
	out->why = now_ns > s->window_ns ? WHY_OK : WHY_NOT_YET;
	out->t0_ns = s->window_ns;
	out->t1_ns = now_ns;
	out->window_ns = now_ns - s->window_ns;
	out->reports = 1;
	if (!s->collected)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = true;
	s->window_ns = now_ns;
}

static void power_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct reg_source *s = (struct reg_source *)src;
	uint64_t den = s->m->spec.machine->energy_unit_den;

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

static bool freq_ready(struct source *src, int64_t now_ns, struct err *err)
{
	(void)src;
	(void)now_ns;
	(void)err;
	return true;
}

static void freq_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct reg_source *s = (struct reg_source *)src;
	struct course_state state;
	uint64_t rc6_us = course_value(s->m->now, Q_RC6_NS, model_time(s->m, now_ns)) / 1000;

	course_at(s->m->now, model_time(s->m, now_ns), &state);
	out->values[FREQ_ACTUAL] = state.gated ? 0 : state.hz / 1000000;
	out->values[FREQ_REQUESTED] = state.requested_hz / 1000000;
	out->values[FREQ_RC6] = rc6_us - s->collected_rc6_us;
	s->collected_rc6_us = rc6_us;
	end_window(s, now_ns, out);
}

static void reg_close(struct source *src)
{
	struct reg_source *s = (struct reg_source *)src;

	model_drop(s->m);
	free(s);
}

static const struct source_ops power_ops = {
	.ready = power_ready, .collect = power_collect, .close = reg_close
};
static const struct source_ops freq_ops = {
	.ready = freq_ready, .collect = freq_collect, .close = reg_close
};

/* --- the device --- */

static void add_source(struct open_device *dev, struct source *s, const char *name, const char *how,
	const struct counter_desc *counters, int n)
{
	snprintf(s->feed.name, sizeof(s->feed.name), "%s", name);
	snprintf(s->feed.how, sizeof(s->feed.how), "%s", how);
	s->feed.counters = counters;
	s->feed.n_counters = n;
	s->fd = -1;
	s->priv = s;
	dev->sources[dev->n_sources++] = s;
}

static void add_reg_source(struct open_device *dev, struct model *m, const struct source_ops *ops,
	const char *name, const char *how, const struct counter_desc *counters, int n)
{
	struct reg_source *s = xcalloc(1, sizeof(*s));

	s->source.ops = ops;
	s->m = m;
	s->window_ns = m->opened_ns;
	m->users++;
	for (int i = 0; i < POWER_PLANES; i++)
		s->rapl[i] = rapl_register(m, i, 0);
	add_source(dev, &s->source, name, how, counters, n);
}

/* A nameless counter is offered to nobody. */
static void name_counters(struct oa_source *s)
{
	const struct oa_unit *u = &s->m->unit;

	oa_format_counters(u->c.format, s->stream.counters);
	for (int i = 0; i < s->stream.n_counters; i++)
		if (!oa_unit_counts(u, s->stream.counters[i].name))
			s->stream.counters[i].name[0] = '\0';
}

static bool add_oa_source(
	struct open_device *dev, struct model *m, const struct open_options *o, struct err *err)
{
	struct oa_source *s = xcalloc(1, sizeof(*s));

	if (!oa_stream_init(&s->stream, &dev->device, m->unit.c.graphics_ver, err)) {
		free(s);
		return false;
	}
	if (o->has_context)
		oa_stream_set_context(&s->stream, o->context);
	s->source.ops = &oa_ops;
	s->m = m;
	s->window_ns = m->opened_ns;
	m->users++;
	name_counters(s);
	add_source(dev, &s->source, "oa", N_("simulated OA unit"), s->stream.counters,
		s->stream.n_counters);
	return true;
}

static void drop_by_clients(void *ctx)
{
	model_drop(ctx);
}

static void add_clients(struct open_device *dev, struct model *m)
{
	m->users++;
	dev->clients = sim_clients_open(
		&m->course, m->opened_ns, m->spec.load.load, drop_by_clients, m);
}

static bool program_unit(struct oa_unit *u, const struct metric_set *set, struct err *err)
{
	struct oa_profile p;

	if (!set)
		return true;
	if (!oa_profile_build(&p, set, u->c.graphics_ver, oa_config_embedded, NULL, err))
		return false;
	oa_unit_program(u, p.regs, p.n_regs);
	oa_profile_release(&p);
	return true;
}

static bool model_start(
	struct model *m, const struct device *d, const struct open_options *o, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct oa_unit_config c = oa_unit_config_of(d, p);
	int exponent = oa_timer_exponent(
		o->oa_period_ns, o->delay_ns, d->timestamp_hz, d->max_hz, c.format->bytes);

	c.clock_reports = m->spec.load.walk;
	m->opened_ns = o->now_ns;
	m->hw = sim_hardware(m->spec.machine, d);
	if (!oa_unit_init(&m->unit, &c, err) || !program_unit(&m->unit, o->set, err)
		|| !build_course(m, &m->course, &m->spec.load, err))
		return false;
	m->now = &m->course;
	oa_unit_attach(&m->unit, m->now);
	oa_unit_enable(&m->unit, 0, exponent, m->spec.flaws.wrap ? WRAP_NS : 0);
	return true;
}

/* The same loads, seen with the events that the unit counts now. */
static bool recount(struct model *m, int64_t now_ns, struct err *err)
{
	struct course base = { 0 }, job = { 0 };
	bool has_job = m->now == &m->job;

	if (!build_course(m, &base, &m->spec.load, err) ||
		(has_job && !build_course(m, &job, &m->job_load, err))) {
		course_release(&base);
		return false;
	}
	course_continue(has_job ? &job : &base, m->now, model_time(m, now_ns));
	course_release(&m->course);
	course_release(&m->job);
	m->course = base;
	m->job = job;
	oa_unit_attach(&m->unit, m->now);
	return true;
}

static bool sim_reprogram(
	struct open_device *dev, const struct metric_set *set, int64_t now_ns, struct err *err)
{
	struct oa_source *s = (struct oa_source *)dev->sources[0];
	struct oa_unit *u = &s->m->unit;
	struct oa_profile p;
	struct sample rest;

	if (!oa_profile_build(&p, set, u->c.graphics_ver, oa_config_embedded, NULL, err))
		return false;
	if (!oa_ready(&s->source, now_ns, err)) {
		oa_profile_release(&p);
		return false;
	}
	oa_unit_switch(u, s->m->now, model_time(s->m, now_ns));
	oa_unit_program(u, p.regs, p.n_regs);
	oa_profile_release(&p);
	name_counters(s);
	oa_stream_take(&s->stream, &rest);
	s->window_ns = now_ns;
	s->collected = false;
	return recount(s->m, now_ns, err);
}

static void add_check(struct open_device *dev, const char *source, const char *gives)
{
	struct device_check *c = &dev->checks[dev->n_checks++];

	memset(c, 0, sizeof(*c));
	snprintf(c->source, sizeof(c->source), "%s", source);
	snprintf(c->gives, sizeof(c->gives), "%s", gives);
	snprintf(c->status, sizeof(c->status), "ok");
	snprintf(c->reason, sizeof(c->reason), "%s", _("simulated: a model answers, not hardware"));
}

/* Probed entries carry no spec: their id says which machine they are. */
static const char *spec_of(const struct device_entry *e)
{
	return e->spec[0] ? e->spec : e->device.id + strlen("sim:");
}

static bool open_intel(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct model *m = xcalloc(1, sizeof(*m));
	bool good;

	*dev = (struct open_device){ 0 };
	m->users = 1;
	good = sim_spec_parse(spec_of(e), &m->spec, err) &&
		sim_device(m->spec.machine, &dev->device, err) &&
		model_start(m, &dev->device, o, err) && add_oa_source(dev, m, o, err);
	if (good) {
		add_reg_source(dev, m, &power_ops, "power", N_("simulated RAPL"), power_counters,
			(int)ARRAY_LEN(power_counters));
		add_reg_source(dev, m, &freq_ops, "freq", N_("simulated clock registers"),
			freq_counters, FREQ_COUNTERS);
		if (xe_stall_layout(
			    intel_platform_by_name(dev->device.platform)->graphics_verx10)) {
			dev->sources[dev->n_sources++] = sim_stall_open(m);
			add_check(dev, N_("simulated stalls"), _("what EU threads wait for"));
		}
		dev->runner = sim_runner_new(m, &dev->device);
		add_clients(dev, m);
		add_check(dev, N_("simulated OA unit"),
			_("OA reports: A counters, and the B and C counters whose meaning is "
			  "known"));
		add_check(dev, N_("simulated RAPL"), _("energy of package, cores, GPU and DRAM"));
		add_check(
			dev, N_("simulated clock"), _("actual and requested clock, RC6 residency"));
	}
	model_drop(m);
	return good;
}

void sim_add_entry(const struct device *d, const char *spec, struct device_list *out)
{
	struct device_entry *e = device_list_add(out, &sim_backend);

	e->device = *d;
	e->usable = true;
	snprintf(e->spec, sizeof(e->spec), "%s", spec);
}

static bool add_entry(
	const struct sim_machine *m, const char *spec, struct device_list *out, struct err *err)
{
	struct device d;

	if (!sim_device(m, &d, err))
		return false;
	sim_add_entry(&d, spec, out);
	return true;
}

static bool sim_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	return sim_mali_knows(spec_of(e)) ? sim_mali_open(spec_of(e), o, dev, err)
					  : open_intel(e, o, dev, err);
}

static bool sim_probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	(void)fs;
	for (int i = 0; i < sim_machine_count; i++)
		if (!add_entry(&sim_machines[i], "", out, err))
			return false;
	return sim_mali_probe(out, err);
}

static bool sim_resolve(
	const struct fsroot *fs, const char *spec, struct device_list *out, struct err *err)
{
	struct sim_spec s;

	(void)fs;
	if (strlen(spec) >= sizeof(out->entries->spec))
		return err_set(
			err, ERR_USAGE, _("the description of the simulated device is too long"));
	if (sim_mali_knows(spec))
		return sim_mali_resolve(spec, out, err);
	return sim_spec_parse(spec, &s, err) && add_entry(s.machine, spec, out, err);
}

static void sim_help(struct strbuf *out)
{
	sim_spec_help(out);
	sim_mali_help(out);
}

const struct backend sim_backend = {
	.name = "sim",
	.description = N_("simulated Intel and Arm Mali GPUs"),
	.never_by_default = true,
	.probe = sim_probe,
	.resolve = sim_resolve,
	.help = sim_help,
	.open = sim_open,
	.reprogram = sim_reprogram,
};
