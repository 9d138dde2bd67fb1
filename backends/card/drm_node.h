/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device nodes of DRM cards, whatever their driver. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "base/err.h"
#include "base/fsroot.h"

/* The parts of an ioctl's number (Linux include/uapi/asm-generic/ioctl.h), which musl's header does
 * not take apart. */
#ifndef _IOC_TYPE
#define _IOC_NR(request) ((request) & 0xff)
#define _IOC_TYPE(request) ((request) >> 8 & 0xff)
#define _IOC_SIZE(request) ((request) >> 16 & 0x3fff)
#define _IOC_DIR(request) ((request) >> 30 & 3)
#endif

struct drm_node {
	int fd;			/* -1: closed */
	char card[32];		/* "card0" */
	char path[64];		/* "/dev/dri/renderD128" */
	const struct fsroot *fs;
};

/* Opens a node of a driver, "/dev/accel/accel0". Returns -1 with err, which names the object and
 * who may open it. */
int node_open(
	const struct fsroot *fs, const char *object, const char *path, int flags, struct err *err);
/* Finds the card's render node, or else its primary one: "/dev/dri/renderD128". */
void drm_node_path(const struct fsroot *fs, const char *card, char *path, size_t size);
/* Opens that node. The error names it and who may use it. */
bool drm_node_open(struct drm_node *n, const struct fsroot *fs, const char *card, struct err *err);
void drm_node_close(struct drm_node *n);
/* The name of the card's DRM driver, as the driver itself says it. The card's node is opened for
 * it, which wakes cards of some drivers. False: nobody said it, and name is as before. */
bool drm_node_driver(const struct fsroot *fs, const char *card, char *name, size_t size);
/* What a driver said to an ioctl. */
struct node_answer {
	int fd;
	unsigned long request;
	int result;		/* what the kernel returned, or the negative errno */
	bool is_buffer;		/* data is not the argument, but what the argument points to */
	const void *data;	/* as it was after the call; NULL: there is none */
	size_t len;		/* bytes */
};

/* Tells a watcher of each ioctl on a node from now on; NULL: of none. */
void node_watch(void (*told)(void *ctx, const struct node_answer *a), void *ctx);
/* Tells the watcher what a buffer holds that the argument of this ioctl named. Only who asked knows
 * how long it is. */
void node_answered(int fd, unsigned long request, const void *data, size_t len);
/* An ioctl, on any node, that signals do not end but where one ends the program. Returns what the kernel
 * returns, -1 with errno. While a driver keeps it waiting, its name is told (base/call_watch.h). */
#define node_ioctl(fd, request, arg) node_call(fd, request, "ioctl " #request, arg)
int node_call(int fd, unsigned long request, const char *name, void *arg);
/* Returns how many of n elements are really in an answer of len bytes that begins with a head. */
uint32_t node_answer_count(uint64_t n, size_t len, size_t head, size_t element);
/* Refuses a stream to a process that has no permission: says what the sysctl
 * ("dev.xe.observation_paranoid") is, and both ways out. False. */
bool drm_refuse_stream(const struct drm_node *n, const char *sysctl, struct err *err);
