/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinstr_prfcnt of kbase: samples are lists of items in a mapping, which say what each block of 64-bit values is. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/intel/node.h"
#include "backends/mali/kbase.h"
#include "base/i18n.h"
#include "base/mem.h"

#define MAX_MAP_BYTES (64u << 20)
#define MAX_ITEMS 1024
#define MAX_ITEM_BYTES 4096
#define VALUE_BYTES (MALI_BLOCK_WORDS * sizeof(uint64_t))

struct kinstr {
	struct mali_dumper dumper;
	const struct fsroot *fs;
	char name[32];
	struct mali_layout layout;
	struct kbase_node node;
	int fd;
	uint32_t item_bytes, map_bytes;
	uint8_t *map;
};

static void kinstr_stop(struct mali_dumper *d)
{
	struct kinstr *k = (struct kinstr *)d;

	if (k->map)
		munmap(k->map, k->map_bytes);
	if (k->fd >= 0)
		close(k->fd);
	k->map = NULL;
	k->fd = -1;
	kbase_close(&k->node);
}

static bool command(const struct kinstr *k, enum kinstr_command code, struct err *err)
{
	struct kinstr_control c = { .command = (uint16_t)code };

	return intel_ioctl(k->fd, KINSTR_COMMAND, &c) >= 0 || kbase_fail(&k->node, "kinstr_prfcnt commands", err);
}

/* The list of what there is: whether clocks are counted, and blocks of as many values as the tables know. */
static bool read_list(struct kinstr *k, const uint8_t *list, uint32_t items, uint32_t bytes, struct err *err)
{
	for (uint32_t i = 0; i < items; i++) {
		struct kinstr_enum_item item;

		memcpy(&item, list + (size_t)i * bytes, sizeof(item));
		if (item.h.type == KINSTR_ENUM_SAMPLE)
			k->dumper.has_cycles = item.sample.clocks > 0;
		if (item.h.type == KINSTR_ENUM_BLOCK && item.block.instances && item.block.kind < KINSTR_KINDS &&
		    item.block.values < MALI_BLOCK_WORDS)
			return err_set(err, ERR_UNSUPPORTED, _("%s: its blocks have %u values, %d are expected"), k->name,
				item.block.values, MALI_BLOCK_WORDS);
	}
	return true;
}

static bool enumerate(struct kinstr *k, struct err *err)
{
	struct kbase_kinstr_enum_info info = { 0 };
	uint8_t *list;
	bool good;

	if (intel_ioctl(k->node.fd, KBASE_KINSTR_ENUM_INFO, &info) < 0)
		return kbase_fail(&k->node, "KINSTR_PRFCNT_ENUM_INFO", err);
	if (info.item_bytes < sizeof(struct kinstr_enum_item) || info.item_bytes > MAX_ITEM_BYTES || info.items > MAX_ITEMS)
		return err_set(err, ERR_UNSUPPORTED, _("%s: its list of counters is not as expected (%u items of %u bytes)"), k->name,
			info.items, info.item_bytes);
	list = xcalloc(info.items + 1, info.item_bytes);
	info.list = (uintptr_t)list;
	good = intel_ioctl(k->node.fd, KBASE_KINSTR_ENUM_INFO, &info) >= 0 ? read_list(k, list, info.items, info.item_bytes, err) :
		kbase_fail(&k->node, "KINSTR_PRFCNT_ENUM_INFO", err);
	free(list);
	return good;
}

/* Sampling by hand of all counters of the primary set. */
static bool open_session(struct kinstr *k, struct err *err)
{
	struct kinstr_request r[KINSTR_KINDS + 2] = { { .h.type = KINSTR_MODE } };
	union kbase_kinstr_setup s = { .in = { .items = KINSTR_KINDS + 2, .item_bytes = sizeof(r[0]), .requests = (uintptr_t)r } };

	for (int i = 0; i < KINSTR_KINDS; i++) {
		r[i + 1].h.type = KINSTR_ENABLE;
		r[i + 1].enable.kind = (uint8_t)i;
		r[i + 1].enable.mask[0] = UINT64_MAX;
		r[i + 1].enable.mask[1] = UINT64_MAX;
	}
	k->fd = intel_ioctl(k->node.fd, KBASE_KINSTR_SETUP, &s);
	if (k->fd < 0)
		return kbase_fail(&k->node, "KINSTR_PRFCNT_SETUP", err);
	k->item_bytes = s.out.metadata_bytes;
	k->map_bytes = s.out.mmap_bytes;
	if (k->item_bytes >= sizeof(struct kinstr_metadata) && k->item_bytes <= MAX_ITEM_BYTES && k->map_bytes &&
	    k->map_bytes <= MAX_MAP_BYTES)
		return true;
	return err_set(err, ERR_UNSUPPORTED, _("%s: its samples are not as expected (items of %u bytes in %u)"), k->name, k->item_bytes,
		k->map_bytes);
}

static bool kinstr_start(struct mali_dumper *d, int64_t now_ns, struct err *err)
{
	struct kinstr *k = (struct kinstr *)d;
	void *map;

	(void)now_ns;
	if (kbase_open(&k->node, k->fs, k->name, err) && enumerate(k, err) && open_session(k, err)) {
		map = mmap(NULL, k->map_bytes, PROT_READ, MAP_PRIVATE, k->fd, 0);
		k->map = map == MAP_FAILED ? NULL : map;
		if (!k->map)
			err_sys(err, _("%s: cannot map its samples"), k->name);
		else if (command(k, KINSTR_START, err))
			return true;
	}
	kinstr_stop(d);
	return false;
}

