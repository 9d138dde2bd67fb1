/* SPDX-License-Identifier: GPL-3.0-or-later */
/* i915 of the fake kernel: parameters, queries, registered programmings, streams. Behaviour and order of checks: Linux 6.12
 * drivers/gpu/drm/i915/i915_perf.c, i915_query.c, i915_getparam.c. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "backends/intel/i915_uapi.h"
#include "backends/intel/oa_timer.h"
#include "backends/intel/platform.h"
#include "backends/sim/model/oa_unit.h"
#include "backends/sim/spec.h"
#include "base/clock.h"
#include "base/mem.h"

#define MAX_REGS 4096
#define DEFAULT_POLL_NS 5000000
#define METRICS "/sys/class/drm/card0/metrics"

struct machine {
	struct sim_spec spec;
	struct device device;
	struct workload_hardware hw;
	int graphics_ver;
	int perf_revision;
	int64_t epoch_ns;
	uint64_t timestamp_base;
};

struct regs {
	struct oa_reg r[MAX_REGS];
	size_t n;
};

struct fake_stream {
	int fd, lock;
	bool enabled, blocking;
	int exponent;
	uint64_t config;
	struct oa_unit unit;
	struct course course;
	uint32_t published;	/* ring position up to which read() may go */
};

static int fail(int error)
{
	errno = error;
	return -1;
}

static int64_t mono_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* --- the tree --- */

static void tree_path(char *buf, const char *folder, const char *name)
{
	snprintf(buf, PATH_MAX, "%s%s%s", fake_root(), folder, name);
}

/* Time stamps count from the first use of the tree, so that they do not wrap within a test. */
static int64_t epoch(void)
{
	char full[PATH_MAX], buf[64];
	int fd, len = snprintf(buf, sizeof(buf), "%lld\n", (long long)mono_ns());

	tree_path(full, "/i915/", "epoch");
	fd = real_open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0 && write(fd, buf, (size_t)len) == len)
		real_close(fd);
	fake_tree_read("/i915/epoch", buf, sizeof(buf));
	return strtoll(buf, NULL, 10);
}

/* Another part than the model's. */
static void become(struct device *d)
{
	char chipset[16];

	if (!fake_tree_read("/i915/chipset", chipset, sizeof(chipset)))
		return;
	*d = (struct device){ .pci_vendor = d->pci_vendor, .pci_device = (uint32_t)strtoul(chipset, NULL, 16), .min_hz = d->min_hz,
		.max_hz = d->max_hz };
	if (!intel_device_identify(d, NULL))
		abort();
}

/* A unit that counts what the registers say of the model's load. */
static bool build_unit(const struct machine *m, const struct regs *regs, struct oa_unit *u, struct course *cs)
{
	struct oa_unit_config c = { .format = oa_format_by_i915(m->device.oa_format), .graphics_ver = m->graphics_ver,
		.timestamp_hz = m->device.timestamp_hz, .threads_per_pulse = 8,
		.threads_per_count = m->graphics_ver >= 12 ? 2 : 1 };
	struct err err = { 0 };

	memset(cs, 0, sizeof(*cs));
	if (!oa_unit_init(u, &c, &err))
		return false;
	oa_unit_program(u, regs->r, regs->n);
	if (!workload_build(cs, &m->hw, &m->spec.load, oa_unit_select, u, &err))
		return false;
	course_seal(cs);
	oa_unit_attach(u, cs);
	return true;
}

/* The model's time stamp when its time is 0: that of a unit that is switched on. */
static uint64_t timestamp_base(const struct machine *m)
{
	static struct regs none;
	struct oa_unit u = { .ring = NULL };
	struct course cs;
	uint64_t base;

	if (!build_unit(m, &none, &u, &cs))
		abort();
	oa_unit_enable(&u, 0, 5, 0);
	base = oa_unit_timestamp(&u, 0);
	oa_unit_release(&u);
	course_release(&cs);
	return base;
}

