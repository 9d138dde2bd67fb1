/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every value that Intel's own library computed from pairs of OA reports, computed again from
 * Intel's XML by our code: report decoder, XML import, equations, topology. Our own metric sets are
 * held against the same numbers where they share names. */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "core/metric/metric.h"
#include "data/data.h"
#include "tests/oracle.h"
#include "tests/tap.h"
#include "tests/unit/intel/by_name.h"
#include "tests/unit/intel/json_scan.h"

/* --- what is known to differ, and why
 * ---------------------------------------------------------------------------------------- */

enum excuse {
	EX_NONE,
	/* the set is not in the XML at hand: the files of DG2 hold two of its hundreds of sets */
	EX_NO_XML,
	/* Meteor Lake: the XML at hand is newer than the library and routes these signals to other
	 * counters */
	EX_CHANGED,
	EX_AVAILABILITY, /* the library never fills its slice masks: $GtSliceN is always false, $GtSliceNXeCoreM looks at slice 0, so
			  * that counters are there or not whatever the device has; $XeCoreMask is its slice mask */
	EXCUSES
};

static const char *const excuse_names[EXCUSES] = {
	"", "set not in the XML", "equation changed since", "availability bug of the library",
};

/* On DG2 the library halves time stamps although it was given the rate of the OA unit, which is the
 * doubled one. We use them as they are: to get its numbers the test halves, too, and says how
 * often. The slots of undefined.jsonl (C does not say what a double beyond uint64 becomes) are
 * compared, too: our conversion is defined, and the library ran where the same came out. */

/* Counters of DG2 that test for an Xe core of slice 2: see EX_AVAILABILITY. */
static const char *const slice2_counters[] = { "Sampler20Bottleneck", "Sampler20Busy",
	"SamplerBottleneck", "SamplersBusy" };

/* Counters of Meteor Lake that test for a slice or for an Xe core: see EX_AVAILABILITY. */
static const char *const slice_counters[] = {
	"amfs_4_x4_shading_request_slice*", "amfs_cache_hit_slice*", "amfs_cache_miss_slice*",
	"amfs_l3_access_slice*", "amfs_l3_atomic_slice*", "amfs_l3_write_slice*", "amfs_stall_all_input_slice*",
	"amfs_stall_any_input_slice*", "clipper_input_available_slice*", "clipper_input_vertex_slice*",
	"clipper_output_ready_slice*", "clipper_primitive_cull_slice*", "clipper_primitive_far_near_clip_slice*",
	"clipper_primitive_output_slice*", "clipper_transaction_output_slice*",
	"color_pipe_cache_latency1_stall_cpipe*", "early_depth_stencil_test_fail_np_zpipe*",
	"early_depth_stencil_test_fail_p_zpipe*", "hiz_depth_test_ambig_np_zpipe*", "hiz_depth_test_ambig_p_zpipe*",
	"hiz_depth_test_fail_np_zpipe*", "hiz_depth_test_fail_p_zpipe*", "hiz_depth_test_pass_p_zpipe*",
	"hiz_subspan_latency_fifofull_zpipe*", "iz_output_ready_zpipe*", "iz_subspan_latency_fifofull_zpipe*",
	"pixel_2x2_lit_post_rasterizer_early_depth_slice*", "pixel_2x2_lit_post_rasterizer_late_depth_slice*",
	"pixel_post_process_input_available_cpipe*", "pixel_post_process_output_ready_cpipe*",
	"ps_output_available_cpipe*", "rasterizer0_input_available", "rasterizer0_output_ready",
	"rasterizer1_input_available", "rasterizer1_output_ready", "rasterizer_input_available_slice*",
	"rasterizer_output_ready_slice*", "rasterizer_transaction_output_slice*",
	"streamout_output_vertex_count_slice*", "stripsfan_object_count_slice*", "stripsfan_objects_cull_slice*",
	"stripsfan_output_ready_slice*", "urb_cross_slice_read_slice*", "urb_read_slice*", "urb_write_slice*",
	"vertex_fetch_input_available_slice*", "vertex_fetch_output_ready_slice*", "vs_output_ready_slice*",
};

/* For EX_CHANGED. What ends in a star is there once for each bank, core or port, with its number. */
static const struct { const char *platform, *set, *symbol; } changed_counters[] = {
	{ "mtlgt2", "Ext7", "SAMPLER_BUSY_XECORE*" },
	{ "mtlgt2", "Ext7", "SAMPLER_L3_HIT_L3BANK*" },
	{ "mtlgt2", "Ext7", "SAMPLER_L3_READ_L3BANK*" },
	{ "mtlgt2", "Ext17", "LOAD_STORE_CACHE_OUTPUT_READY_XECORE*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_ACTIVE_SQIDI*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_BYTE_READ_BW_SQIDI*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_BYTE_READ_SQIDI*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_BYTE_WRITE_BW_SQIDI*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_BYTE_WRITE_SQIDI*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_READ" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_READ_SQIDI*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_REQUEST_QUEUE_FULL_SQIDI*" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_WRITE" },
	{ "mtlgt3", "Ext1", "GPU_MEMORY_WRITE_SQIDI*" },
	{ "mtlgt3", "Ext7", "SAMPLER_L3_HIT_L3BANK*" },
	{ "mtlgt3", "Ext7", "SAMPLER_L3_READ_L3BANK*" },
	{ "mtlgt3", "Ext509", "SLM_BYTE_READ_BANK1_XECORE*" },
	{ "mtlgt3", "Ext511", "SLM_BYTE_READ_BANK1_XECORE*" },
};

