/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model writes the lines that the program with NVIDIA's library writes, and the source of real
 * GPUs reads them. */
#include "config.h"

#include "backends/sim/sim_vendors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/memory/machine_memory.h"
#include "backends/nvidia/nvml_feeder.h"
#include "backends/nvidia/nvml_proto.h"
#include "backends/nvidia/nvml_source.h"
#include "backends/nvidia/sm_table.h"
#include "base/mem.h"
#include "backends/common/backend.h"
#include "backends/sim/model/nvidia_gpu.h"

/* Larger than any number that Linux gives (PID_MAX_LIMIT), so that it never names a real process. */
#define LOAD_PID 4194305

struct nvidia_sim_clients {
	struct client_source source;
	struct nvidia_gpu *gpu;
	int64_t opened_ns, before_ns;
	double busy_ns; /* at the last scan */
};

static void add_row(const struct nvidia_sim_clients *s, const struct nvidia_state *state,
	double busy_pct, struct client_table *out)
{
	struct client_row *row = client_table_add(out, LOAD_PID);

	row->uid = 1000;
	row->client_id = 1;
	row->resident_bytes = (uint64_t)state->memory_used_bytes;
	snprintf(row->user, sizeof(row->user), "sim");
	snprintf(row->name, sizeof(row->name), "load");
	snprintf(row->command, sizeof(row->command), "load %s", state->load->name);
	row->busy_pct[0] = (float)busy_pct;
	row->time_ns[0] = (uint64_t)s->busy_ns;
}

static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct nvidia_sim_clients *s = (struct nvidia_sim_clients *)src;
	double window_ns = (double)(now_ns - s->before_ns), busy_pct = NAN;
	struct nvidia_totals totals;
	struct nvidia_state state;

	nvidia_gpu_totals(s->gpu, now_ns - s->opened_ns, &totals);
	nvidia_gpu_state(s->gpu, now_ns - s->opened_ns, &state);
	if (window_ns > 0)
		busy_pct = 100 * (totals.busy_ns - s->busy_ns) / window_ns;
	/* Of a divided GPU nobody tells what processes do. */
	if (nvidia_gpu_machine(s->gpu)->mig)
		busy_pct = NAN;
	s->busy_ns = totals.busy_ns;
	s->before_ns = now_ns;
	*out = (struct client_table){ .t_ns = now_ns,
		.engines = { "sm" },
		.n_engines = 1,
		.rows = out->rows,
		.cap_rows = out->cap_rows };
	if (!state.is_busy)
		return;
	add_row(s, &state, busy_pct, out);
}

static void close_clients(struct client_source *src)
{
	nvidia_gpu_free(((struct nvidia_sim_clients *)src)->gpu);
}

static const struct client_source_ops ops = {
	.size = sizeof(struct nvidia_sim_clients),
	.scan = scan, .close = close_clients,
};

/* Takes the model over, which is at its start at now_ns. */
static struct client_source *sim_nvidia_clients_open(struct nvidia_gpu *gpu, int64_t now_ns)
{
	struct nvidia_sim_clients *s = client_source_new(&ops, "simulated clients");

	s->gpu = gpu;
	s->opened_ns = s->before_ns = now_ns;
	return &s->source;
}

#define PER_CENT 100000		/* thousandths */
#define NVIDIA_VENDOR 0x10de
#define LINE_SIZE 2048

bool sim_nvidia_knows(const char *spec)
{
	return nvidia_machine_by_name(spec);
}

/* GPUs of the first design of an architecture can be divided, which closes their NVLink. */
static bool divide(struct nvidia_machine *m, unsigned slices, struct err *err)
{
	unsigned sum = 0;

	m->mig = slices;
	for (unsigned rest = slices, k; (k = rest % 10, rest); rest /= 10)
		sum += k == 1 || k == 2 || k == 4 ? k : 8;
	m->nvlink_bytes_per_s = 0;
	if (sum <= 7 && m->cc_major >= 8 && m->cc_major <= 10 && !m->cc_minor)
		return true;
	err_set(err, ERR_USAGE, "%s cannot be divided into %u", m->model, slices);
	return err_hint(err, "%s", "A100, H100, H200 and B200 can, into 1, 2 or 4 slices, seven in all: mig=421");
}

