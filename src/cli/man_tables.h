/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the man page and the completions that the program's own tables know. */
#ifndef CLI_MAN_TABLES_H
#define CLI_MAN_TABLES_H

#include "base/strbuf.h"

/* form: "man" (mdoc sections OPTIONS, COMMANDS and KEYS), "bash", "zsh" or "fish". Untranslated. */
void man_tables(struct strbuf *out, const char *form);

#endif
