/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models an AMD GPU as its driver tells of it: busy time, clock, power, heat and the table gpu_metrics.
 *
 * Modelled: loads that fill compute units and memory by so much, pauses between launches, power that
 * goes with the clock and the square of the voltage, the highest clock that the power limit or the
 * heat leaves, and what held it.
 * Assumed: all energies and temperatures, which are round numbers; firmware looks a thousand times a
 * second at what holds the clock.
 * Not modelled: what compute units do, because no counter of amdgpu tells it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define AMD_TABLE_MAX 4096

/* A GPU. Const data. */
struct amd_machine {
	const char *name, *model, *generation;
	uint16_t pci_device;
	uint8_t format, content;	/* of its table: 1.3 */
	int min_mhz, max_mhz, memory_mhz;
	double limit_w, idle_w, compute_w, dram_w;	/* with all units or the memory full, at the highest clock */
	double hot_degc;		/* where the clock is lowered */
	double dram_bytes_per_s;
	const char *source;
	double reach;			/* share of that which the memory delivers */
};

/* What it does while it is busy, in shares of its units and of its memory. Const data. */
struct amd_load {
	const char *name, *text;
	double busy, compute, memory;
	bool is_hot;			/* something else heats it up to where the clock is lowered */
	bool in_tour;
};

enum amd_holder { AMD_HELD_BY_NOTHING, AMD_HELD_BY_POWER, AMD_HELD_BY_HEAT };

/* What is so at a moment. */
struct amd_state {
	const struct amd_load *load;
	double mhz, watt, degc, busy, memory;
	enum amd_holder held;
};

extern const struct amd_machine amd_machines[];
extern const int amd_machine_count;
extern const struct amd_load amd_loads[];
extern const int amd_load_count;

struct amd_gpu;	/* opaque */

const struct amd_machine *amd_machine_by_name(const char *name);
/* Makes it the card of that PCI id beside the same memory and clocks; false: none is known. */
bool amd_machine_become(struct amd_machine *m, uint16_t pci_device);
/* The load is the name of one, "tour" for those that are in it, or several with '>'. */
struct amd_gpu *amd_gpu_new(const struct amd_machine *m, const char *load, struct err *err);
void amd_gpu_free(struct amd_gpu *g);
void amd_gpu_state(const struct amd_gpu *g, int64_t t_ns, struct amd_state *out);
/* Writes the table gpu_metrics of that moment as the driver hands it out; returns its bytes. */
size_t amd_gpu_table(const struct amd_gpu *g, int64_t t_ns, uint8_t data[AMD_TABLE_MAX]);
/* Fills what a load comes to without a power limit and without heat, or as it is. */
void amd_load_state(const struct amd_machine *m, const struct amd_load *l, bool is_free,
	struct amd_state *out);
