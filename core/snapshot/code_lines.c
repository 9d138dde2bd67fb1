/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes addresses, shares and counts. */
#include "config.h"

#include "core/snapshot/code_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"

/* The names of such counters begin with that of their source: "stall_sbid". */
const char *code_count_name(const struct feed *f, int i)
{
	const char *name = f->counters[i].name;
	size_t len = strlen(f->name);

	return !strncmp(name, f->name, len) && name[len] == '_' ? name + len + 1 : name;
}

static uint64_t sum_of(const struct code_list *l)
{
	uint64_t sum = l->rest.sum;

	for (int i = 0; i < l->n; i++)
		sum += l->places[i].sum;
	return sum;
}

static void add_place(struct strbuf *out, const struct feed *f, const char *where,
	const struct code_place *p, uint64_t all)
{
	const char *between = "";

	strbuf_addf(out, "  %-12s %5.1f %%  ", where, 100 * (double)p->sum / (double)all);
	for (int i = 0; i < f->n_code; i++) {
		if (!p->counts[i])
			continue;
		strbuf_addf(out, "%s%s %" PRIu64, between, code_count_name(f, i), p->counts[i]);
		between = ", ";
	}
	strbuf_addc(out, '\n');
}

void code_lines(struct strbuf *out, const struct snapshot *s, int most)
{
	const struct code_list *l = &s->code;
	char where[24];

	if (!s->code_feed || sum_of(l) == 0)
		return;
	strbuf_addf(out, "%s\n", _("Which instruction: address, share of the samples, what was found"));
	for (int i = 0; i < l->n && i < most; i++) {
		snprintf(where, sizeof(where), "%#" PRIx64, l->places[i].address);
		add_place(out, s->code_feed, where, &l->places[i], sum_of(l));
	}
	if (l->n > most)
		strbuf_addf(out, _("  %d more: behind a share of the samples\n"), l->n - most);
	if (l->rest.sum > 0)
		/* TRANSLATORS: all instructions that are not listed, at most 12 columns */
		add_place(out, s->code_feed, _("the rest"), &l->rest, sum_of(l));
	if (!l->exact)
		strbuf_addf(out, "  %s\n",
			_("There were more addresses than are told apart: these have at least so "
			  "much, and parts of them are in the rest."));
	strbuf_addf(out, "  %s\n",
		_("An address counts from where the driver begins to put code; the samples do not say "
		  "whose it is."));
}
