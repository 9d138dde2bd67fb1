/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands. */
#include "config.h"

#include "ui/draw/key_commands.h"

#include <stddef.h>

const struct command_info command_table[] = {
#define X(id, name, keys, group, help) { CMD_##id, name, keys, group, help },
	COMMAND_LIST(X)
#undef X
};

const struct command_info *command_info(enum command id)
{
	return id > CMD_NONE && id < CMD_COUNT ? &command_table[id - 1] : NULL;
}