static const struct machine *machine(void)
{
	static struct machine m;
	char spec[512];
	struct err err = { 0 };

	if (m.perf_revision)
		return &m;
	if (!fake_tree_read("/i915/model", spec, sizeof(spec)) || !sim_spec_parse(spec, &m.spec, &err) ||
	    !sim_device(m.spec.machine, &m.device, &err)) {
		fprintf(stderr, "fake kernel: bad model: %s\n", err.msg);
		abort();
	}
	become(&m.device);
	m.hw = sim_hardware(m.spec.machine, &m.device);
	m.graphics_ver = intel_platform_by_name(m.device.platform)->graphics_ver;
	m.epoch_ns = epoch();
	m.perf_revision = (int)fake_tree_number("/i915/perf_revision", 5);
	m.timestamp_base = timestamp_base(&m);
	return &m;
}

static int64_t model_ns(void)
{
	return mono_ns() - machine()->epoch_ns;
}

static bool is_perfmon(void)
{
	const char *s = getenv("FAKEKERNEL_PERFMON");

	return !s || strcmp(s, "0");
}

static bool may_observe(void)
{
	return is_perfmon() || fake_tree_number("/proc/sys/dev/i915/perf_stream_paranoid", 1) == 0;
}

/* --- parameters and topology --- */

static int getparam(const struct drm_i915_getparam *p)
{
	const struct machine *m = machine();

	switch (p->param) {
	case I915_CHIPSET_ID:
		*p->value = (int)m->device.pci_device;
		return 0;
	case I915_REVISION:
		*p->value = (int)m->device.pci_revision;
		return 0;
	case I915_PARAM_SUBSLICE_TOTAL:
		*p->value = m->device.topology.subslices;
		return 0;
	case I915_PARAM_EU_TOTAL:
		*p->value = m->device.topology.eus;
		return 0;
	case I915_CS_TIMESTAMP_HZ:
		*p->value = (int)m->device.timestamp_hz;
		return 0;
	case I915_PERF_REVISION_NUMBER:
		*p->value = m->perf_revision;
		return 0;
	case I915_OA_TIMESTAMP_HZ:
		if (m->perf_revision < 7)
			return fail(EINVAL);
		*p->value = (int)m->device.timestamp_hz;
		return 0;
	default:
		return fail(EINVAL);
	}
}

static int query_topology(const struct drm_i915_query_item *item)
{
	const struct topology *t = &machine()->device.topology;
	int error = fake_fails("topology");

	if (error)
		return -error;
	if (item->flags)
		return -EINVAL;
	if (item->length == 0)
		return (int)t->raw_len;
	if (item->length < (int)t->raw_len)
		return -EINVAL;
	memcpy((void *)(uintptr_t)item->data_ptr, t->raw, t->raw_len);
	return (int)t->raw_len;
}

static int query(const struct drm_i915_query *q)
{
	struct drm_i915_query_item *items = (void *)(uintptr_t)q->items_ptr;

	if (q->flags)
		return fail(EINVAL);
	for (uint32_t i = 0; i < q->num_items; i++)
		items[i].length = items[i].query_id == DRM_I915_QUERY_TOPOLOGY_INFO ? query_topology(&items[i]) : -EINVAL;
	return 0;
}

static int reg_read(struct drm_i915_reg_read *r)
{
	const struct machine *m = machine();
	int64_t t = model_ns();

	if ((r->offset & ~UINT64_C(1)) != 0x2358)
		return fail(EINVAL);
	r->val = m->timestamp_base + (uint64_t)(t / NS_PER_S) * m->device.timestamp_hz +
		(uint64_t)(t % NS_PER_S) * m->device.timestamp_hz / NS_PER_S;
	r->val &= (UINT64_C(1) << 36) - 1;
	return 0;
}

/* --- programmings --- */

struct range {
	uint32_t first, last;
};

static bool in_ranges(const struct range *r, size_t n, uint32_t address)
{
	for (size_t i = 0; i < n; i++)
		if (address >= r[i].first && address <= r[i].last)
			return true;
	return false;
}

