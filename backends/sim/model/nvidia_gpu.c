/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what bounds a load on a card, and how its counters grow. */
#include "config.h"

#include "backends/sim/model/nvidia_gpu.h"
#include "backends/sim/model/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/nvidia/sm_table.h"
#include "base/clock.h"
#include "base/mem.h"

#define TOUR_NS (10 * NS_PER_S)
#define WARP 32
#define SCHEDULERS 4
#define CLOCK_STEP_MHZ 15
#define DRAM_WAIT_NS 500
#define FILL 8			/* groups for each SM of a load that fills the card */
#define AMBIENT_DEGC 30
#define HOT_DEGC 50		/* more than that at the power limit */
#define MAX_PHASES (TURNS_MAX * 8) /* each may be a tour, of at most eight */

/* clang-format off */
const struct nvidia_machine nvidia_machines[] = {
	{ "h100", "NVIDIA H100 80GB HBM3", 0x2330, 9, 0, 132, 64, 345, 1980, 2619, 5120, 80e9, 5, 16, 450e9, 700, 75,
	  { 210, 260, 180, 160, 560, 520, 420 }, 60, 130, true, true, 87, 8, 0,
	  "H100 SXM5: 132 SMs, 1980 MHz, HBM3 at 2619 MHz on 5120 bits, 700 W (NVIDIA H100 white paper; nvidia-smi logs)", 0.93, 0 },
	{ "rtx4090", "NVIDIA GeForce RTX 4090", 0x2684, 8, 9, 128, 48, 210, 2520, 10501, 384, 24e9, 4, 16, 0, 450, 22,
	  { 300, 60, 300, 200, 330, 330, 0 }, 50, 70, false, false, 90, 0, 3000,
	  "RTX 4090: 128 SMs, 2520 MHz boost, GDDR6X at 10501 MHz on 384 bits, 450 W (NVIDIA Ada white paper); no GPM", 0.93, 0 },
};

/* Other GPUs, by NVIDIA's data sheets and CUDA's table of compute capabilities. */
static const struct {
	uint16_t pci_device;
	const char *model;
	int cc_major, cc_minor, sms, warps, bus_bits;
} others[] = {
	{ 0x1db1, "Tesla V100-SXM2-16GB", 7, 0, 80, 64, 4096 },
	{ 0x1eb8, "Tesla T4", 7, 5, 40, 32, 256 },
	{ 0x20b0, "NVIDIA A100-SXM4-40GB", 8, 0, 108, 64, 5120 },
	{ 0x2204, "NVIDIA GeForce RTX 3090", 8, 6, 82, 48, 384 },
	{ 0x26b9, "NVIDIA L40S", 8, 9, 142, 48, 384 },
	{ 0x2331, "NVIDIA H100 PCIe", 9, 0, 114, 64, 5120 },
	{ 0x2335, "NVIDIA H200", 9, 0, 132, 64, 6144 },
	{ 0x2901, "NVIDIA B200", 10, 0, 148, 64, 8192 },
	{ 0x2b85, "NVIDIA GeForce RTX 5090", 12, 0, 170, 48, 512 },
};

