/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parser that goes through the text once and decodes strings in place. */
#include "config.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"

#define MAX_DEPTH 64

struct parser {
	struct json_tree *tree;
	char *at;
	int depth;
};

static void blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

static bool take(struct parser *p, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(p->at, word, len) != 0)
		return false;
	p->at += len;
	return true;
}

static bool hex4(const char *s, unsigned *out)
{
	*out = 0;
	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef0123456789ABCDEF";
		const char *found = s[i] ? strchr(digits, s[i]) : NULL;

		if (!found)
			return false;
		*out = *out * 16 + (unsigned)(found - digits) % 16;
	}
	return true;
}

static char *put_utf8(char *to, unsigned c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* Takes what follows "\u". What is no character becomes U+FFFD, and so does NUL, which would end
 * the string. */
static bool take_unicode(struct parser *p, char **to)
{
	unsigned c, low;

	if (!hex4(p->at, &c))
		return false;
	p->at += 4;
	if (c >= 0xd800 && c < 0xdc00 && p->at[0] == '\\' && p->at[1] == 'u' &&
		hex4(p->at + 2, &low) && low >= 0xdc00 && low < 0xe000) {
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		p->at += 6;
	}
	if (c == 0 || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	*to = put_utf8(*to, c);
	return true;
}

/* Takes one character behind a backslash. An escape is never shorter than what it means. */
static bool take_escape(struct parser *p, char **to)
{
	static const char from[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	char c = *p->at;
	const char *found = c ? strchr(from, c) : NULL;

	if (!c)
		return false;
	p->at++;
	if (c == 'u')
		return take_unicode(p, to);
	if (!found)
		return false;
	*(*to)++ = means[found - from];
	return true;
}

static bool take_string(struct parser *p, const char **out)
{
	char *to = p->at + 1;

	if (*p->at != '"')
		return false;
	*out = to;
	p->at++;
	while (*p->at && *p->at != '"') {
		if ((unsigned char)*p->at < ' ')
			return false;
		if (*p->at != '\\') {
			*to++ = *p->at++;
			continue;
		}
		p->at++;
		if (!take_escape(p, &to))
			return false;
	}
	if (!*p->at)
		return false;
	p->at++;
	*to = '\0';
	return true;
}

static bool take_number(struct parser *p, double *out)
{
	size_t len = strspn(p->at, "0123456789+-.eE");
	char word[64];

	if (len == 0 || len >= sizeof(word))
		return false;
	memcpy(word, p->at, len);
	word[len] = '\0';
	p->at += len;
	return parse_double(word, out);
}

static size_t add_node(struct parser *p)
{
	struct json_tree *t = p->tree;

	t->nodes = array_grow(t->nodes, t->n, &t->cap, sizeof(*t->nodes));
	t->nodes[t->n] = (struct json_node){ .type = JSON_NULL };
	return t->n++;
}

static bool take_value(struct parser *p, size_t node);

/* Takes what is between brackets; at stands behind the first of them. */
static bool take_inside(struct parser *p, size_t parent, char end)
{
	size_t last = 0;

	blanks(p);
	if (*p->at == end)
		return p->at++ != NULL;
	for (;;) {
		size_t node = add_node(p);

		if (last)
			p->tree->nodes[last].next = node;
		else
			p->tree->nodes[parent].child = node;
		last = node;
		blanks(p);
		if (end == '}') {
			const char *key;

			if (!take_string(p, &key))
				return false;
			p->tree->nodes[node].key = key;
			blanks(p);
			if (!take(p, ":"))
				return false;
		}
		if (!take_value(p, node))
			return false;
		blanks(p);
		if (*p->at == end)
			return p->at++ != NULL;
		if (!take(p, ","))
			return false;
	}
}

static bool take_brackets(struct parser *p, size_t node)
{
	bool is_object = *p->at == '{';

	p->tree->nodes[node].type = is_object ? JSON_OBJECT : JSON_ARRAY;
	if (++p->depth > MAX_DEPTH)
		return false;
	p->at++;
	bool good = take_inside(p, node, is_object ? '}' : ']');
	p->depth--;
	return good;
}

static bool take_value(struct parser *p, size_t node)
{
	const char *text = NULL;
	double number = 0;
	enum json_type type = JSON_NULL;

	blanks(p);
	if (*p->at == '{' || *p->at == '[')
		return take_brackets(p, node);
	if (*p->at == '"') {
		type = JSON_TEXT;
		if (!take_string(p, &text))
			return false;
	} else if (take(p, "true")) {
		type = JSON_BOOL;
		number = 1;
	} else if (take(p, "false")) {
		type = JSON_BOOL;
	} else if (!take(p, "null")) {
		type = JSON_NUMBER;
		if (!take_number(p, &number))
			return false;
	}
	p->tree->nodes[node].type = type;
	p->tree->nodes[node].text = text;
	p->tree->nodes[node].number = number;
	return true;
}

bool json_read(struct json_tree *t, char *text)
{
	struct parser p = { .tree = t, .at = text };

	t->n = 0;
	bool good = take_value(&p, add_node(&p));
	blanks(&p);
	return good && !*p.at;
}

void json_tree_release(struct json_tree *t)
{
	free(t->nodes);
	*t = (struct json_tree){ 0 };
}

const struct json_node *json_first(const struct json_tree *t, const struct json_node *of)
{
	return of && of->child ? &t->nodes[of->child] : NULL;
}

const struct json_node *json_next(const struct json_tree *t, const struct json_node *of)
{
	return of && of->next ? &t->nodes[of->next] : NULL;
}

const struct json_node *json_get(
	const struct json_tree *t, const struct json_node *object, const char *key)
{
	if (!object || object->type != JSON_OBJECT)
		return NULL;
	for (const struct json_node *n = json_first(t, object); n; n = json_next(t, n))
		if (!strcmp(n->key, key))
			return n;
	return NULL;
}

const char *json_get_text(
	const struct json_tree *t, const struct json_node *object, const char *key)
{
	const struct json_node *n = json_get(t, object, key);

	return n && n->type == JSON_TEXT ? n->text : "";
}

double json_get_number(
	const struct json_tree *t, const struct json_node *object, const char *key)
{
	const struct json_node *n = json_get(t, object, key);

	return n && n->type == JSON_NUMBER ? n->number : NAN;
}

bool json_is_true(const struct json_tree *t, const struct json_node *object, const char *key)
{
	const struct json_node *n = json_get(t, object, key);

	return n && n->type == JSON_BOOL && n->number > 0;
}
