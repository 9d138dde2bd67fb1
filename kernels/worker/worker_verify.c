/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results are checked two ways: sampled elements against the model, and everything against what an
 * equal slice left. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"

#define SAMPLES 32
/* A probe has few turns, so that the host keeps up and nothing that went wrong has time to fade. */
#define PROBE_TURNS 6
#define PART_BYTES (32ULL << 20)
#define MAX_DIGESTS 16384

void verifier_release(struct verifier *c)
{
	free(c->reference);
	free(c->known);
	*c = (struct verifier){ 0 };
}

static bool read_output(
	const struct load *l, uint64_t at, uint64_t size, void *out, struct err *err)
{
	cl_int code = clEnqueueReadBuffer(
		l->d->queue, l->buffers[0], CL_TRUE, at, size, out, 0, NULL, NULL);

	return code == CL_SUCCESS || clerr_set(err, code, "cannot read the kernel's results");
}

static void count(struct verifier *c, uint64_t wrong)
{
	if (wrong)
		c->mismatches += wrong;
	else
		c->verified++;
}

/* Looks at the first element, the last, and some between, and counts those that are not what the
 * model says, for both ways of rounding. */
static bool compare_samples(
	struct load *l, const struct model_launch *m, uint64_t wrong[2], struct err *err)
{
	uint64_t elements = model_elements(&l->v, m),
		 bytes = (uint64_t)catalog_type(l->v.spec.type)->bytes;

	wrong[0] = wrong[1] = 0;
	for (int n = 0; n < SAMPLES; n++) {
		uint64_t z = (uint64_t)n * UINT64_C(0x9e3779b97f4a7c15), got = 0;
		uint64_t i = (z ^ z >> 29) % elements;

		if (n == 1)
			i = elements - 1;
		if (!read_output(l, i * bytes, bytes, &got, err))
			return false;
		for (int fused = 0; fused < 2; fused++)
			wrong[fused] += got != model_element(&l->v, m, fused, i);
	}
	return true;
}

static bool probe_elements(struct verifier *c, struct load *l, struct err *err)
{
	uint64_t turns = l->turns, wrong[2];
	bool streams = l->v.spec.body->flags & (BODY_STREAMS | BODY_ONCE);
	struct variant_data load_data = l->data;
	int64_t ns;

	if (!streams)
		l->turns = min_u64(turns, PROBE_TURNS);
	if (!load_fill(l, variant_probe_data(&l->v), err))
		return false;
	struct model_launch m = load_launch(l);
	if (!load_launch_wait(l, 1, &ns, err) || !compare_samples(l, &m, wrong, err))
		return false;
	if (!c->fused_known && (wrong[0] == 0) != (wrong[1] == 0)) {
		c->fused_known = true;
		c->fused = wrong[1] == 0;
	}
	if (c->fused_known)
		count(c, wrong[c->fused]);
	else
		count(c, min_u64(wrong[0], wrong[1]));
	l->turns = turns;
	return load_fill(l, load_data, err);
}

static bool check_ring(struct verifier *c, struct load *l, struct err *err)
{
	uint32_t end = 0;

	if (!l->launches)
		return true;
	if (!read_output(l, 0, sizeof(end), &end, err))
		return false;
	count(c, end != l->ring_order[l->turns % l->ring_nodes]);
	return true;
}

static bool check_count(struct verifier *c, struct load *l, struct err *err)
{
	uint64_t words = l->buffer_bytes[0] / sizeof(uint32_t);
	uint32_t *counters = xcalloc(words, sizeof(*counters));
	uint32_t sum = 0, want = (uint32_t)(l->launches * l->groups * l->group_size * l->turns);
	bool good = read_output(l, 0, words * sizeof(*counters), counters, err);

	for (uint64_t i = 0; i < words; i++)
		sum += counters[i];
	free(counters);
	if (good)
		count(c, sum != want);
	return good;
}

bool verify_probe(struct verifier *c, struct load *l, struct err *err)
{
	int64_t ns;

	switch (l->v.spec.body->check) {
	case CHECK_ELEMENT:
		return probe_elements(c, l, err);
	case CHECK_RING:
		return load_launch_wait(l, 1, &ns, err) && check_ring(c, l, err);
	case CHECK_COUNT:
		return load_launch_wait(l, 1, &ns, err) && check_count(c, l, err);
	default:
		return true;
	}
}

static bool make_digests(
	struct load *l, uint64_t first, uint64_t end, uint32_t *out, uint64_t n, struct err *err)
{
	cl_ulong range[2] = { first, end };
	size_t global = n;
	cl_int code = CL_SUCCESS;

	if (!l->digests)
		l->digests = clCreateBuffer(
			l->d->context, CL_MEM_READ_WRITE, MAX_DIGESTS * sizeof(*out), NULL, &code);
	if (code == CL_SUCCESS)
		code = clSetKernelArg(l->digest, 0, sizeof(cl_mem), &l->buffers[0]);
	if (code == CL_SUCCESS)
		code = clSetKernelArg(l->digest, 1, sizeof(cl_mem), &l->digests);
	for (cl_uint i = 0; i < 2 && code == CL_SUCCESS; i++)
		code = clSetKernelArg(l->digest, 2 + i, sizeof(range[i]), &range[i]);
	if (code == CL_SUCCESS)
		code = clEnqueueNDRangeKernel(
			l->d->queue, l->digest, 1, NULL, &global, NULL, 0, NULL, NULL);
	if (code == CL_SUCCESS)
		code = clEnqueueReadBuffer(
			l->d->queue, l->digests, CL_TRUE, 0, n * sizeof(*out), out, 0, NULL, NULL);
	return code == CL_SUCCESS || clerr_set(err, code, "cannot compare the kernel's results");
}

/* Checks one part in a call, so that it never takes longer than a slice or two. */
static bool check_part(struct verifier *c, struct load *l, struct err *err)
{
	uint64_t words = l->buffer_bytes[0] / sizeof(uint32_t),
		 part_words = PART_BYTES / sizeof(uint32_t);
	uint64_t first, end, n, wrong = 0;
	uint32_t *reference;

	if (!c->reference) {
		c->parts = (words + part_words - 1) / part_words;
		c->reference = xcalloc(c->parts * MAX_DIGESTS, sizeof(*c->reference));
		c->known = xcalloc(c->parts, sizeof(*c->known));
	}
	first = c->part * part_words;
	end = min_u64(first + part_words, words);
	n = min_u64(end - first, MAX_DIGESTS);
	reference = c->reference + c->part * MAX_DIGESTS;
	uint32_t *digests = xcalloc(n, sizeof(*digests));
	if (!make_digests(l, first, end, digests, n, err)) {
		free(digests);
		return false;
	}
	if (!c->known[c->part])
		memcpy(reference, digests, n * sizeof(*digests));
	for (uint64_t i = 0; i < n; i++)
		wrong += digests[i] != reference[i];
	if (c->known[c->part])
		count(c, wrong);
	c->known[c->part] = true;
	c->part = (c->part + 1) % c->parts;
	free(digests);
	return true;
}

bool verify_equal(struct verifier *c, struct load *l, struct err *err)
{
	switch (l->v.spec.body->check) {
	case CHECK_ELEMENT:
		return l->launches == 0 || l->launches % load_period(l) != 0 ||
			check_part(c, l, err);
	case CHECK_RING:
		return check_ring(c, l, err);
	case CHECK_COUNT:
		return check_count(c, l, err);
	default:
		return true;
	}
}
