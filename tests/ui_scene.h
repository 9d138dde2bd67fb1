/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small set, a device and a fixed past for tests of the screens: whole numbers only, so that
 * every compiler draws the same. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ui/frame/view.h"

#define SCENE_METRICS 36
#define SCENE_ROWS 600

struct scene {
	struct metric metrics[SCENE_METRICS];
	struct metric_group groups[4];
	struct metric_set set;
	struct device device;
	struct value values[SCENE_METRICS], ceilings[SCENE_METRICS];
	struct snapshot snap;
	struct history history;
	struct device_summary devices[4];
	struct device_check checks[4];
	struct log log;
	struct client_table clients;
	struct client_list client_list;
	struct client_tracks tracks;
	struct view_model model;
};

/* base and swing are thousandths of the ceiling (of 100 where there is none). */
struct scene_row {
	const char *group, *name, *label, *unit;
	double ceiling;
	int base, swing;
	unsigned flags;
	enum why why;
};

static const struct scene_row scene_rows[SCENE_METRICS] = {
	{ "utilization", "gpu_busy", "GPU busy", "%", 100, 900, 100, 0, WHY_OK },
	{ "utilization", "eu_active", "EU active", "%", 100, 500, 420, 0, WHY_OK },
	{ "utilization", "eu_stall", "EU stall", "%", 100, 200, 250, 0, WHY_OK },
	{ "utilization", "eu_idle", "EU idle", "%", 100, 20, 60, 0, WHY_OK },
	{ "utilization", "fpu0_active", "FPU0", "%", 100, 300, 560, 0, WHY_OK },
	{ "utilization", "fpu1_active", "FPU1", "%", 100, 200, 260, 0, WHY_OK },
	{ "utilization", "eu_fpu_both_active", "FPU both", "%", 100, 120, 240, 0, WHY_OK },
	{ "utilization", "eu_send_active", "Send", "%", 100, 60, 90, 0, WHY_OK },
	{ "utilization", "eu_thread_occupancy", "Threads", "%", 100, 700, 260, 0, WHY_OK },
	{ "flops", "flop_sp_per_cycle", "SP total", "FLOP/cycle", 384, 120, 800, METRIC_ESTIMATED, WHY_OK },
	{ "flops", "flop_sp_per_cycle_eu", "SP per EU", "FLOP/cycle", 16, 120, 800, METRIC_ESTIMATED, WHY_OK },
	{ "flops", "gflops_sp", "SP rate", "GFLOP/s", 403.2, 120, 800, METRIC_ESTIMATED, WHY_OK },
	{ "flops", "ai_gti", "FLOP/B GTI", "FLOP/B", 0, 20, 60, METRIC_ESTIMATED, WHY_OK },
	{ "flops", "ai_l3", "FLOP/B L3", "FLOP/B", 0, 9, 12, METRIC_ESTIMATED, WHY_OK },
	{ "flops", "mix_ternary", "Mix mad", "%", 100, 600, 130, METRIC_ESTIMATED, WHY_OK },
	{ "flops", "mix_binary", "Mix add, mul", "%", 100, 180, 90, 0, WHY_OK },
	{ "flops", "mix_mov", "Mix mov", "%", 100, 10, 30, 0, WHY_OK },
	{ "flops", "mix_send", "Mix send", "%", 100, 50, 60, 0, WHY_OK },
	{ "bandwidth", "l3_shader_throughput", "L3 to EU", "GB/s", 201.6, 420, 300, 0, WHY_OK },
	{ "bandwidth", "gti_read_throughput", "GTI read", "GB/s", 67.2, 330, 560, 0, WHY_OK },
	{ "bandwidth", "gti_write_throughput", "GTI write", "GB/s", 33.6, 200, 300, 0, WHY_OK },
	{ "bandwidth", "slm_read", "SLM read", "GB/s", 201.6, 0, 0, 0, WHY_OK },
	{ "bandwidth", "slm_written", "SLM written", "GB/s", 201.6, 0, 0, 0, WHY_OK },
	{ "bandwidth", "sampler", "Sampler", "GB/s", 201.6, 10, 20, 0, WHY_OK },
	{ "bandwidth", "atomics", "Atomics", "msg/s", 0, 10000, 90000, METRIC_INTEGER, WHY_OK },
	{ "bandwidth", "dram_read", "DRAM read", "GB/s", 34.1, 0, 0, 0, WHY_PERMISSION },
	{ "bandwidth", "dram_write", "DRAM write", "GB/s", 34.1, 0, 0, 0, WHY_PERMISSION },
	{ "power", "power_package", "Package", "W", 15, 600, 390, 0, WHY_OK },
	{ "power", "power_gpu", "GPU", "W", 0, 40, 44, 0, WHY_OK },
	{ "power", "power_cores", "Cores", "W", 0, 30, 20, 0, WHY_OK },
	{ "power", "power_dram", "DRAM", "W", 0, 8, 6, 0, WHY_OK },
	{ "power", "gflops_per_watt_gpu", "Per watt GPU", "GFLOP/s/W", 0, 100, 300, METRIC_ESTIMATED, WHY_OK },
	{ "power", "clock_actual", "Clock", "MHz", 1050, 800, 200, 0, WHY_OK },
	{ "power", "clock_requested", "Requested", "MHz", 1050, 1000, 0, 0, WHY_OK },
	{ "power", "rc6", "Asleep", "%", 100, 0, 40, 0, WHY_OK },
	{ NULL, "helper", "Helper", "1", 0, 1, 1, METRIC_HIDDEN, WHY_OK },
};

