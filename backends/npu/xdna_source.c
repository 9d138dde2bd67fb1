/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks amdxdna for its clocks, sensors and contexts. An answer keeps the NPU awake for the five
 * seconds after which the driver lets it sleep, so that an NPU without work is asked every ten
 * seconds only, and one that sleeps is not asked at all. */
#include "config.h"

#include "backends/npu/npu_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/card/drm_node.h"
#include "backends/npu/xdna_uapi.h"
#include "backends/common/stand_ins.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "base/mem.h"

enum { CONTROLLER_CLOCK, ARRAY_CLOCK, POWER, COLUMNS, COLUMNS_ALL, COLUMN_SHARE, COMMANDS, COUNTERS };

static const struct counter_desc counters[COUNTERS] = {
	[CONTROLLER_CLOCK] = { "xdna_controller_mhz", "MHz", 32, COUNTER_GAUGE },
	[ARRAY_CLOCK] = { "npu_mhz", "MHz", 32, COUNTER_GAUGE },
	[POWER] = { "npu_power_mw", "mW", 32, COUNTER_GAUGE },
	[COLUMNS] = { "xdna_columns", "number", 16, COUNTER_GAUGE },
	[COLUMNS_ALL] = { "xdna_columns_all", "number", 16, COUNTER_GAUGE },
	/* thousandths of a percent */
	[COLUMN_SHARE] = { "xdna_column_busy", "number", 32, COUNTER_GAUGE },
	[COMMANDS] = { "xdna_commands", "number", 64, COUNTER_CUMULATIVE },
};

#define CONTEXTS_MAX 64
#define SENSORS_MAX 32
#define PACE_BUSY_NS (1 * NS_PER_S)
#define PACE_IDLE_NS (10 * NS_PER_S)

struct contexts {
	struct xdna_context rows[CONTEXTS_MAX];
	int n;
};

struct xdna_source {
	struct source source;
	const struct fsroot *fs;
	int node;
	char id[32];
	struct counter_desc counters[COUNTERS];
	uint64_t values[COUNTERS];
	enum why whys[COUNTERS];
	struct contexts contexts;	/* of the last answer */
	bool knows_contexts, worked;
	int64_t read_ns, begun_ns;	/* of the last answer, and of the one before */
	bool gone, asleep;
	uint32_t refused;	/* queries, a bit each */
};

/* Whether the query is answered. One that the driver does not know is not asked again: it resumes
 * the part for the question, and writes a line into the kernel's log for each (Linux
 * drivers/accel/amdxdna, aie2_pci.c and aie4_pci.c). */
static bool query(struct xdna_source *s, struct xdna_get_info *q)
{
	if (s->refused & 1u << q->query)
		return false;
	if (node_ioctl(s->node, XDNA_GET_INFO, q) == 0)
		return true;
	if (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOTTY)
		s->refused |= 1u << q->query;
	return false;
}

/* Returns the bytes of the answer, 0 when there is none. */
static size_t ask(struct xdna_source *s, enum xdna_query number, void *buffer, size_t size)
{
	struct xdna_get_info q = { .query = number, .size = (uint32_t)size,
		.buffer = (uintptr_t)buffer };

	memset(buffer, 0, size);
	if (!query(s, &q))
		return 0;
	if (q.size < size)
		size = q.size;
	node_answered(s->node, XDNA_GET_INFO, buffer, size);
	return size;
}

static void put(struct xdna_source *s, int counter, bool good, double value)
{
	bool fits = good && isfinite(value) && value >= 0 && value < 0x1p31;

	s->whys[counter] = fits ? WHY_OK : WHY_STALE;
	s->values[counter] = fits ? (uint64_t)(value + 0.5) : 0;
}

static void read_clocks(struct xdna_source *s)
{
	struct xdna_clocks c;
	bool good = ask(s, XDNA_QUERY_CLOCKS, &c, sizeof(c)) == sizeof(c);

	put(s, CONTROLLER_CLOCK, good, c.controller.mhz);
	put(s, ARRAY_CLOCK, good, c.array.mhz);
}

/* The driver calls its power mW and gives -3 as the exponent beside it: the exponent is that of
 * watts, and the unit says it once more (Linux drivers/accel/amdxdna/aie2_pci.c). */
