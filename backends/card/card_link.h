/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PCIe link between a card and the machine, which is not always that of the GPU's own function. */
#ifndef BACKENDS_CARD_CARD_LINK_H
#define BACKENDS_CARD_CARD_LINK_H

#include "backends/common/backend.h"

/* Writes the folder in sysfs of the PCI device whose link leads to the machine: that of the card, or of
 * the upstream port of a switch that is on the card. A card that sleeps is not woken. */
void card_link_folder(const struct fsroot *fs, const char *card, char *folder, size_t size);

#endif
