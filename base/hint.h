/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways out that the hint of an error names. */
#pragma once

#include <stdbool.h>

/* One of them. The lengths are in bytes; the texts are parts of the hint and do not end with zeros.
 * whom_len 0: the hint does not say for whom it is. mark_len: of whom with the mark behind it. */
struct way_out {
	const char *whom, *text;
	int whom_len, mark_len, text_len;
};

/* Takes the first way out of *hint, and moves *hint behind it. Returns false when none is left.
 *
 * Ways have "; " between them, and "for whom" ends with ": ", or with the marks that translations
 * have there: full-width ones in Chinese, in French a blank before them. */
bool hint_next(const char **hint, struct way_out *out);
