/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake amdgpu: what programs ask of its node, answered from the card's own files in sysfs where the kernel
 * reads the same sensors for both (Linux drivers/gpu/drm/amd/amdgpu/amdgpu_kms.c, amdgpu_fdinfo.c).
 *
 * Own files of the tree, below amdgpu/: NAME of a number of DEV_INFO (cu_active_number, max_engine_clock...),
 * no_dpm (1: without power management), registers/OFFSET
 * with lines "BIT PER_MILLE": of each thousand reads so many see that bit; others may not be read. $FAKEKERNEL_FAIL:
 * info (every question). */
#include "config.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/fakekernel/drm_version.h"
#include "tests/fakekernel/fake.h"

/* What Linux 6.12 and later have (include/uapi/drm/amdgpu_drm.h): offsets that programs rely on. */
_Static_assert(sizeof(struct drm_amdgpu_info) == 32 && offsetof(struct drm_amdgpu_info, query) == 12 &&
		offsetof(struct drm_amdgpu_info, sensor_info) == 16, "the question");
_Static_assert(offsetof(struct drm_amdgpu_info_device, max_engine_clock) == 32 &&
		offsetof(struct drm_amdgpu_info_device, cu_active_number) == 48 &&
		offsetof(struct drm_amdgpu_info_device, ids_flags) == 136 &&
		offsetof(struct drm_amdgpu_info_device, vram_type) == 176 &&
		offsetof(struct drm_amdgpu_info_device, vram_bit_width) == 180, "what the card is");
_Static_assert(sizeof(struct drm_amdgpu_memory_info) == 96, "its memory");

#define GET_MAGIC _IOR('d', 0x02, unsigned)
#define AUTH_MAGIC _IOW('d', 0x11, unsigned)
#define DROP_MASTER _IO('d', 0x1f)

static long device_number(int minor, const char *file, long otherwise)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/dev/char/226:%d/device/%s", minor, file);
	return fake_tree_number(path, otherwise);
}

static long fact(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/amdgpu/%s", name);
	return fake_tree_number(path, 0);
}

static int answer(const struct drm_amdgpu_info *q, const void *data, size_t size)
{
	memcpy((void *)(uintptr_t)q->return_pointer, data,
		q->return_size < size ? q->return_size : size);
	return 0;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int dev_info(const struct drm_amdgpu_info *q, int minor)
{
	struct drm_amdgpu_info_device d = { .device_id = (uint32_t)device_number(minor, "device", 0),
		.pci_rev = (uint32_t)device_number(minor, "revision", 0),
		.family = AMDGPU_FAMILY_NV,
		.num_shader_engines = (uint32_t)fact("num_shader_engines"),
		.num_shader_arrays_per_engine = (uint32_t)fact("num_shader_arrays_per_engine"),
		.max_engine_clock = (uint64_t)fact("max_engine_clock"),
		.max_memory_clock = (uint64_t)fact("max_memory_clock"),
		.cu_active_number = (uint32_t)fact("cu_active_number"),
		.ids_flags = (uint64_t)fact("ids_flags"),
		.virtual_address_offset = 1 << 21,
		.virtual_address_max = 1ULL << 47,
		.virtual_address_alignment = 4096,
		.gart_page_size = 4096,
		.vram_type = (uint32_t)fact("vram_type"),
		.vram_bit_width = (uint32_t)fact("vram_bit_width"),
		.wave_front_size = 32 };

	return answer(q, &d, sizeof(d));
}

/* The kernel's units: MHz, thousandths of a degree, percent, watts. */
static int sensor(const struct drm_amdgpu_info *q, int minor)
{
	static const struct {
		uint32_t type;
		const char *file;
		long divisor;
	} sensors[] = {
		{ AMDGPU_INFO_SENSOR_GFX_SCLK, "hwmon/hwmon3/freq1_input", 1000000 },
		{ AMDGPU_INFO_SENSOR_GFX_MCLK, "hwmon/hwmon3/freq2_input", 1000000 },
		{ AMDGPU_INFO_SENSOR_GPU_TEMP, "hwmon/hwmon3/temp1_input", 1 },
		{ AMDGPU_INFO_SENSOR_GPU_LOAD, "gpu_busy_percent", 1 },
		{ AMDGPU_INFO_SENSOR_GPU_AVG_POWER, "hwmon/hwmon3/power1_average", 1000000 },
	};

	for (size_t i = 0; i < sizeof(sensors) / sizeof(sensors[0]); i++) {
		if (sensors[i].type != q->sensor_info.type)
			continue;
		long v = device_number(minor, sensors[i].file, -1);
		uint32_t value = (uint32_t)(v / sensors[i].divisor);
		return v < 0 ? fail(EINVAL) : answer(q, &value, sizeof(value));
	}
	return fail(EINVAL);
}

static int memory(const struct drm_amdgpu_info *q, int minor)
{
	struct drm_amdgpu_memory_info m = {
		.vram = { .total_heap_size = (uint64_t)device_number(minor, "mem_info_vram_total", 0),
			.heap_usage = (uint64_t)device_number(minor, "mem_info_vram_used", 0) },
		.gtt = { .total_heap_size = (uint64_t)device_number(minor, "mem_info_gtt_total", 0),
			.heap_usage = (uint64_t)device_number(minor, "mem_info_gtt_used", 0) },
	};
	struct drm_amdgpu_info_vram_gtt sizes = { .vram_size = m.vram.total_heap_size,
		.vram_cpu_accessible_size = m.vram.total_heap_size,
		.gtt_size = m.gtt.total_heap_size };

	m.vram.usable_heap_size = m.vram.total_heap_size;
	m.gtt.usable_heap_size = m.gtt.total_heap_size;
	m.cpu_accessible_vram = m.vram;
	switch (q->query) {
	case AMDGPU_INFO_VRAM_USAGE: return answer(q, &m.vram.heap_usage, 8);
	case AMDGPU_INFO_GTT_USAGE: return answer(q, &m.gtt.heap_usage, 8);
	case AMDGPU_INFO_VRAM_GTT: return answer(q, &sizes, sizeof(sizes));
	default: return answer(q, &m, sizeof(m));
	}
}

/* A bit is there in so many of each thousand reads, spread evenly. */
static uint32_t register_now(uint32_t offset)
{
	static unsigned long reads[4];
	char path[PATH_MAX], line[64];
	unsigned long n = ++reads[offset & 3];
	uint32_t value = 0;

	snprintf(path, sizeof(path), "%s/amdgpu/registers/0x%x", fake_root(), offset);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		unsigned bit, part;

		if (sscanf(line, "%u %u", &bit, &part) == 2 &&
			n * part / 1000 != (n - 1) * part / 1000)
			value |= 1u << (bit & 31);
	}
	if (f)
		fclose(f);
	return value;
}

