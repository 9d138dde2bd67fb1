/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the sources of a card to an open device. */
#include "config.h"

#include "backends/intel/parts.h"

#include "backends/closed.h"
#include "backends/intel/oa_format.h"
#include "backends/intel/platform.h"

void intel_device_prepare(const struct device_entry *e, struct device *d)
{
	const struct intel_platform *p = intel_platform_by_name(e->device.platform);

	*d = e->device;
	d->topology.threads_per_eu = p->threads_per_eu;
	d->topology.subslice_mask_stride = p->subslice_mask_stride;
}

bool intel_is_refusal(const struct err *err)
{
	return err->code != ERR_PARSE && err->code != ERR_USAGE;
}

void intel_part_closed_oa(struct intel_part *p, const struct device *d, struct counter_desc *counters)
{
	const struct oa_format *f = oa_format_by_number(d->oa_format);

	p->feed = "oa";
	p->counters = counters;
	p->n_counters = f ? oa_format_counters(f, counters) : 0;
}

bool intel_device_assemble(struct open_device *dev, const struct intel_part *parts, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (parts[i].source)
			dev->sources[dev->n_sources++] = parts[i].source;
	if (dev->n_sources == 0) {
		if (err)
			*err = parts[0].refusal;
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		open_device_tried(dev, parts[i].name, parts[i].gives, parts[i].source ? NULL : &parts[i].refusal);
		if (!parts[i].source && parts[i].feed)
			dev->sources[dev->n_sources++] =
				closed_source_open(parts[i].feed, parts[i].counters, parts[i].n_counters, &parts[i].refusal);
	}
	return true;
}
