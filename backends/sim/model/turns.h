/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads loads that a simulated device does one after the other: "A>B@2s"; and whose spec a text is. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"

#define TURNS_MAX 8
#define TURNS_NAME_SIZE 64

/* Whether a spec, such as "h100,load=fma", begins with this name. */
static inline bool spec_is_of(const char *spec, const char *name)
{
	return strlen(name) == strcspn(spec, ",") && !strncmp(spec, name, strlen(name));
}

/* Plain data. */
struct load_turns {
	char names[TURNS_MAX][TURNS_NAME_SIZE];
	int n;
	int64_t each_ns; /* how long each of them takes */
};

/* Splits loads at '>' and reads how long each takes behind '@'; each_ns: where nothing is told. A load alone
 * is one of them. False with err (ERR_USAGE) for none, too many, or a time that is none. */
bool load_turns_parse(const char *text, int64_t each_ns, struct load_turns *out, struct err *err);
/* Hands each load to add(), which knows those of the card and returns false for others. False with
 * err (ERR_USAGE) for the first of these; machine: what the card is called behind "sim:". */
bool load_turns_add(const struct load_turns *turns, const char *machine,
	bool (*add)(void *card, const char *load), void *card, struct err *err);
