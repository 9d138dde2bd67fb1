/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programmings that programs have registered with the fake Intel drivers: files of the tree. */
#include "config.h"

#include "tests/fakekernel/intel/intel.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fakekernel/fake.h"

bool fake_in_ranges(const struct fake_range *r, size_t n, uint32_t address)
{
	for (size_t i = 0; i < n; i++)
		if (address >= r[i].first && address <= r[i].last)
			return true;
	return false;
}

bool fake_is_uuid(const char *s)
{
	for (int i = 0; i < 36; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-'
							    : !isxdigit((unsigned char)s[i]))
			return false;
	return true;
}

bool fake_has_metrics(void)
{
	char path[PATH_MAX];

	fake_tree_path(path, FAKE_METRICS, "");
	return access(path, F_OK) == 0;
}

static bool write_file(const char *path, int extra, const char *text, size_t len)
{
	int fd = real_open(path, O_WRONLY | O_CREAT | O_CLOEXEC | extra, 0666);
	bool good = fd >= 0 && write(fd, text, len) == (ssize_t)len;

	if (fd >= 0)
		real_close(fd);
	return good;
}

/* The lowest free id holds the registers. */
static int store_regs(const struct fake_regs *regs, int first)
{
	char path[PATH_MAX], name[16];

	for (int id = first; id < 10000; id++) {
		snprintf(name, sizeof(name), "%d", id);
		fake_tree_path(path, "/i915/configs/", name);
		if (write_file(path, O_EXCL, (const char *)regs->r, regs->n * sizeof(regs->r[0])))
			return id;
	}
	return -1;
}

bool fake_config_load(uint64_t id, struct fake_regs *out)
{
	char path[PATH_MAX], name[24];
	ssize_t len;
	int fd;

	snprintf(name, sizeof(name), "%llu", (unsigned long long)id);
	fake_tree_path(path, "/i915/configs/", name);
	fd = real_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (id == 0 || fd < 0)
		return false;
	len = real_read(fd, out->r, sizeof(out->r));
	real_close(fd);
	out->n = len > 0 ? (size_t)len / sizeof(out->r[0]) : 0;
	return len > 0;
}

int fake_config_add(const char *uuid, const struct fake_regs *regs, int first)
{
	char path[PATH_MAX], text[16];
	int id;

	fake_tree_path(path, FAKE_METRICS "/", uuid);
	if (mkdir(path, 0755) < 0)
		return fake_fail(errno == EEXIST ? EADDRINUSE : errno);
	id = store_regs(regs, first);
	snprintf(text, sizeof(text), "%d\n", id);
	strncat(path, "/id", sizeof(path) - strlen(path) - 1);
	if (id < 0 || !write_file(path, 0, text, strlen(text)))
		return fake_fail(ENOMEM);
	return id;
}

static bool remove_named(const char *uuid, uint64_t id)
{
	char path[PATH_MAX], file[128];

	snprintf(file, sizeof(file), FAKE_METRICS "/%.40s/id", uuid);
	if (fake_tree_number(file, 0) != (long)id)
		return false;
	fake_tree_path(path, "", file);
	unlink(path);
	path[strlen(path) - 3] = '\0';
	return rmdir(path) == 0;
}

int fake_config_remove(uint64_t id)
{
	char path[PATH_MAX], name[24];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	fake_tree_path(path, FAKE_METRICS, "");
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.' && remove_named(entry->d_name, id);
	if (dir)
		closedir(dir);
	if (!found)
		return fake_fail(ENOENT);
	snprintf(name, sizeof(name), "%llu", (unsigned long long)id);
	fake_tree_path(path, "/i915/configs/", name);
	unlink(path);
	return 0;
}
