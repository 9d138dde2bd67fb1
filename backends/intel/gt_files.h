/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "gt" of an i915 or xe card: why its clock is held down, temperature and fan, from
 * files that everybody may read. */
#ifndef BACKENDS_INTEL_GT_FILES_H
#define BACKENDS_INTEL_GT_FILES_H

#include "backends/common/backend.h"

/* Attaches the source where at least one of its files is there. */
extern const struct companion gt_files_companion;

#endif
