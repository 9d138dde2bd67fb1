/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells of each metric set which resources it counts, and which of those that others count it
 * lacks. */
#include "config.h"

#include "screen/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "session/window/rotate.h"
#include "session/window/sets.h"

/* Says whether one of the first n metrics of the set counts the same resource as m. */
static bool counts(const struct metric_set *set, int n, const struct metric *m)
{
	for (int i = 0; i < n; i++)
		if (metric_is_resource(&set->metrics[i]) &&
			!strcmp(set->metrics[i].limit.word, m->limit.word))
			return true;
	return false;
}

/* Returns the resource that metric number i of the set counts, when no metric before it does. */
static const char *nth_resource(const struct metric_set *set, int i)
{
	const struct metric *m = &set->metrics[i];

	return metric_is_resource(m) && !counts(set, i, m) ? metric_limit_name(m) : NULL;
}

static bool has_word(const struct strbuf *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = strbuf_str(words); (p = strstr(p, word)); p += len)
		if ((p == strbuf_str(words) || p[-1] == ' ') && (p[len] == ',' || !p[len]))
			return true;
	return false;
}

static void add_lacks(struct strbuf *out, const struct set_list *l, const struct metric_set *set)
{
	for (int i = 0; i < l->n; i++)
		for (int k = 0; k < l->set[i]->n_metrics; k++) {
			const char *resource = nth_resource(l->set[i], k);

			if (resource && !counts(set, set->n_metrics, &l->set[i]->metrics[k]) &&
				!has_word(out, resource))
				strbuf_add_word(out, ", ", resource);
		}
}

static void describe(struct set_list *l, int i, const struct session *ses)
{
	const struct metric_set *set = l->set[i];
	struct set_summary *s = &l->summary[i];
	struct strbuf counted = { 0 }, lacks = { 0 };

	s->name = set->name;
	s->label = set->label;
	s->text = set->text;
	s->map = set->n_cells > 0;
	const struct rotation *now = map_set_rotation(ses);
	for (int k = 0; k < now->n; k++)
		s->current |= now->part[k].set == set;
	for (int k = 0; k < set->n_metrics; k++)
		if (nth_resource(set, k))
			strbuf_add_word(&counted, ", ", nth_resource(set, k));
	add_lacks(&lacks, l, set);
	snprintf(s->counts, sizeof(s->counts), "%s", strbuf_str(&counted));
	snprintf(s->lacks, sizeof(s->lacks), "%s", strbuf_str(&lacks));
	strbuf_release(&counted);
	strbuf_release(&lacks);
}

void set_list_make(struct set_list *l, struct session *ses)
{
	size_t n = (size_t)ses->sets.lib.n_sets;

	set_list_release(l);
	sets_load_bodies(ses);
	l->summary = xcalloc(n + 1, sizeof(*l->summary));
	l->set = xcalloc(n + 1, sizeof(*l->set));
	for (int i = 0; i < ses->sets.lib.n_sets; i++)
		if (sets_is_visible(ses, i, ses->dev->device.platform))
			l->set[l->n++] = ses->sets.lib.sets[i];
	for (int i = 0; i < l->n; i++)
		describe(l, i, ses);
}

void set_list_release(struct set_list *l)
{
	free(l->summary);
	free(l->set);
	*l = (struct set_list){ 0 };
}
