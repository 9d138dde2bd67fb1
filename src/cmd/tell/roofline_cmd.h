/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command roofline prints roofs and the current point as rows, and draws them with --plot. */
#ifndef CMD_TELL_ROOFLINE_CMD_H
#define CMD_TELL_ROOFLINE_CMD_H

#include "session/session.h"

enum status roofline_cmd(struct session *ses, enum output_form form);

#endif
