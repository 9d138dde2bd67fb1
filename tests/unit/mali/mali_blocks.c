/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of Bifrost GPUs: the place of every counter on every product, sums over dumps, products
 * and constants, and the metric files. */
#include "config.h"

#include <string.h>

#include "backends/mali/dump_sources.h"
#include "backends/mali/kbase.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "tests/unit/mali/mali_rig.h"
#include "tests/unit/intel/by_name.h"

static const char *const platforms[] = { "g71", "g72", "g51", "g31", "g52", "g76" };

/* Names of Arm's guide (Streamline, Mali Bifrost counters), the counter's hardware name on G71 and
 * G72, on the others, and its word on each platform as libGPUCounters' hardware layouts have it;
 * -1: none. Written apart from the table in blocks.c. */
/* clang-format off */
static const struct place {
	const char *name;
	enum mali_block block;
	const char *old_word, *new_word;
	int index[6];
} places[] = {
	{ "JM.GPU_ACTIVE", MALI_JM, "GPU_ACTIVE", "GPU_ACTIVE", { 6, 6, 6, 6, 6, 6 } },
	{ "JM.JS0_ACTIVE", MALI_JM, "JS0_ACTIVE", "JS0_ACTIVE", { 10, 10, 10, 10, 10, 10 } },
	{ "JM.JS1_ACTIVE", MALI_JM, "JS1_ACTIVE", "JS1_ACTIVE", { 18, 18, 18, 18, 18, 18 } },
	{ "JM.IRQ_ACTIVE", MALI_JM, "IRQ_ACTIVE", "IRQ_ACTIVE", { 7, 7, 7, 7, 7, 7 } },
	{ "JM.JS0_TASKS", MALI_JM, "JS0_TASKS", "JS0_TASKS", { 9, 9, 9, 9, 9, 9 } },
	{ "SC.COMPUTE_ACTIVE", MALI_SC, "COMPUTE_ACTIVE", "COMPUTE_ACTIVE", { 22, 22, 22, 22, 22, 22 } },
	{ "SC.FRAG_ACTIVE", MALI_SC, "FRAG_ACTIVE", "FRAG_ACTIVE", { 4, 4, 4, 4, 4, 4 } },
	{ "SC.EXEC_CORE_ACTIVE", MALI_SC, "EXEC_CORE_ACTIVE", "EXEC_CORE_ACTIVE", { 26, 26, 26, 26, 26, 26 } },
	{ "SC.COMPUTE_QUADS", MALI_SC, "COMPUTE_WARPS", "COMPUTE_WARPS", { 24, 24, 24, 24, 24, 24 } },
	{ "SC.FRAG_PRIMITIVES_RAST", MALI_SC, "FRAG_PRIM_RAST", "FRAG_PRIM_RAST", { 6, 6, 6, 6, 6, 6 } },
	{ "SC.FRAG_QUADS_RAST", MALI_SC, "FRAG_QUADS_RAST", "FRAG_QUADS_RAST", { 11, 11, 11, 11, 11, 11 } },
	{ "SC.FRAG_QUADS_EZS_TEST", MALI_SC, "FRAG_QUADS_EZS_TEST", "FRAG_QUADS_EZS_TEST", { 12, 12, 12, 12, 12, 12 } },
	{ "SC.FRAG_QUADS_EZS_UPDATE", MALI_SC, "FRAG_QUADS_EZS_UPDATE", "FRAG_QUADS_EZS_UPDATE", { 13, 13, 13, 13, 13, 13 } },
	{ "SC.FRAG_QUADS_EZS_KILLED", MALI_SC, "FRAG_QUADS_EZS_KILL", "FRAG_QUADS_EZS_KILL", { 14, 14, 14, 14, 14, 14 } },
	{ "SC.FRAG_QUADS_OPAQUE", MALI_SC, "QUAD_FPK_KILLER", "QUAD_FPK_KILLER", { 20, 20, 20, 20, 20, 20 } },
	{ "SC.FRAG_QUAD_BUFFER_NOT_EMPTY", MALI_SC, "FRAG_FPK_ACTIVE", "FRAG_FPK_ACTIVE", { 7, 7, 7, 7, 7, 7 } },
	{ "SC.FRAG_QUADS", MALI_SC, "FRAG_WARPS", "FRAG_WARPS", { 9, 9, 9, 9, 9, 9 } },
	{ "SC.FRAG_PARTIAL_QUADS", MALI_SC, "FRAG_PARTIAL_WARPS", "FRAG_PARTIAL_WARPS", { 10, 10, 10, 10, 10, 10 } },
	{ "SC.FRAG_THREADS_LZS_TEST", MALI_SC, "FRAG_LZS_TEST", "FRAG_LZS_TEST", { 15, 15, 15, 15, 15, 15 } },
	{ "SC.FRAG_THREADS_LZS_KILLED", MALI_SC, "FRAG_LZS_KILL", "FRAG_LZS_KILL", { 16, 16, 16, 16, 16, 16 } },
	{ "SC.FRAG_NUM_TILES", MALI_SC, "FRAG_PTILES", "FRAG_PTILES", { 18, 18, 18, 18, 18, 18 } },
	{ "SC.FRAG_TILES_CRC_CULLED", MALI_SC, "FRAG_TRANS_ELIM", "FRAG_TRANS_ELIM", { 19, 19, 19, 19, 19, 19 } },
	{ "SC.EE_INSTRS", MALI_SC, "EXEC_INSTR_COUNT", "EXEC_INSTR_COUNT", { 28, 28, 28, 28, 28, 28 } },
	{ "SC.EE_INSTRS_DIVERGED", MALI_SC, "EXEC_INSTR_DIVERGED", "EXEC_INSTR_DIVERGED", { 29, 29, 29, 29, 29, 29 } },
	{ "SC.LSC_READS_FULL", MALI_SC, "LS_MEM_READ_FULL", "LS_MEM_READ_FULL", { 44, 44, 44, 44, 44, 44 } },
	{ "SC.LSC_READS_SHORT", MALI_SC, "LS_MEM_READ_SHORT", "LS_MEM_READ_SHORT", { 45, 45, 45, 45, 45, 45 } },
	{ "SC.LSC_WRITES_FULL", MALI_SC, "LS_MEM_WRITE_FULL", "LS_MEM_WRITE_FULL", { 46, 46, 46, 46, 46, 46 } },
	{ "SC.LSC_WRITES_SHORT", MALI_SC, "LS_MEM_WRITE_SHORT", "LS_MEM_WRITE_SHORT", { 47, 47, 47, 47, 47, 47 } },
	{ "SC.LSC_ATOMICS", MALI_SC, "LS_MEM_ATOMIC", "LS_MEM_ATOMIC", { 48, 48, 48, 48, 48, 48 } },
	{ "SC.LSC_READ_BEATS", MALI_SC, "BEATS_RD_LSC", "BEATS_RD_LSC", { 56, 56, 56, 56, 56, 56 } },
	{ "SC.LSC_READ_BEATS_EXTERNAL", MALI_SC, "BEATS_RD_LSC_EXT", "BEATS_RD_LSC_EXT", { 57, 57, 57, 57, 57, 57 } },
	{ "SC.TEX_INSTRS", MALI_SC, "TEX_INSTR", "TEX_MSGI_NUM_QUADS", { 35, 35, 35, 35, 35, 35 } },
	{ "SC.TEX_ISSUES", MALI_SC, "TEX_COORD_ISSUE", "TEX_FILT_NUM_OPERATIONS", { 40, 40, 43, 43, 43, 43 } },
	{ "SC.TEX_INSTR_3D", MALI_SC, "TEX_INSTR_3D", "TEX_INSTR_3D", { 38, 38, -1, -1, -1, -1 } },
	{ "SC.TEX_INSTR_TRILINEAR", MALI_SC, "TEX_INSTR_TRILINEAR", "TEX_TIDX_NUM_SPLIT_MIP_MAP", { 39, 39, 39, 39, 39, 39 } },
	{ "SC.TEX_INSTR_MIPMAP", MALI_SC, "TEX_INSTR_MIPMAP", "TEX_DFCH_NUM_PASSES_MIP_MAP", { 36, 36, 38, 38, 38, 38 } },
	{ "SC.TEX_INSTR_COMPRESSED", MALI_SC, "TEX_INSTR_COMPRESSED", "TEX_TFCH_NUM_LINES_FETCHED_BLOCK_COMPRESSED", { 37, 37, 41, 41, 41, 41 } },
	{ "SC.TEX_READ_BEATS", MALI_SC, "BEATS_RD_TEX", "BEATS_RD_TEX", { 58, 58, 58, 58, 58, 58 } },
	{ "SC.TEX_READ_BEATS_EXTERNAL", MALI_SC, "BEATS_RD_TEX_EXT", "BEATS_RD_TEX_EXT", { 59, 59, 59, 59, 59, 59 } },
	{ "SC.VARY_INSTR", MALI_SC, "VARY_INSTR", "VARY_INSTR", { 49, 49, 49, 49, 49, 49 } },
	{ "SC.VARY_ISSUES_16", MALI_SC, "VARY_SLOT_16", "VARY_SLOT_16", { 51, 51, 51, 51, 51, 51 } },
	{ "SC.VARY_ISSUES_32", MALI_SC, "VARY_SLOT_32", "VARY_SLOT_32", { 50, 50, 50, 50, 50, 50 } },
	{ "TI.ACTIVE", MALI_TI, "TILER_ACTIVE", "TILER_ACTIVE", { 4, 4, 4, 4, 4, 4 } },
	{ "TI.PRIMITIVE_POINTS", MALI_TI, "POINTS", "POINTS", { 8, 8, 8, 8, 8, 8 } },
	{ "TI.PRIMITIVE_LINES", MALI_TI, "LINES", "LINES", { 7, 7, 7, 7, 7, 7 } },
	{ "TI.PRIMITIVE_TRIANGLES", MALI_TI, "TRIANGLES", "TRIANGLES", { 6, 6, 6, 6, 6, 6 } },
	{ "TI.CULLED_FACING", MALI_TI, "PRIM_CULLED", "PRIM_CULLED", { 12, 12, 12, 12, 12, 12 } },
	{ "TI.CULLED_FRUSTUM", MALI_TI, "PRIM_CLIPPED", "PRIM_CLIPPED", { 13, 13, 13, 13, 13, 13 } },
	{ "TI.CULLED_COVERAGE", MALI_TI, "PRIM_SAT_CULLED", "PRIM_SAT_CULLED", { 14, 14, 14, 14, 14, 14 } },
	{ "TI.PRIMITIVE_VISIBLE", MALI_TI, "PRIM_VISIBLE", "PRIM_VISIBLE", { 11, 11, 11, 11, 11, 11 } },
	{ "TI.FRONT_FACING", MALI_TI, "FRONT_FACING", "FRONT_FACING", { 9, 9, 9, 9, 9, 9 } },
	{ "TI.BACK_FACING", MALI_TI, "BACK_FACING", "BACK_FACING", { 10, 10, 10, 10, 10, 10 } },
	{ "TI.IDVS_POSITION_SHADING_REQUEST", MALI_TI, "IDVS_POS_SHAD_REQ", "IDVS_POS_SHAD_REQ", { 21, 21, 21, 21, 21, 21 } },
	{ "TI.IDVS_VARYING_SHADING_REQUEST", MALI_TI, "IDVS_VAR_SHAD_REQ", "IDVS_VAR_SHAD_REQ", { 37, 37, 37, 37, 37, 37 } },
	{ "L2.ANY_LOOKUP", MALI_L2, "L2_ANY_LOOKUP", "L2_ANY_LOOKUP", { 25, 25, 25, 25, 25, 25 } },
	{ "L2.READ_REQUEST", MALI_L2, "L2_RD_MSG_IN", "L2_RD_MSG_IN", { 16, 16, 16, 16, 16, 16 } },
	{ "L2.EXTERNAL_READ_REQUEST", MALI_L2, "L2_EXT_READ", "L2_EXT_READ", { 29, 29, 29, 29, 29, 29 } },
	{ "L2.WRITE_REQUEST", MALI_L2, "L2_WR_MSG_IN", "L2_WR_MSG_IN", { 18, 18, 18, 18, 18, 18 } },
	{ "L2.EXTERNAL_WRITE_REQUEST", MALI_L2, "L2_EXT_WRITE", "L2_EXT_WRITE", { 42, 42, 42, 42, 42, 42 } },
	{ "L2.EXTERNAL_READ_BEATS", MALI_L2, "L2_EXT_READ_BEATS", "L2_EXT_READ_BEATS", { 32, 32, 32, 32, 32, 32 } },
	{ "L2.EXTERNAL_READ_STALL", MALI_L2, "L2_EXT_AR_STALL", "L2_EXT_AR_STALL", { 33, 33, 33, 33, 33, 33 } },
	{ "L2.EXT_RRESP_0_127", MALI_L2, "L2_EXT_RRESP_0_127", "L2_EXT_RRESP_0_127", { 37, 37, 37, 37, 37, 37 } },
	{ "L2.EXT_RRESP_128_191", MALI_L2, "L2_EXT_RRESP_128_191", "L2_EXT_RRESP_128_191", { 38, 38, 38, 38, 38, 38 } },
	{ "L2.EXT_RRESP_192_255", MALI_L2, "L2_EXT_RRESP_192_255", "L2_EXT_RRESP_192_255", { 39, 39, 39, 39, 39, 39 } },
	{ "L2.EXT_RRESP_256_319", MALI_L2, "L2_EXT_RRESP_256_319", "L2_EXT_RRESP_256_319", { 40, 40, 40, 40, 40, 40 } },
	{ "L2.EXT_RRESP_320_383", MALI_L2, "L2_EXT_RRESP_320_383", "L2_EXT_RRESP_320_383", { 41, 41, 41, 41, 41, 41 } },
	{ "L2.EXT_READ_CNT_Q1", MALI_L2, "L2_EXT_AR_CNT_Q1", "L2_EXT_AR_CNT_Q1", { 34, 34, 34, 34, 34, 34 } },
	{ "L2.EXT_READ_CNT_Q2", MALI_L2, "L2_EXT_AR_CNT_Q2", "L2_EXT_AR_CNT_Q2", { 35, 35, 35, 35, 35, 35 } },
	{ "L2.EXT_READ_CNT_Q3", MALI_L2, "L2_EXT_AR_CNT_Q3", "L2_EXT_AR_CNT_Q3", { 36, 36, 36, 36, 36, 36 } },
	{ "L2.EXTERNAL_WRITE_BEATS", MALI_L2, "L2_EXT_WRITE_BEATS", "L2_EXT_WRITE_BEATS", { 47, 47, 47, 47, 47, 47 } },
	{ "L2.EXTERNAL_WRITE_STALL", MALI_L2, "L2_EXT_W_STALL", "L2_EXT_W_STALL", { 48, 48, 48, 48, 48, 48 } },
	{ "L2.EXT_WRITE_CNT_Q1", MALI_L2, "L2_EXT_AW_CNT_Q1", "L2_EXT_AW_CNT_Q1", { 49, 49, 49, 49, 49, 49 } },
	{ "L2.EXT_WRITE_CNT_Q2", MALI_L2, "L2_EXT_AW_CNT_Q2", "L2_EXT_AW_CNT_Q2", { 50, 50, 50, 50, 50, 50 } },
	{ "L2.EXT_WRITE_CNT_Q3", MALI_L2, "L2_EXT_AW_CNT_Q3", "L2_EXT_AW_CNT_Q3", { 51, 51, 51, 51, 51, 51 } },
};

