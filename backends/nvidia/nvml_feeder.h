/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who gives the lines of nvml_proto.h: the program that loads NVIDIA's library, or a model. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "core/value/device.h"

typedef void nvml_take_fn(void *ctx, const char *line);

struct nvml_feeder;

struct nvml_feeder_ops {
	size_t size; /* of the feeder's own struct, in bytes */
	/* Optional. Begins, or begins again after an end. */
	bool (*start)(struct nvml_feeder *f, struct err *err);
	/* Hands over the lines that came until now_ns. Never blocks. Returns false at the end; then
	 * *said is what it said last. */
	bool (*lines)(struct nvml_feeder *f, int64_t now_ns, nvml_take_fn *take, void *ctx,
		const char **said);
	/* What can be waited for. NULL: it answers at once. */
	int (*fd)(const struct nvml_feeder *f);
	/* Reads so often from now on. */
	void (*set_period)(struct nvml_feeder *f, int64_t period_ns);
	/* Optional. Ends what runs; start() may follow. */
	void (*stop)(struct nvml_feeder *f);
	/* Optional. Gives back what it holds beside its memory; stop follows. */
	void (*close)(struct nvml_feeder *f);
};

/* Each kind is a struct of its own that begins with this one; nvml_feeder_new() allocates it, and
 * nvml_feeder_close() frees it. */
struct nvml_feeder {
	const struct nvml_feeder_ops *ops;
	bool is_model;		/* there is nothing that could sleep or hang */
	const char *how;	/* "NVML" */
};

/* Returns the zeroed struct of the kind that ops describes. */
void *nvml_feeder_new(const struct nvml_feeder_ops *ops, const char *how);
void nvml_feeder_stop(struct nvml_feeder *f);
void nvml_feeder_close(struct nvml_feeder *f);
/* The program, for the GPU at the device's PCI address. */
struct nvml_feeder *nvml_process_new(const struct fsroot *fs, const struct device *d);
