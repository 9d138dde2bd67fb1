/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and opens the node of a card. */
#include "config.h"

#include "backends/card/drm_node.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "base/call_watch.h"
#include "base/ending.h"
#include "base/minmax.h"
#include "base/privilege.h"
#include "base/rights.h"

/* DRM_IOCTL_VERSION of Linux include/uapi/drm/drm.h. A length goes in as the room there is. */
struct drm_version {
	int major, minor, patch;
	size_t name_len;
	char *name;
	size_t date_len;
	char *date;
	size_t description_len;
	char *description;
};

#define DRM_VERSION _IOWR('d', 0x00, struct drm_version)

static void (*watch_fn)(void *ctx, const struct node_answer *a);
static void *watch_ctx;

void node_watch(void (*told)(void *ctx, const struct node_answer *a), void *ctx)
{
	watch_fn = told;
	watch_ctx = ctx;
}

void node_answered(int fd, unsigned long request, const void *data, size_t len)
{
	const struct node_answer a = {
		.fd = fd, .request = request, .is_buffer = true, .data = data, .len = len
	};

	if (watch_fn)
		watch_fn(watch_ctx, &a);
}

static void tell(int fd, unsigned long request, const void *arg, int result)
{
	int error = errno;
	struct node_answer a = { .fd = fd, .request = request, .result = result };

	if (result < 0)
		a.result = -error;
	if (arg && _IOC_DIR(request) != _IOC_NONE) {
		a.data = arg;
		a.len = _IOC_SIZE(request);
	}
	watch_fn(watch_ctx, &a);
	errno = error;
}

int node_call(int fd, unsigned long request, const char *name, void *arg)
{
	int r;

	privilege_raise();
	call_begin(name, NULL, fd);
	do {
		r = ioctl(fd, request, arg);
	} while (r < 0 && errno == EINTR && !ending_signal());
	call_end();
	privilege_lower();
	if (watch_fn)
		tell(fd, request, arg, r);
	return r;
}

uint32_t node_answer_count(uint64_t n, size_t len, size_t head, size_t element)
{
	if (len < head)
		return 0;
	return (uint32_t)min_u64(n, (len - head) / element);
}

void drm_node_path(const struct fsroot *fs, const char *card, char *path, size_t size)
{
	char folder[128], render[32];

	snprintf(folder, sizeof(folder), "/sys/class/drm/%.31s/device/drm", card);
	if (fsroot_first(fs, folder, "renderD", render, sizeof(render)))
		snprintf(path, size, "/dev/dri/%s", render);
	else
		snprintf(path, size, "/dev/dri/%.31s", card);
}

int node_open(
	const struct fsroot *fs, const char *object, const char *path, int flags, struct err *err)
{
	struct rights rights;
	char full[PATH_MAX];

	if (!fsroot_path(fs, full, sizeof(full), "%s", path)) {
		err_set(err, ERR_USAGE, "the path of %s is too long", path);
		return -1;
	}
	int fd = driver_open(full, flags);
	if (fd >= 0)
		return fd;
	bool is_refused = errno == EACCES || errno == EPERM;
	err_sys(err, "%s: cannot open %s", object, full);
	if (is_refused) {
		rights_read(&rights, fs);
		rights_refuse_file(&rights, fs, object, path, err);
	}
	return -1;
}

bool drm_node_open(struct drm_node *n, const struct fsroot *fs, const char *card, struct err *err)
{
	*n = (struct drm_node){ .fd = -1, .fs = fs };
	snprintf(n->card, sizeof(n->card), "%.31s", card);
	drm_node_path(fs, card, n->path, sizeof(n->path));
	n->fd = node_open(fs, n->card, n->path, O_RDWR, err);
	return n->fd >= 0;
}

void drm_node_close(struct drm_node *n)
{
	driver_close(n->fd);
	n->fd = -1;
}

bool drm_node_driver(const struct fsroot *fs, const char *card, char *name, size_t size)
{
	char answer[64] = "";
	struct drm_version v = { .name = answer, .name_len = sizeof(answer) - 1 };
	struct drm_node n;

	if (!drm_node_open(&n, fs, card, NULL))
		return false;
	bool good = node_ioctl(n.fd, DRM_VERSION, &v) == 0 && answer[0];
	drm_node_close(&n);
	if (good)
		snprintf(name, size, "%s", answer);
	return good;
}

bool drm_refuse_stream(const struct drm_node *n, const char *sysctl, struct err *err)
{
	struct rights rights;

	rights_read(&rights, n->fs);
	return rights_refuse_stream(&rights, n->fs, n->card, sysctl, err);
}
