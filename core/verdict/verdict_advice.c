/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What helps against a limit: one step for each resource, and for kinds that name none. A metric
 * file's own tip comes first. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict/verdict_priv.h"

#define ANY VERDICT_KINDS /* of kinds that say that something is full */

/* One row for each kind and resource; the first that fits is said. Resources are words with blanks
 * around each; NULL: any. What is full must not be recommended: never has words that the step, and
 * any that takes its place, may not have. */
static const struct {
	enum verdict_kind kind;
	const char *resources;
	const char *text;
	const char *never;
} rows[] = {
	{ ANY, " fpu fpu0 alu alu0 alu1 fp32 fp ",
		N_("fewer, cheaper instructions: multiply-add, half types, no division"), NULL },
	{ ANY, " fpu1 efu ", N_("less division, fewer square roots and other functions"), "add" },
	{ ANY, " fp64 ", N_("single precision where that is enough"), "double" },
	{ ANY, " fp16 ", N_("fewer instructions: matrix units for products"), "half" },
	{ ANY, " integer ", N_("fewer integer instructions: addresses that are computed once"),
		"multiply-add half division" },
	{ ANY, " tensor xmx ", N_("smaller types, and only the products that are needed"),
		"matrix tensor multiply-add" },
	{ ANY, " send ", N_("fewer and wider messages"), "multiply-add half division" },
	{ ANY, " sampler texture ", N_("fewer samples, mipmaps, cheaper filters"),
		"multiply-add half" },
	{ ANY, " rasterizer ", N_("fewer and larger triangles, less overdraw"),
		"multiply-add half" },
	{ ANY, " slm ", N_("fewer SLM accesses: keep values in registers, avoid bank conflicts"),
		"local tiles" },
	{ ANY, " l1 l2 l3 ", N_("fewer and wider cache accesses: keep values in registers"),
		"cache-blocking local" },
	{ ANY, " gti_write external_write ", N_("write fewer bytes: fused kernels, whole lines"),
		"read" },
	{ ANY, " gti_read external_read ", N_("read fewer bytes: reuse what caches hold"),
		"write" },
	{ ANY, " dram ", N_("move fewer bytes per FLOP: tiles, fused kernels, local memory"),
		"prefetch" },
	{ ANY, " cpu_memory ", N_("let the processor move fewer bytes meanwhile"), NULL },
	{ VERDICT_HOST, NULL, N_("larger batches, fewer launches"), "start" },
	{ VERDICT_PARTLY_IDLE, NULL,
		N_("overlap launches with work; find what the program waits for"), "start" },
	{ VERDICT_LAUNCH, NULL, N_("merge launches, or put more work into each"), "start smaller" },
	{ VERDICT_PARALLELISM, " occupancy ",
		N_("more work-groups; fewer registers or local memory for each"), "independent" },
	{ VERDICT_PARALLELISM, NULL, N_("more and smaller work-groups, less local memory for each"),
		"fewer work" },
	{ VERDICT_HEAT, NULL, N_("more cooling"), NULL },
	{ VERDICT_POWER, NULL, N_("a higher power limit, or less work for others who share it"),
		NULL },
	{ VERDICT_CURRENT, NULL, N_("less work for others who share the supply"), NULL },
	{ VERDICT_CLOCK, " clock ", N_("look at heat and power: firmware may hold it"), NULL },
	{ VERDICT_CLOCK, NULL, N_("raise the highest clock that is allowed"), NULL },
	{ VERDICT_MIX, NULL, N_("fewer instructions, wider SIMD"), "bytes" },
	/* the roofs that it measures */
	{ VERDICT_UNKNOWN, " dram l3 slm ",
		N_("\"rooftop calibrate\" measures what this memory delivers"), "fewer" },
	{ VERDICT_LATENCY, NULL,
		N_("more independent work in a thread, better locality, fewer barriers"),
		"fewer bytes" },
	{ VERDICT_NO_COUNTERS, NULL, N_("compare with a load of known size: rooftop stress"),
		NULL },
	{ VERDICT_PIPE, NULL, N_("fewer instructions for this unit"), NULL },
	{ VERDICT_BANDWIDTH, NULL, N_("fewer accesses to this level"), NULL },
};

bool has_word(const char *words, const char *word)
{
	char key[VERDICT_WORD_SIZE + 2];

	snprintf(key, sizeof(key), " %s ", word);
	return *word && strstr(words, key);
}

static bool says_full(enum verdict_kind kind)
{
	return kind == VERDICT_PIPE || kind == VERDICT_BANDWIDTH;
}

/* Returns the kind whose steps help. Where nothing is full, and units wait for a part of the time,
 * that is a level that is nearly full, or more threads, or more work in each of them. */
static enum verdict_kind kind_of_step(const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;

	if (f->kind != VERDICT_NONE || !(e->waiting >= verdict_threshold(THRESHOLD_EMPTY)))
		return f->kind;
	if (r && r->limit->role == LIMIT_LEVEL && r->fill >= verdict_threshold(THRESHOLD_LOW))
		return VERDICT_BANDWIDTH;
	if (e->occupancy < verdict_threshold(THRESHOLD_THREADS))
		return VERDICT_PARALLELISM;
	return isnan(e->occupancy) ? f->kind : VERDICT_LATENCY;
}

const char *verdict_advice(const struct evidence *e, const struct finding *f)
{
	enum verdict_kind kind = kind_of_step(e, f);
	const struct resource *r = f->resource;
	bool is_link = r && (r->limit->role == LIMIT_LINK || r->limit->role == LIMIT_COPY);

	/* Watching a device takes less than that; a program that launches and waits takes more. */
	if (f->kind == VERDICT_IDLE && e->busy >= UNUSED / 10)
		return N_("few, short launches: launch more at once, wait less often");
	if (f->kind == VERDICT_IDLE && e->busy > 0)
		return N_("launch more at once, or start another program");
	if (f->kind == VERDICT_IDLE)
		return N_("start a program, or a test load: rooftop stress");
	if (f->kind == VERDICT_NO_COUNTERS && e->is_divided)
		return N_("the map shows what each instance does");
	if (f->kind == VERDICT_BANDWIDTH && is_link)
		return N_("keep data on the card, overlap copies with kernels, pinned memory");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool fits = rows[i].kind == ANY ? says_full(kind) : rows[i].kind == kind;
		bool named = !rows[i].resources || has_word(rows[i].resources, f->bound);

		if (fits && named)
			return rows[i].text;
	}
	return NULL;
}

bool verdict_advice_may_say(const char *bound, const char *text)
{
	const char *never = NULL, *at;
	char word[24];
	int len;

	for (size_t i = 0; i < ARRAY_LEN(rows) && !never; i++) {
		if (rows[i].kind == ANY && has_word(rows[i].resources, bound))
			never = rows[i].never;
	}
	for (at = never; at && sscanf(at, " %23s%n", word, &len) == 1; at += len) {
		if (strstr(text, word))
			return false;
	}
	return true;
}
