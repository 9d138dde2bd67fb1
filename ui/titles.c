/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles of panes, roofs in the sentence at the bottom and what cells are, as the metric files have them, for translators: the files
 * themselves are not looked at by xgettext. Labels of metrics are the manuals' own words and are not translated. tests/tty/titles.sh
 * compares. */
#include "config.h"

#include "base/i18n.h"

static const char *const titles[] __attribute__((unused)) = {
	/* xgettext:no-c-format */
	N_("% of ALU0's clocks"),
	/* xgettext:no-c-format */
	N_("% of GPU cycles"),
	/* xgettext:no-c-format */
	N_("% of XVE clocks"),
	/* xgettext:no-c-format */
	N_("% of beats"),
	/* xgettext:no-c-format */
	N_("% of core cycles"),
	/* xgettext:no-c-format */
	N_("% of primitives"),
	/* xgettext:no-c-format */
	N_("% of rasterized quads"),
	/* xgettext:no-c-format */
	N_("% of samples"),
	/* xgettext:no-c-format */
	N_("% of the FPU's clocks"),
	/* xgettext:no-c-format */
	N_("% of the FPUs' work"),
	/* xgettext:no-c-format */
	N_("% of the same event of all stages"),
	/* xgettext:no-c-format */
	N_("% of time"),
	/* xgettext:no-c-format */
	N_("% of transactions"),
	N_("Bandwidth"),
	N_("EU positions"),
	N_("EU stall reasons"),
	N_("FLOP/cycle"),
	N_("Instruction types"),
	N_("L2 and external bus"),
	N_("Overdraw and depth"),
	N_("Pixel pipeline"),
	N_("Power and clock"),
	N_("Power and clocks"),
	N_("Read latency"),
	N_("Reads under way"),
	N_("Sampled stalls"),
	N_("Shader core pipes"),
	N_("Shader stages"),
	N_("Tiler culling"),
	N_("Utilization"),
	N_("Writes under way"),
	N_("a clock at work"),
	N_("each one the sum of all subslices"),
	N_("memory controllers"),
	N_("roof at this clock"),
	N_("~ estimated from instruction types"),
};

/* TRANSLATORS: resources, as in "bound by %s" */
static const char *const bounds[] __attribute__((unused)) = {
	N_("ALU0 throughput"),
	N_("ALU1 throughput"),
	N_("DRAM bandwidth"),
	N_("FPU throughput"),
	N_("GTI bandwidth"),
	N_("GTI read bandwidth"),
	N_("GTI write bandwidth"),
	N_("L2 lookups"),
	N_("L3 bandwidth"),
	N_("SLM bandwidth"),
	N_("XMX throughput"),
	N_("arithmetic pipe"),
	N_("external read bus"),
	N_("external write bus"),
	N_("load/store pipe"),
	N_("memory bandwidth"),
	N_("package power"),
	N_("peak FLOP/s"),
	N_("texture pipe"),
	N_("varying pipe"),
};

/* TRANSLATORS: what one cell of a map is */
static const char *const cells[] __attribute__((unused)) = {
	N_("sums of all subslices"),
};