static double milliwatts(const struct xdna_sensor *row)
{
	if (!strncmp((const char *)row->units, "mW", sizeof(row->units)))
		return row->input;
	return row->input * pow(10, row->exponent) * 1000;
}

static void read_sensors(struct xdna_source *s)
{
	struct xdna_sensor rows[SENSORS_MAX];
	size_t n = ask(s, XDNA_QUERY_SENSORS, rows, sizeof(rows)) / sizeof(rows[0]);
	double power_mw = 0, share = 0;
	int powers = 0, columns = 0;

	for (size_t i = 0; i < n; i++) {
		if (rows[i].type == XDNA_SENSOR_POWER) {
			power_mw += milliwatts(&rows[i]);
			powers++;
		} else if (rows[i].type == XDNA_SENSOR_COLUMN) {
			share += rows[i].input * pow(10, rows[i].exponent);
			columns++;
		}
	}
	put(s, POWER, powers > 0, power_mw);
	put(s, COLUMN_SHARE, columns > 0, columns ? share * 1000 / columns : 0);
}

static bool is_same(const struct xdna_context *a, const struct xdna_context *b)
{
	return a->id == b->id && a->pid == b->pid;
}

/* The row of the one before that n others like it precede. */
static const struct xdna_context *find_context(
	const struct contexts *c, const struct xdna_context *like, int n)
{
	for (int i = 0; i < c->n; i++) {
		if (!is_same(&c->rows[i], like))
			continue;
		if (n == 0)
			return &c->rows[i];
		n--;
	}
	return NULL;
}

static int count_like(const struct xdna_context *rows, int n, const struct xdna_context *like)
{
	int like_it = 0;

	for (int i = 0; i < n; i++)
		like_it += is_same(&rows[i], like);
	return like_it;
}

/* Commands that ended since the last answer, also in contexts that were not there then. Each open
 * file has ids of its own, so that a process with several has contexts that look alike. The driver
 * tells them in the order in which the files were opened; where there are more or fewer of them
 * now, which is which is not known, and they add nothing. */
static uint64_t commands_since(const struct contexts *now, const struct contexts *before)
{
	uint64_t sum = 0;

	for (int i = 0; i < now->n; i++) {
		const struct xdna_context *row = &now->rows[i];
		int alike_before = count_like(before->rows, before->n, row);
		const struct xdna_context *was = find_context(before, row, count_like(now->rows, i, row));
		uint64_t from = was ? was->completions : 0;

		if (alike_before && alike_before != count_like(now->rows, now->n, row))
			continue;
		if (row->completions >= from)
			sum += row->completions - from;
	}
	return sum;
}

static bool has_work(const struct contexts *c)
{
	for (int i = 0; i < c->n; i++)
		if (c->rows[i].submissions > c->rows[i].completions)
			return true;
	return false;
}

/* Contexts may share columns, which count once. */
static int columns_taken(const struct contexts *c)
{
	uint64_t taken = 0;

	for (int i = 0; i < c->n; i++)
		for (uint32_t k = 0; k < c->rows[i].columns && k < 64; k++)
			if (c->rows[i].first_column < 64 - k)
				taken |= UINT64_C(1) << (c->rows[i].first_column + k);
	return __builtin_popcountll(taken);
}

static void read_contexts(struct xdna_source *s)
{
	struct contexts now = { .n = 0 };
	struct xdna_get_info q = { .query = XDNA_QUERY_CONTEXTS, .size = sizeof(now.rows),
		.buffer = (uintptr_t)now.rows };

	/* The size that comes back is what was written or what was left, by the version of the
	 * driver: rows are told by their ids, which are not 0. */
	bool good = query(s, &q);
	while (good && now.n < CONTEXTS_MAX && now.rows[now.n].id)
		now.n++;
	put(s, COLUMNS, good, columns_taken(&now));
	s->whys[COMMANDS] = good ? WHY_OK : WHY_STALE;
	if (good && !s->knows_contexts)
		s->whys[COMMANDS] = WHY_NOT_YET;
	s->values[COMMANDS] = good ? commands_since(&now, &s->contexts) : 0;
	s->worked = good && (has_work(&now) || s->values[COMMANDS]);
	s->knows_contexts = good;
	s->contexts = now;
}

static void read_all(struct xdna_source *s)
{
	read_clocks(s);
	read_sensors(s);
	read_contexts(s);
}

