/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who made the processor, without reading all of its CPUs. */
#include "config.h"

#include "backends/cpu/cpu_info.h"

#include <stdio.h>
#include <string.h>

#define CPUINFO_LINES 8		/* in which x86 has the vendor */

void cpu_vendor(const struct fsroot *fs, char *buf, size_t size)
{
	char line[128], path[300];
	FILE *f = NULL;

	*buf = '\0';
	if (fsroot_path(fs, path, sizeof(path), "/proc/cpuinfo"))
		f = fopen(path, "re");
	for (int i = 0; f && i < CPUINFO_LINES && fgets(line, sizeof(line), f); i++) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, "vendor_id", strlen("vendor_id")) != 0 || !colon)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(buf, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		break;
	}
	if (f)
		fclose(f);
}

bool cpu_vendor_is_amd(const char *vendor)
{
	return !strcmp(vendor, "AuthenticAMD") || !strcmp(vendor, "HygonGenuine");
}

bool cpu_is_amd(const struct fsroot *fs)
{
	char vendor[32];

	cpu_vendor(fs, vendor, sizeof(vendor));
	return cpu_vendor_is_amd(vendor);
}

int cpu_package(const struct fsroot *fs, int cpu)
{
	char path[96];
	uint64_t package;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
	return fsroot_read_u64(fs, path, &package, NULL) ? (int)package : -1;
}

bool cpu_is_x86(const struct fsroot *fs)
{
	char vendor[32];

	if (fsroot_exists(fs, "/proc/cpuinfo")) {
		cpu_vendor(fs, vendor, sizeof(vendor));
		return *vendor != '\0';
	}
#if defined(__x86_64__) || defined(__i386__)
	return true;
#else
	return false;
#endif
}
