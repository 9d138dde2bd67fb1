/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds GPUs that only the PCI bus lists, because no driver makes a card of them. */
#ifndef SESSION_DEVICES_PCI_DISPLAY_H
#define SESSION_DEVICES_PCI_DISPLAY_H

#include <stdbool.h>

#include "base/err.h"
#include "base/fsroot.h"

/* Says whether the bus has a display device; it is asked where there is no card. why gets which one
 * it is, why it is no card, and the way out; where there is none, what was looked at, and no hint. */
bool pci_display_find(const struct fsroot *fs, struct err *why);

#endif
