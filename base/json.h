/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of JSON objects and elements of arrays. Each puts a comma before itself where one is
 * due. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>

#include "base/strbuf.h"

/* The comma before an element of an array, unless it is the first one. */
void json_next(struct strbuf *out);
/* The key of a member; its value follows. */
void json_key(struct strbuf *out, const char *key);
/* A NULL value is null. */
void json_string(struct strbuf *out, const char *key, const char *value);
void json_integer(struct strbuf *out, const char *key, long long value);
void json_number(struct strbuf *out, const char *key, double value);
void json_bool(struct strbuf *out, const char *key, bool value);

#endif
