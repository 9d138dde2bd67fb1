/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what every device has in some way, under names that no vendor changes, for rules and
 * dashboards of a whole fleet: taken from the metrics whose limit role says what they are. */
#include "config.h"

#include "out/export/openmetrics.h"

#include <math.h>
#include <string.h>

#include "out/lines/writer.h"
#include "base/mem.h"

/* A family, and the role of the metric that it is. Of a roof it is the metric's ceiling. */
static const struct health {
	enum limit_role role;
	bool of_roof;
	const char *name, *unit, *help;
} families[] = {
	{ LIMIT_BUSY, false, "rooftop_device_busy_ratio", "ratio",
		"Share of all time with work, time asleep included." },
	{ LIMIT_ASLEEP, false, "rooftop_device_asleep_ratio", "ratio",
		"Share of time with the device or its clock switched off." },
	{ LIMIT_CLOCK, false, "rooftop_device_clock_hertz", "hertz", "Clock of the device." },
	{ LIMIT_CLOCK, true, "rooftop_device_clock_max_hertz", "hertz",
		"Highest clock of the device." },
	{ LIMIT_POWER, false, "rooftop_device_power_watts", "watts",
		"Power of the device, or of the package that it is a part of." },
	{ LIMIT_POWER, true, "rooftop_device_power_limit_watts", "watts",
		"The power limit that is enforced." },
	{ LIMIT_TEMPERATURE, false, "rooftop_device_temperature_celsius", "celsius",
		"Temperature of the device." },
	{ LIMIT_TEMPERATURE, true, "rooftop_device_temperature_limit_celsius", "celsius",
		"Temperature from which the device slows down." },
	{ LIMIT_FAN, false, "rooftop_device_fan_rpm", "rpm", "Speed of its fan." },
	{ LIMIT_MEMORY, false, "rooftop_device_memory_used_bytes", "bytes",
		"Part of the device's own memory that is taken." },
	{ LIMIT_MEMORY, true, "rooftop_device_memory_size_bytes", "bytes",
		"The device's own memory." },
};

/* Of the first metric of that role that has a number, in base units; NAN without one. */
static double value_of(const struct openmetrics_about *a, const struct health *h)
{
	for (int i = 0; a->snap && i < a->set->n_metrics; i++) {
		const struct metric *m = &a->set->metrics[i];
		struct value v = a->snap->ceilings[i];

		if (m->limit.role != h->role)
			continue;
		if (!h->of_roof)
			v = snapshot_of_all_time(a->snap, i);
		if (!writer_why(v))
			return v.v * m->unit.scale;
	}
	return NAN;
}

static void health_family(struct openmetrics *t, const struct health *h)
{
	bool begun = false;

	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		double v = value_of(a, h);

		if (isnan(v))
			continue;
		if (!begun)
			exposition_family(&t->e, h->name, EXPOSITION_GAUGE, h->unit, h->help);
		begun = true;
		exposition_begin_of(&t->e, a->name, a->device);
		exposition_end(&t->e, v);
	}
}

/* The largest share of time in which this held the clock down; NAN when nothing tells. */
static double held_by(const struct openmetrics_about *a, const char *reason)
{
	double most = NAN;

	for (int i = 0; a->snap && i < a->set->n_metrics; i++) {
		const struct metric *m = &a->set->metrics[i];
		struct value v = a->snap->values[i];

		if (m->limit.role == LIMIT_REASON && !strcmp(m->limit.word, reason) &&
			!writer_why(v))
			most = fmax(most, v.v * m->unit.scale);
	}
	return most;
}

static void throttling(struct openmetrics *t)
{
	static const char *const reasons[] = { "heat", "power", "current" };

	exposition_family(&t->e, "rooftop_device_throttled_ratio", EXPOSITION_GAUGE, "ratio",
		"Share of time in which this held the clock down.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++)
		for (size_t k = 0; k < ARRAY_LEN(reasons); k++) {
			double v = held_by(a, reasons[k]);

			if (isnan(v))
				continue;
			exposition_begin_of(&t->e, a->name, a->device);
			exposition_label(&t->e, "reason", reasons[k]);
			exposition_end(&t->e, v);
		}
}

void openmetrics_health(struct openmetrics *t)
{
	for (size_t k = 0; k < ARRAY_LEN(families); k++)
		health_family(t, &families[k]);
	throttling(t);
}
