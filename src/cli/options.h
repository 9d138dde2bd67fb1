/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line. One table serves getopt, --help, the man page and the completions. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/i18n.h"
#include "base/strbuf.h"

/* Exit statuses. A program that dies by a signal has none of these. id, number, meaning */
#define STATUS_LIST(X) \
	X(GOOD, 0, N_("good")) \
	X(FAILURE, 1, N_("failure while running")) \
	X(USAGE, 2, N_("wrong usage")) \
	X(NO_DEVICE, 3, N_("no usable device")) \
	X(NO_PERMISSION, 4, N_("a device is there, but no permission to read its counters")) \
	X(CHECK, 5, N_("a check failed"))

enum status {
#define X(id, number, text) STATUS_##id = number,
	STATUS_LIST(X)
#undef X
};

/* Of an option that is given again the last one counts (ONCE), or it adds to those before (MANY). */
enum option_use { OPTION_ONCE, OPTION_MANY };

/* id, long name, short name or 0, argument or NULL, ONCE or MANY, group, help (NULL: hidden).
 * Groups: run output device metrics load screen other. What the option does is a row of settings[]
 * in options_take.c. */
#define OPTION_LIST(X) \
	X(DELAY, "delay", 'd', "SECS", ONCE, "run", N_("length of a window, 0.01 to 3600 s (a value with a colon is a device)")) \
	X(DELAY_MS, "delay-ms", 's', "MS", ONCE, "run", N_("the same in milliseconds")) \
	X(WINDOWS, "iterations", 'n', "N", ONCE, "run", N_("stop after N windows")) \
	X(TEXT, "batch", 'b', NULL, ONCE, "output", N_("lines of text instead of the screen")) \
	X(JSON, "json", 'J', NULL, ONCE, "output", N_("one JSON object per window")) \
	X(CSV, "csv", 'c', NULL, ONCE, "output", N_("comma-separated values, one row per window")) \
	X(GPU_TOP, "intel-gpu-top-json", 0, NULL, ONCE, "output", N_("what intel_gpu_top -J prints, for programs that read that")) \
	X(GPU_TOP_CLASSES, "intel-gpu-top-classes", 0, NULL, ONCE, "output", N_("with it: the engines of a class as one, as version 2.0 does")) \
	X(CLIENTS, "clients", 0, NULL, ONCE, "output", N_("with -b, -J and exports: the processes that use the GPU")) \
	X(OUTPUT, "output", 'o', "FILE", ONCE, "output", N_("where text, JSON and CSV go; - is standard output")) \
	X(EXPORT, "export", 0, "FORM", ONCE, "output", N_("serve metrics, of all devices without -D: prometheus[:PORT], prometheus:HOST:PORT, prometheus:unix:PATH")) \
	X(TEXTFILE, "textfile", 0, "DIR", ONCE, "output", N_("keep DIR/rooftop.prom up to date for node_exporter")) \
	X(TRACE, "trace", 0, "FILE", ONCE, "output", N_("write counters and kernel runs as a trace for Perfetto")) \
	X(DEVICE, "device", 'D', "DEV", MANY, "device", N_("card0, pci:ADDRESS, drm:PATH, sim:NAME[,OPTION...], file:RECORDING, ssh:HOST[/DEVICE], all; may repeat")) \
	X(LIST, "list-devices", 'L', NULL, ONCE, "device", N_("list the devices, usable or not, and why")) \
	X(REPLAY, "replay", 'r', "FILE", MANY, "device", N_("play a recording; - is a stream on standard input")) \
	X(SPEED, "speed", 0, "X", ONCE, "device", N_("play X times as fast; max: as fast as possible, without waiting")) \
	X(PER_REPORT, "per-report", 0, NULL, ONCE, "device", N_("one window for each pair of reports of a recording")) \
	X(RECORD, "record", 'w', "FILE", ONCE, "device", N_("record the raw OA reports and all other sources; - streams to standard output")) \
	X(OVERWRITE, "overwrite", 0, NULL, ONCE, "device", N_("let --record and --bundle replace a file")) \
	X(PERIOD, "oa-period", 'p', "SECS", ONCE, "device", N_("wanted time between two OA reports")) \
	X(CONTEXT, "context", 0, "ID|list", ONCE, "device", N_("count only while this hardware context runs, by the number in its reports; list: say what each one does")) \
	X(ACCESS, "access", 0, "WAY", ONCE, "device", N_("how counters are read: auto, perf, mmio or rpc")) \
	X(POWER, "power", 0, "WAY", ONCE, "device", N_("how energy is read: auto, hwmon, perf, powercap, sensors, papi or none")) \
	X(FSROOT, "fsroot", 0, "DIR", ONCE, "device", N_("read /sys, /proc and /dev below DIR")) \
	X(SET, "set", 'm', "SET", ONCE, "metrics", N_("metric set; list: list them")) \
	X(EXPLAIN, "explain", 0, "NAME", ONCE, "metrics", N_("what a metric or a counter means: equation, unit, origin")) \
	X(ROTATE, "rotate", 0, "SETS", ONCE, "metrics", N_("metric sets in turns, such as overview,flops (also as -m A,B)")) \
	X(ROTATE_EVERY, "rotate-every", 0, "SECS", ONCE, "metrics", N_("length of a turn; without it one window")) \
	X(COUNTER, "counter", 0, "EVENT", MANY, "metrics", N_("count INC[:COARSE[:FINE]] in the EUs, or an event of the processor; may repeat; help: list them")) \
	X(EVENTS_IN, "eu-events-in", 0, "SLICE.SUBSLICE", ONCE, "metrics", N_("experiment, with --access mmio: one subslice alone counts the events of --counter")) \
	X(BOOLEAN, "boolean", 0, "Bn=EXPR", MANY, "metrics", N_("ask a free block of the set in every clock: B6=any(B0,B1); may repeat")) \
	X(REPORT_EVERY, "report-every", 0, "N:SIGNALS", MANY, "metrics", N_("experiment: a report each time signals of the set were high for N clocks; up to twice")) \
	X(START_WHEN, "start-when", 0, "N:SIGNALS", ONCE, "metrics", N_("experiment: B and C counters begin once signals were high for N clocks")) \
	X(TASK, "task", 0, NULL, ONCE, "run", N_("run: count the command and its children alone, in user mode; needs no permission")) \
	X(ALL_METRICS, "all", 0, NULL, ONCE, "run", N_("run: all metrics, not only the eight that explain the answer; diff: also what did not move")) \
	X(MARKERS, "markers", 0, "FIFO", ONCE, "run", N_("run: phases of the command, which writes their names to this FIFO, or signal: by SIGUSR1")) \
	X(CC_I, "cc-i", 0, "INC", MANY, "metrics", N_("the same in parts: starts one more event with its increment")) \
	X(CC_C, "cc-c", 0, "COARSE", MANY, "metrics", N_("coarse filter of the event that --cc-i started")) \
	X(CC_F, "cc-f", 0, "FINE", MANY, "metrics", N_("fine filter of the event that --cc-i started")) \
	X(METRIC_FILE, "metrics", 0, "FILE", MANY, "metrics", N_("load a file of your own metrics; may repeat")) \
	X(METRIC_XML, "metrics-xml", 0, "FILE", MANY, "metrics", N_("load Intel's metric sets (oa-*.xml, also gzip); may repeat")) \
	X(CHECK, "check", 0, "FILE", ONCE, "metrics", N_("with the command metrics: look for mistakes in a metric file")) \
	X(TOUR, "tour", 0, NULL, ONCE, "screen", N_("learn to read the screen: a simulated GPU through four phases")) \
	X(SCREEN, "screen", 0, "NAME", ONCE, "screen", N_("begin with a screen: its digit or its name, such as roofline")) \
	X(NO_COLOR, "no-color", 'C', NULL, ONCE, "screen", N_("no colours")) \
	X(ASCII, "no-unicode", 'U', NULL, ONCE, "screen", N_("nothing but ASCII")) \
	X(NO_MOUSE, "no-mouse", 'M', NULL, ONCE, "screen", N_("leave the mouse to the terminal")) \
	X(SCRIPT, "script", 0, "FILE", ONCE, "screen", N_("drive the screen from a file, without a terminal")) \
	X(CONFIG, "config", 0, "FILE", ONCE, "screen", N_("settings file")) \
	X(BLOCKS, "blocks", 0, "N", ONCE, "load", N_("work-groups of a launch")) \
	X(TPB, "tpb", 0, "N", ONCE, "load", N_("work-items of a group")) \
	X(LOOP, "loop", 0, "N", ONCE, "load", N_("how often each work-item repeats the kernel's body")) \
	X(LAUNCHES, "launches", 0, "N", ONCE, "load", N_("end a kernel after so many launches")) \
	X(TIME, "time", 0, "SECS", ONCE, "load", N_("end a kernel after so long; without it 2 s")) \
	X(REPEAT, "repeat", 0, "N", ONCE, "load", N_("run each kernel, point or command so often; medians, smallest and largest")) \
	X(SMOOTHING, "power-smoothing", 0, NULL, ONCE, "load", N_("medians of 10 runs (or of --repeat) that last 25 steps of the energy counter")) \
	X(PLANE, "power-plane", 0, "PLANE", ONCE, "load", N_("whose watts count: package, gpu, or duarte: package less cores less DRAM")) \
	X(PROFILE, "profile", 0, NULL, ONCE, "load", N_("also the times of launches, gaps and compiling")) \
	X(VALIDATE, "validate", 0, NULL, ONCE, "load", N_("results that could not be checked are a failure too (status 5)")) \
	X(WHERE, "where", 0, NULL, ONCE, "load", N_("with stress: on which slices, subslices and EUs the groups of a launch run")) \
	X(TUNE, "tune", 0, NULL, ONCE, "load", N_("look for the best shape first, and remember it")) \
	X(CL_DEVICE, "cl-device", 0, "DEV", ONCE, "load", N_("OpenCL device: PLATFORM:DEVICE, a part of its name, pci:ADDRESS; help: list them")) \
	X(LIST_KERNELS, "list", 0, NULL, ONCE, "load", N_("with stress: list the kernels")) \
	X(DUMP_KERNEL, "dump-kernel", 0, NULL, ONCE, "load", N_("with stress: print the OpenCL C of the kernels, run nothing")) \
	X(DUMP_BINARY, "dump-binary", 0, "DIR", ONCE, "load", N_("write each kernel as it was compiled to DIR/KERNEL.bin")) \
	X(DUMP, "dump", 0, "FILE", ONCE, "load", N_("with stress: the metrics of every window, as CSV")) \
	X(PLOT, "plot", 0, "FILE", ONCE, "load", N_("with roofline, calibrate and sweep: pictures (SVG)")) \
	X(OVER, "over", 0, "WHAT", ONCE, "load", N_("with sweep: go over groups, tpb, loop, size, stride or intensity")) \
	X(FIGURES, "figures", 0, "PAPER", ONCE, "load", N_("with sweep: the figures and numbers of a paper, such as duarte2018; help: list them")) \
	X(WITH, "with", 0, "FILE", MANY, "load", N_("with sweep: draw the CSV of another sweep into the same pictures; may repeat")) \
	X(BESIDE, "beside", 0, "KERNEL", ONCE, "load", N_("with stress and sweep: what the processor runs meanwhile, such as mem.read.sp.x4")) \
	X(RESUME, "resume", 0, NULL, ONCE, "load", N_("with sweep: go on with the file of -o")) \
	X(LEVEL, "level", 0, "N", ONCE, "load", N_("with check: 1 without a load, 2 also each roof and all results, 3 also a long load")) \
	X(AGAINST, "against", 0, "FILE", ONCE, "load", N_("with check: compare with the CSV of another machine of this kind")) \
	X(JUNIT, "junit", 0, "FILE", ONCE, "load", N_("with check: the results as JUnit XML, for CI systems")) \
	X(HTML, "html", 0, "FILE", ONCE, "load", N_("with check: the report as one page to mail")) \
	X(QUIET, "quiet", 0, NULL, ONCE, "load", N_("write nothing but errors to the terminal")) \
	X(TAP, "tap", 0, NULL, ONCE, "other", N_("with doctor and check: results in the Test Anything Protocol")) \
	X(BUNDLE, "bundle", 0, "FILE", ONCE, "other", N_("with doctor: pack what was read, and five seconds, for whoever develops rooftop")) \
	X(HELP, "help", 'h', NULL, ONCE, "other", N_("this help")) \
	X(VERSION, "version", 'V', NULL, ONCE, "other", N_("version and licence"))

