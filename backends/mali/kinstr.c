/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinstr_prfcnt of kbase: samples are lists of items in a mapping, which say what each block of
 * 64-bit values is. */
#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/card/drm_node.h"
#include "backends/mali/kbase.h"
#include "base/call_watch.h"
#include "base/mem.h"

#define MAX_MAP_BYTES (64u << 20)
#define MAX_ITEMS 1024
#define MAX_ITEM_BYTES 4096

struct kinstr {
	struct mali_dumper dumper;
	const struct fsroot *fs;
	struct kbase_node node;
	int fd;
	struct kinstr_samples samples;
	void *map;		/* as samples.map */
};

static void kinstr_stop(struct mali_dumper *d)
{
	struct kinstr *k = (struct kinstr *)d;

	if (k->map)
		driver_unmap(k->map, k->samples.map_bytes, k->samples.name);
	driver_close(k->fd);
	k->map = NULL;
	k->samples.map = NULL;
	k->fd = -1;
	kbase_close(&k->node);
}

static bool command(const struct kinstr *k, enum kinstr_command code, struct err *err)
{
	struct kinstr_control c = { .command = (uint16_t)code };

	return node_ioctl(k->fd, KINSTR_COMMAND, &c) >= 0 ||
		kbase_fail(&k->node, "kinstr_prfcnt commands", err);
}

/* The list tells whether clocks are counted, and that blocks have as many values as the tables
 * know. */
static bool read_list(
	struct kinstr *k, const uint8_t *list, uint32_t items, uint32_t bytes, struct err *err)
{
	for (uint32_t i = 0; i < items; i++) {
		struct kinstr_enum_item item;

		memcpy(&item, list + (size_t)i * bytes, sizeof(item));
		if (item.h.type == KINSTR_ENUM_SAMPLE)
			k->dumper.has_cycles = item.sample.clocks > 0;
		if (item.h.type == KINSTR_ENUM_BLOCK && item.block.instances &&
			item.block.kind < KINSTR_KINDS && item.block.values < k->samples.layout.words)
			return err_set(err, ERR_UNSUPPORTED,
				"%s: its blocks have %u values, %d are expected",
				k->samples.name, item.block.values, k->samples.layout.words);
	}
	return true;
}

static bool enumerate(struct kinstr *k, struct err *err)
{
	struct kbase_kinstr_enum_info info = { 0 };
	uint32_t items, item_bytes;	/* as allocated, whatever the second answer says */
	bool good;

	if (node_ioctl(k->node.fd, KBASE_KINSTR_ENUM_INFO, &info) < 0)
		return kbase_fail(&k->node, "KINSTR_PRFCNT_ENUM_INFO", err);
	if (info.item_bytes < sizeof(struct kinstr_enum_item) || info.item_bytes > MAX_ITEM_BYTES ||
		info.items > MAX_ITEMS)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: its list of counters is not as expected (%u items of %u bytes)",
			k->samples.name, info.items, info.item_bytes);
	items = info.items;
	item_bytes = info.item_bytes;
	uint8_t *list = xcalloc(items + 1, item_bytes);
	info.list = (uintptr_t)list;
	if (node_ioctl(k->node.fd, KBASE_KINSTR_ENUM_INFO, &info) >= 0) {
		node_answered(k->node.fd, KBASE_KINSTR_ENUM_INFO, list, (size_t)items * item_bytes);
		good = read_list(k, list, items, item_bytes, err);
	} else {
		good = kbase_fail(&k->node, "KINSTR_PRFCNT_ENUM_INFO", err);
	}
	free(list);
	return good;
}

/* Sampling by hand of all counters of the primary set. */
static bool open_session(struct kinstr *k, struct err *err)
{
	struct kinstr_request r[KINSTR_KINDS + 2] = { { .h.type = KINSTR_MODE } };
	union kbase_kinstr_setup s = { .in = { .items = KINSTR_KINDS + 2,
					       .item_bytes = sizeof(r[0]),
					       .requests = (uintptr_t)r } };

	for (int i = 0; i < KINSTR_KINDS; i++) {
		r[i + 1].h.type = KINSTR_ENABLE;
		r[i + 1].enable.kind = (uint8_t)i;
		r[i + 1].enable.mask[0] = UINT64_MAX;
		r[i + 1].enable.mask[1] = UINT64_MAX;
	}
	k->fd = node_ioctl(k->node.fd, KBASE_KINSTR_SETUP, &s);
	if (k->fd < 0)
		return kbase_fail(&k->node, "KINSTR_PRFCNT_SETUP", err);
	k->samples.item_bytes = s.out.metadata_bytes;
	k->samples.map_bytes = s.out.mmap_bytes;
	if (k->samples.item_bytes >= sizeof(struct kinstr_metadata) &&
		k->samples.item_bytes <= MAX_ITEM_BYTES && k->samples.map_bytes &&
		k->samples.map_bytes <= MAX_MAP_BYTES)
		return true;
	return err_set(err, ERR_UNSUPPORTED,
		"%s: its samples are not as expected (items of %u bytes in %u)", k->samples.name,
		k->samples.item_bytes, k->samples.map_bytes);
}

static bool kinstr_start(struct mali_dumper *d, int64_t now_ns, struct err *err)
{
	struct kinstr *k = (struct kinstr *)d;

	(void)now_ns;
	if (kbase_open(&k->node, k->fs, k->samples.name, err) && enumerate(k, err) &&
		open_session(k, err)) {
		k->map = driver_map(k->fd, k->samples.map_bytes, PROT_READ, MAP_PRIVATE, 0);
		k->samples.map = k->map;
		if (!k->map)
			err_sys(err, "%s: cannot map its samples", k->samples.name);
		else if (command(k, KINSTR_START, err))
			return true;
	}
	kinstr_stop(d);
	return false;
}

/* --- samples --- */

static bool kinstr_dump(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
	int64_t *window_ns, struct err *err)
{
	struct kinstr *k = (struct kinstr *)d;
	struct pollfd p = { .fd = k->fd, .events = POLLIN };

	(void)now_ns;
	if (!command(k, KINSTR_SAMPLE_SYNC, err))
		return false;
	while (driver_poll(&p) > 0) {
		struct kinstr_access a = { 0 };

		if (!(p.revents & POLLIN))
			return err_set(err, ERR_SYS, "%s: its driver has closed the counters",
				k->samples.name);
		if (node_ioctl(k->fd, KINSTR_GET_SAMPLE, &a) < 0)
			return kbase_fail(&k->node, "GET_SAMPLE", err);
		bool good = kinstr_samples_add(&k->samples, a.offset, sums, window_ns, err);
		if (node_ioctl(k->fd, KINSTR_PUT_SAMPLE, &a) < 0 && good)
			return kbase_fail(&k->node, "PUT_SAMPLE", err);
		if (!good)
			return false;
	}
	return true;
}

static const struct mali_dumper_ops kinstr_ops = {
	.size = sizeof(struct kinstr),
	.start = kinstr_start, .dump = kinstr_dump, .stop = kinstr_stop,
};

struct mali_dumper *mali_kinstr_dumper(
	const struct fsroot *fs, const char *name, const struct mali_layout *l)
{
	struct kinstr *k = mali_dumper_new(&kinstr_ops, "kbase kinstr_prfcnt");

	k->dumper.has_cycles = true;
	k->fs = fs;
	k->samples.layout = *l;
	k->fd = k->node.fd = -1;
	snprintf(k->samples.name, sizeof(k->samples.name), "%.31s", name);
	return &k->dumper;
}
