/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What /proc tells of one process, and which container and pod it runs in as far as the names of its
 * control groups tell. */
#ifndef BACKENDS_CARD_PROCESS_H
#define BACKENDS_CARD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fsroot.h"

/* --- process.c --- */

/* From /proc/PID/stat, proc(5). Plain data. */
struct process_stat {
	char name[16];		/* comm */
	int parent;		/* the pid of it; 0: there is none */
	uint64_t cpu_ticks;	/* user and system time, in clock ticks */
	uint64_t start_ticks;	/* with the pid it names a process for good */
	bool is_kernel_thread;
};

/* Opens /proc of the machine; -1: there is none. */
int process_folder(const struct fsroot *fs);
/* proc: what process_folder() opened. False when the process is gone or the file makes no sense. */
bool process_read_stat(int proc, int pid, struct process_stat *out);
/* Does the same with text, the content of the file. */
bool process_parse_stat(const char *text, struct process_stat *out);
/* The command line with blanks between words, or the name in brackets when there is none; control
 * characters become '?'. */
void process_read_command(int proc, int pid, const char *name, char *buf, size_t size);
/* Reads the effective user of the process. */
bool process_read_uid(int proc, int pid, uint32_t *uid);
/* The name of a user by the tree's /etc/passwd, the number as text when it has none. */
void process_user_name(const struct fsroot *fs, uint32_t uid, char *buf, size_t size);

/* --- cgroup.c --- */

#define CGROUP_POD_SIZE 40
#define CGROUP_CONTAINER_SIZE 68

/* Plain data; "" where no name tells. */
struct cgroup_place {
	char pod[CGROUP_POD_SIZE];		/* Kubernetes' uid of the pod */
	/* the id of a container (Docker, Podman, containerd, CRI-O), or the name of one of LXC or of
	 * systemd-nspawn */
	char container[CGROUP_CONTAINER_SIZE];
};

/* text: /proc/PID/cgroup, cgroups(7). */
void cgroup_parse(const char *text, struct cgroup_place *out);
/* proc: a descriptor of the /proc folder. */
void cgroup_read(int proc, int pid, struct cgroup_place *out);

#endif
