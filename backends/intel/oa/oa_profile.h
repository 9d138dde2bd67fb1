/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of the flexible EU counters, and how the directives of a metric set become register
 * values. */
#ifndef BACKENDS_INTEL_OA_OA_PROFILE_H
#define BACKENDS_INTEL_OA_OA_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/intel/oa/oa_pes.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "core/metric.h"

/* The increment event and the coarse and fine filter of one flexible counter (PRM Observability,
 * EU_PERF_CNT_CTL). */
struct oa_event {
	uint8_t increment, coarse, fine;
};

#define OA_EVENT_OFF 0xf	/* increment: counter not used */
#define OA_FLEX_COUNTERS 14	/* A7 to A20 */
#define OA_FLEX_REGS 7

/* Parses an event by its names, for people and files: "active", "stall", "fpu0", "fpu1",
 * "fpu_both", "send", "occupancy", "off"; coarse "vs" ... "cs", "row0", "row1"; fine "hybrid",
 * "ternary", "binary", "mov", "send_start", "eu0" ... "eu3"; or numbers. An event is written as
 * INC[:COARSE[:FINE]], where an empty part means none: "fpu0::ternary", "active:ps", "4:7:8". */
bool oa_event_parse(const char *text, struct oa_event *out, struct err *err);
/* Parses a coarse filter alone: "cs". */
bool oa_coarse_parse(const char *text, uint8_t *out, struct err *err);
/* Writes the canonical text of an event; returns buf. */
const char *oa_event_text(const struct oa_event *e, char *buf, size_t size);
/* Returns NULL when the manual of that generation allows the combination, else a reason. The reason
 * is only a warning, because Intel's own sets break some rules. */
const char *oa_event_warning(const struct oa_event *e, int graphics_verx10);
/* These say what an event counts ("at least one pipe worked"), and whose work its filters let
 * through ("pixel shader threads", "" when everything). The texts are untranslated. */
const char *oa_event_what(const struct oa_event *e);
const char *oa_event_coarse_what(const struct oa_event *e);
const char *oa_event_fine_what(const struct oa_event *e);
/* Appends all words with their codes and what they mean, translated. */
void oa_event_list(struct strbuf *out);
/* Returns the 24 bits of EU_PERF_CNT_CTLn for the events of A(7+2n) and A(8+2n). */
uint32_t oa_flex_value(const struct oa_event *low, const struct oa_event *high, int graphics_ver);
/* Goes the way back: finds what a register value makes the two counters count. */
void oa_flex_events(uint32_t value, int graphics_ver, struct oa_event *low, struct oa_event *high);
/* The addresses of EU_PERF_CNT_CTL0 to 6. */
extern const uint32_t oa_flex_addresses[OA_FLEX_REGS];

enum oa_reg_kind { OA_REG_NOA, OA_REG_OA, OA_REG_FLEX, OA_REG_KINDS };

/* The names of the kinds in register files and in Intel's XML. */
extern const char *const oa_reg_kind_names[OA_REG_KINDS];

struct oa_reg {
	enum oa_reg_kind kind;
	uint32_t address, value;
};

/* What a set asks of the OA unit. regs stand in the order in which they are written, because the
 * order of NOA matters. */
struct oa_profile {
	struct oa_event events[OA_FLEX_COUNTERS];	/* of A7 + i */
	struct oa_pes_event pes[OA_PES_COUNTERS];	/* of P0 + i */
	/* name of the register file (data/oa); empty when only A counters are used */
	char config[48];
	struct oa_reg *regs;
	size_t n_regs, cap_regs;
	/* Blocks of B0 to B7 that "program" lines ask for, as bits, and those whose signals are
	 * inferred (oa_ask.h). */
	uint8_t asked, inferred;
	/* The set asks for nothing. Kernels refuse a programming without registers, so regs has one
	 * that switches off a counter that nobody reads. */
	bool asks_nothing;
	/* our own, made from the register values: equal programming has an equal uuid */
	char uuid[37];
};

/* Finds the text of data/oa/NAME.oacfg (embedded or the user's); returns NULL when there is
 * none. */
typedef const char *oa_config_fn(const char *name);
/* Finds the built-in files. */
const char *oa_config_embedded(const char *name);

/* Builds the profile from the set's directives: "config NAME" (NOA and OA registers; its FLEX
 * registers count only when there are no program lines), "program A7 active" and "program B6 any(B0,
 * B1)" lines (oa_ask.h), "trigger" (oa_trigger_ask.h), or the "registers" of an imported set. Of several "block" directives of one
 * kind all whose tests the device passes are written, in their order; the device is refused when it
 * passes none. Broadwell with two slices has such lists, one for each slice or each subslice. Linux
 * 4.13 wrote them all (i915_oa_bdw.c, get_render_basic_mux_config) and so does igt 1.27.1; igt of
 * October 2025 replaces each by the next (perf-registers-codegen.py), which leaves the first slice
 * unrouted. Its topology has to be that of the kernel. Counters that nobody programs are off. In
 * regs, only the kind tells NOA, OA and FLEX apart; their order is that of the files. */
bool oa_profile_build(struct oa_profile *p, const struct metric_set *set, const struct device *d,
	oa_config_fn *config, struct err *err);
void oa_profile_release(struct oa_profile *p);
/* Appends a register. Returns false when there are too many. */
bool oa_profile_add(
	struct oa_profile *p, enum oa_reg_kind kind, uint32_t address, uint32_t value);

#endif
