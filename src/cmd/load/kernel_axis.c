/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers from the names of kernels. */
#include "config.h"

#include "cmd/load/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"

/* Returns the number behind the part of the name that ends so, to the end of the name. */
static double number_behind(const char *kernel, const char *part)
{
	const char *at = strstr(kernel, part);
	double v;

	return at && parse_double(at + strlen(part), &v) ? v : NAN;
}

double kernel_size_bytes(const char *kernel)
{
	const char *dot = strrchr(kernel, '.');
	char *end;
	double v = dot ? strtod(dot + 1, &end) : 0;

	if (!(v > 0) || (strcmp(end, "k") && strcmp(end, "m")))
		return NAN;
	return v * (*end == 'k' ? 1 << 10 : 1 << 20);
}

double kernel_stride(const char *kernel)
{
	return number_behind(kernel, ".stride.s");
}

double kernel_intensity(const char *kernel)
{
	return number_behind(kernel, ".ai-");
}
