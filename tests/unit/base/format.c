/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and text fitted into columns. */
#include "config.h"

#include "base/format.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>

#include "base/hint.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "tests/tap.h"

static void test_numbers(void)
{
	static const struct {
		double v;
		int width;
		const char *want;
	} rows[] = {
		{ 97, 4, "97.0" }, { 1.05, 4, "1.05" }, { 9999, 4, "9999" }, { 12345, 4, "12e3" }, { 0, 4, "0.00" }, { 0, 8, "0.000" },
		{ 1.0 / 3, 8, "0.333" }, { 2.0 / 3, 4, "0.67" }, { 9999.4, 4, "9999" }, { 9999.6, 4, "10e3" }, { 99.96, 4, "100" },
		{ 999.95, 5, "1000" }, { 123456, 5, "123e3" }, { 123456, 4, "12e4" }, { 123456, 6, "123456" }, { 99999, 4, "10e4" },
		{ 1e22, 4, "1e22" }, { 1e23, 4, "1e23" }, { 1e99, 4, "1e99" }, { 1e100, 4, "####" }, { 1e100, 5, "10e99" },
		{ DBL_MAX, 5, "2e308" }, { DBL_MAX, 4, "####" }, { DBL_MAX, 30, "17976931348623157e292" },
		{ -1.5, 4, "-1.5" }, { -0.001, 4, "0.00" }, { -0.004, 6, "-0.004" }, { -9999, 4, "-1e4" }, { -99999, 3, "###" },
		{ 7, 1, "7" }, { 9.4, 1, "9" }, { 9.6, 1, "#" }, { 0.4, 1, "0" }, { -0.4, 1, "0" }, { -3, 1, "#" }, { 12, 1, "#" },
		{ 12, 2, "12" }, { 100, 2, "##" }, { 1000, 3, "1e3" }, { 7, 0, "" }, { 7, -5, "" },
		{ DBL_MIN, 4, "0.00" }, { NAN, 4, "--" }, { NAN, 1, "-" }, { NAN, 0, "" }, { INFINITY, 4, "inf" }, { -INFINITY, 4, "-inf" },
		{ INFINITY, 2, "##" },
	};
	char buf[64];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_str(format_number(buf, sizeof(buf), rows[i].v, rows[i].width), rows[i].want,
			"%g in %d columns", rows[i].v, rows[i].width);
	is_str(format_number(buf, 4, 123456, 10), "1e5", "the buffer's size is a width too");
	is_str(format_number(buf, 1, 123456, 10), "", "a buffer of one byte holds the NUL");
}

/* A number is printed as printf does it, also where it lies in the middle of two. */
static void test_fixed(void)
{
	static const double odd[] = { 0, -0.0, NAN, INFINITY, 1e9, 999999999.4999999, 1e300, 0.0005, 2.675,
		0.9999995, 1e-300 };
	int wrong = 0;

	for (int i = 0; i < 400000; i++) {
		double v = (i % 3 ? 1 : -1) * (i % 2000) / (i % 2 ? 1000.0 : 16.0) * (1 + i / 2000);
		char got[400] = "", want[400] = "";
		size_t size = i % 11 ? sizeof(got) : (size_t)i % 9;
		int d = i % 5;

		if (i < (int)ARRAY_LEN(odd) * 5)
			v = odd[i / 5];
		wrong += numeric_fixed(got, size, v, d) != snprintf(want, size, "%.*f", d, v) ||
			strcmp(got, want) != 0;
	}
	is_int(wrong, 0, "numbers of 0 to 4 decimals are printed as printf prints them");
}

static void test_prefixes(void)
{
	static const struct {
		double v;
		int width;
		const char *want;
	} rows[] = {
		{ 1070531, 5, "1.07M" }, { 1070531, 7, "1070531" }, { 541000, 5, "541k" }, { 33792, 5, "33792" }, { 33792, 4, "34k" },
		{ 16384, 5, "16384" }, { 99999, 4, "100k" }, { 999999, 5, "1.00M" }, { -1070531, 6, "-1.07M" }, { 1e10, 4, "10G" },
		{ 12345, 4, "12k" }, { 1e22, 4, "1e22" }, { 97, 4, "97.0" }, { NAN, 4, "--" }, { 1000, 3, "1k" }, { 9999.6, 4, "10k" },
	};
	char buf[64];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_str(format_si(buf, sizeof(buf), rows[i].v, rows[i].width), rows[i].want,
			"%g with a prefix in %d columns", rows[i].v, rows[i].width);
}

