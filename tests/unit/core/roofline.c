/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roofs, views and points made of a metric file; measured roofs and the file that keeps them. */
#include "config.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/strbuf.h"
#include "core/roofline/roofline.h"
#include "tests/tap.h"

/* Nothing of Intel's: a device with one clock, one memory and a cache. */
static const char *const metrics =
	"counter CLK cycle\ncounter flop FLOP\ncounter bytes B\ncounter lines 1\n"
	"const lanes FLOP/cycle\nconst dram B/s\nconst nobody_knows B/cycle\n"
	"set tiny\n  platforms any\n"
	"  metric gflops\n    unit GFLOP/s\n    value rate(flop)\n    flags estimated\n    roof "
	"performance sp\n"
	"  metric traffic\n    unit GB/s\n    value rate(bytes)\n    roof traffic DRAM\n"
	"  metric cache_traffic\n    unit MB/s\n    value 64[B] * rate(lines)\n    roof traffic "
	"cache\n"
	"  metric peak\n    label \"SP peak\"\n    unit GFLOP/s\n    flags hidden\n    value lanes "
	"* rate(CLK)\n    roof flop sp.mad\n"
	"  metric half\n    unit GFLOP/s\n    flags hidden\n    value lanes * rate(CLK) / 2\n    "
	"roof flop sp.add\n"
	"  metric memory\n    unit GB/s\n    flags hidden\n    value dram\n    roof bytes DRAM\n"
	"  metric cache\n    unit GB/s\n    flags hidden\n    value nobody_knows * rate(CLK)\n    "
	"roof bytes cache\n";

static const struct counter_desc counters[] = {
	{ "CLK", "cycle", 40, COUNTER_CUMULATIVE }, { "flop", "FLOP", 64, COUNTER_CUMULATIVE },
	{ "bytes", "B", 64, COUNTER_CUMULATIVE }, { "lines", "1", 64, COUNTER_CUMULATIVE },
};
static const struct feed feed = { .name = "x", .counters = counters, .n_counters = 4 };

struct rig {
	struct metric_lib lib;
	struct device dev;
	struct metric_binding b;
	struct roofline r;
	struct value values[8], ceilings[8];
	struct job_state job;
};

static void open_rig(struct rig *g)
{
	const struct feed *feeds[] = { &feed };
	const struct metric_set *set;

	memset(g, 0, sizeof(*g));
	g->dev.max_hz = 2000000000;
	device_set_const(&g->dev, "lanes", 100);
	device_set_const(&g->dev, "dram", 50e9);
	is_int(metric_lib_load(&g->lib, "f", metrics, NULL, NULL, NULL, NULL), 0,
		"the file has no mistake");
	set = metric_lib_find(&g->lib, "tiny", "any");
	metric_bind(&g->b, set, &g->dev, feeds, 1);
	roofline_init(&g->r, &g->b, &g->dev);
}

static void close_rig(struct rig *g)
{
	roofline_release(&g->r);
	metric_unbind(&g->b);
	metric_lib_release(&g->lib);
}

/* A window of a second. */
static void window(struct rig *g, uint64_t clk, uint64_t flop, uint64_t bytes, enum why why)
{
	struct sample s = { .why = why, .window_ns = NS_PER_S };

	s.values[0] = clk;
	s.values[1] = flop;
	s.values[2] = bytes;
	metric_eval(&g->b, &s, g->values, g->ceilings);
	roofline_update(&g->r, &g->b, g->values, &g->job, NS_PER_S);
}

static const struct roof_view *view(const struct rig *g, const char *level)
{
	for (int i = 0; i < g->r.n_views; i++)
		if (!strcmp(g->r.views[i].level, level))
			return &g->r.views[i];
	printf("Bail out! no view %s\n", level);
	exit(1);
}

