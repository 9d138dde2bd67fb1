/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the files of recordings, so that none replaces what this run reads or has recorded. */
#ifndef SESSION_WINDOW_RECORD_NAME_H
#define SESSION_WINDOW_RECORD_NAME_H

#include <stdbool.h>

#include "base/err.h"

struct session;

/* Starts a recording into the file of -w: FILE, or FILE.DEVICE where several devices share the
 * option; without -w the file is named after the time. A file that this run has recorded already is
 * followed by FILE-2, also with --overwrite. Refuses (ERR_USAGE) a file that is being played. */
bool record_start_named(struct session *ses, struct err *err);

#endif
