/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of sealed files for compiled programs: what comes out is bit by bit what went in, or
 * nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

/* PoCL's binaries are of some 80 KiB, and the catalogue has some 560 kernels: room for each of them
 * in five shapes. */
#define CACHE_MAX_BYTES (256ull << 20)

/* Plain data. An empty folder: nothing is kept. */
struct cache {
	char folder[4096];
	/* of all files; what was not used for the longest time goes when there are more */
	uint64_t max_bytes;
};

/* The cache is folder/cl, made when something is saved, private to this user. One that belongs to
 * somebody else or that others may write to is not used: err says so. */
bool cache_open(struct cache *c, const char *folder, struct err *err);
/* Loads the entry of that key into a new heap block. Returns NULL when there is none, or when it
 * is damaged; a damaged entry is removed. */
void *cache_load(const struct cache *c, const char key[HASH_HEX], size_t *size);
/* Replaces the entry in one step, then makes room as max_bytes says. */
bool cache_save(const struct cache *c, const char key[HASH_HEX], const void *data, size_t size,
	struct err *err);
/* A driver can die of a program that is what it was when saved. Between begin and end the entry is
 * under suspicion: a load that finds one left so removes the entry and returns NULL. */
void cache_begin(const struct cache *c, const char key[HASH_HEX]);
/* Says that the program has run, so the entry is good. */
void cache_end(const struct cache *c, const char key[HASH_HEX]);
