/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything a key can do. The keys, the help pane, the man page and script names come from this
 * table. */
#pragma once

#include "base/i18n.h"

/* The screens in the order of their tabs: id, the name in ui/screens (screen_NAME), the name in
 * settings and scripts, keys, the title of the tab, which is the same at every width, a help text.
 * Whatever has to know all screens is made from this list; P is passed on to S. */
#define SCREEN_LIST(S, P) \
	S(P, OVERVIEW, overview, "overview", "1", N_("Overview"), N_("overview: panes of metrics")) \
	S(P, MAP, map, "map", "2", N_("Map"), N_("map: one metric for each part of the device")) \
	S(P, ROOFLINE, roofline, "roofline", "3", N_("Roof"), N_("roofline: FLOP/s over FLOP per byte, and the roofs")) \
	S(P, STRESS, stress, "stress", "4 F5 l", N_("Stress"), N_("stress: kernels that load the device")) \
	S(P, PROCS, procs, "processes", "5", N_("Procs"), N_("processes: who uses the GPU")) \
	S(P, DEVICES, devices, "devices", "6 F8 D", N_("Devices"), N_("devices: what was found and why it can or cannot be read")) \
	S(P, LOG, log, "log", "7", N_("Log"), N_("log: what the program and its sources said")) \
	S(P, COUNTERS, counters, "counters", "8", N_("Counters"), N_("counters: all metrics of the set, with what is missing and why")) \
	S(P, KERNELS, kernels, "kernels", "9", N_("Kernels"), N_("kernels of watched programs: what each takes, and what limits it")) \
	S(P, ALL, all, "all-devices", "0", N_("All"), N_("all devices, a line each: what limits it, busy, clock, power"))