static bool xdna_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct xdna_source *s = (struct xdna_source *)src;

	s->gone = npu_is_gone(s->fs, s->id, err);
	if (s->gone)
		return false;
	s->asleep = npu_is_asleep(s->fs, s->id);
	if (s->asleep || now_ns - s->read_ns < (s->worked ? PACE_BUSY_NS : PACE_IDLE_NS))
		return true;
	read_all(s);
	s->begun_ns = s->read_ns;
	s->read_ns = now_ns;
	return true;
}

/* Windows that end between two answers have the last one again. */
static void xdna_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct xdna_source *s = (struct xdna_source *)src;
	int64_t begun_ns = s->begun_ns;

	source_window(out, &begun_ns, s->read_ns);
	if (s->read_ns != now_ns)
		out->quality |= SAMPLE_HELD;
	out->why = WHY_OK;
	if (s->gone)
		out->why = WHY_GONE;
	else if (s->asleep)
		out->why = WHY_ASLEEP;
	memcpy(out->values, s->values, sizeof(s->values));
	out->whys = s->whys;
}

static void xdna_close(struct source *src)
{
	struct xdna_source *s = (struct xdna_source *)src;

	driver_close(s->node);
}

static const struct source_ops xdna_ops = {
	.size = sizeof(struct xdna_source),
	.ready = xdna_ready, .collect = xdna_collect, .close = xdna_close,
};

/* What is needed to open the source, also again. */
struct opening {
	const struct fsroot *fs;
	char id[32];
};

/* What the driver did not tell keeps no name. Some parts have nothing else (Linux
 * drivers/accel/amdxdna/aie4_pci.c). */
static bool offer(struct xdna_source *s)
{
	bool any = false;

	for (int i = 0; i < COUNTERS; i++) {
		if (s->whys[i] == WHY_STALE)
			s->counters[i].name[0] = '\0';	/* nobody is offered a nameless counter */
		else if (i != COLUMNS_ALL)
			any = true;
	}
	return any;
}

static struct source *open_source(void *ctx, int64_t now_ns, struct err *err)
{
	const struct opening *o = ctx;
	struct xdna_metadata m;
	char path[64];

	if (npu_is_gone(o->fs, o->id, err))
		return NULL;
	if (npu_is_asleep(o->fs, o->id)) {
		err_set(err, ERR_ASLEEP, "%s sleeps and is left asleep", o->id);
		err_hint(err, "%s", "it is asked when a program has woken it");
		return NULL;
	}
	struct xdna_source *s = source_new(&xdna_ops);
	s->source.feed = (struct feed){ .name = "npu", .how = "amdxdna GET_INFO",
		.counters = s->counters, .n_counters = COUNTERS };
	s->fs = o->fs;
	snprintf(s->id, sizeof(s->id), "%.31s", o->id);
	memcpy(s->counters, counters, sizeof(counters));
	snprintf(path, sizeof(path), "/dev/accel/%.31s", o->id);
	s->node = node_open(o->fs, o->id, path, O_RDWR, err);
	if (s->node < 0 || ask(s, XDNA_QUERY_METADATA, &m, sizeof(m)) != sizeof(m)) {
		if (s->node >= 0)
			err_set(err, ERR_UNSUPPORTED, "%s: its driver does not answer", o->id);
		source_close(&s->source);
		return NULL;
	}
	put(s, COLUMNS_ALL, true, m.columns);
	read_all(s);
	if (!offer(s)) {
		err_set(err, ERR_UNSUPPORTED, "%s: its driver tells nothing but its columns", o->id);
		source_close(&s->source);
		return NULL;
	}
	s->read_ns = s->begun_ns = now_ns;
	return &s->source;
}

struct source *xdna_open(struct device *d, const struct open_options *o, struct err *err)
{
	static const struct source_opener opener = { .open = open_source, .release = free };
	const struct feed missing = { .name = "npu", .how = "amdxdna GET_INFO", .counters = counters,
		.n_counters = COUNTERS };
	struct opening *ctx = xcalloc(1, sizeof(*ctx));

	ctx->fs = o->fs;
	snprintf(ctx->id, sizeof(ctx->id), "%.31s", d->id);
	struct source *inner = open_source(ctx, o->now_ns, err);
	if (inner || err->code == ERR_ASLEEP)
		return reopening_source_open(&opener, ctx, inner, &missing, err);
	free(ctx);
	return NULL;
}
