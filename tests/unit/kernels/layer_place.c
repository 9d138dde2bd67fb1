/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the layer tells of where a device is reaches the reader whole, whatever the domain. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kernels/layer/layer.h"
#include "kernels/spans/span_hub.h"
#include "tests/tap.h"

/* Of the layer's other files. */
pthread_mutex_t layer_held_lock = PTHREAD_MUTEX_INITIALIZER, layer_queue_lock = PTHREAD_MUTEX_INITIALIZER;

static struct { cl_uint domain, bus, device, function; } pci;

static cl_int CL_API_CALL give(cl_device_id d, cl_device_info what, size_t size, void *value, size_t *needed)
{
	static const char extensions[] = "cl_khr_fp64 cl_khr_pci_bus_info";

	(void)d;
	(void)needed;
	if (what == CL_DEVICE_EXTENSIONS && size >= sizeof(extensions))
		memcpy(value, extensions, sizeof(extensions));
	else if (what == 0x410F && size == sizeof(pci))	/* CL_DEVICE_PCI_BUS_INFO_KHR */
		memcpy(value, &pci, sizeof(pci));
	else
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

static void on_queue(void *ctx, const struct span_place *p)
{
	snprintf(ctx, 32, "%.31s", p->pci_address);
}

static void nobody(void *ctx, const struct span *s)
{
	(void)ctx;
	(void)s;
}

static void none(void *ctx, uint64_t n)
{
	(void)ctx;
	(void)n;
}

int main(void)
{
	static const cl_uint domains[] = { 0, 1, 0xffff, 0x10000, 0x10001, 0xfffff, 0x1000000, 0xfffffff };
	char told[32] = "", want[32];
	const struct span_sink sink = { .queue = on_queue, .span = nobody, .lost = none, .nonsense = none, .ctx = told };
	struct err err = { 0 };
	struct span_hub *hub = span_hub_open(&sink, false, &err);

	if (!hub)
		return 1;
	setenv(SPAN_ENV, span_hub_path(hub), 1);
	layer_next.clGetDeviceInfo = give;
	ok(memory_is_open(), "the layer finds who reads");
	for (size_t i = 0; i < ARRAY_LEN(domains); i++) {
		pci.domain = domains[i];
		pci.bus = 0xe1;
		pci.device = 0x1f;
		pci.function = (cl_uint)i;
		memory_queue(NULL, false);
		span_hub_read(hub, 1);
		snprintf(want, sizeof(want), "%04x:e1:1f.%x", domains[i], (unsigned)i);
		is_str(told, want, "the address with domain %#x", domains[i]);
	}
	span_hub_close(hub);
	return done_testing();
}