/* Load/store write beats are two words on the products with the new texture unit: written back, and
 * other. */
static const int write_back[] = { 61, 61, 63, 61, 61, 63 }, write_other[] = { -1, -1, 61, 63, 63, 61 };

static const char *const derived[] = {
	"JM.GPU_UTILIZATION", "JM.JS0_UTILIZATION", "JM.JS1_UTILIZATION", "JM.PIXEL_COUNT",
	"SC.EXEC_CORE_UTILIZATION", "SC.COMPUTE_QUAD_CYCLES", "SC.FRAG_QUADS_KILLED_BY_OVERDRAW", "SC.FRAG_QUADS_TRANSPARENT",
	"SC.FRAG_PARTIAL_QUAD_PERCENTAGE", "SC.FRAG_QUAD_CYCLES", "SC.EE_UTILIZATION", "SC.LSC_ISSUES",
	"SC.LSC_UTILIZATION", "SC.LSC_L2_BYTES_PER_ISSUE", "SC.LSC_EXTERNAL_BYTES_PER_ISSUE", "SC.TEX_UTILIZATION",
	"SC.TEX_CPI", "SC.TEX_L2_BYTES_PER_ISSUE", "SC.TEX_EXTERNAL_BYTES_PER_ISSUE", "SC.VARY_UTILIZATION",
	"TI.INPUT_PRIMITIVES", "TI.CULLED_FACING_PERCENT", "TI.CULLED_FRUSTUM_PERCENT", "TI.CULLED_COVERAGE_PERCENT",
	"L2.INTERNAL_UTILIZATION", "L2.READ_MISS_RATE", "L2.WRITE_MISS_RATE", "L2.EXTERNAL_READ_BYTES",
	"L2.EXTERNAL_READ_UTILIZATION", "L2.EXTERNAL_WRITE_BYTES", "L2.EXTERNAL_WRITE_UTILIZATION", "L2.EXT_RRESP_GT_383",
	"L2.EXT_READ_CNT_Q4", "L2.EXT_WRITE_CNT_Q4",
};
/* clang-format on */

