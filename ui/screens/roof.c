/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which roofline, level of memory and trail the user looks at. */
#include "config.h"

#include <math.h>

#include "ui/screens/roof.h"

/* The trails in seconds, by roofline_view.trail. */
static const int trails[ROOF_TRAILS] = { 60, 600, 0, 10 };

const struct roofline *roof_line(const struct view_model *m)
{
	if (!m->snap || m->snap->set != m->set)
		return NULL;
	const struct roofline *r = m->snap->roofline;
	return r && r->n_roofs ? r : NULL;
}

const struct roof_view *roof_nth_level(const struct roofline *r, int n)
{
	for (int unknown = 0; unknown < 2; unknown++)
		for (int i = r->n_views - 1; i >= 0; i--) {
			const struct roof_view *view = &r->views[i];
			bool known = view->roof >= 0 && !isnan(roof_bound(&r->roofs[view->roof]));

			if (known != unknown && n-- == 0)
				return view;
		}
	return NULL;
}

const struct roof_view *roof_level(const struct view *v, const struct roofline *r)
{
	if (!r || !r->n_views)
		return NULL;
	return roof_nth_level(r, v->roof.level % r->n_views);
}

int roof_trail_s(const struct view *v)
{
	return trails[v->roof.trail % ROOF_TRAILS];
}
