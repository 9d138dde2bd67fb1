/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what the program with NVIDIA's library writes, and makes windows of it. */
#include "config.h"

#include "backends/nvidia/nvml_source.h"

#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/stand_ins.h"
#include "backends/memory/machine_memory.h"
#include "backends/nvidia/nvidia_files.h"
#include "backends/nvidia/nvml_feeder.h"
#include "backends/nvidia/nvml_proto.h"
#include "backends/nvidia/sm_table.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "base/err.h"
#include "core/value/value.h"

/* --- what result codes mean for people and for values --- */

static const struct {
	int code;
	enum err_code kind;
	const char *text, *hint;
} sentences[] = {
	{ NVML_NO_PERMISSION, ERR_PERMISSION, "this user may not use the GPU",
		"ls -l /dev/nvidia* tells who may; in a container: --gpus all" },
	{ NVML_NOT_FOUND, ERR_UNSUPPORTED, "NVIDIA's library does not find this GPU",
		"nvidia-smi -L lists those that it finds; in a container: --gpus all" },
	{ NVML_GPU_NOT_FOUND, ERR_UNSUPPORTED, "NVIDIA's library does not find this GPU",
		"nvidia-smi -L lists those that it finds; in a container: --gpus all" },
	{ NVML_DRIVER_NOT_LOADED, ERR_UNSUPPORTED, "NVIDIA's kernel driver is not loaded",
		"sudo modprobe nvidia; sudo dmesg tells why it fails" },
	{ NVML_TIMEOUT, ERR_BUSY, "the GPU did not answer in time",
		"it is asked again; sudo dmesg | grep Xid tells whether it failed" },
	{ NVML_LIBRARY_NOT_FOUND, ERR_UNSUPPORTED, "a part of NVIDIA's library is missing",
		"install the library of the driver's version (Debian: libnvidia-ml1)" },
	{ NVML_GPU_IS_LOST, ERR_NO_DEVICE, "the GPU is lost: it has fallen off the bus, or hangs",
		"sudo dmesg | grep Xid tells more; it comes back with a reboot" },
	{ NVML_RESET_REQUIRED, ERR_NO_DEVICE, "the GPU has to be reset",
		"sudo nvidia-smi --gpu-reset, when no program uses it" },
	{ NVML_OPERATING_SYSTEM, ERR_PERMISSION,
		"the operating system keeps this process from the GPU",
		"a group of processes (cgroup) may forbid /dev/nvidia*; in a container: --gpus "
		   "all" },
	{ NVML_VERSION_MISMATCH, ERR_UNSUPPORTED,
		"the driver was updated, and the old one still runs in the kernel",
		"reboot, or unload and load the module nvidia" },
	{ NVML_NOT_READY, ERR_BUSY, "the GPU was divided anew (MIG)",
		"it is read again in a moment; the screen then shows the instances that there are now, outputs "
		   "keep those from before" },
	{ NVML_FUNCTION_NOT_FOUND, ERR_UNSUPPORTED,
		"this version of NVIDIA's library lacks a function that is needed",
		"use the library of the driver's version, 418 or newer" },
};

/* Says why device cannot be read: code is nvmlReturn_t or NVML_NO_LIBRARY, words what failed.
 * Returns false. */
static bool nvml_refuse(struct err *err, const char *device, int code, const char *words)
{
	if (code == NVML_NO_LIBRARY) {
		err_set(err, ERR_UNSUPPORTED, "%s: NVIDIA's library cannot be loaded: %s", device,
			words);
		return err_hint(err, "%s",
			"install the library of the driver's version (Debian: libnvidia-ml1)");
	}
	for (size_t i = 0; i < ARRAY_LEN(sentences); i++) {
		if (sentences[i].code != code)
			continue;
		err_set(err, sentences[i].kind, "%s: %s", device, sentences[i].text);
		return err_hint(err, "%s", sentences[i].hint);
	}
	err_set(err, ERR_SYS, "%s: NVIDIA's library failed in %s with code %d", device, words, code);
	return err_hint(err, "%s", "nvidia-smi tells whether the driver works");
}