/* --- state
 * ------------------------------------------------------------------------------------------------------------------- */

struct expected {
	char symbol[64];
	bool is_int;
	int metric;		/* in the XML's set, -1: not there */
	enum excuse excuse;	/* EX_CHANGED, EX_AVAILABILITY or none */
};

#define MAX_EXPECTED 512

struct run {
	char platform[24];
	struct device dev;
	int graphics_ver;
	int timestamp_shift;
	struct metric_lib lib;			/* from the XML */
	const struct metric_lib *own;		/* our files */
	const struct oa_format *format;
	struct counter_desc counters[OA_MAX_COUNTERS];
	struct feed feed;
	char set_name[64];
	struct metric_binding binding, own_binding;
	bool bound, own_bound;
	int lists;		/* sets with several lists of NOA registers */
	struct expected expected[MAX_EXPECTED];
	int n_expected;
	struct value *values, *ceilings;
	uint64_t pairs, shifted, integers, floats, deltas, headers, own_values, registers,
		excused[EXCUSES];
	int errors;
};

/* Failures are told in full a few times, then only counted. */
__attribute__((format(printf, 2, 3)))
static void wrong(struct run *r, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (r->errors++ < 20)
		diag("%s: %s", r->platform, text);
}

static void print_problem(void *ctx, const struct err *err)
{
	int *n = ctx;

	(*n)++;
	diag("%s", err->msg);
}

/* --- platform line
 * ----------------------------------------------------------------------------------------------------------- */

struct platform_line {
	uint64_t devid, revision, graphics_ver, timestamp_frequency, gt_min_freq, gt_max_freq,
		eu_threads_count, n_eus, n_eu_slices, n_eu_sub_slices, subslice_mask, slice_mask;
	int64_t oa_timestamp_shift;
	uint64_t max_slices, max_subslices, max_eus_per_subslice, subslice_offset, subslice_stride,
		eu_offset, eu_stride;
	uint8_t data[256];
	size_t n_data;
};

static void read_numbers(struct json *j, struct platform_line *l)
{
	const struct { const char *key; uint64_t *to; } keys[] = {
		{ "devid", &l->devid }, { "revision", &l->revision }, { "graphics_ver", &l->graphics_ver },
		{ "timestamp_frequency", &l->timestamp_frequency }, { "gt_min_freq", &l->gt_min_freq }, { "gt_max_freq", &l->gt_max_freq },
		{ "eu_threads_count", &l->eu_threads_count }, { "n_eus", &l->n_eus }, { "n_eu_slices", &l->n_eu_slices },
		{ "n_eu_sub_slices", &l->n_eu_sub_slices }, { "subslice_mask", &l->subslice_mask }, { "slice_mask", &l->slice_mask },
		{ "max_slices", &l->max_slices }, { "max_subslices", &l->max_subslices }, { "max_eus_per_subslice", &l->max_eus_per_subslice },
		{ "subslice_offset", &l->subslice_offset }, { "subslice_stride", &l->subslice_stride }, { "eu_offset", &l->eu_offset },
		{ "eu_stride", &l->eu_stride },
	};
	bool first = true;
	char key[64];

	while (json_key(j, &first, key, sizeof(key))) {
		size_t i = 0;

		while (i < ARRAY_LEN(keys) && strcmp(keys[i].key, key) != 0)
			i++;
		if (i < ARRAY_LEN(keys))
			*keys[i].to = json_number(j).u;
		else if (!strcmp(key, "oa_timestamp_shift"))
			l->oa_timestamp_shift = (int64_t)json_number(j).u;
		else if (!strcmp(key, "data"))
			l->n_data = json_hex(j, l->data, sizeof(l->data));
		else
			json_skip(j);
	}
}

/* The kernel's topology image, as the device gives it. */
static size_t topology_image(const struct platform_line *l, uint8_t *raw, size_t size)
{
	const uint64_t words[8] = { 0, l->max_slices, l->max_subslices, l->max_eus_per_subslice,
		l->subslice_offset, l->subslice_stride, l->eu_offset, l->eu_stride };

	if (l->n_data + sizeof(words) / 4 > size)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		memcpy(raw + 2 * i, &(uint16_t){ (uint16_t)words[i] }, 2);
	memcpy(raw + 16, l->data, l->n_data);
	return 16 + l->n_data;
}

