/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as requests over HTTP, in any pieces, by several clients that come and go: the text of
 * an answer fits its head, nobody reads the metrics under a foreign name, and the server answers the
 * next one. */
#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "out/export/http.h"

#define SECRET "rooftop_secret 1\n"
#define CLIENTS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
	if (!good)
		abort();
}

static const struct http_form forms[] = { { "application/first; version=1" }, { "text/plain" } };

static void add_secret(void *ctx, int form, struct strbuf *out)
{
	(void)ctx;
	check(form == 0 || form == 1);
	strbuf_add(out, SECRET);
}

static struct http_text *secret_text(void *ctx, int form)
{
	struct http_text *t = http_text_new();

	add_secret(ctx, form, &t->text);
	return t;
}

/* --- one request, as text --- */

/* A name of the network has a letter that no address has; localhost is the exception. */
static bool is_foreign(const char *request)
{
	const char *line = request;

	while ((line = strchr(line, '\n'))) {
		line++;
		if (strncasecmp(line, "host:", 5))
			continue;
		line += 5 + strspn(line + 5, " \t[");
		size_t len = strcspn(line, "] \t\r\n");
		bool local = !strncasecmp(line, "localhost", 9) && (len == 9 || line[9] == ':');
		return !local && strspn(line, "0123456789abcdefABCDEF:.") < len;
	}
	return false;
}

static void check_answer(const char *text, size_t len, bool head)
{
	const char *end = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");
	size_t body;

	check(!strncmp(text, "HTTP/1.0 ", 9) && end && length && length < end);
	body = (size_t)strtoul(length + strlen("Content-Length: "), NULL, 10);
	check(len - (size_t)(end + 4 - text) == (head ? 0 : body));
}

static void try_text(const char *request, bool loopback)
{
	struct http_site site = {
		.loopback = loopback, .forms = forms, .n_forms = 2, .text = secret_text
	};
	struct http_answer answer;
	struct strbuf text = { 0 };

	http_answer(&site, request, &answer);
	strbuf_add(&text, strbuf_str(&answer.head));
	if (answer.body)
		strbuf_add(&text, strbuf_str(&answer.body->text));
	check_answer(strbuf_str(&text), text.len, !strncmp(request, "HEAD ", 5));
	check(!loopback || !is_foreign(request) || !strstr(strbuf_str(&text), SECRET));
	strbuf_release(&text);
	http_answer_release(&answer);
}

/* --- clients of a server --- */

static struct {
	struct loop *loop;
	struct http *http;
	struct sockaddr_un address;
	int clients[CLIENTS];
} net;

static void turn(void)
{
	struct err err = { 0 };

	for (int i = 0; i < 3; i++)
		check(loop_once(net.loop, 0, &err));
}

static void remove_folder(void)
{
	http_close(net.http);
	loop_free(net.loop);
	*strrchr(net.address.sun_path, '/') = '\0';
	rmdir(net.address.sun_path);
}

static void begin(void)
{
	static const int no_signals[] = { 0 };
	char folder[] = "/tmp/rooftop-fuzz.XXXXXX", where[80];
	struct err err = { 0 };

	check(mkdtemp(folder) && (net.loop = loop_new(no_signals, &err)));
	snprintf(where, sizeof(where), "unix:%s/s", folder);
	const struct http_pages pages = { .forms = forms, .n_forms = 2, .write = add_secret };
	check((net.http = http_open(where, &pages, &err)));
	http_start(net.http, net.loop);
	net.address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(net.address.sun_path, sizeof(net.address.sun_path), "%s", where + 5);
	for (int i = 0; i < CLIENTS; i++)
		net.clients[i] = -1;
	atexit(remove_folder);
}

/* A queue full of clients that have left is taken by one turn. */
static int call(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const struct sockaddr *a = (const struct sockaddr *)&net.address;

	if (fd >= 0 && connect(fd, a, sizeof(net.address))) {
		check(errno == EAGAIN);
		turn();
		check(!connect(fd, a, sizeof(net.address)));
	}
	check(fd >= 0);
	return fd;
}

static void leave(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A byte says who does what: bits 0 and 1 the client, bit 2 that it leaves, bit 3 that it reads, the
 * others how many times 16 bytes it sends of those that follow. */
static void act(const uint8_t **data, size_t *size)
{
	uint8_t order = *(*data)++;
	int *fd = &net.clients[order % CLIENTS];
	size_t n = (size_t)(order >> 4) * 16;
	char answer[4096];

	(*size)--;
	n = n > *size ? *size : n;
	if (*fd < 0)
		*fd = call();
	if (n)
		send(*fd, *data, n, MSG_NOSIGNAL | MSG_DONTWAIT);
	*data += n;
	*size -= n;
	if (!(order & 4) || n)
		turn();
	/* What has come stays where it is, so that each look sees the beginning. */
	if (order & 8 && recv(*fd, answer, 12, MSG_DONTWAIT | MSG_PEEK) == 12)
		check(!memcmp(answer, "HTTP/1.0 ", 9));
	if (order & 4)
		leave(fd);
}

static void try_clients(const uint8_t *data, size_t size)
{
	static const char request[] = "GET /metrics HTTP/1.0\r\n\r\n";
	char answer[512] = "";

	while (size)
		act(&data, &size);
	for (int i = 0; i < CLIENTS; i++)
		leave(&net.clients[i]);
	int fd = call();
	check(send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) == sizeof(request) - 1);
	turn();
	check(recv(fd, answer, sizeof(answer) - 1, 0) > 0);
	check(strstr(answer, " 200 OK\r\n") && strstr(answer, SECRET));
	close(fd);
	turn();
}

/* First byte: whether this is the text of one request, what machines reach the server, or what
 * clients do. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] & 2) {
		if (!net.http)
			begin();
		try_clients(data + 1, size - 1);
		return 0;
	}
	char *request = xstrndup((const char *)data + 1, size - 1);
	if (http_request_is_whole(request))
		try_text(request, data[0] & 1);
	free(request);
	return 0;
}
