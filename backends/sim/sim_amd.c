/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model's tables go through the source that reads those of real GPUs; beside it stands what the
 * driver's files would tell. */
#include "config.h"

#include "backends/sim/sim_vendors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/amdgpu/amdgpu_sources.h"
#include "backends/common/stand_ins.h"
#include "backends/memory/machine_memory.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"

#define AMD_VENDOR 0x1002
#define LOOKS 4	/* in a window at least, and one each second */

bool sim_amd_knows(const char *spec)
{
	return amd_machine_by_name(spec);
}

bool sim_amd_machine(
	const char *spec, struct amd_machine *m, struct sim_spec *s, struct err *err)
{
	if (!sim_spec_other(spec, " id mhz watts dram delivers ", s, err))
		return false;
	*m = *amd_machine_by_name(spec);
	if (s->machine.pci_device && !amd_machine_become(m, s->machine.pci_device))
		return err_set(err, ERR_USAGE, "no AMD GPU of the PCI id %#x can be simulated",
			s->machine.pci_device);
	if (s->machine.max_mhz)
		m->max_mhz = s->machine.max_mhz;
	if (m->min_mhz > m->max_mhz)
		m->min_mhz = m->max_mhz;
	if (s->machine.power.limit_w > 0)
		m->limit_w = s->machine.power.limit_w;
	if (s->machine.dram_bytes_per_s > 0)
		m->dram_bytes_per_s = s->machine.dram_bytes_per_s;
	if (s->delivers_pct > 0)
		m->reach = s->delivers_pct / 100;
	return true;
}

void sim_amd_device(const struct amd_machine *m, struct device *d)
{
	sim_card_device(&(struct sim_card){ m->name, m->model, "amdgpu", AMD_VENDOR, m->pci_device,
				m->min_mhz, m->max_mhz },
		d);
	snprintf(d->generation, sizeof(d->generation), "%s", m->generation);
}

/* Reads the spec into m and s, and makes the model of that GPU; NULL with err. */
static struct amd_gpu *make_gpu(
	const char *spec, struct amd_machine *m, struct sim_spec *s, struct err *err)
{
	if (!sim_amd_machine(spec, m, s, err))
		return NULL;
	return amd_gpu_new(m, s->load.load, err);
}

bool sim_amd_resolve(const char *spec, struct device *d, struct err *err)
{
	struct amd_machine m;
	struct sim_spec s;
	struct amd_gpu *g = make_gpu(spec, &m, &s, err);

	if (!g)
		return false;
	amd_gpu_free(g);
	sim_amd_device(&m, d);
	return true;
}

void sim_amd_help(struct strbuf *out)
{
	strbuf_addf(out, "\n%s\n", "sim:NAME[,load=LOAD][,id=...][,mhz=...][,watts=...]"
		"[,dram=...][,delivers=...] is a simulated AMD GPU. Names:");
	for (int i = 0; i < amd_machine_count; i++)
		strbuf_addf(out, "  %-18s  %s\n", amd_machines[i].name, amd_machines[i].source);
	strbuf_addf(out, "\n%s\n", "Loads:");
	strbuf_addf(out, "  %-18s  %s\n", "tour", "five of them, five seconds each");
	for (int i = 0; i < amd_load_count; i++)
		strbuf_addf(out, "  %-18s  %s\n", amd_loads[i].name, amd_loads[i].text);
}

/* --- what the driver's files would tell --- */

enum { CARD_BUSY, CARD_MEMORY_BUSY, CARD_CLOCK, CARD_POWER, CARD_TEMPERATURE, CARD_COUNTERS };

/* The names are those of data/metrics/card-counters.metrics. */
static const struct counter_desc card_counters[CARD_COUNTERS] = {
	[CARD_BUSY] = { "card_busy_pct", "number", 32, COUNTER_GAUGE },
	[CARD_MEMORY_BUSY] = { "card_memory_busy_pct", "number", 32, COUNTER_GAUGE },
	[CARD_CLOCK] = { "card_clock_hz", "Hz", 64, COUNTER_GAUGE },
	[CARD_POWER] = { "card_power_uw", "uW", 64, COUNTER_GAUGE },
	[CARD_TEMPERATURE] = { "temperature_mdegc", "mdegC", 32, COUNTER_GAUGE },
};