static void test_places(void)
{
	for (size_t p = 0; p < ARRAY_LEN(platforms); p++) {
		const struct mali_product *product = mali_product_by_platform(platforms[p]);
		struct strbuf bad = { 0 };

		for (size_t i = 0; i < ARRAY_LEN(places); i++) {
			const char *name = p < 2 ? places[i].old_word : places[i].new_word;

			if (mali_word(product, places[i].block, name) != places[i].index[p])
				strbuf_addf(&bad, " %s", name);
		}
		is_str(strbuf_str(&bad), "", "%s: %zu counters stand where they should",
			platforms[p], ARRAY_LEN(places));
		strbuf_release(&bad);
		is_int(mali_word(product, MALI_SC, p < 2 ? "BEATS_WR_LSC" : "BEATS_WR_LSC_WB"),
			write_back[p], "%s: write beats", platforms[p]);
		is_int(mali_word(product, MALI_SC, "BEATS_WR_LSC_OTHER"), write_other[p],
			"%s: other write beats", platforms[p]);
		is_int(mali_word(product, MALI_SC, "BEATS_WR_OTHER"), p < 2 ? 63 : -1,
			"%s: write beats of others", platforms[p]);
		is_int(mali_word(product, MALI_SC, "FULL_QUAD_WARPS"), p < 4 ? -1 : 21,
			"%s: full warps", platforms[p]);
	}
}