/* Whatever the number: it fits, and what is printed is that number. */
static void test_any_number(void)
{
	int too_wide = 0, wrong = 0, marks = 0;

	for (int e = -60; e <= 60; e++) {
		for (int width = 4; width <= 12; width++) {
			double v = (e % 2 ? -1 : 1) * 1.2345678 * pow(10, e / 2.0);
			char buf[64];

			format_number(buf, sizeof(buf), v, width);
			too_wide += strlen(buf) > (size_t)width;
			marks += width >= 5 && buf[0] == '#';
			if (buf[0] != '#' && fabs(v) >= 1e6)
				wrong += fabs(strtod(buf, NULL) / v - 1) > 0.5;
			else if (buf[0] != '#' && fabs(v) < 1e3)
				wrong += fabs(strtod(buf, NULL) - v) > 0.51;
		}
	}
	is_int(too_wide, 0, "no number is wider than its field");
	is_int(wrong, 0, "every number is the right one");
	is_int(marks, 0, "from five columns on every one of them has a form");
}

static void test_columns(void)
{
	static const struct {
		const char *in;
		int want;
	} rows[] = {
		{ "", 0 }, { "abc", 3 }, { "\xc2\xb5s", 2 }, { "\xe2\x82\xac", 1 }, { "\xe2\xa3\xbf\xe2\x96\x88", 2 }, { "\xff\xfe", 2 },
		{ "a\xe2\x82", 3 }, { "\x01\n", 2 }, { "\xe6\x97\xa5\xe6\x9c\xac", 4 }, { "e\xcc\x81", 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_int(format_columns(rows[i].in), rows[i].want, "columns of row %zu", i);
}

static void test_clip(void)
{
	static const struct {
		const char *in;
		int columns;
		size_t want;
	} rows[] = {
		{ "abc", 5, 3 }, { "abc", 2, 2 }, { "abc", 0, 0 }, { "abc", -1, 0 }, { "", 3, 0 }, { "\xc2\xb5s", 1, 2 },
		{ "\xe6\x97\xa5\xe6\x9c\xac", 3, 3 }, { "\xe6\x97\xa5\xe6\x9c\xac", 1, 0 }, { "e\xcc\x81x", 1, 3 }, { "\xff\xff", 1, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_int(format_clip(rows[i].in, rows[i].columns), rows[i].want,
			"clip of row %zu to %d", i, rows[i].columns);
}

static void test_plain(void)
{
	static const struct {
		const char *in, *want;
	} rows[] = {
		{ "gr\xc3\xb6\xc3\x9f" "e", "gr\xc3\xb6\xc3\x9f" "e" },
		{ "\x1b[31m\x7f", "?[31m?" },
		{ "\xc2\x9b" "31m\xc2\xa0", "??31m\xc2\xa0" },
		{ "\xc2", "\xc2" },
		{ "longer than there is room", "longer than " },
	};
	char text[13];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		utf8_copy_plain(text, sizeof(text), rows[i].in, strlen(rows[i].in));
		is_str(text, rows[i].want, "plain text, row %zu", i);
	}
	utf8_copy_plain(text, sizeof(text), "no end", 2);
	is_str(text, "no", "and no more than is there");
}

static void test_utf8(void)
{
	static const struct {
		const char *in;
		size_t len;
		uint32_t code;
	} rows[] = {
		{ "A", 1, 'A' }, { "", 1, 0 }, { "\x7f", 1, 0x7f }, { "\xc2\x80", 2, 0x80 }, { "\xdf\xbf", 2, 0x7ff },
		{ "\xe0\xa0\x80", 3, 0x800 }, { "\xef\xbf\xbf", 3, 0xffff }, { "\xf0\x90\x80\x80", 4, 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff }, { "\xf4\x90\x80\x80", 0, 0 }, { "\xc1\xbf", 0, 0 }, { "\xe0\x9f\xbf", 0, 0 },
		{ "\xf0\x8f\xbf\xbf", 0, 0 }, { "\xed\xa0\x80", 0, 0 }, { "\xed\xbf\xbf", 0, 0 }, { "\x80", 0, 0 }, { "\xc2", 0, 0 },
		{ "\xe2\x82", 0, 0 }, { "\xf0\x9f\x94", 0, 0 }, { "\xf8\x88\x80\x80\x80", 0, 0 }, { "\xff", 0, 0 }, { "\xc2\x41", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint32_t code = 0;

		is_int(utf8_decode(rows[i].in, &code), rows[i].len, "UTF-8 row %zu has its length",
			i);
		is_int(code, rows[i].code, "UTF-8 row %zu has its code", i);
	}
}

/* The hint of a refusal, in English, French and Chinese. */
static void test_hints(void)
{
	static const struct {
		const char *hint, *parts;
	} rows[] = {
		{ "", "" },
		{ "-L lists what was found", "||-L lists what was found\n" },
		{ "for this user: sudo a; as root: echo Y > f", "for this user|for this user:|sudo a\nas root|as root:|echo Y > f\n" },
		{ "pour cet utilisateur : sudo a ; sudo b", "pour cet utilisateur|pour cet utilisateur :|sudo a\n||sudo b\n" },
		{ "\345\257\271\357\274\232sudo a\357\274\233sudo b", "\345\257\271|\345\257\271\357\274\232|sudo a\n||sudo b\n" },
		{ "sudo b; see: doc", "||sudo b\nsee|see:|doc\n" },
		{ "; ", "||\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *rest = rows[i].hint;
		struct strbuf got = { 0 };
		struct way_out w;

		while (hint_next(&rest, &w))
			strbuf_addf(&got, "%.*s|%.*s|%.*s\n", w.whom_len, w.whom, w.mark_len, w.whom, w.text_len, w.text);
		is_str(strbuf_str(&got), rows[i].parts, "ways out of hint %zu", i);
		strbuf_release(&got);
	}
}

/* People get at most four digits, whatever the value, and not a width more than there is. */
static void test_people(void)
{
	static const struct {
		double v;
		int width;
		const char *want;
	} rows[] = {
		{ 28.985, 9, "28.98" }, { 0.126, 9, "0.126" }, { 1050, 9, "1050" }, { 9999, 9, "9999" },
		{ 33792, 9, "33.79k" }, { 33792, 5, "33.8k" }, { 1070531, 9, "1.071M" }, { -28.985, 9, "-28.98" },
		{ -33792, 9, "-33.79k" }, { 398987e6, 7, "399.0G" }, { NAN, 9, "--" }, { 0, 9, "0.000" },
		{ 66908.16e9, 8, "66.91T" }, { INFINITY, 9, "inf" },
	};
	char buf[32];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_str(format_people(buf, sizeof(buf), rows[i].v, rows[i].width), rows[i].want, "%g in %d columns",
			rows[i].v, rows[i].width);
	bool few = true, fits = true;
	for (double v = 1e-6; v < 1e18; v *= 1.07) {
		for (int width = 5; width < 12; width++) {
			size_t digits = 0;

			format_people(buf, sizeof(buf), v, width);
			for (const char *c = buf + (strncmp(buf, "0.", 2) == 0 ? 2 : 0); *c; c++)
				digits += *c >= '0' && *c <= '9';
			few = few && digits <= 4;
			fits = fits && strlen(buf) <= (size_t)width;
		}
	}
	ok(few && fits, "at most four digits that fit");
}

int main(void)
{
	test_people();
	test_numbers();
	test_fixed();
	test_prefixes();
	test_hints();
	test_any_number();
	test_plain();
	test_utf8();
	setlocale(LC_ALL, "C");
	is_int(format_columns("\xc2\xb5s \xe2\x96\x88"), 4,
		"characters are counted in the C locale too");
	is_int(format_clip("\xc2\xb5s", 1), 2, "a character is never cut in the C locale either");
	if (!setlocale(LC_ALL, "C.UTF-8")) {
		skip(20, "there is no C.UTF-8 locale");
		return done_testing();
	}
	test_columns();
	test_clip();
	return done_testing();
}
