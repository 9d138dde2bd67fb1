/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which metric files are read, and which of their sets is used. */
#ifndef SESSION_SETS_H
#define SESSION_SETS_H

#include "session/session.h"

/* Reads the heads of the built-in sets for the platform of d (NULL: of all of them), then the
 * user's files. Problems go to session_problem(). */
void sets_load(struct session *ses, const struct device *d);
/* What sets_load() has left in the files; those that are chosen below come whole anyway. */
void sets_load_bodies(struct session *ses);
/* Whether there is any set for the device, built in or the user's. */
bool sets_exist(struct session *ses, const struct device *d);
/* Says that there is none, and what helps. */
void sets_none(const struct device *d, struct err *err);
/* The set named (NULL: -m, or what a recording names, or "memory", or "overview"). The error lists
 * what there is. */
const struct metric_set *sets_choose(
	struct session *ses, const struct device *d, const char *name, struct err *err);
/* Whether no later set of the same name and platform hides set i of the library. */
bool sets_is_visible(const struct session *ses, int i, const char *platform);
/* The set that a recording was made with; NULL when it is not known here. */
const struct metric_set *sets_of_recording(struct session *ses, const struct device *d);
/* The set after the current one, round and round; map: the next one that has a map. NULL when there
 * is no other. It may be a head: devices_open() reads it whole by its name. */
const struct metric_set *sets_next(const struct session *ses, const char *platform, bool map);
/* One file as --metrics takes it; the number of problems, each reported through fn. */
int sets_load_file(struct metric_lib *lib, const char *path, metric_problem_fn *fn, void *ctx);

/* Key of the setting that keeps the set chosen for one device, also while another one, or none, is
 * there. */
void sets_key(const struct device *d, char *key, size_t size);

#endif