const struct nvidia_load nvidia_loads[] = {
	{ .name = "idle", .text = "nothing is submitted", .memory_used = 0.01, .in_tour = true },
	{ .name = "stream", .text = "memory-bound: vectors are added", .instructions = { [NVIDIA_FP32] = 1, [NVIDIA_INTEGER] = 2 },
	  .others = 3, .dram_bytes = 384, .chain_cycles = 40, .memory_waits = 1, .warps_per_group = 8, .memory_used = 0.6, .in_tour = true },
	{ .name = "fma", .text = "compute-bound: chains of single precision multiply-adds", .instructions = { [NVIDIA_FP32] = 64, [NVIDIA_INTEGER] = 2 },
	  .others = 2, .chain_cycles = 64 * 4, .warps_per_group = 8, .memory_used = 0.05, .in_tour = true },
	{ .name = "gemm", .text = "matrices on tensor units, at the power limit", .instructions = { [NVIDIA_TENSOR_HALF] = 64 * 1024, [NVIDIA_INTEGER] = 6 },
	  .others = 10, .dram_bytes = 256, .chain_cycles = 120, .memory_waits = 0.1, .warps_per_group = 8, .warps_fit = 16, .memory_used = 0.7, .in_tour = true },
	{ .name = "fewgroups", .text = "too few work-groups: a third of the SMs has one", .instructions = { [NVIDIA_FP32] = 64, [NVIDIA_INTEGER] = 2 },
	  .others = 2, .chain_cycles = 64 * 4, .groups = -3, .warps_per_group = 32, .memory_used = 0.05, .in_tour = true },
	{ .name = "chase", .text = "latency: chains of pointers in memory", .instructions = { [NVIDIA_INTEGER] = 1 },
	  .others = 1, .dram_bytes = 32, .chain_cycles = 30, .memory_waits = 1, .warps_per_group = 16, .memory_used = 0.3, .in_tour = true },
	{ .name = "launches", .text = "short kernels, and a host that is slow to start them", .instructions = { [NVIDIA_FP32] = 64 },
	  .others = 2, .chain_cycles = 256, .warps_per_group = 8, .launch_us = 20, .pause_us = 60, .memory_used = 0.1 },
	{ .name = "dp", .text = "chains of double precision multiply-adds", .instructions = { [NVIDIA_FP64] = 64, [NVIDIA_INTEGER] = 2 },
	  .others = 2, .chain_cycles = 64 * 8, .warps_per_group = 8, .memory_used = 0.05 },
	{ .name = "hp", .text = "chains of half precision multiply-adds", .instructions = { [NVIDIA_FP16] = 64, [NVIDIA_INTEGER] = 2 },
	  .others = 2, .chain_cycles = 64 * 4, .warps_per_group = 8, .memory_used = 0.05 },
	{ .name = "integer", .text = "chains of integer additions", .instructions = { [NVIDIA_INTEGER] = 64 },
	  .others = 2, .chain_cycles = 64 * 4, .warps_per_group = 8, .memory_used = 0.05 },
	{ .name = "upload", .text = "the host sends what kernels wait for, over PCIe", .instructions = { [NVIDIA_FP32] = 1 },
	  .others = 1, .dram_bytes = 64, .chain_cycles = 400, .memory_waits = 2, .warps_per_group = 4, .warps_fit = 4, .pcie_in = 0.86, .pcie_out = 0.02,
	  .memory_used = 0.5 },
	{ .name = "allreduce", .text = "cards exchange sums over NVLink", .instructions = { [NVIDIA_FP32] = 1 },
	  .others = 2, .dram_bytes = 64, .chain_cycles = 400, .memory_waits = 2, .warps_per_group = 4, .warps_fit = 4, .nvlink = 0.9, .memory_used = 0.5 },
};
/* clang-format on */

const int nvidia_machine_count = (int)ARRAY_LEN(nvidia_machines);
const int nvidia_load_count = (int)ARRAY_LEN(nvidia_loads);

/* How the totals grow in a nanosecond of a phase, and what is so in it. */
struct phase {
	const struct nvidia_load *load;
	struct nvidia_totals rate;
	double mhz, watt;
	bool is_busy, is_held;
};

struct nvidia_gpu {
	struct nvidia_machine machine;
	struct phase phases[MAX_PHASES];
	int n_phases;
	int64_t phase_ns;
};

double nvidia_dram_peak(const struct nvidia_machine *m)
{
	return 2.0 * m->memory_mhz * 1e6 * m->bus_bits / 8;
}

/* 16 and 32 GT/s with 128 of 130 bits. */
double nvidia_link_peak(const struct nvidia_machine *m)
{
	return m->link_lanes * ldexp(2e9, m->link_generation - 4) * 128 / 130;
}

int nvidia_slices(const struct nvidia_machine *m, int i)
{
	char digits[12];
	int n = snprintf(digits, sizeof(digits), "%u", m->mig);

	return m->mig && i < n ? digits[i] - '0' : 0;
}

/* Share of the card that works while the load of its first instance does. */
static double working_part(const struct nvidia_machine *m)
{
	double part = m->mig ? 0 : 1;

	for (int i = 0; nvidia_slices(m, i); i++)
		part += (double)nvidia_slices(m, i) * nvidia_slice_sms(m) / m->sms / (i + 1);
	return part;
}

