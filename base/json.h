/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of JSON objects and elements of arrays. Each function first adds a comma where one is
 * needed. A key of NULL means an element of an array. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>

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

#endif
