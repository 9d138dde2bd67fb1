/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of the oracle against what i915-perf-reader printed of them: every counter of every
 * report, reasons, times. */
#include "config.h"

#include <inttypes.h>
#include <zlib.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "backends/common/backend.h"
#include "backends/replay/timeline.h"
#include "base/mem.h"
#include "core/metric/metric.h"
#include "core/record/record_file.h"
#include "tests/oracle.h"
#include "tests/tap.h"
#include "tests/unit/intel/by_name.h"

/* One "   Name: value" line below a "report" line. */
struct printed {
	int metric;		/* in our set, -1: not there */
	bool is_integer;
	uint64_t u;
	double d;
};

struct comparison {
	const char *name;
	gzFile text;
	char line[512];
	struct device_list list;
	struct open_device dev;
	struct rec_reader *reader;
	struct metric_lib lib;
	const struct metric_set *set;
	struct metric_binding binding;
	struct value *values, *ceilings;
	struct timeline times;
	uint64_t compared, differ, missing;
	int blocks, shown, reasons_differ, times_compared, times_differ;
};

static void problem(void *ctx, const struct err *err)
{
	(void)ctx;
	(void)err;
}

static bool next_line(struct comparison *c)
{
	if (!gzgets(c->text, c->line, sizeof(c->line)))
		return false;
	c->line[strcspn(c->line, "\n")] = '\0';
	return true;
}

static bool parse_printed(const struct comparison *c, struct printed *p)
{
	char symbol[128], number[64], name[160];

	if (sscanf(c->line, "   %127[A-Za-z0-9_]: %63s", symbol, number) != 2)
		return false;
	p->metric = metric_set_index(c->set, oa_xml_snake_case(symbol, name, sizeof(name)));
	p->is_integer = !strchr(number, '.');
	p->u = p->is_integer ? strtoull(number, NULL, 10) : 0;
	p->d = strtod(number, NULL);
	return true;
}

/* The reader prints floats with six decimals and integers in full. */
static bool equal(const struct printed *p, const struct metric *m, struct value v)
{
	if (v.why != WHY_OK || p->is_integer != ((m->flags & METRIC_INTEGER) != 0))
		return false;
	return p->is_integer ? v.v == (double)p->u
			     : fabs(v.v - p->d) <= 0.5000001e-6 + 1e-12 * fabs(p->d);
}

static void compare_value(struct comparison *c, const struct printed *p)
{
	c->compared++;
	if (p->metric < 0)
		c->missing++;
	else if (equal(p, &c->set->metrics[p->metric], c->values[p->metric]))
		return;
	if (++c->differ <= 5)
		diag("%s: report %d: '%s' is %.17g, reason %d", c->name, c->blocks - 1, c->line,
			p->metric < 0 ? NAN : c->values[p->metric].v,
			p->metric < 0 ? -1 : (int)c->values[p->metric].why);
}

/* The next pair of reports through replay and equations. */
static bool step(struct comparison *c)
{
	struct source *s = c->dev.sources[0];
	struct sample sample = { 0 };

	if (!s->ops->ready(s, 0, NULL))
		return false;
	s->ops->collect(s, 0, &sample);
	if (sample.why != WHY_OK)
		return false;
	metric_eval(&c->binding, &sample, c->values, c->ceilings);
	return true;
}

/* The reason of the next report of the file. */
static const char *next_reason(struct comparison *c)
{
	const struct intel_platform *p = intel_platform_by_name(c->dev.device.platform);
	struct oa_header h;
	struct rec rec;

	while (rec_next(c->reader, &rec, NULL)) {
		if (!rec_is_report(c->reader, &rec))
			continue;
		oa_read_header(oa_format_by_number(c->dev.device.oa_format), rec.payload, &h);
		return oa_reason_name(oa_reasons(p->graphics_ver, h.id));
	}
	return "no report";
}

static void compare_times(struct comparison *c)
{
	uint64_t cpu[2], gpu[2];

	if (sscanf(c->line, "Time: CPU=0x%" SCNx64 "-0x%" SCNx64 " GPU=0x%" SCNx64 "-0x%" SCNx64,
		    &cpu[0], &cpu[1], &gpu[0], &gpu[1]) != 4)
		return;
	for (int i = 0; i < 2; i++) {
		int64_t ticks = rec_ticks(
			rec_summary(c->reader)->first_timestamp, (uint32_t)gpu[i]);
		int64_t difference = timeline_host_ns(&c->times, ticks) - (int64_t)cpu[i];

		c->times_compared++;
		/* It calculates in whole numbers, we round: a nanosecond. */
		if (difference < -1 || difference > 1)
			c->times_differ++;
	}
}

/* Blocks of a span of time (all its reports together) are skipped, blocks of one report are
 * compared. */
