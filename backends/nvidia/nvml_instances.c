/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes windows of what the program with NVIDIA's library tells of the instances of a GPU. */
#include "config.h"

#include "backends/nvidia/nvml_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/nvidia/nvml_proto.h"
#include "base/mem.h"

/* Counters of an instance: those of the GPU that it has, too, and what is known of it. */
enum { SLICES = NVML_VALUES, SMS, PROCESSES };

static const struct {
	int value;		/* enum nvml_value, or one of the above */
	struct counter_desc counter;
} rows[] = {
	{ SLICES, { "nv_mig_slices", "number", 8, COUNTER_GAUGE } },
	{ SMS, { "nv_mig_sms", "number", 16, COUNTER_GAUGE } },
	{ PROCESSES, { "nv_mig_processes", "number", 16, COUNTER_GAUGE } },
	{ NVML_MEMORY, { "nv_mig_memory_bytes", "B", 64, COUNTER_GAUGE } },
	{ NVML_MEMORY_USED, { "nv_mig_used_bytes", "B", 64, COUNTER_GAUGE } },
	{ NVML_GPM_GRAPHICS, { "nv_mig_busy", "number", 32, COUNTER_GAUGE } },
	{ NVML_GPM_SM, { "nv_mig_sm", "number", 32, COUNTER_GAUGE } },
	{ NVML_GPM_OCCUPANCY, { "nv_mig_occupancy", "number", 32, COUNTER_GAUGE } },
	{ NVML_GPM_FP64, { "nv_mig_fp64", "number", 32, COUNTER_GAUGE } },
	{ NVML_GPM_FP32, { "nv_mig_fp32", "number", 32, COUNTER_GAUGE } },
	{ NVML_GPM_FP16, { "nv_mig_fp16", "number", 32, COUNTER_GAUGE } },
	{ NVML_GPM_TENSOR, { "nv_mig_tensor", "number", 32, COUNTER_GAUGE } },
	{ NVML_GPM_DRAM, { "nv_mig_dram", "number", 32, COUNTER_GAUGE } },
};

#define ROWS ((int)ARRAY_LEN(rows))

struct instance {
	char profile[24];
	bool is_told;		/* the program that runs now knows it */
	uint64_t slices, sms, processes;
	/* sums of the readings in the window, and how many had a number */
	double sums[NVML_VALUES];
	unsigned n[NVML_VALUES];
};

struct nvml_instances {
	struct source source;
	struct counter_desc counters[ROWS];
	char names[NVML_PARTS_MAX][12];
	int n;
	bool is_fixed;		/* the feed is in use */
	bool is_other;		/* the GPU is divided in another way by now */
	struct instance rows[NVML_PARTS_MAX];
	uint64_t values[NVML_PARTS_MAX * ROWS];
	enum why why, whys[ROWS];
	int64_t begun_ns, now_ns;
	struct sample last;
	bool has_last;
};

/* "instance I SLICES SMS PROFILE" */
static void take_instance(struct nvml_instances *s, const char *text)
{
	unsigned i, slices, sms;
	int at = 0;

	if (sscanf(text, "%u %u %u %n", &i, &slices, &sms, &at) < 3 || i >= NVML_PARTS_MAX || !at)
		return;
	struct instance *r = &s->rows[i];
	r->is_told = true;
	if (s->is_fixed) {
		s->is_other |= (int)i >= s->n || strcmp(r->profile, text + at) != 0;
		return;
	}
	snprintf(r->profile, sizeof(r->profile), "%s", text + at);
	r->slices = slices;
	r->sms = sms;
	if (s->n <= (int)i)
		s->n = (int)i + 1;
}

/* "of I T_NS INDEX:VALUE ..." */
static void take_values(struct nvml_instances *s, const char *text)
{
	char *end;
	unsigned long i = strtoul(text, &end, 10);
	int64_t t_ns = strtoll(end, &end, 10);

	if (i >= (unsigned long)s->n)
		return;
	while (*end == ' ') {
		unsigned long k = strtoul(end, &end, 10);

		if (*end != ':' || k >= NVML_VALUES)
			return;
		s->rows[i].sums[k] += (double)strtoull(end + 1, &end, 10);
		s->rows[i].n[k]++;
	}
	s->now_ns = t_ns;
	if (!s->begun_ns)
		s->begun_ns = t_ns;
}

