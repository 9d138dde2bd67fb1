/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before the program: its catalogues are those of a test, whatever folder it was configured
 * with. */
#include "config.h"

#include <dlfcn.h>
#include <libintl.h>
#include <stdlib.h>

__attribute__((visibility("default"))) char *bindtextdomain(const char *domain, const char *folder)
{
	char *(*real)(const char *, const char *) = (char *(*)(const char *, const char *))dlsym(
		RTLD_NEXT, "bindtextdomain");
	const char *ours = getenv("TEST_LOCALEDIR");

	return real ? real(domain, ours && folder ? ours : folder) : NULL;
}
