/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives memory of embedded texts back. */
#include "config.h"

#include "base/embedded.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void embedded_forget(const struct embedded *files)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), low = UINTPTR_MAX, high = 0;

	for (; files->text; files++) {
		uintptr_t at = (uintptr_t)files->text;

		if (at < low)
			low = at;
		if (at > high)
			high = at;
	}
	/* Only whole pages that have nothing but texts: these were never written. */
	if (low < high)
		low += (page - low % page) % page;
	high -= high % page;
	if (low < high)
		madvise((void *)low, high - low, MADV_DONTNEED);
}
