/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of metric files: continuation lines, comments, words and strings. */
#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "core/metric/metric_priv.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* A carriage return counts as blank at the end of a line and as a control character elsewhere. */
static bool at_line_end(const char *s)
{
	return !*s || *s == '\n' || (*s == '\r' && (s[1] == '\n' || !s[1]));
}

static const char *skip_line_end(const char *s)
{
	if (*s == '\r')
		s++;
	if (*s == '\n')
		s++;
	return s;
}

/* Copies one statement; s is at its first character. Returns the place after it. */
static const char *copy_statement(const char *s, struct metric_line *line, int *number, size_t *bad)
{
	/* All but control characters, backslash, # and " */
	static const bool plain[256] = { [' ' ... '!'] = true, ['$' ... '['] = true,
		[']' ... '~'] = true, [0x80 ... 0xff] = true };
	bool quoted = false;

	for (;;) {
		size_t run = 0;

		/* Characters that need no check are most of every file, so they are copied in
		 * runs. */
		while (plain[(unsigned char)s[run]])
			run++;
		strbuf_addn(&line->text, s, run);
		s += run;
		if (at_line_end(s))
			break;
		if (*s == '\\' && at_line_end(s + 1) && s[1]) {
			strbuf_addc(&line->text, '\n');
			(*number)++;
			s = skip_line_end(s + 1);
			continue;
		}
		if (*s == '#' && !quoted) {
			s += strcspn(s, "\n");
			break;
		}
		if (quoted && *s == '\\' && !at_line_end(s + 1))
			strbuf_addc(&line->text, *s++);
		else if (*s == '"')
			quoted = !quoted;
		if (((unsigned char)*s < ' ' && *s != '\t') || *s == 0x7f) {
			if (line->text.len < *bad)
				*bad = line->text.len;
		}
		strbuf_addc(&line->text, *s++);
	}
	if (*s) {
		(*number)++;
		s = skip_line_end(s);
	}
	return s;
}

bool metric_next_line(const char **text, int *number, struct metric_line *line, const char **bad)
{
	while (**text) {
		size_t bad_at = SIZE_MAX;

		strbuf_clear(&line->text);
		line->number = *number;
		*text = copy_statement(*text, line, number, &bad_at);
		line->p = strbuf_str(&line->text);
		*bad = NULL;
		if (bad_at != SIZE_MAX)
			*bad = line->p + bad_at;
		if (*bad || metric_peek(line))
			return true;
	}
	return false;
}

void metric_place(const struct metric_line *line, const char *at, int *number, int *column)
{
	*number = line->number;
	*column = 1;
	for (const char *s = strbuf_str(&line->text); s < at; s++) {
		++*column;
		if (*s == '\n') {
			*column = 1;
			++*number;
		}
	}
}

const char *metric_next(struct metric_line *line)
{
	while (is_blank(*line->p))
		line->p++;
	return line->p;
}

char metric_peek(struct metric_line *line)
{
	return *metric_next(line);
}

bool metric_word(struct metric_line *line, const char **word, size_t *len)
{
	*word = metric_next(line);
	if (!*line->p || *line->p == '"')
		return false;
	while (*line->p && !is_blank(*line->p))
		line->p++;
	*len = (size_t)(line->p - *word);
	return true;
}

char *metric_string(struct metric_line *line)
{
	struct strbuf out = { 0 };
	const char *s;

	if (metric_peek(line) != '"')
		return NULL;
	for (s = line->p + 1; *s && *s != '"'; s++) {
		size_t run = strcspn(s, "\"\\\n");

		strbuf_addn(&out, s, run);
		s += run;
		if (!*s || *s == '"')
			break;
		if (*s == '\\' && (s[1] == '"' || s[1] == '\\'))
			s++;
		strbuf_addc(&out, *s == '\n' ? ' ' : *s);
	}
	if (*s != '"') {
		strbuf_release(&out);
		return NULL;
	}
	line->p = s + 1;
	return strbuf_take(&out);
}

char *metric_rest(struct metric_line *line, const char **at)
{
	*at = metric_next(line);
	const char *end = line->p + strlen(line->p);
	while (end > *at && is_blank(end[-1]))
		end--;
	line->p += strlen(line->p);
	return xstrndup(*at, (size_t)(end - *at));
}

char *metric_squeezed(const char *s)
{
	struct strbuf b = { 0 };

	for (; *s; s++) {
		if (!is_blank(*s))
			strbuf_addc(&b, *s);
		else if (b.len && b.s[b.len - 1] != ' ')
			strbuf_addc(&b, ' ');
	}
	return strbuf_take(&b);
}

bool metric_is_name(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = s[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

		if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '.')))
			return false;
	}
	return len > 0 && len < METRIC_NAME_SIZE;
}
