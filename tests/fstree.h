/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small tree of /sys and /proc in a temporary folder, for tests that read through a struct
 * fsroot. */
#pragma once

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"

static inline void fstree_die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline void fstree_new(struct fsroot *fs)
{
	const char *folder = getenv("TMPDIR");

	snprintf(fs->prefix, sizeof(fs->prefix), "%s/rooftop-test-XXXXXX",
		folder && *folder ? folder : "/tmp");
	if (!mkdtemp(fs->prefix))
		fstree_die(fs->prefix);
}

/* The file with its folders; text gets a newline. */
static inline void fstree_put(const struct fsroot *fs, const char *path, const char *text)
{
	char full[PATH_MAX];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", fs->prefix, path);
	for (char *p = full + strlen(fs->prefix) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(full, 0777) != 0 && errno != EEXIST)
			fstree_die(full);
		*p = '/';
	}
	f = fopen(full, "we");
	if (!f || fprintf(f, "%s\n", text) < 0 || fclose(f) != 0)
		fstree_die(full);
}

static inline int fstree_remove_one(
	const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void fstree_remove(const struct fsroot *fs)
{
	nftw(fs->prefix, fstree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
