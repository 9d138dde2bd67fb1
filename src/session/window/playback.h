/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays a recording: seeks, stands still, changes the speed, begins again. */
#pragma once

#include "core/work/playback.h"
#include "session/session.h"

/* Gets where a recording plays. Returns false when what is open is no recording that can be played;
 * then out is untouched. */
bool playback_get(const struct session *ses, struct playback *out);
/* Goes to a place, brought into the recording's range. A paused session shows its first window. */
bool playback_seek(struct session *ses, int64_t position_ns, struct err *err);
/* Pauses what is shown or goes on; a paused recording stands still. */
bool playback_pause(struct session *ses, bool paused, struct err *err);
/* Says whether an ended recording begins again. */
void playback_loop(struct session *ses, bool loops);
/* Shows the next window of a paused recording. */
bool playback_step(struct session *ses, struct err *err);
/* Plays faster (step 1) or slower (-1), from a quarter to sixteen times the recorded speed.
 * Returns the speed, 0 when it failed. */
double playback_change_speed(struct session *ses, int step, struct err *err);
/* Has to follow a tick: an ended recording that loops begins again. */
void playback_follow(struct session *ses);
