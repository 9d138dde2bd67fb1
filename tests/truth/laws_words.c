/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the sentences of an answer against each other, against what was compared, and against its resource. */
#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "core/verdict/verdict_priv.h"
#include "tests/truth/laws.h"

/* Whether every name and number of a reason stands in the other text already, with most of its words:
 * the same number may be of another thing. A name has a capital. */
static bool repeats(const char *reason, const char *text)
{
	static const char between_words[] = " ,:()%~+";
	int numbers = 0, words = 0, shared = 0;

	for (const char *p = reason; *p;) {
		char word[48];
		size_t len = strcspn(p, between_words);
		bool is_number = *p >= '0' && *p <= '9', found = false;

		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		p += len ? len : 1;
		if (!len)
			continue;
		for (const char *at = strstr(text, word); at && !found; at = strstr(at + 1, word))
			found = (at == text || strchr(between_words, at[-1])) && strchr(between_words, at[len]);
		numbers += is_number;
		words += !is_number && len > 3;
		shared += found && !is_number && len > 3;
		if (!found && (is_number || (*word >= 'A' && *word <= 'Z')))
			return false;
	}
	return numbers > 0 && shared > 0 && 2 * shared >= words;
}

/* Copies the next clause, and the same with # for each number; returns what is behind it. */
static const char *next_clause(const char *at, char *clause, char *masked, size_t size)
{
	size_t len = 0, n = 0;

	for (at += strspn(at, " ,:;"); *at && !strchr(":;", *at) && strncmp(at, ", ", 2) && len + 1 < size; at++) {
		bool is_digit = *at >= '0' && *at <= '9';

		clause[len++] = *at;
		if (!is_digit && !(*at == '.' && at[1] >= '0' && at[1] <= '9'))
			masked[n++] = *at;
		else if (!n || masked[n - 1] != '#')
			masked[n++] = '#';
	}
	clause[len] = masked[n] = '\0';
	return at;
}

/* What is said of the same thing has the same number, wherever in an answer it stands. */
static void hold_clauses(const char *what, const struct verdict *v, const char *all)
{
	char a[120], b[120], same[120], other[120];

	for (const char *at = next_clause(all, a, same, sizeof(a)); *a; at = next_clause(at, a, same, sizeof(a)))
		for (const char *to = next_clause(at, b, other, sizeof(b)); *b; to = next_clause(to, b, other, sizeof(b)))
			/* a number alone is of what stands before it */
			if (!strcmp(same, other) && strcmp(a, b) != 0 && strlen(same) > 6)
				wrong("contradicts", what, v, a);
}

