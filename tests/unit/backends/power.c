/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of energy over a tree whose counters the test moves: wraps, short windows, jumps, planes
 * that are missing. */
#include "config.h"

#include "backends/power/energy.h"

#include <unistd.h>

#include "backends/common/backend.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/fstree.h"
#include "tests/tap.h"

#define ZONE "/sys/class/powercap/intel-rapl:0"
#define RANGE 262143328850
#define METERS "/sys/class/hwmon/hwmon"

static struct fsroot fs;
static struct open_device dev;
static int64_t now_ns;

static void put_uj(const char *path, unsigned long long uj)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", uj);
	fstree_put(&fs, path, text);
}

static void make_zone(const char *folder, const char *name, unsigned long long uj)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/name", folder);
	fstree_put(&fs, path, name);
	snprintf(path, sizeof(path), "%s/max_energy_range_uj", folder);
	put_uj(path, RANGE);
	snprintf(path, sizeof(path), "%s/energy_uj", folder);
	put_uj(path, uj);
}

static struct source *attach_to(const char *way, const char *pci_address, bool shares_memory)
{
	struct open_options o = { .fs = &fs, .delay_ns = NS_PER_S, .power = way };
	struct device_entry e = { 0 };

	now_ns += 1000 * NS_PER_S;
	o.now_ns = now_ns;
	dev = (struct open_device){ 0 };
	snprintf(dev.device.id, sizeof(dev.device.id), "card0");
	snprintf(dev.device.pci_address, sizeof(dev.device.pci_address), "%s", pci_address);
	dev.device.shares_memory = shares_memory;
	power_companion.attach(&e, &o, &dev);
	return dev.n_sources ? dev.sources[0] : NULL;
}

static struct source *attach(const char *way)
{
	return attach_to(way, "", false);
}

static int counter(const struct source *s, const char *name)
{
	for (int i = 0; i < s->feed.n_counters; i++)
		if (!strcmp(s->feed.counters[i].name, name))
			return i;
	return -1;
}

static uint64_t value(const struct source *s, const struct sample *w, const char *name)
{
	return w->values[counter(s, name)];
}

static struct sample window(struct source *s, int64_t length_ns)
{
	struct sample w = { 0 };
	struct err err = { 0 };

	now_ns += length_ns;
	ok(s->ops->ready(s, now_ns, &err), "a reading %s", err.msg);
	s->ops->collect(s, now_ns, &w);
	return w;
}

static void test_windows(void)
{
	struct source *s = attach("powercap");
	struct sample w = window(s, NS_PER_MS);

	is_str(s->feed.how, "powercap", "powercap is the way");
	is_int(w.why, WHY_NOT_YET, "the first reading is no window");
	put_uj(ZONE "/energy_uj", 5000000);
	w = window(s, NS_PER_S);
	is_int(w.why, WHY_OK, "a window");
	is_int(value(s, &w, "energy_package_uj"), 5000000 + (RANGE + 1) - 262143000000,
		"  ... over the end of the range");
	is_int(w.window_ns, NS_PER_S, "  ... from reading to reading");
	is_int(value(s, &w, "energy_gpu_uj"), 0, "  ... the GPU was idle");
	is_int(sample_why(&w, counter(s, "energy_gpu_uj")), WHY_OK, "  ... which is a number");
	is_int(sample_why(&w, counter(s, "energy_psys_uj")), WHY_UNSUPPORTED,
		"  ... and a plane that nobody has is none");
	put_uj(ZONE "/energy_uj", 9000000);
	w = window(s, 2 * NS_PER_S);
	is_int(value(s, &w, "energy_package_uj"), 4000000, "the next window");
	is_int(value(s, &w, "energy_package_total_uj"), 9000000 + (RANGE + 1) - 262143000000,
		"  ... and the sum of both");
	source_close(s);
}

/* A counter that changes every 20 ms, looked at each millisecond, then asked for windows of 50
 * ms. */
static void test_short_windows(void)
{
	struct source *s = attach("auto");
	struct err err = { 0 };
	struct sample w, again;

	for (int i = 0; i < 260; i++) {
		put_uj(ZONE "/energy_uj", 1000000 + 1000 * (unsigned)(i / 20));
		now_ns += NS_PER_MS;
		s->ops->ready(s, now_ns, &err);
	}
	w = window(s, NS_PER_MS);
	is_int(value(s, &w, "energy_update_us"), 20000, "a change every 20 ms is found");
	is_int(w.quality & SAMPLE_HELD, 0, "a window that is long enough");
	again = window(s, 50 * NS_PER_MS);
	is_int(again.quality & SAMPLE_HELD, SAMPLE_HELD, "one that is too short");
	is_int(again.t1_ns, w.t1_ns, "  ... has the age");
	is_int(value(s, &again, "energy_package_uj"), value(s, &w, "energy_package_uj"),
		"  ... and the numbers of the last");
	put_uj(ZONE "/energy_uj", 2000000);
	w = window(s, 50 * NS_PER_MS);
	is_int(w.t0_ns, again.t1_ns, "nothing is left out between them");
	source_close(s);
}

