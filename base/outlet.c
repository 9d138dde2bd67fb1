/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A descriptor whose other end may stop reading. */
#include "config.h"

#include "base/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ending.h"

/* What may wait for a reader: some minutes of a device. */
#define QUEUE_MAX (4 << 20)
/* What a signal that ends the program leaves a reader: so long without a byte, so long in all. */
#define LAST_WAIT_NS (NS_PER_S * 6 / 10)
#define LAST_WAIT_MAX_NS (3 * NS_PER_S)
/* How often it is looked whether such a signal has come. */
#define LOOK_MS 50

/* Opens the same file, terminal or pipe once more. Linux does that by the name in /proc, which is
 * missing in some sandboxes; and a terminal or pipe of another user refuses. */
static int open_again(int fd)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	return open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

bool outlet_open(struct outlet *o, int fd)
{
	struct stat st;
	enum outlet_kind kind = OUTLET_FILE;
	int own = -1;

	if (fstat(fd, &st) < 0)
		return false;
	if (S_ISSOCK(st.st_mode))
		kind = OUTLET_SOCKET;
	else if (S_ISFIFO(st.st_mode) || isatty(fd))
		kind = OUTLET_SHARED;
	if (kind == OUTLET_SHARED && (own = open_again(fd)) >= 0)
		kind = OUTLET_OWN;
	/* A regular file keeps the place where others write, so it must be the same open file. */
	if (own < 0)
		own = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	/* Where descriptors have run out, there is something to say all the more. */
	*o = (struct outlet){ .kind = kind, .fd = own < 0 ? fd : own, .is_borrowed = own < 0 };
	return true;
}

void outlet_take(struct outlet *o, int fd)
{
	*o = (struct outlet){ .kind = OUTLET_OWN, .fd = fd };
}

size_t outlet_waiting(const struct outlet *o)
{
	return o->queue.len - o->written;
}

bool outlet_is_full(const struct outlet *o)
{
	return !o->error && outlet_waiting(o) > QUEUE_MAX;
}

/* For the moment of the write the open file that others share does not wait, either. */
static ssize_t write_shared(const struct outlet *o, const char *p, size_t len)
{
	int flags = fcntl(o->fd, F_GETFL), error;

	if (flags < 0 || fcntl(o->fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return -1;
	ssize_t n = write(o->fd, p, len);
	error = errno;
	fcntl(o->fd, F_SETFL, flags);
	errno = error;
	return n;
}

static ssize_t write_some(const struct outlet *o, const char *p, size_t len)
{
	switch (o->kind) {
	case OUTLET_SOCKET: return send(o->fd, p, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	case OUTLET_SHARED: return write_shared(o, p, len);
	default: return write(o->fd, p, len);
	}
}

/* The descriptor is watched while something waits that can still go out. */
static void watch_if_waiting(struct outlet *o)
{
	bool wanted = o->watch && !o->error && outlet_waiting(o) > 0;

	if (wanted != o->is_watched)
		o->watch(o, wanted);
	o->is_watched = wanted;
}

void outlet_watch(struct outlet *o, void (*watch)(struct outlet *o, bool wanted), struct loop *loop)
{
	if (o->is_watched)
		o->watch(o, false);
	o->is_watched = false;
	o->watch = watch;
	o->loop = loop;
	watch_if_waiting(o);
}

bool outlet_push(struct outlet *o)
{
	ssize_t n = 1;

	while (!o->error && outlet_waiting(o) > 0 && n > 0) {
		n = write_some(o, o->queue.s + o->written, outlet_waiting(o));
		if (n > 0)
			o->written += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
		else if (n < 0 && errno != EAGAIN)
			o->error = errno;
	}
	/* What is out is forgotten only when it is much, because the rest has to be moved. */
	if (outlet_waiting(o) == 0 || o->written > QUEUE_MAX) {
		if (outlet_waiting(o) > 0)
			memmove(o->queue.s, o->queue.s + o->written, outlet_waiting(o));
		strbuf_cut(&o->queue, outlet_waiting(o));
		o->written = 0;
	}
	watch_if_waiting(o);
	return !o->error;
}

bool outlet_add(struct outlet *o, const char *piece, size_t len)
{
	if (o->error)
		return false;
	/* There may be room again. */
	if (outlet_is_full(o) && (!outlet_push(o) || outlet_is_full(o))) {
		o->left_out += len > 0;
		return false;
	}
	strbuf_addn(&o->queue, piece, len);
	outlet_push(o);
	return true;
}

/* Whether to wait any longer, after the reader took something at moved_ns. */
static bool is_patient(int64_t patience_ns, int64_t moved_ns)
{
	int64_t now_ns = clock_machine_ns(), asked_ns = ending_asked_ns(), still_ns = now_ns - moved_ns;

	if (patience_ns >= 0 && still_ns >= patience_ns)
		return false;
	if (!asked_ns)
		return true;
	return still_ns < LAST_WAIT_NS && now_ns - asked_ns < LAST_WAIT_MAX_NS;
}

bool outlet_drain(struct outlet *o, int64_t patience_ns)
{
	/* Of several that nobody reads, the last one waits no longer than the first. */
	int64_t asked_ns = ending_asked_ns(), moved_ns = asked_ns ? asked_ns : clock_machine_ns();

	while (outlet_push(o) && outlet_waiting(o) > 0 && is_patient(patience_ns, moved_ns)) {
		struct pollfd p = { .fd = o->fd, .events = POLLOUT };
		size_t before = outlet_waiting(o);

		poll(&p, 1, LOOK_MS);
		outlet_push(o);
		if (outlet_waiting(o) < before)
			moved_ns = clock_machine_ns();
	}
	return !o->error && outlet_waiting(o) == 0;
}

void outlet_forget(struct outlet *o)
{
	strbuf_clear(&o->queue);
	o->written = 0;
	watch_if_waiting(o);
}

bool outlet_close(struct outlet *o)
{
	bool good = true;

	if (o->kind != OUTLET_CLOSED) {
		outlet_watch(o, NULL, NULL);
		good = o->is_borrowed || close(o->fd) == 0;
	}
	strbuf_release(&o->queue);
	*o = (struct outlet){ .kind = OUTLET_CLOSED };
	return good;
}

struct outlet *outlet_of_messages(void)
{
	static struct outlet messages;

	if (messages.kind == OUTLET_CLOSED)
		outlet_open(&messages, STDERR_FILENO);
	return &messages;
}

void outlet_say(const char *format, ...)
{
	struct outlet *o = outlet_of_messages();
	va_list ap;
	char *s = NULL;

	va_start(ap, format);
	int len = vasprintf(&s, format, ap);
	va_end(ap);
	if (len > 0 && o->kind != OUTLET_CLOSED)
		outlet_add(o, s, (size_t)len);
	free(s);
}
