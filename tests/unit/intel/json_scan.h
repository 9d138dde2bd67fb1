/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scanner for the oracles' JSON: known formats, strings without escapes. What does not follow
 * sets bad, and nothing is read then. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/numeric.h"

struct json {
	const char *p;
	bool bad;
};

static inline bool json_take(struct json *j, char c)
{
	while (*j->p == ' ')
		j->p++;
	if (*j->p != c)
		return false;
	j->p++;
	return true;
}

static inline void json_expect(struct json *j, char c)
{
	if (!j->bad && !json_take(j, c))
		j->bad = true;
}

/* A string without escapes, which is all that these files hold. */
static inline void json_string(struct json *j, char *buf, size_t size)
{
	size_t len;

	buf[0] = '\0';
	json_expect(j, '"');
	if (j->bad)
		return;
	len = strcspn(j->p, "\"\\");
	if (j->p[len] != '"' || len >= size) {
		j->bad = true;
		return;
	}
	memcpy(buf, j->p, len);
	buf[len] = '\0';
	j->p += len + 1;
}

struct number {
	bool is_int, is_null;
	uint64_t u;
	double d;
};

static inline struct number json_number(struct json *j)
{
	struct number n = { .is_int = true };
	char *end;

	json_take(j, ' ');
	if (!strncmp(j->p, "null", 4)) {
		j->p += 4;
		return (struct number){ .is_null = true };
	}
	n.d = numeric_scan(j->p, &end);
	if (end == j->p)
		j->bad = true;
	for (const char *p = j->p; p < end; p++) {
		if (*p >= '0' && *p <= '9')
			n.u = n.u * 10 + (uint64_t)(*p - '0');
		else if (*p != '-')
			n.is_int = false;
	}
	if (*j->p == '-' && n.is_int)
		n.u = -n.u;
	j->p = end;
	return n;
}

static inline void json_skip(struct json *j)
{
	int depth = 0;

	do {
		if (j->bad || !*j->p) {
			j->bad = true;
			return;
		}
		if (*j->p == '"') {
			j->p++;
			j->p += strcspn(j->p, "\"");
		}
		depth += (*j->p == '{' || *j->p == '[') - (*j->p == '}' || *j->p == ']');
		j->p++;
	} while (depth > 0 || !strchr(",]}", *j->p) || !*j->p);
}

/* Next key of an object, ':' taken; false at its end. first: before the first key. */
static inline bool json_key(struct json *j, bool *first, char *buf, size_t size)
{
	if (*first)
		json_expect(j, '{');
	else if (!j->bad && !json_take(j, ','))
		return json_expect(j, '}'), false;
	if (*first && json_take(j, '}'))
		return false;
	*first = false;
	json_string(j, buf, size);
	json_expect(j, ':');
	return !j->bad;
}

static inline bool json_item(struct json *j, bool *first)
{
	if (*first)
		json_expect(j, '[');
	else if (!j->bad && !json_take(j, ','))
		return json_expect(j, ']'), false;
	if (*first && json_take(j, ']'))
		return false;
	*first = false;
	return !j->bad;
}

static inline size_t json_hex(struct json *j, uint8_t *out, size_t size)
{
	size_t n = 0;

	json_expect(j, '"');
	for (; !j->bad && *j->p && *j->p != '"'; j->p += 2) {
		unsigned v;

		if (n >= size || sscanf(j->p, "%2x", &v) != 1 || j->p[1] == '"') {
			j->bad = true;
			return n;
		}
		out[n++] = (uint8_t)v;
	}
	json_expect(j, '"');
	return n;
}
