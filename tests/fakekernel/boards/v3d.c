/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake v3d and the property channel of a Raspberry Pi's firmware. Order of checks: Linux drivers/gpu/drm/v3d/
 * v3d_perfmon.c, v3d_drv.c, v3d_sysfs.c.
 *
 * Own files of the tree, below v3d/: counters (the kernel's names in the order of their numbers, each with
 * what it counts in a second of jobs; no file: a kernel that names none), job_us (length of the jobs,
 * which follow each other without a pause; 0: there are none), no_global (1: a kernel without the
 * global monitor), ident1 (the register); queues: "NAME PER_MILLE JOBS_PER_SECOND" of each queue; firmware:
 * "TAG ID WORD0 WORD1" of each answer of /dev/vcio. The log has a line for each ioctl. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "backends/v3d/v3d_uapi.h"
#include "tests/fakekernel/boards/board_files.h"
#include "tests/fakekernel/drm_version.h"
#include "tests/fakekernel/fake.h"

#define MONITORS 8
#define VCIO_PROPERTY _IOWR(100, 0, char *)
#define TAG_TEMPERATURE 0x30006
#define TAG_CLOCK_MEASURED 0x30047
#define TAG_COMMAND 0x30080
#define V3D_CLOCK 5

struct monitor {
	uint32_t n;
	uint8_t counters[V3D_MONITOR_COUNTERS];
	double counted_s;	/* until it was stopped last */
	double runs_from_s;	/* in the future: the next job starts it; below 0: it was never started */
};

/* An open file, with the monitors that it made. */
struct file {
	struct monitor monitors[MONITORS];
	int n, global, lock;	/* global: 0 or the id; lock: of the whole machine */
};

static double job_s(void)
{
	return (double)fake_tree_number("/v3d/job_us", 0) / 1e6;
}

/* Name and rate of a counter; false: there is none of that number. */
static bool counter(int number, char *name, size_t size, double *per_s)
{
	char line[128], word[80];
	FILE *f;
	bool found = false;

	f = board_file("/v3d/counters");
	for (int i = 0; f && fgets(line, sizeof(line), f); i++)
		if (i == number && sscanf(line, "%79s %lf", word, per_s) == 2) {
			snprintf(name, size, "%s", word);
			found = true;
		}
	if (f)
		fclose(f);
	return found;
}

static struct file *file_of(struct fake_fd *f)
{
	struct file *file = f->priv;

	if (!file) {
		file = calloc(1, sizeof(*file));
		file->lock = -1;
		f->priv = file;
	}
	return file;
}

static int get_param(struct v3d_get_param *p)
{
	char name[80];
	double rate;

	if (p->pad)
		return board_fail(EINVAL);
	if (p->param == V3D_CORE0_IDENT1) {
		if (p->value)
			return board_fail(EINVAL);
		fake_log("v3d woken\n");
		p->value = (uint64_t)fake_tree_number("/v3d/ident1", 0);
		return 0;
	}
	if (p->param != V3D_MAX_PERF_COUNTERS)
		return board_fail(EINVAL);
	for (p->value = 0; counter((int)p->value, name, sizeof(name), &rate);)
		p->value++;
	return 0;
}

static int get_counter(struct v3d_perfmon_counter *c)
{
	char name[80];
	double rate;

	for (size_t i = 0; i < sizeof(c->reserved); i++)
		if (c->reserved[i])
			return board_fail(EINVAL);
	if (!counter(0, name, sizeof(name), &rate))
		return board_fail(EINVAL);	/* the number of the ioctl is beyond the last one */
	if (!counter(c->counter, name, sizeof(name), &rate))
		return board_fail(EINVAL);
	memset(c->name, 0, sizeof(c->name));
	memcpy(c->name, name, strlen(name));
	return 0;
}

