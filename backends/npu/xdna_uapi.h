/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What amdxdna is asked, as facts of its ABI (Linux include/uapi/drm/amdxdna_accel.h). */
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>

#define XDNA_GET_INFO _IOWR('d', 0x47, struct xdna_get_info)

enum xdna_query {
	XDNA_QUERY_METADATA = 1,
	XDNA_QUERY_CLOCKS = 3,
	XDNA_QUERY_SENSORS = 4,
	XDNA_QUERY_CONTEXTS = 5,
};

/* size goes in as the room there is. It comes back as it was, as what was written (of sensors), or
 * as what is left (of contexts, in some versions). */
struct xdna_get_info {
	uint32_t query, size;
	uint64_t buffer;
};

/* The array of compute tiles. Three descriptions of 16 bytes follow: of core, memory and edge tiles. */
struct xdna_metadata {
	uint32_t column_bytes;
	uint16_t columns, rows;
	uint32_t version_major, version_minor;
	uint8_t tiles[3][16];
};

struct xdna_clock {
	uint8_t name[16];
	uint32_t mhz, pad;
};

struct xdna_clocks {
	struct xdna_clock controller, array;	/* "MP-NPU clock" and "H clock" */
};

enum xdna_sensor_type { XDNA_SENSOR_POWER, XDNA_SENSOR_COLUMN };

/* A number without a prefix of its unit is input * 10^exponent: of power, watts. */
struct xdna_sensor {
	uint8_t label[64];
	uint32_t input, max, average, highest;
	uint8_t status[64], units[16];
	int8_t exponent;
	uint8_t type, pad[6];
};

/* id: from 1 on. */
struct xdna_context {
	uint32_t id, first_column, columns, pad;
	int64_t pid;
	uint64_t submissions, completions, migrations, preemptions, errors;
};

_Static_assert(sizeof(struct xdna_get_info) == 16 && XDNA_GET_INFO == 0xc0106447, "GET_INFO");
_Static_assert(sizeof(struct xdna_metadata) == 64, "metadata");
_Static_assert(sizeof(struct xdna_clocks) == 48, "clocks");
_Static_assert(sizeof(struct xdna_sensor) == 168, "sensor");
_Static_assert(sizeof(struct xdna_context) == 64, "context");
