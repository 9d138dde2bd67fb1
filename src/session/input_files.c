/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the files that the command line names. */
#include "config.h"

#include "session/input_files.h"

#include <string.h>
#include <sys/stat.h>

#include "session/sets.h"
#include "core/settings.h"
#include "backends/intel/oa/oa_xml.h"
#include "base/i18n.h"

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

/* Says whether the file can be read only once, as a pipe. Its reader then says what is wrong. */
static bool is_read_once(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Checks a metric file and throws its sets away, because the program reads the file again when it
 * starts. */
static bool check_metrics(const char *path, struct err *err)
{
	struct metric_lib lib = { 0 };
	struct err first = { 0 };
	int n = 0;

	if (!is_read_once(path))
		n = sets_load_file(&lib, path, keep_first, &first);
	metric_lib_release(&lib);
	if (n == 0)
		return true;
	if (err)
		*err = first;
	if (n > 1)
		err_hint(
			err, _("%d problems in all; 'rooftop metrics --check FILE' lists them"), n);
	return false;
}

/* Checks Intel's XML. A counter that is not understood costs only its own row, because Intel's
 * files go on growing. */
static bool check_xml(const char *path, struct err *err)
{
	struct metric_lib lib = { 0 };
	bool good = is_read_once(path) || oa_xml_load(&lib, path, pass_over, NULL, err);

	metric_lib_release(&lib);
	return good;
}

/* Checks the settings file. F12 will write one that does not exist yet. An odd line is reported and
 * kept. */
static bool check_config(const char *path, struct err *err)
{
	struct settings s = { 0 };
	struct err bad = { 0 };
	bool good = is_read_once(path) || settings_load(&s, path, &bad) || bad.code == ERR_PARSE;

	settings_release(&s);
	if (!good && err)
		*err = bad;
	return good;
}

static bool check_root(const char *path, struct err *err)
{
	const struct fsroot root = { .prefix = "" };
	struct stat st;

	if (strlen(path) >= sizeof(root.prefix))
		return err_set(err, ERR_USAGE, _("the path '%.200s' is too long"), path);
	if (stat(path, &st) < 0)
		return err_sys(err, _("cannot open the folder '%s'"), path);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, _("'%s' is no folder"), path);
	return true;
}

bool input_files_check(const struct options *o, struct err *err)
{
	/* Some tasks look at no file. The screen shows problems and goes on. */
	if (o->task == TASK_HELP || o->task == TASK_VERSION || o->task == TASK_TABLES ||
		o->task == TASK_LIST_EVENTS || options_want_screen(o))
		return true;
	bool good = (!o->config || check_config(o->config, err)) &&
		(!o->fsroot || check_root(o->fsroot, err)) &&
		(!o->plot || file_has_place(o->plot, err));
	for (int i = 0; good && i < o->metric_files.n; i++)
		good = check_metrics(o->metric_files.names[i], err);
	for (int i = 0; good && i < o->xml_files.n; i++)
		good = check_xml(o->xml_files.names[i], err);
	if (!good)
		err_of_file(err);
	return good;
}
