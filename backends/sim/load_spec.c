/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads names and loads of simulated devices. */
#include "config.h"

#include "backends/sim/load_spec.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"

#define LOAD "load="

bool load_spec_parse(const char *text, const char *allowed, struct load_spec *out, struct err *err)
{
	size_t len = strcspn(text, ",");
	const char *rest = text + len;

	*out = (struct load_spec){ .load = "tour" };
	snprintf(out->name, sizeof(out->name), "%.*s", (int)len, text);
	if (!*rest)
		return true;
	const char *word = rest + 1, *comma = strchr(word, ',');
	bool is_load = !strncmp(word, LOAD, strlen(LOAD));
	if (!is_load || comma || strlen(word + strlen(LOAD)) >= sizeof(out->load)) {
		/* The load is good; what stands behind it is not. */
		if (is_load && comma)
			word = comma + 1;
		err_set(err, ERR_USAGE, _("unknown word '%.*s' for the simulated device"),
			(int)strcspn(word, ","), word);
		return err_hint(err, _("allowed: %s"), allowed);
	}
	snprintf(out->load, sizeof(out->load), "%s", rest + 1 + strlen(LOAD));
	return true;
}

bool load_spec_unknown(const struct load_spec *s, struct err *err)
{
	return err_set(err, ERR_USAGE, _("no simulated device is called '%s'"), s->name);
}
