/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens what an i915 card offers and notes what it does not. */
#include "config.h"

#include "backends/intel/i915_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/i915_freq.h"
#include "backends/intel/i915_node.h"
#include "backends/intel/i915_stream.h"
#include "backends/intel/oa_format.h"
#include "backends/intel/platform.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"
#include "data/data.h"

/* Whether one of the words of the line is name. */
static bool line_has(const char *line, const char *name)
{
	size_t left = strcspn(line, "\n"), len = strlen(name);

	for (const char *p = line; left > 0;) {
		size_t blanks = strspn(p, " \t"), word;

		if (blanks >= left)
			break;
		p += blanks;
		word = strcspn(p, " \t\n");
		if (word == len && !strncmp(p, name, len))
			return true;
		p += word;
		left -= blanks + word;
	}
	return false;
}

bool i915_has_sets(const char *platform)
{
	for (const struct embedded *e = metric_files; e->name; e++)
		for (const char *p = e->text; (p = strstr(p, "\tplatforms ")); p += strlen("\tplatforms "))
			if (line_has(p + strlen("\tplatforms "), platform))
				return true;
	return false;
}

/* --- the place of a stream that could not be opened: its counters exist, and have a reason --- */

struct closed_source {
	struct source source;
	struct counter_desc counters[OA_MAX_COUNTERS];
	struct err refusal;
};

static bool closed_ready(struct source *src, int64_t now_ns, struct err *err)
{
	const struct closed_source *s = (const struct closed_source *)src;

	(void)now_ns;
	if (err)
		*err = s->refusal;
	return false;
}

static void closed_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	const struct closed_source *s = (const struct closed_source *)src;

	out->t0_ns = out->t1_ns = now_ns;
	switch (s->refusal.code) {
	case ERR_PERMISSION:
		out->why = WHY_PERMISSION;
		break;
	case ERR_UNSUPPORTED:
		out->why = WHY_UNSUPPORTED;
		break;
	default:
		out->why = WHY_NO_SOURCE;
	}
}

static void closed_close(struct source *src)
{
	free(src);
}

static const struct source_ops closed_ops = { .ready = closed_ready, .collect = closed_collect, .close = closed_close };

static struct source *closed_open(const struct device *d, const struct err *refusal)
{
	const struct oa_format *f = oa_format_by_i915(d->oa_format);
	struct closed_source *s = xcalloc(1, sizeof(*s));

	s->source = (struct source){ .ops = &closed_ops, .fd = -1, .priv = s };
	s->refusal = *refusal;
	snprintf(s->source.feed.name, sizeof(s->source.feed.name), "oa");
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", _("refused"));
	s->source.feed.counters = s->counters;
	s->source.feed.n_counters = f ? oa_format_counters(f, s->counters) : 0;
	return &s->source;
}

/* --- the device --- */

static void add_check(struct open_device *dev, const char *source, const char *gives, const struct err *refusal)
{
	struct device_check *c = &dev->checks[dev->n_checks++];

	memset(c, 0, sizeof(*c));
	snprintf(c->source, sizeof(c->source), "%s", source);
	snprintf(c->gives, sizeof(c->gives), "%s", gives);
	snprintf(c->status, sizeof(c->status), "%s", refusal ? "NO" : "ok");
	if (refusal) {
		snprintf(c->reason, sizeof(c->reason), "%s", refusal->msg);
		snprintf(c->hint, sizeof(c->hint), "%s", refusal->hint);
	}
}

/* What the tables know; the topology stays unknown until the kernel tells it. */
static void prepare(const struct device_entry *e, const struct open_options *o, struct device *d)
{
	const struct intel_platform *p = intel_platform_by_name(e->device.platform);

	*d = e->device;
	d->topology.threads_per_eu = p->threads_per_eu;
	d->topology.subslice_mask_stride = p->subslice_mask_stride;
	i915_clock_limits(o->fs, d->id, d);
	intel_device_set_consts(d);
}

static bool check_access(const struct open_options *o, const char *card, struct err *err)
{
	if (!o->access || !strcmp(o->access, "auto") || !strcmp(o->access, "perf"))
		return true;
	err_set(err, ERR_UNSUPPORTED, _("%s: access by '%s' is not part of this version"), card, o->access);
	return err_hint(err, _("leave --access out, or use --access perf"));
}

/* A mistake in the metric set is the user's to mend; a refusal by the machine leaves the rest of the device. */
static bool is_refusal(const struct err *err)
{
	return err->code != ERR_PARSE && err->code != ERR_USAGE;
}

bool i915_device_open(const struct device_entry *e, const struct open_options *o, struct open_device *dev, struct err *err)
{
	struct err refusal = { .code = ERR_NONE };
	struct source *stream, *freq;

	*dev = (struct open_device){ 0 };
	if (!check_access(o, e->device.id, err))
		return false;
	prepare(e, o, &dev->device);
	stream = i915_stream_open(e->device.id, &dev->device, o, &refusal);
	freq = stream || is_refusal(&refusal) ? i915_freq_open(e->device.id, o) : NULL;
	if (!stream && !freq) {
		if (err)
			*err = refusal;
		return false;
	}
	if (stream)
		dev->sources[dev->n_sources++] = stream;
	if (freq)
		dev->sources[dev->n_sources++] = freq;
	if (!stream)
		dev->sources[dev->n_sources++] = closed_open(&dev->device, &refusal);
	add_check(dev, "i915 perf", _("OA reports: A, B and C counters of all EUs"), stream ? NULL : &refusal);
	if (!freq)
		err_set(&refusal, ERR_UNSUPPORTED, _("no clock file below /sys/class/drm/%s can be read"), e->device.id);
	add_check(dev, _("i915 clock files"), _("actual and requested clock, RC6 residency"), freq ? NULL : &refusal);
	return true;
}
