/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What /proc tells of one process, and which container and pod it runs in as far as the names of
 * its control groups tell. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/fsroot.h"
#include "core/work/client.h"

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

#define PROCESS_USERS 32

/* The processes of a machine, and the names of users, each of which is looked up once. */
struct process_names {
	const struct fsroot *fs;
	int proc;		/* descriptor of /proc, or -1 */
	struct process_user {
		uint32_t uid;
		char name[32];
	} users[PROCESS_USERS];
	int n_users;
};

void process_names_open(struct process_names *names, const struct fsroot *fs);
void process_names_close(struct process_names *names);
/* Fills in the row who its process is: name, command, user, pod and container. stat is what was
 * read of it. */
void process_describe(
	struct process_names *names, const struct process_stat *stat, struct client_row *row);
/* Reads stat first. A process that cannot be seen has the name "?", and false is returned: in a
 * container the numbers of the host's processes say nothing. */
bool process_identify(
	struct process_names *names, struct client_row *row, struct process_stat *stat);

/* --- cgroup.c --- */

#define CGROUP_POD_SIZE 40
#define CGROUP_CONTAINER_SIZE 68

/* Plain data; "" where no name tells. */
struct cgroup_place {
	char pod[CGROUP_POD_SIZE];		/* Kubernetes' uid of the pod */
	/* the id of a container (Docker, Podman, containerd, CRI-O), or the name of one of LXC or
	 * of systemd-nspawn */
	char container[CGROUP_CONTAINER_SIZE];
};

/* text: /proc/PID/cgroup, cgroups(7). */
void cgroup_parse(const char *text, struct cgroup_place *out);
/* proc: a descriptor of the /proc folder. */
void cgroup_read(int proc, int pid, struct cgroup_place *out);