static void test_jump(void)
{
	struct source *s = attach("auto");
	struct sample w;
	uint64_t before;

	window(s, NS_PER_MS);
	put_uj(ZONE "/energy_uj", 3000000);
	w = window(s, NS_PER_S);
	before = value(s, &w, "energy_package_total_uj");
	put_uj(ZONE "/energy_uj", 200000000000);
	w = window(s, NS_PER_S);
	is_int(w.why, WHY_GAP, "200 kW are none");
	ok(s->ops->retry(s, now_ns, NULL), "  ... the source is open all the same");
	put_uj(ZONE "/energy_uj", 200001000000);
	w = window(s, NS_PER_S);
	is_int(w.why, WHY_OK, "the next window counts");
	is_int(value(s, &w, "energy_package_total_uj"), before + 1000000,
		"  ... and the jump is not in the sum");
	source_close(s);
}

/* The same jump between two readings of a long window, which is 4 kW on its mean. */
static void test_jump_in_window(void)
{
	struct source *s = attach("auto");
	struct err err = { 0 };
	struct sample w;

	window(s, NS_PER_MS);
	put_uj(ZONE "/energy_uj", 3000000);
	w = window(s, NS_PER_S);
	for (int i = 0; i < 60; i++) {
		put_uj(ZONE "/energy_uj", 4000000 + 1000000ull * (unsigned)i + (i < 30 ? 0 : 200000000000));
		now_ns += NS_PER_S;
		s->ops->ready(s, now_ns, &err);
	}
	w = window(s, NS_PER_MS);
	is_int(w.why, WHY_GAP, "a jump in a minute is one");
	put_uj(ZONE "/energy_uj", 200100000000);
	w = window(s, NS_PER_S);
	is_int(w.why, WHY_OK, "  ... and the next window counts");
	source_close(s);
}

/* A counter that moves every 50 ms, in windows of 30 ms: none has watts before it is known how often it moves. */
static void test_first_windows(void)
{
	struct source *s = attach("auto");
	struct err err = { 0 };
	struct sample w = { 0 };

	for (int i = 0; i < 1000; i++) {
		put_uj(ZONE "/energy_uj", 1000000 + 750000 * (unsigned)(i / 50));
		now_ns += NS_PER_MS;
		s->ops->ready(s, now_ns, &err);
		if (i % 30 != 29)
			continue;
		w = (struct sample){ 0 };
		s->ops->collect(s, now_ns, &w);
		double watts = w.window_ns ? (double)value(s, &w, "energy_package_uj") * 1e3 / (double)w.window_ns : 0;
		if (w.why != WHY_NOT_YET && (watts < 11.9 || watts > 18.1))
			ok(false, "window %d has %.1f W where 15 were taken", i / 30, watts);
	}
	is_int(w.why, WHY_OK, "windows shorter than a step end up with watts");
	source_close(s);
}

/* Files that go away and come back: a module that is loaded again. */
static void test_loss(void)
{
	struct source *s = attach("auto");
	struct err err = { 0 };
	struct sample w;
	char path[400];

	window(s, NS_PER_MS);
	window(s, NS_PER_S);
	snprintf(path, sizeof(path), "%s" ZONE "/energy_uj", fs.prefix);
	unlink(path);
	now_ns += NS_PER_S;
	ok(!s->ops->ready(s, now_ns, &err), "a counter that is gone: %s", err.msg);
	w = (struct sample){ 0 };
	s->ops->collect(s, now_ns, &w);
	is_int(w.why, WHY_STALE, "  ... has no number");
	put_uj(ZONE "/energy_uj", 100);
	ok(s->ops->retry(s, now_ns, &err), "  ... and comes back %s", err.msg);
	window(s, NS_PER_MS);
	put_uj(ZONE "/energy_uj", 1100);
	w = window(s, NS_PER_S);
	is_int(value(s, &w, "energy_package_uj"), 1000, "  ... with numbers of its own");
	source_close(s);
}

