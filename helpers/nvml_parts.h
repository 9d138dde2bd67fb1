/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instances that a GPU is divided into (MIG), each with its memory and its performance monitor. */
#ifndef HELPERS_NVML_PARTS_H
#define HELPERS_NVML_PARTS_H

#include <stdio.h>

#include "helpers/nvml_read.h"

struct nvml_part {
	struct nvml_device *device;
	unsigned gpu_instance, compute_instance;
	struct nvml_attributes attributes;
	int gpm_code;		/* NVML_OK: it has the monitor */
	struct nvml_gpm gpm;
	int codes[NVML_VALUES];
	uint64_t values[NVML_VALUES];
};

struct nvml_parts {
	int n;
	struct nvml_part rows[NVML_PARTS_MAX];
};

/* Finds the instances and tells what they are. Returns nvmlReturn_t: whether it is known into which
 * instances the GPU is divided. */
int nvml_parts_begin(struct nvml_gpu *g, struct nvml_parts *p, FILE *out);
/* Whether the instances are others now. */
bool nvml_parts_changed(struct nvml_gpu *g, const struct nvml_parts *p);
/* Reads and tells the values of all. */
void nvml_parts_tell(struct nvml_gpu *g, struct nvml_parts *p, int64_t now_ns, FILE *out);
/* The instance in which a process runs, by its numbers; -1: none. */
int nvml_parts_find(const struct nvml_parts *p, unsigned gpu_instance, unsigned compute_instance);

#endif
