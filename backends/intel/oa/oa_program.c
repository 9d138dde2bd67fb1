/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers that are collected for the OA unit. */
#include "config.h"

#include "backends/intel/oa/oa_program.h"

#include <stdlib.h>

#include "base/mem.h"

const char *const oa_reg_kind_names[OA_REG_KINDS] = {
	[OA_REG_NOA] = "NOA", [OA_REG_OA] = "OA", [OA_REG_FLEX] = "FLEX"
};

bool oa_profile_add(
	struct oa_profile *p, enum oa_reg_kind kind, uint32_t address, uint32_t value)
{
	if (p->n_regs >= OA_MAX_REGS)
		return false;
	p->regs = array_grow(p->regs, p->n_regs, &p->cap_regs, sizeof(*p->regs));
	p->regs[p->n_regs++] = (struct oa_reg){ .kind = kind, .address = address, .value = value };
	return true;
}

void oa_profile_release(struct oa_profile *p)
{
	free(p->regs);
	*p = (struct oa_profile){ 0 };
}
