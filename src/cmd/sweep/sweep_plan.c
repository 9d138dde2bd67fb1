/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the curves of a sweep. */
#include "config.h"

#include "cmd/sweep/sweep_plan.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/load/results.h"
#include "cli/options.h"
#include "kernels/catalog/catalog.h"
#include "base/mem.h"
#include "base/parse.h"
#include "cmd/sweep/sweep_options.h"

/* The loop of the thesis' kernels, which is long enough to show the curve over work-groups. Others
 * are as long as the runner finds good. */
#define LOOP 8192

static const char *const defaults_groups[] = { "flops.private.mad.sp.x*", "mem.copy.sp.x*", NULL };
static const char *const defaults_tpb[] = { "flops.private.mad.sp.x4", "slm.swap.sp.x4",
	"slm.reduce", "slm.reduce-all", "slm.reduce-chain", "slm.broadcast", "slm.barrier", NULL };
static const char *const defaults_loop[] = { "flops.private.mad.sp.x4", "mem.copy.sp.x4", NULL };
static const char *const defaults_size[] = { "lat.chase.*", NULL };
static const char *const defaults_stride[] = { "mem.stride.*", NULL };
static const char *const defaults_intensity[] = { "mix.sp.*", NULL };

static const struct over_row {
	const char *column;
	const char *const *defaults;
} overs[OVER_COUNT] = {
	[OVER_GROUPS] = { "groups", defaults_groups },
	[OVER_TPB] = { "group_size", defaults_tpb },
	[OVER_LOOP] = { "loop", defaults_loop },
	[OVER_SIZE] = { "size_bytes", defaults_size },
	[OVER_STRIDE] = { "stride", defaults_stride },
	[OVER_INTENSITY] = { "intensity", defaults_intensity },
};

enum sweep_over sweep_over_of(const struct options *o)
{
	for (int i = 0; o->sweep->over && sweep_over_words[i]; i++)
		if (!strcmp(sweep_over_words[i], o->sweep->over))
			return (enum sweep_over)i;
	return OVER_GROUPS;
}

const char *sweep_over_column(enum sweep_over over)
{
	return overs[over].column;
}

const char *const *sweep_default_kernels(enum sweep_over over)
{
	return overs[over].defaults;
}

/* Returns the loop count that the kernel has where nobody chooses one. */
static uint64_t usual_loop(const char *kernel)
{
	static const char *const families[] = { "flops.*", "power.*.*.*", "mem.copy.*" };

	for (size_t i = 0; i < ARRAY_LEN(families); i++)
		if (fnmatch(families[i], kernel, 0) == 0)
			return LOOP;
	return 0;
}

static void add_curve(struct sweep_plan *p, const char *kernel, uint64_t loop)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->curves[i].kernel, kernel) && p->curves[i].loop == loop)
			return;
	p->curves = array_grow(p->curves, p->n, &p->cap, sizeof(*p->curves));
	struct sweep_curve *c = &p->curves[p->n++];
	*c = (struct sweep_curve){ .loop = loop };
	snprintf(c->kernel, sizeof(c->kernel), "%s", kernel);
}

/* Tells whether the points of a kernel can differ in what the sweep goes over. Sizes, strides and
 * intensities stand in names. */
static bool can_go_over(enum sweep_over over, const char *kernel)
{
	struct kernel_spec spec;

	switch (over) {
	case OVER_SIZE:
		return isfinite(kernel_size_bytes(kernel));
	case OVER_STRIDE:
		return isfinite(kernel_stride(kernel));
	case OVER_INTENSITY:
		return isfinite(kernel_intensity(kernel));
	case OVER_LOOP:
		return !catalog_parse(kernel, &spec, NULL) || !(spec.body->flags & BODY_ONCE);
	case OVER_TPB:
		return !catalog_parse(kernel, &spec, NULL) ||
			!(spec.body->flags & (BODY_LONE | BODY_ONE_ITEM));
	default:
		return true;
	}
}

