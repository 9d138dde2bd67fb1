/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PERFCNT_ENABLE and PERFCNT_DUMP. While counting is on, the driver keeps the GPU awake; closing
 * the node ends it. */
#include "config.h"

#include "backends/mali/dump_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/card/drm_node.h"
#include "backends/mali/panfrost_uapi.h"
#include "base/call_watch.h"
#include "base/clock.h"

#define UNSTABLE "/sys/module/panfrost/parameters/unstable_ioctls"

static bool get_param(
	const struct drm_node *n, enum panfrost_param param, uint64_t *value, struct err *err)
{
	struct panfrost_get_param p = { .param = param };

	if (node_ioctl(n->fd, PANFROST_GET_PARAM, &p) < 0)
		return err_sys(err, "%s: its driver does not tell parameter %d", n->card, param);
	*value = p.value;
	return true;
}

bool mali_panfrost_identify(
	const struct fsroot *fs, const char *card, struct mali_identity *id, struct err *err)
{
	uint64_t product = 0, revision = 0, cores = 0, l2 = 0, core = 0, memory = 0, thread = 0;
	struct drm_node n;

	if (!drm_node_open(&n, fs, card, err))
		return false;
	bool good = get_param(&n, PANFROST_PROD_ID, &product, err) &&
		get_param(&n, PANFROST_REVISION, &revision, err) &&
		get_param(&n, PANFROST_SHADER_PRESENT, &cores, err) &&
		get_param(&n, PANFROST_L2_FEATURES, &l2, err) &&
		get_param(&n, PANFROST_CORE_FEATURES, &core, err) &&
		get_param(&n, PANFROST_MEM_FEATURES, &memory, err) &&
		get_param(&n, PANFROST_THREAD_FEATURES, &thread, err);
	drm_node_close(&n);
	if (!good)
		return false;
	*id = (struct mali_identity){ .gpu_id = (uint32_t)(product << 16 | (revision & 0xffff)),
		.shader_present = cores,
		.slices = (int)((memory >> 8) & 15) + 1,
		.l2_features = (uint32_t)l2,
		.core_features = (uint32_t)core,
		.thread_features = (uint32_t)thread };
	return true;
}

struct panfrost {
	struct mali_dumper dumper;
	const struct fsroot *fs;
	struct mali_layout layout;
	char card[32];
	struct drm_node node;
	int64_t counted_from_ns;
	uint8_t dump[MALI_MAX_BLOCKS * MALI_BLOCK_BYTES];
};

/* The times of engines in fdinfo, by which clients are told apart, are only taken while this file
 * says 1. Without permission it stays as it is. Not below a prefix: a copy of a tree is nothing to
 * write to. */
static bool set_profiling(const struct panfrost *p, const char *from, const char *to)
{
	char path[96], now[8];
	bool good = false;

	snprintf(path, sizeof(path), "/sys/class/drm/%s/device/profiling", p->card);
	if (*p->fs->prefix || !fsroot_read_line(p->fs, path, now, sizeof(now), NULL) ||
		strcmp(now, from))
		return false;
	call_begin("write", path, -1);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		good = write(fd, to, strlen(to)) == (ssize_t)strlen(to);
		close(fd);
	}
	call_end();
	return good;
}

static bool refuse(const struct panfrost *p, struct err *err)
{
	switch (errno) {
	case ENOSYS:
		err_set(err, ERR_PERMISSION,
			"%s: panfrost keeps its counters switched off (unstable_ioctls)",
			p->card);
		return err_hint(err,
			"as root: echo Y > %s (the kernel then counts itself as tainted)",
			UNSTABLE);
	case EBUSY:
		err_set(err, ERR_BUSY,
			"%s: another program holds its counters; panfrost lends them to one at a "
			"time",
			p->card);
		return err_hint(err, "who has the GPU open: sudo fuser -v %s", p->node.path);
	case EINVAL:
	case ENOTTY:
		return err_set(err, ERR_UNSUPPORTED,
			"%s: this kernel's panfrost has no counters for this GPU", p->card);
	case ENODEV:
		return err_sys(err, "%s: the GPU is gone", p->card);
	default:
		return err_sys(err, "%s: cannot switch its counters on", p->card);
	}
}

static void panfrost_stop(struct mali_dumper *d)
{
	drm_node_close(&((struct panfrost *)d)->node);
}

static bool panfrost_start(struct mali_dumper *d, int64_t now_ns, struct err *err)
{
	struct panfrost *p = (struct panfrost *)d;
	struct panfrost_perfcnt_enable on = { .enable = 1 };

	(void)now_ns;
	if (!drm_node_open(&p->node, p->fs, p->card, err))
		return false;
	if (node_ioctl(p->node.fd, PANFROST_PERFCNT_ENABLE, &on) < 0) {
		refuse(p, err);
		panfrost_stop(d);
		return false;
	}
	p->counted_from_ns = clock_machine_ns();
	d->is_owing = d->is_owing || set_profiling(p, "0", "1");
	return true;
}

/* The time stamps in the blocks are not to be trusted (Mesa replaces them), so a dump counts as
 * taken in the middle of its call. */
static bool panfrost_dump(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
	int64_t *window_ns, struct err *err)
{
	struct panfrost *p = (struct panfrost *)d;
	struct panfrost_perfcnt_dump arg = { .buf_ptr = (uintptr_t)p->dump };
	int64_t before_ns = clock_machine_ns(), taken_ns;

	(void)now_ns;
	if (node_ioctl(p->node.fd, PANFROST_PERFCNT_DUMP, &arg) < 0) {
		if (errno == ETIMEDOUT)
			return err_set(err, ERR_SYS,
				"%s: the GPU did not hand over its counters within a second",
				p->card);
		if (errno == EINVAL)
			return err_set(err, ERR_SYS,
				"%s: its counters were switched off, perhaps by a reset of the GPU",
				p->card);
		if (errno == ENODEV)
			return err_sys(err, "%s: the GPU is gone", p->card);
		return err_sys(err, "%s: cannot read its counters", p->card);
	}
	taken_ns = before_ns + (clock_machine_ns() - before_ns) / 2;
	*window_ns += taken_ns - p->counted_from_ns;
	p->counted_from_ns = taken_ns;
	return mali_sums_add_dump(sums, &p->layout, p->dump, p->layout.bytes, err);
}

static void panfrost_close(struct mali_dumper *d)
{
	/* This comes first: whoever gets the counters next finds the file as it was, and
	 * switches it on again. */
	if (d->is_owing)
		set_profiling((struct panfrost *)d, "1", "0");
}

static const struct mali_dumper_ops panfrost_ops = {
	.size = sizeof(struct panfrost),
	.start = panfrost_start, .dump = panfrost_dump, .stop = panfrost_stop, .close = panfrost_close,
};

struct mali_dumper *mali_panfrost_dumper(
	const struct fsroot *fs, const char *card, const struct mali_layout *l, struct err *err)
{
	struct panfrost *p = mali_dumper_new(&panfrost_ops, "panfrost counters");

	(void)err;
	p->dumper.is_narrow = true;
	p->fs = fs;
	p->layout = *l;
	p->node.fd = -1;
	snprintf(p->card, sizeof(p->card), "%.31s", card);
	return &p->dumper;
}
