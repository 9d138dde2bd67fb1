/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paced DEVICE BEFORE_MS [AFTER_MS]: opens a device for windows of one length, changes it, and prints the pace of each source that is
 * woken by a timer of its own. What streams of drivers are asked for is in the fake kernel's log. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>

#include "base/clock.h"
#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	struct device_options want = { .name = argv[1] };
	const struct options o = { .delay_ns = atoi(argv[2]) * NS_PER_MS, .devices = &want, .n_devices = 1 };
	struct err err = { 0 };
	struct program p;
	int index;

	program_init(&p, &o, false);
	struct session *ses = p.sessions[0];
	bool good = devices_probe(&p, &err) && devices_choose(ses, false, &index, &err) && devices_open(ses, index, NULL, &err);
	if (!good)
		fprintf(stderr, "%s\n", err.msg);
	if (good && argc > 3)
		refresh_set_length(ses, atoi(argv[3]) * NS_PER_MS);
	for (int i = 0; good && i < ses->dev->n_sources; i++) {
		const struct source *s = ses->dev->sources[i];
		struct itimerspec t;

		if (s->fd >= 0 && timerfd_gettime(s->fd, &t) == 0)
			printf("%s wakes every %lld ns\n", s->feed.name,
				(long long)t.it_interval.tv_sec * NS_PER_S + t.it_interval.tv_nsec);
		else
			printf("%s is %s\n", s->feed.name, s->fd >= 0 ? "woken by its driver" : "asked");
	}
	program_release(&p);
	return !good;
}
