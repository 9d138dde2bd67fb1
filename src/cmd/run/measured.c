/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all ways to measure a command share: it is looked for and started, its report goes out, and
 * its end becomes ours. */
#include "config.h"

#include "cmd/run/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/session.h"
#include "base/call_watch.h"
#include "base/ending.h"
#include "base/helper.h"
#include "base/json.h"
#include "base/loop.h"
#include "cmd/run/run_options.h"

/* Says so with the status that a shell would give; code is an errno. */
static bool cannot_run(const char *name, int code, int *status, struct err *err)
{
	*status = STATUS_CANNOT_EXECUTE;
	if (code == ENOENT)
		*status = STATUS_NOT_FOUND;
	/* These are of fork() and say nothing about the command. */
	else if (code == EAGAIN || code == ENOMEM)
		*status = STATUS_NOT_STARTED;
	errno = code;
	err_sys(err, "cannot run '%s'", name);
	struct stat st;
	if (*name == '-')
		err_hint(err, "options of rooftop stand before '--'");
	else if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		err_hint(err, "that is a folder: name a program in it");
	else if (code == ENOENT && !strchr(name, '/') && stat(name, &st) == 0)
		err_hint(err, "./%s is the one of this folder", name);
	else if (code == ENOENT && !strchr(name, '/'))
		err_hint(err, "no folder of PATH has it; ./NAME or /FOLDER/NAME is one of elsewhere");
	else if (code == ENOENT)
		err_hint(err, "%s", stat(name, &st) == 0 ?
			"it is there, but not the interpreter or loader that it asks for" :
			"a command without / is looked for in the folders of PATH");
	else if (code == EACCES)
		err_hint(err, "'chmod +x FILE' makes a program of it");
	return false;
}

/* There is no such file, or this user cannot reach it: its folder is none, or may not be
 * searched. */
static bool is_out_of_reach(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES);
}

/* Looks into the folders of PATH as posix_spawnp() does, but a folder that may not be searched
 * has no command, as for a shell. What cannot be told is left to that function. */
static bool is_nowhere(const char *name)
{
	const char *folders = getenv("PATH");
	struct strbuf file = { 0 };
	struct stat st;
	bool found = false;

	if (!*name || strchr(name, '/'))
		return stat(name, &st) < 0 && errno == ENOENT;
	while (folders && *folders && !found) {
		size_t len = strcspn(folders, ":");

		strbuf_clear(&file);
		strbuf_addn(&file, folders, len);
		strbuf_addf(&file, "%s%s", len ? "/" : "", name);
		found = !is_out_of_reach(strbuf_str(&file));
		folders += len + (folders[len] == ':');
	}
	strbuf_release(&file);
	/* Without PATH there are folders that only the library knows. */
	return getenv("PATH") && !found;
}

bool measured_check(const struct options *o, int *status, struct err *err)
{
	if (o->n_names == 0) {
		err_set(err, ERR_USAGE, "no command was given");
		if (o->run->task_alone)
			return err_hint(err,
				"rooftop run --task [OPTION...] [--] COMMAND [ARGUMENT...]");
		return err_hint(err, "rooftop run [OPTION...] [--] COMMAND [ARGUMENT...]");
	}
	return !is_nowhere(o->names[0]) || cannot_run(o->names[0], ENOENT, status, err);
}

/* Starts the command as a shell would: no signal is blocked, and only those are ignored that were
 * ignored when we started, but for SIGCHLD. */
bool measured_start(char **argv, pid_t *pid, int *status, struct err *err)
{
	struct spawn how = { .fd = { SPAWN_SAME, SPAWN_SAME, SPAWN_SAME, SPAWN_SAME } };

	sigaddset(&how.defaults, SIGPIPE);
	sigaddset(&how.defaults, SIGXFSZ);
	int failed = spawn_program(&how, argv[0], argv, pid);
	if (!failed) {
		call_watch_command(*pid);
		/* A key that came before there was a command reached nobody else. */
		if (ending_signal())
			kill(*pid, ending_signal());
		return true;
	}
	*pid = 0;
	return cannot_run(argv[0], failed, status, err);
}

bool measured_reap(pid_t pid, int *status, struct rusage *used)
{
	if (wait4(pid, status, WNOHANG, used) != pid)
		return false;
	call_watch_command(0);
	return true;
}

/* The kernel sends signals of keys to our group. That the terminal is gone it tells the leader of
 * the session alone, and others with their group. */
static bool has_got_it(pid_t pid, const struct loop *loop, int signo)
{
	return loop_signal_by_kernel(loop) && getpgid(pid) == getpgrp() &&
		(signo != SIGHUP || getsid(0) != getpid());
}

void measured_pass_on(pid_t pid, const struct loop *loop, int signo)
{
	if (pid <= 0)
		return;
	ending_pass_on();
	if (!has_got_it(pid, loop, signo))
		kill(pid, signo);
}

double measured_seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

bool run_command_output(const struct options *o, struct output *out, struct err *err)
{
	if (o->output)
		return output_open(out, o->output, OUTPUT_TRUNCATE, err);
	*out = (struct output){ .fd = STDERR_FILENO };
	return true;
}

bool measured_report(struct output *out, struct strbuf *text, struct err *err)
{
	return output_close(out, output_write(out, text, err), err);
}

void measured_json_begin(char *const *words, int n, struct strbuf *out)
{
	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_bool(out, "header", true);
	json_open(out, "command", '[');
	for (int i = 0; i < n; i++)
		json_string(out, NULL, words[i]);
	strbuf_addc(out, ']');
}

void measured_json_status(int wait_status, struct strbuf *out)
{
	int status = -1, signo = 0;

	if (WIFEXITED(wait_status))
		status = WEXITSTATUS(wait_status);
	if (WIFSIGNALED(wait_status))
		signo = WTERMSIG(wait_status);
	json_integer(out, "status", status);
	json_integer(out, "signal", signo);
}

int measured_end(const struct run_end *e, const struct err *err, int *signo)
{
	int status = e->status;

	*signo = e->signo;
	if (!e->good && !e->signo) {
		enum status failed = session_fail(err);

		if (status == STATUS_FAILURE)
			status = (int)failed;
		if (status == STATUS_FAILURE && !e->started)
			status = STATUS_NOT_STARTED;
	}
	if (e->started && WIFSIGNALED(e->wait_status)) {
		/* The core file, if there is one, is the command's, wherever cores go. */
		prctl(PR_SET_DUMPABLE, 0);
		*signo = WTERMSIG(e->wait_status);
	} else if (e->started && e->good) {
		status = WEXITSTATUS(e->wait_status);
	}
	return status;
}
