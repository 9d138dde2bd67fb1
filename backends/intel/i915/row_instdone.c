/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bits of ROW_INSTDONE (Mesa src/intel/genxml: gen9.xml, gen11.xml and gen12.xml). */
#include "config.h"

#include "backends/intel/i915/eu_sampler.h"

#include <stdint.h>

/* EUs 0 to 3 of row 0, then those of row 1; from Gen12 on the second half of the dual subslice comes
 * after them. */
static const uint8_t eu_bits[ROW_INSTDONE_EUS] = { 16, 17, 18, 19, 21, 22, 23, 24, 7, 8, 9, 10, 27,
	28, 29, 30 };

int row_instdone_bit(const struct intel_platform *p, int eu)
{
	int ver = p->graphics_verx10, eus = ver < 120 ? 8 : ROW_INSTDONE_EUS;
	bool is_known = (ver >= 90 && ver < 100) || (ver >= 110 && ver <= 120);

	if (!is_known || eu < 0 || eu >= eus)
		return -1;
	return eu_bits[eu];
}
