/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the layer share: the memory that it writes, and what it knows of the program's
 * objects. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/layer/span_proto.h"

/* What the loader calls without us. Entries that it does not have are NULL. */
extern cl_icd_dispatch layer_next;
/* Of follow.c and objects.c; a child of fork() begins with free ones. */
extern pthread_mutex_t layer_held_lock, layer_queue_lock;

/* --- memory.c: what is shared with rooftop --- */

/* Whether somebody reads; where nobody does nothing is written. A child after fork() connects by
 * itself, at its next command. */
bool memory_is_open(void);
uint64_t memory_now_ns(void);
/* Return numbers, 0 where there is no room. */
uint32_t memory_name(const char *name, size_t len);
uint32_t memory_queue(cl_device_id device, bool out_of_order);
/* Gives a command of a queue its number, which counts from 1. */
uint64_t memory_submit(uint32_t queue);
/* Ends a command: span is told, or with NULL counted as dropped. Of what was begun before a fork()
 * nothing is told. */
void memory_end(uint32_t queue, const struct span_slot *span);
/* Takes a command back that the driver has refused. */
void memory_refused(uint32_t queue);
/* Counts up with each fork(), so that what is of the parent can be told apart. */
unsigned memory_generation(void);

/* --- objects.c: what is known of queues, and names of kernels --- */

struct queue_facts {
	uint32_t number;		/* in the memory */
	bool hides;			/* profiling is on, and the program did not ask for it */
	unsigned generation;
};

/* Remembers a queue that was created, with the properties that the program named: pairs that end
 * with 0, or NULL. */
void queue_made(cl_command_queue q, cl_device_id device, cl_command_queue_properties asked, bool hides,
	const cl_queue_properties *named);
void queue_asks(cl_command_queue q, bool profiling);
/* Returns what is known of a queue; one that was not seen before is looked at. */
struct queue_facts queue_find(cl_command_queue q);
/* Returns the properties with which the program created the queue, 0 with their end; NULL: not
 * known. Their number, with the end, goes to *n. */
const cl_queue_properties *queue_named(cl_command_queue q, size_t *n);
uint32_t kernel_name(cl_kernel k);

/* --- follow.c: commands from their call to their end --- */

struct command {
	uint32_t name, kind;
	uint32_t queue;			/* in the memory */
	uint64_t items, index;
	uint64_t before;		/* CLOCK_MONOTONIC before the call; 0: nobody reads */
};

/* Has to be called before a command is handed to the driver, whose reader must not take its queue
 * for empty meanwhile. q may be NULL: not known. Returns where the driver has to put the event: the
 * program's place, or own where the program wants none. */
cl_event *command_begin(struct command *c, cl_command_queue q, cl_event *theirs, cl_event *own);
/* Has to be called behind it, with the driver's result, which it returns. The event goes on to the
 * program, or is released. */
cl_int command_follow(struct command *c, cl_int e, const cl_event *to, const cl_event *theirs);
/* Answers CL_EVENT_REFERENCE_COUNT without the layer's own reference. */
cl_int command_references(cl_event event, size_t size, void *v, size_t *ret);
