/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the files of KFD, in records (file_records.h): the topology's nodes, then what it
 * says of processes, scan after scan. No share leaves its range, and no process stands there
 * twice. */
#include "config.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/amdgpu/amdgpu_sources.h"
#include "backends/card/card.h"
#include "base/mem.h"
#include "tests/fuzz/file_records.h"

#define KFD "/sys/class/kfd/kfd"
#define GPU "34953" /* the number of the card for which processes have files */
#define PROCESS(first, second, third, folder)                                                      \
	{ first, KFD "/proc/" folder "/vram_" GPU }, { second, KFD "/proc/" folder "/sdma_" GPU }, \
	{                                                                                          \
		third, KFD "/proc/" folder "/stats_" GPU "/cu_occupancy"                           \
	}
#define NS 1000000000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Another letter is a scan. */
static const struct file_record files[] = {
	{ 'a', KFD "/topology/nodes/0/gpu_id" },
	{ 'b', KFD "/topology/nodes/0/properties" },
	{ 'c', KFD "/topology/nodes/1/gpu_id" },
	{ 'd', KFD "/topology/nodes/1/properties" },
	PROCESS('e', 'f', 'g', "4711"),
	PROCESS('h', 'i', 'j', "4711/context_1"),
	PROCESS('k', 'l', 'm', "4712"),
	PROCESS('n', 'o', 'p', "2147483648"),
	{ 'q', "/sys/devices/0000:03:00.0/power/runtime_status" },
	{ 'r', "/proc/4711/stat" },
	{ 's', "/proc/4711/cmdline" },
	{ 't', "/proc/4711/fdinfo/7" },
};

static struct file_records records;

static void check(bool good)
{
	if (!good)
		abort();
}

static void begin(void)
{
	file_records_open(&records, files, ARRAY_LEN(files));
	fstree_put(&records.fs, "/sys/class/drm/version", "");
	fstree_put(&records.fs, "/sys/devices/0000:03:00.0/drm/renderD128/dev", "226:128");
	fstree_put(&records.fs, "/sys/devices/0000:03:00.0/drm/card0/dev", "226:0");
	fstree_put(&records.fs, "/proc/4711/fd/0", "");
	file_records_link(
		&records, "/sys/devices/0000:03:00.0/drm/card0/device", "../../../0000:03:00.0");
	file_records_link(&records, "/sys/class/drm/card0", "../../devices/0000:03:00.0/drm/card0");
	file_records_link(&records, "/proc/4711/fd/7", "/dev/dri/renderD128");
}

static void check_row(const struct client_table *t, const struct client_row *r)
{
	check(r->pid > 0 && r->pid <= INT32_MAX);
	check(memchr(r->name, '\0', sizeof(r->name)) &&
		memchr(r->command, '\0', sizeof(r->command)));
	/* Of several engines of a class, of which fdinfo does not tell the number. */
	for (int i = 0; i < t->n_engines; i++)
		check(isnan(r->busy_pct[i]) || (r->busy_pct[i] >= 0 && r->busy_pct[i] <= 6400));
	for (size_t i = 0; i < t->n_rows; i++)
		check(&t->rows[i] == r || t->rows[i].pid != r->pid || t->rows[i].n_clients);
}

static void check_table(const struct client_table *t)
{
	check(t->n_engines >= 0 && t->n_engines <= CLIENT_MAX_ENGINES);
	for (int i = 0; i < t->n_engines; i++)
		check(memchr(t->engines[i], '\0', sizeof(t->engines[i])) != NULL);
	for (size_t i = 0; i < t->n_rows; i++)
		check_row(t, &t->rows[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct open_options o = { .fs = &records.fs, .now_ns = NS };
	struct open_device *dev = xcalloc(1, sizeof(*dev));
	struct client_table table = { 0 };
	struct sample sample = { 0 };
	const uint8_t *text;
	int64_t now_ns = NS;
	size_t len;

	if (!records.n)
		begin();
	file_records_begin(&records, data, size);
	dev->device =
		(struct device){ .id = "card0", .driver = "amdgpu", .pci_address = "0000:03:00.0" };
	char letter = file_records_next(&records, &text, &len);
	dev->sources[dev->n_sources++] = card_busy_open(dev, &o);
	struct client_source *both = kfd_clients_open(
		dev->clients, dev->sources[0], &records.fs, &dev->device);
	if (both)
		dev->clients = both;
	for (int scans = 0; scans < 8; scans++) {
		now_ns += NS;
		dev->clients->ops->scan(dev->clients, now_ns, &table);
		check_table(&table);
		dev->sources[0]->ops->ready(dev->sources[0], now_ns, NULL);
		dev->sources[0]->ops->collect(dev->sources[0], now_ns, &sample);
		if (!letter)
			break;
		letter = file_records_next(&records, &text, &len);
	}
	free(table.rows);
	open_device_close(dev);
	free(dev);
	return 0;
}
