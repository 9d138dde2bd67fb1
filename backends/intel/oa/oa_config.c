/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The register files that are part of the program. */
#include "config.h"

#include "backends/intel/oa/oa_profile.h"
#include "data/data.h"

const char *oa_config_embedded(const char *name)
{
	return packed_find(oa_config_files, name, ".oacfg");
}
