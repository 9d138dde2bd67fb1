/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any words as a command line: it is refused with a sentence, or what was understood is within the
 * bounds that the options promise. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/options.h"
#include "cmd/load/load_options.h"
#include "cmd/sweep/sweep_options.h"
#include "tasks.h"

#define MAX_WORDS 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
	if (!good)
		abort();
}

static void check_device(const struct options *o, const struct device_options *d)
{
	check(d->speed >= 0 && d->oa_period_ns >= 0 && d->rotate_every_ns >= 0);
	check(!d->set || !d->rotate);
	check(d->n_counters >= 0);
	for (int i = 0; i < d->n_counters; i++)
		check(d->counters[i] && *d->counters[i]);
	check(o->n_devices > 1 || !d->record_each || (d->name && !strcmp(d->name, DEVICES_ALL)));
}

static void check_options(const struct options *o, int argc, char **argv)
{
	check(!o->delay_ns || (o->delay_ns >= NS_PER_S / 100 && o->delay_ns <= 3600 * NS_PER_S));
	check(o->n_devices >= 1 && o->n_names >= 0 && o->n_names < argc);
	check(o->n_names == 0 || o->names == &o->old_name || o->names + o->n_names == argv + argc);
	check(!o->clients || o->form != OUTPUT_CSV);
	check(o->load->time_ns >= 0);
	if (o->task == TASK_ANSWER)
		return;
	check(!o->sweep->resume || o->task == TASK_SWEEP || o->load->list_kernels);
	check(!o->load->tune || o->task == TASK_STRESS || o->task == TASK_SWEEP ||
		o->task == TASK_CALIBRATE);
	for (int i = 0; i < o->n_devices; i++)
		check_device(o, &o->devices[i]);
}

/* Each line is a word. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size),
	     *argv[MAX_WORDS + 2] = { (char[]){ "rooftop" } };
	struct options o;
	struct err err = { 0 };
	int argc = 1;

	for (char *p = text; p && *p && argc <= MAX_WORDS;) {
		argv[argc++] = p;
		p = strchr(p, '\n');
		if (p)
			*p++ = '\0';
	}
	if (options_parse(&o, &command_line, argc, argv, &err))
		check_options(&o, argc, argv);
	else
		check(err.code == ERR_USAGE && err.msg[0]);
	options_release(&o);
	free(text);
	return 0;
}