static void test_choice(void)
{
	struct source *s = attach("perf");
	struct device_check other = { .source = "other" };
	struct sample w = { 0 };

	is_str(s->feed.how, "refused", "no PMU in this tree");
	s->ops->collect(s, now_ns, &w);
	is_int(w.why, WHY_UNSUPPORTED, "  ... has its reason");
	is_int(dev.n_checks, 1, "  ... and a check");
	is_str(dev.checks[0].status, "NO", "  ... that says no: %s", dev.checks[0].reason);
	open_device_check(&dev, &other);
	ok(!s->ops->retry(s, now_ns, NULL), "trying again brings nothing");
	is_str(dev.checks[1].source, "other", "  ... and leaves other checks alone");
	source_close(s);
	ok(!attach("none"), "none is none");
	s = attach("auto");
	is_near(device_const(&dev.device, "package_power_limit_w")->v, 28, 1e-9,
		"the package's limit becomes a constant");
	is_int(device_const(&dev.device, "package_power_limit_w")->source, ROOF_READ,
		"  ... that was read from the machine");
	source_close(s);
	dev.device.simulated = true;
	power_companion.attach(
		&(struct device_entry){ 0 }, &(struct open_options){ .fs = &fs }, &dev);
	is_int(dev.n_sources, 1, "a simulated device gets nothing real");
}

static const struct whose {
	const char *address;
	bool shares_memory, has_hwmon, is_card;
} devices[] = {
	{ "", false, false, false },	/* the processor, a board's GPU */
	{ "0000:00:02.0", true, false, false },
	{ "0000:03:00.0", false, false, true },
	{ "0000:04:00.0", false, true, true },
	{ "0000:05:00.0", true, true, true },	/* a card that no table knows */
};

static void check_whose(const struct whose *d, const char *way)
{
	static const char *const zones[] = { "package", "cores", "gpu", "dram" };
	bool is_auto = !strcmp(way, "auto");
	bool by_zones = !d->is_card && (is_auto || !strcmp(way, "powercap"));
	bool by_hwmon = d->has_hwmon && (is_auto || !strcmp(way, "hwmon"));
	char name[32], path[128];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/hwmon/hwmon0/name", d->address);
	if (d->has_hwmon)
		fstree_put(&fs, path, "i915");
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/hwmon/hwmon0/energy1_input",
		d->address);
	if (d->has_hwmon)
		put_uj(path, 1000);
	struct source *s = attach_to(way, d->address, d->shares_memory);
	window(s, NS_PER_MS);
	if (d->has_hwmon)
		put_uj(path, 31001000);
	struct sample w = window(s, NS_PER_S);
	for (size_t z = 0; z < ARRAY_LEN(zones); z++) {
		enum why why = w.why;
		bool own = by_hwmon && !strcmp(zones[z], "gpu");

		snprintf(name, sizeof(name), "energy_%s_uj", zones[z]);
		if (why == WHY_OK)
			why = sample_why(&w, counter(s, name));
		is_int(why == WHY_OK || why == WHY_STANDS_STILL, by_zones || own, "'%s' by %s: %s",
			d->address, way, zones[z]);
		if (own)
			is_int(value(s, &w, name), 31000000, "  ... is the card's own");
	}
	is_int(device_const(&dev.device, "package_power_limit_w") != NULL, !d->is_card,
		"'%s' by %s: the limit of the package", d->address, way);
	source_close(s);
}

/* Whose watts: beside the zones of a processor a card has none of their planes and limits, whichever
 * way is asked, and what sits in the processor has all of them. */
static void test_whose(void)
{
	static const char *const ways[] = { "auto", "powercap", "perf", "sensors", "papi",
		"hwmon" };

	make_zone(ZONE ":1", "core", 0);
	make_zone(ZONE ":2", "dram", 0);
	for (size_t i = 0; i < ARRAY_LEN(devices) * ARRAY_LEN(ways); i++) {
		const struct whose *d = &devices[i / ARRAY_LEN(ways)];
		const char *way = ways[i % ARRAY_LEN(ways)];

		/* Only its hwmon tells this one for a card. */
		if (!d->is_card || !d->shares_memory || !strcmp(way, "auto"))
			check_whose(d, way);
	}
}

/* Constants as they are when limits are read: rising, falling, switched off, and on again. Limits are looked at each
 * second, whatever windows there are, and equations are bound again where one is another. */
static void test_limits(void)
{
	static const struct { const char *uw; double w; } steps[] = {
		{ "35000000", 35 }, { "12500000", 12.5 }, { "0", 0 }, { "28000000", 28 } };
	struct source *s = attach("auto");

	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		fstree_put(&fs, ZONE "/constraint_0_power_limit_uw", steps[i].uw);
		s->rebind = false;
		window(s, NS_PER_S);
		const struct device_const *c = device_const(&dev.device, "package_power_limit_w");
		is_near(c ? c->v : 0, steps[i].w, 1e-9, "a limit of %s uW", steps[i].uw);
		ok(s->rebind, "  ... is told");
		s->rebind = false;
		window(s, NS_PER_S);
		ok(!s->rebind, "  ... once");
	}
	source_close(s);
}

