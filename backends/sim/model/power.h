/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model of energy: what activity costs, and the clock that a package power limit leaves.
 *
 * Modelled: static power proportional to voltage; dynamic energy per event proportional to voltage
 * squared; voltage linear in the clock between the device's limits; planes as RAPL has them
 * (package = GPU + cores + the rest of the chip; DRAM beside it); RAPL registers of 32 bits,
 * refreshed each millisecond (Intel SDM vol. 3B), in units of 2^-14 J, or 32 uJ on Silvermont and
 * its kin (Linux intel_rapl_common.c). The power limit PL1 acts at once: the clock is the highest
 * 50 MHz step whose mean package power does not exceed it.
 * Fitted, for the HD 620: fpu_nj and dp_nj, to the mean power of the thesis' power kernels by its
 * equation 4.3, package less cores less DRAM (H. Duarte, 2018, ch. 5: 11.45 W in single and 11.72 W
 * in double precision, at 1050 MHz). Double precision keeps one FPU busy where single precision
 * keeps both, and draws as much: so a busy cycle in double precision costs about twice as much. That
 * ratio is used for the other devices too.
 * Assumed: all other energies. They are round numbers that put a GPU with every FPU busy at its
 * highest clock somewhat below the thermal design power of the part; nothing but the two figures
 * above, what follows from them, and the order of widths (kernel.h) may be compared with a machine.
 * Not modelled: PL2 and its budget over time, temperature, data-dependent toggling, display and
 * memory controller idle states. */
#pragma once

#include <stdbool.h>

#include "backends/sim/model/eu_array.h"

/* Holds what activity costs. It is plain data; energies are those at 1 V. */
struct power_config {
	double limit_w;			/* PL1 */
	double min_v, max_v;		/* at the lowest and the highest clock */
	double min_hz, max_hz, gpu_static_w;
	double rest_static_w;		/* of the package, neither GPU nor cores */
	double dram_static_w;
	double cycle_nj;		/* unslice and clock tree, per GPU cycle */
	double eu_nj;			/* per EU cycle with a thread */
	double fpu_nj;			/* per busy FPU cycle, other than */
	double dp_nj;			/* in double precision; per busy cycle of the matrix engine, too */
	double send_nj;			/* per busy cycle of a send pipe */
	double line_nj;			/* per 64 bytes from or to the L3 */
	double gti_nj;			/* per 64 bytes through the GTI, on the package plane */
	double dram_nj;			/* per 64 bytes, on the DRAM plane */
	bool is_card;			/* its memory draws from the limited plane, and no cores do */
};

/* Of a card the first one is the whole card. */
enum power_plane { POWER_PACKAGE, POWER_CORES, POWER_GPU, POWER_DRAM, POWER_PLANES };

#define POWER_STEP_HZ 50e6

/* Gives the energy of a phase in nJ, per plane, at that clock; cores_w is what the CPU cores take
 * meanwhile. */
void power_phase(const struct power_config *c, const struct phase *p, double hz, double cores_w,
	double nj[POWER_PLANES]);
/* Gives the mean power in W over a list of phases. */
void power_mean(const struct power_config *c, const struct phase_list *l, double hz, double cores_w,
	double w[POWER_PLANES]);
