/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which roof is nearest, and the sentence about it. */
#include "config.h"

#include "core/nearest.h"

#include "base/mem.h"
#include "tests/tap.h"

static char gpu_busy[] = "gpu_busy", gti[] = "gti", eus[] = "eus", count[] = "count",
	    percent[] = "%", watts[] = "watts", w[] = "W", gbs[] = "GB/s", nothing[] = "";
static char gti_bound[] = "GTI bandwidth", eu_bound[] = "EUs", count_bound[] = "messages",
	    power_bound[] = "package power";

static struct metric metrics[] = {
	{ .name = gpu_busy, .unit_text = percent, .unit = { .scale = 0.01 } },
	{ .name = gti, .unit_text = gbs, .unit = { .scale = 1e9 }, .bound = gti_bound },
	{ .name = eus, .unit_text = percent, .unit = { .scale = 0.01 }, .bound = eu_bound },
	{ .name = count, .unit_text = nothing, .unit = { .scale = 1 }, .bound = count_bound },
	{ .name = watts, .unit_text = w, .unit = { .scale = 1, .exp = { [UNIT_JOULE] = 1, [UNIT_SECOND] = -1 } }, .bound = power_bound },
};

#define NONE NAN

static const struct {
	const char *what;
	double value[5], ceiling[5];	/* a roof of 0 is none */
	enum nearest_kind kind;
	int metric;
	double utilization, headroom;
	const char *sentence;
} rows[] = {
	{ "GTI is nearest", { 97, 43.1, 24, NONE }, { 100, 67.2, 100, NONE }, NEAREST_BOUND, 1, 43.1 / 67.2, 67.2 / 43.1,
		"bound by GTI bandwidth: 43.1 of 67.2 GB/s (64 %), headroom 1.56x" },
	{ "EUs are nearest", { 97, 3, 75, NONE }, { 100, 67.2, 100, NONE }, NEAREST_BOUND, 2, 0.75, 1 / 0.75,
		"bound by EUs: 75.0 of 100 % (75 %), headroom 1.33x" },
	{ "a plain count", { 97, NONE, NONE, 9 }, { 100, 1, 1, 10 }, NEAREST_BOUND, 3, 0.9, 10. / 9, "bound by messages: 9.00 of 10.0 (90 %), headroom 1.11x" },
	{ "nothing is near", { 97, 6.72, 24, NONE }, { 100, 67.2, 100, NONE }, NEAREST_LATENCY, 2, 0.24, 100. / 24,
		"no roof is near (latency?): EUs at 24.0 of 100 % (24 %)" },
	{ "all are zero", { 97, 0, 0, NONE }, { 100, 67.2, 100, NONE }, NEAREST_LATENCY, 1, 0, NAN,
		"no roof is near (latency?): GTI bandwidth at 0.00 of 67.2 GB/s (0.0 %)" },
	{ "half is bound", { 97, 33.6, 0, NONE }, { 100, 67.2, 100, NONE }, NEAREST_BOUND, 1, 0.5, 2,
		"bound by GTI bandwidth: 33.6 of 67.2 GB/s (50 %), headroom 2.00x" },
	{ "idle", { 4.9, 43.1, 24, NONE }, { 100, 67.2, 100, NONE }, NEAREST_IDLE, 0, 0.049, NAN,
		"mostly idle: the GPU was busy for 4.9 % of its cycles" },
	{ "idle most of the time, near no roof", { 49, 24, 24, NONE }, { 100, 67.2, 100, NONE }, NEAREST_IDLE, 0, 0.49, NAN,
		"mostly idle: the GPU was busy for 49 % of its cycles" },
	{ "busy half of the time, near no roof", { 50, 24, 24, NONE }, { 100, 67.2, 100, NONE }, NEAREST_LATENCY, 1, 24 / 67.2, 67.2 / 24, NULL },
	{ "power below its limit limits nothing", { 97, 6.72, 24, NONE, 14 }, { 100, 67.2, 100, NONE, 15 }, NEAREST_LATENCY, 2, 0.24, 100. / 24, NULL },
	{ "power at its limit", { 97, 6.72, 24, NONE, 14.4 }, { 100, 67.2, 100, NONE, 15 }, NEAREST_BOUND, 4, 0.96, 15 / 14.4,
		"bound by package power: 14.4 of 15.0 W (96 %), headroom 1.04x" },
	{ "busy enough", { 5, 43.1, 24, NONE }, { 100, 67.2, 100, NONE }, NEAREST_BOUND, 1, 43.1 / 67.2, 67.2 / 43.1, NULL },
	{ "busy unknown", { NONE, 43.1, 24, NONE }, { 100, 67.2, 100, NONE }, NEAREST_BOUND, 1, 43.1 / 67.2, 67.2 / 43.1, NULL },
	{ "no roofs", { 97, 43.1, 24, 1 }, { 100, NONE, 0, NONE }, NEAREST_NONE, -1, NAN, NAN,
		"nothing to compare: no resource has both a value and a roof in this window" },
	{ "beyond the roof", { 97, 134.4, NONE, NONE }, { 100, 67.2, 100, NONE }, NEAREST_BOUND, 1, 2, 0.5,
		"bound by GTI bandwidth: 134 of 67.2 GB/s (200 %), headroom 0.50x" },
};

static struct value from(double v)
{
	return isnan(v) ? value_none(WHY_NO_SOURCE) : value_ok(v);
}

int main(void)
{
	struct metric_set set = { .metrics = metrics, .n_metrics = (int)ARRAY_LEN(metrics) };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct value values[5], ceilings[5];
		struct nearest v;
		char buf[256], tiny[8];

		for (int k = 0; k < 5; k++) {
			values[k] = from(rows[i].value[k]);
			ceilings[k] = from(rows[i].ceiling[k]);
		}
		v = nearest_make(&set, values, ceilings);
		is_int(v.kind, rows[i].kind, "%s: kind", rows[i].what);
		is_int(v.metric, rows[i].metric, "%s: metric", rows[i].what);
		is_near(v.utilization, rows[i].utilization, 1e-12, "%s: utilization", rows[i].what);
		is_near(v.headroom, rows[i].headroom, 1e-12, "%s: headroom", rows[i].what);
		if (rows[i].sentence)
			is_str(nearest_sentence(&v, &set, values, ceilings, buf, sizeof(buf)),
				rows[i].sentence, "%s: sentence", rows[i].what);
		is_int(strlen(nearest_sentence(&v, &set, values, ceilings, tiny, sizeof(tiny))), 7,
			"%s: cut to the buffer", rows[i].what);
	}
	metrics[0].unit_text = nothing;
	metrics[0].unit.scale = 1;
	{
		struct value values[5] = { value_ok(0.5), value_ok(1), value_ok(0), value_ok(0),
			value_ok(0) };
		struct nearest v = nearest_make(&set, values, values);

		is_int(v.kind, NEAREST_BOUND, "half of the cycles, given as a share, is not idle");
		values[0].v = 0.04;
		v = nearest_make(&set, values, values);
		is_int(v.kind, NEAREST_IDLE, "a share of 0.04 is");
	}
	return done_testing();
}
