/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What panfrost is asked, as facts of its ABI (Linux include/uapi/drm/panfrost_drm.h,
 * drivers/gpu/drm/panfrost/panfrost_drv.c, panfrost_perfcnt.c). */
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>

#define PANFROST_GET_PARAM _IOWR('d', 0x44, struct panfrost_get_param)
#define PANFROST_PERFCNT_ENABLE _IOW('d', 0x46, struct panfrost_perfcnt_enable)
#define PANFROST_PERFCNT_DUMP _IOW('d', 0x47, struct panfrost_perfcnt_dump)

/* The kernel wants pad to be 0. */
struct panfrost_get_param {
	uint32_t param, pad;
	uint64_t value;
};

/* These are registers of the GPU, which the driver has cached. */
enum panfrost_param {
	PANFROST_PROD_ID = 0,		/* GPU_ID >> 16 */
	PANFROST_REVISION = 1,		/* the lower half */
	PANFROST_SHADER_PRESENT = 2,
	PANFROST_L2_FEATURES = 8,
	PANFROST_CORE_FEATURES = 9,
	PANFROST_MEM_FEATURES = 11,	/* [11:8] L2 slices - 1 */
	PANFROST_THREAD_FEATURES = 13,
	PANFROST_LAST_PARAM = 44,
};

/* The primary counter set is number 0. */
struct panfrost_perfcnt_enable {
	uint32_t enable, counterset;
};

/* The caller must know how large a dump is. */
struct panfrost_perfcnt_dump {
	uint64_t buf_ptr;
};

_Static_assert(
	sizeof(struct panfrost_get_param) == 16 && PANFROST_GET_PARAM == 0xc0106444, "GET_PARAM");
_Static_assert(sizeof(struct panfrost_perfcnt_enable) == 8 && PANFROST_PERFCNT_ENABLE == 0x40086446,
	"PERFCNT_ENABLE");
_Static_assert(sizeof(struct panfrost_perfcnt_dump) == 8 && PANFROST_PERFCNT_DUMP == 0x40086447,
	"PERFCNT_DUMP");