/* Registers that a programming may write. */
static bool is_allowed(enum oa_reg_kind kind, uint32_t address)
{
	static const struct range bool8[] = { { 0x2710, 0x272c }, { 0x2740, 0x275c }, { 0x2770, 0x27ac } };
	static const struct range bool12[] = { { 0x2b2c, 0x2b2c }, { 0xd900, 0xd91c }, { 0xd920, 0xd93c }, { 0xd940, 0xd97c },
		{ 0xdc00, 0xdc44 } };
	static const struct range mux8[] = { { 0x91b8, 0x91cc }, { 0x9800, 0x9888 }, { 0xe180, 0xe180 }, { 0x0d00, 0x0d2c },
		{ 0x20cc, 0x20cc } };
	static const struct range mux11[] = { { 0x91c8, 0x91dc } };
	static const struct range mux_chv[] = { { 0x91b8, 0x91cc }, { 0x9800, 0x9888 }, { 0xe180, 0xe180 }, { 0x182300, 0x1823a4 } };
	static const struct range mux12[] = { { 0x0d00, 0x0d04 }, { 0x0d0c, 0x0d2c }, { 0x9840, 0x9840 }, { 0x9884, 0x9888 },
		{ 0x20cc, 0x20cc } };
	bool new = machine()->graphics_ver >= 12;

	switch (kind) {
	case OA_REG_OA:
		return new ? in_ranges(bool12, ARRAY_LEN(bool12), address) : in_ranges(bool8, ARRAY_LEN(bool8), address);
	case OA_REG_NOA:
		if (!strcmp(machine()->device.platform, "chv"))
			return in_ranges(mux_chv, ARRAY_LEN(mux_chv), address);
		if (machine()->graphics_ver == 11 && in_ranges(mux11, ARRAY_LEN(mux11), address))
			return true;
		return new ? in_ranges(mux12, ARRAY_LEN(mux12), address) : in_ranges(mux8, ARRAY_LEN(mux8), address);
	default:
		for (int i = 0; i < OA_FLEX_REGS; i++)
			if (oa_flex_addresses[i] == address)
				return true;
		return false;
	}
}

