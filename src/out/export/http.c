/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serves metrics over HTTP, a few clients at a time. */
#include "config.h"

#include "out/export/http.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/place.h"

#define DEFAULT_PORT "9844"
#define DEFAULT_HOST "127.0.0.1"
#define CLIENTS 64
#define REQUEST_MAX 4096
/* A client that takes longer than this for its request or our answer is dropped; a long answer has
 * a second more for each megabyte. */
#define PATIENCE_NS (5 * NS_PER_S)
#define PATIENCE_NS_PER_BYTE 1000
/* One that has sent nothing, or taken but a drop of its answer, for so long gives its place and its
 * descriptor to another, where there are no more. */
#define SILENT_NS (NS_PER_S / 10)
#define STILL_NS (NS_PER_S / 4)
#define DROP_BYTES 65536
#define SELDOM_NS (3600 * NS_PER_S)

struct client {
	struct http *http;
	int fd;			/* -1: free */
	/* since when it sends its request or reads the answer, by the machine's clock: people wait
	 * in real time, even when a replay does not */
	int64_t since_ns;
	int64_t moved_ns;	/* when it had last taken more than drops, and how much it had then */
	size_t moved_bytes;
	struct strbuf request;
	bool answered;
	struct http_answer answer;
	size_t sent;		/* bytes of head and body together */
};

struct http {
	int fd;
	struct loop *loop;
	struct http_pages pages;
	struct http_cache texts[HTTP_MAX_FORMS];
	bool resting;		/* it does not listen, because there is no descriptor for a client */
	bool loopback;		/* it listens where only this machine reaches it */
	char url[200];
	struct place socket;	/* of a unix socket, which is removed at the end */
	struct client clients[CLIENTS];
};

/* --- where --- */

static bool bad_where(struct err *err, const char *where)
{
	err_set(err, ERR_USAGE, "cannot listen at '%s': that is no address", where);
	return err_hint(
		err, "PORT, :PORT for every address, HOST:PORT, [IPv6]:PORT or unix:PATH");
}

/* Splits at the last colon. A word without a colon is a port. */
static bool split(const char *where, char *host, size_t size, const char **port)
{
	const char *colon = strrchr(where, ':');
	uint64_t n;

	*port = where;
	snprintf(host, size, "%s", DEFAULT_HOST);
	if (colon) {
		size_t len = (size_t)(colon - where);

		if (*where == '[') {
			if (colon[-1] != ']')
				return false;
			where++;
			len -= 2;
		}
		if (len >= size)
			return false;
		snprintf(host, size, "%.*s", (int)len, where);
		*port = colon + 1;
	}
	return parse_u64_range(*port, 1, 65535, &n);
}

static int listen_at(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1, error;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, SOMAXCONN))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* Fills err by errno. way_out says what helps where somebody else listens already. */
static bool cannot_listen(struct err *err, const char *where, const char *way_out)
{
	bool busy = errno == EADDRINUSE;

	err_sys(err, "cannot listen at '%s'", where);
	if (busy)
		err_hint(err, "%s", way_out);
	return false;
}

static bool is_loopback(const struct sockaddr *a)
{
	if (a->sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)a)->sin6_addr);
	return ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

/* Takes numbers only: a name would ask the network. */
static bool open_tcp(struct http *h, const char *where, struct err *err)
{
	struct addrinfo want = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *found;
	const char *port;
	char host[100];

	if (!*where)
		where = DEFAULT_HOST ":" DEFAULT_PORT;
	const bool is_split = split(where, host, sizeof(host), &port);
	if (!is_split && *port && !port[strspn(port, "0123456789")])
		return err_set(err, ERR_USAGE,
			"cannot listen at '%s': a port is a number from 1 to 65535", where);
	if (!is_split)
		return bad_where(err, where);
	if (!strcmp(host, "localhost"))
		snprintf(host, sizeof(host), "%s", DEFAULT_HOST);
	if (getaddrinfo(*host ? host : NULL, port, &want, &found))
		return bad_where(err, where);
	h->fd = listen_at(found);
	h->loopback = is_loopback(found->ai_addr);
	freeaddrinfo(found);
	if (h->fd < 0)
		return cannot_listen(err, where,
			"another program has that port; name a free one: --export prometheus:PORT");
	if (!*host)
		snprintf(host, sizeof(host), "0.0.0.0");
	if (strchr(host, ':'))
		snprintf(h->url, sizeof(h->url), "http://[%s]:%s/metrics", host, port);
	else
		snprintf(h->url, sizeof(h->url), "http://%s:%s/metrics", host, port);
	return true;
}

