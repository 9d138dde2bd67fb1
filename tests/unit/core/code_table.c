/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of instruction addresses: against an array that has room for all. What is added and what is
 * listed are the same, and the fullest come first. */
#include "config.h"

#include "core/value/code_table.h"

#include "base/mem.h"
#include "tests/tap.h"

#define N 3
#define ADDRESSES 20000

static uint64_t truth[ADDRESSES][N], total[N];
static struct code_table table;
static uint64_t state;

static uint64_t chance(uint64_t most)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % most;
}

static uint64_t sum_of(int address)
{
	return truth[address][0] + truth[address][1] + truth[address][2];
}

/* Adds times of samples at a number of addresses, the first of which are the fullest. */
static void fill(int addresses, int times)
{
	memset(truth, 0, sizeof(truth));
	memset(total, 0, sizeof(total));
	for (int i = 0; i < times; i++) {
		int at = (int)chance(1 + chance((uint64_t)addresses));
		uint64_t counts[N] = { chance(4), chance(2), chance(200) == 0 };

		for (int k = 0; k < N; k++) {
			truth[at][k] += counts[k];
			total[k] += counts[k];
		}
		code_table_add(&table, (uint64_t)at * 16 + 0x100, counts);
	}
}

static bool adds_up(const struct code_list *l)
{
	uint64_t got[N] = { 0 }, sum = l->rest.sum, all = 0;

	for (int k = 0; k < N; k++) {
		got[k] = l->rest.counts[k];
		for (int i = 0; i < l->n; i++)
			got[k] += l->places[i].counts[k];
		all += total[k];
	}
	for (int i = 0; i < l->n; i++)
		sum += l->places[i].sum;
	return !memcmp(got, total, sizeof(got)) && sum == all;
}

/* Counts the places that have another sum than the truth, or more than it. */
static int false_places(const struct code_list *l, bool exactly)
{
	int bad = 0;

	for (int i = 0; i < l->n; i++) {
		uint64_t want = sum_of((int)((l->places[i].address - 0x100) / 16));

		bad += exactly ? l->places[i].sum != want : l->places[i].sum > want;
		bad += i > 0 && l->places[i].sum > l->places[i - 1].sum;
	}
	return bad;
}

/* Counts the addresses that have more than the list says they can have. */
static int too_full(const struct code_list *l, uint64_t most)
{
	int bad = 0;

	for (int a = 0; a < ADDRESSES; a++) {
		bool listed = false;

		for (int i = 0; i < l->n && !listed; i++)
			listed = l->places[i].address == (uint64_t)a * 16 + 0x100;
		bad += !listed && sum_of(a) > most;
	}
	return bad;
}

static void windows(void)
{
	static const int sizes[] = { 1, 63, 64, 65, 500, CODE_TABLE_PLACES, ADDRESSES };
	struct code_list l;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		code_table_clear(&table);
		fill(sizes[i], 60000);
		code_table_list(&table, &l);
		bool exact = sizes[i] <= CODE_TABLE_PLACES;
		ok(adds_up(&l), "%d addresses: places and rest are what was added", sizes[i]);
		is_int(l.n, sizes[i] < CODE_PLACES ? sizes[i] : CODE_PLACES, "  ... so many are told");
		is_int(l.exact, exact, "  ... and whether they are exact");
		is_int(false_places(&l, exact), 0, "  ... each has its own, in order");
		is_int(too_full(&l, exact && l.n ? l.places[l.n - 1].sum : l.rest.sum), 0,
			"  ... and none is left out that has more");
	}
}

/* What comes late and often is found though the table was full before. */
static void late(void)
{
	const uint64_t one[N] = { 1, 0, 0 };
	struct code_list l;

	code_table_clear(&table);
	for (uint64_t a = 0; a < 3 * CODE_TABLE_PLACES; a++)
		code_table_add(&table, a, one);
	for (int i = 0; i < 1000; i++)
		code_table_add(&table, UINT64_MAX, one);
	code_table_list(&table, &l);
	ok(l.places[0].address == UINT64_MAX && l.places[0].sum == 1000, "a late address is listed");
	for (int i = 1; i < l.n; i++)
		l.rest.sum += l.places[i].sum;
	is_int(l.places[0].sum + l.rest.sum, 3 * CODE_TABLE_PLACES + 1000,
		"  ... and nothing is lost");
}

/* Lists of several windows are joined: with all of them told the sums are exact, else at least so. */
static void joined(void)
{
	static const int sizes[] = { 64, 65 };
	struct code_table all;
	struct code_list l;

	code_table_init(&all, N);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		code_table_clear(&all);
		code_table_clear(&table);
		fill(sizes[i], 20000);
		for (int w = 0; w < 3; w++) {
			code_table_list(&table, &l);
			code_table_join(&all, &l);
		}
		for (int a = 0; a < ADDRESSES; a++)
			for (int k = 0; k < N; k++)
				truth[a][k] *= 3;
		for (int k = 0; k < N; k++)
			total[k] *= 3;
		code_table_list(&all, &l);
		ok(adds_up(&l), "three windows of %d addresses add up", sizes[i]);
		is_int(l.exact, sizes[i] <= CODE_PLACES, "  ... exactly or not, as it is");
		is_int(false_places(&l, false), 0, "  ... and none has more than it had");
		is_int(too_full(&l, l.rest.sum), 0, "  ... nor one that is left out more than the rest");
	}
	code_table_release(&all);
}

int main(void)
{
	code_table_init(&table, N);
	windows();
	late();
	joined();
	code_table_release(&table);
	return done_testing();
}
