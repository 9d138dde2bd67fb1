/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The handshake with kbase and the properties of its GPU. */
#include "config.h"

#include "backends/mali/kbase.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "backends/card/drm_node.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/mem.h"

#define PROPS_MAX_BYTES 65536

bool kbase_fail(const struct kbase_node *n, const char *what, struct err *err)
{
	if (errno == ENODEV)
		return err_sys(err, "%s: the GPU is gone", n->name);
	if (errno == EBUSY) {
		err_set(err, ERR_BUSY, "%s: another program holds its counters", n->name);
		return err_hint(err, "who has the GPU open: sudo fuser -v /dev/%s", n->name);
	}
	return err_sys(err, "%s: its driver refuses %s", n->name, what);
}

int64_t kbase_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static bool open_node(struct kbase_node *n, struct err *err)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/dev/%s", n->name);
	n->fd = node_open(n->fs, n->name, path, O_RDONLY, err);
	if (n->fd < 0 || (fstat(n->fd, &st) == 0 && S_ISCHR(st.st_mode)))
		return n->fd >= 0;
	return err_set(err, ERR_UNSUPPORTED, "%s is not a device", path);
}

/* Asks in the order of Arm's library. As there, an answer counts by what it wrote, not by what the
 * ioctl returned. */
static bool agree(struct kbase_node *n, struct err *err)
{
	struct kbase_old_version old = { 0 };

	node_ioctl(n->fd, KBASE_OLD_VERSION_CHECK, &old);
	if (old.major || old.minor) {
		err_set(err, ERR_UNSUPPORTED,
			"%s: its driver speaks interface %u.%u, from before r21", n->name,
			old.major, old.minor);
		return err_hint(
			err, "%s", "a kernel with a newer Mali driver, or with panfrost");
	}
	node_ioctl(n->fd, KBASE_VERSION_CHECK, &n->version);
	if (n->version.major || n->version.minor)
		return true;
	node_ioctl(n->fd, KBASE_CSF_VERSION_CHECK, &n->version);
	n->has_streams = n->version.major || n->version.minor;
	if (n->has_streams)
		return true;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: its driver agrees on no interface that is known here", n->name);
}

/* An open file becomes a context with SET_FLAGS; a driver that has made it one already, or knows no
 * monitors, says so and goes on. */
static bool set_flags(const struct kbase_node *n, struct err *err)
{
	struct kbase_set_flags f = { .flags = KBASE_MONITOR_FLAGS };

	return node_ioctl(n->fd, KBASE_SET_FLAGS, &f) >= 0 || errno == EPERM || errno == EINVAL ||
		kbase_fail(n, "SET_FLAGS", err);
}

bool kbase_open(struct kbase_node *n, const struct fsroot *fs, const char *name, struct err *err)
{
	*n = (struct kbase_node){ .fd = -1, .fs = fs };
	snprintf(n->name, sizeof(n->name), "%.31s", name);
	if (open_node(n, err) && agree(n, err) && set_flags(n, err))
		return true;
	kbase_close(n);
	return false;
}

void kbase_close(struct kbase_node *n)
{
	driver_close(n->fd);
	n->fd = -1;
}

/* --- properties --- */

static void take_prop(struct mali_identity *id, uint32_t prop, uint64_t v)
{
	switch (prop) {
	case KBASE_PROP_GPU_ID:
		id->gpu_id = (uint32_t)v;
		break;
	case KBASE_PROP_L2_SLICES:
		if (v <= INT_MAX)
			id->slices = (int)v;
		break;
	case KBASE_PROP_L2_FEATURES:
		id->l2_features = (uint32_t)v;
		break;
	case KBASE_PROP_CORE_FEATURES:
		id->core_features = (uint32_t)v;
		break;
	case KBASE_PROP_THREAD_FEATURES:
		id->thread_features = (uint32_t)v;
		break;
	case KBASE_PROP_MAX_KHZ:
		id->max_hz = (v & UINT32_MAX) * 1000;
		break;
	case KBASE_PROP_ENGINES:
		if (v <= 255)
			id->engines = (int)v;
		break;
	default:
		if (prop >= KBASE_PROP_CORE_MASK && prop <= KBASE_PROP_LAST_CORE_MASK)
			id->shader_present |= v;
	}
}

bool kbase_props_parse(
	const uint8_t *props, size_t bytes, struct mali_identity *id, struct err *err)
{
	size_t at = 0;

	*id = (struct mali_identity){ 0 };
	while (at < bytes) {
		uint32_t key;
		uint64_t v = 0;

		if (bytes - at < sizeof(key))
			return err_set(err, ERR_PARSE, "the GPU's properties end in the middle");
		memcpy(&key, props + at, sizeof(key));
		at += sizeof(key);
		size_t size = (size_t)1 << (key & 3);
		if (bytes - at < size)
			return err_set(err, ERR_PARSE, "the GPU's properties end in the middle");
		for (size_t i = 0; i < size; i++)
			v |= (uint64_t)props[at + i] << 8 * i;
		at += size;
		take_prop(id, key >> 2, v);
	}
	return true;
}

static bool read_props(const struct kbase_node *n, struct mali_identity *id, struct err *err)
{
	struct kbase_get_gpuprops get = { 0 };
	int bytes = node_ioctl(n->fd, KBASE_GET_GPUPROPS, &get);
	bool good;

	if (bytes < 0)
		return kbase_fail(n, "GET_GPUPROPS", err);
	if (bytes == 0 || bytes > PROPS_MAX_BYTES)
		return err_set(err, ERR_UNSUPPORTED, "%s: its driver has %d bytes of properties",
			n->name, bytes);
	uint8_t *props = xcalloc(1, (size_t)bytes);
	get.buffer = (uintptr_t)props;
	get.size = (uint32_t)bytes;
	if (node_ioctl(n->fd, KBASE_GET_GPUPROPS, &get) >= 0) {
		node_answered(n->fd, KBASE_GET_GPUPROPS, props, (size_t)bytes);
		good = kbase_props_parse(props, (size_t)bytes, id, err);
	} else {
		good = kbase_fail(n, "GET_GPUPROPS", err);
	}
	free(props);
	return good;
}

bool mali_kbase_identify(
	const struct fsroot *fs, const char *name, struct mali_identity *id, struct err *err)
{
	struct kbase_node n;
	bool good = kbase_open(&n, fs, name, err) && read_props(&n, id, err);

	kbase_close(&n);
	return good;
}
