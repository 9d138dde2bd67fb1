/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses options that a device cannot follow. */
#ifndef SESSION_DEVICES_DEVICE_OPTIONS_H
#define SESSION_DEVICES_DEVICE_OPTIONS_H

#include <stdbool.h>

#include "backends/common/backend.h"
#include "session/session.h"

/* Says whether the device can follow all options that the session has for it. The error names the
 * option, the device and the reason. */
bool device_options_check(
	const struct session *ses, const struct device_entry *e, struct err *err);

#endif
