/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds NVIDIA GPUs, as DRM cards or, on servers without graphics, on the PCI bus alone, and opens
 * them. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/common/backend.h"
#include "backends/card/drm_card.h"
#include "backends/memory/machine_memory.h"
#include "backends/nvidia/nvidia_files.h"
#include "backends/nvidia/nvml_source.h"
#include "base/clock.h"
#include "base/mem.h"
#include "backends/card/process.h"

#define NVIDIA_VENDOR 0x10de
#define BUS_FOLDER "/sys/bus/pci/drivers/nvidia"

enum { ENGINE_SM, ENGINE_ENCODER, ENGINE_DECODER, ENGINES };

static const char *const engine_names[ENGINES] = { "sm", "encoder", "decoder" };

/* A process at the last scan. */
struct seen {
	int pid;
	uint64_t start_ticks, cpu_ticks;
};

struct nvidia_clients {
	struct client_source source;
	struct source *nvml;
	struct process_names names;
	long ticks_per_s;
	struct seen seen[NVML_PROCESSES_MAX];
	int n_seen;
	int64_t before_ns;
};

static const struct seen *seen_before(const struct nvidia_clients *s, int pid)
{
	for (int i = 0; i < s->n_seen; i++)
		if (s->seen[i].pid == pid)
			return &s->seen[i];
	return NULL;
}

static float share(uint32_t v)
{
	return v == NVML_UNKNOWN ? NAN : (float)v;
}

static void add_row(struct nvidia_clients *s, const struct nvml_user *u, int64_t window_ns,
	struct seen *now, struct client_table *out)
{
	struct client_row *row = client_table_add(out, u->pid);
	struct process_stat stat;

	row->resident_bytes = u->bytes;
	row->busy_pct[ENGINE_SM] = share(u->sm);
	row->busy_pct[ENGINE_ENCODER] = share(u->encoder);
	row->busy_pct[ENGINE_DECODER] = share(u->decoder);
	if (process_identify(&s->names, row, &stat))
		*now = (struct seen){ u->pid, stat.start_ticks, stat.cpu_ticks };
	const struct seen *before = seen_before(s, u->pid);
	if (before && now->pid && before->start_ticks == now->start_ticks && window_ns > 0)
		row->cpu_pct = (float)(100.0 * (double)(now->cpu_ticks - before->cpu_ticks) /
			(double)s->ticks_per_s / ((double)window_ns / NS_PER_S));
}

/* The numbers are those of the host's processes. Where none of them is a process here, this is a
 * container that has numbers of its own. */
static void tell_container(const struct seen *seen, struct client_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (seen[i].pid)
			return;
	for (size_t i = 0; i < t->n_rows; i++)
		snprintf(t->rows[i].command, sizeof(t->rows[i].command), "[?] %s",
			"PID of the host: start the container with --pid=host");
}

static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct nvidia_clients *s = (struct nvidia_clients *)src;
	const struct nvml_users *users = nvml_source_users(s->nvml);
	struct seen seen[NVML_PROCESSES_MAX] = { 0 };

	client_table_note(out, users->why);
	out->t_ns = now_ns;
	out->hidden = 0;
	out->n_engines = ENGINES;
	for (int i = 0; i < ENGINES; i++)
		snprintf(out->engines[i], sizeof(out->engines[i]), "%s", engine_names[i]);
	for (int i = 0; users->why == WHY_OK && i < users->n; i++)
		add_row(s, &users->rows[i], s->before_ns ? now_ns - s->before_ns : 0, &seen[i], out);
	tell_container(seen, out);
	memcpy(s->seen, seen, sizeof(seen));
	s->n_seen = users->n;
	s->before_ns = now_ns;
}

static void close_clients(struct client_source *src)
{
	process_names_close(&((struct nvidia_clients *)src)->names);
}

static const struct client_source_ops ops = {
	.size = sizeof(struct nvidia_clients),
	.scan = scan, .close = close_clients,
};

/* The rows of the source of nvml_source_open(), which has to live as long. */
static struct client_source *nvidia_clients_open(struct source *nvml, const struct fsroot *fs)
{
	struct nvidia_clients *s = client_source_new(&ops, "NVML");

	s->nvml = nvml;
	s->ticks_per_s = sysconf(_SC_CLK_TCK);
	process_names_open(&s->names, fs);
	return &s->source;
}

/* The driver of the bus; its DRM driver is nvidia-drm. */
static const struct card_claim cards[] = { { .driver = "nvidia" } };

/* Fills what can be known without the library. */
static void name_device(struct device *d, const struct fsroot *fs)
{
	struct nvidia_information info;
	char version[64] = "";

	snprintf(d->vendor, sizeof(d->vendor), "%s", "NVIDIA");
	snprintf(d->name, sizeof(d->name), "%s", "NVIDIA GPU");
	if (nvidia_information(fs, d->pci_address, &info) && info.model[0])
		memcpy(d->name, info.model, sizeof(d->name));
	nvidia_driver_version(fs, version, sizeof(version));
	device_set_word(d, "driver_version", "Driver", version);
	device_set_word(d, "uuid", "UUID", info.uuid);
	snprintf(d->counters, sizeof(d->counters), "NVML");
}

