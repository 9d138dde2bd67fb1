/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What screens tell of the kernels of programs that are watched. */
#pragma once

#include "base/strbuf.h"
#include "ui/frame/screen.h"

/* Adds the evidence for the selected line: how much of it was counted, and why not more. */
void kernels_explain(struct strbuf *text, const struct view *v, const struct view_model *m);
