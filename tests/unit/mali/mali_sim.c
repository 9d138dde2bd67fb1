/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated Mali GPUs: what a load says of itself comes back through blocks, decoder and
 * equations. */
#include "config.h"

#include "backends/sim/model/mali_gpu.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/unit/mali/mali_rig.h"

#define START_NS (1000 * NS_PER_S)

static bool open_sim(
	struct mali_rig *r, const struct metric_lib *lib, const char *spec, const char *set)
{
	struct open_options o = { .now_ns = START_NS, .delay_ns = NS_PER_S };
	struct device_list list = { 0 };
	struct err err = { 0 };
	bool good = sim_backend.resolve(NULL, spec, &list, &err) &&
		sim_backend.open(&list.entries[0], &o, &r->dev, &err);

	device_list_release(&list);
	r->now_ns = START_NS;
	if (ok(good, "sim:%s opens %s", spec, err.msg))
		mali_rig_bind(r, lib, set);
	return good;
}

static void check(const struct mali_rig *r, struct strbuf *bad, const char *name, double want)
{
	double got = mali_rig_value(r, name).v;

	if (!(fabs(got - want) <= 1e-3 * fabs(want) + 1e-6))
		strbuf_addf(bad, " %s: %g, not %g", name, got, want);
}

static void check_shares(const struct mali_rig *r, const struct mali_load *l, struct strbuf *bad)
{
	check(r, bad, "JM.JS0_UTILIZATION", 100 * l->fragment);
	check(r, bad, "JM.JS1_UTILIZATION", 100 * l->other);
	check(r, bad, "tiler_utilization", 100 * l->tiler);
	check(r, bad, "SC.EXEC_CORE_UTILIZATION", 100 * l->exec);
	check(r, bad, "SC.EE_UTILIZATION", 100 * l->arithmetic);
	check(r, bad, "SC.LSC_UTILIZATION", 100 * l->load_store);
	check(r, bad, "SC.TEX_UTILIZATION", 100 * l->texture);
	check(r, bad, "SC.VARY_UTILIZATION", 100 * l->varying);
}

/* Shares of all clocks, and a queue for each kind of work: what has primitives is no compute. */
static void check_valhall_shares(const struct mali_rig *r, const struct mali_load *l, struct strbuf *bad)
{
	double exec = 100 * l->active * l->exec;

	check(r, bad, "fragment_queue", 100 * l->fragment);
	check(r, bad, "vertex_queue", l->primitives > 0 ? 100 * l->other : 0);
	check(r, bad, "compute_queue", l->primitives > 0 ? 0 : 100 * l->other);
	check(r, bad, "tiler_use", 100 * l->active * l->tiler);
	check(r, bad, "SC.EXEC_CORE_UTILIZATION", 100 * l->exec);
	check(r, bad, "arithmetic_use", exec * l->arithmetic);
	check(r, bad, "load_store_use", exec * l->load_store);
	check(r, bad, "texture_use", exec * l->texture);
	check(r, bad, "varying_use", exec * l->varying);
}

static void check_memory(
	const struct mali_rig *r, const struct mali_load *l, double clock_hz, struct strbuf *bad)
{
	double bus = (device_const(&r->dev.device, "l2_slice_count")->v) * 16 * clock_hz *
		l->active / 1e9;

	check(r, bad, "JM.GPU_UTILIZATION", 100 * l->active);
	check(r, bad, "warp_divergence", 100 * l->diverged);
	check(r, bad, "L2.EXTERNAL_READ_UTILIZATION", 100 * l->read);
	check(r, bad, "L2.EXTERNAL_WRITE_UTILIZATION", 100 * l->write);
	check(r, bad, "L2.READ_MISS_RATE", 100 * l->read_miss);
	check(r, bad, "L2.WRITE_MISS_RATE", 100 * l->write_miss);
	check(r, bad, "read_bandwidth", bus * l->read);
	check(r, bad, "write_bandwidth", bus * l->write);
	check(r, bad, "gpu_clock", clock_hz / 1e6);
	check(r, bad, "gpu_clock_target", clock_hz / 1e6);
}

