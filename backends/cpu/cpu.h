/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor as a device: cpu0. */
#ifndef BACKENDS_CPU_CPU_H
#define BACKENDS_CPU_CPU_H

#include "backends/common/backend.h"

extern const struct backend cpu_backend;

#endif