/* --- what bounds a load --- */

/* Multiply-adds (plain pipes: results) of one SM in a clock. */
static void lanes_of(const struct nvidia_machine *m, double lanes[NVIDIA_PIPES])
{
	struct sm_lanes l = sm_lanes_of(m->cc_major, m->cc_minor);

	lanes[NVIDIA_FP32] = l.fp32;
	lanes[NVIDIA_FP64] = l.fp64;
	lanes[NVIDIA_FP16] = l.fp16;
	lanes[NVIDIA_INTEGER] = 64;	/* CUDA C++ programming guide: 9.0 and 8.9 */
	lanes[NVIDIA_TENSOR_HALF] = l.tensor_half;
	lanes[NVIDIA_TENSOR_INT8] = l.tensor_int8;
	lanes[NVIDIA_TENSOR_FP64] = l.tensor_fp64;
}

/* Results of a warp's instruction, and instructions of one that a load counts. Half precision works
 * on pairs; loads count the multiply-adds of tensor units, whose instruction for a warp has 16 x 8
 * x 16 of them (PTX, mma.m16n8k16). */
static const struct {
	double results, instructions;
} width[NVIDIA_PIPES] = {
	[NVIDIA_FP32] = { WARP, 1 },
	[NVIDIA_FP64] = { WARP, 1 },
	[NVIDIA_FP16] = { 2 * WARP, 1 },
	[NVIDIA_INTEGER] = { WARP, 1 },
	[NVIDIA_TENSOR_HALF] = { 1, 1.0 / 2048 },
	[NVIDIA_TENSOR_INT8] = { 1, 1.0 / 4096 },
	[NVIDIA_TENSOR_FP64] = { 1, 1.0 / 256 },
};

/* What a load comes to at one clock, while it runs. */
struct pace {
	double pipe[NVIDIA_PIPES];	/* busy shares, averaged over all SMs */
	double loaded, occupancy, dram;	/* shares */
	double trip_cycles;		/* between two trips of the warps of an SM that has some */
};

/* How groups lie on the SMs: all go on until the one with the most is done. */
struct placing {
	double spread;		/* share of SM time with a group */
	double resident;	/* warps of an SM that has some */
};

static struct placing place(
	const struct nvidia_machine *m, const struct nvidia_load *l, unsigned without)
{
	int groups = l->groups ? l->groups : FILL * m->sms;
	int fit = l->warps_fit ? l->warps_fit : m->warps;

	if (groups < 0)
		groups = m->sms / -groups;
	if (without & 1u << NVIDIA_LIMIT_GROUPS)
		return (struct placing){ 1, m->warps };
	int rounds = (groups + m->sms - 1) / m->sms;
	return (struct placing){ (double)groups / (rounds * m->sms),
		fmin(fit, (double)rounds * l->warps_per_group) };
}

/* The slowest resource decides how long a trip takes. */
static struct pace pace_at(const struct nvidia_machine *m, const struct nvidia_load *l, double mhz,
	unsigned without)
{
	double lanes[NVIDIA_PIPES], cycles[NVIDIA_PIPES] = { 0 }, issued = l->others, slowest = 1e-9;
	struct placing at = place(m, l, without);
	struct pace p = { 0 };

	lanes_of(m, lanes);
	for (int i = 0; i < NVIDIA_PIPES; i++) {
		issued += l->instructions[i] * width[i].instructions;
		if (l->instructions[i] > 0)
			cycles[i] = l->instructions[i] * width[i].results / lanes[i];
		if (!(without & 1u << i))
			slowest = fmax(slowest, cycles[i]);
	}
	if (!(without & 1u << NVIDIA_LIMIT_ISSUE))
		slowest = fmax(slowest, issued / SCHEDULERS);
	if (!(without & 1u << NVIDIA_LIMIT_LATENCY))
		slowest = fmax(slowest,
			(l->chain_cycles + l->memory_waits * DRAM_WAIT_NS * mhz / 1000) / at.resident);
	double peak = nvidia_dram_peak(m) / (mhz * 1e6) / m->sms;	/* bytes a clock and SM */
	if (!(without & 1u << NVIDIA_LIMIT_DRAM))
		slowest = fmax(slowest, l->dram_bytes * at.spread / (peak * m->reach));
	for (int i = 0; i < NVIDIA_PIPES; i++)
		p.pipe[i] = cycles[i] / slowest * at.spread;
	p.loaded = at.spread;
	p.occupancy = at.resident / m->warps * at.spread;
	p.dram = l->dram_bytes * at.spread / slowest / peak;
	p.trip_cycles = slowest;
	return p;
}

