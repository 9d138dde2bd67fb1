/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the CPU's clock of now and what the CPU can do in a cycle, which is the bound of OpenCL
 * devices that are the CPU. What OpenCL and /proc/cpuinfo call the clock is the time stamp
 * counter's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns the clock of this core now, in cycles per second: it times a chain of operations of one
 * cycle each for some 20 us of CPU time. NAN means that the clock of the thread does not work. */
double cpu_clock_hz(void);
/* Returns the FLOP in a cycle of one core in single precision, by multiply-adds in the widest
 * vectors that the CPU has, or NAN when they are unknown. Takes some milliseconds. Double precision
 * has half of it. */
double cpu_flop_per_cycle(void);
/* Returns how many cores have a CPU that this process may use: two threads share the units of one.
 * Where the kernel does not tell cores, each CPU is one. */
int cpu_core_count(void);
/* Whether cores differ in what they do in a cycle. */
bool cpu_has_kinds(void);
/* Returns the size of all last caches of the processors together; 0: the kernel does not tell. */
uint64_t cpu_last_caches_bytes(void);