/* where: "unix:" and the path. */
static bool open_unix(struct http *h, const char *where, struct err *err)
{
	const char *path = where + strlen("unix:");
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct addrinfo info = { .ai_family = AF_UNIX,
		.ai_socktype = SOCK_STREAM,
		.ai_addr = (struct sockaddr *)&a,
		.ai_addrlen = sizeof(a) };
	const char *at = h->socket.path;
	struct stat st;

	if (!*path || strlen(path) >= sizeof(a.sun_path)) {
		err_set(err, ERR_USAGE,
			"cannot listen at 'unix:%.100s': the path is empty or too long", path);
		return err_hint(err, "a path of at most %zu bytes", sizeof(a.sun_path) - 1);
	}
	bool is_found = place_find(&h->socket, path, 0);
	if (is_found)
		errno = ENAMETOOLONG;
	if (!is_found || strlen(at) >= sizeof(a.sun_path))
		return file_cannot_write(err, path);
	memcpy(a.sun_path, at, strlen(at) + 1);
	/* A socket file that nobody answers at is left over from a program that was killed. */
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && !lstat(at, &st) && S_ISSOCK(st.st_mode) &&
		connect(fd, info.ai_addr, sizeof(a)) && errno == ECONNREFUSED)
		unlink(at);
	if (fd >= 0)
		close(fd);
	h->fd = listen_at(&info);
	if (h->fd < 0)
		return cannot_listen(err, where,
			"another program answers there, or it is no socket; name another path");
	snprintf(h->url, sizeof(h->url), "%s", where);
	return true;
}

struct http *http_open(const char *where, const struct http_pages *pages, struct err *err)
{
	struct http *h = xcalloc(1, sizeof(*h));
	bool good;

	assert(pages->n_forms <= HTTP_MAX_FORMS);
	h->pages = *pages;
	h->socket.folder = -1;
	for (int i = 0; i < CLIENTS; i++)
		h->clients[i] = (struct client){ .http = h, .fd = -1 };
	if (!strncmp(where, "unix:", strlen("unix:")))
		good = open_unix(h, where, err);
	else
		good = open_tcp(h, where, err);
	if (good)
		return h;
	place_leave(&h->socket);
	free(h);
	return NULL;
}

const char *http_url(const struct http *h)
{
	return h->url;
}

/* --- clients --- */

static void on_listen(void *ctx, int fd, short revents);

static void on_look(void *ctx, uint64_t missed)
{
	(void)missed;
	http_drop_slow(ctx);
}

/* A timer that has its descriptor before they run out: windows may be long. */
static void look_each(struct http *h, int64_t period_ns)
{
	loop_set_tick(h->loop, period_ns, on_look, h, NULL);
}

/* It listens again where there was no descriptor for a client. */
static void listen_again(struct http *h)
{
	if (!h->resting)
		return;
	loop_add_fd(h->loop, h->fd, POLLIN, on_listen, h);
	look_each(h, SELDOM_NS);
	h->resting = false;
}

static void drop(struct client *c)
{
	if (c->http->loop)
		loop_remove_fd(c->http->loop, c->fd);
	close(c->fd);
	strbuf_release(&c->request);
	http_answer_release(&c->answer);
	*c = (struct client){ .http = c->http, .fd = -1 };
	listen_again(c->http);
}

static struct http_text *newest_text(void *ctx, int form)
{
	struct http *h = ctx;

	return http_cache_get(&h->texts[form], h->pages.write, h->pages.ctx, form);
}

static void make_answer(struct client *c, bool is_whole)
{
	struct http *h = c->http;
	struct http_site site = { .loopback = h->loopback,
		.forms = h->pages.forms,
		.n_forms = h->pages.n_forms,
		.text = newest_text,
		.ctx = h };

	if (is_whole)
		http_answer(&site, strbuf_str(&c->request), &c->answer);
	else
		http_answer_too_long(strbuf_str(&c->request), REQUEST_MAX, &c->answer);
	c->answered = true;
	c->since_ns = c->moved_ns = clock_machine_ns();
}

/* Sends some of what is left: of the head first, then of the body. Returns what send() does, and
 * the bytes that were left before in *left. */
