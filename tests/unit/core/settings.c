/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings file: unknown lines survive, writing is atomic, folders are made. Also the table of
 * commands. */
#include "config.h"

#include "core/value/settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "ui/draw/key_commands.h"
#include "tests/tap.h"

static char folder[] = "/tmp/rooftop-settings-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, 1, len, f) != len)
		diag("cannot write %s", path);
	if (f)
		fclose(f);
}

static void is_content(const char *path, const char *want, const char *what)
{
	size_t len;
	char *text = file_read_all(path, 1 << 20, &len, NULL);

	is_str(text, want, "%s", what);
	free(text);
}

static void test_path(void)
{
	static const struct { const char *xdg, *home, *want; } rows[] = {
		{ "/x", "/h", "/x/rooftop/rooftoprc" }, { NULL, "/h", "/h/.config/rooftop/rooftoprc" },
		{ "", "/h", "/h/.config/rooftop/rooftoprc" }, { "rel", "/h", "/h/.config/rooftop/rooftoprc" },
		{ NULL, NULL, NULL }, { "rel", "rel", NULL },
	};
	char buf[64], tiny[10];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsetenv("XDG_CONFIG_HOME");
		unsetenv("HOME");
		if (rows[i].xdg)
			setenv("XDG_CONFIG_HOME", rows[i].xdg, 1);
		if (rows[i].home)
			setenv("HOME", rows[i].home, 1);
		is_str(settings_default_path(buf, sizeof(buf)) ? buf : NULL, rows[i].want,
			"path of row %zu", i);
	}
	setenv("HOME", "/h", 1);
	ok(!settings_default_path(tiny, sizeof(tiny)), "a path that does not fit is none");
}

static void test_round_trip(void)
{
	static const char text[] = "# mine\n\ndelay = 0.5 \nfuture.key=keep = this\n "
				   "junk\nscheme=dark\r\nscheme=light";
	struct settings s = { 0 };
	struct err err = { 0 };
	struct stat st;
	char *path = strdup(in_folder("rc"));

	ok(settings_load(&s, path, &err) && s.count == 0, "no file is an empty one");
	write_file(path, text, sizeof(text) - 1);
	ok(!settings_load(&s, path, &err), "a line without '=' is told");
	ok(strstr(err.msg, "rc:5: not of the form key=value") != NULL, "with its place: %s",
		err.msg);
	is_str(settings_get(&s, "delay"), "0.5", "blanks around are cut");
	is_str(settings_get(&s, "future.key"), "keep = this", "the first '=' counts");
	is_str(settings_get(&s, "scheme"), "light", "the last one wins");
	is_str(settings_get(&s, "nobody"), NULL, "unknown");
	settings_set(&s, "delay", "2");
	settings_set(&s, "new", "a\nb");
	umask(022);
	ok(settings_save(&s, path, &err), "saved (%s)", err.msg);
	is_content(path,
		"# mine\n\ndelay=2\nfuture.key=keep = this\n "
		"junk\nscheme=dark\nscheme=light\nnew=a b\n",
		"order and unknown lines stay");
	ok(stat(path, &st) == 0 && (st.st_mode & 07777) == 0644, "mode 0644");
	settings_release(&s);
	settings_release(&s);
	ok(settings_load(&s, "/", &err) == false && err.msg[0], "a folder is no settings file: %s",
		err.msg);
	settings_release(&s);
	unlink(path);
	free(path);
}

static void test_save_places(void)
{
	struct settings s = { 0 };
	struct err err = { 0 };
	struct stat st;
	char *real = strdup(in_folder("real")), *link = strdup(in_folder("link")),
	     *deep = strdup(in_folder("a/b/c/rc"));

	settings_set(&s, "k", "v");
	umask(077);
	ok(settings_save(&s, deep, &err), "folders are made (%s)", err.msg);
	is_content(deep, "k=v\n", "and the file in them");
	ok(stat(deep, &st) == 0 && (st.st_mode & 07777) == 0600, "the mask holds");
	umask(0);
	ok(stat(in_folder("a/b"), &st) == 0 && (st.st_mode & 07777) == 0700, "folders are private");
	write_file(real, "old=1\n", 6);
	ok(symlink(real, link) == 0 && settings_save(&s, link, &err), "saving through a link");
	ok(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "leaves the link");
	is_content(real, "k=v\n", "and replaces what it points to");
	ok(!settings_save(&s, in_folder("real/x/rc"), &err) && err.msg[0],
		"a file in place of a folder fails: %s", err.msg);
	ok(!settings_save(&s, "/proc/rooftop/rc", &err), "so does a place that takes no files: %s",
		err.msg);
	settings_release(&s);
	unlink(deep);
	unlink(real);
	unlink(link);
	rmdir(in_folder("a/b/c"));
	rmdir(in_folder("a/b"));
	rmdir(in_folder("a"));
	free(real);
	free(link);
	free(deep);
}

static void test_odd_bytes(void)
{
	struct settings s = { 0 };
	const char *path = in_folder("odd");

	write_file(path, "=x\na=\n\0b=1\nc=3\n", 16);
	ok(!settings_load(&s, path, NULL), "an empty key is no setting");
	is_str(settings_get(&s, "a"), "", "an empty value is one");
	is_str(settings_get(&s, "c"), "3", "what follows a zero byte is read");
	settings_release(&s);
	unlink(path);
}

static void test_commands(void)
{
	int pairs = 0;

	for (int i = 0; i < CMD_COUNT - 1; i++) {
		const struct command_info *c = &command_table[i];

		ok(c->id == (enum command)(i + 1) && command_info(c->id) == c, "command %s",
			c->name);
		for (int k = 0; k < i; k++)
			pairs += !strcmp(command_table[k].name, c->name);
	}
	is_int(pairs, 0, "names are unique");
	ok(!command_info(CMD_NONE) && !command_info(CMD_COUNT), "no row for none");
}

int main(void)
{
	if (!mkdtemp(folder))
		skip_all("no folder for temporary files");
	test_path();
	test_round_trip();
	test_save_places();
	test_odd_bytes();
	test_commands();
	ok(rmdir(folder) == 0, "no temporary file is left");
	return done_testing();
}
