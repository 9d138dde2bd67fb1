/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the words of a product's counter blocks, and sums over dumps. */
#include "config.h"

#include "backends/mali/blocks.h"

#include <stdio.h>
#include <string.h>

#define MASK_WORD 2		/* of the header: bit b stands for words 4b to 4b + 3 */
#define HEADER_WORDS 4

int mali_counters(const struct mali_product *p, enum mali_block block, struct counter_desc *desc,
	uint8_t *word)
{
	int n = 0;

	for (int i = 0; i < mali_word_count; i++) {
		const struct mali_word_row *w = &mali_words[i];

		if (w->block != block || !(w->layouts & p->words))
			continue;
		desc[n] = (struct counter_desc){
			.unit = "1", .bits = 64, .kind = COUNTER_CUMULATIVE
		};
		if (w->cycles)
			snprintf(desc[n].unit, sizeof(desc[n].unit), "cycle");
		snprintf(desc[n].name, sizeof(desc[n].name), "%s", w->name);
		word[n++] = w->index;
	}
	return n;
}

int mali_word(const struct mali_product *p, enum mali_block block, const char *name)
{
	struct counter_desc desc[MALI_MAX_WORDS];
	uint8_t word[MALI_MAX_WORDS];
	int n = mali_counters(p, block, desc, word);

	for (int i = 0; i < n; i++)
		if (!strcmp(desc[i].name, name))
			return word[i];
	return -1;
}

bool mali_layout_init(struct mali_layout *l, const struct mali_identity *id, struct err *err)
{
	const struct mali_product *p = mali_identity_check(id, err);

	if (!p)
		return false;
	*l = (struct mali_layout){ .product = p,
		.shader_present = id->shader_present,
		.slices = id->slices,
		.core_slots = 64 - __builtin_clzll(id->shader_present),
		.words = p->words >= MALI_WORDS_G715 ? MALI_MAX_WORDS : MALI_BLOCK_WORDS };
	l->bytes = (size_t)(2 + l->slices + l->core_slots) * MALI_BLOCK_BYTES;
	for (int i = 0; i < mali_word_count; i++)
		if (mali_words[i].layouts & p->words)
			l->shift[mali_words[i].block][mali_words[i].index] = mali_words[i].shift;
	return true;
}

static bool is_present(const struct mali_layout *l, enum mali_block block, int index)
{
	switch (block) {
	case MALI_JM:
	case MALI_TI:
		return index == 0;
	case MALI_L2:
		return index >= 0 && index < l->slices;
	default:
		return index >= 0 && index < l->core_slots && (l->shader_present >> index & 1);
	}
}

int mali_sums_row(enum mali_block block, int index)
{
	static const int first[] = {
		[MALI_JM] = 0, [MALI_TI] = 1, [MALI_L2] = 2, [MALI_SC] = 2 + MALI_MAX_SLICES
	};

	return first[block] + index;
}

void mali_sums_add(struct mali_sums *s, const struct mali_sums *more)
{
	for (int b = 0; b < MALI_MAX_BLOCKS; b++)
		for (int w = 0; w < MALI_MAX_WORDS; w++)
			s->words[b][w] += more->words[b][w];
	s->cycles += more->cycles;
}

bool mali_sums_add64(struct mali_sums *s, const struct mali_layout *l, enum mali_block block,
	int index, const uint64_t *values, int n)
{
	if (!is_present(l, block, index))
		return false;
	for (int w = HEADER_WORDS; w < n && w < l->words; w++)
		s->words[mali_sums_row(block, index)][w] += values[w] << l->shift[block][w];
	return true;
}

/* Groups of four words that the mask leaves out hold what an earlier dump left there. */
static void add_block(struct mali_sums *s, const struct mali_layout *l, enum mali_block block,
	int index, const uint8_t *bytes, bool masked)
{
	uint32_t raw[MALI_BLOCK_WORDS];
	uint64_t values[MALI_BLOCK_WORDS] = { 0 };

	memcpy(raw, bytes, sizeof(raw));
	for (int w = HEADER_WORDS; w < MALI_BLOCK_WORDS; w++)
		if (!masked || (raw[MASK_WORD] >> (w / 4) & 1))
			values[w] = raw[w];
	mali_sums_add64(s, l, block, index, values, MALI_BLOCK_WORDS);
}

/* A driver that leaves the masks of all blocks empty does not fill them in: nothing would be
 * counted at all. */
static bool has_masks(const uint8_t *dump, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += MALI_BLOCK_BYTES) {
		uint32_t mask;

		memcpy(&mask, dump + at + MASK_WORD * sizeof(mask), sizeof(mask));
		if (mask)
			return true;
	}
	return false;
}

bool mali_sums_add_dump(struct mali_sums *s, const struct mali_layout *l, const void *dump,
	size_t bytes, struct err *err)
{
	const uint8_t *p = dump;

	if (bytes < l->bytes)
		return err_set(err, ERR_PARSE,
			"the dump has %zu bytes, the counter blocks of this GPU need %zu", bytes,
			l->bytes);
	bool masked = has_masks(p, l->bytes);
	add_block(s, l, MALI_JM, 0, p, masked);
	add_block(s, l, MALI_TI, 0, p + MALI_BLOCK_BYTES, masked);
	p += 2 * MALI_BLOCK_BYTES;
	for (int i = 0; i < l->slices; i++)
		add_block(s, l, MALI_L2, i, p + i * MALI_BLOCK_BYTES, masked);
	p += l->slices * MALI_BLOCK_BYTES;
	for (int i = 0; i < l->core_slots; i++)
		add_block(s, l, MALI_SC, i, p + i * MALI_BLOCK_BYTES, masked);
	return true;
}
