/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "mig": the instances that a GPU is divided into (MIG), each with its own numbers. The
 * source "nvml" feeds it. */
#ifndef BACKENDS_NVIDIA_NVML_INSTANCES_H
#define BACKENDS_NVIDIA_NVML_INSTANCES_H

#include "backends/common/backend.h"

struct nvml_instances;

struct nvml_instances *nvml_instances_new(void);
/* Takes a line that begins with "instance " or "of "; others are not for it. Returns whether it was. */
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

#endif
