/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks along a path, name by name, as the kernel would. */
#include "config.h"

#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/mem.h"

/* As many links as Linux follows, path_resolution(7). */
#define MAX_LINKS 40
#define FOLDER (O_PATH | O_DIRECTORY | O_CLOEXEC)

struct walk {
	struct place *place;
	int how;
	char *rest;		/* of the path; heap */
	int links;
};

static void enter(struct walk *w, int fd)
{
	if (w->place->folder >= 0)
		close(w->place->folder);
	w->place->folder = fd;
}

static bool is_planted(const struct stat *link, int folder)
{
	struct stat st = { 0 };
	bool is_open = fstat(folder, &st) < 0 || st.st_mode & (S_IWGRP | S_IWOTH);

	return is_open && link->st_uid != geteuid() && link->st_uid != st.st_uid;
}

/* What comes next is where the link leads to, and then the rest. */
static bool follow(struct walk *w, int link, const struct stat *st, const char *rest)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(link, "", target, sizeof(target));

	w->place->is_planted = is_planted(st, w->place->folder);
	if (w->place->is_planted)
		errno = EACCES;
	else if (len > 0 && ++w->links > MAX_LINKS)
		errno = ELOOP;
	if (w->place->is_planted || len <= 0 || w->links > MAX_LINKS)
		return false;
	char *next = xasprintf("%.*s%s%s", (int)len, target, *rest ? "/" : "", rest);
	free(w->rest);
	w->rest = next;
	if (*target == '/')
		enter(w, open("/", FOLDER));
	return w->place->folder >= 0;
}

/* Says which folder is not there, by its own name: a link may lead to it. */
static void name_missing(struct place *p, const char *name)
{
	int error = errno;

	place_name(p->folder, p->path, sizeof(p->path));
	size_t len = strlen(p->path);
	if (len > 0)
		snprintf(p->path + len, sizeof(p->path) - len, "/%s", name);
	errno = error;
}

/* Takes one name. Links of the kernel's own lead to what has no name. */
static bool step(struct walk *w, const char *name, const char *rest, bool *is_there)
{
	struct place *p = w->place;
	struct stat st;
	struct statfs fs;
	bool is_last = !*rest;

	/* A folder that is asked for as one is mounted by autofs (Linux fs/namei.c, follow_automount()). */
	int fd = is_last ? -1 : openat(p->folder, name, FOLDER | O_NOFOLLOW);
	if (fd < 0)
		fd = openat(p->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && !is_last && w->how & PLACE_MAKES &&
		(mkdirat(p->folder, name, 0700) == 0 || errno == EEXIST))
		fd = openat(p->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	bool is_link = fd >= 0 && fstat(fd, &st) == 0 && S_ISLNK(st.st_mode);
	bool is_kernels = is_link && fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
	*is_there = is_last;
	if (is_link && !is_kernels && (!is_last || w->how & PLACE_FOLLOWS)) {
		char *after = xstrdup(rest);
		bool good = follow(w, fd, &st, after);

		*is_there = false;
		free(after);
		close(fd);
		return good;
	}
	if (is_last) {
		p->is_kernels_link = is_kernels;
		snprintf(p->path, sizeof(p->path), "/proc/self/fd/%d/%s", p->folder, name);
		if (fd >= 0)
			close(fd);
		return true;
	}
	if (is_kernels) {
		close(fd);
		fd = openat(p->folder, name, FOLDER);
	}
	if (fd < 0) {
		name_missing(p, name);
		return false;
	}
	enter(w, fd);
	memmove(w->rest, rest, strlen(rest) + 1);
	return true;
}

bool place_find(struct place *p, const char *path, int how)
{
	struct walk w = { .place = p, .how = how, .rest = xstrdup(path) };
	bool good, is_there = false;
	char name[NAME_MAX + 1];

	*p = (struct place){ .folder = open(*path == '/' ? "/" : ".", FOLDER) };
	good = p->folder >= 0;
	while (good && !is_there) {
		const char *at = w.rest + strspn(w.rest, "/");
		size_t len = strcspn(at, "/");
		const char *rest = at + len + strspn(at + len, "/");

		good = len < sizeof(name) && *path;
		errno = *path ? ENAMETOOLONG : ENOENT;
		/* "folder/" is a folder. */
		if (good && !*rest && at[len])
			snprintf(name, sizeof(name), "%.*s/", (int)len, at);
		else if (good)
			snprintf(name, sizeof(name), "%.*s", (int)len, len ? at : ".");
		good = good && step(&w, name, rest, &is_there);
	}
	free(w.rest);
	if (good && access("/proc/self/fd", X_OK) < 0) {
		good = (size_t)snprintf(p->path, sizeof(p->path), "%s", path) < sizeof(p->path);
		errno = ENAMETOOLONG;
	}
	if (!good)
		place_leave(p);
	return good;
}

void place_leave(struct place *p)
{
	int error = errno;

	if (p->folder >= 0)
		close(p->folder);
	p->folder = -1;
	errno = error;
}

const char *place_last(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void place_name(int fd, char *buf, size_t size)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, buf, size - 1);
	buf[len > 0 ? len : 0] = '\0';
}

int place_open(const struct place *p, int flags)
{
	return open(p->path, p->is_kernels_link ? flags : flags | O_NOFOLLOW);
}
