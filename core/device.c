/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constants of a device. */
#include "config.h"

#include "core/device.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct device_const *find(struct device *d, const char *name)
{
	for (int i = 0; i < d->n_consts; i++) {
		if (!strcmp(d->consts[i].name, name))
			return &d->consts[i];
	}
	return NULL;
}

void device_set_const(struct device *d, const char *name, double v)
{
	struct device_const *c = find(d, name);

	assert(strlen(name) < sizeof(c->name));
	if (!c) {
		assert(d->n_consts < DEVICE_MAX_CONSTS);
		c = &d->consts[d->n_consts++];
		snprintf(c->name, sizeof(c->name), "%s", name);
	}
	c->v = v;
}

const struct device_const *device_const(const struct device *d, const char *name)
{
	return find((struct device *)d, name);
}
