/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of the GPU itself, by the kernel's performance monitor of everybody's jobs. */
#ifndef BACKENDS_V3D_PERFMON_SOURCE_H
#define BACKENDS_V3D_PERFMON_SOURCE_H

#include "backends/common/backend.h"

/* Makes the name that equations use of a kernel's name of a counter: "total-" is left out, and what
 * is no letter and no digit becomes '_', so that "QPU-total-idle-clk-cycles" is
 * QPU_idle_clk_cycles. It is cut to size. */
void v3d_counter_name(const char *kernel_name, char *out, size_t size);
/* Counts what the lines "program NAME" of o->set ask for. Where the monitor is refused, err says why,
 * and the source tries again. Returns NULL when the set asks for nothing, or for more than there
 * can be, which err then says. */
struct source *v3d_perfmon_open(
	const struct device *d, const struct open_options *o, struct err *err);

#endif
