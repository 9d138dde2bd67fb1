/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for windows without an event loop. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <time.h>

#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"

bool window_wait_open(struct session *ses, struct err *err)
{
	int index;

	if (!devices_choose(ses, false, &index, err))
		return false;
	const struct device *d = &ses->program->devices.entries[index].device;
	if (d->simulated || d->recorded)
		session_virtual_clock(ses, 0);
	return devices_open_best(ses, index, err);
}

bool window_wait_tick(struct session *ses)
{
	int64_t ns = refresh_period_ns(ses);

	if (ses->clock.is_virtual)
		return refresh_virtual_step(ses);
	if (!ses->dev->sources[0]->self_paced)
		nanosleep(&(struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S },
			NULL);
	return refresh_tick(ses);
}

const struct snapshot *window_wait_last(struct session *ses)
{
	uint64_t left = ses->opt->windows;

	if (left == 0)
		left = 1;
	while (left > 0 && !ses->play.ended)
		left -= window_wait_tick(ses);
	return refresh_snapshot(ses);
}
