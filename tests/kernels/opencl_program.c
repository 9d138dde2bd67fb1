/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program with OpenCL that knows nothing of rooftop, for tests of the layer. Its first argument says
 * what it does; it prints what it sees, and times that it measured itself. */
#include "config.h"

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG 200
#define MANY 40

static const char source[] =
	"kernel void light(global float *x) { size_t i = get_global_id(0); x[i] += 1; }\n"
	"kernel void heavy(global float *x) {\n"
	"	size_t i = get_global_id(0); float v = x[i];\n"
	"	for (int k = 0; k < 128; k++) v = mad(v, 1.0001f, 0.5f);\n"
	"	x[i] = v;\n"
	"}\n";

static cl_device_id device;
static cl_context context;
static size_t items = 4096;

static void check(cl_int e, const char *what)
{
	if (e == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, e);
	exit(1);
}

#define CALL(f) check(f, #f)

static cl_program build(const char *text)
{
	cl_int e;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);

	check(e, "program");
	CALL(clBuildProgram(p, 1, &device, "", NULL, NULL));
	return p;
}

static cl_kernel make(cl_program p, const char *name, cl_mem m)
{
	cl_int e;
	cl_kernel k = clCreateKernel(p, name, &e);

	check(e, name);
	CALL(clSetKernelArg(k, 0, sizeof(m), &m));
	return k;
}

static void launch(cl_command_queue q, cl_kernel k, cl_event *event)
{
	CALL(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, event));
}

static cl_mem buffer(void)
{
	cl_int e;
	cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, items * 4, NULL, &e);
	float zero = 0;

	check(e, "buffer");
	(void)zero;
	return m;
}

static cl_command_queue queue(cl_command_queue_properties p)
{
	cl_int e;
	cl_command_queue q = clCreateCommandQueue(context, device, p, &e);

	check(e, "queue");
	return q;
}

/* --- what can be asked for --- */

static void *work(void *arg)
{
	cl_program p = arg;
	cl_mem m = buffer();
	cl_command_queue q = queue(0);
	cl_kernel light = make(p, "light", m), heavy = make(p, "heavy", m);

	for (int i = 0; i < 200; i++)
		launch(q, i % 2 ? light : heavy, NULL);
	CALL(clFinish(q));
	return NULL;
}

static void threads(cl_program p)
{
	pthread_t t[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, work, p);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
}

/* Prints the sum of the times that the program's own profiling says. */
static void profile(cl_program p)
{
	cl_mem m = buffer();
	cl_command_queue q = queue(CL_QUEUE_PROFILING_ENABLE);
	const char *const names[] = { "light", "heavy" };

	for (int n = 0; n < 2; n++) {
		cl_kernel k = make(p, names[n], m);
		double sum = 0;

		for (int i = 0; i < 300; i++) {
			cl_event e;
			cl_ulong start, end;

			launch(q, k, &e);
			CALL(clWaitForEvents(1, &e));
			CALL(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, 8, &start, NULL));
			CALL(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, 8, &end, NULL));
			sum += (double)(end - start);
			clReleaseEvent(e);
		}
		printf("%s %.9f\n", names[n], sum / 1e9);
	}
}

static void out_of_order(cl_program p)
{
	cl_mem m = buffer();
	cl_command_queue q = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_kernel k = make(p, "heavy", m);

	for (int i = 0; i < 100; i++)
		launch(q, k, NULL);
	CALL(clFinish(q));
}

/* How often an event is referred to that has not begun: by the program and the driver. */
static void references(cl_command_queue q)
{
	cl_uint n = 0;
	cl_int err;
	cl_event gate = clCreateUserEvent(context, &err), e;

	check(err, "user event");
	cl_mem m = buffer();
	float zero = 0;
	CALL(clEnqueueFillBuffer(q, m, &zero, 4, 0, items * 4, 1, &gate, &e));
	CALL(clGetEventInfo(e, CL_EVENT_REFERENCE_COUNT, sizeof(n), &n, NULL));
	printf("references %u\n", n);
	CALL(clSetUserEventStatus(gate, CL_COMPLETE));
	CALL(clFinish(q));
	clReleaseEvent(e);
	clReleaseEvent(gate);
}

