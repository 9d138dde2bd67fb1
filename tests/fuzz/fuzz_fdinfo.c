/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as the fdinfo file of a DRM client and as /proc/PID/stat: what is read stays within its
 * bounds. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/card/fdinfo_keys.h"
#include "backends/card/process.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_keys(const struct fdinfo_keys *k, bool good)
{
	if (good != (k->driver[0] != '\0') || !memchr(k->driver, '\0', sizeof(k->driver)) ||
		!memchr(k->pdev, '\0', sizeof(k->pdev)))
		abort();
	if (k->n_engines < 0 || k->n_engines > CLIENT_MAX_ENGINES)
		abort();
	for (int i = 0; i < k->n_engines; i++) {
		if (!memchr(k->engines[i].name, '\0', sizeof(k->engines[i].name)) ||
			k->engines[i].capacity == 0)
			abort();
		for (int other = 0; other < i; other++)
			if (!strcmp(k->engines[i].name, k->engines[other].name))
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct process_stat stat;
	struct fdinfo_keys keys;

	check_keys(&keys, fdinfo_parse(text, &keys));
	if (process_parse_stat(text, &stat) && !memchr(stat.name, '\0', sizeof(stat.name)))
		abort();
	free(text);
	return 0;
}
