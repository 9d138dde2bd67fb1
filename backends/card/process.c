/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads who a process is. */
#include "config.h"

#include "backends/card/process.h"

#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

#define PF_KTHREAD 0x00200000	/* linux/sched.h */

/* Fields behind the name, proc(5): state is the first of them. */
enum {
	FIELD_PARENT = 1,
	FIELD_FLAGS = 6,
	FIELD_UTIME = 11,
	FIELD_STIME = 12,
	FIELD_START = 19,
	FIELDS
};

bool process_parse_stat(const char *text, struct process_stat *out)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	uint64_t fields[FIELDS] = { 0 };
	char *end;

	if (!open || !close || close < open)
		return false;
	snprintf(out->name, sizeof(out->name), "%.*s", (int)(close - open - 1), open + 1);
	utf8_make_plain(out->name, "");
	const char *p = close + 1;
	for (int i = 0; i < FIELDS; i++) {
		while (*p == ' ')
			p++;
		if (!*p)
			return false;
		/* the state is a letter and some fields are negative; none of these is used */
		fields[i] = strtoull(p, &end, 10);
		p += strcspn(p, " ");
	}
	out->parent = (int)fields[FIELD_PARENT];
	out->is_kernel_thread = fields[FIELD_FLAGS] & PF_KTHREAD;
	out->cpu_ticks = fields[FIELD_UTIME] + fields[FIELD_STIME];
	out->start_ticks = fields[FIELD_START];
	return true;
}

int process_folder(const struct fsroot *fs)
{
	char path[PATH_MAX];

	if (!fsroot_path(fs, path, sizeof(path), "/proc"))
		return -1;
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool process_read_stat(int proc, int pid, struct process_stat *out)
{
	char path[32], text[1024];

	snprintf(path, sizeof(path), "%d/stat", pid);
	return file_read_text(proc, path, text, sizeof(text)) > 0 &&
		process_parse_stat(text, out);
}

/* The command line with blanks between words, or the name in brackets when there is none. */
static void read_command(int proc, int pid, const char *name, char *buf, size_t size)
{
	char path[32];

	snprintf(path, sizeof(path), "%d/cmdline", pid);
	long len = file_read_text(proc, path, buf, size);
	while (len > 0 && !buf[len - 1])
		len--;
	if (len <= 0) {
		snprintf(buf, size, "[%s]", name);
		return;
	}
	for (long i = 0; i < len; i++)
		if (!buf[i])
			buf[i] = ' ';
	utf8_make_plain(buf, "");
}

/* Reads the effective user of the process. */
static bool read_uid(int proc, int pid, uint32_t *uid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "%d", pid);
	if (fstatat(proc, path, &st, 0) < 0)
		return false;
	*uid = st.st_uid;
	return true;
}

/* The name of a user by the tree's /etc/passwd, the number as text when it has none. Only the file
 * is read: other services of names may ask a network, for which a monitor does not wait. */
static void read_user_name(const struct fsroot *fs, uint32_t uid, char *buf, size_t size)
{
	char path[PATH_MAX];
	struct passwd *pw;
	FILE *f = NULL;

	snprintf(buf, size, "%u", uid);
	if (fsroot_path(fs, path, sizeof(path), "/etc/passwd"))
		f = fopen(path, "re");
	while (f && (pw = fgetpwent(f)))
		if (pw->pw_uid == uid) {
			snprintf(buf, size, "%s", pw->pw_name);
			break;
		}
	if (f)
		fclose(f);
}

static const char *user_name(struct process_names *names, uint32_t uid)
{
	for (int i = 0; i < names->n_users; i++)
		if (names->users[i].uid == uid)
			return names->users[i].name;
	if (names->n_users < PROCESS_USERS)
		names->n_users++;
	struct process_user *u = &names->users[names->n_users - 1];
	u->uid = uid;
	read_user_name(names->fs, uid, u->name, sizeof(u->name));
	return u->name;
}

void process_names_open(struct process_names *names, const struct fsroot *fs)
{
	*names = (struct process_names){ .fs = fs, .proc = process_folder(fs) };
}

void process_names_close(struct process_names *names)
{
	if (names->proc >= 0)
		close(names->proc);
}

void process_describe(
	struct process_names *names, const struct process_stat *stat, struct client_row *row)
{
	int pid = (int)row->pid;
	struct cgroup_place place;

	memcpy(row->name, stat->name, sizeof(row->name));
	read_command(names->proc, pid, stat->name, row->command, sizeof(row->command));
	snprintf(row->user, sizeof(row->user), "?");
	if (read_uid(names->proc, pid, &row->uid))
		snprintf(row->user, sizeof(row->user), "%s", user_name(names, row->uid));
	cgroup_read(names->proc, pid, &place);
	memcpy(row->pod, place.pod, sizeof(row->pod));
	memcpy(row->container, place.container, sizeof(row->container));
}

bool process_identify(
	struct process_names *names, struct client_row *row, struct process_stat *stat)
{
	if (names->proc >= 0 && process_read_stat(names->proc, (int)row->pid, stat)) {
		process_describe(names, stat, row);
		return true;
	}
	snprintf(row->name, sizeof(row->name), "?");
	snprintf(row->command, sizeof(row->command), "[?]");
	snprintf(row->user, sizeof(row->user), "?");
	return false;
}
