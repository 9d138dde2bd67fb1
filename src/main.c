/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the program starts, and how it ends. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/call_watch.h"
#include "base/ending.h"
#include "base/mem.h"
#include "base/outlet.h"
#include "base/privilege.h"
#include "cmd/run/run.h"
#include "session/devices/devices.h"
#include "session/input_files.h"
#include "session/session.h"
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

/* Whether nothing that this run reads needs a right: what stands below another root, in recordings
 * and in streams is the user's word and not the kernel's, and simulations read nothing. */
static bool needs_no_rights(const struct options *o)
{
	static const char *const made_up[] = { "file:", "ssh:", "sim:", "sim" };
	bool reads_files = o->task == TASK_METRICS || o->task == TASK_DIFF || o->task == TASK_HELP ||
		o->task == TASK_VERSION;
	bool is_real = o->n_devices == 0;

	for (int i = 0; i < o->n_devices && !is_real; i++) {
		const char *name = o->devices[i].name;
		size_t k = 0;

		while (name && k < ARRAY_LEN(made_up) &&
			strncmp(name, made_up[k], strlen(made_up[k])) != 0)
			k++;
		is_real = !name || k == ARRAY_LEN(made_up);
	}
	return o->fsroot || reads_files || (!is_real && o->task != TASK_DOCTOR);
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
	/* Where whoever began us ignores its children, the kernel would keep no status of ours. */
	signal(SIGCHLD, SIG_DFL);
	driver_watch_faults();
	bool good = options_parse(&opt, &command_line, argc, argv, &err);
	if (good)
		run_set_language(&opt);
	for (const char *line = strbuf_str(&opt.old), *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		fprintf(stderr, "rooftop: %.*s\n", (int)(end - line), line);
	}
	if (!good || needs_no_rights(&opt))
		privilege_forget();
	else
		devices_leave_rights_early(&opt);
	if (good && input_files_check(&opt, &err)) {
		status = run(&opt, &signo);
	} else {
		status = session_fail(&err);
		if (opt.command && opt.command->task == TASK_COMMAND && status == STATUS_FAILURE)
			status = STATUS_NOT_STARTED;
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
