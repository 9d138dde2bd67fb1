/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steers writes of event registers to one subslice, and reads of them to each. */
#include "config.h"

#include "backends/intel/i915/eu_place.h"

#ifdef HAVE_LIBDRM

#include "backends/intel/oa/oa_custom.h"
#include "backends/intel/oa/oa_events.h"
#include "backends/intel/platform/platform.h"
#include "core/metric/metric_extend.h"

/* The kernel steers for some microseconds at a time. */
#define TRIES 5

bool eu_place_find(
	struct eu_place *out, const struct metric_set *set, struct device *d, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	const struct oa_event off = { .increment = OA_EVENT_OFF };
	int pos = 0, at = 0;
	const struct set_directive *in = metric_set_directive(set, CHOSEN_IN, &pos);
	uint32_t slice, subslice;

	*out = (struct eu_place){ .given = in != NULL };
	if (!in)
		return true;
	out->steering = oa_reg_set_of(p)->steering;
	out->topology = &d->topology;
	out->off = oa_flex_value(&off, &off, p->graphics_ver);
	if (!out->steering.multicast) {
		err_set(err, ERR_USAGE,
			"%s: whether the event registers of %s can be written in one subslice is "
			"not documented",
			d->id, p->codename);
		return err_hint(err, "--%s is for Gen11 and Gen12.0", OA_CUSTOM_IN_OPTION);
	}
	if (!oa_custom_place(in->args, &out->slice, &out->subslice))
		return err_set(err, ERR_USAGE, "'%.40s' names no subslice", in->args);
	int eus = oa_custom_eus_in(d, out->slice, out->subslice, err);
	if (!eus)
		return false;
	device_set_const(d, OA_CUSTOM_IN_EUS, eus);
	while (oa_steering_next(&out->steering, out->topology, &at, &slice, &subslice))
		if (slice == out->slice && subslice == out->subslice)
			return true;
	return err_set(err, ERR_USAGE, "%s: the steering register has no field for subslice %s",
		d->id, in->args);
}

bool eu_events_are(struct mmio *m, const struct oa_profile *p, const uint32_t *instead)
{
	for (size_t i = 0; i < p->n_regs; i++) {
		const struct oa_reg *r = &p->regs[i];
		uint32_t want = instead ? *instead : r->value;

		if (r->kind == OA_REG_FLEX && ((mmio_read(m, r->address) ^ want) & EU_EVENT_BITS))
			return false;
	}
	return true;
}

enum eu_place_state eu_place_look(const struct eu_place *place, struct mmio *m,
	struct mmio_guard *g, const struct oa_profile *p)
{
	const struct oa_steering *st = &place->steering;
	uint32_t before = mmio_read(m, st->address), slice, subslice;
	enum eu_place_state state = EU_PLACE_HOLDS;
	int at = 0;

	while (state == EU_PLACE_HOLDS &&
		oa_steering_next(st, place->topology, &at, &slice, &subslice)) {
		uint32_t there = oa_steering_to(st, before, slice, subslice);
		bool is_place = slice == place->slice && subslice == place->subslice;
		const uint32_t *instead = is_place ? NULL : &place->off;

		mmio_guard_borrow(g, st->address, before, there);
		if (!eu_events_are(m, p, instead))
			state = EU_PLACE_LOST;
		if (mmio_read(m, st->address) != there)
			state = EU_PLACE_UNKNOWN;
	}
	mmio_guard_return(g, st->address);
	return state;
}

/* Returns whether the kernel's steering lets writes reach all subslices, as it does outside of
 * writes of its own to a single one. */
static bool write_once(const struct eu_place *place, struct mmio *m, struct mmio_guard *g,
	const struct oa_profile *p)
{
	const struct oa_steering *st = &place->steering;
	uint32_t before = mmio_read(m, st->address);

	if (!(before & st->multicast))
		return false;
	/* The registers stand before the steering in the guard's list, so that they are given back
	 * after it, in all subslices. */
	for (size_t i = 0; i < p->n_regs; i++)
		if (p->regs[i].kind == OA_REG_FLEX)
			mmio_guard_write(g, p->regs[i].address, place->off);
	mmio_guard_borrow(g, st->address, before,
		oa_steering_to(st, before & ~st->multicast, place->slice, place->subslice));
	for (size_t i = 0; i < p->n_regs; i++)
		if (p->regs[i].kind == OA_REG_FLEX)
			mmio_guard_write(g, p->regs[i].address, p->regs[i].value);
	mmio_guard_return(g, st->address);
	return true;
}

bool eu_place_write(const struct eu_place *place, struct mmio *m, struct mmio_guard *g,
	const struct oa_profile *p, struct err *err)
{
	for (int i = 0; i < TRIES; i++)
		if (write_once(place, m, g, p) && eu_place_look(place, m, g, p) == EU_PLACE_HOLDS)
			return true;
	return err_set(err, ERR_BUSY,
		"the events of subslice %u of slice %u cannot be written alone: the kernel steers "
		"elsewhere, or writes are not steered",
		place->subslice, place->slice);
}

#endif
