/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which resource is nearest to its roof, as numbers and as a sentence. */
#include "config.h"

#include "core/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/i18n.h"

#define IDLE_BELOW 0.05		/* a share of GPU cycles, whatever other metrics count */
/* share of GPU cycles above which low values are caused by the work itself */
#define BUSY_FROM 0.5
#define BOUND_FROM 0.5		/* share of the roof */
/* share of a power limit: below it nothing is slowed down, however little is left */
#define POWER_FROM 0.95

static bool is_percent(const char *unit_text)
{
	return unit_text && (!strcmp(unit_text, "%") || !strcmp(unit_text, "percent"));
}

static const struct unit watt = {
	.scale = 1, .exp = { [UNIT_JOULE] = 1, [UNIT_SECOND] = -1 }
};

static struct nearest nearest_roof(
	const struct metric_set *set, const struct value *values, const struct value *ceilings)
{
	struct nearest v = {
		.kind = NEAREST_NONE, .metric = -1, .utilization = NAN, .headroom = NAN
	};

	for (int i = 0; i < set->n_metrics; i++) {
		if (!set->metrics[i].bound || values[i].why != WHY_OK ||
			ceilings[i].why != WHY_OK || !(ceilings[i].v > 0))
			continue;
		double share = values[i].v / ceilings[i].v;
		if (unit_same_dims(&set->metrics[i].unit, &watt) && share < POWER_FROM)
			continue;
		if (v.metric >= 0 && !(share > v.utilization))
			continue;
		v.metric = i;
		v.utilization = share;
		v.headroom = NAN;
		if (values[i].v > 0)
			v.headroom = ceilings[i].v / values[i].v;
		v.kind = share >= BOUND_FROM ? NEAREST_BOUND : NEAREST_LATENCY;
	}
	return v;
}

struct nearest nearest_make(
	const struct metric_set *set, const struct value *values, const struct value *ceilings)
{
	int busy = metric_set_index(set, "gpu_busy");
	struct nearest v = nearest_roof(set, values, ceilings);
	double share = NAN;

	/* Returns the share of cycles in which the GPU was busy; NAN when the set has no such
	 * metric. */
	if (busy >= 0 && values[busy].why == WHY_OK) {
		const struct metric *m = &set->metrics[busy];

		share = values[busy].v * 0.01;
		if (!is_percent(m->unit_text) && m->unit.scale > 0)
			share = values[busy].v * m->unit.scale;
	}
	/* Low values of a GPU that is idle most of the time say nothing about latency: it waits for
	 * work. */
	if (share < IDLE_BELOW || (share < BUSY_FROM && v.kind != NEAREST_BOUND))
		return (struct nearest){
			.kind = NEAREST_IDLE, .metric = busy, .utilization = share, .headroom = NAN
		};
	return v;
}

const char *nearest_sentence(const struct nearest *v, const struct metric_set *set,
	const struct value *values, const struct value *ceilings, char *buf, size_t size)
{
	const struct metric *m = v->metric >= 0 ? &set->metrics[v->metric] : NULL;
	char value[24], roof[64], share[24], headroom[24];

	format_number(share, sizeof(share), v->utilization * 100, 3);
	if (m) {
		format_number(value, sizeof(value), values[v->metric].v, 4);
		format_number(roof, sizeof(roof), ceilings[v->metric].v, 4);
		if (m->unit_text && *m->unit_text)
			snprintf(roof + strlen(roof), sizeof(roof) - strlen(roof), " %.30s",
				m->unit_text);
		format_number(headroom, sizeof(headroom), v->headroom, 4);
	}
	if (!m || v->kind == NEAREST_NONE)
		snprintf(buf, size, "%s",
			_("nothing to compare: no resource has both a value and a roof in this "
			  "window"));
	else if (v->kind == NEAREST_IDLE)
		snprintf(buf, size, _("mostly idle: the GPU was busy for %s %% of its cycles"),
			share);
	else if (v->kind == NEAREST_LATENCY)
		/* TRANSLATORS: name of a resource, its value, its roof with the unit, the share in
		 * percent */
		snprintf(buf, size, _("no roof is near (latency?): %s at %s of %s (%s %%)"),
			i18n_optional(m->bound), value, roof, share);
	else
		/* TRANSLATORS: name of a resource, its value, its roof with the unit, the share in
		 * percent, roof divided by value */
		snprintf(buf, size, _("bound by %s: %s of %s (%s %%), headroom %sx"),
			i18n_optional(m->bound), value, roof, share, headroom);
	return buf;
}
