/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teaches the screen: a sentence below each pane that says what its numbers mean now. */
#ifndef SCREEN_TOUR_H
#define SCREEN_TOUR_H

#include "core/snapshot.h"
#include "ui/view.h"

#define TOUR_NOTES 4

/* The notes that fit the window, constant texts; returns their number, 0 when the set lacks what
 * tells the phases apart. */
int tour_notes(const struct snapshot *s, const struct pane_note **out);

#endif
