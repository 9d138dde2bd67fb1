/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the result codes of NVIDIA's library mean for people and for values. */
#ifndef BACKENDS_NVIDIA_NVML_WORDS_H
#define BACKENDS_NVIDIA_NVML_WORDS_H

#include "base/err.h"
#include "core/value/value.h"

/* Says why device cannot be read: code is nvmlReturn_t or NVML_NO_LIBRARY, words what failed. Returns
 * false. */
bool nvml_refuse(struct err *err, const char *device, int code, const char *words);
/* Why a single value has no number. */
enum why nvml_why(int code);

#endif