static bool make_device(struct run *r, const struct platform_line *l)
{
	const struct topology *t = &r->dev.topology;
	const struct intel_platform *p;
	uint8_t raw[256 + 16];
	struct err err = { 0 };
	size_t len = topology_image(l, raw, sizeof(raw));

	r->dev = (struct device){ .pci_vendor = 0x8086,
		.pci_device = (uint32_t)l->devid,
		.pci_revision = (uint32_t)l->revision,
		.timestamp_hz = l->timestamp_frequency,
		.min_hz = l->gt_min_freq,
		.max_hz = l->gt_max_freq };
	if (!ok(intel_device_identify(&r->dev, &err), "%s: device %04x is known %s", r->platform,
		    (unsigned)l->devid, err.msg))
		return false;
	if (!ok(intel_topology_parse(&r->dev.topology, raw, len, &err), "%s: topology is read %s",
		    r->platform, err.msg))
		return false;
	/* 1.27.1 takes Meteor Lake for 7 threads, which was put right later: its numbers are what
	 * is compared. */
	if (!strncmp(r->dev.platform, "mtl", 3))
		r->dev.topology.threads_per_eu = (int)l->eu_threads_count;
	intel_device_set_consts(&r->dev);
	p = intel_platform_by_name(r->dev.platform);
	r->graphics_ver = p ? p->graphics_ver : 0;
	r->timestamp_shift = (int)l->oa_timestamp_shift;
	is_int(r->graphics_ver, l->graphics_ver, "%s: graphics version", r->platform);
	is_int(t->eus, l->n_eus, "%s: EUs", r->platform);
	is_int(t->slices, l->n_eu_slices, "%s: slices", r->platform);
	is_int(t->subslices, l->n_eu_sub_slices, "%s: subslices", r->platform);
	is_int(t->threads_per_eu, l->eu_threads_count, "%s: threads of an EU", r->platform);
	is_int(t->slice_mask, l->slice_mask, "%s: slice mask", r->platform);
	is_int(t->subslice_mask, l->subslice_mask, "%s: subslice mask", r->platform);
	return true;
}

static bool load_xml(struct run *r, const char *folder)
{
	const char *name = !strcmp(r->dev.platform, "bdwgt3") ? "bdw" : r->dev.platform;
	char path[4096];
	struct err err = { 0 };
	int problems = 0;

	snprintf(path, sizeof(path), "%s/xml/oa-%s.xml.gz", folder, name);
	if (access(path, F_OK) != 0) {
		skip(1, "the folder has values of this platform, but not its XML");
		return false;
	}
	if (!ok(oa_xml_load(&r->lib, path, print_problem, &problems, &err),
		    "%s: %s is read %s", r->platform, path, err.msg))
		return false;
	for (int i = 0; i < r->lib.n_sets; i++)
		oa_xml_fit(r->lib.sets[i], &r->dev, true);
	is_int(problems, 0, "%s: no problem in %d sets", r->platform, r->lib.n_sets);
	return true;
}

static bool platform_line(struct run *r, struct json *j, const char *folder)
{
	struct platform_line l = { 0 };
	bool first = true;
	char key[64];

	while (json_key(j, &first, key, sizeof(key))) {
		if (!strcmp(key, "platform"))
			json_string(j, r->platform, sizeof(r->platform));
		else if (!strcmp(key, "devinfo") || !strcmp(key, "topology"))
			read_numbers(j, &l);
		else
			json_skip(j);
	}
	return ok(!j->bad, "%s: platform line", r->platform) && make_device(r, &l) &&
		load_xml(r, folder);
}

/* --- set line
 * ---------------------------------------------------------------------------------------------------------------- */

static void unbind(struct run *r)
{
	if (r->bound)
		metric_unbind(&r->binding);
	if (r->own_bound)
		metric_unbind(&r->own_binding);
	r->bound = r->own_bound = false;
	free(r->values);
	free(r->ceilings);
	r->values = r->ceilings = NULL;
}

/* The name with a star for the number at its end. */
static void star_name(const char *name, char *out, size_t size)
{
	snprintf(out, size, "%s", name);
	char *digits = out + strlen(out);
	while (digits > out && isdigit((unsigned char)digits[-1]))
		digits--;
	if (*digits)
		snprintf(digits, 2, "*");
}

static enum excuse excuse_of(const struct run *r, const char *symbol)
{
	char named[64];

	star_name(symbol, named, sizeof(named));
	for (size_t i = 0; i < ARRAY_LEN(changed_counters); i++)
		if (!strcmp(changed_counters[i].platform, r->platform) &&
			!strcmp(changed_counters[i].set, r->set_name) &&
			!strcmp(changed_counters[i].symbol, named))
			return EX_CHANGED;
	for (size_t i = 0; i < ARRAY_LEN(slice2_counters); i++)
		if (!strncmp(r->platform, "acm", 3) && !strcmp(slice2_counters[i], symbol))
			return EX_AVAILABILITY;
	return EX_NONE;
}

