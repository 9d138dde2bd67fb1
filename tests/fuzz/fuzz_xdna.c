/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as what amdxdna answers, call by call: errors, sizes, sensors, contexts. What is handed over as
 * a number is one. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/npu/npu_sources.h"
#include "backends/npu/xdna_uapi.h"
#include "base/clock.h"
#include "base/mem.h"

#define TURNS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...);

static struct {
	const uint8_t *data;
	size_t size;
} answers;

static struct fsroot root;

static void fill(void *out, size_t len)
{
	size_t n = len < answers.size ? len : answers.size;

	if (n)
		memcpy(out, answers.data, n);
	answers.data += n;
	answers.size -= n;
}

/* Each call takes five bytes first: an error, and the size that is told; then as much of the answer as there
 * is. What lies beyond the end is left as it was, as a kernel does that writes less. */
int ioctl(int fd, unsigned long request, ...)
{
	uint8_t head[5] = { 0 };
	uint32_t told;
	va_list ap;

	(void)fd;
	va_start(ap, request);
	struct xdna_get_info *q = va_arg(ap, void *);
	va_end(ap);
	fill(head, sizeof(head));
	errno = head[0];
	if (request != XDNA_GET_INFO || head[0])
		return -1;
	fill((void *)(uintptr_t)q->buffer, q->size);
	memcpy(&told, head + 1, sizeof(told));
	if (told)
		q->size = told;
	return 0;
}

static void make_file(const char *path)
{
	char full[PATH_MAX];

	if (!fsroot_path(&root, full, sizeof(full), "%s", path))
		abort();
	for (char *c = full + strlen(root.prefix) + 1; (c = strchr(c, '/')) != NULL; c++) {
		*c = '\0';
		if (mkdir(full, 0755) < 0 && errno != EEXIST)
			abort();
		*c = '/';
	}
	int fd = open(full, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	if (fd < 0)
		abort();
	close(fd);
}

static void remove_files(void)
{
	static const char *const paths[] = { "/dev/accel/accel0", "/dev/accel", "/dev",
		"/sys/class/accel/accel0/device/driver", "/sys/class/accel/accel0/device",
		"/sys/class/accel/accel0", "/sys/class/accel", "/sys/class", "/sys", "" };
	char full[PATH_MAX];

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (fsroot_path(&root, full, sizeof(full), "%s", paths[i]))
			remove(full);
}

static void make_tree(void)
{
	snprintf(root.prefix, sizeof(root.prefix), "/tmp/fuzz_xdna.XXXXXX");
	if (!mkdtemp(root.prefix))
		abort();
	make_file("/dev/accel/accel0");
	make_file("/sys/class/accel/accel0/device/driver");
	atexit(remove_files);
}

/* A number fits into the bits that its counter has. */
static void check_sample(const struct feed *f, const struct sample *s)
{
	if (s->t1_ns < s->t0_ns)
		abort();
	for (int i = 0; i < f->n_counters; i++) {
		enum why why = sample_why(s, i);

		if (why != WHY_OK && why != WHY_STALE && why != WHY_NOT_YET)
			abort();
		if (why == WHY_OK && f->counters[i].bits < 64 && s->values[i] >> f->counters[i].bits)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct device d = { .id = "accel0" };
	struct open_options o = { .fs = &root, .now_ns = NS_PER_S };
	struct err err = { 0 };

	if (!root.prefix[0])
		make_tree();
	answers.data = data;
	answers.size = size;
	struct source *s = xdna_open(&d, &o, &err);
	if (!s) {
		if (!err.code || !err.msg[0])
			abort();
		return 0;
	}
	struct sample *sample = xcalloc(1, sizeof(*sample));
	int64_t now_ns = o.now_ns;
	for (int i = 0; i < TURNS; i++) {
		now_ns += 5 * NS_PER_S;
		if (!s->ops->ready(s, now_ns, &err))
			abort();
		memset(sample, 0, sizeof(*sample));
		s->ops->collect(s, now_ns, sample);
		check_sample(&s->feed, sample);
	}
	free(sample);
	source_close(s);
	return 0;
}
