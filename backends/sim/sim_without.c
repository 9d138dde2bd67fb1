/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes sources away from an open simulated device, as a machine without them, or without the right to
 * them, has it. */
#include "config.h"

#include "backends/sim/sim_without.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

#define WORD "without="

bool sim_without_take(
	const char *spec, char *rest, size_t size, struct sim_without *out, struct err *err)
{
	size_t used = 0;
	bool began = false;

	*out = (struct sim_without){ .n = 0 };
	*rest = '\0';
	for (const char *next = spec; next; spec = next) {
		size_t len = strcspn(spec, ","), name = len - strlen(WORD);
		bool is_ours = !strncmp(spec, WORD, strlen(WORD));

		next = spec[len] ? spec + len + 1 : NULL;
		if (is_ours &&
			(name == 0 || name >= sizeof(out->names[0]) || out->n == SIM_WITHOUT_MAX)) {
			err_set(err, ERR_USAGE, "'%.*s' names no source of the simulated device",
				(int)len, spec);
			return err_hint(err, "'rooftop doctor' lists the sources of a device");
		}
		if (is_ours) {
			snprintf(out->names[out->n++], sizeof(out->names[0]), "%.*s", (int)name,
				spec + strlen(WORD));
			continue;
		}
		/* Words that are empty stay, too: they are a mistake that others tell. */
		used += (size_t)snprintf(
			rest + used, size - used, "%s%.*s", began ? "," : "", (int)len, spec);
		began = true;
	}
	return true;
}

/* The first source, as somebody without the right to it has it: it runs, and gives nothing. */
struct closed_source {
	struct source source;
	struct source *inner;
};

static bool closed_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct closed_source *s = (struct closed_source *)src;
	bool good = s->inner->ops->ready(s->inner, now_ns, err);

	s->source.rebind = s->source.rebind || s->inner->rebind;
	s->inner->rebind = false;
	return good;
}

static void closed_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct closed_source *s = (struct closed_source *)src;

	s->inner->ops->collect(s->inner, now_ns, out);
	out->why = WHY_PERMISSION;
	out->half = NULL;
}

static void closed_close(struct source *src)
{
	struct closed_source *s = (struct closed_source *)src;

	source_close(s->inner);
}

static const struct source_ops closed_ops = {
	.size = sizeof(struct closed_source),
	.ready = closed_ready, .collect = closed_collect, .close = closed_close,
};

static void close_first(struct open_device *dev)
{
	struct closed_source *s = source_new(&closed_ops);

	s->inner = dev->sources[0];
	s->source = *s->inner;
	s->source.ops = &closed_ops;
	dev->sources[0] = &s->source;
}

static bool fail_name(const char *name, const struct open_device *dev, struct err *err)
{
	struct strbuf known = { 0 };

	for (int i = 0; i < dev->n_sources; i++)
		strbuf_add_word(&known, ", ", dev->sources[i]->feed.name);
	err_set(err, ERR_USAGE, "the simulated device has no source '%s'", name);
	err_hint(err, "allowed: %s", strbuf_str(&known));
	strbuf_release(&known);
	return false;
}

bool sim_without_apply(const struct sim_without *w, struct open_device *dev, struct err *err)
{
	for (int k = 0; k < w->n; k++) {
		int i = 0;

		while (i < dev->n_sources && strcmp(dev->sources[i]->feed.name, w->names[k]) != 0)
			i++;
		if (i == dev->n_sources)
			return fail_name(w->names[k], dev, err);
		if (i == 0) {
			close_first(dev);
			continue;
		}
		source_close(dev->sources[i]);
		dev->n_sources--;
		memmove(&dev->sources[i], &dev->sources[i + 1],
			(size_t)(dev->n_sources - i) * sizeof(dev->sources[0]));
	}
	return true;
}
