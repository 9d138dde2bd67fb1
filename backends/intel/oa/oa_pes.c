/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of Xe2's events, and their way into registers and back. */
#include "config.h"

#include "backends/intel/oa/oa_pes.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "backends/intel/oa/oa_events.h"
#include "backends/intel/oa/oa_reg.h"
#include "base/mem.h"
#include "base/parse.h"

/* Events with codes from here on happen outside of the Xe cores. */
#define FIRST_GLOBAL_CODE 0x4000

#define PES_BASE 0x13000
/* Each of four units has 64 registers of 8 bytes; the last three see what is outside of the cores. */
#define PES_COPY_BYTES 0x200
#define PES_COPIES 4

static const struct pes_filter {
	const char *name;
	uint8_t code;
	const char *text;
} filters[] = {
	{ "vs", 1, "vertex shader threads" }, { "hs", 2, "hull shader threads" },
	{ "ds", 3, "domain shader threads" }, { "gs", 4, "geometry shader threads" },
	{ "ps", 5, "pixel shader threads" }, { "cs", 6, "compute threads" },
	{ "async_cs", 9, "compute threads of the compute engine" },
	{ "task", 10, "task shader threads" }, { "mesh", 11, "mesh shader threads" },
	{ "rt", 12, "ray tracing threads; of pipes those of any hit" },
	{ "rt_closest", 13, "ray tracing threads of the closest hit" },
	{ "rt_miss", 14, "ray tracing threads of a miss" },
};

static bool is_word(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && !strncasecmp(name, text, len);
}

const struct oa_pes_name *oa_pes_by_code(uint32_t code)
{
	for (size_t i = 0; i < oa_pes_name_count; i++)
		if (oa_pes_names[i].code == code)
			return &oa_pes_names[i];
	return NULL;
}

/* Takes our name, Intel's name or a number. */
static bool find_code(const char *text, size_t len, uint32_t *code)
{
	char word[32];
	uint64_t number;

	for (size_t i = 0; i < oa_pes_name_count; i++)
		if (is_word(oa_pes_names[i].name, text, len) ||
			is_word(oa_pes_names[i].intel, text, len)) {
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

static bool is_global(const struct oa_pes_event *e)
{
	return (e->code & 0xffff) >= FIRST_GLOBAL_CODE;
}

static bool parse_filter(const char *text, struct oa_pes_event *e, struct err *err)
{
	uint64_t number;

	for (size_t i = 0; i < ARRAY_LEN(filters) && !e->coarse; i++)
		if (!strcmp(filters[i].name, text))
			e->coarse = filters[i].code;
	if (!e->coarse && parse_u64_range(text, 1, 15, &number))
		e->coarse = (uint8_t)number;
	if (e->coarse)
		return true;
	err_set(err, ERR_PARSE, "unknown filter '%.40s'", text);
	return err_hint(err, "'rooftop --counter help' lists the words");
}

/* An event that has no name may have any filter: nobody knows. */
static bool check_filter(const char *text, const struct oa_pes_event *e, struct err *err)
{
	const struct oa_pes_name *n = oa_pes_by_code(e->code & 0xffff);

	if (!n || n->filters >> e->coarse & 1)
		return true;
	if (n->filters)
		return err_set(err, ERR_PARSE, "'%.40s' does not know that filter", text);
	err_set(err, ERR_PARSE, "the event '%.40s' has no filter", text);
	return err_hint(err,
		"send, alu0, alu1, occupancy, xve_active and xve_stall can be narrowed to a stage");
}

bool oa_pes_parse_any(const char *text, struct oa_pes_event *out, struct err *err)
{
	size_t len = strcspn(text, ":");
	struct oa_pes_event e = { 0 };

	if (!find_code(text, len, &e.code))
		return err_set(err, ERR_PARSE, "unknown event '%.40s'", text);
	if (text[len] == ':' &&
		(!parse_filter(text + len + 1, &e, err) || !check_filter(text, &e, err)))
		return false;
	*out = e;
	return true;
}

bool oa_pes_sees(int n, const struct oa_pes_event *e)
{
	return (n >= OA_PES_CORE_COUNTERS) == is_global(e) &&
		(!e->coarse || (n >= OA_PES_FIRST_FILTER && n <= OA_PES_LAST_FILTER));
}

bool oa_pes_parse(const char *text, int n, struct oa_pes_event *out, struct err *err)
{
	struct oa_pes_event e = { 0 };

	if (!oa_pes_parse_any(text, &e, err))
		return false;
	if ((n >= OA_PES_CORE_COUNTERS) != is_global(&e)) {
		err_set(err, ERR_PARSE, "P%d does not see the event '%.40s'", n, text);
		return err_hint(
			err, "P0 to P31 count in the Xe cores, P32 to P63 outside of them");
	}
	if (!oa_pes_sees(n, &e))
		return err_set(err, ERR_PARSE, "P%d has no filter, only P%d to P%d have", n,
			OA_PES_FIRST_FILTER, OA_PES_LAST_FILTER);
	*out = e;
	return true;
}

const char *oa_pes_text(const struct oa_pes_event *e, char *buf, size_t size)
{
	const struct oa_pes_name *n = oa_pes_by_code(e->code);
	const char *filter = "";
	char number[16];
	const char *name = number;

	snprintf(number, sizeof(number), "0x%x", e->code);
	for (size_t i = 0; i < ARRAY_LEN(filters); i++)
		if (filters[i].code == e->coarse)
			filter = filters[i].name;
	if (n)
		name = n->name;
	snprintf(buf, size, "%s%s%s", name, *filter ? ":" : "", filter);
	return buf;
}

const char *oa_pes_filter_what(const struct oa_pes_event *e)
{
	for (size_t i = 0; i < ARRAY_LEN(filters); i++)
		if (filters[i].code == e->coarse)
			return filters[i].text;
	return "";
}

void oa_pes_list(struct strbuf *out)
{
	strbuf_addf(out, "\n%s\n",
		"From Lunar Lake on: EVENT[:STAGE], where EVENT is a word, Intel's name or a "
		"number:\n"
		"  xve_active   alu0:cs   L3_READ   0x605");
	for (size_t i = 0; i < oa_pes_name_count; i++)
		strbuf_addf(out, "  %-26s %#6x  %s\n", oa_pes_names[i].name, oa_pes_names[i].code,
			oa_pes_names[i].what);
	strbuf_addf(out, "\n%s\n",
		"STAGE of send, alu0, alu1, occupancy, xve_active, xve_stall, only");
	for (size_t i = 0; i < ARRAY_LEN(filters); i++)
		strbuf_addf(out, "  %-11s %2u  %s\n", filters[i].name, filters[i].code,
			filters[i].text);
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
			struct oa_reg reg = { OA_REG_OA, PES_BASE + (uint32_t)(copy * PES_COPY_BYTES + 8 * i), events[i].code };

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
