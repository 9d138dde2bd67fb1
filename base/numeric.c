/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf and strtod as in the C locale. */
#include "config.h"

#include "base/numeric.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* glibc answers a request for the whole C locale with a static object, so there is nothing to free
 * and nothing fails. */
static locale_t c_locale(void)
{
	return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

int numeric_print(char *buf, size_t size, const char *fmt, ...)
{
	locale_t old = uselocale(c_locale());
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	uselocale(old);
	return n;
}

double numeric_scan(const char *s, char **end)
{
	return strtod_l(s, end, c_locale());
}
