/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON that is read: values, strings, and texts that are none. */
#include "config.h"

#include "base/json.h"

#include "base/mem.h"
#include "tests/tap.h"

static bool reads(struct json_tree *t, char *buf, size_t size, const char *text)
{
	snprintf(buf, size, "%s", text);
	return json_read(t, buf);
}

static void test_values(void)
{
	struct json_tree t = { 0 };
	char buf[200];

	ok(reads(&t, buf, sizeof(buf),
		   " {\"a\": 1.5e3, \"b\" :true,\"c\":null , \"d\":[1,-2, {\"e\":\"f\"}],\"g\":{}} "),
		"an object of everything");
	is_near(json_get_number(&t, t.nodes, "a"), 1500, 0, "a number");
	ok(json_is_true(&t, t.nodes, "b"), "true");
	ok(isnan(json_get_number(&t, t.nodes, "c")), "null is no number");
	ok(isnan(json_get_number(&t, t.nodes, "z")), "nor is what is not there");
	is_str(json_get_text(&t, t.nodes, "a"), "", "a number is no text");
	const struct json_node *d = json_get(&t, t.nodes, "d");
	const struct json_node *second = json_next(&t, json_first(&t, d));
	is_near(second->number, -2, 0, "the second of an array");
	is_str(json_get_text(&t, json_next(&t, second), "e"), "f", "an object in an array");
	ok(!json_next(&t, json_next(&t, second)), "which is the last one");
	ok(!json_first(&t, json_get(&t, t.nodes, "g")), "an empty object has none");
	json_tree_release(&t);
}

static void test_strings(void)
{
	static const struct { const char *in, *out; } rows[] = {
		{ "\"\"", "" },
		{ "\"a\\\"b\\\\c\\/d\"", "a\"b\\c/d" },
		{ "\"\\u0041\\u00e9\\u20ac\"", "A\xc3\xa9\xe2\x82\xac" },
		{ "\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!" },
		{ "\"\\ud83d!\"", "\xef\xbf\xbd!" },
		{ "\"\\u0000x\"", "\xef\xbf\xbdx" },
		{ "\"\\b\\f\\n\\r\\t\"", "\b\f\n\r\t" },
	};
	struct json_tree t = { 0 };
	char buf[64];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool good = reads(&t, buf, sizeof(buf), rows[i].in);

		is_str(good ? t.nodes[0].text : NULL, rows[i].out, "%s", rows[i].in);
	}
	json_tree_release(&t);
}

static void test_wrong(void)
{
	static const char *const rows[] = { "", " ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}",
		"\"a", "\"\\", "\"\\u12\"", "\"\\x\"", "tru", "1 2", "1e", "--1", "[1}", "{\"a\":1,}",
		"\"\n\"", "nan", "]" };
	struct json_tree t = { 0 };
	char buf[400];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ok(!reads(&t, buf, sizeof(buf), rows[i]), "no JSON: %s", rows[i]);
	memset(buf, '[', 200);
	buf[200] = '\0';
	ok(!json_read(&t, buf), "nested too deep");
	json_tree_release(&t);
}

/* Whatever is cut off or changed, nothing is read behind the end. */
static void test_cut(void)
{
	const char *text = "{\"a\":[1,2,{\"b\":\"c\\u0041\"}],\"d\":true,\"e\":null}";
	struct json_tree t = { 0 };
	size_t good = 0;

	for (size_t len = 0; len <= strlen(text); len++) {
		char *cut = xmalloc(len + 1);

		memcpy(cut, text, len);
		cut[len] = '\0';
		good += json_read(&t, cut);
		free(cut);
	}
	is_int(good, 1, "of all beginnings only the whole text is JSON");
	json_tree_release(&t);
}

int main(void)
{
	test_values();
	test_strings();
	test_wrong();
	test_cut();
	return done_testing();
}