static void theory(void)
{
	struct rig g;
	const struct roof *mad, *dram;

	open_rig(&g);
	is_int(g.r.n_roofs, 4, "two FLOP roofs, two of bytes");
	is_int(g.r.n_views, 2, "two levels");
	mad = roofline_roof(&g.r, ROOF_FLOP, "sp.mad");
	dram = roofline_roof(&g.r, ROOF_BYTES, "DRAM");
	is_str(mad->label, "SP peak", "a roof is called as its metric");
	is_near(mad->theory.v, 200e9, 1, "before any window it stands at the highest clock");
	ok(mad->nominal && mad->follows_clock && !dram->follows_clock,
		"and says so; memory does not follow the clock");
	is_near(roof_bound(dram), 50e9, 0, "memory's is known");
	is_int(roofline_roof(&g.r, ROOF_BYTES, "cache")->theory.why, WHY_UNKNOWN_CONST,
		"what needs an unknown constant has no number");
	is_near(roofline_ridge(&g.r, view(&g, "DRAM"), NULL), 4, 1e-9, "the ridge");
	ok(isnan(roofline_ridge(&g.r, view(&g, "cache"), NULL)), "no ridge without a bandwidth");
	window(&g, 1000000000, 10000000000, 5000000000, WHY_OK);
	is_near(mad->theory.v, 100e9, 1, "in a window roofs are at its clock");
	ok(!mad->nominal, "not nominal then");
	is_near(g.r.clock_hz, 1e9, 0, "which is told");
	is_near(roofline_ridge(&g.r, view(&g, "DRAM"), NULL), 2, 1e-9, "the ridge moves with it");
	is_near(roofline_attainable(&g.r, view(&g, "DRAM"), NULL, 1), 50e9, 1,
		"left of the ridge memory decides");
	is_near(roofline_attainable(&g.r, view(&g, "DRAM"), NULL, 64), 100e9, 1,
		"right of it arithmetic");
	is_near(roofline_attainable(
			&g.r, view(&g, "DRAM"), roofline_roof(&g.r, ROOF_FLOP, "sp.add"), 64),
		50e9, 1, "additions half of it");
	close_rig(&g);
}

static void points(void)
{
	struct rig g;

	open_rig(&g);
	is_int(view(&g, "DRAM")->why, WHY_NOT_YET, "no point before a window");
	window(&g, 1000000000, 10000000000, 5000000000, WHY_OK);
	is_near(view(&g, "DRAM")->live.intensity, 2, 1e-12, "x is FLOP over bytes");
	is_near(view(&g, "DRAM")->live.flop_per_s, 10e9, 1e-3, "y is FLOP/s");
	ok(isinf(view(&g, "cache")->live.intensity),
		"no byte and some FLOP is right of everything");
	ok(g.r.estimated, "estimated FLOP are said to be so");
	window(&g, 1000000000, 0, 0, WHY_OK);
	is_int(view(&g, "DRAM")->why, WHY_DIV_ZERO, "without FLOP there is no point");
	ok(isnan(view(&g, "DRAM")->live.intensity), "not one at 0");
	window(&g, 0, 0, 0, WHY_LOST);
	is_int(view(&g, "DRAM")->why, WHY_LOST, "a window without data has its reason");
	ok(roofline_roof(&g.r, ROOF_FLOP, "sp.mad")->nominal, "and nominal roofs again");
	is_int(roof_trail_len(view(&g, "DRAM")), 1, "only points make a trail");
	for (int i = 1; i <= ROOFLINE_TRAIL + 5; i++)
		window(&g, 1000000000, (uint64_t)i * 1000000000, 1000000000, WHY_OK);
	is_int(roof_trail_len(view(&g, "DRAM")), ROOFLINE_TRAIL, "a trail does not grow for ever");
	is_near(roof_trail(view(&g, "DRAM"), 0)->flop_per_s, (ROOFLINE_TRAIL + 5) * 1e9, 1,
		"the newest");
	is_near(roof_trail(view(&g, "DRAM"), ROOFLINE_TRAIL - 1)->flop_per_s, 6e9, 1, "the oldest");
	ok(isnan(roof_trail(view(&g, "DRAM"), ROOFLINE_TRAIL)->flop_per_s), "nothing beyond");
	close_rig(&g);
}

