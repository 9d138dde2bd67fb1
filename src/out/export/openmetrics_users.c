/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes who uses the devices. Processes of one name, user, pod and container are one group,
 * because a number that every new process changes would make series without end; the groups that
 * use a device most have rows, and the others are one row together. */
#include "config.h"

#include "out/export/openmetrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAX_GROUPS 32

struct group {
	const struct client_row *row;	/* its first process, whose names it has */
	bool is_rest;			/* all groups that have no row of their own */
	int processes;
	float busy_pct[CLIENT_MAX_ENGINES];
	double busy_sum, bytes, cpu_pct;	/* NAN: not known */
};

struct group_list {
	struct group *item;
	size_t n, cap;
};

static double add_known(double a, double b)
{
	if (isnan(a))
		return b;
	return isnan(b) ? a : a + b;
}

static struct group *find(struct group_list *l, const struct client_row *r)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct client_row *o = l->item[i].row;

		if (!strcmp(o->name, r->name) && !strcmp(o->user, r->user) &&
			!strcmp(o->pod, r->pod) && !strcmp(o->container, r->container))
			return &l->item[i];
	}
	l->item = array_grow(l->item, l->n, &l->cap, sizeof(*l->item));
	struct group *g = &l->item[l->n++];
	*g = (struct group){ .row = r, .bytes = NAN, .cpu_pct = NAN };
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++)
		g->busy_pct[i] = NAN;
	return g;
}

/* Adds what processes use; they are counted by the caller. */
static void add_use(struct group *g, const float *busy_pct, double bytes, double cpu_pct)
{
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++) {
		g->busy_pct[i] = (float)add_known((double)g->busy_pct[i], (double)busy_pct[i]);
		if (!isnan(busy_pct[i]))
			g->busy_sum += (double)busy_pct[i];
	}
	g->bytes = add_known(g->bytes, bytes);
	g->cpu_pct = add_known(g->cpu_pct, cpu_pct);
}

static double bytes_of(const struct client_row *r)
{
	if (r->resident_bytes != UINT64_MAX)
		return (double)r->resident_bytes;
	return r->total_bytes != UINT64_MAX ? (double)r->total_bytes : NAN;
}

/* The groups that work most come first; those that rest are in the order of their memory. */
static int by_use(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	double more = y->busy_sum - x->busy_sum;

	if (!(fabs(more) > 0))
		more = fmax(y->bytes, 0) - fmax(x->bytes, 0);
	return (more > 0) - (more < 0);
}

/* Makes one group of all from MAX_GROUPS on. */
static void join_rest(struct group_list *l)
{
	qsort(l->item, l->n, sizeof(*l->item), by_use);
	if (l->n <= MAX_GROUPS)
		return;
	struct group *rest = &l->item[MAX_GROUPS];
	rest->is_rest = true;
	for (size_t i = MAX_GROUPS + 1; i < l->n; i++) {
		const struct group *g = &l->item[i];

		rest->processes += g->processes;
		add_use(rest, g->busy_pct, g->bytes, g->cpu_pct);
	}
	l->n = MAX_GROUPS + 1;
}

static struct group_list groups_of(const struct client_list *processes)
{
	struct group_list l = { 0 };

	for (size_t i = 0; i < processes->n_rows; i++) {
		const struct client_row *r = &processes->rows[i];
		struct group *g = find(&l, r);

		g->processes++;
		add_use(g, r->busy_pct, bytes_of(r), (double)r->cpu_pct);
	}
	if (l.n > 0)
		join_rest(&l);
	return l;
}

/* A device whose processes are known. */
struct users {
	const struct openmetrics_about *about;
	struct client_list processes;	/* the groups point into it */
	struct group_list groups;
};

static void begin(struct openmetrics *t, const struct users *u, const struct group *g)
{
	exposition_begin_of(&t->e, u->about->name, u->about->device);
	if (g->is_rest) {
		exposition_label(&t->e, "others", "true");
		return;
	}
	exposition_label(&t->e, "process", g->row->name);
	exposition_label(&t->e, "user", g->row->user);
	exposition_label(&t->e, "pod_uid", g->row->pod);
	exposition_label(&t->e, "container_id", g->row->container);
}

static void busy_family(struct openmetrics *t, const struct users *users, int n)
{
	exposition_family(&t->e, "rooftop_process_busy_ratio", EXPOSITION_GAUGE, "ratio",
		"Share of an engine's time that these processes used.");
	for (const struct users *u = users; u < users + n; u++)
		for (size_t k = 0; k < u->groups.n; k++)
			for (int i = 0; i < u->about->snap->clients->n_engines; i++) {
				const struct group *g = &u->groups.item[k];

				if (isnan(g->busy_pct[i]))
					continue;
				begin(t, u, g);
				exposition_label(
					&t->e, "engine", u->about->snap->clients->engines[i]);
				exposition_end(&t->e, (double)g->busy_pct[i] / 100);
			}
}

static double memory_of(const struct group *g)
{
	return g->bytes;
}

static double cpu_of(const struct group *g)
{
	return g->cpu_pct / 100;
}

static double count_of(const struct group *g)
{
	return g->processes;
}

static void group_families(struct openmetrics *t, const struct users *users, int n)
{
	static const struct {
		const char *name, *unit, *help;
		double (*value)(const struct group *g);
	} families[] = {
		{ "rooftop_process_memory_bytes", "bytes",
			"Memory of the device that these processes have.", memory_of },
		{ "rooftop_process_cpu_ratio", "ratio",
			"CPU time of these processes, in cores.", cpu_of },
		{ "rooftop_processes", "", "How many processes these are.", count_of },
	};

	for (size_t f = 0; f < ARRAY_LEN(families); f++) {
		exposition_family(&t->e, families[f].name, EXPOSITION_GAUGE, families[f].unit,
			families[f].help);
		for (const struct users *u = users; u < users + n; u++)
			for (size_t k = 0; k < u->groups.n; k++) {
				double v = families[f].value(&u->groups.item[k]);

				if (isnan(v))
					continue;
				begin(t, u, &u->groups.item[k]);
				exposition_end(&t->e, v);
			}
	}
}

void openmetrics_users(struct openmetrics *t)
{
	static const struct client_choice all = { .by_process = true };
	struct users *users = xcalloc((size_t)t->n, sizeof(*users));
	int n = 0;

	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		if (!a->snap || !a->snap->clients || a->snap->clients->why != WHY_OK)
			continue;
		users[n].about = a;
		client_select(a->snap->clients, &all, &users[n].processes);
		users[n].groups = groups_of(&users[n].processes);
		n++;
	}
	busy_family(t, users, n);
	group_families(t, users, n);
	exposition_family(&t->e, "rooftop_processes_hidden", EXPOSITION_GAUGE, "",
		"Processes that may not be looked into, so that whether they use it is not known.");
	for (int i = 0; i < n; i++) {
		exposition_begin_of(&t->e, users[i].about->name, users[i].about->device);
		exposition_end(&t->e, users[i].about->snap->clients->hidden);
	}
	for (int i = 0; i < n; i++) {
		client_list_release(&users[i].processes);
		free(users[i].groups.item);
	}
	free(users);
}
