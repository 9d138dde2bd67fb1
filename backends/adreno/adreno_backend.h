/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Qualcomm's Adreno under msm. */
#ifndef BACKENDS_ADRENO_ADRENO_BACKEND_H
#define BACKENDS_ADRENO_ADRENO_BACKEND_H

#include "backends/common/backend.h"

extern const struct backend adreno_backend;

#endif
