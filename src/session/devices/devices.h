/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds, chooses, opens and closes devices. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "base/err.h"
#include "base/fsroot.h"
#include "base/loop.h"
#include "session/program.h"
#include "session/session.h"

/* Asks every backend for what it finds. */
bool devices_probe(struct program *p, struct err *err);
/* Chooses the entry that was asked for, or the first by the order of preference. may_simulate lets
 * a simulated device take the place of a missing one; no_device then says why. Fails with the
 * refusal of what was found. */
bool devices_choose(struct session *ses, bool may_simulate, int *index, struct err *err);
/* Fails with the reason why no device of this machine can be used. */
bool devices_none(struct session *ses, struct err *err);
/* Finds the usable entry that a -D argument names, and adds an entry where the argument describes
 * one. */
bool devices_named(struct session *ses, const char *text, int *index, struct err *err);
/* Gives up the right to look into everybody's processes, for good, unless this run shows processes,
 * or something that it opens, of which e is one, is known by them alone (AMD, v3d, Adreno and cards
 * that no backend knows). The answer then names the user's own processes alone. The first one is
 * for before anything of the user is read: what the machine has counts for what will be opened. */
void devices_leave_rights_early(const struct options *o);
void devices_leave_rights(const struct session *ses, const struct device_entry *e);
/* Opens an entry with a metric set (NULL: the usual one) in place of the open one. When this fails
 * the open one stays open, unless it is the same entry. Ends a recording. */
bool devices_open(struct session *ses, int index, const char *set_name, struct err *err);
/* Opens the entry that devices_choose() has given, with its usual set. Where nobody named a device
 * and that one cannot be opened, the next by the order of preference takes its place, and a message
 * says why. Fails with what was wrong with the first. */
bool devices_open_best(struct session *ses, int index, struct err *err);
/* Keeps a device of this machine on show that could not be opened again, without a source and with
 * this set. why says what went wrong. */
void devices_stand_in(
	struct session *ses, int index, const struct metric_set *set, const struct err *why);
/* The user chose the open device, so that it no longer stands in for a missing one. */
void devices_user_chose(struct session *ses);
/* Looks every few seconds for the device that has a stand-in, and opens a device anew that has
 * other parts now, unless it is recorded. Returns true when it was opened. Has to be called between
 * ticks. */
bool devices_look_for(struct session *ses);
void devices_close(struct session *ses);
/* Fills in row i of the devices screen. */
void devices_summary(const struct session *ses, int i, struct device_summary *out);

struct open_all {
	bool may_simulate;	/* as devices_choose() has it */
	bool may_repeat;	/* a device of this machine may be open twice */
	/* a session whose windows do not wait (--speed max, --per-report) gets a clock of its
	 * own */
	bool may_hurry;
	/* a device of this machine runs in the machine's time, also when the program's clock is
	 * virtual (scripts); those that follow do, too */
	bool may_be_real;
};

/* Looks up all names before it opens the first device. The program then has a session for each
 * device. Returns false with err when one cannot be opened. Devices that -D all stands for are left
 * out with a message, as long as one of them can be opened. */
bool open_all(struct program *p, const struct open_all *how, struct err *err);
/* Opens those of the devices that -D all stands for that are not open: they came, or can be opened
 * now. What cannot be opened has a message. The program then has further sessions at the end. */
void open_all_new(struct program *p);

/* Says whether the device can follow all options that the session has for it. The error names the
 * option, the device and the reason. */
bool device_options_check(
	const struct session *ses, const struct device_entry *e, struct err *err);

/* Says whether the bus has a display device; it is asked where there is no card. why gets which one
 * it is, why it is no card, and the way out; where there is none, what was looked at, and no
 * hint. */
bool pci_display_find(const struct fsroot *fs, struct err *why);

/* Keeps the list of devices in step with the cards of the machine. */

struct program;

/* Keeps which cards there are, before they are looked up for the first time: what comes meanwhile
 * is then found as a change. */
void device_changes_begin(struct program *p);
/* Who hears of it when the kernel tells that a device came, went or got another driver. */
struct device_listener {
	struct program *program;
	struct loop *loop;
	void (*told)(void *ctx);	/* calls device_changes_told() */
	void *ctx;
	int fd;				/* -1: the kernel tells nothing */
};

/* Whether a session has a card of this machine, which may be reset. */
bool device_changes_have_card(const struct program *p);
/* Listens where that is allowed; nobody does for a replayed tree, which is of another machine. What
 * the kernel tells of the GPU of a session goes to that session: after a reset its streams are
 * opened again. The listener must live as long as the loop, and stop before that ends. */
void device_changes_listen(struct device_listener *l);
void device_changes_stop_listening(struct device_listener *l);
/* The kernel tells of a card: looks at once, and again a moment later, because udev gives the
 * rights to the new node only then. */
void device_changes_told(struct program *p, int64_t now_ns);
/* Looks every two seconds, or every two minutes where the kernel tells of changes, which cards
 * /sys/class/drm has, and takes them anew when these, or their drivers, are others; at_once: now,
 * whatever it has. Cards that are gone leave the list, but for those that are open. Counts
 * program.device_changes. Entries of the list may move. */
void device_changes_follow(struct program *p, int64_t now_ns, bool at_once);
