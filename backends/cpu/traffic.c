/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DRAM traffic through the kernel's uncore PMUs. All boxes of a kind add up: controllers, channels,
 * packages. */
#include "config.h"

#include "backends/cpu/sources.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu_info.h"
#include "backends/common/stand_ins.h"
#include "backends/perf/perf_event.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/value/accum.h"

const struct counter_desc traffic_counters[TRAFFIC_OUTS] = {
	[TRAFFIC_READ] = { "dram_read_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_WRITE] = { "dram_write_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_TOTAL] = { "dram_total_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_GPU] = { "dram_gpu_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_CPU] = { "dram_cpu_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_IO] = { "dram_io_bytes", "B", 64, COUNTER_CUMULATIVE },
};

/* A count is a cache line wherever the kernel does not say otherwise. */
#define LINE_BYTES 64

/* Meshes count requests, each of a line at most; one that the controller sends back comes again. So
 * 64 bytes for each are an upper bound. */
#define MESH "arm_cmn_"

/* What a beat of Grace's fabric and a chunk of Panther Lake's channels hold. */
#define BEAT_BYTES 32

/* Events whose numbers mean something else on other processors that have a PMU of that name. */
enum only { ANYWHERE, BEFORE_ZEN4, HYBRID, PANTHER_LAKE };

/* Events of a kind of PMU, by name or, with a =, by terms. name: all of the PMU's name, or what
 * stands in front of its number. bytes: of a count, where the kernel tells no unit. */
static const struct traffic_event {
	const char *pmu, *event;
	int out;
	double bytes;
	enum only only;
	const char *source;
} events[] = {
	{ "uncore_imc", "data_reads", TRAFFIC_READ, LINE_BYTES, ANYWHERE, "Linux arch/x86/events/intel/uncore_snb.c, Sandy Bridge to Ice Lake" },
	{ "uncore_imc", "data_writes", TRAFFIC_WRITE, LINE_BYTES, ANYWHERE, "uncore_snb.c" },
	{ "uncore_imc", "gt_requests", TRAFFIC_GPU, LINE_BYTES, ANYWHERE, "uncore_snb.c" },
	{ "uncore_imc", "ia_requests", TRAFFIC_CPU, LINE_BYTES, ANYWHERE, "uncore_snb.c" },
	{ "uncore_imc", "io_requests", TRAFFIC_IO, LINE_BYTES, ANYWHERE, "uncore_snb.c" },
	{ "uncore_imc_free_running_", "data_read", TRAFFIC_READ, LINE_BYTES, ANYWHERE, "uncore_snb.c, Tiger Lake to Meteor Lake" },
	{ "uncore_imc_free_running_", "data_write", TRAFFIC_WRITE, LINE_BYTES, ANYWHERE, "uncore_snb.c" },
	{ "uncore_imc_free_running_", "read", TRAFFIC_READ, LINE_BYTES, ANYWHERE, "uncore_snbep.c, Ice Lake servers" },
	{ "uncore_imc_free_running_", "write", TRAFFIC_WRITE, LINE_BYTES, ANYWHERE, "uncore_snbep.c" },
	{ "uncore_imc_", "cas_count_read", TRAFFIC_READ, LINE_BYTES, ANYWHERE, "uncore_snbep.c, servers, a box per channel" },
	{ "uncore_imc_", "cas_count_write", TRAFFIC_WRITE, LINE_BYTES, ANYWHERE, "uncore_snbep.c" },
	{ "uncore_imc_", "cas_count_read_sch0", TRAFFIC_READ, LINE_BYTES, ANYWHERE, "uncore_snbep.c, Granite Rapids, two schedulers a channel" },
	{ "uncore_imc_", "cas_count_read_sch1", TRAFFIC_READ, LINE_BYTES, ANYWHERE, "uncore_snbep.c" },
	{ "uncore_imc_", "cas_count_write_sch0", TRAFFIC_WRITE, LINE_BYTES, ANYWHERE, "uncore_snbep.c" },
	{ "uncore_imc_", "cas_count_write_sch1", TRAFFIC_WRITE, LINE_BYTES, ANYWHERE, "uncore_snbep.c" },
	{ "uncore_imc_", "event=0x22", TRAFFIC_READ, LINE_BYTES, HYBRID, "pmu-events lunarlake/uncore-memory.json, UNC_M_CAS_COUNT_RD; 64 bytes are assumed" },
	{ "uncore_imc_", "event=0x23", TRAFFIC_WRITE, LINE_BYTES, HYBRID, "UNC_M_CAS_COUNT_WR" },
	{ "uncore_imc_", "event=0x3a", TRAFFIC_READ, BEAT_BYTES, PANTHER_LAKE, "pantherlake/uncore-memory.json, UNC_M_RD_DATA" },
	{ "uncore_imc_", "event=0x3b", TRAFFIC_WRITE, BEAT_BYTES, PANTHER_LAKE, "UNC_M_WR_DATA" },
	{ "amd_umc_", "event=0x0a,rdwrmask=0x1", TRAFFIC_READ, LINE_BYTES, ANYWHERE, "tools/perf/pmu-events/arch/x86/amdzen4/memory-controller.json" },
	{ "amd_umc_", "event=0x0a,rdwrmask=0x2", TRAFFIC_WRITE, LINE_BYTES, ANYWHERE, "amdzen4/memory-controller.json" },
	{ "amd_df", "event=0x07,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "tools/perf/pmu-events/arch/x86/amdzen1 to 3/data-fabric.json, channel 0" },
	{ "amd_df", "event=0x47,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "channel 1" },
	{ "amd_df", "event=0x87,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "channel 2" },
	{ "amd_df", "event=0xc7,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "channel 3" },
	{ "amd_df", "event=0x107,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "channel 4" },
	{ "amd_df", "event=0x147,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "channel 5" },
	{ "amd_df", "event=0x187,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "channel 6" },
	{ "amd_df", "event=0x1c7,umask=0x38", TRAFFIC_TOTAL, LINE_BYTES, BEFORE_ZEN4, "channel 7" },
	{ MESH, "hnf_mc_reqs", TRAFFIC_TOTAL, LINE_BYTES, ANYWHERE, "drivers/perf/arm-cmn.c; pmu-events arm64/arm/cmn/sys: requests to the memory controllers" },
	{ MESH, "hns_mc_reqs_local_all", TRAFFIC_TOTAL, LINE_BYTES, ANYWHERE, "arm-cmn.c, CMN S3: the same" },
	{ "nvidia_scf_pmu_", "cmem_rd_data", TRAFFIC_READ, BEAT_BYTES, ANYWHERE, "drivers/perf/arm_cspmu/nvidia_cspmu.c; EAR (BSC) takes a count for 32 bytes" },
	{ "nvidia_scf_pmu_", "cmem_wr_total_bytes", TRAFFIC_WRITE, 1, ANYWHERE, "nvidia_cspmu.c" },
};

/* Where free-running counters tell reads and writes, the programmable ones of this kind would tell
 * them again. */
#define PROGRAMMABLE "uncore_imc_"
/* Kernels before amd_uncore_group_valid() take larger groups and never let them count
 * (NUM_COUNTERS_NB in arch/x86/events/amd/uncore.c). */
#define DATA_FABRIC "amd_df"
#define DATA_FABRIC_COUNTERS 4

#define PMUS "/sys/bus/event_source/devices"
#define MAX_BOXES 128
#define MOST_COUNTS_PER_S 1e13	/* of 64 bytes mostly */

/* Events of one PMU on one CPU that count together. */
struct box {
	struct perf_group group;
	int outs[PERF_GROUP_MAX];
	double bytes[PERF_GROUP_MAX];	/* per count */
	struct perf_counts now, begin;
};

struct traffic_source {
	struct source source;
	struct fsroot fs;
	bool is_of[PANTHER_LAKE + 1];	/* which events are those of this processor */
	struct box *boxes;		/* [MAX_BOXES] */
	int n_boxes;
	int most;			/* events of a group */
	bool has[TRAFFIC_OUTS];
	bool is_broken[TRAFFIC_OUTS];		/* a PMU has such an event, which is not understood */
	bool failed, collected;
	/* a controller is there and was refused: what the others count is too little */
	bool is_partial;
	int64_t window_ns;
	struct err refusal;
	struct err not_understood;	/* of what is missing beside what counts */
	bool has_mesh, has_other;	/* kinds of PMUs that are there */
	enum why whys[TRAFFIC_OUTS];
	struct open_device *dev;
};

/* --- finding --- */

static bool is_of_kind(const char *pmu, const char *kind)
{
	size_t len = strlen(kind);

	if (kind[len - 1] != '_')
		return !strcmp(pmu, kind);
	return !strncmp(pmu, kind, len) && isdigit((unsigned char)pmu[len]);
}

static struct box *new_box(struct traffic_source *s)
{
	if (s->n_boxes == MAX_BOXES)
		return NULL;
	return &s->boxes[s->n_boxes++];
}

/* Puts the event into the last box of the PMU, or into a new one where that is full. */
static void add_event(struct traffic_source *s, const struct perf_event *e,
	const struct traffic_event *row, int cpu, int first_box)
{
	struct err err = { 0 };
	struct box *b = NULL;

	if (s->n_boxes > first_box)
		b = &s->boxes[s->n_boxes - 1];
	if (!b || b->group.n >= s->most ||
		(b->group.n >= DATA_FABRIC_COUNTERS && !strcmp(e->pmu, DATA_FABRIC)))
		b = new_box(s);
	bool good = b && perf_group_add(&s->fs, &b->group, e, cpu, &err);
	if (!good && b && b->group.n > 0 && err.code == ERR_UNSUPPORTED) {
		b = new_box(s);
		good = b && perf_group_add(&s->fs, &b->group, e, cpu, &err);
	}
	if (!good) {
		if (err.code)
			s->refusal = err;
		s->is_partial |= err.code != ERR_UNSUPPORTED && err.code != ERR_NONE;
		return;
	}
	b->outs[b->group.n - 1] = row->out;
	b->bytes[b->group.n - 1] = row->bytes;
	if (!strcmp(e->unit, "MiB"))
		b->bytes[b->group.n - 1] = e->scale * 1048576;
	s->has[row->out] = true;
}

static bool find_event(struct traffic_source *s, const struct perf_pmu *pmu,
	const struct traffic_event *row, struct perf_event *out)
{
	struct err err = { 0 };
	bool has_terms = strchr(row->event, '='), good;

	if (has_terms)
		good = perf_pmu_terms(&s->fs, pmu, row->event, out, &err);
	else
		good = perf_pmu_event(&s->fs, pmu, row->event, out, &err);
	if (good)
		return true;
	if (!s->not_understood.code)
		s->not_understood = err;
	/* Where the PMU has a file for the event, what is wrong is in the file. */
	if (has_terms || !fsroot_has(&s->fs, PMUS "/%s/events/%s", pmu->name, row->event))
		return false;
	s->not_understood = err;
	s->is_broken[row->out] = true;
	return false;
}

static void open_pmu(struct traffic_source *s, const struct perf_pmu *pmu, int cpu)
{
	int first_box = s->n_boxes;
	bool is_named[TRAFFIC_OUTS] = { 0 };	/* by the kernel, so that no number of ours is needed */

	for (size_t i = 0; i < ARRAY_LEN(events); i++) {
		const struct traffic_event *row = &events[i];
		bool has_name = !strchr(row->event, '=');
		struct perf_event e;

		if (!is_of_kind(pmu->name, row->pmu) || !s->is_of[row->only] ||
			(!has_name && is_named[row->out]) || !find_event(s, pmu, row, &e))
			continue;
		is_named[row->out] |= has_name;
		add_event(s, &e, row, cpu, first_box);
	}
}

static void look_at_pmu(struct traffic_source *s, const char *name)
{
	struct perf_pmu pmu;
	bool known = false;

	for (size_t i = 0; i < ARRAY_LEN(events) && !known; i++)
		known = is_of_kind(name, events[i].pmu);
	if (!known || !perf_pmu_find(&s->fs, name, &pmu, NULL))
		return;
	s->has_mesh |= is_of_kind(name, MESH);
	s->has_other |= !is_of_kind(name, MESH);
	if (!perf_pmu_needs_cpus(&pmu, &s->refusal)) {
		s->is_partial = true;
		return;
	}
	for (int i = 0; i < pmu.n_cpus; i++)
		open_pmu(s, &pmu, pmu.cpus[i]);
}

static bool look_at_other(void *ctx, const char *name)
{
	if (!is_of_kind(name, PROGRAMMABLE))
		look_at_pmu(ctx, name);
	return true;
}

static bool look_at_programmable(void *ctx, const char *name)
{
	if (is_of_kind(name, PROGRAMMABLE))
		look_at_pmu(ctx, name);
	return true;
}

static bool read_boxes(struct traffic_source *s, struct err *err)
{
	for (int i = 0; i < s->n_boxes; i++) {
		if (s->boxes[i].group.n &&
			!perf_group_read(&s->boxes[i].group, &s->boxes[i].now, err))
			return false;
	}
	return true;
}

static void begin_window(struct traffic_source *s, int64_t now_ns)
{
	for (int i = 0; i < s->n_boxes; i++)
		s->boxes[i].begin = s->boxes[i].now;
	s->window_ns = now_ns;
}

static void close_boxes(struct traffic_source *s)
{
	for (int i = 0; i < s->n_boxes; i++)
		perf_group_close(&s->boxes[i].group);
	memset(s->boxes, 0, MAX_BOXES * sizeof(*s->boxes));
	memset(s->has, 0, sizeof(s->has));
	memset(s->is_broken, 0, sizeof(s->is_broken));
	s->n_boxes = 0;
}

static bool open_boxes(struct traffic_source *s, int64_t now_ns)
{
	bool any = false;

	err_clear(&s->refusal);
	err_clear(&s->not_understood);
	s->is_partial = s->has_mesh = s->has_other = false;
	fsroot_each(&s->fs, PMUS, look_at_other, s, NULL);
	if (!s->has[TRAFFIC_READ] || !s->has[TRAFFIC_WRITE])
		fsroot_each(&s->fs, PMUS, look_at_programmable, s, NULL);
	/* One of several controllers without its part would make the sum too little. */
	for (int i = 0; i < TRAFFIC_OUTS; i++)
		s->has[i] &= !s->is_broken[i];
	if (s->has[TRAFFIC_READ] && s->has[TRAFFIC_WRITE])
		s->has[TRAFFIC_TOTAL] = true;
	for (int i = 0; i < TRAFFIC_OUTS; i++)
		any |= s->has[i];
	s->failed = any && !s->is_partial && !read_boxes(s, &s->refusal);
	if (any && !s->is_partial && !s->failed) {
		begin_window(s, now_ns);
		return true;
	}
	close_boxes(s);
	if (!s->refusal.code)
		s->refusal = s->not_understood;
	if (s->refusal.code)
		return false;
	err_set(&s->refusal, ERR_UNSUPPORTED,
		"the kernel has no PMU of memory controllers that is known here (uncore_imc, "
		"amd_df, amd_umc, arm_cmn, nvidia_scf_pmu)");
	if (cpu_is_x86(&s->fs))
		err_hint(&s->refusal, "%s",
			"sudo modprobe intel_uncore or amd_uncore (virtual machines have none)");
	else
		err_hint(&s->refusal, "%s",
			"sudo modprobe arm-cmn or nvidia_cspmu, where the machine has them");
	return false;
}

/* --- windows --- */

static bool traffic_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct traffic_source *s = (struct traffic_source *)src;

	(void)now_ns;
	s->failed = s->n_boxes && !read_boxes(s, err);
	return !s->failed;
}

/* Adds what the box counted, scaled as if it had counted all the time. */
static enum perf_turn sum_box(const struct box *b, double sums[TRAFFIC_OUTS])
{
	enum perf_turn turn = perf_counts_turn(&b->begin, &b->now);
	double scale = 1;

	if (turn == PERF_RAN_IN_TURNS)
		scale = (double)(b->now.enabled_ns - b->begin.enabled_ns) /
			(double)(b->now.running_ns - b->begin.running_ns);
	for (int i = 0; i < b->group.n && turn <= PERF_RAN_IN_TURNS; i++)
		sums[b->outs[i]] += (double)(b->now.values[i] - b->begin.values[i]) * b->bytes[i] *
			scale;
	return turn;
}

/* True when no counter went back, and none counted more than any memory moves. */
static bool is_possible(const struct traffic_source *s, int64_t window_ns)
{
	uint64_t unused, most = (uint64_t)((double)window_ns / NS_PER_S * MOST_COUNTS_PER_S);

	for (int k = 0; k < s->n_boxes; k++)
		for (int i = 0; i < s->boxes[k].group.n; i++)
			if (!accum_forward(s->boxes[k].begin.values[i], s->boxes[k].now.values[i],
				    most, &unused))
				return false;
	return true;
}

static void estimates(struct traffic_source *s, bool in_turns)
{
	bool estimated = in_turns || (s->has_mesh && !s->has_other);

	s->source.rebind |= s->source.feed.estimated != estimated;
	s->source.feed.estimated = estimated;
}

/* Returns the size of the largest group that does not fit, or 0. */
static int fill_values(struct traffic_source *s, struct sample *out)
{
	double sums[TRAFFIC_OUTS] = { 0 };
	enum why why = WHY_OK;
	bool in_turns = false;
	int stuck = 0;

	for (int i = 0; i < s->n_boxes; i++) {
		enum perf_turn turn = sum_box(&s->boxes[i], sums);

		in_turns |= turn == PERF_RAN_IN_TURNS;
		if (turn > PERF_RAN_IN_TURNS)
			why = WHY_NO_COUNTER;
		if (turn == PERF_NEVER && s->boxes[i].group.n > stuck)
			stuck = s->boxes[i].group.n;
	}
	estimates(s, in_turns);
	if (s->has[TRAFFIC_READ] && s->has[TRAFFIC_WRITE])
		sums[TRAFFIC_TOTAL] = sums[TRAFFIC_READ] + sums[TRAFFIC_WRITE];
	for (int i = 0; i < TRAFFIC_OUTS; i++) {
		s->whys[i] = s->has[i] ? why : WHY_UNSUPPORTED;
		out->values[i] = (uint64_t)sums[i];
	}
	out->whys = s->whys;
	return stuck;
}

static void traffic_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct traffic_source *s = (struct traffic_source *)src;

	source_window(out, &s->window_ns, now_ns);
	if (!s->n_boxes)
		out->why = refused_why(s->refusal.code);
	else if (s->failed)
		out->why = WHY_STALE;
	if (out->why == WHY_OK && s->collected && !is_possible(s, out->window_ns)) {
		out->why = WHY_GAP;
		out->lost = 1;
	}
	if (!s->collected && out->why == WHY_OK)
		out->quality |= SAMPLE_PARTIAL;
	int stuck = out->why == WHY_OK ? fill_values(s, out) : 0;
	s->collected = true;
	begin_window(s, now_ns);
	if (stuck <= 1)
		return;
	/* A group that the kernel takes and never lets count may fit in parts. */
	s->most = stuck / 2;
	close_boxes(s);
	open_boxes(s, now_ns);
	s->collected = false;
}

/* --- opening --- */

static bool is_anything_broken(const struct traffic_source *s)
{
	bool any = false;

	for (int i = 0; i < TRAFFIC_OUTS; i++)
		any |= s->is_broken[i];
	return any;
}

static void write_check(const struct traffic_source *s, struct device_check *c)
{
	const char *gives = "DRAM traffic";

	if (s->has[TRAFFIC_GPU])
		gives = "DRAM traffic, also the GPU's own";
	else if (s->has[TRAFFIC_TOTAL] && s->source.feed.estimated)
		gives = "DRAM traffic at most: 64 bytes for each request";
	else if ((s->has[TRAFFIC_READ] && s->has[TRAFFIC_WRITE]) || !s->n_boxes)
		gives = "DRAM reads and writes";
	else if (s->has[TRAFFIC_READ])
		gives = "DRAM reads";
	else if (s->has[TRAFFIC_WRITE])
		gives = "DRAM writes";
	*c = (struct device_check){ .feed = "dram", .status = "ok" };
	snprintf(c->source, sizeof(c->source), "%s", "memory controllers");
	snprintf(c->gives, sizeof(c->gives), "%s", gives);
	if (s->n_boxes && is_anything_broken(s))
		snprintf(c->gives, sizeof(c->gives), "%s; %.78s", gives, s->not_understood.msg);
	if (s->n_boxes)
		return;
	snprintf(c->status, sizeof(c->status), "NO");
	snprintf(c->reason, sizeof(c->reason), "%s", s->refusal.msg);
	snprintf(c->hint, sizeof(c->hint), "%s", s->refusal.hint);
}

static bool traffic_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct traffic_source *s = (struct traffic_source *)src;

	close_boxes(s);
	if (!open_boxes(s, now_ns)) {
		if (err)
			*err = s->refusal;
		return false;
	}
	for (int i = 0; i < s->dev->n_checks; i++) {
		if (!strcmp(s->dev->checks[i].source, "memory controllers"))
			write_check(s, &s->dev->checks[i]);
	}
	return true;
}

static void traffic_close(struct source *src)
{
	struct traffic_source *s = (struct traffic_source *)src;

	close_boxes(s);
	free(s->boxes);
}

static const struct source_ops traffic_ops = {
	.size = sizeof(struct traffic_source),
	.ready = traffic_ready, .collect = traffic_collect, .retry = traffic_retry,
	.close = traffic_close,
};

/* Which processor it is decides about the numbers of events, whatever device asks. */
static void ask_processor(struct traffic_source *s)
{
	struct cpu_info *info = xcalloc(1, sizeof(*info));
	const char *platform = "", *name = "";

	if (cpu_info_read(&s->fs, info, NULL) && info->row) {
		platform = info->row->platform;
		name = info->row->name;
	}
	s->is_of[ANYWHERE] = true;
	s->is_of[BEFORE_ZEN4] = strcmp(platform, "cpu-zen4") && strcmp(platform, "cpu-zen5");
	s->is_of[PANTHER_LAKE] = !strcmp(name, "Panther Lake");
	s->is_of[HYBRID] = !strncmp(platform, "cpu-hybrid", strlen("cpu-hybrid")) &&
		!s->is_of[PANTHER_LAKE];
	free(info);
}

/* Where no controller can be asked: the last caches of the cores. They know nothing of what
 * graphics and devices move, so for those they are no source. Returns what the device gets. */
static struct source *choose(struct traffic_source *s, const struct open_options *o)
{
	struct err refusal = { 0 };

	if (s->n_boxes || !s->dev->device.is_processor || !resctrl_is_offered(&s->fs))
		return &s->source;
	struct source *caches = resctrl_open(&s->fs, s->dev, o->now_ns, &refusal);
	/* Rights to the controllers are worth more than a mount. */
	if (refusal.code != ERR_NONE && s->refusal.code != ERR_UNSUPPORTED) {
		source_close(caches);
		return &s->source;
	}
	source_close(&s->source);
	return caches;
}

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	struct device_check check;
	bool shares_memory = dev->device.shares_memory || dev->device.is_processor;

	(void)e;
	if (dev->device.simulated || !shares_memory || dev->n_sources == DEVICE_MAX_SOURCES)
		return;
	struct traffic_source *s = source_new(&traffic_ops);
	s->source.feed = (struct feed){ .name = "dram", .counters = traffic_counters,
		.n_counters = TRAFFIC_OUTS };
	s->boxes = xcalloc(MAX_BOXES, sizeof(*s->boxes));
	s->fs = *o->fs;
	s->dev = dev;
	s->most = PERF_GROUP_MAX;
	ask_processor(s);
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", "perf uncore PMUs");
	open_boxes(s, o->now_ns);
	estimates(s, false);
	write_check(s, &check);
	open_device_check(dev, &check);
	dev->sources[dev->n_sources++] = choose(s, o);
}

const struct companion traffic_companion = { .name = "dram", .attach = attach };
