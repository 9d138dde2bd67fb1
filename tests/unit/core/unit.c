/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units: words, prefixes, products, dimensions, and what is no unit. */
#include "config.h"

#include "core/value/unit.h"

#include <limits.h>

#include "base/mem.h"
#include "tests/tap.h"

static void test_good(void)
{
	static const struct {
		const char *text;
		double scale;
		const char *dims;
	} rows[] = {
		{ "s", 1, "s" }, { "ms", 1e-3, "s" }, { "us", 1e-6, "s" }, { "ns", 1e-9, "s" },
		{ "Hz", 1, "cycle/s" }, { "MHz", 1e6, "cycle/s" }, { "GHz", 1e9, "cycle/s" }, { "cycle", 1, "cycle" },
		{ "cycle/s", 1, "cycle/s" }, { "tick", 1, "tick" }, { "tick/s", 1, "tick/s" },
		{ "B", 1, "B" }, { "kB", 1e3, "B" }, { "KiB", 1024, "B" }, { "MiB", 1048576, "B" }, { "GiB/s", 1073741824, "B/s" },
		{ "GB/s", 1e9, "B/s" }, { "TB/s", 1e12, "B/s" }, { "B/cycle", 1, "B/cycle" },
		{ "FLOP", 1, "FLOP" }, { "GFLOP/s", 1e9, "FLOP/s" }, { "FLOP/cycle", 1, "FLOP/cycle" }, { "FLOP/B", 1, "FLOP/B" },
		{ "GFLOP/s/W", 1e9, "FLOP/J" }, { "GFLOP/J", 1e9, "FLOP/J" }, { "W", 1, "J/s" }, { "mW", 1e-3, "J/s" },
		{ "uJ", 1e-6, "J" }, { "K", 1, "K" }, { "mK", 1e-3, "K" },
		{ "%", 0.01, "1" }, { "percent", 0.01, "1" }, { "1", 1, "1" }, { "threads", 1, "1" }, { "threads/s", 1, "1/s" },
		{ "Mpixel/s", 1e6, "1/s" }, { "texels", 1, "1" }, { "1/s", 1, "1/s" }, { "%*GB/s", 1e7, "B/s" },
		{ "s*s", 1, "s*s" }, { "FLOP*cycle/s", 1, "cycle*FLOP/s" }, { "bytes", 1, "B" }, { "cycles", 1, "cycle" },
		{ "Mmsg/s", 1e6, "1/s" }, { "kthr/s", 1e3, "1/s" }, { "Mtex/s", 1e6, "1/s" }, { "Mpix/s", 1e6, "1/s" },
		{ "Mmessages/s", 1e6, "1/s" }, { "kthreads/s", 1e3, "1/s" }, { "Mtexels/s", 1e6, "1/s" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct unit u = { 0 };
		char dims[64];

		ok(unit_parse(rows[i].text, strlen(rows[i].text), &u, &err), "'%s' is a unit (%s)",
			rows[i].text, err.msg);
		is_near(u.scale, rows[i].scale, rows[i].scale * 1e-14, "scale of '%s'",
			rows[i].text);
		is_str(unit_dims_text(&u, dims, sizeof(dims)), rows[i].dims, "dimensions of '%s'",
			rows[i].text);
	}
}

static void test_bad(void)
{
	static const char *const rows[] = {
		"",
		"x",
		"GB/",
		"/s",
		"GB//s",
		"kiB",
		"KiFLOP",
		"k%",
		"GB s",
		" B",
		"B ",
		"gb",
		"kk",
		"M",
		"1e3",
		"s^2",
		"mbytes",
		"Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts*Ts",
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct unit u;

		ok(!unit_parse(rows[i], strlen(rows[i]), &u, &err) && err.code == ERR_PARSE &&
				err.msg[0],
			"'%s' is none", rows[i]);
	}
	ok(unit_parse("B!", 1, &(struct unit){ 0 }, NULL), "only len bytes are read");
}

static void test_combine(void)
{
	struct unit second, bandwidth, u = unit_one();
	char dims[64], tiny[4];

	unit_parse("s", 1, &second, NULL);
	unit_parse("GB/s", 4, &bandwidth, NULL);
	u = unit_mul(bandwidth, second);
	is_str(unit_dims_text(&u, dims, sizeof(dims)), "B", "GB/s * s is a number of bytes");
	is_near(u.scale, 1e9, 0, "with the scale of GB");
	u = unit_div(u, bandwidth);
	ok(unit_same_dims(&u, &second) && !unit_same_dims(&u, &bandwidth),
		"divided by GB/s it is seconds again");
	is_near(u.scale, 1, 0, "of scale 1");
	for (int i = 0; i < 1000; i++)
		u = unit_mul(u, second);
	is_int(u.exp[UNIT_SECOND], SCHAR_MAX, "exponents saturate");
	is_str(unit_dims_text(&u, tiny, sizeof(tiny)), "s*s",
		"and their text is cut at the buffer's end");
}

int main(void)
{
	test_good();
	test_bad();
	test_combine();
	return done_testing();
}
