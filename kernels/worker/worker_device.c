/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the OpenCL device and asks it for its facts. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/minmax.h"
#include "base/parse.h"
#include "kernels/worker/cpu.h"

#define MAX_PLATFORMS 16
#define MAX_DEVICES 16

/* cl_khr_pci_bus_info defines it; older headers do not have it. */
#define DEVICE_PCI_BUS_INFO_KHR 0x410F
struct pci_bus_info {
	cl_uint domain, bus, device, function;
};

/* cl_nv_device_attribute_query, as clinfo reads it: the slot holds device and function, and older
 * drivers tell no domain. */
#define DEVICE_PCI_BUS_ID_NV 0x4008
#define DEVICE_PCI_SLOT_ID_NV 0x4009
#define DEVICE_PCI_DOMAIN_ID_NV 0x400A

static void get_text(cl_device_id id, cl_device_info what, char *buf, size_t size)
{
	if (clGetDeviceInfo(id, what, size, buf, NULL) != CL_SUCCESS)
		buf[0] = '\0';
	buf[size - 1] = '\0';
}

static uint64_t get_number(cl_device_id id, cl_device_info what)
{
	uint64_t v = 0;

	if (clGetDeviceInfo(id, what, sizeof(v), &v, NULL) != CL_SUCCESS)
		return 0;
	return v;
}

/* One word may be the beginning of another. */
bool device_has_extension(cl_device_id id, const char *name)
{
	size_t size = 0, len;
	const char *word;
	bool found = false;

	if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS || !size)
		return false;
	char *list = calloc(1, size + 1);
	const char *rest = list;
	if (list && clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, size, list, NULL) == CL_SUCCESS) {
		while (!found && parse_word(&rest, &word, &len))
			found = strlen(name) == len && !memcmp(word, name, len);
	}
	free(list);
	return found;
}

static bool get_number32(cl_device_id id, cl_device_info what, cl_uint *out)
{
	return clGetDeviceInfo(id, what, sizeof(*out), out, NULL) == CL_SUCCESS;
}

/* The extension of all vendors comes first. */
static void get_address(struct device_facts *d)
{
	struct pci_bus_info p = { 0 };
	cl_uint slot;
	bool known = device_has_extension(d->id, "cl_khr_pci_bus_info") &&
		clGetDeviceInfo(d->id, DEVICE_PCI_BUS_INFO_KHR, sizeof(p), &p, NULL) == CL_SUCCESS;

	if (!known && device_has_extension(d->id, "cl_nv_device_attribute_query") &&
		get_number32(d->id, DEVICE_PCI_BUS_ID_NV, &p.bus) &&
		get_number32(d->id, DEVICE_PCI_SLOT_ID_NV, &slot)) {
		if (!get_number32(d->id, DEVICE_PCI_DOMAIN_ID_NV, &p.domain))
			p.domain = 0;
		p.device = slot >> 3;
		p.function = slot & 7;
		known = true;
	}
	if (known)
		snprintf(d->pci, sizeof(d->pci), "%04x:%02x:%02x.%x", p.domain & 0xfffffff,
			p.bus & 0xff, p.device & 0x1f, p.function & 7);
}

/* Expects facts that are zero but for id and platform. */
static void get_identity(struct device_facts *d)
{
	cl_device_type type = 0;

	clGetDeviceInfo(d->id, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	d->cpu = type & CL_DEVICE_TYPE_CPU;
	get_text(d->id, CL_DEVICE_NAME, d->name, sizeof(d->name));
	get_text(d->id, CL_DRIVER_VERSION, d->driver, sizeof(d->driver));
	clGetPlatformInfo(d->platform, CL_PLATFORM_VERSION, sizeof(d->platform_version),
		d->platform_version, NULL);
	d->platform_version[sizeof(d->platform_version) - 1] = '\0';
	get_address(d);
}

/* This holds every device of every platform. */
struct found {
	struct device_facts devices[MAX_PLATFORMS * MAX_DEVICES];
	int platform[MAX_PLATFORMS * MAX_DEVICES], index[MAX_PLATFORMS * MAX_DEVICES];
	int n;
};

static bool find_devices(struct found *f, struct err *err)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint n_platforms = 0;
	cl_int code = clGetPlatformIDs(MAX_PLATFORMS, platforms, &n_platforms);

	if (code != CL_SUCCESS)
		return clerr_set(err, code, "there is no OpenCL platform");
	for (cl_uint p = 0; p < n_platforms && p < MAX_PLATFORMS; p++) {
		cl_device_id ids[MAX_DEVICES];
		cl_uint n = 0;

		if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &n) !=
			CL_SUCCESS)
			continue;
		for (cl_uint i = 0; i < n && i < MAX_DEVICES; i++) {
			f->platform[f->n] = (int)p;
			f->index[f->n] = (int)i;
			f->devices[f->n] = (struct device_facts){ .platform = platforms[p],
				.id = ids[i] };
			get_identity(&f->devices[f->n++]);
		}
	}
	if (f->n > 0)
		return true;
	clerr_set(err, CL_DEVICE_NOT_FOUND, "no OpenCL platform has a device");
	/* PoCL 3.1: without a folder for its cache it has no device. */
	return err_hint(err,
		"install the driver of the device; PoCL also needs HOME, or POCL_CACHE_DIR, to "
		"be a folder that it can write to");
}

