/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of metrics on the screens: decimals neither jump with the value nor differ between like
 * rows. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/numeric.h"
#include "core/value/unit.h"
#include "ui/frame/pane_meters.h"

struct value meter_value(const struct view_model *m, int metric)
{
	double past = NAN;

	if (m->back > 0 && m->history)
		past = (double)history_get(m->history, metric, m->back);
	if (!isnan(past))
		return value_ok(past);
	if (m->back > 0)
		return value_none(WHY_NOT_YET);
	if (!m->snap || m->snap->set != m->set)
		return value_none(WHY_NOT_YET);
	return m->snap->values[metric];
}

static struct value value_on_screen(const void *ctx, int metric)
{
	return meter_value(ctx, metric);
}

int meter_asleep(const struct view_model *m, int metric)
{
	return asleep_metric(m->set, metric, value_on_screen, m);
}

struct value meter_of_all_time(const struct view_model *m, int metric)
{
	struct value v = meter_value(m, metric);
	int of = meter_asleep(m, metric);

	if (of < 0)
		return v;
	return value_of_all_time(v, meter_value(m, of).v * m->set->metrics[of].unit.scale);
}

double meter_ceiling(const struct view_model *m, int metric)
{
	if (m->back > 0 && m->roofs && history_keeps(m->roofs, metric))
		return (double)history_get(m->roofs, metric, m->back);
	/* One that stands, such as 100 %, has no history. */
	if ((m->back > 0 && !m->roofs) || !m->snap || m->snap->set != m->set ||
		m->snap->ceilings[metric].why != WHY_OK)
		return NAN;
	return m->snap->ceilings[metric].v;
}

double meter_max(const struct view_model *m, int metric)
{
	if (!m->history || metric >= m->history->columns || !m->history->max)
		return NAN;
	return (double)m->history->max[metric];
}

double meter_scale(const struct view_model *m, int metric)
{
	double ceiling = meter_ceiling(m, metric), max = meter_max(m, metric);

	if (ceiling > 0)
		return ceiling;
	return max > 0 ? max : 1;
}

/* The first clock of the set that has a value, in Hz; NAN without one. */
static double clock_hz(const struct view_model *m)
{
	static const struct unit hertz = { 1, { [UNIT_SECOND] = -1, [UNIT_CYCLE] = 1 } };

	for (int i = 0; i < m->set->n_metrics; i++) {
		const struct metric *x = &m->set->metrics[i];

		if (unit_same_dims(&x->unit, &hertz) && !(x->flags & METRIC_HIDDEN) &&
			meter_value(m, i).v > 0)
			return meter_value(m, i).v * x->unit.scale;
	}
	return NAN;
}

static bool is_rate_of(const struct unit *u, enum unit_dim what)
{
	struct unit want = { 1, { 0 } };

	want.exp[what] = 1;
	want.exp[UNIT_SECOND] = -1;
	return unit_same_dims(u, &want);
}

const char *meter_mark(const struct view_model *m, int metric)
{
	unsigned flags = m->set->metrics[metric].flags;

	if (flags & METRIC_BOUND && m->snap && m->snap->verdict.lacks_level)
		return "<";
	return flags & METRIC_ESTIMATED ? "~" : "";
}

struct unit_form meter_form(const struct view_model *m, int metric)
{
	const struct metric *x = &m->set->metrics[metric];
	double ceiling = meter_ceiling(m, metric), hz;

	if (m->units == UNITS_SHARE && ceiling > 0 && strcmp(meter_unit(x), "%"))
		return (struct unit_form){ 100 / ceiling, "%" };
	if (m->units == UNITS_PER_CYCLE &&
		(is_rate_of(&x->unit, UNIT_BYTE) || is_rate_of(&x->unit, UNIT_FLOP))) {
		hz = clock_hz(m);
		if (hz > 0)
			return (struct unit_form){ x->unit.scale / hz,
				x->unit.exp[UNIT_BYTE] ? "B/cycle" : "FLOP/cycle" };
	}
	return unit_for_people(meter_unit(x), ceiling);
}

const char *meter_unit(const struct metric *metric)
{
	return unit_word(metric->unit_text);
}

/* Most texts differ in their first letter. */
static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && *a == *b && !strcmp(a, b));
}

#define ALIKE 10	/* roofs within this factor have the same decimals */

