/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of JSON objects and elements of arrays. Each function first adds a comma where one is
 * needed. A key of NULL means an element of an array. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Adds the key of a member; the caller adds its value. */
void json_key(struct strbuf *out, const char *key);
/* Begins an object ('{') or an array ('['); the caller adds what is in it, and its end. */
void json_open(struct strbuf *out, const char *key, char bracket);
/* Adds a string; a NULL value becomes null. */
void json_string(struct strbuf *out, const char *key, const char *value);
void json_integer(struct strbuf *out, const char *key, long long value);
void json_number(struct strbuf *out, const char *key, double value);
void json_bool(struct strbuf *out, const char *key, bool value);

/* Reads a JSON value (RFC 8259), such as a line of a program's results. */

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

/* A value. Strings point into the text that was read. */
struct json_node {
	enum json_type type;
	const char *key;	/* of a member of an object, else NULL */
	const char *text;	/* JSON_TEXT */
	double number;		/* JSON_NUMBER, and 0 or 1 of JSON_BOOL */
	size_t child, next;	/* the first one inside, the one beside it; 0: none */
};

/* A zero-initialised struct is valid, and may be used again for the next text. */
struct json_tree {
	struct json_node *nodes;	/* heap; the first is the whole value */
	size_t n, cap;
};

/* Reads one value that fills the text, which it overwrites and which has to stay. Returns false
 * when it is no JSON, or nested more than 64 deep. */
bool json_read(struct json_tree *t, char *text);
void json_tree_release(struct json_tree *t);
/* Returns a member of an object; NULL when there is none, or object is NULL. */
const struct json_node *json_get(
	const struct json_tree *t, const struct json_node *object, const char *key);
/* Returns the first value inside another one, and the next beside it; NULL when there is none. */
const struct json_node *json_first(const struct json_tree *t, const struct json_node *of);
const struct json_node *json_next(const struct json_tree *t, const struct json_node *of);
/* Return a member's value: "" or NAN, or false, where there is none of that type. */
const char *json_get_text(
	const struct json_tree *t, const struct json_node *object, const char *key);
double json_get_number(
	const struct json_tree *t, const struct json_node *object, const char *key);
bool json_is_true(const struct json_tree *t, const struct json_node *object, const char *key);