static void predictions(void)
{
	struct rig g;

	open_rig(&g);
	g.job.phase = JOB_RUNNING;
	g.job.progress.mean_flop_per_s = 10e9;
	g.job.progress.mean_bytes_per_s = 10e9;
	snprintf(g.job.kernel.type, sizeof(g.job.kernel.type), "sp");
	snprintf(g.job.kernel.op, sizeof(g.job.kernel.op), "mad");
	window(&g, 1000000000, 1, 1, WHY_OK);
	is_near(view(&g, "DRAM")->predicted.intensity, 1, 1e-12,
		"a job's point is at its intensity");
	is_near(view(&g, "DRAM")->predicted.flop_per_s, 50e9, 1, "on the roof");
	g.job.progress.mean_bytes_per_s = 0.01e9;
	snprintf(g.job.kernel.op, sizeof(g.job.kernel.op), "mul");
	window(&g, 1000000000, 1, 1, WHY_OK);
	is_near(view(&g, "DRAM")->predicted.flop_per_s, 50e9, 1,
		"a multiplication does half of a multiply-add");
	g.job.phase = JOB_DONE;
	window(&g, 1000000000, 1, 1, WHY_OK);
	ok(isnan(view(&g, "DRAM")->predicted.flop_per_s), "gone with the job");
	close_rig(&g);
}

static struct roof_file some_roofs(void)
{
	struct roof_file f = { .device = "A device\nroof of its own", .runner = "OpenCL 3.0" };
	struct roof_record r[] = {
		{ ROOF_FLOP, "sp.mad", 90e9, 1e9, 1795269802LL * NS_PER_S, "flops.private.mad.sp.x4" },
		{ ROOF_BYTES, "DRAM", 40e9, 1e9, 1795269803LL * NS_PER_S, "mem.triad.sp.x4" },
		{ ROOF_BYTES, "other", 7e9, 0, 0, "mem.copy.sp.x4" },
	};

	for (size_t i = 0; i < sizeof(r) / sizeof(r[0]); i++)
		roof_file_put(&f, &r[i]);
	r[0].value = 95e9;
	roof_file_put(&f, &r[0]);
	return f;
}

static void measured(void)
{
	struct roof_file f = some_roofs();
	struct rig g;

	open_rig(&g);
	is_int(f.n, 3, "a roof that is measured again replaces the old one");
	roofline_measured(&g.r, &f);
	is_int(g.r.n_roofs, 5, "a level that only calibration knows is a roof as well");
	is_int(g.r.n_views, 3, "and a view");
	is_near(roof_bound(roofline_roof(&g.r, ROOF_FLOP, "sp.mad")), 95e9, 1,
		"measured counts before theory");
	window(&g, 500000000, 1, 1, WHY_OK);
	is_near(roofline_roof(&g.r, ROOF_FLOP, "sp.mad")->measured, 47.5e9, 1,
		"and follows the clock of the window");
	is_near(roofline_roof(&g.r, ROOF_BYTES, "DRAM")->measured, 40e9, 1, "but memory does not");
	is_near(roof_bound(roofline_top(&g.r)), 47.5e9, 1,
		"the top is the highest of the FLOP roofs");
	is_near(roofline_ridge(&g.r, view(&g, "DRAM"), NULL), 47.5 / 40, 1e-9, "its ridge");
	roofline_measured(&g.r, NULL);
	ok(isnan(roofline_roof(&g.r, ROOF_FLOP, "sp.mad")->measured), "and can be forgotten");
	close_rig(&g);
}

static void write_file(const char *path, const char *text, size_t len)
{
	FILE *out = fopen(path, "w");

	if (!out || fwrite(text, 1, len, out) != len || fclose(out) != 0) {
		printf("Bail out! cannot write %s\n", path);
		exit(1);
	}
}

