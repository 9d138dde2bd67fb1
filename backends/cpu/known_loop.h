/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop whose floating-point operations are known. */
#ifndef BACKENDS_CPU_KNOWN_LOOP_H
#define BACKENDS_CPU_KNOWN_LOOP_H

#include <stdbool.h>

/* How many vector additions it does: of eight floats on x86, of four on 64-bit Arm. There a
 * multiply-add stands for two of them, because it counts as two operations for each element (Arm
 * Architecture Reference Manual, example D11-5, where one exceeds a threshold of one operation). */
#define KNOWN_LOOP_TURNS 250000
#define KNOWN_LOOP_ADDITIONS (4 * KNOWN_LOOP_TURNS)

/* Runs it on this thread. False: the processor lacks the vectors, or nobody wrote a loop for it. */
bool known_loop_run(void);

#endif
