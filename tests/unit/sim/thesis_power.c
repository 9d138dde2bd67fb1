/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power of the simulated HD 620 against the published measurements of a real one (H. Duarte,
 * Performance Analysis of Intel Gen9.5 Integrated GPU Architecture, 2018, ch. 4.4, 4.5 and 5),
 * through energy registers and reports. The thesis has no number for a single width, so only means,
 * orders and the two efficiencies are held here. */
#include "config.h"

#include "base/mem.h"
#include "tests/unit/sim/sim_rig.h"

#define N 8192
#define WINDOW_NS (2 * NS_PER_S)
#define PERIOD_NS (5 * NS_PER_MS)
#define MANY_GROUPS 630
#define POWER_REPEATS 64	/* of the outer loop, over the width */

static const int widths[] = { 1, 2, 4, 8, 16 };

enum { X1, X2, X4, X8, X16, WIDTHS };

struct result {
	double w;		/* package less cores less DRAM: the thesis' equation 4.3 */
	double package_w;
	double gflops;
	double gflops_per_w;
};

static double watts(const struct rig *r, const struct sample *out, const char *counter)
{
	return rig_value(r, out, 1, counter) * 1e3 / (double)out[1].window_ns;
}

static int simd_of(const char *type, int width)
{
	int doubles = strcmp(type, "dp") == 0 ? 2 : 1;

	return width * doubles <= 8 ? 32 : 256 / (width * doubles);
}

/* Work items are counted by A4: threads that the dispatcher started. */
static struct result measure(const char *type, int width, int groups)
{
	char spec[128];
	struct rig r;
	struct sample out[DEVICE_MAX_SOURCES];
	struct result res;

	snprintf(spec, sizeof(spec), "hd620,load=power.mad.%s.x%d,groups=%d,n=%d", type, width,
		groups, N);
	rig_open(&r, spec, NULL, PERIOD_NS);
	rig_window(&r, WINDOW_NS, 100 * NS_PER_MS, out);
	rig_window(&r, WINDOW_NS, 100 * NS_PER_MS, out);
	double items = rig_value(&r, out, 0, "A4") * simd_of(type, width);
	res.gflops = items * 2 * N * POWER_REPEATS / (double)out[0].window_ns;
	res.package_w = watts(&r, out, "energy_package_uj");
	res.w = res.package_w - watts(&r, out, "energy_cores_uj") -
		watts(&r, out, "energy_dram_uj");
	res.gflops_per_w = res.gflops / res.w;
	rig_close(&r);
	return res;
}

static void measure_all(const char *type, int groups, struct result res[WIDTHS])
{
	for (int i = 0; i < WIDTHS; i++) {
		res[i] = measure(type, widths[i], groups);
		diag("%s x%d, %d groups: %.3f W (package %.3f W), %.2f GFLOP/s, %.2f GFLOP/s/W",
			type, widths[i], groups, res[i].w, res[i].package_w, res[i].gflops,
			res[i].gflops_per_w);
	}
}

/* Tells whether no width has more than that one, by watts or by operations for a watt. */
static bool is_most(const struct result res[WIDTHS], int which, bool by_watts, int except)
{
	for (int i = 0; i < WIDTHS; i++) {
		if (i == which || i == except)
			continue;
		if (by_watts && res[i].w >= res[which].w)
			return false;
		if (!by_watts && res[i].gflops_per_w >= res[which].gflops_per_w)
			return false;
	}
	return true;
}

static bool is_least(const struct result res[WIDTHS], int which, bool by_watts, int except)
{
	struct result negative[WIDTHS];

	for (int i = 0; i < WIDTHS; i++)
		negative[i] = (struct result){ .w = -res[i].w,
			.gflops_per_w = -res[i].gflops_per_w };
	return is_most(negative, which, by_watts, except);
}

/* A width may draw as much as others as far as a thousandth tells; the orders that the thesis names
 * are clearer than that. */
static void orders(const char *type, const struct result res[WIDTHS])
{
	ok(is_most(res, X2, true, -1), "%s: vectors of 2 draw most (figures 4.13, 4.14)", type);
	ok(is_least(res, X4, true, -1), "%s: vectors of 4 draw least", type);
	ok(is_most(res, X4, false, -1), "%s: vectors of 4 do most for a watt (4.15, 4.16)", type);
	ok(is_least(res, X16, false, -1), "%s: vectors of 16 do least for a watt", type);
	ok(is_least(res, X2, false, X16), "%s: and vectors of 2 the least but these", type);
}

static void means(const char *type, const struct result res[WIDTHS], double w)
{
	double mean = 0, package = 0;

	for (int i = 0; i < WIDTHS; i++) {
		mean += res[i].w / WIDTHS;
		package = fmax(package, res[i].package_w);
	}
	is_near(mean, w, w * 0.02, "%s: the widths take %.2f W on average within 2 %%", type, w);
	ok(package < 15, "%s: the package stays below its 15 W at 1050 MHz: %.2f W", type, package);
}

static double spread(const struct result res[WIDTHS])
{
	return res[X2].w - res[X4].w;
}

int main(void)
{
	struct result sp[WIDTHS], dp[WIDTHS], few[WIDTHS];

	measure_all("sp", MANY_GROUPS, sp);
	measure_all("dp", MANY_GROUPS, dp);
	means("sp", sp, 11.45);
	means("dp", dp, 11.72);
	orders("sp", sp);
	orders("dp", dp);
	ok(spread(dp) > 1.1 * spread(sp), "widths differ more in double precision: %.3f W, %.3f W",
		spread(dp), spread(sp));
	is_near(sp[X4].gflops_per_w, 35, 35 * 0.05, "single precision does 35 GFLOP/s/W");
	is_near(dp[X4].gflops_per_w, 8.5, 8.5 * 0.05, "double precision does 8.5 GFLOP/s/W");
	measure_all("sp", 1, few);
	ok(is_most(few, X16, false, -1), "one group: vectors of 16 do most for a watt (4.17)");
	return done_testing();
}
