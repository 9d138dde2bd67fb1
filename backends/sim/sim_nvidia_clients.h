/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses a simulated NVIDIA GPU. */
#ifndef BACKENDS_SIM_SIM_NVIDIA_CLIENTS_H
#define BACKENDS_SIM_SIM_NVIDIA_CLIENTS_H

#include "backends/common/backend.h"
#include "backends/sim/model/nvidia_gpu.h"

/* Takes the model over, which is at its start at now_ns. */
struct client_source *sim_nvidia_clients_open(struct nvidia_gpu *gpu, int64_t now_ns);

#endif
