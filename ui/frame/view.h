/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screens: a read-only model goes in, cells and commands come out. Knows no backend, no
 * terminal and no clock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "core/work/client.h"
#include "ui/draw/key_commands.h"
#include "core/value/device.h"
#include "core/value/history.h"
#include "core/work/job.h"
#include "core/work/playback.h"
#include "core/spans/kernel_list.h"
#include "core/roofline/roofline.h"
#include "core/snapshot/snapshot.h"
#include "ui/draw/canvas.h"
#include "ui/draw/keys.h"
#include "ui/draw/prompt.h"
#include "ui/draw/style.h"

/* How rates are shown: in the metric's own unit, per cycle of the device's clock, or as a share of
 * the roof. */
enum view_units { UNITS_OWN, UNITS_PER_CYCLE, UNITS_SHARE, UNITS_COUNT };

/* A metric set of the open device, and which of the device's resources it counts. */
struct set_summary {
	const char *name, *label, *text;	/* untranslated */
	bool current, map;
	char counts[200], lacks[200];		/* names of resources, between commas */
};

/* One line of the screen of all devices. Numbers are NAN where they are not known. */
struct device_line {
	char id[112], name[96];
	int vendor;		/* bytes of the vendor before the rest of the name */
	char limit[96];		/* headline and resource of the verdict, translated */
	char limit_brief[80];	/* without the resource's name */
	char state[64];		/* what stands in its place where there is none */
	double headroom, busy_pct, clock_mhz, power_w, temperature_c, memory_gb, memory_all_gb;
	bool open, usable, shown;	/* shown: in this half of the screen */
	bool inferred;			/* the headroom, which then has ~ before it */
	/* the past of its busy time, in percent; NULL where nothing tells it */
	const struct history *past;
	int past_column;
	/* the time asleep that it lacks (struct series) */
	int asleep_column;
	double asleep_top;
};

/* Whether a view has the screen for itself; where two share it, which one gets the keys. Their last
 * line is below both (ui/frame/halves.h). */
enum view_place { VIEW_ALONE, VIEW_FOCUSED, VIEW_OTHER };

/* What a frame shows. The session owns all pointers; they may be NULL where noted. */
struct view_model {
	const struct device *device;
	const struct metric_set *set;
	const struct snapshot *snap;		/* NULL before the first complete window */
	/* where that window will stand: it has no values before, but the names of its maps */
	const struct snapshot *bound;
	/* the set that is counted again when the map is left, NULL elsewhere */
	const struct metric_set *home_set;
	const struct history *history;		/* a column per metric of the set */
	/* [snap->n_maps], a column per cell and metric of the map; may be NULL */
	const struct history *cell_history;
	/* the sets of the device, for the menu of sets; empty while that is closed */
	const struct set_summary *sets;
	int n_sets;
	/* a set to which CMD_MAP_SET turns, NULL when there is none */
	const char *map_set;
	/* the same for ceilings, NULL when they are not kept */
	const struct history *roofs;
	/* "i915 perf", "simulated OA unit", "recording FILE" */
	const char *how;
	const char *host;			/* name of the machine, NULL: not to be shown */
	const char *no_device;			/* why no real device is used, NULL when one is */
	/* transient line ("recording to FILE"), NULL or "" when none */
	const char *message;
	bool message_is_error;
	const struct playback *playback;	/* of a recording, NULL for every other device */
	const struct device_summary *devices;
	int n_devices;
	const struct device_line *lines;	/* of the screen of all devices */
	int n_lines;
	const struct device_check *checks;	/* of the current device */
	int n_checks;
	const struct log *log;
	int64_t wall_ns;			/* the clock in the corner */
	int64_t delay_ns;
	const struct client_table *clients;	/* who uses the GPU; NULL: nobody can tell */
	const char *clients_how;
	/* of the table, as v->procs.choice wants it; NULL before the first scan */
	const struct client_list *client_list;
	const struct client_tracks *tracks;
	const struct kernel_info *kernels;	/* that the device could run; NULL: nothing can */
	size_t n_kernels;
	/* the selected one with the launcher's settings, and what a start would choose where these
	 * say auto; zero: that is known when it runs */
	struct job chosen;
	const struct job_state *job;		/* how ours goes, NULL: never started */
	const struct kernel_list *kernel_list;	/* of watched programs; NULL: none is */
	const struct job_log *runs;		/* those that have ended */
	bool may_load;				/* the user was asked and said yes */
	bool paused;
	const char *tour;			/* a sentence of the tour, translated; NULL */
	bool mouse;
	enum view_place place;
	/* 1 or 2: which one of two views, whether there is room for both or not; 0: the only one */
	int of_two;
	/* windows that the user has gone back from the newest */
	int back;
	enum view_units units;
	bool recording;
	double self_cpu_pct;			/* NAN before it is known */
};

/* In the order of the tabs. */
enum view_screen {
#define S(p, id, ui, name, keys, title, help) VIEW_##id,
	SCREEN_LIST(S, )
#undef S
	VIEW_SCREENS
};

/* The user's place on the map. A number that is out of range stands for the first one. */
struct map_view {
	int map, metric;		/* metric: column of the map */
	int cell;
	int above, below;		/* cells beside it in the last frame, -1: none */
	bool digits;			/* one digit a cell, however much room there is */
	bool relative;			/* shades up to the highest cell, not to the roof */
};

/* The user's place on the processes screen. The row is kept by what it shows, not by its number. */
struct procs_view {
	struct client_choice choice;
	bool placed;			/* pid and client name the selected row */
	int64_t pid;
	uint64_t client_id;
	int top;
	bool details;			/* the pane with the selected process' past */
	bool contexts;			/* rows are hardware contexts, not processes */
};

