/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows commands to their end. Their times come from the driver, in a callback; nothing waits for
 * them. */
#include "config.h"

#include <stdlib.h>

#include "kernels/layer/layer.h"

/* A program that puts more into its queues has some of them left out: each holds an event of the
 * driver. */
#define IN_FLIGHT_MAX 65536

struct followed {
	cl_event event;
	uint32_t queue;
	unsigned generation;
	struct span_slot span;
	struct followed *next; /* of those that are held */
};

static _Atomic int in_flight;

static bool time_of(cl_event e, cl_profiling_info what, uint64_t *ns)
{
	cl_ulong v = 0;

	if (layer_next.clGetEventProfilingInfo(e, what, sizeof(v), &v, NULL) != CL_SUCCESS)
		return false;
	*ns = v;
	return true;
}

/* --- events that are held --- */

#define BUCKETS 4096

static struct followed *held[BUCKETS];
/* Over the table and the references of its events, so that a program does not see between them. */
pthread_mutex_t layer_held_lock = PTHREAD_MUTEX_INITIALIZER;

static struct followed **place_of(cl_event event)
{
	struct followed **at =
		&held[((uintptr_t)event >> 4) * 0x9e3779b97f4a7c15u >> 52];

	while (*at && (*at)->event != event)
		at = &(*at)->next;
	return at;
}

static void hold(struct followed *f)
{
	pthread_mutex_lock(&layer_held_lock);
	struct followed **at = place_of(f->event);
	f->next = *at;
	*at = f;
	pthread_mutex_unlock(&layer_held_lock);
}

static void let_go(struct followed *f)
{
	pthread_mutex_lock(&layer_held_lock);
	struct followed **at = place_of(f->event);
	if (*at)
		*at = (*at)->next;
	layer_next.clReleaseEvent(f->event);
	pthread_mutex_unlock(&layer_held_lock);
}

cl_int command_references(cl_event event, size_t size, void *v, size_t *ret)
{
	pthread_mutex_lock(&layer_held_lock);
	cl_int e = layer_next.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, size, v, ret);
	if (e == CL_SUCCESS && *place_of(event))
		--*(cl_uint *)v;
	pthread_mutex_unlock(&layer_held_lock);
	return e;
}

/* --- commands --- */

static void CL_CALLBACK ended(cl_event event, cl_int status, void *ctx)
{
	struct followed *f = ctx;
	struct span_slot *s = &f->span;

	(void)event;
	atomic_fetch_sub(&in_flight, 1);
	if (f->generation != memory_generation()) {
		let_go(f);
		free(f);
		return;
	}
	s->seen = memory_now_ns();
	bool good = status == CL_COMPLETE &&
		time_of(f->event, CL_PROFILING_COMMAND_START, &s->start) &&
		time_of(f->event, CL_PROFILING_COMMAND_END, &s->end);
	if (!time_of(f->event, CL_PROFILING_COMMAND_QUEUED, &s->queued))
		s->queued = 0;
	let_go(f);
	memory_end(f->queue, good ? s : NULL);
	free(f);
}

cl_event *command_begin(struct command *c, cl_command_queue q, cl_event *theirs, cl_event *own)
{
	if (!memory_is_open())
		return theirs;
	if (q)
		c->queue = queue_find(q).number;
	c->index = memory_submit(c->queue);
	c->before = memory_now_ns();
	return theirs ? theirs : own;
}

static bool follow(const struct command *c, cl_event event)
{
	struct followed *f = NULL;

	if (atomic_fetch_add(&in_flight, 1) < IN_FLIGHT_MAX)
		f = malloc(sizeof(*f));
	if (f) {
		*f = (struct followed){ .event = event,
			.queue = c->queue,
			.generation = memory_generation(),
			.span = { .before = c->before,
				.after = memory_now_ns(),
				.items = c->items,
				.index = c->index,
				.name = c->name,
				.kind = c->kind } };
		hold(f);
		if (layer_next.clSetEventCallback(event, CL_COMPLETE, ended, f) == CL_SUCCESS)
			return true;
		let_go(f);
		free(f);
	} else {
		layer_next.clReleaseEvent(event);
	}
	atomic_fetch_sub(&in_flight, 1);
	return false;
}

cl_int command_follow(struct command *c, cl_int e, const cl_event *to, const cl_event *theirs)
{
	if (!c->before)
		return e;
	if (e != CL_SUCCESS) {
		memory_refused(c->queue);
		return e;
	}
	/* Of the program's event a reference is the layer's; without one the event is. */
	if ((theirs && layer_next.clRetainEvent(*to) != CL_SUCCESS) || !follow(c, *to))
		memory_end(c->queue, NULL);
	return e;
}
