/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a GPU, mapped into this process through libpciaccess: they are read and
 * written, given back as they were, and kept awake. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/platform/platform.h"
#include "base/err.h"
#include "base/fsroot.h"

struct mmio;	/* opaque */
struct mmio_guard;	/* opaque */

/* Returns whether this build has libpciaccess. */
bool mmio_is_built_in(void);
/* Maps the registers (BAR 0) of a device like "0000:00:02.0"; a second user in this process shares
 * the mapping. Returns NULL with err, which is ERR_PERMISSION where the kernel does not allow it. */
struct mmio *mmio_open(const char *pci_address, struct err *err);
/* Returns the guard that drops what keeps the GPU awake, when the last user closes m. Starts it
 * where there is none yet and err is not NULL; NULL without one. */
struct mmio_guard *mmio_awake(struct mmio *m, struct err *err);
/* Unmaps the registers. Accepts NULL. */
void mmio_close(struct mmio *m);

/* Reads a register. Addresses are byte offsets into BAR 0 and multiples of 4. */
uint32_t mmio_read(const struct mmio *m, uint32_t address);
/* Reads the 40 bits of a counter whose upper byte is in a register of its own. The two cannot be
 * read at once, so the upper one is read before and after. */
uint64_t mmio_read40(const struct mmio *m, uint32_t low, uint32_t high);
/* Writes a register. */
void mmio_write(struct mmio *m, uint32_t address, uint32_t value);

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

/* Starts the guard. m must outlive it. awake is a descriptor that keeps the GPU awake while it is
 * open, which the child holds until it is done, or -1: then the guard of mmio_awake() waits for
 * this one. */
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

/* Keeps the GPU's power wells up while registers are read: a sleeping register answers 0. */

#define FORCEWAKE_DOMAINS 2

struct forcewake_domain {
	const char *name;	/* NULL: no more */
	uint32_t request, ack;
};

/* Returns the domains that a platform's OA and render registers lie in; {NULL} ends them. Returns
 * NULL when there is no table for the platform. */
const struct forcewake_domain *forcewake_domains(const struct intel_platform *p);

/* Opens the kernel's own handle for forcewake in debugfs. It holds as long as the descriptor is
 * open, so it is given back however the program ends. Returns -1 where there is none, or no
 * permission. */
int forcewake_open_handle(const struct fsroot *fs, const char *card);
/* Asks by the request registers, with the bit that is meant for programs. It is dropped when the
 * last user closes m. Another program that uses the bit may drop it before, so it is asked for
 * again at each look. Waits up to 50 ms. */
bool forcewake_request(struct mmio *m, const struct forcewake_domain *domains, struct err *err);
