/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that change in one step. */
#include "config.h"

#include "base/fsroot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"

/* Every folder above the file; private, as XDG asks for configuration. */
static bool make_folders(const char *path, struct err *err)
{
	char folder[PATH_MAX];

	if (strlen(path) >= sizeof(folder))
		return err_set(err, ERR_USAGE, _("the path '%.200s' is too long"), path);
	snprintf(folder, sizeof(folder), "%s", path);
	for (char *p = folder + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(folder, 0700) < 0 && errno != EEXIST)
			return err_sys(err, _("cannot make the folder '%s'"), folder);
		*p = '/';
	}
	return true;
}

static bool write_all(int fd, const char *s, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		s += n;
		len -= (size_t)n;
	}
	return true;
}

static mode_t wanted_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0644 & ~mask;
}

/* The new content becomes the file in one step, so that a crash leaves the old one. A link stays a link. */
bool file_replace(const char *path, const char *text, size_t len, struct err *err)
{
	char *target = realpath(path, NULL);
	char *temporary = xasprintf("%s.XXXXXX", target ? target : path);
	bool made = false, good = false;
	int fd = -1;

	if (!make_folders(path, err))
		goto out;
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		err_sys(err, _("cannot write beside '%s'"), path);
		goto out;
	}
	made = true;
	if (!write_all(fd, text, len) || fchmod(fd, wanted_mode()) < 0 || fsync(fd) < 0) {
		err_sys(err, _("cannot write '%s'"), temporary);
		goto out;
	}
	if (rename(temporary, target ? target : path) < 0) {
		err_sys(err, _("cannot replace '%s'"), path);
		goto out;
	}
	made = false;
	good = true;
out:
	if (fd >= 0)
		close(fd);
	if (made)
		unlink(temporary);
	free(temporary);
	free(target);
	return good;
}