enum option_id {
	OPTION_NONE,
#define X(id, name, letter, arg, use, group, help) OPTION_##id,
	OPTION_LIST(X)
#undef X
	OPTION_COUNT
};

/* group of options, title; in the order of the help */
#define OPTION_GROUP_LIST(X) \
	X("run", N_("Windows")) \
	X("output", N_("Output instead of the screen")) \
	X("device", N_("Device")) \
	X("metrics", N_("Metrics")) \
	X("load", N_("Loads: the commands stress, sweep, calibrate and check")) \
	X("screen", N_("Screen")) \
	X("other", N_("Other"))

/* id, name, arguments, help */
#define SUBCOMMAND_LIST(X) \
	X(STRESS, "stress", "KERNEL...", N_("run kernels, show what they reach; KERNEL may be a pattern")) \
	X(SWEEP, "sweep", "[KERNEL...]", N_("kernels over work-groups, sizes or strides: CSV and pictures")) \
	X(CHECK, "check", "[DEVICE...]", N_("is this GPU all right? checks with value, expectation and verdict")) \
	X(CALIBRATE, "calibrate", "[ROOF...]", N_("measure roofs and keep them for the device")) \
	X(ROOFLINE, "roofline", "", N_("roofs of the device and where it is under them")) \
	X(EXPLAIN_LIMIT, "explain-limit", "", N_("what limits the device, and how that is known")) \
	X(COMMAND, "run", "[--] CMD [ARG...]", N_("counters, power and time around a command")) \
	X(DIFF, "diff", "BEFORE AFTER", N_("did my change help? recordings or results before and after it")) \
	X(METRICS, "metrics", "[NAME...]", N_("list the metrics of a set with units and equations")) \
	X(DOCTOR, "doctor", "", N_("what can be read on this machine, and what stops the rest"))

