/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the metrics that --columns names, in the sets that are open. */
#include "config.h"

#include "cmd/tell/columns.h"

#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "cmd/tell/metrics_cmd.h"
#include "session/program.h"
#include "session/window/sets.h"

/* Fills in why no device has a metric of that name. */
static bool unknown(struct session *ses, const char *word, struct err *err)
{
	const struct metric_set *set = ses->now->set, *next;
	struct strbuf names = { 0 };
	int at = -1, metric;

	while ((next = sets_next_with(ses, word, ses->dev->device.platform, false, &at, &metric)))
		if (strcmp(next->name, set->name) != 0)
			strbuf_add_word(&names, ", ", next->name);
	if (names.len) {
		err_set(err, ERR_USAGE, "the set %s does not count '%s'", set->name, word);
		err_hint(err, "-m chooses one that does: %s; -m A,B takes turns",
			strbuf_str(&names));
	} else {
		metrics_cmd_unknown(set, word, err);
	}
	strbuf_release(&names);
	return false;
}

bool columns_show(const struct program *p, struct writer_run *runs, int n, struct err *err)
{
	const char *words = p->opt->columns;
	char word[64];
	bool good = true;

	for (int i = 0; i < n; i++)
		writer_run_show(&runs[i], words ? xcalloc(strlen(words) + 1, sizeof(int)) : NULL, 0);
	while (words && good && parse_until(&words, ',', word, sizeof(word))) {
		bool is_known = false;

		for (int i = 0; i < n; i++) {
			int other, metric = metric_set_find(runs[i].set,
				&rotation_active(p->sessions[i]->now->rotation)->binding, word, &other);

			if (metric < 0)
				continue;
			is_known = true;
			metrics_cmd_tell_other(runs[i].set, word, metric, other);
			if (!writer_has(&runs[i], metric))
				runs[i].shown[runs[i].n_shown++] = metric;
		}
		good = is_known || unknown(p->sessions[0], word, err);
	}
	return good;
}
