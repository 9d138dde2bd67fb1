/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mapped buffers of the fake xe's OA streams. */
#pragma once

#include <stddef.h>

struct fake_oa;

/* What mmap() of a stream gives: the whole buffer, to be read, which is filled from then on while the
 * program makes no call. MAP_FAILED with errno for anything else. */
void *fake_oa_map(struct fake_oa *s, size_t length, int prot, int flags);
/* The stream is closed. A program that has not unmapped the buffer sees it as it is now. */
void fake_oa_map_close(const struct fake_oa *s);
/* Units are used between these two by one thread at a time: a call of the program, or what fills
 * mapped buffers. */
void fake_units_hold(void);
void fake_units_release(void);
