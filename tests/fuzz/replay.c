/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz target over every file of its corpus (-DCORPUS='"tests/fuzz/corpus/x"', below
 * top_srcdir): one TAP line a file. */
#include "config.h"

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
	struct dirent **entries = NULL;
	char path[4096];
	bool all_good = true;
	int count;

	snprintf(path, sizeof(path), "%s/%s", top ? top : ".", CORPUS);
	count = scandir(path, &entries, is_visible, alphasort);
	if (count <= 0) {
		printf("1..1\nnot ok 1 - corpus %s has files\n", path);
		return 1;
	}
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		bool good;

		snprintf(path, sizeof(path), "%s/%s/%s", top ? top : ".", CORPUS,
			entries[i]->d_name);
		fflush(stdout);
		good = run_file(path);
		printf("%s %d - survives %s\n", good ? "ok" : "not ok", i + 1, entries[i]->d_name);
		all_good = all_good && good;
		free(entries[i]);
	}
	free(entries);
	return all_good ? 0 : 1;
}
