/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What simulated devices of all vendors are called. */
#ifndef BACKENDS_SIM_LOAD_SPEC_H
#define BACKENDS_SIM_LOAD_SPEC_H

#include <stdbool.h>

#include "base/err.h"

/* Refuses a name that is none (ERR_USAGE), with those of all simulated devices. Returns false. */
bool load_spec_unknown(const char *spec, struct err *err);

#endif
