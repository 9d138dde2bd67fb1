/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "dram" of cpu0 and of processor graphics: what the memory controllers count. */
#ifndef BACKENDS_CPU_TRAFFIC_H
#define BACKENDS_CPU_TRAFFIC_H

#include "backends/backend.h"

extern const struct companion traffic_companion;

#endif