static void compare_text(struct comparison *c)
{
	bool in_report = false;
	struct printed p;
	char reason[64];

	while (next_line(c)) {
		if (sscanf(c->line, " report%*d = %63s", reason) == 1) {
			in_report = step(c);
			c->blocks += in_report;
			c->reasons_differ += strcmp(reason, next_reason(c)) != 0;
			c->shown = 0;
		} else if (!strncmp(c->line, "Time: ", 6)) {
			compare_times(c);
			in_report = false;
		} else if (in_report && parse_printed(c, &p)) {
			compare_value(c, &p);
			c->shown++;
		}
	}
}

static unsigned long head_number(struct comparison *c, const char *key)
{
	gzrewind(c->text);
	while (next_line(c) && strncmp(c->line, "Time: ", 6))
		if (!strncmp(c->line, key, strlen(key)))
			return strtoul(c->line + strlen(key), NULL, 10);
	return 0;
}

static int visible_metrics(const struct metric_set *set)
{
	int n = 0;

	/* Metrics that have counters as cells are ours. */
	for (int i = 0; i < set->n_metrics; i++)
		n += !(set->metrics[i].flags & METRIC_HIDDEN) &&
			strncmp(set->metrics[i].equation, "each of ", 8) != 0;
	return n;
}

static bool open_all(struct comparison *c, const char *oracle, struct err *err)
{
	struct open_options o = { .speed = 1, .per_report = true };
	const struct feed *feed;
	char path[600];

	snprintf(path, sizeof(path), "%s/recordings/%s.reader-all-reports.txt.gz", oracle, c->name);
	c->text = gzopen(path, "re");
	if (!c->text)
		return err_sys(err, "cannot open '%s'", path);
	snprintf(path, sizeof(path), "%s/recordings/%s.i915perf", oracle, c->name);
	if (!replay_backend.resolve(NULL, path, &c->list, err) ||
		!replay_backend.open(&c->list.entries[0], &o, &c->dev, err))
		return false;
	c->reader = rec_open(path, err);
	if (!c->reader)
		return false;
	snprintf(path, sizeof(path), "%s/xml/oa-%s.xml.gz", oracle, c->dev.device.platform);
	if (!oa_xml_load(&c->lib, path, problem, NULL, err))
		return false;
	for (int i = 0; i < c->lib.n_sets; i++)
		oa_xml_fit(c->lib.sets[i], &c->dev.device, true);
	c->set = metric_lib_find(&c->lib, c->dev.device.recording.set, c->dev.device.platform);
	if (!c->set)
		return err_set(err, ERR_USAGE, "no set '%s'", c->dev.device.recording.set);
	feed = &c->dev.sources[0]->feed;
	metric_bind(&c->binding, c->set, &c->dev.device, &feed, 1);
	c->binding.keeps_excess = true;
	c->binding.width = EXPR_64_BITS;
	c->values = xcalloc((size_t)c->set->n_metrics, sizeof(*c->values));
	c->ceilings = xcalloc((size_t)c->set->n_metrics, sizeof(*c->ceilings));
	timeline_init(&c->times, c->reader, c->dev.device.timestamp_hz, 0);
	return true;
}

static void close_all(struct comparison *c)
{
	timeline_release(&c->times);
	free(c->values);
	free(c->ceilings);
	if (c->set)
		metric_unbind(&c->binding);
	metric_lib_release(&c->lib);
	rec_close(c->reader);
	open_device_close(&c->dev);
	device_list_release(&c->list);
	if (c->text)
		gzclose(c->text);
}

static uint64_t test_file(const char *oracle, const char *name)
{
	struct comparison c = { .name = name };
	struct err err = { 0 };

	if (ok(open_all(&c, oracle, &err), "%s: opens %s", name, err.msg)) {
		const struct rec_summary *s = rec_summary(c.reader);

		is_int(s->samples, head_number(&c, "Reports:"), "%s: reports", name);
		is_int(s->correlations, head_number(&c, "Timestamp correlation points:"),
			"%s: correlations", name);
		gzrewind(c.text);
		compare_text(&c);
		is_int(c.blocks, s->samples - 1, "%s: a block for each pair of reports", name);
		is_int(c.shown, visible_metrics(c.set), "%s: the counters of set %s", name,
			c.set->name);
		ok(c.compared > 0 && c.differ == 0,
			"%s: %llu values compared, %llu differ, %llu missing", name,
			(unsigned long long)c.compared, (unsigned long long)c.differ,
			(unsigned long long)c.missing);
		is_int(c.reasons_differ, 0, "%s: reasons", name);
		ok(c.times_compared > 0 && c.times_differ == 0,
			"%s: %d CPU times compared, %d differ", name, c.times_compared,
			c.times_differ);
	}
	close_all(&c);
	return c.compared;
}

int main(void)
{
	static struct oracle_files files;
	uint64_t total = 0;

	if (oracle_list(&files, "recordings", ".reader-all-reports.txt.gz")) {
		for (int i = 0; i < files.n; i++)
			total += test_file(getenv("ROOFTOP_ORACLE"), files.names[i]);
		ok(total > 0, "%llu values of i915-perf-reader compared in all",
			(unsigned long long)total);
	}
	return done_testing();
}
