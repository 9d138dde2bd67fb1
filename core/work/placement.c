/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of where groups ran. */
#include "config.h"

#include "core/work/placement.h"

#include <stdio.h>
#include <string.h>

struct placement_cell *placement_cell(struct placement *p, int slice, int subslice)
{
	int at = 0;

	while (at < p->n && (p->cells[at].slice < slice ||
			(p->cells[at].slice == slice && p->cells[at].subslice < subslice)))
		at++;
	if (at < p->n && p->cells[at].slice == slice && p->cells[at].subslice == subslice)
		return &p->cells[at];
	if (p->n == PLACEMENT_MAX)
		return NULL;
	memmove(p->cells + at + 1, p->cells + at, (size_t)(p->n - at) * sizeof(p->cells[0]));
	p->n++;
	p->cells[at] = (struct placement_cell){ .slice = slice, .subslice = subslice };
	return &p->cells[at];
}

int placement_eus(const struct placement *p)
{
	int eus = 0;

	for (int i = 0; i < p->n; i++) {
		for (int eu = eus; eu < PLACEMENT_EUS; eu++) {
			if (p->cells[i].items[eu])
				eus = eu + 1;
		}
	}
	return eus;
}

const char *placement_busiest(const struct placement *p, int n_subslices, char *buf, size_t size)
{
	uint64_t least = UINT64_MAX;
	size_t len = 0;

	*buf = '\0';
	for (int i = 0; i < p->n; i++) {
		if (p->cells[i].groups < least)
			least = p->cells[i].groups;
	}
	if (p->n < n_subslices)
		least = 0;
	for (int i = 0; i < p->n; i++) {
		char name[24];

		if (p->cells[i].groups <= least)
			continue;
		snprintf(name, sizeof(name), "%sS%dSS%d", len ? " " : "", p->cells[i].slice,
			p->cells[i].subslice);
		if (len + strlen(name) + sizeof(" ...") > size) {
			snprintf(buf + len, size - len, " ...");
			break;
		}
		len += (size_t)snprintf(buf + len, size - len, "%s", name);
	}
	return buf;
}
