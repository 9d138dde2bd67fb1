/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads streams. Nothing that they say is trusted. */
#include "config.h"

#include "backends/replay/stream_hub.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/outlet.h"
#include "base/mem.h"
#include "base/utf8.h"

#define HEADER sizeof(struct rec_header)
#define BUFFER_BYTES (256 * 1024)
#define QUIET_MS 3000	/* after so long it is said who is waited for */

void stream_window_clear(struct stream_window *w)
{
	w->complete = false;
	client_table_note(&w->clients, WHY_NOT_YET);
	w->n_contexts = -1;
	w->marks.first = w->marks.n = 0;
	strbuf_clear(&w->spans.records);
	w->spans.lost = 0;
	memset(w->has, 0, sizeof(w->has));
}

void stream_window_free(struct stream_window *w)
{
	for (int i = 0; w && i < REC_MAX_FEEDS; i++)
		rec_sample_release(&w->samples[i]);
	if (w) {
		free(w->clients.rows);
		rec_marks_release(&w->marks);
		strbuf_release(&w->spans.records);
	}
	free(w);
}

static void release(struct device_shared *shared)
{
	struct stream_hub *h = (struct stream_hub *)shared;

	for (int i = 0; h->devices && i < h->head.n_devices; i++) {
		struct stream_device *d = &h->devices[i];

		stream_window_free(d->next);
		for (int k = 0; k < REC_MAX_FEEDS; k++)
			free(d->feeds[k].instances);
	}
	free(h->devices);
	if (h->fd >= 0)
		close(h->fd);
	if (h->child_error >= 0)
		close(h->child_error);
	if (h->child > 0) {
		kill(h->child, SIGTERM);
		waitpid(h->child, NULL, 0);
	}
	free(h->buf);
	free(h);
}

bool stream_hub_is_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct rec_header h = { .type = 0 };
	struct stat st;
	bool is_stream = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		pread(fd, &h, sizeof(h), 0) == sizeof(h) && h.type == REC_STREAM;

	if (fd >= 0)
		close(fd);
	return is_stream;
}

/* --- bytes --- */

static bool is_readable(int fd, int wait_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&p, 1, wait_ms) == 1;
}

/* Keeps the last line of what ssh says. relay: people see it, because they may be asked something. */
static void hear_child(struct stream_hub *h, bool relay)
{
	char buf[512];

	while (is_readable(h->child_error, 0)) {
		ssize_t n = read(h->child_error, buf, sizeof(buf) - 1);

		if (n <= 0) {
			close(h->child_error);
			h->child_error = -1;
			return;
		}
		/* The other machine's words must not command this terminal, by halves of them neither. */
		for (ssize_t i = 0; i < n; i++)
			if (((unsigned char)buf[i] < ' ' && !memchr("\n\r\t", buf[i], 3)) || buf[i] == 0x7f ||
				((unsigned char)buf[i] == 0xc2 && i + 1 == n) ||
				(i > 0 && (unsigned char)buf[i - 1] == 0xc2 && (unsigned char)buf[i] < 0xa0))
				buf[i] = '?';
		if (relay)
			outlet_add(outlet_of_messages(), buf, (size_t)n);
		while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == '\r'))
			n--;
		buf[n] = '\0';
		const char *line = strrchr(buf, '\n');
		line = line ? line + 1 : buf;
		if (*line)
			utf8_copy_plain(h->said, sizeof(h->said), line, strlen(line));
	}
}

static void fail(struct stream_hub *h, const char *what)
{
	h->ended = h->stopped = true;
	if (h->failure.code == ERR_NONE)
		err_set(&h->failure, ERR_PARSE, "the stream from %s: %s", h->name, what);
}

/* Waits until something can be read. A wait is told once when it becomes long, because people would
 * think that nothing happens; only devices that are looked for at the start are waited for, when
 * the terminal still ends programs by Ctrl-C. */
static void await(struct stream_hub *h)
{
	bool is_ready = false;

	while (!is_ready) {
		struct pollfd p[2] = { { .fd = h->fd, .events = POLLIN },
			{ .fd = h->child_error, .events = POLLIN } };
		int wait_ms = QUIET_MS;

		if (h->told_wait)
			wait_ms = -1;
		if (poll(p, 2, wait_ms) == 0) {
			outlet_say("rooftop: waiting for %s, which says nothing yet; Ctrl-C ends it\n",
				h->name);
			h->told_wait = true;
		}
		if (h->child > 0)
			hear_child(h, true);
		is_ready = p[0].revents != 0;
	}
}