/* A wave of whole steps: phases of 96 windows (quiet, rising, high, ragged), different for each
 * metric. 0 to 1000. */
static inline int scene_wave(int t, int metric)
{
	int phase = (t + 7 * metric) / 24 % 4, step = (t + 7 * metric) % 24,
	    ragged = (t * 37 + metric * 101) % 61;

	switch (phase) {
	case 0: return 100 + ragged;
	case 1: return 120 + step * 34 + ragged / 2;
	case 2: return 900 + ragged;
	default: return 450 + (step % 6) * 60 + 2 * ragged;
	}
}

static inline double scene_value(int t, int metric)
{
	const struct scene_row *r = &scene_rows[metric];
	double top = r->ceiling > 0 ? r->ceiling : 100;

	return top * (r->base + r->swing * (double)scene_wave(t, metric) / 1000) / 1000;
}

static inline int scene_metric(const char *name)
{
	int i = 0;

	while (strcmp(scene_rows[i].name, name) != 0)
		i++;
	return i;
}

/* The answer of all windows: the bandwidth of reads. */
static inline struct verdict scene_verdict(void)
{
	return (struct verdict){ .kind = VERDICT_BANDWIDTH,
		.bound = "gti_read",
		.metric = scene_metric("gti_read_throughput"),
		.value = 57e9,
		.roof = 67.2e9,
		.share = 0.85,
		.headroom = 1.18,
		.source = ROOF_COMPUTED,
		.line = { "GTI read 57.1 of 67.2 GB/s, 85 %% (computed)", { "" } },
		.brief = { "GTI read 57.1 of 67.2 GB/s, 85 %%", { "" } },
		.because = { { "the EUs wait 92 %% of the time", { "" } },
			{ "the clock is at its maximum", { "" } } },
		.try = { "move fewer bytes for each FLOP", { "" } } };
}

static inline enum limit_role scene_role(const char *name)
{
	static const struct {
		const char *name;
		enum limit_role role;
	} roles[] = { { "gpu_busy", LIMIT_BUSY }, { "clock_actual", LIMIT_CLOCK },
		{ "power_package", LIMIT_POWER }, { "rc6", LIMIT_ASLEEP }, { "eu_active", LIMIT_WORKING },
		{ "eu_stall", LIMIT_WAITING }, { "eu_idle", LIMIT_EMPTY } };

	for (size_t i = 0; i < ARRAY_LEN(roles); i++)
		if (!strcmp(roles[i].name, name))
			return roles[i].role;
	return LIMIT_NONE;
}

/* The window number t of the scene into snap and history. */
static inline void scene_step(struct scene *s, int t)
{
	for (int i = 0; i < SCENE_METRICS; i++) {
		s->values[i] = scene_rows[i].why == WHY_OK ? value_ok(scene_value(t, i))
							   : value_none(scene_rows[i].why);
		s->ceilings[i] = scene_rows[i].ceiling > 0 ? value_ok(scene_rows[i].ceiling)
							   : value_none(WHY_UNKNOWN_CONST);
	}
	history_push(&s->history, s->values);
	s->snap.seq = (uint64_t)t + 1;
	s->snap.mono_ns = (int64_t)(t + 1) * NS_PER_S;
	history_stamp(&s->history, s->snap.mono_ns);
	s->snap.verdict = scene_verdict();
	s->model.wall_ns = 50602 * NS_PER_S + t * NS_PER_S;	/* 14:03:22 */
}

static inline void scene_device(struct scene *s)
{
	struct device *d = &s->device;

	snprintf(d->id, sizeof(d->id), "sim:hd620");
	snprintf(d->vendor, sizeof(d->vendor), "Intel");
	snprintf(d->name, sizeof(d->name), "%s HD Graphics 620", d->vendor);
	snprintf(d->driver, sizeof(d->driver), "sim");
	snprintf(d->generation, sizeof(d->generation), "gen9.5");
	snprintf(d->gt, sizeof(d->gt), "GT2");
	d->pci_vendor = 0x8086;
	d->pci_device = 0x5916;
	d->simulated = true;
	d->topology.slices = 1;
	d->topology.subslices = 3;
	d->topology.eus = 24;
}