static void check_picture(
	const struct mali_rig *r, const struct mali_load *l, double clock_hz, struct strbuf *bad)
{
	check(r, bad, "JM.PIXEL_COUNT", l->active * l->pixels * clock_hz / 1e6);
	check(r, bad, "early_zs_killed", 100 * l->early_killed);
	check(r, bad, "overdraw_killed", 100 * l->hidden);
	check(r, bad, "transparent_quads", 100 * l->transparent);
	check(r, bad, "late_zs_killed", 100 * l->late_killed);
	check(r, bad, "SC.FRAG_PARTIAL_QUAD_PERCENTAGE", 100 * l->partial);
	check(r, bad, "tiles_unchanged", 100 * l->unchanged);
	check(r, bad, "fragments_per_pixel", l->overdraw * (1 - l->early_killed - l->hidden));
	check(r, bad, "TI.INPUT_PRIMITIVES", l->active * l->primitives * clock_hz);
	check(r, bad, "TI.CULLED_FACING_PERCENT", 100 * l->facing);
	check(r, bad, "TI.CULLED_FRUSTUM_PERCENT", 100 * l->frustum);
	check(r, bad, "TI.CULLED_COVERAGE_PERCENT", 100 * l->coverage);
	check(r, bad, "culling_visible",
		100 * (1 - l->facing) * (1 - l->frustum) * (1 - l->coverage));
}

static void check_valhall_picture(const struct mali_rig *r, const struct mali_load *l, struct strbuf *bad)
{
	check(r, bad, "early_killed", 100 * l->early_killed);
	check(r, bad, "late_killed", 100 * l->late_killed);
	check(r, bad, "partial_quads", 100 * l->partial);
	check(r, bad, "opaque_quads", 100 * (1 - l->early_killed) * (1 - l->transparent));
	check(r, bad, "tiles_unchanged", 100 * l->unchanged);
	check(r, bad, "fragments_per_pixel", l->overdraw * (1 - l->early_killed - l->hidden));
	check(r, bad, "culled_facing", 100 * l->facing);
	check(r, bad, "culled_plane", 100 * l->frustum);
	check(r, bad, "culled_sample", 100 * l->coverage);
	check(r, bad, "primitives_visible",
		100 * (1 - l->facing) * (1 - l->frustum) * (1 - l->coverage));
}

/* The first core does most, the last one what imbalance leaves of it, and the average is the
 * load's. */
static void check_cells(const struct mali_rig *r, const struct mali_load *l, const char *spec)
{
	int last = (int)device_const(&r->dev.device, "core_count")->v - 1;
	double first = mali_rig_cell(r, "core", 0, "core_active"),
	       end = mali_rig_cell(r, "core", last, "core_active"), sum = 0;

	is_near(end / first, 1 - l->imbalance, 1e-4,
		"%s: the last core does so much of what the first does", spec);
	for (int i = 0; i <= last; i++)
		sum += mali_rig_cell(r, "core", i, "core_active");
	is_near(sum / (last + 1), 100 * l->exec, 1e-2,
		"%s: and all of them on average what the device has", spec);
	is_near(mali_rig_cell(r, "core", last, "core_arithmetic"), end * l->arithmetic, 1e-2,
		"%s: pipes of a core, of all active clocks", spec);
	is_near(mali_rig_cell(r, "slice", 0, "slice_read"),
		mali_rig_value(r, "read_bandwidth").v /
			device_const(&r->dev.device, "l2_slice_count")->v,
		1e-6, "%s: slices share the traffic", spec);
}

