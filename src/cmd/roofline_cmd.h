/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command roofline: roofs and the point of now as rows, and as a picture where --plot asks for it. */
#ifndef CMD_ROOFLINE_CMD_H
#define CMD_ROOFLINE_CMD_H

#include "session/session.h"

enum status roofline_cmd(struct session *ses, enum output_form form);

#endif
