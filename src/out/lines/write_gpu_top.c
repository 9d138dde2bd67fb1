/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what "intel_gpu_top -J" of igt-gpu-tools writes, for programs that read it: an array with
 * an object for each window. Members for which the device has no source are left out, as there. */
#include "config.h"

#include "out/lines/writer.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/numeric.h"

/* Engine classes: as fdinfo names them, as the driver's PMU does here, as intel_gpu_top does. */
static const struct engine_class {
	const char *fdinfo[2], *cell, *name;
} classes[] = {
	{ { "render", "rcs" }, "render", "Render/3D" },
	{ { "copy", "bcs" }, "copy", "Blitter" },
	{ { "video", "vcs" }, "video", "Video" },
	{ { "video-enhance", "vecs" }, "enhance", "VideoEnhance" },
	{ { "compute", "ccs" }, "compute", "Compute" },
};

/* Where the next member goes. */
struct place {
	struct strbuf *out;
	int depth;
	bool any; /* the object has a member already */
};

static void begin_member(struct place *p, const char *key)
{
	strbuf_add(p->out, p->any ? ",\n" : "\n");
	for (int i = 0; i < p->depth; i++)
		strbuf_addc(p->out, '\t');
	if (key)
		strbuf_addf(p->out, "\"%s\": ", key);
	p->any = true;
}

static void open_object(struct place *p, const char *key)
{
	begin_member(p, key);
	strbuf_addc(p->out, '{');
	p->depth++;
	p->any = false;
}

static void close_object(struct place *p)
{
	strbuf_addc(p->out, '\n');
	p->depth--;
	for (int i = 0; i < p->depth; i++)
		strbuf_addc(p->out, '\t');
	strbuf_addc(p->out, '}');
	p->any = true;
}

static void add_number(struct place *p, const char *key, double v)
{
	char buf[64];

	begin_member(p, key);
	numeric_print(buf, sizeof(buf), "%f", v);
	strbuf_add(p->out, buf);
}

static void add_text(struct place *p, const char *key, const char *text)
{
	begin_member(p, key);
	strbuf_addc(p->out, '"');
	for (; *text; text++)
		if ((unsigned char)*text >= ' ' && *text != '"' && *text != '\\')
			strbuf_addc(p->out, *text);
	strbuf_addc(p->out, '"');
}

/* Returns the value of the metric, NAN where the set has none or it has no number. */
static double value_of(const struct writer_run *run, const struct snapshot *s, const char *name)
{
	int i = metric_set_index(run->set, name);

	return i < 0 ? NAN : writer_number(s->values[i]);
}

struct member {
	const char *key, *metric;
	double factor;
};

/* Adds an object of those members that have a number; none without any. */
static void add_group(struct place *p, const struct writer_run *run, const struct snapshot *s,
	const char *key, const struct member *members, const char *unit)
{
	bool any = false;

	for (const struct member *m = members; m->key; m++)
		any |= !isnan(value_of(run, s, m->metric));
	if (!any)
		return;
	open_object(p, key);
	for (const struct member *m = members; m->key; m++) {
		double v = value_of(run, s, m->metric);

		if (!isnan(v))
			add_number(p, m->key, v * m->factor);
	}
	add_text(p, "unit", unit);
	close_object(p);
}

static const struct cell_map *engines_of(const struct snapshot *s)
{
	for (int k = 0; k < s->n_maps; k++)
		if (!strcmp(s->maps[k].scope, "engine"))
			return &s->maps[k];
	return NULL;
}

/* "Render/3D/0" of "render 0". */
static void engine_name(const char *cell, char *buf, size_t size)
{
	size_t len = strcspn(cell, " ");

	snprintf(buf, size, "%s", cell);
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (strlen(classes[i].cell) == len && !strncmp(classes[i].cell, cell, len))
			snprintf(buf, size, "%s/%s", classes[i].name,
				cell[len] ? cell + len + 1 : "0");
}

