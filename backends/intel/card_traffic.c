/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads Battlemage's telemetry (Intel PMT): requests of each channel of its memory, and bytes over
 * PCIe. Layout: Intel's compute-runtime, level_zero/sysman/source/shared/linux/product_helper,
 * xe2_hpg_core/bmg; the few rows that break its own pattern there are taken as slips. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backends/card/card.h"
#include "backends/card/drm_card.h"
#include "backends/intel/pmt.h"
#include "backends/common/stand_ins.h"
#include "base/mem.h"

/* Eight counts for each direction and size of request: a block of 80 bytes for each channel, two
 * channels for each chip. A word has a bit for each chip that is there. */
#define FIRST_AT 376
#define CHANNEL_BYTES 80
#define CHANNELS 2
#define CHIPS 8
#define CHIPS_AT 3688
#define TABLE_BYTES (CHIPS_AT + 4)
/* Bytes received and sent; where the lower half comes first the count begins a word later. */
#define LINK_AT 276

static const char *const guids[] = { "0x5e2f8210", "0x5e2f8310", "0x5e2f8211", NULL };
/* The first so many of them have the upper half of a count first. */
#define GUIDS_HIGH_FIRST 2

/* The counts of a channel in their order: who asks, and how many bytes a request has. */
static const struct {
	uint8_t counter, bytes;
} requests[] = {
	{ TRAFFIC_GPU_READ, 32 }, { TRAFFIC_GPU_READ, 64 },
	{ TRAFFIC_GPU_WRITTEN, 32 }, { TRAFFIC_GPU_WRITTEN, 64 },
	{ TRAFFIC_OTHERS, 32 }, { TRAFFIC_OTHERS, 64 },	/* the display reads */
	{ TRAFFIC_OTHERS, 32 }, { TRAFFIC_OTHERS, 64 },	/* the rest of the chip reads */
	{ TRAFFIC_OTHERS, 32 }, { TRAFFIC_OTHERS, 64 },	/* and writes */
};

static const struct counter_desc counters[TRAFFIC_COUNTERS] = {
	[TRAFFIC_GPU_READ] = { "card_memory_read_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_GPU_WRITTEN] = { "card_memory_written_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_OTHERS] = { "card_memory_others_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_LINK_RX] = { "link_received_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_LINK_TX] = { "link_sent_bytes", "B", 64, COUNTER_CUMULATIVE },
};

struct card_traffic {
	struct source source;
	const struct fsroot *fs;
	struct device *device;
	char path[PMT_PATH_SIZE], card[32];
	bool high_first;
	bool asleep, has_begun, asked_link;
	struct err refusal;
	uint64_t now[TRAFFIC_COUNTERS], begin[TRAFFIC_COUNTERS];
	int64_t window_ns;
	uint8_t table[TABLE_BYTES];
};

static uint32_t word(const uint8_t *table, size_t at)
{
	return (uint32_t)table[at] | (uint32_t)table[at + 1] << 8 | (uint32_t)table[at + 2] << 16 |
		(uint32_t)table[at + 3] << 24;
}

static uint64_t count_at(const uint8_t *table, size_t at, bool high_first)
{
	uint64_t first = word(table, at), second = word(table, at + 4);

	return high_first ? first << 32 | second : second << 32 | first;
}

bool card_traffic_sum(
	const uint8_t *table, size_t len, bool high_first, uint64_t out[TRAFFIC_COUNTERS])
{
	size_t link = high_first ? LINK_AT : LINK_AT + 4;

	memset(out, 0, TRAFFIC_COUNTERS * sizeof(*out));
	if (len < TABLE_BYTES)
		return false;
	uint32_t chips = word(table, CHIPS_AT);
	for (size_t c = 0; c < CHIPS * CHANNELS; c++) {
		for (size_t i = 0; i < ARRAY_LEN(requests) && chips >> c / CHANNELS & 1; i++)
			out[requests[i].counter] += requests[i].bytes *
				count_at(table, FIRST_AT + c * CHANNEL_BYTES + i * 8, high_first);
	}
	out[TRAFFIC_LINK_RX] = count_at(table, link, high_first);
	out[TRAFFIC_LINK_TX] = count_at(table, link + 8, high_first);
	return true;
}

