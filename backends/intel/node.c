/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening the node of an Intel card. */
#include "config.h"

#include "backends/intel/node.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/rights.h"

int intel_ioctl(int fd, unsigned long request, void *arg)
{
	int r;

	do {
		r = ioctl(fd, request, arg);
	} while (r < 0 && errno == EINTR);
	return r;
}

static bool keep_render_node(void *ctx, const char *name)
{
	struct intel_node *n = ctx;

	if (strncmp(name, "renderD", 7))
		return true;
	snprintf(n->path, sizeof(n->path), "/dev/dri/%.40s", name);
	return false;
}

static bool refuse_node(const struct intel_node *n, const char *full, struct err *err)
{
	struct rights rights;

	if (errno == EACCES || errno == EPERM) {
		rights_read(&rights, n->fs);
		return rights_refuse_file(&rights, n->fs, n->card, n->path, err);
	}
	return err_sys(err, _("%s: cannot open %s"), n->card, full);
}

bool intel_node_open(struct intel_node *n, const struct fsroot *fs, const char *card, struct err *err)
{
	char path[128], full[PATH_MAX];

	*n = (struct intel_node){ .fd = -1, .fs = fs };
	snprintf(n->card, sizeof(n->card), "%.31s", card);
	snprintf(n->path, sizeof(n->path), "/dev/dri/%.31s", card);
	snprintf(path, sizeof(path), "/sys/class/drm/%.31s/device/drm", card);
	if (fsroot_exists(fs, path))
		fsroot_each(fs, path, keep_render_node, n, NULL);
	if (!fsroot_path(fs, full, sizeof(full), "%s", n->path))
		return err_set(err, ERR_USAGE, _("the path of %s is too long"), n->path);
	n->fd = open(full, O_RDWR | O_CLOEXEC);
	return n->fd >= 0 || refuse_node(n, full, err);
}

void intel_node_close(struct intel_node *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}

uint64_t intel_monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

bool intel_refuse_rights(const struct intel_node *n, const char *sysctl, struct err *err)
{
	struct rights rights;

	rights_read(&rights, n->fs);
	return rights_refuse_stream(&rights, n->fs, n->card, sysctl, err);
}

bool intel_is_asleep(const struct fsroot *fs, const char *card)
{
	char path[128], state[32];

	snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device/power/runtime_status", card);
	return fsroot_read_line(fs, path, state, sizeof(state), NULL) && !strcmp(state, "suspended");
}
