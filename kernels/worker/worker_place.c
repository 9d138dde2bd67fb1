/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a launch of the load's shape where its groups run, with functions that Intel's compiler has. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* cl_intel_device_attribute_query: the version of the graphics, its first number in the upper ten
 * bits */
#define DEVICE_IP_VERSION_INTEL 0x4250
#define IP_VERSION_SHIFT 22
#define VENDOR_INTEL 0x8086
/* An item stays some 50,000 cycles, which is long beside the dispatch of a group. */
#define TURNS 4096
#define ROW (PLACEMENT_EUS + 1)
#define WORDS (PLACEMENT_SLICES * PLACEMENT_SUBSLICES * ROW + 1)

/* Returns why the device cannot be asked, or NULL. options are the compiler's. */
static const char *refuse(const struct device_facts *d, bool emulated, const char **options)
{
	cl_uint vendor = 0, version = 0;

	*options = "-D EMULATED";
	if (emulated)
		return NULL;
	clGetDeviceInfo(d->id, CL_DEVICE_VENDOR_ID, sizeof(vendor), &vendor, NULL);
	if (d->cpu || vendor != VENDOR_INTEL)
		return "this OpenCL device does not tell where its work-groups run: only Intel's "
			  "compiler for GPUs has functions for it";
	if (clGetDeviceInfo(d->id, DEVICE_IP_VERSION_INTEL, sizeof(version), &version, NULL) !=
		CL_SUCCESS)
		return "this driver does not say which generation the GPU is, which tells what "
			  "its numbers of subslices mean: a newer one does";
	/* What topologies call a subslice is the dual subslice of the state register from Gen11 to
	 * Xe-HPC (intel-graphics-compiler, RTBuilder.cpp, getDualSubsliceIDBitsInSR0). */
	version >>= IP_VERSION_SHIFT;
	*options = version >= 11 && version < 20 ? "-D DUAL" : "";
	return NULL;
}

static bool tell(const struct worker_session *s, const struct proto_place *place, struct err *err)
{
	struct proto_message m = { .verb = PROTO_PLACE, .place = *place };

	return proto_send(s->fd, &m, err);
}

static bool tell_table(const struct worker_session *s, const cl_uint *table, struct err *err)
{
	for (int i = 0; i < PLACEMENT_SLICES * PLACEMENT_SUBSLICES; i++) {
		const cl_uint *row = table + i * ROW;
		struct proto_place place = { .slice = (uint64_t)(i / PLACEMENT_SUBSLICES),
			.subslice = (uint64_t)(i % PLACEMENT_SUBSLICES),
			.groups = row[PLACEMENT_EUS] };

		for (int eu = 0; eu < PLACEMENT_EUS; eu++)
			place.items[eu] = row[eu];
		if (place.groups && !tell(s, &place, err))
			return false;
	}
	return true;
}

/* Runs the probe once and reads its table. */
static bool launch(const struct load *l, cl_kernel kernel, cl_mem buffer, cl_uint *table,
	struct err *err)
{
	const cl_uint zero = 0, turns = TURNS;
	size_t global = l->groups * l->group_size, local = l->group_size;
	cl_command_queue queue = l->d->queue;
	cl_int code = clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0,
		WORDS * sizeof(cl_uint), 0, NULL, NULL);

	if (code == CL_SUCCESS)
		code = clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	if (code == CL_SUCCESS)
		code = clSetKernelArg(kernel, 1, sizeof(turns), &turns);
	if (code == CL_SUCCESS)
		code = clEnqueueNDRangeKernel(
			queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
	if (code == CL_SUCCESS)
		code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, WORDS * sizeof(cl_uint),
			table, 0, NULL, NULL);
	return code == CL_SUCCESS ||
		clerr_set(err, code, "the kernel that asks where groups run does not run");
}

static bool probe(const struct load *l, const char *options, cl_uint *table, struct err *err)
{
	struct program program = { 0 };
	cl_int code = CL_SUCCESS;
	bool good = false;

	if (!program_build(&program, l->d, l->cache, "place.cl", options, err))
		return false;
	cl_kernel kernel = clCreateKernel(program.program, "rt_place", &code);
	cl_mem buffer = NULL;
	if (code == CL_SUCCESS)
		buffer = clCreateBuffer(l->d->context, CL_MEM_READ_WRITE, WORDS * sizeof(cl_uint),
			NULL, &code);
	if (code == CL_SUCCESS)
		good = launch(l, kernel, buffer, table, err);
	else
		clerr_set(err, code, "the kernel that asks where groups run cannot be made");
	if (good)
		program_keep(&program, l->cache);
	if (buffer)
		clReleaseMemObject(buffer);
	if (kernel)
		clReleaseKernel(kernel);
	program_release(&program);
	return good;
}

bool place_tell(
	const struct worker_session *s, const struct load *l, bool emulated, struct err *err)
{
	cl_uint *table = xcalloc(WORDS, sizeof(*table));
	struct proto_place nowhere = { 0 };
	struct err failure = { 0 };
	const char *options, *reason = refuse(l->d, emulated, &options);
	bool good;

	if (!reason && !probe(l, options, table, &failure))
		reason = failure.msg;
	/* A load runs as well where nobody knows. */
	if (reason) {
		snprintf(nowhere.reason, sizeof(nowhere.reason), "%.*s",
			(int)sizeof(nowhere.reason) - 1, reason);
		good = tell(s, &nowhere, err);
	} else {
		good = tell_table(s, table, err);
	}
	free(table);
	return good;
}
