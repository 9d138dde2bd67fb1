/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks options together. It refuses whatever a command or another option would leave without
 * effect. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/place.h"
#include "core/metric/metric_extend.h"
#include "cli/options_priv.h"

/* Sets can take turns in windows that follow each other. Everything else needs one set. */
static bool check_rotate(const struct options *o, const struct device_options *d, struct err *err)
{
	/* A set may be a profile of several, which only its file tells (session/rotate.c). */
	if (d->rotate_every_ns && !d->rotate && !d->set)
		return err_set(err, ERR_USAGE, "--rotate-every is the length of a turn: -m A,B takes turns");
	if (!d->rotate)
		return true;
	if (d->set)
		return err_set(err, ERR_USAGE,
			"one -m names the sets that take turns, another asks for '%s' alone", d->set);
	if (o->task != TASK_RUN && o->task != TASK_SCRIPT)
		return err_set(err, ERR_USAGE,
			"sets take turns on the screen and in lines of output; this command "
			  "needs one set");
	return true;
}

static bool records(const struct options *o)
{
	for (int i = 0; i < o->n_devices; i++)
		if (o->devices[i].record)
			return true;
	return false;
}

bool options_take_several(enum task task)
{
	return task == TASK_RUN || task == TASK_SCRIPT || task == TASK_HELP ||
		task == TASK_VERSION || task == TASK_CHECK;
}

/* Windows say which of several devices they belong to; other tasks handle one device only. */
static bool check_several(const struct options *o, struct err *err)
{
	bool is_all = options_mean_all(&o->devices[0]);

	if ((o->n_devices < 2 && !is_all) ||
		(options_take_several(o->task) && o->form != OUTPUT_GPU_TOP))
		return true;
	if (o->task == TASK_STRESS && o->n_devices == 2 && !is_all)
		return true;
	if (o->form == OUTPUT_GPU_TOP)
		return err_set(err, ERR_USAGE, "%s",
			"--intel-gpu-top-json is about one device, as intel_gpu_top is");
	if (o->n_devices > 1)
		err_set(err, ERR_USAGE,
			"this command is about one device, and '%s' would be a second one",
			o->devices[1].name);
	else
		err_set(err, ERR_USAGE,
			"this command is about one device, and -D all means several");
	if (o->task == TASK_STRESS)
		return err_hint(err, "stress puts two devices beside each other: -D A -D B");
	return err_hint(err, "the screen, -b, -J, -c and exports take several devices");
}

enum file_form option_file_form(const struct options *o, const struct option_row *row)
{
	static const enum file_form forms[] = { [OUTPUT_NONE] = FILE_FORM_TEXT,
		[OUTPUT_TEXT] = FILE_FORM_TEXT,
		[OUTPUT_JSON] = FILE_FORM_JSON,
		[OUTPUT_CSV] = FILE_FORM_CSV,
		[OUTPUT_GPU_TOP] = FILE_FORM_JSON };

	if (row->writes != FILE_FORM_OF_OUTPUT)
		return row->writes;
	if (o->task == TASK_SWEEP && o->form == OUTPUT_NONE)
		return FILE_FORM_CSV;
	return forms[o->form];
}

struct named_output {
	const char *option, *path;
};

/* A file may have several names, and one that is not there yet has folders and links before it. */
static bool is_same_place(const char *a, const char *b)
{
	struct stat x, y;
	struct place p, q;
	bool is_same = false;

	if (stat(a, &x) == 0 && stat(b, &y) == 0)
		return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
	bool is_found = place_find(&p, a, PLACE_FOLLOWS);
	if (place_find(&q, b, PLACE_FOLLOWS))
		is_same = is_found && fstat(p.folder, &x) == 0 && fstat(q.folder, &y) == 0 &&
			x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
			!strcmp(place_last(p.path), place_last(q.path));
	place_leave(&p);
	place_leave(&q);
	return is_same;
}

static bool check_output(
	const struct options *o, const struct named_output *files, int i, struct err *err)
{
	const char *option = files[i].option;
	bool has_lines = !o->output &&
		(o->task != TASK_RUN || o->form != OUTPUT_NONE || options_want_screen(o));
	struct stat st;

	/* A terminal and /dev/null take what several write. */
	if (stat(files[i].path, &st) == 0 && S_ISCHR(st.st_mode))
		return true;
	/* Lines or the screen take standard output, even where no option says this. */
	if (has_lines && !strcmp(files[i].path, "-")) {
		err_set(err, ERR_USAGE,
			"'--%s -' would write between what else goes to standard output", option);
		if (options_want_screen(o))
			return err_hint(
				err, "the screen needs it: --%s FILE writes to a file", option);
		return err_hint(err, "-o FILE leaves it to --%s alone", option);
	}
	/* Two writers would break each other's lines. */
	for (int k = 0; k < i; k++) {
		if (!is_same_place(files[i].path, files[k].path))
			continue;
		err_set(err, ERR_USAGE, "--%s and --%s both write to '%s'", files[k].option,
			option, files[i].path);
		return err_hint(err, "give one of them another file");
	}
	return true;
}

bool option_last_given(const struct options *o, int i)
{
	for (int k = i + 1; k < o->n_given; k++)
		if (o->given[k].row == o->given[i].row)
			return false;
	return true;
}