/* What a program can see of profiling that it has not asked for. */
static void hidden(cl_program p)
{
	cl_queue_properties named[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	cl_queue_properties got[16] = { 0 };
	cl_command_queue_properties mask = 0;
	cl_mem m = buffer();
	cl_ulong ns;
	cl_event e;
	cl_int err;
	size_t bytes = 0;
	cl_command_queue q = queue(0), with = clCreateCommandQueueWithProperties(context, device, named, &err);

	check(err, "queue with properties");
	CALL(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof(mask), &mask, NULL));
	printf("properties %lu\n", (unsigned long)mask);
	CALL(clGetCommandQueueInfo(with, CL_QUEUE_PROPERTIES, sizeof(mask), &mask, NULL));
	printf("properties %lu\n", (unsigned long)mask);
	err = clGetCommandQueueInfo(with, CL_QUEUE_PROPERTIES_ARRAY, sizeof(got), got, &bytes);
	printf("array %d %zu %lu %lu\n", err, bytes, (unsigned long)got[0], (unsigned long)got[1]);
	launch(q, make(p, "light", m), &e);
	CALL(clWaitForEvents(1, &e));
	printf("times %d\n", clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, 8, &ns, NULL));
	CALL(clFinish(q));
	clReleaseEvent(e);
	references(q);
}

static int native_calls;

static void CL_CALLBACK native(void *arg)
{
	(void)arg;
	native_calls++;
}

/* Commands that are no kernels. */
static void others(cl_program p)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 16, 4, 1 };
	cl_mem m = buffer(), m2 = buffer();
	cl_command_queue q = queue(0);
	cl_device_exec_capabilities can = 0;
	float zero = 0, area[64];
	cl_int e;

	(void)p;
	CALL(clEnqueueFillBuffer(q, m, &zero, 4, 0, items * 4, 0, NULL, NULL));
	CALL(clEnqueueWriteBuffer(q, m, CL_TRUE, 0, sizeof(area), area, 0, NULL, NULL));
	CALL(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof(area), area, 0, NULL, NULL));
	CALL(clEnqueueCopyBuffer(q, m, m2, 0, 0, 64, 0, NULL, NULL));
	CALL(clEnqueueReadBufferRect(q, m, CL_TRUE, origin, origin, region, 0, 0, 0, 0, area, 0, NULL, NULL));
	CALL(clEnqueueWriteBufferRect(q, m, CL_TRUE, origin, origin, region, 0, 0, 0, 0, area, 0, NULL, NULL));
	CALL(clEnqueueCopyBufferRect(q, m, m2, origin, origin, region, 0, 0, 0, 0, 0, NULL, NULL));
	void *at = clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &e);
	check(e, "map");
	CALL(clEnqueueUnmapMemObject(q, m, at, 0, NULL, NULL));
	CALL(clEnqueueMigrateMemObjects(q, 1, &m, 0, 0, NULL, NULL));
	CALL(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(can), &can, NULL));
	if (can & CL_EXEC_NATIVE_KERNEL)
		CALL(clEnqueueNativeKernel(q, native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
	CALL(clFinish(q));
	printf("native %d of %d\n", native_calls, can & CL_EXEC_NATIVE_KERNEL ? 1 : 0);
}

/* Commands on images. */
static void images(cl_program p)
{
	const cl_image_format format = { CL_RGBA, CL_FLOAT };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8 };
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 8, 8, 1 };
	cl_command_queue q = queue(0);
	cl_bool can = CL_FALSE;
	float area[8 * 8 * 4] = { 1, 2, 3, 4 }, back[8 * 8 * 4] = { 0 }, color[4] = { 5, 6, 7, 8 };
	cl_int e;
	size_t pitch;

	(void)p;
	CALL(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(can), &can, NULL));
	if (!can) {
		printf("images 0\n");
		return;
	}
	cl_mem a = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &e), m = buffer();
	check(e, "image");
	cl_mem b = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &e);
	check(e, "image");
	CALL(clEnqueueWriteImage(q, a, CL_TRUE, origin, region, 0, 0, area, 0, NULL, NULL));
	CALL(clEnqueueCopyImage(q, a, b, origin, origin, region, 0, NULL, NULL));
	CALL(clEnqueueCopyImageToBuffer(q, b, m, origin, region, 0, 0, NULL, NULL));
	CALL(clEnqueueCopyBufferToImage(q, m, a, 0, origin, region, 0, NULL, NULL));
	CALL(clEnqueueReadImage(q, a, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
	void *at = clEnqueueMapImage(q, a, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL, NULL, &e);
	check(e, "map image");
	CALL(clEnqueueUnmapMemObject(q, a, at, 0, NULL, NULL));
	CALL(clEnqueueFillImage(q, a, color, origin, region, 0, NULL, NULL));
	CALL(clFinish(q));
	printf("images 1 %s\n", memcmp(area, back, sizeof(area)) ? "differ" : "agree");
}

/* Commands on memory that the host shares. */
static void shared_memory(cl_program p)
{
	cl_device_svm_capabilities can = 0;
	cl_command_queue q = queue(0);
	float zero = 0;

	(void)p;
	clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, NULL);
	if (!(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
		printf("shared 0\n");
		return;
	}
	void *a = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0), *b = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
	const void *migrated = a;
	CALL(clEnqueueSVMMemFill(q, a, &zero, 4, 4096, 0, NULL, NULL));
	CALL(clEnqueueSVMMemcpy(q, CL_TRUE, b, a, 4096, 0, NULL, NULL));
	CALL(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_WRITE, a, 4096, 0, NULL, NULL));
	CALL(clEnqueueSVMUnmap(q, a, 0, NULL, NULL));
	CALL(clEnqueueSVMMigrateMem(q, 1, &migrated, NULL, 0, 0, NULL, NULL));
	CALL(clEnqueueSVMFree(q, 1, &b, NULL, NULL, 0, NULL, NULL));
	CALL(clFinish(q));
	clSVMFree(context, a);
	printf("shared 1\n");
}