static inline void scene_set(struct scene *s)
{
	static const char *const groups[4][3] = {
		{ "utilization", "Utilization", "% of GPU cycles" },
		{ "flops", "FLOP/cycle", "~ estimated" },
		{ "bandwidth", "Bandwidth", "of roof" },
		{ "power", "Power and clocks", "" },
	};

	for (int i = 0; i < 4; i++)
		s->groups[i] = (struct metric_group){ .name = (char *)groups[i][0],
			.title = (char *)groups[i][1],
			.subtitle = (char *)groups[i][2] };
	for (int i = 0; i < SCENE_METRICS; i++) {
		const struct scene_row *r = &scene_rows[i];

		s->metrics[i] = (struct metric){
			.name = (char *)r->name,
			.label = (char *)r->label,
			.unit_text = (char *)r->unit,
			.group = (char *)r->group,
			.text = (char *)"What the test scene says.",
			.origin = (char *)"the test scene",
			.equation = (char *)"A7 / eu_count / GPU_TICKS",
			.ceiling_text = r->ceiling > 0 ? (char *)"100" : NULL,
			.scope = (char *)"device",
			.flags = r->flags,
			.limit = { .role = scene_role(r->name) },
			.unit = unit_one(),
		};
	}
	s->set = (struct metric_set){
		.name = (char *)"memory",
		.label = (char *)"Memory",
		.metrics = s->metrics,
		.n_metrics = SCENE_METRICS,
		.groups = s->groups,
		.n_groups = 4,
	};
}

static inline void scene_devices(struct scene *s)
{
	s->devices[0] = (struct device_summary){ .id = "card0",
		.what = "Intel HD Graphics 620 [8086:5916] gen9.5 GT2 24 EU",
		.driver = "i915",
		.counters = "--",
		.state = "no right",
		.reason = "dev.i915.perf_stream_paranoid is 1 and this process has no CAP_PERFMON",
		.hint = "sudo sysctl dev.i915.perf_stream_paranoid=0 (until the next boot), or sudo setcap "
			"cap_perfmon+ep /usr/bin/rooftop" };
	s->devices[1] = (struct device_summary){ .id = "card1",
		.what = "AMD Navi 23 [1002:73ff]",
		.driver = "amdgpu",
		.counters = "--",
		.state = "no backend",
		.reason = "no backend of this program reads it" };
	s->devices[2] = (struct device_summary){ .id = "sim:hd620",
		.what = "model of GT2 24 EU at 1050 MHz",
		.driver = "sim",
		.counters = "OA model",
		.state = "always there",
		.usable = true,
		.current = true };
	s->devices[3] = (struct device_summary){ .id = "file:~/oa/2026-11-20.i915perf",
		.what = "recording of ComputeBasic, 61 s",
		.driver = "recording",
		.counters = "OA replay",
		.state = "readable",
		.usable = true };
	s->checks[0] = (struct device_check){ "OA model", "EU, FPU, L3 and GTI counters", "ok",
		false, "", "", "" };
	s->checks[1] = (struct device_check){ "RAPL powercap", "package, gpu, cores, dram", "NO",
		true, "/sys/class/powercap/intel-rapl:0/energy_uj is mode 0400",
		"a udev rule, see rooftop doctor", "" };
	s->checks[2] = (struct device_check){ "sysfs gt", "clocks, RC6", "ok", false, "", "", "" };
	s->checks[3] = (struct device_check){ "uncore_imc", "DRAM read, write", "--", false,
		"perf_event_paranoid is 3", "", "" };
}

static inline void scene_client(struct scene *s, int64_t pid, uint64_t client, const char *user,
	const char *command, double render, double copy, uint64_t bytes, int64_t seconds)
{
	struct client_table *t = &s->clients;
	struct client_row *r;

	t->rows = array_grow(t->rows, t->n_rows, &t->cap_rows, sizeof(*t->rows));
	r = &t->rows[t->n_rows++];
	*r = (struct client_row){ .pid = pid,
		.uid = 1000,
		.client_id = client,
		.n_clients = 1,
		.total_bytes = bytes,
		.resident_bytes = bytes ? bytes - bytes / 16 : UINT64_MAX,
		.cpu_pct = (float)render / 8 };
	snprintf(r->user, sizeof(r->user), "%s", user);
	snprintf(r->name, sizeof(r->name), "%.15s", command);
	snprintf(r->command, sizeof(r->command), "%s", command);
	r->busy_pct[0] = (float)render;
	r->busy_pct[1] = (float)copy;
	for (int i = 2; i < CLIENT_MAX_ENGINES; i++)
		r->busy_pct[i] = NAN;
	r->busy_pct[2] = 0;
	r->time_ns[0] = (uint64_t)(seconds * NS_PER_S);
}

