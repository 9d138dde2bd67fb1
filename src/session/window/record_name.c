/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the files of recordings, so that none replaces what this run reads or has recorded. */
#include "config.h"

#include "session/window/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "session/input_files.h"
#include "session/program.h"
#include "base/mem.h"

#define NUMBER_MAX 99

bool default_file_name(
	const struct clock *clock, const char *stem, const char *end, char *buf, size_t size)
{
	time_t s = (time_t)(clock_wall_ns(clock) / NS_PER_S);
	char stamp[32], number[8] = "";
	struct tm tm;

	if (!localtime_r(&s, &tm) || !strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm))
		return false;
	for (int i = 2; i <= NUMBER_MAX; i++) {
		snprintf(buf, size, "%s-%s%s%s", stem, stamp, number, end);
		if (access(buf, F_OK))
			break;
		snprintf(number, sizeof(number), "-%d", i);
	}
	return true;
}

/* Returns FILE or FILE.DEVICE; heap. */
static char *name_of(const struct session *ses)
{
	const struct device_options *want = ses->want;

	if (!want->record_each)
		return xstrdup(want->record);
	char *path = xasprintf("%s.%s", want->record, ses->opened.name);
	for (char *id = path + strlen(want->record); *id; id++)
		if (*id == '/')
			*id = '_';
	return path;
}

static bool was_recorded(const struct program *p, const char *path)
{
	for (int i = 0; i < p->n_recorded; i++)
		if (!strcmp(p->recorded[i], path))
			return true;
	return false;
}

bool record_start_named(struct session *ses, struct err *err)
{
	const struct device_options *want = ses->want;
	struct program *p = ses->program;

	if (!want->record)
		return record_start(ses, NULL, false, err);
	char *first = name_of(ses), *path = xstrdup(first);
	for (int i = 2; was_recorded(p, path); i++) {
		free(path);
		path = xasprintf("%s-%d", first, i);
	}
	bool good = input_files_spare(ses->opt, path, err) &&
		record_start(ses, path, ses->opt->overwrite, err);
	if (good) {
		p->recorded = xreallocarray(
			p->recorded, (size_t)p->n_recorded + 1, sizeof(*p->recorded));
		p->recorded[p->n_recorded++] = path;
	}
	else
		free(path);
	free(first);
	return good;
}
