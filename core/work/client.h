/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses the GPU: rows of processes or of their DRM clients. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/value/history.h"
#include "core/value/value.h"

#define CLIENT_MAX_ENGINES 8

/* What a client has of one kind of memory; UINT64_MAX: unknown. */
struct client_memory {
	uint64_t total_bytes, shared_bytes, resident_bytes, purgeable_bytes, active_bytes;
};

/* The machine's memory, and the device's own. */
enum client_region { CLIENT_SYSTEM, CLIENT_LOCAL, CLIENT_REGIONS };

/* One DRM client of the device (drm-client-id), or the sum of a process' clients. */
struct client_row {
	int64_t pid;
	uint32_t uid;			/* UINT32_MAX: unknown */
	uint64_t client_id;		/* 0 in a row that sums clients */
	int n_clients;			/* 1, or how many were summed */
	char user[32];			/* name, or the number as text */
	char name[16];			/* comm */
	/* command line with blanks between words, or comm in brackets */
	char command[160];
	/* uid of the pod and id of the container that it runs in; "" when that is not known */
	char pod[40], container[68];
	/* share of the window, per unit of capacity; NAN before the second scan and for engines
	 * that the client's driver does not report */
	float busy_pct
		[CLIENT_MAX_ENGINES];
	/* since the client was opened; UINT64_MAX when unknown */
	uint64_t time_ns[CLIENT_MAX_ENGINES];
	/* private and shared memory that it may use; UINT64_MAX when unknown */
	uint64_t total_bytes;
	uint64_t resident_bytes;	/* UINT64_MAX when unknown */
	float cpu_pct;			/* of one core; NAN when unknown */
	/* where has_memory says that the driver tells it by region; recordings do not keep it */
	struct client_memory memory[CLIENT_REGIONS];
	bool has_memory[CLIENT_REGIONS];
};

/* A scan fills it; its rows are unsorted. why is WHY_OK, or the reason why there are no rows. */
struct client_table {
	enum why why;
	int64_t t_ns;			/* of this scan */
	/* "render", "copy", "video", ...: the names in the driver's fdinfo */
	char engines[CLIENT_MAX_ENGINES][16];
	int n_engines;
	/* engines in each class, to which busy_pct belongs; 0: unknown */
	uint32_t capacity[CLIENT_MAX_ENGINES];
	struct client_row *rows;
	size_t n_rows, cap_rows;
	int hidden;			/* processes that this one may not look into */
};

/* A row in which only the process is known; what else is unknown says so. */
struct client_row client_row_unknown(int64_t pid);
/* Adds such a row, which stays where it is until the next one is added. */
struct client_row *client_table_add(struct client_table *t, int64_t pid);

struct client_source;

struct client_source_ops {
	/* Reads /proc and fills the table anew (its storage is kept and reused). Never blocks. */
	void (*scan)(struct client_source *s, int64_t now_ns, struct client_table *out);
	/* Optional. Gives back what it holds beside its own memory. */
	void (*close)(struct client_source *s);
	size_t size; /* of its own struct, in bytes */
};

/* A backend keeps its own data in a struct that begins with this one. */
struct client_source {
	const struct client_source_ops *ops;
	char how[48];			/* "DRM fdinfo", "simulated clients" */
	bool is_thorough;		/* who uses the device has to be known at once, whatever that takes */
};

/* Returns the zeroed struct of the kind that ops describes, with its ops and its text. */
void *client_source_new(const struct client_source_ops *ops, const char *how);
/* Closes it and frees its memory; NULL is none. */
void client_source_close(struct client_source *s);

enum client_sort {
	CLIENT_BY_BUSY,
	CLIENT_BY_MEMORY,
	CLIENT_BY_TIME,
	CLIENT_BY_CPU,
	CLIENT_BY_PID,
	CLIENT_BY_USER,
	CLIENT_BY_NAME,
	CLIENT_SORTS
};

/* What a list of clients shows. A zero-initialised struct shows all rows of all clients, busiest
 * first. */
struct client_choice {
	enum client_sort sort;
	bool invert;
	bool hide_idle;		/* rows that used no engine in the window */
	bool by_process;	/* one row for all clients of a process */
	char filter[64];	/* rows whose command, user or pid contain it, whatever the case */
};

/* Rows in the chosen order. A zero-initialised struct is valid. total sums all clients of the
 * table, whether they are shown or not. */
struct client_list {
	struct client_row *rows;
	size_t n_rows, cap_rows;
	int n_idle;		/* rows that hide_idle left out */
	int n_filtered;
	struct client_row total;
};

/* Fills the list; its storage is kept and reused. */
void client_select(
	const struct client_table *t, const struct client_choice *choice, struct client_list *out);
void client_list_release(struct client_list *l);
/* Sum over the engines, for sorting: percent of all engines together; 0 when nothing is known
 * yet. */
double client_busy_pct(const struct client_row *r, int n_engines);

/* The recent past of the processes whose clients use the device most, for graphs. */
#define CLIENT_TRACKS 32
#define CLIENT_TRACK_ROWS 240

enum client_track { CLIENT_TRACK_BUSY, CLIENT_TRACK_MEMORY, CLIENT_TRACK_CPU, CLIENT_TRACK_COUNT };

/* A zero-initialised struct is valid. */
struct client_tracks {
	struct history history;		/* a column per process and kind */
	int64_t pid[CLIENT_TRACKS];
	bool used[CLIENT_TRACKS];
};

/* Adds a scan's rows (by process) to the past as one row. Processes that went away lose their
 * place. */
void client_tracks_push(
	struct client_tracks *t, const struct client_list *by_process, int n_engines);
/* Returns a column of history, or -1 when the process has no past. Memory is in MiB, the others are
 * in percent. */
int client_tracks_column(const struct client_tracks *t, int64_t pid, enum client_track kind);
void client_tracks_release(struct client_tracks *t);

/* Replaces all of a table, which keeps its storage, by what another one holds. */
void client_table_copy(struct client_table *to, const struct client_table *from);

static inline void client_table_note(struct client_table *t, enum why why)
{
	t->why = why;
	t->n_rows = 0;
}