/* The table and a minute of past; as the view would have it. */
static inline void scene_clients(struct scene *s, const struct client_choice *choice)
{
	static const struct client_choice by_process = { .by_process = true };
	static const char *const engines[] = { "render", "copy", "video" };

	s->clients = (struct client_table){ .n_engines = 3, .hidden = 2, .t_ns = 60 * NS_PER_S };
	for (int i = 0; i < 3; i++)
		snprintf(s->clients.engines[i], sizeof(s->clients.engines[i]), "%s", engines[i]);
	scene_client(s, 3312, 41, "usr", "./stencil -n 4096", 60.5, 0.25, 48 << 20, 201);
	scene_client(s, 2201, 12, "usr", "gnome-shell --wayland", 2.125, 0, 55 << 20, 662);
	scene_client(s, 3312, 42, "usr", "./stencil -n 4096", 34.25, 0, 16 << 20, 50);
	scene_client(s, 2842, 17, "usr", "firefox -contentproc", 0.375, 0, 46 << 20, 37);
	scene_client(s, 977, 3, "root", "Xwayland", 0, 0, 0, 4);
	for (int t = 0; t < 60; t++) {
		struct client_list l = { 0 };

		client_select(&s->clients, &by_process, &l);
		for (size_t i = 0; i < l.n_rows; i++)
			l.rows[i].busy_pct[0] = l.rows[i].busy_pct[0] *
				(float)scene_wave(t, (int)i) / 1000;
		client_tracks_push(&s->tracks, &l, 3);
		client_list_release(&l);
	}
	client_select(&s->clients, choice, &s->client_list);
	s->model.clients = &s->clients;
	s->model.clients_how = "DRM fdinfo";
	s->model.client_list = &s->client_list;
	s->model.tracks = &s->tracks;
}

static inline void scene_clients_free(struct scene *s)
{
	free(s->clients.rows);
	client_list_release(&s->client_list);
	client_tracks_release(&s->tracks);
}

/* Heap, with windows windows of past. */
static inline struct scene *scene_new(int windows)
{
	struct scene *s = xcalloc(1, sizeof(*s));

	scene_set(s);
	scene_device(s);
	scene_devices(s);
	history_init(&s->history, SCENE_METRICS, SCENE_ROWS);
	s->snap = (struct snapshot){ .set = &s->set,
		.device = &s->device,
		.values = s->values,
		.ceilings = s->ceilings,
		.window_ns = NS_PER_S };
	s->model = (struct view_model){
		.device = &s->device,
		.set = &s->set,
		.snap = windows > 0 ? &s->snap : NULL,
		.history = &s->history,
		.how = "simulated OA unit",
		.devices = s->devices,
		.n_devices = 4,
		.checks = s->checks,
		.n_checks = 4,
		.log = &s->log,
		.wall_ns = 50602 * NS_PER_S,
		.delay_ns = NS_PER_S,
		.self_cpu_pct = 0.3,
	};
	for (int t = 0; t < windows; t++)
		scene_step(s, t);
	s->model.wall_ns = 50602 * NS_PER_S;
	log_add(&s->log, 50600 * NS_PER_S, LOG_INFO, "simulated device sim:hd620");
	log_add(&s->log, 50601 * NS_PER_S, LOG_WARN, "uncore_imc: perf_event_paranoid is 3");
	log_add(&s->log, 50602 * NS_PER_S, LOG_ERROR,
		"cannot open '/dev/dri/card0': permission denied");
	return s;
}

static inline void scene_free(struct scene *s)
{
	history_release(&s->history);
	log_release(&s->log);
	free(s);
}

static inline void scene_draw(struct view *v, const struct view_model *m, int w, int h)
{
	struct canvas c = { 0 };

	canvas_resize(&c, w, h);
	view_draw(v, m, &c);
	canvas_release(&c);
}

/* As the program does it: the frame comes first, and the command or the click is about what it shows. */
static inline enum command scene_command(
	struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	scene_draw(v, m, w, h);
	return view_command(v, m, cmd, w, h);
}

static inline enum command scene_click(
	struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	struct canvas c = { 0 };
	enum command cmd;

	canvas_resize(&c, w, h);
	view_draw(v, m, &c);
	cmd = view_click(v, m, k, &c);
	canvas_release(&c);
	return cmd;
}