/* A word has one meaning, and no counter has the name of another. */
static void test_table(void)
{
	for (int i = 0; i < mali_product_count && mali_is_bifrost(&mali_products[i]); i++) {
		struct counter_desc desc[MALI_MAX_WORDS];
		uint8_t words[MALI_MAX_WORDS];
		int total = 0, twice = 0;

		for (int b = MALI_JM; b <= MALI_SC; b++) {
			int n = mali_counters(&mali_products[i], (enum mali_block)b, desc, words);

			for (int k = 1; k < n; k++)
				twice += words[k] <= words[k - 1];
			total += n;
		}
		is_int(twice, 0, "%s: each word counts one thing", mali_products[i].name);
		is_int(total, mali_products[i].words & (MALI_WORDS_G76 | MALI_WORDS_G52) ? 158 : 156,
			"%s: all of libGPUCounters, ten of Mesa", mali_products[i].name);
	}
}

static const struct {
	uint32_t gpu_id;
	const char *platform;
} ids[] = {
	{ 0x60000010, "g71" }, { 0x62010010, "g72" }, { 0x62210010, "g72" }, { 0x70000000, "g51" }, { 0x72110000, "g76" },
	{ 0x72120000, "g52" }, { 0x74021000, "g52" }, { 0x70930000, "g31" }, { 0x70030000, "g31" }, { 0x07500000, NULL },
	{ 0x80910010, NULL }, { 0, NULL },
};

