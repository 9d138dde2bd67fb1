/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything a key can do. The keys, the help pane, the man page and script names come from this
 * table. */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include <stdbool.h>

#include "base/i18n.h"

/* Each row has an id, the name for scripts and the man page, keys (key names of ui/keys.h between
 * blanks), a group and a help text. The groups are screen display data find device leave. Commands
 * of a group that begins with "on-" work on one screen only, and come before the others there. */
#define COMMAND_LIST(X) \
	X(SCREEN_OVERVIEW, "overview", "1", "screen", N_("overview: panes of metrics")) \
	X(SCREEN_MAP, "map", "2", "screen", N_("map: one metric for each part of the device")) \
	X(SCREEN_ROOFLINE, "roofline", "3", "screen", N_("roofline: FLOP/s over FLOP per byte, and the roofs")) \
	X(SCREEN_STRESS, "stress", "4 F5 l", "screen", N_("stress: kernels that load the device")) \
	X(SCREEN_PROCS, "processes", "5", "screen", N_("processes: who uses the GPU")) \
	X(SCREEN_DEVICES, "devices", "6 F8 D", "screen", N_("devices: what was found and why it can or cannot be read")) \
	X(SCREEN_LOG, "log", "7", "screen", N_("log: what the program and its sources said")) \
	X(HELP, "help", "F1 h ?", "screen", N_("this help")) \
	X(SETUP, "setup", "F2 S", "screen", N_("setup: window, set, units, colours, panes")) \
	X(MOUSE, "mouse", "", "screen", N_("mouse on or off")) \
	X(PANE_NEXT, "next-pane", "Tab", "screen", N_("next pane")) \
	X(PANE_PREVIOUS, "previous-pane", "S-Tab", "screen", N_("previous pane")) \
	X(UP, "up", "Up k", "screen", N_("row above")) \
	X(DOWN, "down", "Down j", "screen", N_("row below")) \
	X(PAGE_UP, "page-up", "PgUp", "screen", N_("page up")) \
	X(PAGE_DOWN, "page-down", "PgDn", "screen", N_("page down")) \
	X(TOP, "top", "Home", "screen", N_("first row")) \
	X(BOTTOM, "bottom", "End", "screen", N_("last row")) \
	X(EXPLAIN, "explain", "Enter e", "screen", N_("explain the selected value: equation, raw counters, reason")) \
	X(CLOSE, "close", "Esc", "screen", N_("close a box")) \
	X(FASTER, "faster", "+ =", "display", N_("refresh faster: 10 5 2 1 0.5 0.2 0.1 s")) \
	X(SLOWER, "slower", "-", "display", N_("refresh slower")) \
	X(PAUSE, "pause", "Space Z", "display", N_("pause the screen; recording goes on")) \
	X(STEP, "step", ".", "display", N_("while paused: show the next window")) \
	X(BACK, "back", "Left", "display", N_("pause and go back through the past")) \
	X(FORTH, "forth", "Right", "display", N_("forward again")) \
	X(MARK, "mark", "M", "display", N_("mark this window")) \
	X(MARK_PREVIOUS, "mark-previous", "[", "display", N_("go back to the mark before")) \
	X(MARK_NEXT, "mark-next", "]", "display", N_("go to the next mark")) \
	X(UNITS, "units", "u", "display", /* xgettext:no-c-format */ N_("rates as they are, per cycle, or in % of their roof")) \
	X(RESET, "reset", "r", "display", N_("forget minima and maxima")) \
	X(ASCII, "ascii", "A", "display", N_("ASCII on or off")) \
	X(COLOR, "color", "C", "display", N_("next colour scheme")) \
	X(REDRAW, "redraw", "^L", "display", N_("draw the whole screen again")) \
	X(RECORD, "record", "F7 W", "data", N_("start or stop recording the raw reports")) \
	X(NEXT_SET, "next-set", "m", "data", N_("next metric set of this device")) \
	X(FIND, "find", "F3 /", "find", N_("find a row by its name")) \
	X(FIND_NEXT, "find-next", "n", "find", N_("find the next one")) \
	X(FILTER, "filter", "F4 \\", "find", N_("show only rows that contain a word")) \
	X(STRESS_STOP, "stop-load", "F9 x", "load", N_("stop the running load")) \
	X(ROOF_LEVEL, "roof-level", "m", "on-roofline", N_("next level of memory")) \
	X(ROOF_TRAIL, "roof-trail", "t", "on-roofline", N_("trail of 60, 600, 0, 10 seconds")) \
	X(ROOF_KEEP, "roof-keep", "k", "on-roofline", N_("keep the point as a mark")) \
	X(ROOF_CLEAR, "roof-clear", "K", "on-roofline", N_("forget the marks")) \
	X(ROOF_UNIT, "roof-unit", "y", "on-roofline", N_("GFLOP/s or FLOP/cycle")) \
	X(ROOF_ZOOM, "roof-zoom", "z", "on-roofline", N_("zoom; arrows move, Home goes back")) \
	X(ROOF_LEFT, "roof-left", "Left", "on-roofline", N_("move to lower intensity")) \
	X(ROOF_RIGHT, "roof-right", "Right", "on-roofline", N_("move to higher intensity")) \
	X(ROOF_WRITE, "roof-write", "w", "on-roofline", N_("write the plot as SVG")) \
	X(STRESS_START, "start-load", "Enter F5", "on-stress", N_("start the selected kernel, or change the selected setting")) \
	X(STRESS_YES, "agree-to-load", "", "on-stress", N_("start it and do not ask again")) \
	X(STRESS_END, "end-own-load", "", "on-stress", N_("stop the load of this device, and no other one")) \
	X(STRESS_LESS, "less", "Left", "on-stress", N_("less: shorter, smaller")) \
	X(STRESS_MORE, "more", "Right", "on-stress", N_("more: longer, larger")) \
	X(STRESS_PRESET, "preset", "p", "on-stress", N_("next preset: quick check, bandwidth, heat")) \
	X(STRESS_VERIFY, "verify", "v", "on-stress", N_("verify the results, or not")) \
	X(STRESS_TUNE, "tune", "t", "on-stress", N_("look for the best shape first, or not")) \
	X(STRESS_VALUE, "set-value", "", "on-stress", N_("take the number that was typed")) \
	X(MAP_METRIC, "next-map-metric", "e", "on-map", N_("next metric of the map")) \
	X(MAP_SET, "next-map-set", "M", "on-map", N_("next metric set that has a map")) \
	X(MAP_LEFT, "cell-left", "Left", "on-map", N_("cell before")) \
	X(MAP_RIGHT, "cell-right", "Right", "on-map", N_("cell after")) \
	X(MAP_SCALE, "scale", "s", "on-map", N_("shades up to the roof, or up to the highest cell")) \
	X(MAP_DIGITS, "digits", "d", "on-map", N_("one digit for each cell, or shades")) \
	X(PROCS_SORT, "sort-next", "F6 > <", "on-processes", N_("sort by the next column")) \
	X(PROCS_INVERT, "sort-invert", "I", "on-processes", N_("invert the order")) \
	X(PROCS_IDLE, "idle", "i", "on-processes", N_("show or hide processes that did not use the GPU")) \
	X(PROCS_GROUP, "by-process", "H", "on-processes", N_("a row per process, or one per client")) \
	X(PROCS_SIGNAL, "signal", "F9 K", "on-processes", N_("send a signal to the selected process (asks)")) \
	X(SIGNAL_TERM, "signal-term", "", "on-processes", N_("end the selected process")) \
	X(SIGNAL_KILL, "signal-kill", "", "on-processes", N_("kill the selected process")) \
	X(SIGNAL_INT, "signal-int", "", "on-processes", N_("interrupt the selected process")) \
	X(SIGNAL_STOP, "signal-stop", "", "on-processes", N_("stop the selected process until it is continued")) \
	X(SIGNAL_CONT, "signal-cont", "", "on-processes", N_("continue the selected process")) \
	X(BESIDE, "open-beside", "b", "on-devices", N_("open the selected device beside this one")) \
	X(OTHER_HALF, "other-half", "o", "device", N_("two devices on the screen: the other one gets the keys")) \
	X(CLOSE_OTHER, "close-other", "O", "device", N_("two devices on the screen: close the other one")) \
	X(USE_DEVICE, "use-device", "", "device", N_("use the selected device (Enter on the devices screen)")) \
	X(SAVE, "save-settings", "F12 w", "leave", N_("save the settings")) \
	X(SUSPEND, "suspend", "^Z", "leave", N_("suspend to the shell")) \
	X(QUIT, "quit", "F10 q ^C", "leave", N_("quit"))

enum command {
	CMD_NONE,
#define X(id, name, keys, group, help) CMD_##id,
	COMMAND_LIST(X)
#undef X
	CMD_COUNT
};

struct command_info {
	enum command id;
	const char *name, *keys, *group;
	const char *help;	/* untranslated */
};

/* It has CMD_COUNT - 1 rows, in the order of the list. */
extern const struct command_info command_table[];
/* Whether the command works on one screen only. */
bool command_is_local(const struct command_info *info);
/* Returns NULL for CMD_NONE. */
const struct command_info *command_info(enum command id);

#endif
