/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes members of JSON objects. */
#include "config.h"

#include "base/json.h"

#include <string.h>

void json_key(struct strbuf *out, const char *key)
{
	/* A string ends in a quote, so these characters begin an object or an array. */
	if (out->len > 0 && !strchr("{[", out->s[out->len - 1]))
		strbuf_addc(out, ',');
	if (!key)
		return;
	strbuf_add_json(out, key);
	strbuf_addc(out, ':');
}

void json_open(struct strbuf *out, const char *key, char bracket)
{
	json_key(out, key);
	strbuf_addc(out, bracket);
}

void json_string(struct strbuf *out, const char *key, const char *value)
{
	json_key(out, key);
	if (value)
		strbuf_add_json(out, value);
	else
		strbuf_add(out, "null");
}

void json_integer(struct strbuf *out, const char *key, long long value)
{
	json_key(out, key);
	strbuf_addf(out, "%lld", value);
}

void json_number(struct strbuf *out, const char *key, double value)
{
	json_key(out, key);
	strbuf_add_double(out, value);
}

void json_bool(struct strbuf *out, const char *key, bool value)
{
	json_key(out, key);
	strbuf_add(out, value ? "true" : "false");
}
