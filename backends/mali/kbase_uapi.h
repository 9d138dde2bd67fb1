/* SPDX-License-Identifier: GPL-3.0-or-later AND MIT
 * SPDX-FileCopyrightText: 2026 rooftop developers, 2021-2026 Arm Limited (libGPUCounters) */
/* What Arm's driver kbase is asked through /dev/mali0, as facts of its ABI: numbers and layouts
 * from libGPUCounters 2.4, backend/device/src/device/ioctl (job manager GPUs, interfaces since
 * r21). */
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>

/* --- the device --- */

/* Interfaces before r21: a header of eight bytes in front. */
struct kbase_old_version {
	uint64_t header __attribute__((aligned(8)));	/* on i386 too */
	uint16_t major, minor;
};

struct kbase_version {
	uint16_t major, minor;
};

struct kbase_set_flags {
	uint32_t flags;
};

#define KBASE_MONITOR_FLAGS 2	/* a system monitor that submits no work */

struct kbase_get_gpuprops {
	uint64_t buffer;
	uint32_t size;		/* 0: the ioctl returns how many bytes there are */
	uint32_t flags;
};

/* Properties are packed: a word with id << 2 | log2 of the bytes of the value, and the value. */
enum kbase_prop {
	KBASE_PROP_MAX_KHZ = 6,
	KBASE_PROP_L2_SLICES = 15,
	KBASE_PROP_SHADER_PRESENT = 25,
	KBASE_PROP_L2_FEATURES = 29,
	KBASE_PROP_CORE_FEATURES = 30,
	KBASE_PROP_GPU_ID = 55,
	KBASE_PROP_THREAD_FEATURES = 59,
	KBASE_PROP_CORE_GROUPS = 62,
	KBASE_PROP_CORE_MASK = 64,	/* one for each of up to 16 groups */
	KBASE_PROP_LAST_CORE_MASK = 79,
	KBASE_PROP_ENGINES = 82,
};

#define KBASE_OLD_VERSION_CHECK _IOWR(0x80, 0x0, struct kbase_old_version)
#define KBASE_VERSION_CHECK _IOWR(0x80, 0x0, struct kbase_version)
#define KBASE_CSF_VERSION_CHECK _IOWR(0x80, 0x34, struct kbase_version)
#define KBASE_SET_FLAGS _IOW(0x80, 0x1, struct kbase_set_flags)
#define KBASE_GET_GPUPROPS _IOW(0x80, 0x3, struct kbase_get_gpuprops)

/* --- vinstr: 32-bit dumps in buffers --- */

/* Masks: a bit for four words. The ioctl returns a descriptor. */
struct kbase_hwcnt_reader_setup {
	uint32_t buffers, jm, shader, tiler, mmu_l2;
};

struct vinstr_buffer {
	uint64_t timestamp_ns;	/* CLOCK_MONOTONIC_RAW */
	uint32_t event, index;
};

struct vinstr_buffer_cycles {
	struct vinstr_buffer buffer;
	uint64_t top_cycles, shader_cycles;	/* since the last dump */
};

struct vinstr_version {
	uint32_t version, features;
};

#define VINSTR_TOP_CYCLES 1	/* features */
#define VINSTR_SHADER_CYCLES 2

#define KBASE_HWCNT_READER_SETUP _IOW(0x80, 0x8, struct kbase_hwcnt_reader_setup)
#define VINSTR_GET_BUFFER_SIZE _IOR(0xbe, 0x01, uint32_t)
#define VINSTR_DUMP _IOW(0xbe, 0x10, uint32_t)
#define VINSTR_CLEAR _IOW(0xbe, 0x11, uint32_t)
#define VINSTR_GET_BUFFER _IOR(0xbe, 0x20, struct vinstr_buffer)
#define VINSTR_GET_BUFFER_CYCLES _IOR(0xbe, 0x20, struct vinstr_buffer_cycles)
#define VINSTR_PUT_BUFFER _IOW(0xbe, 0x21, struct vinstr_buffer)
#define VINSTR_PUT_BUFFER_CYCLES _IOW(0xbe, 0x21, struct vinstr_buffer_cycles)
#define VINSTR_SET_INTERVAL _IOW(0xbe, 0x30, uint32_t)
#define VINSTR_GET_VERSION _IOW(0xbe, 0xff, struct vinstr_version)

/* --- kinstr_prfcnt: 64-bit values with a list of what they are --- */

enum kinstr_item {
	KINSTR_END = 0,			/* as a request or as metadata */
	KINSTR_ENUM_BLOCK = 0,		/* in the list of what there is, which ends by its count */
	KINSTR_ENUM_REQUEST = 1,
	KINSTR_ENUM_SAMPLE = 2,
	KINSTR_MODE = 0x1000,
	KINSTR_ENABLE = 0x1001,
	KINSTR_SAMPLE = 0x2000,
	KINSTR_CLOCK = 0x2001,
	KINSTR_BLOCK = 0x2002,
};