static int create(struct file *file, struct v3d_perfmon_create *c)
{
	char name[80];
	double rate;

	if (!c->n_counters || c->n_counters > V3D_MONITOR_COUNTERS)
		return board_fail(EINVAL);
	for (uint32_t i = 0; i < c->n_counters; i++)
		if (!counter(c->counters[i], name, sizeof(name), &rate))
			return board_fail(EINVAL);
	if (file->n == MONITORS)
		return board_fail(ENOMEM);
	struct monitor *m = &file->monitors[file->n++];
	*m = (struct monitor){ .n = c->n_counters, .runs_from_s = -1 };
	memcpy(m->counters, c->counters, sizeof(m->counters));
	c->id = (uint32_t)file->n;
	return 0;
}

/* Jobs begin at multiples of their length. */
static double next_job_s(double t)
{
	double length = job_s();

	return length > 0 ? ((double)(uint64_t)(t / length) + 1) * length : 1e18;
}

static int set_global(struct file *file, const struct v3d_perfmon_global *g)
{
	char path[PATH_MAX];

	if (fake_tree_number("/v3d/no_global", 0))
		return board_fail(EINVAL);	/* the number of the ioctl is beyond the last one */
	if (g->flags & ~1u)
		return board_fail(EINVAL);
	if (!g->id || (int)g->id > file->n)
		return board_fail(EINVAL);
	if (g->flags && file->lock < 0)
		return board_fail(EINVAL);
	if (g->flags) {
		real_close(file->lock);
		file->lock = -1;
		file->global = 0;
		return 0;
	}
	if (file->global)
		return board_fail(EBUSY);
	if (file->lock < 0) {
		snprintf(path, sizeof(path), "%s/v3d/global.lock", fake_root());
		file->lock = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (file->lock < 0 || flock(file->lock, LOCK_EX | LOCK_NB) != 0) {
			real_close(file->lock);
			file->lock = -1;
			return board_fail(EBUSY);
		}
	}
	file->global = (int)g->id;
	file->monitors[g->id - 1].runs_from_s = next_job_s(board_now_s());
	return 0;
}

/* Reading stops the monitor until the next job begins. */
static int get_values(struct file *file, const struct v3d_perfmon_values *v)
{
	uint64_t *out = (uint64_t *)(uintptr_t)v->values_ptr;
	double t = board_now_s();
	char name[80];

	if (v->pad || !v->id || (int)v->id > file->n)
		return board_fail(EINVAL);
	struct monitor *m = &file->monitors[v->id - 1];
	if (m->runs_from_s >= 0 && t > m->runs_from_s)
		m->counted_s += t - m->runs_from_s;
	if (m->runs_from_s >= 0 && t > m->runs_from_s)
		m->runs_from_s = next_job_s(t);
	for (uint32_t i = 0; i < m->n; i++) {
		double rate = 0;

		counter(m->counters[i], name, sizeof(name), &rate);
		out[i] = (uint64_t)(m->counted_s * rate);
	}
	return 0;
}

static int node_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	(void)fd;
	fake_log("v3d %lx\n", request);
	switch (request) {
	case FAKE_DRM_VERSION:
		return fake_drm_answer((struct fake_drm_version *)arg, "v3d", "20180419",
			"Broadcom V3D graphics");
	case V3D_GET_PARAM:
		return get_param((struct v3d_get_param *)arg);
	case V3D_PERFMON_GET_COUNTER:
		return get_counter((struct v3d_perfmon_counter *)arg);
	case V3D_PERFMON_CREATE:
		return create(file_of(f), (struct v3d_perfmon_create *)arg);
	case V3D_PERFMON_SET_GLOBAL:
		return set_global(file_of(f), (const struct v3d_perfmon_global *)arg);
	case V3D_PERFMON_GET_VALUES:
		return get_values(file_of(f), (const struct v3d_perfmon_values *)arg);
	default:
		return board_fail(EINVAL);
	}
}

static void node_close(struct fake_fd *f)
{
	struct file *file = f->priv;

	if (!file)
		return;
	if (file->lock >= 0)
		real_close(file->lock);
	free(file);
	f->priv = NULL;
}

/* --- gpu_stats, as v3d_sysfs.c writes it --- */

