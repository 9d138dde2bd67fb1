/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of commands that put kernels on a device, and these commands. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cli/option_table.h"

#define LOAD_OPTIONS(X) \
	X("blocks", 0, "N", ONCE, "work-groups of a launch", option_count, LOAD(blocks), .max = UINT32_MAX) \
	X("tpb", 0, "N", ONCE, "work-items of a group", option_count, LOAD(tpb), .max = UINT32_MAX) \
	X("loop", 0, "N", ONCE, "how often each work-item repeats the kernel's body", option_count, LOAD(loop), .max = UINT32_MAX) \
	X("launches", 0, "N", ONCE, "end a kernel after so many launches", option_count, LOAD(launches), .max = INT64_MAX) \
	X("time", 0, "SECS", ONCE, "end a kernel after so long; without it 2 s; check: the long load of --level 3", option_duration, LOAD(time_ns), .min = 20 * NS_PER_MS, .max = 86400 * NS_PER_S, \
		.allowed = "0.02 to 86400 seconds, also as 500ms or 5m") \
	X("repeat", 0, "N", ONCE, "run each kernel, point or command so often; medians, smallest and largest", option_count, LOAD(repeat), .max = 1000) \
	X("power-smoothing", 0, NULL, ONCE, "longer runs for steady power: medians of 10 runs (or of --repeat)", option_flag, LOAD(power_smoothing)) \
	X("power-plane", 0, "PLANE", ONCE, "whose watts count: package, gpu, or duarte: package less cores less DRAM", option_word, LOAD(power_plane), .words = power_planes) \
	X("profile", 0, NULL, ONCE, "also the times of launches, gaps and compiling", option_flag, LOAD(profile)) \
	X("validate", 0, NULL, ONCE, "results that could not be checked are a failure too (status 5)", option_flag, LOAD(validate)) \
	X("where", 0, NULL, ONCE, "stress: on which slices, subslices and EUs the groups of a launch run", option_flag, LOAD(where)) \
	X("tune", 0, NULL, ONCE, "look for the best shape first, and remember it", option_flag, LOAD(tune)) \
	X("beside", 0, "KERNEL", ONCE, "stress and sweep: what the processor runs meanwhile, such as mem.read.sp.x4", option_file, LOAD(beside)) \
	X("cl-device", 0, "DEV", ONCE, "OpenCL device: PLATFORM:DEVICE, a part of its name, pci:ADDRESS; help: list them", option_file, LOAD(cl_device)) \
	X("quiet", 0, NULL, ONCE, "write nothing but errors to the terminal", option_flag, LOAD(quiet)) \
	X("keep", 0, NULL, ONCE, "calibrate: keep the roofs of a simulated device, too", option_flag, LOAD(keep_simulated)) \
	X("dump-kernel", 0, NULL, ONCE, "stress: print the OpenCL C of the kernels, run nothing", option_flag, LOAD(dump_kernel)) \
	X("dump-binary", 0, "DIR", ONCE, "write each kernel as it was compiled to DIR/KERNEL.bin", option_named_file, LOAD(dump_binary)) \
	X("dump", 0, "FILE", ONCE, "stress: the metrics of every window, as CSV", option_file, LOAD(dump), .writes = FILE_FORM_CSV) \
	X("list", 0, NULL, ONCE, NULL, option_flag, LOAD(list_kernels))

struct load_options {
	uint64_t blocks, tpb, loop, launches, repeat;	/* 0: not given */
	int64_t time_ns;
	const char *power_plane;	/* of power_planes */
	bool power_smoothing, profile, validate, where, tune, list_kernels, dump_kernel, quiet,
		keep_simulated;
	const char *cl_device, *dump, *dump_binary, *beside;
};

/* Words of --power-plane, in the order of enum power_plane; NULL ends them. */
extern const char *const power_planes[];
extern const struct option_table load_options;
/* The check of commands whose rows of text have room for what was asked by name, not for a set. */
bool load_check_rows(struct options *o, struct err *err);
/* Refuses standard output for what keeps a run, because it has other lines or is the command's. */
bool load_check_kept(const struct options *o, struct err *err);
extern const struct subcommand stress_command, calibrate_command;

/* What all these commands take, and where counters of a set are counted beside them. */
#define KERNELS_TAKE \
	"delay batch json csv output overwrite device access power fsroot blocks tpb loop launches time repeat power-smoothing " \
	"power-plane profile validate tune cl-device dump-binary quiet"
/* What keeps a run. */
#define KEPT_TAKE " record trace"
#define COUNTED_TAKE " oa-period context set counter boolean metrics metrics-xml"

#define STRESS_WORDS "stress", "KERNEL...", "run kernels, show what they reach; KERNEL may be a pattern; help: list them"
#define CALIBRATE_WORDS "calibrate", "[ROOF...]", "measure roofs and keep them for the device; help: list them"
#define LOAD_COMMANDS(X) X(STRESS) X(CALIBRATE)

/* Two devices beside each other have no metrics of a set and no parts of a run. */
#define STRESS_FORMS(X) \
	X("stress of two devices", is_of_two, KERNELS_TAKE " -profile -dump-binary beside") \
	X("stress help", lists_kernels, "json csv output overwrite device fsroot cl-device list") \
	X("stress --dump-kernel", dumps_kernels, "output overwrite dump-kernel") \
	X("stress --where", places_groups, "json csv output overwrite device fsroot blocks tpb where cl-device") \
	X("stress", NULL, KERNELS_TAKE COUNTED_TAKE KEPT_TAKE " dump beside")

/* A roof is what the best shape reaches, so nobody chooses one for it. */
#define CALIBRATE_FORMS(X) X("calibrate", NULL, KERNELS_TAKE " -blocks -tpb -loop -launches" COUNTED_TAKE " plot keep")
