/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What exists once while the program runs, however many devices are open. */
#ifndef SESSION_PROGRAM_H
#define SESSION_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "session/session.h"
#include "backends/backend.h"
#include "base/fsroot.h"
#include "core/settings.h"

struct exporter;	/* out/export.h */

/* Lives on the stack of run(); program_init/program_release. */
struct program {
	const struct options *opt;
	struct fsroot fs;
	struct settings settings;
	char settings_path[4096];	/* "" when there is no place for settings */
	int64_t delay_ns;		/* of windows, where a session begins */
	bool print_problems;		/* to standard error too: no screen is open */
	/* what was found or described; sessions name their device by its index */
	struct device_list devices;
	/* heap, in the order in which they were opened; there is always one, which may have no
	 * device */
	struct session **sessions;
	int n_sessions;
	struct exporter *exporter;	/* NULL: nothing is exported */
};

/* Begins with one session for the first device of the options. use_settings: also read the settings
 * file of the user; one named by --config is always read. */
void program_init(struct program *p, const struct options *opt, bool use_settings);
/* Closes all sessions. Afterwards it is empty. */
void program_release(struct program *p);
/* A session without a device; want has to live as long as it. */
struct session *program_add_session(struct program *p, const struct device_options *want);
/* Ends its recording and its load, closes its device and frees it. */
void program_close_session(struct program *p, struct session *ses);

#endif