static int open_stats(void)
{
	char line[96], name[32], text[1024];
	uint64_t now_ns = (uint64_t)(board_now_s() * 1e9);
	double per_mille, per_s;
	int len = snprintf(text, sizeof(text), "queue\ttimestamp\tjobs\truntime\n");
	FILE *f;

	f = board_file("/v3d/queues");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%31s %lf %lf", name, &per_mille, &per_s) == 3)
			len += snprintf(text + len, sizeof(text) - (size_t)len,
				"%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", name, now_ns,
				(uint64_t)((double)now_ns * per_s / 1e9),
				(uint64_t)((double)now_ns * per_mille / 1000));
	if (f)
		fclose(f);
	return fake_text_file(text, (size_t)len);
}

/* --- the firmware --- */

static bool firmware_answer(uint32_t tag, uint32_t words[2])
{
	char line[96];
	unsigned has_tag, id, w0, w1;
	FILE *f;
	bool found = false;

	f = board_file("/v3d/firmware");
	while (f && !found && fgets(line, sizeof(line), f)) {
		found = sscanf(line, "%x %u %u %u", &has_tag, &id, &w0, &w1) == 4 && has_tag == tag &&
			id == words[0];
		if (found) {
			words[0] = w0;
			words[1] = w1;
		}
	}
	if (f)
		fclose(f);
	return found;
}

/* What vcgencmd and nvtop ask in words: an error number, then text ("GENCMD" of the firmware). It has the
 * same numbers; 46 is V3D among the clocks that it measures. */
static bool command_answer(uint32_t *q)
{
	uint32_t clock[2] = { V3D_CLOCK }, heat[2] = { 0 };
	char *text = (char *)&q[6];
	char answer[64] = "";
	size_t room = q[3] > sizeof(*q) ? q[3] - sizeof(*q) : 0;

	if (q[0] < 6 * sizeof(*q) + room || !memchr(text, '\0', room))
		return false;
	if (!strcmp(text, "measure_clock v3d") && firmware_answer(TAG_CLOCK_MEASURED, clock))
		snprintf(answer, sizeof(answer), "frequency(46)=%u", clock[1]);
	else if (!strcmp(text, "measure_temp") && firmware_answer(TAG_TEMPERATURE, heat))
		snprintf(answer, sizeof(answer), "temp=%.1f'C", heat[1] / 1000.0);
	else
		snprintf(answer, sizeof(answer), "error=1 error_msg=\"Command not registered\"");
	if (strlen(answer) >= room)
		return false;
	memcpy(text, answer, strlen(answer) + 1);
	q[5] = answer[0] == 'e';
	q[4] = 0x80000000 | (uint32_t)(sizeof(*q) + strlen(answer) + 1);
	return true;
}

/* The head says how the whole went, bit 31 of a tag's length that it was answered. A tag that the firmware
 * does not know stays as it was. */
static int vcio_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	uint32_t *q = (uint32_t *)arg;

	(void)f, (void)fd;
	if (request != VCIO_PROPERTY)
		return board_fail(EINVAL);
	fake_log("vcio %x\n", q[2]);
	q[1] = 0x80000000;
	if (q[2] == TAG_COMMAND)
		command_answer(q);
	else if (q[0] >= 32 && firmware_answer(q[2], &q[5]))
		q[4] = 0x80000008;
	return 0;
}

static const struct fake_driver vcio_driver = { .name = "vcio", .ioctl = vcio_ioctl };

static bool on_open(const char *path, int flags, int *fd)
{
	char full[PATH_MAX];

	if (!strcmp(path, "/sys/class/drm/card0/device/gpu_stats")) {
		snprintf(full, sizeof(full), "%s/v3d/queues", fake_root());
		if (access(full, F_OK) != 0)
			return false;
		*fd = open_stats();
		return true;
	}
	if (strcmp(path, "/dev/vcio") != 0)
		return false;
	snprintf(full, sizeof(full), "%s%s", fake_root(), path);
	*fd = real_open(full, flags, 0);
	if (fake_fd(*fd))
		*fake_fd(*fd) = (struct fake_fd){ .driver = &vcio_driver, .minor = -1 };
	return true;
}

static const char *const folders[] = { "/sys", "/dev/dri", "/dev/vcio", NULL };
const struct fake_driver fake_v3d = { .name = "v3d",
	.folders = folders,
	.is_drm = true,
	.open = on_open,
	.ioctl = node_ioctl,
	.close = node_close };
