/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps the registers of a GPU into this process through libpciaccess. */
#ifndef BACKENDS_INTEL_I915_MMIO_H
#define BACKENDS_INTEL_I915_MMIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct mmio;	/* opaque */
struct mmio_guard;

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

#endif
