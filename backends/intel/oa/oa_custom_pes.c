/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a metric set of chosen events for Xe2 and later, where each counter has any event. */
#include "config.h"

#include "backends/intel/oa/oa_custom.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/platform/platform.h"
#include "core/metric/metric_extend.h"

#define EVENT_SIZE 64

static const char *const counts[PER_COUNT] = {
	[PER_XVE] = "eu_count",
	[PER_CORE] = "subslice_count",
	[PER_SLICE] = "slice_count",
	[PER_L3_BANK] = "l3_bank_count",
	[PER_L3_NODE] = "l3_node_count",
	[PER_SQIDI] = "sqidi_count",
	[PER_COLOR_PIPE] = "color_pipe_count",
	[PER_DEPTH_PIPE] = "depth_pipe_count",
	[PER_GEOMETRY_PIPE] = "geometry_pipe_count",
	[PER_COMPUTE_ENGINE] = "compute_engine_count",
	[PER_COPY_ENGINE] = "copy_engine_count",
};

static bool has_event(const struct device *d, const struct oa_pes_name *n)
{
	bool is_xe3 = intel_platform_by_name(d->platform)->graphics_ver >= 30;

	return n->parts == PARTS_ALL || (n->parts == PARTS_XE3 && is_xe3) ||
		(n->parts == PARTS_BMG && !strcmp(d->platform, "bmg"));
}

static bool parse_all(const struct device *d, const char *const *texts, int n,
	struct oa_pes_event *events, struct err *err)
{
	struct err why = { 0 };

	if (n > OA_FLEX_COUNTERS)
		return err_set(err, ERR_USAGE, "%d events are chosen, at most %d can be", n,
			OA_FLEX_COUNTERS);
	for (int i = 0; i < n; i++) {
		if (!oa_pes_parse_any(texts[i], &events[i], &why)) {
			err_set(err, ERR_USAGE, "--counter %.60s: %s", texts[i], why.msg);
			return err_hint(err, "'rooftop --counter help' lists the words");
		}
		const struct oa_pes_name *name = oa_pes_by_code(events[i].code);
		if (name && !has_event(d, name))
			return err_set(err, ERR_USAGE, "%s does not have the event '%.60s'",
				d->name, texts[i]);
		for (int k = 0; k < i; k++)
			if (events[i].code == events[k].code &&
				events[i].coarse == events[k].coarse)
				return err_set(err, ERR_USAGE,
					"the event '%.60s' is chosen twice", texts[i]);
	}
	return true;
}

/* Counters with a filter are few, so that events without one take them last. */
static int take_counter(const struct oa_pes_event *e, bool taken[OA_PES_COUNTERS])
{
	int found = -1;

	for (int i = 0; i < OA_PES_COUNTERS; i++) {
		bool has_filter = i >= OA_PES_FIRST_FILTER && i <= OA_PES_LAST_FILTER;

		if (taken[i] || !oa_pes_sees(i, e) || (found >= 0 && (has_filter || e->coarse)))
			continue;
		if (found < 0 || (found >= OA_PES_FIRST_FILTER && found <= OA_PES_LAST_FILTER))
			found = i;
	}
	taken[found] = true;
	return found;
}

static void add_equation(struct strbuf *out, const struct oa_pes_name *n, int counter, bool is_xe3)
{
	double stands_for = is_xe3 ? n->stands_for_xe3 : n->stands_for_xe2;

	switch (n->unit) {
	case CLOCKS:
	case SLOTS:
		strbuf_addf(
			out, "\tunit %%\n\tvalue %g[cycle] * P%d / GPU_TICKS", stands_for, counter);
		if (counts[n->per])
			strbuf_addf(out, " / %s", counts[n->per]);
		strbuf_add(out, "\n\tmax 100[%]\n");
		break;
	case THREADS:
		strbuf_addf(out,
			"\tunit %%\n\tvalue %g[cycle] * P%d / threads_per_eu / eu_count / "
			"GPU_TICKS\n\tmax 100[%%]\n",
			stands_for, counter);
		break;
	case BYTES:
	case LINES:
		strbuf_addf(out, "\tunit GB/s\n\tvalue %g[B] * rate(P%d)\n",
			n->unit == LINES ? 64 : stands_for, counter);
		break;
	default:
		strbuf_addf(out, "\tunit %s\n\tvalue rate(P%d)\n",
			n->unit == MESSAGES ? "Mmsg/s" : "Mevent/s", counter);
	}
}

static void add_metric(
	struct strbuf *out, const struct device *d, const struct oa_pes_event *e, int counter)
{
	static const struct oa_pes_name unnamed = {
		.intel = "", .what = "an event without a name", .unit = EVENTS
	};
	const struct oa_pes_name *n = oa_pes_by_code(e->code);
	const char *filter = oa_pes_filter_what(e);
	char event[EVENT_SIZE], name[EVENT_SIZE + 8];

	if (!n)
		n = &unnamed;
	oa_pes_text(e, event, sizeof(event));
	snprintf(name, sizeof(name), "event_%s", event);
	for (char *p = name; *p; p++)
		if (*p == ':')
			*p = '_';
	strbuf_addf(out, "metric %s\n\tlabel \"%.16s\"\n\tgroup chosen\n", name, event);
	if (n->per == PER_XVE)
		strbuf_add(out, "\tscope EU\n");
	add_equation(out, n, counter, intel_platform_by_name(d->platform)->graphics_ver >= 30);
	strbuf_addf(out,
		"\tneeds \"events of Xe2\"\n\torigin \"metrics-discovery %s, event 0x%x on P%d\"\n",
		n->intel, e->code, counter);
	strbuf_addf(out, "\ttext \"%s: %s%s%s.\"\n",
		n->unit == CLOCKS ? "Share of clocks in which" : "Counted", n->what,
		*filter ? "; only " : "", filter);
}

bool oa_custom_pes_set(struct strbuf *out, const struct device *d, const char *const *texts, int n,
	struct err *err)
{
	struct oa_pes_event events[OA_FLEX_COUNTERS];
	int counters[OA_FLEX_COUNTERS];
	bool taken[OA_PES_COUNTERS] = { false };
	char event[EVENT_SIZE];

	if (!parse_all(d, texts, n, events, err))
		return false;
	strbuf_addf(out,
		"include counters.metrics\ninclude counters-xe2.metrics\nset " CHOSEN_SET
		" \"Chosen events\"\n\tplatforms %s\n\ttext \"The events that --counter "
		"names.\"\n\tgroup chosen \"Chosen events\" \"\"\n\tinclude panes.metrics\n",
		d->platform);
	for (int i = 0; i < n; i++) {
		counters[i] = take_counter(&events[i], taken);
		strbuf_addf(out, "\tprogram P%d %s\n", counters[i],
			oa_pes_text(&events[i], event, sizeof(event)));
	}
	for (int i = 0; i < n; i++)
		add_metric(out, d, &events[i], counters[i]);
	strbuf_add(
		out, "include gpu-time.metrics\ninclude power.metrics\ninclude clocks.metrics\n");
	return true;
}
