/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small HTTP/1.0 server for one text, in the poll loop: few clients, short requests, nothing that
 * blocks. */
#ifndef OUT_HTTP_H
#define OUT_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/strbuf.h"

/* Appends the body of /metrics. */
typedef void http_body_fn(void *ctx, struct strbuf *out);

struct http;	/* opaque */

/* where: "" (loopback, the usual port), "PORT", ":PORT" (every address), "HOST:PORT",
 * "[HOST]:PORT", "unix:PATH". NULL with err when it makes no sense or cannot be had. The loop must
 * outlive it. */
struct http *http_open(const char *where, const char *content_type, http_body_fn *body, void *ctx,
	struct err *err);
/* Where it listens, for people: "http://127.0.0.1:9844/metrics". */
const char *http_url(const struct http *h);
/* Serves from this loop. */
void http_start(struct http *h, struct loop *loop);
/* Drops clients that are too slow; a new client does so, too. */
void http_drop_slow(struct http *h);
/* NULL is fine. A socket file of ours is removed. */
void http_close(struct http *h);

#endif