static void read_counters(struct run *r, struct json *j)
{
	bool first = true;

	r->n_expected = 0;
	while (json_item(j, &first)) {
		struct expected *e = &r->expected[r->n_expected];
		char unit[64], storage[32], type[32];
		bool inner = true;

		*e = (struct expected){ .metric = -1 };
		if (json_item(j, &inner))
			json_string(j, e->symbol, sizeof(e->symbol));
		if (json_item(j, &inner))
			json_string(j, unit, sizeof(unit));
		if (json_item(j, &inner))
			json_string(j, storage, sizeof(storage));
		if (json_item(j, &inner))
			json_string(j, type, sizeof(type));
		if (json_item(j, &inner) || r->n_expected + 1 >= MAX_EXPECTED)
			j->bad = true;
		e->is_int = !strcmp(storage, "uint64");
		e->excuse = excuse_of(r, e->symbol);
		r->n_expected++;
	}
}

static bool is_slice_counter(const struct run *r, const char *name)
{
	char named[64];

	star_name(name, named, sizeof(named));
	for (size_t i = 0; i < ARRAY_LEN(slice_counters); i++)
		if (!strncmp(r->platform, "mtl", 3) && !strcmp(slice_counters[i], named))
			return true;
	return false;
}

/* A counter that the library does not have must be one that is excused by name. */
static void check_extra(struct run *r, const struct metric_set *set, int metric)
{
	const struct metric *m = &set->metrics[metric];

	if (m->flags & METRIC_HIDDEN || !strncmp(m->equation, "each of ", 8))
		return;
	for (int i = 0; i < r->n_expected; i++)
		if (r->expected[i].metric == metric)
			return;
	if (is_slice_counter(r, m->name))
		r->excused[EX_AVAILABILITY]++;
	else
		wrong(r, "%s.%s is not in the library", set->name, m->name);
}

/* Both sides have the same counters of the same type. */
static void check_presence(struct run *r, const struct metric_set *set)
{
	for (int i = 0; i < r->n_expected; i++) {
		struct expected *e = &r->expected[i];
		char snake[64];

		e->metric = metric_set_index(
			set, oa_xml_snake_case(e->symbol, snake, sizeof(snake)));
		if (e->metric < 0 || set->metrics[e->metric].flags & METRIC_HIDDEN) {
			if (!e->excuse)
				wrong(r, "%s.%s is missing", set->name, e->symbol);
			e->metric = -1;
			continue;
		}
		if (e->is_int == !(set->metrics[e->metric].flags & METRIC_INTEGER) && !e->excuse)
			wrong(r, "%s.%s has another type", set->name, e->symbol);
	}
	for (int i = 0; i < set->n_metrics; i++)
		check_extra(r, set, i);
}

static const char *find_config(const char *name)
{
	return packed_find(oa_config_files, name, ".oacfg");
}

/* The n-th register that is not FLEX, or NULL. */
static const struct oa_reg *routing_register(const struct oa_profile *p, size_t n)
{
	for (size_t i = 0; i < p->n_regs; i++)
		if (p->regs[i].kind != OA_REG_FLEX && n-- == 0)
			return &p->regs[i];
	return NULL;
}

/* Our own set of that name writes the registers of Intel's, and counts the same events where
 * Intel's counts any. */
static void check_programming(
	struct run *r, const struct metric_set *intel, const struct metric_set *own)
{
	struct oa_profile a, b;
	struct err err = { 0 };

	if (!oa_profile_build(&a, intel, &r->dev, find_config, &err) ||
	    !oa_profile_build(&b, own, &r->dev, find_config, &err)) {
		wrong(r, "%s: %s", own->name, err.msg);
		return;
	}
	for (size_t i = 0;; i++) {
		const struct oa_reg *x = routing_register(&a, i), *y = routing_register(&b, i);

		if (!x && !y)
			break;
		r->registers++;
		if (!x || !y || x->kind != y->kind || x->address != y->address ||
			x->value != y->value) {
			wrong(r, "own %s: register %zu is another one", own->name, i);
			break;
		}
	}
	for (int i = 0; i < OA_FLEX_COUNTERS; i++)
		if (a.events[i].increment != OA_EVENT_OFF &&
			memcmp(&a.events[i], &b.events[i], sizeof(a.events[i])))
			wrong(r, "own %s: A%d counts another event", own->name, i + 7);
	oa_profile_release(&a);
	oa_profile_release(&b);
}

