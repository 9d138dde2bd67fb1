/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A register of the OA unit with its value. */
#pragma once

#include <stdint.h>

enum oa_reg_kind { OA_REG_NOA, OA_REG_OA, OA_REG_FLEX, OA_REG_KINDS };

/* The names of the kinds in register files and in Intel's XML. */
extern const char *const oa_reg_kind_names[OA_REG_KINDS];

struct oa_reg {
	enum oa_reg_kind kind;
	uint32_t address, value;
};