struct kinstr_header {
	uint16_t type, version;
	uint8_t pad[4];
};

struct kinstr_enum_item {
	struct kinstr_header h;
	union {
		struct {
			uint8_t kind, set, pad[2];
			uint16_t instances, values;
			uint64_t mask[2];
		} block;
		struct {
			uint16_t type, pad;
			uint32_t versions;
		} request;
		struct {
			uint32_t clocks, pad;
		} sample;
	};
};

struct kinstr_request {
	struct kinstr_header h;
	union {
		struct {
			uint8_t mode, pad[7];	/* 0: by hand */
			uint64_t period_ns;
		} mode;
		struct {
			uint8_t kind, set, pad[6];
			uint64_t mask[2];	/* a bit for a word */
		} enable;
	};
};

enum kinstr_kind {
	KINSTR_FRONT_END,
	KINSTR_TILER,
	KINSTR_MEMORY,
	KINSTR_SHADER_CORE,
	KINSTR_KINDS
};

#define KINSTR_MAX_CLOCKS 4

struct kinstr_metadata {
	struct kinstr_header h;
	union {
		struct {
			uint64_t start_ns, end_ns, sequence, user_data;
			uint32_t flags, pad;
		} sample;
		struct {
			uint32_t n, pad;
			uint64_t cycles[KINSTR_MAX_CLOCKS];
		} clock;
		struct {
			uint8_t kind, index, set, pad;
			uint32_t state, values_offset, pad2;
		} block;
	};
};

#define KINSTR_SAMPLE_ERROR (1u << 30)

struct kbase_kinstr_enum_info {
	uint32_t item_bytes, items;
	uint64_t list;		/* 0: only the two above are written */
};

union kbase_kinstr_setup {
	struct {
		uint32_t items, item_bytes;
		uint64_t requests;
	} in;
	struct {
		uint32_t metadata_bytes, mmap_bytes;
	} out;
};

enum kinstr_command {
	KINSTR_START = 1,
	KINSTR_STOP,
	KINSTR_SAMPLE_SYNC,
	KINSTR_SAMPLE_ASYNC,
	KINSTR_DISCARD
};

struct kinstr_control {
	uint16_t command, pad[3];
	uint64_t user_data;
};

/* offset: of the metadata in the mapping. */
struct kinstr_access {
	uint64_t sequence, offset;
};

#define KBASE_KINSTR_ENUM_INFO _IOWR(0x80, 0x38, struct kbase_kinstr_enum_info)
#define KBASE_KINSTR_SETUP _IOWR(0x80, 0x39, union kbase_kinstr_setup)
#define KINSTR_COMMAND _IOW(0xbf, 0x0, struct kinstr_control)
#define KINSTR_GET_SAMPLE _IOR(0xbf, 0x1, struct kinstr_access)
#define KINSTR_PUT_SAMPLE _IOW(0xbf, 0x10, struct kinstr_access)

_Static_assert(KBASE_OLD_VERSION_CHECK == 0xc0108000 && KBASE_VERSION_CHECK == 0xc0048000 &&
		KBASE_CSF_VERSION_CHECK == 0xc0048034,
	"VERSION_CHECK");
_Static_assert(KBASE_SET_FLAGS == 0x40048001 && KBASE_GET_GPUPROPS == 0x40108003,
	"SET_FLAGS, GET_GPUPROPS");
_Static_assert(KBASE_HWCNT_READER_SETUP == 0x40148008, "HWCNT_READER_SETUP");
_Static_assert(VINSTR_GET_BUFFER_SIZE == 0x8004be01 && VINSTR_DUMP == 0x4004be10 &&
		VINSTR_CLEAR == 0x4004be11,
	"vinstr");
_Static_assert(VINSTR_GET_BUFFER == 0x8010be20 && VINSTR_GET_BUFFER_CYCLES == 0x8020be20,
	"vinstr GET_BUFFER");
_Static_assert(VINSTR_PUT_BUFFER == 0x4010be21 && VINSTR_PUT_BUFFER_CYCLES == 0x4020be21,
	"vinstr PUT_BUFFER");
_Static_assert(
	VINSTR_SET_INTERVAL == 0x4004be30 && VINSTR_GET_VERSION == 0x4008beff, "vinstr version");
_Static_assert(KBASE_KINSTR_ENUM_INFO == 0xc0108038 && KBASE_KINSTR_SETUP == 0xc0108039,
	"kinstr_prfcnt setup");
_Static_assert(KINSTR_COMMAND == 0x4010bf00 && KINSTR_GET_SAMPLE == 0x8010bf01 &&
		KINSTR_PUT_SAMPLE == 0x4010bf10,
	"kinstr_prfcnt");
_Static_assert(sizeof(struct kinstr_enum_item) == 32 && sizeof(struct kinstr_request) == 32 &&
		sizeof(struct kinstr_metadata) == 48,
	"kinstr_prfcnt items");
