/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a hint at its marks. */
#include "config.h"

#include "base/hint.h"

#include <stddef.h>
#include <string.h>

/* Longer ones are sentences with a colon in them. */
#define WHOM_MOST 80

/* Finds the first mark or its full-width form. len gets the length of the one found. */
static const char *find_mark(const char *s, const char *mark, const char *wide, size_t *len)
{
	const char *m = strstr(s, mark), *w = strstr(s, wide);

	if (w && (!m || w < m)) {
		m = w;
		mark = wide;
	}
	*len = strlen(mark);
	return m;
}

static int without_blank(const char *s, const char *end)
{
	if (end > s && end[-1] == ' ')
		end--;
	return (int)(end - s);
}

bool hint_next(const char **hint, struct way_out *out)
{
	const char *s = *hint;
	size_t end_len, colon_len;
	const char *end = find_mark(s, "; ", "；", &end_len);
	const char *colon = find_mark(s, ": ", "：", &colon_len);

	if (!*s)
		return false;
	if (!end) {
		end = strchr(s, '\0');
		end_len = 0;
	}
	*hint = end + end_len;
	*out = (struct way_out){ .whom = s, .text = s };
	if (colon && colon < end && colon - s < WHOM_MOST) {
		out->whom_len = without_blank(s, colon);
		out->text = colon + colon_len;
		out->mark_len = without_blank(s, out->text);
	}
	out->text_len = without_blank(out->text, end);
	return true;
}
