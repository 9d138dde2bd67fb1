/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading files, links and folders below a prefix, and every way in which they can be wrong. */
#include "config.h"

#include "base/fsroot.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/place.h"
#include "base/strbuf.h"
#include "tests/tap.h"

static void put(const struct fsroot *fs, const char *path, const char *text, size_t len)
{
	char full[512];
	FILE *f;

	if (!fsroot_path(fs, full, sizeof(full), "%s", path) || !(f = fopen(full, "we")) ||
		fwrite(text, 1, len, f) != len || fclose(f)) {
		printf("Bail out! cannot write %s\n", path);
		exit(1);
	}
}

static void put_text(const struct fsroot *fs, const char *path, const char *text)
{
	put(fs, path, text, strlen(text));
}

static void folder(const struct fsroot *fs, const char *path)
{
	char full[512];

	if (!fsroot_path(fs, full, sizeof(full), "%s", path) || mkdir(full, 0755) < 0) {
		printf("Bail out! cannot make %s\n", path);
		exit(1);
	}
}

static void test_paths(const struct fsroot *fs)
{
	struct fsroot real = { .prefix = "" };
	char buf[32], tiny[4];

	ok(fsroot_path(&real, buf, sizeof(buf), "/sys/%s/%d", "a", 1), "a path of the real tree");
	is_str(buf, "/sys/a/1", "has no prefix");
	ok(fsroot_path(NULL, buf, sizeof(buf), "/x"), "no root is the real tree");
	ok(!fsroot_path(&real, tiny, sizeof(tiny), "/sys"), "a path that does not fit");
	ok(!fsroot_path(fs, tiny, sizeof(tiny), "/"), "a prefix that does not fit");
	ok(fsroot_path(&real, tiny, sizeof(tiny), "/ab"), "a path that just fits");
}

static void test_lines(const struct fsroot *fs)
{
	static const struct {
		const char *text, *want;	/* want NULL: refused */
	} rows[] = {
		{ "one\n", "one" }, { "one", "one" }, { "", "" }, { "\n", "" }, { "a\nb\n", "a" }, { "a b \n", "a b " },
		{ "1234567890abcde\n", "1234567890abcde" }, { "1234567890abcde", "1234567890abcde" }, { "1234567890abcdef", NULL },
		{ "1234567890abcdefg\n", NULL },
	};
	struct err e = { 0 };
	char buf[16];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool good;

		put_text(fs, "/line", rows[i].text);
		good = fsroot_read_line(fs, "/line", buf, sizeof(buf), &e);
		is_int(good, rows[i].want != NULL, "line row %zu is judged", i);
		is_str(good ? buf : NULL, rows[i].want, "line row %zu has its text", i);
	}
	is_int(e.code, ERR_PARSE, "a line that is too long does not follow its format");
	ok(!fsroot_read_line(fs, "/none", buf, sizeof(buf), &e), "a file that is not there");
	ok(strstr(e.msg, "/none'"), "is named: %s", e.msg);
	ok(!fsroot_read_line(fs, "/", buf, sizeof(buf), &e), "a folder is not read as a file: %s",
		e.msg);
	ok(!fsroot_read_line(fs, "/none", buf, sizeof(buf), NULL), "nobody has to want the error");
}

static void test_numbers(const struct fsroot *fs)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t want;
	} rows[] = {
		{ "42\n", true, 42 }, { "0x5916\n", true, 0x5916 }, { " 7 \n", true, 7 }, { "18446744073709551615", true, UINT64_MAX },
		{ "", false, 0 }, { "\n", false, 0 }, { "-1\n", false, 0 }, { "1 2\n", false, 0 }, { "12x\n", false, 0 },
		{ "1000000000000000000000000000000000000000000000000000000000000000000000000000\n", false, 0 },
	};
	struct err e = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t v = 77;

		put_text(fs, "/number", rows[i].text);
		is_int(fsroot_read_u64(fs, "/number", &v, &e), rows[i].good,
			"number row %zu is judged", i);
		is_int(v, rows[i].good ? rows[i].want : 77, "number row %zu has its value", i);
	}
	ok(!fsroot_read_u64(fs, "/none", &(uint64_t){ 0 }, NULL), "a number that is not there");
}

