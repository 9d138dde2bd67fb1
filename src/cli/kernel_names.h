/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the kernels that the user's words mean. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "core/work/job.h"

/* The array is owned; kernel_names_release() frees it. */
struct kernel_names {
	char (*names)[48];
	size_t n, cap;
};

/* Adds the kernels that a word means. The word is a name of the catalogue, with or without its
 * first part ("private.mad.sp.x4"), or a pattern with * ? and [ ]; a pattern takes those matching
 * kernels that the device supports. A plain word that is not in the catalogue is taken as it
 * stands, because the runner knows more names than it lists. Returns false when a pattern matches
 * nothing. */
bool kernel_names_add(struct kernel_names *p, const struct kernel_info *kernels, size_t n,
	const char *word, struct err *err);
/* Returns the kernel of that name, NULL when it is not listed. */
const struct kernel_info *kernel_names_find(
	const struct kernel_info *kernels, size_t n, const char *name);
/* Adds to err the kernels that are named like a word, if there are any. Returns false. */
bool kernel_names_similar(
	const struct kernel_info *kernels, size_t n, const char *word, struct err *err);
void kernel_names_release(struct kernel_names *p);