enum task {
	TASK_RUN,		/* monitor or batch */
	TASK_STRESS,
	TASK_COMMAND,
	TASK_DIFF,
	TASK_ROOFLINE,
	TASK_EXPLAIN_LIMIT,
	TASK_CALIBRATE,
	TASK_CHECK,
	TASK_SWEEP,
	TASK_METRICS,
	TASK_DOCTOR,
	TASK_LIST_DEVICES,
	TASK_LIST_SETS,
	TASK_LIST_EVENTS,
	TASK_EXPLAIN,
	TASK_SCRIPT,
	TASK_HELP,
	TASK_VERSION,
};

enum output_form { OUTPUT_NONE, OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_GPU_TOP };

/* -D all means every usable device of this machine. */
#define DEVICES_ALL "all"

/* What -D and the options behind it say for one device. NULL and 0 mean that an option was not
 * given. Strings point into argv unless their comment says that they are on the heap. */
struct device_options {
	/* the argument of -D, on the heap in options; NULL: whatever is there */
	const char *name;
	bool by_env;			/* named by ROOFTOP_DEVICE, not by an option */
	double speed;
	bool speed_max, per_report;
	const char *record;
	bool record_each;		/* several devices share record: FILE.DEVICE */
	bool overwrite;
	int64_t oa_period_ns;
	const char *access;
	bool lists_contexts;
	bool has_context;
	uint32_t context;
	const char *power, *set;
	const char *rotate;		/* names with commas between them */
	int64_t rotate_every_ns;	/* 0: after each window */
	char **counters;		/* "INC:COARSE:FINE", heap, their strings too */
	int n_counters;
	const char *events_in;		/* "0.3": the subslice that counts them; NULL: all */
	char **booleans;		/* "B6 any(B0,B1)", heap, their strings too */
	int n_booleans;
	char **triggers;		/* "report 1000:L3", "start 1:L3", heap, their strings too */
	int n_triggers;
	const char *cc[3];		/* parts of the event that is being put together */
};

