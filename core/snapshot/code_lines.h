/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which instructions the counters of a window belong to, as lines of text. */
#pragma once

#include "base/strbuf.h"
#include "core/snapshot/snapshot.h"

/* Appends them (translated, separated by '\n'), at most the fullest few; nothing where no source
 * tells it. */
void code_lines(struct strbuf *out, const struct snapshot *s, int most);
/* What a source that tells instructions calls one of its first n_code counters, without its own
 * name. */
const char *code_count_name(const struct feed *f, int i);
