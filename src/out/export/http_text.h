/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that several clients of a server read at once. They are counted, so that a hundred clients hold
 * one text, and a client that reads slowly keeps the one that it began with. */
#ifndef OUT_EXPORT_HTTP_TEXT_H
#define OUT_EXPORT_HTTP_TEXT_H

#include <stdint.h>

#include "base/strbuf.h"

/* Made by http_text_new(), with one user. */
struct http_text {
	int users;
	struct strbuf text;
};

struct http_text *http_text_new(void);
/* Gives up one use; NULL is allowed. */
void http_text_drop(struct http_text *t);

/* How many old texts may be in the hands of slow readers before the newest is given out again, however
 * old it is. */
#define HTTP_TEXT_OLD 3

/* The newest text of one kind. Zero-initialised it is empty. */
struct http_cache {
	struct http_text *newest;
	int64_t made_ns;	/* when it was written, by the machine's clock */
	int64_t took_ns;	/* how long that took */
	struct http_text *old[HTTP_TEXT_OLD];	/* the cache is one of their users */
};

typedef void http_write_fn(void *ctx, int form, struct strbuf *out);

/* Returns the newest text, with one more user. It is written anew when it is older than a tenth of a
 * second and than four times what it took to write: a crowd does not make the program write the same
 * numbers again and again, and most of the time is left for its windows. */
struct http_text *http_cache_get(
	struct http_cache *c, http_write_fn *write, void *ctx, int form);
void http_cache_release(struct http_cache *c);

#endif
