/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The attribute "limit" of metrics: what a metric says about limits of the device. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/numeric.h"
#include "core/metric/metric_priv.h"

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
	[LIMIT_GRAPHICS] = { "graphics", false },
	[LIMIT_LIFE] = { "life", false },
	[LIMIT_PIPE] = { "pipe", true },
	[LIMIT_FULLEST] = { "fullest", true },
	[LIMIT_QUEUE] = { "queue", true },
	[LIMIT_CAUSE] = { "cause", true },
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
	[LIMIT_PART_BUSY] = { "part-busy", false },
	[LIMIT_PART] = { "part", true },
	[LIMIT_SAMPLES] = { "samples", false },
};

/* Copies a word of the statement when it fits. */
static bool take_word(struct metric_parser *p, const char *what, char buf[LIMIT_WORD_SIZE])
{
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, what);
	bool fits = word && strlen(word) < LIMIT_WORD_SIZE;

	if (word && !fits)
		metric_problem(
			p, at, NULL, "the name is longer than %d bytes", LIMIT_WORD_SIZE - 1);
	if (fits)
		memcpy(buf, word, strlen(word) + 1);
	free(word);
	return fits;
}

/* A number above zero, of percent or in the unit of the metric. */
static bool take_number(struct metric_parser *p, const char *what, double most, double *out)
{
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, what), *end = NULL;

	if (!word)
		return false;
	*out = numeric_scan(word, &end);
	bool good = end != word && !*end && *out > 0 && *out <= most;
	if (!good)
		metric_problem(p, at, NULL, "'%.60s' is not %s", word, what);
	free(word);
	return good;
}

/* A resource that it is a cause of; there may be several. */
static bool take_of(struct metric_parser *p, struct metric_limit *l)
{
	char word[LIMIT_WORD_SIZE], *longer;

	if (!take_word(p, "a resource", word))
		return false;
	longer = xasprintf("%s%s ", text_or(l->of, " "), word);
	free(l->of);
	l->of = longer;
	return true;
}

static bool read_option(struct metric_parser *p, struct metric_limit *l)
{
	bool is_cause = l->role == LIMIT_CAUSE;
	const char *at = metric_next(&p->line);
	char *word = metric_take_word(p, "an option");
	bool good = true;

	if (!word)
		return false;
	if (!strcmp(word, "before"))
		good = take_word(p, "a level of memory", l->before);
	else if (!strcmp(word, "behind"))
		good = take_word(p, "a level of memory", l->behind);
	else if (is_cause && !strcmp(word, "of"))
		good = take_of(p, l);
	else if (is_cause && !strcmp(word, "from"))
		good = take_number(p, "a number above zero", INFINITY, &l->from);
	else if (!strcmp(word, "of"))
		good = take_word(p, "a group of pipes, or a level", l->group);
	else if (!strcmp(word, "from")) {
		good = take_number(p, "a number of percent", 100, &l->from);
		l->from /= 100;
	} else if (!strcmp(word, "fixed"))
		l->fixed = true;
	else if (!strcmp(word, "shared"))
		l->shared = true;
	else if (!strcmp(word, "one-sided"))
		l->one_sided = true;
	else if (!strcmp(word, "while-busy"))
		l->while_busy = true;
	else if (!strcmp(word, "while-awake"))
		l->while_awake = true;
	else
		good = metric_problem(p, at,
			"known are before, behind, of, from, fixed, one-sided, shared, while-busy "
			"and while-awake",
			"unknown option '%.60s'", word);
	free(word);
	return good;
}

/* A cause is said in a sentence of its own, which has one place for the value. */
static bool cause_is_whole(struct metric_parser *p, const char *at, const struct metric_limit *l)
{
	int places = 0;

	for (const char *s = l->name; s && (s = strchr(s, '%')); s += 2) {
		if (s[1] != 's' && s[1] != '%')
			places = -1;
		if (places < 0)
			break;
		places += s[1] == 's';
	}
	if (l->role != LIMIT_CAUSE || (l->from > 0 && places == 1))
		return true;
	return metric_problem(p, at, NULL,
		"a cause needs 'from NUMBER' and a sentence with %%s for the value");
}

/* "limit level gti_read before dram", "limit level dram fixed "DRAM"" */
void metric_read_limit(struct metric_parser *p, struct metric_draft *d)
{
	struct metric_limit l = { .role = LIMIT_NONE };
	const char *at = metric_next(&p->line);
	char *role = metric_take_word(p, "what it is to the limits");
	size_t i = 1;

	while (role && i < ARRAY_LEN(roles) && strcmp(roles[i].name, role) != 0)
		i++;
	if (role && i == ARRAY_LEN(roles))
		metric_problem(p, at, NULL, "unknown part of the limits '%.60s'", role);
	free(role);
	if (!role || i == ARRAY_LEN(roles) ||
		(roles[i].has_word && !take_word(p, "a name", l.word)))
		return;
	l.role = (enum limit_role)i;
	bool good = true;
	while (good && metric_peek(&p->line) && metric_peek(&p->line) != '"')
		good = read_option(p, &l);
	if (good && metric_peek(&p->line) == '"')
		l.name = metric_take_string(p);
	if (good && metric_peek(&p->line) == '"')
		l.tip = metric_take_string(p);
	if (!good || !metric_at_end(p) || !cause_is_whole(p, at, &l)) {
		free(l.name);
		free(l.tip);
		free(l.of);
		return;
	}
	free(d->m.limit.name);
	free(d->m.limit.tip);
	free(d->m.limit.of);
	d->m.limit = l;
}

const char *limit_role_name(enum limit_role role)
{
	return roles[role].name;
}

const char *metric_limit_name(const struct metric *m)
{
	return text_or(m->limit.name, m->label);
}

bool metric_is_resource(const struct metric *m)
{
	enum limit_role r = m->limit.role;

	return r == LIMIT_PIPE || r == LIMIT_LEVEL || r == LIMIT_LINK || r == LIMIT_POWER;
}
