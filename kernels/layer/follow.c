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

static void give_up(cl_event event, uint32_t queue)
{
	layer_next.clReleaseEvent(event);
	memory_end(queue, NULL);
}

static void CL_CALLBACK ended(cl_event event, cl_int status, void *ctx)
{
	struct followed *f = ctx;
	struct span_slot *s = &f->span;

	(void)event;
	atomic_fetch_sub(&in_flight, 1);
	if (f->generation != memory_generation()) {
		free(f);
		return;
	}
	s->seen = memory_now_ns();
	bool good = status == CL_COMPLETE &&
		time_of(f->event, CL_PROFILING_COMMAND_START, &s->start) &&
		time_of(f->event, CL_PROFILING_COMMAND_END, &s->end);
	if (!time_of(f->event, CL_PROFILING_COMMAND_QUEUED, &s->queued))
		s->queued = 0;
	layer_next.clReleaseEvent(f->event);
	memory_end(f->queue, good ? s : NULL);
	free(f);
}

void command_begin(struct command *c)
{
	c->before = memory_is_open() ? memory_now_ns() : 0;
}

void command_follow(const struct command *c, cl_command_queue q, cl_event event, bool is_ours)
{
	if (!c->before) {
		if (is_ours)
			layer_next.clReleaseEvent(event);
		return;
	}
	uint64_t after = memory_now_ns();
	struct queue_facts facts = queue_find(q);
	uint64_t index = memory_submit(facts.number);
	if (!is_ours && layer_next.clRetainEvent(event) != CL_SUCCESS) {
		memory_end(facts.number, NULL);
		return;
	}
	struct followed *f = NULL;
	if (atomic_fetch_add(&in_flight, 1) < IN_FLIGHT_MAX)
		f = malloc(sizeof(*f));
	if (!f) {
		atomic_fetch_sub(&in_flight, 1);
		give_up(event, facts.number);
		return;
	}
	*f = (struct followed){ .event = event,
		.queue = facts.number,
		.generation = memory_generation(),
		.span = { .before = c->before,
			.after = after,
			.items = c->items,
			.index = index,
			.name = c->name,
			.kind = c->kind } };
	if (layer_next.clSetEventCallback(event, CL_COMPLETE, ended, f) != CL_SUCCESS) {
		atomic_fetch_sub(&in_flight, 1);
		free(f);
		give_up(event, facts.number);
	}
}
