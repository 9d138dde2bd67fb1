/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks amdgpu what the card is, and computes its roofs. */
#include "config.h"

#include "backends/amdgpu/amdgpu_sources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBDRM
#include <amdgpu_drm.h>
#endif

#include "backends/card/drm_node.h"
#include "backends/memory/machine_memory.h"
#include "base/mem.h"

#define NAMES "/usr/share/libdrm/amdgpu.ids"
#define NAMES_MAX (1 << 20)
#define GC_BLOCK 11	/* the graphics core's number in ip_discovery (Linux soc15_hw_ip.h, GC_HWID) */

bool amd_part_name(const struct fsroot *fs, const struct device *d, char *name, size_t size)
{
	char path[PATH_MAX], wanted[24], *text = NULL;
	size_t len;

	if (!fsroot_path(fs, path, sizeof(path), "%s", NAMES))
		return false;
	text = file_read_all(path, NAMES_MAX, &len, NULL);
	if (!text)
		return false;
	/* Lines are "73FF,	C1,	AMD Radeon RX 6600". */
	snprintf(wanted, sizeof(wanted), "\n%04X,\t%02X,\t", d->pci_device & 0xffff,
		d->pci_revision & 0xff);
	const char *line = strstr(text, wanted);
	if (line) {
		line += strlen(wanted);
		snprintf(name, size, "%.*s", (int)strcspn(line, "\r\n"), line);
	}
	free(text);
	return line != NULL;
}

struct amd_core amd_core_read(const struct fsroot *fs, const char *card)
{
	static const char *const files[] = { "major", "minor", "revision" };
	struct amd_core core = { 0 };
	uint64_t v[3];
	char path[160];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path),
			"/sys/class/drm/%.31s/device/ip_discovery/die/0/%d/0/%s", card, GC_BLOCK,
			files[i]);
		if (!fsroot_read_u64(fs, path, &v[i], NULL) || v[i] > 255)
			return core;
	}
	return (struct amd_core){ (unsigned)v[0], (unsigned)v[1], (unsigned)v[2] };
}

bool amd_energy_is_known(const struct amd_core *core)
{
	/* smu13_driver_if_aldebaran.h and smu_v13_0_6_ppt.c say it of MI200, MI300 and later. */
	return core->major == 9 &&
		((core->minor == 4 && core->revision >= 2) || core->minor == 5);
}

/* Returns the highest clock of a file with lines "2: 2700Mhz *"; 0 when it cannot be read. */
static double highest_hz(const struct fsroot *fs, const char *card, const char *file)
{
	char path[PATH_MAX], *text = NULL;
	double highest = 0;
	size_t len;

	if (fsroot_path(fs, path, sizeof(path), "/sys/class/drm/%.31s/device/%s", card, file))
		text = file_read_all(path, 4096, &len, NULL);
	for (const char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *colon = strchr(line, ':');
		char *end;
		unsigned long mhz = colon ? strtoul(colon + 1, &end, 10) : 0;

		if (colon && !strncmp(end, "Mhz", 3) && mhz < 100000 && (double)mhz * 1e6 > highest)
			highest = (double)mhz * 1e6;
	}
	free(text);
	return highest;
}

#ifdef HAVE_LIBDRM
/* Lanes of single precision of a compute unit; a multiply-add counts two. */
static const struct lanes {
	unsigned major, minor, revision;	/* revision UINT_MAX: all */
	double sp, dp;
	const char *source;
} lanes[] = {
	{ 9, 4, 1, 64, 32, "MI100: openxla/xla rocm_core_info_table.cc, citing AMD's CDNA white papers" },
	{ 9, 4, 2, 64, 64, "MI200: openxla/xla rocm_core_info_table.cc" },
	{ 9, 4, 3, 128, 64, "MI300: openxla/xla rocm_core_info_table.cc" },
	{ 9, 4, 4, 128, 64, "MI300: openxla/xla rocm_core_info_table.cc" },
	{ 9, 5, 0, 128, 64, "MI350: openxla/xla rocm_core_info_table.cc" },
	{ 10, UINT_MAX, UINT_MAX, 64, 4, "RDNA: libdrm-amdgpu-sys-rs, amdgpu/gpu_info.rs" },
	{ 11, UINT_MAX, UINT_MAX, 64, 2, "RDNA3 without dual issue: libdrm-amdgpu-sys-rs, gpu_info.rs" },
	{ 12, UINT_MAX, UINT_MAX, 64, 2, "RDNA4 without dual issue: libdrm-amdgpu-sys-rs, gpu_info.rs" },
};

