/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into the worker: results that are read from the device have one bit changed, or, with FLIP_TIMES=N set, the times
 * of events are N thousandths of what they are. */
#include "config.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef int read_fn(void *queue, void *buffer, unsigned blocking, size_t at, size_t size, void *out,
	unsigned n_events, const void *events, void *event);

/* As clEnqueueReadBuffer of CL/cl.h. */
__attribute__((visibility("default")))
read_fn clEnqueueReadBuffer;

int clEnqueueReadBuffer(void *queue, void *buffer, unsigned blocking, size_t at, size_t size,
	void *out, unsigned n_events, const void *events, void *event)
{
	read_fn *real = (read_fn *)dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
	int code = real(queue, buffer, blocking, at, size, out, n_events, events, event);

	if (code == 0 && size > 0 && !getenv("FLIP_TIMES"))
		*(unsigned char *)out ^= 1;
	return code;
}

typedef int times_fn(void *event, unsigned what, size_t size, void *out, size_t *needed);

/* As clGetEventProfilingInfo of CL/cl.h. */
__attribute__((visibility("default")))
times_fn clGetEventProfilingInfo;

int clGetEventProfilingInfo(void *event, unsigned what, size_t size, void *out, size_t *needed)
{
	times_fn *real = (times_fn *)dlsym(RTLD_NEXT, "clGetEventProfilingInfo");
	int code = real(event, what, size, out, needed);

	if (code == 0 && out && size == sizeof(unsigned long long) && getenv("FLIP_TIMES")) {
		unsigned long long ns, by = strtoull(getenv("FLIP_TIMES"), NULL, 10);

		memcpy(&ns, out, sizeof(ns));
		ns = by < 1000 ? ns / 1000 * by : ns * (by / 1000);
		memcpy(out, &ns, sizeof(ns));
	}
	return code;
}
