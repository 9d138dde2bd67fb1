/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the settings file. */
#include "config.h"

#include "core/value/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/strbuf.h"

#define SETTINGS_MAX_BYTES (1 << 20)

bool settings_default_path(char *buf, size_t size)
{
	return user_path(buf, size, "XDG_CONFIG_HOME", "/.config", "/rooftop/rooftoprc");
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static char *trimmed(const char *s, const char *end)
{
	while (s < end && is_blank(*s))
		s++;
	while (end > s && is_blank(end[-1]))
		end--;
	return xstrndup(s, (size_t)(end - s));
}

static void add_line(struct settings *s, char *key, char *value)
{
	s->lines = array_grow(s->lines, s->count, &s->cap, sizeof(*s->lines));
	s->lines[s->count++] = (struct setting){ .key = key, .value = value };
}

/* Returns false when the line is neither a comment nor a setting; such a line is kept as it is. */
static bool read_line(struct settings *s, const char *line, const char *end)
{
	const char *equals = memchr(line, '=', (size_t)(end - line));
	const char *first = line;
	bool is_text = !memchr(line, '\0', (size_t)(end - line));

	while (first < end && is_blank(*first))
		first++;
	if (first == end || *first == '#' || !equals || equals == first || !is_text) {
		add_line(s, NULL, xstrndup(line, (size_t)(end - line)));
		return first == end || *first == '#';
	}
	add_line(s, trimmed(line, equals), trimmed(equals + 1, end));
	return true;
}

bool settings_load(struct settings *s, const char *path, struct err *err)
{
	struct err why = { 0 };
	size_t len = 0;
	char *text = file_read_all(path, SETTINGS_MAX_BYTES, &len, &why);
	bool good = true;
	int number = 1;

	if (!text) {
		if (why.sys == ENOENT)
			return true;
		if (err)
			*err = why;
		return false;
	}
	for (const char *line = text; line < text + len; number++) {
		const char *end = memchr(line, '\n', (size_t)(text + len - line));

		if (!end)
			end = text + len;
		if (!read_line(s, line, end) && good)
			good = err_set(err, ERR_PARSE,
				"%s:%d: not of the form key=value; the line is kept and not used",
				path, number);
		line = end + 1;
	}
	free(text);
	return good;
}

/* These are the keys of rooftoprc(5); is_switch: the value is on or off. What others may have is
 * checked where it is read (settings_refuse()). */
static const struct {
	const char *name;
	bool is_switch;
} known_keys[] = {
	{ "delay", false },
	{ "scheme", false },
	{ "ascii", true },
	{ "mouse", true },
	{ "set", false },
	{ "units", false },
	{ "hidden-panes", false },
	{ "screen", false },
	{ "processes-sort", false },
	{ "processes-inverted", true },
	{ "processes-hide-idle", true },
	{ "processes-grouped", true },
};

/* Returns the known key that is nearest, or NULL, and how many letters are different. */
static const char *nearest_key(const char *key, int *distance)
{
	const char *best = NULL;

	/* A short key must be nearer: half of it may be a slip. */
	*distance = strlen(key) < 6 ? (int)strlen(key) / 2 + 1 : 4;
	for (size_t i = 0; i < sizeof(known_keys) / sizeof(known_keys[0]); i++) {
		const char *known = known_keys[i].name;
		int d = near_distance(key, strlen(key), known, strlen(known));

		if (d < *distance) {
			*distance = d;
			best = known;
		}
	}
	return best;
}

static bool is_switch(const char *key)
{
	for (size_t i = 0; i < sizeof(known_keys) / sizeof(known_keys[0]); i++)
		if (!strcmp(known_keys[i].name, key))
			return known_keys[i].is_switch;
	return false;
}

void settings_refuse(const char *key, const char *value, struct err *err)
{
	err_set(err, ERR_PARSE,
		"setting '%s': '%.60s' is no value of it; it is kept and not used", key, value);
	err_hint(err, "%s", "rooftoprc(5) lists the values; s writes those that are in use");
}

void settings_check(const struct settings *s, const char *path,
	void (*fn)(void *ctx, const struct err *err), void *ctx)
{
	for (size_t i = 0; i < s->count; i++) {
		const char *key = s->lines[i].key, *best;
		struct err err = { 0 };
		int distance;

		/* "set.DEVICE" has a name that may be any. */
		if (!key || !strncmp(key, "set.", 4))
			continue;
		best = nearest_key(key, &distance);
		const char *value = s->lines[i].value;
		if (distance == 0 && is_switch(key) && strcmp(value, "on") != 0 &&
			strcmp(value, "off") != 0) {
			settings_refuse(key, value, &err);
			fn(ctx, &err);
		}
		if (distance == 0)
			continue;
		err_set(&err, ERR_PARSE,
			"%s:%zu: unknown setting '%.60s'; it is kept and not used", path, i + 1,
			key);
		if (best)
			err_hint(&err, "did you mean '%s'?", best);
		fn(ctx, &err);
	}
}

static struct setting *find(const struct settings *s, const char *key)
{
	for (size_t i = s->count; i > 0; i--) {
		if (s->lines[i - 1].key && !strcmp(s->lines[i - 1].key, key))
			return &s->lines[i - 1];
	}
	return NULL;
}

const char *settings_get(const struct settings *s, const char *key)
{
	const struct setting *line = find(s, key);

	return line ? line->value : NULL;
}

void settings_set(struct settings *s, const char *key, const char *value)
{
	struct setting *line = find(s, key);
	char *copy = xstrdup(value);

	for (char *p = copy; *p; p++) {
		if (*p == '\n' || *p == '\r')
			*p = ' ';
	}
	if (line) {
		free(line->value);
		line->value = copy;
		return;
	}
	add_line(s, xstrdup(key), copy);
}

void settings_release(struct settings *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->lines[i].key);
		free(s->lines[i].value);
	}
	free(s->lines);
	*s = (struct settings){ 0 };
}

bool settings_save(const struct settings *s, const char *path, struct err *err)
{
	struct strbuf b = { 0 };

	for (size_t i = 0; i < s->count; i++) {
		if (s->lines[i].key)
			strbuf_addf(&b, "%s=%s\n", s->lines[i].key, s->lines[i].value);
		else
			strbuf_addf(&b, "%s\n", s->lines[i].value);
	}
	bool good = file_keep(path, strbuf_str(&b), b.len, err);
	strbuf_release(&b);
	return good;
}