bool sim_nvidia_machine(
	const char *spec, struct nvidia_machine *m, struct sim_spec *s, struct err *err)
{
	if (!sim_spec_other(spec, " id mhz watts dram delivers mig ", s, err))
		return false;
	*m = *nvidia_machine_by_name(spec);
	if (s->machine.pci_device && s->machine.pci_device != m->pci_device &&
		!nvidia_machine_become(m, s->machine.pci_device))
		return err_set(err, ERR_USAGE, "no NVIDIA GPU of the PCI id %#x can be simulated",
			s->machine.pci_device);
	if (s->machine.max_mhz)
		m->max_mhz = s->machine.max_mhz;
	if (s->machine.power.limit_w > 0)
		m->limit_w = s->machine.power.limit_w;
	/* The bus is as wide, and moves two words in a clock. */
	if (s->machine.dram_bytes_per_s > 0)
		m->memory_mhz = (int)ceil(s->machine.dram_bytes_per_s * 4 / m->bus_bits / 1e6);
	if (s->delivers_pct > 0)
		m->reach = s->delivers_pct / 100;
	return !s->mig || divide(m, s->mig, err);
}

void sim_nvidia_device(const struct nvidia_machine *m, struct device *d)
{
	sim_card_device(&(struct sim_card){ m->name, m->model, "nvidia", NVIDIA_VENDOR, m->pci_device,
				m->min_mhz, m->max_mhz },
		d);
	snprintf(d->counters, sizeof(d->counters), "NVML");
	snprintf(d->generation, sizeof(d->generation), "cc%d.%d", m->cc_major, m->cc_minor);
}

/* Reads the spec into m and s, and makes the model of that GPU; NULL with err. */
static struct nvidia_gpu *make_gpu(
	const char *spec, struct nvidia_machine *m, struct sim_spec *s, struct err *err)
{
	if (!sim_nvidia_machine(spec, m, s, err))
		return NULL;
	return nvidia_gpu_new(m, s->load.load, err);
}

bool sim_nvidia_resolve(const char *spec, struct device *d, struct err *err)
{
	struct nvidia_machine m;
	struct sim_spec s;
	struct nvidia_gpu *g = make_gpu(spec, &m, &s, err);

	if (!g)
		return false;
	nvidia_gpu_free(g);
	sim_nvidia_device(&m, d);
	return true;
}

void sim_nvidia_help(struct strbuf *out)
{
	strbuf_addf(out, "\n%s\n", "sim:NAME[,load=LOAD][,id=...][,mhz=...][,watts=...][,dram=...][,delivers=...][,mig=...] is a simulated NVIDIA GPU. Names:");
	for (int i = 0; i < nvidia_machine_count; i++)
		strbuf_addf(out, "  %-18s  %s\n", nvidia_machines[i].name, nvidia_machines[i].source);
	strbuf_addf(out, "\n%s\n", "Loads:");
	strbuf_addf(out, "  %-18s  %s\n", "tour", "six of them, ten seconds each");
	for (int i = 0; i < nvidia_load_count; i++)
		strbuf_addf(out, "  %-18s  %s\n", nvidia_loads[i].name, nvidia_loads[i].text);
}

/* --- the model as a feeder --- */

struct model_feeder {
	struct nvml_feeder feeder;
	struct nvidia_gpu *gpu;
	int64_t opened_ns, period_ns, told_ns;
	bool told_facts;
	struct nvidia_totals before;
};

