/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the Intel drivers of the fake kernel share: the machine behind them, registered
 * programmings, streams of its OA unit. */
#pragma once

#include "backends/sim/model/oa_unit.h"
#include "backends/sim/spec.h"

#define FAKE_MAX_REGS 4096
#define FAKE_METRICS "/sys/class/drm/card0/metrics"

struct fake_machine {
	struct sim_spec spec;
	struct device device;
	struct workload_hardware hw;
	int graphics_ver;
	int perf_revision;
	int64_t epoch_ns;
	uint64_t timestamp_base;	/* the model's time stamp when its time is 0 */
};

struct fake_regs {
	struct oa_reg r[FAKE_MAX_REGS];
	size_t n;
};

/* The OA unit as one stream sees it; the descriptor is a timerfd with the period at which the
 * kernel looks for reports. */
struct fake_oa {
	int fd, lock;
	bool enabled, blocking, has_reports;
	bool is_cleared;		/* a reset of the GT has cleared the unit's registers */
	long resets;			/* of the GT, when the stream was opened */
	const struct oa_format *format;		/* NULL: the device's own */
	uint32_t buffer_bytes;			/* 0: 16 MiB */
	bool keeps_overrun;			/* as struct oa_unit_config says */
	int exponent;
	uint64_t config;
	int64_t enabled_ns;		/* when the unit was switched on */
	int64_t begin_ns, poll_ns;	/* when and how often the kernel's timer looks */
	struct oa_unit unit;
	struct course course;
	/* EU_PERF_CNT_CTL of each subslice of the topology, where they are written one by one; NULL: all
	 * hold those of the programming */
	const uint32_t (*flex)[OA_FLEX_REGS];
	uint32_t published;	/* bytes that read() may take */
	int64_t overflow_ns, next_overflow_ns;	/* how often the tree wants one; 0: never */
	/* what CONFIG asked for, which a batch will write at due_ns; 0: nothing waits */
	struct fake_regs asked;
	int64_t due_ns;
};

struct fake_range {
	uint32_t first, last;
};

/* Sets errno; -1. */
int fake_fail(int error);
/* A path of the tree, of PATH_MAX bytes. */
void fake_tree_path(char *buf, const char *folder, const char *name);
/* The one that the tree describes. */
const struct fake_machine *fake_machine(void);
/* Time of the model: from the first use of the tree on, so that time stamps do not wrap within a
 * test. */
int64_t fake_model_ns(void);
/* The command streamers' time stamp, uncut, and its rate: on some parts slower than those of
 * reports. */
uint64_t fake_cs_timestamp(void);
uint64_t fake_cs_hz(void);
/* False once the process has given up the user that it began as, too. */
bool fake_is_perfmon(void);
/* How many of the bytes from there on a program may have. */
size_t fake_memory_bytes(const void *address, size_t len);
/* Whether a program may have so many bytes at an address: the kernel answers EFAULT otherwise. */
bool fake_is_memory(uint64_t address, size_t len);
/* Since the model's time 0: how long the GPU was busy, how many cycles its clock made, how long it
 * slept. */
uint64_t fake_busy_ns(void);
uint64_t fake_cycles(void);
uint64_t fake_rc6_ns(void);
/* The same if no stream had kept it awake, and what begins or ends to do so. */
uint64_t fake_could_sleep_ns(void);
void fake_keep_awake(bool begins);

#define FAKE_HWCONFIG_WORDS 25
/* The firmware's table of hardware facts: the largest topology from Gen12.55 on, and the memory
 * where the tree has hwconfig_memory_type. Returns its bytes, 0 when the part has none. */
size_t fake_hwconfig(uint32_t *table);

/* A unit that counts what the registers say of the model's load; s is the stream whose it is, or NULL. */
bool fake_unit_build(const struct fake_machine *m, const struct fake_regs *regs,
	const struct fake_oa *s, struct oa_unit *u, struct course *cs);

