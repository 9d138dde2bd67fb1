/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What limits the device: the answer, why, and what helps. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/hint.h"
#include "base/mem.h"
#include "ui/screens/overview.h"
#include "base/minmax.h"
#include "core/verdict/verdict.h"

#define RESOURCE_X 16	/* where the resource begins, behind the headline */
#define BRIEF_W 8	/* of a resource on the smallest screens */
#define LINES_W 60	/* below it the resource has a line of its own */

/* Asks the rules of the window that the user looks at. Of processes nothing is kept, so that nobody
 * is said to keep the device waiting. */
static void past_answer(const struct view_model *m, struct verdict *out)
{
	size_t n = (size_t)m->set->n_metrics + 1;
	struct value *values = xcalloc(2 * n, sizeof(*values)), *ceilings = values + n;
	struct snapshot past = *m->snap;

	for (int i = 0; i < m->set->n_metrics; i++) {
		double ceiling = meter_ceiling(m, i);

		values[i] = meter_value(m, i);
		ceilings[i] = isnan(ceiling) ? value_none(WHY_NOT_YET) : value_ok(ceiling);
	}
	past.values = values;
	past.ceilings = ceilings;
	past.why = WHY_OK;
	past.has_halves = false;
	past.mux = NULL;
	past.clients = past.users = NULL;
	verdict_make(&past, NULL, out);
	free(values);
}

const struct verdict *answer_of(const struct view_model *m, struct verdict *storage)
{
	if (m->snap && m->snap->set == m->set && m->back <= 0)
		return &m->snap->verdict;
	if (m->snap && m->snap->set == m->set) {
		past_answer(m, storage);
		return storage;
	}
	verdict_state(storage, VERDICT_MEASURING);
	return storage;
}

/* Colour says what kind of answer it is: work, waste, loss. */
static enum role kind_role(enum verdict_kind kind)
{
	switch (kind) {
	case VERDICT_LOST:
	case VERDICT_HEAT:
	case VERDICT_POWER:
	case VERDICT_CURRENT:
	case VERDICT_CLOCK: return ROLE_BAD;
	case VERDICT_PIPE: return ROLE_GOOD;
	case VERDICT_MEASURING:
	case VERDICT_ASLEEP:
	case VERDICT_IDLE:
	case VERDICT_PARTLY_IDLE:
	case VERDICT_NONE:
	case VERDICT_NO_COUNTERS: return ROLE_TITLE;
	default: return ROLE_WARN;
	}
}

const char *answer_sentence(const struct view_model *m, char *buf, size_t size)
{
	struct verdict storage;

	return verdict_sentence(answer_of(m, &storage), false, buf, size);
}

/* Writes for how long the answer has held, such as "for 3 min 12 s", or what is wrong with the
 * window. */
static const char *since_text(
	const struct view_model *m, const struct verdict *v, char *buf, size_t size)
{
	int64_t ns = 0, s;

	buf[0] = '\0';
	if (m->snap && m->back <= 0 && v->since_ns > 0)
		ns = m->snap->mono_ns - v->since_ns;
	s = ns / NS_PER_S;
	if (m->back <= 0 && (v->flags & VERDICT_MIXED))
		snprintf(buf, size, "%s", _("load changed in this window"));
	else if (v->is_changing || v->flags & VERDICT_CONTRADICTION)
		return buf;
	else if (s > 0 && s < 60)
		snprintf(buf, size, _("for %d s"), (int)s);
	else if (s > 0 && s < 3600)
		snprintf(buf, size, _("for %d min %02d s"), (int)s / 60, (int)s % 60);
	else if (s > 0)
		snprintf(buf, size, _("for %" PRId64 " h %02d min"), s / 3600, (int)(s / 60 % 60));
	return buf;
}

/* Adds what was said before, as far as there is room. */
static void add_before(const struct verdict *v, char *since, size_t size, int room)
{
	struct verdict before = { .kind = v->before };
	char kind[64], text[160];

	if (!*since || v->flags & VERDICT_MIXED || v->before == VERDICT_MEASURING)
		return;
	memcpy(before.bound, v->before_bound, sizeof(before.bound));
	snprintf(text, sizeof(text), _("%s, before: %s"), since,
		verdict_headline(&before, false, kind, sizeof(kind)));
	if (format_columns(text) <= room)
		snprintf(since, size, "%s", text);
}

