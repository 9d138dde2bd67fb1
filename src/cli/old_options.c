/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Old spellings, which work for one release: what takes their place. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/options_priv.h"

/* The option, its value or NULL for any, and what to write; %s stands for the value. */
static const struct {
	const char *name, *value, *instead;
} spellings[] = {
	{ "explain", NULL, "rooftop explain %s" },
	{ "rotate", NULL, "-m %s" },
	{ "cc-i", NULL, "--counter INC:COARSE:FINE" },
	{ "list", NULL, "rooftop stress help" },
	{ "set", "list", "-m help" },
	{ "context", "list", "--context help" },
};

static void tell(struct options *o, const char *dashes, const char *name, const char *instead,
	const char *value)
{
	const char *gap = strstr(instead, "%s");

	strbuf_addf(&o->old, "%s%s goes away with the next release: write ", dashes, name);
	strbuf_addn(&o->old, instead, gap ? (size_t)(gap - instead) : strlen(instead));
	if (gap)
		strbuf_addf(&o->old, "%s%s", value, gap + 2);
	strbuf_addc(&o->old, '\n');
}

const char *options_new_command(struct options *o, char *name)
{
	if (strcmp(name, "explain-limit") != 0)
		return name;
	o->old_name = name + strlen("explain-");
	return "explain";
}

void options_tell_old(struct options *o)
{
	if (o->old_name && !strcmp(o->old_name, "limit"))
		tell(o, "", "explain-limit", "rooftop explain limit", NULL);
	for (int i = 0; i < o->n_given; i++) {
		const struct given_option *g = &o->given[i];

		for (size_t k = 0; k < ARRAY_LEN(spellings); k++)
			if (!strcmp(spellings[k].name, g->row->name) &&
				(!spellings[k].value || !strcmp(spellings[k].value, g->value)))
				tell(o, "--", g->row->name, spellings[k].instead, g->value);
		/* These two are right for whoever starts rooftop in the place of intel_gpu_top. */
		if (o->form == OUTPUT_GPU_TOP || o->as_gpu_top)
			continue;
		if (!strcmp(g->row->name, "delay-ms")) {
			char seconds[32];

			snprintf(seconds, sizeof(seconds), "%g", strtod(g->value, NULL) / 1000);
			tell(o, "--", g->row->name, "-d %s", seconds);
		} else if (!strcmp(g->row->name, "delay") && strchr(g->value, ':')) {
			tell(o, "-d ", g->value, "-D %s", g->value);
		}
	}
}
