/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads NVIDIA's management library in a process of its own, so that a driver that hangs or a library
 * that ends its process does rooftop no harm, and writes down what the library says of one GPU. */
#include "config.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "helpers/nvml_read.h"
#include "helpers/pace.h"

#define PROCESSES_MAX 256	/* that are told */
#define LIST_ROWS 256		/* room for more in a list of the library */
#define LIST_MAX 65536
#define UNTOUCHED 0xa5		/* what the library has not written */
#define TEXT_SIZE 96
#define PROCESSES_PERIOD_NS 1000000000
#define PERIOD_MIN_MS 20
#define SLOWDOWN_THRESHOLD 1
#define NS_PER_MS 1000000

struct nvml_part {
	struct nvml_device *device;
	unsigned gpu_instance, compute_instance;
	struct nvml_attributes attributes;
	int gpm_code;		/* NVML_OK: it has the monitor */
	struct nvml_gpm gpm;
	int codes[NVML_VALUES];
	uint64_t values[NVML_VALUES];
};

struct nvml_parts {
	int n;
	struct nvml_part rows[NVML_PARTS_MAX];
};

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

/* Finds the instances and tells what they are. Returns nvmlReturn_t: whether it is known into which
 * instances the GPU is divided. */
static int nvml_parts_begin(struct nvml_gpu *g, struct nvml_parts *p, FILE *out)
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

/* Whether the instances are others now. */
static bool nvml_parts_changed(struct nvml_gpu *g, const struct nvml_parts *p)
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

/* Reads and tells the values of all. */
static void nvml_parts_tell(struct nvml_gpu *g, struct nvml_parts *p, int64_t now_ns, FILE *out)
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

/* The instance in which a process runs, by its numbers; -1: none. */
static int nvml_parts_find(
	const struct nvml_parts *p, unsigned gpu_instance, unsigned compute_instance)
{
	for (int i = 0; i < p->n; i++)
		if (p->rows[i].gpu_instance == gpu_instance &&
			p->rows[i].compute_instance == compute_instance)
			return i;
	return -1;
}

static FILE *out;		/* the library may write to standard output, which is not this any more */
static struct nvml_gpu gpu;	/* large */
static struct nvml_parts parts;

static const char *const fact_keys[NVML_FACTS] = {
#define X(id, key) [NVML_FACT_##id] = key,
	NVML_FACT_LIST(X)
#undef X
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static _Noreturn void give_up(int code, const char *words)
{
	fprintf(out, "error %d %s\n", code, words);
	fclose(out);
	_exit(1);	/* the library's own exit handlers may hang */
}

static void must(int code, const char *call)
{
	if (code != NVML_OK)
		give_up(code, call);
}

static void load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		give_up(NVML_NO_LIBRARY, dlerror());
#define X(member, name, args) *(void **)&gpu.api.member = dlsym(library, name);
	NVML_FUNCTION_LIST(X)
#undef X
}

/* --- what the GPU is --- */

static void tell_fact(enum nvml_fact fact, int code, long long value)
{
	if (code == NVML_OK)
		fprintf(out, "device %s %lld\n", fact_keys[fact], value);
}

static void tell_number(enum nvml_fact fact, int (*call)(struct nvml_device *, unsigned *))
{
	unsigned v = 0;
	int code = call ? call(gpu.device, &v) : NVML_FUNCTION_NOT_FOUND;

	tell_fact(fact, code, v);
}

/* A library that fills all of it may leave the end open. */
static void tell_text(const char *key, int code, char text[TEXT_SIZE])
{
	text[TEXT_SIZE - 1] = '\0';
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	if (code == NVML_OK && *text)
		fprintf(out, "device %s %s\n", key, text);
}

