/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings of past values: order, wrapping, holes, extremes. */
#include "config.h"

#include "core/value/history.h"

#include "core/snapshot/snapshot.h"
#include "tests/tap.h"

static void push(struct history *h, double a, double b)
{
	struct value row[2] = { isnan(a) ? value_none(WHY_LOST) : value_ok(a),
		isnan(b) ? value_none(WHY_LOST) : value_ok(b) };

	history_push(h, row);
}

static void test_ring(void)
{
	struct history h;

	history_init(&h, 2, 3);
	is_int(history_len(&h), 0, "empty at first");
	ok(isnan(history_get(&h, 0, 0)) && isnan(h.min[0]) && isnan(h.max[1]),
		"without values and extremes");
	push(&h, 1, 10);
	push(&h, NAN, 30);
	is_int(history_len(&h), 2, "two rows");
	is_near(history_get(&h, 1, 0), 30, 0, "age 0 is the newest");
	is_near(history_get(&h, 1, 1), 10, 0, "age 1 the one before");
	is_near(history_get(&h, 0, 0), NAN, 0, "a hole is no number");
	is_near(history_get(&h, 0, 2), NAN, 0, "nor is what was never there");
	push(&h, 5, 20);
	push(&h, -2, 25);
	push(&h, 4, 25);
	is_int(history_len(&h), 3, "the capacity limits");
	is_near(history_get(&h, 0, 2), 5, 0, "the oldest that is left");
	is_near(history_get(&h, 0, 3), NAN, 0, "older ones are gone");
	is_near(h.min[0], -2, 0, "minimum over everything");
	is_near(h.max[0], 5, 0, "maximum");
	is_near(h.max[1], 30, 0, "also of what left the ring");
	history_reset_extremes(&h);
	ok(isnan(h.min[0]) && history_len(&h) == 3, "reset forgets extremes and keeps rows");
	push(&h, 7, NAN);
	is_near(h.min[0], 7, 0, "a new minimum");
	is_near(h.min[1], NAN, 0, "none where there was no number");
	for (int i = -1; i < 4; i += 4)
		ok(isnan(history_get(&h, i, 0)) && isnan(history_get(&h, 0, i == 3 ? 99 : -1)),
			"out of range is no number");
	history_release(&h);
	history_release(&h);
	is_int(history_len(&h), 0, "a released one is empty");
}

/* Columns that nobody shows cost nothing, and read as if they had no numbers. */
static void test_some(void)
{
	const bool kept[] = { false, true, false, true };
	const struct value row[] = { value_ok(1), value_ok(2), value_ok(3), value_ok(4) };
	struct history h;

	history_init_some(&h, 4, kept, 2);
	for (int i = 0; i < 3; i++)
		history_push(&h, row);
	is_int(h.width, 2, "two of four columns are kept");
	ok(history_get(&h, 1, 0) == 2 && history_get(&h, 3, 1) == 4, "under their own numbers");
	ok(isnan(history_get(&h, 0, 0)) && isnan(history_get(&h, 2, 1)) && isnan(h.min[2]),
		"the others have no numbers");
	ok(h.min[1] == 2 && h.max[3] == 4, "extremes too");
	history_clear_column(&h, 1);
	history_clear_column(&h, 2);
	ok(isnan(history_get(&h, 1, 0)) && history_get(&h, 3, 0) == 4, "one is forgotten alone");
	history_release(&h);
}

/* The past has times: a row is found by how long ago its window ended, whatever lies between it and the
 * newest: pauses, windows of other lengths, rows that the ring has dropped. */
static void test_times(void)
{
	const int64_t periods_ns[] = { 100, 1000, 7000 };
	const struct value v = value_ok(1);
	struct history h;
	int64_t t_ns = 1000000;
	int found = 0, tried = 0, before = 0;

	history_init(&h, 1, 50);
	is_int(history_time(&h, 0), 0, "no row, no time");
	history_push(&h, &v);
	history_push(&h, &v);
	ok(history_ago_ns(&h, 1, 1000) == 1000 && history_age_of(&h, 1000, 1000) == 1,
		"rows without times are windows apart");
	for (unsigned i = 0; i < 200; i++) {
		t_ns += periods_ns[i * 7919 / 13 % 3] + (i % 17 == 0 ? 600000 : 0);
		history_push(&h, &v);
		history_stamp(&h, t_ns);
		for (int age = 0; age < history_len(&h) && i > 60; age++) {
			double ago_ns = history_ago_ns(&h, age, 1000);

			tried++;
			found += lround(history_age_of(&h, ago_ns, 1000)) == age;
			found -= lround(history_age_of(&h, ago_ns + 40, 1000)) != age;
		}
	}
	is_int(found, tried, "each row is found by its time, and by one near to it");
	history_open_row(&h);
	for (int age = 0; age + 1 < history_len(&h); age++)
		before += history_ago_ns(&h, age, 1000) > history_ago_ns(&h, age + 1, 1000);
	is_int(before, 0, "older rows are longer ago, also behind a row without a time");
	double end_ns = history_ago_ns(&h, 49, 1000);
	ok(history_age_of(&h, end_ns + 10000, 1000) == 59, "before the first row windows count");
	history_release(&h);
}

static void test_empty(void)
{
	struct history h, none;

	history_init(&h, 0, 5);
	history_push(&h, NULL);
	is_int(history_len(&h), 1, "rows without columns count");
	history_release(&h);
	history_init(&none, 1, 0);
	push(&none, 1, 1);
	is_int(history_len(&none), 0, "no capacity, no rows");
	history_release(&none);
}

static void test_snapshot(void)
{
	struct metric_set set = { .n_metrics = 2, .n_inputs = 1 };
	struct snapshot s;

	snapshot_init(&s, NULL, &set);
	ok(s.values[1].why == WHY_NOT_YET && isnan(s.values[1].v) &&
			s.ceilings[0].why == WHY_NOT_YET,
		"a new snapshot has no values yet");
	ok(s.inputs[0].why == WHY_NOT_YET && s.verdict.kind == VERDICT_MEASURING &&
			s.verdict.metric == -1,
		"nor inputs, nor a verdict");
	snapshot_release(&s);
	ok(!s.values, "released");
}

int main(void)
{
	test_ring();
	test_some();
	test_times();
	test_empty();
	test_snapshot();
	return done_testing();
}
