/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in sets of single subslices write the registers of Intel's sets, and their cells are what
 * Intel's equations give, where these make sense; the cells that Intel's counters become by
 * themselves are those counters. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/snapshot/snapshot.h"
#include "data/data.h"
#include "tests/oracle.h"
#include "tests/tap.h"

#define CLOCKS 1000000

/* Parts as large as Intel's lists know them. */
static const struct part {
	const char *platform, *xml;
	int slices, subslices;
} parts[] = {
	{ "bdw", "bdw", 2, 3 }, { "bdwgt3", "bdw", 2, 3 }, { "chv", "chv", 1, 2 }, { "sklgt2", "sklgt2", 1, 3 }, { "sklgt3", "sklgt3", 2, 3 },
	{ "sklgt4", "sklgt4", 3, 3 }, { "kblgt2", "kblgt2", 1, 3 }, { "kblgt3", "kblgt3", 2, 3 }, { "cflgt2", "cflgt2", 1, 3 },
	{ "cflgt3", "cflgt3", 2, 3 }, { "bxt", "bxt", 1, 3 }, { "glk", "glk", 1, 2 }, { "cnl", "cnl", 2, 3 }, { "icl", "icl", 1, 8 },
	{ "ehl", "ehl", 1, 4 }, { "tglgt2", "tglgt2", 1, 6 }, { "tglgt1", "tglgt1", 1, 2 }, { "rkl", "rkl", 1, 2 }, { "adl", "adl", 1, 6 },
	{ "dg1", "dg1", 1, 6 }, { "mtlgt2", "mtlgt2", 1, 4 }, { "mtlgt3", "mtlgt3", 1, 8 },
};

/* What a metric of ours is of Intel's: what stands before and after the digits of slice and subslice in its name, and
 * before the number of the Xe-core. */
static const struct row {
	const char *ours;
	const char *before, *after, *core;
	const char *unit;	/* "%": a share, "#": clocks or counts in a second */
} rows[] = {
	{ "subslice_ready", "non_ps_thread", "_ready_for_dispatch", "threadgroup_dispatch_queue0_active_cycles_xecore", "%" },
	{ "subslice_l3_stall", "non_sampler_shader", "_access_stalled_on_l3", NULL, "%" },
	{ "subslice_dispatch", "thread_header", "_ready_port", NULL, "#" },
	{ "subslice_groups", NULL, NULL, "gpgpu_threadgroup_count_xecore", "#" },
	{ "subslice_slm_bank0", NULL, NULL, "slm_byte_read_bank0_xecore", "#" },
	{ "subslice_slm_bank1", NULL, NULL, "slm_byte_read_bank1_xecore", "#" },
};

struct bound {
	struct metric_binding b;
	struct snapshot s;
};

static void report(void *ctx, const struct err *err)
{
	(void)ctx;
	diag("%s", err->msg);
}

static void ignore(void *ctx, const struct err *err)
{
	(void)ctx;
	(void)err;
}

