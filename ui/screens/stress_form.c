/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the settings of a stress run, finds them at a place, and changes them. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/minmax.h"
#include "ui/screens/stress.h"
#include "ui/frame/table.h"

#define COUNT_MAX (1 << 24)
#define LIMIT_MIN_NS (NS_PER_S / 10)
#define LIMIT_MAX_NS (86400 * NS_PER_S)

/* As the options of stress name them, and in brief for narrow panes. */
static const struct {
	const char *name, *brief, *text;
} fields[FIELD_COUNT] = {
	[FIELD_GROUPS] = { N_("work-groups"), N_("groups"), N_("work-groups of a launch (--blocks)") },
	[FIELD_GROUP_SIZE] = { N_("work-items"), N_("items"), N_("work-items of a group (--tpb)") },
	[FIELD_REPEAT] = { N_("loop"), N_("loop"), N_("how often a work-item repeats its work (--loop)") },
	[FIELD_LIMIT] = { N_("time"), N_("time"), N_("the load ends after it (--time)") },
	[FIELD_VERIFY] = { N_("verify"), N_("verify"), N_("results are checked meanwhile") },
	[FIELD_TUNE] = { N_("tune"), N_("tune"), N_("the fastest sizes are looked for first (--tune)") },
};

const char *stress_field_name(enum stress_field f)
{
	return _(fields[f].name);
}

static bool is_count(enum stress_field f)
{
	return f == FIELD_GROUPS || f == FIELD_GROUP_SIZE || f == FIELD_REPEAT;
}

/* The member of a count. */
static uint64_t *count_field(struct job *j, enum stress_field f)
{
	if (f == FIELD_GROUPS)
		return &j->groups;
	return f == FIELD_GROUP_SIZE ? &j->group_size : &j->repeat;
}

static uint64_t count_of(struct job j, enum stress_field f)
{
	return *count_field(&j, f);
}

/* Returns what auto stands for: what a start would choose, or what the last run of this kernel has
 * chosen; 0: the start will tell. */
static uint64_t count_of_auto(const struct view_model *m, enum stress_field f)
{
	const struct job_run *run = NULL;
	uint64_t n = count_of(m->chosen, f);

	if (!n && m->runs)
		run = job_log_find(m->runs, m->chosen.kernel);
	return run ? count_of(run->state.job, f) : n;
}

/* Writes the cell of a field: "[20 s]", "[auto 63]", and with long_form "[auto (63)]". */
static const char *field_cell(
	const struct screen *s, enum stress_field f, bool long_form, char *buf, size_t size)
{
	static const char *const marks[] = { " ", "x" };
	const struct job *j = &s->v->stress.form;
	uint64_t n = count_of(*j, f), choice = count_of_auto(s->m, f);

	switch (f) {
	case FIELD_LIMIT: snprintf(buf, size, "[%g s]", (double)j->limit_ns / NS_PER_S); break;
	case FIELD_VERIFY: snprintf(buf, size, "[%s]", marks[j->verify]); break;
	case FIELD_TUNE: snprintf(buf, size, "[%s]", marks[j->tune]); break;
	default:
		if (n)
			snprintf(buf, size, "[%" PRIu64 "]", n);
		else if (choice)
			snprintf(buf, size, long_form ? "[%s (%" PRIu64 ")]" : "[%s %" PRIu64 "]",
				_("auto"), choice);
		else
			snprintf(buf, size, "[%s]", _("auto"));
	}
	return buf;
}

static const char *field_name(int f, bool long_form)
{
	return _(long_form ? fields[f].name : fields[f].brief);
}

/* Returns the columns of the names where each field and its name have w columns, or 0 when they do
 * not fit. */
static int names_room(const struct screen *s, bool long_form, int w)
{
	int name_w = 0, cell_w = 0;
	char cell[48];

	for (int f = 1; f < FIELD_COUNT; f++) {
		name_w = table_longest(name_w, field_name(f, long_form));
		cell_w = table_longest(cell_w,
			field_cell(s, (enum stress_field)f, long_form, cell, sizeof(cell)));
	}
	if (w < name_w + 1 + cell_w)
		return 0;
	if (w > STRESS_LABEL_W + 1 + cell_w)
		return max_of(STRESS_LABEL_W, name_w);
	return name_w;
}

/* Says what auto stands for in the selected field, and what the field is. */
static void draw_meaning(struct screen *s, struct rect in, int y)
{
	enum stress_field f = (enum stress_field)s->v->stress.field;
	bool is_auto = is_count(f) && !count_of(s->v->stress.form, f);
	uint64_t choice = count_of_auto(s->m, f);
	char text[160];

	snprintf(text, sizeof(text), "%s", _(fields[f].text));
	if (is_auto && choice)
		snprintf(text, sizeof(text), _("auto is %" PRIu64 " %s"), choice,
			_(fields[f].text));
	else if (is_auto)
		snprintf(text, sizeof(text), _("auto: the start chooses; %s"), _(fields[f].text));
	glyphs_sentence(s->c, s->g, in.x + 1, y, in.w - 2, ROLE_DIM, text);
}

/* A line has two fields where it is long enough. */
int stress_form_draw(struct screen *s, struct rect in)
{
	const int half = in.w / 2 - 1;
	bool long_form = names_room(s, true, half) > 0 || names_room(s, false, half) == 0;
	int y = in.y, name_w = names_room(s, long_form, half);
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
		glyphs_field(s->c, s->g, x, y, name_w, ROLE_LABEL, field_name(f, long_form));
		canvas_text(s->c, x + name_w + 1, y, role,
			field_cell(s, (enum stress_field)f, long_form, cell, sizeof(cell)));
		if (y < in.y + in.h)
			offer_row(s, (struct rect){ x - 1, y, two ? in.w / 2 : in.w, 1 },
				STRESS_FIELDS, f);
		y += !two || second;
	}
	if (s->v->stress.field != FIELD_LIST && !stress_is_running(s->m))
		draw_meaning(s, in, y++);
	return y - in.y;
}

/* Doubles or halves a count, which begins with what auto stands for; below the smallest lies
 * "auto". Times go through round ones. */
void stress_field_step(struct job *j, const struct job *chosen, enum stress_field f, bool more)
{
	static const int seconds[] = { 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600 };
	uint64_t *n = is_count(f) ? count_field(j, f) : NULL;
	int at = 0;

	if (n && !*n)
		*n = count_of(*chosen, f);
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
	uint64_t *n = is_count(f) ? count_field(j, f) : NULL, value = 0;
	int64_t ns;

	if (n && *text && !parse_u64_range(text, 0, COUNT_MAX, &value))
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
		snprintf(allowed, sizeof(allowed), _("1 to %d, or 0 for auto"), COUNT_MAX);
	/* TRANSLATORS: the name of a setting, what was typed, what is allowed */
	snprintf(buf, size, _("%s cannot be '%.40s': %s"), stress_field_name(f), v->prompt.text,
		allowed);
}
