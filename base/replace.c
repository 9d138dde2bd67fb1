/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that change in one step. */
#include "config.h"

#include "base/fsroot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/outlet.h"
#include "base/place.h"

#define TEMPORARY ".rooftop-XXXXXX"	/* a name that nobody else gives a copy */

/* How long a reader of a pipe may take for some bytes. */
#define READER_PATIENCE_NS (3 * NS_PER_S)

/* Of the file; heap. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	if (slash == path)
		return xstrdup("/");
	return xstrndup(path, (size_t)(slash - path));
}

bool file_cannot_write(struct err *err, const char *path)
{
	int sys = errno;
	struct place p;
	char *folder = folder_of(path);
	struct stat st;
	size_t len;
	bool is_found = place_find(&p, path, PLACE_FOLLOWS);

	place_leave(&p);
	errno = sys;
	err_sys(err, "cannot write to '%s'", path);
	err_of_file(err);
	for (len = strlen(path); len > 0 && path[len - 1] == '/';)
		len--;
	bool is_missing = stat(folder, &st) < 0 && errno == ENOENT;
	if (sys == EACCES && !is_found && p.is_planted)
		err_hint(err, "another user's link is in the way, in a folder that others may write to");
	else if (sys == EISDIR)
		err_hint(err, "name a file in it, such as '%.*s/rooftop.out'", (int)len, path);
	else if (sys == ENXIO)
		err_hint(err, "nobody reads that FIFO; start its reader first");
	else if (sys == ENOENT && (is_missing || (!is_found && *p.path)))
		err_hint(err, "there is no folder '%s'; mkdir -p makes it", is_missing ? folder : p.path);
	else if (sys == ENOENT || sys == ENOTDIR || sys == EACCES || sys == EPERM || sys == EROFS)
		err_hint(err, "name a file in a folder that takes files of yours, such as $HOME");
	else if (sys == ENOSPC || sys == EDQUOT)
		err_hint(err, "make room there, or name a file somewhere else");
	free(folder);
	return false;
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

/* A device or pipe keeps its place: a rename would put a file there. So does what is open already,
 * such as /dev/stdout, which may be a file that others write to as well. A pipe that nobody reads
 * is an error; one that is read slowly is waited for while its reader goes on. */
