/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the fake xe driver share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The private data of a stream's descriptor begins with this. */
struct fake_xe_stream {
	int (*ioctl)(struct fake_xe_stream *s, unsigned long request, unsigned long arg);
	ssize_t (*read)(struct fake_xe_stream *s, void *buf, size_t size);
	void (*close)(struct fake_xe_stream *s);
	/* NULL: what it has cannot be mapped */
	void *(*mmap)(struct fake_xe_stream *s, size_t length, int prot, int flags);
};

bool fake_xe_may_observe(void);
struct xe_engine_instance;
const struct xe_engine_instance *fake_xe_engines(size_t *n);
/* Walks a chain of properties below n_known; take returns 0 or an errno, and so does this. */
int fake_xe_properties(uint64_t chain, int most, int n_known,
	int (*take)(void *ctx, uint32_t property, uint64_t value), void *ctx);

/* xe_oa.c: what rendering is counted by, and what the observation ioctl does with it. */
#define XE_FAKE_OA_UNIT 0
struct xe_oa_config;
int fake_xe_add_config(const struct xe_oa_config *c);
int fake_xe_remove_config(uint64_t id);
/* file: the node, whose queues and fences the properties name. */
int fake_xe_oa_open(int file, uint64_t chain);

/* xe_stall.c: the answer of the query, its length, 0: the GPU samples no stalls; and an open
 * stream. */
size_t fake_xe_stall_info(uint8_t *buf);
int fake_xe_stall_open(uint64_t chain);