/* Calls that the driver refuses. */
static void refused(cl_program p)
{
	cl_mem m = buffer();
	cl_command_queue q = queue(0);
	cl_kernel k = clCreateKernel(p, "light", NULL);
	float area[4];

	printf("refused %d\n", clEnqueueReadBuffer(q, m, CL_TRUE, items * 8, 16, area, 0, NULL, NULL));
	printf("refused %d\n", clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL));
	printf("refused %d\n", clEnqueueNDRangeKernel(NULL, k, 1, NULL, &items, NULL, 0, NULL, NULL));
	CALL(clFinish(q));
}

/* A kernel with a long name, or many kernels. */
static void names(int n, int len)
{
	size_t size = (size_t)n * ((size_t)len + 64) + 1;
	char *text = malloc(size), *name = malloc((size_t)len + 16);
	char *to = text;
	cl_mem m = buffer();
	cl_command_queue q = queue(0);

	memset(name, 'n', (size_t)len);
	for (int i = 0; i < n; i++) {
		sprintf(name + len, "%d", i);
		to += sprintf(to, "kernel void %s(global float *x) { x[0] += 1; }\n", name);
	}
	cl_program p = build(text);
	for (int i = 0; i < n; i++) {
		sprintf(name + len, "%d", i);
		cl_kernel k = make(p, name, m);
		launch(q, k, NULL);
		clReleaseKernel(k);
	}
	CALL(clFinish(q));
	printf("names %d\n", n);
}

static double cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Each of the same kernel object. */
static void plain(cl_program p, int n, int finish_each)
{
	cl_mem m = buffer();
	cl_command_queue q = queue(0);
	cl_kernel light = make(p, "light", m), heavy = make(p, "heavy", m);
	struct timespec a, b;

	double cpu = cpu_us();
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < n; i++) {
		launch(q, i % 4 ? light : heavy, NULL);
		if (finish_each)
			CALL(clFinish(q));
	}
	CALL(clFinish(q));
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("us_each %.3f cpu_us_each %.3f\n", ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / n / 1e3,
		(cpu_us() - cpu) / n);
}

