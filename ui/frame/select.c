/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves the selection in lists. */
#include "config.h"

#include "ui/frame/screen.h"

#include <string.h>
#include <strings.h>

#include "base/minmax.h"

bool select_is_move(enum command cmd)
{
	return cmd == CMD_UP || cmd == CMD_DOWN || cmd == CMD_PAGE_UP || cmd == CMD_PAGE_DOWN ||
		cmd == CMD_TOP || cmd == CMD_BOTTOM;
}

int select_move(enum command cmd, int now, int page, int count)
{
	int last = max_of(count - 1, 0);

	page = max_of(page, 1);
	switch (cmd) {
	case CMD_UP: now--; break;
	case CMD_DOWN: now++; break;
	case CMD_PAGE_UP: now -= page; break;
	case CMD_PAGE_DOWN: now += page; break;
	case CMD_TOP: now = 0; break;
	case CMD_BOTTOM: now = last; break;
	default: break;
	}
	return clamp(now, 0, last);
}

bool select_contains(const char *text, const char *part)
{
	size_t len = strlen(part);

	for (; text && *text; text++)
		if (!strncasecmp(text, part, len))
			return true;
	return false;
}

int select_find(const struct select_rows *r, const char *text, int step)
{
	for (int i = step; i < r->n + step; i++)
		if (r->has(r->rows, (r->now + i) % r->n, text))
			return (r->now + i) % r->n;
	return -1;
}