/* The driver has a list of those that may be read; here it is the files. */
static bool is_allowed(uint32_t offset)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/amdgpu/registers/0x%x", fake_root(), offset);
	return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

static int read_registers(const struct drm_amdgpu_info *q)
{
	uint32_t values[128] = { 0 }, count = q->read_mmr_reg.count, se = q->read_mmr_reg.instance & 0xff,
		 sh = q->read_mmr_reg.instance >> 8 & 0xff;

	/* All engines and arrays, or one that may be there (amdgpu_gfx.h: AMDGPU_GFX_MAX_SE, _SH_PER_SE). */
	if (count > 128 || (se != 0xff && se >= 4) || (sh != 0xff && sh >= 2))
		return fail(EINVAL);
	for (uint32_t i = 0; i < count; i++)
		if (!is_allowed(q->read_mmr_reg.dword_offset + i))
			return fail(EFAULT);
	for (uint32_t i = 0; i < count; i++)
		values[i] = register_now(q->read_mmr_reg.dword_offset + i);
	return answer(q, values, count * sizeof(values[0]));
}

static int info(const struct drm_amdgpu_info *q, int minor)
{
	int error = fake_fails("info");
	uint32_t yes = 1;

	fake_log("amdgpu info 0x%x\n", q->query);
	if (error)
		return fail(error);
	if (!q->return_size || !q->return_pointer)
		return fail(EINVAL);
	switch (q->query) {
	case AMDGPU_INFO_ACCEL_WORKING: return answer(q, &yes, sizeof(yes));
	case AMDGPU_INFO_DEV_INFO: return dev_info(q, minor);
	case AMDGPU_INFO_SENSOR: return fact("no_dpm") ? fail(ENOENT) : sensor(q, minor);
	case AMDGPU_INFO_READ_MMR_REG: return read_registers(q);
	case AMDGPU_INFO_MEMORY:
	case AMDGPU_INFO_VRAM_USAGE:
	case AMDGPU_INFO_GTT_USAGE:
	case AMDGPU_INFO_VRAM_GTT: return memory(q, minor);
	default: return fail(EINVAL);
	}
}

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	struct fake_drm_version *v = (struct fake_drm_version *)arg;

	(void)fd;
	switch (request) {
	case FAKE_DRM_VERSION:
		fake_drm_answer(v, "amdgpu", "20150101", "AMD GPU");
		v->major = 3;
		v->minor = 57;
		return 0;
	case GET_MAGIC:
		*(unsigned *)arg = 1;
		return 0;
	case AUTH_MAGIC:
	case DROP_MASTER: return 0;
	case DRM_IOCTL_AMDGPU_INFO: return info((const struct drm_amdgpu_info *)arg, f->minor);
	default: return fail(EINVAL);
	}
}

/* Engines that a client never used have no line. */
static size_t fdinfo(uint64_t client, long part_per_mille, char *buf, size_t size)
{
	char pdev[32] = "0000:03:00.0";
	struct timespec t;

	fake_tree_read("/amdgpu/pdev", pdev, sizeof(pdev));
	clock_gettime(CLOCK_MONOTONIC, &t);
	uint64_t ns = ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) / 1000 *
		(uint64_t)part_per_mille;
	int len = snprintf(buf, size,
		"pos:\t0\nflags:\t02100002\nmnt_id:\t27\nino:\t777\ndrm-driver:\tamdgpu\n"
		"drm-client-id:\t%" PRIu64 "\ndrm-pdev:\t%s\npasid:\t32770\n"
		"drm-total-vram:\t262144 KiB\ndrm-shared-vram:\t0\ndrm-resident-vram:\t262144 KiB\n"
		"drm-total-gtt:\t2048 KiB\ndrm-resident-gtt:\t2048 KiB\n"
		"drm-memory-vram:\t262144 KiB\ndrm-memory-gtt:\t2048 KiB\ndrm-memory-cpu:\t0 KiB\n",
		client, pdev);
	if (part_per_mille)
		len += snprintf(buf + len, size - (size_t)len, "drm-engine-gfx:\t%" PRIu64 " ns\n", ns);
	return (size_t)len;
}

static const char *const folders[] = { "/sys", "/dev/dri", NULL };

const struct fake_driver fake_amdgpu = { .name = "amdgpu",
	.folders = folders,
	.is_drm = true,
	.ioctl = on_ioctl,
	.fdinfo = fdinfo };
