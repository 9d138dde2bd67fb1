/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCL's error codes as sentences with a way out. */
#ifndef KERNELS_WORKER_CLERR_H
#define KERNELS_WORKER_CLERR_H

#include "base/err.h"

/* Fills err with "what: CL_NAME (text)" and its hint; returns false. */
bool clerr_set(struct err *err, int code, const char *what);

#endif
