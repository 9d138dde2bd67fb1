/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teaches the screen: a sentence below each pane that says what its numbers mean now. */
#ifndef SCREEN_TOUR_H
#define SCREEN_TOUR_H

#include "core/snapshot.h"
#include "ui/view.h"

#define TOUR_NOTES 4

/* Finds the notes that fit the window; the texts are constant. Returns their number, or 0 when the
 * set lacks what tells the phases apart. */
int tour_notes(const struct snapshot *s, const struct pane_note **out);

#endif
