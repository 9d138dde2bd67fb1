/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program comes from the cache when that has it, else from its source. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kernels/catalog/sources.h"

/* Changes when the way programs are kept changes, so that old entries are not found. */
#define KEY_FORMAT "rooftop program 1"

/* Compilers repeat themselves, and the log that this goes into is a short ring. */
#define LOG_BYTES 2000

/* NULL when the cache has none, or when the driver does not take it. */
static cl_program load_cached(
	const struct device_facts *d, const struct cache *c, const char *key, const char *options)
{
	size_t size = 0;
	unsigned char *binary = cache_load(c, key, &size);
	cl_program program = NULL;
	cl_int status = CL_SUCCESS, code = CL_SUCCESS;

	if (!binary)
		return NULL;
	cache_begin(c, key);
	program = clCreateProgramWithBinary(
		d->context, 1, &d->id, &size, (const unsigned char **)&binary, &status, &code);
	if (code == CL_SUCCESS && status == CL_SUCCESS)
		code = clBuildProgram(program, 1, &d->id, options, NULL, NULL);
	cache_end(c, key);
	free(binary);
	if (code == CL_SUCCESS && status == CL_SUCCESS)
		return program;
	if (program)
		clReleaseProgram(program);
	return NULL;
}

static cl_program build(const struct device_facts *d, const char *texts[2], const char *file,
	const char *options, struct err *err)
{
	cl_int code = CL_SUCCESS;
	cl_program program = clCreateProgramWithSource(d->context, 2, texts, NULL, &code);
	char what[96], *log;
	size_t size = 0;

	snprintf(what, sizeof(what), "cannot compile %s for this device", file);
	if (code != CL_SUCCESS) {
		clerr_set(err, code, what);
		return NULL;
	}
	code = clBuildProgram(program, 1, &d->id, options, NULL, NULL);
	if (code == CL_SUCCESS)
		return program;
	fprintf(stderr, "%s %s\n", file, options);
	clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
	log = xcalloc(1, size + 1);
	clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
	if (*log)
		fprintf(stderr, "%.*s\n", LOG_BYTES, log);
	free(log);
	clReleaseProgram(program);
	clerr_set(err, code, what);
	return NULL;
}

bool program_build(struct program *p, const struct device_facts *d, const struct cache *c,
	const char *file, const char *options, struct err *err)
{
	const char *texts[2] = { embedded_text(kernel_sources, "common.cl", ""),
		embedded_text(kernel_sources, file, "") };
	uint64_t h = hash_add_text(HASH_START, KEY_FORMAT);

	*p = (struct program){ 0 };
	h = hash_add_text(h, d->compiler_key);
	h = hash_add_text(h, texts[0]);
	h = hash_add_text(h, texts[1]);
	h = hash_add_text(h, options);
	snprintf(p->key, sizeof(p->key), "%016" PRIx64, h);
	p->program = load_cached(d, c, p->key, options);
	p->cached = p->program != NULL;
	if (!p->program)
		p->program = build(d, texts, file, options, err);
	return p->program != NULL;
}

void program_keep(const struct program *p, const struct cache *c)
{
	size_t size = 0;
	struct err err = { 0 };

	if (p->cached ||
		clGetProgramInfo(p->program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL) !=
			CL_SUCCESS ||
		!size)
		return;
	unsigned char *binary = xmalloc(size);
	if (clGetProgramInfo(p->program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL) ==
			CL_SUCCESS &&
		!cache_save(c, p->key, binary, size, &err))
		fprintf(stderr, "%s\n", err.msg);
	free(binary);
}

void program_release(struct program *p)
{
	if (p->program)
		clReleaseProgram(p->program);
	*p = (struct program){ 0 };
}
