/* SPDX-License-Identifier: GPL-3.0-or-later AND MIT
 * SPDX-FileCopyrightText: 2026 rooftop developers, 2021-2026 Arm Limited (libGPUCounters) */
/* Words of the counter blocks as a table, and sums over dumps. */
#include "config.h"

#include "backends/mali/blocks.h"

#include <stdio.h>
#include <string.h>

#include "backends/mali/valhall_words.h"
#include "base/mem.h"

#define MASK_WORD 2		/* of the header: bit b stands for words 4b to 4b + 3 */
#define HEADER_WORDS 4

/* Which products have a word. */
enum having { ALL, OLD, NEW, WIDE, OTHER_61, OTHER_63 };

struct word {
	uint8_t block, index, having;
	const char *name;
	bool cycles;	/* counts clocks; else events, beats, instructions */
};

enum { JM = MALI_JM, TI = MALI_TI, L2 = MALI_L2, SC = MALI_SC };
#define C true
#define N false

/* Names and places: libGPUCounters 2.4, specification/database/hardwarelayout (Mali-G31, G51, G52,
 * G71, G72, G76); those that it leaves out and Mesa knew: Mesa before 2026,
 * src/panfrost/perf/G72.xml: VFETCH_STALL, WRBUF_*, COMPUTE_STARVING, EXEC_ACTIVE, ARITH_*. */
