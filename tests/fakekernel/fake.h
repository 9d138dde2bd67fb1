/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake kernel for unmodified programs: LD_PRELOAD and a tree of plain files made by maketree.sh.
 *
 * $FAKEKERNEL_ROOT is the tree: paths below the folders that a driver names are looked up there. A driver is a row of a table
 * (fake_drivers) and a file: it answers what programs do with its descriptors. DRM nodes in the tree are plain files; the link
 * /sys/dev/char/226:MINOR/device/driver says whose they are. Files whose text changes are made when they are opened.
 * The models behind the drivers are those of the simulated devices (backends/sim/model), their time is CLOCK_MONOTONIC.
 * What descriptors share between processes lies in the tree.
 *
 * i915.c: a stream is a timerfd with the poll period, so that poll() needs no help; the OA unit is programmed by the registers that
 * the client registered. Own files of the tree: i915/model (spec of the simulated device), i915/chipset (PCI id of another part that
 * runs its load), i915/perf_revision, i915/local_memory_bytes and
 * i915/local_memory_used_bytes (of cards that have memory), i915/configs/ID, i915/oa.lock, i915/epoch, i915/tmp,
 * i915/fused_eus (so many are off in each subslice), i915/context (what the load's context is to CONFIG: see fake_oa_program_later()).
 * xe.c: the same machine behind the other driver; i915/oa_capabilities are bits of its OA unit. More points of failure: units (the
 * query of OA units), config (CONFIG of a stream), stall (opening stall sampling), stall_read; "wrapped": a counter turned over; "dropped": the rings of all Xe
 * cores overflow; i915/stall_overflow_ms: they do so again and again; i915/poll_ms: how often
 * the kernel's timer looks for reports of OA and samples, so that they are handed out so much later.
 * Of both drivers: i915/oa_overflow_ms, as often the buffer of an OA stream overflows.
 * calls.c: what a test wants of all calls into drivers (the tree's file "calls"): a log, one that is held, faults by a seed.
 * uevents.c: the kernel's messages about devices, which a test sends where the tree has a folder "uevents".
 * bar.c, registers.c: resource0 of the GPU, whose mappings act as registers do, and the kernel's files around it.
 *
 * forbidden: words; paths with one of them give EACCES. The log has a line "woken PATH" for each file that would wake a card whose
 * runtime_status is suspended. autosuspend_ms: runtime power management, by the program's clock, of the one card that it uses: each file that would
 * wake it starts that delay anew, and after it runtime_status is suspended; lines "used FILE", "sleeps" and "woken FILE". Changes of a running machine are changes of the tree: power/runtime_status of a card, sysctls, modes; unplugged (1): opening a node
 * and reading a stream give ENODEV. clocks.c: suspended_ns and $FAKEKERNEL_CLOCK.
 *
 * $FAKEKERNEL_PERFMON=0: the process lacks CAP_PERFMON. $FAKEKERNEL_LOG: file for a line per ioctl.
 * $FAKEKERNEL_FAIL: words "POINT=ERRNO[@N]", from the Nth call of that kind on ("@N-M": to the Mth): node (opening a node), add, remove, open (a stream),
 * read, topology, memory, sseu (what Gen11 is asked to leave on), clock (the time stamp for
 * recordings), close_range, fds (opening /proc/self/fd); "lost@N" and "buffer@N": the Nth read() with data begins with that
 * record; "vanish@N": the Nth opening of a node finds the card pulled out, with its folder in /sys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FAKE_MAX_FDS 4096

struct fake_driver;

/* What a descriptor of this process is. */
struct fake_fd {
	const struct fake_driver *driver;	/* NULL: nothing of ours */
	int minor;				/* of a device node, or -1 */
	/* the driver's; NULL for a node that was just opened */
	void *priv;
};

/* Functions that are NULL are the C library's. They set errno and return -1 as system calls do. */
struct fake_driver {
	const char *name;
	/* NULL-terminated; absolute paths that lie in the tree ("/sys") */
	const char *const *folders;
	/* nodes below /dev/dri that belong to the driver of this name are its */
	bool is_drm;
	/* the second fake of that driver, for trees with strict/on (strict.h) */
	bool is_strict;
	/* Descriptor for a path as the program gave it, with fake_fd() filled in where it is to
	 * stay the driver's. False: not its path. */
	bool (*open)(const char *path, int flags, int *fd);
	int (*ioctl)(struct fake_fd *f, int fd, unsigned long request, unsigned long arg);
	ssize_t (*read)(struct fake_fd *f, int fd, void *buf, size_t size);
	void *(*mmap)(struct fake_fd *f, int fd, void *addr, size_t length, int prot, int flags,
		off_t offset);
	/* Before the descriptor itself is closed. */
	void (*close)(struct fake_fd *f);
	/* What the fdinfo file of a node says of a client that has part_per_mille of the GPU's
	 * time. */
	size_t (*fdinfo)(uint64_t client, long part_per_mille, char *buf, size_t size);
	/* A call made through syscall(). False: not its call. */
	bool (*syscall)(long number, const long args[6], long *result);
};

/* NULL-terminated. */
extern const struct fake_driver *const fake_drivers[];
extern const struct fake_driver fake_amdgpu;
extern const struct fake_driver fake_xe, fake_i915;
extern const struct fake_driver fake_residency;
extern const struct fake_driver fake_bar;
extern const struct fake_driver fake_faux;
extern const struct fake_driver fake_kbase, fake_panfrost;
extern const struct fake_driver fake_msm, fake_v3d, fake_xdna;
extern const struct fake_driver fake_ivpu_strict, fake_msm_strict;
extern const struct fake_driver fake_power_strict, fake_v3d_strict, fake_xdna_strict;
extern const struct fake_driver fake_moving;
extern const struct fake_driver fake_perf;
extern const struct fake_driver fake_proc;

/* Whose node lies at a path below the tree; NULL: it is none. */
const struct fake_driver *fake_node_driver(const char *path);
/* NULL: none of ours can have that number. */
struct fake_fd *fake_fd(int fd);
/* "" when there is no tree. */
const char *fake_root(void);
/* 0, or the errno that the scenario wants at this point; counts the calls. */
int fake_fails(const char *point);
void fake_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Whether a driver has an engine: its query and its PMU are of one list, "GT.CLASS.INSTANCE ..." in xe_engines of the tree, and
 * "CLASS.INSTANCE ..." in i915_engines. */
bool fake_xe_has_engine(int gt, int class, int instance);
bool fake_i915_has_engine(int class, int instance);
/* First line of a file of the tree. False when it is empty or not there. That one is not there is believed until the program waits,
 * makes a file, or the tick of 4 ms is over: each call looks for some ten, most of which no tree has. */
bool fake_tree_read(const char *path, char *buf, size_t size);
long fake_tree_number(const char *path, long otherwise);
bool fake_tree_has(const char *path);
/* What is not there is looked for again. */
void fake_look_again(void);
/* Whether the tree's file runtime_status says so; and what a use of the card, or a look at what it knows by itself, makes of it (autosuspend.c). */
bool fake_is_suspended(const char *status_file);
void fake_keep_power(const char *status_file, bool is_use, const char *file);
/* A descriptor at the beginning of a file with that text, for open hooks; -1 with errno. */
int fake_text_file(const char *text, size_t len);

/* The C library's, past the interposed ones. */
int real_open(const char *path, int flags, mode_t mode);
int real_close(int fd);
ssize_t real_read(int fd, void *buf, size_t size);
/* Waits where FAKEKERNEL_SLOW says that this file is slow (slow.c). */
void fake_dawdle(int fd);
/* Every call into a driver passes here (calls.c): 0, or the errno that it fails with. path NULL: the descriptor's name. */
int fake_call(const char *call, unsigned long request, int fd, const char *path);
/* Whether a test wants something of calls, and it is a file of the tree's sysfs, which a driver would make when it is read. */
bool fake_is_tree_file(int fd);
/* What a driver's mapping is to munmap(). */
void fake_mapped(void *address, int fd);
void fake_unmapped(const void *address);
void fake_dawdle_at(const char *path);
