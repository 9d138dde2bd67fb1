/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DRM cards and their device nodes, whatever their driver. */
#ifndef BACKENDS_DRM_DRM_NODE_H
#define BACKENDS_DRM_DRM_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/fsroot.h"

/* "card0" in /sys/class/drm, not its connectors ("card0-DP-1") and not render nodes. */
bool drm_is_card(const char *name);
/* The driver of a card. False for what is no card or has none. */
bool drm_card_driver(const struct fsroot *fs, const char *card, char *driver, size_t size);
/* Whether the card's runtime power management has switched it off: opening its node, or reading
 * some of its files, would wake it. */
bool drm_card_is_asleep(const struct fsroot *fs, const char *card);

struct drm_node {
	int fd;			/* -1: closed */
	char card[32];		/* "card0" */
	char path[64];		/* "/dev/dri/renderD128" */
	const struct fsroot *fs;
};

/* Opens the card's render node, or its primary one where there is none. The error names the node
 * and who may use it. */
bool drm_node_open(struct drm_node *n, const struct fsroot *fs, const char *card, struct err *err);
void drm_node_close(struct drm_node *n);
/* An ioctl, on any node, that signals do not end. Returns what the kernel returns, -1 with
 * errno. */
int node_ioctl(int fd, unsigned long request, void *arg);
/* Refusal of a stream to a process without the right: says what the sysctl
 * ("dev.xe.observation_paranoid") is, and both ways out. False. */
bool drm_refuse_stream(const struct drm_node *n, const char *sysctl, struct err *err);

#endif
