/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine behind the fake Intel drivers, and what they keep in the tree. */
#include "config.h"

#include "tests/fakekernel/intel.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"

/* The tail register may be ahead of what has landed in memory, so the driver trusts it when it is as
 * old as that (Linux 6.1 i915_perf.c, OA_TAIL_MARGIN_NSEC). */
#define TAIL_MARGIN_NS (NS_PER_MS / 10)
#define CONFIG_DELAY_NS (250 * NS_PER_MS)	/* as long as a kernel of the load may hold the engine */

int fake_fail(int error)
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

void fake_tree_path(char *buf, const char *folder, const char *name)
{
	snprintf(buf, PATH_MAX, "%s%s%s", fake_root(), folder, name);
}

/* --- the machine --- */

/* Time stamps count from the first use of the tree, so that they do not wrap within a test. */
static int64_t epoch(void)
{
	char full[PATH_MAX], buf[64];
	int fd, len = snprintf(buf, sizeof(buf), "%lld\n", (long long)mono_ns());

	fake_tree_path(full, "/i915/", "epoch");
	fd = real_open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0 && write(fd, buf, (size_t)len) == len)
		real_close(fd);
	fake_tree_read("/i915/epoch", buf, sizeof(buf));
	return strtoll(buf, NULL, 10);
}

/* Another part than the model's. */
static void become(struct device *d)
{
	const struct device model = *d;
	char chipset[16];

	if (!fake_tree_read("/i915/chipset", chipset, sizeof(chipset)))
		return;
	*d = (struct device){ .pci_vendor = d->pci_vendor, .pci_device = (uint32_t)strtoul(chipset, NULL, 16), .min_hz = d->min_hz,
		.max_hz = d->max_hz };
	if (!intel_device_identify(d, NULL))
		abort();
	/* What the tables do not know of it is as the model has it. */
	if (d->timestamp_hz == 0)
		d->timestamp_hz = model.timestamp_hz;
	if (d->topology.eus == 0)
		d->topology = model.topology;
}

/* Takes EUs away, those with the highest numbers in each subslice. */
static void fuse(struct topology *t)
{
	long fused = fake_tree_number("/i915/fused_eus", 0);
	uint8_t raw[sizeof(t->raw)];
	struct drm_topology {
		uint16_t flags, max_slices, max_subslices, max_eus, subslice_offset,
			subslice_stride, eu_offset, eu_stride;
	} h;
	size_t len = t->raw_len;

	if (fused <= 0)
		return;
	memcpy(raw, t->raw, len);
	memcpy(&h, raw, sizeof(h));
	for (size_t at = sizeof(h) + h.eu_offset; at + h.eu_stride <= len; at += h.eu_stride)
		for (long n = 0; n < fused; n++) {
			unsigned eu = (unsigned)(h.max_eus - 1 - n);

			raw[at + eu / 8] &= (uint8_t)~(1u << eu % 8);
		}
	if (!intel_topology_parse(t, raw, len, NULL))
		abort();
}

static bool build_course(const struct fake_machine *m, struct oa_unit *u, struct course *cs)
{
	struct err err = { 0 };

	memset(cs, 0, sizeof(*cs));
	if (!workload_build(cs, &m->hw, &m->spec.load, oa_unit_select, u, &err))
		return false;
	course_seal(cs);
	return true;
}

/* A unit that counts what the registers say of the model's load. */
static bool build_unit(const struct fake_machine *m, const struct fake_regs *regs,
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
	}
	if (!oa_unit_init(u, &c, &err))
		return false;
	oa_unit_program(u, regs->r, regs->n);
	if (!build_course(m, u, cs))
		return false;
	oa_unit_attach(u, cs);
	return true;
}

/* The model's time stamp when its time is 0: that of a unit that is switched on. */
static uint64_t timestamp_base(const struct fake_machine *m)
{
	static struct fake_regs none;
	struct oa_unit u = { .ring = NULL };
	struct course cs;
	uint64_t base;

	if (!build_unit(m, &none, NULL, &u, &cs))
		abort();
	oa_unit_enable(&u, 0, 5, 0);
	base = oa_unit_timestamp(&u, 0);
	oa_unit_release(&u);
	course_release(&cs);
	return base;
}

/* The load as nobody's stream sees it. */
static const struct course *plain_course(void)
{
	static struct fake_regs none;
	static struct oa_unit u;
	static struct course cs;

	if (!u.ring && !build_unit(fake_machine(), &none, NULL, &u, &cs))
		abort();
	return &cs;
}