/* Why a single value has no number. */
static enum why nvml_why(int code)
{
	switch (code) {
	case NVML_OK:
		return WHY_OK;
	case NVML_INVALID_ARGUMENT:
	case NVML_NOT_SUPPORTED:
	case NVML_FUNCTION_NOT_FOUND:
	case NVML_ARGUMENT_VERSION:
	case NVML_DEPRECATED:
		return WHY_UNSUPPORTED;
	case NVML_NO_PERMISSION:
	case NVML_OPERATING_SYSTEM:
		return WHY_PERMISSION;
	case NVML_NO_DATA:
	case NVML_NOT_READY:
		return WHY_NOT_YET;
	case NVML_GPU_IS_LOST:
		return WHY_GONE;
	default:
		return WHY_STALE;
	}
}

#define READINGS_PER_WINDOW 4
#define PERIOD_MIN_NS (100 * NS_PER_MS)	/* the performance monitor's own */
#define PERIOD_MAX_NS NS_PER_S
#define OPEN_WAIT_MS 250
#define PATIENT_WAIT_MS 3000
#define SILENT_NS (3 * NS_PER_S)
/* A GPU that may sleep is left alone after that time without work, until it has slept or the second
 * time has gone by; a look at it would keep it awake. One that is awake then is one that does not
 * sleep, and is left alone again only after the third time: what it does meanwhile is not seen. */
#define REST_AFTER_NS (10 * NS_PER_S)
#define REST_NS (8 * NS_PER_S)
#define REST_AGAIN_NS (300 * NS_PER_S)

static const struct counter_desc counters[NVML_VALUES] = {
#define X(id, name, unit, bits, kind) [NVML_##id] = { name, unit, bits, COUNTER_##kind },
	NVML_VALUE_LIST(X)
#undef X
};

static const char *const fact_keys[NVML_FACTS] = {
#define X(id, key) [NVML_FACT_##id] = key,
	NVML_FACT_LIST(X)
#undef X
};

/* What the program calls a fact in words, the word's name and label. */
static const struct {
	const char *key, *name, *label;
} device_words[] = {
	{ "driver", "driver_version", "Driver" },
	{ "cuda", "cuda_version", "CUDA" },
	{ "uuid", "uuid", "UUID" },
};

enum state { STATE_OFF, STATE_STARTING, STATE_RUNNING, STATE_ASLEEP, STATE_RESTING };

/* What one reading said. */
struct reading {
	int64_t t_ns;
	bool has[NVML_VALUES];
	uint64_t values[NVML_VALUES];
};

struct nvml_source {
	struct source source;
	const struct fsroot *fs;
	struct device *device;
	struct nvml_feeder *feeder;
	struct counter_desc counters[NVML_VALUES];
	int64_t period_ns;
	enum state state;
	struct err refusal;	/* why there is no program; code ERR_NONE: there is one */
	double facts[NVML_FACTS];
	bool has_fact[NVML_FACTS];
	enum why whys[NVML_VALUES];	/* what was said last */
	enum why window_whys[NVML_VALUES];	/* of the window that was collected last */
	struct reading begun, now;	/* where the window began, and the newest one */
	/* gauges: sums of value times time in the window */
	double weighted[NVML_VALUES];
	int64_t weight_ns[NVML_VALUES];
	bool broken[NVML_VALUES];	/* a reading in the window had no number, after one that had */
	uint64_t readings;
	uint64_t xids;		/* errors that earlier programs have seen */
	bool ever_read;
	struct nvml_users users, coming;
	struct second_busy busy;
	struct nvml_instances *instances;	/* the device's source, too, where there are some */
	bool gave_instances;
	bool may_reopen;		/* it would not end as it has begun: without its instances */
	int64_t heard_ns, busy_ns, rested_ns;	/* when a rest began last; 0: never */
	struct sample last;		/* the last window, for one without a reading */
	bool has_last;
};

