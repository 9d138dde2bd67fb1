/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that the layer stands in for. Each hands the program's arguments on and its result
 * back; what it adds are an event, where the program wants none, and profiling, which it hides. */
#include "config.h"

#include "kernels/layer/layer.h"

#include <string.h>
#include <sys/auxv.h>

#include <CL/cl_ext.h>

static cl_icd_dispatch ours;

/* --- queues --- */

#define PROFILING ((cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE)

static cl_command_queue CL_API_CALL create_queue(
	cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *err)
{
	cl_command_queue q = NULL;
	bool added = !(p & PROFILING) && memory_is_open();

	if (added)
		q = layer_next.clCreateCommandQueue(c, d, p | PROFILING, err);
	if (!q) {
		added = false;
		q = layer_next.clCreateCommandQueue(c, d, p, err);
	}
	if (q)
		queue_made(q, d, p, added, NULL);
	return q;
}

#define PAIRS_MAX 64

/* Adds profiling to the properties of a queue. Returns false where they have no room, or the queue
 * is one of the device, whose commands the host does not see. */
static bool add_profiling(const cl_queue_properties *from, cl_queue_properties *to,
	cl_command_queue_properties *asked)
{
	bool seen = false;
	size_t n = 0;

	*asked = 0;
	for (; from && from[n]; n += 2) {
		if (n + 5 > PAIRS_MAX)
			return false;
		to[n] = from[n];
		to[n + 1] = from[n + 1];
		if (from[n] != CL_QUEUE_PROPERTIES)
			continue;
		seen = true;
		*asked = from[n + 1];
		to[n + 1] |= PROFILING;
	}
	if (!seen) {
		to[n++] = CL_QUEUE_PROPERTIES;
		to[n++] = PROFILING;
	}
	to[n] = 0;
	return !(*asked & (PROFILING | CL_QUEUE_ON_DEVICE));
}

typedef cl_command_queue create_fn(
	cl_context, cl_device_id, const cl_queue_properties *, cl_int *);

static cl_command_queue create_with(create_fn *next, cl_context c, cl_device_id d,
	const cl_queue_properties *p, cl_int *err)
{
	cl_queue_properties more[PAIRS_MAX];
	cl_command_queue_properties asked;
	cl_command_queue q = NULL;
	bool added = add_profiling(p, more, &asked) && memory_is_open();

	if (added)
		q = next(c, d, more, err);
	if (!q) {
		added = false;
		q = next(c, d, p, err);
	}
	if (q)
		queue_made(q, d, asked, added, p);
	return q;
}

static cl_command_queue CL_API_CALL create_queue_with(
	cl_context c, cl_device_id d, const cl_queue_properties *p, cl_int *err)
{
	return create_with(layer_next.clCreateCommandQueueWithProperties, c, d, p, err);
}

static cl_int CL_API_CALL set_queue(cl_command_queue q, cl_command_queue_properties p, cl_bool on,
	cl_command_queue_properties *old)
{
	bool hides = queue_find(q).hides, ours_alone = p == PROFILING && memory_is_open();
	cl_int e = CL_SUCCESS;

	/* Profiling stays on, whatever the program wants. */
	if (!ours_alone)
		e = layer_next.clSetCommandQueueProperty(q, p & ~(on ? 0 : PROFILING), on, old);
	else if (old)
		e = layer_next.clGetCommandQueueInfo(
			q, CL_QUEUE_PROPERTIES, sizeof(*old), old, NULL);
	if (e == CL_SUCCESS && old && hides)
		*old &= ~PROFILING;
	if (e == CL_SUCCESS && p & PROFILING)
		queue_asks(q, on);
	return e;
}

static cl_int CL_API_CALL get_queue(
	cl_command_queue q, cl_command_queue_info what, size_t size, void *v, size_t *ret)
{
	size_t n;

	if (what == CL_QUEUE_PROPERTIES_ARRAY && queue_find(q).hides) {
		const cl_queue_properties *named = queue_named(q, &n);

		if (v && size < n * sizeof(*named))
			return CL_INVALID_VALUE;
		if (v && named)
			memcpy(v, named, n * sizeof(*named));
		if (ret)
			*ret = n * sizeof(*named);
		return CL_SUCCESS;
	}
	cl_int e = layer_next.clGetCommandQueueInfo(q, what, size, v, ret);
	if (e == CL_SUCCESS && v && what == CL_QUEUE_PROPERTIES && queue_find(q).hides)
		*(cl_command_queue_properties *)v &= ~PROFILING;
	return e;
}