static void title_text(const struct view_model *m, char *buf, size_t size)
{
	bool recorded = m->device && m->device->recorded;
	char at[24];

	if (recorded && m->snap) {
		clock_format_local(m->snap->wall_ns, at);
		at[8] = '\0';
	}
	if (m->back > 0)
		snprintf(buf, size, _("What limited it (past)"));
	else if (recorded && m->snap && m->device->recording.epoch_ns)
		snprintf(buf, size, _("What limited it at %s (recording)"), at);
	else if (recorded)
		snprintf(buf, size, _("What limited it (recording)"));
	else if (m->paused)
		snprintf(buf, size, _("What limited it (paused)"));
	else if (m->device && m->device->simulated)
		snprintf(buf, size, "%s", _("What limits it (simulated)"));
	else
		snprintf(buf, size, "%s", _("What limits it"));
}

/* The first fact, and others as long as they fit as a whole. */
static void because_text(const struct verdict *v, int room, char *buf, size_t size)
{
	size_t len = 0;
	char fact[256];

	buf[0] = '\0';
	for (int i = 0; i < VERDICT_BECAUSE; i++) {
		int columns = len ? 2 : 0;

		verdict_because(v, i, false, fact, sizeof(fact));
		columns += format_columns(buf) + format_columns(fact);
		if (!*fact || (len && columns > room))
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? "; " : "", fact);
		if (len >= size)
			return;
	}
}

/* Draws KIND and resource from the left, the headroom at the right end. What changes has none.
 * alone: the resource has a line of its own. */
static void draw_first(struct screen *s, const struct verdict *v, struct rect r, bool alone)
{
	char kind[64], line[160], room[64] = "";
	enum role first = v->is_changing ? ROLE_DIM : kind_role(v->kind);
	int x = r.x, end;

	verdict_headline(v, false, kind, sizeof(kind));
	if (!v->is_changing)
		verdict_headroom(v, false, room, sizeof(room));
	x += canvas_text(s->c, x, r.y, first, kind);
	if (alone) {
		canvas_text(s->c, r.x + r.w - format_columns(room), r.y, ROLE_TITLE, room);
		return;
	}
	x = max_of(x + 2, r.x + RESOURCE_X);
	/* The fact outlives what adorns it: its source goes, then the word before the number of the
	 * headroom, then the headroom. */
	verdict_line(v, false, false, line, sizeof(line));
	end = r.x + r.w - format_columns(room);
	if (format_columns(line) > end - 1 - x)
		verdict_line(v, true, false, line, sizeof(line));
	if (format_columns(line) > end - 1 - x && strrchr(room, ' '))
		memmove(room, strrchr(room, ' ') + 1, strlen(strrchr(room, ' ')));
	if (format_columns(line) > r.x + r.w - format_columns(room) - 1 - x)
		room[0] = '\0';
	end = r.x + r.w - format_columns(room);
	canvas_text(s->c, end, r.y, ROLE_TITLE, room);
	glyphs_field(s->c, s->g, x, r.y, end - 1 - x, v->is_changing ? ROLE_DIM : ROLE_TITLE, line);
}

/* Returns the columns of the words before the lines below the first one. */
static int word_columns(void)
{
	int w = format_columns(_("because"));

	w = max_of(w, format_columns(_("tour")));
	return max_of(w, format_columns(_("try"))) + 2;
}

static void draw_word(struct screen *s, struct rect r, const char *word, const char *text)
{
	int w = word_columns();

	if (!*text)
		return;
	canvas_text(s->c, r.x, r.y, ROLE_DIM, word);
	glyphs_sentence(s->c, s->g, r.x + w, r.y, r.w - w, ROLE_TEXT, text);
}

/* What a real source says about itself is trouble. Without a frame nothing else has a line for
 * it. */
static const char *trouble_of(const struct view_model *m)
{
	if (!m->snap || m->back > 0 || !m->device || m->device->simulated || m->device->recorded)
		return "";
	return m->snap->status;
}

