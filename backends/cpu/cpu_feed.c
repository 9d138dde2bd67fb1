/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of values for each CPU. */
#include "config.h"

#include "backends/cpu/sources.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void cpu_feed_init(struct cpu_feed *f, struct source *s, const struct cpu_info *info,
	const char *name, int64_t now_ns)
{
	size_t n = (size_t)info->n_cpus;

	f->n = info->n_cpus;
	f->n_counters = s->feed.n_counters;
	f->cpus = xcalloc(n, sizeof(*f->cpus));
	memcpy(f->cpus, info->cpus, n * sizeof(*f->cpus));
	f->names = xcalloc(n, sizeof(*f->names));
	for (int i = 0; i < f->n; i++) {
		int kind = info->kinds.n > 1 ? core_kind_of(&info->kinds, info->cpus[i]) : -1;
		const char *what = kind < 0 ? "cpu" : info->kinds.kinds[kind].name;

		snprintf(f->names[i], sizeof(f->names[i]), "%.6s %d", what, info->cpus[i]);
	}
	f->rows = xcalloc(n * (size_t)f->n_counters + 1, sizeof(*f->rows));
	f->window_ns = now_ns;
	snprintf(s->feed.name, sizeof(s->feed.name), "%s", name);
	snprintf(s->feed.scope, sizeof(s->feed.scope), "core");
	s->feed.instances = (const char (*)[CELL_NAME_SIZE])f->names;
	s->feed.n_instances = f->n;
	s->fd = -1;
}

bool cpu_read_text(
	const struct fsroot *fs, const char *path, char *buf, size_t size, struct err *err)
{
	char full[PATH_MAX];

	if (fsroot_path(fs, full, sizeof(full), "%s", path) &&
		file_read_text(AT_FDCWD, full, buf, size) >= 0)
		return true;
	return err_sys(err, "cannot read '%s'", path);
}

int cpu_feed_index(const struct cpu_feed *f, int cpu)
{
	for (int i = 0; i < f->n; i++) {
		if (f->cpus[i] == cpu)
			return i;
	}
	return -1;
}

void cpu_feed_release(struct cpu_feed *f)
{
	free(f->cpus);
	free(f->names);
	free(f->rows);
}

void cpu_feed_sum(struct cpu_feed *f, int64_t now_ns, struct sample *out)
{
	for (int i = 0; i < f->n; i++) {
		for (int c = 0; c < f->n_counters; c++) {
			uint64_t v = f->rows[i * f->n_counters + c];

			if (v != SAMPLE_NONE)
				out->values[c] += v;
		}
	}
	out->instances = f->rows;
	source_window(out, &f->window_ns, now_ns);
	if (!f->collected)
		out->quality |= SAMPLE_PARTIAL;
	f->collected = true;
}
