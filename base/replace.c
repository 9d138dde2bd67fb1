/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that change in one step. */
#include "config.h"

#include "base/fsroot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/outlet.h"

/* For mkstemp(); a name that nobody gives to a copy of his own. */
#define TEMPORARY ".tmp-XXXXXX"

/* How long a reader of a pipe may take for some bytes. */
#define READER_PATIENCE_NS (3 * NS_PER_S)

/* As many links as Linux follows, path_resolution(7). */
#define MAX_LINKS 40

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

/* Whether somebody may have planted the link for us: it lies in a folder that others may write to, and
 * belongs neither to us nor to whom the folder belongs (as Linux has it in folders like /tmp,
 * fs.protected_symlinks of proc_sys_fs(5)). */
static bool is_planted(const struct stat *link, const char *path)
{
	char *folder = folder_of(path);
	struct stat st = { 0 };
	bool is_open = stat(folder, &st) < 0 || st.st_mode & (S_IWGRP | S_IWOTH);

	free(folder);
	return is_open && link->st_uid != geteuid() && link->st_uid != st.st_uid;
}

/* Reads a link; whoever changes it meanwhile changes nothing. Returns its length, 0 when it is none or
 * one of the kernel's own, which lead to what has no name; -1 with errno. */
static ssize_t read_link(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statfs fs;
	struct stat st;
	ssize_t len = 0;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && S_ISLNK(st.st_mode) && fstatfs(fd, &fs) == 0 &&
		fs.f_type != PROC_SUPER_MAGIC)
		len = is_planted(&st, path) ? -1 : readlinkat(fd, "", buf, size);
	close(fd);
	if (len < 0)
		errno = EACCES;
	return len;
}

/* What links lead to, also where nothing is there yet; heap. NULL (errno) when they lead in circles
 * (ELOOP) or may be another user's trap (EACCES). */
static char *target_of(const char *path)
{
	char *target = xstrdup(path), *folder, *next;
	char link[PATH_MAX];
	ssize_t len = 0;

	for (int i = 0; i <= MAX_LINKS && (len = read_link(target, link, sizeof(link))) > 0; i++) {
		if (link[0] == '/') {
			next = xstrndup(link, (size_t)len);
		} else {
			folder = folder_of(target);
			next = xasprintf("%s/%.*s", folder, (int)len, link);
			free(folder);
		}
		free(target);
		target = next;
	}
	if (len == 0)
		return target;
	free(target);
	if (len > 0)
		errno = ELOOP;
	return NULL;
}

/* Opens what is there, by a name that the user gave. */
static int open_named(const char *path, int flags)
{
	char *target = target_of(path);
	int fd = target ? open(target, flags | O_NOFOLLOW) : -1;

	/* a link of the kernel's own, such as /proc/self/fd/1 */
	if (target && fd < 0 && errno == ELOOP && read_link(target, (char[PATH_MAX]){ 0 }, PATH_MAX) == 0)
		fd = open(target, flags);
	free(target);
	return fd;
}

bool file_cannot_write(struct err *err, const char *path)
{
	int sys = errno;
	char *target = target_of(path), *folder = folder_of(target ? target : path);
	struct stat st;

	errno = sys;
	err_sys(err, "cannot write to '%s'", path);
	err_of_file(err);
	if (sys == EACCES && !target)
		err_hint(err, "it is another user's link in a folder that others may write to");
	if (sys == EISDIR)
		err_hint(err, "name a file in it, such as '%s/rooftop.out'", path);
	if (sys == ENXIO)
		err_hint(err, "nobody reads that FIFO; start its reader first");
	if (sys == ENOENT && stat(folder, &st) < 0 && errno == ENOENT)
		err_hint(err, "there is no folder '%s'; mkdir -p makes it", folder);
	free(target);
	free(folder);
	return false;
}

/* Makes every folder above the file; they are private, as XDG asks for configuration. */
static bool make_folders(const char *path, struct err *err)
{
	char folder[PATH_MAX];

	if (strlen(path) >= sizeof(folder))
		return err_set(err, ERR_USAGE, "the path '%.200s' is too long", path);
	snprintf(folder, sizeof(folder), "%s", path);
	for (char *p = folder + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(folder, 0700) < 0 && errno != EEXIST) {
			err_sys(err, "cannot make the folder '%s'", folder);
			return err_of_file(err);
		}
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

/* A device or pipe keeps its place: a rename would put a file there. A pipe that nobody reads is an
 * error; one that is read slowly is waited for while its reader goes on. */
static bool write_into(const char *path, const char *text, size_t len, struct err *err)
{
	int fd = open_named(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
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

/* A writer holds its temporary file locked; one that a killed writer has left is not. A file of this
 * second is left alone, because its writer may be about to lock it. */
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
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
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

/* Writes under another name beside it first. target is where links lead to. */
static bool write_beside(const char *path, const char *target, bool durable, const char *text,
	size_t len, struct err *err)
{
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
		err_sys(err, "cannot write '%s'", temporary);
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

bool file_replace(const char *path, const char *text, size_t len, struct err *err)
{
	char *target = target_of(path);
	struct stat st;
	bool good;

	if (!target)
		good = file_cannot_write(err, path);
	else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		good = write_into(path, text, len, err);
	else
		good = write_beside(path, target, true, text, len, err);
	free(target);
	return good;
}

bool file_refresh(const char *path, const char *text, size_t len, struct err *err)
{
	return write_beside(path, path, false, text, len, err);
}

bool file_has_place(const char *path, struct err *err)
{
	char *target = target_of(path), *folder = target ? folder_of(target) : NULL;
	struct stat st;
	bool is_there = stat(path, &st) == 0, good = false;

	if (is_there && S_ISDIR(st.st_mode))
		errno = EISDIR;
	else if (target)
		good = (is_there && !S_ISREG(st.st_mode)) || access(folder, W_OK | X_OK) == 0;
	if (good)
		file_drop_leftovers(target);
	else
		file_cannot_write(err, path);
	free(target);
	free(folder);
	return good;
}

bool file_is_there(const char *path, struct err *err)
{
	err_set(err, ERR_USAGE, "'%s' exists", path);
	return err_hint(err, "--overwrite replaces it");
}

/* O_NONBLOCK: a FIFO without a reader is an error, not a hang. */
#define FILE_FLAGS (O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

int file_open_output(const char *path, bool append, struct err *err)
{
	int flags = FILE_FLAGS | (append ? O_APPEND : 0), fd = open_named(path, flags);

	if (fd < 0 && errno == ENOENT)
		fd = open(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	if (fd < 0)
		file_cannot_write(err, path);
	return fd;
}

int file_create(const char *path, bool overwrite, struct err *err)
{
	int fd = -1;
	struct stat st;
	bool is_there = stat(path, &st) == 0;

	errno = ENOENT;
	if (is_there && !S_ISREG(st.st_mode))
		fd = open_named(path, FILE_FLAGS);
	else if (overwrite && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
		unlink(path);
	else if (overwrite)
		fd = open_named(path, FILE_FLAGS | O_TRUNC);
	if (fd < 0 && errno == ENOENT)
		fd = open(path, FILE_FLAGS | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	if (fd < 0 && errno == EEXIST)
		file_is_there(path, err);
	else if (fd < 0)
		file_cannot_write(err, path);
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

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return true;
	if (form == FILE_FORM_NEW)
		return file_is_there(path, err);
	if (st.st_size == 0)
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
	return make_folders(path, err) && file_has_place(path, err);
}

bool file_keep(const char *path, const char *text, size_t len, struct err *err)
{
	return make_folders(path, err) && file_replace(path, text, len, err);
}
