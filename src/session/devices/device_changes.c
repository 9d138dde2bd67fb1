/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards that come and go while the program runs: the list of devices follows them. */
#include "config.h"

#include "session/devices/devices.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/program.h"
#include "session/window/refresh.h"
#include "backends/card/drm_card.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/uevents.h"

#define DRM_CLASS "/sys/class/drm"
#define LOOK_NS (2 * NS_PER_S)
#define LOOK_TOLD_NS (120 * NS_PER_S)	/* in some containers the kernel's messages do not arrive */
#define SETTLE_NS NS_PER_S
#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* What cards there are, and which driver has each, as one number. Nothing is read that would wake a
 * card. */
struct signature {
	const struct fsroot *fs;
	uint64_t sum;
};

static bool add_card(void *ctx, const char *name)
{
	struct signature *s = ctx;
	char path[320], address[64] = "", driver[64] = "", text[400];
	uint64_t hash = FNV_OFFSET;

	if (!drm_is_card(name))
		return true;
	snprintf(path, sizeof(path), DRM_CLASS "/%.200s/device", name);
	fsroot_link_name(s->fs, path, address, sizeof(address));
	snprintf(path, sizeof(path), DRM_CLASS "/%.200s/device/driver", name);
	fsroot_link_name(s->fs, path, driver, sizeof(driver));
	snprintf(text, sizeof(text), "%.200s %s %s", name, address, driver);
	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * FNV_PRIME;
	s->sum += hash;	/* in whatever order the folder has them */
	return true;
}

static uint64_t signature_of(const struct fsroot *fs)
{
	struct signature s = { .fs = fs, .sum = FNV_OFFSET };

	if (fsroot_exists(fs, DRM_CLASS))
		fsroot_each(fs, DRM_CLASS, add_card, &s, NULL);
	return s.sum;
}

/* A card in another slot is another one, whatever its number. */
static struct device_entry *find_card(const struct device_list *l, const struct device *d)
{
	for (size_t i = 0; i < l->count; i++)
		if (!strcmp(l->entries[i].device.id, d->id) &&
			!strcmp(l->entries[i].device.pci_address, d->pci_address))
			return &l->entries[i];
	return NULL;
}

/* Sessions name their device by its place, so those behind the one that goes move up. */
static void remove_entry(struct program *p, int i)
{
	struct device_list *l = &p->devices;

	memmove(&l->entries[i], &l->entries[i + 1],
		(l->count - (size_t)i - 1) * sizeof(l->entries[0]));
	l->count--;
	for (int k = 0; k < p->n_sessions; k++)
		if (p->sessions[k]->opened.entry > i)
			p->sessions[k]->opened.entry--;
}

/* Puts the new card number i of a fresh list where it would have stood from the start: behind the
 * nearest one before it that both lists have. Sessions move down with the devices behind it. */
static void insert_entry(struct program *p, const struct device_list *now, size_t i)
{
	struct device_list *l = &p->devices;
	const struct device_entry *before = NULL;
	size_t at = 0;

	for (size_t k = i; k-- > 0 && !before;)
		before = find_card(l, &now->entries[k].device);
	if (before)
		at = (size_t)(before - l->entries) + 1;
	device_list_add(l, now->entries[i].backend);
	memmove(&l->entries[at + 1], &l->entries[at],
		(l->count - 1 - at) * sizeof(l->entries[0]));
	l->entries[at] = now->entries[i];
	for (int k = 0; k < p->n_sessions; k++)
		if (p->sessions[k]->opened.entry >= (int)at)
			p->sessions[k]->opened.entry++;
}

/* A card that is open keeps its place, because its session looks for it. */
static void follow_entry(struct program *p, int i, const struct device_list *now)
{
	struct device_entry *e = &p->devices.entries[i];
	const struct device_entry *found = find_card(now, &e->device);

	e->gone = !found;
	if (found)
		*e = *found;
	else if (!session_of_entry(p, i))
		remove_entry(p, i);
}