static cl_int CL_API_CALL get_profile(
	cl_event event, cl_profiling_info what, size_t size, void *v, size_t *ret)
{
	cl_command_queue q = NULL;

	if (layer_next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(q), &q, NULL) ==
			CL_SUCCESS &&
		q && queue_find(q).hides)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	return layer_next.clGetEventProfilingInfo(event, what, size, v, ret);
}

/* The layer holds events of its own until they end, which the program does not see. */
static cl_int CL_API_CALL get_event(
	cl_event event, cl_event_info what, size_t size, void *v, size_t *ret)
{
	if (what == CL_EVENT_REFERENCE_COUNT && v)
		return command_references(event, size, v, ret);
	return layer_next.clGetEventInfo(event, what, size, v, ret);
}

/* --- kernels --- */

/* Follows a kernel that was enqueued with this result. */
static cl_int follow_kernel(
	struct command *c, cl_int e, cl_kernel k, const cl_event *to, const cl_event *theirs)
{
	/* A handle that is none is the driver's to refuse. */
	if (e == CL_SUCCESS && c->before)
		c->name = kernel_name(k);
	c->kind = SPAN_KERNEL;
	return command_follow(c, e, to, theirs);
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue q, cl_kernel k, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local, cl_uint n_wait,
	const cl_event *wait, cl_event *event)
{
	struct command c = { .items = 1 };
	cl_event own = NULL, *to = command_begin(&c, q, event, &own);
	cl_int e = layer_next.clEnqueueNDRangeKernel(
		q, k, dims, offset, global, local, n_wait, wait, to);

	for (cl_uint i = 0; e == CL_SUCCESS && global && i < dims; i++)
		c.items *= global[i];
	return follow_kernel(&c, e, k, to, event);
}

static cl_int CL_API_CALL enqueue_task(
	cl_command_queue q, cl_kernel k, cl_uint n_wait, const cl_event *wait, cl_event *event)
{
	struct command c = { .items = 1 };
	cl_event own = NULL, *to = command_begin(&c, q, event, &own);
	cl_int e = layer_next.clEnqueueTask(q, k, n_wait, wait, to);

	return follow_kernel(&c, e, k, to, event);
}

/* --- other commands --- */

static cl_int follow_other(struct command *c, const char *label, cl_int e, const cl_event *to,
	const cl_event *theirs)
{
	if (e == CL_SUCCESS && c->before)
		c->name = memory_name(label, strlen(label));
	c->kind = SPAN_OTHER;
	return command_follow(c, e, to, theirs);
}

/* Makes the call ITS_NAME that enqueues something in q by next(); among the arguments stands "to"
 * in place of the program's event. */
#define ENQUEUES(its_name, next, label, size, parameters, ...) \
	static cl_int CL_API_CALL its_name parameters \
	{ \
		struct command c = { .items = (size) }; \
		cl_event own = NULL, *to = command_begin(&c, q, event, &own); \
		cl_int e = next(__VA_ARGS__); \
\
		return follow_other(&c, label, e, to, event); \
	}