static ssize_t send_some(struct client *c, size_t *left)
{
	const struct strbuf *head = &c->answer.head;
	size_t body = c->answer.body ? c->answer.body->text.len : 0, at = c->sent;

	*left = head->len + body - at;
	if (at < head->len)
		return send(c->fd, strbuf_str(head) + at, head->len - at,
			MSG_NOSIGNAL | MSG_DONTWAIT | (body ? MSG_MORE : 0));
	at -= head->len;
	return send(c->fd, strbuf_str(&c->answer.body->text) + at, body - at,
		MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void on_writable(struct client *c)
{
	size_t left;
	ssize_t n;

	do {
		n = send_some(c, &left);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n > 0)
			c->sent += (size_t)n;
		if (c->sent >= c->moved_bytes + DROP_BYTES) {
			c->moved_ns = clock_machine_ns();
			c->moved_bytes = c->sent;
		}
	} while (n > 0 && c->sent == c->answer.head.len && c->answer.body);
	if (n < 0 || (size_t)n == left) {
		char rest[REQUEST_MAX];

		/* The kernel takes the answer back when a socket is closed with unread data. */
		recv(c->fd, rest, sizeof(rest), MSG_DONTWAIT);
		shutdown(c->fd, SHUT_WR);
		drop(c);
	}
}

/* A request ends with an empty line. */
static void on_client(void *ctx, int fd, short revents)
{
	struct client *c = ctx;
	char data[REQUEST_MAX];

	if (c->answered) {
		on_writable(c);
		return;
	}
	if (!(revents & (POLLIN | POLLHUP | POLLERR)))
		return;
	ssize_t n = recv(fd, data, sizeof(data) - c->request.len, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop(c);
		return;
	}
	strbuf_addn(&c->request, data, (size_t)n);
	bool is_whole = http_request_is_whole(strbuf_str(&c->request));
	if (!is_whole && c->request.len < sizeof(data))
		return;
	make_answer(c, is_whole);
	loop_remove_fd(c->http->loop, c->fd);
	loop_add_fd(c->http->loop, c->fd, POLLOUT, on_client, c);
}

static void drop_slow(struct http *h)
{
	int64_t now_ns = clock_machine_ns();

	for (int i = 0; i < CLIENTS; i++) {
		struct client *c = &h->clients[i];
		int64_t bytes = c->answer.body ? (int64_t)c->answer.body->text.len : 0;

		if (c->fd >= 0 &&
			now_ns - c->since_ns > PATIENCE_NS + bytes * PATIENCE_NS_PER_BYTE)
			drop(c);
	}
}

/* Whether a gives its place to a new client rather than b: first who has not asked yet, then who
 * has been there longest. */
static bool goes_before(const struct client *a, const struct client *b)
{
	if (a->answered != b->answered)
		return !a->answered;
	return a->since_ns < b->since_ns;
}

/* Gives up the client that has been silent for longest, else one that hardly reads its answer, for
 * its place and its descriptor, so that a crowd of such ones keeps nobody out. Who has
 * just come has time to say something, although others come behind it. NULL: nobody has to go. */
static struct client *free_place(struct http *h)
{
	int64_t now_ns = clock_machine_ns();
	struct client *found = NULL;

	for (int i = 0; i < CLIENTS; i++) {
		struct client *c = &h->clients[i];
		bool gives = now_ns - c->moved_ns > (c->answered ? STILL_NS : SILENT_NS);

		if (c->fd >= 0 && gives && (!found || goes_before(c, found)))
			found = c;
	}
	if (found)
		drop(found);
	return found;
}

static struct client *empty_place(struct http *h)
{
	for (int i = 0; i < CLIENTS; i++)
		if (h->clients[i].fd < 0)
			return &h->clients[i];
	return NULL;
}

static bool is_out_of_descriptors(void)
{
	return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
}

/* Takes a client; -1: none waits, or there is no descriptor for it. */
static int take_client(struct http *h)
{
	int client = accept4(h->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (client < 0 && is_out_of_descriptors() && free_place(h))
		client = accept4(h->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	return client;
}

/* Takes all clients that wait. Without a place or a descriptor for one of them it listens no
 * longer, because the loop would call again and again; it goes on when a client has gone, and looks
 * often. */
static void on_listen(void *ctx, int fd, short revents)
{
	struct http *h = ctx;
	bool full = false;

	(void)revents;
	drop_slow(h);
	for (int taken = 0; taken < CLIENTS; taken++) {
		struct client *c = empty_place(h);

		/* Only the first one surely waits, so that somebody may go for it. */
		if (!c && !taken)
			c = free_place(h);
		if (!c) {
			full = !taken;
			break;
		}
		int client = take_client(h);
		if (client < 0) {
			full = is_out_of_descriptors();
			break;
		}
		c->fd = client;
		c->since_ns = c->moved_ns = clock_machine_ns();
		loop_add_fd(h->loop, client, POLLIN, on_client, c);
		/* The request is often here already, and then nobody who comes takes the place. */
		on_client(c, client, POLLIN);
	}
	if (full) {
		loop_remove_fd(h->loop, fd);
		look_each(h, SILENT_NS);
		h->resting = true;
	}
}

void http_drop_slow(struct http *h)
{
	drop_slow(h);
	listen_again(h);
}

void http_start(struct http *h, struct loop *loop)
{
	h->loop = loop;
	look_each(h, SELDOM_NS);
	loop_add_fd(loop, h->fd, POLLIN, on_listen, h);
}

void http_close(struct http *h)
{
	if (!h)
		return;
	for (int i = 0; i < CLIENTS; i++)
		if (h->clients[i].fd >= 0)
			drop(&h->clients[i]);
	h->resting = false;
	if (h->loop) {
		loop_remove_fd(h->loop, h->fd);
		look_each(h, 0);
	}
	for (int i = 0; i < HTTP_MAX_FORMS; i++)
		http_cache_release(&h->texts[i]);
	close(h->fd);
	if (h->socket.folder >= 0)
		unlink(h->socket.path);
	place_leave(&h->socket);
	free(h);
}