/* Adds the key that does what helps, and that Enter tells more, as far as there is room. */
static void add_keys(const struct verdict *v, char *text, size_t size, int room)
{
	const char *key = "";
	char hint[64];

	if (!*text)
		return;
	if (v->kind == VERDICT_NO_COUNTERS && v->is_divided)
		key = _("key 2");
	else if (v->kind == VERDICT_IDLE || v->kind == VERDICT_NO_COUNTERS)
		key = _("key 4");
	else if (v->kind == VERDICT_UNKNOWN && v->missing == VERDICT_MISSING_SET)
		key = _("key m");
	if (*key)
		snprintf(hint, sizeof(hint), " (%s)", key);
	if (*key && format_columns(text) + format_columns(hint) <= room)
		snprintf(text + strlen(text), size - strlen(text), "%s", hint);
	else if (!*key && format_columns(text) + format_columns(_(" (Enter: more)")) <= room)
		snprintf(text + strlen(text), size - strlen(text), "%s", _(" (Enter: more)"));
}

static void draw_try(struct screen *s, const struct verdict *v, struct rect r, bool framed)
{
	char text[256];

	if (!framed && *trouble_of(s->m)) {
		glyphs_field(s->c, s->g, r.x, r.y, r.w, ROLE_WARN, trouble_of(s->m));
		return;
	}

	if (s->m->tour) {
		draw_word(s, r, _("tour"), s->m->tour);
		return;
	}
	verdict_try(v, false, text, sizeof(text));
	add_keys(v, text, sizeof(text), r.w - word_columns());
	/* TRANSLATORS: what the user can try, in at most 8 columns */
	draw_word(s, r, _("try"), text);
}

/* The refusal of the device's counters, NULL when they are not refused. */
static const struct device_check *refusal(const struct view_model *m)
{
	for (int i = 0; i < m->n_checks; i++)
		if (m->checks[i].no_permission && *m->checks[i].hint)
			return &m->checks[i];
	return NULL;
}

/* Draws the first two ways out that say for whom they are, a line each. Returns false when there is
 * none; then nothing is drawn. */
static bool draw_ways(struct screen *s, const char *hint, struct rect r)
{
	char whom[2][100], command[2][320];
	struct way_out way;
	int n = 0, w = 0;

	while (n < 2 && hint_next(&hint, &way)) {
		if (!way.whom_len)
			continue;
		snprintf(whom[n], sizeof(whom[n]), "%.*s", way.whom_len, way.whom);
		snprintf(command[n], sizeof(command[n]), "%.*s", way.text_len, way.text);
		w = max_of(w, format_columns(whom[n++]) + 2);
	}
	for (int i = 0; i < n && i < r.h; i++) {
		canvas_text(s->c, r.x, r.y + i, ROLE_DIM, whom[i]);
		glyphs_field(s->c, s->g, r.x + w, r.y + i, r.w - w, ROLE_TITLE, command[i]);
	}
	return n > 0;
}

static void draw_three(
	struct screen *s, const struct verdict *v, struct rect r, const char *since, bool framed)
{
	int word = word_columns(), room = r.w - word;
	char text[400];

	const struct device_check *closed = refusal(s->m);

	draw_first(s, v, (struct rect){ r.x, r.y, r.w, 1 }, false);
	/* What opens the counters is worth more than what else there is to say. */
	if (closed && draw_ways(s, closed->hint, (struct rect){ r.x, r.y + 1, r.w, r.h - 1 }))
		return;
	/* On a narrow line the reason is worth more. */
	if (*since && v->flags & VERDICT_MIXED && r.w < 70)
		since = _("load changed");
	int beside = *since ? format_columns(since) + 2 : 0;
	because_text(v, room - beside, text, sizeof(text));
	/* It is also worth more than how long the answer has held. */
	if (format_columns(text) > room - beside && !(v->flags & VERDICT_MIXED))
		beside = 0;
	if (beside)
		canvas_text(s->c, r.x + r.w + 2 - beside, r.y + 1, ROLE_DIM, since);
	room -= beside;
	/* TRANSLATORS: why the answer is this one, in at most 8 columns */
	if (r.h > 1)
		draw_word(s, (struct rect){ r.x, r.y + 1, room + word, 1 }, _("because"), text);
	if (r.h > 2)
		draw_try(s, v, (struct rect){ r.x, r.y + 2, r.w, 1 }, framed);
}

