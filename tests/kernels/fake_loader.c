/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loader of OpenCL with a driver that has the extensions which no driver here has: it loads the layer that it is given, calls each function
 * as cl_ext.h declares it, and prints which of them came to the driver with all their arguments. Commands end at once. */
#include "config.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <CL/cl_egl.h>
#include <CL/cl_ext.h>
#include <CL/cl_ext_intel.h>
#include <CL/cl_gl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUEUE ((cl_command_queue)&queue)
#define POINTER ((void *)&queue)
#define WAIT cl_uint n_wait, const cl_event *wait, cl_event *e

static cl_ulong queue, kernel;
static int event, arrived, refuses;
static cl_event waits[2];

static cl_ulong now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (cl_ulong)t.tv_sec * 1000000000u + (cl_ulong)t.tv_nsec;
}

/* The driver's side of each command: good says that its own arguments have come as they were given. */
static cl_int command(int good, cl_command_queue q, WAIT)
{
	arrived = good && q == QUEUE && n_wait == 2 && wait == waits && e;
	if (refuses)
		return CL_INVALID_VALUE;
	if (e)
		*e = (cl_event)&event;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL profiling(cl_event e, cl_profiling_info what, size_t size, void *v, size_t *ret)
{
	(void)e;
	(void)size;
	(void)ret;
	*(cl_ulong *)v = now() - (what == CL_PROFILING_COMMAND_END ? 0 : 1000);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL info(void *object, cl_uint what, size_t size, void *v, size_t *ret)
{
	(void)object;
	(void)what;
	if (v)
		memset(v, 0, size < 256 ? size : 256);
	if (v && what == CL_KERNEL_FUNCTION_NAME)
		strcpy(v, "counted");
	if (ret)
		*ret = size;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL callback(cl_event e, cl_int when, void (CL_CALLBACK *fn)(cl_event, cl_int, void *), void *ctx)
{
	fn(e, when, ctx);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL hold(cl_event e)
{
	(void)e;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL objects(cl_command_queue q, cl_uint n, const cl_mem *m, WAIT)
{
	return command(n == 3 && m == POINTER, q, n_wait, wait, e);
}

static cl_int CL_API_CALL copies(cl_command_queue q, cl_bool b, void *d, const void *s, size_t n, WAIT)
{
	return command(b && d == POINTER && s == &kernel && n == 7, q, n_wait, wait, e);
}

static cl_int CL_API_CALL fills(cl_command_queue q, void *d, const void *p, size_t ps, size_t n, WAIT)
{
	return command(d == POINTER && p == &kernel && ps == 4 && n == 8, q, n_wait, wait, e);
}

static cl_int CL_API_CALL sets(cl_command_queue q, void *d, cl_int v, size_t n, WAIT)
{
	return command(d == POINTER && v == 5 && n == 9, q, n_wait, wait, e);
}

static cl_int CL_API_CALL migrates(cl_command_queue q, const void *p, size_t n, cl_mem_migration_flags f, WAIT)
{
	return command(p == POINTER && n == 10 && f == 1, q, n_wait, wait, e);
}

static cl_int CL_API_CALL advises(cl_command_queue q, const void *p, size_t n, cl_mem_advice_intel a, WAIT)
{
	return command(p == POINTER && n == 11 && a == 2, q, n_wait, wait, e);
}

static cl_int CL_API_CALL semaphores(cl_command_queue q, cl_uint n, const cl_semaphore_khr *s, const cl_semaphore_payload_khr *v, WAIT)
{
	return command(n == 1 && s == POINTER && (const void *)v == &kernel, q, n_wait, wait, e);
}

static cl_int CL_API_CALL buffers(cl_uint n, cl_command_queue *queues, cl_command_buffer_khr b, WAIT)
{
	return command(n == 1 && (void *)b == POINTER, queues[0], n_wait, wait, e);
}

static cl_int CL_API_CALL counted(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *at, const size_t *groups, const size_t *local, WAIT)
{
	return command((void *)k == &kernel && dims == 2 && !at && groups[1] == 5 && local[0] == 3, q, n_wait, wait, e);
}

static cl_int CL_API_CALL frees(cl_command_queue q, cl_uint n, void *p[], void (CL_CALLBACK *fn)(cl_command_queue, cl_uint, void *[], void *), void *u, WAIT)
{
	return command(n == 1 && p == POINTER && !fn && u == &kernel, q, n_wait, wait, e);
}

static cl_int CL_API_CALL maps(cl_command_queue q, cl_bool b, cl_map_flags f, void *p, size_t n, WAIT)
{
	return command(b && f == CL_MAP_WRITE && p == POINTER && n == 12, q, n_wait, wait, e);
}

static cl_int CL_API_CALL unmaps(cl_command_queue q, void *p, WAIT)
{
	return command(p == POINTER, q, n_wait, wait, e);
}

static cl_int CL_API_CALL moves(cl_command_queue q, cl_uint n, const cl_mem *m, cl_bitfield f, WAIT)
{
	return command(n == 2 && m == POINTER && f == 1, q, n_wait, wait, e);
}

static cl_int CL_API_CALL mipmaps(cl_command_queue q, cl_mem from, cl_mem to, cl_mipmap_filter_mode_img mode, const size_t *a, const size_t *m, WAIT)
{
	return command((void *)from == POINTER && (void *)to == &kernel && mode == 1 && a && !m, q, n_wait, wait, e);
}

static void *CL_API_CALL address(const char *name)
{
	static const struct { const char *name; void *fn; } rows[] = {
		{ "clEnqueueMemcpyINTEL", (void *)copies }, { "clEnqueueMemFillINTEL", (void *)fills }, { "clEnqueueMemsetINTEL", (void *)sets },
		{ "clEnqueueMigrateMemINTEL", (void *)migrates }, { "clEnqueueMemAdviseINTEL", (void *)advises },
		{ "clEnqueueSignalSemaphoresKHR", (void *)semaphores }, { "clEnqueueWaitSemaphoresKHR", (void *)semaphores },
		{ "clEnqueueAcquireExternalMemObjectsKHR", (void *)objects }, { "clEnqueueReleaseExternalMemObjectsKHR", (void *)objects },
		{ "clEnqueueMigrateMemObjectEXT", (void *)moves }, { "clEnqueueSVMFreeARM", (void *)frees }, { "clEnqueueSVMMemcpyARM", (void *)copies },
		{ "clEnqueueSVMMemFillARM", (void *)fills }, { "clEnqueueSVMMapARM", (void *)maps }, { "clEnqueueSVMUnmapARM", (void *)unmaps },
		{ "clEnqueueAcquireGrallocObjectsIMG", (void *)objects }, { "clEnqueueReleaseGrallocObjectsIMG", (void *)objects },
		{ "clEnqueueGenerateMipmapIMG", (void *)mipmaps },
		{ "clEnqueueCommandBufferKHR", (void *)buffers }, { "clEnqueueNDCountKernelINTEL", (void *)counted },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].fn;
	return NULL;
}

static const cl_icd_dispatch *load(const char *path)
{
	static cl_icd_dispatch driver;
	const cl_icd_dispatch *table = NULL;
	cl_uint n;

	driver.clGetEventProfilingInfo = profiling;
	driver.clGetEventInfo = (void *)info;
	driver.clGetKernelInfo = (void *)info;
	driver.clGetDeviceInfo = (void *)info;
	driver.clGetCommandQueueInfo = (void *)info;
	driver.clSetEventCallback = callback;
	driver.clRetainEvent = hold;
	driver.clReleaseEvent = hold;
	driver.clGetExtensionFunctionAddress = address;
	driver.clEnqueueAcquireGLObjects = driver.clEnqueueReleaseGLObjects = objects;
	driver.clEnqueueAcquireEGLObjectsKHR = driver.clEnqueueReleaseEGLObjectsKHR = objects;
	void *layer = dlopen(path, RTLD_NOW);
	pfn_clInitLayer begin = layer ? (pfn_clInitLayer)dlsym(layer, "clInitLayer") : NULL;
	if (!begin || begin(sizeof(driver) / sizeof(void *), &driver, &n, &table) != CL_SUCCESS)
		exit(2);
	return table;
}

#define CALL(name, ...) \
	do { \
		arrived = 0; \
		cl_int status = (name)(__VA_ARGS__); \
		printf("%s %d %d\n", #name, (int)status, arrived); \
	} while (0)
/* As cl_ext.h declares it, so that the compiler compares the arguments. */
#define EXTENSION(name, ...) \
	do { \
		__typeof__(name) *fn = (__typeof__(name) *)t->clGetExtensionFunctionAddress(#name); \
		CALL(fn, __VA_ARGS__); \
	} while (0)

int main(int argc, char **argv)
{
	const cl_icd_dispatch *t = load(argc > 1 ? argv[1] : "");
	const size_t groups[2] = { 2, 5 }, local[2] = { 3, 1 };
	cl_int(CL_API_CALL *ndcount)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
		const cl_event *, cl_event *);
	cl_command_queue queues[1] = { QUEUE };

	CALL(t->clEnqueueAcquireGLObjects, QUEUE, 3, POINTER, 2, waits, NULL);
	CALL(t->clEnqueueReleaseGLObjects, QUEUE, 3, POINTER, 2, waits, NULL);
	CALL(t->clEnqueueAcquireEGLObjectsKHR, QUEUE, 3, POINTER, 2, waits, NULL);
	CALL(t->clEnqueueReleaseEGLObjectsKHR, QUEUE, 3, POINTER, 2, waits, NULL);
	EXTENSION(clEnqueueMemcpyINTEL, QUEUE, CL_TRUE, POINTER, &kernel, 7, 2, waits, NULL);
	EXTENSION(clEnqueueMemFillINTEL, QUEUE, POINTER, &kernel, 4, 8, 2, waits, NULL);
	EXTENSION(clEnqueueMemsetINTEL, QUEUE, POINTER, 5, 9, 2, waits, NULL);
	EXTENSION(clEnqueueMigrateMemINTEL, QUEUE, POINTER, 10, 1, 2, waits, NULL);
	EXTENSION(clEnqueueMemAdviseINTEL, QUEUE, POINTER, 11, 2, 2, waits, NULL);
	EXTENSION(clEnqueueSignalSemaphoresKHR, QUEUE, 1, POINTER, (void *)&kernel, 2, waits, NULL);
	EXTENSION(clEnqueueWaitSemaphoresKHR, QUEUE, 1, POINTER, (void *)&kernel, 2, waits, NULL);
	EXTENSION(clEnqueueAcquireExternalMemObjectsKHR, QUEUE, 3, POINTER, 2, waits, NULL);
	EXTENSION(clEnqueueReleaseExternalMemObjectsKHR, QUEUE, 3, POINTER, 2, waits, NULL);
	EXTENSION(clEnqueueMigrateMemObjectEXT, QUEUE, 2, POINTER, 1, 2, waits, NULL);
	EXTENSION(clEnqueueSVMFreeARM, QUEUE, 1, POINTER, NULL, &kernel, 2, waits, NULL);
	EXTENSION(clEnqueueSVMMemcpyARM, QUEUE, CL_TRUE, POINTER, &kernel, 7, 2, waits, NULL);
	EXTENSION(clEnqueueSVMMemFillARM, QUEUE, POINTER, &kernel, 4, 8, 2, waits, NULL);
	EXTENSION(clEnqueueSVMMapARM, QUEUE, CL_TRUE, CL_MAP_WRITE, POINTER, 12, 2, waits, NULL);
	EXTENSION(clEnqueueSVMUnmapARM, QUEUE, POINTER, 2, waits, NULL);
	EXTENSION(clEnqueueAcquireGrallocObjectsIMG, QUEUE, 3, POINTER, 2, waits, NULL);
	EXTENSION(clEnqueueReleaseGrallocObjectsIMG, QUEUE, 3, POINTER, 2, waits, NULL);
	EXTENSION(clEnqueueGenerateMipmapIMG, QUEUE, POINTER, (cl_mem)&kernel, 1, groups, NULL, 2, waits, NULL);
	EXTENSION(clEnqueueCommandBufferKHR, 1, queues, POINTER, 2, waits, NULL);
	ndcount = t->clGetExtensionFunctionAddress("clEnqueueNDCountKernelINTEL");
	CALL(ndcount, QUEUE, (cl_kernel)&kernel, 2, NULL, groups, local, 2, waits, NULL);
	cl_event mine = NULL;
	CALL(ndcount, QUEUE, (cl_kernel)&kernel, 2, NULL, groups, local, 2, waits, &mine);
	printf("own event %d\n", mine == (cl_event)&event);
	refuses = 1;
	CALL(t->clEnqueueAcquireGLObjects, QUEUE, 3, POINTER, 2, waits, NULL);
	EXTENSION(clEnqueueMemcpyINTEL, QUEUE, CL_TRUE, POINTER, &kernel, 7, 2, waits, &mine);
	printf("unknown %d\n", t->clGetExtensionFunctionAddress("clNoSuchFunction") != NULL);
	return 0;
}
