/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the JSON lines of the oracle's oa/PLATFORM.jsonl.gz: just enough of a scanner for flat
 * keys. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "tests/oracle.h"

#define ORACLE_LINES ".jsonl.gz"

struct oracle {
	gzFile f;
	char *line;
	size_t cap;
};

/* The file of that name, from those that oracle_list() found in the folder oa. */
static inline bool oracle_open(struct oracle *o, const struct oracle_files *files, const char *name)
{
	char path[4096];

	memset(o, 0, sizeof(*o));
	snprintf(path, sizeof(path), "%s/%s" ORACLE_LINES, files->folder, name);
	o->f = gzopen(path, "rb");
	return ok(o->f, "%s: is read", name);
}

/* The next line, valid until the next call; NULL at the end. */
static inline const char *oracle_line(struct oracle *o)
{
	size_t len = 0;

	for (;;) {
		if (o->cap - len < 65536) {
			o->cap = len + 131072;
			o->line = xreallocarray(o->line, o->cap, 1);
		}
		if (!gzgets(o->f, o->line + len, (int)(o->cap - len)))
			return len ? o->line : NULL;
		len += strlen(o->line + len);
		if (len && o->line[len - 1] == '\n')
			return o->line;
	}
}

static inline void oracle_close(struct oracle *o)
{
	gzclose(o->f);
	free(o->line);
}

/* Behind "key": in the line; NULL when there is no such key. */
static inline const char *json_at(const char *line, const char *key)
{
	char quoted[80];
	const char *p;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	p = strstr(line, quoted);
	return p ? p + strlen(quoted) : NULL;
}

/* UINT64_MAX when there is no such key. */
static inline uint64_t json_u64(const char *line, const char *key)
{
	const char *p = json_at(line, key);

	return p ? strtoull(p, NULL, 10) : UINT64_MAX;
}

static inline bool json_is(const char *line, const char *key, const char *text)
{
	const char *p = json_at(line, key);

	return p && *p == '"' && !strncmp(p + 1, text, strlen(text)) && p[1 + strlen(text)] == '"';
}

/* Hexadecimal string to bytes; returns their number. */
static inline size_t json_hex(const char *line, const char *key, uint8_t *out, size_t max)
{
	const char *p = json_at(line, key);
	size_t n = 0;
	unsigned byte;

	for (p = p ? p + 1 : ""; n < max && sscanf(p, "%2x", &byte) == 1; p += 2)
		out[n++] = (uint8_t)byte;
	return n;
}
