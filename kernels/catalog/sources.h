/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The OpenCL C of the kernels. */
#pragma once

#include "base/embedded.h"

/* common.cl stands before each of the others. */
extern const struct embedded kernel_sources[];
