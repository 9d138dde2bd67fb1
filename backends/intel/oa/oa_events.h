/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of the flexible EU counters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

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
/* Writes the canonical text of an event; returns buf. */
const char *oa_event_text(const struct oa_event *e, char *buf, size_t size);
/* Returns NULL when the manual of that generation allows the combination, else a reason. The reason
 * is only a warning, because Intel's own sets break some rules. */
const char *oa_event_warning(const struct oa_event *e, int graphics_verx10);
/* These say what an event counts ("at least one pipe worked"), and whose work its filters let
 * through ("pixel shader threads", "" when everything). */
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
