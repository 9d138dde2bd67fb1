/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the xe driver's kernel interface that counters need: numbers and layouts of Linux
 * include/uapi/drm/xe_drm.h, which no libdrm of Debian 12 has. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

enum xe_query_id {
	XE_QUERY_ENGINES = 0,
	XE_QUERY_MEM_REGIONS = 1,
	XE_QUERY_CONFIG = 2,
	XE_QUERY_GT_LIST = 3,
	XE_QUERY_HWCONFIG = 4,
	XE_QUERY_GT_TOPOLOGY = 5,
	XE_QUERY_ENGINE_CYCLES = 6,
	XE_QUERY_OA_UNITS = 8,
	XE_QUERY_EU_STALL = 10,
};

/* When data is NULL and size is 0, the kernel stores the size that it needs. */
struct xe_device_query {
	uint64_t extensions;
	uint32_t query, size;
	uint64_t data;
	uint64_t reserved[2];
};

enum xe_engine_class {
	XE_CLASS_RENDER,
	XE_CLASS_COPY,
	XE_CLASS_VIDEO_DECODE,
	XE_CLASS_VIDEO_ENHANCE,
	XE_CLASS_COMPUTE
};

struct xe_engine_instance {
	uint16_t engine_class, instance, gt_id, pad;
};

struct xe_engine {
	struct xe_engine_instance instance;
	uint64_t reserved[3];
};

struct xe_engines {
	uint32_t n, pad;
	struct xe_engine engines[];
};

enum xe_mem_class { XE_MEM_SYSMEM, XE_MEM_VRAM };

struct xe_mem_region {
	uint16_t mem_class, instance;
	uint32_t min_page_bytes;
	uint64_t total_bytes, used_bytes, cpu_visible_bytes, cpu_visible_used_bytes;
	uint64_t reserved[6];
};

struct xe_mem_regions {
	uint32_t n, pad;
	struct xe_mem_region regions[];
};

/* The device id is in bits 15:0, the revision from bit 16 on. */
enum xe_config_info { XE_CONFIG_REV_AND_DEVICE_ID, XE_CONFIG_FLAGS };

struct xe_config {
	uint32_t n, pad;
	uint64_t info[];
};

enum xe_gt_type { XE_GT_MAIN, XE_GT_MEDIA };

struct xe_gt {
	uint16_t type, tile_id, gt_id;
	uint16_t pad[3];
	uint32_t reference_clock;	/* Hz, of the command streamers' time stamps */
	uint64_t near_mem_regions, far_mem_regions;
	uint16_t ip_major, ip_minor, ip_revision, pad2;
	uint64_t reserved[7];
};

struct xe_gt_list {
	uint32_t n, pad;
	struct xe_gt gts[];
};

enum xe_topology_type {
	XE_TOPO_DSS_GEOMETRY = 1,
	XE_TOPO_DSS_COMPUTE,
	XE_TOPO_L3_BANK,
	XE_TOPO_EU_PER_DSS,
	XE_TOPO_SIMD16_EU_PER_DSS
};

/* The answer is a row of these, each followed by its mask, least significant byte first. */
struct xe_topology_mask {
	uint16_t gt_id, type;
	uint32_t n_bytes;
	uint8_t mask[];
};

struct xe_engine_cycles {
	struct xe_engine_instance engine;	/* in */
	int32_t clock_id;			/* in: CLOCK_MONOTONIC, ... */
	uint32_t width;				/* bits */
	uint64_t cycles;
	uint64_t cpu_ns;			/* before the register was read */
	uint64_t cpu_delta_ns;			/* around reading its lower half */
};

enum xe_oa_unit_type { XE_OA_UNIT_OAG, XE_OA_UNIT_OAM, XE_OA_UNIT_OAM_SAG };
enum xe_oa_capability {
	XE_OA_CAP_BASE = 1,
	XE_OA_CAP_SYNCS = 2,
	XE_OA_CAP_BUFFER_SIZE = 4,
	XE_OA_CAP_WAIT_REPORTS = 8
};

/* Its engines follow the struct; the next unit begins behind them. */
struct xe_oa_unit {
	uint64_t extensions;
	uint32_t id, type;
	uint64_t capabilities, timestamp_hz;
	uint64_t reserved[4];
	uint64_t n_engines;
	struct xe_engine_instance engines[];
};

