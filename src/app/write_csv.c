/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV by RFC 4180 but for its line ends: one header row, an empty cell where there is no number. */
#include "config.h"

#include "app/writer.h"

#include <math.h>

#include "base/clock.h"

static void begin(struct writer_run *run, struct strbuf *out)
{
	strbuf_add(out, "t,mono_ns,window_ms,lost,sim");
	for (int i = 0; i < run->set->n_metrics; i++) {
		if (!writer_shows(&run->set->metrics[i]))
			continue;
		strbuf_addc(out, ',');
		strbuf_add_csv(out, run->set->metrics[i].name);
	}
	strbuf_addc(out, '\n');
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	char utc[32];

	strbuf_addf(out, "%s,%lld,", clock_format_utc(s->wall_ns, utc), (long long)s->mono_ns);
	strbuf_add_double(out, (double)s->window_ns / NS_PER_MS);
	strbuf_addf(out, ",%llu,%d", (unsigned long long)s->lost, run->device->simulated);
	for (int i = 0; i < run->set->n_metrics; i++) {
		if (!writer_shows(&run->set->metrics[i]))
			continue;
		strbuf_addc(out, ',');
		if (s->values[i].why == WHY_OK && isfinite(s->values[i].v))
			strbuf_add_double(out, s->values[i].v);
	}
	strbuf_addc(out, '\n');
}

const struct writer csv_writer = { .begin = begin, .window = window };
