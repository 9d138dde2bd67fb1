/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out commands. This is the only place that knows what a key does. */
#ifndef SCREEN_DISPATCH_H
#define SCREEN_DISPATCH_H

#include "screen/split.h"
#include "ui/draw/keys.h"

/* Carries out a key. It may open and close halves, so none of their descriptors may be in a loop
 * meanwhile. */
void dispatch_key(struct split *s, const struct key_event *k);

#endif
