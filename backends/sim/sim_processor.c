/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares the memory between the processor's kernel and the GPU's. */
#include "config.h"

#include "backends/sim/sim_processor.h"

#include <math.h>
#include <string.h>

#include "backends/sim/model/forms.h"
#include "backends/sim/model/kernel.h"

#define WANTED_SHARE 0.75
#define LLC_NS 15.0
#define DRAM_NS 80.0
#define LLC_LOST 0.5

static bool streams(enum kernel_form form)
{
	return form == FORM_STREAM || form == FORM_TRIAD || form == FORM_UPDATE ||
		form == FORM_READ || form == FORM_WRITE;
}

bool sim_processor_run(struct sim_processor *p, const struct memory_config *m, const char *kernel,
	double gpu_bytes_per_s, struct err *err)
{
	double reach = memory_reachable_bytes_per_s(m);
	double gpu_share = fmin(gpu_bytes_per_s / reach, 1);
	struct kernel_parts parts;

	*p = (struct sim_processor){ .bytes_per_s = NAN, .ops_per_s = NAN };
	if (!*kernel)
		return true;
	if (!kernel_parts_parse(kernel, &parts)) {
		err_set(err, ERR_USAGE, "no kernel is named '%s'", kernel);
		return err_hint(err, "%s", kernel_names());
	}
	if (streams(parts.form->form)) {
		p->dram_bytes_per_s = fmin(
			WANTED_SHARE * reach, fmax(reach / 2, reach - gpu_bytes_per_s));
		p->bytes_per_s = p->dram_bytes_per_s;
	} else if (parts.form->form == FORM_CHASE) {
		double cache = m->llc_bytes * (1 - LLC_LOST * gpu_share);
		double hits = parts.set_bytes > 0 ? fmin(cache / parts.set_bytes, 1) : 1;

		p->ops_per_s = 1e9 / (hits * LLC_NS + (1 - hits) * DRAM_NS);
		p->bytes_per_s = p->ops_per_s * parts.type->bytes;
		p->dram_bytes_per_s = p->ops_per_s * (1 - hits) * MEMORY_LINE_BYTES;
	}
	return true;
}
