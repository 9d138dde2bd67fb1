/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes in the memory of a maker of spans, which changes while it is read: records of a place and
 * what is written there, with a look at it behind each. */
#include "config.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/spans/span_table.h"
#include "kernels/layer/span_proto.h"
#include "kernels/spans/span_hub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_queue(void *ctx, const struct span_place *p)
{
	span_table_queue(ctx, p);
}

static void on_span(void *ctx, const struct span *s)
{
	span_table_add(ctx, s);
}

static void on_lost(void *ctx, uint64_t n)
{
	span_table_lose(ctx, n);
}

/* The shares of all rows are the time in which something ran, whatever the program says. */
static void check(struct span_table *t, int64_t until_ns)
{
	int64_t own_ns = 0;

	span_table_settle(t, until_ns);
	for (int i = 0; i < t->n_rows; i++)
		own_ns += t->rows[i].own_ns;
	if (own_ns != t->busy_ns || t->busy_ns + t->idle_ns != t->settled_ns - t->begin_ns)
		abort();
}

/* A record is a place in the head, the first names, queues or slots, a length, and bytes. */
static void *place(struct span_memory *m, unsigned kind, unsigned at)
{
	switch (kind % 5) {
	case 0: return (char *)&m->head + at % sizeof(m->head);
	case 1: return (char *)m->names + at % (8 * sizeof(m->names[0]));
	case 2: return (char *)m->queues + at % (4 * sizeof(m->queues[0]));
	case 3: return (char *)m->ring + at % (16 * sizeof(m->ring[0]));
	default: return m->text + at % 4096;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span_table t = { 0 };
	const struct span_sink sink = { .queue = on_queue, .span = on_span, .lost = on_lost, .nonsense = on_lost, .ctx = &t };
	struct span_hub *hub = span_hub_open(&sink, false, NULL);
	int fd = memfd_create("spans", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int64_t now_ns = 1;

	if (!hub || fd < 0 || ftruncate(fd, sizeof(struct span_memory)) < 0 ||
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) < 0)
		abort();
	struct span_memory *m =
		mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memcpy(m->head.magic, SPAN_MAGIC, 8);
	m->head.version = SPAN_VERSION;
	m->head.bytes = sizeof(*m);
	span_table_clear(&t, 0, "");
	span_hub_take(hub, fd, 1, NULL);
	while (size >= 4) {
		size_t len = data[3] % 16;
		uint8_t *to = place(m, data[0], data[1] | (unsigned)data[2] << 8);

		data += 4;
		size -= 4;
		if (len > size)
			len = size;
		memcpy(to, data, len);
		data += len;
		size -= len;
		int64_t until_ns = span_hub_read(hub, now_ns);
		check(&t, until_ns);
		now_ns += 1000000;
	}
	check(&t, now_ns + 1000000000);
	span_hub_close(hub);
	span_table_release(&t);
	munmap(m, sizeof(*m));
	close(fd);
	return 0;
}
