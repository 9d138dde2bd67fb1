/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command roofline: roofs and the point of now as rows and as a picture. */
#ifndef CMD_ROOFLINE_CMD_H
#define CMD_ROOFLINE_CMD_H

#include "session/session.h"

enum status roofline_cmd(struct session *ses, enum output_form form);
/* Draws the roofline of the open device into a file. */
bool roofline_plot(const struct roofline *r, const char *title, const char *note, const char *path,
	struct err *err);

#endif
