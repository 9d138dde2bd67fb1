/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strict text-to-number conversion. */
#include "config.h"

#include "base/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/numeric.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static bool parse_digits(const char *s, unsigned int base, uint64_t *out)
{
	uint64_t v = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		unsigned int digit = (unsigned int)digit_value(*s);

		if (digit >= base || v > (UINT64_MAX - digit) / base)
			return false;
		v = v * base + digit;
	}
	*out = v;
	return true;
}

static bool has_hex_prefix(const char *s)
{
	return s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
}

bool parse_u64(const char *s, uint64_t *out)
{
	if (has_hex_prefix(s))
		return parse_digits(s + 2, 16, out);
	return parse_digits(s, 10, out);
}

bool parse_u64_range(const char *s, uint64_t min, uint64_t max, uint64_t *out)
{
	uint64_t v;

	if (!parse_u64(s, &v) || v < min || v > max)
		return false;
	*out = v;
	return true;
}

bool parse_hex(const char *s, uint64_t *out)
{
	if (has_hex_prefix(s))
		s += 2;
	return parse_digits(s, 16, out);
}

/* strtod alone would also take blanks, hexadecimal, "inf" and "nan". */
static bool looks_decimal(const char *s)
{
	static const char digits[] = "0123456789";
	size_t before, after = 0;

	if (*s == '-')
		s++;
	s += before = strspn(s, digits);
	if (*s == '.')
		s += 1 + (after = strspn(s + 1, digits));
	if (before + after == 0)
		return false;
	if (*s != 'e' && *s != 'E')
		return !*s;
	s++;
	if (*s == '-' || *s == '+')
		s++;
	return *s && !s[strspn(s, digits)];
}

bool parse_double(const char *s, double *out)
{
	if (!looks_decimal(s))
		return false;
	double v = numeric_scan(s, NULL);
	if (!isfinite(v))
		return false;
	*out = v;
	return true;
}

bool parse_duration_ns(const char *s, int64_t *out)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 }, { "m", 60e9 },
	};
	size_t len = strspn(s, "0123456789.");
	const char *unit = s + len;
	char number[64];
	double v;

	if (len >= sizeof(number))
		return false;
	unit += unit[0] == ' ' && unit[1];
	memcpy(number, s, len);
	number[len] = '\0';
	if (!parse_double(number, &v))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		double ns = round(v * units[i].ns);

		if (strcmp(unit, units[i].name))
			continue;
		if (ns < 1 || ns >= 0x1p63)
			return false;
		*out = (int64_t)ns;
		return true;
	}
	return false;
}

bool parse_word(const char **s, const char **word, size_t *len)
{
	static const char blanks[] = " \t\r\n\v\f";

	*s += strspn(*s, blanks);
	*word = *s;
	*len = strcspn(*s, blanks);
	*s += *len;
	return *len > 0;
}

bool parse_until(const char **s, char separator, char *buf, size_t size)
{
	size_t len = strcspn(*s, (char[]){ separator, '\0' });

	if (len == 0 || len >= size)
		return false;
	memcpy(buf, *s, len);
	buf[len] = '\0';
	*s += len + ((*s)[len] == separator);
	return true;
}

bool parse_pair(const char *list, char separator, const char *key, char *buf, size_t size)
{
	const char end[] = { separator, '\0' };
	size_t len = strlen(key);

	for (const char *p = list; p; p = strchr(p, separator)) {
		p += *p == separator;
		if (strncmp(p, key, len) == 0 && p[len] == '=') {
			p += len + 1;
			snprintf(buf, size, "%.*s", (int)strcspn(p, end), p);
			return true;
		}
	}
	return false;
}
