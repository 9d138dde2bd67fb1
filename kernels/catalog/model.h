/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a correct device computes, bit by bit: the host repeats the kernels for single elements. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernels/catalog/variant.h"

/* This is one launch, as the kernel sees it. */
struct model_launch {
	struct variant_data data;
	uint64_t groups, group_size, turns;
	uint64_t base;		/* in vec */
	uint64_t seed_out, seed_in, seed_in2;	/* what rt_fill put into the buffers before */
};

/* Returns the bits below the exponent that the data vary. The lowest stays 0, so that adding 1
 * loses nothing. */
uint64_t model_mantissa(enum kernel_type type);
/* Returns a number as bits of the type, rounded to nearest even. */
uint64_t model_bits(enum kernel_type type, double v);
/* Returns a constant as kernels get it: as a float, except in double precision. */
double model_constant(enum kernel_type type, double v);
/* Returns what rt_fill writes as element i. */
uint64_t model_data(enum kernel_type type, uint64_t first_bits, uint64_t seed, uint64_t i);
/* Returns element i of out after the launch, for bodies with CHECK_ELEMENT. fused says that the
 * device rounds a multiply-add once. */
uint64_t model_element(
	const struct variant *v, const struct model_launch *l, bool fused, uint64_t i);
/* Returns how many elements of out the launch writes. */
uint64_t model_elements(const struct variant *v, const struct model_launch *l);
