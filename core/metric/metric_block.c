/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocks of the hardware a metric's counters are of. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"

#define BETWEEN ", "

static bool has_block(const char *list, const char *block, size_t len)
{
	for (const char *p = list; *p;) {
		size_t n = strcspn(p, ",");

		if (n == len && !strncmp(p, block, len))
			return true;
		p += n;
		p += strspn(p, BETWEEN);
	}
	return false;
}

/* Adds the blocks of a list that are not there yet. */
static void add_blocks(struct strbuf *out, const char *list)
{
	for (const char *p = list; p && *p;) {
		size_t n = strcspn(p, ",");

		if (!has_block(strbuf_str(out), p, n))
			strbuf_addf(out, "%s%.*s", out->len ? BETWEEN : "", (int)n, p);
		p += n;
		p += strspn(p, BETWEEN);
	}
}

void metric_set_blocks(struct metric_set *set)
{
	int *inputs = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*inputs));

	for (int k = 0; k < set->n_metrics; k++) {
		struct metric *m = &set->metrics[metric_set_nth(set, k)];
		struct strbuf blocks = { 0 };
		int n = metric_inputs(set, m, inputs);

		for (int i = 0; i < n; i++) {
			const struct metric_input *in = &set->inputs[inputs[i]];

			if (in->kind == INPUT_METRIC || in->kind == INPUT_MOST)
				add_blocks(&blocks, set->metrics[in->metric].block);
			else
				add_blocks(&blocks, in->block);
		}
		free(m->block);
		m->block = blocks.len ? xstrdup(strbuf_str(&blocks)) : NULL;
		strbuf_release(&blocks);
	}
	free(inputs);
}
