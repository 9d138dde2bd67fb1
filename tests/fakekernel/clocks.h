/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clocks of programs on the fake kernel. */
#ifndef TESTS_FAKEKERNEL_CLOCKS_H
#define TESTS_FAKEKERNEL_CLOCKS_H

/* The descriptor is closed: it is no timer any more. */
void fake_clocks_close(int fd);

#endif
