/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the names of the simulated kernels apart: which body, operation, type, width, size and
 * intensity. */
#pragma once

#include <stdbool.h>

#include "backends/sim/model/eu_array.h"

enum kernel_form {
	FORM_SINGLE,
	FORM_LOOP,
	FORM_PRIVATE,
	FORM_POWER,
	FORM_COPY,
	/* those from here on load their elements in the loop, if any */
	FORM_STREAM,
	FORM_TRIAD,
	FORM_UPDATE,
	FORM_MIX,
	FORM_READ,
	FORM_STRIDE,
	FORM_WRITE,
	FORM_CHASE,
	FORM_SLM,
	FORM_SLM_SWAP,
	FORM_REDUCE,
	FORM_REDUCE_ALL,
	FORM_REDUCE_CHAIN,
	FORM_BROADCAST,
	FORM_BARRIER,
	FORM_DIVERGE,
	FORM_ATOMIC,
	FORM_EMPTY,
	FORM_SEND,
	FORM_XMX
};

/* What follows the body in a name, and what the body is like. */
enum form_flag {
	FORM_OPS = 1 << 0,	/* add sub mul div mad */
	FORM_TYPES = 1 << 1,	/* sp dp; else 32-bit words */
	FORM_WIDTHS = 1 << 2,	/* x1 to x16 */
	FORM_SIZES = 1 << 3,	/* 16k to 64m */
	FORM_INTENSITY = 1 << 4,	/* ai-0.25 to ai-128 */
	FORM_RIDGE = 1 << 5,	/* the intensity at which memory and FPUs are both full */
	FORM_ONE_ITEM = 1 << 6,	/* one item, unless the job says more */
	FORM_ONCE = 1 << 7,	/* no loop */
	FORM_WAITS = 1 << 8,	/* the host waits for each launch */
	FORM_SAME = 1 << 9,	/* atomics: all items on one address */
	FORM_LOCAL = 1 << 10,	/* works on shared local memory */
	FORM_STRIDES = 1 << 11,	/* s1 to s64 */
	FORM_WAYS = 1 << 12,	/* w1 to w32 */
	FORM_LONE = 1 << 13,	/* groups of one item, each with a set of its own */
};

struct form_row {
	const char *name;
	const char *group;	/* what stands before the name in the catalogue, with its dot */
	enum kernel_form form;
	unsigned flags;		/* enum form_flag */
	int buffers;		/* arguments whose addresses the prologue computes */
	int reads, writes;	/* elements of global memory in one pass */
	int locals;		/* elements of shared local memory in one pass */
	int flop;		/* for each element, where the name has no operation */
	int counted;		/* other operations of an item in one pass: steps, increments */
	const char *text;
};

struct op_row {
	const char *name;
	enum eu_type type;
	int flop;
	bool divides;
};

struct type_row {
	const char *name;
	bool is_dp;
	int bytes, channels;	/* channels: of one instruction */
	enum eu_number number;
};

/* These are the parts of a name; the pointers point into constant tables. */
struct kernel_parts {
	const struct form_row *form;
	const struct op_row *op;	/* one with the name "" where the form has none */
	const struct type_row *type;
	int width;
	double set_bytes;		/* FORM_SIZES */
	int steps;			/* FORM_INTENSITY: multiply-adds for each element */
	int apart;			/* FORM_STRIDES, FORM_WAYS; else 1 */
};

#define FORM_DP_CHANNELS 8
#define FORM_CHANNELS 16

/* Takes a name apart, with or without the catalogue's group. Returns false when no kernel has it. */
bool kernel_parts_parse(const char *name, struct kernel_parts *out);
/* Returns the bytes of a vector. */
double kernel_parts_bytes(const struct kernel_parts *p);
