/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf_event_open on the PMUs of the tree: groups, formats of read(), enabling, more events than counters.
 *
 * A PMU exists when the tree has its folder (made by perftree); types that are none of ours are the machine's (software events) or
 * ENOENT. Files of the tree: perf/PMU/variant, perf/PMU/EVENT (a rate), perf/PMU/update_us (how often its registers change),
 * perf/cpu/CLASS (instructions a second of CPU 0; CPU n does the n-th part of it), perf/turns (work of a task: turns of the loop of
 * perf_pmus.h), perf/exec_turns (the same of programs that are started afterwards, where it differs), perf/no_merge, perf/held_cpu (somebody
 * else has all counters of that CPU's core). The PMU's own perf_event_mux_interval_ms says how long a turn is. Events that are opened for a task have its whole work as soon as they run.
 * $FAKEKERNEL_PERFMON=0: neither CAP_PERFMON nor CAP_SYS_ADMIN. $FAKEKERNEL_FAIL: perf=ERRNO[@N]. */
#include "config.h"

#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/perf_pmus.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000.0
#define MOST_VALUES 64

/* A descriptor's event. */
struct event {
	const struct fake_pmu *pmu;
	uint64_t config, format, id;
	int pid, cpu;
	int cost;
	bool enabled;
	bool on_exec;		/* counts a program that is started afterwards */
	struct event *leader;	/* itself for a leader */
	double rate;		/* counts a second, or a task's total */
	double count;
	double enabled_ns, running_ns;
	/* Of a leader: its place in the round, the counters that its group needs and may have, and whether it has them. */
	uint64_t turn;
	int needs, may_have;
	bool is_on;
	int64_t quantum_ns;	/* counts change only at multiples of it */
};

static struct event *events[FAKE_MAX_FDS];
static uint64_t next_id = 1, last_turn;

static int fail(int error)
{
	errno = error;
	return -1;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool tree_double(const char *folder, const char *name, double *v)
{
	char path[128], text[64];

	snprintf(path, sizeof(path), "/perf/%s/%s", folder, name);
	if (!fake_tree_read(path, text, sizeof(text)))
		return false;
	*v = strtod(text, NULL);
	return true;
}

/* --- which PMU --- */

static bool machine_has(const struct fake_pmu *p)
{
	char path[128], text[64];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", p->name);
	if (!fake_tree_read(path, text, sizeof(text)))
		return false;
	snprintf(path, sizeof(path), "/perf/%s/variant", p->name);
	return !p->variant ||
		(fake_tree_read(path, text, sizeof(text)) && !strcmp(text, p->variant));
}

static const struct fake_pmu *pmu_of_type(uint32_t type)
{
	for (size_t i = 0; i < fake_pmu_count; i++)
		if (fake_pmus[i].type == type && machine_has(&fake_pmus[i]))
			return &fake_pmus[i];
	return NULL;
}

/* Cycles and instructions by their general names. */
static bool general_event(
	const struct perf_event_attr *a, const struct fake_pmu *p, uint64_t *config)
{
	const char *name = a->config == PERF_COUNT_HW_CPU_CYCLES ? "cpu-cycles" :
		a->config == PERF_COUNT_HW_INSTRUCTIONS ? "instructions" : "";

	for (const struct fake_event *e = p->events; e->name; e++)
		if (!strcmp(e->name, name)) {
			*config = e->config;
			return true;
		}
	return false;
}

/* --- how fast it counts --- */

static struct fake_load load_of_cpu(int cpu)
{
	static const char *const names[FP_CLASSES] = { "scalar_dp", "scalar_sp", "128_dp", "128_sp",
		"256_dp", "256_sp", "512_dp", "512_sp" };
	struct fake_load l = fake_load_turns(1e9);

	for (int i = 0; i < FP_CLASSES; i++) {
		tree_double("cpu", names[i], &l.fp[i]);
		l.fp[i] /= cpu + 1;
	}
	return l;
}

static double rate_of(const struct event *e)
{
	const struct fake_event *row = fake_pmu_event(e->pmu, e->config);
	bool is_task = e->pid >= 0;
	long turns = fake_tree_number("/perf/turns", 0);
	struct fake_load l;
	double v;

	if (e->on_exec)
		turns = fake_tree_number("/perf/exec_turns", turns);
	l = is_task ? fake_load_turns((double)turns) : load_of_cpu(e->cpu);
	l.no_merge = fake_tree_number("/perf/no_merge", 0) != 0;
	if (!row)
		return e->pmu->count ? e->pmu->count(e->pmu, e->config, &l) : -1;
	if (is_task && !strcmp(row->name, "instructions"))
		return l.instructions;
	if (is_task && !strcmp(row->name, "cpu-cycles"))
		return l.cycles;
	v = row->per_s;
	if (*row->name)
		tree_double(e->pmu->name, row->name, &v);
	return v * fake_event_counts_per_unit(row);
}

/* --- time: enabled, running, counted --- */

static bool same_counters(const struct event *a, const struct event *b)
{
	return a->pmu == b->pmu && (a->pid >= 0) == (b->pid >= 0) &&
		(a->pid >= 0 || a->cpu == b->cpu);
}

static int group_cost(const struct event *leader)
{
	int cost = 0;

	for (int i = 0; i < FAKE_MAX_FDS; i++)
		if (events[i] && events[i]->leader == leader)
			cost += events[i]->cost;
	return cost;
}

/* Counters that nobody else has: the watchdog for lockups holds one. */
static int free_counters(const struct fake_pmu *p)
{
	bool is_core = p->type == PERF_TYPE_RAW;
	double counters = p->counters;

	tree_double(p->name, "counters", &counters);
	return (int)counters -
		(is_core && fake_tree_number("/proc/sys/kernel/nmi_watchdog", 0) == 1 ? 1 : 0);
}

/* Linux kernel/events/core.c, perf_event_exit_cpu(): the events of a CPU that goes offline are taken out of
 * their groups and never count again. */
static bool is_online(int cpu)
{
	char list[128];

	if (cpu < 0 || !fake_tree_read("/sys/devices/system/cpu/online", list, sizeof(list)))
		return true;
	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
		int first, last, n = sscanf(p, "%d-%d", &first, &last);

		if (n > 0 && cpu >= first && cpu <= (n > 1 ? last : first))
			return true;
	}
	return false;
}

static void take_out(struct event *e)
{
	for (int i = 0; i < FAKE_MAX_FDS; i++)
		if (events[i] && events[i]->leader == e)
			events[i]->leader = events[i];
	e->leader = e;
	e->enabled = false;
}

/* --- turns: ctx_flexible_sched_in() puts groups on in their order until one does not fit, and none behind that one; the first of them goes
 * to the end each time the timer ticks (rotate_ctx()). So what is left of the counters stays unused, and a group that never fits keeps the
 * others out for a turn of each round. --- */

#define MUX "/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms"
#define TURN_MS 4	/* PERF_CPU_HRTIMER, 1000 / HZ milliseconds */

static int by_turn(const void *a, const void *b)
{
	const struct event *const *x = a, *const *y = b;

	return (*x)->turn < (*y)->turn ? -1 : (*x)->turn > (*y)->turn;
}

static bool is_free(const struct event *leader)
{
	bool is_held = leader->pmu->type == PERF_TYPE_RAW && leader->cpu >= 0 &&
		leader->cpu == fake_tree_number("/perf/held_cpu", -1);

	return !leader->pmu->counters || !group_cost(leader) || !is_held;
}

/* Groups that want to count, in their order, with what they need and may have. */
static int wanting(struct event *list[FAKE_MAX_FDS])
{
	int n = 0;

	for (int i = 0; i < FAKE_MAX_FDS; i++) {
		struct event *e = events[i];

		if (!e || e->leader != e || !e->enabled)
			continue;
		e->needs = e->pmu->counters ? group_cost(e) : 0;
		e->may_have = is_free(e) ? free_counters(e->pmu) : -1;
		list[n++] = e;
	}
	qsort(list, (size_t)n, sizeof(struct event *), by_turn);
	return n;
}

static bool goes_on(struct event *const *list, int i)
{
	int left = list[i]->may_have;

	for (int k = 0; k < i; k++) {
		if (!same_counters(list[k], list[i]))
			continue;
		if (!list[k]->is_on)
			return false;
		left -= list[k]->needs;
	}
	return !list[i]->needs || list[i]->needs <= left;
}

static bool put_on(struct event **list, int n)
{
	bool all = true;

	for (int i = 0; i < n; i++) {
		list[i]->is_on = list[i]->may_have >= 0 && goes_on(list, i);
		all = all && list[i]->is_on;
	}
	return all;
}

static bool lacks_counters(struct event *const *list, int n, const struct event *e)
{
	for (int i = 0; i < n; i++)
		if (same_counters(list[i], e) && !list[i]->is_on)
			return true;
	return false;
}

static bool is_first(struct event *const *list, int i)
{
	for (int k = 0; k < i; k++)
		if (same_counters(list[k], list[i]))
			return false;
	return true;
}

static void take_turns(struct event **list, int n)
{
	for (int i = 0; i < n; i++)
		if (is_first(list, i) && lacks_counters(list, n, list[i]))
			list[i]->turn = ++last_turn;
	qsort(list, (size_t)n, sizeof(struct event *), by_turn);
}

static void count(struct event *e, int64_t from_ns, int64_t to_ns)
{
	double dt = (double)(to_ns - from_ns);

	if (!e->enabled || !e->leader->enabled)
		return;
	e->enabled_ns += dt;
	e->running_ns += e->leader->is_on ? dt : 0;
	if (e->pid >= 0 && e->enabled_ns > 0)
		e->count = e->rate * (e->running_ns / e->enabled_ns);
	else if (e->pid < 0 && e->leader->is_on)
		e->count += e->rate *
			(double)(to_ns / e->quantum_ns * e->quantum_ns -
				from_ns / e->quantum_ns * e->quantum_ns) / NS_PER_S;
}

static void update_all(void)
{
	static int64_t counted_ns;
	struct event *list[FAKE_MAX_FDS];
	int64_t now = now_ns(), next, turn_ns = 1000000 * fake_tree_number(MUX, TURN_MS);

	for (int i = 0; i < FAKE_MAX_FDS; i++)
		if (events[i] && !is_online(events[i]->cpu))
			take_out(events[i]);
	int n = wanting(list);
	bool all = put_on(list, n);
	for (int64_t t = counted_ns ? counted_ns : now; t < now; t = next) {
		next = all || now / turn_ns == t / turn_ns ? now : (t / turn_ns + 1) * turn_ns;
		for (int i = 0; i < FAKE_MAX_FDS; i++)
			if (events[i])
				count(events[i], t, next);
		if (!all && next % turn_ns == 0) {
			take_turns(list, n);
			all = put_on(list, n);
		}
	}
	counted_ns = now;
}

/* --- opening --- */

/* include/linux/perf_event.h; 3 is Debian's. */
static bool is_below(int limit)
{
	return fake_is_perfmon() || fake_tree_number("/proc/sys/kernel/perf_event_paranoid", 2) < limit;
}

/* What perf_event_open() looks at before it knows the PMU: flags, perf_copy_attr(), perf_allow_kernel(), perf_fget_light(),
 * find_lively_task_by_vpid(). */
static int refusal_at_once(const struct perf_event_attr *a, int pid, int group_fd, unsigned long flags)
{
	const size_t known = sizeof(*a);

	if (flags & ~(unsigned long)(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC))
		return EINVAL;
	if (!fake_is_memory((uintptr_t)a, PERF_ATTR_SIZE_VER0) || !fake_is_memory((uintptr_t)a, a->size))
		return EFAULT;
	if (a->size && (a->size < PERF_ATTR_SIZE_VER0 || a->size > (size_t)sysconf(_SC_PAGESIZE)))
		return E2BIG;
	for (size_t i = known; i < a->size; i++)
		if (((const char *)a)[i])
			return E2BIG;
	if (!is_below(3) || (!a->exclude_kernel && !is_below(2)))
		return EACCES;
	if (group_fd != -1 && (group_fd < 0 || !fake_fd(group_fd) || !events[group_fd]))
		return EBADF;
	return pid > 0 && kill(pid, 0) < 0 && errno == ESRCH ? ESRCH : 0;
}

/* Kernels that do not look whether a group fits, so that it is taken and never counts: perf/PMU/any_group. */
static bool takes_any_group(const struct fake_pmu *p)
{
	double any = 0;

	tree_double(p->name, "any_group", &any);
	return any != 0;
}

/* "0" or "0-3". */
static bool is_on(const struct fake_pmu *p, int cpu)
{
	int first, last;
	int n = sscanf(p->cpus, "%d-%d", &first, &last);

	return n > 0 && cpu >= first && cpu <= (n > 1 ? last : first);
}

/* x86_pmu_event_init() takes any raw event; i915_pmu_event_init() tells engines that are not there from other counters, of which
 * those of a GT that is not there are some; xe_pmu_event_init() does not. */
static int refusal_of_unknown(const struct event *e)
{
	if (e->pmu->type == PERF_TYPE_RAW)
		return 0;
	return !strcmp(e->pmu->name, "i915") || !strncmp(e->pmu->name, "xe_", 3) ? ENOENT : EINVAL;
}

static int refusal(
	const struct event *e, const struct perf_event_attr *a, const struct event *group)
{
	if (e->pid < 0 && e->cpu < 0)
		return EINVAL;
	/* x86_pmu_event_init(), armpmu_event_init(). */
	if (e->pmu->cpus && e->cpu >= 0 && !is_on(e->pmu, e->cpu))
		return strncmp(e->pmu->name, "arm", 3) ? ENODEV : ENOENT;
	if (e->pmu->cpumask && (e->cpu < 0 || e->pid >= 0 || a->sample_period))
		return EINVAL;
	/* Linux before 6.13; perf_copy_attr() and inherit_event(). */
	if (a->inherit && (a->read_format & PERF_FORMAT_GROUP))
		return EINVAL;
	/* Linux i915_pmu.c, engine_event_init() */
	if (!strcmp(e->pmu->name, "i915") && !(e->config & FAKE_I915_OTHER) &&
		!fake_i915_has_engine((int)(e->config >> 12 & 0xff), (int)(e->config >> 4 & 0xff)))
		return ENODEV;
	if (e->rate < 0)
		return refusal_of_unknown(e);
	/* Linux xe_pmu.c, event_param_valid() */
	if (!strncmp(e->pmu->name, "xe_", 3) && (e->config & 0xfff) >= 2 && (e->config & 0xfff) <= 3 &&
		!fake_xe_has_engine((int)(e->config >> 60), (int)(e->config >> 20 & 0xff), (int)(e->config >> 12 & 0xff)))
		return ENOENT;
	/* find_get_context() */
	if (e->pid < 0 && !is_below(1))
		return EACCES;
	if (!is_online(e->cpu))
		return ENODEV;
	if (group && group->cpu != e->cpu)
		return EINVAL;
	if (group && (group->pmu != e->pmu || group->leader != group))
		return EINVAL;
	if (e->pmu->leader && e->pmu->leader(e->config) &&
		(!group || group->config != e->pmu->leader(e->config)))
		return EINVAL;
	if (group && e->pmu->counters && group_cost(group) + e->cost > e->pmu->counters &&
		!takes_any_group(e->pmu))
		return EINVAL;
	return 0;
}

static int64_t quantum_of(const struct fake_pmu *p)
{
	double us = 1;

	tree_double(p->name, "update_us", &us);
	return (int64_t)(us * 1000);
}

/* Of three pages, so that mapping it works; they are zero, which says that there is no way past
 * read(). */
static int new_descriptor(void)
{
	int fd = memfd_create("fake perf event", MFD_CLOEXEC);

	if (fd >= 0 && (!fake_fd(fd) || ftruncate(fd, (off_t)3 * sysconf(_SC_PAGESIZE)) != 0)) {
		real_close(fd);
		return fail(EMFILE);
	}
	return fd;
}

static long open_event(struct event *e, const struct perf_event_attr *a, struct event *group)
{
	int fd = new_descriptor();

	if (fd < 0)
		return -1;
	update_all();
	e->leader = group ? group : e;
	e->id = next_id++;
	e->turn = ++last_turn;
	e->enabled = !a->disabled || a->enable_on_exec;
	events[fd] = e;
	*fake_fd(fd) = (struct fake_fd){ .driver = &fake_perf, .minor = -1, .priv = e };
	return fd;
}

static long do_open(
	const struct perf_event_attr *a, const struct fake_pmu *pmu, int pid, int cpu, int group_fd)
{
	struct event *group = group_fd >= 0 && fake_fd(group_fd) ? events[group_fd] : NULL, *e;
	uint64_t config = a->config;
	int error = fake_fails("perf");
	long fd;

	if (error > 0)
		return fail(error);
	if (a->type == PERF_TYPE_HARDWARE && !general_event(a, pmu, &config))
		return fail(ENOENT);
	e = calloc(1, sizeof(*e));
	*e = (struct event){ .pmu = pmu, .config = config, .format = a->read_format, .pid = pid, .cpu = cpu,
		.on_exec = a->enable_on_exec, .cost = pmu->cost ? pmu->cost(config) : 1, .quantum_ns = quantum_of(pmu) };
	e->rate = rate_of(e);
	error = refusal(e, a, group);
	if (e->rate < 0)
		e->rate = 0;
	fd = error ? fail(error) : open_event(e, a, group);
	if (fd < 0)
		free(e);
	return fd;
}

static bool on_syscall(long number, const long args[6], long *result)
{
	const struct perf_event_attr *a = (const struct perf_event_attr *)args[0];
	const struct fake_pmu *pmu;

	int error;

	if (number != SYS_perf_event_open || !fake_tree_number("/perf/present", 0))
		return false;
	error = refusal_at_once(a, (int)args[1], (int)args[3], (unsigned long)args[4]);
	if (error) {
		*result = fail(error);
		return true;
	}
	if (a->type == PERF_TYPE_SOFTWARE || a->type == PERF_TYPE_TRACEPOINT ||
		a->type == PERF_TYPE_BREAKPOINT)
		return false;
	pmu = pmu_of_type(a->type == PERF_TYPE_HARDWARE ? (uint32_t)PERF_TYPE_RAW : a->type);
	if (pmu && fake_call("perf_event_open", 0, -1, pmu->name)) {
		*result = -1;
		return true;
	}
	*result = pmu ? do_open(a, pmu, (int)args[1], (int)args[2], (int)args[3]) : fail(ENOENT);
	fake_log("perf_event_open type=%u config=0x%" PRIx64 " pid=%d cpu=%d group=%d: %ld\n",
		a->type, (uint64_t)a->config, (int)args[1], (int)args[2], (int)args[3], *result);
	return true;
}

/* --- reading --- */

static size_t put_times(const struct event *e, uint64_t *out)
{
	size_t n = 0;

	if (e->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		out[n++] = (uint64_t)e->enabled_ns;
	if (e->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		out[n++] = (uint64_t)e->running_ns;
	return n;
}

/* Members of a group in the order in which they were opened. */
static struct event *next_member(const struct event *leader, uint64_t after)
{
	struct event *best = NULL;

	for (int i = 0; i < FAKE_MAX_FDS; i++)
		if (events[i] && events[i]->leader == leader && events[i]->id > after &&
			(!best || events[i]->id < best->id))
			best = events[i];
	return best;
}

/* What the file EVENT.jump of the tree adds, or takes away. */
static uint64_t told(const struct event *e)
{
	const struct fake_event *row = fake_pmu_event(e->pmu, e->config);
	char name[64];
	double jump = 0;

	if (row && *row->name) {
		snprintf(name, sizeof(name), "%s.jump", row->name);
		tree_double(e->pmu->name, name, &jump);
	}
	return (uint64_t)(int64_t)(e->count + jump);
}

static size_t put_value(const struct event *e, uint64_t format, uint64_t *out)
{
	size_t n = 0;

	out[n++] = told(e);
	if (format & PERF_FORMAT_ID)
		out[n++] = e->id;
	if (format & PERF_FORMAT_LOST)
		out[n++] = 0;
	return n;
}

static ssize_t on_read(struct fake_fd *f, int fd, void *buf, size_t size)
{
	const struct event *e = f->priv;
	uint64_t out[3 + 3 * MOST_VALUES];
	size_t n = 0;

	(void)fd;
	update_all();
	if (e->format & PERF_FORMAT_GROUP) {
		size_t count = n++;

		n += put_times(e, out + n);
		out[count] = 0;
		for (const struct event *m = next_member(e, 0); m && out[count] < MOST_VALUES;
			m = next_member(e, m->id)) {
			n += put_value(m, e->format, out + n);
			out[count]++;
		}
	} else {
		uint64_t value[3];
		size_t len = put_value(e, e->format, value);

		out[n++] = value[0];
		n += put_times(e, out + n);
		memcpy(out + n, value + 1, (len - 1) * sizeof(value[0]));
		n += len - 1;
	}
	if (size < n * sizeof(out[0]))
		return fail(ENOSPC);
	memcpy(buf, out, n * sizeof(out[0]));
	return (ssize_t)(n * sizeof(out[0]));
}

/* --- control --- */

static void control(struct event *e, unsigned long request)
{
	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		e->enabled = true;
		break;
	case PERF_EVENT_IOC_DISABLE:
		e->enabled = false;
		break;
	default:
		e->count = 0;
	}
}

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	struct event *e = f->priv;

	(void)fd;
	update_all();
	switch (request) {
	case PERF_EVENT_IOC_ID:
		*(uint64_t *)arg = e->id;
		return 0;
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
	case PERF_EVENT_IOC_RESET:
		for (int i = 0; i < FAKE_MAX_FDS; i++)
			if (events[i] &&
				(events[i] == e ||
					(arg & PERF_IOC_FLAG_GROUP && events[i]->leader == e)))
				control(events[i], request);
		return 0;
	default:
		return fail(ENOTTY);
	}
}

/* Siblings of a leader that goes are on their own. */
static void on_close(struct fake_fd *f)
{
	struct event *e = f->priv;

	update_all();
	for (int i = 0; i < FAKE_MAX_FDS; i++) {
		if (events[i] && events[i]->leader == e)
			events[i]->leader = events[i];
		if (events[i] == e)
			events[i] = NULL;
	}
	free(e);
}

static const char *const folders[] = { "/sys", "/proc/sys/kernel/perf_event_paranoid",
	"/proc/sys/kernel/nmi_watchdog", NULL };

const struct fake_driver fake_perf = {
	.name = "perf",
	.folders = folders,
	.ioctl = on_ioctl,
	.read = on_read,
	.close = on_close,
	.syscall = on_syscall,
};
