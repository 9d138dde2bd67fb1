/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the files that the command line names. */
#include "config.h"

#include "session/input_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/window/sets.h"
#include "core/value/settings.h"
#include "backends/common/counter_family.h"
#include "base/fsroot.h"

#define CHECKED_MAX_BYTES (64 << 20)

static void keep_first(void *ctx, const struct err *err)
{
	struct err *first = ctx;

	if (first && first->code == ERR_NONE)
		*first = *err;
}

static void pass_over(void *ctx, const struct err *err)
{
	(void)ctx;
	(void)err;
}

/* Checks a metric file and throws its sets away, because the program reads the file again when it
 * starts. */
static bool check_metrics(const char *path, struct err *err)
{
	struct metric_lib lib = { 0 };
	struct err first = { 0 };
	int n = sets_load_file(&lib, path, keep_first, &first);

	metric_lib_release(&lib);
	if (n == 0)
		return true;
	if (err)
		*err = first;
	if (n > 1)
		err_hint(
			err, "%d problems in all; 'rooftop metrics --check FILE' lists them", n);
	return false;
}

/* Checks Intel's XML. A counter that is not understood costs only its own row, because Intel's
 * files go on growing. */
static bool check_xml(const char *path, struct err *err)
{
	struct metric_lib lib = { 0 };
	bool good = counter_sets_load(&lib, path, pass_over, NULL, err);

	metric_lib_release(&lib);
	return good;
}

static bool can_open(const char *path, struct err *err)
{
	int fd = file_open_input(path, err);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Checks the settings file. An odd line is reported later, and kept. */
static bool check_config(const char *path, struct err *err)
{
	struct settings s = { 0 };
	struct err bad = { 0 };

	if (!can_open(path, err)) {
		if (access(path, F_OK) < 0 && errno == ENOENT)
			err_hint(err, "create it: touch FILE; F12 on the screen fills it");
		return false;
	}
	bool good = settings_load(&s, path, &bad) || bad.code == ERR_PARSE;
	settings_release(&s);
	if (!good && err)
		*err = bad;
	return good;
}

/* The screen shows what is wrong with a file, but does not wait for a pipe while it is drawn. */
static bool check_waiting(const struct name_list *files, struct err *err)
{
	struct stat st;

	for (int i = 0; i < files->n; i++) {
		if (stat(files->names[i], &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
			continue;
		if (!can_open(files->names[i], err))
			return false;
	}
	return true;
}

static bool check_root(const char *path, struct err *err)
{
	const struct fsroot root = { .prefix = "" };
	struct stat st;

	if (strlen(path) >= sizeof(root.prefix))
		return err_set(err, ERR_USAGE, "the path '%.200s' is too long", path);
	if (stat(path, &st) < 0)
		return err_sys(err, "cannot open the folder '%s'", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, "'%s' is no folder", path);
	return true;
}

/* 'metrics --check' tells mistakes of a file, and a file that it cannot read has none. */
static bool can_read(const char *path, struct err *err)
{
	char *text = file_read_all(path, CHECKED_MAX_BYTES, NULL, err);

	free(text);
	return text;
}

/* Everything that is read before the first line is written. */
static bool check_all(const struct options *o, struct err *err)
{
	bool good = !o->fsroot || check_root(o->fsroot, err);

	for (int i = 0; good && i < o->n_given; i++)
		good = !o->given[i].row->reads || can_read(o->given[i].value, err);
	for (int i = 0; good && i < o->metric_files.n; i++)
		good = check_metrics(o->metric_files.names[i], err);
	for (int i = 0; good && i < o->xml_files.n; i++)
		good = check_xml(o->xml_files.names[i], err);
	return good;
}

static bool is_same_file(const char *input, const struct stat *out)
{
	struct stat in;
	int failed;

	if (!strcmp(input, "-"))
		failed = fstat(STDIN_FILENO, &in);
	else
		failed = stat(input, &in);
	return !failed && in.st_dev == out->st_dev && in.st_ino == out->st_ino;
}

bool input_files_spare(const struct options *o, const char *path, struct err *err)
{
	const char *what = NULL;
	struct stat out;

	if (!path || stat(path, &out) < 0 || !S_ISREG(out.st_mode))
		return true;
	for (int i = 0; i < o->n_given; i++)
		if (o->given[i].row->reads && is_same_file(o->given[i].value, &out))
			what = "a file";
	for (int i = 0; o->task == TASK_DIFF && i < o->n_names; i++)
		if (is_same_file(o->names[i], &out))
			what = "a file";
	for (int i = 0; i < o->n_devices; i++) {
		const char *name = o->devices[i].name;

		if (name && !strncmp(name, "file:", 5) && is_same_file(name + 5, &out))
			what = "the recording";
	}
	if (!what)
		return true;
	err_set(err, ERR_USAGE, "'%s' is %s that is read", path, what);
	return err_hint(err, "another file keeps it");
}

/* A program that draws pictures by their names would not understand it. */
static bool is_named_as_pixels(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".png") || !strcmp(dot, ".jpg") || !strcmp(dot, ".pdf"));
}

/* Nothing is lost unasked, and what is read is not written over. What is written in one step at the end needs a place for that. */
static bool check_written(const struct options *o, const struct given_option *g, struct err *err)
{
	enum file_form form = option_file_form(o, g->row);
	bool is_kept = form == FILE_FORM_SVG || form == FILE_FORM_HTML || form == FILE_FORM_XML ||
		form == FILE_FORM_NEW;

	if (form == FILE_FORM_SVG && is_named_as_pixels(g->value)) {
		err_set(err, ERR_USAGE, "pictures are SVG, which '%s' does not say", g->value);
		return err_hint(err, "name it .svg; rsvg-convert or inkscape make others of it");
	}
	return !strcmp(g->value, "-") ||
		(input_files_spare(o, g->value, err) &&
			(o->overwrite || file_may_become(g->value, form, err)) &&
			(!is_kept || file_has_place(g->value, err)));
}

static bool check_outputs(const struct options *o, struct err *err)
{
	bool good = true;

	for (int i = 0; good && i < o->n_given; i++)
		if (o->given[i].row->writes && option_last_given(o, i))
			good = check_written(o, &o->given[i], err);
	for (int i = 0; good && i < o->n_devices; i++)
		good = o->devices[i].record_each ||
			input_files_spare(o, o->devices[i].record, err);
	return good;
}

bool input_files_check(const struct options *o, struct err *err)
{
	/* Some tasks look at no file. */
	if (o->task == TASK_HELP || o->task == TASK_VERSION || o->task == TASK_ANSWER ||
		o->task == TASK_LIST_EVENTS)
		return true;
	bool good = check_outputs(o, err) && (!o->config || check_config(o->config, err));
	if (good && options_want_screen(o))
		good = check_waiting(&o->metric_files, err) && check_waiting(&o->xml_files, err);
	else if (good)
		good = check_all(o, err);
	if (!good)
		err_of_file(err);
	return good;
}
