/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux drivers/platform/x86/intel/pmt/class.c: a folder for each table, with its GUID and its
 * bytes. */
#include "config.h"

#include "backends/intel/pmt.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/call_watch.h"

#define PMT "/sys/class/intel_pmt"

struct search {
	const struct fsroot *fs;
	const char *pci_address;
	const char *const *guids;
	char *path;
	int found;
};

static int index_of_guid(const struct search *s, const char *folder)
{
	char path[PMT_PATH_SIZE], guid[16];

	snprintf(path, sizeof(path), "%s/guid", folder);
	if (!fsroot_read_line(s->fs, path, guid, sizeof(guid), NULL))
		return -1;
	for (int i = 0; s->guids[i]; i++)
		if (!strcmp(guid, s->guids[i]))
			return i;
	return -1;
}

/* The folder is a link whose target leads through the card that it belongs to. */
static bool is_of_card(const struct fsroot *fs, const char *folder, const char *pci_address)
{
	char path[512], target[PATH_MAX];
	ssize_t n;

	if (!fsroot_path(fs, path, sizeof(path), "%s", folder))
		return false;
	n = readlink(path, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	return *pci_address && strstr(target, pci_address);
}

static bool look_at(void *ctx, const char *name)
{
	struct search *s = ctx;
	char folder[96];
	int found;

	snprintf(folder, sizeof(folder), PMT "/%.48s", name);
	if (strncmp(name, "telem", 5) != 0)
		return true;
	found = index_of_guid(s, folder);
	if (found < 0 || !is_of_card(s->fs, folder, s->pci_address))
		return true;
	s->found = found;
	snprintf(s->path, PMT_PATH_SIZE, "%s/telem", folder);
	return false;
}

int pmt_find(const struct fsroot *fs, const char *pci_address, const char *const *guids,
	char path[PMT_PATH_SIZE])
{
	struct search s = { fs, pci_address, guids, path, -1 };

	path[0] = '\0';
	fsroot_each(fs, PMT, look_at, &s, NULL);
	return s.found;
}

ssize_t pmt_read(
	const struct fsroot *fs, const char *path, uint8_t *buf, size_t size, struct err *err)
{
	char full[512];
	ssize_t n = -1;
	int fd = -1;

	if (fsroot_path(fs, full, sizeof(full), "%s", path))
		fd = driver_open(full, O_RDONLY | O_NONBLOCK);
	if (fd >= 0)
		n = driver_read(fd, buf, size);
	if (n < 0)
		err_sys(err, "cannot read '%s'", full);
	driver_close(fd);
	return n;
}
