/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the lines of health: how busy, how fast, how hot the device is, what holds its clock down,
 * what is left of its memory. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/numeric.h"
#include "ui/screens/overview.h"
#include "base/minmax.h"

#define NAME_W 7
#define BAR_MIN 4
#define BAR_MAX 12
#define WORDS_W 7	/* columns for what holds the clock down */
#define WARM_K 5	/* so near to its limit a temperature is red */

/* In the order in which they stand. TRANSLATORS: signs of a device's health, 6 columns at most
 * ("throttle" 8): the share of time with work, the clock, the power, what holds the clock down, its
 * own memory, temperature, fan, the share of time asleep */
static const struct {
	enum limit_role slot;
	const char *name;
} slots[] = { { LIMIT_BUSY, N_("busy") }, { LIMIT_CLOCK, N_("clock") },
	{ LIMIT_POWER, N_("power") },
	{ LIMIT_REASON, N_("throttle") }, { LIMIT_MEMORY, N_("VRAM") },
	{ LIMIT_TEMPERATURE, N_("temp") }, { LIMIT_FAN, N_("fan") },
	{ LIMIT_ASLEEP, N_("asleep") } };

/* Without a counter of it, processes tell how busy the device is. */
static bool is_filled(
	const struct view_model *m, const struct overview_list *l, enum limit_role slot)
{
	return l->slot[slot] >= 0 ||
		(slot == LIMIT_BUSY && m->back <= 0 && m->client_list && m->client_list->n_rows);
}

int health_count(const struct view_model *m, const struct overview_list *l, bool *ends_asleep)
{
	int n = 0;

	for (size_t i = 0; i < ARRAY_LEN(slots); i++)
		n += is_filled(m, l, slots[i].slot);
	*ends_asleep = is_filled(m, l, LIMIT_ASLEEP);
	return n;
}

/* What is drawn in a slot. */
struct sign {
	char text[56];
	double share;		/* of the bar; NAN: none */
	enum role role;
};

/* Writes the reasons, each word once: "heat power", or "none". */
static void throttle_words(const struct view_model *m, struct sign *sign)
{
	sign->text[0] = '\0';
	for (int i = 0; i < m->set->n_metrics; i++) {
		const struct metric *x = &m->set->metrics[i];
		size_t len = strlen(sign->text);
		const char *word;

		if (x->limit.role != LIMIT_REASON || !(meter_value(m, i).v > 0))
			continue;
		word = x->limit.word;
		if (!strstr(sign->text, word))
			snprintf(sign->text + len, sizeof(sign->text) - len, "%s%s",
				len ? " " : "!", word);
	}
	/* TRANSLATORS: nothing holds the clock down */
	if (!sign->text[0])
		snprintf(sign->text, sizeof(sign->text), "%s", _("none"));
	else
		sign->role = ROLE_BAD;
}

/* Writes a value and its roof: "2400 of 2400 MHz", in brief "2400/2400 MHz". The number keeps the
 * width of its roof. */
static void value_text(struct sign *sign, double v, double roof, const char *unit, bool brief)
{
	char now[24] = "--", top[24] = "";
	int decimals = 0, width = 1;

	if (roof > 0 && roof < 100)
		decimals = 1;
	if (roof > 0) {
		numeric_fixed(top, sizeof(top), roof, decimals);
		width = (int)strlen(top);
	}
	if (!isnan(v))
		numeric_fixed(now, sizeof(now), v, decimals);
	if (decimals && strlen(top) > 2 && !strcmp(top + strlen(top) - 2, ".0"))
		top[strlen(top) - 2] = '\0';
	if (*top && brief)
		snprintf(sign->text, sizeof(sign->text), "%*s/%s %s", width, now, top, unit);
	else if (*top)
		/* TRANSLATORS: a value, its limit, the unit */
		snprintf(sign->text, sizeof(sign->text), _("%*s of %s %s"), width, now, top, unit);
	else
		snprintf(sign->text, sizeof(sign->text), "%s %s", now, unit);
}

static struct sign sign_make(const struct view_model *m, const struct overview_list *l,
	enum limit_role slot, bool brief)
{
	int metric = l->slot[slot];
	struct sign sign = { .share = NAN, .role = ROLE_VALUE };
	double v, roof = NAN;

	if (metric >= 0) {
		v = meter_of_all_time(m, metric).v;
		roof = meter_ceiling(m, metric);
		int asleep = l->slot[LIMIT_ASLEEP];
		bool of_all_time = !m->set->metrics[metric].limit.while_awake;

		if (slot == LIMIT_CLOCK && of_all_time && asleep >= 0)
			v = clock_while_awake(v, meter_value(m, asleep).v / 100, roof);
	} else {
		/* There are clients, and nobody tells how long any of them works. */
		bool is_told = !m->clients->n_rows;

		for (int i = 0; i < m->clients->n_engines; i++)
			is_told |= !isnan(m->client_list->total.busy_pct[i]);
		v = is_told ? client_busy_pct(&m->client_list->total, m->clients->n_engines) : NAN;
	}

