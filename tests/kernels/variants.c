/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the catalogue on the OpenCL device that is there: small, checked element by
 * element and slice against slice. "variants --count" launches them under a device that counts
 * instructions (tests/kernels/oclgrind.sh). */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernels/worker/worker.h"
#include "tests/tap.h"

/* Two groups of four items, twelve repetitions. */
static const struct job small = { .groups = 2, .group_size = 4, .repeat = 12 };
static struct device_facts device;
static struct cache cache;

static struct variant small_variant(const struct kernel_spec *spec)
{
	struct variant v = { .spec = *spec };

	tuned_default(&device, &v);
	if (v.accumulators > 2)
		v.accumulators = 2;
	return v;
}

static bool run_checked(struct load *l, struct verifier *c, struct err *err)
{
	int64_t ns;

	if (!verify_probe(c, l, err))
		return false;
	for (int i = 0; i < 2; i++) {
		if (!load_launch_wait(l, 2, &ns, err) || !verify_equal(c, l, err))
			return false;
	}
	return true;
}

static void test_kernel(const struct kernel_info *k)
{
	bool has_check;
	struct load l = { 0 };
	struct verifier c = { 0 };
	struct err err = { 0 };
	struct kernel_spec spec;
	struct variant v;

	if (!ok(catalog_parse(k->name, &spec, NULL), "%s is in the catalogue", k->name))
		return;
	if (!device.has[spec.type]) {
		skip(1, "this device does not have the precision");
		return;
	}
	has_check = spec.body->check != CHECK_NONE;
	v = small_variant(&spec);
	if (!ok(load_open(&l, &device, &cache, &v, &small, &err) && run_checked(&l, &c, &err),
		    "%s runs", k->name))
		diag("%s (%s)", err.msg, err.hint);
	else if (!ok(c.mismatches == 0 &&
				 c.verified ==
					 (has_check ? 2 + (spec.body->check != CHECK_ELEMENT) : 0),
			 "%s: right", k->name))
		diag("%llu right, %llu wrong", (unsigned long long)c.verified,
			(unsigned long long)c.mismatches);
	verifier_release(&c);
	load_close(&l);
}

/* The products of the matrix engine, computed in plain C by a function of the builtin's name and layout, in sub-groups
 * of both sizes. */
static void test_matrix(const struct kernel_info *k, int sub_group)
{
	static const struct job groups = { .groups = 2, .group_size = 32, .repeat = 24 };
	struct load l = { 0 };
	struct verifier c = { 0 };
	struct err err = { 0 };
	struct kernel_spec spec;

	if (!ok(catalog_parse(k->name, &spec, NULL), "%s is in the catalogue", k->name))
		return;
	struct variant v = small_variant(&spec);
	v.emulated = true;
	v.sub_group = sub_group;
	if (!ok(load_open(&l, &device, &cache, &v, &groups, &err) && run_checked(&l, &c, &err),
		    "%s runs in sub-groups of %d", k->name, sub_group))
		diag("%s (%s)", err.msg, err.hint);
	else
		ok(c.mismatches == 0 && c.verified == 2, "%s: %llu right, %llu wrong", k->name,
			(unsigned long long)c.verified, (unsigned long long)c.mismatches);
	verifier_release(&c);
	load_close(&l);
}

/* Where groups run, with functions in place of those of Intel's compiler: three subslices in turn, and eight items on each EU in
 * turn. Then as it is, which no other compiler can. */
static void test_place(void)
{
	static const struct job groups = { .groups = 4, .group_size = 64, .repeat = 64 };
	struct worker_session s = { .device = device };
	struct proto_message m;
	struct load l = { 0 };
	struct kernel_spec spec;
	struct err err = { 0 };
	int fds[2];
	const char *line;
	uint64_t want[] = { 2, 1, 1 };

	catalog_parse("flops.private.mad.sp.x1", &spec, NULL);
	struct variant v = small_variant(&spec);
	if (!ok(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0 && load_open(&l, &device, &cache, &v, &groups, &err),
		    "a load whose place is asked for"))
		return;
	s.fd = fds[0];
	ok(place_tell(&s, &l, true, &err), "its groups tell: %s", err.msg);
	for (uint64_t i = 0; i < 3; i++) {
		struct proto_reader *r = &s.reader;

		if (!ok(proto_next(r, fds[1], &line, &err) == PROTO_GOT_LINE && proto_decode(line, &m, &err) &&
				    m.verb == PROTO_PLACE,
			    "a message"))
			break;
		is_int((long long)m.place.subslice, (long long)i, "of a subslice");
		is_int((long long)m.place.groups, (long long)want[i], "with its groups");
		is_int((long long)(m.place.items[0] + 100 * m.place.items[7] + 10000 * m.place.items[8]),
			(long long)(want[i] * 808), "and items on eight EUs");
	}
	if (device.cpu) {
		ok(place_tell(&s, &l, false, &err), "without these functions the load goes on");
		ok(proto_next(&s.reader, fds[1], &line, &err) == PROTO_GOT_LINE && proto_decode(line, &m, &err) &&
				strstr(m.place.reason, "only Intel's compiler"),
			"and says why nobody knows: %s", m.place.reason);
	}
	close(fds[0]);
	close(fds[1]);
	load_close(&l);
}

