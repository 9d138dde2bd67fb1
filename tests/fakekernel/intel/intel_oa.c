/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of the OA unit behind the fake Intel drivers. */
#include "config.h"

#include "tests/fakekernel/intel/intel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "tests/fakekernel/fake.h"

/* The tail register may be ahead of what has landed in memory, so the driver trusts it when it is as
 * old as that (Linux 6.1 i915_perf.c, OA_TAIL_MARGIN_NSEC). */
#define TAIL_MARGIN_NS (NS_PER_MS / 10)
#define CONFIG_DELAY_NS (250 * NS_PER_MS)	/* as long as a kernel of the load may hold the engine */
#define CONFIG_WAIT_NS (20 * NS_PER_MS)		/* until the batch gets a slice of the engine's time */

static bool build_course(const struct fake_machine *m, struct oa_unit *u, struct course *cs)
{
	struct err err = { 0 };

	memset(cs, 0, sizeof(*cs));
	if (!workload_build(cs, &m->hw, &m->spec.load, oa_unit_select, u, &err))
		return false;
	course_seal(cs);
	return true;
}

static void program_subslices(
	const struct fake_machine *m, const struct fake_oa *s, struct oa_unit *u)
{
	int rank = 0;

	for (int bit = 0; bit < 64; bit++)
		if (m->device.topology.subslice_mask >> bit & 1)
			oa_unit_program_subslice(u, rank++, s->flex[bit]);
}

bool fake_unit_build(const struct fake_machine *m, const struct fake_regs *regs,
	const struct fake_oa *s, struct oa_unit *u, struct course *cs)
{
	struct oa_unit_config c = oa_unit_config_of(
		&m->device, intel_platform_by_name(m->device.platform));
	struct err err = { 0 };

	if (s && s->format)
		c.format = s->format;
	if (s) {
		c.buffer_bytes = s->buffer_bytes;
		c.keeps_overrun = s->keeps_overrun;
		/* xe_oa_append_reports() changes nothing; gen8_append_oa_reports() replaces a number that is not valid up to Gen12.10. */
		c.keeps_number |= s->keeps_overrun;
	}
	if (!oa_unit_init(u, &c, &err))
		return false;
	oa_unit_program(u, regs->r, regs->n);
	if (s && s->flex)
		program_subslices(m, s, u);
	if (!build_course(m, u, cs))
		return false;
	oa_unit_attach(u, cs);
	return true;
}

int fake_lock(const char *name)
{
	char path[PATH_MAX];
	int fd;

	fake_tree_path(path, "/i915/", name);
	fd = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	/* for a process that gives up its user later */
	if (fd >= 0)
		fchmod(fd, 0666);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (fd >= 0)
		real_close(fd);
	return -1;
}

int fake_timer(uint64_t period_ns, bool cloexec)
{
	struct itimerspec t = { { (time_t)(period_ns / NS_PER_S), (long)(period_ns % NS_PER_S) },
		{ (time_t)(period_ns / NS_PER_S), (long)(period_ns % NS_PER_S) } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | (cloexec ? TFD_CLOEXEC : 0));

	if (fd >= 0 && (!fake_fd(fd) || timerfd_settime(fd, 0, &t, NULL) < 0)) {
		real_close(fd);
		return fake_fail(ENOMEM);
	}
	return fd;
}

bool fake_oa_program(struct fake_oa *s, const struct fake_regs *regs)
{
	oa_unit_release(&s->unit);
	course_release(&s->course);
	return fake_unit_build(fake_machine(), regs, s, &s->unit, &s->course);
}

bool fake_oa_as_xe(struct fake_oa *s, const struct fake_regs *regs, uint32_t buffer_bytes)
{
	s->buffer_bytes = buffer_bytes;
	s->keeps_overrun = true;
	return fake_oa_program(s, regs);
}

/* Drivers empty the buffer when they switch the unit on (Linux xe_oa.c, xe_oa_init_oa_buffer(); i915_perf.c, gen8_init_oa_buffer()). One
 * that is mapped is shared memory. */
static void clear_buffer(struct oa_unit *u)
{
	if (madvise(u->ring, u->c.buffer_bytes, MADV_REMOVE) < 0)
		madvise(u->ring, u->c.buffer_bytes, MADV_DONTNEED);
}