#define OTHER(its_name, label, size, ...) \
	ENQUEUES(other_##its_name, layer_next.its_name, label, size, __VA_ARGS__)

#define WAIT cl_uint n_wait, const cl_event *wait, cl_event *event
#define ON n_wait, wait, to
#define AREA const size_t *at, const size_t *region

/* clang-format off */
#define OTHER_LIST(X) \
	X(clEnqueueReadBuffer, "[read]", n, (cl_command_queue q, cl_mem m, cl_bool b, size_t at, size_t n, void *p, WAIT), q, m, b, at, n, p, ON) \
	X(clEnqueueWriteBuffer, "[write]", n, (cl_command_queue q, cl_mem m, cl_bool b, size_t at, size_t n, const void *p, WAIT), q, m, b, at, n, p, ON) \
	X(clEnqueueCopyBuffer, "[copy]", n, (cl_command_queue q, cl_mem s, cl_mem d, size_t so, size_t to_at, size_t n, WAIT), q, s, d, so, to_at, n, ON) \
	X(clEnqueueFillBuffer, "[fill]", n, (cl_command_queue q, cl_mem m, const void *p, size_t ps, size_t at, size_t n, WAIT), q, m, p, ps, at, n, ON) \
	X(clEnqueueReadBufferRect, "[read]", 0, (cl_command_queue q, cl_mem m, cl_bool b, const size_t *o, const size_t *h, const size_t *r, size_t br, size_t bs, size_t hr, size_t hs, void *p, WAIT), q, m, b, o, h, r, br, bs, hr, hs, p, ON) \
	X(clEnqueueWriteBufferRect, "[write]", 0, (cl_command_queue q, cl_mem m, cl_bool b, const size_t *o, const size_t *h, const size_t *r, size_t br, size_t bs, size_t hr, size_t hs, const void *p, WAIT), q, m, b, o, h, r, br, bs, hr, hs, p, ON) \
	X(clEnqueueCopyBufferRect, "[copy]", 0, (cl_command_queue q, cl_mem s, cl_mem d, const size_t *so, const size_t *o, const size_t *r, size_t sr, size_t ss, size_t dr, size_t ds, WAIT), q, s, d, so, o, r, sr, ss, dr, ds, ON) \
	X(clEnqueueReadImage, "[read image]", 0, (cl_command_queue q, cl_mem m, cl_bool b, AREA, size_t rp, size_t sp, void *p, WAIT), q, m, b, at, region, rp, sp, p, ON) \
	X(clEnqueueWriteImage, "[write image]", 0, (cl_command_queue q, cl_mem m, cl_bool b, AREA, size_t rp, size_t sp, const void *p, WAIT), q, m, b, at, region, rp, sp, p, ON) \
	X(clEnqueueCopyImage, "[copy image]", 0, (cl_command_queue q, cl_mem s, cl_mem d, const size_t *so, AREA, WAIT), q, s, d, so, at, region, ON) \
	X(clEnqueueCopyImageToBuffer, "[copy image]", 0, (cl_command_queue q, cl_mem s, cl_mem d, AREA, size_t o, WAIT), q, s, d, at, region, o, ON) \
	X(clEnqueueCopyBufferToImage, "[copy image]", 0, (cl_command_queue q, cl_mem s, cl_mem d, size_t o, AREA, WAIT), q, s, d, o, at, region, ON) \
	X(clEnqueueFillImage, "[fill image]", 0, (cl_command_queue q, cl_mem m, const void *p, AREA, WAIT), q, m, p, at, region, ON) \
	X(clEnqueueUnmapMemObject, "[unmap]", 0, (cl_command_queue q, cl_mem m, void *p, WAIT), q, m, p, ON) \
	X(clEnqueueMigrateMemObjects, "[migrate]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, cl_mem_migration_flags f, WAIT), q, n, m, f, ON) \
	X(clEnqueueNativeKernel, "[native kernel]", 0, (cl_command_queue q, void (CL_CALLBACK *fn)(void *), void *a, size_t as, cl_uint n, const cl_mem *m, const void **l, WAIT), q, fn, a, as, n, m, l, ON) \
	X(clEnqueueAcquireGLObjects, "[acquire]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueReleaseGLObjects, "[release]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueAcquireEGLObjectsKHR, "[acquire]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueReleaseEGLObjectsKHR, "[release]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueSVMFree, "[SVM free]", 0, (cl_command_queue q, cl_uint n, void *p[], void (CL_CALLBACK *fn)(cl_command_queue, cl_uint, void *[], void *), void *u, WAIT), q, n, p, fn, u, ON) \
	X(clEnqueueSVMMemcpy, "[SVM copy]", n, (cl_command_queue q, cl_bool b, void *d, const void *s, size_t n, WAIT), q, b, d, s, n, ON) \
	X(clEnqueueSVMMemFill, "[SVM fill]", n, (cl_command_queue q, void *p, const void *pat, size_t ps, size_t n, WAIT), q, p, pat, ps, n, ON) \
	X(clEnqueueSVMMap, "[SVM map]", n, (cl_command_queue q, cl_bool b, cl_map_flags f, void *p, size_t n, WAIT), q, b, f, p, n, ON) \
	X(clEnqueueSVMUnmap, "[SVM unmap]", 0, (cl_command_queue q, void *p, WAIT), q, p, ON) \
	X(clEnqueueSVMMigrateMem, "[SVM migrate]", 0, (cl_command_queue q, cl_uint n, const void **p, const size_t *s, cl_mem_migration_flags f, WAIT), q, n, p, s, f, ON)
/* clang-format on */

OTHER_LIST(OTHER)

static void *CL_API_CALL map_buffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f,
	size_t at, size_t n, cl_uint n_wait, const cl_event *wait, cl_event *event, cl_int *err)
{
	struct command c = { .items = n };
	cl_event own = NULL, *to = command_begin(&c, q, event, &own);
	cl_int e = CL_SUCCESS;
	void *p = layer_next.clEnqueueMapBuffer(q, m, b, f, at, n, n_wait, wait, to, &e);

	follow_other(&c, "[map]", e, to, event);
	if (err)
		*err = e;
	return p;
}

static void *CL_API_CALL map_image(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f,
	const size_t *at, const size_t *region, size_t *row, size_t *slice, cl_uint n_wait,
	const cl_event *wait, cl_event *event, cl_int *err)
{
	struct command c = { .items = 0 };
	cl_event own = NULL, *to = command_begin(&c, q, event, &own);
	cl_int e = CL_SUCCESS;
	void *p = layer_next.clEnqueueMapImage(
		q, m, b, f, at, region, row, slice, n_wait, wait, to, &e);

	follow_other(&c, "[map image]", e, to, event);
	if (err)
		*err = e;
	return p;
}

/* --- functions of extensions, which a program asks for by name --- */

/* What the driver gave. A second driver that gives another function is not stood in for. */
static create_fn *next_create;
static clEnqueueCommandBufferKHR_fn next_buffer;
static cl_int(CL_API_CALL *next_counted)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
	const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *);