/* A GPU without the library can be opened, in case it is found all the same, but it is told to have
 * no counters. */
static void look_for_library(struct device_entry *e, const struct fsroot *fs)
{
	drm_card_use(e, "nvidia");
	e->refusal = (struct err){ 0 };
	if (nvidia_has_library(fs))
		return;
	e->device.counters[0] = '\0';
	err_set(&e->refusal, ERR_SYS, "%s", "NVIDIA's library is not installed");
	err_hint(&e->refusal, "%s",
		"install the library of the driver's version (Debian: libnvidia-ml1)");
}

static void identify(struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	(void)card;
	name_device(&e->device, fs);
	look_for_library(e, fs);
}

struct scan {
	const struct fsroot *fs;
	struct device_list *out;
};

static bool is_address(const char *name)
{
	unsigned domain, bus, slot, function;

	return sscanf(name, "%x:%x:%x.%x", &domain, &bus, &slot, &function) == 4 && strlen(name) <= 15;
}

struct rank {
	const char *address;
	int n;
};

static bool count_before(void *ctx, const char *name)
{
	struct rank *r = ctx;

	r->n += is_address(name) && strcmp(name, r->address) < 0;
	return true;
}

/* The place of a GPU among all that the driver has, by their addresses: its node's number is told
 * only while it is awake, and a name must not depend on that. */
static int rank_of(const struct fsroot *fs, const char *address)
{
	struct rank r = { .address = address };

	fsroot_each(fs, BUS_FOLDER, count_before, &r, NULL);
	return r.n;
}

/* The driver's folder has a link for each GPU, named by its address, and other files. */
static bool add_gpu(void *ctx, const char *name)
{
	struct scan *scan = ctx;
	char folder[48];

	if (!is_address(name))
		return true;
	for (size_t i = 0; i < scan->out->count; i++)
		if (!strcmp(scan->out->entries[i].device.pci_address, name))
			return true;
	struct device_entry *e = device_list_add(scan->out, &nvidia_backend);
	struct device *d = &e->device;
	snprintf(d->driver, sizeof(d->driver), "nvidia");
	snprintf(d->pci_address, sizeof(d->pci_address), "%.15s", name);
	snprintf(folder, sizeof(folder), "/sys/bus/pci/devices/%.15s", name);
	d->pci_vendor = pci_id(scan->fs, folder, "vendor");
	d->pci_device = pci_id(scan->fs, folder, "device");
	d->pci_revision = pci_id(scan->fs, folder, "revision");
	name_device(d, scan->fs);
	snprintf(d->id, sizeof(d->id), "nvidia%d", rank_of(scan->fs, name));
	look_for_library(e, scan->fs);
	return true;
}

/* GPUs without a DRM card; the cards were listed before. */
static bool probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	struct scan scan = { .fs = fs, .out = out };

	return !fsroot_exists(fs, BUS_FOLDER) || fsroot_each(fs, BUS_FOLDER, add_gpu, &scan, err);
}

static bool open_gpu(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct err refusal = { 0 }, no_roof = { 0 };

	if (!e->usable)
		return drm_card_refuse_open(e, err);
	*dev = (struct open_device){ .device = e->device };
	if (o->access && strcmp(o->access, "auto") != 0) {
		err_set(err, ERR_UNSUPPORTED, "%s: NVIDIA's GPUs have one way to their counters",
			e->device.id);
		return err_hint(err, "--access is for cards with OA counters");
	}
	struct nvml_feeder *feeder = nvml_process_new(o->fs, &dev->device);
	dev->sources[dev->n_sources++] = nvml_source_open(dev, o, feeder, &refusal);
	struct source *instances = nvml_source_instances(dev->sources[0]);
	if (instances)
		dev->sources[dev->n_sources++] = instances;
	dev->clients = nvidia_clients_open(dev->sources[0], o->fs);
	open_device_tried(dev, "nvml", "NVML",
		"load, clocks, power, heat, memory, links, processes; from Hopper on the pipes "
		"(GPM)", &refusal);
	err_set(&no_roof, ERR_UNSUPPORTED, "%s",
		"NVIDIA's library has not told the memory's clock and width");
	dram_roof_check(dev, &no_roof);
	return true;
}

const struct backend nvidia_backend = {
	.name = "nvidia",
	.description = "NVIDIA GPUs: NVIDIA's management library, with GPM from Hopper on",
	.cards = cards,
	.n_cards = ARRAY_LEN(cards),
	.identify = identify,
	.probe = probe,
	.open = open_gpu,
};
