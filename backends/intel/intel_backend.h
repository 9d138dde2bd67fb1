/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend of real Intel GPUs. */
#ifndef BACKENDS_INTEL_INTEL_BACKEND_H
#define BACKENDS_INTEL_INTEL_BACKEND_H

#include "backends/common/backend.h"

extern const struct backend intel_backend;

#endif
