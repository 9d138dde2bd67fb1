/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "nvml": one GPU as NVIDIA's library tells it, through the program that loads it. */
#pragma once

#include "backends/common/backend.h"
#include "backends/nvidia/nvml_feeder.h"

#define NVML_PROCESSES_MAX 256
#define NVML_UNKNOWN UINT32_MAX

/* A process as the library tells it; the shares are per cents, NVML_UNKNOWN when it does not. */
struct nvml_user {
	int pid;
	uint64_t bytes;		/* UINT64_MAX: unknown */
	uint32_t sm, memory, encoder, decoder;
	int instance;		/* of a GPU that is divided (MIG); -1: none */
};

struct nvml_users {
	enum why why;
	int n;
	struct nvml_user rows[NVML_PROCESSES_MAX];
};

/* Takes the feeder over, starts it, unless the GPU sleeps, and waits a quarter of a second for what
 * it says of the GPU, which becomes constants of dev->device. Later answers ask for a new binding.
 * Never NULL: what fails is in refusal and is tried again. */
struct source *nvml_source_open(struct open_device *dev, const struct open_options *o,
	struct nvml_feeder *feeder, struct err *refusal);
/* The source of the instances that the GPU is divided into, as far as that was known when it was
 * opened; NULL: there are none. It lives as long as the source it comes from, which feeds it. */
struct source *nvml_source_instances(struct source *s);
/* Who used the GPU when the library was asked last; valid until the source is read again. */
const struct nvml_users *nvml_source_users(struct source *s);

/* The source "mig": the instances that a GPU is divided into (MIG), each with its own numbers. The
 * source "nvml" feeds it. */

struct nvml_instances;

struct nvml_instances *nvml_instances_new(void);
/* Takes a line that begins with "instance " or "of "; others are not for it. Returns whether it
 * was. */
bool nvml_instances_take(struct nvml_instances *s, const char *line);
/* Processes are told anew: n of them run in instance i. */
void nvml_instances_count(struct nvml_instances *s, int i, int n);
/* What was told is no longer so, for that reason. */
void nvml_instances_forget(struct nvml_instances *s, enum why why);
/* How many there are. */
int nvml_instances_n(const struct nvml_instances *s);
/* Whether the program that runs now tells of other instances than the feed has, when it has told
 * all; before there is a feed, whether it tells of any. */
bool nvml_instances_changed(const struct nvml_instances *s);
/* The source, which owns s from then on: its feed does not change any more. */
struct source *nvml_instances_source(struct nvml_instances *s, const char *how);
void nvml_instances_free(struct nvml_instances *s);
