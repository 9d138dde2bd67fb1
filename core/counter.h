/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a raw counter of a source is. */
#ifndef CORE_COUNTER_H
#define CORE_COUNTER_H

#include <stdint.h>

enum counter_kind {
	COUNTER_CUMULATIVE,	/* wraps at bits; a sample holds the wrap-safe delta */
	COUNTER_GAUGE,		/* a sample holds the value itself */
	/* the same, of what only grows since the source was opened: its mean over time says
	 * nothing */
	COUNTER_TOTAL,
};

/* name: as the manual names it ("A7", "GPU_TICKS", "energy_package_uj"). unit: as unit_parse()
 * reads it. Const data of the source. */
struct counter_desc {
	char name[48];
	char unit[16];
	uint8_t bits, kind;
};

#endif
