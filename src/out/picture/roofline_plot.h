/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a roofline as a picture. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/roofline/roofline.h"
#include "core/spans/kernel_list.h"

/* The same as SVG. */
void roofline_svg(const struct roofline *r, const struct kernel_list *kernels, const char *title,
	const char *note, struct strbuf *out);
/* Draws roofs and points, and of kernels (NULL: none) those that were counted, by their time, into
 * an SVG file. note is a line below the title. */
bool roofline_plot(const struct roofline *r, const struct kernel_list *kernels, const char *title,
	const char *note, const char *path, struct err *err);
/* Returns the unit of roofs of this role: "GFLOP/s". */
const char *roofline_unit(enum roof_role role);
