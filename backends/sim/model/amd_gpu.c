/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the clock of a load on an AMD GPU, and writes tables by the layouts of the kernel's header. */
#include "config.h"

#include "backends/sim/model/amd_gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/model/turns.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"

#define TOUR_NS (5 * NS_PER_S)
#define CLOCK_STEP_MHZ 10
#define AMBIENT_DEGC 35
#define LOOKS_PER_S 1000
#define MAX_PHASES (TURNS_MAX * 8) /* each may be a tour, of at most eight */
#define IDLE_BUSY 0.001

/* clang-format off */
const struct amd_machine amd_machines[] = {
	{ "rx7900", "AMD Radeon RX 7900 XTX", "gfx11.0.0", 0x744c, 1, 3, 500, 2500, 1249, 327, 18, 330, 70, 100, 960e9,
	  "RX 7900 XTX: 96 CUs, GDDR6 at 20 GT/s on 384 bits, 2500 MHz boost (amd.com); table 1.3", 1 },
	{ "mi300x", "AMD Instinct MI300X", "gfx9.4.2", 0x74a1, 1, 6, 132, 2100, 1300, 750, 140, 760, 160, 100, 5300e9,
	  "MI300X: 304 CUs, HBM3, 2100 MHz, 750 W (amd.com); table 1.6 with residencies", 1 },
	{ "strix", "AMD Radeon 890M", "gfx11.5.0", 0x150e, 3, 0, 400, 2900, 1000, 28, 3, 26, 5, 100, 120e9,
	  "Ryzen AI 9 HX 370: 16 CUs, LPDDR5X-7500 on 128 bits, 28 W (amd.com); table 3.0", 1 },
};

/* Names of libdrm's amdgpu.ids, versions of Linux amdgpu_discovery.c; the tables of all are of
 * format 1.3 (*_ppt.c). */
static const struct {
	uint16_t pci_device;
	const char *model, *generation;
} others[] = {
	{ 0x731f, "AMD Radeon RX 5700 XT", "gfx10.1.10" },
	{ 0x73bf, "AMD Radeon RX 6900 XT", "gfx10.3.0" },
	{ 0x73df, "AMD Radeon RX 6700 XT", "gfx10.3.2" },
	{ 0x73ff, "AMD Radeon RX 6600 XT", "gfx10.3.4" },
	{ 0x7408, "AMD Instinct MI250X", "gfx9.4.2" },
	{ 0x740f, "AMD Instinct MI210", "gfx9.4.2" },
};

const struct amd_load amd_loads[] = {
	{ "idle", "nothing is submitted", 0, 0, 0, false, true },
	{ "compute", "compute-bound: all units work, within the power limit", 1, 0.6, 0.1, false, true },
	{ "memory", "memory-bound: vectors are added", 1, 0.25, 0.85, false, true },
	{ "power", "all units work, at the power limit", 1, 1, 0.5, false, true },
	{ "hot", "the same beside something that heats it up", 1, 0.6, 0.1, true, true },
	{ "launches", "short kernels, and a host that is slow to start them", 0.4, 0.6, 0.2, false, false },
};
/* clang-format on */

const int amd_machine_count = (int)ARRAY_LEN(amd_machines);
const int amd_load_count = (int)ARRAY_LEN(amd_loads);

struct amd_gpu {
	struct amd_machine machine;
	const struct amd_load *loads[MAX_PHASES];
	int n;
	int64_t each_ns;
};

/* --- what a load comes to --- */

/* Dynamic power goes with the clock and the square of the voltage, which falls to 70 % with the clock. */
static double watt_at(const struct amd_machine *m, const struct amd_load *l, double mhz)
{
	double share = mhz / m->max_mhz, volt = 0.7 + 0.3 * share;

	return m->idle_w +
		l->busy * (l->compute * m->compute_w * share * volt * volt + l->memory * m->dram_w);
}

void amd_load_state(const struct amd_machine *m, const struct amd_load *l, bool is_free,
	struct amd_state *out)
{
	double mhz = l->busy > 0 ? m->max_mhz : m->min_mhz;

