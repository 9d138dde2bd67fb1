/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts as text files, embedded at build time. */
#ifndef DATA_DATA_H
#define DATA_DATA_H

#include "base/embedded.h"

/* metric_files also holds the files that others include. */
extern const struct embedded metric_files[];
extern const struct embedded oa_config_files[];
extern const struct embedded figure_files[];

#endif
