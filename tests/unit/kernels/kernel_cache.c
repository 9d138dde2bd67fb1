/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of compiled programs: sealed, private, and never worse than none. */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "kernels/worker/cache.h"
#include "tests/tap.h"

static char folder[64];
static char key[HASH_HEX];

static void path_of(char *path, size_t size, const char *suffix)
{
	snprintf(path, size, "%s/cl/%s%s", folder, key, suffix);
}

/* Test vectors of FNV-1a's authors (draft-eastlake-fnv, appendix C), and pieces of any size. */
static void test_hash(void)
{
	ok(hash_add(HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325), "the hash of nothing");
	ok(hash_add(HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c), "of a letter");
	ok(hash_add(HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8), "of a word");
	ok(hash_add(hash_add(HASH_START, "foo", 3), "bar", 3) == UINT64_C(0x85944171f73967e8),
		"of a word in two pieces");
	ok(hash_add_text(hash_add_text(HASH_START, "ab"), "c") !=
			hash_add_text(hash_add_text(HASH_START, "a"), "bc"),
		"texts end somewhere");
}

static void test_entry(const struct cache *c)
{
	struct stat st;
	char path[256];
	size_t size = 0;
	char *got;

	ok(!cache_load(c, key, &size), "an empty cache has nothing");
	ok(cache_save(c, key, "binary\0code", 11, NULL), "an entry is written");
	got = cache_load(c, key, &size);
	ok(got && size == 11 && !memcmp(got, "binary\0code", 11), "and read");
	free(got);
	snprintf(path, sizeof(path), "%s/cl", folder);
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0700,
		"nobody else may look into the folder");
}

/* Whatever byte changes, and wherever the file ends: the entry is gone, not used. */
static void test_damage(const struct cache *c)
{
	char path[256];
	int taken = 0, kept = 0;
	size_t size;

	path_of(path, sizeof(path), ".bin");
	for (off_t at = 0; at < 13 + HASH_HEX + 11; at++) {
		char byte;
		int fd;
		void *got;

		cache_save(c, key, "binary\0code", 11, NULL);
		fd = open(path, O_RDWR);
		if (pread(fd, &byte, 1, at) == 1 && at % 2) {
			byte ^= 4;
			taken += pwrite(fd, &byte, 1, at) != 1;
		} else {
			taken += ftruncate(fd, at) != 0;
		}
		close(fd);
		got = cache_load(c, key, &size);
		taken += got != NULL;
		kept += access(path, F_OK) == 0;
		free(got);
	}
	is_int(taken, 0, "no damaged entry is taken");
	is_int(kept, 0, "and none is kept");
}

static void test_suspicion(const struct cache *c)
{
	size_t size;
	void *got;

	cache_save(c, key, "x", 1, NULL);
	cache_begin(c, key);
	cache_end(c, key);
	got = cache_load(c, key, &size);
	ok(got != NULL, "an entry that was tried and worked is there");
	free(got);
	cache_begin(c, key);
	ok(!cache_load(c, key, &size), "one whose trial had no end is not used");
	ok(!cache_load(c, key, &size), "and is removed");
	cache_save(c, key, "y", 1, NULL);
	got = cache_load(c, key, &size);
	ok(got != NULL, "a new one in its place is");
	free(got);
}

/* Another process puts links in the place of files all the time; nothing behind them is touched. */
static void test_links(const struct cache *c)
{
	static const char *const suffixes[] = { ".trying", ".bin" };
	char victim[256], path[256];
	struct stat before, after;
	int links = 0, fds[2];
	size_t size;

	snprintf(victim, sizeof(victim), "%s/victim", folder);
	int fd = open(victim, O_WRONLY | O_CREAT | O_EXCL, 0600);
	ok(fd >= 0 && write(fd, "precious", 8) == 8 && fstat(fd, &before) == 0 && pipe(fds) == 0, "somebody's file");
	close(fd);
	pid_t pid = fork();
	for (int i = 0; pid == 0 && i >= 0; i++) {
		path_of(path, sizeof(path), suffixes[i / 2 % 2]);
		unlink(path);
		links += symlink(victim, path) == 0;
		if (links == 1 && write(fds[1], "x", 1) != 1)
			_exit(1);
	}
	char begun;
	ok(read(fds[0], &begun, 1) == 1, "  ... to which links lead");
	for (int i = 0; i < 2000; i++) {
		cache_begin(c, key);
		cache_save(c, key, "binary", 6, NULL);
		free(cache_load(c, key, &size));
		cache_end(c, key);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fds[0]);
	close(fds[1]);
	ok(stat(victim, &after) == 0 && after.st_size == 8 && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec &&
			after.st_mtim.tv_sec == before.st_mtim.tv_sec, "  ... is as it was");
	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		path_of(path, sizeof(path), suffixes[i]);
		unlink(path);
	}
}