#define CLASS_RANKS 1000

/* Classes in their order, and the engines of each by number. */
static int engine_rank(const char *cell)
{
	size_t len = strcspn(cell, " ");
	int number = atoi(cell + len);

	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (strlen(classes[i].cell) == len && !strncmp(classes[i].cell, cell, len))
			return (int)i * CLASS_RANKS + number;
	return (int)ARRAY_LEN(classes) * CLASS_RANKS + number;
}

/* Programs that look for the first "busy" mean the render engine. Returns the cell of the lowest
 * rank that is above *rank, and its rank; -1 when there is none. */
static int next_engine(const struct cell_map *map, int *rank)
{
	int best = -1, best_rank = INT_MAX;

	for (int j = 0; j < map->n; j++) {
		int r = engine_rank(map->names[j]);

		if (r > *rank && r < best_rank) {
			best = j;
			best_rank = r;
		}
	}
	*rank = best_rank;
	return best;
}

static const char *const engine_members[][2] = {
	{ "busy", "engine_busy" },
	{ "sema", "engine_sema" },
	{ "wait", "engine_wait" },
};

/* Adds an object with what the engines with these ranks do on average. */
static void add_engine(struct place *p, const struct writer_run *run, const struct cell_map *map,
	const char *name, int first_rank, int last_rank)
{
	open_object(p, name);
	for (size_t k = 0; k < ARRAY_LEN(engine_members); k++) {
		int i = metric_set_index(run->set, engine_members[k][1]), n = 0;
		double sum = 0;

		for (int j = 0; i >= 0 && j < map->n; j++) {
			int rank = engine_rank(map->names[j]);

			if (rank < first_rank || rank > last_rank)
				continue;
			sum += writer_number(cell_value(map, j, i));
			n++;
		}
		/* xe counts no waiting. */
		if (n && !isnan(sum))
			add_number(p, engine_members[k][0], sum / n);
	}
	add_text(p, "unit", "%");
	close_object(p);
}

static void add_engines(struct place *p, const struct writer_run *run, const struct snapshot *s)
{
	const struct cell_map *map = engines_of(s);
	char name[32], *number;

	if (!map)
		return;
	open_object(p, "engines");
	for (int rank = -1, j = next_engine(map, &rank); j >= 0; j = next_engine(map, &rank)) {
		int last = rank;

		engine_name(map->names[j], name, sizeof(name));
		number = strrchr(name, '/');
		if (run->engine_classes && number) {
			*number = '\0';
			last += CLASS_RANKS - 1 - rank % CLASS_RANKS;
		}
		add_engine(p, run, map, name, rank, last);
		rank = last;
	}
	close_object(p);
}

static const char *class_name(const char *engine)
{
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (!strcmp(classes[i].fdinfo[0], engine) || !strcmp(classes[i].fdinfo[1], engine))
			return classes[i].name;
	return engine;
}

/* Percent of one engine, so that several of a class may be above 100. Without a second look at the
 * client there is nothing to say. */
static void add_classes(struct place *p, const struct client_table *t, const struct client_row *r)
{
	char buf[64];
	bool any = false;

	for (int e = 0; e < t->n_engines; e++)
		any |= !isnan(r->busy_pct[e]);
	if (!any)
		return;
	open_object(p, "engine-classes");
	for (int e = 0; e < t->n_engines; e++) {
		double engines = t->capacity[e] > 1 ? (double)t->capacity[e] : 1;

		if (isnan(r->busy_pct[e]))
			continue;
		open_object(p, class_name(t->engines[e]));
		numeric_print(buf, sizeof(buf), "%f", (double)r->busy_pct[e] * engines);
		add_text(p, "busy", buf);
		add_text(p, "unit", "%");
		close_object(p);
	}
	close_object(p);
}

static void add_bytes(struct place *p, const char *key, uint64_t bytes)
{
	char buf[24];

	if (bytes == UINT64_MAX)
		return;
	snprintf(buf, sizeof(buf), "%" PRIu64, bytes);
	add_text(p, key, buf);
}