static void test_products(void)
{
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		const struct mali_product *p = mali_product_by_id(ids[i].gpu_id);

		is_str(p ? p->platform : NULL, ids[i].platform, "GPU %08x", ids[i].gpu_id);
	}
}

static double const_of(const struct device *d, const char *name)
{
	const struct device_const *c = device_const(d, name);

	return c ? c->v : NAN;
}

static void test_constants(void)
{
	struct mali_identity g52 = { .gpu_id = 0x74020000,
		.shader_present = 0xf,
		.slices = 2,
		.l2_features = 0x07120206,
		.core_features = 3,
		.max_hz = 800000000 };
	struct mali_identity g51 = { .gpu_id = 0x70000000,
		.shader_present = 1,
		.slices = 1,
		.l2_features = 0x06100206,
		.thread_features = 0x2000 };
	struct mali_identity bad = g52;
	struct device d = { 0 };
	struct err err = { 0 };

	ok(mali_device_fill(&d, &g52, &err), "a G52 %s", err.msg);
	is_str(d.name, "Arm Mali-G52 MP4", "its name");
	is_str(d.platform, "g52", "its sets");
	is_near(const_of(&d, "core_count"), 4, 0, "cores");
	is_near(const_of(&d, "engines_per_core"), 3, 0, "engines");
	is_near(const_of(&d, "l2_slice_bytes"), 1 << 18, 0, "L2 of a slice");
	is_near(const_of(&d, "axi_width_bytes"), 16, 0, "external bus");
	is_near(const_of(&d, "fma_flop_per_cycle_core"), 48, 0, "24 lanes of a multiply-add");
	is_near(const_of(&d, "flop_per_cycle_core"), 72, 0, "and an addition beside it");
	d = (struct device){ 0 };
	ok(mali_device_fill(&d, &g51, &err), "a G51 %s", err.msg);
	is_near(const_of(&d, "engines_per_core"), 1, 0,
		"a lone core with few registers has one engine");
	is_near(const_of(&d, "axi_width_bytes"), 8, 0, "a bus of 64 bits");
	is_near(const_of(&d, "max_clock_hz"), NAN, 0, "a clock that nobody tells is unknown");
	g51.shader_present = 3;
	is_int(mali_engines(mali_product_by_id(g51.gpu_id), &g51), 3, "two cores have three each");
	g51.engines = 2;
	is_int(mali_engines(mali_product_by_id(g51.gpu_id), &g51), 2, "unless the driver tells");
	g52.l2_features = 0;
	d = (struct device){ 0 };
	ok(mali_device_fill(&d, &g52, &err), "a register that says nothing");
	is_near(const_of(&d, "axi_width_bytes"), NAN, 0, "  ... leaves its constants unknown");
	bad.shader_present = 0;
	ok(!mali_device_fill(&d, &bad, &err), "no cores: %s", err.msg);
	bad.shader_present = UINT64_C(1) << MALI_MAX_CORES;
	ok(!mali_device_fill(&d, &bad, &err), "too many: %s", err.msg);
	bad.shader_present = 1;
	bad.slices = MALI_MAX_SLICES + 1;
	ok(!mali_device_fill(&d, &bad, &err), "too many slices: %s", err.msg);
	bad = (struct mali_identity){ .gpu_id = 0xf0910010, .shader_present = 1, .slices = 1 };
	ok(!mali_device_fill(&d, &bad, &err) && strstr(err.hint, "G1"), "a newer GPU: %s",
		err.msg);
}

