/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards of i915: how they are opened, what their node reports, and their ways to counters. */
#ifndef BACKENDS_INTEL_I915_I915_DEVICE_H
#define BACKENDS_INTEL_I915_I915_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/card/drm_node.h"
#include "backends/common/backend.h"
#include "core/value/device.h"

/* Fills in PCI id, revision, time stamp frequency and topology as the kernel knows them. What it
 * does not report stays as it is, perf_revision too. */
bool i915_node_identify(
	const struct drm_node *n, struct device *d, int *perf_revision, struct err *err);
/* Reads the GPU's time stamp between two readings of CLOCK_MONOTONIC; takes the best of three. */
bool i915_node_correlate(
	const struct drm_node *n, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err);

/* A refused OA stream leaves the device with its clocks. Then their source is the primary one, and
 * the counters of the stream say why they are missing. Fails with the stream's refusal when nothing
 * at all can be read. */
bool i915_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);

/* Returns whether this build can read i915 streams at all; that needs libdrm's headers. */
bool i915_is_built_in(void);
/* Opens the node, fills what the kernel knows of the device, registers the set's programming, opens
 * the stream, and takes the registration away again. The kernel keeps it for the stream, so nothing
 * is left behind however the program ends. Returns NULL on failure; err names the object, the
 * reason and the way out. ERR_PARSE and ERR_USAGE are mistakes in the set, everything else is a
 * refusal by the machine. */
struct source *i915_stream_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);
/* Makes the source count another set: the stream is closed and opened again, so its descriptor may
 * be another one, and the next window begins after the gap. When it returns false with err, the
 * source counts what it did before, or has no stream any more and fails to read. */
bool i915_stream_reprogram(struct source *s, const struct device *d, const struct metric_set *set,
	struct err *err);

/* Returns whether registers could be read, from files alone and without touching the device; err
 * says why not. d is the device as listed. */
bool mmio_source_possible(const struct device *d, const struct fsroot *fs, struct err *err);
/* Opens the node and fills what the kernel knows of the device, maps the registers and wakes the
 * GPU. A set that programs something needs writable registers: the OA unit is switched on and
 * programmed, and given back as it was (mmio.h). A set that programs nothing is read without
 * writing, and gets only the counters that always run. Returns NULL with err like
 * i915_stream_open(). */
struct source *mmio_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

/* Returns whether the command streamer's reports can be used at all; err says why not. */
bool rpc_source_possible(const struct device *d, const struct fsroot *fs, struct err *err);
/* Opens the node, fills what the kernel knows of the device, opens a stream that gives no reports
 * of its own but keeps the unit programmed for the set, and makes the batch. Before Gen12 the
 * counters are those of the whole GPU. From Gen12 on the command streamer has a unit of its own
 * (OAR) that counts this program's context only. Returns NULL with err like i915_stream_open(). */
struct source *rpc_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

#endif
