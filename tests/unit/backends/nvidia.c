/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes and clocks of NVIDIA's cards give what their data sheets say; the model obeys its own roofs. */
#include "config.h"

#include <math.h>

#include "backends/nvidia/sm_table.h"
#include "backends/sim/model/nvidia_gpu.h"
#include "backends/sim/sim_vendors.h"
#include "base/mem.h"
#include "tests/tap.h"

/* Data sheets: peak of single and double precision and of tensor units with FP16 (dense), in TFLOP/s, with
 * the SMs and the boost clock that they name; 0: the sheet does not say. Tensor peaks of the T4, A10 and
 * L40S are where the table has its numbers from, and are left out. */
static const struct {
	const char *card;
	int major, minor, sms;
	double mhz, sp, dp, tensor;
} sheets[] = {
	{ "V100 SXM2", 7, 0, 80, 1530, 15.7, 7.8, 125 },
	{ "T4", 7, 5, 40, 1590, 8.1, 0, 0 },
	{ "A100 SXM4", 8, 0, 108, 1410, 19.5, 9.7, 312 },
	{ "A10", 8, 6, 72, 1695, 31.2, 0, 0 },
	{ "L40S", 8, 9, 142, 2520, 91.6, 0, 0 },
	{ "L4", 8, 9, 58, 2040, 30.3, 0, 0 },
	{ "H100 SXM5", 9, 0, 132, 1980, 67, 34, 989 * 1980.0 / 1830 },
	{ "P100 SXM2", 6, 0, 56, 1480, 10.6, 5.3, 0 },
	{ "Titan Xp", 6, 1, 30, 1582, 12.15, 0.38, 0 },
	{ "RTX 4090", 8, 9, 128, 2520, 82.6, 1.3, 330 },
};

static void test_peaks(void)
{
	for (size_t i = 0; i < ARRAY_LEN(sheets); i++) {
		struct sm_lanes l = sm_lanes_of(sheets[i].major, sheets[i].minor);
		double tera = 2e-6 * sheets[i].sms * sheets[i].mhz;

		if (!ok(l.major && l.certain, "%s: compute capability %d.%d is known", sheets[i].card,
			    sheets[i].major, sheets[i].minor))
			continue;
		ok(fabs(l.fp32 * tera / sheets[i].sp - 1) < 0.01, "%s: %.2f TFLOP/s single", sheets[i].card,
			l.fp32 * tera);
		if (sheets[i].dp > 0)
			ok(fabs(l.fp64 * tera / sheets[i].dp - 1) < 0.02, "%s: %.2f TFLOP/s double",
				sheets[i].card, l.fp64 * tera);
		if (sheets[i].tensor > 0)
			ok(fabs(l.tensor_half * tera / sheets[i].tensor - 1) < 0.01,
				"%s: %.0f TFLOP/s of tensor units", sheets[i].card, l.tensor_half * tera);
	}
	ok(!sm_lanes_of(4, 2).major, "what nobody says is not in the table");
}

/* A minor version that nobody knows is one of its major, and says that it goes by it. */
static void test_kin(void)
{
	for (int major = 5; major <= 12; major++)
		for (int minor = 0; minor < 16; minor++) {
			struct sm_lanes l = sm_lanes_of(major, minor);

			if (l.major != major || l.fp32 <= 0 || (l.minor != minor && l.certain))
				diag("%d.%d: %d.%d, %d lanes", major, minor, l.major, l.minor, l.fp32);
			else
				continue;
			ok(false, "%d.%d has lanes", major, minor);
		}
	is_int(sm_lanes_of(8, 8).fp32, 128, "8.8 goes by 8.7");
	is_int(sm_lanes_of(12, 9).tensor_half, 512, "12.9 goes by 12.1");
	ok(!sm_lanes_of(12, 9).certain && sm_lanes_of(12, 1).certain, "and only one of them is certain");
	/* GB10: 48 SMs at 2.418 GHz have 29.7 TFLOP/s (NVIDIA's data sheet of DGX Spark: 31 at 2.5 GHz). */
	ok(fabs(sm_lanes_of(12, 1).fp32 * 48 * 2 * 2418e-6 - 29.7) < 0.1, "a GB10 has 29.7 TFLOP/s");
}

/* No load passes what its machine can do, and each fills what its name says. */
static void test_model(void)
{
	for (int i = 0; i < nvidia_machine_count; i++) {
		const struct nvidia_machine *m = &nvidia_machines[i];

		for (int k = 0; k < nvidia_load_count; k++) {
			struct nvidia_gpu *g = nvidia_gpu_new(m, nvidia_loads[k].name, NULL);
			const double ns = 1e9;
			struct nvidia_totals t;

			if (!g) {
				ok(nvidia_loads[k].nvlink > 0, "%s has no %s, for want of links", m->name,
					nvidia_loads[k].name);
				continue;
			}
			nvidia_gpu_totals(g, (int64_t)ns, &t);
			bool good = t.loaded <= t.clocks * 1.000001 && t.occupied <= t.loaded * 1.000001;
			for (int p = 0; p < NVIDIA_PIPES; p++)
				good &= t.pipe[p] <= t.loaded * 1.000001;
			ok(good, "%s %s: nothing is busier than the clock", m->name, nvidia_loads[k].name);
			ok(t.dram_bytes <= nvidia_dram_peak(m) && t.energy_j <= m->limit_w * 1.000001,
				"%s %s: %.0f GB/s and %.0f W are within the card's limits", m->name,
				nvidia_loads[k].name, t.dram_bytes / 1e9, t.energy_j);
			nvidia_gpu_free(g);
		}
	}
}

/* Counts do not depend on when they are looked at. */
static void test_time(void)
{
	struct nvidia_gpu *g = nvidia_gpu_new(&nvidia_machines[0], "tour", NULL);
	struct nvidia_totals a, b, c;

	nvidia_gpu_totals(g, 7000000000, &a);
	nvidia_gpu_totals(g, 23000000000, &b);
	nvidia_gpu_totals(g, 67000000000, &c);
	ok(a.clocks < b.clocks && b.clocks < c.clocks, "clocks only grow");
	nvidia_gpu_totals(g, 60000000000, &b);
	ok(fabs(c.energy_j - b.energy_j - a.energy_j) < 1e-6 * a.energy_j, "the tour repeats after a minute");
	nvidia_gpu_free(g);
}

/* Words make other machines, of which each is one: its memory moves something. */
static void test_words(void)
{
	static const char *const specs[] = { "h100,dram=1,load=stream", "h100,id=0x2335,dram=1,load=fma", "rtx4090,dram=1,load=fma",
		"h100,id=0x2330,load=gemm" };
	struct nvidia_machine m;
	struct sim_spec s;
	struct nvidia_totals t;

	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		struct nvidia_gpu *g =
			sim_nvidia_machine(specs[i], &m, &s, NULL) ? nvidia_gpu_new(&m, s.load.load, NULL) : NULL;

		if (g)
			nvidia_gpu_totals(g, 1000000000, &t);
		ok(g && t.energy_j > m.idle_w && isfinite(t.dram_bytes), "%s is a machine", specs[i]);
		nvidia_gpu_free(g);
	}
}

int main(void)
{
	test_words();
	test_peaks();
	test_kin();
	test_model();
	test_time();
	return done_testing();
}
