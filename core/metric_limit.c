/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The attribute "limit" of metrics: what a metric says about limits of the device. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "core/metric_priv.h"

/* The array is indexed by enum limit_role. */
static const struct {
	const char *name;
	bool has_word;
} roles[] = {
	[LIMIT_NONE] = { "", false },
	[LIMIT_BUSY] = { "busy", false },
	[LIMIT_ASLEEP] = { "asleep", false },
	[LIMIT_WORKING] = { "working", true },
	[LIMIT_WAITING] = { "waiting", true },
	[LIMIT_EMPTY] = { "empty", true },
	[LIMIT_OCCUPANCY] = { "occupancy", false },
	[LIMIT_LIFE] = { "life", false },
	[LIMIT_PIPE] = { "pipe", true },
	[LIMIT_LEVEL] = { "level", true },
	[LIMIT_LINK] = { "link", true },
	[LIMIT_COPY] = { "copy", true },
	[LIMIT_FULL] = { "full", true },
	[LIMIT_CLOCK] = { "clock", false },
	[LIMIT_REQUESTED] = { "requested", false },
	[LIMIT_SETTING] = { "setting", false },
	[LIMIT_REASON] = { "reason", true },
	[LIMIT_POWER] = { "power", true },
	[LIMIT_TEMPERATURE] = { "temperature", false },
	[LIMIT_MEMORY] = { "memory", false },
	[LIMIT_FAN] = { "fan", false },
	[LIMIT_DEALT] = { "dealt", false },
};

/* Copies a word of the statement when it fits. */
static bool take_word(struct metric_parser *p, const char *what, char buf[LIMIT_WORD_SIZE])
{
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, what);
	bool fits = word && strlen(word) < LIMIT_WORD_SIZE;

	if (word && !fits)
		metric_problem(
			p, at, NULL, _("the name is longer than %d bytes"), LIMIT_WORD_SIZE - 1);
	if (fits)
		memcpy(buf, word, strlen(word) + 1);
	free(word);
	return fits;
}

static bool take_percent(struct metric_parser *p, double *share)
{
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, _("a number of percent")), *end = NULL;

	if (!word)
		return false;
	*share = numeric_scan(word, &end) / 100;
	bool good = end != word && !*end && *share > 0 && *share <= 1;
	if (!good)
		metric_problem(p, at, NULL, _("'%.60s' is no number of percent"), word);
	free(word);
	return good;
}

static bool read_option(struct metric_parser *p, struct metric_limit *l)
{
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, _("an option"));
	bool good = true;

	if (!word)
		return false;
	if (!strcmp(word, "before"))
		good = take_word(p, _("a level of memory"), l->before);
	else if (!strcmp(word, "behind"))
		good = take_word(p, _("a level of memory"), l->behind);
	else if (!strcmp(word, "of"))
		good = take_word(p, _("a group of pipes, or a level"), l->group);
	else if (!strcmp(word, "from"))
		good = take_percent(p, &l->from);
	else if (!strcmp(word, "fixed"))
		l->fixed = true;
	else if (!strcmp(word, "shared"))
		l->shared = true;
	else if (!strcmp(word, "while-busy"))
		l->while_busy = true;
	else
		good = metric_problem(p, at,
			_("known are before, behind, of, from, fixed, shared and while-busy"),
			_("unknown option '%.60s'"), word);
	free(word);
	return good;
}

/* "limit level gti_read before dram", "limit level dram fixed "DRAM"" */
void metric_read_limit(struct metric_parser *p, struct metric_draft *d)
{
	struct metric_limit l = { .role = LIMIT_NONE };
	const char *at = metric_next(&p->line);
	char *role = metric_take_word(p, _("what it is to the limits"));
	size_t i = 1;

	while (role && i < ARRAY_LEN(roles) && strcmp(roles[i].name, role) != 0)
		i++;
	if (role && i == ARRAY_LEN(roles))
		metric_problem(p, at, NULL, _("unknown part of the limits '%.60s'"), role);
	free(role);
	if (!role || i == ARRAY_LEN(roles) ||
		(roles[i].has_word && !take_word(p, _("a name"), l.word)))
		return;
	while (metric_peek(&p->line) && metric_peek(&p->line) != '"') {
		if (!read_option(p, &l))
			return;
	}
	if (metric_peek(&p->line) == '"')
		l.name = metric_take_string(p);
	if (!metric_at_end(p)) {
		free(l.name);
		return;
	}
	l.role = (enum limit_role)i;
	free(d->m.limit.name);
	d->m.limit = l;
}

const char *limit_role_name(enum limit_role role)
{
	return roles[role].name;
}

const char *metric_limit_name(const struct metric *m)
{
	return m->limit.name ? m->limit.name : m->label;
}

bool metric_is_resource(const struct metric *m)
{
	enum limit_role r = m->limit.role;

	return r == LIMIT_PIPE || r == LIMIT_LEVEL || r == LIMIT_LINK || r == LIMIT_POWER;
}
