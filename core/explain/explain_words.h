/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a number means for a program, and what to do about it. */
#ifndef CORE_EXPLAIN_EXPLAIN_WORDS_H
#define CORE_EXPLAIN_EXPLAIN_WORDS_H

#include "core/metric/metric.h"

struct explain_advice {
	const char *names;		/* of metrics, between blanks */
	const char *means, *helps;	/* untranslated sentences */
};

/* Returns the advice about a metric, NULL when there is none. */
const struct explain_advice *explain_advice(const struct metric *m);

#endif
