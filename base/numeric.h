/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf and strtod as in the C locale, whatever locale the process has: files and screens always
 * have a decimal point. */
#pragma once

#include <stddef.h>

/* As snprintf(). */
int numeric_print(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* As snprintf("%.*f"), and faster where decimals are 0 to 3. */
int numeric_fixed(char *buf, size_t size, double v, int decimals);
/* As strtod(); end may be NULL. */
double numeric_scan(const char *s, char **end);
