/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files of the worker share. Only these files use OpenCL. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/err.h"
#include "kernels/worker/cache.h"
#include "kernels/catalog/model.h"
#include "kernels/launch/proto.h"
#include "kernels/worker/steady.h"
#include "kernels/catalog/variant.h"

/* The facts of the chosen device, which are constant after device_open(). */
struct device_facts {
	cl_platform_id platform;
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;		/* it works in order, with profiling */
	char name[96], driver[64], platform_version[96];
	char key[HASH_HEX];		/* this key names device and driver */
	char compiler_key[HASH_HEX];	/* and this one also the libraries that the driver has loaded */
	char pci[16];
	bool cpu;
	bool own_memory;		/* not the machine's */
	bool other;			/* it is not the one that was asked for by PCI address */
	bool has[TYPE_COUNT];
	bool fma[TYPE_COUNT];		/* here fma() is as fast as an expression */
	int width[TYPE_COUNT];		/* the widths of the device's own vectors */
	uint64_t compute_units, max_group_size;
	int sub_group;			/* the smallest that it has; 0: it has none of its own */
	uint64_t local_bytes, max_alloc_bytes, global_bytes, cache_bytes;
};

/* Calls fn for each OpenCL device with its facts and its place, "P:D". Returns false when there is
 * none, or when fn says so. */
bool device_each(
	bool (*fn)(void *ctx, const struct device_facts *d, const char *place, struct err *err),
	void *ctx, struct err *err);
/* Opens the device that want names: "P:D", "pci:0000:00:02.0", or a part of the name. When want is
 * "", the device at the address pci is preferred. */
bool device_open(struct device_facts *d, const char *want, const char *pci, struct err *err);
void device_close(const struct device_facts *d);
/* Says whether the device has the extension of that name. */
bool device_has_extension(cl_device_id id, const char *name);

/* This is a built program. A zero-initialised struct holds none. */
struct program {
	cl_program program;
	char key[HASH_HEX];
	bool cached;			/* it came from the cache */
};

/* Compiles a file of kernel_sources with common.cl before it. The compiler's log goes to standard
 * error. */
bool program_build(struct program *p, const struct device_facts *d, const struct cache *c,
	const char *file, const char *options, struct err *err);
/* Saves the program in the cache. Call it after the first launch, when the driver has finished its
 * work on the program. */
void program_keep(const struct program *p, const struct cache *c);
void program_release(struct program *p);
/* Writes the program as the driver has it to KERNEL.bin in that folder. */
bool program_write(
	const struct program *p, const char *folder, const char *kernel, struct err *err);

#define LOAD_BUFFERS 3

/* A time by our clock and by the driver's. */
struct by_clocks {
	int64_t ours_ns, drivers_ns;
};

/* This is a kernel that is ready to be launched: program, buffers and geometry. */
struct load {
	const struct device_facts *d;
	const struct cache *cache;
	struct variant v;
	struct program program, check_program;
	cl_kernel kernel, fill, digest;
	cl_mem buffers[LOAD_BUFFERS];	/* out, in, in2 */
	uint64_t buffer_bytes[LOAD_BUFFERS];
	cl_mem digests;
	struct variant_data data;
	uint64_t groups, group_size, turns;
	/* the arrays in units of what one group walks over; 0 without arrays */
	uint64_t blocks;
	/* launches that walk once over the arrays; 1 without arrays */
	uint64_t chunks;
	uint64_t batch;			/* launches in a slice */
	uint64_t launches;		/* since the buffers were filled */
	struct by_clocks judged;	/* the end of a launch */
	int doubts;			/* launches whose time by the driver cannot be */
	uint32_t *ring_order;		/* CHECK_RING: index of the n-th node of the cycle */
	uint64_t ring_nodes;
};

/* Returns how many bytes each array of a kernel that streams has, so that no cache holds it as far
 * as the memory allows. */
uint64_t load_array_bytes(const struct device_facts *d);
/* Builds the kernel, chooses what the job leaves open, fills the buffers and launches it once. */
bool load_open(struct load *l, const struct device_facts *d, const struct cache *c,
	const struct variant *v, const struct job *job, struct err *err);
void load_close(struct load *l);
/* Fills the buffers, and uses these constants from then on. */
bool load_fill(struct load *l, struct variant_data data, struct err *err);
/* Enqueues one slice. The caller releases the events first and last; they are the same one where a
 * slice is one launch. */
