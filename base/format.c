/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and text of fixed display width. */
#include "config.h"

#include "base/format.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/minmax.h"
#include "base/numeric.h"
#include "base/utf8.h"

/* Digits, sign and point of DBL_MAX with three decimals, and the NUL. */
#define LONGEST_DOUBLE 320

static bool print_plain(char *text, double v, int width)
{
	int most = width - 2;	/* beside a digit and the point */

	for (double ten = 10; most > 0 && fabs(v) >= ten; ten *= 10)
		most--;
	for (int decimals = clamp(most, 0, 3); decimals >= 0; decimals--) {
		numeric_fixed(text, LONGEST_DOUBLE, v, decimals);
		/* "-0.00" says nothing that "0.00" does not. */
		if (text[0] == '-' && !text[strspn(text, "-0.")])
			memmove(text, text + 1, strlen(text));
		if (strlen(text) <= (size_t)width)
			return true;
	}
	return false;
}

/* The smallest exponent that fits leaves the most digits. Digit by digit, since powers of ten above
 * 1e22 are not exact. */
static bool print_exponent(char *text, double v, int width)
{
	for (int digits = 17; digits >= 1; digits--) {
		char sci[32], *e;
		int exponent;

		numeric_print(sci, sizeof(sci), "%.*e", digits - 1, fabs(v));
		e = strchr(sci, 'e');
		*e = '\0';
		sscanf(e + 1, "%d", &exponent);
		if (digits > 1)
			memmove(sci + 1, sci + 2, strlen(sci + 2) + 1);
		snprintf(text, LONGEST_DOUBLE, "%s%se%d", v < 0 ? "-" : "", sci,
			exponent - (digits - 1));
		if (exponent >= digits && strlen(text) <= (size_t)width)
			return true;
	}
	return false;
}

/* At most so many digits and a prefix. */
static bool print_prefix(char *text, double v, int width, int digits)
{
	static const char prefixes[] = "kMGTPE";

	for (size_t i = 0; i < sizeof(prefixes) - 1; i++) {
		v /= 1000;
		if (fabs(v) >= 999.5)
			continue;
		int most = digits - 3 + (fabs(v) < 9.995) + (fabs(v) < 99.95);
		for (int decimals = most; decimals >= 0; decimals--) {
			numeric_fixed(text, LONGEST_DOUBLE, v, decimals);
			if (strlen(text) < (size_t)width) {
				snprintf(text + strlen(text), 2, "%c", prefixes[i]);
				return true;
			}
		}
		return false;
	}
	return false;
}

static const char *print(char *buf, size_t size, double v, int width, bool prefixed)
{
	char text[LONGEST_DOUBLE];

	if (!size)
		return buf;
	if (width < 0)
		width = 0;
	if ((size_t)width >= size)
		width = size - 1 < INT_MAX ? (int)(size - 1) : INT_MAX;
	if (isnan(v)) {
		snprintf(buf, (size_t)width + 1, "--");
	} else if (print_plain(text, v, width) ||
		(prefixed && isfinite(v) && print_prefix(text, v, width, 3)) ||
		(isfinite(v) && print_exponent(text, v, width))) {
		memcpy(buf, text, strlen(text) + 1);
	} else {
		memset(buf, '#', (size_t)width);
		buf[width] = '\0';
	}
	return buf;
}

const char *format_number(char *buf, size_t size, double v, int width)
{
	return print(buf, size, v, width, false);
}

const char *format_si(char *buf, size_t size, double v, int width)
{
	return print(buf, size, v, width, true);
}

const char *format_people(char *buf, size_t size, double v, int width)
{
	char text[LONGEST_DOUBLE];
	int four = 5 + (v < 0);	/* digits, a point and a sign */
	int prefixed = (int)min_i64(four + 1, width);

	if (fabs(v) >= PEOPLE_MAX && (size_t)prefixed < size && print_prefix(text, v, prefixed, 4))
		return strcpy(buf, text);
	return print(buf, size, v, (int)min_i64(four, width), true);
}

/* Bytes and columns of the character at s. */
static size_t measure(const char *s, int *columns)
{
	uint32_t code;
	size_t len = utf8_decode(s, &code);

	*columns = 1;
	if (!len)
		return 1;
	/* glibc's wchar_t is the code point in every locale; what the locale does not know counts
	 * one. */
	if (code >= 0x80 && wcwidth((wchar_t)code) >= 0)
		*columns = wcwidth((wchar_t)code);
	return len;
}

int format_columns(const char *s)
{
	int64_t sum = 0;

	while (*s) {
		int columns;

		/* most texts are ASCII */
		while (*s >= ' ' && *s <= '~') {
			s++;
			sum++;
		}
		if (!*s)
			break;
		s += measure(s, &columns);
		sum += columns;
	}
	return sum < INT_MAX ? (int)sum : INT_MAX;
}

size_t format_clip(const char *s, int columns)
{
	size_t end = 0;

	while (s[end]) {
		int width;
		size_t len = measure(s + end, &width);

		if (width > columns)
			break;
		columns -= width;
		end += len;
	}
	return end;
}

size_t format_clause(const char *s, int columns)
{
	const size_t most = format_clip(s, columns);
	size_t best = 0;
	int depth = 0;

	for (size_t i = 0; i <= most && s[i]; i++) {
		if (!depth && (!strncmp(s + i, " (", 2) || !strncmp(s + i, "; ", 2) ||
				!strncmp(s + i, ", ", 2)))
			best = i;
		depth += (s[i] == '(') - (s[i] == ')');
	}
	return 3 * (int)best < columns ? 0 : best;
}

void format_padded(struct strbuf *out, const char *s, int width)
{
	strbuf_add(out, s);
	for (int n = format_columns(s); n < width; n++)
		strbuf_addc(out, ' ');
}