static void bind_own(struct run *r)
{
	const struct feed *const feeds[] = { &r->feed };
	const struct metric_set *set = metric_lib_find(r->own, r->set_name, r->dev.platform);

	if (!set || strcmp(set->name, r->set_name) != 0)
		return;
	check_programming(r, r->binding.set, set);
	if (!strcmp(set->name, "TestOa"))
		return;
	metric_bind(&r->own_binding, set, &r->dev, feeds, 1);
	r->own_binding.keeps_excess = true;
	r->own_bound = true;
}

/* Returns how many NOA registers the library writes. */
static uint64_t read_n_regs(struct json *j)
{
	uint64_t n = 0;
	bool first = true;
	char key[64];

	while (json_key(j, &first, key, sizeof(key))) {
		if (!strcmp(key, "mux"))
			n = json_number(j).u;
		else
			json_skip(j);
	}
	return n;
}

/* Of several lists both write those that fit the device. Single ones may have been corrected since. */
static void check_lists(struct run *r, const struct metric_set *set, uint64_t want)
{
	struct oa_profile p;
	struct err err = { 0 };
	uint64_t n = 0;
	int lists = 0;

	for (int i = 0; i < set->n_directives; i++)
		lists += !strcmp(set->directives[i].key, "block") && !strncmp(set->directives[i].args, "NOA ", 4) &&
			xml_test_passes(set->directives[i].args + 4, &r->dev);
	if (lists < 2)
		return;

	if (!oa_profile_build(&p, set, &r->dev, NULL, &err)) {
		wrong(r, "%s: %s", set->name, err.msg);
		return;
	}
	for (size_t i = 0; i < p.n_regs; i++)
		n += p.regs[i].kind == OA_REG_NOA;
	r->lists++;
	if (n != want)
		wrong(r, "%s: %llu NOA registers, the library has %llu", set->name, (unsigned long long)n, (unsigned long long)want);
	oa_profile_release(&p);
}

static void set_line(struct run *r, struct json *j)
{
	const struct feed *const feeds[] = { &r->feed };
	const struct metric_set *set;
	uint64_t number = 0, n_noa = 0;
	bool first = true;
	char key[64];

	unbind(r);
	while (json_key(j, &first, key, sizeof(key))) {
		if (!strcmp(key, "set"))
			json_string(j, r->set_name, sizeof(r->set_name));
		else if (!strcmp(key, "oa_format"))
			number = json_number(j).u;
		else if (!strcmp(key, "counters"))
			read_counters(r, j);
		else if (!strcmp(key, "n_regs"))
			n_noa = read_n_regs(j);
		else if (!strcmp(key, "t") || !strcmp(key, "name") || !strcmp(key, "guid"))
			json_string(j, (char[256]){ 0 }, 256);
		else
			json_skip(j);
	}
	r->format = oa_format_by_number((int)number);
	if (j->bad || !r->format) {
		wrong(r, "set line of %s: format %d", r->set_name, (int)number);
		return;
	}
	r->feed = (struct feed){ .name = "oa",
		.counters = r->counters,
		.n_counters = oa_format_counters(r->format, r->counters) };
	set = metric_lib_find(&r->lib, r->set_name, r->dev.platform);
	if (!set || strcmp(set->name, r->set_name) != 0) {
		if (strncmp(r->platform, "acm", 3))
			wrong(r, "set %s is missing", r->set_name);
		return;
	}
	check_presence(r, set);
	check_lists(r, set, n_noa);
	metric_bind(&r->binding, set, &r->dev, feeds, 1);
	r->binding.width = EXPR_64_BITS;	/* as the library */
	r->binding.keeps_excess = true;
	r->bound = true;
	bind_own(r);
	number = (uint64_t)set->n_metrics +
		(r->own_bound ? (uint64_t)r->own_binding.set->n_metrics : 0);
	r->values = xcalloc(number + 1, sizeof(*r->values));
	r->ceilings = xcalloc(number + 1, sizeof(*r->ceilings));
}

/* --- pair line
 * --------------------------------------------------------------------------------------------------------------- */

struct pair {
	uint8_t reports[2][256];
	char reason[2][32];
	uint64_t ts[2];
	uint64_t deltas[80];
	int n_deltas;
	uint64_t n;
	struct sample sample;
};

static void check_header(struct run *r, const struct pair *p, int i)
{
	struct oa_header h;
	uint64_t ts;

	oa_read_header(r->format, p->reports[i], &h);
	ts = r->timestamp_shift < 0 ? h.timestamp >> -r->timestamp_shift : h.timestamp;
	if (ts != p->ts[i])
		wrong(r, "%s pair %d: time stamp %" PRIu64 ", not %" PRIu64, r->set_name, (int)p->n,
			ts, p->ts[i]);
	if (strcmp(oa_reason_name(oa_reasons(r->graphics_ver, h.id)), p->reason[i]) != 0)
		wrong(r, "%s pair %d: reason of %08x is %s", r->set_name, (int)p->n, (unsigned)h.id,
			p->reason[i]);
	r->headers += 2;
}