bool load_enqueue(struct load *l, cl_event *first, cl_event *last, struct err *err);
/* Computes the work of a slice. */
void load_work(const struct load *l, struct kernel_work *out);
/* Returns what the next launch looks like to the model. */
struct model_launch load_launch(const struct load *l);
/* Returns the number of launches after which a correct device has the buffers as they were when
 * filled, or has written the same again. */
uint64_t load_period(const struct load *l);
/* Launches n times and waits. */
bool load_launch_wait(struct load *l, uint64_t n, int64_t *event_ns, struct err *err);
/* Asks the driver what its compiler made of the kernel. */
void load_made(const struct load *l, struct kernel_made *out);
/* Returns the repetitions of the body in one launch, as in struct job. */
uint64_t load_repeat(const struct load *l);
/* Makes a slice some milliseconds long by what the job leaves open: repetitions, groups, or
 * launches. */
bool load_calibrate(struct load *l, const struct job *job, struct err *err);
/* Gives the start and the end of a completed event, in ns of the device's clock. */
bool event_times(cl_event event, int64_t *start_ns, int64_t *end_ns, struct err *err);

/* These are the results of checks so far. */
struct verifier {
	uint32_t *reference;		/* digests of the parts of the output, as first seen */
	bool *known;
	uint64_t parts, part;		/* the next one to look at */
	uint64_t verified, mismatches;
	bool fused, fused_known;	/* how this device rounds multiply-adds */
};

void verifier_release(struct verifier *c);
/* Launches once with data of its own and compares sampled results with the model; then refills the
 * buffers for load. Nothing may be in flight. */
bool verify_probe(struct verifier *c, struct load *l, struct err *err);
/* Compares what slices left behind with what the first of them left. Does so only when slices have
 * come round; nothing may be in flight. */
bool verify_equal(struct verifier *c, struct load *l, struct err *err);

/* Says where the results of the tuner are kept. */
struct tuned {
	const char *folder;		/* "" for nowhere */
};

/* What is known of a remembered shape. Rates are NAN when they are unknown. */
struct tuned_facts {
	double flop_per_s, bytes_per_s;
	/* the share of the tuner's trials that were disturbed; NAN: the shape follows from a rule */
	double disturbed;
	bool again;		/* it no longer reaches that: look for a shape again */
};

/* Finds the remembered variant and its facts. Returns false when there is none. */
bool tuned_find(const struct tuned *t, const struct device_facts *d, const char *kernel,
	struct variant *v, struct tuned_facts *facts);
/* Replaces what is remembered of that kernel on that device. A folder that cannot be written gives
 * a line on standard error, which is the log. */
void tuned_keep(const struct tuned *t, const struct device_facts *d, const char *kernel,
	const struct variant *v, const struct tuned_facts *facts);
/* Chooses by rule, without measuring. */
void tuned_default(const struct device_facts *d, struct variant *v);

struct worker_session;

/* Tries variants for a bounded time, leaves the best in v, and remembers it. */
bool tune(struct worker_session *s, struct variant *v, struct err *err);
/* Says whether the job leaves the shape to us. */
bool job_is_free(const struct job *job);

/* This is one run of the worker. */
struct worker_session {
	int fd;
	struct proto_reader reader;
	bool stop;			/* STOP has come, or the stream has ended */
	struct cache cache;
	struct tuned tuned;
	struct device_facts device;
	struct job job;
	uint32_t flags;			/* enum job_flag, of what preceded the run */
};

/* Returns how many processors the kernel keeps busy when it has the device for itself; 0 when that is
 * not known, and for devices that are no processors. */
double worker_processors(const struct worker_session *s, const struct body_row *body);
/* Tells the launcher where the groups of the load run, by a launch of the same shape, or why nobody
 * can say. emulated: with functions of its own, for tests. Returns false when the launcher does not
 * hear. */
bool place_tell(
	const struct worker_session *s, const struct load *l, bool emulated, struct err *err);

/* Reads what the launcher has sent; sets stop. */
void worker_session_listen(struct worker_session *s);
/* Tells the launcher in which phase the job is. */
bool worker_session_phase(
	const struct worker_session *s, enum job_phase phase, double build_ns, struct err *err);
/* Runs the job to its end. */
bool session_run(struct worker_session *s, struct err *err);

/* OpenCL's error codes as sentences with a way out. */

/* Fills err with "what: CL_NAME (text)" and its hint; returns false. */
bool clerr_set(struct err *err, int code, const char *what);
