/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The i915 topology image has u16 flags, max slices, max subslices, max EUs, offsets and strides,
 * then bit masks. */
#include "config.h"

#include "backends/intel/platform/platform.h"

#include <assert.h>
#include <string.h>

#include "base/minmax.h"

/* struct drm_i915_query_topology_info (i915_drm.h) has eight host-endian u16, then the masks.
 * Offsets count from the masks. */
struct image {
	uint16_t flags, max_slices, max_subslices, max_eus;
	uint16_t subslice_offset, subslice_stride, eu_offset, eu_stride;
};

_Static_assert(sizeof(struct image) == 16, "eight 16-bit fields");

static bool bit(const uint8_t *mask, unsigned i)
{
	return mask[i / 8] >> (i % 8) & 1;
}

static void set_bit(uint8_t *mask, unsigned i)
{
	mask[i / 8] |= (uint8_t)(1u << (i % 8));
}

/* Returns the bytes of masks of so many slices. All factors are 16 bits wide, and three of them fit
 * into 64. */
static uint64_t mask_bytes(const struct image *h, unsigned n_slices)
{
	uint64_t slices = (h->max_slices + 7u) / 8;
	uint64_t subslices = h->subslice_offset + (uint64_t)n_slices * h->subslice_stride;
	uint64_t eus = h->eu_offset + (uint64_t)n_slices * h->max_subslices * h->eu_stride;

	return max_u64(slices, max_u64(subslices, eus));
}

/* xe-perf-recorder names as many slices as the GPU may have, and writes the masks of the first. */
static unsigned slices_present(const struct image *h, const uint8_t *masks, size_t len)
{
	unsigned n = h->max_slices;

	if ((n + 7u) / 8 > len)
		return n;
	while (n > 1 && !bit(masks, n - 1))
		n--;
	return n;
}

static bool check_image(
	const struct image *h, unsigned slices, size_t len, size_t room, struct err *err)
{
	uint64_t need = sizeof(*h) + mask_bytes(h, slices);
	uint64_t whole = sizeof(*h) + mask_bytes(h, h->max_slices);

	if (!h->max_slices || !h->max_subslices || !h->max_eus)
		return err_set(err, ERR_PARSE, "the topology has no slices, subslices or EUs");
	if (h->subslice_stride * 8u < h->max_subslices || h->eu_stride * 8u < h->max_eus)
		return err_set(
			err, ERR_PARSE, "the topology's strides are too small for its masks");
	if (need > len || whole > room)
		return err_set(err, ERR_PARSE, "the topology needs %llu bytes and has %zu",
			(unsigned long long)need, len);
	return true;
}

static void add_slice(
	struct topology *t, const struct image *h, const uint8_t *masks, unsigned slice)
{
	const uint8_t *subslices = masks + h->subslice_offset + slice * h->subslice_stride;
	const uint8_t *eus = masks + h->eu_offset + slice * h->max_subslices * h->eu_stride;
	unsigned stride = h->max_subslices;

	if (t->subslice_mask_stride > 0)
		stride = (unsigned)t->subslice_mask_stride;
	t->slices++;
	if (slice < 64)
		t->slice_mask |= UINT64_C(1) << slice;
	for (unsigned ss = 0; ss < h->max_subslices; ss++) {
		uint64_t position = (uint64_t)slice * stride + ss;

		if (!bit(subslices, ss))
			continue;
		t->subslices++;
		for (unsigned eu = 0; eu < h->max_eus; eu++)
			t->eus += bit(eus + ss * h->eu_stride, eu);
		if (position < 64)
			t->subslice_mask |= UINT64_C(1) << position;
	}
}

bool intel_topology_parse(struct topology *t, const void *raw, size_t len, struct err *err)
{
	struct topology out = { .threads_per_eu = t->threads_per_eu,
		.subslice_mask_stride = t->subslice_mask_stride };
	const uint8_t *masks = (const uint8_t *)raw + sizeof(struct image);
	struct image h;

	if (len < sizeof(h))
		return err_set(err, ERR_PARSE, "a topology of %zu bytes is too short", len);
	memcpy(&h, raw, sizeof(h));
	unsigned slices = slices_present(&h, masks, len - sizeof(h));
	if (!check_image(&h, slices, len, sizeof(out.raw), err))
		return false;
	for (unsigned s = 0; s < slices; s++)
		if (bit(masks, s))
			add_slice(&out, &h, masks, s);
	if (out.eus == 0)
		return err_set(err, ERR_PARSE, "the topology has no EU present");
	out.max_subslices = h.max_subslices;
	out.max_eus_per_subslice = h.max_eus;
	out.raw_len = sizeof(h) + (size_t)mask_bytes(&h, h.max_slices);
	memcpy(out.raw, raw, (size_t)min_u64(len, out.raw_len));
	*t = out;
	return true;
}

