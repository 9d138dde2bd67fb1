/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads requests over HTTP/1.0 and writes the answers. */
#include "config.h"

#include "out/http_request.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
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

/* Whether the request names this machine as its host: localhost or an address. A web page can make a
 * name of its own mean this machine (DNS rebinding) and would then read what is served here. */
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

static void add_answer(const char *status, const char *type, const struct strbuf *body, bool head,
	struct strbuf *answer)
{
	strbuf_addf(answer,
		"HTTP/1.0 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: "
		"close\r\n\r\n",
		status, type, body->len);
	if (!head)
		strbuf_addn(answer, strbuf_str(body), body->len);
}

#define PLAIN "text/plain; charset=utf-8"

void http_answer(const struct http_site *site, const char *request, struct strbuf *answer)
{
	const char *status = "200 OK", *type = PLAIN, *method = "GET";
	bool head = is_head(request);
	struct strbuf body = { 0 };

	if (head)
		method = "HEAD";
	if (site->loopback && !names_this_machine(request)) {
		strbuf_add(&body, "here answers only localhost, or an address\n");
		status = "421 Misdirected Request";
	} else if (is_request(request, method, "/metrics")) {
		site->body(site->ctx, &body);
		type = site->content_type;
	} else if (is_request(request, method, "/")) {
		strbuf_add(&body, "rooftop: /metrics\n");
	} else if (head || !strncmp(request, "GET ", 4)) {
		strbuf_add(&body, "there is only /metrics\n");
		status = "404 Not Found";
	} else {
		strbuf_add(&body, "only GET and HEAD\n");
		status = "405 Method Not Allowed";
	}
	add_answer(status, type, &body, head, answer);
	strbuf_release(&body);
}

void http_answer_too_long(const char *request, size_t most_bytes, struct strbuf *answer)
{
	struct strbuf body = { 0 };

	strbuf_addf(&body, "a request has at most %zu bytes\n", most_bytes);
	add_answer("431 Request Header Fields Too Large", PLAIN, &body, is_head(request), answer);
	strbuf_release(&body);
}