bool nvml_instances_take(struct nvml_instances *s, const char *line)
{
	if (!strncmp(line, "instance ", 9))
		take_instance(s, line + 9);
	else if (!strncmp(line, "of ", 3))
		take_values(s, line + 3);
	else
		return false;
	return true;
}

void nvml_instances_count(struct nvml_instances *s, int i, int n)
{
	if (i < s->n)
		s->rows[i].processes = (uint64_t)n;
}

static void clear_sums(struct nvml_instances *s)
{
	for (int i = 0; i < s->n; i++) {
		memset(s->rows[i].sums, 0, sizeof(s->rows[i].sums));
		memset(s->rows[i].n, 0, sizeof(s->rows[i].n));
	}
}

void nvml_instances_forget(struct nvml_instances *s, enum why why)
{
	s->why = why;
	s->begun_ns = s->now_ns = 0;
	s->has_last = false;
	s->is_other = false;
	for (int i = 0; i < s->n; i++)
		s->rows[i].is_told = false;
	clear_sums(s);
}

int nvml_instances_n(const struct nvml_instances *s)
{
	return s->n;
}

bool nvml_instances_changed(const struct nvml_instances *s)
{
	int told = 0;

	for (int i = 0; i < s->n; i++)
		told += s->rows[i].is_told;
	return s->is_other || told != (s->is_fixed ? s->n : 0);
}

static uint64_t value_of(const struct instance *r, int value)
{
	if (!r->is_told)
		return SAMPLE_NONE;
	switch (value) {
	case SLICES:
		return r->slices ? r->slices : SAMPLE_NONE;
	case SMS:
		return r->sms ? r->sms : SAMPLE_NONE;
	case PROCESSES:
		return r->processes;
	default:
		return r->n[value] ? (uint64_t)(r->sums[value] / r->n[value] + 0.5) : SAMPLE_NONE;
	}
}

/* The values are sums over all instances. */
static void fill(struct nvml_instances *s, struct sample *out)
{
	for (int k = 0; k < ROWS; k++) {
		bool any = false;

		out->values[k] = 0;
		for (int i = 0; i < s->n; i++) {
			uint64_t v = value_of(&s->rows[i], rows[k].value);

			s->values[i * ROWS + k] = v;
			any |= v != SAMPLE_NONE;
			out->values[k] += v != SAMPLE_NONE ? v : 0;
		}
		s->whys[k] = any ? WHY_OK : WHY_UNSUPPORTED;
	}
	out->instances = s->values;
	out->whys = s->whys;
}

static void collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct nvml_instances *s = (struct nvml_instances *)src;

	out->t0_ns = out->t1_ns = now_ns;
	if (s->is_other)
		out->why = WHY_GONE;
	else if (s->now_ns == s->begun_ns && s->has_last) {
		*out = s->last;
		out->quality |= SAMPLE_HELD;
	} else if (s->now_ns == s->begun_ns)
		out->why = s->why;
	if (out->why != WHY_OK || s->now_ns == s->begun_ns)
		return;
	fill(s, out);
	out->window_ns = s->now_ns - s->begun_ns;
	out->t0_ns = now_ns - out->window_ns;
	clear_sums(s);
	s->begun_ns = s->now_ns;
	s->why = WHY_NOT_YET;
	s->last = *out;
	s->has_last = true;
}

static const struct source_ops ops = {
	.size = sizeof(struct nvml_instances),
	.ready = source_always_ready, .collect = collect,
};

struct nvml_instances *nvml_instances_new(void)
{
	struct nvml_instances *s = source_new(&ops);

	s->why = WHY_NOT_YET;
	return s;
}

struct source *nvml_instances_source(struct nvml_instances *s, const char *how)
{
	s->is_fixed = true;
	for (int k = 0; k < ROWS; k++)
		s->counters[k] = rows[k].counter;
	for (int i = 0; i < s->n; i++)
		snprintf(s->names[i], sizeof(s->names[i]), "%c:%.9s", (char)('0' + i),
			s->rows[i].profile);
	s->source.feed = (struct feed){ .name = "mig", .scope = "instance",
		.counters = s->counters, .n_counters = ROWS, .n_instances = s->n,
		.instances = s->names };
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s, MIG", how);
	return &s->source;
}

void nvml_instances_free(struct nvml_instances *s)
{
	source_close(&s->source);
}