bool intel_topology_has_eu(const struct topology *t, int slice, int subslice, int eu)
{
	const uint8_t *masks = t->raw + sizeof(struct image);
	struct image h;

	if (t->raw_len < sizeof(h))
		return false;
	memcpy(&h, t->raw, sizeof(h));
	if (slice < 0 || subslice < 0 || eu < 0 || slice >= h.max_slices ||
		subslice >= h.max_subslices || eu >= h.max_eus)
		return false;
	uint64_t at = h.eu_offset +
		((uint64_t)slice * h.max_subslices + (uint64_t)subslice) * h.eu_stride;
	return at + (uint64_t)eu / 8 < t->raw_len - sizeof(h) && bit(masks + at, (unsigned)eu);
}

static int highest_bit(const uint8_t *mask, size_t bytes)
{
	for (int i = (int)bytes * 8 - 1; i >= 0; i--)
		if (bit(mask, (unsigned)i))
			return i;
	return -1;
}

/* Returns the fixed shape of masks: a byte or more for the slices, for each slice's subslices and
 * for each subslice's EUs. */
static struct image shape(int max_slices, int max_subslices, int max_eus)
{
	struct image h = {
		.max_slices = (uint16_t)max_slices,
		.max_subslices = (uint16_t)max_subslices,
		.max_eus = (uint16_t)max_eus,
		.subslice_offset = (uint16_t)((max_slices + 7) / 8),
		.subslice_stride = (uint16_t)((max_subslices + 7) / 8),
		.eu_stride = (uint16_t)((max_eus + 7) / 8),
	};

	h.eu_offset = (uint16_t)(h.subslice_offset + h.max_slices * h.subslice_stride);
	return h;
}

static void set_subslice(
	const struct image *h, uint8_t *masks, unsigned slice, unsigned ss, const uint8_t *eus)
{
	set_bit(masks, slice);
	set_bit(masks + h->subslice_offset + slice * h->subslice_stride, ss);
	for (unsigned eu = 0; eu < h->max_eus; eu++)
		if (bit(eus, eu))
			set_bit(masks + h->eu_offset +
					(slice * h->max_subslices + ss) * h->eu_stride,
				eu);
}

bool intel_topology_from_masks(struct topology *t, const uint8_t *subslices, size_t subslice_bytes,
	const uint8_t *eus, size_t eu_bytes, int per_slice, struct err *err)
{
	int last = highest_bit(subslices, subslice_bytes), last_eu = highest_bit(eus, eu_bytes);
	uint8_t raw[sizeof(t->raw)] = { 0 };

	if (last < 0 || last_eu < 0)
		return err_set(err, ERR_PARSE, "the topology has no EU present");
	struct image h = shape(last / per_slice + 1, per_slice, last_eu + 1);
	if (sizeof(h) + mask_bytes(&h, h.max_slices) > sizeof(raw))
		return err_set(err, ERR_PARSE,
			"the topology has more units than this version can hold");
	memcpy(raw, &h, sizeof(h));
	for (int i = 0; i <= last; i++)
		if (bit(subslices, (unsigned)i))
			set_subslice(&h, raw + sizeof(h), (unsigned)(i / per_slice),
				(unsigned)(i % per_slice), eus);
	return intel_topology_parse(t, raw, sizeof(raw), err);
}

void intel_topology_make(struct topology *t, int slices, int subslices_per_slice,
	int eus_per_subslice, int max_slices, int max_subslices, int max_eus)
{
	struct image h = shape(max_slices, max_subslices, max_eus);
	uint8_t raw[sizeof(t->raw)] = { 0 }, eus[32] = { 0 };

	assert(slices <= max_slices && subslices_per_slice <= max_subslices &&
		eus_per_subslice <= max_eus);
	assert(max_eus <= (int)sizeof(eus) * 8 && sizeof(h) + mask_bytes(&h, h.max_slices) <= sizeof(raw));
	memcpy(raw, &h, sizeof(h));
	for (int eu = 0; eu < eus_per_subslice; eu++)
		set_bit(eus, (unsigned)eu);
	for (int s = 0; s < slices; s++)
		for (int ss = 0; ss < subslices_per_slice; ss++)
			set_subslice(&h, raw + sizeof(h), (unsigned)s, (unsigned)ss, eus);
	intel_topology_parse(t, raw, sizeof(raw), NULL);
}
