/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the users of texts and keeps the newest one. */
#include "config.h"

#include "out/export/http.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

#define FRESH_NS (100 * NS_PER_MS)
#define FRESH_TIMES 4

struct http_text *http_text_new(void)
{
	struct http_text *t = xcalloc(1, sizeof(*t));

	t->users = 1;
	return t;
}

void http_text_drop(struct http_text *t)
{
	if (!t || --t->users > 0)
		return;
	strbuf_release(&t->text);
	free(t);
}

/* Moves the newest text to the old ones while clients still read it. False: there is no place. */
static bool put_aside(struct http_cache *c)
{
	struct http_text **place = NULL;

	for (int i = 0; i < HTTP_TEXT_OLD; i++) {
		if (c->old[i] && c->old[i]->users == 1) {
			http_text_drop(c->old[i]);
			c->old[i] = NULL;
		}
		if (!c->old[i])
			place = &c->old[i];
	}
	if (c->newest && c->newest->users == 1) {
		http_text_drop(c->newest);
		c->newest = NULL;
	}
	if (!c->newest)
		return true;
	if (!place)
		return false;
	*place = c->newest;
	c->newest = NULL;
	return true;
}

struct http_text *http_cache_get(
	struct http_cache *c, http_write_fn *write, void *ctx, int form)
{
	int64_t now_ns = clock_machine_ns(), age_ns = now_ns - c->made_ns;
	bool is_fresh = c->newest && (age_ns < FRESH_NS || age_ns < FRESH_TIMES * c->took_ns);

	if (!is_fresh && put_aside(c)) {
		c->newest = http_text_new();
		write(ctx, form, &c->newest->text);
		c->made_ns = clock_machine_ns();
		c->took_ns = c->made_ns - now_ns;
	}
	c->newest->users++;
	return c->newest;
}

void http_cache_release(struct http_cache *c)
{
	http_text_drop(c->newest);
	for (int i = 0; i < HTTP_TEXT_OLD; i++)
		http_text_drop(c->old[i]);
	*c = (struct http_cache){ 0 };
}