uint64_t fake_busy_ns(void)
{
	return course_value(plain_course(), Q_BUSY_NS, fake_model_ns());
}

uint64_t fake_cycles(void)
{
	return course_value(plain_course(), Q_TICKS, fake_model_ns());
}

uint64_t fake_could_sleep_ns(void)
{
	return course_value(plain_course(), Q_RC6_NS, fake_model_ns());
}

const struct fake_machine *fake_machine(void)
{
	static struct fake_machine m;
	char spec[512];
	struct err err = { 0 };

	if (m.perf_revision)
		return &m;
	if (!fake_tree_read("/i915/model", spec, sizeof(spec)) ||
		!sim_spec_parse(spec, &m.spec, &err) ||
		!sim_device(&m.spec.machine, &m.device, &err)) {
		fprintf(stderr, "fake kernel: bad model: %s\n", err.msg);
		abort();
	}
	become(&m.device);
	fuse(&m.device.topology);
	m.hw = sim_hardware(&m.spec.machine, &m.device);
	m.graphics_ver = intel_platform_by_name(m.device.platform)->graphics_ver;
	m.epoch_ns = epoch();
	m.perf_revision = (int)fake_tree_number("/i915/perf_revision", 5);
	m.timestamp_base = timestamp_base(&m);
	return &m;
}

int64_t fake_model_ns(void)
{
	return mono_ns() - fake_machine()->epoch_ns;
}

static int cs_shift(void)
{
	return intel_cs_clock_shift(intel_platform_by_name(fake_machine()->device.platform));
}

uint64_t fake_cs_timestamp(void)
{
	const struct fake_machine *m = fake_machine();
	uint64_t t = (uint64_t)fake_model_ns(), hz = m->device.timestamp_hz;

	return (m->timestamp_base + t / NS_PER_S * hz + t % NS_PER_S * hz / NS_PER_S) >> cs_shift();
}

uint64_t fake_cs_hz(void)
{
	return fake_machine()->device.timestamp_hz >> cs_shift();
}

static uid_t first_user;

__attribute__((constructor)) static void note_user(void)
{
	first_user = geteuid();
}

/* FAKEKERNEL_PERFMON: 0 no process has CAP_PERFMON; real: those in which it is in force. */
bool fake_is_perfmon(void)
{
	const char *s = getenv("FAKEKERNEL_PERFMON");
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (s && !strcmp(s, "real"))
		return syscall(SYS_capget, &head, data) == 0 &&
			data[CAP_TO_INDEX(CAP_PERFMON)].effective & CAP_TO_MASK(CAP_PERFMON);
	return (!s || strcmp(s, "0")) && geteuid() == first_user;
}

bool fake_is_memory(uint64_t address, size_t len)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = address / page * page;

	return !len || msync((void *)(uintptr_t)first, (size_t)(address - first) + len, MS_ASYNC) == 0;
}

/* Asks the kernel for one byte of each page. */
size_t fake_memory_bytes(const void *address, size_t len)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const uint8_t *p = address;
	size_t good = 0;

	while (good < len) {
		size_t step = page - (uintptr_t)(p + good) % page;
		char byte;
		struct iovec to = { &byte, 1 }, from = { (void *)(uintptr_t)(p + good), 1 };

		if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1)
			break;
		good += step;
	}
	return good < len ? good : len;
}

/* --- programmings --- */

size_t fake_hwconfig(uint32_t *table)
{
	const struct device *d = &fake_machine()->device;
	const struct topology *t = &d->topology;
	int64_t type = fake_tree_number("/i915/hwconfig_memory_type", -1);
	/* an attribute of two words first, which a reader must step over */
	const uint32_t memory[] = { 99, 2, 10, 1, 10, 1,
		(uint32_t)fake_tree_number("/i915/hwconfig_memory_channels", 8), 11, 1,
		(uint32_t)type };
	const uint32_t units[] = { 1, 1, (uint32_t)t->slices, 2, 1, (uint32_t)t->subslices, 3, 1,
		(uint32_t)t->max_eus_per_subslice, 70, 1, (uint32_t)t->subslices, 71, 1,
		(uint32_t)t->max_eus_per_subslice };
	size_t bytes = 0;

	if (type >= 0) {
		memcpy(table, memory, sizeof(memory));
		bytes += sizeof(memory);
	}
	if (intel_platform_by_name(d->platform)->graphics_verx10 >= 125) {
		memcpy((uint8_t *)table + bytes, units, sizeof(units));
		bytes += sizeof(units);
	}
	return bytes;
}

