/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the library of the tests share. */
#pragma once

#include <stdint.h>

#include "backends/sim/model/nvidia_gpu.h"

#define EXPORT __attribute__((visibility("default")))
enum { SUCCESS = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6,
	INSUFFICIENT_SIZE = 7, TIMEOUT = 10, NO_DATA = 21, ARGUMENT_VERSION_MISMATCH = 25 };

typedef int nvmlReturn_t;
typedef struct nvidia_gpu *nvmlDevice_t;

/* The card; NULL before nvmlInit. */
extern struct nvidia_gpu *gpu;

/* Time of the model. */
int64_t now_ns(void);
/* What the function is told to return; SUCCESS: what it does. */
int fault_of(const char *function);

/* How every function begins, and one of a device. */
#define BEGIN \
	do { \
		int fault = fault_of(__func__); \
		if (fault != SUCCESS) \
			return fault; \
	} while (0)
#define BEGIN_DEVICE(d) \
	do { \
		BEGIN; \
		if (!(d) || !gpu) \
			return gpu ? INVALID_ARGUMENT : UNINITIALIZED; \
	} while (0)
