/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the DRM cards of this machine, whatever their vendor, and is the backend of those that no
 * other one claims. */
#ifndef BACKENDS_CARD_DRM_BACKEND_H
#define BACKENDS_CARD_DRM_BACKEND_H

#include "backends/common/backend.h"

/* Adds all cards in the order of their numbers. The first of the backends (NULL-terminated) with a
 * row that fits gets the card. Opens nothing that could wake a card. */
bool drm_cards_list(const struct backend *const *backends, const struct fsroot *fs,
	struct device_list *out, struct err *err);
/* For identify(): why the card cannot be used; the way out is that of all such cards. */
void drm_card_refuse(struct device_entry *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* For identify(): the card can be used, with the metric sets of that platform. */
void drm_card_use(struct device_entry *e, const char *platform);
/* Opens what every card has, whatever its driver: files of sysfs as the first source, then its
 * clients. e->refusal, if any, becomes the row that says why its own counters are not there. A backend
 * may add sources of its own behind these. */
bool drm_card_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);
/* For open(): sets err to the refusal of an entry that is not usable. Returns false. */
bool drm_card_refuse_open(const struct device_entry *e, struct err *err);

#endif
