/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses an NVIDIA GPU, as its library tells; the driver has no DRM fdinfo. */
#ifndef BACKENDS_NVIDIA_NVIDIA_CLIENTS_H
#define BACKENDS_NVIDIA_NVIDIA_CLIENTS_H

#include "backends/common/backend.h"

/* The rows of the source of nvml_source_open(), which has to live as long. */
struct client_source *nvidia_clients_open(struct source *nvml, const struct fsroot *fs);

#endif
