/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rooftop keeps between runs, as any bytes: settings and measured roofs. What is read is
 * written and read again as the same. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/roofline/roofs.h"
#include "core/value/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
	if (!good)
		abort();
}

static void try_settings(const char *path, const char *folder)
{
	struct settings s = { 0 }, again = { 0 };
	struct err err = { 0 };
	char copy[64];

	snprintf(copy, sizeof(copy), "%s/settings", folder);
	if (settings_load(&s, path, &err)) {
		settings_set(&s, "delay", "100ms");
		check(settings_save(&s, copy, &err));
		check(settings_load(&again, copy, &err));
		check(!strcmp(settings_get(&again, "delay"), "100ms"));
		check(again.count == s.count);
	}
	settings_release(&s);
	settings_release(&again);
	unlink(copy);
}

static void try_roofs(const char *path, const char *folder)
{
	static struct roof_file f, again;
	struct err err = { 0 };
	char copy[64];

	memset(&f, 0, sizeof(f));
	snprintf(copy, sizeof(copy), "%s/roofs", folder);
	if (!roof_file_load(&f, path, &err))
		return;
	check(f.n >= 0 && f.n <= ROOF_FILE_MAX);
	check(roof_file_save(&f, copy, &err));
	check(roof_file_load(&again, copy, &err) && again.n == f.n);
	unlink(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("state", MFD_CLOEXEC);
	char path[48], folder[] = "/tmp/rooftop-fuzz.XXXXXX";

	check(fd >= 0 && mkdtemp(folder));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	check(write(fd, data, size) == (ssize_t)size);
	try_settings(path, folder);
	try_roofs(path, folder);
	close(fd);
	rmdir(folder);
	return 0;
}