static cl_command_queue CL_API_CALL create_queue_khr(
	cl_context c, cl_device_id d, const cl_queue_properties *p, cl_int *err)
{
	return create_with(next_create, c, d, p, err);
}

/* A command buffer may name no queue: then it goes to those that it was made with. */
static cl_int CL_API_CALL enqueue_buffer(cl_uint n, cl_command_queue *queues,
	cl_command_buffer_khr buffer, WAIT)
{
	struct command c = { .items = 0 };
	cl_command_queue q = n > 0 && queues ? queues[0] : NULL;
	cl_event own = NULL, *to = command_begin(&c, q, event, &own);
	cl_int e = next_buffer(n, queues, buffer, n_wait, wait, to);

	return follow_other(&c, "[command buffer]", e, to, event);
}

/* A kernel of Intel's whose groups run at once: their number stands in place of all work-items. */
static cl_int CL_API_CALL enqueue_counted(cl_command_queue q, cl_kernel k, cl_uint dims,
	const size_t *offset, const size_t *groups, const size_t *local, WAIT)
{
	struct command c = { .items = 1 };
	cl_event own = NULL, *to = command_begin(&c, q, event, &own);
	cl_int e = next_counted(q, k, dims, offset, groups, local, ON);

	for (cl_uint i = 0; e == CL_SUCCESS && groups && local && i < dims; i++)
		c.items *= groups[i] * local[i];
	return follow_kernel(&c, e, k, to, event);
}

