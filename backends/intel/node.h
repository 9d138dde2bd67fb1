/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device node of an Intel card, whatever its driver. */
#ifndef BACKENDS_INTEL_NODE_H
#define BACKENDS_INTEL_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"

struct intel_node {
	int fd;			/* -1: closed */
	char card[32];		/* "card0" */
	char path[64];		/* "/dev/dri/renderD128" */
	const struct fsroot *fs;
};

/* Opens the card's render node, or its primary one where there is none. The error names the node and who may use it. */
bool intel_node_open(struct intel_node *n, const struct fsroot *fs, const char *card, struct err *err);
void intel_node_close(struct intel_node *n);
/* An ioctl that signals do not end. Returns what the kernel returns, -1 with errno. */
int intel_ioctl(int fd, unsigned long request, void *arg);
/* Refusal of a stream to a process without the right: says what the sysctl ("dev.xe.observation_paranoid") is, and both ways out. False. */
bool intel_refuse_rights(const struct intel_node *n, const char *sysctl, struct err *err);
/* Whether the card's runtime power management has switched it off: opening its node, or reading some of its files, would wake it. */
bool intel_is_asleep(const struct fsroot *fs, const char *card);
/* The machine's CLOCK_MONOTONIC, for time pairs that have to be read together. */
uint64_t intel_monotonic_ns(void);

#endif
