/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that compute on an AMD GPU through KFD, as ROCm's do, beside the clients of DRM. */
#ifndef BACKENDS_AMDGPU_KFD_CLIENTS_H
#define BACKENDS_AMDGPU_KFD_CLIENTS_H

#include "backends/common/backend.h"

/* Returns a source whose rows are those of inner, with what KFD tells of each process: "kfd-cu" is
 * the share of the card's wave slots that the process has taken at this moment, "kfd-sdma" the
 * share of the copy engines' time; memory is the larger of what both tell. A process that inner
 * does not see gets a row with n_clients 0. busy is the source of card_busy_open(), which then does
 * not take work of KFD for none. It owns inner. NULL, with both as they were: KFD does not know the
 * card. */
struct client_source *kfd_clients_open(struct client_source *inner, struct source *busy,
	const struct fsroot *fs, const struct device *d);

#endif
