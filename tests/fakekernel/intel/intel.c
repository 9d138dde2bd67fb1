/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine behind the fake Intel drivers, and what they keep in the tree. */
#include "config.h"

#include "tests/fakekernel/intel/intel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "tests/fakekernel/fake.h"

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

/* The model's time stamp when its time is 0: that of a unit that is switched on. */
static uint64_t timestamp_base(const struct fake_machine *m)
{
	static struct fake_regs none;
	struct oa_unit u = { .ring = NULL };
	struct course cs;
	uint64_t base;

	if (!fake_unit_build(m, &none, NULL, &u, &cs))
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

	if (!u.ring && !fake_unit_build(fake_machine(), &none, NULL, &u, &cs))
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
