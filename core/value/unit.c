/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and combines units. */
#include "config.h"

#include "core/value/unit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "base/minmax.h"

enum prefix_kind { PREFIX_NONE, PREFIX_SI, PREFIX_SI_AND_BINARY };

/* A word with its dimensions: one numerator and one denominator. Words of Intel's metric sets are
 * here too. */
struct unit_word {
	const char *name;
	double scale;
	signed char over;	/* enum unit_dim, or NO_DIM */
	signed char under;
	unsigned char prefixes;
};

#define NO_DIM (-1)

static const struct unit_word words[] = {
	{ "s",         1,    UNIT_SECOND, NO_DIM,      PREFIX_SI },
	{ "Hz",        1,    UNIT_CYCLE,  UNIT_SECOND, PREFIX_SI },
	{ "hz",        1,    UNIT_CYCLE,  UNIT_SECOND, PREFIX_NONE },
	{ "cycle",     1,    UNIT_CYCLE,  NO_DIM,      PREFIX_SI },
	{ "cycles",    1,    UNIT_CYCLE,  NO_DIM,      PREFIX_SI },
	{ "tick",      1,    UNIT_TICK,   NO_DIM,      PREFIX_SI },
	{ "ticks",     1,    UNIT_TICK,   NO_DIM,      PREFIX_SI },
	{ "B",         1,    UNIT_BYTE,   NO_DIM,      PREFIX_SI_AND_BINARY },
	{ "bytes",     1,    UNIT_BYTE,   NO_DIM,      PREFIX_NONE },
	{ "FLOP",      1,    UNIT_FLOP,   NO_DIM,      PREFIX_SI },
	{ "W",         1,    UNIT_JOULE,  UNIT_SECOND, PREFIX_SI },
	{ "J",         1,    UNIT_JOULE,  NO_DIM,      PREFIX_SI },
	{ "K",         1,    UNIT_KELVIN, NO_DIM,      PREFIX_SI },
	{ "degC",      1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "%",         0.01, NO_DIM,      NO_DIM,      PREFIX_NONE },
	{ "percent",   0.01, NO_DIM,      NO_DIM,      PREFIX_NONE },
	{ "1",         1,    NO_DIM,      NO_DIM,      PREFIX_NONE },
	{ "number",    1,    NO_DIM,      NO_DIM,      PREFIX_NONE },
	{ "thread",    1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "threads",   1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "thr",       1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "pixel",     1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "pixels",    1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "pix",       1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "texel",     1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "texels",    1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "tex",       1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "message",   1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "messages",  1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "msg",       1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "event",     1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "events",    1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "request",   1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "requests",  1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "report",    1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "reports",   1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "rpm",       1,    NO_DIM,      NO_DIM,      PREFIX_NONE },
	{ "instr",     1,    NO_DIM,      NO_DIM,      PREFIX_SI },
	{ "op",        1,    NO_DIM,      NO_DIM,      PREFIX_SI },
};

static const struct {
	const char *text;
	double scale;
	unsigned char kind;	/* least prefix_kind of a word that takes it */
} prefixes[] = {
	{ "n",  1e-9, PREFIX_SI },
	{ "u",  1e-6, PREFIX_SI },
	{ "m",  1e-3, PREFIX_SI },
	{ "k",  1e3,  PREFIX_SI },
	{ "M",  1e6,  PREFIX_SI },
	{ "G",  1e9,  PREFIX_SI },
	{ "T",  1e12, PREFIX_SI },
	{ "Ki", 0x1p10, PREFIX_SI_AND_BINARY },
	{ "Mi", 0x1p20, PREFIX_SI_AND_BINARY },
	{ "Gi", 0x1p30, PREFIX_SI_AND_BINARY },
};

static const char *const dim_names[UNIT_DIMS] = { "s", "cycle", "tick", "B", "FLOP", "J", "K" };

struct unit unit_one(void)
{
	return (struct unit){ .scale = 1 };
}

/* It saturates: equations of hostile files may multiply seconds without end. */
static struct unit combine(struct unit a, struct unit b, int sign)
{
	if (sign > 0)
		a.scale *= b.scale;
	else
		a.scale /= b.scale;
	for (int i = 0; i < UNIT_DIMS; i++) {
		int e = a.exp[i] + sign * b.exp[i];

		if (e > SCHAR_MAX)
			e = SCHAR_MAX;
		if (e < -SCHAR_MAX)
			e = -SCHAR_MAX;
		a.exp[i] = (signed char)e;
	}
	return a;
}

struct unit unit_mul(struct unit a, struct unit b)
{
	return combine(a, b, 1);
}

