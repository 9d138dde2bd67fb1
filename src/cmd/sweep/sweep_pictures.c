/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws what a sweep has measured, beside the files of earlier ones. */
#include "config.h"

#include "cmd/sweep/sweep_pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sweep/figures_draw.h"
#include "base/mem.h"
#include "cmd/sweep/sweep_options.h"

/* Pictures of a sweep over anything but work-groups, and of one that is drawn with others. */
static const struct {
	const char *name, *y, *title;
} pictures[] = {
	{ "gflops", "gflops", "Performance" },
	{ "flop-per-cycle", "flop_per_cycle_eu", "FLOP/cycle of an EU" },
	{ "gbytes", "gbytes_per_s", "Bandwidth" },
	{ "gops", "gops", "Operations" },
	{ "latency", "latency_ns", "Latency of a step" },
	{ "watts", "power", "Power" },
	{ "gflops-per-w", "gflops_per_w", "Efficiency" },
};

/* The plane of power as a figure's title has it. */
static const char *plane_words(enum power_plane plane)
{
	static const char *const words[POWER_PLANE_COUNT] = {
		[PLANE_PACKAGE] = "package",
		[PLANE_GPU] = "GPU plane",
		[PLANE_DUARTE] = "package less cores less DRAM",
	};

	return words[plane];
}

static void free_tables(struct csv_table *t, int n)
{
	for (int i = 0; i < n; i++)
		csv_table_release(&t[i]);
	free(t);
}

/* Reads the rows of this sweep, and those of the files of --with. */
static struct csv_table *read_tables(const struct sweep_end *e, struct figure_data *d,
	struct err *err)
{
	const struct name_list *with = &e->opt->sweep->with;
	struct csv_table *t = xcalloc((size_t)with->n + 1, sizeof(*t));
	bool good = csv_table_take(&t[0], xstrdup(e->csv), "-", err);

	for (int i = 0; good && i < with->n; i++)
		good = csv_table_read(&t[i + 1], with->names[i], err);
	*d = (struct figure_data){ .tables = t,
		.n_tables = with->n + 1,
		.power = power_plane_words[e->plane].w,
		.power_words = plane_words(e->plane),
		.plane = power_planes[e->plane] };
	if (good)
		return t;
	free_tables(t, with->n + 1);
	return NULL;
}

bool sweep_draw_over(const struct sweep_end *e, struct err *err)
{
	static const struct paper no_paper = { .name = "" };
	const char *path = e->opt->plot;
	size_t end = strlen(path);
	struct figure_data d;
	struct csv_table *t = read_tables(e, &d, err);
	bool good = t != NULL;

	if (end > 4 && !strcmp(path + end - 4, ".svg"))
		end -= 4;
	for (size_t i = 0; good && i < ARRAY_LEN(pictures); i++) {
		struct figure f = { .kernels = "*", .n_y = 1, .log_x = true };
		struct figure_drawn drawn;

		f.by_family = e->wish->over >= OVER_SIZE;
		f.log_y = e->wish->over == OVER_INTENSITY;
		snprintf(f.title, sizeof(f.title), "%s over %s", pictures[i].title,
			figure_axis(sweep_over_column(e->wish->over)));
		snprintf(f.x, sizeof(f.x), "%s", sweep_over_column(e->wish->over));
		snprintf(f.y[0], sizeof(f.y[0]), "%s", pictures[i].y);
		char *file = xasprintf("%.*s-%s.svg", (int)end, path, pictures[i].name);
		good = figure_draw(&no_paper, &f, &d, file, &drawn, err);
		free(file);
	}
	if (t)
		free_tables(t, d.n_tables);
	return good;
}

static void add_drawn(const struct figure *f, const char *path, const struct figure_drawn *drawn,
	struct strbuf *out)
{
	if (drawn->curves > 0)
		strbuf_addf(out, drawn->curves == 1 ? "%s: %d curve\n"
			: "%s: %d curves\n", path,
			drawn->curves);
	else if (!drawn->ran)
		strbuf_addf(out, "%s: nothing to draw, because none of its kernels ran\n", path);
	else
		strbuf_addf(out, "%s: nothing to draw, because nobody measures its %s here\n",
			path, figure_axis(f->y[0]));
}

bool sweep_draw_figures(const struct sweep_end *e, const char *file, struct strbuf *out,
	struct err *err)
{
	const struct paper *p = e->wish->paper;
	const char *slash = strrchr(file, '/');
	int folder = slash ? (int)(slash - file) + 1 : 0;
	struct figure_data d;
	struct csv_table *t = read_tables(e, &d, err);
	bool good = t != NULL;

	for (size_t i = 0; good && i < p->n_figures; i++) {
		const struct figure *f = &p->figures[i];
		struct figure_drawn drawn;

		if (!sweep_wants_figure(e->wish, f))
			continue;
		char *path = xasprintf("%.*sfig-%s.svg", folder, file, f->number);
		good = figure_draw(p, f, &d, path, &drawn, err);
		if (good && e->opt->form == OUTPUT_NONE)
			add_drawn(f, path, &drawn, out);
		free(path);
	}
	if (good) {
		if (e->opt->form == OUTPUT_NONE)
			strbuf_add(out, "\n");
		figures_compare(p, &d, e->opt->form, out);
	}
	if (t)
		free_tables(t, d.n_tables);
	return good;
}
