/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a kernel with its buffers: geometry, data, launches, and how long a slice should be. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"

/* A slice is short enough for other users of the GPU and for a quick stop, and so long that
 * launching costs nothing (measured: 0.5 ms 88 %, 5 ms 98 % of the rate of one long launch). */
#define SLICE_NS (6 * NS_PER_MS)
#define SLICE_MIN_NS (3 * NS_PER_MS)
#define MAX_BATCH 65536
#define MAX_TURNS (UINT32_MAX / 2)
#define MAX_WALKED_BYTES 0x1p60
#define ARRAY_MIN_BYTES (64ULL << 20)
/* OpenCL may not count the last cache: a card's has up to 256 MiB (Instinct MI300), one that is
 * shared with the processor up to 128 MiB (the eDRAM of Iris Pro). The caches of processors are
 * read; servers have more than 1 GiB. */
#define ARRAY_OF_CARD_BYTES (512ULL << 20)
#define ARRAY_OF_SHARED_BYTES (256ULL << 20)
#define ARRAY_MAX_BYTES (4096ULL << 20)
#define STILL_NS (50 * NS_PER_MS)
/* By so much two clocks can be compared, whatever a busy processor adds. */
#define LONG_NS (500 * NS_PER_MS)
/* Drivers do not end a launch that has begun. */
#define LAUNCH_MOST_S 10
#define LINE_BYTES 64
#define LOCAL_ARGUMENT 7

static const uint64_t seeds[LOAD_BUFFERS] = { 0x1000003, 0x20000005, 0x300000007 };

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

static const struct body_row *body(const struct load *l)
{
	return l->v.spec.body;
}

static uint64_t element_bytes(const struct load *l)
{
	return (uint64_t)catalog_type(l->v.spec.type)->bytes;
}

static uint64_t vec_bytes(const struct load *l)
{
	return element_bytes(l) * (uint64_t)l->v.spec.width;
}

/* Returns how many vec one group walks over in one launch. */
static uint64_t block_vecs(const struct load *l)
{
	uint64_t vecs = l->group_size * l->turns * (uint64_t)l->v.accumulators;

	return body(l)->flags & BODY_STRIDES ? vecs * (uint64_t)l->v.spec.apart : vecs;
}

uint64_t load_repeat(const struct load *l)
{
	return l->turns * variant_granule(&l->v);
}

static uint64_t extent_bytes(const struct load *l, enum body_extent extent)
{
	/* Where launches walk over arrays, how many groups one has is only known when they have
	 * been timed. */
	uint64_t groups = l->blocks ? l->blocks : l->groups;
	uint64_t items = groups * l->group_size;

	switch (extent) {
	case EXTENT_ITEMS:
		return items * vec_bytes(l);
	case EXTENT_TWICE:
		return 2 * items * vec_bytes(l);
	case EXTENT_LINES:
		return items * LINE_BYTES;
	case EXTENT_ARRAY:
		return l->blocks * block_vecs(l) * vec_bytes(l);
	case EXTENT_RING:
		return body(l)->flags & BODY_LONE ? l->v.spec.size_bytes * groups
						  : l->v.spec.size_bytes;
	default:
		return max_u64(2 * vec_bytes(l), sizeof(cl_uint));
	}
}

