/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What msm is asked, as facts of its ABI (Linux include/uapi/drm/msm_drm.h, drivers/gpu/drm/msm/
 * msm_perfcntr.c). */
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>

#define MSM_GET_PARAM _IOWR('d', 0x40, struct msm_param)
#define MSM_PERFCNTR_CONFIG _IOW('d', 0x4e, struct msm_perfcntr_config)

#define MSM_PIPE_3D 0x10

enum msm_param_id {
	MSM_CHIP_ID = 3,	/* the lower 32 bits; a bin of speed stands above them */
	MSM_MAX_FREQ = 4,	/* Hz */
};

struct msm_param {
	uint32_t pipe, param;
	uint64_t value;
	uint32_t len, pad;
};

/* The answer of the ioctl is a descriptor. One stream at a time counts for everybody. */
#define MSM_PERFCNTR_STREAM 0x1
/* With E2BIG, n_countables come back as what is free. */
#define MSM_PERFCNTR_UPDATE 0x2

struct msm_perfcntr_group {
	char name[16];
	uint32_t n_countables, pad;
	uint64_t countables;		/* of [n_countables] 32-bit numbers */
};

struct msm_perfcntr_config {
	uint32_t flags, n_groups;
	uint64_t groups;
	uint64_t period_ns;
	uint32_t buffer_shift;		/* the buffer has 2^shift bytes, 128 MiB at most */
	uint32_t group_stride;
};

/* What read() gives for each period, with a 64-bit register for each countable behind it, in the
 * order in which they were asked for. A read ends where the ring ends, also within a sample. */
struct msm_sample_head {
	uint64_t ticks;			/* of the clock that never stops */
	uint32_t number;		/* 0: what was counted before does not belong to it */
	uint32_t zero;
};

/* The clock that never stops (Mesa src/freedreno/ds/fd_pps_driver.cc). */
#define MSM_TICKS_HZ 19200000

_Static_assert(sizeof(struct msm_param) == 24 && MSM_GET_PARAM == 0xc0186440, "GET_PARAM");
_Static_assert(sizeof(struct msm_perfcntr_group) == 32, "group");
_Static_assert(sizeof(struct msm_perfcntr_config) == 32 && MSM_PERFCNTR_CONFIG == 0x4020644e,
	"PERFCNTR_CONFIG");
_Static_assert(sizeof(struct msm_sample_head) == 16, "sample");
