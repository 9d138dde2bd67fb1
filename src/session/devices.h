/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding, choosing, opening and listing devices. */
#ifndef SESSION_DEVICES_H
#define SESSION_DEVICES_H

#include "session/program.h"

/* Asks every backend for what it finds. */
bool devices_probe(struct program *p, struct err *err);
/* The entry that was asked for, or that the order of preference gives. may_simulate: a simulated device may take
 * the place of a missing one (and no_device then says why). Fails with the refusal of what was
 * found. */
bool devices_choose(struct session *ses, bool may_simulate, int *index, struct err *err);
/* Fails with the reason why no device of this machine can be used. */
bool devices_none(struct session *ses, struct err *err);
/* The usable entry that a -D argument names; adds one where it describes one. */
bool devices_named(struct session *ses, const char *text, int *index, struct err *err);
/* Opens an entry with a metric set (NULL: the usual one) in place of the open one, which stays open
 * when this fails unless it is the same entry. Ends a recording. */
bool devices_open(struct session *ses, int index, const char *set_name, struct err *err);
/* For a device of this machine that could not be opened again (why): it stays the one that is
 * shown, without a source, with this set. */
void devices_stand_in(
	struct session *ses, int index, const struct metric_set *set, const struct err *why);
/* Looks every few seconds for the device that has a stand-in. True: it is open now. Called between
 * ticks. */
bool devices_look_for(struct session *ses);
void devices_close(struct session *ses);
/* Row i of the devices screen. */
void devices_summary(const struct session *ses, int i, struct device_summary *out);

#endif
