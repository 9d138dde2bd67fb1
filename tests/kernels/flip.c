/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into the worker: results that are read from the device have one bit changed. */
#include "config.h"

#include <dlfcn.h>
#include <stddef.h>

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

	if (code == 0 && size > 0)
		*(unsigned char *)out ^= 1;
	return code;
}
