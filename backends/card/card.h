/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What any DRM card tells while it runs, whoever made it: its files, its link, its clients. */
#pragma once

#include "backends/common/backend.h"

/* --- card_files.c --- */

/* Returns the source "card" with a counter for each file that is there, and sets limits as
 * constants of *d, which has to live as long. A card that sleeps is left asleep: its samples then
 * say so, and its limits are read when it wakes. Never NULL; without any file it has no counter
 * with a name. */
struct source *card_files_open(struct device *d, const struct open_options *o);
/* Reads a number that may have a fraction and a unit behind it, "8.0 GT/s PCIe", and multiplies it
 * by factor. Returns false for a word: a link that is down says "Unknown". */
bool card_files_number(const struct fsroot *fs, const char *path, double factor, double *out,
	struct err *err);
/* files: that source, of which ready() was called for this window. Returns whether the card told
 * the value of a counter. */
bool card_files_value(const struct source *files, const char *counter, uint64_t *out);
/* files: that source. busy: that of the card's clients, which says, beside the driver's busy time,
 * whether the card works. An idle card is left alone from time to time, so that it can fall asleep
 * (card_files.c): samples then repeat what was read before. */
void card_files_let_rest(struct source *files, const struct source *busy);
/* files: that source, of which ready() was called for this window. Tells whether the card is left
 * alone, by other sources too. */
bool card_files_rest(const struct source *files);

/* --- card_link.c --- */

/* Writes the folder in sysfs of the PCI device whose link leads to the machine: that of the card,
 * or of the upstream port of a switch that is on the card. A card that sleeps is not woken. */
void card_link_folder(const struct fsroot *fs, const char *card, char *folder, size_t size);

/* --- card_busy.c --- */

/* Returns the source "clients", whose counters are nanoseconds of work by class of engines, and
 * makes dev->clients a source that shares its scans. The device has to be filled before, since its
 * name and driver tell which files of /proc belong to it. */
struct source *card_busy_open(struct open_device *dev, const struct open_options *o);
/* busy: that source. Tells whether its clients did anything in the last window, as far as they can
 * be seen. */
bool card_busy_works(const struct source *busy);
/* busy: that source. Gives the share of the last window that its clients used of the busiest
 * engine, and when that window ended; NAN: unknown. */
double card_busy_share(const struct source *busy, int64_t *ended_ns);
/* busy: that source. While is_around(ctx) says so, somebody computes of whom clients tell nothing,
 * and the counter of computing has no number. ctx has to live as long as the device's sources. */
void card_busy_around(struct source *busy, bool (*is_around)(const void *ctx), const void *ctx);

/* --- fdinfo.c --- */

/* The clients of the device; never NULL. What is under /proc is looked at by the first scan.
 * Processes without a file of a DRM device are looked into again only every few scans, the more
 * rarely the longer they have none. */
struct client_source *fdinfo_open(const struct device *d, const struct fsroot *fs);
