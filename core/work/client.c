/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts clients of a GPU in the chosen order and keeps their recent past. */
#include "config.h"

#include "core/work/client.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void *client_source_new(const struct client_source_ops *ops, const char *how)
{
	struct client_source *s = xcalloc(1, ops->size);

	s->ops = ops;
	snprintf(s->how, sizeof(s->how), "%s", how);
	return s;
}

void client_source_close(struct client_source *s)
{
	if (s && s->ops->close)
		s->ops->close(s);
	free(s);
}

void client_table_copy(struct client_table *to, const struct client_table *from)
{
	struct client_row *rows = to->rows;
	size_t cap = to->cap_rows;

	while (cap < from->n_rows)
		rows = array_grow(rows, cap, &cap, sizeof(*rows));
	if (from->n_rows)
		memcpy(rows, from->rows, from->n_rows * sizeof(*rows));
	*to = *from;
	to->rows = rows;
	to->cap_rows = cap;
}

double client_busy_pct(const struct client_row *r, int n_engines)
{
	double sum = 0;

	for (int i = 0; i < n_engines; i++)
		if (!isnan(r->busy_pct[i]))
			sum += (double)r->busy_pct[i];
	return sum;
}

static uint64_t time_ns(const struct client_row *r)
{
	uint64_t sum = 0;

	for (int i = 0; i < CLIENT_MAX_ENGINES; i++)
		if (r->time_ns[i] != UINT64_MAX)
			sum += r->time_ns[i];
	return sum;
}

/* UINT64_MAX means "unknown"; the sum is unknown only when all its parts are. */
static uint64_t add_known(uint64_t a, uint64_t b)
{
	if (a == UINT64_MAX)
		return b;
	if (b == UINT64_MAX)
		return a;
	return a + b;
}

static void add_memory(struct client_row *to, const struct client_row *r)
{
	for (int i = 0; i < CLIENT_REGIONS; i++) {
		struct client_memory *m = &to->memory[i];
		const struct client_memory *more = &r->memory[i];

		if (!r->has_memory[i])
			continue;
		if (!to->has_memory[i]) {
			*m = *more;
			to->has_memory[i] = true;
			continue;
		}
		m->total_bytes = add_known(m->total_bytes, more->total_bytes);
		m->shared_bytes = add_known(m->shared_bytes, more->shared_bytes);
		m->resident_bytes = add_known(m->resident_bytes, more->resident_bytes);
		m->purgeable_bytes = add_known(m->purgeable_bytes, more->purgeable_bytes);
		m->active_bytes = add_known(m->active_bytes, more->active_bytes);
	}
}

struct client_row client_row_unknown(int64_t pid)
{
	struct client_row row = { .pid = pid,
		.uid = UINT32_MAX,
		.client_id = (uint64_t)pid,
		.n_clients = 1,
		.total_bytes = UINT64_MAX,
		.resident_bytes = UINT64_MAX,
		.cpu_pct = NAN };

	for (int i = 0; i < CLIENT_MAX_ENGINES; i++) {
		row.busy_pct[i] = NAN;
		row.time_ns[i] = UINT64_MAX;
	}
	return row;
}

struct client_row *client_table_add(struct client_table *t, int64_t pid)
{
	t->rows = array_grow(t->rows, t->n_rows, &t->cap_rows, sizeof(*t->rows));
	t->rows[t->n_rows] = client_row_unknown(pid);
	return &t->rows[t->n_rows++];
}

static void add_row(struct client_row *to, const struct client_row *r)
{
	add_memory(to, r);
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++) {
		if (isnan(to->busy_pct[i]))
			to->busy_pct[i] = r->busy_pct[i];
		else if (!isnan(r->busy_pct[i]))
			to->busy_pct[i] += r->busy_pct[i];
		to->time_ns[i] = add_known(to->time_ns[i], r->time_ns[i]);
	}
	to->n_clients += r->n_clients;
	to->total_bytes = add_known(to->total_bytes, r->total_bytes);
	to->resident_bytes = add_known(to->resident_bytes, r->resident_bytes);
}

/* The CPU share belongs to the process, and each of its clients repeats it. */
static void take_row(struct client_list *l, const struct client_row *r, bool by_process)
{
	for (size_t i = 0; by_process && i < l->n_rows; i++) {
		if (l->rows[i].pid != r->pid)
			continue;
		add_row(&l->rows[i], r);
		l->rows[i].client_id = 0;
		return;
	}
	l->rows = array_grow(l->rows, l->n_rows, &l->cap_rows, sizeof(*l->rows));
	l->rows[l->n_rows++] = *r;
}

