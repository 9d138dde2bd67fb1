/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rooftop explain limit says what limits a device, and how the program knows. */
#ifndef CMD_TELL_EXPLAIN_LIMIT_H
#define CMD_TELL_EXPLAIN_LIMIT_H

#include "session/session.h"

enum status explain_limit_cmd(struct session *ses, enum output_form form);

#endif
