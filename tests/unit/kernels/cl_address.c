/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCL devices are matched by PCI address, however their driver tells it: an OpenCL of ours has NVIDIA cards
 * that know the extension of all vendors, or only NVIDIA's own. */
#include "config.h"

#include <string.h>

#include "kernels/worker/worker.h"
#include "tests/tap.h"

#define DEVICES 3

/* What each device tells. */
static struct card {
	const char *extensions;
	bool has_khr;
	cl_uint khr[4];		/* domain, bus, device, function */
	cl_uint bus, slot;	/* NVIDIA's: the slot holds device and function */
	int domain;		/* -1: an older driver, which does not tell it */
} cards[DEVICES];

static int device_tags[DEVICES], platform_tag;

static cl_int give(size_t size, void *value, size_t *needed, const void *from, size_t len)
{
	if (needed)
		*needed = len;
	if (value && size < len)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, from, len);
	return CL_SUCCESS;
}

cl_int clGetPlatformIDs(cl_uint max, cl_platform_id *out, cl_uint *n)
{
	if (max && out)
		*out = (cl_platform_id)(void *)&platform_tag;
	if (n)
		*n = 1;
	return CL_SUCCESS;
}

cl_int clGetPlatformInfo(
	cl_platform_id id, cl_platform_info what, size_t size, void *value, size_t *needed)
{
	(void)id;
	(void)what;
	return give(size, value, needed, "OpenCL 3.0 test", 16);
}

cl_int clGetDeviceIDs(
	cl_platform_id id, cl_device_type type, cl_uint max, cl_device_id *out, cl_uint *n)
{
	(void)id;
	(void)type;
	for (cl_uint i = 0; out && i < max && i < DEVICES; i++)
		out[i] = (cl_device_id)(void *)&device_tags[i];
	if (n)
		*n = DEVICES;
	return CL_SUCCESS;
}

cl_int clGetDeviceInfo(
	cl_device_id id, cl_device_info what, size_t size, void *value, size_t *needed)
{
	const struct card *c = &cards[(int *)(void *)id - device_tags];
	cl_device_type gpu = CL_DEVICE_TYPE_GPU;

	switch (what) {
	case CL_DEVICE_TYPE:
		return give(size, value, needed, &gpu, sizeof(gpu));
	case CL_DEVICE_NAME:
		return give(size, value, needed, "NVIDIA Test", 12);
	case CL_DEVICE_EXTENSIONS:
		return give(size, value, needed, c->extensions, strlen(c->extensions) + 1);
	case 0x410F:	/* CL_DEVICE_PCI_BUS_INFO_KHR */
		return c->has_khr ? give(size, value, needed, c->khr, sizeof(c->khr)) : CL_INVALID_VALUE;
	case 0x4008:	/* CL_DEVICE_PCI_BUS_ID_NV */
		return give(size, value, needed, &c->bus, sizeof(c->bus));
	case 0x4009:	/* CL_DEVICE_PCI_SLOT_ID_NV */
		return give(size, value, needed, &c->slot, sizeof(c->slot));
	case 0x400A:	/* CL_DEVICE_PCI_DOMAIN_ID_NV */
		return c->domain < 0 ? CL_INVALID_VALUE
				     : give(size, value, needed, &c->domain, sizeof(cl_uint));
	default:
		return CL_INVALID_VALUE;
	}
}

cl_context clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d,
	void(CL_CALLBACK *say)(const char *, const void *, size_t, void *), void *ctx, cl_int *code)
{
	(void)p;
	(void)n;
	(void)d;
	(void)say;
	(void)ctx;
	*code = CL_SUCCESS;
	return NULL;
}

cl_command_queue clCreateCommandQueue(
	cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *code)
{
	(void)c;
	(void)d;
	(void)p;
	*code = CL_SUCCESS;
	return NULL;
}

/* Opens the device at that address; says which one it is, -1: none has it. */
static int at(const char *address, struct device_facts *d)
{
	struct err err = { 0 };

	*d = (struct device_facts){ 0 };
	if (!device_open(d, "", address, &err) || d->other)
		return -1;
	return (int)((int *)(void *)d->id - device_tags);
}

int main(void)
{
	struct device_facts d;

	cards[0] = (struct card){ .extensions = "cl_khr_fp64 cl_nv_device_attribute_query", .bus = 1,
		.domain = -1 };
	cards[1] = (struct card){ .extensions = "cl_khr_fp16 cl_nv_device_attribute_query", .bus = 0xc1,
		.slot = 3 << 3 | 1, .domain = 2 };
	cards[2] = (struct card){ .extensions = "cl_khr_pci_bus_info cl_nv_device_attribute_query",
		.has_khr = true, .khr = { 0, 0x41, 0, 0 }, .bus = 9 };
	is_int(at("0000:01:00.0", &d), 0, "a driver that tells no domain has the first one");
	ok(!d.has[TYPE_HP] && d.has[TYPE_DP], "  ... and a device without half precision has none");
	is_int(at("0002:c1:03.1", &d), 1, "domain, device and function are told apart");
	ok(d.has[TYPE_HP] && !d.has[TYPE_DP], "  ... and one that has it has it");
	is_int(at("0000:41:00.0", &d), 2, "what all vendors tell comes first");
	is_int(at("0000:09:00.0", &d), -1, "  ... and NVIDIA's own does not count then");
	is_int(at("0000:99:00.0", &d), -1, "a card that OpenCL does not have is no other one");
	cards[2].khr[0] = 0x10001;
	is_int(at("10001:41:00.0", &d), 2, "a domain may have more than four digits, as behind a bridge of its own");
	is_int(at("0001:41:00.0", &d), -1, "  ... which are not cut");
	cards[0].extensions = "";
	is_int(at("0000:01:00.0", &d), -1, "numbers of an extension that is not there are not asked for");
	return done_testing();
}
