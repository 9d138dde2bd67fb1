/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map of EUs: what the set's cells show is what the model's EUs did, position by position. */
#include "config.h"

#include "backends/intel/platform/platform.h"
#include "backends/sim/model/kernel.h"
#include "backends/sim/spec.h"
#include "base/mem.h"
#include "core/snapshot/snapshot.h"
#include "tests/unit/sim/sim_rig.h"

static const char *find_include(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static void problem(void *ctx, const struct err *err)
{
	(void)ctx;
	diag("%s", err->msg);
}

static struct metric_lib lib;

struct setup {
	const struct metric_set *set;
	struct device_list list;
	struct rig rig;
	struct metric_binding binding;
	struct snapshot snap;
};

static bool set_up(struct setup *s, const char *spec, const char *set)
{
	const struct feed *feeds[DEVICE_MAX_SOURCES];
	struct open_options o = {
		.now_ns = RIG_START_NS, .oa_period_ns = NS_PER_MS, .delay_ns = NS_PER_S
	};
	struct err err = { 0 };

	*s = (struct setup){ .rig = { .now_ns = RIG_START_NS } };
	if (!ok(sim_backend.resolve(NULL, spec, &s->list, &err), "%s %s", spec, err.msg))
		return false;
	o.set = s->set = metric_lib_find(&lib, set, s->list.entries[0].device.platform);
	if (!ok(s->set, "set %s", set) ||
		!ok(sim_backend.open(&s->list.entries[0], &o, &s->rig.dev, &err), "open %s",
			err.msg))
		return false;
	for (int i = 0; i < s->rig.dev.n_sources; i++)
		feeds[i] = &s->rig.dev.sources[i]->feed;
	metric_bind(&s->binding, s->set, &s->rig.dev.device, feeds, s->rig.dev.n_sources);
	snapshot_init(&s->snap, &s->rig.dev.device, s->set);
	snapshot_init_maps(&s->snap, &s->binding);
	return ok(s->snap.n_maps == 1 && s->snap.maps[0].n == EU_POSITIONS, "a map of eight");
}

static void tear_down(struct setup *s)
{
	snapshot_release(&s->snap);
	metric_unbind(&s->binding);
	rig_close(&s->rig);
	device_list_release(&s->list);
}

/* What each position did in one launch of the load, by the model of the EUs alone. */
static void truth(const char *spec, enum eu_event event, double out[EU_POSITIONS], double *cycles)
{
	struct phase_list list = { 0 };
	struct sim_spec parsed;
	struct workload_hardware hw;
	struct device d;
	struct kernel k;
	struct err err = { 0 };
	bool good = sim_spec_parse(spec, &parsed, &err) && sim_device(&parsed.machine, &d, &err);

	hw = sim_hardware(&parsed.machine, &d);
	good = good &&
		kernel_make(&hw.eu, (double)d.max_hz, parsed.load.load, parsed.load.n, &k, &err) &&
		eu_launch(&hw.eu, (double)d.max_hz, &k, parsed.load.groups, parsed.load.items,
			&list, &err);
	ok(good, "the model launches %s %s", spec, err.msg);
	memset(out, 0, EU_POSITIONS * sizeof(*out));
	for (int i = 0; i < list.n; i++)
		for (int j = 0; j < EU_POSITIONS; j++)
			out[j] += list.phases[i].eu[j][event];
	*cycles = phase_list_cycles(&list);
}

/* Gaps between launches dilute all positions alike, so shares of the sum are compared. */
static void compare(
	const char *spec, const char *set, const char *metric, enum eu_event event, bool differ)
{
	struct sample samples[DEVICE_MAX_SOURCES];
	double want[EU_POSITIONS], cycles, sum = 0, got_sum = 0, least = INFINITY, most = 0;
	struct setup s;
	int m;

	if (!set_up(&s, spec, set))
		return;
	truth(spec, event, want, &cycles);
	m = metric_set_index(s.set, metric);
	rig_window(&s.rig, 100 * NS_PER_MS, 100 * NS_PER_MS, samples);
	rig_window(&s.rig, 3 * NS_PER_S, NS_PER_S, samples);
	metric_eval(&s.binding, samples, s.snap.values, s.snap.ceilings);
	metric_maps_fill(&s.binding, s.snap.maps, s.snap.n_maps);
	for (int j = 0; j < EU_POSITIONS; j++) {
		sum += want[j];
		got_sum += cell_value(&s.snap.maps[0], j, m).v;
	}
	for (int j = 0; j < EU_POSITIONS; j++) {
		double got = cell_value(&s.snap.maps[0], j, m).v;

		is_near(got / got_sum, want[j] / sum, 2e-3, "%s %s: %s", spec, metric,
			s.snap.maps[0].names[j]);
		ok(got <= 100.001 * want[j] / cycles / 3,
			"%s %s: %s is no more than of a launch alone", spec, metric,
			s.snap.maps[0].names[j]);
		least = fmin(least, got);
		most = fmax(most, got);
	}
	ok((most > 1.1 * least) == differ, "%s %s: positions %s", spec, metric,
		differ ? "differ" : "are alike");
	ok(strstr(s.snap.maps[0].text, "sums of all subslices") != NULL,
		"%s: it says what a cell is", spec);
	if (metric_set_index(s.set, "eu_map_coverage") >= 0)
		is_near(s.snap.values[metric_set_index(s.set, "eu_map_coverage")].v, 100, 1e-3,
			"%s: the positions are all there is", spec);
	tear_down(&s);
}

int main(void)
{
	metric_lib_load(&lib, "profiles.metrics", find_include(NULL, "profiles.metrics"), find_include, NULL, problem, NULL);
	compare("hd620,load=flops.private.mad.sp.x4,groups=5,items=160,n=4096", "eumap",
		"eu_position_active", EU_ACTIVE, true);
	compare("hd620,load=flops.private.mad.sp.x4,groups=5,items=160,n=4096", "eumap-fpu0",
		"eu_position_fpu0", EU_FPU0 + EU_TERNARY, true);
	compare("hd620,load=mem.copy.sp.x4,groups=7,items=96,n=256", "eumap-send",
		"eu_position_send", EU_SEND, true);
	compare("hd620,load=mem.copy.sp.x4,groups=7,items=96,n=256", "eumap-threads",
		"eu_position_threads", EU_THREADS, true);
	compare("hd620,load=flops.private.mad.sp.x4,groups=21,items=256,n=4096", "eumap",
		"eu_position_active", EU_ACTIVE, false);
	metric_lib_release(&lib);
	return done_testing();
}
