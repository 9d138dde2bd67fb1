/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What v3d is asked, as facts of its ABI (Linux include/uapi/drm/v3d_drm.h, drivers/gpu/drm/v3d/
 * v3d_drv.c, v3d_perfmon.c). */
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>

#define V3D_GET_PARAM _IOWR('d', 0x44, struct v3d_get_param)
#define V3D_PERFMON_CREATE _IOWR('d', 0x48, struct v3d_perfmon_create)
#define V3D_PERFMON_GET_VALUES _IOWR('d', 0x4a, struct v3d_perfmon_values)
#define V3D_PERFMON_GET_COUNTER _IOWR('d', 0x4c, struct v3d_perfmon_counter)
#define V3D_PERFMON_SET_GLOBAL _IOW('d', 0x4d, struct v3d_perfmon_global)

/* A performance monitor has no more counters than this. */
#define V3D_MONITOR_COUNTERS 32

enum v3d_param {
	V3D_CORE0_IDENT1 = 5,		/* a register: [7:4] slices, [11:8] QPUs of each */
	V3D_MAX_PERF_COUNTERS = 13,	/* since Linux 6.11 */
};

/* The kernel wants pad to be 0, and value as well where it reads a register. */
struct v3d_get_param {
	uint32_t param, pad;
	uint64_t value;
};

struct v3d_perfmon_create {
	uint32_t id;			/* out */
	uint32_t n_counters;
	uint8_t counters[V3D_MONITOR_COUNTERS];
};

struct v3d_perfmon_values {
	uint32_t id, pad;
	uint64_t values_ptr;		/* of [n_counters] 64-bit sums since the monitor was made */
};

/* Strings end with a zero. The kernel wants reserved to be 0. Since Linux 6.11. */
struct v3d_perfmon_counter {
	uint8_t counter;		/* in */
	uint8_t name[64], category[32], description[256];
	uint8_t reserved[7];
};

/* Only one monitor counts the jobs of everybody; until it is taken back by its owner, jobs that
 * bring monitors of their own are refused. Since Linux 6.14. */
struct v3d_perfmon_global {
	uint32_t flags;			/* 1: take it back */
	uint32_t id;
};

_Static_assert(sizeof(struct v3d_get_param) == 16 && V3D_GET_PARAM == 0xc0106444, "GET_PARAM");
_Static_assert(sizeof(struct v3d_perfmon_create) == 40 && V3D_PERFMON_CREATE == 0xc0286448,
	"PERFMON_CREATE");
_Static_assert(sizeof(struct v3d_perfmon_values) == 16 && V3D_PERFMON_GET_VALUES == 0xc010644a,
	"PERFMON_GET_VALUES");
_Static_assert(sizeof(struct v3d_perfmon_counter) == 360 && V3D_PERFMON_GET_COUNTER == 0xc168644c,
	"PERFMON_GET_COUNTER");
_Static_assert(sizeof(struct v3d_perfmon_global) == 8 && V3D_PERFMON_SET_GLOBAL == 0x4008644d,
	"PERFMON_SET_GLOBAL");