static void take_anew(struct program *p)
{
	struct device_list now = { 0 };

	if (backends_probe(&p->fs, &now, NULL)) {
		for (int i = (int)p->devices.count - 1; i >= 0; i--)
			if (drm_is_card(p->devices.entries[i].device.id))
				follow_entry(p, i, &now);
		for (size_t i = 0; i < now.count; i++) {
			const struct device_entry *e = &now.entries[i];

			if ((e->device.simulated || drm_is_card(e->device.id)) &&
				!find_card(&p->devices, &e->device))
				insert_entry(p, &now, i);
		}
	}
	device_list_release(&now);
	p->device_changes++;
}

void device_changes_begin(struct program *p)
{
	p->devices_signature = signature_of(&p->fs);
}

void device_changes_follow(struct program *p, int64_t now_ns, bool at_once)
{
	int64_t period_ns = p->devices_told ? LOOK_TOLD_NS : LOOK_NS;

	if (p->devices_settle_ns && now_ns >= p->devices_settle_ns) {
		p->devices_settle_ns = 0;
		at_once = true;
	}
	if (!at_once && now_ns - p->devices_looked_ns < period_ns)
		return;
	uint64_t signature = signature_of(&p->fs);
	if (at_once || (p->devices_signature && signature != p->devices_signature))
		take_anew(p);
	p->devices_looked_ns = now_ns;
	p->devices_signature = signature;
}

static bool is_real_card(const struct session *ses)
{
	const struct device *d = ses->dev ? &ses->dev->device : NULL;

	return d && !d->recorded && !d->simulated && drm_is_card(d->id);
}

bool device_changes_have_card(const struct program *p)
{
	for (int i = 0; i < p->n_sessions; i++)
		if (is_real_card(p->sessions[i]))
			return true;
	return false;
}

/* A reset clears what the streams have programmed, and no driver says so on them. */
static void tell_of_gpu(struct session *ses, const struct uevent *e)
{
	const char *id = ses->dev->device.id;
	struct err err = { 0 };

	switch (e->kind) {
	case UEVENT_ERROR:
		err_set(&err, ERR_SYS, _("%s: the kernel tells of an error of the GPU"), id);
		err_hint(&err, _("sudo dmesg tells more; the GPU may be reset now"));
		break;
	case UEVENT_RESET:
		err_set(&err, ERR_SYS, _("%s: the GPU was reset: counting begins again"), id);
		refresh_reset(ses, clock_mono_ns(&ses->clock));
		break;
	default:
		err_set(&err, ERR_NO_DEVICE, _("%s: its driver has given the GPU up"), id);
		err_hint(&err, _("sudo dmesg tells why; what the kernel says brings it back: %s"),
			e->recovery);
	}
	session_problem(ses, &err);
}

static void on_uevent(void *ctx, int fd, short revents)
{
	static const char *const subsystems[] = { "drm", "pci", NULL };
	struct device_listener *l = ctx;
	bool changed = false;
	struct uevent e;

	while (uevents_next(fd, subsystems, &e)) {
		changed |= e.kind == UEVENT_CHANGED;
		for (int i = 0; e.kind != UEVENT_CHANGED && i < l->program->n_sessions; i++) {
			struct session *ses = l->program->sessions[i];

			if (is_real_card(ses) && !strcmp(ses->dev->device.id, e.card))
				tell_of_gpu(ses, &e);
		}
	}
	if (changed)
		l->told(l->ctx);
	if (revents & (POLLHUP | POLLNVAL)) {
		loop_remove_fd(l->loop, fd);
		l->program->devices_told = false;
	}
}

void device_changes_listen(struct device_listener *l)
{
	struct program *p = l->program;

	l->fd = -1;
	if (!p->fs.prefix[0])
		l->fd = uevents_open();
	p->devices_told = l->fd >= 0;
	loop_add_fd(l->loop, l->fd, POLLIN, on_uevent, l);
}

void device_changes_stop_listening(struct device_listener *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

void device_changes_told(struct program *p, int64_t now_ns)
{
	device_changes_follow(p, now_ns, true);
	p->devices_settle_ns = now_ns + SETTLE_NS;
}