/* Writes the device's place, as --cl-device takes it. */
static const char *place_of(const struct found *f, int i, char *buf, size_t size)
{
	snprintf(buf, size, "%d:%d", f->platform[i], f->index[i]);
	return buf;
}

/* A driver's compiler may be a package of its own, which no version of OpenCL names: the files of
 * all loaded libraries, by size and time, stand for it. */
static int add_library(struct dl_phdr_info *info, size_t size, void *hash)
{
	char text[96];
	uint64_t *h = hash;
	struct stat st;

	(void)size;
	if (!*info->dlpi_name || stat(info->dlpi_name, &st) != 0)
		return 0;
	snprintf(text, sizeof(text), "%lld %lld", (long long)st.st_size, (long long)st.st_mtime);
	*h = hash_add_text(hash_add_text(*h, info->dlpi_name), text);
	return 0;
}

/* Returns the device that is wanted; "cpu" is the first that is one. -1: it does not exist, or a
 * part of a name is in several, whose number *several gets. When none is wanted, it is the
 * monitored device, else the first GPU, else the first of all. */
static int choose(const struct found *f, const char *want, const char *pci, int *several)
{
	char place[24];
	int gpu = 0, named = -1;

	*several = 0;
	for (int i = 0; *want && i < f->n; i++) {
		const struct device_facts *d = &f->devices[i];

		if ((!strcmp(want, "cpu") && d->cpu) ||
			(!strncmp(want, "pci:", 4) && !strcmp(want + 4, d->pci)) ||
			!strcmp(want, place_of(f, i, place, sizeof(place))))
			return i;
		if (strcasestr(d->name, want) && ++*several == 1)
			named = i;
	}
	if (*want)
		return *several == 1 ? named : -1;
	for (int i = f->n - 1; i >= 0; i--) {
		if (*pci && !strcmp(f->devices[i].pci, pci))
			return i;
		if (!f->devices[i].cpu)
			gpu = i;
	}
	return gpu;
}

/* Says whether d is another device than the one with this address. The only GPU of a driver that
 * tells no address is taken for that one. */
static bool is_other(const struct found *f, const struct device_facts *d, const char *pci)
{
	int gpus = 0;

	if (!*pci || d->pci[0])
		return *pci && strcmp(d->pci, pci) != 0;
	for (int i = 0; i < f->n; i++)
		gpus += !f->devices[i].cpu;
	return d->cpu || gpus != 1;
}

static bool not_found(const struct found *f, const char *want, int several, struct err *err)
{
	const char *separator = "";
	char list[280] = "", place[24];
	size_t len = 0;

	for (int i = 0; i < f->n && len < sizeof(list); i++) {
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s %s", separator,
			place_of(f, i, place, sizeof(place)), f->devices[i].name);
		separator = ", ";
	}
	if (several)
		err_set(err, ERR_NO_DEVICE, "'%.95s' is in the names of %d OpenCL devices", want, several);
	else
		err_set(err, ERR_NO_DEVICE, "no OpenCL device is '%.95s'", want);
	return err_hint(err, "there are: %s", list);
}

/* The matrix engine multiplies for the smallest sub-groups of a device: 8 items on Xe-HPG, 16 on
 * Xe-HPC and from Xe2 on. */