	*out = (struct amd_state){ .load = l,
		.busy = fmax(l->busy, IDLE_BUSY),
		.memory = l->busy * fmin(l->memory, m->reach) };
	if (l->is_hot && !is_free) {
		mhz = 0.7 * m->max_mhz;
		out->held = AMD_HELD_BY_HEAT;
	}
	while (!is_free && watt_at(m, l, mhz) > m->limit_w && mhz > m->min_mhz) {
		mhz -= CLOCK_STEP_MHZ;
		out->held = AMD_HELD_BY_POWER;
	}
	out->mhz = mhz;
	out->watt = watt_at(m, l, mhz);
	out->degc = AMBIENT_DEGC + (m->hot_degc - AMBIENT_DEGC) * 0.8 * out->watt / m->limit_w;
	if (out->held == AMD_HELD_BY_HEAT)
		out->degc = m->hot_degc;
}

/* --- the GPU over time --- */

const struct amd_machine *amd_machine_by_name(const char *name)
{
	for (int i = 0; i < amd_machine_count; i++)
		if (spec_is_of(name, amd_machines[i].name))
			return &amd_machines[i];
	return NULL;
}

bool amd_machine_become(struct amd_machine *m, uint16_t pci_device)
{
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		if (others[i].pci_device != pci_device)
			continue;
		m->pci_device = pci_device;
		m->model = others[i].model;
		m->generation = others[i].generation;
		m->format = 1;
		m->content = 3;
		return true;
	}
	return pci_device == m->pci_device;
}

static bool add_load(void *card, const char *name)
{
	struct amd_gpu *g = card;
	bool is_tour = !strcmp(name, "tour");
	int before = g->n;

	/* The tour begins with something to see. */
	for (int i = 1; i <= amd_load_count; i++) {
		const struct amd_load *l = &amd_loads[i % amd_load_count];
		bool is_meant = !strcmp(l->name, name);

		if (is_tour)
			is_meant = l->in_tour;
		if (is_meant && g->n < MAX_PHASES)
			g->loads[g->n++] = l;
	}
	return g->n > before;
}

struct amd_gpu *amd_gpu_new(const struct amd_machine *m, const char *load, struct err *err)
{
	struct amd_gpu *g = xcalloc(1, sizeof(*g));
	struct load_turns turns;
	bool good = load_turns_parse(load, TOUR_NS, &turns, err);

	g->machine = *m;
	g->each_ns = turns.each_ns;
	if (good && load_turns_add(&turns, m->name, add_load, g, err))
		return g;
	free(g);
	return NULL;
}

void amd_gpu_free(struct amd_gpu *g)
{
	free(g);
}

void amd_gpu_state(const struct amd_gpu *g, int64_t t_ns, struct amd_state *out)
{
	amd_load_state(&g->machine, g->loads[t_ns / g->each_ns % g->n], false, out);
}

/* Everything since the start. */
struct sums {
	double looks, power_looks, heat_looks, joules;
};

static struct sums sums_until(const struct amd_gpu *g, int64_t t_ns)
{
	/* The card has run before, so that its sums have begun. */
	struct sums sum = { .looks = (double)t_ns / NS_PER_S * LOOKS_PER_S, .joules = 1 };
	int64_t round_ns = g->n * g->each_ns;

	for (int i = 0; i < g->n; i++) {
		int64_t part_ns = t_ns % round_ns - i * g->each_ns;
		struct amd_state s;

		amd_load_state(&g->machine, g->loads[i], false, &s);
		part_ns = max_i64(0, min_i64(part_ns, g->each_ns));
		double seconds = (double)(t_ns / round_ns * g->each_ns + part_ns) / NS_PER_S;
		sum.power_looks += s.held == AMD_HELD_BY_POWER ? seconds * LOOKS_PER_S : 0;
		sum.heat_looks += s.held == AMD_HELD_BY_HEAT ? seconds * LOOKS_PER_S : 0;
		sum.joules += s.watt * seconds;
	}
	return sum;
}

/* --- tables --- */

enum table_value {
	HOTSPOT_C, HOTSPOT_CC, WATT, MILLIWATT, BUSY, MEMORY_BUSY, ENERGY, CLOCK, HIGHEST_CLOCK, MEMORY_CLOCK,
	READ_MB_S, WRITE_MB_S, ALL_LOOKS, POWER_LOOKS, HEAT_LOOKS, NO_LOOKS, VALUES
};

