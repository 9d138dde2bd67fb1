/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads tables of results. */
#include "config.h"

#include "cmd/load/csv_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "base/parse.h"

#define MAX_BYTES (64 << 20)

/* Splits a line into its fields, in place; quotes follow RFC 4180. Returns their number, at most
 * max. */
static int csv_split(char *line, char **fields, int max)
{
	int n = 0;

	while (line && n < max) {
		char *from = line, *to = line;
		bool quoted = false;

		for (; *from && (quoted || *from != ','); from++) {
			if (*from != '"' || (!quoted && from > line))
				*to++ = *from;
			else if (quoted && from[1] == '"')
				*to++ = *from++;
			else
				quoted = !quoted;
		}
		fields[n++] = line;
		line = *from ? from + 1 : NULL;
		*to = '\0';
	}
	return n;
}

static bool add_row(struct csv_table *t, char *line)
{
	char *fields[CSV_MAX_FIELDS];
	int n = csv_split(line, fields, CSV_MAX_FIELDS);

	if (n != t->n_columns)
		return false;
	t->cells = array_grow(
		t->cells, t->n_rows, &t->cap, (size_t)t->n_columns * sizeof(*t->cells));
	memcpy(&t->cells[t->n_rows++ * (size_t)t->n_columns], fields,
		(size_t)n * sizeof(*fields));
	return true;
}

bool csv_table_read(struct csv_table *t, const char *path, struct err *err)
{
	size_t len;
	char *text = file_read_all(path, MAX_BYTES, &len, err);

	*t = (struct csv_table){ 0 };
	if (!text)
		err_of_file(err);
	return text && csv_table_take(t, text, path, err);
}

bool csv_table_take(struct csv_table *t, char *text, const char *path, struct err *err)
{
	char *end;

	*t = (struct csv_table){ .text = text };
	/* An editor may have taken the last newline away. */
	for (char *line = t->text; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (end > line && end[-1] == '\r')
			end[-1] = '\0';
		if (*end)
			*end++ = '\0';
		if (!t->n_columns) {
			t->n_columns = csv_split(line, t->names, CSV_MAX_FIELDS);
		} else if (!add_row(t, line)) {
			csv_table_release(t);
			return err_set(err, ERR_PARSE,
				"'%.200s' has a row with more or fewer fields than its head", path);
		}
	}
	return true;
}

void csv_table_release(struct csv_table *t)
{
	free(t->text);
	free(t->cells);
	*t = (struct csv_table){ 0 };
}

int csv_table_column(const struct csv_table *t, const char *name)
{
	for (int i = 0; i < t->n_columns; i++)
		if (!strcmp(t->names[i], name))
			return i;
	return -1;
}

const char *csv_table_text(const struct csv_table *t, size_t row, int column)
{
	if (column < 0 || row >= t->n_rows)
		return "";
	return t->cells[row * (size_t)t->n_columns + (size_t)column];
}

double csv_table_number(const struct csv_table *t, size_t row, int column)
{
	double v;

	return parse_double(csv_table_text(t, row, column), &v) ? v : NAN;
}