#define WORDS(block, i) dump[(block) * MALI_BLOCK_WORDS + (i)]

/* G72, two slices, cores 0, 2 and 3: blocks JM, TI, L2 0, L2 1, SC 0, SC 1 (absent), SC 2, SC 3. */
static void test_sums(void)
{
	struct mali_identity id = { .gpu_id = 0x62010010, .shader_present = 0xd, .slices = 2 };
	static struct mali_sums sums;
	struct mali_layout l;
	struct err err = { 0 };
	uint32_t dump[8 * MALI_BLOCK_WORDS];
	uint64_t wide[MALI_BLOCK_WORDS] = { [4] = UINT64_C(1) << 40 };

	ok(mali_layout_init(&l, &id, &err), "layout %s", err.msg);
	is_int((long long)l.bytes, 8 * MALI_BLOCK_BYTES,
		"a core that is absent has a block all the same");
	memset(dump, 0xff, sizeof(dump));
	ok(mali_sums_add_dump(&sums, &l, dump, sizeof(dump), &err) &&
			mali_sums_add_dump(&sums, &l, dump, sizeof(dump), &err),
		"two dumps");
	is_int((long long)sums.words[mali_sums_row(MALI_SC, 2)][4], 2LL * UINT32_MAX,
		"sums have 64 bits");
	for (int i = 0; i < l.slices; i++)
		is_int((long long)sums.words[mali_sums_row(MALI_L2, i)][4], 2LL * UINT32_MAX,
			"slice %d of L2 has its own", i);
	is_int((long long)sums.words[mali_sums_row(MALI_SC, 1)][4], 0,
		"noise of an absent core is not read");
	is_int((long long)sums.words[mali_sums_row(MALI_JM, 0)][0], 0, "neither are the headers");
	WORDS(6, 2) = 0xfffe;	/* words 4 to 7 are in the group of bit 1 */
	WORDS(7, 2) = 0x2;
	mali_sums_add_dump(&sums, &l, dump, sizeof(dump), &err);
	is_int((long long)sums.words[mali_sums_row(MALI_SC, 2)][4], 3LL * UINT32_MAX,
		"a group that the mask has");
	is_int((long long)sums.words[mali_sums_row(MALI_SC, 3)][4], 3LL * UINT32_MAX,
		"and another one");
	is_int((long long)sums.words[mali_sums_row(MALI_SC, 3)][8], 2LL * UINT32_MAX,
		"a group that it has not is stale");
	WORDS(4, 2) = 0;
	mali_sums_add_dump(&sums, &l, dump, sizeof(dump), &err);
	is_int((long long)sums.words[mali_sums_row(MALI_SC, 0)][4], 3LL * UINT32_MAX,
		"one block without a mask was not counted");
	for (int b = 0; b < 8; b++)
		WORDS(b, 2) = 0;
	mali_sums_add_dump(&sums, &l, dump, sizeof(dump), &err);
	is_int((long long)sums.words[mali_sums_row(MALI_SC, 0)][4], 4LL * UINT32_MAX,
		"a driver that fills in no masks at all is believed");
	ok(!mali_sums_add_dump(&sums, &l, dump, sizeof(dump) - 1, &err), "a short dump: %s",
		err.msg);
	memset(&sums, 0, sizeof(sums));
	ok(mali_sums_add64(&sums, &l, MALI_SC, 3, wide, MALI_BLOCK_WORDS),
		"a block of 64-bit values");
	ok(!mali_sums_add64(&sums, &l, MALI_SC, 1, wide, MALI_BLOCK_WORDS),
		"an absent core has none");
	ok(!mali_sums_add64(&sums, &l, MALI_SC, 4, wide, MALI_BLOCK_WORDS),
		"nor has a core beyond the last one");
	ok(!mali_sums_add64(&sums, &l, MALI_L2, -1, wide, 1) &&
			!mali_sums_add64(&sums, &l, MALI_L2, 2, wide, 1),
		"nor such a slice");
	ok(!mali_sums_add64(&sums, &l, MALI_JM, 1, wide, 1), "nor a second job manager");
}