/* Where values lie in a table. Fields that are not listed have all bits set, which means "none". */
static const struct table_field {
	uint8_t format, content;
	uint16_t offset;
	uint8_t bytes;
	enum table_value value;
} fields[] = {
	/* Linux kgd_pp_interface.h, gpu_metrics_v1_3 */
	{ 1, 3, 4, 2, HOTSPOT_C }, { 1, 3, 6, 2, HOTSPOT_C }, { 1, 3, 16, 2, BUSY }, { 1, 3, 18, 2, MEMORY_BUSY },
	{ 1, 3, 22, 2, WATT }, { 1, 3, 24, 8, ENERGY }, { 1, 3, 54, 2, CLOCK }, { 1, 3, 58, 2, MEMORY_CLOCK },
	/* gpu_metrics_v1_6 */
	{ 1, 6, 4, 2, HOTSPOT_C }, { 1, 6, 10, 2, WATT }, { 1, 6, 12, 2, BUSY }, { 1, 6, 14, 2, MEMORY_BUSY },
	{ 1, 6, 16, 8, ENERGY }, { 1, 6, 32, 4, ALL_LOOKS }, { 1, 6, 36, 4, NO_LOOKS }, { 1, 6, 40, 4, POWER_LOOKS },
	{ 1, 6, 44, 4, HEAT_LOOKS }, { 1, 6, 48, 4, NO_LOOKS }, { 1, 6, 52, 4, NO_LOOKS }, { 1, 6, 264, 2, CLOCK },
	{ 1, 6, 304, 2, MEMORY_CLOCK },
	/* gpu_metrics_v3_0 */
	{ 3, 0, 4, 2, HOTSPOT_CC }, { 3, 0, 94, 2, READ_MB_S }, { 3, 0, 96, 2, WRITE_MB_S }, { 3, 0, 112, 4, MILLIWATT },
	{ 3, 0, 124, 4, MILLIWATT }, { 3, 0, 174, 2, CLOCK }, { 3, 0, 186, 2, MEMORY_CLOCK },
	{ 3, 0, 224, 2, HIGHEST_CLOCK }, { 3, 0, 228, 4, NO_LOOKS }, { 3, 0, 232, 4, POWER_LOOKS },
	{ 3, 0, 236, 4, NO_LOOKS }, { 3, 0, 240, 4, NO_LOOKS }, { 3, 0, 244, 4, NO_LOOKS }, { 3, 0, 248, 4, HEAT_LOOKS },
	{ 3, 0, 252, 4, NO_LOOKS },
};

static const struct {
	uint8_t format, content;
	uint16_t bytes;
} sizes[] = { { 1, 3, 120 }, { 1, 6, 1664 }, { 3, 0, 264 } };

static void put(uint8_t *at, int bytes, uint64_t v)
{
	for (int i = 0; i < bytes; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

size_t amd_gpu_table(const struct amd_gpu *g, int64_t t_ns, uint8_t data[AMD_TABLE_MAX])
{
	const struct amd_machine *m = &g->machine;
	struct sums sum = sums_until(g, t_ns);
	struct amd_state s;
	size_t size = 0;

	amd_gpu_state(g, t_ns, &s);
	const double values[VALUES] = {
		[HOTSPOT_C] = s.degc, [HOTSPOT_CC] = 100 * s.degc, [WATT] = s.watt, [MILLIWATT] = 1000 * s.watt,
		[BUSY] = 100 * s.busy, [MEMORY_BUSY] = 100 * s.memory,
		[ENERGY] = sum.joules * 65536, [CLOCK] = s.mhz,
		[HIGHEST_CLOCK] = s.held ? s.mhz : m->max_mhz, [MEMORY_CLOCK] = m->memory_mhz,
		[READ_MB_S] = fmin(s.memory * m->dram_bytes_per_s / 3e6 * 2, 65534),
		[WRITE_MB_S] = fmin(s.memory * m->dram_bytes_per_s / 3e6, 65534),
		[ALL_LOOKS] = sum.looks, [POWER_LOOKS] = sum.power_looks, [HEAT_LOOKS] = sum.heat_looks,
	};
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		if (sizes[i].format == m->format && sizes[i].content == m->content)
			size = sizes[i].bytes;
	memset(data, 0xff, size);
	put(data, 2, size);
	data[2] = m->format;
	data[3] = m->content;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		const struct table_field *f = &fields[i];

		if (f->format == m->format && f->content == m->content)
			put(data + f->offset, f->bytes, (uint64_t)llround(values[f->value]));
	}
	return size;
}