/* When descriptors have run out, to measure again would not help. */
static void test_no_descriptors(const char *path)
{
	struct rlimit limit, none;
	struct roof_file back = { 0 };
	struct err err = { 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	bool good = roof_file_load(&back, path, &err);
	setrlimit(RLIMIT_NOFILE, &limit);
	ok(!good && strstr(err.hint, "ulimit -n") && !strstr(err.hint, "calibrate"),
		"no descriptor is left: %s; %s", err.msg, err.hint);
}

static void files(void)
{
	char folder[] = "/tmp/roofs-XXXXXX", path[64], other[64];
	struct roof_file f = some_roofs(), back;
	struct err err = { 0 };
	char *text;
	size_t len;
	int accepted = 0;

	if (!mkdtemp(folder)) {
		skip(1, "no folder for files");
		return;
	}
	snprintf(path, sizeof(path), "%s/a/roofs", folder);
	snprintf(other, sizeof(other), "%s/bad", folder);
	ok(roof_file_load(&back, path, &err) && back.n == 0, "a file that is not there is empty");
	ok(roof_file_save(&f, path, &err), "saved: %s", err.msg);
	ok(roof_file_load(&back, path, &err), "loaded: %s", err.msg);
	is_int(back.n, 3, "all roofs come back");
	is_near(back.records[0].value, 95e9, 0, "with their value");
	is_near(back.records[0].clock_hz, 1e9, 0, "clock");
	is_int(back.records[0].wall_ns, 1795269802LL * NS_PER_S, "date");
	is_str(back.records[1].kernel, "mem.triad.sp.x4", "kernel");
	is_str(back.device, "A device roof of its own", "and a name that brings no lines");
	text = file_read_all(path, 65536, &len, &err);
	for (size_t i = 0; text && i < len; i++) {
		text[i] ^= 1;
		write_file(other, text, len);
		accepted += roof_file_load(&back, other, &err) || back.n;
		text[i] ^= 1;
	}
	is_int(accepted, 0, "one wrong bit anywhere and nothing of it is used");
	for (size_t i = 0; text && i < len; i++) {
		write_file(other, text, i);
		accepted += roof_file_load(&back, other, &err) || back.n;
	}
	is_int(accepted, 0, "nor when it is cut off anywhere");
	ok(strstr(err.msg, other) && err.hint[0], "said with its name and a way out: %s; %s",
		err.msg, err.hint);
	free(text);
	ok(!roof_file_load(&back, folder, &err), "a folder is none: %s", err.msg);
	test_no_descriptors(path);
	unlink(path);
	unlink(other);
	snprintf(path, sizeof(path), "%s/a", folder);
	rmdir(path);
	rmdir(folder);
}

static void note_problem(void *ctx, const struct err *err)
{
	snprintf(ctx, sizeof(err->msg), "%s", err->msg);
}

static void wrong_lines(void)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "roof ceiling x", "f:5:6: unknown part of the roofline 'ceiling'" },
		{ "roof", "f:5:5: what it is to the roofline is missing here" },
		{ "roof flop", "f:5:10: a name: of type and operation, or of a level of memory is missing here" },
		{ "roof flop sp.mad more", NULL },
		{ "roof bytes L3", "f:5:6: 'roof bytes' needs a unit such as B/s" },
		{ "roof flop a_name_that_is_too_long", "f:5:6: the name is longer than 15 bytes" },
	};
	char text[256], problem[sizeof(((struct err *)NULL)->msg)];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct metric_lib lib = { 0 };

		problem[0] = '\0';
		snprintf(text, sizeof(text),
			"counter flop FLOP\nset s\nplatforms p\nmetric m\n%s\nunit FLOP/s\nvalue "
			"rate(flop)\n",
			rows[i].line);
		is_int(metric_lib_load(&lib, "f", text, NULL, NULL, note_problem, problem), 1,
			"'%s' is one problem", rows[i].line);
		if (rows[i].want)
			is_str(problem, rows[i].want, "'%s' is told where it is", rows[i].line);
		metric_lib_release(&lib);
	}
}

int main(void)
{
	theory();
	points();
	predictions();
	measured();
	files();
	wrong_lines();
	return done_testing();
}