#define SCREEN_COMMAND(X, id, ui, name, keys, title, help) \
	X(SCREEN_##id, name, keys, "screen", help)

/* Each further row has an id, the name for scripts and the man page, keys (key names of ui/draw/keys.h between
 * blanks), a group and a help text. The groups are screen display data find load device leave. A
 * key has one meaning on all screens; what one screen alone can do is a line of its menu (DRAWN) or
 * a field. Commands without keys come from menus, questions and the setup box. */
#define COMMAND_LIST(X) \
	SCREEN_LIST(SCREEN_COMMAND, X) \
	X(HELP, "help", "F1 h ?", "screen", N_("this help")) \
	X(SETUP, "setup", "F2 S", "screen", N_("setup: window, set, units, colours, panes")) \
	X(MOUSE, "mouse", "", "screen", N_("mouse on or off")) \
	X(PANE_NEXT, "next-pane", "Tab", "screen", N_("next pane")) \
	X(PANE_PREVIOUS, "previous-pane", "S-Tab", "screen", N_("previous pane")) \
	X(UP, "up", "Up k", "screen", N_("row above")) \
	X(DOWN, "down", "Down j", "screen", N_("row below")) \
	X(LEFT, "left", "Left", "screen", N_("the cursor to the left; back in time where it has no columns")) \
	X(RIGHT, "right", "Right", "screen", N_("the cursor to the right; forward in time")) \
	X(PAGE_UP, "page-up", "PgUp", "screen", N_("page up")) \
	X(PAGE_DOWN, "page-down", "PgDn", "screen", N_("page down")) \
	X(TOP, "top", "Home", "screen", N_("first row")) \
	X(BOTTOM, "bottom", "End", "screen", N_("last row")) \
	X(ENTER, "enter", "Enter", "screen", N_("what the selected row is there for: explain, open, start")) \
	X(EXPLAIN, "explain", "e", "screen", N_("explain the selected value: meaning, equation, counters, reason")) \
	X(CLOSE, "close", "Esc", "screen", N_("close a box")) \
	X(FASTER, "faster", "+ =", "display", N_("refresh faster, 10 s to 0.1 s; a recording: play faster, up to 16x")) \
	X(SLOWER, "slower", "-", "display", N_("refresh slower; a recording: play slower, down to 1/4")) \
	X(PAUSE, "pause", "Space Z", "display", N_("pause or play; what is recorded goes on")) \
	X(BACK, "back", ",", "display", N_("pause and go back by a window")) \
	X(FORTH, "forth", ".", "display", N_("forward by a window; while paused: show the next one")) \
	X(BACK_FAR, "back-30", "{", "display", N_("back by 30 s")) \
	X(FORTH_FAR, "forth-30", "}", "display", N_("forward by 30 s")) \
	X(MARK_PREVIOUS, "mark-previous", "[", "display", N_("go back to the mark before")) \
	X(MARK_NEXT, "mark-next", "]", "display", N_("go to the next mark")) \
	X(GOTO, "go-to", "g", "display", N_("go to a time that is typed: 12:30, -45 (seconds), 50 %")) \
	X(GOTO_TIME, "go-to-time", "", "display", N_("go to the time that was typed")) \
	X(SEEK, "seek", "", "display", N_("go to a place of the recording")) \
	X(LOOP, "loop", "B", "display", N_("a recording begins again at its end, or not")) \
	X(NOW, "now", "N", "display", N_("to the newest window, and go on")) \
	X(MARK, "mark", "M", "display", N_("mark this moment, and its point on the roofline")) \
	X(FORGET, "forget-marks", "X", "display", N_("forget the marks")) \
	X(DRAWN, "drawn", "v", "display", N_("menu of what this screen draws")) \
	X(UNITS, "units", "u", "display", /* xgettext:no-c-format */ N_("plain units, per cycle, or in % of the roof")) \
	X(RESET, "reset", "r", "display", N_("forget minima and maxima; on the screen of kernels: begin anew")) \
	X(ASCII, "ascii", "A", "display", N_("ASCII on or off")) \
	X(COLOR, "color", "C", "display", N_("next colour scheme")) \
	X(REDRAW, "redraw", "^L", "display", N_("draw the whole screen again")) \
	X(RECORD, "record", "F7 W", "data", N_("start or stop recording the raw reports")) \
	X(SETS, "sets", "m", "data", N_("menu of metric sets: what each counts and lacks")) \
	X(USE_SET, "use-set", "", "data", N_("use the chosen metric set")) \
	X(NEXT_SET, "next-set", "", "data", N_("next metric set of this device")) \
	X(MAP_SET, "next-map-set", "", "data", N_("next metric set that has a map")) \
	X(FIND, "find", "F3 /", "find", N_("find a row by its name")) \
	X(FIND_NEXT, "find-next", "n", "find", N_("find the next one")) \
	X(FILTER, "filter", "F4 \\", "find", N_("show only rows that contain a word, on this screen")) \
	X(SORT, "sort", "F6 >", "find", N_("menu of columns to sort by")) \
	X(INVERT, "invert", "I", "find", N_("invert the order")) \
	X(STRESS_STOP, "stop-load", "x", "load", N_("stop the running load")) \
	X(STRESS_START, "start-load", "", "load", N_("start the selected kernel")) \
	X(STRESS_YES, "agree-to-load", "", "load", N_("start it and do not ask again")) \
	X(STRESS_END, "end-own-load", "", "load", N_("stop the load of this device, and no other one")) \
	X(STRESS_PRESET, "preset", "", "load", N_("next preset: quick check, bandwidth, heat")) \
	X(STRESS_VALUE, "set-value", "", "load", N_("take the number that was typed")) \
	X(SIGNAL, "signal", "F9 K", "load", N_("send a signal to the selected process (asks)")) \
	X(SIGNAL_TERM, "signal-term", "", "load", N_("end the selected process")) \
	X(SIGNAL_KILL, "signal-kill", "", "load", N_("kill the selected process")) \
	X(SIGNAL_INT, "signal-int", "", "load", N_("interrupt the selected process")) \
	X(SIGNAL_STOP, "signal-stop", "", "load", N_("stop the selected process until it is continued")) \
	X(SIGNAL_CONT, "signal-cont", "", "load", N_("continue the selected process")) \
	X(BESIDE, "open-beside", "b", "device", N_("open the selected device beside this one")) \
	X(OTHER_HALF, "other-half", "o", "device", N_("two devices on the screen: the other one gets the keys")) \
	X(CLOSE_OTHER, "close-other", "O", "device", N_("two devices on the screen: close the other one")) \
	X(LOOK_AGAIN, "look-again", "R", "device", N_("look now which devices are there")) \
	X(USE_DEVICE, "use-device", "", "device", N_("use the selected device (Enter on the devices screen)")) \
	X(WRITE_SCREEN, "write-screen", "w", "leave", N_("write this screen to a text file")) \
	X(WRITE_PLOT, "write-plot", "", "leave", N_("write the roofline as SVG")) \
	X(SAVE, "save-settings", "F12 s", "leave", N_("save the settings")) \
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
/* Returns NULL for CMD_NONE. */
const struct command_info *command_info(enum command id);
