/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that belong to no command of their own: windows, outputs, exports, devices, counters
 * and the monitor. */
#pragma once

#define WINDOW_OPTIONS(X) \
	X("delay", 'd', "SECS", ONCE, "length of a window, 0.01 to 3600 s", take_delay, .allowed = "0.01 to 3600 seconds, also as 500ms or 5m") \
	X("iterations", 'n', "N", ONCE, "stop after N windows", option_count, OF_ALL(windows), .max = INT64_MAX, .allowed = "a whole number from 1") \
	X("delay-ms", 's', "MS", ONCE, NULL, take_delay, .allowed = "10 to 3600000", .instead = "delay")

#define OUTPUT_OPTIONS(X) \
	X("batch", 'b', NULL, ONCE, "lines of text instead of the screen", take_form, OF_ALL(form), .max = OUTPUT_TEXT) \
	X("json", 'J', NULL, ONCE, "one JSON object per window or row", take_form, OF_ALL(form), .max = OUTPUT_JSON) \
	X("csv", 'c', NULL, ONCE, "comma-separated values, one row per window", take_form, OF_ALL(form), .max = OUTPUT_CSV) \
	X("columns", 'k', "NAMES", ONCE, "metrics of -b, -J and -c in this order: dram,power; help: list them", take_columns) \
	X("units", 0, NULL, ONCE, "with -c: a second line has the units", option_flag, OF_ALL(units)) \
	X("output", 'o', "FILE", ONCE, "where text, JSON and CSV go; - is standard output", option_file, OF_ALL(output), .writes = FILE_FORM_OF_OUTPUT) \
	X("overwrite", 0, NULL, ONCE, "let outputs replace a file of another form, and --record and --bundle any file", option_flag, OF_ALL(overwrite)) \
	X("clients", 0, NULL, ONCE, "with -b, -J and exports: the processes that use the GPU", option_flag, OF_ALL(clients)) \
	X("all", 0, NULL, ONCE, "run: all metrics, not only those that explain the answer; diff: also what did not move", option_flag, OF_ALL(all_metrics)) \
	X("plot", 0, "FILE", ONCE, "roofline, calibrate and sweep: pictures (SVG)", option_named_file, OF_ALL(plot), .writes = FILE_FORM_SVG) \
	X("tap", 0, NULL, ONCE, "doctor and check: results in the Test Anything Protocol", option_flag, OF_ALL(tap)) \
	X("intel-gpu-top-json", 0, NULL, ONCE, "what intel_gpu_top -J prints; then -s MS and -d DEVICE mean what they mean to it", take_form, OF_ALL(form), .max = OUTPUT_GPU_TOP) \
	X("intel-gpu-top-classes", 0, NULL, ONCE, "with --intel-gpu-top-json: one row for the engines of a class (intel_gpu_top 2.0)", option_flag, OF_ALL(gpu_top_classes))

#define EXPORT_OPTIONS(X) \
	X("export", 0, "FORM", ONCE, "serve metrics, of all devices without -D: prometheus[:PORT], prometheus:HOST:PORT, prometheus:unix:PATH; help: list them", take_export, OF_ALL(export)) \
	X("textfile", 0, "DIR", ONCE, "keep DIR/rooftop.prom up to date for node_exporter", option_file, OF_ALL(textfile)) \
	X("trace", 0, "FILE", ONCE, "write counters and kernel runs as a trace for Perfetto", option_file, OF_ALL(trace), .writes = FILE_FORM_JSON)

#define DEVICE_OPTIONS(X) \
	X("device", 'D', "DEV", MANY, "card0, sim:NAME, ssh:HOST, all, ...; help: list them; may repeat; also pci:ADDRESS, drm:PATH, sim:NAME[,OPTION...], file:RECORDING, ssh:HOST/DEVICE", take_device) \
	X("list-devices", 'L', NULL, ONCE, "list the devices, usable or not, and why", NULL, .task = TASK_LIST_DEVICES) \
	X("replay", 'r', "FILE", MANY, "play a recording; - is a stream on standard input", take_replay) \
	X("speed", 0, "X", ONCE, "play X times as fast; max: as fast as possible, without waiting; help: list them", take_speed) \
	X("per-report", 0, NULL, ONCE, "one window for each pair of reports of a recording", option_flag, OF_DEVICE(per_report)) \
	X("record", 'w', "FILE", ONCE, "record all sources, and raw OA reports; - streams to standard output", option_file, OF_DEVICE(record)) \
	X("oa-period", 'p', "SECS", ONCE, "wanted time between two OA reports", option_duration, OF_DEVICE(oa_period_ns), .min = 1, .max = 60 * NS_PER_S, \
		.allowed = "seconds above 0 up to 60, also as 500us or 5ms") \
	X("context", 0, "ID|help", ONCE, "count only while this hardware context runs, by the number in its reports; help: say what each one does", take_context) \
	X("access", 0, "WAY", ONCE, "how counters are read: auto, perf, mmio or rpc", option_word, OF_DEVICE(access), .words = access_ways) \
	X("power", 0, "WAY", ONCE, "how energy is read: auto, hwmon, perf, powercap, sensors, papi or none", option_word, OF_DEVICE(power), .words = power_ways) \
	X("fsroot", 0, "DIR", ONCE, "read /sys, /proc and /dev below DIR", option_file, OF_ALL(fsroot))

