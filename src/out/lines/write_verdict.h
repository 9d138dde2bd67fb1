/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the verdict of a window into files. */
#ifndef OUT_LINES_WRITE_VERDICT_H
#define OUT_LINES_WRITE_VERDICT_H

#include "base/strbuf.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict.h"

/* Adds the member "verdict" of a JSON object; now_ns is the end of the window. */
void json_verdict(struct strbuf *out, const struct verdict *v, int64_t now_ns);
/* Adds the member "evidence": the metrics that rules ask, by role. */
void json_evidence(struct strbuf *out, const struct snapshot *s);
/* Adds the member "thresholds". */
void json_thresholds(struct strbuf *out);
/* Adds the member "candidates": every resource that was compared, and why it is not the verdict. */
void json_candidates(struct strbuf *out, const struct verdict *v);

#endif
