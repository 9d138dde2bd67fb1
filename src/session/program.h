/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What exists only once while the program runs, however many devices are open. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "session/session.h"
#include "backends/common/backend.h"
#include "base/fsroot.h"
#include "core/value/settings.h"

struct exporter;	/* out/export.h */
struct stream_out;	/* session/stream_out.h */

/* It lives on the stack of run(). program_init() sets it up; program_release() ends it. */
struct program {
	const struct options *opt;
	struct fsroot fs;
	struct settings settings;
	char settings_path[4096];	/* "" when there is no place for settings */
	int64_t delay_ns;		/* length of windows when a session begins */
	char host[64];			/* name of the machine; "": screens do not show it */
	bool print_problems;		/* problems go to standard error too: no screen is open */
	/* what was found or described; sessions name their device by its index */
	struct device_list devices;
	/* device_changes.c: how often the list was taken anew; what it was taken from, and when */
	unsigned device_changes;
	uint64_t devices_signature;
	int64_t devices_looked_ns;
	bool devices_told;		/* the kernel tells when one comes or goes */
	int64_t devices_settle_ns;	/* when to look again after it has told so; 0: no need */
	/* heap, in the order in which they were opened; there is always one, which may have no
	 * device */
	struct session **sessions;
	int n_sessions;
	struct stream_out *stream;	/* to standard output; NULL: there is none */
	struct exporter *exporter;	/* NULL: nothing is exported */
	/* record.c: a recording that -w asked for could not be made whole */
	bool recording_failed;
	/* record.c: the files that were recorded since the start; heap, the paths too */
	char **recorded;
	int n_recorded;
};

/* Begins with one session for the first device of the options. use_settings: also reads the user's
 * settings file. A file named by --config is always read. */
void program_init(struct program *p, const struct options *opt, bool use_settings);
/* Closes all sessions. The program is empty afterwards. */
void program_release(struct program *p);
/* Adds a session without a device. want must live as long as the session. */
struct session *program_add_session(struct program *p, const struct device_options *want);
/* Closes a session: ends its recording and its load, closes its device and frees it. */
void program_close_session(struct program *p, struct session *ses);
