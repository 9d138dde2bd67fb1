/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's model of the kernels, against values worked out by hand and against the compiler's own
 * arithmetic. */
#include "config.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "kernels/catalog/model.h"
#include "tests/tap.h"

/* Halves: IEEE 754 binary16, by hand. */
static void test_halves(void)
{
	static const struct {
		double v;
		unsigned bits;
	} rows[] = {
		{ 1, 0x3c00 }, { -2, 0xc000 }, { 65504, 0x7bff }, { 65520, 0x7c00 }, { 1e9, 0x7c00 }, { -1e9, 0xfc00 }, { 0, 0 }, { -0.0, 0x8000 },
		{ 0x1p-14, 0x0400 }, { 0x1p-24, 0x0001 }, { 0x1p-26, 0x0000 }, { 0x1.8p-24, 0x0002 }, { 1.0 / 3, 0x3555 }, { NAN, 0x7e00 },
		/* halfway: to even */
		{ 1 + 0x1p-11, 0x3c00 }, { 1 + 3 * 0x1p-11, 0x3c02 }, { 1 + 0x1p-11 + 0x1p-30, 0x3c01 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_int(model_bits(TYPE_HP, rows[i].v), rows[i].bits, "%g as a half", rows[i].v);
}

static void test_data(void)
{
	for (uint64_t i = 0; i < 64; i++) {
		uint64_t bits = model_data(TYPE_SP, model_bits(TYPE_SP, 1), 17, i);
		uint32_t small = (uint32_t)bits;
		float f;

		memcpy(&f, &small, sizeof(f));
		if (bits >> 32 || !(f >= 1 && f < 2) || small & 1 ||
			bits == model_data(TYPE_SP, model_bits(TYPE_SP, 1), 17, i + 1)) {
			ok(false, "element %d is in [1, 2), even, and not the next one's: %g",
				(int)i, (double)f);
			return;
		}
	}
	ok(true, "data are in [1, 2), have an even mantissa and differ");
}

static struct variant variant_of(const char *name, int accumulators)
{
	struct variant v = { .accumulators = accumulators };

	ok(catalog_parse(name, &v.spec, NULL), "%s", name);
	return v;
}

static float single_of(uint64_t bits)
{
	uint32_t small = (uint32_t)bits;
	float f;

	memcpy(&f, &small, sizeof(f));
	return f;
}

/* One chain of x * x - 1.9, twice four steps: as the compiler does it. */
static void test_chain(bool fused)
{
	struct variant v = variant_of("power.mad.sp.x1", 1);
	struct model_launch l = { .groups = 1, .group_size = 1, .turns = 2, .seed_in = 5 };
	volatile float x, square, b = -1.9f;

	v.quadratic = true;
	l.data = variant_probe_data(&v);
	x = single_of(model_data(TYPE_SP, model_bits(TYPE_SP, l.data.first), 5, 0));
	for (int n = 0; n < 8; n++) {
		square = x * x;
		x = fused ? fmaf(x, x, b) : square + b;
	}
	is_near(single_of(model_element(&v, &l, fused, 0)), x, 0, "eight steps, %s",
		fused ? "fused" : "not fused");
}

/* x + 1.3 - 1.2 ... in memory, from memory. */
static void test_loop(void)
{
	struct variant v = variant_of("flops.loop.add.sp.x2", 1);
	struct model_launch l = { .data = variant_probe_data(&v),
		.groups = 1,
		.group_size = 2,
		.turns = 3,
		.seed_out = 9 };
	volatile float x = single_of(model_data(TYPE_SP, model_bits(TYPE_SP, 1), 9, 3)), a = 1.3f,
		       b = -1.2f;

	x = x + a;
	x = x + b;
	x = x + a;
	is_near(single_of(model_element(&v, &l, true, 3)), x, 0, "three additions");
	is_int(model_elements(&v, &l), 4, "elements of two items");
}

/* A read's item 3 of groups of two, two turns: vec 4 + 1 and 4 + 2 + 1. */
static void test_places(void)
{
	struct variant v = variant_of("mem.read.sp.x1", 1);
	struct model_launch l = {
		.data = { .first = 1 }, .groups = 2, .group_size = 2, .turns = 2, .seed_in = 1
	};
	uint64_t first = model_bits(TYPE_SP, 1);

	is_int(model_element(&v, &l, false, 3),
		(uint32_t)(model_data(TYPE_SP, first, 1, 5) + model_data(TYPE_SP, first, 1, 7)),
		"a read sums up its own places");
	v = variant_of("slm.swap.sp.x1", 1);
	l.turns = 3;
	is_int(model_element(&v, &l, false, 2), model_data(TYPE_SP, first, 1, 3),
		"three swaps in a group of two end at the neighbour");
	is_int(model_element(&v, &l, false, 3), model_data(TYPE_SP, first, 1, 2),
		"and the last one's neighbour is the first");
}

/* Loads come back to where they began, so that every slice must leave the same. */
static void test_loads_return(void)
{
	static const char *const names[] = { "flops.loop.mad.sp.x1", "flops.loop.add.dp.x1",
		"flops.loop.sub.hp.x1", "flops.loop.mul.sp.x1", "flops.unroll.div.dp.x1",
		"mix.sp.ai-4", "mix.hp.ai-256" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct variant v = variant_of(names[i], 1);
		struct model_launch l = { .data = variant_load_data(&v),
			.groups = 1,
			.group_size = 64,
			.turns = 2,
			.seed_out = 3 };
		int different = 0;

		for (uint64_t e = 0; e < 64; e++)
			different += model_element(&v, &l, true, e) !=
				model_data(
					v.spec.type, model_bits(v.spec.type, l.data.first), 3, e);
		is_int(different, 0, "%s comes back to its data", names[i]);
	}
}

/* Compilers fold chains of constants when they may: none of these options may ever be there. */
static void test_options(void)
{
	size_t n;
	struct kernel_info *all = catalog_list(&n);
	int relaxed = 0;

	for (size_t i = 0; i < n; i++) {
		struct strbuf b = { 0 };
		struct variant v = variant_of(all[i].name, 8);

		v.fma = true;
		variant_options(&v, &b);
		relaxed += strstr(strbuf_str(&b), "-cl-fast") || strstr(strbuf_str(&b), "unsafe") ||
			strstr(strbuf_str(&b), "finite") || strstr(strbuf_str(&b), "mad-enable");
		strbuf_release(&b);
	}
	is_int(relaxed, 0, "no kernel is compiled with relaxed arithmetic");
	free(all);
}

static void test_encoding(void)
{
	struct variant v = variant_of("flops.private.mad.sp.x4", 4), back = v;
	static const char *const wrong[] = { "",
		"width=3 fma=1 quadratic=0 accumulators=4 steps=0 size=64 turns=0",
		"width=4 fma=2 quadratic=0 accumulators=4 steps=0 size=64 turns=0",
		"width=4 fma=1 quadratic=0 accumulators=5 steps=0 size=64 turns=0",
		"width=4 fma=1 quadratic=0 accumulators=4 steps=0 size=99999999 turns=0",
		"width=4 fma=1 quadratic=0 accumulators=4" };
	char text[160], again[160];

	v.fma = v.quadratic = true;
	v.group_size = 64;
	variant_encode(&v, text, sizeof(text));
	ok(variant_decode(text, &back), "'%s' is understood", text);
	is_str(variant_encode(&back, again, sizeof(again)), text, "it comes back");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		ok(!variant_decode(wrong[i], &back), "'%s' is refused", wrong[i]);
}

int main(void)
{
	test_halves();
	test_data();
	test_chain(false);
	test_chain(true);
	test_loop();
	test_places();
	test_loads_return();
	test_options();
	test_encoding();
	return done_testing();
}
