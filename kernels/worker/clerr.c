/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The codes that a program can meet, from the OpenCL 1.2 specification and cl_khr_icd. */
#include "config.h"

#include "kernels/worker/worker.h"

#include "base/mem.h"

#define HINT_DRIVER "install the OpenCL driver of the device: intel-opencl-icd, mesa-opencl-icd, or pocl-opencl-icd for the CPU"
#define HINT_SMALLER "try fewer groups, a smaller group or another width"
#define HINT_RESET "the driver may have reset the device: see 'dmesg', and try shorter launches (--repeat)"

static const struct clerr_row {
	int code;
	const char *name;
	enum err_code is;
	const char *hint;
} rows[] = {
	{ -1, "CL_DEVICE_NOT_FOUND", ERR_NO_DEVICE, HINT_DRIVER },
	{ -2, "CL_DEVICE_NOT_AVAILABLE", ERR_BUSY, "the device is used by somebody else or asleep; see 'clinfo'" },
	{ -3, "CL_COMPILER_NOT_AVAILABLE", ERR_UNSUPPORTED, "this OpenCL driver has no compiler" },
	{ -4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", ERR_SYS, HINT_SMALLER },
	{ -5, "CL_OUT_OF_RESOURCES", ERR_SYS, HINT_RESET },
	{ -6, "CL_OUT_OF_HOST_MEMORY", ERR_SYS, "close other programs, or use fewer groups" },
	{ -11, "CL_BUILD_PROGRAM_FAILURE", ERR_UNSUPPORTED, "the log has what the driver's compiler said; try another width or precision" },
	{ -36, "CL_INVALID_COMMAND_QUEUE", ERR_SYS, HINT_RESET },
	{ -45, "CL_INVALID_PROGRAM_EXECUTABLE", ERR_UNSUPPORTED, "try another width or precision" },
	{ -52, "CL_INVALID_KERNEL_ARGS", ERR_SYS, "" },
	{ -54, "CL_INVALID_WORK_GROUP_SIZE", ERR_USAGE, "try a smaller group (--tpb)" },
	{ -55, "CL_INVALID_WORK_ITEM_SIZE", ERR_USAGE, "try a smaller group (--tpb)" },
	{ -61, "CL_INVALID_BUFFER_SIZE", ERR_UNSUPPORTED, HINT_SMALLER },
	{ -63, "CL_INVALID_GLOBAL_WORK_SIZE", ERR_USAGE, HINT_SMALLER },
	{ -1001, "CL_PLATFORM_NOT_FOUND_KHR", ERR_NO_DEVICE, HINT_DRIVER },
};

bool clerr_set(struct err *err, int code, const char *what)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].code != code)
			continue;
		err_set(err, rows[i].is, "%s: %s (%d)", what, rows[i].name, code);
		if (*rows[i].hint)
			err_hint(err, "%s", rows[i].hint);
		return false;
	}
	err_set(err, ERR_SYS, "%s: OpenCL error %d", what, code);
	return err_hint(err, "see what 'clinfo' says of the device");
}
