/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "NAME[,load=LOAD]", what simulated devices with loads of their own are called. */
#ifndef BACKENDS_SIM_LOAD_SPEC_H
#define BACKENDS_SIM_LOAD_SPEC_H

#include <stdbool.h>

#include "base/err.h"

/* Plain data. */
struct load_spec {
	char name[16];
	char load[128]; /* "tour" when none is named; "A>B@2s" are several */
};

/* Fills name, and load when the rest makes sense; false with err when it does not. */
bool load_spec_parse(const char *text, struct load_spec *out, struct err *err);
/* Refuses a name that is none (ERR_USAGE), with those of all simulated devices. Returns false. */
bool load_spec_unknown(const char *spec, struct err *err);

#endif