static void test_links(const struct fsroot *fs)
{
	char full[512], name[16] = "untouched", tiny[4];

	fsroot_path(fs, full, sizeof(full), "/link");
	ok(symlink("../../drivers/i915", full) == 0, "a link is made");
	ok(fsroot_link_name(fs, "/link", name, sizeof(name)), "its target has a name");
	is_str(name, "i915", "which is the last part");
	ok(!fsroot_link_name(fs, "/link", tiny, sizeof(tiny)), "a name that does not fit");
	ok(!fsroot_link_name(fs, "/line", name, sizeof(name)), "a file is no link");
	ok(!fsroot_link_name(fs, "/none", name, sizeof(name)), "nothing is no link");
	ok(fsroot_exists(fs, "/line") && !fsroot_exists(fs, "/none"),
		"what is there exists, what is not does not");
}

struct seen {
	struct strbuf names;
	int left;
};

static bool note(void *ctx, const char *name)
{
	struct seen *seen = ctx;

	strbuf_addf(&seen->names, "%s ", name);
	return --seen->left > 0;
}

static void test_folders(const struct fsroot *fs)
{
	static const char *const names[] = { "card1", "card0", "card10", "renderD128", "B", "a",
		".hidden" };
	struct seen seen = { .left = 100 };
	struct err e = { 0 };

	folder(fs, "/dir");
	ok(fsroot_each(fs, "/dir", note, &seen, &e), "an empty folder is listed");
	is_str(strbuf_str(&seen.names), "", "and has nothing");
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char path[64];

		snprintf(path, sizeof(path), "/dir/%s", names[i]);
		put_text(fs, path, "");
	}
	ok(fsroot_each(fs, "/dir", note, &seen, &e), "a folder is listed");
	is_str(strbuf_str(&seen.names), ".hidden B a card0 card1 card10 renderD128 ",
		"in byte order");
	strbuf_clear(&seen.names);
	seen.left = 2;
	ok(fsroot_each(fs, "/dir", note, &seen, &e), "the caller may stop");
	is_str(strbuf_str(&seen.names), ".hidden B ", "after two names");
	ok(!fsroot_each(fs, "/none", note, &seen, &e), "no folder");
	ok(strstr(e.msg, "/none'"), "is named: %s", e.msg);
	ok(!fsroot_each(fs, "/line", note, &seen, &e), "a file is no folder");
	strbuf_release(&seen.names);
}

/* What a writer puts into the pipe, in a process of its own. */
static pid_t write_pipe(const char *path, const char *text)
{
	pid_t writer = fork();

	if (writer == 0) {
		int fd = open(path, O_WRONLY);

		_exit(fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text));
	}
	return writer;
}

static void test_pipe(const char *path)
{
	static const char *const rows[] = { "", "what it has told" };
	struct err e = { 0 };
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		pid_t writer = write_pipe(path, rows[i]);
		char *first = file_read_all(path, 1000, &len, &e), *again = NULL;

		waitpid(writer, NULL, 0);
		if (i == 0) {
			ok(!first && e.code == ERR_PARSE, "a pipe without a byte: %s", e.msg);
			continue;
		}
		again = file_read_all(path, 1000, &len, &e);
		ok(first && again && !strcmp(first, rows[i]) && !strcmp(again, rows[i]),
			"a pipe is read to its end, and as often as a file (%s)", e.msg);
		free(first);
		free(again);
	}
}

