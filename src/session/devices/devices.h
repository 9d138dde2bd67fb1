/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds, chooses, opens and lists devices. */
#ifndef SESSION_DEVICES_DEVICES_H
#define SESSION_DEVICES_DEVICES_H

#include "session/program.h"

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
/* Gives up the right to look into everybody's processes, for good, unless this run shows processes, or
 * something that it opens, of which e is one, is known by them alone (AMD, v3d, Adreno and cards that no
 * backend knows). The answer then names the user's own processes alone. Before anything that the user
 * names is read for the device. */
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
/* Looks every few seconds for the device that has a stand-in, and opens a device anew that has other
 * parts now, unless it is recorded. Returns true when it was opened. Has to be called between ticks. */
bool devices_look_for(struct session *ses);
void devices_close(struct session *ses);
/* Fills in row i of the devices screen. */
void devices_summary(const struct session *ses, int i, struct device_summary *out);

#endif
