/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What backends share: lists of devices that were found, and open devices. */
#include "config.h"

#include "backends/common/backend.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

struct device_entry *device_list_add(struct device_list *l, const struct backend *b)
{
	l->entries = array_grow(l->entries, l->count, &l->cap, sizeof(*l->entries));
	struct device_entry *e = &l->entries[l->count++];
	*e = (struct device_entry){ .backend = b };
	return e;
}

void device_shared_drop(struct device_shared *s)
{
	if (s && --s->users == 0)
		s->release(s);
}

void device_list_release(struct device_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		device_shared_drop(l->entries[i].shared);
	free(l->entries);
	*l = (struct device_list){ 0 };
}

void open_device_check(struct open_device *dev, const struct device_check *check)
{
	if (dev->n_checks < DEVICE_MAX_CHECKS)
		dev->checks[dev->n_checks++] = *check;
}

struct device_check device_check_of(
	const char *feed, const char *source, const char *gives, const struct err *refusal)
{
	struct device_check c = { .status = "ok" };

	snprintf(c.feed, sizeof(c.feed), "%s", feed);
	snprintf(c.source, sizeof(c.source), "%s", source);
	snprintf(c.gives, sizeof(c.gives), "%s", gives);
	if (refusal) {
		snprintf(c.status, sizeof(c.status), "NO");
		snprintf(c.reason, sizeof(c.reason), "%s", refusal->msg);
		snprintf(c.hint, sizeof(c.hint), "%s", refusal->hint);
	}
	return c;
}

void open_device_tried(struct open_device *dev, const char *feed, const char *source,
	const char *gives, const struct err *refusal)
{
	if (refusal && refusal->code == ERR_NONE)
		refusal = NULL;
	struct device_check c = device_check_of(feed, source, gives, refusal);
	if (refusal)
		snprintf(c.reason, sizeof(c.reason), "%s",
			err_without_name(refusal->msg, dev->device.id));
	c.no_permission = refusal && refusal->code == ERR_PERMISSION;
	if (refusal && refusal->code == ERR_UNSUPPORTED)
		snprintf(c.status, sizeof(c.status), "--");
	open_device_check(dev, &c);
}

void source_window(struct sample *out, int64_t *begun_ns, int64_t now_ns)
{
	out->why = now_ns > *begun_ns ? WHY_OK : WHY_NOT_YET;
	out->t0_ns = *begun_ns;
	out->t1_ns = now_ns;
	out->window_ns = now_ns - *begun_ns;
	out->reports = 1;
	*begun_ns = now_ns;
}

bool source_always_ready(struct source *s, int64_t now_ns, struct err *err)
{
	(void)s;
	(void)now_ns;
	(void)err;
	return true;
}

void *source_new_sized(const struct source_ops *ops, size_t size)
{
	struct source *s = xcalloc(1, size);

	assert(size >= sizeof(*s));
	s->ops = ops;
	s->fd = -1;
	return s;
}

void *source_new(const struct source_ops *ops)
{
	return source_new_sized(ops, ops->size);
}

void source_close(struct source *s)
{
	if (s && s->ops->close)
		s->ops->close(s);
	free(s);
}

void open_device_close(struct open_device *dev)
{
	for (int i = dev->n_sources - 1; i >= 0; i--)
		source_close(dev->sources[i]);
	dev->n_sources = 0;
	client_source_close(dev->clients);
	runner_close(dev->runner);
	if (dev->spans)
		dev->spans->close(dev->spans);
	dev->clients = NULL;
	dev->spans = NULL;
	dev->runner = NULL;
}