/* So many launches a second for a second. */
static void paced(cl_program p, int n)
{
	cl_mem m = buffer();
	cl_command_queue q = queue(0);
	cl_kernel heavy = make(p, "heavy", m);
	struct timespec at;

	launch(q, heavy, NULL);
	CALL(clFinish(q));
	double cpu = cpu_us();
	clock_gettime(CLOCK_MONOTONIC, &at);
	for (int i = 0; i < n; i++) {
		launch(q, heavy, NULL);
		CALL(clFinish(q));
		at.tv_nsec += 1000000;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	}
	printf("cpu_ms_per_s %.3f\n", (cpu_us() - cpu) / n);
}

static void CL_CALLBACK seen_to_end(cl_event event, cl_int status, void *ctx)
{
	(void)event;
	if (status == CL_COMPLETE)
		__atomic_add_fetch((int *)ctx, 1, __ATOMIC_SEQ_CST);
}

/* Lets go of all that commands need before they begin, with callbacks of its own; what goes on behind
 * an event of the program fails or not. */
static void release(cl_program p, int n)
{
	static int ended;
	cl_int e;

	for (int i = 0; i < n; i++) {
		cl_mem m = buffer();
		cl_command_queue q = queue(0);
		cl_kernel k = make(p, "heavy", m);
		cl_event gate = clCreateUserEvent(context, &e), last;

		check(e, "user event");
		CALL(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 1, &gate, NULL));
		CALL(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, &last));
		CALL(clSetEventCallback(last, CL_COMPLETE, seen_to_end, &ended));
		clReleaseKernel(k);
		clReleaseMemObject(m);
		clReleaseEvent(last);
		clReleaseCommandQueue(q);
		CALL(clSetUserEventStatus(gate, CL_COMPLETE));
		clReleaseEvent(gate);
	}
	while (__atomic_load_n(&ended, __ATOMIC_SEQ_CST) < n)
		usleep(1000);
	printf("ended %d\n", n);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "plain";
	int n = argc > 2 ? atoi(argv[2]) : 100;
	cl_platform_id platforms[8];
	cl_uint n_platforms = 0;
	cl_int e;

	if (argc > 3)
		items = (size_t)atoi(argv[3]);
	CALL(clGetPlatformIDs(8, platforms, &n_platforms));
	for (cl_uint i = 0; i < n_platforms && i < 8; i++)
		if (!device)
			clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	check(e, "context");
	cl_program p = build(source);
	if (!strcmp(mode, "plain"))
		plain(p, n, 0);
	else if (!strcmp(mode, "sync"))
		plain(p, n, 1);
	else if (!strcmp(mode, "paced"))
		paced(p, n);
	else if (!strcmp(mode, "threads"))
		threads(p);
	else if (!strcmp(mode, "profile"))
		profile(p);
	else if (!strcmp(mode, "out-of-order"))
		out_of_order(p);
	else if (!strcmp(mode, "hidden"))
		hidden(p);
	else if (!strcmp(mode, "others"))
		others(p);
	else if (!strcmp(mode, "images"))
		images(p);
	else if (!strcmp(mode, "shared"))
		shared_memory(p);
	else if (!strcmp(mode, "refused"))
		refused(p);
	else if (!strcmp(mode, "release"))
		release(p, n);
	else if (!strcmp(mode, "long"))
		names(1, LONG);
	else if (!strcmp(mode, "many"))
		names(MANY, 1);
	else if (!strcmp(mode, "leave")) {
		cl_command_queue q = queue(0);
		cl_kernel k = make(p, "heavy", buffer());

		for (int i = 0; i < 200; i++)
			launch(q, k, NULL);
		CALL(clFlush(q));
		_exit(5);
	} else if (!strcmp(mode, "fork")) {
		int status = 0;

		plain(p, n, 0);
		pid_t child = fork();
		if (child == 0)
			_exit(7);
		waitpid(child, &status, 0);
		plain(p, n, 0);
		printf("child %d\n", WEXITSTATUS(status));
	} else {
		return 2;
	}
	return 0;
}
