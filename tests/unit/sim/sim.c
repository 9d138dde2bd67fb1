/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated device as a backend: sources, records, flaws, repeatability, specs. */
#include "config.h"

#include "backends/intel/oa/oa_records.h"
#include "backends/sim/model/mali_gpu.h"
#include "backends/amdgpu/gpu_metrics.h"
#include "backends/sim/model/amd_gpu.h"
#include "backends/sim/model/nvidia_gpu.h"
#include "backends/sim/model/oa_unit.h"
#include "backends/sim/spec.h"
#include "base/mem.h"
#include "core/record/record_file.h"
#include "tests/unit/sim/sim_rig.h"

static const char *const events[] = { "program A7 active", "program A8 stall",
	"program A9 fpu_both", "program A10 fpu0", "program A11 fpu1", "config kblgt2-compute",
	NULL };

/* OA, power and clocks, and stalls of EUs from Xe2 on; three kinds of blocks and clocks of a Mali; one
 * source of an NVIDIA card. */
static int sources_of(const struct device *d)
{
	if (d->pci_vendor == 0x10de)
		return 1;
	if (d->pci_vendor == 0x1002)
		return 2;
	return d->pci_vendor ? 3 + !strcmp(d->generation, "xe2") : 4;
}

/* The reader of tables, which amd_tables.sh holds to the kernel's header, finds in them what the model does. */
static void amd_tables_are_read(void)
{
	for (int i = 0; i < amd_machine_count; i++) {
		const struct amd_machine *m = &amd_machines[i];
		struct amd_gpu *g = amd_gpu_new(m, "power", NULL);
		uint8_t data[AMD_TABLE_MAX];
		struct gpu_metrics read = { 0 };
		struct amd_state s;

		amd_gpu_state(g, NS_PER_S, &s);
		ok(gpu_metrics_parse(data, amd_gpu_table(g, NS_PER_S, data), &read, NULL) && read.known &&
				read.format == m->format && read.content == m->content,
			"%s: a table of version %d.%d", m->name, m->format, m->content);
		is_near((double)read.values[GPU_METRIC_GFX_CLOCK_MHZ], s.mhz, 0.5, "%s: clock", m->name);
		is_near((double)read.values[GPU_METRIC_SOCKET_POWER_MW] / 1000, s.watt, 0.51, "%s: power", m->name);
		is_int(read.values[GPU_METRIC_HELD_POWER] + read.values[GPU_METRIC_LOOKS_POWER] > 0,
			read.has[GPU_METRIC_HELD_POWER] || read.has[GPU_METRIC_LOOKS_POWER],
			"%s: the power limit holds it where the table tells", m->name);
		amd_gpu_free(g);
	}
}

static void probe(void)
{
	struct device_list list = { 0 };
	struct err err = { 0 };

	ok(sim_backend.probe(NULL, &list, &err), "probe works without a machine");
	is_int(list.count, sim_machine_count + mali_machine_count + nvidia_machine_count + amd_machine_count,
		"all machines");
	for (size_t i = 0; i < list.count; i++) {
		const struct device *d = &list.entries[i].device;
		struct open_options o = { .now_ns = RIG_START_NS, .delay_ns = NS_PER_S };
		struct open_device dev;

		ok(list.entries[i].usable && d->simulated && strcmp(d->driver, "sim") == 0,
			"%s is usable and says that it is simulated", d->id);
		ok(d->max_hz > d->min_hz, "%s has clocks", d->id);
		is_int(d->topology.eus > 0 && d->topology.raw_len > 0, d->pci_vendor == 0x8086,
			"%s has a topology of EUs where it has EUs", d->id);
		ok(sim_backend.open(&list.entries[i], &o, &dev, &err),
			"%s opens as probed, without a set", d->id);
		is_int(dev.n_sources, sources_of(d), "%s has all of its sources", d->id);
		open_device_close(&dev);
	}
	ok(sim_backend.never_by_default, "never chosen by itself");
	free(list.entries);
}