/* clang-format off */
static const struct word words[] = {
	{ JM, 6, ALL, "GPU_ACTIVE", C },
	{ JM, 7, ALL, "IRQ_ACTIVE", C },
	{ JM, 8, ALL, "JS0_JOBS", N },
	{ JM, 9, ALL, "JS0_TASKS", N },
	{ JM, 10, ALL, "JS0_ACTIVE", C },
	{ JM, 11, ALL, "JS0_WAIT_FLUSH", C },
	{ JM, 12, ALL, "JS0_WAIT_READ", C },
	{ JM, 13, ALL, "JS0_WAIT_ISSUE", C },
	{ JM, 14, ALL, "JS0_WAIT_DEPEND", C },
	{ JM, 15, ALL, "JS0_WAIT_FINISH", C },
	{ JM, 16, ALL, "JS1_JOBS", N },
	{ JM, 17, ALL, "JS1_TASKS", N },
	{ JM, 18, ALL, "JS1_ACTIVE", C },
	{ JM, 19, ALL, "JS1_WAIT_FLUSH", C },
	{ JM, 20, ALL, "JS1_WAIT_READ", C },
	{ JM, 21, ALL, "JS1_WAIT_ISSUE", C },
	{ JM, 22, ALL, "JS1_WAIT_DEPEND", C },
	{ JM, 23, ALL, "JS1_WAIT_FINISH", C },
	{ JM, 24, ALL, "JS2_JOBS", N },
	{ JM, 25, ALL, "JS2_TASKS", N },
	{ JM, 26, ALL, "JS2_ACTIVE", C },
	{ JM, 27, ALL, "JS2_WAIT_FLUSH", C },
	{ JM, 28, ALL, "JS2_WAIT_READ", C },
	{ JM, 29, ALL, "JS2_WAIT_ISSUE", C },
	{ JM, 30, ALL, "JS2_WAIT_DEPEND", C },
	{ JM, 31, ALL, "JS2_WAIT_FINISH", C },
	{ JM, 63, ALL, "CACHE_FLUSH", N },
	{ TI, 4, ALL, "TILER_ACTIVE", C },
	{ TI, 6, ALL, "TRIANGLES", N },
	{ TI, 7, ALL, "LINES", N },
	{ TI, 8, ALL, "POINTS", N },
	{ TI, 9, ALL, "FRONT_FACING", N },
	{ TI, 10, ALL, "BACK_FACING", N },
	{ TI, 11, ALL, "PRIM_VISIBLE", N },
	{ TI, 12, ALL, "PRIM_CULLED", N },
	{ TI, 13, ALL, "PRIM_CLIPPED", N },
	{ TI, 14, ALL, "PRIM_SAT_CULLED", N },
	{ TI, 17, ALL, "BUS_READ", N },
	{ TI, 19, ALL, "BUS_WRITE", N },
	{ TI, 21, ALL, "IDVS_POS_SHAD_REQ", N },
	{ TI, 23, ALL, "IDVS_POS_SHAD_STALL", C },
	{ TI, 24, ALL, "IDVS_POS_FIFO_FULL", C },
	{ TI, 26, ALL, "VCACHE_HIT", N },
	{ TI, 27, ALL, "VCACHE_MISS", N },
	{ TI, 31, ALL, "VFETCH_STALL", C },
	{ TI, 34, ALL, "IDVS_VBU_HIT", N },
	{ TI, 35, ALL, "IDVS_VBU_MISS", N },
	{ TI, 37, ALL, "IDVS_VAR_SHAD_REQ", N },
	{ TI, 38, ALL, "IDVS_VAR_SHAD_STALL", C },
	{ TI, 54, ALL, "WRBUF_NO_AXI_ID_STALL", C },
	{ TI, 55, ALL, "WRBUF_AXI_STALL", C },
	{ L2, 4, ALL, "MMU_REQUESTS", N },
	{ L2, 5, ALL, "MMU_TABLE_READS_L3", N },
	{ L2, 6, ALL, "MMU_TABLE_READS_L2", N },
	{ L2, 7, ALL, "MMU_HIT_L3", N },
	{ L2, 8, ALL, "MMU_HIT_L2", N },
	{ L2, 9, ALL, "MMU_S2_REQUESTS", N },
	{ L2, 10, ALL, "MMU_S2_TABLE_READS_L3", N },
	{ L2, 11, ALL, "MMU_S2_TABLE_READS_L2", N },
	{ L2, 12, ALL, "MMU_S2_HIT_L3", N },
	{ L2, 13, ALL, "MMU_S2_HIT_L2", N },
	{ L2, 16, ALL, "L2_RD_MSG_IN", N },
	{ L2, 17, ALL, "L2_RD_MSG_IN_STALL", C },
	{ L2, 18, ALL, "L2_WR_MSG_IN", N },
	{ L2, 19, ALL, "L2_WR_MSG_IN_STALL", C },
	{ L2, 20, ALL, "L2_SNP_MSG_IN", N },
	{ L2, 21, ALL, "L2_SNP_MSG_IN_STALL", C },
	{ L2, 22, ALL, "L2_RD_MSG_OUT", N },
	{ L2, 23, ALL, "L2_RD_MSG_OUT_STALL", C },
	{ L2, 24, ALL, "L2_WR_MSG_OUT", N },
	{ L2, 25, ALL, "L2_ANY_LOOKUP", N },
	{ L2, 26, ALL, "L2_READ_LOOKUP", N },
	{ L2, 27, ALL, "L2_WRITE_LOOKUP", N },
	{ L2, 28, ALL, "L2_EXT_SNOOP_LOOKUP", N },
	{ L2, 29, ALL, "L2_EXT_READ", N },
	{ L2, 30, ALL, "L2_EXT_READ_NOSNP", N },
	{ L2, 31, ALL, "L2_EXT_READ_UNIQUE", N },
	{ L2, 32, ALL, "L2_EXT_READ_BEATS", N },
	{ L2, 33, ALL, "L2_EXT_AR_STALL", C },
	{ L2, 34, ALL, "L2_EXT_AR_CNT_Q1", N },
	{ L2, 35, ALL, "L2_EXT_AR_CNT_Q2", N },
	{ L2, 36, ALL, "L2_EXT_AR_CNT_Q3", N },
	{ L2, 37, ALL, "L2_EXT_RRESP_0_127", N },
	{ L2, 38, ALL, "L2_EXT_RRESP_128_191", N },
	{ L2, 39, ALL, "L2_EXT_RRESP_192_255", N },
	{ L2, 40, ALL, "L2_EXT_RRESP_256_319", N },
	{ L2, 41, ALL, "L2_EXT_RRESP_320_383", N },
	{ L2, 42, ALL, "L2_EXT_WRITE", N },
	{ L2, 43, ALL, "L2_EXT_WRITE_NOSNP_FULL", N },
	{ L2, 44, ALL, "L2_EXT_WRITE_NOSNP_PTL", N },
	{ L2, 45, ALL, "L2_EXT_WRITE_SNP_FULL", N },
	{ L2, 46, ALL, "L2_EXT_WRITE_SNP_PTL", N },
	{ L2, 47, ALL, "L2_EXT_WRITE_BEATS", N },
	{ L2, 48, ALL, "L2_EXT_W_STALL", C },
	{ L2, 49, ALL, "L2_EXT_AW_CNT_Q1", N },
	{ L2, 50, ALL, "L2_EXT_AW_CNT_Q2", N },
	{ L2, 51, ALL, "L2_EXT_AW_CNT_Q3", N },
	{ L2, 52, ALL, "L2_EXT_SNOOP", N },
	{ L2, 53, ALL, "L2_EXT_SNOOP_STALL", C },
	{ SC, 4, ALL, "FRAG_ACTIVE", C },
	{ SC, 5, ALL, "FRAG_PRIMITIVES", N },
	{ SC, 6, ALL, "FRAG_PRIM_RAST", N },
	{ SC, 7, ALL, "FRAG_FPK_ACTIVE", C },
	{ SC, 9, ALL, "FRAG_WARPS", N },
	{ SC, 10, ALL, "FRAG_PARTIAL_WARPS", N },
	{ SC, 11, ALL, "FRAG_QUADS_RAST", N },
	{ SC, 12, ALL, "FRAG_QUADS_EZS_TEST", N },
	{ SC, 13, ALL, "FRAG_QUADS_EZS_UPDATE", N },
	{ SC, 14, ALL, "FRAG_QUADS_EZS_KILL", N },
	{ SC, 15, ALL, "FRAG_LZS_TEST", N },
	{ SC, 16, ALL, "FRAG_LZS_KILL", N },
	{ SC, 17, WIDE, "WARP_REG_SIZE_64", N },
	{ SC, 18, ALL, "FRAG_PTILES", N },
	{ SC, 19, ALL, "FRAG_TRANS_ELIM", N },
	{ SC, 20, ALL, "QUAD_FPK_KILLER", N },
	{ SC, 21, WIDE, "FULL_QUAD_WARPS", N },
	{ SC, 22, ALL, "COMPUTE_ACTIVE", C },
	{ SC, 23, ALL, "COMPUTE_TASKS", N },
	{ SC, 24, ALL, "COMPUTE_WARPS", N },
	{ SC, 25, ALL, "COMPUTE_STARVING", C },
	{ SC, 26, ALL, "EXEC_CORE_ACTIVE", C },
	{ SC, 27, ALL, "EXEC_ACTIVE", C },
	{ SC, 28, ALL, "EXEC_INSTR_COUNT", N },
	{ SC, 29, ALL, "EXEC_INSTR_DIVERGED", N },
	{ SC, 30, ALL, "EXEC_INSTR_STARVING", C },
	{ SC, 31, ALL, "ARITH_INSTR_SINGLE_FMA", N },
	{ SC, 32, ALL, "ARITH_INSTR_DOUBLE", N },
	{ SC, 33, ALL, "ARITH_INSTR_MSG", N },
	{ SC, 34, ALL, "ARITH_INSTR_MSG_ONLY", N },
	{ SC, 35, OLD, "TEX_INSTR", N },
	{ SC, 35, NEW, "TEX_MSGI_NUM_QUADS", N },
	{ SC, 36, NEW, "TEX_DFCH_NUM_PASSES", N },
	{ SC, 36, OLD, "TEX_INSTR_MIPMAP", N },
	{ SC, 37, NEW, "TEX_DFCH_NUM_PASSES_MISS", N },
	{ SC, 37, OLD, "TEX_INSTR_COMPRESSED", N },
	{ SC, 38, NEW, "TEX_DFCH_NUM_PASSES_MIP_MAP", N },
	{ SC, 38, OLD, "TEX_INSTR_3D", N },
	{ SC, 39, OLD, "TEX_INSTR_TRILINEAR", N },
	{ SC, 39, NEW, "TEX_TIDX_NUM_SPLIT_MIP_MAP", N },
	{ SC, 40, OLD, "TEX_COORD_ISSUE", C },
	{ SC, 40, NEW, "TEX_TFCH_NUM_LINES_FETCHED", N },
	{ SC, 41, OLD, "TEX_COORD_STALL", C },
	{ SC, 41, NEW, "TEX_TFCH_NUM_LINES_FETCHED_BLOCK_COMPRESSED", N },
	{ SC, 42, OLD, "TEX_STARVE_CACHE", C },
	{ SC, 42, NEW, "TEX_TFCH_NUM_OPERATIONS", N },
	{ SC, 43, NEW, "TEX_FILT_NUM_OPERATIONS", C },
	{ SC, 43, OLD, "TEX_STARVE_FILTER", C },
	{ SC, 44, ALL, "LS_MEM_READ_FULL", N },
	{ SC, 45, ALL, "LS_MEM_READ_SHORT", N },
	{ SC, 46, ALL, "LS_MEM_WRITE_FULL", N },
	{ SC, 47, ALL, "LS_MEM_WRITE_SHORT", N },
	{ SC, 48, ALL, "LS_MEM_ATOMIC", N },
	{ SC, 49, ALL, "VARY_INSTR", N },
	{ SC, 50, ALL, "VARY_SLOT_32", N },
	{ SC, 51, ALL, "VARY_SLOT_16", N },
	{ SC, 52, ALL, "ATTR_INSTR", N },
	{ SC, 53, ALL, "ARITH_INSTR_FP_MUL", N },
	{ SC, 54, ALL, "BEATS_RD_FTC", N },
	{ SC, 55, ALL, "BEATS_RD_FTC_EXT", N },
	{ SC, 56, ALL, "BEATS_RD_LSC", N },
	{ SC, 57, ALL, "BEATS_RD_LSC_EXT", N },
	{ SC, 58, ALL, "BEATS_RD_TEX", N },
	{ SC, 59, ALL, "BEATS_RD_TEX_EXT", N },
	{ SC, 60, ALL, "BEATS_RD_OTHER", N },
	{ SC, 61, OLD, "BEATS_WR_LSC", N },
	{ SC, 61, OTHER_61, "BEATS_WR_LSC_OTHER", N },
	{ SC, 61, OTHER_63, "BEATS_WR_LSC_WB", N },
	{ SC, 62, ALL, "BEATS_WR_TIB", N },
	{ SC, 63, OTHER_63, "BEATS_WR_LSC_OTHER", N },
	{ SC, 63, OTHER_61, "BEATS_WR_LSC_WB", N },
	{ SC, 63, OLD, "BEATS_WR_OTHER", N },
};
/* clang-format on */