/* --- lines --- */

static void set_const(struct nvml_source *s, const char *name, double v, const char *origin)
{
	device_set_roof(s->device, name, v, ROOF_READ, false, origin);
}

/* What nobody says of just this GPU is marked. */
static void set_lanes(struct nvml_source *s)
{
	int major = (int)s->facts[NVML_FACT_CC_MAJOR], minor = (int)s->facts[NVML_FACT_CC_MINOR];
	struct sm_lanes l = sm_lanes_of(major, minor);
	char origin[64];

	snprintf(s->device->generation, sizeof(s->device->generation), "cc%d.%d", major % 100,
		minor % 100);
	if (!l.major)
		return;
	if (s->has_fact[NVML_FACT_CORES] && s->facts[NVML_FACT_CORES] > 0)
		device_set_const(s->device, "sm_count", s->facts[NVML_FACT_CORES] / l.fp32);
	const struct {
		const char *name;
		int lanes;
	} rows[] = {
		{ "dp_flop_per_cycle_sm", l.fp64 },
		{ "sp_flop_per_cycle_sm", l.fp32 },
		{ "hp_flop_per_cycle_sm", l.fp16 },
		{ "tensor_flop_per_cycle_sm", l.tensor_half },
		{ "tensor_dp_flop_per_cycle_sm", l.tensor_fp64 },
		{ "tensor_op_per_cycle_sm", l.tensor_int8 },
	};
	snprintf(origin, sizeof(origin), "as compute capability %d.%d, of which it is kin", l.major, l.minor);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].lanes && l.certain)
			device_set_const(s->device, rows[i].name, 2.0 * rows[i].lanes);
		else if (rows[i].lanes)
			device_set_roof(s->device, rows[i].name, 2.0 * rows[i].lanes, ROOF_ASSUMED, true,
				l.minor == minor ? "as other GPUs of its architecture" : origin);
	}
}

/* The library scales the clock of every kind of memory so that it moves two bits a clock and line
 * (ekondis/gpumembench; the data sheets of H100, A100, T4, RTX 3090, 4090, 5090 and V100 come out).
 * Of the memory that a GB10 shares with its processor it tells nothing. */
static void set_memory_roof(struct nvml_source *s)
{
	double mhz = s->facts[NVML_FACT_MEMORY_CLOCK_MAX], bits = s->facts[NVML_FACT_BUS_BITS];

	if (mhz > 0 && bits > 0)
		device_set_roof(s->device, DRAM_ROOF, 2 * mhz * 1e6 * bits / 8, ROOF_COMPUTED, false,
			"NVML: 2 x highest memory clock x bus width");
	else if (strstr(s->device->name, "GB10"))
		device_set_roof(s->device, DRAM_ROOF, 273e9, ROOF_DATA_SHEET, false,
			"NVIDIA DGX Spark, data sheet");
}

/* The driver tells of instances alone what these do, and roofs of all are roofs of none. */
static void forget_whole(struct nvml_source *s)
{
	int last = s->facts[NVML_FACT_GPM] > 0 ? NVML_GPM_DRAM : NVML_DECODER;

	for (int i = 0; i <= last; i++)
		if ((i <= NVML_DECODER || i >= NVML_GPM_GRAPHICS) && s->whys[i] == WHY_UNSUPPORTED)
			s->whys[i] = WHY_DIVIDED;
	device_drop_const(s->device, "sm_count");
	device_drop_const(s->device, DRAM_ROOF);
}

