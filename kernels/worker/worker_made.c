/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the driver what its compiler made of a kernel, and writes the program for people. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <math.h>
#include <stdlib.h>

#include "base/fsroot.h"
#include "base/mem.h"

/* Khronos cl_ext.h: extension cl_khr_subgroups. */
#define KERNEL_MAX_SUB_GROUP_SIZE 0x2033
/* The same: extension cl_intel_required_subgroup_size. */
#define KERNEL_SPILL_MEM_SIZE 0x4109

typedef cl_int (*sub_group_info_fn)(cl_kernel kernel, cl_device_id id, cl_uint what,
	size_t in_size, const void *in, size_t out_size, void *out, size_t *needed);

/* Returns how many work-items share an instruction. A CPU's compiler joins work-items as it likes
 * and tells the size of the group. */
static double simd_of(const struct load *l)
{
	size_t group = (size_t)l->group_size, simd = 0;
	sub_group_info_fn info;

	if (l->d->cpu || !device_has_extension(l->d->id, "cl_khr_subgroups"))
		return NAN;
	/* The address of a function comes as that of an object. */
	*(void **)&info = clGetExtensionFunctionAddressForPlatform(
		l->d->platform, "clGetKernelSubGroupInfoKHR");
	if (!info || info(l->kernel, l->d->id, KERNEL_MAX_SUB_GROUP_SIZE, sizeof(group), &group,
			     sizeof(simd), &simd, NULL) != CL_SUCCESS || !simd)
		return NAN;
	return (double)simd;
}

static double bytes_of(const struct load *l, cl_kernel_work_group_info what)
{
	cl_ulong bytes = 0;

	if (clGetKernelWorkGroupInfo(l->kernel, l->d->id, what, sizeof(bytes), &bytes, NULL) !=
		CL_SUCCESS)
		return NAN;
	return (double)bytes;
}

void load_made(const struct load *l, struct kernel_made *out)
{
	out->simd = simd_of(l);
	out->private_bytes = bytes_of(l, CL_KERNEL_PRIVATE_MEM_SIZE);
	out->spill_bytes = NAN;
	if (device_has_extension(l->d->id, "cl_intel_required_subgroup_size"))
		out->spill_bytes = bytes_of(l, KERNEL_SPILL_MEM_SIZE);
}

bool program_write(const struct program *p, const char *folder, const char *kernel, struct err *err)
{
	char *path = xasprintf("%s/%s.bin", folder, kernel);
	size_t size = 0;
	cl_int code = clGetProgramInfo(
		p->program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL);
	unsigned char *binary = xmalloc(size + 1);
	bool good = false;

	if (code == CL_SUCCESS)
		code = clGetProgramInfo(
			p->program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL);
	if (code != CL_SUCCESS)
		clerr_set(err, code, "the driver does not hand out its program");
	else if (!size)
		err_set(err, ERR_UNSUPPORTED, "the driver does not hand out its program");
	else
		good = file_replace(path, (const char *)binary, size, err);
	free(binary);
	free(path);
	return good;
}