/* All kernels are many, and a driver compiles each of them: every body and operation is tried with
 * one width, some with all widths and types, since rules multiply them. ROOFTOP_ALL_VARIANTS=1
 * tries all. */
static bool is_chosen(const struct kernel_info *k)
{
	static const char *const whole[] = { "flops.private.mad.", "flops.unroll.mad.",
		"mem.triad.", "slm.swap." };
	struct kernel_spec spec;
	bool sp = strcmp(k->type, "sp") == 0;

	if (getenv("ROOFTOP_ALL_VARIANTS") || !catalog_parse(k->name, &spec, NULL))
		return true;
	if (spec.body->flags & BODY_INTENSITY)
		return sp ? spec.steps == 1 || spec.steps == CATALOG_MAX_STEPS : spec.steps == 16;
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		if (!strncmp(k->name, whole[i], strlen(whole[i])))
			return sp || k->width == 4;
	}
	return !(spec.body->flags & BODY_WIDTHS) || (sp && k->width == 4);
}

/* Work follows from width and type by products: one of each is counted. It does not depend on how
 * large an array is, of each byte of which a device that watches keeps fifty. */
static bool is_counted(const struct kernel_info *k)
{
	struct kernel_spec spec;

	if (!catalog_parse(k->name, &spec, NULL))
		return true;
	return spec.type != TYPE_DP && spec.type != TYPE_MATRIX && spec.size_bytes <= 1 << 20 &&
		(!(spec.body->flags & BODY_WIDTHS) || k->width == 4);
}

/* The catalogue's work is by item. A sum of a group has three accesses fewer than its items have by
 * five each, a word that is given away is written once, sums by runs have no accesses there, and of the bytes of strides only the words
 * are asked for. */
static void as_counted(const struct load *l, struct kernel_work *work)
{
	double words = (double)(l->groups * l->turns * sizeof(uint32_t));
	double size = (double)l->group_size, runs = (double)((l->group_size + 15) / 16);

	if (!strcmp(l->v.spec.body->function, "rt_reduce"))
		work->local_bytes -= 3 * words;
	/* An item writes its word, and it is read once; a run writes its sum. */
	if (!strcmp(l->v.spec.body->function, "rt_reduce_all"))
		work->local_bytes += (2 * size + runs + size * runs) * words;
	if (!strcmp(l->v.spec.body->function, "rt_reduce_chain"))
		work->local_bytes += (2 * size + runs + 2 * (runs - 1) + size) * words;
	if (!strcmp(l->v.spec.body->function, "rt_broadcast"))
		work->local_bytes += words;
	if (l->v.spec.body->flags & BODY_STRIDES)
		work->read_bytes /= l->v.spec.apart < 16 ? l->v.spec.apart : 16;
}

/* Launches each once and says what the catalogue says of it; a counting device prints its own
 * account before. */
static bool count_kernel(const struct kernel_info *k)
{
	struct load l = { 0 };
	struct err err = { 0 };
	struct kernel_spec spec;
	struct kernel_work work;
	struct variant v;
	int64_t ns;
	bool good;

	if (!catalog_parse(k->name, &spec, NULL) || !device.has[spec.type])
		return true;
	v = small_variant(&spec);
	good = load_open(&l, &device, &cache, &v, &small, &err) &&
		load_launch_wait(&l, 1, &ns, &err);
	if (good) {
		load_work(&l, &work);
		as_counted(&l, &work);
		printf("KERNEL %s %.0f %.0f %.0f %.0f %.0f %d %d\n", k->name, work.flop,
			work.read_bytes, work.write_bytes, work.local_bytes, work.ops, v.spec.width,
			spec.body->check == CHECK_COUNT);
	} else {
		printf("FAILED %s: %s\n", k->name, err.msg);
	}
	fflush(stdout);
	load_close(&l);
	return good;
}

int main(int argc, char **argv)
{
	bool counting = argc > 1 && !strcmp(argv[1], "--count"), good = true;
	struct err err = { 0 };
	struct kernel_info *all;
	size_t n;

	if (!device_open(&device, "", "", &err))
		skip_all(err.msg);
	all = catalog_list(&n);
	for (size_t i = 0; i < n; i++) {
		if (counting && is_chosen(&all[i]) && is_counted(&all[i]))
			good = count_kernel(&all[i]) && good;
		else if (!counting && !strncmp(all[i].name, "xmx.", 4)) {
			test_matrix(&all[i], 8);
			test_matrix(&all[i], 16);
		} else if (!counting && is_chosen(&all[i]))
			test_kernel(&all[i]);
	}
	if (!counting)
		test_place();
	free(all);
	device_close(&device);
	return counting ? !good : done_testing();
}
