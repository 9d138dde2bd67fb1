/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CSV file with a head, as a table: numbers by row and by the name of their column. */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define CSV_MAX_FIELDS 160

/* csv_table_release() frees it. All strings point into the text. */
struct csv_table {
	char *text;
	char *names[CSV_MAX_FIELDS];
	int n_columns;
	char **cells;		/* n_rows * n_columns */
	size_t n_rows, cap;
};

/* Reads a file. A row with another number of fields than the head is an error. */
bool csv_table_read(struct csv_table *t, const char *path, struct err *err);
/* The same for a text, which belongs to the table from now on. path is for messages. */
bool csv_table_take(struct csv_table *t, char *text, const char *path, struct err *err);
void csv_table_release(struct csv_table *t);
/* Returns the index of a column, or -1. */
int csv_table_column(const struct csv_table *t, const char *name);
/* Returns a cell, "" where the column is -1 or there is no such row. */
const char *csv_table_text(const struct csv_table *t, size_t row, int column);
/* Returns a number, NAN where there is none. */
double csv_table_number(const struct csv_table *t, size_t row, int column);
