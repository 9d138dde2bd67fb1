/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the items of a sample. */
#include "config.h"

#include "backends/mali/kbase.h"

#include <string.h>

#include "backends/mali/kbase_uapi.h"

#define MAX_ITEMS 1024

static bool odd(const struct kinstr_samples *k, struct err *err)
{
	return err_set(err, ERR_PARSE, "%s: a sample of its counters does not follow the format",
		k->name);
}

/* The item with that number of the list at offset; false when it would lie outside. */
static bool get_item(
	const struct kinstr_samples *k, uint64_t offset, uint32_t n, struct kinstr_metadata *item)
{
	uint64_t at = offset + (uint64_t)n * k->item_bytes;

	if (offset > k->map_bytes || at + sizeof(*item) > k->map_bytes)
		return false;
	memcpy(item, k->map + at, sizeof(*item));
	return true;
}

/* The bit of a core in shader_present. Drivers count the cores that are there; early ones gave the
 * bit itself, which shows where there are holes: an index beyond the number of cores. */
static int core_of(const struct kinstr_samples *k, int index, bool by_bit)
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

static bool add_block(const struct kinstr_samples *k, const struct kinstr_metadata *item,
	bool by_bit, struct mali_sums *sums)
{
	static const enum mali_block blocks[] = { [KINSTR_FRONT_END] = MALI_JM,
		[KINSTR_TILER] = MALI_TI,
		[KINSTR_MEMORY] = MALI_L2,
		[KINSTR_SHADER_CORE] = MALI_SC };
	uint64_t values[MALI_MAX_WORDS];
	size_t bytes = (size_t)k->layout.words * sizeof(values[0]);
	int index = item->block.index;

	if (item->block.kind >= KINSTR_KINDS)	/* firmware: there is none on these GPUs */
		return true;
	if (item->block.values_offset > k->map_bytes ||
		k->map_bytes - item->block.values_offset < bytes)
		return false;
	memcpy(values, k->map + item->block.values_offset, bytes);
	if (item->block.kind == KINSTR_SHADER_CORE)
		index = core_of(k, index, by_bit);
	return mali_sums_add64(
		sums, &k->layout, blocks[item->block.kind], index, values, k->layout.words);
}

static bool names_bits(const struct kinstr_samples *k, uint64_t offset)
{
	int cores = __builtin_popcountll(k->layout.shader_present);
	struct kinstr_metadata item;

	for (uint32_t i = 0;
		i < MAX_ITEMS && get_item(k, offset, i, &item) && item.h.type != KINSTR_END; i++)
		if (item.h.type == KINSTR_BLOCK && item.block.kind == KINSTR_SHADER_CORE &&
			item.block.index >= cores)
			return true;
	return false;
}

static bool add_time(const struct kinstr_metadata *item, int64_t *window_ns)
{
	uint64_t ns = item->sample.end_ns - item->sample.start_ns;
	int64_t sum;

	if (item->sample.end_ns < item->sample.start_ns ||
		__builtin_add_overflow(*window_ns, ns, &sum))
		return false;
	*window_ns = sum;
	return true;
}

bool kinstr_samples_add(const struct kinstr_samples *k, uint64_t offset, struct mali_sums *sums,
	int64_t *window_ns, struct err *err)
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
				return err_set(
					err, ERR_SYS, "%s: its driver lost a sample", k->name);
			if (!add_time(&item, window_ns))
				return odd(k, err);
			break;
		case KINSTR_CLOCK:
			if (item.clock.n)
				sums->cycles += item.clock.cycles[0];
			break;
		case KINSTR_BLOCK:
			/* Another set of counters, which somebody has chosen for the whole driver,
			 * has other names. */
			if (item.block.set != 0)
				return err_set(err, ERR_BUSY,
					"%s: its driver counts another set of counters, number %u, that somebody has chosen",
					k->name, item.block.set);
			if (!add_block(k, &item, by_bit, sums))
				return odd(k, err);
		}
	}
	return odd(k, err);
}
