/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time as int64_t ns. A clock is either the machine's or a virtual one that moves only when told to
 * (scripts, fast replay, tests). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S 1000000000LL
#define NS_PER_MS 1000000LL

struct clock {
	bool is_virtual;
	int64_t mono_ns;	/* virtual only: CLOCK_MONOTONIC */
	int64_t wall_ns;	/* virtual only: CLOCK_REALTIME */
};

/* A virtual clock starts at the given times and moves only by clock_advance(). */
void clock_init_virtual(struct clock *c, int64_t mono_ns, int64_t wall_ns);
/* Return CLOCK_MONOTONIC and CLOCK_REALTIME, or the virtual times in their place. */
int64_t clock_mono_ns(const struct clock *c);
int64_t clock_wall_ns(const struct clock *c);
/* Returns CLOCK_MONOTONIC of the machine, for what is real whatever a script's clock says:
 * processes and devices. */
int64_t clock_machine_ns(void);
void clock_advance(struct clock *c, int64_t delta_ns);
/* Returns how long the machine has been suspended since it was booted, in ns: CLOCK_BOOTTIME goes
 * on then, CLOCK_MONOTONIC does not. 0 for a virtual clock. */
int64_t clock_suspended_ns(const struct clock *c);
/* Returns the CPU time that this process has used so far, in ns. It is never virtual. */
int64_t clock_self_cpu_ns(void);
/* Opens a timer of the machine's CLOCK_MONOTONIC that is not set yet, or returns -1 with errno. */
int clock_timer_open(void);
/* The descriptor is readable after first_ns (0: never) and then after each period_ns (0: no more),
 * until it is cleared. False with errno. */
bool clock_timer_set(int fd, int64_t first_ns, int64_t period_ns);
/* Returns whether it was readable. */
bool clock_timer_clear(int fd);
/* Writes RFC 3339 UTC with milliseconds, "2026-11-21T13:03:22.104Z"; buf has at least 32 bytes. */
const char *clock_format_utc(int64_t wall_ns, char *buf);
/* Writes local time, "14:03:22"; buf has at least 16 bytes. */
const char *clock_format_local(int64_t wall_ns, char *buf);
