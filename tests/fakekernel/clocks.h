/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clocks of programs on the fake kernel. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* The kernel's clock as of its last tick, which nobody is asked for. */
void fake_tick(struct timespec *t);
/* The descriptor is closed: it is no timer any more. */
void fake_clocks_close(int fd);
/* Whether it is a timer that went off, which the buffer says now. */
bool fake_clocks_read(int fd, void *buf, size_t size);