static void take_facts(struct nvml_source *s)
{
	if (s->has_fact[NVML_FACT_CC_MAJOR])
		set_lanes(s);
	set_memory_roof(s);
	s->device->max_hz = (uint64_t)(s->facts[NVML_FACT_SM_CLOCK_MAX] * 1e6);
	if (s->device->max_hz > 0)
		set_const(s, "max_clock_hz", s->facts[NVML_FACT_SM_CLOCK_MAX] * 1e6,
			"nvmlDeviceGetMaxClockInfo");
	if (s->facts[NVML_FACT_SLOWDOWN_DEGC] > 0)
		set_const(s, "temperature_limit_mdegc", s->facts[NVML_FACT_SLOWDOWN_DEGC] * 1000,
			"nvmlDeviceGetTemperatureThreshold, slowdown");
	if (s->facts[NVML_FACT_LINK_GENERATION_MAX] > 0 && s->facts[NVML_FACT_LINK_GENERATION_MAX] < 16)
		device_set_const(s->device, "link_mtransfers_max",
			nvml_link_mtransfers((unsigned)s->facts[NVML_FACT_LINK_GENERATION_MAX]));
	if (s->facts[NVML_FACT_LINK_LANES_MAX] > 0)
		device_set_const(s->device, "link_lanes_max", s->facts[NVML_FACT_LINK_LANES_MAX]);
	if (s->facts[NVML_FACT_MIG_INSTANCES] > 0)
		device_set_const(s->device, "mig_instances", s->facts[NVML_FACT_MIG_INSTANCES]);
	else
		device_drop_const(s->device, "mig_instances");
	memcpy(s->counters, counters, sizeof(counters));
	if (s->facts[NVML_FACT_MIG_INSTANCES] > 0)
		forget_whole(s);
	for (int i = 0; i < NVML_VALUES; i++)
		if (s->whys[i] == WHY_UNSUPPORTED)
			s->counters[i].name[0] = '\0';	/* nobody is offered a nameless counter */
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", s->feeder->how);
	if (s->facts[NVML_FACT_GPM] > 0)
		snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s, GPM", s->feeder->how);
	s->state = STATE_RUNNING;
	s->source.rebind = true;
	s->source.reopen = s->may_reopen && nvml_instances_changed(s->instances);
}

static void take_fact(struct nvml_source *s, const char *text)
{
	char key[32];
	double v;

	if (!strncmp(text, "name ", 5)) {
		snprintf(s->device->name, sizeof(s->device->name), "%.90s", text + 5);
		return;
	}
	if (!parse_until(&text, ' ', key, sizeof(key)))
		return;
	for (size_t i = 0; i < ARRAY_LEN(device_words); i++)
		if (!strcmp(device_words[i].key, key))
			device_set_word(s->device, device_words[i].name, device_words[i].label, text);
	if (!parse_double(text, &v))
		return;
	for (int i = 0; i < NVML_FACTS; i++)
		if (!strcmp(fact_keys[i], key)) {
			s->facts[i] = v;
			s->has_fact[i] = true;
		}
}

static void take_values(struct nvml_source *s, const char *text)
{
	struct reading r = { 0 };
	char *end;

	r.t_ns = strtoll(text, &end, 10);
	while (*end == ' ') {
		unsigned long i = strtoul(end, &end, 10);

		if (*end != ':' || i >= NVML_VALUES)
			return;
		r.values[i] = strtoull(end + 1, &end, 10);
		/* NVML_VALUE_NOT_AVAILABLE is -1, here as 64 bits without a sign. */
		r.has[i] = r.values[i] <= INT64_MAX;
		s->whys[i] = r.has[i] ? WHY_OK : WHY_OUT_OF_RANGE;
	}
	if (r.has[NVML_XIDS])
		r.values[NVML_XIDS] += s->xids;
	int64_t since_ns = s->now.t_ns ? r.t_ns - s->now.t_ns : 0;
	for (int i = 0; i < NVML_VALUES && since_ns > 0; i++) {
		s->broken[i] |= s->now.has[i] && !r.has[i];
		if (!r.has[i])
			continue;
		s->weighted[i] += (double)r.values[i] * (double)since_ns;
		s->weight_ns[i] += since_ns;
	}
	if (r.values[NVML_BUSY] > 0 || s->users.n > 0)
		s->busy_ns = r.t_ns;
	s->now = r;
	s->readings++;
	s->ever_read = true;
	if (!s->begun.t_ns)
		s->begun = r;
}

