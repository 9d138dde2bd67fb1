/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of a Battlemage's memory and of its PCIe link, from tables in both orders of halves, on a tree
 * of files whose counts move. */
#include "config.h"

#include "backends/intel/pmt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/common/backend.h"
#include "base/clock.h"
#include "tests/fstree.h"
#include "tests/tap.h"

#define BYTES 3692
#define PCI "/sys/devices/pci0000:00"
#define CARD PCI "/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:03:00.0"

static void put(uint8_t *t, size_t at, uint64_t v, bool high_first)
{
	for (int i = 0; i < 4; i++) {
		t[at + (size_t)i + (high_first ? 4 : 0)] = (uint8_t)(v >> 8 * i);
		t[at + (size_t)i + (high_first ? 0 : 4)] = (uint8_t)(v >> (32 + 8 * i));
	}
}

/* Counts by their offsets in Intel's table of names: GDDR0_CH0_GT_32B_RD_REQ is at 376, GDDR1_CH1_GT_64B_WR_REQ
 * at 640, GDDR5_CH1_DISPLAYVC0_64B_RD_REQ at 1296, GDDR2_CH0_SOC_32B_WR_REQ at 760. */
static void fill(uint8_t *t, bool high_first, uint64_t n)
{
	memset(t, 0, BYTES);
	put(t, 376, n, high_first);
	put(t, 640, 10 * n, high_first);
	put(t, 1296, 100 * n, high_first);
	put(t, 760, 1000 * n, high_first);
	put(t, 856, 7, high_first);	/* of chip 3, which is not there */
	put(t, high_first ? 276 : 280, 3 * n, high_first);
	put(t, high_first ? 284 : 288, 5 * n, high_first);
	t[3688] = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5;
}

static void test_tables(void)
{
	uint8_t t[BYTES];
	uint64_t sum[TRAFFIC_COUNTERS];
	const uint64_t n = UINT64_C(0x123456789);

	for (int high_first = 0; high_first < 2; high_first++) {
		fill(t, high_first, n);
		ok(card_traffic_sum(t, sizeof(t), high_first, sum), "a table is read");
		is_int((long long)sum[TRAFFIC_GPU_READ], (long long)(32 * n), "what the GPU reads");
		is_int((long long)sum[TRAFFIC_GPU_WRITTEN], (long long)(64 * 10 * n), "what it writes");
		is_int((long long)sum[TRAFFIC_OTHERS], (long long)(64 * 100 * n + 32 * 1000 * n), "display and the rest");
		is_int((long long)sum[TRAFFIC_LINK_RX], (long long)(3 * n), "what came over the link");
		is_int((long long)sum[TRAFFIC_LINK_TX], (long long)(5 * n), "what went over it");
	}
	ok(!card_traffic_sum(t, BYTES - 1, true, sum), "a short table is refused");
}

static void test_link(void)
{
	is_near(card_traffic_link(16, 8), 15.75e9, 1e7, "PCIe 4.0 x8 has 15.75 GB/s");
	is_near(card_traffic_link(2.5, 1), 250e6, 1, "PCIe 1.0 x1 has 250 MB/s");
	is_near(card_traffic_link(64, 4), 30.25e9, 1e7, "PCIe 6.0 x4 has 30.25 GB/s");
	is_near(card_traffic_link(0, 8), 0, 0, "no speed is no link");
}

static void write_table(const struct fsroot *fs, bool high_first, uint64_t n, size_t bytes)
{
	uint8_t t[BYTES];
	char path[512];
	FILE *f;

	fill(t, high_first, n);
	snprintf(path, sizeof(path), "%s" CARD "/intel_pmt/telem2/telem", fs->prefix);
	f = fopen(path, "we");
	if (!f || fwrite(t, 1, bytes, f) != bytes || fclose(f) != 0)
		diag("cannot write '%s'", path);
}

static struct sample window(struct open_device *dev, int64_t now_ns)
{
	struct source *s = dev->sources[0];
	struct sample out = { 0 };

	s->ops->ready(s, now_ns, NULL);
	s->ops->collect(s, now_ns, &out);
	return out;
}

/* A tree with the card behind its own switch, whose inner ports tell a link of 2.5 GT/s and one lane. */
static void make_card(struct fsroot *fs, const char *guid)
{
	char path[512];

	fstree_new(fs);
	fstree_put(fs, CARD "/current_link_speed", "2.5 GT/s PCIe");
	fstree_put(fs, CARD "/current_link_width", "1");
	fstree_put(fs, PCI "/0000:00:01.0/0000:01:00.0/current_link_speed", "16.0 GT/s PCIe");
	fstree_put(fs, PCI "/0000:00:01.0/0000:01:00.0/current_link_width", "8");
	fstree_put(fs, CARD "/vendor", "0x8086");
	fstree_put(fs, PCI "/0000:00:01.0/0000:01:00.0/0000:02:01.0/vendor", "0x8086");
	fstree_put(fs, PCI "/0000:00:01.0/0000:01:00.0/0000:02:01.0/class", "0x060400");
	fstree_put(fs, PCI "/0000:00:01.0/0000:01:00.0/vendor", "0x8086");
	fstree_put(fs, PCI "/0000:00:01.0/0000:01:00.0/class", "0x060400");
	fstree_put(fs, "/sys/class/drm/card0/dev", "226:0");
	snprintf(path, sizeof(path), "%s/sys/class/drm/card0/device", fs->prefix);
	is_int(symlink("../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:03:00.0", path), 0, "its node");
	fstree_put(fs, CARD "/intel_pmt/telem2/guid", guid);
	fstree_put(fs, CARD "/intel_pmt/telem2/telem", "");
	fstree_put(fs, "/sys/class/intel_pmt/crashlog1/guid", guid);
	fstree_put(fs, "/sys/bus/pci/devices/x", "");
	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/0000:03:00.0", fs->prefix);
	is_int(symlink("../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:03:00.0", path), 0, "a card");
	snprintf(path, sizeof(path), "%s/sys/class/intel_pmt/telem2", fs->prefix);
	is_int(symlink("../../devices/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:03:00.0/intel_pmt/telem2", path), 0,
		"with telemetry");
}

