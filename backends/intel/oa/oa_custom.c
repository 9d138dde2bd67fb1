/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a metric set of chosen events. */
#include "config.h"

#include "backends/intel/oa/oa_custom.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/metric/metric_extend.h"

#define EVENT_SIZE 48
#define FIRST_COUNTER 7

enum {
	INC_OCCUPANCY = 8,
	COARSE_ROW0 = 7,
	COARSE_ROW1 = 8,
	FINE_SEND_START = 5,
	FINE_EU0 = 7,
	FINE_EU3 = 10
};

/* Makes a name like "eu_fpu0_ternary". A part that is a number gets a letter: "eu_fpu0_f6". */
static void metric_name(const char *event, char *buf, size_t size)
{
	static const char letters[] = "ecf";
	size_t n = (size_t)snprintf(buf, size, "eu");
	int part = 0;
	bool at_start = true;

	for (const char *p = event; *p && n + 3 < size; p++) {
		if (*p == ':') {
			part++;
			at_start = true;
			continue;
		}
		if (at_start)
			buf[n++] = '_';
		if (at_start && isdigit((unsigned char)*p))
			buf[n++] = letters[part];
		buf[n++] = *p;
		at_start = false;
	}
	buf[n] = '\0';
}

bool oa_custom_place(const char *text, uint32_t *slice, uint32_t *subslice)
{
	char number[3];
	const char *dot = strchr(text, '.');
	uint64_t first, second;

	if (!dot || dot == text || dot - text >= (int)sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)(dot - text), text);
	if (!parse_u64_range(number, 0, 99, &first) || !parse_u64_range(dot + 1, 0, 99, &second))
		return false;
	*slice = (uint32_t)first;
	*subslice = (uint32_t)second;
	return true;
}

/* The subslice that alone counts, and how its metrics are told from those of the device: an end of
 * their names, and who they are of. All are empty for the device. */
struct eu_owner {
	char end[16], of[16];
	char eus[24];	/* how many the subslice has, as a factor of an equation */
};

/* Says which subslices there are. */
static void refuse_place(
	const struct device *d, uint32_t slice, uint32_t subslice, struct err *err)
{
	struct strbuf list = { 0 };
	int stride = d->topology.subslice_mask_stride;

	for (int bit = 0; bit < 64 && stride > 0; bit++) {
		char name[24];

		snprintf(name, sizeof(name), "%d.%d", bit / stride, bit % stride);
		if (d->topology.subslice_mask >> bit & 1)
			strbuf_add_word(&list, ", ", name);
	}
	err_set(err, ERR_USAGE, "%s has no subslice %u in slice %u", d->id, subslice, slice);
	if (list.len)
		err_hint(err, "--%s takes one of %s", OA_CUSTOM_IN_OPTION, strbuf_str(&list));
	else
		err_hint(err, "its driver does not tell which subslices are there");
	strbuf_release(&list);
}

int oa_custom_eus_in(const struct device *d, uint32_t slice, uint32_t subslice, struct err *err)
{
	const struct topology *t = &d->topology;
	int n = 0;

	for (int eu = 0; eu < t->max_eus_per_subslice; eu++)
		n += intel_topology_has_eu(t, (int)slice, (int)subslice, eu);
	if (n == 0)
		refuse_place(d, slice, subslice, err);
	return n;
}

static bool find_owner(
	struct eu_owner *out, const struct device *d, const char *in, struct err *err)
{
	uint32_t slice, subslice;

	*out = (struct eu_owner){ .end = "" };
	if (!in)
		return true;
	if (!oa_custom_place(in, &slice, &subslice))
		return err_set(err, ERR_USAGE, "'%.40s' names no subslice", in);
	/* A card that is not open yet has no topology; eu_place_find() gives it the constant. */
	snprintf(out->eus, sizeof(out->eus), OA_CUSTOM_IN_EUS);
	if (d->topology.subslice_mask) {
		int n = oa_custom_eus_in(d, slice, subslice, err);

		if (!n)
			return false;
		snprintf(out->eus, sizeof(out->eus), "%d", n);
	}
	snprintf(out->end, sizeof(out->end), "_s%uss%u", slice % 100, subslice % 100);
	snprintf(out->of, sizeof(out->of), "S%uSS%u", slice % 100, subslice % 100);
	return true;
}

