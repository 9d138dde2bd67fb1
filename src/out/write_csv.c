/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV by RFC 4180, but with line ends of one byte: one row of names, and an empty cell where there is
 * no number. */
#include "config.h"

#include "out/writer.h"

#include <stdio.h>

#include "base/clock.h"

#define METRIC_COLUMN_SIZE 128

static void begin(struct writer_run *run, struct strbuf *out)
{
	char name[METRIC_COLUMN_SIZE];

	strbuf_add(out, "t,mono_ns,window_ms,lost,sim");
	for (int i = 0; i < run->set->n_metrics; i++) {
		if (!writer_shows(&run->set->metrics[i]))
			continue;
		strbuf_addc(out, ',');
		strbuf_add_csv(out, run->set->metrics[i].name);
	}
	/* One column for each metric that has cells and each of these: metric[cell]. */
	for (int k = 0; k < run->n_maps; k++) {
		const struct cell_map *map = &run->maps[k];

		for (int i = 0; i < map->n_metrics * map->n; i++) {
			const struct metric *m = &run->set->metrics[map->metrics[i / map->n]];

			if (!writer_shows(m))
				continue;
			snprintf(name, sizeof(name), "%s[%s]", m->name, map->names[i % map->n]);
			strbuf_addc(out, ',');
			strbuf_add_csv(out, name);
		}
	}
	strbuf_addc(out, '\n');
}

/* Rows hold what their own window measured: the cell of a metric is empty between its turns. */
static void add_value(struct strbuf *out, const struct snapshot *s, int metric, struct value v)
{
	strbuf_addc(out, ',');
	if (!snapshot_is_kept(s, metric) && !writer_why(v))
		strbuf_add_double(out, v.v);
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	char utc[32];

	strbuf_addf(out, "%s,%lld,", clock_format_utc(s->wall_ns, utc), (long long)s->mono_ns);
	strbuf_add_double(out, (double)s->window_ns / NS_PER_MS);
	strbuf_addf(out, ",%llu,%d", (unsigned long long)s->lost, run->device->simulated);
	for (int i = 0; i < run->set->n_metrics; i++)
		if (writer_shows(&run->set->metrics[i]))
			add_value(out, s, i, s->values[i]);
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];

		for (int i = 0; i < map->n_metrics * map->n; i++) {
			int metric = map->metrics[i / map->n];

			if (writer_shows(&run->set->metrics[metric]))
				add_value(out, s, metric, cell_value(map, i % map->n, metric));
		}
	}
	strbuf_addc(out, '\n');
}

const struct writer csv_writer = { .begin = begin, .window = window };
