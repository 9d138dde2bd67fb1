/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One way of building and launching a kernel: what the tuner varies, the compiler's options and the
 * numbers that go in. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "kernels/catalog/catalog.h"

/* The spec has its width and steps here. The struct is plain data. */
struct variant {
	struct kernel_spec spec;
	bool fma;		/* fma() or the expression */
	bool quadratic;		/* x * x + b or x * a + b; only for mad in registers */
	int accumulators;	/* 1 where the body has none */
	uint64_t group_size;	/* 0: by the device */
	uint64_t turns;		/* vec an item of bodies that stream; 0: by the device */
	int sub_group;		/* BODY_MATRIX: items that share a product, 8 or 16 */
	bool emulated;		/* BODY_MATRIX: without the engine, for tests */
};

/* The sources know these numbers of accumulators. */
#define VARIANT_ACCUMULATORS { 1, 2, 3, 4, 6, 8, 10, 12, 16 }

/* Writes "fma affine 8 chains, groups of 64", for logs. */
const char *variant_text(const struct variant *v, char *buf, size_t size);
/* Writes a variant as one line for the file of tuned variants, or reads it back; only values that
 * exist are taken. */
const char *variant_encode(const struct variant *v, char *buf, size_t size);
bool variant_decode(const char *text, struct variant *v);
/* Appends the compiler's options, which never relax arithmetic. */
void variant_options(const struct variant *v, struct strbuf *out);
/* Appends the options that only say the type, for check.cl. */
void variant_type_options(enum kernel_type type, struct strbuf *out);
/* Returns the repetitions of the body in one turn of its loop. */
uint64_t variant_granule(const struct variant *v);

/* These numbers go in: constants, and the binade of the data. */
struct variant_data {
	double a, b;
	double first;		/* data are in [first, 2 * first) */
};

/* Returns data for a load: values stay where they are, or wander for ever, so that slices are
 * equal. Bodies of flops.* get the thesis' constants. */
struct variant_data variant_load_data(const struct variant *v);
/* Returns data for a check: values round in each step and keep what went wrong. */
struct variant_data variant_probe_data(const struct variant *v);
