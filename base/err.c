/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills struct err. */
#include "config.h"

#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	char msg[sizeof(e->msg)];
	va_list ap;

	if (!e)
		return false;
	/* It goes through a copy, because the arguments may be the old message ("%s: line 3"). */
	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	err_clear(e);
	e->code = code;
	memcpy(e->msg, msg, sizeof(msg));
	return false;
}

bool err_sys(struct err *e, const char *fmt, ...)
{
	int sys = errno;
	enum err_code code = ERR_SYS;
	char what[sizeof(e->msg)];
	va_list ap;

	if (!e)
		return false;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (sys == EACCES || sys == EPERM)
		code = ERR_PERMISSION;
	/* There are two kinds of strerror_r(). */
	errno = sys;
	err_set(e, code, "%s: %m", what);
	e->sys = sys;
	/* Whatever was to be opened is as it should be. */
	if (sys == EMFILE)
		err_hint(e, "this process may not open more files: ulimit -n 4096");
	else if (sys == ENFILE)
		err_hint(e, "no process may open more files: sudo sysctl fs.file-max");
	errno = sys;
	return false;
}

bool err_hint(struct err *e, const char *fmt, ...)
{
	char hint[sizeof(e->hint)];
	va_list ap;

	if (!e)
		return false;
	va_start(ap, fmt);
	vsnprintf(hint, sizeof(hint), fmt, ap);
	va_end(ap);
	memcpy(e->hint, hint, sizeof(hint));
	return false;
}

void err_clear(struct err *e)
{
	if (e)
		*e = (struct err){ 0 };
}

bool err_of_file(struct err *e)
{
	if (e && e->code == ERR_PERMISSION)
		e->code = ERR_SYS;
	return false;
}

const char *err_without_name(const char *msg, const char *name)
{
	size_t len = strlen(name);

	if (len > 0 && !strncmp(msg, name, len) && !strncmp(msg + len, ": ", 2))
		return msg + len + 2;
	return msg;
}