#undef C
#undef N

static bool has(const struct mali_product *p, int having)
{
	switch (having) {
	case OLD:
		return p->families & MALI_OLD_TEXTURE;
	case NEW:
		return p->families & MALI_NEW_TEXTURE;
	case WIDE:
		return p->families & MALI_WIDE;
	case OTHER_61:
		return (p->families & MALI_NEW_TEXTURE) && (p->families & MALI_OTHER_FIRST);
	case OTHER_63:
		return (p->families & MALI_NEW_TEXTURE) && !(p->families & MALI_OTHER_FIRST);
	default:
		return true;
	}
}

static void take_word(struct counter_desc *desc, const char *name, bool cycles)
{
	*desc = (struct counter_desc){ .unit = "1", .bits = 64, .kind = COUNTER_CUMULATIVE };
	if (cycles)
		snprintf(desc->unit, sizeof(desc->unit), "cycle");
	snprintf(desc->name, sizeof(desc->name), "%s", name);
}

int mali_counters(const struct mali_product *p, enum mali_block block, struct counter_desc *desc,
	uint8_t *word)
{
	int n = 0;

	for (int i = 0; p->words && i < valhall_word_count; i++) {
		const struct mali_word_row *w = &valhall_words[i];

		if (w->block != block || !(w->layouts & p->words))
			continue;
		take_word(&desc[n], w->name, w->cycles);
		word[n++] = w->index;
	}
	for (size_t i = 0; !p->words && i < ARRAY_LEN(words); i++) {
		if (words[i].block != block || !has(p, words[i].having))
			continue;
		take_word(&desc[n], words[i].name, words[i].cycles);
		word[n++] = words[i].index;
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
	for (int i = 0; i < valhall_word_count; i++)
		if (valhall_words[i].layouts & p->words)
			l->shift[valhall_words[i].block][valhall_words[i].index] = valhall_words[i].shift;
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
