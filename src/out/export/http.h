/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small HTTP/1.0 server for one text in several forms, in the poll loop. It expects few clients
 * and short requests, and it never blocks. */
#ifndef OUT_EXPORT_HTTP_H
#define OUT_EXPORT_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "out/export/http_request.h"

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

#endif
