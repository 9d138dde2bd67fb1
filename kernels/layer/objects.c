/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the layer knows of the program's queues, found by their handles, and how it learns the names
 * of kernels. A handle that the driver uses anew has its facts replaced. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/layer/layer.h"

#define BUCKETS 1024
#define ENTRIES_MAX (1 << 18) /* what comes later is asked for each time */
#define LONG_NAME (1 << 24) /* a longer one is not asked for */

struct queue {
	cl_command_queue handle;
	cl_device_id device;
	struct queue_facts facts;
	bool out_of_order;
	cl_queue_properties *named; /* heap; NULL: not known */
	size_t n_named;
	struct queue *next;
};

static struct queue *queues[BUCKETS];
static int n_queues;
pthread_mutex_t layer_queue_lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned bucket(const void *handle)
{
	return (unsigned)(((uintptr_t)handle >> 4) * 0x9e3779b97f4a7c15u >> 48) % BUCKETS;
}

static struct queue *find_queue(cl_command_queue handle)
{
	struct queue *q = queues[bucket(handle)];

	while (q && q->handle != handle)
		q = q->next;
	return q;
}

/* Returns an entry for the handle, which keeps nothing of an older one; NULL: there is no room. */
static struct queue *add_queue(cl_command_queue handle)
{
	struct queue *q = find_queue(handle);

	if (!q && n_queues < ENTRIES_MAX && (q = calloc(1, sizeof(*q)))) {
		n_queues++;
		q->next = queues[bucket(handle)];
		queues[bucket(handle)] = q;
	}
	if (!q)
		return NULL;
	free(q->named);
	*q = (struct queue){ .handle = handle, .next = q->next };
	return q;
}

static void fill_queue(struct queue *q)
{
	q->facts.generation = memory_generation();
	q->facts.number = memory_queue(q->device, q->out_of_order);
}

void queue_made(cl_command_queue handle, cl_device_id device, cl_command_queue_properties asked,
	bool hides, const cl_queue_properties *named)
{
	size_t n = 0;

	pthread_mutex_lock(&layer_queue_lock);
	struct queue *q = add_queue(handle);
	if (q) {
		q->device = device;
		q->out_of_order = asked & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
		q->facts.hides = hides;
		while (named && named[n])
			n += 2;
		q->n_named = n + 1;
		q->named = named ? calloc(q->n_named, sizeof(*named)) : NULL;
		if (q->named)
			memcpy(q->named, named, n * sizeof(*named));
		fill_queue(q);
	}
	pthread_mutex_unlock(&layer_queue_lock);
}

void queue_asks(cl_command_queue handle, bool profiling)
{
	pthread_mutex_lock(&layer_queue_lock);
	struct queue *q = find_queue(handle);
	if (q)
		q->facts.hides = !profiling;
	pthread_mutex_unlock(&layer_queue_lock);
}

struct queue_facts queue_find(cl_command_queue handle)
{
	struct queue_facts facts = { 0 };

	pthread_mutex_lock(&layer_queue_lock);
	struct queue *q = find_queue(handle);
	if (!q && (q = add_queue(handle))) {
		cl_command_queue_properties p = 0;

		layer_next.clGetCommandQueueInfo(
			handle, CL_QUEUE_DEVICE, sizeof(q->device), &q->device, NULL);
		layer_next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof(p), &p, NULL);
		q->out_of_order = p & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
		fill_queue(q);
	}
	/* The child of a fork() tells its queues anew. */
	if (q && q->facts.generation != memory_generation())
		fill_queue(q);
	if (q)
		facts = q->facts;
	pthread_mutex_unlock(&layer_queue_lock);
	return facts;
}

const cl_queue_properties *queue_named(cl_command_queue handle, size_t *n)
{
	pthread_mutex_lock(&layer_queue_lock);
	const struct queue *q = find_queue(handle);
	const cl_queue_properties *named = q ? q->named : NULL;
	*n = named ? q->n_named : 0;
	pthread_mutex_unlock(&layer_queue_lock);
	return named;
}

uint32_t kernel_name(cl_kernel handle)
{
	char brief[256], *name;
	size_t len = sizeof(brief);
	uint32_t n = 0;

	/* Nearly all names fit, and one question is enough. */
	if (layer_next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, len, brief, NULL) ==
		CL_SUCCESS)
		return memory_name(brief, strnlen(brief, len));
	if (layer_next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &len) ||
		len == 0 || len > LONG_NAME)
		return memory_name("?", 1);
	name = malloc(len);
	if (name && layer_next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, len, name, NULL) ==
			CL_SUCCESS)
		n = memory_name(name, strnlen(name, len));
	free(name);
	return n;
}