static uint32_t share_of(const char *word)
{
	char *end;
	unsigned long v = strtoul(word, &end, 10);

	return *word == '-' || end == word || v > 100 ? NVML_UNKNOWN : (uint32_t)v;
}

static void take_process(struct nvml_source *s, const char *text)
{
	struct nvml_user *u = &s->coming.rows[s->coming.n];
	char words[7][24];
	uint64_t pid, part;

	for (int i = 0; i < 7; i++)
		if (!parse_until(&text, ' ', words[i], sizeof(words[i])))
			return;
	if (s->coming.n == NVML_PROCESSES_MAX || !parse_u64_range(words[0], 1, INT_MAX, &pid))
		return;
	*u = (struct nvml_user){ .pid = (int)pid,
		.sm = share_of(words[2]),
		.memory = share_of(words[3]),
		.encoder = share_of(words[4]),
		.decoder = share_of(words[5]),
		.instance = -1 };
	if (parse_u64_range(words[6], 0, NVML_PARTS_MAX - 1, &part))
		u->instance = (int)part;
	if (!parse_u64(words[1], &u->bytes))
		u->bytes = UINT64_MAX;
	s->coming.n++;
}

static void take_processes(struct nvml_source *s, int code)
{
	s->coming.why = nvml_why(code);
	s->users = s->coming;
	s->coming.n = 0;
	for (int i = 0; i < NVML_PARTS_MAX; i++) {
		int n = 0;

		for (int k = 0; k < s->users.n; k++)
			n += s->users.rows[k].instance == i;
		nvml_instances_count(s->instances, i, n);
	}
}

static void take_line(void *ctx, const char *line)
{
	struct nvml_source *s = ctx;
	int i, code;

	if (nvml_instances_take(s->instances, line))
		return;
	if (!strncmp(line, "at ", 3))
		take_values(s, line + 3);
	else if (!strncmp(line, "process ", 8))
		take_process(s, line + 8);
	else if (sscanf(line, "processes %d", &code) == 1)
		take_processes(s, code);
	else if (sscanf(line, "no %d %d", &i, &code) == 2 && i >= 0 && i < NVML_VALUES)
		s->whys[i] = nvml_why(code);
	else if (!strncmp(line, "device ", 7))
		take_fact(s, line + 7);
	else if (!strcmp(line, "ready"))
		take_facts(s);
	else if (sscanf(line, "error %d", &code) == 1)
		nvml_refuse(&s->refusal, s->device->id, code, line + strcspn(line + 6, " ") + 7);
}

/* --- the program --- */

static bool is_running(const struct nvml_source *s)
{
	return s->state == STATE_STARTING || s->state == STATE_RUNNING;
}

static bool is_silent(const struct nvml_source *s)
{
	return !s->feeder->is_model &&
		clock_machine_ns() - s->heard_ns > SILENT_NS + s->period_ns;
}

/* What was never read is no old number. */
static enum why why_failed(const struct nvml_source *s)
{
	return s->ever_read ? WHY_STALE : WHY_NO_SOURCE;
}

static enum why why_of_error(const struct nvml_source *s)
{
	switch (s->refusal.code) {
	case ERR_PERMISSION:
		return WHY_PERMISSION;
	case ERR_NO_DEVICE:
		return WHY_GONE;
	case ERR_UNSUPPORTED:
		return WHY_UNSUPPORTED;
	default:
		return why_failed(s);
	}
}

static enum why why_none(const struct nvml_source *s)
{
	if (s->state == STATE_ASLEEP || s->state == STATE_RESTING)
		return WHY_ASLEEP;
	if (s->state == STATE_OFF)
		return why_of_error(s);
	if (is_silent(s))
		return why_failed(s);
	return WHY_NOT_YET;
}

