/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the man page and the completions that come from the program's own tables. */
#ifndef CLI_MAN_TABLES_H
#define CLI_MAN_TABLES_H

#include "base/strbuf.h"

/* Appends the part for a form: "man" (mdoc sections OPTIONS, COMMANDS and KEYS), "bash", "zsh" or
 * "fish". The text is not translated. */
void man_tables(struct strbuf *out, const char *form);

#endif
