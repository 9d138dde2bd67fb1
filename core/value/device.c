/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constants of a device. */
#include "config.h"

#include "core/value/device.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct device_const *find(struct device *d, const char *name)
{
	for (int i = 0; i < d->n_consts; i++) {
		/* Most differ in the first letter already. */
		if (d->consts[i].name[0] == *name && !strcmp(d->consts[i].name, name))
			return &d->consts[i];
	}
	return NULL;
}

const char *roof_source_name(enum roof_source source)
{
	static const char *const names[] = { "none", "data_sheet", "measured", "computed", "read",
		"assumed" };

	return names[source];
}

struct device_const *device_set_roof(struct device *d, const char *name, double v,
	enum roof_source source, bool uncertain, const char *origin)
{
	struct device_const *c = find(d, name);

	assert(strlen(name) < sizeof(c->name));
	if (!c) {
		assert(d->n_consts < DEVICE_MAX_CONSTS);
		c = &d->consts[d->n_consts++];
	}
	*c = (struct device_const){ .v = v, .source = source, .uncertain = uncertain };
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(c->origin, sizeof(c->origin), "%s", origin);
	return c;
}

void device_set_const(struct device *d, const char *name, double v)
{
	device_set_roof(d, name, v, ROOF_SOURCE_NONE, false, "");
}

bool device_follow_limit(struct device *d, const char *name, double v, const char *origin)
{
	const struct device_const *before = find(d, name);

	if (before && (before->v == v || strcmp(before->origin, origin) != 0))
		return false;
	if (!before && !(v > 0))
		return false;
	if (v > 0)
		device_set_roof(d, name, v, ROOF_READ, false, origin);
	else
		device_drop_const(d, name);
	return true;
}

void device_drop_const(struct device *d, const char *name)
{
	struct device_const *c = find(d, name);

	if (!c)
		return;
	d->n_consts--;
	memmove(c, c + 1, (size_t)(d->consts + d->n_consts - c) * sizeof(*c));
}

void device_disprove(struct device *d, const char *name)
{
	struct device_const *c = find(d, name);

	if (c)
		c->disproved = true;
}

const struct device_const *device_const(const struct device *d, const char *name)
{
	return find((struct device *)d, name);
}

void device_set_word(struct device *d, const char *name, const char *label, const char *text)
{
	int i = 0;

	while (i < d->n_words && strcmp(d->words[i].name, name) != 0)
		i++;
	if (!*text || i == DEVICE_MAX_WORDS)
		return;
	if (i == d->n_words)
		d->n_words++;
	snprintf(d->words[i].name, sizeof(d->words[i].name), "%s", name);
	snprintf(d->words[i].label, sizeof(d->words[i].label), "%s", label);
	snprintf(d->words[i].text, sizeof(d->words[i].text), "%s", text);
}

void device_tell_words(const struct device *d, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (int i = 0; i < d->n_words && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s %s", i ? ", " : "",
			d->words[i].label, d->words[i].text);
}
