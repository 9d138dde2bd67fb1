/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs that no driver makes a card of: only the PCI bus lists them. */
#ifndef SESSION_PCI_DISPLAY_H
#define SESSION_PCI_DISPLAY_H

#include <stdbool.h>

#include "base/err.h"
#include "base/fsroot.h"

/* Whether the bus has a display device; asked where there is no card. why: which one, why it is
 * none, and the way out. */
bool pci_display_find(const struct fsroot *fs, struct err *why);

#endif
