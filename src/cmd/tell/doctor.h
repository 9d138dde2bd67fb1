/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rooftop doctor says what can be read on this machine, what stops the rest, and whether the
 * program itself works. */
#ifndef CMD_TELL_DOCTOR_H
#define CMD_TELL_DOCTOR_H

#include "session/session.h"
#include "base/strbuf.h"

/* Writes a report as text, or as TAP with --tap. It changes no setting. */
enum status doctor(struct session *ses, struct strbuf *out);

#endif