static void tell_words(void)
{
	char text[TEXT_SIZE] = "";
	int cuda = 0;
	int code = NVML_CALL(&gpu, name, gpu.device, text, TEXT_SIZE);

	tell_text("name", code, text);
	text[0] = '\0';
	code = NVML_CALL(&gpu, driver_version, text, TEXT_SIZE);
	tell_text("driver", code, text);
	text[0] = '\0';
	code = NVML_CALL(&gpu, uuid, gpu.device, text, TEXT_SIZE);
	tell_text("uuid", code, text);
	code = NVML_CALL(&gpu, cuda_version, &cuda);
	if (code == NVML_FUNCTION_NOT_FOUND)
		code = NVML_CALL(&gpu, cuda_version_v1, &cuda);
	/* 12040 is 12.4 */
	snprintf(text, TEXT_SIZE, "%d.%d", cuda / 1000, cuda % 1000 / 10);
	tell_text("cuda", cuda > 0 ? code : NVML_NO_DATA, text);
}

static void tell_device(void)
{
	int major = 0, minor = 0;
	unsigned v = 0;
	int code;

	tell_words();
	code = NVML_CALL(&gpu, capability, gpu.device, &major, &minor);
	tell_fact(NVML_FACT_CC_MAJOR, code, major);
	tell_fact(NVML_FACT_CC_MINOR, code, minor);
	tell_number(NVML_FACT_CORES, gpu.api.cores);
	tell_number(NVML_FACT_BUS_BITS, gpu.api.bus_bits);
	tell_number(NVML_FACT_LINK_GENERATION_MAX, gpu.api.link_generation_max);
	tell_number(NVML_FACT_LINK_LANES_MAX, gpu.api.link_lanes_max);
	code = NVML_CALL(&gpu, clock_max, gpu.device, NVML_CLOCK_SM, &v);
	tell_fact(NVML_FACT_SM_CLOCK_MAX, code, v);
	code = NVML_CALL(&gpu, clock_max, gpu.device, NVML_CLOCK_MEMORY, &v);
	tell_fact(NVML_FACT_MEMORY_CLOCK_MAX, code, v);
	code = NVML_CALL(&gpu, temperature_threshold, gpu.device, SLOWDOWN_THRESHOLD, &v);
	tell_fact(NVML_FACT_SLOWDOWN_DEGC, code, v);
}

/* --- who uses it --- */

struct row {
	struct nvml_process process;
	uint32_t sm, memory, encoder, decoder, samples;
	unsigned long long t_us;	/* of the newest sample */
};

static struct row rows[PROCESSES_MAX];
static int n_rows;

static struct row *row_of(uint32_t pid)
{
	for (int i = 0; i < n_rows; i++)
		if (rows[i].process.pid == pid)
			return &rows[i];
	if (n_rows == PROCESSES_MAX)
		return NULL;
	rows[n_rows] = (struct row){ .process = { .pid = pid, .used_bytes = UINT64_MAX } };
	return &rows[n_rows++];
}

/* What a list is read into: room for rows, of which the library has told how many it has. */
static struct list {
	uint8_t *bytes;
	unsigned room;		/* rows of the largest kind */
} processes, samples;

static bool make_room(struct list *l, unsigned n)
{
	if (n > LIST_MAX)
		n = LIST_MAX;
	uint8_t *bytes = n > l->room ? realloc(l->bytes, (size_t)n * NVML_PROCESS_MAX_BYTES) : NULL;
	if (!bytes)
		return false;
	l->bytes = bytes;
	l->room = n;
	return true;
}

/* A process with both kinds of contexts is in both lists, with the same bytes. */
static void take_process(const uint8_t *row, size_t size)
{
	struct nvml_process p = { .gpu_instance = UINT32_MAX, .compute_instance = UINT32_MAX };

	memcpy(&p, row, size < sizeof(p) ? size : sizeof(p));
	struct row *r = row_of(p.pid);
	if (r)
		r->process = p;
}

/* Returns the bytes of a row of versions 2 and 3. Some drivers have longer rows in version 3, and
 * nothing tells but how far they have written. */
static size_t row_size(unsigned n)
{
	const size_t plain = sizeof(struct nvml_process);

	for (size_t i = n * plain; i < (size_t)n * NVML_PROCESS_MAX_BYTES; i++)
		if (processes.bytes[i] != UNTOUCHED)
			return NVML_PROCESS_MAX_BYTES;
	return plain;
}

