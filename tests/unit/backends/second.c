/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with a second source: which pairs agree, over all ratios and times. */
#include "config.h"

#include <math.h>

#include "backends/common/stand_ins.h"
#include "base/clock.h"
#include "tests/tap.h"

/* Averages and sensors of one quantity may differ by a lot, a mistaken unit by a thousand, whichever of the two it is. */
static void test_factor(void)
{
	int wrong = 0, n = 0;

	for (double value = 1e-3; value < 1e9; value *= 7)
		for (double ratio = 1; ratio <= 20; ratio *= 1.1, n++)
			wrong += second_differs(value, value * ratio) || second_differs(value * ratio, value);
	is_int(wrong, 0, "of %d pairs that a mean explains, so many differ", n);
	for (double value = 1e-3; value < 1e9; value *= 7)
		for (int unit = 3; unit <= 9; unit += 3)
			wrong += !second_differs(value, value * pow(10, unit)) || !second_differs(value * pow(10, unit), value);
	is_int(wrong, 0, "another unit differs");
	ok(!second_differs(0, 5) && !second_differs(5, 0) && !second_differs(NAN, 5) && !second_differs(5, NAN),
		"what is 0 or unknown says nothing");
}

/* Users are a part of what the device does: more than they, or a little less, is no contradiction. */
static void test_busy(void)
{
	int wrong = 0;

	for (int device = 0; device <= 100; device++)
		for (int users = 0; users <= 300; users++) {
			struct second_busy s = { 0 };
			bool said = false;

			for (int t = 1; t <= 20; t++)
				said = second_busy_differs(&s, device / 100.0, users / 100.0, t * NS_PER_S);
			wrong += said != (users >= 50 && device * 4 < users);
		}
	is_int(wrong, 0, "shares that lastingly contradict each other, and no others, are said");
	for (int agrees = 0; agrees < 3; agrees++) {
		struct second_busy s = { 0 };
		bool said = false;

		for (int t = 1; t <= 20; t++)
			said |= second_busy_differs(&s, t % 3 == agrees ? 0.9 : 0, 1, t * NS_PER_S);
		wrong += said;
	}
	is_int(wrong, 0, "two means that take turns are not");
	struct second_busy s = { 0 };
	wrong = 0;
	for (int t = 1; t <= 20; t++)
		wrong += second_busy_differs(&s, 0, NAN, t * NS_PER_S);
	is_int(wrong, 0, "users who say nothing are no users");
}

int main(void)
{
	test_factor();
	test_busy();
	return done_testing();
}
