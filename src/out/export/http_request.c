/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads requests over HTTP/1.0 and writes the answers. */
#include "config.h"

#include "out/export/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool http_request_is_whole(const char *request)
{
	return strstr(request, "\r\n\r\n") || strstr(request, "\n\n");
}

/* HEAD asks for an answer without its body. */
static bool is_head(const char *request)
{
	return !strncmp(request, "HEAD ", 5);
}

static bool is_request(const char *line, const char *method, const char *path)
{
	size_t m = strlen(method), p = strlen(path);

	return !strncmp(line, method, m) && line[m] == ' ' && !strncmp(line + m + 1, path, p) &&
		strchr(" ?\r\n", line[m + 1 + p]);
}

/* Whether the request names this machine as its host: localhost or an address. A web page can make
 * a name of its own mean this machine (DNS rebinding) and would then read what is served here. */
static bool names_this_machine(const char *request)
{
	const char *host = strcasestr(request, "\nHost:");
	unsigned char address[sizeof(struct in6_addr)];
	char name[80];
	size_t len;

	if (!host)
		return true;
	host += strlen("\nHost:");
	host += strspn(host, " \t");
	len = strcspn(host, "[:] \t\r\n");
	if (*host == '[')
		len = strcspn(++host, "] \t\r\n");
	if (len >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)len, host);
	return !strcasecmp(name, "localhost") || inet_pton(AF_INET, name, address) == 1 ||
		inet_pton(AF_INET6, name, address) == 1;
}

/* Whether an element of an Accept header, "TYPE; PARAMETER; q=...", is of this type and wanted: q=0
 * refuses it. */
static bool accepts(const char *element, size_t len, const char *type, size_t type_len)
{
	const char *end = element + len, *q;

	if (len < type_len || strncasecmp(element, type, type_len) ||
		(len > type_len && !strchr("; \t", element[type_len])))
		return false;
	for (q = element; q + 4 <= end; q++)
		if (!strncasecmp(q, ";q=", 3) || !strncasecmp(q, " q=", 3))
			return strtod(q + 3, NULL) > 0;
	return true;
}

/* Whether the request names the type, without its parameters, among those that it accepts. */
static bool asks_for(const char *request, const char *type)
{
	const char *at = strcasestr(request, "\nAccept:");
	size_t type_len = strcspn(type, ";");

	if (!at)
		return false;
	at += strlen("\nAccept:");
	for (;;) {
		while (*at == ' ' || *at == '\t' || *at == ',')
			at++;
		size_t len = strcspn(at, ",\r\n");
		if (len == 0)
			return false;
		if (accepts(at, len, type, type_len))
			return true;
		at += len;
	}
}

static int form_of(const struct http_site *site, const char *request)
{
	for (int i = 0; i < site->n_forms; i++)
		if (asks_for(request, site->forms[i].content_type))
			return i;
	return site->n_forms - 1;
}

static void fill(struct http_answer *out, const char *status, const char *type, bool head)
{
	strbuf_addf(&out->head,
		"HTTP/1.0 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: "
		"close\r\n\r\n",
		status, type, out->body->text.len);
	if (!head)
		return;
	http_text_drop(out->body);
	out->body = NULL;
}

#define PLAIN "text/plain; charset=utf-8"

/* A short text of its own. */
static void say(struct http_answer *out, const char *text)
{
	out->body = http_text_new();
	strbuf_add(&out->body->text, text);
}

void http_answer(const struct http_site *site, const char *request, struct http_answer *out)
{
	const char *status = "200 OK", *type = PLAIN, *method = "GET";
	bool head = is_head(request);

	*out = (struct http_answer){ .body = NULL };
	if (head)
		method = "HEAD";
	if (site->loopback && !names_this_machine(request)) {
		say(out, "here answers only localhost, or an address\n");
		status = "421 Misdirected Request";
	} else if (is_request(request, method, "/metrics")) {
		int form = form_of(site, request);

		out->body = site->text(site->ctx, form);
		type = site->forms[form].content_type;
	} else if (is_request(request, method, "/")) {
		say(out, "rooftop: /metrics\n");
	} else if (head || !strncmp(request, "GET ", 4)) {
		say(out, "there is only /metrics\n");
		status = "404 Not Found";
	} else {
		say(out, "only GET and HEAD\n");
		status = "405 Method Not Allowed";
	}
	fill(out, status, type, head);
}

void http_answer_too_long(const char *request, size_t most_bytes, struct http_answer *out)
{
	*out = (struct http_answer){ .body = http_text_new() };
	strbuf_addf(&out->body->text, "a request has at most %zu bytes\n", most_bytes);
	fill(out, "431 Request Header Fields Too Large", PLAIN, is_head(request));
}

void http_answer_release(struct http_answer *a)
{
	strbuf_release(&a->head);
	http_text_drop(a->body);
	*a = (struct http_answer){ .body = NULL };
}