typedef int list_fn(struct nvml_device *, unsigned *, void *);

static int list_processes(list_fn *v3, list_fn *v2, list_fn *v1)
{
	list_fn *newer = v3 ? v3 : v2, *call = newer ? newer : v1;
	unsigned n;
	int code;

	if (!call)
		return NVML_FUNCTION_NOT_FOUND;
	/* Who comes meanwhile needs more room once more. */
	do {
		n = processes.room;
		memset(processes.bytes, UNTOUCHED, (size_t)n * NVML_PROCESS_MAX_BYTES);
		code = call(gpu.device, &n, processes.bytes);
	} while (code == NVML_INSUFFICIENT_SIZE && make_room(&processes, n + LIST_ROWS));
	if (code != NVML_OK || n > processes.room)
		return code;
	size_t size = newer ? row_size(n) : sizeof(struct nvml_process_v1);
	for (unsigned i = 0; i < n; i++)
		take_process(processes.bytes + i * size, size);
	return code;
}

static void add_sample(struct row *r, const struct nvml_process_sample *s)
{
	r->sm += s->sm;
	r->memory += s->memory;
	r->encoder += s->encoder;
	r->decoder += s->decoder;
	r->samples++;
}

/* Adds the shares of each process since the last call. The first call has the whole past that the
 * library keeps, of which the newest sample of each process is taken. */
static int add_utilization(void)
{
	static unsigned long long seen_us;
	unsigned long long newest_us = seen_us;
	unsigned n;
	int code;

	do {
		n = samples.room;
		code = NVML_CALL(&gpu, process_utilization, gpu.device, (void *)samples.bytes, &n, seen_us);
	} while (code == NVML_INSUFFICIENT_SIZE && make_room(&samples, n + LIST_ROWS));
	for (unsigned i = 0; code == NVML_OK && i < n && i < samples.room; i++) {
		struct nvml_process_sample one;

		memcpy(&one, samples.bytes + i * sizeof(one), sizeof(one));
		struct row *r = row_of(one.pid);
		if (one.t_us > newest_us)
			newest_us = one.t_us;
		if (!r || one.sm > 100)
			continue;
		if (!seen_us && r->samples && one.t_us < r->t_us)
			continue;
		if (!seen_us)
			r->sm = r->memory = r->encoder = r->decoder = r->samples = 0;
		r->t_us = one.t_us;
		add_sample(r, &one);
	}
	seen_us = newest_us;
	return code;
}

/* A process without samples did nothing lately, unless nobody is told apart. */
static void tell_row(const struct row *r, int utilization)
{
	fprintf(out, "process %" PRIu32, r->process.pid);
	if (r->process.used_bytes == UINT64_MAX)
		fputs(" -", out);
	else
		fprintf(out, " %" PRIu64, r->process.used_bytes);
	if (utilization != NVML_OK && utilization != NVML_NOT_FOUND) {
		fputs(" - - - -", out);
	} else {
		uint32_t n = r->samples ? r->samples : 1;

		fprintf(out, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, r->sm / n,
			r->memory / n, r->encoder / n, r->decoder / n);
	}
	int part = nvml_parts_find(&parts, r->process.gpu_instance, r->process.compute_instance);
	if (part < 0)
		fputs(" -\n", out);
	else
		fprintf(out, " %d\n", part);
}

static void tell_processes(void)
{
	const struct nvml_api *a = &gpu.api;

	n_rows = 0;
	int compute = list_processes(
		a->compute_processes, a->compute_processes_v2, a->compute_processes_v1);
	int graphics = list_processes(
		a->graphics_processes, a->graphics_processes_v2, a->graphics_processes_v1);
	int utilization = add_utilization();
	for (int i = 0; i < n_rows; i++)
		tell_row(&rows[i], utilization);
	/* Compute cards have no list of graphics. */
	fprintf(out, "processes %d\n", graphics == NVML_OK ? graphics : compute);
}

/* --- the loop --- */