#define COUNTERS_MAX 1024
#define VIEW_FILTER PROMPT_TEXT

/* The user's place in the list of all metrics. */
struct counters_view {
	int metric;			/* the selected one; the first row when it is not listed */
	int top;
	char filter[VIEW_FILTER];
	int sort;			/* as the screen numbers its columns */
	bool invert, hide_missing;
};

#define ROOF_MARKS 9

/* How the roofline is looked at. */
struct roofline_view {
	int level, trail, zoom;
	int move_x, move_y;		/* eighths of the plot */
	bool per_cycle;
	struct roof_point marks[ROOF_MARKS];	/* points that were kept */
	char mark_level[ROOF_MARKS][ROOF_NAME_SIZE];
	int n_marks;
};

/* What the launcher is set to. */
struct stress_view {
	char kernel[48];		/* selected row, by its name */
	int top, field;			/* field 0: the list, others: rows of the form */
	bool is_watched;		/* a start was the last thing done */
	char filter[VIEW_FILTER];
	struct job form;		/* all but the kernel */
};

/* The user's place in the list of kernels: the selected line, by what it shows. */
struct kernels_view {
	char name[1024];		/* whole: long names differ at their ends */
	int kind;
	uint64_t items;
	int top;
};

#define VIEW_MARKS 10

/* The box of lines that is open. */
enum view_menu { MENU_NONE, MENU_SETUP, MENU_SETS, MENU_DRAWN, MENU_SORT, MENU_COUNT };

/* The user's place on the screens. Plain data but for before_find; view_init() gives the defaults,
 * and view_release() takes back what is kept while something is looked for. */
struct view {
	enum view_screen screen;
	enum scheme scheme;
	bool ascii;			/* no glyph beyond 7 bits */
	bool help;
	bool explain;			/* box over the selected metric */
	enum view_menu menu;
	int menu_row;
	int chosen_set;			/* of the model's sets, when CMD_USE_SET is returned */
	/* panes that are not shown: names of groups between commas, ",power,bandwidth," */
	char hidden[200];
	int focus;			/* on the first screen: a pane, or the answer */
	/* there: one more than the metric without a row that was found last, 0: none */
	int found_rest;
	int selected[8];		/* row per pane */
	/* as the last frame was: the rows of each pane, whether it had one alone, and the rows that
	 * its list had room for */
	int drawn[8];
	bool one_pane;
	int pane_order;	/* enum overview_order */
	int page;
	int all_row, all_top;
	int device_row, log_top, help_top, explain_top;
	struct map_view map;
	enum view_units units;
	int back;			/* windows before the newest, while paused */
	/* where CMD_SEEK leads in a recording; with CMD_GOTO_TIME the place that it has not, -1
	 * when what was typed is no time */
	int64_t seek_ns;
	/* windows that the user marked, by the times at which they ended, in order; of a recording
	 * the places in ns */
	uint64_t marks[VIEW_MARKS];
	int n_marks;
	struct procs_view procs;
	struct counters_view counters;
	struct stress_view stress;
	struct roofline_view roof;
	struct kernels_view kernels;
	struct prompt prompt;
	char find[PROMPT_TEXT];		/* what n looks for again */
	struct view *before_find;	/* heap, while that is typed: where Esc leads back to */
};

void view_init(struct view *v, bool ascii, enum scheme scheme);
void view_release(struct view *v);
/* Draws the whole screen at the canvas' size, 1x1 and up. */
void view_draw(struct view *v, const struct view_model *m, struct canvas *c);
/* A key goes to the line that is being typed, or else through the table of commands to
 * view_command(). */
enum command view_key(
	struct view *v, const struct view_model *m, const struct key_event *k, int w, int h);
/* Changes the view for its own commands and returns CMD_NONE, or returns the command that the
 * session has to carry out. */
enum command view_command(
	struct view *v, const struct view_model *m, enum command cmd, int w, int h);
/* A click does what the last frame has offered at its cell. */
enum command view_click(struct view *v, const struct view_model *m, const struct key_event *k,
	const struct canvas *frame);
/* The command that a frame offers at a cell; CMD_NONE: none. */
enum command view_command_at(const struct canvas *frame, int x, int y);
/* Panes of the overview that no metric set names. */
#define VIEW_PANE_ROOFLINE "roofline"
#define VIEW_PANE_PROCESSES "processes"
/* Panes are named by their groups. A pane whose name does not fit into v->hidden stays shown. */
bool view_hides(const struct view *v, const char *group);
void view_hide(struct view *v, const char *group, bool hidden);
/* Screens as settings name them; -1 for an unknown name. */
const char *view_screen_name(enum view_screen screen);
int view_screen_by_name(const char *name);
/* What CMD_STRESS_START starts: the selected kernel with the launcher's settings. */
void view_job(const struct view *v, const struct view_model *m, struct job *out);
/* When CMD_STRESS_PRESET is returned: which preset the launcher is set to now. */
void view_preset_chosen(const struct view *v, const struct view_model *m, char *buf, size_t size);
/* When CMD_STRESS_VALUE is returned: which setting does not take what was typed, and what it
 * takes. */
void view_value_refused(const struct view *v, char *buf, size_t size);
/* Turns to the screen of all metrics, at this one: what its pane has no room for is below it. */
void view_show_counters(struct view *v, const struct view_model *m, int metric);
/* Returns the selected row of the screen of all devices, -1 on every other one. */
int view_selected_line(const struct view *v, const struct view_model *m);
/* Returns the selected row of the devices screen. */
int view_selected_device(const struct view *v);
/* The digit of the key that turns to a screen. */
char view_screen_digit(enum view_screen screen);
