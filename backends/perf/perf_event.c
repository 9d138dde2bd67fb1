/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of sysfs to perf_event_attr, and the few calls that a counting monitor needs. */
#include "config.h"

#include "backends/perf/perf_event.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/call_watch.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/privilege.h"
#include "base/rights.h"

#define DEVICES "/sys/bus/event_source/devices"
#define TICK_MS 10		/* at most */
#define GROUPS_IN_ROUND 8	/* cpu_events.c opens no more */

/* --- names --- */

int perf_cpu_list(const char *text, int *cpus, int max)
{
	int n = 0;

	while (*text && n < max) {
		char *end;
		long long first = strtoll(text, &end, 10), last = first;

		if (end == text || first < 0 || first > INT_MAX)
			break;
		if (*end == '-')
			last = strtoll(end + 1, &end, 10);
		if (last > INT_MAX)
			break;
		for (; first <= last && n < max; first++)
			cpus[n++] = (int)first;
		if (*end != ',')
			break;
		text = end + 1;
	}
	return n;
}

bool perf_pmu_find(const struct fsroot *fs, const char *name, struct perf_pmu *out, struct err *err)
{
	char path[256], line[4 * PERF_PMU_CPUS];
	uint64_t type;

	memset(out, 0, sizeof(*out));
	snprintf(out->name, sizeof(out->name), "%s", name);
	snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	if (!fsroot_exists(fs, path))
		return err_set(
			err, ERR_UNSUPPORTED, "the kernel has no PMU '%s' (%s)", name, DEVICES);
	if (!fsroot_read_u64(fs, path, &type, err))
		return false;
	if (type > UINT32_MAX)
		return err_set(err, ERR_PARSE, "'%s' holds no PMU type", path);
	out->type = (uint32_t)type;
	snprintf(path, sizeof(path), DEVICES "/%s/cpumask", name);
	if (!fsroot_exists(fs, path))	/* the cores of one kind, on hybrid processors */
		snprintf(path, sizeof(path), DEVICES "/%s/cpus", name);
	out->has_list = fsroot_exists(fs, path);
	if (fsroot_read_line(fs, path, line, sizeof(line), NULL))
		out->n_cpus = perf_cpu_list(line, out->cpus, (int)ARRAY_LEN(out->cpus));
	return true;
}

bool perf_pmu_needs_cpus(struct perf_pmu *pmu, struct err *err)
{
	if (!pmu->has_list)
		pmu->cpus[pmu->n_cpus++] = 0;
	return pmu->n_cpus > 0 ||
		err_set(err, ERR_UNSUPPORTED,
			"the kernel's PMU '%s' lists no CPU that it counts on: they are offline",
			pmu->name);
}

/* A format names the bits into which the lowest bits of a number go: "config:0-7,32-35". */
static bool put_term(const struct fsroot *fs, const struct perf_pmu *pmu, const char *name,
	const char *number, struct perf_event *e)
{
	static const char *const names[] = { "config", "config1", "config2" };
	uint64_t *const configs[] = { &e->config, &e->config1, &e->config2 }, *config = NULL;
	char path[256], format[128];
	uint64_t value = 1;
	int bits[64], n;

	if (*number && !parse_u64(number, &value))
		return false;
	if (!strcmp(name, "config")) {
		e->config |= value;
		return true;
	}
	snprintf(path, sizeof(path), DEVICES "/%s/format/%s", pmu->name, name);
	if (!fsroot_read_line(fs, path, format, sizeof(format), NULL))
		return false;
	size_t len = strcspn(format, ":");
	for (size_t i = 0; i < ARRAY_LEN(names) && format[len]; i++)
		if (!strncmp(format, names[i], len) && !names[i][len])
			config = configs[i];
	if (!config)
		return false;
	n = perf_cpu_list(format + len + 1, bits, 64);
	for (int i = 0; i < n; i++) {
		if (bits[i] < 64)
			*config |= (value >> i & 1) << bits[i];
	}
	return n == 64 || value >> n == 0;
}