/* Library: time, clock (not on Haswell), A, B, C; the rest of its array is 0. */
static void check_deltas(struct run *r, const struct pair *p)
{
	int skip = !r->format->has_ticks;

	if (p->n_deltas < r->feed.n_counters - skip)
		wrong(r, "%s pair %d has %d deltas", r->set_name, (int)p->n, p->n_deltas);
	for (int i = 0, ours = 0; i < p->n_deltas && ours < r->feed.n_counters; i++, ours++) {
		ours += ours == 1 && skip;
		if (p->sample.values[ours] != p->deltas[i])
			wrong(r, "%s pair %d: delta of %s is %" PRIu64 ", not %" PRIu64,
				r->set_name, (int)p->n, r->counters[ours].name,
				p->sample.values[ours], p->deltas[i]);
		r->deltas++;
	}
}

/* The production path: accumulator, then binding and evaluation. */
static void evaluate(struct run *r, struct pair *p)
{
	struct oa_accum a = { 0 };

	oa_accum_init(&a, r->format);
	oa_accum_add(&a, p->reports[0], 1, r->format->bytes);
	oa_accum_add(&a, p->reports[1], 1, r->format->bytes);
	p->sample.reports = oa_accum_take(&a, p->sample.values);
	if (r->timestamp_shift < 0)
		p->sample.values[0] >>= -r->timestamp_shift;
	r->shifted += r->timestamp_shift != 0;
	p->sample.window_ns = (int64_t)(p->sample.values[0] * 1000000000 / r->dev.timestamp_hz);
	if (r->bound)
		metric_eval(&r->binding, &p->sample, r->values, r->ceilings);
}

static void check_value(struct run *r, const struct pair *p, const struct expected *e,
	const char *which, const struct expr *expr, struct value got, struct number want)
{
	struct expr_input exact;

	if (!expr || got.why != WHY_OK) {
		wrong(r, "%s.%s pair %d: no %s (%s)", r->set_name, e->symbol, (int)p->n, which,
			why_name(got.why));
		return;
	}
	if (e->is_int) {
		exact = expr_eval_as(expr, r->binding.inputs, EXPR_64_BITS);
		if (!want.is_int || !exact.is_int || exact.u != want.u || got.v > (double)want.u ||
			got.v < (double)want.u)
			wrong(r, "%s.%s pair %d: %s is %" PRIu64 " (%.17g), not %" PRIu64,
				r->set_name, e->symbol, (int)p->n, which, exact.u, got.v, want.u);
		r->integers++;
		return;
	}
	if (!(fabs(got.v - want.d) <= 1e-12 * fabs(want.d)))
		wrong(r, "%s.%s pair %d: %s is %.17g, not %.17g", r->set_name, e->symbol, (int)p->n,
			which, got.v, want.d);
	r->floats++;
}

static const struct expected *find_expected(const struct run *r, const char *symbol, int hint)
{
	for (int i = 0; i < r->n_expected; i++) {
		const struct expected *e = &r->expected[(hint + i) % r->n_expected];

		if (!strcmp(e->symbol, symbol))
			return e;
	}
	return NULL;
}

/* Random reports may have more clocks with both FPUs than with either: the library's integers wrap
 * there. */
static bool ipc_makes_sense(const struct run *r, const struct pair *p)
{
	const uint64_t *a = p->sample.values + oa_format_index(r->format, "A0");

	return a[9] < a[10] + a[11];
}

/* igt has one file for all of Alder Lake. Intel's newer library counts messages to shared local
 * memory of its small parts as traffic with L3, and so do we. */
static double slm_in_l3(const struct run *r, const struct pair *p, const char *snake)
{
	const uint64_t *a = p->sample.values + oa_format_index(r->format, "A0");

	if (strcmp(r->platform, "adls") != 0 || strcmp(snake, "l3_shader_throughput") != 0)
		return 0;
	return 64.0 * (double)(a[30] + a[31]);
}

/* One of our own metrics against the library's value. The library truncates A / EUs: an error of a
 * clock of the window or a little more. What wraps or is out of range there is not compared. */
static void check_own(
	struct run *r, const struct pair *p, const char *symbol, bool is_int, struct number want)
{
	struct value *values = r->values + r->binding.set->n_metrics;
	const struct metric_set *set = r->own_binding.set;
	double clocks = (double)p->sample.values[1],
	       seconds = (double)p->sample.values[0] / (double)r->dev.timestamp_hz;
	double got, expected = is_int ? (double)want.u : want.d, slack;
	char snake[64];
	int i = metric_set_index(set, oa_xml_snake_case(symbol, snake, sizeof(snake)));

