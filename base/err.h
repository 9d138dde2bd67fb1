/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What failed and what to do about it. The code that fails fills it; only the program itself prints
 * it. */
#pragma once

#include <stdbool.h>

enum err_code {
	ERR_NONE,
	ERR_SYS,		/* a system call failed; sys holds errno */
	ERR_PARSE,		/* text or bytes that do not follow their format */
	ERR_USAGE,		/* the user asked for something that does not exist */
	ERR_UNSUPPORTED,	/* this hardware, kernel or build cannot do it */
	ERR_PERMISSION,		/* it exists, but this process may not use it */
	ERR_NO_DEVICE,		/* no usable device was found */
	ERR_BUSY,		/* another process holds it */
	ERR_ASLEEP,		/* it sleeps, and opening it would wake it */
	ERR_END,		/* orderly end of data */
};

/* Plain data, owned by the caller. msg says what failed, and hint what helps; hint may be empty.
 * Neither has a full stop. */
struct err {
	enum err_code code;
	int sys;
	char msg[320];
	char hint[320];
};

/* All return false so that a function can fail with one line. e may be NULL. The message replaces
 * an older one. */
bool err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* As err_set, code ERR_SYS (ERR_PERMISSION for EACCES and EPERM), with ": strerror(errno)"
 * appended. When descriptors have run out, the hint says so. */
bool err_sys(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Changes ERR_PERMISSION to ERR_SYS. ERR_PERMISSION is for what a device does not let us see; a
 * file that may not be read or written is a failure of another kind. */
bool err_of_file(struct err *e);
/* Adds the way out to an error that is already set. */
bool err_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void err_clear(struct err *e);
/* Returns the message without "NAME: " at its beginning, for a line that names the thing itself. */
const char *err_without_name(const char *msg, const char *name);