void fake_oa_enable(struct fake_oa *s)
{
	clear_buffer(&s->unit);
	s->enabled_ns = fake_model_ns();
	oa_unit_enable(&s->unit, s->enabled_ns, s->exponent, 0);
	s->published = 0;
	s->enabled = true;
	fake_oa_rest(s);
}

void fake_oa_disable(struct fake_oa *s)
{
	s->unit.enabled = false;
	s->enabled = false;
	timerfd_settime(s->fd, 0, &(struct itimerspec){ .it_value = { 0 } }, NULL);
}

struct fake_oa *fake_oa_open(const struct fake_regs *regs, const struct oa_format *format,
	int exponent, uint64_t poll_ns, bool cloexec, int lock)
{
	struct fake_oa *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->lock = lock;
	s->exponent = exponent;
	s->format = format;
	s->resets = fake_tree_number("/gt_resets", 0);
	s->begin_ns = fake_model_ns();
	s->poll_ns = (int64_t)poll_ns;
	s->overflow_ns = fake_tree_number("/i915/oa_overflow_ms", 0) * NS_PER_MS;
	s->next_overflow_ns = s->begin_ns + s->overflow_ns;
	s->fd = fake_timer(poll_ns, cloexec);
	if (s->fd >= 0 && fake_oa_program(s, regs))
		return s;
	if (s->fd >= 0)
		real_close(s->fd);
	free(s);
	errno = ENOMEM;
	return NULL;
}

void fake_oa_program_later(struct fake_oa *s, const struct fake_regs *regs)
{
	s->asked = *regs;
	s->due_ns = fake_model_ns() + CONFIG_DELAY_NS;
}

static bool context_is_busy(void)
{
	char state[16];

	return !fake_tree_read("/i915/context", state, sizeof(state)) || !strcmp(state, "busy");
}

/* The batch of a CONFIG runs: the unit goes on counting, by other registers. */
static void write_asked(struct fake_oa *s)
{
	const struct fake_machine *m = fake_machine();
	bool keeps_flex = m->graphics_ver >= 8 && m->graphics_ver <= 11 && context_is_busy();
	struct fake_regs *regs = &s->asked;
	struct course next;
	size_t n = 0;

	for (size_t i = 0; i < regs->n; i++)
		if (!keeps_flex || regs->r[i].kind != OA_REG_FLEX)
			regs->r[n++] = regs->r[i];
	oa_unit_switch(&s->unit, &s->course, s->due_ns);
	oa_unit_program(&s->unit, regs->r, n);
	if (!build_course(m, &s->unit, &next))
		abort();
	course_take_over(&next, &s->course, s->due_ns, s->course.origin_ns);
	course_release(&s->course);
	s->course = next;
	oa_unit_attach(&s->unit, &s->course);
	s->due_ns = 0;
}

void fake_oa_program_now(struct fake_oa *s, const struct fake_regs *regs)
{
	nanosleep(&(struct timespec){ .tv_nsec = CONFIG_WAIT_NS }, NULL);
	s->asked = *regs;
	s->due_ns = fake_model_ns();
	write_asked(s);
}

/* Whole reports. */
static void publish(struct fake_oa *s)
{
	uint32_t bytes = s->unit.c.format->bytes;

	s->published = oa_unit_waiting(&s->unit) / bytes * bytes;
}

/* The last moment at which the kernel's timer has looked, before t_ns. */
static int64_t last_look_ns(const struct fake_oa *s, int64_t t_ns)
{
	return s->begin_ns + (t_ns - s->begin_ns) / s->poll_ns * s->poll_ns;
}

/* No path of a reset calls the drivers' OA code, and the unit's registers are gone (Linux intel_reset.c; xe_oa.c says so of resets by
 * the GuC): the timer is off, reads give EAGAIN for ever, and nobody tells. */
static void clear_registers(struct fake_oa *s)
{
	fake_log("RESET\n");
	s->is_cleared = true;
	s->unit.enabled = false;
	fake_oa_reset(s);
}

bool fake_oa_is_gone(const struct fake_oa *s)
{
	return s->enabled && fake_tree_number("/unplugged", 0);
}

