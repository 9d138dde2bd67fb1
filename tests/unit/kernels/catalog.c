/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of stress kernels, what they mean, and how much work each is. */
#include "config.h"

#include <stdlib.h>

#include "kernels/catalog/catalog.h"
#include "tests/tap.h"

/* Expected by hand, from the definitions of the kernels. repeat is 10; bytes and FLOP are of one
 * item. */
static const struct row {
	const char *name;
	double flop, read_bytes, write_bytes, local_bytes, ops;
} rows[] = {
	{ "flops.single.add.sp.x1", 10, 8, 4, 0, 0 },
	{ "flops.loop.mad.sp.x4", 80, 320, 160, 0, 0 },
	{ "flops.unroll.div.dp.x2", 20, 320, 160, 0, 0 },
	{ "flops.private.mad.sp.x4", 80, 16, 16, 0, 0 },
	{ "flops.private.sub.dp.x16", 160, 128, 128, 0, 0 },
	{ "flops.private.mul.hp.x8", 80, 16, 16, 0, 0 },
	{ "power.mad.dp.x2", 40, 16, 16, 0, 0 },
	{ "power.mix.sp", 160, 320, 320, 0, 0 },
	{ "xmx.fp16", 10 * 8 * 16 * 2, 32, 32, 0, 0 },
	{ "xmx.bf16", 10 * 8 * 16 * 2, 32, 32, 0, 0 },
	{ "xmx.int8", 0, 32, 32, 0, 10 * 8 * 32 * 2 },
	{ "xmx.int4", 0, 32, 32, 0, 10 * 8 * 64 * 2 },
	{ "mem.copy.sp.x4", 0, 160, 160, 0, 0 },
	{ "mem.read.dp.x1", 0, 80, 8, 0, 0 },
	{ "mem.write.sp.x16", 0, 0, 640, 0, 0 },
	{ "mem.stream.sp.x2", 0, 80, 80, 0, 0 },
	{ "mem.triad.sp.x4", 80, 320, 160, 0, 0 },
	{ "mem.triad-nt.dp.x1", 20, 160, 80, 0, 0 },
	{ "mem.update.hp.x1", 10, 20, 20, 0, 0 },
	{ "mem.stride.s1", 0, 40, 4, 0, 0 },
	{ "mem.stride.s8", 0, 320, 4, 0, 0 },
	{ "mem.stride.s64", 0, 640, 4, 0, 0 },
	{ "slm.swap.sp.x1", 0, 4, 4, 80, 0 },
	{ "slm.read.dp.x2", 0, 16, 16, 176, 0 },
	{ "slm.reduce", 0, 4, 4, 200, 10 },
	{ "slm.reduce-all", 0, 4, 4, 0, 10 },
	{ "slm.reduce-chain", 0, 4, 4, 0, 10 },
	{ "lat.chase.16k", 0, 40, 4, 0, 10 },
	{ "lat.line.64m", 0, 40, 4, 0, 10 },
	{ "atomic.same", 0, 0, 0, 0, 10 },
	{ "launch.empty", 0, 0, 0, 0, 1 },
	{ "mix.sp.ai-4", 8 * 10 * 32, 320, 320, 0, 0 },
	{ "mix.dp.ai-0.125", 8 * 10 * 2, 640, 640, 0, 0 },
	{ "mix.hp.ai-256", 8 * 10 * 1024, 160, 160, 0, 0 },
};

static void test_work(const struct row *row)
{
	struct kernel_spec spec;
	struct kernel_work work;
	struct err err = { 0 };
	char name[64];

	if (!ok(catalog_parse(row->name, &spec, &err), "%s is understood", row->name)) {
		diag("%s", err.msg);
		return;
	}
	is_str(catalog_name(&spec, name, sizeof(name)), row->name, "%s comes back", row->name);
	catalog_work(&spec, 10, &work);
	is_near(work.flop, row->flop, 0, "%s: FLOP", row->name);
	is_near(work.read_bytes, row->read_bytes, 0, "%s: bytes read", row->name);
	is_near(work.write_bytes, row->write_bytes, 0, "%s: bytes written", row->name);
	is_near(work.local_bytes, row->local_bytes, 0, "%s: local bytes", row->name);
	is_near(work.ops, row->ops, 0, "%s: operations", row->name);
}

