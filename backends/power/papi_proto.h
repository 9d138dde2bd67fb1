/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the reader and the program that loads PAPI: lines of text on the program's standard
 * output.
 *
 * "rooftop-papi PERIOD_MS CPU[,CPU...]": how often it writes, and a CPU of each package. It ends at
 * the end of its standard input. Lines: "planes NAME..." once (names of energy_plane_names), then
 * "at T_NS UJ..." (CLOCK_MONOTONIC, energy since the start by plane in the same order), or "error
 * SENTENCE" before it ends. Whatever PAPI says goes to standard error. */
#pragma once

#define PAPI_PROGRAM "rooftop-papi"
