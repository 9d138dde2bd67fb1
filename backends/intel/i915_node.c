/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening an i915 node and asking it for facts. */
#include "config.h"

#include "backends/intel/i915_node.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backends/intel/platform.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/mem.h"

bool i915_gt_file(const struct fsroot *fs, const char *card, const char *modern, const char *legacy, char *buf, size_t size)
{
	snprintf(buf, size, "/sys/class/drm/%.31s/gt/gt0/%s", card, modern);
	if (fsroot_exists(fs, buf))
		return true;
	snprintf(buf, size, "/sys/class/drm/%.31s/%s", card, legacy);
	return fsroot_exists(fs, buf);
}

static uint64_t read_mhz(const struct fsroot *fs, const char *card, const char *modern, const char *legacy)
{
	char path[128];
	uint64_t mhz;

	if (!i915_gt_file(fs, card, modern, legacy, path, sizeof(path)) || !fsroot_read_u64(fs, path, &mhz, NULL) || mhz > 100000)
		return 0;
	return mhz * 1000000;
}

void i915_clock_limits(const struct fsroot *fs, const char *card, struct device *d)
{
	d->min_hz = read_mhz(fs, card, "rps_min_freq_mhz", "gt_min_freq_mhz");
	d->max_hz = read_mhz(fs, card, "rps_max_freq_mhz", "gt_max_freq_mhz");
}

#ifdef HAVE_LIBDRM

#include "backends/intel/i915_uapi.h"

#define TOPOLOGY_BYTES 4096	/* more than any kernel answers: the image of the largest part has below 256 */

int i915_ioctl(int fd, unsigned long request, void *arg)
{
	int r;

	do {
		r = ioctl(fd, request, arg);
	} while (r < 0 && errno == EINTR);
	return r;
}

static bool keep_render_node(void *ctx, const char *name)
{
	struct i915_node *n = ctx;

	if (strncmp(name, "renderD", 7))
		return true;
	snprintf(n->path, sizeof(n->path), "/dev/dri/%.40s", name);
	return false;
}

/* Whoever is in the node's group may open it: on most systems "render". */
static bool refuse_node(const struct i915_node *n, const char *full, struct err *err)
{
	struct stat st;
	struct group *g;

	if (errno == EACCES || errno == EPERM) {
		g = stat(full, &st) == 0 ? getgrgid(st.st_gid) : NULL;
		err_set(err, ERR_PERMISSION, _("%s: this process may not open %s"), n->card, n->path);
		return err_hint(err, _("sudo usermod -aG %.60s \"$USER\", then log in again"), g ? g->gr_name : "render");
	}
	return err_sys(err, _("%s: cannot open %s"), n->card, full);
}

bool i915_node_open(struct i915_node *n, const struct fsroot *fs, const char *card, struct err *err)
{
	char path[128], full[PATH_MAX];

	*n = (struct i915_node){ .fd = -1, .perf_revision = 1, .fs = fs };
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

void i915_node_close(struct i915_node *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}

static bool getparam(const struct i915_node *n, int param, int *value)
{
	struct drm_i915_getparam p = { .param = param, .value = value };

	return i915_ioctl(n->fd, DRM_IOCTL_I915_GETPARAM, &p) == 0;
}

/* The kernel says how long the answer is, then answers. A negative length is the item's own errno. */
static bool read_topology(const struct i915_node *n, struct topology *t, struct err *err)
{
	struct drm_i915_query_item item = { .query_id = DRM_I915_QUERY_TOPOLOGY_INFO };
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };
	uint8_t *raw;
	bool good;

	if (i915_ioctl(n->fd, DRM_IOCTL_I915_QUERY, &query) < 0)
		return err_sys(err, _("%s: the kernel does not tell the topology"), n->card);
	if (item.length <= 0 || item.length > TOPOLOGY_BYTES)
		return err_set(err, ERR_UNSUPPORTED, _("%s: the kernel does not tell the topology (%d)"), n->card, item.length);
	raw = xcalloc(1, (size_t)item.length);
	item.data_ptr = (uintptr_t)raw;
	if (i915_ioctl(n->fd, DRM_IOCTL_I915_QUERY, &query) < 0)
		good = err_sys(err, _("%s: cannot read the topology"), n->card);
	else if (item.length <= 0)
		good = err_set(err, ERR_UNSUPPORTED, _("%s: cannot read the topology (%d)"), n->card, item.length);
	else
		good = intel_topology_parse(t, raw, (size_t)item.length, err);
	free(raw);
	return good;
}

bool i915_node_identify(struct i915_node *n, struct device *d, struct err *err)
{
	int v;

	if (getparam(n, I915_CHIPSET_ID, &v) && v != (int)d->pci_device)
		return err_set(err, ERR_UNSUPPORTED, _("%s: sysfs names the GPU %04x, its driver %04x"), n->card, d->pci_device, v);
	if (getparam(n, I915_REVISION, &v))
		d->pci_revision = (uint32_t)v;
	if ((getparam(n, I915_OA_TIMESTAMP_HZ, &v) && v > 0) || (getparam(n, I915_CS_TIMESTAMP_HZ, &v) && v > 0))
		d->timestamp_hz = (uint64_t)v;
	if (getparam(n, I915_PERF_REVISION_NUMBER, &v))
		n->perf_revision = v;
	return read_topology(n, &d->topology, err);
}

static uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* The machine's clock, not the program's: the pair has to be read together. */
bool i915_node_correlate(const struct i915_node *n, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err)
{
	uint64_t best_ns = UINT64_MAX;

	for (int i = 0; i < 3; i++) {
		struct drm_i915_reg_read reg = { .offset = I915_REG_TIMESTAMP };
		uint64_t before_ns = monotonic_ns(), after_ns;

		if (i915_ioctl(n->fd, DRM_IOCTL_I915_REG_READ, &reg) < 0)
			return err_sys(err, _("%s: cannot read the GPU's time stamp"), n->card);
		after_ns = monotonic_ns();
		if (after_ns - before_ns >= best_ns)
			continue;
		best_ns = after_ns - before_ns;
		*cpu_ns = before_ns + best_ns / 2;
		*gpu_timestamp = reg.val;
	}
	return true;
}

#endif
