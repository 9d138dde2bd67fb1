/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names metrics by the rules of Prometheus: lower case, base units at the end, energy and whatever
 * else only grows as counters (prometheus.io/docs/practices/naming). */
#include "config.h"

#include "out/export/exposition.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/strbuf.h"

static const struct unit watt = { 1, { [UNIT_SECOND] = -1, [UNIT_JOULE] = 1 } };
static const struct unit hertz = { 1, { [UNIT_SECOND] = -1, [UNIT_CYCLE] = 1 } };
static const struct unit joule = { 1, { [UNIT_JOULE] = 1 } };
static const struct unit none = { 1, { 0 } };

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && !strcmp(text + n - k, end);
}

/* Whether the name's last words are the unit already. */
static bool has_unit(const char *name, const char *unit)
{
	size_t n = strlen(name), k = strlen(unit);

	return n > k && name[n - k - 1] == '_' && ends_with(name, unit);
}

/* Returns the name of a unit that has one of its own, NULL when there is none. */
static const char *own_name(const struct metric *m)
{
	const char *text = text_or(m->unit_text, "");

	if (unit_same_dims(&m->unit, &watt))
		return "watts";
	if (unit_same_dims(&m->unit, &hertz))
		return "hertz";
	if (!unit_same_dims(&m->unit, &none))
		return NULL;
	if (ends_with(text, "degC"))
		return "celsius";
	if (!strcmp(text, "rpm"))
		return "rpm";
	return m->unit.scale < 1 ? "ratio" : "";
}

/* Writes the names of base dimensions, numerators first, where the unit has no name of its own. */
static void unit_name(const struct metric *m, char *buf, size_t size)
{
	static const char *const many[UNIT_DIMS] = { "seconds", "cycles", "ticks", "bytes", "flops",
		"joules", "kelvin" };
	static const char *const one[UNIT_DIMS] = { "per_second", "per_cycle", "per_tick",
		"per_byte", "per_flop", "per_joule", "per_kelvin" };
	const char *own = own_name(m);
	struct strbuf text = { 0 };

	if (own)
		strbuf_add(&text, own);
	for (int d = 0; d < UNIT_DIMS && !own; d++)
		if (m->unit.exp[d] > 0)
			strbuf_add_word(&text, "_", many[d]);
	for (int d = 0; d < UNIT_DIMS && !own; d++)
		if (m->unit.exp[d] < 0)
			strbuf_add_word(&text, "_", one[d]);
	snprintf(buf, size, "%s", strbuf_str(&text));
	strbuf_release(&text);
}

/* These ends of names belong to histograms and counters, and readers of a gauge complain of them. */
static void mend_end(char *name, size_t size)
{
	static const struct { const char *end, *instead; } ends[] = {
		{ "_count", "_counted" }, { "_sum", "_summed" }, { "_bucket", "_buckets" },
		{ "_total", "_all" }, { "_info", "_infos" }, { "_created", "_made" },
	};

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		size_t keep = strlen(name) - strlen(ends[i].end);

		if (!ends_with(name, ends[i].end))
			continue;
		snprintf(name + keep, size - keep, "%s", ends[i].instead);
		return;
	}
}

/* Whether the name begins as families do that every device has, or as those of cells and of such
 * names: a second one of a name makes readers refuse the whole text. */
static bool is_reserved(const char *name)
{
	static const char *const words[] = { "device", "window", "reports_lost", "bound", "headroom",
		"missing", "process", "build", "exporter", "scrape", "cell", "metric" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (!strncasecmp(name, words[i], strlen(words[i])))
			return true;
	return false;
}

void metric_family_of(const struct metric *m, bool of_cells, struct metric_family *out)
{
	bool is_energy = unit_same_dims(&m->unit, &joule) && !of_cells;
	const char *prefix = is_reserved(m->name) ? "rooftop_metric" : "rooftop";
	char word[sizeof(out->name) - sizeof(out->unit)];

	if (of_cells)
		prefix = "rooftop_cell";
	*out = (struct metric_family){ .type = EXPOSITION_GAUGE };
	unit_name(m, out->unit, sizeof(out->unit));
	snprintf(word, sizeof(word), "%s_%s", prefix, m->name);
	for (char *p = word; *p; p++)
		*p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
	if (!strcmp(out->unit, "ratio") && ends_with(word, "_percent"))
		word[strlen(word) - strlen("_percent")] = '\0';
	snprintf(out->name, sizeof(out->name), "%s", word);
	if (*out->unit && !has_unit(word, out->unit))
		snprintf(out->name, sizeof(out->name), "%s_%s", word, out->unit);
	mend_end(out->name, sizeof(out->name));
	if (is_energy || (m->flags & METRIC_TOTAL))
		out->type = EXPOSITION_COUNTER;
	out->is_summed = is_energy && !(m->flags & METRIC_TOTAL);
}