struct unit unit_div(struct unit a, struct unit b)
{
	return combine(a, b, -1);
}

bool unit_same_dims(const struct unit *a, const struct unit *b)
{
	return !memcmp(a->exp, b->exp, sizeof(a->exp));
}

static const struct unit_word *find_word(const char *text, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (*words[i].name == *text && strlen(words[i].name) == len &&
			!memcmp(words[i].name, text, len))
			return &words[i];
	}
	return NULL;
}

static struct unit from_word(const struct unit_word *w, double prefix_scale)
{
	struct unit u = { .scale = w->scale * prefix_scale };

	if (w->over != NO_DIM)
		u.exp[w->over]++;
	if (w->under != NO_DIM)
		u.exp[w->under]--;
	return u;
}

/* Reads one word, with or without a prefix; the word itself comes first ("K" is kelvin, "mK" a
 * thousandth of it). */
static bool parse_atom(const char *text, size_t len, struct unit *out)
{
	const struct unit_word *w = find_word(text, len);

	if (w) {
		*out = from_word(w, 1);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
		size_t skip = strlen(prefixes[i].text);

		if (len <= skip || memcmp(text, prefixes[i].text, skip) != 0)
			continue;
		w = find_word(text + skip, len - skip);
		if (w && w->prefixes >= prefixes[i].kind) {
			*out = from_word(w, prefixes[i].scale);
			return true;
		}
	}
	return false;
}

bool unit_parse(const char *text, size_t len, struct unit *out, struct err *err)
{
	struct unit result = unit_one();
	struct unit atom;
	size_t start = 0;
	int sign = 1;

	for (;;) {
		size_t end = start;

		while (end < len && text[end] != '*' && text[end] != '/')
			end++;
		if (!parse_atom(text + start, end - start, &atom))
			return err_set(err, ERR_PARSE, "unknown unit '%.*s'",
				(int)min_u64(len, 60), text);
		result = combine(result, atom, sign);
		if (end == len)
			break;
		sign = 1;
		if (text[end] == '/')
			sign = -1;
		start = end + 1;
	}
	if (!isnormal(result.scale))
		return err_set(err, ERR_PARSE, "the unit '%.*s' is out of range",
			(int)min_u64(len, 60), text);
	*out = result;
	return true;
}

static void add_text(char *buf, size_t size, size_t *at, const char *text)
{
	if (*at < size)
		*at += (size_t)snprintf(buf + *at, size - *at, "%s", text);
}

const char *unit_dims_text(const struct unit *u, char *buf, size_t size)
{
	size_t at = 0;

	if (size == 0)
		return "";
	buf[0] = '\0';
	for (int i = 0; i < UNIT_DIMS; i++) {
		for (int n = u->exp[i]; n > 0; n--) {
			add_text(buf, size, &at, at ? "*" : "");
			add_text(buf, size, &at, dim_names[i]);
		}
	}
	if (at == 0)
		add_text(buf, size, &at, "1");
	for (int i = 0; i < UNIT_DIMS; i++) {
		for (int n = u->exp[i]; n < 0; n++) {
			add_text(buf, size, &at, "/");
			add_text(buf, size, &at, dim_names[i]);
		}
	}
	return buf;
}

const char *unit_word(const char *unit_text)
{
	/* Files have the name that equations can read. */
	if (unit_text && *unit_text == 'd' && !strcmp(unit_text, "degC"))
		return "C";
	return text_or(unit_text, "");
}

struct unit_form unit_for_people(const char *unit, double largest)
{
	static const char *const units[][4] = {
		{ "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s" },
		{ "GFLOP/s", "TFLOP/s", "PFLOP/s", "EFLOP/s" },
		{ "GFLOP", "TFLOP", "PFLOP", "EFLOP" },
		{ "MB/s", "GB/s", "TB/s", "PB/s" },
		{ "GB/s", "TB/s", "PB/s", "EB/s" },
		{ "GB", "TB", "PB", "EB" },
		{ "J", "kJ", "MJ", "GJ" },
		{ "Mcycle", "Gcycle", "Tcycle", "Pcycle" },
		{ "Mmsg/s", "Gmsg/s", "Tmsg/s" },
		{ "Mtex/s", "Gtex/s", "Ttex/s" },
	};
	struct unit_form form = { 1, unit };

	for (size_t i = 0; largest >= PEOPLE_MAX && i < ARRAY_LEN(units); i++) {
		if (strcmp(unit, units[i][0]) != 0)
			continue;
		for (int k = 1; k < 4 && units[i][k] && largest * form.factor >= PEOPLE_MAX; k++)
			form = (struct unit_form){ form.factor / 1000, units[i][k] };
	}
	return form;
}
