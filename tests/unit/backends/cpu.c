/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device cpu0 in a small tree: identity, time and clock of each CPU, CPUs that go and come. */
#include "config.h"

#include "backends/common/backend.h"
#include "backends/cpu/cpu_info.h"
#include "backends/cpu/sources.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tests/fstree.h"
#include "tests/tap.h"

static struct fsroot fs;

static void remove_tree(const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", fs.prefix, path);
	nftw(full, fstree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_cpuinfo(const char *vendor, int family, int model, double mhz)
{
	char text[2048];
	size_t len = 0;

	for (int i = 0; i < 4; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			"processor\t: %d\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\n"
			"model name\t: Example %d\nstepping\t: 1\ncpu MHz\t\t: %.3f\nphysical "
			"id\t: 0\ncore id\t\t: %d\n\n",
			i, vendor, family, model, model, mhz + i, i / 2);
	fstree_put(&fs, "/proc/cpuinfo", text);
}

/* ticks: user and idle of CPU n are n + 1 times these; missing: a CPU without a line. */
static void put_stat(unsigned user, unsigned idle, int missing)
{
	char text[1024] = "cpu  99999 0 0 99999 0 0 0 0 0 0\n";
	size_t len = strlen(text);

	for (unsigned i = 0; i < 4; i++) {
		if ((int)i != missing)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
				"cpu%u %u 0 10 %u 5 0 0 0 0 0\n", i, user * (i + 1),
				idle * (i + 1));
	}
	snprintf(text + len, sizeof(text) - len, "intr 12345 0 0");
	fstree_put(&fs, "/proc/stat", text);
}

static void test_families(void)
{
	static const struct {
		const char *vendor;
		int family, model;
		const char *platform;
		int flop;
	} rows[] = {
		{ "GenuineIntel", 6, 0x3c, "cpu", 32 },
		{ "GenuineIntel", 6, 0x8e, "cpu-arith", 32 },
		{ "GenuineIntel", 6, 0x55, "cpu-arith512", 64 },
		{ "GenuineIntel", 6, 0x6a, "cpu-arith512-td", 64 },
		{ "GenuineIntel", 6, 0x97, "cpu-hybrid-td", 32 },
		{ "GenuineIntel", 6, 0xaa, "cpu-hybrid-flops-td", 32 },
		{ "GenuineIntel", 6, 0xc6, "cpu-hybrid-flops-td", 32 },
		{ "GenuineIntel", 6, 0xbd, "cpu-hybrid-flops-td", 32 },
		{ "GenuineIntel", 6, 0xcc, "cpu-hybrid-flops-td", 32 },
		{ "GenuineIntel", 6, 0xe5, "cpu-hybrid-flops-td", 32 },
		{ "GenuineIntel", 18, 0x01, "cpu-hybrid512-td", 0 },
		{ "GenuineIntel", 18, 0x03, "cpu-hybrid512-td", 0 },
		{ "GenuineIntel", 6, 0xae, "cpu-arith512-td", 64 },
		{ "GenuineIntel", 6, 0xaf, "cpu-atom", 16 },
		{ "GenuineIntel", 6, 0xb6, "cpu-atom", 16 },
		{ "GenuineIntel", 6, 0xdd, "cpu-atom", 0 },
		{ "AuthenticAMD", 0x17, 0x01, "cpu-zen1", 16 },
		{ "AuthenticAMD", 0x17, 0x71, "cpu-zen2", 32 },
		{ "AuthenticAMD", 0x19, 0x21, "cpu-zen2", 32 },
		{ "AuthenticAMD", 0x19, 0x61, "cpu-zen4", 32 },
		{ "AuthenticAMD", 0x1a, 0x44, "cpu-zen5", 64 },
		{ "AuthenticAMD", 0x1a, 0x24, "cpu-zen5", 0 },
		{ "HygonGenuine", 0x18, 0x01, "cpu-zen1", 16 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct cpu_family *f = cpu_family_find(
			rows[i].vendor, rows[i].family, rows[i].model);

		is_str(f ? f->platform : "none", rows[i].platform, "%s %x %x", rows[i].vendor,
			rows[i].family, rows[i].model);
		is_int(f ? f->sp_flop_per_cycle : -1, rows[i].flop, "  ... operations in a clock");
		ok(f && (!strcmp(f->platform, "cpu") || cpu_loop_event(f->platform)),
			"  ... and an event for the loop");
	}
	ok(!cpu_family_find("GenuineIntel", 6, 0x1c) && !cpu_family_find("Other", 6, 0x8e),
		"others are unknown");
	ok(!cpu_loop_event("cpu"), "without floating-point events there is no loop");
}

static int counter(const struct source *s, const char *name)
{
	for (int i = 0; i < s->feed.n_counters; i++)
		if (!strcmp(s->feed.counters[i].name, name))
			return i;
	return -1;
}

static struct source *source_of(const struct open_device *dev, const char *name)
{
	for (int i = 0; i < dev->n_sources; i++)
		if (!strcmp(dev->sources[i]->feed.name, name))
			return dev->sources[i];
	return NULL;
}

static void open_cpu(struct open_device *dev, int64_t now_ns)
{
	struct open_options o = { .fs = &fs, .delay_ns = NS_PER_S, .now_ns = now_ns };
	struct device_list list = { 0 };
	struct err err = { 0 };

	ok(cpu_backend.probe(&fs, &list, &err) && list.count == 1, "the processor is found");
	ok(list.count == 1 && cpu_backend.open(&list.entries[0], &o, dev, &err),
		"  ... and opens %s", err.msg);
	device_list_release(&list);
}

static void window(struct source *s, int64_t now_ns, struct sample *out)
{
	struct err err = { 0 };

	memset(out, 0, sizeof(*out));
	ok(s->ops->ready(s, now_ns, &err), "%s is read %s", s->feed.name, err.msg);
	s->ops->collect(s, now_ns, out);
}

static void test_time(const struct open_device *dev)
{
	struct source *s = source_of(dev, "time");
	int busy = counter(s, "cpu_busy_ticks"), total = counter(s, "cpu_total_ticks"),
	    n = s->feed.n_counters;
	struct sample w;

	is_int(s->feed.n_instances, 4, "four CPUs");
	is_str(s->feed.instances[3], "cpu 3", "  ... by number");
	put_stat(110, 1030, -1);
	window(s, 2 * NS_PER_S, &w);
	is_int(w.instances[0 * n + busy], 10, "CPU 0 worked 10 ticks");
	is_int(w.instances[0 * n + total], 40, "  ... of 40");
	is_int(w.instances[3 * n + busy], 40, "CPU 3 worked 40");
	is_int(w.values[busy], 100, "all together 100");
	is_int(w.values[total], 400, "  ... of 400");
	put_stat(120, 1020, 2);
	window(s, 3 * NS_PER_S, &w);
	is_int(w.instances[0 * n + total], 10, "idle time that goes back is no time");
	ok(w.instances[2 * n + busy] == SAMPLE_NONE, "a CPU that is offline has no number");
	put_stat(130, 1040, -1);
	window(s, 4 * NS_PER_S, &w);
	ok(w.instances[2 * n + busy] == SAMPLE_NONE,
		"  ... nor in the window in which it comes back");
	put_stat(140, 1060, -1);
	window(s, 5 * NS_PER_S, &w);
	is_int(w.instances[2 * n + busy], 30, "  ... but in the next");
}

static void test_clock(const struct open_device *dev)
{
	struct source *s = source_of(dev, "clock");
	struct sample w;

	is_str(s->feed.how, "/proc/cpuinfo", "the clock is that of /proc/cpuinfo");
	put_cpuinfo("GenuineIntel", 6, 0x8e, 1500);
	window(s, 2 * NS_PER_S, &w);
	is_int(w.instances[3 * s->feed.n_counters], 1503000, "  ... of each CPU");
	is_int(w.values[0], 4 * 1500000 + 6000, "  ... and their sum");
}

static void test_refusals(const struct open_device *dev)
{
	struct source *s = source_of(dev, "events");
	struct sample w;

	window(s, 2 * NS_PER_S, &w);
	is_int(w.why, WHY_UNSUPPORTED, "no PMU in this tree");
	for (int i = 0; i < dev->n_checks; i++)
		ok(!strcmp(dev->checks[i].status, "ok") || *dev->checks[i].reason, "%s: %s %s",
			dev->checks[i].source, dev->checks[i].status, dev->checks[i].reason);
}

static void test_constants(const struct open_device *dev)
{
	is_str(dev->device.platform, "cpu-arith", "its events are Intel's");
	is_near(device_const(&dev->device, "core_count")->v, 2, 0, "two cores");
	is_near(device_const(&dev->device, "cpu_count")->v, 4, 0, "four processors");
	is_near(device_const(&dev->device, "sp_flop_per_cycle_core")->v, 32, 0,
		"32 operations in a clock of a core");
	is_near(device_const(&dev->device, "max_clock_hz")->v, 3.5e9, 0, "highest clock");
}

static void test_cpufreq(void)
{
	struct open_device dev = { 0 };
	struct source *s;
	struct sample w;

	fstree_put(&fs, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "800000");
	fstree_put(&fs, "/sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "4100000");
	fstree_put(&fs, "/sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_min_freq", "400000");
	open_cpu(&dev, NS_PER_S);
	is_near(device_const(&dev.device, "max_clock_hz")->v, 4.1e9, 0,
		"the highest clock is that of the fastest CPU");
	is_near(device_const(&dev.device, "min_clock_hz")->v, 4e8, 0, "  ... the lowest of any");
	is_str(source_of(&dev, "clock")->feed.how, "cpufreq",
		"cpufreq is used where the first CPU lacks it");
	open_device_close(&dev);
	dev = (struct open_device){ 0 };
	fstree_put(&fs, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2700000");
	open_cpu(&dev, NS_PER_S);
	s = source_of(&dev, "clock");
	is_str(s->feed.how, "cpufreq", "where there is cpufreq, it is cpufreq");
	window(s, 2 * NS_PER_S, &w);
	is_int(w.instances[1 * s->feed.n_counters], 800000, "  ... of each CPU");
	ok(w.instances[2 * s->feed.n_counters] == SAMPLE_NONE, "  ... that has it");
	open_device_close(&dev);
}

/* A machine of so many cores, each of so many threads; the last n_small are efficient cores. */
struct machine {
	int model, n_cores, n_small, threads;
	int gone;		/* CPUs without a clock, from the last one down */
	int width;		/* of a core that is counted; 0: there is no sum */
	int small_width;	/* of an efficient one; 0: it is not counted */
};

/* CPU i runs at 1000 + i MHz. */
static void put_machine(const struct machine *m)
{
	static char text[65536];
	char list[32];
	size_t len = 0;
	int n = m->n_cores * m->threads, big = (m->n_cores - m->n_small) * m->threads;

	for (int i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			"processor\t: %d\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: %d\nmodel name\t: x\n"
			"cpu MHz\t\t: %d\nphysical id\t: %d\ncore id\t\t: %d\n\n",
			i, m->model, 1000 + i, i / m->threads % 2, i / m->threads / 2);
	fstree_put(&fs, "/proc/cpuinfo", text);
	fstree_put(&fs, "/sys/bus/event_source/devices/cpu_atom/cpus", "");
	fstree_put(&fs, "/sys/bus/event_source/devices/cpu_lowpower/cpus", "");
	for (int kind = 0; kind < 2; kind++) {
		const char *small = m->model == 0xc5 ? "/sys/bus/event_source/devices/cpu_lowpower" :
			"/sys/bus/event_source/devices/cpu_atom";
		const char *pmu = kind ? small : "/sys/bus/event_source/devices/cpu_core";
		char path[96];

		snprintf(path, sizeof(path), "%s/type", pmu);
		fstree_put(&fs, path, kind ? "10" : "4");
		snprintf(path, sizeof(path), "%s/cpus", pmu);
		snprintf(list, sizeof(list), "%d-%d", kind ? big : 0, kind ? n - 1 : big - 1);
		fstree_put(&fs, path, m->n_small && (kind || big) ? list : "");
	}
}

/* What all cores that are counted could do: a core's width at the mean clock of its CPUs that are online,
 * whatever its kind, threads and neighbours are. */
static void test_peak(const struct machine *m)
{
	struct open_device dev = { 0 };
	struct sample w;
	double sum = 0, clocks = 0;
	int n = m->n_cores * m->threads;

	put_machine(m);
	open_cpu(&dev, NS_PER_S);
	struct source *s = source_of(&dev, "clock");
	put_machine(&(struct machine){ m->model, m->n_cores - m->gone / m->threads, m->n_small, m->threads, 0, 0, 0 });
	window(s, 2 * NS_PER_S, &w);
	n -= m->gone / m->threads * m->threads;
	for (int i = 0; i < n && i < (m->n_cores - m->n_small) * m->threads; i++)
		sum += (1000. + i) * 1e6 * m->width / m->threads;
	for (int i = (m->n_cores - m->n_small) * m->threads; i < n; i++)
		sum += (1000. + i) * 1e6 * m->small_width / m->threads;
	for (int i = 0; i < n; i++)
		clocks += 1000. + i;
	is_int(sample_why(&w, counter(s, "peak_sp_flop_per_cycle")), m->width ? WHY_OK : WHY_UNKNOWN_CONST,
		"model %#x, %d cores of %d threads, %d of them small, %d CPUs gone: a peak", (unsigned)m->model, m->n_cores,
		m->threads, m->n_small, m->gone);
	if (m->width)
		is_near((double)w.values[counter(s, "peak_sp_flop_per_cycle")] * clocks / n, sum, 1e-6 * sum,
			"  ... of each core");
	is_int(device_const(&dev.device, "sp_flop_per_cycle_core") != NULL,
		m->width > 0 && (!m->small_width || m->small_width == m->width) &&
			(m->n_small < m->n_cores || m->width == 32), "  ... and a width of one, if all have it");
	open_device_close(&dev);
}

static void test_peaks(void)
{
	static const struct { int model, width, hybrid_width, small_width; } models[] = {
		{ 0x8e, 32, 0, 0 }, { 0x6a, 64, 0, 0 }, { 0x97, 32, 32, 0 }, { 0xb7, 32, 32, 0 }, { 0xaa, 32, 32, 16 },
		{ 0xb5, 32, 32, 16 }, { 0xc5, 32, 32, 16 }, { 0xc6, 32, 32, 32 }, { 0xbd, 32, 32, 32 }, { 0xcc, 32, 0, 0 } };

	for (size_t i = 0; i < ARRAY_LEN(models); i++)
		for (int threads = 1; threads <= 2; threads++)
			for (int gone = 0; gone <= 2; gone += 2) {
				test_peak(&(struct machine){ models[i].model, 6, 0, threads, gone, models[i].width, 0 });
				if (models[i].model >= 0x97 || models[i].hybrid_width)
					test_peak(&(struct machine){ models[i].model, 6, 2, threads, 0,
						models[i].hybrid_width, models[i].small_width });
				/* all others are offline */
				if (models[i].model >= 0x97 || models[i].hybrid_width)
					test_peak(&(struct machine){ models[i].model, 6, 6, threads, 0,
						models[i].small_width, models[i].small_width });
			}
	remove_tree("/sys/bus/event_source");
}

static void test_bad(void)
{
	static const char *const texts[] = { "", "processor\n", "processor\t: -1\ncpu MHz : x\n",
		"model name\t:\nprocessor : 1\nprocessor : 1", "flags: a\n\n\n:" };
	struct device_list list = { 0 };
	struct cpu_info *info = xcalloc(1, sizeof(*info));

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		fstree_put(&fs, "/proc/cpuinfo", texts[i]);
		cpu_info_read(&fs, info, NULL);
		ok(info->n_cpus <= 2, "odd text %d of /proc/cpuinfo", (int)i);
	}
	fstree_put(&fs, "/proc/cpuinfo", "");
	ok(cpu_backend.probe(&fs, &list, NULL) && list.count == 0,
		"without processors there is no device");
	device_list_release(&list);
	free(info);
}

static void test_traffic(void)
{
	struct open_options o = { .fs = &fs, .delay_ns = NS_PER_S };
	struct open_device dev = { .device = { .driver = "cpu", .is_processor = true } };
	struct device_entry e = { 0 };
	struct sample w = { 0 };

	traffic_companion.attach(&e, &o, &dev);
	is_int(dev.n_sources, 1, "the processor gets a source of memory traffic");
	dev.sources[0]->ops->collect(dev.sources[0], NS_PER_S, &w);
	is_int(w.why, WHY_UNSUPPORTED, "  ... that has no PMU here");
	open_device_close(&dev);
	dev.device.is_processor = false;
	snprintf(dev.device.driver, sizeof(dev.device.driver), "xe");
	snprintf(dev.device.pci_address, sizeof(dev.device.pci_address), "0000:03:00.0");
	dev.device.pci_vendor = 0x8086;
	traffic_companion.attach(&e, &o, &dev);
	is_int(dev.n_sources, 0, "a card has memory of its own");
}

/* The machine of the tests below: two last caches, a group, and a monitoring group in it, whose bytes the group has as
 * well. */
#define MON "/sys/fs/resctrl/mon_data/mon_L3_00/mbm_total_bytes"
#define MON_1 "/sys/fs/resctrl/mon_data/mon_L3_01/mbm_total_bytes"
#define GROUP "/sys/fs/resctrl/batch jobs/mon_data/mon_L3_00/mbm_total_bytes"
#define MON_GROUP "/sys/fs/resctrl/batch jobs/mon_groups/one/mon_data/mon_L3_00/mbm_total_bytes"

static void put_resctrl(void)
{
	fstree_put(&fs, "/sys/fs/resctrl/info/L3_MON/mon_features", "mbm_total_bytes");
	fstree_put(&fs, "/sys/fs/resctrl/tasks", "1");
	fstree_put(&fs, MON, "1000");
	fstree_put(&fs, MON_1, "18446744073709000000");
	fstree_put(&fs, "/sys/fs/resctrl/mon_data/mon_L3_00/llc_occupancy", "77");
	fstree_put(&fs, "/sys/fs/resctrl/mon_data/mon_L3_00/mon_sub_L3_00/mbm_total_bytes", "500");
	fstree_put(&fs, "/sys/fs/resctrl/mon_data/mon_PERF_PKG_00/core_energy", "1.25");
	fstree_put(&fs, GROUP, "300000");
	fstree_put(&fs, MON_GROUP, "200000");
	fstree_put(&fs, "/sys/fs/resctrl/mon_groups/two/mon_data/mon_L3_00/mbm_total_bytes", "400");
}

/* Collects without an error where ready() may fail: a sample says why. */
static void resctrl_window(struct source *s, int64_t now_ns, struct sample *out)
{
	struct err err = { 0 };

	memset(out, 0, sizeof(*out));
	s->ops->ready(s, now_ns, &err);
	s->ops->collect(s, now_ns, out);
}

static void open_traffic(struct open_device *dev)
{
	struct open_options o = { .fs = &fs, .delay_ns = NS_PER_S };
	struct device_entry e = { 0 };

	*dev = (struct open_device){ .device = { .driver = "cpu", .is_processor = true } };
	traffic_companion.attach(&e, &o, dev);
}

static void test_resctrl_sums(struct source *s)
{
	int total = counter(s, "dram_total_bytes"), cores = counter(s, "dram_cpu_bytes"), read = counter(s, "dram_read_bytes");
	struct sample w;

	fstree_put(&fs, MON, "3000");
	fstree_put(&fs, MON_1, "18446744073709000500");
	fstree_put(&fs, GROUP, "340000");
	fstree_put(&fs, MON_GROUP, "230000");
	resctrl_window(s, NS_PER_S, &w);
	is_int(w.why, WHY_OK, "the caches have counted");
	is_int(w.values[total], 2000 + 500 + 40000, "  ... the sum of the caches and groups; a monitoring group is in its parent's");
	is_int(w.values[cores], w.values[total], "  ... which is that of the cores");
	is_int(w.whys[read], WHY_UNSUPPORTED, "  ... in no direction");
	ok(s->feed.estimated, "  ... and an estimate of what the memory moves");
	fstree_put(&fs, MON, "4000");
	remove_tree("/sys/fs/resctrl/batch jobs");
	fstree_put(&fs, "/sys/fs/resctrl/new/mon_data/mon_L3_00/mbm_total_bytes", "5000");
	resctrl_window(s, 2 * NS_PER_S, &w);
	is_int(w.values[total], 1000, "groups that come and go in a window are not in it");
	ok(w.why == WHY_OK && w.quality & SAMPLE_PARTIAL, "  ... which is partial");
	fstree_put(&fs, "/sys/fs/resctrl/new/mon_data/mon_L3_00/mbm_total_bytes", "5600");
	resctrl_window(s, 3 * NS_PER_S, &w);
	is_int(w.values[total], 600, "  ... a new one is in the next");
	ok(!(w.quality & SAMPLE_PARTIAL), "  ... which is whole");
}

static void test_resctrl_failures(struct source *s)
{
	static const struct { const char *text; enum why why; } words[] = {
		{ "Unassigned", WHY_NO_COUNTER }, { "Unavailable", WHY_NO_COUNTER }, { "Error", WHY_UNSUPPORTED },
		{ "", WHY_UNSUPPORTED }, { "-1", WHY_UNSUPPORTED }, { "18446744073709551616", WHY_UNSUPPORTED },
	};
	int total = counter(s, "dram_total_bytes");
	struct err err = { 0 };
	struct sample w;

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		fstree_put(&fs, MON, words[i].text);
		resctrl_window(s, NS_PER_S * (int64_t)(10 + 2 * i), &w);
		is_int(w.why, words[i].why, "'%s' in the place of a number", words[i].text);
		fstree_put(&fs, MON, "9000");
		resctrl_window(s, NS_PER_S * (int64_t)(11 + 2 * i), &w);
		ok(w.why == WHY_OK && w.values[total] == 0 && w.quality & SAMPLE_PARTIAL, "  ... the number behind it begins a count");
	}
	fstree_put(&fs, MON, "8000");
	resctrl_window(s, 30 * NS_PER_S, &w);
	is_int(w.why, WHY_GAP, "a count that goes back is a gap");
	fstree_put(&fs, MON, "18446744073709551615");
	resctrl_window(s, 31 * NS_PER_S, &w);
	is_int(w.why, WHY_GAP, "  ... and so is one that leaps");
	remove_tree("/sys/fs/resctrl/info");
	resctrl_window(s, 32 * NS_PER_S, &w);
	ok(w.why == WHY_UNSUPPORTED && !s->ops->retry(s, 32 * NS_PER_S, &err) && strstr(err.hint, "mount -t resctrl"),
		"without a mount there is nothing, and how to mount it is told: %s", err.msg);
	put_resctrl();
	ok(s->ops->retry(s, 33 * NS_PER_S, &err), "  ... mounted again it counts");
	fstree_put(&fs, MON, "1700");
	resctrl_window(s, 34 * NS_PER_S, &w);
	is_int(w.values[total], 700, "  ... from then on");
}

static void test_resctrl(void)
{
	struct open_device dev;
	struct sample w;

	fstree_put(&fs, "/sys/fs/resctrl/.made", "");
	open_traffic(&dev);
	is_int(dev.n_checks, 2, "what resctrl could count has a row of checks beside the controllers'");
	ok(!strcmp(dev.checks[1].status, "NO") && strstr(dev.checks[1].hint, "mount"), "  ... that tells to mount it: %s", dev.checks[1].hint);
	put_resctrl();
	ok(dev.sources[0]->ops->retry(dev.sources[0], 0, NULL) && !strcmp(dev.checks[1].status, "ok"), "  ... and notes when somebody has");
	open_device_close(&dev);
	open_traffic(&dev);
	ok(dev.n_sources == 1 && !strcmp(dev.checks[1].status, "ok"), "without controllers the last caches are asked");
	test_resctrl_sums(dev.sources[0]);
	test_resctrl_failures(dev.sources[0]);
	open_device_close(&dev);
	remove_tree(MON);
	remove_tree(MON_1);
	remove_tree("/sys/fs/resctrl/new");
	remove_tree("/sys/fs/resctrl/batch jobs");
	open_traffic(&dev);
	ok(!strcmp(dev.checks[1].status, "NO"), "caches that count no bytes: %s", dev.checks[1].reason);
	open_device_close(&dev);
	fstree_put(&fs, "/sys/fs/resctrl/mon_data/mon_L3_00/mbm_local_bytes", "5");
	open_traffic(&dev);
	ok(!strcmp(dev.checks[1].status, "ok") && strstr(dev.checks[1].gives, "nearest"), "bytes of the nearest memory alone: %s",
		dev.checks[1].gives);
	fstree_put(&fs, MON, "900000");
	resctrl_window(dev.sources[0], NS_PER_S, &w);
	ok(w.why == WHY_OK && w.values[counter(dev.sources[0], "dram_total_bytes")] == 0 && w.quality & SAMPLE_PARTIAL,
		"  ... are never subtracted from those of all");
	open_device_close(&dev);
	remove_tree("/sys/fs/resctrl");
}

int main(void)
{
	struct open_device dev = { 0 };

	test_families();
	fstree_new(&fs);
	put_cpuinfo("GenuineIntel", 6, 0x8e, 1000);
	put_stat(100, 1000, -1);
	fstree_put(&fs, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000");
	open_cpu(&dev, NS_PER_S);
	test_constants(&dev);
	test_time(&dev);
	test_clock(&dev);
	test_refusals(&dev);
	open_device_close(&dev);
	test_peaks();
	test_cpufreq();
	test_bad();
	test_traffic();
	test_resctrl();
	fstree_remove(&fs);
	return done_testing();
}