static void test_feeds(void)
{
	struct mali_identity id = { .gpu_id = 0x62010010, .shader_present = 0xd, .slices = 2 };
	static struct mali_sums sums;
	static struct mali_feed cores, l2, front;
	struct mali_layout l;
	struct sample s = { 0 };

	mali_layout_init(&l, &id, NULL);
	sums.words[mali_sums_row(MALI_SC, 3)][4] = UINT64_C(1) << 40;
	sums.words[mali_sums_row(MALI_SC, 0)][4] = 5;
	mali_feed_init(&cores, MALI_FEED_CORE, &l, "test", false);
	mali_feed_fill(&cores, &sums, true, &s);
	is_int(cores.feed.n_instances, 3, "three cores are instances");
	is_str(cores.feed.instances[1], "core 2", "named by their place");
	is_str(cores.counters[0].name, "FRAG_ACTIVE", "the first counter");
	is_int((long long)s.values[0], (1LL << 40) + 5, "the sum");
	is_int((long long)s.instances[2 * cores.feed.n_counters], 1LL << 40, "a core's own");
	mali_feed_init(&l2, MALI_FEED_L2, &l, "test", false);
	is_int(l2.feed.n_instances, 2, "two slices");
	mali_feed_init(&front, MALI_FEED_FRONT, &l, "test", true);
	sums.cycles = 77;
	mali_feed_fill(&front, &sums, true, &s);
	is_int((long long)s.values[front.feed.n_counters - 1], 77, "clocks that the driver counts");
	is_int(front.feed.n_instances, 0, "the front end is one");
	mali_feed_fill(&front, &sums, false, &s);
	is_int(sample_why(&s, front.feed.n_counters - 1), WHY_NO_SOURCE,
		"a driver that was opened again may count no clocks: that is no 0");
	is_int(sample_why(&s, 0), WHY_OK, "  ... and what it counts is as before");
}

/* key and value as kbase packs them. */
static size_t put_prop(uint8_t *to, size_t at, uint32_t id, uint32_t log2_bytes, uint64_t v)
{
	uint32_t key = id << 2 | log2_bytes;

	memcpy(to + at, &key, sizeof(key));
	memcpy(to + at + sizeof(key), &v, (size_t)1 << log2_bytes);
	return at + sizeof(key) + ((size_t)1 << log2_bytes);
}

