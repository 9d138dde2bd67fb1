/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric sets of the open device, for the menu of sets. */
#ifndef SCREEN_SET_LIST_H
#define SCREEN_SET_LIST_H

#include "session/session.h"
#include "ui/frame/view.h"

/* A zero-initialised struct is an empty list. */
struct set_list {
	struct set_summary *summary;		/* heap, [n] */
	const struct metric_set **set;		/* heap, [n] */
	int n;
};

/* Lists the sets that the device can count, which it reads whole. */
void set_list_make(struct set_list *l, struct session *ses);
void set_list_release(struct set_list *l);

#endif
