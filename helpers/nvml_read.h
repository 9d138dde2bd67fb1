/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One GPU as NVIDIA's library tells it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/nvidia/nvml_proto.h"
#include "helpers/nvml_api.h"

/* Two samples of the performance monitor in turns. */
struct nvml_gpm {
	struct nvml_sample *samples[2];
	int64_t sample_ns;
	int sample;		/* the newer one; -1: none yet */
};

struct nvml_gpu {
	struct nvml_api api;
	struct nvml_device *device;
	uint64_t values[NVML_VALUES];
	int codes[NVML_VALUES];		/* nvmlReturn_t: whether there is a number */
	/* counters of the library that wrap, and what they have grown to */
	uint64_t last[NVML_VALUES];
	bool seen[NVML_VALUES];
	struct nvml_event_set *events;
	int events_code;
	struct nvml_gpm gpm;
	int gpm_code;			/* NVML_OK: this GPU has the monitor */
	/* its counters of cycles at the last reading, where it has them, by the rows of nvml_read.c */
	double cycles[NVML_VALUES], elapsed;
	/* the bytes of the PCIe link: what it can do, whether they are counted in 32 bits, when
	 * they were read last, whether that was too long ago since they were told, and whether the
	 * library has looked at the link instead, each way */
	double link_max_bytes_per_s;
	bool link_wraps, link_lost, has_looked[2];
	int64_t link_ns;
	struct nvml_gpm_metrics metrics;
};

/* A call of a function that this library may lack. */
#define NVML_CALL(gpu, member, ...) \
	((gpu)->api.member ? (gpu)->api.member(__VA_ARGS__) : NVML_FUNCTION_NOT_FOUND)

/* Prepares events and samples of the GPU that device is; gpm_code says whether it has the
 * performance monitor. */
void nvml_read_begin(struct nvml_gpu *g);
/* Writes the memory of a device, which may be an instance (MIG), into codes and values,
 * [NVML_VALUES]. */
void nvml_read_memory(struct nvml_gpu *g, struct nvml_device *device, int *codes, uint64_t *values);
/* Allocates both samples; returns nvmlReturn_t. */
int nvml_gpm_begin(struct nvml_gpu *g, struct nvml_gpm *gpm);
/* Takes a sample of the GPU, or of one of its instances (NVML_WHOLE: of the GPU), and writes the
 * shares since the one before. Nothing changes when that is too recent. Returns false when there
 * are no shares. */
#define NVML_WHOLE UINT32_MAX
bool nvml_gpm_read(struct nvml_gpu *g, struct nvml_gpm *gpm, uint32_t instance, int64_t now_ns,
	int *codes, uint64_t *values);
/* Reads the bytes of the PCIe link alone. */
void nvml_read_link_bytes(struct nvml_gpu *g, int64_t now_ns);
/* Returns how often that is to be done, so that no counter comes around unseen; INT_MAX: as often
 * as everything else. */
int nvml_link_period_ms(const struct nvml_gpu *g);
/* Reads all values that the library gives now. */
void nvml_read(struct nvml_gpu *g, int64_t now_ns);
