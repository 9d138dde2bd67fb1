/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's clocks, a virtual one, and time as text. */
#include "config.h"

#include "base/clock.h"

#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t read_clock(clockid_t id)
{
	struct timespec ts = { 0 };

	clock_gettime(id, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

void clock_init_virtual(struct clock *c, int64_t mono_ns, int64_t wall_ns)
{
	*c = (struct clock){ .is_virtual = true, .mono_ns = mono_ns, .wall_ns = wall_ns };
}

int64_t clock_mono_ns(const struct clock *c)
{
	if (c->is_virtual)
		return c->mono_ns;
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_machine_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_wall_ns(const struct clock *c)
{
	if (c->is_virtual)
		return c->wall_ns;
	return read_clock(CLOCK_REALTIME);
}

void clock_advance(struct clock *c, int64_t delta_ns)
{
	c->mono_ns += delta_ns;
	c->wall_ns += delta_ns;
}

int64_t clock_suspended_ns(const struct clock *c)
{
	if (c->is_virtual)
		return 0;
	return read_clock(CLOCK_BOOTTIME) - read_clock(CLOCK_MONOTONIC);
}

int64_t clock_self_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

int clock_timer_open(void)
{
	return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

bool clock_timer_set(int fd, int64_t first_ns, int64_t period_ns)
{
	const struct itimerspec t = {
		.it_value = { .tv_sec = first_ns / NS_PER_S, .tv_nsec = first_ns % NS_PER_S },
		.it_interval = { .tv_sec = period_ns / NS_PER_S, .tv_nsec = period_ns % NS_PER_S },
	};

	return timerfd_settime(fd, 0, &t, NULL) == 0;
}

bool clock_timer_clear(int fd)
{
	uint64_t times;

	return read(fd, &times, sizeof(times)) == sizeof(times);
}

/* Whole seconds are rounded down, also before 1970. */
static time_t whole_seconds(int64_t ns)
{
	return (time_t)(ns / NS_PER_S - (ns % NS_PER_S < 0));
}

const char *clock_format_utc(int64_t wall_ns, char *buf)
{
	time_t s = whole_seconds(wall_ns);
	int ms = (int)((wall_ns - s * NS_PER_S) / NS_PER_MS);
	struct tm tm = { 0 };

	gmtime_r(&s, &tm);
	size_t len = strftime(buf, 32, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf + len, 32 - len, ".%03dZ", ms);
	return buf;
}

const char *clock_format_local(int64_t wall_ns, char *buf)
{
	time_t s = whole_seconds(wall_ns);
	struct tm tm = { 0 };

	localtime_r(&s, &tm);
	strftime(buf, 16, "%H:%M:%S", &tm);
	return buf;
}