void fake_oa_tick(struct fake_oa *s)
{
	int64_t look_ns = last_look_ns(s, fake_model_ns());

	if (!s->is_cleared && fake_tree_number("/gt_resets", 0) != s->resets)
		clear_registers(s);
	if (s->is_cleared)
		return;

	if (s->due_ns && look_ns >= s->due_ns)
		write_asked(s);
	/* The unit's time does not run backwards: the timer may have looked last before it was switched on. */
	if (look_ns - TAIL_MARGIN_NS > s->enabled_ns)
		oa_unit_advance(&s->unit, look_ns - TAIL_MARGIN_NS);
	publish(s);
}

/* When the next report will have landed. */
static int64_t readable_ns(struct fake_oa *s)
{
	const struct oa_unit *u = &s->unit;
	int64_t at_ns = oa_unit_next_report(&s->unit, fake_model_ns());

	return at_ns + (int64_t)u->c.format->bytes / OA_LINE_BYTES * OA_LINE_NS + OA_LINE_NS;
}

void fake_oa_rest(struct fake_oa *s)
{
	int64_t now_ns = fake_model_ns(), next_ns = last_look_ns(s, now_ns) + s->poll_ns,
		at_ns = next_ns;

	if (!s->enabled)
		return;
	if (s->is_cleared) {
		timerfd_settime(s->fd, 0, &(struct itimerspec){ .it_value = { 0 } }, NULL);
		return;
	}
	/* A buffer that was too small leaves something, and poll() goes on to say so. */
	if (s->published) {
		at_ns = next_ns = now_ns;
	} else {
		at_ns = last_look_ns(s, readable_ns(s) + TAIL_MARGIN_NS) + s->poll_ns;
	}
	at_ns = (at_ns < next_ns ? next_ns : at_ns) + fake_machine()->epoch_ns;
	timerfd_settime(s->fd, TFD_TIMER_ABSTIME,
		&(struct itimerspec){
			.it_value = { (time_t)(at_ns / NS_PER_S), (long)(at_ns % NS_PER_S) } },
		NULL);
}

bool fake_oa_overflows(struct fake_oa *s)
{
	if (s->overflow_ns && fake_model_ns() >= s->next_overflow_ns) {
		s->next_overflow_ns = fake_model_ns() + s->overflow_ns;
		return true;
	}
	return fake_fails("buffer") != 0;
}

void fake_oa_lose(struct fake_oa *s)
{
	oa_unit_lose_reports(&s->unit);
	s->unit.status |= OA_STATUS_REPORT_LOST;
	publish(s);
}

void fake_oa_wait(struct fake_oa *s)
{
	fake_oa_rest(s);
	poll(&(struct pollfd){ .fd = s->fd, .events = POLLIN }, 1, -1);
	fake_oa_tick(s);
}

uint32_t fake_oa_waiting(const struct fake_oa *s)
{
	return s->published;
}

static bool is_unkind(const char *word)
{
	char words[64];

	if (!fake_tree_read("/i915/unkind", words, sizeof(words)) || !strstr(words, word))
		return false;
	fake_log("unkind: %s\n", word);
	return true;
}

#define ODD_EVERY 40	/* reports */

void fake_oa_take(struct fake_oa *s, uint8_t *report)
{
	static unsigned taken;
	static uint8_t last[1024];
	uint32_t bytes = s->unit.c.format->bytes;

	if (++taken % ODD_EVERY == 0 && is_unkind("zeros")) {
		memset(report, 0, bytes);
		return;
	}
	if (taken % ODD_EVERY == 0 && is_unkind("twice")) {
		memcpy(report, last, bytes);
		return;
	}
	oa_unit_take(&s->unit, report);
	s->published -= bytes;
	memcpy(last, report, bytes);
}

size_t fake_oa_room(size_t size, size_t record)
{
	static unsigned reads;
	size_t few = (1 + ++reads % 3) * record;

	return size > few && is_unkind("short") ? few : size;
}

void fake_oa_reset(struct fake_oa *s)
{
	oa_unit_reset_buffer(&s->unit);
	s->published = 0;
}

void fake_oa_accept_overrun(struct fake_oa *s)
{
	oa_unit_accept_overrun(&s->unit);
	publish(s);
}

void fake_oa_close(struct fake_oa *s)
{
	oa_unit_release(&s->unit);
	course_release(&s->course);
	real_close(s->lock);
	free(s);
}