bool perf_pmu_terms(const struct fsroot *fs, const struct perf_pmu *pmu, const char *terms,
	struct perf_event *out, struct err *err)
{
	char word[64];

	*out = (struct perf_event){ .type = pmu->type, .scale = 1 };
	snprintf(out->pmu, sizeof(out->pmu), "%s", pmu->name);
	for (const char *p = terms; *p;) {
		size_t len = strcspn(p, ",");
		const char *number = "";

		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		char *equals = strchr(word, '=');
		if (equals) {
			*equals = '\0';
			number = equals + 1;
		}
		if (len >= sizeof(word) || !put_term(fs, pmu, word, number, out))
			return err_set(err, ERR_UNSUPPORTED,
				"PMU '%s' does not understand '%.*s' of '%s'", pmu->name,
				(int)len, p, terms);
		p += len + (p[len] == ',');
	}
	return true;
}

bool perf_pmu_event(const struct fsroot *fs, const struct perf_pmu *pmu, const char *name,
	struct perf_event *out, struct err *err)
{
	char path[256], text[256];

	snprintf(path, sizeof(path), DEVICES "/%s/events/%s", pmu->name, name);
	if (!fsroot_exists(fs, path))
		return err_set(err, ERR_UNSUPPORTED, "the kernel's PMU '%s' has no event '%s'",
			pmu->name, name);
	if (!fsroot_read_line(fs, path, text, sizeof(text), err) ||
		!perf_pmu_terms(fs, pmu, text, out, err))
		return false;
	snprintf(path, sizeof(path), DEVICES "/%s/events/%s.scale", pmu->name, name);
	if (fsroot_read_line(fs, path, text, sizeof(text), NULL) &&
		(!parse_double(text, &out->scale) || out->scale <= 0))
		return err_set(err, ERR_PARSE, "'%s' holds '%s', which is not a number above 0",
			path, text);
	snprintf(path, sizeof(path), DEVICES "/%s/events/%s.unit", pmu->name, name);
	if (fsroot_read_line(fs, path, text, sizeof(text), NULL))
		snprintf(out->unit, sizeof(out->unit), "%.15s", text);
	return true;
}

/* --- refusals --- */

static bool refused(const struct fsroot *fs, const struct perf_event *e, int error, struct err *err)
{
	char object[sizeof(e->pmu) + 16];
	struct rights rights;

	switch (error) {
	case EACCES:
	case EPERM:
		snprintf(object, sizeof(object), "PMU '%s'", e->pmu);
		rights_read(&rights, fs);
		rights_refuse_perf_event(&rights, object, err);
		break;
	case ENOENT:
	case EINVAL:
	case ENODEV:
	case EOPNOTSUPP:
		err_set(err, ERR_UNSUPPORTED, "PMU '%s' does not count event 0x%llx (%s)",
			e->pmu, (unsigned long long)e->config, strerror(error));
		break;
	case EMFILE:
		err_set(err, ERR_SYS, "too many open files for a perf event on each CPU");
		err_hint(err, "ulimit -n 4096");
		break;
	default:
		err_set(err, ERR_SYS, "perf_event_open: %s", strerror(error));
	}
	if (err)
		err->sys = error;
	return false;
}

static struct perf_event_attr attr_of(const struct perf_event *e)
{
	return (struct perf_event_attr){ .type = e->type,
		.size = sizeof(struct perf_event_attr),
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING };
}

/* Whether the events could be those of the machine whose files are read. */
static bool is_here(const struct fsroot *fs, struct err *err)
{
	return !fs || !fs->prefix[0] ||
		err_set(err, ERR_UNSUPPORTED,
			"perf events are those of the running kernel, not of '%s'", fs->prefix);
}