/* Dynamic power goes with the clock and the square of the voltage, which falls to 70 % with the
 * clock. */
static double watt_at(const struct nvidia_machine *m, const struct pace *p, double duty, double mhz)
{
	double share = mhz / m->max_mhz, volt = 0.7 + 0.3 * share, active = p->loaded * m->sm_w;

	for (int i = 0; i < NVIDIA_PIPES; i++)
		active += p->pipe[i] * m->pipe_w[i];
	return m->idle_w + duty * working_part(m) * (active * share * volt * volt + p->dram * m->dram_w);
}

static bool has_pipes(const struct nvidia_machine *m, const struct nvidia_load *l)
{
	double lanes[NVIDIA_PIPES];

	lanes_of(m, lanes);
	for (int i = 0; i < NVIDIA_PIPES; i++)
		if (l->instructions[i] > 0 && lanes[i] <= 0)
			return false;
	return l->nvlink <= 0 || m->nvlink_bytes_per_s > 0;
}

/* The highest clock whose power is within the limit. */
static double clock_of(const struct nvidia_machine *m, const struct nvidia_load *l, double duty,
	unsigned without, struct pace *p)
{
	double mhz = m->max_mhz;

	*p = pace_at(m, l, mhz, without);
	while (!(without & 1u << NVIDIA_LIMIT_POWER) && watt_at(m, p, duty, mhz) > m->limit_w &&
		mhz > m->min_mhz) {
		mhz -= CLOCK_STEP_MHZ;
		*p = pace_at(m, l, mhz, without);
	}
	return mhz;
}

static double duty_of(const struct nvidia_load *l)
{
	return l->pause_us > 0 ? l->launch_us / (l->launch_us + l->pause_us) : l->others > 0;
}

double nvidia_load_trips(
	const struct nvidia_machine *m, const struct nvidia_load *l, unsigned without)
{
	double duty = without & 1u << NVIDIA_LIMIT_PAUSE ? 1 : duty_of(l);
	struct pace p;
	double mhz = clock_of(m, l, duty, without, &p);

	return duty * p.loaded * m->sms * mhz * 1e6 / p.trip_cycles;
}

static void make_phase(
	struct phase *ph, const struct nvidia_machine *m, const struct nvidia_load *l)
{
	bool works = l->others > 0;
	double duty = duty_of(l), mhz = m->min_mhz;
	struct pace p = { 0 };

	if (works)
		mhz = clock_of(m, l, duty, 0, &p);
	*ph = (struct phase){ .load = l,
		.mhz = mhz,
		.watt = watt_at(m, &p, duty, mhz),
		.is_busy = works,
		.is_held = works && mhz < m->max_mhz };
	double clocks = mhz / 1000;	/* in a nanosecond */
	struct nvidia_totals *r = &ph->rate;
	r->clocks = clocks;
	r->loaded = clocks * duty * p.loaded;
	r->occupied = clocks * duty * p.occupancy;
	for (int i = 0; i < NVIDIA_PIPES; i++)
		r->pipe[i] = clocks * duty * p.pipe[i];
	r->busy_ns = duty;
	r->memory_busy_ns = duty * fmin(1, 1.2 * p.dram);
	r->held_ns = ph->is_held;
	r->dram_bytes = duty * p.dram * nvidia_dram_peak(m) / 1e9;
	r->pcie_in_bytes = duty * l->pcie_in * nvidia_link_peak(m) / 1e9;
	r->pcie_out_bytes = duty * l->pcie_out * nvidia_link_peak(m) / 1e9;
	r->nvlink_bytes = duty * l->nvlink * m->nvlink_bytes_per_s / 1e9;
	r->energy_j = ph->watt / 1e9;
}

