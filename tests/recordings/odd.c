/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the odd recordings as files into a folder: seeds for fuzzing, and something to try the
 * program on. */
#include "config.h"

#include <ctype.h>

#include "tests/recordings/odd.h"

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: odd FOLDER\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(odd_files) / sizeof(odd_files[0]); i++) {
		struct bytes b = { 0 };
		char name[64], path[512];
		FILE *f;

		snprintf(name, sizeof(name), "%s", odd_files[i].name);
		for (char *p = name; *p; p++)
			*p = isalnum((unsigned char)*p) ? *p : '-';
		snprintf(path, sizeof(path), "%s/%s", argv[1], name);
		odd_files[i].make(&b);
		f = fopen(path, "we");
		if (!f || (b.len && fwrite(b.p, 1, b.len, f) != b.len) || fclose(f)) {
			perror(path);
			return 1;
		}
		free(b.p);
	}
	return 0;
}