static bool contains(const char *text, const char *part)
{
	size_t len = strlen(part);

	for (; *text; text++) {
		size_t i = 0;

		while (i < len && text[i] &&
			tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
			i++;
		if (i == len)
			return true;
	}
	return !len;
}

static bool matches(const struct client_row *r, const char *filter)
{
	char pid[24];

	snprintf(pid, sizeof(pid), "%lld", (long long)r->pid);
	return contains(r->command, filter) || contains(r->name, filter) ||
		contains(r->user, filter) || contains(pid, filter);
}

struct order {
	const struct client_choice *choice;
	int n_engines;
};

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* An unknown amount is less than any known one. */
static double bytes_key(const struct client_row *r)
{
	if (r->resident_bytes != UINT64_MAX)
		return (double)r->resident_bytes;
	if (r->total_bytes != UINT64_MAX)
		return (double)r->total_bytes;
	return -1;
}

static double cpu_key(const struct client_row *r)
{
	return isnan(r->cpu_pct) ? -1 : (double)r->cpu_pct;
}

/* Numbers are sorted from the largest, names and process ids from the smallest; equal rows stay in
 * order of their ids. */
static int compare_rows(const void *pa, const void *pb, void *ctx)
{
	const struct client_row *a = pa, *b = pb;
	const struct order *o = ctx;
	int r = 0;

	switch (o->choice->sort) {
	case CLIENT_BY_MEMORY: r = compare_numbers(bytes_key(b), bytes_key(a)); break;
	case CLIENT_BY_TIME: r = compare_numbers((double)time_ns(b), (double)time_ns(a)); break;
	case CLIENT_BY_CPU: r = compare_numbers(cpu_key(b), cpu_key(a)); break;
	case CLIENT_BY_USER: r = strcmp(a->user, b->user); break;
	case CLIENT_BY_NAME: r = strcmp(a->name, b->name); break;
	case CLIENT_BY_PID: break;
	default:
		r = compare_numbers(
			client_busy_pct(b, o->n_engines), client_busy_pct(a, o->n_engines));
		break;
	}
	if (!r)
		r = compare_numbers((double)a->pid, (double)b->pid);
	if (!r)
		r = compare_numbers((double)a->client_id, (double)b->client_id);
	return o->choice->invert ? -r : r;
}

void client_select(
	const struct client_table *t, const struct client_choice *choice, struct client_list *out)
{
	struct order order = { choice, t->n_engines };
	size_t kept = 0;

	out->n_rows = 0;
	out->n_idle = out->n_filtered = 0;
	out->total = (struct client_row){
		.total_bytes = UINT64_MAX, .resident_bytes = UINT64_MAX, .cpu_pct = NAN
	};
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++)
		out->total.busy_pct[i] = NAN;
	for (size_t i = 0; i < t->n_rows; i++) {
		take_row(out, &t->rows[i], choice->by_process);
		add_row(&out->total, &t->rows[i]);
	}
	for (size_t i = 0; i < out->n_rows; i++) {
		const struct client_row *r = &out->rows[i];

		if (*choice->filter && !matches(r, choice->filter))
			out->n_filtered++;
		else if (choice->hide_idle && client_busy_pct(r, t->n_engines) <= 0)
			out->n_idle++;
		else
			out->rows[kept++] = *r;
	}
	out->n_rows = kept;
	if (out->n_rows)
		qsort_r(out->rows, out->n_rows, sizeof(*out->rows), compare_rows, &order);
}

void client_list_release(struct client_list *l)
{
	free(l->rows);
	*l = (struct client_list){ 0 };
}

/* --- the past --- */

static const struct client_row *row_of(const struct client_list *l, int64_t pid)
{
	for (size_t i = 0; i < l->n_rows; i++) {
		if (l->rows[i].pid == pid)
			return &l->rows[i];
	}
	return NULL;
}

static int place_of(const struct client_tracks *t, int64_t pid)
{
	for (int i = 0; i < CLIENT_TRACKS; i++) {
		if (t->used[i] && t->pid[i] == pid)
			return i;
	}
	return -1;
}

/* The first processes of the list that have no place yet get the free ones. */
static void give_places(struct client_tracks *t, const struct client_list *l)
{
	int place = 0;

	for (int i = 0; i < CLIENT_TRACKS; i++)
		t->used[i] = t->used[i] && row_of(l, t->pid[i]);
	for (size_t i = 0; i < l->n_rows; i++) {
		if (place_of(t, l->rows[i].pid) >= 0)
			continue;
		while (place < CLIENT_TRACKS && t->used[place])
			place++;
		if (place == CLIENT_TRACKS)
			return;
		t->used[place] = true;
		t->pid[place] = l->rows[i].pid;
		for (int k = 0; k < CLIENT_TRACK_COUNT; k++)
			history_clear_column(&t->history, place * CLIENT_TRACK_COUNT + k);
	}
}

void client_tracks_push(
	struct client_tracks *t, const struct client_list *by_process, int n_engines)
{
	struct value values[CLIENT_TRACKS * CLIENT_TRACK_COUNT];

	if (!t->history.columns)
		history_init(&t->history, CLIENT_TRACKS * CLIENT_TRACK_COUNT, CLIENT_TRACK_ROWS);
	give_places(t, by_process);
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		values[i] = value_none(WHY_NOT_YET);
	for (int i = 0; i < CLIENT_TRACKS; i++) {
		const struct client_row *r = NULL;
		struct value *v = &values[i * CLIENT_TRACK_COUNT];

		if (t->used[i])
			r = row_of(by_process, t->pid[i]);
		if (!r)
			continue;
		/* Before the second scan no engine's share is known, which is not the same as 0. */
		for (int k = 0; k < n_engines; k++)
			if (!isnan(r->busy_pct[k]))
				v[CLIENT_TRACK_BUSY] = value_ok(client_busy_pct(r, n_engines));
		if (bytes_key(r) >= 0)
			v[CLIENT_TRACK_MEMORY] = value_ok(bytes_key(r) / (1 << 20));
		if (!isnan(r->cpu_pct))
			v[CLIENT_TRACK_CPU] = value_ok((double)r->cpu_pct);
	}
	history_push(&t->history, values);
}

int client_tracks_column(const struct client_tracks *t, int64_t pid, enum client_track kind)
{
	int place = place_of(t, pid);

	if (place < 0)
		return -1;
	return place * CLIENT_TRACK_COUNT + (int)kind;
}

void client_tracks_release(struct client_tracks *t)
{
	history_release(&t->history);
	*t = (struct client_tracks){ 0 };
}