/* n is how many of the eight positions of EUs the filters let through. A filter on threads or types
 * lets all of them through. */
static void add_equation(
	struct strbuf *out, const struct oa_event *e, int counter, const struct eu_owner *w)
{
	int n = 8;
	char eus[48] = "eu_count";

	if (e->coarse == COARSE_ROW0 || e->coarse == COARSE_ROW1)
		n /= 2;
	if (e->fine >= FINE_EU0 && e->fine <= FINE_EU3)
		n /= 4;
	if (*w->eus)
		snprintf(eus, sizeof(eus), "(%s * %d / 8)", w->eus, n);
	else if (n < 8)
		snprintf(eus, sizeof(eus), "(%d * eus_per_position)", n);
	if (e->fine == FINE_SEND_START)
		strbuf_addf(out, "\tunit Mmsg/s\n\tvalue rate(A%d) / 1[cycle]\n", counter);
	else if (e->increment == INC_OCCUPANCY)
		strbuf_addf(out,
			"\tunit %%\n\tvalue 8 * A%d / threads_per_eu / %s / GPU_TICKS\n\tmax "
			"100[%%]\n",
			counter, eus);
	else
		strbuf_addf(out, "\tunit %%\n\tvalue A%d / %s / GPU_TICKS\n\tmax 100[%%]\n",
			counter, eus);
}

static void add_text(struct strbuf *out, const struct oa_event *e)
{
	const char *coarse = oa_event_coarse_what(e), *fine = oa_event_fine_what(e);

	strbuf_addf(out, "\ttext \"%s %s",
		e->fine == FINE_SEND_START ? "Counted while" : "Share of EU clocks in which",
		oa_event_what(e));
	if (*coarse || *fine)
		strbuf_addf(out, "; only %s%s%s", coarse, *coarse && *fine ? ", " : "", fine);
	strbuf_addf(out, ".\"\n");
}

static void add_metric(struct strbuf *out, const struct oa_event *e, int counter, bool doubtful,
	const struct eu_owner *w)
{
	char event[EVENT_SIZE], name[2 * EVENT_SIZE];

	oa_event_text(e, event, sizeof(event));
	metric_name(event, name, sizeof(name));
	strbuf_addf(out, "metric %s%s\n\tlabel \"%s\"\n\tscope EU\n\tgroup chosen\n", name, w->end,
		event);
	add_equation(out, e, counter, w);
	strbuf_addf(out,
		"\tneeds \"flexible EU events\"\n\torigin \"PRM Observability, EU event %u, "
		"filters %u and %u, on A%d\"\n",
		e->increment, e->coarse, e->fine, counter);
	if (doubtful || *w->of)
		strbuf_add(out, "\tflags estimated\n");
	add_text(out, e);
	if (*w->of)
		strbuf_addf(out,
			"\ttext \"An experiment: of the EUs of %s alone, because only its event "
			"registers were written. Nobody has shown on hardware that this works.\"\n",
			w->of);
}

static bool parse_all(const char *const *texts, int n, struct oa_event *events, struct err *err)
{
	struct err why = { 0 };

	if (n > OA_FLEX_COUNTERS)
		return err_set(err, ERR_USAGE, "%d events are chosen, there are counters for %d",
			n, OA_FLEX_COUNTERS);
	for (int i = 0; i < n; i++) {
		if (!oa_event_parse(texts[i], &events[i], &why)) {
			err_set(err, ERR_USAGE, "--counter %.60s: %s", texts[i], why.msg);
			return err_hint(err, "'rooftop --counter help' lists the words");
		}
		if (events[i].increment == OA_EVENT_OFF)
			return err_set(
				err, ERR_USAGE, "the event '%.60s' counts nothing", texts[i]);
		for (int k = 0; k < i; k++)
			if (events[i].increment == events[k].increment &&
				events[i].coarse == events[k].coarse &&
				events[i].fine == events[k].fine)
				return err_set(err, ERR_USAGE,
					"the event '%.60s' is chosen twice", texts[i]);
	}
	return true;
}

