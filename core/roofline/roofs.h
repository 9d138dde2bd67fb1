/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured roofs and the file that keeps them for a device: text with a version, its number of
 * roofs and a checksum. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/value/device.h"
#include "core/metric/metric.h"

#define ROOF_FILE_MAX 32

/* One roof as it was measured. Plain data. */
struct roof_record {
	enum roof_role role;		/* ROOF_FLOP or ROOF_BYTES */
	char name[ROOF_NAME_SIZE];
	double value;			/* FLOP/s or B/s */
	double clock_hz;		/* the clock meanwhile; 0 when unknown */
	int64_t wall_ns;		/* when it was measured */
	char kernel[48];		/* the kernel that measured it */
};

/* Plain data. A zero-initialised struct is empty. */
struct roof_file {
	char device[96];		/* the device that was measured */
	char runner[128];		/* OpenCL device and driver */
	struct roof_record records[ROOF_FILE_MAX];
	int n;
};

/* Writes $XDG_STATE_HOME/rooftop/roofs-KEY to buf; the key is made of what identifies the device.
 * name: of a simulated device all that it was called by; where no device is open, NULL, what runs
 * kernels. Returns false when there is no place for state. */
bool roof_file_path(const struct device *dev, const char *name, char *buf, size_t size);
/* Loads a file; one that does not exist is empty. One that is damaged or of another version is
 * refused: err says so, and no roof in it is used. */
bool roof_file_load(struct roof_file *f, const char *path, struct err *err);
/* Replaces the file in one step, and makes its folders. */
bool roof_file_save(const struct roof_file *f, const char *path, struct err *err);
/* Replaces the record of the same role and name, or adds it; returns false when the file is
 * full. */
bool roof_file_put(struct roof_file *f, const struct roof_record *r);
