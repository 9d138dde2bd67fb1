/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One way per plane, the best first. */
#include "config.h"

#include "backends/power/energy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

const char *const energy_plane_names[ENERGY_PLANES] = {
	[ENERGY_PACKAGE] = "package",
	[ENERGY_CORES] = "cores",
	[ENERGY_GPU] = "gpu",
	[ENERGY_DRAM] = "dram",
	[ENERGY_PSYS] = "psys",
	[ENERGY_CARD] = "card",
};

/* A discrete GPU's own counters before those of the processor beside it; counters that never wrap
 * before those that do, and before watts; PAPI has nothing that the kernel does not offer where it
 * knows the processor, and costs a process. */
const struct energy_route *const energy_routes[ENERGY_ROUTES] = { &energy_hwmon, &energy_perf,
	&energy_powercap, &energy_rails, &energy_papi };

/* Drivers have hwmon files of energy for cards alone, also for those that no table knows. */
bool energy_is_card(const struct device *d, const struct energy_choice *c)
{
	return device_is_card(d) || (c->n_readers && c->readers[0]->is_card);
}

struct energy_reader *energy_reader_open(const struct energy_route *route,
	const struct energy_target *t, unsigned wanted, struct err *err)
{
	struct energy_reader *r = xcalloc(1, route->ops->size);

	r->ops = route->ops;
	r->fd = -1;
	snprintf(r->how, sizeof(r->how), "%s", route->how);
	if (route->open(r, t, wanted, err))
		return r;
	free(r);
	return NULL;
}

void energy_reader_close(struct energy_reader *r)
{
	if (r && r->ops->close)
		r->ops->close(r);
	free(r);
}

bool energy_choose(const struct energy_target *t, const char *way, struct energy_choice *out)
{
	bool any = !way || !strcmp(way, "auto");
	struct energy_target target = *t;

	*out = (struct energy_choice){ 0 };
	target.named = !any;
	for (int i = 0; i < ENERGY_ROUTES && out->planes != ENERGY_ALL; i++) {
		const struct energy_route *route = energy_routes[i];
		struct energy_reader *r;

		if (!any && strcmp(way, route->name) != 0)
			continue;
		if (route != &energy_hwmon && energy_is_card(t->device, out)) {
			if (!any)
				err_set(&out->refusals[i], ERR_UNSUPPORTED,
					"%s counts the processor, of which a card is no part "
					"(-D cpu0 shows it)",
					route->how);
			continue;
		}
		/* PAPI is started last, and only where nothing else was found of the processor. */
		if (any && route == &energy_papi && out->planes & ~(1u << ENERGY_PSYS))
			continue;
		r = energy_reader_open(
			route, &target, ENERGY_ALL & ~out->planes, &out->refusals[i]);
		if (!r)
			continue;
		out->readers[out->n_readers++] = r;
		out->planes |= r->planes;
	}
	return out->n_readers > 0;
}

void energy_choice_release(struct energy_choice *c)
{
	for (int i = 0; i < c->n_readers; i++)
		energy_reader_close(c->readers[i]);
	*c = (struct energy_choice){ 0 };
}

void energy_choice_how(const struct energy_choice *c, char *buf, size_t size)
{
	struct strbuf b = { 0 };

	for (int i = 0; i < c->n_readers; i++) {
		const struct energy_reader *r = c->readers[i];
		const char *separator = ": ";

		if (i > 0)
			strbuf_add(&b, "; ");
		strbuf_add(&b, r->how);
		for (int p = 0; p < ENERGY_PLANES; p++) {
			if (!(r->planes >> p & 1) || (c->n_readers == 1 && !*r->rails[p]))
				continue;
			strbuf_addf(&b, "%s%s", separator, energy_plane_names[p]);
			if (*r->rails[p])
				strbuf_addf(&b, " (%s)", r->rails[p]);
			separator = " ";
		}
	}
	snprintf(buf, size, "%s", strbuf_str(&b));
	strbuf_release(&b);
}
