/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the rules one after the other what limits the device in a window. */
#include "config.h"

#include "core/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/i18n.h"
#include "core/snapshot.h"

void verdict_state(struct verdict *out, enum verdict_kind kind)
{
	*out = (struct verdict){ .kind = kind, .metric = -1, .value = NAN, .roof = NAN, .share = NAN, .headroom = NAN };
	switch (kind) {
	case VERDICT_LOST:
		out->line.fmt = N_("the device went away");
		out->try.fmt = N_("nothing to do: it is opened again when it comes back");
		break;
	case VERDICT_MEASURING:
		out->line.fmt = N_("the first result comes in a moment");
		break;
	case VERDICT_ASLEEP:
		out->line.fmt = N_("the device sleeps and is left asleep");
		out->try.fmt = N_("a program that uses it wakes it");
		break;
	case VERDICT_PERMISSION:
		out->line.fmt = N_("its counters are closed to you");
		out->try.fmt = N_("\"rooftop doctor\" says which permission is missing");
		break;
	default:
		break;
	}
	out->brief = out->line;
}

static void say(struct verdict *v, enum verdict_kind kind, const struct verdict_candidate *c)
{
	v->kind = kind;
	snprintf(v->bound, sizeof(v->bound), "%s", c->resource);
	v->metric = c->metric;
	v->value = c->value;
	v->roof = c->roof;
	v->share = c->share;
	v->source = c->source;
	if (c->share > 0)
		v->headroom = 1 / c->share;
}

void verdict_make(const struct snapshot *s, struct verdict_memory *memory, struct verdict *out)
{
	int busy = metric_set_index(s->set, "gpu_busy");
	const struct verdict_candidate *best = NULL;

	verdict_state(out, VERDICT_NONE);
	for (int i = 0; i < s->set->n_metrics && out->n_candidates < VERDICT_MAX_CANDIDATES; i++) {
		const struct metric *m = &s->set->metrics[i];
		struct verdict_candidate *c = &out->candidates[out->n_candidates];

		if (!m->bound || s->values[i].why != WHY_OK || s->ceilings[i].why != WHY_OK ||
			!(s->ceilings[i].v > 0))
			continue;
		*c = (struct verdict_candidate){ .metric = i, .source = ROOF_COMPUTED };
		snprintf(c->resource, sizeof(c->resource), "%s", m->bound);
		c->value = s->values[i].v * m->unit.scale;
		c->roof = s->ceilings[i].v * m->unit.scale;
		c->share = c->value / c->roof;
		if (!best || c->share > best->share)
			best = c;
		out->n_candidates++;
	}
	if (busy >= 0 && s->values[busy].why == WHY_OK && s->values[busy].v < 5)
		out->kind = VERDICT_IDLE;
	else if (best && best->share >= 0.8)
		say(out, VERDICT_BANDWIDTH, best);
	else if (best)
		say(out, VERDICT_NONE, best);
	if (s->device && s->device->simulated)
		out->flags |= VERDICT_SIMULATED;
	out->since_ns = s->mono_ns;
	if (memory && memory->has_said && memory->said.kind == out->kind)
		out->since_ns = memory->said.since_ns;
	if (memory) {
		memory->said = *out;
		memory->has_said = true;
	}
}