static void forget(struct nvml_source *s)
{
	if (s->now.has[NVML_XIDS])
		s->xids = s->now.values[NVML_XIDS];
	s->now = s->begun = (struct reading){ 0 };
	memset(s->weighted, 0, sizeof(s->weighted));
	memset(s->weight_ns, 0, sizeof(s->weight_ns));
	memset(s->broken, 0, sizeof(s->broken));
	s->users.n = s->coming.n = 0;
	s->users.why = WHY_NOT_YET;
	s->busy = (struct second_busy){ 0 };
	s->has_last = false;
	memset(s->facts, 0, sizeof(s->facts));
	memset(s->has_fact, 0, sizeof(s->has_fact));
	for (int i = 0; i < NVML_VALUES; i++)
		s->whys[i] = WHY_NOT_YET;
	nvml_instances_forget(s->instances, why_none(s));
}

static bool start(struct nvml_source *s, struct err *err)
{
	forget(s);
	s->refusal = (struct err){ 0 };
	s->heard_ns = s->busy_ns = clock_machine_ns();
	s->state = STATE_STARTING;
	if (!s->feeder->ops->start || s->feeder->ops->start(s->feeder, &s->refusal))
		return true;
	s->state = STATE_OFF;
	if (err)
		*err = s->refusal;
	return false;
}

static void stop(struct nvml_source *s, enum state state)
{
	nvml_feeder_stop(s->feeder);
	s->state = state;
	forget(s);
}

/* Returns false, with the reason in s->refusal, when the program has ended. */
static bool listen(struct nvml_source *s, int64_t now_ns)
{
	uint64_t before = s->readings;
	const char *said = "";

	bool good = s->feeder->ops->lines(s->feeder, now_ns, take_line, s, &said);
	if (s->readings != before)
		s->heard_ns = clock_machine_ns();
	if (good)
		return true;
	if (s->refusal.code == ERR_NONE) {
		err_set(&s->refusal, ERR_SYS, "%s: the program with NVIDIA's library has ended: %s",
			s->device->id, text_or(said, "it said nothing"));
		err_hint(&s->refusal, "%s",
			"it is started again by itself; nvidia-smi tells whether the driver works");
	}
	stop(s, STATE_OFF);
	return false;
}

/* Sleep: a GPU that sleeps is not asked, and one that could sleep is not kept awake. */
static void mind_sleep(struct nvml_source *s)
{
	int64_t now_ns = clock_machine_ns();
	bool asleep = nvidia_is_asleep(s->fs, s->device->pci_address);

	if (asleep && s->state != STATE_ASLEEP) {
		stop(s, STATE_ASLEEP);
		s->rested_ns = 0;
	} else if (s->state == STATE_RUNNING && now_ns - s->busy_ns > REST_AFTER_NS &&
		(!s->rested_ns || now_ns - s->rested_ns > REST_AGAIN_NS) &&
		nvidia_may_sleep(s->fs, s->device->pci_address)) {
		s->rested_ns = now_ns;
		stop(s, STATE_RESTING);
	} else if ((s->state == STATE_ASLEEP && !asleep) ||
		(s->state == STATE_RESTING && now_ns - s->rested_ns > REST_NS))
		start(s, NULL);
}

static bool nvml_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct nvml_source *s = (struct nvml_source *)src;

	if (!s->feeder->is_model)
		mind_sleep(s);
	if (s->state == STATE_OFF || (is_running(s) && !listen(s, now_ns))) {
		*err = s->refusal;
		return false;
	}
	if (is_running(s) && is_silent(s)) {
		err_set(err, ERR_BUSY, "%s: NVIDIA's library has not answered for %d s",
			s->device->id, (int)((clock_machine_ns() - s->heard_ns) / NS_PER_S));
		return err_hint(err, "%s",
			"the driver is busy or hangs; sudo dmesg | grep Xid tells more");
	}
	return true;
}

/* What the window has of a value. A gauge is the mean of the readings that had it. A sum needs a
 * number at both ends; the library's own begin again when its driver is loaded anew. */