/* Values that this card does not have; their kind is told with the facts. */
static bool is_absent(const struct nvidia_machine *m, enum nvml_value i)
{
	if (m->mig && i <= NVML_DECODER)
		return true;
	if (i >= NVML_NVLINK_SENT && i <= NVML_NVLINK_SPEED)
		return m->nvlink_bytes_per_s <= 0;
	if (i >= NVML_GPM_GRAPHICS)
		return !m->has_gpm || m->mig;
	if (i == NVML_PCIE_SENT_RATE || i == NVML_PCIE_RECEIVED_RATE)
		return true;	/* its bytes are counted */
	if (i == NVML_MEMORY_TEMPERATURE)
		return m->memory_hotter_degc <= 0;
	if (i == NVML_ECC_CORRECTED || i == NVML_ECC_UNCORRECTED)
		return !m->has_ecc;
	return (i == NVML_FAN || i == NVML_FAN_SPEED) && m->fan_rpm <= 0;
}

/* Returns how many there are. */
static int tell_instances(const struct nvidia_machine *m, nvml_take_fn *take, void *ctx)
{
	char line[96];
	int n = 0;

	for (int k; (k = nvidia_slices(m, n)); n++) {
		snprintf(line, sizeof(line), "instance %d %d %d %dg.%dgb", n, k, k * nvidia_slice_sms(m), k,
			(int)(m->memory_bytes / 8e9 * k));
		take(ctx, line);
	}
	return n;
}

static void tell_facts(const struct model_feeder *f, nvml_take_fn *take, void *ctx)
{
	const struct nvidia_machine *m = nvidia_gpu_machine(f->gpu);
	int n = tell_instances(m, take, ctx);
	const struct {
		const char *key;
		long long value;
	} facts[] = {
		{ "cc_major", m->cc_major },
		{ "cc_minor", m->cc_minor },
		{ "cores", (long long)m->sms * sm_lanes_of(m->cc_major, m->cc_minor).fp32 },
		{ "bus_bits", m->bus_bits },
		{ "sm_clock_max_mhz", m->max_mhz },
		{ "memory_clock_max_mhz", m->memory_mhz },
		{ "link_generation_max", m->link_generation },
		{ "link_lanes_max", m->link_lanes },
		{ "slowdown_degc", (long long)m->slowdown_degc },
		{ "gpm", m->has_gpm },
		{ "mig_instances", n },
	};
	char line[96];

	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		snprintf(line, sizeof(line), "device %s %lld", facts[i].key, facts[i].value);
		take(ctx, line);
	}
	for (int i = 0; i < NVML_VALUES; i++) {
		if (!is_absent(m, (enum nvml_value)i))
			continue;
		snprintf(line, sizeof(line), "no %d %d", i, NVML_NOT_SUPPORTED);
		take(ctx, line);
	}
	take(ctx, "ready");
}

