/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend of AMD GPUs under amdgpu. */
#ifndef BACKENDS_AMDGPU_AMDGPU_BACKEND_H
#define BACKENDS_AMDGPU_AMDGPU_BACKEND_H

#include "backends/common/backend.h"

extern const struct backend amdgpu_backend;

#endif
