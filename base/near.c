/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares names letter by letter. */
#include "config.h"

#include "base/near.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

#define SLIP_MAX 80	/* longest name, in letters, for which a hint is sought */

/* Returns how many letters a slip of the fingers changes in a name of that length. */
static int slip_of(size_t len)
{
	return len < 5 ? len > 1 : 2;
}

int near_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int rows[3][SLIP_MAX + 1];
	int *last2 = rows[0], *last = rows[1], *now = rows[2];

	if (a_len > SLIP_MAX || b_len > SLIP_MAX)
		return SLIP_MAX;
	for (size_t j = 0; j <= b_len; j++)
		last[j] = (int)j;
	for (size_t i = 1; i <= a_len; i++) {
		int *oldest = last2;

		now[0] = (int)i;
		for (size_t j = 1; j <= b_len; j++) {
			now[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
			if (last[j] + 1 < now[j])
				now[j] = last[j] + 1;
			if (now[j - 1] + 1 < now[j])
				now[j] = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				last2[j - 2] + 1 < now[j])
				now[j] = last2[j - 2] + 1;
		}
		last2 = last;
		last = now;
		now = oldest;
	}
	return last[b_len];
}

/* Writes the letters in lower case, without an end. Returns how many there are. */
static size_t lower(const char *s, char *out)
{
	size_t n = 0;

	for (; s[n] && n < SLIP_MAX; n++) {
		out[n] = s[n];
		if (s[n] >= 'A' && s[n] <= 'Z')
			out[n] = (char)(s[n] - 'A' + 'a');
	}
	return n;
}

void near_begin(struct near *n, const char *word)
{
	*n = (struct near){ .word = word };
}

/* Returns how far the letters are from the nearest word of a text of several words, where that is a
 * slip; else SLIP_MAX. */
static int word_distance(const char *a, size_t a_len, const char *text, size_t text_len)
{
	int least = SLIP_MAX;

	for (size_t i = 0, len; i < text_len; i += len + 1) {
		for (len = 0; i + len < text_len && !strchr("_. ", text[i + len]);)
			len++;
		int distance = near_distance(a, a_len, text + i, len);
		if (len < text_len && distance < least && distance <= slip_of(a_len))
			least = distance;
	}
	return least;
}

/* Says whether the text has a word of the name as it is: "gpu" of "gpu_bsy". */
static bool shares_word(const char *a, size_t a_len, const char *text, size_t text_len)
{
	for (size_t i = 0, len; i < a_len; i += len + 1) {
		for (len = 0; i + len < a_len && !strchr("_. ", a[i + len]);)
			len++;
		if (len >= 3 && len < a_len && memmem(text, text_len, a + i, len))
			return true;
	}
	return false;
}

void near_try(struct near *n, const char *text, const char *name)
{
	const size_t last = sizeof(n->best) / sizeof(n->best[0]) - 1;
	char a[SLIP_MAX] = "", b[SLIP_MAX] = "";
	size_t len[2], at;

	len[0] = lower(n->word, a);
	len[1] = lower(text, b);
	int distance = near_distance(a, len[0], b, len[1]);
	int of_word = word_distance(a, len[0], b, len[1]);
	/* Who types a part of a name has made no mistake in it. */
	if (len[0] >= 2 && memmem(b, len[1], a, len[0]))
		distance = 1 + (int)(len[1] - len[0]) / 4;
	else if (of_word < SLIP_MAX && 1 + of_word + (int)(len[1] / 4) < distance)
		distance = 1 + of_word + (int)(len[1] / 4);
	else if (2 * (size_t)distance > len[0] && !shares_word(a, len[0], b, len[1]))
		return;
	for (at = 0; at <= last && *n->best[at].name; at++)
		if (!strcmp(n->best[at].name, name))
			return;
	for (at = 0; at <= last && *n->best[at].name && n->best[at].distance <= distance;)
		at++;
	if (at > last)
		return;
	memmove(&n->best[at + 1], &n->best[at], (last - at) * sizeof(n->best[0]));
	snprintf(n->best[at].name, sizeof(n->best[at].name), "%s", name);
	n->best[at].distance = distance;
}

bool near_is_slip(const struct near *n)
{
	return *n->best[0].name && n->best[0].distance <= slip_of(strlen(n->word));
}

bool near_hint(const struct near *n, const char *lists, struct err *err)
{
	struct strbuf names = { 0 };

	for (size_t i = 0; i < sizeof(n->best) / sizeof(n->best[0]) && *n->best[i].name; i++)
		strbuf_add_word(&names, ", ", n->best[i].name);
	if (names.len)
		err_hint(err, "similar: %s; %s", strbuf_str(&names), lists);
	else
		err_hint(err, "%s", lists);
	strbuf_release(&names);
	return false;
}