static void test_source(const char *guid, bool high_first)
{
	struct device_entry e = { .device = { .id = "card0", .pci_address = "0000:03:00.0" } };
	struct open_device dev = { .device = e.device };
	struct fsroot fs = { 0 };
	struct open_options o = { .fs = &fs };
	const struct device_const *link;
	struct sample s;
	char path[512];

	make_card(&fs, guid);
	write_table(&fs, high_first, 1000, BYTES);
	card_traffic_companion.attach(&e, &o, &dev);
	if (!ok(dev.n_sources == 1, "%s: a source", guid))
		return;
	link = device_const(&dev.device, "link_bytes_per_s");
	is_near(link ? link->v : NAN, card_traffic_link(16, 8), 1, "the link is the slot's, not that of an inner port");
	write_table(&fs, high_first, 1500, BYTES);
	s = window(&dev, NS_PER_S);
	is_int(s.why, WHY_OK, "a window has counts");
	is_int((long long)s.values[TRAFFIC_GPU_READ], 500 * 32, "what was read in it");
	is_int((long long)s.values[TRAFFIC_LINK_TX], 500 * 5, "what was sent in it");
	is_int(s.window_ns, NS_PER_S, "its length");
	s = window(&dev, 2 * NS_PER_S);
	is_int((long long)s.values[TRAFFIC_GPU_READ], 0, "a table that stands still");
	write_table(&fs, high_first, 1600, 100);
	s = window(&dev, 3 * NS_PER_S);
	is_int(s.why, WHY_UNSUPPORTED, "a table that is too short has a reason");
	snprintf(path, sizeof(path), "%s" CARD "/intel_pmt/telem2/telem", fs.prefix);
	is_int(unlink(path), 0, "a table that went away");
	s = window(&dev, 4 * NS_PER_S);
	ok(s.why != WHY_OK, "  ... has no counts");
	write_table(&fs, high_first, 2000, BYTES);
	s = window(&dev, 5 * NS_PER_S);
	is_int(s.why, WHY_NOT_YET, "the first window after it began before");
	write_table(&fs, high_first, 2001, BYTES);
	s = window(&dev, 6 * NS_PER_S);
	is_int((long long)s.values[TRAFFIC_GPU_WRITTEN], 640, "then it counts");
	write_table(&fs, high_first, 3, BYTES);
	s = window(&dev, 7 * NS_PER_S);
	is_int(s.why, WHY_GAP, "counts that went back are those of a card that slept between two looks");
	write_table(&fs, high_first, 5, BYTES);
	s = window(&dev, 8 * NS_PER_S);
	is_int((long long)s.values[TRAFFIC_GPU_WRITTEN], 2 * 640, "  ... which counts on");
	open_device_close(&dev);
	fstree_remove(&fs);
}

/* What a card that sleeps does not say is asked when it is awake. */
static void test_asleep(void)
{
	struct device_entry e = { .device = { .id = "card0", .pci_address = "0000:03:00.0" } };
	struct open_device dev = { .device = e.device };
	struct fsroot fs = { 0 };
	struct open_options o = { .fs = &fs };

	make_card(&fs, "0x5e2f8210");
	write_table(&fs, true, 1, BYTES);
	fstree_put(&fs, CARD "/power/runtime_status", "suspended");
	card_traffic_companion.attach(&e, &o, &dev);
	is_int(window(&dev, NS_PER_S).why, WHY_ASLEEP, "a card that sleeps");
	ok(!device_const(&dev.device, "link_bytes_per_s") && !dev.sources[0]->rebind, "  ... is not asked for its link");
	fstree_put(&fs, CARD "/power/runtime_status", "active");
	is_int(window(&dev, 2 * NS_PER_S).why, WHY_NOT_YET, "  ... until it is awake");
	ok(device_const(&dev.device, "link_bytes_per_s") && dev.sources[0]->rebind, "  ... when it has its roof");
	open_device_close(&dev);
	fstree_remove(&fs);
}

static void test_others(void)
{
	struct device_entry e = { .device = { .id = "card1", .pci_address = "0000:04:00.0" } };
	struct open_device dev = { .device = e.device };
	struct fsroot fs = { 0 };
	struct open_options o = { .fs = &fs };

	make_card(&fs, "0x5e2f8211");
	card_traffic_companion.attach(&e, &o, &dev);
	is_int(dev.n_sources, 0, "another card has none");
	fstree_remove(&fs);
	make_card(&fs, "0x1e2f8201");
	snprintf(e.device.pci_address, sizeof(e.device.pci_address), "0000:03:00.0");
	dev.device = e.device;
	card_traffic_companion.attach(&e, &o, &dev);
	is_int(dev.n_sources, 0, "nor has a table of another kind");
	fstree_remove(&fs);
}

int main(void)
{
	test_tables();
	test_link();
	test_source("0x5e2f8210", true);
	test_source("0x5e2f8211", false);
	test_asleep();
	test_others();
	return done_testing();
}