/* What stands behind the headline does not say it again. */
static void hold_headline(const char *what, const struct verdict *v)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	char headline[60], line[240], word[40];

	verdict_headline(v, true, headline, sizeof(headline));
	verdict_line(v, false, true, line, sizeof(line));
	for (char *p = headline; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	for (char *p = line; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	/* what is counted next is not counted now, and a clock has its number */
	for (const char *at = headline + strcspn(headline, letters); *at; at += strcspn(at, letters)) {
		snprintf(word, sizeof(word), "%.*s", (int)strspn(at, letters), at);
		at += strlen(word);
		if (strlen(word) > 4 && strcmp(word, "counted") != 0 && strcmp(word, "clock") != 0 && strstr(line, word))
			wrong("repeats", what, v, word);
	}
}

/* No two metrics of a step have one name: "> 4 or memory: L3 96 %, DRAM ~0 %". */
static void hold_steps(const char *what, const struct snapshot *s, const struct verdict *v)
{
	struct strbuf text = { 0 };
	char *save = NULL;

	verdict_explain(v, s, &text);
	for (char *line = strtok_r(text.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *at = strstr(line, ": "), *percent, again[80];

		if (!at || line[1] != ' ' || !isdigit((unsigned char)line[2]) || line[3] != ' ')
			continue;
		for (at += strlen(": "); (percent = strstr(at, " %")); at = percent + strspn(percent, " %,")) {
			int len = (int)(percent - at) - 1;

			while (len > 0 && at[len] != ' ')
				len--;
			snprintf(again, sizeof(again), ", %.*s ", len, at);
			char *other = strstr(percent, again);
			if (other && strchr("~0123456789", other[strlen(again)]))
				wrong("steps", what, v, again);
		}
	}
	strbuf_release(&text);
}

/* No part of an answer contradicts another one, nor what was compared. */
static void hold_words(const char *what, const struct verdict *v)
{
	char text[240], all[1000];
	size_t len = (size_t)snprintf(all, sizeof(all), "%s", verdict_sentence(v, true, text, sizeof(text)));
	double least_room = INFINITY;
	bool names_resource = v->kind == VERDICT_PIPE || v->kind == VERDICT_BANDWIDTH, is_marked = false;

	for (int i = 0; i < VERDICT_BECAUSE; i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "; %s", verdict_because(v, i, true, text, sizeof(text)));
	hold_clauses(what, v, all);
	hold_headline(what, v);
	for (int i = 0; i < v->n_candidates; i++) {
		const struct verdict_candidate *c = &v->candidates[i];

		/* What is above its roof was served by a cache in part: nobody knows how full it is. */
		if (c->share <= verdict_threshold(THRESHOLD_OVER))
			least_room = fmin(least_room, c->from / c->share);
		if (v->missing == VERDICT_MISSING_SET && !strcmp(c->resource, v->bound) && !isnan(c->value))
			wrong("contradicts", what, v, "what is not counted has a value");
		/* What `explain limit` marks: pipes that are named together are full, or nearly as full as each other. */
		is_marked |= !c->why_not.fmt;
		if (names_resource && !c->why_not.fmt && strcmp(c->resource, v->bound) != 0 && !(c->share >= c->from) &&
			!(c->share >= v->share - verdict_threshold(THRESHOLD_LEAD)))
			wrong("marked", what, v, c->resource);
	}
	if (names_resource && v->n_candidates > 0 && !is_marked)
		wrong("marked", what, v, "nothing");
	if (!isnan(v->roof) && (strstr(all, "NOT KNOWN: ") || strstr(all, "not known")) && !(v->share > 1))
		wrong("contradicts", what, v, "a roof that is not known has a number");
	/* in short windows what was said stays as long as it is near its border: 5 points from 75 % */
	if (v->kind == VERDICT_NO_COUNTERS && !v->is_divided && least_room <= 0.93)
		wrong("contradicts", what, v, "nothing is counted, and something is full");
	if (least_room <= 1 && strstr(all, "nothing that is counted"))
		wrong("contradicts", what, v, "nothing is full, and something is");
	if (!isnan(v->share) && fabs(v->value / v->roof - v->share) > 0.01 * v->share)
		wrong("contradicts", what, v, "its share is not that of its roof");
}

void hold_advice(const char *what, const struct verdict *v)
{
	char text[240], other[240];

	for (int i = 0; i < VERDICT_BECAUSE; i++) {
		verdict_because(v, i, true, text, sizeof(text));
		for (int k = -1; k < i; k++) {
			if (k < 0)
				verdict_sentence(v, true, other, sizeof(other));
			else
				verdict_because(v, k, true, other, sizeof(other));
			if (*text && repeats(text, other))
				wrong("repeats", what, v, text);
		}
	}

	hold_words(what, v);
	if ((v->kind == VERDICT_PIPE || v->kind == VERDICT_BANDWIDTH) &&
		!verdict_advice_may_say(v->bound, verdict_try(v, true, text, sizeof(text))))
		wrong("advice", what, v, text);
	for (int i = -1; i < VERDICT_BECAUSE; i++) {
		if (i < 0)
			verdict_sentence(v, true, text, sizeof(text));
		else
			verdict_because(v, i, true, text, sizeof(text));
		/* No number is below zero, none is missing, and none is cut. */
		if (strstr(text, "##") || strstr(text, "nan") || strstr(text, " -"))
			wrong("sentence", what, v, text);
	}
}

/* More threads do not gain more than a unit that is loaded has slots for, each as fast as now while nothing that is
 * counted is full. */
static void hold_slots(const char *what, const struct snapshot *s, const struct verdict *v)
{
	double busy = largest_value(s, LIMIT_BUSY), used = largest_value(s, LIMIT_WORKING) + largest_value(s, LIMIT_WAITING), full = 0;

	if (v->kind != VERDICT_PARALLELISM || !s->device || !s->device->topology.threads_per_eu || !(used > 0 && busy > 0))
		return;
	for (int i = 0; i < s->set->n_metrics; i++) {
		enum limit_role role = s->set->metrics[i].limit.role;

		if ((role == LIMIT_PIPE || role == LIMIT_LEVEL) && s->values[i].why == WHY_OK && s->ceilings[i].why == WHY_OK)
			full = fmax(full, s->values[i].v / s->ceilings[i].v / fmin(busy, 1));
	}
	if (v->headroom * fmin(used, 1) / s->device->topology.threads_per_eu * (1 - full) > 1.03)
		wrong("headroom", what, v, "a unit has no slots for so many threads");
}

/* What an estimate is said with, and what little is known bounds. */
static void hold_inferred(const char *what, const struct snapshot *s, const struct verdict *v)
{
	bool is_inferred = false;
	char text[240];

	for (int i = 0; i < s->set->n_metrics; i++) {
		const struct metric *m = &s->set->metrics[i];

		if (m->limit.role == LIMIT_OCCUPANCY && !m->limit.one_sided && s->values[i].why == WHY_OK)
			is_inferred = m->flags & METRIC_ESTIMATED;
		/* More threads cannot gain more than what a pipe is busy at least lets them. */
		if (m->limit.role == LIMIT_FULLEST && m->limit.one_sided && v->kind == VERDICT_PARALLELISM &&
			s->values[i].why == WHY_OK && v->headroom * s->values[i].v * m->unit.scale > 1.03)
			wrong("headroom", what, v, m->name);
	}
	hold_slots(what, s, v);
	/* Waits that there are none of explain nothing. */
	if (strstr(verdict_sentence(v, true, text, sizeof(text)), " wait 0 %"))
		wrong("sentence", what, v, "nothing waits");
	for (int i = -1; i < VERDICT_BECAUSE; i++) {
		const char *at = i < 0 ? verdict_sentence(v, true, text, sizeof(text)) : verdict_because(v, i, true, text, sizeof(text));

		at = strstr(at, " % of the thread slots");
		while (at && at > text && at[-1] != ' ')
			at--;
		if (at && (*at == '~') != is_inferred)
			wrong("inferred", what, v, text);
	}
}

void hold_explained(const char *what, const struct snapshot *s, const struct verdict *v)
{
	hold_inferred(what, s, v);
	hold_steps(what, s, v);
}