/* --- samples --- */

static bool odd(const struct kinstr *k, struct err *err)
{
	return err_set(err, ERR_PARSE, _("%s: a sample of its counters does not follow the format"), k->name);
}

/* The item with that number of the list at offset; false when it would lie outside. */
static bool get_item(const struct kinstr *k, uint64_t offset, uint32_t n, struct kinstr_metadata *item)
{
	uint64_t at = offset + (uint64_t)n * k->item_bytes;

	if (offset > k->map_bytes || at + sizeof(*item) > k->map_bytes)
		return false;
	memcpy(item, k->map + at, sizeof(*item));
	return true;
}

/* The bit of a core in shader_present. Drivers count the cores that are there; early ones gave the bit itself, which shows where
 * there are holes: an index beyond the number of cores. */
static int core_of(const struct kinstr *k, int index, bool by_bit)
{
	int n = 0;

	for (int i = 0; i < k->layout.core_slots; i++) {
		if (!(k->layout.shader_present >> i & 1))
			continue;
		if ((by_bit ? i : n) == index)
			return i;
		n++;
	}
	return -1;
}

static bool add_block(const struct kinstr *k, const struct kinstr_metadata *item, bool by_bit, struct mali_sums *sums)
{
	static const enum mali_block blocks[] = { [KINSTR_FRONT_END] = MALI_JM, [KINSTR_TILER] = MALI_TI, [KINSTR_MEMORY] = MALI_L2,
		[KINSTR_SHADER_CORE] = MALI_SC };
	uint64_t values[MALI_BLOCK_WORDS];
	int index = item->block.index;

	if (item->block.kind >= KINSTR_KINDS)	/* firmware: there is none on these GPUs */
		return true;
	if (item->block.values_offset > k->map_bytes || k->map_bytes - item->block.values_offset < VALUE_BYTES)
		return false;
	memcpy(values, k->map + item->block.values_offset, sizeof(values));
	if (item->block.kind == KINSTR_SHADER_CORE)
		index = core_of(k, index, by_bit);
	return mali_sums_add64(sums, &k->layout, blocks[item->block.kind], index, values, MALI_BLOCK_WORDS);
}

static bool names_bits(const struct kinstr *k, uint64_t offset)
{
	int cores = __builtin_popcountll(k->layout.shader_present);
	struct kinstr_metadata item;

	for (uint32_t i = 0; i < MAX_ITEMS && get_item(k, offset, i, &item) && item.h.type != KINSTR_END; i++)
		if (item.h.type == KINSTR_BLOCK && item.block.kind == KINSTR_SHADER_CORE && item.block.index >= cores)
			return true;
	return false;
}

static bool add_sample(const struct kinstr *k, uint64_t offset, struct mali_sums *sums, int64_t *window_ns, struct err *err)
{
	bool by_bit = names_bits(k, offset);
	struct kinstr_metadata item;

	for (uint32_t i = 0; i < MAX_ITEMS; i++) {
		if (!get_item(k, offset, i, &item))
			return odd(k, err);
		switch (item.h.type) {
		case KINSTR_END:
			return true;
		case KINSTR_SAMPLE:
			if (item.sample.flags & KINSTR_SAMPLE_ERROR)
				return err_set(err, ERR_SYS, _("%s: its driver lost a sample"), k->name);
			*window_ns += (int64_t)(item.sample.end_ns - item.sample.start_ns);
			break;
		case KINSTR_CLOCK:
			sums->cycles += item.clock.n ? item.clock.cycles[0] : 0;
			break;
		case KINSTR_BLOCK:
			if (!add_block(k, &item, by_bit, sums))
				return odd(k, err);
		}
	}
	return odd(k, err);
}

static bool kinstr_dump(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums, int64_t *window_ns, struct err *err)
{
	struct kinstr *k = (struct kinstr *)d;
	struct pollfd p = { .fd = k->fd, .events = POLLIN };

	(void)now_ns;
	if (!command(k, KINSTR_SAMPLE_SYNC, err))
		return false;
	while (poll(&p, 1, 0) > 0) {
		struct kinstr_access a = { 0 };
		bool good;

		if (!(p.revents & POLLIN))
			return err_set(err, ERR_SYS, _("%s: its driver has closed the counters"), k->name);
		if (intel_ioctl(k->fd, KINSTR_GET_SAMPLE, &a) < 0)
			return kbase_fail(&k->node, "GET_SAMPLE", err);
		good = add_sample(k, a.offset, sums, window_ns, err);
		if (intel_ioctl(k->fd, KINSTR_PUT_SAMPLE, &a) < 0)
			return good ? kbase_fail(&k->node, "PUT_SAMPLE", err) : false;
		if (!good)
			return false;
	}
	return true;
}

static void kinstr_close(struct mali_dumper *d)
{
	kinstr_stop(d);
	free(d);
}

static const struct mali_dumper_ops kinstr_ops = { .start = kinstr_start, .dump = kinstr_dump, .stop = kinstr_stop,
	.close = kinstr_close };

struct mali_dumper *mali_kinstr_dumper(const struct fsroot *fs, const char *name, const struct mali_layout *l)
{
	struct kinstr *k = xcalloc(1, sizeof(*k));

	k->dumper = (struct mali_dumper){ .ops = &kinstr_ops, .how = "kbase kinstr_prfcnt", .has_cycles = true };
	k->fs = fs;
	k->layout = *l;
	k->fd = k->node.fd = -1;
	snprintf(k->name, sizeof(k->name), "%.31s", name);
	return &k->dumper;
}
