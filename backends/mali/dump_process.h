/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dumper whose work is done by a process of its own.
 *
 * Two reasons. Both drivers wait for the hardware inside their calls: panfrost up to a second, in
 * PERFCNT_ENABLE not even interruptibly (Linux panfrost_perfcnt.c), kbase until the GPU was reset.
 * A GPU that hangs must not hang the screen. And what the driver was told to do (panfrost's file
 * profiling) is to be taken back also when rooftop was killed: the process sees the end of its
 * socket, and stays. */
#ifndef BACKENDS_MALI_DUMP_PROCESS_H
#define BACKENDS_MALI_DUMP_PROCESS_H

#include "backends/mali/dump_sources.h"

/* Takes inner over, which must not be started yet: all its functions run in the process from then
 * on. name: the device's, "card0". */
struct mali_dumper *mali_dump_process(struct mali_dumper *inner, const char *name);

#endif
