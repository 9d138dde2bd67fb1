/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the table of kernels: text with what is left over, CSV, or a line of JSON for each kernel. */
#ifndef OUT_LINES_WRITE_KERNELS_H
#define OUT_LINES_WRITE_KERNELS_H

#include "session/session.h"
#include "base/strbuf.h"

void write_kernels(const struct session *ses, enum output_form form, struct strbuf *out);

#endif