static void test_whole_files(const struct fsroot *fs)
{
	static char big[70000];
	struct err e = { 0 };
	char full[512];
	size_t len = 0;
	char *data;

	memset(big, 'x', sizeof(big));
	big[100] = '\0';
	put(fs, "/big", big, sizeof(big));
	fsroot_path(fs, full, sizeof(full), "/big");
	data = file_read_all(full, sizeof(big), &len, &e);
	ok(data && len == sizeof(big) && !memcmp(data, big, len) && !data[len],
		"a file of just the limit, with a NUL behind it");
	free(data);
	ok(!file_read_all(full, sizeof(big) - 1, &len, &e), "one byte too many");
	is_int(e.code, ERR_PARSE, "is refused: %s", e.msg);
	data = file_read_all(full, SIZE_MAX, NULL, &e);
	ok(data, "no limit, and nobody asks for the length");
	free(data);
	put_text(fs, "/empty", "");
	fsroot_path(fs, full, sizeof(full), "/empty");
	data = file_read_all(full, 0, &len, &e);
	ok(data && !len && !data[0], "an empty file");
	free(data);
	ok(!file_read_all("/dev/zero", 1000, &len, &e), "a device is refused: %s", e.msg);
	data = file_read_all("/dev/null", 1000, &len, &e);
	ok(data && !len, "but for the one that is always empty");
	free(data);
	fsroot_path(fs, full, sizeof(full), "/dir");
	ok(!file_read_all(full, 1000, &len, &e), "a folder: %s", e.msg);
	fsroot_path(fs, full, sizeof(full), "/fifo");
	ok(mkfifo(full, 0600) == 0, "a pipe is made");
	test_pipe(full);
}

static void test_refusal(const struct fsroot *fs)
{
	struct err e = { 0 };
	char full[512], buf[16];

	if (geteuid() == 0) {
		skip(2, "root may read everything");
		return;
	}
	put_text(fs, "/secret", "x");
	fsroot_path(fs, full, sizeof(full), "/secret");
	chmod(full, 0);
	ok(!fsroot_read_line(fs, "/secret", buf, sizeof(buf), &e), "a file that we may not read");
	is_int(e.code, ERR_PERMISSION, "is a refusal: %s", e.msg);
}

static bool has_text(const char *path, const char *want)
{
	char *text = file_read_all(path, 1000, NULL, NULL);
	bool same = text && !strcmp(text, want);

	free(text);
	return same;
}

/* Of a writer that was killed, and of one that is at work. */
static void test_leftovers(const struct fsroot *fs, const char *kept)
{
	static const char *const names[] = { "/nowhere/file.rooftop-aB3xyZ", "/nowhere/file.rooftop-aB3xyY",
		"/nowhere/file.backup", "/nowhere/file.rooftop-2025.rooftop-backup", "/nowhere/file.old.rooftop-saved1",
		"/nowhere/file.tmp-mycopy" };
	const struct timespec old[2] = { { 100, 0 }, { 100, 0 } };
	char full[512];
	struct stat st;
	int fd = -1;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		put_text(fs, names[i], "x");
		fsroot_path(fs, full, sizeof(full), "%s", names[i]);
		ok(utimensat(AT_FDCWD, full, old, 0) == 0, "%s is old", names[i]);
		if (i == 1)
			fd = open(full, O_RDONLY | O_CLOEXEC);
	}
	ok(flock(fd, LOCK_EX | LOCK_NB) == 0, "one has a writer");
	file_drop_leftovers(kept);
	ok(!fsroot_exists(fs, names[0]), "what a killed writer has left goes away");
	ok(fsroot_exists(fs, names[1]) && fsroot_exists(fs, names[2]),
		"what has a writer stays, and what is named otherwise");
	ok(fsroot_exists(fs, names[3]) && fsroot_exists(fs, names[4]) && fsroot_exists(fs, names[5]),
		"nor does a copy of somebody go");
	ok(chmod(kept, 0600) == 0 && file_replace(kept, "y", 1, NULL) && stat(kept, &st) == 0 &&
			(st.st_mode & 0777) == 0600,
		"what nobody else may read stays so");
	close(fd);
	put_text(fs, names[1], "x");
	file_drop_leftovers(kept);
	ok(fsroot_exists(fs, names[1]), "a young one may not be locked yet, and stays");
}

