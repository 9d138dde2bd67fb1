/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The box behind Enter: what a number is made of, or why there is none. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "core/explain/explain.h"
#include "core/verdict/verdict.h"
#include "ui/frame/pane_meters.h"
#include "ui/screens/kernels.h"
#include "base/minmax.h"

#define EXPLAIN_W 92

static bool is_refusal(const struct device_check *c)
{
	return strcmp(c->status, "ok") != 0 && *c->reason;
}

/* The check is about a source whose counters the metric lacks. */
static bool concerns(const struct view_model *m, int metric, const struct device_check *c)
{
	bool has_window = m->snap && m->snap->set == m->set;

	return !*c->feed || (has_window && explain_lacks(m->set, metric, m->snap, c->feed));
}

/* Adds what keeps the metric's sources closed, and which command helps, behind the first paragraph:
 * what helps comes before what explains. Where no refusal is known to concern the metric, those of
 * all sources are added. */
static void insert_refusals(struct strbuf *text, const struct view_model *m, int metric)
{
	const char *all = strbuf_str(text), *rest = strstr(all, "\n\n");
	struct strbuf out = { 0 };
	bool known = false, any = false;

	if (rest)
		rest++;
	else
		rest = strchr(all, '\0');
	strbuf_addn(&out, all, (size_t)(rest - all));
	for (int i = 0; i < m->n_checks; i++)
		known |= is_refusal(&m->checks[i]) && *m->checks[i].feed &&
			concerns(m, metric, &m->checks[i]);
	for (int i = 0; i < m->n_checks; i++) {
		const struct device_check *c = &m->checks[i];

		if (!is_refusal(c) || (known && !concerns(m, metric, c)))
			continue;
		if (!any && known)
			strbuf_addf(&out, "\n%s\n", _("What stops its source, and the way out"));
		else if (!any)
			strbuf_addf(&out, "\n%s\n",
				_("What stops sources of this device, and the way out"));
		any = true;
		strbuf_addf(&out, "  %s: %s\n", c->source, c->reason);
		if (*c->hint)
			strbuf_addf(&out, "    %s\n", c->hint);
	}
	strbuf_add(&out, rest);
	strbuf_release(text);
	*text = out;
}

/* How the answer came about, with what helps; the latter alone where no window is at hand. */
static void answer_text(struct strbuf *text, const struct view_model *m)
{
	struct verdict storage;
	const struct verdict *v = answer_of(m, &storage);
	char line[400];

	if (m->snap && v != &storage) {
		verdict_explain(v, m->snap, text);
		return;
	}
	strbuf_addf(text, "%s\n", verdict_sentence(v, false, line, sizeof(line)));
	if (*verdict_try(v, false, line, sizeof(line)))
		strbuf_addf(text, "\n%s\n  %s\n", _("What helps"), line);
}

/* Empty when there is nothing to explain. */
static void explain_text(struct strbuf *text, const struct screen *s, int metric)
{
	const struct view_model *m = s->m;
	bool has_window = m->snap && m->snap->set == m->set && m->back <= 0;

	if (metric == EXPLAIN_ANSWER)
		answer_text(text, m);
	if (metric == EXPLAIN_KERNEL)
		kernels_explain(text, s->v, m);
	if (metric < 0)
		return;
	explain_metric(text, m->set, metric, has_window ? m->snap : NULL, m->history);
	switch (meter_value(m, metric).why) {
	case WHY_PERMISSION:
	case WHY_NO_SOURCE:
	case WHY_UNSUPPORTED:
	case WHY_STALE:
		insert_refusals(text, m, metric);
		break;
	default:
		break;
	}
}

/* The box has a frame and a blank column on each side. */
static struct rect place(const struct screen *s, const char *text, int *lines)
{
	struct rect r = box_place(s, EXPLAIN_W, s->h);

	*lines = box_text(NULL, (struct rect){ 0, 0, max_of(r.w - 4, 1), 1 }, 0, text);
	return box_place(s, EXPLAIN_W, *lines + 2);
}

int box_explain_max_top(const struct screen *s, int metric)
{
	struct strbuf text = { 0 };
	int lines, visible;

	explain_text(&text, s, metric);
	visible = place(s, strbuf_str(&text), &lines).h - 2;
	strbuf_release(&text);
	return max_of(lines - visible, 0);
}

static const char *explained_title(const struct view_model *m, int metric)
{
	if (metric >= 0)
		return metric_label(&m->set->metrics[metric]);
	return metric == EXPLAIN_KERNEL ? _("Evidence") : _("What limits it");
}

void box_explain_draw(struct screen *s, int metric)
{
	struct strbuf text = { 0 };
	int lines, top;
	struct rect r, in;
	char title[128];

	if (metric == EXPLAIN_NOTHING)
		return;
	explain_text(&text, s, metric);
	r = place(s, strbuf_str(&text), &lines);
	snprintf(title, sizeof(title), _("%s   Esc closes"), explained_title(s->m, metric));
	in = box_over(s, r.w, r.h, title);
	top = clamp(s->v->explain_top, 0, max_of(lines - in.h, 0));
	canvas_clip(s->c, in);
	box_text(s->c, (struct rect){ in.x + 1, in.y, max_of(in.w - 2, 1), in.h }, top,
		strbuf_str(&text));
	canvas_unclip(s->c);
	box_scroll_mark(s, r, top, in.h, lines);
	strbuf_release(&text);
}
