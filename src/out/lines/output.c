/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes everything, or says why it cannot. */
#include "config.h"

#include "out/lines/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/i18n.h"

bool output_open(struct output *o, const char *path, enum output_mode mode, struct err *err)
{
	static const int how[] = { [OUTPUT_TRUNCATE] = 0, [OUTPUT_APPEND] = O_APPEND };
	struct stat st;

	*o = (struct output){ .fd = STDOUT_FILENO };
	if (!path || !strcmp(path, "-"))
		return true;
	o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | how[mode], 0666);
	if (o->fd < 0)
		return file_cannot_write(err, path);
	o->path = path;
	o->has_old = mode == OUTPUT_TRUNCATE && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_size > 0;
	return true;
}

static bool fail(const struct output *o, struct err *err)
{
	if (o->path)
		return file_cannot_write(err, o->path);
	return err_sys(err, _("cannot write to standard output"));
}

bool output_write(struct output *o, struct strbuf *b, struct err *err)
{
	const char *p = strbuf_str(b);
	size_t left = b->len;
	bool good = true;

	if (o->has_old && left > 0) {
		o->has_old = false;
		if (ftruncate(o->fd, 0) < 0)
			good = fail(o, err);
	}
	while (left > 0 && good) {
		ssize_t n = write(o->fd, p, left);

		if (n >= 0) {
			p += n;
			left -= (size_t)n;
		} else if (errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = o->fd, .events = POLLOUT }, 1, 1000);
		} else if (errno == EPIPE) {
			good = err_set(err, ERR_END, _("the reader went away"));
		} else if (errno != EINTR) {
			good = fail(o, err);
		}
	}
	strbuf_clear(b);
	return good;
}

bool output_close(struct output *o, bool good, struct err *err)
{
	if (o->path && close(o->fd) < 0 && good)
		good = fail(o, err);
	*o = (struct output){ .fd = -1 };
	return good;
}
