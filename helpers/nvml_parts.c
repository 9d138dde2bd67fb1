/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the instances of a GPU that is divided (MIG). NVML has a device handle for each compute
 * instance; its performance monitor knows GPU instances, so that those that share one have the same
 * shares. */
#include "config.h"

#include "helpers/nvml_parts.h"

#include <inttypes.h>
#include <string.h>

/* The handles of the instances that there are now. */
static int list(struct nvml_gpu *g, struct nvml_device *out[NVML_PARTS_MAX], int *n)
{
	unsigned on = 0, pending = 0, most = 0;
	int code = NVML_CALL(g, mig_mode, g->device, &on, &pending);

	*n = 0;
	if (code != NVML_OK || !on)
		return code;
	code = NVML_CALL(g, mig_max, g->device, &most);
	for (unsigned i = 0; code == NVML_OK && i < most && *n < NVML_PARTS_MAX; i++)
		*n += NVML_CALL(g, mig_device, g->device, i, &out[*n]) == NVML_OK;
	return code;
}

/* The profile stands at the end of the name: "NVIDIA A100-SXM4-40GB MIG 3g.20gb". */
static void tell_part(struct nvml_gpu *g, struct nvml_parts *p, int i, FILE *out)
{
	struct nvml_part *part = &p->rows[i];
	struct nvml_attributes *a = &part->attributes;
	char name[96] = "";

	NVML_CALL(g, attributes, part->device, a);
	NVML_CALL(g, name, part->device, name, sizeof(name));
	name[sizeof(name) - 1] = '\0';
	const char *profile = strstr(name, " MIG ");
	fprintf(out, "instance %d %" PRIu32 " %" PRIu32 " ", i, a->gpu_slices, a->multiprocessors);
	for (const char *c = profile ? profile + 5 : "MIG"; *c; c++)
		fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
	fputc('\n', out);
}

int nvml_parts_begin(struct nvml_gpu *g, struct nvml_parts *p, FILE *out)
{
	struct nvml_device *devices[NVML_PARTS_MAX];
	int code = list(g, devices, &p->n);

	for (int i = 0; i < p->n; i++) {
		struct nvml_part *part = &p->rows[i];

		*part = (struct nvml_part){ .device = devices[i] };
		NVML_CALL(g, gpu_instance, part->device, &part->gpu_instance);
		NVML_CALL(g, compute_instance, part->device, &part->compute_instance);
		part->gpm_code = g->gpm_code;
		if (part->gpm_code == NVML_OK)
			part->gpm_code = nvml_gpm_begin(g, &part->gpm);
		for (int k = 0; k < NVML_VALUES; k++)
			part->codes[k] = NVML_NOT_SUPPORTED;
		tell_part(g, p, i, out);
	}
	return code;
}

/* A handle may be lent again to an instance that was made in the place of an older one. */
static bool is_other(struct nvml_gpu *g, const struct nvml_part *part)
{
	unsigned gpu_instance = part->gpu_instance, compute_instance = part->compute_instance;
	struct nvml_attributes a = part->attributes;

	NVML_CALL(g, gpu_instance, part->device, &gpu_instance);
	NVML_CALL(g, compute_instance, part->device, &compute_instance);
	NVML_CALL(g, attributes, part->device, &a);
	return gpu_instance != part->gpu_instance || compute_instance != part->compute_instance ||
		a.gpu_slices != part->attributes.gpu_slices ||
		a.multiprocessors != part->attributes.multiprocessors;
}

bool nvml_parts_changed(struct nvml_gpu *g, const struct nvml_parts *p)
{
	struct nvml_device *devices[NVML_PARTS_MAX];
	int n;

	if (list(g, devices, &n) != NVML_OK)
		return false;
	for (int i = 0; i < n && i < p->n; i++)
		if (devices[i] != p->rows[i].device || is_other(g, &p->rows[i]))
			return true;
	return n != p->n;
}

void nvml_parts_tell(struct nvml_gpu *g, struct nvml_parts *p, int64_t now_ns, FILE *out)
{
	for (int i = 0; i < p->n; i++) {
		struct nvml_part *part = &p->rows[i];

		nvml_read_memory(g, part->device, part->codes, part->values);
		if (part->gpm_code == NVML_OK)
			nvml_gpm_read(g, &part->gpm, part->gpu_instance, now_ns, part->codes,
				part->values);
		fprintf(out, "of %d %" PRId64, i, now_ns);
		for (int k = 0; k < NVML_VALUES; k++)
			if (part->codes[k] == NVML_OK)
				fprintf(out, " %d:%" PRIu64, k, part->values[k]);
		fputc('\n', out);
	}
}

int nvml_parts_find(const struct nvml_parts *p, unsigned gpu_instance, unsigned compute_instance)
{
	for (int i = 0; i < p->n; i++)
		if (p->rows[i].gpu_instance == gpu_instance &&
			p->rows[i].compute_instance == compute_instance)
			return i;
	return -1;
}