	if (!strcmp(symbol, "EuAvgIpcRate") && !ipc_makes_sense(r, p))
		return;
	if (i < 0 || clocks < 1000 || seconds < 1e-5 || (is_int ? want.u >> 62 : want.d > 1e15))
		return;
	if (values[i].why != WHY_OK) {
		wrong(r, "own %s.%s has no value (%s)", set->name, set->metrics[i].name,
			why_name(values[i].why));
		return;
	}
	got = values[i].v * set->metrics[i].unit.scale;
	expected += slm_in_l3(r, p, snake);
	slack = 1e-6 * fabs(expected);
	if (!strcmp(set->metrics[i].unit_text, "%")) {
		got *= 100;
		slack += 300 / clocks;
	} else if (!strcmp(snake, "avg_gpu_core_frequency")) {
		slack += 1e6 * fabs(expected) / (1e9 * seconds) + 1;
	} else if (!strcmp(snake, "gpu_time")) {
		got *= 1e9;
		slack += 1;
	} else if (set->metrics[i].unit.exp[UNIT_SECOND] == -1) {
		got *= (double)p->sample.window_ns / 1e9;
		slack += 1;
	}
	if (!(fabs(got - expected) <= slack))
		wrong(r, "own %s.%s pair %d: %.17g, not %.17g", set->name, set->metrics[i].name,
			(int)p->n, got, expected);
	r->own_values++;
}

static void check_values(struct run *r, struct json *j, const struct pair *p)
{
	bool first = true;
	char symbol[64];
	int n = 0;

	while (json_key(j, &first, symbol, sizeof(symbol))) {
		const struct expected *e = find_expected(r, symbol, n);
		struct number read, max;
		bool inner = true;
		const struct metric *m;

		json_item(j, &inner);
		read = json_number(j);
		json_item(j, &inner);
		max = json_number(j);
		json_expect(j, ']');
		if (!e || j->bad) {
			wrong(r, "%s pair %d: counter %s is not in the set line", r->set_name,
				(int)p->n, symbol);
			return;
		}
		n = (int)(e - r->expected) + 1;
		if (!r->bound || e->metric < 0 || e->excuse == EX_CHANGED) {
			r->excused[r->bound ? e->excuse : EX_NO_XML] += 1 + (uint64_t)!max.is_null;
			continue;
		}
		m = &r->binding.set->metrics[e->metric];
		check_value(r, p, e, "read", m->value, r->values[e->metric], read);
		if (!max.is_null)
			check_value(r, p, e, "max", m->ceiling, r->ceilings[e->metric], max);
		else if (m->ceiling)
			wrong(r, "%s.%s has a maximum", r->set_name, symbol);
		if (r->own_bound)
			check_own(r, p, symbol, e->is_int, read);
	}
	if (n == 0)
		wrong(r, "%s pair %d has no values", r->set_name, (int)p->n);
}

static void read_pair_field(struct run *r, struct json *j, const char *key, struct pair *p)
{
	bool first = true;
	int n = 0;

	if (!strcmp(key, "n")) {
		p->n = json_number(j).u;
	} else if (!strcmp(key, "r0") || !strcmp(key, "r1")) {
		if (json_hex(j, p->reports[key[1] - '0'], sizeof(p->reports[0])) !=
			r->format->bytes)
			j->bad = true;
	} else if (!strcmp(key, "reason")) {
		while (json_item(j, &first) && n < 2)
			json_string(j, p->reason[n++], sizeof(p->reason[0]));
	} else if (!strcmp(key, "ts")) {
		while (json_item(j, &first) && n < 2)
			p->ts[n++] = json_number(j).u;
	} else if (!strcmp(key, "deltas")) {
		while (json_item(j, &first) && p->n_deltas < (int)ARRAY_LEN(p->deltas))
			p->deltas[p->n_deltas++] = json_number(j).u;
	} else {
		json_skip(j);
	}
}

static void pair_line(struct run *r, struct json *j)
{
	struct pair p = { 0 };
	bool first = true, done = false;
	char key[64];

	while (!done && json_key(j, &first, key, sizeof(key))) {
		done = !strcmp(key, "v");
		if (!done)
			read_pair_field(r, j, key, &p);
	}
	if (j->bad || !done || !r->format) {
		wrong(r, "pair line after set %s is broken", r->set_name);
		return;
	}
	evaluate(r, &p);
	if (r->own_bound)
		metric_eval(&r->own_binding, &p.sample, r->values + r->binding.set->n_metrics,
			r->ceilings + r->binding.set->n_metrics);
	check_header(r, &p, 0);
	check_header(r, &p, 1);
	check_deltas(r, &p);
	check_values(r, j, &p);
	r->pairs++;
}

/* --- files
 * ------------------------------------------------------------------------------------------------------------------- */

/* Unpacked, NUL terminated. */
static char *read_gz(const char *path)
{
	gzFile f = gzopen(path, "rb");
	size_t cap = 1 << 20, used = 0;
	char *text = xmalloc(cap);
	int got;

	while (f && (got = gzread(f, text + used, (unsigned)(cap - used - 1))) > 0) {
		used += (size_t)got;
		if (cap - used < 2) {
			cap *= 2;
			text = xreallocarray(text, cap, 1);
		}
	}
	if (f)
		gzclose(f);
	text[used] = '\0';
	return text;
}