#define COUNTER_OPTIONS(X) \
	X("set", 'm', "SET", ONCE, "metric set, or several in turns: A,B; help: list them", take_set) \
	X("rotate-every", 0, "SECS", ONCE, "length of a turn; without it one window", option_duration, OF_DEVICE(rotate_every_ns), .min = 1, .max = 3600 * NS_PER_S, \
		.allowed = "seconds above 0 up to 3600, also as 500ms") \
	X("counter", 0, "EVENT", MANY, "count INC[:COARSE[:FINE]] in the EUs, or an event of the processor; may repeat; help: list them", take_counter) \
	X("boolean", 0, "Bn=EXPR", MANY, "define a boolean counter in a free block of the set: B6=any(B0,B1); may repeat", take_wish) \
	X("metrics", 0, "FILE", MANY, "load a file of your own metrics; may repeat", option_files, OF_ALL(metric_files)) \
	X("metrics-xml", 0, "FILE", MANY, "load Intel's metric sets (oa-*.xml, also gzip); may repeat", option_files, OF_ALL(xml_files)) \
	X("eu-events-in", 0, "SLICE.SUBSLICE", ONCE, "experiment, with --access mmio: one subslice alone counts the events of --counter", take_events_in) \
	X("report-every", 0, "N:SIGNALS", MANY, "experiment: a report each time signals of the set were high for N clocks; up to twice", take_wish) \
	X("start-when", 0, "N:SIGNALS", ONCE, "experiment: B and C counters begin once signals were high for N clocks", take_wish) \
	X("rotate", 0, "SETS", ONCE, NULL, take_rotate, .instead = "set") \
	X("explain", 0, "NAME", ONCE, NULL, take_explain, .task = TASK_EXPLAIN, .instead = "explain") \
	X("cc-i", 0, "INC", MANY, NULL, take_cc, OF_DEVICE(cc[0]), .instead = "counter") \
	X("cc-c", 0, "COARSE", MANY, NULL, take_cc, OF_DEVICE(cc[1]), .instead = "counter") \
	X("cc-f", 0, "FINE", MANY, NULL, take_cc, OF_DEVICE(cc[2]), .instead = "counter")

#define LIVE_OPTIONS(X) \
	X("tour", 0, NULL, ONCE, "learn to read the screen: a simulated GPU through four phases", option_flag, OF_ALL(tour)) \
	X("screen", 0, "NAME", ONCE, "begin with a screen: its digit or its name, such as roofline; help: list them", take_screen) \
	X("no-color", 'C', NULL, ONCE, "no colours", option_flag, OF_ALL(no_color)) \
	X("no-unicode", 'U', NULL, ONCE, "nothing but ASCII", option_flag, OF_ALL(ascii)) \
	X("no-mouse", 'M', NULL, ONCE, "leave the mouse to the terminal", option_flag, OF_ALL(no_mouse)) \
	X("config", 0, "FILE", ONCE, "settings file", option_file, OF_ALL(config)) \
	X("script", 0, "FILE", ONCE, "drive the screen from a file, without a terminal", option_file, OF_ALL(script), .task = TASK_SCRIPT) \

#define OTHER_OPTIONS(X) \
	X("help", 'h', NULL, ONCE, "the page of the command, or this one", NULL, .task = TASK_HELP) \
	X("version", 'V', NULL, ONCE, "version and licence", NULL, .task = TASK_VERSION)

/* Tables of the lists above: list, name, title */
#define COMMON_TABLES(X) \
	X(WINDOW_OPTIONS, "windows", "Windows") \
	X(DEVICE_OPTIONS, "device", "Device") \
	X(COUNTER_OPTIONS, "counters", "What is counted") \
	X(LIVE_OPTIONS, "live", "The monitor") \
	X(OUTPUT_OPTIONS, "output", "Output instead of the screen") \
	X(EXPORT_OPTIONS, "export", "Exports") \
	X(OTHER_OPTIONS, "other", "Other")

/* What runs where no command is named. */
#define LIVE_FORMS(X) \
	X("-L", asks_for_devices, "json device list-devices replay fsroot") \
	X("-m help", asks_for_sets, "json device replay fsroot metrics metrics-xml") \
	X("--counter help", asks_for_events, "device replay fsroot") \
	X("the monitor", is_monitor, "@windows clients @export @device -list-devices overwrite @counters -explain @live -script") \
	X("--script", is_script, "delay @export @device -list-devices overwrite @counters -eu-events-in -explain tour screen no-unicode script config") \
	X("--intel-gpu-top-json", is_gpu_top, "@windows json intel-gpu-top-json intel-gpu-top-classes clients output overwrite @export @device -list-devices -context config") \
	X("exports", is_export, "@windows clients overwrite @export @device -list-devices @counters -explain config") \
	X("-b, -J, -c", NULL, "@windows batch json csv columns units output overwrite clients @export @device -list-devices @counters -explain config")