/* The igt-gpu-tools of Debian 13 have this member, those of Debian 12 have it not. */
static void add_memory(struct place *p, const struct client_row *r)
{
	static const char *const regions[CLIENT_REGIONS] = {
		[CLIENT_SYSTEM] = "system", [CLIENT_LOCAL] = "local"
	};
	bool any = false;

	for (int i = 0; i < CLIENT_REGIONS; i++)
		any |= r->has_memory[i];
	if (!any)
		return;
	open_object(p, "memory");
	for (int i = 0; i < CLIENT_REGIONS; i++) {
		if (!r->has_memory[i])
			continue;
		open_object(p, regions[i]);
		add_bytes(p, "total", r->memory[i].total_bytes);
		add_bytes(p, "shared", r->memory[i].shared_bytes);
		add_bytes(p, "resident", r->memory[i].resident_bytes);
		add_bytes(p, "purgeable", r->memory[i].purgeable_bytes);
		add_bytes(p, "active", r->memory[i].active_bytes);
		close_object(p);
	}
	close_object(p);
}

/* An object for each process, whose key is minus its number as 32 bits. */
static void add_clients(struct place *p, const struct client_table *t)
{
	static const struct client_choice by_process = { .by_process = true };
	struct client_list list = { 0 };
	char buf[64];

	open_object(p, "clients");
	if (t->why == WHY_OK)
		client_select(t, &by_process, &list);
	for (size_t i = 0; i < list.n_rows; i++) {
		const struct client_row *r = &list.rows[i];

		snprintf(buf, sizeof(buf), "%" PRIu32, (uint32_t)-r->pid);
		open_object(p, buf);
		add_text(p, "name", r->name);
		snprintf(buf, sizeof(buf), "%" PRId64, r->pid);
		add_text(p, "pid", buf);
		add_memory(p, r);
		add_classes(p, t, r);
		close_object(p);
	}
	close_object(p);
	client_list_release(&list);
}

static void begin(struct writer_run *runs, int n, struct strbuf *out)
{
	(void)n;
	runs[0].lines = 0;
	strbuf_addc(out, '[');
}

static void end(struct strbuf *out)
{
	strbuf_add(out, "\n]\n");
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	static const struct member clocks[] = { { "requested", "clock_requested", 1 },
		{ "actual", "clock_actual", 1 }, { NULL, NULL, 0 } };
	static const struct member interrupts[] = { { "count", "interrupts", 1 },
		{ NULL, NULL, 0 } };
	static const struct member rc6[] = { { "value", "rc6", 1 }, { NULL, NULL, 0 } };
	static const struct member power[] = { { "GPU", "power_gpu", 1 },
		{ "Package", "power_package", 1 }, { NULL, NULL, 0 } };
	/* GB/s here, MiB/s there. */
	static const struct member memory[] = { { "reads", "dram_reads", 1e9 / (1 << 20) },
		{ "writes", "dram_writes", 1e9 / (1 << 20) }, { NULL, NULL, 0 } };
	struct place p = { .out = out, .any = run->lines++ > 0 };

	open_object(&p, NULL);
	open_object(&p, "period");
	add_number(&p, "duration", (double)s->window_ns / 1e6);
	add_text(&p, "unit", "ms");
	close_object(&p);
	add_group(&p, run, s, "frequency", clocks, "MHz");
	add_group(&p, run, s, "interrupts", interrupts, "irq/s");
	add_group(&p, run, s, "rc6", rc6, "%");
	add_group(&p, run, s, "power", power, "W");
	add_group(&p, run, s, "imc-bandwidth", memory, "MiB/s");
	add_engines(&p, run, s);
	if (s->clients)
		add_clients(&p, s->clients);
	close_object(&p);
}

const struct writer gpu_top_writer = { .begin = begin, .window = window, .end = end };
