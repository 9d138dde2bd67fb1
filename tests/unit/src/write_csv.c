/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of CSV keep the columns of their head, whatever cells a source has when it begins anew. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "out/lines/writer.h"
#include "tests/tap.h"

#define CELLS_MAX 4

static char busy_name[] = "busy", bytes_name[] = "bytes";
static struct metric metrics[] = { { .name = busy_name, .unit.scale = 1 }, { .name = bytes_name, .unit.scale = 1 } };
static const struct metric_set set = { .metrics = metrics, .n_metrics = 2 };
static const struct device device = { .id = "card0" };
static const int busy[] = { 0 };

/* A map of so many cells, whose values are 1, 2, 3 in order. */
static void make_map(struct snapshot *s, const char (*names)[CELL_NAME_SIZE], int n, struct value *values)
{
	struct cell_map map = { .n = n, .names = names, .metrics = busy, .n_metrics = 1, .stride = 2 };

	for (int i = 0; i < n; i++)
		values[2 * i] = (struct value){ .v = i + 1 };
	map.values = values;
	s->maps[0] = map;
	s->n_maps = n > 0;
}

int main(void)
{
	static const char at_first[][CELL_NAME_SIZE] = { "a", "b" };
	static const char later[][CELL_NAME_SIZE] = { "b", "ab", "a", "busy" };
	static const char *const wants[] = { ",7,8,1,2,", ",7,8,3,1,", ",7,8,,1,", ",7,8,,,", ",7,8,1,2," };
	static const int counts[] = { 2, 4, 1, 0, 2 };
	struct value values[2] = { { .v = 7 }, { .v = 8 } }, cells[2 * CELLS_MAX] = { 0 };
	struct snapshot s = { .set = &set, .values = values };
	struct strbuf out = { 0 };

	make_map(&s, at_first, 2, cells);
	struct writer_run run = { .name = "card0", .device = &device, .set = &set, .maps = s.maps, .n_maps = 1 };
	writer_run_show(&run, NULL, 0);
	csv_writer.begin(&run, 1, &out);
	ok(strstr(strbuf_str(&out), ",sim,busy,bytes,busy[a],busy[b],verdict,"), "the head has a column for each cell");
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		strbuf_clear(&out);
		make_map(&s, counts[i] == 2 ? at_first : later, counts[i], cells);
		csv_writer.window(&run, &s, &out);
		ok(strstr(strbuf_str(&out), wants[i]), "with %d cells each value stands under its name: %s", counts[i], strbuf_str(&out));
	}
	writer_run_release(&run);
	strbuf_release(&out);
	return done_testing();
}