/* Why no real device is used, or what the source says, in the lower line of the frame. */
static void draw_foot(struct screen *s, struct rect r)
{
	const char *text = "";
	char place[128];

	if (s->m->no_device)
		text = s->m->no_device;
	else if (s->m->snap && s->m->back <= 0)
		text = s->m->snap->status;
	/* The same place as that of the bar. */
	if (!*text && s->m->playback && s->m->back <= 0)
		text = playback_place(s->m->playback, place, sizeof(place));
	r.y += r.h - 1;
	if (format_columns(text) + 4 <= r.w)
		box_note(s, r, 0, ROLE_DIM, text);
}

void answer_draw(struct screen *s, const struct overview_layout *o)
{
	bool focus = overview_place_of(s->v) == OVERVIEW_ANSWER;
	struct rect r = o->answer;
	char title[96], since[160], line[256];
	struct verdict storage;
	const struct verdict *v = answer_of(s->m, &storage);

	since_text(s->m, v, since, sizeof(since));
	if (o->answer_framed) {
		title_text(s->m, title, sizeof(title));
		struct rect in = box_frame(s, r, focus, title, NULL);
		add_before(v, since, sizeof(since), r.w - box_title_columns(title, NULL) - 6);
		box_note(s, r, box_title_columns(title, NULL), ROLE_DIM, since);
		draw_foot(s, r);
		draw_three(s, v, (struct rect){ in.x + 1, in.y, in.w - 2, in.h }, "", true);
		return;
	}
	if (focus)
		canvas_put(s->c, r.x, r.y, s->g->marker, ROLE_FOCUS);
	r.x++;
	r.w -= 1 + (r.w >= LINES_W);
	if (r.w >= LINES_W - 2) {
		draw_three(s, v, r, since, false);
		return;
	}
	draw_first(s, v, (struct rect){ r.x, r.y, r.w, 1 }, true);
	if (r.h > 1)
		glyphs_field(s->c, s->g, r.x, r.y + 1, r.w, ROLE_TITLE,
			verdict_line(v, true, false, line, sizeof(line)));
	because_text(v, r.w, line, sizeof(line));
	if (r.h > 2)
		glyphs_field(s->c, s->g, r.x, r.y + 2, r.w, ROLE_TEXT, line);
}

/* Writes the resource, its share and the headroom, as far as they are known: "DRAM 85 % 1.18x". */
static void brief_text(
	const struct view_model *m, const struct verdict *v, char *buf, size_t size)
{
	char share[16] = "", room[16] = "";
	const char *resource = "";

	if (v->metric >= 0 && m->set && v->metric < m->set->n_metrics)
		resource = metric_label(&m->set->metrics[v->metric]);
	/* No half of a word, where there is a whole one, and no half of a character. */
	size_t words = format_clip(resource, BRIEF_W);
	if (resource[words] && memchr(resource, ' ', words))
		words = strcspn(resource, " ");
	if (!isnan(v->share))
		snprintf(share, sizeof(share), "%.0f %%", 100 * v->share);
	if (!isnan(v->headroom))
		snprintf(room, sizeof(room), "%s%.2fx", v->flags & VERDICT_ESTIMATED ? "~" : "",
			v->headroom);
	snprintf(buf, size, "%.*s%s%s%s%s", (int)words, resource,
		*resource && *share ? " " : "", share, *room ? " " : "", room);
}

int answer_lines(struct screen *s, struct rect r)
{
	int first = r.y;
	struct verdict storage;
	const struct verdict *v = answer_of(s->m, &storage);
	char text[96];

	verdict_headline(v, false, text, sizeof(text));
	if (r.h > 0 && format_columns(text) <= r.w)
		canvas_text(s->c, r.x, r.y++, kind_role(v->kind), text), r.h--;
	brief_text(s->m, v, text, sizeof(text));
	if (!isnan(v->share) && format_columns(text) > r.w)
		snprintf(text, sizeof(text), "%.0f %%", 100 * v->share);
	if (r.h > 0 && *text && format_columns(text) <= r.w)
		canvas_text(s->c, r.x, r.y++, ROLE_TITLE, text);
	return r.y - first;
}
