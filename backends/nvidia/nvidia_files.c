/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the files of NVIDIA's kernel driver and of the PCI bus. */
#include "config.h"

#include "backends/nvidia/nvidia_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"

#define LIBRARY "libnvidia-ml.so.1"
#define MAX_INFORMATION 8192

static bool power_is(
	const struct fsroot *fs, const char *address, const char *file, const char *word)
{
	char path[96], state[32];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.15s/power/%s", address, file);
	return fsroot_read_line(fs, path, state, sizeof(state), NULL) && !strcmp(state, word);
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
	const struct fsroot *fs, const char *address, char *model, size_t size, int *node)
{
	char path[PATH_MAX], number[16], *text = NULL;
	uint64_t minor;
	size_t len;

	*node = -1;
	if (!nvidia_is_asleep(fs, address) &&
		fsroot_path(fs, path, sizeof(path), "/proc/driver/nvidia/gpus/%.15s/information",
			address))
		text = file_read_all(path, MAX_INFORMATION, &len, NULL);
	if (!text)
		return false;
	if (line_value(text, "Device Minor", number, sizeof(number)) &&
		parse_u64_range(number, 0, 255, &minor))
		*node = (int)minor;
	bool good = line_value(text, "Model", model, size);
	free(text);
	return good;
}

void nvidia_library(const struct fsroot *fs, char *buf, size_t size)
{
	if (!fs->prefix[0] || !fsroot_path(fs, buf, size, "/usr/lib/" LIBRARY))
		snprintf(buf, size, "%s", LIBRARY);
}
