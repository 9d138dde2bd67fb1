/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a raw counter of a source is. */
#pragma once

#include <stdint.h>

enum counter_kind {
	COUNTER_CUMULATIVE,	/* wraps at bits; a sample holds the wrap-safe delta */
	COUNTER_GAUGE,		/* a sample holds the value itself */
	/* as a gauge, but the value only grows since the source was opened, so its mean over time
	 * says nothing */
	COUNTER_TOTAL,
};

/* name is the manual's ("A7", "GPU_TICKS", "energy_package_uj"). unit is in the form that
 * unit_parse() reads. This is const data of the source. */
struct counter_desc {
	char name[48];
	char unit[16];
	uint8_t bits, kind;
};
