/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which container and which pod a process runs in, as far as the names of its control groups tell. */
#ifndef BACKENDS_CARD_CGROUP_H
#define BACKENDS_CARD_CGROUP_H

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