double card_traffic_link(double gt_per_s, double lanes)
{
	/* PCI Express: 8b/10b up to 5 GT/s, 128b/130b up to 32, then flits of 256 bytes that carry
	 * 242. */
	double code = 242. / 256;

	if (gt_per_s < 6)
		code = 0.8;
	else if (gt_per_s < 40)
		code = 128. / 130;
	return gt_per_s > 0 && lanes > 0 ? gt_per_s * 1e9 / 8 * lanes * code : 0;
}

/* --- the link --- */

/* The link of a card that sleeps says nothing. */
static void find_link(struct card_traffic *t)
{
	char folder[160], path[192];
	double gt_per_s, lanes;

	t->asked_link = true;
	card_link_folder(t->fs, t->card, folder, sizeof(folder));
	snprintf(path, sizeof(path), "%.150s/current_link_speed", folder);
	if (!card_files_number(t->fs, path, 1, &gt_per_s, NULL))
		return;
	snprintf(path, sizeof(path), "%.150s/current_link_width", folder);
	if (!card_files_number(t->fs, path, 1, &lanes, NULL))
		return;
	double roof = card_traffic_link(gt_per_s, lanes);
	if (!(roof > 0))
		return;
	device_set_roof(t->device, "link_bytes_per_s", roof, ROOF_READ, false,
		"speed and width of the slot's link (sysfs)");
	t->source.rebind = true;
}

/* --- the source --- */

static void read_table(struct card_traffic *t)
{
	struct err err = { 0 };
	ssize_t n;

	t->asleep = drm_card_is_asleep(t->fs, t->card);
	if (t->asleep)
		return;
	n = pmt_read(t->fs, t->path, t->table, sizeof(t->table), &err);
	if (n < 0 && err.sys == ENODATA) {
		t->asleep = true;
		return;
	}
	if (n >= 0 && !card_traffic_sum(t->table, (size_t)n, t->high_first, t->now))
		err_set(&err, ERR_UNSUPPORTED, "'%s' is shorter than its table should be", t->path);
	t->refusal = err;
	if (!t->asked_link)
		find_link(t);
}

static bool traffic_ready(struct source *src, int64_t now_ns, struct err *err)
{
	(void)now_ns;
	(void)err;
	read_table((struct card_traffic *)src);
	return true;
}

static void traffic_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct card_traffic *t = (struct card_traffic *)src;
	bool went_back = false;

	for (int i = 0; i < TRAFFIC_COUNTERS; i++)
		went_back |= t->now[i] < t->begin[i];
	source_window(out, &t->window_ns, now_ns);
	out->why = WHY_OK;
	if (t->refusal.code)
		out->why = refused_why(t->refusal.code);
	else if (t->asleep)
		out->why = WHY_ASLEEP;
	else if (!t->has_begun)
		out->why = WHY_NOT_YET;
	else if (went_back)
		out->why = WHY_GAP;	/* it slept since the last look, or was reset */
	for (int i = 0; i < TRAFFIC_COUNTERS; i++)
		out->values[i] = t->now[i] - t->begin[i];
	/* Counts of a card that slept begin anew. */
	t->has_begun = !t->asleep && !t->refusal.code;
	memcpy(t->begin, t->now, sizeof(t->begin));
}

static const struct source_ops traffic_ops = {
	.size = sizeof(struct card_traffic),
	.ready = traffic_ready, .collect = traffic_collect,
};

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	char path[PMT_PATH_SIZE];
	int guid = -1;

	if (!dev->device.simulated)
		guid = pmt_find(o->fs, dev->device.pci_address, guids, path);
	if (guid < 0 || dev->n_sources == DEVICE_MAX_SOURCES)
		return;
	struct card_traffic *t = source_new(&traffic_ops);
	t->source.feed = (struct feed){ .name = "telemetry", .how = "PMT", .counters = counters,
		.n_counters = TRAFFIC_COUNTERS };
	t->fs = o->fs;
	t->device = &dev->device;
	t->high_first = guid < GUIDS_HIGH_FIRST;
	t->window_ns = o->now_ns;
	memcpy(t->path, path, sizeof(t->path));
	snprintf(t->card, sizeof(t->card), "%.31s", e->device.id);
	read_table(t);
	t->has_begun = !t->asleep && !t->refusal.code;
	memcpy(t->begin, t->now, sizeof(t->begin));
	open_device_tried(dev, "telemetry", "card's telemetry",
		"bytes of the card's memory and its PCIe link, without the counters of a set",
		&t->refusal);
	t->source.rebind = false;
	dev->sources[dev->n_sources++] = &t->source;
}

const struct companion card_traffic_companion = { .name = "telemetry", .attach = attach };
