/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a key does: the one place that carries commands out. */
#ifndef SCREEN_DISPATCH_H
#define SCREEN_DISPATCH_H

#include "screen/split.h"
#include "ui/keys.h"

/* May open and close halves: none of their descriptors may be in a loop meanwhile. */
void dispatch_key(struct split *s, const struct key_event *k);

#endif