/* Names in the order in which they were given. */
struct name_list {
	const char **names;		/* heap */
	int n;
};

/* What the user asked for. Strings point into argv; NULL and 0 mean not given. */
struct options {
	enum task task;
	bool given[OPTION_COUNT];	/* by an option of the command line */
	enum output_form form;
	int64_t delay_ns;
	uint64_t windows;
	bool clients, gpu_top_classes;
	const char *output, *export, *textfile, *trace;
	/* A device option that stands before the first -D applies to every device, because each
	 * device begins as a copy of common. Behind a -D it applies to that device alone. */
	struct device_options common;
	struct device_options *devices;	/* heap; after parsing at least one */
	int n_devices;
	const char *fsroot, *explain;
	struct name_list metric_files, xml_files;
	const char *check;
	bool tour, no_color, ascii, no_mouse;
	const char *script, *config;
	const char *screen;		/* a name of view_screen_name() */
	uint64_t blocks, tpb, loop, launches, repeat;	/* 0: not given */
	int64_t time_ns;
	const char *power_plane;	/* of power_planes */
	bool power_smoothing, profile, validate, where, tune, list_kernels, dump_kernel, quiet;
	const char *cl_device, *dump, *dump_binary, *plot;
	const char *over;		/* of sweep_over_words */
	const char *figures, *beside;
	uint64_t level;			/* of check, 1 to 3 */
	const char *against, *junit, *html;
	struct name_list with;
	bool resume, tap;
	char **names;			/* what follows the subcommand, in argv */
	int n_names;
	int n_behind;		/* of diff: how many of the names stand behind "--" */
	bool task_alone;	/* run counts its command alone */
	bool all_metrics;
	const char *markers;
	const char *bundle;
};

