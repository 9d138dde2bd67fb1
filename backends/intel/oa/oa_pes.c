/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of Xe2's events, and their way into registers and back. */
#include "config.h"

#include "backends/intel/oa/oa_pes.h"

#include <string.h>

#include "backends/intel/oa/oa_profile.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

/* Events with codes from here on happen outside of the Xe cores. */
#define FIRST_GLOBAL_CODE 0x4000

#define PES_BASE 0x13000
#define PES_COPY_BYTES 0x200	/* each of four units has 64 registers of 8 bytes; the last three see what is outside of the cores */
#define PES_COPIES 4

const struct oa_pes_name oa_pes_names[] = {
	{ "xve_shared_hold", 0x600 }, { "send", 0x601 }, { "control", 0x602 }, { "alu1", 0x603 }, { "occupancy", 0x604 },
	{ "xve_active", 0x605 }, { "xve_stall", 0x606 }, { "bitconv", 0x607 }, { "barrier", 0x608 }, { "predication", 0x609 },
	{ "nondivergent", 0x60a }, { "issued", 0x60b }, { "int16", 0x60c }, { "int32", 0x60d }, { "math", 0x60e },
	{ "alu0", 0x60f }, { "fp32", 0x610 }, { "fp16", 0x611 }, { "fp64", 0x612 }, { "int64", 0x613 }, { "alu2", 0x614 },
	{ "xmx_fp16", 0x615 }, { "xmx_bf16", 0x616 }, { "xmx_int8", 0x617 }, { "xmx_int4", 0x618 }, { "xmx_int2", 0x619 },
	{ "stall_fetch", 0x61a }, { "stall_barrier", 0x61b }, { "stall_sbid", 0x61c }, { "stall_aluwr", 0x61d },
	{ "stall_sendwr", 0x61e }, { "stall_pipe", 0x61f }, { "stall_control", 0x620 }, { "stall_other", 0x621 },
	{ "icache_hit", 0x622 }, { "icache_miss", 0x623 }, { "multiple_pipes", 0x624 }, { "alu0_alu1", 0x625 },
	{ "alu0_alu2", 0x626 }, { "stall_ps", 0x628 }, { "fp64_second", 0x629 }, { "sampler_stall", 0x1 },
	{ "sampler_quads", 0x2 }, { "sampler_miss", 0x5 }, { "sampler_access", 0x6 }, { "sampler_active", 0x7 },
	{ "lsc_reads", 0xa00 }, { "lsc_writes", 0xa01 }, { "lsc_atomics", 0xa02 }, { "lsc_fences", 0xa03 },
	{ "slm_reads", 0xa04 }, { "slm_writes", 0xa05 }, { "slm_atomics", 0xa06 }, { "slm_fences", 0xa07 }, { "lsc_hit", 0xa0a },
	{ "lsc_access", 0xa0b }, { "slm_conflicts", 0xa0d }, { "lsc_partial_writes", 0xa0e }, { "lsc_input", 0xa11 },
	{ "lsc_output", 0xa12 }, { "lsc_bytes_read", 0xa13 }, { "lsc_bytes_written", 0xa14 }, { "slm_bytes_read", 0xa15 },
	{ "slm_bytes_written", 0xa16 }, { "slm_access", 0xa17 }, { "rt_bvh_miss", 0xc10 }, { "rt_rays", 0xc18 },
	{ "rt_stall", 0xc1d }, { "dispatch", 0x1600 }, { "queue0_active", 0x1601 }, { "queue1_active", 0x1602 },
	{ "queue0_stall", 0x1604 }, { "queue1_stall", 0x1606 }, { "task_groups", 0x1800 }, { "groups", 0x1801 },
	{ "async_groups", 0x1802 }, { "async_threads_done", 0x1804 }, { "queue0_resource_stall", 0x1807 },
	{ "queue1_resource_stall", 0x1808 }, { "test1", 0x3e00 }, { "pixels_written", 0x4000 }, { "pixels_blended", 0x4001 },
	{ "primitives", 0x4404 }, { "vertices", 0x4405 }, { "compressor_in", 0x4600 }, { "compressor_out", 0x4601 },
	{ "urb_reads", 0x4a00 }, { "urb_writes", 0x4a01 }, { "copy_busy", 0x5000 }, { "compute_launches", 0x5008 },
	{ "compute_busy", 0x5009 }, { "flushes", 0x5010 }, { "draws", 0x5011 }, { "render_launches", 0x5012 },
	{ "render_busy", 0x5013 }, { "gpu_busy", 0x5a00 }, { "tlb_miss", 0x5c00 }, { "mem_l3_reads", 0x5e00 },
	{ "mem_l3_writes", 0x5e01 }, { "mem_queue_full", 0x5e04 }, { "mem_active", 0x5e05 }, { "mem_64b_reads", 0x5e06 },
	{ "mem_64b_writes", 0x5e07 }, { "mem_32b_reads", 0x5e08 }, { "mem_32b_writes", 0x5e09 }, { "mem_bytes_read", 0x5e0a },
	{ "mem_bytes_written", 0x5e0b }, { "l3_input", 0x6000 }, { "l3_output", 0x6001 }, { "l3_atomics", 0x6002 },
	{ "l3_reads", 0x600f }, { "l3_writes", 0x6010 }, { "l3_miss", 0x6011 }, { "l3_hit", 0x6012 },
	{ "l3_queue_full", 0x6013 }, { "l3_busy", 0x6014 }, { "l3_stall", 0x6015 }, { "host_reads", 0x6400 },
	{ "host_writes", 0x6401 }, { "sysmem_reads", 0x6402 }, { "sysmem_writes", 0x6403 }, { "samples", 0x6805 },
	{ "copy_reads", 0x6e00 }, { "copy_writes", 0x6e01 }, { "copy_stall", 0x6e02 }, { "test2", 0x7e00 },
};

