/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a request over HTTP asks for, and the answer to it, as text: no socket is known here. */
#ifndef OUT_EXPORT_HTTP_REQUEST_H
#define OUT_EXPORT_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "out/export/http_text.h"

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

#endif
