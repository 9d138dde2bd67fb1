/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU's clock is now and what it could do in a cycle: the bound of OpenCL devices that are
 * the CPU. Measured, since what OpenCL and /proc/cpuinfo call the clock is the time stamp
 * counter's. */
#ifndef KERNELS_CPU_H
#define KERNELS_CPU_H

/* The clock of this core now, in cycles per second: a chain of operations of one cycle each, timed
 * for some 20 us of CPU time. NAN where the clock of the thread does not work. */
double cpu_clock_hz(void);
/* FLOP in a cycle of one core in single precision, multiply-adds in the widest vectors that the CPU
 * has; NAN when unknown. Takes some milliseconds. Double precision has half of it. */
double cpu_flop_per_cycle(void);
/* The middle one; sorts. What is measured here has outliers on both sides: neighbours on the core
 * make it longer, and virtual machines sometimes forget time. */
double cpu_median(double *values, int n);
/* Returns how many CPUs this process may use. */
int cpu_count(void);

#endif