static void release(struct run *r)
{
	unbind(r);
	metric_lib_release(&r->lib);
}

struct totals {
	uint64_t pairs, integers, floats, deltas, headers, own_values, registers, excused[EXCUSES];
};

static void report(const struct run *r, struct totals *t)
{
	uint64_t excused = 0;

	t->pairs += r->pairs;
	t->integers += r->integers;
	t->floats += r->floats;
	t->deltas += r->deltas;
	t->headers += r->headers;
	t->own_values += r->own_values;
	t->registers += r->registers;
	for (int i = 1; i < EXCUSES; i++) {
		t->excused[i] += r->excused[i];
		excused += r->excused[i];
	}
	if (r->shifted)
		diag("%s: time stamps of %" PRIu64 " pairs halved as the library does", r->platform,
			r->shifted);
	diag("%s: %" PRIu64 " pairs, %" PRIu64 " integers, %" PRIu64 " floats, %" PRIu64
	     " deltas, %" PRIu64 " header fields, %" PRIu64 " of our own; %" PRIu64 " excused",
		r->platform, r->pairs, r->integers, r->floats, r->deltas, r->headers, r->own_values,
		excused);
}

static const char *find_include(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static bool is_loaded(const struct metric_lib *lib, const char *file)
{
	for (int i = 0; i < lib->n_sets; i++)
		if (!strcmp(lib->sets[i]->file, file))
			return true;
	return false;
}

/* Our own sets of a platform, each file once. */
static void load_own(struct metric_lib *lib, const char *platform)
{
	int problems = 0;

	for (const struct packed_file *e = metric_files; e->name; e++)
		if (packed_serves(e, platform) && !is_loaded(lib, e->name))
			metric_lib_load(lib, e->name, packed_text(e), find_include, NULL, print_problem, &problems);
	is_int(problems, 0, "our own sets of %s load", platform);
}

static void test_file(
	const char *folder, const char *name, struct metric_lib *own, struct totals *t)
{
	struct run *r = xcalloc(1, sizeof(*r));
	char path[4096];
	char *text, *line, *rest = NULL;
	bool going = true;

	snprintf(path, sizeof(path), "%s/oa/%s.jsonl.gz", folder, name);
	snprintf(r->platform, sizeof(r->platform), "%.23s", name);
	r->own = own;
	text = read_gz(path);
	for (line = strtok_r(text, "\n", &rest); line && going;
		line = strtok_r(NULL, "\n", &rest)) {
		struct json j = { .p = line };

		if (!strncmp(line, "{\"t\":\"platform\"", 15)) {
			going = platform_line(r, &j, folder);
			if (going)
				load_own(own, r->dev.platform);
		} else if (!strncmp(line, "{\"t\":\"set\"", 10))
			set_line(r, &j);
		else if (!strncmp(line, "{\"t\":\"pair\"", 11))
			pair_line(r, &j);
		else
			wrong(r, "unknown line %.40s", line);
	}
	report(r, t);
	is_int(r->errors, 0, "%s: %" PRIu64 " values agree", r->platform, r->integers + r->floats);
	if (going)
		ok(r->pairs > 0, "%s: %" PRIu64 " pairs of reports were there", r->platform,
			r->pairs);
	if (!strcmp(r->platform, "bdwgt3"))
		is_int(r->lists, 3, "bdwgt3: sets with a list for each slice or subslice");
	free(text);
	release(r);
	free(r);
}

static void test_all(const char *folder, const struct oracle_files *files)
{
	struct metric_lib own = { 0 };
	struct totals t = { 0 };

	for (int i = 0; i < files->n; i++)
		if (in_share())
			test_file(folder, files->names[i], &own, &t);
	diag("%d platforms: %" PRIu64 " pairs of reports, %" PRIu64 " values (%" PRIu64
	     " integers exactly, %" PRIu64 " floats to 1e-12), %" PRIu64 " deltas, %" PRIu64
	     " header fields; %" PRIu64 " values and %" PRIu64 " registers of our own sets",
		files->n, t.pairs, t.integers + t.floats, t.integers, t.floats, t.deltas, t.headers,
		t.own_values, t.registers);
	for (int i = 1; i < EXCUSES; i++)
		diag("excused: %" PRIu64 " by '%s'", t.excused[i], excuse_names[i]);
	ok_of_all(t.integers + t.floats > 0, "values were compared");
	ok_of_all(t.own_values > 0, "our own sets were compared, too");
	metric_lib_release(&own);
}

int main(void)
{
	static struct oracle_files files;

	if (oracle_list(&files, "oa", ".jsonl.gz"))
		test_all(getenv("ROOFTOP_ORACLE"), &files);
	return done_testing();
}
