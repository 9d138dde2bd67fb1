/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of the OA unit, as a family of which users choose events, questions and triggers. */
#include "config.h"

#include "backends/common/counter_family.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_custom.h"
#include "backends/intel/oa/oa_events.h"
#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_pes.h"
#include "backends/intel/oa/oa_ask.h"
#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"

static bool serves(const struct device *d)
{
	return intel_platform_by_name(d->platform);
}

static bool list_events(const struct fsroot *fs, const struct device *d, struct strbuf *out)
{
	const struct intel_platform *p = d ? intel_platform_by_name(d->platform) : NULL;
	bool selects = p && p->graphics_ver >= 20, has_eu_events = p && p->graphics_ver >= 8 && !selects;

	(void)fs;
	if (!d || has_eu_events)
		oa_event_list(out);
	if (!d || selects)
		oa_pes_list(out);
	return !d || has_eu_events || selects;
}

static bool custom_set(struct strbuf *out, const struct chosen_events *e, struct err *err)
{
	return oa_custom_set(out, e->device, e->names, e->n, e->in, e->note, e->ctx, err);
}

static bool take_words(
	const char *option, const char *value, char *words, size_t size, struct err *err)
{
	uint32_t slice, subslice;

	if (!strcmp(option, OA_CUSTOM_IN_OPTION)) {
		snprintf(words, size, "%s", value);
		if (oa_custom_place(value, &slice, &subslice))
			return true;
		err_set(err, ERR_USAGE, "no place in the GPU");
		return err_hint(err,
			"allowed: SLICE.SUBSLICE, such as 0.3; 'rooftop -L' tells how many there are");
	}
	if (!strcmp(option, &OA_ASK_OPTION[2])) {
		if (oa_ask_option(value, words, size, err))
			return true;
		if (*err->hint)
			return false;
		return err_hint(err,
			"allowed: Bn=[!]any(SIGNAL,...), all(...), at_least(1,...) as any, "
			"at_least(as many as signals,...) as all, number(...) >= N; a signal is [!]B0 "
			"to B7, L0 to L15 or a metric");
	}
	if (oa_trigger_option(!strcmp(option, &OA_REPORT_OPTION[2]), value, words, size, err))
		return true;
	return err_hint(err,
		"allowed: N:SIGNAL, N:any(SIGNAL,...), N:all(...); N is 1 to 65535 clocks, a signal is "
		"[!]L0 to L15 or a metric");
}

static bool add_wishes(struct metric_set *set, const struct device *d,
	const struct metric_wish *wishes, int n, const char *access, struct err *err)
{
	bool without_stream = access && (!strcmp(access, "mmio") || !strcmp(access, "rpc"));

	for (int i = 0; i < n && without_stream; i++)
		if (strcmp(wishes[i].option, OA_ASK_OPTION) != 0)
			return err_set(err, ERR_USAGE,
				"%s needs the kernel's stream of reports, --access %s has none",
				wishes[i].option, access);
	if (!d->has_oa_reports)
		return err_set(err, ERR_USAGE, "%s asks the OA unit of Intel GPUs, '%s' has none",
			wishes[0].option, d->id);
	return oa_ask_add(set, d, wishes, n, oa_config_embedded, err);
}

static void describe(struct metric_set *set, const struct device *d)
{
	oa_ask_describe(set, d, oa_config_embedded);
}

/* What xe has recorded, and formats that only xe has, are for xe-perf-reader. A replay must not
 * take what stands in the place of an absent counter for counts. */
static void tell_reports(const struct device *d, const struct feed *feed, struct report_form *out)
{
	const struct oa_format *f = oa_format_by_number(d->oa_format);
	struct counter_desc all[OA_MAX_COUNTERS];
	int n = f ? oa_format_counters(f, all) : 0;

	out->is_xe = f && (!strcmp(d->driver, "xe") || !f->i915_format);
	out->number = out->is_xe ? oa_format_xe_number(f) : (uint32_t)d->oa_format;
	for (int i = 0; i < n && i < feed->n_counters; i++)
		if (all[i].name[0] && !feed->counters[i].name[0])
			strbuf_add_word(&out->absent, " ", all[i].name);
}

const struct counter_family oa_counters = {
	.serves = serves,
	.list_events = list_events,
	.custom_set = custom_set,
	.take_words = take_words,
	.add_wishes = add_wishes,
	.describe = describe,
	.load_sets = oa_xml_load,
	.fit = oa_xml_fit,
	.tell_reports = tell_reports,
};
