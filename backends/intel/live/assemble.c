/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes an open device from the sources of a card. */
#include "config.h"

#include "backends/intel/live/assemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "backends/common/stand_ins.h"
#include "backends/intel/live/oa_live.h"
#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_timer.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"

void intel_device_prepare(const struct device_entry *e, struct device *d)
{
	const struct intel_platform *p = intel_platform_by_name(e->device.platform);

	*d = e->device;
	d->topology.threads_per_eu = p->threads_per_eu;
	d->topology.subslice_mask_stride = p->subslice_mask_stride;
}

/* --- OA counters that come and go --- */

struct oa_card {
	struct device *device;
	struct open_options options;
	intel_open_fn *open;
};

/* After a card was plugged in, another card may have that name. */
static bool is_same_card(const struct oa_card *c, struct err *err)
{
	const char *id = c->device->id;
	char path[128], address[64];

	snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device", id);
	if (drm_card_is_gone(c->options.fs, id, err))
		return false;
	if (c->device->pci_address[0] &&
		fsroot_link_name(c->options.fs, path, address, sizeof(address)) &&
		strcmp(address, c->device->pci_address))
		return err_set(err, ERR_NO_DEVICE, "%s: another GPU has its name now (%s)", id,
			address);
	return true;
}

static struct source *open_oa(void *ctx, int64_t now_ns, struct err *err)
{
	struct oa_card *c = ctx;

	if (!is_same_card(c, err))
		return NULL;
	if (drm_card_is_asleep(c->options.fs, c->device->id)) {
		err_set(err, ERR_ASLEEP,
			"%s is asleep and is left so; its counters come when it is used",
			c->device->id);
		return NULL;
	}
	c->options.now_ns = now_ns;
	return c->open(c->device->id, c->device, &c->options, err);
}

static void release_oa(void *ctx)
{
	free(ctx);
}

/* Streams are opened with the period of their reports and with how often a reader is woken. */
static bool retime_oa(void *ctx, int64_t window_ns)
{
	struct oa_card *c = ctx;
	const struct device *d = c->device;
	const struct oa_format *f = oa_format_by_number(d->oa_format);
	int64_t wish_ns = c->options.oa_period_ns, before_ns = c->options.delay_ns;

	c->options.delay_ns = window_ns;
	return oa_live_poll_ns(before_ns) != oa_live_poll_ns(window_ns) ||
		(f && d->timestamp_hz &&
			oa_timer_exponent(wish_ns, before_ns, f, d) !=
				oa_timer_exponent(wish_ns, window_ns, f, d));
}

static const struct source_opener oa_opener = {
	.open = open_oa, .release = release_oa, .retime = retime_oa
};

bool intel_part_stream(struct intel_part *p, struct device *d, const struct open_options *o,
	const struct feed *missing, struct err *err)
{
	struct oa_card *c = xcalloc(1, sizeof(*c));

	*c = (struct oa_card){ .device = d, .options = *o, .open = p->open };
	struct source *inner = open_oa(c, o->now_ns, &p->refusal);
	/* A mistake in the metric set is the user's to mend. A refusal by the machine leaves the
	 * rest of the device. */
	if (!inner && (p->refusal.code == ERR_PARSE || p->refusal.code == ERR_USAGE)) {
		if (err)
			*err = p->refusal;
		free(c);
		return false;
	}
	struct source *held = reopening_source_open(&oa_opener, c, inner, missing, &p->refusal);
	if (inner)
		p->source = held;
	else
		p->waiting = held;
	return true;
}

bool intel_part_oa(struct intel_part *p, struct device *d, const struct open_options *o,
	struct err *err)
{
	const struct oa_format *f = oa_format_by_number(d->oa_format);
	struct counter_desc counters[OA_MAX_COUNTERS];
	struct feed missing = { .name = "oa", .counters = counters };

	if (f)
		missing.n_counters = oa_format_counters(f, counters);
	return intel_part_stream(p, d, o, &missing, err);
}

void intel_oa_uses_set(struct source *s, const struct metric_set *set)
{
	struct oa_card *c = reopening_source_ctx(s);

	c->options.set = set;
}

bool intel_device_assemble(
	struct open_device *dev, const struct intel_part *parts, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (parts[i].source)
			dev->sources[dev->n_sources++] = parts[i].source;
	if (dev->n_sources == 0) {
		for (size_t i = 0; i < n; i++)
			source_close(parts[i].waiting);
		if (err)
			*err = parts[0].refusal;
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		const char *feed = "";

		if (parts[i].source)
			feed = parts[i].source->feed.name;
		else if (parts[i].waiting)
			feed = parts[i].waiting->feed.name;
		open_device_tried(dev, feed, parts[i].name, parts[i].gives,
			parts[i].source ? NULL : &parts[i].refusal);
		if (parts[i].waiting)
			dev->sources[dev->n_sources++] = parts[i].waiting;
	}
	return true;
}
