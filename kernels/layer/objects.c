/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the layer knows of the program's queues and kernels, found by their handles. A handle that the
 * driver uses anew has its facts replaced. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/layer/layer.h"

#define BUCKETS 1024
#define ENTRIES_MAX (1 << 18) /* of each kind; what comes later is asked for each time */
#define NAMED_MAX 64
#define LONG_NAME (1 << 24) /* a longer one is not asked for */

struct queue {
	cl_command_queue handle;
	cl_device_id device;
	struct queue_facts facts;
	bool out_of_order;
	cl_queue_properties named[NAMED_MAX];
	size_t n_named; /* 0: not known */
	struct queue *next;
};

struct kernel {
	cl_kernel handle;
	uint32_t name;
	unsigned generation;
	struct kernel *next;
};

static struct queue *queues[BUCKETS];
static struct kernel *kernels[BUCKETS];
static int n_queues, n_kernels;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void in_child(void)
{
	pthread_mutex_init(&lock, NULL);
}

__attribute__((constructor)) static void watch_fork(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

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

static struct kernel *find_kernel(cl_kernel handle)
{
	struct kernel *k = kernels[bucket(handle)];

	while (k && k->handle != handle)
		k = k->next;
	return k;
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
	if (q)
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

	pthread_mutex_lock(&lock);
	struct queue *q = add_queue(handle);
	if (q) {
		q->device = device;
		q->out_of_order = asked & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
		q->facts.hides = hides;
		for (; named && named[n] && n + 3 < NAMED_MAX; n += 2)
			memcpy(&q->named[n], &named[n], 2 * sizeof(*named));
		if (named && !named[n])
			q->n_named = n + 1;
		fill_queue(q);
	}
	pthread_mutex_unlock(&lock);
}

void queue_asks(cl_command_queue handle, bool profiling)
{
	pthread_mutex_lock(&lock);
	struct queue *q = find_queue(handle);
	if (q)
		q->facts.hides = !profiling;
	pthread_mutex_unlock(&lock);
}

struct queue_facts queue_find(cl_command_queue handle)
{
	struct queue_facts facts = { 0 };

	pthread_mutex_lock(&lock);
	struct queue *q = find_queue(handle);
	if (!q && (q = add_queue(handle))) {
		layer_next.clGetCommandQueueInfo(
			handle, CL_QUEUE_DEVICE, sizeof(q->device), &q->device, NULL);
		fill_queue(q);
	}
	/* The child of a fork() tells its queues anew. */
	if (q && q->facts.generation != memory_generation())
		fill_queue(q);
	if (q)
		facts = q->facts;
	pthread_mutex_unlock(&lock);
	return facts;
}

const cl_queue_properties *queue_named(cl_command_queue handle, size_t *n)
{
	pthread_mutex_lock(&lock);
	const struct queue *q = find_queue(handle);
	*n = q ? q->n_named : 0;
	pthread_mutex_unlock(&lock);
	return q && *n ? q->named : NULL;
}

/* Asks for the name of a kernel, however long it is. */
static uint32_t ask_name(cl_kernel handle)
{
	char brief[256], *name = brief;
	size_t len = 0;
	uint32_t n;

	if (layer_next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &len) ||
		len == 0 || len > LONG_NAME)
		return memory_name("?", 1);
	if (len > sizeof(brief) && !(name = malloc(len)))
		return 0;
	n = 0;
	if (layer_next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, len, name, NULL) ==
		CL_SUCCESS)
		n = memory_name(name, strnlen(name, len));
	if (name != brief)
		free(name);
	return n;
}

void kernel_made(cl_kernel handle)
{
	if (!handle || !memory_is_open())
		return;
	uint32_t name = ask_name(handle);
	pthread_mutex_lock(&lock);
	struct kernel *k = find_kernel(handle);
	if (!k && n_kernels < ENTRIES_MAX && (k = calloc(1, sizeof(*k)))) {
		n_kernels++;
		k->handle = handle;
		k->next = kernels[bucket(handle)];
		kernels[bucket(handle)] = k;
	}
	if (k) {
		k->name = name;
		k->generation = memory_generation();
	}
	pthread_mutex_unlock(&lock);
}

uint32_t kernel_name(cl_kernel handle)
{
	uint32_t name = 0;
	bool known = false;

	pthread_mutex_lock(&lock);
	const struct kernel *k = find_kernel(handle);
	if (k && k->generation == memory_generation()) {
		name = k->name;
		known = true;
	}
	pthread_mutex_unlock(&lock);
	if (known)
		return name;
	name = ask_name(handle);
	if (k)
		kernel_made(handle);
	return name;
}
