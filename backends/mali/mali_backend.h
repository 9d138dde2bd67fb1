/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm Mali GPUs of this machine, through panfrost or kbase. */
#ifndef BACKENDS_MALI_MALI_BACKEND_H
#define BACKENDS_MALI_MALI_BACKEND_H

#include "backends/common/backend.h"

extern const struct backend mali_backend;

#endif