static const char *find_file(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static const char *find_config(const char *name)
{
	return packed_find(oa_config_files, name, ".oacfg");
}

static struct device device_of(const struct part *p)
{
	const struct intel_platform *known = intel_platform_by_name(p->platform);
	struct device d = { .max_hz = 1000000000, .timestamp_hz = known->timestamp_hz, .oa_format = known->oa_format };

	snprintf(d.platform, sizeof(d.platform), "%s", p->platform);
	d.topology.threads_per_eu = known->threads_per_eu;
	d.topology.subslice_mask_stride = known->subslice_mask_stride;
	intel_topology_make(&d.topology, p->slices, p->subslices, 8, p->slices, p->subslices, 8);
	intel_device_set_consts(&d);
	return d;
}

static void bind(struct bound *x, const struct metric_set *set, const struct device *d,
	const struct feed *feed, const struct sample *sample)
{
	metric_bind(&x->b, set, d, &feed, 1);
	snapshot_init(&x->s, d, set);
	snapshot_init_maps(&x->s, &x->b);
	metric_eval(&x->b, sample, x->s.values, x->s.ceilings);
	metric_maps_fill(&x->b, x->s.maps, x->s.n_maps);
}

static void release(struct bound *x)
{
	snapshot_release(&x->s);
	metric_unbind(&x->b);
}

/* Returns the counter of a cell in Intel's set, the sum over ports, NAN when there is none. */
static double intel_value(const struct bound *x, const struct row *r, const char *cell, const char *platform)
{
	int slice = 0, subslice = 0, metric;
	char name[96];
	double sum = NAN;

	sscanf(cell, "S%dSS%d", &slice, &subslice);
	/* A cell of two subslices is named by the pair. */
	if (strchr(cell, '-'))
		subslice /= 2;
	if (!strncmp(platform, "mtl", 3) && r->core)
		snprintf(name, sizeof(name), "%s%d", r->core, 4 * slice + subslice);
	else
		snprintf(name, sizeof(name), "%s%d%d%s", r->before, slice, subslice, r->after);
	if (!strstr(name, "_port")) {
		metric = metric_set_index(x->b.set, name);
		return metric < 0 ? NAN : x->s.values[metric].v;
	}
	for (int port = 0; port < 4; port++) {
		char one[100];

		snprintf(one, sizeof(one), "%s%d", name, port);
		metric = metric_set_index(x->b.set, one);
		if (metric >= 0)
			sum = (isnan(sum) ? 0 : sum) + x->s.values[metric].v;
	}
	return sum / 100 * CLOCKS;
}

/* What our cell shows of Intel's value, which is a share in percent, or 0 to 1 on Cannon Lake. */
static double expected(const struct row *r, double intel, const char *platform)
{
	if (r->unit[0] == '#')
		return intel;
	if (!strcmp(platform, "cnl") && !strcmp(r->ours, "subslice_ready"))
		intel *= 100;
	/* The unsigned difference of Gen8 and Gen9 turns over. */
	if (intel < 0 || intel > 1e6)
		return 0;
	return intel;
}

static int compare_map(const struct bound *own, const struct bound *intel, const struct cell_map *map,
	const char *platform)
{
	int differ = 0;

	for (int i = 0; i < map->n_metrics; i++) {
		const struct metric *m = &own->b.set->metrics[map->metrics[i]];
		const struct row *r = rows;

		while (r < rows + ARRAY_LEN(rows) && strcmp(r->ours, m->name) != 0)
			r++;
		if (r == rows + ARRAY_LEN(rows)) {
			diag("metric %s has no row", m->name);
			return 1;
		}
		for (int j = 0; j < map->n; j++) {
			struct value v = cell_value(map, j, map->metrics[i]);
			double got = v.v * m->unit.scale, want;

			if (r->unit[0] == '%')
				got = v.v;
			want = expected(r, intel_value(intel, r, map->names[j], platform), platform);
			if (v.why == WHY_OK && fabs(got - want) <= 1e-9 * fabs(want) + 1e-9)
				continue;
			diag("%s: %s of %s is %.17g (reason %d), want %.17g", platform, m->name, map->names[j], got,
				(int)v.why, want);
			differ++;
		}
	}
	return differ;
}

static bool same_registers(const struct metric_set *own, const struct metric_set *intel, const struct device *d)
{
	struct oa_profile a, b;
	struct err err = { 0 };
	size_t n = 0;
	bool same = true;

	if (!oa_profile_build(&a, own, d, find_config, &err) || !oa_profile_build(&b, intel, d, NULL, &err)) {
		diag("%s", err.msg);
		return false;
	}
	for (size_t i = 0, k = 0; i < a.n_regs || k < b.n_regs; i++, k++) {
		while (i < a.n_regs && a.regs[i].kind == OA_REG_FLEX)
			i++;
		while (k < b.n_regs && b.regs[k].kind == OA_REG_FLEX)
			k++;
		if (i >= a.n_regs && k >= b.n_regs)
			break;
		n++;
		same = same && i < a.n_regs && k < b.n_regs && a.regs[i].kind == b.regs[k].kind &&
			a.regs[i].address == b.regs[k].address && a.regs[i].value == b.regs[k].value;
	}
	oa_profile_release(&a);
	oa_profile_release(&b);
	return same && n > 30;
}

static const struct metric_set *with_guid(const struct metric_lib *lib, const char *guid)
{
	for (int i = 0; i < lib->n_sets; i++) {
		int pos = 0;
		const struct set_directive *g = metric_set_directive(lib->sets[i], "guid", &pos);

		if (g && !strcmp(g->args, guid))
			return lib->sets[i];
	}
	return NULL;
}

/* Each cell that a counter of Intel's became has the value of that counter. */
static int compare_members(const struct bound *x)
{
	int differ = 0;

	for (int k = 0, at = 0; k < x->b.set->n_cells && at < x->s.n_maps; k++) {
		const struct set_cells *c = &x->b.set->cells[k];
		const struct cell_map *map = &x->s.maps[at++];

		for (int j = 0; j < map->n; j++)
			for (int i = 0; i < c->n_names; i++) {
				int cell = 0;

				while (strcmp(c->cells[cell], map->names[j]) != 0)
					cell++;
				struct value v = x->s.values[metric_set_index(
					x->b.set, c->counters[cell * c->n_names + i])];
				struct value got = cell_value(map, j, map->metrics[i]);
				differ += got.why != v.why || (v.why == WHY_OK && (got.v < v.v || got.v > v.v));
			}
	}
	return differ;
}

/* Random counts up to the clocks; odd rounds have single counters ahead of the others. */
static void make_sample(struct sample *s, const struct counter_desc *counters, int n, unsigned round)
{
	uint64_t state = round * 7919 + 17;

	*s = (struct sample){ .t1_ns = NS_PER_S, .window_ns = NS_PER_S };
	for (int i = 0; i < n; i++) {
		state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
		s->values[i] = (state >> 33) % CLOCKS;
		if (!strcmp(counters[i].name, "GPU_TICKS"))
			s->values[i] = CLOCKS;
	}
}

static void check_set(const struct metric_set *own, const struct metric_lib *xml, const struct device *d)
{
	const struct oa_format *format = oa_format_by_number(d->oa_format);
	struct counter_desc counters[OA_MAX_COUNTERS];
	struct feed feed = { .name = "oa", .counters = counters, .n_counters = oa_format_counters(format, counters) };
	int pos = 0, differ = 0, cells = 0, members = 0;
	const struct set_directive *guid = metric_set_directive(own, "guid", &pos);
	const struct metric_set *intel = guid ? with_guid(xml, guid->args) : NULL;

	if (!ok(intel != NULL, "%s %s: its guid is one of Intel's", d->platform, own->name))
		return;
	pos = 0;
	is_str(metric_set_directive(own, "records_as", &pos)->args, intel->name, "%s %s: its name in recordings", d->platform, own->name);
	ok(same_registers(own, intel, d), "%s %s: the registers are Intel's", d->platform, own->name);
	for (unsigned round = 0; round < 8; round++) {
		struct bound a, b;
		struct sample sample;

		make_sample(&sample, counters, feed.n_counters, round);
		bind(&a, own, d, &feed, &sample);
		bind(&b, intel, d, &feed, &sample);
		/* Intel's unsigned differences are compared as they are. */
		b.b.keeps_excess = true;
		metric_eval(&b.b, &sample, b.s.values, b.s.ceilings);
		metric_maps_fill(&b.b, b.s.maps, b.s.n_maps);
		for (int k = 0; k < a.s.n_maps; k++) {
			differ += compare_map(&a, &b, &a.s.maps[k], d->platform);
			cells += a.s.maps[k].n;
		}
		members += compare_members(&b);
		ok(b.s.n_maps > 0 || round, "%s %s: Intel's counters make a map by themselves", d->platform, intel->name);
		release(&a);
		release(&b);
	}
	ok(cells > 0 && differ == 0, "%s %s: %d cells are as Intel's equations", d->platform, own->name, cells);
	is_int(members, 0, "%s %s: cells of Intel's counters are these counters", d->platform, intel->name);
}

/* Sets of the queue to the memory write Intel's registers, and show the fullest of the queues that Intel's
 * equations tell. */
static void check_queue(const struct metric_set *own, const struct metric_lib *xml, const struct device *d)
{
	const struct oa_format *format = oa_format_by_number(d->oa_format);
	struct counter_desc counters[OA_MAX_COUNTERS];
	struct feed feed = { .name = "oa", .counters = counters, .n_counters = oa_format_counters(format, counters) };
	int pos = 0, queues = 0, differ = 0;
	const struct metric_set *intel = with_guid(xml, metric_set_directive(own, "guid", &pos)->args);

	if (!ok(intel && same_registers(own, intel, d), "%s: the queue's registers are Intel's", d->platform))
		return;
	for (unsigned round = 0; round < 8; round++) {
		struct bound a, b;
		struct sample sample;
		double most = 0;

		make_sample(&sample, counters, feed.n_counters, round);
		bind(&a, own, d, &feed, &sample);
		bind(&b, intel, d, &feed, &sample);
		for (int i = 0; i < intel->n_metrics; i++) {
			if (strncmp(intel->metrics[i].name, "gt_request_queue", 16) != 0)
				continue;
			queues += round == 0;
			most = fmax(most, b.s.values[i].v);
		}
		double got = a.s.values[metric_set_index(own, "gti_queue_full")].v;
		differ += !(fabs(got - most) <= 1e-9 * most) || most <= 0;
		release(&a);
		release(&b);
	}
	ok(queues == 1 || queues == 4, "%s: %d queues of Intel's", d->platform, queues);
	is_int(differ, 0, "%s: the fullest of them", d->platform);
}

/* The set that names it in its line "glance" programs the same events. */
static void check_glance(const struct metric_lib *own, const struct metric_set *set, const struct device *d)
{
	struct oa_profile a, b;
	struct err err = { 0 };
	char name[32] = "";
	int pos = 0;

	sscanf(metric_set_directive(set, "glance", &pos)->args, "%31s", name);
	const struct metric_set *other = metric_lib_find(own, name, d->platform);
	if (!ok(other && oa_profile_build(&a, set, d, find_config, &err) && oa_profile_build(&b, other, d, find_config, &err),
		    "%s: %s glances at %s", d->platform, set->name, name))
		return;
	is_int(memcmp(a.events, b.events, sizeof(a.events)), 0, "%s: both program the same events", d->platform);
	oa_profile_release(&a);
	oa_profile_release(&b);
}

/* A profile names sets of the platform, each once, and together they have the cells of all. */
static void check_turns(const struct metric_lib *own, const struct metric_set *set, const struct device *d)
{
	const char *platform = d->platform;
	struct oa_profile first = { .n_regs = 0 }, p;
	struct err err = { 0 };
	int pos = 0, n = 0, missing = 0, other = 0;
	char *names = xstrdup(metric_set_directive(set, "turns", &pos)->args), *at = NULL;

	for (char *name = strtok_r(names, " ", &at); name; name = strtok_r(NULL, " ", &at)) {
		const struct metric_set *next = metric_lib_find(own, name, platform);

		missing += !next || strcmp(next->name, name) != 0 || !next->n_cells;
		if (!next || !oa_profile_build(&p, next, d, find_config, &err)) {
			other++;
			continue;
		}
		if (n == 0)
			memcpy(first.events, p.events, sizeof(first.events));
		for (int i = 0; i < OA_FLEX_COUNTERS; i++)
			other += p.events[i].increment != first.events[i].increment ||
				p.events[i].coarse != first.events[i].coarse || p.events[i].fine != first.events[i].fine;
		oa_profile_release(&p);
		n++;
	}
	free(names);
	ok(n > 1 && !missing, "%s: the %d sets of %s exist", platform, n, set->name);
	is_int(other, 0, "%s: all of them program the same events", platform);
}

/* Whether Intel has the queue for streams: on Gen8 to Gen9.5 it is for queries only. */
static bool has_queue(const struct metric_lib *xml, const char *platform)
{
	for (int i = 0; i < xml->n_sets; i++)
		for (int m = 0; m < xml->sets[i]->n_metrics; m++)
			if (!strncmp(xml->sets[i]->metrics[m].name, "gt_request_queue", 16))
				return intel_platform_by_name(platform)->graphics_ver >= 10;
	return false;
}

static void check_part(const struct part *p, const char *oracle)
{
	struct metric_lib own = { 0 }, xml = { 0 };
	struct device d = device_of(p);
	struct err err = { 0 };
	char path[3000];
	int sets = 0, glances = 0;

	for (const struct packed_file *e = metric_files; e->name; e++)
		if (!strncmp(e->name, "subslices-", 10) || !strcmp(e->name, "queue.metrics") || !strncmp(e->name, "gen1", 4) ||
			!strcmp(e->name, "xe-hpg.metrics"))
			metric_lib_load(&own, e->name, packed_text(e), find_file, NULL, report, NULL);
	snprintf(path, sizeof(path), "%s/xml/oa-%s.xml.gz", oracle, p->xml);
	if (!ok(oa_xml_load(&xml, path, ignore, NULL, &err), "%s: %s is read", p->platform, path))
		return;
	for (int i = 0; i < xml.n_sets; i++)
		oa_xml_fit(xml.sets[i], &d, false);
	for (int i = 0; i < own.n_sets; i++) {
		int pos = 0;

		if (!metric_set_has_platform(own.sets[i], p->platform))
			continue;
		if (metric_set_directive(own.sets[i], "turns", &pos)) {
			check_turns(&own, own.sets[i], &d);
			continue;
		}
		pos = 0;
		if (metric_set_directive(own.sets[i], "glance", &pos)) {
			check_glance(&own, own.sets[i], &d);
			glances++;
		}
		if (!strcmp(own.sets[i]->name, "queue"))
			check_queue(own.sets[i], &xml, &d);
		else if (!strncmp(own.sets[i]->file, "subslices-", 10))
			check_set(own.sets[i], &xml, &d);
		sets += !strncmp(own.sets[i]->file, "subslices-", 10);
	}
	ok(sets >= 3, "%s: %d sets", p->platform, sets);
	is_int(glances > 0, has_queue(&xml, p->platform), "%s: the queue is glanced at where Intel has it", p->platform);
	metric_lib_release(&own);
	metric_lib_release(&xml);
}

int main(void)
{
	static struct oracle_files files;

	if (!oracle_list(&files, "xml", ".xml.gz"))
		return done_testing();
	*strrchr(files.folder, '/') = '\0';
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (in_share())
			check_part(&parts[i], files.folder);
	return done_testing();
}