static void test_load(
	const struct metric_lib *lib, const struct mali_machine *m, const struct mali_load *l)
{
	struct mali_rig r = { 0 };
	struct strbuf bad = { 0 };
	bool is_bifrost = mali_is_bifrost(mali_product_by_id(m->id.gpu_id));
	double clock_hz;
	char spec[64], status[160];

	snprintf(spec, sizeof(spec), "%s,load=%s", m->name, l->name);
	if (!open_sim(&r, lib, spec, "overview"))
		return;
	mali_rig_window(&r, 777777777);
	mali_rig_window(&r, NS_PER_S);
	clock_hz = mali_rig_value(&r, "gpu_clock").v * 1e6;
	ok(clock_hz >= m->min_mhz * 1e6 && clock_hz <= m->max_mhz * 1e6, "%s: %.0f MHz", spec,
		clock_hz / 1e6);
	check(&r, &bad, "JM.GPU_UTILIZATION", 100 * l->active);
	if (l->active > 0) {
		if (is_bifrost)
			check_shares(&r, l, &bad);
		else
			check_valhall_shares(&r, l, &bad);
		check_memory(&r, l, clock_hz, &bad);
		check_cells(&r, l, spec);
	}
	if (l->pixels > 0 && is_bifrost)
		check_picture(&r, l, clock_hz, &bad);
	else if (l->pixels > 0)
		check_valhall_picture(&r, l, &bad);
	is_str(strbuf_str(&bad), "", "%s: the counters give back what the load does", spec);
	r.dev.sources[0]->ops->status(r.dev.sources[0], status, sizeof(status));
	is_str(status, l->text, "%s: it says what it does", spec);
	strbuf_release(&bad);
	mali_rig_close(&r);
}

/* 746 MHz, 12 cores of 3 engines of 4 lanes; two buses of 16 bytes in each direction. */
static void test_roofs(const struct metric_lib *lib)
{
	struct mali_rig r = { 0 };

	if (!open_sim(&r, lib, "g72,load=compute", "overview"))
		return;
	mali_rig_window(&r, NS_PER_S);
	is_near(mali_rig_value(&r, "roof_sp_mad").v, 0.746 * 12 * 24, 1e-6,
		"roof of multiply-adds");
	is_near(mali_rig_value(&r, "roof_sp_pair").v, 0.746 * 12 * 36, 1e-6,
		"roof of instruction pairs");
	is_near(mali_rig_value(&r, "roof_bytes_l2").v, 0.746 * 12 * 16, 1e-6, "roof of L2");
	double reads = mali_rig_value(&r, "read_bandwidth").v;
	double writes = mali_rig_value(&r, "write_bandwidth").v;
	is_near(mali_rig_value(&r, "roof_bytes_memory").v,
		0.746 * 2 * 16 * (reads + writes) / fmax(reads, writes), 1e-6,
		"roof of the buses for this mixture");
	is_near(mali_rig_value(&r, "flop_at_most").v, 0.746 * 12 * 36 * 0.8 * 0.94, 1e-3,
		"instructions times what a pair can do");
	is_near(mali_rig_value(&r, "memory_traffic").v, 0.746 * 2 * 16 * 0.4, 1e-3,
		"two fifths of what the buses carry in one direction");
	mali_rig_close(&r);
}

/* What is not defined has no number: an idle GPU, a GPU that only computes. */
static void test_undefined(const struct metric_lib *lib)
{
	struct mali_rig r = { 0 };

	if (!open_sim(&r, lib, "g72,load=idle", "overview"))
		return;
	mali_rig_window(&r, NS_PER_S);
	is_near(mali_rig_value(&r, "JM.GPU_UTILIZATION").v, 0, 0, "an idle GPU is not busy");
	is_str(why_name(mali_rig_value(&r, "SC.EE_UTILIZATION").why), "div_zero",
		"  ... and its pipes have no share of nothing");
	mali_rig_close(&r);
	if (!open_sim(&r, lib, "g52,load=compute", "overview"))
		return;
	mali_rig_window(&r, NS_PER_S);
	is_str(why_name(mali_rig_value(&r, "SC.FRAG_QUAD_CYCLES").why), "div_zero",
		"without fragments there are no clocks of a fragment");
	mali_rig_close(&r);
}

