/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what drivers answered to ioctls, as a text for people who cannot ask them. */
#include "config.h"

#include "cmd/tell/bundle.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "backends/card/drm_node.h"
#include "base/mem.h"
#include "base/place.h"

/* Some answers come with every window, and what they say is in the recording. */
#define OF_ONE_REQUEST 48
#define ANSWER_MAX_BYTES (64u << 10)
#define BYTES_IN_LINE 32

/* The last part of what the descriptor is: "renderD128", "anon_inode:[i915_perf]". */
static void name_node(int fd, char *name, size_t size)
{
	char target[PATH_MAX];

	place_name(fd, target, sizeof(target));
	snprintf(name, size, "%.*s", (int)size - 1, place_last(target));
}

/* Says whether it is new, and is not one of too many. */
static bool is_wanted(struct bundle *b, const struct bundle_answer *new)
{
	int n = 0;

	for (size_t i = 0; i < b->n_answers; i++) {
		const struct bundle_answer *old = &b->answers[i];

		if (old->request != new->request || strcmp(old->node, new->node) != 0)
			continue;
		if (old->result == new->result && old->is_buffer == new->is_buffer &&
			old->len == new->len &&
			(!old->len || !memcmp(old->data, new->data, old->len)))
			return false;
		n += old->is_buffer == new->is_buffer;
	}
	b->answers_left_out += n >= OF_ONE_REQUEST;
	return n < OF_ONE_REQUEST;
}

static void keep(void *ctx, const struct node_answer *a)
{
	struct bundle *b = ctx;
	struct bundle_answer new = { .request = a->request, .result = a->result,
		.is_buffer = a->is_buffer, .data = (void *)a->data, .len = a->len };

	if (new.len > ANSWER_MAX_BYTES)
		new.len = ANSWER_MAX_BYTES;
	name_node(a->fd, new.node, sizeof(new.node));
	if (!is_wanted(b, &new))
		return;
	if (new.len)
		new.data = memcpy(xmalloc(new.len), a->data, new.len);
	else
		new.data = NULL;
	b->answers = array_grow(b->answers, b->n_answers, &b->cap_answers, sizeof(*b->answers));
	b->answers[b->n_answers++] = new;
}

void bundle_answers_begin(struct bundle *b)
{
	node_watch(keep, b);
}

static void add_answer(struct bundle *b, struct bundle_answer *a, struct strbuf *out)
{
	const unsigned char *bytes = a->data;
	unsigned type = (unsigned)_IOC_TYPE(a->request);

	strbuf_addf(out, "%s 0x%08lx (type 0x%02x, number 0x%02x): ", a->node, a->request, type,
		(unsigned)_IOC_NR(a->request));
	if (a->is_buffer)
		strbuf_addf(out, "%zu bytes where the argument points", a->len);
	else if (a->result < 0)
		strbuf_addf(out, "refused with errno %d, argument of %zu bytes", -a->result, a->len);
	else
		strbuf_addf(out, "%d, argument of %zu bytes", a->result, a->len);
	if (a->len)
		redact(&b->names, a->data, a->len);
	for (size_t i = 0; i < a->len; i++)
		strbuf_addf(out, i % BYTES_IN_LINE ? " %02x" : "\n\t%02x", bytes[i]);
	strbuf_addc(out, '\n');
}

void bundle_answers_add(struct bundle *b)
{
	struct strbuf text = { 0 };

	node_watch(NULL, NULL);
	for (size_t i = 0; i < b->n_answers; i++)
		add_answer(b, &b->answers[i], &text);
	if (b->answers_left_out)
		strbuf_addf(&text, "Left out, because there were %d of the same request: %zu\n",
			OF_ONE_REQUEST, b->answers_left_out);
	if (text.len)
		bundle_add(b, "ioctls.txt", xstrdup(strbuf_str(&text)), text.len, false);
	strbuf_release(&text);
}

void bundle_answers_release(struct bundle *b)
{
	node_watch(NULL, NULL);
	for (size_t i = 0; i < b->n_answers; i++)
		free(b->answers[i].data);
	free(b->answers);
}
