/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of the xe driver's queries: topologies with holes, several GTs and OA units, and what no
 * kernel should say. */
#include "config.h"

#include "backends/intel/xe/xe_node.h"

#include <string.h>

#include "base/mem.h"
#include "tests/tap.h"

struct answer {
	uint8_t bytes[1024];
	size_t len;
};

static void add(struct answer *a, const void *p, size_t len)
{
	memcpy(a->bytes + a->len, p, len);
	a->len += len;
}

static void add_mask(struct answer *a, uint16_t gt, uint16_t type, const char *mask, size_t n)
{
	struct xe_topology_mask head = { .gt_id = gt, .type = type, .n_bytes = (uint32_t)n };

	add(a, &head, sizeof(head));
	add(a, mask, n);
}

static double constant(const struct device *d, const char *name)
{
	const struct device_const *c = device_const(d, name);

	return c ? c->v : -1;
}

static void test_topology(void)
{
	struct device d = { .platform = "lnl",
		.topology = { .threads_per_eu = 8, .subslice_mask_stride = 4 } };
	struct answer a = { .len = 0 };
	struct err err = { .code = ERR_NONE };
	int early = 0;

	add_mask(&a, 1, XE_TOPO_DSS_GEOMETRY, "\xff\xff", 2);		/* media: another GT */
	/* a length that leaves the next one unaligned */
	add_mask(&a, 0, XE_TOPO_DSS_GEOMETRY, "\xf7\x00\x00", 3);
	add_mask(&a, 0, XE_TOPO_DSS_COMPUTE, "\xff\x02", 2);
	add_mask(&a, 0, XE_TOPO_L3_BANK, "\x0f", 1);
	add_mask(&a, 0, 99, "\xff", 1);				/* of a newer kernel */
	add_mask(&a, 0, XE_TOPO_SIMD16_EU_PER_DSS, "\x7f\x00", 2);
	ok(xe_topology_parse(&d, 0, 4, a.bytes, a.len, &err), "a topology is read %s", err.msg);
	is_int(d.topology.subslices, 9, "subslices of geometry or compute");
	is_int(d.topology.slices, 3, "slices of four that have one");
	is_int(d.topology.eus, 9 * 7, "EUs of each");
	is_int((long long)d.topology.subslice_mask, 0x2ff, "their numbers");
	is_int(d.topology.threads_per_eu, 8, "threads stay");
	is_int((long long)constant(&d, "l3_bank_count"), 4, "L3 banks");
	is_int((long long)constant(&d, "l3_node_count"), 1, "L3 nodes");
	ok(d.topology.raw_len > 16, "recordings get i915's image of it");
	for (size_t cut = 0; cut < a.len; cut++) {
		struct device again = { .n_consts = 0 };

		early += xe_topology_parse(&again, 0, 4, a.bytes, cut, NULL);
	}
	is_int(early, 0, "answers that end early are refused: the EUs come last");
	memset(a.bytes + 4, 0xff, 4);
	ok(!xe_topology_parse(&d, 0, 4, a.bytes, a.len, &err),
		"a mask that is longer than the answer is refused");
	ok(strstr(err.msg, "runs past its end"), "  ... %s", err.msg);
	a.len = 0;
	add_mask(&a, 0, XE_TOPO_DSS_GEOMETRY, "\x01", 1);
	ok(!xe_topology_parse(&d, 0, 4, a.bytes, a.len, &err), "no EUs: %s", err.msg);
	a.len = 0;
	add_mask(&a, 0, XE_TOPO_DSS_GEOMETRY,
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16);
	add_mask(&a, 0, XE_TOPO_EU_PER_DSS, "\xff\xff\xff\xff", 4);
	ok(!xe_topology_parse(&d, 0, 8, a.bytes, a.len, &err), "more than fits: %s", err.msg);
}

static void add_unit(struct answer *a, uint32_t id, uint32_t type, uint64_t hz, uint64_t engines)
{
	struct xe_oa_unit u = {
		.id = id, .type = type, .timestamp_hz = hz, .capabilities = 9, .n_engines = engines
	};

	add(a, &u, sizeof(u));
	for (uint64_t i = 0; i < engines && i < 4; i++)
		add(a, &(struct xe_engine_instance){ 0 }, sizeof(struct xe_engine_instance));
}

static void test_units(void)
{
	struct xe_oa_units head = { .n = 3 };
	struct device d = { .timestamp_hz = 1 };
	struct xe_facts f = { .has_oa = false };
	struct answer a = { .len = 0 };

	add(&a, &head, sizeof(head));
	add_unit(&a, 5, XE_OA_UNIT_OAM, 19200000, 3);
	add_unit(&a, 7, XE_OA_UNIT_OAG, 38400000, 2);
	add_unit(&a, 8, XE_OA_UNIT_OAG, 1000, 0);
	ok(xe_oa_units_parse(&f, &d, a.bytes, a.len), "there is a unit for rendering and compute");
	is_int(f.oa_unit, 7, "  ... the first of its type");
	is_int((long long)d.timestamp_hz, 38400000, "  ... with a time stamp of its own");
	for (size_t cut = 0; cut < sizeof(head) + 2 * sizeof(struct xe_oa_unit); cut++) {
		f = (struct xe_facts){ .has_oa = false };
		if (xe_oa_units_parse(&f, &d, a.bytes, cut))
			break;
	}
	ok(!f.has_oa, "answers that end early have none");
	a.len = 0;
	add(&a, &head, sizeof(head));
	add_unit(&a, 5, XE_OA_UNIT_OAM, 19200000, UINT64_MAX / 4);
	ok(!xe_oa_units_parse(&f, &d, a.bytes, a.len), "more engines than there is room for");
}

int main(void)
{
	test_topology();
	test_units();
	return done_testing();
}