static void specs(void)
{
	static const struct {
		const char *spec;
		bool good;
		const char *mentions;	/* in message or hint */
	} rows[] = {
		{ "hd620", true, "" },
		{ "tgl,load=desktop,lost=3,late=40,jitter=5,wrap,freq=walk,rc6,seed=9", true, "" },
		{ "hd620,load=copy.dp.x16,groups=6,items=64,n=100", true, "" },
		{ "hd630", false, "hd620" },
		{ "", true, "" },
		{ ",lost=3", true, "" },
		{ "hd62", false, "hd620" },
		{ ",", false, "sim:help" },
		{ "hd620,", false, "sim:help" },
		{ "hd620,bogus", false, "'bogus'" },
		{ "hd620,load=", false, "private" },
		{ "hd620,load=nonsense", false, "private" },
		{ "hd620,load=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false, "load=" },
		{ "hd620,lost=0", false, "lost" },
		{ "hd620,lost=x", false, "lost" },
		{ "hd620,jitter=90", false, "40" },
		{ "hd620,freq=run", false, "'freq=run'" },
		{ "hd620,groups=99999999999999999999", false, "groups" },
		{ "hd620,load=private.mad.sp.x1,items=1024,groups=1", true, "" },
		{ "hd620,load=power.mad.sp.x16,groups=65536,n=1048576", false, "fewer groups" },
		{ "hd620,load=private.mad.sp.x16,items=1024", false, "work group" },
		{ "tgl,load=private.mad.dp.x1", false, "double precision" },
		{ "chv,load=private.mad.dp.x1", false, "double precision" },
		{ "hd620,load=xmx", false, "matrix engine" },
		{ "lnl,load=xmx,heat=900", true, "" },
		{ "hd620,load=stream.sp.x4+private.div.sp.x1,pause=100", true, "" },
		{ "hd620,load=stream.sp.x4+", true, "" },
		{ "hd620,load=stream.sp.x4+nonsense", false, "private" },
		{ "hd620,load=chase.sp.x1", false, "private" },
		{ "hd620,heat=0", false, "heat" },
		{ "hd620,cores=5,setting=600,dram=20,noroof", true, "" },
		{ "rx7900,id=0x73bf,load=hot", true, "" },
		{ "strix,id=0x150e", true, "" },
		{ "rx7900,id=0x150f", false, "0x150f" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct device_list list = { 0 };
		struct err err = { 0 };
		bool good = sim_backend.resolve(NULL, rows[i].spec, &list, &err);

		is_int(good, rows[i].good, "spec '%s'", rows[i].spec);
		if (!good)
			ok(strstr(err.msg, rows[i].mentions) || strstr(err.hint, rows[i].mentions),
				"'%s': '%s', '%s'", rows[i].spec, err.msg, err.hint);
		is_int(list.count, good, "'%s': entries", rows[i].spec);
		free(list.entries);
	}
}

/* What the driver would tell of a clock that is held down. */
static void holds(void)
{
	static const struct {
		const char *words;
		int actual, requested, pl1, pl4, thermal;
	} rows[] = {
		{ "", 1050, 1050, 0, 0, 0 },
		{ ",heat=600", 600, 1050, 0, 0, 1 },
		{ ",current=700", 700, 1050, 0, 1, 0 },
		{ ",setting=800", 800, 800, 0, 0, 0 },
		{ ",setting=9000", 1050, 1050, 0, 0, 0 },
		{ ",heat=100", 300, 1050, 0, 0, 1 },
		{ ",cores=9", 600, 1050, 1, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct sample out[DEVICE_MAX_SOURCES];
		char spec[64];
		struct rig r;

		if (!in_share_of(ARRAY_LEN(rows)))
			continue;
		snprintf(spec, sizeof(spec), "hd620,load=private.mad.sp.x4%s", rows[i].words);
		rig_open(&r, spec, NULL, NS_PER_MS);
		rig_window(&r, NS_PER_S / 10, NS_PER_S / 100, out);
		is_int((int)rig_value(&r, out, 2, "freq_actual_mhz"), rows[i].actual, "'%s': clock",
			rows[i].words);
		is_int((int)rig_value(&r, out, 2, "freq_requested_mhz"), rows[i].requested,
			"'%s': requested", rows[i].words);
		is_int((int)rig_value(&r, out, 2, "throttled_pl1"), 100 * rows[i].pl1,
			"'%s': by power", rows[i].words);
		is_int((int)rig_value(&r, out, 2, "throttled_pl4"), 100 * rows[i].pl4,
			"'%s': by current", rows[i].words);
		is_int((int)rig_value(&r, out, 2, "throttled_thermal"), 100 * rows[i].thermal,
			"'%s': by heat", rows[i].words);
		rig_close(&r);
	}
}

/* The memory of a machine, and what is told of it. */
static void memory_words(void)
{
	static const struct {
		const char *spec;
		double told;	/* 0: nothing */
	} rows[] = { { "hd620", 34.1e9 }, { "hd620,dram=20", 20e9 }, { "hd620,dram=20,noroof", 0 } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct device_const *c;
		struct rig r;

		rig_open(&r, rows[i].spec, NULL, NS_PER_MS);
		c = device_const(&r.dev.device, "dram_bytes_per_s");
		is_near(c ? c->v : 0, rows[i].told, 1, "'%s': peak of the memory", rows[i].spec);
		rig_close(&r);
	}
}

/* What the tap saw, as a hash and counts of records. */
struct tapped {
	uint64_t hash;
	int samples, report_lost, buffer_lost, bad;
};

static void tap_records(void *ctx, const void *records, size_t len)
{
	struct tapped *t = ctx;
	const uint8_t *p = records;

	for (size_t i = 0; i < len; i++)
		t->hash = (t->hash ^ p[i]) * UINT64_C(0x100000001b3);
	while (len >= sizeof(struct rec_header)) {
		struct rec_header h;

		memcpy(&h, p, sizeof(h));
		if (h.size < sizeof(h) || h.size > len) {
			t->bad++;
			return;
		}
		t->samples += h.type == REC_SAMPLE && h.size == 264;
		t->report_lost += h.type == REC_REPORT_LOST && h.size == 8;
		t->buffer_lost += h.type == REC_BUFFER_LOST && h.size == 8;
		p += h.size;
		len -= h.size;
	}
	t->bad += len != 0;
}

static struct tapped run(const char *spec, int windows, uint64_t *hash)
{
	struct tapped t = { .hash = UINT64_C(0xcbf29ce484222325) };
	struct record_tap tap_fn = { tap_records, &t };
	struct sample out[DEVICE_MAX_SOURCES];
	struct rig r;

	rig_open(&r, spec, events, 0);
	r.dev.sources[0]->ops->set_tap(r.dev.sources[0], &tap_fn);
	for (int i = 0; i < windows; i++) {
		rig_window(&r, NS_PER_S, 100 * NS_PER_MS, out);
		for (int k = 0; k < r.dev.n_sources; k++)
			for (int c = 0; c < r.dev.sources[k]->feed.n_counters; c++)
				*hash = (*hash ^ out[k].values[c]) * UINT64_C(0x100000001b3);
	}
	rig_close(&r);
	return t;
}

static void repeatability(void)
{
	static const char *const specs_[] = { "hd620",
		"hd620,load=desktop,jitter=20,lost=3,late=30,wrap,freq=walk,rc6,seed=4", "chv",
		"tgl" };
	uint64_t h[4];

	for (size_t i = 0; i < ARRAY_LEN(specs_) - 2; i++) {
		uint64_t a = 1, b = 1;
		struct tapped ta = run(specs_[i], 8, &a), tb = run(specs_[i], 8, &b);

		ok(ta.samples > 500 && !ta.bad, "%s: %d reports came as whole records", specs_[i],
			ta.samples);
		ok(a == b && ta.hash == tb.hash,
			"%s: two runs with the same times give the same bytes", specs_[i]);
		h[i] = ta.hash;
	}
	ok(h[0] != h[1], "and other specs others");
}

static void sources(void)
{
	struct sample out[DEVICE_MAX_SOURCES];
	struct rig r;
	double clk;

	rig_open(&r, "hd620,load=stream.sp.x4", events, 0);
	is_str(r.dev.sources[0]->feed.name, "oa", "the OA unit is the first source");
	rig_window(&r, NS_PER_S, NS_PER_S, out);
	ok(out[0].quality & SAMPLE_PARTIAL, "the first window is partial");
	rig_window(&r, NS_PER_S, NS_PER_S, out);
	is_int(out[0].quality, 0, "the second is not");
	is_int(out[0].t1_ns - out[0].t0_ns, NS_PER_S, "it is a second long");
	is_near((double)out[0].window_ns, 1e9, 12e6, "by its reports, too");
	ok(out[0].reports >= 10, "of %llu reports", (unsigned long long)out[0].reports);
	clk = rig_value(&r, out, 0, "GPU_TICKS");
	is_near(clk / (double)out[0].window_ns, rig_value(&r, out, 2, "freq_actual_mhz") / 1000,
		1e-3, "ticks over time is the clock");
	is_near(64 * rig_value(&r, out, 0, "C4") / (double)out[0].window_ns, 34.1 * 0.85 / 2, 0.2,
		"C4 is what the DRAM lets through");
	ok(rig_value(&r, out, 0, "A7") + rig_value(&r, out, 0, "A8") <= 24 * clk,
		"active + stall <= clocks x EUs");
	ok(rig_value(&r, out, 1, "energy_package_uj") > 1e6 &&
			rig_value(&r, out, 1, "energy_package_uj") < 15.01e6,
		"package %.2f W", rig_value(&r, out, 1, "energy_package_uj") / 1e6);
	ok(rig_value(&r, out, 1, "energy_gpu_uj") + rig_value(&r, out, 1, "energy_cores_uj") <
			rig_value(&r, out, 1, "energy_package_uj"),
		"GPU and cores are within the package");
	ok(rig_value(&r, out, 1, "energy_dram_uj") > 1e6, "a stream makes the DRAM work: %.2f W",
		rig_value(&r, out, 1, "energy_dram_uj") / 1e6);
	is_near(rig_value(&r, out, 2, "rc6_us"), 0, 0, "no RC6 under load");
	rig_close(&r);
}

/* The four parts of the tour are what they say. */
static void tour(void)
{
	static const char *const starts[] = { "memory-bound", "compute-bound", "power-limited",
		"idle" };
	double busy[4], read[4], fpu[4], mhz[4], wish[4], package[4];
	struct sample out[DEVICE_MAX_SOURCES];
	char text[160];
	struct rig r;

	rig_open(&r, "hd620", events, 0);
	for (int i = 0; i < 8; i++) {
		rig_window(&r, 2500 * NS_PER_MS, 500 * NS_PER_MS, out);
		if (i % 2 == 0)
			continue;
		busy[i / 2] = rig_value(&r, out, 0, "A0") / rig_value(&r, out, 0, "GPU_TICKS");
		read[i / 2] = 64 * rig_value(&r, out, 0, "C4") / (double)out[0].window_ns;
		fpu[i / 2] = (rig_value(&r, out, 0, "A10") + rig_value(&r, out, 0, "A11")) /
			rig_value(&r, out, 0, "GPU_TICKS") / 48;
		mhz[i / 2] = rig_value(&r, out, 0, "GPU_TICKS") / (double)out[0].window_ns * 1000;
		wish[i / 2] = rig_value(&r, out, 2, "freq_requested_mhz");
		package[i / 2] = rig_value(&r, out, 1, "energy_package_uj") / 2.5e6;
	}
	rig_close(&r);
	rig_open(&r, "hd620", events, 0);
	for (int i = 0; i < 4; i++) {
		rig_window(&r, 2500 * NS_PER_MS, 500 * NS_PER_MS, out);
		r.dev.sources[0]->ops->status(r.dev.sources[0], text, sizeof(text));
		ok(strncmp(text, starts[i], strlen(starts[i])) == 0,
			"'%s' (%.0f %% busy, FPUs %.0f %%, read %.1f GB/s, %.0f MHz, %.1f W)", text,
			100 * busy[i], 100 * fpu[i], read[i], mhz[i], package[i]);
		rig_window(&r, 2500 * NS_PER_MS, 500 * NS_PER_MS, out);
	}
	rig_close(&r);
	ok(busy[3] < 0.01 && mhz[3] < 310, "idle is idle");
	ok(busy[0] > 0.99 && read[0] > 10 && fpu[0] < 0.2,
		"memory-bound moves data and computes little");
	ok(fpu[1] > 0.95 && read[1] < 1 && mhz[1] > 1040,
		"compute-bound keeps the FPUs busy at the highest clock");
	ok(fpu[2] > 0.95 && mhz[2] < 1000 && mhz[2] > 300,
		"power-limited computes at a lower clock");
	is_near(wish[1], 1050, 0, "the clock that was asked for");
	ok(wish[0] > 1040, "under a memory-bound load as well");
	ok(package[2] <= 15 && package[2] > 14, "which keeps the package at its limit");
	ok(package[3] < package[0] && package[3] < package[1] && package[1] < package[2],
		"power follows");
}

/* The same second with and without a flaw. */
static void one_window(
	const char *spec, int windows, struct sample out[DEVICE_MAX_SOURCES], double sums[3])
{
	struct rig r;

	memset(sums, 0, 3 * sizeof(*sums));
	rig_open(&r, spec, events, 0);
	for (int i = 0; i < windows; i++) {
		struct sample s[DEVICE_MAX_SOURCES];

		rig_window(&r, NS_PER_S, 100 * NS_PER_MS, s);
		sums[0] += rig_value(&r, s, 0, "GPU_TICKS");
		sums[1] += rig_value(&r, s, 0, "A7");
		sums[2] += rig_value(&r, s, 1, "energy_package_uj");
		s[0].quality |= i ? out[0].quality : 0;
		s[0].lost += i ? out[0].lost : 0;
		memcpy(out, s, sizeof(s));
	}
	rig_close(&r);
}

static void flaws(void)
{
	struct sample good[DEVICE_MAX_SOURCES], bad[DEVICE_MAX_SOURCES];
	double want[3], got[3];

	one_window("hd620,load=desktop", 6, good, want);
	is_int(good[0].lost, 0, "an ideal device loses nothing");
	one_window("hd620,load=desktop,lost=7", 6, bad, got);
	ok(bad[0].lost >= 6 && (bad[0].quality & SAMPLE_LOST),
		"lost=7: %llu of 60 reads lost reports", (unsigned long long)bad[0].lost);
	is_near(got[0], want[0], 1, "and sums span the gap");
	one_window("hd620,load=desktop,wrap", 6, bad, got);
	for (int i = 0; i < 2; i++)
		is_near(got[i], want[i], want[i] / 150,
			"wrap: counters that wrap give the same sums");
	is_near(got[2], want[2], 1000, "wrap: so do the energy registers");
	one_window("hd620,load=desktop,late=50", 6, bad, got);
	is_near(want[0] - got[0], want[0] / 6 * 0.05, want[0] / 600,
		"late=50: reports of the last 50 ms are still to come");
	one_window("hd620,load=desktop,jitter=20", 6, bad, got);
	/* A window ends with its last report, and those of context switches come with the
	 * activity. */
	ok(got[1] < want[1] && got[1] > 0.6 * want[1] && fabs(got[0] - want[0]) < want[0] / 300,
		"jitter=20: activity varies, the clock does not");
	one_window("hd620,load=private.mad.sp.x4,freq=walk", 6, bad, got);
	ok(bad[0].quality & SAMPLE_FREQ_CHANGE, "freq=walk: changes are reported");
}

/* What reports say of contexts. */
struct switches {
	uint32_t last;		/* the last report's context */
	int announced, silent;	/* changes, with and without the reason of a switch */
	int empty;		/* reports of a switch after which the same context runs */
	int reports;
};

static void tap_switches(void *ctx, const void *records, size_t len)
{
	const struct oa_format *f = oa_format_by_number(10);
	struct switches *s = ctx;
	const uint8_t *p = records;

	for (; len >= 264; p += 264, len -= 264) {
		struct oa_header h;

		oa_read_header(f, p + sizeof(struct rec_header), &h);
		bool says = oa_reasons(9, h.id) & OA_REASON_CTX_SWITCH;
		bool changes = s->reports && h.ctx_id != s->last;
		s->announced += changes && says;
		s->silent += changes && !says;
		s->empty += s->reports && says && !changes;
		s->last = h.ctx_id;
		s->reports++;
	}
}

/* The moment of each switch is computed; timer reports around it must agree. */
static void context_switches(void)
{
	static const struct {
		const char *spec;
		int least;
	} rows[] = {
		{ "hd620,load=stream.sp.x4/private.mad.sp.x4,n=64", 1500 },
		{ "hd620,load=stream.sp.x4/private.mad.sp.x4/copy.sp.x4,n=64,jitter=20", 1000 },
		{ "hd620,load=desktop,jitter=30,seed=5", 100 },
		{ "hd620,load=copy.sp.x1/chase,freq=walk,pause=700,n=16", 20 },
		{ "hd620,load=tour", 0 },
		{ "hd620,load=private.mad.sp.x4", 0 },
	};
	struct sample out[DEVICE_MAX_SOURCES];
	struct rig r;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct switches s = { .last = 0 };
		struct record_tap tap_fn = { tap_switches, &s };

		if (!in_share_of(ARRAY_LEN(rows)))
			continue;
		rig_open(&r, rows[i].spec, events, 100000);
		r.dev.sources[0]->ops->set_tap(r.dev.sources[0], &tap_fn);
		rig_window(&r, NS_PER_S, 10 * NS_PER_MS, out);
		rig_window(&r, NS_PER_S, 10 * NS_PER_MS, out);
		rig_close(&r);
		ok(s.announced >= rows[i].least && s.silent == 0 && s.empty == 0,
			"%s: %d switches in %d reports, %d without a report, %d reports too many",
			rows[i].spec, s.announced, s.reports, s.silent, s.empty);
	}
}

static void rc6(void)
{
	struct sample out[DEVICE_MAX_SOURCES];
	struct rig r;

	rig_open(&r, "hd620,load=idle,rc6", events, 0);
	rig_window(&r, NS_PER_S, 100 * NS_PER_MS, out);
	rig_window(&r, NS_PER_S, 100 * NS_PER_MS, out);
	is_near(rig_value(&r, out, 2, "rc6_us"), 1e6, 10, "an idle GPU sleeps all the time");
	is_near(rig_value(&r, out, 0, "GPU_TICKS"), 0, 0, "and its clock stands still");
	is_near(rig_value(&r, out, 2, "freq_actual_mhz"), 0, 0, "at 0 MHz");
	rig_close(&r);
	rig_open(&r, "hd620,load=desktop,rc6", events, 0);
	rig_window(&r, NS_PER_S, 100 * NS_PER_MS, out);
	rig_window(&r, NS_PER_S, 100 * NS_PER_MS, out);
	is_near(rig_value(&r, out, 2, "rc6_us") / 1e6 +
			rig_value(&r, out, 0, "GPU_TICKS") /
				(rig_value(&r, out, 2, "freq_requested_mhz") * 1e6),
		1, 0.02, "asleep or ticking, nothing else");
	rig_close(&r);
}

/* Suspend: nobody looks for days. */
static void suspend(void)
{
	struct tapped t = { 0 };
	struct record_tap tap_fn = { tap_records, &t };
	struct sample out[DEVICE_MAX_SOURCES];
	struct rig r;

	rig_open(&r, "hd620,load=desktop", events, NS_PER_MS);
	r.dev.sources[0]->ops->set_tap(r.dev.sources[0], &tap_fn);
	rig_window(&r, NS_PER_S, 100 * NS_PER_MS, out);
	rig_window(&r, 3 * 86400 * NS_PER_S, 3 * 86400 * NS_PER_S, out);
	is_int(t.buffer_lost, 1, "the buffer was lost");
	ok(out[0].quality & SAMPLE_GAP, "the window says so");
	ok(rig_value(&r, out, 1, "energy_package_uj") > 0, "energy goes on");
	rig_window(&r, NS_PER_S, 100 * NS_PER_MS, out);
	is_int(out[0].quality, 0, "the next window is whole");
	is_near(rig_value(&r, out, 0, "GPU_TICKS") / (double)out[0].window_ns, 0.45, 0.001,
		"and right");
	rig_close(&r);
	/* Sanitizers see products that have no room. */
	rig_open(&r, "rx7900", NULL, 0);
	rig_window(&r, NS_PER_S, NS_PER_S, out);
	rig_window(&r, 3 * 86400 * NS_PER_S, 3 * 86400 * NS_PER_S, out);
	ok(rig_value(&r, out, 0, "card_busy_pct") <= 100, "a card that slept is no more than busy");
	rig_close(&r);
}

static void periods(void)
{
	static const struct {
		int64_t period_ns, delay_ns;
		double min_reports, max_reports;	/* of a second */
	} rows[] = {
		{ 0, NS_PER_S, 100, 200 },
		{ 0, 10 * NS_PER_S, 100, 200 },
		{ 0, 10 * NS_PER_MS, 1000, 2000 },
		{ NS_PER_MS, NS_PER_S, 1000, 2000 },
		{ 1, NS_PER_S, 10000, 32768 },
		{ 1, 3600 * NS_PER_S, 5, 10 },
		{ 10 * NS_PER_S, NS_PER_S, 0.5, 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct sample out[DEVICE_MAX_SOURCES];
		struct err err = { 0 };
		struct rig r;
		double rate;

		if (!in_share_of(ARRAY_LEN(rows)))
			continue;
		ok(rig_try(&r, "hd620,load=idle", events, rows[i].period_ns, rows[i].delay_ns,
			   &err),
			"period %lld ns opens", (long long)rows[i].period_ns);
		rig_window(&r, 40 * NS_PER_S, 100 * NS_PER_MS, out);
		rate = (double)out[0].reports / 40;
		ok(rate >= rows[i].min_reports && rate <= rows[i].max_reports,
			"period %lld ns, windows of %lld ns: %.1f reports a second",
			(long long)rows[i].period_ns, (long long)rows[i].delay_ns, rate);
		is_near(rig_value(&r, out, 0, "GPU_TICKS") / (double)out[0].window_ns, 0.3, 1e-6,
			"ticks do not wrap unseen");
		rig_close(&r);
	}
}

static void correlation(void)
{
	uint64_t cpu0 = 0, gpu0 = 0, cpu1 = 0, gpu1 = 0;
	struct err err;
	struct rig r;
	struct source *s;

	rig_open(&r, "hd620,load=idle", events, 0);
	s = r.dev.sources[0];
	ok(s->ops->correlate(s, r.now_ns, &cpu0, &gpu0, &err) &&
			s->ops->correlate(s, r.now_ns + NS_PER_S, &cpu1, &gpu1, &err),
		"correlates");
	is_int(cpu1 - cpu0, NS_PER_S, "by the CPU's clock a second");
	is_int(gpu1 - gpu0, 12000000, "by the GPU's 12 million ticks");
	rig_close(&r);
}

/* A card has its own planes and limit, and what lies in a processor has that one's. */
static void whose_watts(void)
{
	for (int i = 0; i < sim_machine_count; i++) {
		const char *name = sim_machines[i].name;
		bool is_card = !strcmp(name, "dg2"), has[2] = { false };
		char spec[40];
		struct rig r;

		snprintf(spec, sizeof(spec), "%s,load=idle", name);
		rig_open(&r, spec, NULL, NS_PER_MS);
		for (int k = 0; k < r.dev.n_sources; k++)
			for (int c = 0; c < r.dev.sources[k]->feed.n_counters; c++) {
				const char *counter = r.dev.sources[k]->feed.counters[c].name;

				has[0] |= !strncmp(counter, "energy_package", 14) || !strncmp(counter, "energy_cores", 12) ||
					!strncmp(counter, "energy_dram", 11);
				has[1] |= !strcmp(counter, "energy_card_uj");
			}
		is_int(has[0], !is_card, "%s: planes of a processor", name);
		is_int(has[1], is_card, "  ... of a card");
		is_int(device_const(&r.dev.device, "package_power_limit_w") != NULL, !is_card, "  ... its limit");
		is_int(device_const(&r.dev.device, "card_power_limit_w") != NULL, is_card, "  ... the card's");
		is_int(device_is_card(&r.dev.device), is_card, "  ... as the device says");
		rig_close(&r);
	}
}

int main(void)
{
	probe();
	amd_tables_are_read();
	specs();
	holds();
	memory_words();
	repeatability();
	sources();
	tour();
	flaws();
	context_switches();
	rc6();
	suspend();
	periods();
	correlation();
	whose_watts();
	return done_testing();
}
