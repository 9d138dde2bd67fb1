/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polls OA counters from registers. The order of programming is that of Linux i915_perf.c and of H.
 * Duarte's thesis (2018, ch. 3.3): events, signals, then the unit. There is no report buffer and no
 * timer. */
#include "config.h"

#include "backends/intel/i915/i915_device.h"

#ifdef HAVE_LIBDRM

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/card/drm_card.h"
#include "backends/intel/i915/mmio.h"
#include "backends/intel/i915/oa_regs.h"
#include "backends/intel/oa/oa_accum.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/platform/platform.h"
#include "base/call_watch.h"
#include "base/rights.h"
#include "backends/intel/oa/oa_custom.h"
#include "backends/intel/oa/oa_events.h"
#include "core/metric/metric_extend.h"
#include "core/value/device.h"
#include "core/metric/metric.h"

#define READ_TRIES 8
/* Reads of a PCI device that is gone give this value. */
#define GONE UINT32_MAX

/* EU_PERF_CNT_CTL has no more bits (PRM Observability). */
#define EU_EVENT_BITS 0x03ffffffu

/* The subslice that counts. given false: all of them do. */
struct eu_place {
	bool given;
	uint32_t slice, subslice;
	struct oa_steering steering;
	const struct topology *topology;
	uint32_t off;		/* a register whose two counters count nothing */
};

enum eu_place_state {
	EU_PLACE_HOLDS,		/* its events are there, and all others are off */
	EU_PLACE_LOST,		/* somebody else has written them */
	EU_PLACE_UNKNOWN,	/* the kernel has steered elsewhere meanwhile */
};

/* The kernel steers for some microseconds at a time. */
#define TRIES 5

/* Reads from the set's directives whether one subslice is to count, and gives the device the
 * constant that tells how many EUs it has. Returns false with err (ERR_USAGE) when the device has
 * no such subslice, or its writes cannot be steered. d must outlive the place. */
