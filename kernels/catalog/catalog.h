/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stress kernels as data: bodies, operations, types and widths, what each name means and how
 * much work it is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/work/job.h"

#define CATALOG_MAX_WIDTH 16
#define CATALOG_MAX_STEPS 512

/* TYPE_MATRIX: words that the matrix engine takes apart by itself. */
enum kernel_type { TYPE_SP, TYPE_DP, TYPE_HP, TYPE_INT, TYPE_MATRIX, TYPE_COUNT };

struct type_row {
	const char *name;	/* "sp" */
	const char *cl;		/* "float" */
	int bytes;
	const char *extension;	/* OpenCL extension that it needs, NULL */
};

struct op_row {
	const char *name;	/* "mad" */
	int flop;		/* of one operation on one element */
};

/* Says how the host knows the results of a body before it runs. */
enum kernel_check {
	CHECK_ELEMENT,		/* the host works out sampled elements of the output, bit by bit */
	CHECK_RING,		/* the end of a walk on a cycle */
	CHECK_COUNT,		/* the sum of counters */
	CHECK_NONE,		/* there is no result */
};

/* This is the work of one item, counted in elements of the type: once in every launch, rep in each
 * repetition. It is multiplied by the width. */
struct body_work {
	double read_once, read_rep, write_once, write_rep, local_once, local_rep;
	double ops_once, ops_rep;	/* not times the width */
	double flop_rep;		/* operations of the op, or FLOP where the body has none */
};

/* Says how large a buffer of a body is. */
enum body_extent {
	EXTENT_NONE,		/* not used */
	EXTENT_WORD,		/* one element */
	EXTENT_ITEMS,		/* a vec an item */
	EXTENT_TWICE,		/* two vec an item: constants for even and for odd steps */
	EXTENT_LINES,		/* 64 bytes an item */
	EXTENT_ARRAY,		/* more than the caches hold */
	EXTENT_RING,		/* the size that the name says */
};

struct body_buffers {
	enum body_extent out, in, in2;
};

/* A row of the table in catalog.c is one body in one .cl file. */
struct body_row {
	const char *group;	/* first word of the name */
	const char *family;	/* second word, or "" where the group says all */
	const char *file;	/* "private.cl" */
	const char *function;	/* "rt_private" */
	const char *defines;	/* what this row's variant adds to the compiler's options */
	int unroll;		/* UNROLL: operations in each turn of its loop */
	enum kernel_check check;
	uint32_t flags;		/* enum body_flag */
	struct body_buffers buffers;
	struct body_work work;
	const char *text;	/* a sentence */
};

enum body_flag {
	BODY_OPS = 1 << 0,	/* add sub mul div mad */
	BODY_TYPES = 1 << 1,	/* sp dp hp; else int */
	BODY_WIDTHS = 1 << 2,	/* x1 x2 x4 x8 x16 */
	BODY_SIZES = 1 << 3,	/* working sets: 16k ... 64m */
	BODY_INTENSITY = 1 << 4,	/* FLOP per byte: ai-0.25 ... ai-128 */
	BODY_MIXED = 1 << 5,	/* as BODY_INTENSITY, but the tuner looks for the ridge */
	/* walks over arrays that no cache holds, a new part in each slice */
	BODY_STREAMS = 1 << 6,
	BODY_ONE_ITEM = 1 << 7,
	BODY_ONCE = 1 << 8,	/* repeat is always 1 */
	BODY_ACCUMULATORS = 1 << 9,	/* the number of independent chains is tuned */
	BODY_CHAOS = 1 << 10,	/* data that never settle, for power and for finding faults */
	BODY_WAITS = 1 << 11,	/* the host waits for each launch */
	BODY_IN_PLACE = 1 << 12,	/* out holds the data before */
	BODY_LOCAL = 1 << 13,	/* has an argument in shared local memory, one vec an item */
	/* products of the matrix engine: sub-groups of a fixed size, eight words an item */
	BODY_MATRIX = 1 << 14,
	BODY_STRIDES = 1 << 15,	/* elements from one item's to the next one's: s1 ... s64 */
	BODY_WAYS = 1 << 16,	/* ways that neighbouring items go: w1 ... w32 */
	BODY_LONE = 1 << 17,	/* groups of one item, each with a set of its own */
};

/* These are the parts of a kernel's name. The struct is plain data; the pointers point into
 * constant tables. */
struct kernel_spec {
	const struct body_row *body;
	const struct op_row *op;	/* NULL without BODY_OPS */
	enum kernel_type type;
	int width;			/* 0: not said, the tuner's choice */
	uint64_t size_bytes;		/* BODY_SIZES */
	/* BODY_INTENSITY: multiply-adds for each element; -1: the tuner's choice */
	int steps;
	int apart;			/* BODY_STRIDES, BODY_WAYS; else 1 */
};

/* Returns the row of a type: its name, bytes, and OpenCL's word. */
const struct type_row *catalog_type(enum kernel_type type);
/* Returns every kernel of the catalogue in a stable order, as far as the device is not looked at.
 * The caller calls free() on it. */
struct kernel_info *catalog_list(size_t *n);
/* Takes a name apart. The width may be left out: "flops.private.mad.sp". When it returns false,
 * err says what would be right. */
bool catalog_parse(const char *name, struct kernel_spec *out, struct err *err);
/* Writes the name of a spec, with its width where it has one; returns buf. */
const char *catalog_name(const struct kernel_spec *spec, char *buf, size_t size);
/* Computes the work of one item that repeats the body that many times. A width or a number of
 * steps that is not chosen yet counts as 1. */
void catalog_work(const struct kernel_spec *spec, uint64_t repeat, struct kernel_work *out);
/* Multiplies everything by the same number. */
void catalog_scale(struct kernel_work *w, double by);
/* Returns the bytes of the level of memory that the kernel is about. */
double catalog_bytes(const struct kernel_work *w);
/* Fills in everything that a row says about a kernel, and sets supported to true. */
void catalog_info(const struct kernel_spec *spec, struct kernel_info *out);