/* The group's size is limited by the kernel's registers and by shared local memory as well. */
static bool choose_group_size(struct load *l, const struct job *job, struct err *err)
{
	size_t most = 0;

	if (body(l)->flags & (BODY_ONE_ITEM | BODY_LONE)) {
		l->group_size = 1;
		return true;
	}
	if (clGetKernelWorkGroupInfo(l->kernel, l->d->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most),
		    &most, NULL) != CL_SUCCESS ||
		!most)
		most = l->d->max_group_size;
	uint64_t limit = min_u64(most, l->d->max_group_size);
	if (body(l)->flags & BODY_LOCAL)
		limit = min_u64(limit, l->d->local_bytes / vec_bytes(l));
	if (!limit)
		return err_set(err, ERR_UNSUPPORTED,
			"this device has too little shared local memory for one item of the "
			"kernel");
	if (job->group_size > limit) {
		err_set(err, ERR_USAGE,
			"groups of %llu items are too large for this kernel on this device",
			(unsigned long long)job->group_size);
		return err_hint(err, "the limit is %llu", (unsigned long long)limit);
	}
	l->group_size = job->group_size;
	if (!l->group_size)
		l->group_size = min_u64(max_u64(l->v.group_size, 1), limit);
	l->v.group_size = l->group_size;
	if (l->v.sub_group && l->group_size % (uint64_t)l->v.sub_group != 0)
		return err_set(err, ERR_USAGE,
			"groups of this kernel are multiples of %d items on this device",
			l->v.sub_group);
	return true;
}

static void choose_turns(struct load *l, const struct job *job)
{
	bool in_place = body(l)->flags & BODY_IN_PLACE && !(body(l)->flags & BODY_STREAMS);

	if (body(l)->flags & BODY_ONCE)
		l->turns = 1;
	else if (job->repeat)
		l->turns = divide_up(job->repeat, variant_granule(&l->v));
	else if (body(l)->flags & BODY_STREAMS)
		l->turns = max_u64(l->v.turns, 1);
	else
		l->turns = 2;
	/* What adds and subtracts by turns has to come back to where it was. */
	if (in_place && body(l)->unroll % 2 && !(body(l)->flags & BODY_ONCE))
		l->turns += l->turns % 2;
}

uint64_t load_array_bytes(const struct device_facts *d)
{
	uint64_t bytes = min_u64(4 * d->cache_bytes, ARRAY_MAX_BYTES), least = ARRAY_MIN_BYTES;

	if (d->own_memory)
		least = ARRAY_OF_CARD_BYTES;
	else if (!d->cpu)
		least = ARRAY_OF_SHARED_BYTES;
	bytes = max_u64(bytes, least);
	if (d->max_alloc_bytes)
		bytes = min_u64(bytes, d->max_alloc_bytes);
	if (d->global_bytes)
		bytes = min_u64(bytes, d->global_bytes / 8);
	if (bytes < 4 * d->cache_bytes)
		fprintf(stderr,
			"arrays of %llu MiB are less than 4 times the %llu MiB that the device has "
			"for a cache\n",
			(unsigned long long)bytes >> 20, (unsigned long long)d->cache_bytes >> 20);
	return bytes;
}

/* Chooses how many groups a launch has, and how many launches walk over the arrays. A job that says
 * everything has arrays of just that size. */
static void choose_groups(struct load *l, const struct job *job)
{
	const struct device_facts *d = l->d;

	l->batch = l->chunks = 1;
	if (body(l)->flags & BODY_ONE_ITEM) {
		l->groups = 1;
		return;
	}
	l->groups = job->groups;
	if (!l->groups)
		l->groups = d->compute_units * (d->cpu ? 16 : 8);
	if (!(body(l)->flags & BODY_STREAMS))
		return;
	if (!job->groups || !job->repeat)
		l->chunks = max_u64(
			load_array_bytes(d) / (block_vecs(l) * vec_bytes(l)) / l->groups, 1);
	l->blocks = l->chunks * l->groups;
}

