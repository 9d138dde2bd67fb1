/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing strings, and values written as JSON, CSV and round-trip numbers. */
#include "config.h"

#include "base/strbuf.h"

#include <float.h>
#include <locale.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/format.h"
#include "base/mem.h"
#include "base/parse.h"
#include "tests/tap.h"

static void test_growing(void)
{
	struct strbuf b = { 0 };
	char *taken;

	is_str(strbuf_str(&b), "", "an empty buffer has a text");
	strbuf_clear(&b);
	strbuf_add(&b, "");
	is_str(b.s, "", "adding nothing terminates");
	strbuf_addn(&b, "abcdef", 3);
	strbuf_addc(&b, 'X');
	strbuf_addf(&b, "%d%s", 42, "!");
	is_str(b.s, "abcX42!", "pieces join");
	is_int(b.len, 7, "length counts bytes");
	strbuf_clear(&b);
	is_str(strbuf_str(&b), "", "clear empties");
	for (int i = 0; i < 1000; i++)
		strbuf_addf(&b, "%04d", i);
	is_int(b.len, 4000, "a thousand pieces");
	ok(!memcmp(b.s + 3996, "0999", 5), "the last piece and the NUL are in place");
	strbuf_clear(&b);
	strbuf_addf(&b, "%5000s", "x");
	is_int(b.len, 5000, "one piece longer than the buffer");
	taken = strbuf_take(&b);
	is_int(strlen(taken), 5000, "take hands over the text");
	ok(!b.s && !b.len && !b.cap, "take leaves an empty buffer");
	free(taken);
	taken = strbuf_take(&b);
	is_str(taken, "", "take of nothing is a string");
	free(taken);
	strbuf_release(&b);
	strbuf_release(NULL);
}

static void test_json(void)
{
	static const struct {
		const char *in, *want;
	} rows[] = {
		{ "", "\"\"" },
		{ "plain", "\"plain\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\n\t\r\x01\x7f", "\"\\n\\t\\u000d\\u0001\\u007f\"" },
		{ "\xc2\xb5s \xe2\x82\xac \xf0\x9f\x94\xa5", "\"\xc2\xb5s \xe2\x82\xac \xf0\x9f\x94\xa5\"" },
		{ "a\xff" "b", "\"a\xef\xbf\xbd" "b\"" },
		{ "cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },		/* overlong '/' */
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },	/* surrogate */
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct strbuf b = { 0 };

		strbuf_add_json(&b, rows[i].in);
		is_str(b.s, rows[i].want, "JSON row %zu", i);
		strbuf_release(&b);
	}
}

static void test_xml(void)
{
	struct strbuf b = { 0 };

	strbuf_add_xml(&b, "\"a\" & <b> \n\x01\x7f \xc2\xb0" "C cut \xe2\x82");
	is_str(b.s, "&quot;a&quot; &amp; &lt;b> \n?\x7f \xc2\xb0" "C cut ??",
		"XML has neither bare quotes nor half letters");
	strbuf_release(&b);
}

