/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes streams. A reader that stops reading costs windows, never the program's time. */
#include "config.h"

#include "session/window/stream_out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "base/fsroot.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "core/record/stream_records.h"

/* A pipe that is writable takes so much without waiting (POSIX PIPE_BUF of Linux). */
#define CHUNK_BYTES 4096
/* What may wait for a reader: some minutes of a device. */
#define PENDING_MAX (4 << 20)
#define LAST_WAIT_MS 3000

struct stream_out *stream_out_open(
	const char *path, bool overwrite, int n_devices, struct err *err)
{
	struct rec_stream head = { .version = REC_STREAM_VERSION, .n_devices = n_devices };
	bool is_file = strcmp(path, "-") != 0;
	int fd;

	if (is_file) {
		fd = file_create(path, overwrite, err);
	} else {
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (fd < 0)
			err_sys(err, _("cannot write to '%s'"), path);
	}
	if (fd < 0)
		return NULL;
	if (isatty(fd)) {
		close(fd);
		err_set(err, ERR_USAGE, _("a stream is not for a terminal"));
		err_hint(err, _("rooftop -w - | rooftop -r - shows it"));
		return NULL;
	}
	struct stream_out *s = xcalloc(1, sizeof(*s));
	s->fd = fd;
	s->is_file = is_file;
	s->n_devices = n_devices;
	snprintf(head.program, sizeof(head.program), "%s", PACKAGE_VERSION);
	rec_add_stream(&s->pending, &head);
	return s;
}

int stream_out_add(struct stream_out *s, const struct session *ses, const struct device *described,
	struct err *err)
{
	const struct open_device *dev = ses->dev;
	int device = s->next;
	size_t at = s->pending.len;

	if (device == s->n_devices) {
		err_set(err, ERR_USAGE, _("a stream holds the devices with which it began"));
		return -1;
	}
	rec_add_device(&s->pending, described, dev->n_sources);
	rec_add_consts(&s->pending, &dev->device);
	rec_add_roofs(&s->pending, &ses->measured);
	for (int i = 0; i < dev->n_sources; i++)
		rec_add_feed(&s->pending, i, &dev->sources[i]->feed);
	rec_of_device(s->pending.s + at, s->pending.len - at, device);
	s->next++;
	return device;
}

/* Says once that windows are missing. */
static void leave_out(struct stream_out *s, struct session *ses)
{
	struct err slow = { 0 };

	s->left_out++;
	if (s->told_slow)
		return;
	s->told_slow = true;
	err_set(&slow, ERR_NONE,
		_("nobody reads the stream, or not fast enough: windows are left out and counted"));
	session_problem(ses, &slow);
}

void stream_out_window(struct stream_out *s, struct session *ses, int device, int64_t end_ns,
	const struct client_table *users)
{
	const struct open_device *dev = ses->dev;
	size_t at = s->pending.len;

	if (s->ended)
		return;
	if (s->pending.len - s->written > PENDING_MAX) {
		leave_out(s, ses);
		return;
	}
	for (int i = 0; i < dev->n_sources; i++)
		rec_add_sample(&s->pending, i, &dev->sources[i]->feed, &ses->samples[i], i == 0);
	if (ses->samples[0].contexts)
		rec_add_contexts(&s->pending, &dev->sources[0]->feed, &ses->samples[0]);
	if (users)
		rec_add_clients(&s->pending, users, ses->opt->clients);
	rec_add_stream_window(&s->pending, end_ns, s->left_out);
	rec_of_device(s->pending.s + at, s->pending.len - at, device);
	s->left_out = 0;
}

/* Returns whether something can be written within that time. */
static bool is_writable(const struct stream_out *s, int wait_ms)
{
	struct pollfd p = { .fd = s->fd, .events = POLLOUT };

	return poll(&p, 1, wait_ms) == 1;
}

static void fail(struct stream_out *s)
{
	s->ended = true;
	if (errno == EPIPE)
		err_set(&s->err, ERR_END, _("the reader of the stream has closed it"));
	else
		err_sys(&s->err, "%s", _("cannot write the stream"));
}

static void write_some(struct stream_out *s, int wait_ms)
{
	while (!s->ended && s->written < s->pending.len && is_writable(s, wait_ms)) {
		size_t left = s->pending.len - s->written;
		ssize_t n = write(s->fd, s->pending.s + s->written, min_u64(left, CHUNK_BYTES));

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			fail(s);
		if (n > 0)
			s->written += (size_t)n;
	}
	if (s->written == 0)
		return;
	memmove(s->pending.s, s->pending.s + s->written, s->pending.len - s->written);
	s->pending.len -= s->written;
	s->written = 0;
}

bool stream_out_service(struct stream_out *s, struct err *err)
{
	write_some(s, 0);
	if (s->ended && err)
		*err = s->err;
	return !s->ended;
}

bool stream_out_close(struct stream_out *s, struct err *err)
{
	if (!s)
		return true;
	write_some(s, LAST_WAIT_MS);
	if (!s->ended && s->pending.len > 0)
		s->ended = !err_set(&s->err, ERR_SYS,
			_("nobody reads the stream: its last %zu bytes are lost"), s->pending.len);
	bool good = !s->ended;
	if (!good && err)
		*err = s->err;
	if (close(s->fd) < 0 && good && s->is_file)
		good = err_sys(err, "%s", _("cannot write the stream"));
	strbuf_release(&s->pending);
	free(s);
	return good;
}
