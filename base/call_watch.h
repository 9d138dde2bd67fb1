/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches calls of drivers that may take long: says which one is waited for, and ends the program
 * where a signal asks for that and the call does not return. */
#pragma once

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A driver may hold a call for as long as it likes, in a sleep that no signal ends. These two stand
 * around each call of one; name is that of the call ("ioctl DRM_IOCTL_I915_PERF_OPEN"), path the
 * file's, or NULL and fd tells it. Both must stay until call_end(). errno stays as it is. Calls of
 * the thread that made the first one are watched; other threads may wait. */
void call_begin(const char *name, const char *path, int fd);
void call_end(void);
/* poll(2), which waits for long as a rule. The first files, own of them, are timers and signals: where one is
 * ready and poll() does not return, a driver holds it, which is told and ended as any call is. */
int call_poll(struct pollfd *fds, size_t own, size_t n, int timeout_ms);
/* The C library's calls on the file of a driver, watched. driver_poll() does not wait.
 * driver_open() adds O_CLOEXEC. driver_map() returns NULL with errno, and path tells driver_unmap()
 * whose memory it is. For driver_close(), -1 is no file. */
int driver_poll(struct pollfd *file);
int driver_open(const char *path, int flags);
ssize_t driver_read(int fd, void *buf, size_t size);
void *driver_map(int fd, size_t size, int prot, int flags, int64_t offset);
void driver_unmap(void *map, size_t size, const char *path);
void driver_close(int fd);

/* Memory that a driver maps may be taken away with its device (Linux kernfs_vma_fault(),
 * i915_gem_mmap.c), and an access then ends in SIGBUS. From driver_watch_faults() on it reads as
 * all ones instead, as on a card that is off the bus. Who has a handler of SIGBUS of his own asks
 * driver_mend_fault() first: true means that the access can be made again. driver_mapped() and
 * driver_unmapped() tell of memory that somebody else has mapped. */
void driver_watch_faults(void);
bool driver_mend_fault(const siginfo_t *info);
void driver_mapped(void *map, size_t size);
void driver_unmapped(const void *map);

/* Who has the terminal says what is waited for there, and gives the terminal back when the program
 * ends during a call. NULL: messages go to standard error, and nothing is given back. Both are
 * called from another thread, while the first one is in the call. */
void call_watch_terminal(void (*say)(const char *line), void (*give_back)(void));
/* A child that gets the signal which ends this program during a call, in which nobody passes it on.
 * 0: none. */
void call_watch_command(pid_t pid);
