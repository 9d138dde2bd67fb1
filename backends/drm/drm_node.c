/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sysfs says of a card, and the opening of its node. */
#include "config.h"

#include "backends/drm/drm_node.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/rights.h"

bool drm_is_card(const char *name)
{
	const char *digits = name + 4;

	return strncmp(name, "card", 4) == 0 && *digits &&
		digits[strspn(digits, "0123456789")] == '\0';
}

bool drm_card_driver(const struct fsroot *fs, const char *card, char *driver, size_t size)
{
	char path[128];

	if (!drm_is_card(card))
		return false;
	snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device/driver", card);
	return fsroot_link_name(fs, path, driver, size);
}

bool drm_card_is_asleep(const struct fsroot *fs, const char *card)
{
	char path[128], state[32];

	snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device/power/runtime_status", card);
	return fsroot_read_line(fs, path, state, sizeof(state), NULL) &&
		!strcmp(state, "suspended");
}

int node_ioctl(int fd, unsigned long request, void *arg)
{
	int r;

	do {
		r = ioctl(fd, request, arg);
	} while (r < 0 && errno == EINTR);
	return r;
}

static bool keep_render_node(void *ctx, const char *name)
{
	struct drm_node *n = ctx;

	if (strncmp(name, "renderD", 7))
		return true;
	snprintf(n->path, sizeof(n->path), "/dev/dri/%.40s", name);
	return false;
}

static bool refuse_node(const struct drm_node *n, const char *full, struct err *err)
{
	struct rights rights;

	if (errno == EACCES || errno == EPERM) {
		rights_read(&rights, n->fs);
		return rights_refuse_file(&rights, n->fs, n->card, n->path, err);
	}
	return err_sys(err, _("%s: cannot open %s"), n->card, full);
}

bool drm_node_open(struct drm_node *n, const struct fsroot *fs, const char *card, struct err *err)
{
	char path[128], full[PATH_MAX];

	*n = (struct drm_node){ .fd = -1, .fs = fs };
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

void drm_node_close(struct drm_node *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}

bool drm_refuse_stream(const struct drm_node *n, const char *sysctl, struct err *err)
{
	struct rights rights;

	rights_read(&rights, n->fs);
	return rights_refuse_stream(&rights, n->fs, n->card, sysctl, err);
}
