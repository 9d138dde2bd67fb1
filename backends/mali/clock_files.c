/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that tell the clock, found once and read each window. */
#include "config.h"

#include "backends/mali/clock_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/card/drm_node.h"
#include "base/mem.h"
#include "base/parse.h"

/* Linux Documentation/gpu/drm-usage-stats.rst and panfrost.rst. All engines have one clock. */
#define CURRENT_KEY "drm-curfreq-fragment:"
#define MAX_KEY "drm-maxfreq-fragment:"

struct clock_files {
	struct mali_clock_reader reader;
	const struct fsroot *fs;
	struct drm_node node;		/* its fdinfo is read; -1: devfreq */
	char folder[192];		/* of devfreq */
};

/* A line "KEY:	800000000 Hz". */
static bool find_hz(const char *text, const char *key, uint64_t *hz)
{
	const char *at = strstr(text, key);
	char number[24];

	if (!at)
		return false;
	at += strlen(key);
	at += strspn(at, " \t");
	size_t len = strspn(at, "0123456789");
	snprintf(number, sizeof(number), "%.*s",
		(int)(len < sizeof(number) ? len : sizeof(number) - 1), at);
	return parse_u64(number, hz);
}

/* Reads the file of our own descriptor. It belongs to this process, so it is not below the
 * prefix. */
static bool read_fdinfo(int fd, char *buf, size_t size)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	int info = open(path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return false;
	ssize_t len = read(info, buf, size - 1);
	close(info);
	buf[len > 0 ? len : 0] = '\0';
	return len > 0;
}

static bool read_devfreq(
	const struct clock_files *c, const char *file, uint64_t *hz, struct err *err)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", c->folder, file);
	return fsroot_read_u64(c->fs, path, hz, err);
}

static bool read_clock(struct mali_clock_reader *r, int64_t now_ns, uint64_t *now_hz,
	uint64_t *target_hz, struct err *err)
{
	struct clock_files *c = (struct clock_files *)r;
	char text[4096];

	(void)now_ns;
	if (c->reader.has_target && !read_devfreq(c, "target_freq", target_hz, err))
		return false;
	if (c->node.fd < 0)
		return read_devfreq(c, "cur_freq", now_hz, err);
	return (read_fdinfo(c->node.fd, text, sizeof(text)) &&
		       find_hz(text, CURRENT_KEY, now_hz)) ||
		err_set(err, ERR_SYS, "%s: its driver no longer tells the clock", c->node.card);
}

static void close_clock(struct mali_clock_reader *r)
{
	struct clock_files *c = (struct clock_files *)r;

	drm_node_close(&c->node);
	free(c);
}

/* /sys/class/drm/card0/device/devfreq/fde60000.gpu */
static bool find_devfreq(struct clock_files *c, const char *folder)
{
	char path[120], name[64];

	snprintf(path, sizeof(path), "%.100s/devfreq", folder);
	bool found = fsroot_first(c->fs, path, "", name, sizeof(name));
	snprintf(c->folder, sizeof(c->folder), "%s/%s", path, name);
	return found;
}

static bool find_fdinfo(struct clock_files *c, const char *card, uint64_t *max_hz)
{
	char text[4096];
	uint64_t hz;

	if (!card || !drm_node_open(&c->node, c->fs, card, NULL))
		return false;
	if (read_fdinfo(c->node.fd, text, sizeof(text)) && find_hz(text, CURRENT_KEY, &hz)) {
		find_hz(text, MAX_KEY, max_hz);
		return true;
	}
	drm_node_close(&c->node);
	return false;
}

struct mali_clock_reader *mali_clock_files_open(const struct fsroot *fs, const char *folder,
	const char *card, uint64_t *max_hz, struct err *err)
{
	struct clock_files *c = xcalloc(1, sizeof(*c));
	uint64_t hz;

	*max_hz = 0;
	c->fs = fs;
	c->node.fd = -1;
	c->reader = (struct mali_clock_reader){ .read = read_clock, .close = close_clock };
	bool devfreq = find_devfreq(c, folder) && read_devfreq(c, "cur_freq", &hz, NULL);
	c->reader.has_target = devfreq && read_devfreq(c, "target_freq", &hz, NULL);
	bool fdinfo = find_fdinfo(c, card, max_hz);
	if (devfreq && !*max_hz && !read_devfreq(c, "max_freq", max_hz, NULL))
		*max_hz = 0;
	snprintf(c->reader.how, sizeof(c->reader.how), "%s", fdinfo ? "DRM fdinfo" : "devfreq");
	if (devfreq || fdinfo)
		return &c->reader;
	close_clock(&c->reader);
	err_set(err, ERR_UNSUPPORTED, "neither its driver nor devfreq below %s tells the clock",
		folder);
	return NULL;
}