static void put_meter(int n, const char *name, const char *uw)
{
	char path[96];

	snprintf(path, sizeof(path), METERS "%d/device/name", n);
	fstree_put(&fs, path, "power_meter");
	snprintf(path, sizeof(path), METERS "%d/device/power1_oem_info", n);
	fstree_put(&fs, path, name);
	snprintf(path, sizeof(path), METERS "%d/device/power1_average", n);
	fstree_put(&fs, path, uw);
}

/* Watts, which are summed over time, of two meters; one of them misses a reading. */
static void test_meters(void)
{
	struct sample w;
	struct err err = { 0 };

	put_meter(1, "Grace Power Socket 0", "150000000");
	put_meter(2, "CPU Power Socket 0", "90000000");
	struct source *s = attach("sensors");
	is_str(s->feed.how, "board sensors: package (Grace Power Socket 0) cores (CPU Power Socket 0)",
		"meters and their names");
	window(s, NS_PER_MS);
	put_meter(2, "CPU Power Socket 0", "30000000");
	now_ns += NS_PER_S;
	ok(s->ops->ready(s, now_ns, &err), "a reading within the window");
	put_meter(2, "CPU Power Socket 0", "60000000");
	w = window(s, NS_PER_S);
	is_int(value(s, &w, "energy_package_uj"), 300000000, "watts by seconds");
	is_int(value(s, &w, "energy_cores_uj"), 90000000, "  ... each as long as it held");
	is_int(sample_why(&w, counter(s, "energy_update_us")), WHY_UNSUPPORTED,
		"  ... without steps");
	put_meter(2, "CPU Power Socket 0", "-");
	now_ns += NS_PER_S;
	ok(s->ops->ready(s, now_ns, &err), "a meter that says nothing");
	put_meter(2, "CPU Power Socket 0", "60000000");
	w = window(s, NS_PER_S);
	is_int(value(s, &w, "energy_package_uj"), 300000000, "  ... leaves the other its energy");
	is_int(sample_why(&w, counter(s, "energy_cores_uj")), WHY_STALE,
		"  ... and its own plane without that of this window");
	w = window(s, NS_PER_S);
	is_int(value(s, &w, "energy_cores_uj"), 60000000, "  ... which the next one has");
	source_close(s);
	s = attach("sensors");
	put_meter(2, "CPU Power Socket 0", "-");
	window(s, NS_PER_MS);
	put_meter(2, "CPU Power Socket 0", "60000000");
	w = window(s, NS_PER_S);
	is_int(sample_why(&w, counter(s, "energy_cores_uj")), WHY_NOT_YET, "one that comes later has no window yet");
	w = window(s, NS_PER_S);
	is_int(value(s, &w, "energy_cores_uj"), 60000000, "  ... and then its own");
	is_int(value(s, &w, "energy_cores_total_uj"), 60000000, "  ... which is all that it took");
	source_close(s);
}

/* Values of packages are added up, so their limits are, too, whatever order the zones have; where one
 * has none the sum has none. A zone of the whole platform is no package. */
static void test_packages(void)
{
	static const char *const second = "/sys/class/powercap/intel-rapl:1";
	static const char *const platform = "/sys/class/powercap/intel-rapl:2";
	char path[128];

	make_zone(second, "package-1", 0);
	make_zone(platform, "psys", 0);
	snprintf(path, sizeof(path), "%s/constraint_0_power_limit_uw", platform);
	fstree_put(&fs, path, "99000000");
	struct source *s = attach("auto");
	ok(!device_const(&dev.device, "package_power_limit_w"), "a package without a limit");
	source_close(s);
	snprintf(path, sizeof(path), "%s/constraint_0_power_limit_uw", second);
	fstree_put(&fs, path, "40000000");
	s = attach("auto");
	is_near(device_const(&dev.device, "package_power_limit_w")->v, 68, 1e-9,
		"limits of two packages are added up");
	ok(!device_const(&dev.device, "package_power_limit_short_w"), "  ... each term by itself");
	source_close(s);
}

int main(void)
{
	fstree_new(&fs);
	make_zone(ZONE, "package-0", 262143000000);
	make_zone(ZONE ":0", "uncore", 77);
	make_zone("/sys/class/powercap/intel-rapl-mmio:0", "package-0", 262143000000);
	fstree_put(&fs, ZONE "/constraint_0_power_limit_uw", "28000000");
	test_windows();
	test_short_windows();
	test_jump();
	test_jump_in_window();
	test_first_windows();
	test_loss();
	test_choice();
	test_whose();
	test_limits();
	test_packages();
	test_meters();
	fstree_remove(&fs);
	return done_testing();
}