/* What so many items do, and which bytes a bandwidth is of. */
static void test_scale(void)
{
	struct kernel_work work = {
		.flop = 3, .read_bytes = 5, .write_bytes = 7, .local_bytes = 11, .ops = 13
	};

	catalog_scale(&work, 4);
	is_near(work.flop, 12, 0, "four times the FLOP");
	is_near(work.read_bytes, 20, 0, "  ... the bytes read");
	is_near(work.write_bytes, 28, 0, "  ... the bytes written");
	is_near(work.local_bytes, 44, 0, "  ... the local bytes");
	is_near(work.ops, 52, 0, "  ... the operations");
	is_near(catalog_bytes(&work), 44, 0, "a kernel of local memory is one of local bytes");
	work.local_bytes = 0;
	is_near(catalog_bytes(&work), 48, 0, "others are of what they read and write");
}

static void test_wrong(void)
{
	static const char *const names[] = {
		"",
		".",
		"flops",
		"flops.",
		"flops.private",
		"flops.private.mad",
		"flops.private.mad.sp.",
		"flops.private.mad.sp.x3",
		"flops.private.mad.sp.x32",
		"flops.private.mad.sp.x04",
		"flops.private.mad.sp.4",
		"flops.private.mad.sp.x4.x4",
		"flops.private.mad.qp.x4",
		"flops.private.pow.sp.x4",
		"flops.nothing.mad.sp.x4",
		"flops.private.mad.sp.x4 ",
		"mix.sp",
		"mix.sp.ai-",
		"mix.sp.ai-3",
		"mix.sp.ai-0.125",
		"mix.dp.ai-128",
		"mix.sp.ai-nan",
		"lat.chase",
		"lat.chase.17k",
		"launch",
		"launch.empty.sp",
		"power.mix",
		"mem.triad.int.x4",
		"flops..mad.sp.x4",
		"flops.privateprivateprivateprivate.mad.sp.x4",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct kernel_spec spec = { .width = 77 };
		struct err err = { 0 };

		ok(!catalog_parse(names[i], &spec, &err) && err.msg[0] && err.hint[0] &&
				spec.width == 77,
			"'%s' is refused with a hint", names[i]);
	}
}

static void test_unsaid(void)
{
	struct kernel_spec spec;

	ok(catalog_parse("flops.private.mad.sp", &spec, NULL) && spec.width == 0,
		"a width may be left to the tuner");
	ok(catalog_parse("power.mix.dp", &spec, NULL) && spec.steps == -1,
		"the ridge is left to the tuner");
	ok(catalog_parse("mix.sp.ai-0.25", &spec, NULL) && spec.steps == 1 && spec.width == 8,
		"the lowest intensity is one step");
}

static void test_list(void)
{
	size_t n, flops = 0, parsed = 0, unique = 0;
	struct kernel_info *all = catalog_list(&n);

	for (size_t i = 0; i < n; i++) {
		struct kernel_spec spec;
		char name[64];
		size_t j = 0;

		if (catalog_parse(all[i].name, &spec, NULL) &&
			!strcmp(catalog_name(&spec, name, sizeof(name)), all[i].name))
			parsed++;
		else
			diag("%s does not come back", all[i].name);
		while (strcmp(all[j].name, all[i].name))
			j++;
		unique += j == i;
		flops += !strncmp(all[i].name, "flops.", 6);
		if (!all[i].text[0] || !all[i].supported || !all[i].op[0] || !all[i].type[0] ||
			all[i].width < 1)
			ok(false, "the row of %s is complete", all[i].name);
	}
	is_int(parsed, n, "each name of the list is understood and comes back");
	is_int(unique, n, "no name is there twice");
	is_int(flops, 4 * 5 * 3 * 5, "four forms, five operations, three types, five widths");
	free(all);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		test_work(&rows[i]);
	test_scale();
	test_wrong();
	test_unsaid();
	test_list();
	return done_testing();
}