static void test_replaced(const struct fsroot *fs)
{
	struct err e = { 0 };
	char full[512], buf[16] = "";
	struct stat st;
	int fd;

	fsroot_path(fs, full, sizeof(full), "/replaced");
	ok(file_replace(full, "one", 3, &e) && has_text(full, "one"), "a new file (%s)", e.msg);
	ok(file_replace(full, "two", 3, &e) && has_text(full, "two"), "gets other content (%s)",
		e.msg);
	fsroot_path(fs, full, sizeof(full), "/nowhere/file");
	ok(!file_replace(full, "x", 1, &e) && e.sys == ENOENT, "no folder is made: %s", e.msg);
	ok(strstr(e.hint, "mkdir -p") && strstr(e.hint, "/nowhere'"),
		"the way out names the folder: %s", e.hint);
	ok(file_keep(full, "kept", 4, &e) && has_text(full, "kept"),
		"unless the program keeps the file by itself (%s)", e.msg);
	test_leftovers(fs, full);
	/* The name beside it is longer than a name may be. */
	fsroot_path(fs, full, sizeof(full), "/%0250d", 0);
	ok(!file_replace(full, "x", 1, &e) && e.sys == ENAMETOOLONG, "why it is not made is said: %s",
		e.msg);
	fsroot_path(fs, full, sizeof(full), "/nowhere");
	ok(!file_replace(full, "x", 1, &e) && e.sys == EISDIR && strstr(e.hint, "name a file in it"),
		"a folder is no file: %s", e.msg);
	fsroot_path(fs, full, sizeof(full), "/fifo");
	fd = open(full, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	ok(fd >= 0 && file_replace(full, "text", 4, &e), "a pipe gets the text (%s)", e.msg);
	ok(read(fd, buf, sizeof(buf)) == 4 && !memcmp(buf, "text", 4), "all of it");
	ok(lstat(full, &st) == 0 && S_ISFIFO(st.st_mode), "and is not replaced by a file");
	close(fd);
}

/* More than a pipe holds: the writer waits for its reader. */
static void test_full_pipe(const struct fsroot *fs)
{
	const size_t len = 1 << 20;
	char full[512], *text = calloc(1, len);
	size_t left = len;
	struct err e = { 0 };
	int status = -1, fd;
	pid_t reader;

	fsroot_path(fs, full, sizeof(full), "/fifo");
	fd = open(full, O_RDWR | O_CLOEXEC);
	reader = fork();
	if (reader == 0) {
		alarm(300);
		for (ssize_t n = 1; left > 0 && n > 0; left -= (size_t)n)
			n = read(fd, text, left < 4096 ? left : 4096);
		_exit(left > 0);
	}
	ok(reader > 0 && file_replace(full, text, len, &e), "a slow reader is waited for (%s)",
		e.msg);
	if (e.code)
		kill(reader, SIGKILL);
	ok(waitpid(reader, &status, 0) == reader && status == 0, "and gets everything");
	close(fd);
	free(text);
}

static bool is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Links to what is not there yet: the first one is relative to its own folder, the second one leads
 * to the first. */
static void test_replaced_links(const struct fsroot *fs)
{
	char first[512], second[512], target[512], folder[512];
	struct err e = { 0 };

	fsroot_path(fs, folder, sizeof(folder), "/late");
	fsroot_path(fs, target, sizeof(target), "/late/target");
	fsroot_path(fs, first, sizeof(first), "/first");
	fsroot_path(fs, second, sizeof(second), "/second");
	ok(symlink("late/target", first) == 0 && symlink(first, second) == 0,
		"links to a file that is not there");
	ok(!file_has_place(second, &e) && e.sys == ENOENT && strstr(e.hint, folder),
		"nor is its folder: %s", e.hint);
	ok(!file_replace(second, "x", 1, &e) && e.sys == ENOENT && is_link(second),
		"nothing is written then: %s", e.msg);
	ok(mkdir(folder, 0700) == 0 && file_has_place(second, &e),
		"with the folder there is a place");
	ok(file_replace(second, "text", 4, &e) && has_text(target, "text"),
		"the file is made where the links lead to (%s)", e.msg);
	ok(is_link(first) && is_link(second), "and they stay links");
	unlink(first);
	ok(symlink(second, first) == 0 && !file_has_place(first, &e) && e.sys == ELOOP,
		"links in circles have no place: %s", e.msg);
	ok(!file_replace(first, "x", 1, &e) && e.sys == ELOOP && is_link(first),
		"and are not replaced: %s", e.msg);
}

/* Rights alone do not say so: root has all of them. */
static void test_no_place(void)
{
	static const char *const names[] = { "/proc/rooftop.svg", "/dev/full" };
	struct err e = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		ok(!file_has_place(names[i], &e) && *e.hint, "no place: %s", e.msg);
	ok(file_has_place("/dev/null", &e), "a device that takes bytes is one");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

#define WRITERS 4
#define ROUNDS 100

/* Programs that begin at the same time make the same folders. */
static void test_made_together(const struct fsroot *fs)
{
	pid_t writers[WRITERS];
	int failed = 0, status;

	fflush(stdout);
	for (int k = 0; k < WRITERS; k++) {
		writers[k] = fork();
		for (int i = 0; i < ROUNDS && writers[k] == 0; i++) {
			char path[512];
			struct err e = { 0 };

			fsroot_path(fs, path, sizeof(path), "/together%d/a/b/c/d/e/f/g/h/%d", i, k);
			if (!file_keep(path, "x", 1, &e))
				_exit(1);
		}
		if (writers[k] == 0)
			_exit(0);
	}
	for (int k = 0; k < WRITERS; k++)
		failed += waitpid(writers[k], &status, 0) < 0 || status != 0;
	is_int(failed, 0, "each of several programs that make the same folders at a time finds them");
}

/* What is open already gets the text behind what it has, and stays. */
static void test_open_already(const struct fsroot *fs)
{
	char path[512], name[40];
	struct err e = { 0 };

	put_text(fs, "/already", "one ");
	fsroot_path(fs, path, sizeof(path), "/already");
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (access(name, F_OK) < 0) {
		skip(2, "no /proc");
	} else {
		ok(file_has_place(name, &e), "a descriptor of a file has place: %s", e.msg);
		ok(file_replace(name, "two", 3, &e) && has_text(path, "one two"),
			"  ... and gets a text: %s", e.msg);
	}
	close(fd);
}

static void test_no_descriptor(void)
{
	struct rlimit before, none;
	struct place p;

	getrlimit(RLIMIT_NOFILE, &before);
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	bool is_found = place_find(&p, "name", 0);
	int error = errno;
	setrlimit(RLIMIT_NOFILE, &before);
	ok(!is_found && error == EMFILE, "without a descriptor no place is found: %s", strerror(error));
	place_leave(&p);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	struct fsroot fs = { 0 };

	snprintf(fs.prefix, sizeof(fs.prefix), "%s/rooftop-fsroot-XXXXXX",
		tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(fs.prefix))
		skip_all("no folder for temporary files");
	test_paths(&fs);
	test_lines(&fs);
	test_numbers(&fs);
	test_links(&fs);
	test_folders(&fs);
	test_whole_files(&fs);
	test_replaced(&fs);
	test_full_pipe(&fs);
	test_no_place();
	test_replaced_links(&fs);
	test_made_together(&fs);
	test_open_already(&fs);
	test_no_descriptor();
	test_refusal(&fs);
	nftw(fs.prefix, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return done_testing();
}
