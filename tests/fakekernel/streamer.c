/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch runs in the call that submits it, one command after the other: MI_NOOP, MI_STORE_DATA_IMM, MI_STORE_REGISTER_MEM,
 * MI_REPORT_PERF_COUNT, MI_LOAD_REGISTER_IMM of the one register that asks for a report, MI_BATCH_BUFFER_START of another batch, MI_BATCH_BUFFER_END, and PIPE_CONTROL, which only waits. Commands of the
 * render, media and copy engines are stepped over: nothing is drawn or copied. Lengths and addresses by generation: PRM vol. 2a command
 * reference, Linux intel_gpu_commands.h. Anything else hangs the GPU.
 *
 * Before Gen12 MI_REPORT_PERF_COUNT shows the OA unit of the stream. From Gen12 on it shows one that counts for the stream's context
 * alone: the model's load is what that context runs when i915/load_context of the tree says "own", and that of somebody else if not.
 * Word of $FAKEKERNEL_FAIL: "drop@N" (the Nth report is not written). */
#include "config.h"

#include "tests/fakekernel/streamer.h"

#include <string.h>

#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/registers.h"

#define CTX_ID 0x2a
#define MMIO_TRIGGER 0xdb1c
#define OA_TAIL 0xdb04
#define OA_BUFFER 0xdb08
#define BUFFER_ADDRESS 0x1000000u	/* as the GPU sees it */
#define MAX_COMMANDS 1000000	/* more are a batch that does not end */

enum {
	MI_NOOP = 0x00,
	MI_BATCH_END = 0x0a,
	MI_STORE_DATA = 0x20,
	MI_LOAD_REGISTER = 0x22,
	MI_STORE_REGISTER = 0x24,
	MI_REPORT = 0x28,
	MI_BATCH_START = 0x31
};

static struct fake_oa *stream;
static uint32_t stream_context;

void fake_streamer_sees(struct fake_oa *s, uint32_t context)
{
	stream = s;
	stream_context = context;
}

/* What the unit that the command streamer sees has counted. */
static void counter_values(uint64_t *values)
{
	const struct oa_unit *u = &stream->unit;
	int64_t t = fake_model_ns();
	char who[16] = "";

	values[0] = oa_unit_timestamp(u, t);
	fake_tree_read("/i915/load_context", who, sizeof(who));
	for (int i = 1; i < u->n_counters; i++)
		values[i] = u->quantity[i] < 0 || (stream_context && strcmp(who, "own")) ? 0 :
			oa_unit_counter(u, (enum quantity)u->quantity[i], t);
}

static bool report(const struct fake_batch *b, uint64_t address, uint32_t id)
{
	struct oa_header h = { .id = id, .ctx_id = CTX_ID };
	uint64_t values[OA_MAX_COUNTERS] = { 0 };
	uint8_t *to;

	if (!stream || !stream->enabled || (stream_context && stream_context != b->context) ||
		fake_fails("drop"))
		return true;	/* the unit is off: the command does nothing */
	to = b->memory(b->space, address, stream->unit.c.format->bytes);
	if (!to || address % 64)
		return false;
	counter_values(values);
	h.timestamp = values[0];
	oa_encode(stream->unit.c.format, &h, values, to);
	return true;
}

static bool store(const struct fake_batch *b, uint64_t address, const uint32_t *w, size_t words)
{
	uint8_t *to = b->memory(b->space, address, words * sizeof(*w));

	if (to)
		memcpy(to, w, words * sizeof(*w));
	return to != NULL;
}

/* Where the stream's buffer is and how far the unit has written. What batches asked for has landed, because they wait for it. False:
 * another register, or no stream that counts everything. */
static bool buffer_register(uint32_t reg, uint32_t *value)
{
	bool has = stream && stream->enabled && !stream_context;

	if (!has || (reg != OA_BUFFER && reg != OA_TAIL))
		return false;
	*value = BUFFER_ADDRESS;
	if (reg == OA_BUFFER)
		return true;
	do
		oa_unit_advance(&stream->unit, fake_model_ns());
	while (stream->unit.lines_left > 0);
	*value += oa_unit_tail(&stream->unit);
	return true;
}

