/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the processes screen; inside ui/ only. */
#pragma once

#include "core/work/client.h"
#include "ui/frame/table.h"

enum procs_column {
	COL_PID,
	COL_USER,
	COL_CLIENTS,
	COL_ENGINES,
	COL_MEM = COL_ENGINES + CLIENT_MAX_ENGINES,
	COL_RES,
	COL_TIME,
	COL_CPU,
	COL_COMMAND,
	COL_COUNT
};

/* procs_table.c: as wide as what stands in them; where w is too short some columns have no width.
 * The heads are in the struct. */
struct procs_columns {
	struct table_column k[COL_COUNT];
	char heads[COL_COUNT][20];
};
void procs_columns_make(struct procs_columns *c, const struct view_model *m, int x, int w);
void procs_heads_draw(struct screen *s, const struct procs_columns *c, int y);
void procs_row_draw(struct screen *s, const struct procs_columns *c, const struct client_row *r,
	int y, bool selected);
/* Draws the row of all clients together. */
void procs_total_draw(struct screen *s, const struct procs_columns *c, int y);
/* Returns the command line, or the name where that is not known. */
const char *procs_command(const struct client_row *r);
/* contexts_table.c: what each hardware context did. */
void contexts_draw(struct screen *s, struct rect r);
/* What rows can be sorted by, untranslated, by enum client_sort. */
extern const char *const procs_sorts[CLIENT_SORTS];