/* A lost GPU answers nothing any more; a process that ends is started again by rooftop. */
static bool is_lost(enum nvml_value i)
{
	return gpu.codes[i] == NVML_GPU_IS_LOST || gpu.codes[i] == NVML_RESET_REQUIRED;
}

static void tell_codes(void)
{
	static int told[NVML_VALUES];

	for (int i = 0; i < NVML_VALUES; i++) {
		if (gpu.codes[i] != NVML_OK && gpu.codes[i] != told[i])
			fprintf(out, "no %d %d\n", i, gpu.codes[i]);
		told[i] = gpu.codes[i];
	}
}

static void tell_values(int64_t t_ns)
{
	fprintf(out, "at %" PRId64, t_ns);
	for (int i = 0; i < NVML_VALUES; i++)
		if (gpu.codes[i] == NVML_OK)
			fprintf(out, " %d:%" PRIu64, i, gpu.values[i]);
	fputc('\n', out);
}

static void begin(const char *library, const char *address)
{
	if (!make_room(&processes, LIST_ROWS) || !make_room(&samples, LIST_ROWS))
		give_up(NVML_NO_DATA, "malloc");
	load(library);
	must(gpu.api.init ? gpu.api.init() : NVML_FUNCTION_NOT_FOUND, "nvmlInit_v2");
	must(NVML_CALL(&gpu, device_by_address, address, &gpu.device),
		"nvmlDeviceGetHandleByPciBusId_v2");
	tell_device();
	nvml_read_begin(&gpu);
	if (nvml_parts_begin(&gpu, &parts, out) == NVML_OK)
		tell_fact(NVML_FACT_MIG_INSTANCES, NVML_OK, parts.n);
	nvml_read(&gpu, now_ns());
	tell_codes();
	tell_fact(NVML_FACT_GPM, NVML_OK, gpu.gpm_code == NVML_OK);
	tell_processes();
	fputs("ready\n", out);
}

/* Until the next reading, or until the bytes of the link have to be looked at. */
static int wait_ms(int64_t last_ns, int period_ms)
{
	int64_t left_ns = last_ns + (int64_t)period_ms * NS_PER_MS - now_ns();
	int left_ms = left_ns > 0 ? (int)((left_ns + NS_PER_MS - 1) / NS_PER_MS) : 0;

	return left_ms < nvml_link_period_ms(&gpu) ? left_ms : nvml_link_period_ms(&gpu);
}

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	int copy;

	if (argc != 4) {
		fprintf(stderr, "%s is started by rooftop\n", NVML_PROGRAM);
		return 2;
	}
	copy = dup(STDOUT_FILENO);
	out = copy < 0 ? NULL : fdopen(copy, "w");
	if (!out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return 1;
	int period_ms = atoi(argv[3]);
	if (period_ms < PERIOD_MIN_MS)
		period_ms = PERIOD_MIN_MS;
	begin(argv[1], argv[2]);
	int64_t processes_ns = now_ns(), last_ns = processes_ns;
	while (fflush(out) == 0 &&
		(poll(&input, 1, wait_ms(last_ns, period_ms)) == 0 || pace_read(&period_ms))) {
		int64_t t_ns = now_ns();

		if (t_ns - last_ns < (int64_t)period_ms * NS_PER_MS) {
			nvml_read_link_bytes(&gpu, t_ns);
			continue;
		}
		nvml_read(&gpu, t_ns);
		last_ns = now_ns();
		if (is_lost(NVML_BUSY) || is_lost(NVML_TEMPERATURE))
			give_up(NVML_GPU_IS_LOST, "nvmlDeviceGetUtilizationRates");
		tell_codes();
		tell_values(t_ns);
		nvml_parts_tell(&gpu, &parts, t_ns, out);
		if (t_ns - processes_ns < PROCESSES_PERIOD_NS)
			continue;
		processes_ns = t_ns;
		tell_processes();
		/* Who reads this opens the device anew. */
		if (nvml_parts_changed(&gpu, &parts))
			give_up(NVML_NOT_READY, "MIG");
	}
	/* Nobody listens any more. A library that hangs in here is killed. */
	NVML_CALL(&gpu, shutdown);
	_exit(0);
}
