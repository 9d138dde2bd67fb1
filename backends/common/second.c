/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mistaken unit is off by a thousand; what differs by less is two ways to average. */
#include "config.h"

#include "backends/common/stand_ins.h"

#include "base/clock.h"

#define UNIT_FACTOR 30
#define USERS_LEAST 0.5		/* below, whoever works now and then is seen by one of the two only */
#define BUSY_FACTOR 4
#define BUSY_PATIENCE_NS (3 * NS_PER_S)

bool second_differs(double a, double b)
{
	return a > 0 && b > 0 && (a > UNIT_FACTOR * b || b > UNIT_FACTOR * a);
}

bool second_busy_differs(struct second_busy *s, double device, double users, int64_t now_ns)
{
	if (!(users >= USERS_LEAST && device * BUSY_FACTOR < users) || !s->agreed_ns)
		s->agreed_ns = now_ns;
	return now_ns - s->agreed_ns >= BUSY_PATIENCE_NS;
}