bool fake_in_ranges(const struct fake_range *r, size_t n, uint32_t address);
bool fake_is_uuid(const char *s);
/* Whether there is a folder for programmings. */
bool fake_has_metrics(void);
/* Ids count from first. -1 with errno: EADDRINUSE when the uuid is there. */
int fake_config_add(const char *uuid, const struct fake_regs *regs, int first);
bool fake_config_load(uint64_t id, struct fake_regs *out);
/* 0, or -1 with errno. */
int fake_config_remove(uint64_t id);

/* A file lock in the tree that dies with its holder; -1: somebody has it. */
int fake_lock(const char *name);
/* A periodic timer that is readable when it is due; its descriptor, -1 with errno. */
int fake_timer(uint64_t period_ns, bool cloexec);
/* NULL with errno. format NULL is the device's own. lock passes to the stream when it succeeds. */
struct fake_oa *fake_oa_open(const struct fake_regs *regs, const struct oa_format *format,
	int exponent, uint64_t poll_ns, bool cloexec, int lock);
/* A stream of xe, before it is enabled: its buffer may have another size, and is read on after it
 * overflowed. */
bool fake_oa_as_xe(struct fake_oa *s, const struct fake_regs *regs, uint32_t buffer_bytes);
void fake_oa_enable(struct fake_oa *s);
void fake_oa_disable(struct fake_oa *s);
/* Another programming: counting starts again. */
bool fake_oa_program(struct fake_oa *s, const struct fake_regs *regs);
/* What i915's CONFIG does with a stream that counts: the registers are written later, by a batch of
 * low priority, and on Gen8 to Gen11 those of the flexible counters do not reach a context that is
 * busy (Linux i915_perf.c, i915_perf_config_locked() and lrc_configure_all_contexts()). The file
 * i915/context says what the load's context is: busy (as when there is no file), idle, or new. */
void fake_oa_program_later(struct fake_oa *s, const struct fake_regs *regs);
/* What xe's CONFIG does: it waits until a batch has written the registers, and the stream goes on
 * (Linux xe_oa.c, xe_oa_emit_oa_config()). The unit counts by the old ones until then, and its reports
 * stay in the buffer: they are read later, before those of the new programming. */
void fake_oa_program_now(struct fake_oa *s, const struct fake_regs *regs);
/* What the kernel's timer saw when it last looked: how far the unit had written, but for the newest
 * report, which may not have landed yet. */
void fake_oa_tick(struct fake_oa *s);
/* After a read: poll() says that there is something when the timer will next have found it, not
 * before (Linux i915_perf.c, oa_poll_check_timer_cb() and i915_perf_read()). */
void fake_oa_rest(struct fake_oa *s);
/* Waits for the timer. */
void fake_oa_wait(struct fake_oa *s);
/* Bytes that may be read. */
uint32_t fake_oa_waiting(const struct fake_oa *s);
/* One report. The tree's file i915/unkind: "zeros": some are of places that the unit had not written, which a kernel takes for good where
 * its pointers are early; "twice": some come once more. (Linux i915_perf.c, gen8_oa_read(), and the write pointers of Gen8 and Gen9.) */
void fake_oa_take(struct fake_oa *s, uint8_t *report);
/* How many of the bytes a read() gives at once: few where i915/unkind has "short". The log has "unkind: WORD" for what came of it. */
size_t fake_oa_room(size_t size, size_t record);
/* Whether the card has fallen off the bus: registers read ~0. The driver's waits for the unit take
 * their time, and every bit of its status is set. */
bool fake_oa_is_gone(const struct fake_oa *s);
/* Whether the tree wants the buffer to overflow now, or the scenario does. */
bool fake_oa_overflows(struct fake_oa *s);
/* Half of what waits is lost, and the status says so. */
void fake_oa_lose(struct fake_oa *s);
void fake_oa_reset(struct fake_oa *s);
void fake_oa_accept_overrun(struct fake_oa *s);
void fake_oa_close(struct fake_oa *s);
