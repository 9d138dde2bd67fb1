/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where a name leads to, past every link that somebody else may have planted on the way. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct place {
	int folder;		/* a descriptor of it; -1: there is none */
	/* The file by way of that descriptor, "/proc/self/fd/7/out.json", so that nobody can change
	 * what it means; without a /proc the name that was given. Where no place was found: the
	 * folder that is missing, or "". */
	char path[PATH_MAX];
	bool is_planted;	/* it was not found because of such a link */
	bool is_kernels_link;	/* the file is a link of the kernel's own, such as /proc/self/fd/1 */
};

/* What the last name may be, and what is made. */
#define PLACE_FOLLOWS 1		/* what a link of that name leads to, also where nothing is there yet */
#define PLACE_MAKES 2		/* folders that are missing, for this user alone (as XDG asks) */

/* A link is followed unless it lies in a folder that others may write to, and belongs neither to us
 * nor to whom the folder belongs (as Linux has it in folders like /tmp, fs.protected_symlinks of
 * proc_sys_fs(5)). Returns false with errno: EACCES for such a link, ELOOP where links lead in
 * circles. */
bool place_find(struct place *p, const char *path, int how);
void place_leave(struct place *p);
/* Opens what is there. -1 with errno. */
int place_open(const struct place *p, int flags);
/* Returns what stands behind the last slash of a path. */
const char *place_last(const char *path);
/* Fills buf with the name of what a descriptor is open for; "" where the kernel does not say. */
void place_name(int fd, char *buf, size_t size);