static void test_props(void)
{
	static const struct {
		uint32_t id, log2_bytes;
		uint64_t v;
	} rows[] = {
		{ KBASE_PROP_GPU_ID, 2, 0x74021000 }, { 999, 1, 0x1234 }, { KBASE_PROP_L2_SLICES, 0, 2 }, { KBASE_PROP_MAX_KHZ, 2, 850000 },
		{ KBASE_PROP_CORE_MASK, 3, 0x5 }, { KBASE_PROP_ENGINES, 0, 3 }, { KBASE_PROP_CORE_MASK + 1, 3, 0x50 },
	};
	size_t n = 0, whole = 0;	/* whole: lists that a cut leaves in one piece */
	struct mali_identity id;
	struct err err = { 0 };
	uint8_t props[256];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		n = put_prop(props, n, rows[i].id, rows[i].log2_bytes, rows[i].v);
	ok(kbase_props_parse(props, n, &id, &err), "properties %s", err.msg);
	is_int(id.gpu_id, 0x74021000, "  ... with the GPU");
	is_int(id.slices, 2, "  ... slices");
	is_int((long long)id.shader_present, 0x55, "  ... the cores of both groups");
	is_int((long long)id.max_hz, 850000000, "  ... the clock");
	is_int(id.engines, 3, "  ... engines");
	for (size_t cut = 0; cut < n; cut++)
		whole += kbase_props_parse(props, cut, &id, &err);
	is_int((long long)whole, (long long)ARRAY_LEN(rows),
		"cut between two properties they are fewer, elsewhere a mistake: %s", err.msg);
}

static const struct metric *find_metric(
	const struct metric_lib *lib, const char *platform, const char *name)
{
	static const char *const sets[] = { "overview", "latency" };

	for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
		const struct metric_set *set = metric_lib_find(lib, sets[i], platform);
		int at = set ? metric_set_index(set, name) : -1;

		if (at >= 0)
			return &set->metrics[at];
	}
	return NULL;
}

/* All names of the guide; TEX_INSTR_3D where there is such a word. */
static void test_names(const struct metric_lib *lib)
{
	for (size_t p = 0; p < ARRAY_LEN(platforms); p++) {
		struct strbuf missing = { 0 };
		int n = 0;

		for (size_t i = 0; i < ARRAY_LEN(places); i++) {
			bool has = find_metric(lib, platforms[p], places[i].name);

			n += has;
			if (has != (places[i].index[p] >= 0))
				strbuf_addf(&missing, " %s", places[i].name);
		}
		n += find_metric(lib, platforms[p], "SC.LSC_WRITE_BEATS") != NULL;
		for (size_t i = 0; i < ARRAY_LEN(derived); i++)
			if (!find_metric(lib, platforms[p], derived[i]))
				strbuf_addf(&missing, " %s", derived[i]);
		is_str(strbuf_str(&missing), "", "%s: every name of the guide is a metric",
			platforms[p]);
		is_int(n, p < 2 ? 75 : 74, "%s: 75 raw ones, without 3D textures 74", platforms[p]);
		is_int((long long)ARRAY_LEN(derived), 34, "%s: 34 derived ones", platforms[p]);
		strbuf_release(&missing);
	}
}

static void test_texts(const struct metric_lib *lib)
{
	for (int i = 0; i < lib->n_sets; i++) {
		const struct metric_set *set = lib->sets[i];
		size_t label_max = strcmp(set->name, "libGPUCounters") ? 16 : 32;
		struct strbuf bad = { 0 };

		for (int k = 0; k < set->n_metrics; k++) {
			const struct metric *m = &set->metrics[k];

			if (!m->label || strlen(m->label) > label_max || !m->text ||
				strlen(m->text) < 20 || !m->origin)
				strbuf_addf(&bad, " %s", m->name);
			if (m->origin && strstr(m->origin, "corrected") &&
				!strstr(m->text ? m->text : "", "Arm prints") &&
				strcmp(m->name, "gpu_busy"))
				strbuf_addf(&bad, " %s: what was corrected?", m->name);
		}
		is_str(strbuf_str(&bad), "", "%s %s: label, text, origin of %d metrics",
			set->platforms[0], set->name, set->n_metrics);
		strbuf_release(&bad);
	}
}

int main(void)
{
	struct metric_lib lib = { 0 };

	test_places();
	test_table();
	test_products();
	test_constants();
	test_sums();
	test_feeds();
	test_props();
	mali_rig_lib(&lib);
	test_names(&lib);
	test_texts(&lib);
	metric_lib_release(&lib);
	return done_testing();
}
