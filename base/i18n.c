/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the catalogue of the user's language. */
#include "config.h"

#include "base/i18n.h"

#include <langinfo.h>

bool i18n_has_catalogue;

void i18n_open(const char *folder)
{
	bindtextdomain(PACKAGE, folder);
	bind_textdomain_codeset(PACKAGE, nl_langinfo(CODESET));
	textdomain(PACKAGE);
	/* A catalogue answers the empty text with its head. */
	i18n_has_catalogue = *gettext("");
}
