/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the launcher's screen; inside ui/ only. */
#pragma once

#include "core/work/job.h"
#include "ui/frame/screen.h"

#define STRESS_LABEL_W 12

/* The list, then the rows of the form. */
enum stress_field {
	FIELD_LIST,
	FIELD_GROUPS,
	FIELD_GROUP_SIZE,
	FIELD_REPEAT,
	FIELD_LIMIT,
	FIELD_VERIFY,
	FIELD_TUNE,
	FIELD_COUNT
};

/* What a frame offers: kernels, fields of the form, the list of kernels as a whole. */
enum { STRESS_KERNELS = 0, STRESS_FIELDS, STRESS_LIST };

/* stress_list.c: the kernels. What is selected is kept by its name; before anything was, it is the
 * first preset's. */
const struct kernel_info *stress_selected(const struct view *v, const struct view_model *m);
void stress_list_draw(struct screen *s, struct rect r);
void stress_list_move(struct view *v, const struct view_model *m, enum command cmd);
void stress_list_choose(struct view *v, const struct view_model *m, int row);
bool stress_list_find(struct view *v, const struct screen *s, const char *text, int step);
/* The preset after the one whose kernel is selected: kernel, time and tuning. False: no preset has
 * a kernel here. */
bool stress_step_preset(struct view *v, const struct view_model *m, int step);
/* What the preset is for whose kernel is selected, "--" without one. */
void stress_preset_text(
	const struct view *v, const struct view_model *m, char *buf, size_t size);

/* stress_form.c: the settings of a run. in: the inside of the pane. Returns the lines used. */
int stress_form_draw(struct screen *s, struct rect in);
const char *stress_field_name(enum stress_field f);
/* Sets a field to its next or previous value; what auto stands for is doubled and halved, too. */
void stress_field_step(struct job *j, const struct job *chosen, enum stress_field f, bool more);
/* Takes what was typed. Returns false, and changes nothing, if the field has no such value. */
bool stress_field_set(struct job *j, enum stress_field f, const char *text);

/* stress_state.c: what a kernel is and may reach, or how its run goes, from line y of the inside of
 * the pane on. */
void stress_kernel_draw(struct screen *s, struct rect in, int y, const struct kernel_info *k);
void stress_state_draw(struct screen *s, struct rect in, int y, const struct job_state *st);
void stress_runs_draw(struct screen *s, struct rect r);
bool stress_is_running(const struct view_model *m);
/* A run's rate in the unit of what its kernel is about, as text; *unit: that unit. */
const char *stress_rate_text(
	char *buf, size_t size, const struct job_state *st, bool mean, const char **unit);
/* Share of what is possible in percent as text; "--" where that is not known. */
const char *stress_share_text(char *buf, size_t size, const struct job_state *st, bool mean);