static bool make_buffers(struct load *l, struct err *err)
{
	const struct body_buffers *b = &body(l)->buffers;
	const enum body_extent extents[LOAD_BUFFERS] = { b->out, b->in, b->in2 };
	uint64_t items = l->groups * l->group_size;
	/* As doubles, which do not wrap: no extent is larger. */
	double walked = (double)l->blocks * (double)block_vecs(l) * (double)vec_bytes(l);

	if (l->turns > MAX_TURNS || l->groups > UINT32_MAX || items > UINT32_MAX ||
		walked > MAX_WALKED_BYTES) {
		err_set(err, ERR_USAGE, "a launch of that size is more than can be counted");
		return err_hint(err, "use fewer groups or repetitions");
	}
	for (int i = 0; i < LOAD_BUFFERS; i++) {
		l->buffer_bytes[i] = extent_bytes(l, extents[i]);
		if (!l->d->max_alloc_bytes || l->buffer_bytes[i] <= l->d->max_alloc_bytes)
			continue;
		err_set(err, ERR_UNSUPPORTED,
			"the kernel needs a buffer of %llu MiB, which this device does not give",
			(unsigned long long)(l->buffer_bytes[i] >> 20));
		return err_hint(err, "use fewer groups or smaller ones");
	}
	for (int i = 0; i < LOAD_BUFFERS; i++) {
		cl_int code = CL_SUCCESS;

		l->buffers[i] = clCreateBuffer(
			l->d->context, CL_MEM_READ_WRITE, l->buffer_bytes[i], NULL, &code);
		if (code != CL_SUCCESS)
			return clerr_set(err, code, "cannot allocate the kernel's memory");
	}
	return true;
}

/* Makes one cycle through all nodes, random (S. Sattolo's shuffle) or in order. The seed is fixed,
 * so that runs compare. */
static bool fill_ring(struct load *l, struct err *err)
{
	const uint32_t node_words = LINE_BYTES / sizeof(uint32_t);
	uint64_t n = l->ring_nodes = l->v.spec.size_bytes / LINE_BYTES, z = 0x2545f4914f6cdd1d;
	bool in_order = strstr(body(l)->defines, "IN_ORDER") != NULL;
	uint32_t *ring = xcalloc(n * node_words, sizeof(*ring));
	uint32_t *next = xcalloc(n, sizeof(*next));

	for (uint32_t i = 0; i < n; i++)
		next[i] = i;
	for (uint64_t i = n - 1; i > 0; i--) {
		uint64_t j = i - 1;
		uint32_t keep = next[i];

		z ^= z << 13;
		z ^= z >> 7;
		z ^= z << 17;
		if (!in_order)
			j = z % i;
		next[i] = next[j];
		next[j] = keep;
	}
	free(l->ring_order);
	l->ring_order = xcalloc(n, sizeof(*l->ring_order));
	for (uint64_t i = 0, at = 0; i < n; i++, at = next[at]) {
		l->ring_order[i] = (uint32_t)at * node_words;
		ring[at * node_words] = next[at] * node_words;
	}
	cl_int code = CL_SUCCESS;
	for (uint64_t at = 0; code == CL_SUCCESS && at < l->buffer_bytes[1]; at += n * LINE_BYTES)
		code = clEnqueueWriteBuffer(l->d->queue, l->buffers[1], CL_TRUE, at, n * LINE_BYTES,
			ring, 0, NULL, NULL);
	free(ring);
	free(next);
	return code == CL_SUCCESS || clerr_set(err, code, "cannot write the kernel's data");
}

static bool fill_numbers(struct load *l, int buffer, double first, struct err *err)
{
	cl_ulong first_bits = model_bits(l->v.spec.type, first);
	cl_ulong seed = seeds[buffer];
	size_t n = l->buffer_bytes[buffer] / element_bytes(l);

	cl_int code = clSetKernelArg(l->fill, 0, sizeof(cl_mem), &l->buffers[buffer]);
	code |= clSetKernelArg(l->fill, 1, sizeof(first_bits), &first_bits);
	code |= clSetKernelArg(l->fill, 2, sizeof(seed), &seed);
	if (code == CL_SUCCESS)
		code = clEnqueueNDRangeKernel(
			l->d->queue, l->fill, 1, NULL, &n, NULL, 0, NULL, NULL);
	return code == CL_SUCCESS || clerr_set(err, code, "cannot fill the kernel's buffers");
}

/* Fills a part of a buffer with one number. */
static bool fill_pattern(struct load *l, int buffer, uint64_t bits, uint64_t from, uint64_t bytes,
	struct err *err)
{
	cl_int code = clEnqueueFillBuffer(l->d->queue, l->buffers[buffer], &bits, element_bytes(l),
		from, bytes, 0, NULL, NULL);

