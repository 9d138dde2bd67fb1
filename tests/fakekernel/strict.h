/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The second fakes of v3d, msm, ivpu and amdxdna, written from the kernel's sources by somebody who had
 * not seen the readers. They are strict: they answer late, partly or not at all where the kernel does,
 * with its error numbers, in the order of its checks. A tree with a file strict/on has them instead of
 * the first ones.
 *
 * Descriptors of all of them go through strict_ioctl(), which does what drm_ioctl() does (Linux
 * drivers/gpu/drm/drm_ioctl.c): sizes, directions, and what is copied back after a failure. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/fakekernel/fake.h"

#define STRICT_MAX_SPANS 8

/* A driver's ioctl: its whole number, and what serves it: 0 or more is the result, less is -errno. data
 * is the kernel's copy of the argument. */
struct strict_call {
	unsigned long request;
	int (*serve)(struct fake_fd *f, void *data);
};

struct strict_driver {
	/* of DRM_IOCTL_VERSION */
	const char *name, *date, *desc;
	int major, minor;
	const struct strict_call *calls;
	size_t n_calls;
};

/* The result of the system call, with errno. Calls that the kernel of the tree (strict/kernel) does not
 * have are left out by serve() with -EINVAL, as the DRM core says of numbers that it does not know. */
int strict_ioctl(const struct strict_driver *d, struct fake_fd *f, unsigned long request,
	unsigned long arg);

/* CLOCK_MONOTONIC. */
uint64_t strict_now_ns(void);

/* The kernel of the tree, strict/kernel "MAJOR.MINOR", as MAJOR * 1000 + MINOR; 7002 where it says
 * nothing. */
int strict_kernel(void);

/* The spans in which the GPU sleeps, of strict/asleep: lines "FROM_MS TO_MS" since the machine was
 * made. begin() is that moment, in CLOCK_MONOTONIC. */
struct strict_spans {
	uint64_t from_ns[STRICT_MAX_SPANS], to_ns[STRICT_MAX_SPANS];
	int n;
};

uint64_t strict_begin_ns(void);
struct strict_spans strict_sleeps(void);
/* The same of another file below strict/. */
struct strict_spans strict_spans_of(const char *name);
/* Whether one of them holds t; the end of that one goes to *until unless it is NULL. */
bool strict_within(const struct strict_spans *s, uint64_t t, uint64_t *until);
/* How often the GPU has gone to sleep between two moments. */
int strict_falls(const struct strict_spans *s, uint64_t from, uint64_t to);
/* Nanoseconds awake between two moments. */
uint64_t strict_awake_ns(const struct strict_spans *s, uint64_t from, uint64_t to);

/* A line of fdinfo: "drm-WHAT-memory:", with the unit that divides it, as the DRM core prints sizes. The
 * length, as of snprintf(). */
int strict_fdinfo_memory(char *buf, size_t size, const char *what, uint64_t bytes);

/* A file of the tree below strict/; NULL when it is not there. */
FILE *strict_file(const char *name);