static bool is_uuid(const char *s)
{
	for (int i = 0; i < 36; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-' : !isxdigit((unsigned char)s[i]))
			return false;
	return true;
}

static bool take_regs(struct regs *out, enum oa_reg_kind kind, uint64_t pointer, uint32_t n)
{
	const uint32_t *pairs = (const uint32_t *)(uintptr_t)pointer;

	for (uint32_t i = 0; i < n; i++) {
		if (out->n >= MAX_REGS || !is_allowed(kind, pairs[2 * i])) {
			fake_log("  register %x of kind %d refused\n", pairs[2 * i], kind);
			return false;
		}
		out->r[out->n++] = (struct oa_reg){ .kind = kind, .address = pairs[2 * i], .value = pairs[2 * i + 1] };
	}
	return true;
}

static bool write_file(const char *path, int extra, const char *text, size_t len)
{
	int fd = real_open(path, O_WRONLY | O_CREAT | O_CLOEXEC | extra, 0666);
	bool good = fd >= 0 && write(fd, text, len) == (ssize_t)len;

	if (fd >= 0)
		real_close(fd);
	return good;
}

/* The lowest free id from 2 on holds the registers. */
static int store_regs(const struct regs *regs)
{
	char path[PATH_MAX], name[16];

	for (int id = 2; id < 10000; id++) {
		snprintf(name, sizeof(name), "%d", id);
		tree_path(path, "/i915/configs/", name);
		if (write_file(path, O_EXCL, (const char *)regs->r, regs->n * sizeof(regs->r[0])))
			return id;
	}
	return -1;
}

static bool load_regs(uint64_t id, struct regs *out)
{
	char path[PATH_MAX], name[24];
	ssize_t len;
	int fd;

	snprintf(name, sizeof(name), "%llu", (unsigned long long)id);
	tree_path(path, "/i915/configs/", name);
	fd = real_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (id == 0 || fd < 0)
		return false;
	len = real_read(fd, out->r, sizeof(out->r));
	real_close(fd);
	out->n = len > 0 ? (size_t)len / sizeof(out->r[0]) : 0;
	return len > 0;
}

static int add_config(const struct drm_i915_perf_oa_config *c)
{
	static struct regs regs;
	char uuid[37], path[PATH_MAX], text[16];
	int error = fake_fails("add"), id;

	regs.n = 0;
	fake_log("ADD_CONFIG %.36s mux %u boolean %u flex %u\n", c->uuid, c->n_mux_regs, c->n_boolean_regs, c->n_flex_regs);
	if (error)
		return fail(error);
	tree_path(path, METRICS, "");
	if (access(path, F_OK) < 0)
		return fail(EINVAL);
	if (!may_observe())
		return fail(EACCES);
	if (!c->n_mux_regs && !c->n_boolean_regs && !c->n_flex_regs)
		return fail(EINVAL);
	if (!is_uuid(c->uuid))
		return fail(EINVAL);
	if (!take_regs(&regs, OA_REG_NOA, c->mux_regs_ptr, c->n_mux_regs) ||
	    !take_regs(&regs, OA_REG_OA, c->boolean_regs_ptr, c->n_boolean_regs) ||
	    !take_regs(&regs, OA_REG_FLEX, c->flex_regs_ptr, c->n_flex_regs))
		return fail(EINVAL);
	snprintf(uuid, sizeof(uuid), "%.36s", c->uuid);
	tree_path(path, METRICS "/", uuid);
	if (mkdir(path, 0755) < 0)
		return fail(errno == EEXIST ? EADDRINUSE : errno);
	id = store_regs(&regs);
	snprintf(text, sizeof(text), "%d\n", id);
	strncat(path, "/id", sizeof(path) - strlen(path) - 1);
	if (id < 0 || !write_file(path, 0, text, strlen(text)))
		return fail(ENOMEM);
	return id;
}

static bool remove_named(const char *uuid, uint64_t id)
{
	char path[PATH_MAX], file[128];

	snprintf(file, sizeof(file), METRICS "/%.40s/id", uuid);
	if (fake_tree_number(file, 0) != (long)id)
		return false;
	tree_path(path, "", file);
	unlink(path);
	path[strlen(path) - 3] = '\0';
	return rmdir(path) == 0;
}

static int remove_config(uint64_t id)
{
	char path[PATH_MAX], name[24];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	fake_log("REMOVE_CONFIG %llu\n", (unsigned long long)id);
	if (fake_fails("remove"))
		return fail(EACCES);
	if (!may_observe())
		return fail(EACCES);
	tree_path(path, METRICS, "");
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.' && remove_named(entry->d_name, id);
	if (dir)
		closedir(dir);
	if (!found)
		return fail(ENOENT);
	snprintf(name, sizeof(name), "%llu", (unsigned long long)id);
	tree_path(path, "/i915/configs/", name);
	unlink(path);
	return 0;
}

/* --- streams --- */

struct request {
	bool has_sample, has_exponent, has_class, has_instance;
	uint64_t config, format, exponent, poll_ns;
};

/* Whether a request for slices and EUs asks for all that this part has. */
static bool is_whole(const struct drm_i915_gem_context_param_sseu *s)
{
	const struct topology *t = &machine()->device.topology;

	return s->engine.engine_class == 0 && s->engine.engine_instance == 0 && s->flags == 0 && s->rsvd == 0 &&
		s->slice_mask == t->slice_mask && s->subslice_mask == t->subslice_mask &&
		s->min_eus_per_subslice == t->max_eus_per_subslice && s->max_eus_per_subslice == t->max_eus_per_subslice;
}

static int read_property(struct request *q, uint64_t id, uint64_t value)
{
	const struct machine *m = machine();

	fake_log("  property %llu = %llu\n", (unsigned long long)id, (unsigned long long)(id == I915_PROP_GLOBAL_SSEU ? 1 : value));
	switch (id) {
	case I915_PROP_CTX_HANDLE:
		return ENOENT;
	case I915_PROP_SAMPLE_OA:
		q->has_sample = value != 0;
		return 0;
	case I915_PROP_METRICS_SET:
		q->config = value;
		return value ? 0 : EINVAL;
	case I915_PROP_FORMAT:
		q->format = value;
		return value == (uint64_t)m->device.oa_format ? 0 : EINVAL;
	case I915_PROP_EXPONENT:
		if (value > 31)
			return EINVAL;
		if (!is_perfmon() && oa_timer_rate((int)value, m->device.timestamp_hz) >
			(uint64_t)fake_tree_number("/proc/sys/dev/i915/oa_max_sample_rate", 100000))
			return EACCES;
		q->has_exponent = true;
		q->exponent = value;
		return 0;
	case I915_PROP_GLOBAL_SSEU:
		return m->perf_revision >= 4 && value && is_whole((const void *)(uintptr_t)value) ? 0 : EINVAL;
	case I915_PROP_POLL_PERIOD:
		q->poll_ns = value;
		return m->perf_revision >= 5 && value >= 100000 ? 0 : EINVAL;
	case I915_PROP_ENGINE_CLASS:
		q->has_class = true;
		return m->perf_revision >= 6 && value == 0 ? 0 : EINVAL;
	case I915_PROP_ENGINE_INSTANCE:
		q->has_instance = true;
		return m->perf_revision >= 6 && value == 0 ? 0 : EINVAL;
	default:
		return EINVAL;	/* HOLD_PREEMPTION needs a context */
	}
}

static int read_request(const struct drm_i915_perf_open_param *p, struct request *q)
{
	const uint64_t *pairs = (const uint64_t *)(uintptr_t)p->properties_ptr;
	int error = 0;

	if (p->flags & ~(uint32_t)(I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK | I915_PERF_FLAG_DISABLED))
		return EINVAL;
	if (p->num_properties == 0 || p->num_properties >= I915_PROP_COUNT)
		return EINVAL;
	for (uint32_t i = 0; i < p->num_properties && !error; i++)
		error = read_property(q, pairs[2 * i], pairs[2 * i + 1]);
	return error ? error : q->has_class != q->has_instance ? EINVAL : 0;
}

static bool start_unit(struct fake_stream *s, const struct regs *regs)
{
	oa_unit_release(&s->unit);
	course_release(&s->course);
	return build_unit(machine(), regs, &s->unit, &s->course);
}

static void enable(struct fake_stream *s)
{
	oa_unit_enable(&s->unit, model_ns(), s->exponent, 0);
	s->published = oa_unit_head(&s->unit);
	s->enabled = true;
}

static int take_lock(void)
{
	char path[PATH_MAX];
	int fd;

	tree_path(path, "/i915/", "oa.lock");
	fd = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (fd >= 0)
		real_close(fd);
	return -1;
}

static bool set_timer(int fd, uint64_t first_ns, uint64_t poll_ns)
{
	struct itimerspec t = { { (time_t)(poll_ns / NS_PER_S), (long)(poll_ns % NS_PER_S) },
		{ (time_t)(first_ns / NS_PER_S), (long)(first_ns % NS_PER_S) } };

	return timerfd_settime(fd, 0, &t, NULL) == 0;
}

static int make_stream(const struct drm_i915_perf_open_param *p, const struct request *q, const struct regs *regs, int lock)
{
	struct fake_stream *s = calloc(1, sizeof(*s));
	bool cloexec = p->flags & I915_PERF_FLAG_FD_CLOEXEC;

	if (!s)
		return fail(ENOMEM);
	s->lock = lock;
	s->blocking = !(p->flags & I915_PERF_FLAG_FD_NONBLOCK);
	s->exponent = (int)q->exponent;
	s->config = q->config;
	s->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | (cloexec ? TFD_CLOEXEC : 0));
	if (s->fd < 0 || !fake_fd(s->fd) || !start_unit(s, regs) || !set_timer(s->fd, q->poll_ns, q->poll_ns)) {
		free(s);
		return fail(ENOMEM);
	}
	if (!(p->flags & I915_PERF_FLAG_DISABLED))
		enable(s);
	*fake_fd(s->fd) = (struct fake_fd){ .driver = &fake_i915, .minor = -1, .priv = s };
	return s->fd;
}