/* --- the card over time --- */

const struct nvidia_machine *nvidia_machine_by_name(const char *name)
{
	for (int i = 0; i < nvidia_machine_count; i++)
		if (spec_is_of(name, nvidia_machines[i].name))
			return &nvidia_machines[i];
	return NULL;
}

bool nvidia_machine_become(struct nvidia_machine *m, uint16_t pci_device)
{
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		if (others[i].pci_device != pci_device)
			continue;
		m->pci_device = pci_device;
		m->model = others[i].model;
		m->cc_major = others[i].cc_major;
		m->cc_minor = others[i].cc_minor;
		m->sms = others[i].sms;
		m->warps = others[i].warps;
		m->bus_bits = others[i].bus_bits;
		m->has_gpm = m->cc_major >= 9;	/* NVML: from Hopper on */
		return true;
	}
	return false;
}

/* The tour begins with something to see. Returns false for a load that this card does not have. */
static bool add_load(void *card, const char *load)
{
	struct nvidia_gpu *g = card;
	bool is_tour = !strcmp(load, "tour");
	int before = g->n_phases;

	for (int i = 1; i <= nvidia_load_count; i++) {
		const struct nvidia_load *l = &nvidia_loads[i % nvidia_load_count];
		bool is_meant = !strcmp(l->name, load);

		if (is_tour)
			is_meant = l->in_tour;
		if (is_meant && g->n_phases < MAX_PHASES && has_pipes(&g->machine, l))
			make_phase(&g->phases[g->n_phases++], &g->machine, l);
	}
	return g->n_phases > before;
}

struct nvidia_gpu *nvidia_gpu_new(const struct nvidia_machine *m, const char *load, struct err *err)
{
	struct nvidia_gpu *g = xcalloc(1, sizeof(*g));
	struct load_turns turns;
	bool good = load_turns_parse(load, TOUR_NS, &turns, err);

	g->machine = *m;
	g->phase_ns = turns.each_ns;
	if (good && load_turns_add(&turns, m->name, add_load, g, err))
		return g;
	free(g);
	return NULL;
}

void nvidia_gpu_free(struct nvidia_gpu *g)
{
	free(g);
}

const struct nvidia_machine *nvidia_gpu_machine(const struct nvidia_gpu *g)
{
	return &g->machine;
}

static void add(struct nvidia_totals *out, const struct nvidia_totals *rate, double ns)
{
	const double *from = (const double *)rate;
	double *to = (double *)out;

	for (size_t i = 0; i < sizeof(*out) / sizeof(double); i++)
		to[i] += from[i] * ns;
}

void nvidia_gpu_totals(const struct nvidia_gpu *g, int64_t t_ns, struct nvidia_totals *out)
{
	int64_t round_ns = g->n_phases * g->phase_ns, rest_ns = t_ns % round_ns;

	*out = (struct nvidia_totals){ 0 };
	for (int i = 0; i < g->n_phases; i++) {
		int64_t part_ns = rest_ns - i * g->phase_ns;

		if (part_ns < 0)
			part_ns = 0;
		if (part_ns > g->phase_ns)
			part_ns = g->phase_ns;
		add(out, &g->phases[i].rate, (double)(t_ns / round_ns * g->phase_ns + part_ns));
	}
}

void nvidia_gpu_state(const struct nvidia_gpu *g, int64_t t_ns, struct nvidia_state *out)
{
	const struct phase *p = &g->phases[t_ns / g->phase_ns % g->n_phases];
	const struct nvidia_machine *m = &g->machine;
	int eighths = m->mig ? 0 : 8;

	for (int i = 0; nvidia_slices(m, i); i++)
		eighths += nvidia_slices(m, i);
	*out = (struct nvidia_state){ .mhz = p->mhz,
		.watt = p->watt,
		.temperature_degc = AMBIENT_DEGC + HOT_DEGC * p->watt / m->limit_w,
		.memory_used_bytes = p->load->memory_used * m->memory_bytes * eighths / 8,
		.is_busy = p->is_busy,
		.is_held = p->is_held,
		.load = p->load };
}