/* Rows of one unit in one group have the same decimals. A row with a roof follows the highest roof
 * that is not much higher than its own (16 and 384 FLOP/cycle differ). A row without one follows
 * the highest roof, or else the highest value so far. */
double meter_number_scale(const struct view_model *m, int metric)
{
	const struct metric *x = &m->set->metrics[metric];
	double own = meter_ceiling(m, metric), roof = fmax(own, 0), max = 0, now;

	for (int i = 0; i < m->set->n_metrics; i++) {
		const struct metric *other = &m->set->metrics[i];
		double ceiling, value;

		/* This runs for each pair of rows: the test that costs least comes first. */
		if (other->flags & METRIC_HIDDEN || !same_text(other->group, x->group) ||
			!same_text(other->unit_text, x->unit_text))
			continue;
		ceiling = meter_ceiling(m, i);
		value = meter_max(m, i);
		if (ceiling > roof && !(own > 0 && ceiling > ALIKE * own))
			roof = ceiling;
		if (value > max)
			max = value;
	}
	if (roof > 0)
		return roof;
	/* Without a bound one burst must not hide small values: after thousands a tenth still
	 * shows. */
	now = fabs(meter_value(m, metric).v);
	if (max < 100 || (now > 0 && now < 1))
		return 1;
	return fmin(max, 999);
}

/* Clocks, fans and temperatures are read in whole steps. */
static bool is_whole(const char *unit)
{
	return !strcmp(unit, "MHz") || !strcmp(unit, "rpm") || !strcmp(unit, "C");
}

static int decimals(const struct metric *metric, double scale)
{
	if (metric->flags & METRIC_INTEGER)
		return 0;
	if (!strcmp(meter_unit(metric), "%"))
		return 1;
	if (is_whole(meter_unit(metric)))
		return 0;
	if (scale >= 1000)
		return 0;
	if (scale >= 20)
		return 1;
	return scale >= 1 ? 2 : 3;
}

const char *meter_number(
	char *buf, size_t size, const struct metric *metric, double v, double scale, int width)
{
	static const double halves[] = { 0.5, 0.05, 0.005, 0.0005 };
	int d = decimals(metric, scale);

	if (isnan(v))
		return format_number(buf, size, NAN, width);
	if (fabs(v) < halves[d])
		v = 0;
	if (fabs(v) >= PEOPLE_MAX && !is_whole(meter_unit(metric)))
		return format_people(buf, size, v, width);
	if (fabs(v) < 1e15 && numeric_fixed(buf, size, v, d) <= width)
		return buf;
	return format_si(buf, size, v, width);
}

const char *meter_row_number(
	const struct view_model *m, int metric, struct value v, char *buf, size_t size, int width)
{
	const struct metric *x = &m->set->metrics[metric];
	struct unit_form form = meter_form(m, metric);
	double now = v.v * form.factor, thousands = 1;
	char roof[16];
	int decimals = 0;

	meter_ceiling_number(roof, sizeof(roof), meter_ceiling(m, metric) * form.factor);
	char prefix = roof[strlen(roof) - 1];
	const char *at = strchr("kMGT", prefix);

	for (const char *p = "kMGT"; at && p <= at; p++)
		thousands *= 1000;
	/* What would be 0.00k, and what is far above the roof, is told by itself. */
	if (!at || !(fabs(now) >= 0.005 * thousands) || fabs(now) >= PEOPLE_MAX * thousands ||
		is_whole(form.unit))
		return meter_number(buf, size, x, now, meter_number_scale(m, metric) * form.factor,
			width);
	now /= thousands;
	if (fabs(now) < 99.95)
		decimals = fabs(now) < 9.995 ? 2 : 1;
	numeric_print(buf, size, "%.*f%c", decimals, now, prefix);
	return buf;
}

/* "67.2", "384", "0.05": a roof has no trailing zeros. */
const char *meter_ceiling_number(char *buf, size_t size, double v)
{
	format_people(buf, size, v, CEILING_W);
	if (strchr(buf, '.') && !strpbrk(buf, "eEkMGT")) {
		size_t n = strlen(buf);

		while (buf[n - 1] == '0')
			n--;
		if (buf[n - 1] == '.')
			n--;
		buf[n] = '\0';
	}
	return buf;
}