/* Sums since the start, and means since the last reading. */
static void fill_values(const struct model_feeder *f, int64_t t_ns,
	const struct nvidia_totals *now, double out[NVML_VALUES])
{
	const struct nvidia_machine *m = nvidia_gpu_machine(f->gpu);
	const struct nvidia_totals *b = &f->before;
	double ns = (double)(t_ns - f->told_ns), clocks = now->clocks - b->clocks;
	struct nvidia_state s;

	nvidia_gpu_state(f->gpu, t_ns, &s);
	out[NVML_BUSY] = PER_CENT * (now->busy_ns - b->busy_ns) / ns;
	out[NVML_MEMORY_BUSY] = PER_CENT * (now->memory_busy_ns - b->memory_busy_ns) / ns;
	out[NVML_SM_CLOCK] = clocks / ns * 1000;
	out[NVML_MEMORY_CLOCK] = m->memory_mhz;
	out[NVML_POWER] = (now->energy_j - b->energy_j) / ns * 1e12;
	out[NVML_PSTATE] = nvidia_pstate(&s);
	out[NVML_POWER_LIMIT] = m->limit_w * 1000;
	out[NVML_ENERGY] = now->energy_j * 1e6;
	out[NVML_TEMPERATURE] = s.temperature_degc * 1000;
	out[NVML_MEMORY_TEMPERATURE] = (s.temperature_degc + m->memory_hotter_degc) * 1000;
	out[NVML_FAN] = s.is_busy ? PER_CENT * s.watt / m->limit_w : 0;
	out[NVML_FAN_SPEED] = s.is_busy ? m->fan_rpm * s.watt / m->limit_w : 0;
	out[NVML_MEMORY] = m->memory_bytes;
	out[NVML_MEMORY_USED] = s.memory_used_bytes;
	out[NVML_LINK_TRANSFERS] = nvml_link_mtransfers((unsigned)m->link_generation);
	out[NVML_LINK_LANES] = m->link_lanes;
	out[NVML_LINK_SPEED] = nvidia_link_peak(m);
	out[NVML_PCIE_SENT] = now->pcie_out_bytes;
	out[NVML_PCIE_RECEIVED] = now->pcie_in_bytes;
	out[NVML_NVLINK_SENT] = out[NVML_NVLINK_RECEIVED] = now->nvlink_bytes;
	out[NVML_NVLINK_SPEED] = m->nvlink_bytes_per_s;
	out[NVML_HELD_POWER] = PER_CENT * (now->held_ns - b->held_ns) / ns;
	out[NVML_POLICY_POWER] = now->held_ns;
	out[NVML_GPM_GRAPHICS] = out[NVML_BUSY];
	out[NVML_GPM_SM] = PER_CENT * (now->loaded - b->loaded) / clocks;
	out[NVML_GPM_OCCUPANCY] = PER_CENT * (now->occupied - b->occupied) / clocks;
	out[NVML_GPM_DRAM] = PER_CENT * (now->dram_bytes - b->dram_bytes) / ns * 1e9 / nvidia_dram_peak(m);
	const struct {
		enum nvml_value value;
		enum nvidia_pipe pipe;
	} pipes[] = {
		{ NVML_GPM_FP32, NVIDIA_FP32 },
		{ NVML_GPM_FP64, NVIDIA_FP64 },
		{ NVML_GPM_FP16, NVIDIA_FP16 },
		{ NVML_GPM_INTEGER, NVIDIA_INTEGER },
		{ NVML_GPM_TENSOR_HALF, NVIDIA_TENSOR_HALF },
		{ NVML_GPM_TENSOR_INTEGER, NVIDIA_TENSOR_INT8 },
		{ NVML_GPM_TENSOR_FP64, NVIDIA_TENSOR_FP64 },
	};
	for (size_t i = 0; i < ARRAY_LEN(pipes); i++) {
		int p = pipes[i].pipe;

		out[pipes[i].value] = PER_CENT * (now->pipe[p] - b->pipe[p]) / clocks;
		if (p >= NVIDIA_TENSOR_HALF)
			out[NVML_GPM_TENSOR] += out[pipes[i].value];
	}
}

/* What each instance does of that, and that a process runs in it. */
static void tell_parts(const struct model_feeder *f, int64_t t_ns, const double values[NVML_VALUES],
	nvml_take_fn *take, void *ctx)
{
	const struct nvidia_machine *m = nvidia_gpu_machine(f->gpu);
	struct nvidia_state s;
	char line[LINE_SIZE];
	int n = 0;

	nvidia_gpu_state(f->gpu, t_ns, &s);
	for (int k; (k = nvidia_slices(m, n)); n++) {
		double memory = m->memory_bytes * k / 8, used = memory * s.load->memory_used;
		size_t len = (size_t)snprintf(line, sizeof(line), "of %d %" PRId64 " %d:%.0f %d:%.0f", n,
			f->opened_ns + t_ns, NVML_MEMORY, memory, NVML_MEMORY_USED, used);

		for (int i = NVML_GPM_GRAPHICS; m->has_gpm && i < NVML_VALUES; i++)
			len += (size_t)snprintf(
				line + len, sizeof(line) - len, " %d:%.0f", i, values[i] / (n + 1));
		take(ctx, line);
		if (!s.is_busy)
			continue;
		snprintf(line, sizeof(line), "process %d %.0f - - - - %d", LOAD_PID + n, used, n);
		take(ctx, line);
	}
	if (n)
		take(ctx, "processes 0");
}