static bool store_register(const struct fake_batch *b, uint64_t address, uint32_t reg)
{
	uint32_t value;

	if (buffer_register(reg & 0x7ffffc, &value))
		return store(b, address, &value, 1);
	return fake_registers_open() &&
		store(b, address, &(uint32_t){ fake_register_read(reg & 0x7ffffc, false) }, 1);
}

/* Programs may write few registers, and what writes another one does nothing. From Gen12 on the one
 * that asks the OA unit for a report is among them while a stream is open (Linux xe_reg_whitelist.c,
 * i915 intel_engine_allow_user_register_access()). */
static void load_registers(const uint32_t *w, uint32_t words)
{
	for (uint32_t i = 1; i + 1 < words; i += 2)
		if (w[i] == MMIO_TRIGGER && stream && stream->enabled && !stream_context)
			oa_unit_trigger(&stream->unit, fake_model_ns(), w[i + 1]);
}

/* The words of a command of an engine, by the type in its first three bits: 2 copies; 3 renders, where subtype 1 has one word and subtype 2,
 * media, a length of 16 bits. 0: it is none. */
static uint32_t engine_words(uint32_t w)
{
	uint32_t type = w >> 29, subtype = w >> 27 & 3;

	if (type == 3 && subtype == 1)
		return 1;
	if (type == 3 && subtype == 2)
		return (w & 0xffff) + 2;
	return type == 2 || type == 3 ? (w & 0xff) + 2 : 0;
}

static uint32_t words_of(uint32_t w)
{
	if (engine_words(w))
		return engine_words(w);
	return w >> 23 < 0x10 ? 1 : (w & 0xff) + 2;
}

/* One command. False: the GPU hangs on it. */
static bool execute(const struct fake_batch *b, const uint32_t *w, uint32_t words)
{
	bool wide = fake_machine()->graphics_ver >= 8;
	uint64_t address = words > 2 ? w[1] | (wide ? (uint64_t)w[2] << 32 : 0) : 0;

	switch (w[0] >> 23) {
	case MI_NOOP:
		return true;
	case MI_STORE_DATA:	/* of one word, or of two */
		return (words == 4 || (words == 5 && wide)) &&
			store(b, wide ? address : w[2], w + 3, words - 3);
	case MI_LOAD_REGISTER:
		load_registers(w, words);
		return fake_machine()->graphics_ver >= 12;
	case MI_STORE_REGISTER:
		return words == (wide ? 4u : 3u) &&
			store_register(b, wide ? w[2] | (uint64_t)w[3] << 32 : w[2], w[1]);
	case MI_REPORT:
		return words == (wide ? 4u : 3u) &&
			report(b, address & ~UINT64_C(63), w[wide ? 3 : 2]);
	default:
		return engine_words(w[0]) > 0;
	}
}

static bool hangs(uint64_t address, const uint32_t *w)
{
	fake_log("HANG at %llx: %08x\n", (unsigned long long)address, w ? *w : 0);
	return false;
}

bool fake_batch_run(const struct fake_batch *b, uint64_t address)
{
	for (int i = 0; i < MAX_COMMANDS; i++) {
		const uint32_t *w = (const void *)b->memory(b->space, address, sizeof(*w));
		uint32_t words = w ? words_of(*w) : 0;

		if (!words || !b->memory(b->space, address, words * sizeof(*w)))
			return hangs(address, w);
		if (*w >> 23 == MI_BATCH_END)
			return true;
		if (*w >> 23 == MI_BATCH_START && words == 3)
			address = w[1] | (uint64_t)w[2] << 32;
		else if (execute(b, w, words))
			address += words * sizeof(*w);
		else
			return hangs(address, w);
	}
	return hangs(address, NULL);
}
