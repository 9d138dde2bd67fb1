/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes recordings: every write ends on a whole record, or the file is cut back to one. */
#include "config.h"

#include "core/record/record_file.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/mem.h"

#define HEADER sizeof(struct rec_header)
/* The largest of our own records. */
#define RECORD_MAX 2048

/* Writes are unbuffered: they go to the file at once, so a crash of the program loses nothing. */
struct rec_writer {
	int fd;
	char *path;
	bool is_xe;
	uint64_t good;		/* bytes of whole records in the file */
	struct err failure;	/* why nothing more is written; code ERR_NONE while all is well */
};

/* Returns the bytes of the whole records at the start of buf. */
static size_t whole_records(const uint8_t *buf, size_t len)
{
	size_t at = 0;
	struct rec_header h;

	while (len - at >= HEADER) {
		memcpy(&h, buf + at, HEADER);
		if (h.size < HEADER || h.size > len - at)
			break;
		at += h.size;
	}
	return at;
}

static bool fail(struct rec_writer *w, struct err *err)
{
	if (err)
		*err = w->failure;
	return false;
}

/* Remembers a failed write and leaves a readable file; a device that cannot be cut (/dev/full)
 * holds no data anyway. */
static bool write_whole(struct rec_writer *w, const uint8_t *buf, size_t len, struct err *err)
{
	size_t done = 0;
	int sys;

	while (done < len) {
		ssize_t n = write(w->fd, buf + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			sys = n < 0 ? errno : EIO;
			w->good += whole_records(buf, done);
			if (ftruncate(w->fd, (off_t)w->good) < 0)
				w->good = 0;
			errno = sys;
			err_sys(&w->failure, "cannot write '%s'", w->path);
			if (w->good > 0)
				err_hint(&w->failure,
					"recording has stopped; what was written before stays "
					"readable");
			return fail(w, err);
		}
		done += (size_t)n;
	}
	w->good += len;
	return true;
}

bool rec_write_records(struct rec_writer *w, const void *records, size_t len, struct err *err)
{
	size_t whole = whole_records(records, len);

	if (w->failure.code != ERR_NONE)
		return fail(w, err);
	if (!write_whole(w, records, whole, err))
		return false;
	if (whole == len)
		return true;
	err_set(&w->failure, ERR_PARSE,
		"the source handed over a broken record; '%s' ends before it", w->path);
	return fail(w, err);
}

/* Makes one record of our own, padded with 0 to a multiple of 8; returns its size. */
static size_t make_record(const struct rec_writer *w, uint32_t type, const void *payload,
	size_t len, uint8_t buf[RECORD_MAX])
{
	size_t size = (HEADER + len + 7) / 8 * 8;
	struct rec_header h = { .type = rec_type_in_file(w->is_xe, type), .size = (uint16_t)size };

	assert(size <= RECORD_MAX);
	memset(buf, 0, size);
	memcpy(buf, &h, HEADER);
	memcpy(buf + HEADER, payload, len);
	return size;
}

/* Everything that a recording begins with goes out in one call: a kill between two of them would
 * leave a file that nobody can read. */
static bool write_start(struct rec_writer *w, const struct rec_start *start, struct err *err)
{
	const char *text = start->rooftop_text;
	uint32_t version[2] = { 1, 0 };
	uint8_t buf[4 * RECORD_MAX];

	if (text && HEADER + strlen(text) > RECORD_MAX)
		return err_set(err, ERR_UNSUPPORTED,
			"a recording has room for %zu bytes of what its set counts, and not for %zu",
			RECORD_MAX - HEADER, strlen(text));
	size_t len = make_record(w, REC_VERSION, version, sizeof(version), buf);
	len += make_record(w, REC_DEVICE_INFO, start->info, sizeof(*start->info), buf + len);
	len += make_record(w, REC_TOPOLOGY, start->topology, start->topology_len, buf + len);
	if (text)
		len += make_record(w, REC_ROOFTOP, text, strlen(text), buf + len);
	return rec_write_records(w, buf, len, err);
}

bool rec_write_correlation(
	struct rec_writer *w, uint64_t cpu_ns, uint64_t gpu_timestamp, struct err *err)
{
	uint64_t pair[2] = { cpu_ns, gpu_timestamp };

	uint8_t buf[RECORD_MAX];
	size_t len = make_record(w, REC_CORRELATION, pair, sizeof(pair), buf);

	return rec_write_records(w, buf, len, err);
}

static bool create_file(struct rec_writer *w, bool overwrite, struct err *err)
{
	struct stat st;

	w->fd = file_create(w->path, overwrite, err);
	if (w->fd < 0)
		return false;
	if (fstat(w->fd, &st) < 0)
		return file_cannot_write(err, w->path);
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		return err_set(err, ERR_UNSUPPORTED, "'%s' is not a regular file", w->path);
	return true;
}

struct rec_writer *rec_create(
	const char *path, bool overwrite, const struct rec_start *start, struct err *err)
{
	struct rec_writer *w = xcalloc(1, sizeof(*w));
	struct err quiet;

	*w = (struct rec_writer){ .fd = -1, .path = xstrdup(path), .is_xe = start->is_xe };
	if (!create_file(w, overwrite, err))
		goto fail;
	if (!write_start(w, start, err)) {
		/* A recording without its start is of no use, so it is removed; a device is not
		 * ours to remove. */
		if (ftruncate(w->fd, 0) == 0)
			file_remove(path);
		goto fail;
	}
	return w;
fail:
	rec_finish(w, &quiet);
	return NULL;
}

bool rec_finish(struct rec_writer *w, struct err *err)
{
	if (!w)
		return true;
	/* Network file systems report a full disk only here. */
	if (w->fd >= 0 && close(w->fd) < 0 && w->failure.code == ERR_NONE)
		err_sys(&w->failure, "cannot write '%s'", w->path);
	bool good = w->failure.code == ERR_NONE || fail(w, err);
	free(w->path);
	free(w);
	return good;
}