struct xe_oa_units {
	uint64_t extensions;
	uint32_t n, pad;
	uint8_t units[];
};

struct xe_eu_stall_info {
	uint64_t extensions, capabilities, record_bytes, xecore_buffer_bytes;
	uint64_t reserved[5];
	uint64_t n_rates;
	uint64_t rates[];	/* in GPU cycles */
};

enum xe_observation_type { XE_OBSERVE_OA, XE_OBSERVE_EU_STALL };
enum xe_observation_op { XE_OBSERVE_OPEN, XE_OBSERVE_ADD_CONFIG, XE_OBSERVE_REMOVE_CONFIG };

struct xe_observation {
	uint64_t extensions, type, op;
	uint64_t param;		/* pointer: first property, struct xe_oa_config, id */
};

/* Properties form a chain. */
struct xe_property {
	uint64_t next;
	uint32_t name;		/* 0: "set property" */
	uint32_t pad, property, pad2;
	uint64_t value;
	uint64_t reserved[2];
};

enum xe_oa_property {
	XE_OA_UNIT_ID = 1,
	XE_OA_SAMPLE,
	XE_OA_METRIC_SET,
	XE_OA_FORMAT,
	XE_OA_EXPONENT,
	XE_OA_DISABLED,
	XE_OA_EXEC_QUEUE,
	XE_OA_ENGINE_INSTANCE,
	XE_OA_NO_PREEMPT,
	XE_OA_NUM_SYNCS,
	XE_OA_SYNCS,
	XE_OA_BUFFER_SIZE,
	XE_OA_WAIT_REPORTS,
	XE_OA_PROPERTIES,	/* one more than the last */
};

enum xe_stall_property {
	XE_STALL_GT_ID = 1,
	XE_STALL_RATE,
	XE_STALL_WAIT_REPORTS,
	XE_STALL_PROPERTIES
};

/* One list of registers: pairs of address and value. */
struct xe_oa_config {
	uint64_t extensions;
	char uuid[36];
	uint32_t n_regs;
	uint64_t regs;
};

enum xe_oa_status_bit {
	XE_OA_REPORT_LOST = 1,
	XE_OA_BUFFER_OVERFLOW = 2,
	XE_OA_COUNTER_OVERFLOW = 4,
	XE_OA_TRIGGER_QUEUE_FULL = 8
};

struct xe_oa_status {
	uint64_t extensions, status;
	uint64_t reserved[3];
};

#define XE_IOCTL_QUERY _IOWR('d', 0x40, struct xe_device_query)
#define XE_IOCTL_OBSERVATION _IOW('d', 0x4b, struct xe_observation)
/* These are for a stream. They carry no size. */
#define XE_STREAM_ENABLE _IO('i', 0x0)
#define XE_STREAM_DISABLE _IO('i', 0x1)
#define XE_STREAM_CONFIG _IO('i', 0x2)
#define XE_STREAM_STATUS _IO('i', 0x3)

_Static_assert(XE_IOCTL_QUERY == 0xc0286440 && XE_IOCTL_OBSERVATION == 0x4020644b,
	"ioctl numbers of the kernel");
_Static_assert(XE_STREAM_STATUS == 0x6903, "ioctl numbers of streams");
_Static_assert(sizeof(struct xe_device_query) == 40 && sizeof(struct xe_engine) == 32 &&
		sizeof(struct xe_mem_region) == 88,
	"queries");
_Static_assert(sizeof(struct xe_gt) == 96 && offsetof(struct xe_gt, reference_clock) == 12,
	"struct drm_xe_gt");
_Static_assert(sizeof(struct xe_engine_cycles) == 40, "struct drm_xe_query_engine_cycles");
_Static_assert(sizeof(struct xe_oa_unit) == 72 && offsetof(struct xe_oa_unit, timestamp_hz) == 24,
	"struct drm_xe_oa_unit");
_Static_assert(offsetof(struct xe_eu_stall_info, rates) == 80, "struct drm_xe_query_eu_stall");
_Static_assert(sizeof(struct xe_property) == 48 && offsetof(struct xe_property, value) == 24,
	"struct drm_xe_ext_set_property");
_Static_assert(sizeof(struct xe_oa_config) == 56 && sizeof(struct xe_oa_status) == 40,
	"configuration and status");
