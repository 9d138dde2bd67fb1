/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of slices, subslices and EUs. */
#include "config.h"

#include "cmd/load/placement_table.h"

#include <stdio.h>

#include "core/snapshot/balance.h"

void where_init(struct where *w, enum output_form form, const struct topology *t,
	struct strbuf *out)
{
	*w = (struct where){ .form = form, .out = out };
	if (t) {
		w->eus = t->max_eus_per_subslice;
		w->subslices = t->subslices;
	}
}

/* The hardware's numbers of EUs may be larger than the topology lets expect: then there is a column
 * for every number. */
static void begin(struct where *w, const struct placement *p)
{
	static const struct column first[WHERE_COLUMNS] = {
		{ "kernel", "kernel", 26, true },
		{ "slice", "slice", 5, false },
		{ "subslice", "subslice", 8, false },
		{ "groups", "groups", 6, false },
		{ "share", "share %", 7, false },
		{ "sim", NULL, 0, false },
	};

	if (!w->eus || placement_eus(p) > w->eus)
		w->eus = PLACEMENT_EUS;
	w->begun = true;
	for (int i = 0; i < WHERE_COLUMNS; i++)
		w->columns[i] = first[i];
	for (int i = 0; i < w->eus; i++) {
		snprintf(w->names[i], sizeof(w->names[i]), "eu%d", i);
		snprintf(w->heads[i], sizeof(w->heads[i]), "EU %d", i);
		w->columns[WHERE_COLUMNS + i] =
			(struct column){ w->names[i], w->heads[i], 5, false };
	}
	rows_begin(&w->rows, w->form, w->columns, WHERE_COLUMNS + w->eus, w->out);
}

/* Says which subslices have more groups than others, and what the curve says of that. */
static void say(const struct where *w, const struct job_result *job, const struct placement *p)
{
	uint64_t groups = job->state.job.groups;
	double curve = balance_curve(groups, w->subslices);
	char names[64];

	if (!w->subslices)
		return;
	placement_busiest(p, w->subslices, names, sizeof(names));
	if (job->state.flags & JOB_SIMULATED)
		strbuf_addf(w->out, "%s: ", "simulated");
	if (*names)
		strbuf_addf(w->out,
			groups == 1 ? "%llu work-group on %d subslices: %s had more than others; mean "
				 "over max %.3f, a multiple of %d would be up to %.3g times faster\n"
			: "%llu work-groups on %d subslices: %s had more than others; mean "
				"over max %.3f, a multiple of %d would be up to %.3g times faster\n",
			(unsigned long long)groups, w->subslices, names, curve, w->subslices,
			1 / curve);
	else
		strbuf_addf(w->out,
			groups == 1 ? "%llu work-group on %d subslices: all had as many\n"
			: "%llu work-groups on %d subslices: all had as many\n",
			(unsigned long long)groups, w->subslices);
}

bool where_rows(struct where *w, const struct job_result *job, const struct placement *p,
	struct err *err)
{
	uint64_t sum = 0;

	if (!p || !p->n) {
		err_set(err, ERR_UNSUPPORTED, "where the groups of '%s' run is not known: %s",
			job->state.job.kernel,
			p && *p->reason ? p->reason : "what runs it does not tell");
		return err_hint(err, "-D sim:hd620 simulates a device that tells");
	}
	if (!w->begun)
		begin(w, p);
	if (placement_eus(p) > w->eus)
		return err_set(err, ERR_SYS,
			"the device tells of more EUs in a subslice than the first kernel used");
	for (int i = 0; i < p->n; i++)
		sum += p->cells[i].groups;
	for (int i = 0; i < p->n; i++) {
		const struct placement_cell *c = &p->cells[i];

		rows_text(&w->rows, job->state.job.kernel);
		rows_count(&w->rows, c->slice);
		rows_count(&w->rows, c->subslice);
		rows_count(&w->rows, (double)c->groups);
		rows_number(&w->rows, 100 * jobs_per((double)c->groups, (double)sum));
		rows_bool(&w->rows, job->state.flags & JOB_SIMULATED);
		for (int eu = 0; eu < w->eus; eu++)
			rows_count(&w->rows, (double)c->items[eu]);
		rows_end(&w->rows);
	}
	if (w->form == OUTPUT_NONE)
		say(w, job, p);
	return true;
}
