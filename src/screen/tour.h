/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teaches the screen: a sentence that says what its numbers mean now. */
#ifndef SCREEN_TOUR_H
#define SCREEN_TOUR_H

#include "core/snapshot/snapshot.h"

/* Returns the sentence that fits the window, translated; NULL when the set lacks what tells the
 * phases apart. */
const char *tour_sentence(const struct snapshot *s);

#endif