/* Says why the event is doubtful on this device, if it is; returns whether it is. */
static bool warn(const struct device *d, const struct oa_event *e,
	void (*note)(void *ctx, const struct err *err), void *ctx)
{
	const char *why = oa_event_warning(e, intel_platform_by_name(d->platform)->graphics_verx10);
	char event[EVENT_SIZE];
	struct err err = { 0 };

	if (!why || !note)
		return why;
	err_set(&err, ERR_UNSUPPORTED, "event '%s' on %s: %s",
		oa_event_text(e, event, sizeof(event)), d->platform, why);
	err_hint(&err, "it is counted all the same; what it counts is not documented");
	note(ctx, &err);
	return true;
}

/* Says which events these are, and whose. */
static void add_head(struct strbuf *out, const struct device *d, const struct eu_owner *w)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);

	if (*w->of)
		strbuf_addf(out,
			"include counters.metrics\nconst " OA_CUSTOM_IN_EUS
			" 1 \"EUs of the subslice that alone counts events\"\nset " CHOSEN_SET
			" \"Events in %s (experiment)\"\n\tplatforms %s\n",
			w->of, d->platform);
	else
		strbuf_addf(out,
			"include counters.metrics\nset " CHOSEN_SET
			" \"Chosen events\"\n\tplatforms %s\n",
			d->platform);
	strbuf_add(out, "\ttext \"The events that --counter names.\"\n");
	if (p->graphics_ver >= 12)
		strbuf_add(out,
			"\ttext \"Whether a counter without an EU number sees all EUs is not "
			"documented for Gen12.\"\n");
	if (*w->of)
		strbuf_addf(out,
			"\tgroup chosen \"Experiment: %s\" \"%% of its EU clocks\"\n\tinclude "
			"panes.metrics\n",
			w->of);
	else
		strbuf_add(out,
			"\tgroup chosen \"Chosen events\" \"% of EU clocks\"\n\tinclude "
			"panes.metrics\n");
}

bool oa_custom_set(struct strbuf *out, const struct device *d, const char *const *events, int n,
	const char *in, void (*note)(void *ctx, const struct err *err), void *ctx, struct err *err)
{
	struct oa_event parsed[OA_FLEX_COUNTERS];
	bool doubtful[OA_FLEX_COUNTERS];
	struct eu_owner w;
	char event[EVENT_SIZE];
	const struct intel_platform *p = intel_platform_by_name(d->platform);

	if (p && p->graphics_ver >= 20)
		return oa_custom_pes_set(out, d, events, n, err);
	/* Only Gen8 to Gen12 have EU_PERF_CNT_CTL (PRM Observability). */
	if (!p || p->graphics_ver < 8 || p->graphics_ver > 12) {
		err_set(err, ERR_USAGE,
			"events cannot be chosen on %s: it has no flexible EU counters",
			text_or(d->name, d->id));
		return err_hint(err,
			"Intel GPUs from Gen8 on have them; -D chooses another device");
	}
	if (!parse_all(events, n, parsed, err) || !find_owner(&w, d, in, err))
		return false;
	add_head(out, d, &w);
	for (int i = 0; i < n; i++) {
		doubtful[i] = warn(d, &parsed[i], note, ctx);
		strbuf_addf(out, "\tprogram A%d %s\n", FIRST_COUNTER + i,
			oa_event_text(&parsed[i], event, sizeof(event)));
	}
	for (int i = 0; i < n; i++)
		add_metric(out, &parsed[i], FIRST_COUNTER + i, doubtful[i], &w);
	strbuf_add(out,
		"include gpu.metrics\ninclude threads.metrics\ninclude "
		"shader-memory.metrics\ninclude power.metrics\n"
		"include clocks.metrics\ninclude roofs.metrics\n");
	return true;
}