	return code == CL_SUCCESS || clerr_set(err, code, "cannot fill the kernel's buffers");
}

static bool set_arg(struct load *l, cl_uint index, size_t size, const void *value, struct err *err)
{
	cl_int code = clSetKernelArg(l->kernel, index, size, value);

	return code == CL_SUCCESS || clerr_set(err, code, "cannot pass the kernel's arguments");
}

static bool set_constant(struct load *l, cl_uint index, double v, struct err *err)
{
	float narrow = (float)v;

	if (l->v.spec.type == TYPE_DP)
		return set_arg(l, index, sizeof(v), &v, err);
	return set_arg(l, index, sizeof(narrow), &narrow, err);
}

static bool load_set_turns(struct load *l, uint64_t turns, struct err *err)
{
	cl_uint n = (cl_uint)turns;

	l->turns = turns;
	return set_arg(l, 5, sizeof(n), &n, err);
}

bool load_fill(struct load *l, struct variant_data data, struct err *err)
{
	const struct body_buffers *b = &body(l)->buffers;
	enum kernel_type type = l->v.spec.type;
	bool good = true;

	l->data = data;
	l->launches = 0;
	if (body(l)->flags & BODY_IN_PLACE)
		good = fill_numbers(l, 0, data.first, err);
	else
		good = fill_pattern(l, 0, 0, 0, l->buffer_bytes[0], err);
	if (b->in == EXTENT_TWICE) {
		/* The operands of loops come from memory: those of even steps, then those of odd
		 * ones. */
		uint64_t half = l->buffer_bytes[1] / 2;
		uint64_t even = model_bits(type, model_constant(type, data.a));
		uint64_t odd = model_bits(type, model_constant(type, data.b));

		if (l->v.spec.op && !strcmp(l->v.spec.op->name, "mad"))
			odd = even;
		good = good && fill_pattern(l, 1, even, 0, half, err) &&
			fill_pattern(l, 1, odd, half, half, err);
	} else if (b->in == EXTENT_ITEMS || b->in == EXTENT_ARRAY)
		good = good && fill_numbers(l, 1, data.first, err);
	if (b->in2 != EXTENT_NONE)
		good = good && fill_numbers(l, 2, data.first, err);
	for (cl_uint i = 0; good && i < LOAD_BUFFERS; i++)
		good = set_arg(l, i, sizeof(cl_mem), &l->buffers[i], err);
	good = good && set_constant(l, 3, data.a, err) && set_constant(l, 4, data.b, err) &&
		load_set_turns(l, l->turns, err);
	if (good && (body(l)->flags & BODY_LOCAL || l->v.emulated))
		good = set_arg(l, LOCAL_ARGUMENT, l->group_size * vec_bytes(l), NULL, err);
	return good;
}

struct model_launch load_launch(const struct load *l)
{
	struct model_launch m = { .data = l->data,
		.groups = l->groups,
		.group_size = l->group_size,
		.turns = l->turns,
		.seed_out = seeds[0],
		.seed_in = seeds[1],
		.seed_in2 = seeds[2] };

	if (body(l)->flags & BODY_STREAMS)
		m.base = l->launches % l->chunks * l->groups * block_vecs(l);
	else if (body(l)->buffers.in == EXTENT_TWICE && body(l)->flags & BODY_ONCE)
		m.base = l->launches % 2 * l->groups * l->group_size;
	return m;
}

uint64_t load_period(const struct load *l)
{
	bool in_place = body(l)->flags & BODY_IN_PLACE;
	bool comes_back = !in_place || (l->v.spec.steps > 0 && l->v.spec.steps % 2 == 0) ||
		!(body(l)->flags & (BODY_STREAMS | BODY_ONCE));

	return l->chunks * (comes_back ? 1 : 2);
}