static bool has_entry(char letter)
{
	char path[256];

	memset(key, letter, sizeof(key) - 1);
	path_of(path, sizeof(path), ".bin");
	return access(path, F_OK) == 0;
}

/* Seconds since 1970 at which an entry was used last. */
static void used_at(char letter, time_t when)
{
	const struct timespec times[2] = { { when, 0 }, { when, 0 } };
	char path[256];

	memset(key, letter, sizeof(key) - 1);
	path_of(path, sizeof(path), ".bin");
	ok(utimensat(AT_FDCWD, path, times, 0) == 0, "entry %c is of second %d", letter, (int)when);
}

static void save_entry(const struct cache *c, char letter, size_t bytes)
{
	char *data = xcalloc(1, bytes);

	memset(key, letter, sizeof(key) - 1);
	ok(cache_save(c, key, data, bytes, NULL), "entry %c of %zu bytes", letter, bytes);
	free(data);
}

/* Sizes with the line in front of the data: 78 bytes each. */
static void test_room(struct cache *c)
{
	char foreign[256];
	size_t size;
	int fd;

	snprintf(foreign, sizeof(foreign), "%s/cl/notes", folder);
	fd = open(foreign, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ok(ftruncate(fd, 100000) == 0, "somebody else's file");
	close(fd);
	is_int((long long)(c->max_bytes >> 20), 256, "MiB are kept at most");
	c->max_bytes = 3 * 1078;
	save_entry(c, 'a', 1000);
	save_entry(c, 'b', 1000);
	save_entry(c, 'c', 1000);
	ok(has_entry('a') && has_entry('b') && has_entry('c'), "what just fits stays");
	used_at('a', 100);
	used_at('b', 200);
	used_at('c', 300);
	memset(key, 'a', sizeof(key) - 1);
	free(cache_load(c, key, &size));
	save_entry(c, 'd', 1000);
	ok(has_entry('a') && !has_entry('b') && has_entry('c') && has_entry('d'),
		"the one goes that was not used for the longest time");
	used_at('a', 100);
	used_at('c', 200);
	used_at('d', 300);
	save_entry(c, 'e', 2000);
	ok(!has_entry('a') && !has_entry('c') && has_entry('d') && has_entry('e'),
		"as many go as there must");
	save_entry(c, 'f', 5000);
	ok(!has_entry('d') && !has_entry('e') && has_entry('f'),
		"the newest stays however large it is");
	ok(access(foreign, F_OK) == 0, "and what is none of ours");
}

static void test_folders(void)
{
	struct cache c = { 0 };
	struct err err = { 0 };
	char path[128];
	size_t size;

	ok(cache_open(&c, "", &err) && !c.folder[0], "no folder is no error");
	ok(cache_save(&c, key, "x", 1, &err) && !cache_load(&c, key, &size), "and keeps nothing");
	snprintf(path, sizeof(path), "%s/open/cl", folder);
	*strrchr(path, '/') = '\0';
	mkdir(path, 0777);
	strcat(path, "/cl");
	mkdir(path, 0777);
	chmod(path, 0777);
	*strrchr(path, '/') = '\0';
	ok(!cache_open(&c, path, &err) && err.msg[0] && !c.folder[0],
		"a folder that others can write to is not used");
	ok(cache_open(&c, "/proc/nowhere", &err) && !cache_save(&c, key, "x", 1, &err) &&
			err.msg[0],
		"one that cannot be made is a reason, not a crash");
}

int main(void)
{
	struct cache c = { 0 };
	char command[128];

	snprintf(folder, sizeof(folder), "/tmp/rooftop-cache.XXXXXX");
	memset(key, 'a', sizeof(key) - 1);
	if (!mkdtemp(folder))
		skip_all("no folder for temporary files");
	test_hash();
	ok(cache_open(&c, folder, NULL), "a cache in a new folder");
	test_entry(&c);
	test_damage(&c);
	test_suspicion(&c);
	test_links(&c);
	test_room(&c);
	test_folders();
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command) || done_testing();
}
