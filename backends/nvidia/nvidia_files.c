/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the files of NVIDIA's kernel driver and of the PCI bus. */
#include "config.h"

#include "backends/nvidia/nvidia_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"

#define LIBRARY "libnvidia-ml.so.1"
#define MAX_INFORMATION 8192
#define MAX_CACHE (16 << 20)

static bool power_is(
	const struct fsroot *fs, const char *address, const char *file, const char *word)
{
	char state[32];

	return fsroot_line(fs, state, sizeof(state), "/sys/bus/pci/devices/%s/power/%s", address,
		       file) &&
		!strcmp(state, word);
}

bool nvidia_is_asleep(const struct fsroot *fs, const char *address)
{
	return power_is(fs, address, "runtime_status", "suspended");
}

bool nvidia_may_sleep(const struct fsroot *fs, const char *address)
{
	return power_is(fs, address, "control", "auto");
}

/* The value of a line "Key: <blanks> value". */
static bool line_value(const char *text, const char *key, char *buf, size_t size)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len) != 0 || line[len] != ':')
			continue;
		line += len + 1;
		line += strspn(line, " \t");
		snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
		return buf[0] != '\0';
	}
	return false;
}

bool nvidia_information(
	const struct fsroot *fs, const char *address, struct nvidia_information *out)
{
	char path[PATH_MAX], *text = NULL;
	size_t len;

	*out = (struct nvidia_information){ 0 };
	if (!nvidia_is_asleep(fs, address) &&
		fsroot_path(fs, path, sizeof(path), "/proc/driver/nvidia/gpus/%.15s/information",
			address))
		text = file_read_all(path, MAX_INFORMATION, &len, NULL);
	if (!text)
		return false;
	line_value(text, "Model", out->model, sizeof(out->model));
	/* Until a program has used the GPU, the driver writes question marks. */
	if (line_value(text, "GPU UUID", out->uuid, sizeof(out->uuid)) && strchr(out->uuid, '?'))
		out->uuid[0] = '\0';
	free(text);
	return true;
}

/* The first word of the first line that is a number with two or more parts: "NVRM version: NVIDIA
 * UNIX x86_64 Kernel Module  550.163.01  Tue Apr  8 ...". */
bool nvidia_driver_version(const struct fsroot *fs, char *buf, size_t size)
{
	char line[256];
	const char *text = line;

	if (!fsroot_read_line(fs, "/proc/driver/nvidia/version", line, sizeof(line), NULL))
		return false;
	while (*text) {
		text += strspn(text, " \t");
		size_t len = strcspn(text, " \t"), digits = strspn(text, "0123456789.");

		if (len > 0 && len == digits && memchr(text, '.', len)) {
			snprintf(buf, size, "%.*s", (int)len, text);
			return true;
		}
		text += len;
	}
	return false;
}

static bool is_cached(const struct fsroot *fs)
{
	char path[PATH_MAX], *cache = NULL;
	size_t len = 0;

	if (fsroot_path(fs, path, sizeof(path), "/etc/ld.so.cache"))
		cache = file_read_all(path, MAX_CACHE, &len, NULL);
	bool found = cache && memmem(cache, len, LIBRARY, sizeof(LIBRARY));
	free(cache);
	return found;
}

static bool is_in_folders(const char *folders)
{
	char folder[PATH_MAX], path[PATH_MAX + sizeof(LIBRARY) + 1];

	if (!folders)
		return false;
	folders += strspn(folders, ":");
	while (parse_until(&folders, ':', folder, sizeof(folder))) {
		snprintf(path, sizeof(path), "%s/" LIBRARY, folder);
		if (access(path, F_OK) == 0)
			return true;
		folders += strspn(folders, ":");
	}
	return false;
}

bool nvidia_has_library(const struct fsroot *fs)
{
	if (fs->prefix[0])
		return fsroot_exists(fs, "/usr/lib/" LIBRARY);
	return is_cached(fs) || is_in_folders(getenv("LD_LIBRARY_PATH")) ||
		is_in_folders("/usr/lib64:/usr/lib:/lib64:/lib:/run/opengl-driver/lib");
}

void nvidia_library(const struct fsroot *fs, char *buf, size_t size)
{
	if (!fs->prefix[0] || !fsroot_path(fs, buf, size, "/usr/lib/" LIBRARY))
		snprintf(buf, size, "%s", LIBRARY);
}