bool load_enqueue(struct load *l, cl_event *first, cl_event *last, struct err *err)
{
	size_t local = l->group_size, global = l->groups * l->group_size;
	cl_int code;

	*first = *last = NULL;
	for (uint64_t i = 0; i < l->batch; i++) {
		cl_ulong base = load_launch(l).base;
		cl_event *event = NULL;

		if (i == 0)
			event = first;
		else if (i + 1 == l->batch)
			event = last;
		if (!set_arg(l, 6, sizeof(base), &base, err))
			return false;
		code = clEnqueueNDRangeKernel(
			l->d->queue, l->kernel, 1, NULL, &global, &local, 0, NULL, event);
		if (code != CL_SUCCESS)
			return clerr_set(err, code, "cannot launch the kernel");
		l->launches++;
	}
	if (!*last) {
		clRetainEvent(*first);
		*last = *first;
	}
	code = clFlush(l->d->queue);
	return code == CL_SUCCESS || clerr_set(err, code, "cannot launch the kernel");
}

bool event_times(cl_event event, int64_t *start_ns, int64_t *end_ns, struct err *err)
{
	cl_ulong start = 0, end = 0;
	cl_int code = clGetEventProfilingInfo(
		event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);

	if (code == CL_SUCCESS)
		code = clGetEventProfilingInfo(
			event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
	*start_ns = (int64_t)start;
	*end_ns = (int64_t)end;
	return code == CL_SUCCESS ||
		clerr_set(err, code, "the driver does not say how long a launch took");
}

/* A driver whose time stamps stand still, or are of another unit, would get launches that are
 * longer and longer. A launch may wait for a compiler or for others' work, or be shorter than a tick
 * of a coarse clock; none ends before the one before it, and all ends are as far apart by either
 * clock. */
static bool time_is_wrong(struct load *l, const struct by_clocks *launch,
	const struct by_clocks *end, struct err *err)
{
	struct by_clocks apart = { end->ours_ns - l->judged.ours_ns,
		end->drivers_ns - l->judged.drivers_ns };
	bool is_long = l->judged.ours_ns && apart.ours_ns >= LONG_NS && apart.drivers_ns >= 0;
	bool is_slow = is_long && apart.drivers_ns < apart.ours_ns / 10;
	bool is_wrong = (launch->drivers_ns <= 0 && launch->ours_ns >= STILL_NS) ||
		launch->drivers_ns > 2 * launch->ours_ns + NS_PER_MS;
	const struct by_clocks *told = is_slow ? &apart : launch;

	/* A clock may begin anew. */
	if (!l->judged.ours_ns || is_long || apart.drivers_ns < 0)
		l->judged = *end;
	if (is_long && !is_slow && !is_wrong)
		l->doubts = 0;
	if (!(is_slow || is_wrong) || !l->doubts++)
		return false;
	err_set(err, ERR_UNSUPPORTED,
		"the driver's time stamps are no nanoseconds: %.3g ms of a launch are %.3g by them",
		(double)told->ours_ns / NS_PER_MS, (double)told->drivers_ns / NS_PER_MS);
	err_hint(err, "another driver, or another device by --cl-device");
	return true;
}

bool load_launch_wait(struct load *l, uint64_t n, int64_t *event_ns, struct err *err)
{
	const struct clock machine = { .is_virtual = false };
	int64_t began_ns = clock_mono_ns(&machine);
	uint64_t batch = l->batch;
	cl_event first = NULL, last = NULL;
	int64_t start_ns = 0, end_ns = 0, ignored;
	cl_int code;

	l->batch = n;
	bool good = load_enqueue(l, &first, &last, err);
	l->batch = batch;
	if (good) {
		code = clFinish(l->d->queue);
		good = code == CL_SUCCESS || clerr_set(err, code, "the kernel did not finish");
	}
	good = good && event_times(first, &start_ns, &ignored, err) &&
		event_times(last, &ignored, &end_ns, err);
	*event_ns = end_ns - start_ns;
	if (first)
		clReleaseEvent(first);
	if (last)
		clReleaseEvent(last);
	const struct by_clocks end = { clock_mono_ns(&machine), end_ns };
	const struct by_clocks launch = { end.ours_ns - began_ns, *event_ns };
	return good && !time_is_wrong(l, &launch, &end, err);
}

void load_work(const struct load *l, struct kernel_work *out)
{
	double n = (double)(l->groups * l->group_size * l->batch);

	catalog_work(&l->v.spec, load_repeat(l), out);
	catalog_scale(out, n);
}

/* Returns how many, from 1 to most, make a slice when n took measured_ns. */
static uint64_t scaled(uint64_t n, int64_t measured_ns, uint64_t most)
{
	double want = (double)n * (double)SLICE_NS;

	if (measured_ns > 0)
		want /= (double)measured_ns;
	if (want > (double)most)
		return most;
	return max_u64((uint64_t)want, 1);
}

/* Makes the loop longer until a launch is long enough to be measured, then as long as a slice. */
static bool calibrate_turns(struct load *l, struct err *err)
{
	uint64_t step = 1, turns = l->turns;
	int64_t ns = 0;

	if (body(l)->flags & BODY_IN_PLACE && body(l)->unroll % 2)
		step = 2;

	for (;;) {
		if (!load_set_turns(l, turns, err) || !load_launch_wait(l, 1, &ns, err))
			return false;
		if (ns >= SLICE_MIN_NS / 2 || turns > MAX_TURNS / 8)
			break;
		turns *= ns < SLICE_MIN_NS / 16 ? 8 : 2;
	}
	turns = divide_up(scaled(turns, ns, MAX_TURNS - step), step) * step;
	return load_set_turns(l, turns, err);
}

/* Chooses the number of groups that makes a launch as long as a slice; the arrays keep their
 * size. */
static bool calibrate_groups(struct load *l, struct err *err)
{
	int64_t ns = 0;
	uint64_t groups;

	for (int round = 0; round < 2; round++) {
		l->launches = 0;
		if (!load_launch_wait(l, 1, &ns, err))
			return false;
		groups = scaled(l->groups, ns, l->blocks);
		l->chunks = divide_up(l->blocks, groups);
		l->groups = l->blocks / l->chunks;
	}
	return true;
}

static bool calibrate_batch(struct load *l, const struct job *job, struct err *err)
{
	int64_t ns = 0;
	uint64_t n = 1;

	for (; n < MAX_BATCH; n *= 4) {
		if (!load_launch_wait(l, n, &ns, err))
			return false;
		if (ns >= SLICE_MIN_NS / 4)
			break;
	}
	l->batch = n;
	if (ns < SLICE_MIN_NS)
		l->batch = scaled(n, ns, MAX_BATCH);
	if (job->launches)
		l->batch = min_u64(l->batch, job->launches);
	return true;
}

/* Refuses a loop that nothing could stop for a long time. Two turns take no less than their part of
 * the others, but the first launch may wait for a compiler. */
static bool check_length(struct load *l, struct err *err)
{
	double asked = (double)l->turns, s;
	int64_t ns;

	if (l->turns <= 2)
		return true;
	if (!load_set_turns(l, 2, err) || !load_launch_wait(l, 1, &ns, err))
		return false;
	s = (double)ns / NS_PER_S * asked / 2;
	if (!(s > 0 && s <= LAUNCH_MOST_S)) {
		if (!calibrate_turns(l, err))
			return false;
		s = (double)SLICE_NS / NS_PER_S * asked / (double)l->turns;
	}
	if (s <= LAUNCH_MOST_S)
		return load_set_turns(l, (uint64_t)asked, err);
	err_set(err, ERR_USAGE, "a launch of that size takes %.0f s", s);
	return err_hint(err, "use fewer groups or repetitions: %d s are possible", LAUNCH_MOST_S);
}

bool load_calibrate(struct load *l, const struct job *job, struct err *err)
{
	uint32_t flags = body(l)->flags;
	bool good = true;

	if (flags & BODY_STREAMS && !job->groups)
		good = calibrate_groups(l, err);
	else if (!(flags & (BODY_STREAMS | BODY_ONCE)) && !job->repeat)
		good = calibrate_turns(l, err);
	else if (!(flags & BODY_WAITS) && !job->waits)
		good = calibrate_batch(l, job, err);
	return good && load_fill(l, l->data, err);
}

static bool make_kernel(const struct program *p, const char *name, cl_kernel *out, struct err *err)
{
	cl_int code = CL_SUCCESS;

	*out = clCreateKernel(p->program, name, &code);
	return code == CL_SUCCESS ||
		clerr_set(err, code, "the compiled program does not have its kernel");
}

static bool make_programs(struct load *l, struct err *err)
{
	struct strbuf options = { 0 };
	bool good;

	variant_options(&l->v, &options);
	good = program_build(&l->program, l->d, l->cache, body(l)->file, strbuf_str(&options), err);
	strbuf_clear(&options);
	variant_type_options(l->v.spec.type, &options);
	strbuf_add(&options, " -D WIDTH=1 -D ACCUMULATORS=1");
	good = good &&
		program_build(
			&l->check_program, l->d, l->cache, "check.cl", strbuf_str(&options), err);
	strbuf_release(&options);
	return good && make_kernel(&l->program, body(l)->function, &l->kernel, err) &&
		make_kernel(&l->check_program, "rt_fill", &l->fill, err) &&
		make_kernel(&l->check_program, "rt_digest", &l->digest, err);
}

bool load_open(struct load *l, const struct device_facts *d, const struct cache *c,
	const struct variant *v, const struct job *job, struct err *err)
{
	int64_t ns;

	*l = (struct load){ .d = d, .cache = c, .v = *v };
	if (v->spec.type == TYPE_MATRIX && !v->sub_group)
		l->v.sub_group = d->sub_group;
	if (v->spec.type == TYPE_MATRIX && !d->has[TYPE_MATRIX] && !v->emulated) {
		err_set(err, ERR_UNSUPPORTED, "%s has no matrix engine that OpenCL offers",
			d->name);
		return err_hint(err, "%s is what its driver would have to list",
			catalog_type(TYPE_MATRIX)->extension);
	}
	if (v->spec.type != TYPE_MATRIX && !d->has[v->spec.type]) {
		const char *precision = v->spec.type == TYPE_DP ? "double" : "half";

		err_set(err, ERR_UNSUPPORTED, "%s has no %s precision", d->name, precision);
		return err_hint(err, "take a kernel with .sp");
	}
	if (!make_programs(l, err) || !choose_group_size(l, job, err))
		return false;
	choose_turns(l, job);
	choose_groups(l, job);
	if (!make_buffers(l, err))
		return false;
	if (body(l)->buffers.in == EXTENT_RING && !fill_ring(l, err))
		return false;
	/* Drivers compile a second time at the first launch of a group's size. */
	if (!load_fill(l, variant_load_data(&l->v), err) || !check_length(l, err) ||
		!load_launch_wait(l, 1, &ns, err) || !load_fill(l, l->data, err))
		return false;
	program_keep(&l->program, l->cache);
	return true;
}

void load_close(struct load *l)
{
	cl_kernel kernels[] = { l->kernel, l->fill, l->digest };

	for (size_t i = 0; i < ARRAY_LEN(kernels); i++) {
		if (kernels[i])
			clReleaseKernel(kernels[i]);
	}
	for (int i = 0; i < LOAD_BUFFERS; i++) {
		if (l->buffers[i])
			clReleaseMemObject(l->buffers[i]);
	}
	if (l->digests)
		clReleaseMemObject(l->digests);
	program_release(&l->program);
	program_release(&l->check_program);
	free(l->ring_order);
	*l = (struct load){ 0 };
}