/* Of those that the loader has in its table it gives its own functions, which come here anyway. */
/* clang-format off */
#define EXTENSION_LIST(X) \
	X(clEnqueueMemcpyINTEL, "[copy]", n, (cl_command_queue q, cl_bool b, void *d, const void *s, size_t n, WAIT), q, b, d, s, n, ON) \
	X(clEnqueueMemFillINTEL, "[fill]", n, (cl_command_queue q, void *d, const void *p, size_t ps, size_t n, WAIT), q, d, p, ps, n, ON) \
	X(clEnqueueMemsetINTEL, "[fill]", n, (cl_command_queue q, void *d, cl_int v, size_t n, WAIT), q, d, v, n, ON) \
	X(clEnqueueMigrateMemINTEL, "[migrate]", n, (cl_command_queue q, const void *p, size_t n, cl_mem_migration_flags f, WAIT), q, p, n, f, ON) \
	X(clEnqueueMemAdviseINTEL, "[advise]", n, (cl_command_queue q, const void *p, size_t n, cl_uint a, WAIT), q, p, n, a, ON) \
	X(clEnqueueReadHostPipeINTEL, "[read]", n, (cl_command_queue q, cl_program g, const char *s, cl_bool b, void *p, size_t n, WAIT), q, g, s, b, p, n, ON) \
	X(clEnqueueWriteHostPipeINTEL, "[write]", n, (cl_command_queue q, cl_program g, const char *s, cl_bool b, const void *p, size_t n, WAIT), q, g, s, b, p, n, ON) \
	X(clEnqueueReadGlobalVariableINTEL, "[read]", n, (cl_command_queue q, cl_program g, const char *s, cl_bool b, size_t n, size_t o, void *p, WAIT), q, g, s, b, n, o, p, ON) \
	X(clEnqueueWriteGlobalVariableINTEL, "[write]", n, (cl_command_queue q, cl_program g, const char *s, cl_bool b, size_t n, size_t o, const void *p, WAIT), q, g, s, b, n, o, p, ON) \
	X(clEnqueueSignalSemaphoresKHR, "[signal]", 0, (cl_command_queue q, cl_uint n, const void *s, const void *v, WAIT), q, n, s, v, ON) \
	X(clEnqueueWaitSemaphoresKHR, "[wait]", 0, (cl_command_queue q, cl_uint n, const void *s, const void *v, WAIT), q, n, s, v, ON) \
	X(clEnqueueAcquireExternalMemObjectsKHR, "[acquire]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueReleaseExternalMemObjectsKHR, "[release]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueAcquireVA_APIMediaSurfacesINTEL, "[acquire]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueReleaseVA_APIMediaSurfacesINTEL, "[release]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueMigrateMemObjectEXT, "[migrate]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, cl_bitfield f, WAIT), q, n, m, f, ON) \
	X(clEnqueueSVMFreeARM, "[SVM free]", 0, (cl_command_queue q, cl_uint n, void *p[], void (CL_CALLBACK *fn)(cl_command_queue, cl_uint, void *[], void *), void *u, WAIT), q, n, p, fn, u, ON) \
	X(clEnqueueSVMMemcpyARM, "[SVM copy]", n, (cl_command_queue q, cl_bool b, void *d, const void *s, size_t n, WAIT), q, b, d, s, n, ON) \
	X(clEnqueueSVMMemFillARM, "[SVM fill]", n, (cl_command_queue q, void *p, const void *pat, size_t ps, size_t n, WAIT), q, p, pat, ps, n, ON) \
	X(clEnqueueSVMMapARM, "[SVM map]", n, (cl_command_queue q, cl_bool b, cl_map_flags f, void *p, size_t n, WAIT), q, b, f, p, n, ON) \
	X(clEnqueueSVMUnmapARM, "[SVM unmap]", 0, (cl_command_queue q, void *p, WAIT), q, p, ON) \
	X(clEnqueueAcquireGrallocObjectsIMG, "[acquire]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueReleaseGrallocObjectsIMG, "[release]", 0, (cl_command_queue q, cl_uint n, const cl_mem *m, WAIT), q, n, m, ON) \
	X(clEnqueueGenerateMipmapIMG, "[mipmap]", 0, (cl_command_queue q, cl_mem s, cl_mem d, cl_uint mode, const size_t *a, const size_t *m, WAIT), q, s, d, mode, a, m, ON)
/* clang-format on */

