/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vinstr of kbase: a descriptor with a ring of dumps that are asked for one by one. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>

#include "backends/card/drm_node.h"
#include "backends/mali/kbase.h"
#include "base/call_watch.h"

#define MOST_BUFFERS 32
#define ALL_GROUPS UINT32_MAX
#define MAX_BUFFER_BYTES (1u << 20)

struct vinstr {
	struct mali_dumper dumper;
	const struct fsroot *fs;
	char name[32];
	struct mali_layout layout;
	struct kbase_node node;
	int fd;			/* of the reader; closed with the mapping */
	uint32_t buffers, buffer_bytes, features;
	uint8_t *map;
	int64_t counted_from_ns;
};

static void vinstr_stop(struct mali_dumper *d)
{
	struct vinstr *v = (struct vinstr *)d;

	if (v->map)
		driver_unmap(v->map, (size_t)v->buffers * v->buffer_bytes, v->name);
	driver_close(v->fd);
	v->map = NULL;
	v->fd = -1;
	kbase_close(&v->node);
}

/* The kernel may lack memory for many buffers; two are the least that it takes. */
static bool open_reader(struct vinstr *v, struct err *err)
{
	struct kbase_hwcnt_reader_setup setup = { MOST_BUFFERS, ALL_GROUPS, ALL_GROUPS, ALL_GROUPS,
		ALL_GROUPS };

	do {
		v->fd = node_ioctl(v->node.fd, KBASE_HWCNT_READER_SETUP, &setup);
		v->buffers = setup.buffers;
		setup.buffers /= 2;
	} while (v->fd < 0 && errno == ENOMEM && setup.buffers > 1);
	if (v->fd >= 0)
		return true;
	return kbase_fail(&v->node, "HWCNT_READER_SETUP", err);
}

static bool map_buffers(struct vinstr *v, struct err *err)
{
	struct vinstr_version version = { 0 };

	if (node_ioctl(v->fd, VINSTR_GET_VERSION, &version) >= 0)
		v->features = version.features & (VINSTR_TOP_CYCLES | VINSTR_SHADER_CYCLES);
	v->dumper.has_cycles = v->features & VINSTR_TOP_CYCLES;
	if (node_ioctl(v->fd, VINSTR_GET_BUFFER_SIZE, &v->buffer_bytes) < 0)
		return kbase_fail(&v->node, "GET_BUFFER_SIZE", err);
	if (v->buffer_bytes < v->layout.bytes || v->buffer_bytes > MAX_BUFFER_BYTES)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: its dumps have %u bytes, the blocks of this GPU need %zu", v->name,
			v->buffer_bytes, v->layout.bytes);
	v->map = driver_map(
		v->fd, (size_t)v->buffers * v->buffer_bytes, PROT_READ, MAP_PRIVATE, 0);
	return v->map || err_sys(err, "%s: cannot map its dumps", v->name);
}

static bool vinstr_start(struct mali_dumper *d, int64_t now_ns, struct err *err)
{
	struct vinstr *v = (struct vinstr *)d;

	(void)now_ns;
	if (kbase_open(&v->node, v->fs, v->name, err) && open_reader(v, err) &&
		map_buffers(v, err)) {
		if (node_ioctl(v->fd, VINSTR_CLEAR, NULL) >= 0) {
			v->counted_from_ns = kbase_now_ns();
			return true;
		}
		kbase_fail(&v->node, "CLEAR", err);
	}
	vinstr_stop(d);
	return false;
}

static bool take_buffer(
	struct vinstr *v, struct mali_sums *sums, int64_t *window_ns, struct err *err)
{
	struct vinstr_buffer_cycles b = { 0 };
	unsigned long get = VINSTR_GET_BUFFER, put = VINSTR_PUT_BUFFER;
	bool good = false;

	if (v->features) {
		get = VINSTR_GET_BUFFER_CYCLES;
		put = VINSTR_PUT_BUFFER_CYCLES;
	}
	if (node_call(v->fd, get, "ioctl GET_BUFFER", &b) < 0)
		return kbase_fail(&v->node, "GET_BUFFER", err);
	if (b.buffer.index >= v->buffers) {
		err_set(err, ERR_PARSE, "%s: its driver names dump %u of %u", v->name,
			b.buffer.index, v->buffers);
	} else {
		good = mali_sums_add_dump(sums, &v->layout,
			v->map + (size_t)b.buffer.index * v->buffer_bytes, v->buffer_bytes, err);
		*window_ns += (int64_t)b.buffer.timestamp_ns - v->counted_from_ns;
		v->counted_from_ns = (int64_t)b.buffer.timestamp_ns;
		sums->cycles += b.top_cycles;
	}
	if (node_call(v->fd, put, "ioctl PUT_BUFFER", &b) < 0 && good)
		return kbase_fail(&v->node, "PUT_BUFFER", err);
	return good;
}

/* DUMP returns when the dump is there, so poll() never has to wait. */
static bool vinstr_dump(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
	int64_t *window_ns, struct err *err)
{
	struct vinstr *v = (struct vinstr *)d;
	struct pollfd p = { .fd = v->fd, .events = POLLIN };

	(void)now_ns;
	if (node_ioctl(v->fd, VINSTR_DUMP, NULL) < 0)
		return kbase_fail(&v->node, "DUMP", err);
	while (driver_poll(&p) > 0) {
		if (!(p.revents & POLLIN))
			return err_set(
				err, ERR_SYS, "%s: its driver has closed the counters", v->name);
		if (!take_buffer(v, sums, window_ns, err))
			return false;
	}
	return true;
}

static const struct mali_dumper_ops vinstr_ops = {
	.size = sizeof(struct vinstr),
	.start = vinstr_start, .dump = vinstr_dump, .stop = vinstr_stop,
};

struct mali_dumper *mali_vinstr_dumper(
	const struct fsroot *fs, const char *name, const struct mali_layout *l)
{
	struct vinstr *v = mali_dumper_new(&vinstr_ops, "kbase vinstr");

	v->dumper.has_cycles = v->dumper.is_narrow = true;
	v->fs = fs;
	v->layout = *l;
	v->fd = v->node.fd = -1;
	snprintf(v->name, sizeof(v->name), "%.31s", name);
	return &v->dumper;
}