static void test_csv(void)
{
	static const struct {
		const char *in, *want;
	} rows[] = {
		{ "", "" }, { "plain text", "plain text" }, { "a,b", "\"a,b\"" }, { "say \"x\"", "\"say \"\"x\"\"\"" },
		{ "two\nlines", "\"two\nlines\"" }, { "cr\r", "\"cr\r\"" }, { "semi;colon", "semi;colon" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct strbuf b = { 0 };

		strbuf_add_csv(&b, rows[i].in);
		is_str(strbuf_str(&b), rows[i].want, "CSV row %zu", i);
		strbuf_release(&b);
	}
}

static void test_double_text(void)
{
	static const struct {
		double in;
		const char *want;
	} rows[] = {
		{ 0, "0" }, { 1, "1" }, { -1, "-1" }, { 0.1, "0.1" }, { 0.3, "0.3" }, { 0.30000000000000004, "0.30000000000000004" },
		{ 1e15, "1e+15" }, { 123456789012345, "123456789012345" }, { 1.0 / 3, "0.3333333333333333" },
		{ 9007199254740993.0, "9007199254740992" }, { NAN, "null" }, { INFINITY, "null" }, { -INFINITY, "null" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct strbuf b = { 0 };

		strbuf_add_double(&b, rows[i].in);
		is_str(b.s, rows[i].want, "%.17g as text", rows[i].in);
		strbuf_release(&b);
	}
}

/* Any finite bit pattern reads back as itself. The generator is xorshift64 with a fixed seed. */
static void test_double_round_trip(void)
{
	uint64_t state = 88172645463325252u;
	int tried = 0, bad = 0;
	struct strbuf b = { 0 };

	for (int i = 0; i < 20000; i++) {
		double v, back = NAN;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(&v, &state, sizeof(v));
		if (!isfinite(v))
			continue;
		strbuf_clear(&b);
		strbuf_add_double(&b, v);
		tried++;
		if (!parse_double(b.s, &back) || memcmp(&v, &back, sizeof(v))) {
			bad++;
			diag("%a became %s", v, b.s);
		}
	}
	strbuf_release(&b);
	ok(tried > 19000 && !bad, "%d random doubles read back as themselves", tried);
}

/* The LC_NUMERIC file of a locale with a decimal comma, as localedef writes it: a bare system has
 * none to try. Magic number and category, six entries, their offsets: the point, the separator of
 * thousands, the grouping, both signs as wide characters, the charset. */
struct numeric_file {
	uint32_t magic, entries, offsets[6];
	char point[2], thousands[2], grouping[4];
	uint32_t wide[2];
	char charset[6];
} __attribute__((packed));

static bool make_comma_locale(char *dir)
{
	static const struct numeric_file comma = {
		0x20031114, 6, { 32, 34, 36, 40, 44, 48 }, ",", ".", { 3, 3 }, { ',', '.' }, "UTF-8"
	};
	char path[64];
	FILE *f;
	bool good;

	if (!mkdtemp(dir))
		return false;
	snprintf(path, sizeof(path), "%s/comma", dir);
	if (mkdir(path, 0700) < 0)
		return false;
	snprintf(path, sizeof(path), "%s/comma/LC_NUMERIC", dir);
	f = fopen(path, "we");
	if (!f)
		return false;
	good = fwrite(&comma, sizeof(comma), 1, f) == 1;
	return !fclose(f) && good;
}

static void remove_comma_locale(const char *dir)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/comma/LC_NUMERIC", dir);
	remove(path);
	snprintf(path, sizeof(path), "%s/comma", dir);
	remove(path);
	remove(dir);
}

static void test_comma_locale(void)
{
	char dir[] = "/tmp/rooftop-locale-XXXXXX";
	struct strbuf b = { 0 };
	char text[16];
	double v = 0;

	if (!make_comma_locale(dir) || setenv("LOCPATH", dir, 1) < 0 ||
		!setlocale(LC_NUMERIC, "comma")) {
		skip(5, "this C library takes no locale with a decimal comma from us");
	} else {
		snprintf(text, sizeof(text), "%.1f", 1.5);
		is_str(text, "1,5", "printf writes a comma now");
		strbuf_add_double(&b, 1.5);
		is_str(b.s, "1.5", "a double is still written with a point");
		ok(parse_double("2.5", &v) && v > 2.4 && v < 2.6, "and read with a point");
		ok(!parse_double("2,5", &v), "and not with a comma");
		is_str(format_number(text, sizeof(text), 97, 4), "97.0", "and shown with a point");
	}
	setlocale(LC_NUMERIC, "C");
	strbuf_release(&b);
	remove_comma_locale(dir);
}

int main(void)
{
	test_growing();
	test_json();
	test_xml();
	test_csv();
	test_double_text();
	test_double_round_trip();
	test_comma_locale();
	return done_testing();
}
