/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits loads that take turns, and reads how long each of them takes. */
#include "config.h"

#include "backends/sim/model/turns.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"

#define LEAST_NS (10 * NS_PER_MS)
#define MOST_NS (3600 * NS_PER_S)

static bool fail(const char *text, struct err *err)
{
	err_set(err, ERR_USAGE, "'%s' are no loads of the simulated device, one after the other",
		text);
	return err_hint(err,
		"two to %d loads with > between them, and behind @ how long each takes, from "
		"10ms on: load=stream.sp.x4>idle@2s",
		TURNS_MAX);
}

bool load_turns_parse(const char *text, int64_t each_ns, struct load_turns *out, struct err *err)
{
	const char *at = strchr(text, '@');
	char names[TURNS_MAX * TURNS_NAME_SIZE];
	const char *rest = names;
	size_t len = at ? (size_t)(at - text) : strlen(text);

	*out = (struct load_turns){ .each_ns = each_ns };
	/* One load alone: whoever knows the names says what is wrong with it. */
	if (!strpbrk(text, ">@") && len < sizeof(out->names[0])) {
		snprintf(out->names[out->n++], sizeof(out->names[0]), "%s", text);
		return true;
	}
	if (len >= sizeof(names))
		return fail(text, err);
	snprintf(names, sizeof(names), "%.*s", (int)len, text);
	while (*rest && out->n < TURNS_MAX &&
		parse_until(&rest, '>', out->names[out->n], sizeof(out->names[0])))
		out->n++;
	bool timed = !at ||
		(out->n > 1 && parse_duration_ns(at + 1, &out->each_ns) &&
			out->each_ns >= LEAST_NS && out->each_ns <= MOST_NS);
	if (*rest || !out->n || !timed)
		return fail(text, err);
	return true;
}

bool load_turns_add(const struct load_turns *turns, const char *machine,
	bool (*add)(void *card, const char *load), void *card, struct err *err)
{
	for (int i = 0; i < turns->n; i++) {
		if (add(card, turns->names[i]))
			continue;
		err_set(err, ERR_USAGE, "sim:%s has no load '%s'", machine, turns->names[i]);
		return err_hint(err, "%s", "-D sim:help lists the loads");
	}
	return true;
}