static void get_sub_group(struct device_facts *d)
{
	size_t sizes[8], n = 0;

	if (clGetDeviceInfo(d->id, 0x4108 /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */, sizeof(sizes),
		    sizes, &n) != CL_SUCCESS)
		return;
	for (size_t i = 0; i < n / sizeof(sizes[0]); i++)
		if (!d->sub_group || (int)sizes[i] < d->sub_group)
			d->sub_group = (int)sizes[i];
}

static void get_floats(struct device_facts *d)
{
	static const struct {
		enum kernel_type type;
		cl_device_info config, width;
	} rows[] = {
		{ TYPE_SP, CL_DEVICE_SINGLE_FP_CONFIG, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT },
		{ TYPE_DP, CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE },
		{ TYPE_HP, 0x1033 /* CL_DEVICE_HALF_FP_CONFIG */,
			CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF },
		{ TYPE_INT, 0, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT },
		{ TYPE_MATRIX, 0, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *extension = catalog_type(rows[i].type)->extension;
		cl_uint width = 0;

		d->has[rows[i].type] = !extension || device_has_extension(d->id, extension);
		d->fma[rows[i].type] = rows[i].config &&
			get_number(d->id, rows[i].config) & CL_FP_FMA;
		d->width[rows[i].type] = 1;
		clGetDeviceInfo(d->id, rows[i].width, sizeof(width), &width, NULL);
		if (width >= 1 && width <= CATALOG_MAX_WIDTH && !(width & (width - 1)))
			d->width[rows[i].type] = (int)width;
	}
}

bool device_each(
	bool (*fn)(void *ctx, const struct device_facts *d, const char *place, struct err *err),
	void *ctx, struct err *err)
{
	struct found *f = calloc(1, sizeof(*f));
	bool good = f && find_devices(f, err);
	char place[24];

	for (int i = 0; good && i < f->n; i++)
		good = fn(ctx, &f->devices[i], place_of(f, i, place, sizeof(place)), err);
	free(f);
	return good;
}

bool device_open(struct device_facts *d, const char *want, const char *pci, struct err *err)
{
	struct found *f = calloc(1, sizeof(*f));
	cl_int code = CL_SUCCESS;
	cl_uint units = 0;
	cl_bool unified = CL_TRUE;
	size_t group = 0;
	uint64_t h;
	bool good = false;
	int chosen, several;

	if (!f || !find_devices(f, err))
		goto out;
	chosen = choose(f, want, pci, &several);
	if (chosen < 0) {
		not_found(f, want, several, err);
		goto out;
	}
	*d = f->devices[chosen];
	d->other = is_other(f, d, pci);
	get_floats(d);
	get_sub_group(d);
	clGetDeviceInfo(d->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
	clGetDeviceInfo(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(group), &group, NULL);
	d->compute_units = units ? units : 1;
	d->max_group_size = group ? group : 1;
	d->local_bytes = get_number(d->id, CL_DEVICE_LOCAL_MEM_SIZE);
	d->max_alloc_bytes = get_number(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
	d->global_bytes = get_number(d->id, CL_DEVICE_GLOBAL_MEM_SIZE);
	d->cache_bytes = get_number(d->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
	if (d->cpu)
		d->cache_bytes = max_u64(d->cache_bytes, cpu_last_caches_bytes());
	clGetDeviceInfo(d->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(unified), &unified, NULL);
	d->own_memory = !unified;
	h = hash_add_text(HASH_START, d->platform_version);
	h = hash_add_text(hash_add_text(h, d->name), d->driver);
	snprintf(d->key, sizeof(d->key), "%016" PRIx64, h);
	d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &code);
	dl_iterate_phdr(add_library, &h);
	snprintf(d->compiler_key, sizeof(d->compiler_key), "%016" PRIx64, h);
	if (code == CL_SUCCESS)
		d->queue = clCreateCommandQueue(
			d->context, d->id, CL_QUEUE_PROFILING_ENABLE, &code);
	good = code == CL_SUCCESS || clerr_set(err, code, "cannot use the OpenCL device");
out:
	free(f);
	return good;
}

void device_close(const struct device_facts *d)
{
	if (d->queue)
		clReleaseCommandQueue(d->queue);
	if (d->context)
		clReleaseContext(d->context);
}