struct card_source {
	struct source source;
	struct amd_gpu *gpu;
	int64_t opened_ns, window_ns;
};

static void card_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct card_source *s = (struct card_source *)src;
	struct amd_state state;
	double sum[CARD_COUNTERS] = { 0 };
	int64_t window_ns = now_ns - s->window_ns;
	int64_t n = max_i64(LOOKS, min_i64(window_ns / NS_PER_S, LOOKS_BACK_MAX));

	/* As with a real card, means of looks. */
	for (int64_t i = 1; i <= n; i++) {
		int64_t t_ns = look_time_ns(now_ns, window_ns, i, n);

		amd_gpu_state(s->gpu, t_ns - s->opened_ns - (now_ns > s->window_ns), &state);
		sum[CARD_BUSY] += 100 * state.busy;
		sum[CARD_MEMORY_BUSY] += 100 * state.memory;
		sum[CARD_CLOCK] += state.mhz * 1e6;
		sum[CARD_POWER] += state.watt * 1e6;
		sum[CARD_TEMPERATURE] += state.degc * 1e3;
	}
	for (int i = 0; i < CARD_COUNTERS; i++)
		out->values[i] = (uint64_t)(sum[i] / (double)n + 0.5);
	source_window(out, &s->window_ns, now_ns);
}

static void card_close(struct source *src)
{
	amd_gpu_free(((struct card_source *)src)->gpu);
}

static const struct source_ops card_ops = {
	.size = sizeof(struct card_source),
	.ready = source_always_ready, .collect = card_collect, .close = card_close,
};

static struct source *card_open(struct amd_gpu *gpu, int64_t now_ns)
{
	struct card_source *s = source_new(&card_ops);

	s->source.feed = (struct feed){ .name = "card", .how = "simulated files",
		.counters = card_counters, .n_counters = CARD_COUNTERS };
	s->gpu = gpu;
	s->opened_ns = s->window_ns = now_ns;
	return &s->source;
}

/* --- the table --- */

struct model_table {
	struct amd_table table;
	struct amd_gpu *gpu;
	int64_t opened_ns;
};

static size_t read_model(struct amd_table *t, int64_t now_ns, uint8_t *data)
{
	struct model_table *m = (struct model_table *)t;
	int64_t t_ns = now_ns - m->opened_ns;

	return amd_gpu_table(m->gpu, t_ns > 0 ? t_ns - 1 : 0, data);
}

static void close_model(struct amd_table *t)
{
	struct model_table *m = (struct model_table *)t;

	amd_gpu_free(m->gpu);
	free(m);
}

bool sim_amd_open(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err)
{
	struct amd_machine m;
	struct sim_spec s;
	struct amd_gpu *gpu = make_gpu(spec, &m, &s, err);

	*dev = (struct open_device){ 0 };
	if (!gpu)
		return false;
	struct device *d = &dev->device;
	struct model_table *t = xcalloc(1, sizeof(*t));
	*t = (struct model_table){ .table = { .read = read_model, .close = close_model },
		.gpu = amd_gpu_new(&m, s.load.load, NULL),
		.opened_ns = o->now_ns };
	sim_amd_device(&m, d);
	device_set_const(d, "max_clock_hz", (double)d->max_hz);
	device_set_const(d, "card_power_limit_w", m.limit_w);
	device_set_const(d, "temperature_limit_mdegc", m.hot_degc * 1000);
	device_set_roof(d, DRAM_ROOF, m.dram_bytes_per_s, ROOF_DATA_SHEET, false, m.source);
	dev->sources[dev->n_sources++] = card_open(gpu, o->now_ns);
	open_device_tried(dev, "", "simulated files", "busy time, clock, power and temperature", NULL);
	dev->sources[dev->n_sources++] = amd_metrics_model(d, &t->table, o->now_ns, err);
	open_device_tried(dev, "", "simulated gpu_metrics",
		"the driver's own table: powers, temperatures, throttling, links", NULL);
	return true;
}
