/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that stand in the names of kernels: what a sweep over kernels goes over. */
#ifndef CMD_LOAD_KERNEL_AXIS_H
#define CMD_LOAD_KERNEL_AXIS_H

/* All of them return NAN where the name has no such number. */
/* Returns the bytes of a working set, as in "lat.chase.64k". */
double kernel_size_bytes(const char *kernel);
/* Returns the elements from one item's to the next one's, as in "mem.stride.s4". */
double kernel_stride(const char *kernel);
/* Returns the FLOP for each byte, as in "mix.sp.ai-0.25". */
double kernel_intensity(const char *kernel);

#endif
