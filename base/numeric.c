/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf and strtod as in the C locale. */
#include "config.h"

#include "base/numeric.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Digits are put in front of each other. printf takes some 2500 instructions for the same. */
static int put_fixed(char *buf, size_t size, uint64_t v, int decimals, bool negative)
{
	char text[32];
	size_t at = sizeof(text);

	for (int digits = 0; v > 0 || digits <= decimals; digits++) {
		if (digits == decimals && digits > 0)
			text[--at] = '.';
		text[--at] = (char)('0' + v % 10);
		v /= 10;
	}
	if (negative)
		text[--at] = '-';
	size_t n = sizeof(text) - at;
	if (size > n) {
		memcpy(buf, text + at, n);
		buf[n] = '\0';
	} else if (size > 0) {
		memcpy(buf, text + at, size - 1);
		buf[size - 1] = '\0';
	}
	return (int)n;
}

int numeric_fixed(char *buf, size_t size, double v, int decimals)
{
	static const double tens[] = { 1, 10, 100, 1000 };
	double scaled = decimals < 4 ? fabs(v) * tens[decimals] : NAN, rest;
	uint64_t whole;

	/* Near the middle of two decimals only all digits of v say which one is nearer. */
	if (!(scaled < 1e9))
		return numeric_print(buf, size, "%.*f", decimals, v);
	whole = (uint64_t)scaled;
	rest = scaled - (double)whole;
	if (fabs(rest - 0.5) < 1e-6)
		return numeric_print(buf, size, "%.*f", decimals, v);
	return put_fixed(buf, size, whole + (rest > 0.5), decimals, signbit(v));
}

double numeric_scan(const char *s, char **end)
{
	return strtod_l(s, end, c_locale());
}