static int perf_open(const struct drm_i915_perf_open_param *p)
{
	static struct regs regs;
	struct request q = { .poll_ns = DEFAULT_POLL_NS };
	int error, lock, fd;

	fake_log("PERF_OPEN flags %u\n", p->flags);
	error = fake_fails("open");
	if (error)
		return fail(error);
	error = read_request(p, &q);
	if (error)
		return fail(error);
	if (!may_observe())
		return fail(EACCES);
	if (!q.has_sample)
		return fail(EINVAL);
	lock = take_lock();
	if (lock < 0)
		return fail(EBUSY);
	fd = q.format && q.has_exponent && load_regs(q.config, &regs) ? make_stream(p, &q, &regs, lock) : fail(EINVAL);
	if (fd < 0) {
		error = errno;
		real_close(lock);
		errno = error;
	}
	return fd;
}

static void stream_close(struct fake_stream *s)
{
	fake_log("CLOSE stream\n");
	oa_unit_release(&s->unit);
	course_release(&s->course);
	real_close(s->lock);
	free(s);
}

static int stream_ioctl(struct fake_stream *s, unsigned long request, unsigned long arg)
{
	static struct regs regs;
	uint64_t before = s->config;

	switch (request) {
	case I915_PERF_IOCTL_ENABLE:
		if (!s->enabled)
			enable(s);
		return 0;
	case I915_PERF_IOCTL_DISABLE:
		oa_unit_disable(&s->unit);
		s->enabled = false;
		return 0;
	case I915_PERF_IOCTL_CONFIG:
		if (!load_regs(arg, &regs) || !start_unit(s, &regs))
			return fail(EINVAL);
		enable(s);
		s->config = arg;
		return (int)before;
	default:
		return fail(EINVAL);
	}
}

