/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of Mali GPUs through Arm's own driver, kbase (/dev/mali0). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/mali/blocks.h"
#include "backends/mali/dump_sources.h"
#include "backends/mali/kbase_uapi.h"
#include "base/err.h"
#include "base/fsroot.h"

struct kbase_node {
	int fd;			/* -1: closed */
	char name[32];		/* "mali0" */
	const struct fsroot *fs;
	struct kbase_version version;
	bool has_streams;	/* it is that of GPUs with command streams */
};

/* Opens /dev/NAME and agrees on an interface: that of job manager GPUs since r21, or of GPUs with
 * command streams. */
bool kbase_open(struct kbase_node *n, const struct fsroot *fs, const char *name, struct err *err);
void kbase_close(struct kbase_node *n);
/* Reads the packed properties. Exposed for tests. */
bool kbase_props_parse(
	const uint8_t *props, size_t bytes, struct mali_identity *id, struct err *err);
/* Opens the node, asks for the properties, closes it. The error names what the driver refuses. */
bool mali_kbase_identify(
	const struct fsroot *fs, const char *name, struct mali_identity *id, struct err *err);

/* Sets err to what the driver refused, by errno. what is, for example, "GET_BUFFER". Returns
 * false. */
bool kbase_fail(const struct kbase_node *n, const char *what, struct err *err);
/* Reads the clock of the readers' time stamps. */
int64_t kbase_now_ns(void);

/* A dumper: kinstr_prfcnt where the driver has given up vinstr (interface 11.40 of job managers,
 * 1.21 of command streams) and for blocks of 128 words, else vinstr. */
struct mali_dumper *mali_kbase_dumper(
	const struct fsroot *fs, const char *name, const struct mali_layout *l, struct err *err);
/* Each of the two by itself; it opens the node when it starts. */
struct mali_dumper *mali_vinstr_dumper(
	const struct fsroot *fs, const char *name, const struct mali_layout *l);
struct mali_dumper *mali_kinstr_dumper(
	const struct fsroot *fs, const char *name, const struct mali_layout *l);

/* Samples of kinstr_prfcnt as they lie in the mapping: lists of items, which say where the values
 * of each block are. Pure. */

struct kinstr_samples {
	char name[32];			/* "mali0", for messages */
	struct mali_layout layout;
	uint32_t item_bytes, map_bytes;
	const uint8_t *map;
};

/* Adds the sample whose list begins at that offset of the mapping to sums, and its time to
 * *window_ns. False: it does not follow the format, or the driver has lost it; part of it may have
 * been added. */
bool kinstr_samples_add(const struct kinstr_samples *k, uint64_t offset, struct mali_sums *sums,
	int64_t *window_ns, struct err *err);
