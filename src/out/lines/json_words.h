/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of a device in words, as JSON. */
#ifndef OUT_LINES_JSON_WORDS_H
#define OUT_LINES_JSON_WORDS_H

#include "base/json.h"
#include "core/value/device.h"

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

#endif
