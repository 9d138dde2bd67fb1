/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers the first contexts that ran. */
#include "config.h"

#include "session/session.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"

static void note_id(struct context_watch *w, uint32_t id)
{
	for (int i = 0; i < w->n; i++)
		if (w->id[i] == id)
			return;
	if (w->n < CONTEXT_WATCH_IDS)
		w->id[w->n++] = id;
	else
		w->saw_more = true;
}

void context_watch_note(struct context_watch *w, const struct sample *s)
{
	w->saw_chosen |= s->why == WHY_OK;
	for (int i = 0; i < s->n_contexts; i++)
		if (s->contexts[i].kind == HW_CONTEXT_ONE)
			note_id(w, s->contexts[i].id);
}

void context_watch_sentence(const struct context_watch *w, uint32_t chosen, char *buf, size_t size)
{
	char ids[CONTEXT_WATCH_IDS * 12 + 8] = "";

	for (int i = 0; i < w->n; i++) {
		size_t len = strlen(ids);

		snprintf(ids + len, sizeof(ids) - len, "%s%#x", i ? ", " : "", w->id[i]);
	}
	if (w->saw_more)
		snprintf(ids + strlen(ids), sizeof(ids) - strlen(ids), ", ...");
	if (w->n)
		snprintf(buf, size, _("context %#x has not run; those that have: %s"), chosen, ids);
	else
		snprintf(buf, size, _("context %#x has not run, and no other context has"), chosen);
}
