/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sysfs tells of any DRM card while it runs: clocks, sensors, memory, the link to the machine. */
#ifndef BACKENDS_CARD_CARD_FILES_H
#define BACKENDS_CARD_CARD_FILES_H

#include "backends/common/backend.h"

/* Returns the source "card" with a counter for each file that is there, and sets limits as constants
 * of *d, which has to live as long. A card that sleeps is left asleep: its samples then say so, and its limits are
 * read when it wakes. Never NULL; without any file it
 * has no counter with a name. */
struct source *card_files_open(struct device *d, const struct open_options *o);
/* Reads a number that may have a fraction and a unit behind it, "8.0 GT/s PCIe", and multiplies it
 * by factor. Returns false for a word: a link that is down says "Unknown". */
bool card_files_number(const struct fsroot *fs, const char *path, double factor, double *out,
	struct err *err);
/* files: that source, of which ready() was called for this window. Returns whether the card told the value
 * of a counter. */
bool card_files_value(const struct source *files, const char *counter, uint64_t *out);
/* files: that source. busy: that of the card's clients, which says, beside the driver's busy time,
 * whether the card works. An idle card is left alone from time to time, so that it can fall asleep
 * (card_files.c): samples then repeat what was read before. */
void card_files_let_rest(struct source *files, const struct source *busy);
/* files: that source, of which ready() was called for this window. Tells whether the card is left
 * alone, by other sources too. */
bool card_files_rest(const struct source *files);

#endif
