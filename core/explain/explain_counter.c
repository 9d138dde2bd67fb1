/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explanation of a raw counter as lines of text. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "core/explain/explain.h"

static bool reads(const struct metric_set *set, const struct metric *m, const char *counter)
{
	int *list = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*list));
	int n = metric_inputs(set, m, list);
	bool is_read = false;

	for (int i = 0; i < n; i++)
		is_read |= metric_input_is(set, set->inputs[list[i]].name, counter);
	free(list);
	return is_read;
}

bool explain_counter(struct strbuf *out, const struct metric_set *set, const char *name)
{
	const struct metric_input *in = NULL;

	for (int i = 0; i < set->n_inputs && !in; i++)
		if ((set->inputs[i].kind == INPUT_COUNTER || set->inputs[i].kind == INPUT_RATE) &&
			!strcmp(set->inputs[i].name, name))
			in = &set->inputs[i];
	if (!in)
		return false;
	strbuf_addf(out, "%s\n  %s  %s\n", _("Counter"), name, i18n_optional(in->text));
	if (in->block && *in->block)
		strbuf_addf(out, "%s\n  %s\n", _("Block"), i18n_optional(in->block));
	strbuf_addf(out, "%s\n", _("Who reads it"));
	for (int i = 0; i < set->n_metrics; i++)
		if (reads(set, &set->metrics[i], name))
			strbuf_addf(out, "  %s (%s)\n", metric_label(&set->metrics[i]),
				set->metrics[i].name);
	strbuf_addf(out, "%s\n  %s\n", _("Set"), set->name);
	return true;
}
