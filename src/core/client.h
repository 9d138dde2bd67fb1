/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses the GPU: rows of processes or of their DRM clients. */
#ifndef CORE_CLIENT_H
#define CORE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/value.h"

#define CLIENT_MAX_ENGINES 8

/* One DRM client of the device (drm-client-id), or the sum of a process' clients. */
struct client_row {
	int64_t pid;
	uint32_t uid;
	uint64_t client_id;		/* 0 in a row that sums clients */
	int n_clients;			/* 1, or how many were summed */
	char user[32];			/* name, or the number as text */
	char name[16];			/* comm */
	char command[160];		/* command line with blanks between words, or comm in brackets */
	float busy_pct[CLIENT_MAX_ENGINES];	/* of the window, per unit of capacity; NAN before the second scan */
	uint64_t time_ns[CLIENT_MAX_ENGINES];	/* since the client was opened */
	uint64_t total_bytes;		/* memory it has a right to: private and shared; UINT64_MAX when unknown */
	uint64_t resident_bytes;	/* UINT64_MAX when unknown */
	float cpu_pct;			/* of one core; NAN when unknown */
};

/* Filled by a scan; rows are unsorted. why: WHY_OK, or why there is nothing. */
struct client_table {
	enum why why;
	int64_t t_ns;			/* of this scan */
	char engines[CLIENT_MAX_ENGINES][16];	/* "render", "copy", "video", ...: as the driver's fdinfo names them */
	int n_engines;
	struct client_row *rows;
	size_t n_rows;
	size_t cap_rows;
	int hidden;			/* processes that may not be looked into */
	int64_t scan_cost_ns;		/* CPU time of this scan */
};

struct client_source;

struct client_source_ops {
	/* Reads /proc and fills the table anew (its storage is kept and reused). Never blocks. */
	void (*scan)(struct client_source *s, int64_t now_ns, struct client_table *out);
	void (*close)(struct client_source *s);
};

struct client_source {
	const struct client_source_ops *ops;
	char how[48];			/* "DRM fdinfo", "simulated clients" */
	void *priv;
};

static inline void client_table_note(struct client_table *t, enum why why)
{
	t->why = why;
	t->n_rows = 0;
}

#endif