static bool write_into(const struct place *p, const char *path, const char *text, size_t len,
	struct err *err)
{
	int fd = place_open(p, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct outlet o = { .kind = OUTLET_CLOSED };

	if (fd < 0)
		return file_cannot_write(err, path);
	outlet_take(&o, fd);
	outlet_add(&o, text, len);
	bool good = outlet_drain(&o, READER_PATIENCE_NS);
	errno = o.error ? o.error : ETIMEDOUT;
	if (!good)
		file_cannot_write(err, path);
	outlet_close(&o);
	return good;
}

/* A writer holds its temporary file locked; one that a killed writer has left is not. A file of
 * this second is left alone, because its writer may be about to lock it. */
static bool is_leftover(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		time(NULL) - st.st_mtime > 1 && flock(fd, LOCK_EX | LOCK_NB) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

void file_drop_leftovers(const char *path)
{
	const char *name = place_last(path);
	char *folder = folder_of(path);
	DIR *dir = opendir(folder);
	size_t len = strlen(name), end = strlen(TEMPORARY);
	const struct dirent *e;

	while (dir && (e = readdir(dir))) {
		size_t n = strlen(e->d_name);

		/* A name with more in it is a copy of somebody. */
		if ((n == len + end || (!len && n > end)) && !strncmp(e->d_name, name, len) &&
			!strncmp(e->d_name + n - end, TEMPORARY, end - strlen("XXXXXX")) &&
			is_leftover(dirfd(dir), e->d_name))
			unlinkat(dirfd(dir), e->d_name, 0);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

/* Writes under another name beside it first. path is the name that was given. */
static bool write_beside(const struct place *p, const char *path, bool durable, const char *text,
	size_t len, struct err *err)
{
	const char *target = p->path;
	char *temporary = xasprintf("%s" TEMPORARY, target);
	int fd = mkostemp(temporary, O_CLOEXEC);
	mode_t mask = umask(0), mode = 0644 & ~mask;
	struct stat old;
	bool good = false;

	umask(mask);
	if (fd < 0) {
		free(temporary);
		return file_cannot_write(err, path);
	}
	/* Who may read what was there may read what comes. */
	if (lstat(target, &old) == 0 && S_ISREG(old.st_mode))
		mode = old.st_mode & 0777;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 || !write_all(fd, text, len) || fchmod(fd, mode) < 0 ||
		(durable && fsync(fd) < 0)) {
		err_sys(err, "cannot write '%s'", path);
	} else if (rename(temporary, target) < 0) {
		err_sys(err, "cannot replace '%s'", path);
		err_of_file(err);
	} else {
		good = true;
	}
	close(fd);
	if (!good)
		unlink(temporary);
	free(temporary);
	return good;
}

static bool replace(const char *path, int how, const char *text, size_t len, struct err *err)
{
	struct place p;
	struct stat st;
	bool good;

	if (!place_find(&p, path, how))
		return file_cannot_write(err, path);
	if (p.is_kernels_link || (stat(p.path, &st) == 0 && !S_ISREG(st.st_mode)))
		good = write_into(&p, path, text, len, err);
	else
		good = write_beside(&p, path, true, text, len, err);
	place_leave(&p);
	return good;
}

bool file_replace(const char *path, const char *text, size_t len, struct err *err)
{
	return replace(path, PLACE_FOLLOWS, text, len, err);
}

bool file_refresh(const char *path, const char *text, size_t len, struct err *err)
{
	struct place p;

	if (!place_find(&p, path, 0))
		return file_cannot_write(err, path);
	bool good = write_beside(&p, path, false, text, len, err);
	place_leave(&p);
	return good;
}

void file_remove(const char *path)
{
	struct place p;

	if (place_find(&p, path, 0))
		unlink(p.path);
	place_leave(&p);
}

/* Makes a file beside it and removes it: rights alone do not tell that /proc takes no files, and
 * that a disk is full. */
static bool takes_files(const struct place *p)
{
	char *temporary = xasprintf("%s" TEMPORARY, p->path);
	int fd = mkostemp(temporary, O_CLOEXEC);
	bool good = fd >= 0 && write(fd, "\n", 1) == 1;
	int error = errno;

	if (fd >= 0) {
		unlink(temporary);
		close(fd);
	}
	free(temporary);
	errno = error;
	return good;
}

/* Writes nothing, which a device that is full (/dev/full) refuses, too. */
static bool takes_bytes(const struct place *p)
{
	int fd = place_open(p, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool good = fd >= 0 && write(fd, "", 0) == 0;
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return good;
}

static bool has_place(const char *path, int how, struct err *err)
{
	struct place p;
	struct stat st;
	bool good = false;

	if (!place_find(&p, path, how))
		return file_cannot_write(err, path);
	bool is_there = stat(p.path, &st) == 0;
	if (is_there && S_ISDIR(st.st_mode))
		errno = EISDIR;
	else if (is_there && S_ISCHR(st.st_mode))
		good = takes_bytes(&p);
	else
		good = p.is_kernels_link || (is_there && !S_ISREG(st.st_mode)) || takes_files(&p);
	if (good)
		file_drop_leftovers(p.path);
	else
		file_cannot_write(err, path);
	place_leave(&p);
	return good;
}

bool file_has_place(const char *path, struct err *err)
{
	return has_place(path, PLACE_FOLLOWS, err);
}

static bool is_there_already(const char *path, struct err *err)
{
	err_set(err, ERR_USAGE, "'%s' exists", path);
	return err_hint(err, "--overwrite replaces it");
}

/* O_NONBLOCK: a FIFO without a reader is an error, not a hang. */
#define FILE_FLAGS (O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

int file_open_output(const char *path, bool append, struct err *err)
{
	int flags = FILE_FLAGS | (append ? O_APPEND : 0), fd = -1;
	struct place p;

	/* What is open already, such as /dev/stdout, is added to: others may write there. */
	if (place_find(&p, path, PLACE_FOLLOWS))
		fd = place_open(&p, p.is_kernels_link ? flags | O_APPEND : flags);
	place_leave(&p);
	if (fd < 0 && errno == ENOENT && place_find(&p, path, 0))
		fd = open(p.path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	if (fd < 0)
		file_cannot_write(err, path);
	place_leave(&p);
	return fd;
}

int file_create(const char *path, bool overwrite, struct err *err)
{
	struct place p, target = { .folder = -1 };
	int fd = -1;
	struct stat st;
	bool is_found = place_find(&p, path, 0);
	bool is_device = stat(path, &st) == 0 && !S_ISREG(st.st_mode);

	if (is_found)
		errno = ENOENT;
	if (is_found && overwrite && lstat(p.path, &st) == 0 && S_ISREG(st.st_mode))
		unlink(p.path);
	else if (is_found && (overwrite || is_device) && place_find(&target, path, PLACE_FOLLOWS))
		fd = place_open(&target, is_device ? FILE_FLAGS : FILE_FLAGS | O_TRUNC);
	if (is_found && fd < 0 && errno == ENOENT)
		fd = open(p.path, FILE_FLAGS | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	if (fd < 0 && errno == EEXIST)
		is_there_already(path, err);
	else if (fd < 0)
		file_cannot_write(err, path);
	place_leave(&target);
	place_leave(&p);
	return fd;
}

static bool begins(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

/* Tells the form of a text by its first bytes. A head of CSV is a line of names with commas. */
static enum file_form form_of(const char *text, size_t len)
{
	size_t line = 0, commas = 0, names = 0;

	if (memchr(text, '\0', len))
		return FILE_FORM_OTHER;
	if (len && (text[0] == '{' || text[0] == '['))
		return FILE_FORM_JSON;
	if (begins(text, len, "<!DOCTYPE html") || begins(text, len, "<html"))
		return FILE_FORM_HTML;
	if (len && text[0] == '<')
		return memmem(text, len, "<svg", 4) ? FILE_FORM_SVG : FILE_FORM_XML;
	for (; line < len && text[line] != '\n' && text[line] != '\r'; line++) {
		commas += text[line] == ',';
		names += text[line] == '_' || (text[line] >= '0' && text[line] <= '9') ||
			(text[line] >= 'a' && text[line] <= 'z');
	}
	return commas && commas + names == line ? FILE_FORM_CSV : FILE_FORM_TEXT;
}

bool file_may_become(const char *path, enum file_form form, struct err *err)
{
	char head[4096];
	struct stat st;
	struct place p;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return true;
	if (form == FILE_FORM_NEW)
		return is_there_already(path, err);
	bool is_added_to = place_find(&p, path, PLACE_FOLLOWS) && p.is_kernels_link;
	place_leave(&p);
	if (st.st_size == 0 || is_added_to)
		return true;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t len;
	do
		len = fd < 0 ? -1 : read(fd, head, sizeof(head));
	while (fd >= 0 && len < 0 && errno == EINTR);
	if (len < 0) {
		err_sys(err, "'%s' exists, and what it holds cannot be read", path);
		err_of_file(err);
	}
	if (fd >= 0)
		close(fd);
	if (len >= 0 && form_of(head, (size_t)len) == form)
		return true;
	if (len >= 0)
		err_set(err, ERR_USAGE, "'%s' exists and holds something else", path);
	return err_hint(err, "--overwrite replaces it");
}

bool file_keep_place(const char *path, struct err *err)
{
	return has_place(path, PLACE_FOLLOWS | PLACE_MAKES, err);
}

bool file_keep(const char *path, const char *text, size_t len, struct err *err)
{
	return replace(path, PLACE_FOLLOWS | PLACE_MAKES, text, len, err);
}