/* Reads once. wait: until something comes. Returns false when nothing came. */
static bool read_more(struct stream_hub *h, bool wait)
{
	if (h->ended || (!wait && !h->is_file && !is_readable(h->fd, 0)))
		return false;
	if (h->start > 0) {
		memmove(h->buf, h->buf + h->start, h->fill - h->start);
		h->fill -= h->start;
		h->start = 0;
	}
	if (h->fill == BUFFER_BYTES)
		return false;
	if (wait)
		await(h);
	ssize_t n = read(h->fd, h->buf + h->fill, BUFFER_BYTES - h->fill);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return wait;
	if (n < 0)
		fail(h, strerror(errno));
	if (n <= 0)
		h->ended = true;
	else
		h->fill += (size_t)n;
	return n > 0;
}

/* Looks at the next record without taking it. Returns false when no whole one is there. */
static bool peek(struct stream_hub *h, struct rec *out)
{
	size_t left = h->fill - h->start;
	struct rec_header head;

	if (h->stopped || left < HEADER)
		return false;
	memcpy(&head, h->buf + h->start, HEADER);
	if (head.size < HEADER) {
		fail(h, "a record has an impossible size");
		return false;
	}
	if (left < head.size)
		return false;
	*out = (struct rec){ .type = head.type, .payload = h->buf + h->start + HEADER,
		.size = head.size - HEADER };
	return true;
}

static void take(struct stream_hub *h, const struct rec *rec)
{
	h->start += rec->size + HEADER;
}

/* Parts are read as those of device 0. */
static void make_own(struct stream_hub *h, const struct rec *rec)
{
	rec_of_device((char *)h->buf + h->start, rec->size + HEADER, 0);
}

/* --- records --- */

static bool take_feed(struct stream_device *d, const struct rec *rec)
{
	struct rec_feed feed;
	int id;

	if (!rec_take_feed(rec, &id, &feed))
		return false;
	if (d->has_feed[id]) {
		free(feed.instances);
		return false;
	}
	d->feeds[id] = feed;
	d->feeds[id].feed.counters = d->feeds[id].counters;
	d->has_feed[id] = true;
	d->n_feeds++;
	return true;
}

static bool take_device(const struct rec *rec, struct rec_stream_device *out)
{
	bool good = rec_take_device(rec, out);

	/* Streams of older versions do not tell. */
	if (good)
		out->device.is_processor |= !strcmp(out->device.driver, "cpu");
	return good;
}

/* Takes a record of the stream's beginning. Returns false where it makes no sense. */
static bool take_head(struct stream_hub *h, const struct rec *rec)
{
	int device = rec_device_of(rec);

	if (device < 0)
		return true;
	if (device >= h->head.n_devices)
		return false;
	struct stream_device *d = &h->devices[device];
	make_own(h, rec);
	switch (rec->type) {
	case REC_DEVICE: return take_device(rec, &d->about);
	case REC_CONSTS: return rec_take_consts(rec, &d->about.device);
	case REC_ROOFS: return rec_take_roofs(rec, &d->roofs);
	case REC_FEED: return take_feed(d, rec);
	default: return true;
	}
}

static bool head_is_whole(const struct stream_hub *h)
{
	for (int i = 0; i < h->head.n_devices; i++)
		if (h->devices[i].about.n_feeds == 0 ||
			h->devices[i].n_feeds < h->devices[i].about.n_feeds ||
			!h->devices[i].has_feed[0])
			return false;
	return true;
}

static bool begin(struct stream_hub *h, const struct rec *rec, struct err *err)
{
	if (!rec_take_stream(rec, &h->head))
		return err_set(err, ERR_PARSE, "what comes from %s is no stream of rooftop",
			h->name);
	if (h->head.version != REC_STREAM_VERSION) {
		err_set(err, ERR_UNSUPPORTED,
			"the stream from %s has version %u (rooftop %s), and only version %d is known",
			h->name, h->head.version, h->head.program, REC_STREAM_VERSION);
		return err_hint(err, "the newer rooftop reads what the older one writes");
	}
	h->devices = xcalloc((size_t)h->head.n_devices, sizeof(*h->devices));
	for (int i = 0; i < h->head.n_devices; i++) {
		h->devices[i].next = xcalloc(1, sizeof(*h->devices[i].next));
		stream_window_clear(h->devices[i].next);
	}
	return true;
}

static bool read_head(struct stream_hub *h, struct err *err)
{
	struct rec rec;

	while (!h->devices || !head_is_whole(h)) {
		if (!peek(h, &rec)) {
			if (!h->ended && read_more(h, true))
				continue;
			if (h->fill == 0 && h->child > 0)
				return err_set(err, ERR_NO_DEVICE, "no stream came from %s", h->name);
			if (h->fill == 0)
				return err_set(err, ERR_PARSE, "nothing came from %s", h->name);
			return err_set(err, ERR_PARSE,
				"the stream from %s ends before it says what it holds", h->name);
		}
		if (!h->devices && !begin(h, &rec, err))
			return false;
		if (rec.type != REC_STREAM && !take_head(h, &rec))
			return err_set(err, ERR_PARSE,
				"the stream from %s says nonsense of its devices", h->name);
		take(h, &rec);
	}
	return true;
}