bool fake_in_ranges(const struct fake_range *r, size_t n, uint32_t address)
{
	for (size_t i = 0; i < n; i++)
		if (address >= r[i].first && address <= r[i].last)
			return true;
	return false;
}

bool fake_is_uuid(const char *s)
{
	for (int i = 0; i < 36; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-'
							    : !isxdigit((unsigned char)s[i]))
			return false;
	return true;
}

bool fake_has_metrics(void)
{
	char path[PATH_MAX];

	fake_tree_path(path, FAKE_METRICS, "");
	return access(path, F_OK) == 0;
}

static bool write_file(const char *path, int extra, const char *text, size_t len)
{
	int fd = real_open(path, O_WRONLY | O_CREAT | O_CLOEXEC | extra, 0666);
	bool good = fd >= 0 && write(fd, text, len) == (ssize_t)len;

	if (fd >= 0)
		real_close(fd);
	return good;
}

/* The lowest free id holds the registers. */
static int store_regs(const struct fake_regs *regs, int first)
{
	char path[PATH_MAX], name[16];

	for (int id = first; id < 10000; id++) {
		snprintf(name, sizeof(name), "%d", id);
		fake_tree_path(path, "/i915/configs/", name);
		if (write_file(path, O_EXCL, (const char *)regs->r, regs->n * sizeof(regs->r[0])))
			return id;
	}
	return -1;
}

bool fake_config_load(uint64_t id, struct fake_regs *out)
{
	char path[PATH_MAX], name[24];
	ssize_t len;
	int fd;

	snprintf(name, sizeof(name), "%llu", (unsigned long long)id);
	fake_tree_path(path, "/i915/configs/", name);
	fd = real_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (id == 0 || fd < 0)
		return false;
	len = real_read(fd, out->r, sizeof(out->r));
	real_close(fd);
	out->n = len > 0 ? (size_t)len / sizeof(out->r[0]) : 0;
	return len > 0;
}

int fake_config_add(const char *uuid, const struct fake_regs *regs, int first)
{
	char path[PATH_MAX], text[16];
	int id;

	fake_tree_path(path, FAKE_METRICS "/", uuid);
	if (mkdir(path, 0755) < 0)
		return fake_fail(errno == EEXIST ? EADDRINUSE : errno);
	id = store_regs(regs, first);
	snprintf(text, sizeof(text), "%d\n", id);
	strncat(path, "/id", sizeof(path) - strlen(path) - 1);
	if (id < 0 || !write_file(path, 0, text, strlen(text)))
		return fake_fail(ENOMEM);
	return id;
}

static bool remove_named(const char *uuid, uint64_t id)
{
	char path[PATH_MAX], file[128];

	snprintf(file, sizeof(file), FAKE_METRICS "/%.40s/id", uuid);
	if (fake_tree_number(file, 0) != (long)id)
		return false;
	fake_tree_path(path, "", file);
	unlink(path);
	path[strlen(path) - 3] = '\0';
	return rmdir(path) == 0;
}

int fake_config_remove(uint64_t id)
{
	char path[PATH_MAX], name[24];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	fake_tree_path(path, FAKE_METRICS, "");
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.' && remove_named(entry->d_name, id);
	if (dir)
		closedir(dir);
	if (!found)
		return fake_fail(ENOENT);
	snprintf(name, sizeof(name), "%llu", (unsigned long long)id);
	fake_tree_path(path, "/i915/configs/", name);
	unlink(path);
	return 0;
}

/* --- streams --- */

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
	return build_unit(fake_machine(), regs, s, &s->unit, &s->course);
}

bool fake_oa_as_xe(struct fake_oa *s, const struct fake_regs *regs, uint32_t buffer_bytes)
{
	s->buffer_bytes = buffer_bytes;
	s->keeps_overrun = true;
	return fake_oa_program(s, regs);
}

void fake_oa_enable(struct fake_oa *s)
{
	oa_unit_enable(&s->unit, fake_model_ns(), s->exponent, 0);
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
	s->begin_ns = fake_model_ns();
	s->poll_ns = (int64_t)poll_ns;
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

void fake_oa_tick(struct fake_oa *s)
{
	int64_t look_ns = last_look_ns(s, fake_model_ns());

	if (s->due_ns && look_ns >= s->due_ns)
		write_asked(s);
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

void fake_oa_take(struct fake_oa *s, uint8_t *report)
{
	oa_unit_take(&s->unit, report);
	s->published -= s->unit.c.format->bytes;
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
