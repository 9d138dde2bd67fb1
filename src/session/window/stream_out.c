/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes streams. A reader that stops reading costs windows, never the program's time. */
#include "config.h"

#include "session/window/stream_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "base/fsroot.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "core/record/stream_records.h"

#define MOST_KEPT_BYTES (4u << 20)	/* of what is told while nobody reads, before it is thinned out */

struct stream_out *stream_out_open(
	const char *path, bool overwrite, int n_devices, struct err *err)
{
	struct rec_stream head = { .version = REC_STREAM_VERSION, .n_devices = n_devices };
	bool is_file = strcmp(path, "-") != 0;

	if (n_devices > REC_STREAM_MAX_DEVICES) {
		err_set(err, ERR_USAGE, "a stream has room for %d devices, and these are %d",
			REC_STREAM_MAX_DEVICES, n_devices);
		err_hint(err, "several streams of fewer are shown beside each other");
		return NULL;
	}
	int fd = is_file ? file_create(path, overwrite, err) : STDOUT_FILENO;

	if (fd < 0)
		return NULL;
	if (isatty(fd)) {
		if (is_file)
			close(fd);
		err_set(err, ERR_USAGE, "a stream is not for a terminal");
		err_hint(err, "rooftop -w - | rooftop -r - shows it");
		return NULL;
	}
	struct stream_out *s = xcalloc(1, sizeof(*s));
	if (is_file) {
		outlet_take(&s->outlet, fd);
	} else if (!outlet_open(&s->outlet, fd)) {
		err_sys(err, _("cannot write to '%s'"), path);
		free(s);
		return NULL;
	}
	s->path = is_file ? xstrdup(path) : NULL;
	s->n_devices = n_devices;
	snprintf(head.program, sizeof(head.program), "%s", PACKAGE_VERSION);
	rec_add_stream(&s->records, &head);
	return s;
}

void stream_out_facts(struct stream_out *s, const struct session *ses,
	const struct device *described, int device, bool is_turn)
{
	const struct open_device *dev = ses->dev;
	size_t at = s->records.len;

	rec_add_device(&s->records, described, dev->n_sources);
	if (!is_turn) {
		rec_add_consts(&s->records, &dev->device);
		rec_add_roofs(&s->records, &ses->opened.measured);
	}
	for (int i = 0; i < dev->n_sources; i++)
		rec_add_feed(&s->records, i, &dev->sources[i]->feed);
	rec_of_device(s->records.s + at, s->records.len - at, device);
}

int stream_out_add(struct stream_out *s, const struct session *ses, const struct device *described,
	struct err *err)
{
	if (s->next == s->n_devices) {
		err_set(err, ERR_USAGE, _("a stream holds the devices with which it began"));
		return -1;
	}
	stream_out_facts(s, ses, described, s->next, false);
	return s->next++;
}

/* Says once that windows are missing. */
static void tell_slow(struct session *ses)
{
	struct err slow = { 0 };

	err_set(&slow, ERR_NONE,
		_("nobody reads the stream, or not fast enough: windows are left out and counted"));
	session_problem(ses, &slow);
}

/* Hands over what is made: the windows, and before them what is told of the devices since the last
 * one. When nobody reads, a window is left out, but never what the windows behind it are understood
 * by: keep bytes of the beginning stay for the next time. */
static bool hand_over(struct stream_out *s, size_t keep)
{
	bool taken = outlet_add(&s->outlet, strbuf_str(&s->records), s->records.len);

	strbuf_cut(&s->records, taken ? 0 : keep);
	if (s->records.len > MOST_KEPT_BYTES)
		rec_drop_old(&s->records);
	return taken;
}

void stream_out_window(struct stream_out *s, struct session *ses, int device, int64_t end_ns,
	const struct client_table *users)
{
	const struct open_device *dev = ses->dev;
	size_t at = s->records.len;

	for (int i = 0; i < dev->n_sources; i++)
		rec_add_sample(&s->records, i, &dev->sources[i]->feed, &ses->got.samples[i], i == 0);
	if (ses->got.samples[0].contexts)
		rec_add_contexts(&s->records, &dev->sources[0]->feed, &ses->got.samples[0]);
	if (users)
		rec_add_clients(&s->records, users, ses->opt->clients);
	rec_add_stream_window(&s->records, end_ns, s->left_out);
	rec_of_device(s->records.s + at, s->records.len - at, device);
	if (hand_over(s, at)) {
		s->left_out = 0;
	} else if (!s->outlet.error) {
		s->left_out++;
		if (s->outlet.left_out == 1)
			tell_slow(ses);
	}
}

void stream_out_records(struct stream_out *s, int device, const char *records, size_t len)
{
	size_t at = s->records.len;

	strbuf_addn(&s->records, records, len);
	rec_of_device(s->records.s + at, s->records.len - at, device);
}

/* Says why nothing more can be written, and of a file what remains. */
static bool fail(const struct stream_out *s, struct err *err)
{
	errno = s->outlet.error;
	if (errno == EPIPE)
		return err_set(err, ERR_END, _("the reader of the stream has closed it"));
	if (!s->path)
		return err_sys(err, "%s", _("cannot write the stream"));
	err_sys(err, _("cannot write '%s'"), s->path);
	return err_hint(err, _("recording stopped; what '%.200s' holds can be read"), s->path);
}

bool stream_out_service(struct stream_out *s, struct err *err)
{
	if (s->records.len > 0 && !outlet_is_full(&s->outlet))
		hand_over(s, s->records.len);
	return outlet_push(&s->outlet) || fail(s, err);
}

bool stream_out_close(struct stream_out *s, struct err *err)
{
	if (!s)
		return true;
	hand_over(s, 0);
	bool good = outlet_drain(&s->outlet, -1);
	if (!good && s->outlet.error)
		fail(s, err);
	else if (!good)
		err_set(err, ERR_SYS, _("nobody reads the stream: its last %zu bytes are lost"),
			outlet_waiting(&s->outlet));
	if (!outlet_close(&s->outlet) && good && s->path)
		good = err_sys(err, _("cannot write '%s'"), s->path);
	free(s->path);
	strbuf_release(&s->records);
	free(s);
	return good;
}