struct stream_hub *stream_hub_new(
	int fd, pid_t child, int child_error, const char *name, struct err *err)
{
	struct stream_hub *h = xcalloc(1, sizeof(*h));
	struct stat st;

	h->shared = (struct device_shared){ .users = 1, .release = release };
	h->fd = fd;
	h->child = child;
	h->child_error = child_error;
	h->buf = xmalloc(BUFFER_BYTES);
	h->is_file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	snprintf(h->name, sizeof(h->name), "%s", name);
	if (read_head(h, err))
		return h;
	device_shared_drop(&h->shared);
	return NULL;
}

static void take_sample(struct stream_device *d, const struct rec *rec)
{
	int id = rec_feed_of(rec);

	if (id < 0 || !d->has_feed[id])
		return;
	struct rec_sample *s = &d->next->samples[id];
	if (rec->type == REC_CELLS)
		rec_take_cells(rec, &d->feeds[id].feed, s);
	else if (rec_take_sample(rec, &d->feeds[id].feed, s))
		d->next->has[id] = true;
}

/* Takes what a device tells of itself between windows. Its feeds keep their shapes, for which
 * windows were made. */
static void take_news(struct stream_device *d, const struct rec *rec)
{
	struct rec_stream_device about;
	int id = rec_feed_of(rec);

	if (rec->type == REC_DEVICE && take_device(rec, &about)) {
		/* Its constants follow. */
		memcpy(about.device.consts, d->about.device.consts, sizeof(about.device.consts));
		about.device.n_consts = d->about.device.n_consts;
		d->about = about;
	}
	if (rec->type == REC_CONSTS)
		rec_take_consts(rec, &d->about.device);
	if (rec->type == REC_ROOFS)
		rec_take_roofs(rec, &d->roofs);
	if (rec->type == REC_FEED && id >= 0 && d->has_feed[id])
		rec_take_feed_news(rec, &d->feeds[id]);
	d->has_news = true;
	d->has_facts |= rec->type == REC_CONSTS;
}

static void take_part(struct stream_device *d, const struct rec *rec)
{
	struct stream_window *w = d->next;

	if (rec_is_fact(rec->type))
		take_news(d, rec);
	/* Windows that nobody takes pass. */
	if (!d->open)
		return;
	if (rec->type == REC_SOURCE_SAMPLE || rec->type == REC_CELLS)
		take_sample(d, rec);
	if (rec->type == REC_CLIENTS)
		rec_take_clients(rec, &w->clients);
	if (rec->type == REC_CONTEXTS)
		w->n_contexts = rec_take_contexts(
			rec, &d->feeds[0].feed, w->contexts, w->context_values);
	if (rec->type == REC_MARK)
		rec_marks_add(&w->marks, rec);
	if (span_reader_knows(rec->type))
		span_kept_add(&w->spans, rec);
	if (rec->type == REC_WINDOW)
		w->complete = rec_take_stream_window(rec, &w->end_ns, &w->left_out);
}

void stream_hub_read(struct stream_hub *h, int device)
{
	struct rec rec;

	hear_child(h, false);
	while (!h->devices[device].next->complete) {
		if (!peek(h, &rec)) {
			if (read_more(h, false))
				continue;
			if (h->ended && h->fill > h->start && !h->stopped)
				fail(h, "it ends inside a record");
			if (h->ended && h->failure.code == ERR_NONE && *h->said)
				fail(h, h->said);
			return;
		}
		int of = rec_device_of(&rec);
		struct stream_device *d =
			of >= 0 && of < h->head.n_devices ? &h->devices[of] : NULL;
		/* Somebody has to take that window first. */
		if (d && d->open && d->next->complete)
			return;
		if (d) {
			make_own(h, &rec);
			take_part(d, &rec);
		}
		take(h, &rec);
	}
}

bool stream_hub_rewind(struct stream_hub *h, struct err *err)
{
	if (lseek(h->fd, 0, SEEK_SET) < 0)
		return err_sys(err, "cannot go back in '%s'", h->name);
	h->start = h->fill = 0;
	h->ended = h->stopped = false;
	err_clear(&h->failure);
	for (int i = 0; i < h->head.n_devices; i++)
		stream_window_clear(h->devices[i].next);
	return true;
}
