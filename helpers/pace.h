/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a helper is to tell something: rooftop writes milliseconds to its standard input. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes what is there; the last line counts. Returns false at the end of the input. */
static inline bool pace_read(int *period_ms)
{
	char text[256];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text) - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (atoi(line) > 0)
			*period_ms = atoi(line);
	return true;
}