/* Linux perf_event_open(2); -1 with errno. */
static int open_event(
	const struct perf_event *e, struct perf_event_attr *a, int pid, int cpu, int leader)
{
	call_begin("perf_event_open", e->pmu, -1);
	int fd = (int)syscall(SYS_perf_event_open, a, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
	call_end();
	return fd;
}

/* --- groups --- */

bool perf_group_add(const struct fsroot *fs, struct perf_group *g, const struct perf_event *e,
	int cpu, struct err *err)
{
	struct perf_event_attr a = attr_of(e);
	int leader = g->n ? g->fds[0] : -1;
	int pid = cpu < 0 ? 0 : -1;	/* 0: this thread */

	a.read_format |= PERF_FORMAT_GROUP;
	a.exclude_kernel = a.exclude_hv = cpu < 0;
	if (!is_here(fs, err))
		return false;
	if (g->n == PERF_GROUP_MAX)
		return refused(fs, e, EINVAL, err);
	privilege_raise();
	int fd = open_event(e, &a, pid, cpu, leader);
	privilege_lower();
	if (fd < 0)
		return refused(fs, e, errno, err);
	bool knows_turn = g->n > 0 || fsroot_number(fs, &g->turn_ms,
		DEVICES "/%s/perf_event_mux_interval_ms", e->pmu);
	if (!knows_turn || g->turn_ms < TICK_MS)
		g->turn_ms = TICK_MS;
	g->fds[g->n++] = fd;
	return true;
}

bool perf_group_read(const struct perf_group *g, struct perf_counts *out, struct err *err)
{
	uint64_t buf[3 + PERF_GROUP_MAX];
	ssize_t want = (ssize_t)((3 + (size_t)g->n) * sizeof(buf[0])),
		got = driver_read(g->fds[0], buf, sizeof(buf));

	if (got < 0)
		return err_sys(err, "cannot read a perf event");
	if (got != want || buf[0] != (uint64_t)g->n)
		return err_set(err, ERR_SYS, "a perf event has ended: its CPU went offline");
	out->turn_ms = g->turn_ms;
	out->enabled_ns = buf[1];
	out->running_ns = buf[2];
	memcpy(out->values, buf + 3, (size_t)g->n * sizeof(buf[0]));
	return true;
}

enum perf_turn perf_counts_turn(const struct perf_counts *begin, const struct perf_counts *now)
{
	uint64_t enabled_ns = now->enabled_ns - begin->enabled_ns,
		 running_ns = now->running_ns - begin->running_ns;

	if (running_ns)
		return running_ns < enabled_ns ? PERF_RAN_IN_TURNS : PERF_RAN;
	if (!now->running_ns)
		enabled_ns = now->enabled_ns;
	return enabled_ns < GROUPS_IN_ROUND * now->turn_ms * NS_PER_MS ? PERF_WAITS : PERF_NEVER;
}

void perf_group_close(struct perf_group *g)
{
	for (int i = g->n - 1; i >= 0; i--)
		driver_close(g->fds[i]);
	g->n = 0;
}

/* --- tasks --- */

/* The kernel refuses groups that are read in one call for events that children inherit, so each
 * event stands alone and is scaled by its own times. */
int perf_task_open(const struct fsroot *fs, const struct perf_event *e, struct err *err)
{
	struct perf_event_attr a = attr_of(e);

	a.disabled = a.enable_on_exec = a.inherit = 1;
	a.exclude_kernel = a.exclude_hv = 1;
	if (!is_here(fs, err))
		return -1;
	int fd = open_event(e, &a, 0, -1, -1);
	if (fd < 0)
		refused(fs, e, errno, err);
	return fd;
}

bool perf_task_read(int fd, struct perf_counts *out, struct err *err)
{
	uint64_t buf[3];
	ssize_t got = driver_read(fd, buf, sizeof(buf));

	if (got < 0)
		return err_sys(err, "cannot read a perf event");
	if (got != (ssize_t)sizeof(buf))
		return err_set(err, ERR_SYS, "a perf event gave %zd bytes", got);
	out->values[0] = buf[0];
	out->enabled_ns = buf[1];
	out->running_ns = buf[2];
	return true;
}
