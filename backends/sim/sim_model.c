/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the model, and changes what it is loaded with and what it counts. */
#include "config.h"

#include "backends/sim/sim_model.h"

#include <assert.h>
#include <stdlib.h>

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_timer.h"
#include "backends/intel/oa/oa_ask.h"
#include "backends/intel/platform/platform.h"
#include "base/clock.h"

#define WRAP_NS (300 * NS_PER_MS)

void sim_model_drop(struct sim_model *m)
{
	if (--m->users > 0)
		return;
	oa_unit_release(&m->unit);
	course_release(&m->course);
	course_release(&m->job);
	free(m);
}

void *sim_source_new(const struct source_ops *ops, struct sim_model *m)
{
	struct sim_source *s = source_new(ops);

	s->m = m;
	s->window_ns = m->opened_ns;
	m->users++;
	return s;
}

void sim_source_close(struct source *s)
{
	sim_model_drop(((struct sim_source *)s)->m);
}

static bool build_course(
	struct sim_model *m, struct course *cs, const struct workload_options *load, struct err *err)
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

bool sim_model_begin_job(
	struct sim_model *m, const struct workload_options *load, int64_t now_ns, struct err *err)
{
	int64_t t_ns = sim_model_time(m, now_ns);

	assert(m->now == &m->course);
	if (!build_course(m, &m->job, load, err))
		return false;
	m->job_load = *load;
	course_take_over(&m->job, m->now, t_ns, t_ns);
	m->now = &m->job;
	oa_unit_switch(&m->unit, m->now, t_ns);
	return true;
}

void sim_model_end_job(struct sim_model *m, int64_t now_ns)
{
	int64_t t_ns = sim_model_time(m, now_ns);

	course_take_over(&m->course, m->now, t_ns, 0);
	m->now = &m->course;
	oa_unit_switch(&m->unit, m->now, t_ns);
	course_release(&m->job);
}

/* What is asked of triggers must not go unanswered in silence. */
static bool check_triggers(const struct oa_unit *u, const struct metric_set *set, struct err *err)
{
	int pos = 0;

	if (!metric_set_directive(set, OA_TRIGGER_KEY, &pos) || oa_triggers_are_known(u))
		return true;
	err_set(err, ERR_UNSUPPORTED,
		"the simulated device does not know what set %s brings to the lanes that its "
		"triggers look at",
		set->name);
	return err_hint(err,
		"it knows the lanes of the sets dispatch, ready and waits that a metric reads");
}

bool sim_model_start(struct sim_model *m, const struct device *d, const struct open_options *o,
	struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct oa_unit_config c = oa_unit_config_of(d, p);
	int exponent = oa_timer_exponent(o->oa_period_ns, o->delay_ns, c.format, d);
	struct oa_profile profile;

	c.clock_reports = m->spec.load.walk;
	if (m->spec.flaws.stamp_permille)
		c.timestamp_hz = c.timestamp_hz * m->spec.flaws.stamp_permille / 1000;
	m->opened_ns = o->now_ns;
	m->hw = sim_hardware(&m->spec.machine, d);
	if (!oa_unit_init(&m->unit, &c, err))
		return false;
	if (o->set) {
		if (!oa_profile_build(&profile, o->set, d, oa_config_embedded, err))
			return false;
		oa_unit_program(&m->unit, profile.regs, profile.n_regs);
		oa_profile_release(&profile);
		if (!check_triggers(&m->unit, o->set, err))
			return false;
	}
	if (!build_course(m, &m->course, &m->spec.load, err))
		return false;
	m->now = &m->course;
	oa_unit_attach(&m->unit, m->now);
	oa_unit_enable(&m->unit, 0, exponent, m->spec.flaws.wrap ? WRAP_NS : 0);
	return true;
}

bool sim_model_recount(struct sim_model *m, int64_t now_ns, struct err *err)
{
	struct course base = { 0 }, job = { 0 }, *now = &base;

	if (!build_course(m, &base, &m->spec.load, err))
		return false;
	if (m->now == &m->job) {
		if (!build_course(m, &job, &m->job_load, err)) {
			course_release(&base);
			return false;
		}
		now = &job;
	}
	course_take_over(now, m->now, sim_model_time(m, now_ns), m->now->origin_ns);
	course_release(&m->course);
	course_release(&m->job);
	m->course = base;
	m->job = job;
	oa_unit_attach(&m->unit, m->now);
	return true;
}