struct option_info {
	int id;
	const char *name;
	int letter;
	const char *arg;
	enum option_use use;
	const char *group;
	const char *help;	/* untranslated, NULL: hidden */
};

struct option_group {
	const char *group;
	const char *title;	/* untranslated */
};

struct subcommand_info {
	enum task task;
	const char *name, *args, *help;
};

struct status_info {
	int number;
	const char *text;
};

/* The rows are in the order of the lists. Each table ends with an all-zero row. */
extern const struct option_info option_table[];
extern const struct subcommand_info subcommand_table[];
extern const struct status_info status_table[];

/* Words of --over, in the order of enum sweep_over; NULL ends them. */
extern const char *const sweep_over_words[];
/* Words of --power-plane, in the order of enum power_plane; NULL ends them. */
extern const char *const power_planes[];

/* Parses the command line. Returns false (code ERR_USAGE) with what is allowed in the hint. */
bool options_parse(struct options *o, int argc, char **argv, struct err *err);
void options_release(struct options *o);
/* The second half of parsing: refuses options that make no sense together or with the task. Fills
 * in what one option means for others. */
bool options_check(struct options *o, struct err *err);
/* Says whether -D or -r names a device; ROOFTOP_DEVICE does not count. */
bool options_name_device(const struct options *o);
/* Says whether these options are about every usable device of the machine. */
bool options_mean_all(const struct device_options *d);
/* Returns the first of the device options that do so, NULL when none does. */
const struct device_options *options_of_all(const struct options *o);
/* Says whether the options and standard output lead to the screen. */
bool options_want_screen(const struct options *o);
/* Says whether windows go as a stream to standard output. */
bool options_stream(const struct options *o);
/* Says whether windows are exported or traced, wherever else they are shown. */
bool options_export(const struct options *o);
void options_help(struct strbuf *out);

#endif