static void test_histograms(const struct metric_lib *lib)
{
	static const char *const names[] = { "latency_0_127", "latency_128_191", "latency_192_255",
		"latency_256_319", "latency_320_383", "latency_gt_383" };
	static const uint8_t want[] = { 8, 14, 20, 22, 18, 18 };	/* of load memory */
	struct mali_rig r = { 0 };

	if (!open_sim(&r, lib, "g72,load=memory", "latency"))
		return;
	mali_rig_window(&r, NS_PER_S);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		is_near(mali_rig_value(&r, names[i]).v, want[i], 1e-4, "%s", names[i]);
	is_near(mali_rig_value(&r, "reads_under_way_q4").v, 50, 1e-4,
		"half of the reads find the queue nearly full");
	is_near(mali_rig_value(&r, "writes_under_way_q1").v, 40, 1e-4, "writes do not");
	mali_rig_close(&r);
}

/* A tour has every load; sums of short windows are those of a long one, whatever is between
 * them. */
static void test_time(const struct metric_lib *lib)
{
	struct mali_rig a = { 0 }, b = { 0 };
	uint64_t sum = 0;
	char status[160];

	if (!open_sim(&a, lib, "g72", "overview") || !open_sim(&b, lib, "g72", "overview"))
		return;
	for (int i = 0; i < 30; i++) {
		mali_rig_window(&a, NS_PER_S / 3 * (1 + i % 4));
		sum += a.samples[0].values[0];
		if (i == 10)
			a.dev.sources[0]->ops->status(a.dev.sources[0], status, sizeof(status));
	}
	for (int64_t left = a.now_ns - b.now_ns; left > 0; left -= 2 * NS_PER_S) {
		b.now_ns += left < 2 * NS_PER_S ? left : 2 * NS_PER_S;
		b.dev.sources[0]->ops->ready(b.dev.sources[0], b.now_ns, NULL);
	}
	mali_rig_window(&b, 0);
	is_int((long long)b.samples[0].values[0], (long long)sum,
		"thirty windows count what one long one does, dumped now and then");
	is_str(status, mali_load_nth(0).text, "the tour begins idle");
	mali_rig_window(&a, 5 * NS_PER_S);
	is_str(why_name(a.samples[0].why), "lost", "words of 32 bits may have run full: no number");
	is_int((long long)a.samples[0].lost, 1, "  ... counted once");
	is_int((long long)a.samples[1].lost, 0, "  ... and not by each source");
	mali_rig_window(&a, NS_PER_S);
	is_str(why_name(a.samples[0].why), "ok", "the next window has one");
	mali_rig_close(&a);
	mali_rig_close(&b);
}

static void test_specs(void)
{
	static const struct {
		const char *spec, *said;
	} rows[] = {
		{ "g72,load=nothing", "no load 'nothing'" },
		{ "g72,lost=3", "unknown word 'lost=3'" },
		{ "g52,", "unknown word ''" },
		{ "g52,load=idle,wrap", "unknown word" },
		{ "g52,load=", "no load ''" },
		{ "g76", "no simulated device is called 'g76'" },
		{ "g72,load=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
			"no load 'abcdefghijklm" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct device_list list = { 0 };
		struct err err = { 0 };

		ok(!sim_backend.resolve(NULL, rows[i].spec, &list, &err) &&
				strstr(err.msg, rows[i].said),
			"sim:%s: %s", rows[i].spec, err.msg);
		device_list_release(&list);
	}
}

static void test_help(void)
{
	struct strbuf help = { 0 };

	sim_backend.help(&help);
	for (int i = 0; i < mali_load_count; i++) {
		struct mali_load l = mali_load_nth(i);

		ok(strstr(strbuf_str(&help), l.text), "sim:help names load %s", l.name);
	}
	strbuf_release(&help);
}

int main(void)
{
	struct metric_lib lib = { 0 };

	mali_rig_lib(&lib);
	mali_rig_load(&lib, "valhall.metrics");
	for (int m = 0; m < mali_machine_count; m++)
		for (int i = 0; i < mali_load_count; i++) {
			struct mali_load l = mali_load_nth(i);

			if (in_share())
				test_load(&lib, &mali_machines[m], &l);
		}
	test_roofs(&lib);
	test_undefined(&lib);
	test_histograms(&lib);
	test_time(&lib);
	test_specs();
	test_help();
	metric_lib_release(&lib);
	return done_testing();
}
