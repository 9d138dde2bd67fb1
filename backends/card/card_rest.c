/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves an idle card alone, so that it can fall asleep. */
#include "config.h"

#include "backends/card/card_rest.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define IDLE_NS (2 * NS_PER_S) /* so long it has to be idle first */
#define MARGIN_NS (2 * NS_PER_S) /* beyond the delay, for the driver to do it */
#define AGAIN_NS (60 * NS_PER_S)
#define DELAY_MAX_MS 60000 /* nobody wants to miss more of a card */

void card_rest_init(struct card_rest *r, const struct fsroot *fs, const char *card)
{
	char path[128];
	uint64_t ms;

	*r = (struct card_rest){ 0 };
	snprintf(r->card, sizeof(r->card), "%.31s", card);
	/* A delay below 0, which is no number here, forbids it. */
	snprintf(
		path, sizeof(path), "/sys/class/drm/%.31s/device/power/autosuspend_delay_ms", card);
	if (fsroot_read_u64(fs, path, &ms, NULL) && ms <= DELAY_MAX_MS)
		r->delay_ns = (int64_t)ms * NS_PER_MS + 1;
}

/* "on" is what people write there who want the card awake. */
static bool may_sleep(const struct card_rest *r, const struct fsroot *fs)
{
	char path[128], control[16];

	snprintf(path, sizeof(path), "/sys/class/drm/%.31s/device/power/control", r->card);
	return fsroot_read_line(fs, path, control, sizeof(control), NULL) &&
		!strcmp(control, "auto");
}

struct screens {
	const struct card_rest *r;
	const struct fsroot *fs;
	bool on;
};

/* Connectors are folders "card0-DP-1". */
static bool note_connector(void *ctx, const char *name)
{
	struct screens *s = ctx;
	size_t len = strlen(s->r->card);
	char path[128], text[16];

	if (strncmp(name, s->r->card, len) != 0 || name[len] != '-')
		return true;
	snprintf(path, sizeof(path), "/sys/class/drm/%.60s/enabled", name);
	s->on = fsroot_read_line(s->fs, path, text, sizeof(text), NULL) && !strcmp(text, "enabled");
	return !s->on;
}

static bool has_screen(const struct card_rest *r, const struct fsroot *fs)
{
	struct screens s = { .r = r, .fs = fs };

	fsroot_each(fs, "/sys/class/drm", note_connector, &s, NULL);
	return s.on;
}

void card_rest_slept(struct card_rest *r)
{
	r->idle_since_ns = r->until_ns = r->next_ns = r->before_ns = 0;
}

bool card_rest_now(struct card_rest *r, const struct fsroot *fs, bool is_idle, int64_t now_ns)
{
	int64_t window_ns = now_ns - r->before_ns;

	r->before_ns = now_ns;
	if (!r->delay_ns)
		return false;
	if (!is_idle) {
		r->idle_since_ns = r->until_ns = 0;
		return false;
	}
	if (!r->idle_since_ns)
		r->idle_since_ns = now_ns;
	if (r->until_ns) {
		if (now_ns < r->until_ns)
			return true;
		r->until_ns = 0;
		r->next_ns = now_ns + AGAIN_NS;
		return false;
	}
	/* Long windows leave it alone anyway. */
	if (now_ns - r->idle_since_ns < IDLE_NS || now_ns < r->next_ns ||
		window_ns > r->delay_ns + MARGIN_NS)
		return false;
	r->next_ns = now_ns + AGAIN_NS;
	if (!may_sleep(r, fs) || has_screen(r, fs))
		return false;
	r->until_ns = now_ns + r->delay_ns + MARGIN_NS;
	return true;
}
