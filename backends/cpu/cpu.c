/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device cpu0: what its CPUs do, at which clock, and what their counters say. All packages together
 * are one device. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/sources.h"
#include "backends/memory/machine_memory.h"
#include "base/mem.h"

static bool cpu_probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	struct cpu_info *info = xcalloc(1, sizeof(*info));
	struct device_entry *e;

	(void)err;
	if (fsroot_exists(fs, "/proc/stat") && cpu_info_read(fs, info, NULL)) {
		e = device_list_add(out, &cpu_backend);
		cpu_info_fill(fs, info, &e->device);
		e->usable = true;
	}
	free(info);
	return true;
}

/* The code of refusal is ERR_NONE when the source works. */
static void add_check(struct open_device *dev, const char *feed, const char *source,
	const char *gives, const struct err *refusal)
{
	struct device_check c = device_check_of(
		feed, source, gives, refusal->code ? refusal : NULL);

	open_device_check(dev, &c);
}

/* What the events are of: not every processor counts operations. */
static const char *counted(const struct metric_set *set)
{
	const struct set_directive *d;
	int pos = 0;

	while (set && (d = metric_set_directive(set, "program", &pos)))
		if (!strncmp(d->args, "flops", 5) || !strncmp(d->args, "fp_", 3))
			return "cycles, instructions, floating-point operations";
	return "cycles and instructions";
}

static void add_missing_kinds(struct open_device *dev, const struct cpu_info *info,
	const struct source *events, struct source *clock)
{
	struct err refusal = { 0 };
	char kind[48], name[80];

	for (int i = 0; cpu_events_missing(events, i, kind, sizeof(kind), &refusal); i++) {
		snprintf(name, sizeof(name), "CPU counters of %s", kind);
		add_check(dev, "events", name, "what these cores count", &refusal);
		if (clock)
			cpu_clock_leave_out(clock, info, kind);
		err_clear(&refusal);
	}
}

static bool cpu_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct cpu_info *info = xcalloc(1, sizeof(*info));
	struct err refusal = { 0 };
	char what[160];

	(void)e;
	*dev = (struct open_device){ 0 };
	if (!cpu_info_read(o->fs, info, err)) {
		free(info);
		return false;
	}
	cpu_info_fill(o->fs, info, &dev->device);
	dev->sources[dev->n_sources++] = cpu_time_open(info, o);
	add_check(dev, "time", "/proc/stat", "utilization of each CPU", &refusal);
	struct source *clock = cpu_clock_open(info, o, &refusal);
	if (clock)
		dev->sources[dev->n_sources++] = clock;
	add_check(dev, "clock", clock ? clock->feed.how : "clock", "clock of each CPU",
		&refusal);
	err_clear(&refusal);
	dev->sources[dev->n_sources++] = cpu_events_open(info, o, &refusal);
	add_check(dev, "events", "CPU counters", counted(o->set), &refusal);
	add_missing_kinds(dev, info, dev->sources[dev->n_sources - 1], clock);
	err_clear(&refusal);
	/* The loop runs again here, for its own row: it takes half a millisecond. */
	if (!cpu_self_test(info, o->fs, what, sizeof(what), &refusal))
		snprintf(what, sizeof(what), "%s", "whether a known loop counts what it should");
	add_check(dev, "events", "FLOP self-test", what, &refusal);
	free(info);
	err_clear(&refusal);
	dram_roof_of_machine(&dev->device, o->fs, 0, &refusal);
	dram_roof_check(dev, &refusal);
	return true;
}

const struct backend cpu_backend = {
	.name = "cpu",
	.description = "the processor",
	.never_by_default = true,
	.probe = cpu_probe,
	.open = cpu_open,
};
