/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When an idle card is left alone for some seconds, so that it can fall asleep. */
#ifndef BACKENDS_CARD_CARD_REST_H
#define BACKENDS_CARD_CARD_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fsroot.h"

/* Reading a card's files counts as use of it: amdgpu takes and gives back a reference of runtime
 * power management for each read, which starts the delay anew after which the card may be suspended
 * (Linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, amdgpu_pm_put_access();
 * Documentation/power/runtime_pm.rst). Who reads more often than the delay is long keeps the card
 * awake for ever.
 *
 * A zeroed struct is a card that is never left alone. Plain data. */
struct card_rest {
	char card[32];
	int64_t delay_ns;	/* after which the driver may suspend it; 0: it never does */
	int64_t idle_since_ns;	/* 0: it works */
	int64_t until_ns;	/* it is left alone until then; 0: it is not */
	int64_t next_ns;	/* not again before */
	int64_t before_ns;	/* the window before */
};

/* Reads whether the driver may suspend the card by itself, and after which delay. */
void card_rest_init(struct card_rest *r, const struct fsroot *fs, const char *card);
/* Says whether this window's files are not to be read. is_idle: nothing that was read, and nobody
 * who uses the card, says that it works. A card that did not fall asleep although it was left alone
 * is held awake by somebody else, and has its next chance a minute later; one with a screen that is
 * on has none. */
bool card_rest_now(struct card_rest *r, const struct fsroot *fs, bool is_idle, int64_t now_ns);
/* The card sleeps: when it is awake again it has a chance soon. */
void card_rest_slept(struct card_rest *r);

#endif