/* Says why such a sweep has no curve of the kernel. */
static bool refuse(enum sweep_over over, const char *kernel, struct err *err)
{
	static const char *const reasons[OVER_COUNT] = {
		[OVER_SIZE] = "its name has no size",
		[OVER_STRIDE] = "its name has no stride",
		[OVER_INTENSITY] = "its name has no intensity",
		[OVER_LOOP] = "it has no loop",
		[OVER_TPB] = "its work-groups have one item each",
	};
	struct strbuf names = { 0 };

	err_set(err, ERR_USAGE, "'%s' has no curve over %s: %s", kernel,
		sweep_over_words[over], reasons[over]);
	for (const char *const *k = overs[over].defaults; *k; k++)
		strbuf_add_word(&names, ", ", *k);
	err_hint(err, "there are %s, for example", strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

bool sweep_plan_kernels(struct sweep_plan *p, enum sweep_over over, const struct kernel_names *pick,
	uint64_t loop, struct err *err)
{
	*p = (struct sweep_plan){ .over = over };
	for (size_t i = 0; i < pick->n; i++) {
		if (!can_go_over(over, pick->names[i]))
			return refuse(over, pick->names[i], err);
		add_curve(p, pick->names[i], loop ? loop : usual_loop(pick->names[i]));
	}
	return true;
}

bool sweep_wants_figure(const struct sweep_wish *w, const struct figure *f)
{
	for (int i = 0; i < w->n_numbers; i++)
		if (fnmatch(w->numbers[i], f->number, 0) == 0)
			return true;
	return w->n_numbers == 0;
}

/* A word that means no figure is told before anything runs. */
static bool check_numbers(const struct sweep_wish *w, struct err *err)
{
	for (int i = 0; i < w->n_numbers; i++) {
		struct sweep_wish one = { .numbers = &w->numbers[i], .n_numbers = 1 };
		bool known = false;

		for (size_t k = 0; k < w->paper->n_figures; k++)
			known |= sweep_wants_figure(&one, &w->paper->figures[k]);
		if (known)
			continue;
		err_set(err, ERR_USAGE, "'%.60s' is no figure of %s", w->numbers[i],
			w->paper->name);
		return err_hint(err, "they go from %s to %s; 4.1* takes several",
			w->paper->figures[0].number,
			w->paper->figures[w->paper->n_figures - 1].number);
	}
	return true;
}

bool sweep_plan_figures(struct sweep_plan *p, const struct sweep_wish *w,
	const struct kernel_info *kernels, size_t n, struct err *err)
{
	struct kernel_names pick = { 0 };
	struct err ignored = { 0 };

	*p = (struct sweep_plan){ .over = OVER_GROUPS };
	if (!check_numbers(w, err))
		return false;
	for (size_t i = 0; i < w->paper->n_figures; i++) {
		const struct figure *f = &w->paper->figures[i];
		const char *patterns = f->kernels;
		char pattern[FIGURE_PATTERNS];

		if (!sweep_wants_figure(w, f))
			continue;
		kernel_names_release(&pick);
		pick = (struct kernel_names){ 0 };
		while (parse_until(&patterns, ' ', pattern, sizeof(pattern))) {
			err_clear(&ignored);
			kernel_names_add(&pick, kernels, n, pattern, &ignored);
		}
		for (size_t k = 0; k < pick.n; k++) {
			const struct kernel_info *info =
				kernel_names_find(kernels, n, pick.names[k]);

			if (info && info->supported)
				add_curve(p, info->name, f->loop ? f->loop : w->paper->loop);
		}
	}
	kernel_names_release(&pick);
	if (p->n > 0)
		return true;
	err_set(err, ERR_USAGE, "the device has no kernel of these figures");
	return err_hint(err, "'rooftop stress help' lists the kernels");
}

void sweep_plan_release(struct sweep_plan *p)
{
	free(p->curves);
	*p = (struct sweep_plan){ 0 };
}
