/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict fake of v3d (tests/fakekernel/strict.h): Linux drivers/gpu/drm/v3d/v3d_drv.c, v3d_perfmon.c,
 * v3d_sched.c, v3d_sysfs.c, v3d_power.c.
 *
 * Three kernels differ in what a monitor does. Up to 6.12 none is global. Up to 7.2 a global monitor
 * starts with the next job of a queue bin, render or csd, reading its values stops it, and only the next
 * job starts it again. After that it counts from the moment at which it is set, reading takes the values
 * and lets it count on, and sleep takes them as well. All of them count in registers of 32 bits, which
 * turn over without a word. Up to 7.2 sleep takes the registers' power, and nobody programs them again: a
 * monitor that was on counts nothing any more until its values are read.
 *
 * Of the tree: strict/version (33, 41, 42, 71), strict/counters (lines that begin with a NAME; versions
 * before 4.2 have none), strict/rates
 * (NAME PER_SECOND; a counter that it does not name counts its number, plus 1, times 1000),
 * strict/job_us (a job begins as often), strict/queues (NAME SHARE_PER_MILLE JOBS_PER_SECOND),
 * strict/asleep, strict/global.lock (another program's global monitor holds it). */
#include "config.h"

#include "tests/fakekernel/strict.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>

#define MOST_COUNTERS 32	/* of a monitor */
#define LIST_SIZE 128
#define CLEAR_GLOBAL 1u
#define STATS_OFFSET_NS UINT64_C(86400000000000)	/* local_clock() is no clock of programs */

enum param {
	HUB_IDENT1 = 1,
	CORE0_IDENT2 = 6,
	SUPPORTS_TFU = 7,
	SUPPORTS_CSD = 8,
	SUPPORTS_CACHE_FLUSH = 9,
	SUPPORTS_PERFMON = 10,
	SUPPORTS_MULTISYNC = 11,
	SUPPORTS_CPU_QUEUE = 12,
	MAX_PERF_COUNTERS = 13,
	SUPPORTS_SUPER_PAGES = 14
};

struct get_param {
	uint32_t param, pad;
	uint64_t value;
};

struct perfmon_create {
	uint32_t id, ncounters;
	uint8_t counters[MOST_COUNTERS];
};

struct perfmon_get_values {
	uint32_t id, pad;
	uint64_t values_ptr;
};

struct perfmon_get_counter {
	uint8_t counter, name[64], category[32], description[256], reserved[7];
};

struct perfmon_set_global {
	uint32_t flags, id;
};

#define GET_PARAM _IOWR('d', 0x44, struct get_param)
#define PERFMON_CREATE _IOWR('d', 0x48, struct perfmon_create)
#define PERFMON_DESTROY _IOWR('d', 0x49, uint32_t)
#define PERFMON_GET_VALUES _IOWR('d', 0x4a, struct perfmon_get_values)
#define PERFMON_GET_COUNTER _IOWR('d', 0x4c, struct perfmon_get_counter)
#define PERFMON_SET_GLOBAL _IOW('d', 0x4d, struct perfmon_set_global)

/* As include/uapi/drm/v3d_drm.h of Linux 7.2 compiles on x86-64. */
_Static_assert(GET_PARAM == 0xc0106444 && PERFMON_CREATE == 0xc0286448, "numbers of the uAPI");
_Static_assert(PERFMON_DESTROY == 0xc0046449 && PERFMON_GET_VALUES == 0xc010644a, "numbers of the uAPI");
_Static_assert(PERFMON_GET_COUNTER == 0xc168644c && PERFMON_SET_GLOBAL == 0x4008644d,
	"numbers of the uAPI");
_Static_assert(offsetof(struct perfmon_get_counter, category) == 65 &&
		offsetof(struct perfmon_get_counter, reserved) == 353,
	"offsets of the uAPI");

struct counter {
	char category[32], name[64];
	double per_s;
};

struct monitor {
	uint32_t id;
	unsigned n;
	uint8_t counters[MOST_COUNTERS];
	uint64_t values[MOST_COUNTERS];
	struct monitor *next;
};

/* An open file of the node. */
struct client {
	struct monitor *monitors;
	uint32_t last_id;
};

/* The GPU as this process sees it. Other processes matter only by the lock on the global monitor. */
static struct {
	struct monitor *global, *active;
	int lock;		/* while global is set */
	uint64_t since_ns;	/* active counts since then */
	bool has_no_power;	/* active lost its programming */
	uint64_t stopped_ns;	/* of a global one that waits for a job */
} gpu;

static struct counter list[LIST_SIZE];
static unsigned n_list;

static int version(void)
{
	return (int)fake_tree_number("/strict/version", 71);
}

/* --- counters --- */

/* The unit's name before the dash; CORE where there is none in capitals. */
static void set_category(struct counter *c)
{
	size_t len = strcspn(c->name, "-");

	if (len >= sizeof(c->category) || strspn(c->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") < len)
		snprintf(c->category, sizeof(c->category), "CORE");
	else
		snprintf(c->category, sizeof(c->category), "%.*s", (int)len, c->name);
}

static void read_list(void)
{
	FILE *f = version() >= 42 ? strict_file("counters") : NULL;
	struct counter c;
	char name[64];
	double per_s;

	n_list = 0;
	while (f && n_list < LIST_SIZE && fscanf(f, "%63s%*[^\n]", c.name) == 1) {
		c.per_s = (n_list + 1) * 1000.0;
		set_category(&c);
		list[n_list++] = c;
	}
	if (f)
		fclose(f);
	f = strict_file("rates");
	while (f && fscanf(f, "%63s %lf", name, &per_s) == 2)
		for (unsigned i = 0; i < n_list; i++)
			if (!strcmp(list[i].name, name))
				list[i].per_s = per_s;
	if (f)
		fclose(f);
}

/* How many the kernel lists: none for versions before 4.2. */
static unsigned n_counters(void)
{
	if (!n_list)
		read_list();
	return n_list;
}

/* Whether a monitor stays on between jobs, and from when on. */
static bool is_continuous(void)
{
	return strict_kernel() > 7002;
}

/* When the first job begins at or after a moment. A GPU that sleeps has none. */
static uint64_t next_job_ns(uint64_t after)
{
	uint64_t period = (uint64_t)fake_tree_number("/strict/job_us", 500) * 1000;
	struct strict_spans s = strict_sleeps();
	uint64_t begin = strict_begin_ns(), at;

	after = after > begin ? after : begin;
	at = begin + (after - begin + period - 1) / period * period;
	strict_within(&s, at, &at);
	return at;
}

/* Registers of a monitor that has counted since a moment; they turn over. */
static void capture(struct monitor *m, uint64_t since, uint64_t now)
{
	struct strict_spans s = strict_sleeps();
	double seconds = (double)strict_awake_ns(&s, since, now) / 1e9;

	for (unsigned i = 0; i < m->n; i++)
		m->values[i] += (uint32_t)(uint64_t)(list[m->counters[i]].per_s * seconds);
}

/* What has happened to the global monitor since somebody last looked. */
static void catch_up(uint64_t now)
{
	struct strict_spans s = strict_sleeps();

	if (!gpu.global || is_continuous())
		return;
	if (!gpu.active) {
		uint64_t at = next_job_ns(gpu.stopped_ns);

		if (at > now)
			return;
		gpu.active = gpu.global;
		gpu.since_ns = at;
		gpu.has_no_power = false;
	}
	if (strict_falls(&s, gpu.since_ns, now))
		gpu.has_no_power = true;
}

static struct client *client_of(struct fake_fd *f)
{
	if (!f->priv)
		f->priv = calloc(1, sizeof(struct client));
	return f->priv;
}

static struct monitor *find(struct fake_fd *f, uint32_t id)
{
	struct monitor *m = client_of(f)->monitors;

	while (m && m->id != id)
		m = m->next;
	return m;
}

/* --- ioctls --- */

static int get_param(struct fake_fd *f, void *data)
{
	struct get_param *p = data;

	(void)f;
	fake_log("v3d param %u\n", p->param);
	if (p->pad)
		return -EINVAL;
	if (p->param <= CORE0_IDENT2) {
		struct strict_spans s = strict_sleeps();
		char path[32];

		if (p->value)
			return -EINVAL;
		/* Registers are read with the GPU awake. */
		if (strict_within(&s, strict_now_ns(), NULL))
			fake_log("v3d woken\n");
		snprintf(path, sizeof(path), "/strict/ident%u", p->param);
		p->value = (uint64_t)fake_tree_number(path, 0);
		return 0;
	}
	switch (p->param) {
	case SUPPORTS_TFU:
	case SUPPORTS_CACHE_FLUSH:
	case SUPPORTS_MULTISYNC:
		p->value = 1;
		return 0;
	case SUPPORTS_CSD:
		p->value = version() >= 41;
		return 0;
	case SUPPORTS_PERFMON:
		p->value = version() >= 40;
		return 0;
	case SUPPORTS_CPU_QUEUE:
		p->value = 1;
		return strict_kernel() >= 6008 ? 0 : -EINVAL;
	case MAX_PERF_COUNTERS:
		p->value = n_counters();
		return strict_kernel() >= 6011 ? 0 : -EINVAL;
	case SUPPORTS_SUPER_PAGES:
		p->value = 0;
		return strict_kernel() >= 6013 ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static int create(struct fake_fd *f, void *data)
{
	struct client *c = client_of(f);
	struct perfmon_create *p = data;
	struct monitor *m;

	fake_log("v3d create %u\n", p->ncounters);
	if (!p->ncounters || p->ncounters > MOST_COUNTERS)
		return -EINVAL;
	for (unsigned i = 0; i < p->ncounters; i++)
		if (p->counters[i] >= n_counters())
			return -EINVAL;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->n = p->ncounters;
	memcpy(m->counters, p->counters, m->n);
	m->id = ++c->last_id;
	m->next = c->monitors;
	c->monitors = m;
	p->id = m->id;
	return 0;
}

static void unset_global(void)
{
	real_close(gpu.lock);
	gpu.global = NULL;
}

static void delete(struct monitor *m)
{
	if (gpu.active == m)
		gpu.active = NULL;
	if (gpu.global == m)
		unset_global();
	free(m);
}

static int destroy(struct fake_fd *f, void *data)
{
	struct monitor **at = &client_of(f)->monitors, *m;

	while (*at && (*at)->id != *(uint32_t *)data)
		at = &(*at)->next;
	m = *at;
	if (!m)
		return -EINVAL;
	*at = m->next;
	delete(m);
	return 0;
}

static int get_values(struct fake_fd *f, void *data)
{
	const struct perfmon_get_values *p = data;
	struct monitor *m = p->pad ? NULL : find(f, p->id);
	uint64_t now = strict_now_ns();

	fake_log("v3d values %u\n", p->id);
	if (!m)
		return -EINVAL;
	catch_up(now);
	if (gpu.active == m) {
		/* Registers without power are not read. */
		if (is_continuous() || !gpu.has_no_power)
			capture(m, gpu.since_ns, now);
		gpu.since_ns = now;
		if (!is_continuous()) {
			gpu.active = NULL;
			gpu.stopped_ns = now;
		}
	}
	if (!p->values_ptr)
		return -EFAULT;
	memcpy((void *)(uintptr_t)p->values_ptr, m->values, m->n * sizeof(m->values[0]));
	return 0;
}

static int get_counter(struct fake_fd *f, void *data)
{
	struct perfmon_get_counter *p = data;

	(void)f;
	if (strict_kernel() < 6011)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(p->reserved); i++)
		if (p->reserved[i])
			return -EINVAL;
	if (!n_counters())
		return -EOPNOTSUPP;
	if (p->counter >= n_counters())
		return -EINVAL;
	/* Behind the end of each text stays what the program had there. */
	strcpy((char *)p->name, list[p->counter].name);
	strcpy((char *)p->category, list[p->counter].category);
	snprintf((char *)p->description, sizeof(p->description), "[%s] counter %u",
		list[p->counter].category, p->counter);
	return 0;
}

/* Another process has a global monitor, or this one. */
static int take_global(struct monitor *m)
{
	char path[PATH_MAX];
	int lock;

	snprintf(path, sizeof(path), "%s/strict/global.lock", fake_root());
	lock = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (gpu.global || lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
		real_close(lock);
		return -EBUSY;
	}
	gpu.lock = lock;
	gpu.global = m;
	gpu.stopped_ns = strict_now_ns();
	if (is_continuous()) {
		gpu.active = m;
		gpu.since_ns = gpu.stopped_ns;
	}
	return 0;
}

static int set_global(struct fake_fd *f, void *data)
{
	const struct perfmon_set_global *p = data;
	uint64_t now = strict_now_ns();
	struct monitor *m;

	if (strict_kernel() < 6013)
		return -EINVAL;
	fake_log("v3d global %u flags %u\n", p->id, p->flags);
	m = find(f, p->id);
	if (p->flags & ~CLEAR_GLOBAL || !m)
		return -EINVAL;
	if (!(p->flags & CLEAR_GLOBAL))
		return take_global(m);
	if (!gpu.global)
		return -EINVAL;
	catch_up(now);
	/* Before 7.3 it goes on until a job without a monitor comes; here that is at once. */
	if (gpu.active == gpu.global) {
		if (is_continuous() || !gpu.has_no_power)
			capture(gpu.active, gpu.since_ns, now);
		gpu.active = NULL;
	}
	unset_global();
	return 0;
}

static void on_close(struct fake_fd *f)
{
	struct client *c = f->priv;

	while (c && c->monitors) {
		struct monitor *m = c->monitors;

		c->monitors = m->next;
		delete(m);
	}
	free(c);
	f->priv = NULL;
}

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	static const struct strict_call calls[] = {
		{ GET_PARAM, get_param },
		{ PERFMON_CREATE, create },
		{ PERFMON_DESTROY, destroy },
		{ PERFMON_GET_VALUES, get_values },
		{ PERFMON_GET_COUNTER, get_counter },
		{ PERFMON_SET_GLOBAL, set_global },
	};
	static const struct strict_driver driver = { .name = "v3d",
		.date = "0",
		.desc = "Broadcom V3D graphics",
		.major = 1,
		.calls = calls,
		.n_calls = sizeof(calls) / sizeof(calls[0]) };

	(void)fd;
	return strict_ioctl(&driver, f, request, arg);
}

/* --- time of queues --- */

static const char *const queues[] = { "bin", "render", "tfu", "csd", "cache_clean", "cpu" };

/* Jobs of one length, as many in a second: those that have ended, and the time with the one that runs. */
static void queue_time(const char *queue, uint64_t now, uint64_t *jobs, uint64_t *runtime_ns)
{
	struct strict_spans s = strict_sleeps();
	double t = (double)strict_awake_ns(&s, strict_begin_ns(), now) / 1e9;
	FILE *f = strict_file("queues");
	double per_mille, per_s;
	char name[32];

	*jobs = *runtime_ns = 0;
	while (f && fscanf(f, "%31s %lf %lf", name, &per_mille, &per_s) == 3) {
		double each_s, into_s;

		if (strcmp(name, queue) || per_s <= 0)
			continue;
		*jobs = (uint64_t)(t * per_s);
		each_s = per_mille / 1000 / per_s;
		into_s = t - (double)*jobs / per_s;
		*runtime_ns = (uint64_t)(((double)*jobs * each_s + (into_s < each_s ? into_s : each_s)) * 1e9);
		*jobs += into_s >= each_s;
	}
	if (f)
		fclose(f);
}

/* DEVICE/gpu_stats, since 6.8; a line for the queue of the processor came with its jobs. */
static int make_stats(void)
{
	uint64_t now = strict_now_ns();
	char text[1024];
	int len = snprintf(text, sizeof(text), "queue\ttimestamp\tjobs\truntime\n");

	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
		uint64_t jobs, runtime_ns;

		queue_time(queues[i], now, &jobs, &runtime_ns);
		len += snprintf(text + len, sizeof(text) - (size_t)len,
			"%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", queues[i], now + STATS_OFFSET_NS,
			jobs, runtime_ns);
	}
	return fake_text_file(text, (size_t)len);
}

static bool on_open(const char *path, int flags, int *fd)
{
	const char *end = strrchr(path, '/');

	if ((flags & O_ACCMODE) != O_RDONLY || !end || strcmp(end, "/gpu_stats") ||
		strncmp(path, "/sys/", 5) || !fake_tree_number("/strict/version", 0) ||
		strict_kernel() < 6008)
		return false;
	*fd = make_stats();
	return true;
}

/* part_per_mille is the client's share of each queue's time. */
static size_t on_fdinfo(uint64_t client, long part_per_mille, char *buf, size_t size)
{
	uint64_t now = strict_now_ns();
	int len = snprintf(
		buf, size, "pos:\t0\ndrm-driver:\tv3d\ndrm-client-id:\t%" PRIu64 "\n", client);

	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
		uint64_t jobs, runtime_ns;

		queue_time(queues[i], now, &jobs, &runtime_ns);
		len += snprintf(buf + len, size - (size_t)len,
			"drm-engine-%s: \t%" PRIu64 " ns\nv3d-jobs-%s: \t%" PRIu64 " jobs\n", queues[i],
			runtime_ns * (uint64_t)part_per_mille / 1000, queues[i], jobs);
	}
	/* What is active is told only while something is. */
	len += strict_fdinfo_memory(
		buf + len, size - (size_t)len, "total", (uint64_t)part_per_mille * 16384);
	len += strict_fdinfo_memory(buf + len, size - (size_t)len, "shared", 0);
	return (size_t)len;
}

static const char *const folders[] = { "/sys", "/dev/dri", NULL };
const struct fake_driver fake_v3d_strict = { .name = "v3d",
	.folders = folders,
	.is_drm = true,
	.is_strict = true,
	.open = on_open,
	.ioctl = on_ioctl,
	.close = on_close,
	.fdinfo = on_fdinfo };
