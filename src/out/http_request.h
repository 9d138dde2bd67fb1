/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a request over HTTP asks for, and the answer to it, as text: no socket is known here. */
#ifndef OUT_HTTP_REQUEST_H
#define OUT_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Appends the body of /metrics. */
typedef void http_body_fn(void *ctx, struct strbuf *out);

/* What is served. */
struct http_site {
	bool loopback;			/* only this machine reaches it */
	const char *content_type;	/* of /metrics */
	http_body_fn *body;
	void *ctx;
};

/* Says whether the text has the empty line that ends a request. */
bool http_request_is_whole(const char *request);
/* Appends the answer, head and body, to a whole request. */
void http_answer(const struct http_site *site, const char *request, struct strbuf *answer);
/* Appends the answer to a request that did not end within so many bytes. */
void http_answer_too_long(const char *request, size_t most_bytes, struct strbuf *answer);

#endif
