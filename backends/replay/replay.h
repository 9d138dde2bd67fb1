/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings as devices. */
#ifndef BACKENDS_REPLAY_REPLAY_H
#define BACKENDS_REPLAY_REPLAY_H

#include "backends/common/backend.h"

extern const struct backend replay_backend;

#endif