static enum why why_in_window(const struct nvml_source *s, int i)
{
	if (counters[i].kind == COUNTER_GAUGE && s->weight_ns[i] > 0)
		return WHY_OK;
	if (counters[i].kind != COUNTER_CUMULATIVE || (s->whys[i] != WHY_OK && !s->broken[i]))
		return s->whys[i];
	if (s->broken[i])
		return WHY_GAP;
	if (!s->begun.has[i])
		return WHY_NOT_YET;
	return s->now.values[i] < s->begun.values[i] ? WHY_GAP : WHY_OK;
}

/* More than the link can carry at its highest counts something else than bytes. */
static bool passes_link(const struct nvml_source *s, int i, double bytes_per_s)
{
	double generation = s->facts[NVML_FACT_LINK_GENERATION_MAX];

	if (i < NVML_PCIE_SENT || i > NVML_PCIE_RECEIVED_RATE || !(generation > 0 && generation < 16))
		return false;
	double most = nvml_link_mtransfers((unsigned)generation) * 1e6 / 8 * s->facts[NVML_FACT_LINK_LANES_MAX];
	return most > 0 && bytes_per_s > 1.1 * most;
}

/* Mean of a gauge over the readings of the window; 0: there was none. */
static double mean_of(const struct nvml_source *s, int i)
{
	return s->weight_ns[i] ? s->weighted[i] / (double)s->weight_ns[i] : 0;
}

/* What the processes say that their kernels ran, 0 to 1 and more; NAN: none says so. */
static double users_busy(const struct nvml_source *s)
{
	double sum = NAN;

	for (int i = 0; s->users.why == WHY_OK && i < s->users.n; i++)
		if (s->users.rows[i].sm != NVML_UNKNOWN)
			sum = (isnan(sum) ? 0 : sum) + s->users.rows[i].sm / 100.0;
	return sum;
}

/* A value whose second source says something else: energy has the power over the window, busy time the sum of the
 * processes, bytes the speed of the link. rate: the value, in a second where it counts up. */
static bool disagrees(struct nvml_source *s, int i, double rate)
{
	switch (i) {
	case NVML_ENERGY:
		return second_differs(rate, mean_of(s, NVML_POWER) * 1000);
	case NVML_BUSY:
		return second_busy_differs(&s->busy, rate / 1e5, users_busy(s), s->now.t_ns);
	default:
		return passes_link(s, i, rate);
	}
}

static void put_value(struct nvml_source *s, struct sample *out, int i)
{
	s->window_whys[i] = why_in_window(s, i);
	if (counters[i].kind == COUNTER_CUMULATIVE) {
		out->values[i] = s->now.values[i] - s->begun.values[i];
	} else if (counters[i].kind == COUNTER_TOTAL || !s->weight_ns[i])
		out->values[i] = s->now.values[i];
	else
		out->values[i] = (uint64_t)(mean_of(s, i) + 0.5);
	double rate = (double)out->values[i];
	if (counters[i].kind == COUNTER_CUMULATIVE)
		rate = rate / (double)(s->now.t_ns - s->begun.t_ns) * 1e9;
	if (s->window_whys[i] == WHY_OK && disagrees(s, i, rate))
		s->window_whys[i] = WHY_DISAGREES;
}

static void nvml_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct nvml_source *s = (struct nvml_source *)src;

	out->t0_ns = out->t1_ns = now_ns;
	out->whys = s->window_whys;
	if (!is_running(s) || !s->now.t_ns || s->now.t_ns == s->begun.t_ns) {
		bool held = is_running(s) && s->has_last && why_none(s) == WHY_NOT_YET;

		if (held) {
			*out = s->last;
			out->quality |= SAMPLE_HELD;
		} else
			out->why = why_none(s);
		return;
	}
	for (int i = 0; i < NVML_VALUES; i++)
		put_value(s, out, i);
	/* Its own clock is CLOCK_MONOTONIC, too; a script's clock is another one. */
	out->window_ns = s->now.t_ns - s->begun.t_ns;
	out->t0_ns = now_ns - out->window_ns;
	out->reports = s->readings;
	s->readings = 0;
	s->begun = s->now;
	memset(s->weighted, 0, sizeof(s->weighted));
	memset(s->weight_ns, 0, sizeof(s->weight_ns));
	memset(s->broken, 0, sizeof(s->broken));
	s->last = *out;
	s->has_last = true;
}

