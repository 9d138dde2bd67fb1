/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perftree ROOT PMU[:VARIANT]...: the folders of these PMUs below ROOT/sys, from the rows that the
 * fake kernel answers from. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fakekernel/perf_pmus.h"

static void die(const char *what)
{
	fprintf(stderr, "perftree: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void make_folders(char *path)
{
	for (char *p = path + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			die(path);
		*p = '/';
	}
}

/* text, and a newline, into a file. */
__attribute__((format(printf, 2, 3)))
static void put(const char *text, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	make_folders(path);
	f = fopen(path, "we");
	if (!f || fprintf(f, "%s\n", text) < 0 || fclose(f) != 0)
		die(path);
}

static void link_pmu(const char *root, const char *name)
{
	char path[PATH_MAX], target[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s", root, name);
	snprintf(target, sizeof(target), "../../../devices/%s", name);
	make_folders(path);
	if (symlink(target, path) != 0 && errno != EEXIST)
		die(path);
}

static void write_pmu(const char *root, const struct fake_pmu *p)
{
	char folder[PATH_MAX - 64], number[16];

	snprintf(folder, sizeof(folder), "%s/sys/devices/%s", root, p->name);
	snprintf(number, sizeof(number), "%u", p->type);
	put(number, "%s/type", folder);
	/* Every PMU has it (kernel/events/core.c); libpfm takes it for the proof that perf events work. */
	put("4", "%s/perf_event_mux_interval_ms", folder);
	if (p->cpumask)
		put(p->cpumask, "%s/cpumask", folder);
	if (p->cpus)
		put(p->cpus, "%s/cpus", folder);
	snprintf(number, sizeof(number), "%d", p->slots);
	if (p->slots)
		put(number, "%s/caps/slots", folder);
	if (p->variant)
		put(p->variant, "%s/perf/%s/variant", root, p->name);
	for (const struct fake_format *f = p->formats; f->name; f++)
		put(f->text, "%s/format/%s", folder, f->name);
	for (const struct fake_event *e = p->events; e->name; e++) {
		if (e->text)
			put(e->text, "%s/events/%s", folder, e->name);
		if (e->text && e->scale)
			put(e->scale, "%s/events/%s.scale", folder, e->name);
		if (e->text && e->unit)
			put(e->unit, "%s/events/%s.unit", folder, e->name);
	}
	link_pmu(root, p->name);
}

int main(int argc, char **argv)
{
	static const struct fake_format no_format = { 0 };
	static const struct fake_event no_event = { 0 };
	const struct fake_pmu software = {
		.name = "software", .type = 1, .formats = &no_format, .events = &no_event
	};

	if (argc < 2) {
		fprintf(stderr, "usage: perftree ROOT PMU[:VARIANT]...\n");
		return 2;
	}
	put("1", "%s/perf/present", argv[1]);
	write_pmu(argv[1], &software);
	for (int i = 2; i < argc; i++) {
		char *colon = strchr(argv[i], ':');
		const struct fake_pmu *p;

		if (colon)
			*colon = '\0';
		p = fake_pmu_by_name(argv[i], colon ? colon + 1 : NULL);
		if (!p) {
			fprintf(stderr, "perftree: no PMU '%s'\n", argv[i]);
			return 2;
		}
		write_pmu(argv[1], p);
	}
	return 0;
}
