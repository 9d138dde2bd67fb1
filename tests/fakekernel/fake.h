/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake i915 kernel for unmodified programs: LD_PRELOAD and a tree of plain files made by maketree.sh.
 *
 * $FAKEKERNEL_ROOT is the tree: paths below /sys, /dev/dri and /proc/sys/dev/i915 are looked up there. The device nodes in it are
 * plain files; their ioctls are answered by i915.c, and a stream is a timerfd with the poll period, so that poll() needs no help.
 * Reports come from the model of the simulated device (backends/sim/model), whose time is CLOCK_MONOTONIC and whose OA unit is
 * programmed by the registers that the client registered. Registered programmings lie in the tree, so processes share them.
 * Own files of the tree: i915/model (spec of the simulated device), i915/chipset (PCI id of another part that runs its load),
 * i915/perf_revision, i915/configs/ID, i915/oa.lock, i915/epoch, i915/tmp.
 *
 * $FAKEKERNEL_PERFMON=0: the process lacks CAP_PERFMON. $FAKEKERNEL_LOG: file for a line per ioctl.
 * $FAKEKERNEL_FAIL: words "POINT=ERRNO[@N]", from the Nth call of that kind on: node (opening a node), add, remove, open (a stream),
 * read, topology; "lost@N" and "buffer@N": the Nth read() with data begins with that record. */
#ifndef TESTS_FAKEKERNEL_FAKE_H
#define TESTS_FAKEKERNEL_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define FAKE_MAX_FDS 4096

enum fake_kind { FAKE_NONE, FAKE_NODE, FAKE_STREAM };

struct fake_stream;

/* What a descriptor of this process is. */
struct fake_fd {
	enum fake_kind kind;
	int minor;
	struct fake_stream *stream;
};

/* NULL: none of ours can have that number. */
struct fake_fd *fake_fd(int fd);
/* "" when there is no tree. */
const char *fake_root(void);
/* 0, or the errno that the scenario wants at this point; counts the calls. */
int fake_fails(const char *point);
void fake_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

int fake_node_ioctl(unsigned long request, void *arg);
int fake_stream_ioctl(struct fake_stream *s, unsigned long request, unsigned long arg);
ssize_t fake_stream_read(struct fake_stream *s, void *buf, size_t size);
void fake_stream_close(struct fake_stream *s);

/* The C library's, past the interposed ones. */
int real_open(const char *path, int flags, mode_t mode);
int real_close(int fd);
ssize_t real_read(int fd, void *buf, size_t size);

#endif
