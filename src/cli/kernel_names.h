/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels the user's words mean. */
#ifndef CLI_KERNEL_NAMES_H
#define CLI_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "core/job.h"

/* Owned: kernel_names_release(). */
struct kernel_names {
	char (*names)[48];
	size_t n, cap;
};

/* Adds what a word means: a name of the catalogue, with or without its first part
 * ("private.mad.sp.x4"), or a pattern with * ? and [ ] over the names, of which the kernels that
 * the device supports are taken. A word without a pattern that is no name of the list is taken as
 * it stands: the runner knows more names than it lists. False when a pattern fits nothing. */
bool kernel_names_add(struct kernel_names *p, const struct kernel_info *kernels, size_t n,
	const char *word, struct err *err);
void kernel_names_release(struct kernel_names *p);

#endif