static bool eu_place_find(
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

/* Returns whether the event registers still hold what p writes, or all of them this one value
 * instead. A context that is switched in brings its own events. Reads the subslice that steering
 * names. */
static bool eu_events_are(struct mmio *m, const struct oa_profile *p, const uint32_t *instead)
{
	for (size_t i = 0; i < p->n_regs; i++) {
		const struct oa_reg *r = &p->regs[i];
		uint32_t want = instead ? *instead : r->value;

		if (r->kind == OA_REG_FLEX && ((mmio_read(m, r->address) ^ want) & EU_EVENT_BITS))
			return false;
	}
	return true;
}

/* Looks at the event registers of all subslices that are there. */
static enum eu_place_state eu_place_look(const struct eu_place *place, struct mmio *m,
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

/* Writes the event registers of p: off everywhere, then the events in the place, and makes sure of
 * both. The guard gives them back, and the steering at once. Returns false with err (ERR_BUSY) when
 * the kernel has steered elsewhere each time that it was tried. */
static bool eu_place_write(const struct eu_place *place, struct mmio *m, struct mmio_guard *g,
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

/* The registers that one counter of the feed is read from. */
struct reg_counter {
	uint32_t low, high;	/* high 0: 32 bits */
};

struct mmio_source {
	struct oa_poll poll;
	struct mmio *mmio;
	struct mmio_guard *guard;	/* NULL: nothing is written */
	int forcewake;			/* the kernel's handle, or -1 */
	const struct oa_reg_set *regs;
	const struct intel_platform *platform;
	struct oa_profile profile;
	struct topology topology;
	struct eu_place place;		/* which subslice has the events */
	char pci_address[16];
	struct reg_counter counters[OA_MAX_COUNTERS];
	uint32_t usual_ticks;		/* time that reading all counters usually takes */
	bool rebase;			/* the next report begins anew */
};

/* --- what is needed --- */

static bool check_lockdown(const struct fsroot *fs, struct err *err)
{
	struct rights r;

	rights_read(&r, fs);
	if (!r.lockdown[0] || !strcmp(r.lockdown, "none"))
		return true;
	err_set(err, ERR_PERMISSION,
		"the kernel is locked down (%s), so nobody may map registers", r.lockdown);
	return err_hint(err,
		"--access perf works under lockdown; lockdown ends with Secure Boot switched off "
		"in the firmware");
}

bool mmio_source_possible(const struct device *d, const struct fsroot *fs, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	char path[128], full[512];

	if (!oa_reg_set_of(p) || !forcewake_domains(p)) {
		err_set(err, ERR_UNSUPPORTED,
			"%s: this version does not know the OA registers of %s", d->id,
			p ? p->codename : "this GPU");
		return err_hint(err, "use --access perf");
	}
	if (!mmio_is_built_in())
		return err_set(err, ERR_UNSUPPORTED,
			"this build has no register access, for want of libpciaccess");
	if (fs && fs->prefix[0]) {
		err_set(err, ERR_UNSUPPORTED,
			"%s: registers are the machine's own and do not lie below %s", d->id,
			fs->prefix);
		return err_hint(err, "leave --fsroot or --access out");
	}
	if (!check_lockdown(fs, err))
		return false;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", d->pci_address);
	if (fsroot_path(fs, full, sizeof(full), "%s", path) && access(full, R_OK | W_OK) == 0)
		return true;
	err_sys(err, "%s: cannot use %s", d->id, path);
	return err_hint(err,
		"registers need root: sudo rooftop --access mmio; --access perf needs less");
}

/* --- switching on --- */

/* Says why the control register does not hold what it should. */
static bool refuse_control(const struct mmio_source *s, struct err *err)
{
	uint32_t control = mmio_read(s->mmio, s->regs->control);

	if (control == GONE &&
		drm_card_is_asleep(s->poll.i915.live.node.fs, s->poll.i915.live.node.card))
		return err_set(err, ERR_ASLEEP,
			"%s fell asleep and is left so; its counters come when it is used",
			s->poll.i915.live.node.card);
	if (control == GONE) {
		err_set(err, ERR_SYS, "%s: the GPU is gone: its registers do not answer",
			s->poll.i915.live.node.card);
		return err_hint(err,
			"sudo dmesg | grep i915 tells why; 'rooftop -L' lists what is left");
	}
	err_set(err, ERR_BUSY,
		"%s: another program controls its OA unit (%s control register %#x is %#x)",
		s->poll.i915.live.node.card, s->regs->unit, s->regs->control, control);
	return err_hint(err,
		"this finds a reader of i915 streams: sudo find /proc/[0-9]*/fd -lname "
		"'anon_inode:*i915_perf*'");
}

static bool check_registers(
	const struct mmio_source *s, const struct metric_set *set, struct err *err)
{
	/* From Gen12 on, what stands at the addresses of the free counters belongs to OAR. */
	if (s->profile.n_regs == 0 && !s->regs->free[0].low) {
		err_set(err, ERR_UNSUPPORTED,
			"%s: set '%s' programs nothing, and counters that run without being "
			"programmed are not documented for %s",
			s->poll.i915.live.node.card, set->name, s->platform->codename);
		return err_hint(err, "choose another set with -m, such as overview");
	}
	for (size_t i = 0; i < s->profile.n_regs; i++) {
		if (oa_reg_may_write(s->platform, &s->profile.regs[i]))
			continue;
		err_set(err, ERR_USAGE,
			"%s: set '%s' writes register %#x, which is none of the OA unit of %s",
			s->poll.i915.live.node.card, set->name, s->profile.regs[i].address,
			s->platform->codename);
		return err_hint(
			err, "correct its file %s, or choose another set with -m", set->file);
	}
	return true;
}

static bool keep_awake(const struct mmio_source *s, struct err *err)
{
	return s->forcewake >= 0 || forcewake_request(s->mmio, forcewake_domains(s->platform), err);
}

static bool wake(struct mmio_source *s, struct err *err)
{
	s->forcewake = forcewake_open_handle(
		s->poll.i915.live.node.fs, s->poll.i915.live.node.card);
	s->mmio = mmio_open(s->pci_address, err);
	if (!s->mmio || !keep_awake(s, err))
		return false;
	if (s->profile.n_regs > 0)
		s->guard = mmio_guard_start(s->mmio, s->forcewake, err);
	return s->profile.n_regs == 0 || s->guard;
}

static void write_kind(struct mmio_source *s, enum oa_reg_kind kind)
{
	for (size_t i = 0; i < s->profile.n_regs; i++) {
		const struct oa_reg *r = &s->profile.regs[i];

		if (r->kind != kind)
			continue;
		if (r->address == OA_REG_NOA_WRITE)
			mmio_write(s->mmio, r->address, r->value);
		else
			mmio_guard_write(s->guard, r->address, r->value);
	}
}

/* A write reaches the event registers of all subslices at once. A read gets those of the one
 * subslice that steering names. */
static void check_subslices(struct mmio_source *s)
{
	const struct oa_steering *st = &s->regs->steering;
	uint32_t before = mmio_read(s->mmio, st->address), slice, subslice;
	int at = 0;

	while (oa_steering_next(st, &s->topology, &at, &slice, &subslice)) {
		uint32_t there = oa_steering_to(st, before, slice, subslice);

		mmio_guard_borrow(s->guard, st->address, before, there);
		bool holds = eu_events_are(s->mmio, &s->profile, NULL);
		/* The kernel may steer elsewhere meanwhile: then nobody knows who has answered. */
		if (mmio_read(s->mmio, st->address) != there)
			break;
		if (!holds)
			snprintf(s->poll.note, sizeof(s->poll.note),
				"subslice %u of slice %u does not hold the events that were "
				"programmed: EU counters miss its part",
				subslice, slice);
	}
	mmio_guard_return(s->guard, st->address);
}

static bool write_events(struct mmio_source *s, struct err *err)
{
	if (s->place.given)
		return eu_place_write(&s->place, s->mmio, s->guard, &s->profile, err);
	write_kind(s, OA_REG_FLEX);
	return true;
}

/* Makes the unit count what the profile asks for; the profile is built already. */
static bool start(struct mmio_source *s, struct err *err)
{
	if (!wake(s, err))
		return false;
	if (mmio_read(s->mmio, s->regs->control) & OA_CONTROL_ENABLE)
		return refuse_control(s, err);
	if (s->profile.n_regs == 0)
		return true;
	if (!write_events(s, err))
		return false;
	write_kind(s, OA_REG_NOA);
	write_kind(s, OA_REG_OA);
	if (s->place.given)
		snprintf(s->poll.note, sizeof(s->poll.note),
			"an experiment: A7 to A20 count subslice %u of slice %u alone",
			s->place.subslice, s->place.slice);
	else
		check_subslices(s);
	mmio_guard_write(s->guard, s->regs->run, s->regs->run_on);
	mmio_guard_write(s->guard, s->regs->control, s->regs->control_on);
	return true;
}

static void stop(struct oa_poll *p)
{
	struct mmio_source *s = (struct mmio_source *)p;

	mmio_guard_end(s->guard);
	mmio_close(s->mmio);
	driver_close(s->forcewake);
	oa_profile_release(&s->profile);
}

/* --- reading --- */

static enum eu_place_state look_at_events(struct mmio_source *s)
{
	if (s->place.given)
		return eu_place_look(&s->place, s->mmio, s->guard, &s->profile);
	return eu_events_are(s->mmio, &s->profile, NULL) ? EU_PLACE_HOLDS : EU_PLACE_LOST;
}

/* Contexts of other programs carry the events that they were saved with. An interval in which one
 * of them was switched in is not counted, and our events are written again. */
static bool keep_events(struct mmio_source *s, struct err *err)
{
	enum eu_place_state state = look_at_events(s);
	bool runs = mmio_read(s->mmio, s->regs->run) == s->regs->run_on;

	if (runs && state == EU_PLACE_HOLDS)
		return true;
	s->rebase = true;
	if (state == EU_PLACE_UNKNOWN)
		return true;
	if (!write_events(s, err))
		return false;
	mmio_guard_write(s->guard, s->regs->run, s->regs->run_on);
	return true;
}

/* Registers are read one after the other. When the process was interrupted meanwhile, they belong
 * to different moments. Then all of them are read again, and the quickest round counts. */
static void read_counters(struct mmio_source *s, uint64_t *values)
{
	uint32_t quickest = UINT32_MAX;

	for (int tries = 0; tries < READ_TRIES && quickest > s->usual_ticks + s->usual_ticks / 8;
		tries++) {
		uint64_t v[OA_MAX_COUNTERS] = { 0 };

		for (int i = 0; i < s->poll.i915.live.oa.n_counters; i++) {
			const struct reg_counter *c = &s->counters[i];

			if (c->high)
				v[i] = mmio_read40(s->mmio, c->low, c->high);
			else if (c->low)
				v[i] = mmio_read(s->mmio, c->low);
		}
		uint32_t took = mmio_read(s->mmio, OA_REG_TIMESTAMP) - (uint32_t)v[OA_TIMESTAMP];
		if (tries == 0 || took < quickest) {
			memcpy(values, v, sizeof(v));
			quickest = took;
		}
	}
	if (quickest < s->usual_ticks)
		s->usual_ticks = quickest;
	else
		s->usual_ticks += s->usual_ticks / 64 + 1;
}

static enum oa_fetch fetch(struct oa_poll *p, uint8_t *report, struct err *err)
{
	struct mmio_source *s = (struct mmio_source *)p;
	uint64_t values[OA_MAX_COUNTERS];
	/* Every report comes from our own timer. */
	struct oa_header h = { .id = OA_REASON_TIMER << 19 };

	if (!keep_awake(s, err))
		return OA_FETCH_FAILED;
	uint32_t control = mmio_read(s->mmio, s->regs->control);
	bool is_ours = !(control & OA_CONTROL_ENABLE);

	if (s->profile.n_regs > 0)
		is_ours = control == s->regs->control_on;
	if (!is_ours) {
		refuse_control(s, err);
		return OA_FETCH_FAILED;
	}
	if (s->profile.n_regs > 0 && !keep_events(s, err))
		return OA_FETCH_FAILED;
	read_counters(s, values);
	h.timestamp = values[OA_TIMESTAMP];
	oa_encode(p->i915.live.oa.accum.format, &h, values, report);
	if (!s->rebase)
		return OA_FETCH_REPORT;
	s->rebase = false;
	return OA_FETCH_REBASE;
}

static const struct oa_poll_ops ops = {
	.size = sizeof(struct mmio_source), .fetch = fetch, .stop = stop
};

/* Finds the register of every counter of the feed. Counters that have none, or do not run, lose
 * their names, so that nobody is offered them. */
static void find_counters(struct mmio_source *s)
{
	bool on = s->profile.n_regs > 0;

	s->counters[OA_TIMESTAMP] = (struct reg_counter){ .low = OA_REG_TIMESTAMP };
	s->counters[OA_GPU_TICKS] = (struct reg_counter){ .low = on ? s->regs->ticks : 0 };
	for (int i = OA_FIRST_RUN; i < s->poll.i915.live.oa.n_counters; i++) {
		const char *name = s->poll.i915.live.oa.counters[i].name;
		struct reg_counter *c = &s->counters[i];

		c->low = (on ? oa_reg_counter : oa_reg_free_counter)(
			s->regs, name[0], atoi(name + 1), &c->high);
	}
	for (int i = 0; i < s->poll.i915.live.oa.n_counters; i++)
		if (!s->counters[i].low)
			s->poll.i915.live.oa.counters[i].name[0] = '\0';
}

struct source *mmio_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	if (!mmio_source_possible(d, o->fs, err))
		return NULL;
	struct mmio_source *s = oa_poll_new(&ops, o->now_ns);
	s->platform = intel_platform_by_name(d->platform);
	s->regs = oa_reg_set_of(s->platform);
	s->forcewake = -1;
	s->usual_ticks = UINT32_MAX / 2;
	snprintf(s->pci_address, sizeof(s->pci_address), "%s", d->pci_address);
	bool good = oa_poll_init(&s->poll, card, d, o, "registers", err) &&
		oa_profile_build(&s->profile, o->set, d, oa_config_embedded, err) &&
		eu_place_find(&s->place, o->set, d, err);
	s->topology = d->topology;
	s->place.topology = &s->topology;
	if (s->profile.asks_nothing)
		s->profile.n_regs = 0;
	if (good && check_registers(s, o->set, err) && start(s, err) &&
		oa_poll_start(&s->poll, d, o, err)) {
		find_counters(s);
		return &s->poll.i915.live.source;
	}
	source_close(&s->poll.i915.live.source);
	return NULL;
}

#else

bool mmio_source_possible(const struct device *d, const struct fsroot *fs, struct err *err)
{
	(void)d;
	(void)fs;
	return err_set(
		err, ERR_UNSUPPORTED, "this build has no register access, for want of libdrm");
}

struct source *mmio_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	(void)card;
	mmio_source_possible(d, o->fs, err);
	return NULL;
}

#endif
