/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes everything, or says why it cannot. */
#include "config.h"

#include "out/lines/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/loop.h"
#include "base/mem.h"

bool output_open(struct output *o, const char *path, enum output_mode mode, struct err *err)
{
	struct stat st;

	*o = (struct output){ .fd = STDOUT_FILENO };
	if (!path || !strcmp(path, "-"))
		return true;
	o->fd = file_open_output(path, mode == OUTPUT_APPEND, err);
	if (o->fd < 0)
		return false;
	outlet_take(&o->outlet, o->fd);
	o->path = path;
	o->has_old = !(fcntl(o->fd, F_GETFL) & O_APPEND) && fstat(o->fd, &st) == 0 &&
		S_ISREG(st.st_mode) && st.st_size > 0;
	return true;
}

/* Says what happened to the descriptor, by errno. */
static bool fail(const struct output *o, struct err *err)
{
	if (errno == EPIPE || errno == ECONNRESET)
		return err_set(err, ERR_END, "the reader went away");
	if (o->path)
		return file_cannot_write(err, o->path);
	return err_sys(err, "cannot write to standard output");
}

void output_live(struct output *o, struct loop *loop)
{
	o->is_live = loop;
	if (o->outlet.kind != OUTLET_CLOSED || outlet_open(&o->outlet, o->fd))
		loop_watch_outlet(loop, &o->outlet);
}

/* Waits for the reader, who loses the rest when a signal ends the program. */
static bool drain(struct output *o, struct err *err)
{
	if (outlet_drain(&o->outlet, -1))
		return true;
	errno = o->outlet.error;
	if (errno)
		return fail(o, err);
	return err_set(err, ERR_SYS, "nobody reads %s: its last %zu bytes are lost",
		text_or(o->path, "standard output"), outlet_waiting(&o->outlet));
}

bool output_write(struct output *o, struct strbuf *b, struct err *err)
{
	bool good = o->outlet.kind != OUTLET_CLOSED || outlet_open(&o->outlet, o->fd) ||
		fail(o, err);

	if (good && o->has_old && b->len > 0) {
		o->has_old = false;
		good = ftruncate(o->fd, 0) == 0 || fail(o, err);
	}
	if (good && !o->is_live && outlet_is_full(&o->outlet))
		good = drain(o, err);
	if (good) {
		outlet_add(&o->outlet, strbuf_str(b), b->len);
		errno = o->outlet.error;
		good = !errno || fail(o, err);
	}
	strbuf_clear(b);
	return good;
}

bool output_is_slow(struct output *o, struct err *err)
{
	if (o->told_slow || !o->outlet.left_out)
		return false;
	o->told_slow = true;
	err_set(err, ERR_NONE, "nobody reads %s, or not fast enough: windows are left out and counted",
		text_or(o->path, "standard output"));
	return true;
}

bool output_close(struct output *o, bool good, struct err *err)
{
	bool is_open = o->outlet.kind != OUTLET_CLOSED;
	struct err lost = { 0 };

	if (is_open && !o->outlet.error && !drain(o, &lost) && good) {
		good = false;
		*err = lost;
	}
	if (o->outlet.left_out)
		outlet_say(o->outlet.left_out == 1 ? "rooftop: %s: %llu window was left out\n"
			: "rooftop: %s: %llu windows were left out\n",
			text_or(o->path, "standard output"),
			(unsigned long long)o->outlet.left_out);
	if (is_open && !outlet_close(&o->outlet) && o->path && good)
		good = fail(o, err);
	*o = (struct output){ .fd = -1 };
	return good;
}
