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

#include "helpers/nvml_parts.h"
#include "helpers/nvml_read.h"

#define PROCESSES_MAX 256
#define TEXT_SIZE 96
#define PROCESSES_PERIOD_NS 1000000000
#define PERIOD_MIN_MS 20
#define SLOWDOWN_THRESHOLD 1

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

/* A process with both kinds of contexts is in both lists, with the same bytes. */
static void take_processes(const struct nvml_process *list, unsigned n)
{
	for (unsigned i = 0; i < n && i < PROCESSES_MAX; i++) {
		struct row *r = row_of(list[i].pid);

		if (r)
			r->process = list[i];
	}
}

typedef int list_fn(struct nvml_device *, unsigned *, struct nvml_process *);
typedef int list_v1_fn(struct nvml_device *, unsigned *, struct nvml_process_v1 *);

/* Versions 2 and 3 have the same rows. */
static int list_processes(list_fn *v3, list_fn *v2, list_v1_fn *v1)
{
	static struct nvml_process list[PROCESSES_MAX];
	static struct nvml_process_v1 old[PROCESSES_MAX];
	unsigned n = PROCESSES_MAX;
	int code = NVML_FUNCTION_NOT_FOUND;

	if (v3 || v2)
		code = (v3 ? v3 : v2)(gpu.device, &n, list);
	else if (v1)
		code = v1(gpu.device, &n, old);
	if (code != NVML_OK)
		return code;
	for (unsigned i = 0; !v3 && !v2 && i < n && i < PROCESSES_MAX; i++)
		list[i] = (struct nvml_process){
			.pid = old[i].pid, .used_bytes = old[i].used_bytes };
	take_processes(list, n);
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
	static struct nvml_process_sample samples[PROCESSES_MAX];
	static unsigned long long seen_us;
	unsigned long long newest_us = seen_us;
	unsigned n = PROCESSES_MAX;
	int code = NVML_CALL(&gpu, process_utilization, gpu.device, samples, &n, seen_us);

	for (unsigned i = 0; code == NVML_OK && i < n && i < PROCESSES_MAX; i++) {
		struct row *r = row_of(samples[i].pid);

		if (samples[i].t_us > newest_us)
			newest_us = samples[i].t_us;
		if (!r || samples[i].sm > 100)
			continue;
		if (!seen_us && r->samples && samples[i].t_us < r->t_us)
			continue;
		if (!seen_us)
			r->sm = r->memory = r->encoder = r->decoder = r->samples = 0;
		r->t_us = samples[i].t_us;
		add_sample(r, &samples[i]);
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
	int64_t processes_ns = now_ns();
	while (fflush(out) == 0 && poll(&input, 1, period_ms) == 0) {
		int64_t t_ns = now_ns();

		nvml_read(&gpu, t_ns);
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
