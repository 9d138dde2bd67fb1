/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the settings of a stress run, finds them at a place, and changes them. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/parse.h"
#include "ui/draw/range.h"
#include "ui/screens/stress.h"
#include "ui/frame/table.h"

#define COUNT_MAX (1 << 24)
#define LIMIT_MIN_NS (NS_PER_S / 10)
#define LIMIT_MAX_NS (86400 * NS_PER_S)

static const char *const field_names[FIELD_COUNT] = { NULL, N_("work-groups"), N_("work-items"),
	N_("repeat"), N_("time"), N_("verify"), N_("tune") };

const char *stress_field_name(enum stress_field f)
{
	return _(field_names[f]);
}

void stress_field_text(const struct job *j, enum stress_field f, char *buf, size_t size)
{
	static const char *const marks[] = { " ", "x" };
	uint64_t n = j->repeat;

	if (f == FIELD_GROUPS)
		n = j->groups;
	else if (f == FIELD_GROUP_SIZE)
		n = j->group_size;
	switch (f) {
	case FIELD_LIMIT: snprintf(buf, size, "%g s", (double)j->limit_ns / NS_PER_S); break;
	case FIELD_VERIFY: snprintf(buf, size, "%s", marks[j->verify]); break;
	case FIELD_TUNE: snprintf(buf, size, "%s", marks[j->tune]); break;
	default:
		if (n)
			snprintf(buf, size, "%" PRIu64, n);
		else
			snprintf(buf, size, "%s", _("auto"));
	}
}

/* "[auto]" */
static const char *field_cell(const struct job *j, enum stress_field f, char *buf, size_t size)
{
	char text[32];

	stress_field_text(j, f, text, sizeof(text));
	snprintf(buf, size, "[%s]", text);
	return buf;
}

/* Returns the columns of the names where each field and its name have w columns, or 0 when they do
 * not fit. */
static int names_room(const struct job *j, int w)
{
	int name_w = 0, cell_w = 0;
	char cell[48];

	for (int f = 1; f < FIELD_COUNT; f++) {
		name_w = table_longest(name_w, _(field_names[f]));
		cell_w = table_longest(
			cell_w, field_cell(j, (enum stress_field)f, cell, sizeof(cell)));
	}
	if (w < name_w + 1 + cell_w)
		return 0;
	if (w > STRESS_LABEL_W + 1 + cell_w)
		return max_of(STRESS_LABEL_W, name_w);
	return name_w;
}

/* A line has two fields where it is long enough. */
int stress_form_draw(struct screen *s, struct rect in)
{
	const struct job *form = &s->v->stress.form;
	int y = in.y, name_w = names_room(form, in.w / 2 - 1);
	bool two = name_w > 0;

	if (!two)
		name_w = STRESS_LABEL_W;
	for (int f = 1; f < FIELD_COUNT; f++) {
		enum role role = s->v->stress.field == f ? ROLE_SELECTED : ROLE_VALUE;
		bool second = two && f % 2 == 0;
		int x = in.x + 1;
		char cell[48];

		if (second)
			x += in.w / 2;
		glyphs_field(s->c, s->g, x, y, name_w, ROLE_LABEL, _(field_names[f]));
		canvas_text(s->c, x + name_w + 1, y, role,
			field_cell(form, (enum stress_field)f, cell, sizeof(cell)));
		y += !two || second;
	}
	return y - in.y;
}

enum stress_field stress_form_at(const struct view *v, struct rect in, int lines, int x, int y)
{
	int line = y - in.y, field = 1 + line;

	if (line < 0 || line >= lines)
		return FIELD_LIST;
	if (names_room(&v->stress.form, in.w / 2 - 1) > 0)
		field = 1 + 2 * line + (x >= in.x + 1 + in.w / 2);
	return field < FIELD_COUNT ? (enum stress_field)field : FIELD_LIST;
}

/* Returns NULL when the field holds no count. */
static uint64_t *count_field(struct job *j, enum stress_field f)
{
	switch (f) {
	case FIELD_GROUPS: return &j->groups;
	case FIELD_GROUP_SIZE: return &j->group_size;
	case FIELD_REPEAT: return &j->repeat;
	default: return NULL;
	}
}

/* Doubles or halves a count; "auto" lies below the smallest. Times go through round ones. */
void stress_field_step(struct job *j, enum stress_field f, bool more)
{
	static const int seconds[] = { 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600 };
	uint64_t *n = count_field(j, f);
	int at = 0;

	if (n && !more) {
		*n /= 2;
	} else if (n) {
		*n = *n ? *n * 2 : 1;
		if (*n > COUNT_MAX)
			*n = COUNT_MAX;
	} else if (f == FIELD_VERIFY) {
		j->verify = !j->verify;
	} else if (f == FIELD_TUNE) {
		j->tune = !j->tune;
	} else {
		while (at < (int)ARRAY_LEN(seconds) - 1 && seconds[at] * NS_PER_S < j->limit_ns)
			at++;
		if (!more)
			at--;
		else if (seconds[at] * NS_PER_S <= j->limit_ns)
			at++;
		j->limit_ns = seconds[clamp(at, 0, (int)ARRAY_LEN(seconds) - 1)] * NS_PER_S;
	}
}

bool stress_field_set(struct job *j, enum stress_field f, const char *text)
{
	uint64_t *n = count_field(j, f), value = 0;
	int64_t ns;

	if (n && *text && !parse_u64_range(text, 1, COUNT_MAX, &value))
		return false;
	if (f == FIELD_LIMIT &&
		(!parse_duration_ns(text, &ns) || ns < LIMIT_MIN_NS || ns > LIMIT_MAX_NS))
		return false;
	if (n)
		*n = value;
	else if (f == FIELD_LIMIT)
		j->limit_ns = ns;
	return true;
}

void view_value_refused(const struct view *v, char *buf, size_t size)
{
	enum stress_field f = (enum stress_field)v->stress.field;
	char allowed[120];

	if (f == FIELD_LIMIT)
		snprintf(allowed, sizeof(allowed), _("%g to %g seconds, also as 500ms or 5m"),
			(double)LIMIT_MIN_NS / NS_PER_S, (double)LIMIT_MAX_NS / NS_PER_S);
	else
		snprintf(allowed, sizeof(allowed), _("1 to %d, or nothing for auto"), COUNT_MAX);
	/* TRANSLATORS: the name of a setting, what was typed, what is allowed */
	snprintf(buf, size, _("%s cannot be '%.40s': %s"), stress_field_name(f), v->prompt.text,
		allowed);
}
