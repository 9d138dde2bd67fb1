/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a dump of counter blocks, as the mapping of kinstr_prfcnt's samples, and as kbase's
 * properties. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/mali/kbase.h"

#define SELECTOR_BYTES 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is read of a device that is not there must be 0. */
static void check_absent(const struct mali_layout *l, const struct mali_sums *s)
{
	for (int core = 0; core < MALI_MAX_CORES; core++)
		for (int w = 0; w < MALI_MAX_WORDS; w++)
			if (!(l->shader_present >> core & 1) &&
				s->words[mali_sums_row(MALI_SC, core)][w])
				abort();
}

static void try_dump(const struct mali_layout *l, const uint8_t *data, size_t size)
{
	struct mali_sums sums = { .cycles = 0 };
	struct err err = { 0 };

	if (mali_sums_add_dump(&sums, l, data, size, &err) != (size >= l->bytes))
		abort();
	check_absent(l, &sums);
}

static void try_samples(const struct mali_layout *l, uint32_t item_bytes, uint64_t offset,
	const uint8_t *data, size_t size)
{
	struct kinstr_samples k = { .name = "mali0",
		.layout = *l,
		.item_bytes = item_bytes,
		.map_bytes = (uint32_t)size,
		.map = data };
	struct mali_sums sums = { .cycles = 0 };
	struct err err = { 0 };
	int64_t window_ns = 0;

	if (!kinstr_samples_add(&k, offset, &sums, &window_ns, &err) && !err.msg[0])
		abort();
	if (window_ns < 0)
		abort();
	check_absent(l, &sums);
}

static void try_props(const uint8_t *data, size_t size)
{
	struct mali_identity id;
	struct mali_layout l;
	struct err err = { 0 };

	if (kbase_props_parse(data, size, &id, &err) && mali_layout_init(&l, &id, &err) &&
		l.bytes > MALI_MAX_BLOCKS * MALI_BLOCK_BYTES)
		abort();
}

/* First four bytes: cores, L2 slices, how much longer items are than we know them (six bits; the others choose
 * the GPU), and where the first one lies. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* G52, G77, G710, and G715, whose blocks have 128 words */
	static const uint32_t gpu_ids[] = { 0x72120000, 0x90000000, 0xa0020000, 0xb0020000 };
	struct mali_identity id = { .gpu_id = 0 };
	struct mali_layout l;

	if (size < SELECTOR_BYTES || size > UINT16_MAX)
		return 0;
	id.gpu_id = gpu_ids[data[2] >> 6];
	id.shader_present = 1 | (uint64_t)data[0] << 1;
	id.slices = 1 + data[1] % MALI_MAX_SLICES;
	if (!mali_layout_init(&l, &id, NULL))
		abort();
	try_dump(&l, data + SELECTOR_BYTES, size - SELECTOR_BYTES);
	try_samples(&l, (uint32_t)sizeof(struct kinstr_metadata) + data[2] % 64, data[3],
		data + SELECTOR_BYTES, size - SELECTOR_BYTES);
	try_props(data + SELECTOR_BYTES, size - SELECTOR_BYTES);
	return 0;
}
