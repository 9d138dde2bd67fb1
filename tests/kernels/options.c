/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "options KERNEL ACCUMULATORS [SUB_GROUP]": what a compiler is told for that kernel, with fma(); for tests
 * that compile it themselves. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/catalog/variant.h"

int main(int argc, char **argv)
{
	struct variant v = { .fma = true };
	struct strbuf b = { 0 };
	struct err err = { 0 };

	if (argc < 3 || argc > 4 || !catalog_parse(argv[1], &v.spec, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		return 2;
	}
	v.accumulators = atoi(argv[2]);
	if (argc > 3)
		v.sub_group = atoi(argv[3]);
	variant_options(&v, &b);
	puts(strbuf_str(&b));
	strbuf_release(&b);
	return 0;
}
