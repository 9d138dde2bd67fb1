/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings in the formats of i915-perf-recorder and xe-perf-recorder, version 1: a sequence of
 * records, no file header, native little endian. Layout facts: igt-gpu-tools lib/i915/perf_data.h,
 * lib/xe/xe_oa_data.h. In xe's files the records VERSION to CORRELATION have the types 4 to 7, and
 * report formats have other numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum rec_type {
	REC_SAMPLE = 1,			/* one raw OA report, as the kernel's read() gives it */
	REC_REPORT_LOST = 2,
	REC_BUFFER_LOST = 3,
	REC_VERSION = 65536,
	REC_DEVICE_INFO = 65537,
	REC_TOPOLOGY = 65538,
	REC_CORRELATION = 65539,
	/* our own type: UTF-8 "key=value\n" lines (set, device, simulated); other readers use its
	 * size to skip it */
	REC_ROOFTOP = 0x52540001,
	/* our own as well (device_records.h): constants, measured roofs, the shape of a source,
	 * what it gathered, the end of a window */
	REC_CONSTS,
	REC_ROOFS,
	REC_FEED,
	REC_SOURCE_SAMPLE,
	REC_WINDOW,
	/* streams (stream_records.h): their beginning, a device, the processes that use it, and
	 * what each hardware context did */
	REC_STREAM,
	REC_DEVICE,
	REC_CLIENTS,
	REC_CONTEXTS,
	/* where a command began and ended, and its phases (mark_records.h) */
	REC_MARK,
	/* spans of commands (span_records.h): a queue, a name, and what was told */
	REC_SPAN_QUEUE,
	REC_SPAN_NAME,
	REC_SPANS,
	/* Cells of a sample that do not fit into its record, which follows. */
	REC_CELLS,
};

/* Record header as in the file and in the kernel's read(); size includes it. */
struct rec_header {
	uint32_t type;
	uint16_t pad, size;
};

/* DEVICE_INFO payload, 336 bytes, exactly as in the file. */
struct rec_device_info {
	uint64_t timestamp_hz;
	uint32_t device_id, revision, min_hz, max_hz, engine_class, engine_instance;
	uint32_t oa_format;
	char set_name[256];
	char guid[40];
	uint32_t pad;
};

/* A record in memory. payload points into the reader's buffer and is valid until the next call. The
 * record is always whole: its header lies right before the payload. */
struct rec {
	uint32_t type;
	const void *payload;
	size_t size;		/* of the payload */
	uint64_t offset;	/* of the header in the file */
};

/* Returns the number that a record type has in a file of that kind. */
uint32_t rec_type_in_file(bool is_xe, uint32_t type);

struct rec_reader;	/* opaque */

/* What a scan of the whole file found; rec_open() fills it. */
struct rec_summary {
	bool is_xe;			/* as xe-perf-recorder writes */
	bool has_version, has_info, has_topology;
	uint32_t version;
	/* the last one in the file; strings are always NUL terminated */
	struct rec_device_info info;
	uint8_t topology[512];
	size_t topology_len;
	uint64_t samples;		/* those for which rec_is_report() holds */
	uint64_t correlations;
	bool has_spans, has_clients;	/* of commands; who used the device */
	size_t sample_size;		/* payload of the first SAMPLE */
	/* of the first and last SAMPLE, as rec_timestamp() returns it */
	uint32_t first_timestamp, last_timestamp;
	/* Correlations hold the command streamer's clock, which on some GPUs is slower than that of
	 * the reports by this power of two (Linux xe_oa_timestamp_frequency()). The pace of the
	 * correlations tells; rec_correlations() returns them in the reports' ticks. */
	int clock_shift;
	int64_t span_ticks;		/* from the first SAMPLE to the last one, wraps counted */
	uint64_t good_bytes;		/* bytes that hold whole, valid records */
	char rooftop[2048];		/* text of REC_ROOFTOP, empty when absent */
	/* code is ERR_NONE, or says what is wrong at good_bytes: cut header, cut record, impossible
	 * size */
	struct err damage;
};

