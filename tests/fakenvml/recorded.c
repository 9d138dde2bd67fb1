/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what nvidia-smi said of a card, and into which instances the environment divides it. */
#include "config.h"

#include "tests/fakenvml/recorded.h"

#include "tests/fakenvml/nvml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDED_MAX 8192

const char *fake_recording(void)
{
	static char text[RECORDED_MAX];
	const char *path = getenv("ROOFTOP_FAKE_CARD");
	FILE *f = path && *path && !text[0] ? fopen(path, "r") : NULL;

	if (f) {
		text[0] = '\n';
		text[1 + fread(text + 1, 1, sizeof(text) - 2, f)] = '\0';
		fclose(f);
	}
	return text[0] ? text : NULL;
}

const char *fake_recorded(const char *key)
{
	size_t len = strlen(key);

	for (const char *line = fake_recording(); line; line = strchr(line + 1, '\n'))
		if (!strncmp(line + 1, key, len) && line[1 + len] == ' ')
			return strncmp(line + 2 + len, "N/A", 3) ? line + 2 + len : NULL;
	return NULL;
}

struct fake_instance fake_instance[FAKE_MIG_MAX];

/* The instances of the model, whose number n does 1/n of the work. */
static const char *as_model(const struct nvidia_machine *m, char *text, size_t size)
{
	struct nvidia_state s;
	size_t len = 0;
	int n = 0;

	nvidia_gpu_state(gpu, now_ns(), &s);
	for (int k; (k = nvidia_slices(m, n)) && len < size; n++) {
		double mib = m->memory_bytes * k / 8 / (1 << 20);

		len += (size_t)snprintf(text + len, size - len, "%d:%d:%d:%.0f:%.0f:%dg.%dgb,", n + 1, k,
			k * nvidia_slice_sms(m), mib, mib * s.load->memory_used, k, (int)(m->memory_bytes / 8e9 * k));
	}
	return text;
}

/* A path names a file, which may change meanwhile. */
static const char *divided(void)
{
	static char text[512];
	const char *list = getenv("ROOFTOP_FAKE_MIG");

	if (!list && gpu && nvidia_gpu_machine(gpu)->mig)
		return as_model(nvidia_gpu_machine(gpu), text, sizeof(text));
	if (!list || *list != '/')
		return list;
	FILE *f = fopen(list, "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	text[n] = '\0';
	if (f)
		fclose(f);
	return text;
}

/* ROOFTOP_FAKE_MIG_MS later than the first look the last instance is gone. */
static unsigned lost_instances(void)
{
	static int64_t first_ns;
	const char *after = getenv("ROOFTOP_FAKE_MIG_MS");

	if (!first_ns)
		first_ns = now_ns();
	return after && now_ns() - first_ns > atoll(after) * 1000000;
}

unsigned fake_instances(void)
{
	const char *list = fake_recording() ? fake_recorded("mig") : divided();
	unsigned n = 0;

	for (int len; list && n < FAKE_MIG_MAX && *list && *list != '\n'; n++, list += len) {
		struct fake_instance *i = &fake_instance[n];

		len = 0;
		if (sscanf(list, "%u:%u:%u:%llu:%llu:%23[^,\n]%n", &i->gi, &i->slices, &i->sms, &i->mib,
			&i->used_mib, i->profile, &len) < 6)
			break;
		len += list[len] == ',';
	}
	return n > 0 ? n - lost_instances() : 0;
}

const struct fake_instance *fake_instance_of(const void *d)
{
	const struct fake_instance *i = d;

	return i >= fake_instance && i < fake_instance + FAKE_MIG_MAX ? i : NULL;
}