static bool check_outputs(const struct options *o, struct err *err)
{
	size_t most = (size_t)(o->n_devices + o->n_given) + 1;
	struct named_output *files = xcalloc(most, sizeof(*files));
	char *textfile = o->textfile ? xasprintf("%s/rooftop.prom", o->textfile) : NULL;
	bool good = true, streams = false;
	int n = 0;

	for (int i = 0; i < o->n_given; i++)
		if (o->given[i].row->writes && option_last_given(o, i))
			files[n++] = (struct named_output){ o->given[i].row->name,
				o->given[i].value };
	/* Devices share a stream. */
	for (int i = 0; i < o->n_devices; i++) {
		const char *path = o->devices[i].record;
		bool is_stream = path && !strcmp(path, "-");

		if (path && !o->devices[i].record_each && !(is_stream && streams))
			files[n++] = (struct named_output){ "record", path };
		streams |= is_stream;
	}
	bool writes = n > 0 || records(o);
	if (textfile)
		files[n++] = (struct named_output){ "textfile", textfile };
	for (int i = 0; good && i < n; i++)
		good = check_output(o, files, i, err);
	free(textfile);
	free(files);
	return good && (!o->overwrite || writes ||
		err_set(err, ERR_USAGE, "--overwrite is about files, and none is written"));
}

static bool check_clients(const struct options *o, struct err *err)
{
	if (!o->clients)
		return true;
	if (o->form == OUTPUT_CSV)
		return err_set(err, ERR_USAGE,
			"--clients writes lists, which do not fit into CSV; it goes with -b and "
			  "-J");
	if (o->form == OUTPUT_GPU_TOP)
		return err_set(err, ERR_USAGE,
			"--intel-gpu-top-json has the clients in each window without --clients");
	bool is_served = o->export || o->textfile;
	if (o->form != OUTPUT_NONE || (!options_want_screen(o) && (is_served || !o->trace)))
		return true;
	err_set(err, ERR_USAGE,
		"--clients adds lines to -b and -J and families to exports, and none of them was asked "
		  "for");
	return err_hint(err, "the screen has the processes on key 5");
}

static bool check_events_in(const struct device_options *d, struct err *err)
{
	if (!d->events_in)
		return true;
	if (!d->n_counters) {
		err_set(err, ERR_USAGE,
			"--eu-events-in says who counts the events of --counter, and there are none");
		return err_hint(err, "--counter active --counter stall, for example");
	}
	if (d->access && !strcmp(d->access, "mmio"))
		return true;
	err_set(err, ERR_USAGE,
		"--eu-events-in writes registers in one subslice, which only --access mmio does");
	return err_hint(err, "the sets dispatch, ready and waits tell subslices apart without it");
}

/* Checks what was asked of one device. */
static bool check_device(const struct options *o, const struct device_options *d, struct err *err)
{
	if (d->n_counters && d->set && strcmp(d->set, CHOSEN_SET) != 0)
		return err_set(err, ERR_USAGE, "--counter makes the set %s, --set asks for '%s'",
			CHOSEN_SET, d->set);
	if (!check_events_in(d, err))
		return false;
	if (d->lists_contexts && o->form == OUTPUT_CSV)
		return err_set(err, ERR_USAGE,
			"--context help writes lists, which only -b, -J and the screen have room "
			  "for");
	if (d->lists_contexts && o->task != TASK_SCRIPT && o->task != TASK_HELP &&
		(o->task != TASK_RUN || (o->form == OUTPUT_NONE && options_export(o))))
		return err_set(err, ERR_USAGE, "--context help belongs to windows that are shown");
	if (d->n_wishes && d->rotate) {
		err_set(err, ERR_USAGE, "%s is about one set, and several take turns",
			d->wishes[0].option);
		return err_hint(err, "-m chooses one set");
	}
	if (!check_rotate(o, d, err))
		return false;
	if (d->per_report && d->speed > 0)
		return err_set(err, ERR_USAGE,
			"--per-report goes from report to report, --speed does not apply to it");
	if (d->name && !strcmp(d->name, "file:-") && (d->speed > 0 || d->speed_max || d->per_report))
		return err_set(err, ERR_USAGE,
			"a stream comes as fast as it comes: --speed and --per-report do not apply");
	return true;
}

bool options_check(struct options *o, struct err *err)
{
	if (o->task == TASK_RUN && o->output && o->form == OUTPUT_NONE)
		o->form = OUTPUT_TEXT;
	if (o->tour && (options_name_device(o) || (o->task == TASK_RUN && !options_want_screen(o))))
		return err_set(
			err, ERR_USAGE, "--tour brings its own device and needs the screen");
	bool has_own_check = (int)o->task == o->command->task && o->command->check;

	if (o->units && o->form != OUTPUT_CSV)
		return err_set(err, ERR_USAGE, "--units adds a line to CSV, which -c asks for");
	if (!option_uses_check(o, err) || (has_own_check && !o->command->check(o, err)))
		return false;
	for (int i = 0; i < o->n_devices; i++)
		if (!check_device(o, &o->devices[i], err))
			return false;
	return check_outputs(o, err) && check_clients(o, err) && check_several(o, err);
}