/* Opens and scans a file. Fails when the file cannot be read, is empty, has no whole record, or
 * names a version other than 1. A damaged tail is not a failure: damage describes it, and reading
 * ends there. */
struct rec_reader *rec_open(const char *path, struct err *err);
/* Whether a file whose first record has this header can be a recording. */
bool rec_may_begin(const struct rec_header *h);
const struct rec_summary *rec_summary(const struct rec_reader *r);
/* Reads the next whole record; returns false at the end (err code ERR_END) or on a read error. */
bool rec_next(struct rec_reader *r, struct rec *out, struct err *err);
/* Goes back, so that the next record is the first one again. Returns false when the file can no
 * longer be read. */
bool rec_rewind(struct rec_reader *r, struct err *err);
void rec_close(struct rec_reader *r);

/* Whether rec is a SAMPLE of the first one's size that has an id or a time stamp: hardware that was
 * late leaves both 0. */
bool rec_is_report(const struct rec_reader *r, const struct rec *rec);
/* Returns the low 32 bits of the time stamp of a SAMPLE, by the file's format: dword 1 of the
 * report, or dword 2 where the header has 64 bits. */
uint32_t rec_timestamp(const struct rec_reader *r, const struct rec *sample);
/* Returns the ticks from one 32-bit time stamp to a later one. A difference in the last sixteenth
 * of the range counts as a step back, not a wrap. */
int64_t rec_ticks(uint32_t before, uint32_t now);

/* Returns the ticks from the report before, whose time stamp is given, to this one. Where the GPU's
 * clock began again, went back or jumped, they are those that the pairs of clocks around it tell,
 * and jumped is set: counters before it and after it have nothing to do with each other. */
int64_t rec_step(
	const struct rec_reader *r, const struct rec *report, uint32_t before, bool *jumped);

#define REC_MAX_CORRELATIONS (1u << 20)

/* One CORRELATION pair. rec_correlations() returns them in file order, at most
 * REC_MAX_CORRELATIONS, and their number in *n. CPU time is CLOCK_MONOTONIC ns unless the recorder
 * was told otherwise. */
struct rec_correlation {
	uint64_t cpu_ns, gpu_timestamp;
	int64_t ticks;		/* its place in the file's time; the first SAMPLE is at 0 */
};
const struct rec_correlation *rec_correlations(const struct rec_reader *r, size_t *n);
/* The places at which windows ended while the recording was made, in ticks of the newest SAMPLE,
 * rising; as many as correlations at most. */
const int64_t *rec_windows(const struct rec_reader *r, size_t *n);

struct rec_writer;	/* opaque */

/* What a recording begins with. */
struct rec_start {
	bool is_xe;			/* write as xe-perf-recorder does */
	const struct rec_device_info *info;
	const void *topology;		/* padded with 0 to 8 bytes in the file */
	size_t topology_len;
	const char *rooftop_text;	/* at most 511 bytes; NULL: none */
};

/* Creates a file; refuses an existing one unless overwrite is set. Writes VERSION, INFO, TOPOLOGY
 * and the ROOFTOP text. */
struct rec_writer *rec_create(
	const char *path, bool overwrite, const struct rec_start *start, struct err *err);
/* Writes records as the kernel's read() gives them: whole, headers included. On ENOSPC or any write
 * error it cuts the file back to the last whole record, so that it stays readable, and returns
 * false with the reason; later calls return false at once. */
bool rec_write_records(struct rec_writer *w, const void *records, size_t len, struct err *err);
/* The GPU's time is that of the command streamer, as other readers expect it. */
bool rec_write_correlation(
	struct rec_writer *w, uint64_t cpu_ns, uint64_t gpu_timestamp, struct err *err);
/* Flushes and frees w; returns false when data could not be written. w may be NULL. */
bool rec_finish(struct rec_writer *w, struct err *err);