static const struct lanes *lanes_of(const struct amd_core *core)
{
	for (size_t i = 0; i < ARRAY_LEN(lanes); i++)
		if (lanes[i].major == core->major &&
			(lanes[i].minor == UINT_MAX || lanes[i].minor == core->minor) &&
			(lanes[i].revision == UINT_MAX || lanes[i].revision == core->revision))
			return &lanes[i];
	return NULL;
}

/* Transfers in a clock of the memory, after AMD's own library (libdrm-amdgpu-sys-rs, amdgpu/vram.rs). A
 * processor's LPDDR5 has no clock in the driver that says anything about its transfers. */
static double transfers_per_clock(uint32_t type)
{
	switch (type) {
	case AMDGPU_VRAM_TYPE_GDDR5: return 4;
	case AMDGPU_VRAM_TYPE_GDDR6: return 16;
	case AMDGPU_VRAM_TYPE_HBM:
	case AMDGPU_VRAM_TYPE_DDR2:
	case AMDGPU_VRAM_TYPE_DDR3:
	case AMDGPU_VRAM_TYPE_DDR4:
	case AMDGPU_VRAM_TYPE_DDR5: return 2;
	default: return 0;
	}
}

static bool ask_node(const struct fsroot *fs, const char *card,
	struct drm_amdgpu_info_device *info, struct err *err)
{
	struct drm_node node;
	struct drm_amdgpu_info q = { .return_pointer = (uintptr_t)info,
		.return_size = sizeof(*info),
		.query = AMDGPU_INFO_DEV_INFO };

	memset(info, 0, sizeof(*info));
	if (!drm_node_open(&node, fs, card, err))
		return false;
	bool good = node_ioctl(node.fd, DRM_IOCTL_AMDGPU_INFO, &q) == 0;
	if (good)
		node_answered(node.fd, DRM_IOCTL_AMDGPU_INFO, info, sizeof(*info));
	else
		err_sys(err, "%s: the driver does not say what the card is", card);
	drm_node_close(&node);
	return good;
}

/* The formula is too low for MI300 and later, which name their bandwidth in gpu_metrics. */
static void set_memory(struct device *d, const struct amd_core *core,
	const struct drm_amdgpu_info_device *info, const struct fsroot *fs)
{
	double k = transfers_per_clock(info->vram_type);
	bool too_low = core->major == 9 && core->minor >= 4 && core->revision >= 3;
	char origin[96];

	if (info->ids_flags & AMDGPU_IDS_FLAGS_FUSION) {
		d->shares_memory = true;
		dram_roof_of_machine(d, fs, 0, NULL);
		return;
	}
	if (!k || !info->max_memory_clock || !info->vram_bit_width || too_low)
		return;
	snprintf(origin, sizeof(origin), "driver: %.0f MHz x %u bits x %.0f",
		(double)info->max_memory_clock / 1000, info->vram_bit_width, k);
	device_set_roof(d, DRAM_ROOF,
		k * (double)info->max_memory_clock * 1000 * info->vram_bit_width / 8,
		ROOF_COMPUTED, false, origin);
}

static void set_units(struct device *d, const struct amd_core *core,
	const struct drm_amdgpu_info_device *info)
{
	const struct lanes *l = lanes_of(core);

	d->topology.eus = (int)info->cu_active_number;
	device_set_const(d, "eu_count", info->cu_active_number);
	if (!l)
		return;
	device_set_const(d, "sp_flop_per_cycle_cu", 2 * l->sp);
	device_set_const(d, "dp_flop_per_cycle_cu", 2 * l->dp);
}

static bool set_by_node(
	struct device *d, const struct amd_core *core, const struct fsroot *fs, struct err *err)
{
	struct drm_amdgpu_info_device info;

	if (!ask_node(fs, d->id, &info, err))
		return false;
	if (info.cu_active_number && info.cu_active_number < 4096)
		set_units(d, core, &info);
	if (info.max_engine_clock)
		d->max_hz = info.max_engine_clock * 1000;
	set_memory(d, core, &info, fs);
	return true;
}
#else
static bool set_by_node(
	struct device *d, const struct amd_core *core, const struct fsroot *fs, struct err *err)
{
	(void)d, (void)core, (void)fs;
	return err_set(err, ERR_UNSUPPORTED, "%s",
		"this build cannot ask amdgpu for its units, for want of libdrm");
}
#endif

bool amd_set_consts(
	struct device *d, const struct amd_core *core, const struct fsroot *fs, struct err *err)
{
	bool good = set_by_node(d, core, fs, err);

	if (!d->max_hz)
		d->max_hz = (uint64_t)highest_hz(fs, d->id, "pp_dpm_sclk");
	if (d->max_hz)
		device_set_roof(
			d, "max_clock_hz", (double)d->max_hz, ROOF_READ, false, "amdgpu");
	return good;
}
