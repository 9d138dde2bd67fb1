/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neural processors that have nodes in /dev/accel: Intel's under ivpu, AMD's under amdxdna. */
#ifndef BACKENDS_NPU_NPU_BACKEND_H
#define BACKENDS_NPU_NPU_BACKEND_H

#include "backends/common/backend.h"

extern const struct backend npu_backend;

#endif