static bool nvml_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct nvml_source *s = (struct nvml_source *)src;

	(void)now_ns;
	if (s->state == STATE_OFF)
		start(s, err);
	return false;	/* it delivers when the program has answered */
}

static void nvml_close(struct source *src)
{
	struct nvml_source *s = (struct nvml_source *)src;

	nvml_feeder_close(s->feeder);
	if (!s->gave_instances)
		nvml_instances_free(s->instances);
}

static void nvml_retime(struct source *src, int64_t window_ns)
{
	struct nvml_source *s = (struct nvml_source *)src;
	int64_t period_ns = min_i64(window_ns / READINGS_PER_WINDOW, PERIOD_MAX_NS);

	s->period_ns = max_i64(period_ns, PERIOD_MIN_NS);
	s->feeder->ops->set_period(s->feeder, s->period_ns);
}

static const struct source_ops ops = {
	.size = sizeof(struct nvml_source),
	.ready = nvml_ready,
	.collect = nvml_collect,
	.retry = nvml_retry,
	.retime = nvml_retime,
	.close = nvml_close,
};

const struct nvml_users *nvml_source_users(struct source *s)
{
	return &((struct nvml_source *)s)->users;
}

struct source *nvml_source_instances(struct source *src)
{
	struct nvml_source *s = (struct nvml_source *)src;

	if (s->gave_instances || nvml_instances_n(s->instances) == 0)
		return NULL;
	s->gave_instances = true;
	return nvml_instances_source(s->instances, s->feeder->how);
}

/* What is told at once is there before the equations are bound. */
static void wait_for_facts(struct nvml_source *s, int64_t now_ns, int64_t wait_ms)
{
	int64_t until_ns = clock_machine_ns() + wait_ms * NS_PER_MS, left_ns;
	struct pollfd fd = { .fd = -1, .events = POLLIN };

	if (s->feeder->ops->fd)
		fd.fd = s->feeder->ops->fd(s->feeder);
	while (s->state == STATE_STARTING && (left_ns = until_ns - clock_machine_ns()) > 0) {
		if (fd.fd >= 0)
			poll(&fd, 1, (int)(left_ns / NS_PER_MS) + 1);
		if (!listen(s, now_ns))
			return;
	}
}

struct source *nvml_source_open(struct open_device *dev, const struct open_options *o,
	struct nvml_feeder *feeder, struct err *refusal)
{
	struct nvml_source *s = source_new(&ops);

	s->source.feed =
		(struct feed){ .name = "nvml", .counters = s->counters, .n_counters = NVML_VALUES };
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", feeder->how);
	memcpy(s->counters, counters, sizeof(counters));
	s->fs = o->fs;
	s->device = &dev->device;
	s->feeder = feeder;
	s->instances = nvml_instances_new();
	nvml_retime(&s->source, o->delay_ns);
	forget(s);
	if (!feeder->is_model && nvidia_is_asleep(o->fs, dev->device.pci_address)) {
		s->state = STATE_ASLEEP;
		err_set(refusal, ERR_ASLEEP, "%s sleeps and is left asleep", dev->device.id);
		return &s->source;
	}
	if (start(s, refusal))
		wait_for_facts(s, o->now_ns, o->patient || o->may_wait ? PATIENT_WAIT_MS : OPEN_WAIT_MS);
	*refusal = s->refusal;
	s->may_reopen = s->state == STATE_RUNNING || !o->patient;
	s->source.rebind = s->source.reopen = false;
	return &s->source;
}
