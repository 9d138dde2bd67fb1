/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names simulated devices of all vendors. */
#include "config.h"

#include "backends/sim/sim_vendors.h"

#include <stdio.h>
#include <string.h>

#include "backends/sim/spec.h"
#include "base/strbuf.h"

bool load_spec_unknown(const char *spec, struct err *err)
{
	struct strbuf names = { 0 };

	for (int i = 0; i < sim_machine_count; i++)
		strbuf_add_word(&names, ", ", sim_machines[i].name);
	for (int i = 0; i < mali_machine_count; i++)
		strbuf_add_word(&names, ", ", mali_machines[i].name);
	for (int i = 0; i < nvidia_machine_count; i++)
		strbuf_add_word(&names, ", ", nvidia_machines[i].name);
	for (int i = 0; i < amd_machine_count; i++)
		strbuf_add_word(&names, ", ", amd_machines[i].name);
	err_set(err, ERR_USAGE, "no simulated device is called '%.*s'", (int)strcspn(spec, ","), spec);
	err_hint(err, "allowed: %s; 'rooftop -D sim:help' lists their options and loads",
		strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

void sim_card_device(const struct sim_card *c, struct device *d)
{
	*d = (struct device){ .simulated = true,
		.pci_vendor = c->vendor,
		.pci_device = c->pci_device,
		.min_hz = c->min_mhz * UINT64_C(1000000),
		.max_hz = c->max_mhz * UINT64_C(1000000) };
	snprintf(d->id, sizeof(d->id), "sim:%s", c->name);
	snprintf(d->name, sizeof(d->name), "%s", c->model);
	snprintf(d->vendor, sizeof(d->vendor), "%.*s", (int)strcspn(c->model, " "), c->model);
	snprintf(d->driver, sizeof(d->driver), "sim");
	snprintf(d->platform, sizeof(d->platform), "%s", c->platform);
}
