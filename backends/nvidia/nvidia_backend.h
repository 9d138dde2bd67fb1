/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend of NVIDIA GPUs under NVIDIA's own driver. */
#ifndef BACKENDS_NVIDIA_NVIDIA_BACKEND_H
#define BACKENDS_NVIDIA_NVIDIA_BACKEND_H

#include "backends/common/backend.h"

extern const struct backend nvidia_backend;

#endif
