/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake panfrost: parameters, counters with one owner, fdinfo. Order of checks: Linux
 * drivers/gpu/drm/panfrost/panfrost_drv.c, panfrost_perfcnt.c. $FAKEKERNEL_FAIL: param, enable,
 * dump. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "backends/mali/panfrost_uapi.h"
#include "tests/fakekernel/drm_version.h"
#include "tests/fakekernel/mali.h"

/* An open file that counts. */
struct owner {
	struct fake_counting counting;
	int lock;
};

static int version(struct fake_drm_version *v)
{
	v->major = 1;
	v->minor = 2;
	v->patch = 0;
	fake_drm_field("panfrost", v->name, &v->name_len);
	fake_drm_field("20180908", v->date, &v->date_len);
	fake_drm_field("panfrost DRM", v->desc, &v->desc_len);
	return 0;
}

static int get_param(struct panfrost_get_param *p)
{
	const struct mali_identity *id = &fake_mali_machine()->id;
	int error = fake_fails("param");

	fake_log("panfrost param %u\n", p->param);
	if (error)
		return fake_mali_fail(error);
	if (p->pad || p->param > PANFROST_LAST_PARAM)
		return fake_mali_fail(EINVAL);
	p->value = 0;
	switch (p->param) {
	case PANFROST_PROD_ID:
		p->value = id->gpu_id >> 16;
		break;
	case PANFROST_REVISION:
		p->value = id->gpu_id & 0xffff;
		break;
	case PANFROST_SHADER_PRESENT:
		p->value = id->shader_present;
		break;
	case PANFROST_L2_FEATURES:
		p->value = id->l2_features;
		break;
	case PANFROST_CORE_FEATURES:
		p->value = id->core_features;
		break;
	case PANFROST_MEM_FEATURES:
		p->value = (uint64_t)(id->slices - 1) << 8 | 1;
		break;
	case PANFROST_THREAD_FEATURES:
		p->value = id->thread_features;
		break;
	}
	return 0;
}

static bool is_unstable(void)
{
	char flag[8];

	return fake_tree_read(
		       "/sys/module/panfrost/parameters/unstable_ioctls", flag, sizeof(flag)) &&
		*flag == 'Y';
}

/* Closing resumes the GPU, whether the file has counted or not (panfrost_perfcnt_close()). */
static void disown(struct fake_fd *f)
{
	struct owner *o = f->priv;
	char status[32];

	if (fake_tree_read("/sys/class/drm/card0/device/power/runtime_status", status, sizeof(status)) &&
		!strcmp(status, "suspended"))
		fake_log("panfrost woken\n");

	if (!o)
		return;
	real_close(o->lock);
	free(o);
	f->priv = NULL;
}

static int own(struct fake_fd *f)
{
	char path[PATH_MAX];
	struct owner *o;
	int lock;

	snprintf(path, sizeof(path), "%s/mali/owner.lock", fake_root());
	lock = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
		real_close(lock);
		return fake_mali_fail(EBUSY);
	}
	o = calloc(1, sizeof(*o));
	o->lock = lock;
	fake_counting_clear(&o->counting);
	f->priv = o;
	return 0;
}

static int enable(struct fake_fd *f, const struct panfrost_perfcnt_enable *e)
{
	int error = fake_fails("enable");

	fake_log("panfrost enable %u set %u\n", e->enable, e->counterset);
	if (!is_unstable())
		return fake_mali_fail(ENOSYS);
	if (e->counterset > 1)
		return fake_mali_fail(EINVAL);
	fake_mali_wait();	/* a lock that somebody holds who waits for the GPU; refusals come behind it */
	if (error)
		return fake_mali_fail(error);
	if (e->enable)
		return f->priv ? 0 : own(f);
	if (!f->priv)
		return fake_mali_fail(EINVAL);
	disown(f);
	return 0;
}

static int dump(struct fake_fd *f, const struct panfrost_perfcnt_dump *d)
{
	struct owner *o = f->priv;
	int error = fake_fails("dump");
	uint8_t blocks[FAKE_MALI_DUMP_BYTES];

	if (!is_unstable())
		return fake_mali_fail(ENOSYS);
	if (error)
		return fake_mali_fail(error);
	if (!o)
		return fake_mali_fail(EINVAL);
	fake_mali_wait();
	fake_counting_dump(&o->counting, blocks, NULL);
	memcpy((void *)(uintptr_t)d->buf_ptr, blocks, mali_gpu_layout(fake_mali_gpu())->bytes);
	return 0;
}

static int node_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	(void)fd;
	if (!fake_mali_gpu())
		return fake_mali_fail(ENODEV);
	switch (request) {
	case FAKE_DRM_VERSION:
		return version((struct fake_drm_version *)arg);
	case PANFROST_GET_PARAM:
		return get_param((struct panfrost_get_param *)arg);
	case PANFROST_PERFCNT_ENABLE:
		return enable(f, (const struct panfrost_perfcnt_enable *)arg);
	case PANFROST_PERFCNT_DUMP:
		return dump(f, (const struct panfrost_perfcnt_dump *)arg);
	default:
		return fake_mali_fail(EINVAL);
	}
}

/* Linux Documentation/gpu/panfrost.rst. Engines have times only while the file profiling says 1. */
static size_t node_fdinfo(uint64_t client, long part_per_mille, char *buf, size_t size)
{
	static const char *const engines[] = { "fragment", "vertex-tiler" };
	bool profiling = fake_tree_number("/sys/class/drm/card0/device/profiling", 0) == 1;
	int len = snprintf(
		buf, size, "pos:\t0\ndrm-driver:\tpanfrost\ndrm-client-id:\t%" PRIu64 "\n", client);

	for (int i = 0; i < 2; i++) {
		if (profiling)
			len += snprintf(buf + len, size - (size_t)len, "drm-engine-%s:\t%ld ns\n",
				engines[i], part_per_mille * 1000000);
		if (fake_tree_number("/mali/quiet", 0) != 1)
			len += snprintf(buf + len, size - (size_t)len,
				"drm-maxfreq-%s:\t%" PRIu64 " Hz\ndrm-curfreq-%s:\t%" PRIu64
				" Hz\n",
				engines[i], (uint64_t)fake_mali_machine()->max_mhz * 1000000,
				engines[i], fake_mali_clock_hz());
	}
	return (size_t)len;
}

static const char *const folders[] = { "/sys", "/dev/dri", NULL };
const struct fake_driver fake_panfrost = { .name = "panfrost",
	.folders = folders,
	.is_drm = true,
	.ioctl = node_ioctl,
	.close = disown,
	.fdinfo = node_fdinfo };
