/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of a recording beside its reports: they repeat what was gathered, window by window. */
#ifndef BACKENDS_REPLAY_SIDE_SOURCE_H
#define BACKENDS_REPLAY_SIDE_SOURCE_H

#include "backends/common/backend.h"
#include "core/record/device_records.h"
#include "core/record/record_file.h"

/* Returns a source of the feed that the record describes and writes its number, or NULL when the
 * record makes no sense. */
struct source *side_source_new(const struct rec *feed, int *id);
/* Hands a sample over; what makes no sense is passed over. */
void side_source_take(struct source *source, const struct rec *sample);
/* Forgets what was handed over: the place in the recording is another one. */
void side_source_clear(struct source *source);

#endif
