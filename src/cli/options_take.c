/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes values of options whose kind several tables use: numbers, words, files. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "cli/options.h"

bool option_bad_value(const struct argument *a, const char *allowed)
{
	err_set(a->err, ERR_USAGE, "bad value '%s' for --%s", a->value, a->row->name);
	return err_hint(a->err, "allowed: %s", allowed);
}

bool option_flag(const struct argument *a)
{
	return *(bool *)a->at = true;
}

bool option_count(const struct argument *a)
{
	uint64_t max = (uint64_t)a->row->max;
	char allowed[64];

	if (parse_u64_range(a->value, 1, max, a->at))
		return true;
	snprintf(allowed, sizeof(allowed), "a whole number from 1 to %llu",
		(unsigned long long)max);
	return option_bad_value(a, a->row->allowed ? a->row->allowed : allowed);
}

bool option_duration(const struct argument *a)
{
	int64_t *out_ns = a->at;

	return (parse_duration_ns(a->value, out_ns) && *out_ns >= a->row->min &&
		       *out_ns <= a->row->max) ||
		option_bad_value(a, a->row->allowed);
}

bool option_word(const struct argument *a)
{
	struct strbuf allowed = { 0 };
	const char **out = a->at;
	bool good = false;

	for (const char *const *word = a->row->words; *word && !good; word++) {
		good = !strcmp(a->value, *word);
		if (good)
			*out = *word;
		strbuf_add_word(&allowed, ", ", *word);
	}
	if (!good)
		good = option_answer(a, strbuf_str(&allowed));
	strbuf_release(&allowed);
	return good;
}

/* A line has one job. Help and version come before whatever else was asked for. */
bool option_task(const struct argument *a, int task)
{
	struct options *o = a->options;

	if (o->task != TASK_RUN && (int)o->task != task)
		return err_set(a->err, ERR_USAGE,
			"--%s asks for a job of its own, and the line has another one",
			a->row->name);
	o->task = (enum task)task;
	return true;
}

bool option_answer(const struct argument *a, const char *words)
{
	struct strbuf *out = &a->options->answer;

	if (strcmp(a->value, "help") != 0)
		return option_bad_value(a, words);
	/* A word a line, as other lists are. */
	strbuf_add(out, words);
	for (char *sep; (sep = strstr(out->s, ", "));) {
		*sep = '\n';
		memmove(sep + 1, sep + 2, strlen(sep + 2) + 1);
		out->len--;
	}
	strbuf_addc(out, '\n');
	return option_task(a, TASK_ANSWER);
}

bool option_file(const struct argument *a)
{
	if (!*a->value)
		return option_bad_value(a, "a name that is not empty");
	*(const char **)a->at = a->value;
	return true;
}

bool option_named_file(const struct argument *a)
{
	if (!strcmp(a->value, "-"))
		return option_bad_value(a, "the name of a file");
	return option_file(a);
}

bool option_files(const struct argument *a)
{
	struct argument one = *a;
	struct name_list *l = a->at;

	l->names = xreallocarray(l->names, (size_t)l->n + 1, sizeof(*l->names));
	one.at = &l->names[l->n];
	if (!option_file(&one))
		return false;
	l->n++;
	return true;
}