	if (isnan(v))
		sign.role = ROLE_NONE_VALUE;
	switch (slot) {
	case LIMIT_REASON: throttle_words(m, &sign); return sign;
	case LIMIT_BUSY:
	case LIMIT_ASLEEP:
		snprintf(sign.text, sizeof(sign.text), "%3.0f %%", v);
		if (isnan(v))
			snprintf(sign.text, sizeof(sign.text), " --");
		if (slot == LIMIT_BUSY)
			sign.share = v / 100;
		return sign;
	case LIMIT_TEMPERATURE:
		snprintf(sign.text, sizeof(sign.text), "%3.0f%s C", v, v > roof - WARM_K ? "!" : "");
		if (isnan(v))
			snprintf(sign.text, sizeof(sign.text), " --");
		if (v > roof - WARM_K)
			sign.role = ROLE_BAD;
		return sign;
	case LIMIT_FAN:
		snprintf(sign.text, sizeof(sign.text), "%4.0f rpm", v);
		if (isnan(v))
			snprintf(sign.text, sizeof(sign.text), "  -- rpm");
		return sign;
	default: break;
	}
	value_text(&sign, v, roof, meter_unit(&m->set->metrics[metric]), brief);
	if (roof > 0)
		sign.share = v / roof;
	return sign;
}

const char *health_brief(const struct view_model *m, const struct overview_list *l,
	enum limit_role slot, char *buf, size_t size)
{
	struct sign sign;

	*buf = '\0';
	if (!is_filled(m, l, slot))
		return buf;
	sign = sign_make(m, l, slot, true);
	snprintf(buf, size, "%s", sign.text + strspn(sign.text, " "));
	if (strchr(buf, '/') && strchr(buf, ' '))
		memmove(strchr(buf, '/'), strchr(buf, ' '), strlen(strchr(buf, ' ')) + 1);
	return buf;
}

/* Writes that the clock was not the same all the time: between which clocks the mean of the window
 * lies, or in w columns at least that; else "". Of windows before the last one that is not kept. */
static const char *clock_range(const struct view_model *m, int w, char *buf, size_t size)
{
	*buf = '\0';
	if (!m->snap || m->back > 0 || m->snap->clock_low_hz == m->snap->clock_high_hz)
		return buf;
	snprintf(buf, size, "%.0f-%.0f", (double)m->snap->clock_low_hz / 1e6,
		(double)m->snap->clock_high_hz / 1e6);
	if ((int)strlen(buf) > w)
		snprintf(buf, size, "%s", w < 2 ? "" : "+-");
	return buf;
}

static void draw_slot(struct screen *s, const struct overview_list *l, int i, struct rect r)
{
	const char *name = _(slots[i].name);
	int w = max_of(NAME_W, format_columns(name) + 2), x = r.x + w, bar;
	struct sign sign = sign_make(s->m, l, slots[i].slot, false);
	char range[24];

	if (format_columns(sign.text) > r.w - w - 1)
		sign = sign_make(s->m, l, slots[i].slot, true);
	canvas_text(s->c, r.x, r.y, ROLE_DIM, name);
	glyphs_field(s->c, s->g, x, r.y, r.w - w, sign.role, sign.text);
	x += format_columns(sign.text) + 1;
	if (slots[i].slot == LIMIT_CLOCK &&
		*clock_range(s->m, r.x + r.w - x, range, sizeof(range)))
		x += canvas_text(s->c, x, r.y, ROLE_WARN, range) + 1;
	bar = min_of(r.x + r.w - 1 - x, BAR_MAX);
	if (bar >= BAR_MIN && !isnan(sign.share))
		plot_bar(s->c, s->g, (struct rect){ x, r.y, bar, 1 }, sign.share);
}

/* Columns of a slot in its shortest form, a blank behind it included. Words come and go: all slots
 * of words count like the longest single one. */
static int slot_columns(const struct screen *s, const struct overview_list *l, int i)
{
	struct sign sign = sign_make(s->m, l, slots[i].slot, true);
	int name = max_of(NAME_W, format_columns(_(slots[i].name)) + 2);

	if (slots[i].slot == LIMIT_REASON)
		return name + WORDS_W;
	return name + format_columns(sign.text) + 1;
}

/* Slots stand below each other; each column is as wide as it must be, and all get the same of what
 * is left. */
void health_draw(struct screen *s, const struct overview_list *l, struct rect r, int columns)
{
	int filled[ARRAY_LEN(slots)], n = 0, w[5] = { 0 }, left = r.w - 1, x = r.x + 1;

	for (size_t i = 0; i < ARRAY_LEN(slots); i++)
		if (is_filled(s->m, l, slots[i].slot))
			filled[n++] = (int)i;
	for (int i = 0; i < n; i++)
		w[i % columns] = max_of(w[i % columns], slot_columns(s, l, filled[i]));
	for (int i = 0; i < columns; i++)
		left -= w[i];
	for (int column = 0; column < min_of(columns, n); column++) {
		int width = w[column] + max_of(left, 0) / columns;

		for (int i = column; i < n && i / columns < r.h; i += columns)
			draw_slot(s, l, filled[i],
				(struct rect){ x, r.y + i / columns, width - 1, 1 });
		x += width;
	}
}
