/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives back written registers as they were, however the program ends.
 *
 * A child process of ours waits for the end of this one (end of file on a pipe that only this one
 * holds open). Then it undoes what stands in a list that both share. That is the only way back: an
 * orderly end uses it too, so that it is not a way that is never used. The child survives SIGKILL
 * of rooftop, a crash, and signals to its process group. It does not survive being killed together
 * with rooftop (when a control group is killed as a whole, or, with bad luck, by the machine's
 * out-of-memory killer). When only the child is gone, rooftop undoes the list itself. When both are
 * killed, forcewake stays (the GPU cannot sleep) and counters run, until the next reset of the GPU.
 * Two things cannot be undone at all: NOA words, which go to write-only places and mean nothing
 * while the unit is off, and the copies of event registers that contexts of others took along when
 * they were switched out. */
#ifndef BACKENDS_INTEL_I915_MMIO_GUARD_H
#define BACKENDS_INTEL_I915_MMIO_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/i915/mmio.h"
#include "base/err.h"

struct mmio_guard;	/* opaque */

/* Starts the guard. m must outlive it. awake is a descriptor that keeps the GPU awake while it is
 * open, which the child holds until it is done, or -1: then the guard of mmio_awake() waits for this
 * one. */
struct mmio_guard *mmio_guard_start(struct mmio *m, int awake, struct err *err);
/* Writes a register. At the end it gets the value that it had before the first write, unless
 * somebody else has written it since. */
void mmio_guard_write(struct mmio_guard *g, uint32_t address, uint32_t value);
/* Writes a register that others use as well, for a moment: should rooftop end before
 * mmio_guard_return(), the register gets before, unless somebody else has written it since. */
void mmio_guard_borrow(struct mmio_guard *g, uint32_t address, uint32_t before, uint32_t value);
/* Gives a borrowed register back, unless somebody else has written it since: then it is theirs. */
void mmio_guard_return(struct mmio_guard *g, uint32_t address);
/* Makes the guard write this value at the end, whatever the register holds then. */
void mmio_guard_at_end(struct mmio_guard *g, uint32_t address, uint32_t value);
/* Undoes everything, last first, and returns when that has been done. Accepts NULL. */
void mmio_guard_end(struct mmio_guard *g);

#endif