/* The kernel's timer: looks how far the unit has written, and holds the newest report back, for it may not have landed yet. */
static void tick(struct fake_stream *s)
{
	uint32_t bytes = s->unit.c.format->bytes, head = oa_unit_head(&s->unit), whole;
	uint64_t expirations;

	if (real_read(s->fd, &expirations, sizeof(expirations)) < 0)
		return;
	oa_unit_advance(&s->unit, model_ns());
	whole = (oa_unit_tail(&s->unit) - head) % OA_RING_BYTES / bytes;
	s->published = (head + (whole > 1 ? whole - 1 : 0) * bytes) % OA_RING_BYTES;
}

static uint32_t waiting(const struct fake_stream *s)
{
	return (s->published - oa_unit_head(&s->unit)) % OA_RING_BYTES;
}

static size_t put_record(uint8_t *buf, uint32_t type, const uint8_t *report, size_t bytes)
{
	struct drm_i915_perf_record_header h = { .type = type, .size = (uint16_t)(sizeof(h) + bytes) };

	memcpy(buf, &h, sizeof(h));
	if (bytes)
		memcpy(buf + sizeof(h), report, bytes);
	return h.size;
}

/* Losses that the scenario wants, and those that the unit had. */
static size_t put_status(struct fake_stream *s, uint8_t *buf)
{
	if (fake_fails("lost")) {
		oa_unit_lose_reports(&s->unit);
		s->unit.status |= OA_STATUS_REPORT_LOST;
	}
	if (fake_fails("buffer") || (s->unit.status & OA_STATUS_BUFFER_OVERFLOW)) {
		oa_unit_reset_buffer(&s->unit);
		s->published = 0;
		return put_record(buf, DRM_I915_PERF_RECORD_OA_BUFFER_LOST, NULL, 0);
	}
	if (!(s->unit.status & OA_STATUS_REPORT_LOST))
		return 0;
	s->unit.status = 0;
	return put_record(buf, DRM_I915_PERF_RECORD_OA_REPORT_LOST, NULL, 0);
}

