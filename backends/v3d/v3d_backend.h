/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broadcom V3D, the GPU of Raspberry Pi 4 and 5. */
#ifndef BACKENDS_V3D_V3D_BACKEND_H
#define BACKENDS_V3D_V3D_BACKEND_H

#include "backends/common/backend.h"

extern const struct backend v3d_backend;

#endif
