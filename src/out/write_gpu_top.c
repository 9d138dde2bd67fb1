/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what "intel_gpu_top -J" of igt-gpu-tools writes, for programs that read it: an array with
 * an object for each window. Members for which the device has no source are left out, as there. */
#include "config.h"

#include "out/writer.h"

#include <stdio.h>
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
	bool any;	/* the object has a member already */
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
			snprintf(buf, size, "%s/%s", classes[i].name, cell[len] ? cell + len + 1 : "0");
}

static void add_engines(struct place *p, const struct writer_run *run, const struct snapshot *s)
{
	static const char *const members[][2] = {
		{ "busy", "engine_busy" }, { "sema", "engine_sema" }, { "wait", "engine_wait" }
	};
	const struct cell_map *map = engines_of(s);
	char name[32];

	if (!map)
		return;
	open_object(p, "engines");
	for (int j = 0; j < map->n; j++) {
		engine_name(map->names[j], name, sizeof(name));
		open_object(p, name);
		for (size_t k = 0; k < ARRAY_LEN(members); k++) {
			int i = metric_set_index(run->set, members[k][1]);
			double v = i < 0 ? NAN : writer_number(cell_value(map, j, i));

			/* xe counts no waiting. */
			if (!isnan(v))
				add_number(p, members[k][0], v);
		}
		add_text(p, "unit", "%");
		close_object(p);
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

static void add_clients(struct place *p, const struct client_table *t)
{
	char buf[64];

	open_object(p, "clients");
	for (size_t i = 0; t->why == WHY_OK && i < t->n_rows; i++) {
		const struct client_row *r = &t->rows[i];

		snprintf(buf, sizeof(buf), "%llu", (unsigned long long)r->client_id);
		open_object(p, buf);
		add_text(p, "name", r->name);
		snprintf(buf, sizeof(buf), "%lld", (long long)r->pid);
		add_text(p, "pid", buf);
		open_object(p, "engine-classes");
		for (int e = 0; e < t->n_engines; e++) {
			if (isnan(r->busy_pct[e]))
				continue;
			open_object(p, class_name(t->engines[e]));
			numeric_print(buf, sizeof(buf), "%f", (double)r->busy_pct[e]);
			add_text(p, "busy", buf);
			add_text(p, "unit", "%");
			close_object(p);
		}
		close_object(p);
		close_object(p);
	}
	close_object(p);
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
	static const struct member interrupts[] = { { "count", "interrupts", 1 }, { NULL, NULL, 0 } };
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
