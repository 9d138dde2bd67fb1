/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an AMD card is, and what stands behind it. */
#pragma once

#include <stdbool.h>

#include "backends/common/backend.h"
#include "base/fsroot.h"
#include "core/value/device.h"

/* The version of the graphics core: 11.0.2; all 0: unknown. */
struct amd_core {
	unsigned major, minor, revision;
};

/* Finds the name of the part in libdrm's list, by PCI id and revision. False: it is not there. */
bool amd_part_name(const struct fsroot *fs, const struct device *d, char *name, size_t size);
/* Reads the version from the table that the card carries (sysfs ip_discovery). Wakes nothing. */
struct amd_core amd_core_read(const struct fsroot *fs, const char *card);
/* Whether the energy counter of gpu_metrics is in units of 2^-16 J there. Elsewhere its unit is not
 * said by anybody. */
bool amd_energy_is_known(const struct amd_core *core);
/* Sets clocks and what follows from them as constants of *d: by the card's node (it must be awake),
 * else by the driver's files. False with err when the node told nothing. */
bool amd_set_consts(
	struct device *d, const struct amd_core *core, const struct fsroot *fs, struct err *err);

/* files: the source of card_files_open(). Returns the source, with a counter for each number that
 * the card's table has; sets the roof of the memory where the table names it, and whether the
 * memory is the machine's. NULL with err when there is no table, or one that cannot be read. A card
 * that sleeps is not asked, and one that is slow to answer later: its source offers all counters,
 * and what it is and which of them its table has is learned, and bound again, once it answers. *d
 * lives as long. With a table that is newer than this program, err has a sentence about it, and no
 * code. */
struct source *amd_metrics_open(struct device *d, const struct amd_core *core,
	const struct source *files, const struct open_options *o, struct err *err);

/* Where tables come from that no driver hands out; the source closes it. */
struct amd_table {
	/* Writes the table of that moment, of at most GPU_METRICS_MAX bytes; returns its length. */
	size_t (*read)(struct amd_table *t, int64_t now_ns, uint8_t *data);
	void (*close)(struct amd_table *t);
};

/* Returns the same source, which reads such tables; their energy is in units of 2^-16 J. */
struct source *amd_metrics_model(
	struct device *d, struct amd_table *table, int64_t now_ns, struct err *err);

/* Tells whether the set reads what only looks tell. They are expensive: the driver keeps the GPU
 * from its deepest idle state for each. */
bool amd_units_wanted(const struct metric_set *set);
/* Returns the source; NULL with err when the driver does not answer, the generation is not known,
 * or the card sleeps. */
struct source *amd_units_open(const struct device *d, const struct amd_core *core,
	const struct open_options *o, struct err *err);

/* Returns a source whose rows are those of inner, with what KFD tells of each process: "kfd-cu" is
 * the share of the card's wave slots that the process has taken at this moment, "kfd-sdma" the
 * share of the copy engines' time; memory is the larger of what both tell. A process that inner
 * does not see gets a row with n_clients 0. busy is the source of card_busy_open(), which then does
 * not take work of KFD for none. It owns inner. NULL, with both as they were: KFD does not know the
 * card. */
struct client_source *kfd_clients_open(struct client_source *inner, struct source *busy,
	const struct fsroot *fs, const struct device *d);
