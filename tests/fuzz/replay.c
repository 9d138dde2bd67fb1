/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz target over every file of its corpus, one TAP line a file. The corpus of X.t is the
 * folder tests/fuzz/corpus/X of the sources. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A heap block of exactly the file's size, so that the address sanitizer sees the first byte read
 * beyond it. */
static bool run_file(const char *path)
{
	bool good = false;
	uint8_t *data = NULL;
	struct stat st;
	size_t size;
	FILE *f = fopen(path, "rbe");

	if (!f || fstat(fileno(f), &st) < 0)
		goto out;
	size = (size_t)st.st_size;
	data = malloc(size);
	if ((!data && size > 0) || fread(data, 1, size, f) != size)
		goto out;
	LLVMFuzzerTestOneInput(data, size);
	good = true;
out:
	free(data);
	if (f)
		fclose(f);
	return good;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(void)
{
	const char *top = getenv("top_srcdir");
	const char *name = program_invocation_short_name;
	struct dirent **entries = NULL;
	char folder[2048], path[4096];
	bool all_good = true;
	int count;

	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%.*s", top ? top : ".",
		(int)strcspn(name, "."), name);
	count = scandir(folder, &entries, is_visible, alphasort);
	if (count <= 0) {
		printf("1..1\nnot ok 1 - corpus %s has files\n", folder);
		return 1;
	}
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		bool good;

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		fflush(stdout);
		good = run_file(path);
		printf("%s %d - survives %s\n", good ? "ok" : "not ok", i + 1, entries[i]->d_name);
		all_good = all_good && good;
		free(entries[i]);
	}
	free(entries);
	return all_good ? 0 : 1;
}
