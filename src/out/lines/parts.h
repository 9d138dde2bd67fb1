/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of lines that several writers have: the verdict, words of devices, kernels. */
#pragma once

#include "base/strbuf.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict.h"
#include "base/json.h"
#include "core/value/device.h"
#include "session/session.h"

/* Adds the member "verdict" of a JSON object; now_ns is the end of the window. */
void json_verdict(struct strbuf *out, const struct verdict *v, int64_t now_ns);
/* Adds the member "evidence": the metrics that rules ask, by role. */
void json_evidence(struct strbuf *out, const struct snapshot *s);
/* Adds the member "thresholds". */
void json_thresholds(struct strbuf *out);
/* Adds the member "candidates": every resource that was compared, and why it is not the verdict. */
void json_candidates(struct strbuf *out, const struct verdict *v);

/* Adds "about":{"driver_version":"550.163.01"}; nothing where nothing is told. */
static inline void json_words(struct strbuf *out, const struct device *d)
{
	if (d->n_words == 0)
		return;
	json_open(out, "about", '{');
	for (int i = 0; i < d->n_words; i++)
		json_string(out, d->words[i].name, d->words[i].text);
	strbuf_addc(out, '}');
}

void write_kernels(const struct session *ses, enum output_form form, struct strbuf *out);
