/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads specs as after "sim:", one a line, and prints for each one, with tabs: the spec, the kinds
 * that are right, the resources that are right ('*': any), the least and the greatest headroom
 * ('-': any), why, and which reasons have to be given, of which one is enough ('-': any). */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "tests/truth/relax.h"

static void print_headroom(double v)
{
	if (isnan(v))
		printf("\t-");
	else
		printf("\t%.3f", v);
}

int main(void)
{
	char line[256];
	int bad = 0;

	while (fgets(line, sizeof(line), stdin)) {
		struct answer a = { .least = NAN, .most = NAN };
		struct err err = { 0 };

		line[strcspn(line, "\n")] = '\0';
		if (!answer_of(&a, line, &err)) {
			fprintf(stderr, "%s: %s\n", line, err.msg);
			bad++;
			continue;
		}
		printf("%s\t%s\t%s", line, a.kinds, a.bounds);
		print_headroom(a.least);
		print_headroom(a.most);
		printf("\t%s\t%s\n", a.why, *a.causes ? a.causes : "-");
	}
	return bad > 0;
}
