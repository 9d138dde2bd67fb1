/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of Xe2: each of the counters P0 to P63 counts what a register of its own selects.
 *
 * P0 to P31 add up over the Xe cores; P32 to P63 see the rest of the GPU. Registers can narrow P7
 * to P20 to a shader stage; on older parts the same registers select everything that A7 to A20
 * count. The registers are from Linux xe_oa.c (PES_0_PESL0 to PES_63_UPPER_PESL3). The events
 * are the table of oa_pes_events.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

#define OA_PES_COUNTERS 64
#define OA_PES_CORE_COUNTERS 32	/* the first of these */
#define OA_PES_FIRST_FILTER 7	/* P7 to P20 */
#define OA_PES_LAST_FILTER 20

enum oa_pes_code {
	PES_XVE_SHARED_HOLD = 0x600,
	PES_SEND = 0x601,
	PES_ALU1 = 0x603,
	PES_OCCUPANCY = 0x604,
	PES_XVE_ACTIVE = 0x605,
	PES_XVE_STALL = 0x606,
	PES_INT16 = 0x60c,
	PES_INT32 = 0x60d,
	PES_ALU0 = 0x60f,
	PES_FP32 = 0x610,
	PES_FP16 = 0x611,
	PES_FP64 = 0x612,
	PES_INT64 = 0x613,
	PES_ALU2 = 0x614,
	PES_XMX_FP16 = 0x615,
	PES_XMX_BF16 = 0x616,
	PES_XMX_INT8 = 0x617,
	PES_XMX_INT4 = 0x618,
	PES_XMX_INT2 = 0x619,
	PES_STALL_FETCH = 0x61a,
	PES_STALL_BARRIER = 0x61b,
	PES_STALL_SBID = 0x61c,
	PES_STALL_ALUWR = 0x61d,
	PES_STALL_SENDWR = 0x61e,
	PES_STALL_PIPE = 0x61f,
	PES_STALL_CONTROL = 0x620,
	PES_STALL_OTHER = 0x621,
	PES_ALU0_ALU1 = 0x625,
	PES_ALU0_ALU2 = 0x626,
	PES_STALL_PS = 0x628,
	PES_GROUPS = 0x1801,
	PES_ASYNC_GROUPS = 0x1802,
	PES_LSC_ACCESS = 0xa0b,
	PES_SLM_BYTES_READ = 0xa15,
	PES_COPY_BUSY = 0x5000,
	PES_COMPUTE_BUSY = 0x5009,
	PES_RENDER_BUSY = 0x5013,
	PES_TEST1 = 0x3e00,
	PES_GPU_BUSY = 0x5a00,
	PES_MEM_BYTES_READ = 0x5e0a,
	PES_MEM_BYTES_WRITTEN = 0x5e0b,
	PES_L3_QUEUE_FULL = 0x6013,
};

/* When code is 0, the counter is not programmed. coarse is that of struct oa_event. */
struct oa_pes_event {
	uint32_t code;
	uint8_t coarse;
};

/* What an event counts: clocks in which something holds, slots of a pipe (clocks that instructions
 * take), thread slots in use, and amounts. A line is a transfer of 64 bytes. */
enum oa_pes_unit { CLOCKS, SLOTS, THREADS, EVENTS, MESSAGES, BYTES, LINES };

/* Of what there are several that count at the same time, so that clocks add up over them. */
enum oa_pes_per {
	PER_GPU, PER_XVE, PER_CORE, PER_SLICE, PER_L3_BANK, PER_L3_NODE, PER_SQIDI, PER_COLOR_PIPE,
	PER_DEPTH_PIPE, PER_GEOMETRY_PIPE, PER_COMPUTE_ENGINE, PER_COPY_ENGINE, PER_COUNT,
};

enum oa_pes_parts { PARTS_ALL, PARTS_BMG, PARTS_XE3 };

/* The events that have names, in the order of their codes. */
struct oa_pes_name {
	/* No pointers: a table of these is not written to when the program starts. */
	char name[48], intel[56];
	uint32_t code;
	enum oa_pes_unit unit;
	enum oa_pes_per per;
	uint16_t filters;	/* bit n: a filter on stage n is possible */
	enum oa_pes_parts parts;
	double stands_for_xe2, stands_for_xe3;	/* what a count stands for */
	char what[96];		/* what happens, or what is counted */
};
extern const struct oa_pes_name oa_pes_names[];
extern const size_t oa_pes_name_count;
/* Returns NULL for a code without a name. */
const struct oa_pes_name *oa_pes_by_code(uint32_t code);

/* Parses "xve_active", "alu0:cs", "EU_ACTIVE_CYCLES", "0x605". n is the counter that is to count
 * the event; it must see the place where the event happens. A filter that the event does not have
 * is refused. */
bool oa_pes_parse(const char *text, int n, struct oa_pes_event *out, struct err *err);
/* The same for any counter, and whether a counter can count the event. */
bool oa_pes_parse_any(const char *text, struct oa_pes_event *out, struct err *err);
bool oa_pes_sees(int n, const struct oa_pes_event *e);
/* Writes the text that parses as the event; returns buf. */
const char *oa_pes_text(const struct oa_pes_event *e, char *buf, size_t size);
/* Whose work the filter lets through; "" when everything. */
const char *oa_pes_filter_what(const struct oa_pes_event *e);
/* Appends all events and filters, translated. */
void oa_pes_list(struct strbuf *out);

struct oa_reg;
/* Appends the registers that select the events; room is the size of regs. Returns how many there
 * are, or -1 when there is no room. */
int oa_pes_registers(
	const struct oa_pes_event events[OA_PES_COUNTERS], struct oa_reg *regs, int room);
/* Goes the way back: finds what the registers make the counters count. The last write to an address
 * wins. */
void oa_pes_events(const struct oa_reg *regs, int n, struct oa_pes_event events[OA_PES_COUNTERS]);
