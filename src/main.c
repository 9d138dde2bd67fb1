/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the program starts, and how it ends. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/input_files.h"
#include "session/session.h"
#include "base/ending.h"
#include "base/mem.h"
#include "base/outlet.h"
#include "base/privilege.h"
#include "commands.h"
#include "tasks.h"

/* Makes sure that a file opened later does not become standard input, output or error of a program
 * that was started without them. Each is opened the wrong way round, so that its use fails as on a
 * closed one. */
static bool open_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct options opt;
	struct err err = { 0 };
	int status;
	int signo = 0;

	privilege_drop();
	if (!open_standard_files())
		return STATUS_FAILURE;
	mem_large_blocks_apart();
	run_set_locale();
	/* When a reader goes away or a file is at its limit, write() fails and the program goes
	 * on. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	bool good = options_parse(&opt, &command_line, argc, argv, &err);
	if (good)
		run_set_language(&opt);
	for (const char *line = strbuf_str(&opt.old), *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		fprintf(stderr, "rooftop: %.*s\n", (int)(end - line), line);
	}
	/* What stands below that folder is the user's word, not the kernel's. */
	if (good && opt.fsroot)
		privilege_forget();
	if (good && input_files_check(&opt, &err)) {
		status = run(&opt, &signo);
	} else {
		status = session_fail(&err);
	}
	options_release(&opt);
	outlet_drain(outlet_of_messages(), -1);
	ending_finish(signo);
	if (fflush(stdout) != 0 && errno != EPIPE && status == STATUS_GOOD) {
		fprintf(stderr, "rooftop: cannot write to standard output: %s\n", strerror(errno));
		status = STATUS_FAILURE;
	}
	return status;
}
