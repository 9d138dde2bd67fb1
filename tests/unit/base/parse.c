/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text to numbers: what is taken, and what is refused without touching the result. */
#include "config.h"

#include "base/parse.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/tap.h"

static void test_integers(void)
{
	static const struct {
		const char *in;
		bool good, hex_good;
		uint64_t want, hex_want;
	} rows[] = {
		{ "0", true, true, 0, 0 },
		{ "42", true, true, 42, 0x42 },
		{ "007", true, true, 7, 7 },
		{ "0x1F", true, true, 31, 31 },
		{ "0XfF", true, true, 255, 255 },
		{ "ff", false, true, 0, 255 },
		{ "18446744073709551615", true, false, UINT64_MAX, 0 },
		{ "18446744073709551616", false, false, 0, 0 },
		{ "99999999999999999999999", false, false, 0, 0 },
		{ "0xffffffffffffffff", true, true, UINT64_MAX, UINT64_MAX },
		{ "0x10000000000000000", false, false, 0, 0 },
		{ "", false, false, 0, 0 },
		{ "0x", false, false, 0, 0 },
		{ "-1", false, false, 0, 0 },
		{ "+1", false, false, 0, 0 },
		{ " 1", false, false, 0, 0 },
		{ "1 ", false, false, 0, 0 },
		{ "1.0", false, false, 0, 0 },
		{ "1e3", false, true, 0, 0x1e3 },
		{ "12g", false, false, 0, 0 },
		{ "\xd9\xa1", false, false, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t v = 77;

		is_int(parse_u64(rows[i].in, &v), rows[i].good, "integer '%s' is judged",
			rows[i].in);
		is_int(v, rows[i].good ? rows[i].want : 77, "integer '%s' has its value",
			rows[i].in);
		v = 77;
		is_int(parse_hex(rows[i].in, &v), rows[i].hex_good, "hexadecimal '%s' is judged",
			rows[i].in);
		is_int(v, rows[i].hex_good ? rows[i].hex_want : 77,
			"hexadecimal '%s' has its value", rows[i].in);
	}
}

static void test_range(void)
{
	uint64_t v = 77;

	ok(!parse_u64_range("9", 10, 20, &v) && v == 77, "below the range");
	ok(parse_u64_range("10", 10, 20, &v) && v == 10, "the lower end");
	ok(parse_u64_range("20", 10, 20, &v) && v == 20, "the upper end");
	ok(!parse_u64_range("21", 10, 20, &v) && v == 20, "above the range");
	ok(!parse_u64_range("x", 0, UINT64_MAX, &v), "no number at all");
}

static void test_doubles(void)
{
	static const struct {
		const char *in;
		double want;	/* NAN: refused */
	} rows[] = {
		{ "0", 0 }, { "1", 1 }, { "-1.5", -1.5 }, { ".5", 0.5 }, { "5.", 5 }, { "1e3", 1000 }, { "1E-2", 0.01 }, { "2e+2", 200 },
		{ "1e308", 1e308 }, { "1e-400", 0 }, { "1e309", NAN }, { "", NAN }, { "-", NAN }, { ".", NAN }, { "e5", NAN },
		{ "1e", NAN }, { "1e+", NAN }, { "0x10", NAN }, { "inf", NAN }, { "nan", NAN }, { "infinity", NAN }, { " 1", NAN },
		{ "1 ", NAN }, { "1,5", NAN }, { "1.2.3", NAN }, { "+1", NAN }, { "--1", NAN }, { "1e5x", NAN },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double v = NAN;

		is_int(parse_double(rows[i].in, &v), !isnan(rows[i].want), "double '%s' is judged",
			rows[i].in);
		is_near(v, rows[i].want, fabs(rows[i].want) * 1e-15, "double '%s' has its value",
			rows[i].in);
	}
}

static void test_durations(void)
{
	static const struct {
		const char *in;
		int64_t want;	/* 0: refused */
	} rows[] = {
		{ "1", 1000000000 }, { "0.5", 500000000 }, { "0.1s", 100000000 }, { "500ms", 500000000 }, { "10us", 10000 }, { "7ns", 7 },
		{ "1m", 60000000000 }, { "1.5m", 90000000000 }, { "2s", 2000000000 }, { ".25", 250000000 }, { "0", 0 }, { "0ms", 0 },
		{ "0.1ns", 0 }, { "-1", 0 }, { "", 0 }, { "s", 0 }, { "1h", 0 }, { "1 s", 1000000000 }, { "20 ms", 20000000 }, { "1  s", 0 }, { "1 ", 0 }, { " s", 0 }, { "1\ts", 0 },
		{ "1sec", 0 }, { "1e3ms", 0 }, { "1.2.3", 0 },
		{ "9223372036", 9223372036000000000 }, { "9223372037", 0 }, { "1000000000000000000000000000", 0 },
		{ "1234567890123456789012345678901234567890123456789012345678901234567890", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t v = 0;

		is_int(parse_duration_ns(rows[i].in, &v), rows[i].want > 0,
			"duration '%s' is judged", rows[i].in);
		is_int(v, rows[i].want, "duration '%s' has its value", rows[i].in);
	}
}

static void test_words(void)
{
	static const struct {
		const char *in, *want;
	} rows[] = {
		{ "", "" }, { "  \t ", "" }, { "one", "[one]" }, { " a  bc\td\n", "[a][bc][d]" }, { "x=1 y", "[x=1][y]" },
		{ "\xc2\xa0z", "[\xc2\xa0z]" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *s = rows[i].in, *word;
		struct strbuf b = { 0 };
		size_t len;

		while (parse_word(&s, &word, &len))
			strbuf_addf(&b, "[%.*s]", (int)len, word);
		is_str(strbuf_str(&b), rows[i].want, "words of row %zu", i);
		ok(!*s, "row %zu is read to its end", i);
		strbuf_release(&b);
	}
}

static void test_pairs(void)
{
	static const struct {
		const char *list;
		char separator;
		const char *key, *want;	/* NULL: none */
	} rows[] = {
		{ "", ',', "a", NULL }, { "a=1", ',', "a", "1" }, { "aa=1,a=2", ',', "a", "2" }, { "a=1,a=2", ',', "a", "1" },
		{ "b,a=", ',', "a", "" }, { "a", ',', "a", NULL }, { "b=a=1", ',', "a", NULL }, { ",,a=1", ',', "a", "1" },
		{ "set=x y\nrooftop=0.1\n", '\n', "set", "x y" }, { "set=x\nrooftop=0.1\n", '\n', "rooftop", "0.1" },
		{ "a=1234567890", ',', "a", "1234567" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char buf[8] = "none";
		bool found = parse_pair(
			rows[i].list, rows[i].separator, rows[i].key, buf, sizeof(buf));

		is_int(found, rows[i].want != NULL, "row %zu: whether '%s' is there", i,
			rows[i].key);
		is_str(buf, rows[i].want ? rows[i].want : "none", "row %zu: its value", i);
	}
}

static void test_part(void)
{
	static const char *const want[] = { "flops", "private", "x4" };
	const char *s = "flops.private.x4";
	char buf[8];
	int n = 0;

	while (n < 3 && parse_until(&s, '.', buf, sizeof(buf)))
		n += !strcmp(buf, want[n]);
	is_int(n, 3, "the parts of a name");
	ok(!parse_until(&s, '.', buf, sizeof(buf)), "none is left at the end");
	s = ".sp";
	ok(!parse_until(&s, '.', buf, sizeof(buf)) && *s == '.', "an empty one is none");
	s = "eightish.sp";
	ok(!parse_until(&s, '.', buf, sizeof(buf)) && *s == 'e', "nor is one that does not fit");
}

int main(void)
{
	test_integers();
	test_range();
	test_doubles();
	test_durations();
	test_words();
	test_part();
	test_pairs();
	return done_testing();
}