static size_t put_samples(struct fake_stream *s, uint8_t *buf, size_t size)
{
	size_t bytes = s->unit.c.format->bytes, used = 0;

	while (waiting(s) >= bytes && used + sizeof(struct drm_i915_perf_record_header) + bytes <= size) {
		uint32_t head = oa_unit_head(&s->unit);

		used += put_record(buf + used, DRM_I915_PERF_RECORD_SAMPLE, s->unit.ring + head, bytes);
		memset(s->unit.ring + head, 0, 8);
		oa_unit_set_head(&s->unit, (uint32_t)((head + bytes) % OA_RING_BYTES));
	}
	return used;
}

static ssize_t stream_read(struct fake_stream *s, void *buf, size_t size)
{
	size_t record = sizeof(struct drm_i915_perf_record_header) + s->unit.c.format->bytes, used;
	int error = fake_fails("read");

	tick(s);
	if (error)
		return fail(error);
	if (!s->enabled)
		return fail(EIO);
	while (!waiting(s)) {
		if (!s->blocking)
			return fail(EAGAIN);
		poll(&(struct pollfd){ .fd = s->fd, .events = POLLIN }, 1, -1);
		tick(s);
	}
	if (size < record)
		return fail(ENOSPC);
	used = put_status(s, buf);
	used += put_samples(s, (uint8_t *)buf + used, size - used);
	return (ssize_t)used;
}

/* --- the node --- */

static int version(struct drm_version *v)
{
	static const char name[] = "i915", date[] = "20201103", desc[] = "Intel Graphics";

	v->version_major = 1;
	v->version_minor = 6;
	v->version_patchlevel = 0;
	if (v->name && v->name_len >= strlen(name))
		memcpy(v->name, name, strlen(name));
	if (v->date && v->date_len >= strlen(date))
		memcpy(v->date, date, strlen(date));
	if (v->desc && v->desc_len >= strlen(desc))
		memcpy(v->desc, desc, strlen(desc));
	v->name_len = strlen(name);
	v->date_len = strlen(date);
	v->desc_len = strlen(desc);
	return 0;
}

static int node_ioctl(unsigned long request, void *arg)
{
	switch (request) {
	case DRM_IOCTL_VERSION:
		return version(arg);
	case DRM_IOCTL_I915_GETPARAM:
		return getparam(arg);
	case DRM_IOCTL_I915_QUERY:
		return query(arg);
	case DRM_IOCTL_I915_REG_READ:
		return reg_read(arg);
	case DRM_IOCTL_I915_PERF_ADD_CONFIG:
		return add_config(arg);
	case DRM_IOCTL_I915_PERF_REMOVE_CONFIG:
		return remove_config(*(uint64_t *)arg);
	case DRM_IOCTL_I915_PERF_OPEN:
		return perf_open(arg);
	default:
		return fail(EINVAL);
	}
}

/* --- the driver: a descriptor with private data is a stream, one without is a node --- */

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	(void)fd;
	return f->priv ? stream_ioctl(f->priv, request, arg) : node_ioctl(request, (void *)arg);
}

static ssize_t on_read(struct fake_fd *f, int fd, void *buf, size_t size)
{
	return f->priv ? stream_read(f->priv, buf, size) : real_read(fd, buf, size);
}

static void on_close(struct fake_fd *f)
{
	if (f->priv)
		stream_close(f->priv);
}

static const char *const folders[] = { "/sys", "/dev/dri", "/proc/sys/dev/i915", NULL };

const struct fake_driver fake_i915 = {
	.name = "i915",
	.folders = folders,
	.is_drm = true,
	.ioctl = on_ioctl,
	.read = on_read,
	.close = on_close,
};