static void tell_reading(struct model_feeder *f, int64_t t_ns, nvml_take_fn *take, void *ctx)
{
	const struct nvidia_machine *m = nvidia_gpu_machine(f->gpu);
	double values[NVML_VALUES] = { 0 };
	struct nvidia_totals now;
	char line[LINE_SIZE];
	size_t len = 0;

	nvidia_gpu_totals(f->gpu, t_ns, &now);
	fill_values(f, t_ns, &now, values);
	len += (size_t)snprintf(line, sizeof(line), "at %" PRId64, f->opened_ns + t_ns);
	for (int i = 0; i < NVML_VALUES; i++)
		if (!is_absent(m, (enum nvml_value)i))
			len += (size_t)snprintf(
				line + len, sizeof(line) - len, " %d:%.0f", i, values[i]);
	take(ctx, line);
	tell_parts(f, t_ns, values, take, ctx);
	f->before = now;
	f->told_ns = t_ns;
}

static bool model_lines(struct nvml_feeder *feeder, int64_t now_ns, nvml_take_fn *take, void *ctx,
	const char **said)
{
	struct model_feeder *f = (struct model_feeder *)feeder;
	int64_t t_ns = now_ns - f->opened_ns;

	(void)said;
	if (!f->told_facts)
		tell_facts(f, take, ctx);
	f->told_facts = true;
	/* The first reading is where the first window begins. */
	if (t_ns > 0 && f->told_ns == 0)
		tell_reading(f, 1, take, ctx);
	while (f->told_ns > 0 && t_ns - f->told_ns >= f->period_ns)
		tell_reading(f, f->told_ns + f->period_ns, take, ctx);
	/* Windows end when they are asked for, so that two with the same times are alike. */
	if (t_ns > f->told_ns && f->told_ns > 0)
		tell_reading(f, t_ns, take, ctx);
	return true;
}

static void model_set_period(struct nvml_feeder *f, int64_t period_ns)
{
	((struct model_feeder *)f)->period_ns = period_ns;
}

static void model_close(struct nvml_feeder *feeder)
{
	nvidia_gpu_free(((struct model_feeder *)feeder)->gpu);
}

static const struct nvml_feeder_ops model_ops = {
	.size = sizeof(struct model_feeder),
	.lines = model_lines,
	.set_period = model_set_period,
	.close = model_close,
};

bool sim_nvidia_open(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err)
{
	struct nvidia_machine m;
	struct sim_spec s;
	struct err refusal = { 0 };
	struct nvidia_gpu *gpu = make_gpu(spec, &m, &s, err);

	*dev = (struct open_device){ 0 };
	if (!gpu)
		return false;
	struct model_feeder *f = nvml_feeder_new(&model_ops, "simulated NVML");
	f->feeder.is_model = true;
	f->gpu = gpu;
	f->opened_ns = o->now_ns;
	sim_nvidia_device(&m, &dev->device);
	dev->sources[dev->n_sources++] = nvml_source_open(dev, o, &f->feeder, &refusal);
	struct source *instances = nvml_source_instances(dev->sources[0]);
	if (instances)
		dev->sources[dev->n_sources++] = instances;
	dev->clients = sim_nvidia_clients_open(nvidia_gpu_new(&m, s.load.load, NULL), o->now_ns);
	open_device_tried(dev, "nvml", "simulated NVML",
		"load, clocks, power, heat, memory, links, and on Hopper the pipes", NULL);
	dram_roof_check(dev, NULL);
	return true;
}