const size_t oa_pes_name_count = ARRAY_LEN(oa_pes_names);

static bool find_code(const char *text, size_t len, uint32_t *code)
{
	char word[32];
	uint64_t number;

	for (size_t i = 0; i < oa_pes_name_count; i++)
		if (strlen(oa_pes_names[i].name) == len && !memcmp(oa_pes_names[i].name, text, len)) {
			*code = oa_pes_names[i].code;
			return true;
		}
	if (len == 0 || len >= sizeof(word))
		return false;
	memcpy(word, text, len);
	word[len] = '\0';
	if (!parse_u64_range(word, 1, UINT32_MAX, &number) &&
		!(word[0] == '0' && word[1] == 'x' && parse_hex(word + 2, &number)))
		return false;
	*code = (uint32_t)number;
	return number > 0 && number <= UINT32_MAX;
}

bool oa_pes_parse(const char *text, int n, struct oa_pes_event *out, struct err *err)
{
	size_t len = strcspn(text, ":");
	struct oa_pes_event e = { 0 };

	if (!find_code(text, len, &e.code))
		return err_set(err, ERR_PARSE, _("unknown event '%.40s'"), text);
	if ((n < OA_PES_CORE_COUNTERS) != ((e.code & 0xffff) < FIRST_GLOBAL_CODE)) {
		err_set(err, ERR_PARSE, _("P%d does not see the event '%.40s'"), n, text);
		return err_hint(
			err, _("P0 to P31 count in the Xe cores, P32 to P63 outside of them"));
	}
	if (text[len] == ':' && (n < OA_PES_FIRST_FILTER || n > OA_PES_LAST_FILTER))
		return err_set(err, ERR_PARSE, _("P%d has no filter, only P%d to P%d have"), n,
			OA_PES_FIRST_FILTER, OA_PES_LAST_FILTER);
	if (text[len] == ':' && !oa_coarse_parse(text + len + 1, &e.coarse, err))
		return false;
	*out = e;
	return true;
}

static uint32_t pes_address(int copy, int n)
{
	return PES_BASE + (uint32_t)copy * PES_COPY_BYTES + 8 * (uint32_t)n;
}

static int add(struct oa_reg *regs, int room, int n, struct oa_reg reg)
{
	if (n < 0 || n >= room)
		return -1;
	regs[n] = reg;
	return n + 1;
}

int oa_pes_registers(
	const struct oa_pes_event events[OA_PES_COUNTERS], struct oa_reg *regs, int room)
{
	int n = 0;

	for (int i = 0; i < OA_PES_COUNTERS; i++) {
		int first = 0, last = 0;

		if (i >= OA_PES_CORE_COUNTERS) {
			first = 1;
			last = PES_COPIES - 1;
		}
		for (int copy = first; events[i].code && copy <= last; copy++) {
			struct oa_reg reg = { OA_REG_OA, pes_address(copy, i), events[i].code };

			n = add(regs, room, n, reg);
			reg.address += 4;
			reg.value = 0;
			n = add(regs, room, n, reg);
		}
	}
	/* A pair of counters shares the register of their filters. It is written when one of them
	 * is in use. */
	for (int i = 0; i < OA_FLEX_REGS; i++) {
		const struct oa_pes_event *low = &events[OA_PES_FIRST_FILTER + 2 * i],
					  *high = low + 1;
		struct oa_reg reg = { OA_REG_FLEX, oa_flex_addresses[i],
			(uint32_t)low->coarse << 4 | (uint32_t)high->coarse << 16 };

		if (low->code || high->code)
			n = add(regs, room, n, reg);
	}
	return n;
}

void oa_pes_events(const struct oa_reg *regs, int n, struct oa_pes_event events[OA_PES_COUNTERS])
{
	for (int r = 0; r < n; r++) {
		uint32_t at = regs[r].address - PES_BASE;
		int i = (int)(at % PES_COPY_BYTES / 8);

		if (regs[r].address >= PES_BASE && at < PES_COPIES * PES_COPY_BYTES &&
			at % 8 == 0 && (at < PES_COPY_BYTES) == (i < OA_PES_CORE_COUNTERS))
			events[i].code = regs[r].value;
		for (int k = 0; k < OA_FLEX_REGS; k++) {
			if (regs[r].address != oa_flex_addresses[k])
				continue;
			events[OA_PES_FIRST_FILTER + 2 * k].coarse = regs[r].value >> 4 & 15;
			events[OA_PES_FIRST_FILTER + 2 * k + 1].coarse = regs[r].value >> 16 & 15;
		}
	}
}
