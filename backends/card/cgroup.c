/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads names of control groups. The forms are those of kubelet's drivers cgroupfs and systemd, of
 * Docker, Podman, containerd and CRI-O (an id of 64 hexadecimal digits), of LXC and of
 * systemd-nspawn. */
#include "config.h"

#include "backends/card/process.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define HEX "0123456789abcdef"
#define ID_LEN 64
#define UID_LEN 36
#define TEXT_BYTES 4096

/* "kubepods-burstable-pod1f0c..._....slice", "pod1f0c...-...": dashes of the uid are underscores
 * for systemd. */
static void take_pod(const char *name, size_t len, struct cgroup_place *out)
{
	for (size_t i = 0; i + 3 + UID_LEN <= len; i++) {
		const char *uid = name + i + 3;

		if (strncmp(name + i, "pod", 3) || (i > 0 && name[i - 1] != '-') ||
			strspn(uid, HEX "-_") < UID_LEN)
			continue;
		snprintf(out->pod, sizeof(out->pod), "%.*s", UID_LEN, uid);
		for (char *c = out->pod; *c; c++)
			if (*c == '_')
				*c = '-';
		return;
	}
}

/* The name behind a prefix, without ".scope". */
static bool take_named(const char *name, size_t len, const char *prefix, struct cgroup_place *out)
{
	size_t skip = strlen(prefix), end = strlen(".scope");

	if (len <= skip || strncmp(name, prefix, skip))
		return false;
	if (len > end && !strncmp(name + len - end, ".scope", end))
		len -= end;
	if (len <= skip)
		return false;
	snprintf(out->container, sizeof(out->container), "%.*s", (int)(len - skip), name + skip);
	return true;
}

/* "docker-ID.scope", "cri-containerd-ID.scope", "libpod-ID.scope", "ID". Other groups may be inside
 * that of a container: the first name counts. */
static void take_container(const char *name, size_t len, struct cgroup_place *out)
{
	for (size_t i = 0; i + ID_LEN <= len; i++) {
		size_t digits = strspn(name + i, HEX);

		if (digits == ID_LEN && (i == 0 || name[i - 1] == '-')) {
			snprintf(out->container, sizeof(out->container), "%.*s", ID_LEN, name + i);
			return;
		}
	}
	if (!take_named(name, len, "lxc.payload.", out))
		take_named(name, len, "machine-", out);
}

void cgroup_parse(const char *text, struct cgroup_place *out)
{
	*out = (struct cgroup_place){ .pod = "" };
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *end = line + strcspn(line, "\n"), *path = memchr(line, '/', (size_t)(end - line));

		for (const char *name = path; name && name < end;) {
			size_t len = strcspn(name, "/\n");

			if (!*out->pod)
				take_pod(name, len, out);
			if (!*out->container)
				take_container(name, len, out);
			name += len + 1;
		}
	}
}

void cgroup_read(int proc, int pid, struct cgroup_place *out)
{
	char path[32], text[TEXT_BYTES];

	snprintf(path, sizeof(path), "%d/cgroup", pid);
	if (file_read_text(proc, path, text, sizeof(text)) <= 0)
		*text = '\0';
	cgroup_parse(text, out);
}
