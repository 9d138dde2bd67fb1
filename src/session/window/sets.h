/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads metric files and chooses which of their sets is used. */
#pragma once

#include "session/session.h"

/* How a recording's list of chosen events begins when one part of the device alone counted them
 * ("in:0.3 active stall"), and the option whose wishes a recording keeps. */
#define RECORDED_IN "in:"
#define RECORDED_WISH "--boolean"

/* Reads the heads of the built-in sets for the platform of d (NULL: of all platforms), then the
 * user's files. It reports problems to session_problem(). */
void sets_load(struct session *ses, const struct device *d);
/* Reads what sets_load() has left in the files. Sets that the functions below choose are read whole
 * anyway. */
void sets_load_bodies(struct session *ses);
/* Fits imported sets to a device that is open. With hide, what it lacks is not shown. sets_load()
 * has done so as far as the topology was known. */
void sets_fit(struct session *ses, const struct device *d, bool hide);
/* Marks in all sets what is an estimate on the session's open device, by what its sources count. */
void sets_estimate(struct session *ses);
/* Says whether there is any set for the device, built in or the user's. */
bool sets_exist(struct session *ses, const struct device *d);
/* Says whether any device has a set of that name. */
bool sets_known(struct session *ses, const char *name);
/* Fills err: there is no set for the device, and what helps. */
void sets_none(const struct device *d, struct err *err);
/* Returns the set named; with NULL the set of -m, or what a recording names, or "memory", or
 * "overview", or one that counts what --columns names and that one does not. The error lists what there is. */
const struct metric_set *sets_choose(
	struct session *ses, const struct device *d, const char *name, struct err *err);
/* Says whether set i of the library is visible: no later set of the same name and platform hides
 * it. */
bool sets_is_visible(const struct session *ses, int i, const char *platform);
/* Returns the set that a recording was made with, or NULL when it is not known here. */
const struct metric_set *sets_of_recording(struct session *ses, const struct device *d);
/* Returns the next visible set behind number *at (-1 before the first) that has a metric of that
 * name (metric_set_find()), or else a counter; platform NULL: of any device. It is read whole;
 * *metric is the metric's index, -1 when it is a counter. NULL: there is no other. */
const struct metric_set *sets_next_with(struct session *ses, const char *name,
	const char *platform, bool counters, int *at, int *metric);
/* Appends the names of metrics of the platform's sets whose last part is this word, whatever their
 * block: "JM.GPU_UTILIZATION" of GPU_UTILIZATION. Returns how many there are. platform NULL: of any
 * device. */
int sets_names_ending(
	struct session *ses, const char *platform, const char *word, struct strbuf *names);
/* Returns a set that counts a level of memory or a pipe, by its word; the one that is counted now
 * before others. NULL: none of the device does. */
const struct metric_set *sets_counting(
	struct session *ses, const struct device *d, const char *word);
/* Whether the set names others that are counted in turns. */
bool sets_is_profile(const struct metric_set *set);
/* Returns the set after the current one, round and round, that is no profile; map asks for the next
 * one that has a map. Returns NULL when there is no other. The set may be only a head: see
 * sets_whole(). */
const struct metric_set *sets_next(const struct session *ses, const char *platform, bool map);
/* Returns the set with its body, which is read when only its head is there; NULL stays NULL. A set
 * that is bound has to be whole, because its metrics size what it fills. */
const struct metric_set *sets_whole(struct session *ses, const struct metric_set *set);
/* Reads one file as --metrics does. Returns the number of problems; fn gets each of them. */
int sets_load_file(struct metric_lib *lib, const char *path, metric_problem_fn *fn, void *ctx);

/* Makes the key of the setting that keeps the set chosen for one device, even while another device,
 * or none, is there. */
void sets_key(const struct device *d, char *key, size_t size);