#define EXTENSION(its_name, label, size, parameters, ...) \
	static cl_int(CL_API_CALL *next_##its_name) parameters; \
	ENQUEUES(extension_##its_name, next_##its_name, label, size, parameters, __VA_ARGS__)
EXTENSION_LIST(EXTENSION)

/* Returns what stands in for a function, or the function. */
static void *stand_in(const char *name, void *theirs)
{
	const struct {
		const char *name;
		void **next;
		void *own;
	} rows[] = {
		{ "clCreateCommandQueueWithPropertiesKHR", (void **)&next_create,
			(void *)create_queue_khr },
		{ "clEnqueueCommandBufferKHR", (void **)&next_buffer, (void *)enqueue_buffer },
		{ "clEnqueueNDCountKernelINTEL", (void **)&next_counted, (void *)enqueue_counted },
#define X(its_name, ...) \
	{ #its_name, (void **)&next_##its_name, (void *)extension_##its_name },
		EXTENSION_LIST(X)
#undef X
	};

	void *first = NULL;

	for (size_t i = 0; theirs && name && i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		/* Threads may ask at once. */
		__atomic_compare_exchange_n(rows[i].next, &first, theirs, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return !first || first == theirs ? rows[i].own : theirs;
	}
	return theirs;
}

static void *CL_API_CALL address(const char *name)
{
	return stand_in(name, layer_next.clGetExtensionFunctionAddress(name));
}

static void *CL_API_CALL address_for(cl_platform_id p, const char *name)
{
	return stand_in(name, layer_next.clGetExtensionFunctionAddressForPlatform(p, name));
}

/* --- the loader's side --- */

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(
	cl_layer_info what, size_t size, void *v, size_t *ret)
{
	static const char name[] = "rooftop spans";
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *from = name;
	size_t len = sizeof(name);

	if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (what == CL_LAYER_API_VERSION) {
		from = &version;
		len = sizeof(version);
	}
	if (v && size < len)
		return CL_INVALID_VALUE;
	if (v)
		memcpy(v, from, len);
	if (ret)
		*ret = len;
	return CL_SUCCESS;
}

/* Stands in for a call that the loader and the drivers have. */
#define TAKE(entry, function) \
	do { \
		if (layer_next.entry) \
			ours.entry = function; \
	} while (0)
#define TAKE_OTHER(its_name, ...) TAKE(its_name, other_##its_name);

static void take_calls(void)
{
	TAKE(clCreateCommandQueue, create_queue);
	TAKE(clCreateCommandQueueWithProperties, create_queue_with);
	TAKE(clSetCommandQueueProperty, set_queue);
	TAKE(clGetCommandQueueInfo, get_queue);
	TAKE(clGetEventProfilingInfo, get_profile);
	TAKE(clGetEventInfo, get_event);
	TAKE(clEnqueueNDRangeKernel, enqueue_kernel);
	TAKE(clEnqueueTask, enqueue_task);
	TAKE(clEnqueueMapBuffer, map_buffer);
	TAKE(clEnqueueMapImage, map_image);
	TAKE(clGetExtensionFunctionAddress, address);
	TAKE(clGetExtensionFunctionAddressForPlatform, address_for);
	OTHER_LIST(TAKE_OTHER)
}

/* What the layer itself calls. */
static bool has_needed(void)
{
	return layer_next.clGetEventProfilingInfo && layer_next.clGetEventInfo &&
		layer_next.clSetEventCallback && layer_next.clRetainEvent &&
		layer_next.clReleaseEvent && layer_next.clGetKernelInfo &&
		layer_next.clGetDeviceInfo && layer_next.clGetCommandQueueInfo;
}

/* The loader's table may be shorter than ours, which ends with OpenCL 3.0, or longer. A program
 * with rights of its own is left alone. A second loader, or one that has the layer twice in its
 * list, would make us call ourselves. */
__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint n, const cl_icd_dispatch *target,
	cl_uint *n_ret, const cl_icd_dispatch **table)
{
	static _Atomic bool begun;
	size_t bytes = n * sizeof(void *);

	if (!target || !n_ret || !table)
		return CL_INVALID_VALUE;
	if (atomic_exchange(&begun, true))
		return CL_INVALID_OPERATION;
	if (bytes > sizeof(ours))
		bytes = sizeof(ours);
	memcpy(&layer_next, target, bytes);
	memcpy(&ours, target, bytes);
	*n_ret = (cl_uint)(bytes / sizeof(void *));
	*table = &ours;
	if (!getauxval(AT_SECURE) && has_needed() && memory_is_open())
		take_calls();
	return CL_SUCCESS;
}
