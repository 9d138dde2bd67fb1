/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small HTTP/1.0 server for one text in several forms, in the poll loop. It expects few clients
 * and short requests, and it never blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/strbuf.h"

/* Texts that several clients of a server read at once. They are counted, so that a hundred clients
 * hold one text, and a client that reads slowly keeps the one that it began with. */

/* Made by http_text_new(), with one user. */
struct http_text {
	int users;
	struct strbuf text;
};

struct http_text *http_text_new(void);
/* Gives up one use; NULL is allowed. */
void http_text_drop(struct http_text *t);

/* How many old texts may be in the hands of slow readers before the newest is given out again,
 * however old it is. */
#define HTTP_TEXT_OLD 3

/* The newest text of one kind. Zero-initialised it is empty. */
struct http_cache {
	struct http_text *newest;
	int64_t made_ns;	/* when it was written, by the machine's clock */
	int64_t took_ns;	/* how long that took */
	struct http_text *old[HTTP_TEXT_OLD];	/* the cache is one of their users */
};

typedef void http_write_fn(void *ctx, int form, struct strbuf *out);

/* Returns the newest text, with one more user. It is written anew when it is older than a tenth of
 * a second and than four times what it took to write: a crowd does not make the program write the
 * same numbers again and again, and most of the time is left for its windows. */
struct http_text *http_cache_get(
	struct http_cache *c, http_write_fn *write, void *ctx, int form);
void http_cache_release(struct http_cache *c);

/* What a request over HTTP asks for, and the answer to it, as text: no socket is known here. */

/* A form of /metrics. */
struct http_form {
	const char *content_type;	/* "application/openmetrics-text; version=1.0.0" */
};

#define HTTP_MAX_FORMS 2

/* What is served. */
struct http_site {
	bool loopback;			/* only this machine reaches it */
	/* [n_forms] of /metrics, the best first; who accepts none by its name gets the last */
	const struct http_form *forms;
	int n_forms;
	/* Returns /metrics in a form, with a use that the caller gives up. */
	struct http_text *(*text)(void *ctx, int form);
	void *ctx;
};

struct http_answer {
	struct strbuf head;
	struct http_text *body;		/* NULL: none is sent */
};

/* Says whether the text has the empty line that ends a request. */
bool http_request_is_whole(const char *request);
/* Fills in the answer to a whole request. */
void http_answer(const struct http_site *site, const char *request, struct http_answer *out);
/* Fills in the answer to a request that did not end within so many bytes. */
void http_answer_too_long(const char *request, size_t most_bytes, struct http_answer *out);
void http_answer_release(struct http_answer *a);

struct http;	/* opaque */

/* What /metrics is. */
struct http_pages {
	const struct http_form *forms;	/* [n_forms] as in struct http_site; must outlive the server */
	int n_forms;			/* at most HTTP_MAX_FORMS */
	http_write_fn *write;		/* appends the text in a form */
	void *ctx;
};

/* Opens a server. where is "" (loopback, the usual port), "PORT", ":PORT" (every address),
 * "HOST:PORT", "[HOST]:PORT" or "unix:PATH". Returns NULL and fills err when where is no address or
 * nobody can listen there. The loop must outlive the server. */
struct http *http_open(const char *where, const struct http_pages *pages, struct err *err);
/* Returns the address to show to people: "http://127.0.0.1:9844/metrics". */
const char *http_url(const struct http *h);
/* Starts to answer requests in this loop. */
void http_start(struct http *h, struct loop *loop);
/* Drops clients that are too slow, and listens again after descriptors had run out. It is called at
 * least once a second. */
void http_drop_slow(struct http *h);
/* Closes the server and removes the socket file that http_open() made. NULL is allowed. */
void http_close(struct http *h);
